// reverse
func.func public @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// reduce_window
func.func public @main(%x: tensor<4x6xf32>) -> tensor<4x3xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// -----
// select_and_scatter
func.func public @main(%x: tensor<4x6xf32>, %s: tensor<4x3xf32>) -> tensor<4x6xf32> {
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s1 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// convolution
func.func public @main(%x: tensor<2x6x6x4xf32>, %w: tensor<3x3x4x2xf32>) -> tensor<2x6x6x2xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x6x6x4xf32>, tensor<3x3x4x2xf32>) -> tensor<2x6x6x2xf32>
  return %0 : tensor<2x6x6x2xf32>
}
