//! Taking the last iteration out of a loop changes nothing that a program computes; and a fixed program, to see what it makes.

use crate::common::close;
use meshloom_ir::graph::OpId;
use meshloom_ir::interp::eval;
use meshloom_ir::parse::parse;
use meshloom_ir::peel::last_iteration;
use meshloom_ir::print::print;
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Func, Op};
use meshloom_random::{RandomOptions, Rng, inputs, mesh, program};

/// A sum over microbatches, and a stack of what each of them comes to.
const SUM: &str = "func @sum on [d: 1] {
  input %0 x: f32[5, 3] input
  input %1 w: f32[3] parameter
  %2 = constant {0.0} : f32[3]
  %8, %9 = repeat carries(%2) xs(%0) invariants(%1) {trip 5} : f32[3], f32[5, 3] {
    arg %3: f32[3]
    arg %4: f32[3]
    arg %5: f32[3]
    %6 = multiply %4, %5 : f32[3]
    %7 = add %3, %6 : f32[3]
    yield %7, %6
  }
  output %8 g: output
  output %9 all: output
}
";

const APART: &str = "func @sum on [d: 1] {
  input %0 x: f32[5, 3] input
  input %1 w: f32[3] parameter
  %2 = constant {0.0} : f32[3]
  %3 = slice %0 {[0:4, 0:3]} : f32[4, 3]
  %4 = slice %0 {[4:5, 0:3]} : f32[1, 3]
  %5 = reshape %4 : f32[3]
  %6, %7 = repeat carries(%2) xs(%3) invariants(%1) {trip 4} : f32[3], f32[4, 3] {
    arg %8: f32[3]
    arg %9: f32[3]
    arg %10: f32[3]
    %11 = multiply %9, %10 : f32[3]
    %12 = add %8, %11 : f32[3]
    yield %12, %11
  }
  %13 = multiply %5, %1 : f32[3]
  %14 = add %6, %13 : f32[3]
  %15 = reshape %13 : f32[1, 3]
  %16 = concatenate %7, %15 {dim 0} : f32[5, 3]
  output %14 g: output
  output %16 all: output
}
";

fn read(text: &str) -> Func {
    let f = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&f).unwrap_or_else(|e| panic!("{}", show(&f, &e)));
    f
}

fn repeats(f: &Func) -> Vec<OpId> {
    f.walk(Func::BODY).into_iter().filter(|&o| matches!(f.op(o).op, Op::Repeat { .. })).collect()
}

#[test]
fn the_last_iteration_stands_after_the_loop() {
    let f = read(SUM);
    let made = last_iteration(&f, repeats(&f)[0]).expect("a loop");
    assert_eq!(print(&made), APART);
}

#[test]
fn programs_compute_the_same() {
    let (mut taken, mut refused) = (0, 0);
    for seed in 0..600u64 {
        let mut rng = Rng::new(seed);
        let mesh = mesh(&mut rng, 4);
        let f = program(seed, &RandomOptions::new(mesh));
        for o in repeats(&f) {
            let Op::Repeat { trip, reverse, early, .. } = f.op(o).op else { continue };
            let Some(made) = last_iteration(&f, o) else {
                assert!(trip < 2 || reverse || early || f.op(o).parent != Func::BODY, "seed {seed}");
                refused += 1;
                continue;
            };
            verify(&made).unwrap_or_else(|e| panic!("seed {seed}: {}", show(&made, &e)));
            let data = inputs(&f, seed);
            let (a, b) = (eval(&f, &data).unwrap(), eval(&made, &data).unwrap());
            for (i, (x, y)) in a.iter().zip(&b).enumerate() {
                // The same operations on the same numbers in the same order.
                close(x, y, 0.0).unwrap_or_else(|e| panic!("seed {seed}, output {i}: {e}"));
            }
            taken += 1;
        }
    }
    println!("{taken} loops, {refused} left as they are");
    assert!(taken > 50, "{taken} loops");
}
