//! `meshloom what-if`: plans of one model on several meshes and with several layouts, side by side.

use crate::args::{ModelArgs, WhatIfArgs};
use crate::model;
use meshloom_bundle::EntryKind;
use meshloom_driver::{CompileOptions, front, pipeline, report};
use meshloom_report::{WhatIfReport, WhatIfRow};
use meshloom_source::Failure;
use meshloom_terminal::{Failed, Result, status};

pub fn run(args: &WhatIfArgs) -> Result<()> {
    let traced = ModelArgs { traced: args.traced.clone(), ..ModelArgs::usual() };
    let text = model::source(&args.file, &traced)?;
    let name = model::display(&args.file);
    let mut report: Option<WhatIfReport> = None;
    let meshes: Vec<_> = if args.mesh.is_empty() { vec![None] } else { args.mesh.iter().cloned().map(Some).collect() };
    for mesh in meshes {
        // The source as it is comes first, to compare with.
        for layout in std::iter::once(None).chain(args.layout.iter().cloned().map(Some)) {
            let asked = ModelArgs {
                mesh: mesh.clone(),
                layout: layout.clone(),
                target: Some(args.target.clone()),
                profile: args.profile.clone(),
                dim: args.dim.clone(),
                budget: args.budget,
                ..ModelArgs::usual()
            };
            let mut options = model::options(&asked, args.entry.as_deref())?;
            options.asserts_later = true;
            model::waits("Planning", &name, &options);
            let (entry, mut row) = row(&name, &text, &options)?;
            row.layout = layout;
            if let (true, Some(mesh)) = (row.mesh.is_empty(), &mesh) {
                let axes: Vec<String> = mesh.0.iter().map(|(n, s)| format!("{n}={s}")).collect();
                (row.mesh, row.devices) = (axes.join(" x "), mesh.0.iter().map(|a| a.1).product());
            }
            let target = options.plan.target.name.clone();
            let new = || WhatIfReport { schema: 1, entry: String::new(), target, rows: Vec::new() };
            let report = report.get_or_insert_with(new);
            if report.entry.is_empty() {
                report.entry = entry;
            }
            report.rows.push(row);
        }
    }
    let Some(report) = report else { return Ok(()) };
    listed(&report, args.json)
}

/// Shows plans under several choices, of which at least one has to be there.
///
/// # Errors
/// None is.
pub fn listed(report: &WhatIfReport, json: bool) -> Result<()> {
    status::data(&if json { report.json() } else { report.text() });
    let none = report.rows.iter().all(|r| r.totals.is_none());
    if none { Err(Failed::rejected("none of them can be planned")) } else { Ok(()) }
}

/// The plan of the first `train`, or of the first entry where nothing is trained; and what the entry is called.
///
/// # Errors
/// The source has no entry.
pub fn row(name: &str, text: &str, options: &CompileOptions) -> Result<(String, WhatIfRow)> {
    let empty =
        WhatIfRow { mesh: String::new(), devices: 0, layout: None, collectives: 0, totals: None, refused: None };
    let mut program = match front::check(name, text, options) {
        Ok(p) => p,
        Err((failure, _)) => return Ok((String::new(), refused(empty, &failure))),
    };
    let first = program.entries.iter().position(|e| e.kind == EntryKind::Train).unwrap_or(0);
    let mesh = program.entries.get(first).map(|e| e.mesh().clone());
    let Some(mesh) = mesh else { return Err(Failed::usage(format!("{name}: has no entry to plan"))) };
    program.entries = vec![program.entries.swap_remove(first)];
    let entry = program.entries[0].name.clone();
    let axes: Vec<String> = mesh.axes.iter().filter(|a| a.1 != 1).map(|(n, s)| format!("{n}={s}")).collect();
    let shown = if axes.is_empty() { "1 device".into() } else { axes.join(" x ") };
    let row = WhatIfRow { mesh: shown, devices: mesh.devices(), ..empty };
    Ok(match pipeline::plan(program, options) {
        Ok(planned) => {
            let data = report::of(&planned, &planned.entries[0]).data;
            (entry, WhatIfRow { collectives: data.collectives.len(), totals: Some(data.totals), ..row })
        }
        Err((failure, _)) => (entry, refused(row, &failure)),
    })
}

fn refused(row: WhatIfRow, failure: &Failure) -> WhatIfRow {
    let why = failure.to_string();
    WhatIfRow { refused: Some(why.lines().next().unwrap_or_default().to_string()), ..row }
}
