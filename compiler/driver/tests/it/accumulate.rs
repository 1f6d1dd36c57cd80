//! `accumulate: k`, on machine code: microbatches add up to the batch, and gradients cross the wire once a step.
#![cfg(feature = "llvm")]

use crate::support::{bundle, session};
use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan, verify};
use meshloom_ir::{DType, Func, Op};
use meshloom_kernels::Device;
use meshloom_plan::{Mode, Objective};
use meshloom_runtime::HostTensor;

fn gpt(accumulate: u64) -> String {
    let text = include_str!("../../../../examples/gpt_tiny.loom");
    let told =
        text.replace("weight_decay: 0.01)", &format!("weight_decay: 0.01, clip: 1.0, accumulate: {accumulate})"));
    assert_ne!(told, text);
    told
}

fn options(data: u64, layout: &str, mode: Mode) -> CompileOptions {
    let mut options = CompileOptions::default();
    options.plan.mode = mode;
    options.front.float = Some(DType::F64);
    options.front.mesh = Some(vec![("data".into(), data)]);
    options.front.dims = vec![("batch".into(), 32)];
    options.front.layout = Some(layout.into());
    options
}

fn planned(source: &str, data: u64, layout: &str, mode: Mode) -> Program<Scheduled> {
    let options = options(data, layout, mode);
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

/// Where devices compute while they send, the sums of the last microbatch are taken beside its backward pass. Losses are those of the
/// batch, and a bundle of such a step is held against the source.
#[test]
fn the_last_microbatch_is_apart_where_that_hides_sums() {
    let (source, mut options) = (gpt(4), options(8, "dp", Mode::Search));
    options.plan.objective = Some(Objective::Time);
    let target = &mut options.plan.target;
    (target.overlap, target.grouped) = (true, true);
    target.levels[0].bandwidth /= 8;
    let made = || {
        let checked = check("accumulate.loom", &source, &options).unwrap_or_else(|(f, _)| panic!("{f}"));
        plan(checked, &options).and_then(lower).unwrap_or_else(|(f, _)| panic!("{f}"))
    };
    let p = made();
    let f = &p.entries[0].global;
    let trips = f.body().ops.iter().filter_map(|&o| match f.op(o).op {
        Op::Repeat { trip, .. } => Some(trip),
        _ => None,
    });
    assert!(p.entries[0].last_apart);
    // Microbatches; then forward and backward pass over the two layers.
    assert_eq!(trips.collect::<Vec<_>>(), [3, 2, 2]);
    let (whole, got) = (losses(&planned(&gpt(1), 1, "dp", Mode::Follow)), losses(&p));
    for (a, b) in whole.iter().zip(&got) {
        assert!((a - b).abs() <= 1e-11 * a.abs(), "{got:?} for {whole:?}");
    }
    let bundle = bundle(&p);
    let of = |source: &str| {
        let checked = check("accumulate.loom", source, &options).unwrap_or_else(|(f, _)| panic!("{f}"));
        verify::entry(&checked, &bundle.contents.entries[0], Device::Cpu, &options)
    };
    assert!(of(&source).is_ok(), "{:?}", of(&source).err());
    assert!(of(&gpt(8)).is_err(), "as many microbatches in the loop as the source has less one");
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
