//! The checker refuses what is wrong, and says where. Each mutant changes the local program and the certificate so that
//! they still fit together. `support::mutate` has the mutants of plans, `support::mutate_form` those of rewritten
//! programs. The tables below list the kinds, with the least number of each.

use crate::support::rewrite::Rewritten;
use crate::support::{dice, mutate, mutate_form, numbers, programs, rewrite};
use meshloom_ir::{Func, Op};
use std::collections::BTreeMap;

/// Local programs and their certificates.
const PLANS: &[(&str, usize)] = &[
    ("dropped", 60),
    ("doubled", 60),
    ("a mask dropped", 5),
    ("another axis", 60),
    ("axes in another order", 20),
    ("an axis less", 20),
    ("another dim", 60),
    ("another reduction", 10),
    ("moved behind a non-linear op", 1),
    ("operands swapped", 5),
    ("another function", 20),
    ("reduces otherwise", 5),
    ("reduces another dim", 5),
    ("contracts another dim", 5),
    ("another constant", 3),
    ("counts from another start", 1),
    ("looks up another shard", 1),
    ("adds to another shard", 1),
    ("transposes otherwise", 1),
    ("slices elsewhere", 1),
    ("pads the other side", 1),
    ("broadcasts another dim", 1),
    ("another kernel", 1),
    ("kernel without its attributes", 1),
    ("one iteration less", 1),
    ("the other way", 1),
    ("without its condition", 1),
    ("yields swapped", 1),
    ("an argument yielded", 1),
    ("an argument claimed partial", 5),
    ("outputs swapped", 1),
    ("an axis taken from the op", 20),
    ("an axis given to the op", 20),
    ("a computation called a reshard", 20),
    ("another global op", 20),
    ("a region called an op", 1),
    ("a reshard called a computation", 60),
    ("another layout claimed", 60),
    ("another tensor claimed", 60),
];

/// Forms, with a local program and a certificate that believe them.
const FORMS: &[(&str, usize)] = &[
    ("an added op is another one", 100),
    ("recomputes from the next iteration", 4),
    ("recomputes from the gradient that is carried", 4),
    ("recomputes from another stack", 8),
    ("different tensors said to be equal", 50),
    ("another law", 10),
    ("a law that nobody knows", 20),
    ("an equality left out", 5),
    ("an op of the program is another one", 20),
    ("an op of the program left out", 5),
    ("outputs of the program swapped", 1),
    ("a body of the program yields otherwise", 1),
    ("an annotation of the program taken away", 1),
    ("a collective in the form", 5),
];

fn compare(found: &BTreeMap<&str, usize>, listed: &[(&str, usize)]) {
    for (kind, n) in found {
        println!("{n:6}  {kind}");
    }
    for (kind, least) in listed {
        let n = found.get(kind).copied().unwrap_or(0);
        assert!(n >= *least, "{n} of `{kind}`");
    }
    let unknown = found.keys().find(|k| !listed.iter().any(|l| l.0 == **k));
    assert_eq!(unknown, None, "not in the list");
}

#[test]
fn every_mutant_is_rejected_with_the_op_named() {
    let mut rejected: BTreeMap<&str, usize> = BTreeMap::new();
    let plans = programs::all().into_iter().map(|global| dice::plan(&global, 1));
    let rewritten = [rewrite::recomputed(), rewrite::loops()].map(|r| dice::rewritten(&r.global, &r.form, 1));
    for p in plans.chain(rewritten) {
        for m in mutate::all(&p).iter().filter(|m| !m.may_hold) {
            if let Err(e) = m.is_rejected(&p) {
                panic!("{}, {e}:\n{}", p.global.name, meshloom_ir::print::print(&m.local));
            }
            *rejected.entry(m.kind).or_default() += 1;
        }
    }
    // What few plans give an occasion for.
    for (seed, global) in (0..25).flat_map(|seed| [programs::mlp(), rewrite::recomputed().global].map(|g| (seed, g))) {
        let p = dice::plan(&global, seed);
        let sums = p.local.walk(Func::BODY).into_iter().filter(|&o| matches!(p.local.op(o).op, Op::AllReduce { .. }));
        for m in mutate::of(&p, &sums.collect::<Vec<_>>()) {
            if ["moved behind a non-linear op", "outputs swapped"].contains(&m.kind) {
                m.is_rejected(&p).unwrap_or_else(|e| panic!("{}, {e}", global.name));
                *rejected.entry(m.kind).or_default() += 1;
            }
        }
    }
    // Two yields in one layout are met by chance.
    for (seed, r) in (2..40).flat_map(|seed| [rewrite::recomputed(), rewrite::loops()].map(|r| (seed, r))) {
        let (p, global) = (dice::rewritten(&r.global, &r.form, seed), &r.global);
        let loops = p.local.walk(Func::BODY).into_iter().filter(|&o| matches!(p.local.op(o).op, Op::Repeat { .. }));
        for m in mutate::of(&p, &loops.collect::<Vec<_>>()).iter().filter(|m| m.kind == "yields swapped") {
            m.is_rejected(&p).unwrap_or_else(|e| panic!("{}, {e}", global.name));
            *rejected.entry(m.kind).or_default() += 1;
        }
    }
    compare(&rejected, PLANS);
    assert!(rejected.values().sum::<usize>() >= 1000);
}

/// What is accepted of a changed form is right: the change did not matter. All else is refused with an op named.
#[test]
fn every_mutant_of_a_form_is_rejected_with_the_op_named() {
    let mut rejected: BTreeMap<&str, usize> = BTreeMap::new();
    let mut harmless = 0;
    let mut judge = |m: mutate_form::Broken, p: &Rewritten, seed: u64| match m.refusal() {
        Some(Ok(())) => *rejected.entry(m.kind).or_default() += 1,
        Some(Err(e)) => panic!("{}: {e}", p.global.name),
        None => {
            harmless += 1;
            if let Some(d) = numbers::difference(&p.global, &m.plan.local, seed) {
                let form = m.plan.program();
                panic!(
                    "{}, seed {seed}: accepted: {}: {d}\n{}",
                    p.global.name,
                    m.kind,
                    meshloom_ir::print::print(form)
                );
            }
        }
    };
    for seed in 0..4 {
        let p = rewrite::recomputed();
        mutate_form::recomputations(&p, seed).into_iter().for_each(|m| judge(m, &p, seed));
        let dice = programs::all().into_iter().map(|g| rewrite::by_dice(&g, seed));
        for p in [p, rewrite::loops()].into_iter().chain(dice) {
            mutate_form::all(&p, seed).into_iter().for_each(|m| judge(m, &p, seed));
        }
    }
    compare(&rejected, FORMS);
    assert!(harmless > 0 && rejected.values().sum::<usize>() >= 200);
}
