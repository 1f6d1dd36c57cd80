//! Rewritten programs are proved where they are right: random plans in which every reader takes any of the equal
//! values, of programs with loops and copies of loops, recomputation, and every law. What is proved computes the same.
//! The other direction is tested too: what is equal by classes alone, and what must not be.

use crate::support::rewrite::{self, Rewritten};
use crate::support::{dice, numbers, programs};
use meshloom_certify::{Classes, check, laws, text};
use meshloom_ir::print::print;
use meshloom_ir::*;
use meshloom_random::{self as random, Rng};

fn proved(p: &Rewritten, seed: u64) {
    let plan = dice::rewritten(&p.global, &p.form, seed);
    let shown = || format!("{}, seed {seed}\n{}\n{}", p.global.name, print(&p.form.func), print(&plan.local));
    if let Err(why) = check(&p.global, &plan.local, &plan.cert) {
        panic!("{}\n{}", why[0], shown());
    }
    if let Some(d) = numbers::difference(&p.global, &plan.local, seed) {
        panic!("{d}\n{}", shown());
    }
    let printed = text::print(&plan.cert, &plan.global, &plan.local);
    let back = text::parse(&printed, &plan.global, &plan.local).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert_eq!(text::print(&back, &plan.global, &plan.local), printed);
    // Ops may be numbered otherwise; values are not.
    assert!(back.values == plan.cert.values && check(&p.global, &plan.local, &back).is_ok(), "{}", p.global.name);
}

#[test]
fn recomputation_and_copied_loops_are_proved() {
    for seed in 0..20 {
        proved(&rewrite::recomputed(), seed);
        proved(&rewrite::loops(), seed);
    }
}

#[test]
fn instances_of_laws_are_proved() {
    for law in laws::all() {
        for seed in 0..6 {
            proved(&rewrite::instance(law, seed), seed);
        }
    }
}

#[test]
fn programs_rewritten_by_dice_are_proved() {
    for global in programs::all() {
        for seed in 0..6 {
            proved(&rewrite::by_dice(&global, seed), seed);
        }
    }
    for seed in 0..80 {
        let mesh = random::mesh(&mut Rng::new(seed), 8);
        let mut global = random::program(seed, &random::RandomOptions::new(mesh));
        for i in 0..global.outputs.len() {
            if let Some(j) = global.outputs[i].updates {
                global.outputs[i].constraint = global.inputs[j].constraint.clone();
            }
        }
        proved(&rewrite::by_dice(&global, seed), seed);
    }
}

/// A loop over `w` by slices with a carry `c`, which yields `c + slice`, and stacks what `ys` gives of (carry, slice, next).
fn summing(b: &mut Builder, w: ValueId, x: ValueId, reverse: bool, ys: fn(&[ValueId; 3]) -> Vec<ValueId>) -> Loop {
    let body = b.open();
    let ty = b.ty(x).clone();
    let (c, s) = (b.arg(body, ty.clone()), b.arg(body, ty));
    let n = b.add(c, s);
    let mut yields = vec![n];
    yields.extend(ys(&[c, s, n]));
    b.close(yields);
    let trip = b.ty(w).shape[0];
    let results = b.repeat(trip, reverse, 1, 1, &[x, w], body).expect("a loop");
    Loop { body: [c, s, n], results }
}

struct Loop {
    body: [ValueId; 3],
    results: Vec<ValueId>,
}

#[test]
fn values_of_loops_are_families_over_the_iteration() {
    let mut b = Builder::new("families", Mesh::new([("data", 2)]));
    let (w, v) = (programs::input(&mut b, "w", &[3, 4]), programs::input(&mut b, "v", &[3, 4]));
    let longer = programs::input(&mut b, "longer", &[5, 4]);
    let x = programs::input(&mut b, "x", &[4]);
    let all = |p: &[ValueId; 3]| p.to_vec();
    let none = |_: &[ValueId; 3]| Vec::new();
    let f = summing(&mut b, w, x, false, all);
    let r = summing(&mut b, w, x, true, none);
    let other = summing(&mut b, v, x, false, none);
    let stack = summing(&mut b, f.results[1], x, true, none);
    let next = summing(&mut b, f.results[3], x, false, none);
    let five = summing(&mut b, longer, x, false, none);
    let func = b.finish();
    assert_eq!(verify::verify(&func), Ok(()));
    let classes = Classes::new(&func);
    let same = |a, b| classes.same(a, b);
    // Slices are by index, whichever way a loop runs; carries are each loop's own.
    assert!(same(f.body[1], r.body[1]));
    assert!(!same(f.body[0], r.body[0]) && !same(f.body[0], other.body[0]) && !same(f.results[0], r.results[0]));
    // Not slices of another stack, nor those of a loop of another length.
    assert!(!same(f.body[1], other.body[1]) && !same(f.body[1], five.body[1]));
    // What a loop stacks is what a slice of it reads: the carry as it came in is not the carry as it goes out.
    assert!(same(stack.body[1], f.body[0]) && same(next.body[1], f.body[2]));
    assert!(!same(next.body[1], f.body[0]) && !same(stack.body[1], f.body[2]));
    // A stack of slices is the stack itself.
    assert!(same(f.results[2], w) && !same(f.results[2], v));
}

