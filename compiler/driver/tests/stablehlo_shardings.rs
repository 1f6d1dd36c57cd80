//! Shardings and manual regions (`shard_map`) as JAX lowers them, with Shardy and with GSPMD, as machine code: on the eight devices
//! of the dump, with the plan that follows and the one that is searched for, and on one. What comes out is what JAX computed
//! (tests/data/stablehlo/shardings). All of them with MESHLOOM_ALL=1, else every fourth.
#![cfg(feature = "llvm")]

mod support;

use meshloom_driver::{Options, Program};
use meshloom_ir::{Tensor, TensorType};
use meshloom_plan::Mode;
use std::path::PathBuf;
use support::*;

struct Case {
    name: String,
    text: String,
    numbers: serde_json::Value,
}

fn cases() -> Vec<Case> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/shardings");
    let files = std::fs::read_dir(&dir).unwrap().filter_map(|e| e.unwrap().file_name().into_string().ok());
    let mut names: Vec<String> = files.filter_map(|f| f.strip_suffix(".mlir").map(str::to_string)).collect();
    names.sort();
    assert!(names.len() >= 40, "{names:?}");
    let all = std::env::var_os("MESHLOOM_ALL").is_some();
    let read = |file: String| std::fs::read_to_string(dir.join(file)).unwrap();
    let case = |name: String| Case {
        text: read(format!("{name}.mlir")),
        numbers: serde_json::from_str(&read(format!("{name}.json"))).unwrap(),
        name,
    };
    names.into_iter().step_by(if all { 1 } else { 4 }).map(case).collect()
}

fn flat(v: &serde_json::Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// What splits a dim over parts of an axis and then takes the parts apart: a reshape gives minor factors no axes of their own, so
/// that nothing but a plan with a gather is left, which is the search's to choose.
const SEARCHED: &[&str] = &["psum_groups", "psum_groups.gspmd"];

fn as_jax(mode: Mode, mesh: Option<Sizes<'_>>) {
    let mut cases = cases();
    cases.retain(|c| mode == Mode::Search || !SEARCHED.contains(&c.name.as_str()));
    let mut o = Options::default();
    o.plan.mode = mode;
    o.front.mesh = mesh.map(sizes);
    // What is on one mesh is compiled together.
    let mut groups: Vec<Vec<(&Case, Program)>> = Vec::new();
    for c in &cases {
        let p = compiled(&format!("{}.mlir", c.name), &c.text, &o);
        match groups.iter_mut().find(|g| g[0].1.entries[0].global.mesh == p.entries[0].global.mesh) {
            Some(g) => g.push((c, p)),
            None => groups.push(vec![(c, p)]),
        }
    }
    for group in groups {
        let (cases, programs): (Vec<&Case>, Vec<Program>) = group.into_iter().unzip();
        let all = together(cases.iter().map(|c| c.name.clone()).zip(programs));
        agree(&cases, &all, mode);
    }
}

fn agree(cases: &[&Case], all: &Program, mode: Mode) {
    let made = bundle(all);
    for (entry, case) in all.entries.iter().zip(cases) {
        let func = &entry.global;
        let of = |(ty, v): (&TensorType, &serde_json::Value)| match ty.dtype.is_float() {
            true => Tensor::floats(ty.dtype, &ty.shape, flat(v)),
            false => Tensor::ints(ty.dtype, &ty.shape, flat(v).into_iter().map(|x| x as i64).collect()),
        };
        let types = func.body().args.iter().map(|&v| func.ty(v));
        let inputs: Vec<Tensor> = types.zip(case.numbers["inputs"].as_array().unwrap()).map(of).collect();
        let mut s = open(&made, &entry.name);
        let got = outputs(&mut s, func, &inputs);
        let want: Vec<Vec<f64>> = case.numbers["outputs"].as_array().unwrap().iter().map(flat).collect();
        assert_eq!(got, want, "{} {mode:?}", case.name);
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
