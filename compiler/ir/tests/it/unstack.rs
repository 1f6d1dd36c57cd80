//! Taking stacks apart changes nothing that a program computes, but for the order of sums over layers; and a fixed program, to
//! see what it makes.

use crate::common::close;
use meshloom_ir::interp::eval;
use meshloom_ir::parse::parse;
use meshloom_ir::print::print;
use meshloom_ir::segments::{Cut, split};
use meshloom_ir::unstack::{Stack, unstack};
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Func, Op, Tensor};
use meshloom_random::{RandomOptions, Rng, inputs, mesh, program};

/// A step of training: the gradient of two layers' weights is summed over two microbatches, clipped by its norm, and subtracted.
const STEP: &str = "func @step on [d: 1] {
  input %0 w.*: f32[4] parameter stacked
  input %1 x: f32[2] input
  %2 = constant {0.0} : f32[4]
  %20 = repeat carries(%2) xs(%1) invariants(%0) {trip 2} : f32[4] {
    arg %3: f32[4]
    arg %4: f32
    arg %5: f32[4]
    %10, %11 = repeat carries(%4) xs(%5) invariants() {trip 4} : f32, f32[4] {
      arg %6: f32
      arg %7: f32
      %8 = multiply %6, %7 : f32
      yield %8, %6
    }
    %12 = add %3, %11 : f32[4]
    yield %12
  }
  %21 = multiply %20, %20 : f32[4]
  %22 = reduce %21 {sum [0]} : f32
  %23 = broadcast_in_dim %22 {dims []} : f32[4]
  %24 = divide %20, %23 : f32[4]
  %25 = subtract %0, %24 : f32[4]
  output %25 w.*: output updates %0
}";

#[test]
fn a_step_is_made_layer_by_layer() {
    let f = parse(STEP).unwrap_or_else(|e| panic!("{e}"));
    verify(&f).unwrap_or_else(|e| panic!("{}", show(&f, &e)));
    let inner = f.walk(Func::BODY).into_iter().find(|&o| matches!(f.op(o).op, Op::Repeat { trip: 4, .. })).unwrap();
    let s = split(&f, &[Cut { repeat: inner, at: vec![1] }]).unwrap();
    let made = unstack(&s.func, &[Stack { input: 0, bounds: vec![0, 1, 4] }]).unwrap();
    verify(&made.func).unwrap_or_else(|e| panic!("{}", show(&made.func, &e)));
    let text = print(&made.func);
    let count = |name: &str| made.func.ops.iter().filter(|o| o.op.name() == name).count();
    // Nothing is cut or put together: sums, norm and update are computed for each run of layers.
    assert_eq!((count("slice"), count("concatenate"), count("reduce"), count("divide")), (0, 0, 2, 2), "{text}");
    let names: Vec<(&str, u64)> = made.func.inputs.iter().map(|p| (p.name.as_str(), p.first_layer)).collect();
    assert_eq!(names, [("w.*", 0), ("w.*", 1), ("x", 0)]);
    assert!(text.contains(" stacked from 1"), "{text}");
    assert_eq!(meshloom_ir::parse::parse(&text).as_ref().map(print), Ok(text.clone()));
    assert_eq!(made.inputs, [(0, Some((0, 1))), (0, Some((1, 4))), (1, None)]);
    let updates: Vec<_> = made.func.outputs.iter().map(|p| p.updates).collect();
    assert_eq!(updates, [Some(0), Some(1)]);
    let w: Vec<f64> = vec![0.5, -1.5, 2.0, 0.25];
    let of = |x: &[f64]| Tensor::floats(meshloom_ir::DType::F32, &[x.len() as u64], x.to_vec());
    let whole = eval(&f, &[of(&w), of(&[1.0, 3.0])]).unwrap();
    let parts = eval(&made.func, &[of(&w[..1]), of(&w[1..]), of(&[1.0, 3.0])]).unwrap();
    close(&Tensor::concat(&[&parts[0], &parts[1]], 0), &whole[0], 1e-6).unwrap();
}

#[test]
fn programs_in_parts_compute_the_same() {
    let mut count = 0;
    for seed in 0..600u64 {
        let mut rng = Rng::new(seed);
        let mesh = mesh(&mut rng, 4);
        let mut f = program(seed, &RandomOptions::new(mesh));
        let mut loops = f.walk(Func::BODY).into_iter().filter(|&o| match f.op(o).op {
            Op::Repeat { trip, early: false, xs, .. } => trip > 1 && xs > 0 && f.op(o).parent == Func::BODY,
            _ => false,
        });
        let Some(o) = loops.next() else { continue };
        let Op::Repeat { trip, carries, xs, .. } = f.op(o).op else { continue };
        let at = 1 + rng.below(trip as usize - 1) as u64;
        let args = f.body().args.clone();
        let sliced: Vec<usize> =
            f.op(o).operands[carries..carries + xs].iter().filter_map(|x| args.iter().position(|a| a == x)).collect();
        sliced.iter().for_each(|&i| f.inputs[i].stacked = true);
        let s = split(&f, &[Cut { repeat: o, at: vec![at] }]).unwrap();
        let mut stacks: Vec<Stack> = sliced.iter().map(|&input| Stack { input, bounds: vec![0, at, trip] }).collect();
        stacks.dedup();
        let made = unstack(&s.func, &stacks).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        verify(&made.func).unwrap_or_else(|e| panic!("seed {seed}: {}\n{}", show(&made.func, &e), print(&made.func)));
        let data = inputs(&f, seed);
        let cut: Vec<Tensor> = made
            .inputs
            .iter()
            .map(|&(i, rows)| {
                rows.map_or_else(|| data[i].clone(), |(lo, hi)| data[i].block(0, lo as usize, (hi - lo) as usize))
            })
            .collect();
        let (a, b) = (eval(&f, &data).unwrap(), eval(&made.func, &cut).unwrap());
        for (i, x) in a.iter().enumerate() {
            let parts: Vec<&Tensor> = b.iter().zip(&made.outputs).filter(|(_, l)| l.0 == i).map(|(t, _)| t).collect();
            let y = if let [one] = parts[..] { one.clone() } else { Tensor::concat(&parts, 0) };
            close(x, &y, 1e-5).unwrap_or_else(|e| panic!("seed {seed}, output {i}: {e}"));
        }
        count += usize::from(!stacks.is_empty());
    }
    assert!(count > 50, "{count}");
}
