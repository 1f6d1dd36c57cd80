module @jit_explicit_reshape attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> (tensor<2x4x16xf32> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}, {"model"}]>}) {
    %0 = stablehlo.reshape %arg0 : (tensor<8x16xf32>) -> tensor<2x4x16xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"data"}, {}, {"model"}]> : tensor<2x4x16xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4x16xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"data"}, {}, {"model"}]> : tensor<2x4x16xf32>
    %4 = stablehlo.add %1, %3 : tensor<2x4x16xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{"data"}, {}, {"model"}]> : tensor<2x4x16xf32>
    return %5 : tensor<2x4x16xf32>
  }
}
