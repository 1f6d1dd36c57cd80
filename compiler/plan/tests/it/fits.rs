//! Published configurations fit the devices that they were run on, and forms that practitioners use are found: sums of gradients
//! over microbatches that stay split and are in memory once.

use crate::support::*;
use meshloom_ir::{Func, Recompute};
use meshloom_plan::cost::Target;
use meshloom_plan::{Limits, Mode, Plan, PlanOptions};

const LLAMA3: &str = include_str!("../../../../examples/large/llama3.loom");
const GPT3: &str = include_str!("../../../../examples/large/gpt3.loom");

fn planned_on_h100(text: &str, mesh: &[(&str, u64)], layout: &str, dims: &[(&str, u64)], how: Recompute) -> Plan {
    planned_on("h100-sxm", text, mesh, layout, dims, how)
}

fn planned_on(
    target: &str,
    text: &str,
    mesh: &[(&str, u64)],
    layout: &str,
    dims: &[(&str, u64)],
    how: Recompute,
) -> Plan {
    let mut func = program_with(text, mesh, Some(layout), dims);
    meshloom_autodiff::widen(&mut func);
    let options = PlanOptions {
        target: Target::builtin(target).expect("it is built in"),
        mode: Mode::Search,
        recompute_all: Some(how),
        // The layout says most; a search of a part of the usual length finds the rest.
        limits: Limits { moves: Limits::default().moves / 100, perturbations: 20, ..Limits::default() },
        ..PlanOptions::default()
    };
    let p = meshloom_plan::plan(&func, &options).unwrap_or_else(|e| panic!("{e:?}"));
    meshloom_certify::check(&func, &p.local, &p.certificate).expect("the certificate holds");
    let memory = p.memory.as_ref().expect("it is arranged");
    let gib = |bytes: u64| bytes as f64 / f64::from(1 << 30);
    println!("{mesh:?}: {:.1} GiB, gradients {:.1}", gib(memory.total), gib(memory.gradients));
    println!("{}{:?}", show(&func, &p), p.totals);
    p
}

const MPT_30B: &[(&str, u64)] =
    &[("embed", 7168), ("heads", 56), ("head", 128), ("hidden", 4 * 7168), ("layers", 48), ("vocab", 50368)];

/// llm-foundry, scripts/train/benchmarking: 8 devices of 80 GB, microbatches of 3 rows, 21 of them, by FSDP. Parameters, two
/// averages and the sums of gradients are 4 f32 for each parameter, of which a device holds an eighth.
#[test]
fn mpt_30b_on_eight_devices() {
    let dims = [MPT_30B, &[("batch", 504), ("microbatches", 21)]].concat();
    let p = planned_on_h100(GPT3, &[("replica", 1), ("data", 8), ("model", 1)], "fsdp", &dims, Recompute::Full);
    let memory = p.memory.expect("it is arranged");
    assert!(memory.gradients < memory.parameters * 3 / 2, "sums are there once: {memory:?}");
}

/// NeMo's GPT-3 20B: 64 devices, batch 256, microbatches of 2 rows, tensor parallel over 2, distributed optimizer.
#[test]
fn gpt3_20b_on_64_devices() {
    let dims =
        [("embed", 6144), ("heads", 48), ("head", 128), ("layers", 44), ("batch", 256), ("sequence_parallel", 1)];
    let dims = [&dims[..], &[("microbatches", 4)]].concat();
    let mesh = [("replica", 1), ("data", 32), ("model", 2)];
    planned_on_h100(GPT3, &mesh, "fsdp_megatron", &dims, Recompute::None);
}

/// HSDP against FSDP for Llama 3 8B on 16 nodes of 8 devices: what it sends between nodes is hidden behind the backward pass, layer
/// by layer, on fast links and on slow ones. Its devices update 16 times as many parameters, which takes ten milliseconds (18 on
/// A100s), and gather none of them between nodes.
#[test]
fn hsdp_is_about_as_fast_as_fsdp() {
    for target in ["h100-sxm", "a100-80g"] {
        let times = [[16, 8], [1, 128]].map(|[replica, data]| {
            let mesh = [("replica", replica), ("data", data), ("model", 1)];
            let p = planned_on(target, LLAMA3, &mesh, "fsdp", &[("batch", 128)], Recompute::Auto);
            p.totals.predicted_step_us
        });
        assert!(times[0] < 1.01 * times[1], "{target}: HSDP {} us, FSDP {} us", times[0], times[1]);
    }
}

/// Layers add their gradients to the sums in the backward loop, wherever the sums are split, and one slot holds them.
#[test]
fn sums_over_microbatches_are_there_once() {
    let accumulated =
        |k: u64| GPT_SMALL.replace("weight_decay: 0.01)", &format!("weight_decay: 0.01, accumulate: {k})"));
    let dims = [("batch", 8), ("seq", 4), ("d", 16), ("heads", 4), ("head", 4), ("vocab", 16)];
    for (mesh, layout, of) in [([1, 1], "dp", 1), ([4, 1], "fsdp", 4)] {
        let mesh = [("data", mesh[0]), ("model", mesh[1])];
        let func = program_with(&accumulated(2), &mesh, Some(layout), &dims);
        let p = planned(&func);
        runs_alike(&func, &p, 5, 2e-4);
        let peak = |func: &Func| planned(func).memory.expect("it is arranged").gradients;
        let whole = peak(&program_with(&accumulated(1), &mesh, Some(layout), &dims));
        let sums = p.memory.as_ref().expect("it is arranged").gradients;
        println!("{mesh:?} {layout} split {of}: {sums} bytes of gradients, {whole} without microbatches");
        // Beside the sums there is one layer's gradient, of four.
        assert!(sums <= whole * 3 / 2, "{sums} and {whole}");
    }
}
