//! Attention whose keys go round the devices: the same numbers as on one device, by the certificate and by the interpreter, with
//! no keys gathered.

use crate::support::*;
use meshloom_ir::{Func, Op};
use meshloom_plan::{Mode, Plan, PlanOptions};

const MODEL: &str = "
mesh [data: 1, seq: 1]
dim batch = 2, length = 12, keys = LENGTH, d = 16, heads = 4, kv = 2, head = 3, value = 5

struct P { wq: f32[d, heads, head] = normal(0.3), wk: f32[d, kv, head] = normal(0.3), wv: f32[d, kv, value] = normal(0.3) }

fn loss(
    p: P,
    x: f32[batch, length, d] @ [data, seq, _],
    z: f32[batch, keys, d] @ [data, seq, _],
    y: f32[batch, heads, length, value] @ [data, _, seq, _],
) -> f32 {
    let q = einsum(\"bsd,dhe->bhse\", x, p.wq) @ [data, _, seq, _]
    let k = einsum(\"bsd,dhe->bhse\", z, p.wk) @ [data, _, seq, _]
    let v = einsum(\"bsd,dhe->bhse\", z, p.wv) @ [data, _, seq, _]
    mse(attention(q, k, v, causal: CAUSAL) @ [data, _, seq, _], y)
}
train step = sgd(loss, lr: 0.5)
";

/// Blocks are contiguous only where they have to be.
fn ring(func: &Func) -> Plan {
    let axes = Some(vec!["seq".to_string()]);
    let mut options = PlanOptions { mode: Mode::Search, ring: axes, ..PlanOptions::default() };
    options.disabled_rules.insert("ring-attention".into());
    planned_with(func, &options)
}

/// All heads share one head of keys, so heads cannot be split in their place; and keys are most of what a device has.
#[test]
fn keys_go_round_where_memory_is_short() {
    let text = MODEL.replace("CAUSAL", "true").replace("LENGTH", "4096");
    let dims = [("length", 4096), ("heads", 2), ("kv", 1), ("head", 64), ("value", 64)];
    let func = program_with(&text, &[("data", 1), ("seq", 8)], None, &dims);
    let peak = |p: &Plan| p.memory.as_ref().expect("it is arranged").total;
    // Contiguous blocks save no arithmetic.
    let contiguous = |budget| {
        let mut o = PlanOptions { mode: Mode::Search, budget, ..PlanOptions::default() };
        o.disabled_rules.insert("zigzag-attention".into());
        o
    };
    let free = planned_with(&func, &contiguous(None));
    assert_eq!(count(&free, "collective_permute"), 0, "{}", show(&func, &free));
    let round = ring(&func);
    assert!(peak(&round) < peak(&free), "{} and {}", peak(&round), peak(&free));
    let budget = Some((peak(&round) + peak(&free)) / 2);
    let within = planned_with(&func, &contiguous(budget));
    assert!(count(&within, "collective_permute") > 0, "{budget:?}: {}", show(&func, &within));
    let mut options = contiguous(budget);
    options.disabled_rules.insert("ring-attention".into());
    assert!(meshloom_plan::plan(&func, &options).is_err(), "without the rule nothing fits");
}

/// Blocks from both ends of the sequence have half of the pairs of contiguous ones, and fewer than gathered keys.
#[test]
fn keys_go_round_in_zigzag_where_that_is_faster() {
    let text = MODEL.replace("CAUSAL", "true").replace("LENGTH", "4096");
    let dims = [("length", 4096), ("heads", 2), ("kv", 1), ("head", 64), ("value", 64)];
    let func = program_with(&text, &[("data", 1), ("seq", 8)], None, &dims);
    let free = planned_with(&func, &PlanOptions { mode: Mode::Search, ..PlanOptions::default() });
    assert!(count(&free, "collective_permute") > 0, "{}", show(&func, &free));
    let mut gathered = PlanOptions { mode: Mode::Search, ..PlanOptions::default() };
    gathered.disabled_rules.insert("ring-attention".into());
    let gathered = planned_with(&func, &gathered);
    let flops = |p: &Plan| p.totals.flops_per_device as f64;
    assert!(flops(&free) < 0.7 * flops(&gathered), "{} and {}", flops(&free), flops(&gathered));
    assert!(free.totals.predicted_step_us < gathered.totals.predicted_step_us);
    // Short sequences go round in one piece.
    let text = text.replace("4096", "32").replace("length = 12", "length = 32");
    let func = program_with(&text, &[("data", 1), ("seq", 8)], None, &dims[1..]);
    let axes = Some(vec!["seq".to_string()]);
    let short = planned_with(&func, &PlanOptions { mode: Mode::Search, ring: axes, ..PlanOptions::default() });
    assert!(composites(&short).iter().filter(|c| *c == "blocked_attention").count() == 2, "{}", show(&func, &short));
}

/// How often ops of a kind stand in the local program.
fn count(plan: &Plan, kind: &str) -> usize {
    plan.local.walk(Func::BODY).into_iter().filter(|&o| plan.local.op(o).op.name() == kind).count()
}

fn composites(plan: &Plan) -> Vec<String> {
    let name = |o: &Op| match o {
        Op::Composite { name, .. } => Some(name.to_string()),
        _ => None,
    };
    let mut all: Vec<String> =
        plan.local.walk(Func::BODY).into_iter().filter_map(|o| name(&plan.local.op(o).op)).collect();
    all.sort();
    all
}

#[test]
fn keys_go_round_in_training() {
    let dims = |group: u64| if group > 1 { vec![] } else { vec![("kv", 4), ("value", 3)] };
    for (causal, length, group, mesh) in [
        ("true", 12, 2, [1, 4]),
        ("false", 16, 2, [1, 4]),
        ("true", 12, 1, [2, 2]),
        ("true", 13, 2, [1, 3]),
        ("true", 16, 2, [1, 4]),
        ("true", 30, 1, [2, 5]),
    ] {
        let text = MODEL.replace("CAUSAL", causal).replace("LENGTH", &length.to_string());
        let mut dims = dims(group);
        if causal == "true" {
            dims.push(("length", length));
        }
        let func = program_with(&text, &[("data", mesh[0]), ("seq", mesh[1])], None, &dims);
        let plan = ring(&func);
        let what = format!("causal {causal}, {length} keys, {mesh:?}\n{}", show(&func, &plan));
        // Its own keys, and those that come by: in one piece, or in two where all devices are to have the same work.
        let zigzag = causal == "true" && (length % (2 * mesh[1]) == 0 || length % mesh[1] != 0);
        let times = if zigzag { 3 } else { 2 };
        let expected = [vec!["blocked_attention"; times], vec!["blocked_attention_grad"; times]].concat();
        assert_eq!(composites(&plan), expected, "{what}");
        // Blocks that are not full are gathered to be filled.
        assert!(length % mesh[1] != 0 || count(&plan, "collective_permute") >= 4, "{what}");
        runs_alike(&func, &plan, 1, 1e-5);
    }
}
