//! `meshloom plan`: the plan as a table, as JSON, or any phase's output.

use crate::args::PlanArgs;
use crate::{lock, model, phases, plans};
use meshloom_driver::{Program, report};
use meshloom_run::{Failed, Result, status};
use std::path::PathBuf;

pub fn run(args: &PlanArgs) -> Result<()> {
    let emits = emits(&args.emit)?;
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    // A plan that is not what it should be is shown all the same.
    options.asserts_later = true;
    let text = model::read(&args.file)?;
    let program = model::check(&args.file, &text, &options)?;
    let program = model::plan(program, &options)?;
    // Memory is known once the program is scheduled. What this target cannot run yet can still be planned.
    let program = if emits.is_empty() { model::lower(program)? } else { phases::reach(program, &emits)? };
    if args.timings {
        model::timings(&program);
    }
    if let Some(path) = &args.lock {
        lock::write(&program, &lock::path(path.as_deref(), &args.file)?)?;
    }
    if let Some(path) = &args.locked {
        lock::check(&program, &lock::path(path.as_deref(), &args.file)?)?;
    }
    if emits.is_empty() {
        show(&program, args)?;
        return model::asserted(&program);
    }
    for (phase, path) in &emits {
        let text = phases::text(&program, phase)?;
        match path {
            None => status::data(&text),
            Some(path) => {
                let fail = |e| Failed::usage(format!("{}: cannot be written: {e}", path.display()));
                std::fs::write(path, text).map_err(fail)?;
                status::say("Wrote", &format!("{phase} to {}", path.display()));
            }
        }
    }
    Ok(())
}

/// `local,schedule=prog.txt`
fn emits(asked: &[String]) -> Result<Vec<(&'static str, Option<PathBuf>)>> {
    let one = |s: &String| {
        let (name, path) = s.split_once('=').map_or((s.as_str(), None), |(n, p)| (n, Some(PathBuf::from(p))));
        phases::named(name).map(|p| (p.name, path))
    };
    asked.iter().map(one).collect()
}

fn show(program: &Program, args: &PlanArgs) -> Result<()> {
    let reports: Vec<_> = program.entries.iter().filter_map(|e| report::of(program, e)).collect();
    if args.json {
        status::data(&plans::write(&reports));
    } else {
        let texts: Vec<String> = reports.iter().map(|r| r.text()).collect();
        status::data(&texts.join("\n"));
    }
    Ok(())
}
