//! Programs as users write them that the proof once refused though their schedules are right.

use crate::support::{Case, source, source_in, text};
use meshloom_ir::{DType, Func, Op, OpData};

fn accepted(name: &str, text: &str) {
    all_proved(source(name, text, &[], None));
}

fn all_proved(cases: Vec<Case>) {
    for case in cases {
        let audit = case.accepted();
        assert!(audit.is_proved(), "{}: {}\n{}", case.name, audit.unfollowed[0], case.text());
    }
}

#[test]
fn training_in_8_bits() {
    let mesh: &[(&str, u64)] = &[("data", 2), ("model", 2)];
    for (name, mesh) in [("mlp.loom", mesh), ("gpt_tiny.loom", &[])] {
        all_proved(source_in(Some(DType::F8E4M3), name, &text(name), mesh, None));
    }
}

/// What is beyond the end of an uneven dim is masked in 8 bits, and a CPU keeps the result in 16.
#[test]
fn masks_in_8_bits() {
    let text = "mesh [data: 1, ctx: 1]
dim batch = 4, d = 8, vocab = 64
struct Net {
    tok:  f32[vocab, d] = normal(0.3),
    head: f32[d, vocab] = normal(0.2),
}
fn loss(m: Net, x: i32[batch] in 0..vocab @ [data], y: i32[batch] in 0..vocab @ [data]) -> f32 {
    mean(cross_entropy(dot(embedding(m.tok, x), m.head), y))
}
train net = sgd(loss, lr: 0.1, precision: fp8)
layout fsdp {
    params *: largest(ctx)
}
";
    let cases = source("masks.loom", text, &[("ctx", 3)], Some("fsdp"));
    let masked = |c: &Case| c.local.ops.iter().any(|o| matches!(o.op, Op::PadMask { .. }) && is_eight(&c.local, o));
    assert!(cases.iter().any(masked), "nothing is masked in 8 bits\n{}", cases[0].text());
    all_proved(cases);
}

fn is_eight(func: &Func, o: &OpData) -> bool {
    matches!(func.ty(o.results[0]).dtype, DType::F8E4M3 | DType::F8E5M2)
}

/// Two arrays of the same constants in two shapes lie in memory alike.
#[test]
fn constants_in_two_shapes() {
    let text =
        "func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x2xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.constant dense<[[1.5, -2.5, 3.5], [4.5, -5.5, 6.5]]> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[[1.5, -2.5], [3.5, 4.5], [-5.5, 6.5]]> : tensor<3x2xf32>
  %2 = stablehlo.multiply %arg0, %0 : tensor<2x3xf32>
  %3 = stablehlo.multiply %arg1, %1 : tensor<3x2xf32>
  return %2, %3 : tensor<2x3xf32>, tensor<3x2xf32>
}
";
    accepted("constants.mlir", text);
}

/// Two triangles that one kernel writes: where one is zero, so is the other. Which is which needs no cut along the diagonal, and as much
/// work for any size.
#[test]
fn triangles() {
    let text = "func.func public @main(%arg0: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
  %1 = stablehlo.iota dim = 1 : tensor<8x8xi32>
  %2 = stablehlo.compare GE, %0, %1, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
  %3 = stablehlo.constant dense<0.0> : tensor<8x8xf32>
  %4 = stablehlo.exponential %arg0 : tensor<8x8xf32>
  %5 = stablehlo.tanh %arg0 : tensor<8x8xf32>
  %6 = stablehlo.select %2, %4, %3 : tensor<8x8xi1>, tensor<8x8xf32>
  %7 = stablehlo.select %2, %5, %3 : tensor<8x8xi1>, tensor<8x8xf32>
  return %6, %7 : tensor<8x8xf32>, tensor<8x8xf32>
}
";
    let work = |text: &str| {
        let cases = source("triangles.mlir", text, &[], None);
        let work = cases[0].accepted().work;
        all_proved(cases);
        work
    };
    assert_eq!(work(text), work(&text.replace("8x8", "1024x1024")));
}

#[test]
fn precision_reduced_to_16_bits() {
    let text = "func.func public @main(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4x6xf32>
  %1 = stablehlo.add %0, %arg0 : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
";
    accepted("precision.mlir", text);
    accepted("precision_bf16.mlir", &text.replace("e5m10", "e8m7"));
}

#[test]
fn windows_over_dilated_operands() {
    let text = "func.func public @main(%arg0: tensor<4x6xf32>) -> tensor<4x9xf32> {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = \"stablehlo.reduce_window\"(%arg0, %cst) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 3>, base_dilations = array<i64: 1, 2>} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x9xf32>
  return %0 : tensor<4x9xf32>
}
";
    accepted("window.mlir", text);
    accepted("window_max.mlir", &text.replace("stablehlo.add", "stablehlo.maximum").replace("<0.0>", "<0xFF800000>"));
}

#[test]
fn sums_over_nothing() {
    let text = "func.func public @main(%arg0: tensor<4x0xf32>, %arg1: tensor<0x3xf32>) -> (tensor<4xf32>, tensor<4x3xf32>) {
  %cst = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x0xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0] : (tensor<4x0xf32>, tensor<0x3xf32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4xf32>, tensor<4x3xf32>
}
";
    accepted("nothing.mlir", text);
}

/// All of the result is zeros, and not only as many elements as there are rows.
#[test]
fn scatters_of_nothing() {
    let text = "func.func public @main(%x: tensor<6x4xf32>, %i: tensor<0xi32>, %u: tensor<0x4xf32>) -> tensor<6x4xf32> {
  %cst = stablehlo.constant dense<0.0> : tensor<6x4xf32>
  %0 = \"stablehlo.scatter\"(%cst, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<0xi32>, tensor<0x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.add %0, %x : tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}
";
    let cases = source("scatter.mlir", text, &[], None);
    assert!(cases.iter().all(|c| c.text().contains("scatter_rows")), "{}", cases[0].text());
    all_proved(cases);
}
