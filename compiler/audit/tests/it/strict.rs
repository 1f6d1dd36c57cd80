//! Programs of which each op rounds to its type (`--strict-float`): right schedules are accepted, and one that keeps a value wider is
//! not proved.

use crate::accepts::seeds;
use crate::support::{differentiated, plain};
use meshloom_audit::{KeptFloats, audit, audit_with};
use meshloom_ir::{DType, Func};
use meshloom_kernels::{Device, GpuArch};
use meshloom_lower::{ScheduleOptions, Scheduled, schedule};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random::{self as random, RandomOptions, Rng};

/// The first entry of a text, planned by its annotations.
fn planned(text: &str) -> (Func, Func) {
    let options = meshloom_driver::CompileOptions::default();
    let program = meshloom_driver::check("t.loom", text, &options).and_then(|p| meshloom_driver::plan(p, &options));
    let mut program = program.unwrap_or_else(|(e, _)| panic!("{text}: {e}"));
    let entry = program.entries.remove(0);
    (entry.plan.local, entry.entry.global)
}

fn scheduled(local: &Func, global: &Func, device: Device, rounds_each: bool) -> Option<Scheduled> {
    let opts = ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device, tf32: false, rounds_each };
    schedule(local, global, &opts).ok()
}

const TEXTS: [&str; 7] = [
    "entry f(x: bf16[8, 16], y: bf16[8, 16]) -> bf16[8, 16] { y - ((x + y) - x) }",
    "entry f(x: f16[8, 16], w: f16[16, 4]) -> f16[8, 4] { tanh(dot(x, w)) * 2 }",
    "entry f(x: bf16[8, 16]) -> bf16[8, 16] { softmax(x * 3) }",
    "entry f(x: bf16[8, 16]) -> bf16[8] { sum(sigmoid(x) * x, 1) + 1 }",
    "entry f(x: f16[8, 4, 16]) -> f16[8] { sum(sum(exp(x), 2), 1) * 2 }",
    "entry f(x: bf16[8, 16]) -> bf16[8, 16] { gelu(relu(x + 1) - mean(x, 1, keep: true)) }",
    "mesh [d: 2]\nentry f(x: bf16[8, 16] @ [_, d], w: bf16[16, 4] @ [d, _]) -> bf16[8, 4] { exp(dot(x * x, w)) - 1 }",
];

#[test]
fn each_op_rounds_and_none_is_left_out() {
    for (text, device) in TEXTS.iter().flat_map(|t| [Device::Cpu, Device::Gpu(GpuArch::Sm90a)].map(|d| (t, d))) {
        let (local, global) = planned(text);
        let of = |each| scheduled(&local, &global, device, each).unwrap_or_else(|| panic!("{text}"));
        let (strict, lax) = (of(true), of(false));
        let held = audit_with(&local, &strict.program, &strict.kernels, KeptFloats::RoundsEach);
        let held = held.unwrap_or_else(|e| panic!("{text} {device:?}: {e}"));
        assert!(held.is_proved(), "{text} {device:?}: {:?}", held.unfollowed);
        // More roundings are right as well where they may be left out.
        assert!(audit(&local, &strict.program, &strict.kernels).is_ok_and(|a| a.is_proved()), "{text} {device:?}");
        assert_ne!(strict.kernels, lax.kernels, "{text}");
        let left = audit_with(&local, &lax.program, &lax.kernels, KeptFloats::RoundsEach);
        let left = left.unwrap_or_else(|e| panic!("{text} {device:?}: {e}"));
        assert!(left.unfollowed.iter().any(|u| u.message.contains("where each op rounds")), "{text} {device:?}");
    }
}

/// A port that is partial has a part of its tensor on each device.
#[test]
fn a_partial_result_is_refused() {
    let (mut local, global) = planned("mesh [d: 2]\nentry f(x: f32[8] @ [d]) -> f32[] { sum(x, 0) }");
    let made = scheduled(&local, &global, Device::Cpu, false).expect("a program");
    assert!(audit(&local, &made.program, &made.kernels).is_ok_and(|a| a.is_proved()));
    let out = local.body().yields[0];
    let layout = local.values[out.index()].layout.as_mut().expect("a layout");
    layout.partial.insert(meshloom_ir::Axis(0), meshloom_ir::Reduction::Sum);
    let e = audit(&local, &made.program, &made.kernels).expect_err("it is a part");
    assert!(e.message.contains("port `out` is partial"), "{e}");
}

/// Random programs in bf16 and f16, and their gradients: none is refused, and none without the roundings is proved.
#[test]
fn random_programs_in_16_bits() {
    let (mut proved, mut open, mut wrong) = (0, 0, Vec::new());
    for seed in seeds(7000..7004) {
        let mesh = random::mesh(&mut Rng::new(seed), 8);
        let dtype = if seed.is_multiple_of(2) { DType::BF16 } else { DType::F16 };
        let f = random::program(seed, &RandomOptions { dtype, ..RandomOptions::new(mesh) });
        let Some(f) = (if seed % 4 < 2 { Some(plain(f)) } else { differentiated(f).map(plain) }) else { continue };
        let mode = if seed.is_multiple_of(3) { Mode::Search } else { Mode::Follow };
        let Ok(plan) = meshloom_plan::plan(&f, &PlanOptions { mode, ..PlanOptions::default() }) else { continue };
        let device = if seed % 8 < 4 { Device::Cpu } else { Device::Gpu(GpuArch::Sm90a) };
        let of = |each| scheduled(&plan.local, &f, device, each);
        let (Some(strict), Some(lax)) = (of(true), of(false)) else { continue };
        match audit_with(&plan.local, &strict.program, &strict.kernels, KeptFloats::RoundsEach) {
            Ok(a) if a.is_proved() => proved += 1,
            Ok(_) => open += 1,
            Err(e) => {
                let texts = [meshloom_ir::print::print(&plan.local), meshloom_lower::executable::print::print(&strict)];
                let texts = if wrong.is_empty() { texts.concat() } else { String::new() };
                wrong.push(format!("seed {seed}: {e}\n{texts}"));
            }
        }
        let left = audit_with(&plan.local, &lax.program, &lax.kernels, KeptFloats::RoundsEach);
        if lax.kernels != strict.kernels && left.is_ok_and(|a| a.is_proved()) {
            wrong.push(format!("seed {seed}: a rounding was left out, and it is proved"));
        }
    }
    println!("{proved} proved, {open} open");
    assert!(wrong.is_empty() && proved > 0, "{}", wrong.join("\n"));
}
