//! Certificates of real plans: the examples on several meshes, following annotations and searched for, are proved.
//! Changed plans of them are refused with the op named; legal variants of them are accepted and compute the same. The
//! ways to change a plan are those of the checker's own tests, which list the kinds.

use crate::support::dice::Plan;
use crate::support::{Rng, mutate, numbers, variants};
use meshloom_certify::text;
use meshloom_driver::{CompileOptions, Planned, check, plan};
use meshloom_ir::{Func, parse, print};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_source::FrontOptions;
use meshloom_tests::root;
use std::collections::BTreeMap;
use std::sync::LazyLock;

struct Case {
    example: &'static str,
    mesh: &'static [(&'static str, u64)],
    layout: Option<&'static str>,
    mode: Mode,
}

const BOTH: &[(&str, u64)] = &[("data", 2), ("model", 4)];
const DATA: &[(&str, u64)] = &[("data", 8)];
/// Axes that divide neither the batch nor the vocabulary.
const UNEVEN: &[(&str, u64)] = &[("data", 3), ("model", 5)];

const CASES: &[Case] = &[
    Case { example: "mlp.loom", mesh: BOTH, layout: None, mode: Mode::Follow },
    Case { example: "mlp.loom", mesh: DATA, layout: None, mode: Mode::Search },
    Case { example: "gpt_tiny.loom", mesh: BOTH, layout: Some("megatron"), mode: Mode::Follow },
    Case { example: "gpt_tiny.loom", mesh: DATA, layout: Some("fsdp"), mode: Mode::Follow },
    Case { example: "gpt_tiny.loom", mesh: BOTH, layout: None, mode: Mode::Search },
    Case { example: "gpt_tiny.loom", mesh: UNEVEN, layout: Some("megatron"), mode: Mode::Follow },
    Case { example: "oracle_mlp.loom", mesh: BOTH, layout: Some("megatron"), mode: Mode::Follow },
    Case { example: "oracle_mlp.loom", mesh: BOTH, layout: None, mode: Mode::Search },
];

/// The plans of all cases, made once.
static PLANS: LazyLock<Vec<(&Case, Vec<Plan>)>> = LazyLock::new(|| CASES.iter().map(|c| (c, planned(c))).collect());

fn planned(c: &Case) -> Vec<Plan> {
    let (example, mesh) = (c.example, c.mesh);
    let path = root().join("examples").join(example);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let front = FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: c.layout.map(String::from),
        ..FrontOptions::default()
    };
    let options = CompileOptions {
        front,
        plan: PlanOptions { mode: c.mode, ..PlanOptions::default() },
        ..CompileOptions::default()
    };
    let program = check(example, &text, &options).and_then(|p| plan(p, &options));
    let program = program.unwrap_or_else(|(e, _)| panic!("{example} on {mesh:?}: {e}"));
    let one = |e: Planned| Plan { global: e.entry.global, local: e.plan.local, cert: e.plan.certificate };
    program.entries.into_iter().map(one).collect()
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

/// Each variant of a plan once.
fn accepted(p: &Plan, seed: u64, kinds: &mut BTreeMap<&str, usize>) {
    for (kind, variant) in variants::ALL {
        let Some(v) = variant(p, &mut Rng::new(seed)) else { continue };
        if let Err(why) = meshloom_certify::check(&v.global, &v.local, &v.cert) {
            panic!("{}: {kind}: {}", v.global.name, why[0]);
        }
        // Larger ones take the interpreter too long.
        if v.local.ops.len() < 200
            && let Some(d) = numbers::difference(&v.global, &v.local, seed)
        {
            panic!("{}: {kind}: {d}", v.global.name);
        }
        *kinds.entry(kind).or_default() += 1;
    }
}

#[test]
fn plans_are_proved_from_their_text() {
    for (c, plans) in PLANS.iter() {
        for p in plans {
            // As `verify` has them: the global program from the source, the local one and the certificate from their texts.
            let printed = text::print(&p.cert, &p.global, &p.local);
            let local = parse::parse(&print::print(&p.local)).expect("its own text");
            let cert = text::parse(&printed, &p.global, &local).unwrap_or_else(|e| panic!("{}: {e}", c.example));
            assert_eq!(text::print(&cert, &p.global, &local), printed);
            if let Err(why) = meshloom_certify::check(&p.global, &local, &cert) {
                panic!("{} on {:?}: {}", c.example, c.mesh, why[0]);
            }
        }
    }
}

#[test]
fn mutants_of_the_examples_plans_are_refused() {
    let mut kinds = BTreeMap::new();
    for (i, (_, plans)) in PLANS.iter().enumerate() {
        plans.iter().for_each(|p| refused(p, i as u64, &mut kinds));
    }
    kinds.iter().for_each(|(kind, n)| println!("{n:6}  {kind}"));
    assert!(kinds.len() >= 20 && kinds.values().sum::<usize>() >= 500, "{kinds:?}");
}

#[test]
fn variants_of_the_examples_plans_are_accepted() {
    let mut kinds = BTreeMap::new();
    for (i, (_, plans)) in PLANS.iter().enumerate() {
        plans.iter().for_each(|p| accepted(p, i as u64, &mut kinds));
    }
    kinds.iter().for_each(|(kind, n)| println!("{n:6}  {kind}"));
    assert!(kinds.len() >= 12 && kinds.values().sum::<usize>() >= 50, "{kinds:?}");
}

/// No mask of a plan is there for nothing: without it what pads a shard gets into a sum.
#[test]
fn masks_may_not_be_dropped() {
    let (_, plans) = PLANS.iter().find(|(c, _)| c.mesh == UNEVEN).expect("an uneven case");
    let p = &plans[0];
    let is_mask = |o: &meshloom_ir::OpId| matches!(p.local.op(*o).op, meshloom_ir::Op::PadMask { .. });
    let masks: Vec<_> = p.local.walk(Func::BODY).into_iter().filter(is_mask).collect();
    let mutants = mutate::of(p, &masks);
    // A mask that a plan has is read by an op that needs it.
    let dropped: Vec<_> = mutants.iter().filter(|m| m.kind == "a mask dropped").collect();
    assert!(masks.len() >= 20 && dropped.len() == masks.len(), "{} masks, {} dropped", masks.len(), dropped.len());
    for m in dropped {
        m.is_rejected(p).unwrap_or_else(|e| panic!("{}: {e}", m.kind));
    }
}
