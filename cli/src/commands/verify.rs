//! `meshloom verify`: whether a bundle computes what a source says. How that is found out: [`meshloom_driver::verify`].

use crate::args::{Sizes, VerifyArgs};
use crate::{model, rejected};
use meshloom_bundle::Bundle;
use meshloom_driver::program::EVALUATION;
use meshloom_driver::verify::{self, Agreement};
use meshloom_run::{Failed, Result, status};
use serde_json::{Value, json};

pub fn run(args: &VerifyArgs) -> Result<()> {
    let name = args.bundle.display().to_string();
    let bytes = std::fs::read(&args.bundle).map_err(|e| Failed::usage(format!("{name}: cannot be read: {e}")))?;
    let bundle = Bundle::read(&bytes).map_err(|e| Failed::usage(format!("{name}: {e}")))?;
    if args.model.mesh.is_some() {
        return Err(Failed::usage("--mesh: the mesh is the bundle's"));
    }
    let mut given = args.model.clone();
    given.mesh = Some(Sizes(bundle.manifest.mesh.iter().map(|a| (a.name.clone(), a.size.into())).collect()));
    let text = model::read(&args.file)?;
    let device = verify::device(&bundle).map_err(|e| Failed::usage(format!("{name}: {e}")))?;
    let (mut results, mut failures) = (Vec::new(), Vec::new());
    for contents in &bundle.contents.entries {
        let entry = contents.program.entry.as_str();
        // The loss of a train entry stands in the source as that entry.
        let declared = entry.strip_suffix(EVALUATION).unwrap_or(entry);
        let options = model::options(&given, Some(declared))?;
        let mut program =
            meshloom_driver::check(&model::display(&args.file), &text, &options).map_err(rejected::failed)?;
        program.add_evaluations();
        match verify::entry(&program, contents, device) {
            Ok(Agreement { steps, collectives }) => {
                let said = format!(
                    "{entry}: {} and {} agree with {}",
                    status::count(steps as u64, "step"),
                    status::count(collectives as u64, "collective"),
                    model::display(&args.file)
                );
                if !args.json {
                    status::say("Proved", &said);
                }
                results.push(json!({ "entry": entry, "status": "proved", "steps": steps }));
            }
            Err(reasons) => {
                results.push(json!({ "entry": entry, "status": "failed", "reasons": reasons }));
                failures.extend(reasons.into_iter().map(|r| format!("{name}: entry `{entry}`: {r}")));
            }
        }
    }
    if args.json {
        let all: Value = json!({ "schema": 1, "bundle": bundle.hash, "ok": failures.is_empty(), "entries": results });
        status::data(&format!("{all}\n"));
    } else {
        failures.iter().for_each(|f| status::error(f));
        if !failures.is_empty() {
            status::help("--layout, --dim, --float and --gradients must be those that `compile` was given");
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(Failed::silent(1)) }
}
