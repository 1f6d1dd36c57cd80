//! A session: commands, and what they print.
//!
//! ```text
//! # A comment.
//! $ meshloom check wrong.loom
//! data on standard output
//! ! status on standard error
//! ? 1
//! ```
//!
//! Standard output comes first, then standard error with `! ` before each line, then `? CODE` unless it is 0. `[..]` stands for
//! anything within a line, a line `...` for any lines. INSTA_UPDATE=always rewrites what does not match.

use crate::support::{Place, finish};
use std::path::{Path, PathBuf};

pub struct Session {
    path: PathBuf,
    /// Comments and blank lines before a command; the command; what it should print.
    steps: Vec<Step>,
    tail: Vec<String>,
}

struct Step {
    before: Vec<String>,
    command: String,
    expected: Vec<String>,
}

impl Session {
    pub fn read(path: &Path) -> Session {
        let text = std::fs::read_to_string(path).expect("a session");
        let (mut steps, mut pending): (Vec<Step>, Vec<String>) = (Vec::new(), Vec::new());
        let mut in_output = false;
        for line in text.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                let before = std::mem::take(&mut pending);
                steps.push(Step { before, command: command.into(), expected: Vec::new() });
                in_output = true;
            } else if line.starts_with('#') {
                in_output = false;
                pending.push(line.into());
            } else if in_output && let Some(step) = steps.last_mut() {
                step.expected.push(line.into());
            } else {
                pending.push(line.into());
            }
        }
        for s in &mut steps {
            while s.expected.last().is_some_and(String::is_empty) {
                s.expected.pop();
            }
        }
        Session { path: path.into(), steps, tail: pending }
    }

    /// Runs all commands in one folder, in order.
    ///
    /// # Errors
    /// What was said and not expected.
    pub fn run(mut self, place: &Place) -> Result<(), String> {
        let bless = std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always");
        let mut failures = Vec::new();
        for step in &mut self.steps {
            let found = execute(place, &step.command);
            if matches(&step.expected, &found) {
                continue;
            }
            let shown = |lines: &[String]| lines.iter().map(|l| format!("    {l}\n")).collect::<String>();
            failures.push(format!(
                "  $ {}\n  expected\n{}  found\n{}",
                step.command,
                shown(&step.expected),
                shown(&found)
            ));
            step.expected = found;
        }
        if bless && !failures.is_empty() {
            std::fs::write(&self.path, self.text()).map_err(|e| e.to_string())?;
            return Ok(());
        }
        if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
    }

    fn text(&self) -> String {
        let mut out = Vec::new();
        for (i, s) in self.steps.iter().enumerate() {
            if i > 0 {
                out.push(String::new());
            }
            out.extend(s.before.iter().filter(|l| !l.is_empty()).cloned());
            out.push(format!("$ {}", s.command));
            out.extend(s.expected.iter().cloned());
        }
        out.extend(self.tail.iter().cloned());
        out.join("\n") + "\n"
    }
}

fn words(command: &str) -> Vec<&str> {
    let parts = command.split('\'').enumerate();
    parts.flat_map(|(i, p)| if i % 2 == 1 { vec![p] } else { p.split_whitespace().collect() }).collect()
}

/// `meshloom` is the binary under test; `< FILE` is its standard input; every other word goes to it as it stands, and what
/// is between single quotes as one.
fn execute(place: &Place, command: &str) -> Vec<String> {
    let (command, input) = command.split_once(" < ").map_or((command, None), |(c, f)| (c, Some(f.trim())));
    let words = words(command);
    let mut out = Vec::new();
    let output = match words.as_slice() {
        ["cat", file] => {
            out.extend(place.read(file).lines().map(String::from));
            return out;
        }
        ["meshloom", args @ ..] => {
            let mut c = place.command(args);
            if let Some(file) = input {
                c.stdin(std::fs::File::open(place.path().join(file)).expect("the input"));
            }
            finish(c)
        }
        _ => return vec![format!("`{command}` is no command of a session")],
    };
    let folder = place.path().display().to_string();
    // A line that begins with `#` is a comment of the session; one of the output is written with a backslash before it.
    out.extend(output.stdout.lines().map(|l| if l.starts_with('#') { format!("\\{l}") } else { l.to_string() }));
    out.extend(output.stderr.lines().map(|l| format!("! {l}").trim_end().replace(&folder, "[..]")));
    if output.code != 0 {
        out.push(format!("? {}", output.code));
    }
    out
}

pub fn matches(expected: &[String], found: &[String]) -> bool {
    match (expected, found) {
        ([], []) => true,
        ([dots, rest @ ..], _) if dots == "..." => (0..=found.len()).any(|n| matches(rest, &found[n..])),
        ([e, rest @ ..], [f, more @ ..]) => line(e, f) && matches(rest, more),
        _ => false,
    }
}

fn line(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.trim_end(), text.trim_end());
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = parts.next().and_then(|p| text.strip_prefix(p)) else { return false };
    let parts: Vec<&str> = parts.collect();
    for (i, part) in parts.iter().enumerate() {
        if i + 1 == parts.len() {
            return rest.len() >= part.len() && rest.ends_with(part);
        }
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.is_empty()
}

#[test]
fn patterns() {
    assert!(line("a[..]b", "a x b") && line("a", "a") && line("[..]", "") && line("x [..] y [..] z", "x 1 y 2 z"));
    assert!(!line("a[..]b", "a x c") && !line("a", "ab") && !line("a[..]b", "a"));
    let lines = |t: &str| t.lines().map(String::from).collect::<Vec<_>>();
    assert!(matches(&lines("a\n...\nc"), &lines("a\nb\nb\nc")) && !matches(&lines("a\n...\nd"), &lines("a\nb\nc")));
}
