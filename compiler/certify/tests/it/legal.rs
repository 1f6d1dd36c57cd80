//! The checker accepts what is legal, also where no planner would choose it: random plans changed in the ways of
//! `support::variants`, and rewritten programs in other algebraic forms. Each of them is run against the interpreter
//! too.

use crate::support::dice::Plan;
use crate::support::{Rng, dice, numbers, programs, rewrite, variants};
use meshloom_certify::{check, laws};
use meshloom_ir::print::print;
use std::collections::BTreeMap;

fn accepted(kind: &str, p: &Plan, seed: u64) {
    if let Err(why) = check(&p.global, &p.local, &p.cert) {
        panic!("{}, seed {seed}: {kind}: {}\n{}", p.global.name, why[0], print(&p.local));
    }
    if let Some(d) = numbers::difference(&p.global, &p.local, seed) {
        panic!("{}, seed {seed}: {kind}: {d}\n{}", p.global.name, print(&p.local));
    }
}

#[test]
fn plans_that_nobody_would_choose_are_accepted() {
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    let mut plans = Vec::new();
    for seed in 0..4 {
        plans.extend(programs::all().into_iter().map(|g| (seed, dice::plan(&g, seed))));
        let rewritten = [rewrite::recomputed(), rewrite::loops()];
        plans.extend(rewritten.map(|r| (seed, dice::rewritten(&r.global, &r.form, seed))));
    }
    for (seed, p) in &plans {
        for (kind, variant) in variants::ALL {
            if let Some(v) = variant(p, &mut Rng::new(*seed)) {
                accepted(kind, &v, *seed);
                *found.entry(kind).or_default() += 1;
            }
        }
    }
    // What few plans give an occasion for.
    for seed in 4..60 {
        for (kind, variant) in
            variants::ALL.iter().filter(|v| found.get(v.0).is_none_or(|&n| n < 5)).collect::<Vec<_>>()
        {
            let p = dice::plan(&programs::mlp(), seed);
            if let Some(v) = variant(&p, &mut Rng::new(seed)) {
                accepted(kind, &v, seed);
                *found.entry(kind).or_default() += 1;
            }
        }
    }
    for (kind, n) in &found {
        println!("{n:6}  {kind}");
    }
    let missing = variants::ALL.iter().find(|v| !found.contains_key(v.0));
    assert_eq!(missing.map(|v| v.0), None, "no plan has a place for it");
    assert!(found.len() >= 15 && found.values().sum::<usize>() >= 100);
}

/// One variant on top of another, twenty deep.
#[test]
fn variants_of_variants_are_accepted() {
    for (seed, global) in programs::all().into_iter().enumerate() {
        let mut rng = Rng::new(seed as u64);
        let mut p = dice::plan(&global, seed as u64);
        let mut kinds = Vec::new();
        for _ in 0..20 {
            let (kind, variant) = rng.pick(variants::ALL);
            if let Some(v) = variant(&p, &mut rng) {
                p = v;
                kinds.push(kind);
            }
        }
        accepted(&kinds.join(", "), &p, seed as u64);
    }
}

/// The same tensors, computed in another way: every law, recomputed ops, recomputed loops.
#[test]
fn other_algebraic_forms_are_accepted() {
    let mut n = 0;
    for seed in 0..3 {
        for law in laws::all() {
            let r = rewrite::instance(law, seed);
            accepted(law.name, &dice::rewritten(&r.global, &r.form, seed), seed);
            n += 1;
        }
        for global in programs::all() {
            let r = rewrite::by_dice(&global, seed);
            accepted("done again", &dice::rewritten(&r.global, &r.form, seed), seed);
            n += 1;
        }
    }
    assert!(n >= 30);
}
