//! What a plan says that a device holds, against the arenas of real schedules: they are one figure.

use crate::support::*;
use meshloom_ir::Func;
use meshloom_lower::{Device, GpuArch};
use meshloom_lower::{ScheduleOptions, schedule};
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions, plan};
use meshloom_random::{self as random, Rng};

type Mesh<'a> = &'a [(&'a str, u64)];

/// Holds a plan against its schedule for the same device.
fn same(what: &str, global: &Func, p: &Plan, device: Device) {
    let options = ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device, tf32: false, rounds_each: false };
    match (&p.memory, schedule(&p.local, global, &options)) {
        (Ok(peak), Ok(s)) => {
            assert_eq!(peak.total, s.program.device_bytes(), "{what}");
            let parts = [peak.parameters, peak.state, peak.ports, peak.activations, peak.gradients, peak.scratch];
            let kib = parts.map(|b| b / 1024);
            println!(
                "{what}: {} KiB, scratch {}; {:?} {kib:?}",
                peak.total / 1024,
                s.program.scratch_bytes,
                peak.phase
            );
            assert_eq!(peak.total, parts.iter().sum::<u64>(), "{what}");
        }
        (Err(e), Err(f)) => assert_eq!(*e, f, "{what}"),
        (memory, s) => panic!("{what}: {memory:?}, and its schedule is one: {}", s.is_ok()),
    }
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
        same(&format!("{name} {layout} {mesh:?}"), &global, &planned(&global), Device::Cpu);
    }
    // On a GPU there are no panels, and long sums may wait in memory.
    let target = Target::builtin("h100-sxm").unwrap();
    let options = PlanOptions { mode: Mode::Search, target, ..PlanOptions::default() };
    let global = program(GPT_SMALL, &[("data", 2), ("model", 4)], Some("megatron"));
    let p = plan(&global, &options).unwrap();
    same("gpt_small on h100-sxm", &global, &p, Device::Gpu(GpuArch::Sm90a));
}

#[test]
fn random_programs() {
    let mut rng = Rng::new(7);
    let mut all = 0;
    for seed in 0..150u64 {
        let mesh = random::mesh(&mut rng, 8);
        let global = random::program(seed, &random::RandomOptions::new(mesh));
        let Ok(p) = plan(&global, &PlanOptions::default()) else { continue };
        same(&format!("seed {seed}"), &global, &p, Device::Cpu);
        all += 1;
    }
    assert!(all > 50, "{all} programs");
}
