module @jit_experts attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<8x8x8xf32>) -> (tensor<16x8xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"model"}, {}]>, <@mesh, [{"model"}, {}, {}]>] out_shardings=[<@mesh, [{"model"}, {}]>] manual_axes={"data", "model"} (%arg2: tensor<4x8xf32>, %arg3: tensor<2x8x8xf32>) {
      %1 = stablehlo.slice %arg2 [0:2, 0:8] : (tensor<4x8xf32>) -> tensor<2x8xf32>
      %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %3 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %4 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %5 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %6 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %7 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %8 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %9 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
      %10 = stablehlo.concatenate %2, %3, %4, %5, %6, %7, %8, %9, dim = 0 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<8x2x8xf32>
      %11 = stablehlo.slice %10 [0:8, 0:1, 0:8] : (tensor<8x2x8xf32>) -> tensor<8x1x8xf32>
      %12 = "stablehlo.all_to_all"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x1x8xf32>) -> tensor<2x4x8xf32>
      %13 = stablehlo.dot_general %12, %arg3, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<2x8x8xf32>) -> tensor<2x4x8xf32>
      %14 = "stablehlo.all_to_all"(%13) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x8xf32>) -> tensor<8x1x8xf32>
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %15 = stablehlo.reduce(%14 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x1x8xf32>, tensor<f32>) -> tensor<8xf32>
      %16 = stablehlo.broadcast_in_dim %15, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
      %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
      %18 = stablehlo.add %arg2, %17 : tensor<4x8xf32>
      sdy.return %18 : tensor<4x8xf32>
    } : (tensor<16x8xf32>, tensor<8x8x8xf32>) -> tensor<16x8xf32>
    return %0 : tensor<16x8xf32>
  }
}
