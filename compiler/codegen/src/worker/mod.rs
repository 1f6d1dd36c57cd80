//! Code generation in a child process: LLVM ends its process when it meets a bug of its own, and our process must not
//! end with it.
//!
//! The program re-executes itself with a hidden argument ([`main_if_requested`]), sends all kernels to the child's
//! standard input, and reads objects and progress from the child's standard output. If the child dies, the kernels that
//! it was working on are tried one at a time. So the error names the kernel that is to blame, and its text is kept as a
//! reproducer.

mod protocol;
mod remembered;
mod request;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Mutex;

use crate::backend::{self, Compiled, GpuTarget, KernelProgress};
use crate::{CodegenError, CodegenPhase};
use protocol::Event;
use request::in_process;

pub use request::{CodegenTarget, KernelModule, Request};

const ARGUMENT: &str = "__codegen";

/// One object (or module of PTX) per kernel, in the request's order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifacts {
    pub objects: Vec<Vec<u8>>,
}

impl Artifacts {
    /// Joins modules of PTX into one.
    pub fn join(self, target: GpuTarget) -> Result<String, CodegenError> {
        let text =
            |bytes| String::from_utf8(bytes).map_err(|e| CodegenError::general(CodegenPhase::Link, e.to_string()));
        let modules: Vec<String> = self.objects.into_iter().map(text).collect::<Result<_, _>>()?;
        backend::join_ptx(&modules, target)
    }

    /// Links all of them into the shared library `out`.
    pub fn link(&self, out: &Path) -> Result<(), CodegenError> {
        backend::link_shared(&self.objects, out)
    }
}

/// Where code generation runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Isolation {
    /// In this process: for tests, and for programs that do not call [`main_if_requested`].
    InProcess,
    /// The same, and no kernel twice: an object that this process made before is taken again. For tests that compile a program
    /// on many meshes, most kernels of which are alike.
    Remembered,
    /// In a child that runs this executable, whose `main` begins with [`main_if_requested`].
    Child(PathBuf),
}

impl Isolation {
    /// A child that runs the current executable.
    pub fn reexecute() -> Result<Self, CodegenError> {
        let fail = |error: io::Error| {
            CodegenError::system(CodegenPhase::Worker, "cannot find this program's own file", &error)
        };
        std::env::current_exe().map(Isolation::Child).map_err(fail)
    }
}

/// To be called first in `main`: if this process was started as a worker, serves its one request and exits.
#[expect(
    clippy::disallowed_methods,
    reason = "a worker is this program in another role; its caller's main must not go on"
)]
pub fn main_if_requested() {
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(ARGUMENT)) {
        let served = serve(&mut io::stdin().lock(), io::stdout());
        if let Err(error) = &served {
            // A worker's standard error is read by its parent.
            let _ = writeln!(io::stderr(), "codegen worker: {error}");
        }
        std::process::exit(i32::from(served.is_err()));
    }
}

/// Compiles all kernels, or says which one failed. Failures keep the kernel's text in the system's temporary folder.
pub fn compile(request: &Request, isolation: &Isolation) -> Result<Artifacts, CodegenError> {
    let mut outcome = match isolation {
        Isolation::InProcess => Outcome { results: in_process(request, &|_, _| {}), died: None },
        Isolation::Remembered => Outcome { results: remembered::compile(request), died: None },
        Isolation::Child(program) => in_child(request, program)?,
    };
    if let (Some(death), Isolation::Child(program)) = (outcome.died.take(), isolation) {
        return Err(blame(request, program, death));
    }
    let mut objects = Vec::with_capacity(request.kernels.len());
    for (kernel, result) in request.kernels.iter().zip(outcome.results) {
        objects.push(result.map_err(|error| with_reproducer(error, kernel))?);
    }
    Ok(Artifacts { objects })
}

struct Outcome {
    results: Vec<Compiled>,
    died: Option<Death>,
}

/// How a child ended early, and what it was doing.
struct Death {
    status: ExitStatus,
    said: String,
    in_hand: BTreeSet<usize>,
}

fn serve(input: &mut impl Read, output: impl Write + Send) -> io::Result<()> {
    let (request, _): (Request, _) = protocol::read(input)?;
    let output = Mutex::new(BufWriter::new(output));
    // Progress is what names the kernel if the next instruction is our last: it is flushed at once.
    let send = |event: &Event, blob: &[u8]| {
        let mut output = output.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        protocol::write(&mut *output, event, blob).and_then(|()| output.flush())
    };
    let results = in_process(&request, &|index, progress| {
        let event = match progress {
            KernelProgress::Started => Event::Started(index),
            KernelProgress::Finished => Event::Finished(index),
        };
        // A parent that is gone needs no progress; the results below will meet the same error.
        let _ = send(&event, &[]);
    });
    for (index, result) in results.into_iter().enumerate() {
        match result {
            Ok(object) => send(&Event::Object(index), &object)?,
            Err(error) => send(&Event::Failed(index, error), &[])?,
        }
    }
    send(&Event::Done, &[])
}

fn in_child(request: &Request, program: &Path) -> Result<Outcome, CodegenError> {
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

    let mut results: Vec<Option<Compiled>> = request.kernels.iter().map(|_| None).collect();
    let mut in_hand = BTreeSet::new();
    let conversation = converse(&mut child, request, &mut results, &mut in_hand);
    let status = child.wait().map_err(|error| fail("cannot wait for the code generator", error))?;
    let said = listener.join().unwrap_or_default();

    let died = match conversation {
        Ok(()) => None,
        Err(_) if !status.success() => Some(Death { status, said: first_lines(&said), in_hand }),
        Err(error) => {
            let message = format!("the code generator does not answer as it should: {error}");
            return Err(CodegenError::said(CodegenPhase::Worker, message));
        }
    };
    let missing = || Err(CodegenError::general(CodegenPhase::Worker, "the code generator gave no result"));
    Ok(Outcome { results: results.into_iter().map(|result| result.unwrap_or_else(missing)).collect(), died })
}

fn converse(
    child: &mut Child,
    request: &Request,
    results: &mut [Option<Compiled>],
    in_hand: &mut BTreeSet<usize>,
) -> io::Result<()> {
    let closed = || io::Error::from(io::ErrorKind::BrokenPipe);
    // The child reads everything before it writes anything, so neither side can wait for the other.
    let mut input = BufWriter::new(child.stdin.take().ok_or_else(closed)?);
    protocol::write(&mut input, request, &[])?;
    input.flush()?;
    drop(input);
    let mut output = BufReader::new(child.stdout.take().ok_or_else(closed)?);
    loop {
        let (event, blob) = protocol::read(&mut output)?;
        let (index, result) = match event {
            Event::Started(index) => {
                in_hand.insert(index);
                continue;
            }
            Event::Finished(index) => {
                in_hand.remove(&index);
                continue;
            }
            Event::Object(index) => (index, Ok(blob)),
            Event::Failed(index, error) => (index, Err(error)),
            Event::Done => return Ok(()),
        };
        let out_of_range = || io::Error::new(io::ErrorKind::InvalidData, "a result for no kernel");
        *results.get_mut(index).ok_or_else(out_of_range)? = Some(result);
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
