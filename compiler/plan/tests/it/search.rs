//! Everything open is chosen by predicted time.

use crate::support::*;
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions};

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
    no_slower_than_pinned(&h100());
}

/// Apart from GPUs, so that the two run side by side.
#[test]
fn free_is_no_slower_than_pinned_on_cpus() {
    no_slower_than_pinned(&Target::default());
}

fn no_slower_than_pinned(target: &Target) {
    let residual = residual_split();
    let mut worse = Vec::new();
    for (mesh, pinned) in [
        (vec![("data", 8)], vec![(GPT_SMALL, "dp"), (GPT_SMALL, "zero1"), (GPT_SMALL, "fsdp")]),
        (vec![("model", 8)], vec![(GPT_SMALL, "megatron")]),
        (vec![("data", 2), ("model", 4)], vec![(GPT_SMALL, "megatron"), (&residual, "megatron"), (GPT_SMALL, "fsdp")]),
    ] {
        let free = searched(GPT_SMALL, &mesh, None, target).totals.predicted_step_us;
        for (text, layout) in pinned {
            let pinned = searched(text, &mesh, Some(layout), target).totals.predicted_step_us;
            println!("{mesh:?} {layout} on {}: {pinned:.1} us pinned, {free:.1} free", target.name);
            if free > pinned {
                worse.push((target.name.clone(), mesh.clone(), layout, free, pinned));
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

/// A GPT for one sequence of 8,192, with nothing said of layouts.
fn one_long_sequence(heads: u64) -> String {
    let (text, _) = GPT_TINY.split_once("\nlayout ").expect("layout blocks at the end");
    let dims = format!(
        "dim batch = 1, seq = 8192, d = 512, heads = {heads}, head = {}, ff = 4 * d, vocab = 4096",
        512 / heads
    );
    let line = text.lines().find(|l| l.starts_with("dim ")).expect("a line of dims");
    text.replace(line, &dims).replace("mesh [data: 1, model: 1]", "mesh [seq: 8]").replace(" @ [data, _]", "")
}

/// Shapes of the operands q and k of attention on one device.
fn attends(p: &Plan) -> [Vec<u64>; 2] {
    let f = &p.local;
    let composite =
        |o: &&meshloom_ir::OpData| matches!(&o.op, meshloom_ir::Op::Composite { name, .. } if name == "attention");
    let o = f.ops.iter().find(composite).expect("an attention");
    [0, 1].map(|i| f.ty(o.operands[i]).shape.clone())
}

/// One sequence leaves no batch to split: the search splits the sequence, and for attention the heads (Ulysses). Where there are
/// fewer heads than devices keys and values go round, in zigzag: two chunks of 512 positions meet at a time.
#[test]
fn a_long_sequence_is_split() {
    let p = searched(&one_long_sequence(8), &[("seq", 8)], None, &h100());
    assert_eq!(attends(&p), [vec![1, 1, 8192, 64], vec![1, 1, 8192, 64]]);
    assert!(p.collectives.iter().any(|c| c.does.name() == "all_to_all"));
    let p = searched(&one_long_sequence(4), &[("seq", 8)], None, &h100());
    let blocked = |o: &&meshloom_ir::OpData| matches!(&o.op, meshloom_ir::Op::Composite { name, .. } if name == "blocked_attention");
    let mut queries: Vec<u64> =
        p.local.ops.iter().filter(blocked).map(|o| p.local.ty(o.operands[0]).shape[4]).collect();
    queries.sort_unstable();
    assert_eq!(queries, [512, 512, 1024]);
}
