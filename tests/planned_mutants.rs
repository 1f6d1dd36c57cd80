//! Certificates of real plans: the examples on several meshes are proved, and changed plans of them are refused with the op
//! named. The ways to change one are those of the checker's own tests.

#[path = "../compiler/certify/tests/support/mod.rs"]
mod support;

use meshloom_driver::{Options, check, plan};
use meshloom_ir::Func;
use meshloom_syntax::elaborate;
use meshloom_tests::root;
use std::collections::BTreeMap;
use support::dice::Plan;
use support::{Rng, mutate};

fn planned(example: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> Vec<Plan> {
    let path = root().join("examples").join(example);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let front = elaborate::Options {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: layout.map(String::from),
        ..elaborate::Options::default()
    };
    let options = Options { front, ..Options::default() };
    let program = check(example, &text, &options).and_then(|p| plan(p, &options));
    let program = program.unwrap_or_else(|(e, _)| panic!("{example} on {mesh:?}: {e}"));
    let entries = program.entries.into_iter();
    entries.filter_map(|e| e.plan.map(|p| Plan { global: e.global, local: p.local, cert: p.certificate })).collect()
}

/// Mutants of some 30 ops of a plan, collectives first.
fn refused(p: &Plan, seed: u64, kinds: &mut BTreeMap<&str, usize>) {
    let mut ops = p.local.walk(Func::BODY);
    Rng::new(seed).shuffle(&mut ops);
    ops.sort_by_key(|&o| !p.local.op(o).op.communicates());
    let moving = ops.iter().filter(|&&o| p.local.op(o).op.communicates()).count();
    let mut some: Vec<_> = ops[..moving.min(12)].to_vec();
    some.extend(ops[moving..].iter().take(18));
    for m in mutate::of(p, &some).iter().filter(|m| !m.may_hold) {
        if let Err(e) = m.is_rejected(p) {
            panic!("{}: {e}\n{}", p.global.name, meshloom_ir::print::print(&m.local));
        }
        *kinds.entry(m.kind).or_default() += 1;
    }
}

#[test]
fn mutants_of_the_examples_plans_are_refused() {
    let mut kinds = BTreeMap::new();
    let both: &[(&str, u64)] = &[("data", 2), ("model", 4)];
    for (i, (example, mesh, layout)) in [
        ("mlp.loom", both, None),
        ("mlp.loom", &[("data", 8)], None),
        ("gpt_tiny.loom", both, Some("megatron")),
        ("gpt_tiny.loom", &[("data", 8)], Some("fsdp")),
        ("oracle_mlp.loom", both, Some("megatron")),
    ]
    .into_iter()
    .enumerate()
    {
        for p in planned(example, mesh, layout) {
            refused(&p, i as u64, &mut kinds);
        }
    }
    println!("{kinds:#?}");
    assert!(kinds.len() >= 20 && kinds.values().sum::<usize>() >= 500, "{kinds:?}");
}
