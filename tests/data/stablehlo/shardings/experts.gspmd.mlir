module @jit_experts attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32>, %arg1: tensor<8x8x8xf32>) -> (tensor<16x8xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x8xf32>) -> tensor<4x8xf32>
    %2 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[4,1,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<8x8x8xf32>) -> tensor<8x8x8xf32>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x8x8xf32>) -> tensor<2x8x8xf32>
    %4 = call @shmap_body(%1, %3) : (tensor<4x8xf32>, tensor<2x8x8xf32>) -> tensor<4x8xf32>
    %5 = stablehlo.custom_call @Sharding(%4) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<4x8xf32>) -> tensor<16x8xf32>
    return %6 : tensor<16x8xf32>
  }
  func.func private @shmap_body(%arg0: tensor<4x8xf32>, %arg1: tensor<2x8x8xf32>) -> (tensor<4x8xf32> {jax.result_info = "[('model',), None]"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:8] : (tensor<4x8xf32>) -> tensor<2x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %4 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %5 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %6 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %7 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %8 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<2x8xf32>) -> tensor<1x2x8xf32>
    %9 = stablehlo.concatenate %1, %2, %3, %4, %5, %6, %7, %8, dim = 0 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<8x2x8xf32>
    %10 = stablehlo.slice %9 [0:8, 0:1, 0:8] : (tensor<8x2x8xf32>) -> tensor<8x1x8xf32>
    %11 = "stablehlo.all_to_all"(%10) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<8x1x8xf32>) -> tensor<2x4x8xf32>
    %12 = stablehlo.dot_general %11, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4x8xf32>, tensor<2x8x8xf32>) -> tensor<2x4x8xf32>
    %13 = "stablehlo.all_to_all"(%12) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 0 : i64, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, split_count = 4 : i64, split_dimension = 1 : i64}> : (tensor<2x4x8xf32>) -> tensor<8x1x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<4x8xf32>
    %17 = stablehlo.add %arg0, %16 : tensor<4x8xf32>
    return %17 : tensor<4x8xf32>
  }
}
