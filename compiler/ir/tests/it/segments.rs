//! Splitting loops changes nothing that a program computes; and two fixed programs, to see what it makes.

use crate::common::close;
use meshloom_ir::graph::OpId;
use meshloom_ir::interp::eval;
use meshloom_ir::parse::parse;
use meshloom_ir::print::print;
use meshloom_ir::segments::{Cut, split};
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Func, Op};
use meshloom_random::{RandomOptions, Rng, inputs, mesh, program};

fn read(text: &str) -> Func {
    let f = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&f).unwrap_or_else(|e| panic!("{}", show(&f, &e)));
    f
}

fn repeats(f: &Func) -> Vec<(OpId, u64)> {
    let trip = |o: OpId| match f.op(o).op {
        Op::Repeat { trip, .. } => Some((o, trip)),
        _ => None,
    };
    f.walk(Func::BODY).into_iter().filter_map(trip).collect()
}

/// A forward loop whose stack a reverse loop slices, beside a parameter that both slice.
const BOTH: &str = "func @both on [d: 1] {
  input %0 x: f32 input
  input %1 w: f32[5] parameter
  %6, %7 = repeat carries(%0) xs(%1) invariants() {trip 5} : f32, f32[5] {
    arg %2: f32
    arg %3: f32
    %4 = multiply %2, %3 : f32
    %5 = tanh %4 : f32
    yield %5, %2
  }
  %15, %16 = repeat carries(%6) xs(%1, %7) invariants() {trip 5 reverse} : f32, f32[5] {
    arg %8: f32
    arg %9: f32
    arg %10: f32
    %11 = multiply %8, %10 : f32
    %12 = multiply %8, %9 : f32
    yield %12, %11
  }
  output %15 gx: output
  output %16 gw: output
}";

const SPLIT: &str = "func @both on [d: 1] {
  input %0 x: f32 input
  input %1 w: f32[5] parameter
  %2 = slice %1 {[0:2]} : f32[2]
  %3 = slice %1 {[2:5]} : f32[3]
  %4, %5 = repeat carries(%0) xs(%2) invariants() {trip 2} : f32, f32[2] {";

#[test]
fn the_reverse_loop_is_cut_with_it_and_stashes_stay_in_parts() {
    let f = read(BOTH);
    let (first, _) = repeats(&f)[0];
    let s = split(&f, &[Cut { repeat: first, at: vec![2] }]).unwrap();
    let text = print(&s.func);
    assert!(text.starts_with(SPLIT), "{text}");
    let trips: Vec<(u64, bool)> = repeats(&s.func)
        .iter()
        .map(|&(o, n)| (n, matches!(s.func.op(o).op, Op::Repeat { reverse: true, .. })))
        .collect();
    assert_eq!(trips, [(2, false), (3, false), (3, true), (2, true)]);
    let count = |name: &str| s.func.ops.iter().filter(|o| o.op.name() == name).count();
    // The parameter is cut once for both loops; the stash is never whole, its gradient is.
    assert_eq!((count("slice"), count("concatenate")), (2, 1), "{text}");
    assert_eq!(s.segments.iter().flatten().count(), 4);
}

#[test]
fn cuts_that_make_no_sense_are_errors() {
    let f = read(BOTH);
    let [(first, _), (second, _)] = repeats(&f)[..] else { panic!("two loops") };
    let error = |cuts: &[Cut]| split(&f, cuts).unwrap_err();
    let cut = |repeat, at: &[u64]| Cut { repeat, at: at.to_vec() };
    assert_eq!(error(&[cut(OpId(99), &[1])]), "a cut names an op that the program does not have");
    assert_eq!(
        error(&[cut(OpId(0), &[1])]),
        "a cut names a `sine`, which is no loop".replace("sine", f.ops[0].op.name())
    );
    for at in [&[][..], &[0], &[5], &[6], &[3, 2], &[2, 2]] {
        assert_eq!(error(&[cut(first, at)]), format!("a loop of 5 iterations cannot be cut at {at:?}"));
    }
    assert_eq!(error(&[cut(first, &[2]), cut(second, &[3])]), "a loop is cut twice");
}

#[test]
fn split_programs_compute_the_same() {
    let (mut cut, mut nested) = (0, 0);
    for seed in 0..600u64 {
        let mut rng = Rng::new(seed);
        let mesh = mesh(&mut rng, 4);
        let f = program(seed, &RandomOptions::new(mesh));
        let loops = repeats(&f);
        for &(o, trip) in loops.iter().filter(|l| l.1 > 1) {
            let mut at: Vec<u64> = (1..trip).filter(|_| rng.chance(50)).collect();
            if at.is_empty() {
                at.push(1);
            }
            let s = split(&f, &[Cut { repeat: o, at: at.clone() }]).unwrap();
            verify(&s.func).unwrap_or_else(|e| panic!("seed {seed}: {}", show(&s.func, &e)));
            assert_eq!((s.values.len(), s.ops.len()), (s.func.values.len(), s.func.ops.len()));
            assert_eq!(s.segments.len(), s.func.regions.len());
            let data = inputs(&f, seed);
            let (a, b) = (eval(&f, &data).unwrap(), eval(&s.func, &data).unwrap());
            for (i, (x, y)) in a.iter().zip(&b).enumerate() {
                // The same operations on the same numbers in the same order.
                close(x, y, 0.0).unwrap_or_else(|e| panic!("seed {seed}, output {i}: {e}"));
            }
            // A certificate names values of the split program by their numbers in its text: those must outlive a round trip of
            // the program that is given.
            let again = parse(&print(&f)).unwrap();
            let place = loops.iter().position(|l| l.0 == o).unwrap();
            let cut_again = Cut { repeat: repeats(&again)[place].0, at };
            assert_eq!(print(&split(&again, &[cut_again]).unwrap().func), print(&s.func), "seed {seed}");
            cut += 1;
            nested += usize::from(f.op(o).parent != Func::BODY);
        }
    }
    println!("{cut} cuts, {nested} of them inside other loops");
    assert!(cut > 100, "{cut} cuts");
}
