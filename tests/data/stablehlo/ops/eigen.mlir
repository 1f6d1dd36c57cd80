// eigh_float32
func.func public @main(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4xf32> {jax.result_info = "result[0]"}, tensor<2x4x4xf32> {jax.result_info = "result[1]"}, tensor<2x4x4xf32> {jax.result_info = "result[2]"}) {
  %0:2 = call @eigh(%arg0) : (tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>)
  %1 = stablehlo.transpose %0#1, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %2 = stablehlo.dot_general %1, %0#1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
  %4 = stablehlo.add %2, %3 : tensor<2x4x4xf32>
  %5 = stablehlo.broadcast_in_dim %0#0, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4x1xf32>
  %6 = stablehlo.transpose %0#1, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x1xf32>) -> tensor<2x4x4xf32>
  %8 = stablehlo.multiply %7, %6 : tensor<2x4x4xf32>
  %9 = stablehlo.dot_general %0#1, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  return %0#0, %4, %9 : tensor<2x4xf32>, tensor<2x4x4xf32>, tensor<2x4x4xf32>
}
func.func private @eigh(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4xf32>, tensor<2x4x4xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<2x4x4xf32>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
  %3 = stablehlo.divide %1, %2 : tensor<2x4x4xf32>
  %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
  %10 = stablehlo.select %9, %4#0, %8 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %11 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
  %14 = stablehlo.select %13, %4#1, %12 : tensor<2x4xi1>, tensor<2x4xf32>
  return %14, %10 : tensor<2x4xf32>, tensor<2x4x4xf32>
}
// -----
// eigh_odd_float32
func.func public @main(%arg0: tensor<5x5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5x5xf32> {jax.result_info = "result[1]"}, tensor<5x5xf32> {jax.result_info = "result[2]"}) {
  %0:2 = call @eigh(%arg0) : (tensor<5x5xf32>) -> (tensor<5xf32>, tensor<5x5xf32>)
  %1 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %2 = stablehlo.dot_general %1, %0#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
  %4 = stablehlo.add %2, %3 : tensor<5x5xf32>
  %5 = stablehlo.broadcast_in_dim %0#0, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
  %6 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x5xf32>
  %8 = stablehlo.multiply %7, %6 : tensor<5x5xf32>
  %9 = stablehlo.dot_general %0#1, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  return %0#0, %4, %9 : tensor<5xf32>, tensor<5x5xf32>, tensor<5x5xf32>
}
func.func private @eigh(%arg0: tensor<5x5xf32>) -> (tensor<5xf32>, tensor<5x5xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<5x5xf32>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
  %3 = stablehlo.divide %1, %2 : tensor<5x5xf32>
  %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=5, j=5, k=5, l=5, m=5}, custom>} : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xf32>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %10 = stablehlo.select %9, %4#0, %8 : tensor<5x5xi1>, tensor<5x5xf32>
  %11 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<1xi1>) -> tensor<5xi1>
  %14 = stablehlo.select %13, %4#1, %12 : tensor<5xi1>, tensor<5xf32>
  return %14, %10 : tensor<5xf32>, tensor<5x5xf32>
}
// -----
// eigh_one_float32
func.func public @main(%arg0: tensor<1x1xf32>) -> (tensor<1xf32> {jax.result_info = "result[0]"}, tensor<1x1xf32> {jax.result_info = "result[1]"}, tensor<1x1xf32> {jax.result_info = "result[2]"}) {
  %0:2 = call @eigh(%arg0) : (tensor<1x1xf32>) -> (tensor<1xf32>, tensor<1x1xf32>)
  %1 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %2 = stablehlo.dot_general %1, %0#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %4 = stablehlo.add %2, %3 : tensor<1x1xf32>
  %5 = stablehlo.broadcast_in_dim %0#0, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
  %6 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %7 = stablehlo.multiply %5, %6 : tensor<1x1xf32>
  %8 = stablehlo.dot_general %0#1, %7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0#0, %4, %8 : tensor<1xf32>, tensor<1x1xf32>, tensor<1x1xf32>
}
func.func private @eigh(%arg0: tensor<1x1xf32>) -> (tensor<1xf32>, tensor<1x1xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<1x1xf32>) -> tensor<1x1xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<1x1xf32>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %3 = stablehlo.divide %1, %2 : tensor<1x1xf32>
  %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=1, j=1, k=1, l=1, m=1}, custom>} : (tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1xf32>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
  %9 = stablehlo.select %7, %4#0, %8 : tensor<1x1xi1>, tensor<1x1xf32>
  %10 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %12 = stablehlo.select %10, %4#1, %11 : tensor<1xi1>, tensor<1xf32>
  return %12, %9 : tensor<1xf32>, tensor<1x1xf32>
}
// -----
// eigh_equal_float32
func.func public @main(%arg0: tensor<2x4x4xf32>) -> (tensor<2x8xf32> {jax.result_info = "result[0]"}, tensor<2x8x8xf32> {jax.result_info = "result[1]"}, tensor<2x8x8xf32> {jax.result_info = "result[2]"}) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
  %1 = stablehlo.multiply %arg0, %0 : tensor<2x4x4xf32>
  %2 = stablehlo.concatenate %arg0, %1, dim = 2 : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x8xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
  %4 = stablehlo.multiply %arg0, %3 : tensor<2x4x4xf32>
  %5 = stablehlo.negate %arg0 : tensor<2x4x4xf32>
  %6 = stablehlo.concatenate %4, %5, dim = 2 : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x8xf32>
  %7 = stablehlo.concatenate %2, %6, dim = 1 : (tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> tensor<2x8x8xf32>
  %8:2 = call @eigh(%7) : (tensor<2x8x8xf32>) -> (tensor<2x8xf32>, tensor<2x8x8xf32>)
  %9 = stablehlo.transpose %8#1, dims = [0, 2, 1] : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %10 = stablehlo.dot_general %9, %8#1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8x8xf32>
  %12 = stablehlo.add %10, %11 : tensor<2x8x8xf32>
  %13 = stablehlo.broadcast_in_dim %8#0, dims = [0, 1] : (tensor<2x8xf32>) -> tensor<2x8x1xf32>
  %14 = stablehlo.transpose %8#1, dims = [0, 2, 1] : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x8x1xf32>) -> tensor<2x8x8xf32>
  %16 = stablehlo.multiply %15, %14 : tensor<2x8x8xf32>
  %17 = stablehlo.dot_general %8#1, %16, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  return %8#0, %12, %17 : tensor<2x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32>
}
func.func private @eigh(%arg0: tensor<2x8x8xf32>) -> (tensor<2x8xf32>, tensor<2x8x8xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<2x8x8xf32>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x8xf32>
  %3 = stablehlo.divide %1, %2 : tensor<2x8x8xf32>
  %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=8, k=8, l=8, m=8, n=8}, custom>} : (tensor<2x8x8xf32>) -> (tensor<2x8x8xf32>, tensor<2x8xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8x8xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x8x8xi1>
  %10 = stablehlo.select %9, %4#0, %8 : tensor<2x8x8xi1>, tensor<2x8x8xf32>
  %11 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x8xi1>
  %14 = stablehlo.select %13, %4#1, %12 : tensor<2x8xi1>, tensor<2x8xf32>
  return %14, %10 : tensor<2x8xf32>, tensor<2x8x8xf32>
}
// -----
// eigh_complex_float32
func.func public @main(%arg0: tensor<5x5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5x5xf32> {jax.result_info = "result[1]"}, tensor<5x5xf32> {jax.result_info = "result[2]"}) {
  %0 = stablehlo.cosine %arg0 : tensor<5x5xf32>
  %1 = call @_roll_static(%0) : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %2 = stablehlo.complex %arg0, %1 : tensor<5x5xcomplex<f32>>
  %3:2 = call @eigh(%2) : (tensor<5x5xcomplex<f32>>) -> (tensor<5xf32>, tensor<5x5xcomplex<f32>>)
  %4 = stablehlo.transpose %3#1, dims = [1, 0] : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %6 = stablehlo.imag %4 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %7 = stablehlo.negate %6 : tensor<5x5xf32>
  %8 = stablehlo.complex %5, %7 : tensor<5x5xcomplex<f32>>
  %9 = stablehlo.dot_general %8, %3#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xcomplex<f32>>, tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<5x5xcomplex<f32>>
  %11 = stablehlo.add %9, %10 : tensor<5x5xcomplex<f32>>
  %12 = stablehlo.broadcast_in_dim %3#0, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
  %13 = stablehlo.transpose %3#1, dims = [1, 0] : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %14 = stablehlo.real %13 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %15 = stablehlo.imag %13 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %16 = stablehlo.negate %15 : tensor<5x5xf32>
  %17 = stablehlo.complex %14, %16 : tensor<5x5xcomplex<f32>>
  %18 = stablehlo.convert %12 : (tensor<5x1xf32>) -> tensor<5x1xcomplex<f32>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<5x1xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %20 = stablehlo.multiply %19, %17 : tensor<5x5xcomplex<f32>>
  %21 = stablehlo.dot_general %3#1, %20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xcomplex<f32>>, tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %22 = stablehlo.real %11 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %23 = stablehlo.real %21 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  return %3#0, %22, %23 : tensor<5xf32>, tensor<5x5xf32>, tensor<5x5xf32>
}
func.func private @_roll_static(%arg0: tensor<5x5xf32>) -> tensor<5x5xf32> {
  %0 = stablehlo.slice %arg0 [0:5, 4:5] : (tensor<5x5xf32>) -> tensor<5x1xf32>
  %1 = stablehlo.slice %arg0 [0:5, 0:4] : (tensor<5x5xf32>) -> tensor<5x4xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<5x1xf32>, tensor<5x4xf32>) -> tensor<5x5xf32>
  return %2 : tensor<5x5xf32>
}
func.func private @eigh(%arg0: tensor<5x5xcomplex<f32>>) -> (tensor<5xf32>, tensor<5x5xcomplex<f32>>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>
  %1 = stablehlo.real %0 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %2 = stablehlo.imag %0 : (tensor<5x5xcomplex<f32>>) -> tensor<5x5xf32>
  %3 = stablehlo.negate %2 : tensor<5x5xf32>
  %4 = stablehlo.complex %1, %3 : tensor<5x5xcomplex<f32>>
  %5 = stablehlo.add %arg0, %4 : tensor<5x5xcomplex<f32>>
  %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<5x5xcomplex<f32>>
  %7 = stablehlo.divide %5, %6 : tensor<5x5xcomplex<f32>>
  %8:3 = stablehlo.custom_call @lapack_cheevd_ffi(%7) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=5, j=5, k=5, l=5, m=5}, custom>} : (tensor<5x5xcomplex<f32>>) -> (tensor<5x5xcomplex<f32>>, tensor<5xf32>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %10 = stablehlo.compare EQ, %8#2, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<5x5xcomplex<f32>>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %14 = stablehlo.select %13, %8#0, %12 : tensor<5x5xi1>, tensor<5x5xcomplex<f32>>
  %15 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5xf32>
  %17 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<1xi1>) -> tensor<5xi1>
  %18 = stablehlo.select %17, %8#1, %16 : tensor<5xi1>, tensor<5xf32>
  return %18, %14 : tensor<5xf32>, tensor<5x5xcomplex<f32>>
}
// -----
// eigvalsh_upper_float32
func.func public @main(%arg0: tensor<2x4x4xf32>) -> (tensor<2x4xf32> {jax.result_info = "result"}) {
  %0 = call @eigvalsh(%arg0) : (tensor<2x4x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
func.func private @eigvalsh(%arg0: tensor<2x4x4xf32>) -> tensor<2x4xf32> {
  %0 = call @eigh(%arg0) : (tensor<2x4x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
func.func private @eigh(%arg0: tensor<2x4x4xf32>) -> tensor<2x4xf32> {
  %0:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf32>) -> (tensor<2x4x4xf32>, tensor<2x4xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#2, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x4xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
  %6 = stablehlo.select %5, %0#0, %4 : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
  %10 = stablehlo.select %9, %0#1, %8 : tensor<2x4xi1>, tensor<2x4xf32>
  return %10 : tensor<2x4xf32>
}
// -----
// svd_tall_float32
func.func public @main(%arg0: tensor<2x5x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3x3xf32> {jax.result_info = "result[1]"}, tensor<2x3x3xf32> {jax.result_info = "result[2]"}, tensor<2x5x3xf32> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>)
  %1 = stablehlo.transpose %0#0, dims = [0, 2, 1] : (tensor<2x5x3xf32>) -> tensor<2x3x5xf32>
  %2 = stablehlo.dot_general %1, %0#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x5xf32>, tensor<2x5x3xf32>) -> tensor<2x3x3xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %4 = stablehlo.add %2, %3 : tensor<2x3x3xf32>
  %5 = stablehlo.transpose %0#2, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %6 = stablehlo.dot_general %0#2, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.add %6, %7 : tensor<2x3x3xf32>
  %9 = stablehlo.broadcast_in_dim %0#1, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x3x1xf32>) -> tensor<2x3x3xf32>
  %11 = stablehlo.multiply %10, %0#2 : tensor<2x3x3xf32>
  %12 = stablehlo.dot_general %0#0, %11, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf32>, tensor<2x3x3xf32>) -> tensor<2x5x3xf32>
  return %0#1, %4, %8, %12 : tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x5x3xf32>
}
func.func private @svd(%arg0: tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=3, q=3, r=3}, custom>} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x5x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x3xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x3xi1>, tensor<2x5x3xf32>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  return %10, %6, %14 : tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>
}
// -----
// svd_wide_float32
func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3x3xf32> {jax.result_info = "result[1]"}, tensor<3x3xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<3x4xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x4xf32>)
  %1 = stablehlo.transpose %0#0, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = stablehlo.dot_general %1, %0#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
  %4 = stablehlo.add %2, %3 : tensor<3x3xf32>
  %5 = stablehlo.transpose %0#2, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %6 = stablehlo.dot_general %0#2, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
  %8 = stablehlo.add %6, %7 : tensor<3x3xf32>
  %9 = stablehlo.broadcast_in_dim %0#1, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
  %11 = stablehlo.multiply %10, %0#2 : tensor<3x4xf32>
  %12 = stablehlo.dot_general %0#0, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0#1, %4, %8, %12 : tensor<3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x4xf32>
}
func.func private @svd(%arg0: tensor<3x4xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3x4xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=3, j=4, k=3, l=4, m=3, n=3, o=3, p=3, q=4}, custom>} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<3x4xf32>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xf32>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x4xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<3x4xi1>, tensor<3x4xf32>
  return %10, %6, %14 : tensor<3x3xf32>, tensor<3xf32>, tensor<3x4xf32>
}
// -----
// svd_full_float32
func.func public @main(%arg0: tensor<2x5x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x5x5xf32> {jax.result_info = "result[1]"}, tensor<2x3x3xf32> {jax.result_info = "result[2]"}, tensor<2x5x3xf32> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<2x5x3xf32>) -> (tensor<2x5x5xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>)
  %1 = stablehlo.transpose %0#0, dims = [0, 2, 1] : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %2 = stablehlo.dot_general %1, %0#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x5xf32>
  %4 = stablehlo.add %2, %3 : tensor<2x5x5xf32>
  %5 = stablehlo.transpose %0#2, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %6 = stablehlo.dot_general %0#2, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.add %6, %7 : tensor<2x3x3xf32>
  %9 = stablehlo.slice %0#0 [0:2, 0:5, 0:3] : (tensor<2x5x5xf32>) -> tensor<2x5x3xf32>
  %10 = stablehlo.broadcast_in_dim %0#1, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x3x1xf32>) -> tensor<2x3x3xf32>
  %12 = stablehlo.multiply %11, %0#2 : tensor<2x3x3xf32>
  %13 = stablehlo.dot_general %9, %12, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf32>, tensor<2x3x3xf32>) -> tensor<2x5x3xf32>
  return %0#1, %4, %8, %13 : tensor<2x3xf32>, tensor<2x5x5xf32>, tensor<2x3x3xf32>, tensor<2x5x3xf32>
}
func.func private @svd(%arg0: tensor<2x5x3xf32>) -> (tensor<2x5x5xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=5, q=3, r=3}, custom>} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x5x5xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x5xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x5xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x5xi1>, tensor<2x5x5xf32>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  return %10, %6, %14 : tensor<2x5x5xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>
}
// -----
// svd_full_wide_float32
func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3x3xf32> {jax.result_info = "result[1]"}, tensor<4x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<3x4xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<4x4xf32>)
  %1 = stablehlo.transpose %0#0, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %2 = stablehlo.dot_general %1, %0#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
  %4 = stablehlo.add %2, %3 : tensor<3x3xf32>
  %5 = stablehlo.transpose %0#2, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = stablehlo.dot_general %0#2, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %8 = stablehlo.add %6, %7 : tensor<4x4xf32>
  %9 = stablehlo.broadcast_in_dim %0#1, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
  %10 = stablehlo.slice %0#2 [0:3, 0:4] : (tensor<4x4xf32>) -> tensor<3x4xf32>
  %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<3x1xf32>) -> tensor<3x4xf32>
  %12 = stablehlo.multiply %11, %10 : tensor<3x4xf32>
  %13 = stablehlo.dot_general %0#0, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %0#1, %4, %8, %13 : tensor<3xf32>, tensor<3x3xf32>, tensor<4x4xf32>, tensor<3x4xf32>
}
func.func private @svd(%arg0: tensor<3x4xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<4x4xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=3, j=4, k=3, l=4, m=3, n=3, o=3, p=4, q=4}, custom>} : (tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3xf32>, tensor<3x3xf32>, tensor<4x4xf32>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3x3xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xf32>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<4x4xi1>, tensor<4x4xf32>
  return %10, %6, %14 : tensor<3x3xf32>, tensor<3xf32>, tensor<4x4xf32>
}
// -----
// svd_rank_float32
func.func public @main(%arg0: tensor<5x5xf32>) -> (tensor<5xf32> {jax.result_info = "result[0]"}, tensor<5x5xf32> {jax.result_info = "result[1]"}, tensor<5x5xf32> {jax.result_info = "result[2]"}, tensor<5x5xf32> {jax.result_info = "result[3]"}) {
  %0 = stablehlo.slice %arg0 [0:5, 0:1] : (tensor<5x5xf32>) -> tensor<5x1xf32>
  %1 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<5x5xf32>) -> tensor<1x5xf32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x5xf32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x5xf32>) -> tensor<5x5xf32>
  %4 = stablehlo.multiply %2, %3 : tensor<5x5xf32>
  %5:3 = call @svd(%4) : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xf32>, tensor<5x5xf32>)
  %6 = stablehlo.transpose %5#0, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %7 = stablehlo.dot_general %6, %5#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
  %9 = stablehlo.add %7, %8 : tensor<5x5xf32>
  %10 = stablehlo.transpose %5#2, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
  %11 = stablehlo.dot_general %5#2, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
  %13 = stablehlo.add %11, %12 : tensor<5x5xf32>
  %14 = stablehlo.broadcast_in_dim %5#1, dims = [0] : (tensor<5xf32>) -> tensor<5x1xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x5xf32>
  %16 = stablehlo.multiply %15, %5#2 : tensor<5x5xf32>
  %17 = stablehlo.dot_general %5#0, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf32>, tensor<5x5xf32>) -> tensor<5x5xf32>
  return %5#1, %9, %13, %17 : tensor<5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<5x5xf32>
}
func.func private @svd(%arg0: tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xf32>, tensor<5x5xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=5, j=5, k=5, l=5, m=5, n=5, o=5, p=5, q=5}, custom>} : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xf32>, tensor<5x5xf32>, tensor<5x5xf32>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<5xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<5xi1>, tensor<5xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<5x5xi1>, tensor<5x5xf32>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<5x5xi1>, tensor<5x5xf32>
  return %10, %6, %14 : tensor<5x5xf32>, tensor<5xf32>, tensor<5x5xf32>
}
// -----
// svd_zero_float32
func.func public @main(%arg0: tensor<2x5x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x5x5xf32> {jax.result_info = "result[1]"}, tensor<2x3x3xf32> {jax.result_info = "result[2]"}, tensor<2x5x3xf32> {jax.result_info = "result[3]"}) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x5x3xf32>
  %1 = stablehlo.multiply %arg0, %0 : tensor<2x5x3xf32>
  %2:3 = call @svd(%1) : (tensor<2x5x3xf32>) -> (tensor<2x5x5xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>)
  %3 = stablehlo.transpose %2#0, dims = [0, 2, 1] : (tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %4 = stablehlo.dot_general %3, %2#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf32>, tensor<2x5x5xf32>) -> tensor<2x5x5xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x5xf32>
  %6 = stablehlo.add %4, %5 : tensor<2x5x5xf32>
  %7 = stablehlo.transpose %2#2, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %8 = stablehlo.dot_general %2#2, %7, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %10 = stablehlo.add %8, %9 : tensor<2x3x3xf32>
  %11 = stablehlo.slice %2#0 [0:2, 0:5, 0:3] : (tensor<2x5x5xf32>) -> tensor<2x5x3xf32>
  %12 = stablehlo.broadcast_in_dim %2#1, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x3x1xf32>) -> tensor<2x3x3xf32>
  %14 = stablehlo.multiply %13, %2#2 : tensor<2x3x3xf32>
  %15 = stablehlo.dot_general %11, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf32>, tensor<2x3x3xf32>) -> tensor<2x5x3xf32>
  return %2#1, %6, %10, %15 : tensor<2x3xf32>, tensor<2x5x5xf32>, tensor<2x3x3xf32>, tensor<2x5x3xf32>
}
func.func private @svd(%arg0: tensor<2x5x3xf32>) -> (tensor<2x5x5xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=5, q=3, r=3}, custom>} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x5x5xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x5xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x5xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x5xi1>, tensor<2x5x5xf32>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  return %10, %6, %14 : tensor<2x5x5xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>
}
// -----
// svd_complex_float32
func.func public @main(%arg0: tensor<2x5x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result[0]"}, tensor<2x3x3xf32> {jax.result_info = "result[1]"}, tensor<2x3x3xf32> {jax.result_info = "result[2]"}, tensor<2x5x3xf32> {jax.result_info = "result[3]"}) {
  %0 = stablehlo.cosine %arg0 : tensor<2x5x3xf32>
  %1 = call @_roll_static(%0) : (tensor<2x5x3xf32>) -> tensor<2x5x3xf32>
  %2 = stablehlo.complex %arg0, %1 : tensor<2x5x3xcomplex<f32>>
  %3:3 = call @svd(%2) : (tensor<2x5x3xcomplex<f32>>) -> (tensor<2x5x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>)
  %4 = stablehlo.transpose %3#0, dims = [0, 2, 1] : (tensor<2x5x3xcomplex<f32>>) -> tensor<2x3x5xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xf32>
  %6 = stablehlo.imag %4 : (tensor<2x3x5xcomplex<f32>>) -> tensor<2x3x5xf32>
  %7 = stablehlo.negate %6 : tensor<2x3x5xf32>
  %8 = stablehlo.complex %5, %7 : tensor<2x3x5xcomplex<f32>>
  %9 = stablehlo.dot_general %8, %3#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x5xcomplex<f32>>, tensor<2x5x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %11 = stablehlo.add %9, %10 : tensor<2x3x3xcomplex<f32>>
  %12 = stablehlo.transpose %3#2, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %13 = stablehlo.real %12 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %14 = stablehlo.imag %12 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %15 = stablehlo.negate %14 : tensor<2x3x3xf32>
  %16 = stablehlo.complex %13, %15 : tensor<2x3x3xcomplex<f32>>
  %17 = stablehlo.dot_general %3#2, %16, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %19 = stablehlo.add %17, %18 : tensor<2x3x3xcomplex<f32>>
  %20 = stablehlo.broadcast_in_dim %3#1, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %21 = stablehlo.convert %20 : (tensor<2x3x1xf32>) -> tensor<2x3x1xcomplex<f32>>
  %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x3x1xcomplex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %23 = stablehlo.multiply %22, %3#2 : tensor<2x3x3xcomplex<f32>>
  %24 = stablehlo.dot_general %3#0, %23, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>) -> tensor<2x5x3xcomplex<f32>>
  %25 = stablehlo.real %11 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %26 = stablehlo.real %19 : (tensor<2x3x3xcomplex<f32>>) -> tensor<2x3x3xf32>
  %27 = stablehlo.real %24 : (tensor<2x5x3xcomplex<f32>>) -> tensor<2x5x3xf32>
  return %3#1, %25, %26, %27 : tensor<2x3xf32>, tensor<2x3x3xf32>, tensor<2x3x3xf32>, tensor<2x5x3xf32>
}
func.func private @_roll_static(%arg0: tensor<2x5x3xf32>) -> tensor<2x5x3xf32> {
  %0 = stablehlo.slice %arg0 [0:2, 0:5, 2:3] : (tensor<2x5x3xf32>) -> tensor<2x5x1xf32>
  %1 = stablehlo.slice %arg0 [0:2, 0:5, 0:2] : (tensor<2x5x3xf32>) -> tensor<2x5x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<2x5x1xf32>, tensor<2x5x2xf32>) -> tensor<2x5x3xf32>
  return %2 : tensor<2x5x3xf32>
}
func.func private @svd(%arg0: tensor<2x5x3xcomplex<f32>>) -> (tensor<2x5x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>) {
  %0:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=3, q=3, r=3}, custom>} : (tensor<2x5x3xcomplex<f32>>) -> (tensor<2x5x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x5x3xcomplex<f32>>, tensor<2x3x3xcomplex<f32>>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<2x5x3xcomplex<f32>>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x3xi1>, tensor<2x5x3xcomplex<f32>>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<2x3x3xcomplex<f32>>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f32>>
  return %10, %6, %14 : tensor<2x5x3xcomplex<f32>>, tensor<2x3xf32>, tensor<2x3x3xcomplex<f32>>
}
// -----
// svd_complex_full_float32
func.func public @main(%arg0: tensor<3x4xf32>) -> (tensor<3xf32> {jax.result_info = "result[0]"}, tensor<3x3xf32> {jax.result_info = "result[1]"}, tensor<4x4xf32> {jax.result_info = "result[2]"}, tensor<3x4xf32> {jax.result_info = "result[3]"}) {
  %0 = stablehlo.cosine %arg0 : tensor<3x4xf32>
  %1 = call @_roll_static(%0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = stablehlo.complex %arg0, %1 : tensor<3x4xcomplex<f32>>
  %3:3 = call @svd(%2) : (tensor<3x4xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<4x4xcomplex<f32>>)
  %4 = stablehlo.transpose %3#0, dims = [1, 0] : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  %5 = stablehlo.real %4 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
  %6 = stablehlo.imag %4 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
  %7 = stablehlo.negate %6 : tensor<3x3xf32>
  %8 = stablehlo.complex %5, %7 : tensor<3x3xcomplex<f32>>
  %9 = stablehlo.dot_general %8, %3#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f32>>, tensor<3x3xcomplex<f32>>) -> tensor<3x3xcomplex<f32>>
  %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
  %11 = stablehlo.add %9, %10 : tensor<3x3xcomplex<f32>>
  %12 = stablehlo.transpose %3#2, dims = [1, 0] : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %13 = stablehlo.real %12 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
  %14 = stablehlo.imag %12 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
  %15 = stablehlo.negate %14 : tensor<4x4xf32>
  %16 = stablehlo.complex %13, %15 : tensor<4x4xcomplex<f32>>
  %17 = stablehlo.dot_general %3#2, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
  %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
  %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
  %19 = stablehlo.add %17, %18 : tensor<4x4xcomplex<f32>>
  %20 = stablehlo.broadcast_in_dim %3#1, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
  %21 = stablehlo.slice %3#2 [0:3, 0:4] : (tensor<4x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  %22 = stablehlo.convert %20 : (tensor<3x1xf32>) -> tensor<3x1xcomplex<f32>>
  %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<3x1xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  %24 = stablehlo.multiply %23, %21 : tensor<3x4xcomplex<f32>>
  %25 = stablehlo.dot_general %3#0, %24, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  %26 = stablehlo.real %11 : (tensor<3x3xcomplex<f32>>) -> tensor<3x3xf32>
  %27 = stablehlo.real %19 : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
  %28 = stablehlo.real %25 : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
  return %3#1, %26, %27, %28 : tensor<3xf32>, tensor<3x3xf32>, tensor<4x4xf32>, tensor<3x4xf32>
}
func.func private @_roll_static(%arg0: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = stablehlo.slice %arg0 [0:3, 3:4] : (tensor<3x4xf32>) -> tensor<3x1xf32>
  %1 = stablehlo.slice %arg0 [0:3, 0:3] : (tensor<3x4xf32>) -> tensor<3x3xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<3x1xf32>, tensor<3x3xf32>) -> tensor<3x4xf32>
  return %2 : tensor<3x4xf32>
}
func.func private @svd(%arg0: tensor<3x4xcomplex<f32>>) -> (tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<4x4xcomplex<f32>>) {
  %0:5 = stablehlo.custom_call @lapack_cgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=3, j=4, k=3, l=4, m=3, n=3, o=3, p=4, q=4}, custom>} : (tensor<3x4xcomplex<f32>>) -> (tensor<3x4xcomplex<f32>>, tensor<3xf32>, tensor<3x3xcomplex<f32>>, tensor<4x4xcomplex<f32>>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<3x3xcomplex<f32>>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f32>>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<(0x7FC00000,0x7FC00000)> : tensor<complex<f32>>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<4x4xi1>, tensor<4x4xcomplex<f32>>
  return %10, %6, %14 : tensor<3x3xcomplex<f32>>, tensor<3xf32>, tensor<4x4xcomplex<f32>>
}
// -----
// singular_values_float32
func.func public @main(%arg0: tensor<2x5x3xf32>) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
  %0 = call @svd(%arg0) : (tensor<2x5x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func private @svd(%arg0: tensor<2x5x3xf32>) -> tensor<2x3xf32> {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=5, q=3, r=3}, custom>} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x5x5xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf32>
  return %6 : tensor<2x3xf32>
}
// -----
// pinv_float32
func.func public @main(%arg0: tensor<2x5x3xf32>) -> (tensor<2x3x5xf32> {jax.result_info = "result"}) {
  %0 = call @_pinv(%arg0) : (tensor<2x5x3xf32>) -> tensor<2x3x5xf32>
  return %0 : tensor<2x3x5xf32>
}
func.func private @_pinv(%arg0: tensor<2x5x3xf32>) -> tensor<2x3x5xf32> {
  %cst = stablehlo.constant dense<5.000000e+01> : tensor<f32>
  %cst_0 = stablehlo.constant dense<1.1920929E-7> : tensor<f32>
  %0 = stablehlo.multiply %cst, %cst_0 : tensor<f32>
  %1:3 = call @svd(%arg0) : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>)
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
  %4 = stablehlo.slice %1#1 [0:2, 0:1] : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<2x1xf32>
  %6 = stablehlo.multiply %5, %4 : tensor<2x1xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %8 = stablehlo.compare GT, %1#1, %7, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %9 = call @_where(%8, %1#1, %cst_1) : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<f64>) -> tensor<2x3xf32>
  %10 = stablehlo.transpose %1#2, dims = [0, 2, 1] : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %11 = stablehlo.transpose %1#0, dims = [0, 2, 1] : (tensor<2x5x3xf32>) -> tensor<2x3x5xf32>
  %12 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x3xf32>) -> tensor<2x3x1xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x3x1xf32>) -> tensor<2x3x5xf32>
  %14 = stablehlo.divide %11, %13 : tensor<2x3x5xf32>
  %15 = stablehlo.dot_general %10, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x3x3xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %15 : tensor<2x3x5xf32>
}
func.func private @svd(%arg0: tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>) {
  %0:5 = stablehlo.custom_call @lapack_sgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=3, q=3, r=3}, custom>} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x5x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf32>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x5x3xf32>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x3xi1>, tensor<2x5x3xf32>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x3x3xf32>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf32>
  return %10, %6, %14 : tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>
}
func.func private @_where(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<f64>) -> tensor<2x3xf32> {
  %0 = stablehlo.convert %arg2 : (tensor<f64>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x3xi1>, tensor<2x3xf32>
  return %2 : tensor<2x3xf32>
}
// -----
// eigh_float64
func.func public @main(%arg0: tensor<2x4x4xf64>) -> (tensor<2x4xf64> {jax.result_info = "result[0]"}, tensor<2x4x4xf64> {jax.result_info = "result[1]"}, tensor<2x4x4xf64> {jax.result_info = "result[2]"}) {
  %0:2 = call @eigh(%arg0) : (tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4x4xf64>)
  %1 = stablehlo.transpose %0#1, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  %2 = stablehlo.dot_general %1, %0#1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
  %4 = stablehlo.add %2, %3 : tensor<2x4x4xf64>
  %5 = stablehlo.broadcast_in_dim %0#0, dims = [0, 1] : (tensor<2x4xf64>) -> tensor<2x4x1xf64>
  %6 = stablehlo.transpose %0#1, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<2x4x1xf64>) -> tensor<2x4x4xf64>
  %8 = stablehlo.multiply %7, %6 : tensor<2x4x4xf64>
  %9 = stablehlo.dot_general %0#1, %8, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  return %0#0, %4, %9 : tensor<2x4xf64>, tensor<2x4x4xf64>, tensor<2x4x4xf64>
}
func.func private @eigh(%arg0: tensor<2x4x4xf64>) -> (tensor<2x4xf64>, tensor<2x4x4xf64>) {
  %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x4x4xf64>) -> tensor<2x4x4xf64>
  %1 = stablehlo.add %arg0, %0 : tensor<2x4x4xf64>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
  %3 = stablehlo.divide %1, %2 : tensor<2x4x4xf64>
  %4:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
  %10 = stablehlo.select %9, %4#0, %8 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
  %11 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
  %14 = stablehlo.select %13, %4#1, %12 : tensor<2x4xi1>, tensor<2x4xf64>
  return %14, %10 : tensor<2x4xf64>, tensor<2x4x4xf64>
}
// -----
// eigh_odd_float64
func.func public @main(%arg0: tensor<5x5xf64>) -> (tensor<5xf64> {jax.result_info = "result[0]"}, tensor<5x5xf64> {jax.result_info = "result[1]"}, tensor<5x5xf64> {jax.result_info = "result[2]"}) {
  %0:2 = call @eigh(%arg0) : (tensor<5x5xf64>) -> (tensor<5xf64>, tensor<5x5xf64>)
  %1 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<5x5xf64>) -> tensor<5x5xf64>
  %2 = stablehlo.dot_general %1, %0#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf64>, tensor<5x5xf64>) -> tensor<5x5xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
  %4 = stablehlo.add %2, %3 : tensor<5x5xf64>
  %5 = stablehlo.broadcast_in_dim %0#0, dims = [0] : (tensor<5xf64>) -> tensor<5x1xf64>
  %6 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<5x5xf64>) -> tensor<5x5xf64>
  %7 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x5xf64>
  %8 = stablehlo.multiply %7, %6 : tensor<5x5xf64>
  %9 = stablehlo.dot_general %0#1, %8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf64>, tensor<5x5xf64>) -> tensor<5x5xf64>
  return %0#0, %4, %9 : tensor<5xf64>, tensor<5x5xf64>, tensor<5x5xf64>
}
func.func private @eigh(%arg0: tensor<5x5xf64>) -> (tensor<5xf64>, tensor<5x5xf64>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x5xf64>) -> tensor<5x5xf64>
  %1 = stablehlo.add %arg0, %0 : tensor<5x5xf64>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
  %3 = stablehlo.divide %1, %2 : tensor<5x5xf64>
  %4:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=5, j=5, k=5, l=5, m=5}, custom>} : (tensor<5x5xf64>) -> (tensor<5x5xf64>, tensor<5xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %10 = stablehlo.select %9, %4#0, %8 : tensor<5x5xi1>, tensor<5x5xf64>
  %11 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<5xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<1xi1>) -> tensor<5xi1>
  %14 = stablehlo.select %13, %4#1, %12 : tensor<5xi1>, tensor<5xf64>
  return %14, %10 : tensor<5xf64>, tensor<5x5xf64>
}
// -----
// eigh_one_float64
func.func public @main(%arg0: tensor<1x1xf64>) -> (tensor<1xf64> {jax.result_info = "result[0]"}, tensor<1x1xf64> {jax.result_info = "result[1]"}, tensor<1x1xf64> {jax.result_info = "result[2]"}) {
  %0:2 = call @eigh(%arg0) : (tensor<1x1xf64>) -> (tensor<1xf64>, tensor<1x1xf64>)
  %1 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<1x1xf64>) -> tensor<1x1xf64>
  %2 = stablehlo.dot_general %1, %0#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
  %4 = stablehlo.add %2, %3 : tensor<1x1xf64>
  %5 = stablehlo.broadcast_in_dim %0#0, dims = [0] : (tensor<1xf64>) -> tensor<1x1xf64>
  %6 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<1x1xf64>) -> tensor<1x1xf64>
  %7 = stablehlo.multiply %5, %6 : tensor<1x1xf64>
  %8 = stablehlo.dot_general %0#1, %7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1xf64>, tensor<1x1xf64>) -> tensor<1x1xf64>
  return %0#0, %4, %8 : tensor<1xf64>, tensor<1x1xf64>, tensor<1x1xf64>
}
func.func private @eigh(%arg0: tensor<1x1xf64>) -> (tensor<1xf64>, tensor<1x1xf64>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<1x1xf64>) -> tensor<1x1xf64>
  %1 = stablehlo.add %arg0, %0 : tensor<1x1xf64>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
  %3 = stablehlo.divide %1, %2 : tensor<1x1xf64>
  %4:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=1, j=1, k=1, l=1, m=1}, custom>} : (tensor<1x1xf64>) -> (tensor<1x1xf64>, tensor<1xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
  %9 = stablehlo.select %7, %4#0, %8 : tensor<1x1xi1>, tensor<1x1xf64>
  %10 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<1xf64>
  %12 = stablehlo.select %10, %4#1, %11 : tensor<1xi1>, tensor<1xf64>
  return %12, %9 : tensor<1xf64>, tensor<1x1xf64>
}
// -----
// eigh_equal_float64
func.func public @main(%arg0: tensor<2x4x4xf64>) -> (tensor<2x8xf64> {jax.result_info = "result[0]"}, tensor<2x8x8xf64> {jax.result_info = "result[1]"}, tensor<2x8x8xf64> {jax.result_info = "result[2]"}) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
  %1 = stablehlo.multiply %arg0, %0 : tensor<2x4x4xf64>
  %2 = stablehlo.concatenate %arg0, %1, dim = 2 : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x8xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
  %4 = stablehlo.multiply %arg0, %3 : tensor<2x4x4xf64>
  %5 = stablehlo.negate %arg0 : tensor<2x4x4xf64>
  %6 = stablehlo.concatenate %4, %5, dim = 2 : (tensor<2x4x4xf64>, tensor<2x4x4xf64>) -> tensor<2x4x8xf64>
  %7 = stablehlo.concatenate %2, %6, dim = 1 : (tensor<2x4x8xf64>, tensor<2x4x8xf64>) -> tensor<2x8x8xf64>
  %8:2 = call @eigh(%7) : (tensor<2x8x8xf64>) -> (tensor<2x8xf64>, tensor<2x8x8xf64>)
  %9 = stablehlo.transpose %8#1, dims = [0, 2, 1] : (tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  %10 = stablehlo.dot_general %9, %8#1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf64>, tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x8x8xf64>
  %12 = stablehlo.add %10, %11 : tensor<2x8x8xf64>
  %13 = stablehlo.broadcast_in_dim %8#0, dims = [0, 1] : (tensor<2x8xf64>) -> tensor<2x8x1xf64>
  %14 = stablehlo.transpose %8#1, dims = [0, 2, 1] : (tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<2x8x1xf64>) -> tensor<2x8x8xf64>
  %16 = stablehlo.multiply %15, %14 : tensor<2x8x8xf64>
  %17 = stablehlo.dot_general %8#1, %16, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x8x8xf64>, tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  return %8#0, %12, %17 : tensor<2x8xf64>, tensor<2x8x8xf64>, tensor<2x8x8xf64>
}
func.func private @eigh(%arg0: tensor<2x8x8xf64>) -> (tensor<2x8xf64>, tensor<2x8x8xf64>) {
  %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<2x8x8xf64>) -> tensor<2x8x8xf64>
  %1 = stablehlo.add %arg0, %0 : tensor<2x8x8xf64>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x8x8xf64>
  %3 = stablehlo.divide %1, %2 : tensor<2x8x8xf64>
  %4:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=8, k=8, l=8, m=8, n=8}, custom>} : (tensor<2x8x8xf64>) -> (tensor<2x8x8xf64>, tensor<2x8xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x8x8xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x8x8xi1>
  %10 = stablehlo.select %9, %4#0, %8 : tensor<2x8x8xi1>, tensor<2x8x8xf64>
  %11 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x8xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x8xi1>
  %14 = stablehlo.select %13, %4#1, %12 : tensor<2x8xi1>, tensor<2x8xf64>
  return %14, %10 : tensor<2x8xf64>, tensor<2x8x8xf64>
}
// -----
// eigh_complex_float64
func.func public @main(%arg0: tensor<5x5xf64>) -> (tensor<5xf64> {jax.result_info = "result[0]"}, tensor<5x5xf64> {jax.result_info = "result[1]"}, tensor<5x5xf64> {jax.result_info = "result[2]"}) {
  %0 = stablehlo.cosine %arg0 : tensor<5x5xf64>
  %1 = call @_roll_static(%0) : (tensor<5x5xf64>) -> tensor<5x5xf64>
  %2 = stablehlo.complex %arg0, %1 : tensor<5x5xcomplex<f64>>
  %3:2 = call @eigh(%2) : (tensor<5x5xcomplex<f64>>) -> (tensor<5xf64>, tensor<5x5xcomplex<f64>>)
  %4 = stablehlo.transpose %3#1, dims = [1, 0] : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
  %5 = stablehlo.real %4 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  %6 = stablehlo.imag %4 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  %7 = stablehlo.negate %6 : tensor<5x5xf64>
  %8 = stablehlo.complex %5, %7 : tensor<5x5xcomplex<f64>>
  %9 = stablehlo.dot_general %8, %3#1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xcomplex<f64>>, tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
  %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<5x5xcomplex<f64>>
  %11 = stablehlo.add %9, %10 : tensor<5x5xcomplex<f64>>
  %12 = stablehlo.broadcast_in_dim %3#0, dims = [0] : (tensor<5xf64>) -> tensor<5x1xf64>
  %13 = stablehlo.transpose %3#1, dims = [1, 0] : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
  %14 = stablehlo.real %13 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  %15 = stablehlo.imag %13 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  %16 = stablehlo.negate %15 : tensor<5x5xf64>
  %17 = stablehlo.complex %14, %16 : tensor<5x5xcomplex<f64>>
  %18 = stablehlo.convert %12 : (tensor<5x1xf64>) -> tensor<5x1xcomplex<f64>>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<5x1xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
  %20 = stablehlo.multiply %19, %17 : tensor<5x5xcomplex<f64>>
  %21 = stablehlo.dot_general %3#1, %20, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xcomplex<f64>>, tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
  %22 = stablehlo.real %11 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  %23 = stablehlo.real %21 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  return %3#0, %22, %23 : tensor<5xf64>, tensor<5x5xf64>, tensor<5x5xf64>
}
func.func private @_roll_static(%arg0: tensor<5x5xf64>) -> tensor<5x5xf64> {
  %0 = stablehlo.slice %arg0 [0:5, 4:5] : (tensor<5x5xf64>) -> tensor<5x1xf64>
  %1 = stablehlo.slice %arg0 [0:5, 0:4] : (tensor<5x5xf64>) -> tensor<5x4xf64>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<5x1xf64>, tensor<5x4xf64>) -> tensor<5x5xf64>
  return %2 : tensor<5x5xf64>
}
func.func private @eigh(%arg0: tensor<5x5xcomplex<f64>>) -> (tensor<5xf64>, tensor<5x5xcomplex<f64>>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xcomplex<f64>>
  %1 = stablehlo.real %0 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  %2 = stablehlo.imag %0 : (tensor<5x5xcomplex<f64>>) -> tensor<5x5xf64>
  %3 = stablehlo.negate %2 : tensor<5x5xf64>
  %4 = stablehlo.complex %1, %3 : tensor<5x5xcomplex<f64>>
  %5 = stablehlo.add %arg0, %4 : tensor<5x5xcomplex<f64>>
  %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f64>>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<5x5xcomplex<f64>>
  %7 = stablehlo.divide %5, %6 : tensor<5x5xcomplex<f64>>
  %8:3 = stablehlo.custom_call @lapack_zheevd_ffi(%7) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=5, j=5, k=5, l=5, m=5}, custom>} : (tensor<5x5xcomplex<f64>>) -> (tensor<5x5xcomplex<f64>>, tensor<5xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %10 = stablehlo.compare EQ, %8#2, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<5x5xcomplex<f64>>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %14 = stablehlo.select %13, %8#0, %12 : tensor<5x5xi1>, tensor<5x5xcomplex<f64>>
  %15 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<5xf64>
  %17 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<1xi1>) -> tensor<5xi1>
  %18 = stablehlo.select %17, %8#1, %16 : tensor<5xi1>, tensor<5xf64>
  return %18, %14 : tensor<5xf64>, tensor<5x5xcomplex<f64>>
}
// -----
// eigvalsh_upper_float64
func.func public @main(%arg0: tensor<2x4x4xf64>) -> (tensor<2x4xf64> {jax.result_info = "result"}) {
  %0 = call @eigvalsh(%arg0) : (tensor<2x4x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}
func.func private @eigvalsh(%arg0: tensor<2x4x4xf64>) -> tensor<2x4xf64> {
  %0 = call @eigh(%arg0) : (tensor<2x4x4xf64>) -> tensor<2x4xf64>
  return %0 : tensor<2x4xf64>
}
func.func private @eigh(%arg0: tensor<2x4x4xf64>) -> tensor<2x4xf64> {
  %0:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 85 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=2, j=4, k=4, l=4, m=4, n=4}, custom>} : (tensor<2x4x4xf64>) -> (tensor<2x4x4xf64>, tensor<2x4xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#2, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x4x4xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x4x4xi1>
  %6 = stablehlo.select %5, %0#0, %4 : tensor<2x4x4xi1>, tensor<2x4x4xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x4xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x4xi1>
  %10 = stablehlo.select %9, %0#1, %8 : tensor<2x4xi1>, tensor<2x4xf64>
  return %10 : tensor<2x4xf64>
}
// -----
// svd_tall_float64
func.func public @main(%arg0: tensor<2x5x3xf64>) -> (tensor<2x3xf64> {jax.result_info = "result[0]"}, tensor<2x3x3xf64> {jax.result_info = "result[1]"}, tensor<2x3x3xf64> {jax.result_info = "result[2]"}, tensor<2x5x3xf64> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>)
  %1 = stablehlo.transpose %0#0, dims = [0, 2, 1] : (tensor<2x5x3xf64>) -> tensor<2x3x5xf64>
  %2 = stablehlo.dot_general %1, %0#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x5xf64>, tensor<2x5x3xf64>) -> tensor<2x3x3xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %4 = stablehlo.add %2, %3 : tensor<2x3x3xf64>
  %5 = stablehlo.transpose %0#2, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %6 = stablehlo.dot_general %0#2, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.add %6, %7 : tensor<2x3x3xf64>
  %9 = stablehlo.broadcast_in_dim %0#1, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x1xf64>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<2x3x1xf64>) -> tensor<2x3x3xf64>
  %11 = stablehlo.multiply %10, %0#2 : tensor<2x3x3xf64>
  %12 = stablehlo.dot_general %0#0, %11, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf64>, tensor<2x3x3xf64>) -> tensor<2x5x3xf64>
  return %0#1, %4, %8, %12 : tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2x3x3xf64>, tensor<2x5x3xf64>
}
func.func private @svd(%arg0: tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=3, q=3, r=3}, custom>} : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x5x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
  return %10, %6, %14 : tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>
}
// -----
// svd_wide_float64
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3xf64> {jax.result_info = "result[0]"}, tensor<3x3xf64> {jax.result_info = "result[1]"}, tensor<3x3xf64> {jax.result_info = "result[2]"}, tensor<3x4xf64> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x4xf64>)
  %1 = stablehlo.transpose %0#0, dims = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %2 = stablehlo.dot_general %1, %0#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
  %4 = stablehlo.add %2, %3 : tensor<3x3xf64>
  %5 = stablehlo.transpose %0#2, dims = [1, 0] : (tensor<3x4xf64>) -> tensor<4x3xf64>
  %6 = stablehlo.dot_general %0#2, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x4xf64>, tensor<4x3xf64>) -> tensor<3x3xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
  %8 = stablehlo.add %6, %7 : tensor<3x3xf64>
  %9 = stablehlo.broadcast_in_dim %0#1, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x4xf64>
  %11 = stablehlo.multiply %10, %0#2 : tensor<3x4xf64>
  %12 = stablehlo.dot_general %0#0, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  return %0#1, %4, %8, %12 : tensor<3xf64>, tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x4xf64>
}
func.func private @svd(%arg0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<3x4xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=3, j=4, k=3, l=4, m=3, n=3, o=3, p=3, q=4}, custom>} : (tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<3x4xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<3x4xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x4xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<3x4xi1>, tensor<3x4xf64>
  return %10, %6, %14 : tensor<3x3xf64>, tensor<3xf64>, tensor<3x4xf64>
}
// -----
// svd_full_float64
func.func public @main(%arg0: tensor<2x5x3xf64>) -> (tensor<2x3xf64> {jax.result_info = "result[0]"}, tensor<2x5x5xf64> {jax.result_info = "result[1]"}, tensor<2x3x3xf64> {jax.result_info = "result[2]"}, tensor<2x5x3xf64> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<2x5x3xf64>) -> (tensor<2x5x5xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>)
  %1 = stablehlo.transpose %0#0, dims = [0, 2, 1] : (tensor<2x5x5xf64>) -> tensor<2x5x5xf64>
  %2 = stablehlo.dot_general %1, %0#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf64>, tensor<2x5x5xf64>) -> tensor<2x5x5xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x5x5xf64>
  %4 = stablehlo.add %2, %3 : tensor<2x5x5xf64>
  %5 = stablehlo.transpose %0#2, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %6 = stablehlo.dot_general %0#2, %5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.add %6, %7 : tensor<2x3x3xf64>
  %9 = stablehlo.slice %0#0 [0:2, 0:5, 0:3] : (tensor<2x5x5xf64>) -> tensor<2x5x3xf64>
  %10 = stablehlo.broadcast_in_dim %0#1, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x1xf64>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x3x1xf64>) -> tensor<2x3x3xf64>
  %12 = stablehlo.multiply %11, %0#2 : tensor<2x3x3xf64>
  %13 = stablehlo.dot_general %9, %12, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf64>, tensor<2x3x3xf64>) -> tensor<2x5x3xf64>
  return %0#1, %4, %8, %13 : tensor<2x3xf64>, tensor<2x5x5xf64>, tensor<2x3x3xf64>, tensor<2x5x3xf64>
}
func.func private @svd(%arg0: tensor<2x5x3xf64>) -> (tensor<2x5x5xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=5, q=3, r=3}, custom>} : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x5x5xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x5x5xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x5xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x5xi1>, tensor<2x5x5xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
  return %10, %6, %14 : tensor<2x5x5xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>
}
// -----
// svd_full_wide_float64
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3xf64> {jax.result_info = "result[0]"}, tensor<3x3xf64> {jax.result_info = "result[1]"}, tensor<4x4xf64> {jax.result_info = "result[2]"}, tensor<3x4xf64> {jax.result_info = "result[3]"}) {
  %0:3 = call @svd(%arg0) : (tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>)
  %1 = stablehlo.transpose %0#0, dims = [1, 0] : (tensor<3x3xf64>) -> tensor<3x3xf64>
  %2 = stablehlo.dot_general %1, %0#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
  %4 = stablehlo.add %2, %3 : tensor<3x3xf64>
  %5 = stablehlo.transpose %0#2, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %6 = stablehlo.dot_general %0#2, %5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %8 = stablehlo.add %6, %7 : tensor<4x4xf64>
  %9 = stablehlo.broadcast_in_dim %0#1, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
  %10 = stablehlo.slice %0#2 [0:3, 0:4] : (tensor<4x4xf64>) -> tensor<3x4xf64>
  %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<3x1xf64>) -> tensor<3x4xf64>
  %12 = stablehlo.multiply %11, %10 : tensor<3x4xf64>
  %13 = stablehlo.dot_general %0#0, %12, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xf64>, tensor<3x4xf64>) -> tensor<3x4xf64>
  return %0#1, %4, %8, %13 : tensor<3xf64>, tensor<3x3xf64>, tensor<4x4xf64>, tensor<3x4xf64>
}
func.func private @svd(%arg0: tensor<3x4xf64>) -> (tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=3, j=4, k=3, l=4, m=3, n=3, o=3, p=4, q=4}, custom>} : (tensor<3x4xf64>) -> (tensor<3x4xf64>, tensor<3xf64>, tensor<3x3xf64>, tensor<4x4xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<3x3xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<4x4xi1>, tensor<4x4xf64>
  return %10, %6, %14 : tensor<3x3xf64>, tensor<3xf64>, tensor<4x4xf64>
}
// -----
// svd_rank_float64
func.func public @main(%arg0: tensor<5x5xf64>) -> (tensor<5xf64> {jax.result_info = "result[0]"}, tensor<5x5xf64> {jax.result_info = "result[1]"}, tensor<5x5xf64> {jax.result_info = "result[2]"}, tensor<5x5xf64> {jax.result_info = "result[3]"}) {
  %0 = stablehlo.slice %arg0 [0:5, 0:1] : (tensor<5x5xf64>) -> tensor<5x1xf64>
  %1 = stablehlo.slice %arg0 [0:1, 0:5] : (tensor<5x5xf64>) -> tensor<1x5xf64>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x5xf64>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<1x5xf64>) -> tensor<5x5xf64>
  %4 = stablehlo.multiply %2, %3 : tensor<5x5xf64>
  %5:3 = call @svd(%4) : (tensor<5x5xf64>) -> (tensor<5x5xf64>, tensor<5xf64>, tensor<5x5xf64>)
  %6 = stablehlo.transpose %5#0, dims = [1, 0] : (tensor<5x5xf64>) -> tensor<5x5xf64>
  %7 = stablehlo.dot_general %6, %5#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf64>, tensor<5x5xf64>) -> tensor<5x5xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
  %9 = stablehlo.add %7, %8 : tensor<5x5xf64>
  %10 = stablehlo.transpose %5#2, dims = [1, 0] : (tensor<5x5xf64>) -> tensor<5x5xf64>
  %11 = stablehlo.dot_general %5#2, %10, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf64>, tensor<5x5xf64>) -> tensor<5x5xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
  %13 = stablehlo.add %11, %12 : tensor<5x5xf64>
  %14 = stablehlo.broadcast_in_dim %5#1, dims = [0] : (tensor<5xf64>) -> tensor<5x1xf64>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<5x1xf64>) -> tensor<5x5xf64>
  %16 = stablehlo.multiply %15, %5#2 : tensor<5x5xf64>
  %17 = stablehlo.dot_general %5#0, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<5x5xf64>, tensor<5x5xf64>) -> tensor<5x5xf64>
  return %5#1, %9, %13, %17 : tensor<5xf64>, tensor<5x5xf64>, tensor<5x5xf64>, tensor<5x5xf64>
}
func.func private @svd(%arg0: tensor<5x5xf64>) -> (tensor<5x5xf64>, tensor<5xf64>, tensor<5x5xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=5, j=5, k=5, l=5, m=5, n=5, o=5, p=5, q=5}, custom>} : (tensor<5x5xf64>) -> (tensor<5x5xf64>, tensor<5xf64>, tensor<5x5xf64>, tensor<5x5xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<5xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<5xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<5xi1>, tensor<5xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<5x5xi1>, tensor<5x5xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<5x5xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<5x5xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<5x5xi1>, tensor<5x5xf64>
  return %10, %6, %14 : tensor<5x5xf64>, tensor<5xf64>, tensor<5x5xf64>
}
// -----
// svd_zero_float64
func.func public @main(%arg0: tensor<2x5x3xf64>) -> (tensor<2x3xf64> {jax.result_info = "result[0]"}, tensor<2x5x5xf64> {jax.result_info = "result[1]"}, tensor<2x3x3xf64> {jax.result_info = "result[2]"}, tensor<2x5x3xf64> {jax.result_info = "result[3]"}) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
  %1 = stablehlo.multiply %arg0, %0 : tensor<2x5x3xf64>
  %2:3 = call @svd(%1) : (tensor<2x5x3xf64>) -> (tensor<2x5x5xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>)
  %3 = stablehlo.transpose %2#0, dims = [0, 2, 1] : (tensor<2x5x5xf64>) -> tensor<2x5x5xf64>
  %4 = stablehlo.dot_general %3, %2#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x5xf64>, tensor<2x5x5xf64>) -> tensor<2x5x5xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x5x5xf64>
  %6 = stablehlo.add %4, %5 : tensor<2x5x5xf64>
  %7 = stablehlo.transpose %2#2, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %8 = stablehlo.dot_general %2#2, %7, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf64>, tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %10 = stablehlo.add %8, %9 : tensor<2x3x3xf64>
  %11 = stablehlo.slice %2#0 [0:2, 0:5, 0:3] : (tensor<2x5x5xf64>) -> tensor<2x5x3xf64>
  %12 = stablehlo.broadcast_in_dim %2#1, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x1xf64>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x3x1xf64>) -> tensor<2x3x3xf64>
  %14 = stablehlo.multiply %13, %2#2 : tensor<2x3x3xf64>
  %15 = stablehlo.dot_general %11, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xf64>, tensor<2x3x3xf64>) -> tensor<2x5x3xf64>
  return %2#1, %6, %10, %15 : tensor<2x3xf64>, tensor<2x5x5xf64>, tensor<2x3x3xf64>, tensor<2x5x3xf64>
}
func.func private @svd(%arg0: tensor<2x5x3xf64>) -> (tensor<2x5x5xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=5, q=3, r=3}, custom>} : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x5x5xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x5x5xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x5xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x5xi1>, tensor<2x5x5xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
  return %10, %6, %14 : tensor<2x5x5xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>
}
// -----
// svd_complex_float64
func.func public @main(%arg0: tensor<2x5x3xf64>) -> (tensor<2x3xf64> {jax.result_info = "result[0]"}, tensor<2x3x3xf64> {jax.result_info = "result[1]"}, tensor<2x3x3xf64> {jax.result_info = "result[2]"}, tensor<2x5x3xf64> {jax.result_info = "result[3]"}) {
  %0 = stablehlo.cosine %arg0 : tensor<2x5x3xf64>
  %1 = call @_roll_static(%0) : (tensor<2x5x3xf64>) -> tensor<2x5x3xf64>
  %2 = stablehlo.complex %arg0, %1 : tensor<2x5x3xcomplex<f64>>
  %3:3 = call @svd(%2) : (tensor<2x5x3xcomplex<f64>>) -> (tensor<2x5x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>)
  %4 = stablehlo.transpose %3#0, dims = [0, 2, 1] : (tensor<2x5x3xcomplex<f64>>) -> tensor<2x3x5xcomplex<f64>>
  %5 = stablehlo.real %4 : (tensor<2x3x5xcomplex<f64>>) -> tensor<2x3x5xf64>
  %6 = stablehlo.imag %4 : (tensor<2x3x5xcomplex<f64>>) -> tensor<2x3x5xf64>
  %7 = stablehlo.negate %6 : tensor<2x3x5xf64>
  %8 = stablehlo.complex %5, %7 : tensor<2x3x5xcomplex<f64>>
  %9 = stablehlo.dot_general %8, %3#0, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x5xcomplex<f64>>, tensor<2x5x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %11 = stablehlo.add %9, %10 : tensor<2x3x3xcomplex<f64>>
  %12 = stablehlo.transpose %3#2, dims = [0, 2, 1] : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %13 = stablehlo.real %12 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %14 = stablehlo.imag %12 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %15 = stablehlo.negate %14 : tensor<2x3x3xf64>
  %16 = stablehlo.complex %13, %15 : tensor<2x3x3xcomplex<f64>>
  %17 = stablehlo.dot_general %3#2, %16, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
  %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %19 = stablehlo.add %17, %18 : tensor<2x3x3xcomplex<f64>>
  %20 = stablehlo.broadcast_in_dim %3#1, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x1xf64>
  %21 = stablehlo.convert %20 : (tensor<2x3x1xf64>) -> tensor<2x3x1xcomplex<f64>>
  %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2] : (tensor<2x3x1xcomplex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %23 = stablehlo.multiply %22, %3#2 : tensor<2x3x3xcomplex<f64>>
  %24 = stablehlo.dot_general %3#0, %23, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x5x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>) -> tensor<2x5x3xcomplex<f64>>
  %25 = stablehlo.real %11 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %26 = stablehlo.real %19 : (tensor<2x3x3xcomplex<f64>>) -> tensor<2x3x3xf64>
  %27 = stablehlo.real %24 : (tensor<2x5x3xcomplex<f64>>) -> tensor<2x5x3xf64>
  return %3#1, %25, %26, %27 : tensor<2x3xf64>, tensor<2x3x3xf64>, tensor<2x3x3xf64>, tensor<2x5x3xf64>
}
func.func private @_roll_static(%arg0: tensor<2x5x3xf64>) -> tensor<2x5x3xf64> {
  %0 = stablehlo.slice %arg0 [0:2, 0:5, 2:3] : (tensor<2x5x3xf64>) -> tensor<2x5x1xf64>
  %1 = stablehlo.slice %arg0 [0:2, 0:5, 0:2] : (tensor<2x5x3xf64>) -> tensor<2x5x2xf64>
  %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<2x5x1xf64>, tensor<2x5x2xf64>) -> tensor<2x5x3xf64>
  return %2 : tensor<2x5x3xf64>
}
func.func private @svd(%arg0: tensor<2x5x3xcomplex<f64>>) -> (tensor<2x5x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>) {
  %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=3, q=3, r=3}, custom>} : (tensor<2x5x3xcomplex<f64>>) -> (tensor<2x5x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x5x3xcomplex<f64>>, tensor<2x3x3xcomplex<f64>>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<2x5x3xcomplex<f64>>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x3xi1>, tensor<2x5x3xcomplex<f64>>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f64>>) -> tensor<2x3x3xcomplex<f64>>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xcomplex<f64>>
  return %10, %6, %14 : tensor<2x5x3xcomplex<f64>>, tensor<2x3xf64>, tensor<2x3x3xcomplex<f64>>
}
// -----
// svd_complex_full_float64
func.func public @main(%arg0: tensor<3x4xf64>) -> (tensor<3xf64> {jax.result_info = "result[0]"}, tensor<3x3xf64> {jax.result_info = "result[1]"}, tensor<4x4xf64> {jax.result_info = "result[2]"}, tensor<3x4xf64> {jax.result_info = "result[3]"}) {
  %0 = stablehlo.cosine %arg0 : tensor<3x4xf64>
  %1 = call @_roll_static(%0) : (tensor<3x4xf64>) -> tensor<3x4xf64>
  %2 = stablehlo.complex %arg0, %1 : tensor<3x4xcomplex<f64>>
  %3:3 = call @svd(%2) : (tensor<3x4xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<4x4xcomplex<f64>>)
  %4 = stablehlo.transpose %3#0, dims = [1, 0] : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
  %5 = stablehlo.real %4 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
  %6 = stablehlo.imag %4 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
  %7 = stablehlo.negate %6 : tensor<3x3xf64>
  %8 = stablehlo.complex %5, %7 : tensor<3x3xcomplex<f64>>
  %9 = stablehlo.dot_general %8, %3#0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x3xcomplex<f64>>) -> tensor<3x3xcomplex<f64>>
  %cst = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
  %11 = stablehlo.add %9, %10 : tensor<3x3xcomplex<f64>>
  %12 = stablehlo.transpose %3#2, dims = [1, 0] : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xcomplex<f64>>
  %13 = stablehlo.real %12 : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xf64>
  %14 = stablehlo.imag %12 : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xf64>
  %15 = stablehlo.negate %14 : tensor<4x4xf64>
  %16 = stablehlo.complex %13, %15 : tensor<4x4xcomplex<f64>>
  %17 = stablehlo.dot_general %3#2, %16, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f64>>, tensor<4x4xcomplex<f64>>) -> tensor<4x4xcomplex<f64>>
  %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f64>>
  %18 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
  %19 = stablehlo.add %17, %18 : tensor<4x4xcomplex<f64>>
  %20 = stablehlo.broadcast_in_dim %3#1, dims = [0] : (tensor<3xf64>) -> tensor<3x1xf64>
  %21 = stablehlo.slice %3#2 [0:3, 0:4] : (tensor<4x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
  %22 = stablehlo.convert %20 : (tensor<3x1xf64>) -> tensor<3x1xcomplex<f64>>
  %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<3x1xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
  %24 = stablehlo.multiply %23, %21 : tensor<3x4xcomplex<f64>>
  %25 = stablehlo.dot_general %3#0, %24, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x3xcomplex<f64>>, tensor<3x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
  %26 = stablehlo.real %11 : (tensor<3x3xcomplex<f64>>) -> tensor<3x3xf64>
  %27 = stablehlo.real %19 : (tensor<4x4xcomplex<f64>>) -> tensor<4x4xf64>
  %28 = stablehlo.real %25 : (tensor<3x4xcomplex<f64>>) -> tensor<3x4xf64>
  return %3#1, %26, %27, %28 : tensor<3xf64>, tensor<3x3xf64>, tensor<4x4xf64>, tensor<3x4xf64>
}
func.func private @_roll_static(%arg0: tensor<3x4xf64>) -> tensor<3x4xf64> {
  %0 = stablehlo.slice %arg0 [0:3, 3:4] : (tensor<3x4xf64>) -> tensor<3x1xf64>
  %1 = stablehlo.slice %arg0 [0:3, 0:3] : (tensor<3x4xf64>) -> tensor<3x3xf64>
  %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<3x1xf64>, tensor<3x3xf64>) -> tensor<3x4xf64>
  return %2 : tensor<3x4xf64>
}
func.func private @svd(%arg0: tensor<3x4xcomplex<f64>>) -> (tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<4x4xcomplex<f64>>) {
  %0:5 = stablehlo.custom_call @lapack_zgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 65 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=3, j=4, k=3, l=4, m=3, n=3, o=3, p=4, q=4}, custom>} : (tensor<3x4xcomplex<f64>>) -> (tensor<3x4xcomplex<f64>>, tensor<3xf64>, tensor<3x3xcomplex<f64>>, tensor<4x4xcomplex<f64>>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<3xi1>, tensor<3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f64>>) -> tensor<3x3xcomplex<f64>>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<3x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<3x3xi1>, tensor<3x3xcomplex<f64>>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<(0x7FF8000000000000,0x7FF8000000000000)> : tensor<complex<f64>>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f64>>) -> tensor<4x4xcomplex<f64>>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<4x4xi1>, tensor<4x4xcomplex<f64>>
  return %10, %6, %14 : tensor<3x3xcomplex<f64>>, tensor<3xf64>, tensor<4x4xcomplex<f64>>
}
// -----
// singular_values_float64
func.func public @main(%arg0: tensor<2x5x3xf64>) -> (tensor<2x3xf64> {jax.result_info = "result"}) {
  %0 = call @svd(%arg0) : (tensor<2x5x3xf64>) -> tensor<2x3xf64>
  return %0 : tensor<2x3xf64>
}
func.func private @svd(%arg0: tensor<2x5x3xf64>) -> tensor<2x3xf64> {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=5, q=3, r=3}, custom>} : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x5x5xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf64>
  return %6 : tensor<2x3xf64>
}
// -----
// pinv_float64
func.func public @main(%arg0: tensor<2x5x3xf64>) -> (tensor<2x3x5xf64> {jax.result_info = "result"}) {
  %0 = call @_pinv(%arg0) : (tensor<2x5x3xf64>) -> tensor<2x3x5xf64>
  return %0 : tensor<2x3x5xf64>
}
func.func private @_pinv(%arg0: tensor<2x5x3xf64>) -> tensor<2x3x5xf64> {
  %cst = stablehlo.constant dense<5.000000e+01> : tensor<f64>
  %cst_0 = stablehlo.constant dense<2.2204460492503131E-16> : tensor<f64>
  %0 = stablehlo.multiply %cst, %cst_0 : tensor<f64>
  %1:3 = call @svd(%arg0) : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>)
  %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<1xf64>
  %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<1xf64>) -> tensor<1x1xf64>
  %4 = stablehlo.slice %1#1 [0:2, 0:1] : (tensor<2x3xf64>) -> tensor<2x1xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xf64>) -> tensor<2x1xf64>
  %6 = stablehlo.multiply %5, %4 : tensor<2x1xf64>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<2x1xf64>) -> tensor<2x3xf64>
  %8 = stablehlo.compare GT, %1#1, %7, FLOAT : (tensor<2x3xf64>, tensor<2x3xf64>) -> tensor<2x3xi1>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %9 = call @_where(%8, %1#1, %cst_1) : (tensor<2x3xi1>, tensor<2x3xf64>, tensor<f64>) -> tensor<2x3xf64>
  %10 = stablehlo.transpose %1#2, dims = [0, 2, 1] : (tensor<2x3x3xf64>) -> tensor<2x3x3xf64>
  %11 = stablehlo.transpose %1#0, dims = [0, 2, 1] : (tensor<2x5x3xf64>) -> tensor<2x3x5xf64>
  %12 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x3xf64>) -> tensor<2x3x1xf64>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x3x1xf64>) -> tensor<2x3x5xf64>
  %14 = stablehlo.divide %11, %13 : tensor<2x3x5xf64>
  %15 = stablehlo.dot_general %10, %14, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGHEST, HIGHEST] : (tensor<2x3x3xf64>, tensor<2x3x5xf64>) -> tensor<2x3x5xf64>
  return %15 : tensor<2x3x5xf64>
}
func.func private @svd(%arg0: tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 2, 0]> : tensor<3xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i, o, p], [i, q, r], [i]) {i=2, j=5, k=3, l=5, m=3, n=3, o=5, p=3, q=3, r=3}, custom>} : (tensor<2x5x3xf64>) -> (tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x5x3xf64>, tensor<2x3x3xf64>, tensor<2xi32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2xi32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x3xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<2x3xi1>, tensor<2x3xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2x5x3xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x5x3xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<2x5x3xi1>, tensor<2x5x3xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2x3x3xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x1x1xi1>) -> tensor<2x3x3xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<2x3x3xi1>, tensor<2x3x3xf64>
  return %10, %6, %14 : tensor<2x5x3xf64>, tensor<2x3xf64>, tensor<2x3x3xf64>
}
func.func private @_where(%arg0: tensor<2x3xi1>, %arg1: tensor<2x3xf64>, %arg2: tensor<f64>) -> tensor<2x3xf64> {
  %0 = stablehlo.convert %arg2 : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<2x3xf64>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<2x3xi1>, tensor<2x3xf64>
  return %2 : tensor<2x3xf64>
}
// -----
// eigh_gradient
func.func public @main(%arg0: tensor<4x4xf64>) -> (tensor<4x4xf64> {jax.result_info = "result"}) {
  %0:5 = call @eigh(%arg0) : (tensor<4x4xf64>) -> (tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>)
  %1 = stablehlo.broadcast_in_dim %0#0, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
  %2 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %4 = stablehlo.multiply %3, %2 : tensor<4x4xf64>
  %5 = stablehlo.dot_general %0#1, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %6 = stablehlo.cosine %0#0 : tensor<4xf64>
  %7 = stablehlo.cosine %5 : tensor<4x4xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2xf64>
  %9 = stablehlo.slice %8 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = stablehlo.slice %8 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
  %12 = stablehlo.reshape %11 : (tensor<1xf64>) -> tensor<f64>
  %13 = stablehlo.broadcast_in_dim %12, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %14 = stablehlo.multiply %13, %7 : tensor<4x4xf64>
  %15 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %16 = stablehlo.multiply %15, %6 : tensor<4xf64>
  %17 = stablehlo.dot_general %14, %0#1, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %19 = stablehlo.dot_general %14, %4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %20 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %21 = stablehlo.multiply %20, %18 : tensor<4x4xf64>
  %22 = stablehlo.multiply %18, %2 : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %23 = stablehlo.reduce(%22 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf64>, tensor<f64>) -> tensor<4xf64>
  %24 = stablehlo.reshape %23 : (tensor<4xf64>) -> tensor<4x1xf64>
  %25 = stablehlo.transpose %21, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %26 = stablehlo.add %19, %25 : tensor<4x4xf64>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %27 = stablehlo.reduce(%24 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf64>, tensor<f64>) -> tensor<4xf64>
  %28 = stablehlo.add %16, %27 : tensor<4xf64>
  %29 = call @eigh_0(%0#2, %0#1, %0#3, %0#4, %28, %26) : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>, tensor<4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  return %29 : tensor<4x4xf64>
}
func.func private @eigh(%arg0: tensor<4x4xf64>) -> (tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %1 = stablehlo.add %arg0, %0 : tensor<4x4xf64>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %3 = stablehlo.divide %1, %2 : tensor<4x4xf64>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %5 = stablehlo.add %3, %4 : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %7 = stablehlo.divide %5, %6 : tensor<4x4xf64>
  %8:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%7) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=4, j=4, k=4, l=4, m=4}, custom>} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %9 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %10 = stablehlo.compare EQ, %8#2, %9, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %14 = stablehlo.select %13, %8#0, %12 : tensor<4x4xi1>, tensor<4x4xf64>
  %15 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_2 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %17 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<1xi1>) -> tensor<4xi1>
  %18 = stablehlo.select %17, %8#1, %16 : tensor<4xi1>, tensor<4xf64>
  %19 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %c_3 = stablehlo.constant dense<0> : tensor<i32>
  %20 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
  %21 = stablehlo.add %19, %20 : tensor<4x4xi32>
  %22 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %23 = stablehlo.compare EQ, %21, %22, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %24 = stablehlo.convert %23 : (tensor<4x4xi1>) -> tensor<4x4xf64>
  %25 = stablehlo.broadcast_in_dim %18, dims = [1] : (tensor<4xf64>) -> tensor<1x4xf64>
  %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x4xf64>) -> tensor<4x4xf64>
  %27 = stablehlo.add %24, %26 : tensor<4x4xf64>
  %28 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %30 = stablehlo.subtract %27, %29 : tensor<4x4xf64>
  %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %31 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %32 = stablehlo.divide %31, %30 : tensor<4x4xf64>
  %33 = stablehlo.subtract %32, %24 : tensor<4x4xf64>
  %34 = stablehlo.transpose %14, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %35 = stablehlo.iota dim = 0 : tensor<4xi32>
  %c_5 = stablehlo.constant dense<0> : tensor<i32>
  %36 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %37 = stablehlo.compare LT, %35, %36, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_6 = stablehlo.constant dense<4> : tensor<i32>
  %38 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %39 = stablehlo.add %35, %38 : tensor<4xi32>
  %40 = stablehlo.select %37, %39, %35 : tensor<4xi1>, tensor<4xi32>
  %c_7 = stablehlo.constant dense<0> : tensor<i32>
  %41 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %42 = stablehlo.compare LT, %35, %41, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_8 = stablehlo.constant dense<4> : tensor<i32>
  %43 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %44 = stablehlo.add %35, %43 : tensor<4xi32>
  %45 = stablehlo.select %42, %44, %35 : tensor<4xi1>, tensor<4xi32>
  %46 = stablehlo.broadcast_in_dim %40, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %47 = stablehlo.broadcast_in_dim %45, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %48 = stablehlo.concatenate %46, %47, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  return %18, %14, %34, %33, %48 : tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>
}
func.func private @eigh_0(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x4xf64>, %arg3: tensor<4x2xi32>, %arg4: tensor<4xf64>, %arg5: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %1 = "stablehlo.scatter"(%0, %arg3, %arg4) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg6: tensor<f64>, %arg7: tensor<f64>):
    %13 = stablehlo.add %arg6, %arg7 : tensor<f64>
    stablehlo.return %13 : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<4x2xi32>, tensor<4xf64>) -> tensor<4x4xf64>
  %2 = stablehlo.dot_general %arg5, %arg1, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %4 = stablehlo.multiply %arg2, %3 : tensor<4x4xf64>
  %5 = stablehlo.add %1, %4 : tensor<4x4xf64>
  %6 = stablehlo.dot_general %5, %arg1, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %7 = stablehlo.dot_general %6, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %10 = stablehlo.divide %8, %9 : tensor<4x4xf64>
  %11 = stablehlo.transpose %10, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %12 = stablehlo.add %10, %11 : tensor<4x4xf64>
  return %12 : tensor<4x4xf64>
}
// -----
// svd_gradient
func.func public @main(%arg0: tensor<4x4xf64>) -> (tensor<4x4xf64> {jax.result_info = "result"}) {
  %0:11 = call @svd(%arg0) : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>, tensor<1x4xf64>, tensor<4x1xf64>, tensor<f64>, tensor<4x4xf64>, tensor<4x4xf64>)
  %1 = stablehlo.broadcast_in_dim %0#1, dims = [0] : (tensor<4xf64>) -> tensor<4x1xf64>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %3 = stablehlo.multiply %2, %0#2 : tensor<4x4xf64>
  %4 = stablehlo.dot_general %0#0, %3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %5 = stablehlo.cosine %0#1 : tensor<4xf64>
  %6 = stablehlo.cosine %4 : tensor<4x4xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2xf64>
  %8 = stablehlo.slice %7 [0:1] : (tensor<2xf64>) -> tensor<1xf64>
  %9 = stablehlo.reshape %8 : (tensor<1xf64>) -> tensor<f64>
  %10 = stablehlo.slice %7 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
  %11 = stablehlo.reshape %10 : (tensor<1xf64>) -> tensor<f64>
  %12 = stablehlo.broadcast_in_dim %11, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %13 = stablehlo.multiply %12, %6 : tensor<4x4xf64>
  %14 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %15 = stablehlo.multiply %14, %5 : tensor<4xf64>
  %16 = stablehlo.dot_general %13, %0#0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %17 = stablehlo.transpose %16, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %18 = stablehlo.dot_general %13, %3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %19 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %20 = stablehlo.multiply %19, %17 : tensor<4x4xf64>
  %21 = stablehlo.multiply %17, %0#2 : tensor<4x4xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %22 = stablehlo.reduce(%21 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf64>, tensor<f64>) -> tensor<4xf64>
  %23 = stablehlo.reshape %22 : (tensor<4xf64>) -> tensor<4x1xf64>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %24 = stablehlo.reduce(%23 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf64>, tensor<f64>) -> tensor<4xf64>
  %25 = stablehlo.add %15, %24 : tensor<4xf64>
  %26 = call @svd_0(%0#3, %0#4, %0#5, %0#6, %0#7, %0#8, %0#9, %0#10, %0#0, %18, %25, %20) : (tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>, tensor<1x4xf64>, tensor<4x1xf64>, tensor<f64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  return %26 : tensor<4x4xf64>
}
func.func private @svd(%arg0: tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>, tensor<1x4xf64>, tensor<4x1xf64>, tensor<f64>, tensor<4x4xf64>, tensor<4x4xf64>) {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 83 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=4, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4}, custom>} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<4xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<4xi1>, tensor<4xf64>
  %7 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %10 = stablehlo.select %9, %0#2, %8 : tensor<4x4xi1>, tensor<4x4xf64>
  %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %14 = stablehlo.select %13, %0#3, %12 : tensor<4x4xi1>, tensor<4x4xf64>
  %15 = stablehlo.transpose %10, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %16 = stablehlo.transpose %14, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %17 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<4xf64>) -> tensor<1x4xf64>
  %18 = stablehlo.iota dim = 0 : tensor<4xi32>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %19 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %20 = stablehlo.compare LT, %18, %19, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_3 = stablehlo.constant dense<4> : tensor<i32>
  %21 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %22 = stablehlo.add %18, %21 : tensor<4xi32>
  %23 = stablehlo.select %20, %22, %18 : tensor<4xi1>, tensor<4xi32>
  %c_4 = stablehlo.constant dense<0> : tensor<i32>
  %24 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %25 = stablehlo.compare LT, %18, %24, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_5 = stablehlo.constant dense<4> : tensor<i32>
  %26 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %27 = stablehlo.add %18, %26 : tensor<4xi32>
  %28 = stablehlo.select %25, %27, %18 : tensor<4xi1>, tensor<4xi32>
  %29 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %30 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %31 = stablehlo.concatenate %29, %30, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %32 = stablehlo.transpose %17, dims = [1, 0] : (tensor<1x4xf64>) -> tensor<4x1xf64>
  %33 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x4xf64>) -> tensor<4x4xf64>
  %34 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %35 = stablehlo.add %33, %34 : tensor<4x4xf64>
  %36 = stablehlo.transpose %17, dims = [1, 0] : (tensor<1x4xf64>) -> tensor<4x1xf64>
  %37 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x4xf64>) -> tensor<4x4xf64>
  %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %39 = stablehlo.subtract %37, %38 : tensor<4x4xf64>
  %40 = stablehlo.multiply %35, %39 : tensor<4x4xf64>
  %41 = stablehlo.iota dim = 0 : tensor<4x4xi32>
  %c_6 = stablehlo.constant dense<0> : tensor<i32>
  %42 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<4x4xi32>
  %43 = stablehlo.add %41, %42 : tensor<4x4xi32>
  %44 = stablehlo.iota dim = 1 : tensor<4x4xi32>
  %45 = stablehlo.compare EQ, %43, %44, SIGNED : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
  %46 = stablehlo.convert %45 : (tensor<4x4xi1>) -> tensor<4x4xf64>
  %47 = stablehlo.add %40, %46 : tensor<4x4xf64>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %48 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %49 = stablehlo.divide %48, %47 : tensor<4x4xf64>
  %50 = stablehlo.subtract %49, %46 : tensor<4x4xf64>
  %51 = stablehlo.transpose %17, dims = [1, 0] : (tensor<1x4xf64>) -> tensor<4x1xf64>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %52 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %53 = stablehlo.compare EQ, %6, %52, FLOAT : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xi1>
  %54 = stablehlo.convert %53 : (tensor<4xi1>) -> tensor<4xf64>
  %55 = stablehlo.add %6, %54 : tensor<4xf64>
  %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %57 = stablehlo.divide %56, %55 : tensor<4xf64>
  %58 = stablehlo.subtract %57, %54 : tensor<4xf64>
  %59 = stablehlo.iota dim = 0 : tensor<4xi32>
  %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %60 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %c_11 = stablehlo.constant dense<0> : tensor<i32>
  %61 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %62 = stablehlo.compare LT, %59, %61, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_12 = stablehlo.constant dense<4> : tensor<i32>
  %63 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %64 = stablehlo.add %59, %63 : tensor<4xi32>
  %65 = stablehlo.select %62, %64, %59 : tensor<4xi1>, tensor<4xi32>
  %c_13 = stablehlo.constant dense<0> : tensor<i32>
  %66 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %67 = stablehlo.compare LT, %59, %66, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %c_14 = stablehlo.constant dense<4> : tensor<i32>
  %68 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<4xi32>
  %69 = stablehlo.add %59, %68 : tensor<4xi32>
  %70 = stablehlo.select %67, %69, %59 : tensor<4xi1>, tensor<4xi32>
  %71 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %72 = stablehlo.broadcast_in_dim %70, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
  %73 = stablehlo.concatenate %71, %72, dim = 1 : (tensor<4x1xi32>, tensor<4x1xi32>) -> tensor<4x2xi32>
  %74 = "stablehlo.scatter"(%60, %73, %58) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
    stablehlo.return %arg2 : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<4x2xi32>, tensor<4xf64>) -> tensor<4x4xf64>
  %cst_15 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  return %10, %6, %14, %15, %16, %31, %17, %51, %cst_15, %74, %50 : tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<4x2xi32>, tensor<1x4xf64>, tensor<4x1xf64>, tensor<f64>, tensor<4x4xf64>, tensor<4x4xf64>
}
func.func private @svd_0(%arg0: tensor<4x4xf64>, %arg1: tensor<4x4xf64>, %arg2: tensor<4x2xi32>, %arg3: tensor<1x4xf64>, %arg4: tensor<4x1xf64>, %arg5: tensor<f64>, %arg6: tensor<4x4xf64>, %arg7: tensor<4x4xf64>, %arg8: tensor<4x4xf64>, %arg9: tensor<4x4xf64>, %arg10: tensor<4xf64>, %arg11: tensor<4x4xf64>) -> tensor<4x4xf64> {
  %0 = stablehlo.transpose %arg11, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %3 = stablehlo.multiply %arg7, %2 : tensor<4x4xf64>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %5 = stablehlo.add %3, %4 : tensor<4x4xf64>
  %6 = stablehlo.dot_general %arg9, %arg8, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %7 = stablehlo.transpose %6, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %8 = stablehlo.multiply %arg7, %7 : tensor<4x4xf64>
  %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %10 = stablehlo.add %8, %9 : tensor<4x4xf64>
  %11 = stablehlo.multiply %7, %arg6 : tensor<4x4xf64>
  %12 = stablehlo.broadcast_in_dim %arg5, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %13 = stablehlo.multiply %12, %11 : tensor<4x4xf64>
  %14 = stablehlo.negate %13 : tensor<4x4xf64>
  %15 = stablehlo.transpose %14, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %16 = stablehlo.add %13, %15 : tensor<4x4xf64>
  %17 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1] : (tensor<4x1xf64>) -> tensor<4x4xf64>
  %18 = stablehlo.multiply %17, %5 : tensor<4x4xf64>
  %19 = stablehlo.add %16, %18 : tensor<4x4xf64>
  %20 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<1x4xf64>) -> tensor<4x4xf64>
  %21 = stablehlo.multiply %20, %10 : tensor<4x4xf64>
  %22 = stablehlo.add %19, %21 : tensor<4x4xf64>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %23 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %24 = "stablehlo.scatter"(%23, %arg2, %arg10) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%arg12: tensor<f64>, %arg13: tensor<f64>):
    %29 = stablehlo.add %arg12, %arg13 : tensor<f64>
    stablehlo.return %29 : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<4x2xi32>, tensor<4xf64>) -> tensor<4x4xf64>
  %25 = stablehlo.add %22, %24 : tensor<4x4xf64>
  %26 = stablehlo.dot_general %25, %arg1, contracting_dims = [1] x [1], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %27 = stablehlo.dot_general %26, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST] : (tensor<4x4xf64>, tensor<4x4xf64>) -> tensor<4x4xf64>
  %28 = stablehlo.transpose %27, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  return %28 : tensor<4x4xf64>
}
// -----
// norm
func.func public @main(%arg0: tensor<4x4xf64>) -> (tensor<f64> {jax.result_info = "result[0]"}, tensor<f64> {jax.result_info = "result[1]"}, tensor<f64> {jax.result_info = "result[2]"}) {
  %0 = call @norm(%arg0) : (tensor<4x4xf64>) -> tensor<f64>
  %1 = call @norm_0(%arg0) : (tensor<4x4xf64>) -> tensor<f64>
  %2 = call @cond(%arg0) : (tensor<4x4xf64>) -> tensor<f64>
  return %0, %1, %2 : tensor<f64>, tensor<f64>, tensor<f64>
}
func.func private @norm(%arg0: tensor<4x4xf64>) -> tensor<f64> {
  %0 = call @svd(%arg0) : (tensor<4x4xf64>) -> tensor<4xf64>
  %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %2 = stablehlo.maximum %cst_0, %1 : tensor<f64>
  return %2 : tensor<f64>
}
func.func private @svd(%arg0: tensor<4x4xf64>) -> tensor<4xf64> {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=4, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4}, custom>} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<4xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<4xi1>, tensor<4xf64>
  return %6 : tensor<4xf64>
}
func.func private @norm_0(%arg0: tensor<4x4xf64>) -> tensor<f64> {
  %0 = call @svd(%arg0) : (tensor<4x4xf64>) -> tensor<4xf64>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}
