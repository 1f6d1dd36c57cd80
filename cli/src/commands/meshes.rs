//! Plans of a traced program that names no mesh, on each mesh of so many devices, the fastest first.
//!
//! Not here: which meshes there are (`meshloom_strategy::devices::traced`), and meshes of Loom models.

use super::what_if::row;
use meshloom_driver::CompileOptions;
use meshloom_driver::choices::traced;
use meshloom_report::{WhatIfReport, WhatIfRow};
use meshloom_terminal::{Failed, Result};

/// A plan for each mesh. None for a program of which meshes are chosen otherwise.
///
/// # Errors
/// `--mesh` leaves none, or none can be planned.
pub fn planned(name: &str, text: &str, options: &CompileOptions, devices: u64) -> Result<Option<WhatIfReport>> {
    let Some(meshes) = traced(name, text, options, devices) else { return Ok(None) };
    if meshes.is_empty() {
        return Err(Failed::usage(format!("--devices {devices}: no mesh of axes `data` and `model` has so many"))
            .help("`--mesh` may fix `data` or `model`; or give the mesh alone, with any axes"));
    }
    let (mut entry, mut rows) = (String::new(), Vec::new());
    options.progress.expect(meshes.len());
    for mesh in meshes {
        let mut own = options.clone();
        own.front.mesh = Some(mesh);
        let (named, found) = row(name, text, &own)?;
        options.progress.done();
        if entry.is_empty() {
            entry = named;
        }
        rows.push(found);
    }
    let step = |r: &WhatIfRow| r.totals.as_ref().map_or(f64::INFINITY, |t| t.predicted_step_us);
    rows.sort_by(|a, b| step(a).total_cmp(&step(b)));
    Ok(Some(WhatIfReport { schema: 1, entry, target: options.plan.target.name.clone(), rows }))
}
