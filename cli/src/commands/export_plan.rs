//! `meshloom export-plan`: a plan in the words of another stack. A model is planned now, and the layouts of the export after it, as the
//! stack would run them; of a plan as JSON the program is not here, so it is exported alone.

use crate::args::ExportPlanArgs;
use crate::{model, plans};
use meshloom_driver::{CompileOptions, as_run, report};
use meshloom_export::{Description, Predicted, export};
use meshloom_ir::Recompute;
use meshloom_report::PlanReport;
use meshloom_terminal::{Failed, Result, status};

pub fn run(args: &ExportPlanArgs) -> Result<()> {
    let text = model::source(&args.file, &args.model)?;
    let name = model::display(&args.file);
    let (plan, as_run) = if text.trim_start().starts_with(['{', '[']) {
        (chosen(&name, plans::read(&name, &text)?, args.entry.as_deref())?, None)
    } else {
        planned(args, &text)?
    };
    let described = described(&plan)?;
    let made = export(&described, args.to, as_run);
    status::say("Planned", &Predicted::of(&plan.totals).shown());
    if let Some(p) = as_run {
        status::say("As run", &p.shown());
    }
    for lost in &made.lost {
        status::say("Otherwise", &lost.to_string());
    }
    match &args.output {
        None => status::data(&made.text),
        Some(path) => {
            model::written(path, &made.text)?;
            status::say("Wrote", &path.display().to_string());
        }
    }
    Ok(())
}

fn described(plan: &PlanReport) -> Result<Description<'_>> {
    Description::of(plan).map_err(|e| Failed::rejected(e.message).help(e.help))
}

/// The plan of the entry that was named, or of the only one.
fn chosen(name: &str, mut plans: Vec<PlanReport>, entry: Option<&str>) -> Result<PlanReport> {
    let names: Vec<String> = plans.iter().map(|p| p.entry.clone()).collect();
    let at = match entry {
        Some(e) => names.iter().position(|n| n == e),
        None => (names.len() == 1).then_some(0),
    };
    match at {
        Some(i) => Ok(plans.swap_remove(i)),
        None => Err(Failed::usage(format!("{name}: which entry? There are {}", names.join(", ")))
            .help("choose one with --entry")),
    }
}

/// The plan of a model, and what is predicted where it runs as the stack would.
fn planned(args: &ExportPlanArgs, text: &str) -> Result<(PlanReport, Option<Predicted>)> {
    let mut options = model::options(&args.model, args.entry.as_deref())?;
    options.asserts_later = true;
    let program = model::check(&args.file, text, &options)?;
    let program = model::lower(model::plan(program, &options)?)?;
    let all = program.entries.iter().map(|e| report::of(&program, e).data).collect();
    let plan = chosen(&model::display(&args.file), all, args.entry.as_deref())?;
    let as_run = as_run(args, text, &described(&plan)?, options)?;
    Ok((plan, as_run))
}

/// What is predicted of the step as the stack runs it: the layouts of the export are written into the program, and what they leave open is
/// planned as `--plan` says. `None` with a warning where that cannot be planned.
fn as_run(
    args: &ExportPlanArgs,
    text: &str,
    described: &Description<'_>,
    mut options: CompileOptions,
) -> Result<Option<Predicted>> {
    options.plan.recompute_all = Some(if described.recomputes_layers { Recompute::Full } else { Recompute::None });
    let program = as_run::annotated(model::check(&args.file, text, &options)?, &described.pins(), &described.data.axes);
    let planned = model::plan(program, &options).and_then(model::lower);
    match planned {
        Ok(program) => {
            let entry = program.entries.iter().find(|e| e.name == described.plan.entry);
            Ok(entry.map(|e| Predicted::of(&report::of(&program, e).data.totals)))
        }
        Err(e) => {
            status::warning("the layouts of the export cannot be planned as they are, so nothing is predicted of them");
            e.report();
            Ok(None)
        }
    }
}