#[test]
fn what_no_iteration_changes_is_one_tensor() {
    let mut b = Builder::new("invariant", Mesh::new([("data", 2)]));
    let x = programs::input(&mut b, "x", &[4]);
    let w = programs::input(&mut b, "w", &[3, 4]);
    let outside = b.elem("tanh", &[x]);
    let mut inside = Vec::new();
    for reverse in [false, true] {
        let body = b.open();
        let [c, s, y, t] = [0; 4].map(|_| b.arg(body, TensorType::new(DType::F64, [4])));
        let again = b.elem("tanh", &[y]);
        let one = b.constant(DType::F64, &[4], 1.0);
        let n = b.add(c, s);
        b.close(vec![n]);
        b.repeat(3, reverse, 1, 1, &[x, w, x, outside], body).expect("a loop");
        inside.push([again, t, one, c]);
    }
    let func = b.finish();
    let classes = Classes::new(&func);
    let [[a, t, one, c], [a2, t2, one2, c2]] = inside[..] else { unreachable!("two loops") };
    assert!(classes.same(a, t) && classes.same(a, a2) && classes.same(t, t2) && classes.same(one, one2));
    assert!(!classes.same(c, c2));
}

/// A loop that is equal only if one believes that it is: each carries what the other's result says.
#[test]
fn induction_does_not_go_round_in_a_circle() {
    let mut b = Builder::new("circle", Mesh::new([("data", 2)]));
    let [x, u, v] = ["x", "u", "v"].map(|n| programs::input(&mut b, n, &[4]));
    let one = |b: &mut Builder, w: ValueId| {
        let body = b.open();
        let [c, s] = [0; 2].map(|_| b.arg(body, TensorType::new(DType::F64, [4])));
        b.close(vec![s, c]);
        b.repeat(3, false, 1, 0, &[x, w], body).expect("a loop")
    };
    // Each loop ends with what it is given; u and v differ.
    let (f, g) = (one(&mut b, u), one(&mut b, v));
    programs::output(&mut b, f[0], "f");
    programs::output(&mut b, g[0], "g");
    let func = b.finish();
    for (a, b, law) in [
        (f[0], g[0], laws::ITERATION),
        (f[1], g[1], laws::ITERATION),
        (u, v, laws::ITERATION),
        (f[0], f[0], laws::CONGRUENCE),
    ] {
        let form = meshloom_certify::Form {
            func: func.clone(),
            equal: vec![meshloom_certify::Equal { a, b, law: law.into() }],
        };
        assert_eq!(meshloom_certify::classes(&func, &form).is_ok(), a == b);
    }
}

/// Whatever is done to the text, it is read as something else or refused by place, and what is read is checked: never a panic.
#[test]
fn damaged_forms_are_refused() {
    let p = rewrite::recomputed();
    let plan = dice::rewritten(&p.global, &p.form, 2);
    let printed = text::print(&plan.cert, &plan.global, &plan.local);
    let bad = |from: &str, to: &str| {
        let s = printed.replacen(from, to, 1);
        assert_ne!(s, printed, "`{from}` is in the text");
        text::parse(&s, &plan.global, &plan.local).expect_err("damaged").to_string()
    };
    assert!(bad(" by congruence", " by %").contains("expected the name of a law"));
    assert!(bad("equal %", "equal %9").contains("the program has no value %9"));
    assert!(bad("= tanh %", "= tanh %9").contains("is defined nowhere"));
    assert!(bad("\n}\nequal", "\nequal").contains("expected"));
    let mut rng = Rng::new(7);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..3000 {
        let mut bytes = printed.clone().into_bytes();
        let end = printed.find("values ").expect("after the form");
        for _ in 0..1 + rng.below(2) {
            let at = rng.below(end);
            bytes[at] = rng.pick(b"%0123456789 abcdt{}[],:=\n-");
        }
        let text = String::from_utf8(bytes).expect("still ascii");
        match text::parse(&text, &plan.global, &plan.local) {
            Err(_) => refused += 1,
            Ok(cert) => {
                read += 1;
                let _ = check(&plan.global, &plan.local, &cert);
            }
        }
    }
    assert!(read > 100 && refused > 100, "{read} {refused}");
}
