// gather_rows: T = f32 i32 i8 bf16
// %i: -1..7
func.func public @main(%x: tensor<6x4x$T>, %i: tensor<4x1xi32>) -> tensor<4x4x$T> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<6x4x$T>, tensor<4x1xi32>) -> tensor<4x4x$T>
  return %0 : tensor<4x4x$T>
}
// -----
// scatter_rows
// %i: -1..7
func.func public @main(%x: tensor<6x4xf32>, %i: tensor<4x1xi32>, %u: tensor<4x4xf32>) -> tensor<6x4xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6x4xf32>, tensor<4x1xi32>, tensor<4x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}
// -----
// dynamic_slice: T = f32 i32
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x4x$T> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 4] : (tensor<4x6x$T>, tensor<i32>, tensor<i32>) -> tensor<2x4x$T>
  return %0 : tensor<2x4x$T>
}
// -----
// dynamic_slice_generic: T = i64 ui32
// %i: 0..4
func.func public @main(%x: tensor<4x6xf32>, %i: tensor<$T>, %j: tensor<$T>) -> tensor<2x6xf32> {
  %0 = "stablehlo.dynamic_slice"(%x, %i, %j) <{slice_sizes = array<i64: 2, 6>}> : (tensor<4x6xf32>, tensor<$T>, tensor<$T>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}
// -----
// dynamic_update_slice: T = f32 i32
func.func public @main(%x: tensor<4x6x$T>, %u: tensor<2x4x$T>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<4x6x$T> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j : (tensor<4x6x$T>, tensor<2x4x$T>, tensor<i32>, tensor<i32>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// gather_windows: T = f32 i32
// %i: -2..8
func.func public @main(%x: tensor<4x6x2x$T>, %i: tensor<6x2xi32>) -> tensor<6x2x3x$T> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [2], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 3, 1>}> : (tensor<4x6x2x$T>, tensor<6x2xi32>) -> tensor<6x2x3x$T>
  return %0 : tensor<6x2x3x$T>
}
// -----
// gather_vector_dim_first
// %i: -1..7
func.func public @main(%x: tensor<4x6xf32>, %i: tensor<2x4xi64>) -> tensor<4xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6xf32>, tensor<2x4xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// -----
// gather_without_vector_dim
// %i: 0..8
func.func public @main(%x: tensor<4x6xf32>, %i: tensor<6x2xui32>) -> tensor<4x6x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 4, 1>}> : (tensor<4x6xf32>, tensor<6x2xui32>) -> tensor<4x6x2xf32>
  return %0 : tensor<4x6x2xf32>
}
// -----
// gather_batched: T = f32 i1 i32
// %i: -1..8
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<4x2x1xi32>) -> tensor<4x2x$T> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x6x$T>, tensor<4x2x1xi32>) -> tensor<4x2x$T>
  return %0 : tensor<4x2x$T>
}
// -----
// gather_batched_windows
// %i: -1..8
func.func public @main(%x: tensor<6x2x4x3xf32>, %i: tensor<2x3x4x1xi32>) -> tensor<2x2x3x4x3xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 4], operand_batching_dims = [1, 2], start_indices_batching_dims = [0, 2], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 2, 1, 1, 3>}> : (tensor<6x2x4x3xf32>, tensor<2x3x4x1xi32>) -> tensor<2x2x3x4x3xf32>
  return %0 : tensor<2x2x3x4x3xf32>
}
// -----
// gather_part_of_a_row
// %i: 0..6
func.func public @main(%x: tensor<6x4xf32>, %i: tensor<4x1xi32>) -> tensor<4x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<6x4xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}
// -----
// torch_index_select
// %i: 0..6
func.func public @main(%x: tensor<4x6xf32>, %i: tensor<3xi32>) -> tensor<4x3xf32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<4x6xf32>, tensor<3xi32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
// -----
// scatter_two_operands
// %i: -1..8
func.func public @main(%x: tensor<6x4xf32>, %y: tensor<6x4xi32>, %i: tensor<4x1xi32>, %u: tensor<4x4xf32>, %v: tensor<4x4xi32>) -> (tensor<6x4xf32>, tensor<6x4xi32>) {
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    stablehlo.return %c, %d : tensor<f32>, tensor<i32>
  }) : (tensor<6x4xf32>, tensor<6x4xi32>, tensor<4x1xi32>, tensor<4x4xf32>, tensor<4x4xi32>) -> (tensor<6x4xf32>, tensor<6x4xi32>)
  return %0#0, %0#1 : tensor<6x4xf32>, tensor<6x4xi32>
}
// -----
// scatter_by: OP = add multiply maximum minimum; T = f32 i32 i8
// %i: -1..8
func.func public @main(%x: tensor<6x4x$T>, %i: tensor<4x1xi32>, %u: tensor<4x4x$T>) -> tensor<6x4x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    %s = stablehlo.$OP %a, %b : tensor<$T>
    stablehlo.return %s : tensor<$T>
  }) : (tensor<6x4x$T>, tensor<4x1xi32>, tensor<4x4x$T>) -> tensor<6x4x$T>
  return %0 : tensor<6x4x$T>
}
// -----
// scatter_replaces: T = f32 i32 bf16 i1
// %i: -1..8
func.func public @main(%x: tensor<6x4x$T>, %i: tensor<4x1xi32>, %u: tensor<4x4x$T>) -> tensor<6x4x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    stablehlo.return %b : tensor<$T>
  }) : (tensor<6x4x$T>, tensor<4x1xi32>, tensor<4x4x$T>) -> tensor<6x4x$T>
  return %0 : tensor<6x4x$T>
}
// -----
// scatter_elements: OP = add maximum; T = f32
// %i: -1..8
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<6x2xi32>, %u: tensor<6x$T>) -> tensor<4x6x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    %s = stablehlo.$OP %a, %b : tensor<$T>
    stablehlo.return %s : tensor<$T>
  }) : (tensor<4x6x$T>, tensor<6x2xi32>, tensor<6x$T>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// scatter_windows: OP = add minimum; T = f32
// %i: -1..4
func.func public @main(%x: tensor<4x6x2x$T>, %i: tensor<3x2xi32>, %u: tensor<3x2x3x$T>) -> tensor<4x6x2x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    %s = stablehlo.$OP %a, %b : tensor<$T>
    stablehlo.return %s : tensor<$T>
  }) : (tensor<4x6x2x$T>, tensor<3x2xi32>, tensor<3x2x3x$T>) -> tensor<4x6x2x$T>
  return %0 : tensor<4x6x2x$T>
}
// -----
// scatter_part_of_rows: OP = add multiply; T = f32 i32
// %i: -1..8
func.func public @main(%x: tensor<6x4x$T>, %i: tensor<4x1xi32>, %u: tensor<4x2x$T>) -> tensor<6x4x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    %s = stablehlo.$OP %a, %b : tensor<$T>
    stablehlo.return %s : tensor<$T>
  }) : (tensor<6x4x$T>, tensor<4x1xi32>, tensor<4x2x$T>) -> tensor<6x4x$T>
  return %0 : tensor<6x4x$T>
}
// -----
// scatter_replaces_part_of_rows: T = f32
// %i: -1..8
func.func public @main(%x: tensor<6x4x$T>, %i: tensor<4x1xi32>, %u: tensor<4x2x$T>) -> tensor<6x4x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    stablehlo.return %b : tensor<$T>
  }) : (tensor<6x4x$T>, tensor<4x1xi32>, tensor<4x2x$T>) -> tensor<6x4x$T>
  return %0 : tensor<6x4x$T>
}
// -----
// scatter_batched: OP = add maximum; T = f32 i32
// %i: -1..8
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<4x2x1xi32>, %u: tensor<4x2x$T>) -> tensor<4x6x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    %s = stablehlo.$OP %a, %b : tensor<$T>
    stablehlo.return %s : tensor<$T>
  }) : (tensor<4x6x$T>, tensor<4x2x1xi32>, tensor<4x2x$T>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// scatter_replaces_batched: T = f32
// %i: -1..8
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<4x2x1xi32>, %u: tensor<4x2x$T>) -> tensor<4x6x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    stablehlo.return %b : tensor<$T>
  }) : (tensor<4x6x$T>, tensor<4x2x1xi32>, tensor<4x2x$T>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// scatter_unique_by_any_body: T = f32
// %i: 1..4 distinct
func.func public @main(%x: tensor<6x4x$T>, %i: tensor<3x1xi32>, %u: tensor<3x4x$T>) -> tensor<6x4x$T> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<$T>, %b: tensor<$T>):
    %c = stablehlo.multiply %a, %a : tensor<$T>
    %s = stablehlo.subtract %c, %b : tensor<$T>
    stablehlo.return %s : tensor<$T>
  }) : (tensor<6x4x$T>, tensor<3x1xi32>, tensor<3x4x$T>) -> tensor<6x4x$T>
  return %0 : tensor<6x4x$T>
}
