//! `meshloom plan`: the plan as a table, as JSON, as a page, as a review, or any phase's output; or meshes for a number of devices.

use super::{meshes, what_if};
use crate::args::PlanArgs;
use crate::{lock, model, phases, plans, rejected};
use meshloom_driver::cluster::Cluster;
use meshloom_driver::phases::{Phase, Reached, Stage};
use meshloom_driver::{CompileOptions, Program, Scheduled, choices, design, files, page, report};
use meshloom_source::SourceText;
use meshloom_syntax::import;
use meshloom_terminal::{Failed, Result, status};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub fn run(args: &PlanArgs) -> Result<()> {
    if args.watch { watch(args) } else { once(args) }
}

/// How often files are read again, to see whether they changed, and whether they are written to the end.
const LOOK: Duration = Duration::from_millis(200);

/// Plans, and plans again whenever the source changes, or a file that it imports. Ends with the process.
fn watch(args: &PlanArgs) -> Result<()> {
    if args.file == Path::new("-") {
        return Err(Failed::usage("standard input cannot be watched").help("give the model as a file"));
    }
    loop {
        let before = texts(&args.file);
        if let Err(e) = once(args) {
            e.report();
        }
        status::say("Watching", &format!("{}; Ctrl-C ends it", args.file.display()));
        changed(&before, || texts(&args.file), || std::thread::sleep(LOOK));
    }
}

/// Waits until what is read is another than before and stays as it is for one look: an editor may write a file in pieces.
fn changed<T: PartialEq>(before: &T, mut read: impl FnMut() -> T, mut wait: impl FnMut()) {
    let mut last = None;
    loop {
        let now = read();
        if now != *before && last.as_ref() == Some(&now) {
            return;
        }
        last = Some(now);
        wait();
    }
}

/// What a model consists of now.
fn texts(path: &Path) -> Vec<SourceText> {
    let name = model::display(path);
    let text = files::read(&name);
    let mut all = text.as_ref().map_or(Vec::new(), |text| import::gather(&name, text, &mut files::read));
    all.push(SourceText { path: name, text });
    all
}

fn once(args: &PlanArgs) -> Result<()> {
    let emits = emits(&args.emit)?;
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    // A plan that is not what it should be is shown all the same.
    options.asserts_later = true;
    let text = model::source(&args.file, &args.model)?;
    if let Some(devices) = args.devices {
        let name = model::display(&args.file);
        model::waits("Planning", &name, &options);
        if let Some(listed) = meshes::planned(&name, &text, &options, devices)? {
            return what_if::listed(&listed, args.json);
        }
        let chosen = choices::devices(&name, &text, &options, devices).map_err(rejected::failed)?;
        status::data(&if args.json { chosen.json() } else { chosen.text(&name) });
        return Ok(());
    }
    let program = model::check(&args.file, &text, &options)?;
    let program = model::plan(program, &options)?;
    if !emits.is_empty() {
        // What this target cannot run yet can still be planned.
        let stage = emits.iter().map(|e| e.0.stage()).max().unwrap_or(Stage::Planned);
        let program = Reached::Planned(program).to(stage, &options).map_err(rejected::failed)?;
        match &program {
            Reached::Elaborated(p) => said(p, args),
            Reached::Planned(p) => said(p, args),
            Reached::Scheduled(p) => said(p, args),
        }
        return emit(&program, &emits);
    }
    if args.review {
        return review(&model::lower(program)?, &options, args);
    }
    // Memory is known once the program is scheduled.
    let program = model::lower(program)?;
    said(&program, args);
    if let Some(path) = &args.lock {
        lock::write(&program, &lock::path(path.as_deref(), &args.file)?)?;
    }
    if let Some(path) = &args.locked {
        lock::check(&program, &lock::path(path.as_deref(), &args.file)?)?;
    }
    show(&program, args);
    if let Some(path) = &args.html {
        model::page(path, &page::of(&program))?;
    }
    model::asserted(&program)
}

fn review(program: &Program<Scheduled>, options: &CompileOptions, args: &PlanArgs) -> Result<()> {
    let mut cluster = Cluster::usual();
    if let Some(path) = &args.cluster {
        let name = model::display(path);
        let text = model::read(path)?;
        cluster = cluster.changed(&name, &text).map_err(|e| Failed::rejected(format!("{name}: {e}")))?;
    }
    let name = model::display(&args.file);
    model::waits("Reviewing", &name, options);
    let review = design::review(program, options, &cluster).map_err(|e| Failed::rejected(format!("{name}: {e}")))?;
    status::data(&if args.json { review.json() } else { review.text() });
    model::asserted(program)
}

fn said<E>(program: &Program<E>, args: &PlanArgs) {
    if args.timings {
        model::timings(program);
    }
}

fn emit(program: &Reached, emits: &[(&Phase, Option<PathBuf>)]) -> Result<()> {
    for (phase, path) in emits {
        let text = phases::text(program, phase)?;
        match path {
            None => status::data(&text),
            Some(path) => {
                model::written(path, &text)?;
                status::say("Wrote", &format!("{} to {}", phase.name, path.display()));
            }
        }
    }
    Ok(())
}

/// `local,schedule=prog.txt`
fn emits(asked: &[String]) -> Result<Vec<(&'static Phase, Option<PathBuf>)>> {
    let one = |s: &String| {
        let (name, path) = s.split_once('=').map_or((s.as_str(), None), |(n, p)| (n, Some(PathBuf::from(p))));
        phases::named(name).map(|p| (p, path))
    };
    asked.iter().map(one).collect()
}

fn show(program: &Program<Scheduled>, args: &PlanArgs) {
    let reports: Vec<_> = program.entries.iter().map(|e| report::of(program, e)).collect();
    if args.json {
        status::data(&plans::write(&reports));
    } else {
        let texts: Vec<String> = reports.iter().map(|r| r.text()).collect();
        status::data(&texts.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::changed;

    #[test]
    fn a_file_that_is_being_written_is_waited_for() {
        let looks = |texts: &[&str]| {
            let mut left = texts.iter();
            changed(&"old", || *left.next().expect("a look too many"), || ());
            texts.len() - left.len()
        };
        assert_eq!(looks(&["old", "old", "new", "new", "new"]), 4);
        assert_eq!(looks(&["ha", "half", "hal", "whole", "whole", "-"]), 5);
        // Written anew, with the same text in the end: nothing is planned until something else stands there.
        assert_eq!(looks(&["", "old", "new", "old", "old", "new", "new", "-"]), 7);
    }
}
