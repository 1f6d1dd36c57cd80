//! Loops, branches and calls as JAX prints them (`tests/data/stablehlo/control`), on the mesh that their shardings name: what comes
//! out is what one device computes, which the front end's tests hold to JAX's outputs.

use crate::support::*;
use meshloom_ir::Func;
use meshloom_plan::{Limits, Mode, PlanOptions};
use meshloom_source::FrontOptions;

fn import(name: &str, mesh: [u64; 2]) -> Func {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/control");
    let text = std::fs::read_to_string(dir.join(name).with_extension("mlir")).expect("the file is there");
    let sizes = ["x", "y"].iter().zip(mesh).map(|(n, s)| (n.to_string(), s)).collect();
    let options = FrontOptions { mesh: Some(sizes), ..FrontOptions::default() };
    let out = meshloom_stablehlo::compile(name, &text, &options);
    assert!(out.elaborated.is_some(), "{name}: {:?}", out.diagnostics);
    out.elaborated.expect("was looked at").entries.remove(0).func
}

fn everywhere(names: &[&str]) {
    for name in names {
        for mesh in [[2, 2], [2, 3], [1, 4]] {
            let func = import(name, mesh);
            for mode in [Mode::Follow, Mode::Search] {
                let limits = Limits { moves: 200_000, states: 20_000, ..Limits::default() };
                let options = PlanOptions { mode, limits, ..PlanOptions::default() };
                let plan = planned_with(&func, &options);
                match func.ops.iter().any(|o| o.op.ends_early()) {
                    true => drop(computes_alike(&func, &plan, 3, 1e-4)),
                    false => runs_alike(&func, &plan, 3, 1e-4),
                }
            }
        }
    }
}

#[test]
fn scans() {
    everywhere(&["scan_carry_ys", "scan_reverse", "scan_of_scan", "scan_unrolled_part"]);
}

#[test]
fn gradients_of_scans() {
    everywhere(&["scan_grad", "scan_checkpoint"]);
}

#[test]
fn loops_that_count() {
    everywhere(&["fori", "fori_in_place", "fori_at_set", "fori_recurrence", "fori_down"]);
}

#[test]
fn branches() {
    everywhere(&["cond", "switch", "vmap_cond"]);
}

#[test]
fn loops_that_end_by_what_they_compute() {
    everywhere(&["while_data", "while_in_cond"]);
}

#[test]
fn calls() {
    everywhere(&["remat", "custom_vjp", "nested_jit", "associative_scan", "composite"]);
}
