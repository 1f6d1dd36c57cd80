//! Code generation in a child process: LLVM ends its process when it meets a bug of its own, and our process must not
//! end with it.
//!
//! The child is a program of its own, `meshloom-codegen`, which lies beside `meshloom` and serves one request (`meshloom_llvm`).
//! So LLVM is loaded where code is generated, and not to plan, check or explain. The parent sends all kernels to the child's
//! standard input, and reads objects and progress from the child's standard output. If the child dies, the kernels that
//! it was working on are tried one at a time. So the error names the kernel that is to blame, and its text is kept as a
//! reproducer.

pub mod protocol;
mod request;

use std::collections::BTreeSet;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

use crate::cache::{Compiler, KernelCache, Key};
use crate::target::{CpuTarget, GpuTarget};
use crate::{CodegenError, CodegenPhase, link, ptx};
use protocol::Event;

pub use request::{CodegenTarget, Compile, Compiled, CompiledKernels, Errand, KernelModule, Request};

/// What a worker is started with.
pub const ARGUMENT: &str = "__codegen";
/// Parent and worker must be of the same.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The program that serves as a worker.
const WORKER: &str = "meshloom-codegen";

/// One object (or module of PTX) per kernel, in the request's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifacts {
    pub objects: Vec<Vec<u8>>,
    /// The version of LLVM that made them.
    pub llvm: String,
}

impl Artifacts {
    /// Joins modules of PTX into one.
    pub fn join(self, target: GpuTarget) -> Result<String, CodegenError> {
        let text =
            |bytes| String::from_utf8(bytes).map_err(|e| CodegenError::general(CodegenPhase::Link, e.to_string()));
        let modules: Vec<String> = self.objects.into_iter().map(text).collect::<Result<_, _>>()?;
        ptx::join_ptx(&modules, target)
    }

    /// Links all of them into the shared library `out`.
    pub fn link(&self, out: &Path) -> Result<(), CodegenError> {
        link::link_shared(&self.objects, out)
    }
}

/// Where code generation runs.
#[derive(Clone, Debug)]
pub enum Isolation {
    /// In this process, by `meshloom_llvm::in_process` or `remembered`: for tests.
    InProcess(Compile),
    /// In a child that runs a program, whose `main` begins with `meshloom_llvm::main_if_requested`.
    Child(Worker),
}

/// A program that compiles, and what it compiled before.
#[derive(Clone, Debug)]
pub struct Worker {
    pub program: PathBuf,
    pub cache: Option<KernelCache>,
}

impl Worker {
    /// One that compiles whatever it is asked.
    pub fn new(program: PathBuf) -> Worker {
        Worker { program, cache: None }
    }
}

impl Isolation {
    /// A child that runs [`program`].
    ///
    /// # Errors
    /// As [`program`].
    pub fn beside() -> Result<Self, CodegenError> {
        program().map(|p| Isolation::Child(Worker::new(p)))
    }

    /// A child that runs the current executable.
    ///
    /// # Errors
    /// The system does not say which one that is.
    pub fn reexecute() -> Result<Self, CodegenError> {
        own_file().map(|p| Isolation::Child(Worker::new(p)))
    }
}

/// `meshloom-codegen`, which lies where the current executable lies.
///
/// # Errors
/// There is none: one of the two programs was copied without the other.
pub fn program() -> Result<PathBuf, CodegenError> {
    let program = own_file()?.with_file_name(WORKER);
    if program.is_file() {
        return Ok(program);
    }
    let what = format!("{} is missing: it generates code, and is installed with `meshloom`", program.display());
    Err(CodegenError { environment: true, ..CodegenError::general(CodegenPhase::Worker, what) })
}

fn own_file() -> Result<PathBuf, CodegenError> {
    let fail =
        |error: io::Error| CodegenError::system(CodegenPhase::Worker, "cannot find this program's own file", &error);
    std::env::current_exe().map_err(fail)
}

/// Compiles all kernels, or says which one failed. Failures keep the kernel's text in the system's temporary folder.
pub fn compile(request: &Request, isolation: &Isolation) -> Result<Artifacts, CodegenError> {
    match isolation {
        Isolation::InProcess(compile) => artifacts(request, compile(request)),
        Isolation::Child(Worker { program, cache: None }) => by_child(request, program),
        Isolation::Child(Worker { program, cache: Some(cache) }) => cached(request, program, cache),
    }
}

fn by_child(request: &Request, program: &Path) -> Result<Artifacts, CodegenError> {
    let outcome = in_child(request, program)?;
    match outcome.died {
        Some(death) => Err(blame(request, program, death)),
        None => artifacts(request, outcome.made),
    }
}

fn artifacts(request: &Request, made: CompiledKernels) -> Result<Artifacts, CodegenError> {
    let mut objects = Vec::with_capacity(request.kernels.len());
    for (kernel, result) in request.kernels.iter().zip(made.results) {
        objects.push(result.map_err(|error| with_reproducer(error, kernel))?);
    }
    Ok(Artifacts { objects, llvm: made.llvm })
}

