//! Meshes of so many devices for a traced program that names none: plans of each, the fastest first.
//!
//! A traced program has no settings that could be chosen beside its mesh, so there is no search: axes `data` and `model` take all sizes
//! with that product, `model` within a node.
//!
//! Not here: meshes of Loom models (`meshloom_strategy`).

use super::what_if::row;
use meshloom_driver::{CompileOptions, front};
use meshloom_report::{WhatIfReport, WhatIfRow};
use meshloom_terminal::{Failed, Result};

/// Whether the program is one of these.
pub fn open(name: &str, text: &str, options: &CompileOptions) -> bool {
    let mut alone = options.clone();
    alone.front.mesh = None;
    front::is_stablehlo(name)
        && front::check(name, text, &alone).is_ok_and(|p| p.entries.iter().all(|e| e.mesh().devices() == 1))
}

/// A plan for each mesh.
///
/// # Errors
/// `--mesh` leaves none, or none can be planned.
pub fn planned(name: &str, text: &str, options: &CompileOptions, devices: u64) -> Result<WhatIfReport> {
    let node = options.plan.target.levels.first().and_then(|l| l.devices).unwrap_or(devices);
    let meshes = meshes(devices, node, options.front.mesh.as_deref().unwrap_or_default());
    if meshes.is_empty() {
        return Err(Failed::usage(format!("--devices {devices}: no mesh of axes `data` and `model` has so many"))
            .help("`--mesh` may fix `data` or `model`; or give the mesh alone, with any axes"));
    }
    let (mut entry, mut rows) = (String::new(), Vec::new());
    for mesh in meshes {
        let mut own = options.clone();
        own.front.mesh = Some(mesh);
        let (named, found) = row(name, text, &own)?;
        if entry.is_empty() {
            entry = named;
        }
        rows.push(found);
    }
    let step = |r: &WhatIfRow| r.totals.as_ref().map_or(f64::INFINITY, |t| t.predicted_step_us);
    rows.sort_by(|a, b| step(a).total_cmp(&step(b)));
    Ok(WhatIfReport { schema: 1, entry, target: options.plan.target.name.clone(), rows })
}

/// Sizes of both axes, with those that are given.
fn meshes(devices: u64, node: u64, given: &[(String, u64)]) -> Vec<Vec<(String, u64)>> {
    let fits = |mesh: &[(String, u64)]| given.iter().all(|g| mesh.contains(g));
    let model = (1..=node.min(devices)).filter(|m| devices.is_multiple_of(*m));
    model.map(|m| vec![("data".into(), devices / m), ("model".into(), m)]).filter(|mesh| fits(mesh)).collect()
}

#[cfg(test)]
mod tests {
    use super::meshes;

    #[test]
    fn the_model_axis_stays_within_a_node() {
        let shown = |all: Vec<Vec<(String, u64)>>| all.iter().map(|m| (m[0].1, m[1].1)).collect::<Vec<_>>();
        assert_eq!(shown(meshes(16, 8, &[])), [(16, 1), (8, 2), (4, 4), (2, 8)]);
        assert_eq!(shown(meshes(6, 8, &[])), [(6, 1), (3, 2), (2, 3), (1, 6)]);
        assert_eq!(shown(meshes(16, 8, &[("model".into(), 4)])), [(4, 4)]);
        assert!(meshes(16, 8, &[("pipe".into(), 4)]).is_empty());
        assert!(meshes(0, 8, &[]).is_empty());
    }
}
