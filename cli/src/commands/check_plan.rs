//! `meshloom check-plan`: somebody's DTensor plan against the module that it is for. Exit code 0: what it computes is proved to be what
//! the module computes; 1: it is refused; 2: the plan or the program cannot be read.

use crate::args::CheckPlanArgs;
use crate::{hf, model, rejected};
use meshloom_driver::{CompileOptions, front};
use meshloom_follow::{DtensorPlan, Modules, Place, Verdict, check};
use meshloom_ir::Span;
use meshloom_source::FrontOptions;
use meshloom_terminal::{Failed, Result, status};
use serde::Serialize;
use std::path::Path;

pub fn run(args: &CheckPlanArgs) -> Result<()> {
    let name = model::display(&args.plan);
    let plan =
        DtensorPlan::read(&model::read(&args.plan)?).map_err(|e| Failed::usage(format!("{name}: no plan: {e}")))?;
    let text = match hf::model(&args.file) {
        Some(found) => hf::boundaries(&found, &args.traced)?,
        None => model::read(&args.file)?,
    };
    let verdict = verdict(&args.file, &text, &plan)?;
    for w in &verdict.warnings {
        status::warning(w);
    }
    if args.json {
        let answer = Answer { schema: 1, accepted: verdict.is_accepted(), verdict: &verdict };
        status::data(&(serde_json::to_string(&answer).unwrap_or_default() + "\n"));
    } else {
        status::data(&verdict.refusals.iter().map(|r| format!("{r}\n")).collect::<String>());
    }
    if !verdict.is_accepted() {
        return Err(Failed::silent(1));
    }
    status::say("Proved", &format!("{} steps, with {} collectives on a device", verdict.steps, verdict.collectives));
    Ok(())
}

/// `check-plan --json`.
#[derive(Serialize)]
struct Answer<'a> {
    schema: u32,
    accepted: bool,
    #[serde(flatten)]
    verdict: &'a Verdict,
}

fn verdict(path: &Path, text: &str, plan: &DtensorPlan) -> Result<Verdict> {
    let name = model::display(path);
    let unread = |e: String| {
        Failed::usage(format!("{name}: {e}"))
            .help("`python -m meshloom.torch.trace FOLDER --boundaries --precision f32` writes a program that does")
    };
    let modules = Modules::of(text).map_err(unread)?;
    // Layers are followed one by one: each may be split in its own way.
    let front = FrontOptions { unrolled: true, ..FrontOptions::default() };
    let options = CompileOptions { front, ..CompileOptions::default() };
    // What was traced is StableHLO, whatever its file is called.
    let program = front::check(&format!("{name}.mlir"), text, &options).map_err(rejected::failed)?;
    let entry = program.entries.first().ok_or_else(|| unread("it has no function".into()))?;
    let place = |span: Span| {
        let origin = program.sources.origins.get(span)?;
        Some(Place { name: origin.name.clone(), line: origin.place().map_or(String::new(), |f| f.short()) })
    };
    check(&entry.global, &modules, &place, plan).map_err(unread)
}
