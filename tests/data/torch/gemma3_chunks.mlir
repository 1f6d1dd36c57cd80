module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32x64xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<64x32xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<64x32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<8xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<16x32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<32x32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<8xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<32x32xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<16x32xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<32x64xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<64x32xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<64x32xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<32xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<32xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<8xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<16x32xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<32x32xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<8xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<32x32xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<16x32xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<64x32xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<32xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<32x64xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<64x32xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<64x32xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<32xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<32xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<8xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<16x32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32x32xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<8xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<32x32xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<16x32xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<32xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<32x64xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<64x32xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<64x32xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<32xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<32xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<32xf32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<8xf32> {tf.aliasing_output = 49 : i32}, %arg50: tensor<16x32xf32> {tf.aliasing_output = 50 : i32}, %arg51: tensor<32x32xf32> {tf.aliasing_output = 51 : i32}, %arg52: tensor<8xf32> {tf.aliasing_output = 52 : i32}, %arg53: tensor<32x32xf32> {tf.aliasing_output = 53 : i32}, %arg54: tensor<16x32xf32> {tf.aliasing_output = 54 : i32}, %arg55: tensor<32xf32> {tf.aliasing_output = 55 : i32}, %arg56: tensor<64x32xf32> {tf.aliasing_output = 56 : i32}, %arg57: tensor<32xf32> {tf.aliasing_output = 57 : i32}, %arg58: tensor<32x64xf32> {tf.aliasing_output = 58 : i32}, %arg59: tensor<64x32xf32> {tf.aliasing_output = 59 : i32}, %arg60: tensor<64x32xf32> {tf.aliasing_output = 60 : i32}, %arg61: tensor<32xf32> {tf.aliasing_output = 61 : i32}, %arg62: tensor<32xf32> {tf.aliasing_output = 62 : i32}, %arg63: tensor<32xf32> {tf.aliasing_output = 63 : i32}, %arg64: tensor<8xf32> {tf.aliasing_output = 64 : i32}, %arg65: tensor<16x32xf32> {tf.aliasing_output = 65 : i32}, %arg66: tensor<32x32xf32> {tf.aliasing_output = 66 : i32}, %arg67: tensor<8xf32> {tf.aliasing_output = 67 : i32}, %arg68: tensor<32x32xf32> {tf.aliasing_output = 68 : i32}, %arg69: tensor<16x32xf32> {tf.aliasing_output = 69 : i32}, %arg70: tensor<32xf32> {tf.aliasing_output = 70 : i32}, %arg71: tensor<32x64xf32> {tf.aliasing_output = 71 : i32}, %arg72: tensor<64x32xf32> {tf.aliasing_output = 72 : i32}, %arg73: tensor<64x32xf32> {tf.aliasing_output = 73 : i32}, %arg74: tensor<32xf32> {tf.aliasing_output = 74 : i32}, %arg75: tensor<32xf32> {tf.aliasing_output = 75 : i32}, %arg76: tensor<32xf32> {tf.aliasing_output = 76 : i32}, %arg77: tensor<8xf32> {tf.aliasing_output = 77 : i32}, %arg78: tensor<16x32xf32> {tf.aliasing_output = 78 : i32}, %arg79: tensor<32x32xf32> {tf.aliasing_output = 79 : i32}, %arg80: tensor<8xf32> {tf.aliasing_output = 80 : i32}, %arg81: tensor<32x32xf32> {tf.aliasing_output = 81 : i32}, %arg82: tensor<16x32xf32> {tf.aliasing_output = 82 : i32}, %arg83: tensor<32xf32> {tf.aliasing_output = 83 : i32}, %arg84: tensor<f32> {tf.aliasing_output = 84 : i32}, %arg85: tensor<f32>, %arg86: tensor<4xf32>, %arg87: tensor<8x16xi32>, %arg88: tensor<8x16xi32>) -> (tensor<64x32xf32> {jax.result_info = "result[0]['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.0.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.post_attention_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.post_feedforward_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.pre_feedforward_layernorm.weight']"}, tensor<8xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.k_norm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.o_proj.weight']"}, tensor<8xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.q_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.1.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.post_attention_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.post_feedforward_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.pre_feedforward_layernorm.weight']"}, tensor<8xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.k_norm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.o_proj.weight']"}, tensor<8xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.q_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.post_attention_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.post_feedforward_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.pre_feedforward_layernorm.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.k_norm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.o_proj.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.q_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.post_attention_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.post_feedforward_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.pre_feedforward_layernorm.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.k_norm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.o_proj.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.q_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg']['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['model.norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.post_attention_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.post_feedforward_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.pre_feedforward_layernorm.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.k_norm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.o_proj.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.q_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.post_attention_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.post_feedforward_layernorm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.pre_feedforward_layernorm.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.k_norm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.o_proj.weight']"}, tensor<8xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.q_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['model.norm.weight']"}, tensor<f32> {jax.result_info = "result[1]['step']"}, tensor<f32> {jax.result_info = "result[3]['loss']"}) {
    %0 = call @_take(%arg0, %arg87) : (tensor<64x32xf32>, tensor<8x16xi32>) -> tensor<8x16x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %2 = call @_take_0(%arg87) : (tensor<8x16xi32>) -> tensor<8x16x1xi32>
    %3 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %4 = stablehlo.multiply %0, %3 : tensor<8x16x32xf32>
    %5 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %7 = stablehlo.multiply %6, %5 : tensor<16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %9 = stablehlo.add %8, %7 : tensor<16xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %10 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %11 = stablehlo.add %9, %10 : tensor<16xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %13 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %15 = stablehlo.multiply %14, %13 : tensor<16xi32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %17 = stablehlo.add %16, %15 : tensor<16xi32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %18 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %19 = stablehlo.add %17, %18 : tensor<16xi32>
    %20 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_6 = stablehlo.constant dense<1> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %22 = stablehlo.multiply %21, %20 : tensor<16xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %24 = stablehlo.add %23, %22 : tensor<16xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %26 = stablehlo.add %24, %25 : tensor<16xi32>
    %27 = stablehlo.broadcast_in_dim %19, dims = [2] : (tensor<16xi32>) -> tensor<1x1x16x1xi32>
    %c_9 = stablehlo.constant dense<8> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<1x1x16x1xi32>
    %29 = stablehlo.subtract %27, %28 : tensor<1x1x16x1xi32>
    %30 = stablehlo.broadcast_in_dim %26, dims = [3] : (tensor<16xi32>) -> tensor<1x1x1x16xi32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xi32>) -> tensor<1x1x16x16xi32>
    %32 = stablehlo.broadcast_in_dim %29, dims = [0, 1, 2, 3] : (tensor<1x1x16x1xi32>) -> tensor<1x1x16x16xi32>
    %33 = stablehlo.compare GT, %31, %32, SIGNED : (tensor<1x1x16x16xi32>, tensor<1x1x16x16xi32>) -> tensor<1x1x16x16xi1>
    %c_10 = stablehlo.constant dense<true> : tensor<i1>
    %34 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i1>) -> tensor<1x1x16x16xi1>
    %35 = stablehlo.and %34, %33 : tensor<1x1x16x16xi1>
    %36 = stablehlo.broadcast_in_dim %26, dims = [3] : (tensor<16xi32>) -> tensor<1x1x1x16xi32>
    %37 = stablehlo.broadcast_in_dim %19, dims = [2] : (tensor<16xi32>) -> tensor<1x1x16x1xi32>
    %38 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xi32>) -> tensor<1x1x16x16xi32>
    %39 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x1x16x1xi32>) -> tensor<1x1x16x16xi32>
    %40 = stablehlo.compare LE, %38, %39, SIGNED : (tensor<1x1x16x16xi32>, tensor<1x1x16x16xi32>) -> tensor<1x1x16x16xi1>
    %41 = stablehlo.and %35, %40 : tensor<1x1x16x16xi1>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<8x1x16x16xi1>
    %43 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<1x16x1xi32>
    %44 = stablehlo.convert %43 : (tensor<1x16x1xi32>) -> tensor<1x16x1xf32>
    %45 = stablehlo.broadcast_in_dim %arg86, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %46 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x4xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x16x4xf32>
    %48 = stablehlo.multiply %46, %47 : tensor<1x16x4xf32>
    %49 = stablehlo.concatenate %48, %48, dim = 2 : (tensor<1x16x4xf32>, tensor<1x16x4xf32>) -> tensor<1x16x8xf32>
    %50 = stablehlo.cosine %49 : tensor<1x16x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %52 = stablehlo.multiply %50, %51 : tensor<1x16x8xf32>
    %53 = stablehlo.sine %49 : tensor<1x16x8xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<1x16x8xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %57 = stablehlo.power %4, %56 : tensor<8x16x32xf32>
    %cst_13 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %58 = stablehlo.subtract %cst_13, %cst_14 : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %60 = stablehlo.power %4, %59 : tensor<8x16x32xf32>
    %cst_15 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %62 = stablehlo.multiply %61, %60 : tensor<8x16x32xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.reduce(%57 init: %cst_16) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_17 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %66 = stablehlo.divide %64, %65 : tensor<8x16x1xf32>
    %cst_18 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %68 = stablehlo.add %66, %67 : tensor<8x16x1xf32>
    %69 = stablehlo.rsqrt %68 : tensor<8x16x1xf32>
    %70 = stablehlo.divide %69, %68 : tensor<8x16x1xf32>
    %cst_19 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %71 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %72 = stablehlo.multiply %71, %70 : tensor<8x16x1xf32>
    %73 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %74 = stablehlo.multiply %4, %73 : tensor<8x16x32xf32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %76 = stablehlo.add %arg1, %75 : tensor<32xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %79 = stablehlo.multiply %74, %78 : tensor<8x16x32xf32>
    %80 = stablehlo.dot_general %79, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %81 = stablehlo.reshape %80 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %82 = stablehlo.transpose %81, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %83 = stablehlo.dot_general %79, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %84 = stablehlo.reshape %83 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %85 = stablehlo.transpose %84, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %86 = stablehlo.dot_general %79, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %87 = stablehlo.reshape %86 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %88 = stablehlo.transpose %87, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %cst_21 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %90 = stablehlo.power %82, %89 : tensor<8x4x16x8xf32>
    %cst_22 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %91 = stablehlo.subtract %cst_22, %cst_23 : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %93 = stablehlo.power %82, %92 : tensor<8x4x16x8xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %95 = stablehlo.multiply %94, %93 : tensor<8x4x16x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.reduce(%90 init: %cst_25) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x8xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %cst_26 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %99 = stablehlo.divide %97, %98 : tensor<8x4x16x1xf32>
    %cst_27 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %101 = stablehlo.add %99, %100 : tensor<8x4x16x1xf32>
    %102 = stablehlo.rsqrt %101 : tensor<8x4x16x1xf32>
    %103 = stablehlo.divide %102, %101 : tensor<8x4x16x1xf32>
    %cst_28 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<8x4x16x1xf32>
    %106 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x8xf32>
    %107 = stablehlo.multiply %82, %106 : tensor<8x4x16x8xf32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %109 = stablehlo.add %arg11, %108 : tensor<8xf32>
    %110 = stablehlo.broadcast_in_dim %109, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x4x16x8xf32>
    %112 = stablehlo.multiply %107, %111 : tensor<8x4x16x8xf32>
    %cst_30 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %114 = stablehlo.power %85, %113 : tensor<8x2x16x8xf32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_32 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.subtract %cst_31, %cst_32 : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %117 = stablehlo.power %85, %116 : tensor<8x2x16x8xf32>
    %cst_33 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %119 = stablehlo.multiply %118, %117 : tensor<8x2x16x8xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %120 = stablehlo.reduce(%114 init: %cst_34) applies stablehlo.add across dimensions = [3] : (tensor<8x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16xf32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<8x2x16xf32>) -> tensor<8x2x16x1xf32>
    %cst_35 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %122 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %123 = stablehlo.divide %121, %122 : tensor<8x2x16x1xf32>
    %cst_36 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %125 = stablehlo.add %123, %124 : tensor<8x2x16x1xf32>
    %126 = stablehlo.rsqrt %125 : tensor<8x2x16x1xf32>
    %127 = stablehlo.divide %126, %125 : tensor<8x2x16x1xf32>
    %cst_37 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %129 = stablehlo.multiply %128, %127 : tensor<8x2x16x1xf32>
    %130 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2, 3] : (tensor<8x2x16x1xf32>) -> tensor<8x2x16x8xf32>
    %131 = stablehlo.multiply %85, %130 : tensor<8x2x16x8xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %133 = stablehlo.add %arg8, %132 : tensor<8xf32>
    %134 = stablehlo.broadcast_in_dim %133, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x2x16x8xf32>
    %136 = stablehlo.multiply %131, %135 : tensor<8x2x16x8xf32>
    %137 = stablehlo.broadcast_in_dim %52, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %138 = stablehlo.broadcast_in_dim %55, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %139 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %140 = stablehlo.multiply %112, %139 : tensor<8x4x16x8xf32>
    %141 = stablehlo.slice %112 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_39 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %143 = stablehlo.multiply %142, %141 : tensor<8x4x16x4xf32>
    %144 = stablehlo.slice %112 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %145 = stablehlo.concatenate %143, %144, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %146 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %147 = stablehlo.multiply %145, %146 : tensor<8x4x16x8xf32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %149 = stablehlo.multiply %147, %148 : tensor<8x4x16x8xf32>
    %150 = stablehlo.add %140, %149 : tensor<8x4x16x8xf32>
    %151 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %152 = stablehlo.multiply %136, %151 : tensor<8x2x16x8xf32>
    %153 = stablehlo.slice %136 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_41 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %154 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %155 = stablehlo.multiply %154, %153 : tensor<8x2x16x4xf32>
    %156 = stablehlo.slice %136 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %157 = stablehlo.concatenate %155, %156, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %158 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %159 = stablehlo.multiply %157, %158 : tensor<8x2x16x8xf32>
    %cst_42 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %161 = stablehlo.multiply %159, %160 : tensor<8x2x16x8xf32>
    %162 = stablehlo.add %152, %161 : tensor<8x2x16x8xf32>
    %163 = stablehlo.broadcast_in_dim %162, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %164 = stablehlo.broadcast_in_dim %163, dims = [0, 1, 2, 3, 4] : (tensor<8x2x1x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %165 = stablehlo.reshape %164 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %166 = stablehlo.broadcast_in_dim %88, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %167 = stablehlo.broadcast_in_dim %166, dims = [0, 1, 2, 3, 4] : (tensor<8x2x1x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %168 = stablehlo.reshape %167 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %169 = stablehlo.transpose %150, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %170 = stablehlo.transpose %165, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %171 = stablehlo.transpose %168, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %172 = stablehlo.reshape %169 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %173 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 3, 4] : (tensor<8x1x16x16xi1>) -> tensor<8x1x1x16x16xi1>
    %174 = stablehlo.dot_general %172, %170, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_43 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<8x4x16x1x16xf32>
    %c_44 = stablehlo.constant dense<true> : tensor<i1>
    %177 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<i1>) -> tensor<8x4x16x16xi1>
    %178 = stablehlo.broadcast_in_dim %177, dims = [1, 2, 3, 4] : (tensor<8x4x16x16xi1>) -> tensor<1x8x4x16x16xi1>
    %179 = stablehlo.transpose %173, dims = [2, 0, 1, 3, 4] : (tensor<8x1x1x16x16xi1>) -> tensor<1x8x1x16x16xi1>
    %180 = stablehlo.broadcast_in_dim %179, dims = [0, 1, 2, 3, 4] : (tensor<1x8x1x16x16xi1>) -> tensor<1x8x4x16x16xi1>
    %181 = stablehlo.and %178, %180 : tensor<1x8x4x16x16xi1>
    %cst_45 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %182 = call @_where_2(%181, %176, %cst_45) : (tensor<1x8x4x16x16xi1>, tensor<8x4x16x1x16xf32>, tensor<f32>) -> tensor<1x8x4x16x16xf32>
    %cst_46 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %183 = stablehlo.reduce(%182 init: %cst_46) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %185 = stablehlo.maximum %184, %183 : tensor<1x8x4x16xf32>
    %186 = stablehlo.broadcast_in_dim %185, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %188 = stablehlo.subtract %182, %187 : tensor<1x8x4x16x16xf32>
    %189 = stablehlo.exponential %188 : tensor<1x8x4x16x16xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %190 = stablehlo.reduce(%189 init: %cst_48) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %191 = stablehlo.broadcast_in_dim %190, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %192 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %193 = stablehlo.divide %189, %192 : tensor<1x8x4x16x16xf32>
    %194 = stablehlo.multiply %191, %191 : tensor<1x8x4x16x1xf32>
    %cst_49 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %195 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %196 = stablehlo.divide %195, %194 : tensor<1x8x4x16x1xf32>
    %197 = stablehlo.dot_general %171, %193, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %198 = stablehlo.transpose %197, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %199 = stablehlo.transpose %198, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %200 = stablehlo.reshape %199 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %201 = stablehlo.transpose %200, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %202 = stablehlo.transpose %201, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %203 = stablehlo.reshape %202 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %204 = stablehlo.dot_general %203, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_50 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %205 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %206 = stablehlo.power %204, %205 : tensor<8x16x32xf32>
    %cst_51 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %207 = stablehlo.subtract %cst_51, %cst_52 : tensor<f32>
    %208 = stablehlo.broadcast_in_dim %207, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %209 = stablehlo.power %204, %208 : tensor<8x16x32xf32>
    %cst_53 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %210 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %211 = stablehlo.multiply %210, %209 : tensor<8x16x32xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %212 = stablehlo.reduce(%206 init: %cst_54) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %213 = stablehlo.broadcast_in_dim %212, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_55 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %214 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %215 = stablehlo.divide %213, %214 : tensor<8x16x1xf32>
    %cst_56 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %217 = stablehlo.add %215, %216 : tensor<8x16x1xf32>
    %218 = stablehlo.rsqrt %217 : tensor<8x16x1xf32>
    %219 = stablehlo.divide %218, %217 : tensor<8x16x1xf32>
    %cst_57 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %220 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %221 = stablehlo.multiply %220, %219 : tensor<8x16x1xf32>
    %222 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %223 = stablehlo.multiply %204, %222 : tensor<8x16x32xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %225 = stablehlo.add %arg5, %224 : tensor<32xf32>
    %226 = stablehlo.broadcast_in_dim %225, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %227 = stablehlo.broadcast_in_dim %226, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %228 = stablehlo.multiply %223, %227 : tensor<8x16x32xf32>
    %cst_59 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %229 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %230 = stablehlo.multiply %228, %229 : tensor<8x16x32xf32>
    %231 = stablehlo.add %4, %230 : tensor<8x16x32xf32>
    %cst_60 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %232 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %233 = stablehlo.power %231, %232 : tensor<8x16x32xf32>
    %cst_61 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_62 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %234 = stablehlo.subtract %cst_61, %cst_62 : tensor<f32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %236 = stablehlo.power %231, %235 : tensor<8x16x32xf32>
    %cst_63 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %237 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %238 = stablehlo.multiply %237, %236 : tensor<8x16x32xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %239 = stablehlo.reduce(%233 init: %cst_64) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %240 = stablehlo.broadcast_in_dim %239, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_65 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %241 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %242 = stablehlo.divide %240, %241 : tensor<8x16x1xf32>
    %cst_66 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %244 = stablehlo.add %242, %243 : tensor<8x16x1xf32>
    %245 = stablehlo.rsqrt %244 : tensor<8x16x1xf32>
    %246 = stablehlo.divide %245, %244 : tensor<8x16x1xf32>
    %cst_67 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %247 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %248 = stablehlo.multiply %247, %246 : tensor<8x16x1xf32>
    %249 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %250 = stablehlo.multiply %231, %249 : tensor<8x16x32xf32>
    %cst_68 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %252 = stablehlo.add %arg7, %251 : tensor<32xf32>
    %253 = stablehlo.broadcast_in_dim %252, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %255 = stablehlo.multiply %250, %254 : tensor<8x16x32xf32>
    %256 = stablehlo.dot_general %255, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %257 = stablehlo.multiply %256, %256 : tensor<8x16x64xf32>
    %258 = stablehlo.multiply %257, %256 : tensor<8x16x64xf32>
    %259 = stablehlo.multiply %256, %256 : tensor<8x16x64xf32>
    %cst_69 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %261 = stablehlo.multiply %260, %259 : tensor<8x16x64xf32>
    %cst_70 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %263 = stablehlo.multiply %262, %258 : tensor<8x16x64xf32>
    %264 = stablehlo.add %256, %263 : tensor<8x16x64xf32>
    %cst_71 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %265 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %266 = stablehlo.multiply %265, %264 : tensor<8x16x64xf32>
    %267 = stablehlo.tanh %266 : tensor<8x16x64xf32>
    %cst_72 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %269 = stablehlo.subtract %268, %267 : tensor<8x16x64xf32>
    %cst_73 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %270 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %271 = stablehlo.add %270, %267 : tensor<8x16x64xf32>
    %cst_74 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %272 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %273 = stablehlo.multiply %272, %271 : tensor<8x16x64xf32>
    %274 = stablehlo.multiply %256, %273 : tensor<8x16x64xf32>
    %275 = stablehlo.dot_general %255, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %276 = stablehlo.multiply %274, %275 : tensor<8x16x64xf32>
    %277 = stablehlo.dot_general %276, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_75 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %278 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %279 = stablehlo.power %277, %278 : tensor<8x16x32xf32>
    %cst_76 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %280 = stablehlo.subtract %cst_76, %cst_77 : tensor<f32>
    %281 = stablehlo.broadcast_in_dim %280, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %282 = stablehlo.power %277, %281 : tensor<8x16x32xf32>
    %cst_78 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %283 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %284 = stablehlo.multiply %283, %282 : tensor<8x16x32xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %285 = stablehlo.reduce(%279 init: %cst_79) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %286 = stablehlo.broadcast_in_dim %285, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_80 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %287 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %288 = stablehlo.divide %286, %287 : tensor<8x16x1xf32>
    %cst_81 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %289 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %290 = stablehlo.add %288, %289 : tensor<8x16x1xf32>
    %291 = stablehlo.rsqrt %290 : tensor<8x16x1xf32>
    %292 = stablehlo.divide %291, %290 : tensor<8x16x1xf32>
    %cst_82 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %293 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %294 = stablehlo.multiply %293, %292 : tensor<8x16x1xf32>
    %295 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %296 = stablehlo.multiply %277, %295 : tensor<8x16x32xf32>
    %cst_83 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %298 = stablehlo.add %arg6, %297 : tensor<32xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %300 = stablehlo.broadcast_in_dim %299, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %301 = stablehlo.multiply %296, %300 : tensor<8x16x32xf32>
    %cst_84 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %303 = stablehlo.multiply %301, %302 : tensor<8x16x32xf32>
    %304 = stablehlo.add %231, %303 : tensor<8x16x32xf32>
    %cst_85 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %306 = stablehlo.power %304, %305 : tensor<8x16x32xf32>
    %cst_86 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_87 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %307 = stablehlo.subtract %cst_86, %cst_87 : tensor<f32>
    %308 = stablehlo.broadcast_in_dim %307, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %309 = stablehlo.power %304, %308 : tensor<8x16x32xf32>
    %cst_88 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %310 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %311 = stablehlo.multiply %310, %309 : tensor<8x16x32xf32>
    %cst_89 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %312 = stablehlo.reduce(%306 init: %cst_89) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %313 = stablehlo.broadcast_in_dim %312, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_90 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %314 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %315 = stablehlo.divide %313, %314 : tensor<8x16x1xf32>
    %cst_91 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %317 = stablehlo.add %315, %316 : tensor<8x16x1xf32>
    %318 = stablehlo.rsqrt %317 : tensor<8x16x1xf32>
    %319 = stablehlo.divide %318, %317 : tensor<8x16x1xf32>
    %cst_92 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %320 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %321 = stablehlo.multiply %320, %319 : tensor<8x16x1xf32>
    %322 = stablehlo.broadcast_in_dim %318, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %323 = stablehlo.multiply %304, %322 : tensor<8x16x32xf32>
    %cst_93 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %324 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %325 = stablehlo.add %arg14, %324 : tensor<32xf32>
    %326 = stablehlo.broadcast_in_dim %325, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %327 = stablehlo.broadcast_in_dim %326, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %328 = stablehlo.multiply %323, %327 : tensor<8x16x32xf32>
    %329 = stablehlo.dot_general %328, %arg25, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %330 = stablehlo.reshape %329 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %331 = stablehlo.transpose %330, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %332 = stablehlo.dot_general %328, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %333 = stablehlo.reshape %332 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %334 = stablehlo.transpose %333, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %335 = stablehlo.dot_general %328, %arg26, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %336 = stablehlo.reshape %335 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %337 = stablehlo.transpose %336, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %cst_94 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %339 = stablehlo.power %331, %338 : tensor<8x4x16x8xf32>
    %cst_95 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_96 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %340 = stablehlo.subtract %cst_95, %cst_96 : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %340, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %342 = stablehlo.power %331, %341 : tensor<8x4x16x8xf32>
    %cst_97 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %343 = stablehlo.broadcast_in_dim %cst_97, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %344 = stablehlo.multiply %343, %342 : tensor<8x4x16x8xf32>
    %cst_98 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %345 = stablehlo.reduce(%339 init: %cst_98) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x8xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %346 = stablehlo.broadcast_in_dim %345, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %cst_99 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %347 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %348 = stablehlo.divide %346, %347 : tensor<8x4x16x1xf32>
    %cst_100 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %349 = stablehlo.broadcast_in_dim %cst_100, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %350 = stablehlo.add %348, %349 : tensor<8x4x16x1xf32>
    %351 = stablehlo.rsqrt %350 : tensor<8x4x16x1xf32>
    %352 = stablehlo.divide %351, %350 : tensor<8x4x16x1xf32>
    %cst_101 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %353 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %354 = stablehlo.multiply %353, %352 : tensor<8x4x16x1xf32>
    %355 = stablehlo.broadcast_in_dim %351, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x8xf32>
    %356 = stablehlo.multiply %331, %355 : tensor<8x4x16x8xf32>
    %cst_102 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %357 = stablehlo.broadcast_in_dim %cst_102, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %358 = stablehlo.add %arg24, %357 : tensor<8xf32>
    %359 = stablehlo.broadcast_in_dim %358, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %360 = stablehlo.broadcast_in_dim %359, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x4x16x8xf32>
    %361 = stablehlo.multiply %356, %360 : tensor<8x4x16x8xf32>
    %cst_103 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %362 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %363 = stablehlo.power %334, %362 : tensor<8x2x16x8xf32>
    %cst_104 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_105 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %364 = stablehlo.subtract %cst_104, %cst_105 : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %364, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %366 = stablehlo.power %334, %365 : tensor<8x2x16x8xf32>
    %cst_106 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %367 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %368 = stablehlo.multiply %367, %366 : tensor<8x2x16x8xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %369 = stablehlo.reduce(%363 init: %cst_107) applies stablehlo.add across dimensions = [3] : (tensor<8x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16xf32>
    %370 = stablehlo.broadcast_in_dim %369, dims = [0, 1, 2] : (tensor<8x2x16xf32>) -> tensor<8x2x16x1xf32>
    %cst_108 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %371 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %372 = stablehlo.divide %370, %371 : tensor<8x2x16x1xf32>
    %cst_109 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %373 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %374 = stablehlo.add %372, %373 : tensor<8x2x16x1xf32>
    %375 = stablehlo.rsqrt %374 : tensor<8x2x16x1xf32>
    %376 = stablehlo.divide %375, %374 : tensor<8x2x16x1xf32>
    %cst_110 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %378 = stablehlo.multiply %377, %376 : tensor<8x2x16x1xf32>
    %379 = stablehlo.broadcast_in_dim %375, dims = [0, 1, 2, 3] : (tensor<8x2x16x1xf32>) -> tensor<8x2x16x8xf32>
    %380 = stablehlo.multiply %334, %379 : tensor<8x2x16x8xf32>
    %cst_111 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %381 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %382 = stablehlo.add %arg21, %381 : tensor<8xf32>
    %383 = stablehlo.broadcast_in_dim %382, dims = [3] : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %384 = stablehlo.broadcast_in_dim %383, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x2x16x8xf32>
    %385 = stablehlo.multiply %380, %384 : tensor<8x2x16x8xf32>
    %386 = stablehlo.broadcast_in_dim %52, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %387 = stablehlo.broadcast_in_dim %55, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %388 = stablehlo.broadcast_in_dim %386, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %389 = stablehlo.multiply %361, %388 : tensor<8x4x16x8xf32>
    %390 = stablehlo.slice %361 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_112 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %391 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %392 = stablehlo.multiply %391, %390 : tensor<8x4x16x4xf32>
    %393 = stablehlo.slice %361 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %394 = stablehlo.concatenate %392, %393, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %395 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %396 = stablehlo.multiply %394, %395 : tensor<8x4x16x8xf32>
    %cst_113 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %397 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %398 = stablehlo.multiply %396, %397 : tensor<8x4x16x8xf32>
    %399 = stablehlo.add %389, %398 : tensor<8x4x16x8xf32>
    %400 = stablehlo.broadcast_in_dim %386, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %401 = stablehlo.multiply %385, %400 : tensor<8x2x16x8xf32>
    %402 = stablehlo.slice %385 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_114 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %404 = stablehlo.multiply %403, %402 : tensor<8x2x16x4xf32>
    %405 = stablehlo.slice %385 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %406 = stablehlo.concatenate %404, %405, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %407 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %408 = stablehlo.multiply %406, %407 : tensor<8x2x16x8xf32>
    %cst_115 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %410 = stablehlo.multiply %408, %409 : tensor<8x2x16x8xf32>
    %411 = stablehlo.add %401, %410 : tensor<8x2x16x8xf32>
    %412 = stablehlo.broadcast_in_dim %411, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %413 = stablehlo.broadcast_in_dim %412, dims = [0, 1, 2, 3, 4] : (tensor<8x2x1x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %414 = stablehlo.reshape %413 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %415 = stablehlo.broadcast_in_dim %337, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %416 = stablehlo.broadcast_in_dim %415, dims = [0, 1, 2, 3, 4] : (tensor<8x2x1x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %417 = stablehlo.reshape %416 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %418 = stablehlo.transpose %399, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %419 = stablehlo.transpose %414, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %420 = stablehlo.transpose %417, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %421 = stablehlo.reshape %418 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %422 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 3, 4] : (tensor<8x1x16x16xi1>) -> tensor<8x1x1x16x16xi1>
    %423 = stablehlo.dot_general %421, %419, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_116 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %424 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %425 = stablehlo.multiply %423, %424 : tensor<8x4x16x1x16xf32>
    %c_117 = stablehlo.constant dense<true> : tensor<i1>
    %426 = stablehlo.broadcast_in_dim %c_117, dims = [] : (tensor<i1>) -> tensor<8x4x16x16xi1>
    %427 = stablehlo.broadcast_in_dim %426, dims = [1, 2, 3, 4] : (tensor<8x4x16x16xi1>) -> tensor<1x8x4x16x16xi1>
    %428 = stablehlo.transpose %422, dims = [2, 0, 1, 3, 4] : (tensor<8x1x1x16x16xi1>) -> tensor<1x8x1x16x16xi1>
    %429 = stablehlo.broadcast_in_dim %428, dims = [0, 1, 2, 3, 4] : (tensor<1x8x1x16x16xi1>) -> tensor<1x8x4x16x16xi1>
    %430 = stablehlo.and %427, %429 : tensor<1x8x4x16x16xi1>
    %cst_118 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %431 = call @_where_2(%430, %425, %cst_118) : (tensor<1x8x4x16x16xi1>, tensor<8x4x16x1x16xf32>, tensor<f32>) -> tensor<1x8x4x16x16xf32>
    %cst_119 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %432 = stablehlo.reduce(%431 init: %cst_119) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_120 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %433 = stablehlo.broadcast_in_dim %cst_120, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %434 = stablehlo.maximum %433, %432 : tensor<1x8x4x16xf32>
    %435 = stablehlo.broadcast_in_dim %434, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %436 = stablehlo.broadcast_in_dim %435, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %437 = stablehlo.subtract %431, %436 : tensor<1x8x4x16x16xf32>
    %438 = stablehlo.exponential %437 : tensor<1x8x4x16x16xf32>
    %cst_121 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %439 = stablehlo.reduce(%438 init: %cst_121) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %440 = stablehlo.broadcast_in_dim %439, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %441 = stablehlo.broadcast_in_dim %440, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %442 = stablehlo.divide %438, %441 : tensor<1x8x4x16x16xf32>
    %443 = stablehlo.multiply %440, %440 : tensor<1x8x4x16x1xf32>
    %cst_122 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %444 = stablehlo.broadcast_in_dim %cst_122, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %445 = stablehlo.divide %444, %443 : tensor<1x8x4x16x1xf32>
    %446 = stablehlo.dot_general %420, %442, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %447 = stablehlo.transpose %446, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %448 = stablehlo.transpose %447, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %449 = stablehlo.reshape %448 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %450 = stablehlo.transpose %449, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %451 = stablehlo.transpose %450, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %452 = stablehlo.reshape %451 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %453 = stablehlo.dot_general %452, %arg23, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_123 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %454 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %455 = stablehlo.power %453, %454 : tensor<8x16x32xf32>
    %cst_124 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_125 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %456 = stablehlo.subtract %cst_124, %cst_125 : tensor<f32>
    %457 = stablehlo.broadcast_in_dim %456, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %458 = stablehlo.power %453, %457 : tensor<8x16x32xf32>
    %cst_126 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %460 = stablehlo.multiply %459, %458 : tensor<8x16x32xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %461 = stablehlo.reduce(%455 init: %cst_127) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %462 = stablehlo.broadcast_in_dim %461, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_128 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %463 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %464 = stablehlo.divide %462, %463 : tensor<8x16x1xf32>
    %cst_129 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %465 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %466 = stablehlo.add %464, %465 : tensor<8x16x1xf32>
    %467 = stablehlo.rsqrt %466 : tensor<8x16x1xf32>
    %468 = stablehlo.divide %467, %466 : tensor<8x16x1xf32>
    %cst_130 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %469 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %470 = stablehlo.multiply %469, %468 : tensor<8x16x1xf32>
    %471 = stablehlo.broadcast_in_dim %467, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %472 = stablehlo.multiply %453, %471 : tensor<8x16x32xf32>
    %cst_131 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %474 = stablehlo.add %arg18, %473 : tensor<32xf32>
    %475 = stablehlo.broadcast_in_dim %474, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %476 = stablehlo.broadcast_in_dim %475, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %477 = stablehlo.multiply %472, %476 : tensor<8x16x32xf32>
    %cst_132 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %478 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %479 = stablehlo.multiply %477, %478 : tensor<8x16x32xf32>
    %480 = stablehlo.add %304, %479 : tensor<8x16x32xf32>
    %cst_133 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %481 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %482 = stablehlo.power %480, %481 : tensor<8x16x32xf32>
    %cst_134 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_135 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %483 = stablehlo.subtract %cst_134, %cst_135 : tensor<f32>
    %484 = stablehlo.broadcast_in_dim %483, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %485 = stablehlo.power %480, %484 : tensor<8x16x32xf32>
    %cst_136 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_136, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %487 = stablehlo.multiply %486, %485 : tensor<8x16x32xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.reduce(%482 init: %cst_137) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %489 = stablehlo.broadcast_in_dim %488, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_138 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %491 = stablehlo.divide %489, %490 : tensor<8x16x1xf32>
    %cst_139 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %492 = stablehlo.broadcast_in_dim %cst_139, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %493 = stablehlo.add %491, %492 : tensor<8x16x1xf32>
    %494 = stablehlo.rsqrt %493 : tensor<8x16x1xf32>
    %495 = stablehlo.divide %494, %493 : tensor<8x16x1xf32>
    %cst_140 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %496 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %497 = stablehlo.multiply %496, %495 : tensor<8x16x1xf32>
    %498 = stablehlo.broadcast_in_dim %494, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %499 = stablehlo.multiply %480, %498 : tensor<8x16x32xf32>
    %cst_141 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %500 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %501 = stablehlo.add %arg20, %500 : tensor<32xf32>
    %502 = stablehlo.broadcast_in_dim %501, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %503 = stablehlo.broadcast_in_dim %502, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %504 = stablehlo.multiply %499, %503 : tensor<8x16x32xf32>
    %505 = stablehlo.dot_general %504, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %506 = stablehlo.multiply %505, %505 : tensor<8x16x64xf32>
    %507 = stablehlo.multiply %506, %505 : tensor<8x16x64xf32>
    %508 = stablehlo.multiply %505, %505 : tensor<8x16x64xf32>
    %cst_142 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %509 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %510 = stablehlo.multiply %509, %508 : tensor<8x16x64xf32>
    %cst_143 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %511 = stablehlo.broadcast_in_dim %cst_143, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %512 = stablehlo.multiply %511, %507 : tensor<8x16x64xf32>
    %513 = stablehlo.add %505, %512 : tensor<8x16x64xf32>
    %cst_144 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %514 = stablehlo.broadcast_in_dim %cst_144, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %515 = stablehlo.multiply %514, %513 : tensor<8x16x64xf32>
    %516 = stablehlo.tanh %515 : tensor<8x16x64xf32>
    %cst_145 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %517 = stablehlo.broadcast_in_dim %cst_145, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %518 = stablehlo.subtract %517, %516 : tensor<8x16x64xf32>
    %cst_146 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %519 = stablehlo.broadcast_in_dim %cst_146, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %520 = stablehlo.add %519, %516 : tensor<8x16x64xf32>
    %cst_147 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %cst_147, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %522 = stablehlo.multiply %521, %520 : tensor<8x16x64xf32>
    %523 = stablehlo.multiply %505, %522 : tensor<8x16x64xf32>
    %524 = stablehlo.dot_general %504, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %525 = stablehlo.multiply %523, %524 : tensor<8x16x64xf32>
    %526 = stablehlo.dot_general %525, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_148 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %527 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %528 = stablehlo.power %526, %527 : tensor<8x16x32xf32>
    %cst_149 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_150 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %529 = stablehlo.subtract %cst_149, %cst_150 : tensor<f32>
    %530 = stablehlo.broadcast_in_dim %529, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %531 = stablehlo.power %526, %530 : tensor<8x16x32xf32>
    %cst_151 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %532 = stablehlo.broadcast_in_dim %cst_151, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %533 = stablehlo.multiply %532, %531 : tensor<8x16x32xf32>
    %cst_152 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %534 = stablehlo.reduce(%528 init: %cst_152) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %535 = stablehlo.broadcast_in_dim %534, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_153 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %536 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %537 = stablehlo.divide %535, %536 : tensor<8x16x1xf32>
    %cst_154 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %538 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %539 = stablehlo.add %537, %538 : tensor<8x16x1xf32>
    %540 = stablehlo.rsqrt %539 : tensor<8x16x1xf32>
    %541 = stablehlo.divide %540, %539 : tensor<8x16x1xf32>
    %cst_155 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %542 = stablehlo.broadcast_in_dim %cst_155, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %543 = stablehlo.multiply %542, %541 : tensor<8x16x1xf32>
    %544 = stablehlo.broadcast_in_dim %540, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %545 = stablehlo.multiply %526, %544 : tensor<8x16x32xf32>
    %cst_156 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %546 = stablehlo.broadcast_in_dim %cst_156, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %547 = stablehlo.add %arg19, %546 : tensor<32xf32>
    %548 = stablehlo.broadcast_in_dim %547, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %549 = stablehlo.broadcast_in_dim %548, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %550 = stablehlo.multiply %545, %549 : tensor<8x16x32xf32>
    %cst_157 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %551 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %552 = stablehlo.multiply %550, %551 : tensor<8x16x32xf32>
    %553 = stablehlo.add %480, %552 : tensor<8x16x32xf32>
    %cst_158 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %554 = stablehlo.broadcast_in_dim %cst_158, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %555 = stablehlo.power %553, %554 : tensor<8x16x32xf32>
    %cst_159 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_160 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %556 = stablehlo.subtract %cst_159, %cst_160 : tensor<f32>
    %557 = stablehlo.broadcast_in_dim %556, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %558 = stablehlo.power %553, %557 : tensor<8x16x32xf32>
    %cst_161 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %559 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %560 = stablehlo.multiply %559, %558 : tensor<8x16x32xf32>
    %cst_162 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %561 = stablehlo.reduce(%555 init: %cst_162) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %562 = stablehlo.broadcast_in_dim %561, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_163 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %563 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %564 = stablehlo.divide %562, %563 : tensor<8x16x1xf32>
    %cst_164 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %565 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %566 = stablehlo.add %564, %565 : tensor<8x16x1xf32>
    %567 = stablehlo.rsqrt %566 : tensor<8x16x1xf32>
    %568 = stablehlo.divide %567, %566 : tensor<8x16x1xf32>
    %cst_165 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %569 = stablehlo.broadcast_in_dim %cst_165, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %570 = stablehlo.multiply %569, %568 : tensor<8x16x1xf32>
    %571 = stablehlo.broadcast_in_dim %567, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %572 = stablehlo.multiply %553, %571 : tensor<8x16x32xf32>
    %cst_166 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %573 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %574 = stablehlo.add %arg27, %573 : tensor<32xf32>
    %575 = stablehlo.broadcast_in_dim %574, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %576 = stablehlo.broadcast_in_dim %575, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %577 = stablehlo.multiply %572, %576 : tensor<8x16x32xf32>
    %c_167 = stablehlo.constant dense<-100> : tensor<i32>
    %578 = call @_pad(%arg88, %c_167) : (tensor<8x16xi32>, tensor<i32>) -> tensor<8x17xi32>
    %579 = stablehlo.slice %578 [0:8, 1:17] : (tensor<8x17xi32>) -> tensor<8x16xi32>
    %c_168 = stablehlo.constant dense<-100> : tensor<i32>
    %580 = stablehlo.broadcast_in_dim %c_168, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %581 = stablehlo.compare NE, %579, %580, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %582 = stablehlo.convert %581 : (tensor<8x16xi1>) -> tensor<8x16xi32>
    %c_169 = stablehlo.constant dense<0> : tensor<i32>
    %583 = stablehlo.reduce(%582 init: %c_169) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16xi32>, tensor<i32>) -> tensor<i32>
    %584 = stablehlo.convert %583 : (tensor<i32>) -> tensor<f32>
    %585 = stablehlo.reshape %577 : (tensor<8x16x32xf32>) -> tensor<8x4x4x32xf32>
    %586 = stablehlo.transpose %585, dims = [1, 0, 2, 3] : (tensor<8x4x4x32xf32>) -> tensor<4x8x4x32xf32>
    %587 = stablehlo.reshape %579 : (tensor<8x16xi32>) -> tensor<8x4x4xi32>
    %588 = stablehlo.transpose %587, dims = [1, 0, 2] : (tensor<8x4x4xi32>) -> tensor<4x8x4xi32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %589 = stablehlo.broadcast_in_dim %cst_170, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %590 = stablehlo.iota dim = 1 : tensor<32x64xi32>
    %c_171 = stablehlo.constant dense<0> : tensor<i32>
    %591 = call @_where_3(%c_171) : (tensor<i32>) -> tensor<32x64xf32>
    %cst_172 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %592 = stablehlo.broadcast_in_dim %cst_172, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %c_173 = stablehlo.constant dense<0> : tensor<i32>
    %593 = call @_where_4(%c_173) : (tensor<i32>) -> tensor<32xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c_175 = stablehlo.constant dense<0> : tensor<i32>
    %594:11 = stablehlo.while(%iterArg = %586, %iterArg_492 = %588, %iterArg_493 = %590, %iterArg_494 = %arg0, %iterArg_495 = %589, %iterArg_496 = %591, %iterArg_497 = %592, %iterArg_498 = %593, %iterArg_499 = %584, %iterArg_500 = %c_175, %iterArg_501 = %cst_174) : tensor<4x8x4x32xf32>, tensor<4x8x4xi32>, tensor<32x64xi32>, tensor<64x32xf32>, tensor<32x1xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>, tensor<i32>, tensor<f32>
    cond {
      %c_502 = stablehlo.constant dense<4> : tensor<i32>
      %1837 = stablehlo.compare LT, %iterArg_500, %c_502, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1837 : tensor<i1>
    } do {
      %1837 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_500) : (tensor<4x8x4x32xf32>, tensor<i32>) -> tensor<8x4x32xf32>
      %1838 = func.call @dynamic_index_in_dim_5(%iterArg_492, %iterArg_500) : (tensor<4x8x4xi32>, tensor<i32>) -> tensor<8x4xi32>
      %1839 = func.call @closed_call(%iterArg_493, %iterArg_494, %iterArg_495, %iterArg_496, %iterArg_497, %iterArg_498, %iterArg_499, %iterArg_501, %1837, %1838) : (tensor<32x64xi32>, tensor<64x32xf32>, tensor<32x1xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>, tensor<f32>, tensor<8x4x32xf32>, tensor<8x4xi32>) -> tensor<f32>
      %c_502 = stablehlo.constant dense<1> : tensor<i32>
      %1840 = stablehlo.add %iterArg_500, %c_502 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_492, %iterArg_493, %iterArg_494, %iterArg_495, %iterArg_496, %iterArg_497, %iterArg_498, %iterArg_499, %1840, %1839 : tensor<4x8x4x32xf32>, tensor<4x8x4xi32>, tensor<32x64xi32>, tensor<64x32xf32>, tensor<32x1xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<f32>, tensor<i32>, tensor<f32>
    }
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %cst_177 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %596 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<4x8x4x32xf32>
    %c_179 = stablehlo.constant dense<0> : tensor<i32>
    %597:8 = stablehlo.while(%iterArg = %586, %iterArg_492 = %588, %iterArg_493 = %arg0, %iterArg_494 = %584, %iterArg_495 = %c_179, %iterArg_496 = %595, %iterArg_497 = %cst_177, %iterArg_498 = %596) : tensor<4x8x4x32xf32>, tensor<4x8x4xi32>, tensor<64x32xf32>, tensor<f32>, tensor<i32>, tensor<64x32xf32>, tensor<f32>, tensor<4x8x4x32xf32>
    cond {
      %c_499 = stablehlo.constant dense<4> : tensor<i32>
      %1837 = stablehlo.compare LT, %iterArg_495, %c_499, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1837 : tensor<i1>
    } do {
      %c_499 = stablehlo.constant dense<4> : tensor<i32>
      %1837 = stablehlo.subtract %c_499, %iterArg_495 : tensor<i32>
      %c_500 = stablehlo.constant dense<1> : tensor<i32>
      %1838 = stablehlo.subtract %1837, %c_500 : tensor<i32>
      %1839 = func.call @dynamic_index_in_dim(%iterArg, %1838) : (tensor<4x8x4x32xf32>, tensor<i32>) -> tensor<8x4x32xf32>
      %1840 = func.call @dynamic_index_in_dim_5(%iterArg_492, %1838) : (tensor<4x8x4xi32>, tensor<i32>) -> tensor<8x4xi32>
      %1841:3 = func.call @closed_call_8(%iterArg_493, %iterArg_494, %iterArg_496, %iterArg_497, %1839, %1840) : (tensor<64x32xf32>, tensor<f32>, tensor<64x32xf32>, tensor<f32>, tensor<8x4x32xf32>, tensor<8x4xi32>) -> (tensor<64x32xf32>, tensor<f32>, tensor<8x4x32xf32>)
      %1842 = func.call @dynamic_update_index_in_dim(%iterArg_498, %1841#2, %1838) : (tensor<4x8x4x32xf32>, tensor<8x4x32xf32>, tensor<i32>) -> tensor<4x8x4x32xf32>
      %c_501 = stablehlo.constant dense<1> : tensor<i32>
      %1843 = stablehlo.add %iterArg_495, %c_501 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_492, %iterArg_493, %iterArg_494, %1843, %1841#0, %1841#1, %1842 : tensor<4x8x4x32xf32>, tensor<4x8x4xi32>, tensor<64x32xf32>, tensor<f32>, tensor<i32>, tensor<64x32xf32>, tensor<f32>, tensor<4x8x4x32xf32>
    }
    %598 = stablehlo.transpose %597#7, dims = [1, 0, 2, 3] : (tensor<4x8x4x32xf32>) -> tensor<8x4x4x32xf32>
    %599 = stablehlo.reshape %598 : (tensor<8x4x4x32xf32>) -> tensor<8x16x32xf32>
    %600 = stablehlo.multiply %572, %599 : tensor<8x16x32xf32>
    %cst_180 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %601 = stablehlo.reduce(%600 init: %cst_180) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %602 = stablehlo.reshape %601 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %603 = stablehlo.broadcast_in_dim %575, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %604 = stablehlo.multiply %599, %603 : tensor<8x16x32xf32>
    %cst_181 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %605 = stablehlo.reduce(%602 init: %cst_181) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %606 = stablehlo.multiply %553, %604 : tensor<8x16x32xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %607 = stablehlo.reduce(%606 init: %cst_182) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %608 = stablehlo.reshape %607 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %609 = stablehlo.broadcast_in_dim %567, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %610 = stablehlo.multiply %604, %609 : tensor<8x16x32xf32>
    %611 = stablehlo.multiply %608, %570 : tensor<8x16x1xf32>
    %cst_183 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %612 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %613 = stablehlo.divide %611, %612 : tensor<8x16x1xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %614 = stablehlo.reduce(%613 init: %cst_184) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %615 = stablehlo.broadcast_in_dim %614, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %616 = stablehlo.multiply %615, %560 : tensor<8x16x32xf32>
    %617 = stablehlo.add %610, %616 : tensor<8x16x32xf32>
    %cst_185 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %618 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %619 = stablehlo.multiply %617, %618 : tensor<8x16x32xf32>
    %620 = stablehlo.multiply %545, %619 : tensor<8x16x32xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %621 = stablehlo.reduce(%620 init: %cst_186) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %622 = stablehlo.reshape %621 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %623 = stablehlo.broadcast_in_dim %548, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %624 = stablehlo.multiply %619, %623 : tensor<8x16x32xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %625 = stablehlo.reduce(%622 init: %cst_187) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %626 = stablehlo.multiply %526, %624 : tensor<8x16x32xf32>
    %cst_188 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %627 = stablehlo.reduce(%626 init: %cst_188) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %628 = stablehlo.reshape %627 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %629 = stablehlo.broadcast_in_dim %540, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %630 = stablehlo.multiply %624, %629 : tensor<8x16x32xf32>
    %631 = stablehlo.multiply %628, %543 : tensor<8x16x1xf32>
    %cst_189 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %632 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %633 = stablehlo.divide %631, %632 : tensor<8x16x1xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %634 = stablehlo.reduce(%633 init: %cst_190) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %635 = stablehlo.broadcast_in_dim %634, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %636 = stablehlo.multiply %635, %533 : tensor<8x16x32xf32>
    %637 = stablehlo.add %630, %636 : tensor<8x16x32xf32>
    %638 = stablehlo.dot_general %637, %525, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %639 = stablehlo.dot_general %637, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %640 = stablehlo.multiply %523, %639 : tensor<8x16x64xf32>
    %641 = stablehlo.multiply %639, %524 : tensor<8x16x64xf32>
    %642 = stablehlo.dot_general %640, %504, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %643 = stablehlo.dot_general %640, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %644 = stablehlo.multiply %505, %641 : tensor<8x16x64xf32>
    %645 = stablehlo.multiply %641, %522 : tensor<8x16x64xf32>
    %cst_191 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %646 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %647 = stablehlo.multiply %646, %644 : tensor<8x16x64xf32>
    %648 = stablehlo.multiply %647, %518 : tensor<8x16x64xf32>
    %649 = stablehlo.multiply %648, %516 : tensor<8x16x64xf32>
    %650 = stablehlo.add %648, %649 : tensor<8x16x64xf32>
    %cst_192 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %651 = stablehlo.broadcast_in_dim %cst_192, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %652 = stablehlo.multiply %651, %650 : tensor<8x16x64xf32>
    %653 = stablehlo.add %645, %652 : tensor<8x16x64xf32>
    %cst_193 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %654 = stablehlo.broadcast_in_dim %cst_193, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %655 = stablehlo.multiply %654, %652 : tensor<8x16x64xf32>
    %656 = stablehlo.multiply %655, %510 : tensor<8x16x64xf32>
    %657 = stablehlo.add %653, %656 : tensor<8x16x64xf32>
    %658 = stablehlo.dot_general %657, %504, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %659 = stablehlo.dot_general %657, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %660 = stablehlo.add %643, %659 : tensor<8x16x32xf32>
    %661 = stablehlo.multiply %499, %660 : tensor<8x16x32xf32>
    %cst_194 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %662 = stablehlo.reduce(%661 init: %cst_194) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %663 = stablehlo.reshape %662 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %664 = stablehlo.broadcast_in_dim %502, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %665 = stablehlo.multiply %660, %664 : tensor<8x16x32xf32>
    %cst_195 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %666 = stablehlo.reduce(%663 init: %cst_195) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %667 = stablehlo.multiply %480, %665 : tensor<8x16x32xf32>
    %cst_196 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %668 = stablehlo.reduce(%667 init: %cst_196) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %669 = stablehlo.reshape %668 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %670 = stablehlo.broadcast_in_dim %494, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %671 = stablehlo.multiply %665, %670 : tensor<8x16x32xf32>
    %672 = stablehlo.add %617, %671 : tensor<8x16x32xf32>
    %673 = stablehlo.multiply %669, %497 : tensor<8x16x1xf32>
    %cst_197 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %674 = stablehlo.broadcast_in_dim %cst_197, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %675 = stablehlo.divide %673, %674 : tensor<8x16x1xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %676 = stablehlo.reduce(%675 init: %cst_198) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %677 = stablehlo.broadcast_in_dim %676, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %678 = stablehlo.multiply %677, %487 : tensor<8x16x32xf32>
    %679 = stablehlo.add %672, %678 : tensor<8x16x32xf32>
    %cst_199 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %680 = stablehlo.broadcast_in_dim %cst_199, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %681 = stablehlo.multiply %679, %680 : tensor<8x16x32xf32>
    %682 = stablehlo.multiply %472, %681 : tensor<8x16x32xf32>
    %cst_200 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %683 = stablehlo.reduce(%682 init: %cst_200) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %684 = stablehlo.reshape %683 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %685 = stablehlo.broadcast_in_dim %475, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %686 = stablehlo.multiply %681, %685 : tensor<8x16x32xf32>
    %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %687 = stablehlo.reduce(%684 init: %cst_201) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %688 = stablehlo.multiply %453, %686 : tensor<8x16x32xf32>
    %cst_202 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %689 = stablehlo.reduce(%688 init: %cst_202) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %690 = stablehlo.reshape %689 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %691 = stablehlo.broadcast_in_dim %467, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %692 = stablehlo.multiply %686, %691 : tensor<8x16x32xf32>
    %693 = stablehlo.multiply %690, %470 : tensor<8x16x1xf32>
    %cst_203 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %694 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %695 = stablehlo.divide %693, %694 : tensor<8x16x1xf32>
    %cst_204 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %696 = stablehlo.reduce(%695 init: %cst_204) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %697 = stablehlo.broadcast_in_dim %696, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %698 = stablehlo.multiply %697, %460 : tensor<8x16x32xf32>
    %699 = stablehlo.add %692, %698 : tensor<8x16x32xf32>
    %700 = stablehlo.dot_general %699, %452, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %701 = stablehlo.dot_general %699, %arg23, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %702 = stablehlo.reshape %701 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %703 = stablehlo.transpose %702, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %704 = stablehlo.transpose %703, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %705 = stablehlo.reshape %704 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %706 = stablehlo.transpose %705, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %707 = stablehlo.transpose %706, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %708 = stablehlo.dot_general %707, %420, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %709 = stablehlo.transpose %708, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %710 = stablehlo.dot_general %707, %442, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %711 = stablehlo.transpose %710, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %712 = stablehlo.broadcast_in_dim %445, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %713 = stablehlo.multiply %709, %712 : tensor<1x8x4x16x16xf32>
    %714 = stablehlo.multiply %713, %438 : tensor<1x8x4x16x16xf32>
    %cst_205 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %715 = stablehlo.reduce(%714 init: %cst_205) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %716 = stablehlo.reshape %715 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %717 = stablehlo.negate %716 : tensor<1x8x4x16x1xf32>
    %718 = stablehlo.broadcast_in_dim %440, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %719 = stablehlo.divide %709, %718 : tensor<1x8x4x16x16xf32>
    %cst_206 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %720 = stablehlo.reduce(%717 init: %cst_206) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %721 = stablehlo.broadcast_in_dim %720, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %722 = stablehlo.broadcast_in_dim %721, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %723 = stablehlo.add %719, %722 : tensor<1x8x4x16x16xf32>
    %724 = stablehlo.multiply %723, %438 : tensor<1x8x4x16x16xf32>
    %725 = call @_where_11(%430, %724) : (tensor<1x8x4x16x16xi1>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_207 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %726 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %727 = stablehlo.multiply %725, %726 : tensor<8x4x16x1x16xf32>
    %728 = stablehlo.dot_general %727, %421, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %729 = stablehlo.transpose %728, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %730 = stablehlo.dot_general %727, %419, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %731 = stablehlo.transpose %730, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %732 = stablehlo.reshape %731 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %733 = stablehlo.transpose %711, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %734 = stablehlo.transpose %729, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %735 = stablehlo.transpose %732, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %736 = stablehlo.reshape %733 : (tensor<8x4x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %cst_208 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %737 = stablehlo.reduce(%736 init: %cst_208) applies stablehlo.add across dimensions = [2] : (tensor<8x2x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %738 = stablehlo.broadcast_in_dim %737, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %739 = stablehlo.reduce(%738 init: %cst_209) applies stablehlo.add across dimensions = [2] : (tensor<8x2x1x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %740 = stablehlo.reshape %734 : (tensor<8x4x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %cst_210 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %741 = stablehlo.reduce(%740 init: %cst_210) applies stablehlo.add across dimensions = [2] : (tensor<8x2x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %742 = stablehlo.broadcast_in_dim %741, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %cst_211 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %743 = stablehlo.reduce(%742 init: %cst_211) applies stablehlo.add across dimensions = [2] : (tensor<8x2x1x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %cst_212 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %744 = stablehlo.broadcast_in_dim %cst_212, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %745 = stablehlo.multiply %743, %744 : tensor<8x2x16x8xf32>
    %746 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %747 = stablehlo.multiply %745, %746 : tensor<8x2x16x8xf32>
    %748 = stablehlo.slice %747 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %749 = stablehlo.slice %747 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %750 = stablehlo.pad %749, %cst_213, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %cst_214 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %751 = stablehlo.broadcast_in_dim %cst_214, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %752 = stablehlo.multiply %751, %748 : tensor<8x2x16x4xf32>
    %cst_215 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %753 = stablehlo.pad %752, %cst_215, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %754 = stablehlo.add %750, %753 : tensor<8x2x16x8xf32>
    %755 = stablehlo.broadcast_in_dim %386, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %756 = stablehlo.multiply %743, %755 : tensor<8x2x16x8xf32>
    %757 = stablehlo.add %754, %756 : tensor<8x2x16x8xf32>
    %cst_216 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %758 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %759 = stablehlo.multiply %735, %758 : tensor<8x4x16x8xf32>
    %760 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %761 = stablehlo.multiply %759, %760 : tensor<8x4x16x8xf32>
    %762 = stablehlo.slice %761 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %763 = stablehlo.slice %761 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_217 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %764 = stablehlo.pad %763, %cst_217, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %cst_218 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %765 = stablehlo.broadcast_in_dim %cst_218, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %766 = stablehlo.multiply %765, %762 : tensor<8x4x16x4xf32>
    %cst_219 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %767 = stablehlo.pad %766, %cst_219, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %768 = stablehlo.add %764, %767 : tensor<8x4x16x8xf32>
    %769 = stablehlo.broadcast_in_dim %386, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %770 = stablehlo.multiply %735, %769 : tensor<8x4x16x8xf32>
    %771 = stablehlo.add %768, %770 : tensor<8x4x16x8xf32>
    %772 = stablehlo.multiply %380, %757 : tensor<8x2x16x8xf32>
    %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %773 = stablehlo.reduce(%772 init: %cst_220) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x16x8xf32>, tensor<f32>) -> tensor<8xf32>
    %774 = stablehlo.reshape %773 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %775 = stablehlo.broadcast_in_dim %383, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x2x16x8xf32>
    %776 = stablehlo.multiply %757, %775 : tensor<8x2x16x8xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %777 = stablehlo.reduce(%774 init: %cst_221) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %778 = stablehlo.multiply %334, %776 : tensor<8x2x16x8xf32>
    %cst_222 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %779 = stablehlo.reduce(%778 init: %cst_222) applies stablehlo.add across dimensions = [3] : (tensor<8x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16xf32>
    %780 = stablehlo.reshape %779 : (tensor<8x2x16xf32>) -> tensor<8x2x16x1xf32>
    %781 = stablehlo.broadcast_in_dim %375, dims = [0, 1, 2, 3] : (tensor<8x2x16x1xf32>) -> tensor<8x2x16x8xf32>
    %782 = stablehlo.multiply %776, %781 : tensor<8x2x16x8xf32>
    %783 = stablehlo.multiply %780, %378 : tensor<8x2x16x1xf32>
    %cst_223 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %cst_223, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %785 = stablehlo.divide %783, %784 : tensor<8x2x16x1xf32>
    %cst_224 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %786 = stablehlo.reduce(%785 init: %cst_224) applies stablehlo.add across dimensions = [3] : (tensor<8x2x16x1xf32>, tensor<f32>) -> tensor<8x2x16xf32>
    %787 = stablehlo.broadcast_in_dim %786, dims = [0, 1, 2] : (tensor<8x2x16xf32>) -> tensor<8x2x16x8xf32>
    %788 = stablehlo.multiply %787, %368 : tensor<8x2x16x8xf32>
    %789 = stablehlo.add %782, %788 : tensor<8x2x16x8xf32>
    %790 = stablehlo.multiply %356, %771 : tensor<8x4x16x8xf32>
    %cst_225 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %791 = stablehlo.reduce(%790 init: %cst_225) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x4x16x8xf32>, tensor<f32>) -> tensor<8xf32>
    %792 = stablehlo.reshape %791 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %793 = stablehlo.broadcast_in_dim %359, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x4x16x8xf32>
    %794 = stablehlo.multiply %771, %793 : tensor<8x4x16x8xf32>
    %cst_226 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %795 = stablehlo.reduce(%792 init: %cst_226) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %796 = stablehlo.multiply %331, %794 : tensor<8x4x16x8xf32>
    %cst_227 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %797 = stablehlo.reduce(%796 init: %cst_227) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x8xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %798 = stablehlo.reshape %797 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %799 = stablehlo.broadcast_in_dim %351, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x8xf32>
    %800 = stablehlo.multiply %794, %799 : tensor<8x4x16x8xf32>
    %801 = stablehlo.multiply %798, %354 : tensor<8x4x16x1xf32>
    %cst_228 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %802 = stablehlo.broadcast_in_dim %cst_228, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %803 = stablehlo.divide %801, %802 : tensor<8x4x16x1xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %804 = stablehlo.reduce(%803 init: %cst_229) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %805 = stablehlo.broadcast_in_dim %804, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x8xf32>
    %806 = stablehlo.multiply %805, %344 : tensor<8x4x16x8xf32>
    %807 = stablehlo.add %800, %806 : tensor<8x4x16x8xf32>
    %808 = stablehlo.transpose %739, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %809 = stablehlo.reshape %808 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %810 = stablehlo.dot_general %809, %328, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %811 = stablehlo.dot_general %809, %arg26, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %812 = stablehlo.transpose %789, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %813 = stablehlo.reshape %812 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %814 = stablehlo.dot_general %813, %328, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %815 = stablehlo.dot_general %813, %arg22, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %816 = stablehlo.add %811, %815 : tensor<8x16x32xf32>
    %817 = stablehlo.transpose %807, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %818 = stablehlo.reshape %817 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %819 = stablehlo.dot_general %818, %328, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %820 = stablehlo.dot_general %818, %arg25, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %821 = stablehlo.add %816, %820 : tensor<8x16x32xf32>
    %822 = stablehlo.multiply %323, %821 : tensor<8x16x32xf32>
    %cst_230 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %823 = stablehlo.reduce(%822 init: %cst_230) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %824 = stablehlo.reshape %823 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %825 = stablehlo.broadcast_in_dim %326, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %826 = stablehlo.multiply %821, %825 : tensor<8x16x32xf32>
    %cst_231 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %827 = stablehlo.reduce(%824 init: %cst_231) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %828 = stablehlo.multiply %304, %826 : tensor<8x16x32xf32>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %829 = stablehlo.reduce(%828 init: %cst_232) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %830 = stablehlo.reshape %829 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %831 = stablehlo.broadcast_in_dim %318, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %832 = stablehlo.multiply %826, %831 : tensor<8x16x32xf32>
    %833 = stablehlo.add %679, %832 : tensor<8x16x32xf32>
    %834 = stablehlo.multiply %830, %321 : tensor<8x16x1xf32>
    %cst_233 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %835 = stablehlo.broadcast_in_dim %cst_233, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %836 = stablehlo.divide %834, %835 : tensor<8x16x1xf32>
    %cst_234 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %837 = stablehlo.reduce(%836 init: %cst_234) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %838 = stablehlo.broadcast_in_dim %837, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %839 = stablehlo.multiply %838, %311 : tensor<8x16x32xf32>
    %840 = stablehlo.add %833, %839 : tensor<8x16x32xf32>
    %cst_235 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %841 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %842 = stablehlo.multiply %840, %841 : tensor<8x16x32xf32>
    %843 = stablehlo.multiply %296, %842 : tensor<8x16x32xf32>
    %cst_236 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %844 = stablehlo.reduce(%843 init: %cst_236) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %845 = stablehlo.reshape %844 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %846 = stablehlo.broadcast_in_dim %299, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %847 = stablehlo.multiply %842, %846 : tensor<8x16x32xf32>
    %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %848 = stablehlo.reduce(%845 init: %cst_237) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %849 = stablehlo.multiply %277, %847 : tensor<8x16x32xf32>
    %cst_238 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %850 = stablehlo.reduce(%849 init: %cst_238) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %851 = stablehlo.reshape %850 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %852 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %853 = stablehlo.multiply %847, %852 : tensor<8x16x32xf32>
    %854 = stablehlo.multiply %851, %294 : tensor<8x16x1xf32>
    %cst_239 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %855 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %856 = stablehlo.divide %854, %855 : tensor<8x16x1xf32>
    %cst_240 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %857 = stablehlo.reduce(%856 init: %cst_240) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %858 = stablehlo.broadcast_in_dim %857, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %859 = stablehlo.multiply %858, %284 : tensor<8x16x32xf32>
    %860 = stablehlo.add %853, %859 : tensor<8x16x32xf32>
    %861 = stablehlo.dot_general %860, %276, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %862 = stablehlo.dot_general %860, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %863 = stablehlo.multiply %274, %862 : tensor<8x16x64xf32>
    %864 = stablehlo.multiply %862, %275 : tensor<8x16x64xf32>
    %865 = stablehlo.dot_general %863, %255, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %866 = stablehlo.dot_general %863, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %867 = stablehlo.multiply %256, %864 : tensor<8x16x64xf32>
    %868 = stablehlo.multiply %864, %273 : tensor<8x16x64xf32>
    %cst_241 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %869 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %870 = stablehlo.multiply %869, %867 : tensor<8x16x64xf32>
    %871 = stablehlo.multiply %870, %269 : tensor<8x16x64xf32>
    %872 = stablehlo.multiply %871, %267 : tensor<8x16x64xf32>
    %873 = stablehlo.add %871, %872 : tensor<8x16x64xf32>
    %cst_242 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %874 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %875 = stablehlo.multiply %874, %873 : tensor<8x16x64xf32>
    %876 = stablehlo.add %868, %875 : tensor<8x16x64xf32>
    %cst_243 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %877 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %878 = stablehlo.multiply %877, %875 : tensor<8x16x64xf32>
    %879 = stablehlo.multiply %878, %261 : tensor<8x16x64xf32>
    %880 = stablehlo.add %876, %879 : tensor<8x16x64xf32>
    %881 = stablehlo.dot_general %880, %255, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %882 = stablehlo.dot_general %880, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %883 = stablehlo.add %866, %882 : tensor<8x16x32xf32>
    %884 = stablehlo.multiply %250, %883 : tensor<8x16x32xf32>
    %cst_244 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %885 = stablehlo.reduce(%884 init: %cst_244) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %886 = stablehlo.reshape %885 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %887 = stablehlo.broadcast_in_dim %253, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %888 = stablehlo.multiply %883, %887 : tensor<8x16x32xf32>
    %cst_245 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %889 = stablehlo.reduce(%886 init: %cst_245) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %890 = stablehlo.multiply %231, %888 : tensor<8x16x32xf32>
    %cst_246 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %891 = stablehlo.reduce(%890 init: %cst_246) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %892 = stablehlo.reshape %891 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %893 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %894 = stablehlo.multiply %888, %893 : tensor<8x16x32xf32>
    %895 = stablehlo.add %840, %894 : tensor<8x16x32xf32>
    %896 = stablehlo.multiply %892, %248 : tensor<8x16x1xf32>
    %cst_247 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %897 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %898 = stablehlo.divide %896, %897 : tensor<8x16x1xf32>
    %cst_248 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %899 = stablehlo.reduce(%898 init: %cst_248) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %900 = stablehlo.broadcast_in_dim %899, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %901 = stablehlo.multiply %900, %238 : tensor<8x16x32xf32>
    %902 = stablehlo.add %895, %901 : tensor<8x16x32xf32>
    %cst_249 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %903 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %904 = stablehlo.multiply %902, %903 : tensor<8x16x32xf32>
    %905 = stablehlo.multiply %223, %904 : tensor<8x16x32xf32>
    %cst_250 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %906 = stablehlo.reduce(%905 init: %cst_250) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %907 = stablehlo.reshape %906 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %908 = stablehlo.broadcast_in_dim %226, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %909 = stablehlo.multiply %904, %908 : tensor<8x16x32xf32>
    %cst_251 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %910 = stablehlo.reduce(%907 init: %cst_251) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %911 = stablehlo.multiply %204, %909 : tensor<8x16x32xf32>
    %cst_252 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %912 = stablehlo.reduce(%911 init: %cst_252) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %913 = stablehlo.reshape %912 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %914 = stablehlo.broadcast_in_dim %218, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %915 = stablehlo.multiply %909, %914 : tensor<8x16x32xf32>
    %916 = stablehlo.multiply %913, %221 : tensor<8x16x1xf32>
    %cst_253 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %917 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %918 = stablehlo.divide %916, %917 : tensor<8x16x1xf32>
    %cst_254 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %919 = stablehlo.reduce(%918 init: %cst_254) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %920 = stablehlo.broadcast_in_dim %919, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %921 = stablehlo.multiply %920, %211 : tensor<8x16x32xf32>
    %922 = stablehlo.add %915, %921 : tensor<8x16x32xf32>
    %923 = stablehlo.dot_general %922, %203, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %924 = stablehlo.dot_general %922, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %925 = stablehlo.reshape %924 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %926 = stablehlo.transpose %925, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %927 = stablehlo.transpose %926, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %928 = stablehlo.reshape %927 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %929 = stablehlo.transpose %928, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %930 = stablehlo.transpose %929, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %931 = stablehlo.dot_general %930, %171, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %932 = stablehlo.transpose %931, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %933 = stablehlo.dot_general %930, %193, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %934 = stablehlo.transpose %933, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %935 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %936 = stablehlo.multiply %932, %935 : tensor<1x8x4x16x16xf32>
    %937 = stablehlo.multiply %936, %189 : tensor<1x8x4x16x16xf32>
    %cst_255 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %938 = stablehlo.reduce(%937 init: %cst_255) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %939 = stablehlo.reshape %938 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %940 = stablehlo.negate %939 : tensor<1x8x4x16x1xf32>
    %941 = stablehlo.broadcast_in_dim %191, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %942 = stablehlo.divide %932, %941 : tensor<1x8x4x16x16xf32>
    %cst_256 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %943 = stablehlo.reduce(%940 init: %cst_256) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %944 = stablehlo.broadcast_in_dim %943, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %945 = stablehlo.broadcast_in_dim %944, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %946 = stablehlo.add %942, %945 : tensor<1x8x4x16x16xf32>
    %947 = stablehlo.multiply %946, %189 : tensor<1x8x4x16x16xf32>
    %948 = call @_where_11(%181, %947) : (tensor<1x8x4x16x16xi1>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_257 = stablehlo.constant dense<6.250000e-02> : tensor<f32>
    %949 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %950 = stablehlo.multiply %948, %949 : tensor<8x4x16x1x16xf32>
    %951 = stablehlo.dot_general %950, %172, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %952 = stablehlo.transpose %951, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %953 = stablehlo.dot_general %950, %170, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %954 = stablehlo.transpose %953, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %955 = stablehlo.reshape %954 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %956 = stablehlo.transpose %934, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %957 = stablehlo.transpose %952, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %958 = stablehlo.transpose %955, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %959 = stablehlo.reshape %956 : (tensor<8x4x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %cst_258 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %960 = stablehlo.reduce(%959 init: %cst_258) applies stablehlo.add across dimensions = [2] : (tensor<8x2x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %961 = stablehlo.broadcast_in_dim %960, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %cst_259 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %962 = stablehlo.reduce(%961 init: %cst_259) applies stablehlo.add across dimensions = [2] : (tensor<8x2x1x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %963 = stablehlo.reshape %957 : (tensor<8x4x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %cst_260 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %964 = stablehlo.reduce(%963 init: %cst_260) applies stablehlo.add across dimensions = [2] : (tensor<8x2x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %965 = stablehlo.broadcast_in_dim %964, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x1x16x8xf32>
    %cst_261 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %966 = stablehlo.reduce(%965 init: %cst_261) applies stablehlo.add across dimensions = [2] : (tensor<8x2x1x16x8xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %cst_262 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %967 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %968 = stablehlo.multiply %966, %967 : tensor<8x2x16x8xf32>
    %969 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %970 = stablehlo.multiply %968, %969 : tensor<8x2x16x8xf32>
    %971 = stablehlo.slice %970 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %972 = stablehlo.slice %970 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_263 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %973 = stablehlo.pad %972, %cst_263, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %cst_264 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %974 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %975 = stablehlo.multiply %974, %971 : tensor<8x2x16x4xf32>
    %cst_265 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %976 = stablehlo.pad %975, %cst_265, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x2x16x4xf32>, tensor<f32>) -> tensor<8x2x16x8xf32>
    %977 = stablehlo.add %973, %976 : tensor<8x2x16x8xf32>
    %978 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %979 = stablehlo.multiply %966, %978 : tensor<8x2x16x8xf32>
    %980 = stablehlo.add %977, %979 : tensor<8x2x16x8xf32>
    %cst_266 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %981 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %982 = stablehlo.multiply %958, %981 : tensor<8x4x16x8xf32>
    %983 = stablehlo.broadcast_in_dim %138, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %984 = stablehlo.multiply %982, %983 : tensor<8x4x16x8xf32>
    %985 = stablehlo.slice %984 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %986 = stablehlo.slice %984 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_267 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %987 = stablehlo.pad %986, %cst_267, low = [0, 0, 0, 0], high = [0, 0, 0, 4], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %cst_268 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %988 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %989 = stablehlo.multiply %988, %985 : tensor<8x4x16x4xf32>
    %cst_269 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %990 = stablehlo.pad %989, %cst_269, low = [0, 0, 0, 4], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<8x4x16x4xf32>, tensor<f32>) -> tensor<8x4x16x8xf32>
    %991 = stablehlo.add %987, %990 : tensor<8x4x16x8xf32>
    %992 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %993 = stablehlo.multiply %958, %992 : tensor<8x4x16x8xf32>
    %994 = stablehlo.add %991, %993 : tensor<8x4x16x8xf32>
    %995 = stablehlo.multiply %131, %980 : tensor<8x2x16x8xf32>
    %cst_270 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %996 = stablehlo.reduce(%995 init: %cst_270) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x2x16x8xf32>, tensor<f32>) -> tensor<8xf32>
    %997 = stablehlo.reshape %996 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %998 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x2x16x8xf32>
    %999 = stablehlo.multiply %980, %998 : tensor<8x2x16x8xf32>
    %cst_271 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1000 = stablehlo.reduce(%997 init: %cst_271) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %1001 = stablehlo.multiply %85, %999 : tensor<8x2x16x8xf32>
    %cst_272 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1002 = stablehlo.reduce(%1001 init: %cst_272) applies stablehlo.add across dimensions = [3] : (tensor<8x2x16x8xf32>, tensor<f32>) -> tensor<8x2x16xf32>
    %1003 = stablehlo.reshape %1002 : (tensor<8x2x16xf32>) -> tensor<8x2x16x1xf32>
    %1004 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2, 3] : (tensor<8x2x16x1xf32>) -> tensor<8x2x16x8xf32>
    %1005 = stablehlo.multiply %999, %1004 : tensor<8x2x16x8xf32>
    %1006 = stablehlo.multiply %1003, %129 : tensor<8x2x16x1xf32>
    %cst_273 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1007 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<8x2x16x1xf32>
    %1008 = stablehlo.divide %1006, %1007 : tensor<8x2x16x1xf32>
    %cst_274 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1009 = stablehlo.reduce(%1008 init: %cst_274) applies stablehlo.add across dimensions = [3] : (tensor<8x2x16x1xf32>, tensor<f32>) -> tensor<8x2x16xf32>
    %1010 = stablehlo.broadcast_in_dim %1009, dims = [0, 1, 2] : (tensor<8x2x16xf32>) -> tensor<8x2x16x8xf32>
    %1011 = stablehlo.multiply %1010, %119 : tensor<8x2x16x8xf32>
    %1012 = stablehlo.add %1005, %1011 : tensor<8x2x16x8xf32>
    %1013 = stablehlo.multiply %107, %994 : tensor<8x4x16x8xf32>
    %cst_275 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1014 = stablehlo.reduce(%1013 init: %cst_275) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<8x4x16x8xf32>, tensor<f32>) -> tensor<8xf32>
    %1015 = stablehlo.reshape %1014 : (tensor<8xf32>) -> tensor<1x1x1x8xf32>
    %1016 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<1x1x1x8xf32>) -> tensor<8x4x16x8xf32>
    %1017 = stablehlo.multiply %994, %1016 : tensor<8x4x16x8xf32>
    %cst_276 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1018 = stablehlo.reduce(%1015 init: %cst_276) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<1x1x1x8xf32>, tensor<f32>) -> tensor<8xf32>
    %1019 = stablehlo.multiply %82, %1017 : tensor<8x4x16x8xf32>
    %cst_277 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1020 = stablehlo.reduce(%1019 init: %cst_277) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x8xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %1021 = stablehlo.reshape %1020 : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %1022 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x8xf32>
    %1023 = stablehlo.multiply %1017, %1022 : tensor<8x4x16x8xf32>
    %1024 = stablehlo.multiply %1021, %105 : tensor<8x4x16x1xf32>
    %cst_278 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %1025 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<8x4x16x1xf32>
    %1026 = stablehlo.divide %1024, %1025 : tensor<8x4x16x1xf32>
    %cst_279 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1027 = stablehlo.reduce(%1026 init: %cst_279) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %1028 = stablehlo.broadcast_in_dim %1027, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x8xf32>
    %1029 = stablehlo.multiply %1028, %95 : tensor<8x4x16x8xf32>
    %1030 = stablehlo.add %1023, %1029 : tensor<8x4x16x8xf32>
    %1031 = stablehlo.transpose %962, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %1032 = stablehlo.reshape %1031 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %1033 = stablehlo.dot_general %1032, %79, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %1034 = stablehlo.dot_general %1032, %arg13, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %1035 = stablehlo.transpose %1012, dims = [0, 2, 1, 3] : (tensor<8x2x16x8xf32>) -> tensor<8x16x2x8xf32>
    %1036 = stablehlo.reshape %1035 : (tensor<8x16x2x8xf32>) -> tensor<8x16x16xf32>
    %1037 = stablehlo.dot_general %1036, %79, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<8x16x32xf32>) -> tensor<16x32xf32>
    %1038 = stablehlo.dot_general %1036, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x16xf32>, tensor<16x32xf32>) -> tensor<8x16x32xf32>
    %1039 = stablehlo.add %1034, %1038 : tensor<8x16x32xf32>
    %1040 = stablehlo.transpose %1030, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1041 = stablehlo.reshape %1040 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1042 = stablehlo.dot_general %1041, %79, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1043 = stablehlo.dot_general %1041, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1044 = stablehlo.add %1039, %1043 : tensor<8x16x32xf32>
    %1045 = stablehlo.multiply %74, %1044 : tensor<8x16x32xf32>
    %cst_280 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1046 = stablehlo.reduce(%1045 init: %cst_280) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1047 = stablehlo.reshape %1046 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %1048 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1049 = stablehlo.multiply %1044, %1048 : tensor<8x16x32xf32>
    %cst_281 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1050 = stablehlo.reduce(%1047 init: %cst_281) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1051 = stablehlo.multiply %4, %1049 : tensor<8x16x32xf32>
    %cst_282 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1052 = stablehlo.reduce(%1051 init: %cst_282) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1053 = stablehlo.reshape %1052 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1054 = stablehlo.broadcast_in_dim %69, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1055 = stablehlo.multiply %1049, %1054 : tensor<8x16x32xf32>
    %1056 = stablehlo.add %902, %1055 : tensor<8x16x32xf32>
    %1057 = stablehlo.multiply %1053, %72 : tensor<8x16x1xf32>
    %cst_283 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1058 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1059 = stablehlo.divide %1057, %1058 : tensor<8x16x1xf32>
    %cst_284 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1060 = stablehlo.reduce(%1059 init: %cst_284) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1061 = stablehlo.broadcast_in_dim %1060, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1062 = stablehlo.multiply %1061, %62 : tensor<8x16x32xf32>
    %1063 = stablehlo.add %1056, %1062 : tensor<8x16x32xf32>
    %1064 = stablehlo.broadcast_in_dim %arg85, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %1065 = stablehlo.multiply %1063, %1064 : tensor<8x16x32xf32>
    %1066 = call @_take_12(%2, %1065) : (tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %cst_285 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1067 = stablehlo.broadcast_in_dim %cst_285, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1068 = "stablehlo.scatter"(%1066, %1, %1067) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg89: tensor<f32>, %arg90: tensor<f32>):
      stablehlo.return %arg90 : tensor<f32>
    }) : (tensor<64x32xf32>, tensor<1xi32>, tensor<32xf32>) -> tensor<64x32xf32>
    %1069 = stablehlo.add %597#5, %1068 : tensor<64x32xf32>
    %1070 = chlo.square %1069 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_286 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1071 = stablehlo.reduce(%1070 init: %cst_286) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_287 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1072 = stablehlo.add %cst_287, %1071 : tensor<f32>
    %1073 = chlo.square %1050 : tensor<32xf32> -> tensor<32xf32>
    %cst_288 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1074 = stablehlo.reduce(%1073 init: %cst_288) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1075 = stablehlo.add %1072, %1074 : tensor<f32>
    %1076 = chlo.square %861 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_289 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1077 = stablehlo.reduce(%1076 init: %cst_289) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %1078 = stablehlo.add %1075, %1077 : tensor<f32>
    %1079 = chlo.square %881 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_290 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1080 = stablehlo.reduce(%1079 init: %cst_290) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1081 = stablehlo.add %1078, %1080 : tensor<f32>
    %1082 = chlo.square %865 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_291 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1083 = stablehlo.reduce(%1082 init: %cst_291) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1084 = stablehlo.add %1081, %1083 : tensor<f32>
    %1085 = chlo.square %910 : tensor<32xf32> -> tensor<32xf32>
    %cst_292 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1086 = stablehlo.reduce(%1085 init: %cst_292) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1087 = stablehlo.add %1084, %1086 : tensor<f32>
    %1088 = chlo.square %848 : tensor<32xf32> -> tensor<32xf32>
    %cst_293 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1089 = stablehlo.reduce(%1088 init: %cst_293) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1090 = stablehlo.add %1087, %1089 : tensor<f32>
    %1091 = chlo.square %889 : tensor<32xf32> -> tensor<32xf32>
    %cst_294 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1092 = stablehlo.reduce(%1091 init: %cst_294) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1093 = stablehlo.add %1090, %1092 : tensor<f32>
    %1094 = chlo.square %1000 : tensor<8xf32> -> tensor<8xf32>
    %cst_295 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1095 = stablehlo.reduce(%1094 init: %cst_295) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1096 = stablehlo.add %1093, %1095 : tensor<f32>
    %1097 = chlo.square %1037 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_296 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1098 = stablehlo.reduce(%1097 init: %cst_296) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %1099 = stablehlo.add %1096, %1098 : tensor<f32>
    %1100 = chlo.square %923 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_297 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1101 = stablehlo.reduce(%1100 init: %cst_297) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1102 = stablehlo.add %1099, %1101 : tensor<f32>
    %1103 = chlo.square %1018 : tensor<8xf32> -> tensor<8xf32>
    %cst_298 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1104 = stablehlo.reduce(%1103 init: %cst_298) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1105 = stablehlo.add %1102, %1104 : tensor<f32>
    %1106 = chlo.square %1042 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_299 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1107 = stablehlo.reduce(%1106 init: %cst_299) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1108 = stablehlo.add %1105, %1107 : tensor<f32>
    %1109 = chlo.square %1033 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_300 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1110 = stablehlo.reduce(%1109 init: %cst_300) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %1111 = stablehlo.add %1108, %1110 : tensor<f32>
    %1112 = chlo.square %827 : tensor<32xf32> -> tensor<32xf32>
    %cst_301 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1113 = stablehlo.reduce(%1112 init: %cst_301) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1114 = stablehlo.add %1111, %1113 : tensor<f32>
    %1115 = chlo.square %638 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_302 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1116 = stablehlo.reduce(%1115 init: %cst_302) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %1117 = stablehlo.add %1114, %1116 : tensor<f32>
    %1118 = chlo.square %658 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_303 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1119 = stablehlo.reduce(%1118 init: %cst_303) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1120 = stablehlo.add %1117, %1119 : tensor<f32>
    %1121 = chlo.square %642 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_304 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1122 = stablehlo.reduce(%1121 init: %cst_304) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1123 = stablehlo.add %1120, %1122 : tensor<f32>
    %1124 = chlo.square %687 : tensor<32xf32> -> tensor<32xf32>
    %cst_305 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1125 = stablehlo.reduce(%1124 init: %cst_305) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1126 = stablehlo.add %1123, %1125 : tensor<f32>
    %1127 = chlo.square %625 : tensor<32xf32> -> tensor<32xf32>
    %cst_306 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1128 = stablehlo.reduce(%1127 init: %cst_306) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1129 = stablehlo.add %1126, %1128 : tensor<f32>
    %1130 = chlo.square %666 : tensor<32xf32> -> tensor<32xf32>
    %cst_307 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1131 = stablehlo.reduce(%1130 init: %cst_307) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1132 = stablehlo.add %1129, %1131 : tensor<f32>
    %1133 = chlo.square %777 : tensor<8xf32> -> tensor<8xf32>
    %cst_308 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1134 = stablehlo.reduce(%1133 init: %cst_308) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1135 = stablehlo.add %1132, %1134 : tensor<f32>
    %1136 = chlo.square %814 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_309 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1137 = stablehlo.reduce(%1136 init: %cst_309) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %1138 = stablehlo.add %1135, %1137 : tensor<f32>
    %1139 = chlo.square %700 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_310 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1140 = stablehlo.reduce(%1139 init: %cst_310) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1141 = stablehlo.add %1138, %1140 : tensor<f32>
    %1142 = chlo.square %795 : tensor<8xf32> -> tensor<8xf32>
    %cst_311 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1143 = stablehlo.reduce(%1142 init: %cst_311) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %1144 = stablehlo.add %1141, %1143 : tensor<f32>
    %1145 = chlo.square %819 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_312 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1146 = stablehlo.reduce(%1145 init: %cst_312) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1147 = stablehlo.add %1144, %1146 : tensor<f32>
    %1148 = chlo.square %810 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_313 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1149 = stablehlo.reduce(%1148 init: %cst_313) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x32xf32>, tensor<f32>) -> tensor<f32>
    %1150 = stablehlo.add %1147, %1149 : tensor<f32>
    %1151 = chlo.square %605 : tensor<32xf32> -> tensor<32xf32>
    %cst_314 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1152 = stablehlo.reduce(%1151 init: %cst_314) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1153 = stablehlo.add %1150, %1152 : tensor<f32>
    %1154 = stablehlo.sqrt %1153 : tensor<f32>
    %cst_315 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %1155 = stablehlo.add %1154, %cst_315 : tensor<f32>
    %cst_316 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1156 = stablehlo.divide %cst_316, %1155 : tensor<f32>
    %cst_317 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1157 = stablehlo.minimum %1156, %cst_317 : tensor<f32>
    %1158 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1159 = stablehlo.multiply %1069, %1158 : tensor<64x32xf32>
    %1160 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1161 = stablehlo.multiply %1050, %1160 : tensor<32xf32>
    %1162 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1163 = stablehlo.multiply %861, %1162 : tensor<32x64xf32>
    %1164 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1165 = stablehlo.multiply %881, %1164 : tensor<64x32xf32>
    %1166 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1167 = stablehlo.multiply %865, %1166 : tensor<64x32xf32>
    %1168 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1169 = stablehlo.multiply %910, %1168 : tensor<32xf32>
    %1170 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1171 = stablehlo.multiply %848, %1170 : tensor<32xf32>
    %1172 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1173 = stablehlo.multiply %889, %1172 : tensor<32xf32>
    %1174 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1175 = stablehlo.multiply %1000, %1174 : tensor<8xf32>
    %1176 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1177 = stablehlo.multiply %1037, %1176 : tensor<16x32xf32>
    %1178 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1179 = stablehlo.multiply %923, %1178 : tensor<32x32xf32>
    %1180 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1181 = stablehlo.multiply %1018, %1180 : tensor<8xf32>
    %1182 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1183 = stablehlo.multiply %1042, %1182 : tensor<32x32xf32>
    %1184 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1185 = stablehlo.multiply %1033, %1184 : tensor<16x32xf32>
    %1186 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1187 = stablehlo.multiply %827, %1186 : tensor<32xf32>
    %1188 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1189 = stablehlo.multiply %638, %1188 : tensor<32x64xf32>
    %1190 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1191 = stablehlo.multiply %658, %1190 : tensor<64x32xf32>
    %1192 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1193 = stablehlo.multiply %642, %1192 : tensor<64x32xf32>
    %1194 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1195 = stablehlo.multiply %687, %1194 : tensor<32xf32>
    %1196 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1197 = stablehlo.multiply %625, %1196 : tensor<32xf32>
    %1198 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1199 = stablehlo.multiply %666, %1198 : tensor<32xf32>
    %1200 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1201 = stablehlo.multiply %777, %1200 : tensor<8xf32>
    %1202 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1203 = stablehlo.multiply %814, %1202 : tensor<16x32xf32>
    %1204 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1205 = stablehlo.multiply %700, %1204 : tensor<32x32xf32>
    %1206 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1207 = stablehlo.multiply %795, %1206 : tensor<8xf32>
    %1208 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1209 = stablehlo.multiply %819, %1208 : tensor<32x32xf32>
    %1210 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1211 = stablehlo.multiply %810, %1210 : tensor<16x32xf32>
    %1212 = stablehlo.broadcast_in_dim %1157, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1213 = stablehlo.multiply %605, %1212 : tensor<32xf32>
    %cst_318 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1214 = stablehlo.add %arg84, %cst_318 : tensor<f32>
    %cst_319 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1215 = stablehlo.broadcast_in_dim %cst_319, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1216 = stablehlo.multiply %1215, %arg28 : tensor<64x32xf32>
    %cst_320 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1217 = stablehlo.broadcast_in_dim %cst_320, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1218 = stablehlo.multiply %1217, %1159 : tensor<64x32xf32>
    %1219 = stablehlo.add %1216, %1218 : tensor<64x32xf32>
    %cst_321 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1220 = stablehlo.broadcast_in_dim %cst_321, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1221 = stablehlo.multiply %1220, %arg29 : tensor<32xf32>
    %cst_322 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1222 = stablehlo.broadcast_in_dim %cst_322, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1223 = stablehlo.multiply %1222, %1161 : tensor<32xf32>
    %1224 = stablehlo.add %1221, %1223 : tensor<32xf32>
    %cst_323 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1225 = stablehlo.broadcast_in_dim %cst_323, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1226 = stablehlo.multiply %1225, %arg30 : tensor<32x64xf32>
    %cst_324 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1227 = stablehlo.broadcast_in_dim %cst_324, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1228 = stablehlo.multiply %1227, %1163 : tensor<32x64xf32>
    %1229 = stablehlo.add %1226, %1228 : tensor<32x64xf32>
    %cst_325 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1230 = stablehlo.broadcast_in_dim %cst_325, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1231 = stablehlo.multiply %1230, %arg31 : tensor<64x32xf32>
    %cst_326 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1232 = stablehlo.broadcast_in_dim %cst_326, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1233 = stablehlo.multiply %1232, %1165 : tensor<64x32xf32>
    %1234 = stablehlo.add %1231, %1233 : tensor<64x32xf32>
    %cst_327 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1235 = stablehlo.broadcast_in_dim %cst_327, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1236 = stablehlo.multiply %1235, %arg32 : tensor<64x32xf32>
    %cst_328 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1237 = stablehlo.broadcast_in_dim %cst_328, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1238 = stablehlo.multiply %1237, %1167 : tensor<64x32xf32>
    %1239 = stablehlo.add %1236, %1238 : tensor<64x32xf32>
    %cst_329 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1240 = stablehlo.broadcast_in_dim %cst_329, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1241 = stablehlo.multiply %1240, %arg33 : tensor<32xf32>
    %cst_330 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1242 = stablehlo.broadcast_in_dim %cst_330, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1243 = stablehlo.multiply %1242, %1169 : tensor<32xf32>
    %1244 = stablehlo.add %1241, %1243 : tensor<32xf32>
    %cst_331 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1245 = stablehlo.broadcast_in_dim %cst_331, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1246 = stablehlo.multiply %1245, %arg34 : tensor<32xf32>
    %cst_332 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1247 = stablehlo.broadcast_in_dim %cst_332, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1248 = stablehlo.multiply %1247, %1171 : tensor<32xf32>
    %1249 = stablehlo.add %1246, %1248 : tensor<32xf32>
    %cst_333 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1250 = stablehlo.broadcast_in_dim %cst_333, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1251 = stablehlo.multiply %1250, %arg35 : tensor<32xf32>
    %cst_334 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1252 = stablehlo.broadcast_in_dim %cst_334, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1253 = stablehlo.multiply %1252, %1173 : tensor<32xf32>
    %1254 = stablehlo.add %1251, %1253 : tensor<32xf32>
    %cst_335 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1255 = stablehlo.broadcast_in_dim %cst_335, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1256 = stablehlo.multiply %1255, %arg36 : tensor<8xf32>
    %cst_336 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1257 = stablehlo.broadcast_in_dim %cst_336, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1258 = stablehlo.multiply %1257, %1175 : tensor<8xf32>
    %1259 = stablehlo.add %1256, %1258 : tensor<8xf32>
    %cst_337 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1260 = stablehlo.broadcast_in_dim %cst_337, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1261 = stablehlo.multiply %1260, %arg37 : tensor<16x32xf32>
    %cst_338 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1262 = stablehlo.broadcast_in_dim %cst_338, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1263 = stablehlo.multiply %1262, %1177 : tensor<16x32xf32>
    %1264 = stablehlo.add %1261, %1263 : tensor<16x32xf32>
    %cst_339 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1265 = stablehlo.broadcast_in_dim %cst_339, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1266 = stablehlo.multiply %1265, %arg38 : tensor<32x32xf32>
    %cst_340 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1267 = stablehlo.broadcast_in_dim %cst_340, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1268 = stablehlo.multiply %1267, %1179 : tensor<32x32xf32>
    %1269 = stablehlo.add %1266, %1268 : tensor<32x32xf32>
    %cst_341 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1270 = stablehlo.broadcast_in_dim %cst_341, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1271 = stablehlo.multiply %1270, %arg39 : tensor<8xf32>
    %cst_342 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1272 = stablehlo.broadcast_in_dim %cst_342, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1273 = stablehlo.multiply %1272, %1181 : tensor<8xf32>
    %1274 = stablehlo.add %1271, %1273 : tensor<8xf32>
    %cst_343 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1275 = stablehlo.broadcast_in_dim %cst_343, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1276 = stablehlo.multiply %1275, %arg40 : tensor<32x32xf32>
    %cst_344 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1277 = stablehlo.broadcast_in_dim %cst_344, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1278 = stablehlo.multiply %1277, %1183 : tensor<32x32xf32>
    %1279 = stablehlo.add %1276, %1278 : tensor<32x32xf32>
    %cst_345 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1280 = stablehlo.broadcast_in_dim %cst_345, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1281 = stablehlo.multiply %1280, %arg41 : tensor<16x32xf32>
    %cst_346 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1282 = stablehlo.broadcast_in_dim %cst_346, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1283 = stablehlo.multiply %1282, %1185 : tensor<16x32xf32>
    %1284 = stablehlo.add %1281, %1283 : tensor<16x32xf32>
    %cst_347 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1285 = stablehlo.broadcast_in_dim %cst_347, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1286 = stablehlo.multiply %1285, %arg42 : tensor<32xf32>
    %cst_348 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1287 = stablehlo.broadcast_in_dim %cst_348, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1288 = stablehlo.multiply %1287, %1187 : tensor<32xf32>
    %1289 = stablehlo.add %1286, %1288 : tensor<32xf32>
    %cst_349 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1290 = stablehlo.broadcast_in_dim %cst_349, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1291 = stablehlo.multiply %1290, %arg43 : tensor<32x64xf32>
    %cst_350 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1292 = stablehlo.broadcast_in_dim %cst_350, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1293 = stablehlo.multiply %1292, %1189 : tensor<32x64xf32>
    %1294 = stablehlo.add %1291, %1293 : tensor<32x64xf32>
    %cst_351 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1295 = stablehlo.broadcast_in_dim %cst_351, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1296 = stablehlo.multiply %1295, %arg44 : tensor<64x32xf32>
    %cst_352 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1297 = stablehlo.broadcast_in_dim %cst_352, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1298 = stablehlo.multiply %1297, %1191 : tensor<64x32xf32>
    %1299 = stablehlo.add %1296, %1298 : tensor<64x32xf32>
    %cst_353 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1300 = stablehlo.broadcast_in_dim %cst_353, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1301 = stablehlo.multiply %1300, %arg45 : tensor<64x32xf32>
    %cst_354 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1302 = stablehlo.broadcast_in_dim %cst_354, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1303 = stablehlo.multiply %1302, %1193 : tensor<64x32xf32>
    %1304 = stablehlo.add %1301, %1303 : tensor<64x32xf32>
    %cst_355 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1305 = stablehlo.broadcast_in_dim %cst_355, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1306 = stablehlo.multiply %1305, %arg46 : tensor<32xf32>
    %cst_356 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1307 = stablehlo.broadcast_in_dim %cst_356, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1308 = stablehlo.multiply %1307, %1195 : tensor<32xf32>
    %1309 = stablehlo.add %1306, %1308 : tensor<32xf32>
    %cst_357 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1310 = stablehlo.broadcast_in_dim %cst_357, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1311 = stablehlo.multiply %1310, %arg47 : tensor<32xf32>
    %cst_358 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1312 = stablehlo.broadcast_in_dim %cst_358, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1313 = stablehlo.multiply %1312, %1197 : tensor<32xf32>
    %1314 = stablehlo.add %1311, %1313 : tensor<32xf32>
    %cst_359 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1315 = stablehlo.broadcast_in_dim %cst_359, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1316 = stablehlo.multiply %1315, %arg48 : tensor<32xf32>
    %cst_360 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1317 = stablehlo.broadcast_in_dim %cst_360, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1318 = stablehlo.multiply %1317, %1199 : tensor<32xf32>
    %1319 = stablehlo.add %1316, %1318 : tensor<32xf32>
    %cst_361 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1320 = stablehlo.broadcast_in_dim %cst_361, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1321 = stablehlo.multiply %1320, %arg49 : tensor<8xf32>
    %cst_362 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1322 = stablehlo.broadcast_in_dim %cst_362, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1323 = stablehlo.multiply %1322, %1201 : tensor<8xf32>
    %1324 = stablehlo.add %1321, %1323 : tensor<8xf32>
    %cst_363 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1325 = stablehlo.broadcast_in_dim %cst_363, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1326 = stablehlo.multiply %1325, %arg50 : tensor<16x32xf32>
    %cst_364 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1327 = stablehlo.broadcast_in_dim %cst_364, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1328 = stablehlo.multiply %1327, %1203 : tensor<16x32xf32>
    %1329 = stablehlo.add %1326, %1328 : tensor<16x32xf32>
    %cst_365 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1330 = stablehlo.broadcast_in_dim %cst_365, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1331 = stablehlo.multiply %1330, %arg51 : tensor<32x32xf32>
    %cst_366 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1332 = stablehlo.broadcast_in_dim %cst_366, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1333 = stablehlo.multiply %1332, %1205 : tensor<32x32xf32>
    %1334 = stablehlo.add %1331, %1333 : tensor<32x32xf32>
    %cst_367 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1335 = stablehlo.broadcast_in_dim %cst_367, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1336 = stablehlo.multiply %1335, %arg52 : tensor<8xf32>
    %cst_368 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1337 = stablehlo.broadcast_in_dim %cst_368, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1338 = stablehlo.multiply %1337, %1207 : tensor<8xf32>
    %1339 = stablehlo.add %1336, %1338 : tensor<8xf32>
    %cst_369 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1340 = stablehlo.broadcast_in_dim %cst_369, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1341 = stablehlo.multiply %1340, %arg53 : tensor<32x32xf32>
    %cst_370 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1342 = stablehlo.broadcast_in_dim %cst_370, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1343 = stablehlo.multiply %1342, %1209 : tensor<32x32xf32>
    %1344 = stablehlo.add %1341, %1343 : tensor<32x32xf32>
    %cst_371 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1345 = stablehlo.broadcast_in_dim %cst_371, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1346 = stablehlo.multiply %1345, %arg54 : tensor<16x32xf32>
    %cst_372 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1347 = stablehlo.broadcast_in_dim %cst_372, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1348 = stablehlo.multiply %1347, %1211 : tensor<16x32xf32>
    %1349 = stablehlo.add %1346, %1348 : tensor<16x32xf32>
    %cst_373 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1350 = stablehlo.broadcast_in_dim %cst_373, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1351 = stablehlo.multiply %1350, %arg55 : tensor<32xf32>
    %cst_374 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1352 = stablehlo.broadcast_in_dim %cst_374, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1353 = stablehlo.multiply %1352, %1213 : tensor<32xf32>
    %1354 = stablehlo.add %1351, %1353 : tensor<32xf32>
    %cst_375 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1355 = stablehlo.broadcast_in_dim %cst_375, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1356 = stablehlo.multiply %1355, %arg56 : tensor<64x32xf32>
    %1357 = chlo.square %1159 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_376 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1358 = stablehlo.broadcast_in_dim %cst_376, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1359 = stablehlo.multiply %1358, %1357 : tensor<64x32xf32>
    %1360 = stablehlo.add %1356, %1359 : tensor<64x32xf32>
    %cst_377 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1361 = stablehlo.broadcast_in_dim %cst_377, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1362 = stablehlo.multiply %1361, %arg57 : tensor<32xf32>
    %1363 = chlo.square %1161 : tensor<32xf32> -> tensor<32xf32>
    %cst_378 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1364 = stablehlo.broadcast_in_dim %cst_378, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1365 = stablehlo.multiply %1364, %1363 : tensor<32xf32>
    %1366 = stablehlo.add %1362, %1365 : tensor<32xf32>
    %cst_379 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1367 = stablehlo.broadcast_in_dim %cst_379, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1368 = stablehlo.multiply %1367, %arg58 : tensor<32x64xf32>
    %1369 = chlo.square %1163 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_380 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1370 = stablehlo.broadcast_in_dim %cst_380, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1371 = stablehlo.multiply %1370, %1369 : tensor<32x64xf32>
    %1372 = stablehlo.add %1368, %1371 : tensor<32x64xf32>
    %cst_381 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1373 = stablehlo.broadcast_in_dim %cst_381, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1374 = stablehlo.multiply %1373, %arg59 : tensor<64x32xf32>
    %1375 = chlo.square %1165 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_382 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1376 = stablehlo.broadcast_in_dim %cst_382, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1377 = stablehlo.multiply %1376, %1375 : tensor<64x32xf32>
    %1378 = stablehlo.add %1374, %1377 : tensor<64x32xf32>
    %cst_383 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1379 = stablehlo.broadcast_in_dim %cst_383, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1380 = stablehlo.multiply %1379, %arg60 : tensor<64x32xf32>
    %1381 = chlo.square %1167 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_384 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1382 = stablehlo.broadcast_in_dim %cst_384, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1383 = stablehlo.multiply %1382, %1381 : tensor<64x32xf32>
    %1384 = stablehlo.add %1380, %1383 : tensor<64x32xf32>
    %cst_385 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1385 = stablehlo.broadcast_in_dim %cst_385, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1386 = stablehlo.multiply %1385, %arg61 : tensor<32xf32>
    %1387 = chlo.square %1169 : tensor<32xf32> -> tensor<32xf32>
    %cst_386 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1388 = stablehlo.broadcast_in_dim %cst_386, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1389 = stablehlo.multiply %1388, %1387 : tensor<32xf32>
    %1390 = stablehlo.add %1386, %1389 : tensor<32xf32>
    %cst_387 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1391 = stablehlo.broadcast_in_dim %cst_387, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1392 = stablehlo.multiply %1391, %arg62 : tensor<32xf32>
    %1393 = chlo.square %1171 : tensor<32xf32> -> tensor<32xf32>
    %cst_388 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1394 = stablehlo.broadcast_in_dim %cst_388, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1395 = stablehlo.multiply %1394, %1393 : tensor<32xf32>
    %1396 = stablehlo.add %1392, %1395 : tensor<32xf32>
    %cst_389 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1397 = stablehlo.broadcast_in_dim %cst_389, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1398 = stablehlo.multiply %1397, %arg63 : tensor<32xf32>
    %1399 = chlo.square %1173 : tensor<32xf32> -> tensor<32xf32>
    %cst_390 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1400 = stablehlo.broadcast_in_dim %cst_390, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1401 = stablehlo.multiply %1400, %1399 : tensor<32xf32>
    %1402 = stablehlo.add %1398, %1401 : tensor<32xf32>
    %cst_391 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1403 = stablehlo.broadcast_in_dim %cst_391, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1404 = stablehlo.multiply %1403, %arg64 : tensor<8xf32>
    %1405 = chlo.square %1175 : tensor<8xf32> -> tensor<8xf32>
    %cst_392 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1406 = stablehlo.broadcast_in_dim %cst_392, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1407 = stablehlo.multiply %1406, %1405 : tensor<8xf32>
    %1408 = stablehlo.add %1404, %1407 : tensor<8xf32>
    %cst_393 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1409 = stablehlo.broadcast_in_dim %cst_393, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1410 = stablehlo.multiply %1409, %arg65 : tensor<16x32xf32>
    %1411 = chlo.square %1177 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_394 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1412 = stablehlo.broadcast_in_dim %cst_394, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1413 = stablehlo.multiply %1412, %1411 : tensor<16x32xf32>
    %1414 = stablehlo.add %1410, %1413 : tensor<16x32xf32>
    %cst_395 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1415 = stablehlo.broadcast_in_dim %cst_395, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1416 = stablehlo.multiply %1415, %arg66 : tensor<32x32xf32>
    %1417 = chlo.square %1179 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_396 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1418 = stablehlo.broadcast_in_dim %cst_396, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1419 = stablehlo.multiply %1418, %1417 : tensor<32x32xf32>
    %1420 = stablehlo.add %1416, %1419 : tensor<32x32xf32>
    %cst_397 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1421 = stablehlo.broadcast_in_dim %cst_397, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1422 = stablehlo.multiply %1421, %arg67 : tensor<8xf32>
    %1423 = chlo.square %1181 : tensor<8xf32> -> tensor<8xf32>
    %cst_398 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1424 = stablehlo.broadcast_in_dim %cst_398, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1425 = stablehlo.multiply %1424, %1423 : tensor<8xf32>
    %1426 = stablehlo.add %1422, %1425 : tensor<8xf32>
    %cst_399 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1427 = stablehlo.broadcast_in_dim %cst_399, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1428 = stablehlo.multiply %1427, %arg68 : tensor<32x32xf32>
    %1429 = chlo.square %1183 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_400 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1430 = stablehlo.broadcast_in_dim %cst_400, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1431 = stablehlo.multiply %1430, %1429 : tensor<32x32xf32>
    %1432 = stablehlo.add %1428, %1431 : tensor<32x32xf32>
    %cst_401 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1433 = stablehlo.broadcast_in_dim %cst_401, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1434 = stablehlo.multiply %1433, %arg69 : tensor<16x32xf32>
    %1435 = chlo.square %1185 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_402 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1436 = stablehlo.broadcast_in_dim %cst_402, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1437 = stablehlo.multiply %1436, %1435 : tensor<16x32xf32>
    %1438 = stablehlo.add %1434, %1437 : tensor<16x32xf32>
    %cst_403 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1439 = stablehlo.broadcast_in_dim %cst_403, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1440 = stablehlo.multiply %1439, %arg70 : tensor<32xf32>
    %1441 = chlo.square %1187 : tensor<32xf32> -> tensor<32xf32>
    %cst_404 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1442 = stablehlo.broadcast_in_dim %cst_404, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1443 = stablehlo.multiply %1442, %1441 : tensor<32xf32>
    %1444 = stablehlo.add %1440, %1443 : tensor<32xf32>
    %cst_405 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1445 = stablehlo.broadcast_in_dim %cst_405, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1446 = stablehlo.multiply %1445, %arg71 : tensor<32x64xf32>
    %1447 = chlo.square %1189 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_406 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1448 = stablehlo.broadcast_in_dim %cst_406, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1449 = stablehlo.multiply %1448, %1447 : tensor<32x64xf32>
    %1450 = stablehlo.add %1446, %1449 : tensor<32x64xf32>
    %cst_407 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1451 = stablehlo.broadcast_in_dim %cst_407, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1452 = stablehlo.multiply %1451, %arg72 : tensor<64x32xf32>
    %1453 = chlo.square %1191 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_408 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1454 = stablehlo.broadcast_in_dim %cst_408, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1455 = stablehlo.multiply %1454, %1453 : tensor<64x32xf32>
    %1456 = stablehlo.add %1452, %1455 : tensor<64x32xf32>
    %cst_409 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1457 = stablehlo.broadcast_in_dim %cst_409, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1458 = stablehlo.multiply %1457, %arg73 : tensor<64x32xf32>
    %1459 = chlo.square %1193 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_410 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1460 = stablehlo.broadcast_in_dim %cst_410, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1461 = stablehlo.multiply %1460, %1459 : tensor<64x32xf32>
    %1462 = stablehlo.add %1458, %1461 : tensor<64x32xf32>
    %cst_411 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1463 = stablehlo.broadcast_in_dim %cst_411, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1464 = stablehlo.multiply %1463, %arg74 : tensor<32xf32>
    %1465 = chlo.square %1195 : tensor<32xf32> -> tensor<32xf32>
    %cst_412 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1466 = stablehlo.broadcast_in_dim %cst_412, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1467 = stablehlo.multiply %1466, %1465 : tensor<32xf32>
    %1468 = stablehlo.add %1464, %1467 : tensor<32xf32>
    %cst_413 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1469 = stablehlo.broadcast_in_dim %cst_413, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1470 = stablehlo.multiply %1469, %arg75 : tensor<32xf32>
    %1471 = chlo.square %1197 : tensor<32xf32> -> tensor<32xf32>
    %cst_414 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1472 = stablehlo.broadcast_in_dim %cst_414, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1473 = stablehlo.multiply %1472, %1471 : tensor<32xf32>
    %1474 = stablehlo.add %1470, %1473 : tensor<32xf32>
    %cst_415 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1475 = stablehlo.broadcast_in_dim %cst_415, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1476 = stablehlo.multiply %1475, %arg76 : tensor<32xf32>
    %1477 = chlo.square %1199 : tensor<32xf32> -> tensor<32xf32>
    %cst_416 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1478 = stablehlo.broadcast_in_dim %cst_416, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1479 = stablehlo.multiply %1478, %1477 : tensor<32xf32>
    %1480 = stablehlo.add %1476, %1479 : tensor<32xf32>
    %cst_417 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1481 = stablehlo.broadcast_in_dim %cst_417, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1482 = stablehlo.multiply %1481, %arg77 : tensor<8xf32>
    %1483 = chlo.square %1201 : tensor<8xf32> -> tensor<8xf32>
    %cst_418 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1484 = stablehlo.broadcast_in_dim %cst_418, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1485 = stablehlo.multiply %1484, %1483 : tensor<8xf32>
    %1486 = stablehlo.add %1482, %1485 : tensor<8xf32>
    %cst_419 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1487 = stablehlo.broadcast_in_dim %cst_419, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1488 = stablehlo.multiply %1487, %arg78 : tensor<16x32xf32>
    %1489 = chlo.square %1203 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_420 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1490 = stablehlo.broadcast_in_dim %cst_420, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1491 = stablehlo.multiply %1490, %1489 : tensor<16x32xf32>
    %1492 = stablehlo.add %1488, %1491 : tensor<16x32xf32>
    %cst_421 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1493 = stablehlo.broadcast_in_dim %cst_421, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1494 = stablehlo.multiply %1493, %arg79 : tensor<32x32xf32>
    %1495 = chlo.square %1205 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_422 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1496 = stablehlo.broadcast_in_dim %cst_422, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1497 = stablehlo.multiply %1496, %1495 : tensor<32x32xf32>
    %1498 = stablehlo.add %1494, %1497 : tensor<32x32xf32>
    %cst_423 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1499 = stablehlo.broadcast_in_dim %cst_423, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1500 = stablehlo.multiply %1499, %arg80 : tensor<8xf32>
    %1501 = chlo.square %1207 : tensor<8xf32> -> tensor<8xf32>
    %cst_424 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1502 = stablehlo.broadcast_in_dim %cst_424, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1503 = stablehlo.multiply %1502, %1501 : tensor<8xf32>
    %1504 = stablehlo.add %1500, %1503 : tensor<8xf32>
    %cst_425 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1505 = stablehlo.broadcast_in_dim %cst_425, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1506 = stablehlo.multiply %1505, %arg81 : tensor<32x32xf32>
    %1507 = chlo.square %1209 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_426 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1508 = stablehlo.broadcast_in_dim %cst_426, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1509 = stablehlo.multiply %1508, %1507 : tensor<32x32xf32>
    %1510 = stablehlo.add %1506, %1509 : tensor<32x32xf32>
    %cst_427 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1511 = stablehlo.broadcast_in_dim %cst_427, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1512 = stablehlo.multiply %1511, %arg82 : tensor<16x32xf32>
    %1513 = chlo.square %1211 : tensor<16x32xf32> -> tensor<16x32xf32>
    %cst_428 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1514 = stablehlo.broadcast_in_dim %cst_428, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1515 = stablehlo.multiply %1514, %1513 : tensor<16x32xf32>
    %1516 = stablehlo.add %1512, %1515 : tensor<16x32xf32>
    %cst_429 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1517 = stablehlo.broadcast_in_dim %cst_429, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1518 = stablehlo.multiply %1517, %arg83 : tensor<32xf32>
    %1519 = chlo.square %1213 : tensor<32xf32> -> tensor<32xf32>
    %cst_430 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1520 = stablehlo.broadcast_in_dim %cst_430, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1521 = stablehlo.multiply %1520, %1519 : tensor<32xf32>
    %1522 = stablehlo.add %1518, %1521 : tensor<32xf32>
    %cst_431 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1523 = stablehlo.power %cst_431, %1214 : tensor<f32>
    %cst_432 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1524 = stablehlo.subtract %cst_432, %1523 : tensor<f32>
    %cst_433 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1525 = stablehlo.divide %cst_433, %1524 : tensor<f32>
    %cst_434 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1526 = stablehlo.power %cst_434, %1214 : tensor<f32>
    %cst_435 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1527 = stablehlo.subtract %cst_435, %1526 : tensor<f32>
    %1528 = stablehlo.sqrt %1527 : tensor<f32>
    %cst_436 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1529 = stablehlo.broadcast_in_dim %cst_436, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1530 = stablehlo.multiply %arg0, %1529 : tensor<64x32xf32>
    %1531 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1532 = stablehlo.multiply %1531, %1219 : tensor<64x32xf32>
    %1533 = stablehlo.sqrt %1360 : tensor<64x32xf32>
    %1534 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1535 = stablehlo.divide %1533, %1534 : tensor<64x32xf32>
    %cst_437 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1536 = stablehlo.broadcast_in_dim %cst_437, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1537 = stablehlo.add %1535, %1536 : tensor<64x32xf32>
    %1538 = stablehlo.divide %1532, %1537 : tensor<64x32xf32>
    %1539 = stablehlo.subtract %1530, %1538 : tensor<64x32xf32>
    %cst_438 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1540 = stablehlo.broadcast_in_dim %cst_438, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1541 = stablehlo.multiply %arg1, %1540 : tensor<32xf32>
    %1542 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1543 = stablehlo.multiply %1542, %1224 : tensor<32xf32>
    %1544 = stablehlo.sqrt %1366 : tensor<32xf32>
    %1545 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1546 = stablehlo.divide %1544, %1545 : tensor<32xf32>
    %cst_439 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1547 = stablehlo.broadcast_in_dim %cst_439, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1548 = stablehlo.add %1546, %1547 : tensor<32xf32>
    %1549 = stablehlo.divide %1543, %1548 : tensor<32xf32>
    %1550 = stablehlo.subtract %1541, %1549 : tensor<32xf32>
    %cst_440 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1551 = stablehlo.broadcast_in_dim %cst_440, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1552 = stablehlo.multiply %arg2, %1551 : tensor<32x64xf32>
    %1553 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1554 = stablehlo.multiply %1553, %1229 : tensor<32x64xf32>
    %1555 = stablehlo.sqrt %1372 : tensor<32x64xf32>
    %1556 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1557 = stablehlo.divide %1555, %1556 : tensor<32x64xf32>
    %cst_441 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1558 = stablehlo.broadcast_in_dim %cst_441, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1559 = stablehlo.add %1557, %1558 : tensor<32x64xf32>
    %1560 = stablehlo.divide %1554, %1559 : tensor<32x64xf32>
    %1561 = stablehlo.subtract %1552, %1560 : tensor<32x64xf32>
    %cst_442 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1562 = stablehlo.broadcast_in_dim %cst_442, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1563 = stablehlo.multiply %arg3, %1562 : tensor<64x32xf32>
    %1564 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1565 = stablehlo.multiply %1564, %1234 : tensor<64x32xf32>
    %1566 = stablehlo.sqrt %1378 : tensor<64x32xf32>
    %1567 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1568 = stablehlo.divide %1566, %1567 : tensor<64x32xf32>
    %cst_443 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1569 = stablehlo.broadcast_in_dim %cst_443, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1570 = stablehlo.add %1568, %1569 : tensor<64x32xf32>
    %1571 = stablehlo.divide %1565, %1570 : tensor<64x32xf32>
    %1572 = stablehlo.subtract %1563, %1571 : tensor<64x32xf32>
    %cst_444 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1573 = stablehlo.broadcast_in_dim %cst_444, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1574 = stablehlo.multiply %arg4, %1573 : tensor<64x32xf32>
    %1575 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1576 = stablehlo.multiply %1575, %1239 : tensor<64x32xf32>
    %1577 = stablehlo.sqrt %1384 : tensor<64x32xf32>
    %1578 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1579 = stablehlo.divide %1577, %1578 : tensor<64x32xf32>
    %cst_445 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1580 = stablehlo.broadcast_in_dim %cst_445, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1581 = stablehlo.add %1579, %1580 : tensor<64x32xf32>
    %1582 = stablehlo.divide %1576, %1581 : tensor<64x32xf32>
    %1583 = stablehlo.subtract %1574, %1582 : tensor<64x32xf32>
    %cst_446 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1584 = stablehlo.broadcast_in_dim %cst_446, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1585 = stablehlo.multiply %arg5, %1584 : tensor<32xf32>
    %1586 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1587 = stablehlo.multiply %1586, %1244 : tensor<32xf32>
    %1588 = stablehlo.sqrt %1390 : tensor<32xf32>
    %1589 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1590 = stablehlo.divide %1588, %1589 : tensor<32xf32>
    %cst_447 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1591 = stablehlo.broadcast_in_dim %cst_447, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1592 = stablehlo.add %1590, %1591 : tensor<32xf32>
    %1593 = stablehlo.divide %1587, %1592 : tensor<32xf32>
    %1594 = stablehlo.subtract %1585, %1593 : tensor<32xf32>
    %cst_448 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1595 = stablehlo.broadcast_in_dim %cst_448, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1596 = stablehlo.multiply %arg6, %1595 : tensor<32xf32>
    %1597 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1598 = stablehlo.multiply %1597, %1249 : tensor<32xf32>
    %1599 = stablehlo.sqrt %1396 : tensor<32xf32>
    %1600 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1601 = stablehlo.divide %1599, %1600 : tensor<32xf32>
    %cst_449 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1602 = stablehlo.broadcast_in_dim %cst_449, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1603 = stablehlo.add %1601, %1602 : tensor<32xf32>
    %1604 = stablehlo.divide %1598, %1603 : tensor<32xf32>
    %1605 = stablehlo.subtract %1596, %1604 : tensor<32xf32>
    %cst_450 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1606 = stablehlo.broadcast_in_dim %cst_450, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1607 = stablehlo.multiply %arg7, %1606 : tensor<32xf32>
    %1608 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1609 = stablehlo.multiply %1608, %1254 : tensor<32xf32>
    %1610 = stablehlo.sqrt %1402 : tensor<32xf32>
    %1611 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1612 = stablehlo.divide %1610, %1611 : tensor<32xf32>
    %cst_451 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1613 = stablehlo.broadcast_in_dim %cst_451, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1614 = stablehlo.add %1612, %1613 : tensor<32xf32>
    %1615 = stablehlo.divide %1609, %1614 : tensor<32xf32>
    %1616 = stablehlo.subtract %1607, %1615 : tensor<32xf32>
    %cst_452 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1617 = stablehlo.broadcast_in_dim %cst_452, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1618 = stablehlo.multiply %arg8, %1617 : tensor<8xf32>
    %1619 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1620 = stablehlo.multiply %1619, %1259 : tensor<8xf32>
    %1621 = stablehlo.sqrt %1408 : tensor<8xf32>
    %1622 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1623 = stablehlo.divide %1621, %1622 : tensor<8xf32>
    %cst_453 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1624 = stablehlo.broadcast_in_dim %cst_453, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1625 = stablehlo.add %1623, %1624 : tensor<8xf32>
    %1626 = stablehlo.divide %1620, %1625 : tensor<8xf32>
    %1627 = stablehlo.subtract %1618, %1626 : tensor<8xf32>
    %cst_454 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1628 = stablehlo.broadcast_in_dim %cst_454, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1629 = stablehlo.multiply %arg9, %1628 : tensor<16x32xf32>
    %1630 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1631 = stablehlo.multiply %1630, %1264 : tensor<16x32xf32>
    %1632 = stablehlo.sqrt %1414 : tensor<16x32xf32>
    %1633 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1634 = stablehlo.divide %1632, %1633 : tensor<16x32xf32>
    %cst_455 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1635 = stablehlo.broadcast_in_dim %cst_455, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1636 = stablehlo.add %1634, %1635 : tensor<16x32xf32>
    %1637 = stablehlo.divide %1631, %1636 : tensor<16x32xf32>
    %1638 = stablehlo.subtract %1629, %1637 : tensor<16x32xf32>
    %cst_456 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1639 = stablehlo.broadcast_in_dim %cst_456, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1640 = stablehlo.multiply %arg10, %1639 : tensor<32x32xf32>
    %1641 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1642 = stablehlo.multiply %1641, %1269 : tensor<32x32xf32>
    %1643 = stablehlo.sqrt %1420 : tensor<32x32xf32>
    %1644 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1645 = stablehlo.divide %1643, %1644 : tensor<32x32xf32>
    %cst_457 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1646 = stablehlo.broadcast_in_dim %cst_457, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1647 = stablehlo.add %1645, %1646 : tensor<32x32xf32>
    %1648 = stablehlo.divide %1642, %1647 : tensor<32x32xf32>
    %1649 = stablehlo.subtract %1640, %1648 : tensor<32x32xf32>
    %cst_458 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1650 = stablehlo.broadcast_in_dim %cst_458, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1651 = stablehlo.multiply %arg11, %1650 : tensor<8xf32>
    %1652 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1653 = stablehlo.multiply %1652, %1274 : tensor<8xf32>
    %1654 = stablehlo.sqrt %1426 : tensor<8xf32>
    %1655 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1656 = stablehlo.divide %1654, %1655 : tensor<8xf32>
    %cst_459 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1657 = stablehlo.broadcast_in_dim %cst_459, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1658 = stablehlo.add %1656, %1657 : tensor<8xf32>
    %1659 = stablehlo.divide %1653, %1658 : tensor<8xf32>
    %1660 = stablehlo.subtract %1651, %1659 : tensor<8xf32>
    %cst_460 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1661 = stablehlo.broadcast_in_dim %cst_460, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1662 = stablehlo.multiply %arg12, %1661 : tensor<32x32xf32>
    %1663 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1664 = stablehlo.multiply %1663, %1279 : tensor<32x32xf32>
    %1665 = stablehlo.sqrt %1432 : tensor<32x32xf32>
    %1666 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1667 = stablehlo.divide %1665, %1666 : tensor<32x32xf32>
    %cst_461 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1668 = stablehlo.broadcast_in_dim %cst_461, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1669 = stablehlo.add %1667, %1668 : tensor<32x32xf32>
    %1670 = stablehlo.divide %1664, %1669 : tensor<32x32xf32>
    %1671 = stablehlo.subtract %1662, %1670 : tensor<32x32xf32>
    %cst_462 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1672 = stablehlo.broadcast_in_dim %cst_462, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1673 = stablehlo.multiply %arg13, %1672 : tensor<16x32xf32>
    %1674 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1675 = stablehlo.multiply %1674, %1284 : tensor<16x32xf32>
    %1676 = stablehlo.sqrt %1438 : tensor<16x32xf32>
    %1677 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1678 = stablehlo.divide %1676, %1677 : tensor<16x32xf32>
    %cst_463 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1679 = stablehlo.broadcast_in_dim %cst_463, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1680 = stablehlo.add %1678, %1679 : tensor<16x32xf32>
    %1681 = stablehlo.divide %1675, %1680 : tensor<16x32xf32>
    %1682 = stablehlo.subtract %1673, %1681 : tensor<16x32xf32>
    %cst_464 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1683 = stablehlo.broadcast_in_dim %cst_464, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1684 = stablehlo.multiply %arg14, %1683 : tensor<32xf32>
    %1685 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1686 = stablehlo.multiply %1685, %1289 : tensor<32xf32>
    %1687 = stablehlo.sqrt %1444 : tensor<32xf32>
    %1688 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1689 = stablehlo.divide %1687, %1688 : tensor<32xf32>
    %cst_465 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1690 = stablehlo.broadcast_in_dim %cst_465, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1691 = stablehlo.add %1689, %1690 : tensor<32xf32>
    %1692 = stablehlo.divide %1686, %1691 : tensor<32xf32>
    %1693 = stablehlo.subtract %1684, %1692 : tensor<32xf32>
    %cst_466 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1694 = stablehlo.broadcast_in_dim %cst_466, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1695 = stablehlo.multiply %arg15, %1694 : tensor<32x64xf32>
    %1696 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1697 = stablehlo.multiply %1696, %1294 : tensor<32x64xf32>
    %1698 = stablehlo.sqrt %1450 : tensor<32x64xf32>
    %1699 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1700 = stablehlo.divide %1698, %1699 : tensor<32x64xf32>
    %cst_467 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1701 = stablehlo.broadcast_in_dim %cst_467, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1702 = stablehlo.add %1700, %1701 : tensor<32x64xf32>
    %1703 = stablehlo.divide %1697, %1702 : tensor<32x64xf32>
    %1704 = stablehlo.subtract %1695, %1703 : tensor<32x64xf32>
    %cst_468 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1705 = stablehlo.broadcast_in_dim %cst_468, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1706 = stablehlo.multiply %arg16, %1705 : tensor<64x32xf32>
    %1707 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1708 = stablehlo.multiply %1707, %1299 : tensor<64x32xf32>
    %1709 = stablehlo.sqrt %1456 : tensor<64x32xf32>
    %1710 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1711 = stablehlo.divide %1709, %1710 : tensor<64x32xf32>
    %cst_469 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1712 = stablehlo.broadcast_in_dim %cst_469, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1713 = stablehlo.add %1711, %1712 : tensor<64x32xf32>
    %1714 = stablehlo.divide %1708, %1713 : tensor<64x32xf32>
    %1715 = stablehlo.subtract %1706, %1714 : tensor<64x32xf32>
    %cst_470 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1716 = stablehlo.broadcast_in_dim %cst_470, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1717 = stablehlo.multiply %arg17, %1716 : tensor<64x32xf32>
    %1718 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1719 = stablehlo.multiply %1718, %1304 : tensor<64x32xf32>
    %1720 = stablehlo.sqrt %1462 : tensor<64x32xf32>
    %1721 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1722 = stablehlo.divide %1720, %1721 : tensor<64x32xf32>
    %cst_471 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1723 = stablehlo.broadcast_in_dim %cst_471, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1724 = stablehlo.add %1722, %1723 : tensor<64x32xf32>
    %1725 = stablehlo.divide %1719, %1724 : tensor<64x32xf32>
    %1726 = stablehlo.subtract %1717, %1725 : tensor<64x32xf32>
    %cst_472 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1727 = stablehlo.broadcast_in_dim %cst_472, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1728 = stablehlo.multiply %arg18, %1727 : tensor<32xf32>
    %1729 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1730 = stablehlo.multiply %1729, %1309 : tensor<32xf32>
    %1731 = stablehlo.sqrt %1468 : tensor<32xf32>
    %1732 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1733 = stablehlo.divide %1731, %1732 : tensor<32xf32>
    %cst_473 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1734 = stablehlo.broadcast_in_dim %cst_473, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1735 = stablehlo.add %1733, %1734 : tensor<32xf32>
    %1736 = stablehlo.divide %1730, %1735 : tensor<32xf32>
    %1737 = stablehlo.subtract %1728, %1736 : tensor<32xf32>
    %cst_474 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1738 = stablehlo.broadcast_in_dim %cst_474, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1739 = stablehlo.multiply %arg19, %1738 : tensor<32xf32>
    %1740 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1741 = stablehlo.multiply %1740, %1314 : tensor<32xf32>
    %1742 = stablehlo.sqrt %1474 : tensor<32xf32>
    %1743 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1744 = stablehlo.divide %1742, %1743 : tensor<32xf32>
    %cst_475 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1745 = stablehlo.broadcast_in_dim %cst_475, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1746 = stablehlo.add %1744, %1745 : tensor<32xf32>
    %1747 = stablehlo.divide %1741, %1746 : tensor<32xf32>
    %1748 = stablehlo.subtract %1739, %1747 : tensor<32xf32>
    %cst_476 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1749 = stablehlo.broadcast_in_dim %cst_476, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1750 = stablehlo.multiply %arg20, %1749 : tensor<32xf32>
    %1751 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1752 = stablehlo.multiply %1751, %1319 : tensor<32xf32>
    %1753 = stablehlo.sqrt %1480 : tensor<32xf32>
    %1754 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1755 = stablehlo.divide %1753, %1754 : tensor<32xf32>
    %cst_477 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1756 = stablehlo.broadcast_in_dim %cst_477, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1757 = stablehlo.add %1755, %1756 : tensor<32xf32>
    %1758 = stablehlo.divide %1752, %1757 : tensor<32xf32>
    %1759 = stablehlo.subtract %1750, %1758 : tensor<32xf32>
    %cst_478 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1760 = stablehlo.broadcast_in_dim %cst_478, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1761 = stablehlo.multiply %arg21, %1760 : tensor<8xf32>
    %1762 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1763 = stablehlo.multiply %1762, %1324 : tensor<8xf32>
    %1764 = stablehlo.sqrt %1486 : tensor<8xf32>
    %1765 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1766 = stablehlo.divide %1764, %1765 : tensor<8xf32>
    %cst_479 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1767 = stablehlo.broadcast_in_dim %cst_479, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1768 = stablehlo.add %1766, %1767 : tensor<8xf32>
    %1769 = stablehlo.divide %1763, %1768 : tensor<8xf32>
    %1770 = stablehlo.subtract %1761, %1769 : tensor<8xf32>
    %cst_480 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1771 = stablehlo.broadcast_in_dim %cst_480, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1772 = stablehlo.multiply %arg22, %1771 : tensor<16x32xf32>
    %1773 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1774 = stablehlo.multiply %1773, %1329 : tensor<16x32xf32>
    %1775 = stablehlo.sqrt %1492 : tensor<16x32xf32>
    %1776 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1777 = stablehlo.divide %1775, %1776 : tensor<16x32xf32>
    %cst_481 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1778 = stablehlo.broadcast_in_dim %cst_481, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1779 = stablehlo.add %1777, %1778 : tensor<16x32xf32>
    %1780 = stablehlo.divide %1774, %1779 : tensor<16x32xf32>
    %1781 = stablehlo.subtract %1772, %1780 : tensor<16x32xf32>
    %cst_482 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1782 = stablehlo.broadcast_in_dim %cst_482, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1783 = stablehlo.multiply %arg23, %1782 : tensor<32x32xf32>
    %1784 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1785 = stablehlo.multiply %1784, %1334 : tensor<32x32xf32>
    %1786 = stablehlo.sqrt %1498 : tensor<32x32xf32>
    %1787 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1788 = stablehlo.divide %1786, %1787 : tensor<32x32xf32>
    %cst_483 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1789 = stablehlo.broadcast_in_dim %cst_483, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1790 = stablehlo.add %1788, %1789 : tensor<32x32xf32>
    %1791 = stablehlo.divide %1785, %1790 : tensor<32x32xf32>
    %1792 = stablehlo.subtract %1783, %1791 : tensor<32x32xf32>
    %cst_484 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1793 = stablehlo.broadcast_in_dim %cst_484, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1794 = stablehlo.multiply %arg24, %1793 : tensor<8xf32>
    %1795 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1796 = stablehlo.multiply %1795, %1339 : tensor<8xf32>
    %1797 = stablehlo.sqrt %1504 : tensor<8xf32>
    %1798 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1799 = stablehlo.divide %1797, %1798 : tensor<8xf32>
    %cst_485 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1800 = stablehlo.broadcast_in_dim %cst_485, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1801 = stablehlo.add %1799, %1800 : tensor<8xf32>
    %1802 = stablehlo.divide %1796, %1801 : tensor<8xf32>
    %1803 = stablehlo.subtract %1794, %1802 : tensor<8xf32>
    %cst_486 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1804 = stablehlo.broadcast_in_dim %cst_486, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1805 = stablehlo.multiply %arg25, %1804 : tensor<32x32xf32>
    %1806 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1807 = stablehlo.multiply %1806, %1344 : tensor<32x32xf32>
    %1808 = stablehlo.sqrt %1510 : tensor<32x32xf32>
    %1809 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1810 = stablehlo.divide %1808, %1809 : tensor<32x32xf32>
    %cst_487 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1811 = stablehlo.broadcast_in_dim %cst_487, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1812 = stablehlo.add %1810, %1811 : tensor<32x32xf32>
    %1813 = stablehlo.divide %1807, %1812 : tensor<32x32xf32>
    %1814 = stablehlo.subtract %1805, %1813 : tensor<32x32xf32>
    %cst_488 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1815 = stablehlo.broadcast_in_dim %cst_488, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1816 = stablehlo.multiply %arg26, %1815 : tensor<16x32xf32>
    %1817 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1818 = stablehlo.multiply %1817, %1349 : tensor<16x32xf32>
    %1819 = stablehlo.sqrt %1516 : tensor<16x32xf32>
    %1820 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1821 = stablehlo.divide %1819, %1820 : tensor<16x32xf32>
    %cst_489 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1822 = stablehlo.broadcast_in_dim %cst_489, dims = [] : (tensor<f32>) -> tensor<16x32xf32>
    %1823 = stablehlo.add %1821, %1822 : tensor<16x32xf32>
    %1824 = stablehlo.divide %1818, %1823 : tensor<16x32xf32>
    %1825 = stablehlo.subtract %1816, %1824 : tensor<16x32xf32>
    %cst_490 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %1826 = stablehlo.broadcast_in_dim %cst_490, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1827 = stablehlo.multiply %arg27, %1826 : tensor<32xf32>
    %1828 = stablehlo.broadcast_in_dim %1525, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1829 = stablehlo.multiply %1828, %1354 : tensor<32xf32>
    %1830 = stablehlo.sqrt %1522 : tensor<32xf32>
    %1831 = stablehlo.broadcast_in_dim %1528, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1832 = stablehlo.divide %1830, %1831 : tensor<32xf32>
    %cst_491 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1833 = stablehlo.broadcast_in_dim %cst_491, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1834 = stablehlo.add %1832, %1833 : tensor<32xf32>
    %1835 = stablehlo.divide %1829, %1834 : tensor<32xf32>
    %1836 = stablehlo.subtract %1827, %1835 : tensor<32xf32>
    return %1539, %1550, %1561, %1572, %1583, %1594, %1605, %1616, %1627, %1638, %1649, %1660, %1671, %1682, %1693, %1704, %1715, %1726, %1737, %1748, %1759, %1770, %1781, %1792, %1803, %1814, %1825, %1836, %1219, %1224, %1229, %1234, %1239, %1244, %1249, %1254, %1259, %1264, %1269, %1274, %1279, %1284, %1289, %1294, %1299, %1304, %1309, %1314, %1319, %1324, %1329, %1334, %1339, %1344, %1349, %1354, %1360, %1366, %1372, %1378, %1384, %1390, %1396, %1402, %1408, %1414, %1420, %1426, %1432, %1438, %1444, %1450, %1456, %1462, %1468, %1474, %1480, %1486, %1492, %1498, %1504, %1510, %1516, %1522, %1214, %594#10 : tensor<64x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<8xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<8xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<8xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<8xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<8xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<8xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<8xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<8xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<8xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<8xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>, tensor<8xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<8xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<f32>, tensor<f32>
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
  func.func private @_where_2(%arg0: tensor<1x8x4x16x16xi1>, %arg1: tensor<8x4x16x1x16xf32>, %arg2: tensor<f32>) -> tensor<1x8x4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<8x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %2 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<8x4x16x1x16xf32>) -> tensor<1x8x4x16x16xf32>
    %3 = stablehlo.select %arg0, %2, %1 : tensor<1x8x4x16x16xi1>, tensor<1x8x4x16x16xf32>
    return %3 : tensor<1x8x4x16x16xf32>
  }
  func.func private @_pad(%arg0: tensor<8x16xi32>, %arg1: tensor<i32>) -> tensor<8x17xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<8x16xi32>, tensor<i32>) -> tensor<8x17xi32>
    return %1 : tensor<8x17xi32>
  }
  func.func private @_where_3(%arg0: tensor<i32>) -> tensor<32x64xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    return %1 : tensor<32x64xf32>
  }
  func.func private @_where_4(%arg0: tensor<i32>) -> tensor<32xf32> {
    %0 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<32xf32>
    return %1 : tensor<32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<4x8x4x32xf32>, %arg1: tensor<i32>) -> tensor<8x4x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 4, 32] : (tensor<4x8x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4x32xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4x32xf32>) -> tensor<8x4x32xf32>
    return %1 : tensor<8x4x32xf32>
  }
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<4x8x4xi32>, %arg1: tensor<i32>) -> tensor<8x4xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 4] : (tensor<4x8x4xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x4xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x4xi32>) -> tensor<8x4xi32>
    return %1 : tensor<8x4xi32>
  }
  func.func private @closed_call(%arg0: tensor<32x64xi32>, %arg1: tensor<64x32xf32>, %arg2: tensor<32x1xf32>, %arg3: tensor<32x64xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<f32>, %arg7: tensor<f32>, %arg8: tensor<8x4x32xf32>, %arg9: tensor<8x4xi32>) -> tensor<f32> {
    %0 = stablehlo.dot_general %arg8, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x32xf32>, tensor<64x32xf32>) -> tensor<8x4x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<8x4x64xf32>) -> tensor<32x64xf32>
    %2 = stablehlo.reshape %arg9 : (tensor<8x4xi32>) -> tensor<32xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<32xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %7 = stablehlo.is_finite %6 : (tensor<32x1xf32>) -> tensor<32x1xi1>
    %8 = stablehlo.select %7, %6, %arg2 : tensor<32x1xi1>, tensor<32x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x64xf32>
    %10 = stablehlo.subtract %1, %9 : tensor<32x64xf32>
    %11 = stablehlo.exponential %10 : tensor<32x64xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %14 = stablehlo.abs %13 : tensor<32x1xf32>
    %15 = stablehlo.log %14 : tensor<32x1xf32>
    %16 = stablehlo.add %15, %8 : tensor<32x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x64xf32>
    %18 = stablehlo.subtract %1, %17 : tensor<32x64xf32>
    %c = stablehlo.constant dense<-100> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32xi32>
    %20 = stablehlo.compare NE, %2, %19, SIGNED : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %21 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<32xi32>) -> tensor<32x1xi32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %23 = stablehlo.compare EQ, %arg0, %22, SIGNED : (tensor<32x64xi32>, tensor<32x64xi32>) -> tensor<32x64xi1>
    %24 = call @_where_6(%23, %18, %arg3) : (tensor<32x64xi1>, tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %26 = stablehlo.negate %25 : tensor<32xf32>
    %27 = stablehlo.multiply %26, %arg4 : tensor<32xf32>
    %28 = call @_where_7(%20, %27, %arg5) : (tensor<32xi1>, tensor<32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.reduce(%28 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %30 = stablehlo.divide %29, %cst_4 : tensor<f32>
    %31 = stablehlo.divide %30, %arg6 : tensor<f32>
    %32 = stablehlo.add %arg7, %31 : tensor<f32>
    return %32 : tensor<f32>
  }
  func.func private @_where_6(%arg0: tensor<32x64xi1>, %arg1: tensor<32x64xf32>, %arg2: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<32x64xi1>, tensor<32x64xf32>
    return %0 : tensor<32x64xf32>
  }
  func.func private @_where_7(%arg0: tensor<32xi1>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>) -> tensor<32xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<32xi1>, tensor<32xf32>
    return %0 : tensor<32xf32>
  }
  func.func private @closed_call_8(%arg0: tensor<64x32xf32>, %arg1: tensor<f32>, %arg2: tensor<64x32xf32>, %arg3: tensor<f32>, %arg4: tensor<8x4x32xf32>, %arg5: tensor<8x4xi32>) -> (tensor<64x32xf32>, tensor<f32>, tensor<8x4x32xf32>) {
    %0:5 = stablehlo.optimization_barrier %arg0, %arg1, %arg4, %arg5, %arg3 : tensor<64x32xf32>, tensor<f32>, tensor<8x4x32xf32>, tensor<8x4xi32>, tensor<f32>
    %1 = stablehlo.dot_general %0#2, %0#0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x32xf32>, tensor<64x32xf32>) -> tensor<8x4x64xf32>
    %2 = stablehlo.reshape %1 : (tensor<8x4x64xf32>) -> tensor<32x64xf32>
    %3 = stablehlo.reshape %0#3 : (tensor<8x4xi32>) -> tensor<32xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<32xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %8 = stablehlo.is_finite %7 : (tensor<32x1xf32>) -> tensor<32x1xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %10 = stablehlo.select %8, %7, %9 : tensor<32x1xi1>, tensor<32x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<32x1xf32>) -> tensor<32x64xf32>
    %12 = stablehlo.subtract %2, %11 : tensor<32x64xf32>
    %13 = stablehlo.exponential %12 : tensor<32x64xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<32xf32>) -> tensor<32x1xf32>
    %16 = stablehlo.abs %15 : tensor<32x1xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %18 = stablehlo.compare GE, %15, %17, FLOAT : (tensor<32x1xf32>, tensor<32x1xf32>) -> tensor<32x1xi1>
    %c = stablehlo.constant dense<-100> : tensor<i32>
    %19 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32xi32>
    %20 = stablehlo.compare NE, %3, %19, SIGNED : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %21 = stablehlo.iota dim = 1 : tensor<32x64xi32>
    %22 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<32xi32>) -> tensor<32x1xi32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<32x1xi32>) -> tensor<32x64xi32>
    %24 = stablehlo.compare EQ, %21, %23, SIGNED : (tensor<32x64xi32>, tensor<32x64xi32>) -> tensor<32x64xi1>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %26 = stablehlo.divide %0#4, %0#1 : tensor<f32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %27 = stablehlo.divide %26, %cst_5 : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %29 = call @_where_9(%20, %28) : (tensor<32xi1>, tensor<32xf32>) -> tensor<32xf32>
    %30 = stablehlo.multiply %29, %25 : tensor<32xf32>
    %31 = stablehlo.negate %30 : tensor<32xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>
    %33 = call @_where_10(%24, %32) : (tensor<32x64xi1>, tensor<32x64xf32>) -> tensor<32x64xf32>
    %34 = stablehlo.negate %33 : tensor<32x64xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<32xf32>
    %36 = stablehlo.reshape %35 : (tensor<32xf32>) -> tensor<32x1xf32>
    %37 = stablehlo.divide %36, %16 : tensor<32x1xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32x1xf32>
    %39 = stablehlo.select %18, %38, %37 : tensor<32x1xi1>, tensor<32x1xf32>
    %40 = stablehlo.select %18, %37, %38 : tensor<32x1xi1>, tensor<32x1xf32>
    %41 = stablehlo.negate %39 : tensor<32x1xf32>
    %42 = stablehlo.add %40, %41 : tensor<32x1xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.reduce(%42 init: %cst_8) applies stablehlo.add across dimensions = [1] : (tensor<32x1xf32>, tensor<f32>) -> tensor<32xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<32xf32>) -> tensor<32x64xf32>
    %45 = stablehlo.multiply %44, %13 : tensor<32x64xf32>
    %46 = stablehlo.add %33, %45 : tensor<32x64xf32>
    %47 = stablehlo.reshape %46 : (tensor<32x64xf32>) -> tensor<8x4x64xf32>
    %48 = stablehlo.dot_general %47, %0#2, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x64xf32>, tensor<8x4x32xf32>) -> tensor<64x32xf32>
    %49 = stablehlo.dot_general %47, %0#0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x4x64xf32>, tensor<64x32xf32>) -> tensor<8x4x32xf32>
    %50 = stablehlo.add %arg2, %48 : tensor<64x32xf32>
    return %50, %0#4, %49 : tensor<64x32xf32>, tensor<f32>, tensor<8x4x32xf32>
  }
  func.func private @_where_9(%arg0: tensor<32xi1>, %arg1: tensor<32xf32>) -> tensor<32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<32xi1>, tensor<32xf32>
    return %1 : tensor<32xf32>
  }
  func.func private @_where_10(%arg0: tensor<32x64xi1>, %arg1: tensor<32x64xf32>) -> tensor<32x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<32x64xi1>, tensor<32x64xf32>
    return %1 : tensor<32x64xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<4x8x4x32xf32>, %arg1: tensor<8x4x32xf32>, %arg2: tensor<i32>) -> tensor<4x8x4x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x4x32xf32>) -> tensor<1x8x4x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<4x8x4x32xf32>, tensor<1x8x4x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<4x8x4x32xf32>
    return %1 : tensor<4x8x4x32xf32>
  }
  func.func private @_where_11(%arg0: tensor<1x8x4x16x16xi1>, %arg1: tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x8x4x16x16xi1>, tensor<1x8x4x16x16xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    return %2 : tensor<8x4x16x1x16xf32>
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
