module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<64x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<4x32x64xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<4x128x32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<4x32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x32xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<32x32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16x32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<32xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<4x32x64xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<4x128x32xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<4x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<16x32xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<32x32xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32x32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<16x32xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<32xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<64x32xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<64x32xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<32xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<4x32x64xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<4x128x32xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<4x32xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<16x32xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<32x32xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<32x32xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<16x32xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<32xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<4x32x64xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<4x128x32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<4x32xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<32xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<16x32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32x32xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<32x32xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<16x32xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<32xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<64x32xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<64x32xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<32xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<4x32x64xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<4x128x32xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<4x32xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<32xf32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<16x32xf32> {tf.aliasing_output = 49 : i32}, %arg50: tensor<32x32xf32> {tf.aliasing_output = 50 : i32}, %arg51: tensor<32x32xf32> {tf.aliasing_output = 51 : i32}, %arg52: tensor<16x32xf32> {tf.aliasing_output = 52 : i32}, %arg53: tensor<32xf32> {tf.aliasing_output = 53 : i32}, %arg54: tensor<4x32x64xf32> {tf.aliasing_output = 54 : i32}, %arg55: tensor<4x128x32xf32> {tf.aliasing_output = 55 : i32}, %arg56: tensor<4x32xf32> {tf.aliasing_output = 56 : i32}, %arg57: tensor<32xf32> {tf.aliasing_output = 57 : i32}, %arg58: tensor<16x32xf32> {tf.aliasing_output = 58 : i32}, %arg59: tensor<32x32xf32> {tf.aliasing_output = 59 : i32}, %arg60: tensor<32x32xf32> {tf.aliasing_output = 60 : i32}, %arg61: tensor<16x32xf32> {tf.aliasing_output = 61 : i32}, %arg62: tensor<32xf32> {tf.aliasing_output = 62 : i32}, %arg63: tensor<f32> {tf.aliasing_output = 63 : i32}, %arg64: tensor<4xf32>, %arg65: tensor<8x16xi32>, %arg66: tensor<8x16xi32>) -> (tensor<64x32xf32> {jax.result_info = "result[0]['lm_head.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.input_layernorm.weight']"}, tensor<4x32x64xf32> {jax.result_info = "result[0]['model.layers.0.mlp.experts.down_proj']"}, tensor<4x128x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.experts.gate_up_proj']"}, tensor<4x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.gate.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.input_layernorm.weight']"}, tensor<4x32x64xf32> {jax.result_info = "result[0]['model.layers.1.mlp.experts.down_proj']"}, tensor<4x128x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.experts.gate_up_proj']"}, tensor<4x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.gate.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['lm_head.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.input_layernorm.weight']"}, tensor<4x32x64xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.mlp.experts.down_proj']"}, tensor<4x128x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.mlp.experts.gate_up_proj']"}, tensor<4x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.mlp.gate.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.input_layernorm.weight']"}, tensor<4x32x64xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.mlp.experts.down_proj']"}, tensor<4x128x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.mlp.experts.gate_up_proj']"}, tensor<4x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.mlp.gate.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['lm_head.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.input_layernorm.weight']"}, tensor<4x32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.mlp.experts.down_proj']"}, tensor<4x128x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.mlp.experts.gate_up_proj']"}, tensor<4x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.mlp.gate.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.input_layernorm.weight']"}, tensor<4x32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.mlp.experts.down_proj']"}, tensor<4x128x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.mlp.experts.gate_up_proj']"}, tensor<4x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.mlp.gate.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.norm.weight']"}, tensor<f32> {jax.result_info = "result[1]['step']"}, tensor<f32> {jax.result_info = "result[3]['loss']"}) {
    %0 = call @_take(%arg1, %arg65) : (tensor<64x32xf32>, tensor<8x16xi32>) -> tensor<8x16x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %2 = call @_take_0(%arg65) : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %3 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %5 = stablehlo.multiply %4, %3 : tensor<16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %7 = stablehlo.add %6, %5 : tensor<16xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %9 = stablehlo.add %7, %8 : tensor<16xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<1x16x1xi32>
    %12 = stablehlo.convert %11 : (tensor<1x16x1xi32>) -> tensor<1x16x1xf32>
    %13 = stablehlo.broadcast_in_dim %arg64, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x4xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x16x4xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<1x16x4xf32>
    %17 = stablehlo.concatenate %16, %16, dim = 2 : (tensor<1x16x4xf32>, tensor<1x16x4xf32>) -> tensor<1x16x8xf32>
    %18 = stablehlo.cosine %17 : tensor<1x16x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<1x16x8xf32>
    %21 = stablehlo.sine %17 : tensor<1x16x8xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %23 = stablehlo.multiply %21, %22 : tensor<1x16x8xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %25 = stablehlo.power %0, %24 : tensor<8x16x32xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.subtract %cst_5, %cst_6 : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %28 = stablehlo.power %0, %27 : tensor<8x16x32xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %30 = stablehlo.multiply %29, %28 : tensor<8x16x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%25 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_9 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %34 = stablehlo.divide %32, %33 : tensor<8x16x1xf32>
    %cst_10 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %36 = stablehlo.add %34, %35 : tensor<8x16x1xf32>
    %37 = stablehlo.rsqrt %36 : tensor<8x16x1xf32>
    %38 = stablehlo.divide %37, %36 : tensor<8x16x1xf32>
    %cst_11 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %40 = stablehlo.multiply %39, %38 : tensor<8x16x1xf32>
    %41 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %42 = stablehlo.multiply %0, %41 : tensor<8x16x32xf32>
    %43 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %45 = stablehlo.multiply %44, %42 : tensor<8x16x32xf32>
    %46 = stablehlo.dot_general %45, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %47 = stablehlo.reshape %46 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %48 = stablehlo.transpose %47, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %49 = stablehlo.dot_general %45, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %50 = stablehlo.reshape %49 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %51 = stablehlo.transpose %50, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %52 = stablehlo.dot_general %45, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %53 = stablehlo.reshape %52 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %54 = stablehlo.transpose %53, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %55 = stablehlo.broadcast_in_dim %20, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %56 = stablehlo.broadcast_in_dim %23, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %57 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %58 = stablehlo.multiply %48, %57 : tensor<8x4x16x8xf32>
    %59 = stablehlo.slice %48 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_12 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %61 = stablehlo.multiply %60, %59 : tensor<8x4x16x4xf32>
    %62 = stablehlo.slice %48 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %63 = stablehlo.concatenate %61, %62, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %64 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %65 = stablehlo.multiply %63, %64 : tensor<8x4x16x8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<8x4x16x8xf32>
    %68 = stablehlo.add %58, %67 : tensor<8x4x16x8xf32>
    %69 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %70 = stablehlo.multiply %51, %69 : tensor<8x2x16x8xf32>
    %71 = stablehlo.slice %51 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_14 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %73 = stablehlo.multiply %72, %71 : tensor<8x2x16x4xf32>
    %74 = stablehlo.slice %51 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %75 = stablehlo.concatenate %73, %74, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %76 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %77 = stablehlo.multiply %75, %76 : tensor<8x2x16x8xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %79 = stablehlo.multiply %77, %78 : tensor<8x2x16x8xf32>
    %80 = stablehlo.add %70, %79 : tensor<8x2x16x8xf32>
    %81 = stablehlo.transpose %68, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %82 = stablehlo.transpose %80, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %83 = stablehlo.transpose %54, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %84 = stablehlo.reshape %81 : (tensor<8x16x4x8xf32>) -> tensor<8x16x2x2x8xf32>
    %85 = stablehlo.dot_general %84, %82, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x2x2x8xf32>, tensor<8x16x2x8xf32>) -> tensor<8x2x16x2x16xf32>
    %cst_16 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x2x16x2x16xf32>
    %87 = stablehlo.multiply %85, %86 : tensor<8x2x16x2x16xf32>
    %c_17 = stablehlo.constant dense<true> : tensor<i1>
    %88 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i1>) -> tensor<8x2x16x16xi1>
    %c_18 = stablehlo.constant dense<true> : tensor<i1>
    %89 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %90 = call @tril(%89) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %91 = stablehlo.broadcast_in_dim %90, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<8x2x16x16xi1>
    %93 = stablehlo.and %88, %92 : tensor<8x2x16x16xi1>
    %cst_19 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %94:2 = call @_where_2(%93, %87, %cst_19) : (tensor<8x2x16x16xi1>, tensor<8x2x16x2x16xf32>, tensor<f32>) -> (tensor<2x8x2x16x16xf32>, tensor<2x8x2x16x16xi1>)
    %cst_20 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %95 = stablehlo.reduce(%94#0 init: %cst_20) applies stablehlo.maximum across dimensions = [4] : (tensor<2x8x2x16x16xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %cst_21 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<2x8x2x16xf32>
    %97 = stablehlo.maximum %96, %95 : tensor<2x8x2x16xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x1xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %100 = stablehlo.subtract %94#0, %99 : tensor<2x8x2x16x16xf32>
    %101 = stablehlo.exponential %100 : tensor<2x8x2x16x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_22) applies stablehlo.add across dimensions = [4] : (tensor<2x8x2x16x16xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x1xf32>
    %104 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %105 = stablehlo.divide %101, %104 : tensor<2x8x2x16x16xf32>
    %106 = stablehlo.multiply %103, %103 : tensor<2x8x2x16x1xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<2x8x2x16x1xf32>
    %108 = stablehlo.divide %107, %106 : tensor<2x8x2x16x1xf32>
    %109 = stablehlo.dot_general %83, %105, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x2x8xf32>, tensor<2x8x2x16x16xf32>) -> tensor<8x2x8x2x16xf32>
    %110 = stablehlo.transpose %109, dims = [3, 0, 4, 1, 2] : (tensor<8x2x8x2x16xf32>) -> tensor<2x8x16x2x8xf32>
    %111 = stablehlo.transpose %110, dims = [1, 2, 3, 0, 4] : (tensor<2x8x16x2x8xf32>) -> tensor<8x16x2x2x8xf32>
    %112 = stablehlo.reshape %111 : (tensor<8x16x2x2x8xf32>) -> tensor<8x16x4x8xf32>
    %113 = stablehlo.transpose %112, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %114 = stablehlo.transpose %113, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %115 = stablehlo.reshape %114 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %116 = stablehlo.dot_general %115, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %118 = stablehlo.multiply %116, %117 : tensor<8x16x32xf32>
    %119 = stablehlo.add %0, %118 : tensor<8x16x32xf32>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %121 = stablehlo.power %119, %120 : tensor<8x16x32xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %122 = stablehlo.subtract %cst_26, %cst_27 : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %122, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %124 = stablehlo.power %119, %123 : tensor<8x16x32xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %126 = stablehlo.multiply %125, %124 : tensor<8x16x32xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%121 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_30 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %130 = stablehlo.divide %128, %129 : tensor<8x16x1xf32>
    %cst_31 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %131 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %132 = stablehlo.add %130, %131 : tensor<8x16x1xf32>
    %133 = stablehlo.rsqrt %132 : tensor<8x16x1xf32>
    %134 = stablehlo.divide %133, %132 : tensor<8x16x1xf32>
    %cst_32 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %136 = stablehlo.multiply %135, %134 : tensor<8x16x1xf32>
    %137 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %138 = stablehlo.multiply %119, %137 : tensor<8x16x32xf32>
    %139 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %141 = stablehlo.multiply %140, %138 : tensor<8x16x32xf32>
    %142 = stablehlo.reshape %141 : (tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %143 = stablehlo.dot_general %142, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<128x32xf32>, tensor<4x32xf32>) -> tensor<128x4xf32>
    %cst_33 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %144 = stablehlo.reduce(%143 init: %cst_33) applies stablehlo.maximum across dimensions = [1] : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_34 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %146 = stablehlo.maximum %145, %144 : tensor<128xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %149 = stablehlo.subtract %143, %148 : tensor<128x4xf32>
    %150 = stablehlo.exponential %149 : tensor<128x4xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %151 = stablehlo.reduce(%150 init: %cst_35) applies stablehlo.add across dimensions = [1] : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
    %152 = stablehlo.broadcast_in_dim %151, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %153 = stablehlo.broadcast_in_dim %152, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %154 = stablehlo.divide %150, %153 : tensor<128x4xf32>
    %155 = stablehlo.multiply %152, %152 : tensor<128x1xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %157 = stablehlo.divide %156, %155 : tensor<128x1xf32>
    %values, %indices = chlo.top_k(%154, k = 2) : tensor<128x4xf32> -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %158 = stablehlo.reshape %indices : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %159:2 = call @sort(%values) : (tensor<128x2xf32>) -> (tensor<128x2xf32>, tensor<128x2x1xui32>)
    %160 = call @argsort(%159#0) : (tensor<128x2xf32>) -> tensor<128x2xi32>
    %161 = call @take_along_axis(%indices, %160) : (tensor<128x2xi32>, tensor<128x2xi32>) -> tensor<128x2xi32>
    %cst_37 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %162 = stablehlo.reduce(%159#0 init: %cst_37) applies stablehlo.add across dimensions = [1] : (tensor<128x2xf32>, tensor<f32>) -> tensor<128xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x2xf32>
    %165 = stablehlo.divide %159#0, %164 : tensor<128x2xf32>
    %166 = stablehlo.multiply %163, %163 : tensor<128x1xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %167 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %168 = stablehlo.divide %167, %166 : tensor<128x1xf32>
    %169 = stablehlo.reshape %142 : (tensor<128x32xf32>) -> tensor<1x128x32xf32>
    %170 = stablehlo.reshape %161 : (tensor<128x2xi32>) -> tensor<1x128x2xi32>
    %171 = stablehlo.reshape %165 : (tensor<128x2xf32>) -> tensor<1x128x2xf32>
    %172 = stablehlo.transpose %170, dims = [0, 2, 1] : (tensor<1x128x2xi32>) -> tensor<1x2x128xi32>
    %173 = stablehlo.broadcast_in_dim %172, dims = [0, 1, 2] : (tensor<1x2x128xi32>) -> tensor<1x2x128x1xi32>
    %174 = stablehlo.iota dim = 0 : tensor<4xi32>
    %175 = stablehlo.broadcast_in_dim %174, dims = [3] : (tensor<4xi32>) -> tensor<1x1x1x4xi32>
    %176 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xi32>) -> tensor<1x2x128x4xi32>
    %177 = stablehlo.broadcast_in_dim %175, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xi32>) -> tensor<1x2x128x4xi32>
    %178 = stablehlo.compare EQ, %176, %177, SIGNED : (tensor<1x2x128x4xi32>, tensor<1x2x128x4xi32>) -> tensor<1x2x128x4xi1>
    %179 = stablehlo.convert %178 : (tensor<1x2x128x4xi1>) -> tensor<1x2x128x4xf32>
    %180 = stablehlo.reshape %179 : (tensor<1x2x128x4xf32>) -> tensor<1x256x4xf32>
    %181 = call @cumsum(%180) : (tensor<1x256x4xf32>) -> tensor<1x256x4xf32>
    %182 = stablehlo.subtract %181, %180 : tensor<1x256x4xf32>
    %183 = stablehlo.multiply %182, %180 : tensor<1x256x4xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %184 = stablehlo.reduce(%183 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<1x256x4xf32>, tensor<f32>) -> tensor<1x256xf32>
    %185 = stablehlo.reshape %184 : (tensor<1x256xf32>) -> tensor<1x2x128xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %187 = stablehlo.iota dim = 0 : tensor<80xi32>
    %188 = stablehlo.convert %187 : (tensor<80xi32>) -> tensor<80xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [3] : (tensor<80xf32>) -> tensor<1x1x1x80xf32>
    %190 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x80xf32>
    %191 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2, 3] : (tensor<1x1x1x80xf32>) -> tensor<1x2x128x80xf32>
    %192 = stablehlo.compare EQ, %190, %191, FLOAT : (tensor<1x2x128x80xf32>, tensor<1x2x128x80xf32>) -> tensor<1x2x128x80xi1>
    %193 = stablehlo.convert %192 : (tensor<1x2x128x80xi1>) -> tensor<1x2x128x80xf32>
    %194 = stablehlo.dot_general %193, %171, batching_dims = [0, 2, 1] x [0, 1, 2], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x80xf32>, tensor<1x128x2xf32>) -> tensor<1x128x2x80xf32>
    %195 = stablehlo.dot_general %179, %194, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x4xf32>, tensor<1x128x2x80xf32>) -> tensor<1x128x4x80xf32>
    %196 = stablehlo.dot_general %193, %179, batching_dims = [0, 2] x [0, 2], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x80xf32>, tensor<1x2x128x4xf32>) -> tensor<1x128x80x4xf32>
    %197 = stablehlo.dot_general %196, %169, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x128x80x4xf32>, tensor<1x128x32xf32>) -> tensor<1x80x4x32xf32>
    %198 = stablehlo.transpose %197, dims = [2, 0, 1, 3] : (tensor<1x80x4x32xf32>) -> tensor<4x1x80x32xf32>
    %199 = stablehlo.dot_general %198, %arg4, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x32xf32>, tensor<4x128x32xf32>) -> tensor<4x1x80x128xf32>
    %200 = stablehlo.slice %199 [0:4, 0:1, 0:80, 0:64] : (tensor<4x1x80x128xf32>) -> tensor<4x1x80x64xf32>
    %201 = stablehlo.slice %199 [0:4, 0:1, 0:80, 64:128] : (tensor<4x1x80x128xf32>) -> tensor<4x1x80x64xf32>
    %202:3 = call @silu(%200) : (tensor<4x1x80x64xf32>) -> (tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>)
    %203 = stablehlo.multiply %202#0, %201 : tensor<4x1x80x64xf32>
    %204 = stablehlo.dot_general %203, %arg3, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x64xf32>, tensor<4x32x64xf32>) -> tensor<4x1x80x32xf32>
    %205 = stablehlo.dot_general %195, %204, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x128x4x80xf32>, tensor<4x1x80x32xf32>) -> tensor<1x128x32xf32>
    %206 = stablehlo.reshape %205 : (tensor<1x128x32xf32>) -> tensor<128x32xf32>
    %207 = stablehlo.reshape %206 : (tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %209 = stablehlo.multiply %207, %208 : tensor<8x16x32xf32>
    %210 = stablehlo.add %119, %209 : tensor<8x16x32xf32>
    %cst_41 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %211 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %212 = stablehlo.power %210, %211 : tensor<8x16x32xf32>
    %cst_42 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %213 = stablehlo.subtract %cst_42, %cst_43 : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %215 = stablehlo.power %210, %214 : tensor<8x16x32xf32>
    %cst_44 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %217 = stablehlo.multiply %216, %215 : tensor<8x16x32xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.reduce(%212 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_46 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %221 = stablehlo.divide %219, %220 : tensor<8x16x1xf32>
    %cst_47 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %223 = stablehlo.add %221, %222 : tensor<8x16x1xf32>
    %224 = stablehlo.rsqrt %223 : tensor<8x16x1xf32>
    %225 = stablehlo.divide %224, %223 : tensor<8x16x1xf32>
    %cst_48 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %226 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %227 = stablehlo.multiply %226, %225 : tensor<8x16x1xf32>
    %228 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %229 = stablehlo.multiply %210, %228 : tensor<8x16x32xf32>
    %230 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %231 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %232 = stablehlo.multiply %231, %229 : tensor<8x16x32xf32>
    %233 = stablehlo.dot_general %232, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %234 = stablehlo.reshape %233 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %235 = stablehlo.transpose %234, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %236 = stablehlo.dot_general %232, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %237 = stablehlo.reshape %236 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %238 = stablehlo.transpose %237, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %239 = stablehlo.dot_general %232, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %240 = stablehlo.reshape %239 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %241 = stablehlo.transpose %240, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %242 = stablehlo.broadcast_in_dim %20, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %243 = stablehlo.broadcast_in_dim %23, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %244 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %245 = stablehlo.multiply %235, %244 : tensor<8x4x16x8xf32>
    %246 = stablehlo.slice %235 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_49 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %248 = stablehlo.multiply %247, %246 : tensor<8x4x16x4xf32>
    %249 = stablehlo.slice %235 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %250 = stablehlo.concatenate %248, %249, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %251 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %252 = stablehlo.multiply %250, %251 : tensor<8x4x16x8xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %254 = stablehlo.multiply %252, %253 : tensor<8x4x16x8xf32>
    %255 = stablehlo.add %245, %254 : tensor<8x4x16x8xf32>
    %256 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %257 = stablehlo.multiply %238, %256 : tensor<8x2x16x8xf32>
    %258 = stablehlo.slice %238 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_51 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %260 = stablehlo.multiply %259, %258 : tensor<8x2x16x4xf32>
    %261 = stablehlo.slice %238 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %262 = stablehlo.concatenate %260, %261, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %263 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %264 = stablehlo.multiply %262, %263 : tensor<8x2x16x8xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %266 = stablehlo.multiply %264, %265 : tensor<8x2x16x8xf32>
    %267 = stablehlo.add %257, %266 : tensor<8x2x16x8xf32>
    %268 = stablehlo.transpose %255, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %269 = stablehlo.transpose %267, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %270 = stablehlo.transpose %241, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %271 = stablehlo.reshape %268 : (tensor<8x16x4x8xf32>) -> tensor<8x16x2x2x8xf32>
    %272 = stablehlo.dot_general %271, %269, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x2x2x8xf32>, tensor<8x16x2x8xf32>) -> tensor<8x2x16x2x16xf32>
    %cst_53 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %273 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x2x16x2x16xf32>
    %274 = stablehlo.multiply %272, %273 : tensor<8x2x16x2x16xf32>
    %c_54 = stablehlo.constant dense<true> : tensor<i1>
    %275 = stablehlo.broadcast_in_dim %c_54, dims = [] : (tensor<i1>) -> tensor<8x2x16x16xi1>
    %c_55 = stablehlo.constant dense<true> : tensor<i1>
    %276 = stablehlo.broadcast_in_dim %c_55, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %277 = call @tril(%276) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %278 = stablehlo.broadcast_in_dim %277, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %279 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<8x2x16x16xi1>
    %280 = stablehlo.and %275, %279 : tensor<8x2x16x16xi1>
    %cst_56 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %281:2 = call @_where_2(%280, %274, %cst_56) : (tensor<8x2x16x16xi1>, tensor<8x2x16x2x16xf32>, tensor<f32>) -> (tensor<2x8x2x16x16xf32>, tensor<2x8x2x16x16xi1>)
    %cst_57 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %282 = stablehlo.reduce(%281#0 init: %cst_57) applies stablehlo.maximum across dimensions = [4] : (tensor<2x8x2x16x16xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %cst_58 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<2x8x2x16xf32>
    %284 = stablehlo.maximum %283, %282 : tensor<2x8x2x16xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1, 2, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x1xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %287 = stablehlo.subtract %281#0, %286 : tensor<2x8x2x16x16xf32>
    %288 = stablehlo.exponential %287 : tensor<2x8x2x16x16xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %289 = stablehlo.reduce(%288 init: %cst_59) applies stablehlo.add across dimensions = [4] : (tensor<2x8x2x16x16xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %290 = stablehlo.broadcast_in_dim %289, dims = [0, 1, 2, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x1xf32>
    %291 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %292 = stablehlo.divide %288, %291 : tensor<2x8x2x16x16xf32>
    %293 = stablehlo.multiply %290, %290 : tensor<2x8x2x16x1xf32>
    %cst_60 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<2x8x2x16x1xf32>
    %295 = stablehlo.divide %294, %293 : tensor<2x8x2x16x1xf32>
    %296 = stablehlo.dot_general %270, %292, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x2x8xf32>, tensor<2x8x2x16x16xf32>) -> tensor<8x2x8x2x16xf32>
    %297 = stablehlo.transpose %296, dims = [3, 0, 4, 1, 2] : (tensor<8x2x8x2x16xf32>) -> tensor<2x8x16x2x8xf32>
    %298 = stablehlo.transpose %297, dims = [1, 2, 3, 0, 4] : (tensor<2x8x16x2x8xf32>) -> tensor<8x16x2x2x8xf32>
    %299 = stablehlo.reshape %298 : (tensor<8x16x2x2x8xf32>) -> tensor<8x16x4x8xf32>
    %300 = stablehlo.transpose %299, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %301 = stablehlo.transpose %300, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %302 = stablehlo.reshape %301 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %303 = stablehlo.dot_general %302, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %304 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %305 = stablehlo.multiply %303, %304 : tensor<8x16x32xf32>
    %306 = stablehlo.add %210, %305 : tensor<8x16x32xf32>
    %cst_62 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %308 = stablehlo.power %306, %307 : tensor<8x16x32xf32>
    %cst_63 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %309 = stablehlo.subtract %cst_63, %cst_64 : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %309, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %311 = stablehlo.power %306, %310 : tensor<8x16x32xf32>
    %cst_65 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %313 = stablehlo.multiply %312, %311 : tensor<8x16x32xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %314 = stablehlo.reduce(%308 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_67 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %317 = stablehlo.divide %315, %316 : tensor<8x16x1xf32>
    %cst_68 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %319 = stablehlo.add %317, %318 : tensor<8x16x1xf32>
    %320 = stablehlo.rsqrt %319 : tensor<8x16x1xf32>
    %321 = stablehlo.divide %320, %319 : tensor<8x16x1xf32>
    %cst_69 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %322 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %323 = stablehlo.multiply %322, %321 : tensor<8x16x1xf32>
    %324 = stablehlo.broadcast_in_dim %320, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %325 = stablehlo.multiply %306, %324 : tensor<8x16x32xf32>
    %326 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %328 = stablehlo.multiply %327, %325 : tensor<8x16x32xf32>
    %329 = stablehlo.reshape %328 : (tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %330 = stablehlo.dot_general %329, %arg14, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<128x32xf32>, tensor<4x32xf32>) -> tensor<128x4xf32>
    %cst_70 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %331 = stablehlo.reduce(%330 init: %cst_70) applies stablehlo.maximum across dimensions = [1] : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_71 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %332 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %333 = stablehlo.maximum %332, %331 : tensor<128xf32>
    %334 = stablehlo.broadcast_in_dim %333, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %336 = stablehlo.subtract %330, %335 : tensor<128x4xf32>
    %337 = stablehlo.exponential %336 : tensor<128x4xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %338 = stablehlo.reduce(%337 init: %cst_72) applies stablehlo.add across dimensions = [1] : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
    %339 = stablehlo.broadcast_in_dim %338, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %340 = stablehlo.broadcast_in_dim %339, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %341 = stablehlo.divide %337, %340 : tensor<128x4xf32>
    %342 = stablehlo.multiply %339, %339 : tensor<128x1xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %344 = stablehlo.divide %343, %342 : tensor<128x1xf32>
    %values_74, %indices_75 = chlo.top_k(%341, k = 2) : tensor<128x4xf32> -> (tensor<128x2xf32>, tensor<128x2xi32>)
    %345 = stablehlo.reshape %indices_75 : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %346:2 = call @sort(%values_74) : (tensor<128x2xf32>) -> (tensor<128x2xf32>, tensor<128x2x1xui32>)
    %347 = call @argsort(%346#0) : (tensor<128x2xf32>) -> tensor<128x2xi32>
    %348 = call @take_along_axis(%indices_75, %347) : (tensor<128x2xi32>, tensor<128x2xi32>) -> tensor<128x2xi32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %349 = stablehlo.reduce(%346#0 init: %cst_76) applies stablehlo.add across dimensions = [1] : (tensor<128x2xf32>, tensor<f32>) -> tensor<128xf32>
    %350 = stablehlo.broadcast_in_dim %349, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %351 = stablehlo.broadcast_in_dim %350, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x2xf32>
    %352 = stablehlo.divide %346#0, %351 : tensor<128x2xf32>
    %353 = stablehlo.multiply %350, %350 : tensor<128x1xf32>
    %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %354 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %355 = stablehlo.divide %354, %353 : tensor<128x1xf32>
    %356 = stablehlo.reshape %329 : (tensor<128x32xf32>) -> tensor<1x128x32xf32>
    %357 = stablehlo.reshape %348 : (tensor<128x2xi32>) -> tensor<1x128x2xi32>
    %358 = stablehlo.reshape %352 : (tensor<128x2xf32>) -> tensor<1x128x2xf32>
    %359 = stablehlo.transpose %357, dims = [0, 2, 1] : (tensor<1x128x2xi32>) -> tensor<1x2x128xi32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1, 2] : (tensor<1x2x128xi32>) -> tensor<1x2x128x1xi32>
    %361 = stablehlo.iota dim = 0 : tensor<4xi32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [3] : (tensor<4xi32>) -> tensor<1x1x1x4xi32>
    %363 = stablehlo.broadcast_in_dim %360, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xi32>) -> tensor<1x2x128x4xi32>
    %364 = stablehlo.broadcast_in_dim %362, dims = [0, 1, 2, 3] : (tensor<1x1x1x4xi32>) -> tensor<1x2x128x4xi32>
    %365 = stablehlo.compare EQ, %363, %364, SIGNED : (tensor<1x2x128x4xi32>, tensor<1x2x128x4xi32>) -> tensor<1x2x128x4xi1>
    %366 = stablehlo.convert %365 : (tensor<1x2x128x4xi1>) -> tensor<1x2x128x4xf32>
    %367 = stablehlo.reshape %366 : (tensor<1x2x128x4xf32>) -> tensor<1x256x4xf32>
    %368 = call @cumsum(%367) : (tensor<1x256x4xf32>) -> tensor<1x256x4xf32>
    %369 = stablehlo.subtract %368, %367 : tensor<1x256x4xf32>
    %370 = stablehlo.multiply %369, %367 : tensor<1x256x4xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %371 = stablehlo.reduce(%370 init: %cst_78) applies stablehlo.add across dimensions = [2] : (tensor<1x256x4xf32>, tensor<f32>) -> tensor<1x256xf32>
    %372 = stablehlo.reshape %371 : (tensor<1x256xf32>) -> tensor<1x2x128xf32>
    %373 = stablehlo.broadcast_in_dim %372, dims = [0, 1, 2] : (tensor<1x2x128xf32>) -> tensor<1x2x128x1xf32>
    %374 = stablehlo.iota dim = 0 : tensor<80xi32>
    %375 = stablehlo.convert %374 : (tensor<80xi32>) -> tensor<80xf32>
    %376 = stablehlo.broadcast_in_dim %375, dims = [3] : (tensor<80xf32>) -> tensor<1x1x1x80xf32>
    %377 = stablehlo.broadcast_in_dim %373, dims = [0, 1, 2, 3] : (tensor<1x2x128x1xf32>) -> tensor<1x2x128x80xf32>
    %378 = stablehlo.broadcast_in_dim %376, dims = [0, 1, 2, 3] : (tensor<1x1x1x80xf32>) -> tensor<1x2x128x80xf32>
    %379 = stablehlo.compare EQ, %377, %378, FLOAT : (tensor<1x2x128x80xf32>, tensor<1x2x128x80xf32>) -> tensor<1x2x128x80xi1>
    %380 = stablehlo.convert %379 : (tensor<1x2x128x80xi1>) -> tensor<1x2x128x80xf32>
    %381 = stablehlo.dot_general %380, %358, batching_dims = [0, 2, 1] x [0, 1, 2], contracting_dims = [] x [], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x80xf32>, tensor<1x128x2xf32>) -> tensor<1x128x2x80xf32>
    %382 = stablehlo.dot_general %366, %381, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x4xf32>, tensor<1x128x2x80xf32>) -> tensor<1x128x4x80xf32>
    %383 = stablehlo.dot_general %380, %366, batching_dims = [0, 2] x [0, 2], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x2x128x80xf32>, tensor<1x2x128x4xf32>) -> tensor<1x128x80x4xf32>
    %384 = stablehlo.dot_general %383, %356, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x128x80x4xf32>, tensor<1x128x32xf32>) -> tensor<1x80x4x32xf32>
    %385 = stablehlo.transpose %384, dims = [2, 0, 1, 3] : (tensor<1x80x4x32xf32>) -> tensor<4x1x80x32xf32>
    %386 = stablehlo.dot_general %385, %arg13, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x32xf32>, tensor<4x128x32xf32>) -> tensor<4x1x80x128xf32>
    %387 = stablehlo.slice %386 [0:4, 0:1, 0:80, 0:64] : (tensor<4x1x80x128xf32>) -> tensor<4x1x80x64xf32>
    %388 = stablehlo.slice %386 [0:4, 0:1, 0:80, 64:128] : (tensor<4x1x80x128xf32>) -> tensor<4x1x80x64xf32>
    %389:3 = call @silu(%387) : (tensor<4x1x80x64xf32>) -> (tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>)
    %390 = stablehlo.multiply %389#0, %388 : tensor<4x1x80x64xf32>
    %391 = stablehlo.dot_general %390, %arg12, batching_dims = [0] x [0], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x64xf32>, tensor<4x32x64xf32>) -> tensor<4x1x80x32xf32>
    %392 = stablehlo.dot_general %382, %391, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x128x4x80xf32>, tensor<4x1x80x32xf32>) -> tensor<1x128x32xf32>
    %393 = stablehlo.reshape %392 : (tensor<1x128x32xf32>) -> tensor<128x32xf32>
    %394 = stablehlo.reshape %393 : (tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %cst_79 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %395 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %396 = stablehlo.multiply %394, %395 : tensor<8x16x32xf32>
    %397 = stablehlo.add %306, %396 : tensor<8x16x32xf32>
    %cst_80 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %398 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %399 = stablehlo.power %397, %398 : tensor<8x16x32xf32>
    %cst_81 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_82 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %400 = stablehlo.subtract %cst_81, %cst_82 : tensor<f32>
    %401 = stablehlo.broadcast_in_dim %400, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %402 = stablehlo.power %397, %401 : tensor<8x16x32xf32>
    %cst_83 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %404 = stablehlo.multiply %403, %402 : tensor<8x16x32xf32>
    %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %405 = stablehlo.reduce(%399 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %406 = stablehlo.broadcast_in_dim %405, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_85 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %407 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %408 = stablehlo.divide %406, %407 : tensor<8x16x1xf32>
    %cst_86 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %410 = stablehlo.add %408, %409 : tensor<8x16x1xf32>
    %411 = stablehlo.rsqrt %410 : tensor<8x16x1xf32>
    %412 = stablehlo.divide %411, %410 : tensor<8x16x1xf32>
    %cst_87 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %414 = stablehlo.multiply %413, %412 : tensor<8x16x1xf32>
    %415 = stablehlo.broadcast_in_dim %411, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %416 = stablehlo.multiply %397, %415 : tensor<8x16x32xf32>
    %417 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %418 = stablehlo.broadcast_in_dim %417, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %419 = stablehlo.multiply %418, %416 : tensor<8x16x32xf32>
    %420 = stablehlo.dot_general %419, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %c_88 = stablehlo.constant dense<-100> : tensor<i32>
    %421 = call @_pad(%arg66, %c_88) : (tensor<8x16xi32>, tensor<i32>) -> tensor<8x17xi32>
    %422 = stablehlo.reshape %420 : (tensor<8x16x64xf32>) -> tensor<128x64xf32>
    %423 = stablehlo.slice %421 [0:8, 1:17] : (tensor<8x17xi32>) -> tensor<8x16xi32>
    %424 = stablehlo.reshape %423 : (tensor<8x16xi32>) -> tensor<128xi32>
    %cst_89 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %425 = stablehlo.reduce(%422 init: %cst_89) applies stablehlo.maximum across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_90 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %426 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %427 = stablehlo.maximum %426, %425 : tensor<128xf32>
    %428 = stablehlo.broadcast_in_dim %427, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %429 = stablehlo.is_finite %428 : (tensor<128x1xf32>) -> tensor<128x1xi1>
    %cst_91 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %430 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %431 = stablehlo.select %429, %428, %430 : tensor<128x1xi1>, tensor<128x1xf32>
    %432 = stablehlo.broadcast_in_dim %431, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x64xf32>
    %433 = stablehlo.subtract %422, %432 : tensor<128x64xf32>
    %434 = stablehlo.exponential %433 : tensor<128x64xf32>
    %cst_92 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %435 = stablehlo.reduce(%434 init: %cst_92) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %436 = stablehlo.broadcast_in_dim %435, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %437 = stablehlo.abs %436 : tensor<128x1xf32>
    %cst_93 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %438 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %439 = stablehlo.compare GE, %436, %438, FLOAT : (tensor<128x1xf32>, tensor<128x1xf32>) -> tensor<128x1xi1>
    %440 = stablehlo.log %437 : tensor<128x1xf32>
    %441 = stablehlo.add %440, %431 : tensor<128x1xf32>
    %442 = stablehlo.broadcast_in_dim %441, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x64xf32>
    %443 = stablehlo.subtract %422, %442 : tensor<128x64xf32>
    %c_94 = stablehlo.constant dense<-100> : tensor<i32>
    %444 = stablehlo.broadcast_in_dim %c_94, dims = [] : (tensor<i32>) -> tensor<128xi32>
    %445 = stablehlo.compare NE, %424, %444, SIGNED : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi1>
    %446 = stablehlo.iota dim = 1 : tensor<128x64xi32>
    %447 = stablehlo.broadcast_in_dim %424, dims = [0] : (tensor<128xi32>) -> tensor<128x1xi32>
    %448 = stablehlo.broadcast_in_dim %447, dims = [0, 1] : (tensor<128x1xi32>) -> tensor<128x64xi32>
    %449 = stablehlo.compare EQ, %446, %448, SIGNED : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi1>
    %c_95 = stablehlo.constant dense<0> : tensor<i32>
    %450 = call @_where_4(%449, %443, %c_95) : (tensor<128x64xi1>, tensor<128x64xf32>, tensor<i32>) -> tensor<128x64xf32>
    %cst_96 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %451 = stablehlo.reduce(%450 init: %cst_96) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %452 = stablehlo.negate %451 : tensor<128xf32>
    %cst_97 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %453 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %454 = stablehlo.multiply %452, %453 : tensor<128xf32>
    %c_98 = stablehlo.constant dense<0> : tensor<i32>
    %455 = call @_where_5(%445, %454, %c_98) : (tensor<128xi1>, tensor<128xf32>, tensor<i32>) -> tensor<128xf32>
    %c_99 = stablehlo.constant dense<0> : tensor<i32>
    %456 = call @_where_6(%445, %453, %c_99) : (tensor<128xi1>, tensor<128xf32>, tensor<i32>) -> tensor<128xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %457 = stablehlo.reduce(%456 init: %cst_100) applies stablehlo.add across dimensions = [0] : (tensor<128xf32>, tensor<f32>) -> tensor<f32>
    %cst_101 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %458 = stablehlo.reduce(%455 init: %cst_101) applies stablehlo.add across dimensions = [0] : (tensor<128xf32>, tensor<f32>) -> tensor<f32>
    %459 = stablehlo.divide %458, %457 : tensor<f32>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %460 = stablehlo.divide %cst_102, %457 : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %460, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %462 = call @_where_7(%445, %461) : (tensor<128xi1>, tensor<128xf32>) -> tensor<128xf32>
    %463 = stablehlo.multiply %462, %453 : tensor<128xf32>
    %464 = stablehlo.negate %463 : tensor<128xf32>
    %465 = stablehlo.broadcast_in_dim %464, dims = [0] : (tensor<128xf32>) -> tensor<128x64xf32>
    %466 = call @_where_8(%449, %465) : (tensor<128x64xi1>, tensor<128x64xf32>) -> tensor<128x64xf32>
    %467 = stablehlo.negate %466 : tensor<128x64xf32>
    %cst_103 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %468 = stablehlo.reduce(%467 init: %cst_103) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %469 = stablehlo.reshape %468 : (tensor<128xf32>) -> tensor<128x1xf32>
    %470 = stablehlo.divide %469, %437 : tensor<128x1xf32>
    %cst_104 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %471 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %472 = stablehlo.select %439, %471, %470 : tensor<128x1xi1>, tensor<128x1xf32>
    %473 = stablehlo.select %439, %470, %471 : tensor<128x1xi1>, tensor<128x1xf32>
    %474 = stablehlo.negate %472 : tensor<128x1xf32>
    %475 = stablehlo.add %473, %474 : tensor<128x1xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %476 = stablehlo.reduce(%475 init: %cst_105) applies stablehlo.add across dimensions = [1] : (tensor<128x1xf32>, tensor<f32>) -> tensor<128xf32>
    %477 = stablehlo.broadcast_in_dim %476, dims = [0] : (tensor<128xf32>) -> tensor<128x64xf32>
    %478 = stablehlo.multiply %477, %434 : tensor<128x64xf32>
    %479 = stablehlo.add %466, %478 : tensor<128x64xf32>
    %480 = stablehlo.reshape %479 : (tensor<128x64xf32>) -> tensor<8x16x64xf32>
    %481 = stablehlo.dot_general %480, %419, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %482 = stablehlo.dot_general %480, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %483 = stablehlo.broadcast_in_dim %417, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %484 = stablehlo.multiply %483, %482 : tensor<8x16x32xf32>
    %485 = stablehlo.multiply %482, %416 : tensor<8x16x32xf32>
    %cst_106 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.reduce(%485 init: %cst_106) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %487 = stablehlo.reshape %486 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.reduce(%487 init: %cst_107) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %489 = stablehlo.multiply %397, %484 : tensor<8x16x32xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %490 = stablehlo.reduce(%489 init: %cst_108) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %491 = stablehlo.reshape %490 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %492 = stablehlo.broadcast_in_dim %411, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %493 = stablehlo.multiply %484, %492 : tensor<8x16x32xf32>
    %494 = stablehlo.multiply %491, %414 : tensor<8x16x1xf32>
    %cst_109 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %495 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %496 = stablehlo.divide %494, %495 : tensor<8x16x1xf32>
    %cst_110 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %497 = stablehlo.reduce(%496 init: %cst_110) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %498 = stablehlo.broadcast_in_dim %497, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %499 = stablehlo.multiply %498, %404 : tensor<8x16x32xf32>
    %500 = stablehlo.add %493, %499 : tensor<8x16x32xf32>
    %cst_111 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %502 = stablehlo.multiply %500, %501 : tensor<8x16x32xf32>
    %503 = stablehlo.reshape %502 : (tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %504 = stablehlo.reshape %503 : (tensor<128x32xf32>) -> tensor<1x128x32xf32>
    %505 = stablehlo.dot_general %504, %382, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x128x32xf32>, tensor<1x128x4x80xf32>) -> tensor<1x32x4x80xf32>
    %506 = stablehlo.transpose %505, dims = [2, 0, 3, 1] : (tensor<1x32x4x80xf32>) -> tensor<4x1x80x32xf32>
    %507 = stablehlo.dot_general %504, %391, batching_dims = [0] x [1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x32xf32>, tensor<4x1x80x32xf32>) -> tensor<1x128x4x80xf32>
    %508 = stablehlo.dot_general %506, %390, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x32xf32>, tensor<4x1x80x64xf32>) -> tensor<4x32x64xf32>
    %509 = stablehlo.dot_general %506, %arg12, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x32xf32>, tensor<4x32x64xf32>) -> tensor<4x1x80x64xf32>
    %510 = stablehlo.multiply %389#0, %509 : tensor<4x1x80x64xf32>
    %511 = stablehlo.multiply %509, %388 : tensor<4x1x80x64xf32>
    %512 = call @silu_9(%389#1, %389#2, %387, %511) : (tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>) -> tensor<4x1x80x64xf32>
    %cst_112 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %513 = stablehlo.pad %510, %cst_112, low = [0, 0, 0, 64], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x80x64xf32>, tensor<f32>) -> tensor<4x1x80x128xf32>
    %cst_113 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %514 = stablehlo.pad %512, %cst_113, low = [0, 0, 0, 0], high = [0, 0, 0, 64], interior = [0, 0, 0, 0] : (tensor<4x1x80x64xf32>, tensor<f32>) -> tensor<4x1x80x128xf32>
    %515 = stablehlo.add %513, %514 : tensor<4x1x80x128xf32>
    %516 = stablehlo.dot_general %515, %385, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x128xf32>, tensor<4x1x80x32xf32>) -> tensor<4x128x32xf32>
    %517 = stablehlo.dot_general %515, %arg13, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x128xf32>, tensor<4x128x32xf32>) -> tensor<4x1x80x32xf32>
    %518 = stablehlo.transpose %517, dims = [1, 2, 0, 3] : (tensor<4x1x80x32xf32>) -> tensor<1x80x4x32xf32>
    %519 = stablehlo.dot_general %518, %383, batching_dims = [0] x [0], contracting_dims = [1, 2] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<1x80x4x32xf32>, tensor<1x128x80x4xf32>) -> tensor<1x32x128xf32>
    %520 = stablehlo.transpose %519, dims = [0, 2, 1] : (tensor<1x32x128xf32>) -> tensor<1x128x32xf32>
    %521 = stablehlo.dot_general %507, %366, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x4x80xf32>, tensor<1x2x128x4xf32>) -> tensor<1x128x80x2xf32>
    %522 = stablehlo.transpose %521, dims = [0, 1, 3, 2] : (tensor<1x128x80x2xf32>) -> tensor<1x128x2x80xf32>
    %523 = stablehlo.dot_general %522, %380, batching_dims = [0, 1, 2] x [0, 2, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x2x80xf32>, tensor<1x2x128x80xf32>) -> tensor<1x128x2xf32>
    %524 = stablehlo.reshape %523 : (tensor<1x128x2xf32>) -> tensor<128x2xf32>
    %525 = stablehlo.reshape %520 : (tensor<1x128x32xf32>) -> tensor<128x32xf32>
    %526 = stablehlo.broadcast_in_dim %355, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x2xf32>
    %527 = stablehlo.multiply %524, %526 : tensor<128x2xf32>
    %528 = stablehlo.multiply %527, %346#0 : tensor<128x2xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %529 = stablehlo.reduce(%528 init: %cst_114) applies stablehlo.add across dimensions = [1] : (tensor<128x2xf32>, tensor<f32>) -> tensor<128xf32>
    %530 = stablehlo.reshape %529 : (tensor<128xf32>) -> tensor<128x1xf32>
    %531 = stablehlo.negate %530 : tensor<128x1xf32>
    %532 = stablehlo.broadcast_in_dim %350, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x2xf32>
    %533 = stablehlo.divide %524, %532 : tensor<128x2xf32>
    %cst_115 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %534 = stablehlo.reduce(%531 init: %cst_115) applies stablehlo.add across dimensions = [1] : (tensor<128x1xf32>, tensor<f32>) -> tensor<128xf32>
    %535 = stablehlo.broadcast_in_dim %534, dims = [0] : (tensor<128xf32>) -> tensor<128x2xf32>
    %536 = stablehlo.add %533, %535 : tensor<128x2xf32>
    %537 = call @sort_10(%346#1, %536) : (tensor<128x2x1xui32>, tensor<128x2xf32>) -> tensor<128x2xf32>
    %cst_116 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<128x4xf32>
    %539 = "stablehlo.scatter"(%538, %345, %537) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
      %1426 = stablehlo.add %arg67, %arg68 : tensor<f32>
      stablehlo.return %1426 : tensor<f32>
    }) : (tensor<128x4xf32>, tensor<128x2x1xi32>, tensor<128x2xf32>) -> tensor<128x4xf32>
    %540 = stablehlo.broadcast_in_dim %344, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %541 = stablehlo.multiply %539, %540 : tensor<128x4xf32>
    %542 = stablehlo.multiply %541, %337 : tensor<128x4xf32>
    %cst_117 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %543 = stablehlo.reduce(%542 init: %cst_117) applies stablehlo.add across dimensions = [1] : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
    %544 = stablehlo.reshape %543 : (tensor<128xf32>) -> tensor<128x1xf32>
    %545 = stablehlo.negate %544 : tensor<128x1xf32>
    %546 = stablehlo.broadcast_in_dim %339, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %547 = stablehlo.divide %539, %546 : tensor<128x4xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %548 = stablehlo.reduce(%545 init: %cst_118) applies stablehlo.add across dimensions = [1] : (tensor<128x1xf32>, tensor<f32>) -> tensor<128xf32>
    %549 = stablehlo.broadcast_in_dim %548, dims = [0] : (tensor<128xf32>) -> tensor<128x4xf32>
    %550 = stablehlo.add %547, %549 : tensor<128x4xf32>
    %551 = stablehlo.multiply %550, %337 : tensor<128x4xf32>
    %552 = stablehlo.dot_general %551, %329, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x4xf32>, tensor<128x32xf32>) -> tensor<4x32xf32>
    %553 = stablehlo.dot_general %551, %arg14, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x4xf32>, tensor<4x32xf32>) -> tensor<128x32xf32>
    %554 = stablehlo.add %525, %553 : tensor<128x32xf32>
    %555 = stablehlo.reshape %554 : (tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %556 = stablehlo.broadcast_in_dim %326, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %557 = stablehlo.multiply %556, %555 : tensor<8x16x32xf32>
    %558 = stablehlo.multiply %555, %325 : tensor<8x16x32xf32>
    %cst_119 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %559 = stablehlo.reduce(%558 init: %cst_119) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %560 = stablehlo.reshape %559 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %561 = stablehlo.reduce(%560 init: %cst_120) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %562 = stablehlo.multiply %306, %557 : tensor<8x16x32xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %563 = stablehlo.reduce(%562 init: %cst_121) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %564 = stablehlo.reshape %563 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %565 = stablehlo.broadcast_in_dim %320, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %566 = stablehlo.multiply %557, %565 : tensor<8x16x32xf32>
    %567 = stablehlo.add %500, %566 : tensor<8x16x32xf32>
    %568 = stablehlo.multiply %564, %323 : tensor<8x16x1xf32>
    %cst_122 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %569 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %570 = stablehlo.divide %568, %569 : tensor<8x16x1xf32>
    %cst_123 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %571 = stablehlo.reduce(%570 init: %cst_123) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %572 = stablehlo.broadcast_in_dim %571, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %573 = stablehlo.multiply %572, %313 : tensor<8x16x32xf32>
    %574 = stablehlo.add %567, %573 : tensor<8x16x32xf32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %575 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %576 = stablehlo.multiply %574, %575 : tensor<8x16x32xf32>
    %577 = stablehlo.dot_general %576, %302, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %578 = stablehlo.dot_general %576, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %579 = stablehlo.reshape %578 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %580 = stablehlo.transpose %579, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %581 = stablehlo.transpose %580, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %582 = stablehlo.reshape %581 : (tensor<8x16x4x8xf32>) -> tensor<8x16x2x2x8xf32>
    %583 = stablehlo.transpose %582, dims = [3, 0, 1, 2, 4] : (tensor<8x16x2x2x8xf32>) -> tensor<2x8x16x2x8xf32>
    %584 = stablehlo.transpose %583, dims = [1, 3, 4, 0, 2] : (tensor<2x8x16x2x8xf32>) -> tensor<8x2x8x2x16xf32>
    %585 = stablehlo.dot_general %584, %270, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x2x16xf32>, tensor<8x16x2x8xf32>) -> tensor<8x2x2x16x16xf32>
    %586 = stablehlo.transpose %585, dims = [2, 0, 1, 3, 4] : (tensor<8x2x2x16x16xf32>) -> tensor<2x8x2x16x16xf32>
    %587 = stablehlo.dot_general %584, %292, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x2x16xf32>, tensor<2x8x2x16x16xf32>) -> tensor<8x2x8x16xf32>
    %588 = stablehlo.transpose %587, dims = [0, 3, 1, 2] : (tensor<8x2x8x16xf32>) -> tensor<8x16x2x8xf32>
    %589 = stablehlo.broadcast_in_dim %295, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %590 = stablehlo.multiply %586, %589 : tensor<2x8x2x16x16xf32>
    %591 = stablehlo.multiply %590, %288 : tensor<2x8x2x16x16xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %592 = stablehlo.reduce(%591 init: %cst_125) applies stablehlo.add across dimensions = [4] : (tensor<2x8x2x16x16xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %593 = stablehlo.reshape %592 : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x1xf32>
    %594 = stablehlo.negate %593 : tensor<2x8x2x16x1xf32>
    %595 = stablehlo.broadcast_in_dim %290, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %596 = stablehlo.divide %586, %595 : tensor<2x8x2x16x16xf32>
    %cst_126 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %597 = stablehlo.reduce(%594 init: %cst_126) applies stablehlo.add across dimensions = [4] : (tensor<2x8x2x16x1xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %598 = stablehlo.broadcast_in_dim %597, dims = [0, 1, 2, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x16xf32>
    %599 = stablehlo.add %596, %598 : tensor<2x8x2x16x16xf32>
    %600 = stablehlo.multiply %599, %288 : tensor<2x8x2x16x16xf32>
    %601 = call @_where_11(%281#1, %600) : (tensor<2x8x2x16x16xi1>, tensor<2x8x2x16x16xf32>) -> tensor<8x2x16x2x16xf32>
    %cst_127 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %602 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<8x2x16x2x16xf32>
    %603 = stablehlo.multiply %601, %602 : tensor<8x2x16x2x16xf32>
    %604 = stablehlo.dot_general %603, %271, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x16x2x16xf32>, tensor<8x16x2x2x8xf32>) -> tensor<8x2x16x8xf32>
    %605 = stablehlo.transpose %604, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %606 = stablehlo.dot_general %603, %269, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2x16x2x16xf32>, tensor<8x16x2x8xf32>) -> tensor<8x2x16x2x8xf32>
    %607 = stablehlo.transpose %606, dims = [0, 2, 1, 3, 4] : (tensor<8x2x16x2x8xf32>) -> tensor<8x16x2x2x8xf32>
    %608 = stablehlo.reshape %607 : (tensor<8x16x2x2x8xf32>) -> tensor<8x16x4x8xf32>
    %609 = stablehlo.transpose %588, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %610 = stablehlo.transpose %605, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %611 = stablehlo.transpose %608, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %cst_128 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %612 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %613 = stablehlo.multiply %610, %612 : tensor<8x2x16x8xf32>
    %614 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %615 = stablehlo.multiply %613, %614 : tensor<8x2x16x8xf32>
    %616 = stablehlo.slice %615 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %617 = stablehlo.slice %615 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %618 = stablehlo.pad %617, %cst_129, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %cst_130 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %619 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %620 = stablehlo.multiply %619, %616 : tensor<8x2x16x4xf32>
    %cst_131 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %621 = stablehlo.pad %620, %cst_131, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %622 = stablehlo.add %618, %621 : tensor<8x2x16x8xf32>
    %623 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %624 = stablehlo.multiply %610, %623 : tensor<8x2x16x8xf32>
    %625 = stablehlo.add %622, %624 : tensor<8x2x16x8xf32>
    %cst_132 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %626 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %627 = stablehlo.multiply %611, %626 : tensor<8x4x16x8xf32>
    %628 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %629 = stablehlo.multiply %627, %628 : tensor<8x4x16x8xf32>
    %630 = stablehlo.slice %629 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %631 = stablehlo.slice %629 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %632 = stablehlo.pad %631, %cst_133, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %cst_134 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %633 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %634 = stablehlo.multiply %633, %630 : tensor<8x4x16x4xf32>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %635 = stablehlo.pad %634, %cst_135, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %636 = stablehlo.add %632, %635 : tensor<8x4x16x8xf32>
    %637 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %638 = stablehlo.multiply %611, %637 : tensor<8x4x16x8xf32>
    %639 = stablehlo.add %636, %638 : tensor<8x4x16x8xf32>
    %640 = stablehlo.transpose %609, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %641 = stablehlo.reshape %640 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %642 = stablehlo.dot_general %641, %232, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %643 = stablehlo.dot_general %641, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %644 = stablehlo.transpose %625, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %645 = stablehlo.reshape %644 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %646 = stablehlo.dot_general %645, %232, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %647 = stablehlo.dot_general %645, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %648 = stablehlo.add %643, %647 : tensor<8x16x32xf32>
    %649 = stablehlo.transpose %639, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %650 = stablehlo.reshape %649 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %651 = stablehlo.dot_general %650, %232, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %652 = stablehlo.dot_general %650, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %653 = stablehlo.add %648, %652 : tensor<8x16x32xf32>
    %654 = stablehlo.broadcast_in_dim %230, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %655 = stablehlo.multiply %654, %653 : tensor<8x16x32xf32>
    %656 = stablehlo.multiply %653, %229 : tensor<8x16x32xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %657 = stablehlo.reduce(%656 init: %cst_136) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %658 = stablehlo.reshape %657 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %659 = stablehlo.reduce(%658 init: %cst_137) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %660 = stablehlo.multiply %210, %655 : tensor<8x16x32xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %661 = stablehlo.reduce(%660 init: %cst_138) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %662 = stablehlo.reshape %661 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %663 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %664 = stablehlo.multiply %655, %663 : tensor<8x16x32xf32>
    %665 = stablehlo.add %574, %664 : tensor<8x16x32xf32>
    %666 = stablehlo.multiply %662, %227 : tensor<8x16x1xf32>
    %cst_139 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %667 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %668 = stablehlo.divide %666, %667 : tensor<8x16x1xf32>
    %cst_140 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %669 = stablehlo.reduce(%668 init: %cst_140) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %670 = stablehlo.broadcast_in_dim %669, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %671 = stablehlo.multiply %670, %217 : tensor<8x16x32xf32>
    %672 = stablehlo.add %665, %671 : tensor<8x16x32xf32>
    %cst_141 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %673 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %674 = stablehlo.multiply %672, %673 : tensor<8x16x32xf32>
    %675 = stablehlo.reshape %674 : (tensor<8x16x32xf32>) -> tensor<128x32xf32>
    %676 = stablehlo.reshape %675 : (tensor<128x32xf32>) -> tensor<1x128x32xf32>
    %677 = stablehlo.dot_general %676, %195, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<1x128x32xf32>, tensor<1x128x4x80xf32>) -> tensor<1x32x4x80xf32>
    %678 = stablehlo.transpose %677, dims = [2, 0, 3, 1] : (tensor<1x32x4x80xf32>) -> tensor<4x1x80x32xf32>
    %679 = stablehlo.dot_general %676, %204, batching_dims = [0] x [1], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x32xf32>, tensor<4x1x80x32xf32>) -> tensor<1x128x4x80xf32>
    %680 = stablehlo.dot_general %678, %203, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x32xf32>, tensor<4x1x80x64xf32>) -> tensor<4x32x64xf32>
    %681 = stablehlo.dot_general %678, %arg3, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x32xf32>, tensor<4x32x64xf32>) -> tensor<4x1x80x64xf32>
    %682 = stablehlo.multiply %202#0, %681 : tensor<4x1x80x64xf32>
    %683 = stablehlo.multiply %681, %201 : tensor<4x1x80x64xf32>
    %684 = call @silu_9(%202#1, %202#2, %200, %683) : (tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>) -> tensor<4x1x80x64xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %685 = stablehlo.pad %682, %cst_142, low = [0, 0, 0, 64], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<4x1x80x64xf32>, tensor<f32>) -> tensor<4x1x80x128xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %686 = stablehlo.pad %684, %cst_143, low = [0, 0, 0, 0], high = [0, 0, 0, 64], interior = [0, 0, 0, 0] : (tensor<4x1x80x64xf32>, tensor<f32>) -> tensor<4x1x80x128xf32>
    %687 = stablehlo.add %685, %686 : tensor<4x1x80x128xf32>
    %688 = stablehlo.dot_general %687, %198, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x128xf32>, tensor<4x1x80x32xf32>) -> tensor<4x128x32xf32>
    %689 = stablehlo.dot_general %687, %arg4, batching_dims = [0] x [0], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1x80x128xf32>, tensor<4x128x32xf32>) -> tensor<4x1x80x32xf32>
    %690 = stablehlo.transpose %689, dims = [1, 2, 0, 3] : (tensor<4x1x80x32xf32>) -> tensor<1x80x4x32xf32>
    %691 = stablehlo.dot_general %690, %196, batching_dims = [0] x [0], contracting_dims = [1, 2] x [2, 3], precision = [DEFAULT, DEFAULT] : (tensor<1x80x4x32xf32>, tensor<1x128x80x4xf32>) -> tensor<1x32x128xf32>
    %692 = stablehlo.transpose %691, dims = [0, 2, 1] : (tensor<1x32x128xf32>) -> tensor<1x128x32xf32>
    %693 = stablehlo.dot_general %679, %179, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x4x80xf32>, tensor<1x2x128x4xf32>) -> tensor<1x128x80x2xf32>
    %694 = stablehlo.transpose %693, dims = [0, 1, 3, 2] : (tensor<1x128x80x2xf32>) -> tensor<1x128x2x80xf32>
    %695 = stablehlo.dot_general %694, %193, batching_dims = [0, 1, 2] x [0, 2, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x128x2x80xf32>, tensor<1x2x128x80xf32>) -> tensor<1x128x2xf32>
    %696 = stablehlo.reshape %695 : (tensor<1x128x2xf32>) -> tensor<128x2xf32>
    %697 = stablehlo.reshape %692 : (tensor<1x128x32xf32>) -> tensor<128x32xf32>
    %698 = stablehlo.broadcast_in_dim %168, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x2xf32>
    %699 = stablehlo.multiply %696, %698 : tensor<128x2xf32>
    %700 = stablehlo.multiply %699, %159#0 : tensor<128x2xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %701 = stablehlo.reduce(%700 init: %cst_144) applies stablehlo.add across dimensions = [1] : (tensor<128x2xf32>, tensor<f32>) -> tensor<128xf32>
    %702 = stablehlo.reshape %701 : (tensor<128xf32>) -> tensor<128x1xf32>
    %703 = stablehlo.negate %702 : tensor<128x1xf32>
    %704 = stablehlo.broadcast_in_dim %163, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x2xf32>
    %705 = stablehlo.divide %696, %704 : tensor<128x2xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %706 = stablehlo.reduce(%703 init: %cst_145) applies stablehlo.add across dimensions = [1] : (tensor<128x1xf32>, tensor<f32>) -> tensor<128xf32>
    %707 = stablehlo.broadcast_in_dim %706, dims = [0] : (tensor<128xf32>) -> tensor<128x2xf32>
    %708 = stablehlo.add %705, %707 : tensor<128x2xf32>
    %709 = call @sort_10(%159#1, %708) : (tensor<128x2x1xui32>, tensor<128x2xf32>) -> tensor<128x2xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %710 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<128x4xf32>
    %711 = "stablehlo.scatter"(%710, %158, %709) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
      %1426 = stablehlo.add %arg67, %arg68 : tensor<f32>
      stablehlo.return %1426 : tensor<f32>
    }) : (tensor<128x4xf32>, tensor<128x2x1xi32>, tensor<128x2xf32>) -> tensor<128x4xf32>
    %712 = stablehlo.broadcast_in_dim %157, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %713 = stablehlo.multiply %711, %712 : tensor<128x4xf32>
    %714 = stablehlo.multiply %713, %150 : tensor<128x4xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %715 = stablehlo.reduce(%714 init: %cst_147) applies stablehlo.add across dimensions = [1] : (tensor<128x4xf32>, tensor<f32>) -> tensor<128xf32>
    %716 = stablehlo.reshape %715 : (tensor<128xf32>) -> tensor<128x1xf32>
    %717 = stablehlo.negate %716 : tensor<128x1xf32>
    %718 = stablehlo.broadcast_in_dim %152, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x4xf32>
    %719 = stablehlo.divide %711, %718 : tensor<128x4xf32>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %720 = stablehlo.reduce(%717 init: %cst_148) applies stablehlo.add across dimensions = [1] : (tensor<128x1xf32>, tensor<f32>) -> tensor<128xf32>
    %721 = stablehlo.broadcast_in_dim %720, dims = [0] : (tensor<128xf32>) -> tensor<128x4xf32>
    %722 = stablehlo.add %719, %721 : tensor<128x4xf32>
    %723 = stablehlo.multiply %722, %150 : tensor<128x4xf32>
    %724 = stablehlo.dot_general %723, %142, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x4xf32>, tensor<128x32xf32>) -> tensor<4x32xf32>
    %725 = stablehlo.dot_general %723, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<128x4xf32>, tensor<4x32xf32>) -> tensor<128x32xf32>
    %726 = stablehlo.add %697, %725 : tensor<128x32xf32>
    %727 = stablehlo.reshape %726 : (tensor<128x32xf32>) -> tensor<8x16x32xf32>
    %728 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %729 = stablehlo.multiply %728, %727 : tensor<8x16x32xf32>
    %730 = stablehlo.multiply %727, %138 : tensor<8x16x32xf32>
    %cst_149 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %731 = stablehlo.reduce(%730 init: %cst_149) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %732 = stablehlo.reshape %731 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_150 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %733 = stablehlo.reduce(%732 init: %cst_150) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %734 = stablehlo.multiply %119, %729 : tensor<8x16x32xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %735 = stablehlo.reduce(%734 init: %cst_151) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %736 = stablehlo.reshape %735 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %737 = stablehlo.broadcast_in_dim %133, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %738 = stablehlo.multiply %729, %737 : tensor<8x16x32xf32>
    %739 = stablehlo.add %672, %738 : tensor<8x16x32xf32>
    %740 = stablehlo.multiply %736, %136 : tensor<8x16x1xf32>
    %cst_152 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %741 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %742 = stablehlo.divide %740, %741 : tensor<8x16x1xf32>
    %cst_153 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %743 = stablehlo.reduce(%742 init: %cst_153) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %744 = stablehlo.broadcast_in_dim %743, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %745 = stablehlo.multiply %744, %126 : tensor<8x16x32xf32>
    %746 = stablehlo.add %739, %745 : tensor<8x16x32xf32>
    %cst_154 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %747 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %748 = stablehlo.multiply %746, %747 : tensor<8x16x32xf32>
    %749 = stablehlo.dot_general %748, %115, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %750 = stablehlo.dot_general %748, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %751 = stablehlo.reshape %750 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %752 = stablehlo.transpose %751, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %753 = stablehlo.transpose %752, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %754 = stablehlo.reshape %753 : (tensor<8x16x4x8xf32>) -> tensor<8x16x2x2x8xf32>
    %755 = stablehlo.transpose %754, dims = [3, 0, 1, 2, 4] : (tensor<8x16x2x2x8xf32>) -> tensor<2x8x16x2x8xf32>
    %756 = stablehlo.transpose %755, dims = [1, 3, 4, 0, 2] : (tensor<2x8x16x2x8xf32>) -> tensor<8x2x8x2x16xf32>
    %757 = stablehlo.dot_general %756, %83, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x2x16xf32>, tensor<8x16x2x8xf32>) -> tensor<8x2x2x16x16xf32>
    %758 = stablehlo.transpose %757, dims = [2, 0, 1, 3, 4] : (tensor<8x2x2x16x16xf32>) -> tensor<2x8x2x16x16xf32>
    %759 = stablehlo.dot_general %756, %105, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x8x2x16xf32>, tensor<2x8x2x16x16xf32>) -> tensor<8x2x8x16xf32>
    %760 = stablehlo.transpose %759, dims = [0, 3, 1, 2] : (tensor<8x2x8x16xf32>) -> tensor<8x16x2x8xf32>
    %761 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %762 = stablehlo.multiply %758, %761 : tensor<2x8x2x16x16xf32>
    %763 = stablehlo.multiply %762, %101 : tensor<2x8x2x16x16xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %764 = stablehlo.reduce(%763 init: %cst_155) applies stablehlo.add across dimensions = [4] : (tensor<2x8x2x16x16xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %765 = stablehlo.reshape %764 : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x1xf32>
    %766 = stablehlo.negate %765 : tensor<2x8x2x16x1xf32>
    %767 = stablehlo.broadcast_in_dim %103, dims = [0, 1, 2, 3, 4] : (tensor<2x8x2x16x1xf32>) -> tensor<2x8x2x16x16xf32>
    %768 = stablehlo.divide %758, %767 : tensor<2x8x2x16x16xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %769 = stablehlo.reduce(%766 init: %cst_156) applies stablehlo.add across dimensions = [4] : (tensor<2x8x2x16x1xf32>, tensor<f32>) -> tensor<2x8x2x16xf32>
    %770 = stablehlo.broadcast_in_dim %769, dims = [0, 1, 2, 3] : (tensor<2x8x2x16xf32>) -> tensor<2x8x2x16x16xf32>
    %771 = stablehlo.add %768, %770 : tensor<2x8x2x16x16xf32>
    %772 = stablehlo.multiply %771, %101 : tensor<2x8x2x16x16xf32>
    %773 = call @_where_11(%94#1, %772) : (tensor<2x8x2x16x16xi1>, tensor<2x8x2x16x16xf32>) -> tensor<8x2x16x2x16xf32>
    %cst_157 = stablehlo.constant dense<0.353553385> : tensor<f32>
    %774 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<8x2x16x2x16xf32>
    %775 = stablehlo.multiply %773, %774 : tensor<8x2x16x2x16xf32>
    %776 = stablehlo.dot_general %775, %84, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x2x16x2x16xf32>, tensor<8x16x2x2x8xf32>) -> tensor<8x2x16x8xf32>
    %777 = stablehlo.transpose %776, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %778 = stablehlo.dot_general %775, %82, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x2x16x2x16xf32>, tensor<8x16x2x8xf32>) -> tensor<8x2x16x2x8xf32>
    %779 = stablehlo.transpose %778, dims = [0, 2, 1, 3, 4] : (tensor<8x2x16x2x8xf32>) -> tensor<8x16x2x2x8xf32>
    %780 = stablehlo.reshape %779 : (tensor<8x16x2x2x8xf32>) -> tensor<8x16x4x8xf32>
    %781 = stablehlo.transpose %760, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %782 = stablehlo.transpose %777, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %783 = stablehlo.transpose %780, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %cst_158 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %785 = stablehlo.multiply %782, %784 : tensor<8x2x16x8xf32>
    %786 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %787 = stablehlo.multiply %785, %786 : tensor<8x2x16x8xf32>
    %788 = stablehlo.slice %787 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %789 = stablehlo.slice %787 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %790 = stablehlo.pad %789, %cst_159, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %cst_160 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %791 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %792 = stablehlo.multiply %791, %788 : tensor<8x2x16x4xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %793 = stablehlo.pad %792, %cst_161, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %794 = stablehlo.add %790, %793 : tensor<8x2x16x8xf32>
    %795 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %796 = stablehlo.multiply %782, %795 : tensor<8x2x16x8xf32>
    %797 = stablehlo.add %794, %796 : tensor<8x2x16x8xf32>
    %cst_162 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %798 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %799 = stablehlo.multiply %783, %798 : tensor<8x4x16x8xf32>
    %800 = stablehlo.broadcast_in_dim %56, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %801 = stablehlo.multiply %799, %800 : tensor<8x4x16x8xf32>
    %802 = stablehlo.slice %801 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %803 = stablehlo.slice %801 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_163 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %804 = stablehlo.pad %803, %cst_163, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %cst_164 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %805 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %806 = stablehlo.multiply %805, %802 : tensor<8x4x16x4xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %807 = stablehlo.pad %806, %cst_165, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %808 = stablehlo.add %804, %807 : tensor<8x4x16x8xf32>
    %809 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %810 = stablehlo.multiply %783, %809 : tensor<8x4x16x8xf32>
    %811 = stablehlo.add %808, %810 : tensor<8x4x16x8xf32>
    %812 = stablehlo.transpose %781, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %813 = stablehlo.reshape %812 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %814 = stablehlo.dot_general %813, %45, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %815 = stablehlo.dot_general %813, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %816 = stablehlo.transpose %797, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %817 = stablehlo.reshape %816 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %818 = stablehlo.dot_general %817, %45, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %819 = stablehlo.dot_general %817, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %820 = stablehlo.add %815, %819 : tensor<8x16x32xf32>
    %821 = stablehlo.transpose %811, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %822 = stablehlo.reshape %821 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %823 = stablehlo.dot_general %822, %45, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %824 = stablehlo.dot_general %822, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %825 = stablehlo.add %820, %824 : tensor<8x16x32xf32>
    %826 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %827 = stablehlo.multiply %826, %825 : tensor<8x16x32xf32>
    %828 = stablehlo.multiply %825, %42 : tensor<8x16x32xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %829 = stablehlo.reduce(%828 init: %cst_166) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %830 = stablehlo.reshape %829 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_167 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %831 = stablehlo.reduce(%830 init: %cst_167) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %832 = stablehlo.multiply %0, %827 : tensor<8x16x32xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %833 = stablehlo.reduce(%832 init: %cst_168) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %834 = stablehlo.reshape %833 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %835 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %836 = stablehlo.multiply %827, %835 : tensor<8x16x32xf32>
    %837 = stablehlo.add %746, %836 : tensor<8x16x32xf32>
    %838 = stablehlo.multiply %834, %40 : tensor<8x16x1xf32>
    %cst_169 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %839 = stablehlo.broadcast_in_dim %cst_169, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %840 = stablehlo.divide %838, %839 : tensor<8x16x1xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %841 = stablehlo.reduce(%840 init: %cst_170) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %842 = stablehlo.broadcast_in_dim %841, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %843 = stablehlo.multiply %842, %30 : tensor<8x16x32xf32>
    %844 = stablehlo.add %837, %843 : tensor<8x16x32xf32>
    %845 = call @_take_12(%2, %844) : (tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %846 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %847 = "stablehlo.scatter"(%845, %1, %846) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg67: tensor<f32>, %arg68: tensor<f32>):
      stablehlo.return %arg68 : tensor<f32>
    }) : (tensor<64x32xf32>, tensor<1xi32>, tensor<32xf32>) -> tensor<64x32xf32>
    %848 = chlo.square %481 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %849 = stablehlo.reduce(%848 init: %cst_172) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_173 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %850 = stablehlo.add %cst_173, %849 : tensor<f32>
    %851 = chlo.square %847 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %852 = stablehlo.reduce(%851 init: %cst_174) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %853 = stablehlo.add %850, %852 : tensor<f32>
    %854 = chlo.square %831 : tensor<32xf32> -> tensor<32xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %855 = stablehlo.reduce(%854 init: %cst_175) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %856 = stablehlo.add %853, %855 : tensor<f32>
    %857 = chlo.square %680 : tensor<4x32x64xf32> -> tensor<4x32x64xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %858 = stablehlo.reduce(%857 init: %cst_176) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x32x64xf32>, tensor<f32>) -> tensor<f32>
    %859 = stablehlo.add %856, %858 : tensor<f32>
    %860 = chlo.square %688 : tensor<4x128x32xf32> -> tensor<4x128x32xf32>
    %cst_177 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %861 = stablehlo.reduce(%860 init: %cst_177) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x128x32xf32>, tensor<f32>) -> tensor<f32>
    %862 = stablehlo.add %859, %861 : tensor<f32>
    %863 = chlo.square %724 : tensor<4x32xf32> -> tensor<4x32xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %864 = stablehlo.reduce(%863 init: %cst_178) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<f32>
    %865 = stablehlo.add %862, %864 : tensor<f32>
    %866 = chlo.square %733 : tensor<32xf32> -> tensor<32xf32>
    %cst_179 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %867 = stablehlo.reduce(%866 init: %cst_179) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %868 = stablehlo.add %865, %867 : tensor<f32>
    %869 = chlo.square %818 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %870 = stablehlo.reduce(%869 init: %cst_180) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %871 = stablehlo.add %868, %870 : tensor<f32>
    %872 = chlo.square %749 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %873 = stablehlo.reduce(%872 init: %cst_181) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %874 = stablehlo.add %871, %873 : tensor<f32>
    %875 = chlo.square %823 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %876 = stablehlo.reduce(%875 init: %cst_182) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %877 = stablehlo.add %874, %876 : tensor<f32>
    %878 = chlo.square %814 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_183 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %879 = stablehlo.reduce(%878 init: %cst_183) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %880 = stablehlo.add %877, %879 : tensor<f32>
    %881 = chlo.square %659 : tensor<32xf32> -> tensor<32xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %882 = stablehlo.reduce(%881 init: %cst_184) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %883 = stablehlo.add %880, %882 : tensor<f32>
    %884 = chlo.square %508 : tensor<4x32x64xf32> -> tensor<4x32x64xf32>
    %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %885 = stablehlo.reduce(%884 init: %cst_185) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x32x64xf32>, tensor<f32>) -> tensor<f32>
    %886 = stablehlo.add %883, %885 : tensor<f32>
    %887 = chlo.square %516 : tensor<4x128x32xf32> -> tensor<4x128x32xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %888 = stablehlo.reduce(%887 init: %cst_186) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<4x128x32xf32>, tensor<f32>) -> tensor<f32>
    %889 = stablehlo.add %886, %888 : tensor<f32>
    %890 = chlo.square %552 : tensor<4x32xf32> -> tensor<4x32xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %891 = stablehlo.reduce(%890 init: %cst_187) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x32xf32>, tensor<f32>) -> tensor<f32>
    %892 = stablehlo.add %889, %891 : tensor<f32>
    %893 = chlo.square %561 : tensor<32xf32> -> tensor<32xf32>
    %cst_188 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %894 = stablehlo.reduce(%893 init: %cst_188) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %895 = stablehlo.add %892, %894 : tensor<f32>
    %896 = chlo.square %646 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %897 = stablehlo.reduce(%896 init: %cst_189) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %898 = stablehlo.add %895, %897 : tensor<f32>
    %899 = chlo.square %577 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %900 = stablehlo.reduce(%899 init: %cst_190) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %901 = stablehlo.add %898, %900 : tensor<f32>
    %902 = chlo.square %651 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_191 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %903 = stablehlo.reduce(%902 init: %cst_191) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %904 = stablehlo.add %901, %903 : tensor<f32>
    %905 = chlo.square %642 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_192 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %906 = stablehlo.reduce(%905 init: %cst_192) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %907 = stablehlo.add %904, %906 : tensor<f32>
    %908 = chlo.square %488 : tensor<32xf32> -> tensor<32xf32>
    %cst_193 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %909 = stablehlo.reduce(%908 init: %cst_193) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %910 = stablehlo.add %907, %909 : tensor<f32>
    %911 = stablehlo.sqrt %910 : tensor<f32>
    %cst_194 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %912 = stablehlo.add %911, %cst_194 : tensor<f32>
    %cst_195 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %913 = stablehlo.divide %cst_195, %912 : tensor<f32>
    %cst_196 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %914 = stablehlo.minimum %913, %cst_196 : tensor<f32>
    %915 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %916 = stablehlo.multiply %481, %915 : tensor<64x32xf32>
    %917 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %918 = stablehlo.multiply %847, %917 : tensor<64x32xf32>
    %919 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %920 = stablehlo.multiply %831, %919 : tensor<32xf32>
    %921 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %922 = stablehlo.multiply %680, %921 : tensor<4x32x64xf32>
    %923 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %924 = stablehlo.multiply %688, %923 : tensor<4x128x32xf32>
    %925 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %926 = stablehlo.multiply %724, %925 : tensor<4x32xf32>
    %927 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %928 = stablehlo.multiply %733, %927 : tensor<32xf32>
    %929 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %930 = stablehlo.multiply %818, %929 : tensor<16x32xf32>
    %931 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %932 = stablehlo.multiply %749, %931 : tensor<32x32xf32>
    %933 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %934 = stablehlo.multiply %823, %933 : tensor<32x32xf32>
    %935 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %936 = stablehlo.multiply %814, %935 : tensor<16x32xf32>
    %937 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %938 = stablehlo.multiply %659, %937 : tensor<32xf32>
    %939 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %940 = stablehlo.multiply %508, %939 : tensor<4x32x64xf32>
    %941 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %942 = stablehlo.multiply %516, %941 : tensor<4x128x32xf32>
    %943 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %944 = stablehlo.multiply %552, %943 : tensor<4x32xf32>
    %945 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %946 = stablehlo.multiply %561, %945 : tensor<32xf32>
    %947 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %948 = stablehlo.multiply %646, %947 : tensor<16x32xf32>
    %949 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %950 = stablehlo.multiply %577, %949 : tensor<32x32xf32>
    %951 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %952 = stablehlo.multiply %651, %951 : tensor<32x32xf32>
    %953 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %954 = stablehlo.multiply %642, %953 : tensor<16x32xf32>
    %955 = stablehlo.broadcast_in_dim %914, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %956 = stablehlo.multiply %488, %955 : tensor<32xf32>
    %cst_197 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %957 = stablehlo.add %arg63, %cst_197 : tensor<f32>
    %cst_198 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %958 = stablehlo.broadcast_in_dim %cst_198, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %959 = stablehlo.multiply %958, %arg21 : tensor<64x32xf32>
    %cst_199 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %960 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %961 = stablehlo.multiply %960, %916 : tensor<64x32xf32>
    %962 = stablehlo.add %959, %961 : tensor<64x32xf32>
    %cst_200 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %963 = stablehlo.broadcast_in_dim %cst_200, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %964 = stablehlo.multiply %963, %arg22 : tensor<64x32xf32>
    %cst_201 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %965 = stablehlo.broadcast_in_dim %cst_201, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %966 = stablehlo.multiply %965, %918 : tensor<64x32xf32>
    %967 = stablehlo.add %964, %966 : tensor<64x32xf32>
    %cst_202 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %968 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %969 = stablehlo.multiply %968, %arg23 : tensor<32xf32>
    %cst_203 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %970 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %971 = stablehlo.multiply %970, %920 : tensor<32xf32>
    %972 = stablehlo.add %969, %971 : tensor<32xf32>
    %cst_204 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %973 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %974 = stablehlo.multiply %973, %arg24 : tensor<4x32x64xf32>
    %cst_205 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %975 = stablehlo.broadcast_in_dim %cst_205, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %976 = stablehlo.multiply %975, %922 : tensor<4x32x64xf32>
    %977 = stablehlo.add %974, %976 : tensor<4x32x64xf32>
    %cst_206 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %978 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %979 = stablehlo.multiply %978, %arg25 : tensor<4x128x32xf32>
    %cst_207 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %980 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %981 = stablehlo.multiply %980, %924 : tensor<4x128x32xf32>
    %982 = stablehlo.add %979, %981 : tensor<4x128x32xf32>
    %cst_208 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %983 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %984 = stablehlo.multiply %983, %arg26 : tensor<4x32xf32>
    %cst_209 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %985 = stablehlo.broadcast_in_dim %cst_209, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %986 = stablehlo.multiply %985, %926 : tensor<4x32xf32>
    %987 = stablehlo.add %984, %986 : tensor<4x32xf32>
    %cst_210 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %988 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %989 = stablehlo.multiply %988, %arg27 : tensor<32xf32>
    %cst_211 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %990 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %991 = stablehlo.multiply %990, %928 : tensor<32xf32>
    %992 = stablehlo.add %989, %991 : tensor<32xf32>
    %cst_212 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %993 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %994 = stablehlo.multiply %993, %arg28 : tensor<16x32xf32>
    %cst_213 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %995 = stablehlo.broadcast_in_dim %cst_213, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %996 = stablehlo.multiply %995, %930 : tensor<16x32xf32>
    %997 = stablehlo.add %994, %996 : tensor<16x32xf32>
    %cst_214 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %998 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %999 = stablehlo.multiply %998, %arg29 : tensor<32x32xf32>
    %cst_215 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1000 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1001 = stablehlo.multiply %1000, %932 : tensor<32x32xf32>
    %1002 = stablehlo.add %999, %1001 : tensor<32x32xf32>
    %cst_216 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1003 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1004 = stablehlo.multiply %1003, %arg30 : tensor<32x32xf32>
    %cst_217 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1005 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1006 = stablehlo.multiply %1005, %934 : tensor<32x32xf32>
    %1007 = stablehlo.add %1004, %1006 : tensor<32x32xf32>
    %cst_218 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1008 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1009 = stablehlo.multiply %1008, %arg31 : tensor<16x32xf32>
    %cst_219 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1010 = stablehlo.broadcast_in_dim %cst_219, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1011 = stablehlo.multiply %1010, %936 : tensor<16x32xf32>
    %1012 = stablehlo.add %1009, %1011 : tensor<16x32xf32>
    %cst_220 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1013 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1014 = stablehlo.multiply %1013, %arg32 : tensor<32xf32>
    %cst_221 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1015 = stablehlo.broadcast_in_dim %cst_221, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1016 = stablehlo.multiply %1015, %938 : tensor<32xf32>
    %1017 = stablehlo.add %1014, %1016 : tensor<32xf32>
    %cst_222 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1018 = stablehlo.broadcast_in_dim %cst_222, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1019 = stablehlo.multiply %1018, %arg33 : tensor<4x32x64xf32>
    %cst_223 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1020 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1021 = stablehlo.multiply %1020, %940 : tensor<4x32x64xf32>
    %1022 = stablehlo.add %1019, %1021 : tensor<4x32x64xf32>
    %cst_224 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1023 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1024 = stablehlo.multiply %1023, %arg34 : tensor<4x128x32xf32>
    %cst_225 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1025 = stablehlo.broadcast_in_dim %cst_225, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1026 = stablehlo.multiply %1025, %942 : tensor<4x128x32xf32>
    %1027 = stablehlo.add %1024, %1026 : tensor<4x128x32xf32>
    %cst_226 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1028 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1029 = stablehlo.multiply %1028, %arg35 : tensor<4x32xf32>
    %cst_227 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1030 = stablehlo.broadcast_in_dim %cst_227, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1031 = stablehlo.multiply %1030, %944 : tensor<4x32xf32>
    %1032 = stablehlo.add %1029, %1031 : tensor<4x32xf32>
    %cst_228 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1033 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1034 = stablehlo.multiply %1033, %arg36 : tensor<32xf32>
    %cst_229 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1035 = stablehlo.broadcast_in_dim %cst_229, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1036 = stablehlo.multiply %1035, %946 : tensor<32xf32>
    %1037 = stablehlo.add %1034, %1036 : tensor<32xf32>
    %cst_230 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1038 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1039 = stablehlo.multiply %1038, %arg37 : tensor<16x32xf32>
    %cst_231 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1040 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1041 = stablehlo.multiply %1040, %948 : tensor<16x32xf32>
    %1042 = stablehlo.add %1039, %1041 : tensor<16x32xf32>
    %cst_232 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1043 = stablehlo.broadcast_in_dim %cst_232, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1044 = stablehlo.multiply %1043, %arg38 : tensor<32x32xf32>
    %cst_233 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1045 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1046 = stablehlo.multiply %1045, %950 : tensor<32x32xf32>
    %1047 = stablehlo.add %1044, %1046 : tensor<32x32xf32>
    %cst_234 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1048 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1049 = stablehlo.multiply %1048, %arg39 : tensor<32x32xf32>
    %cst_235 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1050 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1051 = stablehlo.multiply %1050, %952 : tensor<32x32xf32>
    %1052 = stablehlo.add %1049, %1051 : tensor<32x32xf32>
    %cst_236 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1053 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1054 = stablehlo.multiply %1053, %arg40 : tensor<16x32xf32>
    %cst_237 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1055 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1056 = stablehlo.multiply %1055, %954 : tensor<16x32xf32>
    %1057 = stablehlo.add %1054, %1056 : tensor<16x32xf32>
    %cst_238 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1058 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1059 = stablehlo.multiply %1058, %arg41 : tensor<32xf32>
    %cst_239 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1060 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1061 = stablehlo.multiply %1060, %956 : tensor<32xf32>
    %1062 = stablehlo.add %1059, %1061 : tensor<32xf32>
    %cst_240 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1063 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1064 = stablehlo.multiply %1063, %arg42 : tensor<64x32xf32>
    %1065 = chlo.square %916 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_241 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1066 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1067 = stablehlo.multiply %1066, %1065 : tensor<64x32xf32>
    %1068 = stablehlo.add %1064, %1067 : tensor<64x32xf32>
    %cst_242 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1069 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1070 = stablehlo.multiply %1069, %arg43 : tensor<64x32xf32>
    %1071 = chlo.square %918 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_243 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1072 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1073 = stablehlo.multiply %1072, %1071 : tensor<64x32xf32>
    %1074 = stablehlo.add %1070, %1073 : tensor<64x32xf32>
    %cst_244 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1075 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1076 = stablehlo.multiply %1075, %arg44 : tensor<32xf32>
    %1077 = chlo.square %920 : tensor<32xf32> -> tensor<32xf32>
    %cst_245 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1078 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1079 = stablehlo.multiply %1078, %1077 : tensor<32xf32>
    %1080 = stablehlo.add %1076, %1079 : tensor<32xf32>
    %cst_246 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1081 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1082 = stablehlo.multiply %1081, %arg45 : tensor<4x32x64xf32>
    %1083 = chlo.square %922 : tensor<4x32x64xf32> -> tensor<4x32x64xf32>
    %cst_247 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1084 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1085 = stablehlo.multiply %1084, %1083 : tensor<4x32x64xf32>
    %1086 = stablehlo.add %1082, %1085 : tensor<4x32x64xf32>
    %cst_248 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1087 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1088 = stablehlo.multiply %1087, %arg46 : tensor<4x128x32xf32>
    %1089 = chlo.square %924 : tensor<4x128x32xf32> -> tensor<4x128x32xf32>
    %cst_249 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1090 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1091 = stablehlo.multiply %1090, %1089 : tensor<4x128x32xf32>
    %1092 = stablehlo.add %1088, %1091 : tensor<4x128x32xf32>
    %cst_250 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1093 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1094 = stablehlo.multiply %1093, %arg47 : tensor<4x32xf32>
    %1095 = chlo.square %926 : tensor<4x32xf32> -> tensor<4x32xf32>
    %cst_251 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1096 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1097 = stablehlo.multiply %1096, %1095 : tensor<4x32xf32>
    %1098 = stablehlo.add %1094, %1097 : tensor<4x32xf32>
    %cst_252 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1099 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1100 = stablehlo.multiply %1099, %arg48 : tensor<32xf32>
    %1101 = chlo.square %928 : tensor<32xf32> -> tensor<32xf32>
    %cst_253 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1102 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1103 = stablehlo.multiply %1102, %1101 : tensor<32xf32>
    %1104 = stablehlo.add %1100, %1103 : tensor<32xf32>
    %cst_254 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1105 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1106 = stablehlo.multiply %1105, %arg49 : tensor<16x32xf32>
    %1107 = chlo.square %930 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_255 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1108 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1109 = stablehlo.multiply %1108, %1107 : tensor<16x32xf32>
    %1110 = stablehlo.add %1106, %1109 : tensor<16x32xf32>
    %cst_256 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1111 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1112 = stablehlo.multiply %1111, %arg50 : tensor<32x32xf32>
    %1113 = chlo.square %932 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_257 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1114 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1115 = stablehlo.multiply %1114, %1113 : tensor<32x32xf32>
    %1116 = stablehlo.add %1112, %1115 : tensor<32x32xf32>
    %cst_258 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1117 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1118 = stablehlo.multiply %1117, %arg51 : tensor<32x32xf32>
    %1119 = chlo.square %934 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_259 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1120 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1121 = stablehlo.multiply %1120, %1119 : tensor<32x32xf32>
    %1122 = stablehlo.add %1118, %1121 : tensor<32x32xf32>
    %cst_260 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1123 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1124 = stablehlo.multiply %1123, %arg52 : tensor<16x32xf32>
    %1125 = chlo.square %936 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_261 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1126 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1127 = stablehlo.multiply %1126, %1125 : tensor<16x32xf32>
    %1128 = stablehlo.add %1124, %1127 : tensor<16x32xf32>
    %cst_262 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1129 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1130 = stablehlo.multiply %1129, %arg53 : tensor<32xf32>
    %1131 = chlo.square %938 : tensor<32xf32> -> tensor<32xf32>
    %cst_263 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1132 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1133 = stablehlo.multiply %1132, %1131 : tensor<32xf32>
    %1134 = stablehlo.add %1130, %1133 : tensor<32xf32>
    %cst_264 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1135 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1136 = stablehlo.multiply %1135, %arg54 : tensor<4x32x64xf32>
    %1137 = chlo.square %940 : tensor<4x32x64xf32> -> tensor<4x32x64xf32>
    %cst_265 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1138 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1139 = stablehlo.multiply %1138, %1137 : tensor<4x32x64xf32>
    %1140 = stablehlo.add %1136, %1139 : tensor<4x32x64xf32>
    %cst_266 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1141 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1142 = stablehlo.multiply %1141, %arg55 : tensor<4x128x32xf32>
    %1143 = chlo.square %942 : tensor<4x128x32xf32> -> tensor<4x128x32xf32>
    %cst_267 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1144 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1145 = stablehlo.multiply %1144, %1143 : tensor<4x128x32xf32>
    %1146 = stablehlo.add %1142, %1145 : tensor<4x128x32xf32>
    %cst_268 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1147 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1148 = stablehlo.multiply %1147, %arg56 : tensor<4x32xf32>
    %1149 = chlo.square %944 : tensor<4x32xf32> -> tensor<4x32xf32>
    %cst_269 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1150 = stablehlo.broadcast_in_dim %cst_269, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1151 = stablehlo.multiply %1150, %1149 : tensor<4x32xf32>
    %1152 = stablehlo.add %1148, %1151 : tensor<4x32xf32>
    %cst_270 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1153 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1154 = stablehlo.multiply %1153, %arg57 : tensor<32xf32>
    %1155 = chlo.square %946 : tensor<32xf32> -> tensor<32xf32>
    %cst_271 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1156 = stablehlo.broadcast_in_dim %cst_271, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1157 = stablehlo.multiply %1156, %1155 : tensor<32xf32>
    %1158 = stablehlo.add %1154, %1157 : tensor<32xf32>
    %cst_272 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1159 = stablehlo.broadcast_in_dim %cst_272, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1160 = stablehlo.multiply %1159, %arg58 : tensor<16x32xf32>
    %1161 = chlo.square %948 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_273 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1162 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1163 = stablehlo.multiply %1162, %1161 : tensor<16x32xf32>
    %1164 = stablehlo.add %1160, %1163 : tensor<16x32xf32>
    %cst_274 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1165 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1166 = stablehlo.multiply %1165, %arg59 : tensor<32x32xf32>
    %1167 = chlo.square %950 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_275 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1168 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1169 = stablehlo.multiply %1168, %1167 : tensor<32x32xf32>
    %1170 = stablehlo.add %1166, %1169 : tensor<32x32xf32>
    %cst_276 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1171 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1172 = stablehlo.multiply %1171, %arg60 : tensor<32x32xf32>
    %1173 = chlo.square %952 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_277 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1174 = stablehlo.broadcast_in_dim %cst_277, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1175 = stablehlo.multiply %1174, %1173 : tensor<32x32xf32>
    %1176 = stablehlo.add %1172, %1175 : tensor<32x32xf32>
    %cst_278 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1177 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1178 = stablehlo.multiply %1177, %arg61 : tensor<16x32xf32>
    %1179 = chlo.square %954 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_279 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1180 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1181 = stablehlo.multiply %1180, %1179 : tensor<16x32xf32>
    %1182 = stablehlo.add %1178, %1181 : tensor<16x32xf32>
    %cst_280 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1183 = stablehlo.broadcast_in_dim %cst_280, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1184 = stablehlo.multiply %1183, %arg62 : tensor<32xf32>
    %1185 = chlo.square %956 : tensor<32xf32> -> tensor<32xf32>
    %cst_281 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1186 = stablehlo.broadcast_in_dim %cst_281, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1187 = stablehlo.multiply %1186, %1185 : tensor<32xf32>
    %1188 = stablehlo.add %1184, %1187 : tensor<32xf32>
    %cst_282 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1189 = stablehlo.power %cst_282, %957 : tensor<f32>
    %cst_283 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1190 = stablehlo.subtract %cst_283, %1189 : tensor<f32>
    %cst_284 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1191 = stablehlo.divide %cst_284, %1190 : tensor<f32>
    %cst_285 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1192 = stablehlo.power %cst_285, %957 : tensor<f32>
    %cst_286 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1193 = stablehlo.subtract %cst_286, %1192 : tensor<f32>
    %1194 = stablehlo.sqrt %1193 : tensor<f32>
    %cst_287 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1195 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1196 = stablehlo.multiply %arg0, %1195 : tensor<64x32xf32>
    %1197 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1198 = stablehlo.multiply %1197, %962 : tensor<64x32xf32>
    %1199 = stablehlo.sqrt %1068 : tensor<64x32xf32>
    %1200 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1201 = stablehlo.divide %1199, %1200 : tensor<64x32xf32>
    %cst_288 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1202 = stablehlo.broadcast_in_dim %cst_288, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1203 = stablehlo.add %1201, %1202 : tensor<64x32xf32>
    %1204 = stablehlo.divide %1198, %1203 : tensor<64x32xf32>
    %1205 = stablehlo.subtract %1196, %1204 : tensor<64x32xf32>
    %cst_289 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1206 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1207 = stablehlo.multiply %arg1, %1206 : tensor<64x32xf32>
    %1208 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1209 = stablehlo.multiply %1208, %967 : tensor<64x32xf32>
    %1210 = stablehlo.sqrt %1074 : tensor<64x32xf32>
    %1211 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1212 = stablehlo.divide %1210, %1211 : tensor<64x32xf32>
    %cst_290 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1213 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1214 = stablehlo.add %1212, %1213 : tensor<64x32xf32>
    %1215 = stablehlo.divide %1209, %1214 : tensor<64x32xf32>
    %1216 = stablehlo.subtract %1207, %1215 : tensor<64x32xf32>
    %cst_291 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1217 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1218 = stablehlo.multiply %arg2, %1217 : tensor<32xf32>
    %1219 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1220 = stablehlo.multiply %1219, %972 : tensor<32xf32>
    %1221 = stablehlo.sqrt %1080 : tensor<32xf32>
    %1222 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1223 = stablehlo.divide %1221, %1222 : tensor<32xf32>
    %cst_292 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1224 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1225 = stablehlo.add %1223, %1224 : tensor<32xf32>
    %1226 = stablehlo.divide %1220, %1225 : tensor<32xf32>
    %1227 = stablehlo.subtract %1218, %1226 : tensor<32xf32>
    %cst_293 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1228 = stablehlo.broadcast_in_dim %cst_293, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1229 = stablehlo.multiply %arg3, %1228 : tensor<4x32x64xf32>
    %1230 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1231 = stablehlo.multiply %1230, %977 : tensor<4x32x64xf32>
    %1232 = stablehlo.sqrt %1086 : tensor<4x32x64xf32>
    %1233 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1234 = stablehlo.divide %1232, %1233 : tensor<4x32x64xf32>
    %cst_294 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1235 = stablehlo.broadcast_in_dim %cst_294, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1236 = stablehlo.add %1234, %1235 : tensor<4x32x64xf32>
    %1237 = stablehlo.divide %1231, %1236 : tensor<4x32x64xf32>
    %1238 = stablehlo.subtract %1229, %1237 : tensor<4x32x64xf32>
    %cst_295 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1239 = stablehlo.broadcast_in_dim %cst_295, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1240 = stablehlo.multiply %arg4, %1239 : tensor<4x128x32xf32>
    %1241 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1242 = stablehlo.multiply %1241, %982 : tensor<4x128x32xf32>
    %1243 = stablehlo.sqrt %1092 : tensor<4x128x32xf32>
    %1244 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1245 = stablehlo.divide %1243, %1244 : tensor<4x128x32xf32>
    %cst_296 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1246 = stablehlo.broadcast_in_dim %cst_296, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1247 = stablehlo.add %1245, %1246 : tensor<4x128x32xf32>
    %1248 = stablehlo.divide %1242, %1247 : tensor<4x128x32xf32>
    %1249 = stablehlo.subtract %1240, %1248 : tensor<4x128x32xf32>
    %cst_297 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1250 = stablehlo.broadcast_in_dim %cst_297, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1251 = stablehlo.multiply %arg5, %1250 : tensor<4x32xf32>
    %1252 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1253 = stablehlo.multiply %1252, %987 : tensor<4x32xf32>
    %1254 = stablehlo.sqrt %1098 : tensor<4x32xf32>
    %1255 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1256 = stablehlo.divide %1254, %1255 : tensor<4x32xf32>
    %cst_298 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1257 = stablehlo.broadcast_in_dim %cst_298, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1258 = stablehlo.add %1256, %1257 : tensor<4x32xf32>
    %1259 = stablehlo.divide %1253, %1258 : tensor<4x32xf32>
    %1260 = stablehlo.subtract %1251, %1259 : tensor<4x32xf32>
    %cst_299 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1261 = stablehlo.broadcast_in_dim %cst_299, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1262 = stablehlo.multiply %arg6, %1261 : tensor<32xf32>
    %1263 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1264 = stablehlo.multiply %1263, %992 : tensor<32xf32>
    %1265 = stablehlo.sqrt %1104 : tensor<32xf32>
    %1266 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1267 = stablehlo.divide %1265, %1266 : tensor<32xf32>
    %cst_300 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1268 = stablehlo.broadcast_in_dim %cst_300, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1269 = stablehlo.add %1267, %1268 : tensor<32xf32>
    %1270 = stablehlo.divide %1264, %1269 : tensor<32xf32>
    %1271 = stablehlo.subtract %1262, %1270 : tensor<32xf32>
    %cst_301 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1272 = stablehlo.broadcast_in_dim %cst_301, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1273 = stablehlo.multiply %arg7, %1272 : tensor<16x32xf32>
    %1274 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1275 = stablehlo.multiply %1274, %997 : tensor<16x32xf32>
    %1276 = stablehlo.sqrt %1110 : tensor<16x32xf32>
    %1277 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1278 = stablehlo.divide %1276, %1277 : tensor<16x32xf32>
    %cst_302 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1279 = stablehlo.broadcast_in_dim %cst_302, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1280 = stablehlo.add %1278, %1279 : tensor<16x32xf32>
    %1281 = stablehlo.divide %1275, %1280 : tensor<16x32xf32>
    %1282 = stablehlo.subtract %1273, %1281 : tensor<16x32xf32>
    %cst_303 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1283 = stablehlo.broadcast_in_dim %cst_303, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1284 = stablehlo.multiply %arg8, %1283 : tensor<32x32xf32>
    %1285 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1286 = stablehlo.multiply %1285, %1002 : tensor<32x32xf32>
    %1287 = stablehlo.sqrt %1116 : tensor<32x32xf32>
    %1288 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1289 = stablehlo.divide %1287, %1288 : tensor<32x32xf32>
    %cst_304 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1290 = stablehlo.broadcast_in_dim %cst_304, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1291 = stablehlo.add %1289, %1290 : tensor<32x32xf32>
    %1292 = stablehlo.divide %1286, %1291 : tensor<32x32xf32>
    %1293 = stablehlo.subtract %1284, %1292 : tensor<32x32xf32>
    %cst_305 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1294 = stablehlo.broadcast_in_dim %cst_305, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1295 = stablehlo.multiply %arg9, %1294 : tensor<32x32xf32>
    %1296 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1297 = stablehlo.multiply %1296, %1007 : tensor<32x32xf32>
    %1298 = stablehlo.sqrt %1122 : tensor<32x32xf32>
    %1299 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1300 = stablehlo.divide %1298, %1299 : tensor<32x32xf32>
    %cst_306 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1301 = stablehlo.broadcast_in_dim %cst_306, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1302 = stablehlo.add %1300, %1301 : tensor<32x32xf32>
    %1303 = stablehlo.divide %1297, %1302 : tensor<32x32xf32>
    %1304 = stablehlo.subtract %1295, %1303 : tensor<32x32xf32>
    %cst_307 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1305 = stablehlo.broadcast_in_dim %cst_307, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1306 = stablehlo.multiply %arg10, %1305 : tensor<16x32xf32>
    %1307 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1308 = stablehlo.multiply %1307, %1012 : tensor<16x32xf32>
    %1309 = stablehlo.sqrt %1128 : tensor<16x32xf32>
    %1310 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1311 = stablehlo.divide %1309, %1310 : tensor<16x32xf32>
    %cst_308 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1312 = stablehlo.broadcast_in_dim %cst_308, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1313 = stablehlo.add %1311, %1312 : tensor<16x32xf32>
    %1314 = stablehlo.divide %1308, %1313 : tensor<16x32xf32>
    %1315 = stablehlo.subtract %1306, %1314 : tensor<16x32xf32>
    %cst_309 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1316 = stablehlo.broadcast_in_dim %cst_309, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1317 = stablehlo.multiply %arg11, %1316 : tensor<32xf32>
    %1318 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1319 = stablehlo.multiply %1318, %1017 : tensor<32xf32>
    %1320 = stablehlo.sqrt %1134 : tensor<32xf32>
    %1321 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1322 = stablehlo.divide %1320, %1321 : tensor<32xf32>
    %cst_310 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1323 = stablehlo.broadcast_in_dim %cst_310, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1324 = stablehlo.add %1322, %1323 : tensor<32xf32>
    %1325 = stablehlo.divide %1319, %1324 : tensor<32xf32>
    %1326 = stablehlo.subtract %1317, %1325 : tensor<32xf32>
    %cst_311 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1327 = stablehlo.broadcast_in_dim %cst_311, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1328 = stablehlo.multiply %arg12, %1327 : tensor<4x32x64xf32>
    %1329 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1330 = stablehlo.multiply %1329, %1022 : tensor<4x32x64xf32>
    %1331 = stablehlo.sqrt %1140 : tensor<4x32x64xf32>
    %1332 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1333 = stablehlo.divide %1331, %1332 : tensor<4x32x64xf32>
    %cst_312 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1334 = stablehlo.broadcast_in_dim %cst_312, dims = [] : (tensor<f32>) -> tensor<4x32x64xf32>
    %1335 = stablehlo.add %1333, %1334 : tensor<4x32x64xf32>
    %1336 = stablehlo.divide %1330, %1335 : tensor<4x32x64xf32>
    %1337 = stablehlo.subtract %1328, %1336 : tensor<4x32x64xf32>
    %cst_313 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1338 = stablehlo.broadcast_in_dim %cst_313, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1339 = stablehlo.multiply %arg13, %1338 : tensor<4x128x32xf32>
    %1340 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1341 = stablehlo.multiply %1340, %1027 : tensor<4x128x32xf32>
    %1342 = stablehlo.sqrt %1146 : tensor<4x128x32xf32>
    %1343 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1344 = stablehlo.divide %1342, %1343 : tensor<4x128x32xf32>
    %cst_314 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1345 = stablehlo.broadcast_in_dim %cst_314, dims = [] : (tensor<f32>) -> tensor<4x128x32xf32>
    %1346 = stablehlo.add %1344, %1345 : tensor<4x128x32xf32>
    %1347 = stablehlo.divide %1341, %1346 : tensor<4x128x32xf32>
    %1348 = stablehlo.subtract %1339, %1347 : tensor<4x128x32xf32>
    %cst_315 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1349 = stablehlo.broadcast_in_dim %cst_315, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1350 = stablehlo.multiply %arg14, %1349 : tensor<4x32xf32>
    %1351 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1352 = stablehlo.multiply %1351, %1032 : tensor<4x32xf32>
    %1353 = stablehlo.sqrt %1152 : tensor<4x32xf32>
    %1354 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1355 = stablehlo.divide %1353, %1354 : tensor<4x32xf32>
    %cst_316 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1356 = stablehlo.broadcast_in_dim %cst_316, dims = [] : (tensor<f32>) -> tensor<4x32xf32>
    %1357 = stablehlo.add %1355, %1356 : tensor<4x32xf32>
    %1358 = stablehlo.divide %1352, %1357 : tensor<4x32xf32>
    %1359 = stablehlo.subtract %1350, %1358 : tensor<4x32xf32>
    %cst_317 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1360 = stablehlo.broadcast_in_dim %cst_317, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1361 = stablehlo.multiply %arg15, %1360 : tensor<32xf32>
    %1362 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1363 = stablehlo.multiply %1362, %1037 : tensor<32xf32>
    %1364 = stablehlo.sqrt %1158 : tensor<32xf32>
    %1365 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1366 = stablehlo.divide %1364, %1365 : tensor<32xf32>
    %cst_318 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1367 = stablehlo.broadcast_in_dim %cst_318, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1368 = stablehlo.add %1366, %1367 : tensor<32xf32>
    %1369 = stablehlo.divide %1363, %1368 : tensor<32xf32>
    %1370 = stablehlo.subtract %1361, %1369 : tensor<32xf32>
    %cst_319 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1371 = stablehlo.broadcast_in_dim %cst_319, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1372 = stablehlo.multiply %arg16, %1371 : tensor<16x32xf32>
    %1373 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1374 = stablehlo.multiply %1373, %1042 : tensor<16x32xf32>
    %1375 = stablehlo.sqrt %1164 : tensor<16x32xf32>
    %1376 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1377 = stablehlo.divide %1375, %1376 : tensor<16x32xf32>
    %cst_320 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1378 = stablehlo.broadcast_in_dim %cst_320, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1379 = stablehlo.add %1377, %1378 : tensor<16x32xf32>
    %1380 = stablehlo.divide %1374, %1379 : tensor<16x32xf32>
    %1381 = stablehlo.subtract %1372, %1380 : tensor<16x32xf32>
    %cst_321 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1382 = stablehlo.broadcast_in_dim %cst_321, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1383 = stablehlo.multiply %arg17, %1382 : tensor<32x32xf32>
    %1384 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1385 = stablehlo.multiply %1384, %1047 : tensor<32x32xf32>
    %1386 = stablehlo.sqrt %1170 : tensor<32x32xf32>
    %1387 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1388 = stablehlo.divide %1386, %1387 : tensor<32x32xf32>
    %cst_322 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1389 = stablehlo.broadcast_in_dim %cst_322, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1390 = stablehlo.add %1388, %1389 : tensor<32x32xf32>
    %1391 = stablehlo.divide %1385, %1390 : tensor<32x32xf32>
    %1392 = stablehlo.subtract %1383, %1391 : tensor<32x32xf32>
    %cst_323 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1393 = stablehlo.broadcast_in_dim %cst_323, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1394 = stablehlo.multiply %arg18, %1393 : tensor<32x32xf32>
    %1395 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1396 = stablehlo.multiply %1395, %1052 : tensor<32x32xf32>
    %1397 = stablehlo.sqrt %1176 : tensor<32x32xf32>
    %1398 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1399 = stablehlo.divide %1397, %1398 : tensor<32x32xf32>
    %cst_324 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1400 = stablehlo.broadcast_in_dim %cst_324, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1401 = stablehlo.add %1399, %1400 : tensor<32x32xf32>
    %1402 = stablehlo.divide %1396, %1401 : tensor<32x32xf32>
    %1403 = stablehlo.subtract %1394, %1402 : tensor<32x32xf32>
    %cst_325 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1404 = stablehlo.broadcast_in_dim %cst_325, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1405 = stablehlo.multiply %arg19, %1404 : tensor<16x32xf32>
    %1406 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1407 = stablehlo.multiply %1406, %1057 : tensor<16x32xf32>
    %1408 = stablehlo.sqrt %1182 : tensor<16x32xf32>
    %1409 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1410 = stablehlo.divide %1408, %1409 : tensor<16x32xf32>
    %cst_326 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1411 = stablehlo.broadcast_in_dim %cst_326, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1412 = stablehlo.add %1410, %1411 : tensor<16x32xf32>
    %1413 = stablehlo.divide %1407, %1412 : tensor<16x32xf32>
    %1414 = stablehlo.subtract %1405, %1413 : tensor<16x32xf32>
    %cst_327 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1415 = stablehlo.broadcast_in_dim %cst_327, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1416 = stablehlo.multiply %arg20, %1415 : tensor<32xf32>
    %1417 = stablehlo.broadcast_in_dim %1191, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1418 = stablehlo.multiply %1417, %1062 : tensor<32xf32>
    %1419 = stablehlo.sqrt %1188 : tensor<32xf32>
    %1420 = stablehlo.broadcast_in_dim %1194, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1421 = stablehlo.divide %1419, %1420 : tensor<32xf32>
    %cst_328 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1422 = stablehlo.broadcast_in_dim %cst_328, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1423 = stablehlo.add %1421, %1422 : tensor<32xf32>
    %1424 = stablehlo.divide %1418, %1423 : tensor<32xf32>
    %1425 = stablehlo.subtract %1416, %1424 : tensor<32xf32>
    return %1205, %1216, %1227, %1238, %1249, %1260, %1271, %1282, %1293, %1304, %1315, %1326, %1337, %1348, %1359, %1370, %1381, %1392, %1403, %1414, %1425, %962, %967, %972, %977, %982, %987, %992, %997, %1002, %1007, %1012, %1017, %1022, %1027, %1032, %1037, %1042, %1047, %1052, %1057, %1062, %1068, %1074, %1080, %1086, %1092, %1098, %1104, %1110, %1116, %1122, %1128, %1134, %1140, %1146, %1152, %1158, %1164, %1170, %1176, %1182, %1188, %957, %459 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<4x32x64xf32>, tensor<4x128x32xf32>, tensor<4x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<4x32x64xf32>, tensor<4x128x32xf32>, tensor<4x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<4x32x64xf32>, tensor<4x128x32xf32>, tensor<4x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<4x32x64xf32>, tensor<4x128x32xf32>, tensor<4x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<4x32x64xf32>, tensor<4x128x32xf32>, tensor<4x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<4x32x64xf32>, tensor<4x128x32xf32>, tensor<4x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @_take(%arg0: tensor<64x32xf32>, %arg1: tensor<8x16xi32>) -> tensor<8x16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<8x16xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<8x16xi1>, tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<8x16x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<8x16x1xi32>, tensor<8x16x1xi32>) -> tensor<8x16x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<8x16x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<8x16x1xi32>, tensor<8x16x1xi32>) -> tensor<8x16x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<8x16x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<8x16x1xi1>, tensor<i1>) -> tensor<8x16xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xf32>, tensor<8x16x1xi32>) -> tensor<8x16x32xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<8x16xi1>) -> tensor<8x16x32xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<8x16x32xi1>, tensor<8x16x32xf32>
    return %16 : tensor<8x16x32xf32>
  }
  func.func private @_where(%arg0: tensor<8x16xi1>, %arg1: tensor<8x16xi32>, %arg2: tensor<8x16xi32>) -> tensor<8x16xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x16xi1>, tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
  func.func private @_take_0(%arg0: tensor<8x16xi32>) -> tensor<8x16x1xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<8x16xi32>
    %4 = call @_where_1(%1, %3, %arg0) : (tensor<8x16xi1>, tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    return %5 : tensor<8x16x1xi32>
  }
  func.func private @_where_1(%arg0: tensor<8x16xi1>, %arg1: tensor<8x16xi32>, %arg2: tensor<8x16xi32>) -> tensor<8x16xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x16xi1>, tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where_2(%arg0: tensor<8x2x16x16xi1>, %arg1: tensor<8x2x16x2x16xf32>, %arg2: tensor<f32>) -> (tensor<2x8x2x16x16xf32>, tensor<2x8x2x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x2x16x16xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<8x2x16x16xi1>) -> tensor<2x8x2x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<8x2x16x16xf32>) -> tensor<2x8x2x16x16xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<8x2x16x2x16xf32>) -> tensor<2x8x2x16x16xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<2x8x2x16x16xi1>, tensor<2x8x2x16x16xf32>
    return %4, %1 : tensor<2x8x2x16x16xf32>, tensor<2x8x2x16x16xi1>
  }
  func.func private @sort(%arg0: tensor<128x2xf32>) -> (tensor<128x2xf32>, tensor<128x2x1xui32>) {
    %0 = stablehlo.iota dim = 1 : tensor<128x2xui32>
    %1:2 = "stablehlo.sort"(%arg0, %0) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<ui32>, %arg4: tensor<ui32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %4 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %5 = stablehlo.select %4, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %6 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %7 = stablehlo.select %6, %cst_1, %5 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %8 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.select %8, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %10 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %11 = stablehlo.select %10, %cst_4, %9 : tensor<i1>, tensor<f32>
      %12 = stablehlo.compare LT, %7, %11, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %12 : tensor<i1>
    }) : (tensor<128x2xf32>, tensor<128x2xui32>) -> (tensor<128x2xf32>, tensor<128x2xui32>)
    %2 = stablehlo.broadcast_in_dim %1#1, dims = [0, 1] : (tensor<128x2xui32>) -> tensor<128x2x1xui32>
    %3 = stablehlo.reverse %1#0, dims = [1] : tensor<128x2xf32>
    return %3, %2 : tensor<128x2xf32>, tensor<128x2x1xui32>
  }
  func.func private @argsort(%arg0: tensor<128x2xf32>) -> tensor<128x2xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<128x2xi32>
    %1 = stablehlo.reverse %arg0, dims = [1] : tensor<128x2xf32>
    %2 = stablehlo.reverse %0, dims = [1] : tensor<128x2xi32>
    %3 = stablehlo.iota dim = 1 : tensor<128x2xui32>
    %4:3 = "stablehlo.sort"(%1, %2, %3) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<ui32>, %arg6: tensor<ui32>):
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.select %6, %cst_0, %arg1 : tensor<i1>, tensor<f32>
      %8 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %9 = stablehlo.select %8, %cst_1, %7 : tensor<i1>, tensor<f32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %10 = stablehlo.compare EQ, %arg2, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %11 = stablehlo.select %10, %cst_3, %arg2 : tensor<i1>, tensor<f32>
      %12 = stablehlo.compare NE, %arg2, %arg2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %cst_4 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
      %13 = stablehlo.select %12, %cst_4, %11 : tensor<i1>, tensor<f32>
      %14 = stablehlo.compare LT, %9, %13, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %14 : tensor<i1>
    }) : (tensor<128x2xf32>, tensor<128x2xi32>, tensor<128x2xui32>) -> (tensor<128x2xf32>, tensor<128x2xi32>, tensor<128x2xui32>)
    %5 = stablehlo.reverse %4#1, dims = [1] : tensor<128x2xi32>
    return %5 : tensor<128x2xi32>
  }
  func.func private @take_along_axis(%arg0: tensor<128x2xi32>, %arg1: tensor<128x2xi32>) -> tensor<128x2xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<128x2xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<128x2xi32>, tensor<128x2xi32>) -> tensor<128x2xi1>
    %c_0 = stablehlo.constant dense<2> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<128x2xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<128x2xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<128x2xi1>, tensor<128x2xi32>
    %5 = stablehlo.reshape %4 : (tensor<128x2xi32>) -> tensor<128x2x1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<128x2x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<128x2x1xi32>, tensor<128x2x1xi32>) -> tensor<128x2x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<128x2x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<128x2x1xi32>, tensor<128x2x1xi32>) -> tensor<128x2x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<128x2x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<128x2x1xi1>, tensor<i1>) -> tensor<128x2xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<128x2xi32>, tensor<128x2x1xi32>) -> tensor<128x2xi32>
    %c_4 = stablehlo.constant dense<-2147483648> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<128x2xi32>
    %15 = stablehlo.select %12, %13, %14 : tensor<128x2xi1>, tensor<128x2xi32>
    return %15 : tensor<128x2xi32>
  }
  func.func private @cumsum(%arg0: tensor<1x256x4xf32>) -> tensor<1x256x4xf32> {
    %0 = call @cumsum_3(%arg0) : (tensor<1x256x4xf32>) -> tensor<1x256x4xf32>
    return %0 : tensor<1x256x4xf32>
  }
  func.func private @cumsum_3(%arg0: tensor<1x256x4xf32>) -> tensor<1x256x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [255, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 256, 1>, window_strides = array<i64: 1, 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %2 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<1x256x4xf32>, tensor<f32>) -> tensor<1x256x4xf32>
    return %1 : tensor<1x256x4xf32>
  }
  func.func private @silu(%arg0: tensor<4x1x80x64xf32>) -> (tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>) {
    %0 = stablehlo.negate %arg0 : tensor<4x1x80x64xf32>
    %1 = stablehlo.exponential %0 : tensor<4x1x80x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x80x64xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x1x80x64xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1x80x64xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x1x80x64xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1x80x64xf32>
    %7 = stablehlo.subtract %6, %5 : tensor<4x1x80x64xf32>
    %8 = stablehlo.multiply %5, %7 : tensor<4x1x80x64xf32>
    %9 = stablehlo.multiply %arg0, %5 : tensor<4x1x80x64xf32>
    return %9, %8, %5 : tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>, tensor<4x1x80x64xf32>
  }
  func.func private @_pad(%arg0: tensor<8x16xi32>, %arg1: tensor<i32>) -> tensor<8x17xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<8x16xi32>, tensor<i32>) -> tensor<8x17xi32>
    return %1 : tensor<8x17xi32>
  }
  func.func private @_where_4(%arg0: tensor<128x64xi1>, %arg1: tensor<128x64xf32>, %arg2: tensor<i32>) -> tensor<128x64xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<128x64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<128x64xi1>, tensor<128x64xf32>
    return %2 : tensor<128x64xf32>
  }
  func.func private @_where_5(%arg0: tensor<128xi1>, %arg1: tensor<128xf32>, %arg2: tensor<i32>) -> tensor<128xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<128xi1>, tensor<128xf32>
    return %2 : tensor<128xf32>
  }
  func.func private @_where_6(%arg0: tensor<128xi1>, %arg1: tensor<128xf32>, %arg2: tensor<i32>) -> tensor<128xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<128xi1>, tensor<128xf32>
    return %2 : tensor<128xf32>
  }
  func.func private @_where_7(%arg0: tensor<128xi1>, %arg1: tensor<128xf32>) -> tensor<128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<128xi1>, tensor<128xf32>
    return %1 : tensor<128xf32>
  }
  func.func private @_where_8(%arg0: tensor<128x64xi1>, %arg1: tensor<128x64xf32>) -> tensor<128x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x64xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<128x64xi1>, tensor<128x64xf32>
    return %1 : tensor<128x64xf32>
  }
  func.func private @silu_9(%arg0: tensor<4x1x80x64xf32>, %arg1: tensor<4x1x80x64xf32>, %arg2: tensor<4x1x80x64xf32>, %arg3: tensor<4x1x80x64xf32>) -> tensor<4x1x80x64xf32> {
    %0 = stablehlo.multiply %arg2, %arg3 : tensor<4x1x80x64xf32>
    %1 = stablehlo.multiply %arg3, %arg1 : tensor<4x1x80x64xf32>
    %2 = stablehlo.multiply %0, %arg0 : tensor<4x1x80x64xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x1x80x64xf32>
    return %3 : tensor<4x1x80x64xf32>
  }
  func.func private @sort_10(%arg0: tensor<128x2x1xui32>, %arg1: tensor<128x2xf32>) -> tensor<128x2xf32> {
    %0 = stablehlo.reverse %arg1, dims = [1] : tensor<128x2xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x2xf32>
    %2 = "stablehlo.scatter"(%1, %arg0, %0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<128x2xf32>, tensor<128x2x1xui32>, tensor<128x2xf32>) -> tensor<128x2xf32>
    return %2 : tensor<128x2xf32>
  }
  func.func private @_where_11(%arg0: tensor<2x8x2x16x16xi1>, %arg1: tensor<2x8x2x16x16xf32>) -> tensor<8x2x16x2x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x8x2x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x8x2x16x16xi1>, tensor<2x8x2x16x16xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<2x8x2x16x16xf32>) -> tensor<8x2x16x2x16xf32>
    return %2 : tensor<8x2x16x2x16xf32>
  }
  func.func private @_take_12(%arg0: tensor<8x16x1xi32>, %arg1: tensor<8x16x32xf32>) -> tensor<64x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<64x32xf32>, tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    return %1 : tensor<64x32xf32>
  }
}
