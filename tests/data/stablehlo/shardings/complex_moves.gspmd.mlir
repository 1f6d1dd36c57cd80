module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xcomplex<f32>>) -> (tensor<8x16xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<8x16xcomplex<f32>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x16xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %2:2 = call @shmap_body(%1) : (tensor<4x4xcomplex<f32>>) -> (tensor<4x16xcomplex<f32>>, tensor<4x4xcomplex<f32>>)
    %3 = stablehlo.custom_call @Sharding(%2#0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x16xcomplex<f32>>) -> tensor<4x16xcomplex<f32>>
    %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
    %5 = stablehlo.custom_call @Sharding(%2#1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<4x4xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
    return %4, %6 : tensor<8x16xcomplex<f32>>, tensor<8x16xcomplex<f32>>
  }
  func.func private @shmap_body(%arg0: tensor<4x4xcomplex<f32>>) -> (tensor<4x16xcomplex<f32>> {jax.result_info = "[('data',), None]"}, tensor<4x4xcomplex<f32>> {jax.result_info = "[('data',), ('model',)]"}) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x4xcomplex<f32>>) -> tensor<4x16xcomplex<f32>>
    %1 = stablehlo.real %0 : (tensor<4x16xcomplex<f32>>) -> tensor<4x16xf32>
    %2 = stablehlo.imag %0 : (tensor<4x16xcomplex<f32>>) -> tensor<4x16xf32>
    %3 = stablehlo.negate %2 : tensor<4x16xf32>
    %4 = stablehlo.complex %1, %3 : tensor<4x16xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
    %6 = stablehlo.multiply %arg0, %5 : tensor<4x4xcomplex<f32>>
    %7 = "stablehlo.collective_permute"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]> : tensor<8x2xi64>}> : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    return %4, %7 : tensor<4x16xcomplex<f32>>, tensor<4x4xcomplex<f32>>
  }
}
