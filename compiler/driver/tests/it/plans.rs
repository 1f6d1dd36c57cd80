//! The small programs of `tests/data/plans`, in which the plan matters, as machine code on 8 devices: the results of the
//! interpreter on one. Each is run as the search plans it for least traffic, and as its annotations are followed. That plans
//! of the sizes in the files move no more than a plan by hand is checked by the planner's tests.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::{CompileOptions, Program, Scheduled};
use meshloom_ir::interp::eval;
use meshloom_plan::{Mode, Objective};
use meshloom_random as random;
use std::path::PathBuf;

/// Names and texts, in order.
fn sources() -> Vec<(String, String)> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/plans");
    let mut found: Vec<(String, String)> = std::fs::read_dir(&dir)
        .unwrap()
        .map(|e| e.unwrap().path())
        .map(|p| (p.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&p).unwrap()))
        .collect();
    found.sort();
    found
}

/// Dims of a thousand and more are divided by 64, so that the interpreter is done in time.
fn small(text: &str) -> Vec<(String, u64)> {
    let dims = text.lines().filter_map(|l| l.strip_prefix("dim ")).flat_map(|l| l.split(','));
    let sizes = dims.filter_map(|d| {
        let (name, size) = d.split_once('=')?;
        Some((name.trim().to_string(), size.trim().parse::<u64>().ok()?))
    });
    sizes.map(|(n, s)| (n, if s >= 1000 { s / 64 } else { s })).collect()
}

fn planned(name: &str, text: &str, mode: Mode) -> Program<Scheduled> {
    let mut o = CompileOptions::default();
    o.front.dims = small(text);
    o.plan.mode = mode;
    o.plan.objective = Some(Objective::Traffic);
    // A plan that only follows annotations need not keep what the file asserts of a good one.
    o.asserts_later = mode == Mode::Follow;
    // The CPU target multiplies in f32 and f64.
    compiled(name, &text.replace("bf16", "f32"), &o)
}

#[test]
fn run_as_the_interpreter_says() {
    let sources = sources();
    assert!(sources.len() >= 18, "{}", sources.len());
    let mut programs = Vec::new();
    for (name, text) in &sources {
        for (mode, how) in [(Mode::Search, "search"), (Mode::Follow, "follow")] {
            programs.push((format!("{name}.{how}"), planned(name, text, mode)));
        }
    }
    let all = together(programs);
    let bundle = bundle(&all);
    for e in &all.entries {
        let inputs = random::inputs(&e.global, 11);
        let want = eval(&e.global, &inputs).unwrap();
        let mut s = open(&bundle, &e.name);
        assert_eq!(s.program().devices(), 8, "{}", e.name);
        let found = outputs(&mut s, &e.global, &inputs);
        as_the_interpreter(&e.name, &e.global, &want, &found);
        let planned = e.plan.totals.mesh_wire_bytes;
        assert_eq!(s.received_bytes().iter().sum::<u64>(), planned, "{}: bytes moved, as planned", e.name);
    }
}
