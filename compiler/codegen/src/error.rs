//! What can go wrong between a kernel's text and its machine code, as a value that names the kernel.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// The step that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodegenPhase {
    /// MLIR text to operations, verifiers included.
    Parse,
    /// The pass pipeline down to the LLVM dialect.
    Lower,
    /// LLVM dialect to LLVM IR.
    Translate,
    /// LLVM's own passes.
    Optimize,
    /// LLVM IR to an object file or PTX.
    Emit,
    /// Objects to a shared library.
    Link,
    /// PTX to a cubin.
    Assemble,
    /// The child process that runs all of the above.
    Worker,
}

impl fmt::Display for CodegenPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CodegenPhase::Parse => "parse",
            CodegenPhase::Lower => "lower",
            CodegenPhase::Translate => "translate",
            CodegenPhase::Optimize => "optimize",
            CodegenPhase::Emit => "emit",
            CodegenPhase::Link => "link",
            CodegenPhase::Assemble => "assemble",
            CodegenPhase::Worker => "worker",
        })
    }
}

/// A failure of code generation. Kernels are written by the compiler, so each of these is a bug of ours or of LLVM, or a
/// tool missing on this machine; none is the user's fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodegenError {
    pub phase: CodegenPhase,
    /// The kernel's symbol, where one is to blame.
    pub kernel: Option<String>,
    pub message: String,
    /// An MLIR file that shows the failure, where one was kept.
    pub reproducer: Option<PathBuf>,
    /// Whether the machine lacks something: room, memory, files or processes that may be had, a tool. The kernels are not to
    /// blame then.
    pub environment: bool,
}

/// What the C library and LLVM say where the machine has no more of something: the words that a tool's output is searched for.
const LACKS: [&str; 9] = [
    "No space left on device",
    "Disk quota exceeded",
    "Too many open files",
    "Resource temporarily unavailable",
    "Cannot allocate memory",
    "memory exhausted",
    "out of memory",
    "memory allocation of",
    "bad_alloc",
];

impl CodegenError {
    pub fn new(phase: CodegenPhase, kernel: &str, message: impl Into<String>) -> Self {
        CodegenError { kernel: Some(kernel.to_owned()), ..CodegenError::general(phase, message) }
    }

    /// A failure that belongs to no single kernel.
    pub fn general(phase: CodegenPhase, message: impl Into<String>) -> Self {
        CodegenError { phase, kernel: None, message: message.into(), reproducer: None, environment: false }
    }

    /// A system call failed: a matter of the machine.
    pub fn system(phase: CodegenPhase, what: &str, error: &std::io::Error) -> Self {
        CodegenError { environment: true, ..CodegenError::general(phase, format!("{what}: {error}")) }
    }

    /// What another program said when it failed, which may be a matter of the machine.
    pub fn said(phase: CodegenPhase, message: String) -> Self {
        let environment = LACKS.iter().any(|l| message.contains(l));
        CodegenError { environment, ..CodegenError::general(phase, message) }
    }
}

impl fmt::Display for CodegenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kernel {
            Some(kernel) => {
                write!(f, "code generation failed in kernel `{kernel}` ({}): {}", self.phase, self.message)?
            }
            None => write!(f, "code generation failed ({}): {}", self.phase, self.message)?,
        }
        if let Some(path) = &self.reproducer {
            write!(f, "\nreproducer: {}", path.display())?;
        }
        Ok(())
    }
}

impl std::error::Error for CodegenError {}
