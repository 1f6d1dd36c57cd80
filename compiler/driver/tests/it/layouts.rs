//! gpt_small in the layouts that people train with, as machine code on 8 devices: the oracle's losses, no more bytes on the wire
//! than XLA's, and in f64 the losses of one device to eleven digits.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_bundle::Instr;
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::DType;
use meshloom_plan::Mode;
use meshloom_runtime::Session;

const GPT: &str = include_str!("../../../../examples/gpt_small.loom");

struct Configuration {
    name: &'static str,
    mesh: Sizes<'static>,
    layout: &'static str,
    dims: Sizes<'static>,
    /// What XLA puts on the wire on CPUs and on GPUs, in MB per device and step, where the oracle has it.
    xla: Option<(f64, f64)>,
}

const fn of(name: &'static str, mesh: Sizes<'static>, layout: &'static str, xla: Option<(f64, f64)>) -> Configuration {
    Configuration { name, mesh, layout, dims: &[], xla }
}

const CONFIGURATIONS: [Configuration; 9] = [
    of("one device", &[], "dp", None),
    of("data=8", &[("data", 8)], "dp", Some((26.02, 26.02))),
    of("ZeRO-1", &[("data", 8)], "zero1", Some((39.02, 26.02))),
    of("FSDP", &[("data", 8)], "fsdp", Some((39.03, 26.02))),
    of("model=8", &[("model", 8)], "megatron", Some((47.73, 33.05))),
    of("data=2 model=4", &[("data", 2), ("model", 4)], "megatron", Some((24.29, 18.00))),
    Configuration {
        dims: &[("sequence_parallel", 1)],
        ..of("sequence parallel", &[("data", 2), ("model", 4)], "megatron", Some((33.56, 22.93)))
    },
    of("data=2 model=2 seq=2", &[("data", 2), ("model", 2), ("seq", 2)], "context", None),
    of("FSDP data=2 model=4", &[("data", 2), ("model", 4)], "fsdp_megatron", None),
];

fn planned(c: &Configuration, mode: Mode, float: Option<DType>) -> Program<Scheduled> {
    let mut o = on(c.mesh, c.layout);
    o.front.dims = sizes(c.dims);
    o.front.float = float;
    o.plan.mode = mode;
    compiled("gpt_small.loom", GPT, &o)
}

fn megabytes(p: &Program<Scheduled>) -> f64 {
    p.entries[0].plan.totals.wire_bytes_per_device / 1e6
}

fn losses(s: &mut Session, steps: usize) -> Vec<f64> {
    gpt_small_inputs(s);
    (0..steps).map(|_| s.step().unwrap().loss.unwrap()).collect()
}

/// The losses of all configurations.
fn trained(mode: Mode, float: Option<DType>, of: &[Configuration], steps: usize) -> Vec<(f64, Vec<f64>)> {
    let run = |c: &Configuration| {
        let p = planned(c, mode, float);
        let mut s = session(&p);
        let losses = losses(&mut s, steps);
        // As many bytes as planned, as the runtime copied them.
        let received: u64 = s.received_bytes().iter().sum();
        assert_eq!(received, steps as u64 * p.entries[0].plan.totals.mesh_wire_bytes, "{} {mode:?}", c.name);
        (megabytes(&p), losses)
    };
    of.iter().map(run).collect()
}

fn as_the_oracle(mode: Mode, of: &[Configuration], bound: impl Fn((f64, f64)) -> f64) {
    let want = expected("gpt_small");
    for (c, (moved, got)) in of.iter().zip(trained(mode, None, of, want.len())) {
        for (step, (g, w)) in got.iter().zip(&want).enumerate() {
            assert!(((g - w) / w).abs() < 1e-5, "{} {mode:?} step {step}: loss {g}, the oracle has {w}", c.name);
        }
        if let Some(xla) = c.xla {
            assert!(moved <= bound(xla) + 0.005, "{} {mode:?}: {moved} MB, XLA has {xla:?}", c.name);
        }
    }
}

/// Collectives in one step, and calls that make them: a bucket is one call.
fn counted(instrs: &[Instr]) -> (u64, u64) {
    let one = |i: &Instr| match i {
        Instr::Loop { trip, body } => {
            let (n, calls) = counted(body);
            (n * trip, calls * trip)
        }
        _ => (i.collectives().len() as u64, u64::from(!i.collectives().is_empty())),
    };
    instrs.iter().map(one).fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// Gradients of biases and norms are one call, and so are parameters that an iteration gathers. Split gradients are scattered in each
/// iteration, so that none waits whole for the end of a loop.
#[test]
fn small_collectives_are_made_in_fewer_calls() {
    for (at, most) in [(1, 12), (3, 100)] {
        let c = &CONFIGURATIONS[at];
        let p = planned(c, Mode::Follow, None);
        let (collectives, calls) = counted(&p.entries[0].scheduled.program.instrs);
        println!("{}: {collectives} collectives in {calls} calls", c.name);
        assert!(calls < collectives && calls <= most, "{}: {collectives} collectives in {calls} calls", c.name);
    }
}

/// `--plan follow` against XLA on CPUs, which propagates annotations as well.
#[test]
fn followed_plans_train_as_the_oracle() {
    as_the_oracle(Mode::Follow, &CONFIGURATIONS, |xla| xla.0);
}

/// `--plan search` with the same layouts pinned, against XLA's GPU pipeline.
#[test]
fn searched_plans_train_as_the_oracle() {
    as_the_oracle(Mode::Search, &CONFIGURATIONS[1..7], |xla| xla.1);
}

/// Every other layout (`MESHLOOM_LAYOUTS=all`: every one); in f32 all are trained above.
#[test]
fn f64_agrees_with_one_device_to_eleven_digits() {
    let all = std::env::var("MESHLOOM_LAYOUTS").is_ok_and(|l| l == "all");
    let some: Vec<Configuration> = CONFIGURATIONS.into_iter().step_by(if all { 1 } else { 2 }).collect();
    let runs = trained(Mode::Follow, Some(DType::F64), &some, 2);
    let (_, want) = &runs[0];
    for (c, (_, got)) in some.iter().zip(&runs) {
        for (g, w) in got.iter().zip(want) {
            assert!(((g - w) / w).abs() < 1e-11, "{}: {g} against {w} on one device", c.name);
        }
    }
}
