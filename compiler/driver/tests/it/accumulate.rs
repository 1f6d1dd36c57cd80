//! `accumulate: k`, on machine code: microbatches add up to the batch, and gradients cross the wire once a step.
#![cfg(feature = "llvm")]

use crate::support::session;
use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan};
use meshloom_ir::{DType, Func};
use meshloom_plan::Mode;
use meshloom_runtime::HostTensor;

fn gpt(accumulate: u64) -> String {
    let text = include_str!("../../../../examples/gpt_tiny.loom");
    let told =
        text.replace("weight_decay: 0.01)", &format!("weight_decay: 0.01, clip: 1.0, accumulate: {accumulate})"));
    assert_ne!(told, text);
    told
}

fn planned(source: &str, data: u64, layout: &str, mode: Mode) -> Program<Scheduled> {
    let mut options = CompileOptions::default();
    options.plan.mode = mode;
    options.front.float = Some(DType::F64);
    options.front.mesh = Some(vec![("data".into(), data)]);
    options.front.dims = vec![("batch".into(), 32)];
    options.front.layout = Some(layout.into());
    let p = check("accumulate.loom", source, &options).unwrap_or_else(|(f, _)| panic!("data={data} {layout}: {f}"));
    assert!(p.diagnostics.is_empty(), "{:?}", p.diagnostics);
    plan(p, &options).and_then(lower).unwrap_or_else(|(f, _)| panic!("data={data} {layout}: {f}"))
}

fn losses(p: &Program<Scheduled>) -> Vec<f64> {
    let mut s = session(p);
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    for (k, name) in ["tokens", "targets"].into_iter().enumerate() {
        let values: Vec<i32> = (0..32 * 32).map(|i| (i * 37 + k as i32 * 37) % 256).collect();
        s.write(name, HostTensor::i32(&[32, 32], &values)).unwrap_or_else(|e| panic!("{e}"));
    }
    (0..3).map(|_| s.step().unwrap().loss.unwrap()).collect()
}

fn local(p: &Program<Scheduled>) -> &Func {
    &p.entries[0].plan.local
}

#[test]
fn four_microbatches_are_one_batch() {
    let whole = losses(&planned(&gpt(1), 1, "dp", Mode::Follow));
    for (data, layout, mode) in [(1, "dp", Mode::Follow), (8, "dp", Mode::Search), (4, "fsdp", Mode::Follow)] {
        let got = losses(&planned(&gpt(4), data, layout, mode));
        for (a, b) in whole.iter().zip(&got) {
            assert!((a - b).abs() <= 1e-11 * a.abs(), "data={data} {layout}: {got:?} for {whole:?}");
        }
    }
}

/// Sums of gradients stay partial in the loop: what is reduced is reduced after it, once.
#[test]
fn gradients_are_reduced_once() {
    let wire = |p: &Program<Scheduled>| p.entries[0].scheduled.program.wire_bytes();
    let (one, four) = (planned(&gpt(1), 8, "dp", Mode::Follow), planned(&gpt(4), 8, "dp", Mode::Follow));
    assert!(wire(&four) > 0);
    assert!(wire(&four) <= wire(&one), "{} bytes for {}", wire(&four), wire(&one));
    let f = local(&four);
    let inside = f.walk(Func::BODY).into_iter().filter(|&o| f.op(o).op.communicates() && f.op(o).parent != Func::BODY);
    assert_eq!(inside.count(), 0, "a collective runs in every iteration");
}
