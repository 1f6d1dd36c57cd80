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
// reduce_window_ui64: OP = minimum maximum
// %x: 0..16 distinct
func.func public @main(%x: tensor<4x6xui64>) -> tensor<4x6xui64> {
  %i = stablehlo.constant dense<9> : tensor<ui64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 3>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %s = stablehlo.$OP %a, %b : tensor<ui64>
    stablehlo.return %s : tensor<ui64>
  }) : (tensor<4x6xui64>, tensor<ui64>) -> tensor<4x6xui64>
  return %0 : tensor<4x6xui64>
}
// -----
// reduce_window_cummin_ui64
func.func public @main(%x: tensor<4x6xui64>) -> tensor<4x6xui64> {
  %i = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 6>}> ({
  ^bb0(%a: tensor<ui64>, %b: tensor<ui64>):
    %s = stablehlo.minimum %a, %b : tensor<ui64>
    stablehlo.return %s : tensor<ui64>
  }) : (tensor<4x6xui64>, tensor<ui64>) -> tensor<4x6xui64>
  return %0 : tensor<4x6xui64>
}
// -----
// reduce_window_of_two
// %x: -4..4 distinct
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %i = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %j = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = "stablehlo.reduce_window"(%x, %y, %i, %j) <{window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %l = stablehlo.compare LE, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %l, %a, %c : tensor<i1>, tensor<f32>
    %t = stablehlo.select %l, %b, %d : tensor<i1>, tensor<f32>
    stablehlo.return %s, %t : tensor<f32>, tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<2x2xf32>, tensor<2x2xf32>)
  return %0#0, %0#1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// -----
// reduce_window_by_a_function
func.func public @main(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [0, 5]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 6>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = func.call @logaddexp(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[1, 0], [0, 2]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = func.call @logaddexp(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}
func.func private @logaddexp(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.maximum %a, %b : tensor<f32>
  %1 = stablehlo.subtract %a, %b : tensor<f32>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %3 = stablehlo.add %a, %b : tensor<f32>
  %4 = stablehlo.abs %1 : tensor<f32>
  %5 = stablehlo.negate %4 : tensor<f32>
  %6 = stablehlo.exponential %5 : tensor<f32>
  %7 = stablehlo.log_plus_one %6 : tensor<f32>
  %8 = stablehlo.add %0, %7 : tensor<f32>
  %9 = stablehlo.select %2, %3, %8 : tensor<i1>, tensor<f32>
  return %9 : tensor<f32>
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
// -----
// select_and_scatter_bool: OP = or add and
func.func public @main(%x: tensor<4x6xi1>, %s: tensor<4x5xi1>, %i: tensor<i1>) -> tensor<4x6xi1> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %p = stablehlo.compare GE, %a, %b : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i1>, %b: tensor<i1>):
    %t = stablehlo.$OP %a, %b : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }) : (tensor<4x6xi1>, tensor<4x5xi1>, tensor<i1>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
