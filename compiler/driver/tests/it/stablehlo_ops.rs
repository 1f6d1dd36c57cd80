//! Every form of StableHLO's ops, in the layouts of a 2x2 and a 2x3 mesh: each dim of each port by each axis, and by pairs of them, at
//! most 64 of one op in all its forms. Plans are certified and run on simulated devices, and some of them as machine code, with the
//! forms on one device. What comes out is what JAX computes (`tests/data/stablehlo/ops`), of integers and truth values exactly.
//!
//! An even share of it runs in the suite, so that it takes seconds; with `MESHLOOM_ALL_FORMS=1` all of it does, in minutes.

use crate::forms;
use crate::forms::{Form, laid_out, values, ways};
use meshloom_ir::interp::spmd;
use meshloom_ir::print::print;
use meshloom_plan::{Mode, PlanOptions};
use std::collections::BTreeMap;

/// Layouts of one op in all its forms.
const MOST: usize = 64;

fn all() -> bool {
    std::env::var_os("MESHLOOM_ALL_FORMS").is_some()
}

/// All forms that failed, in one message.
fn none(count: usize, failed: &[String]) {
    println!("{count} plans, {} forms failed", failed.len());
    assert!(failed.is_empty(), "{} forms failed\n{}", failed.len(), failed.join("\n"));
}

/// A form in the `k`th of its layouts: planned, certified, and run by simulated devices.
fn simulated(form: &Form, mesh: &[(&str, u64)], k: usize) -> Result<(), String> {
    let whole = form.func(mesh)?;
    let func = laid_out(&whole, &whole.mesh, k);
    let options = PlanOptions { mode: Mode::Follow, ..PlanOptions::default() };
    let p = meshloom_plan::plan(&func, &options).map_err(|e| format!("{e:?}\n{}", print(&func)))?;
    let proof = meshloom_certify::check(&func, &p.local, &p.certificate);
    proof.map_err(|e| format!("{e:#?}\n{}\n{}", print(&func), print(&p.local)))?;
    let (got, _) =
        spmd::run_for(&func, &p.local, &form.inputs(&whole)).map_err(|e| format!("{e}\n{}", print(&p.local)))?;
    let got: Vec<Vec<f64>> = got.iter().map(values).collect();
    form.agrees(&func, &got).map_err(|e| format!("{e}\n{}", print(&p.local)))
}

/// Which layouts each form of an op is tested in: a fair share for each, spread over all, beginning at another for each form.
fn chosen<'a>(forms: &[&'a Form], most: usize, ways: impl Fn(&Form) -> usize) -> Vec<(&'a Form, usize)> {
    let forms: Vec<(usize, &Form)> = forms.iter().copied().enumerate().collect();
    let step = forms.len().div_ceil(most).max(1);
    let each = (most / forms.len().div_ceil(step)).max(1);
    let of = |&(i, form): &(usize, &'a Form)| {
        let n = ways(form);
        (0..n.min(each)).map(move |j| (form, (j * n / n.min(each) + i) % n))
    };
    forms.iter().step_by(step).flat_map(of).collect()
}

fn everywhere(mesh: &[(&str, u64)]) {
    let files = forms::files();
    let mut by_op: BTreeMap<String, Vec<&Form>> = BTreeMap::new();
    for form in files.iter().flat_map(|f| &f.1) {
        by_op.entry(form.op()).or_default().push(form);
    }
    let most = if all() { MOST } else { 3 };
    let ways = |form: &Form| form.func(mesh).map_or(1, |f| ways(&f, &f.mesh));
    let cases: Vec<(&Form, usize)> = by_op.values().flat_map(|forms| chosen(forms, most, ways)).collect();
    let run =
        |&(form, k): &(&Form, usize)| simulated(form, mesh, k).err().map(|e| format!("{}, layout {k}: {e}", form.name));
    none(cases.len(), &cases.iter().filter_map(run).collect::<Vec<_>>());
}

#[test]
fn two_by_two() {
    everywhere(&[("a", 2), ("b", 2)]);
}

#[test]
fn two_by_three() {
    everywhere(&[("a", 2), ("b", 3)]);
}

/// Machine code. The programs of a file are one bundle, so that their kernels are compiled together.
#[cfg(feature = "llvm")]
mod machine {
    use super::*;
    use crate::support::{Sizes, bundle, on, open, outputs, together};
    use meshloom_driver::{Program, Scheduled, check, lower, plan};
    use meshloom_source::Failure;

    /// A form as an executable program, its ports in the `k`th of their layouts.
    fn program(form: &Form, mesh: Sizes<'_>, k: usize) -> Result<Program<Scheduled>, String> {
        let mut options = on(mesh, "");
        options.plan.mode = Mode::Follow;
        let failed = |(f, _): (Failure, _)| f.to_string();
        let mut p = check(&format!("{}.mlir", form.name), &form.text, &options).map_err(failed)?;
        let func = &p.entries[0].global;
        p.entries[0].global = laid_out(func, &func.mesh, k % ways(func, &func.mesh));
        lower(plan(p, &options).map_err(failed)?).map_err(failed)
    }

    /// Forms on one device, and in some layout of a mesh.
    fn run(file: &str) {
        let forms = forms::file(file);
        let steps = if all() { [1, 1] } else { [10, 20] };
        let (mut count, mut failed) = (0, Vec::new());
        for (mesh, step) in [&[("a", 1)][..], &[("a", 2), ("b", 3)]].into_iter().zip(steps) {
            let mut programs = Vec::new();
            for (k, form) in forms.iter().enumerate().step_by(step) {
                match program(form, mesh, if mesh.len() > 1 { k } else { 0 }) {
                    Ok(p) => programs.push((format!("f{k}"), p)),
                    Err(e) => failed.push(format!("{} on {mesh:?}: {e}", form.name)),
                }
            }
            count += programs.len();
            let all = together(programs);
            let made = bundle(&all);
            for entry in &all.entries {
                let form = &forms[entry.name[1..].parse::<usize>().unwrap()];
                let got = outputs(&mut open(&made, &entry.name), &entry.global, &form.inputs(&entry.global));
                if let Err(e) = form.agrees(&entry.global, &got) {
                    failed.push(format!("{} on {mesh:?}: {e}", form.name));
                }
            }
        }
        none(count, &failed);
    }

    #[test]
    fn elementwise() {
        run("elementwise");
    }

    #[test]
    fn shapes_and_reductions() {
        ["shape", "reduce", "windows"].into_iter().for_each(run);
    }

    #[test]
    fn indices_and_orders() {
        ["index", "order"].into_iter().for_each(run);
    }

    #[test]
    fn complex_numbers() {
        run("complex");
    }

    #[test]
    fn decompositions() {
        ["solve", "factors", "eigen"].into_iter().for_each(run);
    }

    #[test]
    fn small_floats_and_groups() {
        ["small_floats", "block_scaled", "ragged"].into_iter().for_each(run);
    }

    #[test]
    fn control_and_random() {
        ["control", "random", "jax"].into_iter().for_each(run);
    }
}
