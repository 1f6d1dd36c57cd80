//! Everything open is chosen by predicted time.

mod support;

use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions};
use support::*;

fn h100() -> Target {
    Target::builtin("h100-sxm").expect("is built in")
}

fn searched(text: &str, mesh: &[(&str, u64)], layout: Option<&str>, target: &Target) -> Plan {
    let mut func = program(text, mesh, layout);
    meshloom_autodiff::widen(&mut func);
    let options = PlanOptions { mode: Mode::Search, target: target.clone(), ..PlanOptions::default() };
    let start = std::time::Instant::now();
    let p = planned_with(&func, &options);
    println!("{mesh:?} {layout:?} {} {:?}", target.name, start.elapsed());
    println!("{}{:?}", show(&func, &p), p.totals);
    p
}

/// With only the mesh given, no layout that a person would write is faster by the same prediction.
#[test]
fn free_is_no_slower_than_pinned() {
    let residual = residual_split();
    let mut worse = Vec::new();
    for target in [h100(), Target::default()] {
        for (mesh, pinned) in [
            (vec![("data", 8)], vec![(GPT_SMALL, "dp"), (GPT_SMALL, "zero1"), (GPT_SMALL, "fsdp")]),
            (vec![("model", 8)], vec![(GPT_SMALL, "megatron")]),
            (
                vec![("data", 2), ("model", 4)],
                vec![(GPT_SMALL, "megatron"), (&residual, "megatron"), (GPT_SMALL, "fsdp")],
            ),
        ] {
            let free = searched(GPT_SMALL, &mesh, None, &target).totals.predicted_step_us;
            for (text, layout) in pinned {
                let pinned = searched(text, &mesh, Some(layout), &target).totals.predicted_step_us;
                println!("{mesh:?} {layout} on {}: {pinned:.1} us pinned, {free:.1} free", target.name);
                if free > pinned {
                    worse.push((target.name.clone(), mesh.clone(), layout, free, pinned));
                }
            }
        }
    }
    assert!(worse.is_empty(), "{worse:?}");
}

/// The residual stream split along the sequence over `model`: Megatron's sequence parallelism.
fn residual_split() -> String {
    GPT_SMALL.replace("x + dot(a, p.wo) + p.bo", "(x + dot(a, p.wo) + p.bo) @ [data, model, _]").replace(
        "x + dot(gelu(dot(h, p.w1) + p.b1), p.w2) + p.b2",
        "(x + dot(gelu(dot(h, p.w1) + p.b1), p.w2) + p.b2) @ [data, model, _]",
    )
}

/// The six configurations of the oracles' table, with their layouts pinned: at most the bytes of XLA's GPU pipeline.
#[test]
fn no_more_on_the_wire_than_xla() {
    let residual = residual_split();
    let (d8, m8, both) = (vec![("data", 8)], vec![("model", 8)], vec![("data", 2), ("model", 4)]);
    let mut worse = Vec::new();
    for (text, mesh, layout, xla) in [
        (GPT_SMALL, &d8, "dp", 26.02),
        (GPT_SMALL, &d8, "zero1", 26.02),
        (GPT_SMALL, &d8, "fsdp", 26.02),
        (GPT_SMALL, &m8, "megatron", 33.05),
        (GPT_SMALL, &both, "megatron", 18.00),
        (&residual, &both, "megatron", 22.93),
    ] {
        let found = searched(text, mesh, Some(layout), &Target::default()).totals.wire_bytes_per_device / 1e6;
        println!("TABLE {mesh:?} {layout}: {found:.2} MB, XLA {xla:.2}");
        if found > xla + 0.005 {
            worse.push((mesh.clone(), layout, found, xla));
        }
    }
    assert!(worse.is_empty(), "{worse:?}");
}
