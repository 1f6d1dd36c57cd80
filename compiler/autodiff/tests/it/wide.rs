//! Wide backward loops: more ports, and nothing else.

use crate::common;
use crate::common::models::Gpt;
use crate::common::random::Rng;
use meshloom_autodiff::{TrainOptions, prune, train_step};
use meshloom_ir::print::print;
use meshloom_ir::{DType, Func, Op, OpId, Tensor, verify};

const SGD: &str = "sgd(loss, lr: 0.1)";

fn steps(loss: &Func) -> (Func, Func) {
    let [narrow, wide] = [false, true].map(|wide| {
        train_step(loss, &common::spec(SGD, loss), &TrainOptions { wide, ..TrainOptions::default() }).unwrap()
    });
    (narrow, wide)
}

fn backward(f: &Func) -> OpId {
    let reversed = |&o: &OpId| matches!(f.op(o).op, Op::Repeat { reverse: true, .. });
    f.walk(Func::BODY).into_iter().find(reversed).unwrap()
}

#[test]
fn every_parameter_and_the_carry_can_be_read_again() {
    let gpt = Gpt { layers: 3, d: 8, heads: 2, seq: 4, batch: 2, vocab: 5, dtype: DType::F64 };
    let (narrow, wide) = steps(&gpt.loss());
    verify::verify(&wide).unwrap();
    let slices = |f: &Func| match f.op(backward(f)).op {
        Op::Repeat { xs, .. } => f.op(backward(f)).operands[1..=xs].to_vec(),
        _ => unreachable!("a repeat"),
    };
    // Eight of the sixteen parameters of a block are read by its gradients; b2 is behind the last thing kept.
    let parameters = |f: &Func| slices(f).iter().filter(|&&v| f.def_op(v).is_none()).count();
    assert_eq!((parameters(&narrow), parameters(&wide)), (8, 15));
    assert_eq!(print(&prune(&wide)), print(&narrow));

    let mut rng = Rng(3);
    let inputs: Vec<Tensor> = wide.body().args.iter().map(|&a| rng.tensor_of(wide.ty(a))).collect();
    let (a, b) = (common::eval(&narrow, &inputs), common::eval(&wide, &inputs));
    for (x, y) in a.iter().zip(&b) {
        assert!((0..x.len()).all(|i| x.f(i) == y.f(i)));
    }
}

#[test]
fn random_loops_stay_what_they_are() {
    let mut widened = 0;
    for seed in 0..200 {
        let (narrow, wide) = steps(&common::random::program(&mut Rng(seed)));
        verify::verify(&wide).unwrap_or_else(|e| panic!("seed {seed}: {}", verify::show(&wide, &e)));
        assert_eq!(print(&prune(&wide)), print(&narrow), "seed {seed}");
        widened += usize::from(wide.values.len() > narrow.values.len());
    }
    assert!(widened > 5, "{widened} programs had anything to recompute");
}
