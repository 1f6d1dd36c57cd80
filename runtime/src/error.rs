//! The runtime's one error: what it is about (a file, a port, a rank), what is wrong, and its exit code.

/// Classes of failure, one per exit code of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A check failed: what was given contradicts the program. Exit code 1.
    Rejected,
    /// A wrong option, a missing or damaged file, a machine that lacks something. Exit code 2.
    Usage,
    /// A rank failed while running. Exit code 3.
    Rank,
    /// The program does not fit into memory. Exit code 4.
    DoesNotFit,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub kind: Kind,
    /// File, option or tensor; empty when the message says it all.
    pub place: String,
    pub message: String,
}

pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    pub fn new(kind: Kind, place: impl Into<String>, message: impl Into<String>) -> Error {
        Error { kind, place: place.into(), message: message.into() }
    }

    pub fn usage(place: impl Into<String>, message: impl Into<String>) -> Error {
        Error::new(Kind::Usage, place, message)
    }

    /// A failed system call on a file.
    pub fn io(path: &std::path::Path, what: &str, e: &std::io::Error) -> Error {
        Error::usage(path.display().to_string(), format!("{what}: {e}"))
    }

    /// An error of the bundle's reader, with the file in front.
    pub fn bundle(path: &str, e: &meshloom_bundle::Error) -> Error {
        Error::usage(path, e.to_string())
    }

    pub fn exit_code(&self) -> i32 {
        match self.kind {
            Kind::Rejected => 1,
            Kind::Usage => 2,
            Kind::Rank => 3,
            Kind::DoesNotFit => 4,
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.place.is_empty() { f.write_str(&self.message) } else { write!(f, "{}: {}", self.place, self.message) }
    }
}

impl std::error::Error for Error {}
