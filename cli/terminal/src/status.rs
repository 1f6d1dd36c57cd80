//! Status on standard error while a command works, in the manner of cargo: a verb in green, flush right, then the rest.
//! Colours follow the terminal, NO_COLOR and CLICOLOR_FORCE; anstream removes them where they are off.

use crate::waiting;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

static QUIET: AtomicBool = AtomicBool::new(false);
static JSON: AtomicBool = AtomicBool::new(false);
static SECOND: AtomicBool = AtomicBool::new(false);

const VERB: Style = AnsiColor::Green.on_default().bold();
const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HELP: Style = AnsiColor::Cyan.on_default().bold();

/// Nothing but warnings and errors from here on.
pub fn set_quiet(quiet: bool) {
    QUIET.store(quiet, Relaxed);
}

pub fn quiet() -> bool {
    QUIET.load(Relaxed) || SECOND.load(Relaxed)
}

/// From here on standard error holds JSON alone: one object per line, and no word of progress.
pub fn set_json(json: bool) {
    JSON.store(json, Relaxed);
    if json {
        set_quiet(true);
    }
}

/// For a process that is not rank 0: from here on it prints nothing but errors, what it alone knows, and no data.
pub fn set_second() {
    SECOND.store(true, Relaxed);
}

pub fn json() -> bool {
    JSON.load(Relaxed)
}

/// A message without a source location, in the form of those with one (`meshloom_source::diagnostic::json`).
pub fn message(level: &str, text: &str, help: &[String]) -> String {
    let children: Vec<_> =
        help.iter().map(|h| serde_json::json!({ "level": "help", "message": h, "spans": [] })).collect();
    let rendered = help.iter().fold(format!("{level}: {text}"), |all, h| format!("{all}\n  help: {h}"));
    serde_json::json!({
        "reason": "diagnostic", "level": level, "code": null, "message": text, "spans": [], "children": children,
        "rendered": rendered,
    })
    .to_string()
}

/// `   Compiling gpt.loom`
pub fn say(verb: &str, rest: &str) {
    if !quiet() {
        stderr(&line(verb, rest));
    }
}

/// The same of something that happened to this process alone, whichever rank it is.
pub fn say_from_any_rank(verb: &str, rest: &str) {
    if !QUIET.load(Relaxed) {
        stderr(&line(verb, rest));
    }
}

/// From here on a line on the terminal says `verb`, what `text` gives, and for how long it has been so; [`waited`], or data, takes it away.
pub fn waits(verb: &'static str, text: impl Fn() -> String + Send + 'static) {
    waiting::end();
    if !quiet() {
        waiting::begin(verb, text);
    }
}

/// Takes the line of [`waits`] away.
pub fn waited() {
    waiting::end();
}

/// A line on standard error. Where that is closed or its disk is full, the line is lost, and nothing else: `eprintln` would end the
/// program, and with it a run of days.
pub fn stderr(line: &str) {
    waiting::above(|| {
        let _ = writeln!(anstream::stderr(), "{line}");
    });
}

/// The text of [`say`], for a progress bar to print above itself.
pub fn line(verb: &str, rest: &str) -> String {
    format!("{VERB}{verb:>12}{VERB:#} {rest}")
}

pub fn warning(text: &str) {
    if SECOND.load(Relaxed) {
        return;
    }
    if json() {
        return stderr(&message("warning", text, &[]));
    }
    stderr(&format!("{WARNING}warning{WARNING:#}: {text}"));
}

pub fn error(text: &str) {
    if json() {
        return stderr(&message("error", text, &[]));
    }
    stderr(&format!("{ERROR}error{ERROR:#}: {text}"));
}

/// What another process said, as it is.
pub fn line_of_rank(text: &str) {
    stderr(text);
}

pub fn help(text: &str) {
    if json() {
        return stderr(&message("help", text, &[]));
    }
    stderr(&format!("  {HELP}help{HELP:#}: {text}"));
}

/// Data on standard output. A reader that went away (`| head`) ends the program as it ends others.
pub fn data(text: &str) {
    bytes(text.as_bytes());
}

pub fn bytes(data: &[u8]) {
    if SECOND.load(Relaxed) {
        return;
    }
    waiting::end();
    let mut out = io::stdout().lock();
    if let Err(e) = out.write_all(data).and_then(|()| out.flush()) {
        unwritten(&e);
    }
}

/// Ends the program, since standard output takes no more.
#[expect(clippy::disallowed_methods, reason = "nobody reads what would follow")]
fn unwritten(e: &io::Error) -> ! {
    if e.kind() != io::ErrorKind::BrokenPipe {
        error(&format!("cannot write to standard output: {e}"));
        std::process::exit(2);
    }
    // 128 + SIGPIPE.
    std::process::exit(141);
}

#[expect(clippy::disallowed_methods, reason = "there is no command to run")]
fn end(code: i32) -> ! {
    std::process::exit(code)
}

/// Reads the command line. Help, a version or what is wrong with the command line ends the program; `clap` alone would not notice
/// that help could not be written.
pub fn command_line<C: clap::Parser>() -> C {
    C::try_parse().unwrap_or_else(|said| {
        match said.print().and_then(|()| io::stdout().flush()) {
            Err(e) if !said.use_stderr() => unwritten(&e),
            // It was printed, or standard error takes nothing.
            _ => end(said.exit_code()),
        }
    })
}

/// `1.2 MiB`
pub fn size(bytes: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut value = bytes as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{bytes} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// `820 ms`, `12.3 s`, `2:05 min`
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 0.0095 => format!("{:.2} ms", s * 1e3),
        s if s < 0.9995 => format!("{:.0} ms", s * 1e3),
        s if s < 59.95 => format!("{s:.1} s"),
        s if s < 3599.5 => {
            let whole = s.round() as u64;
            format!("{}:{:02} min", whole / 60, whole % 60)
        }
        s => {
            let minutes = (s / 60.0).round() as u64;
            format!("{}:{:02} h", minutes / 60, minutes % 60)
        }
    }
}

/// `8.2k`, for rates.
pub fn short(x: f64) -> String {
    match x {
        x if x < 999.5 => format!("{x:.0}"),
        x if x < 9_950.0 => format!("{:.1}k", x / 1e3),
        x if x < 999_500.0 => format!("{:.0}k", x / 1e3),
        x => format!("{:.1}M", x / 1e6),
    }
}

/// `1 step`, `2 steps`
pub fn count(n: u64, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

/// Warns of what a file has and the program does not ask for; names are shown as they are given.
pub fn unused(path: &Path, what: &str, names: &[String]) {
    if names.is_empty() {
        return;
    }
    let shown = &names[..names.len().min(3)];
    let more = if names.len() > shown.len() { ", .." } else { "" };
    let of = count(names.len() as u64, what);
    warning(&format!("{of} of {} not used by the program: {}{more}", path.display(), shown.join(", ")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures() {
        assert_eq!([size(12), size(1536), size(5 << 20)], ["12 B", "1.5 KiB", "5.0 MiB"]);
        assert_eq!(
            [0.0012, 0.5, 12.34, 59.96, 125.0, 7230.0].map(duration),
            ["1.20 ms", "500 ms", "12.3 s", "1:00 min", "2:05 min", "2:01 h"]
        );
        assert_eq!([3.0, 8200.0, 12345.0, 2e6].map(short), ["3", "8.2k", "12k", "2.0M"]);
        assert_eq!([count(1, "step"), count(0, "step")], ["1 step", "0 steps"]);
    }
}
