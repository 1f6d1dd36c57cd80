//! The shape of what autodiff gives: what loops keep, tags, phases, places, and what it refuses.

use crate::common;
use crate::common::models::Gpt;
use crate::common::{input, loss, mesh, port};
use meshloom_autodiff::{AutodiffError, TrainOptions, train_step};
use meshloom_ir::{
    Axis, Builder, Constraint, DType, Def, Einsum, FileId, Func, Layout, Op, OpId, Phase, Reduction, Role, Span,
    TensorType, ValueId,
};

const SGD: &str = "sgd(loss, lr: 0.1)";

fn step(f: &Func) -> Func {
    let f = train_step(f, &common::spec(SGD, f), &TrainOptions::default()).unwrap();
    common::check(&f);
    f
}

fn gpt() -> Func {
    step(&Gpt { layers: 3, d: 8, heads: 2, seq: 4, batch: 2, vocab: 5, dtype: DType::F32 }.loss())
}

fn ops(f: &Func, keep: impl Fn(&Op) -> bool) -> Vec<OpId> {
    f.walk(Func::BODY).into_iter().filter(|&o| keep(&f.op(o).op)).collect()
}

fn is_dot(op: &Op) -> bool {
    matches!(op, Op::DotGeneral(_))
}

fn is_repeat(op: &Op) -> bool {
    matches!(op, Op::Repeat { .. })
}

/// What defines a value, as one word.
fn made_by(f: &Func, v: ValueId) -> String {
    match f.value(v).def {
        Def::Op(o, _) => f.op(o).op.name().to_string(),
        Def::Arg(_, i) => format!("arg {i}"),
    }
}

#[test]
fn what_the_forward_loop_keeps() {
    let f = gpt();
    let [forward, backward] = ops(&f, is_repeat)[..] else { panic!("two loops") };
    let body = f.region(f.op(forward).regions[0]);
    let mut kept: Vec<String> = body.yields[1..].iter().map(|&y| made_by(&f, y)).collect();
    kept.sort();
    // Two layer norms (read by contractions), q k v and the first residual after their additions, the hidden layer before
    // and after gelu, attention's results, the carry. No projection's bare result, no parameter, nothing twice.
    let expected = ["add", "add", "add", "add", "add", "add", "add", "arg 0", "composite", "composite", "multiply"];
    assert_eq!(kept, expected);
    let Op::Repeat { carries: 1, xs, reverse: true, trip: 3, .. } = f.op(backward).op else { panic!("a reverse loop") };
    let (stacked, whole) = f.op(backward).operands[1..].split_at(xs);
    assert!(whole.is_empty());
    let parameters = stacked.iter().filter(|&&v| made_by(&f, v).starts_with("arg")).count();
    // Weights and gains, read again from where they are; biases are not needed.
    assert_eq!((parameters, stacked.len()), (8, 8 + expected.len()));
}

#[test]
fn the_backward_body_repeats_no_contraction() {
    let f = gpt();
    let [forward, backward] = ops(&f, is_repeat)[..] else { panic!("two loops") };
    let dots = |o: OpId| {
        let body = f.op(o).regions[0];
        f.region(body).ops.iter().filter(|&&o| is_dot(&f.op(o).op)).count()
    };
    assert_eq!((dots(forward), dots(backward)), (6, 12));
    let composites = ops(&f, |op| matches!(op, Op::Composite { .. }));
    let names: Vec<String> = composites.iter().map(|&o| format!("{:?}", f.op(o).op)).collect();
    assert!(names.len() == 2 && names[1].contains("attention_grad"), "{names:?}");
}

#[test]
fn weight_gradients_are_tagged() {
    let f = gpt();
    let tagged = ops(&f, |op| is_dot(op) || matches!(op, Op::Scatter { .. }));
    let mut shapes: Vec<&[u64]> =
        tagged.iter().filter(|o| f.op(**o).weight_grad).map(|&o| f.ty(f.op(o).results[0]).shape.as_slice()).collect();
    shapes.sort();
    // The embedding, the head, and in the loop body q k v and the output, up, down.
    let expected: [&[u64]; 8] = [&[5, 8], &[8, 5], &[8, 8], &[8, 8], &[8, 8], &[8, 8], &[8, 32], &[32, 8]];
    assert_eq!(shapes, expected);
    assert!(f.ops.iter().filter(|o| o.weight_grad).all(|o| o.phase == Phase::Backward));
}

#[test]
fn phases_stand_in_order() {
    let f = gpt();
    let phases: Vec<Phase> = f.body().ops.iter().map(|&o| f.op(o).phase).collect();
    assert!(phases.is_sorted());
    assert_eq!(phases.last(), Some(&Phase::Update));
}

#[test]
fn kept_values_grow_with_use_alone() {
    // tanh's gradient needs its result and nothing else; the loop keeps one value and carries one.
    let mut b = Builder::new("f", mesh());
    let ty = TensorType::new(DType::F32, vec![4]);
    let p = input(&mut b, "p", Role::Parameter, ty.clone());
    let body = b.open();
    let x = b.arg(body, ty);
    let t = b.elem("tanh", &[x]);
    let t = b.neg(t);
    let body = b.close(vec![t]);
    let r = b.repeat(3, false, 1, 0, &[p], body).unwrap();
    let l = b.reduce(Reduction::Sum, r[0], &[0]);
    loss(&mut b, l);
    let f = step(&b.finish());
    let forward = ops(&f, is_repeat)[0];
    assert_eq!(f.op(forward).results.len(), 2);
}

