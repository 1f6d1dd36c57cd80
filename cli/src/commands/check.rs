//! `meshloom check`: every phase up to the plan, with all diagnostics. Layouts are planned too, since an annotation that
//! cannot hold is an error of the program. Layout blocks that are not chosen are read, and not planned.

use crate::args::CheckArgs;
use crate::{model, rejected};
use meshloom_driver::{front, pipeline};
use meshloom_source::Failure;
use meshloom_terminal::{Failed, Result, status};

pub fn run(args: &CheckArgs) -> Result<()> {
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    options.front.every_layout = true;
    let text = model::source(&args.file, &args.model)?;
    let name = model::display(&args.file);
    let outcome = front::check(&name, &text, &options).and_then(|p| pipeline::plan(p, &options));
    if args.json {
        let (code, diagnostics, sources) = match outcome {
            Ok(p) => (0, p.diagnostics, p.sources),
            Err((failure, sources)) => {
                let code = failure.exit_code();
                match failure {
                    Failure::Rejected(d) | Failure::TooLarge(d) => (code, d, sources),
                    other => return Err(rejected::failed((other, sources))),
                }
            }
        };
        status::data(&format!("{}\n", rejected::as_json(&diagnostics, &sources)));
        return if code == 0 { Ok(()) } else { Err(Failed::silent(code)) };
    }
    let program = outcome.map_err(rejected::failed)?;
    rejected::warn(&program.diagnostics, &program.sources);
    let entries: Vec<&str> = program.entries.iter().map(|e| e.name.as_str()).collect();
    let proved: usize = program.entries.iter().map(|e| e.proof.steps).sum();
    let mesh = model::describe_mesh(&model::mesh(&program));
    status::say("Checked", &format!("{name}: {} on {mesh}; {proved} steps proved", entries.join(", ")));
    Ok(())
}
