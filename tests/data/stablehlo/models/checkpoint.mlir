module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32> {jax.buffer_donor = true}, %arg1: tensor<16xf32> {jax.buffer_donor = true}, %arg2: tensor<16xf32> {jax.buffer_donor = true}, %arg3: tensor<16x64xf32> {jax.buffer_donor = true}, %arg4: tensor<64x16xf32> {jax.buffer_donor = true}, %arg5: tensor<16x16xf32> {jax.buffer_donor = true}, %arg6: tensor<16x16xf32> {jax.buffer_donor = true}, %arg7: tensor<16x16xf32> {jax.buffer_donor = true}, %arg8: tensor<16x16xf32> {jax.buffer_donor = true}, %arg9: tensor<16xf32> {jax.buffer_donor = true}, %arg10: tensor<16xf32> {jax.buffer_donor = true}, %arg11: tensor<16x64xf32> {jax.buffer_donor = true}, %arg12: tensor<64x16xf32> {jax.buffer_donor = true}, %arg13: tensor<16x16xf32> {jax.buffer_donor = true}, %arg14: tensor<16x16xf32> {jax.buffer_donor = true}, %arg15: tensor<16x16xf32> {jax.buffer_donor = true}, %arg16: tensor<16x16xf32> {jax.buffer_donor = true}, %arg17: tensor<16xf32> {jax.buffer_donor = true}, %arg18: tensor<16xf32> {jax.buffer_donor = true}, %arg19: tensor<16x64xf32> {jax.buffer_donor = true}, %arg20: tensor<64x16xf32> {jax.buffer_donor = true}, %arg21: tensor<16x16xf32> {jax.buffer_donor = true}, %arg22: tensor<16x16xf32> {jax.buffer_donor = true}, %arg23: tensor<16x16xf32> {jax.buffer_donor = true}, %arg24: tensor<16x16xf32> {jax.buffer_donor = true}, %arg25: tensor<32x16xf32> {jax.buffer_donor = true}, %arg26: tensor<16xf32> {jax.buffer_donor = true}, %arg27: tensor<16xf32> {jax.buffer_donor = true}, %arg28: tensor<16x64xf32> {jax.buffer_donor = true}, %arg29: tensor<64x16xf32> {jax.buffer_donor = true}, %arg30: tensor<16x16xf32> {jax.buffer_donor = true}, %arg31: tensor<16x16xf32> {jax.buffer_donor = true}, %arg32: tensor<16x16xf32> {jax.buffer_donor = true}, %arg33: tensor<16x16xf32> {jax.buffer_donor = true}, %arg34: tensor<16xf32> {jax.buffer_donor = true}, %arg35: tensor<16xf32> {jax.buffer_donor = true}, %arg36: tensor<16x64xf32> {jax.buffer_donor = true}, %arg37: tensor<64x16xf32> {jax.buffer_donor = true}, %arg38: tensor<16x16xf32> {jax.buffer_donor = true}, %arg39: tensor<16x16xf32> {jax.buffer_donor = true}, %arg40: tensor<16x16xf32> {jax.buffer_donor = true}, %arg41: tensor<16x16xf32> {jax.buffer_donor = true}, %arg42: tensor<16xf32> {jax.buffer_donor = true}, %arg43: tensor<16xf32> {jax.buffer_donor = true}, %arg44: tensor<16x64xf32> {jax.buffer_donor = true}, %arg45: tensor<64x16xf32> {jax.buffer_donor = true}, %arg46: tensor<16x16xf32> {jax.buffer_donor = true}, %arg47: tensor<16x16xf32> {jax.buffer_donor = true}, %arg48: tensor<16x16xf32> {jax.buffer_donor = true}, %arg49: tensor<16x16xf32> {jax.buffer_donor = true}, %arg50: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg51: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<32x16xf32> {jax.result_info = "result[0]['m']['embed']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['h']['0']['ln1']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['h']['0']['ln2']"}, tensor<16x64xf32> {jax.result_info = "result[0]['m']['h']['0']['w1']"}, tensor<64x16xf32> {jax.result_info = "result[0]['m']['h']['0']['w2']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['0']['wk']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['0']['wo']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['0']['wq']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['0']['wv']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['h']['1']['ln1']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['h']['1']['ln2']"}, tensor<16x64xf32> {jax.result_info = "result[0]['m']['h']['1']['w1']"}, tensor<64x16xf32> {jax.result_info = "result[0]['m']['h']['1']['w2']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['1']['wk']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['1']['wo']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['1']['wq']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['1']['wv']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['h']['2']['ln1']"}, tensor<16xf32> {jax.result_info = "result[0]['m']['h']['2']['ln2']"}, tensor<16x64xf32> {jax.result_info = "result[0]['m']['h']['2']['w1']"}, tensor<64x16xf32> {jax.result_info = "result[0]['m']['h']['2']['w2']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['2']['wk']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['2']['wo']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['2']['wq']"}, tensor<16x16xf32> {jax.result_info = "result[0]['m']['h']['2']['wv']"}, tensor<32x16xf32> {jax.result_info = "result[0]['params']['embed']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h']['0']['ln1']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h']['0']['ln2']"}, tensor<16x64xf32> {jax.result_info = "result[0]['params']['h']['0']['w1']"}, tensor<64x16xf32> {jax.result_info = "result[0]['params']['h']['0']['w2']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['0']['wk']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['0']['wo']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['0']['wq']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['0']['wv']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h']['1']['ln1']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h']['1']['ln2']"}, tensor<16x64xf32> {jax.result_info = "result[0]['params']['h']['1']['w1']"}, tensor<64x16xf32> {jax.result_info = "result[0]['params']['h']['1']['w2']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['1']['wk']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['1']['wo']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['1']['wq']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['1']['wv']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h']['2']['ln1']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h']['2']['ln2']"}, tensor<16x64xf32> {jax.result_info = "result[0]['params']['h']['2']['w1']"}, tensor<64x16xf32> {jax.result_info = "result[0]['params']['h']['2']['w2']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['2']['wk']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['2']['wo']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['2']['wq']"}, tensor<16x16xf32> {jax.result_info = "result[0]['params']['h']['2']['wv']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg50, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg50, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg50 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg25, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<4x8x16xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<4x8x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %17 = stablehlo.divide %15, %16 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %19 = stablehlo.add %17, %18 : tensor<4x8x1xf32>
    %20 = stablehlo.rsqrt %19 : tensor<4x8x1xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %22 = stablehlo.multiply %12, %21 : tensor<4x8x16xf32>
    %23 = stablehlo.broadcast_in_dim %arg26, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %25 = stablehlo.multiply %22, %24 : tensor<4x8x16xf32>
    %26 = stablehlo.dot_general %25, %arg32, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %27 = stablehlo.reshape %26 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %28 = stablehlo.dot_general %25, %arg30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %29 = stablehlo.reshape %28 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %30 = stablehlo.dot_general %25, %arg33, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %31 = stablehlo.reshape %30 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %32 = stablehlo.reshape %27 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %33 = stablehlo.dot_general %32, %29, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<4x4x8x1x8xf32>
    %c_6 = stablehlo.constant dense<true> : tensor<i1>
    %36 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_7 = stablehlo.constant dense<true> : tensor<i1>
    %37 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %38 = call @tril(%37) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %39 = stablehlo.broadcast_in_dim %38, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %40 = stablehlo.broadcast_in_dim %39, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %41 = stablehlo.and %36, %40 : tensor<4x4x8x8xi1>
    %cst_8 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %42 = call @_where(%41, %35, %cst_8) : (tensor<4x4x8x8xi1>, tensor<4x4x8x1x8xf32>, tensor<f32>) -> tensor<1x4x4x8x8xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_9) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %45 = stablehlo.maximum %44, %43 : tensor<1x4x4x8xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %48 = stablehlo.subtract %42, %47 : tensor<1x4x4x8x8xf32>
    %49 = stablehlo.exponential %48 : tensor<1x4x4x8x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.reduce(%49 init: %cst_11) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %53 = stablehlo.divide %49, %52 : tensor<1x4x4x8x8xf32>
    %54 = stablehlo.dot_general %31, %53, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %55 = stablehlo.transpose %54, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %56 = stablehlo.transpose %55, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %57 = stablehlo.reshape %56 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %58 = stablehlo.reshape %57 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %59 = stablehlo.dot_general %58, %arg31, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %60 = stablehlo.add %6, %59 : tensor<4x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %64 = stablehlo.divide %62, %63 : tensor<4x8x1xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %66 = stablehlo.subtract %60, %65 : tensor<4x8x16xf32>
    %67 = stablehlo.multiply %66, %66 : tensor<4x8x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.reduce(%67 init: %cst_14) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %69 = stablehlo.broadcast_in_dim %68, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_15 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %71 = stablehlo.divide %69, %70 : tensor<4x8x1xf32>
    %cst_16 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %73 = stablehlo.add %71, %72 : tensor<4x8x1xf32>
    %74 = stablehlo.rsqrt %73 : tensor<4x8x1xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %76 = stablehlo.multiply %66, %75 : tensor<4x8x16xf32>
    %77 = stablehlo.broadcast_in_dim %arg27, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %79 = stablehlo.multiply %76, %78 : tensor<4x8x16xf32>
    %80 = stablehlo.dot_general %79, %arg28, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %81 = stablehlo.multiply %80, %80 : tensor<4x8x64xf32>
    %82 = stablehlo.multiply %81, %80 : tensor<4x8x64xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %84 = stablehlo.multiply %83, %82 : tensor<4x8x64xf32>
    %85 = stablehlo.add %80, %84 : tensor<4x8x64xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %87 = stablehlo.multiply %86, %85 : tensor<4x8x64xf32>
    %88 = stablehlo.tanh %87 : tensor<4x8x64xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %90 = stablehlo.add %89, %88 : tensor<4x8x64xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %92 = stablehlo.multiply %91, %90 : tensor<4x8x64xf32>
    %93 = stablehlo.multiply %80, %92 : tensor<4x8x64xf32>
    %94 = stablehlo.dot_general %93, %arg29, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %95 = stablehlo.add %60, %94 : tensor<4x8x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.reduce(%95 init: %cst_21) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_22 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %99 = stablehlo.divide %97, %98 : tensor<4x8x1xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %101 = stablehlo.subtract %95, %100 : tensor<4x8x16xf32>
    %102 = stablehlo.multiply %101, %101 : tensor<4x8x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %103 = stablehlo.reduce(%102 init: %cst_23) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_24 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %106 = stablehlo.divide %104, %105 : tensor<4x8x1xf32>
    %cst_25 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %108 = stablehlo.add %106, %107 : tensor<4x8x1xf32>
    %109 = stablehlo.rsqrt %108 : tensor<4x8x1xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %111 = stablehlo.multiply %101, %110 : tensor<4x8x16xf32>
    %112 = stablehlo.broadcast_in_dim %arg34, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %114 = stablehlo.multiply %111, %113 : tensor<4x8x16xf32>
    %115 = stablehlo.dot_general %114, %arg40, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %116 = stablehlo.reshape %115 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %117 = stablehlo.dot_general %114, %arg38, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %118 = stablehlo.reshape %117 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %119 = stablehlo.dot_general %114, %arg41, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %120 = stablehlo.reshape %119 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %121 = stablehlo.reshape %116 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %122 = stablehlo.dot_general %121, %118, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_26 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %124 = stablehlo.multiply %122, %123 : tensor<4x4x8x1x8xf32>
    %c_27 = stablehlo.constant dense<true> : tensor<i1>
    %125 = stablehlo.broadcast_in_dim %c_27, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_28 = stablehlo.constant dense<true> : tensor<i1>
    %126 = stablehlo.broadcast_in_dim %c_28, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %127 = call @tril(%126) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %128 = stablehlo.broadcast_in_dim %127, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %129 = stablehlo.broadcast_in_dim %128, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %130 = stablehlo.and %125, %129 : tensor<4x4x8x8xi1>
    %cst_29 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %131 = call @_where(%130, %124, %cst_29) : (tensor<4x4x8x8xi1>, tensor<4x4x8x1x8xf32>, tensor<f32>) -> tensor<1x4x4x8x8xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %132 = stablehlo.reduce(%131 init: %cst_30) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_31 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %134 = stablehlo.maximum %133, %132 : tensor<1x4x4x8xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %137 = stablehlo.subtract %131, %136 : tensor<1x4x4x8x8xf32>
    %138 = stablehlo.exponential %137 : tensor<1x4x4x8x8xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %139 = stablehlo.reduce(%138 init: %cst_32) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %141 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %142 = stablehlo.divide %138, %141 : tensor<1x4x4x8x8xf32>
    %143 = stablehlo.dot_general %120, %142, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %144 = stablehlo.transpose %143, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %145 = stablehlo.transpose %144, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %146 = stablehlo.reshape %145 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %147 = stablehlo.reshape %146 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %148 = stablehlo.dot_general %147, %arg39, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %149 = stablehlo.add %95, %148 : tensor<4x8x16xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %150 = stablehlo.reduce(%149 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_34 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %152 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %153 = stablehlo.divide %151, %152 : tensor<4x8x1xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %155 = stablehlo.subtract %149, %154 : tensor<4x8x16xf32>
    %156 = stablehlo.multiply %155, %155 : tensor<4x8x16xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %157 = stablehlo.reduce(%156 init: %cst_35) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %158 = stablehlo.broadcast_in_dim %157, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_36 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %160 = stablehlo.divide %158, %159 : tensor<4x8x1xf32>
    %cst_37 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %162 = stablehlo.add %160, %161 : tensor<4x8x1xf32>
    %163 = stablehlo.rsqrt %162 : tensor<4x8x1xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %165 = stablehlo.multiply %155, %164 : tensor<4x8x16xf32>
    %166 = stablehlo.broadcast_in_dim %arg35, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %168 = stablehlo.multiply %165, %167 : tensor<4x8x16xf32>
    %169 = stablehlo.dot_general %168, %arg36, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %170 = stablehlo.multiply %169, %169 : tensor<4x8x64xf32>
    %171 = stablehlo.multiply %170, %169 : tensor<4x8x64xf32>
    %cst_38 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %173 = stablehlo.multiply %172, %171 : tensor<4x8x64xf32>
    %174 = stablehlo.add %169, %173 : tensor<4x8x64xf32>
    %cst_39 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %176 = stablehlo.multiply %175, %174 : tensor<4x8x64xf32>
    %177 = stablehlo.tanh %176 : tensor<4x8x64xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %179 = stablehlo.add %178, %177 : tensor<4x8x64xf32>
    %cst_41 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %181 = stablehlo.multiply %180, %179 : tensor<4x8x64xf32>
    %182 = stablehlo.multiply %169, %181 : tensor<4x8x64xf32>
    %183 = stablehlo.dot_general %182, %arg37, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %184 = stablehlo.add %149, %183 : tensor<4x8x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %185 = stablehlo.reduce(%184 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_43 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %188 = stablehlo.divide %186, %187 : tensor<4x8x1xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %190 = stablehlo.subtract %184, %189 : tensor<4x8x16xf32>
    %191 = stablehlo.multiply %190, %190 : tensor<4x8x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %192 = stablehlo.reduce(%191 init: %cst_44) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_45 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %195 = stablehlo.divide %193, %194 : tensor<4x8x1xf32>
    %cst_46 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %196 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %197 = stablehlo.add %195, %196 : tensor<4x8x1xf32>
    %198 = stablehlo.rsqrt %197 : tensor<4x8x1xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %200 = stablehlo.multiply %190, %199 : tensor<4x8x16xf32>
    %201 = stablehlo.broadcast_in_dim %arg42, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %203 = stablehlo.multiply %200, %202 : tensor<4x8x16xf32>
    %204 = stablehlo.dot_general %203, %arg48, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %205 = stablehlo.reshape %204 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %206 = stablehlo.dot_general %203, %arg46, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %207 = stablehlo.reshape %206 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %208 = stablehlo.dot_general %203, %arg49, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %209 = stablehlo.reshape %208 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %210 = stablehlo.reshape %205 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %211 = stablehlo.dot_general %210, %207, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_47 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %213 = stablehlo.multiply %211, %212 : tensor<4x4x8x1x8xf32>
    %c_48 = stablehlo.constant dense<true> : tensor<i1>
    %214 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_49 = stablehlo.constant dense<true> : tensor<i1>
    %215 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %216 = call @tril(%215) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %217 = stablehlo.broadcast_in_dim %216, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %219 = stablehlo.and %214, %218 : tensor<4x4x8x8xi1>
    %cst_50 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %220 = call @_where(%219, %213, %cst_50) : (tensor<4x4x8x8xi1>, tensor<4x4x8x1x8xf32>, tensor<f32>) -> tensor<1x4x4x8x8xf32>
    %cst_51 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %221 = stablehlo.reduce(%220 init: %cst_51) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_52 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %223 = stablehlo.maximum %222, %221 : tensor<1x4x4x8xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %225 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %226 = stablehlo.subtract %220, %225 : tensor<1x4x4x8x8xf32>
    %227 = stablehlo.exponential %226 : tensor<1x4x4x8x8xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %228 = stablehlo.reduce(%227 init: %cst_53) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %231 = stablehlo.divide %227, %230 : tensor<1x4x4x8x8xf32>
    %232 = stablehlo.dot_general %209, %231, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %233 = stablehlo.transpose %232, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %234 = stablehlo.transpose %233, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %235 = stablehlo.reshape %234 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %236 = stablehlo.reshape %235 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %237 = stablehlo.dot_general %236, %arg47, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %238 = stablehlo.add %184, %237 : tensor<4x8x16xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %239 = stablehlo.reduce(%238 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %240 = stablehlo.broadcast_in_dim %239, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_55 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %242 = stablehlo.divide %240, %241 : tensor<4x8x1xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %244 = stablehlo.subtract %238, %243 : tensor<4x8x16xf32>
    %245 = stablehlo.multiply %244, %244 : tensor<4x8x16xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %246 = stablehlo.reduce(%245 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %247 = stablehlo.broadcast_in_dim %246, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_57 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %249 = stablehlo.divide %247, %248 : tensor<4x8x1xf32>
    %cst_58 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %250 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %251 = stablehlo.add %249, %250 : tensor<4x8x1xf32>
    %252 = stablehlo.rsqrt %251 : tensor<4x8x1xf32>
    %253 = stablehlo.broadcast_in_dim %252, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %254 = stablehlo.multiply %244, %253 : tensor<4x8x16xf32>
    %255 = stablehlo.broadcast_in_dim %arg43, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %256 = stablehlo.broadcast_in_dim %255, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %257 = stablehlo.multiply %254, %256 : tensor<4x8x16xf32>
    %258 = stablehlo.dot_general %257, %arg44, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %259 = stablehlo.multiply %258, %258 : tensor<4x8x64xf32>
    %260 = stablehlo.multiply %259, %258 : tensor<4x8x64xf32>
    %cst_59 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %262 = stablehlo.multiply %261, %260 : tensor<4x8x64xf32>
    %263 = stablehlo.add %258, %262 : tensor<4x8x64xf32>
    %cst_60 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %265 = stablehlo.multiply %264, %263 : tensor<4x8x64xf32>
    %266 = stablehlo.tanh %265 : tensor<4x8x64xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %267 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %268 = stablehlo.add %267, %266 : tensor<4x8x64xf32>
    %cst_62 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %270 = stablehlo.multiply %269, %268 : tensor<4x8x64xf32>
    %271 = stablehlo.multiply %258, %270 : tensor<4x8x64xf32>
    %272 = stablehlo.dot_general %271, %arg45, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %273 = stablehlo.add %238, %272 : tensor<4x8x16xf32>
    %274 = stablehlo.transpose %arg25, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %275 = stablehlo.dot_general %273, %274, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %276 = stablehlo.broadcast_in_dim %arg51, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %277:2 = call @take_along_axis(%275, %276) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %278 = stablehlo.reshape %277#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %cst_63 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %279 = stablehlo.reduce(%275 init: %cst_63) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_64 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %281 = stablehlo.maximum %280, %279 : tensor<4x8xf32>
    %282 = stablehlo.is_finite %281 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %284 = stablehlo.select %282, %281, %283 : tensor<4x8xi1>, tensor<4x8xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %287 = stablehlo.subtract %275, %286 : tensor<4x8x32xf32>
    %288 = stablehlo.exponential %287 : tensor<4x8x32xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.reduce(%288 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %290 = stablehlo.abs %289 : tensor<4x8xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %292 = stablehlo.compare GE, %289, %291, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %293 = stablehlo.log %290 : tensor<4x8xf32>
    %294 = stablehlo.add %293, %284 : tensor<4x8xf32>
    %295 = stablehlo.subtract %294, %278 : tensor<4x8xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %296 = stablehlo.reduce(%295 init: %cst_68) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_69 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %297 = stablehlo.divide %296, %cst_69 : tensor<f32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_71 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %298 = stablehlo.divide %cst_70, %cst_71 : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %300 = stablehlo.negate %299 : tensor<4x8xf32>
    %301 = stablehlo.divide %299, %290 : tensor<4x8xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %303 = stablehlo.select %292, %302, %301 : tensor<4x8xi1>, tensor<4x8xf32>
    %304 = stablehlo.select %292, %301, %302 : tensor<4x8xi1>, tensor<4x8xf32>
    %305 = stablehlo.negate %303 : tensor<4x8xf32>
    %306 = stablehlo.add %304, %305 : tensor<4x8xf32>
    %307 = stablehlo.broadcast_in_dim %306, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %308 = stablehlo.multiply %307, %288 : tensor<4x8x32xf32>
    %309 = stablehlo.broadcast_in_dim %300, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %310 = call @take_along_axis_0(%277#1, %309) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %311 = stablehlo.add %308, %310 : tensor<4x8x32xf32>
    %312 = stablehlo.dot_general %311, %273, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %313 = stablehlo.transpose %312, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %314 = stablehlo.dot_general %311, %274, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %315 = stablehlo.transpose %313, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %316:10 = stablehlo.optimization_barrier %arg42, %arg43, %arg44, %arg45, %arg46, %arg47, %arg48, %arg49, %184, %314 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %317 = stablehlo.reduce(%316#8 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %318 = stablehlo.broadcast_in_dim %317, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_74 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %319 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %320 = stablehlo.divide %318, %319 : tensor<4x8x1xf32>
    %321 = stablehlo.broadcast_in_dim %320, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %322 = stablehlo.subtract %316#8, %321 : tensor<4x8x16xf32>
    %323 = stablehlo.multiply %322, %322 : tensor<4x8x16xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %324 = stablehlo.reduce(%323 init: %cst_75) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %325 = stablehlo.broadcast_in_dim %324, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_76 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %326 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %327 = stablehlo.divide %325, %326 : tensor<4x8x1xf32>
    %cst_77 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %328 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %329 = stablehlo.add %327, %328 : tensor<4x8x1xf32>
    %330 = stablehlo.rsqrt %329 : tensor<4x8x1xf32>
    %331 = stablehlo.divide %330, %329 : tensor<4x8x1xf32>
    %cst_78 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %333 = stablehlo.multiply %332, %331 : tensor<4x8x1xf32>
    %334 = stablehlo.broadcast_in_dim %330, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %335 = stablehlo.multiply %322, %334 : tensor<4x8x16xf32>
    %336 = stablehlo.broadcast_in_dim %316#0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %337 = stablehlo.broadcast_in_dim %336, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %338 = stablehlo.multiply %335, %337 : tensor<4x8x16xf32>
    %339 = stablehlo.dot_general %338, %316#6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %340 = stablehlo.reshape %339 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %341 = stablehlo.dot_general %338, %316#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %342 = stablehlo.reshape %341 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %343 = stablehlo.dot_general %338, %316#7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %344 = stablehlo.reshape %343 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %345 = stablehlo.reshape %340 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %346 = stablehlo.dot_general %345, %342, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_79 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %348 = stablehlo.multiply %346, %347 : tensor<4x4x8x1x8xf32>
    %c_80 = stablehlo.constant dense<true> : tensor<i1>
    %349 = stablehlo.broadcast_in_dim %c_80, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_81 = stablehlo.constant dense<true> : tensor<i1>
    %350 = stablehlo.broadcast_in_dim %c_81, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %351 = call @tril_1(%350) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %352 = stablehlo.broadcast_in_dim %351, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %353 = stablehlo.broadcast_in_dim %352, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %354 = stablehlo.and %349, %353 : tensor<4x4x8x8xi1>
    %cst_82 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %355:2 = call @_where_2(%354, %348, %cst_82) : (tensor<4x4x8x8xi1>, tensor<4x4x8x1x8xf32>, tensor<f32>) -> (tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>)
    %cst_83 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %356 = stablehlo.reduce(%355#0 init: %cst_83) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_84 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %358 = stablehlo.maximum %357, %356 : tensor<1x4x4x8xf32>
    %359 = stablehlo.broadcast_in_dim %358, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %361 = stablehlo.subtract %355#0, %360 : tensor<1x4x4x8x8xf32>
    %362 = stablehlo.exponential %361 : tensor<1x4x4x8x8xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %363 = stablehlo.reduce(%362 init: %cst_85) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %364 = stablehlo.broadcast_in_dim %363, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %365 = stablehlo.broadcast_in_dim %364, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %366 = stablehlo.divide %362, %365 : tensor<1x4x4x8x8xf32>
    %367 = stablehlo.multiply %364, %364 : tensor<1x4x4x8x1xf32>
    %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %368 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x1xf32>
    %369 = stablehlo.divide %368, %367 : tensor<1x4x4x8x1xf32>
    %370 = stablehlo.dot_general %344, %366, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %371 = stablehlo.transpose %370, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %372 = stablehlo.transpose %371, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %373 = stablehlo.reshape %372 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %374 = stablehlo.reshape %373 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %375 = stablehlo.dot_general %374, %316#5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %376 = stablehlo.add %316#8, %375 : tensor<4x8x16xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %377 = stablehlo.reduce(%376 init: %cst_87) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %378 = stablehlo.broadcast_in_dim %377, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_88 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %380 = stablehlo.divide %378, %379 : tensor<4x8x1xf32>
    %381 = stablehlo.broadcast_in_dim %380, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %382 = stablehlo.subtract %376, %381 : tensor<4x8x16xf32>
    %383 = stablehlo.multiply %382, %382 : tensor<4x8x16xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.reduce(%383 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %385 = stablehlo.broadcast_in_dim %384, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_90 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %386 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %387 = stablehlo.divide %385, %386 : tensor<4x8x1xf32>
    %cst_91 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %388 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %389 = stablehlo.add %387, %388 : tensor<4x8x1xf32>
    %390 = stablehlo.rsqrt %389 : tensor<4x8x1xf32>
    %391 = stablehlo.divide %390, %389 : tensor<4x8x1xf32>
    %cst_92 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %392 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %393 = stablehlo.multiply %392, %391 : tensor<4x8x1xf32>
    %394 = stablehlo.broadcast_in_dim %390, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %395 = stablehlo.multiply %382, %394 : tensor<4x8x16xf32>
    %396 = stablehlo.broadcast_in_dim %316#1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %397 = stablehlo.broadcast_in_dim %396, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %398 = stablehlo.multiply %395, %397 : tensor<4x8x16xf32>
    %399 = stablehlo.dot_general %398, %316#2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %400 = stablehlo.multiply %399, %399 : tensor<4x8x64xf32>
    %401 = stablehlo.multiply %400, %399 : tensor<4x8x64xf32>
    %402 = stablehlo.multiply %399, %399 : tensor<4x8x64xf32>
    %cst_93 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %404 = stablehlo.multiply %403, %402 : tensor<4x8x64xf32>
    %cst_94 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %405 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %406 = stablehlo.multiply %405, %401 : tensor<4x8x64xf32>
    %407 = stablehlo.add %399, %406 : tensor<4x8x64xf32>
    %cst_95 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %408 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %409 = stablehlo.multiply %408, %407 : tensor<4x8x64xf32>
    %410 = stablehlo.tanh %409 : tensor<4x8x64xf32>
    %cst_96 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %412 = stablehlo.subtract %411, %410 : tensor<4x8x64xf32>
    %cst_97 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %414 = stablehlo.add %413, %410 : tensor<4x8x64xf32>
    %cst_98 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %415 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %416 = stablehlo.multiply %415, %414 : tensor<4x8x64xf32>
    %417 = stablehlo.multiply %399, %416 : tensor<4x8x64xf32>
    %418 = stablehlo.dot_general %316#9, %417, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x64xf32>) -> tensor<16x64xf32>
    %419 = stablehlo.transpose %418, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %420 = stablehlo.dot_general %316#9, %316#3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<64x16xf32>) -> tensor<4x8x64xf32>
    %421 = stablehlo.multiply %399, %420 : tensor<4x8x64xf32>
    %422 = stablehlo.multiply %420, %416 : tensor<4x8x64xf32>
    %cst_99 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %423 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %424 = stablehlo.multiply %423, %421 : tensor<4x8x64xf32>
    %425 = stablehlo.multiply %424, %412 : tensor<4x8x64xf32>
    %426 = stablehlo.multiply %425, %410 : tensor<4x8x64xf32>
    %427 = stablehlo.add %425, %426 : tensor<4x8x64xf32>
    %cst_100 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %429 = stablehlo.multiply %428, %427 : tensor<4x8x64xf32>
    %430 = stablehlo.add %422, %429 : tensor<4x8x64xf32>
    %cst_101 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %431 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %432 = stablehlo.multiply %431, %429 : tensor<4x8x64xf32>
    %433 = stablehlo.multiply %432, %404 : tensor<4x8x64xf32>
    %434 = stablehlo.add %430, %433 : tensor<4x8x64xf32>
    %435 = stablehlo.dot_general %434, %398, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %436 = stablehlo.transpose %435, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %437 = stablehlo.dot_general %434, %316#2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %438 = stablehlo.multiply %395, %437 : tensor<4x8x16xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %439 = stablehlo.reduce(%438 init: %cst_102) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %440 = stablehlo.reshape %439 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %441 = stablehlo.broadcast_in_dim %396, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %442 = stablehlo.multiply %437, %441 : tensor<4x8x16xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %443 = stablehlo.reduce(%440 init: %cst_103) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %444 = stablehlo.multiply %382, %442 : tensor<4x8x16xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %445 = stablehlo.reduce(%444 init: %cst_104) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %446 = stablehlo.reshape %445 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %447 = stablehlo.broadcast_in_dim %390, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %448 = stablehlo.multiply %442, %447 : tensor<4x8x16xf32>
    %449 = stablehlo.multiply %446, %393 : tensor<4x8x1xf32>
    %cst_105 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %450 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %451 = stablehlo.divide %449, %450 : tensor<4x8x1xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %452 = stablehlo.reduce(%451 init: %cst_106) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %453 = stablehlo.broadcast_in_dim %452, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %454 = stablehlo.multiply %382, %453 : tensor<4x8x16xf32>
    %455 = stablehlo.add %448, %454 : tensor<4x8x16xf32>
    %456 = stablehlo.multiply %453, %382 : tensor<4x8x16xf32>
    %457 = stablehlo.add %455, %456 : tensor<4x8x16xf32>
    %458 = stablehlo.negate %457 : tensor<4x8x16xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %459 = stablehlo.reduce(%458 init: %cst_107) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %460 = stablehlo.reshape %459 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %461 = stablehlo.add %316#9, %457 : tensor<4x8x16xf32>
    %cst_108 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %462 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %463 = stablehlo.divide %460, %462 : tensor<4x8x1xf32>
    %cst_109 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %464 = stablehlo.reduce(%463 init: %cst_109) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %465 = stablehlo.broadcast_in_dim %464, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %466 = stablehlo.add %461, %465 : tensor<4x8x16xf32>
    %467 = stablehlo.dot_general %466, %374, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %468 = stablehlo.transpose %467, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %469 = stablehlo.dot_general %466, %316#5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %470 = stablehlo.reshape %469 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %471 = stablehlo.reshape %470 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %472 = stablehlo.transpose %471, dims = [3, 0, 1, 2, 4] : (tensor<4x8x4x1x4xf32>) -> tensor<1x4x8x4x4xf32>
    %473 = stablehlo.transpose %472, dims = [1, 3, 4, 0, 2] : (tensor<1x4x8x4x4xf32>) -> tensor<4x4x4x1x8xf32>
    %474 = stablehlo.dot_general %473, %344, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x1x8x8xf32>
    %475 = stablehlo.transpose %474, dims = [2, 0, 1, 3, 4] : (tensor<4x4x1x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %476 = stablehlo.dot_general %473, %366, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %477 = stablehlo.transpose %476, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %478 = stablehlo.broadcast_in_dim %369, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %479 = stablehlo.multiply %475, %478 : tensor<1x4x4x8x8xf32>
    %480 = stablehlo.multiply %479, %362 : tensor<1x4x4x8x8xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %481 = stablehlo.reduce(%480 init: %cst_110) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %482 = stablehlo.reshape %481 : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %483 = stablehlo.negate %482 : tensor<1x4x4x8x1xf32>
    %484 = stablehlo.broadcast_in_dim %364, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %485 = stablehlo.divide %475, %484 : tensor<1x4x4x8x8xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.reduce(%483 init: %cst_111) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %487 = stablehlo.broadcast_in_dim %486, dims = [1, 2, 3] : (tensor<4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %488 = stablehlo.broadcast_in_dim %487, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x8xf32>
    %489 = stablehlo.add %485, %488 : tensor<1x4x4x8x8xf32>
    %490 = stablehlo.multiply %489, %362 : tensor<1x4x4x8x8xf32>
    %491 = call @_where_3(%355#1, %490) : (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_112 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %492 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %493 = stablehlo.multiply %491, %492 : tensor<4x4x8x1x8xf32>
    %494 = stablehlo.dot_general %493, %345, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x1x4xf32>) -> tensor<4x4x8x4xf32>
    %495 = stablehlo.transpose %494, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %496 = stablehlo.dot_general %493, %342, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x4xf32>
    %497 = stablehlo.transpose %496, dims = [0, 2, 1, 3, 4] : (tensor<4x4x8x1x4xf32>) -> tensor<4x8x4x1x4xf32>
    %498 = stablehlo.reshape %497 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %499 = stablehlo.reshape %477 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %500 = stablehlo.dot_general %499, %338, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %501 = stablehlo.transpose %500, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %502 = stablehlo.dot_general %499, %316#7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %503 = stablehlo.reshape %495 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %504 = stablehlo.dot_general %503, %338, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %505 = stablehlo.transpose %504, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %506 = stablehlo.dot_general %503, %316#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %507 = stablehlo.add %502, %506 : tensor<4x8x16xf32>
    %508 = stablehlo.reshape %498 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %509 = stablehlo.dot_general %508, %338, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %510 = stablehlo.transpose %509, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %511 = stablehlo.dot_general %508, %316#6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %512 = stablehlo.add %507, %511 : tensor<4x8x16xf32>
    %513 = stablehlo.multiply %335, %512 : tensor<4x8x16xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %514 = stablehlo.reduce(%513 init: %cst_113) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %515 = stablehlo.reshape %514 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %516 = stablehlo.broadcast_in_dim %336, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %517 = stablehlo.multiply %512, %516 : tensor<4x8x16xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %518 = stablehlo.reduce(%515 init: %cst_114) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %519 = stablehlo.multiply %322, %517 : tensor<4x8x16xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %520 = stablehlo.reduce(%519 init: %cst_115) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %521 = stablehlo.reshape %520 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %522 = stablehlo.broadcast_in_dim %330, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %523 = stablehlo.multiply %517, %522 : tensor<4x8x16xf32>
    %524 = stablehlo.multiply %521, %333 : tensor<4x8x1xf32>
    %cst_116 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %525 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %526 = stablehlo.divide %524, %525 : tensor<4x8x1xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %527 = stablehlo.reduce(%526 init: %cst_117) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %528 = stablehlo.broadcast_in_dim %527, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %529 = stablehlo.multiply %322, %528 : tensor<4x8x16xf32>
    %530 = stablehlo.add %523, %529 : tensor<4x8x16xf32>
    %531 = stablehlo.multiply %528, %322 : tensor<4x8x16xf32>
    %532 = stablehlo.add %530, %531 : tensor<4x8x16xf32>
    %533 = stablehlo.negate %532 : tensor<4x8x16xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %534 = stablehlo.reduce(%533 init: %cst_118) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %535 = stablehlo.reshape %534 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %536 = stablehlo.add %466, %532 : tensor<4x8x16xf32>
    %cst_119 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %537 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %538 = stablehlo.divide %535, %537 : tensor<4x8x1xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %539 = stablehlo.reduce(%538 init: %cst_120) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %540 = stablehlo.broadcast_in_dim %539, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %541 = stablehlo.add %536, %540 : tensor<4x8x16xf32>
    %542:10 = stablehlo.optimization_barrier %arg34, %arg35, %arg36, %arg37, %arg38, %arg39, %arg40, %arg41, %95, %541 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %543 = stablehlo.reduce(%542#8 init: %cst_121) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %544 = stablehlo.broadcast_in_dim %543, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_122 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %545 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %546 = stablehlo.divide %544, %545 : tensor<4x8x1xf32>
    %547 = stablehlo.broadcast_in_dim %546, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %548 = stablehlo.subtract %542#8, %547 : tensor<4x8x16xf32>
    %549 = stablehlo.multiply %548, %548 : tensor<4x8x16xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %550 = stablehlo.reduce(%549 init: %cst_123) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %551 = stablehlo.broadcast_in_dim %550, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_124 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %552 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %553 = stablehlo.divide %551, %552 : tensor<4x8x1xf32>
    %cst_125 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %554 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %555 = stablehlo.add %553, %554 : tensor<4x8x1xf32>
    %556 = stablehlo.rsqrt %555 : tensor<4x8x1xf32>
    %557 = stablehlo.divide %556, %555 : tensor<4x8x1xf32>
    %cst_126 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %558 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %559 = stablehlo.multiply %558, %557 : tensor<4x8x1xf32>
    %560 = stablehlo.broadcast_in_dim %556, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %561 = stablehlo.multiply %548, %560 : tensor<4x8x16xf32>
    %562 = stablehlo.broadcast_in_dim %542#0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %563 = stablehlo.broadcast_in_dim %562, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %564 = stablehlo.multiply %561, %563 : tensor<4x8x16xf32>
    %565 = stablehlo.dot_general %564, %542#6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %566 = stablehlo.reshape %565 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %567 = stablehlo.dot_general %564, %542#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %568 = stablehlo.reshape %567 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %569 = stablehlo.dot_general %564, %542#7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %570 = stablehlo.reshape %569 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %571 = stablehlo.reshape %566 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %572 = stablehlo.dot_general %571, %568, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_127 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %573 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %574 = stablehlo.multiply %572, %573 : tensor<4x4x8x1x8xf32>
    %c_128 = stablehlo.constant dense<true> : tensor<i1>
    %575 = stablehlo.broadcast_in_dim %c_128, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_129 = stablehlo.constant dense<true> : tensor<i1>
    %576 = stablehlo.broadcast_in_dim %c_129, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %577 = call @tril_1(%576) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %578 = stablehlo.broadcast_in_dim %577, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %579 = stablehlo.broadcast_in_dim %578, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %580 = stablehlo.and %575, %579 : tensor<4x4x8x8xi1>
    %cst_130 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %581:2 = call @_where_2(%580, %574, %cst_130) : (tensor<4x4x8x8xi1>, tensor<4x4x8x1x8xf32>, tensor<f32>) -> (tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>)
    %cst_131 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %582 = stablehlo.reduce(%581#0 init: %cst_131) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_132 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %583 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %584 = stablehlo.maximum %583, %582 : tensor<1x4x4x8xf32>
    %585 = stablehlo.broadcast_in_dim %584, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %586 = stablehlo.broadcast_in_dim %585, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %587 = stablehlo.subtract %581#0, %586 : tensor<1x4x4x8x8xf32>
    %588 = stablehlo.exponential %587 : tensor<1x4x4x8x8xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %589 = stablehlo.reduce(%588 init: %cst_133) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %590 = stablehlo.broadcast_in_dim %589, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %591 = stablehlo.broadcast_in_dim %590, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %592 = stablehlo.divide %588, %591 : tensor<1x4x4x8x8xf32>
    %593 = stablehlo.multiply %590, %590 : tensor<1x4x4x8x1xf32>
    %cst_134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %594 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x1xf32>
    %595 = stablehlo.divide %594, %593 : tensor<1x4x4x8x1xf32>
    %596 = stablehlo.dot_general %570, %592, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %597 = stablehlo.transpose %596, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %598 = stablehlo.transpose %597, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %599 = stablehlo.reshape %598 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %600 = stablehlo.reshape %599 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %601 = stablehlo.dot_general %600, %542#5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %602 = stablehlo.add %542#8, %601 : tensor<4x8x16xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %603 = stablehlo.reduce(%602 init: %cst_135) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %604 = stablehlo.broadcast_in_dim %603, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_136 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %605 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %606 = stablehlo.divide %604, %605 : tensor<4x8x1xf32>
    %607 = stablehlo.broadcast_in_dim %606, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %608 = stablehlo.subtract %602, %607 : tensor<4x8x16xf32>
    %609 = stablehlo.multiply %608, %608 : tensor<4x8x16xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %610 = stablehlo.reduce(%609 init: %cst_137) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %611 = stablehlo.broadcast_in_dim %610, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_138 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %612 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %613 = stablehlo.divide %611, %612 : tensor<4x8x1xf32>
    %cst_139 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %615 = stablehlo.add %613, %614 : tensor<4x8x1xf32>
    %616 = stablehlo.rsqrt %615 : tensor<4x8x1xf32>
    %617 = stablehlo.divide %616, %615 : tensor<4x8x1xf32>
    %cst_140 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %618 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %619 = stablehlo.multiply %618, %617 : tensor<4x8x1xf32>
    %620 = stablehlo.broadcast_in_dim %616, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %621 = stablehlo.multiply %608, %620 : tensor<4x8x16xf32>
    %622 = stablehlo.broadcast_in_dim %542#1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %623 = stablehlo.broadcast_in_dim %622, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %624 = stablehlo.multiply %621, %623 : tensor<4x8x16xf32>
    %625 = stablehlo.dot_general %624, %542#2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %626 = stablehlo.multiply %625, %625 : tensor<4x8x64xf32>
    %627 = stablehlo.multiply %626, %625 : tensor<4x8x64xf32>
    %628 = stablehlo.multiply %625, %625 : tensor<4x8x64xf32>
    %cst_141 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %630 = stablehlo.multiply %629, %628 : tensor<4x8x64xf32>
    %cst_142 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %632 = stablehlo.multiply %631, %627 : tensor<4x8x64xf32>
    %633 = stablehlo.add %625, %632 : tensor<4x8x64xf32>
    %cst_143 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %634 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %635 = stablehlo.multiply %634, %633 : tensor<4x8x64xf32>
    %636 = stablehlo.tanh %635 : tensor<4x8x64xf32>
    %cst_144 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %637 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %638 = stablehlo.subtract %637, %636 : tensor<4x8x64xf32>
    %cst_145 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %640 = stablehlo.add %639, %636 : tensor<4x8x64xf32>
    %cst_146 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %641 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %642 = stablehlo.multiply %641, %640 : tensor<4x8x64xf32>
    %643 = stablehlo.multiply %625, %642 : tensor<4x8x64xf32>
    %644 = stablehlo.dot_general %542#9, %643, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x64xf32>) -> tensor<16x64xf32>
    %645 = stablehlo.transpose %644, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %646 = stablehlo.dot_general %542#9, %542#3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<64x16xf32>) -> tensor<4x8x64xf32>
    %647 = stablehlo.multiply %625, %646 : tensor<4x8x64xf32>
    %648 = stablehlo.multiply %646, %642 : tensor<4x8x64xf32>
    %cst_147 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %649 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %650 = stablehlo.multiply %649, %647 : tensor<4x8x64xf32>
    %651 = stablehlo.multiply %650, %638 : tensor<4x8x64xf32>
    %652 = stablehlo.multiply %651, %636 : tensor<4x8x64xf32>
    %653 = stablehlo.add %651, %652 : tensor<4x8x64xf32>
    %cst_148 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %654 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %655 = stablehlo.multiply %654, %653 : tensor<4x8x64xf32>
    %656 = stablehlo.add %648, %655 : tensor<4x8x64xf32>
    %cst_149 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %657 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %658 = stablehlo.multiply %657, %655 : tensor<4x8x64xf32>
    %659 = stablehlo.multiply %658, %630 : tensor<4x8x64xf32>
    %660 = stablehlo.add %656, %659 : tensor<4x8x64xf32>
    %661 = stablehlo.dot_general %660, %624, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %662 = stablehlo.transpose %661, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %663 = stablehlo.dot_general %660, %542#2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %664 = stablehlo.multiply %621, %663 : tensor<4x8x16xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %665 = stablehlo.reduce(%664 init: %cst_150) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %666 = stablehlo.reshape %665 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %667 = stablehlo.broadcast_in_dim %622, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %668 = stablehlo.multiply %663, %667 : tensor<4x8x16xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %669 = stablehlo.reduce(%666 init: %cst_151) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %670 = stablehlo.multiply %608, %668 : tensor<4x8x16xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %671 = stablehlo.reduce(%670 init: %cst_152) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %672 = stablehlo.reshape %671 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %673 = stablehlo.broadcast_in_dim %616, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %674 = stablehlo.multiply %668, %673 : tensor<4x8x16xf32>
    %675 = stablehlo.multiply %672, %619 : tensor<4x8x1xf32>
    %cst_153 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %676 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %677 = stablehlo.divide %675, %676 : tensor<4x8x1xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %678 = stablehlo.reduce(%677 init: %cst_154) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %679 = stablehlo.broadcast_in_dim %678, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %680 = stablehlo.multiply %608, %679 : tensor<4x8x16xf32>
    %681 = stablehlo.add %674, %680 : tensor<4x8x16xf32>
    %682 = stablehlo.multiply %679, %608 : tensor<4x8x16xf32>
    %683 = stablehlo.add %681, %682 : tensor<4x8x16xf32>
    %684 = stablehlo.negate %683 : tensor<4x8x16xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %685 = stablehlo.reduce(%684 init: %cst_155) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %686 = stablehlo.reshape %685 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %687 = stablehlo.add %542#9, %683 : tensor<4x8x16xf32>
    %cst_156 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %688 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %689 = stablehlo.divide %686, %688 : tensor<4x8x1xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %690 = stablehlo.reduce(%689 init: %cst_157) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %691 = stablehlo.broadcast_in_dim %690, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %692 = stablehlo.add %687, %691 : tensor<4x8x16xf32>
    %693 = stablehlo.dot_general %692, %600, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %694 = stablehlo.transpose %693, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %695 = stablehlo.dot_general %692, %542#5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %696 = stablehlo.reshape %695 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %697 = stablehlo.reshape %696 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %698 = stablehlo.transpose %697, dims = [3, 0, 1, 2, 4] : (tensor<4x8x4x1x4xf32>) -> tensor<1x4x8x4x4xf32>
    %699 = stablehlo.transpose %698, dims = [1, 3, 4, 0, 2] : (tensor<1x4x8x4x4xf32>) -> tensor<4x4x4x1x8xf32>
    %700 = stablehlo.dot_general %699, %570, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x1x8x8xf32>
    %701 = stablehlo.transpose %700, dims = [2, 0, 1, 3, 4] : (tensor<4x4x1x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %702 = stablehlo.dot_general %699, %592, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %703 = stablehlo.transpose %702, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %704 = stablehlo.broadcast_in_dim %595, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %705 = stablehlo.multiply %701, %704 : tensor<1x4x4x8x8xf32>
    %706 = stablehlo.multiply %705, %588 : tensor<1x4x4x8x8xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %707 = stablehlo.reduce(%706 init: %cst_158) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %708 = stablehlo.reshape %707 : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %709 = stablehlo.negate %708 : tensor<1x4x4x8x1xf32>
    %710 = stablehlo.broadcast_in_dim %590, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %711 = stablehlo.divide %701, %710 : tensor<1x4x4x8x8xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %712 = stablehlo.reduce(%709 init: %cst_159) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %713 = stablehlo.broadcast_in_dim %712, dims = [1, 2, 3] : (tensor<4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %714 = stablehlo.broadcast_in_dim %713, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x8xf32>
    %715 = stablehlo.add %711, %714 : tensor<1x4x4x8x8xf32>
    %716 = stablehlo.multiply %715, %588 : tensor<1x4x4x8x8xf32>
    %717 = call @_where_3(%581#1, %716) : (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_160 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %718 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %719 = stablehlo.multiply %717, %718 : tensor<4x4x8x1x8xf32>
    %720 = stablehlo.dot_general %719, %571, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x1x4xf32>) -> tensor<4x4x8x4xf32>
    %721 = stablehlo.transpose %720, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %722 = stablehlo.dot_general %719, %568, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x4xf32>
    %723 = stablehlo.transpose %722, dims = [0, 2, 1, 3, 4] : (tensor<4x4x8x1x4xf32>) -> tensor<4x8x4x1x4xf32>
    %724 = stablehlo.reshape %723 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %725 = stablehlo.reshape %703 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %726 = stablehlo.dot_general %725, %564, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %727 = stablehlo.transpose %726, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %728 = stablehlo.dot_general %725, %542#7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %729 = stablehlo.reshape %721 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %730 = stablehlo.dot_general %729, %564, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %731 = stablehlo.transpose %730, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %732 = stablehlo.dot_general %729, %542#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %733 = stablehlo.add %728, %732 : tensor<4x8x16xf32>
    %734 = stablehlo.reshape %724 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %735 = stablehlo.dot_general %734, %564, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %736 = stablehlo.transpose %735, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %737 = stablehlo.dot_general %734, %542#6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %738 = stablehlo.add %733, %737 : tensor<4x8x16xf32>
    %739 = stablehlo.multiply %561, %738 : tensor<4x8x16xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %740 = stablehlo.reduce(%739 init: %cst_161) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %741 = stablehlo.reshape %740 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %742 = stablehlo.broadcast_in_dim %562, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %743 = stablehlo.multiply %738, %742 : tensor<4x8x16xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %744 = stablehlo.reduce(%741 init: %cst_162) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %745 = stablehlo.multiply %548, %743 : tensor<4x8x16xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %746 = stablehlo.reduce(%745 init: %cst_163) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %747 = stablehlo.reshape %746 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %748 = stablehlo.broadcast_in_dim %556, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %749 = stablehlo.multiply %743, %748 : tensor<4x8x16xf32>
    %750 = stablehlo.multiply %747, %559 : tensor<4x8x1xf32>
    %cst_164 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %751 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %752 = stablehlo.divide %750, %751 : tensor<4x8x1xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %753 = stablehlo.reduce(%752 init: %cst_165) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %754 = stablehlo.broadcast_in_dim %753, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %755 = stablehlo.multiply %548, %754 : tensor<4x8x16xf32>
    %756 = stablehlo.add %749, %755 : tensor<4x8x16xf32>
    %757 = stablehlo.multiply %754, %548 : tensor<4x8x16xf32>
    %758 = stablehlo.add %756, %757 : tensor<4x8x16xf32>
    %759 = stablehlo.negate %758 : tensor<4x8x16xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %760 = stablehlo.reduce(%759 init: %cst_166) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %761 = stablehlo.reshape %760 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %762 = stablehlo.add %692, %758 : tensor<4x8x16xf32>
    %cst_167 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %763 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %764 = stablehlo.divide %761, %763 : tensor<4x8x1xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %765 = stablehlo.reduce(%764 init: %cst_168) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %766 = stablehlo.broadcast_in_dim %765, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %767 = stablehlo.add %762, %766 : tensor<4x8x16xf32>
    %768:10 = stablehlo.optimization_barrier %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %6, %767 : tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<4x8x16xf32>, tensor<4x8x16xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %769 = stablehlo.reduce(%768#8 init: %cst_169) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %770 = stablehlo.broadcast_in_dim %769, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_170 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %771 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %772 = stablehlo.divide %770, %771 : tensor<4x8x1xf32>
    %773 = stablehlo.broadcast_in_dim %772, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %774 = stablehlo.subtract %768#8, %773 : tensor<4x8x16xf32>
    %775 = stablehlo.multiply %774, %774 : tensor<4x8x16xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %776 = stablehlo.reduce(%775 init: %cst_171) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %777 = stablehlo.broadcast_in_dim %776, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_172 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %778 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %779 = stablehlo.divide %777, %778 : tensor<4x8x1xf32>
    %cst_173 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %780 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %781 = stablehlo.add %779, %780 : tensor<4x8x1xf32>
    %782 = stablehlo.rsqrt %781 : tensor<4x8x1xf32>
    %783 = stablehlo.divide %782, %781 : tensor<4x8x1xf32>
    %cst_174 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %785 = stablehlo.multiply %784, %783 : tensor<4x8x1xf32>
    %786 = stablehlo.broadcast_in_dim %782, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %787 = stablehlo.multiply %774, %786 : tensor<4x8x16xf32>
    %788 = stablehlo.broadcast_in_dim %768#0, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %789 = stablehlo.broadcast_in_dim %788, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %790 = stablehlo.multiply %787, %789 : tensor<4x8x16xf32>
    %791 = stablehlo.dot_general %790, %768#6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %792 = stablehlo.reshape %791 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %793 = stablehlo.dot_general %790, %768#4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %794 = stablehlo.reshape %793 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %795 = stablehlo.dot_general %790, %768#7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %796 = stablehlo.reshape %795 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %797 = stablehlo.reshape %792 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %798 = stablehlo.dot_general %797, %794, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_175 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %800 = stablehlo.multiply %798, %799 : tensor<4x4x8x1x8xf32>
    %c_176 = stablehlo.constant dense<true> : tensor<i1>
    %801 = stablehlo.broadcast_in_dim %c_176, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_177 = stablehlo.constant dense<true> : tensor<i1>
    %802 = stablehlo.broadcast_in_dim %c_177, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %803 = call @tril_1(%802) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %804 = stablehlo.broadcast_in_dim %803, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %805 = stablehlo.broadcast_in_dim %804, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %806 = stablehlo.and %801, %805 : tensor<4x4x8x8xi1>
    %cst_178 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %807:2 = call @_where_2(%806, %800, %cst_178) : (tensor<4x4x8x8xi1>, tensor<4x4x8x1x8xf32>, tensor<f32>) -> (tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>)
    %cst_179 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %808 = stablehlo.reduce(%807#0 init: %cst_179) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_180 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %809 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %810 = stablehlo.maximum %809, %808 : tensor<1x4x4x8xf32>
    %811 = stablehlo.broadcast_in_dim %810, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %812 = stablehlo.broadcast_in_dim %811, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %813 = stablehlo.subtract %807#0, %812 : tensor<1x4x4x8x8xf32>
    %814 = stablehlo.exponential %813 : tensor<1x4x4x8x8xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %815 = stablehlo.reduce(%814 init: %cst_181) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %816 = stablehlo.broadcast_in_dim %815, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %817 = stablehlo.broadcast_in_dim %816, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %818 = stablehlo.divide %814, %817 : tensor<1x4x4x8x8xf32>
    %819 = stablehlo.multiply %816, %816 : tensor<1x4x4x8x1xf32>
    %cst_182 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %820 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x1xf32>
    %821 = stablehlo.divide %820, %819 : tensor<1x4x4x8x1xf32>
    %822 = stablehlo.dot_general %796, %818, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %823 = stablehlo.transpose %822, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %824 = stablehlo.transpose %823, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %825 = stablehlo.reshape %824 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %826 = stablehlo.reshape %825 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %827 = stablehlo.dot_general %826, %768#5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %828 = stablehlo.add %768#8, %827 : tensor<4x8x16xf32>
    %cst_183 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %829 = stablehlo.reduce(%828 init: %cst_183) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %830 = stablehlo.broadcast_in_dim %829, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_184 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %831 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %832 = stablehlo.divide %830, %831 : tensor<4x8x1xf32>
    %833 = stablehlo.broadcast_in_dim %832, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %834 = stablehlo.subtract %828, %833 : tensor<4x8x16xf32>
    %835 = stablehlo.multiply %834, %834 : tensor<4x8x16xf32>
    %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %836 = stablehlo.reduce(%835 init: %cst_185) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %837 = stablehlo.broadcast_in_dim %836, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_186 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %838 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %839 = stablehlo.divide %837, %838 : tensor<4x8x1xf32>
    %cst_187 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %840 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %841 = stablehlo.add %839, %840 : tensor<4x8x1xf32>
    %842 = stablehlo.rsqrt %841 : tensor<4x8x1xf32>
    %843 = stablehlo.divide %842, %841 : tensor<4x8x1xf32>
    %cst_188 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %844 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %845 = stablehlo.multiply %844, %843 : tensor<4x8x1xf32>
    %846 = stablehlo.broadcast_in_dim %842, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %847 = stablehlo.multiply %834, %846 : tensor<4x8x16xf32>
    %848 = stablehlo.broadcast_in_dim %768#1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %849 = stablehlo.broadcast_in_dim %848, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %850 = stablehlo.multiply %847, %849 : tensor<4x8x16xf32>
    %851 = stablehlo.dot_general %850, %768#2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %852 = stablehlo.multiply %851, %851 : tensor<4x8x64xf32>
    %853 = stablehlo.multiply %852, %851 : tensor<4x8x64xf32>
    %854 = stablehlo.multiply %851, %851 : tensor<4x8x64xf32>
    %cst_189 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %855 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %856 = stablehlo.multiply %855, %854 : tensor<4x8x64xf32>
    %cst_190 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %857 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %858 = stablehlo.multiply %857, %853 : tensor<4x8x64xf32>
    %859 = stablehlo.add %851, %858 : tensor<4x8x64xf32>
    %cst_191 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %860 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %861 = stablehlo.multiply %860, %859 : tensor<4x8x64xf32>
    %862 = stablehlo.tanh %861 : tensor<4x8x64xf32>
    %cst_192 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %863 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %864 = stablehlo.subtract %863, %862 : tensor<4x8x64xf32>
    %cst_193 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %865 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %866 = stablehlo.add %865, %862 : tensor<4x8x64xf32>
    %cst_194 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %867 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %868 = stablehlo.multiply %867, %866 : tensor<4x8x64xf32>
    %869 = stablehlo.multiply %851, %868 : tensor<4x8x64xf32>
    %870 = stablehlo.dot_general %768#9, %869, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x64xf32>) -> tensor<16x64xf32>
    %871 = stablehlo.transpose %870, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %872 = stablehlo.dot_general %768#9, %768#3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<64x16xf32>) -> tensor<4x8x64xf32>
    %873 = stablehlo.multiply %851, %872 : tensor<4x8x64xf32>
    %874 = stablehlo.multiply %872, %868 : tensor<4x8x64xf32>
    %cst_195 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %875 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %876 = stablehlo.multiply %875, %873 : tensor<4x8x64xf32>
    %877 = stablehlo.multiply %876, %864 : tensor<4x8x64xf32>
    %878 = stablehlo.multiply %877, %862 : tensor<4x8x64xf32>
    %879 = stablehlo.add %877, %878 : tensor<4x8x64xf32>
    %cst_196 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %880 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %881 = stablehlo.multiply %880, %879 : tensor<4x8x64xf32>
    %882 = stablehlo.add %874, %881 : tensor<4x8x64xf32>
    %cst_197 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %883 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %884 = stablehlo.multiply %883, %881 : tensor<4x8x64xf32>
    %885 = stablehlo.multiply %884, %856 : tensor<4x8x64xf32>
    %886 = stablehlo.add %882, %885 : tensor<4x8x64xf32>
    %887 = stablehlo.dot_general %886, %850, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %888 = stablehlo.transpose %887, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %889 = stablehlo.dot_general %886, %768#2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %890 = stablehlo.multiply %847, %889 : tensor<4x8x16xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %891 = stablehlo.reduce(%890 init: %cst_198) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %892 = stablehlo.reshape %891 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %893 = stablehlo.broadcast_in_dim %848, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %894 = stablehlo.multiply %889, %893 : tensor<4x8x16xf32>
    %cst_199 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %895 = stablehlo.reduce(%892 init: %cst_199) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %896 = stablehlo.multiply %834, %894 : tensor<4x8x16xf32>
    %cst_200 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %897 = stablehlo.reduce(%896 init: %cst_200) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %898 = stablehlo.reshape %897 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %899 = stablehlo.broadcast_in_dim %842, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %900 = stablehlo.multiply %894, %899 : tensor<4x8x16xf32>
    %901 = stablehlo.multiply %898, %845 : tensor<4x8x1xf32>
    %cst_201 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %902 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %903 = stablehlo.divide %901, %902 : tensor<4x8x1xf32>
    %cst_202 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %904 = stablehlo.reduce(%903 init: %cst_202) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %905 = stablehlo.broadcast_in_dim %904, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %906 = stablehlo.multiply %834, %905 : tensor<4x8x16xf32>
    %907 = stablehlo.add %900, %906 : tensor<4x8x16xf32>
    %908 = stablehlo.multiply %905, %834 : tensor<4x8x16xf32>
    %909 = stablehlo.add %907, %908 : tensor<4x8x16xf32>
    %910 = stablehlo.negate %909 : tensor<4x8x16xf32>
    %cst_203 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %911 = stablehlo.reduce(%910 init: %cst_203) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %912 = stablehlo.reshape %911 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %913 = stablehlo.add %768#9, %909 : tensor<4x8x16xf32>
    %cst_204 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %914 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %915 = stablehlo.divide %912, %914 : tensor<4x8x1xf32>
    %cst_205 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %916 = stablehlo.reduce(%915 init: %cst_205) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %917 = stablehlo.broadcast_in_dim %916, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %918 = stablehlo.add %913, %917 : tensor<4x8x16xf32>
    %919 = stablehlo.dot_general %918, %826, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %920 = stablehlo.transpose %919, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %921 = stablehlo.dot_general %918, %768#5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %922 = stablehlo.reshape %921 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %923 = stablehlo.reshape %922 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %924 = stablehlo.transpose %923, dims = [3, 0, 1, 2, 4] : (tensor<4x8x4x1x4xf32>) -> tensor<1x4x8x4x4xf32>
    %925 = stablehlo.transpose %924, dims = [1, 3, 4, 0, 2] : (tensor<1x4x8x4x4xf32>) -> tensor<4x4x4x1x8xf32>
    %926 = stablehlo.dot_general %925, %796, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x1x8x8xf32>
    %927 = stablehlo.transpose %926, dims = [2, 0, 1, 3, 4] : (tensor<4x4x1x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %928 = stablehlo.dot_general %925, %818, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %929 = stablehlo.transpose %928, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %930 = stablehlo.broadcast_in_dim %821, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %931 = stablehlo.multiply %927, %930 : tensor<1x4x4x8x8xf32>
    %932 = stablehlo.multiply %931, %814 : tensor<1x4x4x8x8xf32>
    %cst_206 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %933 = stablehlo.reduce(%932 init: %cst_206) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %934 = stablehlo.reshape %933 : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %935 = stablehlo.negate %934 : tensor<1x4x4x8x1xf32>
    %936 = stablehlo.broadcast_in_dim %816, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %937 = stablehlo.divide %927, %936 : tensor<1x4x4x8x8xf32>
    %cst_207 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %938 = stablehlo.reduce(%935 init: %cst_207) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %939 = stablehlo.broadcast_in_dim %938, dims = [1, 2, 3] : (tensor<4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %940 = stablehlo.broadcast_in_dim %939, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x8xf32>
    %941 = stablehlo.add %937, %940 : tensor<1x4x4x8x8xf32>
    %942 = stablehlo.multiply %941, %814 : tensor<1x4x4x8x8xf32>
    %943 = call @_where_3(%807#1, %942) : (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_208 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %944 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %945 = stablehlo.multiply %943, %944 : tensor<4x4x8x1x8xf32>
    %946 = stablehlo.dot_general %945, %797, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x1x4xf32>) -> tensor<4x4x8x4xf32>
    %947 = stablehlo.transpose %946, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %948 = stablehlo.dot_general %945, %794, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x4xf32>
    %949 = stablehlo.transpose %948, dims = [0, 2, 1, 3, 4] : (tensor<4x4x8x1x4xf32>) -> tensor<4x8x4x1x4xf32>
    %950 = stablehlo.reshape %949 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %951 = stablehlo.reshape %929 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %952 = stablehlo.dot_general %951, %790, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %953 = stablehlo.transpose %952, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %954 = stablehlo.dot_general %951, %768#7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %955 = stablehlo.reshape %947 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %956 = stablehlo.dot_general %955, %790, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %957 = stablehlo.transpose %956, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %958 = stablehlo.dot_general %955, %768#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %959 = stablehlo.add %954, %958 : tensor<4x8x16xf32>
    %960 = stablehlo.reshape %950 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %961 = stablehlo.dot_general %960, %790, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %962 = stablehlo.transpose %961, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %963 = stablehlo.dot_general %960, %768#6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %964 = stablehlo.add %959, %963 : tensor<4x8x16xf32>
    %965 = stablehlo.multiply %787, %964 : tensor<4x8x16xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %966 = stablehlo.reduce(%965 init: %cst_209) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %967 = stablehlo.reshape %966 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %968 = stablehlo.broadcast_in_dim %788, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %969 = stablehlo.multiply %964, %968 : tensor<4x8x16xf32>
    %cst_210 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %970 = stablehlo.reduce(%967 init: %cst_210) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %971 = stablehlo.multiply %774, %969 : tensor<4x8x16xf32>
    %cst_211 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %972 = stablehlo.reduce(%971 init: %cst_211) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %973 = stablehlo.reshape %972 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %974 = stablehlo.broadcast_in_dim %782, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %975 = stablehlo.multiply %969, %974 : tensor<4x8x16xf32>
    %976 = stablehlo.multiply %973, %785 : tensor<4x8x1xf32>
    %cst_212 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %977 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %978 = stablehlo.divide %976, %977 : tensor<4x8x1xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %979 = stablehlo.reduce(%978 init: %cst_213) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %980 = stablehlo.broadcast_in_dim %979, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %981 = stablehlo.multiply %774, %980 : tensor<4x8x16xf32>
    %982 = stablehlo.add %975, %981 : tensor<4x8x16xf32>
    %983 = stablehlo.multiply %980, %774 : tensor<4x8x16xf32>
    %984 = stablehlo.add %982, %983 : tensor<4x8x16xf32>
    %985 = stablehlo.negate %984 : tensor<4x8x16xf32>
    %cst_214 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %986 = stablehlo.reduce(%985 init: %cst_214) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %987 = stablehlo.reshape %986 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %988 = stablehlo.add %918, %984 : tensor<4x8x16xf32>
    %cst_215 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %989 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %990 = stablehlo.divide %987, %989 : tensor<4x8x1xf32>
    %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %991 = stablehlo.reduce(%990 init: %cst_216) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %992 = stablehlo.broadcast_in_dim %991, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %993 = stablehlo.add %988, %992 : tensor<4x8x16xf32>
    %cst_217 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %994 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %995 = "stablehlo.scatter"(%994, %5, %993) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg52: tensor<f32>, %arg53: tensor<f32>):
      %1147 = stablehlo.add %arg52, %arg53 : tensor<f32>
      stablehlo.return %1147 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %996 = stablehlo.add %315, %995 : tensor<32x16xf32>
    %cst_218 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %997 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %998 = stablehlo.multiply %997, %arg0 : tensor<32x16xf32>
    %999 = stablehlo.add %998, %996 : tensor<32x16xf32>
    %cst_219 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1000 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1001 = stablehlo.multiply %1000, %arg1 : tensor<16xf32>
    %1002 = stablehlo.add %1001, %970 : tensor<16xf32>
    %cst_220 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1003 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1004 = stablehlo.multiply %1003, %arg2 : tensor<16xf32>
    %1005 = stablehlo.add %1004, %895 : tensor<16xf32>
    %cst_221 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1006 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1007 = stablehlo.multiply %1006, %arg3 : tensor<16x64xf32>
    %1008 = stablehlo.add %1007, %888 : tensor<16x64xf32>
    %cst_222 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1009 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1010 = stablehlo.multiply %1009, %arg4 : tensor<64x16xf32>
    %1011 = stablehlo.add %1010, %871 : tensor<64x16xf32>
    %cst_223 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1012 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1013 = stablehlo.multiply %1012, %arg5 : tensor<16x16xf32>
    %1014 = stablehlo.add %1013, %957 : tensor<16x16xf32>
    %cst_224 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1015 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1016 = stablehlo.multiply %1015, %arg6 : tensor<16x16xf32>
    %1017 = stablehlo.add %1016, %920 : tensor<16x16xf32>
    %cst_225 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1018 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1019 = stablehlo.multiply %1018, %arg7 : tensor<16x16xf32>
    %1020 = stablehlo.add %1019, %962 : tensor<16x16xf32>
    %cst_226 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1021 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1022 = stablehlo.multiply %1021, %arg8 : tensor<16x16xf32>
    %1023 = stablehlo.add %1022, %953 : tensor<16x16xf32>
    %cst_227 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1024 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1025 = stablehlo.multiply %1024, %arg9 : tensor<16xf32>
    %1026 = stablehlo.add %1025, %744 : tensor<16xf32>
    %cst_228 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1027 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1028 = stablehlo.multiply %1027, %arg10 : tensor<16xf32>
    %1029 = stablehlo.add %1028, %669 : tensor<16xf32>
    %cst_229 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1030 = stablehlo.broadcast_in_dim %cst_229, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1031 = stablehlo.multiply %1030, %arg11 : tensor<16x64xf32>
    %1032 = stablehlo.add %1031, %662 : tensor<16x64xf32>
    %cst_230 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1033 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1034 = stablehlo.multiply %1033, %arg12 : tensor<64x16xf32>
    %1035 = stablehlo.add %1034, %645 : tensor<64x16xf32>
    %cst_231 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1036 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1037 = stablehlo.multiply %1036, %arg13 : tensor<16x16xf32>
    %1038 = stablehlo.add %1037, %731 : tensor<16x16xf32>
    %cst_232 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1039 = stablehlo.broadcast_in_dim %cst_232, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1040 = stablehlo.multiply %1039, %arg14 : tensor<16x16xf32>
    %1041 = stablehlo.add %1040, %694 : tensor<16x16xf32>
    %cst_233 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1042 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1043 = stablehlo.multiply %1042, %arg15 : tensor<16x16xf32>
    %1044 = stablehlo.add %1043, %736 : tensor<16x16xf32>
    %cst_234 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1045 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1046 = stablehlo.multiply %1045, %arg16 : tensor<16x16xf32>
    %1047 = stablehlo.add %1046, %727 : tensor<16x16xf32>
    %cst_235 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1048 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1049 = stablehlo.multiply %1048, %arg17 : tensor<16xf32>
    %1050 = stablehlo.add %1049, %518 : tensor<16xf32>
    %cst_236 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1051 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1052 = stablehlo.multiply %1051, %arg18 : tensor<16xf32>
    %1053 = stablehlo.add %1052, %443 : tensor<16xf32>
    %cst_237 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1054 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1055 = stablehlo.multiply %1054, %arg19 : tensor<16x64xf32>
    %1056 = stablehlo.add %1055, %436 : tensor<16x64xf32>
    %cst_238 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1057 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1058 = stablehlo.multiply %1057, %arg20 : tensor<64x16xf32>
    %1059 = stablehlo.add %1058, %419 : tensor<64x16xf32>
    %cst_239 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1060 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1061 = stablehlo.multiply %1060, %arg21 : tensor<16x16xf32>
    %1062 = stablehlo.add %1061, %505 : tensor<16x16xf32>
    %cst_240 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1063 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1064 = stablehlo.multiply %1063, %arg22 : tensor<16x16xf32>
    %1065 = stablehlo.add %1064, %468 : tensor<16x16xf32>
    %cst_241 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1066 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1067 = stablehlo.multiply %1066, %arg23 : tensor<16x16xf32>
    %1068 = stablehlo.add %1067, %510 : tensor<16x16xf32>
    %cst_242 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1069 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1070 = stablehlo.multiply %1069, %arg24 : tensor<16x16xf32>
    %1071 = stablehlo.add %1070, %501 : tensor<16x16xf32>
    %cst_243 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1072 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1073 = stablehlo.multiply %1072, %999 : tensor<32x16xf32>
    %1074 = stablehlo.subtract %arg25, %1073 : tensor<32x16xf32>
    %cst_244 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1075 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1076 = stablehlo.multiply %1075, %1002 : tensor<16xf32>
    %1077 = stablehlo.subtract %arg26, %1076 : tensor<16xf32>
    %cst_245 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1078 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1079 = stablehlo.multiply %1078, %1005 : tensor<16xf32>
    %1080 = stablehlo.subtract %arg27, %1079 : tensor<16xf32>
    %cst_246 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1081 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1082 = stablehlo.multiply %1081, %1008 : tensor<16x64xf32>
    %1083 = stablehlo.subtract %arg28, %1082 : tensor<16x64xf32>
    %cst_247 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1084 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1085 = stablehlo.multiply %1084, %1011 : tensor<64x16xf32>
    %1086 = stablehlo.subtract %arg29, %1085 : tensor<64x16xf32>
    %cst_248 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1087 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1088 = stablehlo.multiply %1087, %1014 : tensor<16x16xf32>
    %1089 = stablehlo.subtract %arg30, %1088 : tensor<16x16xf32>
    %cst_249 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1090 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1091 = stablehlo.multiply %1090, %1017 : tensor<16x16xf32>
    %1092 = stablehlo.subtract %arg31, %1091 : tensor<16x16xf32>
    %cst_250 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1093 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1094 = stablehlo.multiply %1093, %1020 : tensor<16x16xf32>
    %1095 = stablehlo.subtract %arg32, %1094 : tensor<16x16xf32>
    %cst_251 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1096 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1097 = stablehlo.multiply %1096, %1023 : tensor<16x16xf32>
    %1098 = stablehlo.subtract %arg33, %1097 : tensor<16x16xf32>
    %cst_252 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1099 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1100 = stablehlo.multiply %1099, %1026 : tensor<16xf32>
    %1101 = stablehlo.subtract %arg34, %1100 : tensor<16xf32>
    %cst_253 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1102 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1103 = stablehlo.multiply %1102, %1029 : tensor<16xf32>
    %1104 = stablehlo.subtract %arg35, %1103 : tensor<16xf32>
    %cst_254 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1105 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1106 = stablehlo.multiply %1105, %1032 : tensor<16x64xf32>
    %1107 = stablehlo.subtract %arg36, %1106 : tensor<16x64xf32>
    %cst_255 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1108 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1109 = stablehlo.multiply %1108, %1035 : tensor<64x16xf32>
    %1110 = stablehlo.subtract %arg37, %1109 : tensor<64x16xf32>
    %cst_256 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1111 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1112 = stablehlo.multiply %1111, %1038 : tensor<16x16xf32>
    %1113 = stablehlo.subtract %arg38, %1112 : tensor<16x16xf32>
    %cst_257 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1114 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1115 = stablehlo.multiply %1114, %1041 : tensor<16x16xf32>
    %1116 = stablehlo.subtract %arg39, %1115 : tensor<16x16xf32>
    %cst_258 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1117 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1118 = stablehlo.multiply %1117, %1044 : tensor<16x16xf32>
    %1119 = stablehlo.subtract %arg40, %1118 : tensor<16x16xf32>
    %cst_259 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1120 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1121 = stablehlo.multiply %1120, %1047 : tensor<16x16xf32>
    %1122 = stablehlo.subtract %arg41, %1121 : tensor<16x16xf32>
    %cst_260 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1123 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1124 = stablehlo.multiply %1123, %1050 : tensor<16xf32>
    %1125 = stablehlo.subtract %arg42, %1124 : tensor<16xf32>
    %cst_261 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1126 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1127 = stablehlo.multiply %1126, %1053 : tensor<16xf32>
    %1128 = stablehlo.subtract %arg43, %1127 : tensor<16xf32>
    %cst_262 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1129 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1130 = stablehlo.multiply %1129, %1056 : tensor<16x64xf32>
    %1131 = stablehlo.subtract %arg44, %1130 : tensor<16x64xf32>
    %cst_263 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1132 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1133 = stablehlo.multiply %1132, %1059 : tensor<64x16xf32>
    %1134 = stablehlo.subtract %arg45, %1133 : tensor<64x16xf32>
    %cst_264 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1135 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1136 = stablehlo.multiply %1135, %1062 : tensor<16x16xf32>
    %1137 = stablehlo.subtract %arg46, %1136 : tensor<16x16xf32>
    %cst_265 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1138 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1139 = stablehlo.multiply %1138, %1065 : tensor<16x16xf32>
    %1140 = stablehlo.subtract %arg47, %1139 : tensor<16x16xf32>
    %cst_266 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1141 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1142 = stablehlo.multiply %1141, %1068 : tensor<16x16xf32>
    %1143 = stablehlo.subtract %arg48, %1142 : tensor<16x16xf32>
    %cst_267 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1144 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1145 = stablehlo.multiply %1144, %1071 : tensor<16x16xf32>
    %1146 = stablehlo.subtract %arg49, %1145 : tensor<16x16xf32>
    return %999, %1002, %1005, %1008, %1011, %1014, %1017, %1020, %1023, %1026, %1029, %1032, %1035, %1038, %1041, %1044, %1047, %1050, %1053, %1056, %1059, %1062, %1065, %1068, %1071, %1074, %1077, %1080, %1083, %1086, %1089, %1092, %1095, %1098, %1101, %1104, %1107, %1110, %1113, %1116, %1119, %1122, %1125, %1128, %1131, %1134, %1137, %1140, %1143, %1146, %297 : tensor<32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<32x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
  }
  func.func private @tril(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where(%arg0: tensor<4x4x8x8xi1>, %arg1: tensor<4x4x8x1x8xf32>, %arg2: tensor<f32>) -> tensor<1x4x4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x4x8x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xi1>) -> tensor<1x4x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<4x4x8x1x8xf32>) -> tensor<1x4x4x8x8xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
    return %4 : tensor<1x4x4x8x8xf32>
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
  func.func private @take_along_axis_0(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @tril_1(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<8x8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %2 = stablehlo.add %0, %1 : tensor<8x8xi32>
    %3 = stablehlo.iota dim = 1 : tensor<8x8xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<8x8xi1>, tensor<8x8xi1>
    return %6 : tensor<8x8xi1>
  }
  func.func private @_where_2(%arg0: tensor<4x4x8x8xi1>, %arg1: tensor<4x4x8x1x8xf32>, %arg2: tensor<f32>) -> (tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x4x8x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xi1>) -> tensor<1x4x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<4x4x8x1x8xf32>) -> tensor<1x4x4x8x8xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
    return %4, %1 : tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>
  }
  func.func private @_where_3(%arg0: tensor<1x4x4x8x8xi1>, %arg1: tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    return %2 : tensor<4x4x8x1x8xf32>
  }
}

