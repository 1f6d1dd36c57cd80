//! How a command fails: its exit code and its message.

use crate::status;
use meshloom_file::RuntimeError;
use std::process::ExitCode;

/// Exit code after Ctrl-C: 128 + SIGINT, as shells count.
pub const INTERRUPTED: i32 = 130;
/// Exit code after SIGTERM, once the run has saved: 128 + SIGTERM.
pub const PREEMPTED: i32 = 143;
/// Exit code of a rank of an elastic run that is sound, and ended because its generation did. `launch` alone sees it.
pub const RESHAPED: i32 = 75;
/// Exit code of a bug in Meshloom.
pub const ICE: i32 = 101;

/// What `main` returns. A system hands on the last eight bits of a code alone.
pub fn exit_code(code: i32) -> ExitCode {
    ExitCode::from((code & 0xff) as u8)
}

pub type Result<T, E = Failed> = std::result::Result<T, E>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    pub code: i32,
    message: Message,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Message {
    Plain {
        text: String,
        help: Vec<String>,
    },
    /// Diagnostics, rendered already.
    Rendered(String),
    /// Everything was said before.
    Said,
}

impl Failed {
    /// A wrong option or file, or a machine that lacks something.
    pub fn usage(text: impl Into<String>) -> Failed {
        Failed::new(2, text)
    }

    /// A program that is rejected, or a check that failed.
    pub fn rejected(text: impl Into<String>) -> Failed {
        Failed::new(1, text)
    }

    pub fn new(code: i32, text: impl Into<String>) -> Failed {
        Failed { code, message: Message::Plain { text: text.into(), help: Vec::new() } }
    }

    pub fn rendered(code: i32, text: impl Into<String>) -> Failed {
        Failed { code, message: Message::Rendered(text.into()) }
    }

    /// An exit code for which the reason was given already.
    pub fn silent(code: i32) -> Failed {
        Failed { code, message: Message::Said }
    }

    pub fn help(mut self, line: impl Into<String>) -> Failed {
        if let Message::Plain { help, .. } = &mut self.message {
            help.push(line.into());
        }
        self
    }

    /// The message without colours, for `--json`.
    pub fn text(&self) -> String {
        match &self.message {
            Message::Plain { text, .. } => text.clone(),
            Message::Rendered(text) => anstream::adapter::strip_str(text).to_string(),
            Message::Said => String::new(),
        }
    }

    /// Says it on standard error; returns the exit code.
    pub fn report(&self) -> i32 {
        match &self.message {
            Message::Plain { text, help } if status::json() => {
                status::stderr(&status::message("error", text, help));
            }
            Message::Plain { text, help } => {
                status::error(text);
                for line in help {
                    status::help(line);
                }
            }
            Message::Rendered(text) => status::stderr(text),
            Message::Said => {}
        }
        self.code
    }
}

impl From<RuntimeError> for Failed {
    fn from(e: RuntimeError) -> Failed {
        let failed = Failed::new(e.exit_code(), e.to_string());
        match e.place == "cuda" && e.exit_code() == 2 {
            true => failed.help(
                "`meshloom doctor` says what this machine has; compiled with --target cpu the program needs no GPU",
            ),
            false => failed,
        }
    }
}
