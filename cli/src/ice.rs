//! Internal compiler errors. Each writes a report to a file: the version, the command line, the message, and what
//! reproduces the failure. A panic has a backtrace in place of a reproducer. A line on the terminal says where the file
//! lies. Not here: which failures are internal. The driver decides that.

use meshloom_source::Failure;
use meshloom_terminal::status;
use std::io::Write;
use std::path::PathBuf;

/// A panic is a bug too. The hook writes a report before the program ends with code 101.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        let message = info.to_string();
        let trace = std::backtrace::Backtrace::force_capture();
        report("panic", &message, &trace.to_string());
    }));
}

/// Says what broke and where the report lies.
pub fn report(phase: &str, message: &str, reproducer: &str) {
    status::error(&format!("internal error in {phase}: {}", message.lines().next().unwrap_or("no message")));
    match write(phase, message, reproducer) {
        Some(path) => status::help(&format!("this is a bug of Meshloom; {} reproduces it", path.display())),
        None => status::help("this is a bug of Meshloom; the report could not be written"),
    }
}

/// Reports a failure that the driver calls internal.
pub fn failure(f: &Failure) {
    if let Failure::Internal { phase, message, reproducer } = f {
        report(&format!("phase `{phase}`"), message, reproducer);
    }
}

fn write(phase: &str, message: &str, reproducer: &str) -> Option<PathBuf> {
    let command: Vec<String> = std::env::args_os().map(|a| a.to_string_lossy().into_owned()).collect();
    let mut file = tempfile::Builder::new().prefix("meshloom-bug-").suffix(".txt").tempfile().ok()?;
    let version = env!("CARGO_PKG_VERSION");
    let text = format!(
        "// meshloom {version}: internal error in {phase}\n// command: {}\n// {}\n\n{reproducer}\n",
        command.join(" "),
        message.replace('\n', "\n// ")
    );
    file.write_all(text.as_bytes()).ok()?;
    file.keep().ok().map(|(_, path)| path)
}
