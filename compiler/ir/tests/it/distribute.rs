//! Distributing loops changes nothing that a program computes; and a fixed program, to see what it makes.

use crate::common::close;
use meshloom_ir::distribute::{Parts, distribute, distribute_all};
use meshloom_ir::graph::{Def, OpId};
use meshloom_ir::interp::eval;
use meshloom_ir::parse::parse;
use meshloom_ir::print::print;
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Func, Op};
use meshloom_random::{RandomOptions, Rng, inputs, mesh, program};
use std::collections::BTreeMap;

fn read(text: &str) -> Func {
    let f = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&f).unwrap_or_else(|e| panic!("{}", show(&f, &e)));
    f
}

fn loops(f: &Func) -> Vec<OpId> {
    let plain = |o: &OpId| matches!(f.op(*o).op, Op::Repeat { early: false, .. });
    f.walk(Func::BODY).into_iter().filter(plain).collect()
}

/// A sum over iterations of what is computed in two steps.
const SUM: &str = "func @sum on [d: 1] {
  input %0 x: f32[3] input
  input %1 w: f32 parameter
  %2 = constant {0} : f32
  %9, %10 = repeat carries(%2) xs(%0) invariants(%1) {trip 3} : f32, f32[3] {
    arg %3: f32
    arg %4: f32
    arg %5: f32
    %6 = multiply %4, %5 : f32
    %7 = tanh %6 : f32
    %8 = add %3, %7 : f32
    yield %8, %6
  }
  output %9 y: output
  output %10 all: output
}";

const DISTRIBUTED: &str = "  %5 = repeat carries() xs(%0) invariants(%1) {trip 3} : f32[3] {
    arg %6: f32
    arg %7: f32
    %3 = multiply %6, %7 : f32
    yield %3
  }
  %10 = repeat carries(%2) xs(%5) invariants() {trip 3} : f32 {
    arg %11: f32
    arg %12: f32
    %8 = tanh %12 : f32
    %9 = add %11, %8 : f32
    yield %9
  }";

#[test]
fn what_later_parts_read_is_stacked() {
    let f = read(SUM);
    let [o] = loops(&f)[..] else { panic!("one loop") };
    let body = f.region(f.op(o).regions[0]).ops.clone();
    let parts: Parts = [(body[0], vec![0]), (body[1], vec![1]), (body[2], vec![1])].into();
    let made = distribute(&f, o, &parts).unwrap();
    verify(&made.func).unwrap_or_else(|e| panic!("{}", show(&made.func, &e)));
    let text = print(&made.func);
    // Numbers of values aside.
    let shape = |t: &str| t.split_whitespace().map(|w| w.replace(|c: char| c.is_ascii_digit(), "")).collect::<Vec<_>>();
    let (all, part) = (shape(&text), shape(DISTRIBUTED));
    assert!(all.windows(part.len()).any(|w| w == part), "{text}");
    // An op in both parts is computed twice, and nothing is stacked.
    let parts: Parts = [(body[0], vec![0, 1]), (body[1], vec![1]), (body[2], vec![1])].into();
    let twice = distribute(&f, o, &parts).unwrap();
    assert_eq!(twice.func.ops.iter().filter(|d| d.op.name() == "multiply").count(), 2);
    assert_eq!(twice.ops.len(), twice.func.ops.len());
    // The sum is computed before what it sums.
    let parts: Parts = [(body[0], vec![1]), (body[1], vec![1]), (body[2], vec![0])].into();
    assert_eq!(distribute(&f, o, &parts).unwrap_err(), "a part reads what only a later part computes");
}

/// Parts of a loop's body that rise along its values, at random.
fn random_parts(f: &Func, o: OpId, rng: &mut Rng) -> Parts {
    let Op::Repeat { carries, .. } = f.op(o).op else { panic!("a loop") };
    let body = f.region(f.op(o).regions[0]);
    let most = 1 + rng.below(3);
    let mut part: BTreeMap<OpId, usize> = body.ops.iter().map(|&o| (o, rng.below(most + 1))).collect();
    loop {
        let mut new = false;
        for &x in &body.ops {
            let least = f.op(x).operands.iter().map(|&v| match f.value(v).def {
                Def::Op(d, _) => part[&d],
                // A carry is there once its part has begun.
                Def::Arg(_, k) if (k as usize) < carries => {
                    f.def_op(body.yields[k as usize]).and_then(|d| part.get(&d).copied()).unwrap_or(0)
                }
                Def::Arg(..) => 0,
            });
            let least = least.max().unwrap_or(0);
            new |= part[&x] < least;
            part.entry(x).and_modify(|p| *p = (*p).max(least));
        }
        // A carry that becomes another one.
        for (k, y) in body.yields.iter().enumerate().take(carries) {
            if let Def::Arg(_, j) = f.value(*y).def
                && (j as usize) < carries
                && j as usize != k
            {
                return Parts::new();
            }
        }
        if !new {
            break;
        }
    }
    part.into_iter().map(|(o, p)| (o, vec![p])).collect()
}

