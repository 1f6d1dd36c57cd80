module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<64x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32x64xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<64x32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<64x32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x32xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<32x32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16x32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<32xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<32x64xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<64x32xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<64x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<16x32xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<32x32xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32x32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<16x32xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<32xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<32x64xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<64x32xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<64x32xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<32xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<16x32xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<32x32xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<32x32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<16x32xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<32xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<32x64xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<64x32xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<64x32xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<32xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<16x32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<32x32xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<32x32xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<16x32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<4xf32>, %arg40: tensor<8x16xi32>, %arg41: tensor<8x16xi32>) -> (tensor<64x32xf32> {jax.result_info = "result[0]['lm_head.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.0.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.1.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.2.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.2.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.2.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.2.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.2.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.3.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.3.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.3.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.3.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.3.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.norm.weight']"}, tensor<f32> {jax.result_info = "result[3]['loss']"}) {
    %0 = call @_take(%arg1, %arg40) : (tensor<64x32xf32>, tensor<8x16xi32>) -> tensor<8x16x32xf32>
    %1 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %3 = stablehlo.multiply %2, %1 : tensor<16xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %5 = stablehlo.add %4, %3 : tensor<16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %7 = stablehlo.add %5, %6 : tensor<16xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<1x16x1xi32>
    %10 = stablehlo.convert %9 : (tensor<1x16x1xi32>) -> tensor<1x16x1xf32>
    %11 = stablehlo.broadcast_in_dim %arg39, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x4xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x16x4xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<1x16x4xf32>
    %15 = stablehlo.concatenate %14, %14, dim = 2 : (tensor<1x16x4xf32>, tensor<1x16x4xf32>) -> tensor<1x16x8xf32>
    %16 = stablehlo.cosine %15 : tensor<1x16x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<1x16x8xf32>
    %19 = stablehlo.sine %15 : tensor<1x16x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<1x16x8xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %23 = stablehlo.power %0, %22 : tensor<8x16x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_5 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<8x16x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %29 = stablehlo.add %27, %28 : tensor<8x16x1xf32>
    %30 = stablehlo.rsqrt %29 : tensor<8x16x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %32 = stablehlo.multiply %0, %31 : tensor<8x16x32xf32>
    %33 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %35 = stablehlo.multiply %34, %32 : tensor<8x16x32xf32>
    %36 = stablehlo.dot_general %35, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %37 = stablehlo.reshape %36 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %39 = stablehlo.dot_general %35, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %40 = stablehlo.reshape %39 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %42 = stablehlo.dot_general %35, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %43 = stablehlo.reshape %42 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %45 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %46 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %48 = stablehlo.multiply %38, %47 : tensor<8x4x16x8xf32>
    %49 = stablehlo.slice %38 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_7 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<8x4x16x4xf32>
    %52 = stablehlo.slice %38 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %53 = stablehlo.concatenate %51, %52, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %54 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<8x4x16x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<8x4x16x8xf32>
    %58 = stablehlo.add %48, %57 : tensor<8x4x16x8xf32>
    %59 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %60 = stablehlo.multiply %41, %59 : tensor<8x2x16x8xf32>
    %61 = stablehlo.slice %41 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_9 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %63 = stablehlo.multiply %62, %61 : tensor<8x2x16x4xf32>
    %64 = stablehlo.slice %41 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %65 = stablehlo.concatenate %63, %64, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %66 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<8x2x16x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<8x2x16x8xf32>
    %70 = stablehlo.add %60, %69 : tensor<8x2x16x8xf32>
    %71 = stablehlo.composite "meshloom.attention.causal" %58, %70, %44 {decomposition = @meshloom.attention.causal} : (tensor<8x4x16x8xf32>, tensor<8x2x16x8xf32>, tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %72 = stablehlo.transpose %71, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %73 = stablehlo.reshape %72 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %74 = stablehlo.dot_general %73, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<8x16x32xf32>
    %77 = stablehlo.add %0, %76 : tensor<8x16x32xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %79 = stablehlo.power %77, %78 : tensor<8x16x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_14 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %83 = stablehlo.divide %81, %82 : tensor<8x16x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %85 = stablehlo.add %83, %84 : tensor<8x16x1xf32>
    %86 = stablehlo.rsqrt %85 : tensor<8x16x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %88 = stablehlo.multiply %77, %87 : tensor<8x16x32xf32>
    %89 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %91 = stablehlo.multiply %90, %88 : tensor<8x16x32xf32>
    %92 = stablehlo.dot_general %91, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %93 = call @silu(%92) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %94 = stablehlo.dot_general %91, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %95 = stablehlo.multiply %93, %94 : tensor<8x16x64xf32>
    %96 = stablehlo.dot_general %95, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %98 = stablehlo.multiply %96, %97 : tensor<8x16x32xf32>
    %99 = stablehlo.add %77, %98 : tensor<8x16x32xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %101 = stablehlo.power %99, %100 : tensor<8x16x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_19 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %105 = stablehlo.divide %103, %104 : tensor<8x16x1xf32>
    %cst_20 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %107 = stablehlo.add %105, %106 : tensor<8x16x1xf32>
    %108 = stablehlo.rsqrt %107 : tensor<8x16x1xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %110 = stablehlo.multiply %99, %109 : tensor<8x16x32xf32>
    %111 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %113 = stablehlo.multiply %112, %110 : tensor<8x16x32xf32>
    %114 = stablehlo.dot_general %113, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %115 = stablehlo.reshape %114 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %116 = stablehlo.transpose %115, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %117 = stablehlo.dot_general %113, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %118 = stablehlo.reshape %117 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %119 = stablehlo.transpose %118, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %120 = stablehlo.dot_general %113, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %121 = stablehlo.reshape %120 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %122 = stablehlo.transpose %121, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %123 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %124 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %125 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %126 = stablehlo.multiply %116, %125 : tensor<8x4x16x8xf32>
    %127 = stablehlo.slice %116 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_21 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %129 = stablehlo.multiply %128, %127 : tensor<8x4x16x4xf32>
    %130 = stablehlo.slice %116 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %131 = stablehlo.concatenate %129, %130, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %132 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %133 = stablehlo.multiply %131, %132 : tensor<8x4x16x8xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %135 = stablehlo.multiply %133, %134 : tensor<8x4x16x8xf32>
    %136 = stablehlo.add %126, %135 : tensor<8x4x16x8xf32>
    %137 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %138 = stablehlo.multiply %119, %137 : tensor<8x2x16x8xf32>
    %139 = stablehlo.slice %119 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_23 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %141 = stablehlo.multiply %140, %139 : tensor<8x2x16x4xf32>
    %142 = stablehlo.slice %119 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %143 = stablehlo.concatenate %141, %142, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %144 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %145 = stablehlo.multiply %143, %144 : tensor<8x2x16x8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %147 = stablehlo.multiply %145, %146 : tensor<8x2x16x8xf32>
    %148 = stablehlo.add %138, %147 : tensor<8x2x16x8xf32>
    %149 = stablehlo.composite "meshloom.attention.causal" %136, %148, %122 {decomposition = @meshloom.attention.causal_1} : (tensor<8x4x16x8xf32>, tensor<8x2x16x8xf32>, tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %150 = stablehlo.transpose %149, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %151 = stablehlo.reshape %150 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %152 = stablehlo.dot_general %151, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %154 = stablehlo.multiply %152, %153 : tensor<8x16x32xf32>
    %155 = stablehlo.add %99, %154 : tensor<8x16x32xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %157 = stablehlo.power %155, %156 : tensor<8x16x32xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_28 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %161 = stablehlo.divide %159, %160 : tensor<8x16x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %163 = stablehlo.add %161, %162 : tensor<8x16x1xf32>
    %164 = stablehlo.rsqrt %163 : tensor<8x16x1xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %166 = stablehlo.multiply %155, %165 : tensor<8x16x32xf32>
    %167 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %169 = stablehlo.multiply %168, %166 : tensor<8x16x32xf32>
    %170 = stablehlo.dot_general %169, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %171 = call @silu(%170) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %172 = stablehlo.dot_general %169, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %173 = stablehlo.multiply %171, %172 : tensor<8x16x64xf32>
    %174 = stablehlo.dot_general %173, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<8x16x32xf32>
    %177 = stablehlo.add %155, %176 : tensor<8x16x32xf32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %179 = stablehlo.power %177, %178 : tensor<8x16x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %180 = stablehlo.reduce(%179 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %183 = stablehlo.divide %181, %182 : tensor<8x16x1xf32>
    %cst_34 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %185 = stablehlo.add %183, %184 : tensor<8x16x1xf32>
    %186 = stablehlo.rsqrt %185 : tensor<8x16x1xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %188 = stablehlo.multiply %177, %187 : tensor<8x16x32xf32>
    %189 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %191 = stablehlo.multiply %190, %188 : tensor<8x16x32xf32>
    %192 = stablehlo.dot_general %191, %arg27, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %193 = stablehlo.reshape %192 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %194 = stablehlo.transpose %193, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %195 = stablehlo.dot_general %191, %arg25, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %196 = stablehlo.reshape %195 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %197 = stablehlo.transpose %196, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %198 = stablehlo.dot_general %191, %arg28, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %199 = stablehlo.reshape %198 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %200 = stablehlo.transpose %199, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %201 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %202 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %203 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %204 = stablehlo.multiply %194, %203 : tensor<8x4x16x8xf32>
    %205 = stablehlo.slice %194 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_35 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %207 = stablehlo.multiply %206, %205 : tensor<8x4x16x4xf32>
    %208 = stablehlo.slice %194 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %209 = stablehlo.concatenate %207, %208, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %210 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %211 = stablehlo.multiply %209, %210 : tensor<8x4x16x8xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %213 = stablehlo.multiply %211, %212 : tensor<8x4x16x8xf32>
    %214 = stablehlo.add %204, %213 : tensor<8x4x16x8xf32>
    %215 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %216 = stablehlo.multiply %197, %215 : tensor<8x2x16x8xf32>
    %217 = stablehlo.slice %197 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_37 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %219 = stablehlo.multiply %218, %217 : tensor<8x2x16x4xf32>
    %220 = stablehlo.slice %197 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %221 = stablehlo.concatenate %219, %220, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %222 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %223 = stablehlo.multiply %221, %222 : tensor<8x2x16x8xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %225 = stablehlo.multiply %223, %224 : tensor<8x2x16x8xf32>
    %226 = stablehlo.add %216, %225 : tensor<8x2x16x8xf32>
    %227 = stablehlo.composite "meshloom.attention.causal" %214, %226, %200 {decomposition = @meshloom.attention.causal_2} : (tensor<8x4x16x8xf32>, tensor<8x2x16x8xf32>, tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %228 = stablehlo.transpose %227, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %229 = stablehlo.reshape %228 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %230 = stablehlo.dot_general %229, %arg26, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %232 = stablehlo.multiply %230, %231 : tensor<8x16x32xf32>
    %233 = stablehlo.add %177, %232 : tensor<8x16x32xf32>
    %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %235 = stablehlo.power %233, %234 : tensor<8x16x32xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.reduce(%235 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %237 = stablehlo.broadcast_in_dim %236, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_42 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %239 = stablehlo.divide %237, %238 : tensor<8x16x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %241 = stablehlo.add %239, %240 : tensor<8x16x1xf32>
    %242 = stablehlo.rsqrt %241 : tensor<8x16x1xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %244 = stablehlo.multiply %233, %243 : tensor<8x16x32xf32>
    %245 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %247 = stablehlo.multiply %246, %244 : tensor<8x16x32xf32>
    %248 = stablehlo.dot_general %247, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %249 = call @silu(%248) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %250 = stablehlo.dot_general %247, %arg23, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %251 = stablehlo.multiply %249, %250 : tensor<8x16x64xf32>
    %252 = stablehlo.dot_general %251, %arg21, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %254 = stablehlo.multiply %252, %253 : tensor<8x16x32xf32>
    %255 = stablehlo.add %233, %254 : tensor<8x16x32xf32>
    %cst_45 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %257 = stablehlo.power %255, %256 : tensor<8x16x32xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %258 = stablehlo.reduce(%257 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_47 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %261 = stablehlo.divide %259, %260 : tensor<8x16x1xf32>
    %cst_48 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %263 = stablehlo.add %261, %262 : tensor<8x16x1xf32>
    %264 = stablehlo.rsqrt %263 : tensor<8x16x1xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %266 = stablehlo.multiply %255, %265 : tensor<8x16x32xf32>
    %267 = stablehlo.broadcast_in_dim %arg29, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %269 = stablehlo.multiply %268, %266 : tensor<8x16x32xf32>
    %270 = stablehlo.dot_general %269, %arg36, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %271 = stablehlo.reshape %270 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %272 = stablehlo.transpose %271, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %273 = stablehlo.dot_general %269, %arg34, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %274 = stablehlo.reshape %273 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %275 = stablehlo.transpose %274, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %276 = stablehlo.dot_general %269, %arg37, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<16x32xf32>) -> tensor<8x16x16xf32>
    %277 = stablehlo.reshape %276 : (tensor<8x16x16xf32>) -> tensor<8x16x2x8xf32>
    %278 = stablehlo.transpose %277, dims = [0, 2, 1, 3] : (tensor<8x16x2x8xf32>) -> tensor<8x2x16x8xf32>
    %279 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %280 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %281 = stablehlo.broadcast_in_dim %279, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %282 = stablehlo.multiply %272, %281 : tensor<8x4x16x8xf32>
    %283 = stablehlo.slice %272 [0:8, 0:4, 0:16, 4:8] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %cst_49 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<8x4x16x4xf32>
    %285 = stablehlo.multiply %284, %283 : tensor<8x4x16x4xf32>
    %286 = stablehlo.slice %272 [0:8, 0:4, 0:16, 0:4] : (tensor<8x4x16x8xf32>) -> tensor<8x4x16x4xf32>
    %287 = stablehlo.concatenate %285, %286, dim = 3 : (tensor<8x4x16x4xf32>, tensor<8x4x16x4xf32>) -> tensor<8x4x16x8xf32>
    %288 = stablehlo.broadcast_in_dim %280, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x4x16x8xf32>
    %289 = stablehlo.multiply %287, %288 : tensor<8x4x16x8xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<8x4x16x8xf32>
    %291 = stablehlo.multiply %289, %290 : tensor<8x4x16x8xf32>
    %292 = stablehlo.add %282, %291 : tensor<8x4x16x8xf32>
    %293 = stablehlo.broadcast_in_dim %279, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %294 = stablehlo.multiply %275, %293 : tensor<8x2x16x8xf32>
    %295 = stablehlo.slice %275 [0:8, 0:2, 0:16, 4:8] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %cst_51 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x2x16x4xf32>
    %297 = stablehlo.multiply %296, %295 : tensor<8x2x16x4xf32>
    %298 = stablehlo.slice %275 [0:8, 0:2, 0:16, 0:4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x16x4xf32>
    %299 = stablehlo.concatenate %297, %298, dim = 3 : (tensor<8x2x16x4xf32>, tensor<8x2x16x4xf32>) -> tensor<8x2x16x8xf32>
    %300 = stablehlo.broadcast_in_dim %280, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<8x2x16x8xf32>
    %301 = stablehlo.multiply %299, %300 : tensor<8x2x16x8xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x2x16x8xf32>
    %303 = stablehlo.multiply %301, %302 : tensor<8x2x16x8xf32>
    %304 = stablehlo.add %294, %303 : tensor<8x2x16x8xf32>
    %305 = stablehlo.composite "meshloom.attention.causal" %292, %304, %278 {decomposition = @meshloom.attention.causal_3} : (tensor<8x4x16x8xf32>, tensor<8x2x16x8xf32>, tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %306 = stablehlo.transpose %305, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %307 = stablehlo.reshape %306 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %308 = stablehlo.dot_general %307, %arg35, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %310 = stablehlo.multiply %308, %309 : tensor<8x16x32xf32>
    %311 = stablehlo.add %255, %310 : tensor<8x16x32xf32>
    %cst_54 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %313 = stablehlo.power %311, %312 : tensor<8x16x32xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %314 = stablehlo.reduce(%313 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_56 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %317 = stablehlo.divide %315, %316 : tensor<8x16x1xf32>
    %cst_57 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %319 = stablehlo.add %317, %318 : tensor<8x16x1xf32>
    %320 = stablehlo.rsqrt %319 : tensor<8x16x1xf32>
    %321 = stablehlo.broadcast_in_dim %320, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %322 = stablehlo.multiply %311, %321 : tensor<8x16x32xf32>
    %323 = stablehlo.broadcast_in_dim %arg33, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %324 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %325 = stablehlo.multiply %324, %322 : tensor<8x16x32xf32>
    %326 = stablehlo.dot_general %325, %arg31, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %327 = call @silu(%326) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %328 = stablehlo.dot_general %325, %arg32, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %329 = stablehlo.multiply %327, %328 : tensor<8x16x64xf32>
    %330 = stablehlo.dot_general %329, %arg30, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %331 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %332 = stablehlo.multiply %330, %331 : tensor<8x16x32xf32>
    %333 = stablehlo.add %311, %332 : tensor<8x16x32xf32>
    %cst_59 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %335 = stablehlo.power %333, %334 : tensor<8x16x32xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %336 = stablehlo.reduce(%335 init: %cst_60) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %337 = stablehlo.broadcast_in_dim %336, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_61 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %339 = stablehlo.divide %337, %338 : tensor<8x16x1xf32>
    %cst_62 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %341 = stablehlo.add %339, %340 : tensor<8x16x1xf32>
    %342 = stablehlo.rsqrt %341 : tensor<8x16x1xf32>
    %343 = stablehlo.broadcast_in_dim %342, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %344 = stablehlo.multiply %333, %343 : tensor<8x16x32xf32>
    %345 = stablehlo.broadcast_in_dim %arg38, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %346 = stablehlo.broadcast_in_dim %345, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %347 = stablehlo.multiply %346, %344 : tensor<8x16x32xf32>
    %348 = stablehlo.dot_general %347, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %c_63 = stablehlo.constant dense<-100> : tensor<i32>
    %349 = call @_pad(%arg41, %c_63) : (tensor<8x16xi32>, tensor<i32>) -> tensor<8x17xi32>
    %350 = stablehlo.reshape %348 : (tensor<8x16x64xf32>) -> tensor<128x64xf32>
    %351 = stablehlo.slice %349 [0:8, 1:17] : (tensor<8x17xi32>) -> tensor<8x16xi32>
    %352 = stablehlo.reshape %351 : (tensor<8x16xi32>) -> tensor<128xi32>
    %cst_64 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %353 = stablehlo.reduce(%350 init: %cst_64) applies stablehlo.maximum across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_65 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %354 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %355 = stablehlo.maximum %354, %353 : tensor<128xf32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %357 = stablehlo.is_finite %356 : (tensor<128x1xf32>) -> tensor<128x1xi1>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %359 = stablehlo.select %357, %356, %358 : tensor<128x1xi1>, tensor<128x1xf32>
    %360 = stablehlo.composite "meshloom.stop_gradient" %359 {decomposition = @meshloom.stop_gradient_4} : (tensor<128x1xf32>) -> tensor<128x1xf32>
    %361 = stablehlo.broadcast_in_dim %360, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x64xf32>
    %362 = stablehlo.subtract %350, %361 : tensor<128x64xf32>
    %363 = stablehlo.exponential %362 : tensor<128x64xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %364 = stablehlo.reduce(%363 init: %cst_67) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %365 = stablehlo.broadcast_in_dim %364, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %366 = stablehlo.abs %365 : tensor<128x1xf32>
    %367 = stablehlo.log %366 : tensor<128x1xf32>
    %368 = stablehlo.add %367, %360 : tensor<128x1xf32>
    %369 = stablehlo.broadcast_in_dim %368, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x64xf32>
    %370 = stablehlo.subtract %350, %369 : tensor<128x64xf32>
    %c_68 = stablehlo.constant dense<-100> : tensor<i32>
    %371 = stablehlo.broadcast_in_dim %c_68, dims = [] : (tensor<i32>) -> tensor<128xi32>
    %372 = stablehlo.compare NE, %352, %371, SIGNED : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi1>
    %373 = stablehlo.iota dim = 1 : tensor<128x64xi32>
    %374 = stablehlo.broadcast_in_dim %352, dims = [0] : (tensor<128xi32>) -> tensor<128x1xi32>
    %375 = stablehlo.broadcast_in_dim %374, dims = [0, 1] : (tensor<128x1xi32>) -> tensor<128x64xi32>
    %376 = stablehlo.compare EQ, %373, %375, SIGNED : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi1>
    %c_69 = stablehlo.constant dense<0> : tensor<i32>
    %377 = call @_where_5(%376, %370, %c_69) : (tensor<128x64xi1>, tensor<128x64xf32>, tensor<i32>) -> tensor<128x64xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %378 = stablehlo.reduce(%377 init: %cst_70) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %379 = stablehlo.negate %378 : tensor<128xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %381 = stablehlo.multiply %379, %380 : tensor<128xf32>
    %c_72 = stablehlo.constant dense<0> : tensor<i32>
    %382 = call @_where_6(%372, %381, %c_72) : (tensor<128xi1>, tensor<128xf32>, tensor<i32>) -> tensor<128xf32>
    %c_73 = stablehlo.constant dense<0> : tensor<i32>
    %383 = call @_where_6(%372, %380, %c_73) : (tensor<128xi1>, tensor<128xf32>, tensor<i32>) -> tensor<128xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.reduce(%383 init: %cst_74) applies stablehlo.add across dimensions = [0] : (tensor<128xf32>, tensor<f32>) -> tensor<f32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %385 = stablehlo.reduce(%382 init: %cst_75) applies stablehlo.add across dimensions = [0] : (tensor<128xf32>, tensor<f32>) -> tensor<f32>
    %386 = stablehlo.divide %385, %384 : tensor<f32>
    return %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %386 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<f32>
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
  func.func private @meshloom.attention.causal(%arg0: tensor<8x4x16x8xf32>, %arg1: tensor<8x2x16x8xf32>, %arg2: tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<8x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<8x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<8x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<8x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<8x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    return %22 : tensor<8x4x16x8xf32>
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
  func.func private @_where_0(%arg0: tensor<16x16xi1>, %arg1: tensor<8x4x16x16xf32>, %arg2: tensor<f32>) -> tensor<8x4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<8x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<8x4x16x16xi1>, tensor<8x4x16x16xf32>
    return %2 : tensor<8x4x16x16xf32>
  }
  func.func private @meshloom.stop_gradient(%arg0: tensor<8x4x16x1xf32>) -> tensor<8x4x16x1xf32> {
    return %arg0 : tensor<8x4x16x1xf32>
  }
  func.func private @silu(%arg0: tensor<8x16x64xf32>) -> tensor<8x16x64xf32> {
    %0 = stablehlo.negate %arg0 : tensor<8x16x64xf32>
    %1 = stablehlo.exponential %0 : tensor<8x16x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %3 = stablehlo.add %2, %1 : tensor<8x16x64xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %5 = stablehlo.divide %4, %3 : tensor<8x16x64xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<8x16x64xf32>
    return %6 : tensor<8x16x64xf32>
  }
  func.func private @meshloom.attention.causal_1(%arg0: tensor<8x4x16x8xf32>, %arg1: tensor<8x2x16x8xf32>, %arg2: tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<8x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<8x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<8x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<8x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<8x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    return %22 : tensor<8x4x16x8xf32>
  }
  func.func private @meshloom.attention.causal_2(%arg0: tensor<8x4x16x8xf32>, %arg1: tensor<8x2x16x8xf32>, %arg2: tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<8x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<8x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<8x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<8x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<8x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    return %22 : tensor<8x4x16x8xf32>
  }
  func.func private @meshloom.attention.causal_3(%arg0: tensor<8x4x16x8xf32>, %arg1: tensor<8x2x16x8xf32>, %arg2: tensor<8x2x16x8xf32>) -> tensor<8x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<8x2x16x8xf32>) -> tensor<8x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<8x2x2x16x8xf32>) -> tensor<8x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x8xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<8x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<8x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<8x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<8x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<8x4x16x16xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<8x4x16xf32>) -> tensor<8x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<8x4x16x1xf32>) -> tensor<8x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<8x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x16xf32>, tensor<8x4x16x8xf32>) -> tensor<8x4x16x8xf32>
    return %22 : tensor<8x4x16x8xf32>
  }
  func.func private @_pad(%arg0: tensor<8x16xi32>, %arg1: tensor<i32>) -> tensor<8x17xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<8x16xi32>, tensor<i32>) -> tensor<8x17xi32>
    return %1 : tensor<8x17xi32>
  }
  func.func private @meshloom.stop_gradient_4(%arg0: tensor<128x1xf32>) -> tensor<128x1xf32> {
    return %arg0 : tensor<128x1xf32>
  }
  func.func private @_where_5(%arg0: tensor<128x64xi1>, %arg1: tensor<128x64xf32>, %arg2: tensor<i32>) -> tensor<128x64xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<128x64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<128x64xi1>, tensor<128x64xf32>
    return %2 : tensor<128x64xf32>
  }
  func.func private @_where_6(%arg0: tensor<128xi1>, %arg1: tensor<128xf32>, %arg2: tensor<i32>) -> tensor<128xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<128xi1>, tensor<128xf32>
    return %2 : tensor<128xf32>
  }
}
// meshloom.train adamw(loss, lr: 0.001, betas: (0.9, 0.999), eps: 1e-8, weight_decay: 0.01, clip: 1.0, precision: bf16)
// meshloom.microbatches 2
module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<64x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32x64xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<64x32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<64x32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<16x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x32xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<32x32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<16x32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<32xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<32x64xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<64x32xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<64x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<16x32xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<32x32xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32x32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<16x32xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<32xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<32x64xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<64x32xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<64x32xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<32xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<16x32xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<32x32xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<32x32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<16x32xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<32xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<32x64xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<64x32xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<64x32xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<32xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<16x32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<32x32xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<32x32xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<16x32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<4xf32>, %arg40: tensor<4x16xi32>, %arg41: tensor<4x16xi32>) -> (tensor<64x32xf32> {jax.result_info = "result[0]['lm_head.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.embed_tokens.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.0.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.0.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.0.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.0.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.1.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.1.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.1.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.1.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.2.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.2.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.2.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.2.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.2.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.2.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.3.input_layernorm.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['model.layers.3.mlp.down_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.3.mlp.gate_proj.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['model.layers.3.mlp.up_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.layers.3.post_attention_layernorm.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.k_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.o_proj.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.q_proj.weight']"}, tensor<16x32xf32> {jax.result_info = "result[0]['model.layers.3.self_attn.v_proj.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['model.norm.weight']"}, tensor<f32> {jax.result_info = "result[3]['loss']"}) {
    %0 = call @_take(%arg1, %arg40) : (tensor<64x32xf32>, tensor<4x16xi32>) -> tensor<4x16x32xf32>
    %1 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %3 = stablehlo.multiply %2, %1 : tensor<16xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %5 = stablehlo.add %4, %3 : tensor<16xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %7 = stablehlo.add %5, %6 : tensor<16xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<1x16x1xi32>
    %10 = stablehlo.convert %9 : (tensor<1x16x1xi32>) -> tensor<1x16x1xf32>
    %11 = stablehlo.broadcast_in_dim %arg39, dims = [2] : (tensor<4xf32>) -> tensor<1x1x4xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x4xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<1x1x4xf32>) -> tensor<1x16x4xf32>
    %14 = stablehlo.multiply %12, %13 : tensor<1x16x4xf32>
    %15 = stablehlo.concatenate %14, %14, dim = 2 : (tensor<1x16x4xf32>, tensor<1x16x4xf32>) -> tensor<1x16x8xf32>
    %16 = stablehlo.cosine %15 : tensor<1x16x8xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %18 = stablehlo.multiply %16, %17 : tensor<1x16x8xf32>
    %19 = stablehlo.sine %15 : tensor<1x16x8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x16x8xf32>
    %21 = stablehlo.multiply %19, %20 : tensor<1x16x8xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %23 = stablehlo.power %0, %22 : tensor<4x16x32xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_5 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %27 = stablehlo.divide %25, %26 : tensor<4x16x1xf32>
    %cst_6 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %29 = stablehlo.add %27, %28 : tensor<4x16x1xf32>
    %30 = stablehlo.rsqrt %29 : tensor<4x16x1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %32 = stablehlo.multiply %0, %31 : tensor<4x16x32xf32>
    %33 = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %35 = stablehlo.multiply %34, %32 : tensor<4x16x32xf32>
    %36 = stablehlo.dot_general %35, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %37 = stablehlo.reshape %36 : (tensor<4x16x32xf32>) -> tensor<4x16x4x8xf32>
    %38 = stablehlo.transpose %37, dims = [0, 2, 1, 3] : (tensor<4x16x4x8xf32>) -> tensor<4x4x16x8xf32>
    %39 = stablehlo.dot_general %35, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %40 = stablehlo.reshape %39 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %41 = stablehlo.transpose %40, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %42 = stablehlo.dot_general %35, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %43 = stablehlo.reshape %42 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %44 = stablehlo.transpose %43, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %45 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %46 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %47 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %48 = stablehlo.multiply %38, %47 : tensor<4x4x16x8xf32>
    %49 = stablehlo.slice %38 [0:4, 0:4, 0:16, 4:8] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %cst_7 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x4x16x4xf32>
    %51 = stablehlo.multiply %50, %49 : tensor<4x4x16x4xf32>
    %52 = stablehlo.slice %38 [0:4, 0:4, 0:16, 0:4] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %53 = stablehlo.concatenate %51, %52, dim = 3 : (tensor<4x4x16x4xf32>, tensor<4x4x16x4xf32>) -> tensor<4x4x16x8xf32>
    %54 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %55 = stablehlo.multiply %53, %54 : tensor<4x4x16x8xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x4x16x8xf32>
    %57 = stablehlo.multiply %55, %56 : tensor<4x4x16x8xf32>
    %58 = stablehlo.add %48, %57 : tensor<4x4x16x8xf32>
    %59 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %60 = stablehlo.multiply %41, %59 : tensor<4x2x16x8xf32>
    %61 = stablehlo.slice %41 [0:4, 0:2, 0:16, 4:8] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %cst_9 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x2x16x4xf32>
    %63 = stablehlo.multiply %62, %61 : tensor<4x2x16x4xf32>
    %64 = stablehlo.slice %41 [0:4, 0:2, 0:16, 0:4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %65 = stablehlo.concatenate %63, %64, dim = 3 : (tensor<4x2x16x4xf32>, tensor<4x2x16x4xf32>) -> tensor<4x2x16x8xf32>
    %66 = stablehlo.broadcast_in_dim %46, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %67 = stablehlo.multiply %65, %66 : tensor<4x2x16x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x2x16x8xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<4x2x16x8xf32>
    %70 = stablehlo.add %60, %69 : tensor<4x2x16x8xf32>
    %71 = stablehlo.composite "meshloom.attention.causal" %58, %70, %44 {decomposition = @meshloom.attention.causal} : (tensor<4x4x16x8xf32>, tensor<4x2x16x8xf32>, tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %72 = stablehlo.transpose %71, dims = [0, 2, 1, 3] : (tensor<4x4x16x8xf32>) -> tensor<4x16x4x8xf32>
    %73 = stablehlo.reshape %72 : (tensor<4x16x4x8xf32>) -> tensor<4x16x32xf32>
    %74 = stablehlo.dot_general %73, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %76 = stablehlo.multiply %74, %75 : tensor<4x16x32xf32>
    %77 = stablehlo.add %0, %76 : tensor<4x16x32xf32>
    %cst_12 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %79 = stablehlo.power %77, %78 : tensor<4x16x32xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %80 = stablehlo.reduce(%79 init: %cst_13) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_14 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %83 = stablehlo.divide %81, %82 : tensor<4x16x1xf32>
    %cst_15 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %85 = stablehlo.add %83, %84 : tensor<4x16x1xf32>
    %86 = stablehlo.rsqrt %85 : tensor<4x16x1xf32>
    %87 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %88 = stablehlo.multiply %77, %87 : tensor<4x16x32xf32>
    %89 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %90 = stablehlo.broadcast_in_dim %89, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %91 = stablehlo.multiply %90, %88 : tensor<4x16x32xf32>
    %92 = stablehlo.dot_general %91, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %93 = call @silu(%92) : (tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
    %94 = stablehlo.dot_general %91, %arg5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %95 = stablehlo.multiply %93, %94 : tensor<4x16x64xf32>
    %96 = stablehlo.dot_general %95, %arg3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64xf32>, tensor<32x64xf32>) -> tensor<4x16x32xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %98 = stablehlo.multiply %96, %97 : tensor<4x16x32xf32>
    %99 = stablehlo.add %77, %98 : tensor<4x16x32xf32>
    %cst_17 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %101 = stablehlo.power %99, %100 : tensor<4x16x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_19 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %105 = stablehlo.divide %103, %104 : tensor<4x16x1xf32>
    %cst_20 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %107 = stablehlo.add %105, %106 : tensor<4x16x1xf32>
    %108 = stablehlo.rsqrt %107 : tensor<4x16x1xf32>
    %109 = stablehlo.broadcast_in_dim %108, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %110 = stablehlo.multiply %99, %109 : tensor<4x16x32xf32>
    %111 = stablehlo.broadcast_in_dim %arg11, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %113 = stablehlo.multiply %112, %110 : tensor<4x16x32xf32>
    %114 = stablehlo.dot_general %113, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %115 = stablehlo.reshape %114 : (tensor<4x16x32xf32>) -> tensor<4x16x4x8xf32>
    %116 = stablehlo.transpose %115, dims = [0, 2, 1, 3] : (tensor<4x16x4x8xf32>) -> tensor<4x4x16x8xf32>
    %117 = stablehlo.dot_general %113, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %118 = stablehlo.reshape %117 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %119 = stablehlo.transpose %118, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %120 = stablehlo.dot_general %113, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %121 = stablehlo.reshape %120 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %122 = stablehlo.transpose %121, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %123 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %124 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %125 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %126 = stablehlo.multiply %116, %125 : tensor<4x4x16x8xf32>
    %127 = stablehlo.slice %116 [0:4, 0:4, 0:16, 4:8] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %cst_21 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x4x16x4xf32>
    %129 = stablehlo.multiply %128, %127 : tensor<4x4x16x4xf32>
    %130 = stablehlo.slice %116 [0:4, 0:4, 0:16, 0:4] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %131 = stablehlo.concatenate %129, %130, dim = 3 : (tensor<4x4x16x4xf32>, tensor<4x4x16x4xf32>) -> tensor<4x4x16x8xf32>
    %132 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %133 = stablehlo.multiply %131, %132 : tensor<4x4x16x8xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x4x16x8xf32>
    %135 = stablehlo.multiply %133, %134 : tensor<4x4x16x8xf32>
    %136 = stablehlo.add %126, %135 : tensor<4x4x16x8xf32>
    %137 = stablehlo.broadcast_in_dim %123, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %138 = stablehlo.multiply %119, %137 : tensor<4x2x16x8xf32>
    %139 = stablehlo.slice %119 [0:4, 0:2, 0:16, 4:8] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %cst_23 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %140 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x2x16x4xf32>
    %141 = stablehlo.multiply %140, %139 : tensor<4x2x16x4xf32>
    %142 = stablehlo.slice %119 [0:4, 0:2, 0:16, 0:4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %143 = stablehlo.concatenate %141, %142, dim = 3 : (tensor<4x2x16x4xf32>, tensor<4x2x16x4xf32>) -> tensor<4x2x16x8xf32>
    %144 = stablehlo.broadcast_in_dim %124, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %145 = stablehlo.multiply %143, %144 : tensor<4x2x16x8xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x2x16x8xf32>
    %147 = stablehlo.multiply %145, %146 : tensor<4x2x16x8xf32>
    %148 = stablehlo.add %138, %147 : tensor<4x2x16x8xf32>
    %149 = stablehlo.composite "meshloom.attention.causal" %136, %148, %122 {decomposition = @meshloom.attention.causal_1} : (tensor<4x4x16x8xf32>, tensor<4x2x16x8xf32>, tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %150 = stablehlo.transpose %149, dims = [0, 2, 1, 3] : (tensor<4x4x16x8xf32>) -> tensor<4x16x4x8xf32>
    %151 = stablehlo.reshape %150 : (tensor<4x16x4x8xf32>) -> tensor<4x16x32xf32>
    %152 = stablehlo.dot_general %151, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %154 = stablehlo.multiply %152, %153 : tensor<4x16x32xf32>
    %155 = stablehlo.add %99, %154 : tensor<4x16x32xf32>
    %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %157 = stablehlo.power %155, %156 : tensor<4x16x32xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %158 = stablehlo.reduce(%157 init: %cst_27) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_28 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %160 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %161 = stablehlo.divide %159, %160 : tensor<4x16x1xf32>
    %cst_29 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %163 = stablehlo.add %161, %162 : tensor<4x16x1xf32>
    %164 = stablehlo.rsqrt %163 : tensor<4x16x1xf32>
    %165 = stablehlo.broadcast_in_dim %164, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %166 = stablehlo.multiply %155, %165 : tensor<4x16x32xf32>
    %167 = stablehlo.broadcast_in_dim %arg15, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %169 = stablehlo.multiply %168, %166 : tensor<4x16x32xf32>
    %170 = stablehlo.dot_general %169, %arg13, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %171 = call @silu(%170) : (tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
    %172 = stablehlo.dot_general %169, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %173 = stablehlo.multiply %171, %172 : tensor<4x16x64xf32>
    %174 = stablehlo.dot_general %173, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64xf32>, tensor<32x64xf32>) -> tensor<4x16x32xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %176 = stablehlo.multiply %174, %175 : tensor<4x16x32xf32>
    %177 = stablehlo.add %155, %176 : tensor<4x16x32xf32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %179 = stablehlo.power %177, %178 : tensor<4x16x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %180 = stablehlo.reduce(%179 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %183 = stablehlo.divide %181, %182 : tensor<4x16x1xf32>
    %cst_34 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %185 = stablehlo.add %183, %184 : tensor<4x16x1xf32>
    %186 = stablehlo.rsqrt %185 : tensor<4x16x1xf32>
    %187 = stablehlo.broadcast_in_dim %186, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %188 = stablehlo.multiply %177, %187 : tensor<4x16x32xf32>
    %189 = stablehlo.broadcast_in_dim %arg20, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %191 = stablehlo.multiply %190, %188 : tensor<4x16x32xf32>
    %192 = stablehlo.dot_general %191, %arg27, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %193 = stablehlo.reshape %192 : (tensor<4x16x32xf32>) -> tensor<4x16x4x8xf32>
    %194 = stablehlo.transpose %193, dims = [0, 2, 1, 3] : (tensor<4x16x4x8xf32>) -> tensor<4x4x16x8xf32>
    %195 = stablehlo.dot_general %191, %arg25, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %196 = stablehlo.reshape %195 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %197 = stablehlo.transpose %196, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %198 = stablehlo.dot_general %191, %arg28, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %199 = stablehlo.reshape %198 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %200 = stablehlo.transpose %199, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %201 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %202 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %203 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %204 = stablehlo.multiply %194, %203 : tensor<4x4x16x8xf32>
    %205 = stablehlo.slice %194 [0:4, 0:4, 0:16, 4:8] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %cst_35 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %206 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x4x16x4xf32>
    %207 = stablehlo.multiply %206, %205 : tensor<4x4x16x4xf32>
    %208 = stablehlo.slice %194 [0:4, 0:4, 0:16, 0:4] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %209 = stablehlo.concatenate %207, %208, dim = 3 : (tensor<4x4x16x4xf32>, tensor<4x4x16x4xf32>) -> tensor<4x4x16x8xf32>
    %210 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %211 = stablehlo.multiply %209, %210 : tensor<4x4x16x8xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x4x16x8xf32>
    %213 = stablehlo.multiply %211, %212 : tensor<4x4x16x8xf32>
    %214 = stablehlo.add %204, %213 : tensor<4x4x16x8xf32>
    %215 = stablehlo.broadcast_in_dim %201, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %216 = stablehlo.multiply %197, %215 : tensor<4x2x16x8xf32>
    %217 = stablehlo.slice %197 [0:4, 0:2, 0:16, 4:8] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %cst_37 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %218 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x2x16x4xf32>
    %219 = stablehlo.multiply %218, %217 : tensor<4x2x16x4xf32>
    %220 = stablehlo.slice %197 [0:4, 0:2, 0:16, 0:4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %221 = stablehlo.concatenate %219, %220, dim = 3 : (tensor<4x2x16x4xf32>, tensor<4x2x16x4xf32>) -> tensor<4x2x16x8xf32>
    %222 = stablehlo.broadcast_in_dim %202, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %223 = stablehlo.multiply %221, %222 : tensor<4x2x16x8xf32>
    %cst_38 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %224 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x2x16x8xf32>
    %225 = stablehlo.multiply %223, %224 : tensor<4x2x16x8xf32>
    %226 = stablehlo.add %216, %225 : tensor<4x2x16x8xf32>
    %227 = stablehlo.composite "meshloom.attention.causal" %214, %226, %200 {decomposition = @meshloom.attention.causal_2} : (tensor<4x4x16x8xf32>, tensor<4x2x16x8xf32>, tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %228 = stablehlo.transpose %227, dims = [0, 2, 1, 3] : (tensor<4x4x16x8xf32>) -> tensor<4x16x4x8xf32>
    %229 = stablehlo.reshape %228 : (tensor<4x16x4x8xf32>) -> tensor<4x16x32xf32>
    %230 = stablehlo.dot_general %229, %arg26, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %cst_39 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %232 = stablehlo.multiply %230, %231 : tensor<4x16x32xf32>
    %233 = stablehlo.add %177, %232 : tensor<4x16x32xf32>
    %cst_40 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %234 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %235 = stablehlo.power %233, %234 : tensor<4x16x32xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %236 = stablehlo.reduce(%235 init: %cst_41) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %237 = stablehlo.broadcast_in_dim %236, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_42 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %239 = stablehlo.divide %237, %238 : tensor<4x16x1xf32>
    %cst_43 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %241 = stablehlo.add %239, %240 : tensor<4x16x1xf32>
    %242 = stablehlo.rsqrt %241 : tensor<4x16x1xf32>
    %243 = stablehlo.broadcast_in_dim %242, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %244 = stablehlo.multiply %233, %243 : tensor<4x16x32xf32>
    %245 = stablehlo.broadcast_in_dim %arg24, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %247 = stablehlo.multiply %246, %244 : tensor<4x16x32xf32>
    %248 = stablehlo.dot_general %247, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %249 = call @silu(%248) : (tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
    %250 = stablehlo.dot_general %247, %arg23, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %251 = stablehlo.multiply %249, %250 : tensor<4x16x64xf32>
    %252 = stablehlo.dot_general %251, %arg21, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64xf32>, tensor<32x64xf32>) -> tensor<4x16x32xf32>
    %cst_44 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %253 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %254 = stablehlo.multiply %252, %253 : tensor<4x16x32xf32>
    %255 = stablehlo.add %233, %254 : tensor<4x16x32xf32>
    %cst_45 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %256 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %257 = stablehlo.power %255, %256 : tensor<4x16x32xf32>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %258 = stablehlo.reduce(%257 init: %cst_46) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %259 = stablehlo.broadcast_in_dim %258, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_47 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %261 = stablehlo.divide %259, %260 : tensor<4x16x1xf32>
    %cst_48 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %262 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %263 = stablehlo.add %261, %262 : tensor<4x16x1xf32>
    %264 = stablehlo.rsqrt %263 : tensor<4x16x1xf32>
    %265 = stablehlo.broadcast_in_dim %264, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %266 = stablehlo.multiply %255, %265 : tensor<4x16x32xf32>
    %267 = stablehlo.broadcast_in_dim %arg29, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %268 = stablehlo.broadcast_in_dim %267, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %269 = stablehlo.multiply %268, %266 : tensor<4x16x32xf32>
    %270 = stablehlo.dot_general %269, %arg36, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %271 = stablehlo.reshape %270 : (tensor<4x16x32xf32>) -> tensor<4x16x4x8xf32>
    %272 = stablehlo.transpose %271, dims = [0, 2, 1, 3] : (tensor<4x16x4x8xf32>) -> tensor<4x4x16x8xf32>
    %273 = stablehlo.dot_general %269, %arg34, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %274 = stablehlo.reshape %273 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %275 = stablehlo.transpose %274, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %276 = stablehlo.dot_general %269, %arg37, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<16x32xf32>) -> tensor<4x16x16xf32>
    %277 = stablehlo.reshape %276 : (tensor<4x16x16xf32>) -> tensor<4x16x2x8xf32>
    %278 = stablehlo.transpose %277, dims = [0, 2, 1, 3] : (tensor<4x16x2x8xf32>) -> tensor<4x2x16x8xf32>
    %279 = stablehlo.broadcast_in_dim %18, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %280 = stablehlo.broadcast_in_dim %21, dims = [0, 2, 3] : (tensor<1x16x8xf32>) -> tensor<1x1x16x8xf32>
    %281 = stablehlo.broadcast_in_dim %279, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %282 = stablehlo.multiply %272, %281 : tensor<4x4x16x8xf32>
    %283 = stablehlo.slice %272 [0:4, 0:4, 0:16, 4:8] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %cst_49 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x4x16x4xf32>
    %285 = stablehlo.multiply %284, %283 : tensor<4x4x16x4xf32>
    %286 = stablehlo.slice %272 [0:4, 0:4, 0:16, 0:4] : (tensor<4x4x16x8xf32>) -> tensor<4x4x16x4xf32>
    %287 = stablehlo.concatenate %285, %286, dim = 3 : (tensor<4x4x16x4xf32>, tensor<4x4x16x4xf32>) -> tensor<4x4x16x8xf32>
    %288 = stablehlo.broadcast_in_dim %280, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x4x16x8xf32>
    %289 = stablehlo.multiply %287, %288 : tensor<4x4x16x8xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x4x16x8xf32>
    %291 = stablehlo.multiply %289, %290 : tensor<4x4x16x8xf32>
    %292 = stablehlo.add %282, %291 : tensor<4x4x16x8xf32>
    %293 = stablehlo.broadcast_in_dim %279, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %294 = stablehlo.multiply %275, %293 : tensor<4x2x16x8xf32>
    %295 = stablehlo.slice %275 [0:4, 0:2, 0:16, 4:8] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %cst_51 = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %296 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x2x16x4xf32>
    %297 = stablehlo.multiply %296, %295 : tensor<4x2x16x4xf32>
    %298 = stablehlo.slice %275 [0:4, 0:2, 0:16, 0:4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x16x4xf32>
    %299 = stablehlo.concatenate %297, %298, dim = 3 : (tensor<4x2x16x4xf32>, tensor<4x2x16x4xf32>) -> tensor<4x2x16x8xf32>
    %300 = stablehlo.broadcast_in_dim %280, dims = [0, 1, 2, 3] : (tensor<1x1x16x8xf32>) -> tensor<4x2x16x8xf32>
    %301 = stablehlo.multiply %299, %300 : tensor<4x2x16x8xf32>
    %cst_52 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x2x16x8xf32>
    %303 = stablehlo.multiply %301, %302 : tensor<4x2x16x8xf32>
    %304 = stablehlo.add %294, %303 : tensor<4x2x16x8xf32>
    %305 = stablehlo.composite "meshloom.attention.causal" %292, %304, %278 {decomposition = @meshloom.attention.causal_3} : (tensor<4x4x16x8xf32>, tensor<4x2x16x8xf32>, tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %306 = stablehlo.transpose %305, dims = [0, 2, 1, 3] : (tensor<4x4x16x8xf32>) -> tensor<4x16x4x8xf32>
    %307 = stablehlo.reshape %306 : (tensor<4x16x4x8xf32>) -> tensor<4x16x32xf32>
    %308 = stablehlo.dot_general %307, %arg35, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<32x32xf32>) -> tensor<4x16x32xf32>
    %cst_53 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %310 = stablehlo.multiply %308, %309 : tensor<4x16x32xf32>
    %311 = stablehlo.add %255, %310 : tensor<4x16x32xf32>
    %cst_54 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %312 = stablehlo.broadcast_in_dim %cst_54, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %313 = stablehlo.power %311, %312 : tensor<4x16x32xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %314 = stablehlo.reduce(%313 init: %cst_55) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_56 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %317 = stablehlo.divide %315, %316 : tensor<4x16x1xf32>
    %cst_57 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %319 = stablehlo.add %317, %318 : tensor<4x16x1xf32>
    %320 = stablehlo.rsqrt %319 : tensor<4x16x1xf32>
    %321 = stablehlo.broadcast_in_dim %320, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %322 = stablehlo.multiply %311, %321 : tensor<4x16x32xf32>
    %323 = stablehlo.broadcast_in_dim %arg33, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %324 = stablehlo.broadcast_in_dim %323, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %325 = stablehlo.multiply %324, %322 : tensor<4x16x32xf32>
    %326 = stablehlo.dot_general %325, %arg31, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %327 = call @silu(%326) : (tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
    %328 = stablehlo.dot_general %325, %arg32, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %329 = stablehlo.multiply %327, %328 : tensor<4x16x64xf32>
    %330 = stablehlo.dot_general %329, %arg30, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x64xf32>, tensor<32x64xf32>) -> tensor<4x16x32xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %331 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %332 = stablehlo.multiply %330, %331 : tensor<4x16x32xf32>
    %333 = stablehlo.add %311, %332 : tensor<4x16x32xf32>
    %cst_59 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %335 = stablehlo.power %333, %334 : tensor<4x16x32xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %336 = stablehlo.reduce(%335 init: %cst_60) applies stablehlo.add across dimensions = [2] : (tensor<4x16x32xf32>, tensor<f32>) -> tensor<4x16xf32>
    %337 = stablehlo.broadcast_in_dim %336, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
    %cst_61 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %339 = stablehlo.divide %337, %338 : tensor<4x16x1xf32>
    %cst_62 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %340 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<4x16x1xf32>
    %341 = stablehlo.add %339, %340 : tensor<4x16x1xf32>
    %342 = stablehlo.rsqrt %341 : tensor<4x16x1xf32>
    %343 = stablehlo.broadcast_in_dim %342, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x32xf32>
    %344 = stablehlo.multiply %333, %343 : tensor<4x16x32xf32>
    %345 = stablehlo.broadcast_in_dim %arg38, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %346 = stablehlo.broadcast_in_dim %345, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<4x16x32xf32>
    %347 = stablehlo.multiply %346, %344 : tensor<4x16x32xf32>
    %348 = stablehlo.dot_general %347, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x32xf32>, tensor<64x32xf32>) -> tensor<4x16x64xf32>
    %c_63 = stablehlo.constant dense<-100> : tensor<i32>
    %349 = call @_pad(%arg41, %c_63) : (tensor<4x16xi32>, tensor<i32>) -> tensor<4x17xi32>
    %350 = stablehlo.reshape %348 : (tensor<4x16x64xf32>) -> tensor<64x64xf32>
    %351 = stablehlo.slice %349 [0:4, 1:17] : (tensor<4x17xi32>) -> tensor<4x16xi32>
    %352 = stablehlo.reshape %351 : (tensor<4x16xi32>) -> tensor<64xi32>
    %cst_64 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %353 = stablehlo.reduce(%350 init: %cst_64) applies stablehlo.maximum across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %cst_65 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %354 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %355 = stablehlo.maximum %354, %353 : tensor<64xf32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %357 = stablehlo.is_finite %356 : (tensor<64x1xf32>) -> tensor<64x1xi1>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %358 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<64x1xf32>
    %359 = stablehlo.select %357, %356, %358 : tensor<64x1xi1>, tensor<64x1xf32>
    %360 = stablehlo.composite "meshloom.stop_gradient" %359 {decomposition = @meshloom.stop_gradient_4} : (tensor<64x1xf32>) -> tensor<64x1xf32>
    %361 = stablehlo.broadcast_in_dim %360, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %362 = stablehlo.subtract %350, %361 : tensor<64x64xf32>
    %363 = stablehlo.exponential %362 : tensor<64x64xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %364 = stablehlo.reduce(%363 init: %cst_67) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %365 = stablehlo.broadcast_in_dim %364, dims = [0] : (tensor<64xf32>) -> tensor<64x1xf32>
    %366 = stablehlo.abs %365 : tensor<64x1xf32>
    %367 = stablehlo.log %366 : tensor<64x1xf32>
    %368 = stablehlo.add %367, %360 : tensor<64x1xf32>
    %369 = stablehlo.broadcast_in_dim %368, dims = [0, 1] : (tensor<64x1xf32>) -> tensor<64x64xf32>
    %370 = stablehlo.subtract %350, %369 : tensor<64x64xf32>
    %c_68 = stablehlo.constant dense<-100> : tensor<i32>
    %371 = stablehlo.broadcast_in_dim %c_68, dims = [] : (tensor<i32>) -> tensor<64xi32>
    %372 = stablehlo.compare NE, %352, %371, SIGNED : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi1>
    %373 = stablehlo.iota dim = 1 : tensor<64x64xi32>
    %374 = stablehlo.broadcast_in_dim %352, dims = [0] : (tensor<64xi32>) -> tensor<64x1xi32>
    %375 = stablehlo.broadcast_in_dim %374, dims = [0, 1] : (tensor<64x1xi32>) -> tensor<64x64xi32>
    %376 = stablehlo.compare EQ, %373, %375, SIGNED : (tensor<64x64xi32>, tensor<64x64xi32>) -> tensor<64x64xi1>
    %c_69 = stablehlo.constant dense<0> : tensor<i32>
    %377 = call @_where_5(%376, %370, %c_69) : (tensor<64x64xi1>, tensor<64x64xf32>, tensor<i32>) -> tensor<64x64xf32>
    %cst_70 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %378 = stablehlo.reduce(%377 init: %cst_70) applies stablehlo.add across dimensions = [1] : (tensor<64x64xf32>, tensor<f32>) -> tensor<64xf32>
    %379 = stablehlo.negate %378 : tensor<64xf32>
    %cst_71 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %380 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %381 = stablehlo.multiply %379, %380 : tensor<64xf32>
    %c_72 = stablehlo.constant dense<0> : tensor<i32>
    %382 = call @_where_6(%372, %381, %c_72) : (tensor<64xi1>, tensor<64xf32>, tensor<i32>) -> tensor<64xf32>
    %c_73 = stablehlo.constant dense<0> : tensor<i32>
    %383 = call @_where_6(%372, %380, %c_73) : (tensor<64xi1>, tensor<64xf32>, tensor<i32>) -> tensor<64xf32>
    %cst_74 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %384 = stablehlo.reduce(%383 init: %cst_74) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %385 = stablehlo.reduce(%382 init: %cst_75) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
    %386 = stablehlo.divide %385, %384 : tensor<f32>
    return %arg0, %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg10, %arg11, %arg12, %arg13, %arg14, %arg15, %arg16, %arg17, %arg18, %arg19, %arg20, %arg21, %arg22, %arg23, %arg24, %arg25, %arg26, %arg27, %arg28, %arg29, %arg30, %arg31, %arg32, %arg33, %arg34, %arg35, %arg36, %arg37, %arg38, %386 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x64xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<32xf32>, tensor<16x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<f32>
  }
  func.func private @_take(%arg0: tensor<64x32xf32>, %arg1: tensor<4x16xi32>) -> tensor<4x16x32xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x16xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x16xi32>, tensor<4x16xi32>) -> tensor<4x16xi1>
    %c_0 = stablehlo.constant dense<64> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x16xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x16xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<4x16xi1>, tensor<4x16xi32>, tensor<4x16xi32>) -> tensor<4x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x16xi32>) -> tensor<4x16x1xi32>
    %c_1 = stablehlo.constant dense<63> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x16x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x16x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x16x1xi32>, tensor<4x16x1xi32>) -> tensor<4x16x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x16x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x16x1xi1>, tensor<i1>) -> tensor<4x16xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xf32>, tensor<4x16x1xi32>) -> tensor<4x16x32xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x16xi1>) -> tensor<4x16x32xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16x32xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<4x16x32xi1>, tensor<4x16x32xf32>
    return %16 : tensor<4x16x32xf32>
  }
  func.func private @_where(%arg0: tensor<4x16xi1>, %arg1: tensor<4x16xi32>, %arg2: tensor<4x16xi32>) -> tensor<4x16xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x16xi1>, tensor<4x16xi32>
    return %0 : tensor<4x16xi32>
  }
  func.func private @meshloom.attention.causal(%arg0: tensor<4x4x16x8xf32>, %arg1: tensor<4x2x16x8xf32>, %arg2: tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x8xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<4x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<4x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<4x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<4x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<4x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x16xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x8xf32>
    return %22 : tensor<4x4x16x8xf32>
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
  func.func private @_where_0(%arg0: tensor<16x16xi1>, %arg1: tensor<4x4x16x16xf32>, %arg2: tensor<f32>) -> tensor<4x4x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<4x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<4x4x16x16xi1>, tensor<4x4x16x16xf32>
    return %2 : tensor<4x4x16x16xf32>
  }
  func.func private @meshloom.stop_gradient(%arg0: tensor<4x4x16x1xf32>) -> tensor<4x4x16x1xf32> {
    return %arg0 : tensor<4x4x16x1xf32>
  }
  func.func private @silu(%arg0: tensor<4x16x64xf32>) -> tensor<4x16x64xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4x16x64xf32>
    %1 = stablehlo.exponential %0 : tensor<4x16x64xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %3 = stablehlo.add %2, %1 : tensor<4x16x64xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x16x64xf32>
    %5 = stablehlo.divide %4, %3 : tensor<4x16x64xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<4x16x64xf32>
    return %6 : tensor<4x16x64xf32>
  }
  func.func private @meshloom.attention.causal_1(%arg0: tensor<4x4x16x8xf32>, %arg1: tensor<4x2x16x8xf32>, %arg2: tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x8xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<4x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<4x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<4x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<4x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<4x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x16xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x8xf32>
    return %22 : tensor<4x4x16x8xf32>
  }
  func.func private @meshloom.attention.causal_2(%arg0: tensor<4x4x16x8xf32>, %arg1: tensor<4x2x16x8xf32>, %arg2: tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x8xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<4x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<4x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<4x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<4x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<4x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x16xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x8xf32>
    return %22 : tensor<4x4x16x8xf32>
  }
  func.func private @meshloom.attention.causal_3(%arg0: tensor<4x4x16x8xf32>, %arg1: tensor<4x2x16x8xf32>, %arg2: tensor<4x2x16x8xf32>) -> tensor<4x4x16x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1, 3, 4] : (tensor<4x2x16x8xf32>) -> tensor<4x2x2x16x8xf32>
    %3 = stablehlo.reshape %2 : (tensor<4x2x2x16x8xf32>) -> tensor<4x4x16x8xf32>
    %4 = stablehlo.dot_general %arg0, %1, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x8xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x16xf32>
    %cst = stablehlo.constant dense<0.353553385> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x16x16xf32>
    %6 = stablehlo.multiply %4, %5 : tensor<4x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %8 = call @tril(%7) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_0 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %9 = call @_where_0(%8, %6, %cst_0) : (tensor<16x16xi1>, tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16x16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.reduce(%9 init: %cst_1) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %cst_2 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %12 = stablehlo.maximum %11, %10 : tensor<4x4x16xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %14 = stablehlo.composite "meshloom.stop_gradient" %13 {decomposition = @meshloom.stop_gradient} : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x1xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %16 = stablehlo.subtract %9, %15 : tensor<4x4x16x16xf32>
    %17 = stablehlo.exponential %16 : tensor<4x4x16x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.reduce(%17 init: %cst_3) applies stablehlo.add across dimensions = [3] : (tensor<4x4x16x16xf32>, tensor<f32>) -> tensor<4x4x16xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x4x16xf32>) -> tensor<4x4x16x1xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x4x16x1xf32>) -> tensor<4x4x16x16xf32>
    %21 = stablehlo.divide %17, %20 : tensor<4x4x16x16xf32>
    %22 = stablehlo.dot_general %21, %3, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x16x16xf32>, tensor<4x4x16x8xf32>) -> tensor<4x4x16x8xf32>
    return %22 : tensor<4x4x16x8xf32>
  }
  func.func private @_pad(%arg0: tensor<4x16xi32>, %arg1: tensor<i32>) -> tensor<4x17xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<4x16xi32>, tensor<i32>) -> tensor<4x17xi32>
    return %1 : tensor<4x17xi32>
  }
  func.func private @meshloom.stop_gradient_4(%arg0: tensor<64x1xf32>) -> tensor<64x1xf32> {
    return %arg0 : tensor<64x1xf32>
  }
  func.func private @_where_5(%arg0: tensor<64x64xi1>, %arg1: tensor<64x64xf32>, %arg2: tensor<i32>) -> tensor<64x64xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64x64xi1>, tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
  func.func private @_where_6(%arg0: tensor<64xi1>, %arg1: tensor<64xf32>, %arg2: tensor<i32>) -> tensor<64xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<64xi1>, tensor<64xf32>
    return %2 : tensor<64xf32>
  }
}
