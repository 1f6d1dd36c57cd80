//! Lock files: a plan that a person approved, to notice when it changes. The text is that of `plan --json`.

use crate::plans;
use meshloom_driver::{Program, Scheduled, files, report};
use meshloom_report::diff::{diff, text};
use meshloom_terminal::{Failed, Result, status};
use std::path::{Path, PathBuf};

/// The lock file of a model: the one that was named, or the model's own.
///
/// # Errors
/// A model that has no file.
pub fn path(named: Option<&Path>, file: &Path) -> Result<PathBuf> {
    match named {
        Some(path) => Ok(path.to_owned()),
        None if file == Path::new("-") => Err(Failed::usage("a model from standard input has no lock file of its own")
            .help("name one: --locked=model.loom.lock")),
        None => Ok(PathBuf::from(format!("{}.lock", file.display()))),
    }
}

/// Writes the plans of all entries.
///
/// # Errors
/// A file that cannot be written.
pub fn write(program: &Program<Scheduled>, path: &Path) -> Result<()> {
    let mut reports: Vec<_> = program.entries.iter().map(|e| report::of(program, e)).collect();
    // What else was tried is none of what was approved, and who reads a parameter follows from its layout.
    for r in &mut reports {
        r.data.tried.clear();
        r.data.reads.clear();
        r.data.gathers.clear();
    }
    std::fs::write(path, plans::write(&reports))
        .map_err(|e| Failed::usage(format!("{}: cannot be written: {e}", path.display())))?;
    status::say("Locked", &format!("the plan in {}", path.display()));
    Ok(())
}

/// Compares the plans with those of a lock file.
///
/// # Errors
/// A file that is no lock, or every difference to it.
pub fn check(program: &Program<Scheduled>, path: &Path) -> Result<()> {
    let name = path.display().to_string();
    let fail = |why: String| Failed::usage(format!("{name}: cannot be read: {why}"));
    // It is found beside the model, so it has to be a file: nobody waits for what a pipe may say.
    let locked = files::read(&name).map_err(|why| fail(why).help("`plan --lock` writes it"))?;
    let locked = plans::read(&name, &locked)?;
    let mut changes = Vec::new();
    for e in &program.entries {
        let now = report::of(program, e);
        match locked.iter().find(|l| l.entry == e.name) {
            None => changes.push(format!("{}: not in {name}", e.name)),
            Some(before) => changes.extend(Some(text(&diff(before, &now.data))).filter(|t| !t.is_empty())),
        }
    }
    if changes.is_empty() {
        status::say("Unchanged", &format!("the plan is that of {name}"));
        return Ok(());
    }
    status::data(&changes.join("\n"));
    Err(Failed::rejected(format!("the plan is not that of {name}"))
        .help("`plan --lock`, with the same options, writes the new one"))
}
