module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xcomplex<f32>>) -> (tensor<8x16xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<8x16xcomplex<f32>> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {"model"}]>] out_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{"data"}, {"model"}]>] manual_axes={"data", "model"} (%arg1: tensor<4x4xcomplex<f32>>) {
      %1 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<4x4xcomplex<f32>>) -> tensor<4x16xcomplex<f32>>
      %2 = stablehlo.real %1 : (tensor<4x16xcomplex<f32>>) -> tensor<4x16xf32>
      %3 = stablehlo.imag %1 : (tensor<4x16xcomplex<f32>>) -> tensor<4x16xf32>
      %4 = stablehlo.negate %3 : tensor<4x16xf32>
      %5 = stablehlo.complex %2, %4 : tensor<4x16xcomplex<f32>>
      %cst = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
      %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x4xcomplex<f32>>
      %7 = stablehlo.multiply %arg1, %6 : tensor<4x4xcomplex<f32>>
      %8 = "stablehlo.collective_permute"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]> : tensor<8x2xi64>}> : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
      sdy.return %5, %8 : tensor<4x16xcomplex<f32>>, tensor<4x4xcomplex<f32>>
    } : (tensor<8x16xcomplex<f32>>) -> (tensor<8x16xcomplex<f32>>, tensor<8x16xcomplex<f32>>)
    return %0#0, %0#1 : tensor<8x16xcomplex<f32>>, tensor<8x16xcomplex<f32>>
  }
}
