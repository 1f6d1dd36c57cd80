module @jit_step attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<4x16xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<4x16xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x16x64xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<4x64x16xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x16x16xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<4x16x16xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<4x16x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<4x16x16xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<32x16xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<4x16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<4x16xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<4x16x64xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<4x64x16xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<4x16x16xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<4x16x16xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<4x16x16xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<4x16x16xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<f32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<32x16xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<4x16xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<4x16xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<4x16x64xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<4x64x16xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<4x16x16xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<4x16x16xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<4x16x16xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<4x16x16xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<4x8xi32>, %arg29: tensor<4x8xi32>) -> (tensor<32x16xf32> {jax.result_info = "result[0]['m']['embed']"}, tensor<4x16xf32> {jax.result_info = "result[0]['m']['h']['ln1']"}, tensor<4x16xf32> {jax.result_info = "result[0]['m']['h']['ln2']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['m']['h']['w1']"}, tensor<4x64x16xf32> {jax.result_info = "result[0]['m']['h']['w2']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['m']['h']['wk']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['m']['h']['wo']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['m']['h']['wq']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['m']['h']['wv']"}, tensor<32x16xf32> {jax.result_info = "result[0]['params']['embed']"}, tensor<4x16xf32> {jax.result_info = "result[0]['params']['h']['ln1']"}, tensor<4x16xf32> {jax.result_info = "result[0]['params']['h']['ln2']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['params']['h']['w1']"}, tensor<4x64x16xf32> {jax.result_info = "result[0]['params']['h']['w2']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['params']['h']['wk']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['params']['h']['wo']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['params']['h']['wq']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['params']['h']['wv']"}, tensor<f32> {jax.result_info = "result[0]['t']"}, tensor<32x16xf32> {jax.result_info = "result[0]['v']['embed']"}, tensor<4x16xf32> {jax.result_info = "result[0]['v']['h']['ln1']"}, tensor<4x16xf32> {jax.result_info = "result[0]['v']['h']['ln2']"}, tensor<4x16x64xf32> {jax.result_info = "result[0]['v']['h']['w1']"}, tensor<4x64x16xf32> {jax.result_info = "result[0]['v']['h']['w2']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['v']['h']['wk']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['v']['h']['wo']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['v']['h']['wq']"}, tensor<4x16x16xf32> {jax.result_info = "result[0]['v']['h']['wv']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.add %arg18, %cst : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %10 = stablehlo.reshape %arg28 : (tensor<4x8xi32>) -> tensor<4x1x8xi32>
    %11 = stablehlo.reshape %arg29 : (tensor<4x8xi32>) -> tensor<4x1x8xi32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %12:22 = stablehlo.while(%iterArg = %10, %iterArg_147 = %11, %iterArg_148 = %arg9, %iterArg_149 = %arg10, %iterArg_150 = %arg11, %iterArg_151 = %arg12, %iterArg_152 = %arg13, %iterArg_153 = %arg14, %iterArg_154 = %arg15, %iterArg_155 = %arg16, %iterArg_156 = %arg17, %iterArg_157 = %c, %iterArg_158 = %cst_9, %iterArg_159 = %1, %iterArg_160 = %2, %iterArg_161 = %3, %iterArg_162 = %4, %iterArg_163 = %5, %iterArg_164 = %6, %iterArg_165 = %7, %iterArg_166 = %8, %iterArg_167 = %9) : tensor<4x1x8xi32>, tensor<4x1x8xi32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<i32>, tensor<f32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
    cond {
      %c_168 = stablehlo.constant dense<4> : tensor<i32>
      %357 = stablehlo.compare LT, %iterArg_157, %c_168, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %357 : tensor<i1>
    } do {
      %357 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_157) : (tensor<4x1x8xi32>, tensor<i32>) -> tensor<1x8xi32>
      %358 = func.call @dynamic_index_in_dim(%iterArg_147, %iterArg_157) : (tensor<4x1x8xi32>, tensor<i32>) -> tensor<1x8xi32>
      %359:10 = func.call @closed_call(%iterArg_148, %iterArg_149, %iterArg_150, %iterArg_151, %iterArg_152, %iterArg_153, %iterArg_154, %iterArg_155, %iterArg_156, %iterArg_158, %iterArg_159, %iterArg_160, %iterArg_161, %iterArg_162, %iterArg_163, %iterArg_164, %iterArg_165, %iterArg_166, %iterArg_167, %357, %358) : (tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<f32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<1x8xi32>, tensor<1x8xi32>) -> (tensor<f32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>)
      %c_168 = stablehlo.constant dense<1> : tensor<i32>
      %360 = stablehlo.add %iterArg_157, %c_168 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_147, %iterArg_148, %iterArg_149, %iterArg_150, %iterArg_151, %iterArg_152, %iterArg_153, %iterArg_154, %iterArg_155, %iterArg_156, %360, %359#0, %359#1, %359#2, %359#3, %359#4, %359#5, %359#6, %359#7, %359#8, %359#9 : tensor<4x1x8xi32>, tensor<4x1x8xi32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<i32>, tensor<f32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
    }
    %cst_10 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %13 = stablehlo.divide %12#12, %cst_10 : tensor<f32>
    %cst_11 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %15 = stablehlo.divide %12#13, %14 : tensor<32x16xf32>
    %cst_12 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %17 = stablehlo.divide %12#14, %16 : tensor<4x16xf32>
    %cst_13 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %19 = stablehlo.divide %12#15, %18 : tensor<4x16xf32>
    %cst_14 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %21 = stablehlo.divide %12#16, %20 : tensor<4x16x64xf32>
    %cst_15 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %23 = stablehlo.divide %12#17, %22 : tensor<4x64x16xf32>
    %cst_16 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %25 = stablehlo.divide %12#18, %24 : tensor<4x16x16xf32>
    %cst_17 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %27 = stablehlo.divide %12#19, %26 : tensor<4x16x16xf32>
    %cst_18 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %29 = stablehlo.divide %12#20, %28 : tensor<4x16x16xf32>
    %cst_19 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %31 = stablehlo.divide %12#21, %30 : tensor<4x16x16xf32>
    %32 = stablehlo.multiply %15, %15 : tensor<32x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_20) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.add %cst_21, %33 : tensor<f32>
    %35 = stablehlo.multiply %17, %17 : tensor<4x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.reduce(%35 init: %cst_22) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
    %37 = stablehlo.add %34, %36 : tensor<f32>
    %38 = stablehlo.multiply %19, %19 : tensor<4x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.reduce(%38 init: %cst_23) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x16xf32>, tensor<f32>) -> tensor<f32>
    %40 = stablehlo.add %37, %39 : tensor<f32>
    %41 = stablehlo.multiply %21, %21 : tensor<4x16x64xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_24) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x64xf32>, tensor<f32>) -> tensor<f32>
    %43 = stablehlo.add %40, %42 : tensor<f32>
    %44 = stablehlo.multiply %23, %23 : tensor<4x64x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %45 = stablehlo.reduce(%44 init: %cst_25) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x64x16xf32>, tensor<f32>) -> tensor<f32>
    %46 = stablehlo.add %43, %45 : tensor<f32>
    %47 = stablehlo.multiply %25, %25 : tensor<4x16x16xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_26) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<f32>
    %49 = stablehlo.add %46, %48 : tensor<f32>
    %50 = stablehlo.multiply %27, %27 : tensor<4x16x16xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_27) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<f32>
    %52 = stablehlo.add %49, %51 : tensor<f32>
    %53 = stablehlo.multiply %29, %29 : tensor<4x16x16xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_28) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<f32>
    %55 = stablehlo.add %52, %54 : tensor<f32>
    %56 = stablehlo.multiply %31, %31 : tensor<4x16x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_29) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x16x16xf32>, tensor<f32>) -> tensor<f32>
    %58 = stablehlo.add %55, %57 : tensor<f32>
    %59 = stablehlo.sqrt %58 : tensor<f32>
    %cst_30 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %60 = stablehlo.divide %cst_30, %59 : tensor<f32>
    %cst_31 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %61 = stablehlo.minimum %cst_31, %60 : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %63 = stablehlo.multiply %15, %62 : tensor<32x16xf32>
    %cst_32 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %64 = stablehlo.divide %cst_32, %59 : tensor<f32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %65 = stablehlo.minimum %cst_33, %64 : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %67 = stablehlo.multiply %17, %66 : tensor<4x16xf32>
    %cst_34 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %68 = stablehlo.divide %cst_34, %59 : tensor<f32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %69 = stablehlo.minimum %cst_35, %68 : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %71 = stablehlo.multiply %19, %70 : tensor<4x16xf32>
    %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %72 = stablehlo.divide %cst_36, %59 : tensor<f32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %73 = stablehlo.minimum %cst_37, %72 : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %75 = stablehlo.multiply %21, %74 : tensor<4x16x64xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %76 = stablehlo.divide %cst_38, %59 : tensor<f32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %77 = stablehlo.minimum %cst_39, %76 : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %79 = stablehlo.multiply %23, %78 : tensor<4x64x16xf32>
    %cst_40 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %80 = stablehlo.divide %cst_40, %59 : tensor<f32>
    %cst_41 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %81 = stablehlo.minimum %cst_41, %80 : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %83 = stablehlo.multiply %25, %82 : tensor<4x16x16xf32>
    %cst_42 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %84 = stablehlo.divide %cst_42, %59 : tensor<f32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %85 = stablehlo.minimum %cst_43, %84 : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %87 = stablehlo.multiply %27, %86 : tensor<4x16x16xf32>
    %cst_44 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %88 = stablehlo.divide %cst_44, %59 : tensor<f32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.minimum %cst_45, %88 : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %91 = stablehlo.multiply %29, %90 : tensor<4x16x16xf32>
    %cst_46 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %92 = stablehlo.divide %cst_46, %59 : tensor<f32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %93 = stablehlo.minimum %cst_47, %92 : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %95 = stablehlo.multiply %31, %94 : tensor<4x16x16xf32>
    %cst_48 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %97 = stablehlo.multiply %96, %arg0 : tensor<32x16xf32>
    %cst_49 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %99 = stablehlo.multiply %98, %63 : tensor<32x16xf32>
    %100 = stablehlo.add %97, %99 : tensor<32x16xf32>
    %cst_50 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %102 = stablehlo.multiply %101, %arg1 : tensor<4x16xf32>
    %cst_51 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %104 = stablehlo.multiply %103, %67 : tensor<4x16xf32>
    %105 = stablehlo.add %102, %104 : tensor<4x16xf32>
    %cst_52 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %107 = stablehlo.multiply %106, %arg2 : tensor<4x16xf32>
    %cst_53 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %109 = stablehlo.multiply %108, %71 : tensor<4x16xf32>
    %110 = stablehlo.add %107, %109 : tensor<4x16xf32>
    %cst_54 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %112 = stablehlo.multiply %111, %arg3 : tensor<4x16x64xf32>
    %cst_55 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %114 = stablehlo.multiply %113, %75 : tensor<4x16x64xf32>
    %115 = stablehlo.add %112, %114 : tensor<4x16x64xf32>
    %cst_56 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %117 = stablehlo.multiply %116, %arg4 : tensor<4x64x16xf32>
    %cst_57 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %119 = stablehlo.multiply %118, %79 : tensor<4x64x16xf32>
    %120 = stablehlo.add %117, %119 : tensor<4x64x16xf32>
    %cst_58 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %122 = stablehlo.multiply %121, %arg5 : tensor<4x16x16xf32>
    %cst_59 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %124 = stablehlo.multiply %123, %83 : tensor<4x16x16xf32>
    %125 = stablehlo.add %122, %124 : tensor<4x16x16xf32>
    %cst_60 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %127 = stablehlo.multiply %126, %arg6 : tensor<4x16x16xf32>
    %cst_61 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %129 = stablehlo.multiply %128, %87 : tensor<4x16x16xf32>
    %130 = stablehlo.add %127, %129 : tensor<4x16x16xf32>
    %cst_62 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %132 = stablehlo.multiply %131, %arg7 : tensor<4x16x16xf32>
    %cst_63 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %134 = stablehlo.multiply %133, %91 : tensor<4x16x16xf32>
    %135 = stablehlo.add %132, %134 : tensor<4x16x16xf32>
    %cst_64 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %136 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %137 = stablehlo.multiply %136, %arg8 : tensor<4x16x16xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %139 = stablehlo.multiply %138, %95 : tensor<4x16x16xf32>
    %140 = stablehlo.add %137, %139 : tensor<4x16x16xf32>
    %cst_66 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %142 = stablehlo.multiply %141, %arg19 : tensor<32x16xf32>
    %cst_67 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %144 = stablehlo.multiply %143, %63 : tensor<32x16xf32>
    %145 = stablehlo.multiply %144, %63 : tensor<32x16xf32>
    %146 = stablehlo.add %142, %145 : tensor<32x16xf32>
    %cst_68 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %148 = stablehlo.multiply %147, %arg20 : tensor<4x16xf32>
    %cst_69 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %149 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %150 = stablehlo.multiply %149, %67 : tensor<4x16xf32>
    %151 = stablehlo.multiply %150, %67 : tensor<4x16xf32>
    %152 = stablehlo.add %148, %151 : tensor<4x16xf32>
    %cst_70 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %154 = stablehlo.multiply %153, %arg21 : tensor<4x16xf32>
    %cst_71 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %156 = stablehlo.multiply %155, %71 : tensor<4x16xf32>
    %157 = stablehlo.multiply %156, %71 : tensor<4x16xf32>
    %158 = stablehlo.add %154, %157 : tensor<4x16xf32>
    %cst_72 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %160 = stablehlo.multiply %159, %arg22 : tensor<4x16x64xf32>
    %cst_73 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %162 = stablehlo.multiply %161, %75 : tensor<4x16x64xf32>
    %163 = stablehlo.multiply %162, %75 : tensor<4x16x64xf32>
    %164 = stablehlo.add %160, %163 : tensor<4x16x64xf32>
    %cst_74 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %166 = stablehlo.multiply %165, %arg23 : tensor<4x64x16xf32>
    %cst_75 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %168 = stablehlo.multiply %167, %79 : tensor<4x64x16xf32>
    %169 = stablehlo.multiply %168, %79 : tensor<4x64x16xf32>
    %170 = stablehlo.add %166, %169 : tensor<4x64x16xf32>
    %cst_76 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %171 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %172 = stablehlo.multiply %171, %arg24 : tensor<4x16x16xf32>
    %cst_77 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %174 = stablehlo.multiply %173, %83 : tensor<4x16x16xf32>
    %175 = stablehlo.multiply %174, %83 : tensor<4x16x16xf32>
    %176 = stablehlo.add %172, %175 : tensor<4x16x16xf32>
    %cst_78 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %177 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %178 = stablehlo.multiply %177, %arg25 : tensor<4x16x16xf32>
    %cst_79 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %179 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %180 = stablehlo.multiply %179, %87 : tensor<4x16x16xf32>
    %181 = stablehlo.multiply %180, %87 : tensor<4x16x16xf32>
    %182 = stablehlo.add %178, %181 : tensor<4x16x16xf32>
    %cst_80 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %184 = stablehlo.multiply %183, %arg26 : tensor<4x16x16xf32>
    %cst_81 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %186 = stablehlo.multiply %185, %91 : tensor<4x16x16xf32>
    %187 = stablehlo.multiply %186, %91 : tensor<4x16x16xf32>
    %188 = stablehlo.add %184, %187 : tensor<4x16x16xf32>
    %cst_82 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %189 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %190 = stablehlo.multiply %189, %arg27 : tensor<4x16x16xf32>
    %cst_83 = stablehlo.constant dense<5.000000e-02> : tensor<f32>
    %191 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %192 = stablehlo.multiply %191, %95 : tensor<4x16x16xf32>
    %193 = stablehlo.multiply %192, %95 : tensor<4x16x16xf32>
    %194 = stablehlo.add %190, %193 : tensor<4x16x16xf32>
    %cst_84 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %195 = stablehlo.power %cst_84, %0 : tensor<f32>
    %cst_85 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %196 = stablehlo.subtract %cst_85, %195 : tensor<f32>
    %197 = stablehlo.broadcast_in_dim %196, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %198 = stablehlo.divide %100, %197 : tensor<32x16xf32>
    %cst_86 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %199 = stablehlo.power %cst_86, %0 : tensor<f32>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %200 = stablehlo.subtract %cst_87, %199 : tensor<f32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %202 = stablehlo.divide %146, %201 : tensor<32x16xf32>
    %203 = stablehlo.sqrt %202 : tensor<32x16xf32>
    %cst_88 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %204 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %205 = stablehlo.add %203, %204 : tensor<32x16xf32>
    %206 = stablehlo.divide %198, %205 : tensor<32x16xf32>
    %cst_89 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %207 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %208 = stablehlo.multiply %207, %arg9 : tensor<32x16xf32>
    %209 = stablehlo.add %206, %208 : tensor<32x16xf32>
    %cst_90 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %211 = stablehlo.multiply %210, %209 : tensor<32x16xf32>
    %212 = stablehlo.subtract %arg9, %211 : tensor<32x16xf32>
    %cst_91 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %213 = stablehlo.power %cst_91, %0 : tensor<f32>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %214 = stablehlo.subtract %cst_92, %213 : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %214, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %216 = stablehlo.divide %105, %215 : tensor<4x16xf32>
    %cst_93 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %217 = stablehlo.power %cst_93, %0 : tensor<f32>
    %cst_94 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %218 = stablehlo.subtract %cst_94, %217 : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %220 = stablehlo.divide %152, %219 : tensor<4x16xf32>
    %221 = stablehlo.sqrt %220 : tensor<4x16xf32>
    %cst_95 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %223 = stablehlo.add %221, %222 : tensor<4x16xf32>
    %224 = stablehlo.divide %216, %223 : tensor<4x16xf32>
    %cst_96 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %226 = stablehlo.multiply %225, %arg10 : tensor<4x16xf32>
    %227 = stablehlo.add %224, %226 : tensor<4x16xf32>
    %cst_97 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %228 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %229 = stablehlo.multiply %228, %227 : tensor<4x16xf32>
    %230 = stablehlo.subtract %arg10, %229 : tensor<4x16xf32>
    %cst_98 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %231 = stablehlo.power %cst_98, %0 : tensor<f32>
    %cst_99 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %232 = stablehlo.subtract %cst_99, %231 : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %234 = stablehlo.divide %110, %233 : tensor<4x16xf32>
    %cst_100 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %235 = stablehlo.power %cst_100, %0 : tensor<f32>
    %cst_101 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %236 = stablehlo.subtract %cst_101, %235 : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %236, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %238 = stablehlo.divide %158, %237 : tensor<4x16xf32>
    %239 = stablehlo.sqrt %238 : tensor<4x16xf32>
    %cst_102 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %241 = stablehlo.add %239, %240 : tensor<4x16xf32>
    %242 = stablehlo.divide %234, %241 : tensor<4x16xf32>
    %cst_103 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %244 = stablehlo.multiply %243, %arg11 : tensor<4x16xf32>
    %245 = stablehlo.add %242, %244 : tensor<4x16xf32>
    %cst_104 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %247 = stablehlo.multiply %246, %245 : tensor<4x16xf32>
    %248 = stablehlo.subtract %arg11, %247 : tensor<4x16xf32>
    %cst_105 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %249 = stablehlo.power %cst_105, %0 : tensor<f32>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %250 = stablehlo.subtract %cst_106, %249 : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %250, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %252 = stablehlo.divide %115, %251 : tensor<4x16x64xf32>
    %cst_107 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %253 = stablehlo.power %cst_107, %0 : tensor<f32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %254 = stablehlo.subtract %cst_108, %253 : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %254, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %256 = stablehlo.divide %164, %255 : tensor<4x16x64xf32>
    %257 = stablehlo.sqrt %256 : tensor<4x16x64xf32>
    %cst_109 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %258 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %259 = stablehlo.add %257, %258 : tensor<4x16x64xf32>
    %260 = stablehlo.divide %252, %259 : tensor<4x16x64xf32>
    %cst_110 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %262 = stablehlo.multiply %261, %arg12 : tensor<4x16x64xf32>
    %263 = stablehlo.add %260, %262 : tensor<4x16x64xf32>
    %cst_111 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %265 = stablehlo.multiply %264, %263 : tensor<4x16x64xf32>
    %266 = stablehlo.subtract %arg12, %265 : tensor<4x16x64xf32>
    %cst_112 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %267 = stablehlo.power %cst_112, %0 : tensor<f32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %268 = stablehlo.subtract %cst_113, %267 : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %270 = stablehlo.divide %120, %269 : tensor<4x64x16xf32>
    %cst_114 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %271 = stablehlo.power %cst_114, %0 : tensor<f32>
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %272 = stablehlo.subtract %cst_115, %271 : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %272, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %274 = stablehlo.divide %170, %273 : tensor<4x64x16xf32>
    %275 = stablehlo.sqrt %274 : tensor<4x64x16xf32>
    %cst_116 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %277 = stablehlo.add %275, %276 : tensor<4x64x16xf32>
    %278 = stablehlo.divide %270, %277 : tensor<4x64x16xf32>
    %cst_117 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %280 = stablehlo.multiply %279, %arg13 : tensor<4x64x16xf32>
    %281 = stablehlo.add %278, %280 : tensor<4x64x16xf32>
    %cst_118 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %283 = stablehlo.multiply %282, %281 : tensor<4x64x16xf32>
    %284 = stablehlo.subtract %arg13, %283 : tensor<4x64x16xf32>
    %cst_119 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %285 = stablehlo.power %cst_119, %0 : tensor<f32>
    %cst_120 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %286 = stablehlo.subtract %cst_120, %285 : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %288 = stablehlo.divide %125, %287 : tensor<4x16x16xf32>
    %cst_121 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %289 = stablehlo.power %cst_121, %0 : tensor<f32>
    %cst_122 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %290 = stablehlo.subtract %cst_122, %289 : tensor<f32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %292 = stablehlo.divide %176, %291 : tensor<4x16x16xf32>
    %293 = stablehlo.sqrt %292 : tensor<4x16x16xf32>
    %cst_123 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %295 = stablehlo.add %293, %294 : tensor<4x16x16xf32>
    %296 = stablehlo.divide %288, %295 : tensor<4x16x16xf32>
    %cst_124 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %298 = stablehlo.multiply %297, %arg14 : tensor<4x16x16xf32>
    %299 = stablehlo.add %296, %298 : tensor<4x16x16xf32>
    %cst_125 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %300 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %301 = stablehlo.multiply %300, %299 : tensor<4x16x16xf32>
    %302 = stablehlo.subtract %arg14, %301 : tensor<4x16x16xf32>
    %cst_126 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %303 = stablehlo.power %cst_126, %0 : tensor<f32>
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %304 = stablehlo.subtract %cst_127, %303 : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %304, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %306 = stablehlo.divide %130, %305 : tensor<4x16x16xf32>
    %cst_128 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %307 = stablehlo.power %cst_128, %0 : tensor<f32>
    %cst_129 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %308 = stablehlo.subtract %cst_129, %307 : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %308, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %310 = stablehlo.divide %182, %309 : tensor<4x16x16xf32>
    %311 = stablehlo.sqrt %310 : tensor<4x16x16xf32>
    %cst_130 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %313 = stablehlo.add %311, %312 : tensor<4x16x16xf32>
    %314 = stablehlo.divide %306, %313 : tensor<4x16x16xf32>
    %cst_131 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %315 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %316 = stablehlo.multiply %315, %arg15 : tensor<4x16x16xf32>
    %317 = stablehlo.add %314, %316 : tensor<4x16x16xf32>
    %cst_132 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %319 = stablehlo.multiply %318, %317 : tensor<4x16x16xf32>
    %320 = stablehlo.subtract %arg15, %319 : tensor<4x16x16xf32>
    %cst_133 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %321 = stablehlo.power %cst_133, %0 : tensor<f32>
    %cst_134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %322 = stablehlo.subtract %cst_134, %321 : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %324 = stablehlo.divide %135, %323 : tensor<4x16x16xf32>
    %cst_135 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %325 = stablehlo.power %cst_135, %0 : tensor<f32>
    %cst_136 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %326 = stablehlo.subtract %cst_136, %325 : tensor<f32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %328 = stablehlo.divide %188, %327 : tensor<4x16x16xf32>
    %329 = stablehlo.sqrt %328 : tensor<4x16x16xf32>
    %cst_137 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %331 = stablehlo.add %329, %330 : tensor<4x16x16xf32>
    %332 = stablehlo.divide %324, %331 : tensor<4x16x16xf32>
    %cst_138 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %334 = stablehlo.multiply %333, %arg16 : tensor<4x16x16xf32>
    %335 = stablehlo.add %332, %334 : tensor<4x16x16xf32>
    %cst_139 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %336 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %337 = stablehlo.multiply %336, %335 : tensor<4x16x16xf32>
    %338 = stablehlo.subtract %arg16, %337 : tensor<4x16x16xf32>
    %cst_140 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %339 = stablehlo.power %cst_140, %0 : tensor<f32>
    %cst_141 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %340 = stablehlo.subtract %cst_141, %339 : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %340, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %342 = stablehlo.divide %140, %341 : tensor<4x16x16xf32>
    %cst_142 = stablehlo.constant dense<0.949999988> : tensor<f32>
    %343 = stablehlo.power %cst_142, %0 : tensor<f32>
    %cst_143 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %344 = stablehlo.subtract %cst_143, %343 : tensor<f32>
    %345 = stablehlo.broadcast_in_dim %344, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %346 = stablehlo.divide %194, %345 : tensor<4x16x16xf32>
    %347 = stablehlo.sqrt %346 : tensor<4x16x16xf32>
    %cst_144 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %348 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %349 = stablehlo.add %347, %348 : tensor<4x16x16xf32>
    %350 = stablehlo.divide %342, %349 : tensor<4x16x16xf32>
    %cst_145 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %351 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %352 = stablehlo.multiply %351, %arg17 : tensor<4x16x16xf32>
    %353 = stablehlo.add %350, %352 : tensor<4x16x16xf32>
    %cst_146 = stablehlo.constant dense<0.00999999977> : tensor<f32>
    %354 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %355 = stablehlo.multiply %354, %353 : tensor<4x16x16xf32>
    %356 = stablehlo.subtract %arg17, %355 : tensor<4x16x16xf32>
    return %100, %105, %110, %115, %120, %125, %130, %135, %140, %212, %230, %248, %266, %284, %302, %320, %338, %356, %0, %146, %152, %158, %164, %170, %176, %182, %188, %194, %13 : tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<f32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x1x8xi32>, %arg1: tensor<i32>) -> tensor<1x8xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 8] : (tensor<4x1x8xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8xi32>) -> tensor<1x8xi32>
    return %1 : tensor<1x8xi32>
  }
  func.func private @closed_call(%arg0: tensor<32x16xf32>, %arg1: tensor<4x16xf32>, %arg2: tensor<4x16xf32>, %arg3: tensor<4x16x64xf32>, %arg4: tensor<4x64x16xf32>, %arg5: tensor<4x16x16xf32>, %arg6: tensor<4x16x16xf32>, %arg7: tensor<4x16x16xf32>, %arg8: tensor<4x16x16xf32>, %arg9: tensor<f32>, %arg10: tensor<32x16xf32>, %arg11: tensor<4x16xf32>, %arg12: tensor<4x16xf32>, %arg13: tensor<4x16x64xf32>, %arg14: tensor<4x64x16xf32>, %arg15: tensor<4x16x16xf32>, %arg16: tensor<4x16x16xf32>, %arg17: tensor<4x16x16xf32>, %arg18: tensor<4x16x16xf32>, %arg19: tensor<1x8xi32>, %arg20: tensor<1x8xi32>) -> (tensor<f32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x8xi32>
    %1 = stablehlo.compare LT, %arg19, %0, SIGNED : (tensor<1x8xi32>, tensor<1x8xi32>) -> tensor<1x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x8xi32>
    %3 = stablehlo.add %arg19, %2 : tensor<1x8xi32>
    %4 = stablehlo.select %1, %3, %arg19 : tensor<1x8xi1>, tensor<1x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<1x8x1xi32>
    %6 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<1x8x1xi32>) -> tensor<1x8x16xf32>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<1x4x8x8xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %9 = call @tril(%8) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<1x4x8x8xi1>
    %12 = stablehlo.and %7, %11 : tensor<1x4x8x8xi1>
    %cst = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %13:2 = call @_where(%12, %cst) : (tensor<1x4x8x8xi1>, tensor<f32>) -> (tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>)
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x1x8x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x1x8x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x1x8x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x1x1x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x1x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x1x8x16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x1x8x4x4xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x1x8x4x1x4xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x1x1x4x8x8xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x1x1x4x8x1xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x1x1x4x8x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x1x1x4x8x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x1x8x4x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x1x8x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x1x8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x1x8x1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x1x8x1xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x1x1x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x1x8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x1x8x16xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x1x8x64xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x1x8x64xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x1x8x64xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x1x8x64xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x1x8x64xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x1x8x64xf32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %40:38 = stablehlo.while(%iterArg = %arg1, %iterArg_50 = %arg2, %iterArg_51 = %arg3, %iterArg_52 = %arg4, %iterArg_53 = %arg5, %iterArg_54 = %arg6, %iterArg_55 = %arg7, %iterArg_56 = %arg8, %iterArg_57 = %13#0, %iterArg_58 = %13#1, %iterArg_59 = %c_29, %iterArg_60 = %6, %iterArg_61 = %14, %iterArg_62 = %15, %iterArg_63 = %16, %iterArg_64 = %17, %iterArg_65 = %18, %iterArg_66 = %19, %iterArg_67 = %20, %iterArg_68 = %21, %iterArg_69 = %22, %iterArg_70 = %23, %iterArg_71 = %24, %iterArg_72 = %25, %iterArg_73 = %26, %iterArg_74 = %27, %iterArg_75 = %28, %iterArg_76 = %29, %iterArg_77 = %30, %iterArg_78 = %31, %iterArg_79 = %32, %iterArg_80 = %33, %iterArg_81 = %34, %iterArg_82 = %35, %iterArg_83 = %36, %iterArg_84 = %37, %iterArg_85 = %38, %iterArg_86 = %39) : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>, tensor<i32>, tensor<1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x4x4xf32>, tensor<4x1x8x4x1x4xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x8x4x4xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>
    cond {
      %c_87 = stablehlo.constant dense<4> : tensor<i32>
      %105 = stablehlo.compare LT, %iterArg_59, %c_87, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %105 : tensor<i1>
    } do {
      %105 = func.call @dynamic_index_in_dim_0(%iterArg, %iterArg_59) : (tensor<4x16xf32>, tensor<i32>) -> tensor<16xf32>
      %106 = func.call @dynamic_index_in_dim_0(%iterArg_50, %iterArg_59) : (tensor<4x16xf32>, tensor<i32>) -> tensor<16xf32>
      %107 = func.call @dynamic_index_in_dim_1(%iterArg_51, %iterArg_59) : (tensor<4x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %108 = func.call @dynamic_index_in_dim_2(%iterArg_52, %iterArg_59) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %109 = func.call @dynamic_index_in_dim_3(%iterArg_53, %iterArg_59) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %110 = func.call @dynamic_index_in_dim_3(%iterArg_54, %iterArg_59) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %111 = func.call @dynamic_index_in_dim_3(%iterArg_55, %iterArg_59) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %112 = func.call @dynamic_index_in_dim_3(%iterArg_56, %iterArg_59) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %113:27 = func.call @closed_call_4(%iterArg_57, %iterArg_58, %iterArg_60, %105, %106, %107, %108, %109, %110, %111, %112) : (tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>, tensor<1x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> (tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x1x4xf32>, tensor<1x1x4x8x8xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x8xf32>, tensor<1x8x4x4xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>)
      %114 = func.call @dynamic_update_index_in_dim(%iterArg_61, %113#1, %iterArg_59) : (tensor<4x1x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>) -> tensor<4x1x8x16xf32>
      %115 = func.call @dynamic_update_index_in_dim_6(%iterArg_62, %113#2, %iterArg_59) : (tensor<4x1x8x1xf32>, tensor<1x8x1xf32>, tensor<i32>) -> tensor<4x1x8x1xf32>
      %116 = func.call @dynamic_update_index_in_dim_6(%iterArg_63, %113#3, %iterArg_59) : (tensor<4x1x8x1xf32>, tensor<1x8x1xf32>, tensor<i32>) -> tensor<4x1x8x1xf32>
      %117 = func.call @dynamic_update_index_in_dim_7(%iterArg_64, %113#4, %iterArg_59) : (tensor<4x1x1x16xf32>, tensor<1x1x16xf32>, tensor<i32>) -> tensor<4x1x1x16xf32>
      %118 = func.call @dynamic_update_index_in_dim(%iterArg_65, %113#5, %iterArg_59) : (tensor<4x1x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>) -> tensor<4x1x8x16xf32>
      %119 = func.call @dynamic_update_index_in_dim(%iterArg_66, %113#6, %iterArg_59) : (tensor<4x1x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>) -> tensor<4x1x8x16xf32>
      %120 = func.call @dynamic_update_index_in_dim_8(%iterArg_67, %113#7, %iterArg_59) : (tensor<4x1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<i32>) -> tensor<4x1x8x4x4xf32>
      %121 = func.call @dynamic_update_index_in_dim_9(%iterArg_68, %113#8, %iterArg_59) : (tensor<4x1x8x4x1x4xf32>, tensor<1x8x4x1x4xf32>, tensor<i32>) -> tensor<4x1x8x4x1x4xf32>
      %122 = func.call @dynamic_update_index_in_dim_10(%iterArg_69, %113#9, %iterArg_59) : (tensor<4x1x1x4x8x8xf32>, tensor<1x1x4x8x8xf32>, tensor<i32>) -> tensor<4x1x1x4x8x8xf32>
      %123 = func.call @dynamic_update_index_in_dim_11(%iterArg_70, %113#10, %iterArg_59) : (tensor<4x1x1x4x8x1xf32>, tensor<1x1x4x8x1xf32>, tensor<i32>) -> tensor<4x1x1x4x8x1xf32>
      %124 = func.call @dynamic_update_index_in_dim_11(%iterArg_71, %113#11, %iterArg_59) : (tensor<4x1x1x4x8x1xf32>, tensor<1x1x4x8x1xf32>, tensor<i32>) -> tensor<4x1x1x4x8x1xf32>
      %125 = func.call @dynamic_update_index_in_dim_10(%iterArg_72, %113#12, %iterArg_59) : (tensor<4x1x1x4x8x8xf32>, tensor<1x1x4x8x8xf32>, tensor<i32>) -> tensor<4x1x1x4x8x8xf32>
      %126 = func.call @dynamic_update_index_in_dim_8(%iterArg_73, %113#13, %iterArg_59) : (tensor<4x1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<i32>) -> tensor<4x1x8x4x4xf32>
      %127 = func.call @dynamic_update_index_in_dim(%iterArg_74, %113#14, %iterArg_59) : (tensor<4x1x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>) -> tensor<4x1x8x16xf32>
      %128 = func.call @dynamic_update_index_in_dim(%iterArg_75, %113#15, %iterArg_59) : (tensor<4x1x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>) -> tensor<4x1x8x16xf32>
      %129 = func.call @dynamic_update_index_in_dim_6(%iterArg_76, %113#16, %iterArg_59) : (tensor<4x1x8x1xf32>, tensor<1x8x1xf32>, tensor<i32>) -> tensor<4x1x8x1xf32>
      %130 = func.call @dynamic_update_index_in_dim_6(%iterArg_77, %113#17, %iterArg_59) : (tensor<4x1x8x1xf32>, tensor<1x8x1xf32>, tensor<i32>) -> tensor<4x1x8x1xf32>
      %131 = func.call @dynamic_update_index_in_dim_7(%iterArg_78, %113#18, %iterArg_59) : (tensor<4x1x1x16xf32>, tensor<1x1x16xf32>, tensor<i32>) -> tensor<4x1x1x16xf32>
      %132 = func.call @dynamic_update_index_in_dim(%iterArg_79, %113#19, %iterArg_59) : (tensor<4x1x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>) -> tensor<4x1x8x16xf32>
      %133 = func.call @dynamic_update_index_in_dim(%iterArg_80, %113#20, %iterArg_59) : (tensor<4x1x8x16xf32>, tensor<1x8x16xf32>, tensor<i32>) -> tensor<4x1x8x16xf32>
      %134 = func.call @dynamic_update_index_in_dim_12(%iterArg_81, %113#21, %iterArg_59) : (tensor<4x1x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>) -> tensor<4x1x8x64xf32>
      %135 = func.call @dynamic_update_index_in_dim_12(%iterArg_82, %113#22, %iterArg_59) : (tensor<4x1x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>) -> tensor<4x1x8x64xf32>
      %136 = func.call @dynamic_update_index_in_dim_12(%iterArg_83, %113#23, %iterArg_59) : (tensor<4x1x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>) -> tensor<4x1x8x64xf32>
      %137 = func.call @dynamic_update_index_in_dim_12(%iterArg_84, %113#24, %iterArg_59) : (tensor<4x1x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>) -> tensor<4x1x8x64xf32>
      %138 = func.call @dynamic_update_index_in_dim_12(%iterArg_85, %113#25, %iterArg_59) : (tensor<4x1x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>) -> tensor<4x1x8x64xf32>
      %139 = func.call @dynamic_update_index_in_dim_12(%iterArg_86, %113#26, %iterArg_59) : (tensor<4x1x8x64xf32>, tensor<1x8x64xf32>, tensor<i32>) -> tensor<4x1x8x64xf32>
      %c_87 = stablehlo.constant dense<1> : tensor<i32>
      %140 = stablehlo.add %iterArg_59, %c_87 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %140, %113#0, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136, %137, %138, %139 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>, tensor<i32>, tensor<1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x4x4xf32>, tensor<4x1x8x4x1x4xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x8x4x4xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>
    }
    %41 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %42 = stablehlo.dot_general %40#11, %41, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x32xf32>) -> tensor<1x8x32xf32>
    %43 = stablehlo.broadcast_in_dim %arg20, dims = [0, 1] : (tensor<1x8xi32>) -> tensor<1x8x1xi32>
    %44:2 = call @take_along_axis(%42, %43) : (tensor<1x8x32xf32>, tensor<1x8x1xi32>) -> (tensor<1x8x1xf32>, tensor<8x1x1xi32>)
    %45 = stablehlo.reshape %44#0 : (tensor<1x8x1xf32>) -> tensor<1x8xf32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %46 = stablehlo.reduce(%42 init: %cst_30) applies stablehlo.maximum across dimensions = [2] : (tensor<1x8x32xf32>, tensor<f32>) -> tensor<1x8xf32>
    %cst_31 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %48 = stablehlo.maximum %47, %46 : tensor<1x8xf32>
    %49 = stablehlo.is_finite %48 : (tensor<1x8xf32>) -> tensor<1x8xi1>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %51 = stablehlo.select %49, %48, %50 : tensor<1x8xi1>, tensor<1x8xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x32xf32>
    %54 = stablehlo.subtract %42, %53 : tensor<1x8x32xf32>
    %55 = stablehlo.exponential %54 : tensor<1x8x32xf32>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %56 = stablehlo.reduce(%55 init: %cst_33) applies stablehlo.add across dimensions = [2] : (tensor<1x8x32xf32>, tensor<f32>) -> tensor<1x8xf32>
    %57 = stablehlo.abs %56 : tensor<1x8xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %59 = stablehlo.compare GE, %56, %58, FLOAT : (tensor<1x8xf32>, tensor<1x8xf32>) -> tensor<1x8xi1>
    %60 = stablehlo.log %57 : tensor<1x8xf32>
    %61 = stablehlo.add %60, %51 : tensor<1x8xf32>
    %62 = stablehlo.subtract %61, %45 : tensor<1x8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%62 init: %cst_35) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_36 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %64 = stablehlo.divide %63, %cst_36 : tensor<f32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_38 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %65 = stablehlo.divide %cst_37, %cst_38 : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %67 = stablehlo.negate %66 : tensor<1x8xf32>
    %68 = stablehlo.divide %66, %57 : tensor<1x8xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<1x8xf32>
    %70 = stablehlo.select %59, %69, %68 : tensor<1x8xi1>, tensor<1x8xf32>
    %71 = stablehlo.select %59, %68, %69 : tensor<1x8xi1>, tensor<1x8xf32>
    %72 = stablehlo.negate %70 : tensor<1x8xf32>
    %73 = stablehlo.add %71, %72 : tensor<1x8xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x32xf32>
    %75 = stablehlo.multiply %74, %55 : tensor<1x8x32xf32>
    %76 = stablehlo.broadcast_in_dim %67, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %77 = call @take_along_axis_13(%44#1, %76) : (tensor<8x1x1xi32>, tensor<1x8x1xf32>) -> tensor<1x8x32xf32>
    %78 = stablehlo.add %75, %77 : tensor<1x8x32xf32>
    %79 = stablehlo.dot_general %78, %40#11, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x32xf32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
    %80 = stablehlo.transpose %79, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %81 = stablehlo.dot_general %78, %41, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x32xf32>, tensor<16x32xf32>) -> tensor<1x8x16xf32>
    %82 = stablehlo.transpose %80, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %83 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x16xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x64x16xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x16x16xf32>
    %c_48 = stablehlo.constant dense<0> : tensor<i32>
    %91:43 = stablehlo.while(%iterArg = %40#12, %iterArg_50 = %40#13, %iterArg_51 = %40#14, %iterArg_52 = %40#15, %iterArg_53 = %40#16, %iterArg_54 = %arg7, %iterArg_55 = %40#17, %iterArg_56 = %arg5, %iterArg_57 = %arg8, %iterArg_58 = %40#18, %iterArg_59 = %40#19, %iterArg_60 = %40#20, %iterArg_61 = %40#21, %iterArg_62 = %40#22, %iterArg_63 = %40#23, %iterArg_64 = %40#24, %iterArg_65 = %arg6, %iterArg_66 = %40#25, %iterArg_67 = %40#26, %iterArg_68 = %40#27, %iterArg_69 = %40#28, %iterArg_70 = %40#29, %iterArg_71 = %40#30, %iterArg_72 = %arg3, %iterArg_73 = %40#31, %iterArg_74 = %40#32, %iterArg_75 = %40#33, %iterArg_76 = %40#34, %iterArg_77 = %40#35, %iterArg_78 = %40#36, %iterArg_79 = %arg4, %iterArg_80 = %40#37, %iterArg_81 = %13#0, %iterArg_82 = %c_48, %iterArg_83 = %81, %iterArg_84 = %83, %iterArg_85 = %84, %iterArg_86 = %85, %iterArg_87 = %86, %iterArg_88 = %87, %iterArg_89 = %88, %iterArg_90 = %89, %iterArg_91 = %90) : tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x16x16xf32>, tensor<4x1x8x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x1x8x4x4xf32>, tensor<4x1x8x4x1x4xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x8x4x4xf32>, tensor<4x16x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x16x64xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x64x16xf32>, tensor<4x1x8x64xf32>, tensor<1x1x4x8x8xi1>, tensor<i32>, tensor<1x8x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
    cond {
      %c_92 = stablehlo.constant dense<4> : tensor<i32>
      %105 = stablehlo.compare LT, %iterArg_82, %c_92, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %105 : tensor<i1>
    } do {
      %c_92 = stablehlo.constant dense<4> : tensor<i32>
      %105 = stablehlo.subtract %c_92, %iterArg_82 : tensor<i32>
      %c_93 = stablehlo.constant dense<1> : tensor<i32>
      %106 = stablehlo.subtract %105, %c_93 : tensor<i32>
      %107 = func.call @dynamic_index_in_dim_14(%iterArg, %106) : (tensor<4x1x8x16xf32>, tensor<i32>) -> tensor<1x8x16xf32>
      %108 = func.call @dynamic_index_in_dim_15(%iterArg_50, %106) : (tensor<4x1x8x1xf32>, tensor<i32>) -> tensor<1x8x1xf32>
      %109 = func.call @dynamic_index_in_dim_15(%iterArg_51, %106) : (tensor<4x1x8x1xf32>, tensor<i32>) -> tensor<1x8x1xf32>
      %110 = func.call @dynamic_index_in_dim_16(%iterArg_52, %106) : (tensor<4x1x1x16xf32>, tensor<i32>) -> tensor<1x1x16xf32>
      %111 = func.call @dynamic_index_in_dim_14(%iterArg_53, %106) : (tensor<4x1x8x16xf32>, tensor<i32>) -> tensor<1x8x16xf32>
      %112 = func.call @dynamic_index_in_dim_3(%iterArg_54, %106) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %113 = func.call @dynamic_index_in_dim_14(%iterArg_55, %106) : (tensor<4x1x8x16xf32>, tensor<i32>) -> tensor<1x8x16xf32>
      %114 = func.call @dynamic_index_in_dim_3(%iterArg_56, %106) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %115 = func.call @dynamic_index_in_dim_3(%iterArg_57, %106) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %116 = func.call @dynamic_index_in_dim_17(%iterArg_58, %106) : (tensor<4x1x8x4x4xf32>, tensor<i32>) -> tensor<1x8x4x4xf32>
      %117 = func.call @dynamic_index_in_dim_18(%iterArg_59, %106) : (tensor<4x1x8x4x1x4xf32>, tensor<i32>) -> tensor<1x8x4x1x4xf32>
      %118 = func.call @dynamic_index_in_dim_19(%iterArg_60, %106) : (tensor<4x1x1x4x8x8xf32>, tensor<i32>) -> tensor<1x1x4x8x8xf32>
      %119 = func.call @dynamic_index_in_dim_20(%iterArg_61, %106) : (tensor<4x1x1x4x8x1xf32>, tensor<i32>) -> tensor<1x1x4x8x1xf32>
      %120 = func.call @dynamic_index_in_dim_20(%iterArg_62, %106) : (tensor<4x1x1x4x8x1xf32>, tensor<i32>) -> tensor<1x1x4x8x1xf32>
      %121 = func.call @dynamic_index_in_dim_19(%iterArg_63, %106) : (tensor<4x1x1x4x8x8xf32>, tensor<i32>) -> tensor<1x1x4x8x8xf32>
      %122 = func.call @dynamic_index_in_dim_17(%iterArg_64, %106) : (tensor<4x1x8x4x4xf32>, tensor<i32>) -> tensor<1x8x4x4xf32>
      %123 = func.call @dynamic_index_in_dim_3(%iterArg_65, %106) : (tensor<4x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %124 = func.call @dynamic_index_in_dim_14(%iterArg_66, %106) : (tensor<4x1x8x16xf32>, tensor<i32>) -> tensor<1x8x16xf32>
      %125 = func.call @dynamic_index_in_dim_14(%iterArg_67, %106) : (tensor<4x1x8x16xf32>, tensor<i32>) -> tensor<1x8x16xf32>
      %126 = func.call @dynamic_index_in_dim_15(%iterArg_68, %106) : (tensor<4x1x8x1xf32>, tensor<i32>) -> tensor<1x8x1xf32>
      %127 = func.call @dynamic_index_in_dim_15(%iterArg_69, %106) : (tensor<4x1x8x1xf32>, tensor<i32>) -> tensor<1x8x1xf32>
      %128 = func.call @dynamic_index_in_dim_16(%iterArg_70, %106) : (tensor<4x1x1x16xf32>, tensor<i32>) -> tensor<1x1x16xf32>
      %129 = func.call @dynamic_index_in_dim_14(%iterArg_71, %106) : (tensor<4x1x8x16xf32>, tensor<i32>) -> tensor<1x8x16xf32>
      %130 = func.call @dynamic_index_in_dim_1(%iterArg_72, %106) : (tensor<4x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %131 = func.call @dynamic_index_in_dim_14(%iterArg_73, %106) : (tensor<4x1x8x16xf32>, tensor<i32>) -> tensor<1x8x16xf32>
      %132 = func.call @dynamic_index_in_dim_21(%iterArg_74, %106) : (tensor<4x1x8x64xf32>, tensor<i32>) -> tensor<1x8x64xf32>
      %133 = func.call @dynamic_index_in_dim_21(%iterArg_75, %106) : (tensor<4x1x8x64xf32>, tensor<i32>) -> tensor<1x8x64xf32>
      %134 = func.call @dynamic_index_in_dim_21(%iterArg_76, %106) : (tensor<4x1x8x64xf32>, tensor<i32>) -> tensor<1x8x64xf32>
      %135 = func.call @dynamic_index_in_dim_21(%iterArg_77, %106) : (tensor<4x1x8x64xf32>, tensor<i32>) -> tensor<1x8x64xf32>
      %136 = func.call @dynamic_index_in_dim_21(%iterArg_78, %106) : (tensor<4x1x8x64xf32>, tensor<i32>) -> tensor<1x8x64xf32>
      %137 = func.call @dynamic_index_in_dim_2(%iterArg_79, %106) : (tensor<4x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %138 = func.call @dynamic_index_in_dim_21(%iterArg_80, %106) : (tensor<4x1x8x64xf32>, tensor<i32>) -> tensor<1x8x64xf32>
      %139:9 = func.call @closed_call_22(%iterArg_81, %iterArg_83, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136, %137, %138) : (tensor<1x1x4x8x8xi1>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<16x16xf32>, tensor<1x8x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x1x4xf32>, tensor<1x1x4x8x8xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x8xf32>, tensor<1x8x4x4xf32>, tensor<16x16xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<16x64xf32>, tensor<1x8x16xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<64x16xf32>, tensor<1x8x64xf32>) -> (tensor<1x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)
      %140 = func.call @dynamic_update_index_in_dim_24(%iterArg_84, %139#1, %106) : (tensor<4x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %141 = func.call @dynamic_update_index_in_dim_24(%iterArg_85, %139#2, %106) : (tensor<4x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<4x16xf32>
      %142 = func.call @dynamic_update_index_in_dim_25(%iterArg_86, %139#3, %106) : (tensor<4x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<4x16x64xf32>
      %143 = func.call @dynamic_update_index_in_dim_26(%iterArg_87, %139#4, %106) : (tensor<4x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<4x64x16xf32>
      %144 = func.call @dynamic_update_index_in_dim_27(%iterArg_88, %139#5, %106) : (tensor<4x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<4x16x16xf32>
      %145 = func.call @dynamic_update_index_in_dim_27(%iterArg_89, %139#6, %106) : (tensor<4x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<4x16x16xf32>
      %146 = func.call @dynamic_update_index_in_dim_27(%iterArg_90, %139#7, %106) : (tensor<4x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<4x16x16xf32>
      %147 = func.call @dynamic_update_index_in_dim_27(%iterArg_91, %139#8, %106) : (tensor<4x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<4x16x16xf32>
      %c_94 = stablehlo.constant dense<1> : tensor<i32>
      %148 = stablehlo.add %iterArg_82, %c_94 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_50, %iterArg_51, %iterArg_52, %iterArg_53, %iterArg_54, %iterArg_55, %iterArg_56, %iterArg_57, %iterArg_58, %iterArg_59, %iterArg_60, %iterArg_61, %iterArg_62, %iterArg_63, %iterArg_64, %iterArg_65, %iterArg_66, %iterArg_67, %iterArg_68, %iterArg_69, %iterArg_70, %iterArg_71, %iterArg_72, %iterArg_73, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %iterArg_81, %148, %139#0, %140, %141, %142, %143, %144, %145, %146, %147 : tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x16x16xf32>, tensor<4x1x8x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x1x8x4x4xf32>, tensor<4x1x8x4x1x4xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x1xf32>, tensor<4x1x1x4x8x8xf32>, tensor<4x1x8x4x4xf32>, tensor<4x16x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x1xf32>, tensor<4x1x8x1xf32>, tensor<4x1x1x16xf32>, tensor<4x1x8x16xf32>, tensor<4x16x64xf32>, tensor<4x1x8x16xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x1x8x64xf32>, tensor<4x64x16xf32>, tensor<4x1x8x64xf32>, tensor<1x1x4x8x8xi1>, tensor<i32>, tensor<1x8x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
    }
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %93 = "stablehlo.scatter"(%92, %5, %91#34) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg21: tensor<f32>, %arg22: tensor<f32>):
      %105 = stablehlo.add %arg21, %arg22 : tensor<f32>
      stablehlo.return %105 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<1x8x1xi32>, tensor<1x8x16xf32>) -> tensor<32x16xf32>
    %94 = stablehlo.add %82, %93 : tensor<32x16xf32>
    %95 = stablehlo.add %arg9, %64 : tensor<f32>
    %96 = stablehlo.add %arg10, %94 : tensor<32x16xf32>
    %97 = stablehlo.add %arg11, %91#35 : tensor<4x16xf32>
    %98 = stablehlo.add %arg12, %91#36 : tensor<4x16xf32>
    %99 = stablehlo.add %arg13, %91#37 : tensor<4x16x64xf32>
    %100 = stablehlo.add %arg14, %91#38 : tensor<4x64x16xf32>
    %101 = stablehlo.add %arg15, %91#39 : tensor<4x16x16xf32>
    %102 = stablehlo.add %arg16, %91#40 : tensor<4x16x16xf32>
    %103 = stablehlo.add %arg17, %91#41 : tensor<4x16x16xf32>
    %104 = stablehlo.add %arg18, %91#42 : tensor<4x16x16xf32>
    return %95, %96, %97, %98, %99, %100, %101, %102, %103, %104 : tensor<f32>, tensor<32x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16x64xf32>, tensor<4x64x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>, tensor<4x16x16xf32>
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
  func.func private @_where(%arg0: tensor<1x4x8x8xi1>, %arg1: tensor<f32>) -> (tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x4x8x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<1x4x8x8xi1>) -> tensor<1x1x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<1x4x8x8xf32>) -> tensor<1x1x4x8x8xf32>
    return %1, %2 : tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<4x16xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 16] : (tensor<4x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<4x16x64xf32>, %arg1: tensor<i32>) -> tensor<16x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 64] : (tensor<4x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    return %1 : tensor<16x64xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<4x64x16xf32>, %arg1: tensor<i32>) -> tensor<64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 16] : (tensor<4x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<4x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<4x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call_4(%arg0: tensor<1x1x4x8x8xi1>, %arg1: tensor<1x1x4x8x8xf32>, %arg2: tensor<1x8x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x64xf32>, %arg6: tensor<64x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) -> (tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x1x4xf32>, tensor<1x1x4x8x8xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x8xf32>, tensor<1x8x4x4xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %5 = stablehlo.subtract %arg2, %4 : tensor<1x8x16xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<1x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<1x8x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<1x8x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<1x8x1xf32>
    %14 = stablehlo.divide %13, %12 : tensor<1x8x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %16 = stablehlo.multiply %15, %14 : tensor<1x8x1xf32>
    %17 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %18 = stablehlo.multiply %5, %17 : tensor<1x8x16xf32>
    %19 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
    %21 = stablehlo.multiply %18, %20 : tensor<1x8x16xf32>
    %22 = stablehlo.dot_general %21, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %23 = stablehlo.reshape %22 : (tensor<1x8x16xf32>) -> tensor<1x8x4x4xf32>
    %24 = stablehlo.dot_general %21, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %25 = stablehlo.reshape %24 : (tensor<1x8x16xf32>) -> tensor<1x8x4x4xf32>
    %26 = stablehlo.dot_general %21, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %27 = stablehlo.reshape %26 : (tensor<1x8x16xf32>) -> tensor<1x8x4x4xf32>
    %28 = stablehlo.reshape %23 : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x1x4xf32>
    %29 = stablehlo.dot_general %28, %25, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x8x4x1x4xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x1x8xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x4x8x1x8xf32>
    %31 = stablehlo.multiply %29, %30 : tensor<1x4x8x1x8xf32>
    %32 = call @_where_5(%31, %arg0, %arg1) : (tensor<1x4x8x1x8xf32>, tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>) -> tensor<1x1x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %33 = stablehlo.reduce(%32 init: %cst_6) applies stablehlo.maximum across dimensions = [4] : (tensor<1x1x4x8x8xf32>, tensor<f32>) -> tensor<1x1x4x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x1x4x8xf32>
    %35 = stablehlo.maximum %34, %33 : tensor<1x1x4x8xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x8x1xf32>) -> tensor<1x1x4x8x8xf32>
    %38 = stablehlo.subtract %32, %37 : tensor<1x1x4x8x8xf32>
    %39 = stablehlo.exponential %38 : tensor<1x1x4x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.reduce(%39 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<1x1x4x8x8xf32>, tensor<f32>) -> tensor<1x1x4x8xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x8x1xf32>) -> tensor<1x1x4x8x8xf32>
    %43 = stablehlo.divide %39, %42 : tensor<1x1x4x8x8xf32>
    %44 = stablehlo.multiply %41, %41 : tensor<1x1x4x8x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x1x4x8x1xf32>
    %46 = stablehlo.divide %45, %44 : tensor<1x1x4x8x1xf32>
    %47 = stablehlo.dot_general %27, %43, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<1x8x4x4xf32>, tensor<1x1x4x8x8xf32>) -> tensor<1x4x4x1x8xf32>
    %48 = stablehlo.transpose %47, dims = [3, 0, 4, 1, 2] : (tensor<1x4x4x1x8xf32>) -> tensor<1x1x8x4x4xf32>
    %49 = stablehlo.transpose %48, dims = [1, 2, 3, 0, 4] : (tensor<1x1x8x4x4xf32>) -> tensor<1x8x4x1x4xf32>
    %50 = stablehlo.reshape %49 : (tensor<1x8x4x1x4xf32>) -> tensor<1x8x4x4xf32>
    %51 = stablehlo.reshape %50 : (tensor<1x8x4x4xf32>) -> tensor<1x8x16xf32>
    %52 = stablehlo.dot_general %51, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %53 = stablehlo.add %arg2, %52 : tensor<1x8x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_11 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %57 = stablehlo.divide %55, %56 : tensor<1x8x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %59 = stablehlo.subtract %53, %58 : tensor<1x8x16xf32>
    %60 = stablehlo.multiply %59, %59 : tensor<1x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.reduce(%60 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %64 = stablehlo.divide %62, %63 : tensor<1x8x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %66 = stablehlo.add %64, %65 : tensor<1x8x1xf32>
    %67 = stablehlo.rsqrt %66 : tensor<1x8x1xf32>
    %68 = stablehlo.divide %67, %66 : tensor<1x8x1xf32>
    %cst_15 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %70 = stablehlo.multiply %69, %68 : tensor<1x8x1xf32>
    %71 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %72 = stablehlo.multiply %59, %71 : tensor<1x8x16xf32>
    %73 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
    %75 = stablehlo.multiply %72, %74 : tensor<1x8x16xf32>
    %76 = stablehlo.dot_general %75, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x64xf32>) -> tensor<1x8x64xf32>
    %77 = stablehlo.multiply %76, %76 : tensor<1x8x64xf32>
    %78 = stablehlo.multiply %77, %76 : tensor<1x8x64xf32>
    %79 = stablehlo.multiply %76, %76 : tensor<1x8x64xf32>
    %cst_16 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %81 = stablehlo.multiply %80, %79 : tensor<1x8x64xf32>
    %cst_17 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %83 = stablehlo.multiply %82, %78 : tensor<1x8x64xf32>
    %84 = stablehlo.add %76, %83 : tensor<1x8x64xf32>
    %cst_18 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %86 = stablehlo.multiply %85, %84 : tensor<1x8x64xf32>
    %87 = stablehlo.tanh %86 : tensor<1x8x64xf32>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %89 = stablehlo.subtract %88, %87 : tensor<1x8x64xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %91 = stablehlo.add %90, %87 : tensor<1x8x64xf32>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<1x8x64xf32>
    %94 = stablehlo.multiply %76, %93 : tensor<1x8x64xf32>
    %95 = stablehlo.dot_general %94, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x8x64xf32>, tensor<64x16xf32>) -> tensor<1x8x16xf32>
    %96 = stablehlo.add %53, %95 : tensor<1x8x16xf32>
    return %96, %5, %16, %13, %19, %18, %21, %25, %28, %39, %41, %46, %43, %27, %51, %59, %70, %67, %73, %72, %75, %81, %87, %89, %93, %76, %94 : tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x4x4xf32>, tensor<1x8x4x1x4xf32>, tensor<1x1x4x8x8xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x1xf32>, tensor<1x1x4x8x8xf32>, tensor<1x8x4x4xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x1xf32>, tensor<1x8x1xf32>, tensor<1x1x16xf32>, tensor<1x8x16xf32>, tensor<1x8x16xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>, tensor<1x8x64xf32>
  }
  func.func private @_where_5(%arg0: tensor<1x4x8x1x8xf32>, %arg1: tensor<1x1x4x8x8xi1>, %arg2: tensor<1x1x4x8x8xf32>) -> tensor<1x1x4x8x8xf32> {
    %0 = stablehlo.transpose %arg0, dims = [3, 0, 1, 2, 4] : (tensor<1x4x8x1x8xf32>) -> tensor<1x1x4x8x8xf32>
    %1 = stablehlo.select %arg1, %0, %arg2 : tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>
    return %1 : tensor<1x1x4x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x1x8x16xf32>, %arg1: tensor<1x8x16xf32>, %arg2: tensor<i32>) -> tensor<4x1x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x8x16xf32>) -> tensor<1x1x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x1x8x16xf32>, tensor<1x1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x8x16xf32>
    return %1 : tensor<4x1x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<4x1x8x1xf32>, %arg1: tensor<1x8x1xf32>, %arg2: tensor<i32>) -> tensor<4x1x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x8x1xf32>) -> tensor<1x1x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x1x8x1xf32>, tensor<1x1x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x8x1xf32>
    return %1 : tensor<4x1x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<4x1x1x16xf32>, %arg1: tensor<1x1x16xf32>, %arg2: tensor<i32>) -> tensor<4x1x1x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x1x16xf32>) -> tensor<1x1x1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x1x1x16xf32>, tensor<1x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x1x16xf32>
    return %1 : tensor<4x1x1x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<4x1x8x4x4xf32>, %arg1: tensor<1x8x4x4xf32>, %arg2: tensor<i32>) -> tensor<4x1x8x4x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<1x8x4x4xf32>) -> tensor<1x1x8x4x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<4x1x8x4x4xf32>, tensor<1x1x8x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x8x4x4xf32>
    return %1 : tensor<4x1x8x4x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<4x1x8x4x1x4xf32>, %arg1: tensor<1x8x4x1x4xf32>, %arg2: tensor<i32>) -> tensor<4x1x8x4x1x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<1x8x4x1x4xf32>) -> tensor<1x1x8x4x1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<4x1x8x4x1x4xf32>, tensor<1x1x8x4x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x8x4x1x4xf32>
    return %1 : tensor<4x1x8x4x1x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_10(%arg0: tensor<4x1x1x4x8x8xf32>, %arg1: tensor<1x1x4x8x8xf32>, %arg2: tensor<i32>) -> tensor<4x1x1x4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<1x1x4x8x8xf32>) -> tensor<1x1x1x4x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<4x1x1x4x8x8xf32>, tensor<1x1x1x4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x1x4x8x8xf32>
    return %1 : tensor<4x1x1x4x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_11(%arg0: tensor<4x1x1x4x8x1xf32>, %arg1: tensor<1x1x4x8x1xf32>, %arg2: tensor<i32>) -> tensor<4x1x1x4x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<1x1x4x8x1xf32>) -> tensor<1x1x1x4x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<4x1x1x4x8x1xf32>, tensor<1x1x1x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x1x4x8x1xf32>
    return %1 : tensor<4x1x1x4x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_12(%arg0: tensor<4x1x8x64xf32>, %arg1: tensor<1x8x64xf32>, %arg2: tensor<i32>) -> tensor<4x1x8x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x8x64xf32>) -> tensor<1x1x8x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x1x8x64xf32>, tensor<1x1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x1x8x64xf32>
    return %1 : tensor<4x1x8x64xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<1x8x32xf32>, %arg1: tensor<1x8x1xi32>) -> (tensor<1x8x1xf32>, tensor<8x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1x8x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<1x8x1xi32>, tensor<1x8x1xi32>) -> tensor<1x8x1xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<1x8x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<1x8x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<1x8x1xi1>, tensor<1x8x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<1x8x1xi32>) -> tensor<8x1x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<8x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x1x1xi32>, tensor<8x1x1xi32>) -> tensor<8x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<8x1x1xi1>, tensor<i1>) -> tensor<8x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [2], operand_batching_dims = [1], start_indices_batching_dims = [0], start_index_map = [2], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<1x8x32xf32>, tensor<8x1x1xi32>) -> tensor<1x8x1xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [1, 2] : (tensor<8x1xi1>) -> tensor<1x8x1xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<1x8x1xi1>, tensor<1x8x1xf32>
    return %16, %5 : tensor<1x8x1xf32>, tensor<8x1x1xi32>
  }
  func.func private @take_along_axis_13(%arg0: tensor<8x1x1xi32>, %arg1: tensor<1x8x1xf32>) -> tensor<1x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [2], input_batching_dims = [1], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1x8x32xf32>, tensor<8x1x1xi32>, tensor<1x8x1xf32>) -> tensor<1x8x32xf32>
    return %1 : tensor<1x8x32xf32>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<4x1x8x16xf32>, %arg1: tensor<i32>) -> tensor<1x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 8, 16] : (tensor<4x1x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x16xf32>) -> tensor<1x8x16xf32>
    return %1 : tensor<1x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_15(%arg0: tensor<4x1x8x1xf32>, %arg1: tensor<i32>) -> tensor<1x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 8, 1] : (tensor<4x1x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x1xf32>) -> tensor<1x8x1xf32>
    return %1 : tensor<1x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_16(%arg0: tensor<4x1x1x16xf32>, %arg1: tensor<i32>) -> tensor<1x1x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 1, 16] : (tensor<4x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x1x16xf32>) -> tensor<1x1x16xf32>
    return %1 : tensor<1x1x16xf32>
  }
  func.func private @dynamic_index_in_dim_17(%arg0: tensor<4x1x8x4x4xf32>, %arg1: tensor<i32>) -> tensor<1x8x4x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 1, 8, 4, 4] : (tensor<4x1x8x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x4x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    return %1 : tensor<1x8x4x4xf32>
  }
  func.func private @dynamic_index_in_dim_18(%arg0: tensor<4x1x8x4x1x4xf32>, %arg1: tensor<i32>) -> tensor<1x8x4x1x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 1, 8, 4, 1, 4] : (tensor<4x1x8x4x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x4x1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x4x1x4xf32>) -> tensor<1x8x4x1x4xf32>
    return %1 : tensor<1x8x4x1x4xf32>
  }
  func.func private @dynamic_index_in_dim_19(%arg0: tensor<4x1x1x4x8x8xf32>, %arg1: tensor<i32>) -> tensor<1x1x4x8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 1, 1, 4, 8, 8] : (tensor<4x1x1x4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x4x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x1x4x8x8xf32>) -> tensor<1x1x4x8x8xf32>
    return %1 : tensor<1x1x4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_20(%arg0: tensor<4x1x1x4x8x1xf32>, %arg1: tensor<i32>) -> tensor<1x1x4x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 1, 1, 4, 8, 1] : (tensor<4x1x1x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x4x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x1x4x8x1xf32>) -> tensor<1x1x4x8x1xf32>
    return %1 : tensor<1x1x4x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_21(%arg0: tensor<4x1x8x64xf32>, %arg1: tensor<i32>) -> tensor<1x8x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 8, 64] : (tensor<4x1x8x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x8x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x8x64xf32>) -> tensor<1x8x64xf32>
    return %1 : tensor<1x8x64xf32>
  }
  func.func private @closed_call_22(%arg0: tensor<1x1x4x8x8xi1>, %arg1: tensor<1x8x16xf32>, %arg2: tensor<1x8x16xf32>, %arg3: tensor<1x8x1xf32>, %arg4: tensor<1x8x1xf32>, %arg5: tensor<1x1x16xf32>, %arg6: tensor<1x8x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<1x8x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>, %arg11: tensor<1x8x4x4xf32>, %arg12: tensor<1x8x4x1x4xf32>, %arg13: tensor<1x1x4x8x8xf32>, %arg14: tensor<1x1x4x8x1xf32>, %arg15: tensor<1x1x4x8x1xf32>, %arg16: tensor<1x1x4x8x8xf32>, %arg17: tensor<1x8x4x4xf32>, %arg18: tensor<16x16xf32>, %arg19: tensor<1x8x16xf32>, %arg20: tensor<1x8x16xf32>, %arg21: tensor<1x8x1xf32>, %arg22: tensor<1x8x1xf32>, %arg23: tensor<1x1x16xf32>, %arg24: tensor<1x8x16xf32>, %arg25: tensor<16x64xf32>, %arg26: tensor<1x8x16xf32>, %arg27: tensor<1x8x64xf32>, %arg28: tensor<1x8x64xf32>, %arg29: tensor<1x8x64xf32>, %arg30: tensor<1x8x64xf32>, %arg31: tensor<1x8x64xf32>, %arg32: tensor<64x16xf32>, %arg33: tensor<1x8x64xf32>) -> (tensor<1x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg33, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<1x8x64xf32>) -> tensor<16x64xf32>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %2 = stablehlo.dot_general %arg1, %arg32, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<64x16xf32>) -> tensor<1x8x64xf32>
    %3 = stablehlo.multiply %arg31, %2 : tensor<1x8x64xf32>
    %4 = stablehlo.multiply %2, %arg30 : tensor<1x8x64xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<1x8x64xf32>
    %7 = stablehlo.multiply %6, %arg29 : tensor<1x8x64xf32>
    %8 = stablehlo.multiply %7, %arg28 : tensor<1x8x64xf32>
    %9 = stablehlo.add %7, %8 : tensor<1x8x64xf32>
    %cst_0 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %11 = stablehlo.multiply %10, %9 : tensor<1x8x64xf32>
    %12 = stablehlo.add %4, %11 : tensor<1x8x64xf32>
    %cst_1 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x8x64xf32>
    %14 = stablehlo.multiply %13, %11 : tensor<1x8x64xf32>
    %15 = stablehlo.multiply %14, %arg27 : tensor<1x8x64xf32>
    %16 = stablehlo.add %12, %15 : tensor<1x8x64xf32>
    %17 = stablehlo.dot_general %16, %arg26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x64xf32>, tensor<1x8x16xf32>) -> tensor<64x16xf32>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %19 = stablehlo.dot_general %16, %arg25, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x64xf32>, tensor<16x64xf32>) -> tensor<1x8x16xf32>
    %20 = stablehlo.multiply %arg24, %19 : tensor<1x8x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x16xf32>) -> tensor<1x1x16xf32>
    %23 = stablehlo.broadcast_in_dim %arg23, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
    %24 = stablehlo.multiply %19, %23 : tensor<1x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %26 = stablehlo.multiply %arg20, %24 : tensor<1x8x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.reduce(%26 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %28 = stablehlo.reshape %27 : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %29 = stablehlo.broadcast_in_dim %arg22, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %30 = stablehlo.multiply %24, %29 : tensor<1x8x16xf32>
    %31 = stablehlo.multiply %28, %arg21 : tensor<1x8x1xf32>
    %cst_5 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %33 = stablehlo.divide %31, %32 : tensor<1x8x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x16xf32>
    %37 = stablehlo.multiply %arg20, %36 : tensor<1x8x16xf32>
    %38 = stablehlo.add %30, %37 : tensor<1x8x16xf32>
    %39 = stablehlo.multiply %36, %arg20 : tensor<1x8x16xf32>
    %40 = stablehlo.add %38, %39 : tensor<1x8x16xf32>
    %41 = stablehlo.negate %40 : tensor<1x8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %43 = stablehlo.reshape %42 : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %44 = stablehlo.add %arg1, %40 : tensor<1x8x16xf32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %46 = stablehlo.divide %43, %45 : tensor<1x8x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_9) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x16xf32>
    %50 = stablehlo.add %44, %49 : tensor<1x8x16xf32>
    %51 = stablehlo.dot_general %50, %arg19, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<1x8x16xf32>) -> tensor<16x16xf32>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %53 = stablehlo.dot_general %50, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %54 = stablehlo.reshape %53 : (tensor<1x8x16xf32>) -> tensor<1x8x4x4xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x8x4x4xf32>) -> tensor<1x8x4x1x4xf32>
    %56 = stablehlo.transpose %55, dims = [3, 0, 1, 2, 4] : (tensor<1x8x4x1x4xf32>) -> tensor<1x1x8x4x4xf32>
    %57 = stablehlo.transpose %56, dims = [1, 3, 4, 0, 2] : (tensor<1x1x8x4x4xf32>) -> tensor<1x4x4x1x8xf32>
    %58 = stablehlo.dot_general %57, %arg17, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x4x1x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x1x8x8xf32>
    %59 = stablehlo.transpose %58, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x8x8xf32>) -> tensor<1x1x4x8x8xf32>
    %60 = stablehlo.dot_general %57, %arg16, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x4x1x8xf32>, tensor<1x1x4x8x8xf32>) -> tensor<1x4x4x8xf32>
    %61 = stablehlo.transpose %60, dims = [0, 3, 1, 2] : (tensor<1x4x4x8xf32>) -> tensor<1x8x4x4xf32>
    %62 = stablehlo.broadcast_in_dim %arg15, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x8x1xf32>) -> tensor<1x1x4x8x8xf32>
    %63 = stablehlo.multiply %59, %62 : tensor<1x1x4x8x8xf32>
    %64 = stablehlo.multiply %63, %arg13 : tensor<1x1x4x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.reduce(%64 init: %cst_10) applies stablehlo.add across dimensions = [4] : (tensor<1x1x4x8x8xf32>, tensor<f32>) -> tensor<1x1x4x8xf32>
    %66 = stablehlo.reshape %65 : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8x1xf32>
    %67 = stablehlo.negate %66 : tensor<1x1x4x8x1xf32>
    %68 = stablehlo.broadcast_in_dim %arg14, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x8x1xf32>) -> tensor<1x1x4x8x8xf32>
    %69 = stablehlo.divide %59, %68 : tensor<1x1x4x8x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.reduce(%67 init: %cst_11) applies stablehlo.add across dimensions = [0, 1, 4] : (tensor<1x1x4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [2, 3] : (tensor<4x8xf32>) -> tensor<1x1x4x8xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x1x4x8xf32>) -> tensor<1x1x4x8x8xf32>
    %73 = stablehlo.add %69, %72 : tensor<1x1x4x8x8xf32>
    %74 = stablehlo.multiply %73, %arg13 : tensor<1x1x4x8x8xf32>
    %75 = call @_where_23(%arg0, %74) : (tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>) -> tensor<1x4x8x1x8xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<1x4x8x1x8xf32>
    %77 = stablehlo.multiply %75, %76 : tensor<1x4x8x1x8xf32>
    %78 = stablehlo.dot_general %77, %arg12, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x8x1x8xf32>, tensor<1x8x4x1x4xf32>) -> tensor<1x4x8x4xf32>
    %79 = stablehlo.transpose %78, dims = [0, 2, 1, 3] : (tensor<1x4x8x4xf32>) -> tensor<1x8x4x4xf32>
    %80 = stablehlo.dot_general %77, %arg11, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x4x8x1x8xf32>, tensor<1x8x4x4xf32>) -> tensor<1x4x8x1x4xf32>
    %81 = stablehlo.transpose %80, dims = [0, 2, 1, 3, 4] : (tensor<1x4x8x1x4xf32>) -> tensor<1x8x4x1x4xf32>
    %82 = stablehlo.reshape %81 : (tensor<1x8x4x1x4xf32>) -> tensor<1x8x4x4xf32>
    %83 = stablehlo.reshape %61 : (tensor<1x8x4x4xf32>) -> tensor<1x8x16xf32>
    %84 = stablehlo.dot_general %83, %arg8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<1x8x16xf32>) -> tensor<16x16xf32>
    %85 = stablehlo.transpose %84, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %86 = stablehlo.dot_general %83, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %87 = stablehlo.reshape %79 : (tensor<1x8x4x4xf32>) -> tensor<1x8x16xf32>
    %88 = stablehlo.dot_general %87, %arg8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<1x8x16xf32>) -> tensor<16x16xf32>
    %89 = stablehlo.transpose %88, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %90 = stablehlo.dot_general %87, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %91 = stablehlo.add %86, %90 : tensor<1x8x16xf32>
    %92 = stablehlo.reshape %82 : (tensor<1x8x4x4xf32>) -> tensor<1x8x16xf32>
    %93 = stablehlo.dot_general %92, %arg8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<1x8x16xf32>) -> tensor<16x16xf32>
    %94 = stablehlo.transpose %93, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %95 = stablehlo.dot_general %92, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x8x16xf32>, tensor<16x16xf32>) -> tensor<1x8x16xf32>
    %96 = stablehlo.add %91, %95 : tensor<1x8x16xf32>
    %97 = stablehlo.multiply %arg6, %96 : tensor<1x8x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%97 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x16xf32>
    %99 = stablehlo.reshape %98 : (tensor<1x16xf32>) -> tensor<1x1x16xf32>
    %100 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<1x8x16xf32>
    %101 = stablehlo.multiply %96, %100 : tensor<1x8x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%99 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %103 = stablehlo.multiply %arg2, %101 : tensor<1x8x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %104 = stablehlo.reduce(%103 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %105 = stablehlo.reshape %104 : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %106 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<1x8x1xf32>) -> tensor<1x8x16xf32>
    %107 = stablehlo.multiply %101, %106 : tensor<1x8x16xf32>
    %108 = stablehlo.multiply %105, %arg3 : tensor<1x8x1xf32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %110 = stablehlo.divide %108, %109 : tensor<1x8x1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %111 = stablehlo.reduce(%110 init: %cst_17) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %113 = stablehlo.broadcast_in_dim %112, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x16xf32>
    %114 = stablehlo.multiply %arg2, %113 : tensor<1x8x16xf32>
    %115 = stablehlo.add %107, %114 : tensor<1x8x16xf32>
    %116 = stablehlo.multiply %113, %arg2 : tensor<1x8x16xf32>
    %117 = stablehlo.add %115, %116 : tensor<1x8x16xf32>
    %118 = stablehlo.negate %117 : tensor<1x8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %119 = stablehlo.reduce(%118 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<1x8xf32>
    %120 = stablehlo.reshape %119 : (tensor<1x8xf32>) -> tensor<1x8x1xf32>
    %121 = stablehlo.add %50, %117 : tensor<1x8x16xf32>
    %cst_19 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<1x8x1xf32>
    %123 = stablehlo.divide %120, %122 : tensor<1x8x1xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.reduce(%123 init: %cst_20) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x8x1xf32>, tensor<f32>) -> tensor<8xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1] : (tensor<1x8xf32>) -> tensor<1x8x16xf32>
    %127 = stablehlo.add %121, %126 : tensor<1x8x16xf32>
    return %127, %102, %25, %18, %1, %89, %52, %94, %85 : tensor<1x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  func.func private @_where_23(%arg0: tensor<1x1x4x8x8xi1>, %arg1: tensor<1x1x4x8x8xf32>) -> tensor<1x4x8x1x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x1x4x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x1x4x8x8xi1>, tensor<1x1x4x8x8xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x1x4x8x8xf32>) -> tensor<1x4x8x1x8xf32>
    return %2 : tensor<1x4x8x1x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_24(%arg0: tensor<4x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>) -> tensor<4x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<4x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<4x16xf32>
    return %1 : tensor<4x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_25(%arg0: tensor<4x16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<i32>) -> tensor<4x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x64xf32>
    return %1 : tensor<4x16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_26(%arg0: tensor<4x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<4x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x64x16xf32>
    return %1 : tensor<4x64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_27(%arg0: tensor<4x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<4x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x16x16xf32>
    return %1 : tensor<4x16x16xf32>
  }
}

