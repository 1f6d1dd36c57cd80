// ragged_dot: T = f32 f64
// %g: 0..4
func.func public @main(%a: tensor<11x5x$T>, %b: tensor<3x5x7x$T>, %g: tensor<3xi32>) -> tensor<11x7x$T> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<11x5x$T>, tensor<3x5x7x$T>, tensor<3xi32>) -> tensor<11x7x$T>
  return %0 : tensor<11x7x$T>
}
// -----
// ragged_dot_gradient: I = i32 i64
// %g: 0..4
func.func public @main(%a: tensor<11x5xf32>, %b: tensor<11x7xf32>, %g: tensor<3x$I>) -> tensor<3x5x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}> : (tensor<11x5xf32>, tensor<11x7xf32>, tensor<3x$I>) -> tensor<3x5x7xf32>
  return %0 : tensor<3x5x7xf32>
}
// -----
// ragged_dot_batched
// %g: 0..4
func.func public @main(%a: tensor<2x11x5xf32>, %b: tensor<3x2x5x7xf32>, %g: tensor<2x3xi32>) -> tensor<2x11x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi32>) -> tensor<2x11x7xf32>
  return %0 : tensor<2x11x7xf32>
}
// -----
// ragged_dot_of_a_batch
// %g: 0..3
func.func public @main(%a: tensor<6x4x5xf32>, %b: tensor<6x5x7xf32>, %g: tensor<3xi32>) -> tensor<6x4x7xf32> {
  %0 = "chlo.ragged_dot"(%a, %b, %g) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<6x4x5xf32>, tensor<6x5x7xf32>, tensor<3xi32>) -> tensor<6x4x7xf32>
  return %0 : tensor<6x4x7xf32>
}
