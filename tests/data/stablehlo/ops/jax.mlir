// jax_argmax
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4xi32> {jax.result_info = "result"}) {
  %0 = call @argmax(%arg0) : (tensor<4x6xf32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}
func.func private @argmax(%arg0: tensor<4x6xf32>) -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
    %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %1#1 : tensor<4xi32>
}
// -----
// jax_argmin
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<6xi32> {jax.result_info = "result"}) {
  %0 = call @argmin(%arg0) : (tensor<4x6xf32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}
func.func private @argmin(%arg0: tensor<4x6xf32>) -> tensor<6xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<4x6xi32>
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [0] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
   reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
    %2 = stablehlo.compare LT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %1#1 : tensor<6xi32>
}
// -----
// jax_argsort
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x6xi32> {jax.result_info = "result"}) {
  %0 = call @argsort(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}
func.func private @argsort(%arg0: tensor<4x6xf32>) -> tensor<4x6xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>):
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.select %2, %cst_0, %arg1 : tensor<i1>, tensor<f32>
    %4 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %5 = stablehlo.select %4, %cst_1, %3 : tensor<i1>, tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.select %6, %cst_3, %arg2 : tensor<i1>, tensor<f32>
    %8 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %9 = stablehlo.select %8, %cst_4, %7 : tensor<i1>, tensor<f32>
    %10 = stablehlo.compare LT, %5, %9, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %10 : tensor<i1>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
  return %1#1 : tensor<4x6xi32>
}
// -----
// jax_sort
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %0 = call @sort(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @sort(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.sort"(%arg0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.select %1, %cst_0, %arg1 : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %4 = stablehlo.select %3, %cst_1, %2 : tensor<i1>, tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.select %5, %cst_3, %arg2 : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.select %7, %cst_4, %6 : tensor<i1>, tensor<f32>
    %9 = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %9 : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// jax_top_k
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x2xf32> {jax.result_info = "result[0]"}, tensor<4x2xi32> {jax.result_info = "result[1]"}) {
  %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
  return %values, %indices : tensor<4x2xf32>, tensor<4x2xi32>
}
// -----
// jax_take
// %arg1: 0..4
func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4xi32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_0 = stablehlo.constant dense<4> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<4x1xi32>) -> tensor<4x6xf32>
  return %6 : tensor<4x6xf32>
}
// -----
// jax_take_along
// %arg1: 0..6
func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4xi32>) -> (tensor<4x1xf32> {jax.result_info = "result"}) {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = call @take_along_axis(%arg0, %0) : (tensor<4x6xf32>, tensor<4x1xi32>) -> tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}
func.func private @take_along_axis(%arg0: tensor<4x6xf32>, %arg1: tensor<4x1xi32>) -> tensor<4x1xf32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %c_0 = stablehlo.constant dense<6> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<4x1xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<4x1xi1>, tensor<4x1xi32>
  %5 = stablehlo.reshape %4 : (tensor<4x1xi32>) -> tensor<4x1x1xi32>
  %c_1 = stablehlo.constant dense<5> : tensor<1xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x1x1xi32>
  %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
  %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x1x1xi32>
  %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x1x1xi32>, tensor<4x1x1xi32>) -> tensor<4x1x1xi1>
  %11 = stablehlo.and %7, %10 : tensor<4x1x1xi1>
  %c_3 = stablehlo.constant dense<true> : tensor<i1>
  %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x1x1xi1>, tensor<i1>) -> tensor<4x1xi1>
  %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<4x1x1xi32>) -> tensor<4x1xf32>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %15 = stablehlo.select %12, %13, %14 : tensor<4x1xi1>, tensor<4x1xf32>
  return %15 : tensor<4x1xf32>
}
// -----
// jax_take_along_gradient
// %arg1: 0..6
func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4xi32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %0 = stablehlo.tanh %arg0 : tensor<4x6xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %2 = stablehlo.subtract %1, %0 : tensor<4x6xf32>
  %3 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %4 = call @take_along_axis(%3) : (tensor<4x1xi32>) -> tensor<4x1x1xi32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %6 = call @take_along_axis_0(%4, %5) : (tensor<4x1x1xi32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  %7 = stablehlo.multiply %6, %2 : tensor<4x6xf32>
  %8 = stablehlo.multiply %7, %0 : tensor<4x6xf32>
  %9 = stablehlo.add %7, %8 : tensor<4x6xf32>
  return %9 : tensor<4x6xf32>
}
func.func private @take_along_axis(%arg0: tensor<4x1xi32>) -> tensor<4x1x1xi32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
  %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x1xi1>
  %c_0 = stablehlo.constant dense<6> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x1xi32>
  %3 = stablehlo.add %arg0, %2 : tensor<4x1xi32>
  %4 = stablehlo.select %1, %3, %arg0 : tensor<4x1xi1>, tensor<4x1xi32>
  %5 = stablehlo.reshape %4 : (tensor<4x1xi32>) -> tensor<4x1x1xi32>
  return %5 : tensor<4x1x1xi32>
}
func.func private @take_along_axis_0(%arg0: tensor<4x1x1xi32>, %arg1: tensor<4x1xf32>) -> tensor<4x6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x1x1xi32>, tensor<4x1xf32>) -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
// -----
// jax_set
// %arg1: 0..4
func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4xi32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_0 = stablehlo.constant dense<4> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %3 = stablehlo.add %arg1, %2 : tensor<4xi32>
  %4 = stablehlo.select %1, %3, %arg1 : tensor<4xi1>, tensor<4xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %7 = "stablehlo.scatter"(%arg0, %5, %6) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    stablehlo.return %arg3 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x1xi32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %7 : tensor<4x6xf32>
}
// -----
// jax_add
// %arg1: 0..6
func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4xi32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %0 = stablehlo.slice %arg0 [0:4, 0:4] : (tensor<4x6xf32>) -> tensor<4x4xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %2 = stablehlo.compare LT, %arg1, %1, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_0 = stablehlo.constant dense<6> : tensor<i32>
  %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %4 = stablehlo.add %arg1, %3 : tensor<4xi32>
  %5 = stablehlo.select %2, %4, %arg1 : tensor<4xi1>, tensor<4xi32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %7 = "stablehlo.scatter"(%arg0, %6, %0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %8 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %8 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<4x6xf32>
  return %7 : tensor<4x6xf32>
}
// -----
// jax_max
// %arg1: 0..4
func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4xi32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %1 = stablehlo.multiply %arg0, %0 : tensor<4x6xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %3 = stablehlo.compare LT, %arg1, %2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_0 = stablehlo.constant dense<4> : tensor<i32>
  %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %5 = stablehlo.add %arg1, %4 : tensor<4xi32>
  %6 = stablehlo.select %3, %5, %arg1 : tensor<4xi1>, tensor<4xi32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %8 = "stablehlo.scatter"(%arg0, %7, %1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %9 = stablehlo.maximum %arg2, %arg3 : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x1xi32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %8 : tensor<4x6xf32>
}
// -----
// jax_segment_sum
// %arg1: 0..3
func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4xi32>) -> (tensor<3x6xf32> {jax.result_info = "result"}) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x6xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %2 = "stablehlo.scatter"(%0, %1, %arg0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<3x6xf32>, tensor<4x1xi32>, tensor<4x6xf32>) -> tensor<3x6xf32>
  return %2 : tensor<3x6xf32>
}
// -----
// jax_gelu
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %1 = stablehlo.multiply %0, %arg0 : tensor<4x6xf32>
  %2 = stablehlo.negate %arg0 : tensor<4x6xf32>
  %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<4x6xf32>
  %5 = chlo.erfc %4 : tensor<4x6xf32> -> tensor<4x6xf32>
  %6 = stablehlo.multiply %1, %5 : tensor<4x6xf32>
  return %6 : tensor<4x6xf32>
}
// -----
// jax_softplus
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %0 = call @softplus(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @softplus(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<4x6xf32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %3 = stablehlo.subtract %arg0, %2 : tensor<4x6xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %6 = stablehlo.add %arg0, %5 : tensor<4x6xf32>
  %7 = stablehlo.abs %3 : tensor<4x6xf32>
  %8 = stablehlo.negate %7 : tensor<4x6xf32>
  %9 = stablehlo.exponential %8 : tensor<4x6xf32>
  %10 = stablehlo.log_plus_one %9 : tensor<4x6xf32>
  %11 = stablehlo.add %1, %10 : tensor<4x6xf32>
  %12 = stablehlo.select %4, %6, %11 : tensor<4x6xi1>, tensor<4x6xf32>
  return %12 : tensor<4x6xf32>
}
// -----
// jax_logsumexp
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %2 = stablehlo.maximum %1, %0 : tensor<4xf32>
  %3 = stablehlo.is_finite %2 : (tensor<4xf32>) -> tensor<4xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %5 = stablehlo.select %3, %2, %4 : tensor<4xi1>, tensor<4xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<4xf32>) -> tensor<4x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x6xf32>
  %8 = stablehlo.subtract %arg0, %7 : tensor<4x6xf32>
  %9 = stablehlo.exponential %8 : tensor<4x6xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %10 = stablehlo.reduce(%9 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %11 = stablehlo.abs %10 : tensor<4xf32>
  %12 = stablehlo.log %11 : tensor<4xf32>
  %13 = stablehlo.add %12, %5 : tensor<4xf32>
  return %13 : tensor<4xf32>
}
// -----
// jax_cumlogsumexp
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result[0]"}, tensor<4x6xf32> {jax.result_info = "result[1]"}) {
  %0 = call @cumlogsumexp(%arg0) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %cst = stablehlo.constant dense<4.000000e+02> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %2 = stablehlo.multiply %arg0, %1 : tensor<4x6xf32>
  %3 = call @cumlogsumexp_0(%2) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %3 : tensor<4x6xf32>, tensor<4x6xf32>
}
func.func private @cumlogsumexp(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [5, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 6>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
    %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
    %5 = stablehlo.abs %2 : tensor<f32>
    %6 = stablehlo.negate %5 : tensor<f32>
    %7 = stablehlo.exponential %6 : tensor<f32>
    %8 = stablehlo.log_plus_one %7 : tensor<f32>
    %9 = stablehlo.add %1, %8 : tensor<f32>
    %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
    stablehlo.return %10 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @cumlogsumexp_0(%arg0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%arg0, %cst) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 3], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 4, 1>, window_strides = array<i64: 1, 1>}> ({
  ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
    %1 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    %2 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
    %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
    %5 = stablehlo.abs %2 : tensor<f32>
    %6 = stablehlo.negate %5 : tensor<f32>
    %7 = stablehlo.exponential %6 : tensor<f32>
    %8 = stablehlo.log_plus_one %7 : tensor<f32>
    %9 = stablehlo.add %1, %8 : tensor<f32>
    %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f32>
    stablehlo.return %10 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// jax_cumlogsumexp_gradient
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %0 = stablehlo.slice %arg0 [0:4, 0:5:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.slice %arg0 [0:4, 1:6:2] : (tensor<4x6xf32>) -> tensor<4x3xf32>
  %2 = stablehlo.maximum %0, %1 : tensor<4x3xf32>
  %3 = stablehlo.subtract %0, %1 : tensor<4x3xf32>
  %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  %5 = stablehlo.add %0, %1 : tensor<4x3xf32>
  %6 = stablehlo.abs %3 : tensor<4x3xf32>
  %7 = stablehlo.negate %6 : tensor<4x3xf32>
  %8 = stablehlo.exponential %7 : tensor<4x3xf32>
  %9 = stablehlo.log_plus_one %8 : tensor<4x3xf32>
  %10 = stablehlo.add %2, %9 : tensor<4x3xf32>
  %11 = stablehlo.select %4, %5, %10 : tensor<4x3xi1>, tensor<4x3xf32>
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %13 = stablehlo.compare EQ, %0, %12, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %15 = stablehlo.select %13, %14, %0 : tensor<4x3xi1>, tensor<4x3xf32>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %17 = stablehlo.compare EQ, %11, %16, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %19 = stablehlo.select %17, %18, %11 : tensor<4x3xi1>, tensor<4x3xf32>
  %20 = stablehlo.subtract %15, %19 : tensor<4x3xf32>
  %21 = stablehlo.exponential %20 : tensor<4x3xf32>
  %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %23 = stablehlo.compare EQ, %1, %22, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %25 = stablehlo.select %23, %24, %1 : tensor<4x3xi1>, tensor<4x3xf32>
  %cst_5 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %27 = stablehlo.compare EQ, %11, %26, FLOAT : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x3xf32>
  %29 = stablehlo.select %27, %28, %11 : tensor<4x3xi1>, tensor<4x3xf32>
  %30 = stablehlo.subtract %25, %29 : tensor<4x3xf32>
  %31 = stablehlo.exponential %30 : tensor<4x3xf32>
  %32 = stablehlo.slice %11 [0:4, 0:2:2] : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %33 = stablehlo.slice %11 [0:4, 1:3:2] : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %34 = stablehlo.maximum %32, %33 : tensor<4x1xf32>
  %35 = stablehlo.subtract %32, %33 : tensor<4x1xf32>
  %36 = stablehlo.compare NE, %35, %35, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %37 = stablehlo.add %32, %33 : tensor<4x1xf32>
  %38 = stablehlo.abs %35 : tensor<4x1xf32>
  %39 = stablehlo.negate %38 : tensor<4x1xf32>
  %40 = stablehlo.exponential %39 : tensor<4x1xf32>
  %41 = stablehlo.log_plus_one %40 : tensor<4x1xf32>
  %42 = stablehlo.add %34, %41 : tensor<4x1xf32>
  %43 = stablehlo.select %36, %37, %42 : tensor<4x1xi1>, tensor<4x1xf32>
  %cst_7 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %44 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %45 = stablehlo.compare EQ, %32, %44, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %46 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %47 = stablehlo.select %45, %46, %32 : tensor<4x1xi1>, tensor<4x1xf32>
  %cst_9 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %49 = stablehlo.compare EQ, %43, %48, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %51 = stablehlo.select %49, %50, %43 : tensor<4x1xi1>, tensor<4x1xf32>
  %52 = stablehlo.subtract %47, %51 : tensor<4x1xf32>
  %53 = stablehlo.exponential %52 : tensor<4x1xf32>
  %cst_11 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %55 = stablehlo.compare EQ, %33, %54, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %57 = stablehlo.select %55, %56, %33 : tensor<4x1xi1>, tensor<4x1xf32>
  %cst_13 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %58 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %59 = stablehlo.compare EQ, %43, %58, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %60 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %61 = stablehlo.select %59, %60, %43 : tensor<4x1xi1>, tensor<4x1xf32>
  %62 = stablehlo.subtract %57, %61 : tensor<4x1xf32>
  %63 = stablehlo.exponential %62 : tensor<4x1xf32>
  %64 = stablehlo.slice %11 [0:4, 2:3:2] : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %65 = stablehlo.maximum %43, %64 : tensor<4x1xf32>
  %66 = stablehlo.subtract %43, %64 : tensor<4x1xf32>
  %67 = stablehlo.compare NE, %66, %66, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %68 = stablehlo.add %43, %64 : tensor<4x1xf32>
  %69 = stablehlo.abs %66 : tensor<4x1xf32>
  %70 = stablehlo.negate %69 : tensor<4x1xf32>
  %71 = stablehlo.exponential %70 : tensor<4x1xf32>
  %72 = stablehlo.log_plus_one %71 : tensor<4x1xf32>
  %73 = stablehlo.add %65, %72 : tensor<4x1xf32>
  %74 = stablehlo.select %67, %68, %73 : tensor<4x1xi1>, tensor<4x1xf32>
  %cst_15 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %75 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %76 = stablehlo.compare EQ, %43, %75, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %77 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %78 = stablehlo.select %76, %77, %43 : tensor<4x1xi1>, tensor<4x1xf32>
  %cst_17 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %79 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %80 = stablehlo.compare EQ, %74, %79, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %81 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %82 = stablehlo.select %80, %81, %74 : tensor<4x1xi1>, tensor<4x1xf32>
  %83 = stablehlo.subtract %78, %82 : tensor<4x1xf32>
  %84 = stablehlo.exponential %83 : tensor<4x1xf32>
  %cst_19 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %85 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %86 = stablehlo.compare EQ, %64, %85, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %87 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %88 = stablehlo.select %86, %87, %64 : tensor<4x1xi1>, tensor<4x1xf32>
  %cst_21 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %89 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %90 = stablehlo.compare EQ, %74, %89, FLOAT : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xi1>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %91 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
  %92 = stablehlo.select %90, %91, %74 : tensor<4x1xi1>, tensor<4x1xf32>
  %93 = stablehlo.subtract %88, %92 : tensor<4x1xf32>
  %94 = stablehlo.exponential %93 : tensor<4x1xf32>
  %95 = stablehlo.slice %11 [0:4, 0:1] : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %96 = stablehlo.concatenate %95, %74, dim = 1 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %97 = stablehlo.pad %96, %cst_23, low = [0, 0], high = [0, 0], interior = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x3xf32>
  %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %98 = stablehlo.pad %43, %cst_24, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x3xf32>
  %99 = stablehlo.add %97, %98 : tensor<4x3xf32>
  %100 = stablehlo.slice %99 [0:4, 0:2] : (tensor<4x3xf32>) -> tensor<4x2xf32>
  %101 = stablehlo.slice %arg0 [0:4, 2:6:2] : (tensor<4x6xf32>) -> tensor<4x2xf32>
  %102 = stablehlo.maximum %100, %101 : tensor<4x2xf32>
  %103 = stablehlo.subtract %100, %101 : tensor<4x2xf32>
  %104 = stablehlo.compare NE, %103, %103, FLOAT : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xi1>
  %105 = stablehlo.add %100, %101 : tensor<4x2xf32>
  %106 = stablehlo.abs %103 : tensor<4x2xf32>
  %107 = stablehlo.negate %106 : tensor<4x2xf32>
  %108 = stablehlo.exponential %107 : tensor<4x2xf32>
  %109 = stablehlo.log_plus_one %108 : tensor<4x2xf32>
  %110 = stablehlo.add %102, %109 : tensor<4x2xf32>
  %111 = stablehlo.select %104, %105, %110 : tensor<4x2xi1>, tensor<4x2xf32>
  %cst_25 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %112 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %113 = stablehlo.compare EQ, %100, %112, FLOAT : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xi1>
  %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %114 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %115 = stablehlo.select %113, %114, %100 : tensor<4x2xi1>, tensor<4x2xf32>
  %cst_27 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %116 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %117 = stablehlo.compare EQ, %111, %116, FLOAT : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xi1>
  %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %118 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %119 = stablehlo.select %117, %118, %111 : tensor<4x2xi1>, tensor<4x2xf32>
  %120 = stablehlo.subtract %115, %119 : tensor<4x2xf32>
  %121 = stablehlo.exponential %120 : tensor<4x2xf32>
  %cst_29 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %122 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %123 = stablehlo.compare EQ, %101, %122, FLOAT : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xi1>
  %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %124 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %125 = stablehlo.select %123, %124, %101 : tensor<4x2xi1>, tensor<4x2xf32>
  %cst_31 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %126 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %127 = stablehlo.compare EQ, %111, %126, FLOAT : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xi1>
  %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %128 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x2xf32>
  %129 = stablehlo.select %127, %128, %111 : tensor<4x2xi1>, tensor<4x2xf32>
  %130 = stablehlo.subtract %125, %129 : tensor<4x2xf32>
  %131 = stablehlo.exponential %130 : tensor<4x2xf32>
  %132 = stablehlo.slice %arg0 [0:4, 0:1] : (tensor<4x6xf32>) -> tensor<4x1xf32>
  %133 = stablehlo.concatenate %132, %111, dim = 1 : (tensor<4x1xf32>, tensor<4x2xf32>) -> tensor<4x3xf32>
  %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %134 = stablehlo.pad %133, %cst_33, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %135 = stablehlo.pad %99, %cst_34, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %136 = stablehlo.add %134, %135 : tensor<4x6xf32>
  %137 = stablehlo.cosine %136 : tensor<4x6xf32>
  %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %138 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %139 = stablehlo.multiply %138, %137 : tensor<4x6xf32>
  %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %140 = stablehlo.pad %139, %cst_36, low = [0, -1], high = [0, 0], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  %141 = stablehlo.slice %140 [0:4, 0:5:2] : (tensor<4x5xf32>) -> tensor<4x3xf32>
  %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %142 = stablehlo.pad %139, %cst_37, low = [0, 0], high = [0, -1], interior = [0, 0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x5xf32>
  %143 = stablehlo.slice %142 [0:4, 0:5:2] : (tensor<4x5xf32>) -> tensor<4x3xf32>
  %144 = stablehlo.slice %143 [0:4, 0:1] : (tensor<4x3xf32>) -> tensor<4x1xf32>
  %145 = stablehlo.slice %143 [0:4, 1:3] : (tensor<4x3xf32>) -> tensor<4x2xf32>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %146 = stablehlo.pad %144, %cst_38, low = [0, 0], high = [0, 5], interior = [0, 0] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x6xf32>
  %147 = stablehlo.multiply %145, %131 : tensor<4x2xf32>
  %148 = stablehlo.multiply %145, %121 : tensor<4x2xf32>
  %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %149 = stablehlo.pad %147, %cst_39, low = [0, 2], high = [0, 1], interior = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  %150 = stablehlo.add %146, %149 : tensor<4x6xf32>
  %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %151 = stablehlo.pad %148, %cst_40, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<4x2xf32>, tensor<f32>) -> tensor<4x3xf32>
  %152 = stablehlo.add %141, %151 : tensor<4x3xf32>
  %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %153 = stablehlo.pad %152, %cst_41, low = [0, -1], high = [0, -1], interior = [0, 0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x1xf32>
  %154 = stablehlo.slice %153 [0:4, 0:1:2] : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %155 = stablehlo.pad %152, %cst_42, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
  %156 = stablehlo.slice %155 [0:4, 0:3:2] : (tensor<4x3xf32>) -> tensor<4x2xf32>
  %157 = stablehlo.slice %156 [0:4, 0:1] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %158 = stablehlo.slice %156 [0:4, 1:2] : (tensor<4x2xf32>) -> tensor<4x1xf32>
  %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %159 = stablehlo.pad %157, %cst_43, low = [0, 0], high = [0, 2], interior = [0, 0] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x3xf32>
  %160 = stablehlo.multiply %158, %94 : tensor<4x1xf32>
  %161 = stablehlo.multiply %158, %84 : tensor<4x1xf32>
  %162 = stablehlo.add %154, %161 : tensor<4x1xf32>
  %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %163 = stablehlo.pad %160, %cst_44, low = [0, 2], high = [0, 0], interior = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x3xf32>
  %164 = stablehlo.add %159, %163 : tensor<4x3xf32>
  %165 = stablehlo.multiply %162, %63 : tensor<4x1xf32>
  %166 = stablehlo.multiply %162, %53 : tensor<4x1xf32>
  %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %167 = stablehlo.pad %165, %cst_45, low = [0, 1], high = [0, 1], interior = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x3xf32>
  %168 = stablehlo.add %164, %167 : tensor<4x3xf32>
  %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %169 = stablehlo.pad %166, %cst_46, low = [0, 0], high = [0, 2], interior = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x3xf32>
  %170 = stablehlo.add %168, %169 : tensor<4x3xf32>
  %171 = stablehlo.multiply %170, %31 : tensor<4x3xf32>
  %172 = stablehlo.multiply %170, %21 : tensor<4x3xf32>
  %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %173 = stablehlo.pad %171, %cst_47, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %174 = stablehlo.add %150, %173 : tensor<4x6xf32>
  %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %175 = stablehlo.pad %172, %cst_48, low = [0, 0], high = [0, 1], interior = [0, 1] : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %176 = stablehlo.add %174, %175 : tensor<4x6xf32>
  return %176 : tensor<4x6xf32>
}
// -----
// jax_one_hot
// %arg0: 0..6
func.func public @main(%arg0: tensor<4xi32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %0 = call @_one_hot(%arg0) : (tensor<4xi32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @_one_hot(%arg0: tensor<4xi32>) -> tensor<4x6xf32> {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = stablehlo.iota dim = 1 : tensor<1x6xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x1xi32>) -> tensor<4x6xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<4x6xi32>
  %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
  %5 = stablehlo.convert %4 : (tensor<4x6xi1>) -> tensor<4x6xf32>
  return %5 : tensor<4x6xf32>
}
// -----
// jax_median
func.func public @main(%arg0: tensor<4x6xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
  %0 = call @median(%arg0) : (tensor<4x6xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @median(%arg0: tensor<4x6xf32>) -> tensor<4xf32> {
  %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %0 = call @quantile(%arg0, %cst) : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @quantile(%arg0: tensor<4x6xf32>, %arg1: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  %c = stablehlo.constant dense<false> : tensor<i1>
  %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [1] : (tensor<4x6xi1>, tensor<i1>) -> tensor<4xi1>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<4xi1>) -> tensor<4x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %3 = call @_where(%2, %cst, %arg0) : (tensor<4x1xi1>, tensor<f32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = "stablehlo.sort"(%3) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.compare EQ, %arg2, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.select %22, %cst_10, %arg2 : tensor<i1>, tensor<f32>
    %24 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_11 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %25 = stablehlo.select %24, %cst_11, %23 : tensor<i1>, tensor<f32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.compare EQ, %arg3, %cst_12, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.select %26, %cst_13, %arg3 : tensor<i1>, tensor<f32>
    %28 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_14 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %29 = stablehlo.select %28, %cst_14, %27 : tensor<i1>, tensor<f32>
    %30 = stablehlo.compare LT, %25, %29, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %30 : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %5 = stablehlo.subtract %cst_0, %cst_1 : tensor<f32>
  %6 = stablehlo.multiply %arg1, %5 : tensor<f32>
  %7 = stablehlo.floor %6 : tensor<f32>
  %8 = stablehlo.ceil %6 : tensor<f32>
  %cst_2 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %9 = stablehlo.subtract %cst_2, %cst_3 : tensor<f32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %10 = stablehlo.clamp %cst_4, %7, %9 : tensor<f32>
  %cst_5 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %11 = stablehlo.subtract %cst_5, %cst_6 : tensor<f32>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %12 = stablehlo.clamp %cst_7, %8, %11 : tensor<f32>
  %13 = stablehlo.convert %10 : (tensor<f32>) -> tensor<i32>
  %14 = stablehlo.convert %12 : (tensor<f32>) -> tensor<i32>
  %15 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %16 = "stablehlo.gather"(%4, %15) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x6xf32>, tensor<1xi32>) -> tensor<4xf32>
  %17 = stablehlo.broadcast_in_dim %14, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %18 = "stablehlo.gather"(%4, %17) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1]>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1>}> : (tensor<4x6xf32>, tensor<1xi32>) -> tensor<4xf32>
  %19 = stablehlo.add %16, %18 : tensor<4xf32>
  %cst_8 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %21 = stablehlo.multiply %19, %20 : tensor<4xf32>
  return %21 : tensor<4xf32>
}
func.func private @_where(%arg0: tensor<4x1xi1>, %arg1: tensor<f32>, %arg2: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<4x1xi1>) -> tensor<4x6xi1>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %3 = stablehlo.select %1, %2, %arg2 : tensor<4x6xi1>, tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}
// -----
// jax_bits
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<4x6xui32> {jax.result_info = "result"}) {
  %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
  %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
  %4 = stablehlo.iota dim = 0 : tensor<4x6xui64>
  %5 = stablehlo.iota dim = 1 : tensor<4x6xui64>
  %c = stablehlo.constant dense<6> : tensor<ui64>
  %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %7 = stablehlo.multiply %6, %4 : tensor<4x6xui64>
  %c_0 = stablehlo.constant dense<1> : tensor<ui64>
  %8 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %9 = stablehlo.multiply %8, %5 : tensor<4x6xui64>
  %10 = stablehlo.add %7, %9 : tensor<4x6xui64>
  %c_1 = stablehlo.constant dense<32> : tensor<ui64>
  %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %12 = stablehlo.shift_right_logical %10, %11 : tensor<4x6xui64>
  %13 = stablehlo.convert %10 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %14 = stablehlo.convert %12 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %15:2 = call @threefry2x32(%1, %3, %14, %13) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
  %16 = stablehlo.xor %15#0, %15#1 : tensor<4x6xui32>
  return %16 : tensor<4x6xui32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<4x6xui32>, tensor<4x6xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x6xui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<4x6xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<4x6xui32>
  %9 = stablehlo.or %5, %8 : tensor<4x6xui32>
  %10 = stablehlo.xor %3, %9 : tensor<4x6xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<4x6xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<4x6xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<4x6xui32>
  %19 = stablehlo.or %15, %18 : tensor<4x6xui32>
  %20 = stablehlo.xor %13, %19 : tensor<4x6xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<4x6xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<4x6xui32>
  %29 = stablehlo.or %25, %28 : tensor<4x6xui32>
  %30 = stablehlo.xor %23, %29 : tensor<4x6xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<4x6xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<4x6xui32>
  %39 = stablehlo.or %35, %38 : tensor<4x6xui32>
  %40 = stablehlo.xor %33, %39 : tensor<4x6xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %42 = stablehlo.add %33, %41 : tensor<4x6xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %44 = stablehlo.add %40, %43 : tensor<4x6xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %48 = stablehlo.add %44, %47 : tensor<4x6xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
// -----
// jax_uniform
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<4x6xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.convert %arg2 : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
  %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
  %8 = stablehlo.iota dim = 0 : tensor<4x6xui64>
  %9 = stablehlo.iota dim = 1 : tensor<4x6xui64>
  %c = stablehlo.constant dense<6> : tensor<ui64>
  %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %11 = stablehlo.multiply %10, %8 : tensor<4x6xui64>
  %c_0 = stablehlo.constant dense<1> : tensor<ui64>
  %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %13 = stablehlo.multiply %12, %9 : tensor<4x6xui64>
  %14 = stablehlo.add %11, %13 : tensor<4x6xui64>
  %c_1 = stablehlo.constant dense<32> : tensor<ui64>
  %15 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %16 = stablehlo.shift_right_logical %14, %15 : tensor<4x6xui64>
  %17 = stablehlo.convert %14 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %18 = stablehlo.convert %16 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %19:2 = call @threefry2x32(%5, %7, %18, %17) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
  %20 = stablehlo.xor %19#0, %19#1 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<9> : tensor<ui32>
  %21 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %22 = stablehlo.shift_right_logical %20, %21 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
  %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %24 = stablehlo.or %22, %23 : tensor<4x6xui32>
  %25 = stablehlo.bitcast_convert %24 : (tensor<4x6xui32>) -> tensor<4x6xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %27 = stablehlo.subtract %25, %26 : tensor<4x6xf32>
  %28 = stablehlo.subtract %3, %2 : tensor<1x1xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %30 = stablehlo.multiply %27, %29 : tensor<4x6xf32>
  %31 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %32 = stablehlo.add %30, %31 : tensor<4x6xf32>
  %33 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %34 = stablehlo.maximum %33, %32 : tensor<4x6xf32>
  return %34 : tensor<4x6xf32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<4x6xui32>, tensor<4x6xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x6xui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<4x6xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<4x6xui32>
  %9 = stablehlo.or %5, %8 : tensor<4x6xui32>
  %10 = stablehlo.xor %3, %9 : tensor<4x6xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<4x6xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<4x6xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<4x6xui32>
  %19 = stablehlo.or %15, %18 : tensor<4x6xui32>
  %20 = stablehlo.xor %13, %19 : tensor<4x6xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<4x6xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<4x6xui32>
  %29 = stablehlo.or %25, %28 : tensor<4x6xui32>
  %30 = stablehlo.xor %23, %29 : tensor<4x6xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<4x6xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<4x6xui32>
  %39 = stablehlo.or %35, %38 : tensor<4x6xui32>
  %40 = stablehlo.xor %33, %39 : tensor<4x6xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %42 = stablehlo.add %33, %41 : tensor<4x6xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %44 = stablehlo.add %40, %43 : tensor<4x6xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %48 = stablehlo.add %44, %47 : tensor<4x6xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
// -----
// jax_normal
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<4x6xf32> {jax.result_info = "result"}) {
  %0 = call @_normal(%arg0) : (tensor<2xui32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @_normal(%arg0: tensor<2xui32>) -> tensor<4x6xf32> {
  %0 = call @_normal_real(%arg0) : (tensor<2xui32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @_normal_real(%arg0: tensor<2xui32>) -> tensor<4x6xf32> {
  %cst = stablehlo.constant dense<-0.99999994> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = chlo.erf_inv %0 : tensor<4x6xf32> -> tensor<4x6xf32>
  %cst_1 = stablehlo.constant dense<1.41421354> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %3 = stablehlo.multiply %2, %1 : tensor<4x6xf32>
  return %3 : tensor<4x6xf32>
}
func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<4x6xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %2 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
  %4 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
  %6 = stablehlo.iota dim = 0 : tensor<4x6xui64>
  %7 = stablehlo.iota dim = 1 : tensor<4x6xui64>
  %c = stablehlo.constant dense<6> : tensor<ui64>
  %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %9 = stablehlo.multiply %8, %6 : tensor<4x6xui64>
  %c_0 = stablehlo.constant dense<1> : tensor<ui64>
  %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %11 = stablehlo.multiply %10, %7 : tensor<4x6xui64>
  %12 = stablehlo.add %9, %11 : tensor<4x6xui64>
  %c_1 = stablehlo.constant dense<32> : tensor<ui64>
  %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %14 = stablehlo.shift_right_logical %12, %13 : tensor<4x6xui64>
  %15 = stablehlo.convert %12 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %16 = stablehlo.convert %14 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %17:2 = call @threefry2x32(%3, %5, %16, %15) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
  %18 = stablehlo.xor %17#0, %17#1 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<9> : tensor<ui32>
  %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %20 = stablehlo.shift_right_logical %18, %19 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
  %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %22 = stablehlo.or %20, %21 : tensor<4x6xui32>
  %23 = stablehlo.bitcast_convert %22 : (tensor<4x6xui32>) -> tensor<4x6xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %24 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %25 = stablehlo.subtract %23, %24 : tensor<4x6xf32>
  %26 = stablehlo.subtract %1, %0 : tensor<1x1xf32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %28 = stablehlo.multiply %25, %27 : tensor<4x6xf32>
  %29 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %30 = stablehlo.add %28, %29 : tensor<4x6xf32>
  %31 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %32 = stablehlo.maximum %31, %30 : tensor<4x6xf32>
  return %32 : tensor<4x6xf32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<4x6xui32>, tensor<4x6xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x6xui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<4x6xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<4x6xui32>
  %9 = stablehlo.or %5, %8 : tensor<4x6xui32>
  %10 = stablehlo.xor %3, %9 : tensor<4x6xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<4x6xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<4x6xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<4x6xui32>
  %19 = stablehlo.or %15, %18 : tensor<4x6xui32>
  %20 = stablehlo.xor %13, %19 : tensor<4x6xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<4x6xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<4x6xui32>
  %29 = stablehlo.or %25, %28 : tensor<4x6xui32>
  %30 = stablehlo.xor %23, %29 : tensor<4x6xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<4x6xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<4x6xui32>
  %39 = stablehlo.or %35, %38 : tensor<4x6xui32>
  %40 = stablehlo.xor %33, %39 : tensor<4x6xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %42 = stablehlo.add %33, %41 : tensor<4x6xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %44 = stablehlo.add %40, %43 : tensor<4x6xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %48 = stablehlo.add %44, %47 : tensor<4x6xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
// -----
// jax_bernoulli
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<4x6xi1> {jax.result_info = "result"}) {
  %cst = stablehlo.constant dense<3.000000e-01> : tensor<f32>
  %0 = call @_bernoulli(%arg0, %cst) : (tensor<2xui32>, tensor<f32>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
func.func private @_bernoulli(%arg0: tensor<2xui32>, %arg1: tensor<f32>) -> tensor<4x6xi1> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  return %2 : tensor<4x6xi1>
}
func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<4x6xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.convert %arg2 : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %4 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %5 = stablehlo.reshape %4 : (tensor<1xui32>) -> tensor<ui32>
  %6 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %7 = stablehlo.reshape %6 : (tensor<1xui32>) -> tensor<ui32>
  %8 = stablehlo.iota dim = 0 : tensor<4x6xui64>
  %9 = stablehlo.iota dim = 1 : tensor<4x6xui64>
  %c = stablehlo.constant dense<6> : tensor<ui64>
  %10 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %11 = stablehlo.multiply %10, %8 : tensor<4x6xui64>
  %c_0 = stablehlo.constant dense<1> : tensor<ui64>
  %12 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %13 = stablehlo.multiply %12, %9 : tensor<4x6xui64>
  %14 = stablehlo.add %11, %13 : tensor<4x6xui64>
  %c_1 = stablehlo.constant dense<32> : tensor<ui64>
  %15 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %16 = stablehlo.shift_right_logical %14, %15 : tensor<4x6xui64>
  %17 = stablehlo.convert %14 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %18 = stablehlo.convert %16 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %19:2 = call @threefry2x32(%5, %7, %18, %17) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
  %20 = stablehlo.xor %19#0, %19#1 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<9> : tensor<ui32>
  %21 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %22 = stablehlo.shift_right_logical %20, %21 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
  %23 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %24 = stablehlo.or %22, %23 : tensor<4x6xui32>
  %25 = stablehlo.bitcast_convert %24 : (tensor<4x6xui32>) -> tensor<4x6xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %26 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %27 = stablehlo.subtract %25, %26 : tensor<4x6xf32>
  %28 = stablehlo.subtract %3, %2 : tensor<1x1xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %30 = stablehlo.multiply %27, %29 : tensor<4x6xf32>
  %31 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %32 = stablehlo.add %30, %31 : tensor<4x6xf32>
  %33 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %34 = stablehlo.maximum %33, %32 : tensor<4x6xf32>
  return %34 : tensor<4x6xf32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<4x6xui32>, tensor<4x6xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x6xui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<4x6xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<4x6xui32>
  %9 = stablehlo.or %5, %8 : tensor<4x6xui32>
  %10 = stablehlo.xor %3, %9 : tensor<4x6xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<4x6xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<4x6xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<4x6xui32>
  %19 = stablehlo.or %15, %18 : tensor<4x6xui32>
  %20 = stablehlo.xor %13, %19 : tensor<4x6xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<4x6xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<4x6xui32>
  %29 = stablehlo.or %25, %28 : tensor<4x6xui32>
  %30 = stablehlo.xor %23, %29 : tensor<4x6xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<4x6xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<4x6xui32>
  %39 = stablehlo.or %35, %38 : tensor<4x6xui32>
  %40 = stablehlo.xor %33, %39 : tensor<4x6xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %42 = stablehlo.add %33, %41 : tensor<4x6xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %44 = stablehlo.add %40, %43 : tensor<4x6xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %48 = stablehlo.add %44, %47 : tensor<4x6xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
// -----
// jax_split
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<3x2xui32> {jax.result_info = "result"}) {
  %0 = call @_threefry_split(%arg0) : (tensor<2xui32>) -> tensor<3x2xui32>
  return %0 : tensor<3x2xui32>
}
func.func private @_threefry_split(%arg0: tensor<2xui32>) -> tensor<3x2xui32> {
  %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
  %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
  %4 = stablehlo.iota dim = 0 : tensor<3xui64>
  %c = stablehlo.constant dense<1> : tensor<ui64>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %6 = stablehlo.multiply %5, %4 : tensor<3xui64>
  %c_0 = stablehlo.constant dense<32> : tensor<ui64>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %8 = stablehlo.shift_right_logical %6, %7 : tensor<3xui64>
  %9 = stablehlo.convert %6 : (tensor<3xui64>) -> tensor<3xui32>
  %10 = stablehlo.convert %8 : (tensor<3xui64>) -> tensor<3xui32>
  %11:2 = call @threefry2x32(%1, %3, %10, %9) : (tensor<ui32>, tensor<ui32>, tensor<3xui32>, tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>)
  %12 = stablehlo.broadcast_in_dim %11#0, dims = [0] : (tensor<3xui32>) -> tensor<3x1xui32>
  %13 = stablehlo.broadcast_in_dim %11#1, dims = [0] : (tensor<3xui32>) -> tensor<3x1xui32>
  %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<3x1xui32>, tensor<3x1xui32>) -> tensor<3x2xui32>
  return %14 : tensor<3x2xui32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<3xui32>, %arg3: tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<3xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<3xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<3xui32>, tensor<3xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<3xui32>, %arg2: tensor<3xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<3xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<3xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<3xui32>
  %9 = stablehlo.or %5, %8 : tensor<3xui32>
  %10 = stablehlo.xor %3, %9 : tensor<3xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<3xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<3xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<3xui32>
  %19 = stablehlo.or %15, %18 : tensor<3xui32>
  %20 = stablehlo.xor %13, %19 : tensor<3xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<3xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<3xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<3xui32>
  %29 = stablehlo.or %25, %28 : tensor<3xui32>
  %30 = stablehlo.xor %23, %29 : tensor<3xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<3xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<3xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<3xui32>
  %39 = stablehlo.or %35, %38 : tensor<3xui32>
  %40 = stablehlo.xor %33, %39 : tensor<3xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %42 = stablehlo.add %33, %41 : tensor<3xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %44 = stablehlo.add %40, %43 : tensor<3xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %48 = stablehlo.add %44, %47 : tensor<3xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<3xui32>, tensor<3xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
// -----
// jax_fold_in
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<2xui32> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<7> : tensor<ui32>
  %0 = call @_threefry_fold_in(%arg0, %c) : (tensor<2xui32>, tensor<ui32>) -> tensor<2xui32>
  return %0 : tensor<2xui32>
}
func.func private @_threefry_fold_in(%arg0: tensor<2xui32>, %arg1: tensor<ui32>) -> tensor<2xui32> {
  %c = stablehlo.constant dense<32> : tensor<ui32>
  %0 = stablehlo.shift_right_logical %arg1, %c : tensor<ui32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %c_0 = stablehlo.constant dense<4294967295> : tensor<ui32>
  %2 = stablehlo.and %arg1, %c_0 : tensor<ui32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
  %5 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %6 = stablehlo.reshape %5 : (tensor<1xui32>) -> tensor<ui32>
  %7 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %8 = stablehlo.reshape %7 : (tensor<1xui32>) -> tensor<ui32>
  %9 = stablehlo.slice %4 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %10 = stablehlo.slice %4 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %11:2 = call @threefry2x32(%6, %8, %9, %10) : (tensor<ui32>, tensor<ui32>, tensor<1xui32>, tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>)
  %12 = stablehlo.concatenate %11#0, %11#1, dim = 0 : (tensor<1xui32>, tensor<1xui32>) -> tensor<2xui32>
  return %12 : tensor<2xui32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<1xui32>, %arg3: tensor<1xui32>) -> (tensor<1xui32>, tensor<1xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<1xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<1xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<1xui32>, tensor<1xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<1xui32>, %arg2: tensor<1xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<1xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<1xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<1xui32>
  %9 = stablehlo.or %5, %8 : tensor<1xui32>
  %10 = stablehlo.xor %3, %9 : tensor<1xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<1xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<1xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<1xui32>
  %19 = stablehlo.or %15, %18 : tensor<1xui32>
  %20 = stablehlo.xor %13, %19 : tensor<1xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<1xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<1xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<1xui32>
  %29 = stablehlo.or %25, %28 : tensor<1xui32>
  %30 = stablehlo.xor %23, %29 : tensor<1xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<1xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<1xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<1xui32>
  %39 = stablehlo.or %35, %38 : tensor<1xui32>
  %40 = stablehlo.xor %33, %39 : tensor<1xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %42 = stablehlo.add %33, %41 : tensor<1xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %44 = stablehlo.add %40, %43 : tensor<1xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<1xui32>
  %48 = stablehlo.add %44, %47 : tensor<1xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<1xui32>, tensor<1xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
// -----
// jax_randint
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<4x6xi32> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<10> : tensor<i32>
  %0 = call @_randint(%arg0, %c, %c_0) : (tensor<2xui32>, tensor<i32>, tensor<i32>) -> tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}
func.func private @_randint(%arg0: tensor<2xui32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x6xi32> {
  %c = stablehlo.constant dense<2147483647> : tensor<i32>
  %c_0 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %c_1 = stablehlo.constant dense<2147483647> : tensor<i32>
  %0 = call @clip(%c, %c_0, %c_1) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %1 = stablehlo.compare GT, %arg2, %0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %c_2 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %c_3 = stablehlo.constant dense<2147483647> : tensor<i32>
  %2 = call @clip_0(%arg1, %c_2, %c_3) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %3 = stablehlo.convert %2 : tensor<i32>
  %c_4 = stablehlo.constant dense<-2147483648> : tensor<i32>
  %c_5 = stablehlo.constant dense<2147483647> : tensor<i32>
  %4 = call @clip_0(%arg2, %c_4, %c_5) : (tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<i32>
  %5 = stablehlo.convert %4 : tensor<i32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
  %8 = call @_threefry_split(%arg0) : (tensor<2xui32>) -> tensor<2x2xui32>
  %9 = stablehlo.slice %8 [0:1, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
  %10 = stablehlo.reshape %9 : (tensor<1x2xui32>) -> tensor<2xui32>
  %11 = stablehlo.slice %8 [1:2, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
  %12 = stablehlo.reshape %11 : (tensor<1x2xui32>) -> tensor<2xui32>
  %13 = stablehlo.slice %10 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %14 = stablehlo.reshape %13 : (tensor<1xui32>) -> tensor<ui32>
  %15 = stablehlo.slice %10 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %16 = stablehlo.reshape %15 : (tensor<1xui32>) -> tensor<ui32>
  %17 = stablehlo.iota dim = 0 : tensor<4x6xui64>
  %18 = stablehlo.iota dim = 1 : tensor<4x6xui64>
  %c_6 = stablehlo.constant dense<6> : tensor<ui64>
  %19 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %20 = stablehlo.multiply %19, %17 : tensor<4x6xui64>
  %c_7 = stablehlo.constant dense<1> : tensor<ui64>
  %21 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %22 = stablehlo.multiply %21, %18 : tensor<4x6xui64>
  %23 = stablehlo.add %20, %22 : tensor<4x6xui64>
  %c_8 = stablehlo.constant dense<32> : tensor<ui64>
  %24 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %25 = stablehlo.shift_right_logical %23, %24 : tensor<4x6xui64>
  %26 = stablehlo.convert %23 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %27 = stablehlo.convert %25 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %28:2 = call @threefry2x32_1(%14, %16, %27, %26) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
  %29 = stablehlo.xor %28#0, %28#1 : tensor<4x6xui32>
  %30 = stablehlo.slice %12 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %31 = stablehlo.reshape %30 : (tensor<1xui32>) -> tensor<ui32>
  %32 = stablehlo.slice %12 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %33 = stablehlo.reshape %32 : (tensor<1xui32>) -> tensor<ui32>
  %34 = stablehlo.iota dim = 0 : tensor<4x6xui64>
  %35 = stablehlo.iota dim = 1 : tensor<4x6xui64>
  %c_9 = stablehlo.constant dense<6> : tensor<ui64>
  %36 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %37 = stablehlo.multiply %36, %34 : tensor<4x6xui64>
  %c_10 = stablehlo.constant dense<1> : tensor<ui64>
  %38 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %39 = stablehlo.multiply %38, %35 : tensor<4x6xui64>
  %40 = stablehlo.add %37, %39 : tensor<4x6xui64>
  %c_11 = stablehlo.constant dense<32> : tensor<ui64>
  %41 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %42 = stablehlo.shift_right_logical %40, %41 : tensor<4x6xui64>
  %43 = stablehlo.convert %40 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %44 = stablehlo.convert %42 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %45:2 = call @threefry2x32_1(%31, %33, %44, %43) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
  %46 = stablehlo.xor %45#0, %45#1 : tensor<4x6xui32>
  %47 = stablehlo.subtract %7, %6 : tensor<1x1xi32>
  %48 = stablehlo.convert %47 : (tensor<1x1xi32>) -> tensor<1x1xui32>
  %49 = stablehlo.compare LE, %7, %6, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
  %c_12 = stablehlo.constant dense<1> : tensor<ui32>
  %50 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<ui32>) -> tensor<1x1xui32>
  %51 = stablehlo.select %49, %50, %48 : tensor<1x1xi1>, tensor<1x1xui32>
  %52 = stablehlo.compare GT, %7, %6, SIGNED : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x1xi1>
  %53 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %54 = stablehlo.and %53, %52 : tensor<1x1xi1>
  %c_13 = stablehlo.constant dense<1> : tensor<ui32>
  %55 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<ui32>) -> tensor<1x1xui32>
  %56 = stablehlo.add %51, %55 : tensor<1x1xui32>
  %57 = stablehlo.select %54, %56, %51 : tensor<1x1xi1>, tensor<1x1xui32>
  %c_14 = stablehlo.constant dense<65536> : tensor<ui32>
  %58 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<1x1xui32>
  %59 = stablehlo.remainder %58, %57 : tensor<1x1xui32>
  %60 = stablehlo.multiply %59, %59 : tensor<1x1xui32>
  %61 = stablehlo.remainder %60, %57 : tensor<1x1xui32>
  %62 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<1x1xui32>) -> tensor<4x6xui32>
  %63 = stablehlo.remainder %29, %62 : tensor<4x6xui32>
  %64 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<1x1xui32>) -> tensor<4x6xui32>
  %65 = stablehlo.multiply %63, %64 : tensor<4x6xui32>
  %66 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<1x1xui32>) -> tensor<4x6xui32>
  %67 = stablehlo.remainder %46, %66 : tensor<4x6xui32>
  %68 = stablehlo.add %65, %67 : tensor<4x6xui32>
  %69 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<1x1xui32>) -> tensor<4x6xui32>
  %70 = stablehlo.remainder %68, %69 : tensor<4x6xui32>
  %71 = stablehlo.convert %70 : (tensor<4x6xui32>) -> tensor<4x6xi32>
  %72 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<4x6xi32>
  %73 = stablehlo.add %72, %71 : tensor<4x6xi32>
  return %73 : tensor<4x6xi32>
}
func.func private @clip(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.maximum %arg1, %arg0 : tensor<i32>
  %1 = stablehlo.minimum %arg2, %0 : tensor<i32>
  return %1 : tensor<i32>
}
func.func private @clip_0(%arg0: tensor<i32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.maximum %arg1, %arg0 : tensor<i32>
  %1 = stablehlo.minimum %arg2, %0 : tensor<i32>
  return %1 : tensor<i32>
}
func.func private @_threefry_split(%arg0: tensor<2xui32>) -> tensor<2x2xui32> {
  %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
  %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
  %4 = stablehlo.iota dim = 0 : tensor<2xui64>
  %c = stablehlo.constant dense<1> : tensor<ui64>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %6 = stablehlo.multiply %5, %4 : tensor<2xui64>
  %c_0 = stablehlo.constant dense<32> : tensor<ui64>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %8 = stablehlo.shift_right_logical %6, %7 : tensor<2xui64>
  %9 = stablehlo.convert %6 : (tensor<2xui64>) -> tensor<2xui32>
  %10 = stablehlo.convert %8 : (tensor<2xui64>) -> tensor<2xui32>
  %11:2 = call @threefry2x32(%1, %3, %10, %9) : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
  %12 = stablehlo.broadcast_in_dim %11#0, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
  %13 = stablehlo.broadcast_in_dim %11#1, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
  %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
  return %14 : tensor<2x2xui32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<2xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<2xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<2xui32>, tensor<2xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2xui32>, %arg2: tensor<2xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<2xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<2xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<2xui32>
  %9 = stablehlo.or %5, %8 : tensor<2xui32>
  %10 = stablehlo.xor %3, %9 : tensor<2xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<2xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<2xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<2xui32>
  %19 = stablehlo.or %15, %18 : tensor<2xui32>
  %20 = stablehlo.xor %13, %19 : tensor<2xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<2xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<2xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<2xui32>
  %29 = stablehlo.or %25, %28 : tensor<2xui32>
  %30 = stablehlo.xor %23, %29 : tensor<2xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<2xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<2xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<2xui32>
  %39 = stablehlo.or %35, %38 : tensor<2xui32>
  %40 = stablehlo.xor %33, %39 : tensor<2xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %42 = stablehlo.add %33, %41 : tensor<2xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %44 = stablehlo.add %40, %43 : tensor<2xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %48 = stablehlo.add %44, %47 : tensor<2xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
func.func private @threefry2x32_1(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call_2(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<4x6xui32>, tensor<4x6xui32>
}
func.func private @closed_call_2(%arg0: tensor<i32>, %arg1: tensor<4x6xui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<4x6xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<4x6xui32>
  %9 = stablehlo.or %5, %8 : tensor<4x6xui32>
  %10 = stablehlo.xor %3, %9 : tensor<4x6xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<4x6xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<4x6xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<4x6xui32>
  %19 = stablehlo.or %15, %18 : tensor<4x6xui32>
  %20 = stablehlo.xor %13, %19 : tensor<4x6xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<4x6xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<4x6xui32>
  %29 = stablehlo.or %25, %28 : tensor<4x6xui32>
  %30 = stablehlo.xor %23, %29 : tensor<4x6xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<4x6xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<4x6xui32>
  %39 = stablehlo.or %35, %38 : tensor<4x6xui32>
  %40 = stablehlo.xor %33, %39 : tensor<4x6xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %42 = stablehlo.add %33, %41 : tensor<4x6xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %44 = stablehlo.add %40, %43 : tensor<4x6xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %48 = stablehlo.add %44, %47 : tensor<4x6xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
// -----
// jax_categorical
func.func public @main(%arg0: tensor<2xui32>, %arg1: tensor<4x6xf32>) -> (tensor<4xi32> {jax.result_info = "result"}) {
  %0 = call @_gumbel(%arg0) : (tensor<2xui32>) -> tensor<4x6xf32>
  %1 = stablehlo.add %0, %arg1 : tensor<4x6xf32>
  %2 = call @argmax(%1) : (tensor<4x6xf32>) -> tensor<4xi32>
  return %2 : tensor<4xi32>
}
func.func private @_gumbel(%arg0: tensor<2xui32>) -> tensor<4x6xf32> {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.17549435E-38> : tensor<f32>
  %0 = call @_uniform(%arg0, %cst, %cst_0) : (tensor<2xui32>, tensor<f32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = stablehlo.log %0 : tensor<4x6xf32>
  %2 = stablehlo.negate %1 : tensor<4x6xf32>
  %3 = stablehlo.log %2 : tensor<4x6xf32>
  %4 = stablehlo.negate %3 : tensor<4x6xf32>
  return %4 : tensor<4x6xf32>
}
func.func private @_uniform(%arg0: tensor<2xui32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<4x6xf32> {
  %0 = stablehlo.convert %arg1 : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %3 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %4 = stablehlo.reshape %3 : (tensor<1xui32>) -> tensor<ui32>
  %5 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %6 = stablehlo.reshape %5 : (tensor<1xui32>) -> tensor<ui32>
  %7 = stablehlo.iota dim = 0 : tensor<4x6xui64>
  %8 = stablehlo.iota dim = 1 : tensor<4x6xui64>
  %c = stablehlo.constant dense<6> : tensor<ui64>
  %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %10 = stablehlo.multiply %9, %7 : tensor<4x6xui64>
  %c_0 = stablehlo.constant dense<1> : tensor<ui64>
  %11 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %12 = stablehlo.multiply %11, %8 : tensor<4x6xui64>
  %13 = stablehlo.add %10, %12 : tensor<4x6xui64>
  %c_1 = stablehlo.constant dense<32> : tensor<ui64>
  %14 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui64>) -> tensor<4x6xui64>
  %15 = stablehlo.shift_right_logical %13, %14 : tensor<4x6xui64>
  %16 = stablehlo.convert %13 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %17 = stablehlo.convert %15 : (tensor<4x6xui64>) -> tensor<4x6xui32>
  %18:2 = call @threefry2x32(%4, %6, %17, %16) : (tensor<ui32>, tensor<ui32>, tensor<4x6xui32>, tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>)
  %19 = stablehlo.xor %18#0, %18#1 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<9> : tensor<ui32>
  %20 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %21 = stablehlo.shift_right_logical %19, %20 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<1065353216> : tensor<ui32>
  %22 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %23 = stablehlo.or %21, %22 : tensor<4x6xui32>
  %24 = stablehlo.bitcast_convert %23 : (tensor<4x6xui32>) -> tensor<4x6xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %25 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
  %26 = stablehlo.subtract %24, %25 : tensor<4x6xf32>
  %27 = stablehlo.subtract %2, %1 : tensor<1x1xf32>
  %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %29 = stablehlo.multiply %26, %28 : tensor<4x6xf32>
  %30 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %31 = stablehlo.add %29, %30 : tensor<4x6xf32>
  %32 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<4x6xf32>
  %33 = stablehlo.maximum %32, %31 : tensor<4x6xf32>
  return %33 : tensor<4x6xf32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<4x6xui32>) -> (tensor<4x6xui32>, tensor<4x6xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<4x6xui32>, tensor<4x6xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x6xui32>, %arg2: tensor<4x6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<4x6xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<4x6xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<4x6xui32>
  %9 = stablehlo.or %5, %8 : tensor<4x6xui32>
  %10 = stablehlo.xor %3, %9 : tensor<4x6xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<4x6xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<4x6xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<4x6xui32>
  %19 = stablehlo.or %15, %18 : tensor<4x6xui32>
  %20 = stablehlo.xor %13, %19 : tensor<4x6xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<4x6xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<4x6xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<4x6xui32>
  %29 = stablehlo.or %25, %28 : tensor<4x6xui32>
  %30 = stablehlo.xor %23, %29 : tensor<4x6xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<4x6xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<4x6xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<4x6xui32>
  %39 = stablehlo.or %35, %38 : tensor<4x6xui32>
  %40 = stablehlo.xor %33, %39 : tensor<4x6xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %42 = stablehlo.add %33, %41 : tensor<4x6xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %44 = stablehlo.add %40, %43 : tensor<4x6xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<4x6xui32>
  %48 = stablehlo.add %44, %47 : tensor<4x6xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<4x6xui32>, tensor<4x6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
func.func private @argmax(%arg0: tensor<4x6xf32>) -> tensor<4xi32> {
  %0 = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
    %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %1#1 : tensor<4xi32>
}
// -----
// jax_permutation
func.func public @main(%arg0: tensor<2xui32>) -> (tensor<6xi32> {jax.result_info = "result"}) {
  %0 = stablehlo.iota dim = 0 : tensor<6xi32>
  %1 = call @_shuffle(%arg0, %0) : (tensor<2xui32>, tensor<6xi32>) -> tensor<6xi32>
  return %1 : tensor<6xi32>
}
func.func private @_shuffle(%arg0: tensor<2xui32>, %arg1: tensor<6xi32>) -> tensor<6xi32> {
  %0 = call @_threefry_split(%arg0) : (tensor<2xui32>) -> tensor<2x2xui32>
  %1 = stablehlo.slice %0 [1:2, 0:2] : (tensor<2x2xui32>) -> tensor<1x2xui32>
  %2 = stablehlo.reshape %1 : (tensor<1x2xui32>) -> tensor<2xui32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %4 = stablehlo.reshape %3 : (tensor<1xui32>) -> tensor<ui32>
  %5 = stablehlo.slice %2 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %6 = stablehlo.reshape %5 : (tensor<1xui32>) -> tensor<ui32>
  %7 = stablehlo.iota dim = 0 : tensor<6xui64>
  %c = stablehlo.constant dense<1> : tensor<ui64>
  %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<6xui64>
  %9 = stablehlo.multiply %8, %7 : tensor<6xui64>
  %c_0 = stablehlo.constant dense<32> : tensor<ui64>
  %10 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<6xui64>
  %11 = stablehlo.shift_right_logical %9, %10 : tensor<6xui64>
  %12 = stablehlo.convert %9 : (tensor<6xui64>) -> tensor<6xui32>
  %13 = stablehlo.convert %11 : (tensor<6xui64>) -> tensor<6xui32>
  %14:2 = call @threefry2x32_0(%4, %6, %13, %12) : (tensor<ui32>, tensor<ui32>, tensor<6xui32>, tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>)
  %15 = stablehlo.xor %14#0, %14#1 : tensor<6xui32>
  %16:2 = "stablehlo.sort"(%15, %arg1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%arg2: tensor<ui32>, %arg3: tensor<ui32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
    %17 = stablehlo.compare LT, %arg2, %arg3, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %17 : tensor<i1>
  }) : (tensor<6xui32>, tensor<6xi32>) -> (tensor<6xui32>, tensor<6xi32>)
  return %16#1 : tensor<6xi32>
}
func.func private @_threefry_split(%arg0: tensor<2xui32>) -> tensor<2x2xui32> {
  %0 = stablehlo.slice %arg0 [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %1 = stablehlo.reshape %0 : (tensor<1xui32>) -> tensor<ui32>
  %2 = stablehlo.slice %arg0 [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %3 = stablehlo.reshape %2 : (tensor<1xui32>) -> tensor<ui32>
  %4 = stablehlo.iota dim = 0 : tensor<2xui64>
  %c = stablehlo.constant dense<1> : tensor<ui64>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %6 = stablehlo.multiply %5, %4 : tensor<2xui64>
  %c_0 = stablehlo.constant dense<32> : tensor<ui64>
  %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %8 = stablehlo.shift_right_logical %6, %7 : tensor<2xui64>
  %9 = stablehlo.convert %6 : (tensor<2xui64>) -> tensor<2xui32>
  %10 = stablehlo.convert %8 : (tensor<2xui64>) -> tensor<2xui32>
  %11:2 = call @threefry2x32(%1, %3, %10, %9) : (tensor<ui32>, tensor<ui32>, tensor<2xui32>, tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>)
  %12 = stablehlo.broadcast_in_dim %11#0, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
  %13 = stablehlo.broadcast_in_dim %11#1, dims = [0] : (tensor<2xui32>) -> tensor<2x1xui32>
  %14 = stablehlo.concatenate %12, %13, dim = 1 : (tensor<2x1xui32>, tensor<2x1xui32>) -> tensor<2x2xui32>
  return %14 : tensor<2x2xui32>
}
func.func private @threefry2x32(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<2xui32>, %arg3: tensor<2xui32>) -> (tensor<2xui32>, tensor<2xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<2xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<2xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<2xui32>, tensor<2xui32>
}
func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<2xui32>, %arg2: tensor<2xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<2xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<2xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<2xui32>
  %9 = stablehlo.or %5, %8 : tensor<2xui32>
  %10 = stablehlo.xor %3, %9 : tensor<2xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<2xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<2xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<2xui32>
  %19 = stablehlo.or %15, %18 : tensor<2xui32>
  %20 = stablehlo.xor %13, %19 : tensor<2xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<2xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<2xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<2xui32>
  %29 = stablehlo.or %25, %28 : tensor<2xui32>
  %30 = stablehlo.xor %23, %29 : tensor<2xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<2xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<2xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<2xui32>
  %39 = stablehlo.or %35, %38 : tensor<2xui32>
  %40 = stablehlo.xor %33, %39 : tensor<2xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %42 = stablehlo.add %33, %41 : tensor<2xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %44 = stablehlo.add %40, %43 : tensor<2xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<2xui32>
  %48 = stablehlo.add %44, %47 : tensor<2xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
func.func private @threefry2x32_0(%arg0: tensor<ui32>, %arg1: tensor<ui32>, %arg2: tensor<6xui32>, %arg3: tensor<6xui32>) -> (tensor<6xui32>, tensor<6xui32>) {
  %c = stablehlo.constant dense<[13, 15, 26, 6]> : tensor<4xui32>
  %c_0 = stablehlo.constant dense<[17, 29, 16, 24]> : tensor<4xui32>
  %0 = stablehlo.xor %arg0, %arg1 : tensor<ui32>
  %c_1 = stablehlo.constant dense<466688986> : tensor<ui32>
  %1 = stablehlo.xor %0, %c_1 : tensor<ui32>
  %2 = stablehlo.broadcast_in_dim %arg0, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %3 = stablehlo.add %arg2, %2 : tensor<6xui32>
  %4 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %5 = stablehlo.add %arg3, %4 : tensor<6xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %6:9 = stablehlo.while(%iterArg = %c_3, %iterArg_4 = %c_2, %iterArg_5 = %3, %iterArg_6 = %5, %iterArg_7 = %arg1, %iterArg_8 = %1, %iterArg_9 = %arg0, %iterArg_10 = %c, %iterArg_11 = %c_0) : tensor<i32>, tensor<i32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  cond {
    %c_12 = stablehlo.constant dense<5> : tensor<i32>
    %7 = stablehlo.compare LT, %iterArg, %c_12, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  } do {
    %7:8 = func.call @closed_call_1(%iterArg_4, %iterArg_5, %iterArg_6, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11) : (tensor<i32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) -> (tensor<i32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>)
    %c_12 = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.add %iterArg, %c_12 : tensor<i32>
    stablehlo.return %8, %7#0, %7#1, %7#2, %7#3, %7#4, %7#5, %7#6, %7#7 : tensor<i32>, tensor<i32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
  }
  return %6#2, %6#3 : tensor<6xui32>, tensor<6xui32>
}
func.func private @closed_call_1(%arg0: tensor<i32>, %arg1: tensor<6xui32>, %arg2: tensor<6xui32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>, %arg5: tensor<ui32>, %arg6: tensor<4xui32>, %arg7: tensor<4xui32>) -> (tensor<i32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.add %arg0, %c : tensor<i32>
  %1 = stablehlo.slice %arg6 [0:1] : (tensor<4xui32>) -> tensor<1xui32>
  %2 = stablehlo.reshape %1 : (tensor<1xui32>) -> tensor<ui32>
  %3 = stablehlo.add %arg1, %arg2 : tensor<6xui32>
  %4 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %5 = stablehlo.shift_left %arg2, %4 : tensor<6xui32>
  %c_0 = stablehlo.constant dense<32> : tensor<ui32>
  %6 = stablehlo.subtract %c_0, %2 : tensor<ui32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %8 = stablehlo.shift_right_logical %arg2, %7 : tensor<6xui32>
  %9 = stablehlo.or %5, %8 : tensor<6xui32>
  %10 = stablehlo.xor %3, %9 : tensor<6xui32>
  %11 = stablehlo.slice %arg6 [1:2] : (tensor<4xui32>) -> tensor<1xui32>
  %12 = stablehlo.reshape %11 : (tensor<1xui32>) -> tensor<ui32>
  %13 = stablehlo.add %3, %10 : tensor<6xui32>
  %14 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %15 = stablehlo.shift_left %10, %14 : tensor<6xui32>
  %c_1 = stablehlo.constant dense<32> : tensor<ui32>
  %16 = stablehlo.subtract %c_1, %12 : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %18 = stablehlo.shift_right_logical %10, %17 : tensor<6xui32>
  %19 = stablehlo.or %15, %18 : tensor<6xui32>
  %20 = stablehlo.xor %13, %19 : tensor<6xui32>
  %21 = stablehlo.slice %arg6 [2:3] : (tensor<4xui32>) -> tensor<1xui32>
  %22 = stablehlo.reshape %21 : (tensor<1xui32>) -> tensor<ui32>
  %23 = stablehlo.add %13, %20 : tensor<6xui32>
  %24 = stablehlo.broadcast_in_dim %22, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %25 = stablehlo.shift_left %20, %24 : tensor<6xui32>
  %c_2 = stablehlo.constant dense<32> : tensor<ui32>
  %26 = stablehlo.subtract %c_2, %22 : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %28 = stablehlo.shift_right_logical %20, %27 : tensor<6xui32>
  %29 = stablehlo.or %25, %28 : tensor<6xui32>
  %30 = stablehlo.xor %23, %29 : tensor<6xui32>
  %31 = stablehlo.slice %arg6 [3:4] : (tensor<4xui32>) -> tensor<1xui32>
  %32 = stablehlo.reshape %31 : (tensor<1xui32>) -> tensor<ui32>
  %33 = stablehlo.add %23, %30 : tensor<6xui32>
  %34 = stablehlo.broadcast_in_dim %32, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %35 = stablehlo.shift_left %30, %34 : tensor<6xui32>
  %c_3 = stablehlo.constant dense<32> : tensor<ui32>
  %36 = stablehlo.subtract %c_3, %32 : tensor<ui32>
  %37 = stablehlo.broadcast_in_dim %36, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %38 = stablehlo.shift_right_logical %30, %37 : tensor<6xui32>
  %39 = stablehlo.or %35, %38 : tensor<6xui32>
  %40 = stablehlo.xor %33, %39 : tensor<6xui32>
  %41 = stablehlo.broadcast_in_dim %arg3, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %42 = stablehlo.add %33, %41 : tensor<6xui32>
  %43 = stablehlo.broadcast_in_dim %arg4, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %44 = stablehlo.add %40, %43 : tensor<6xui32>
  %c_4 = stablehlo.constant dense<1> : tensor<i32>
  %45 = stablehlo.add %arg0, %c_4 : tensor<i32>
  %46 = stablehlo.convert %45 : (tensor<i32>) -> tensor<ui32>
  %47 = stablehlo.broadcast_in_dim %46, dims = [] : (tensor<ui32>) -> tensor<6xui32>
  %48 = stablehlo.add %44, %47 : tensor<6xui32>
  return %0, %42, %48, %arg4, %arg5, %arg3, %arg7, %arg6 : tensor<i32>, tensor<6xui32>, tensor<6xui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<4xui32>, tensor<4xui32>
}
