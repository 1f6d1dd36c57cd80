//! The interpreters on whole programs: loops, composites, errors, and random programs.

use crate::common::close;
use meshloom_ir::graph::ValueId;
use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::parse::parse;
use meshloom_ir::print::{print, print_with_spans};
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{DType, Func, Layout, Tensor};
use meshloom_random::{RandomOptions, Rng, inputs, mesh, program};

fn read(text: &str) -> Func {
    let f = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&f).unwrap_or_else(|e| panic!("{}", show(&f, &e)));
    f
}

fn ints(shape: &[u64], data: &[i64]) -> Tensor {
    Tensor::ints(DType::I32, shape, data.to_vec())
}

const LOOP: &str = "func @loop on [d: 1] {
  input %0 c: i32 input
  input %1 xs: i32[3] input
  input %2 k: i32 input
  %7, %8 = repeat carries(%0) xs(%1) invariants(%2) {trip 3 REVERSE} : i32, i32[3] {
    arg %3: i32
    arg %4: i32
    arg %5: i32
    %6 = multiply %3, %5 : i32
    %9 = add %6, %4 : i32
    yield %9, %6
  }
  output %7 c: output
  output %8 ys: output
}";

#[test]
fn repeat_scans_forward_and_backward() {
    let args = [ints(&[], &[1]), ints(&[3], &[1, 2, 3]), ints(&[], &[10])];
    let forward = read(&LOOP.replace(" REVERSE", ""));
    let out = eval(&forward, &args).unwrap();
    assert_eq!(out, [ints(&[], &[1123]), ints(&[3], &[10, 110, 1120])]);
    // Iterations 2, 1, 0: xs are read and ys written at the iteration's own place.
    let reverse = read(&LOOP.replace("REVERSE", "reverse"));
    let out = eval(&reverse, &args).unwrap();
    assert_eq!(out, [ints(&[], &[1321]), ints(&[3], &[1320, 130, 10])]);
}

#[test]
fn a_repeat_of_no_iterations_passes_its_carries() {
    let text = LOOP.replace(" REVERSE", "").replace("trip 3", "trip 0").replace("i32[3]", "i32[0]");
    let out = eval(&read(&text), &[ints(&[], &[5]), ints(&[0], &[]), ints(&[], &[2])]).unwrap();
    assert_eq!(out, [ints(&[], &[5]), ints(&[0], &[])]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let f = read(&LOOP.replace(" REVERSE", ""));
    let e = eval(&f, &[ints(&[], &[1])]).unwrap_err();
    assert_eq!(e, "`loop` has 3 inputs; 1 were given");
    let e = eval(&f, &[ints(&[], &[1]), ints(&[2], &[1, 2]), ints(&[], &[1])]).unwrap_err();
    assert_eq!(e, "input `xs` is i32[3]; i32[2] was given");
    let large = "func @t on [d: 2] {\n %0 = constant {0.0} : f32[4294967296]\n output %0 x: output }";
    assert!(eval(&read(large), &[]).unwrap_err().contains("too large to interpret"));
    let local = "func @t on [d: 2] {\n %0 = constant {0.0} : f32\n %1 = all_reduce %0 {sum over d} : f32\n output %1 x: output }";
    assert!(eval(&read(local), &[]).unwrap_err().contains("local program"));
    assert!(spmd::run(&read(local), &[vec![]]).unwrap_err().contains("inputs of 1 devices for 2"));
    assert_eq!(spmd::run(&read(local), &[vec![], vec![]]).unwrap().1.per_device(), 4.0);
    let many = "func @t on [d: 1048576] {\n %0 = constant {0.0} : f32\n output %0 x: output }";
    assert!(spmd::run_global(&read(many), &[]).unwrap_err().contains("too many"));
}

/// Bytes in a loop add up over the iterations.
#[test]
fn a_local_matmul_in_a_loop() {
    let global = "func @t on [d: 4] {
      input %0 x: f64[4, 8] input
      input %1 w: f64[3, 8, 8] parameter stacked
      %4 = repeat carries(%0) xs(%1) invariants() {trip 3} : f64[4, 8] {
        arg %2: f64[4, 8]
        arg %3: f64[8, 8]
        %5 = dot_general %2, %3 {ab,bc->ac} : f64[4, 8]
        yield %5
      }
      output %4 y: output
    }";
    let local = "func @t on [d: 4] {
      input %0 x: f64[4, 2] @ [_, d] input
      input %1 w: f64[3, 2, 8] @ [_, d, _] parameter stacked
      %4 = repeat carries(%0) xs(%1) invariants() {trip 3} : f64[4, 2] @ [_, d] {
        arg %2: f64[4, 2]
        arg %3: f64[2, 8]
        %5 = dot_general %2, %3 {ab,bc->ac} : f64[4, 8]
        %6 = reduce_scatter %5 {sum dim 1 over d} : f64[4, 2]
        yield %6
      }
      output %4 y: output
    }";
    let (global, local) = (read(global), read(local));
    let data = inputs(&global, 1);
    let (out, traffic) = spmd::run_global(&local, &data).unwrap();
    close(&eval(&global, &data).unwrap()[0], &out[0], 1e-12).unwrap();
    assert_eq!(traffic.per_device(), 3.0 * 0.75 * 4.0 * 8.0 * 8.0);
}

