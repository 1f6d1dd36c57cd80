//! Each rule earns its keep: without it some plan is another, or there is none.

use crate::support::*;
use meshloom_ir::{Func, Op};
use meshloom_plan::saturate::rules;
use meshloom_plan::{Mode, Plan, PlanOptions, plan};

fn loom(text: &str) -> Func {
    program(&format!("mesh [x: 2, y: 4]\n{text}"), &[("x", 2), ("y", 4)], None)
}

fn kinds(p: &Plan) -> Vec<&'static str> {
    p.collectives.iter().map(|c| c.does.name()).collect()
}

fn count(p: &Plan, name: &str) -> usize {
    p.local.ops.iter().filter(|o| o.op.name() == name).count()
}

/// No plan at all without the rule.
fn needed(rule: &str, func: &Func) {
    assert!(meshloom_plan::rules().any(|r| r == rule), "there is no `{rule}`");
    let on = planned(func);
    runs_alike(func, &on, 3, 1e-5);
    let disabled_rules = [rule.to_string()].into();
    let off = plan(func, &PlanOptions { disabled_rules, ..PlanOptions::default() });
    assert!(off.is_err(), "`{rule}` is not needed");
}

/// More on the wire without the rule.
fn without_costs_more(rule: &str, func: &Func) -> (Plan, Plan) {
    let (on, off) = (planned(func), without(func, &[rule]));
    for p in [&on, &off] {
        runs_alike(func, p, 3, 1e-5);
    }
    let (a, b) = (on.totals.mesh_wire_bytes, off.totals.mesh_wire_bytes);
    assert!(a < b, "`{rule}`: {a} bytes with it, {b} without\n{}\n{}", show(func, &on), show(func, &off));
    (on, off)
}

/// Reports name the rule that adds a collective.
#[test]
fn every_collective_has_a_rule() {
    for name in meshloom_ir::table::comm::names() {
        assert!(rules::ALL.iter().any(|r| r.name.replace('-', "_") == name), "{name}");
    }
}

#[test]
fn every_rule_has_a_name_and_a_law() {
    for (i, r) in rules::ALL.iter().enumerate() {
        assert!(r.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", r.name);
        assert!(!r.law.is_empty() && rules::ALL[..i].iter().all(|o| o.name != r.name));
    }
}

#[test]
fn a_rule_that_does_not_exist_is_not_turned_off() {
    let disabled_rules = ["factor-rules".to_string()].into();
    let made = plan(&loom(CONTRACTION), &PlanOptions { disabled_rules, ..PlanOptions::default() });
    let errors = made.err().unwrap_or_default();
    let said: Vec<String> = errors.iter().map(ToString::to_string).collect();
    assert!(said.len() == 1 && said[0].starts_with("the planner has no rule `factor-rules`; there are "), "{said:?}");
}

const CONTRACTION: &str = "entry f(a: f32[8, 16] @ [_, x], b: f32[16, 8] @ [x, _]) -> f32[8, 8] { dot(a, b) }";

#[test]
fn factor_rule() {
    needed("factor-rule", &loom(CONTRACTION));
}

#[test]
fn linear_sets() {
    let f = loom(
        "entry f(a: f32[8, 16] @ [_, x], b: f32[16, 8] @ [x, _], c: f32[16, 8] @ [x, _]) -> f32[8, 8] {
             exp(dot(a, b) - 2.0 * dot(a, c)) }",
    );
    let (on, off) = without_costs_more("linear-sets", &f);
    assert_eq!((kinds(&on).len(), kinds(&off).len()), (1, 2));
}

#[test]
fn commuting_sets() {
    let f = loom(
        "entry f(a: f32[8, 16] @ [_, x], b: f32[8, 16] @ [_, x], c: f32[8]) -> f32[8] {
             tanh(maximum(max(a, -1) + c, max(b, -1))) }",
    );
    let (on, off) = without_costs_more("commuting-sets", &f);
    assert_eq!((kinds(&on), kinds(&off).len()), (vec!["all_reduce"], 2));
    meshloom_certify::check(&f, &on.local, &on.certificate).unwrap_or_else(|e| panic!("{}", e[0]));
    // A product of products is one.
    let f = loom("entry f(a: f32[8, 16] @ [_, x], b: f32[8, 16] @ [_, x]) -> f32[8] { prod(a, -1) * prod(b, -1) }");
    let (on, off) = without_costs_more("commuting-sets", &f);
    assert_eq!((kinds(&on).len(), kinds(&off).len()), (1, 2));
    // What would be another number after the maximum is not done before it.
    let f = loom("entry f(a: f32[8, 16] @ [_, x]) -> f32[8] { -max(a, -1) * 2.0 }");
    assert_eq!(count(&planned(&f), "all_reduce"), 1);
}

#[test]
fn a_softmax_over_a_split_dim_costs_its_row_statistics() {
    let f = loom("entry f(a: f32[8, 64] @ [_, y]) -> f32[8, 64] @ [_, y] { softmax(a) }");
    let p = planned(&f);
    assert_eq!(kinds(&p), ["all_reduce", "all_reduce"]);
    // A maximum and a sum per row, 4 bytes each, by the ring: 2 * 3 / 4 of 32 bytes.
    let bytes: f64 = p.collectives.iter().map(|c| c.wire_bytes_per_device).sum();
    assert_eq!(bytes, 2.0 * 48.0);
    runs_alike(&f, &p, 3, 1e-5);
}

