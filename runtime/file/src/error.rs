//! The runtime's one error: what it is about (a file, a port, a rank), what is wrong, and its exit code.

/// Classes of failure, one per exit code of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A check failed: what was given contradicts the program. Exit code 1.
    Rejected,
    /// A wrong option, a missing or damaged file, a machine that lacks something. Exit code 2.
    Usage,
    /// A rank failed while running. Exit code 3.
    Rank,
    /// The program does not fit into memory. Exit code 4.
    DoesNotFit,
    /// Somebody asked for the end. Exit code 130.
    Interrupted,
    /// A scheduler asked for the end. Exit code 143.
    Preempted,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuntimeError {
    pub kind: ErrorKind,
    /// File, option or tensor; empty when the message says it all.
    pub place: String,
    pub message: String,
}

pub type Result<T, E = RuntimeError> = std::result::Result<T, E>;

impl RuntimeError {
    pub fn new(kind: ErrorKind, place: impl Into<String>, message: impl Into<String>) -> RuntimeError {
        RuntimeError { kind, place: place.into(), message: message.into() }
    }

    pub fn usage(place: impl Into<String>, message: impl Into<String>) -> RuntimeError {
        RuntimeError::new(ErrorKind::Usage, place, message)
    }

    /// A failed system call on a file.
    pub fn io(path: &std::path::Path, what: &str, e: &std::io::Error) -> RuntimeError {
        RuntimeError::usage(path.display().to_string(), format!("{what}: {e}"))
    }

    /// An error of the bundle's reader, with the file in front.
    pub fn bundle(path: &str, e: &meshloom_bundle::BundleError) -> RuntimeError {
        RuntimeError::usage(path, e.to_string())
    }

    pub fn exit_code(&self) -> i32 {
        match self.kind {
            ErrorKind::Rejected => 1,
            ErrorKind::Usage => 2,
            ErrorKind::Rank => 3,
            ErrorKind::DoesNotFit => 4,
            ErrorKind::Interrupted => 130,
            ErrorKind::Preempted => 143,
        }
    }
}

impl std::fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.place.is_empty() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.place, self.message) }
    }
}

impl std::error::Error for RuntimeError {}
