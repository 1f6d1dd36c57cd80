module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x16xcomplex<f32>>, %arg1: tensor<16x8xcomplex<f32>>) -> (tensor<8x8xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<8x8xcomplex<f32>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
    %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x16xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %2 = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xcomplex<f32>>
    %3 = stablehlo.custom_call @SPMDFullToShardShape(%2) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<16x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %4:2 = call @shmap_body(%1, %3) : (tensor<4x4xcomplex<f32>>, tensor<4x8xcomplex<f32>>) -> (tensor<4x8xcomplex<f32>>, tensor<1x8xcomplex<f32>>)
    %5 = stablehlo.custom_call @Sharding(%4#0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"} : (tensor<4x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
    %7 = stablehlo.custom_call @Sharding(%4#1) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<1x8xcomplex<f32>>) -> tensor<1x8xcomplex<f32>>
    %8 = stablehlo.custom_call @SPMDShardToFullShape(%7) {backend_config = "", mhlo.sharding = "{devices=[8,1]<=[8]}"} : (tensor<1x8xcomplex<f32>>) -> tensor<8x8xcomplex<f32>>
    return %6, %8 : tensor<8x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>
  }
  func.func private @shmap_body(%arg0: tensor<4x4xcomplex<f32>>, %arg1: tensor<4x8xcomplex<f32>>) -> (tensor<4x8xcomplex<f32>> {jax.result_info = "[('data',), None]"}, tensor<1x8xcomplex<f32>> {jax.result_info = "[('data', 'model'), None]"}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<complex<f32>>, %arg3: tensor<complex<f32>>):
      %8 = stablehlo.add %arg2, %arg3 : tensor<complex<f32>>
      stablehlo.return %8 : tensor<complex<f32>>
    }) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %2 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %3 = stablehlo.real %2 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %4 = stablehlo.imag %2 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
    %5 = stablehlo.negate %4 : tensor<4x8xf32>
    %6 = stablehlo.complex %3, %5 : tensor<4x8xcomplex<f32>>
    %7 = "stablehlo.reduce_scatter"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<complex<f32>>, %arg3: tensor<complex<f32>>):
      %8 = stablehlo.add %arg2, %arg3 : tensor<complex<f32>>
      stablehlo.return %8 : tensor<complex<f32>>
    }) : (tensor<4x8xcomplex<f32>>) -> tensor<1x8xcomplex<f32>>
    return %1, %7 : tensor<4x8xcomplex<f32>>, tensor<1x8xcomplex<f32>>
  }
}
