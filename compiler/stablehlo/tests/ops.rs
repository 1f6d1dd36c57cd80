//! Every form of every op: on one device, and on the layouts of a 2x2 and a 2x3 mesh, with plans that are certified. What comes out is
//! what JAX computes. Adding a form is adding a program to `tests/data/stablehlo/ops`. The driver's tests run the same as machine code.

mod forms;

use forms::{Form, laid_out, values, ways, words};
use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::print::print;
use meshloom_plan::{Mode, PlanOptions, plan};
use std::collections::{BTreeMap, BTreeSet};

/// Layouts of one op in all its forms.
const MOST: usize = 64;

/// Ops that need more than one device to mean anything, and are tested with shardings.
const ELSEWHERE: &[&str] = &["sdy.sharding_constraint", "sdy.reshard"];

#[test]
fn every_op_has_a_program() {
    let files = forms::files();
    let used: BTreeSet<String> = files.iter().flat_map(|f| &f.1).flat_map(|f| words(&f.text)).collect();
    for op in meshloom_stablehlo::import::ops().filter(|o| !ELSEWHERE.contains(o)) {
        assert!(used.contains(op), "`{op}` is imported, and no program of tests/data/stablehlo/ops has it");
    }
}

#[test]
fn one_device() {
    for form in forms::files().iter().flat_map(|f| &f.1) {
        let func = form.func(&[]);
        let got = eval(&func, &form.inputs(&func)).unwrap_or_else(|e| panic!("{}: {e:?}", form.name));
        form.agrees("on one device", &func, &got.iter().map(values).collect::<Vec<_>>());
    }
}

/// The `k`th layout of a form: planned, certified, and run by simulated devices.
fn sharded(form: &Form, mesh: &[(&str, u64)], take: impl Fn(usize) -> Vec<usize>) -> usize {
    let whole = form.func(mesh);
    let inputs = form.inputs(&whole);
    let options = PlanOptions { mode: Mode::Follow, ..PlanOptions::default() };
    let layouts = take(ways(&whole, &whole.mesh));
    for &k in &layouts {
        let func = laid_out(&whole, &whole.mesh, k);
        let p = plan(&func, &options).unwrap_or_else(|e| panic!("{}: {e:?}\n{}", form.name, print(&func)));
        if let Err(e) = meshloom_certify::check(&func, &p.local, &p.certificate) {
            panic!("{}: {e:#?}\n{}\n{}", form.name, print(&func), print(&p.local));
        }
        let run = spmd::run_for(&func, &p.local, &inputs);
        let (got, _) = run.unwrap_or_else(|e| panic!("{}: {e:?}\n{}", form.name, print(&p.local)));
        form.agrees(&print(&p.local), &func, &got.iter().map(values).collect::<Vec<_>>());
    }
    layouts.len()
}

/// All layouts of each op's forms, or as many as are a fair share of [`MOST`].
fn everywhere(mesh: &[(&str, u64)]) {
    let files = forms::files();
    let mut by_op: BTreeMap<String, Vec<&Form>> = BTreeMap::new();
    for form in files.iter().flat_map(|f| &f.1) {
        by_op.entry(form.op()).or_default().push(form);
    }
    for forms in by_op.values() {
        let each = (MOST / forms.len()).max(1);
        for (i, form) in forms.iter().enumerate() {
            sharded(form, mesh, |n| {
                let count = n.min(each);
                // Spread over all of them, and another place to begin for each form.
                (0..count).map(|j| (j * n / count + i) % n).collect()
            });
        }
    }
}

#[test]
fn two_by_two() {
    everywhere(&[("a", 2), ("b", 2)]);
}

#[test]
fn two_by_three() {
    everywhere(&[("a", 2), ("b", 3)]);
}
