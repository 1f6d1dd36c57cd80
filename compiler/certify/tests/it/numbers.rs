//! What is proved computes the same: plans, and changed plans that still hold, against the interpreters.

use crate::support::{dice, mutate, numbers, programs};
use meshloom_certify::check;
use meshloom_ir::Func;
use meshloom_ir::print::print;
use meshloom_random as random;

#[test]
fn random_plans_compute_what_the_global_program_computes() {
    for global in programs::all() {
        for seed in 0..12 {
            let p = dice::plan(&global, seed);
            assert!(check(&p.global, &p.local, &p.cert).is_ok());
            if let Some(d) = numbers::difference(&p.global, &p.local, seed) {
                panic!("{} with seed {seed}: {d}\n{}", global.name, print(&p.local));
            }
        }
    }
}

/// A random program and mesh.
fn random_program(seed: u64) -> Func {
    let mesh = random::mesh(&mut random::Rng::new(seed), 16);
    let mut global = random::program(seed, &random::RandomOptions::new(mesh));
    // What is updated has one layout; two annotations that differ have no plan.
    for i in 0..global.outputs.len() {
        if let Some(j) = global.outputs[i].updates {
            global.outputs[i].constraint = global.inputs[j].constraint.clone();
        }
    }
    global
}

#[test]
fn random_programs_do_too() {
    for seed in 0..200 {
        let p = dice::plan(&random_program(seed), seed);
        let shown = || format!("seed {seed}\n{}\n{}", print(&p.global), print(&p.local));
        if let Err(why) = check(&p.global, &p.local, &p.cert) {
            panic!("{}\n{}", why[0], shown());
        }
        if let Some(d) = numbers::difference(&p.global, &p.local, seed) {
            panic!("{d}\n{}", shown());
        }
    }
}

/// Of all changes to random plans whatever is accepted must be right. MESHLOOM_FUZZ=300 looks at more programs.
#[test]
fn no_change_is_accepted_and_wrong() {
    let (mut refused, mut accepted) = (0, 0);
    let rounds = std::env::var("MESHLOOM_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    for seed in 0..rounds {
        let p = dice::plan(&random_program(seed), seed);
        let mut ops = p.local.walk(Func::BODY);
        random::Rng::new(seed).shuffle(&mut ops);
        ops.truncate(4);
        for m in mutate::of(&p, &ops) {
            if check(&p.global, &m.local, &m.cert).is_err() {
                refused += 1;
                continue;
            }
            accepted += 1;
            if let Some(d) = numbers::difference(&p.global, &m.local, seed) {
                panic!("seed {seed}, {}: {d}\n{}\n{}", m.kind, print(&p.global), print(&m.local));
            }
        }
    }
    assert!(refused > 1000 && accepted > 0, "{refused} refused, {accepted} accepted");
}

/// Changes that may be legal: what is accepted of them must give the right numbers.
#[test]
fn accepted_changes_are_right() {
    let mut accepted = 0;
    for global in programs::all() {
        for seed in 0..8 {
            let p = dice::plan(&global, seed);
            for m in mutate::all(&p).into_iter().filter(|m| m.may_hold) {
                if check(&p.global, &m.local, &m.cert).is_ok() {
                    accepted += 1;
                    assert_eq!(numbers::difference(&p.global, &m.local, seed), None, "{}", m.kind);
                }
            }
        }
    }
    assert!(accepted > 0);
}