#[test]
fn distributed_programs_compute_the_same() {
    let (mut count, mut nested) = (0, 0);
    for seed in 0..600u64 {
        let mut rng = Rng::new(seed);
        let mesh = mesh(&mut rng, 4);
        let f = program(seed, &RandomOptions::new(mesh));
        for o in loops(&f) {
            let parts = random_parts(&f, o, &mut rng);
            if parts.is_empty() {
                continue;
            }
            let made = distribute(&f, o, &parts).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", print(&f)));
            verify(&made.func).unwrap_or_else(|e| panic!("seed {seed}: {}", show(&made.func, &e)));
            assert_eq!(made.ops.len(), made.func.ops.len(), "seed {seed}");
            let alike = |(new, &old): (&meshloom_ir::OpData, &OpId)| new.op.name() == f.op(old).op.name();
            assert!(made.func.ops.iter().zip(&made.ops).all(alike), "seed {seed}");
            let data = inputs(&f, seed);
            let (a, b) = (eval(&f, &data).unwrap(), eval(&made.func, &data).unwrap());
            for (i, (x, y)) in a.iter().zip(&b).enumerate() {
                close(x, y, 0.0).unwrap_or_else(|e| panic!("seed {seed}, output {i}: {e}"));
            }
            count += usize::from(made.loops[0].iter().flatten().count() > 1);
            nested += usize::from(f.op(o).parent != Func::BODY);
        }
    }
    println!("{count} loops in several parts, {nested} loops inside others");
    assert!(count > 100 && nested > 0, "{count} {nested}");
}

#[test]
fn several_loops_are_distributed_at_once() {
    let (mut several, mut inside) = (0, 0);
    for seed in 0..600u64 {
        let mut rng = Rng::new(seed);
        let mesh = mesh(&mut rng, 4);
        let f = program(seed, &RandomOptions::new(mesh));
        let all: Vec<(OpId, Parts)> = loops(&f).into_iter().map(|o| (o, random_parts(&f, o, &mut rng))).collect();
        let given: Vec<(OpId, Parts)> = all.into_iter().filter(|x| !x.1.is_empty()).collect();
        let lies_in = |o: OpId, other: OpId| o != other && f.walk(f.op(other).regions[0]).contains(&o);
        let outer = |o: OpId| !given.iter().any(|x| lies_in(o, x.0));
        let apart: Vec<(OpId, Parts)> = given.iter().filter(|x| outer(x.0)).cloned().collect();
        if apart.len() < given.len() {
            let refused = distribute_all(&f, &given).unwrap_err();
            assert_eq!(refused, "a loop is distributed, and so is one in it", "seed {seed}");
            inside += 1;
        }
        if apart.len() < 2 {
            continue;
        }
        let made = distribute_all(&f, &apart).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{}", print(&f)));
        verify(&made.func).unwrap_or_else(|e| panic!("seed {seed}: {}", show(&made.func, &e)));
        assert_eq!(made.ops.len(), made.func.ops.len(), "seed {seed}");
        // Each loop becomes as many as it does alone.
        for ((o, parts), loops) in apart.iter().zip(&made.loops) {
            let alone = distribute(&f, *o, parts).unwrap();
            let there = |l: &[Option<OpId>]| l.iter().map(Option::is_some).collect::<Vec<_>>();
            assert_eq!(there(loops), there(&alone.loops[0]), "seed {seed}");
            assert!(loops.iter().flatten().all(|l| made.ops[l.index()] == *o), "seed {seed}");
        }
        let data = inputs(&f, seed);
        let (a, b) = (eval(&f, &data).unwrap(), eval(&made.func, &data).unwrap());
        for (i, (x, y)) in a.iter().zip(&b).enumerate() {
            close(x, y, 0.0).unwrap_or_else(|e| panic!("seed {seed}, output {i}: {e}"));
        }
        several += 1;
    }
    println!("{several} programs with several loops, {inside} with one inside another");
    assert!(several > 20 && inside > 0, "{several} {inside}");
    let f = read(SUM);
    let [o] = loops(&f)[..] else { panic!("one loop") };
    let twice = [(o, Parts::new()), (o, Parts::new())];
    assert!(distribute_all(&f, &twice).is_err());
}
