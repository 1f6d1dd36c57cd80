//! Every law, on instances that its own generator writes: the check accepts them, and both sides compute the same
//! numbers. On those instances with a randomly changed op, whatever the check still accepts must still compute the
//! same.

use crate::support::{numbers, perturb, programs};
use meshloom_certify::laws::{self, Law};
use meshloom_ir::print::print;
use meshloom_ir::{Builder, Func, Mesh, ValueId, interp, verify};
use meshloom_random::{self as random, Rng};

/// A random instance, with both sides as outputs.
fn instance(law: &Law, seed: u64) -> (Func, ValueId, ValueId) {
    let mut rng = Rng::new(seed);
    let mut b = Builder::new(law.name, Mesh::new([("data", 1)]));
    let (left, right) = (law.sample)(&mut rng, &mut b);
    programs::output(&mut b, left, "left");
    programs::output(&mut b, right, "right");
    (b.finish(), left, right)
}

/// How far apart the two outputs are, on random inputs.
fn apart(func: &Func, seed: u64) -> Option<String> {
    let out = interp::eval(func, &random::inputs(func, seed)).unwrap_or_else(|e| panic!("{e}\n{}", print(func)));
    numbers::apart(&out[0], &out[1])
}

#[test]
fn names_are_unique_and_laws_are_lines() {
    let mut names: Vec<&str> = laws::all().map(|l| l.name).chain([laws::CONGRUENCE, laws::ITERATION]).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all);
    for l in laws::all() {
        let kebab = l.name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-');
        assert!(kebab && !l.law.is_empty() && !l.law.contains('\n'), "{}", l.name);
    }
}

#[test]
fn instances_are_accepted_and_equal() {
    for law in laws::all() {
        for seed in 0..120 {
            let (func, a, b) = instance(law, seed);
            assert_eq!(verify::verify(&func), Ok(()), "{}, seed {seed}\n{}", law.name, print(&func));
            assert!(laws::holds(law, &func, a, b), "{}, seed {seed}, is refused\n{}", law.name, print(&func));
            assert!(laws::holds(law, &func, b, a), "{}, seed {seed}, is refused turned round", law.name);
            if let Some(d) = apart(&func, seed) {
                panic!("{}, seed {seed}: {d}\n{}", law.name, print(&func));
            }
        }
    }
}

/// MESHLOOM_FUZZ=3000 tries more.
#[test]
fn changed_instances_that_are_accepted_are_equal() {
    let rounds = std::env::var("MESHLOOM_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    for law in laws::all() {
        let (mut refused, mut tried) = (0, 0);
        for seed in 0..rounds {
            let (func, a, b) = instance(law, seed);
            let mut rng = Rng::new(seed);
            for _ in 0..6 {
                let Some(changed) = perturb::one(&func, &mut rng) else { continue };
                if verify::verify(&changed).is_err() {
                    continue;
                }
                tried += 1;
                if !laws::holds(law, &changed, a, b) {
                    refused += 1;
                } else if let Some(d) = apart(&changed, seed) {
                    panic!("{}, seed {seed}: {d}\n{}", law.name, print(&changed));
                }
            }
        }
        // Of changes that verify, some must matter; else the law is of too little to be worth a name.
        assert!(tried == 0 || refused > 0, "{}: all of {tried} changes are accepted", law.name);
    }
}
