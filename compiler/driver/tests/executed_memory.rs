//! Memory and losses of programs that run: what the devices allocate is what was predicted, and a plan that recomputes to
//! fit a budget trains as the one that keeps everything.
#![cfg(feature = "llvm")]

use meshloom_codegen::worker::Isolation;
use meshloom_driver::backend::{self, Cpu};
use meshloom_driver::{Options, Program, check, lower, plan, report};
use meshloom_kernels::target::Level;
use meshloom_plan::{Mode, Recompute};
use meshloom_runtime::{Options as RunOptions, Session};

const GPT: &str = include_str!("../../../examples/gpt_small.loom");

fn compiled(recompute: Recompute, budget: Option<u64>) -> Program {
    let mut o = Options::default();
    o.front.mesh = Some(vec![("data".into(), 2), ("model".into(), 2)]);
    let dims = [("batch", 8), ("seq", 32), ("d", 64), ("heads", 4), ("head", 16), ("vocab", 64), ("layers", 4)];
    o.front.dims = dims.iter().map(|(n, s)| (n.to_string(), *s)).collect();
    (o.plan.mode, o.plan.recompute, o.plan.budget) = (Mode::Search, recompute, budget);
    let made = check("gpt_small.loom", GPT, &o).and_then(|p| plan(p, &o)).and_then(lower);
    made.unwrap_or_else(|(e, _)| panic!("{e}"))
}

/// Bytes allocated on one device at most, and the losses of a few steps.
fn trained(p: &Program) -> (u64, Vec<f64>) {
    let level = if meshloom_runtime::device::library::has("avx512f") { Level::V4 } else { Level::V3 };
    let contents = backend::bundle(p, &[Cpu { level }], &Isolation::InProcess, 2).unwrap_or_else(|e| panic!("{e}"));
    let bytes = meshloom_bundle::write(&contents).unwrap_or_else(|e| panic!("{e}"));
    let bundle = meshloom_bundle::Bundle::read(&bytes).unwrap_or_else(|e| panic!("{e}"));
    let name = p.entries[0].name.clone();
    let mut s = Session::open(&bundle, &name, &RunOptions::default()).unwrap_or_else(|e| panic!("{e}"));
    s.initialize().unwrap();
    for input in ["tokens=det:tokens:gpt/tokens:64:33:0", "targets=det:tokens:gpt/tokens:64:33:1"] {
        s.input(&input.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    }
    let losses = (0..4).map(|_| s.step().unwrap().loss.unwrap()).collect();
    (s.peak_bytes() / 4, losses)
}

#[test]
fn budgets() {
    let free = compiled(Recompute::None, None);
    let predicted = |p: &Program| report::peak(&p.entries[0]).unwrap_or_default();
    let full = predicted(&free);
    let (measured, losses) = trained(&free);
    println!("kept: {measured} of {full} predicted, losses {losses:?}");
    assert!(measured <= full && measured * 10 >= full * 9);
    for percent in [75, 55] {
        let p = compiled(Recompute::Auto, Some(full * percent / 100));
        let said = predicted(&p);
        let (measured, again) = trained(&p);
        println!("{percent} %: {measured} of {said} predicted, losses {again:?}");
        assert!(said <= full * percent / 100);
        assert!(measured <= said && measured * 10 >= said * 9);
        for (a, b) in losses.iter().zip(&again) {
            assert!((a - b).abs() <= 2e-5 * a.abs(), "{losses:?} and {again:?}");
        }
    }
}