/// As [`by_child`], for what the cache does not have. Where it has all, no child is started.
fn cached(request: &Request, program: &Path, cache: &KernelCache) -> Result<Artifacts, CodegenError> {
    let compiler = match cache.compiler(program) {
        Some(noted) => Some(noted),
        None => noted(program, cache)?,
    };
    let Some(compiler) = compiler else { return by_child(request, program) };
    let keys: Vec<Option<Key>> = request.kernels.iter().map(|k| key(&compiler, request.target, k)).collect();
    let mut objects: Vec<Option<Vec<u8>>> = keys.iter().map(|k| cache.get(k.as_ref()?)).collect();
    let new: Vec<usize> = (0..objects.len()).filter(|&i| objects[i].is_none()).collect();
    if !new.is_empty() {
        let kernels = new.iter().map(|&i| request.kernels[i].clone()).collect();
        let made = by_child(&Request { kernels, ..*request }, program)?;
        // What was replaced meanwhile may have compiled them.
        let same = cache.compiler(program).as_ref() == Some(&compiler);
        for (i, object) in new.iter().zip(made.objects) {
            if let Some(key) = keys[*i].as_ref().filter(|_| same) {
                cache.put(key, &object);
            }
            objects[*i] = Some(object);
        }
        cache.trim();
    }
    Ok(Artifacts { objects: objects.into_iter().flatten().collect(), llvm: compiler.llvm })
}

/// None for a kernel that is for whatever machine compiles it: several machines may share the folder.
fn key(compiler: &Compiler, target: CodegenTarget, kernel: &KernelModule) -> Option<Key> {
    let host = target == CodegenTarget::Cpu(CpuTarget::Host);
    (!host).then(|| compiler.key(&(target, kernel.mapping, &kernel.symbol), &kernel.text)).flatten()
}

/// Asks a worker what it is, and notes that.
fn noted(program: &Path, cache: &KernelCache) -> Result<Option<Compiler>, CodegenError> {
    let nothing = Request { kernels: Vec::new(), target: CodegenTarget::default(), threads: 1 };
    let outcome = in_child(&nothing, program)?;
    if let Some(death) = outcome.died {
        return Err(died(death.status, &death.said));
    }
    let compiler = Compiler::of(program, &outcome.loaded, outcome.made.llvm);
    compiler.iter().for_each(|c| cache.note(program, c));
    Ok(compiler)
}

/// The version of LLVM that would compile.
///
/// # Errors
/// There is no worker, or it dies.
pub fn llvm_version(program: &Path) -> Result<String, CodegenError> {
    let nothing = Request { kernels: Vec::new(), target: CodegenTarget::default(), threads: 1 };
    by_child(&nothing, program).map(|a| a.llvm)
}

/// A program in the `loom` dialect as MLIR prints it (`meshloom_llvm::roundtrip`), by a child.
///
/// # Errors
/// What MLIR said of the text; a worker that is missing or dies.
pub fn printed(text: &str, program: &Path) -> Result<String, CodegenError> {
    let mut answer = None;
    let asked = Errand::Print(text.to_owned());
    let ended = conversation(&asked, program, &mut |event, _| {
        if let Event::Printed(printed) = event {
            answer = Some(printed);
        }
        Ok(())
    })?;
    match (ended, answer) {
        (Some(death), _) => Err(died(death.0, &death.1)),
        (None, Some(printed)) => printed,
        (None, None) => Err(CodegenError::general(CodegenPhase::Worker, "the code generator gave no answer")),
    }
}

struct Outcome {
    made: CompiledKernels,
    /// The files that the child has loaded.
    loaded: Vec<PathBuf>,
    died: Option<Death>,
}

/// How a child ended early, and what it was doing.
struct Death {
    status: ExitStatus,
    said: String,
    in_hand: BTreeSet<usize>,
}

fn in_child(request: &Request, program: &Path) -> Result<Outcome, CodegenError> {
    let mut results: Vec<Option<Compiled>> = request.kernels.iter().map(|_| None).collect();
    let (mut in_hand, mut version, mut files) = (BTreeSet::new(), String::new(), Vec::new());
    let ended = conversation(&Errand::Compile(request.clone()), program, &mut |event, blob| {
        let (index, result) = match event {
            Event::Worker { llvm, loaded, .. } => {
                (version, files) = (llvm, loaded);
                return Ok(());
            }
            Event::Started(index) => {
                in_hand.insert(index);
                return Ok(());
            }
            Event::Finished(index) => {
                in_hand.remove(&index);
                return Ok(());
            }
            Event::Object(index) => (index, Ok(blob)),
            Event::Failed(index, error) => (index, Err(error)),
            Event::Printed(_) | Event::Done => return Ok(()),
        };
        let out_of_range = || io::Error::new(io::ErrorKind::InvalidData, "a result for no kernel");
        *results.get_mut(index).ok_or_else(out_of_range)? = Some(result);
        Ok(())
    })?;
    let died = ended.map(|(status, said)| Death { status, said, in_hand });
    let missing = || Err(CodegenError::general(CodegenPhase::Worker, "the code generator gave no result"));
    let results = results.into_iter().map(|result| result.unwrap_or_else(missing)).collect();
    Ok(Outcome { made: CompiledKernels { results, llvm: version }, loaded: files, died })
}

