module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<6x4x12x2xf32>, %arg1: tensor<2x2x3x6xf32>) -> (tensor<12x3x2x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [1, b, 0, f]x[i, 0, o, 1]->[0, f, 1, b], window = {stride = [1, 1], pad = [[1, 0], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<6x4x12x2xf32>, tensor<2x2x3x6xf32>) -> tensor<12x3x2x4xf32>
    return %0 : tensor<12x3x2x4xf32>
  }
}
