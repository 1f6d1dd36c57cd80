//! Axes that do not divide their dims: the results are those of one device, whatever pads the shards.

use crate::support::*;
use meshloom_ir::{Op, Reduction};
use meshloom_plan::{Mode, PlanOptions};

/// Both ways of planning: certified, and run with NaN in the padding. How many masks each has.
fn both(func: &meshloom_ir::Func, tolerance: f64) -> [usize; 2] {
    [Mode::Follow, Mode::Search].map(|mode| {
        let p = planned_with(func, &PlanOptions { mode, ..PlanOptions::default() });
        runs_alike(func, &p, 3, tolerance);
        p.local.ops.iter().filter(|o| matches!(o.op, Op::PadMask { .. })).count()
    })
}

/// A batch of 6 over 4 devices and a vocabulary of 11 over 4 others, in a GPT's train step.
#[test]
fn a_gpt_with_an_uneven_batch_and_vocabulary() {
    let mesh = &[("data", 4), ("model", 4)];
    let dims = [("batch", 6), ("seq", 3), ("d", 8), ("heads", 4), ("head", 2), ("vocab", 11)];
    let func = program_with(GPT_TINY, mesh, Some("megatron"), &dims);
    let [follow, _] = both(&func, 1e-4);
    assert!(follow > 10, "{follow} masks");
}

/// Six heads over four devices.
#[test]
fn uneven_heads() {
    let mesh = &[("data", 1), ("model", 4)];
    let dims = [("batch", 2), ("seq", 3), ("d", 12), ("heads", 6), ("head", 2), ("vocab", 8)];
    both(&program_with(GPT_TINY, mesh, Some("megatron"), &dims), 1e-4);
}

/// Clipping takes the norm of gradients that are split unevenly over the devices that hold them.
#[test]
fn norms_of_uneven_gradients() {
    let mesh = &[("data", 3), ("model", 4)];
    let dims = [("batch", 5), ("seq", 3), ("embed", 10), ("heads", 3), ("head", 2), ("hidden", 7), ("vocab", 11)];
    let source = GPT.replace("layout megatron {", "layout megatron {\n    params tok: [model, data]");
    both(&program_with(&source, mesh, Some("megatron"), &dims), 1e-4);
}

const MIXED: &str = "
mesh [data: 4, model: 2]
dim rows = 10, cols = 7, out = 5, vocab = 13
struct P {
    table: f32[vocab, cols] @ [data, model],
    w:     f32[cols, out]   @ [model, data],
    norm:  LayerNorm[cols],
}
entry mixed(p: P, x: f32[rows, cols] @ [data, model], ids: i32[rows] in 0..vocab @ [data])
    -> (f32[rows, out], f32[cols, rows], f32[rows], f32)
{
    let y = layer_norm(x + p.table[ids], p.norm)
    let s = softmax(y)
    let t = transpose(s) @ [data, model]
    (dot(s, p.w), t, max(y, -1), mean(t))
}
";

#[test]
fn every_kind_of_op() {
    let func = program(MIXED, &[("data", 4), ("model", 2)], None);
    both(&func, 1e-5);
}

const SUM: &str = "func @f on [x: 4] {
  input %0 a: f32[6, 5] input constraint [x, _]
  %1 = exponential %0 : f32[6, 5]
  %2 = reduce %1 {sum [0]} : f32[5]
  %3 = reduce %1 {max [0]} : f32[5]
  %4 = multiply %1, %1 : f32[6, 5]
  %5 = reduce %4 {sum [0]} : f32[5]
  output %2 sum: output constraint [_]
  output %3 max: output constraint [_]
  output %5 squares: output constraint [_]
}";

/// One mask per use, each with its reduction's identity; a square of what is masked would need none.
#[test]
fn masks_stand_where_they_are_needed() {
    let func = meshloom_ir::parse::parse(SUM).expect("the text parses");
    let p = planned(&func);
    runs_alike(&func, &p, 0, 1e-6);
    let masks = p.local.ops.iter().filter_map(|o| match o.op {
        Op::PadMask { kind, size: 6, dim: 0, .. } => Some(kind),
        _ => None,
    });
    assert_eq!(masks.collect::<Vec<_>>(), [Reduction::Sum, Reduction::Max, Reduction::Sum]);
}

/// A vocabulary of 1003 and nothing else that 8 devices could share: the search splits it by itself, following does not.
#[test]
fn a_search_splits_unevenly_where_little_is_padded() {
    let source = "
mesh [model: 8]
dim batch = 5, d = 7, vocab = 1003
entry head(w: f32[d, vocab], x: f32[batch, d]) -> f32 { mean(softmax(dot(x, w)) * dot(x, w)) }
";
    let func = program(source, &[("model", 8)], None);
    let shards = |mode, budget| {
        let p = planned_with(&func, &PlanOptions { mode, budget, ..PlanOptions::default() });
        runs_alike(&func, &p, 5, 1e-5);
        p.local.ty(p.local.body().args[0]).shape.clone()
    };
    // The whole table has 28 KB.
    assert_eq!(shards(Mode::Search, Some(27_000))[..], [7, 126]);
    assert_eq!(shards(Mode::Follow, None)[..], [7, 1003]);
}

/// Even programs have none, and nobody splits unevenly unasked where much would be padded.
#[test]
fn nothing_uneven_unasked() {
    let text = SUM.replace("constraint [x, _]", "constraint [_, _]");
    for mode in [Mode::Follow, Mode::Search] {
        let func = meshloom_ir::parse::parse(&text).expect("the text parses");
        let p = planned_with(&func, &PlanOptions { mode, ..PlanOptions::default() });
        let mesh = &func.mesh;
        let even = |v: &meshloom_plan::TensorPlan| (0..v.shape.len()).all(|d| !v.layout.is_uneven(d, v.shape[d], mesh));
        assert!(p.tensors.iter().all(even));
        assert!(!p.local.ops.iter().any(|o| matches!(o.op, Op::PadMask { .. })));
    }
}