func.func private @cond(%arg0: tensor<4x4xf64>) -> tensor<f64> {
  %0 = call @svd_1(%arg0) : (tensor<4x4xf64>) -> tensor<4xf64>
  %1 = stablehlo.slice %0 [0:1] : (tensor<4xf64>) -> tensor<1xf64>
  %2 = stablehlo.reshape %1 : (tensor<1xf64>) -> tensor<f64>
  %3 = stablehlo.slice %0 [3:4] : (tensor<4xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = stablehlo.divide %2, %4 : tensor<f64>
  return %5 : tensor<f64>
}
func.func private @svd_1(%arg0: tensor<4x4xf64>) -> tensor<4xf64> {
  %0:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%arg0) {backend_config = "", mhlo.backend_config = {mode = 78 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<[0, 1]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], [n, o], [p, q], []) {i=4, j=4, k=4, l=4, m=4, n=4, o=4, p=4, q=4}, custom>} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<4x4xf64>, tensor<4x4xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %2 = stablehlo.compare EQ, %0#4, %1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %5 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<1xi1>) -> tensor<4xi1>
  %6 = stablehlo.select %5, %0#1, %4 : tensor<4xi1>, tensor<4xf64>
  return %6 : tensor<4xf64>
}
// -----
// failed
func.func public @main(%arg0: tensor<4x4xf64>) -> (tensor<4xf64> {jax.result_info = "result"}) {
  %c = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %c_0 = stablehlo.constant dense<2> : tensor<i32>
  %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %cst = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %3 = "stablehlo.scatter"(%arg0, %2, %cst) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>, unique_indices = true}> ({
  ^bb0(%arg1: tensor<f64>, %arg2: tensor<f64>):
    stablehlo.return %arg2 : tensor<f64>
  }) : (tensor<4x4xf64>, tensor<2xi32>, tensor<f64>) -> tensor<4x4xf64>
  %4 = call @eigh(%3) : (tensor<4x4xf64>) -> tensor<4xf64>
  return %4 : tensor<4xf64>
}
func.func private @eigh(%arg0: tensor<4x4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<4x4xf64>) -> tensor<4x4xf64>
  %1 = stablehlo.add %arg0, %0 : tensor<4x4xf64>
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %3 = stablehlo.divide %1, %2 : tensor<4x4xf64>
  %4:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "0"}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>, dense<> : tensor<0xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l], [m], []) {i=4, j=4, k=4, l=4, m=4}, custom>} : (tensor<4x4xf64>) -> (tensor<4x4xf64>, tensor<4xf64>, tensor<i32>)
  %c = stablehlo.constant dense<0> : tensor<i32>
  %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<i32>
  %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1x1xi1>
  %cst_0 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<4x4xf64>
  %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x1xi1>) -> tensor<4x4xi1>
  %10 = stablehlo.select %9, %4#0, %8 : tensor<4x4xi1>, tensor<4x4xf64>
  %11 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<1xi1>
  %cst_1 = stablehlo.constant dense<0x7FF8000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<4xf64>
  %13 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<1xi1>) -> tensor<4xi1>
  %14 = stablehlo.select %13, %4#1, %12 : tensor<4xi1>, tensor<4xf64>
  return %14 : tensor<4xf64>
}