#[test]
fn backward_ops_name_the_source_of_their_forward_op() {
    let mut b = Builder::new("f", mesh());
    let w = input(&mut b, "w", Role::Parameter, TensorType::new(DType::F32, vec![3, 4]));
    let x = input(&mut b, "x", Role::Input, TensorType::new(DType::F32, vec![2, 3]));
    let place = Span::new(FileId(1), 10, 20);
    b.span = place;
    let y = b.dot(Einsum::parse("bi,ij->bj").unwrap(), x, w);
    b.span = Span::new(FileId(1), 30, 40);
    let t = b.elem("tanh", &[y]);
    let l = b.reduce(Reduction::Sum, t, &[0, 1]);
    loss(&mut b, l);
    let f = step(&b.finish());
    let dots = ops(&f, is_dot);
    assert_eq!(dots.len(), 2);
    assert!(dots.iter().all(|&o| f.op(o).span == place));
    assert!(f.ops.iter().filter(|o| o.phase == Phase::Backward && !is_dot(&o.op)).all(|o| o.span.start == 30));
}

#[test]
fn a_written_layout_holds_for_the_cotangent() {
    let mut b = Builder::new("f", mesh());
    let w = input(&mut b, "w", Role::Parameter, TensorType::new(DType::F32, vec![4, 4]));
    let split = Constraint::exactly(&Layout { dims: vec![vec![Axis(0)], vec![]], ..Layout::replicated(2) });
    let y = b.elem("tanh", &[w]);
    let y = b.op(Op::Constrain(split.clone()), &[y]);
    let yy = b.mul(y, y);
    let l = b.reduce(Reduction::Sum, yy, &[0, 1]);
    loss(&mut b, l);
    let f = step(&b.finish());
    let pinned = ops(&f, |op| *op == Op::Constrain(split.clone()));
    let phases: Vec<Phase> = pinned.iter().map(|&o| f.op(o).phase).collect();
    assert_eq!(phases, [Phase::Forward, Phase::Backward]);
}

#[test]
fn ports() {
    let gpt = Gpt { layers: 1, d: 4, heads: 1, seq: 2, batch: 2, vocab: 5, dtype: DType::F32 };
    let split = Constraint::exactly(&Layout { dims: vec![vec![Axis(0)], vec![]], ..Layout::replicated(2) });
    let mut options = TrainOptions { gradients: true, ..TrainOptions::default() };
    options.state.insert("head".into(), split.clone());
    let spec = common::spec("adamw(loss, lr: 0.1, betas: (0.9, 0.95), weight_decay: 0)", &gpt.loss());
    let f = train_step(&gpt.loss(), &spec, &options).unwrap();
    common::check(&f);
    let roles: Vec<Role> = f.inputs.iter().map(|p| p.role).collect();
    assert!(roles.is_sorted());
    assert_eq!(roles.iter().filter(|r| **r == Role::State).count(), 2 * 21 + 1);
    for (name, role) in [("loss", Role::Loss), ("grad_norm", Role::Metric), ("lr", Role::Metric)] {
        assert_eq!(f.outputs[f.output(name).unwrap()].role, role);
    }
    for (at, p) in f.inputs.iter().enumerate().filter(|(_, p)| p.role != Role::Input) {
        let next = f.outputs.iter().find(|o| o.updates == Some(at)).unwrap();
        assert_eq!((&next.name, next.stacked, &next.constraint), (&p.name, p.stacked, &p.constraint));
    }
    for (name, c) in [("m.head", &split), ("v.head", &split), ("m.wte", &Constraint::absent(2))] {
        assert_eq!(f.inputs[f.input(name).unwrap()].constraint, *c);
    }
    let grad = &f.outputs[f.output("grad.blocks.*.wq").unwrap()];
    assert!(grad.stacked && grad.role == Role::Gradient);
}

fn refusal(build: impl FnOnce(&mut Builder)) -> AutodiffError {
    let mut b = Builder::new("f", mesh());
    build(&mut b);
    let f = b.finish();
    train_step(&f, &common::spec(SGD, &f), &TrainOptions::default()).unwrap_err()
}

#[test]
fn refusals() {
    let floats = |shape: &[u64]| TensorType::new(DType::F32, shape);
    let e = refusal(|b| {
        let x = input(b, "x", Role::Input, floats(&[]));
        loss(b, x);
    });
    assert_eq!(e.message, "`f` has no parameters to train");
    let e = refusal(|b| {
        let p = input(b, "p", Role::Parameter, floats(&[2]));
        b.output(p, port("y", Role::Output, 1));
    });
    assert_eq!(e.message, "`f` has no loss");
    let e = refusal(|b| {
        let p = input(b, "p", Role::Parameter, floats(&[2]));
        b.output(p, port("loss", Role::Loss, 1));
    });
    assert_eq!(e.message, "the loss is f32[2]; training needs a float scalar");
    let e = refusal(|b| {
        let p = input(b, "p", Role::Parameter, floats(&[]));
        input(b, "n", Role::Parameter, TensorType::scalar(DType::I32));
        loss(b, p);
    });
    assert_eq!(e.message, "parameter `n` is i32; only floats are trained");
    let e = refusal(|b| {
        let p = input(b, "p", Role::Parameter, floats(&[]));
        input(b, "step", Role::Input, floats(&[]));
        loss(b, p);
    });
    assert_eq!(e.message, "`step` is the name of optimizer state");
}
