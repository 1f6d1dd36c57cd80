module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x16xcomplex<f32>>, %arg1: tensor<16x8xcomplex<f32>>) -> (tensor<8x8xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<8x8xcomplex<f32>> {jax.result_info = "result[1]"}) {
    %0:2 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"model"}, {}]>] out_shardings=[<@mesh, [{"data"}, {}]>, <@mesh, [{"data", "model"}, {}]>] manual_axes={"data", "model"} (%arg2: tensor<4x4xcomplex<f32>>, %arg3: tensor<4x8xcomplex<f32>>) {
      %1 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
      %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<complex<f32>>, %arg5: tensor<complex<f32>>):
        %9 = stablehlo.add %arg4, %arg5 : tensor<complex<f32>>
        stablehlo.return %9 : tensor<complex<f32>>
      }) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
      %3 = stablehlo.dot_general %arg2, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x4xcomplex<f32>>, tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
      %4 = stablehlo.real %3 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
      %5 = stablehlo.imag %3 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
      %6 = stablehlo.negate %5 : tensor<4x8xf32>
      %7 = stablehlo.complex %4, %6 : tensor<4x8xcomplex<f32>>
      %8 = "stablehlo.reduce_scatter"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<complex<f32>>, %arg5: tensor<complex<f32>>):
        %9 = stablehlo.add %arg4, %arg5 : tensor<complex<f32>>
        stablehlo.return %9 : tensor<complex<f32>>
      }) : (tensor<4x8xcomplex<f32>>) -> tensor<1x8xcomplex<f32>>
      sdy.return %2, %8 : tensor<4x8xcomplex<f32>>, tensor<1x8xcomplex<f32>>
    } : (tensor<8x16xcomplex<f32>>, tensor<16x8xcomplex<f32>>) -> (tensor<8x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>)
    return %0#0, %0#1 : tensor<8x8xcomplex<f32>>, tensor<8x8xcomplex<f32>>
  }
}
