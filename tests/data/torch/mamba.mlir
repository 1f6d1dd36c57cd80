module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x16xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x4xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<32x1x4xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32x2xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<64x16xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<16x32xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<10x32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<32x4xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<32xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<32xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<32x1x4xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<32x2xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<64x16xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<16x32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<10x32xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<16xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<16xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<64x16xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<32x4xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<32xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<32xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<32x1x4xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<32x2xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<64x16xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<16x32xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<10x32xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<16xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<32x4xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<32xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<32x1x4xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32x2xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<64x16xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<16x32xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<10x32xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<16xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<16xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<64x16xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<32x4xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<32xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<32xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<32x1x4xf32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<32xf32> {tf.aliasing_output = 49 : i32}, %arg50: tensor<32x2xf32> {tf.aliasing_output = 50 : i32}, %arg51: tensor<64x16xf32> {tf.aliasing_output = 51 : i32}, %arg52: tensor<16x32xf32> {tf.aliasing_output = 52 : i32}, %arg53: tensor<10x32xf32> {tf.aliasing_output = 53 : i32}, %arg54: tensor<16xf32> {tf.aliasing_output = 54 : i32}, %arg55: tensor<32x4xf32> {tf.aliasing_output = 55 : i32}, %arg56: tensor<32xf32> {tf.aliasing_output = 56 : i32}, %arg57: tensor<32xf32> {tf.aliasing_output = 57 : i32}, %arg58: tensor<32x1x4xf32> {tf.aliasing_output = 58 : i32}, %arg59: tensor<32xf32> {tf.aliasing_output = 59 : i32}, %arg60: tensor<32x2xf32> {tf.aliasing_output = 60 : i32}, %arg61: tensor<64x16xf32> {tf.aliasing_output = 61 : i32}, %arg62: tensor<16x32xf32> {tf.aliasing_output = 62 : i32}, %arg63: tensor<10x32xf32> {tf.aliasing_output = 63 : i32}, %arg64: tensor<16xf32> {tf.aliasing_output = 64 : i32}, %arg65: tensor<16xf32> {tf.aliasing_output = 65 : i32}, %arg66: tensor<f32> {tf.aliasing_output = 66 : i32}, %arg67: tensor<8x8xi32>, %arg68: tensor<8x8xi32>) -> (tensor<64x16xf32> {jax.result_info = "result[0]['backbone.embeddings.weight']"}, tensor<32x4xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.A_log']"}, tensor<32xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.D']"}, tensor<32xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.conv1d.bias']"}, tensor<32x1x4xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.conv1d.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.dt_proj.bias']"}, tensor<32x2xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.dt_proj.weight']"}, tensor<64x16xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.in_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.out_proj.weight']"}, tensor<10x32xf32> {jax.result_info = "result[0]['backbone.layers.0.mixer.x_proj.weight']"}, tensor<16xf32> {jax.result_info = "result[0]['backbone.layers.0.norm.weight']"}, tensor<32x4xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.A_log']"}, tensor<32xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.D']"}, tensor<32xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.conv1d.bias']"}, tensor<32x1x4xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.conv1d.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.dt_proj.bias']"}, tensor<32x2xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.dt_proj.weight']"}, tensor<64x16xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.in_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.out_proj.weight']"}, tensor<10x32xf32> {jax.result_info = "result[0]['backbone.layers.1.mixer.x_proj.weight']"}, tensor<16xf32> {jax.result_info = "result[0]['backbone.layers.1.norm.weight']"}, tensor<16xf32> {jax.result_info = "result[0]['backbone.norm_f.weight']"}, tensor<64x16xf32> {jax.result_info = "result[1]['exp_avg']['backbone.embeddings.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.A_log']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.D']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.conv1d.bias']"}, tensor<32x1x4xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.conv1d.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.dt_proj.bias']"}, tensor<32x2xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.dt_proj.weight']"}, tensor<64x16xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.in_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.out_proj.weight']"}, tensor<10x32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.mixer.x_proj.weight']"}, tensor<16xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.0.norm.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.A_log']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.D']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.conv1d.bias']"}, tensor<32x1x4xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.conv1d.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.dt_proj.bias']"}, tensor<32x2xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.dt_proj.weight']"}, tensor<64x16xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.in_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.out_proj.weight']"}, tensor<10x32xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.mixer.x_proj.weight']"}, tensor<16xf32> {jax.result_info = "result[1]['exp_avg']['backbone.layers.1.norm.weight']"}, tensor<16xf32> {jax.result_info = "result[1]['exp_avg']['backbone.norm_f.weight']"}, tensor<64x16xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.embeddings.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.A_log']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.D']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.conv1d.bias']"}, tensor<32x1x4xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.conv1d.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.dt_proj.bias']"}, tensor<32x2xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.dt_proj.weight']"}, tensor<64x16xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.in_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.out_proj.weight']"}, tensor<10x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.mixer.x_proj.weight']"}, tensor<16xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.0.norm.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.A_log']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.D']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.conv1d.bias']"}, tensor<32x1x4xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.conv1d.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.dt_proj.bias']"}, tensor<32x2xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.dt_proj.weight']"}, tensor<64x16xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.in_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.out_proj.weight']"}, tensor<10x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.mixer.x_proj.weight']"}, tensor<16xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.layers.1.norm.weight']"}, tensor<16xf32> {jax.result_info = "result[1]['exp_avg_sq']['backbone.norm_f.weight']"}, tensor<f32> {jax.result_info = "result[1]['step']"}, tensor<f32> {jax.result_info = "result[3]['loss']"}) {
    %0:2 = call @_take(%arg0, %arg67) : (tensor<64x16xf32>, tensor<8x8xi32>) -> (tensor<8x8x16xf32>, tensor<8x8x1xi32>)
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %2 = stablehlo.power %0#0, %1 : tensor<8x8x16xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.subtract %cst_0, %cst_1 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %5 = stablehlo.power %0#0, %4 : tensor<8x8x16xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<8x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%2 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_4 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<8x8x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<8x8x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<8x8x1xf32>
    %15 = stablehlo.divide %14, %13 : tensor<8x8x1xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<8x8x1xf32>
    %18 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %19 = stablehlo.multiply %0#0, %18 : tensor<8x8x16xf32>
    %20 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x8x16xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<8x8x16xf32>
    %23 = stablehlo.dot_general %22, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<64x16xf32>) -> tensor<8x8x64xf32>
    %24 = stablehlo.transpose %23, dims = [0, 2, 1] : (tensor<8x8x64xf32>) -> tensor<8x64x8xf32>
    %25 = stablehlo.exponential %arg1 : tensor<32x4xf32>
    %cst_7 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %27 = stablehlo.multiply %26, %25 : tensor<32x4xf32>
    %28 = stablehlo.slice %24 [0:8, 0:32, 0:8] : (tensor<8x64x8xf32>) -> tensor<8x32x8xf32>
    %29 = stablehlo.slice %24 [0:8, 32:64, 0:8] : (tensor<8x64x8xf32>) -> tensor<8x32x8xf32>
    %30 = stablehlo.reshape %arg4 : (tensor<32x1x4xf32>) -> tensor<32x4xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 2] : (tensor<32x4xf32>) -> tensor<32x1x4xf32>
    %32 = stablehlo.convolution(%28, %31) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[3, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32x8xf32>, tensor<32x1x4xf32>) -> tensor<8x32x11xf32>
    %33 = stablehlo.reshape %arg3 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x11xf32>
    %35 = stablehlo.add %32, %34 : tensor<8x32x11xf32>
    %36 = stablehlo.slice %35 [0:8, 0:32, 0:8] : (tensor<8x32x11xf32>) -> tensor<8x32x8xf32>
    %37:3 = call @silu(%36) : (tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>)
    %38 = stablehlo.transpose %37#0, dims = [0, 2, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %39 = stablehlo.dot_general %38, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x32xf32>, tensor<10x32xf32>) -> tensor<8x8x10xf32>
    %40 = stablehlo.slice %39 [0:8, 0:8, 0:2] : (tensor<8x8x10xf32>) -> tensor<8x8x2xf32>
    %41 = stablehlo.slice %39 [0:8, 0:8, 2:6] : (tensor<8x8x10xf32>) -> tensor<8x8x4xf32>
    %42 = stablehlo.slice %39 [0:8, 0:8, 6:10] : (tensor<8x8x10xf32>) -> tensor<8x8x4xf32>
    %43 = stablehlo.transpose %40, dims = [0, 2, 1] : (tensor<8x8x2xf32>) -> tensor<8x2x8xf32>
    %44 = stablehlo.broadcast_in_dim %arg6, dims = [1, 2] : (tensor<32x2xf32>) -> tensor<8x32x2xf32>
    %45 = stablehlo.dot_general %44, %43, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32x2xf32>, tensor<8x2x8xf32>) -> tensor<8x32x8xf32>
    %46 = stablehlo.transpose %38, dims = [0, 2, 1] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %47 = stablehlo.transpose %41, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %48 = stablehlo.transpose %42, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %49 = stablehlo.broadcast_in_dim %arg5, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %51 = stablehlo.multiply %49, %50 : tensor<32x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [1, 2] : (tensor<32x1xf32>) -> tensor<1x32x1xf32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x8xf32>
    %54 = stablehlo.add %45, %53 : tensor<8x32x8xf32>
    %55 = stablehlo.exponential %54 : tensor<8x32x8xf32>
    %56 = stablehlo.log_plus_one %55 : tensor<8x32x8xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %58 = stablehlo.add %55, %57 : tensor<8x32x8xf32>
    %cst_10 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %60 = stablehlo.compare GT, %54, %59, FLOAT : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xi1>
    %61 = call @_where_0(%60, %54, %56) : (tensor<8x32x8xi1>, tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x32x4xf32>
    %63 = stablehlo.transpose %46, dims = [2, 0, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %64 = stablehlo.transpose %61, dims = [2, 0, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %65 = stablehlo.transpose %47, dims = [2, 0, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %66 = stablehlo.transpose %48, dims = [2, 0, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %67 = stablehlo.broadcast_in_dim %27, dims = [1, 2] : (tensor<32x4xf32>) -> tensor<1x32x4xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x8x32x1xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x8x1x4xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x8x32x1xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x8x32x1xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %77:16 = stablehlo.while(%iterArg = %63, %iterArg_303 = %64, %iterArg_304 = %65, %iterArg_305 = %66, %iterArg_306 = %67, %iterArg_307 = %c, %iterArg_308 = %62, %iterArg_309 = %68, %iterArg_310 = %69, %iterArg_311 = %70, %iterArg_312 = %71, %iterArg_313 = %72, %iterArg_314 = %73, %iterArg_315 = %74, %iterArg_316 = %75, %iterArg_317 = %76) : tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>
    cond {
      %c_318 = stablehlo.constant dense<8> : tensor<i32>
      %1089 = stablehlo.compare LT, %iterArg_307, %c_318, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1089 : tensor<i1>
    } do {
      %1089 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_307) : (tensor<8x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %1090 = func.call @dynamic_index_in_dim(%iterArg_303, %iterArg_307) : (tensor<8x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %1091 = func.call @dynamic_index_in_dim_1(%iterArg_304, %iterArg_307) : (tensor<8x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %1092 = func.call @dynamic_index_in_dim_1(%iterArg_305, %iterArg_307) : (tensor<8x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %1093:10 = func.call @closed_call(%iterArg_306, %iterArg_308, %1089, %1090, %1091, %1092) : (tensor<1x32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>)
      %1094 = func.call @dynamic_update_index_in_dim(%iterArg_309, %1093#1, %iterArg_307) : (tensor<8x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %1095 = func.call @dynamic_update_index_in_dim_2(%iterArg_310, %1093#2, %iterArg_307) : (tensor<8x8x32x1xf32>, tensor<8x32x1xf32>, tensor<i32>) -> tensor<8x8x32x1xf32>
      %1096 = func.call @dynamic_update_index_in_dim_3(%iterArg_311, %1093#3, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %1097 = func.call @dynamic_update_index_in_dim_3(%iterArg_312, %1093#4, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %1098 = func.call @dynamic_update_index_in_dim_4(%iterArg_313, %1093#5, %iterArg_307) : (tensor<8x8x1x4xf32>, tensor<8x1x4xf32>, tensor<i32>) -> tensor<8x8x1x4xf32>
      %1099 = func.call @dynamic_update_index_in_dim_2(%iterArg_314, %1093#6, %iterArg_307) : (tensor<8x8x32x1xf32>, tensor<8x32x1xf32>, tensor<i32>) -> tensor<8x8x32x1xf32>
      %1100 = func.call @dynamic_update_index_in_dim_2(%iterArg_315, %1093#7, %iterArg_307) : (tensor<8x8x32x1xf32>, tensor<8x32x1xf32>, tensor<i32>) -> tensor<8x8x32x1xf32>
      %1101 = func.call @dynamic_update_index_in_dim_3(%iterArg_316, %1093#8, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %1102 = func.call @dynamic_update_index_in_dim_3(%iterArg_317, %1093#9, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %c_318 = stablehlo.constant dense<1> : tensor<i32>
      %1103 = stablehlo.add %iterArg_307, %c_318 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_303, %iterArg_304, %iterArg_305, %iterArg_306, %1103, %1093#0, %1094, %1095, %1096, %1097, %1098, %1099, %1100, %1101, %1102 : tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>
    }
    %78 = stablehlo.transpose %77#7, dims = [1, 2, 0] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %79 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x8xf32>
    %81 = stablehlo.multiply %46, %80 : tensor<8x32x8xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %83 = stablehlo.multiply %81, %82 : tensor<8x32x8xf32>
    %84 = stablehlo.add %78, %83 : tensor<8x32x8xf32>
    %85:3 = call @silu(%29) : (tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>)
    %86 = stablehlo.multiply %84, %85#0 : tensor<8x32x8xf32>
    %87 = stablehlo.transpose %86, dims = [0, 2, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %88 = stablehlo.dot_general %87, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x32xf32>, tensor<16x32xf32>) -> tensor<8x8x16xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %90 = stablehlo.multiply %88, %89 : tensor<8x8x16xf32>
    %91 = stablehlo.add %0#0, %90 : tensor<8x8x16xf32>
    %cst_23 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %93 = stablehlo.power %91, %92 : tensor<8x8x16xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %94 = stablehlo.subtract %cst_24, %cst_25 : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %96 = stablehlo.power %91, %95 : tensor<8x8x16xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %98 = stablehlo.multiply %97, %96 : tensor<8x8x16xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.reduce(%93 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_28 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %101 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %102 = stablehlo.divide %100, %101 : tensor<8x8x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %104 = stablehlo.add %102, %103 : tensor<8x8x1xf32>
    %105 = stablehlo.rsqrt %104 : tensor<8x8x1xf32>
    %106 = stablehlo.divide %105, %104 : tensor<8x8x1xf32>
    %cst_30 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<8x8x1xf32>
    %109 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %110 = stablehlo.multiply %91, %109 : tensor<8x8x16xf32>
    %111 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x8x16xf32>
    %113 = stablehlo.multiply %112, %110 : tensor<8x8x16xf32>
    %114 = stablehlo.dot_general %113, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<64x16xf32>) -> tensor<8x8x64xf32>
    %115 = stablehlo.transpose %114, dims = [0, 2, 1] : (tensor<8x8x64xf32>) -> tensor<8x64x8xf32>
    %116 = stablehlo.exponential %arg11 : tensor<32x4xf32>
    %cst_31 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %118 = stablehlo.multiply %117, %116 : tensor<32x4xf32>
    %119 = stablehlo.slice %115 [0:8, 0:32, 0:8] : (tensor<8x64x8xf32>) -> tensor<8x32x8xf32>
    %120 = stablehlo.slice %115 [0:8, 32:64, 0:8] : (tensor<8x64x8xf32>) -> tensor<8x32x8xf32>
    %121 = stablehlo.reshape %arg14 : (tensor<32x1x4xf32>) -> tensor<32x4xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 2] : (tensor<32x4xf32>) -> tensor<32x1x4xf32>
    %123 = stablehlo.convolution(%119, %122) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {stride = [1], pad = [[3, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32x8xf32>, tensor<32x1x4xf32>) -> tensor<8x32x11xf32>
    %124 = stablehlo.reshape %arg13 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %125 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x11xf32>
    %126 = stablehlo.add %123, %125 : tensor<8x32x11xf32>
    %127 = stablehlo.slice %126 [0:8, 0:32, 0:8] : (tensor<8x32x11xf32>) -> tensor<8x32x8xf32>
    %128:3 = call @silu(%127) : (tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>)
    %129 = stablehlo.transpose %128#0, dims = [0, 2, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %130 = stablehlo.dot_general %129, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x32xf32>, tensor<10x32xf32>) -> tensor<8x8x10xf32>
    %131 = stablehlo.slice %130 [0:8, 0:8, 0:2] : (tensor<8x8x10xf32>) -> tensor<8x8x2xf32>
    %132 = stablehlo.slice %130 [0:8, 0:8, 2:6] : (tensor<8x8x10xf32>) -> tensor<8x8x4xf32>
    %133 = stablehlo.slice %130 [0:8, 0:8, 6:10] : (tensor<8x8x10xf32>) -> tensor<8x8x4xf32>
    %134 = stablehlo.transpose %131, dims = [0, 2, 1] : (tensor<8x8x2xf32>) -> tensor<8x2x8xf32>
    %135 = stablehlo.broadcast_in_dim %arg16, dims = [1, 2] : (tensor<32x2xf32>) -> tensor<8x32x2xf32>
    %136 = stablehlo.dot_general %135, %134, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32x2xf32>, tensor<8x2x8xf32>) -> tensor<8x32x8xf32>
    %137 = stablehlo.transpose %129, dims = [0, 2, 1] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %138 = stablehlo.transpose %132, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %139 = stablehlo.transpose %133, dims = [0, 2, 1] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %140 = stablehlo.broadcast_in_dim %arg15, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %142 = stablehlo.multiply %140, %141 : tensor<32x1xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [1, 2] : (tensor<32x1xf32>) -> tensor<1x32x1xf32>
    %144 = stablehlo.broadcast_in_dim %143, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x8xf32>
    %145 = stablehlo.add %136, %144 : tensor<8x32x8xf32>
    %146 = stablehlo.exponential %145 : tensor<8x32x8xf32>
    %147 = stablehlo.log_plus_one %146 : tensor<8x32x8xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %149 = stablehlo.add %146, %148 : tensor<8x32x8xf32>
    %cst_34 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %151 = stablehlo.compare GT, %145, %150, FLOAT : (tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xi1>
    %152 = call @_where_0(%151, %145, %147) : (tensor<8x32x8xi1>, tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x32x4xf32>
    %154 = stablehlo.transpose %137, dims = [2, 0, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %155 = stablehlo.transpose %152, dims = [2, 0, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %156 = stablehlo.transpose %138, dims = [2, 0, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %157 = stablehlo.transpose %139, dims = [2, 0, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %158 = stablehlo.broadcast_in_dim %118, dims = [1, 2] : (tensor<32x4xf32>) -> tensor<1x32x4xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x8x32x1xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %161 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x8x1x4xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %164 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x8x32x1xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x8x32x1xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %cst_44 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x8x32x4xf32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %168:16 = stablehlo.while(%iterArg = %154, %iterArg_303 = %155, %iterArg_304 = %156, %iterArg_305 = %157, %iterArg_306 = %158, %iterArg_307 = %c_45, %iterArg_308 = %153, %iterArg_309 = %159, %iterArg_310 = %160, %iterArg_311 = %161, %iterArg_312 = %162, %iterArg_313 = %163, %iterArg_314 = %164, %iterArg_315 = %165, %iterArg_316 = %166, %iterArg_317 = %167) : tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>
    cond {
      %c_318 = stablehlo.constant dense<8> : tensor<i32>
      %1089 = stablehlo.compare LT, %iterArg_307, %c_318, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1089 : tensor<i1>
    } do {
      %1089 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_307) : (tensor<8x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %1090 = func.call @dynamic_index_in_dim(%iterArg_303, %iterArg_307) : (tensor<8x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %1091 = func.call @dynamic_index_in_dim_1(%iterArg_304, %iterArg_307) : (tensor<8x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %1092 = func.call @dynamic_index_in_dim_1(%iterArg_305, %iterArg_307) : (tensor<8x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %1093:10 = func.call @closed_call_5(%iterArg_306, %iterArg_308, %1089, %1090, %1091, %1092) : (tensor<1x32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> (tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>)
      %1094 = func.call @dynamic_update_index_in_dim(%iterArg_309, %1093#1, %iterArg_307) : (tensor<8x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %1095 = func.call @dynamic_update_index_in_dim_2(%iterArg_310, %1093#2, %iterArg_307) : (tensor<8x8x32x1xf32>, tensor<8x32x1xf32>, tensor<i32>) -> tensor<8x8x32x1xf32>
      %1096 = func.call @dynamic_update_index_in_dim_3(%iterArg_311, %1093#3, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %1097 = func.call @dynamic_update_index_in_dim_3(%iterArg_312, %1093#4, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %1098 = func.call @dynamic_update_index_in_dim_4(%iterArg_313, %1093#5, %iterArg_307) : (tensor<8x8x1x4xf32>, tensor<8x1x4xf32>, tensor<i32>) -> tensor<8x8x1x4xf32>
      %1099 = func.call @dynamic_update_index_in_dim_2(%iterArg_314, %1093#6, %iterArg_307) : (tensor<8x8x32x1xf32>, tensor<8x32x1xf32>, tensor<i32>) -> tensor<8x8x32x1xf32>
      %1100 = func.call @dynamic_update_index_in_dim_2(%iterArg_315, %1093#7, %iterArg_307) : (tensor<8x8x32x1xf32>, tensor<8x32x1xf32>, tensor<i32>) -> tensor<8x8x32x1xf32>
      %1101 = func.call @dynamic_update_index_in_dim_3(%iterArg_316, %1093#8, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %1102 = func.call @dynamic_update_index_in_dim_3(%iterArg_317, %1093#9, %iterArg_307) : (tensor<8x8x32x4xf32>, tensor<8x32x4xf32>, tensor<i32>) -> tensor<8x8x32x4xf32>
      %c_318 = stablehlo.constant dense<1> : tensor<i32>
      %1103 = stablehlo.add %iterArg_307, %c_318 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_303, %iterArg_304, %iterArg_305, %iterArg_306, %1103, %1093#0, %1094, %1095, %1096, %1097, %1098, %1099, %1100, %1101, %1102 : tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>
    }
    %169 = stablehlo.transpose %168#7, dims = [1, 2, 0] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %170 = stablehlo.broadcast_in_dim %arg12, dims = [1] : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x8xf32>
    %172 = stablehlo.multiply %137, %171 : tensor<8x32x8xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %173 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %174 = stablehlo.multiply %172, %173 : tensor<8x32x8xf32>
    %175 = stablehlo.add %169, %174 : tensor<8x32x8xf32>
    %176:3 = call @silu(%120) : (tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>)
    %177 = stablehlo.multiply %175, %176#0 : tensor<8x32x8xf32>
    %178 = stablehlo.transpose %177, dims = [0, 2, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %179 = stablehlo.dot_general %178, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x32xf32>, tensor<16x32xf32>) -> tensor<8x8x16xf32>
    %cst_47 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %180 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %181 = stablehlo.multiply %179, %180 : tensor<8x8x16xf32>
    %182 = stablehlo.add %91, %181 : tensor<8x8x16xf32>
    %cst_48 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %183 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %184 = stablehlo.power %182, %183 : tensor<8x8x16xf32>
    %cst_49 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %185 = stablehlo.subtract %cst_49, %cst_50 : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %187 = stablehlo.power %182, %186 : tensor<8x8x16xf32>
    %cst_51 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %188 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %189 = stablehlo.multiply %188, %187 : tensor<8x8x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%184 init: %cst_52) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %cst_53 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %193 = stablehlo.divide %191, %192 : tensor<8x8x1xf32>
    %cst_54 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %195 = stablehlo.add %193, %194 : tensor<8x8x1xf32>
    %196 = stablehlo.rsqrt %195 : tensor<8x8x1xf32>
    %197 = stablehlo.divide %196, %195 : tensor<8x8x1xf32>
    %cst_55 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %199 = stablehlo.multiply %198, %197 : tensor<8x8x1xf32>
    %200 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %201 = stablehlo.multiply %182, %200 : tensor<8x8x16xf32>
    %202 = stablehlo.broadcast_in_dim %arg21, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %203 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x8x16xf32>
    %204 = stablehlo.multiply %203, %201 : tensor<8x8x16xf32>
    %205 = stablehlo.dot_general %204, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<64x16xf32>) -> tensor<8x8x64xf32>
    %c_56 = stablehlo.constant dense<-100> : tensor<i32>
    %206 = call @_pad(%arg68, %c_56) : (tensor<8x8xi32>, tensor<i32>) -> tensor<8x9xi32>
    %207 = stablehlo.reshape %205 : (tensor<8x8x64xf32>) -> tensor<64x64xf32>
    %208 = stablehlo.slice %206 [0:8, 1:9] : (tensor<8x9xi32>) -> tensor<8x8xi32>
    %209 = stablehlo.reshape %208 : (tensor<8x8xi32>) -> tensor<64xi32>
    %cst_57 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %210 = stablehlo.reduce(%207 init: %cst_57) applies stablehlo.maximum across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_58 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %212 = stablehlo.maximum %211, %210 : tensor<64xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %214 = stablehlo.is_finite %213 : (tensor<64x1xf32>) -> tensor<64x1xi1>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %216 = stablehlo.select %214, %213, %215 : tensor<64x1xi1>, tensor<64x1xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %218 = stablehlo.subtract %207, %217 : tensor<64x64xf32>
    %219 = stablehlo.exponential %218 : tensor<64x64xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %220 = stablehlo.reduce(%219 init: %cst_60) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %221 = stablehlo.broadcast_in_dim %220, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %222 = stablehlo.abs %221 : tensor<64x1xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %224 = stablehlo.compare GE, %221, %223, FLOAT : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xi1>
    %225 = stablehlo.log %222 : tensor<64x1xf32>
    %226 = stablehlo.add %225, %216 : tensor<64x1xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %228 = stablehlo.subtract %207, %227 : tensor<64x64xf32>
    %c_62 = stablehlo.constant dense<-100> : tensor<i32>
    %229 = stablehlo.broadcast_in_dim %c_62, dims = [] : (tensor<i32>) -> tensor<64xi32>
    %230 = stablehlo.compare NE, %209, %229, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %231 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %232 = stablehlo.broadcast_in_dim %209, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1] : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %234 = stablehlo.compare EQ, %231, %233, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %c_63 = stablehlo.constant dense<0> : tensor<i32>
    %235 = call @_where_6(%234, %228, %c_63) : (tensor<64x64xi1>, tensor<64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.reduce(%235 init: %cst_64) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %237 = stablehlo.negate %236 : tensor<64xf32>
    %cst_65 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %239 = stablehlo.multiply %237, %238 : tensor<64xf32>
    %c_66 = stablehlo.constant dense<0> : tensor<i32>
    %240 = call @_where_7(%230, %239, %c_66) : (tensor<64xi1>, tensor<64xf32>, tensor<i32>) -> tensor<64xf32>
    %c_67 = stablehlo.constant dense<0> : tensor<i32>
    %241 = call @_where_8(%230, %238, %c_67) : (tensor<64xi1>, tensor<64xf32>, tensor<i32>) -> tensor<64xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %242 = stablehlo.reduce(%241 init: %cst_68) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %243 = stablehlo.reduce(%240 init: %cst_69) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %244 = stablehlo.divide %243, %242 : tensor<f32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %245 = stablehlo.divide %cst_70, %242 : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %247 = call @_where_9(%230, %246) : (tensor<64xi1>, tensor<64xf32>) -> tensor<64xf32>
    %248 = stablehlo.multiply %247, %238 : tensor<64xf32>
    %249 = stablehlo.negate %248 : tensor<64xf32>
    %250 = stablehlo.broadcast_in_dim %249, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
    %251 = call @_where_10(%234, %250) : (tensor<64x64xi1>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %252 = stablehlo.negate %251 : tensor<64x64xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%252 init: %cst_71) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %254 = stablehlo.reshape %253 : (tensor<64xf32>) -> tensor<64x1xf32>
    %255 = stablehlo.divide %254, %222 : tensor<64x1xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %257 = stablehlo.select %224, %256, %255 : tensor<64x1xi1>, tensor<64x1xf32>
    %258 = stablehlo.select %224, %255, %256 : tensor<64x1xi1>, tensor<64x1xf32>
    %259 = stablehlo.negate %257 : tensor<64x1xf32>
    %260 = stablehlo.add %258, %259 : tensor<64x1xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %261 = stablehlo.reduce(%260 init: %cst_73) applies stablehlo.add across dimensions = [1] : (tensor<64x1xf32>, tensor<f32>) -> tensor<64xf32>
    %262 = stablehlo.broadcast_in_dim %261, dims = [0] : (tensor<64xf32>) -> tensor<64x64xf32>
    %263 = stablehlo.multiply %262, %219 : tensor<64x64xf32>
    %264 = stablehlo.add %251, %263 : tensor<64x64xf32>
    %265 = stablehlo.reshape %264 : (tensor<64x64xf32>) -> tensor<8x8x64xf32>
    %266 = stablehlo.dot_general %265, %204, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64xf32>, tensor<8x8x16xf32>) -> tensor<64x16xf32>
    %267 = stablehlo.dot_general %265, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64xf32>, tensor<64x16xf32>) -> tensor<8x8x16xf32>
    %268 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x8x16xf32>
    %269 = stablehlo.multiply %268, %267 : tensor<8x8x16xf32>
    %270 = stablehlo.multiply %267, %201 : tensor<8x8x16xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %271 = stablehlo.reduce(%270 init: %cst_74) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %272 = stablehlo.reshape %271 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %273 = stablehlo.reduce(%272 init: %cst_75) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %274 = stablehlo.multiply %182, %269 : tensor<8x8x16xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %275 = stablehlo.reduce(%274 init: %cst_76) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %276 = stablehlo.reshape %275 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %277 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %278 = stablehlo.multiply %269, %277 : tensor<8x8x16xf32>
    %279 = stablehlo.multiply %276, %199 : tensor<8x8x1xf32>
    %cst_77 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %281 = stablehlo.divide %279, %280 : tensor<8x8x1xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %282 = stablehlo.reduce(%281 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %283 = stablehlo.broadcast_in_dim %282, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %284 = stablehlo.multiply %283, %189 : tensor<8x8x16xf32>
    %285 = stablehlo.add %278, %284 : tensor<8x8x16xf32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %286 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %287 = stablehlo.multiply %285, %286 : tensor<8x8x16xf32>
    %288 = stablehlo.dot_general %287, %178, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x8x32xf32>) -> tensor<16x32xf32>
    %289 = stablehlo.dot_general %287, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<16x32xf32>) -> tensor<8x8x32xf32>
    %290 = stablehlo.transpose %289, dims = [0, 2, 1] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %291 = stablehlo.multiply %175, %290 : tensor<8x32x8xf32>
    %292 = stablehlo.multiply %290, %176#0 : tensor<8x32x8xf32>
    %293 = call @silu_11(%176#1, %176#2, %120, %291) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %cst_80 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %295 = stablehlo.multiply %292, %294 : tensor<8x32x8xf32>
    %296 = stablehlo.multiply %137, %295 : tensor<8x32x8xf32>
    %cst_81 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %297 = stablehlo.reduce(%296 init: %cst_81) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<32xf32>
    %298 = stablehlo.reshape %297 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %299 = stablehlo.broadcast_in_dim %170, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x8xf32>
    %300 = stablehlo.multiply %295, %299 : tensor<8x32x8xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %301 = stablehlo.reduce(%298 init: %cst_82) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x32x1xf32>, tensor<f32>) -> tensor<32xf32>
    %302 = stablehlo.transpose %292, dims = [2, 0, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %cst_83 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %303 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x32x4xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %cst_86 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %306 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<8x8x4xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %308 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<8x8x4xf32>
    %c_89 = stablehlo.constant dense<0> : tensor<i32>
    %309:18 = stablehlo.while(%iterArg = %302, %iterArg_303 = %168#8, %iterArg_304 = %168#9, %iterArg_305 = %168#10, %iterArg_306 = %168#11, %iterArg_307 = %168#12, %iterArg_308 = %168#13, %iterArg_309 = %168#14, %iterArg_310 = %157, %iterArg_311 = %168#15, %iterArg_312 = %158, %iterArg_313 = %c_89, %iterArg_314 = %304, %iterArg_315 = %303, %iterArg_316 = %305, %iterArg_317 = %306, %iterArg_318 = %307, %iterArg_319 = %308) : tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x4xf32>, tensor<8x8x32x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>
    cond {
      %c_320 = stablehlo.constant dense<8> : tensor<i32>
      %1089 = stablehlo.compare LT, %iterArg_313, %c_320, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1089 : tensor<i1>
    } do {
      %c_320 = stablehlo.constant dense<8> : tensor<i32>
      %1089 = stablehlo.subtract %c_320, %iterArg_313 : tensor<i32>
      %c_321 = stablehlo.constant dense<1> : tensor<i32>
      %1090 = stablehlo.subtract %1089, %c_321 : tensor<i32>
      %1091 = func.call @dynamic_index_in_dim(%iterArg, %1090) : (tensor<8x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %1092 = func.call @dynamic_index_in_dim_12(%iterArg_303, %1090) : (tensor<8x8x32x1xf32>, tensor<i32>) -> tensor<8x32x1xf32>
      %1093 = func.call @dynamic_index_in_dim_13(%iterArg_304, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1094 = func.call @dynamic_index_in_dim_13(%iterArg_305, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1095 = func.call @dynamic_index_in_dim_14(%iterArg_306, %1090) : (tensor<8x8x1x4xf32>, tensor<i32>) -> tensor<8x1x4xf32>
      %1096 = func.call @dynamic_index_in_dim_12(%iterArg_307, %1090) : (tensor<8x8x32x1xf32>, tensor<i32>) -> tensor<8x32x1xf32>
      %1097 = func.call @dynamic_index_in_dim_12(%iterArg_308, %1090) : (tensor<8x8x32x1xf32>, tensor<i32>) -> tensor<8x32x1xf32>
      %1098 = func.call @dynamic_index_in_dim_13(%iterArg_309, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1099 = func.call @dynamic_index_in_dim_1(%iterArg_310, %1090) : (tensor<8x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %1100 = func.call @dynamic_index_in_dim_13(%iterArg_311, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1101:6 = func.call @closed_call_15(%iterArg_312, %iterArg_314, %iterArg_315, %1091, %1092, %1093, %1094, %1095, %1096, %1097, %1098, %1099, %1100) : (tensor<1x32x4xf32>, tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x4xf32>, tensor<8x32x4xf32>) -> (tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
      %1102 = func.call @dynamic_update_index_in_dim(%iterArg_316, %1101#2, %1090) : (tensor<8x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %1103 = func.call @dynamic_update_index_in_dim(%iterArg_317, %1101#3, %1090) : (tensor<8x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %1104 = func.call @dynamic_update_index_in_dim_16(%iterArg_318, %1101#4, %1090) : (tensor<8x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<8x8x4xf32>
      %1105 = func.call @dynamic_update_index_in_dim_16(%iterArg_319, %1101#5, %1090) : (tensor<8x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<8x8x4xf32>
      %c_322 = stablehlo.constant dense<1> : tensor<i32>
      %1106 = stablehlo.add %iterArg_313, %c_322 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_303, %iterArg_304, %iterArg_305, %iterArg_306, %iterArg_307, %iterArg_308, %iterArg_309, %iterArg_310, %iterArg_311, %iterArg_312, %1106, %1101#0, %1101#1, %1102, %1103, %1104, %1105 : tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x4xf32>, tensor<8x8x32x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>
    }
    %310 = stablehlo.transpose %309#17, dims = [1, 2, 0] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %311 = stablehlo.transpose %309#16, dims = [1, 2, 0] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %312 = stablehlo.transpose %309#15, dims = [1, 2, 0] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %313 = stablehlo.transpose %309#14, dims = [1, 2, 0] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %314 = stablehlo.add %300, %313 : tensor<8x32x8xf32>
    %315:2 = call @_where_17(%151, %312) : (tensor<8x32x8xi1>, tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>)
    %316 = stablehlo.divide %315#1, %149 : tensor<8x32x8xf32>
    %317 = stablehlo.multiply %316, %146 : tensor<8x32x8xf32>
    %318 = stablehlo.add %315#0, %317 : tensor<8x32x8xf32>
    %cst_90 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %319 = stablehlo.reduce(%318 init: %cst_90) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<32xf32>
    %320 = stablehlo.reshape %319 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %321 = stablehlo.reduce(%320 init: %cst_91) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x32x1xf32>, tensor<f32>) -> tensor<32xf32>
    %322 = stablehlo.broadcast_in_dim %321, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_92 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %323 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %324 = stablehlo.multiply %322, %323 : tensor<32x1xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %325 = stablehlo.reduce(%324 init: %cst_93) applies stablehlo.add across dimensions = [1] : (tensor<32x1xf32>, tensor<f32>) -> tensor<32xf32>
    %326 = stablehlo.transpose %310, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %327 = stablehlo.transpose %311, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %328 = stablehlo.transpose %314, dims = [0, 2, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %329 = stablehlo.dot_general %318, %135, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32x8xf32>, tensor<8x32x2xf32>) -> tensor<8x8x2xf32>
    %330 = stablehlo.transpose %329, dims = [0, 2, 1] : (tensor<8x8x2xf32>) -> tensor<8x2x8xf32>
    %331 = stablehlo.dot_general %318, %134, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x32x8xf32>, tensor<8x2x8xf32>) -> tensor<8x32x2xf32>
    %cst_94 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.reduce(%331 init: %cst_94) applies stablehlo.add across dimensions = [0] : (tensor<8x32x2xf32>, tensor<f32>) -> tensor<32x2xf32>
    %333 = stablehlo.transpose %330, dims = [0, 2, 1] : (tensor<8x2x8xf32>) -> tensor<8x8x2xf32>
    %cst_95 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %334 = stablehlo.pad %326, %cst_95, low = [0, 0, 6], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x8x4xf32>, tensor<f32>) -> tensor<8x8x10xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %335 = stablehlo.pad %327, %cst_96, low = [0, 0, 2], high = [0, 0, 4], interior = [0, 0, 0] : (tensor<8x8x4xf32>, tensor<f32>) -> tensor<8x8x10xf32>
    %336 = stablehlo.add %334, %335 : tensor<8x8x10xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %337 = stablehlo.pad %333, %cst_97, low = [0, 0, 0], high = [0, 0, 8], interior = [0, 0, 0] : (tensor<8x8x2xf32>, tensor<f32>) -> tensor<8x8x10xf32>
    %338 = stablehlo.add %336, %337 : tensor<8x8x10xf32>
    %339 = stablehlo.dot_general %338, %129, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x10xf32>, tensor<8x8x32xf32>) -> tensor<10x32xf32>
    %340 = stablehlo.dot_general %338, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x10xf32>, tensor<10x32xf32>) -> tensor<8x8x32xf32>
    %341 = stablehlo.add %328, %340 : tensor<8x8x32xf32>
    %342 = stablehlo.transpose %341, dims = [0, 2, 1] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %343 = call @silu_11(%128#1, %128#2, %127, %342) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %344 = stablehlo.pad %343, %cst_98, low = [0, 0, 0], high = [0, 0, 3], interior = [0, 0, 0] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<8x32x11xf32>
    %cst_99 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %345 = stablehlo.reduce(%344 init: %cst_99) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x32x11xf32>, tensor<f32>) -> tensor<32xf32>
    %346 = stablehlo.reshape %345 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %347 = stablehlo.reshape %346 : (tensor<1x32x1xf32>) -> tensor<32xf32>
    %348 = stablehlo.convolution(%119, %344) dim_numbers = [f, b, 0]x[i, o, 0]->[f, b, 0], window = {stride = [1], pad = [[3, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 32 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32x8xf32>, tensor<8x32x11xf32>) -> tensor<32x1x4xf32>
    %349 = stablehlo.reshape %122 : (tensor<32x1x4xf32>) -> tensor<32x1x1x4xf32>
    %350 = stablehlo.transpose %349, dims = [1, 0, 2, 3] : (tensor<32x1x1x4xf32>) -> tensor<1x32x1x4xf32>
    %351 = stablehlo.reshape %350 : (tensor<1x32x1x4xf32>) -> tensor<1x32x4xf32>
    %352 = stablehlo.reverse %351, dims = [2] : tensor<1x32x4xf32>
    %353 = stablehlo.convolution(%344, %352) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32x11xf32>, tensor<1x32x4xf32>) -> tensor<8x32x8xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %354 = stablehlo.reduce(%348 init: %cst_100) applies stablehlo.add across dimensions = [1] : (tensor<32x1x4xf32>, tensor<f32>) -> tensor<32x4xf32>
    %355 = stablehlo.broadcast_in_dim %354, dims = [0, 2] : (tensor<32x4xf32>) -> tensor<32x1x4xf32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %356 = stablehlo.pad %293, %cst_101, low = [0, 32, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<8x64x8xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %357 = stablehlo.pad %353, %cst_102, low = [0, 0, 0], high = [0, 32, 0], interior = [0, 0, 0] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<8x64x8xf32>
    %358 = stablehlo.add %356, %357 : tensor<8x64x8xf32>
    %cst_103 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %359 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %360 = stablehlo.multiply %359, %309#12 : tensor<32x4xf32>
    %361 = stablehlo.multiply %360, %116 : tensor<32x4xf32>
    %362 = stablehlo.transpose %358, dims = [0, 2, 1] : (tensor<8x64x8xf32>) -> tensor<8x8x64xf32>
    %363 = stablehlo.dot_general %362, %113, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64xf32>, tensor<8x8x16xf32>) -> tensor<64x16xf32>
    %364 = stablehlo.dot_general %362, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64xf32>, tensor<64x16xf32>) -> tensor<8x8x16xf32>
    %365 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x8x16xf32>
    %366 = stablehlo.multiply %365, %364 : tensor<8x8x16xf32>
    %367 = stablehlo.multiply %364, %110 : tensor<8x8x16xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %368 = stablehlo.reduce(%367 init: %cst_104) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %369 = stablehlo.reshape %368 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %370 = stablehlo.reduce(%369 init: %cst_105) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %371 = stablehlo.multiply %91, %366 : tensor<8x8x16xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %372 = stablehlo.reduce(%371 init: %cst_106) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %373 = stablehlo.reshape %372 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %374 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %375 = stablehlo.multiply %366, %374 : tensor<8x8x16xf32>
    %376 = stablehlo.add %285, %375 : tensor<8x8x16xf32>
    %377 = stablehlo.multiply %373, %108 : tensor<8x8x1xf32>
    %cst_107 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %378 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %379 = stablehlo.divide %377, %378 : tensor<8x8x1xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %380 = stablehlo.reduce(%379 init: %cst_108) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %381 = stablehlo.broadcast_in_dim %380, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %382 = stablehlo.multiply %381, %98 : tensor<8x8x16xf32>
    %383 = stablehlo.add %376, %382 : tensor<8x8x16xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %385 = stablehlo.multiply %383, %384 : tensor<8x8x16xf32>
    %386 = stablehlo.dot_general %385, %87, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<8x8x32xf32>) -> tensor<16x32xf32>
    %387 = stablehlo.dot_general %385, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x16xf32>, tensor<16x32xf32>) -> tensor<8x8x32xf32>
    %388 = stablehlo.transpose %387, dims = [0, 2, 1] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %389 = stablehlo.multiply %84, %388 : tensor<8x32x8xf32>
    %390 = stablehlo.multiply %388, %85#0 : tensor<8x32x8xf32>
    %391 = call @silu_11(%85#1, %85#2, %29, %389) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %392 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %393 = stablehlo.multiply %390, %392 : tensor<8x32x8xf32>
    %394 = stablehlo.multiply %46, %393 : tensor<8x32x8xf32>
    %cst_111 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %395 = stablehlo.reduce(%394 init: %cst_111) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<32xf32>
    %396 = stablehlo.reshape %395 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %397 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<8x32x8xf32>
    %398 = stablehlo.multiply %393, %397 : tensor<8x32x8xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %399 = stablehlo.reduce(%396 init: %cst_112) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x32x1xf32>, tensor<f32>) -> tensor<32xf32>
    %400 = stablehlo.transpose %390, dims = [2, 0, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<8x32x4xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %402 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %404 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8x8x32xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %405 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<8x8x4xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<8x8x4xf32>
    %c_119 = stablehlo.constant dense<0> : tensor<i32>
    %407:18 = stablehlo.while(%iterArg = %400, %iterArg_303 = %77#8, %iterArg_304 = %77#9, %iterArg_305 = %77#10, %iterArg_306 = %77#11, %iterArg_307 = %77#12, %iterArg_308 = %77#13, %iterArg_309 = %77#14, %iterArg_310 = %66, %iterArg_311 = %77#15, %iterArg_312 = %67, %iterArg_313 = %c_119, %iterArg_314 = %402, %iterArg_315 = %401, %iterArg_316 = %403, %iterArg_317 = %404, %iterArg_318 = %405, %iterArg_319 = %406) : tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x4xf32>, tensor<8x8x32x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>
    cond {
      %c_320 = stablehlo.constant dense<8> : tensor<i32>
      %1089 = stablehlo.compare LT, %iterArg_313, %c_320, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1089 : tensor<i1>
    } do {
      %c_320 = stablehlo.constant dense<8> : tensor<i32>
      %1089 = stablehlo.subtract %c_320, %iterArg_313 : tensor<i32>
      %c_321 = stablehlo.constant dense<1> : tensor<i32>
      %1090 = stablehlo.subtract %1089, %c_321 : tensor<i32>
      %1091 = func.call @dynamic_index_in_dim(%iterArg, %1090) : (tensor<8x8x32xf32>, tensor<i32>) -> tensor<8x32xf32>
      %1092 = func.call @dynamic_index_in_dim_12(%iterArg_303, %1090) : (tensor<8x8x32x1xf32>, tensor<i32>) -> tensor<8x32x1xf32>
      %1093 = func.call @dynamic_index_in_dim_13(%iterArg_304, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1094 = func.call @dynamic_index_in_dim_13(%iterArg_305, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1095 = func.call @dynamic_index_in_dim_14(%iterArg_306, %1090) : (tensor<8x8x1x4xf32>, tensor<i32>) -> tensor<8x1x4xf32>
      %1096 = func.call @dynamic_index_in_dim_12(%iterArg_307, %1090) : (tensor<8x8x32x1xf32>, tensor<i32>) -> tensor<8x32x1xf32>
      %1097 = func.call @dynamic_index_in_dim_12(%iterArg_308, %1090) : (tensor<8x8x32x1xf32>, tensor<i32>) -> tensor<8x32x1xf32>
      %1098 = func.call @dynamic_index_in_dim_13(%iterArg_309, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1099 = func.call @dynamic_index_in_dim_1(%iterArg_310, %1090) : (tensor<8x8x4xf32>, tensor<i32>) -> tensor<8x4xf32>
      %1100 = func.call @dynamic_index_in_dim_13(%iterArg_311, %1090) : (tensor<8x8x32x4xf32>, tensor<i32>) -> tensor<8x32x4xf32>
      %1101:6 = func.call @closed_call_18(%iterArg_312, %iterArg_314, %iterArg_315, %1091, %1092, %1093, %1094, %1095, %1096, %1097, %1098, %1099, %1100) : (tensor<1x32x4xf32>, tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x4xf32>, tensor<8x32x4xf32>) -> (tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
      %1102 = func.call @dynamic_update_index_in_dim(%iterArg_316, %1101#2, %1090) : (tensor<8x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %1103 = func.call @dynamic_update_index_in_dim(%iterArg_317, %1101#3, %1090) : (tensor<8x8x32xf32>, tensor<8x32xf32>, tensor<i32>) -> tensor<8x8x32xf32>
      %1104 = func.call @dynamic_update_index_in_dim_16(%iterArg_318, %1101#4, %1090) : (tensor<8x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<8x8x4xf32>
      %1105 = func.call @dynamic_update_index_in_dim_16(%iterArg_319, %1101#5, %1090) : (tensor<8x8x4xf32>, tensor<8x4xf32>, tensor<i32>) -> tensor<8x8x4xf32>
      %c_322 = stablehlo.constant dense<1> : tensor<i32>
      %1106 = stablehlo.add %iterArg_313, %c_322 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_303, %iterArg_304, %iterArg_305, %iterArg_306, %iterArg_307, %iterArg_308, %iterArg_309, %iterArg_310, %iterArg_311, %iterArg_312, %1106, %1101#0, %1101#1, %1102, %1103, %1104, %1105 : tensor<8x8x32xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x32x4xf32>, tensor<8x8x1x4xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x1xf32>, tensor<8x8x32x4xf32>, tensor<8x8x4xf32>, tensor<8x8x32x4xf32>, tensor<1x32x4xf32>, tensor<i32>, tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x8x32xf32>, tensor<8x8x32xf32>, tensor<8x8x4xf32>, tensor<8x8x4xf32>
    }
    %408 = stablehlo.transpose %407#17, dims = [1, 2, 0] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %409 = stablehlo.transpose %407#16, dims = [1, 2, 0] : (tensor<8x8x4xf32>) -> tensor<8x4x8xf32>
    %410 = stablehlo.transpose %407#15, dims = [1, 2, 0] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %411 = stablehlo.transpose %407#14, dims = [1, 2, 0] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %412 = stablehlo.add %398, %411 : tensor<8x32x8xf32>
    %413:2 = call @_where_17(%60, %410) : (tensor<8x32x8xi1>, tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>)
    %414 = stablehlo.divide %413#1, %58 : tensor<8x32x8xf32>
    %415 = stablehlo.multiply %414, %55 : tensor<8x32x8xf32>
    %416 = stablehlo.add %413#0, %415 : tensor<8x32x8xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %417 = stablehlo.reduce(%416 init: %cst_120) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<32xf32>
    %418 = stablehlo.reshape %417 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %419 = stablehlo.reduce(%418 init: %cst_121) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x32x1xf32>, tensor<f32>) -> tensor<32xf32>
    %420 = stablehlo.broadcast_in_dim %419, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %cst_122 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %421 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %422 = stablehlo.multiply %420, %421 : tensor<32x1xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %423 = stablehlo.reduce(%422 init: %cst_123) applies stablehlo.add across dimensions = [1] : (tensor<32x1xf32>, tensor<f32>) -> tensor<32xf32>
    %424 = stablehlo.transpose %408, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %425 = stablehlo.transpose %409, dims = [0, 2, 1] : (tensor<8x4x8xf32>) -> tensor<8x8x4xf32>
    %426 = stablehlo.transpose %412, dims = [0, 2, 1] : (tensor<8x32x8xf32>) -> tensor<8x8x32xf32>
    %427 = stablehlo.dot_general %416, %44, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32x8xf32>, tensor<8x32x2xf32>) -> tensor<8x8x2xf32>
    %428 = stablehlo.transpose %427, dims = [0, 2, 1] : (tensor<8x8x2xf32>) -> tensor<8x2x8xf32>
    %429 = stablehlo.dot_general %416, %43, batching_dims = [0] x [0], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x32x8xf32>, tensor<8x2x8xf32>) -> tensor<8x32x2xf32>
    %cst_124 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %430 = stablehlo.reduce(%429 init: %cst_124) applies stablehlo.add across dimensions = [0] : (tensor<8x32x2xf32>, tensor<f32>) -> tensor<32x2xf32>
    %431 = stablehlo.transpose %428, dims = [0, 2, 1] : (tensor<8x2x8xf32>) -> tensor<8x8x2xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %432 = stablehlo.pad %424, %cst_125, low = [0, 0, 6], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x8x4xf32>, tensor<f32>) -> tensor<8x8x10xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %433 = stablehlo.pad %425, %cst_126, low = [0, 0, 2], high = [0, 0, 4], interior = [0, 0, 0] : (tensor<8x8x4xf32>, tensor<f32>) -> tensor<8x8x10xf32>
    %434 = stablehlo.add %432, %433 : tensor<8x8x10xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %435 = stablehlo.pad %431, %cst_127, low = [0, 0, 0], high = [0, 0, 8], interior = [0, 0, 0] : (tensor<8x8x2xf32>, tensor<f32>) -> tensor<8x8x10xf32>
    %436 = stablehlo.add %434, %435 : tensor<8x8x10xf32>
    %437 = stablehlo.dot_general %436, %38, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x10xf32>, tensor<8x8x32xf32>) -> tensor<10x32xf32>
    %438 = stablehlo.dot_general %436, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x10xf32>, tensor<10x32xf32>) -> tensor<8x8x32xf32>
    %439 = stablehlo.add %426, %438 : tensor<8x8x32xf32>
    %440 = stablehlo.transpose %439, dims = [0, 2, 1] : (tensor<8x8x32xf32>) -> tensor<8x32x8xf32>
    %441 = call @silu_11(%37#1, %37#2, %36, %440) : (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>) -> tensor<8x32x8xf32>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %442 = stablehlo.pad %441, %cst_128, low = [0, 0, 0], high = [0, 0, 3], interior = [0, 0, 0] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<8x32x11xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %443 = stablehlo.reduce(%442 init: %cst_129) applies stablehlo.add across dimensions = [0, 2] : (tensor<8x32x11xf32>, tensor<f32>) -> tensor<32xf32>
    %444 = stablehlo.reshape %443 : (tensor<32xf32>) -> tensor<1x32x1xf32>
    %445 = stablehlo.reshape %444 : (tensor<1x32x1xf32>) -> tensor<32xf32>
    %446 = stablehlo.convolution(%28, %442) dim_numbers = [f, b, 0]x[i, o, 0]->[f, b, 0], window = {stride = [1], pad = [[3, 3]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 32 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32x8xf32>, tensor<8x32x11xf32>) -> tensor<32x1x4xf32>
    %447 = stablehlo.reshape %31 : (tensor<32x1x4xf32>) -> tensor<32x1x1x4xf32>
    %448 = stablehlo.transpose %447, dims = [1, 0, 2, 3] : (tensor<32x1x1x4xf32>) -> tensor<1x32x1x4xf32>
    %449 = stablehlo.reshape %448 : (tensor<1x32x1x4xf32>) -> tensor<1x32x4xf32>
    %450 = stablehlo.reverse %449, dims = [2] : tensor<1x32x4xf32>
    %451 = stablehlo.convolution(%442, %450) dim_numbers = [b, f, 0]x[i, o, 0]->[b, f, 0], window = {stride = [1], pad = [[0, 0]], lhs_dilate = [1], rhs_dilate = [1], reverse = [false]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<8x32x11xf32>, tensor<1x32x4xf32>) -> tensor<8x32x8xf32>
    %cst_130 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %452 = stablehlo.reduce(%446 init: %cst_130) applies stablehlo.add across dimensions = [1] : (tensor<32x1x4xf32>, tensor<f32>) -> tensor<32x4xf32>
    %453 = stablehlo.broadcast_in_dim %452, dims = [0, 2] : (tensor<32x4xf32>) -> tensor<32x1x4xf32>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %454 = stablehlo.pad %391, %cst_131, low = [0, 32, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<8x64x8xf32>
    %cst_132 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %455 = stablehlo.pad %451, %cst_132, low = [0, 0, 0], high = [0, 32, 0], interior = [0, 0, 0] : (tensor<8x32x8xf32>, tensor<f32>) -> tensor<8x64x8xf32>
    %456 = stablehlo.add %454, %455 : tensor<8x64x8xf32>
    %cst_133 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %457 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %458 = stablehlo.multiply %457, %407#12 : tensor<32x4xf32>
    %459 = stablehlo.multiply %458, %25 : tensor<32x4xf32>
    %460 = stablehlo.transpose %456, dims = [0, 2, 1] : (tensor<8x64x8xf32>) -> tensor<8x8x64xf32>
    %461 = stablehlo.dot_general %460, %22, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64xf32>, tensor<8x8x16xf32>) -> tensor<64x16xf32>
    %462 = stablehlo.dot_general %460, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x8x64xf32>, tensor<64x16xf32>) -> tensor<8x8x16xf32>
    %463 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x8x16xf32>
    %464 = stablehlo.multiply %463, %462 : tensor<8x8x16xf32>
    %465 = stablehlo.multiply %462, %19 : tensor<8x8x16xf32>
    %cst_134 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %466 = stablehlo.reduce(%465 init: %cst_134) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %467 = stablehlo.reshape %466 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %468 = stablehlo.reduce(%467 init: %cst_135) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %469 = stablehlo.multiply %0#0, %464 : tensor<8x8x16xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %470 = stablehlo.reduce(%469 init: %cst_136) applies stablehlo.add across dimensions = [2] : (tensor<8x8x16xf32>, tensor<f32>) -> tensor<8x8xf32>
    %471 = stablehlo.reshape %470 : (tensor<8x8xf32>) -> tensor<8x8x1xf32>
    %472 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x8x1xf32>) -> tensor<8x8x16xf32>
    %473 = stablehlo.multiply %464, %472 : tensor<8x8x16xf32>
    %474 = stablehlo.add %383, %473 : tensor<8x8x16xf32>
    %475 = stablehlo.multiply %471, %17 : tensor<8x8x1xf32>
    %cst_137 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %476 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<8x8x1xf32>
    %477 = stablehlo.divide %475, %476 : tensor<8x8x1xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %478 = stablehlo.reduce(%477 init: %cst_138) applies stablehlo.add across dimensions = [2] : (tensor<8x8x1xf32>, tensor<f32>) -> tensor<8x8xf32>
    %479 = stablehlo.broadcast_in_dim %478, dims = [0, 1] : (tensor<8x8xf32>) -> tensor<8x8x16xf32>
    %480 = stablehlo.multiply %479, %7 : tensor<8x8x16xf32>
    %481 = stablehlo.add %474, %480 : tensor<8x8x16xf32>
    %482 = call @_take_19(%0#1, %481) : (tensor<8x8x1xi32>, tensor<8x8x16xf32>) -> tensor<64x16xf32>
    %483 = stablehlo.add %266, %482 : tensor<64x16xf32>
    %484 = chlo.square %483 : tensor<64x16xf32> -> tensor<64x16xf32>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %485 = stablehlo.reduce(%484 init: %cst_139) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.add %cst_140, %485 : tensor<f32>
    %487 = chlo.square %459 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_141 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.reduce(%487 init: %cst_141) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %489 = stablehlo.add %486, %488 : tensor<f32>
    %490 = chlo.square %399 : tensor<32xf32> -> tensor<32xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %491 = stablehlo.reduce(%490 init: %cst_142) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %492 = stablehlo.add %489, %491 : tensor<f32>
    %493 = chlo.square %445 : tensor<32xf32> -> tensor<32xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %494 = stablehlo.reduce(%493 init: %cst_143) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %495 = stablehlo.add %492, %494 : tensor<f32>
    %496 = chlo.square %453 : tensor<32x1x4xf32> -> tensor<32x1x4xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.reduce(%496 init: %cst_144) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<32x1x4xf32>, tensor<f32>) -> tensor<f32>
    %498 = stablehlo.add %495, %497 : tensor<f32>
    %499 = chlo.square %423 : tensor<32xf32> -> tensor<32xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %500 = stablehlo.reduce(%499 init: %cst_145) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %501 = stablehlo.add %498, %500 : tensor<f32>
    %502 = chlo.square %430 : tensor<32x2xf32> -> tensor<32x2xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %503 = stablehlo.reduce(%502 init: %cst_146) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x2xf32>, tensor<f32>) -> tensor<f32>
    %504 = stablehlo.add %501, %503 : tensor<f32>
    %505 = chlo.square %461 : tensor<64x16xf32> -> tensor<64x16xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %506 = stablehlo.reduce(%505 init: %cst_147) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    %507 = stablehlo.add %504, %506 : tensor<f32>
    %508 = chlo.square %386 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %509 = stablehlo.reduce(%508 init: %cst_148) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %510 = stablehlo.add %507, %509 : tensor<f32>
    %511 = chlo.square %437 : tensor<10x32xf32> -> tensor<10x32xf32>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %512 = stablehlo.reduce(%511 init: %cst_149) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x32xf32>, tensor<f32>) -> tensor<f32>
    %513 = stablehlo.add %510, %512 : tensor<f32>
    %514 = chlo.square %468 : tensor<16xf32> -> tensor<16xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %515 = stablehlo.reduce(%514 init: %cst_150) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %516 = stablehlo.add %513, %515 : tensor<f32>
    %517 = chlo.square %361 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %518 = stablehlo.reduce(%517 init: %cst_151) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %519 = stablehlo.add %516, %518 : tensor<f32>
    %520 = chlo.square %301 : tensor<32xf32> -> tensor<32xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %521 = stablehlo.reduce(%520 init: %cst_152) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %522 = stablehlo.add %519, %521 : tensor<f32>
    %523 = chlo.square %347 : tensor<32xf32> -> tensor<32xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %524 = stablehlo.reduce(%523 init: %cst_153) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %525 = stablehlo.add %522, %524 : tensor<f32>
    %526 = chlo.square %355 : tensor<32x1x4xf32> -> tensor<32x1x4xf32>
    %cst_154 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %527 = stablehlo.reduce(%526 init: %cst_154) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<32x1x4xf32>, tensor<f32>) -> tensor<f32>
    %528 = stablehlo.add %525, %527 : tensor<f32>
    %529 = chlo.square %325 : tensor<32xf32> -> tensor<32xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %530 = stablehlo.reduce(%529 init: %cst_155) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %531 = stablehlo.add %528, %530 : tensor<f32>
    %532 = chlo.square %332 : tensor<32x2xf32> -> tensor<32x2xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %533 = stablehlo.reduce(%532 init: %cst_156) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x2xf32>, tensor<f32>) -> tensor<f32>
    %534 = stablehlo.add %531, %533 : tensor<f32>
    %535 = chlo.square %363 : tensor<64x16xf32> -> tensor<64x16xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %536 = stablehlo.reduce(%535 init: %cst_157) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x16xf32>, tensor<f32>) -> tensor<f32>
    %537 = stablehlo.add %534, %536 : tensor<f32>
    %538 = chlo.square %288 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %539 = stablehlo.reduce(%538 init: %cst_158) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %540 = stablehlo.add %537, %539 : tensor<f32>
    %541 = chlo.square %339 : tensor<10x32xf32> -> tensor<10x32xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %542 = stablehlo.reduce(%541 init: %cst_159) applies stablehlo.add across dimensions = [0, 1] : (tensor<10x32xf32>, tensor<f32>) -> tensor<f32>
    %543 = stablehlo.add %540, %542 : tensor<f32>
    %544 = chlo.square %370 : tensor<16xf32> -> tensor<16xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %545 = stablehlo.reduce(%544 init: %cst_160) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %546 = stablehlo.add %543, %545 : tensor<f32>
    %547 = chlo.square %273 : tensor<16xf32> -> tensor<16xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %548 = stablehlo.reduce(%547 init: %cst_161) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %549 = stablehlo.add %546, %548 : tensor<f32>
    %550 = stablehlo.sqrt %549 : tensor<f32>
    %cst_162 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %551 = stablehlo.add %550, %cst_162 : tensor<f32>
    %cst_163 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %552 = stablehlo.divide %cst_163, %551 : tensor<f32>
    %cst_164 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %553 = stablehlo.minimum %552, %cst_164 : tensor<f32>
    %554 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %555 = stablehlo.multiply %483, %554 : tensor<64x16xf32>
    %556 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %557 = stablehlo.multiply %459, %556 : tensor<32x4xf32>
    %558 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %559 = stablehlo.multiply %399, %558 : tensor<32xf32>
    %560 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %561 = stablehlo.multiply %445, %560 : tensor<32xf32>
    %562 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %563 = stablehlo.multiply %453, %562 : tensor<32x1x4xf32>
    %564 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %565 = stablehlo.multiply %423, %564 : tensor<32xf32>
    %566 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %567 = stablehlo.multiply %430, %566 : tensor<32x2xf32>
    %568 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %569 = stablehlo.multiply %461, %568 : tensor<64x16xf32>
    %570 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %571 = stablehlo.multiply %386, %570 : tensor<16x32xf32>
    %572 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %573 = stablehlo.multiply %437, %572 : tensor<10x32xf32>
    %574 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %575 = stablehlo.multiply %468, %574 : tensor<16xf32>
    %576 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %577 = stablehlo.multiply %361, %576 : tensor<32x4xf32>
    %578 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %579 = stablehlo.multiply %301, %578 : tensor<32xf32>
    %580 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %581 = stablehlo.multiply %347, %580 : tensor<32xf32>
    %582 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %583 = stablehlo.multiply %355, %582 : tensor<32x1x4xf32>
    %584 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %585 = stablehlo.multiply %325, %584 : tensor<32xf32>
    %586 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %587 = stablehlo.multiply %332, %586 : tensor<32x2xf32>
    %588 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %589 = stablehlo.multiply %363, %588 : tensor<64x16xf32>
    %590 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %591 = stablehlo.multiply %288, %590 : tensor<16x32xf32>
    %592 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %593 = stablehlo.multiply %339, %592 : tensor<10x32xf32>
    %594 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %595 = stablehlo.multiply %370, %594 : tensor<16xf32>
    %596 = stablehlo.broadcast_in_dim %553, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %597 = stablehlo.multiply %273, %596 : tensor<16xf32>
    %cst_165 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %598 = stablehlo.add %arg66, %cst_165 : tensor<f32>
    %cst_166 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %599 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %600 = stablehlo.multiply %599, %arg22 : tensor<64x16xf32>
    %cst_167 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %601 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %602 = stablehlo.multiply %601, %555 : tensor<64x16xf32>
    %603 = stablehlo.add %600, %602 : tensor<64x16xf32>
    %cst_168 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %604 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %605 = stablehlo.multiply %604, %arg23 : tensor<32x4xf32>
    %cst_169 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %606 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %607 = stablehlo.multiply %606, %557 : tensor<32x4xf32>
    %608 = stablehlo.add %605, %607 : tensor<32x4xf32>
    %cst_170 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %609 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %610 = stablehlo.multiply %609, %arg24 : tensor<32xf32>
    %cst_171 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %611 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %612 = stablehlo.multiply %611, %559 : tensor<32xf32>
    %613 = stablehlo.add %610, %612 : tensor<32xf32>
    %cst_172 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %614 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %615 = stablehlo.multiply %614, %arg25 : tensor<32xf32>
    %cst_173 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %616 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %617 = stablehlo.multiply %616, %561 : tensor<32xf32>
    %618 = stablehlo.add %615, %617 : tensor<32xf32>
    %cst_174 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %619 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %620 = stablehlo.multiply %619, %arg26 : tensor<32x1x4xf32>
    %cst_175 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %621 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %622 = stablehlo.multiply %621, %563 : tensor<32x1x4xf32>
    %623 = stablehlo.add %620, %622 : tensor<32x1x4xf32>
    %cst_176 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %624 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %625 = stablehlo.multiply %624, %arg27 : tensor<32xf32>
    %cst_177 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %627 = stablehlo.multiply %626, %565 : tensor<32xf32>
    %628 = stablehlo.add %625, %627 : tensor<32xf32>
    %cst_178 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %630 = stablehlo.multiply %629, %arg28 : tensor<32x2xf32>
    %cst_179 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %631 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %632 = stablehlo.multiply %631, %567 : tensor<32x2xf32>
    %633 = stablehlo.add %630, %632 : tensor<32x2xf32>
    %cst_180 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %634 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %635 = stablehlo.multiply %634, %arg29 : tensor<64x16xf32>
    %cst_181 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %637 = stablehlo.multiply %636, %569 : tensor<64x16xf32>
    %638 = stablehlo.add %635, %637 : tensor<64x16xf32>
    %cst_182 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %639 = stablehlo.broadcast_in_dim %cst_182, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %640 = stablehlo.multiply %639, %arg30 : tensor<16x32xf32>
    %cst_183 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %641 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %642 = stablehlo.multiply %641, %571 : tensor<16x32xf32>
    %643 = stablehlo.add %640, %642 : tensor<16x32xf32>
    %cst_184 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %644 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %645 = stablehlo.multiply %644, %arg31 : tensor<10x32xf32>
    %cst_185 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %646 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %647 = stablehlo.multiply %646, %573 : tensor<10x32xf32>
    %648 = stablehlo.add %645, %647 : tensor<10x32xf32>
    %cst_186 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %649 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %650 = stablehlo.multiply %649, %arg32 : tensor<16xf32>
    %cst_187 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %cst_187, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %652 = stablehlo.multiply %651, %575 : tensor<16xf32>
    %653 = stablehlo.add %650, %652 : tensor<16xf32>
    %cst_188 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %654 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %655 = stablehlo.multiply %654, %arg33 : tensor<32x4xf32>
    %cst_189 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %656 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %657 = stablehlo.multiply %656, %577 : tensor<32x4xf32>
    %658 = stablehlo.add %655, %657 : tensor<32x4xf32>
    %cst_190 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %659 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %660 = stablehlo.multiply %659, %arg34 : tensor<32xf32>
    %cst_191 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %661 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %662 = stablehlo.multiply %661, %579 : tensor<32xf32>
    %663 = stablehlo.add %660, %662 : tensor<32xf32>
    %cst_192 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %664 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %665 = stablehlo.multiply %664, %arg35 : tensor<32xf32>
    %cst_193 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %666 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %667 = stablehlo.multiply %666, %581 : tensor<32xf32>
    %668 = stablehlo.add %665, %667 : tensor<32xf32>
    %cst_194 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %669 = stablehlo.broadcast_in_dim %cst_194, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %670 = stablehlo.multiply %669, %arg36 : tensor<32x1x4xf32>
    %cst_195 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %672 = stablehlo.multiply %671, %583 : tensor<32x1x4xf32>
    %673 = stablehlo.add %670, %672 : tensor<32x1x4xf32>
    %cst_196 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %674 = stablehlo.broadcast_in_dim %cst_196, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %675 = stablehlo.multiply %674, %arg37 : tensor<32xf32>
    %cst_197 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %676 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %677 = stablehlo.multiply %676, %585 : tensor<32xf32>
    %678 = stablehlo.add %675, %677 : tensor<32xf32>
    %cst_198 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %679 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %680 = stablehlo.multiply %679, %arg38 : tensor<32x2xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %681 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %682 = stablehlo.multiply %681, %587 : tensor<32x2xf32>
    %683 = stablehlo.add %680, %682 : tensor<32x2xf32>
    %cst_200 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %685 = stablehlo.multiply %684, %arg39 : tensor<64x16xf32>
    %cst_201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %686 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %687 = stablehlo.multiply %686, %589 : tensor<64x16xf32>
    %688 = stablehlo.add %685, %687 : tensor<64x16xf32>
    %cst_202 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %689 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %690 = stablehlo.multiply %689, %arg40 : tensor<16x32xf32>
    %cst_203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %691 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %692 = stablehlo.multiply %691, %591 : tensor<16x32xf32>
    %693 = stablehlo.add %690, %692 : tensor<16x32xf32>
    %cst_204 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %694 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %695 = stablehlo.multiply %694, %arg41 : tensor<10x32xf32>
    %cst_205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %696 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %697 = stablehlo.multiply %696, %593 : tensor<10x32xf32>
    %698 = stablehlo.add %695, %697 : tensor<10x32xf32>
    %cst_206 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %700 = stablehlo.multiply %699, %arg42 : tensor<16xf32>
    %cst_207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %701 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %702 = stablehlo.multiply %701, %595 : tensor<16xf32>
    %703 = stablehlo.add %700, %702 : tensor<16xf32>
    %cst_208 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %704 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %705 = stablehlo.multiply %704, %arg43 : tensor<16xf32>
    %cst_209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %706 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %707 = stablehlo.multiply %706, %597 : tensor<16xf32>
    %708 = stablehlo.add %705, %707 : tensor<16xf32>
    %cst_210 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %709 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %710 = stablehlo.multiply %709, %arg44 : tensor<64x16xf32>
    %711 = chlo.square %555 : tensor<64x16xf32> -> tensor<64x16xf32>
    %cst_211 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %712 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %713 = stablehlo.multiply %712, %711 : tensor<64x16xf32>
    %714 = stablehlo.add %710, %713 : tensor<64x16xf32>
    %cst_212 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %715 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %716 = stablehlo.multiply %715, %arg45 : tensor<32x4xf32>
    %717 = chlo.square %557 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_213 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %718 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %719 = stablehlo.multiply %718, %717 : tensor<32x4xf32>
    %720 = stablehlo.add %716, %719 : tensor<32x4xf32>
    %cst_214 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %721 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %722 = stablehlo.multiply %721, %arg46 : tensor<32xf32>
    %723 = chlo.square %559 : tensor<32xf32> -> tensor<32xf32>
    %cst_215 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %724 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %725 = stablehlo.multiply %724, %723 : tensor<32xf32>
    %726 = stablehlo.add %722, %725 : tensor<32xf32>
    %cst_216 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %727 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %728 = stablehlo.multiply %727, %arg47 : tensor<32xf32>
    %729 = chlo.square %561 : tensor<32xf32> -> tensor<32xf32>
    %cst_217 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %730 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %731 = stablehlo.multiply %730, %729 : tensor<32xf32>
    %732 = stablehlo.add %728, %731 : tensor<32xf32>
    %cst_218 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %733 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %734 = stablehlo.multiply %733, %arg48 : tensor<32x1x4xf32>
    %735 = chlo.square %563 : tensor<32x1x4xf32> -> tensor<32x1x4xf32>
    %cst_219 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %736 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %737 = stablehlo.multiply %736, %735 : tensor<32x1x4xf32>
    %738 = stablehlo.add %734, %737 : tensor<32x1x4xf32>
    %cst_220 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %739 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %740 = stablehlo.multiply %739, %arg49 : tensor<32xf32>
    %741 = chlo.square %565 : tensor<32xf32> -> tensor<32xf32>
    %cst_221 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %742 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %743 = stablehlo.multiply %742, %741 : tensor<32xf32>
    %744 = stablehlo.add %740, %743 : tensor<32xf32>
    %cst_222 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %745 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %746 = stablehlo.multiply %745, %arg50 : tensor<32x2xf32>
    %747 = chlo.square %567 : tensor<32x2xf32> -> tensor<32x2xf32>
    %cst_223 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %748 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %749 = stablehlo.multiply %748, %747 : tensor<32x2xf32>
    %750 = stablehlo.add %746, %749 : tensor<32x2xf32>
    %cst_224 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %751 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %752 = stablehlo.multiply %751, %arg51 : tensor<64x16xf32>
    %753 = chlo.square %569 : tensor<64x16xf32> -> tensor<64x16xf32>
    %cst_225 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %754 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %755 = stablehlo.multiply %754, %753 : tensor<64x16xf32>
    %756 = stablehlo.add %752, %755 : tensor<64x16xf32>
    %cst_226 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %757 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %758 = stablehlo.multiply %757, %arg52 : tensor<16x32xf32>
    %759 = chlo.square %571 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_227 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %760 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %761 = stablehlo.multiply %760, %759 : tensor<16x32xf32>
    %762 = stablehlo.add %758, %761 : tensor<16x32xf32>
    %cst_228 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %763 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %764 = stablehlo.multiply %763, %arg53 : tensor<10x32xf32>
    %765 = chlo.square %573 : tensor<10x32xf32> -> tensor<10x32xf32>
    %cst_229 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %766 = stablehlo.broadcast_in_dim %cst_229, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %767 = stablehlo.multiply %766, %765 : tensor<10x32xf32>
    %768 = stablehlo.add %764, %767 : tensor<10x32xf32>
    %cst_230 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %769 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %770 = stablehlo.multiply %769, %arg54 : tensor<16xf32>
    %771 = chlo.square %575 : tensor<16xf32> -> tensor<16xf32>
    %cst_231 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %772 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %773 = stablehlo.multiply %772, %771 : tensor<16xf32>
    %774 = stablehlo.add %770, %773 : tensor<16xf32>
    %cst_232 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %775 = stablehlo.broadcast_in_dim %cst_232, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %776 = stablehlo.multiply %775, %arg55 : tensor<32x4xf32>
    %777 = chlo.square %577 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_233 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %778 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %779 = stablehlo.multiply %778, %777 : tensor<32x4xf32>
    %780 = stablehlo.add %776, %779 : tensor<32x4xf32>
    %cst_234 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %781 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %782 = stablehlo.multiply %781, %arg56 : tensor<32xf32>
    %783 = chlo.square %579 : tensor<32xf32> -> tensor<32xf32>
    %cst_235 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %785 = stablehlo.multiply %784, %783 : tensor<32xf32>
    %786 = stablehlo.add %782, %785 : tensor<32xf32>
    %cst_236 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %787 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %788 = stablehlo.multiply %787, %arg57 : tensor<32xf32>
    %789 = chlo.square %581 : tensor<32xf32> -> tensor<32xf32>
    %cst_237 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %790 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %791 = stablehlo.multiply %790, %789 : tensor<32xf32>
    %792 = stablehlo.add %788, %791 : tensor<32xf32>
    %cst_238 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %793 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %794 = stablehlo.multiply %793, %arg58 : tensor<32x1x4xf32>
    %795 = chlo.square %583 : tensor<32x1x4xf32> -> tensor<32x1x4xf32>
    %cst_239 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %796 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %797 = stablehlo.multiply %796, %795 : tensor<32x1x4xf32>
    %798 = stablehlo.add %794, %797 : tensor<32x1x4xf32>
    %cst_240 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %800 = stablehlo.multiply %799, %arg59 : tensor<32xf32>
    %801 = chlo.square %585 : tensor<32xf32> -> tensor<32xf32>
    %cst_241 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %802 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %803 = stablehlo.multiply %802, %801 : tensor<32xf32>
    %804 = stablehlo.add %800, %803 : tensor<32xf32>
    %cst_242 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %805 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %806 = stablehlo.multiply %805, %arg60 : tensor<32x2xf32>
    %807 = chlo.square %587 : tensor<32x2xf32> -> tensor<32x2xf32>
    %cst_243 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %808 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %809 = stablehlo.multiply %808, %807 : tensor<32x2xf32>
    %810 = stablehlo.add %806, %809 : tensor<32x2xf32>
    %cst_244 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %811 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %812 = stablehlo.multiply %811, %arg61 : tensor<64x16xf32>
    %813 = chlo.square %589 : tensor<64x16xf32> -> tensor<64x16xf32>
    %cst_245 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %814 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %815 = stablehlo.multiply %814, %813 : tensor<64x16xf32>
    %816 = stablehlo.add %812, %815 : tensor<64x16xf32>
    %cst_246 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %817 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %818 = stablehlo.multiply %817, %arg62 : tensor<16x32xf32>
    %819 = chlo.square %591 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_247 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %820 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %821 = stablehlo.multiply %820, %819 : tensor<16x32xf32>
    %822 = stablehlo.add %818, %821 : tensor<16x32xf32>
    %cst_248 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %823 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %824 = stablehlo.multiply %823, %arg63 : tensor<10x32xf32>
    %825 = chlo.square %593 : tensor<10x32xf32> -> tensor<10x32xf32>
    %cst_249 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %826 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %827 = stablehlo.multiply %826, %825 : tensor<10x32xf32>
    %828 = stablehlo.add %824, %827 : tensor<10x32xf32>
    %cst_250 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %829 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %830 = stablehlo.multiply %829, %arg64 : tensor<16xf32>
    %831 = chlo.square %595 : tensor<16xf32> -> tensor<16xf32>
    %cst_251 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %832 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %833 = stablehlo.multiply %832, %831 : tensor<16xf32>
    %834 = stablehlo.add %830, %833 : tensor<16xf32>
    %cst_252 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %835 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %836 = stablehlo.multiply %835, %arg65 : tensor<16xf32>
    %837 = chlo.square %597 : tensor<16xf32> -> tensor<16xf32>
    %cst_253 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %838 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %839 = stablehlo.multiply %838, %837 : tensor<16xf32>
    %840 = stablehlo.add %836, %839 : tensor<16xf32>
    %cst_254 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %841 = stablehlo.power %cst_254, %598 : tensor<f32>
    %cst_255 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %842 = stablehlo.subtract %cst_255, %841 : tensor<f32>
    %cst_256 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %843 = stablehlo.divide %cst_256, %842 : tensor<f32>
    %cst_257 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %844 = stablehlo.power %cst_257, %598 : tensor<f32>
    %cst_258 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %845 = stablehlo.subtract %cst_258, %844 : tensor<f32>
    %846 = stablehlo.sqrt %845 : tensor<f32>
    %cst_259 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %847 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %848 = stablehlo.multiply %arg0, %847 : tensor<64x16xf32>
    %849 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %850 = stablehlo.multiply %849, %603 : tensor<64x16xf32>
    %851 = stablehlo.sqrt %714 : tensor<64x16xf32>
    %852 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %853 = stablehlo.divide %851, %852 : tensor<64x16xf32>
    %cst_260 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %854 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %855 = stablehlo.add %853, %854 : tensor<64x16xf32>
    %856 = stablehlo.divide %850, %855 : tensor<64x16xf32>
    %857 = stablehlo.subtract %848, %856 : tensor<64x16xf32>
    %cst_261 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %858 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %859 = stablehlo.multiply %arg1, %858 : tensor<32x4xf32>
    %860 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %861 = stablehlo.multiply %860, %608 : tensor<32x4xf32>
    %862 = stablehlo.sqrt %720 : tensor<32x4xf32>
    %863 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %864 = stablehlo.divide %862, %863 : tensor<32x4xf32>
    %cst_262 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %865 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %866 = stablehlo.add %864, %865 : tensor<32x4xf32>
    %867 = stablehlo.divide %861, %866 : tensor<32x4xf32>
    %868 = stablehlo.subtract %859, %867 : tensor<32x4xf32>
    %cst_263 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %869 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %870 = stablehlo.multiply %arg2, %869 : tensor<32xf32>
    %871 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %872 = stablehlo.multiply %871, %613 : tensor<32xf32>
    %873 = stablehlo.sqrt %726 : tensor<32xf32>
    %874 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %875 = stablehlo.divide %873, %874 : tensor<32xf32>
    %cst_264 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %876 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %877 = stablehlo.add %875, %876 : tensor<32xf32>
    %878 = stablehlo.divide %872, %877 : tensor<32xf32>
    %879 = stablehlo.subtract %870, %878 : tensor<32xf32>
    %cst_265 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %880 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %881 = stablehlo.multiply %arg3, %880 : tensor<32xf32>
    %882 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %883 = stablehlo.multiply %882, %618 : tensor<32xf32>
    %884 = stablehlo.sqrt %732 : tensor<32xf32>
    %885 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %886 = stablehlo.divide %884, %885 : tensor<32xf32>
    %cst_266 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %887 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %888 = stablehlo.add %886, %887 : tensor<32xf32>
    %889 = stablehlo.divide %883, %888 : tensor<32xf32>
    %890 = stablehlo.subtract %881, %889 : tensor<32xf32>
    %cst_267 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %891 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %892 = stablehlo.multiply %arg4, %891 : tensor<32x1x4xf32>
    %893 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %894 = stablehlo.multiply %893, %623 : tensor<32x1x4xf32>
    %895 = stablehlo.sqrt %738 : tensor<32x1x4xf32>
    %896 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %897 = stablehlo.divide %895, %896 : tensor<32x1x4xf32>
    %cst_268 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %898 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %899 = stablehlo.add %897, %898 : tensor<32x1x4xf32>
    %900 = stablehlo.divide %894, %899 : tensor<32x1x4xf32>
    %901 = stablehlo.subtract %892, %900 : tensor<32x1x4xf32>
    %cst_269 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %902 = stablehlo.broadcast_in_dim %cst_269, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %903 = stablehlo.multiply %arg5, %902 : tensor<32xf32>
    %904 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %905 = stablehlo.multiply %904, %628 : tensor<32xf32>
    %906 = stablehlo.sqrt %744 : tensor<32xf32>
    %907 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %908 = stablehlo.divide %906, %907 : tensor<32xf32>
    %cst_270 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %909 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %910 = stablehlo.add %908, %909 : tensor<32xf32>
    %911 = stablehlo.divide %905, %910 : tensor<32xf32>
    %912 = stablehlo.subtract %903, %911 : tensor<32xf32>
    %cst_271 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %913 = stablehlo.broadcast_in_dim %cst_271, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %914 = stablehlo.multiply %arg6, %913 : tensor<32x2xf32>
    %915 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %916 = stablehlo.multiply %915, %633 : tensor<32x2xf32>
    %917 = stablehlo.sqrt %750 : tensor<32x2xf32>
    %918 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %919 = stablehlo.divide %917, %918 : tensor<32x2xf32>
    %cst_272 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %920 = stablehlo.broadcast_in_dim %cst_272, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %921 = stablehlo.add %919, %920 : tensor<32x2xf32>
    %922 = stablehlo.divide %916, %921 : tensor<32x2xf32>
    %923 = stablehlo.subtract %914, %922 : tensor<32x2xf32>
    %cst_273 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %924 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %925 = stablehlo.multiply %arg7, %924 : tensor<64x16xf32>
    %926 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %927 = stablehlo.multiply %926, %638 : tensor<64x16xf32>
    %928 = stablehlo.sqrt %756 : tensor<64x16xf32>
    %929 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %930 = stablehlo.divide %928, %929 : tensor<64x16xf32>
    %cst_274 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %931 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %932 = stablehlo.add %930, %931 : tensor<64x16xf32>
    %933 = stablehlo.divide %927, %932 : tensor<64x16xf32>
    %934 = stablehlo.subtract %925, %933 : tensor<64x16xf32>
    %cst_275 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %935 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %936 = stablehlo.multiply %arg8, %935 : tensor<16x32xf32>
    %937 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %938 = stablehlo.multiply %937, %643 : tensor<16x32xf32>
    %939 = stablehlo.sqrt %762 : tensor<16x32xf32>
    %940 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %941 = stablehlo.divide %939, %940 : tensor<16x32xf32>
    %cst_276 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %942 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %943 = stablehlo.add %941, %942 : tensor<16x32xf32>
    %944 = stablehlo.divide %938, %943 : tensor<16x32xf32>
    %945 = stablehlo.subtract %936, %944 : tensor<16x32xf32>
    %cst_277 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %946 = stablehlo.broadcast_in_dim %cst_277, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %947 = stablehlo.multiply %arg9, %946 : tensor<10x32xf32>
    %948 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %949 = stablehlo.multiply %948, %648 : tensor<10x32xf32>
    %950 = stablehlo.sqrt %768 : tensor<10x32xf32>
    %951 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %952 = stablehlo.divide %950, %951 : tensor<10x32xf32>
    %cst_278 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %953 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %954 = stablehlo.add %952, %953 : tensor<10x32xf32>
    %955 = stablehlo.divide %949, %954 : tensor<10x32xf32>
    %956 = stablehlo.subtract %947, %955 : tensor<10x32xf32>
    %cst_279 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %957 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %958 = stablehlo.multiply %arg10, %957 : tensor<16xf32>
    %959 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %960 = stablehlo.multiply %959, %653 : tensor<16xf32>
    %961 = stablehlo.sqrt %774 : tensor<16xf32>
    %962 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %963 = stablehlo.divide %961, %962 : tensor<16xf32>
    %cst_280 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %964 = stablehlo.broadcast_in_dim %cst_280, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %965 = stablehlo.add %963, %964 : tensor<16xf32>
    %966 = stablehlo.divide %960, %965 : tensor<16xf32>
    %967 = stablehlo.subtract %958, %966 : tensor<16xf32>
    %cst_281 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %968 = stablehlo.broadcast_in_dim %cst_281, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %969 = stablehlo.multiply %arg11, %968 : tensor<32x4xf32>
    %970 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %971 = stablehlo.multiply %970, %658 : tensor<32x4xf32>
    %972 = stablehlo.sqrt %780 : tensor<32x4xf32>
    %973 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %974 = stablehlo.divide %972, %973 : tensor<32x4xf32>
    %cst_282 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %975 = stablehlo.broadcast_in_dim %cst_282, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %976 = stablehlo.add %974, %975 : tensor<32x4xf32>
    %977 = stablehlo.divide %971, %976 : tensor<32x4xf32>
    %978 = stablehlo.subtract %969, %977 : tensor<32x4xf32>
    %cst_283 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %979 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %980 = stablehlo.multiply %arg12, %979 : tensor<32xf32>
    %981 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %982 = stablehlo.multiply %981, %663 : tensor<32xf32>
    %983 = stablehlo.sqrt %786 : tensor<32xf32>
    %984 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %985 = stablehlo.divide %983, %984 : tensor<32xf32>
    %cst_284 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %986 = stablehlo.broadcast_in_dim %cst_284, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %987 = stablehlo.add %985, %986 : tensor<32xf32>
    %988 = stablehlo.divide %982, %987 : tensor<32xf32>
    %989 = stablehlo.subtract %980, %988 : tensor<32xf32>
    %cst_285 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %990 = stablehlo.broadcast_in_dim %cst_285, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %991 = stablehlo.multiply %arg13, %990 : tensor<32xf32>
    %992 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %993 = stablehlo.multiply %992, %668 : tensor<32xf32>
    %994 = stablehlo.sqrt %792 : tensor<32xf32>
    %995 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %996 = stablehlo.divide %994, %995 : tensor<32xf32>
    %cst_286 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %997 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %998 = stablehlo.add %996, %997 : tensor<32xf32>
    %999 = stablehlo.divide %993, %998 : tensor<32xf32>
    %1000 = stablehlo.subtract %991, %999 : tensor<32xf32>
    %cst_287 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1001 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %1002 = stablehlo.multiply %arg14, %1001 : tensor<32x1x4xf32>
    %1003 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %1004 = stablehlo.multiply %1003, %673 : tensor<32x1x4xf32>
    %1005 = stablehlo.sqrt %798 : tensor<32x1x4xf32>
    %1006 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %1007 = stablehlo.divide %1005, %1006 : tensor<32x1x4xf32>
    %cst_288 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1008 = stablehlo.broadcast_in_dim %cst_288, dims = [] : (tensor<f32>) -> tensor<32x1x4xf32>
    %1009 = stablehlo.add %1007, %1008 : tensor<32x1x4xf32>
    %1010 = stablehlo.divide %1004, %1009 : tensor<32x1x4xf32>
    %1011 = stablehlo.subtract %1002, %1010 : tensor<32x1x4xf32>
    %cst_289 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1012 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1013 = stablehlo.multiply %arg15, %1012 : tensor<32xf32>
    %1014 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1015 = stablehlo.multiply %1014, %678 : tensor<32xf32>
    %1016 = stablehlo.sqrt %804 : tensor<32xf32>
    %1017 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1018 = stablehlo.divide %1016, %1017 : tensor<32xf32>
    %cst_290 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1019 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1020 = stablehlo.add %1018, %1019 : tensor<32xf32>
    %1021 = stablehlo.divide %1015, %1020 : tensor<32xf32>
    %1022 = stablehlo.subtract %1013, %1021 : tensor<32xf32>
    %cst_291 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1023 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %1024 = stablehlo.multiply %arg16, %1023 : tensor<32x2xf32>
    %1025 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %1026 = stablehlo.multiply %1025, %683 : tensor<32x2xf32>
    %1027 = stablehlo.sqrt %810 : tensor<32x2xf32>
    %1028 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %1029 = stablehlo.divide %1027, %1028 : tensor<32x2xf32>
    %cst_292 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1030 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<32x2xf32>
    %1031 = stablehlo.add %1029, %1030 : tensor<32x2xf32>
    %1032 = stablehlo.divide %1026, %1031 : tensor<32x2xf32>
    %1033 = stablehlo.subtract %1024, %1032 : tensor<32x2xf32>
    %cst_293 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1034 = stablehlo.broadcast_in_dim %cst_293, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1035 = stablehlo.multiply %arg17, %1034 : tensor<64x16xf32>
    %1036 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1037 = stablehlo.multiply %1036, %688 : tensor<64x16xf32>
    %1038 = stablehlo.sqrt %816 : tensor<64x16xf32>
    %1039 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1040 = stablehlo.divide %1038, %1039 : tensor<64x16xf32>
    %cst_294 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1041 = stablehlo.broadcast_in_dim %cst_294, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1042 = stablehlo.add %1040, %1041 : tensor<64x16xf32>
    %1043 = stablehlo.divide %1037, %1042 : tensor<64x16xf32>
    %1044 = stablehlo.subtract %1035, %1043 : tensor<64x16xf32>
    %cst_295 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1045 = stablehlo.broadcast_in_dim %cst_295, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1046 = stablehlo.multiply %arg18, %1045 : tensor<16x32xf32>
    %1047 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1048 = stablehlo.multiply %1047, %693 : tensor<16x32xf32>
    %1049 = stablehlo.sqrt %822 : tensor<16x32xf32>
    %1050 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1051 = stablehlo.divide %1049, %1050 : tensor<16x32xf32>
    %cst_296 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1052 = stablehlo.broadcast_in_dim %cst_296, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1053 = stablehlo.add %1051, %1052 : tensor<16x32xf32>
    %1054 = stablehlo.divide %1048, %1053 : tensor<16x32xf32>
    %1055 = stablehlo.subtract %1046, %1054 : tensor<16x32xf32>
    %cst_297 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1056 = stablehlo.broadcast_in_dim %cst_297, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %1057 = stablehlo.multiply %arg19, %1056 : tensor<10x32xf32>
    %1058 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %1059 = stablehlo.multiply %1058, %698 : tensor<10x32xf32>
    %1060 = stablehlo.sqrt %828 : tensor<10x32xf32>
    %1061 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %1062 = stablehlo.divide %1060, %1061 : tensor<10x32xf32>
    %cst_298 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1063 = stablehlo.broadcast_in_dim %cst_298, dims = [] : (tensor<f32>) -> tensor<10x32xf32>
    %1064 = stablehlo.add %1062, %1063 : tensor<10x32xf32>
    %1065 = stablehlo.divide %1059, %1064 : tensor<10x32xf32>
    %1066 = stablehlo.subtract %1057, %1065 : tensor<10x32xf32>
    %cst_299 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1067 = stablehlo.broadcast_in_dim %cst_299, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1068 = stablehlo.multiply %arg20, %1067 : tensor<16xf32>
    %1069 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1070 = stablehlo.multiply %1069, %703 : tensor<16xf32>
    %1071 = stablehlo.sqrt %834 : tensor<16xf32>
    %1072 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1073 = stablehlo.divide %1071, %1072 : tensor<16xf32>
    %cst_300 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1074 = stablehlo.broadcast_in_dim %cst_300, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1075 = stablehlo.add %1073, %1074 : tensor<16xf32>
    %1076 = stablehlo.divide %1070, %1075 : tensor<16xf32>
    %1077 = stablehlo.subtract %1068, %1076 : tensor<16xf32>
    %cst_301 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1078 = stablehlo.broadcast_in_dim %cst_301, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1079 = stablehlo.multiply %arg21, %1078 : tensor<16xf32>
    %1080 = stablehlo.broadcast_in_dim %843, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1081 = stablehlo.multiply %1080, %708 : tensor<16xf32>
    %1082 = stablehlo.sqrt %840 : tensor<16xf32>
    %1083 = stablehlo.broadcast_in_dim %846, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1084 = stablehlo.divide %1082, %1083 : tensor<16xf32>
    %cst_302 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1085 = stablehlo.broadcast_in_dim %cst_302, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1086 = stablehlo.add %1084, %1085 : tensor<16xf32>
    %1087 = stablehlo.divide %1081, %1086 : tensor<16xf32>
    %1088 = stablehlo.subtract %1079, %1087 : tensor<16xf32>
    return %857, %868, %879, %890, %901, %912, %923, %934, %945, %956, %967, %978, %989, %1000, %1011, %1022, %1033, %1044, %1055, %1066, %1077, %1088, %603, %608, %613, %618, %623, %628, %633, %638, %643, %648, %653, %658, %663, %668, %673, %678, %683, %688, %693, %698, %703, %708, %714, %720, %726, %732, %738, %744, %750, %756, %762, %768, %774, %780, %786, %792, %798, %804, %810, %816, %822, %828, %834, %840, %598, %244 : tensor<64x16xf32>, tensor<32x4xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x1x4xf32>, tensor<32xf32>, tensor<32x2xf32>, tensor<64x16xf32>, tensor<16x32xf32>, tensor<10x32xf32>, tensor<16xf32>, tensor<32x4xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x1x4xf32>, tensor<32xf32>, tensor<32x2xf32>, tensor<64x16xf32>, tensor<16x32xf32>, tensor<10x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<32x4xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x1x4xf32>, tensor<32xf32>, tensor<32x2xf32>, tensor<64x16xf32>, tensor<16x32xf32>, tensor<10x32xf32>, tensor<16xf32>, tensor<32x4xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x1x4xf32>, tensor<32xf32>, tensor<32x2xf32>, tensor<64x16xf32>, tensor<16x32xf32>, tensor<10x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<32x4xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x1x4xf32>, tensor<32xf32>, tensor<32x2xf32>, tensor<64x16xf32>, tensor<16x32xf32>, tensor<10x32xf32>, tensor<16xf32>, tensor<32x4xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x1x4xf32>, tensor<32xf32>, tensor<32x2xf32>, tensor<64x16xf32>, tensor<16x32xf32>, tensor<10x32xf32>, tensor<16xf32>, tensor<16xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @_take(%arg0: tensor<64x16xf32>, %arg1: tensor<8x8xi32>) -> (tensor<8x8x16xf32>, tensor<8x8x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x8xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x8xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<8x8xi1>, tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x8xi32>) -> tensor<8x8x1xi32>
    %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x8x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x8x1xi32>, tensor<8x8x1xi32>) -> tensor<8x8x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<8x8x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x8x1xi32>, tensor<8x8x1xi32>) -> tensor<8x8x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x8x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<8x8x1xi1>, tensor<i1>) -> tensor<8x8xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<64x16xf32>, tensor<8x8x1xi32>) -> tensor<8x8x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x8xi1>) -> tensor<8x8x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x8x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<8x8x16xi1>, tensor<8x8x16xf32>
    return %16, %5 : tensor<8x8x16xf32>, tensor<8x8x1xi32>
  }
  func.func private @_where(%arg0: tensor<8x8xi1>, %arg1: tensor<8x8xi32>, %arg2: tensor<8x8xi32>) -> tensor<8x8xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x8xi1>, tensor<8x8xi32>
    return %0 : tensor<8x8xi32>
  }
  func.func private @silu(%arg0: tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<8x32x8xf32>
    %1 = stablehlo.exponential %0 : tensor<8x32x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %3 = stablehlo.add %2, %1 : tensor<8x32x8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %5 = stablehlo.divide %4, %3 : tensor<8x32x8xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<8x32x8xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<8x32x8xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<8x32x8xf32>
    return %9, %8, %5 : tensor<8x32x8xf32>, tensor<8x32x8xf32>, tensor<8x32x8xf32>
  }
  func.func private @_where_0(%arg0: tensor<8x32x8xi1>, %arg1: tensor<8x32x8xf32>, %arg2: tensor<8x32x8xf32>) -> tensor<8x32x8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x32x8xi1>, tensor<8x32x8xf32>
    return %0 : tensor<8x32x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<8x8x32xf32>, %arg1: tensor<i32>) -> tensor<8x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 32] : (tensor<8x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x32xf32>) -> tensor<8x32xf32>
    return %1 : tensor<8x32xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<8x8x4xf32>, %arg1: tensor<i32>) -> tensor<8x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 4] : (tensor<8x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x32x4xf32>, %arg1: tensor<8x32x4xf32>, %arg2: tensor<8x32xf32>, %arg3: tensor<8x32xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<8x4xf32>) -> (tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x32x4xf32>) -> tensor<8x32x4xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<8x32x4xf32>
    %4 = stablehlo.exponential %3 : tensor<8x32x4xf32>
    %5 = stablehlo.multiply %4, %arg1 : tensor<8x32x4xf32>
    %6 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [0, 2] : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<8x1x4xf32>) -> tensor<8x32x4xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<8x32x4xf32>
    %11 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<8x32x4xf32>
    %14 = stablehlo.add %5, %13 : tensor<8x32x4xf32>
    %15 = stablehlo.dot_general %14, %arg5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32x4xf32>, tensor<8x4xf32>) -> tensor<8x32xf32>
    return %14, %15, %0, %4, %arg1, %7, %6, %11, %10, %14 : tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<8x8x32xf32>, %arg1: tensor<8x32xf32>, %arg2: tensor<i32>) -> tensor<8x8x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x32xf32>) -> tensor<1x8x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x8x32xf32>, tensor<1x8x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x8x32xf32>
    return %1 : tensor<8x8x32xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<8x8x32x1xf32>, %arg1: tensor<8x32x1xf32>, %arg2: tensor<i32>) -> tensor<8x8x32x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x32x1xf32>) -> tensor<1x8x32x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x8x32x1xf32>, tensor<1x8x32x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x8x32x1xf32>
    return %1 : tensor<8x8x32x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<8x8x32x4xf32>, %arg1: tensor<8x32x4xf32>, %arg2: tensor<i32>) -> tensor<8x8x32x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x32x4xf32>) -> tensor<1x8x32x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x8x32x4xf32>, tensor<1x8x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x8x32x4xf32>
    return %1 : tensor<8x8x32x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<8x8x1x4xf32>, %arg1: tensor<8x1x4xf32>, %arg2: tensor<i32>) -> tensor<8x8x1x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x1x4xf32>) -> tensor<1x8x1x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<8x8x1x4xf32>, tensor<1x8x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x8x1x4xf32>
    return %1 : tensor<8x8x1x4xf32>
  }
  func.func private @closed_call_5(%arg0: tensor<1x32x4xf32>, %arg1: tensor<8x32x4xf32>, %arg2: tensor<8x32xf32>, %arg3: tensor<8x32xf32>, %arg4: tensor<8x4xf32>, %arg5: tensor<8x4xf32>) -> (tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x32x4xf32>) -> tensor<8x32x4xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<8x32x4xf32>
    %4 = stablehlo.exponential %3 : tensor<8x32x4xf32>
    %5 = stablehlo.multiply %4, %arg1 : tensor<8x32x4xf32>
    %6 = stablehlo.broadcast_in_dim %arg3, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %7 = stablehlo.broadcast_in_dim %arg4, dims = [0, 2] : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<8x1x4xf32>) -> tensor<8x32x4xf32>
    %10 = stablehlo.multiply %8, %9 : tensor<8x32x4xf32>
    %11 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %13 = stablehlo.multiply %10, %12 : tensor<8x32x4xf32>
    %14 = stablehlo.add %5, %13 : tensor<8x32x4xf32>
    %15 = stablehlo.dot_general %14, %arg5, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32x4xf32>, tensor<8x4xf32>) -> tensor<8x32xf32>
    return %14, %15, %0, %4, %arg1, %7, %6, %11, %10, %14 : tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>, tensor<8x1x4xf32>, tensor<8x32x1xf32>, tensor<8x32x1xf32>, tensor<8x32x4xf32>, tensor<8x32x4xf32>
  }
  func.func private @_pad(%arg0: tensor<8x8xi32>, %arg1: tensor<i32>) -> tensor<8x9xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<8x8xi32>, tensor<i32>) -> tensor<8x9xi32>
    return %1 : tensor<8x9xi32>
  }
  func.func private @_where_6(%arg0: tensor<64x64xi1>, %arg1: tensor<64x64xf32>, %arg2: tensor<i32>) -> tensor<64x64xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64x64xi1>, tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
  func.func private @_where_7(%arg0: tensor<64xi1>, %arg1: tensor<64xf32>, %arg2: tensor<i32>) -> tensor<64xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64xi1>, tensor<64xf32>
    return %2 : tensor<64xf32>
  }
  func.func private @_where_8(%arg0: tensor<64xi1>, %arg1: tensor<64xf32>, %arg2: tensor<i32>) -> tensor<64xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64xi1>, tensor<64xf32>
    return %2 : tensor<64xf32>
  }
  func.func private @_where_9(%arg0: tensor<64xi1>, %arg1: tensor<64xf32>) -> tensor<64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<64xi1>, tensor<64xf32>
    return %1 : tensor<64xf32>
  }
  func.func private @_where_10(%arg0: tensor<64x64xi1>, %arg1: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<64x64xi1>, tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
  func.func private @silu_11(%arg0: tensor<8x32x8xf32>, %arg1: tensor<8x32x8xf32>, %arg2: tensor<8x32x8xf32>, %arg3: tensor<8x32x8xf32>) -> tensor<8x32x8xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<8x32x8xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<8x32x8xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<8x32x8xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x32x8xf32>
    return %3 : tensor<8x32x8xf32>
  }
  func.func private @dynamic_index_in_dim_12(%arg0: tensor<8x8x32x1xf32>, %arg1: tensor<i32>) -> tensor<8x32x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 32, 1] : (tensor<8x8x32x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x32x1xf32>) -> tensor<8x32x1xf32>
    return %1 : tensor<8x32x1xf32>
  }
  func.func private @dynamic_index_in_dim_13(%arg0: tensor<8x8x32x4xf32>, %arg1: tensor<i32>) -> tensor<8x32x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 32, 4] : (tensor<8x8x32x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x32x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x32x4xf32>) -> tensor<8x32x4xf32>
    return %1 : tensor<8x32x4xf32>
  }
  func.func private @dynamic_index_in_dim_14(%arg0: tensor<8x8x1x4xf32>, %arg1: tensor<i32>) -> tensor<8x1x4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 1, 4] : (tensor<8x8x1x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x1x4xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x1x4xf32>) -> tensor<8x1x4xf32>
    return %1 : tensor<8x1x4xf32>
  }
  func.func private @closed_call_15(%arg0: tensor<1x32x4xf32>, %arg1: tensor<32x4xf32>, %arg2: tensor<8x32x4xf32>, %arg3: tensor<8x32xf32>, %arg4: tensor<8x32x1xf32>, %arg5: tensor<8x32x4xf32>, %arg6: tensor<8x32x4xf32>, %arg7: tensor<8x1x4xf32>, %arg8: tensor<8x32x1xf32>, %arg9: tensor<8x32x1xf32>, %arg10: tensor<8x32x4xf32>, %arg11: tensor<8x4xf32>, %arg12: tensor<8x32x4xf32>) -> (tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg12, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<8x32x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.dot_general %arg3, %arg11, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<8x4xf32>) -> tensor<8x32x4xf32>
    %2 = stablehlo.add %arg2, %1 : tensor<8x32x4xf32>
    %3 = stablehlo.multiply %arg10, %2 : tensor<8x32x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x32xf32>
    %5 = stablehlo.reshape %4 : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %6 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %7 = stablehlo.multiply %2, %6 : tensor<8x32x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x32x1xf32>, tensor<f32>) -> tensor<8x32xf32>
    %9 = stablehlo.broadcast_in_dim %arg8, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<8x32x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
    %13 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1, 2] : (tensor<8x1x4xf32>) -> tensor<8x32x4xf32>
    %14 = stablehlo.multiply %7, %13 : tensor<8x32x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x32xf32>
    %16 = stablehlo.reshape %15 : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<8x1x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x32x1xf32>, tensor<f32>) -> tensor<8x32xf32>
    %19 = stablehlo.multiply %arg5, %2 : tensor<8x32x4xf32>
    %20 = stablehlo.multiply %2, %arg6 : tensor<8x32x4xf32>
    %21 = stablehlo.multiply %20, %arg5 : tensor<8x32x4xf32>
    %22 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x32x4xf32>) -> tensor<8x32x4xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<8x32x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x32xf32>
    %25 = stablehlo.reshape %24 : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %26 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %27 = stablehlo.multiply %21, %26 : tensor<8x32x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<32x4xf32>
    %29 = stablehlo.reshape %28 : (tensor<32x4xf32>) -> tensor<1x32x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%25 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x32x1xf32>, tensor<f32>) -> tensor<8x32xf32>
    %31 = stablehlo.add %18, %30 : tensor<8x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%29 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x32x4xf32>, tensor<f32>) -> tensor<32x4xf32>
    %33 = stablehlo.add %arg1, %32 : tensor<32x4xf32>
    return %33, %19, %8, %31, %17, %0 : tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func private @dynamic_update_index_in_dim_16(%arg0: tensor<8x8x4xf32>, %arg1: tensor<8x4xf32>, %arg2: tensor<i32>) -> tensor<8x8x4xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x4xf32>) -> tensor<1x8x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<8x8x4xf32>, tensor<1x8x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<8x8x4xf32>
    return %1 : tensor<8x8x4xf32>
  }
  func.func private @_where_17(%arg0: tensor<8x32x8xi1>, %arg1: tensor<8x32x8xf32>) -> (tensor<8x32x8xf32>, tensor<8x32x8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x32x8xf32>
    %1 = stablehlo.select %arg0, %0, %arg1 : tensor<8x32x8xi1>, tensor<8x32x8xf32>
    %2 = stablehlo.select %arg0, %arg1, %0 : tensor<8x32x8xi1>, tensor<8x32x8xf32>
    return %2, %1 : tensor<8x32x8xf32>, tensor<8x32x8xf32>
  }
  func.func private @closed_call_18(%arg0: tensor<1x32x4xf32>, %arg1: tensor<32x4xf32>, %arg2: tensor<8x32x4xf32>, %arg3: tensor<8x32xf32>, %arg4: tensor<8x32x1xf32>, %arg5: tensor<8x32x4xf32>, %arg6: tensor<8x32x4xf32>, %arg7: tensor<8x1x4xf32>, %arg8: tensor<8x32x1xf32>, %arg9: tensor<8x32x1xf32>, %arg10: tensor<8x32x4xf32>, %arg11: tensor<8x4xf32>, %arg12: tensor<8x32x4xf32>) -> (tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
    %0 = stablehlo.dot_general %arg3, %arg12, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<8x32x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.dot_general %arg3, %arg11, batching_dims = [0] x [0], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<8x32xf32>, tensor<8x4xf32>) -> tensor<8x32x4xf32>
    %2 = stablehlo.add %arg2, %1 : tensor<8x32x4xf32>
    %3 = stablehlo.multiply %arg10, %2 : tensor<8x32x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x32xf32>
    %5 = stablehlo.reshape %4 : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %6 = stablehlo.broadcast_in_dim %arg9, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %7 = stablehlo.multiply %2, %6 : tensor<8x32x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x32x1xf32>, tensor<f32>) -> tensor<8x32xf32>
    %9 = stablehlo.broadcast_in_dim %arg8, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %10 = stablehlo.multiply %9, %7 : tensor<8x32x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %12 = stablehlo.reshape %11 : (tensor<8x4xf32>) -> tensor<8x1x4xf32>
    %13 = stablehlo.broadcast_in_dim %arg7, dims = [0, 1, 2] : (tensor<8x1x4xf32>) -> tensor<8x32x4xf32>
    %14 = stablehlo.multiply %7, %13 : tensor<8x32x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x32xf32>
    %16 = stablehlo.reshape %15 : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%12 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<8x1x4xf32>, tensor<f32>) -> tensor<8x4xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%16 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x32x1xf32>, tensor<f32>) -> tensor<8x32xf32>
    %19 = stablehlo.multiply %arg5, %2 : tensor<8x32x4xf32>
    %20 = stablehlo.multiply %2, %arg6 : tensor<8x32x4xf32>
    %21 = stablehlo.multiply %20, %arg5 : tensor<8x32x4xf32>
    %22 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x32x4xf32>) -> tensor<8x32x4xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<8x32x4xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_5) applies stablehlo.add across dimensions = [2] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<8x32xf32>
    %25 = stablehlo.reshape %24 : (tensor<8x32xf32>) -> tensor<8x32x1xf32>
    %26 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<8x32x1xf32>) -> tensor<8x32x4xf32>
    %27 = stablehlo.multiply %21, %26 : tensor<8x32x4xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<8x32x4xf32>, tensor<f32>) -> tensor<32x4xf32>
    %29 = stablehlo.reshape %28 : (tensor<32x4xf32>) -> tensor<1x32x4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.reduce(%25 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x32x1xf32>, tensor<f32>) -> tensor<8x32xf32>
    %31 = stablehlo.add %18, %30 : tensor<8x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.reduce(%29 init: %cst_8) applies stablehlo.add across dimensions = [0] : (tensor<1x32x4xf32>, tensor<f32>) -> tensor<32x4xf32>
    %33 = stablehlo.add %arg1, %32 : tensor<32x4xf32>
    return %33, %19, %8, %31, %17, %0 : tensor<32x4xf32>, tensor<8x32x4xf32>, tensor<8x32xf32>, tensor<8x32xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.func private @_take_19(%arg0: tensor<8x8x1xi32>, %arg1: tensor<8x8x16xf32>) -> tensor<64x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<64x16xf32>, tensor<8x8x1xi32>, tensor<8x8x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
}
