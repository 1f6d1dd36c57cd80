// complex_binary: OP = add subtract multiply power maximum minimum; T = f32 f64
func.func public @main(%x: tensor<2x4xcomplex<$T>>, %y: tensor<2x4xcomplex<$T>>) -> tensor<2x4xcomplex<$T>> {
  %0 = stablehlo.$OP %x, %y : tensor<2x4xcomplex<$T>>
  return %0 : tensor<2x4xcomplex<$T>>
}
// -----
// complex_divide: T = f32 f64
// %y: 1..4
func.func public @main(%x: tensor<2x4xcomplex<$T>>, %y: tensor<2x4xcomplex<$T>>) -> tensor<2x4xcomplex<$T>> {
  %0 = stablehlo.divide %x, %y : tensor<2x4xcomplex<$T>>
  return %0 : tensor<2x4xcomplex<$T>>
}
// -----
// complex_unary: OP = negate exponential exponential_minus_one log log_plus_one logistic sqrt rsqrt sine cosine tanh sign; T = f32 f64
func.func public @main(%x: tensor<2x4xcomplex<$T>>) -> tensor<2x4xcomplex<$T>> {
  %0 = stablehlo.$OP %x : tensor<2x4xcomplex<$T>>
  return %0 : tensor<2x4xcomplex<$T>>
}
// -----
// complex_tan: T = f32 f64
func.func public @main(%x: tensor<2x4xcomplex<$T>>) -> tensor<2x4xcomplex<$T>> {
  %0 = stablehlo.tan %x : tensor<2x4xcomplex<$T>>
  return %0 : tensor<2x4xcomplex<$T>>
}
// -----
// complex_chlo: F = asin acos atan asinh acosh atanh sinh cosh tan; T = f32 f64
func.func public @main(%x: tensor<2x4xcomplex<$T>>) -> tensor<2x4xcomplex<$T>> {
  %0 = chlo.$F %x : tensor<2x4xcomplex<$T>> -> tensor<2x4xcomplex<$T>>
  return %0 : tensor<2x4xcomplex<$T>>
}
// -----
// complex_square
func.func public @main(%x: tensor<2x4xcomplex<f32>>) -> (tensor<2x4xcomplex<f32>>, tensor<2x4xi1>) {
  %0 = chlo.square %x : tensor<2x4xcomplex<f32>> -> tensor<2x4xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xf32>
  %2 = stablehlo.is_finite %1 : (tensor<2x4xf32>) -> tensor<2x4xi1>
  return %0, %2 : tensor<2x4xcomplex<f32>>, tensor<2x4xi1>
}
// -----
// complex_parts: T = f32 f64
func.func public @main(%x: tensor<2x4x$T>, %y: tensor<2x4x$T>) -> (tensor<2x4x$T>, tensor<2x4x$T>, tensor<2x4x$T>, tensor<2x4xcomplex<$T>>) {
  %0 = stablehlo.complex %x, %y : tensor<2x4xcomplex<$T>>
  %1 = stablehlo.real %0 : (tensor<2x4xcomplex<$T>>) -> tensor<2x4x$T>
  %2 = stablehlo.imag %0 : (tensor<2x4xcomplex<$T>>) -> tensor<2x4x$T>
  %3 = stablehlo.abs %0 : (tensor<2x4xcomplex<$T>>) -> tensor<2x4x$T>
  return %1, %2, %3, %0 : tensor<2x4x$T>, tensor<2x4x$T>, tensor<2x4x$T>, tensor<2x4xcomplex<$T>>
}
// -----
// complex_compare: OP = EQ NE
func.func public @main(%x: tensor<2x4xf32>, %y: tensor<2x4xf32>) -> tensor<2x4xi1> {
  %a = stablehlo.floor %x : tensor<2x4xf32>
  %b = stablehlo.floor %y : tensor<2x4xf32>
  %0 = stablehlo.complex %a, %b : tensor<2x4xcomplex<f32>>
  %1 = stablehlo.complex %b, %b : tensor<2x4xcomplex<f32>>
  %2 = stablehlo.compare $OP, %0, %1 : (tensor<2x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>) -> tensor<2x4xi1>
  return %2 : tensor<2x4xi1>
}
// -----
// complex_from: T = f32 f64 i32 ui64 i1
func.func public @main(%x: tensor<2x4x$T>) -> tensor<2x4xcomplex<f64>> {
  %0 = stablehlo.convert %x : (tensor<2x4x$T>) -> tensor<2x4xcomplex<f64>>
  return %0 : tensor<2x4xcomplex<f64>>
}
// -----
// complex_to: T = complex<f64> complex<f32> f32 i32 i8 ui64
func.func public @main(%x: tensor<2x4xcomplex<f32>>) -> tensor<2x4x$T> {
  %0 = stablehlo.convert %x : (tensor<2x4xcomplex<f32>>) -> tensor<2x4x$T>
  return %0 : tensor<2x4x$T>
}
// -----
// complex_constants
func.func public @main() -> (tensor<3xcomplex<f32>>, tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f32>>, tensor<4xcomplex<f32>>) {
  %0 = stablehlo.constant dense<(1.0, -2.5)> : tensor<3xcomplex<f32>>
  %1 = stablehlo.constant dense<[[(1.0, 2.0), (3.0, 4.0)], [(0x7FF0000000000000, -0.0), (5.0e-1, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %2 = stablehlo.constant dense<"0x0000803F000000400000404000008040"> : tensor<2xcomplex<f32>>
  %3 = stablehlo.iota dim = 0 : tensor<4xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<3xcomplex<f32>>, tensor<2x2xcomplex<f64>>, tensor<2xcomplex<f32>>, tensor<4xcomplex<f32>>
}
// -----
// complex_moved
func.func public @main(%x: tensor<4x6xcomplex<f32>>, %y: tensor<6xcomplex<f32>>, %v: tensor<complex<f32>>) -> (tensor<6x4xcomplex<f32>>, tensor<2x12xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<8x6xcomplex<f32>>, tensor<5x8xcomplex<f32>>, tensor<4x6xcomplex<f32>>) {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x6xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
  %1 = stablehlo.reshape %x : (tensor<4x6xcomplex<f32>>) -> tensor<2x12xcomplex<f32>>
  %2 = stablehlo.slice %x [1:3, 0:6:2] : (tensor<4x6xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
  %3 = stablehlo.broadcast_in_dim %y, dims = [1] : (tensor<6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  %4 = stablehlo.concatenate %x, %3, dim = 0 : (tensor<4x6xcomplex<f32>>, tensor<4x6xcomplex<f32>>) -> tensor<8x6xcomplex<f32>>
  %5 = stablehlo.pad %x, %v, low = [1, 0], high = [0, 2], interior = [0, 0] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<5x8xcomplex<f32>>
  %6 = stablehlo.reverse %x, dims = [1] : tensor<4x6xcomplex<f32>>
  return %0, %1, %2, %4, %5, %6 : tensor<6x4xcomplex<f32>>, tensor<2x12xcomplex<f32>>, tensor<2x3xcomplex<f32>>, tensor<8x6xcomplex<f32>>, tensor<5x8xcomplex<f32>>, tensor<4x6xcomplex<f32>>
}
// -----
// complex_select
func.func public @main(%p: tensor<2x4xi1>, %x: tensor<2x4xcomplex<f32>>, %y: tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>> {
  %0 = stablehlo.select %p, %x, %y : tensor<2x4xi1>, tensor<2x4xcomplex<f32>>
  return %0 : tensor<2x4xcomplex<f32>>
}
// -----
// complex_slices
// %i: 0..5
func.func public @main(%x: tensor<6x4xcomplex<f32>>, %u: tensor<2x4xcomplex<f32>>, %i: tensor<i32>) -> (tensor<3x4xcomplex<f32>>, tensor<6x4xcomplex<f32>>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %c, sizes = [3, 4] : (tensor<6x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<3x4xcomplex<f32>>
  %1 = stablehlo.dynamic_update_slice %x, %u, %i, %c : (tensor<6x4xcomplex<f32>>, tensor<2x4xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<6x4xcomplex<f32>>
  return %0, %1 : tensor<3x4xcomplex<f32>>, tensor<6x4xcomplex<f32>>
}
// -----
// complex_dot: T = f32 f64
func.func public @main(%x: tensor<2x4x6xcomplex<$T>>, %y: tensor<2x6x4xcomplex<$T>>) -> tensor<2x4x4xcomplex<$T>> {
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x6xcomplex<$T>>, tensor<2x6x4xcomplex<$T>>) -> tensor<2x4x4xcomplex<$T>>
  return %0 : tensor<2x4x4xcomplex<$T>>
}
// -----
// complex_convolution
func.func public @main(%x: tensor<2x8x4xcomplex<f32>>, %w: tensor<3x4x6xcomplex<f32>>) -> tensor<2x8x6xcomplex<f32>> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<2x8x4xcomplex<f32>>, tensor<3x4x6xcomplex<f32>>) -> tensor<2x8x6xcomplex<f32>>
  return %0 : tensor<2x8x6xcomplex<f32>>
}
// -----
// complex_reduce: OP = add multiply
func.func public @main(%x: tensor<4x6xcomplex<f64>>, %i: tensor<complex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x6xcomplex<f64>>, tensor<complex<f64>>) -> tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}
// -----
// complex_reduce_by
func.func public @main(%x: tensor<4x6xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %i = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4xcomplex<f32>>
   reducer(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>) {
    %1 = stablehlo.abs %a : (tensor<complex<f32>>) -> tensor<f32>
    %2 = stablehlo.abs %b : (tensor<complex<f32>>) -> tensor<f32>
    %3 = stablehlo.compare GE, %1, %2 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %a, %b : tensor<i1>, tensor<complex<f32>>
    stablehlo.return %4 : tensor<complex<f32>>
  }
  return %0 : tensor<4xcomplex<f32>>
}
// -----
// complex_windows: OP = add multiply
func.func public @main(%x: tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>> {
  %i = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0 = "stablehlo.reduce_window"(%x, %i) <{padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 6>}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %1 = stablehlo.$OP %a, %b : tensor<complex<f32>>
    stablehlo.return %1 : tensor<complex<f32>>
  }) : (tensor<4x6xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %0 : tensor<4x6xcomplex<f32>>
}
// -----
// complex_scatter_add
// %i: 0..6
func.func public @main(%x: tensor<6x4xcomplex<f32>>, %i: tensor<3x1xi32>, %u: tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %1 = stablehlo.add %a, %b : tensor<complex<f32>>
    stablehlo.return %1 : tensor<complex<f32>>
  }) : (tensor<6x4xcomplex<f32>>, tensor<3x1xi32>, tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
  return %0 : tensor<6x4xcomplex<f32>>
}
// -----
// complex_scatter_set
// %i: 0..6
func.func public @main(%x: tensor<6x4xcomplex<f32>>, %i: tensor<3x1xi32>, %u: tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    stablehlo.return %b : tensor<complex<f32>>
  }) : (tensor<6x4xcomplex<f32>>, tensor<3x1xi32>, tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
  return %0 : tensor<6x4xcomplex<f32>>
}
// -----
// complex_scatter_multiply
// %i: 0..3 distinct
func.func public @main(%x: tensor<6x4xcomplex<f32>>, %i: tensor<3x1xi32>, %u: tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %1 = stablehlo.multiply %a, %b : tensor<complex<f32>>
    stablehlo.return %1 : tensor<complex<f32>>
  }) : (tensor<6x4xcomplex<f32>>, tensor<3x1xi32>, tensor<3x4xcomplex<f32>>) -> tensor<6x4xcomplex<f32>>
  return %0 : tensor<6x4xcomplex<f32>>
}
// -----
// complex_gather
// %i: 0..6
func.func public @main(%x: tensor<6x4xcomplex<f32>>, %i: tensor<3x1xi32>) -> tensor<3x4xcomplex<f32>> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4xcomplex<f32>>, tensor<3x1xi32>) -> tensor<3x4xcomplex<f32>>
  return %0 : tensor<3x4xcomplex<f32>>
}
// -----
// complex_sort
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xcomplex<f32>> {
  %f = stablehlo.floor %x : tensor<4x6xf32>
  %c = stablehlo.complex %f, %y : tensor<4x6xcomplex<f32>>
  %0 = "stablehlo.sort"(%c) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %1 = stablehlo.real %a : (tensor<complex<f32>>) -> tensor<f32>
    %2 = stablehlo.imag %a : (tensor<complex<f32>>) -> tensor<f32>
    %3 = stablehlo.real %b : (tensor<complex<f32>>) -> tensor<f32>
    %4 = stablehlo.imag %b : (tensor<complex<f32>>) -> tensor<f32>
    %5 = stablehlo.compare LT, %1, %3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare EQ, %1, %3 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = stablehlo.compare LT, %2, %4 : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.and %6, %7 : tensor<i1>
    %9 = stablehlo.or %5, %8 : tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<4x6xcomplex<f32>>) -> tensor<4x6xcomplex<f32>>
  return %0 : tensor<4x6xcomplex<f32>>
}
// -----
// complex_loop
func.func public @main(%x: tensor<4xcomplex<f64>>, %xs: tensor<5x4xcomplex<f64>>) -> (tensor<4xcomplex<f64>>, tensor<5x4xcomplex<f64>>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %ys = stablehlo.constant dense<(0.0, 0.0)> : tensor<5x4xcomplex<f64>>
  %a = stablehlo.constant dense<[(0.5, 0.5), (0.0, 1.0), (-0.5, 0.25), (0.125, -1.0)]> : tensor<4xcomplex<f64>>
  %0:3 = stablehlo.while(%k = %zero, %h = %x, %out = %ys) : tensor<i32>, tensor<4xcomplex<f64>>, tensor<5x4xcomplex<f64>>
  cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %first = stablehlo.constant dense<0> : tensor<i32>
    %u = stablehlo.dynamic_slice %xs, %k, %first, sizes = [1, 4] : (tensor<5x4xcomplex<f64>>, tensor<i32>, tensor<i32>) -> tensor<1x4xcomplex<f64>>
    %v = stablehlo.reshape %u : (tensor<1x4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
    %turned = func.call @turned(%h, %a) : (tensor<4xcomplex<f64>>, tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
    %next = stablehlo.add %turned, %v : tensor<4xcomplex<f64>>
    %row = stablehlo.reshape %next : (tensor<4xcomplex<f64>>) -> tensor<1x4xcomplex<f64>>
    %all = stablehlo.dynamic_update_slice %out, %row, %k, %first : (tensor<5x4xcomplex<f64>>, tensor<1x4xcomplex<f64>>, tensor<i32>, tensor<i32>) -> tensor<5x4xcomplex<f64>>
    %more = stablehlo.add %k, %one : tensor<i32>
    stablehlo.return %more, %next, %all : tensor<i32>, tensor<4xcomplex<f64>>, tensor<5x4xcomplex<f64>>
  }
  return %0#1, %0#2 : tensor<4xcomplex<f64>>, tensor<5x4xcomplex<f64>>
}
func.func private @turned(%h: tensor<4xcomplex<f64>>, %a: tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>> {
  %0 = stablehlo.multiply %h, %a : tensor<4xcomplex<f64>>
  return %0 : tensor<4xcomplex<f64>>
}
// -----
// complex_branch
func.func public @main(%p: tensor<i1>, %x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %x : tensor<4xcomplex<f32>>
    stablehlo.return %1 : tensor<4xcomplex<f32>>
  }, {
    %2 = stablehlo.multiply %x, %x : tensor<4xcomplex<f32>>
    stablehlo.return %2 : tensor<4xcomplex<f32>>
  }) : (tensor<i1>) -> tensor<4xcomplex<f32>>
  return %0 : tensor<4xcomplex<f32>>
}
// -----
// complex_ends: OP = sqrt log tanh exponential
func.func public @main() -> tensor<16xcomplex<f32>> {
  %c = stablehlo.constant dense<[(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (0x7F800000, 0.0), (0xFF800000, 0.0), (0.0, 0x7F800000), (0.0, 0xFF800000), (0x7F800000, 0x7F800000), (1.0e30, 1.0e30), (1.0e-30, 1.0e-30), (3.0e38, 3.0e38), (1.0, -0.0), (-1.0, 0.0), (-1.0, -0.0), (-4.0, 1.0e-30), (0.6, 0.8)]> : tensor<16xcomplex<f32>>
  %x = stablehlo.optimization_barrier %c : tensor<16xcomplex<f32>>
  %0 = stablehlo.$OP %x : tensor<16xcomplex<f32>>
  return %0 : tensor<16xcomplex<f32>>
}
// -----
// complex_size_at_the_ends
func.func public @main() -> tensor<16xf32> {
  %c = stablehlo.constant dense<[(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (0x7F800000, 0.0), (0xFF800000, 0.0), (0.0, 0x7F800000), (0.0, 0xFF800000), (0x7F800000, 0x7F800000), (1.0e30, 1.0e30), (1.0e-30, 1.0e-30), (3.0e38, 3.0e38), (1.0, -0.0), (-1.0, 0.0), (-1.0, -0.0), (-4.0, 1.0e-30), (0.6, 0.8)]> : tensor<16xcomplex<f32>>
  %x = stablehlo.optimization_barrier %c : tensor<16xcomplex<f32>>
  %0 = stablehlo.abs %x : (tensor<16xcomplex<f32>>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
// -----
// complex_quotient_at_the_ends
func.func public @main() -> tensor<14x14xcomplex<f32>> {
  %c = stablehlo.constant dense<[(0.0, 0.0), (-0.0, 0.0), (0.0, -0.0), (0x7F800000, 0.0), (0xFF800000, 0.0), (0.0, 0x7F800000), (0.0, 0xFF800000), (1.0e30, 1.0e30), (1.0e-30, 1.0e-30), (3.0e38, 3.0e38), (1.0, -0.0), (-1.0, 0.0), (-1.0, -0.0), (0.6, 0.8)]> : tensor<14xcomplex<f32>>
  %x = stablehlo.optimization_barrier %c : tensor<14xcomplex<f32>>
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<14xcomplex<f32>>) -> tensor<14x14xcomplex<f32>>
  %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<14xcomplex<f32>>) -> tensor<14x14xcomplex<f32>>
  %2 = stablehlo.divide %0, %1 : tensor<14x14xcomplex<f32>>
  return %2 : tensor<14x14xcomplex<f32>>
}
// -----
// fft_1: K = FFT IFFT; T = f32 f64
func.func public @main(%x: tensor<2x1xcomplex<$T>>) -> tensor<2x1xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = $K, length = [1] : (tensor<2x1xcomplex<$T>>) -> tensor<2x1xcomplex<$T>>
  return %0 : tensor<2x1xcomplex<$T>>
}
// -----
// fft_2: K = FFT IFFT; T = f32 f64
func.func public @main(%x: tensor<2x2xcomplex<$T>>) -> tensor<2x2xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = $K, length = [2] : (tensor<2x2xcomplex<$T>>) -> tensor<2x2xcomplex<$T>>
  return %0 : tensor<2x2xcomplex<$T>>
}
// -----
// fft_6: K = FFT IFFT; T = f32 f64
func.func public @main(%x: tensor<2x6xcomplex<$T>>) -> tensor<2x6xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = $K, length = [6] : (tensor<2x6xcomplex<$T>>) -> tensor<2x6xcomplex<$T>>
  return %0 : tensor<2x6xcomplex<$T>>
}
// -----
// fft_67: K = FFT IFFT; T = f32
func.func public @main(%x: tensor<2x67xcomplex<$T>>) -> tensor<2x67xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = $K, length = [67] : (tensor<2x67xcomplex<$T>>) -> tensor<2x67xcomplex<$T>>
  return %0 : tensor<2x67xcomplex<$T>>
}
// -----
// fft_96: K = FFT IFFT; T = f32
func.func public @main(%x: tensor<2x96xcomplex<$T>>) -> tensor<2x96xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = $K, length = [96] : (tensor<2x96xcomplex<$T>>) -> tensor<2x96xcomplex<$T>>
  return %0 : tensor<2x96xcomplex<$T>>
}
// -----
// fft_128: K = FFT IFFT; T = f64
func.func public @main(%x: tensor<2x128xcomplex<$T>>) -> tensor<2x128xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = $K, length = [128] : (tensor<2x128xcomplex<$T>>) -> tensor<2x128xcomplex<$T>>
  return %0 : tensor<2x128xcomplex<$T>>
}
// -----
// fft_210: K = FFT IFFT; T = f32
func.func public @main(%x: tensor<2x210xcomplex<$T>>) -> tensor<2x210xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = $K, length = [210] : (tensor<2x210xcomplex<$T>>) -> tensor<2x210xcomplex<$T>>
  return %0 : tensor<2x210xcomplex<$T>>
}
// -----
// fft_long: N = 1031 8192
func.func public @main(%x: tensor<$Nxcomplex<f64>>) -> tensor<32xcomplex<f64>> {
  %0 = stablehlo.fft %x, type = FFT, length = [$N] : (tensor<$Nxcomplex<f64>>) -> tensor<$Nxcomplex<f64>>
  %1 = stablehlo.slice %0 [500:532] : (tensor<$Nxcomplex<f64>>) -> tensor<32xcomplex<f64>>
  return %1 : tensor<32xcomplex<f64>>
}
// -----
// rfft_1: T = f32 f64
func.func public @main(%x: tensor<4x1x$T>) -> tensor<4x1xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [1] : (tensor<4x1x$T>) -> tensor<4x1xcomplex<$T>>
  return %0 : tensor<4x1xcomplex<$T>>
}
// -----
// irfft_1: T = f32 f64
func.func public @main(%x: tensor<4x1xcomplex<$T>>) -> tensor<4x1x$T> {
  %0 = stablehlo.fft %x, type = IRFFT, length = [1] : (tensor<4x1xcomplex<$T>>) -> tensor<4x1x$T>
  return %0 : tensor<4x1x$T>
}
// -----
// rfft_6: T = f32 f64
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x4xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<4x6x$T>) -> tensor<4x4xcomplex<$T>>
  return %0 : tensor<4x4xcomplex<$T>>
}
// -----
// irfft_6: T = f32 f64
func.func public @main(%x: tensor<4x4xcomplex<$T>>) -> tensor<4x6x$T> {
  %0 = stablehlo.fft %x, type = IRFFT, length = [6] : (tensor<4x4xcomplex<$T>>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// rfft_9: T = f32 f64
func.func public @main(%x: tensor<4x9x$T>) -> tensor<4x5xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [9] : (tensor<4x9x$T>) -> tensor<4x5xcomplex<$T>>
  return %0 : tensor<4x5xcomplex<$T>>
}
// -----
// irfft_9: T = f32 f64
func.func public @main(%x: tensor<4x5xcomplex<$T>>) -> tensor<4x9x$T> {
  %0 = stablehlo.fft %x, type = IRFFT, length = [9] : (tensor<4x5xcomplex<$T>>) -> tensor<4x9x$T>
  return %0 : tensor<4x9x$T>
}
// -----
// rfft_80: T = f32 f64
func.func public @main(%x: tensor<4x80x$T>) -> tensor<4x41xcomplex<$T>> {
  %0 = stablehlo.fft %x, type = RFFT, length = [80] : (tensor<4x80x$T>) -> tensor<4x41xcomplex<$T>>
  return %0 : tensor<4x41xcomplex<$T>>
}
// -----
// irfft_80: T = f32 f64
func.func public @main(%x: tensor<4x41xcomplex<$T>>) -> tensor<4x80x$T> {
  %0 = stablehlo.fft %x, type = IRFFT, length = [80] : (tensor<4x41xcomplex<$T>>) -> tensor<4x80x$T>
  return %0 : tensor<4x80x$T>
}
// -----
// fft_of_three: K = FFT IFFT
func.func public @main(%x: tensor<2x4x6x9xcomplex<f32>>) -> tensor<2x4x6x9xcomplex<f32>> {
  %0 = stablehlo.fft %x, type = $K, length = [4, 6, 9] : (tensor<2x4x6x9xcomplex<f32>>) -> tensor<2x4x6x9xcomplex<f32>>
  return %0 : tensor<2x4x6x9xcomplex<f32>>
}
// -----
// rfft_of_two
func.func public @main(%x: tensor<2x6x8xf32>) -> (tensor<2x6x5xcomplex<f32>>, tensor<2x6x8xf32>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [6, 8] : (tensor<2x6x8xf32>) -> tensor<2x6x5xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IRFFT, length = [6, 8] : (tensor<2x6x5xcomplex<f32>>) -> tensor<2x6x8xf32>
  return %0, %1 : tensor<2x6x5xcomplex<f32>>, tensor<2x6x8xf32>
}
// -----
// complex_triangular_solve: LEFT = true false; LOWER = true false; A = NO_TRANSPOSE TRANSPOSE ADJOINT; T = f32 f64
// %a: 1..3
func.func public @main(%a: tensor<2x4x4xcomplex<$T>>, %b: tensor<2x4x4xcomplex<$T>>) -> tensor<2x4x4xcomplex<$T>> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = $LEFT, lower = $LOWER, transpose_a = #stablehlo<transpose $A>, unit_diagonal = false}> : (tensor<2x4x4xcomplex<$T>>, tensor<2x4x4xcomplex<$T>>) -> tensor<2x4x4xcomplex<$T>>
  return %0 : tensor<2x4x4xcomplex<$T>>
}
// -----
// complex_triangular_solve_unit: LEFT = true; A = NO_TRANSPOSE ADJOINT
// %a: -1..1
func.func public @main(%a: tensor<4x4xcomplex<f64>>, %b: tensor<4x3xcomplex<f64>>) -> tensor<4x3xcomplex<f64>> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = $LEFT, lower = true, transpose_a = #stablehlo<transpose $A>, unit_diagonal = true}> : (tensor<4x4xcomplex<f64>>, tensor<4x3xcomplex<f64>>) -> tensor<4x3xcomplex<f64>>
  return %0 : tensor<4x3xcomplex<f64>>
}
// -----
// complex_cholesky: LOWER = true false; T = f32 f64
func.func public @main(%x: tensor<2x4x4xcomplex<$T>>) -> tensor<2x4x4xcomplex<$T>> {
  %re = stablehlo.real %x : (tensor<2x4x4xcomplex<$T>>) -> tensor<2x4x4x$T>
  %im = stablehlo.imag %x : (tensor<2x4x4xcomplex<$T>>) -> tensor<2x4x4x$T>
  %minus = stablehlo.negate %im : tensor<2x4x4x$T>
  %conj = stablehlo.complex %re, %minus : (tensor<2x4x4x$T>, tensor<2x4x4x$T>) -> tensor<2x4x4xcomplex<$T>>
  %0 = stablehlo.dot_general %x, %conj, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xcomplex<$T>>, tensor<2x4x4xcomplex<$T>>) -> tensor<2x4x4xcomplex<$T>>
  %1 = stablehlo.iota dim = 1 : tensor<2x4x4xi32>
  %2 = stablehlo.iota dim = 2 : tensor<2x4x4xi32>
  %3 = stablehlo.compare EQ, %1, %2 : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
  %4 = stablehlo.convert %3 : (tensor<2x4x4xi1>) -> tensor<2x4x4xcomplex<$T>>
  %5 = stablehlo.add %0, %4 : tensor<2x4x4xcomplex<$T>>
  %6 = stablehlo.cholesky %5, lower = $LOWER : tensor<2x4x4xcomplex<$T>>
  %z = stablehlo.constant dense<(0.0,0.0)> : tensor<2x4x4xcomplex<$T>>
  %lower = stablehlo.constant dense<$LOWER> : tensor<2x4x4xi1>
  %7 = stablehlo.compare GE, %1, %2 : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
  %8 = stablehlo.compare LE, %1, %2 : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
  %9 = stablehlo.select %lower, %7, %8 : tensor<2x4x4xi1>, tensor<2x4x4xi1>
  %10 = stablehlo.select %9, %6, %z : tensor<2x4x4xi1>, tensor<2x4x4xcomplex<$T>>
  return %10 : tensor<2x4x4xcomplex<$T>>
}
// -----
// complex_conj: T = f32 f64
func.func public @main(%x: tensor<2x4xcomplex<$T>>) -> tensor<2x4xcomplex<$T>> {
  %0 = chlo.conj %x : tensor<2x4xcomplex<$T>> -> tensor<2x4xcomplex<$T>>
  return %0 : tensor<2x4xcomplex<$T>>
}
