//! Convolutions, poolings and their gradients, as JAX lowers them: in the layouts of a 2x2 and a 2x3 mesh on simulated devices,
//! and as machine code, on one device and on four. What comes out is what JAX computed (tests/data/stablehlo/windows).
//!
//! An even share of the layouts runs in the suite; with `MESHLOOM_ALL_FORMS=1` all of them do.
#![cfg(feature = "llvm")]

use crate::dumps::{Case, cases};
use crate::support::*;
use meshloom_driver::{CompileOptions, Planned, Program, check, lower, plan};
use meshloom_ir::TensorType;
use meshloom_ir::interp::spmd;
use meshloom_ir::layout::Constraint;
use meshloom_plan::Mode;
use meshloom_random::layouts;

impl Case {
    /// As many programs as there are layouts of the largest port, each port in another one.
    fn programs(&self, axes: Sizes<'_>, mode: Mode, every: usize) -> Vec<Program<Planned>> {
        let mut o = CompileOptions::default();
        o.front.mesh = Some(sizes(axes));
        o.plan.mode = mode;
        let whole = || {
            let made = check(&format!("{}.mlir", self.name), &self.text, &o);
            made.unwrap_or_else(|(e, _)| panic!("{}: {e}", self.name))
        };
        let first = whole();
        let func = &first.entries[0].global;
        let types: Vec<TensorType> =
            func.body().args.iter().chain(&func.body().yields).map(|&v| func.ty(v).clone()).collect();
        let ways: Vec<_> = types.iter().map(|t| layouts(t.rank(), &func.mesh)).collect();
        let most = ways.iter().map(Vec::len).max().unwrap_or(1).min(64);
        (0..most)
            .step_by(every)
            .map(|k| {
                let mut p = whole();
                let f = &mut p.entries[0].global;
                for (i, port) in f.inputs.iter_mut().chain(&mut f.outputs).enumerate() {
                    port.constraint = Constraint::exactly(&ways[i][(k + 3 * i) % ways[i].len()]);
                }
                plan(p, &o).unwrap_or_else(|(e, _)| panic!("{}: {e}", self.name))
            })
            .collect()
    }
}

fn simulated(axes: Sizes<'_>) {
    let all = std::env::var_os("MESHLOOM_ALL_FORMS").is_some();
    let every = if all { 1 } else { 17 };
    let mut plans = 0;
    for case in cases("windows") {
        for p in case.programs(axes, Mode::Follow, every) {
            let entry = &p.entries[0];
            let local = &entry.plan.local;
            let (got, _) = spmd::run_for(&entry.global, local, &case.inputs(&entry.global)).unwrap();
            let got: Vec<Vec<f64>> = got.iter().map(|t| (0..t.len()).map(|k| t.f(k)).collect()).collect();
            case.compare(&got, &format!("on {axes:?}\n{}", meshloom_ir::print::print(local)));
            plans += 1;
        }
    }
    println!("{plans} plans on {axes:?}");
    assert!(plans > if all { 1000 } else { 60 }, "{plans}");
}

#[test]
fn two_by_two() {
    simulated(&[("a", 2), ("b", 2)]);
}

#[test]
fn two_by_three() {
    simulated(&[("a", 2), ("b", 3)]);
}

/// Machine code of every case, on one device and on four.
fn machine(axes: Sizes<'_>, every: usize) {
    let cases = cases("windows");
    let programs = cases.iter().flat_map(|c| {
        let all = c.programs(axes, Mode::Follow, every).into_iter().enumerate();
        all.map(|(k, p)| (format!("{}_{k}", c.name), lower(p).unwrap_or_else(|(e, _)| panic!("{}: {e}", c.name))))
    });
    let all = together(programs);
    let made = bundle(&all);
    for entry in &all.entries {
        let case = cases.iter().rfind(|c| entry.name.rsplit_once('_').is_some_and(|n| n.0 == c.name)).unwrap();
        let mut s = open(&made, &entry.name);
        let got = outputs(&mut s, &entry.global, &case.inputs(&entry.global));
        case.compare(&got, "as machine code");
    }
}

#[test]
fn machine_code_on_one_device() {
    machine(&[], 64);
}

#[test]
fn machine_code_on_four_devices() {
    machine(&[("a", 2), ("b", 2)], 11);
}

/// An image whose borders are as much as a device has of its rows is gathered, which the line of the convolution says; one that is split along its batch is not.
#[test]
fn gathered_dims_are_named() {
    let case = cases("windows").into_iter().find(|c| c.name == "conv_plain").unwrap();
    let warned = |dim: usize, devices: u64| {
        let mut o = CompileOptions::default();
        o.front.mesh = Some(sizes(&[("rows", devices)]));
        o.plan.mode = Mode::Follow;
        let (name, text) = ("conv_plain.mlir", &case.text);
        let mut p = check(name, text, &o).unwrap_or_else(|(e, _)| panic!("{e}"));
        let f = &mut p.entries[0].global;
        let rank = f.ty(f.body().args[0]).rank();
        let whole = meshloom_ir::Layout::replicated(rank);
        let dims = (0..rank).map(|d| if d == dim { vec![meshloom_ir::Axis(0)] } else { vec![] }).collect();
        f.inputs[0].constraint = Constraint::exactly(&meshloom_ir::Layout { dims, ..whole });
        let p = plan(p, &o).unwrap_or_else(|(e, _)| panic!("{e}"));
        let found: Vec<String> = p.diagnostics.iter().map(|d| format!("{} {}", d.number(), d.message)).collect();
        let spans = p.diagnostics.iter().filter_map(|d| Some(d.primary.as_ref()?.span));
        let lines = spans.filter(|s| text[s.start as usize..s.end as usize].contains("convolution")).count();
        (found, lines)
    };
    let (found, lines) = warned(1, 3);
    assert_eq!(found, ["E0607 windows slide along a dim that is split over rows: it is gathered"]);
    assert_eq!(lines, 1);
    assert_eq!(warned(0, 2).0, [""; 0]);
}
