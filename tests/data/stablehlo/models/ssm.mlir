module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32> {jax.buffer_donor = true}, %arg1: tensor<16x8xcomplex<f32>> {jax.buffer_donor = true}, %arg2: tensor<16x8xf32> {jax.buffer_donor = true}, %arg3: tensor<16xf32> {jax.buffer_donor = true}, %arg4: tensor<16x8xf32> {jax.buffer_donor = true}, %arg5: tensor<8x16xcomplex<f32>> {jax.buffer_donor = true}, %arg6: tensor<16x8xcomplex<f32>> {jax.buffer_donor = true}, %arg7: tensor<8xf32> {jax.buffer_donor = true}, %arg8: tensor<16xf32> {jax.buffer_donor = true}, %arg9: tensor<8xf32> {jax.buffer_donor = true}, %arg10: tensor<32x16xf32> {jax.buffer_donor = true}, %arg11: tensor<16x8xcomplex<f32>> {jax.buffer_donor = true}, %arg12: tensor<16x8xf32> {jax.buffer_donor = true}, %arg13: tensor<16xf32> {jax.buffer_donor = true}, %arg14: tensor<16x8xf32> {jax.buffer_donor = true}, %arg15: tensor<8x16xcomplex<f32>> {jax.buffer_donor = true}, %arg16: tensor<16x8xcomplex<f32>> {jax.buffer_donor = true}, %arg17: tensor<8xf32> {jax.buffer_donor = true}, %arg18: tensor<16xf32> {jax.buffer_donor = true}, %arg19: tensor<8xf32> {jax.buffer_donor = true}, %arg20: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg21: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<32x16xf32> {jax.result_info = "result[0]['m']['embed']"}, tensor<16x8xcomplex<f32>> {jax.result_info = "result[0]['m']['s4']['c']"}, tensor<16x8xf32> {jax.result_info = "result[0]['m']['s4']['rate']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['s4']['skip']"}, tensor<16x8xf32> {jax.result_info = "result[0]['m']['s4']['turn']"}, tensor<8x16xcomplex<f32>> {jax.result_info = "result[0]['m']['s5']['b']"}, tensor<16x8xcomplex<f32>> {jax.result_info = "result[0]['m']['s5']['c']"}, tensor<8xf32> {jax.result_info = "result[0]['m']['s5']['rate']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['s5']['skip']"}, tensor<8xf32> {jax.result_info = "result[0]['m']['s5']['turn']"}, tensor<32x16xf32> {jax.result_info = "result[0]['params']['embed']"}, tensor<16x8xcomplex<f32>> {jax.result_info = "result[0]['params']['s4']['c']"}, tensor<16x8xf32> {jax.result_info = "result[0]['params']['s4']['rate']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['s4']['skip']"}, tensor<16x8xf32> {jax.result_info = "result[0]['params']['s4']['turn']"}, tensor<8x16xcomplex<f32>> {jax.result_info = "result[0]['params']['s5']['b']"}, tensor<16x8xcomplex<f32>> {jax.result_info = "result[0]['params']['s5']['c']"}, tensor<8xf32> {jax.result_info = "result[0]['params']['s5']['rate']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['s5']['skip']"}, tensor<8xf32> {jax.result_info = "result[0]['params']['s5']['turn']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg20, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg20, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg20 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg10, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %7 = stablehlo.exponential %arg17 : tensor<8xf32>
    %8 = stablehlo.negate %7 : tensor<8xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %10 = stablehlo.multiply %arg19, %9 : tensor<8xf32>
    %11 = stablehlo.complex %8, %10 : tensor<8xcomplex<f32>>
    %12 = stablehlo.exponential %11 : tensor<8xcomplex<f32>>
    %13 = stablehlo.convert %6 : (tensor<4x8x16xf32>) -> tensor<4x8x16xcomplex<f32>>
    %14 = stablehlo.dot_general %13, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xcomplex<f32>>, tensor<8x16xcomplex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %15 = stablehlo.broadcast_in_dim %12, dims = [2] : (tensor<8xcomplex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %16 = stablehlo.slice %15 [0:4, 0:7:2, 0:8] : (tensor<4x8x8xcomplex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %17 = stablehlo.slice %14 [0:4, 0:7:2, 0:8] : (tensor<4x8x8xcomplex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %18 = stablehlo.slice %15 [0:4, 1:8:2, 0:8] : (tensor<4x8x8xcomplex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %19 = stablehlo.slice %14 [0:4, 1:8:2, 0:8] : (tensor<4x8x8xcomplex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %20 = stablehlo.multiply %16, %18 : tensor<4x4x8xcomplex<f32>>
    %21 = stablehlo.multiply %18, %17 : tensor<4x4x8xcomplex<f32>>
    %22 = stablehlo.add %21, %19 : tensor<4x4x8xcomplex<f32>>
    %23 = stablehlo.slice %20 [0:4, 0:3:2, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %24 = stablehlo.slice %22 [0:4, 0:3:2, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %25 = stablehlo.slice %20 [0:4, 1:4:2, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %26 = stablehlo.slice %22 [0:4, 1:4:2, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %27 = stablehlo.multiply %23, %25 : tensor<4x2x8xcomplex<f32>>
    %28 = stablehlo.multiply %25, %24 : tensor<4x2x8xcomplex<f32>>
    %29 = stablehlo.add %28, %26 : tensor<4x2x8xcomplex<f32>>
    %30 = stablehlo.slice %29 [0:4, 0:1:2, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %31 = stablehlo.slice %27 [0:4, 1:2:2, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %32 = stablehlo.slice %29 [0:4, 1:2:2, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %33 = stablehlo.multiply %31, %30 : tensor<4x1x8xcomplex<f32>>
    %34 = stablehlo.add %33, %32 : tensor<4x1x8xcomplex<f32>>
    %35 = stablehlo.slice %34 [0:4, 0:0, 0:8] : (tensor<4x1x8xcomplex<f32>>) -> tensor<4x0x8xcomplex<f32>>
    %36 = stablehlo.slice %27 [0:4, 2:2:2, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x0x8xcomplex<f32>>
    %37 = stablehlo.slice %29 [0:4, 2:2:2, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x0x8xcomplex<f32>>
    %38 = stablehlo.multiply %36, %35 : tensor<4x0x8xcomplex<f32>>
    %39 = stablehlo.add %38, %37 : tensor<4x0x8xcomplex<f32>>
    %40 = stablehlo.slice %29 [0:4, 0:1, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %41 = stablehlo.concatenate %40, %39, dim = 1 : (tensor<4x1x8xcomplex<f32>>, tensor<4x0x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %42 = stablehlo.pad %41, %cst_1, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %43 = stablehlo.pad %34, %cst_2, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %44 = stablehlo.add %42, %43 : tensor<4x2x8xcomplex<f32>>
    %45 = stablehlo.slice %44 [0:4, 0:1, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %46 = stablehlo.slice %20 [0:4, 2:4:2, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %47 = stablehlo.slice %22 [0:4, 2:4:2, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %48 = stablehlo.multiply %46, %45 : tensor<4x1x8xcomplex<f32>>
    %49 = stablehlo.add %48, %47 : tensor<4x1x8xcomplex<f32>>
    %50 = stablehlo.slice %22 [0:4, 0:1, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %51 = stablehlo.concatenate %50, %49, dim = 1 : (tensor<4x1x8xcomplex<f32>>, tensor<4x1x8xcomplex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %52 = stablehlo.pad %51, %cst_3, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %cst_4 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %53 = stablehlo.pad %44, %cst_4, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %54 = stablehlo.add %52, %53 : tensor<4x4x8xcomplex<f32>>
    %55 = stablehlo.slice %54 [0:4, 0:3, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x3x8xcomplex<f32>>
    %56 = stablehlo.slice %15 [0:4, 2:8:2, 0:8] : (tensor<4x8x8xcomplex<f32>>) -> tensor<4x3x8xcomplex<f32>>
    %57 = stablehlo.slice %14 [0:4, 2:8:2, 0:8] : (tensor<4x8x8xcomplex<f32>>) -> tensor<4x3x8xcomplex<f32>>
    %58 = stablehlo.multiply %56, %55 : tensor<4x3x8xcomplex<f32>>
    %59 = stablehlo.add %58, %57 : tensor<4x3x8xcomplex<f32>>
    %60 = stablehlo.slice %14 [0:4, 0:1, 0:8] : (tensor<4x8x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %61 = stablehlo.concatenate %60, %59, dim = 1 : (tensor<4x1x8xcomplex<f32>>, tensor<4x3x8xcomplex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %cst_5 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %62 = stablehlo.pad %61, %cst_5, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %cst_6 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %63 = stablehlo.pad %54, %cst_6, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %64 = stablehlo.add %62, %63 : tensor<4x8x8xcomplex<f32>>
    %65 = stablehlo.dot_general %64, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xcomplex<f32>>, tensor<16x8xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>>
    %66 = stablehlo.real %65 : (tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xf32>
    %67 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %69 = stablehlo.multiply %68, %6 : tensor<4x8x16xf32>
    %70 = stablehlo.add %66, %69 : tensor<4x8x16xf32>
    %71 = stablehlo.multiply %70, %70 : tensor<4x8x16xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<4x8x16xf32>
    %73 = stablehlo.multiply %70, %70 : tensor<4x8x16xf32>
    %cst_7 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %75 = stablehlo.multiply %74, %73 : tensor<4x8x16xf32>
    %cst_8 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %77 = stablehlo.multiply %76, %72 : tensor<4x8x16xf32>
    %78 = stablehlo.add %70, %77 : tensor<4x8x16xf32>
    %cst_9 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<4x8x16xf32>
    %81 = stablehlo.tanh %80 : tensor<4x8x16xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %83 = stablehlo.subtract %82, %81 : tensor<4x8x16xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %85 = stablehlo.add %84, %81 : tensor<4x8x16xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<4x8x16xf32>
    %88 = stablehlo.multiply %70, %87 : tensor<4x8x16xf32>
    %89 = stablehlo.add %6, %88 : tensor<4x8x16xf32>
    %90 = stablehlo.exponential %arg12 : tensor<16x8xf32>
    %91 = stablehlo.negate %90 : tensor<16x8xf32>
    %cst_13 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %93 = stablehlo.multiply %arg14, %92 : tensor<16x8xf32>
    %94 = stablehlo.complex %91, %93 : tensor<16x8xcomplex<f32>>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1] : (tensor<16x8xcomplex<f32>>) -> tensor<16x8x1xcomplex<f32>>
    %96 = stablehlo.iota dim = 0 : tensor<8xi32>
    %97 = stablehlo.convert %96 : (tensor<8xi32>) -> tensor<8xcomplex<f32>>
    %98 = stablehlo.broadcast_in_dim %97, dims = [2] : (tensor<8xcomplex<f32>>) -> tensor<1x1x8xcomplex<f32>>
    %99 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2] : (tensor<16x8x1xcomplex<f32>>) -> tensor<16x8x8xcomplex<f32>>
    %100 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<1x1x8xcomplex<f32>>) -> tensor<16x8x8xcomplex<f32>>
    %101 = stablehlo.multiply %99, %100 : tensor<16x8x8xcomplex<f32>>
    %102 = stablehlo.exponential %101 : tensor<16x8x8xcomplex<f32>>
    %103 = stablehlo.dot_general %arg11, %102, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<16x8xcomplex<f32>>, tensor<16x8x8xcomplex<f32>>) -> tensor<16x8xcomplex<f32>>
    %104 = stablehlo.real %103 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xf32>
    %105 = stablehlo.transpose %89, dims = [0, 2, 1] : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %106 = call @_pad(%105, %c_14) : (tensor<4x16x8xf32>, tensor<i32>) -> tensor<4x16x16xf32>
    %107 = call @fft(%106) : (tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>>
    %108 = stablehlo.transpose %107, dims = [0, 2, 1] : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x9x16xcomplex<f32>>
    %109 = stablehlo.transpose %104, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %110 = stablehlo.transpose %109, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %111 = call @_pad_0(%110, %c_15) : (tensor<16x8xf32>, tensor<i32>) -> tensor<16x16xf32>
    %112 = call @fft_1(%111) : (tensor<16x16xf32>) -> tensor<16x9xcomplex<f32>>
    %113 = stablehlo.transpose %112, dims = [1, 0] : (tensor<16x9xcomplex<f32>>) -> tensor<9x16xcomplex<f32>>
    %114 = stablehlo.broadcast_in_dim %113, dims = [1, 2] : (tensor<9x16xcomplex<f32>>) -> tensor<1x9x16xcomplex<f32>>
    %115 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<1x9x16xcomplex<f32>>) -> tensor<4x9x16xcomplex<f32>>
    %116 = stablehlo.multiply %108, %115 : tensor<4x9x16xcomplex<f32>>
    %117 = stablehlo.transpose %116, dims = [0, 2, 1] : (tensor<4x9x16xcomplex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    %c_16 = stablehlo.constant dense<0> : tensor<i32>
    %118 = call @_pad_2(%117, %c_16) : (tensor<4x16x9xcomplex<f32>>, tensor<i32>) -> tensor<4x16x9xcomplex<f32>>
    %119 = call @fft_3(%118) : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32>
    %120 = stablehlo.transpose %119, dims = [0, 2, 1] : (tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %121 = stablehlo.slice %120 [0:4, 0:8, 0:16] : (tensor<4x16x16xf32>) -> tensor<4x8x16xf32>
    %122 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %124 = stablehlo.multiply %123, %89 : tensor<4x8x16xf32>
    %125 = stablehlo.add %121, %124 : tensor<4x8x16xf32>
    %126 = stablehlo.multiply %125, %125 : tensor<4x8x16xf32>
    %127 = stablehlo.multiply %126, %125 : tensor<4x8x16xf32>
    %128 = stablehlo.multiply %125, %125 : tensor<4x8x16xf32>
    %cst_17 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %130 = stablehlo.multiply %129, %128 : tensor<4x8x16xf32>
    %cst_18 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %132 = stablehlo.multiply %131, %127 : tensor<4x8x16xf32>
    %133 = stablehlo.add %125, %132 : tensor<4x8x16xf32>
    %cst_19 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %135 = stablehlo.multiply %134, %133 : tensor<4x8x16xf32>
    %136 = stablehlo.tanh %135 : tensor<4x8x16xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %137 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %138 = stablehlo.subtract %137, %136 : tensor<4x8x16xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %139 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %140 = stablehlo.add %139, %136 : tensor<4x8x16xf32>
    %cst_22 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %142 = stablehlo.multiply %141, %140 : tensor<4x8x16xf32>
    %143 = stablehlo.multiply %125, %142 : tensor<4x8x16xf32>
    %144 = stablehlo.add %89, %143 : tensor<4x8x16xf32>
    %145 = stablehlo.transpose %arg10, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %146 = stablehlo.dot_general %144, %145, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %147 = stablehlo.broadcast_in_dim %arg21, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %148:2 = call @take_along_axis(%146, %147) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %149 = stablehlo.reshape %148#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %150 = stablehlo.reduce(%146 init: %cst_23) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %152 = stablehlo.maximum %151, %150 : tensor<4x8xf32>
    %153 = stablehlo.is_finite %152 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %155 = stablehlo.select %153, %152, %154 : tensor<4x8xi1>, tensor<4x8xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %157 = stablehlo.broadcast_in_dim %156, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %158 = stablehlo.subtract %146, %157 : tensor<4x8x32xf32>
    %159 = stablehlo.exponential %158 : tensor<4x8x32xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.reduce(%159 init: %cst_26) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %161 = stablehlo.abs %160 : tensor<4x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %163 = stablehlo.compare GE, %160, %162, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %164 = stablehlo.log %161 : tensor<4x8xf32>
    %165 = stablehlo.add %164, %155 : tensor<4x8xf32>
    %166 = stablehlo.subtract %165, %149 : tensor<4x8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.reduce(%166 init: %cst_28) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_29 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %168 = stablehlo.divide %167, %cst_29 : tensor<f32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_31 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %169 = stablehlo.divide %cst_30, %cst_31 : tensor<f32>
    %170 = stablehlo.broadcast_in_dim %169, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %171 = stablehlo.negate %170 : tensor<4x8xf32>
    %172 = stablehlo.divide %170, %161 : tensor<4x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %174 = stablehlo.select %163, %173, %172 : tensor<4x8xi1>, tensor<4x8xf32>
    %175 = stablehlo.select %163, %172, %173 : tensor<4x8xi1>, tensor<4x8xf32>
    %176 = stablehlo.negate %174 : tensor<4x8xf32>
    %177 = stablehlo.add %175, %176 : tensor<4x8xf32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %179 = stablehlo.multiply %178, %159 : tensor<4x8x32xf32>
    %180 = stablehlo.broadcast_in_dim %171, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %181 = call @take_along_axis_4(%148#1, %180) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %182 = stablehlo.add %179, %181 : tensor<4x8x32xf32>
    %183 = stablehlo.dot_general %182, %144, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %184 = stablehlo.transpose %183, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %185 = stablehlo.dot_general %182, %145, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %186 = stablehlo.transpose %184, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %187 = stablehlo.multiply %125, %185 : tensor<4x8x16xf32>
    %188 = stablehlo.multiply %185, %142 : tensor<4x8x16xf32>
    %cst_33 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %190 = stablehlo.multiply %189, %187 : tensor<4x8x16xf32>
    %191 = stablehlo.multiply %190, %138 : tensor<4x8x16xf32>
    %192 = stablehlo.multiply %191, %136 : tensor<4x8x16xf32>
    %193 = stablehlo.add %191, %192 : tensor<4x8x16xf32>
    %cst_34 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %195 = stablehlo.multiply %194, %193 : tensor<4x8x16xf32>
    %196 = stablehlo.add %188, %195 : tensor<4x8x16xf32>
    %cst_35 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %198 = stablehlo.multiply %197, %195 : tensor<4x8x16xf32>
    %199 = stablehlo.multiply %198, %130 : tensor<4x8x16xf32>
    %200 = stablehlo.add %196, %199 : tensor<4x8x16xf32>
    %201 = stablehlo.broadcast_in_dim %122, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %202 = stablehlo.multiply %201, %200 : tensor<4x8x16xf32>
    %203 = stablehlo.add %185, %202 : tensor<4x8x16xf32>
    %204 = stablehlo.multiply %200, %89 : tensor<4x8x16xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %205 = stablehlo.reduce(%204 init: %cst_36) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %206 = stablehlo.reshape %205 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %207 = stablehlo.reduce(%206 init: %cst_37) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %208 = stablehlo.pad %200, %cst_38, low = [0, 0, 0], high = [0, 8, 0], interior = [0, 0, 0] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x16x16xf32>
    %209 = stablehlo.transpose %208, dims = [0, 2, 1] : (tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %210 = call @fft_5(%209) : (tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>>
    %211 = call @_pad_7(%210) : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    %212 = stablehlo.transpose %211, dims = [0, 2, 1] : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x9x16xcomplex<f32>>
    %213 = stablehlo.multiply %108, %212 : tensor<4x9x16xcomplex<f32>>
    %cst_39 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %214 = stablehlo.reduce(%213 init: %cst_39) applies stablehlo.add across dimensions = [0] : (tensor<4x9x16xcomplex<f32>>, tensor<complex<f32>>) -> tensor<9x16xcomplex<f32>>
    %215 = stablehlo.reshape %214 : (tensor<9x16xcomplex<f32>>) -> tensor<1x9x16xcomplex<f32>>
    %216 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<1x9x16xcomplex<f32>>) -> tensor<4x9x16xcomplex<f32>>
    %217 = stablehlo.multiply %212, %216 : tensor<4x9x16xcomplex<f32>>
    %cst_40 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %218 = stablehlo.reduce(%215 init: %cst_40) applies stablehlo.add across dimensions = [0] : (tensor<1x9x16xcomplex<f32>>, tensor<complex<f32>>) -> tensor<9x16xcomplex<f32>>
    %219 = stablehlo.transpose %218, dims = [1, 0] : (tensor<9x16xcomplex<f32>>) -> tensor<16x9xcomplex<f32>>
    %220 = call @fft_8(%219) : (tensor<16x9xcomplex<f32>>) -> tensor<16x16xf32>
    %221 = call @_pad_10(%220) : (tensor<16x16xf32>) -> tensor<16x8xf32>
    %222 = stablehlo.transpose %221, dims = [1, 0] : (tensor<16x8xf32>) -> tensor<8x16xf32>
    %223 = stablehlo.transpose %222, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
    %224 = stablehlo.transpose %217, dims = [0, 2, 1] : (tensor<4x9x16xcomplex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    %225 = call @fft_11(%224) : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32>
    %226 = call @_pad_14(%225) : (tensor<4x16x16xf32>) -> tensor<4x16x8xf32>
    %227 = stablehlo.transpose %226, dims = [0, 2, 1] : (tensor<4x16x8xf32>) -> tensor<4x8x16xf32>
    %228 = stablehlo.add %203, %227 : tensor<4x8x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %230 = stablehlo.complex %223, %229 : tensor<16x8xcomplex<f32>>
    %231 = stablehlo.dot_general %230, %arg11, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<16x8xcomplex<f32>>, tensor<16x8xcomplex<f32>>) -> tensor<16x8x8xcomplex<f32>>
    %232 = stablehlo.transpose %231, dims = [0, 2, 1] : (tensor<16x8x8xcomplex<f32>>) -> tensor<16x8x8xcomplex<f32>>
    %233 = stablehlo.dot_general %230, %102, batching_dims = [0] x [0], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<16x8xcomplex<f32>>, tensor<16x8x8xcomplex<f32>>) -> tensor<16x8xcomplex<f32>>
    %234 = stablehlo.multiply %232, %102 : tensor<16x8x8xcomplex<f32>>
    %235 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<1x1x8xcomplex<f32>>) -> tensor<16x8x8xcomplex<f32>>
    %236 = stablehlo.multiply %234, %235 : tensor<16x8x8xcomplex<f32>>
    %cst_42 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %237 = stablehlo.reduce(%236 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<16x8x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<16x8xcomplex<f32>>
    %238 = stablehlo.reshape %237 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8x1xcomplex<f32>>
    %cst_43 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %239 = stablehlo.reduce(%238 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<16x8x1xcomplex<f32>>, tensor<complex<f32>>) -> tensor<16x8xcomplex<f32>>
    %240 = stablehlo.real %239 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xf32>
    %241 = stablehlo.negate %239 : tensor<16x8xcomplex<f32>>
    %242 = stablehlo.imag %241 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xf32>
    %cst_44 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %244 = stablehlo.multiply %242, %243 : tensor<16x8xf32>
    %245 = stablehlo.negate %240 : tensor<16x8xf32>
    %246 = stablehlo.multiply %245, %90 : tensor<16x8xf32>
    %247 = stablehlo.multiply %70, %228 : tensor<4x8x16xf32>
    %248 = stablehlo.multiply %228, %87 : tensor<4x8x16xf32>
    %cst_45 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %250 = stablehlo.multiply %249, %247 : tensor<4x8x16xf32>
    %251 = stablehlo.multiply %250, %83 : tensor<4x8x16xf32>
    %252 = stablehlo.multiply %251, %81 : tensor<4x8x16xf32>
    %253 = stablehlo.add %251, %252 : tensor<4x8x16xf32>
    %cst_46 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %255 = stablehlo.multiply %254, %253 : tensor<4x8x16xf32>
    %256 = stablehlo.add %248, %255 : tensor<4x8x16xf32>
    %cst_47 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %258 = stablehlo.multiply %257, %255 : tensor<4x8x16xf32>
    %259 = stablehlo.multiply %258, %75 : tensor<4x8x16xf32>
    %260 = stablehlo.add %256, %259 : tensor<4x8x16xf32>
    %261 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %262 = stablehlo.multiply %261, %260 : tensor<4x8x16xf32>
    %263 = stablehlo.add %228, %262 : tensor<4x8x16xf32>
    %264 = stablehlo.multiply %260, %6 : tensor<4x8x16xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %265 = stablehlo.reduce(%264 init: %cst_48) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %266 = stablehlo.reshape %265 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %267 = stablehlo.reduce(%266 init: %cst_49) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %269 = stablehlo.complex %260, %268 : tensor<4x8x16xcomplex<f32>>
    %270 = stablehlo.dot_general %269, %64, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xcomplex<f32>>, tensor<4x8x8xcomplex<f32>>) -> tensor<16x8xcomplex<f32>>
    %271 = stablehlo.dot_general %269, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xcomplex<f32>>, tensor<16x8xcomplex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %cst_51 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %272 = stablehlo.pad %271, %cst_51, low = [0, -1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x8x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x7x8xcomplex<f32>>
    %273 = stablehlo.slice %272 [0:4, 0:7:2, 0:8] : (tensor<4x7x8xcomplex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %cst_52 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %274 = stablehlo.pad %271, %cst_52, low = [0, 0, 0], high = [0, -1, 0], interior = [0, 0, 0] : (tensor<4x8x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x7x8xcomplex<f32>>
    %275 = stablehlo.slice %274 [0:4, 0:7:2, 0:8] : (tensor<4x7x8xcomplex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %276 = stablehlo.slice %275 [0:4, 0:1, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %277 = stablehlo.slice %275 [0:4, 1:4, 0:8] : (tensor<4x4x8xcomplex<f32>>) -> tensor<4x3x8xcomplex<f32>>
    %cst_53 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %278 = stablehlo.pad %276, %cst_53, low = [0, 0, 0], high = [0, 7, 0], interior = [0, 0, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %279 = stablehlo.multiply %56, %277 : tensor<4x3x8xcomplex<f32>>
    %280 = stablehlo.multiply %277, %55 : tensor<4x3x8xcomplex<f32>>
    %cst_54 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %281 = stablehlo.pad %277, %cst_54, low = [0, 2, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x3x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %282 = stablehlo.add %278, %281 : tensor<4x8x8xcomplex<f32>>
    %cst_55 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %283 = stablehlo.pad %280, %cst_55, low = [0, 2, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x3x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %cst_56 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %284 = stablehlo.pad %279, %cst_56, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x3x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %285 = stablehlo.add %273, %284 : tensor<4x4x8xcomplex<f32>>
    %cst_57 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %286 = stablehlo.pad %285, %cst_57, low = [0, -1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x3x8xcomplex<f32>>
    %287 = stablehlo.slice %286 [0:4, 0:3:2, 0:8] : (tensor<4x3x8xcomplex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %cst_58 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %288 = stablehlo.pad %285, %cst_58, low = [0, 0, 0], high = [0, -1, 0], interior = [0, 0, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x3x8xcomplex<f32>>
    %289 = stablehlo.slice %288 [0:4, 0:3:2, 0:8] : (tensor<4x3x8xcomplex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %290 = stablehlo.slice %289 [0:4, 0:1, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %291 = stablehlo.slice %289 [0:4, 1:2, 0:8] : (tensor<4x2x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %cst_59 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %292 = stablehlo.pad %290, %cst_59, low = [0, 0, 0], high = [0, 3, 0], interior = [0, 0, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %293 = stablehlo.multiply %46, %291 : tensor<4x1x8xcomplex<f32>>
    %294 = stablehlo.multiply %291, %45 : tensor<4x1x8xcomplex<f32>>
    %cst_60 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %295 = stablehlo.pad %291, %cst_60, low = [0, 2, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %296 = stablehlo.add %292, %295 : tensor<4x4x8xcomplex<f32>>
    %cst_61 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %297 = stablehlo.pad %294, %cst_61, low = [0, 2, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %cst_62 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %298 = stablehlo.pad %293, %cst_62, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %299 = stablehlo.add %287, %298 : tensor<4x2x8xcomplex<f32>>
    %cst_63 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %300 = stablehlo.pad %299, %cst_63, low = [0, -1, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %301 = stablehlo.slice %300 [0:4, 0:1:2, 0:8] : (tensor<4x1x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %cst_64 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %302 = stablehlo.pad %299, %cst_64, low = [0, 0, 0], high = [0, -1, 0], interior = [0, 0, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %303 = stablehlo.slice %302 [0:4, 0:1:2, 0:8] : (tensor<4x1x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %304 = stablehlo.slice %303 [0:4, 0:1, 0:8] : (tensor<4x1x8xcomplex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %305 = stablehlo.slice %303 [0:4, 1:1, 0:8] : (tensor<4x1x8xcomplex<f32>>) -> tensor<4x0x8xcomplex<f32>>
    %cst_65 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %306 = stablehlo.pad %304, %cst_65, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %307 = stablehlo.multiply %36, %305 : tensor<4x0x8xcomplex<f32>>
    %308 = stablehlo.multiply %305, %35 : tensor<4x0x8xcomplex<f32>>
    %cst_66 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %309 = stablehlo.pad %305, %cst_66, low = [0, 2, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x0x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %310 = stablehlo.add %306, %309 : tensor<4x2x8xcomplex<f32>>
    %cst_67 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %311 = stablehlo.pad %308, %cst_67, low = [0, 2, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x0x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %cst_68 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %312 = stablehlo.pad %307, %cst_68, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 0, 0] : (tensor<4x0x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x1x8xcomplex<f32>>
    %313 = stablehlo.add %301, %312 : tensor<4x1x8xcomplex<f32>>
    %314 = stablehlo.multiply %31, %313 : tensor<4x1x8xcomplex<f32>>
    %315 = stablehlo.multiply %313, %30 : tensor<4x1x8xcomplex<f32>>
    %cst_69 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %316 = stablehlo.pad %313, %cst_69, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %317 = stablehlo.add %310, %316 : tensor<4x2x8xcomplex<f32>>
    %cst_70 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %318 = stablehlo.pad %315, %cst_70, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %319 = stablehlo.add %311, %318 : tensor<4x2x8xcomplex<f32>>
    %cst_71 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %320 = stablehlo.pad %314, %cst_71, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x1x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x2x8xcomplex<f32>>
    %321 = stablehlo.add %317, %320 : tensor<4x2x8xcomplex<f32>>
    %322 = stablehlo.multiply %25, %321 : tensor<4x2x8xcomplex<f32>>
    %323 = stablehlo.multiply %321, %24 : tensor<4x2x8xcomplex<f32>>
    %324 = stablehlo.multiply %23, %319 : tensor<4x2x8xcomplex<f32>>
    %325 = stablehlo.add %323, %324 : tensor<4x2x8xcomplex<f32>>
    %326 = stablehlo.multiply %319, %25 : tensor<4x2x8xcomplex<f32>>
    %cst_72 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %327 = stablehlo.pad %321, %cst_72, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %328 = stablehlo.add %296, %327 : tensor<4x4x8xcomplex<f32>>
    %cst_73 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %329 = stablehlo.pad %325, %cst_73, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %330 = stablehlo.add %297, %329 : tensor<4x4x8xcomplex<f32>>
    %cst_74 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %331 = stablehlo.pad %322, %cst_74, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %332 = stablehlo.add %328, %331 : tensor<4x4x8xcomplex<f32>>
    %cst_75 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %333 = stablehlo.pad %326, %cst_75, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x2x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x4x8xcomplex<f32>>
    %334 = stablehlo.add %330, %333 : tensor<4x4x8xcomplex<f32>>
    %335 = stablehlo.multiply %18, %332 : tensor<4x4x8xcomplex<f32>>
    %336 = stablehlo.multiply %332, %17 : tensor<4x4x8xcomplex<f32>>
    %337 = stablehlo.multiply %16, %334 : tensor<4x4x8xcomplex<f32>>
    %338 = stablehlo.add %336, %337 : tensor<4x4x8xcomplex<f32>>
    %339 = stablehlo.multiply %334, %18 : tensor<4x4x8xcomplex<f32>>
    %cst_76 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %340 = stablehlo.pad %332, %cst_76, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %341 = stablehlo.add %282, %340 : tensor<4x8x8xcomplex<f32>>
    %cst_77 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %342 = stablehlo.pad %338, %cst_77, low = [0, 1, 0], high = [0, 0, 0], interior = [0, 1, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %343 = stablehlo.add %283, %342 : tensor<4x8x8xcomplex<f32>>
    %cst_78 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %344 = stablehlo.pad %335, %cst_78, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %345 = stablehlo.add %341, %344 : tensor<4x8x8xcomplex<f32>>
    %cst_79 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %346 = stablehlo.pad %339, %cst_79, low = [0, 0, 0], high = [0, 1, 0], interior = [0, 1, 0] : (tensor<4x4x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x8x8xcomplex<f32>>
    %347 = stablehlo.add %343, %346 : tensor<4x8x8xcomplex<f32>>
    %cst_80 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %348 = stablehlo.reduce(%347 init: %cst_80) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x8xcomplex<f32>>, tensor<complex<f32>>) -> tensor<8xcomplex<f32>>
    %349 = stablehlo.dot_general %345, %13, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xcomplex<f32>>, tensor<4x8x16xcomplex<f32>>) -> tensor<8x16xcomplex<f32>>
    %350 = stablehlo.dot_general %345, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x8xcomplex<f32>>, tensor<8x16xcomplex<f32>>) -> tensor<4x8x16xcomplex<f32>>
    %351 = stablehlo.real %350 : (tensor<4x8x16xcomplex<f32>>) -> tensor<4x8x16xf32>
    %352 = stablehlo.convert %351 : tensor<4x8x16xf32>
    %353 = stablehlo.add %263, %352 : tensor<4x8x16xf32>
    %354 = stablehlo.multiply %348, %12 : tensor<8xcomplex<f32>>
    %355 = stablehlo.real %354 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
    %356 = stablehlo.negate %354 : tensor<8xcomplex<f32>>
    %357 = stablehlo.imag %356 : (tensor<8xcomplex<f32>>) -> tensor<8xf32>
    %cst_81 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %359 = stablehlo.multiply %357, %358 : tensor<8xf32>
    %360 = stablehlo.negate %355 : tensor<8xf32>
    %361 = stablehlo.multiply %360, %7 : tensor<8xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %362 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %363 = "stablehlo.scatter"(%362, %5, %353) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg22: tensor<f32>, %arg23: tensor<f32>):
      %437 = stablehlo.add %arg22, %arg23 : tensor<f32>
      stablehlo.return %437 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %364 = stablehlo.add %186, %363 : tensor<32x16xf32>
    %cst_83 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %366 = stablehlo.multiply %365, %arg0 : tensor<32x16xf32>
    %367 = stablehlo.add %366, %364 : tensor<32x16xf32>
    %cst_84 = stablehlo.constant dense<(0.899999976,0.000000e+00)> : tensor<complex<f32>>
    %368 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<complex<f32>>) -> tensor<16x8xcomplex<f32>>
    %369 = stablehlo.multiply %368, %arg1 : tensor<16x8xcomplex<f32>>
    %370 = stablehlo.real %233 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xf32>
    %371 = stablehlo.imag %233 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xf32>
    %372 = stablehlo.negate %371 : tensor<16x8xf32>
    %373 = stablehlo.complex %370, %372 : tensor<16x8xcomplex<f32>>
    %374 = stablehlo.add %369, %373 : tensor<16x8xcomplex<f32>>
    %cst_85 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %375 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %376 = stablehlo.multiply %375, %arg2 : tensor<16x8xf32>
    %377 = stablehlo.add %376, %246 : tensor<16x8xf32>
    %cst_86 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %379 = stablehlo.multiply %378, %arg3 : tensor<16xf32>
    %380 = stablehlo.add %379, %207 : tensor<16xf32>
    %cst_87 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %381 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %382 = stablehlo.multiply %381, %arg4 : tensor<16x8xf32>
    %383 = stablehlo.add %382, %244 : tensor<16x8xf32>
    %cst_88 = stablehlo.constant dense<(0.899999976,0.000000e+00)> : tensor<complex<f32>>
    %384 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<complex<f32>>) -> tensor<8x16xcomplex<f32>>
    %385 = stablehlo.multiply %384, %arg5 : tensor<8x16xcomplex<f32>>
    %386 = stablehlo.real %349 : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xf32>
    %387 = stablehlo.imag %349 : (tensor<8x16xcomplex<f32>>) -> tensor<8x16xf32>
    %388 = stablehlo.negate %387 : tensor<8x16xf32>
    %389 = stablehlo.complex %386, %388 : tensor<8x16xcomplex<f32>>
    %390 = stablehlo.add %385, %389 : tensor<8x16xcomplex<f32>>
    %cst_89 = stablehlo.constant dense<(0.899999976,0.000000e+00)> : tensor<complex<f32>>
    %391 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<complex<f32>>) -> tensor<16x8xcomplex<f32>>
    %392 = stablehlo.multiply %391, %arg6 : tensor<16x8xcomplex<f32>>
    %393 = stablehlo.real %270 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xf32>
    %394 = stablehlo.imag %270 : (tensor<16x8xcomplex<f32>>) -> tensor<16x8xf32>
    %395 = stablehlo.negate %394 : tensor<16x8xf32>
    %396 = stablehlo.complex %393, %395 : tensor<16x8xcomplex<f32>>
    %397 = stablehlo.add %392, %396 : tensor<16x8xcomplex<f32>>
    %cst_90 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %398 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %399 = stablehlo.multiply %398, %arg7 : tensor<8xf32>
    %400 = stablehlo.add %399, %361 : tensor<8xf32>
    %cst_91 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %402 = stablehlo.multiply %401, %arg8 : tensor<16xf32>
    %403 = stablehlo.add %402, %267 : tensor<16xf32>
    %cst_92 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %404 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %405 = stablehlo.multiply %404, %arg9 : tensor<8xf32>
    %406 = stablehlo.add %405, %359 : tensor<8xf32>
    %cst_93 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %407 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %408 = stablehlo.multiply %407, %367 : tensor<32x16xf32>
    %409 = stablehlo.subtract %arg10, %408 : tensor<32x16xf32>
    %cst_94 = stablehlo.constant dense<(1.000000e-01,0.000000e+00)> : tensor<complex<f32>>
    %410 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<complex<f32>>) -> tensor<16x8xcomplex<f32>>
    %411 = stablehlo.multiply %410, %374 : tensor<16x8xcomplex<f32>>
    %412 = stablehlo.subtract %arg11, %411 : tensor<16x8xcomplex<f32>>
    %cst_95 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %414 = stablehlo.multiply %413, %377 : tensor<16x8xf32>
    %415 = stablehlo.subtract %arg12, %414 : tensor<16x8xf32>
    %cst_96 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %417 = stablehlo.multiply %416, %380 : tensor<16xf32>
    %418 = stablehlo.subtract %arg13, %417 : tensor<16xf32>
    %cst_97 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %419 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %420 = stablehlo.multiply %419, %383 : tensor<16x8xf32>
    %421 = stablehlo.subtract %arg14, %420 : tensor<16x8xf32>
    %cst_98 = stablehlo.constant dense<(1.000000e-01,0.000000e+00)> : tensor<complex<f32>>
    %422 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<complex<f32>>) -> tensor<8x16xcomplex<f32>>
    %423 = stablehlo.multiply %422, %390 : tensor<8x16xcomplex<f32>>
    %424 = stablehlo.subtract %arg15, %423 : tensor<8x16xcomplex<f32>>
    %cst_99 = stablehlo.constant dense<(1.000000e-01,0.000000e+00)> : tensor<complex<f32>>
    %425 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<complex<f32>>) -> tensor<16x8xcomplex<f32>>
    %426 = stablehlo.multiply %425, %397 : tensor<16x8xcomplex<f32>>
    %427 = stablehlo.subtract %arg16, %426 : tensor<16x8xcomplex<f32>>
    %cst_100 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %429 = stablehlo.multiply %428, %400 : tensor<8xf32>
    %430 = stablehlo.subtract %arg17, %429 : tensor<8xf32>
    %cst_101 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %432 = stablehlo.multiply %431, %403 : tensor<16xf32>
    %433 = stablehlo.subtract %arg18, %432 : tensor<16xf32>
    %cst_102 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %434 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %435 = stablehlo.multiply %434, %406 : tensor<8xf32>
    %436 = stablehlo.subtract %arg19, %435 : tensor<8xf32>
    return %367, %374, %377, %380, %383, %390, %397, %400, %403, %406, %409, %412, %415, %418, %421, %424, %427, %430, %433, %436, %168 : tensor<32x16xf32>, tensor<16x8xcomplex<f32>>, tensor<16x8xf32>, tensor<16xf32>, tensor<16x8xf32>, tensor<8x16xcomplex<f32>>, tensor<16x8xcomplex<f32>>, tensor<8xf32>, tensor<16xf32>, tensor<8xf32>, tensor<32x16xf32>, tensor<16x8xcomplex<f32>>, tensor<16x8xf32>, tensor<16xf32>, tensor<16x8xf32>, tensor<8x16xcomplex<f32>>, tensor<16x8xcomplex<f32>>, tensor<8xf32>, tensor<16xf32>, tensor<8xf32>, tensor<f32>
  }
  func.func private @_pad(%arg0: tensor<4x16x8xf32>, %arg1: tensor<i32>) -> tensor<4x16x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 0, 8], interior = [0, 0, 0] : (tensor<4x16x8xf32>, tensor<f32>) -> tensor<4x16x16xf32>
    return %1 : tensor<4x16x16xf32>
  }
  func.func private @fft(%arg0: tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [16] : (tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>>
    return %0 : tensor<4x16x9xcomplex<f32>>
  }
  func.func private @_pad_0(%arg0: tensor<16x8xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 8], interior = [0, 0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @fft_1(%arg0: tensor<16x16xf32>) -> tensor<16x9xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [16] : (tensor<16x16xf32>) -> tensor<16x9xcomplex<f32>>
    return %0 : tensor<16x9xcomplex<f32>>
  }
  func.func private @_pad_2(%arg0: tensor<4x16x9xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<4x16x9xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x16x9xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    return %1 : tensor<4x16x9xcomplex<f32>>
  }
  func.func private @fft_3(%arg0: tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [16] : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32>
    return %0 : tensor<4x16x16xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<4x8x32xf32>, %arg1: tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<4x8x1xi1>, tensor<4x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<4x8x1xi32>) -> tensor<4x8x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [3] : (tensor<1xi32>) -> tensor<1x1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xi32>) -> tensor<4x8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x8x1x1xi32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [3] : (tensor<4x8x1x1xi1>, tensor<i1>) -> tensor<4x8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>) -> tensor<4x8x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<4x8x1xi1>, tensor<4x8x1xf32>
    return %15, %5 : tensor<4x8x1xf32>, tensor<4x8x1x1xi32>
  }
  func.func private @take_along_axis_4(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @fft_5(%arg0: tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>> {
    %0 = call @fft_6(%arg0) : (tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>>
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<9xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.dynamic_update_slice %1, %2, %c : (tensor<9xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<9xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %5 = stablehlo.dynamic_update_slice %3, %4, %c_2 : (tensor<9xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<9xcomplex<f32>>
    %6 = stablehlo.broadcast_in_dim %5, dims = [2] : (tensor<9xcomplex<f32>>) -> tensor<1x1x9xcomplex<f32>>
    %cst_3 = stablehlo.constant dense<(6.250000e-02,0.000000e+00)> : tensor<complex<f32>>
    %7 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<complex<f32>>) -> tensor<1x1x9xcomplex<f32>>
    %8 = stablehlo.multiply %7, %6 : tensor<1x1x9xcomplex<f32>>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x9xcomplex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    %10 = stablehlo.multiply %9, %0 : tensor<4x16x9xcomplex<f32>>
    %11 = stablehlo.real %10 : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x9xf32>
    %12 = stablehlo.imag %10 : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x9xf32>
    %13 = stablehlo.negate %12 : tensor<4x16x9xf32>
    %14 = stablehlo.complex %11, %13 : tensor<4x16x9xcomplex<f32>>
    return %14 : tensor<4x16x9xcomplex<f32>>
  }
  func.func private @fft_6(%arg0: tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [16] : (tensor<4x16x16xf32>) -> tensor<4x16x9xcomplex<f32>>
    return %0 : tensor<4x16x9xcomplex<f32>>
  }
  func.func private @_pad_7(%arg0: tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x9xcomplex<f32>> {
    %cst = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.pad %arg0, %cst, low = [0, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<4x16x9xcomplex<f32>>, tensor<complex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    %1 = stablehlo.slice %0 [0:4, 0:16, 0:9] : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    return %1 : tensor<4x16x9xcomplex<f32>>
  }
  func.func private @fft_8(%arg0: tensor<16x9xcomplex<f32>>) -> tensor<16x16xf32> {
    %0 = call @_rfft_transpose(%arg0) : (tensor<16x9xcomplex<f32>>) -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
  func.func private @_rfft_transpose(%arg0: tensor<16x9xcomplex<f32>>) -> tensor<16x16xf32> {
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<9xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %0, %1, %c : (tensor<9xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<9xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %2, %3, %c_2 : (tensor<9xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<9xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<9xcomplex<f32>>) -> tensor<1x9xcomplex<f32>>
    %6 = stablehlo.real %arg0 : (tensor<16x9xcomplex<f32>>) -> tensor<16x9xf32>
    %7 = stablehlo.imag %arg0 : (tensor<16x9xcomplex<f32>>) -> tensor<16x9xf32>
    %8 = stablehlo.negate %7 : tensor<16x9xf32>
    %9 = stablehlo.complex %6, %8 : tensor<16x9xcomplex<f32>>
    %10 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<1x9xcomplex<f32>>) -> tensor<16x9xcomplex<f32>>
    %11 = stablehlo.divide %9, %10 : tensor<16x9xcomplex<f32>>
    %12 = call @fft_9(%11) : (tensor<16x9xcomplex<f32>>) -> tensor<16x16xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<16x16xf32>
    return %14 : tensor<16x16xf32>
  }
  func.func private @fft_9(%arg0: tensor<16x9xcomplex<f32>>) -> tensor<16x16xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [16] : (tensor<16x9xcomplex<f32>>) -> tensor<16x16xf32>
    return %0 : tensor<16x16xf32>
  }
  func.func private @_pad_10(%arg0: tensor<16x16xf32>) -> tensor<16x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [0, 0], high = [0, -8], interior = [0, 0] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16x8xf32>
    %1 = stablehlo.slice %0 [0:16, 0:8] : (tensor<16x8xf32>) -> tensor<16x8xf32>
    return %1 : tensor<16x8xf32>
  }
  func.func private @fft_11(%arg0: tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32> {
    %0 = call @_rfft_transpose_12(%arg0) : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32>
    return %0 : tensor<4x16x16xf32>
  }
  func.func private @_rfft_transpose_12(%arg0: tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32> {
    %cst = stablehlo.constant dense<(2.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<9xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.dynamic_update_slice %0, %1, %c : (tensor<9xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<9xcomplex<f32>>
    %cst_1 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %4 = stablehlo.dynamic_update_slice %2, %3, %c_2 : (tensor<9xcomplex<f32>>, tensor<1xcomplex<f32>>, tensor<i32>) -> tensor<9xcomplex<f32>>
    %5 = stablehlo.broadcast_in_dim %4, dims = [2] : (tensor<9xcomplex<f32>>) -> tensor<1x1x9xcomplex<f32>>
    %6 = stablehlo.real %arg0 : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x9xf32>
    %7 = stablehlo.imag %arg0 : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x9xf32>
    %8 = stablehlo.negate %7 : tensor<4x16x9xf32>
    %9 = stablehlo.complex %6, %8 : tensor<4x16x9xcomplex<f32>>
    %10 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2] : (tensor<1x1x9xcomplex<f32>>) -> tensor<4x16x9xcomplex<f32>>
    %11 = stablehlo.divide %9, %10 : tensor<4x16x9xcomplex<f32>>
    %12 = call @fft_13(%11) : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<4x16x16xf32>
    return %14 : tensor<4x16x16xf32>
  }
  func.func private @fft_13(%arg0: tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [16] : (tensor<4x16x9xcomplex<f32>>) -> tensor<4x16x16xf32>
    return %0 : tensor<4x16x16xf32>
  }
  func.func private @_pad_14(%arg0: tensor<4x16x16xf32>) -> tensor<4x16x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.pad %arg0, %cst, low = [0, 0, 0], high = [0, 0, -8], interior = [0, 0, 0] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<4x16x8xf32>
    %1 = stablehlo.slice %0 [0:4, 0:16, 0:8] : (tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    return %1 : tensor<4x16x8xf32>
  }
}

