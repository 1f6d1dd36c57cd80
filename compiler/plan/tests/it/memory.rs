//! The planner's estimate of peak memory, against the arenas of real schedules.

use crate::support::*;
use meshloom_ir::Func;
use meshloom_ir::random::{self, Rng};
use meshloom_plan::cost::memory::peak;
use meshloom_plan::{PlanOptions, plan};
use meshloom_schedule::{ScheduleOptions, schedule};

type Mesh<'a> = &'a [(&'a str, u64)];

/// Estimated and real bytes of a plan.
fn both(what: &str, global: &Func, local: &Func) -> (u64, u64) {
    let s = schedule(
        local,
        global,
        &ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device: Default::default(), tf32: false },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    let real = s.program.device_bytes();
    let p = peak(local, true);
    let kib = |b: u64| b / 1024;
    println!(
        "{what}: {:.3} of {} KiB, scratch {}; {:?} {:?}",
        p.total as f64 / real as f64,
        kib(real),
        kib(s.program.scratch_bytes),
        p.phase,
        [p.parameters, p.state, p.ports, p.activations, p.gradients, p.scratch].map(kib),
    );
    assert_eq!(p.total, p.parameters + p.state + p.ports + p.activations + p.gradients + p.scratch);
    (p.total, real)
}

#[test]
fn examples() {
    let one: Mesh = &[("data", 1), ("model", 1)];
    let cases: &[(&str, &str, Mesh, &str)] = &[
        ("mlp", MLP, &[("data", 1)], "dp"),
        ("mlp", MLP, &[("data", 4)], "dp"),
        ("gpt_tiny", GPT_TINY, one, "dp"),
        ("gpt_small", GPT_SMALL, one, "dp"),
        ("gpt_small", GPT_SMALL, &[("data", 8), ("model", 1)], "dp"),
        ("gpt_small", GPT_SMALL, &[("data", 8), ("model", 1)], "zero1"),
        ("gpt_small", GPT_SMALL, &[("data", 8), ("model", 1)], "fsdp"),
        ("gpt_small", GPT_SMALL, &[("data", 1), ("model", 8)], "megatron"),
        ("gpt_small", GPT_SMALL, &[("data", 2), ("model", 4)], "megatron"),
        ("gpt_small", GPT_SMALL, &[("data", 3), ("model", 5)], "megatron"),
        ("gpt", GPT, &[("data", 2), ("model", 4)], "megatron"),
        ("gpt", GPT, &[("data", 8), ("model", 1)], "fsdp"),
    ];
    for (name, text, mesh, layout) in cases {
        let global = program(text, mesh, Some(layout));
        let p = planned(&global);
        let what = format!("{name} {layout} {mesh:?}");
        let (estimate, real) = both(&what, &global, &p.local);
        assert!(estimate * 100 >= real * 99 && estimate * 100 <= real * 105, "{what}: {estimate} for {real}");
    }
}

#[test]
fn random_programs() {
    let mut rng = Rng::new(7);
    let (mut low, mut high, mut all) = (0, 0, 0);
    for seed in 0..150u64 {
        let mesh = random::mesh(&mut rng, 8);
        let global = random::program(seed, &random::RandomOptions::new(mesh));
        let Ok(p) = plan(&global, &PlanOptions::default()) else { continue };
        let options =
            ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device: Default::default(), tf32: false };
        let Ok(s) = schedule(&p.local, &global, &options) else { continue };
        let (estimate, real) = (peak(&p.local, true).total, s.program.device_bytes());
        (low, high, all) =
            (low + usize::from(estimate * 10 < real * 9), high + usize::from(estimate * 10 > real * 13), all + 1);
    }
    // Small tensors, odd kernels: most estimates hold all the same.
    println!("{low} of {all} below 0.9, {high} above 1.3");
    assert!(low * 6 < all && high * 6 < all, "{low} low and {high} high of {all}");
}
