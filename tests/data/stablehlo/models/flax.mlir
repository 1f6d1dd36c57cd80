module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<i32> {jax.buffer_donor = true, sdy.sharding = #sdy.sharding<@empty_mesh, []>}, %arg1: tensor<32x16xf32> {jax.buffer_donor = true}, %arg2: tensor<4x4xf32> {jax.buffer_donor = true}, %arg3: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg4: tensor<16xf32> {jax.buffer_donor = true}, %arg5: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg6: tensor<4x4xf32> {jax.buffer_donor = true}, %arg7: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg8: tensor<4x4xf32> {jax.buffer_donor = true}, %arg9: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg10: tensor<16xf32> {jax.buffer_donor = true}, %arg11: tensor<64x16xf32> {jax.buffer_donor = true}, %arg12: tensor<16xf32> {jax.buffer_donor = true}, %arg13: tensor<16xf32> {jax.buffer_donor = true}, %arg14: tensor<16xf32> {jax.buffer_donor = true}, %arg15: tensor<16xf32> {jax.buffer_donor = true}, %arg16: tensor<64xf32> {jax.buffer_donor = true}, %arg17: tensor<16x64xf32> {jax.buffer_donor = true}, %arg18: tensor<4x4xf32> {jax.buffer_donor = true}, %arg19: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg20: tensor<16xf32> {jax.buffer_donor = true}, %arg21: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg22: tensor<4x4xf32> {jax.buffer_donor = true}, %arg23: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg24: tensor<4x4xf32> {jax.buffer_donor = true}, %arg25: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg26: tensor<16xf32> {jax.buffer_donor = true}, %arg27: tensor<64x16xf32> {jax.buffer_donor = true}, %arg28: tensor<16xf32> {jax.buffer_donor = true}, %arg29: tensor<16xf32> {jax.buffer_donor = true}, %arg30: tensor<16xf32> {jax.buffer_donor = true}, %arg31: tensor<16xf32> {jax.buffer_donor = true}, %arg32: tensor<64xf32> {jax.buffer_donor = true}, %arg33: tensor<16x64xf32> {jax.buffer_donor = true}, %arg34: tensor<4x4xf32> {jax.buffer_donor = true}, %arg35: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg36: tensor<16xf32> {jax.buffer_donor = true}, %arg37: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg38: tensor<4x4xf32> {jax.buffer_donor = true}, %arg39: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg40: tensor<4x4xf32> {jax.buffer_donor = true}, %arg41: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg42: tensor<16xf32> {jax.buffer_donor = true}, %arg43: tensor<64x16xf32> {jax.buffer_donor = true}, %arg44: tensor<16xf32> {jax.buffer_donor = true}, %arg45: tensor<16xf32> {jax.buffer_donor = true}, %arg46: tensor<16xf32> {jax.buffer_donor = true}, %arg47: tensor<16xf32> {jax.buffer_donor = true}, %arg48: tensor<64xf32> {jax.buffer_donor = true}, %arg49: tensor<16x64xf32> {jax.buffer_donor = true}, %arg50: tensor<16xf32> {jax.buffer_donor = true}, %arg51: tensor<16xf32> {jax.buffer_donor = true}, %arg52: tensor<8x16xf32> {jax.buffer_donor = true}, %arg53: tensor<32x16xf32> {jax.buffer_donor = true}, %arg54: tensor<4x4xf32> {jax.buffer_donor = true}, %arg55: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg56: tensor<16xf32> {jax.buffer_donor = true}, %arg57: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg58: tensor<4x4xf32> {jax.buffer_donor = true}, %arg59: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg60: tensor<4x4xf32> {jax.buffer_donor = true}, %arg61: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg62: tensor<16xf32> {jax.buffer_donor = true}, %arg63: tensor<64x16xf32> {jax.buffer_donor = true}, %arg64: tensor<16xf32> {jax.buffer_donor = true}, %arg65: tensor<16xf32> {jax.buffer_donor = true}, %arg66: tensor<16xf32> {jax.buffer_donor = true}, %arg67: tensor<16xf32> {jax.buffer_donor = true}, %arg68: tensor<64xf32> {jax.buffer_donor = true}, %arg69: tensor<16x64xf32> {jax.buffer_donor = true}, %arg70: tensor<4x4xf32> {jax.buffer_donor = true}, %arg71: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg72: tensor<16xf32> {jax.buffer_donor = true}, %arg73: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg74: tensor<4x4xf32> {jax.buffer_donor = true}, %arg75: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg76: tensor<4x4xf32> {jax.buffer_donor = true}, %arg77: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg78: tensor<16xf32> {jax.buffer_donor = true}, %arg79: tensor<64x16xf32> {jax.buffer_donor = true}, %arg80: tensor<16xf32> {jax.buffer_donor = true}, %arg81: tensor<16xf32> {jax.buffer_donor = true}, %arg82: tensor<16xf32> {jax.buffer_donor = true}, %arg83: tensor<16xf32> {jax.buffer_donor = true}, %arg84: tensor<64xf32> {jax.buffer_donor = true}, %arg85: tensor<16x64xf32> {jax.buffer_donor = true}, %arg86: tensor<4x4xf32> {jax.buffer_donor = true}, %arg87: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg88: tensor<16xf32> {jax.buffer_donor = true}, %arg89: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg90: tensor<4x4xf32> {jax.buffer_donor = true}, %arg91: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg92: tensor<4x4xf32> {jax.buffer_donor = true}, %arg93: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg94: tensor<16xf32> {jax.buffer_donor = true}, %arg95: tensor<64x16xf32> {jax.buffer_donor = true}, %arg96: tensor<16xf32> {jax.buffer_donor = true}, %arg97: tensor<16xf32> {jax.buffer_donor = true}, %arg98: tensor<16xf32> {jax.buffer_donor = true}, %arg99: tensor<16xf32> {jax.buffer_donor = true}, %arg100: tensor<64xf32> {jax.buffer_donor = true}, %arg101: tensor<16x64xf32> {jax.buffer_donor = true}, %arg102: tensor<16xf32> {jax.buffer_donor = true}, %arg103: tensor<16xf32> {jax.buffer_donor = true}, %arg104: tensor<8x16xf32> {jax.buffer_donor = true}, %arg105: tensor<32x16xf32> {jax.buffer_donor = true}, %arg106: tensor<4x4xf32> {jax.buffer_donor = true}, %arg107: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg108: tensor<16xf32> {jax.buffer_donor = true}, %arg109: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg110: tensor<4x4xf32> {jax.buffer_donor = true}, %arg111: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg112: tensor<4x4xf32> {jax.buffer_donor = true}, %arg113: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg114: tensor<16xf32> {jax.buffer_donor = true}, %arg115: tensor<64x16xf32> {jax.buffer_donor = true}, %arg116: tensor<16xf32> {jax.buffer_donor = true}, %arg117: tensor<16xf32> {jax.buffer_donor = true}, %arg118: tensor<16xf32> {jax.buffer_donor = true}, %arg119: tensor<16xf32> {jax.buffer_donor = true}, %arg120: tensor<64xf32> {jax.buffer_donor = true}, %arg121: tensor<16x64xf32> {jax.buffer_donor = true}, %arg122: tensor<4x4xf32> {jax.buffer_donor = true}, %arg123: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg124: tensor<16xf32> {jax.buffer_donor = true}, %arg125: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg126: tensor<4x4xf32> {jax.buffer_donor = true}, %arg127: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg128: tensor<4x4xf32> {jax.buffer_donor = true}, %arg129: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg130: tensor<16xf32> {jax.buffer_donor = true}, %arg131: tensor<64x16xf32> {jax.buffer_donor = true}, %arg132: tensor<16xf32> {jax.buffer_donor = true}, %arg133: tensor<16xf32> {jax.buffer_donor = true}, %arg134: tensor<16xf32> {jax.buffer_donor = true}, %arg135: tensor<16xf32> {jax.buffer_donor = true}, %arg136: tensor<64xf32> {jax.buffer_donor = true}, %arg137: tensor<16x64xf32> {jax.buffer_donor = true}, %arg138: tensor<4x4xf32> {jax.buffer_donor = true}, %arg139: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg140: tensor<16xf32> {jax.buffer_donor = true}, %arg141: tensor<4x4x16xf32> {jax.buffer_donor = true}, %arg142: tensor<4x4xf32> {jax.buffer_donor = true}, %arg143: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg144: tensor<4x4xf32> {jax.buffer_donor = true}, %arg145: tensor<16x4x4xf32> {jax.buffer_donor = true}, %arg146: tensor<16xf32> {jax.buffer_donor = true}, %arg147: tensor<64x16xf32> {jax.buffer_donor = true}, %arg148: tensor<16xf32> {jax.buffer_donor = true}, %arg149: tensor<16xf32> {jax.buffer_donor = true}, %arg150: tensor<16xf32> {jax.buffer_donor = true}, %arg151: tensor<16xf32> {jax.buffer_donor = true}, %arg152: tensor<64xf32> {jax.buffer_donor = true}, %arg153: tensor<16x64xf32> {jax.buffer_donor = true}, %arg154: tensor<16xf32> {jax.buffer_donor = true}, %arg155: tensor<16xf32> {jax.buffer_donor = true}, %arg156: tensor<8x16xf32> {jax.buffer_donor = true}, %arg157: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg158: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<i32> {jax.result_info = "result[0]['opt'][0].count"}, tensor<32x16xf32> {jax.result_info = "result[0]['opt'][0].mu['embed']['embedding']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['opt'][0].mu['h_0']['up']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['opt'][0].mu['h_1']['up']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['opt'][0].mu['h_2']['up']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['ln_f']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].mu['ln_f']['scale']"}, tensor<8x16xf32> {jax.result_info = "result[0]['opt'][0].mu['pos']"}, tensor<32x16xf32> {jax.result_info = "result[0]['opt'][0].nu['embed']['embedding']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['opt'][0].nu['h_0']['up']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['opt'][0].nu['h_1']['up']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['opt'][0].nu['h_2']['up']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['ln_f']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['opt'][0].nu['ln_f']['scale']"}, tensor<8x16xf32> {jax.result_info = "result[0]['opt'][0].nu['pos']"}, tensor<32x16xf32> {jax.result_info = "result[0]['params']['embed']['embedding']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_0']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_0']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['params']['h_0']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_0']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_0']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_0']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_0']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['params']['h_0']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['params']['h_0']['up']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_1']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_1']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['params']['h_1']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_1']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_1']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_1']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_1']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['params']['h_1']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['params']['h_1']['up']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['key']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['key']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['out']['bias']"}, tensor<4x4x16xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['out']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['query']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['query']['kernel']"}, tensor<4x4xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['value']['bias']"}, tensor<16x4x4xf32> {jax.result_info = "result[0]['params']['h_2']['attn']['value']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_2']['down']['bias']"}, tensor<64x16xf32> {jax.result_info = "result[0]['params']['h_2']['down']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_2']['ln1']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_2']['ln1']['scale']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_2']['ln2']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['h_2']['ln2']['scale']"}, tensor<64xf32> {jax.result_info = "result[0]['params']['h_2']['up']['bias']"}, tensor<16x64xf32> {jax.result_info = "result[0]['params']['h_2']['up']['kernel']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['ln_f']['bias']"}, tensor<16xf32> {jax.result_info = "result[0]['params']['ln_f']['scale']"}, tensor<8x16xf32> {jax.result_info = "result[0]['params']['pos']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %0:2 = call @_take(%arg105, %arg157) : (tensor<32x16xf32>, tensor<4x8xi32>) -> (tensor<4x8x16xf32>, tensor<4x8x1xi32>)
    %1 = stablehlo.broadcast_in_dim %arg156, dims = [1, 2] : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x8x16xf32>) -> tensor<4x8x16xf32>
    %3 = stablehlo.add %0#0, %2 : tensor<4x8x16xf32>
    %4 = stablehlo.iota dim = 0 : tensor<8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<8xi32>) -> tensor<4x8xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 2] : (tensor<4x8xi32>) -> tensor<4x1x8xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x8x1xi32>) -> tensor<4x8x8xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<4x1x8xi32>) -> tensor<4x8x8xi32>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<4x8x8xi32>, tensor<4x8x8xi32>) -> tensor<4x8x8xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 2, 3] : (tensor<4x8x8xi1>) -> tensor<4x1x8x8xi1>
    %12 = stablehlo.convert %11 : (tensor<4x1x8x8xi1>) -> tensor<4x1x8x8xf32>
    %13 = chlo.square %3 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %15 = stablehlo.multiply %14, %3 : tensor<4x8x16xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_1 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %18 = stablehlo.divide %16, %17 : tensor<4x8xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%13 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_3 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %21 = stablehlo.divide %19, %20 : tensor<4x8xf32>
    %22 = chlo.square %18 : tensor<4x8xf32> -> tensor<4x8xf32>
    %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %24 = stablehlo.multiply %23, %18 : tensor<4x8xf32>
    %25 = stablehlo.subtract %21, %22 : tensor<4x8xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %27 = stablehlo.maximum %26, %25 : tensor<4x8xf32>
    %28 = stablehlo.compare EQ, %25, %27, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_6 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %31 = stablehlo.select %28, %29, %30 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %33 = stablehlo.compare EQ, %32, %27, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %36 = stablehlo.select %33, %34, %35 : tensor<4x8xi1>, tensor<4x8xf32>
    %37 = stablehlo.divide %31, %36 : tensor<4x8xf32>
    %38 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %39 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %40 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %41 = stablehlo.subtract %3, %40 : tensor<4x8x16xf32>
    %cst_11 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %43 = stablehlo.add %39, %42 : tensor<4x8x1xf32>
    %44 = stablehlo.rsqrt %43 : tensor<4x8x1xf32>
    %45 = stablehlo.divide %44, %43 : tensor<4x8x1xf32>
    %cst_12 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %46 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %47 = stablehlo.multiply %46, %45 : tensor<4x8x1xf32>
    %48 = stablehlo.reshape %arg117 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %49 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %50 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %51 = stablehlo.multiply %49, %50 : tensor<4x8x16xf32>
    %52 = stablehlo.multiply %41, %51 : tensor<4x8x16xf32>
    %53 = stablehlo.reshape %arg116 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %55 = stablehlo.add %52, %54 : tensor<4x8x16xf32>
    %56 = stablehlo.dot_general %55, %arg111, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %57 = stablehlo.reshape %arg110 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %59 = stablehlo.add %56, %58 : tensor<4x8x4x4xf32>
    %60 = stablehlo.dot_general %55, %arg107, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %61 = stablehlo.reshape %arg106 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %63 = stablehlo.add %60, %62 : tensor<4x8x4x4xf32>
    %64 = stablehlo.dot_general %55, %arg113, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %65 = stablehlo.reshape %arg112 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %67 = stablehlo.add %64, %66 : tensor<4x8x4x4xf32>
    %cst_13 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %68 = stablehlo.sqrt %cst_13 : tensor<f32>
    %69 = stablehlo.convert %68 : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<4x8x4x4xf32>
    %71 = stablehlo.divide %59, %70 : tensor<4x8x4x4xf32>
    %72 = stablehlo.dot_general %71, %63, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %cst_14 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %73:2 = call @_where_0(%12, %72, %cst_14) : (tensor<4x1x8x8xf32>, tensor<4x4x8x8xf32>, tensor<f32>) -> (tensor<4x4x8x8xf32>, tensor<4x4x8x8xi1>)
    %cst_15 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %74 = stablehlo.reduce(%73#0 init: %cst_15) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %cst_16 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %76 = stablehlo.maximum %75, %74 : tensor<4x4x8xf32>
    %77 = stablehlo.broadcast_in_dim %76, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %78 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %79 = stablehlo.subtract %73#0, %78 : tensor<4x4x8x8xf32>
    %80 = stablehlo.exponential %79 : tensor<4x4x8x8xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %81 = stablehlo.reduce(%80 init: %cst_17) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %84 = stablehlo.divide %80, %83 : tensor<4x4x8x8xf32>
    %85 = stablehlo.multiply %82, %82 : tensor<4x4x8x1xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %86 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x4x8x1xf32>
    %87 = stablehlo.divide %86, %85 : tensor<4x4x8x1xf32>
    %88 = stablehlo.dot_general %67, %84, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %89 = stablehlo.transpose %88, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %90 = stablehlo.dot_general %89, %arg109, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x4x16xf32>) -> tensor<4x8x16xf32>
    %91 = stablehlo.reshape %arg108 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %92 = stablehlo.broadcast_in_dim %91, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %93 = stablehlo.add %90, %92 : tensor<4x8x16xf32>
    %94 = stablehlo.add %3, %93 : tensor<4x8x16xf32>
    %95 = chlo.square %94 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_19 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %97 = stablehlo.multiply %96, %94 : tensor<4x8x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.reduce(%94 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_21 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %100 = stablehlo.divide %98, %99 : tensor<4x8xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %101 = stablehlo.reduce(%95 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_23 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %103 = stablehlo.divide %101, %102 : tensor<4x8xf32>
    %104 = chlo.square %100 : tensor<4x8xf32> -> tensor<4x8xf32>
    %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %106 = stablehlo.multiply %105, %100 : tensor<4x8xf32>
    %107 = stablehlo.subtract %103, %104 : tensor<4x8xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %109 = stablehlo.maximum %108, %107 : tensor<4x8xf32>
    %110 = stablehlo.compare EQ, %107, %109, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %113 = stablehlo.select %110, %111, %112 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %115 = stablehlo.compare EQ, %114, %109, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_29 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %116 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %118 = stablehlo.select %115, %116, %117 : tensor<4x8xi1>, tensor<4x8xf32>
    %119 = stablehlo.divide %113, %118 : tensor<4x8xf32>
    %120 = stablehlo.broadcast_in_dim %100, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %121 = stablehlo.broadcast_in_dim %109, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %122 = stablehlo.broadcast_in_dim %120, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %123 = stablehlo.subtract %94, %122 : tensor<4x8x16xf32>
    %cst_31 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %125 = stablehlo.add %121, %124 : tensor<4x8x1xf32>
    %126 = stablehlo.rsqrt %125 : tensor<4x8x1xf32>
    %127 = stablehlo.divide %126, %125 : tensor<4x8x1xf32>
    %cst_32 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %129 = stablehlo.multiply %128, %127 : tensor<4x8x1xf32>
    %130 = stablehlo.reshape %arg119 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %131 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %132 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %133 = stablehlo.multiply %131, %132 : tensor<4x8x16xf32>
    %134 = stablehlo.multiply %123, %133 : tensor<4x8x16xf32>
    %135 = stablehlo.reshape %arg118 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %137 = stablehlo.add %134, %136 : tensor<4x8x16xf32>
    %138 = stablehlo.dot_general %137, %arg121, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %139 = stablehlo.reshape %arg120 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %140 = stablehlo.broadcast_in_dim %139, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x8x64xf32>
    %141 = stablehlo.add %138, %140 : tensor<4x8x64xf32>
    %142 = stablehlo.multiply %141, %141 : tensor<4x8x64xf32>
    %143 = stablehlo.multiply %142, %141 : tensor<4x8x64xf32>
    %144 = stablehlo.multiply %141, %141 : tensor<4x8x64xf32>
    %cst_33 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %145 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %146 = stablehlo.multiply %145, %144 : tensor<4x8x64xf32>
    %cst_34 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %148 = stablehlo.multiply %147, %143 : tensor<4x8x64xf32>
    %149 = stablehlo.add %141, %148 : tensor<4x8x64xf32>
    %cst_35 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %151 = stablehlo.multiply %150, %149 : tensor<4x8x64xf32>
    %152 = stablehlo.tanh %151 : tensor<4x8x64xf32>
    %cst_36 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %154 = stablehlo.subtract %153, %152 : tensor<4x8x64xf32>
    %cst_37 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %155 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %156 = stablehlo.add %155, %152 : tensor<4x8x64xf32>
    %cst_38 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %158 = stablehlo.multiply %157, %156 : tensor<4x8x64xf32>
    %159 = stablehlo.multiply %141, %158 : tensor<4x8x64xf32>
    %160 = stablehlo.dot_general %159, %arg115, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %161 = stablehlo.reshape %arg114 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %163 = stablehlo.add %160, %162 : tensor<4x8x16xf32>
    %164 = stablehlo.add %94, %163 : tensor<4x8x16xf32>
    %165 = chlo.square %164 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_39 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %167 = stablehlo.multiply %166, %164 : tensor<4x8x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %168 = stablehlo.reduce(%164 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_41 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %169 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %170 = stablehlo.divide %168, %169 : tensor<4x8xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %171 = stablehlo.reduce(%165 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_43 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %172 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %173 = stablehlo.divide %171, %172 : tensor<4x8xf32>
    %174 = chlo.square %170 : tensor<4x8xf32> -> tensor<4x8xf32>
    %cst_44 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %175 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %176 = stablehlo.multiply %175, %170 : tensor<4x8xf32>
    %177 = stablehlo.subtract %173, %174 : tensor<4x8xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %178 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %179 = stablehlo.maximum %178, %177 : tensor<4x8xf32>
    %180 = stablehlo.compare EQ, %177, %179, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_46 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %182 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %183 = stablehlo.select %180, %181, %182 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %184 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %185 = stablehlo.compare EQ, %184, %179, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_49 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %186 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_50 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %187 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %188 = stablehlo.select %185, %186, %187 : tensor<4x8xi1>, tensor<4x8xf32>
    %189 = stablehlo.divide %183, %188 : tensor<4x8xf32>
    %190 = stablehlo.broadcast_in_dim %170, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %191 = stablehlo.broadcast_in_dim %179, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %192 = stablehlo.broadcast_in_dim %190, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %193 = stablehlo.subtract %164, %192 : tensor<4x8x16xf32>
    %cst_51 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %194 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %195 = stablehlo.add %191, %194 : tensor<4x8x1xf32>
    %196 = stablehlo.rsqrt %195 : tensor<4x8x1xf32>
    %197 = stablehlo.divide %196, %195 : tensor<4x8x1xf32>
    %cst_52 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %198 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %199 = stablehlo.multiply %198, %197 : tensor<4x8x1xf32>
    %200 = stablehlo.reshape %arg133 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %201 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %202 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %203 = stablehlo.multiply %201, %202 : tensor<4x8x16xf32>
    %204 = stablehlo.multiply %193, %203 : tensor<4x8x16xf32>
    %205 = stablehlo.reshape %arg132 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %207 = stablehlo.add %204, %206 : tensor<4x8x16xf32>
    %208 = stablehlo.dot_general %207, %arg127, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %209 = stablehlo.reshape %arg126 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %210 = stablehlo.broadcast_in_dim %209, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %211 = stablehlo.add %208, %210 : tensor<4x8x4x4xf32>
    %212 = stablehlo.dot_general %207, %arg123, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %213 = stablehlo.reshape %arg122 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %215 = stablehlo.add %212, %214 : tensor<4x8x4x4xf32>
    %216 = stablehlo.dot_general %207, %arg129, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %217 = stablehlo.reshape %arg128 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %218 = stablehlo.broadcast_in_dim %217, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %219 = stablehlo.add %216, %218 : tensor<4x8x4x4xf32>
    %cst_53 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %220 = stablehlo.sqrt %cst_53 : tensor<f32>
    %221 = stablehlo.convert %220 : tensor<f32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [] : (tensor<f32>) -> tensor<4x8x4x4xf32>
    %223 = stablehlo.divide %211, %222 : tensor<4x8x4x4xf32>
    %224 = stablehlo.dot_general %223, %215, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %cst_54 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %225:2 = call @_where_0(%12, %224, %cst_54) : (tensor<4x1x8x8xf32>, tensor<4x4x8x8xf32>, tensor<f32>) -> (tensor<4x4x8x8xf32>, tensor<4x4x8x8xi1>)
    %cst_55 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %226 = stablehlo.reduce(%225#0 init: %cst_55) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %cst_56 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %227 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %228 = stablehlo.maximum %227, %226 : tensor<4x4x8xf32>
    %229 = stablehlo.broadcast_in_dim %228, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %231 = stablehlo.subtract %225#0, %230 : tensor<4x4x8x8xf32>
    %232 = stablehlo.exponential %231 : tensor<4x4x8x8xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %233 = stablehlo.reduce(%232 init: %cst_57) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %234 = stablehlo.broadcast_in_dim %233, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %235 = stablehlo.broadcast_in_dim %234, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %236 = stablehlo.divide %232, %235 : tensor<4x4x8x8xf32>
    %237 = stablehlo.multiply %234, %234 : tensor<4x4x8x1xf32>
    %cst_58 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %238 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<4x4x8x1xf32>
    %239 = stablehlo.divide %238, %237 : tensor<4x4x8x1xf32>
    %240 = stablehlo.dot_general %219, %236, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %241 = stablehlo.transpose %240, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %242 = stablehlo.dot_general %241, %arg125, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x4x16xf32>) -> tensor<4x8x16xf32>
    %243 = stablehlo.reshape %arg124 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %244 = stablehlo.broadcast_in_dim %243, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %245 = stablehlo.add %242, %244 : tensor<4x8x16xf32>
    %246 = stablehlo.add %164, %245 : tensor<4x8x16xf32>
    %247 = chlo.square %246 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_59 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %248 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %249 = stablehlo.multiply %248, %246 : tensor<4x8x16xf32>
    %cst_60 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %250 = stablehlo.reduce(%246 init: %cst_60) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_61 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %251 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %252 = stablehlo.divide %250, %251 : tensor<4x8xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %253 = stablehlo.reduce(%247 init: %cst_62) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_63 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %254 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %255 = stablehlo.divide %253, %254 : tensor<4x8xf32>
    %256 = chlo.square %252 : tensor<4x8xf32> -> tensor<4x8xf32>
    %cst_64 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %257 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %258 = stablehlo.multiply %257, %252 : tensor<4x8xf32>
    %259 = stablehlo.subtract %255, %256 : tensor<4x8xf32>
    %cst_65 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %260 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %261 = stablehlo.maximum %260, %259 : tensor<4x8xf32>
    %262 = stablehlo.compare EQ, %259, %261, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_66 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %263 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_67 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %264 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %265 = stablehlo.select %262, %263, %264 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %266 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %267 = stablehlo.compare EQ, %266, %261, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_69 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %268 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_70 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %269 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %270 = stablehlo.select %267, %268, %269 : tensor<4x8xi1>, tensor<4x8xf32>
    %271 = stablehlo.divide %265, %270 : tensor<4x8xf32>
    %272 = stablehlo.broadcast_in_dim %252, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %273 = stablehlo.broadcast_in_dim %261, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %274 = stablehlo.broadcast_in_dim %272, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %275 = stablehlo.subtract %246, %274 : tensor<4x8x16xf32>
    %cst_71 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %276 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %277 = stablehlo.add %273, %276 : tensor<4x8x1xf32>
    %278 = stablehlo.rsqrt %277 : tensor<4x8x1xf32>
    %279 = stablehlo.divide %278, %277 : tensor<4x8x1xf32>
    %cst_72 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %280 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %281 = stablehlo.multiply %280, %279 : tensor<4x8x1xf32>
    %282 = stablehlo.reshape %arg135 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %283 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %284 = stablehlo.broadcast_in_dim %282, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %285 = stablehlo.multiply %283, %284 : tensor<4x8x16xf32>
    %286 = stablehlo.multiply %275, %285 : tensor<4x8x16xf32>
    %287 = stablehlo.reshape %arg134 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %288 = stablehlo.broadcast_in_dim %287, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %289 = stablehlo.add %286, %288 : tensor<4x8x16xf32>
    %290 = stablehlo.dot_general %289, %arg137, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %291 = stablehlo.reshape %arg136 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %292 = stablehlo.broadcast_in_dim %291, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x8x64xf32>
    %293 = stablehlo.add %290, %292 : tensor<4x8x64xf32>
    %294 = stablehlo.multiply %293, %293 : tensor<4x8x64xf32>
    %295 = stablehlo.multiply %294, %293 : tensor<4x8x64xf32>
    %296 = stablehlo.multiply %293, %293 : tensor<4x8x64xf32>
    %cst_73 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %297 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %298 = stablehlo.multiply %297, %296 : tensor<4x8x64xf32>
    %cst_74 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %299 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %300 = stablehlo.multiply %299, %295 : tensor<4x8x64xf32>
    %301 = stablehlo.add %293, %300 : tensor<4x8x64xf32>
    %cst_75 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %302 = stablehlo.broadcast_in_dim %cst_75, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %303 = stablehlo.multiply %302, %301 : tensor<4x8x64xf32>
    %304 = stablehlo.tanh %303 : tensor<4x8x64xf32>
    %cst_76 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %305 = stablehlo.broadcast_in_dim %cst_76, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %306 = stablehlo.subtract %305, %304 : tensor<4x8x64xf32>
    %cst_77 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %307 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %308 = stablehlo.add %307, %304 : tensor<4x8x64xf32>
    %cst_78 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %309 = stablehlo.broadcast_in_dim %cst_78, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %310 = stablehlo.multiply %309, %308 : tensor<4x8x64xf32>
    %311 = stablehlo.multiply %293, %310 : tensor<4x8x64xf32>
    %312 = stablehlo.dot_general %311, %arg131, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %313 = stablehlo.reshape %arg130 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %314 = stablehlo.broadcast_in_dim %313, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %315 = stablehlo.add %312, %314 : tensor<4x8x16xf32>
    %316 = stablehlo.add %246, %315 : tensor<4x8x16xf32>
    %317 = chlo.square %316 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_79 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %318 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %319 = stablehlo.multiply %318, %316 : tensor<4x8x16xf32>
    %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %320 = stablehlo.reduce(%316 init: %cst_80) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_81 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %321 = stablehlo.broadcast_in_dim %cst_81, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %322 = stablehlo.divide %320, %321 : tensor<4x8xf32>
    %cst_82 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %323 = stablehlo.reduce(%317 init: %cst_82) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_83 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %324 = stablehlo.broadcast_in_dim %cst_83, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %325 = stablehlo.divide %323, %324 : tensor<4x8xf32>
    %326 = chlo.square %322 : tensor<4x8xf32> -> tensor<4x8xf32>
    %cst_84 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %327 = stablehlo.broadcast_in_dim %cst_84, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %328 = stablehlo.multiply %327, %322 : tensor<4x8xf32>
    %329 = stablehlo.subtract %325, %326 : tensor<4x8xf32>
    %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %330 = stablehlo.broadcast_in_dim %cst_85, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %331 = stablehlo.maximum %330, %329 : tensor<4x8xf32>
    %332 = stablehlo.compare EQ, %329, %331, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_86 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %333 = stablehlo.broadcast_in_dim %cst_86, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_87 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %334 = stablehlo.broadcast_in_dim %cst_87, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %335 = stablehlo.select %332, %333, %334 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_88 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %336 = stablehlo.broadcast_in_dim %cst_88, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %337 = stablehlo.compare EQ, %336, %331, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_89 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %338 = stablehlo.broadcast_in_dim %cst_89, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_90 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %339 = stablehlo.broadcast_in_dim %cst_90, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %340 = stablehlo.select %337, %338, %339 : tensor<4x8xi1>, tensor<4x8xf32>
    %341 = stablehlo.divide %335, %340 : tensor<4x8xf32>
    %342 = stablehlo.broadcast_in_dim %322, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %343 = stablehlo.broadcast_in_dim %331, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %344 = stablehlo.broadcast_in_dim %342, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %345 = stablehlo.subtract %316, %344 : tensor<4x8x16xf32>
    %cst_91 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %346 = stablehlo.broadcast_in_dim %cst_91, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %347 = stablehlo.add %343, %346 : tensor<4x8x1xf32>
    %348 = stablehlo.rsqrt %347 : tensor<4x8x1xf32>
    %349 = stablehlo.divide %348, %347 : tensor<4x8x1xf32>
    %cst_92 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %350 = stablehlo.broadcast_in_dim %cst_92, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %351 = stablehlo.multiply %350, %349 : tensor<4x8x1xf32>
    %352 = stablehlo.reshape %arg149 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %353 = stablehlo.broadcast_in_dim %348, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %354 = stablehlo.broadcast_in_dim %352, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %355 = stablehlo.multiply %353, %354 : tensor<4x8x16xf32>
    %356 = stablehlo.multiply %345, %355 : tensor<4x8x16xf32>
    %357 = stablehlo.reshape %arg148 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %358 = stablehlo.broadcast_in_dim %357, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %359 = stablehlo.add %356, %358 : tensor<4x8x16xf32>
    %360 = stablehlo.dot_general %359, %arg143, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %361 = stablehlo.reshape %arg142 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %362 = stablehlo.broadcast_in_dim %361, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %363 = stablehlo.add %360, %362 : tensor<4x8x4x4xf32>
    %364 = stablehlo.dot_general %359, %arg139, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %365 = stablehlo.reshape %arg138 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %366 = stablehlo.broadcast_in_dim %365, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %367 = stablehlo.add %364, %366 : tensor<4x8x4x4xf32>
    %368 = stablehlo.dot_general %359, %arg145, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x4x4xf32>) -> tensor<4x8x4x4xf32>
    %369 = stablehlo.reshape %arg144 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %370 = stablehlo.broadcast_in_dim %369, dims = [0, 1, 2, 3] : (tensor<1x1x4x4xf32>) -> tensor<4x8x4x4xf32>
    %371 = stablehlo.add %368, %370 : tensor<4x8x4x4xf32>
    %cst_93 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %372 = stablehlo.sqrt %cst_93 : tensor<f32>
    %373 = stablehlo.convert %372 : tensor<f32>
    %374 = stablehlo.broadcast_in_dim %373, dims = [] : (tensor<f32>) -> tensor<4x8x4x4xf32>
    %375 = stablehlo.divide %363, %374 : tensor<4x8x4x4xf32>
    %376 = stablehlo.dot_general %375, %367, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %cst_94 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %377:2 = call @_where_0(%12, %376, %cst_94) : (tensor<4x1x8x8xf32>, tensor<4x4x8x8xf32>, tensor<f32>) -> (tensor<4x4x8x8xf32>, tensor<4x4x8x8xi1>)
    %cst_95 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %378 = stablehlo.reduce(%377#0 init: %cst_95) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %cst_96 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %379 = stablehlo.broadcast_in_dim %cst_96, dims = [] : (tensor<f32>) -> tensor<4x4x8xf32>
    %380 = stablehlo.maximum %379, %378 : tensor<4x4x8xf32>
    %381 = stablehlo.broadcast_in_dim %380, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %382 = stablehlo.broadcast_in_dim %381, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %383 = stablehlo.subtract %377#0, %382 : tensor<4x4x8x8xf32>
    %384 = stablehlo.exponential %383 : tensor<4x4x8x8xf32>
    %cst_97 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %385 = stablehlo.reduce(%384 init: %cst_97) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %386 = stablehlo.broadcast_in_dim %385, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %387 = stablehlo.broadcast_in_dim %386, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %388 = stablehlo.divide %384, %387 : tensor<4x4x8x8xf32>
    %389 = stablehlo.multiply %386, %386 : tensor<4x4x8x1xf32>
    %cst_98 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %390 = stablehlo.broadcast_in_dim %cst_98, dims = [] : (tensor<f32>) -> tensor<4x4x8x1xf32>
    %391 = stablehlo.divide %390, %389 : tensor<4x4x8x1xf32>
    %392 = stablehlo.dot_general %371, %388, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %393 = stablehlo.transpose %392, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %394 = stablehlo.dot_general %393, %arg141, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x4x16xf32>) -> tensor<4x8x16xf32>
    %395 = stablehlo.reshape %arg140 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %396 = stablehlo.broadcast_in_dim %395, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %397 = stablehlo.add %394, %396 : tensor<4x8x16xf32>
    %398 = stablehlo.add %316, %397 : tensor<4x8x16xf32>
    %399 = chlo.square %398 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_99 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %400 = stablehlo.broadcast_in_dim %cst_99, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %401 = stablehlo.multiply %400, %398 : tensor<4x8x16xf32>
    %cst_100 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %402 = stablehlo.reduce(%398 init: %cst_100) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_101 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %403 = stablehlo.broadcast_in_dim %cst_101, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %404 = stablehlo.divide %402, %403 : tensor<4x8xf32>
    %cst_102 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %405 = stablehlo.reduce(%399 init: %cst_102) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_103 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %406 = stablehlo.broadcast_in_dim %cst_103, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %407 = stablehlo.divide %405, %406 : tensor<4x8xf32>
    %408 = chlo.square %404 : tensor<4x8xf32> -> tensor<4x8xf32>
    %cst_104 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %409 = stablehlo.broadcast_in_dim %cst_104, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %410 = stablehlo.multiply %409, %404 : tensor<4x8xf32>
    %411 = stablehlo.subtract %407, %408 : tensor<4x8xf32>
    %cst_105 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %412 = stablehlo.broadcast_in_dim %cst_105, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %413 = stablehlo.maximum %412, %411 : tensor<4x8xf32>
    %414 = stablehlo.compare EQ, %411, %413, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_106 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %415 = stablehlo.broadcast_in_dim %cst_106, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_107 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %416 = stablehlo.broadcast_in_dim %cst_107, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %417 = stablehlo.select %414, %415, %416 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_108 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %418 = stablehlo.broadcast_in_dim %cst_108, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %419 = stablehlo.compare EQ, %418, %413, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_109 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %420 = stablehlo.broadcast_in_dim %cst_109, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_110 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %421 = stablehlo.broadcast_in_dim %cst_110, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %422 = stablehlo.select %419, %420, %421 : tensor<4x8xi1>, tensor<4x8xf32>
    %423 = stablehlo.divide %417, %422 : tensor<4x8xf32>
    %424 = stablehlo.broadcast_in_dim %404, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %425 = stablehlo.broadcast_in_dim %413, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %426 = stablehlo.broadcast_in_dim %424, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %427 = stablehlo.subtract %398, %426 : tensor<4x8x16xf32>
    %cst_111 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %428 = stablehlo.broadcast_in_dim %cst_111, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %429 = stablehlo.add %425, %428 : tensor<4x8x1xf32>
    %430 = stablehlo.rsqrt %429 : tensor<4x8x1xf32>
    %431 = stablehlo.divide %430, %429 : tensor<4x8x1xf32>
    %cst_112 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %432 = stablehlo.broadcast_in_dim %cst_112, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %433 = stablehlo.multiply %432, %431 : tensor<4x8x1xf32>
    %434 = stablehlo.reshape %arg151 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %435 = stablehlo.broadcast_in_dim %430, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %436 = stablehlo.broadcast_in_dim %434, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %437 = stablehlo.multiply %435, %436 : tensor<4x8x16xf32>
    %438 = stablehlo.multiply %427, %437 : tensor<4x8x16xf32>
    %439 = stablehlo.reshape %arg150 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %440 = stablehlo.broadcast_in_dim %439, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %441 = stablehlo.add %438, %440 : tensor<4x8x16xf32>
    %442 = stablehlo.dot_general %441, %arg153, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %443 = stablehlo.reshape %arg152 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %444 = stablehlo.broadcast_in_dim %443, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x8x64xf32>
    %445 = stablehlo.add %442, %444 : tensor<4x8x64xf32>
    %446 = stablehlo.multiply %445, %445 : tensor<4x8x64xf32>
    %447 = stablehlo.multiply %446, %445 : tensor<4x8x64xf32>
    %448 = stablehlo.multiply %445, %445 : tensor<4x8x64xf32>
    %cst_113 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %449 = stablehlo.broadcast_in_dim %cst_113, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %450 = stablehlo.multiply %449, %448 : tensor<4x8x64xf32>
    %cst_114 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %451 = stablehlo.broadcast_in_dim %cst_114, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %452 = stablehlo.multiply %451, %447 : tensor<4x8x64xf32>
    %453 = stablehlo.add %445, %452 : tensor<4x8x64xf32>
    %cst_115 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %454 = stablehlo.broadcast_in_dim %cst_115, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %455 = stablehlo.multiply %454, %453 : tensor<4x8x64xf32>
    %456 = stablehlo.tanh %455 : tensor<4x8x64xf32>
    %cst_116 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %457 = stablehlo.broadcast_in_dim %cst_116, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %458 = stablehlo.subtract %457, %456 : tensor<4x8x64xf32>
    %cst_117 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %459 = stablehlo.broadcast_in_dim %cst_117, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %460 = stablehlo.add %459, %456 : tensor<4x8x64xf32>
    %cst_118 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %461 = stablehlo.broadcast_in_dim %cst_118, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %462 = stablehlo.multiply %461, %460 : tensor<4x8x64xf32>
    %463 = stablehlo.multiply %445, %462 : tensor<4x8x64xf32>
    %464 = stablehlo.dot_general %463, %arg147, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %465 = stablehlo.reshape %arg146 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %466 = stablehlo.broadcast_in_dim %465, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %467 = stablehlo.add %464, %466 : tensor<4x8x16xf32>
    %468 = stablehlo.add %398, %467 : tensor<4x8x16xf32>
    %469 = chlo.square %468 : tensor<4x8x16xf32> -> tensor<4x8x16xf32>
    %cst_119 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %470 = stablehlo.broadcast_in_dim %cst_119, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %471 = stablehlo.multiply %470, %468 : tensor<4x8x16xf32>
    %cst_120 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %472 = stablehlo.reduce(%468 init: %cst_120) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_121 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %473 = stablehlo.broadcast_in_dim %cst_121, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %474 = stablehlo.divide %472, %473 : tensor<4x8xf32>
    %cst_122 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %475 = stablehlo.reduce(%469 init: %cst_122) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_123 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %476 = stablehlo.broadcast_in_dim %cst_123, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %477 = stablehlo.divide %475, %476 : tensor<4x8xf32>
    %478 = chlo.square %474 : tensor<4x8xf32> -> tensor<4x8xf32>
    %cst_124 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %479 = stablehlo.broadcast_in_dim %cst_124, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %480 = stablehlo.multiply %479, %474 : tensor<4x8xf32>
    %481 = stablehlo.subtract %477, %478 : tensor<4x8xf32>
    %cst_125 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %482 = stablehlo.broadcast_in_dim %cst_125, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %483 = stablehlo.maximum %482, %481 : tensor<4x8xf32>
    %484 = stablehlo.compare EQ, %481, %483, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_126 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %485 = stablehlo.broadcast_in_dim %cst_126, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_127 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %486 = stablehlo.broadcast_in_dim %cst_127, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %487 = stablehlo.select %484, %485, %486 : tensor<4x8xi1>, tensor<4x8xf32>
    %cst_128 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %488 = stablehlo.broadcast_in_dim %cst_128, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %489 = stablehlo.compare EQ, %488, %483, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_129 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %490 = stablehlo.broadcast_in_dim %cst_129, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %cst_130 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %491 = stablehlo.broadcast_in_dim %cst_130, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %492 = stablehlo.select %489, %490, %491 : tensor<4x8xi1>, tensor<4x8xf32>
    %493 = stablehlo.divide %487, %492 : tensor<4x8xf32>
    %494 = stablehlo.broadcast_in_dim %474, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %495 = stablehlo.broadcast_in_dim %483, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %496 = stablehlo.broadcast_in_dim %494, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %497 = stablehlo.subtract %468, %496 : tensor<4x8x16xf32>
    %cst_131 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %498 = stablehlo.broadcast_in_dim %cst_131, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %499 = stablehlo.add %495, %498 : tensor<4x8x1xf32>
    %500 = stablehlo.rsqrt %499 : tensor<4x8x1xf32>
    %501 = stablehlo.divide %500, %499 : tensor<4x8x1xf32>
    %cst_132 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %502 = stablehlo.broadcast_in_dim %cst_132, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %503 = stablehlo.multiply %502, %501 : tensor<4x8x1xf32>
    %504 = stablehlo.reshape %arg155 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %505 = stablehlo.broadcast_in_dim %500, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %506 = stablehlo.broadcast_in_dim %504, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %507 = stablehlo.multiply %505, %506 : tensor<4x8x16xf32>
    %508 = stablehlo.multiply %497, %507 : tensor<4x8x16xf32>
    %509 = stablehlo.reshape %arg154 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %510 = stablehlo.broadcast_in_dim %509, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %511 = stablehlo.add %508, %510 : tensor<4x8x16xf32>
    %512 = stablehlo.transpose %arg105, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %513 = stablehlo.dot_general %511, %512, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %514 = stablehlo.broadcast_in_dim %arg158, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %515:2 = call @take_along_axis(%513, %514) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %516 = stablehlo.reshape %515#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %cst_133 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %517 = stablehlo.reduce(%513 init: %cst_133) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_134 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %518 = stablehlo.broadcast_in_dim %cst_134, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %519 = stablehlo.maximum %518, %517 : tensor<4x8xf32>
    %520 = stablehlo.is_finite %519 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_135 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %521 = stablehlo.broadcast_in_dim %cst_135, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %522 = stablehlo.select %520, %519, %521 : tensor<4x8xi1>, tensor<4x8xf32>
    %523 = stablehlo.broadcast_in_dim %522, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %524 = stablehlo.broadcast_in_dim %523, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %525 = stablehlo.subtract %513, %524 : tensor<4x8x32xf32>
    %526 = stablehlo.exponential %525 : tensor<4x8x32xf32>
    %cst_136 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %527 = stablehlo.reduce(%526 init: %cst_136) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %528 = stablehlo.abs %527 : tensor<4x8xf32>
    %cst_137 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %529 = stablehlo.broadcast_in_dim %cst_137, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %530 = stablehlo.compare GE, %527, %529, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %531 = stablehlo.log %528 : tensor<4x8xf32>
    %532 = stablehlo.add %531, %522 : tensor<4x8xf32>
    %533 = stablehlo.subtract %532, %516 : tensor<4x8xf32>
    %cst_138 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %534 = stablehlo.reduce(%533 init: %cst_138) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_139 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %535 = stablehlo.divide %534, %cst_139 : tensor<f32>
    %cst_140 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_141 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %536 = stablehlo.divide %cst_140, %cst_141 : tensor<f32>
    %537 = stablehlo.broadcast_in_dim %536, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %538 = stablehlo.negate %537 : tensor<4x8xf32>
    %539 = stablehlo.divide %537, %528 : tensor<4x8xf32>
    %cst_142 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %540 = stablehlo.broadcast_in_dim %cst_142, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %541 = stablehlo.select %530, %540, %539 : tensor<4x8xi1>, tensor<4x8xf32>
    %542 = stablehlo.select %530, %539, %540 : tensor<4x8xi1>, tensor<4x8xf32>
    %543 = stablehlo.negate %541 : tensor<4x8xf32>
    %544 = stablehlo.add %542, %543 : tensor<4x8xf32>
    %545 = stablehlo.broadcast_in_dim %544, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %546 = stablehlo.multiply %545, %526 : tensor<4x8x32xf32>
    %547 = stablehlo.broadcast_in_dim %538, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %548 = call @take_along_axis_1(%515#1, %547) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %549 = stablehlo.add %546, %548 : tensor<4x8x32xf32>
    %550 = stablehlo.dot_general %549, %511, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %551 = stablehlo.transpose %550, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %552 = stablehlo.dot_general %549, %512, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %553 = stablehlo.transpose %551, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %cst_143 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %554 = stablehlo.reduce(%552 init: %cst_143) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %555 = stablehlo.reshape %554 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %556 = stablehlo.reshape %555 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %557 = stablehlo.multiply %497, %552 : tensor<4x8x16xf32>
    %558 = stablehlo.multiply %552, %507 : tensor<4x8x16xf32>
    %559 = stablehlo.broadcast_in_dim %500, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %560 = stablehlo.multiply %559, %557 : tensor<4x8x16xf32>
    %cst_144 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %561 = stablehlo.reduce(%560 init: %cst_144) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %562 = stablehlo.reshape %561 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %563 = stablehlo.broadcast_in_dim %504, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %564 = stablehlo.multiply %557, %563 : tensor<4x8x16xf32>
    %cst_145 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %565 = stablehlo.reduce(%564 init: %cst_145) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %566 = stablehlo.reshape %565 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %567 = stablehlo.reshape %562 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %568 = stablehlo.multiply %566, %503 : tensor<4x8x1xf32>
    %569 = stablehlo.negate %558 : tensor<4x8x16xf32>
    %cst_146 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %570 = stablehlo.reduce(%569 init: %cst_146) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %571 = stablehlo.reshape %570 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_147 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %572 = stablehlo.reduce(%568 init: %cst_147) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_148 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %573 = stablehlo.reduce(%571 init: %cst_148) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %574 = stablehlo.multiply %572, %493 : tensor<4x8xf32>
    %575 = stablehlo.negate %574 : tensor<4x8xf32>
    %576 = stablehlo.multiply %575, %480 : tensor<4x8xf32>
    %577 = stablehlo.add %573, %576 : tensor<4x8xf32>
    %cst_149 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %578 = stablehlo.broadcast_in_dim %cst_149, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %579 = stablehlo.divide %574, %578 : tensor<4x8xf32>
    %580 = stablehlo.broadcast_in_dim %579, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %cst_150 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %581 = stablehlo.broadcast_in_dim %cst_150, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %582 = stablehlo.divide %577, %581 : tensor<4x8xf32>
    %583 = stablehlo.broadcast_in_dim %582, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %584 = stablehlo.add %558, %583 : tensor<4x8x16xf32>
    %585 = stablehlo.multiply %580, %471 : tensor<4x8x16xf32>
    %586 = stablehlo.add %584, %585 : tensor<4x8x16xf32>
    %cst_151 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %587 = stablehlo.reduce(%586 init: %cst_151) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %588 = stablehlo.reshape %587 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %589 = stablehlo.reshape %588 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %590 = stablehlo.dot_general %586, %463, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x64xf32>) -> tensor<16x64xf32>
    %591 = stablehlo.transpose %590, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %592 = stablehlo.dot_general %586, %arg147, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<64x16xf32>) -> tensor<4x8x64xf32>
    %593 = stablehlo.multiply %445, %592 : tensor<4x8x64xf32>
    %594 = stablehlo.multiply %592, %462 : tensor<4x8x64xf32>
    %cst_152 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %595 = stablehlo.broadcast_in_dim %cst_152, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %596 = stablehlo.multiply %595, %593 : tensor<4x8x64xf32>
    %597 = stablehlo.multiply %596, %458 : tensor<4x8x64xf32>
    %598 = stablehlo.multiply %597, %456 : tensor<4x8x64xf32>
    %599 = stablehlo.add %597, %598 : tensor<4x8x64xf32>
    %cst_153 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %600 = stablehlo.broadcast_in_dim %cst_153, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %601 = stablehlo.multiply %600, %599 : tensor<4x8x64xf32>
    %602 = stablehlo.add %594, %601 : tensor<4x8x64xf32>
    %cst_154 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %603 = stablehlo.broadcast_in_dim %cst_154, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %604 = stablehlo.multiply %603, %601 : tensor<4x8x64xf32>
    %605 = stablehlo.multiply %604, %450 : tensor<4x8x64xf32>
    %606 = stablehlo.add %602, %605 : tensor<4x8x64xf32>
    %cst_155 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %607 = stablehlo.reduce(%606 init: %cst_155) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<64xf32>
    %608 = stablehlo.reshape %607 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %609 = stablehlo.reshape %608 : (tensor<1x1x64xf32>) -> tensor<64xf32>
    %610 = stablehlo.dot_general %606, %441, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %611 = stablehlo.transpose %610, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %612 = stablehlo.dot_general %606, %arg153, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %cst_156 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %613 = stablehlo.reduce(%612 init: %cst_156) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %614 = stablehlo.reshape %613 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %615 = stablehlo.reshape %614 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %616 = stablehlo.multiply %427, %612 : tensor<4x8x16xf32>
    %617 = stablehlo.multiply %612, %437 : tensor<4x8x16xf32>
    %618 = stablehlo.broadcast_in_dim %430, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %619 = stablehlo.multiply %618, %616 : tensor<4x8x16xf32>
    %cst_157 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %620 = stablehlo.reduce(%619 init: %cst_157) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %621 = stablehlo.reshape %620 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %622 = stablehlo.broadcast_in_dim %434, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %623 = stablehlo.multiply %616, %622 : tensor<4x8x16xf32>
    %cst_158 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %624 = stablehlo.reduce(%623 init: %cst_158) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %625 = stablehlo.reshape %624 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %626 = stablehlo.reshape %621 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %627 = stablehlo.multiply %625, %433 : tensor<4x8x1xf32>
    %628 = stablehlo.negate %617 : tensor<4x8x16xf32>
    %cst_159 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %629 = stablehlo.reduce(%628 init: %cst_159) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %630 = stablehlo.reshape %629 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %631 = stablehlo.add %586, %617 : tensor<4x8x16xf32>
    %cst_160 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %632 = stablehlo.reduce(%627 init: %cst_160) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_161 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %633 = stablehlo.reduce(%630 init: %cst_161) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %634 = stablehlo.multiply %632, %423 : tensor<4x8xf32>
    %635 = stablehlo.negate %634 : tensor<4x8xf32>
    %636 = stablehlo.multiply %635, %410 : tensor<4x8xf32>
    %637 = stablehlo.add %633, %636 : tensor<4x8xf32>
    %cst_162 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %638 = stablehlo.broadcast_in_dim %cst_162, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %639 = stablehlo.divide %634, %638 : tensor<4x8xf32>
    %640 = stablehlo.broadcast_in_dim %639, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %cst_163 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %641 = stablehlo.broadcast_in_dim %cst_163, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %642 = stablehlo.divide %637, %641 : tensor<4x8xf32>
    %643 = stablehlo.broadcast_in_dim %642, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %644 = stablehlo.add %631, %643 : tensor<4x8x16xf32>
    %645 = stablehlo.multiply %640, %401 : tensor<4x8x16xf32>
    %646 = stablehlo.add %644, %645 : tensor<4x8x16xf32>
    %cst_164 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %647 = stablehlo.reduce(%646 init: %cst_164) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %648 = stablehlo.reshape %647 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %649 = stablehlo.reshape %648 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %650 = stablehlo.dot_general %646, %393, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x4x4xf32>) -> tensor<16x4x4xf32>
    %651 = stablehlo.transpose %650, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
    %652 = stablehlo.dot_general %646, %arg141, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x4x16xf32>) -> tensor<4x8x4x4xf32>
    %653 = stablehlo.transpose %652, dims = [0, 2, 3, 1] : (tensor<4x8x4x4xf32>) -> tensor<4x4x4x8xf32>
    %654 = stablehlo.dot_general %653, %371, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %655 = stablehlo.dot_general %653, %388, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %656 = stablehlo.transpose %655, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %657 = stablehlo.broadcast_in_dim %391, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %658 = stablehlo.multiply %654, %657 : tensor<4x4x8x8xf32>
    %659 = stablehlo.multiply %658, %384 : tensor<4x4x8x8xf32>
    %cst_165 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %660 = stablehlo.reduce(%659 init: %cst_165) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %661 = stablehlo.reshape %660 : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %662 = stablehlo.negate %661 : tensor<4x4x8x1xf32>
    %663 = stablehlo.broadcast_in_dim %386, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %664 = stablehlo.divide %654, %663 : tensor<4x4x8x8xf32>
    %cst_166 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %665 = stablehlo.reduce(%662 init: %cst_166) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %666 = stablehlo.broadcast_in_dim %665, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x8xf32>
    %667 = stablehlo.add %664, %666 : tensor<4x4x8x8xf32>
    %668 = stablehlo.multiply %667, %384 : tensor<4x4x8x8xf32>
    %669 = call @_where_2(%377#1, %668) : (tensor<4x4x8x8xi1>, tensor<4x4x8x8xf32>) -> tensor<4x4x8x8xf32>
    %670 = stablehlo.dot_general %669, %375, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %671 = stablehlo.transpose %670, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %672 = stablehlo.dot_general %669, %367, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %673 = stablehlo.transpose %672, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %674 = stablehlo.broadcast_in_dim %373, dims = [] : (tensor<f32>) -> tensor<4x8x4x4xf32>
    %675 = stablehlo.divide %673, %674 : tensor<4x8x4x4xf32>
    %cst_167 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %676 = stablehlo.reduce(%656 init: %cst_167) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %677 = stablehlo.reshape %676 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %678 = stablehlo.reshape %677 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %679 = stablehlo.dot_general %656, %359, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %680 = stablehlo.transpose %679, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %681 = stablehlo.dot_general %656, %arg145, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %cst_168 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %682 = stablehlo.reduce(%671 init: %cst_168) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %683 = stablehlo.reshape %682 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %684 = stablehlo.reshape %683 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %685 = stablehlo.dot_general %671, %359, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %686 = stablehlo.transpose %685, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %687 = stablehlo.dot_general %671, %arg139, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %688 = stablehlo.add %681, %687 : tensor<4x8x16xf32>
    %cst_169 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %689 = stablehlo.reduce(%675 init: %cst_169) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %690 = stablehlo.reshape %689 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %691 = stablehlo.reshape %690 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %692 = stablehlo.dot_general %675, %359, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %693 = stablehlo.transpose %692, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %694 = stablehlo.dot_general %675, %arg143, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %695 = stablehlo.add %688, %694 : tensor<4x8x16xf32>
    %cst_170 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %696 = stablehlo.reduce(%695 init: %cst_170) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %697 = stablehlo.reshape %696 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %698 = stablehlo.reshape %697 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %699 = stablehlo.multiply %345, %695 : tensor<4x8x16xf32>
    %700 = stablehlo.multiply %695, %355 : tensor<4x8x16xf32>
    %701 = stablehlo.broadcast_in_dim %348, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %702 = stablehlo.multiply %701, %699 : tensor<4x8x16xf32>
    %cst_171 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %703 = stablehlo.reduce(%702 init: %cst_171) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %704 = stablehlo.reshape %703 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %705 = stablehlo.broadcast_in_dim %352, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %706 = stablehlo.multiply %699, %705 : tensor<4x8x16xf32>
    %cst_172 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %707 = stablehlo.reduce(%706 init: %cst_172) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %708 = stablehlo.reshape %707 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %709 = stablehlo.reshape %704 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %710 = stablehlo.multiply %708, %351 : tensor<4x8x1xf32>
    %711 = stablehlo.negate %700 : tensor<4x8x16xf32>
    %cst_173 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %712 = stablehlo.reduce(%711 init: %cst_173) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %713 = stablehlo.reshape %712 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %714 = stablehlo.add %646, %700 : tensor<4x8x16xf32>
    %cst_174 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %715 = stablehlo.reduce(%710 init: %cst_174) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_175 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %716 = stablehlo.reduce(%713 init: %cst_175) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %717 = stablehlo.multiply %715, %341 : tensor<4x8xf32>
    %718 = stablehlo.negate %717 : tensor<4x8xf32>
    %719 = stablehlo.multiply %718, %328 : tensor<4x8xf32>
    %720 = stablehlo.add %716, %719 : tensor<4x8xf32>
    %cst_176 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %721 = stablehlo.broadcast_in_dim %cst_176, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %722 = stablehlo.divide %717, %721 : tensor<4x8xf32>
    %723 = stablehlo.broadcast_in_dim %722, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %cst_177 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %724 = stablehlo.broadcast_in_dim %cst_177, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %725 = stablehlo.divide %720, %724 : tensor<4x8xf32>
    %726 = stablehlo.broadcast_in_dim %725, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %727 = stablehlo.add %714, %726 : tensor<4x8x16xf32>
    %728 = stablehlo.multiply %723, %319 : tensor<4x8x16xf32>
    %729 = stablehlo.add %727, %728 : tensor<4x8x16xf32>
    %cst_178 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %730 = stablehlo.reduce(%729 init: %cst_178) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %731 = stablehlo.reshape %730 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %732 = stablehlo.reshape %731 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %733 = stablehlo.dot_general %729, %311, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x64xf32>) -> tensor<16x64xf32>
    %734 = stablehlo.transpose %733, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %735 = stablehlo.dot_general %729, %arg131, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<64x16xf32>) -> tensor<4x8x64xf32>
    %736 = stablehlo.multiply %293, %735 : tensor<4x8x64xf32>
    %737 = stablehlo.multiply %735, %310 : tensor<4x8x64xf32>
    %cst_179 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %738 = stablehlo.broadcast_in_dim %cst_179, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %739 = stablehlo.multiply %738, %736 : tensor<4x8x64xf32>
    %740 = stablehlo.multiply %739, %306 : tensor<4x8x64xf32>
    %741 = stablehlo.multiply %740, %304 : tensor<4x8x64xf32>
    %742 = stablehlo.add %740, %741 : tensor<4x8x64xf32>
    %cst_180 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %743 = stablehlo.broadcast_in_dim %cst_180, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %744 = stablehlo.multiply %743, %742 : tensor<4x8x64xf32>
    %745 = stablehlo.add %737, %744 : tensor<4x8x64xf32>
    %cst_181 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %746 = stablehlo.broadcast_in_dim %cst_181, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %747 = stablehlo.multiply %746, %744 : tensor<4x8x64xf32>
    %748 = stablehlo.multiply %747, %298 : tensor<4x8x64xf32>
    %749 = stablehlo.add %745, %748 : tensor<4x8x64xf32>
    %cst_182 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %750 = stablehlo.reduce(%749 init: %cst_182) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<64xf32>
    %751 = stablehlo.reshape %750 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %752 = stablehlo.reshape %751 : (tensor<1x1x64xf32>) -> tensor<64xf32>
    %753 = stablehlo.dot_general %749, %289, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %754 = stablehlo.transpose %753, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %755 = stablehlo.dot_general %749, %arg137, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %cst_183 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %756 = stablehlo.reduce(%755 init: %cst_183) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %757 = stablehlo.reshape %756 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %758 = stablehlo.reshape %757 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %759 = stablehlo.multiply %275, %755 : tensor<4x8x16xf32>
    %760 = stablehlo.multiply %755, %285 : tensor<4x8x16xf32>
    %761 = stablehlo.broadcast_in_dim %278, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %762 = stablehlo.multiply %761, %759 : tensor<4x8x16xf32>
    %cst_184 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %763 = stablehlo.reduce(%762 init: %cst_184) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %764 = stablehlo.reshape %763 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %765 = stablehlo.broadcast_in_dim %282, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %766 = stablehlo.multiply %759, %765 : tensor<4x8x16xf32>
    %cst_185 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %767 = stablehlo.reduce(%766 init: %cst_185) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %768 = stablehlo.reshape %767 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %769 = stablehlo.reshape %764 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %770 = stablehlo.multiply %768, %281 : tensor<4x8x1xf32>
    %771 = stablehlo.negate %760 : tensor<4x8x16xf32>
    %cst_186 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %772 = stablehlo.reduce(%771 init: %cst_186) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %773 = stablehlo.reshape %772 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %774 = stablehlo.add %729, %760 : tensor<4x8x16xf32>
    %cst_187 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %775 = stablehlo.reduce(%770 init: %cst_187) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_188 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %776 = stablehlo.reduce(%773 init: %cst_188) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %777 = stablehlo.multiply %775, %271 : tensor<4x8xf32>
    %778 = stablehlo.negate %777 : tensor<4x8xf32>
    %779 = stablehlo.multiply %778, %258 : tensor<4x8xf32>
    %780 = stablehlo.add %776, %779 : tensor<4x8xf32>
    %cst_189 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %781 = stablehlo.broadcast_in_dim %cst_189, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %782 = stablehlo.divide %777, %781 : tensor<4x8xf32>
    %783 = stablehlo.broadcast_in_dim %782, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %cst_190 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %784 = stablehlo.broadcast_in_dim %cst_190, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %785 = stablehlo.divide %780, %784 : tensor<4x8xf32>
    %786 = stablehlo.broadcast_in_dim %785, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %787 = stablehlo.add %774, %786 : tensor<4x8x16xf32>
    %788 = stablehlo.multiply %783, %249 : tensor<4x8x16xf32>
    %789 = stablehlo.add %787, %788 : tensor<4x8x16xf32>
    %cst_191 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %790 = stablehlo.reduce(%789 init: %cst_191) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %791 = stablehlo.reshape %790 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %792 = stablehlo.reshape %791 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %793 = stablehlo.dot_general %789, %241, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x4x4xf32>) -> tensor<16x4x4xf32>
    %794 = stablehlo.transpose %793, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
    %795 = stablehlo.dot_general %789, %arg125, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x4x16xf32>) -> tensor<4x8x4x4xf32>
    %796 = stablehlo.transpose %795, dims = [0, 2, 3, 1] : (tensor<4x8x4x4xf32>) -> tensor<4x4x4x8xf32>
    %797 = stablehlo.dot_general %796, %219, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %798 = stablehlo.dot_general %796, %236, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %799 = stablehlo.transpose %798, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %800 = stablehlo.broadcast_in_dim %239, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %801 = stablehlo.multiply %797, %800 : tensor<4x4x8x8xf32>
    %802 = stablehlo.multiply %801, %232 : tensor<4x4x8x8xf32>
    %cst_192 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %803 = stablehlo.reduce(%802 init: %cst_192) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %804 = stablehlo.reshape %803 : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %805 = stablehlo.negate %804 : tensor<4x4x8x1xf32>
    %806 = stablehlo.broadcast_in_dim %234, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %807 = stablehlo.divide %797, %806 : tensor<4x4x8x8xf32>
    %cst_193 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %808 = stablehlo.reduce(%805 init: %cst_193) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %809 = stablehlo.broadcast_in_dim %808, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x8xf32>
    %810 = stablehlo.add %807, %809 : tensor<4x4x8x8xf32>
    %811 = stablehlo.multiply %810, %232 : tensor<4x4x8x8xf32>
    %812 = call @_where_2(%225#1, %811) : (tensor<4x4x8x8xi1>, tensor<4x4x8x8xf32>) -> tensor<4x4x8x8xf32>
    %813 = stablehlo.dot_general %812, %223, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %814 = stablehlo.transpose %813, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %815 = stablehlo.dot_general %812, %215, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %816 = stablehlo.transpose %815, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %817 = stablehlo.broadcast_in_dim %221, dims = [] : (tensor<f32>) -> tensor<4x8x4x4xf32>
    %818 = stablehlo.divide %816, %817 : tensor<4x8x4x4xf32>
    %cst_194 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %819 = stablehlo.reduce(%799 init: %cst_194) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %820 = stablehlo.reshape %819 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %821 = stablehlo.reshape %820 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %822 = stablehlo.dot_general %799, %207, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %823 = stablehlo.transpose %822, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %824 = stablehlo.dot_general %799, %arg129, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %cst_195 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %825 = stablehlo.reduce(%814 init: %cst_195) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %826 = stablehlo.reshape %825 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %827 = stablehlo.reshape %826 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %828 = stablehlo.dot_general %814, %207, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %829 = stablehlo.transpose %828, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %830 = stablehlo.dot_general %814, %arg123, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %831 = stablehlo.add %824, %830 : tensor<4x8x16xf32>
    %cst_196 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %832 = stablehlo.reduce(%818 init: %cst_196) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %833 = stablehlo.reshape %832 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %834 = stablehlo.reshape %833 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %835 = stablehlo.dot_general %818, %207, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %836 = stablehlo.transpose %835, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %837 = stablehlo.dot_general %818, %arg127, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %838 = stablehlo.add %831, %837 : tensor<4x8x16xf32>
    %cst_197 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %839 = stablehlo.reduce(%838 init: %cst_197) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %840 = stablehlo.reshape %839 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %841 = stablehlo.reshape %840 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %842 = stablehlo.multiply %193, %838 : tensor<4x8x16xf32>
    %843 = stablehlo.multiply %838, %203 : tensor<4x8x16xf32>
    %844 = stablehlo.broadcast_in_dim %196, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %845 = stablehlo.multiply %844, %842 : tensor<4x8x16xf32>
    %cst_198 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %846 = stablehlo.reduce(%845 init: %cst_198) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %847 = stablehlo.reshape %846 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %848 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %849 = stablehlo.multiply %842, %848 : tensor<4x8x16xf32>
    %cst_199 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %850 = stablehlo.reduce(%849 init: %cst_199) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %851 = stablehlo.reshape %850 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %852 = stablehlo.reshape %847 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %853 = stablehlo.multiply %851, %199 : tensor<4x8x1xf32>
    %854 = stablehlo.negate %843 : tensor<4x8x16xf32>
    %cst_200 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %855 = stablehlo.reduce(%854 init: %cst_200) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %856 = stablehlo.reshape %855 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %857 = stablehlo.add %789, %843 : tensor<4x8x16xf32>
    %cst_201 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %858 = stablehlo.reduce(%853 init: %cst_201) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_202 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %859 = stablehlo.reduce(%856 init: %cst_202) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %860 = stablehlo.multiply %858, %189 : tensor<4x8xf32>
    %861 = stablehlo.negate %860 : tensor<4x8xf32>
    %862 = stablehlo.multiply %861, %176 : tensor<4x8xf32>
    %863 = stablehlo.add %859, %862 : tensor<4x8xf32>
    %cst_203 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %864 = stablehlo.broadcast_in_dim %cst_203, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %865 = stablehlo.divide %860, %864 : tensor<4x8xf32>
    %866 = stablehlo.broadcast_in_dim %865, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %cst_204 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %867 = stablehlo.broadcast_in_dim %cst_204, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %868 = stablehlo.divide %863, %867 : tensor<4x8xf32>
    %869 = stablehlo.broadcast_in_dim %868, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %870 = stablehlo.add %857, %869 : tensor<4x8x16xf32>
    %871 = stablehlo.multiply %866, %167 : tensor<4x8x16xf32>
    %872 = stablehlo.add %870, %871 : tensor<4x8x16xf32>
    %cst_205 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %873 = stablehlo.reduce(%872 init: %cst_205) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %874 = stablehlo.reshape %873 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %875 = stablehlo.reshape %874 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %876 = stablehlo.dot_general %872, %159, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x64xf32>) -> tensor<16x64xf32>
    %877 = stablehlo.transpose %876, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %878 = stablehlo.dot_general %872, %arg115, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<64x16xf32>) -> tensor<4x8x64xf32>
    %879 = stablehlo.multiply %141, %878 : tensor<4x8x64xf32>
    %880 = stablehlo.multiply %878, %158 : tensor<4x8x64xf32>
    %cst_206 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %881 = stablehlo.broadcast_in_dim %cst_206, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %882 = stablehlo.multiply %881, %879 : tensor<4x8x64xf32>
    %883 = stablehlo.multiply %882, %154 : tensor<4x8x64xf32>
    %884 = stablehlo.multiply %883, %152 : tensor<4x8x64xf32>
    %885 = stablehlo.add %883, %884 : tensor<4x8x64xf32>
    %cst_207 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %886 = stablehlo.broadcast_in_dim %cst_207, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %887 = stablehlo.multiply %886, %885 : tensor<4x8x64xf32>
    %888 = stablehlo.add %880, %887 : tensor<4x8x64xf32>
    %cst_208 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %889 = stablehlo.broadcast_in_dim %cst_208, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %890 = stablehlo.multiply %889, %887 : tensor<4x8x64xf32>
    %891 = stablehlo.multiply %890, %146 : tensor<4x8x64xf32>
    %892 = stablehlo.add %888, %891 : tensor<4x8x64xf32>
    %cst_209 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %893 = stablehlo.reduce(%892 init: %cst_209) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x64xf32>, tensor<f32>) -> tensor<64xf32>
    %894 = stablehlo.reshape %893 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %895 = stablehlo.reshape %894 : (tensor<1x1x64xf32>) -> tensor<64xf32>
    %896 = stablehlo.dot_general %892, %137, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %897 = stablehlo.transpose %896, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %898 = stablehlo.dot_general %892, %arg121, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %cst_210 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %899 = stablehlo.reduce(%898 init: %cst_210) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %900 = stablehlo.reshape %899 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %901 = stablehlo.reshape %900 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %902 = stablehlo.multiply %123, %898 : tensor<4x8x16xf32>
    %903 = stablehlo.multiply %898, %133 : tensor<4x8x16xf32>
    %904 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %905 = stablehlo.multiply %904, %902 : tensor<4x8x16xf32>
    %cst_211 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %906 = stablehlo.reduce(%905 init: %cst_211) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %907 = stablehlo.reshape %906 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %908 = stablehlo.broadcast_in_dim %130, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %909 = stablehlo.multiply %902, %908 : tensor<4x8x16xf32>
    %cst_212 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %910 = stablehlo.reduce(%909 init: %cst_212) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %911 = stablehlo.reshape %910 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %912 = stablehlo.reshape %907 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %913 = stablehlo.multiply %911, %129 : tensor<4x8x1xf32>
    %914 = stablehlo.negate %903 : tensor<4x8x16xf32>
    %cst_213 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %915 = stablehlo.reduce(%914 init: %cst_213) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %916 = stablehlo.reshape %915 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %917 = stablehlo.add %872, %903 : tensor<4x8x16xf32>
    %cst_214 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %918 = stablehlo.reduce(%913 init: %cst_214) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_215 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %919 = stablehlo.reduce(%916 init: %cst_215) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %920 = stablehlo.multiply %918, %119 : tensor<4x8xf32>
    %921 = stablehlo.negate %920 : tensor<4x8xf32>
    %922 = stablehlo.multiply %921, %106 : tensor<4x8xf32>
    %923 = stablehlo.add %919, %922 : tensor<4x8xf32>
    %cst_216 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %924 = stablehlo.broadcast_in_dim %cst_216, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %925 = stablehlo.divide %920, %924 : tensor<4x8xf32>
    %926 = stablehlo.broadcast_in_dim %925, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %cst_217 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %927 = stablehlo.broadcast_in_dim %cst_217, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %928 = stablehlo.divide %923, %927 : tensor<4x8xf32>
    %929 = stablehlo.broadcast_in_dim %928, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %930 = stablehlo.add %917, %929 : tensor<4x8x16xf32>
    %931 = stablehlo.multiply %926, %97 : tensor<4x8x16xf32>
    %932 = stablehlo.add %930, %931 : tensor<4x8x16xf32>
    %cst_218 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %933 = stablehlo.reduce(%932 init: %cst_218) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %934 = stablehlo.reshape %933 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %935 = stablehlo.reshape %934 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %936 = stablehlo.dot_general %932, %89, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x4x4xf32>) -> tensor<16x4x4xf32>
    %937 = stablehlo.transpose %936, dims = [1, 2, 0] : (tensor<16x4x4xf32>) -> tensor<4x4x16xf32>
    %938 = stablehlo.dot_general %932, %arg109, contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x4x16xf32>) -> tensor<4x8x4x4xf32>
    %939 = stablehlo.transpose %938, dims = [0, 2, 3, 1] : (tensor<4x8x4x4xf32>) -> tensor<4x4x4x8xf32>
    %940 = stablehlo.dot_general %939, %67, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x8xf32>
    %941 = stablehlo.dot_general %939, %84, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x8xf32>, tensor<4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %942 = stablehlo.transpose %941, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %943 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %944 = stablehlo.multiply %940, %943 : tensor<4x4x8x8xf32>
    %945 = stablehlo.multiply %944, %80 : tensor<4x4x8x8xf32>
    %cst_219 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %946 = stablehlo.reduce(%945 init: %cst_219) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x8xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %947 = stablehlo.reshape %946 : (tensor<4x4x8xf32>) -> tensor<4x4x8x1xf32>
    %948 = stablehlo.negate %947 : tensor<4x4x8x1xf32>
    %949 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<4x4x8x1xf32>) -> tensor<4x4x8x8xf32>
    %950 = stablehlo.divide %940, %949 : tensor<4x4x8x8xf32>
    %cst_220 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %951 = stablehlo.reduce(%948 init: %cst_220) applies stablehlo.add across dimensions = [3] : (tensor<4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %952 = stablehlo.broadcast_in_dim %951, dims = [0, 1, 2] : (tensor<4x4x8xf32>) -> tensor<4x4x8x8xf32>
    %953 = stablehlo.add %950, %952 : tensor<4x4x8x8xf32>
    %954 = stablehlo.multiply %953, %80 : tensor<4x4x8x8xf32>
    %955 = call @_where_2(%73#1, %954) : (tensor<4x4x8x8xi1>, tensor<4x4x8x8xf32>) -> tensor<4x4x8x8xf32>
    %956 = stablehlo.dot_general %955, %71, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %957 = stablehlo.transpose %956, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %958 = stablehlo.dot_general %955, %63, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x4xf32>
    %959 = stablehlo.transpose %958, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %960 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<f32>) -> tensor<4x8x4x4xf32>
    %961 = stablehlo.divide %959, %960 : tensor<4x8x4x4xf32>
    %cst_221 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %962 = stablehlo.reduce(%942 init: %cst_221) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %963 = stablehlo.reshape %962 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %964 = stablehlo.reshape %963 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %965 = stablehlo.dot_general %942, %55, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %966 = stablehlo.transpose %965, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %967 = stablehlo.dot_general %942, %arg113, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %cst_222 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %968 = stablehlo.reduce(%957 init: %cst_222) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %969 = stablehlo.reshape %968 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %970 = stablehlo.reshape %969 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %971 = stablehlo.dot_general %957, %55, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %972 = stablehlo.transpose %971, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %973 = stablehlo.dot_general %957, %arg107, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %974 = stablehlo.add %967, %973 : tensor<4x8x16xf32>
    %cst_223 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %975 = stablehlo.reduce(%961 init: %cst_223) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %976 = stablehlo.reshape %975 : (tensor<4x4xf32>) -> tensor<1x1x4x4xf32>
    %977 = stablehlo.reshape %976 : (tensor<1x1x4x4xf32>) -> tensor<4x4xf32>
    %978 = stablehlo.dot_general %961, %55, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<4x8x16xf32>) -> tensor<4x4x16xf32>
    %979 = stablehlo.transpose %978, dims = [2, 0, 1] : (tensor<4x4x16xf32>) -> tensor<16x4x4xf32>
    %980 = stablehlo.dot_general %961, %arg111, contracting_dims = [2, 3] x [1, 2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<16x4x4xf32>) -> tensor<4x8x16xf32>
    %981 = stablehlo.add %974, %980 : tensor<4x8x16xf32>
    %cst_224 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %982 = stablehlo.reduce(%981 init: %cst_224) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %983 = stablehlo.reshape %982 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %984 = stablehlo.reshape %983 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %985 = stablehlo.multiply %41, %981 : tensor<4x8x16xf32>
    %986 = stablehlo.multiply %981, %51 : tensor<4x8x16xf32>
    %987 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %988 = stablehlo.multiply %987, %985 : tensor<4x8x16xf32>
    %cst_225 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %989 = stablehlo.reduce(%988 init: %cst_225) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %990 = stablehlo.reshape %989 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %991 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %992 = stablehlo.multiply %985, %991 : tensor<4x8x16xf32>
    %cst_226 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %993 = stablehlo.reduce(%992 init: %cst_226) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %994 = stablehlo.reshape %993 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %995 = stablehlo.reshape %990 : (tensor<1x1x16xf32>) -> tensor<16xf32>
    %996 = stablehlo.multiply %994, %47 : tensor<4x8x1xf32>
    %997 = stablehlo.negate %986 : tensor<4x8x16xf32>
    %cst_227 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %998 = stablehlo.reduce(%997 init: %cst_227) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %999 = stablehlo.reshape %998 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %1000 = stablehlo.add %932, %986 : tensor<4x8x16xf32>
    %cst_228 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1001 = stablehlo.reduce(%996 init: %cst_228) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_229 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1002 = stablehlo.reduce(%999 init: %cst_229) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1003 = stablehlo.multiply %1001, %37 : tensor<4x8xf32>
    %1004 = stablehlo.negate %1003 : tensor<4x8xf32>
    %1005 = stablehlo.multiply %1004, %24 : tensor<4x8xf32>
    %1006 = stablehlo.add %1002, %1005 : tensor<4x8xf32>
    %cst_230 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %1007 = stablehlo.broadcast_in_dim %cst_230, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1008 = stablehlo.divide %1003, %1007 : tensor<4x8xf32>
    %1009 = stablehlo.broadcast_in_dim %1008, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %cst_231 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %1010 = stablehlo.broadcast_in_dim %cst_231, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %1011 = stablehlo.divide %1006, %1010 : tensor<4x8xf32>
    %1012 = stablehlo.broadcast_in_dim %1011, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %1013 = stablehlo.add %1000, %1012 : tensor<4x8x16xf32>
    %1014 = stablehlo.multiply %1009, %15 : tensor<4x8x16xf32>
    %1015 = stablehlo.add %1013, %1014 : tensor<4x8x16xf32>
    %cst_232 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1016 = stablehlo.reduce(%1015 init: %cst_232) applies stablehlo.add across dimensions = [0] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1017 = stablehlo.reshape %1016 : (tensor<8x16xf32>) -> tensor<1x8x16xf32>
    %cst_233 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1018 = stablehlo.reduce(%1017 init: %cst_233) applies stablehlo.add across dimensions = [0] : (tensor<1x8x16xf32>, tensor<f32>) -> tensor<8x16xf32>
    %1019 = call @_take_3(%0#1, %1015) : (tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %1020 = stablehlo.add %553, %1019 : tensor<32x16xf32>
    %cst_234 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1021 = stablehlo.broadcast_in_dim %cst_234, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1022 = stablehlo.multiply %1021, %1020 : tensor<32x16xf32>
    %cst_235 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1023 = stablehlo.broadcast_in_dim %cst_235, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1024 = stablehlo.multiply %1023, %arg1 : tensor<32x16xf32>
    %1025 = stablehlo.add %1022, %1024 : tensor<32x16xf32>
    %cst_236 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1026 = stablehlo.broadcast_in_dim %cst_236, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1027 = stablehlo.multiply %1026, %970 : tensor<4x4xf32>
    %cst_237 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1028 = stablehlo.broadcast_in_dim %cst_237, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1029 = stablehlo.multiply %1028, %arg2 : tensor<4x4xf32>
    %1030 = stablehlo.add %1027, %1029 : tensor<4x4xf32>
    %cst_238 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1031 = stablehlo.broadcast_in_dim %cst_238, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1032 = stablehlo.multiply %1031, %972 : tensor<16x4x4xf32>
    %cst_239 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1033 = stablehlo.broadcast_in_dim %cst_239, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1034 = stablehlo.multiply %1033, %arg3 : tensor<16x4x4xf32>
    %1035 = stablehlo.add %1032, %1034 : tensor<16x4x4xf32>
    %cst_240 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1036 = stablehlo.broadcast_in_dim %cst_240, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1037 = stablehlo.multiply %1036, %935 : tensor<16xf32>
    %cst_241 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1038 = stablehlo.broadcast_in_dim %cst_241, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1039 = stablehlo.multiply %1038, %arg4 : tensor<16xf32>
    %1040 = stablehlo.add %1037, %1039 : tensor<16xf32>
    %cst_242 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1041 = stablehlo.broadcast_in_dim %cst_242, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1042 = stablehlo.multiply %1041, %937 : tensor<4x4x16xf32>
    %cst_243 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1043 = stablehlo.broadcast_in_dim %cst_243, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1044 = stablehlo.multiply %1043, %arg5 : tensor<4x4x16xf32>
    %1045 = stablehlo.add %1042, %1044 : tensor<4x4x16xf32>
    %cst_244 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1046 = stablehlo.broadcast_in_dim %cst_244, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1047 = stablehlo.multiply %1046, %977 : tensor<4x4xf32>
    %cst_245 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1048 = stablehlo.broadcast_in_dim %cst_245, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1049 = stablehlo.multiply %1048, %arg6 : tensor<4x4xf32>
    %1050 = stablehlo.add %1047, %1049 : tensor<4x4xf32>
    %cst_246 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1051 = stablehlo.broadcast_in_dim %cst_246, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1052 = stablehlo.multiply %1051, %979 : tensor<16x4x4xf32>
    %cst_247 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1053 = stablehlo.broadcast_in_dim %cst_247, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1054 = stablehlo.multiply %1053, %arg7 : tensor<16x4x4xf32>
    %1055 = stablehlo.add %1052, %1054 : tensor<16x4x4xf32>
    %cst_248 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1056 = stablehlo.broadcast_in_dim %cst_248, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1057 = stablehlo.multiply %1056, %964 : tensor<4x4xf32>
    %cst_249 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1058 = stablehlo.broadcast_in_dim %cst_249, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1059 = stablehlo.multiply %1058, %arg8 : tensor<4x4xf32>
    %1060 = stablehlo.add %1057, %1059 : tensor<4x4xf32>
    %cst_250 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1061 = stablehlo.broadcast_in_dim %cst_250, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1062 = stablehlo.multiply %1061, %966 : tensor<16x4x4xf32>
    %cst_251 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1063 = stablehlo.broadcast_in_dim %cst_251, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1064 = stablehlo.multiply %1063, %arg9 : tensor<16x4x4xf32>
    %1065 = stablehlo.add %1062, %1064 : tensor<16x4x4xf32>
    %cst_252 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1066 = stablehlo.broadcast_in_dim %cst_252, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1067 = stablehlo.multiply %1066, %875 : tensor<16xf32>
    %cst_253 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1068 = stablehlo.broadcast_in_dim %cst_253, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1069 = stablehlo.multiply %1068, %arg10 : tensor<16xf32>
    %1070 = stablehlo.add %1067, %1069 : tensor<16xf32>
    %cst_254 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1071 = stablehlo.broadcast_in_dim %cst_254, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1072 = stablehlo.multiply %1071, %877 : tensor<64x16xf32>
    %cst_255 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1073 = stablehlo.broadcast_in_dim %cst_255, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1074 = stablehlo.multiply %1073, %arg11 : tensor<64x16xf32>
    %1075 = stablehlo.add %1072, %1074 : tensor<64x16xf32>
    %cst_256 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1076 = stablehlo.broadcast_in_dim %cst_256, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1077 = stablehlo.multiply %1076, %984 : tensor<16xf32>
    %cst_257 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1078 = stablehlo.broadcast_in_dim %cst_257, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1079 = stablehlo.multiply %1078, %arg12 : tensor<16xf32>
    %1080 = stablehlo.add %1077, %1079 : tensor<16xf32>
    %cst_258 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1081 = stablehlo.broadcast_in_dim %cst_258, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1082 = stablehlo.multiply %1081, %995 : tensor<16xf32>
    %cst_259 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1083 = stablehlo.broadcast_in_dim %cst_259, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1084 = stablehlo.multiply %1083, %arg13 : tensor<16xf32>
    %1085 = stablehlo.add %1082, %1084 : tensor<16xf32>
    %cst_260 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1086 = stablehlo.broadcast_in_dim %cst_260, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1087 = stablehlo.multiply %1086, %901 : tensor<16xf32>
    %cst_261 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1088 = stablehlo.broadcast_in_dim %cst_261, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1089 = stablehlo.multiply %1088, %arg14 : tensor<16xf32>
    %1090 = stablehlo.add %1087, %1089 : tensor<16xf32>
    %cst_262 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1091 = stablehlo.broadcast_in_dim %cst_262, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1092 = stablehlo.multiply %1091, %912 : tensor<16xf32>
    %cst_263 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1093 = stablehlo.broadcast_in_dim %cst_263, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1094 = stablehlo.multiply %1093, %arg15 : tensor<16xf32>
    %1095 = stablehlo.add %1092, %1094 : tensor<16xf32>
    %cst_264 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1096 = stablehlo.broadcast_in_dim %cst_264, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1097 = stablehlo.multiply %1096, %895 : tensor<64xf32>
    %cst_265 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1098 = stablehlo.broadcast_in_dim %cst_265, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1099 = stablehlo.multiply %1098, %arg16 : tensor<64xf32>
    %1100 = stablehlo.add %1097, %1099 : tensor<64xf32>
    %cst_266 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1101 = stablehlo.broadcast_in_dim %cst_266, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1102 = stablehlo.multiply %1101, %897 : tensor<16x64xf32>
    %cst_267 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1103 = stablehlo.broadcast_in_dim %cst_267, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1104 = stablehlo.multiply %1103, %arg17 : tensor<16x64xf32>
    %1105 = stablehlo.add %1102, %1104 : tensor<16x64xf32>
    %cst_268 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1106 = stablehlo.broadcast_in_dim %cst_268, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1107 = stablehlo.multiply %1106, %827 : tensor<4x4xf32>
    %cst_269 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1108 = stablehlo.broadcast_in_dim %cst_269, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1109 = stablehlo.multiply %1108, %arg18 : tensor<4x4xf32>
    %1110 = stablehlo.add %1107, %1109 : tensor<4x4xf32>
    %cst_270 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1111 = stablehlo.broadcast_in_dim %cst_270, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1112 = stablehlo.multiply %1111, %829 : tensor<16x4x4xf32>
    %cst_271 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1113 = stablehlo.broadcast_in_dim %cst_271, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1114 = stablehlo.multiply %1113, %arg19 : tensor<16x4x4xf32>
    %1115 = stablehlo.add %1112, %1114 : tensor<16x4x4xf32>
    %cst_272 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1116 = stablehlo.broadcast_in_dim %cst_272, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1117 = stablehlo.multiply %1116, %792 : tensor<16xf32>
    %cst_273 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1118 = stablehlo.broadcast_in_dim %cst_273, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1119 = stablehlo.multiply %1118, %arg20 : tensor<16xf32>
    %1120 = stablehlo.add %1117, %1119 : tensor<16xf32>
    %cst_274 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1121 = stablehlo.broadcast_in_dim %cst_274, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1122 = stablehlo.multiply %1121, %794 : tensor<4x4x16xf32>
    %cst_275 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1123 = stablehlo.broadcast_in_dim %cst_275, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1124 = stablehlo.multiply %1123, %arg21 : tensor<4x4x16xf32>
    %1125 = stablehlo.add %1122, %1124 : tensor<4x4x16xf32>
    %cst_276 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1126 = stablehlo.broadcast_in_dim %cst_276, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1127 = stablehlo.multiply %1126, %834 : tensor<4x4xf32>
    %cst_277 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1128 = stablehlo.broadcast_in_dim %cst_277, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1129 = stablehlo.multiply %1128, %arg22 : tensor<4x4xf32>
    %1130 = stablehlo.add %1127, %1129 : tensor<4x4xf32>
    %cst_278 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1131 = stablehlo.broadcast_in_dim %cst_278, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1132 = stablehlo.multiply %1131, %836 : tensor<16x4x4xf32>
    %cst_279 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1133 = stablehlo.broadcast_in_dim %cst_279, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1134 = stablehlo.multiply %1133, %arg23 : tensor<16x4x4xf32>
    %1135 = stablehlo.add %1132, %1134 : tensor<16x4x4xf32>
    %cst_280 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1136 = stablehlo.broadcast_in_dim %cst_280, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1137 = stablehlo.multiply %1136, %821 : tensor<4x4xf32>
    %cst_281 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1138 = stablehlo.broadcast_in_dim %cst_281, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1139 = stablehlo.multiply %1138, %arg24 : tensor<4x4xf32>
    %1140 = stablehlo.add %1137, %1139 : tensor<4x4xf32>
    %cst_282 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1141 = stablehlo.broadcast_in_dim %cst_282, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1142 = stablehlo.multiply %1141, %823 : tensor<16x4x4xf32>
    %cst_283 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1143 = stablehlo.broadcast_in_dim %cst_283, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1144 = stablehlo.multiply %1143, %arg25 : tensor<16x4x4xf32>
    %1145 = stablehlo.add %1142, %1144 : tensor<16x4x4xf32>
    %cst_284 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1146 = stablehlo.broadcast_in_dim %cst_284, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1147 = stablehlo.multiply %1146, %732 : tensor<16xf32>
    %cst_285 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1148 = stablehlo.broadcast_in_dim %cst_285, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1149 = stablehlo.multiply %1148, %arg26 : tensor<16xf32>
    %1150 = stablehlo.add %1147, %1149 : tensor<16xf32>
    %cst_286 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1151 = stablehlo.broadcast_in_dim %cst_286, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1152 = stablehlo.multiply %1151, %734 : tensor<64x16xf32>
    %cst_287 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1153 = stablehlo.broadcast_in_dim %cst_287, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1154 = stablehlo.multiply %1153, %arg27 : tensor<64x16xf32>
    %1155 = stablehlo.add %1152, %1154 : tensor<64x16xf32>
    %cst_288 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1156 = stablehlo.broadcast_in_dim %cst_288, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1157 = stablehlo.multiply %1156, %841 : tensor<16xf32>
    %cst_289 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1158 = stablehlo.broadcast_in_dim %cst_289, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1159 = stablehlo.multiply %1158, %arg28 : tensor<16xf32>
    %1160 = stablehlo.add %1157, %1159 : tensor<16xf32>
    %cst_290 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1161 = stablehlo.broadcast_in_dim %cst_290, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1162 = stablehlo.multiply %1161, %852 : tensor<16xf32>
    %cst_291 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1163 = stablehlo.broadcast_in_dim %cst_291, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1164 = stablehlo.multiply %1163, %arg29 : tensor<16xf32>
    %1165 = stablehlo.add %1162, %1164 : tensor<16xf32>
    %cst_292 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1166 = stablehlo.broadcast_in_dim %cst_292, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1167 = stablehlo.multiply %1166, %758 : tensor<16xf32>
    %cst_293 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1168 = stablehlo.broadcast_in_dim %cst_293, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1169 = stablehlo.multiply %1168, %arg30 : tensor<16xf32>
    %1170 = stablehlo.add %1167, %1169 : tensor<16xf32>
    %cst_294 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1171 = stablehlo.broadcast_in_dim %cst_294, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1172 = stablehlo.multiply %1171, %769 : tensor<16xf32>
    %cst_295 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1173 = stablehlo.broadcast_in_dim %cst_295, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1174 = stablehlo.multiply %1173, %arg31 : tensor<16xf32>
    %1175 = stablehlo.add %1172, %1174 : tensor<16xf32>
    %cst_296 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1176 = stablehlo.broadcast_in_dim %cst_296, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1177 = stablehlo.multiply %1176, %752 : tensor<64xf32>
    %cst_297 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1178 = stablehlo.broadcast_in_dim %cst_297, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1179 = stablehlo.multiply %1178, %arg32 : tensor<64xf32>
    %1180 = stablehlo.add %1177, %1179 : tensor<64xf32>
    %cst_298 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1181 = stablehlo.broadcast_in_dim %cst_298, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1182 = stablehlo.multiply %1181, %754 : tensor<16x64xf32>
    %cst_299 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1183 = stablehlo.broadcast_in_dim %cst_299, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1184 = stablehlo.multiply %1183, %arg33 : tensor<16x64xf32>
    %1185 = stablehlo.add %1182, %1184 : tensor<16x64xf32>
    %cst_300 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1186 = stablehlo.broadcast_in_dim %cst_300, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1187 = stablehlo.multiply %1186, %684 : tensor<4x4xf32>
    %cst_301 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1188 = stablehlo.broadcast_in_dim %cst_301, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1189 = stablehlo.multiply %1188, %arg34 : tensor<4x4xf32>
    %1190 = stablehlo.add %1187, %1189 : tensor<4x4xf32>
    %cst_302 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1191 = stablehlo.broadcast_in_dim %cst_302, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1192 = stablehlo.multiply %1191, %686 : tensor<16x4x4xf32>
    %cst_303 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1193 = stablehlo.broadcast_in_dim %cst_303, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1194 = stablehlo.multiply %1193, %arg35 : tensor<16x4x4xf32>
    %1195 = stablehlo.add %1192, %1194 : tensor<16x4x4xf32>
    %cst_304 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1196 = stablehlo.broadcast_in_dim %cst_304, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1197 = stablehlo.multiply %1196, %649 : tensor<16xf32>
    %cst_305 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1198 = stablehlo.broadcast_in_dim %cst_305, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1199 = stablehlo.multiply %1198, %arg36 : tensor<16xf32>
    %1200 = stablehlo.add %1197, %1199 : tensor<16xf32>
    %cst_306 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1201 = stablehlo.broadcast_in_dim %cst_306, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1202 = stablehlo.multiply %1201, %651 : tensor<4x4x16xf32>
    %cst_307 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1203 = stablehlo.broadcast_in_dim %cst_307, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1204 = stablehlo.multiply %1203, %arg37 : tensor<4x4x16xf32>
    %1205 = stablehlo.add %1202, %1204 : tensor<4x4x16xf32>
    %cst_308 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1206 = stablehlo.broadcast_in_dim %cst_308, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1207 = stablehlo.multiply %1206, %691 : tensor<4x4xf32>
    %cst_309 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1208 = stablehlo.broadcast_in_dim %cst_309, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1209 = stablehlo.multiply %1208, %arg38 : tensor<4x4xf32>
    %1210 = stablehlo.add %1207, %1209 : tensor<4x4xf32>
    %cst_310 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1211 = stablehlo.broadcast_in_dim %cst_310, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1212 = stablehlo.multiply %1211, %693 : tensor<16x4x4xf32>
    %cst_311 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1213 = stablehlo.broadcast_in_dim %cst_311, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1214 = stablehlo.multiply %1213, %arg39 : tensor<16x4x4xf32>
    %1215 = stablehlo.add %1212, %1214 : tensor<16x4x4xf32>
    %cst_312 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1216 = stablehlo.broadcast_in_dim %cst_312, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1217 = stablehlo.multiply %1216, %678 : tensor<4x4xf32>
    %cst_313 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1218 = stablehlo.broadcast_in_dim %cst_313, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1219 = stablehlo.multiply %1218, %arg40 : tensor<4x4xf32>
    %1220 = stablehlo.add %1217, %1219 : tensor<4x4xf32>
    %cst_314 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1221 = stablehlo.broadcast_in_dim %cst_314, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1222 = stablehlo.multiply %1221, %680 : tensor<16x4x4xf32>
    %cst_315 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1223 = stablehlo.broadcast_in_dim %cst_315, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1224 = stablehlo.multiply %1223, %arg41 : tensor<16x4x4xf32>
    %1225 = stablehlo.add %1222, %1224 : tensor<16x4x4xf32>
    %cst_316 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1226 = stablehlo.broadcast_in_dim %cst_316, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1227 = stablehlo.multiply %1226, %589 : tensor<16xf32>
    %cst_317 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1228 = stablehlo.broadcast_in_dim %cst_317, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1229 = stablehlo.multiply %1228, %arg42 : tensor<16xf32>
    %1230 = stablehlo.add %1227, %1229 : tensor<16xf32>
    %cst_318 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1231 = stablehlo.broadcast_in_dim %cst_318, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1232 = stablehlo.multiply %1231, %591 : tensor<64x16xf32>
    %cst_319 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1233 = stablehlo.broadcast_in_dim %cst_319, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1234 = stablehlo.multiply %1233, %arg43 : tensor<64x16xf32>
    %1235 = stablehlo.add %1232, %1234 : tensor<64x16xf32>
    %cst_320 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1236 = stablehlo.broadcast_in_dim %cst_320, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1237 = stablehlo.multiply %1236, %698 : tensor<16xf32>
    %cst_321 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1238 = stablehlo.broadcast_in_dim %cst_321, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1239 = stablehlo.multiply %1238, %arg44 : tensor<16xf32>
    %1240 = stablehlo.add %1237, %1239 : tensor<16xf32>
    %cst_322 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1241 = stablehlo.broadcast_in_dim %cst_322, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1242 = stablehlo.multiply %1241, %709 : tensor<16xf32>
    %cst_323 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1243 = stablehlo.broadcast_in_dim %cst_323, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1244 = stablehlo.multiply %1243, %arg45 : tensor<16xf32>
    %1245 = stablehlo.add %1242, %1244 : tensor<16xf32>
    %cst_324 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1246 = stablehlo.broadcast_in_dim %cst_324, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1247 = stablehlo.multiply %1246, %615 : tensor<16xf32>
    %cst_325 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1248 = stablehlo.broadcast_in_dim %cst_325, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1249 = stablehlo.multiply %1248, %arg46 : tensor<16xf32>
    %1250 = stablehlo.add %1247, %1249 : tensor<16xf32>
    %cst_326 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1251 = stablehlo.broadcast_in_dim %cst_326, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1252 = stablehlo.multiply %1251, %626 : tensor<16xf32>
    %cst_327 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1253 = stablehlo.broadcast_in_dim %cst_327, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1254 = stablehlo.multiply %1253, %arg47 : tensor<16xf32>
    %1255 = stablehlo.add %1252, %1254 : tensor<16xf32>
    %cst_328 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1256 = stablehlo.broadcast_in_dim %cst_328, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1257 = stablehlo.multiply %1256, %609 : tensor<64xf32>
    %cst_329 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1258 = stablehlo.broadcast_in_dim %cst_329, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1259 = stablehlo.multiply %1258, %arg48 : tensor<64xf32>
    %1260 = stablehlo.add %1257, %1259 : tensor<64xf32>
    %cst_330 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1261 = stablehlo.broadcast_in_dim %cst_330, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1262 = stablehlo.multiply %1261, %611 : tensor<16x64xf32>
    %cst_331 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1263 = stablehlo.broadcast_in_dim %cst_331, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1264 = stablehlo.multiply %1263, %arg49 : tensor<16x64xf32>
    %1265 = stablehlo.add %1262, %1264 : tensor<16x64xf32>
    %cst_332 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1266 = stablehlo.broadcast_in_dim %cst_332, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1267 = stablehlo.multiply %1266, %556 : tensor<16xf32>
    %cst_333 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1268 = stablehlo.broadcast_in_dim %cst_333, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1269 = stablehlo.multiply %1268, %arg50 : tensor<16xf32>
    %1270 = stablehlo.add %1267, %1269 : tensor<16xf32>
    %cst_334 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1271 = stablehlo.broadcast_in_dim %cst_334, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1272 = stablehlo.multiply %1271, %567 : tensor<16xf32>
    %cst_335 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1273 = stablehlo.broadcast_in_dim %cst_335, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1274 = stablehlo.multiply %1273, %arg51 : tensor<16xf32>
    %1275 = stablehlo.add %1272, %1274 : tensor<16xf32>
    %cst_336 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %1276 = stablehlo.broadcast_in_dim %cst_336, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %1277 = stablehlo.multiply %1276, %1018 : tensor<8x16xf32>
    %cst_337 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1278 = stablehlo.broadcast_in_dim %cst_337, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %1279 = stablehlo.multiply %1278, %arg52 : tensor<8x16xf32>
    %1280 = stablehlo.add %1277, %1279 : tensor<8x16xf32>
    %1281 = stablehlo.multiply %1020, %1020 : tensor<32x16xf32>
    %cst_338 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1282 = stablehlo.broadcast_in_dim %cst_338, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1283 = stablehlo.multiply %1282, %1281 : tensor<32x16xf32>
    %cst_339 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1284 = stablehlo.broadcast_in_dim %cst_339, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1285 = stablehlo.multiply %1284, %arg53 : tensor<32x16xf32>
    %1286 = stablehlo.add %1283, %1285 : tensor<32x16xf32>
    %1287 = stablehlo.multiply %970, %970 : tensor<4x4xf32>
    %cst_340 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1288 = stablehlo.broadcast_in_dim %cst_340, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1289 = stablehlo.multiply %1288, %1287 : tensor<4x4xf32>
    %cst_341 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1290 = stablehlo.broadcast_in_dim %cst_341, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1291 = stablehlo.multiply %1290, %arg54 : tensor<4x4xf32>
    %1292 = stablehlo.add %1289, %1291 : tensor<4x4xf32>
    %1293 = stablehlo.multiply %972, %972 : tensor<16x4x4xf32>
    %cst_342 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1294 = stablehlo.broadcast_in_dim %cst_342, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1295 = stablehlo.multiply %1294, %1293 : tensor<16x4x4xf32>
    %cst_343 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1296 = stablehlo.broadcast_in_dim %cst_343, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1297 = stablehlo.multiply %1296, %arg55 : tensor<16x4x4xf32>
    %1298 = stablehlo.add %1295, %1297 : tensor<16x4x4xf32>
    %1299 = stablehlo.multiply %935, %935 : tensor<16xf32>
    %cst_344 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1300 = stablehlo.broadcast_in_dim %cst_344, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1301 = stablehlo.multiply %1300, %1299 : tensor<16xf32>
    %cst_345 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1302 = stablehlo.broadcast_in_dim %cst_345, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1303 = stablehlo.multiply %1302, %arg56 : tensor<16xf32>
    %1304 = stablehlo.add %1301, %1303 : tensor<16xf32>
    %1305 = stablehlo.multiply %937, %937 : tensor<4x4x16xf32>
    %cst_346 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1306 = stablehlo.broadcast_in_dim %cst_346, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1307 = stablehlo.multiply %1306, %1305 : tensor<4x4x16xf32>
    %cst_347 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1308 = stablehlo.broadcast_in_dim %cst_347, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1309 = stablehlo.multiply %1308, %arg57 : tensor<4x4x16xf32>
    %1310 = stablehlo.add %1307, %1309 : tensor<4x4x16xf32>
    %1311 = stablehlo.multiply %977, %977 : tensor<4x4xf32>
    %cst_348 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1312 = stablehlo.broadcast_in_dim %cst_348, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1313 = stablehlo.multiply %1312, %1311 : tensor<4x4xf32>
    %cst_349 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1314 = stablehlo.broadcast_in_dim %cst_349, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1315 = stablehlo.multiply %1314, %arg58 : tensor<4x4xf32>
    %1316 = stablehlo.add %1313, %1315 : tensor<4x4xf32>
    %1317 = stablehlo.multiply %979, %979 : tensor<16x4x4xf32>
    %cst_350 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1318 = stablehlo.broadcast_in_dim %cst_350, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1319 = stablehlo.multiply %1318, %1317 : tensor<16x4x4xf32>
    %cst_351 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1320 = stablehlo.broadcast_in_dim %cst_351, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1321 = stablehlo.multiply %1320, %arg59 : tensor<16x4x4xf32>
    %1322 = stablehlo.add %1319, %1321 : tensor<16x4x4xf32>
    %1323 = stablehlo.multiply %964, %964 : tensor<4x4xf32>
    %cst_352 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1324 = stablehlo.broadcast_in_dim %cst_352, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1325 = stablehlo.multiply %1324, %1323 : tensor<4x4xf32>
    %cst_353 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1326 = stablehlo.broadcast_in_dim %cst_353, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1327 = stablehlo.multiply %1326, %arg60 : tensor<4x4xf32>
    %1328 = stablehlo.add %1325, %1327 : tensor<4x4xf32>
    %1329 = stablehlo.multiply %966, %966 : tensor<16x4x4xf32>
    %cst_354 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1330 = stablehlo.broadcast_in_dim %cst_354, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1331 = stablehlo.multiply %1330, %1329 : tensor<16x4x4xf32>
    %cst_355 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1332 = stablehlo.broadcast_in_dim %cst_355, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1333 = stablehlo.multiply %1332, %arg61 : tensor<16x4x4xf32>
    %1334 = stablehlo.add %1331, %1333 : tensor<16x4x4xf32>
    %1335 = stablehlo.multiply %875, %875 : tensor<16xf32>
    %cst_356 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1336 = stablehlo.broadcast_in_dim %cst_356, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1337 = stablehlo.multiply %1336, %1335 : tensor<16xf32>
    %cst_357 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1338 = stablehlo.broadcast_in_dim %cst_357, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1339 = stablehlo.multiply %1338, %arg62 : tensor<16xf32>
    %1340 = stablehlo.add %1337, %1339 : tensor<16xf32>
    %1341 = stablehlo.multiply %877, %877 : tensor<64x16xf32>
    %cst_358 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1342 = stablehlo.broadcast_in_dim %cst_358, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1343 = stablehlo.multiply %1342, %1341 : tensor<64x16xf32>
    %cst_359 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1344 = stablehlo.broadcast_in_dim %cst_359, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1345 = stablehlo.multiply %1344, %arg63 : tensor<64x16xf32>
    %1346 = stablehlo.add %1343, %1345 : tensor<64x16xf32>
    %1347 = stablehlo.multiply %984, %984 : tensor<16xf32>
    %cst_360 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1348 = stablehlo.broadcast_in_dim %cst_360, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1349 = stablehlo.multiply %1348, %1347 : tensor<16xf32>
    %cst_361 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1350 = stablehlo.broadcast_in_dim %cst_361, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1351 = stablehlo.multiply %1350, %arg64 : tensor<16xf32>
    %1352 = stablehlo.add %1349, %1351 : tensor<16xf32>
    %1353 = stablehlo.multiply %995, %995 : tensor<16xf32>
    %cst_362 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1354 = stablehlo.broadcast_in_dim %cst_362, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1355 = stablehlo.multiply %1354, %1353 : tensor<16xf32>
    %cst_363 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1356 = stablehlo.broadcast_in_dim %cst_363, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1357 = stablehlo.multiply %1356, %arg65 : tensor<16xf32>
    %1358 = stablehlo.add %1355, %1357 : tensor<16xf32>
    %1359 = stablehlo.multiply %901, %901 : tensor<16xf32>
    %cst_364 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1360 = stablehlo.broadcast_in_dim %cst_364, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1361 = stablehlo.multiply %1360, %1359 : tensor<16xf32>
    %cst_365 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1362 = stablehlo.broadcast_in_dim %cst_365, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1363 = stablehlo.multiply %1362, %arg66 : tensor<16xf32>
    %1364 = stablehlo.add %1361, %1363 : tensor<16xf32>
    %1365 = stablehlo.multiply %912, %912 : tensor<16xf32>
    %cst_366 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1366 = stablehlo.broadcast_in_dim %cst_366, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1367 = stablehlo.multiply %1366, %1365 : tensor<16xf32>
    %cst_367 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1368 = stablehlo.broadcast_in_dim %cst_367, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1369 = stablehlo.multiply %1368, %arg67 : tensor<16xf32>
    %1370 = stablehlo.add %1367, %1369 : tensor<16xf32>
    %1371 = stablehlo.multiply %895, %895 : tensor<64xf32>
    %cst_368 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1372 = stablehlo.broadcast_in_dim %cst_368, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1373 = stablehlo.multiply %1372, %1371 : tensor<64xf32>
    %cst_369 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1374 = stablehlo.broadcast_in_dim %cst_369, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1375 = stablehlo.multiply %1374, %arg68 : tensor<64xf32>
    %1376 = stablehlo.add %1373, %1375 : tensor<64xf32>
    %1377 = stablehlo.multiply %897, %897 : tensor<16x64xf32>
    %cst_370 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1378 = stablehlo.broadcast_in_dim %cst_370, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1379 = stablehlo.multiply %1378, %1377 : tensor<16x64xf32>
    %cst_371 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1380 = stablehlo.broadcast_in_dim %cst_371, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1381 = stablehlo.multiply %1380, %arg69 : tensor<16x64xf32>
    %1382 = stablehlo.add %1379, %1381 : tensor<16x64xf32>
    %1383 = stablehlo.multiply %827, %827 : tensor<4x4xf32>
    %cst_372 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1384 = stablehlo.broadcast_in_dim %cst_372, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1385 = stablehlo.multiply %1384, %1383 : tensor<4x4xf32>
    %cst_373 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1386 = stablehlo.broadcast_in_dim %cst_373, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1387 = stablehlo.multiply %1386, %arg70 : tensor<4x4xf32>
    %1388 = stablehlo.add %1385, %1387 : tensor<4x4xf32>
    %1389 = stablehlo.multiply %829, %829 : tensor<16x4x4xf32>
    %cst_374 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1390 = stablehlo.broadcast_in_dim %cst_374, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1391 = stablehlo.multiply %1390, %1389 : tensor<16x4x4xf32>
    %cst_375 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1392 = stablehlo.broadcast_in_dim %cst_375, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1393 = stablehlo.multiply %1392, %arg71 : tensor<16x4x4xf32>
    %1394 = stablehlo.add %1391, %1393 : tensor<16x4x4xf32>
    %1395 = stablehlo.multiply %792, %792 : tensor<16xf32>
    %cst_376 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1396 = stablehlo.broadcast_in_dim %cst_376, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1397 = stablehlo.multiply %1396, %1395 : tensor<16xf32>
    %cst_377 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1398 = stablehlo.broadcast_in_dim %cst_377, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1399 = stablehlo.multiply %1398, %arg72 : tensor<16xf32>
    %1400 = stablehlo.add %1397, %1399 : tensor<16xf32>
    %1401 = stablehlo.multiply %794, %794 : tensor<4x4x16xf32>
    %cst_378 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1402 = stablehlo.broadcast_in_dim %cst_378, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1403 = stablehlo.multiply %1402, %1401 : tensor<4x4x16xf32>
    %cst_379 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1404 = stablehlo.broadcast_in_dim %cst_379, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1405 = stablehlo.multiply %1404, %arg73 : tensor<4x4x16xf32>
    %1406 = stablehlo.add %1403, %1405 : tensor<4x4x16xf32>
    %1407 = stablehlo.multiply %834, %834 : tensor<4x4xf32>
    %cst_380 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1408 = stablehlo.broadcast_in_dim %cst_380, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1409 = stablehlo.multiply %1408, %1407 : tensor<4x4xf32>
    %cst_381 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1410 = stablehlo.broadcast_in_dim %cst_381, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1411 = stablehlo.multiply %1410, %arg74 : tensor<4x4xf32>
    %1412 = stablehlo.add %1409, %1411 : tensor<4x4xf32>
    %1413 = stablehlo.multiply %836, %836 : tensor<16x4x4xf32>
    %cst_382 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1414 = stablehlo.broadcast_in_dim %cst_382, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1415 = stablehlo.multiply %1414, %1413 : tensor<16x4x4xf32>
    %cst_383 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1416 = stablehlo.broadcast_in_dim %cst_383, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1417 = stablehlo.multiply %1416, %arg75 : tensor<16x4x4xf32>
    %1418 = stablehlo.add %1415, %1417 : tensor<16x4x4xf32>
    %1419 = stablehlo.multiply %821, %821 : tensor<4x4xf32>
    %cst_384 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1420 = stablehlo.broadcast_in_dim %cst_384, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1421 = stablehlo.multiply %1420, %1419 : tensor<4x4xf32>
    %cst_385 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1422 = stablehlo.broadcast_in_dim %cst_385, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1423 = stablehlo.multiply %1422, %arg76 : tensor<4x4xf32>
    %1424 = stablehlo.add %1421, %1423 : tensor<4x4xf32>
    %1425 = stablehlo.multiply %823, %823 : tensor<16x4x4xf32>
    %cst_386 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1426 = stablehlo.broadcast_in_dim %cst_386, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1427 = stablehlo.multiply %1426, %1425 : tensor<16x4x4xf32>
    %cst_387 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1428 = stablehlo.broadcast_in_dim %cst_387, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1429 = stablehlo.multiply %1428, %arg77 : tensor<16x4x4xf32>
    %1430 = stablehlo.add %1427, %1429 : tensor<16x4x4xf32>
    %1431 = stablehlo.multiply %732, %732 : tensor<16xf32>
    %cst_388 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1432 = stablehlo.broadcast_in_dim %cst_388, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1433 = stablehlo.multiply %1432, %1431 : tensor<16xf32>
    %cst_389 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1434 = stablehlo.broadcast_in_dim %cst_389, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1435 = stablehlo.multiply %1434, %arg78 : tensor<16xf32>
    %1436 = stablehlo.add %1433, %1435 : tensor<16xf32>
    %1437 = stablehlo.multiply %734, %734 : tensor<64x16xf32>
    %cst_390 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1438 = stablehlo.broadcast_in_dim %cst_390, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1439 = stablehlo.multiply %1438, %1437 : tensor<64x16xf32>
    %cst_391 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1440 = stablehlo.broadcast_in_dim %cst_391, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1441 = stablehlo.multiply %1440, %arg79 : tensor<64x16xf32>
    %1442 = stablehlo.add %1439, %1441 : tensor<64x16xf32>
    %1443 = stablehlo.multiply %841, %841 : tensor<16xf32>
    %cst_392 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1444 = stablehlo.broadcast_in_dim %cst_392, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1445 = stablehlo.multiply %1444, %1443 : tensor<16xf32>
    %cst_393 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1446 = stablehlo.broadcast_in_dim %cst_393, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1447 = stablehlo.multiply %1446, %arg80 : tensor<16xf32>
    %1448 = stablehlo.add %1445, %1447 : tensor<16xf32>
    %1449 = stablehlo.multiply %852, %852 : tensor<16xf32>
    %cst_394 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1450 = stablehlo.broadcast_in_dim %cst_394, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1451 = stablehlo.multiply %1450, %1449 : tensor<16xf32>
    %cst_395 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1452 = stablehlo.broadcast_in_dim %cst_395, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1453 = stablehlo.multiply %1452, %arg81 : tensor<16xf32>
    %1454 = stablehlo.add %1451, %1453 : tensor<16xf32>
    %1455 = stablehlo.multiply %758, %758 : tensor<16xf32>
    %cst_396 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1456 = stablehlo.broadcast_in_dim %cst_396, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1457 = stablehlo.multiply %1456, %1455 : tensor<16xf32>
    %cst_397 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1458 = stablehlo.broadcast_in_dim %cst_397, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1459 = stablehlo.multiply %1458, %arg82 : tensor<16xf32>
    %1460 = stablehlo.add %1457, %1459 : tensor<16xf32>
    %1461 = stablehlo.multiply %769, %769 : tensor<16xf32>
    %cst_398 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1462 = stablehlo.broadcast_in_dim %cst_398, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1463 = stablehlo.multiply %1462, %1461 : tensor<16xf32>
    %cst_399 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1464 = stablehlo.broadcast_in_dim %cst_399, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1465 = stablehlo.multiply %1464, %arg83 : tensor<16xf32>
    %1466 = stablehlo.add %1463, %1465 : tensor<16xf32>
    %1467 = stablehlo.multiply %752, %752 : tensor<64xf32>
    %cst_400 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1468 = stablehlo.broadcast_in_dim %cst_400, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1469 = stablehlo.multiply %1468, %1467 : tensor<64xf32>
    %cst_401 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1470 = stablehlo.broadcast_in_dim %cst_401, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1471 = stablehlo.multiply %1470, %arg84 : tensor<64xf32>
    %1472 = stablehlo.add %1469, %1471 : tensor<64xf32>
    %1473 = stablehlo.multiply %754, %754 : tensor<16x64xf32>
    %cst_402 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1474 = stablehlo.broadcast_in_dim %cst_402, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1475 = stablehlo.multiply %1474, %1473 : tensor<16x64xf32>
    %cst_403 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1476 = stablehlo.broadcast_in_dim %cst_403, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1477 = stablehlo.multiply %1476, %arg85 : tensor<16x64xf32>
    %1478 = stablehlo.add %1475, %1477 : tensor<16x64xf32>
    %1479 = stablehlo.multiply %684, %684 : tensor<4x4xf32>
    %cst_404 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1480 = stablehlo.broadcast_in_dim %cst_404, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1481 = stablehlo.multiply %1480, %1479 : tensor<4x4xf32>
    %cst_405 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1482 = stablehlo.broadcast_in_dim %cst_405, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1483 = stablehlo.multiply %1482, %arg86 : tensor<4x4xf32>
    %1484 = stablehlo.add %1481, %1483 : tensor<4x4xf32>
    %1485 = stablehlo.multiply %686, %686 : tensor<16x4x4xf32>
    %cst_406 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1486 = stablehlo.broadcast_in_dim %cst_406, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1487 = stablehlo.multiply %1486, %1485 : tensor<16x4x4xf32>
    %cst_407 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1488 = stablehlo.broadcast_in_dim %cst_407, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1489 = stablehlo.multiply %1488, %arg87 : tensor<16x4x4xf32>
    %1490 = stablehlo.add %1487, %1489 : tensor<16x4x4xf32>
    %1491 = stablehlo.multiply %649, %649 : tensor<16xf32>
    %cst_408 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1492 = stablehlo.broadcast_in_dim %cst_408, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1493 = stablehlo.multiply %1492, %1491 : tensor<16xf32>
    %cst_409 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1494 = stablehlo.broadcast_in_dim %cst_409, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1495 = stablehlo.multiply %1494, %arg88 : tensor<16xf32>
    %1496 = stablehlo.add %1493, %1495 : tensor<16xf32>
    %1497 = stablehlo.multiply %651, %651 : tensor<4x4x16xf32>
    %cst_410 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1498 = stablehlo.broadcast_in_dim %cst_410, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1499 = stablehlo.multiply %1498, %1497 : tensor<4x4x16xf32>
    %cst_411 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1500 = stablehlo.broadcast_in_dim %cst_411, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1501 = stablehlo.multiply %1500, %arg89 : tensor<4x4x16xf32>
    %1502 = stablehlo.add %1499, %1501 : tensor<4x4x16xf32>
    %1503 = stablehlo.multiply %691, %691 : tensor<4x4xf32>
    %cst_412 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1504 = stablehlo.broadcast_in_dim %cst_412, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1505 = stablehlo.multiply %1504, %1503 : tensor<4x4xf32>
    %cst_413 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1506 = stablehlo.broadcast_in_dim %cst_413, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1507 = stablehlo.multiply %1506, %arg90 : tensor<4x4xf32>
    %1508 = stablehlo.add %1505, %1507 : tensor<4x4xf32>
    %1509 = stablehlo.multiply %693, %693 : tensor<16x4x4xf32>
    %cst_414 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1510 = stablehlo.broadcast_in_dim %cst_414, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1511 = stablehlo.multiply %1510, %1509 : tensor<16x4x4xf32>
    %cst_415 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1512 = stablehlo.broadcast_in_dim %cst_415, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1513 = stablehlo.multiply %1512, %arg91 : tensor<16x4x4xf32>
    %1514 = stablehlo.add %1511, %1513 : tensor<16x4x4xf32>
    %1515 = stablehlo.multiply %678, %678 : tensor<4x4xf32>
    %cst_416 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1516 = stablehlo.broadcast_in_dim %cst_416, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1517 = stablehlo.multiply %1516, %1515 : tensor<4x4xf32>
    %cst_417 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1518 = stablehlo.broadcast_in_dim %cst_417, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1519 = stablehlo.multiply %1518, %arg92 : tensor<4x4xf32>
    %1520 = stablehlo.add %1517, %1519 : tensor<4x4xf32>
    %1521 = stablehlo.multiply %680, %680 : tensor<16x4x4xf32>
    %cst_418 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1522 = stablehlo.broadcast_in_dim %cst_418, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1523 = stablehlo.multiply %1522, %1521 : tensor<16x4x4xf32>
    %cst_419 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1524 = stablehlo.broadcast_in_dim %cst_419, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1525 = stablehlo.multiply %1524, %arg93 : tensor<16x4x4xf32>
    %1526 = stablehlo.add %1523, %1525 : tensor<16x4x4xf32>
    %1527 = stablehlo.multiply %589, %589 : tensor<16xf32>
    %cst_420 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1528 = stablehlo.broadcast_in_dim %cst_420, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1529 = stablehlo.multiply %1528, %1527 : tensor<16xf32>
    %cst_421 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1530 = stablehlo.broadcast_in_dim %cst_421, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1531 = stablehlo.multiply %1530, %arg94 : tensor<16xf32>
    %1532 = stablehlo.add %1529, %1531 : tensor<16xf32>
    %1533 = stablehlo.multiply %591, %591 : tensor<64x16xf32>
    %cst_422 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1534 = stablehlo.broadcast_in_dim %cst_422, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1535 = stablehlo.multiply %1534, %1533 : tensor<64x16xf32>
    %cst_423 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1536 = stablehlo.broadcast_in_dim %cst_423, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1537 = stablehlo.multiply %1536, %arg95 : tensor<64x16xf32>
    %1538 = stablehlo.add %1535, %1537 : tensor<64x16xf32>
    %1539 = stablehlo.multiply %698, %698 : tensor<16xf32>
    %cst_424 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1540 = stablehlo.broadcast_in_dim %cst_424, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1541 = stablehlo.multiply %1540, %1539 : tensor<16xf32>
    %cst_425 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1542 = stablehlo.broadcast_in_dim %cst_425, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1543 = stablehlo.multiply %1542, %arg96 : tensor<16xf32>
    %1544 = stablehlo.add %1541, %1543 : tensor<16xf32>
    %1545 = stablehlo.multiply %709, %709 : tensor<16xf32>
    %cst_426 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1546 = stablehlo.broadcast_in_dim %cst_426, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1547 = stablehlo.multiply %1546, %1545 : tensor<16xf32>
    %cst_427 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1548 = stablehlo.broadcast_in_dim %cst_427, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1549 = stablehlo.multiply %1548, %arg97 : tensor<16xf32>
    %1550 = stablehlo.add %1547, %1549 : tensor<16xf32>
    %1551 = stablehlo.multiply %615, %615 : tensor<16xf32>
    %cst_428 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1552 = stablehlo.broadcast_in_dim %cst_428, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1553 = stablehlo.multiply %1552, %1551 : tensor<16xf32>
    %cst_429 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1554 = stablehlo.broadcast_in_dim %cst_429, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1555 = stablehlo.multiply %1554, %arg98 : tensor<16xf32>
    %1556 = stablehlo.add %1553, %1555 : tensor<16xf32>
    %1557 = stablehlo.multiply %626, %626 : tensor<16xf32>
    %cst_430 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1558 = stablehlo.broadcast_in_dim %cst_430, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1559 = stablehlo.multiply %1558, %1557 : tensor<16xf32>
    %cst_431 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1560 = stablehlo.broadcast_in_dim %cst_431, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1561 = stablehlo.multiply %1560, %arg99 : tensor<16xf32>
    %1562 = stablehlo.add %1559, %1561 : tensor<16xf32>
    %1563 = stablehlo.multiply %609, %609 : tensor<64xf32>
    %cst_432 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1564 = stablehlo.broadcast_in_dim %cst_432, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1565 = stablehlo.multiply %1564, %1563 : tensor<64xf32>
    %cst_433 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1566 = stablehlo.broadcast_in_dim %cst_433, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1567 = stablehlo.multiply %1566, %arg100 : tensor<64xf32>
    %1568 = stablehlo.add %1565, %1567 : tensor<64xf32>
    %1569 = stablehlo.multiply %611, %611 : tensor<16x64xf32>
    %cst_434 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1570 = stablehlo.broadcast_in_dim %cst_434, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1571 = stablehlo.multiply %1570, %1569 : tensor<16x64xf32>
    %cst_435 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1572 = stablehlo.broadcast_in_dim %cst_435, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1573 = stablehlo.multiply %1572, %arg101 : tensor<16x64xf32>
    %1574 = stablehlo.add %1571, %1573 : tensor<16x64xf32>
    %1575 = stablehlo.multiply %556, %556 : tensor<16xf32>
    %cst_436 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1576 = stablehlo.broadcast_in_dim %cst_436, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1577 = stablehlo.multiply %1576, %1575 : tensor<16xf32>
    %cst_437 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1578 = stablehlo.broadcast_in_dim %cst_437, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1579 = stablehlo.multiply %1578, %arg102 : tensor<16xf32>
    %1580 = stablehlo.add %1577, %1579 : tensor<16xf32>
    %1581 = stablehlo.multiply %567, %567 : tensor<16xf32>
    %cst_438 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1582 = stablehlo.broadcast_in_dim %cst_438, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1583 = stablehlo.multiply %1582, %1581 : tensor<16xf32>
    %cst_439 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1584 = stablehlo.broadcast_in_dim %cst_439, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1585 = stablehlo.multiply %1584, %arg103 : tensor<16xf32>
    %1586 = stablehlo.add %1583, %1585 : tensor<16xf32>
    %1587 = stablehlo.multiply %1018, %1018 : tensor<8x16xf32>
    %cst_440 = stablehlo.constant dense<1.000000e-03> : tensor<f32>
    %1588 = stablehlo.broadcast_in_dim %cst_440, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %1589 = stablehlo.multiply %1588, %1587 : tensor<8x16xf32>
    %cst_441 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1590 = stablehlo.broadcast_in_dim %cst_441, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %1591 = stablehlo.multiply %1590, %arg104 : tensor<8x16xf32>
    %1592 = stablehlo.add %1589, %1591 : tensor<8x16xf32>
    %c = stablehlo.constant dense<2147483647> : tensor<i32>
    %1593 = stablehlo.compare LT, %arg0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_442 = stablehlo.constant dense<1> : tensor<i32>
    %1594 = stablehlo.add %arg0, %c_442 : tensor<i32>
    %c_443 = stablehlo.constant dense<2147483647> : tensor<i32>
    %1595 = call @_where_4(%1593, %1594, %c_443) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %cst_444 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %1596 = stablehlo.convert %1595 : (tensor<i32>) -> tensor<f32>
    %1597 = stablehlo.power %cst_444, %1596 : tensor<f32>
    %cst_445 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1598 = stablehlo.subtract %cst_445, %1597 : tensor<f32>
    %1599 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1600 = stablehlo.divide %1025, %1599 : tensor<32x16xf32>
    %1601 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1602 = stablehlo.divide %1030, %1601 : tensor<4x4xf32>
    %1603 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1604 = stablehlo.divide %1035, %1603 : tensor<16x4x4xf32>
    %1605 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1606 = stablehlo.divide %1040, %1605 : tensor<16xf32>
    %1607 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1608 = stablehlo.divide %1045, %1607 : tensor<4x4x16xf32>
    %1609 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1610 = stablehlo.divide %1050, %1609 : tensor<4x4xf32>
    %1611 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1612 = stablehlo.divide %1055, %1611 : tensor<16x4x4xf32>
    %1613 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1614 = stablehlo.divide %1060, %1613 : tensor<4x4xf32>
    %1615 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1616 = stablehlo.divide %1065, %1615 : tensor<16x4x4xf32>
    %1617 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1618 = stablehlo.divide %1070, %1617 : tensor<16xf32>
    %1619 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1620 = stablehlo.divide %1075, %1619 : tensor<64x16xf32>
    %1621 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1622 = stablehlo.divide %1080, %1621 : tensor<16xf32>
    %1623 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1624 = stablehlo.divide %1085, %1623 : tensor<16xf32>
    %1625 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1626 = stablehlo.divide %1090, %1625 : tensor<16xf32>
    %1627 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1628 = stablehlo.divide %1095, %1627 : tensor<16xf32>
    %1629 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1630 = stablehlo.divide %1100, %1629 : tensor<64xf32>
    %1631 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1632 = stablehlo.divide %1105, %1631 : tensor<16x64xf32>
    %1633 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1634 = stablehlo.divide %1110, %1633 : tensor<4x4xf32>
    %1635 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1636 = stablehlo.divide %1115, %1635 : tensor<16x4x4xf32>
    %1637 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1638 = stablehlo.divide %1120, %1637 : tensor<16xf32>
    %1639 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1640 = stablehlo.divide %1125, %1639 : tensor<4x4x16xf32>
    %1641 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1642 = stablehlo.divide %1130, %1641 : tensor<4x4xf32>
    %1643 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1644 = stablehlo.divide %1135, %1643 : tensor<16x4x4xf32>
    %1645 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1646 = stablehlo.divide %1140, %1645 : tensor<4x4xf32>
    %1647 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1648 = stablehlo.divide %1145, %1647 : tensor<16x4x4xf32>
    %1649 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1650 = stablehlo.divide %1150, %1649 : tensor<16xf32>
    %1651 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1652 = stablehlo.divide %1155, %1651 : tensor<64x16xf32>
    %1653 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1654 = stablehlo.divide %1160, %1653 : tensor<16xf32>
    %1655 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1656 = stablehlo.divide %1165, %1655 : tensor<16xf32>
    %1657 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1658 = stablehlo.divide %1170, %1657 : tensor<16xf32>
    %1659 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1660 = stablehlo.divide %1175, %1659 : tensor<16xf32>
    %1661 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1662 = stablehlo.divide %1180, %1661 : tensor<64xf32>
    %1663 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1664 = stablehlo.divide %1185, %1663 : tensor<16x64xf32>
    %1665 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1666 = stablehlo.divide %1190, %1665 : tensor<4x4xf32>
    %1667 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1668 = stablehlo.divide %1195, %1667 : tensor<16x4x4xf32>
    %1669 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1670 = stablehlo.divide %1200, %1669 : tensor<16xf32>
    %1671 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1672 = stablehlo.divide %1205, %1671 : tensor<4x4x16xf32>
    %1673 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1674 = stablehlo.divide %1210, %1673 : tensor<4x4xf32>
    %1675 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1676 = stablehlo.divide %1215, %1675 : tensor<16x4x4xf32>
    %1677 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1678 = stablehlo.divide %1220, %1677 : tensor<4x4xf32>
    %1679 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1680 = stablehlo.divide %1225, %1679 : tensor<16x4x4xf32>
    %1681 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1682 = stablehlo.divide %1230, %1681 : tensor<16xf32>
    %1683 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1684 = stablehlo.divide %1235, %1683 : tensor<64x16xf32>
    %1685 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1686 = stablehlo.divide %1240, %1685 : tensor<16xf32>
    %1687 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1688 = stablehlo.divide %1245, %1687 : tensor<16xf32>
    %1689 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1690 = stablehlo.divide %1250, %1689 : tensor<16xf32>
    %1691 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1692 = stablehlo.divide %1255, %1691 : tensor<16xf32>
    %1693 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1694 = stablehlo.divide %1260, %1693 : tensor<64xf32>
    %1695 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1696 = stablehlo.divide %1265, %1695 : tensor<16x64xf32>
    %1697 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1698 = stablehlo.divide %1270, %1697 : tensor<16xf32>
    %1699 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1700 = stablehlo.divide %1275, %1699 : tensor<16xf32>
    %1701 = stablehlo.broadcast_in_dim %1598, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %1702 = stablehlo.divide %1280, %1701 : tensor<8x16xf32>
    %cst_446 = stablehlo.constant dense<9.990000e-01> : tensor<f32>
    %1703 = stablehlo.convert %1595 : (tensor<i32>) -> tensor<f32>
    %1704 = stablehlo.power %cst_446, %1703 : tensor<f32>
    %cst_447 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1705 = stablehlo.subtract %cst_447, %1704 : tensor<f32>
    %1706 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1707 = stablehlo.divide %1286, %1706 : tensor<32x16xf32>
    %1708 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1709 = stablehlo.divide %1292, %1708 : tensor<4x4xf32>
    %1710 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1711 = stablehlo.divide %1298, %1710 : tensor<16x4x4xf32>
    %1712 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1713 = stablehlo.divide %1304, %1712 : tensor<16xf32>
    %1714 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1715 = stablehlo.divide %1310, %1714 : tensor<4x4x16xf32>
    %1716 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1717 = stablehlo.divide %1316, %1716 : tensor<4x4xf32>
    %1718 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1719 = stablehlo.divide %1322, %1718 : tensor<16x4x4xf32>
    %1720 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1721 = stablehlo.divide %1328, %1720 : tensor<4x4xf32>
    %1722 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1723 = stablehlo.divide %1334, %1722 : tensor<16x4x4xf32>
    %1724 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1725 = stablehlo.divide %1340, %1724 : tensor<16xf32>
    %1726 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1727 = stablehlo.divide %1346, %1726 : tensor<64x16xf32>
    %1728 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1729 = stablehlo.divide %1352, %1728 : tensor<16xf32>
    %1730 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1731 = stablehlo.divide %1358, %1730 : tensor<16xf32>
    %1732 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1733 = stablehlo.divide %1364, %1732 : tensor<16xf32>
    %1734 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1735 = stablehlo.divide %1370, %1734 : tensor<16xf32>
    %1736 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1737 = stablehlo.divide %1376, %1736 : tensor<64xf32>
    %1738 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1739 = stablehlo.divide %1382, %1738 : tensor<16x64xf32>
    %1740 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1741 = stablehlo.divide %1388, %1740 : tensor<4x4xf32>
    %1742 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1743 = stablehlo.divide %1394, %1742 : tensor<16x4x4xf32>
    %1744 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1745 = stablehlo.divide %1400, %1744 : tensor<16xf32>
    %1746 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1747 = stablehlo.divide %1406, %1746 : tensor<4x4x16xf32>
    %1748 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1749 = stablehlo.divide %1412, %1748 : tensor<4x4xf32>
    %1750 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1751 = stablehlo.divide %1418, %1750 : tensor<16x4x4xf32>
    %1752 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1753 = stablehlo.divide %1424, %1752 : tensor<4x4xf32>
    %1754 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1755 = stablehlo.divide %1430, %1754 : tensor<16x4x4xf32>
    %1756 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1757 = stablehlo.divide %1436, %1756 : tensor<16xf32>
    %1758 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1759 = stablehlo.divide %1442, %1758 : tensor<64x16xf32>
    %1760 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1761 = stablehlo.divide %1448, %1760 : tensor<16xf32>
    %1762 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1763 = stablehlo.divide %1454, %1762 : tensor<16xf32>
    %1764 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1765 = stablehlo.divide %1460, %1764 : tensor<16xf32>
    %1766 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1767 = stablehlo.divide %1466, %1766 : tensor<16xf32>
    %1768 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1769 = stablehlo.divide %1472, %1768 : tensor<64xf32>
    %1770 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1771 = stablehlo.divide %1478, %1770 : tensor<16x64xf32>
    %1772 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1773 = stablehlo.divide %1484, %1772 : tensor<4x4xf32>
    %1774 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1775 = stablehlo.divide %1490, %1774 : tensor<16x4x4xf32>
    %1776 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1777 = stablehlo.divide %1496, %1776 : tensor<16xf32>
    %1778 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1779 = stablehlo.divide %1502, %1778 : tensor<4x4x16xf32>
    %1780 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1781 = stablehlo.divide %1508, %1780 : tensor<4x4xf32>
    %1782 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1783 = stablehlo.divide %1514, %1782 : tensor<16x4x4xf32>
    %1784 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1785 = stablehlo.divide %1520, %1784 : tensor<4x4xf32>
    %1786 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1787 = stablehlo.divide %1526, %1786 : tensor<16x4x4xf32>
    %1788 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1789 = stablehlo.divide %1532, %1788 : tensor<16xf32>
    %1790 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1791 = stablehlo.divide %1538, %1790 : tensor<64x16xf32>
    %1792 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1793 = stablehlo.divide %1544, %1792 : tensor<16xf32>
    %1794 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1795 = stablehlo.divide %1550, %1794 : tensor<16xf32>
    %1796 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1797 = stablehlo.divide %1556, %1796 : tensor<16xf32>
    %1798 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1799 = stablehlo.divide %1562, %1798 : tensor<16xf32>
    %1800 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1801 = stablehlo.divide %1568, %1800 : tensor<64xf32>
    %1802 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1803 = stablehlo.divide %1574, %1802 : tensor<16x64xf32>
    %1804 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1805 = stablehlo.divide %1580, %1804 : tensor<16xf32>
    %1806 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1807 = stablehlo.divide %1586, %1806 : tensor<16xf32>
    %1808 = stablehlo.broadcast_in_dim %1705, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %1809 = stablehlo.divide %1592, %1808 : tensor<8x16xf32>
    %cst_448 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1810 = stablehlo.broadcast_in_dim %cst_448, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1811 = stablehlo.add %1707, %1810 : tensor<32x16xf32>
    %1812 = stablehlo.sqrt %1811 : tensor<32x16xf32>
    %cst_449 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1813 = stablehlo.broadcast_in_dim %cst_449, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1814 = stablehlo.add %1812, %1813 : tensor<32x16xf32>
    %1815 = stablehlo.divide %1600, %1814 : tensor<32x16xf32>
    %cst_450 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1816 = stablehlo.broadcast_in_dim %cst_450, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1817 = stablehlo.add %1709, %1816 : tensor<4x4xf32>
    %1818 = stablehlo.sqrt %1817 : tensor<4x4xf32>
    %cst_451 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1819 = stablehlo.broadcast_in_dim %cst_451, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1820 = stablehlo.add %1818, %1819 : tensor<4x4xf32>
    %1821 = stablehlo.divide %1602, %1820 : tensor<4x4xf32>
    %cst_452 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1822 = stablehlo.broadcast_in_dim %cst_452, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1823 = stablehlo.add %1711, %1822 : tensor<16x4x4xf32>
    %1824 = stablehlo.sqrt %1823 : tensor<16x4x4xf32>
    %cst_453 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1825 = stablehlo.broadcast_in_dim %cst_453, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1826 = stablehlo.add %1824, %1825 : tensor<16x4x4xf32>
    %1827 = stablehlo.divide %1604, %1826 : tensor<16x4x4xf32>
    %cst_454 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1828 = stablehlo.broadcast_in_dim %cst_454, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1829 = stablehlo.add %1713, %1828 : tensor<16xf32>
    %1830 = stablehlo.sqrt %1829 : tensor<16xf32>
    %cst_455 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1831 = stablehlo.broadcast_in_dim %cst_455, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1832 = stablehlo.add %1830, %1831 : tensor<16xf32>
    %1833 = stablehlo.divide %1606, %1832 : tensor<16xf32>
    %cst_456 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1834 = stablehlo.broadcast_in_dim %cst_456, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1835 = stablehlo.add %1715, %1834 : tensor<4x4x16xf32>
    %1836 = stablehlo.sqrt %1835 : tensor<4x4x16xf32>
    %cst_457 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1837 = stablehlo.broadcast_in_dim %cst_457, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1838 = stablehlo.add %1836, %1837 : tensor<4x4x16xf32>
    %1839 = stablehlo.divide %1608, %1838 : tensor<4x4x16xf32>
    %cst_458 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1840 = stablehlo.broadcast_in_dim %cst_458, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1841 = stablehlo.add %1717, %1840 : tensor<4x4xf32>
    %1842 = stablehlo.sqrt %1841 : tensor<4x4xf32>
    %cst_459 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1843 = stablehlo.broadcast_in_dim %cst_459, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1844 = stablehlo.add %1842, %1843 : tensor<4x4xf32>
    %1845 = stablehlo.divide %1610, %1844 : tensor<4x4xf32>
    %cst_460 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1846 = stablehlo.broadcast_in_dim %cst_460, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1847 = stablehlo.add %1719, %1846 : tensor<16x4x4xf32>
    %1848 = stablehlo.sqrt %1847 : tensor<16x4x4xf32>
    %cst_461 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1849 = stablehlo.broadcast_in_dim %cst_461, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1850 = stablehlo.add %1848, %1849 : tensor<16x4x4xf32>
    %1851 = stablehlo.divide %1612, %1850 : tensor<16x4x4xf32>
    %cst_462 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1852 = stablehlo.broadcast_in_dim %cst_462, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1853 = stablehlo.add %1721, %1852 : tensor<4x4xf32>
    %1854 = stablehlo.sqrt %1853 : tensor<4x4xf32>
    %cst_463 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1855 = stablehlo.broadcast_in_dim %cst_463, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1856 = stablehlo.add %1854, %1855 : tensor<4x4xf32>
    %1857 = stablehlo.divide %1614, %1856 : tensor<4x4xf32>
    %cst_464 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1858 = stablehlo.broadcast_in_dim %cst_464, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1859 = stablehlo.add %1723, %1858 : tensor<16x4x4xf32>
    %1860 = stablehlo.sqrt %1859 : tensor<16x4x4xf32>
    %cst_465 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1861 = stablehlo.broadcast_in_dim %cst_465, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1862 = stablehlo.add %1860, %1861 : tensor<16x4x4xf32>
    %1863 = stablehlo.divide %1616, %1862 : tensor<16x4x4xf32>
    %cst_466 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1864 = stablehlo.broadcast_in_dim %cst_466, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1865 = stablehlo.add %1725, %1864 : tensor<16xf32>
    %1866 = stablehlo.sqrt %1865 : tensor<16xf32>
    %cst_467 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1867 = stablehlo.broadcast_in_dim %cst_467, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1868 = stablehlo.add %1866, %1867 : tensor<16xf32>
    %1869 = stablehlo.divide %1618, %1868 : tensor<16xf32>
    %cst_468 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1870 = stablehlo.broadcast_in_dim %cst_468, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1871 = stablehlo.add %1727, %1870 : tensor<64x16xf32>
    %1872 = stablehlo.sqrt %1871 : tensor<64x16xf32>
    %cst_469 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1873 = stablehlo.broadcast_in_dim %cst_469, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1874 = stablehlo.add %1872, %1873 : tensor<64x16xf32>
    %1875 = stablehlo.divide %1620, %1874 : tensor<64x16xf32>
    %cst_470 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1876 = stablehlo.broadcast_in_dim %cst_470, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1877 = stablehlo.add %1729, %1876 : tensor<16xf32>
    %1878 = stablehlo.sqrt %1877 : tensor<16xf32>
    %cst_471 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1879 = stablehlo.broadcast_in_dim %cst_471, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1880 = stablehlo.add %1878, %1879 : tensor<16xf32>
    %1881 = stablehlo.divide %1622, %1880 : tensor<16xf32>
    %cst_472 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1882 = stablehlo.broadcast_in_dim %cst_472, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1883 = stablehlo.add %1731, %1882 : tensor<16xf32>
    %1884 = stablehlo.sqrt %1883 : tensor<16xf32>
    %cst_473 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1885 = stablehlo.broadcast_in_dim %cst_473, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1886 = stablehlo.add %1884, %1885 : tensor<16xf32>
    %1887 = stablehlo.divide %1624, %1886 : tensor<16xf32>
    %cst_474 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1888 = stablehlo.broadcast_in_dim %cst_474, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1889 = stablehlo.add %1733, %1888 : tensor<16xf32>
    %1890 = stablehlo.sqrt %1889 : tensor<16xf32>
    %cst_475 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1891 = stablehlo.broadcast_in_dim %cst_475, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1892 = stablehlo.add %1890, %1891 : tensor<16xf32>
    %1893 = stablehlo.divide %1626, %1892 : tensor<16xf32>
    %cst_476 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1894 = stablehlo.broadcast_in_dim %cst_476, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1895 = stablehlo.add %1735, %1894 : tensor<16xf32>
    %1896 = stablehlo.sqrt %1895 : tensor<16xf32>
    %cst_477 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1897 = stablehlo.broadcast_in_dim %cst_477, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1898 = stablehlo.add %1896, %1897 : tensor<16xf32>
    %1899 = stablehlo.divide %1628, %1898 : tensor<16xf32>
    %cst_478 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1900 = stablehlo.broadcast_in_dim %cst_478, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1901 = stablehlo.add %1737, %1900 : tensor<64xf32>
    %1902 = stablehlo.sqrt %1901 : tensor<64xf32>
    %cst_479 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1903 = stablehlo.broadcast_in_dim %cst_479, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1904 = stablehlo.add %1902, %1903 : tensor<64xf32>
    %1905 = stablehlo.divide %1630, %1904 : tensor<64xf32>
    %cst_480 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1906 = stablehlo.broadcast_in_dim %cst_480, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1907 = stablehlo.add %1739, %1906 : tensor<16x64xf32>
    %1908 = stablehlo.sqrt %1907 : tensor<16x64xf32>
    %cst_481 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1909 = stablehlo.broadcast_in_dim %cst_481, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %1910 = stablehlo.add %1908, %1909 : tensor<16x64xf32>
    %1911 = stablehlo.divide %1632, %1910 : tensor<16x64xf32>
    %cst_482 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1912 = stablehlo.broadcast_in_dim %cst_482, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1913 = stablehlo.add %1741, %1912 : tensor<4x4xf32>
    %1914 = stablehlo.sqrt %1913 : tensor<4x4xf32>
    %cst_483 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1915 = stablehlo.broadcast_in_dim %cst_483, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1916 = stablehlo.add %1914, %1915 : tensor<4x4xf32>
    %1917 = stablehlo.divide %1634, %1916 : tensor<4x4xf32>
    %cst_484 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1918 = stablehlo.broadcast_in_dim %cst_484, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1919 = stablehlo.add %1743, %1918 : tensor<16x4x4xf32>
    %1920 = stablehlo.sqrt %1919 : tensor<16x4x4xf32>
    %cst_485 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1921 = stablehlo.broadcast_in_dim %cst_485, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1922 = stablehlo.add %1920, %1921 : tensor<16x4x4xf32>
    %1923 = stablehlo.divide %1636, %1922 : tensor<16x4x4xf32>
    %cst_486 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1924 = stablehlo.broadcast_in_dim %cst_486, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1925 = stablehlo.add %1745, %1924 : tensor<16xf32>
    %1926 = stablehlo.sqrt %1925 : tensor<16xf32>
    %cst_487 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1927 = stablehlo.broadcast_in_dim %cst_487, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1928 = stablehlo.add %1926, %1927 : tensor<16xf32>
    %1929 = stablehlo.divide %1638, %1928 : tensor<16xf32>
    %cst_488 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1930 = stablehlo.broadcast_in_dim %cst_488, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1931 = stablehlo.add %1747, %1930 : tensor<4x4x16xf32>
    %1932 = stablehlo.sqrt %1931 : tensor<4x4x16xf32>
    %cst_489 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1933 = stablehlo.broadcast_in_dim %cst_489, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %1934 = stablehlo.add %1932, %1933 : tensor<4x4x16xf32>
    %1935 = stablehlo.divide %1640, %1934 : tensor<4x4x16xf32>
    %cst_490 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1936 = stablehlo.broadcast_in_dim %cst_490, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1937 = stablehlo.add %1749, %1936 : tensor<4x4xf32>
    %1938 = stablehlo.sqrt %1937 : tensor<4x4xf32>
    %cst_491 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1939 = stablehlo.broadcast_in_dim %cst_491, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1940 = stablehlo.add %1938, %1939 : tensor<4x4xf32>
    %1941 = stablehlo.divide %1642, %1940 : tensor<4x4xf32>
    %cst_492 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1942 = stablehlo.broadcast_in_dim %cst_492, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1943 = stablehlo.add %1751, %1942 : tensor<16x4x4xf32>
    %1944 = stablehlo.sqrt %1943 : tensor<16x4x4xf32>
    %cst_493 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1945 = stablehlo.broadcast_in_dim %cst_493, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1946 = stablehlo.add %1944, %1945 : tensor<16x4x4xf32>
    %1947 = stablehlo.divide %1644, %1946 : tensor<16x4x4xf32>
    %cst_494 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1948 = stablehlo.broadcast_in_dim %cst_494, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1949 = stablehlo.add %1753, %1948 : tensor<4x4xf32>
    %1950 = stablehlo.sqrt %1949 : tensor<4x4xf32>
    %cst_495 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1951 = stablehlo.broadcast_in_dim %cst_495, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %1952 = stablehlo.add %1950, %1951 : tensor<4x4xf32>
    %1953 = stablehlo.divide %1646, %1952 : tensor<4x4xf32>
    %cst_496 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1954 = stablehlo.broadcast_in_dim %cst_496, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1955 = stablehlo.add %1755, %1954 : tensor<16x4x4xf32>
    %1956 = stablehlo.sqrt %1955 : tensor<16x4x4xf32>
    %cst_497 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1957 = stablehlo.broadcast_in_dim %cst_497, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %1958 = stablehlo.add %1956, %1957 : tensor<16x4x4xf32>
    %1959 = stablehlo.divide %1648, %1958 : tensor<16x4x4xf32>
    %cst_498 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1960 = stablehlo.broadcast_in_dim %cst_498, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1961 = stablehlo.add %1757, %1960 : tensor<16xf32>
    %1962 = stablehlo.sqrt %1961 : tensor<16xf32>
    %cst_499 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1963 = stablehlo.broadcast_in_dim %cst_499, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1964 = stablehlo.add %1962, %1963 : tensor<16xf32>
    %1965 = stablehlo.divide %1650, %1964 : tensor<16xf32>
    %cst_500 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1966 = stablehlo.broadcast_in_dim %cst_500, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1967 = stablehlo.add %1759, %1966 : tensor<64x16xf32>
    %1968 = stablehlo.sqrt %1967 : tensor<64x16xf32>
    %cst_501 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1969 = stablehlo.broadcast_in_dim %cst_501, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %1970 = stablehlo.add %1968, %1969 : tensor<64x16xf32>
    %1971 = stablehlo.divide %1652, %1970 : tensor<64x16xf32>
    %cst_502 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1972 = stablehlo.broadcast_in_dim %cst_502, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1973 = stablehlo.add %1761, %1972 : tensor<16xf32>
    %1974 = stablehlo.sqrt %1973 : tensor<16xf32>
    %cst_503 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1975 = stablehlo.broadcast_in_dim %cst_503, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1976 = stablehlo.add %1974, %1975 : tensor<16xf32>
    %1977 = stablehlo.divide %1654, %1976 : tensor<16xf32>
    %cst_504 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1978 = stablehlo.broadcast_in_dim %cst_504, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1979 = stablehlo.add %1763, %1978 : tensor<16xf32>
    %1980 = stablehlo.sqrt %1979 : tensor<16xf32>
    %cst_505 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1981 = stablehlo.broadcast_in_dim %cst_505, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1982 = stablehlo.add %1980, %1981 : tensor<16xf32>
    %1983 = stablehlo.divide %1656, %1982 : tensor<16xf32>
    %cst_506 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1984 = stablehlo.broadcast_in_dim %cst_506, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1985 = stablehlo.add %1765, %1984 : tensor<16xf32>
    %1986 = stablehlo.sqrt %1985 : tensor<16xf32>
    %cst_507 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1987 = stablehlo.broadcast_in_dim %cst_507, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1988 = stablehlo.add %1986, %1987 : tensor<16xf32>
    %1989 = stablehlo.divide %1658, %1988 : tensor<16xf32>
    %cst_508 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1990 = stablehlo.broadcast_in_dim %cst_508, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1991 = stablehlo.add %1767, %1990 : tensor<16xf32>
    %1992 = stablehlo.sqrt %1991 : tensor<16xf32>
    %cst_509 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1993 = stablehlo.broadcast_in_dim %cst_509, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %1994 = stablehlo.add %1992, %1993 : tensor<16xf32>
    %1995 = stablehlo.divide %1660, %1994 : tensor<16xf32>
    %cst_510 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1996 = stablehlo.broadcast_in_dim %cst_510, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %1997 = stablehlo.add %1769, %1996 : tensor<64xf32>
    %1998 = stablehlo.sqrt %1997 : tensor<64xf32>
    %cst_511 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %1999 = stablehlo.broadcast_in_dim %cst_511, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2000 = stablehlo.add %1998, %1999 : tensor<64xf32>
    %2001 = stablehlo.divide %1662, %2000 : tensor<64xf32>
    %cst_512 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2002 = stablehlo.broadcast_in_dim %cst_512, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2003 = stablehlo.add %1771, %2002 : tensor<16x64xf32>
    %2004 = stablehlo.sqrt %2003 : tensor<16x64xf32>
    %cst_513 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2005 = stablehlo.broadcast_in_dim %cst_513, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2006 = stablehlo.add %2004, %2005 : tensor<16x64xf32>
    %2007 = stablehlo.divide %1664, %2006 : tensor<16x64xf32>
    %cst_514 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2008 = stablehlo.broadcast_in_dim %cst_514, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2009 = stablehlo.add %1773, %2008 : tensor<4x4xf32>
    %2010 = stablehlo.sqrt %2009 : tensor<4x4xf32>
    %cst_515 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2011 = stablehlo.broadcast_in_dim %cst_515, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2012 = stablehlo.add %2010, %2011 : tensor<4x4xf32>
    %2013 = stablehlo.divide %1666, %2012 : tensor<4x4xf32>
    %cst_516 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2014 = stablehlo.broadcast_in_dim %cst_516, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2015 = stablehlo.add %1775, %2014 : tensor<16x4x4xf32>
    %2016 = stablehlo.sqrt %2015 : tensor<16x4x4xf32>
    %cst_517 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2017 = stablehlo.broadcast_in_dim %cst_517, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2018 = stablehlo.add %2016, %2017 : tensor<16x4x4xf32>
    %2019 = stablehlo.divide %1668, %2018 : tensor<16x4x4xf32>
    %cst_518 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2020 = stablehlo.broadcast_in_dim %cst_518, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2021 = stablehlo.add %1777, %2020 : tensor<16xf32>
    %2022 = stablehlo.sqrt %2021 : tensor<16xf32>
    %cst_519 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2023 = stablehlo.broadcast_in_dim %cst_519, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2024 = stablehlo.add %2022, %2023 : tensor<16xf32>
    %2025 = stablehlo.divide %1670, %2024 : tensor<16xf32>
    %cst_520 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2026 = stablehlo.broadcast_in_dim %cst_520, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2027 = stablehlo.add %1779, %2026 : tensor<4x4x16xf32>
    %2028 = stablehlo.sqrt %2027 : tensor<4x4x16xf32>
    %cst_521 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2029 = stablehlo.broadcast_in_dim %cst_521, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2030 = stablehlo.add %2028, %2029 : tensor<4x4x16xf32>
    %2031 = stablehlo.divide %1672, %2030 : tensor<4x4x16xf32>
    %cst_522 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2032 = stablehlo.broadcast_in_dim %cst_522, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2033 = stablehlo.add %1781, %2032 : tensor<4x4xf32>
    %2034 = stablehlo.sqrt %2033 : tensor<4x4xf32>
    %cst_523 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2035 = stablehlo.broadcast_in_dim %cst_523, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2036 = stablehlo.add %2034, %2035 : tensor<4x4xf32>
    %2037 = stablehlo.divide %1674, %2036 : tensor<4x4xf32>
    %cst_524 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2038 = stablehlo.broadcast_in_dim %cst_524, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2039 = stablehlo.add %1783, %2038 : tensor<16x4x4xf32>
    %2040 = stablehlo.sqrt %2039 : tensor<16x4x4xf32>
    %cst_525 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2041 = stablehlo.broadcast_in_dim %cst_525, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2042 = stablehlo.add %2040, %2041 : tensor<16x4x4xf32>
    %2043 = stablehlo.divide %1676, %2042 : tensor<16x4x4xf32>
    %cst_526 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2044 = stablehlo.broadcast_in_dim %cst_526, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2045 = stablehlo.add %1785, %2044 : tensor<4x4xf32>
    %2046 = stablehlo.sqrt %2045 : tensor<4x4xf32>
    %cst_527 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2047 = stablehlo.broadcast_in_dim %cst_527, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2048 = stablehlo.add %2046, %2047 : tensor<4x4xf32>
    %2049 = stablehlo.divide %1678, %2048 : tensor<4x4xf32>
    %cst_528 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2050 = stablehlo.broadcast_in_dim %cst_528, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2051 = stablehlo.add %1787, %2050 : tensor<16x4x4xf32>
    %2052 = stablehlo.sqrt %2051 : tensor<16x4x4xf32>
    %cst_529 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2053 = stablehlo.broadcast_in_dim %cst_529, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2054 = stablehlo.add %2052, %2053 : tensor<16x4x4xf32>
    %2055 = stablehlo.divide %1680, %2054 : tensor<16x4x4xf32>
    %cst_530 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2056 = stablehlo.broadcast_in_dim %cst_530, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2057 = stablehlo.add %1789, %2056 : tensor<16xf32>
    %2058 = stablehlo.sqrt %2057 : tensor<16xf32>
    %cst_531 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2059 = stablehlo.broadcast_in_dim %cst_531, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2060 = stablehlo.add %2058, %2059 : tensor<16xf32>
    %2061 = stablehlo.divide %1682, %2060 : tensor<16xf32>
    %cst_532 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2062 = stablehlo.broadcast_in_dim %cst_532, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2063 = stablehlo.add %1791, %2062 : tensor<64x16xf32>
    %2064 = stablehlo.sqrt %2063 : tensor<64x16xf32>
    %cst_533 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2065 = stablehlo.broadcast_in_dim %cst_533, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2066 = stablehlo.add %2064, %2065 : tensor<64x16xf32>
    %2067 = stablehlo.divide %1684, %2066 : tensor<64x16xf32>
    %cst_534 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2068 = stablehlo.broadcast_in_dim %cst_534, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2069 = stablehlo.add %1793, %2068 : tensor<16xf32>
    %2070 = stablehlo.sqrt %2069 : tensor<16xf32>
    %cst_535 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2071 = stablehlo.broadcast_in_dim %cst_535, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2072 = stablehlo.add %2070, %2071 : tensor<16xf32>
    %2073 = stablehlo.divide %1686, %2072 : tensor<16xf32>
    %cst_536 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2074 = stablehlo.broadcast_in_dim %cst_536, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2075 = stablehlo.add %1795, %2074 : tensor<16xf32>
    %2076 = stablehlo.sqrt %2075 : tensor<16xf32>
    %cst_537 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2077 = stablehlo.broadcast_in_dim %cst_537, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2078 = stablehlo.add %2076, %2077 : tensor<16xf32>
    %2079 = stablehlo.divide %1688, %2078 : tensor<16xf32>
    %cst_538 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2080 = stablehlo.broadcast_in_dim %cst_538, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2081 = stablehlo.add %1797, %2080 : tensor<16xf32>
    %2082 = stablehlo.sqrt %2081 : tensor<16xf32>
    %cst_539 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2083 = stablehlo.broadcast_in_dim %cst_539, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2084 = stablehlo.add %2082, %2083 : tensor<16xf32>
    %2085 = stablehlo.divide %1690, %2084 : tensor<16xf32>
    %cst_540 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2086 = stablehlo.broadcast_in_dim %cst_540, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2087 = stablehlo.add %1799, %2086 : tensor<16xf32>
    %2088 = stablehlo.sqrt %2087 : tensor<16xf32>
    %cst_541 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2089 = stablehlo.broadcast_in_dim %cst_541, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2090 = stablehlo.add %2088, %2089 : tensor<16xf32>
    %2091 = stablehlo.divide %1692, %2090 : tensor<16xf32>
    %cst_542 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2092 = stablehlo.broadcast_in_dim %cst_542, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2093 = stablehlo.add %1801, %2092 : tensor<64xf32>
    %2094 = stablehlo.sqrt %2093 : tensor<64xf32>
    %cst_543 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2095 = stablehlo.broadcast_in_dim %cst_543, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2096 = stablehlo.add %2094, %2095 : tensor<64xf32>
    %2097 = stablehlo.divide %1694, %2096 : tensor<64xf32>
    %cst_544 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2098 = stablehlo.broadcast_in_dim %cst_544, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2099 = stablehlo.add %1803, %2098 : tensor<16x64xf32>
    %2100 = stablehlo.sqrt %2099 : tensor<16x64xf32>
    %cst_545 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2101 = stablehlo.broadcast_in_dim %cst_545, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2102 = stablehlo.add %2100, %2101 : tensor<16x64xf32>
    %2103 = stablehlo.divide %1696, %2102 : tensor<16x64xf32>
    %cst_546 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2104 = stablehlo.broadcast_in_dim %cst_546, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2105 = stablehlo.add %1805, %2104 : tensor<16xf32>
    %2106 = stablehlo.sqrt %2105 : tensor<16xf32>
    %cst_547 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2107 = stablehlo.broadcast_in_dim %cst_547, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2108 = stablehlo.add %2106, %2107 : tensor<16xf32>
    %2109 = stablehlo.divide %1698, %2108 : tensor<16xf32>
    %cst_548 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2110 = stablehlo.broadcast_in_dim %cst_548, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2111 = stablehlo.add %1807, %2110 : tensor<16xf32>
    %2112 = stablehlo.sqrt %2111 : tensor<16xf32>
    %cst_549 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2113 = stablehlo.broadcast_in_dim %cst_549, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2114 = stablehlo.add %2112, %2113 : tensor<16xf32>
    %2115 = stablehlo.divide %1700, %2114 : tensor<16xf32>
    %cst_550 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2116 = stablehlo.broadcast_in_dim %cst_550, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2117 = stablehlo.add %1809, %2116 : tensor<8x16xf32>
    %2118 = stablehlo.sqrt %2117 : tensor<8x16xf32>
    %cst_551 = stablehlo.constant dense<9.99999993E-9> : tensor<f32>
    %2119 = stablehlo.broadcast_in_dim %cst_551, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2120 = stablehlo.add %2118, %2119 : tensor<8x16xf32>
    %2121 = stablehlo.divide %1702, %2120 : tensor<8x16xf32>
    %cst_552 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2122 = stablehlo.broadcast_in_dim %cst_552, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %2123 = stablehlo.multiply %2122, %arg105 : tensor<32x16xf32>
    %2124 = stablehlo.add %1815, %2123 : tensor<32x16xf32>
    %cst_553 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2125 = stablehlo.broadcast_in_dim %cst_553, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2126 = stablehlo.multiply %2125, %arg106 : tensor<4x4xf32>
    %2127 = stablehlo.add %1821, %2126 : tensor<4x4xf32>
    %cst_554 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2128 = stablehlo.broadcast_in_dim %cst_554, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2129 = stablehlo.multiply %2128, %arg107 : tensor<16x4x4xf32>
    %2130 = stablehlo.add %1827, %2129 : tensor<16x4x4xf32>
    %cst_555 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2131 = stablehlo.broadcast_in_dim %cst_555, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2132 = stablehlo.multiply %2131, %arg108 : tensor<16xf32>
    %2133 = stablehlo.add %1833, %2132 : tensor<16xf32>
    %cst_556 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2134 = stablehlo.broadcast_in_dim %cst_556, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2135 = stablehlo.multiply %2134, %arg109 : tensor<4x4x16xf32>
    %2136 = stablehlo.add %1839, %2135 : tensor<4x4x16xf32>
    %cst_557 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2137 = stablehlo.broadcast_in_dim %cst_557, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2138 = stablehlo.multiply %2137, %arg110 : tensor<4x4xf32>
    %2139 = stablehlo.add %1845, %2138 : tensor<4x4xf32>
    %cst_558 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2140 = stablehlo.broadcast_in_dim %cst_558, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2141 = stablehlo.multiply %2140, %arg111 : tensor<16x4x4xf32>
    %2142 = stablehlo.add %1851, %2141 : tensor<16x4x4xf32>
    %cst_559 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2143 = stablehlo.broadcast_in_dim %cst_559, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2144 = stablehlo.multiply %2143, %arg112 : tensor<4x4xf32>
    %2145 = stablehlo.add %1857, %2144 : tensor<4x4xf32>
    %cst_560 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2146 = stablehlo.broadcast_in_dim %cst_560, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2147 = stablehlo.multiply %2146, %arg113 : tensor<16x4x4xf32>
    %2148 = stablehlo.add %1863, %2147 : tensor<16x4x4xf32>
    %cst_561 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2149 = stablehlo.broadcast_in_dim %cst_561, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2150 = stablehlo.multiply %2149, %arg114 : tensor<16xf32>
    %2151 = stablehlo.add %1869, %2150 : tensor<16xf32>
    %cst_562 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2152 = stablehlo.broadcast_in_dim %cst_562, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2153 = stablehlo.multiply %2152, %arg115 : tensor<64x16xf32>
    %2154 = stablehlo.add %1875, %2153 : tensor<64x16xf32>
    %cst_563 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2155 = stablehlo.broadcast_in_dim %cst_563, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2156 = stablehlo.multiply %2155, %arg116 : tensor<16xf32>
    %2157 = stablehlo.add %1881, %2156 : tensor<16xf32>
    %cst_564 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2158 = stablehlo.broadcast_in_dim %cst_564, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2159 = stablehlo.multiply %2158, %arg117 : tensor<16xf32>
    %2160 = stablehlo.add %1887, %2159 : tensor<16xf32>
    %cst_565 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2161 = stablehlo.broadcast_in_dim %cst_565, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2162 = stablehlo.multiply %2161, %arg118 : tensor<16xf32>
    %2163 = stablehlo.add %1893, %2162 : tensor<16xf32>
    %cst_566 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2164 = stablehlo.broadcast_in_dim %cst_566, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2165 = stablehlo.multiply %2164, %arg119 : tensor<16xf32>
    %2166 = stablehlo.add %1899, %2165 : tensor<16xf32>
    %cst_567 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2167 = stablehlo.broadcast_in_dim %cst_567, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2168 = stablehlo.multiply %2167, %arg120 : tensor<64xf32>
    %2169 = stablehlo.add %1905, %2168 : tensor<64xf32>
    %cst_568 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2170 = stablehlo.broadcast_in_dim %cst_568, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2171 = stablehlo.multiply %2170, %arg121 : tensor<16x64xf32>
    %2172 = stablehlo.add %1911, %2171 : tensor<16x64xf32>
    %cst_569 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2173 = stablehlo.broadcast_in_dim %cst_569, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2174 = stablehlo.multiply %2173, %arg122 : tensor<4x4xf32>
    %2175 = stablehlo.add %1917, %2174 : tensor<4x4xf32>
    %cst_570 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2176 = stablehlo.broadcast_in_dim %cst_570, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2177 = stablehlo.multiply %2176, %arg123 : tensor<16x4x4xf32>
    %2178 = stablehlo.add %1923, %2177 : tensor<16x4x4xf32>
    %cst_571 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2179 = stablehlo.broadcast_in_dim %cst_571, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2180 = stablehlo.multiply %2179, %arg124 : tensor<16xf32>
    %2181 = stablehlo.add %1929, %2180 : tensor<16xf32>
    %cst_572 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2182 = stablehlo.broadcast_in_dim %cst_572, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2183 = stablehlo.multiply %2182, %arg125 : tensor<4x4x16xf32>
    %2184 = stablehlo.add %1935, %2183 : tensor<4x4x16xf32>
    %cst_573 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2185 = stablehlo.broadcast_in_dim %cst_573, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2186 = stablehlo.multiply %2185, %arg126 : tensor<4x4xf32>
    %2187 = stablehlo.add %1941, %2186 : tensor<4x4xf32>
    %cst_574 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2188 = stablehlo.broadcast_in_dim %cst_574, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2189 = stablehlo.multiply %2188, %arg127 : tensor<16x4x4xf32>
    %2190 = stablehlo.add %1947, %2189 : tensor<16x4x4xf32>
    %cst_575 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2191 = stablehlo.broadcast_in_dim %cst_575, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2192 = stablehlo.multiply %2191, %arg128 : tensor<4x4xf32>
    %2193 = stablehlo.add %1953, %2192 : tensor<4x4xf32>
    %cst_576 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2194 = stablehlo.broadcast_in_dim %cst_576, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2195 = stablehlo.multiply %2194, %arg129 : tensor<16x4x4xf32>
    %2196 = stablehlo.add %1959, %2195 : tensor<16x4x4xf32>
    %cst_577 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2197 = stablehlo.broadcast_in_dim %cst_577, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2198 = stablehlo.multiply %2197, %arg130 : tensor<16xf32>
    %2199 = stablehlo.add %1965, %2198 : tensor<16xf32>
    %cst_578 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2200 = stablehlo.broadcast_in_dim %cst_578, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2201 = stablehlo.multiply %2200, %arg131 : tensor<64x16xf32>
    %2202 = stablehlo.add %1971, %2201 : tensor<64x16xf32>
    %cst_579 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2203 = stablehlo.broadcast_in_dim %cst_579, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2204 = stablehlo.multiply %2203, %arg132 : tensor<16xf32>
    %2205 = stablehlo.add %1977, %2204 : tensor<16xf32>
    %cst_580 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2206 = stablehlo.broadcast_in_dim %cst_580, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2207 = stablehlo.multiply %2206, %arg133 : tensor<16xf32>
    %2208 = stablehlo.add %1983, %2207 : tensor<16xf32>
    %cst_581 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2209 = stablehlo.broadcast_in_dim %cst_581, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2210 = stablehlo.multiply %2209, %arg134 : tensor<16xf32>
    %2211 = stablehlo.add %1989, %2210 : tensor<16xf32>
    %cst_582 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2212 = stablehlo.broadcast_in_dim %cst_582, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2213 = stablehlo.multiply %2212, %arg135 : tensor<16xf32>
    %2214 = stablehlo.add %1995, %2213 : tensor<16xf32>
    %cst_583 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2215 = stablehlo.broadcast_in_dim %cst_583, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2216 = stablehlo.multiply %2215, %arg136 : tensor<64xf32>
    %2217 = stablehlo.add %2001, %2216 : tensor<64xf32>
    %cst_584 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2218 = stablehlo.broadcast_in_dim %cst_584, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2219 = stablehlo.multiply %2218, %arg137 : tensor<16x64xf32>
    %2220 = stablehlo.add %2007, %2219 : tensor<16x64xf32>
    %cst_585 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2221 = stablehlo.broadcast_in_dim %cst_585, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2222 = stablehlo.multiply %2221, %arg138 : tensor<4x4xf32>
    %2223 = stablehlo.add %2013, %2222 : tensor<4x4xf32>
    %cst_586 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2224 = stablehlo.broadcast_in_dim %cst_586, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2225 = stablehlo.multiply %2224, %arg139 : tensor<16x4x4xf32>
    %2226 = stablehlo.add %2019, %2225 : tensor<16x4x4xf32>
    %cst_587 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2227 = stablehlo.broadcast_in_dim %cst_587, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2228 = stablehlo.multiply %2227, %arg140 : tensor<16xf32>
    %2229 = stablehlo.add %2025, %2228 : tensor<16xf32>
    %cst_588 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2230 = stablehlo.broadcast_in_dim %cst_588, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2231 = stablehlo.multiply %2230, %arg141 : tensor<4x4x16xf32>
    %2232 = stablehlo.add %2031, %2231 : tensor<4x4x16xf32>
    %cst_589 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2233 = stablehlo.broadcast_in_dim %cst_589, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2234 = stablehlo.multiply %2233, %arg142 : tensor<4x4xf32>
    %2235 = stablehlo.add %2037, %2234 : tensor<4x4xf32>
    %cst_590 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2236 = stablehlo.broadcast_in_dim %cst_590, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2237 = stablehlo.multiply %2236, %arg143 : tensor<16x4x4xf32>
    %2238 = stablehlo.add %2043, %2237 : tensor<16x4x4xf32>
    %cst_591 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2239 = stablehlo.broadcast_in_dim %cst_591, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2240 = stablehlo.multiply %2239, %arg144 : tensor<4x4xf32>
    %2241 = stablehlo.add %2049, %2240 : tensor<4x4xf32>
    %cst_592 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2242 = stablehlo.broadcast_in_dim %cst_592, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2243 = stablehlo.multiply %2242, %arg145 : tensor<16x4x4xf32>
    %2244 = stablehlo.add %2055, %2243 : tensor<16x4x4xf32>
    %cst_593 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2245 = stablehlo.broadcast_in_dim %cst_593, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2246 = stablehlo.multiply %2245, %arg146 : tensor<16xf32>
    %2247 = stablehlo.add %2061, %2246 : tensor<16xf32>
    %cst_594 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2248 = stablehlo.broadcast_in_dim %cst_594, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2249 = stablehlo.multiply %2248, %arg147 : tensor<64x16xf32>
    %2250 = stablehlo.add %2067, %2249 : tensor<64x16xf32>
    %cst_595 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2251 = stablehlo.broadcast_in_dim %cst_595, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2252 = stablehlo.multiply %2251, %arg148 : tensor<16xf32>
    %2253 = stablehlo.add %2073, %2252 : tensor<16xf32>
    %cst_596 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2254 = stablehlo.broadcast_in_dim %cst_596, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2255 = stablehlo.multiply %2254, %arg149 : tensor<16xf32>
    %2256 = stablehlo.add %2079, %2255 : tensor<16xf32>
    %cst_597 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2257 = stablehlo.broadcast_in_dim %cst_597, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2258 = stablehlo.multiply %2257, %arg150 : tensor<16xf32>
    %2259 = stablehlo.add %2085, %2258 : tensor<16xf32>
    %cst_598 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2260 = stablehlo.broadcast_in_dim %cst_598, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2261 = stablehlo.multiply %2260, %arg151 : tensor<16xf32>
    %2262 = stablehlo.add %2091, %2261 : tensor<16xf32>
    %cst_599 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2263 = stablehlo.broadcast_in_dim %cst_599, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2264 = stablehlo.multiply %2263, %arg152 : tensor<64xf32>
    %2265 = stablehlo.add %2097, %2264 : tensor<64xf32>
    %cst_600 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2266 = stablehlo.broadcast_in_dim %cst_600, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2267 = stablehlo.multiply %2266, %arg153 : tensor<16x64xf32>
    %2268 = stablehlo.add %2103, %2267 : tensor<16x64xf32>
    %cst_601 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2269 = stablehlo.broadcast_in_dim %cst_601, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2270 = stablehlo.multiply %2269, %arg154 : tensor<16xf32>
    %2271 = stablehlo.add %2109, %2270 : tensor<16xf32>
    %cst_602 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2272 = stablehlo.broadcast_in_dim %cst_602, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2273 = stablehlo.multiply %2272, %arg155 : tensor<16xf32>
    %2274 = stablehlo.add %2115, %2273 : tensor<16xf32>
    %cst_603 = stablehlo.constant dense<9.99999974E-5> : tensor<f32>
    %2275 = stablehlo.broadcast_in_dim %cst_603, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2276 = stablehlo.multiply %2275, %arg156 : tensor<8x16xf32>
    %2277 = stablehlo.add %2121, %2276 : tensor<8x16xf32>
    %cst_604 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2278 = stablehlo.broadcast_in_dim %cst_604, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %2279 = stablehlo.multiply %2278, %2124 : tensor<32x16xf32>
    %cst_605 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2280 = stablehlo.broadcast_in_dim %cst_605, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2281 = stablehlo.multiply %2280, %2127 : tensor<4x4xf32>
    %cst_606 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2282 = stablehlo.broadcast_in_dim %cst_606, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2283 = stablehlo.multiply %2282, %2130 : tensor<16x4x4xf32>
    %cst_607 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2284 = stablehlo.broadcast_in_dim %cst_607, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2285 = stablehlo.multiply %2284, %2133 : tensor<16xf32>
    %cst_608 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2286 = stablehlo.broadcast_in_dim %cst_608, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2287 = stablehlo.multiply %2286, %2136 : tensor<4x4x16xf32>
    %cst_609 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2288 = stablehlo.broadcast_in_dim %cst_609, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2289 = stablehlo.multiply %2288, %2139 : tensor<4x4xf32>
    %cst_610 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2290 = stablehlo.broadcast_in_dim %cst_610, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2291 = stablehlo.multiply %2290, %2142 : tensor<16x4x4xf32>
    %cst_611 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2292 = stablehlo.broadcast_in_dim %cst_611, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2293 = stablehlo.multiply %2292, %2145 : tensor<4x4xf32>
    %cst_612 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2294 = stablehlo.broadcast_in_dim %cst_612, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2295 = stablehlo.multiply %2294, %2148 : tensor<16x4x4xf32>
    %cst_613 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2296 = stablehlo.broadcast_in_dim %cst_613, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2297 = stablehlo.multiply %2296, %2151 : tensor<16xf32>
    %cst_614 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2298 = stablehlo.broadcast_in_dim %cst_614, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2299 = stablehlo.multiply %2298, %2154 : tensor<64x16xf32>
    %cst_615 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2300 = stablehlo.broadcast_in_dim %cst_615, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2301 = stablehlo.multiply %2300, %2157 : tensor<16xf32>
    %cst_616 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2302 = stablehlo.broadcast_in_dim %cst_616, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2303 = stablehlo.multiply %2302, %2160 : tensor<16xf32>
    %cst_617 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2304 = stablehlo.broadcast_in_dim %cst_617, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2305 = stablehlo.multiply %2304, %2163 : tensor<16xf32>
    %cst_618 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2306 = stablehlo.broadcast_in_dim %cst_618, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2307 = stablehlo.multiply %2306, %2166 : tensor<16xf32>
    %cst_619 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2308 = stablehlo.broadcast_in_dim %cst_619, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2309 = stablehlo.multiply %2308, %2169 : tensor<64xf32>
    %cst_620 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2310 = stablehlo.broadcast_in_dim %cst_620, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2311 = stablehlo.multiply %2310, %2172 : tensor<16x64xf32>
    %cst_621 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2312 = stablehlo.broadcast_in_dim %cst_621, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2313 = stablehlo.multiply %2312, %2175 : tensor<4x4xf32>
    %cst_622 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2314 = stablehlo.broadcast_in_dim %cst_622, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2315 = stablehlo.multiply %2314, %2178 : tensor<16x4x4xf32>
    %cst_623 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2316 = stablehlo.broadcast_in_dim %cst_623, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2317 = stablehlo.multiply %2316, %2181 : tensor<16xf32>
    %cst_624 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2318 = stablehlo.broadcast_in_dim %cst_624, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2319 = stablehlo.multiply %2318, %2184 : tensor<4x4x16xf32>
    %cst_625 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2320 = stablehlo.broadcast_in_dim %cst_625, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2321 = stablehlo.multiply %2320, %2187 : tensor<4x4xf32>
    %cst_626 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2322 = stablehlo.broadcast_in_dim %cst_626, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2323 = stablehlo.multiply %2322, %2190 : tensor<16x4x4xf32>
    %cst_627 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2324 = stablehlo.broadcast_in_dim %cst_627, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2325 = stablehlo.multiply %2324, %2193 : tensor<4x4xf32>
    %cst_628 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2326 = stablehlo.broadcast_in_dim %cst_628, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2327 = stablehlo.multiply %2326, %2196 : tensor<16x4x4xf32>
    %cst_629 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2328 = stablehlo.broadcast_in_dim %cst_629, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2329 = stablehlo.multiply %2328, %2199 : tensor<16xf32>
    %cst_630 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2330 = stablehlo.broadcast_in_dim %cst_630, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2331 = stablehlo.multiply %2330, %2202 : tensor<64x16xf32>
    %cst_631 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2332 = stablehlo.broadcast_in_dim %cst_631, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2333 = stablehlo.multiply %2332, %2205 : tensor<16xf32>
    %cst_632 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2334 = stablehlo.broadcast_in_dim %cst_632, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2335 = stablehlo.multiply %2334, %2208 : tensor<16xf32>
    %cst_633 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2336 = stablehlo.broadcast_in_dim %cst_633, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2337 = stablehlo.multiply %2336, %2211 : tensor<16xf32>
    %cst_634 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2338 = stablehlo.broadcast_in_dim %cst_634, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2339 = stablehlo.multiply %2338, %2214 : tensor<16xf32>
    %cst_635 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2340 = stablehlo.broadcast_in_dim %cst_635, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2341 = stablehlo.multiply %2340, %2217 : tensor<64xf32>
    %cst_636 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2342 = stablehlo.broadcast_in_dim %cst_636, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2343 = stablehlo.multiply %2342, %2220 : tensor<16x64xf32>
    %cst_637 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2344 = stablehlo.broadcast_in_dim %cst_637, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2345 = stablehlo.multiply %2344, %2223 : tensor<4x4xf32>
    %cst_638 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2346 = stablehlo.broadcast_in_dim %cst_638, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2347 = stablehlo.multiply %2346, %2226 : tensor<16x4x4xf32>
    %cst_639 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2348 = stablehlo.broadcast_in_dim %cst_639, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2349 = stablehlo.multiply %2348, %2229 : tensor<16xf32>
    %cst_640 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2350 = stablehlo.broadcast_in_dim %cst_640, dims = [] : (tensor<f32>) -> tensor<4x4x16xf32>
    %2351 = stablehlo.multiply %2350, %2232 : tensor<4x4x16xf32>
    %cst_641 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2352 = stablehlo.broadcast_in_dim %cst_641, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2353 = stablehlo.multiply %2352, %2235 : tensor<4x4xf32>
    %cst_642 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2354 = stablehlo.broadcast_in_dim %cst_642, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2355 = stablehlo.multiply %2354, %2238 : tensor<16x4x4xf32>
    %cst_643 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2356 = stablehlo.broadcast_in_dim %cst_643, dims = [] : (tensor<f32>) -> tensor<4x4xf32>
    %2357 = stablehlo.multiply %2356, %2241 : tensor<4x4xf32>
    %cst_644 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2358 = stablehlo.broadcast_in_dim %cst_644, dims = [] : (tensor<f32>) -> tensor<16x4x4xf32>
    %2359 = stablehlo.multiply %2358, %2244 : tensor<16x4x4xf32>
    %cst_645 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2360 = stablehlo.broadcast_in_dim %cst_645, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2361 = stablehlo.multiply %2360, %2247 : tensor<16xf32>
    %cst_646 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2362 = stablehlo.broadcast_in_dim %cst_646, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
    %2363 = stablehlo.multiply %2362, %2250 : tensor<64x16xf32>
    %cst_647 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2364 = stablehlo.broadcast_in_dim %cst_647, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2365 = stablehlo.multiply %2364, %2253 : tensor<16xf32>
    %cst_648 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2366 = stablehlo.broadcast_in_dim %cst_648, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2367 = stablehlo.multiply %2366, %2256 : tensor<16xf32>
    %cst_649 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2368 = stablehlo.broadcast_in_dim %cst_649, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2369 = stablehlo.multiply %2368, %2259 : tensor<16xf32>
    %cst_650 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2370 = stablehlo.broadcast_in_dim %cst_650, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2371 = stablehlo.multiply %2370, %2262 : tensor<16xf32>
    %cst_651 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2372 = stablehlo.broadcast_in_dim %cst_651, dims = [] : (tensor<f32>) -> tensor<64xf32>
    %2373 = stablehlo.multiply %2372, %2265 : tensor<64xf32>
    %cst_652 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2374 = stablehlo.broadcast_in_dim %cst_652, dims = [] : (tensor<f32>) -> tensor<16x64xf32>
    %2375 = stablehlo.multiply %2374, %2268 : tensor<16x64xf32>
    %cst_653 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2376 = stablehlo.broadcast_in_dim %cst_653, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2377 = stablehlo.multiply %2376, %2271 : tensor<16xf32>
    %cst_654 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2378 = stablehlo.broadcast_in_dim %cst_654, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %2379 = stablehlo.multiply %2378, %2274 : tensor<16xf32>
    %cst_655 = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %2380 = stablehlo.broadcast_in_dim %cst_655, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
    %2381 = stablehlo.multiply %2380, %2277 : tensor<8x16xf32>
    %2382 = stablehlo.add %arg105, %2279 : tensor<32x16xf32>
    %2383 = stablehlo.add %arg106, %2281 : tensor<4x4xf32>
    %2384 = stablehlo.add %arg107, %2283 : tensor<16x4x4xf32>
    %2385 = stablehlo.add %arg108, %2285 : tensor<16xf32>
    %2386 = stablehlo.add %arg109, %2287 : tensor<4x4x16xf32>
    %2387 = stablehlo.add %arg110, %2289 : tensor<4x4xf32>
    %2388 = stablehlo.add %arg111, %2291 : tensor<16x4x4xf32>
    %2389 = stablehlo.add %arg112, %2293 : tensor<4x4xf32>
    %2390 = stablehlo.add %arg113, %2295 : tensor<16x4x4xf32>
    %2391 = stablehlo.add %arg114, %2297 : tensor<16xf32>
    %2392 = stablehlo.add %arg115, %2299 : tensor<64x16xf32>
    %2393 = stablehlo.add %arg116, %2301 : tensor<16xf32>
    %2394 = stablehlo.add %arg117, %2303 : tensor<16xf32>
    %2395 = stablehlo.add %arg118, %2305 : tensor<16xf32>
    %2396 = stablehlo.add %arg119, %2307 : tensor<16xf32>
    %2397 = stablehlo.add %arg120, %2309 : tensor<64xf32>
    %2398 = stablehlo.add %arg121, %2311 : tensor<16x64xf32>
    %2399 = stablehlo.add %arg122, %2313 : tensor<4x4xf32>
    %2400 = stablehlo.add %arg123, %2315 : tensor<16x4x4xf32>
    %2401 = stablehlo.add %arg124, %2317 : tensor<16xf32>
    %2402 = stablehlo.add %arg125, %2319 : tensor<4x4x16xf32>
    %2403 = stablehlo.add %arg126, %2321 : tensor<4x4xf32>
    %2404 = stablehlo.add %arg127, %2323 : tensor<16x4x4xf32>
    %2405 = stablehlo.add %arg128, %2325 : tensor<4x4xf32>
    %2406 = stablehlo.add %arg129, %2327 : tensor<16x4x4xf32>
    %2407 = stablehlo.add %arg130, %2329 : tensor<16xf32>
    %2408 = stablehlo.add %arg131, %2331 : tensor<64x16xf32>
    %2409 = stablehlo.add %arg132, %2333 : tensor<16xf32>
    %2410 = stablehlo.add %arg133, %2335 : tensor<16xf32>
    %2411 = stablehlo.add %arg134, %2337 : tensor<16xf32>
    %2412 = stablehlo.add %arg135, %2339 : tensor<16xf32>
    %2413 = stablehlo.add %arg136, %2341 : tensor<64xf32>
    %2414 = stablehlo.add %arg137, %2343 : tensor<16x64xf32>
    %2415 = stablehlo.add %arg138, %2345 : tensor<4x4xf32>
    %2416 = stablehlo.add %arg139, %2347 : tensor<16x4x4xf32>
    %2417 = stablehlo.add %arg140, %2349 : tensor<16xf32>
    %2418 = stablehlo.add %arg141, %2351 : tensor<4x4x16xf32>
    %2419 = stablehlo.add %arg142, %2353 : tensor<4x4xf32>
    %2420 = stablehlo.add %arg143, %2355 : tensor<16x4x4xf32>
    %2421 = stablehlo.add %arg144, %2357 : tensor<4x4xf32>
    %2422 = stablehlo.add %arg145, %2359 : tensor<16x4x4xf32>
    %2423 = stablehlo.add %arg146, %2361 : tensor<16xf32>
    %2424 = stablehlo.add %arg147, %2363 : tensor<64x16xf32>
    %2425 = stablehlo.add %arg148, %2365 : tensor<16xf32>
    %2426 = stablehlo.add %arg149, %2367 : tensor<16xf32>
    %2427 = stablehlo.add %arg150, %2369 : tensor<16xf32>
    %2428 = stablehlo.add %arg151, %2371 : tensor<16xf32>
    %2429 = stablehlo.add %arg152, %2373 : tensor<64xf32>
    %2430 = stablehlo.add %arg153, %2375 : tensor<16x64xf32>
    %2431 = stablehlo.add %arg154, %2377 : tensor<16xf32>
    %2432 = stablehlo.add %arg155, %2379 : tensor<16xf32>
    %2433 = stablehlo.add %arg156, %2381 : tensor<8x16xf32>
    return %1595, %1025, %1030, %1035, %1040, %1045, %1050, %1055, %1060, %1065, %1070, %1075, %1080, %1085, %1090, %1095, %1100, %1105, %1110, %1115, %1120, %1125, %1130, %1135, %1140, %1145, %1150, %1155, %1160, %1165, %1170, %1175, %1180, %1185, %1190, %1195, %1200, %1205, %1210, %1215, %1220, %1225, %1230, %1235, %1240, %1245, %1250, %1255, %1260, %1265, %1270, %1275, %1280, %1286, %1292, %1298, %1304, %1310, %1316, %1322, %1328, %1334, %1340, %1346, %1352, %1358, %1364, %1370, %1376, %1382, %1388, %1394, %1400, %1406, %1412, %1418, %1424, %1430, %1436, %1442, %1448, %1454, %1460, %1466, %1472, %1478, %1484, %1490, %1496, %1502, %1508, %1514, %1520, %1526, %1532, %1538, %1544, %1550, %1556, %1562, %1568, %1574, %1580, %1586, %1592, %2382, %2383, %2384, %2385, %2386, %2387, %2388, %2389, %2390, %2391, %2392, %2393, %2394, %2395, %2396, %2397, %2398, %2399, %2400, %2401, %2402, %2403, %2404, %2405, %2406, %2407, %2408, %2409, %2410, %2411, %2412, %2413, %2414, %2415, %2416, %2417, %2418, %2419, %2420, %2421, %2422, %2423, %2424, %2425, %2426, %2427, %2428, %2429, %2430, %2431, %2432, %2433, %535 : tensor<i32>, tensor<32x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8x16xf32>, tensor<32x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8x16xf32>, tensor<32x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<4x4x16xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<4x4xf32>, tensor<16x4x4xf32>, tensor<16xf32>, tensor<64x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<64xf32>, tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>, tensor<8x16xf32>, tensor<f32>
  }
  func.func private @_take(%arg0: tensor<32x16xf32>, %arg1: tensor<4x8xi32>) -> (tensor<4x8x16xf32>, tensor<4x8x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x8xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<4x8xi1>, tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %c_1 = stablehlo.constant dense<31> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x8x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x8x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x8x1xi32>, tensor<4x8x1xi32>) -> tensor<4x8x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x8x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x8x1xi1>, tensor<i1>) -> tensor<4x8xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x8xi1>) -> tensor<4x8x16xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x16xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<4x8x16xi1>, tensor<4x8x16xf32>
    return %16, %5 : tensor<4x8x16xf32>, tensor<4x8x1xi32>
  }
  func.func private @_where(%arg0: tensor<4x8xi1>, %arg1: tensor<4x8xi32>, %arg2: tensor<4x8xi32>) -> tensor<4x8xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x8xi1>, tensor<4x8xi32>
    return %0 : tensor<4x8xi32>
  }
  func.func private @_where_0(%arg0: tensor<4x1x8x8xf32>, %arg1: tensor<4x4x8x8xf32>, %arg2: tensor<f32>) -> (tensor<4x4x8x8xf32>, tensor<4x4x8x8xi1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x8x8xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<4x1x8x8xf32>, tensor<4x1x8x8xf32>) -> tensor<4x1x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<4x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x4x8x8xf32>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<4x4x8x8xi1>, tensor<4x4x8x8xf32>
    return %4, %2 : tensor<4x4x8x8xf32>, tensor<4x4x8x8xi1>
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
  func.func private @take_along_axis_1(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @_where_2(%arg0: tensor<4x4x8x8xi1>, %arg1: tensor<4x4x8x8xf32>) -> tensor<4x4x8x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x4x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x4x8x8xi1>, tensor<4x4x8x8xf32>
    return %1 : tensor<4x4x8x8xf32>
  }
  func.func private @_take_3(%arg0: tensor<4x8x1xi32>, %arg1: tensor<4x8x16xf32>) -> tensor<32x16xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    return %1 : tensor<32x16xf32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}