#[test]
fn constrain() {
    needed("constrain", &loom("entry f(a: f32[8, 16] @ [x, _]) -> f32[8, 16] { exp(exp(a) @ [_, x]) }"));
}

#[test]
fn input_pins() {
    needed("input-pins", &loom(CONTRACTION));
}

const LOOP: &str = "
    struct Layer { w: f32[16, 16] @ [x, _] }
    struct Model { layers: [Layer; 3], s: f32[16] }
    fn loss(m: Model, a: f32[8, 16] @ [y, _]) -> f32 {
        let h = a
        for l in m.layers { h = tanh(dot(h, l.w) * m.s) }
        mean(h)
    }
    train t = sgd(loss, lr: 0.1)";

#[test]
fn region_carries() {
    needed("region-carries", &loom(LOOP));
}

#[test]
fn region_slices() {
    needed("region-slices", &loom(LOOP));
}

#[test]
fn region_invariants() {
    needed("region-invariants", &loom(LOOP));
}

#[test]
fn region_stacks() {
    needed("region-stacks", &loom(LOOP));
}

#[test]
fn partial_ports() {
    let f = loom(LOOP);
    let (on, off) = (planned(&f), without(&f, &["partial-ports"]));
    runs_alike(&f, &off, 3, 1e-5);
    let calls = |p: &Plan| p.collectives.iter().map(|c| c.times_per_step).sum::<u64>();
    assert!(calls(&on) < calls(&off), "{}\n{}", show(&f, &on), show(&f, &off));
    let gradient = |p: &Plan| p.collectives.iter().any(|c| c.times_per_step == 1 && c.tensor.contains("grad"));
    assert!(gradient(&on), "{}", show(&f, &on));
}

#[test]
fn generate() {
    let f = loom("entry f(a: f32[8, 16] @ [x, _]) -> f32[8, 16] { a * 2.0 + 1.0 }");
    let (on, off) = (planned(&f), without(&f, &["generate"]));
    runs_alike(&f, &off, 3, 1e-5);
    assert_eq!(count(&on, "shard_slice"), 0);
    let _ = off;
}

/// A constant is no part of a maximum over devices: there is no op that makes it one. So it is no part of a plan.
#[test]
fn constants_beside_partial_maxima() {
    let f = loom(
        "entry f(a: f32[8] @ [x], b: f32[8] @ [x], c: f32) -> f32 {
             maximum(select(c > 0.0, max(a), 0.5), max(b)) }",
    );
    for mode in [Mode::Follow, Mode::Search] {
        runs_alike(&f, &planned_with(&f, &PlanOptions { mode, ..PlanOptions::default() }), 3, 1e-5);
    }
}

#[test]
fn all_reduce() {
    let f = loom(CONTRACTION);
    let off = without(&f, &["all-reduce"]);
    assert_eq!(kinds(&planned(&f)), ["all_reduce"]);
    assert_ne!(kinds(&off), ["all_reduce"]);
    runs_alike(&f, &off, 3, 1e-5);
}

#[test]
fn reduce_scatter() {
    let f = loom("entry f(a: f32[8, 16] @ [_, x], b: f32[16, 8] @ [x, _]) -> f32[8, 8] { dot(a, b) @ [x, _] }");
    let (on, off) = without_costs_more("reduce-scatter", &f);
    assert_eq!((kinds(&on), kinds(&off)), (vec!["reduce_scatter"], vec!["all_reduce"]));
}

#[test]
fn all_gather() {
    needed("all-gather", &loom("entry f(a: f32[8, 16] @ [x, _]) -> f32[8, 16] { a @ [_, _] }"));
}

#[test]
fn all_to_all() {
    let f = loom("entry f(a: f32[8, 16] @ [x, _]) -> f32[8, 16] { exp(a @ [_, x]) }");
    let (on, off) = without_costs_more("all-to-all", &f);
    assert_eq!((kinds(&on), kinds(&off)), (vec!["all_to_all"], vec!["all_gather"]));
}

#[test]
fn collective_permute() {
    let f = loom("entry f(a: f32[8, 16] @ [(x, y), _]) -> f32[8, 16] { exp(a @ [(y, x), _]) }");
    let (on, _) = without_costs_more("collective-permute", &f);
    assert_eq!(kinds(&on), ["collective_permute"]);
}

#[test]
fn shard_slice() {
    let f = loom("entry f(a: f32[8, 16]) -> f32[8, 16] { exp(a @ [x, _]) }");
    let on = planned(&f);
    assert_eq!((kinds(&on).len(), count(&on, "shard_slice")), (0, 1));
    let disabled_rules = ["shard-slice".to_string()].into();
    let off = plan(&f, &PlanOptions { disabled_rules, ..PlanOptions::default() });
    assert!(off.is_err() || off.is_ok_and(|p| p.totals.mesh_wire_bytes > 0));
}

#[test]
fn partial_split() {
    let f = loom(
        "entry f(a: f32[8, 16] @ [_, x], b: f32[16, 8] @ [x, _], r: f32[8, 8]) -> f32[8] { sum(r + dot(a, b), 1) }",
    );
    let (on, _) = without_costs_more("partial-split", &f);
    assert!(on.local.ops.iter().any(|o| matches!(o.op, Op::PartialSplit { .. })));
}