/// Asks a child, and hears what it says. Its exit status and its last words, if it died.
fn conversation(
    asked: &Errand,
    program: &Path,
    heard: &mut dyn FnMut(Event, Vec<u8>) -> io::Result<()>,
) -> Result<Option<(ExitStatus, String)>, CodegenError> {
    let fail = |what: &str, error: io::Error| CodegenError::system(CodegenPhase::Worker, what, &error);
    let mut child = Command::new(program)
        .arg(ARGUMENT)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| fail("cannot start the code generator", error))?;
    let stderr = child.stderr.take();
    let listen = move || {
        let mut said = Vec::new();
        let _ = stderr.map(|mut pipe| pipe.read_to_end(&mut said));
        said
    };
    let listener = std::thread::Builder::new().spawn(listen).map_err(|error| {
        // It waits for a request that does not come now.
        let _ = child.kill().and_then(|()| child.wait());
        fail("cannot start a thread for the code generator", error)
    })?;
    let talk = converse(&mut child, asked, heard);
    let status = child.wait().map_err(|error| fail("cannot wait for the code generator", error))?;
    let said = listener.join().unwrap_or_default();
    match talk {
        Ok(()) => Ok(None),
        Err(_) if !status.success() => Ok(Some((status, first_lines(&said)))),
        Err(error) => {
            let message = format!("the code generator does not answer as it should: {error}");
            Err(CodegenError::said(CodegenPhase::Worker, message))
        }
    }
}

fn converse(
    child: &mut Child,
    asked: &Errand,
    heard: &mut dyn FnMut(Event, Vec<u8>) -> io::Result<()>,
) -> io::Result<()> {
    let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
    // The child reads everything before it writes anything, so neither side can wait for the other.
    let mut input = BufWriter::new(child.stdin.take().ok_or_else(closed)?);
    protocol::write(&mut input, asked, &[])?;
    input.flush()?;
    drop(input);
    let mut output = BufReader::new(child.stdout.take().ok_or_else(closed)?);
    loop {
        match protocol::read(&mut output)? {
            (Event::Worker { meshloom, .. }, _) if meshloom != VERSION => {
                return Err(io::Error::other(format!("it is of version {meshloom}, and this is {VERSION}")));
            }
            (Event::Done, _) => return Ok(()),
            (event, blob) => heard(event, blob)?,
        }
    }
}

/// Finds the kernel that killed the worker among those it was working on, by giving each to a worker of its own.
fn blame(request: &Request, program: &Path, death: Death) -> CodegenError {
    if death.in_hand.len() > 1 {
        for &index in &death.in_hand {
            let alone = Request { kernels: vec![request.kernels[index].clone()], target: request.target, threads: 1 };
            match in_child(&alone, program) {
                Ok(Outcome { died: Some(Death { status, said, .. }), .. }) => {
                    return crash(&request.kernels[index], status, &said);
                }
                Ok(_) => {}
                Err(error) => return error,
            }
        }
    }
    match death.in_hand.first() {
        Some(&index) if death.in_hand.len() == 1 => crash(&request.kernels[index], death.status, &death.said),
        _ => died(death.status, &death.said),
    }
}

fn crash(kernel: &KernelModule, status: ExitStatus, said: &str) -> CodegenError {
    let error = died(status, said);
    if error.environment {
        return error;
    }
    with_reproducer(CodegenError { kernel: Some(kernel.symbol.clone()), ..error }, kernel)
}

fn died(status: ExitStatus, said: &str) -> CodegenError {
    CodegenError::said(CodegenPhase::Worker, format!("the code generator died ({status}): {said}"))
}

/// Keeps the kernel's text beside the error. Best effort: an error without a file is better than none.
fn with_reproducer(mut error: CodegenError, kernel: &KernelModule) -> CodegenError {
    let mut file = match tempfile::Builder::new().prefix("meshloom-").suffix(".mlir").tempfile() {
        Ok(file) => file,
        Err(_) => return error,
    };
    let header = error.message.lines().map(|line| format!("// {line}\n")).collect::<String>();
    if write!(file, "// kernel {}\n{header}{}\n", kernel.symbol, kernel.text).is_ok() {
        error.reproducer = file.keep().ok().map(|(_, path)| path);
    }
    error
}

/// The lines of a dying process that people read: the first few, which hold LLVM's message.
fn first_lines(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(3).collect();
    if lines.is_empty() { "it gave no reason".to_owned() } else { lines.join("; ") }
}
