//! Shardings and manual regions (`shard_map`) as JAX lowers them, with Shardy and with GSPMD, as machine code: on the eight devices
//! of the dump, with the plan that follows and the one that is searched for, and on one. What comes out is what JAX computed
//! (tests/data/stablehlo/shardings). All of them with MESHLOOM_ALL=1, else every fourth.
#![cfg(feature = "llvm")]

use crate::dumps::{Case, cases};
use crate::support::*;
use meshloom_driver::{CompileOptions, Program, Scheduled};
use meshloom_plan::Mode;

/// What splits a dim over parts of an axis and then takes the parts apart: a reshape gives minor factors no axes of their own, so
/// that nothing but a plan with a gather is left, which is the search's to choose.
const SEARCHED: &[&str] = &["psum_groups", "psum_groups.gspmd"];

fn as_jax(mode: Mode, mesh: Option<Sizes<'_>>) {
    let every = if std::env::var_os("MESHLOOM_ALL").is_some() { 1 } else { 4 };
    let mut cases: Vec<Case> = cases("shardings").into_iter().step_by(every).collect();
    cases.retain(|c| mode == Mode::Search || !SEARCHED.contains(&c.name.as_str()));
    let mut o = CompileOptions::default();
    o.plan.mode = mode;
    o.front.mesh = mesh.map(sizes);
    // What is on one mesh is compiled together.
    let mut groups: Vec<Vec<(&Case, Program<Scheduled>)>> = Vec::new();
    for c in &cases {
        let p = compiled(&format!("{}.mlir", c.name), &c.text, &o);
        match groups.iter_mut().find(|g| g[0].1.entries[0].global.mesh == p.entries[0].global.mesh) {
            Some(g) => g.push((c, p)),
            None => groups.push(vec![(c, p)]),
        }
    }
    for group in groups {
        let (cases, programs): (Vec<&Case>, Vec<Program<Scheduled>>) = group.into_iter().unzip();
        let all = together(cases.iter().map(|c| c.name.clone()).zip(programs));
        agree(&cases, &all, mode);
    }
}

fn agree(cases: &[&Case], all: &Program<Scheduled>, mode: Mode) {
    let made = bundle(all);
    for (entry, case) in all.entries.iter().zip(cases) {
        let func = &entry.global;
        let mut s = open(&made, &entry.name);
        case.compare(&outputs(&mut s, func, &case.inputs(func)), &format!("{mode:?}"));
    }
}

#[test]
fn followed_on_eight_devices() {
    as_jax(Mode::Follow, None);
}

#[test]
fn searched_on_eight_devices() {
    as_jax(Mode::Search, None);
}

#[test]
fn on_one_device() {
    as_jax(Mode::Follow, Some(&[]));
}
