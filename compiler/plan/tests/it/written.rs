//! What is written on operands and the result of attention says how it is computed, in both passes, whatever would be faster.

use crate::support::*;
use meshloom_ir::{Func, Op};
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Plan, PlanOptions};

const MODEL: &str = "
mesh [data: 2, seq: 4]
dim batch = 4, length = 32, d = 16, heads = 8, kv = HEADS, head = 4

struct P { wq: f32[d, heads, head] = normal(0.3), wk: f32[d, kv, head] = normal(0.3), wv: f32[d, kv, head] = normal(0.3) }
struct Net { blocks: [P; 3] }

fn loss(m: Net, x: f32[batch, length, d] @ [data, seq, _], y: f32[batch, length, d]) -> f32 {
    for p in m.blocks {
        let n = 0.3 * normalize(x)
        let q = einsum(\"bsd,dhe->bhse\", n, p.wq)Q
        let k = einsum(\"bsd,dhe->bhse\", n, p.wk)K
        let v = einsum(\"bsd,dhe->bhse\", n, p.wv)K
        let a = attention(q, k, v, causal: true)R
        x = x + einsum(\"bhse,dhe->bsd\", a, p.wq)
    }
    mse(x, y)
}
train step = sgd(loss, lr: 0.5)
";

fn func(heads: u64, q: &str, k: &str, result: &str) -> Func {
    let text = MODEL.replace("HEADS", &heads.to_string());
    let text =
        text.replace(")Q", &format!("){q}")).replace(")K", &format!("){k}")).replace(")R", &format!("){result}"));
    let mut func = program(&text, &[("data", 2), ("seq", 4)], None);
    meshloom_autodiff::widen(&mut func);
    func
}

fn searched(func: &Func, target: &Target) -> Plan {
    planned_with(func, &PlanOptions { mode: Mode::Search, target: target.clone(), ..PlanOptions::default() })
}

/// By composite of the local program: its name, and the layouts of q, k and v.
fn read(plan: &Plan) -> Vec<(String, [String; 3])> {
    let local = &plan.local;
    let composites = local.walk(Func::BODY).into_iter().filter_map(|o| match &local.op(o).op {
        Op::Composite { name, .. } => Some((name.to_string(), &local.op(o).operands)),
        _ => None,
    });
    let layout = |v| local.value(v).layout.as_ref().expect("a layout").show(&local.mesh).to_string();
    composites.map(|(name, xs)| (name, [layout(xs[0]), layout(xs[1]), layout(xs[2])])).collect()
}

/// Gathered keys, and split heads: forwards, again for the gradient, and in the gradient.
#[test]
fn attention_is_computed_as_it_is_written() {
    let gathered = (" @ [data, _, seq, _]", " @ [data, _, _, _]", "");
    let heads = (" @ [data, seq, _, _]", " @ [data, seq, _, _]", "");
    let by_result = ("", " @ [data, _, _, _]", " @ [data, _, seq, _]");
    for (target, cases) in [(Target::default(), 0..5), (Target::builtin("h100-sxm").expect("is built in"), 1..3)] {
        for (kv, (q, k, result), want) in [
            (8, gathered, ["[data, _, seq, _]", "[data, _, _, _]"]),
            (4, gathered, ["[data, _, _, seq, _]", "[data, _, _, _]"]),
            (8, heads, ["[data, seq, _, _]", "[data, seq, _, _]"]),
            (4, heads, ["[data, seq, _, _, _]", "[data, seq, _, _]"]),
            (8, by_result, ["[data, _, seq, _]", "[data, _, _, _]"]),
        ]
        .into_iter()
        .skip(cases.start)
        .take(cases.len())
        {
            let func = func(kv, q, k, result);
            let plan = searched(&func, &target);
            let what = format!("{kv} {q} {k} {result} {}\n{}", target.name, show(&func, &plan));
            let found = read(&plan);
            let backward = found.iter().filter(|f| f.0.ends_with("_grad")).count();
            assert!(backward == 1 && found.len() > 1, "{what}");
            for (name, layouts) in found {
                assert_eq!(layouts, [want[0], want[1], want[1]], "{name} of {what}");
            }
            runs_alike(&func, &plan, 1, 1e-5);
        }
    }
}

/// Open dims are chosen, and so is everything where nothing can be had as it is written: keys cannot be split with the queries.
#[test]
fn what_is_not_written_is_chosen() {
    for (q, k) in [(" @ [data, ?, ?, _]", " @ [?, ?, ?, ?]"), (" @ [_, _, _, seq]", " @ [_, _, _, seq]")] {
        let func = func(8, q, k, "");
        let plan = searched(&func, &Target::default());
        runs_alike(&func, &plan, 1, 1e-5);
    }
    // Keys that are written where the queries are have to be gathered.
    let func = func(8, " @ [data, _, seq, _]", " @ [data, _, seq, _]", "");
    let mut options = PlanOptions { mode: Mode::Search, ..PlanOptions::default() };
    options.disabled_rules.extend(["ring-attention".to_string(), "zigzag-attention".to_string()]);
    let plan = planned_with(&func, &options);
    for (name, layouts) in read(&plan) {
        assert_eq!(layouts, ["[data, _, seq, _]", "[data, _, _, _]", "[data, _, _, _]"], "{name}");
    }
    runs_alike(&func, &plan, 1, 1e-5);
}
