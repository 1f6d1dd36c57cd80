module @jit_reverse attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6x3xf32>) -> (tensor<4x6x3xf32> {jax.result_info = "result[0]"}, tensor<4x6x3xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.reverse %arg0, dims = [0, 2] : tensor<4x6x3xf32>
    %1 = stablehlo.reverse %arg0, dims = [1] : tensor<4x6x3xf32>
    return %0, %1 : tensor<4x6x3xf32>, tensor<4x6x3xf32>
  }
}
