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

use crate::target::GpuTarget;
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
    /// In a child that runs this program, whose `main` begins with `meshloom_llvm::main_if_requested`.
    Child(PathBuf),
}

impl Isolation {
    /// A child that runs [`program`].
    ///
    /// # Errors
    /// As [`program`].
    pub fn beside() -> Result<Self, CodegenError> {
        program().map(Isolation::Child)
    }

    /// A child that runs the current executable.
    ///
    /// # Errors
    /// The system does not say which one that is.
    pub fn reexecute() -> Result<Self, CodegenError> {
        own_file().map(Isolation::Child)
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
    let mut outcome = match isolation {
        Isolation::InProcess(compile) => Outcome { made: compile(request), died: None },
        Isolation::Child(program) => in_child(request, program)?,
    };
    if let (Some(death), Isolation::Child(program)) = (outcome.died.take(), isolation) {
        return Err(blame(request, program, death));
    }
    let mut objects = Vec::with_capacity(request.kernels.len());
    for (kernel, result) in request.kernels.iter().zip(outcome.made.results) {
        objects.push(result.map_err(|error| with_reproducer(error, kernel))?);
    }
    Ok(Artifacts { objects, llvm: outcome.made.llvm })
}

/// The version of LLVM that would compile.
///
/// # Errors
/// There is no worker, or it dies.
pub fn llvm_version(program: &Path) -> Result<String, CodegenError> {
    let nothing = Request { kernels: Vec::new(), target: CodegenTarget::default(), threads: 1 };
    compile(&nothing, &Isolation::Child(program.into())).map(|a| a.llvm)
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
    let (mut in_hand, mut version) = (BTreeSet::new(), String::new());
    let ended = conversation(&Errand::Compile(request.clone()), program, &mut |event, blob| {
        let (index, result) = match event {
            Event::Worker { llvm, .. } => {
                version = llvm;
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
    Ok(Outcome { made: CompiledKernels { results, llvm: version }, died })
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
