// broadcast: D = 0 1
func.func public @main(%x: tensor<6xf32>) -> tensor<6x6xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [$D] : (tensor<6xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}
// -----
// broadcast_of_a_dim_of_one
func.func public @main(%x: tensor<4x1x3xf32>) -> tensor<2x4x6x3xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2, 3] : (tensor<4x1x3xf32>) -> tensor<2x4x6x3xf32>
  return %0 : tensor<2x4x6x3xf32>
}
// -----
// broadcast_in_another_order
func.func public @main(%x: tensor<4x6xi32>) -> tensor<6x3x4xi32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<4x6xi32>) -> tensor<6x3x4xi32>
  return %0 : tensor<6x3x4xi32>
}
// -----
// broadcast_generic
func.func public @main(%x: tensor<6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// reshape: T = 24 6x4 2x2x6 4x2x3 4x1x6
func.func public @main(%x: tensor<4x6xf32>) -> tensor<$Txf32> {
  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<$Txf32>
  return %0 : tensor<$Txf32>
}
// -----
// transpose
func.func public @main(%x: tensor<4x6x3xf32>) -> tensor<3x4x6xf32> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<4x6x3xf32>) -> tensor<3x4x6xf32>
  return %0 : tensor<3x4x6xf32>
}
// -----
// transpose_generic
func.func public @main(%x: tensor<4x6xi32>) -> tensor<6x4xi32> {
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<4x6xi32>) -> tensor<6x4xi32>
  return %0 : tensor<6x4xi32>
}
// -----
// slice
func.func public @main(%x: tensor<4x6xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.slice %x [1:3, 2:6] : (tensor<4x6xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// -----
// slice_with_strides
func.func public @main(%x: tensor<4x6xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.slice %x [0:4:2, 1:6:3] : (tensor<4x6xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// slice_generic
func.func public @main(%x: tensor<4x6xi32>) -> tensor<4x3xi32> {
  %0 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 4, 6>, start_indices = array<i64: 0, 1>, strides = array<i64: 1, 2>}> : (tensor<4x6xi32>) -> tensor<4x3xi32>
  return %0 : tensor<4x3xi32>
}
// -----
// pad: T = f32 i32 i8
func.func public @main(%x: tensor<4x6x$T>, %v: tensor<$T>) -> tensor<6x9x$T> {
  %0 = stablehlo.pad %x, %v, low = [2, 0], high = [0, 3], interior = [0, 0] : (tensor<4x6x$T>, tensor<$T>) -> tensor<6x9x$T>
  return %0 : tensor<6x9x$T>
}
// -----
// pad_between
func.func public @main(%x: tensor<4x6xf32>, %v: tensor<f32>) -> tensor<8x16xf32> {
  %0 = stablehlo.pad %x, %v, low = [1, 0], high = [0, 0], interior = [1, 2] : (tensor<4x6xf32>, tensor<f32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
// -----
// pad_by_less_than_nothing
func.func public @main(%x: tensor<4x6xf32>, %v: tensor<f32>) -> tensor<4x8xf32> {
  %0 = stablehlo.pad %x, %v, low = [-1, -2], high = [1, -1], interior = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// -----
// concatenate: D = 0
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<2x6xf32>, %z: tensor<6x6xf32>) -> tensor<12x6xf32> {
  %0 = stablehlo.concatenate %x, %y, %z, dim = $D : (tensor<4x6xf32>, tensor<2x6xf32>, tensor<6x6xf32>) -> tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}
// -----
// concatenate_generic
func.func public @main(%x: tensor<4x6xi32>, %y: tensor<4x2xi32>) -> tensor<4x8xi32> {
  %0 = "stablehlo.concatenate"(%x, %y) <{dimension = 1 : i64}> : (tensor<4x6xi32>, tensor<4x2xi32>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}
// -----
// dot_general: T = f32 f64 i32
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<6x4x$T>) -> tensor<4x4x$T> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6x$T>, tensor<6x4x$T>) -> tensor<4x4x$T>
  return %0 : tensor<4x4x$T>
}
// -----
// dot_general_with_batch
func.func public @main(%x: tensor<4x6x3xf32>, %y: tensor<3x2x4xf32>) -> tensor<4x6x2xf32> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [2], contracting_dims = [2] x [0] : (tensor<4x6x3xf32>, tensor<3x2x4xf32>) -> tensor<4x6x2xf32>
  return %0 : tensor<4x6x2xf32>
}
// -----
// dot_general_to_wider
func.func public @main(%x: tensor<4x6xbf16>, %y: tensor<6x4xbf16>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x6xbf16>, tensor<6x4xbf16>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// dot_general_of_bytes: T = i32 i64 f32
// %x: -128..128
// %y: -128..128
func.func public @main(%x: tensor<4x6xi8>, %y: tensor<6x4xi8>) -> tensor<4x4x$T> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<4x6xi8>, tensor<6x4xi8>) -> tensor<4x4x$T>
  return %0 : tensor<4x4x$T>
}
// -----
// dot_general_generic
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// optimization_barrier
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<6xi32>) -> (tensor<4x6xf32>, tensor<6xi32>) {
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<4x6xf32>, tensor<6xi32>
  return %0#0, %0#1 : tensor<4x6xf32>, tensor<6xi32>
}
// -----
// dot: T = f32 i32 i8
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<6x4x$T>, %v: tensor<4x$T>, %w: tensor<6x$T>) -> (tensor<4x4x$T>, tensor<4x$T>, tensor<6x$T>, tensor<$T>) {
  %0 = stablehlo.dot %x, %y : (tensor<4x6x$T>, tensor<6x4x$T>) -> tensor<4x4x$T>
  %1 = stablehlo.dot %x, %w : (tensor<4x6x$T>, tensor<6x$T>) -> tensor<4x$T>
  %2 = stablehlo.dot %v, %x : (tensor<4x$T>, tensor<4x6x$T>) -> tensor<6x$T>
  %3 = stablehlo.dot %v, %v : (tensor<4x$T>, tensor<4x$T>) -> tensor<$T>
  return %0, %1, %2, %3 : tensor<4x4x$T>, tensor<4x$T>, tensor<6x$T>, tensor<$T>
}