#[test]
fn random_programs_verify_round_trip_and_run() {
    let mut ops = std::collections::BTreeSet::new();
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let mut options = RandomOptions::new(mesh(&mut rng, 8));
        options.dtype = if seed % 4 == 0 { DType::F32 } else { DType::F64 };
        let f = program(seed, &options);
        verify(&f).unwrap_or_else(|e| panic!("seed {seed}: {}", show(&f, &e)));
        let text = print_with_spans(&f);
        let g = parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(print_with_spans(&g), text);
        verify(&g).unwrap();
        ops.extend(f.ops.iter().map(|o| o.op.name()));
        let data = inputs(&f, seed);
        let out = eval(&f, &data).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        for t in &out {
            for i in 0..t.len() {
                assert!(t.f(i).abs() < 1e6, "seed {seed}: {}", t.f(i));
            }
        }
        assert_eq!(eval(&g, &data).unwrap(), out);
        // The same program on every device is a local program with everything replicated.
        let mut replicated = f.clone();
        for v in &mut replicated.values {
            v.layout = Some(Layout::replicated(v.ty.rank()));
        }
        let (whole, traffic) = spmd::run_global(&replicated, &data).unwrap();
        assert_eq!((whole, traffic.per_device()), (out, 0.0));
    }
    for op in
        ["dot_general", "gather", "scatter", "repeat", "composite", "slice", "pad", "concatenate", "select", "iota"]
    {
        assert!(ops.contains(op), "no random program has {op}");
    }
}

#[test]
fn random_programs_follow_from_their_seed() {
    let options = RandomOptions::new(mesh(&mut Rng::new(1), 8));
    assert_eq!(print(&program(5, &options)), print(&program(5, &options)));
    let all: std::collections::BTreeSet<String> = (0..50).map(|s| print(&program(s, &options))).collect();
    assert_eq!(all.len(), 50);
}

/// Parsing closes gaps, so that ids are dense again after a phase left dead values behind.
#[test]
fn ids_of_parsed_programs_are_dense() {
    let f = program(3, &RandomOptions::new(mesh(&mut Rng::new(1), 8)));
    let g = parse(&print(&f)).unwrap();
    for (i, v) in g.values.iter().enumerate() {
        let home = match v.def {
            meshloom_ir::Def::Op(o, n) => g.op(o).results[n as usize],
            meshloom_ir::Def::Arg(r, n) => g.region(r).args[n as usize],
        };
        assert_eq!(home, ValueId(i as u32));
    }
}
