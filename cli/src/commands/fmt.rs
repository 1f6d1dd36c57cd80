//! `meshloom fmt`: writes files in the one format that the formatter of `syntax` gives them. With `--check` it changes
//! nothing and names the files that would change.

use crate::args::FmtArgs;
use crate::{model, rejected};
use meshloom_source::SourceMap;
use meshloom_syntax::format::format;
use meshloom_terminal::{Failed, Result, status};
use std::io::Write;
use std::path::Path;

pub fn run(args: &FmtArgs) -> Result<()> {
    let (mut would_change, mut broken) = (0, 0);
    for file in &args.files {
        let text = model::read(file)?;
        let name = model::display(file);
        let formatted = match format(&text) {
            Ok(formatted) => formatted,
            Err(diagnostics) => {
                let mut sources = SourceMap::new();
                sources.add(name, text);
                Failed::rendered(1, rejected::rendered(&diagnostics, &sources)).report();
                broken += 1;
                continue;
            }
        };
        let changes = formatted != text;
        if args.check {
            if changes {
                would_change += 1;
                let line = first_difference(&text, &formatted);
                status::error(&format!("{name}:{line}: not formatted"));
            }
        } else if file == Path::new("-") {
            status::data(&formatted);
        } else if changes {
            replace(file, &formatted)?;
            status::say("Formatted", &name);
        }
    }
    if would_change > 0 {
        status::help("`meshloom fmt` without --check formats it");
    }
    if would_change + broken > 0 { Err(Failed::silent(1)) } else { Ok(()) }
}

/// The number of the first line in which two texts differ. Lines count from 1.
fn first_difference(a: &str, b: &str) -> usize {
    a.lines().zip(b.lines()).take_while(|(x, y)| x == y).count() + 1
}

/// Replaces the text of a file. It writes a second file and renames it, so that no reader sees half a model.
fn replace(path: &Path, text: &str) -> Result<()> {
    let fail = |e: std::io::Error| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
    // A symbolic link stays a link: the file behind it is replaced.
    let target = path.canonicalize().map_err(fail)?;
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(fail)?;
    file.write_all(text.as_bytes()).map_err(fail)?;
    let permissions = std::fs::metadata(&target).map_err(fail)?.permissions();
    file.as_file().set_permissions(permissions).map_err(fail)?;
    file.persist(&target).map_err(|e| fail(e.error))?;
    Ok(())
}
