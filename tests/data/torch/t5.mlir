module @jit_main attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x32xf32> {tf.aliasing_output = 0 : i32}, %arg1: tensor<32x32xf32> {tf.aliasing_output = 1 : i32}, %arg2: tensor<32x32xf32> {tf.aliasing_output = 2 : i32}, %arg3: tensor<32x4xf32> {tf.aliasing_output = 3 : i32}, %arg4: tensor<32x32xf32> {tf.aliasing_output = 4 : i32}, %arg5: tensor<32xf32> {tf.aliasing_output = 5 : i32}, %arg6: tensor<32x32xf32> {tf.aliasing_output = 6 : i32}, %arg7: tensor<32x32xf32> {tf.aliasing_output = 7 : i32}, %arg8: tensor<32x32xf32> {tf.aliasing_output = 8 : i32}, %arg9: tensor<32x32xf32> {tf.aliasing_output = 9 : i32}, %arg10: tensor<32xf32> {tf.aliasing_output = 10 : i32}, %arg11: tensor<64x32xf32> {tf.aliasing_output = 11 : i32}, %arg12: tensor<32x64xf32> {tf.aliasing_output = 12 : i32}, %arg13: tensor<32xf32> {tf.aliasing_output = 13 : i32}, %arg14: tensor<32x32xf32> {tf.aliasing_output = 14 : i32}, %arg15: tensor<32x32xf32> {tf.aliasing_output = 15 : i32}, %arg16: tensor<32x32xf32> {tf.aliasing_output = 16 : i32}, %arg17: tensor<32x32xf32> {tf.aliasing_output = 17 : i32}, %arg18: tensor<32xf32> {tf.aliasing_output = 18 : i32}, %arg19: tensor<32x32xf32> {tf.aliasing_output = 19 : i32}, %arg20: tensor<32x32xf32> {tf.aliasing_output = 20 : i32}, %arg21: tensor<32x32xf32> {tf.aliasing_output = 21 : i32}, %arg22: tensor<32x32xf32> {tf.aliasing_output = 22 : i32}, %arg23: tensor<32xf32> {tf.aliasing_output = 23 : i32}, %arg24: tensor<64x32xf32> {tf.aliasing_output = 24 : i32}, %arg25: tensor<32x64xf32> {tf.aliasing_output = 25 : i32}, %arg26: tensor<32xf32> {tf.aliasing_output = 26 : i32}, %arg27: tensor<32xf32> {tf.aliasing_output = 27 : i32}, %arg28: tensor<32x32xf32> {tf.aliasing_output = 28 : i32}, %arg29: tensor<32x32xf32> {tf.aliasing_output = 29 : i32}, %arg30: tensor<32x32xf32> {tf.aliasing_output = 30 : i32}, %arg31: tensor<32x4xf32> {tf.aliasing_output = 31 : i32}, %arg32: tensor<32x32xf32> {tf.aliasing_output = 32 : i32}, %arg33: tensor<32xf32> {tf.aliasing_output = 33 : i32}, %arg34: tensor<64x32xf32> {tf.aliasing_output = 34 : i32}, %arg35: tensor<32x64xf32> {tf.aliasing_output = 35 : i32}, %arg36: tensor<32xf32> {tf.aliasing_output = 36 : i32}, %arg37: tensor<32x32xf32> {tf.aliasing_output = 37 : i32}, %arg38: tensor<32x32xf32> {tf.aliasing_output = 38 : i32}, %arg39: tensor<32x32xf32> {tf.aliasing_output = 39 : i32}, %arg40: tensor<32x32xf32> {tf.aliasing_output = 40 : i32}, %arg41: tensor<32xf32> {tf.aliasing_output = 41 : i32}, %arg42: tensor<64x32xf32> {tf.aliasing_output = 42 : i32}, %arg43: tensor<32x64xf32> {tf.aliasing_output = 43 : i32}, %arg44: tensor<32xf32> {tf.aliasing_output = 44 : i32}, %arg45: tensor<32xf32> {tf.aliasing_output = 45 : i32}, %arg46: tensor<64x32xf32> {tf.aliasing_output = 46 : i32}, %arg47: tensor<32x32xf32> {tf.aliasing_output = 47 : i32}, %arg48: tensor<32x32xf32> {tf.aliasing_output = 48 : i32}, %arg49: tensor<32x32xf32> {tf.aliasing_output = 49 : i32}, %arg50: tensor<32x4xf32> {tf.aliasing_output = 50 : i32}, %arg51: tensor<32x32xf32> {tf.aliasing_output = 51 : i32}, %arg52: tensor<32xf32> {tf.aliasing_output = 52 : i32}, %arg53: tensor<32x32xf32> {tf.aliasing_output = 53 : i32}, %arg54: tensor<32x32xf32> {tf.aliasing_output = 54 : i32}, %arg55: tensor<32x32xf32> {tf.aliasing_output = 55 : i32}, %arg56: tensor<32x32xf32> {tf.aliasing_output = 56 : i32}, %arg57: tensor<32xf32> {tf.aliasing_output = 57 : i32}, %arg58: tensor<64x32xf32> {tf.aliasing_output = 58 : i32}, %arg59: tensor<32x64xf32> {tf.aliasing_output = 59 : i32}, %arg60: tensor<32xf32> {tf.aliasing_output = 60 : i32}, %arg61: tensor<32x32xf32> {tf.aliasing_output = 61 : i32}, %arg62: tensor<32x32xf32> {tf.aliasing_output = 62 : i32}, %arg63: tensor<32x32xf32> {tf.aliasing_output = 63 : i32}, %arg64: tensor<32x32xf32> {tf.aliasing_output = 64 : i32}, %arg65: tensor<32xf32> {tf.aliasing_output = 65 : i32}, %arg66: tensor<32x32xf32> {tf.aliasing_output = 66 : i32}, %arg67: tensor<32x32xf32> {tf.aliasing_output = 67 : i32}, %arg68: tensor<32x32xf32> {tf.aliasing_output = 68 : i32}, %arg69: tensor<32x32xf32> {tf.aliasing_output = 69 : i32}, %arg70: tensor<32xf32> {tf.aliasing_output = 70 : i32}, %arg71: tensor<64x32xf32> {tf.aliasing_output = 71 : i32}, %arg72: tensor<32x64xf32> {tf.aliasing_output = 72 : i32}, %arg73: tensor<32xf32> {tf.aliasing_output = 73 : i32}, %arg74: tensor<32xf32> {tf.aliasing_output = 74 : i32}, %arg75: tensor<32x32xf32> {tf.aliasing_output = 75 : i32}, %arg76: tensor<32x32xf32> {tf.aliasing_output = 76 : i32}, %arg77: tensor<32x32xf32> {tf.aliasing_output = 77 : i32}, %arg78: tensor<32x4xf32> {tf.aliasing_output = 78 : i32}, %arg79: tensor<32x32xf32> {tf.aliasing_output = 79 : i32}, %arg80: tensor<32xf32> {tf.aliasing_output = 80 : i32}, %arg81: tensor<64x32xf32> {tf.aliasing_output = 81 : i32}, %arg82: tensor<32x64xf32> {tf.aliasing_output = 82 : i32}, %arg83: tensor<32xf32> {tf.aliasing_output = 83 : i32}, %arg84: tensor<32x32xf32> {tf.aliasing_output = 84 : i32}, %arg85: tensor<32x32xf32> {tf.aliasing_output = 85 : i32}, %arg86: tensor<32x32xf32> {tf.aliasing_output = 86 : i32}, %arg87: tensor<32x32xf32> {tf.aliasing_output = 87 : i32}, %arg88: tensor<32xf32> {tf.aliasing_output = 88 : i32}, %arg89: tensor<64x32xf32> {tf.aliasing_output = 89 : i32}, %arg90: tensor<32x64xf32> {tf.aliasing_output = 90 : i32}, %arg91: tensor<32xf32> {tf.aliasing_output = 91 : i32}, %arg92: tensor<32xf32> {tf.aliasing_output = 92 : i32}, %arg93: tensor<64x32xf32> {tf.aliasing_output = 93 : i32}, %arg94: tensor<32x32xf32> {tf.aliasing_output = 94 : i32}, %arg95: tensor<32x32xf32> {tf.aliasing_output = 95 : i32}, %arg96: tensor<32x32xf32> {tf.aliasing_output = 96 : i32}, %arg97: tensor<32x4xf32> {tf.aliasing_output = 97 : i32}, %arg98: tensor<32x32xf32> {tf.aliasing_output = 98 : i32}, %arg99: tensor<32xf32> {tf.aliasing_output = 99 : i32}, %arg100: tensor<32x32xf32> {tf.aliasing_output = 100 : i32}, %arg101: tensor<32x32xf32> {tf.aliasing_output = 101 : i32}, %arg102: tensor<32x32xf32> {tf.aliasing_output = 102 : i32}, %arg103: tensor<32x32xf32> {tf.aliasing_output = 103 : i32}, %arg104: tensor<32xf32> {tf.aliasing_output = 104 : i32}, %arg105: tensor<64x32xf32> {tf.aliasing_output = 105 : i32}, %arg106: tensor<32x64xf32> {tf.aliasing_output = 106 : i32}, %arg107: tensor<32xf32> {tf.aliasing_output = 107 : i32}, %arg108: tensor<32x32xf32> {tf.aliasing_output = 108 : i32}, %arg109: tensor<32x32xf32> {tf.aliasing_output = 109 : i32}, %arg110: tensor<32x32xf32> {tf.aliasing_output = 110 : i32}, %arg111: tensor<32x32xf32> {tf.aliasing_output = 111 : i32}, %arg112: tensor<32xf32> {tf.aliasing_output = 112 : i32}, %arg113: tensor<32x32xf32> {tf.aliasing_output = 113 : i32}, %arg114: tensor<32x32xf32> {tf.aliasing_output = 114 : i32}, %arg115: tensor<32x32xf32> {tf.aliasing_output = 115 : i32}, %arg116: tensor<32x32xf32> {tf.aliasing_output = 116 : i32}, %arg117: tensor<32xf32> {tf.aliasing_output = 117 : i32}, %arg118: tensor<64x32xf32> {tf.aliasing_output = 118 : i32}, %arg119: tensor<32x64xf32> {tf.aliasing_output = 119 : i32}, %arg120: tensor<32xf32> {tf.aliasing_output = 120 : i32}, %arg121: tensor<32xf32> {tf.aliasing_output = 121 : i32}, %arg122: tensor<32x32xf32> {tf.aliasing_output = 122 : i32}, %arg123: tensor<32x32xf32> {tf.aliasing_output = 123 : i32}, %arg124: tensor<32x32xf32> {tf.aliasing_output = 124 : i32}, %arg125: tensor<32x4xf32> {tf.aliasing_output = 125 : i32}, %arg126: tensor<32x32xf32> {tf.aliasing_output = 126 : i32}, %arg127: tensor<32xf32> {tf.aliasing_output = 127 : i32}, %arg128: tensor<64x32xf32> {tf.aliasing_output = 128 : i32}, %arg129: tensor<32x64xf32> {tf.aliasing_output = 129 : i32}, %arg130: tensor<32xf32> {tf.aliasing_output = 130 : i32}, %arg131: tensor<32x32xf32> {tf.aliasing_output = 131 : i32}, %arg132: tensor<32x32xf32> {tf.aliasing_output = 132 : i32}, %arg133: tensor<32x32xf32> {tf.aliasing_output = 133 : i32}, %arg134: tensor<32x32xf32> {tf.aliasing_output = 134 : i32}, %arg135: tensor<32xf32> {tf.aliasing_output = 135 : i32}, %arg136: tensor<64x32xf32> {tf.aliasing_output = 136 : i32}, %arg137: tensor<32x64xf32> {tf.aliasing_output = 137 : i32}, %arg138: tensor<32xf32> {tf.aliasing_output = 138 : i32}, %arg139: tensor<32xf32> {tf.aliasing_output = 139 : i32}, %arg140: tensor<64x32xf32> {tf.aliasing_output = 140 : i32}, %arg141: tensor<f32> {tf.aliasing_output = 141 : i32}, %arg142: tensor<8x16xi32>, %arg143: tensor<8x16xi32>) -> (tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.0.SelfAttention.q.weight']"}, tensor<32x4xf32> {jax.result_info = "result[0]['decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.0.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.1.EncDecAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.1.EncDecAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.1.EncDecAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.1.EncDecAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.1.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.2.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['decoder.block.0.layer.2.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['decoder.block.0.layer.2.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.0.SelfAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.0.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.1.EncDecAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.1.EncDecAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.1.EncDecAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.1.EncDecAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.1.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.2.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['decoder.block.1.layer.2.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['decoder.block.1.layer.2.layer_norm.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['decoder.final_layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.0.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.0.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.0.layer.0.SelfAttention.q.weight']"}, tensor<32x4xf32> {jax.result_info = "result[0]['encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.0.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['encoder.block.0.layer.0.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['encoder.block.0.layer.1.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['encoder.block.0.layer.1.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['encoder.block.0.layer.1.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.1.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.1.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.1.layer.0.SelfAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[0]['encoder.block.1.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['encoder.block.1.layer.0.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['encoder.block.1.layer.1.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[0]['encoder.block.1.layer.1.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['encoder.block.1.layer.1.layer_norm.weight']"}, tensor<32xf32> {jax.result_info = "result[0]['encoder.final_layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[0]['shared.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.0.SelfAttention.q.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.0.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.1.EncDecAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.1.EncDecAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.1.EncDecAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.1.EncDecAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.1.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.2.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.2.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.0.layer.2.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.0.SelfAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.0.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.1.EncDecAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.1.EncDecAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.1.EncDecAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.1.EncDecAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.1.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.2.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.2.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.block.1.layer.2.layer_norm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['decoder.final_layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.0.SelfAttention.q.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.0.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.1.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.1.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.0.layer.1.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.0.SelfAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.0.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.1.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.1.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.block.1.layer.1.layer_norm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg']['encoder.final_layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg']['shared.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.0.SelfAttention.q.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.0.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.1.EncDecAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.1.EncDecAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.1.EncDecAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.1.EncDecAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.1.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.2.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.2.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.0.layer.2.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.0.SelfAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.0.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.1.EncDecAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.1.EncDecAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.1.EncDecAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.1.EncDecAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.1.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.2.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.2.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.block.1.layer.2.layer_norm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['decoder.final_layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.0.SelfAttention.q.weight']"}, tensor<32x4xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.0.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.1.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.1.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.0.layer.1.layer_norm.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.0.SelfAttention.k.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.0.SelfAttention.o.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.0.SelfAttention.q.weight']"}, tensor<32x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.0.SelfAttention.v.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.0.layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.1.DenseReluDense.wi.weight']"}, tensor<32x64xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.1.DenseReluDense.wo.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.block.1.layer.1.layer_norm.weight']"}, tensor<32xf32> {jax.result_info = "result[1]['exp_avg_sq']['encoder.final_layer_norm.weight']"}, tensor<64x32xf32> {jax.result_info = "result[1]['exp_avg_sq']['shared.weight']"}, tensor<f32> {jax.result_info = "result[1]['step']"}, tensor<f32> {jax.result_info = "result[3]['loss']"}) {
    %0:2 = call @_take(%arg46, %arg142) : (tensor<64x32xf32>, tensor<8x16xi32>) -> (tensor<8x16x32xf32>, tensor<8x16x1xi32>)
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %2 = stablehlo.power %0#0, %1 : tensor<8x16x32xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.subtract %cst_0, %cst_1 : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %5 = stablehlo.power %0#0, %4 : tensor<8x16x32xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %7 = stablehlo.multiply %6, %5 : tensor<8x16x32xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%2 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_4 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<8x16x1xf32>
    %cst_5 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<8x16x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<8x16x1xf32>
    %15 = stablehlo.divide %14, %13 : tensor<8x16x1xf32>
    %cst_6 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<8x16x1xf32>
    %18 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %19 = stablehlo.multiply %0#0, %18 : tensor<8x16x32xf32>
    %20 = stablehlo.broadcast_in_dim %arg33, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %22 = stablehlo.multiply %21, %19 : tensor<8x16x32xf32>
    %23 = stablehlo.dot_general %22, %arg30, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %24 = stablehlo.reshape %23 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %25 = stablehlo.transpose %24, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %26 = stablehlo.dot_general %22, %arg28, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %27 = stablehlo.reshape %26 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %28 = stablehlo.transpose %27, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %29 = stablehlo.dot_general %22, %arg32, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %30 = stablehlo.reshape %29 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %31 = stablehlo.transpose %30, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %32 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %34 = stablehlo.multiply %33, %32 : tensor<16xi32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %35 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %36 = stablehlo.add %35, %34 : tensor<16xi32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %38 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %39 = stablehlo.add %37, %38 : tensor<16x1xi32>
    %40 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %42 = stablehlo.multiply %41, %40 : tensor<16xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %44 = stablehlo.add %43, %42 : tensor<16xi32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %47 = stablehlo.multiply %39, %46 : tensor<16x1xi32>
    %48 = stablehlo.broadcast_in_dim %45, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %49 = stablehlo.broadcast_in_dim %47, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %50 = stablehlo.subtract %48, %49 : tensor<16x16xi32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %51 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %52 = stablehlo.compare GT, %50, %51, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %53 = stablehlo.convert %52 : (tensor<16x16xi1>) -> tensor<16x16xi32>
    %c_13 = stablehlo.constant dense<16> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %55 = stablehlo.multiply %53, %54 : tensor<16x16xi32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %57 = stablehlo.add %55, %56 : tensor<16x16xi32>
    %58 = stablehlo.abs %50 : tensor<16x16xi32>
    %c_15 = stablehlo.constant dense<8> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %60 = stablehlo.compare LT, %58, %59, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %61 = stablehlo.convert %58 : (tensor<16x16xi32>) -> tensor<16x16xf32>
    %cst_16 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %63 = stablehlo.divide %61, %62 : tensor<16x16xf32>
    %64 = stablehlo.log %63 : tensor<16x16xf32>
    %cst_17 = stablehlo.constant dense<2.77258873> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %66 = stablehlo.divide %64, %65 : tensor<16x16xf32>
    %cst_18 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %68 = stablehlo.multiply %66, %67 : tensor<16x16xf32>
    %69 = stablehlo.convert %68 : (tensor<16x16xf32>) -> tensor<16x16xi32>
    %c_19 = stablehlo.constant dense<8> : tensor<i32>
    %70 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %71 = stablehlo.add %69, %70 : tensor<16x16xi32>
    %c_20 = stablehlo.constant dense<15> : tensor<i32>
    %72 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %73 = stablehlo.minimum %71, %72 : tensor<16x16xi32>
    %74 = call @_where_0(%60, %58, %73) : (tensor<16x16xi1>, tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi32>
    %c_21 = stablehlo.constant dense<1> : tensor<i32>
    %75 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %76 = stablehlo.multiply %74, %75 : tensor<16x16xi32>
    %77 = stablehlo.add %57, %76 : tensor<16x16xi32>
    %78:2 = call @_take_1(%arg31, %77) : (tensor<32x4xf32>, tensor<16x16xi32>) -> (tensor<16x16x4xf32>, tensor<16x16x1xi32>)
    %79 = stablehlo.transpose %78#0, dims = [2, 0, 1] : (tensor<16x16x4xf32>) -> tensor<4x16x16xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [1, 2, 3] : (tensor<4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %81 = stablehlo.transpose %25, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %82 = stablehlo.transpose %28, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %83 = stablehlo.transpose %31, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %84 = stablehlo.reshape %81 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %85 = stablehlo.reshape %80 : (tensor<1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %86 = stablehlo.dot_general %84, %82, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %88 = stablehlo.multiply %86, %87 : tensor<8x4x16x1x16xf32>
    %89 = stablehlo.transpose %88, dims = [3, 0, 1, 2, 4] : (tensor<8x4x16x1x16xf32>) -> tensor<1x8x4x16x16xf32>
    %90 = stablehlo.transpose %85, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %92 = stablehlo.add %89, %91 : tensor<1x8x4x16x16xf32>
    %cst_23 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %93 = stablehlo.reduce(%92 init: %cst_23) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_24 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %95 = stablehlo.maximum %94, %93 : tensor<1x8x4x16xf32>
    %96 = stablehlo.broadcast_in_dim %95, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %98 = stablehlo.subtract %92, %97 : tensor<1x8x4x16x16xf32>
    %99 = stablehlo.exponential %98 : tensor<1x8x4x16x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %100 = stablehlo.reduce(%99 init: %cst_25) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %101 = stablehlo.broadcast_in_dim %100, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %102 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %103 = stablehlo.divide %99, %102 : tensor<1x8x4x16x16xf32>
    %104 = stablehlo.multiply %101, %101 : tensor<1x8x4x16x1xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %106 = stablehlo.divide %105, %104 : tensor<1x8x4x16x1xf32>
    %107 = stablehlo.dot_general %83, %103, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %108 = stablehlo.transpose %107, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %109 = stablehlo.transpose %108, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %110 = stablehlo.reshape %109 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %111 = stablehlo.transpose %110, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %112 = stablehlo.transpose %111, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %113 = stablehlo.reshape %112 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %114 = stablehlo.dot_general %113, %arg29, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %116 = stablehlo.multiply %114, %115 : tensor<8x16x32xf32>
    %117 = stablehlo.add %0#0, %116 : tensor<8x16x32xf32>
    %cst_28 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %119 = stablehlo.power %117, %118 : tensor<8x16x32xf32>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %120 = stablehlo.subtract %cst_29, %cst_30 : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %120, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %122 = stablehlo.power %117, %121 : tensor<8x16x32xf32>
    %cst_31 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %124 = stablehlo.multiply %123, %122 : tensor<8x16x32xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %125 = stablehlo.reduce(%119 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %126 = stablehlo.broadcast_in_dim %125, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_33 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %127 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %128 = stablehlo.divide %126, %127 : tensor<8x16x1xf32>
    %cst_34 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %130 = stablehlo.add %128, %129 : tensor<8x16x1xf32>
    %131 = stablehlo.rsqrt %130 : tensor<8x16x1xf32>
    %132 = stablehlo.divide %131, %130 : tensor<8x16x1xf32>
    %cst_35 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %133 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %134 = stablehlo.multiply %133, %132 : tensor<8x16x1xf32>
    %135 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %136 = stablehlo.multiply %117, %135 : tensor<8x16x32xf32>
    %137 = stablehlo.broadcast_in_dim %arg36, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %139 = stablehlo.multiply %138, %136 : tensor<8x16x32xf32>
    %140 = stablehlo.dot_general %139, %arg34, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %141 = call @relu(%140) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %142 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %143 = stablehlo.compare GT, %140, %142, FLOAT : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<8x16x64xi1>
    %144 = stablehlo.dot_general %141, %arg35, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %146 = stablehlo.multiply %144, %145 : tensor<8x16x32xf32>
    %147 = stablehlo.add %117, %146 : tensor<8x16x32xf32>
    %cst_38 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %148 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %149 = stablehlo.power %147, %148 : tensor<8x16x32xf32>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_40 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %150 = stablehlo.subtract %cst_39, %cst_40 : tensor<f32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %152 = stablehlo.power %147, %151 : tensor<8x16x32xf32>
    %cst_41 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %154 = stablehlo.multiply %153, %152 : tensor<8x16x32xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.reduce(%149 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_43 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %158 = stablehlo.divide %156, %157 : tensor<8x16x1xf32>
    %cst_44 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %159 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %160 = stablehlo.add %158, %159 : tensor<8x16x1xf32>
    %161 = stablehlo.rsqrt %160 : tensor<8x16x1xf32>
    %162 = stablehlo.divide %161, %160 : tensor<8x16x1xf32>
    %cst_45 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %163 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %164 = stablehlo.multiply %163, %162 : tensor<8x16x1xf32>
    %165 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %166 = stablehlo.multiply %147, %165 : tensor<8x16x32xf32>
    %167 = stablehlo.broadcast_in_dim %arg41, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %168 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %169 = stablehlo.multiply %168, %166 : tensor<8x16x32xf32>
    %170 = stablehlo.dot_general %169, %arg39, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %171 = stablehlo.reshape %170 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %172 = stablehlo.transpose %171, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %173 = stablehlo.dot_general %169, %arg37, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %174 = stablehlo.reshape %173 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %175 = stablehlo.transpose %174, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %176 = stablehlo.dot_general %169, %arg40, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %177 = stablehlo.reshape %176 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %178 = stablehlo.transpose %177, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %179 = stablehlo.transpose %172, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %180 = stablehlo.transpose %175, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %181 = stablehlo.transpose %178, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %182 = stablehlo.reshape %179 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %183 = stablehlo.reshape %80 : (tensor<1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %184 = stablehlo.dot_general %182, %180, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %185 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %186 = stablehlo.multiply %184, %185 : tensor<8x4x16x1x16xf32>
    %187 = stablehlo.transpose %186, dims = [3, 0, 1, 2, 4] : (tensor<8x4x16x1x16xf32>) -> tensor<1x8x4x16x16xf32>
    %188 = stablehlo.transpose %183, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %189 = stablehlo.broadcast_in_dim %188, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %190 = stablehlo.add %187, %189 : tensor<1x8x4x16x16xf32>
    %cst_47 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %191 = stablehlo.reduce(%190 init: %cst_47) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_48 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %192 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %193 = stablehlo.maximum %192, %191 : tensor<1x8x4x16xf32>
    %194 = stablehlo.broadcast_in_dim %193, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %195 = stablehlo.broadcast_in_dim %194, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %196 = stablehlo.subtract %190, %195 : tensor<1x8x4x16x16xf32>
    %197 = stablehlo.exponential %196 : tensor<1x8x4x16x16xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %198 = stablehlo.reduce(%197 init: %cst_49) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %199 = stablehlo.broadcast_in_dim %198, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %200 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %201 = stablehlo.divide %197, %200 : tensor<1x8x4x16x16xf32>
    %202 = stablehlo.multiply %199, %199 : tensor<1x8x4x16x1xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %203 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %204 = stablehlo.divide %203, %202 : tensor<1x8x4x16x1xf32>
    %205 = stablehlo.dot_general %181, %201, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %206 = stablehlo.transpose %205, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %207 = stablehlo.transpose %206, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %208 = stablehlo.reshape %207 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %209 = stablehlo.transpose %208, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %210 = stablehlo.transpose %209, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %211 = stablehlo.reshape %210 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %212 = stablehlo.dot_general %211, %arg38, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_51 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %213 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %214 = stablehlo.multiply %212, %213 : tensor<8x16x32xf32>
    %215 = stablehlo.add %147, %214 : tensor<8x16x32xf32>
    %cst_52 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %216 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %217 = stablehlo.power %215, %216 : tensor<8x16x32xf32>
    %cst_53 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_54 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %218 = stablehlo.subtract %cst_53, %cst_54 : tensor<f32>
    %219 = stablehlo.broadcast_in_dim %218, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %220 = stablehlo.power %215, %219 : tensor<8x16x32xf32>
    %cst_55 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %222 = stablehlo.multiply %221, %220 : tensor<8x16x32xf32>
    %cst_56 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.reduce(%217 init: %cst_56) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_57 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %225 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %226 = stablehlo.divide %224, %225 : tensor<8x16x1xf32>
    %cst_58 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %228 = stablehlo.add %226, %227 : tensor<8x16x1xf32>
    %229 = stablehlo.rsqrt %228 : tensor<8x16x1xf32>
    %230 = stablehlo.divide %229, %228 : tensor<8x16x1xf32>
    %cst_59 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %231 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %232 = stablehlo.multiply %231, %230 : tensor<8x16x1xf32>
    %233 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %234 = stablehlo.multiply %215, %233 : tensor<8x16x32xf32>
    %235 = stablehlo.broadcast_in_dim %arg44, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %237 = stablehlo.multiply %236, %234 : tensor<8x16x32xf32>
    %238 = stablehlo.dot_general %237, %arg42, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %239 = call @relu(%238) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %240 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %241 = stablehlo.compare GT, %238, %240, FLOAT : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<8x16x64xi1>
    %242 = stablehlo.dot_general %239, %arg43, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_61 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %243 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %244 = stablehlo.multiply %242, %243 : tensor<8x16x32xf32>
    %245 = stablehlo.add %215, %244 : tensor<8x16x32xf32>
    %cst_62 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %246 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %247 = stablehlo.power %245, %246 : tensor<8x16x32xf32>
    %cst_63 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_64 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %248 = stablehlo.subtract %cst_63, %cst_64 : tensor<f32>
    %249 = stablehlo.broadcast_in_dim %248, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %250 = stablehlo.power %245, %249 : tensor<8x16x32xf32>
    %cst_65 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %252 = stablehlo.multiply %251, %250 : tensor<8x16x32xf32>
    %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%247 init: %cst_66) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_67 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %255 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %256 = stablehlo.divide %254, %255 : tensor<8x16x1xf32>
    %cst_68 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %258 = stablehlo.add %256, %257 : tensor<8x16x1xf32>
    %259 = stablehlo.rsqrt %258 : tensor<8x16x1xf32>
    %260 = stablehlo.divide %259, %258 : tensor<8x16x1xf32>
    %cst_69 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %261 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %262 = stablehlo.multiply %261, %260 : tensor<8x16x1xf32>
    %263 = stablehlo.broadcast_in_dim %259, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %264 = stablehlo.multiply %245, %263 : tensor<8x16x32xf32>
    %265 = stablehlo.broadcast_in_dim %arg45, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %266 = stablehlo.broadcast_in_dim %265, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %267 = stablehlo.multiply %266, %264 : tensor<8x16x32xf32>
    %c_70 = stablehlo.constant dense<0> : tensor<i32>
    %268 = stablehlo.broadcast_in_dim %c_70, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %269 = stablehlo.slice %arg143 [0:8, 0:15] : (tensor<8x16xi32>) -> tensor<8x15xi32>
    %c_71 = stablehlo.constant dense<1> : tensor<i32>
    %270 = stablehlo.broadcast_in_dim %c_71, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %271 = "stablehlo.scatter"(%268, %270, %269) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg144: tensor<i32>, %arg145: tensor<i32>):
      stablehlo.return %arg145 : tensor<i32>
    }) : (tensor<8x16xi32>, tensor<1xi32>, tensor<8x15xi32>) -> tensor<8x16xi32>
    %c_72 = stablehlo.constant dense<0> : tensor<i32>
    %272 = stablehlo.broadcast_in_dim %c_72, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %c_73 = stablehlo.constant dense<0> : tensor<i32>
    %273 = stablehlo.broadcast_in_dim %c_73, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %274 = "stablehlo.scatter"(%271, %272, %273) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>, unique_indices = true}> ({
    ^bb0(%arg144: tensor<i32>, %arg145: tensor<i32>):
      stablehlo.return %arg145 : tensor<i32>
    }) : (tensor<8x16xi32>, tensor<1xi32>, tensor<8xi32>) -> tensor<8x16xi32>
    %c_74 = stablehlo.constant dense<-100> : tensor<i32>
    %275 = stablehlo.broadcast_in_dim %c_74, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %276 = stablehlo.compare EQ, %274, %275, SIGNED : (tensor<8x16xi32>, tensor<8x16xi32>) -> tensor<8x16xi1>
    %c_75 = stablehlo.constant dense<0> : tensor<i32>
    %277 = call @_where_3(%276, %c_75, %274) : (tensor<8x16xi1>, tensor<i32>, tensor<8x16xi32>) -> tensor<8x16xi32>
    %278:2 = call @_take(%arg46, %277) : (tensor<64x32xf32>, tensor<8x16xi32>) -> (tensor<8x16x32xf32>, tensor<8x16x1xi32>)
    %cst_76 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %279 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %280 = stablehlo.power %278#0, %279 : tensor<8x16x32xf32>
    %cst_77 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_78 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %281 = stablehlo.subtract %cst_77, %cst_78 : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %281, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %283 = stablehlo.power %278#0, %282 : tensor<8x16x32xf32>
    %cst_79 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %284 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %285 = stablehlo.multiply %284, %283 : tensor<8x16x32xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %286 = stablehlo.reduce(%280 init: %cst_80) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %287 = stablehlo.broadcast_in_dim %286, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_81 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %288 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %289 = stablehlo.divide %287, %288 : tensor<8x16x1xf32>
    %cst_82 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %290 = stablehlo.broadcast_in_dim %cst_82, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %291 = stablehlo.add %289, %290 : tensor<8x16x1xf32>
    %292 = stablehlo.rsqrt %291 : tensor<8x16x1xf32>
    %293 = stablehlo.divide %292, %291 : tensor<8x16x1xf32>
    %cst_83 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %294 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %295 = stablehlo.multiply %294, %293 : tensor<8x16x1xf32>
    %296 = stablehlo.broadcast_in_dim %292, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %297 = stablehlo.multiply %278#0, %296 : tensor<8x16x32xf32>
    %298 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %299 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %300 = stablehlo.multiply %299, %297 : tensor<8x16x32xf32>
    %301 = stablehlo.dot_general %300, %arg2, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %302 = stablehlo.reshape %301 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %303 = stablehlo.transpose %302, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %304 = stablehlo.dot_general %300, %arg0, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %305 = stablehlo.reshape %304 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %306 = stablehlo.transpose %305, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %307 = stablehlo.dot_general %300, %arg4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %308 = stablehlo.reshape %307 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %309 = stablehlo.transpose %308, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %310 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_84 = stablehlo.constant dense<1> : tensor<i32>
    %311 = stablehlo.broadcast_in_dim %c_84, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %312 = stablehlo.multiply %311, %310 : tensor<16xi32>
    %c_85 = stablehlo.constant dense<0> : tensor<i32>
    %313 = stablehlo.broadcast_in_dim %c_85, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %314 = stablehlo.add %313, %312 : tensor<16xi32>
    %315 = stablehlo.broadcast_in_dim %314, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %c_86 = stablehlo.constant dense<0> : tensor<i32>
    %316 = stablehlo.broadcast_in_dim %c_86, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %317 = stablehlo.add %315, %316 : tensor<16x1xi32>
    %318 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_87 = stablehlo.constant dense<1> : tensor<i32>
    %319 = stablehlo.broadcast_in_dim %c_87, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %320 = stablehlo.multiply %319, %318 : tensor<16xi32>
    %c_88 = stablehlo.constant dense<0> : tensor<i32>
    %321 = stablehlo.broadcast_in_dim %c_88, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %322 = stablehlo.add %321, %320 : tensor<16xi32>
    %323 = stablehlo.broadcast_in_dim %322, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %c_89 = stablehlo.constant dense<1> : tensor<i32>
    %324 = stablehlo.broadcast_in_dim %c_89, dims = [] : (tensor<i32>) -> tensor<16x1xi32>
    %325 = stablehlo.multiply %317, %324 : tensor<16x1xi32>
    %326 = stablehlo.broadcast_in_dim %323, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %327 = stablehlo.broadcast_in_dim %325, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %328 = stablehlo.subtract %326, %327 : tensor<16x16xi32>
    %c_90 = stablehlo.constant dense<0> : tensor<i32>
    %329 = stablehlo.broadcast_in_dim %c_90, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %330 = stablehlo.minimum %328, %329 : tensor<16x16xi32>
    %c_91 = stablehlo.constant dense<-1> : tensor<i32>
    %331 = stablehlo.broadcast_in_dim %c_91, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %332 = stablehlo.multiply %331, %330 : tensor<16x16xi32>
    %c_92 = stablehlo.constant dense<16> : tensor<i32>
    %333 = stablehlo.broadcast_in_dim %c_92, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %334 = stablehlo.compare LT, %332, %333, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %335 = stablehlo.convert %332 : (tensor<16x16xi32>) -> tensor<16x16xf32>
    %cst_93 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %336 = stablehlo.broadcast_in_dim %cst_93, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %337 = stablehlo.divide %335, %336 : tensor<16x16xf32>
    %338 = stablehlo.log %337 : tensor<16x16xf32>
    %cst_94 = stablehlo.constant dense<2.07944155> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_94, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %340 = stablehlo.divide %338, %339 : tensor<16x16xf32>
    %cst_95 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %341 = stablehlo.broadcast_in_dim %cst_95, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %342 = stablehlo.multiply %340, %341 : tensor<16x16xf32>
    %343 = stablehlo.convert %342 : (tensor<16x16xf32>) -> tensor<16x16xi32>
    %c_96 = stablehlo.constant dense<16> : tensor<i32>
    %344 = stablehlo.broadcast_in_dim %c_96, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %345 = stablehlo.add %343, %344 : tensor<16x16xi32>
    %c_97 = stablehlo.constant dense<31> : tensor<i32>
    %346 = stablehlo.broadcast_in_dim %c_97, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %347 = stablehlo.minimum %345, %346 : tensor<16x16xi32>
    %348 = call @_where_0(%334, %332, %347) : (tensor<16x16xi1>, tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi32>
    %c_98 = stablehlo.constant dense<0> : tensor<i32>
    %349 = stablehlo.broadcast_in_dim %c_98, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %350 = stablehlo.add %348, %349 : tensor<16x16xi32>
    %351:2 = call @_take_1(%arg3, %350) : (tensor<32x4xf32>, tensor<16x16xi32>) -> (tensor<16x16x4xf32>, tensor<16x16x1xi32>)
    %352 = stablehlo.transpose %351#0, dims = [2, 0, 1] : (tensor<16x16x4xf32>) -> tensor<4x16x16xf32>
    %353 = stablehlo.broadcast_in_dim %352, dims = [1, 2, 3] : (tensor<4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %354 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_99 = stablehlo.constant dense<1> : tensor<i32>
    %355 = stablehlo.broadcast_in_dim %c_99, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %356 = stablehlo.multiply %355, %354 : tensor<16xi32>
    %c_100 = stablehlo.constant dense<0> : tensor<i32>
    %357 = stablehlo.broadcast_in_dim %c_100, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %358 = stablehlo.add %357, %356 : tensor<16xi32>
    %359 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_101 = stablehlo.constant dense<1> : tensor<i32>
    %360 = stablehlo.broadcast_in_dim %c_101, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %361 = stablehlo.multiply %360, %359 : tensor<16xi32>
    %c_102 = stablehlo.constant dense<0> : tensor<i32>
    %362 = stablehlo.broadcast_in_dim %c_102, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %363 = stablehlo.add %362, %361 : tensor<16xi32>
    %364 = stablehlo.broadcast_in_dim %358, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %365 = stablehlo.broadcast_in_dim %363, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %366 = stablehlo.broadcast_in_dim %364, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %367 = stablehlo.broadcast_in_dim %365, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %368 = stablehlo.compare GE, %366, %367, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %369 = stablehlo.reshape %368 : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %cst_103 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %370:2 = call @_where_4(%369, %353, %cst_103) : (tensor<1x1x16x16xi1>, tensor<1x4x16x16xf32>, tensor<f32>) -> (tensor<1x4x16x16xf32>, tensor<1x4x16x16xi1>)
    %371 = stablehlo.transpose %303, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %372 = stablehlo.transpose %306, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %373 = stablehlo.transpose %309, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %374 = stablehlo.reshape %371 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %375 = stablehlo.reshape %370#0 : (tensor<1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %376 = stablehlo.dot_general %374, %372, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_104 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %377 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %378 = stablehlo.multiply %376, %377 : tensor<8x4x16x1x16xf32>
    %379 = stablehlo.transpose %378, dims = [3, 0, 1, 2, 4] : (tensor<8x4x16x1x16xf32>) -> tensor<1x8x4x16x16xf32>
    %380 = stablehlo.transpose %375, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %381 = stablehlo.broadcast_in_dim %380, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %382 = stablehlo.add %379, %381 : tensor<1x8x4x16x16xf32>
    %cst_105 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %383 = stablehlo.reduce(%382 init: %cst_105) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_106 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %384 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %385 = stablehlo.maximum %384, %383 : tensor<1x8x4x16xf32>
    %386 = stablehlo.broadcast_in_dim %385, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %387 = stablehlo.broadcast_in_dim %386, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %388 = stablehlo.subtract %382, %387 : tensor<1x8x4x16x16xf32>
    %389 = stablehlo.exponential %388 : tensor<1x8x4x16x16xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %390 = stablehlo.reduce(%389 init: %cst_107) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %391 = stablehlo.broadcast_in_dim %390, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %392 = stablehlo.broadcast_in_dim %391, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %393 = stablehlo.divide %389, %392 : tensor<1x8x4x16x16xf32>
    %394 = stablehlo.multiply %391, %391 : tensor<1x8x4x16x1xf32>
    %cst_108 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %395 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %396 = stablehlo.divide %395, %394 : tensor<1x8x4x16x1xf32>
    %397 = stablehlo.dot_general %373, %393, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %398 = stablehlo.transpose %397, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %399 = stablehlo.transpose %398, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %400 = stablehlo.reshape %399 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %401 = stablehlo.transpose %400, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %402 = stablehlo.transpose %401, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %403 = stablehlo.reshape %402 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %404 = stablehlo.dot_general %403, %arg1, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_109 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %405 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %406 = stablehlo.multiply %404, %405 : tensor<8x16x32xf32>
    %407 = stablehlo.add %278#0, %406 : tensor<8x16x32xf32>
    %cst_110 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %408 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %409 = stablehlo.power %407, %408 : tensor<8x16x32xf32>
    %cst_111 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_112 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %410 = stablehlo.subtract %cst_111, %cst_112 : tensor<f32>
    %411 = stablehlo.broadcast_in_dim %410, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %412 = stablehlo.power %407, %411 : tensor<8x16x32xf32>
    %cst_113 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %413 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %414 = stablehlo.multiply %413, %412 : tensor<8x16x32xf32>
    %cst_114 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %415 = stablehlo.reduce(%409 init: %cst_114) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %416 = stablehlo.broadcast_in_dim %415, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_115 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %417 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %418 = stablehlo.divide %416, %417 : tensor<8x16x1xf32>
    %cst_116 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %419 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %420 = stablehlo.add %418, %419 : tensor<8x16x1xf32>
    %421 = stablehlo.rsqrt %420 : tensor<8x16x1xf32>
    %422 = stablehlo.divide %421, %420 : tensor<8x16x1xf32>
    %cst_117 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %423 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %424 = stablehlo.multiply %423, %422 : tensor<8x16x1xf32>
    %425 = stablehlo.broadcast_in_dim %421, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %426 = stablehlo.multiply %407, %425 : tensor<8x16x32xf32>
    %427 = stablehlo.broadcast_in_dim %arg10, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %428 = stablehlo.broadcast_in_dim %427, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %429 = stablehlo.multiply %428, %426 : tensor<8x16x32xf32>
    %430 = stablehlo.dot_general %429, %arg8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %431 = stablehlo.reshape %430 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %432 = stablehlo.transpose %431, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %433 = stablehlo.dot_general %267, %arg6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %434 = stablehlo.reshape %433 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %435 = stablehlo.transpose %434, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %436 = stablehlo.dot_general %267, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %437 = stablehlo.reshape %436 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %438 = stablehlo.transpose %437, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %cst_118 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %439 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<1x4x16x16xf32>
    %440 = stablehlo.transpose %432, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %441 = stablehlo.transpose %435, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %442 = stablehlo.transpose %438, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %443 = stablehlo.reshape %440 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %444 = stablehlo.reshape %439 : (tensor<1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %445 = stablehlo.dot_general %443, %441, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_119 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %446 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %447 = stablehlo.multiply %445, %446 : tensor<8x4x16x1x16xf32>
    %448 = stablehlo.transpose %447, dims = [3, 0, 1, 2, 4] : (tensor<8x4x16x1x16xf32>) -> tensor<1x8x4x16x16xf32>
    %449 = stablehlo.transpose %444, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %450 = stablehlo.broadcast_in_dim %449, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %451 = stablehlo.add %448, %450 : tensor<1x8x4x16x16xf32>
    %cst_120 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %452 = stablehlo.reduce(%451 init: %cst_120) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_121 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %453 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %454 = stablehlo.maximum %453, %452 : tensor<1x8x4x16xf32>
    %455 = stablehlo.broadcast_in_dim %454, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %456 = stablehlo.broadcast_in_dim %455, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %457 = stablehlo.subtract %451, %456 : tensor<1x8x4x16x16xf32>
    %458 = stablehlo.exponential %457 : tensor<1x8x4x16x16xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %459 = stablehlo.reduce(%458 init: %cst_122) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %460 = stablehlo.broadcast_in_dim %459, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %461 = stablehlo.broadcast_in_dim %460, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %462 = stablehlo.divide %458, %461 : tensor<1x8x4x16x16xf32>
    %463 = stablehlo.multiply %460, %460 : tensor<1x8x4x16x1xf32>
    %cst_123 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %464 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %465 = stablehlo.divide %464, %463 : tensor<1x8x4x16x1xf32>
    %466 = stablehlo.dot_general %442, %462, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %467 = stablehlo.transpose %466, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %468 = stablehlo.transpose %467, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %469 = stablehlo.reshape %468 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %470 = stablehlo.transpose %469, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %471 = stablehlo.transpose %470, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %472 = stablehlo.reshape %471 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %473 = stablehlo.dot_general %472, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_124 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %474 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %475 = stablehlo.multiply %473, %474 : tensor<8x16x32xf32>
    %476 = stablehlo.add %407, %475 : tensor<8x16x32xf32>
    %cst_125 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %477 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %478 = stablehlo.power %476, %477 : tensor<8x16x32xf32>
    %cst_126 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_127 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %479 = stablehlo.subtract %cst_126, %cst_127 : tensor<f32>
    %480 = stablehlo.broadcast_in_dim %479, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %481 = stablehlo.power %476, %480 : tensor<8x16x32xf32>
    %cst_128 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %483 = stablehlo.multiply %482, %481 : tensor<8x16x32xf32>
    %cst_129 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %484 = stablehlo.reduce(%478 init: %cst_129) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %485 = stablehlo.broadcast_in_dim %484, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_130 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %487 = stablehlo.divide %485, %486 : tensor<8x16x1xf32>
    %cst_131 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %489 = stablehlo.add %487, %488 : tensor<8x16x1xf32>
    %490 = stablehlo.rsqrt %489 : tensor<8x16x1xf32>
    %491 = stablehlo.divide %490, %489 : tensor<8x16x1xf32>
    %cst_132 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %492 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %493 = stablehlo.multiply %492, %491 : tensor<8x16x1xf32>
    %494 = stablehlo.broadcast_in_dim %490, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %495 = stablehlo.multiply %476, %494 : tensor<8x16x32xf32>
    %496 = stablehlo.broadcast_in_dim %arg13, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %497 = stablehlo.broadcast_in_dim %496, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %498 = stablehlo.multiply %497, %495 : tensor<8x16x32xf32>
    %499 = stablehlo.dot_general %498, %arg11, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %500 = call @relu(%499) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %cst_133 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %501 = stablehlo.broadcast_in_dim %cst_133, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %502 = stablehlo.compare GT, %499, %501, FLOAT : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<8x16x64xi1>
    %503 = stablehlo.dot_general %500, %arg12, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_134 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %504 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %505 = stablehlo.multiply %503, %504 : tensor<8x16x32xf32>
    %506 = stablehlo.add %476, %505 : tensor<8x16x32xf32>
    %cst_135 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %507 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %508 = stablehlo.power %506, %507 : tensor<8x16x32xf32>
    %cst_136 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_137 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %509 = stablehlo.subtract %cst_136, %cst_137 : tensor<f32>
    %510 = stablehlo.broadcast_in_dim %509, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %511 = stablehlo.power %506, %510 : tensor<8x16x32xf32>
    %cst_138 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %512 = stablehlo.broadcast_in_dim %cst_138, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %513 = stablehlo.multiply %512, %511 : tensor<8x16x32xf32>
    %cst_139 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %514 = stablehlo.reduce(%508 init: %cst_139) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %515 = stablehlo.broadcast_in_dim %514, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_140 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %516 = stablehlo.broadcast_in_dim %cst_140, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %517 = stablehlo.divide %515, %516 : tensor<8x16x1xf32>
    %cst_141 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %518 = stablehlo.broadcast_in_dim %cst_141, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %519 = stablehlo.add %517, %518 : tensor<8x16x1xf32>
    %520 = stablehlo.rsqrt %519 : tensor<8x16x1xf32>
    %521 = stablehlo.divide %520, %519 : tensor<8x16x1xf32>
    %cst_142 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %522 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %523 = stablehlo.multiply %522, %521 : tensor<8x16x1xf32>
    %524 = stablehlo.broadcast_in_dim %520, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %525 = stablehlo.multiply %506, %524 : tensor<8x16x32xf32>
    %526 = stablehlo.broadcast_in_dim %arg18, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %527 = stablehlo.broadcast_in_dim %526, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %528 = stablehlo.multiply %527, %525 : tensor<8x16x32xf32>
    %529 = stablehlo.dot_general %528, %arg16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %530 = stablehlo.reshape %529 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %531 = stablehlo.transpose %530, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %532 = stablehlo.dot_general %528, %arg14, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %533 = stablehlo.reshape %532 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %534 = stablehlo.transpose %533, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %535 = stablehlo.dot_general %528, %arg17, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %536 = stablehlo.reshape %535 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %537 = stablehlo.transpose %536, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %538 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_143 = stablehlo.constant dense<1> : tensor<i32>
    %539 = stablehlo.broadcast_in_dim %c_143, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %540 = stablehlo.multiply %539, %538 : tensor<16xi32>
    %c_144 = stablehlo.constant dense<0> : tensor<i32>
    %541 = stablehlo.broadcast_in_dim %c_144, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %542 = stablehlo.add %541, %540 : tensor<16xi32>
    %543 = stablehlo.iota dim = 0 : tensor<16xi32>
    %c_145 = stablehlo.constant dense<1> : tensor<i32>
    %544 = stablehlo.broadcast_in_dim %c_145, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %545 = stablehlo.multiply %544, %543 : tensor<16xi32>
    %c_146 = stablehlo.constant dense<0> : tensor<i32>
    %546 = stablehlo.broadcast_in_dim %c_146, dims = [] : (tensor<i32>) -> tensor<16xi32>
    %547 = stablehlo.add %546, %545 : tensor<16xi32>
    %548 = stablehlo.broadcast_in_dim %542, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
    %549 = stablehlo.broadcast_in_dim %547, dims = [1] : (tensor<16xi32>) -> tensor<1x16xi32>
    %550 = stablehlo.broadcast_in_dim %548, dims = [0, 1] : (tensor<16x1xi32>) -> tensor<16x16xi32>
    %551 = stablehlo.broadcast_in_dim %549, dims = [0, 1] : (tensor<1x16xi32>) -> tensor<16x16xi32>
    %552 = stablehlo.compare GE, %550, %551, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %553 = stablehlo.reshape %552 : (tensor<16x16xi1>) -> tensor<1x1x16x16xi1>
    %cst_147 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %554:2 = call @_where_4(%553, %353, %cst_147) : (tensor<1x1x16x16xi1>, tensor<1x4x16x16xf32>, tensor<f32>) -> (tensor<1x4x16x16xf32>, tensor<1x4x16x16xi1>)
    %555 = stablehlo.transpose %531, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %556 = stablehlo.transpose %534, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %557 = stablehlo.transpose %537, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %558 = stablehlo.reshape %555 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %559 = stablehlo.reshape %554#0 : (tensor<1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %560 = stablehlo.dot_general %558, %556, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_148 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %561 = stablehlo.broadcast_in_dim %cst_148, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %562 = stablehlo.multiply %560, %561 : tensor<8x4x16x1x16xf32>
    %563 = stablehlo.transpose %562, dims = [3, 0, 1, 2, 4] : (tensor<8x4x16x1x16xf32>) -> tensor<1x8x4x16x16xf32>
    %564 = stablehlo.transpose %559, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %565 = stablehlo.broadcast_in_dim %564, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %566 = stablehlo.add %563, %565 : tensor<1x8x4x16x16xf32>
    %cst_149 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %567 = stablehlo.reduce(%566 init: %cst_149) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_150 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %568 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %569 = stablehlo.maximum %568, %567 : tensor<1x8x4x16xf32>
    %570 = stablehlo.broadcast_in_dim %569, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %571 = stablehlo.broadcast_in_dim %570, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %572 = stablehlo.subtract %566, %571 : tensor<1x8x4x16x16xf32>
    %573 = stablehlo.exponential %572 : tensor<1x8x4x16x16xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %574 = stablehlo.reduce(%573 init: %cst_151) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %575 = stablehlo.broadcast_in_dim %574, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %576 = stablehlo.broadcast_in_dim %575, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %577 = stablehlo.divide %573, %576 : tensor<1x8x4x16x16xf32>
    %578 = stablehlo.multiply %575, %575 : tensor<1x8x4x16x1xf32>
    %cst_152 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %579 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %580 = stablehlo.divide %579, %578 : tensor<1x8x4x16x1xf32>
    %581 = stablehlo.dot_general %557, %577, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %582 = stablehlo.transpose %581, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %583 = stablehlo.transpose %582, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %584 = stablehlo.reshape %583 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %585 = stablehlo.transpose %584, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %586 = stablehlo.transpose %585, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %587 = stablehlo.reshape %586 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %588 = stablehlo.dot_general %587, %arg15, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_153 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %589 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %590 = stablehlo.multiply %588, %589 : tensor<8x16x32xf32>
    %591 = stablehlo.add %506, %590 : tensor<8x16x32xf32>
    %cst_154 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %592 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %593 = stablehlo.power %591, %592 : tensor<8x16x32xf32>
    %cst_155 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_156 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %594 = stablehlo.subtract %cst_155, %cst_156 : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %594, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %596 = stablehlo.power %591, %595 : tensor<8x16x32xf32>
    %cst_157 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %597 = stablehlo.broadcast_in_dim %cst_157, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %598 = stablehlo.multiply %597, %596 : tensor<8x16x32xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %599 = stablehlo.reduce(%593 init: %cst_158) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %600 = stablehlo.broadcast_in_dim %599, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_159 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %601 = stablehlo.broadcast_in_dim %cst_159, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %602 = stablehlo.divide %600, %601 : tensor<8x16x1xf32>
    %cst_160 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %603 = stablehlo.broadcast_in_dim %cst_160, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %604 = stablehlo.add %602, %603 : tensor<8x16x1xf32>
    %605 = stablehlo.rsqrt %604 : tensor<8x16x1xf32>
    %606 = stablehlo.divide %605, %604 : tensor<8x16x1xf32>
    %cst_161 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %607 = stablehlo.broadcast_in_dim %cst_161, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %608 = stablehlo.multiply %607, %606 : tensor<8x16x1xf32>
    %609 = stablehlo.broadcast_in_dim %605, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %610 = stablehlo.multiply %591, %609 : tensor<8x16x32xf32>
    %611 = stablehlo.broadcast_in_dim %arg23, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %612 = stablehlo.broadcast_in_dim %611, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %613 = stablehlo.multiply %612, %610 : tensor<8x16x32xf32>
    %614 = stablehlo.dot_general %613, %arg21, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %615 = stablehlo.reshape %614 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %616 = stablehlo.transpose %615, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %617 = stablehlo.dot_general %267, %arg19, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %618 = stablehlo.reshape %617 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %619 = stablehlo.transpose %618, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %620 = stablehlo.dot_general %267, %arg22, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %621 = stablehlo.reshape %620 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %622 = stablehlo.transpose %621, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %623 = stablehlo.transpose %616, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %624 = stablehlo.transpose %619, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %625 = stablehlo.transpose %622, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %626 = stablehlo.reshape %623 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %627 = stablehlo.reshape %439 : (tensor<1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %628 = stablehlo.dot_general %626, %624, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x1x8xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_162 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %629 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %630 = stablehlo.multiply %628, %629 : tensor<8x4x16x1x16xf32>
    %631 = stablehlo.transpose %630, dims = [3, 0, 1, 2, 4] : (tensor<8x4x16x1x16xf32>) -> tensor<1x8x4x16x16xf32>
    %632 = stablehlo.transpose %627, dims = [2, 0, 1, 3, 4] : (tensor<1x4x1x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %633 = stablehlo.broadcast_in_dim %632, dims = [0, 1, 2, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %634 = stablehlo.add %631, %633 : tensor<1x8x4x16x16xf32>
    %cst_163 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %635 = stablehlo.reduce(%634 init: %cst_163) applies stablehlo.maximum across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %cst_164 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %636 = stablehlo.broadcast_in_dim %cst_164, dims = [] : (tensor<f32>) -> tensor<1x8x4x16xf32>
    %637 = stablehlo.maximum %636, %635 : tensor<1x8x4x16xf32>
    %638 = stablehlo.broadcast_in_dim %637, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %639 = stablehlo.broadcast_in_dim %638, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %640 = stablehlo.subtract %634, %639 : tensor<1x8x4x16x16xf32>
    %641 = stablehlo.exponential %640 : tensor<1x8x4x16x16xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %642 = stablehlo.reduce(%641 init: %cst_165) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %643 = stablehlo.broadcast_in_dim %642, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %644 = stablehlo.broadcast_in_dim %643, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %645 = stablehlo.divide %641, %644 : tensor<1x8x4x16x16xf32>
    %646 = stablehlo.multiply %643, %643 : tensor<1x8x4x16x1xf32>
    %cst_166 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %647 = stablehlo.broadcast_in_dim %cst_166, dims = [] : (tensor<f32>) -> tensor<1x8x4x16x1xf32>
    %648 = stablehlo.divide %647, %646 : tensor<1x8x4x16x1xf32>
    %649 = stablehlo.dot_general %625, %645, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<8x16x4x8xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x1x16xf32>
    %650 = stablehlo.transpose %649, dims = [3, 0, 4, 1, 2] : (tensor<8x4x8x1x16xf32>) -> tensor<1x8x16x4x8xf32>
    %651 = stablehlo.transpose %650, dims = [1, 2, 3, 0, 4] : (tensor<1x8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %652 = stablehlo.reshape %651 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %653 = stablehlo.transpose %652, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %654 = stablehlo.transpose %653, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %655 = stablehlo.reshape %654 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %656 = stablehlo.dot_general %655, %arg20, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %cst_167 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %657 = stablehlo.broadcast_in_dim %cst_167, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %658 = stablehlo.multiply %656, %657 : tensor<8x16x32xf32>
    %659 = stablehlo.add %591, %658 : tensor<8x16x32xf32>
    %cst_168 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %660 = stablehlo.broadcast_in_dim %cst_168, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %661 = stablehlo.power %659, %660 : tensor<8x16x32xf32>
    %cst_169 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_170 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %662 = stablehlo.subtract %cst_169, %cst_170 : tensor<f32>
    %663 = stablehlo.broadcast_in_dim %662, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %664 = stablehlo.power %659, %663 : tensor<8x16x32xf32>
    %cst_171 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %665 = stablehlo.broadcast_in_dim %cst_171, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %666 = stablehlo.multiply %665, %664 : tensor<8x16x32xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %667 = stablehlo.reduce(%661 init: %cst_172) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %668 = stablehlo.broadcast_in_dim %667, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_173 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %669 = stablehlo.broadcast_in_dim %cst_173, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %670 = stablehlo.divide %668, %669 : tensor<8x16x1xf32>
    %cst_174 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %671 = stablehlo.broadcast_in_dim %cst_174, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %672 = stablehlo.add %670, %671 : tensor<8x16x1xf32>
    %673 = stablehlo.rsqrt %672 : tensor<8x16x1xf32>
    %674 = stablehlo.divide %673, %672 : tensor<8x16x1xf32>
    %cst_175 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %675 = stablehlo.broadcast_in_dim %cst_175, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %676 = stablehlo.multiply %675, %674 : tensor<8x16x1xf32>
    %677 = stablehlo.broadcast_in_dim %673, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %678 = stablehlo.multiply %659, %677 : tensor<8x16x32xf32>
    %679 = stablehlo.broadcast_in_dim %arg26, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %680 = stablehlo.broadcast_in_dim %679, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %681 = stablehlo.multiply %680, %678 : tensor<8x16x32xf32>
    %682 = stablehlo.dot_general %681, %arg24, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %683 = call @relu(%682) : (tensor<8x16x64xf32>) -> tensor<8x16x64xf32>
    %cst_176 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %684 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %685 = stablehlo.compare GT, %682, %684, FLOAT : (tensor<8x16x64xf32>, tensor<8x16x64xf32>) -> tensor<8x16x64xi1>
    %686 = stablehlo.dot_general %683, %arg25, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<32x64xf32>) -> tensor<8x16x32xf32>
    %cst_177 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %687 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %688 = stablehlo.multiply %686, %687 : tensor<8x16x32xf32>
    %689 = stablehlo.add %659, %688 : tensor<8x16x32xf32>
    %cst_178 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %690 = stablehlo.broadcast_in_dim %cst_178, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %691 = stablehlo.power %689, %690 : tensor<8x16x32xf32>
    %cst_179 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %cst_180 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %692 = stablehlo.subtract %cst_179, %cst_180 : tensor<f32>
    %693 = stablehlo.broadcast_in_dim %692, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %694 = stablehlo.power %689, %693 : tensor<8x16x32xf32>
    %cst_181 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %695 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %696 = stablehlo.multiply %695, %694 : tensor<8x16x32xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %697 = stablehlo.reduce(%691 init: %cst_182) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %698 = stablehlo.broadcast_in_dim %697, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %cst_183 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %699 = stablehlo.broadcast_in_dim %cst_183, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %700 = stablehlo.divide %698, %699 : tensor<8x16x1xf32>
    %cst_184 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %701 = stablehlo.broadcast_in_dim %cst_184, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %702 = stablehlo.add %700, %701 : tensor<8x16x1xf32>
    %703 = stablehlo.rsqrt %702 : tensor<8x16x1xf32>
    %704 = stablehlo.divide %703, %702 : tensor<8x16x1xf32>
    %cst_185 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %705 = stablehlo.broadcast_in_dim %cst_185, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %706 = stablehlo.multiply %705, %704 : tensor<8x16x1xf32>
    %707 = stablehlo.broadcast_in_dim %703, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %708 = stablehlo.multiply %689, %707 : tensor<8x16x32xf32>
    %709 = stablehlo.broadcast_in_dim %arg27, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %710 = stablehlo.broadcast_in_dim %709, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %711 = stablehlo.multiply %710, %708 : tensor<8x16x32xf32>
    %cst_186 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %712 = stablehlo.broadcast_in_dim %cst_186, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %713 = stablehlo.multiply %711, %712 : tensor<8x16x32xf32>
    %714 = stablehlo.dot_general %713, %arg46, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<64x32xf32>) -> tensor<8x16x64xf32>
    %715 = stablehlo.reshape %714 : (tensor<8x16x64xf32>) -> tensor<128x64xf32>
    %716 = stablehlo.reshape %arg143 : (tensor<8x16xi32>) -> tensor<128xi32>
    %cst_187 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %717 = stablehlo.reduce(%715 init: %cst_187) applies stablehlo.maximum across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %cst_188 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %718 = stablehlo.broadcast_in_dim %cst_188, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %719 = stablehlo.maximum %718, %717 : tensor<128xf32>
    %720 = stablehlo.broadcast_in_dim %719, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %721 = stablehlo.is_finite %720 : (tensor<128x1xf32>) -> tensor<128x1xi1>
    %cst_189 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %722 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %723 = stablehlo.select %721, %720, %722 : tensor<128x1xi1>, tensor<128x1xf32>
    %724 = stablehlo.broadcast_in_dim %723, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x64xf32>
    %725 = stablehlo.subtract %715, %724 : tensor<128x64xf32>
    %726 = stablehlo.exponential %725 : tensor<128x64xf32>
    %cst_190 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %727 = stablehlo.reduce(%726 init: %cst_190) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %728 = stablehlo.broadcast_in_dim %727, dims = [0] : (tensor<128xf32>) -> tensor<128x1xf32>
    %729 = stablehlo.abs %728 : tensor<128x1xf32>
    %cst_191 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %730 = stablehlo.broadcast_in_dim %cst_191, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %731 = stablehlo.compare GE, %728, %730, FLOAT : (tensor<128x1xf32>, tensor<128x1xf32>) -> tensor<128x1xi1>
    %732 = stablehlo.log %729 : tensor<128x1xf32>
    %733 = stablehlo.add %732, %723 : tensor<128x1xf32>
    %734 = stablehlo.broadcast_in_dim %733, dims = [0, 1] : (tensor<128x1xf32>) -> tensor<128x64xf32>
    %735 = stablehlo.subtract %715, %734 : tensor<128x64xf32>
    %c_192 = stablehlo.constant dense<-100> : tensor<i32>
    %736 = stablehlo.broadcast_in_dim %c_192, dims = [] : (tensor<i32>) -> tensor<128xi32>
    %737 = stablehlo.compare NE, %716, %736, SIGNED : (tensor<128xi32>, tensor<128xi32>) -> tensor<128xi1>
    %738 = stablehlo.iota dim = 1 : tensor<128x64xi32>
    %739 = stablehlo.broadcast_in_dim %716, dims = [0] : (tensor<128xi32>) -> tensor<128x1xi32>
    %740 = stablehlo.broadcast_in_dim %739, dims = [0, 1] : (tensor<128x1xi32>) -> tensor<128x64xi32>
    %741 = stablehlo.compare EQ, %738, %740, SIGNED : (tensor<128x64xi32>, tensor<128x64xi32>) -> tensor<128x64xi1>
    %c_193 = stablehlo.constant dense<0> : tensor<i32>
    %742 = call @_where_5(%741, %735, %c_193) : (tensor<128x64xi1>, tensor<128x64xf32>, tensor<i32>) -> tensor<128x64xf32>
    %cst_194 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %743 = stablehlo.reduce(%742 init: %cst_194) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %744 = stablehlo.negate %743 : tensor<128xf32>
    %cst_195 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %745 = stablehlo.broadcast_in_dim %cst_195, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %746 = stablehlo.multiply %744, %745 : tensor<128xf32>
    %c_196 = stablehlo.constant dense<0> : tensor<i32>
    %747 = call @_where_6(%737, %746, %c_196) : (tensor<128xi1>, tensor<128xf32>, tensor<i32>) -> tensor<128xf32>
    %c_197 = stablehlo.constant dense<0> : tensor<i32>
    %748 = call @_where_7(%737, %745, %c_197) : (tensor<128xi1>, tensor<128xf32>, tensor<i32>) -> tensor<128xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %749 = stablehlo.reduce(%748 init: %cst_198) applies stablehlo.add across dimensions = [0] : (tensor<128xf32>, tensor<f32>) -> tensor<f32>
    %cst_199 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %750 = stablehlo.reduce(%747 init: %cst_199) applies stablehlo.add across dimensions = [0] : (tensor<128xf32>, tensor<f32>) -> tensor<f32>
    %751 = stablehlo.divide %750, %749 : tensor<f32>
    %cst_200 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %752 = stablehlo.divide %cst_200, %749 : tensor<f32>
    %753 = stablehlo.broadcast_in_dim %752, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %754 = call @_where_8(%737, %753) : (tensor<128xi1>, tensor<128xf32>) -> tensor<128xf32>
    %755 = stablehlo.multiply %754, %745 : tensor<128xf32>
    %756 = stablehlo.negate %755 : tensor<128xf32>
    %757 = stablehlo.broadcast_in_dim %756, dims = [0] : (tensor<128xf32>) -> tensor<128x64xf32>
    %758 = call @_where_9(%741, %757) : (tensor<128x64xi1>, tensor<128x64xf32>) -> tensor<128x64xf32>
    %759 = stablehlo.negate %758 : tensor<128x64xf32>
    %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %760 = stablehlo.reduce(%759 init: %cst_201) applies stablehlo.add across dimensions = [1] : (tensor<128x64xf32>, tensor<f32>) -> tensor<128xf32>
    %761 = stablehlo.reshape %760 : (tensor<128xf32>) -> tensor<128x1xf32>
    %762 = stablehlo.divide %761, %729 : tensor<128x1xf32>
    %cst_202 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %763 = stablehlo.broadcast_in_dim %cst_202, dims = [] : (tensor<f32>) -> tensor<128x1xf32>
    %764 = stablehlo.select %731, %763, %762 : tensor<128x1xi1>, tensor<128x1xf32>
    %765 = stablehlo.select %731, %762, %763 : tensor<128x1xi1>, tensor<128x1xf32>
    %766 = stablehlo.negate %764 : tensor<128x1xf32>
    %767 = stablehlo.add %765, %766 : tensor<128x1xf32>
    %cst_203 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %768 = stablehlo.reduce(%767 init: %cst_203) applies stablehlo.add across dimensions = [1] : (tensor<128x1xf32>, tensor<f32>) -> tensor<128xf32>
    %769 = stablehlo.broadcast_in_dim %768, dims = [0] : (tensor<128xf32>) -> tensor<128x64xf32>
    %770 = stablehlo.multiply %769, %726 : tensor<128x64xf32>
    %771 = stablehlo.add %758, %770 : tensor<128x64xf32>
    %772 = stablehlo.reshape %771 : (tensor<128x64xf32>) -> tensor<8x16x64xf32>
    %773 = stablehlo.dot_general %772, %713, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %774 = stablehlo.dot_general %772, %arg46, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %cst_204 = stablehlo.constant dense<0.176776692> : tensor<f32>
    %775 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %776 = stablehlo.multiply %774, %775 : tensor<8x16x32xf32>
    %777 = stablehlo.broadcast_in_dim %709, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %778 = stablehlo.multiply %777, %776 : tensor<8x16x32xf32>
    %779 = stablehlo.multiply %776, %708 : tensor<8x16x32xf32>
    %cst_205 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %780 = stablehlo.reduce(%779 init: %cst_205) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %781 = stablehlo.reshape %780 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_206 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %782 = stablehlo.reduce(%781 init: %cst_206) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %783 = stablehlo.multiply %689, %778 : tensor<8x16x32xf32>
    %cst_207 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %784 = stablehlo.reduce(%783 init: %cst_207) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %785 = stablehlo.reshape %784 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %786 = stablehlo.broadcast_in_dim %703, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %787 = stablehlo.multiply %778, %786 : tensor<8x16x32xf32>
    %788 = stablehlo.multiply %785, %706 : tensor<8x16x1xf32>
    %cst_208 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %789 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %790 = stablehlo.divide %788, %789 : tensor<8x16x1xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %791 = stablehlo.reduce(%790 init: %cst_209) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %792 = stablehlo.broadcast_in_dim %791, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %793 = stablehlo.multiply %792, %696 : tensor<8x16x32xf32>
    %794 = stablehlo.add %787, %793 : tensor<8x16x32xf32>
    %cst_210 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %795 = stablehlo.broadcast_in_dim %cst_210, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %796 = stablehlo.multiply %794, %795 : tensor<8x16x32xf32>
    %797 = stablehlo.dot_general %796, %683, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %798 = stablehlo.dot_general %796, %arg25, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %cst_211 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %799 = stablehlo.broadcast_in_dim %cst_211, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %800 = stablehlo.select %685, %798, %799 : tensor<8x16x64xi1>, tensor<8x16x64xf32>
    %801 = stablehlo.dot_general %800, %681, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %802 = stablehlo.dot_general %800, %arg24, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %803 = stablehlo.broadcast_in_dim %679, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %804 = stablehlo.multiply %803, %802 : tensor<8x16x32xf32>
    %805 = stablehlo.multiply %802, %678 : tensor<8x16x32xf32>
    %cst_212 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %806 = stablehlo.reduce(%805 init: %cst_212) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %807 = stablehlo.reshape %806 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %808 = stablehlo.reduce(%807 init: %cst_213) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %809 = stablehlo.multiply %659, %804 : tensor<8x16x32xf32>
    %cst_214 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %810 = stablehlo.reduce(%809 init: %cst_214) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %811 = stablehlo.reshape %810 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %812 = stablehlo.broadcast_in_dim %673, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %813 = stablehlo.multiply %804, %812 : tensor<8x16x32xf32>
    %814 = stablehlo.add %794, %813 : tensor<8x16x32xf32>
    %815 = stablehlo.multiply %811, %676 : tensor<8x16x1xf32>
    %cst_215 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %816 = stablehlo.broadcast_in_dim %cst_215, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %817 = stablehlo.divide %815, %816 : tensor<8x16x1xf32>
    %cst_216 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %818 = stablehlo.reduce(%817 init: %cst_216) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %819 = stablehlo.broadcast_in_dim %818, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %820 = stablehlo.multiply %819, %666 : tensor<8x16x32xf32>
    %821 = stablehlo.add %814, %820 : tensor<8x16x32xf32>
    %cst_217 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %822 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %823 = stablehlo.multiply %821, %822 : tensor<8x16x32xf32>
    %824 = stablehlo.dot_general %823, %655, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %825 = stablehlo.dot_general %823, %arg20, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %826 = stablehlo.reshape %825 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %827 = stablehlo.transpose %826, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %828 = stablehlo.transpose %827, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %829 = stablehlo.reshape %828 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %830 = stablehlo.transpose %829, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %831 = stablehlo.transpose %830, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %832 = stablehlo.dot_general %831, %625, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %833 = stablehlo.transpose %832, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %834 = stablehlo.dot_general %831, %645, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %835 = stablehlo.transpose %834, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %836 = stablehlo.broadcast_in_dim %648, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %837 = stablehlo.multiply %833, %836 : tensor<1x8x4x16x16xf32>
    %838 = stablehlo.multiply %837, %641 : tensor<1x8x4x16x16xf32>
    %cst_218 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %839 = stablehlo.reduce(%838 init: %cst_218) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %840 = stablehlo.reshape %839 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %841 = stablehlo.negate %840 : tensor<1x8x4x16x1xf32>
    %842 = stablehlo.broadcast_in_dim %643, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %843 = stablehlo.divide %833, %842 : tensor<1x8x4x16x16xf32>
    %cst_219 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %844 = stablehlo.reduce(%841 init: %cst_219) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %845 = stablehlo.broadcast_in_dim %844, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %846 = stablehlo.broadcast_in_dim %845, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %847 = stablehlo.add %843, %846 : tensor<1x8x4x16x16xf32>
    %848 = stablehlo.multiply %847, %641 : tensor<1x8x4x16x16xf32>
    %849 = stablehlo.transpose %848, dims = [1, 2, 3, 0, 4] : (tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_220 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %850 = stablehlo.broadcast_in_dim %cst_220, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %851 = stablehlo.multiply %849, %850 : tensor<8x4x16x1x16xf32>
    %852 = stablehlo.dot_general %851, %626, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %853 = stablehlo.transpose %852, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %854 = stablehlo.dot_general %851, %624, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %855 = stablehlo.transpose %854, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %856 = stablehlo.reshape %855 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %857 = stablehlo.transpose %835, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %858 = stablehlo.transpose %853, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %859 = stablehlo.transpose %856, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %860 = stablehlo.transpose %857, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %861 = stablehlo.reshape %860 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %862 = stablehlo.dot_general %861, %267, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %863 = stablehlo.dot_general %861, %arg22, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %864 = stablehlo.transpose %858, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %865 = stablehlo.reshape %864 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %866 = stablehlo.dot_general %865, %267, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %867 = stablehlo.dot_general %865, %arg19, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %868 = stablehlo.add %863, %867 : tensor<8x16x32xf32>
    %869 = stablehlo.transpose %859, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %870 = stablehlo.reshape %869 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %871 = stablehlo.dot_general %870, %613, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %872 = stablehlo.dot_general %870, %arg21, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %873 = stablehlo.broadcast_in_dim %611, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %874 = stablehlo.multiply %873, %872 : tensor<8x16x32xf32>
    %875 = stablehlo.multiply %872, %610 : tensor<8x16x32xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %876 = stablehlo.reduce(%875 init: %cst_221) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %877 = stablehlo.reshape %876 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_222 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %878 = stablehlo.reduce(%877 init: %cst_222) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %879 = stablehlo.multiply %591, %874 : tensor<8x16x32xf32>
    %cst_223 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %880 = stablehlo.reduce(%879 init: %cst_223) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %881 = stablehlo.reshape %880 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %882 = stablehlo.broadcast_in_dim %605, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %883 = stablehlo.multiply %874, %882 : tensor<8x16x32xf32>
    %884 = stablehlo.add %821, %883 : tensor<8x16x32xf32>
    %885 = stablehlo.multiply %881, %608 : tensor<8x16x1xf32>
    %cst_224 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %886 = stablehlo.broadcast_in_dim %cst_224, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %887 = stablehlo.divide %885, %886 : tensor<8x16x1xf32>
    %cst_225 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %888 = stablehlo.reduce(%887 init: %cst_225) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %889 = stablehlo.broadcast_in_dim %888, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %890 = stablehlo.multiply %889, %598 : tensor<8x16x32xf32>
    %891 = stablehlo.add %884, %890 : tensor<8x16x32xf32>
    %cst_226 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %892 = stablehlo.broadcast_in_dim %cst_226, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %893 = stablehlo.multiply %891, %892 : tensor<8x16x32xf32>
    %894 = stablehlo.dot_general %893, %587, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %895 = stablehlo.dot_general %893, %arg15, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %896 = stablehlo.reshape %895 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %897 = stablehlo.transpose %896, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %898 = stablehlo.transpose %897, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %899 = stablehlo.reshape %898 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %900 = stablehlo.transpose %899, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %901 = stablehlo.transpose %900, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %902 = stablehlo.dot_general %901, %557, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %903 = stablehlo.transpose %902, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %904 = stablehlo.dot_general %901, %577, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %905 = stablehlo.transpose %904, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %906 = stablehlo.broadcast_in_dim %580, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %907 = stablehlo.multiply %903, %906 : tensor<1x8x4x16x16xf32>
    %908 = stablehlo.multiply %907, %573 : tensor<1x8x4x16x16xf32>
    %cst_227 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %909 = stablehlo.reduce(%908 init: %cst_227) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %910 = stablehlo.reshape %909 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %911 = stablehlo.negate %910 : tensor<1x8x4x16x1xf32>
    %912 = stablehlo.broadcast_in_dim %575, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %913 = stablehlo.divide %903, %912 : tensor<1x8x4x16x16xf32>
    %cst_228 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %914 = stablehlo.reduce(%911 init: %cst_228) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %915 = stablehlo.broadcast_in_dim %914, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %916 = stablehlo.broadcast_in_dim %915, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %917 = stablehlo.add %913, %916 : tensor<1x8x4x16x16xf32>
    %918 = stablehlo.multiply %917, %573 : tensor<1x8x4x16x16xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %919 = stablehlo.reduce(%918 init: %cst_229) applies stablehlo.add across dimensions = [1] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16x16xf32>
    %920 = stablehlo.reshape %919 : (tensor<1x4x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %921 = stablehlo.transpose %920, dims = [1, 2, 0, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %922 = stablehlo.transpose %918, dims = [1, 2, 3, 0, 4] : (tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_230 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %923 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %924 = stablehlo.multiply %922, %923 : tensor<8x4x16x1x16xf32>
    %925 = stablehlo.dot_general %924, %558, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %926 = stablehlo.transpose %925, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %927 = stablehlo.dot_general %924, %556, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %928 = stablehlo.transpose %927, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %929 = stablehlo.reshape %921 : (tensor<1x4x1x16x16xf32>) -> tensor<1x4x16x16xf32>
    %930 = stablehlo.reshape %928 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %931 = stablehlo.transpose %905, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %932 = stablehlo.transpose %926, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %933 = stablehlo.transpose %930, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %934 = call @_where_10(%554#1, %929) : (tensor<1x4x16x16xi1>, tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %935 = stablehlo.transpose %931, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %936 = stablehlo.reshape %935 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %937 = stablehlo.dot_general %936, %528, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %938 = stablehlo.dot_general %936, %arg17, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %939 = stablehlo.transpose %932, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %940 = stablehlo.reshape %939 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %941 = stablehlo.dot_general %940, %528, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %942 = stablehlo.dot_general %940, %arg14, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %943 = stablehlo.add %938, %942 : tensor<8x16x32xf32>
    %944 = stablehlo.transpose %933, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %945 = stablehlo.reshape %944 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %946 = stablehlo.dot_general %945, %528, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %947 = stablehlo.dot_general %945, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %948 = stablehlo.add %943, %947 : tensor<8x16x32xf32>
    %949 = stablehlo.broadcast_in_dim %526, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %950 = stablehlo.multiply %949, %948 : tensor<8x16x32xf32>
    %951 = stablehlo.multiply %948, %525 : tensor<8x16x32xf32>
    %cst_231 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %952 = stablehlo.reduce(%951 init: %cst_231) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %953 = stablehlo.reshape %952 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %954 = stablehlo.reduce(%953 init: %cst_232) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %955 = stablehlo.multiply %506, %950 : tensor<8x16x32xf32>
    %cst_233 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %956 = stablehlo.reduce(%955 init: %cst_233) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %957 = stablehlo.reshape %956 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %958 = stablehlo.broadcast_in_dim %520, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %959 = stablehlo.multiply %950, %958 : tensor<8x16x32xf32>
    %960 = stablehlo.add %891, %959 : tensor<8x16x32xf32>
    %961 = stablehlo.multiply %957, %523 : tensor<8x16x1xf32>
    %cst_234 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %962 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %963 = stablehlo.divide %961, %962 : tensor<8x16x1xf32>
    %cst_235 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %964 = stablehlo.reduce(%963 init: %cst_235) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %965 = stablehlo.broadcast_in_dim %964, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %966 = stablehlo.multiply %965, %513 : tensor<8x16x32xf32>
    %967 = stablehlo.add %960, %966 : tensor<8x16x32xf32>
    %cst_236 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %968 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %969 = stablehlo.multiply %967, %968 : tensor<8x16x32xf32>
    %970 = stablehlo.dot_general %969, %500, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %971 = stablehlo.dot_general %969, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %cst_237 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %972 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %973 = stablehlo.select %502, %971, %972 : tensor<8x16x64xi1>, tensor<8x16x64xf32>
    %974 = stablehlo.dot_general %973, %498, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %975 = stablehlo.dot_general %973, %arg11, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %976 = stablehlo.broadcast_in_dim %496, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %977 = stablehlo.multiply %976, %975 : tensor<8x16x32xf32>
    %978 = stablehlo.multiply %975, %495 : tensor<8x16x32xf32>
    %cst_238 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %979 = stablehlo.reduce(%978 init: %cst_238) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %980 = stablehlo.reshape %979 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_239 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %981 = stablehlo.reduce(%980 init: %cst_239) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %982 = stablehlo.multiply %476, %977 : tensor<8x16x32xf32>
    %cst_240 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %983 = stablehlo.reduce(%982 init: %cst_240) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %984 = stablehlo.reshape %983 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %985 = stablehlo.broadcast_in_dim %490, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %986 = stablehlo.multiply %977, %985 : tensor<8x16x32xf32>
    %987 = stablehlo.add %967, %986 : tensor<8x16x32xf32>
    %988 = stablehlo.multiply %984, %493 : tensor<8x16x1xf32>
    %cst_241 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %989 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %990 = stablehlo.divide %988, %989 : tensor<8x16x1xf32>
    %cst_242 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %991 = stablehlo.reduce(%990 init: %cst_242) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %992 = stablehlo.broadcast_in_dim %991, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %993 = stablehlo.multiply %992, %483 : tensor<8x16x32xf32>
    %994 = stablehlo.add %987, %993 : tensor<8x16x32xf32>
    %cst_243 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %995 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %996 = stablehlo.multiply %994, %995 : tensor<8x16x32xf32>
    %997 = stablehlo.dot_general %996, %472, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %998 = stablehlo.dot_general %996, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %999 = stablehlo.reshape %998 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %1000 = stablehlo.transpose %999, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1001 = stablehlo.transpose %1000, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1002 = stablehlo.reshape %1001 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1003 = stablehlo.transpose %1002, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %1004 = stablehlo.transpose %1003, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %1005 = stablehlo.dot_general %1004, %442, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %1006 = stablehlo.transpose %1005, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1007 = stablehlo.dot_general %1004, %462, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %1008 = stablehlo.transpose %1007, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %1009 = stablehlo.broadcast_in_dim %465, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1010 = stablehlo.multiply %1006, %1009 : tensor<1x8x4x16x16xf32>
    %1011 = stablehlo.multiply %1010, %458 : tensor<1x8x4x16x16xf32>
    %cst_244 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1012 = stablehlo.reduce(%1011 init: %cst_244) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %1013 = stablehlo.reshape %1012 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %1014 = stablehlo.negate %1013 : tensor<1x8x4x16x1xf32>
    %1015 = stablehlo.broadcast_in_dim %460, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1016 = stablehlo.divide %1006, %1015 : tensor<1x8x4x16x16xf32>
    %cst_245 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1017 = stablehlo.reduce(%1014 init: %cst_245) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %1018 = stablehlo.broadcast_in_dim %1017, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %1019 = stablehlo.broadcast_in_dim %1018, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1020 = stablehlo.add %1016, %1019 : tensor<1x8x4x16x16xf32>
    %1021 = stablehlo.multiply %1020, %458 : tensor<1x8x4x16x16xf32>
    %1022 = stablehlo.transpose %1021, dims = [1, 2, 3, 0, 4] : (tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_246 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1023 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %1024 = stablehlo.multiply %1022, %1023 : tensor<8x4x16x1x16xf32>
    %1025 = stablehlo.dot_general %1024, %443, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %1026 = stablehlo.transpose %1025, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1027 = stablehlo.dot_general %1024, %441, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %1028 = stablehlo.transpose %1027, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1029 = stablehlo.reshape %1028 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %1030 = stablehlo.transpose %1008, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1031 = stablehlo.transpose %1026, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1032 = stablehlo.transpose %1029, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1033 = stablehlo.transpose %1030, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1034 = stablehlo.reshape %1033 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1035 = stablehlo.dot_general %1034, %267, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1036 = stablehlo.dot_general %1034, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1037 = stablehlo.add %868, %1036 : tensor<8x16x32xf32>
    %1038 = stablehlo.transpose %1031, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1039 = stablehlo.reshape %1038 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1040 = stablehlo.dot_general %1039, %267, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1041 = stablehlo.dot_general %1039, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1042 = stablehlo.add %1037, %1041 : tensor<8x16x32xf32>
    %1043 = stablehlo.transpose %1032, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1044 = stablehlo.reshape %1043 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1045 = stablehlo.dot_general %1044, %429, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1046 = stablehlo.dot_general %1044, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1047 = stablehlo.broadcast_in_dim %427, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1048 = stablehlo.multiply %1047, %1046 : tensor<8x16x32xf32>
    %1049 = stablehlo.multiply %1046, %426 : tensor<8x16x32xf32>
    %cst_247 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1050 = stablehlo.reduce(%1049 init: %cst_247) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1051 = stablehlo.reshape %1050 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_248 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1052 = stablehlo.reduce(%1051 init: %cst_248) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1053 = stablehlo.multiply %407, %1048 : tensor<8x16x32xf32>
    %cst_249 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1054 = stablehlo.reduce(%1053 init: %cst_249) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1055 = stablehlo.reshape %1054 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1056 = stablehlo.broadcast_in_dim %421, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1057 = stablehlo.multiply %1048, %1056 : tensor<8x16x32xf32>
    %1058 = stablehlo.add %994, %1057 : tensor<8x16x32xf32>
    %1059 = stablehlo.multiply %1055, %424 : tensor<8x16x1xf32>
    %cst_250 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1060 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1061 = stablehlo.divide %1059, %1060 : tensor<8x16x1xf32>
    %cst_251 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1062 = stablehlo.reduce(%1061 init: %cst_251) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1063 = stablehlo.broadcast_in_dim %1062, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1064 = stablehlo.multiply %1063, %414 : tensor<8x16x32xf32>
    %1065 = stablehlo.add %1058, %1064 : tensor<8x16x32xf32>
    %cst_252 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1066 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %1067 = stablehlo.multiply %1065, %1066 : tensor<8x16x32xf32>
    %1068 = stablehlo.dot_general %1067, %403, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1069 = stablehlo.dot_general %1067, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1070 = stablehlo.reshape %1069 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %1071 = stablehlo.transpose %1070, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1072 = stablehlo.transpose %1071, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1073 = stablehlo.reshape %1072 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1074 = stablehlo.transpose %1073, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %1075 = stablehlo.transpose %1074, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %1076 = stablehlo.dot_general %1075, %373, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %1077 = stablehlo.transpose %1076, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1078 = stablehlo.dot_general %1075, %393, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %1079 = stablehlo.transpose %1078, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %1080 = stablehlo.broadcast_in_dim %396, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1081 = stablehlo.multiply %1077, %1080 : tensor<1x8x4x16x16xf32>
    %1082 = stablehlo.multiply %1081, %389 : tensor<1x8x4x16x16xf32>
    %cst_253 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1083 = stablehlo.reduce(%1082 init: %cst_253) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %1084 = stablehlo.reshape %1083 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %1085 = stablehlo.negate %1084 : tensor<1x8x4x16x1xf32>
    %1086 = stablehlo.broadcast_in_dim %391, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1087 = stablehlo.divide %1077, %1086 : tensor<1x8x4x16x16xf32>
    %cst_254 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1088 = stablehlo.reduce(%1085 init: %cst_254) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %1089 = stablehlo.broadcast_in_dim %1088, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %1090 = stablehlo.broadcast_in_dim %1089, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1091 = stablehlo.add %1087, %1090 : tensor<1x8x4x16x16xf32>
    %1092 = stablehlo.multiply %1091, %389 : tensor<1x8x4x16x16xf32>
    %cst_255 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1093 = stablehlo.reduce(%1092 init: %cst_255) applies stablehlo.add across dimensions = [1] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16x16xf32>
    %1094 = stablehlo.reshape %1093 : (tensor<1x4x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %1095 = stablehlo.transpose %1094, dims = [1, 2, 0, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %1096 = stablehlo.transpose %1092, dims = [1, 2, 3, 0, 4] : (tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_256 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1097 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %1098 = stablehlo.multiply %1096, %1097 : tensor<8x4x16x1x16xf32>
    %1099 = stablehlo.dot_general %1098, %374, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %1100 = stablehlo.transpose %1099, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1101 = stablehlo.dot_general %1098, %372, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %1102 = stablehlo.transpose %1101, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1103 = stablehlo.reshape %1095 : (tensor<1x4x1x16x16xf32>) -> tensor<1x4x16x16xf32>
    %1104 = stablehlo.reshape %1102 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %1105 = stablehlo.transpose %1079, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1106 = stablehlo.transpose %1100, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1107 = stablehlo.transpose %1104, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1108 = call @_where_10(%370#1, %1103) : (tensor<1x4x16x16xi1>, tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32>
    %1109 = stablehlo.add %934, %1108 : tensor<1x4x16x16xf32>
    %cst_257 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1110 = stablehlo.reduce(%1109 init: %cst_257) applies stablehlo.add across dimensions = [0] : (tensor<1x4x16x16xf32>, tensor<f32>) -> tensor<4x16x16xf32>
    %1111 = stablehlo.transpose %1110, dims = [1, 2, 0] : (tensor<4x16x16xf32>) -> tensor<16x16x4xf32>
    %1112 = call @_take_11(%351#1, %1111) : (tensor<16x16x1xi32>, tensor<16x16x4xf32>) -> tensor<32x4xf32>
    %1113 = stablehlo.transpose %1105, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1114 = stablehlo.reshape %1113 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1115 = stablehlo.dot_general %1114, %300, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1116 = stablehlo.dot_general %1114, %arg4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1117 = stablehlo.transpose %1106, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1118 = stablehlo.reshape %1117 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1119 = stablehlo.dot_general %1118, %300, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1120 = stablehlo.dot_general %1118, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1121 = stablehlo.add %1116, %1120 : tensor<8x16x32xf32>
    %1122 = stablehlo.transpose %1107, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1123 = stablehlo.reshape %1122 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1124 = stablehlo.dot_general %1123, %300, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1125 = stablehlo.dot_general %1123, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1126 = stablehlo.add %1121, %1125 : tensor<8x16x32xf32>
    %1127 = stablehlo.broadcast_in_dim %298, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1128 = stablehlo.multiply %1127, %1126 : tensor<8x16x32xf32>
    %1129 = stablehlo.multiply %1126, %297 : tensor<8x16x32xf32>
    %cst_258 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1130 = stablehlo.reduce(%1129 init: %cst_258) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1131 = stablehlo.reshape %1130 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_259 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1132 = stablehlo.reduce(%1131 init: %cst_259) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1133 = stablehlo.multiply %278#0, %1128 : tensor<8x16x32xf32>
    %cst_260 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1134 = stablehlo.reduce(%1133 init: %cst_260) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1135 = stablehlo.reshape %1134 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1136 = stablehlo.broadcast_in_dim %292, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1137 = stablehlo.multiply %1128, %1136 : tensor<8x16x32xf32>
    %1138 = stablehlo.add %1065, %1137 : tensor<8x16x32xf32>
    %1139 = stablehlo.multiply %1135, %295 : tensor<8x16x1xf32>
    %cst_261 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1140 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1141 = stablehlo.divide %1139, %1140 : tensor<8x16x1xf32>
    %cst_262 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1142 = stablehlo.reduce(%1141 init: %cst_262) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1143 = stablehlo.broadcast_in_dim %1142, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1144 = stablehlo.multiply %1143, %285 : tensor<8x16x32xf32>
    %1145 = stablehlo.add %1138, %1144 : tensor<8x16x32xf32>
    %1146 = call @_take_12(%278#1, %1145) : (tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %1147 = stablehlo.add %773, %1146 : tensor<64x32xf32>
    %1148 = stablehlo.broadcast_in_dim %265, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1149 = stablehlo.multiply %1148, %1042 : tensor<8x16x32xf32>
    %1150 = stablehlo.multiply %1042, %264 : tensor<8x16x32xf32>
    %cst_263 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1151 = stablehlo.reduce(%1150 init: %cst_263) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1152 = stablehlo.reshape %1151 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_264 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1153 = stablehlo.reduce(%1152 init: %cst_264) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1154 = stablehlo.multiply %245, %1149 : tensor<8x16x32xf32>
    %cst_265 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1155 = stablehlo.reduce(%1154 init: %cst_265) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1156 = stablehlo.reshape %1155 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1157 = stablehlo.broadcast_in_dim %259, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1158 = stablehlo.multiply %1149, %1157 : tensor<8x16x32xf32>
    %1159 = stablehlo.multiply %1156, %262 : tensor<8x16x1xf32>
    %cst_266 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1160 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1161 = stablehlo.divide %1159, %1160 : tensor<8x16x1xf32>
    %cst_267 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1162 = stablehlo.reduce(%1161 init: %cst_267) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1163 = stablehlo.broadcast_in_dim %1162, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1164 = stablehlo.multiply %1163, %252 : tensor<8x16x32xf32>
    %1165 = stablehlo.add %1158, %1164 : tensor<8x16x32xf32>
    %cst_268 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1166 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %1167 = stablehlo.multiply %1165, %1166 : tensor<8x16x32xf32>
    %1168 = stablehlo.dot_general %1167, %239, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %1169 = stablehlo.dot_general %1167, %arg43, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %cst_269 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1170 = stablehlo.broadcast_in_dim %cst_269, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %1171 = stablehlo.select %241, %1169, %1170 : tensor<8x16x64xi1>, tensor<8x16x64xf32>
    %1172 = stablehlo.dot_general %1171, %237, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %1173 = stablehlo.dot_general %1171, %arg42, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %1174 = stablehlo.broadcast_in_dim %235, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1175 = stablehlo.multiply %1174, %1173 : tensor<8x16x32xf32>
    %1176 = stablehlo.multiply %1173, %234 : tensor<8x16x32xf32>
    %cst_270 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1177 = stablehlo.reduce(%1176 init: %cst_270) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1178 = stablehlo.reshape %1177 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_271 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1179 = stablehlo.reduce(%1178 init: %cst_271) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1180 = stablehlo.multiply %215, %1175 : tensor<8x16x32xf32>
    %cst_272 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1181 = stablehlo.reduce(%1180 init: %cst_272) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1182 = stablehlo.reshape %1181 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1183 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1184 = stablehlo.multiply %1175, %1183 : tensor<8x16x32xf32>
    %1185 = stablehlo.add %1165, %1184 : tensor<8x16x32xf32>
    %1186 = stablehlo.multiply %1182, %232 : tensor<8x16x1xf32>
    %cst_273 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1187 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1188 = stablehlo.divide %1186, %1187 : tensor<8x16x1xf32>
    %cst_274 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1189 = stablehlo.reduce(%1188 init: %cst_274) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1190 = stablehlo.broadcast_in_dim %1189, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1191 = stablehlo.multiply %1190, %222 : tensor<8x16x32xf32>
    %1192 = stablehlo.add %1185, %1191 : tensor<8x16x32xf32>
    %cst_275 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1193 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %1194 = stablehlo.multiply %1192, %1193 : tensor<8x16x32xf32>
    %1195 = stablehlo.dot_general %1194, %211, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1196 = stablehlo.dot_general %1194, %arg38, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1197 = stablehlo.reshape %1196 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %1198 = stablehlo.transpose %1197, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1199 = stablehlo.transpose %1198, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1200 = stablehlo.reshape %1199 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1201 = stablehlo.transpose %1200, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %1202 = stablehlo.transpose %1201, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %1203 = stablehlo.dot_general %1202, %181, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %1204 = stablehlo.transpose %1203, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1205 = stablehlo.dot_general %1202, %201, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %1206 = stablehlo.transpose %1205, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %1207 = stablehlo.broadcast_in_dim %204, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1208 = stablehlo.multiply %1204, %1207 : tensor<1x8x4x16x16xf32>
    %1209 = stablehlo.multiply %1208, %197 : tensor<1x8x4x16x16xf32>
    %cst_276 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1210 = stablehlo.reduce(%1209 init: %cst_276) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %1211 = stablehlo.reshape %1210 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %1212 = stablehlo.negate %1211 : tensor<1x8x4x16x1xf32>
    %1213 = stablehlo.broadcast_in_dim %199, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1214 = stablehlo.divide %1204, %1213 : tensor<1x8x4x16x16xf32>
    %cst_277 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1215 = stablehlo.reduce(%1212 init: %cst_277) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %1216 = stablehlo.broadcast_in_dim %1215, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %1217 = stablehlo.broadcast_in_dim %1216, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1218 = stablehlo.add %1214, %1217 : tensor<1x8x4x16x16xf32>
    %1219 = stablehlo.multiply %1218, %197 : tensor<1x8x4x16x16xf32>
    %cst_278 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1220 = stablehlo.reduce(%1219 init: %cst_278) applies stablehlo.add across dimensions = [1] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16x16xf32>
    %1221 = stablehlo.reshape %1220 : (tensor<1x4x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %1222 = stablehlo.transpose %1221, dims = [1, 2, 0, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %1223 = stablehlo.transpose %1219, dims = [1, 2, 3, 0, 4] : (tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_279 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1224 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %1225 = stablehlo.multiply %1223, %1224 : tensor<8x4x16x1x16xf32>
    %1226 = stablehlo.dot_general %1225, %182, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %1227 = stablehlo.transpose %1226, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1228 = stablehlo.dot_general %1225, %180, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %1229 = stablehlo.transpose %1228, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1230 = stablehlo.reshape %1222 : (tensor<1x4x1x16x16xf32>) -> tensor<1x4x16x16xf32>
    %1231 = stablehlo.reshape %1229 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %1232 = stablehlo.transpose %1206, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1233 = stablehlo.transpose %1227, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1234 = stablehlo.transpose %1231, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1235 = stablehlo.transpose %1232, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1236 = stablehlo.reshape %1235 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1237 = stablehlo.dot_general %1236, %169, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1238 = stablehlo.dot_general %1236, %arg40, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1239 = stablehlo.transpose %1233, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1240 = stablehlo.reshape %1239 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1241 = stablehlo.dot_general %1240, %169, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1242 = stablehlo.dot_general %1240, %arg37, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1243 = stablehlo.add %1238, %1242 : tensor<8x16x32xf32>
    %1244 = stablehlo.transpose %1234, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1245 = stablehlo.reshape %1244 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1246 = stablehlo.dot_general %1245, %169, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1247 = stablehlo.dot_general %1245, %arg39, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1248 = stablehlo.add %1243, %1247 : tensor<8x16x32xf32>
    %1249 = stablehlo.broadcast_in_dim %167, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1250 = stablehlo.multiply %1249, %1248 : tensor<8x16x32xf32>
    %1251 = stablehlo.multiply %1248, %166 : tensor<8x16x32xf32>
    %cst_280 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1252 = stablehlo.reduce(%1251 init: %cst_280) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1253 = stablehlo.reshape %1252 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_281 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1254 = stablehlo.reduce(%1253 init: %cst_281) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1255 = stablehlo.multiply %147, %1250 : tensor<8x16x32xf32>
    %cst_282 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1256 = stablehlo.reduce(%1255 init: %cst_282) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1257 = stablehlo.reshape %1256 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1258 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1259 = stablehlo.multiply %1250, %1258 : tensor<8x16x32xf32>
    %1260 = stablehlo.add %1192, %1259 : tensor<8x16x32xf32>
    %1261 = stablehlo.multiply %1257, %164 : tensor<8x16x1xf32>
    %cst_283 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1262 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1263 = stablehlo.divide %1261, %1262 : tensor<8x16x1xf32>
    %cst_284 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1264 = stablehlo.reduce(%1263 init: %cst_284) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1265 = stablehlo.broadcast_in_dim %1264, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1266 = stablehlo.multiply %1265, %154 : tensor<8x16x32xf32>
    %1267 = stablehlo.add %1260, %1266 : tensor<8x16x32xf32>
    %cst_285 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1268 = stablehlo.broadcast_in_dim %cst_285, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %1269 = stablehlo.multiply %1267, %1268 : tensor<8x16x32xf32>
    %1270 = stablehlo.dot_general %1269, %141, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x64xf32>) -> tensor<32x64xf32>
    %1271 = stablehlo.dot_general %1269, %arg35, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x64xf32>) -> tensor<8x16x64xf32>
    %cst_286 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1272 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %1273 = stablehlo.select %143, %1271, %1272 : tensor<8x16x64xi1>, tensor<8x16x64xf32>
    %1274 = stablehlo.dot_general %1273, %139, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %1275 = stablehlo.dot_general %1273, %arg34, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x64xf32>, tensor<64x32xf32>) -> tensor<8x16x32xf32>
    %1276 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1277 = stablehlo.multiply %1276, %1275 : tensor<8x16x32xf32>
    %1278 = stablehlo.multiply %1275, %136 : tensor<8x16x32xf32>
    %cst_287 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1279 = stablehlo.reduce(%1278 init: %cst_287) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1280 = stablehlo.reshape %1279 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_288 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1281 = stablehlo.reduce(%1280 init: %cst_288) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1282 = stablehlo.multiply %117, %1277 : tensor<8x16x32xf32>
    %cst_289 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1283 = stablehlo.reduce(%1282 init: %cst_289) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1284 = stablehlo.reshape %1283 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1285 = stablehlo.broadcast_in_dim %131, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1286 = stablehlo.multiply %1277, %1285 : tensor<8x16x32xf32>
    %1287 = stablehlo.add %1267, %1286 : tensor<8x16x32xf32>
    %1288 = stablehlo.multiply %1284, %134 : tensor<8x16x1xf32>
    %cst_290 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1289 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1290 = stablehlo.divide %1288, %1289 : tensor<8x16x1xf32>
    %cst_291 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1291 = stablehlo.reduce(%1290 init: %cst_291) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1292 = stablehlo.broadcast_in_dim %1291, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1293 = stablehlo.multiply %1292, %124 : tensor<8x16x32xf32>
    %1294 = stablehlo.add %1287, %1293 : tensor<8x16x32xf32>
    %cst_292 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1295 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<8x16x32xf32>
    %1296 = stablehlo.multiply %1294, %1295 : tensor<8x16x32xf32>
    %1297 = stablehlo.dot_general %1296, %113, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1298 = stablehlo.dot_general %1296, %arg29, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1299 = stablehlo.reshape %1298 : (tensor<8x16x32xf32>) -> tensor<8x16x4x8xf32>
    %1300 = stablehlo.transpose %1299, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1301 = stablehlo.transpose %1300, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1302 = stablehlo.reshape %1301 : (tensor<8x16x4x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1303 = stablehlo.transpose %1302, dims = [3, 0, 1, 2, 4] : (tensor<8x16x4x1x8xf32>) -> tensor<1x8x16x4x8xf32>
    %1304 = stablehlo.transpose %1303, dims = [1, 3, 4, 0, 2] : (tensor<1x8x16x4x8xf32>) -> tensor<8x4x8x1x16xf32>
    %1305 = stablehlo.dot_general %1304, %83, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x1x16x16xf32>
    %1306 = stablehlo.transpose %1305, dims = [2, 0, 1, 3, 4] : (tensor<8x4x1x16x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1307 = stablehlo.dot_general %1304, %103, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x8x1x16xf32>, tensor<1x8x4x16x16xf32>) -> tensor<8x4x8x16xf32>
    %1308 = stablehlo.transpose %1307, dims = [0, 3, 1, 2] : (tensor<8x4x8x16xf32>) -> tensor<8x16x4x8xf32>
    %1309 = stablehlo.broadcast_in_dim %106, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1310 = stablehlo.multiply %1306, %1309 : tensor<1x8x4x16x16xf32>
    %1311 = stablehlo.multiply %1310, %99 : tensor<1x8x4x16x16xf32>
    %cst_293 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1312 = stablehlo.reduce(%1311 init: %cst_293) applies stablehlo.add across dimensions = [4] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x8x4x16xf32>
    %1313 = stablehlo.reshape %1312 : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x1xf32>
    %1314 = stablehlo.negate %1313 : tensor<1x8x4x16x1xf32>
    %1315 = stablehlo.broadcast_in_dim %101, dims = [0, 1, 2, 3, 4] : (tensor<1x8x4x16x1xf32>) -> tensor<1x8x4x16x16xf32>
    %1316 = stablehlo.divide %1306, %1315 : tensor<1x8x4x16x16xf32>
    %cst_294 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1317 = stablehlo.reduce(%1314 init: %cst_294) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x8x4x16x1xf32>, tensor<f32>) -> tensor<8x4x16xf32>
    %1318 = stablehlo.broadcast_in_dim %1317, dims = [1, 2, 3] : (tensor<8x4x16xf32>) -> tensor<1x8x4x16xf32>
    %1319 = stablehlo.broadcast_in_dim %1318, dims = [0, 1, 2, 3] : (tensor<1x8x4x16xf32>) -> tensor<1x8x4x16x16xf32>
    %1320 = stablehlo.add %1316, %1319 : tensor<1x8x4x16x16xf32>
    %1321 = stablehlo.multiply %1320, %99 : tensor<1x8x4x16x16xf32>
    %cst_295 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1322 = stablehlo.reduce(%1321 init: %cst_295) applies stablehlo.add across dimensions = [1] : (tensor<1x8x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16x16xf32>
    %1323 = stablehlo.reshape %1322 : (tensor<1x4x16x16xf32>) -> tensor<1x1x4x16x16xf32>
    %1324 = stablehlo.transpose %1323, dims = [1, 2, 0, 3, 4] : (tensor<1x1x4x16x16xf32>) -> tensor<1x4x1x16x16xf32>
    %1325 = stablehlo.transpose %1321, dims = [1, 2, 3, 0, 4] : (tensor<1x8x4x16x16xf32>) -> tensor<8x4x16x1x16xf32>
    %cst_296 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1326 = stablehlo.broadcast_in_dim %cst_296, dims = [] : (tensor<f32>) -> tensor<8x4x16x1x16xf32>
    %1327 = stablehlo.multiply %1325, %1326 : tensor<8x4x16x1x16xf32>
    %1328 = stablehlo.dot_general %1327, %84, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x1x8xf32>) -> tensor<8x4x16x8xf32>
    %1329 = stablehlo.transpose %1328, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1330 = stablehlo.dot_general %1327, %82, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<8x4x16x1x16xf32>, tensor<8x16x4x8xf32>) -> tensor<8x4x16x1x8xf32>
    %1331 = stablehlo.transpose %1330, dims = [0, 2, 1, 3, 4] : (tensor<8x4x16x1x8xf32>) -> tensor<8x16x4x1x8xf32>
    %1332 = stablehlo.reshape %1324 : (tensor<1x4x1x16x16xf32>) -> tensor<1x4x16x16xf32>
    %1333 = stablehlo.add %1230, %1332 : tensor<1x4x16x16xf32>
    %1334 = stablehlo.reshape %1331 : (tensor<8x16x4x1x8xf32>) -> tensor<8x16x4x8xf32>
    %1335 = stablehlo.transpose %1308, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1336 = stablehlo.transpose %1329, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %1337 = stablehlo.transpose %1334, dims = [0, 2, 1, 3] : (tensor<8x16x4x8xf32>) -> tensor<8x4x16x8xf32>
    %cst_297 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1338 = stablehlo.reduce(%1333 init: %cst_297) applies stablehlo.add across dimensions = [0] : (tensor<1x4x16x16xf32>, tensor<f32>) -> tensor<4x16x16xf32>
    %1339 = stablehlo.transpose %1338, dims = [1, 2, 0] : (tensor<4x16x16xf32>) -> tensor<16x16x4xf32>
    %1340 = call @_take_11(%78#1, %1339) : (tensor<16x16x1xi32>, tensor<16x16x4xf32>) -> tensor<32x4xf32>
    %1341 = stablehlo.transpose %1335, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1342 = stablehlo.reshape %1341 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1343 = stablehlo.dot_general %1342, %22, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1344 = stablehlo.dot_general %1342, %arg32, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1345 = stablehlo.transpose %1336, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1346 = stablehlo.reshape %1345 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1347 = stablehlo.dot_general %1346, %22, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1348 = stablehlo.dot_general %1346, %arg28, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1349 = stablehlo.add %1344, %1348 : tensor<8x16x32xf32>
    %1350 = stablehlo.transpose %1337, dims = [0, 2, 1, 3] : (tensor<8x4x16x8xf32>) -> tensor<8x16x4x8xf32>
    %1351 = stablehlo.reshape %1350 : (tensor<8x16x4x8xf32>) -> tensor<8x16x32xf32>
    %1352 = stablehlo.dot_general %1351, %22, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<8x16x32xf32>) -> tensor<32x32xf32>
    %1353 = stablehlo.dot_general %1351, %arg30, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x16x32xf32>, tensor<32x32xf32>) -> tensor<8x16x32xf32>
    %1354 = stablehlo.add %1349, %1353 : tensor<8x16x32xf32>
    %1355 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<8x16x32xf32>
    %1356 = stablehlo.multiply %1355, %1354 : tensor<8x16x32xf32>
    %1357 = stablehlo.multiply %1354, %19 : tensor<8x16x32xf32>
    %cst_298 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1358 = stablehlo.reduce(%1357 init: %cst_298) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1359 = stablehlo.reshape %1358 : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %cst_299 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1360 = stablehlo.reduce(%1359 init: %cst_299) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x32xf32>, tensor<f32>) -> tensor<32xf32>
    %1361 = stablehlo.multiply %0#0, %1356 : tensor<8x16x32xf32>
    %cst_300 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1362 = stablehlo.reduce(%1361 init: %cst_300) applies stablehlo.add across dimensions = [2] : (tensor<8x16x32xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1363 = stablehlo.reshape %1362 : (tensor<8x16xf32>) -> tensor<8x16x1xf32>
    %1364 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<8x16x1xf32>) -> tensor<8x16x32xf32>
    %1365 = stablehlo.multiply %1356, %1364 : tensor<8x16x32xf32>
    %1366 = stablehlo.add %1294, %1365 : tensor<8x16x32xf32>
    %1367 = stablehlo.multiply %1363, %17 : tensor<8x16x1xf32>
    %cst_301 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %1368 = stablehlo.broadcast_in_dim %cst_301, dims = [] : (tensor<f32>) -> tensor<8x16x1xf32>
    %1369 = stablehlo.divide %1367, %1368 : tensor<8x16x1xf32>
    %cst_302 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1370 = stablehlo.reduce(%1369 init: %cst_302) applies stablehlo.add across dimensions = [2] : (tensor<8x16x1xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1371 = stablehlo.broadcast_in_dim %1370, dims = [0, 1] : (tensor<8x16xf32>) -> tensor<8x16x32xf32>
    %1372 = stablehlo.multiply %1371, %7 : tensor<8x16x32xf32>
    %1373 = stablehlo.add %1366, %1372 : tensor<8x16x32xf32>
    %1374 = call @_take_12(%0#1, %1373) : (tensor<8x16x1xi32>, tensor<8x16x32xf32>) -> tensor<64x32xf32>
    %1375 = stablehlo.add %1147, %1374 : tensor<64x32xf32>
    %1376 = chlo.square %1119 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_303 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1377 = stablehlo.reduce(%1376 init: %cst_303) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %cst_304 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1378 = stablehlo.add %cst_304, %1377 : tensor<f32>
    %1379 = chlo.square %1068 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_305 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1380 = stablehlo.reduce(%1379 init: %cst_305) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1381 = stablehlo.add %1378, %1380 : tensor<f32>
    %1382 = chlo.square %1124 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_306 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1383 = stablehlo.reduce(%1382 init: %cst_306) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1384 = stablehlo.add %1381, %1383 : tensor<f32>
    %1385 = chlo.square %1112 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_307 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1386 = stablehlo.reduce(%1385 init: %cst_307) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %1387 = stablehlo.add %1384, %1386 : tensor<f32>
    %1388 = chlo.square %1115 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_308 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1389 = stablehlo.reduce(%1388 init: %cst_308) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1390 = stablehlo.add %1387, %1389 : tensor<f32>
    %1391 = chlo.square %1132 : tensor<32xf32> -> tensor<32xf32>
    %cst_309 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1392 = stablehlo.reduce(%1391 init: %cst_309) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1393 = stablehlo.add %1390, %1392 : tensor<f32>
    %1394 = chlo.square %1040 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_310 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1395 = stablehlo.reduce(%1394 init: %cst_310) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1396 = stablehlo.add %1393, %1395 : tensor<f32>
    %1397 = chlo.square %997 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_311 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1398 = stablehlo.reduce(%1397 init: %cst_311) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1399 = stablehlo.add %1396, %1398 : tensor<f32>
    %1400 = chlo.square %1045 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_312 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1401 = stablehlo.reduce(%1400 init: %cst_312) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1402 = stablehlo.add %1399, %1401 : tensor<f32>
    %1403 = chlo.square %1035 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_313 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1404 = stablehlo.reduce(%1403 init: %cst_313) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1405 = stablehlo.add %1402, %1404 : tensor<f32>
    %1406 = chlo.square %1052 : tensor<32xf32> -> tensor<32xf32>
    %cst_314 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1407 = stablehlo.reduce(%1406 init: %cst_314) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1408 = stablehlo.add %1405, %1407 : tensor<f32>
    %1409 = chlo.square %974 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_315 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1410 = stablehlo.reduce(%1409 init: %cst_315) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1411 = stablehlo.add %1408, %1410 : tensor<f32>
    %1412 = chlo.square %970 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_316 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1413 = stablehlo.reduce(%1412 init: %cst_316) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %1414 = stablehlo.add %1411, %1413 : tensor<f32>
    %1415 = chlo.square %981 : tensor<32xf32> -> tensor<32xf32>
    %cst_317 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1416 = stablehlo.reduce(%1415 init: %cst_317) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1417 = stablehlo.add %1414, %1416 : tensor<f32>
    %1418 = chlo.square %941 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_318 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1419 = stablehlo.reduce(%1418 init: %cst_318) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1420 = stablehlo.add %1417, %1419 : tensor<f32>
    %1421 = chlo.square %894 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_319 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1422 = stablehlo.reduce(%1421 init: %cst_319) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1423 = stablehlo.add %1420, %1422 : tensor<f32>
    %1424 = chlo.square %946 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_320 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1425 = stablehlo.reduce(%1424 init: %cst_320) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1426 = stablehlo.add %1423, %1425 : tensor<f32>
    %1427 = chlo.square %937 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_321 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1428 = stablehlo.reduce(%1427 init: %cst_321) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1429 = stablehlo.add %1426, %1428 : tensor<f32>
    %1430 = chlo.square %954 : tensor<32xf32> -> tensor<32xf32>
    %cst_322 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1431 = stablehlo.reduce(%1430 init: %cst_322) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1432 = stablehlo.add %1429, %1431 : tensor<f32>
    %1433 = chlo.square %866 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_323 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1434 = stablehlo.reduce(%1433 init: %cst_323) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1435 = stablehlo.add %1432, %1434 : tensor<f32>
    %1436 = chlo.square %824 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_324 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1437 = stablehlo.reduce(%1436 init: %cst_324) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1438 = stablehlo.add %1435, %1437 : tensor<f32>
    %1439 = chlo.square %871 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_325 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1440 = stablehlo.reduce(%1439 init: %cst_325) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1441 = stablehlo.add %1438, %1440 : tensor<f32>
    %1442 = chlo.square %862 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_326 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1443 = stablehlo.reduce(%1442 init: %cst_326) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1444 = stablehlo.add %1441, %1443 : tensor<f32>
    %1445 = chlo.square %878 : tensor<32xf32> -> tensor<32xf32>
    %cst_327 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1446 = stablehlo.reduce(%1445 init: %cst_327) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1447 = stablehlo.add %1444, %1446 : tensor<f32>
    %1448 = chlo.square %801 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_328 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1449 = stablehlo.reduce(%1448 init: %cst_328) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1450 = stablehlo.add %1447, %1449 : tensor<f32>
    %1451 = chlo.square %797 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_329 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1452 = stablehlo.reduce(%1451 init: %cst_329) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %1453 = stablehlo.add %1450, %1452 : tensor<f32>
    %1454 = chlo.square %808 : tensor<32xf32> -> tensor<32xf32>
    %cst_330 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1455 = stablehlo.reduce(%1454 init: %cst_330) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1456 = stablehlo.add %1453, %1455 : tensor<f32>
    %1457 = chlo.square %782 : tensor<32xf32> -> tensor<32xf32>
    %cst_331 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1458 = stablehlo.reduce(%1457 init: %cst_331) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1459 = stablehlo.add %1456, %1458 : tensor<f32>
    %1460 = chlo.square %1347 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_332 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1461 = stablehlo.reduce(%1460 init: %cst_332) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1462 = stablehlo.add %1459, %1461 : tensor<f32>
    %1463 = chlo.square %1297 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_333 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1464 = stablehlo.reduce(%1463 init: %cst_333) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1465 = stablehlo.add %1462, %1464 : tensor<f32>
    %1466 = chlo.square %1352 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_334 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1467 = stablehlo.reduce(%1466 init: %cst_334) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1468 = stablehlo.add %1465, %1467 : tensor<f32>
    %1469 = chlo.square %1340 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_335 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1470 = stablehlo.reduce(%1469 init: %cst_335) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x4xf32>, tensor<f32>) -> tensor<f32>
    %1471 = stablehlo.add %1468, %1470 : tensor<f32>
    %1472 = chlo.square %1343 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_336 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1473 = stablehlo.reduce(%1472 init: %cst_336) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1474 = stablehlo.add %1471, %1473 : tensor<f32>
    %1475 = chlo.square %1360 : tensor<32xf32> -> tensor<32xf32>
    %cst_337 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1476 = stablehlo.reduce(%1475 init: %cst_337) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1477 = stablehlo.add %1474, %1476 : tensor<f32>
    %1478 = chlo.square %1274 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_338 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1479 = stablehlo.reduce(%1478 init: %cst_338) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1480 = stablehlo.add %1477, %1479 : tensor<f32>
    %1481 = chlo.square %1270 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_339 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1482 = stablehlo.reduce(%1481 init: %cst_339) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %1483 = stablehlo.add %1480, %1482 : tensor<f32>
    %1484 = chlo.square %1281 : tensor<32xf32> -> tensor<32xf32>
    %cst_340 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1485 = stablehlo.reduce(%1484 init: %cst_340) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1486 = stablehlo.add %1483, %1485 : tensor<f32>
    %1487 = chlo.square %1241 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_341 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1488 = stablehlo.reduce(%1487 init: %cst_341) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1489 = stablehlo.add %1486, %1488 : tensor<f32>
    %1490 = chlo.square %1195 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_342 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1491 = stablehlo.reduce(%1490 init: %cst_342) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1492 = stablehlo.add %1489, %1491 : tensor<f32>
    %1493 = chlo.square %1246 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_343 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1494 = stablehlo.reduce(%1493 init: %cst_343) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1495 = stablehlo.add %1492, %1494 : tensor<f32>
    %1496 = chlo.square %1237 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_344 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1497 = stablehlo.reduce(%1496 init: %cst_344) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x32xf32>, tensor<f32>) -> tensor<f32>
    %1498 = stablehlo.add %1495, %1497 : tensor<f32>
    %1499 = chlo.square %1254 : tensor<32xf32> -> tensor<32xf32>
    %cst_345 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1500 = stablehlo.reduce(%1499 init: %cst_345) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1501 = stablehlo.add %1498, %1500 : tensor<f32>
    %1502 = chlo.square %1172 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_346 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1503 = stablehlo.reduce(%1502 init: %cst_346) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1504 = stablehlo.add %1501, %1503 : tensor<f32>
    %1505 = chlo.square %1168 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_347 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1506 = stablehlo.reduce(%1505 init: %cst_347) applies stablehlo.add across dimensions = [0, 1] : (tensor<32x64xf32>, tensor<f32>) -> tensor<f32>
    %1507 = stablehlo.add %1504, %1506 : tensor<f32>
    %1508 = chlo.square %1179 : tensor<32xf32> -> tensor<32xf32>
    %cst_348 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1509 = stablehlo.reduce(%1508 init: %cst_348) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1510 = stablehlo.add %1507, %1509 : tensor<f32>
    %1511 = chlo.square %1153 : tensor<32xf32> -> tensor<32xf32>
    %cst_349 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1512 = stablehlo.reduce(%1511 init: %cst_349) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    %1513 = stablehlo.add %1510, %1512 : tensor<f32>
    %1514 = chlo.square %1375 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_350 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1515 = stablehlo.reduce(%1514 init: %cst_350) applies stablehlo.add across dimensions = [0, 1] : (tensor<64x32xf32>, tensor<f32>) -> tensor<f32>
    %1516 = stablehlo.add %1513, %1515 : tensor<f32>
    %1517 = stablehlo.sqrt %1516 : tensor<f32>
    %cst_351 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %1518 = stablehlo.add %1517, %cst_351 : tensor<f32>
    %cst_352 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1519 = stablehlo.divide %cst_352, %1518 : tensor<f32>
    %cst_353 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1520 = stablehlo.minimum %1519, %cst_353 : tensor<f32>
    %1521 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1522 = stablehlo.multiply %1119, %1521 : tensor<32x32xf32>
    %1523 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1524 = stablehlo.multiply %1068, %1523 : tensor<32x32xf32>
    %1525 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1526 = stablehlo.multiply %1124, %1525 : tensor<32x32xf32>
    %1527 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1528 = stablehlo.multiply %1112, %1527 : tensor<32x4xf32>
    %1529 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1530 = stablehlo.multiply %1115, %1529 : tensor<32x32xf32>
    %1531 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1532 = stablehlo.multiply %1132, %1531 : tensor<32xf32>
    %1533 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1534 = stablehlo.multiply %1040, %1533 : tensor<32x32xf32>
    %1535 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1536 = stablehlo.multiply %997, %1535 : tensor<32x32xf32>
    %1537 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1538 = stablehlo.multiply %1045, %1537 : tensor<32x32xf32>
    %1539 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1540 = stablehlo.multiply %1035, %1539 : tensor<32x32xf32>
    %1541 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1542 = stablehlo.multiply %1052, %1541 : tensor<32xf32>
    %1543 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1544 = stablehlo.multiply %974, %1543 : tensor<64x32xf32>
    %1545 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1546 = stablehlo.multiply %970, %1545 : tensor<32x64xf32>
    %1547 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1548 = stablehlo.multiply %981, %1547 : tensor<32xf32>
    %1549 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1550 = stablehlo.multiply %941, %1549 : tensor<32x32xf32>
    %1551 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1552 = stablehlo.multiply %894, %1551 : tensor<32x32xf32>
    %1553 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1554 = stablehlo.multiply %946, %1553 : tensor<32x32xf32>
    %1555 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1556 = stablehlo.multiply %937, %1555 : tensor<32x32xf32>
    %1557 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1558 = stablehlo.multiply %954, %1557 : tensor<32xf32>
    %1559 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1560 = stablehlo.multiply %866, %1559 : tensor<32x32xf32>
    %1561 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1562 = stablehlo.multiply %824, %1561 : tensor<32x32xf32>
    %1563 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1564 = stablehlo.multiply %871, %1563 : tensor<32x32xf32>
    %1565 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1566 = stablehlo.multiply %862, %1565 : tensor<32x32xf32>
    %1567 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1568 = stablehlo.multiply %878, %1567 : tensor<32xf32>
    %1569 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1570 = stablehlo.multiply %801, %1569 : tensor<64x32xf32>
    %1571 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1572 = stablehlo.multiply %797, %1571 : tensor<32x64xf32>
    %1573 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1574 = stablehlo.multiply %808, %1573 : tensor<32xf32>
    %1575 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1576 = stablehlo.multiply %782, %1575 : tensor<32xf32>
    %1577 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1578 = stablehlo.multiply %1347, %1577 : tensor<32x32xf32>
    %1579 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1580 = stablehlo.multiply %1297, %1579 : tensor<32x32xf32>
    %1581 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1582 = stablehlo.multiply %1352, %1581 : tensor<32x32xf32>
    %1583 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1584 = stablehlo.multiply %1340, %1583 : tensor<32x4xf32>
    %1585 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1586 = stablehlo.multiply %1343, %1585 : tensor<32x32xf32>
    %1587 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1588 = stablehlo.multiply %1360, %1587 : tensor<32xf32>
    %1589 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1590 = stablehlo.multiply %1274, %1589 : tensor<64x32xf32>
    %1591 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1592 = stablehlo.multiply %1270, %1591 : tensor<32x64xf32>
    %1593 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1594 = stablehlo.multiply %1281, %1593 : tensor<32xf32>
    %1595 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1596 = stablehlo.multiply %1241, %1595 : tensor<32x32xf32>
    %1597 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1598 = stablehlo.multiply %1195, %1597 : tensor<32x32xf32>
    %1599 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1600 = stablehlo.multiply %1246, %1599 : tensor<32x32xf32>
    %1601 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1602 = stablehlo.multiply %1237, %1601 : tensor<32x32xf32>
    %1603 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1604 = stablehlo.multiply %1254, %1603 : tensor<32xf32>
    %1605 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1606 = stablehlo.multiply %1172, %1605 : tensor<64x32xf32>
    %1607 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1608 = stablehlo.multiply %1168, %1607 : tensor<32x64xf32>
    %1609 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1610 = stablehlo.multiply %1179, %1609 : tensor<32xf32>
    %1611 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1612 = stablehlo.multiply %1153, %1611 : tensor<32xf32>
    %1613 = stablehlo.broadcast_in_dim %1520, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1614 = stablehlo.multiply %1375, %1613 : tensor<64x32xf32>
    %cst_354 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1615 = stablehlo.add %arg141, %cst_354 : tensor<f32>
    %cst_355 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1616 = stablehlo.broadcast_in_dim %cst_355, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1617 = stablehlo.multiply %1616, %arg47 : tensor<32x32xf32>
    %cst_356 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1618 = stablehlo.broadcast_in_dim %cst_356, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1619 = stablehlo.multiply %1618, %1522 : tensor<32x32xf32>
    %1620 = stablehlo.add %1617, %1619 : tensor<32x32xf32>
    %cst_357 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1621 = stablehlo.broadcast_in_dim %cst_357, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1622 = stablehlo.multiply %1621, %arg48 : tensor<32x32xf32>
    %cst_358 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1623 = stablehlo.broadcast_in_dim %cst_358, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1624 = stablehlo.multiply %1623, %1524 : tensor<32x32xf32>
    %1625 = stablehlo.add %1622, %1624 : tensor<32x32xf32>
    %cst_359 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1626 = stablehlo.broadcast_in_dim %cst_359, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1627 = stablehlo.multiply %1626, %arg49 : tensor<32x32xf32>
    %cst_360 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1628 = stablehlo.broadcast_in_dim %cst_360, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1629 = stablehlo.multiply %1628, %1526 : tensor<32x32xf32>
    %1630 = stablehlo.add %1627, %1629 : tensor<32x32xf32>
    %cst_361 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1631 = stablehlo.broadcast_in_dim %cst_361, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1632 = stablehlo.multiply %1631, %arg50 : tensor<32x4xf32>
    %cst_362 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1633 = stablehlo.broadcast_in_dim %cst_362, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1634 = stablehlo.multiply %1633, %1528 : tensor<32x4xf32>
    %1635 = stablehlo.add %1632, %1634 : tensor<32x4xf32>
    %cst_363 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1636 = stablehlo.broadcast_in_dim %cst_363, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1637 = stablehlo.multiply %1636, %arg51 : tensor<32x32xf32>
    %cst_364 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1638 = stablehlo.broadcast_in_dim %cst_364, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1639 = stablehlo.multiply %1638, %1530 : tensor<32x32xf32>
    %1640 = stablehlo.add %1637, %1639 : tensor<32x32xf32>
    %cst_365 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1641 = stablehlo.broadcast_in_dim %cst_365, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1642 = stablehlo.multiply %1641, %arg52 : tensor<32xf32>
    %cst_366 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1643 = stablehlo.broadcast_in_dim %cst_366, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1644 = stablehlo.multiply %1643, %1532 : tensor<32xf32>
    %1645 = stablehlo.add %1642, %1644 : tensor<32xf32>
    %cst_367 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1646 = stablehlo.broadcast_in_dim %cst_367, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1647 = stablehlo.multiply %1646, %arg53 : tensor<32x32xf32>
    %cst_368 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1648 = stablehlo.broadcast_in_dim %cst_368, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1649 = stablehlo.multiply %1648, %1534 : tensor<32x32xf32>
    %1650 = stablehlo.add %1647, %1649 : tensor<32x32xf32>
    %cst_369 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1651 = stablehlo.broadcast_in_dim %cst_369, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1652 = stablehlo.multiply %1651, %arg54 : tensor<32x32xf32>
    %cst_370 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1653 = stablehlo.broadcast_in_dim %cst_370, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1654 = stablehlo.multiply %1653, %1536 : tensor<32x32xf32>
    %1655 = stablehlo.add %1652, %1654 : tensor<32x32xf32>
    %cst_371 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1656 = stablehlo.broadcast_in_dim %cst_371, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1657 = stablehlo.multiply %1656, %arg55 : tensor<32x32xf32>
    %cst_372 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1658 = stablehlo.broadcast_in_dim %cst_372, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1659 = stablehlo.multiply %1658, %1538 : tensor<32x32xf32>
    %1660 = stablehlo.add %1657, %1659 : tensor<32x32xf32>
    %cst_373 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1661 = stablehlo.broadcast_in_dim %cst_373, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1662 = stablehlo.multiply %1661, %arg56 : tensor<32x32xf32>
    %cst_374 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1663 = stablehlo.broadcast_in_dim %cst_374, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1664 = stablehlo.multiply %1663, %1540 : tensor<32x32xf32>
    %1665 = stablehlo.add %1662, %1664 : tensor<32x32xf32>
    %cst_375 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1666 = stablehlo.broadcast_in_dim %cst_375, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1667 = stablehlo.multiply %1666, %arg57 : tensor<32xf32>
    %cst_376 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1668 = stablehlo.broadcast_in_dim %cst_376, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1669 = stablehlo.multiply %1668, %1542 : tensor<32xf32>
    %1670 = stablehlo.add %1667, %1669 : tensor<32xf32>
    %cst_377 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1671 = stablehlo.broadcast_in_dim %cst_377, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1672 = stablehlo.multiply %1671, %arg58 : tensor<64x32xf32>
    %cst_378 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1673 = stablehlo.broadcast_in_dim %cst_378, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1674 = stablehlo.multiply %1673, %1544 : tensor<64x32xf32>
    %1675 = stablehlo.add %1672, %1674 : tensor<64x32xf32>
    %cst_379 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1676 = stablehlo.broadcast_in_dim %cst_379, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1677 = stablehlo.multiply %1676, %arg59 : tensor<32x64xf32>
    %cst_380 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1678 = stablehlo.broadcast_in_dim %cst_380, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1679 = stablehlo.multiply %1678, %1546 : tensor<32x64xf32>
    %1680 = stablehlo.add %1677, %1679 : tensor<32x64xf32>
    %cst_381 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1681 = stablehlo.broadcast_in_dim %cst_381, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1682 = stablehlo.multiply %1681, %arg60 : tensor<32xf32>
    %cst_382 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1683 = stablehlo.broadcast_in_dim %cst_382, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1684 = stablehlo.multiply %1683, %1548 : tensor<32xf32>
    %1685 = stablehlo.add %1682, %1684 : tensor<32xf32>
    %cst_383 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1686 = stablehlo.broadcast_in_dim %cst_383, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1687 = stablehlo.multiply %1686, %arg61 : tensor<32x32xf32>
    %cst_384 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1688 = stablehlo.broadcast_in_dim %cst_384, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1689 = stablehlo.multiply %1688, %1550 : tensor<32x32xf32>
    %1690 = stablehlo.add %1687, %1689 : tensor<32x32xf32>
    %cst_385 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1691 = stablehlo.broadcast_in_dim %cst_385, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1692 = stablehlo.multiply %1691, %arg62 : tensor<32x32xf32>
    %cst_386 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1693 = stablehlo.broadcast_in_dim %cst_386, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1694 = stablehlo.multiply %1693, %1552 : tensor<32x32xf32>
    %1695 = stablehlo.add %1692, %1694 : tensor<32x32xf32>
    %cst_387 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1696 = stablehlo.broadcast_in_dim %cst_387, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1697 = stablehlo.multiply %1696, %arg63 : tensor<32x32xf32>
    %cst_388 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1698 = stablehlo.broadcast_in_dim %cst_388, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1699 = stablehlo.multiply %1698, %1554 : tensor<32x32xf32>
    %1700 = stablehlo.add %1697, %1699 : tensor<32x32xf32>
    %cst_389 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1701 = stablehlo.broadcast_in_dim %cst_389, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1702 = stablehlo.multiply %1701, %arg64 : tensor<32x32xf32>
    %cst_390 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1703 = stablehlo.broadcast_in_dim %cst_390, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1704 = stablehlo.multiply %1703, %1556 : tensor<32x32xf32>
    %1705 = stablehlo.add %1702, %1704 : tensor<32x32xf32>
    %cst_391 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1706 = stablehlo.broadcast_in_dim %cst_391, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1707 = stablehlo.multiply %1706, %arg65 : tensor<32xf32>
    %cst_392 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1708 = stablehlo.broadcast_in_dim %cst_392, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1709 = stablehlo.multiply %1708, %1558 : tensor<32xf32>
    %1710 = stablehlo.add %1707, %1709 : tensor<32xf32>
    %cst_393 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1711 = stablehlo.broadcast_in_dim %cst_393, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1712 = stablehlo.multiply %1711, %arg66 : tensor<32x32xf32>
    %cst_394 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1713 = stablehlo.broadcast_in_dim %cst_394, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1714 = stablehlo.multiply %1713, %1560 : tensor<32x32xf32>
    %1715 = stablehlo.add %1712, %1714 : tensor<32x32xf32>
    %cst_395 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1716 = stablehlo.broadcast_in_dim %cst_395, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1717 = stablehlo.multiply %1716, %arg67 : tensor<32x32xf32>
    %cst_396 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1718 = stablehlo.broadcast_in_dim %cst_396, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1719 = stablehlo.multiply %1718, %1562 : tensor<32x32xf32>
    %1720 = stablehlo.add %1717, %1719 : tensor<32x32xf32>
    %cst_397 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1721 = stablehlo.broadcast_in_dim %cst_397, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1722 = stablehlo.multiply %1721, %arg68 : tensor<32x32xf32>
    %cst_398 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1723 = stablehlo.broadcast_in_dim %cst_398, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1724 = stablehlo.multiply %1723, %1564 : tensor<32x32xf32>
    %1725 = stablehlo.add %1722, %1724 : tensor<32x32xf32>
    %cst_399 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1726 = stablehlo.broadcast_in_dim %cst_399, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1727 = stablehlo.multiply %1726, %arg69 : tensor<32x32xf32>
    %cst_400 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1728 = stablehlo.broadcast_in_dim %cst_400, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1729 = stablehlo.multiply %1728, %1566 : tensor<32x32xf32>
    %1730 = stablehlo.add %1727, %1729 : tensor<32x32xf32>
    %cst_401 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1731 = stablehlo.broadcast_in_dim %cst_401, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1732 = stablehlo.multiply %1731, %arg70 : tensor<32xf32>
    %cst_402 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1733 = stablehlo.broadcast_in_dim %cst_402, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1734 = stablehlo.multiply %1733, %1568 : tensor<32xf32>
    %1735 = stablehlo.add %1732, %1734 : tensor<32xf32>
    %cst_403 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1736 = stablehlo.broadcast_in_dim %cst_403, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1737 = stablehlo.multiply %1736, %arg71 : tensor<64x32xf32>
    %cst_404 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1738 = stablehlo.broadcast_in_dim %cst_404, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1739 = stablehlo.multiply %1738, %1570 : tensor<64x32xf32>
    %1740 = stablehlo.add %1737, %1739 : tensor<64x32xf32>
    %cst_405 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1741 = stablehlo.broadcast_in_dim %cst_405, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1742 = stablehlo.multiply %1741, %arg72 : tensor<32x64xf32>
    %cst_406 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1743 = stablehlo.broadcast_in_dim %cst_406, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1744 = stablehlo.multiply %1743, %1572 : tensor<32x64xf32>
    %1745 = stablehlo.add %1742, %1744 : tensor<32x64xf32>
    %cst_407 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1746 = stablehlo.broadcast_in_dim %cst_407, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1747 = stablehlo.multiply %1746, %arg73 : tensor<32xf32>
    %cst_408 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1748 = stablehlo.broadcast_in_dim %cst_408, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1749 = stablehlo.multiply %1748, %1574 : tensor<32xf32>
    %1750 = stablehlo.add %1747, %1749 : tensor<32xf32>
    %cst_409 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1751 = stablehlo.broadcast_in_dim %cst_409, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1752 = stablehlo.multiply %1751, %arg74 : tensor<32xf32>
    %cst_410 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1753 = stablehlo.broadcast_in_dim %cst_410, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1754 = stablehlo.multiply %1753, %1576 : tensor<32xf32>
    %1755 = stablehlo.add %1752, %1754 : tensor<32xf32>
    %cst_411 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1756 = stablehlo.broadcast_in_dim %cst_411, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1757 = stablehlo.multiply %1756, %arg75 : tensor<32x32xf32>
    %cst_412 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1758 = stablehlo.broadcast_in_dim %cst_412, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1759 = stablehlo.multiply %1758, %1578 : tensor<32x32xf32>
    %1760 = stablehlo.add %1757, %1759 : tensor<32x32xf32>
    %cst_413 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1761 = stablehlo.broadcast_in_dim %cst_413, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1762 = stablehlo.multiply %1761, %arg76 : tensor<32x32xf32>
    %cst_414 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1763 = stablehlo.broadcast_in_dim %cst_414, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1764 = stablehlo.multiply %1763, %1580 : tensor<32x32xf32>
    %1765 = stablehlo.add %1762, %1764 : tensor<32x32xf32>
    %cst_415 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1766 = stablehlo.broadcast_in_dim %cst_415, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1767 = stablehlo.multiply %1766, %arg77 : tensor<32x32xf32>
    %cst_416 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1768 = stablehlo.broadcast_in_dim %cst_416, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1769 = stablehlo.multiply %1768, %1582 : tensor<32x32xf32>
    %1770 = stablehlo.add %1767, %1769 : tensor<32x32xf32>
    %cst_417 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1771 = stablehlo.broadcast_in_dim %cst_417, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1772 = stablehlo.multiply %1771, %arg78 : tensor<32x4xf32>
    %cst_418 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1773 = stablehlo.broadcast_in_dim %cst_418, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1774 = stablehlo.multiply %1773, %1584 : tensor<32x4xf32>
    %1775 = stablehlo.add %1772, %1774 : tensor<32x4xf32>
    %cst_419 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1776 = stablehlo.broadcast_in_dim %cst_419, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1777 = stablehlo.multiply %1776, %arg79 : tensor<32x32xf32>
    %cst_420 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1778 = stablehlo.broadcast_in_dim %cst_420, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1779 = stablehlo.multiply %1778, %1586 : tensor<32x32xf32>
    %1780 = stablehlo.add %1777, %1779 : tensor<32x32xf32>
    %cst_421 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1781 = stablehlo.broadcast_in_dim %cst_421, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1782 = stablehlo.multiply %1781, %arg80 : tensor<32xf32>
    %cst_422 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1783 = stablehlo.broadcast_in_dim %cst_422, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1784 = stablehlo.multiply %1783, %1588 : tensor<32xf32>
    %1785 = stablehlo.add %1782, %1784 : tensor<32xf32>
    %cst_423 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1786 = stablehlo.broadcast_in_dim %cst_423, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1787 = stablehlo.multiply %1786, %arg81 : tensor<64x32xf32>
    %cst_424 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1788 = stablehlo.broadcast_in_dim %cst_424, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1789 = stablehlo.multiply %1788, %1590 : tensor<64x32xf32>
    %1790 = stablehlo.add %1787, %1789 : tensor<64x32xf32>
    %cst_425 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1791 = stablehlo.broadcast_in_dim %cst_425, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1792 = stablehlo.multiply %1791, %arg82 : tensor<32x64xf32>
    %cst_426 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1793 = stablehlo.broadcast_in_dim %cst_426, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1794 = stablehlo.multiply %1793, %1592 : tensor<32x64xf32>
    %1795 = stablehlo.add %1792, %1794 : tensor<32x64xf32>
    %cst_427 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1796 = stablehlo.broadcast_in_dim %cst_427, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1797 = stablehlo.multiply %1796, %arg83 : tensor<32xf32>
    %cst_428 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1798 = stablehlo.broadcast_in_dim %cst_428, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1799 = stablehlo.multiply %1798, %1594 : tensor<32xf32>
    %1800 = stablehlo.add %1797, %1799 : tensor<32xf32>
    %cst_429 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1801 = stablehlo.broadcast_in_dim %cst_429, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1802 = stablehlo.multiply %1801, %arg84 : tensor<32x32xf32>
    %cst_430 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1803 = stablehlo.broadcast_in_dim %cst_430, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1804 = stablehlo.multiply %1803, %1596 : tensor<32x32xf32>
    %1805 = stablehlo.add %1802, %1804 : tensor<32x32xf32>
    %cst_431 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1806 = stablehlo.broadcast_in_dim %cst_431, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1807 = stablehlo.multiply %1806, %arg85 : tensor<32x32xf32>
    %cst_432 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1808 = stablehlo.broadcast_in_dim %cst_432, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1809 = stablehlo.multiply %1808, %1598 : tensor<32x32xf32>
    %1810 = stablehlo.add %1807, %1809 : tensor<32x32xf32>
    %cst_433 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1811 = stablehlo.broadcast_in_dim %cst_433, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1812 = stablehlo.multiply %1811, %arg86 : tensor<32x32xf32>
    %cst_434 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1813 = stablehlo.broadcast_in_dim %cst_434, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1814 = stablehlo.multiply %1813, %1600 : tensor<32x32xf32>
    %1815 = stablehlo.add %1812, %1814 : tensor<32x32xf32>
    %cst_435 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1816 = stablehlo.broadcast_in_dim %cst_435, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1817 = stablehlo.multiply %1816, %arg87 : tensor<32x32xf32>
    %cst_436 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1818 = stablehlo.broadcast_in_dim %cst_436, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1819 = stablehlo.multiply %1818, %1602 : tensor<32x32xf32>
    %1820 = stablehlo.add %1817, %1819 : tensor<32x32xf32>
    %cst_437 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1821 = stablehlo.broadcast_in_dim %cst_437, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1822 = stablehlo.multiply %1821, %arg88 : tensor<32xf32>
    %cst_438 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1823 = stablehlo.broadcast_in_dim %cst_438, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1824 = stablehlo.multiply %1823, %1604 : tensor<32xf32>
    %1825 = stablehlo.add %1822, %1824 : tensor<32xf32>
    %cst_439 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1826 = stablehlo.broadcast_in_dim %cst_439, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1827 = stablehlo.multiply %1826, %arg89 : tensor<64x32xf32>
    %cst_440 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1828 = stablehlo.broadcast_in_dim %cst_440, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1829 = stablehlo.multiply %1828, %1606 : tensor<64x32xf32>
    %1830 = stablehlo.add %1827, %1829 : tensor<64x32xf32>
    %cst_441 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1831 = stablehlo.broadcast_in_dim %cst_441, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1832 = stablehlo.multiply %1831, %arg90 : tensor<32x64xf32>
    %cst_442 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1833 = stablehlo.broadcast_in_dim %cst_442, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1834 = stablehlo.multiply %1833, %1608 : tensor<32x64xf32>
    %1835 = stablehlo.add %1832, %1834 : tensor<32x64xf32>
    %cst_443 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1836 = stablehlo.broadcast_in_dim %cst_443, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1837 = stablehlo.multiply %1836, %arg91 : tensor<32xf32>
    %cst_444 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1838 = stablehlo.broadcast_in_dim %cst_444, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1839 = stablehlo.multiply %1838, %1610 : tensor<32xf32>
    %1840 = stablehlo.add %1837, %1839 : tensor<32xf32>
    %cst_445 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1841 = stablehlo.broadcast_in_dim %cst_445, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1842 = stablehlo.multiply %1841, %arg92 : tensor<32xf32>
    %cst_446 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1843 = stablehlo.broadcast_in_dim %cst_446, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1844 = stablehlo.multiply %1843, %1612 : tensor<32xf32>
    %1845 = stablehlo.add %1842, %1844 : tensor<32xf32>
    %cst_447 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1846 = stablehlo.broadcast_in_dim %cst_447, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1847 = stablehlo.multiply %1846, %arg93 : tensor<64x32xf32>
    %cst_448 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1848 = stablehlo.broadcast_in_dim %cst_448, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1849 = stablehlo.multiply %1848, %1614 : tensor<64x32xf32>
    %1850 = stablehlo.add %1847, %1849 : tensor<64x32xf32>
    %cst_449 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1851 = stablehlo.broadcast_in_dim %cst_449, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1852 = stablehlo.multiply %1851, %arg94 : tensor<32x32xf32>
    %1853 = chlo.square %1522 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_450 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1854 = stablehlo.broadcast_in_dim %cst_450, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1855 = stablehlo.multiply %1854, %1853 : tensor<32x32xf32>
    %1856 = stablehlo.add %1852, %1855 : tensor<32x32xf32>
    %cst_451 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1857 = stablehlo.broadcast_in_dim %cst_451, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1858 = stablehlo.multiply %1857, %arg95 : tensor<32x32xf32>
    %1859 = chlo.square %1524 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_452 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1860 = stablehlo.broadcast_in_dim %cst_452, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1861 = stablehlo.multiply %1860, %1859 : tensor<32x32xf32>
    %1862 = stablehlo.add %1858, %1861 : tensor<32x32xf32>
    %cst_453 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1863 = stablehlo.broadcast_in_dim %cst_453, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1864 = stablehlo.multiply %1863, %arg96 : tensor<32x32xf32>
    %1865 = chlo.square %1526 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_454 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1866 = stablehlo.broadcast_in_dim %cst_454, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1867 = stablehlo.multiply %1866, %1865 : tensor<32x32xf32>
    %1868 = stablehlo.add %1864, %1867 : tensor<32x32xf32>
    %cst_455 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1869 = stablehlo.broadcast_in_dim %cst_455, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1870 = stablehlo.multiply %1869, %arg97 : tensor<32x4xf32>
    %1871 = chlo.square %1528 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_456 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1872 = stablehlo.broadcast_in_dim %cst_456, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1873 = stablehlo.multiply %1872, %1871 : tensor<32x4xf32>
    %1874 = stablehlo.add %1870, %1873 : tensor<32x4xf32>
    %cst_457 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1875 = stablehlo.broadcast_in_dim %cst_457, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1876 = stablehlo.multiply %1875, %arg98 : tensor<32x32xf32>
    %1877 = chlo.square %1530 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_458 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1878 = stablehlo.broadcast_in_dim %cst_458, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1879 = stablehlo.multiply %1878, %1877 : tensor<32x32xf32>
    %1880 = stablehlo.add %1876, %1879 : tensor<32x32xf32>
    %cst_459 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1881 = stablehlo.broadcast_in_dim %cst_459, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1882 = stablehlo.multiply %1881, %arg99 : tensor<32xf32>
    %1883 = chlo.square %1532 : tensor<32xf32> -> tensor<32xf32>
    %cst_460 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1884 = stablehlo.broadcast_in_dim %cst_460, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1885 = stablehlo.multiply %1884, %1883 : tensor<32xf32>
    %1886 = stablehlo.add %1882, %1885 : tensor<32xf32>
    %cst_461 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1887 = stablehlo.broadcast_in_dim %cst_461, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1888 = stablehlo.multiply %1887, %arg100 : tensor<32x32xf32>
    %1889 = chlo.square %1534 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_462 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1890 = stablehlo.broadcast_in_dim %cst_462, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1891 = stablehlo.multiply %1890, %1889 : tensor<32x32xf32>
    %1892 = stablehlo.add %1888, %1891 : tensor<32x32xf32>
    %cst_463 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1893 = stablehlo.broadcast_in_dim %cst_463, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1894 = stablehlo.multiply %1893, %arg101 : tensor<32x32xf32>
    %1895 = chlo.square %1536 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_464 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1896 = stablehlo.broadcast_in_dim %cst_464, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1897 = stablehlo.multiply %1896, %1895 : tensor<32x32xf32>
    %1898 = stablehlo.add %1894, %1897 : tensor<32x32xf32>
    %cst_465 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1899 = stablehlo.broadcast_in_dim %cst_465, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1900 = stablehlo.multiply %1899, %arg102 : tensor<32x32xf32>
    %1901 = chlo.square %1538 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_466 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1902 = stablehlo.broadcast_in_dim %cst_466, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1903 = stablehlo.multiply %1902, %1901 : tensor<32x32xf32>
    %1904 = stablehlo.add %1900, %1903 : tensor<32x32xf32>
    %cst_467 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1905 = stablehlo.broadcast_in_dim %cst_467, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1906 = stablehlo.multiply %1905, %arg103 : tensor<32x32xf32>
    %1907 = chlo.square %1540 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_468 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1908 = stablehlo.broadcast_in_dim %cst_468, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1909 = stablehlo.multiply %1908, %1907 : tensor<32x32xf32>
    %1910 = stablehlo.add %1906, %1909 : tensor<32x32xf32>
    %cst_469 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1911 = stablehlo.broadcast_in_dim %cst_469, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1912 = stablehlo.multiply %1911, %arg104 : tensor<32xf32>
    %1913 = chlo.square %1542 : tensor<32xf32> -> tensor<32xf32>
    %cst_470 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1914 = stablehlo.broadcast_in_dim %cst_470, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1915 = stablehlo.multiply %1914, %1913 : tensor<32xf32>
    %1916 = stablehlo.add %1912, %1915 : tensor<32xf32>
    %cst_471 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1917 = stablehlo.broadcast_in_dim %cst_471, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1918 = stablehlo.multiply %1917, %arg105 : tensor<64x32xf32>
    %1919 = chlo.square %1544 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_472 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1920 = stablehlo.broadcast_in_dim %cst_472, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1921 = stablehlo.multiply %1920, %1919 : tensor<64x32xf32>
    %1922 = stablehlo.add %1918, %1921 : tensor<64x32xf32>
    %cst_473 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1923 = stablehlo.broadcast_in_dim %cst_473, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1924 = stablehlo.multiply %1923, %arg106 : tensor<32x64xf32>
    %1925 = chlo.square %1546 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_474 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1926 = stablehlo.broadcast_in_dim %cst_474, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %1927 = stablehlo.multiply %1926, %1925 : tensor<32x64xf32>
    %1928 = stablehlo.add %1924, %1927 : tensor<32x64xf32>
    %cst_475 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1929 = stablehlo.broadcast_in_dim %cst_475, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1930 = stablehlo.multiply %1929, %arg107 : tensor<32xf32>
    %1931 = chlo.square %1548 : tensor<32xf32> -> tensor<32xf32>
    %cst_476 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1932 = stablehlo.broadcast_in_dim %cst_476, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1933 = stablehlo.multiply %1932, %1931 : tensor<32xf32>
    %1934 = stablehlo.add %1930, %1933 : tensor<32xf32>
    %cst_477 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1935 = stablehlo.broadcast_in_dim %cst_477, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1936 = stablehlo.multiply %1935, %arg108 : tensor<32x32xf32>
    %1937 = chlo.square %1550 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_478 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1938 = stablehlo.broadcast_in_dim %cst_478, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1939 = stablehlo.multiply %1938, %1937 : tensor<32x32xf32>
    %1940 = stablehlo.add %1936, %1939 : tensor<32x32xf32>
    %cst_479 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1941 = stablehlo.broadcast_in_dim %cst_479, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1942 = stablehlo.multiply %1941, %arg109 : tensor<32x32xf32>
    %1943 = chlo.square %1552 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_480 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1944 = stablehlo.broadcast_in_dim %cst_480, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1945 = stablehlo.multiply %1944, %1943 : tensor<32x32xf32>
    %1946 = stablehlo.add %1942, %1945 : tensor<32x32xf32>
    %cst_481 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1947 = stablehlo.broadcast_in_dim %cst_481, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1948 = stablehlo.multiply %1947, %arg110 : tensor<32x32xf32>
    %1949 = chlo.square %1554 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_482 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1950 = stablehlo.broadcast_in_dim %cst_482, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1951 = stablehlo.multiply %1950, %1949 : tensor<32x32xf32>
    %1952 = stablehlo.add %1948, %1951 : tensor<32x32xf32>
    %cst_483 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1953 = stablehlo.broadcast_in_dim %cst_483, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1954 = stablehlo.multiply %1953, %arg111 : tensor<32x32xf32>
    %1955 = chlo.square %1556 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_484 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1956 = stablehlo.broadcast_in_dim %cst_484, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1957 = stablehlo.multiply %1956, %1955 : tensor<32x32xf32>
    %1958 = stablehlo.add %1954, %1957 : tensor<32x32xf32>
    %cst_485 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1959 = stablehlo.broadcast_in_dim %cst_485, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1960 = stablehlo.multiply %1959, %arg112 : tensor<32xf32>
    %1961 = chlo.square %1558 : tensor<32xf32> -> tensor<32xf32>
    %cst_486 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1962 = stablehlo.broadcast_in_dim %cst_486, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1963 = stablehlo.multiply %1962, %1961 : tensor<32xf32>
    %1964 = stablehlo.add %1960, %1963 : tensor<32xf32>
    %cst_487 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1965 = stablehlo.broadcast_in_dim %cst_487, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1966 = stablehlo.multiply %1965, %arg113 : tensor<32x32xf32>
    %1967 = chlo.square %1560 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_488 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1968 = stablehlo.broadcast_in_dim %cst_488, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1969 = stablehlo.multiply %1968, %1967 : tensor<32x32xf32>
    %1970 = stablehlo.add %1966, %1969 : tensor<32x32xf32>
    %cst_489 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1971 = stablehlo.broadcast_in_dim %cst_489, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1972 = stablehlo.multiply %1971, %arg114 : tensor<32x32xf32>
    %1973 = chlo.square %1562 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_490 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1974 = stablehlo.broadcast_in_dim %cst_490, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1975 = stablehlo.multiply %1974, %1973 : tensor<32x32xf32>
    %1976 = stablehlo.add %1972, %1975 : tensor<32x32xf32>
    %cst_491 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1977 = stablehlo.broadcast_in_dim %cst_491, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1978 = stablehlo.multiply %1977, %arg115 : tensor<32x32xf32>
    %1979 = chlo.square %1564 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_492 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1980 = stablehlo.broadcast_in_dim %cst_492, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1981 = stablehlo.multiply %1980, %1979 : tensor<32x32xf32>
    %1982 = stablehlo.add %1978, %1981 : tensor<32x32xf32>
    %cst_493 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1983 = stablehlo.broadcast_in_dim %cst_493, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1984 = stablehlo.multiply %1983, %arg116 : tensor<32x32xf32>
    %1985 = chlo.square %1566 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_494 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1986 = stablehlo.broadcast_in_dim %cst_494, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %1987 = stablehlo.multiply %1986, %1985 : tensor<32x32xf32>
    %1988 = stablehlo.add %1984, %1987 : tensor<32x32xf32>
    %cst_495 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1989 = stablehlo.broadcast_in_dim %cst_495, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1990 = stablehlo.multiply %1989, %arg117 : tensor<32xf32>
    %1991 = chlo.square %1568 : tensor<32xf32> -> tensor<32xf32>
    %cst_496 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1992 = stablehlo.broadcast_in_dim %cst_496, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %1993 = stablehlo.multiply %1992, %1991 : tensor<32xf32>
    %1994 = stablehlo.add %1990, %1993 : tensor<32xf32>
    %cst_497 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1995 = stablehlo.broadcast_in_dim %cst_497, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1996 = stablehlo.multiply %1995, %arg118 : tensor<64x32xf32>
    %1997 = chlo.square %1570 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_498 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1998 = stablehlo.broadcast_in_dim %cst_498, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %1999 = stablehlo.multiply %1998, %1997 : tensor<64x32xf32>
    %2000 = stablehlo.add %1996, %1999 : tensor<64x32xf32>
    %cst_499 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2001 = stablehlo.broadcast_in_dim %cst_499, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2002 = stablehlo.multiply %2001, %arg119 : tensor<32x64xf32>
    %2003 = chlo.square %1572 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_500 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2004 = stablehlo.broadcast_in_dim %cst_500, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2005 = stablehlo.multiply %2004, %2003 : tensor<32x64xf32>
    %2006 = stablehlo.add %2002, %2005 : tensor<32x64xf32>
    %cst_501 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2007 = stablehlo.broadcast_in_dim %cst_501, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2008 = stablehlo.multiply %2007, %arg120 : tensor<32xf32>
    %2009 = chlo.square %1574 : tensor<32xf32> -> tensor<32xf32>
    %cst_502 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2010 = stablehlo.broadcast_in_dim %cst_502, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2011 = stablehlo.multiply %2010, %2009 : tensor<32xf32>
    %2012 = stablehlo.add %2008, %2011 : tensor<32xf32>
    %cst_503 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2013 = stablehlo.broadcast_in_dim %cst_503, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2014 = stablehlo.multiply %2013, %arg121 : tensor<32xf32>
    %2015 = chlo.square %1576 : tensor<32xf32> -> tensor<32xf32>
    %cst_504 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2016 = stablehlo.broadcast_in_dim %cst_504, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2017 = stablehlo.multiply %2016, %2015 : tensor<32xf32>
    %2018 = stablehlo.add %2014, %2017 : tensor<32xf32>
    %cst_505 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2019 = stablehlo.broadcast_in_dim %cst_505, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2020 = stablehlo.multiply %2019, %arg122 : tensor<32x32xf32>
    %2021 = chlo.square %1578 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_506 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2022 = stablehlo.broadcast_in_dim %cst_506, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2023 = stablehlo.multiply %2022, %2021 : tensor<32x32xf32>
    %2024 = stablehlo.add %2020, %2023 : tensor<32x32xf32>
    %cst_507 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2025 = stablehlo.broadcast_in_dim %cst_507, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2026 = stablehlo.multiply %2025, %arg123 : tensor<32x32xf32>
    %2027 = chlo.square %1580 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_508 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2028 = stablehlo.broadcast_in_dim %cst_508, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2029 = stablehlo.multiply %2028, %2027 : tensor<32x32xf32>
    %2030 = stablehlo.add %2026, %2029 : tensor<32x32xf32>
    %cst_509 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2031 = stablehlo.broadcast_in_dim %cst_509, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2032 = stablehlo.multiply %2031, %arg124 : tensor<32x32xf32>
    %2033 = chlo.square %1582 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_510 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2034 = stablehlo.broadcast_in_dim %cst_510, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2035 = stablehlo.multiply %2034, %2033 : tensor<32x32xf32>
    %2036 = stablehlo.add %2032, %2035 : tensor<32x32xf32>
    %cst_511 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2037 = stablehlo.broadcast_in_dim %cst_511, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2038 = stablehlo.multiply %2037, %arg125 : tensor<32x4xf32>
    %2039 = chlo.square %1584 : tensor<32x4xf32> -> tensor<32x4xf32>
    %cst_512 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2040 = stablehlo.broadcast_in_dim %cst_512, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2041 = stablehlo.multiply %2040, %2039 : tensor<32x4xf32>
    %2042 = stablehlo.add %2038, %2041 : tensor<32x4xf32>
    %cst_513 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2043 = stablehlo.broadcast_in_dim %cst_513, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2044 = stablehlo.multiply %2043, %arg126 : tensor<32x32xf32>
    %2045 = chlo.square %1586 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_514 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2046 = stablehlo.broadcast_in_dim %cst_514, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2047 = stablehlo.multiply %2046, %2045 : tensor<32x32xf32>
    %2048 = stablehlo.add %2044, %2047 : tensor<32x32xf32>
    %cst_515 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2049 = stablehlo.broadcast_in_dim %cst_515, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2050 = stablehlo.multiply %2049, %arg127 : tensor<32xf32>
    %2051 = chlo.square %1588 : tensor<32xf32> -> tensor<32xf32>
    %cst_516 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2052 = stablehlo.broadcast_in_dim %cst_516, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2053 = stablehlo.multiply %2052, %2051 : tensor<32xf32>
    %2054 = stablehlo.add %2050, %2053 : tensor<32xf32>
    %cst_517 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2055 = stablehlo.broadcast_in_dim %cst_517, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2056 = stablehlo.multiply %2055, %arg128 : tensor<64x32xf32>
    %2057 = chlo.square %1590 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_518 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2058 = stablehlo.broadcast_in_dim %cst_518, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2059 = stablehlo.multiply %2058, %2057 : tensor<64x32xf32>
    %2060 = stablehlo.add %2056, %2059 : tensor<64x32xf32>
    %cst_519 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2061 = stablehlo.broadcast_in_dim %cst_519, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2062 = stablehlo.multiply %2061, %arg129 : tensor<32x64xf32>
    %2063 = chlo.square %1592 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_520 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2064 = stablehlo.broadcast_in_dim %cst_520, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2065 = stablehlo.multiply %2064, %2063 : tensor<32x64xf32>
    %2066 = stablehlo.add %2062, %2065 : tensor<32x64xf32>
    %cst_521 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2067 = stablehlo.broadcast_in_dim %cst_521, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2068 = stablehlo.multiply %2067, %arg130 : tensor<32xf32>
    %2069 = chlo.square %1594 : tensor<32xf32> -> tensor<32xf32>
    %cst_522 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2070 = stablehlo.broadcast_in_dim %cst_522, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2071 = stablehlo.multiply %2070, %2069 : tensor<32xf32>
    %2072 = stablehlo.add %2068, %2071 : tensor<32xf32>
    %cst_523 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2073 = stablehlo.broadcast_in_dim %cst_523, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2074 = stablehlo.multiply %2073, %arg131 : tensor<32x32xf32>
    %2075 = chlo.square %1596 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_524 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2076 = stablehlo.broadcast_in_dim %cst_524, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2077 = stablehlo.multiply %2076, %2075 : tensor<32x32xf32>
    %2078 = stablehlo.add %2074, %2077 : tensor<32x32xf32>
    %cst_525 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2079 = stablehlo.broadcast_in_dim %cst_525, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2080 = stablehlo.multiply %2079, %arg132 : tensor<32x32xf32>
    %2081 = chlo.square %1598 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_526 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2082 = stablehlo.broadcast_in_dim %cst_526, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2083 = stablehlo.multiply %2082, %2081 : tensor<32x32xf32>
    %2084 = stablehlo.add %2080, %2083 : tensor<32x32xf32>
    %cst_527 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2085 = stablehlo.broadcast_in_dim %cst_527, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2086 = stablehlo.multiply %2085, %arg133 : tensor<32x32xf32>
    %2087 = chlo.square %1600 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_528 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2088 = stablehlo.broadcast_in_dim %cst_528, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2089 = stablehlo.multiply %2088, %2087 : tensor<32x32xf32>
    %2090 = stablehlo.add %2086, %2089 : tensor<32x32xf32>
    %cst_529 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2091 = stablehlo.broadcast_in_dim %cst_529, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2092 = stablehlo.multiply %2091, %arg134 : tensor<32x32xf32>
    %2093 = chlo.square %1602 : tensor<32x32xf32> -> tensor<32x32xf32>
    %cst_530 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2094 = stablehlo.broadcast_in_dim %cst_530, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2095 = stablehlo.multiply %2094, %2093 : tensor<32x32xf32>
    %2096 = stablehlo.add %2092, %2095 : tensor<32x32xf32>
    %cst_531 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2097 = stablehlo.broadcast_in_dim %cst_531, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2098 = stablehlo.multiply %2097, %arg135 : tensor<32xf32>
    %2099 = chlo.square %1604 : tensor<32xf32> -> tensor<32xf32>
    %cst_532 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2100 = stablehlo.broadcast_in_dim %cst_532, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2101 = stablehlo.multiply %2100, %2099 : tensor<32xf32>
    %2102 = stablehlo.add %2098, %2101 : tensor<32xf32>
    %cst_533 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2103 = stablehlo.broadcast_in_dim %cst_533, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2104 = stablehlo.multiply %2103, %arg136 : tensor<64x32xf32>
    %2105 = chlo.square %1606 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_534 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2106 = stablehlo.broadcast_in_dim %cst_534, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2107 = stablehlo.multiply %2106, %2105 : tensor<64x32xf32>
    %2108 = stablehlo.add %2104, %2107 : tensor<64x32xf32>
    %cst_535 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2109 = stablehlo.broadcast_in_dim %cst_535, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2110 = stablehlo.multiply %2109, %arg137 : tensor<32x64xf32>
    %2111 = chlo.square %1608 : tensor<32x64xf32> -> tensor<32x64xf32>
    %cst_536 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2112 = stablehlo.broadcast_in_dim %cst_536, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2113 = stablehlo.multiply %2112, %2111 : tensor<32x64xf32>
    %2114 = stablehlo.add %2110, %2113 : tensor<32x64xf32>
    %cst_537 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2115 = stablehlo.broadcast_in_dim %cst_537, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2116 = stablehlo.multiply %2115, %arg138 : tensor<32xf32>
    %2117 = chlo.square %1610 : tensor<32xf32> -> tensor<32xf32>
    %cst_538 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2118 = stablehlo.broadcast_in_dim %cst_538, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2119 = stablehlo.multiply %2118, %2117 : tensor<32xf32>
    %2120 = stablehlo.add %2116, %2119 : tensor<32xf32>
    %cst_539 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2121 = stablehlo.broadcast_in_dim %cst_539, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2122 = stablehlo.multiply %2121, %arg139 : tensor<32xf32>
    %2123 = chlo.square %1612 : tensor<32xf32> -> tensor<32xf32>
    %cst_540 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2124 = stablehlo.broadcast_in_dim %cst_540, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2125 = stablehlo.multiply %2124, %2123 : tensor<32xf32>
    %2126 = stablehlo.add %2122, %2125 : tensor<32xf32>
    %cst_541 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2127 = stablehlo.broadcast_in_dim %cst_541, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2128 = stablehlo.multiply %2127, %arg140 : tensor<64x32xf32>
    %2129 = chlo.square %1614 : tensor<64x32xf32> -> tensor<64x32xf32>
    %cst_542 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2130 = stablehlo.broadcast_in_dim %cst_542, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2131 = stablehlo.multiply %2130, %2129 : tensor<64x32xf32>
    %2132 = stablehlo.add %2128, %2131 : tensor<64x32xf32>
    %cst_543 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %2133 = stablehlo.power %cst_543, %1615 : tensor<f32>
    %cst_544 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2134 = stablehlo.subtract %cst_544, %2133 : tensor<f32>
    %cst_545 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %2135 = stablehlo.divide %cst_545, %2134 : tensor<f32>
    %cst_546 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %2136 = stablehlo.power %cst_546, %1615 : tensor<f32>
    %cst_547 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2137 = stablehlo.subtract %cst_547, %2136 : tensor<f32>
    %2138 = stablehlo.sqrt %2137 : tensor<f32>
    %cst_548 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2139 = stablehlo.broadcast_in_dim %cst_548, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2140 = stablehlo.multiply %arg0, %2139 : tensor<32x32xf32>
    %2141 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2142 = stablehlo.multiply %2141, %1620 : tensor<32x32xf32>
    %2143 = stablehlo.sqrt %1856 : tensor<32x32xf32>
    %2144 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2145 = stablehlo.divide %2143, %2144 : tensor<32x32xf32>
    %cst_549 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2146 = stablehlo.broadcast_in_dim %cst_549, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2147 = stablehlo.add %2145, %2146 : tensor<32x32xf32>
    %2148 = stablehlo.divide %2142, %2147 : tensor<32x32xf32>
    %2149 = stablehlo.subtract %2140, %2148 : tensor<32x32xf32>
    %cst_550 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2150 = stablehlo.broadcast_in_dim %cst_550, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2151 = stablehlo.multiply %arg1, %2150 : tensor<32x32xf32>
    %2152 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2153 = stablehlo.multiply %2152, %1625 : tensor<32x32xf32>
    %2154 = stablehlo.sqrt %1862 : tensor<32x32xf32>
    %2155 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2156 = stablehlo.divide %2154, %2155 : tensor<32x32xf32>
    %cst_551 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2157 = stablehlo.broadcast_in_dim %cst_551, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2158 = stablehlo.add %2156, %2157 : tensor<32x32xf32>
    %2159 = stablehlo.divide %2153, %2158 : tensor<32x32xf32>
    %2160 = stablehlo.subtract %2151, %2159 : tensor<32x32xf32>
    %cst_552 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2161 = stablehlo.broadcast_in_dim %cst_552, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2162 = stablehlo.multiply %arg2, %2161 : tensor<32x32xf32>
    %2163 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2164 = stablehlo.multiply %2163, %1630 : tensor<32x32xf32>
    %2165 = stablehlo.sqrt %1868 : tensor<32x32xf32>
    %2166 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2167 = stablehlo.divide %2165, %2166 : tensor<32x32xf32>
    %cst_553 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2168 = stablehlo.broadcast_in_dim %cst_553, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2169 = stablehlo.add %2167, %2168 : tensor<32x32xf32>
    %2170 = stablehlo.divide %2164, %2169 : tensor<32x32xf32>
    %2171 = stablehlo.subtract %2162, %2170 : tensor<32x32xf32>
    %cst_554 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2172 = stablehlo.broadcast_in_dim %cst_554, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2173 = stablehlo.multiply %arg3, %2172 : tensor<32x4xf32>
    %2174 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2175 = stablehlo.multiply %2174, %1635 : tensor<32x4xf32>
    %2176 = stablehlo.sqrt %1874 : tensor<32x4xf32>
    %2177 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2178 = stablehlo.divide %2176, %2177 : tensor<32x4xf32>
    %cst_555 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2179 = stablehlo.broadcast_in_dim %cst_555, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2180 = stablehlo.add %2178, %2179 : tensor<32x4xf32>
    %2181 = stablehlo.divide %2175, %2180 : tensor<32x4xf32>
    %2182 = stablehlo.subtract %2173, %2181 : tensor<32x4xf32>
    %cst_556 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2183 = stablehlo.broadcast_in_dim %cst_556, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2184 = stablehlo.multiply %arg4, %2183 : tensor<32x32xf32>
    %2185 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2186 = stablehlo.multiply %2185, %1640 : tensor<32x32xf32>
    %2187 = stablehlo.sqrt %1880 : tensor<32x32xf32>
    %2188 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2189 = stablehlo.divide %2187, %2188 : tensor<32x32xf32>
    %cst_557 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2190 = stablehlo.broadcast_in_dim %cst_557, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2191 = stablehlo.add %2189, %2190 : tensor<32x32xf32>
    %2192 = stablehlo.divide %2186, %2191 : tensor<32x32xf32>
    %2193 = stablehlo.subtract %2184, %2192 : tensor<32x32xf32>
    %cst_558 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2194 = stablehlo.broadcast_in_dim %cst_558, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2195 = stablehlo.multiply %arg5, %2194 : tensor<32xf32>
    %2196 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2197 = stablehlo.multiply %2196, %1645 : tensor<32xf32>
    %2198 = stablehlo.sqrt %1886 : tensor<32xf32>
    %2199 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2200 = stablehlo.divide %2198, %2199 : tensor<32xf32>
    %cst_559 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2201 = stablehlo.broadcast_in_dim %cst_559, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2202 = stablehlo.add %2200, %2201 : tensor<32xf32>
    %2203 = stablehlo.divide %2197, %2202 : tensor<32xf32>
    %2204 = stablehlo.subtract %2195, %2203 : tensor<32xf32>
    %cst_560 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2205 = stablehlo.broadcast_in_dim %cst_560, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2206 = stablehlo.multiply %arg6, %2205 : tensor<32x32xf32>
    %2207 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2208 = stablehlo.multiply %2207, %1650 : tensor<32x32xf32>
    %2209 = stablehlo.sqrt %1892 : tensor<32x32xf32>
    %2210 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2211 = stablehlo.divide %2209, %2210 : tensor<32x32xf32>
    %cst_561 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2212 = stablehlo.broadcast_in_dim %cst_561, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2213 = stablehlo.add %2211, %2212 : tensor<32x32xf32>
    %2214 = stablehlo.divide %2208, %2213 : tensor<32x32xf32>
    %2215 = stablehlo.subtract %2206, %2214 : tensor<32x32xf32>
    %cst_562 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2216 = stablehlo.broadcast_in_dim %cst_562, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2217 = stablehlo.multiply %arg7, %2216 : tensor<32x32xf32>
    %2218 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2219 = stablehlo.multiply %2218, %1655 : tensor<32x32xf32>
    %2220 = stablehlo.sqrt %1898 : tensor<32x32xf32>
    %2221 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2222 = stablehlo.divide %2220, %2221 : tensor<32x32xf32>
    %cst_563 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2223 = stablehlo.broadcast_in_dim %cst_563, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2224 = stablehlo.add %2222, %2223 : tensor<32x32xf32>
    %2225 = stablehlo.divide %2219, %2224 : tensor<32x32xf32>
    %2226 = stablehlo.subtract %2217, %2225 : tensor<32x32xf32>
    %cst_564 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2227 = stablehlo.broadcast_in_dim %cst_564, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2228 = stablehlo.multiply %arg8, %2227 : tensor<32x32xf32>
    %2229 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2230 = stablehlo.multiply %2229, %1660 : tensor<32x32xf32>
    %2231 = stablehlo.sqrt %1904 : tensor<32x32xf32>
    %2232 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2233 = stablehlo.divide %2231, %2232 : tensor<32x32xf32>
    %cst_565 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2234 = stablehlo.broadcast_in_dim %cst_565, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2235 = stablehlo.add %2233, %2234 : tensor<32x32xf32>
    %2236 = stablehlo.divide %2230, %2235 : tensor<32x32xf32>
    %2237 = stablehlo.subtract %2228, %2236 : tensor<32x32xf32>
    %cst_566 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2238 = stablehlo.broadcast_in_dim %cst_566, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2239 = stablehlo.multiply %arg9, %2238 : tensor<32x32xf32>
    %2240 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2241 = stablehlo.multiply %2240, %1665 : tensor<32x32xf32>
    %2242 = stablehlo.sqrt %1910 : tensor<32x32xf32>
    %2243 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2244 = stablehlo.divide %2242, %2243 : tensor<32x32xf32>
    %cst_567 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2245 = stablehlo.broadcast_in_dim %cst_567, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2246 = stablehlo.add %2244, %2245 : tensor<32x32xf32>
    %2247 = stablehlo.divide %2241, %2246 : tensor<32x32xf32>
    %2248 = stablehlo.subtract %2239, %2247 : tensor<32x32xf32>
    %cst_568 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2249 = stablehlo.broadcast_in_dim %cst_568, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2250 = stablehlo.multiply %arg10, %2249 : tensor<32xf32>
    %2251 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2252 = stablehlo.multiply %2251, %1670 : tensor<32xf32>
    %2253 = stablehlo.sqrt %1916 : tensor<32xf32>
    %2254 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2255 = stablehlo.divide %2253, %2254 : tensor<32xf32>
    %cst_569 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2256 = stablehlo.broadcast_in_dim %cst_569, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2257 = stablehlo.add %2255, %2256 : tensor<32xf32>
    %2258 = stablehlo.divide %2252, %2257 : tensor<32xf32>
    %2259 = stablehlo.subtract %2250, %2258 : tensor<32xf32>
    %cst_570 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2260 = stablehlo.broadcast_in_dim %cst_570, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2261 = stablehlo.multiply %arg11, %2260 : tensor<64x32xf32>
    %2262 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2263 = stablehlo.multiply %2262, %1675 : tensor<64x32xf32>
    %2264 = stablehlo.sqrt %1922 : tensor<64x32xf32>
    %2265 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2266 = stablehlo.divide %2264, %2265 : tensor<64x32xf32>
    %cst_571 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2267 = stablehlo.broadcast_in_dim %cst_571, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2268 = stablehlo.add %2266, %2267 : tensor<64x32xf32>
    %2269 = stablehlo.divide %2263, %2268 : tensor<64x32xf32>
    %2270 = stablehlo.subtract %2261, %2269 : tensor<64x32xf32>
    %cst_572 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2271 = stablehlo.broadcast_in_dim %cst_572, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2272 = stablehlo.multiply %arg12, %2271 : tensor<32x64xf32>
    %2273 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2274 = stablehlo.multiply %2273, %1680 : tensor<32x64xf32>
    %2275 = stablehlo.sqrt %1928 : tensor<32x64xf32>
    %2276 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2277 = stablehlo.divide %2275, %2276 : tensor<32x64xf32>
    %cst_573 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2278 = stablehlo.broadcast_in_dim %cst_573, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2279 = stablehlo.add %2277, %2278 : tensor<32x64xf32>
    %2280 = stablehlo.divide %2274, %2279 : tensor<32x64xf32>
    %2281 = stablehlo.subtract %2272, %2280 : tensor<32x64xf32>
    %cst_574 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2282 = stablehlo.broadcast_in_dim %cst_574, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2283 = stablehlo.multiply %arg13, %2282 : tensor<32xf32>
    %2284 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2285 = stablehlo.multiply %2284, %1685 : tensor<32xf32>
    %2286 = stablehlo.sqrt %1934 : tensor<32xf32>
    %2287 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2288 = stablehlo.divide %2286, %2287 : tensor<32xf32>
    %cst_575 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2289 = stablehlo.broadcast_in_dim %cst_575, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2290 = stablehlo.add %2288, %2289 : tensor<32xf32>
    %2291 = stablehlo.divide %2285, %2290 : tensor<32xf32>
    %2292 = stablehlo.subtract %2283, %2291 : tensor<32xf32>
    %cst_576 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2293 = stablehlo.broadcast_in_dim %cst_576, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2294 = stablehlo.multiply %arg14, %2293 : tensor<32x32xf32>
    %2295 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2296 = stablehlo.multiply %2295, %1690 : tensor<32x32xf32>
    %2297 = stablehlo.sqrt %1940 : tensor<32x32xf32>
    %2298 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2299 = stablehlo.divide %2297, %2298 : tensor<32x32xf32>
    %cst_577 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2300 = stablehlo.broadcast_in_dim %cst_577, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2301 = stablehlo.add %2299, %2300 : tensor<32x32xf32>
    %2302 = stablehlo.divide %2296, %2301 : tensor<32x32xf32>
    %2303 = stablehlo.subtract %2294, %2302 : tensor<32x32xf32>
    %cst_578 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2304 = stablehlo.broadcast_in_dim %cst_578, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2305 = stablehlo.multiply %arg15, %2304 : tensor<32x32xf32>
    %2306 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2307 = stablehlo.multiply %2306, %1695 : tensor<32x32xf32>
    %2308 = stablehlo.sqrt %1946 : tensor<32x32xf32>
    %2309 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2310 = stablehlo.divide %2308, %2309 : tensor<32x32xf32>
    %cst_579 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2311 = stablehlo.broadcast_in_dim %cst_579, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2312 = stablehlo.add %2310, %2311 : tensor<32x32xf32>
    %2313 = stablehlo.divide %2307, %2312 : tensor<32x32xf32>
    %2314 = stablehlo.subtract %2305, %2313 : tensor<32x32xf32>
    %cst_580 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2315 = stablehlo.broadcast_in_dim %cst_580, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2316 = stablehlo.multiply %arg16, %2315 : tensor<32x32xf32>
    %2317 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2318 = stablehlo.multiply %2317, %1700 : tensor<32x32xf32>
    %2319 = stablehlo.sqrt %1952 : tensor<32x32xf32>
    %2320 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2321 = stablehlo.divide %2319, %2320 : tensor<32x32xf32>
    %cst_581 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2322 = stablehlo.broadcast_in_dim %cst_581, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2323 = stablehlo.add %2321, %2322 : tensor<32x32xf32>
    %2324 = stablehlo.divide %2318, %2323 : tensor<32x32xf32>
    %2325 = stablehlo.subtract %2316, %2324 : tensor<32x32xf32>
    %cst_582 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2326 = stablehlo.broadcast_in_dim %cst_582, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2327 = stablehlo.multiply %arg17, %2326 : tensor<32x32xf32>
    %2328 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2329 = stablehlo.multiply %2328, %1705 : tensor<32x32xf32>
    %2330 = stablehlo.sqrt %1958 : tensor<32x32xf32>
    %2331 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2332 = stablehlo.divide %2330, %2331 : tensor<32x32xf32>
    %cst_583 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2333 = stablehlo.broadcast_in_dim %cst_583, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2334 = stablehlo.add %2332, %2333 : tensor<32x32xf32>
    %2335 = stablehlo.divide %2329, %2334 : tensor<32x32xf32>
    %2336 = stablehlo.subtract %2327, %2335 : tensor<32x32xf32>
    %cst_584 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2337 = stablehlo.broadcast_in_dim %cst_584, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2338 = stablehlo.multiply %arg18, %2337 : tensor<32xf32>
    %2339 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2340 = stablehlo.multiply %2339, %1710 : tensor<32xf32>
    %2341 = stablehlo.sqrt %1964 : tensor<32xf32>
    %2342 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2343 = stablehlo.divide %2341, %2342 : tensor<32xf32>
    %cst_585 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2344 = stablehlo.broadcast_in_dim %cst_585, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2345 = stablehlo.add %2343, %2344 : tensor<32xf32>
    %2346 = stablehlo.divide %2340, %2345 : tensor<32xf32>
    %2347 = stablehlo.subtract %2338, %2346 : tensor<32xf32>
    %cst_586 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2348 = stablehlo.broadcast_in_dim %cst_586, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2349 = stablehlo.multiply %arg19, %2348 : tensor<32x32xf32>
    %2350 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2351 = stablehlo.multiply %2350, %1715 : tensor<32x32xf32>
    %2352 = stablehlo.sqrt %1970 : tensor<32x32xf32>
    %2353 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2354 = stablehlo.divide %2352, %2353 : tensor<32x32xf32>
    %cst_587 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2355 = stablehlo.broadcast_in_dim %cst_587, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2356 = stablehlo.add %2354, %2355 : tensor<32x32xf32>
    %2357 = stablehlo.divide %2351, %2356 : tensor<32x32xf32>
    %2358 = stablehlo.subtract %2349, %2357 : tensor<32x32xf32>
    %cst_588 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2359 = stablehlo.broadcast_in_dim %cst_588, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2360 = stablehlo.multiply %arg20, %2359 : tensor<32x32xf32>
    %2361 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2362 = stablehlo.multiply %2361, %1720 : tensor<32x32xf32>
    %2363 = stablehlo.sqrt %1976 : tensor<32x32xf32>
    %2364 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2365 = stablehlo.divide %2363, %2364 : tensor<32x32xf32>
    %cst_589 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2366 = stablehlo.broadcast_in_dim %cst_589, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2367 = stablehlo.add %2365, %2366 : tensor<32x32xf32>
    %2368 = stablehlo.divide %2362, %2367 : tensor<32x32xf32>
    %2369 = stablehlo.subtract %2360, %2368 : tensor<32x32xf32>
    %cst_590 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2370 = stablehlo.broadcast_in_dim %cst_590, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2371 = stablehlo.multiply %arg21, %2370 : tensor<32x32xf32>
    %2372 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2373 = stablehlo.multiply %2372, %1725 : tensor<32x32xf32>
    %2374 = stablehlo.sqrt %1982 : tensor<32x32xf32>
    %2375 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2376 = stablehlo.divide %2374, %2375 : tensor<32x32xf32>
    %cst_591 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2377 = stablehlo.broadcast_in_dim %cst_591, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2378 = stablehlo.add %2376, %2377 : tensor<32x32xf32>
    %2379 = stablehlo.divide %2373, %2378 : tensor<32x32xf32>
    %2380 = stablehlo.subtract %2371, %2379 : tensor<32x32xf32>
    %cst_592 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2381 = stablehlo.broadcast_in_dim %cst_592, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2382 = stablehlo.multiply %arg22, %2381 : tensor<32x32xf32>
    %2383 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2384 = stablehlo.multiply %2383, %1730 : tensor<32x32xf32>
    %2385 = stablehlo.sqrt %1988 : tensor<32x32xf32>
    %2386 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2387 = stablehlo.divide %2385, %2386 : tensor<32x32xf32>
    %cst_593 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2388 = stablehlo.broadcast_in_dim %cst_593, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2389 = stablehlo.add %2387, %2388 : tensor<32x32xf32>
    %2390 = stablehlo.divide %2384, %2389 : tensor<32x32xf32>
    %2391 = stablehlo.subtract %2382, %2390 : tensor<32x32xf32>
    %cst_594 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2392 = stablehlo.broadcast_in_dim %cst_594, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2393 = stablehlo.multiply %arg23, %2392 : tensor<32xf32>
    %2394 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2395 = stablehlo.multiply %2394, %1735 : tensor<32xf32>
    %2396 = stablehlo.sqrt %1994 : tensor<32xf32>
    %2397 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2398 = stablehlo.divide %2396, %2397 : tensor<32xf32>
    %cst_595 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2399 = stablehlo.broadcast_in_dim %cst_595, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2400 = stablehlo.add %2398, %2399 : tensor<32xf32>
    %2401 = stablehlo.divide %2395, %2400 : tensor<32xf32>
    %2402 = stablehlo.subtract %2393, %2401 : tensor<32xf32>
    %cst_596 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2403 = stablehlo.broadcast_in_dim %cst_596, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2404 = stablehlo.multiply %arg24, %2403 : tensor<64x32xf32>
    %2405 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2406 = stablehlo.multiply %2405, %1740 : tensor<64x32xf32>
    %2407 = stablehlo.sqrt %2000 : tensor<64x32xf32>
    %2408 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2409 = stablehlo.divide %2407, %2408 : tensor<64x32xf32>
    %cst_597 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2410 = stablehlo.broadcast_in_dim %cst_597, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2411 = stablehlo.add %2409, %2410 : tensor<64x32xf32>
    %2412 = stablehlo.divide %2406, %2411 : tensor<64x32xf32>
    %2413 = stablehlo.subtract %2404, %2412 : tensor<64x32xf32>
    %cst_598 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2414 = stablehlo.broadcast_in_dim %cst_598, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2415 = stablehlo.multiply %arg25, %2414 : tensor<32x64xf32>
    %2416 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2417 = stablehlo.multiply %2416, %1745 : tensor<32x64xf32>
    %2418 = stablehlo.sqrt %2006 : tensor<32x64xf32>
    %2419 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2420 = stablehlo.divide %2418, %2419 : tensor<32x64xf32>
    %cst_599 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2421 = stablehlo.broadcast_in_dim %cst_599, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2422 = stablehlo.add %2420, %2421 : tensor<32x64xf32>
    %2423 = stablehlo.divide %2417, %2422 : tensor<32x64xf32>
    %2424 = stablehlo.subtract %2415, %2423 : tensor<32x64xf32>
    %cst_600 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2425 = stablehlo.broadcast_in_dim %cst_600, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2426 = stablehlo.multiply %arg26, %2425 : tensor<32xf32>
    %2427 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2428 = stablehlo.multiply %2427, %1750 : tensor<32xf32>
    %2429 = stablehlo.sqrt %2012 : tensor<32xf32>
    %2430 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2431 = stablehlo.divide %2429, %2430 : tensor<32xf32>
    %cst_601 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2432 = stablehlo.broadcast_in_dim %cst_601, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2433 = stablehlo.add %2431, %2432 : tensor<32xf32>
    %2434 = stablehlo.divide %2428, %2433 : tensor<32xf32>
    %2435 = stablehlo.subtract %2426, %2434 : tensor<32xf32>
    %cst_602 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2436 = stablehlo.broadcast_in_dim %cst_602, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2437 = stablehlo.multiply %arg27, %2436 : tensor<32xf32>
    %2438 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2439 = stablehlo.multiply %2438, %1755 : tensor<32xf32>
    %2440 = stablehlo.sqrt %2018 : tensor<32xf32>
    %2441 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2442 = stablehlo.divide %2440, %2441 : tensor<32xf32>
    %cst_603 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2443 = stablehlo.broadcast_in_dim %cst_603, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2444 = stablehlo.add %2442, %2443 : tensor<32xf32>
    %2445 = stablehlo.divide %2439, %2444 : tensor<32xf32>
    %2446 = stablehlo.subtract %2437, %2445 : tensor<32xf32>
    %cst_604 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2447 = stablehlo.broadcast_in_dim %cst_604, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2448 = stablehlo.multiply %arg28, %2447 : tensor<32x32xf32>
    %2449 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2450 = stablehlo.multiply %2449, %1760 : tensor<32x32xf32>
    %2451 = stablehlo.sqrt %2024 : tensor<32x32xf32>
    %2452 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2453 = stablehlo.divide %2451, %2452 : tensor<32x32xf32>
    %cst_605 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2454 = stablehlo.broadcast_in_dim %cst_605, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2455 = stablehlo.add %2453, %2454 : tensor<32x32xf32>
    %2456 = stablehlo.divide %2450, %2455 : tensor<32x32xf32>
    %2457 = stablehlo.subtract %2448, %2456 : tensor<32x32xf32>
    %cst_606 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2458 = stablehlo.broadcast_in_dim %cst_606, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2459 = stablehlo.multiply %arg29, %2458 : tensor<32x32xf32>
    %2460 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2461 = stablehlo.multiply %2460, %1765 : tensor<32x32xf32>
    %2462 = stablehlo.sqrt %2030 : tensor<32x32xf32>
    %2463 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2464 = stablehlo.divide %2462, %2463 : tensor<32x32xf32>
    %cst_607 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2465 = stablehlo.broadcast_in_dim %cst_607, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2466 = stablehlo.add %2464, %2465 : tensor<32x32xf32>
    %2467 = stablehlo.divide %2461, %2466 : tensor<32x32xf32>
    %2468 = stablehlo.subtract %2459, %2467 : tensor<32x32xf32>
    %cst_608 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2469 = stablehlo.broadcast_in_dim %cst_608, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2470 = stablehlo.multiply %arg30, %2469 : tensor<32x32xf32>
    %2471 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2472 = stablehlo.multiply %2471, %1770 : tensor<32x32xf32>
    %2473 = stablehlo.sqrt %2036 : tensor<32x32xf32>
    %2474 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2475 = stablehlo.divide %2473, %2474 : tensor<32x32xf32>
    %cst_609 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2476 = stablehlo.broadcast_in_dim %cst_609, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2477 = stablehlo.add %2475, %2476 : tensor<32x32xf32>
    %2478 = stablehlo.divide %2472, %2477 : tensor<32x32xf32>
    %2479 = stablehlo.subtract %2470, %2478 : tensor<32x32xf32>
    %cst_610 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2480 = stablehlo.broadcast_in_dim %cst_610, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2481 = stablehlo.multiply %arg31, %2480 : tensor<32x4xf32>
    %2482 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2483 = stablehlo.multiply %2482, %1775 : tensor<32x4xf32>
    %2484 = stablehlo.sqrt %2042 : tensor<32x4xf32>
    %2485 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2486 = stablehlo.divide %2484, %2485 : tensor<32x4xf32>
    %cst_611 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2487 = stablehlo.broadcast_in_dim %cst_611, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %2488 = stablehlo.add %2486, %2487 : tensor<32x4xf32>
    %2489 = stablehlo.divide %2483, %2488 : tensor<32x4xf32>
    %2490 = stablehlo.subtract %2481, %2489 : tensor<32x4xf32>
    %cst_612 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2491 = stablehlo.broadcast_in_dim %cst_612, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2492 = stablehlo.multiply %arg32, %2491 : tensor<32x32xf32>
    %2493 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2494 = stablehlo.multiply %2493, %1780 : tensor<32x32xf32>
    %2495 = stablehlo.sqrt %2048 : tensor<32x32xf32>
    %2496 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2497 = stablehlo.divide %2495, %2496 : tensor<32x32xf32>
    %cst_613 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2498 = stablehlo.broadcast_in_dim %cst_613, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2499 = stablehlo.add %2497, %2498 : tensor<32x32xf32>
    %2500 = stablehlo.divide %2494, %2499 : tensor<32x32xf32>
    %2501 = stablehlo.subtract %2492, %2500 : tensor<32x32xf32>
    %cst_614 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2502 = stablehlo.broadcast_in_dim %cst_614, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2503 = stablehlo.multiply %arg33, %2502 : tensor<32xf32>
    %2504 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2505 = stablehlo.multiply %2504, %1785 : tensor<32xf32>
    %2506 = stablehlo.sqrt %2054 : tensor<32xf32>
    %2507 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2508 = stablehlo.divide %2506, %2507 : tensor<32xf32>
    %cst_615 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2509 = stablehlo.broadcast_in_dim %cst_615, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2510 = stablehlo.add %2508, %2509 : tensor<32xf32>
    %2511 = stablehlo.divide %2505, %2510 : tensor<32xf32>
    %2512 = stablehlo.subtract %2503, %2511 : tensor<32xf32>
    %cst_616 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2513 = stablehlo.broadcast_in_dim %cst_616, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2514 = stablehlo.multiply %arg34, %2513 : tensor<64x32xf32>
    %2515 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2516 = stablehlo.multiply %2515, %1790 : tensor<64x32xf32>
    %2517 = stablehlo.sqrt %2060 : tensor<64x32xf32>
    %2518 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2519 = stablehlo.divide %2517, %2518 : tensor<64x32xf32>
    %cst_617 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2520 = stablehlo.broadcast_in_dim %cst_617, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2521 = stablehlo.add %2519, %2520 : tensor<64x32xf32>
    %2522 = stablehlo.divide %2516, %2521 : tensor<64x32xf32>
    %2523 = stablehlo.subtract %2514, %2522 : tensor<64x32xf32>
    %cst_618 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2524 = stablehlo.broadcast_in_dim %cst_618, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2525 = stablehlo.multiply %arg35, %2524 : tensor<32x64xf32>
    %2526 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2527 = stablehlo.multiply %2526, %1795 : tensor<32x64xf32>
    %2528 = stablehlo.sqrt %2066 : tensor<32x64xf32>
    %2529 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2530 = stablehlo.divide %2528, %2529 : tensor<32x64xf32>
    %cst_619 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2531 = stablehlo.broadcast_in_dim %cst_619, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2532 = stablehlo.add %2530, %2531 : tensor<32x64xf32>
    %2533 = stablehlo.divide %2527, %2532 : tensor<32x64xf32>
    %2534 = stablehlo.subtract %2525, %2533 : tensor<32x64xf32>
    %cst_620 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2535 = stablehlo.broadcast_in_dim %cst_620, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2536 = stablehlo.multiply %arg36, %2535 : tensor<32xf32>
    %2537 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2538 = stablehlo.multiply %2537, %1800 : tensor<32xf32>
    %2539 = stablehlo.sqrt %2072 : tensor<32xf32>
    %2540 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2541 = stablehlo.divide %2539, %2540 : tensor<32xf32>
    %cst_621 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2542 = stablehlo.broadcast_in_dim %cst_621, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2543 = stablehlo.add %2541, %2542 : tensor<32xf32>
    %2544 = stablehlo.divide %2538, %2543 : tensor<32xf32>
    %2545 = stablehlo.subtract %2536, %2544 : tensor<32xf32>
    %cst_622 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2546 = stablehlo.broadcast_in_dim %cst_622, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2547 = stablehlo.multiply %arg37, %2546 : tensor<32x32xf32>
    %2548 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2549 = stablehlo.multiply %2548, %1805 : tensor<32x32xf32>
    %2550 = stablehlo.sqrt %2078 : tensor<32x32xf32>
    %2551 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2552 = stablehlo.divide %2550, %2551 : tensor<32x32xf32>
    %cst_623 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2553 = stablehlo.broadcast_in_dim %cst_623, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2554 = stablehlo.add %2552, %2553 : tensor<32x32xf32>
    %2555 = stablehlo.divide %2549, %2554 : tensor<32x32xf32>
    %2556 = stablehlo.subtract %2547, %2555 : tensor<32x32xf32>
    %cst_624 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2557 = stablehlo.broadcast_in_dim %cst_624, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2558 = stablehlo.multiply %arg38, %2557 : tensor<32x32xf32>
    %2559 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2560 = stablehlo.multiply %2559, %1810 : tensor<32x32xf32>
    %2561 = stablehlo.sqrt %2084 : tensor<32x32xf32>
    %2562 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2563 = stablehlo.divide %2561, %2562 : tensor<32x32xf32>
    %cst_625 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2564 = stablehlo.broadcast_in_dim %cst_625, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2565 = stablehlo.add %2563, %2564 : tensor<32x32xf32>
    %2566 = stablehlo.divide %2560, %2565 : tensor<32x32xf32>
    %2567 = stablehlo.subtract %2558, %2566 : tensor<32x32xf32>
    %cst_626 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2568 = stablehlo.broadcast_in_dim %cst_626, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2569 = stablehlo.multiply %arg39, %2568 : tensor<32x32xf32>
    %2570 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2571 = stablehlo.multiply %2570, %1815 : tensor<32x32xf32>
    %2572 = stablehlo.sqrt %2090 : tensor<32x32xf32>
    %2573 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2574 = stablehlo.divide %2572, %2573 : tensor<32x32xf32>
    %cst_627 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2575 = stablehlo.broadcast_in_dim %cst_627, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2576 = stablehlo.add %2574, %2575 : tensor<32x32xf32>
    %2577 = stablehlo.divide %2571, %2576 : tensor<32x32xf32>
    %2578 = stablehlo.subtract %2569, %2577 : tensor<32x32xf32>
    %cst_628 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2579 = stablehlo.broadcast_in_dim %cst_628, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2580 = stablehlo.multiply %arg40, %2579 : tensor<32x32xf32>
    %2581 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2582 = stablehlo.multiply %2581, %1820 : tensor<32x32xf32>
    %2583 = stablehlo.sqrt %2096 : tensor<32x32xf32>
    %2584 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2585 = stablehlo.divide %2583, %2584 : tensor<32x32xf32>
    %cst_629 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2586 = stablehlo.broadcast_in_dim %cst_629, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
    %2587 = stablehlo.add %2585, %2586 : tensor<32x32xf32>
    %2588 = stablehlo.divide %2582, %2587 : tensor<32x32xf32>
    %2589 = stablehlo.subtract %2580, %2588 : tensor<32x32xf32>
    %cst_630 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2590 = stablehlo.broadcast_in_dim %cst_630, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2591 = stablehlo.multiply %arg41, %2590 : tensor<32xf32>
    %2592 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2593 = stablehlo.multiply %2592, %1825 : tensor<32xf32>
    %2594 = stablehlo.sqrt %2102 : tensor<32xf32>
    %2595 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2596 = stablehlo.divide %2594, %2595 : tensor<32xf32>
    %cst_631 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2597 = stablehlo.broadcast_in_dim %cst_631, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2598 = stablehlo.add %2596, %2597 : tensor<32xf32>
    %2599 = stablehlo.divide %2593, %2598 : tensor<32xf32>
    %2600 = stablehlo.subtract %2591, %2599 : tensor<32xf32>
    %cst_632 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2601 = stablehlo.broadcast_in_dim %cst_632, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2602 = stablehlo.multiply %arg42, %2601 : tensor<64x32xf32>
    %2603 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2604 = stablehlo.multiply %2603, %1830 : tensor<64x32xf32>
    %2605 = stablehlo.sqrt %2108 : tensor<64x32xf32>
    %2606 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2607 = stablehlo.divide %2605, %2606 : tensor<64x32xf32>
    %cst_633 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2608 = stablehlo.broadcast_in_dim %cst_633, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2609 = stablehlo.add %2607, %2608 : tensor<64x32xf32>
    %2610 = stablehlo.divide %2604, %2609 : tensor<64x32xf32>
    %2611 = stablehlo.subtract %2602, %2610 : tensor<64x32xf32>
    %cst_634 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2612 = stablehlo.broadcast_in_dim %cst_634, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2613 = stablehlo.multiply %arg43, %2612 : tensor<32x64xf32>
    %2614 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2615 = stablehlo.multiply %2614, %1835 : tensor<32x64xf32>
    %2616 = stablehlo.sqrt %2114 : tensor<32x64xf32>
    %2617 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2618 = stablehlo.divide %2616, %2617 : tensor<32x64xf32>
    %cst_635 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2619 = stablehlo.broadcast_in_dim %cst_635, dims = [] : (tensor<f32>) -> tensor<32x64xf32>
    %2620 = stablehlo.add %2618, %2619 : tensor<32x64xf32>
    %2621 = stablehlo.divide %2615, %2620 : tensor<32x64xf32>
    %2622 = stablehlo.subtract %2613, %2621 : tensor<32x64xf32>
    %cst_636 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2623 = stablehlo.broadcast_in_dim %cst_636, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2624 = stablehlo.multiply %arg44, %2623 : tensor<32xf32>
    %2625 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2626 = stablehlo.multiply %2625, %1840 : tensor<32xf32>
    %2627 = stablehlo.sqrt %2120 : tensor<32xf32>
    %2628 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2629 = stablehlo.divide %2627, %2628 : tensor<32xf32>
    %cst_637 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2630 = stablehlo.broadcast_in_dim %cst_637, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2631 = stablehlo.add %2629, %2630 : tensor<32xf32>
    %2632 = stablehlo.divide %2626, %2631 : tensor<32xf32>
    %2633 = stablehlo.subtract %2624, %2632 : tensor<32xf32>
    %cst_638 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2634 = stablehlo.broadcast_in_dim %cst_638, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2635 = stablehlo.multiply %arg45, %2634 : tensor<32xf32>
    %2636 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2637 = stablehlo.multiply %2636, %1845 : tensor<32xf32>
    %2638 = stablehlo.sqrt %2126 : tensor<32xf32>
    %2639 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2640 = stablehlo.divide %2638, %2639 : tensor<32xf32>
    %cst_639 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2641 = stablehlo.broadcast_in_dim %cst_639, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %2642 = stablehlo.add %2640, %2641 : tensor<32xf32>
    %2643 = stablehlo.divide %2637, %2642 : tensor<32xf32>
    %2644 = stablehlo.subtract %2635, %2643 : tensor<32xf32>
    %cst_640 = stablehlo.constant dense<0.999989986> : tensor<f32>
    %2645 = stablehlo.broadcast_in_dim %cst_640, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2646 = stablehlo.multiply %arg46, %2645 : tensor<64x32xf32>
    %2647 = stablehlo.broadcast_in_dim %2135, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2648 = stablehlo.multiply %2647, %1850 : tensor<64x32xf32>
    %2649 = stablehlo.sqrt %2132 : tensor<64x32xf32>
    %2650 = stablehlo.broadcast_in_dim %2138, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2651 = stablehlo.divide %2649, %2650 : tensor<64x32xf32>
    %cst_641 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2652 = stablehlo.broadcast_in_dim %cst_641, dims = [] : (tensor<f32>) -> tensor<64x32xf32>
    %2653 = stablehlo.add %2651, %2652 : tensor<64x32xf32>
    %2654 = stablehlo.divide %2648, %2653 : tensor<64x32xf32>
    %2655 = stablehlo.subtract %2646, %2654 : tensor<64x32xf32>
    return %2149, %2160, %2171, %2182, %2193, %2204, %2215, %2226, %2237, %2248, %2259, %2270, %2281, %2292, %2303, %2314, %2325, %2336, %2347, %2358, %2369, %2380, %2391, %2402, %2413, %2424, %2435, %2446, %2457, %2468, %2479, %2490, %2501, %2512, %2523, %2534, %2545, %2556, %2567, %2578, %2589, %2600, %2611, %2622, %2633, %2644, %2655, %1620, %1625, %1630, %1635, %1640, %1645, %1650, %1655, %1660, %1665, %1670, %1675, %1680, %1685, %1690, %1695, %1700, %1705, %1710, %1715, %1720, %1725, %1730, %1735, %1740, %1745, %1750, %1755, %1760, %1765, %1770, %1775, %1780, %1785, %1790, %1795, %1800, %1805, %1810, %1815, %1820, %1825, %1830, %1835, %1840, %1845, %1850, %1856, %1862, %1868, %1874, %1880, %1886, %1892, %1898, %1904, %1910, %1916, %1922, %1928, %1934, %1940, %1946, %1952, %1958, %1964, %1970, %1976, %1982, %1988, %1994, %2000, %2006, %2012, %2018, %2024, %2030, %2036, %2042, %2048, %2054, %2060, %2066, %2072, %2078, %2084, %2090, %2096, %2102, %2108, %2114, %2120, %2126, %2132, %1615, %751 : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x4xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x4xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x4xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x4xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x4xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x4xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<32x64xf32>, tensor<32xf32>, tensor<32xf32>, tensor<64x32xf32>, tensor<f32>, tensor<f32>
  }
  func.func private @_take(%arg0: tensor<64x32xf32>, %arg1: tensor<8x16xi32>) -> (tensor<8x16x32xf32>, tensor<8x16x1xi32>) {
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
    return %16, %5 : tensor<8x16x32xf32>, tensor<8x16x1xi32>
  }
  func.func private @_where(%arg0: tensor<8x16xi1>, %arg1: tensor<8x16xi32>, %arg2: tensor<8x16xi32>) -> tensor<8x16xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8x16xi1>, tensor<8x16xi32>
    return %0 : tensor<8x16xi32>
  }
  func.func private @_where_0(%arg0: tensor<16x16xi1>, %arg1: tensor<16x16xi32>, %arg2: tensor<16x16xi32>) -> tensor<16x16xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<16x16xi1>, tensor<16x16xi32>
    return %0 : tensor<16x16xi32>
  }
  func.func private @_take_1(%arg0: tensor<32x4xf32>, %arg1: tensor<16x16xi32>) -> (tensor<16x16x4xf32>, tensor<16x16x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<16x16xi32>
    %4 = call @_where_2(%1, %3, %arg1) : (tensor<16x16xi1>, tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<16x16xi32>) -> tensor<16x16x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<16x16x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<16x16x1xi32>, tensor<16x16x1xi32>) -> tensor<16x16x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<16x16x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<16x16x1xi32>, tensor<16x16x1xi32>) -> tensor<16x16x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<16x16x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<16x16x1xi1>, tensor<i1>) -> tensor<16x16xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<32x4xf32>, tensor<16x16x1xi32>) -> tensor<16x16x4xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<16x16xi1>) -> tensor<16x16x4xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16x4xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<16x16x4xi1>, tensor<16x16x4xf32>
    return %16, %5 : tensor<16x16x4xf32>, tensor<16x16x1xi32>
  }
  func.func private @_where_2(%arg0: tensor<16x16xi1>, %arg1: tensor<16x16xi32>, %arg2: tensor<16x16xi32>) -> tensor<16x16xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<16x16xi1>, tensor<16x16xi32>
    return %0 : tensor<16x16xi32>
  }
  func.func private @relu(%arg0: tensor<8x16x64xf32>) -> tensor<8x16x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x16x64xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<8x16x64xf32>
    return %1 : tensor<8x16x64xf32>
  }
  func.func private @_where_3(%arg0: tensor<8x16xi1>, %arg1: tensor<i32>, %arg2: tensor<8x16xi32>) -> tensor<8x16xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<i32>) -> tensor<8x16xi32>
    %2 = stablehlo.select %arg0, %1, %arg2 : tensor<8x16xi1>, tensor<8x16xi32>
    return %2 : tensor<8x16xi32>
  }
  func.func private @_where_4(%arg0: tensor<1x1x16x16xi1>, %arg1: tensor<1x4x16x16xf32>, %arg2: tensor<f32>) -> (tensor<1x4x16x16xf32>, tensor<1x4x16x16xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2, 3] : (tensor<1x1x16x16xi1>) -> tensor<1x4x16x16xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x4x16x16xf32>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<1x4x16x16xi1>, tensor<1x4x16x16xf32>
    return %2, %0 : tensor<1x4x16x16xf32>, tensor<1x4x16x16xi1>
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
  func.func private @_where_7(%arg0: tensor<128xi1>, %arg1: tensor<128xf32>, %arg2: tensor<i32>) -> tensor<128xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<128xi1>, tensor<128xf32>
    return %2 : tensor<128xf32>
  }
  func.func private @_where_8(%arg0: tensor<128xi1>, %arg1: tensor<128xf32>) -> tensor<128xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<128xi1>, tensor<128xf32>
    return %1 : tensor<128xf32>
  }
  func.func private @_where_9(%arg0: tensor<128x64xi1>, %arg1: tensor<128x64xf32>) -> tensor<128x64xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<128x64xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<128x64xi1>, tensor<128x64xf32>
    return %1 : tensor<128x64xf32>
  }
  func.func private @_where_10(%arg0: tensor<1x4x16x16xi1>, %arg1: tensor<1x4x16x16xf32>) -> tensor<1x4x16x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x16x16xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x4x16x16xi1>, tensor<1x4x16x16xf32>
    return %1 : tensor<1x4x16x16xf32>
  }
  func.func private @_take_11(%arg0: tensor<16x16x1xi32>, %arg1: tensor<16x16x4xf32>) -> tensor<32x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x4xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<32x4xf32>, tensor<16x16x1xi32>, tensor<16x16x4xf32>) -> tensor<32x4xf32>
    return %1 : tensor<32x4xf32>
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
