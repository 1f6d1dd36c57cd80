//! Every op on every layout of a 2x2 and of a 2x3 mesh: each dim of each operand and of the result by each axis, and by pairs of them.
//! What comes out is what one device computes. Adding an op adds it here; that none is missing is tested beside the instances.

use crate::support::*;
use meshloom_ir::Mesh;
use meshloom_plan::{Limits, Mode, PlanOptions};
use meshloom_random::instances;

fn everywhere(mesh: &Mesh, mode: Mode) {
    let limits = Limits { moves: 200_000, states: 20_000, ..Limits::default() };
    let options = PlanOptions { mode, limits, ..PlanOptions::default() };
    let mut plans = 0;
    for i in instances() {
        for (k, f) in i.functions(mesh).iter().enumerate() {
            // Searches are slower, and meet the same layouts.
            if mode == Mode::Search && k % 5 != 0 {
                continue;
            }
            runs_alike(f, &planned_with(f, &options), k as u64, 1e-12);
            plans += 1;
        }
    }
    assert!(plans > if mode == Mode::Follow { 1000 } else { 200 }, "{plans}");
}

#[test]
fn two_by_two() {
    everywhere(&Mesh::new([("a", 2), ("b", 2)]), Mode::Follow);
}

#[test]
fn two_by_three() {
    everywhere(&Mesh::new([("a", 2), ("b", 3)]), Mode::Follow);
}

#[test]
fn searched() {
    everywhere(&Mesh::new([("a", 2), ("b", 3)]), Mode::Search);
}
