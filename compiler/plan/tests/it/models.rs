//! The oracle models: what their plans cost on the wire, against XLA's.

use crate::support::*;
use meshloom_plan::{Limits, PlanOptions, plan};

fn megabytes(text: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> f64 {
    let func = program(text, mesh, layout);
    let start = std::time::Instant::now();
    let p = planned(&func);
    println!("{mesh:?} {layout:?} {} ops {:?}\n{}", func.ops.len(), start.elapsed(), show(&func, &p));
    p.totals.wire_bytes_per_device / 1e6
}

#[test]
fn mlp_data_parallel() {
    let func = program(MLP, &[("data", 8)], Some("dp"));
    let p = planned(&func);
    println!("{}", show(&func, &p));
    // One all_reduce of each gradient, and of the loss.
    assert_eq!(p.collectives.len(), 5);
    assert!(p.collectives.iter().all(|c| c.does.name() == "all_reduce"));
    runs_alike(&func, &p, 1, 1e-5);
}

#[test]
fn gpt_small_data_parallel() {
    assert!(megabytes(GPT_SMALL, &[("data", 8)], Some("dp")) <= 26.021);
}

#[test]
fn gpt_small_zero1() {
    assert!(megabytes(GPT_SMALL, &[("data", 8)], Some("zero1")) <= 26.021);
}

#[test]
fn gpt_small_fsdp() {
    assert!(megabytes(GPT_SMALL, &[("data", 8)], Some("fsdp")) <= 35.6);
}

#[test]
fn gpt_small_megatron_8() {
    assert!(megabytes(GPT_SMALL, &[("model", 8)], Some("megatron")) <= 33.06);
}

#[test]
fn gpt_small_megatron_2x4() {
    assert!(megabytes(GPT_SMALL, &[("data", 2), ("model", 4)], Some("megatron")) <= 18.01);
}

#[test]
fn gpt_megatron_as_the_example_has_it() {
    let func = program(GPT, &[("data", 2), ("model", 4)], Some("megatron"));
    let p = planned(&func);
    println!("{}", show(&func, &p));
    let of = |phase: &str| p.collectives.iter().filter(|c| c.phase.name() == phase && c.times_per_step == 4).count();
    // Two all_reduces a layer forward and two backward: the three dQ, dK, dV partials are summed first.
    assert_eq!((of("forward"), of("backward")), (2, 2));
    assert!(p.totals.wire_bytes_per_device <= 16.15e6);
}

#[test]
fn depth_costs_nothing() {
    let plans: Vec<_> = [4, 48]
        .map(|layers| {
            let func = program_with(GPT_SMALL, &[("data", 2), ("model", 4)], Some("megatron"), &[("layers", layers)]);
            planned(&func)
        })
        .into_iter()
        .collect();
    let (a, b) = (&plans[0], &plans[1]);
    assert_eq!((a.local.ops.len(), a.collectives.len()), (b.local.ops.len(), b.collectives.len()));
    assert_eq!((a.stats.nodes, a.stats.classes), (b.stats.nodes, b.stats.classes));
    assert!(b.stats.moves < 2 * a.stats.moves, "{:?} {:?}", a.stats, b.stats);
}

#[test]
fn the_same_plan_twice() {
    let func = program(GPT_SMALL, &[("data", 2), ("model", 4)], Some("megatron"));
    let (a, b) = (planned(&func), planned(&func));
    assert_eq!(meshloom_ir::print::print(&a.local), meshloom_ir::print::print(&b.local));
    assert_eq!((a.certificate, a.collectives, a.stats), (b.certificate, b.collectives, b.stats));
}

#[test]
fn tiny_models_run_alike() {
    let dims = [("batch", 8), ("seq", 4), ("d", 8), ("heads", 4), ("head", 2), ("vocab", 16)];
    let cases = [
        ("dp", [4, 1]),
        ("zero1", [4, 1]),
        ("fsdp", [4, 1]),
        ("megatron", [1, 4]),
        ("megatron", [2, 2]),
        ("fsdp", [2, 2]),
    ];
    for (layout, [data, model]) in cases {
        let mesh = &[("data", data), ("model", model)];
        let func = program_with(GPT_SMALL, mesh, Some(layout), &dims);
        let p = planned(&func);
        println!("{layout} {mesh:?}");
        runs_alike(&func, &p, 5, 2e-4);
    }
}

/// The number of ranks changes numbers, not work.
#[test]
fn many_ranks() {
    let dims = [("batch", 1024), ("heads", 64), ("head", 4), ("vocab", 4096)];
    let small = program_with(GPT_SMALL, &[("data", 2), ("model", 4)], Some("megatron"), &dims);
    let large = program_with(GPT_SMALL, &[("data", 256), ("model", 32)], Some("megatron"), &dims);
    let (a, b) = (planned(&small), planned(&large));
    assert_eq!((a.stats.nodes, a.collectives.len()), (b.stats.nodes, b.collectives.len()));
}

#[test]
fn three_axes() {
    let text = "mesh [a: 2, b: 2, c: 2]
        entry f(x: f32[16, 16, 16] @ [a, b, c], w: f32[16, 16] @ [b, (a, c)]) -> f32[16, 16, 16] {
            exp(einsum(\"ijk,kl->ijl\", x, w) @ [(c, a), _, b]) }";
    let func = program(text, &[("a", 2), ("b", 2), ("c", 2)], None);
    let p = planned(&func);
    println!("{}", show(&func, &p));
    runs_alike(&func, &p, 5, 1e-5);
}

/// A limit makes a plan more expensive, never wrong, and it is said.
#[test]
fn limits() {
    let func = program(GPT_SMALL, &[("data", 2), ("model", 4)], Some("megatron"));
    let free = planned(&func);
    for limits in [
        Limits { nodes: 3000, ..Limits::default() },
        Limits { layouts: 1, ..Limits::default() },
        Limits { perturbations: 5, ..Limits::default() },
    ] {
        let p = planned_with(&func, &PlanOptions { limits, ..PlanOptions::default() });
        assert!(!p.stats.limits_hit.is_empty());
        assert!(p.totals.mesh_wire_bytes >= free.totals.mesh_wire_bytes);
    }
}

#[test]
fn annotations_that_cannot_hold_are_all_reported() {
    let text = "func @f on [x: 3, y: 2] {
  input %0 a: f32[8, 9] input constraint [x, x]
  input %1 b: f32[8, 9] input constraint [y]
  %2 = add %0, %1 : f32[8, 9]
  output %2 c: output
}
";
    let func = meshloom_ir::parse::parse(text).expect("the text parses");
    let errors = plan(&func, &PlanOptions::default()).expect_err("neither is a layout of its tensor");
    let messages: Vec<&str> = errors.iter().map(|e| e.message.as_str()).collect();
    assert_eq!(messages, ["the layout of `a` names axis `x` twice", "the layout of `b` has 1 dims, the tensor 2"]);
}

#[test]
fn an_entry_beside_training() {
    let mesh = &[("data", 2), ("model", 4)];
    let dims = [("seq", 4), ("embed", 8), ("heads", 4), ("head", 2), ("hidden", 16), ("vocab", 8)];
    let func = entry(GPT, mesh, Some("megatron"), &dims, Some("next"));
    let p = planned(&func);
    println!("{}", show(&func, &p));
    // Two all_reduces a layer; one text is not split over `data`.
    assert_eq!(p.collectives.len(), 2);
    runs_alike(&func, &p, 5, 1e-4);
}
