module @jit_complex_constraint attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg1: tensor<8x4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}) -> (tensor<8x4xcomplex<f32>> {jax.result_info = "result[0]"}, tensor<8x3xcomplex<f32>> {jax.result_info = "result[1]"}, tensor<8x4xcomplex<f32>> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.multiply %arg0, %arg1 : tensor<8x4xcomplex<f32>>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"model"}, {}]> : tensor<8x4xcomplex<f32>>
    %2 = call @fft(%1) : (tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
    %3 = stablehlo.real %arg0 : (tensor<8x4xcomplex<f32>>) -> tensor<8x4xf32>
    %4 = call @fft_0(%3) : (tensor<8x4xf32>) -> tensor<8x3xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5:3 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %c, %iterArg_1 = %1) : tensor<8x4xcomplex<f32>>, tensor<i32>, tensor<8x4xcomplex<f32>>
    cond {
      %c_2 = stablehlo.constant dense<3> : tensor<i32>
      %6 = stablehlo.compare LT, %iterArg_0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %6 : tensor<i1>
    } do {
      %6 = func.call @closed_call(%iterArg, %iterArg_1) : (tensor<8x4xcomplex<f32>>, tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
      %c_2 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_0, %c_2 : tensor<i32>
      stablehlo.return %iterArg, %7, %6 : tensor<8x4xcomplex<f32>>, tensor<i32>, tensor<8x4xcomplex<f32>>
    }
    return %2, %4, %5#2 : tensor<8x4xcomplex<f32>>, tensor<8x3xcomplex<f32>>, tensor<8x4xcomplex<f32>>
  }
  func.func private @fft(%arg0: tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [4] : (tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
    return %0 : tensor<8x4xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<8x4xf32>) -> tensor<8x3xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [4] : (tensor<8x4xf32>) -> tensor<8x3xcomplex<f32>>
    return %0 : tensor<8x3xcomplex<f32>>
  }
  func.func private @closed_call(%arg0: tensor<8x4xcomplex<f32>>, %arg1: tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>> {
    %cst = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<8x4xcomplex<f32>>
    %1 = stablehlo.multiply %arg1, %0 : tensor<8x4xcomplex<f32>>
    %2 = stablehlo.add %1, %arg0 : tensor<8x4xcomplex<f32>>
    return %2 : tensor<8x4xcomplex<f32>>
  }
}
