module @jit_step attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]> {stablehlo.mesh = {axes = [{name = "data", size = 2 : i64}, {name = "model", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<32x16xf32> {jax.buffer_donor = true}, %arg1: tensor<3x16xf32> {jax.buffer_donor = true}, %arg2: tensor<3x16xf32> {jax.buffer_donor = true}, %arg3: tensor<3x16x64xf32> {jax.buffer_donor = true}, %arg4: tensor<3x64x16xf32> {jax.buffer_donor = true}, %arg5: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg6: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg7: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg8: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg9: tensor<32x16xf32> {jax.buffer_donor = true}, %arg10: tensor<3x16xf32> {jax.buffer_donor = true}, %arg11: tensor<3x16xf32> {jax.buffer_donor = true}, %arg12: tensor<3x16x64xf32> {jax.buffer_donor = true}, %arg13: tensor<3x64x16xf32> {jax.buffer_donor = true}, %arg14: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg15: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg16: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg17: tensor<3x16x16xf32> {jax.buffer_donor = true}, %arg18: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %arg19: tensor<4x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<32x16xf32> {jax.result_info = "result[0]['m']['embed']"}, tensor<3x16xf32> {jax.result_info = "result[0]['m']['h']['ln1']"}, tensor<3x16xf32> {jax.result_info = "result[0]['m']['h']['ln2']"}, tensor<3x16x64xf32> {jax.result_info = "result[0]['m']['h']['w1']"}, tensor<3x64x16xf32> {jax.result_info = "result[0]['m']['h']['w2']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['m']['h']['wk']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['m']['h']['wo']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['m']['h']['wq']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['m']['h']['wv']"}, tensor<32x16xf32> {jax.result_info = "result[0]['params']['embed']"}, tensor<3x16xf32> {jax.result_info = "result[0]['params']['h']['ln1']"}, tensor<3x16xf32> {jax.result_info = "result[0]['params']['h']['ln2']"}, tensor<3x16x64xf32> {jax.result_info = "result[0]['params']['h']['w1']"}, tensor<3x64x16xf32> {jax.result_info = "result[0]['params']['h']['w2']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['params']['h']['wk']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['params']['h']['wo']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['params']['h']['wq']"}, tensor<3x16x16xf32> {jax.result_info = "result[0]['params']['h']['wv']"}, tensor<f32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %1 = stablehlo.compare LT, %arg18, %0, SIGNED : (tensor<4x8xi32>, tensor<4x8xi32>) -> tensor<4x8xi1>
    %c_0 = stablehlo.constant dense<32> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x8xi32>
    %3 = stablehlo.add %arg18, %2 : tensor<4x8xi32>
    %4 = stablehlo.select %1, %3, %arg18 : tensor<4x8xi1>, tensor<4x8xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %6 = "stablehlo.gather"(%arg9, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<32x16xf32>, tensor<4x8x1xi32>) -> tensor<4x8x16xf32>
    %7 = stablehlo.convert %6 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %10 = call @tril(%9) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %13 = stablehlo.and %8, %12 : tensor<4x4x8x8xi1>
    %cst = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %14:2 = call @_where(%13, %cst) : (tensor<4x4x8x8xi1>, tensor<f32>) -> (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>)
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4x8x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<3x4x8x1xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<3x4x8x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x1x1x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<3x4x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %20 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<3x16x16xbf16>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %21 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<3x4x8x16xbf16>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %22 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<3x16x16xbf16>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %23 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<bf16>) -> tensor<3x16x16xbf16>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %24 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<3x4x8x4x4xbf16>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %25 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<bf16>) -> tensor<3x4x8x4x1x4xbf16>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<3x1x4x4x8x8xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x1x4x4x8x1xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x1x4x4x8x1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %29 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<3x1x4x4x8x8xbf16>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %30 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<bf16>) -> tensor<3x4x8x4x4xbf16>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %31 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<3x16x16xbf16>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %32 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<bf16>) -> tensor<3x4x8x16xbf16>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3x4x8x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<3x4x8x1xf32>
    %cst_23 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<3x4x8x1xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<3x1x1x16xf32>
    %cst_25 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<3x4x8x16xf32>
    %cst_26 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %38 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<bf16>) -> tensor<3x16x64xbf16>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %39 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<bf16>) -> tensor<3x4x8x16xbf16>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %40 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<bf16>) -> tensor<3x4x8x64xbf16>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %41 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<bf16>) -> tensor<3x4x8x64xbf16>
    %cst_30 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %42 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<bf16>) -> tensor<3x4x8x64xbf16>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %43 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<bf16>) -> tensor<3x4x8x64xbf16>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %44 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<bf16>) -> tensor<3x4x8x64xbf16>
    %cst_33 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %45 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<bf16>) -> tensor<3x64x16xbf16>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %46 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<bf16>) -> tensor<3x4x8x64xbf16>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %47:44 = stablehlo.while(%iterArg = %arg10, %iterArg_74 = %arg11, %iterArg_75 = %arg12, %iterArg_76 = %arg13, %iterArg_77 = %arg14, %iterArg_78 = %arg15, %iterArg_79 = %arg16, %iterArg_80 = %arg17, %iterArg_81 = %14#0, %iterArg_82 = %14#1, %iterArg_83 = %c_35, %iterArg_84 = %7, %iterArg_85 = %15, %iterArg_86 = %16, %iterArg_87 = %17, %iterArg_88 = %18, %iterArg_89 = %19, %iterArg_90 = %20, %iterArg_91 = %21, %iterArg_92 = %22, %iterArg_93 = %23, %iterArg_94 = %24, %iterArg_95 = %25, %iterArg_96 = %26, %iterArg_97 = %27, %iterArg_98 = %28, %iterArg_99 = %29, %iterArg_100 = %30, %iterArg_101 = %31, %iterArg_102 = %32, %iterArg_103 = %33, %iterArg_104 = %34, %iterArg_105 = %35, %iterArg_106 = %36, %iterArg_107 = %37, %iterArg_108 = %38, %iterArg_109 = %39, %iterArg_110 = %40, %iterArg_111 = %41, %iterArg_112 = %42, %iterArg_113 = %43, %iterArg_114 = %44, %iterArg_115 = %45, %iterArg_116 = %46) : tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>, tensor<i32>, tensor<4x8x16xbf16>, tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x16x16xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x4x8x4x1x4xbf16>, tensor<3x1x4x4x8x8xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x8xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x64xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x64x16xbf16>, tensor<3x4x8x64xbf16>
    cond {
      %c_117 = stablehlo.constant dense<3> : tensor<i32>
      %159 = stablehlo.compare LT, %iterArg_83, %c_117, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %159 : tensor<i1>
    } do {
      %159 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_83) : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %160 = func.call @dynamic_index_in_dim(%iterArg_74, %iterArg_83) : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %161 = func.call @dynamic_index_in_dim_0(%iterArg_75, %iterArg_83) : (tensor<3x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %162 = func.call @dynamic_index_in_dim_1(%iterArg_76, %iterArg_83) : (tensor<3x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %163 = func.call @dynamic_index_in_dim_2(%iterArg_77, %iterArg_83) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %164 = func.call @dynamic_index_in_dim_2(%iterArg_78, %iterArg_83) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %165 = func.call @dynamic_index_in_dim_2(%iterArg_79, %iterArg_83) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %166 = func.call @dynamic_index_in_dim_2(%iterArg_80, %iterArg_83) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %167:33 = func.call @closed_call(%iterArg_81, %iterArg_82, %iterArg_84, %159, %160, %161, %162, %163, %164, %165, %166) : (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>, tensor<4x8x16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> (tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<4x8x4x4xbf16>, tensor<4x8x4x1x4xbf16>, tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x8xbf16>, tensor<4x8x4x4xbf16>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x64xbf16>, tensor<4x8x16xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<64x16xbf16>, tensor<4x8x64xbf16>)
      %168 = func.call @dynamic_update_index_in_dim(%iterArg_85, %167#1, %iterArg_83) : (tensor<3x4x8x16xf32>, tensor<4x8x16xf32>, tensor<i32>) -> tensor<3x4x8x16xf32>
      %169 = func.call @dynamic_update_index_in_dim_4(%iterArg_86, %167#2, %iterArg_83) : (tensor<3x4x8x1xf32>, tensor<4x8x1xf32>, tensor<i32>) -> tensor<3x4x8x1xf32>
      %170 = func.call @dynamic_update_index_in_dim_4(%iterArg_87, %167#3, %iterArg_83) : (tensor<3x4x8x1xf32>, tensor<4x8x1xf32>, tensor<i32>) -> tensor<3x4x8x1xf32>
      %171 = func.call @dynamic_update_index_in_dim_5(%iterArg_88, %167#4, %iterArg_83) : (tensor<3x1x1x16xf32>, tensor<1x1x16xf32>, tensor<i32>) -> tensor<3x1x1x16xf32>
      %172 = func.call @dynamic_update_index_in_dim(%iterArg_89, %167#5, %iterArg_83) : (tensor<3x4x8x16xf32>, tensor<4x8x16xf32>, tensor<i32>) -> tensor<3x4x8x16xf32>
      %173 = func.call @dynamic_update_index_in_dim_6(%iterArg_90, %167#6, %iterArg_83) : (tensor<3x16x16xbf16>, tensor<16x16xbf16>, tensor<i32>) -> tensor<3x16x16xbf16>
      %174 = func.call @dynamic_update_index_in_dim_7(%iterArg_91, %167#7, %iterArg_83) : (tensor<3x4x8x16xbf16>, tensor<4x8x16xbf16>, tensor<i32>) -> tensor<3x4x8x16xbf16>
      %175 = func.call @dynamic_update_index_in_dim_6(%iterArg_92, %167#8, %iterArg_83) : (tensor<3x16x16xbf16>, tensor<16x16xbf16>, tensor<i32>) -> tensor<3x16x16xbf16>
      %176 = func.call @dynamic_update_index_in_dim_6(%iterArg_93, %167#9, %iterArg_83) : (tensor<3x16x16xbf16>, tensor<16x16xbf16>, tensor<i32>) -> tensor<3x16x16xbf16>
      %177 = func.call @dynamic_update_index_in_dim_8(%iterArg_94, %167#10, %iterArg_83) : (tensor<3x4x8x4x4xbf16>, tensor<4x8x4x4xbf16>, tensor<i32>) -> tensor<3x4x8x4x4xbf16>
      %178 = func.call @dynamic_update_index_in_dim_9(%iterArg_95, %167#11, %iterArg_83) : (tensor<3x4x8x4x1x4xbf16>, tensor<4x8x4x1x4xbf16>, tensor<i32>) -> tensor<3x4x8x4x1x4xbf16>
      %179 = func.call @dynamic_update_index_in_dim_10(%iterArg_96, %167#12, %iterArg_83) : (tensor<3x1x4x4x8x8xf32>, tensor<1x4x4x8x8xf32>, tensor<i32>) -> tensor<3x1x4x4x8x8xf32>
      %180 = func.call @dynamic_update_index_in_dim_11(%iterArg_97, %167#13, %iterArg_83) : (tensor<3x1x4x4x8x1xf32>, tensor<1x4x4x8x1xf32>, tensor<i32>) -> tensor<3x1x4x4x8x1xf32>
      %181 = func.call @dynamic_update_index_in_dim_11(%iterArg_98, %167#14, %iterArg_83) : (tensor<3x1x4x4x8x1xf32>, tensor<1x4x4x8x1xf32>, tensor<i32>) -> tensor<3x1x4x4x8x1xf32>
      %182 = func.call @dynamic_update_index_in_dim_12(%iterArg_99, %167#15, %iterArg_83) : (tensor<3x1x4x4x8x8xbf16>, tensor<1x4x4x8x8xbf16>, tensor<i32>) -> tensor<3x1x4x4x8x8xbf16>
      %183 = func.call @dynamic_update_index_in_dim_8(%iterArg_100, %167#16, %iterArg_83) : (tensor<3x4x8x4x4xbf16>, tensor<4x8x4x4xbf16>, tensor<i32>) -> tensor<3x4x8x4x4xbf16>
      %184 = func.call @dynamic_update_index_in_dim_6(%iterArg_101, %167#17, %iterArg_83) : (tensor<3x16x16xbf16>, tensor<16x16xbf16>, tensor<i32>) -> tensor<3x16x16xbf16>
      %185 = func.call @dynamic_update_index_in_dim_7(%iterArg_102, %167#18, %iterArg_83) : (tensor<3x4x8x16xbf16>, tensor<4x8x16xbf16>, tensor<i32>) -> tensor<3x4x8x16xbf16>
      %186 = func.call @dynamic_update_index_in_dim(%iterArg_103, %167#19, %iterArg_83) : (tensor<3x4x8x16xf32>, tensor<4x8x16xf32>, tensor<i32>) -> tensor<3x4x8x16xf32>
      %187 = func.call @dynamic_update_index_in_dim_4(%iterArg_104, %167#20, %iterArg_83) : (tensor<3x4x8x1xf32>, tensor<4x8x1xf32>, tensor<i32>) -> tensor<3x4x8x1xf32>
      %188 = func.call @dynamic_update_index_in_dim_4(%iterArg_105, %167#21, %iterArg_83) : (tensor<3x4x8x1xf32>, tensor<4x8x1xf32>, tensor<i32>) -> tensor<3x4x8x1xf32>
      %189 = func.call @dynamic_update_index_in_dim_5(%iterArg_106, %167#22, %iterArg_83) : (tensor<3x1x1x16xf32>, tensor<1x1x16xf32>, tensor<i32>) -> tensor<3x1x1x16xf32>
      %190 = func.call @dynamic_update_index_in_dim(%iterArg_107, %167#23, %iterArg_83) : (tensor<3x4x8x16xf32>, tensor<4x8x16xf32>, tensor<i32>) -> tensor<3x4x8x16xf32>
      %191 = func.call @dynamic_update_index_in_dim_13(%iterArg_108, %167#24, %iterArg_83) : (tensor<3x16x64xbf16>, tensor<16x64xbf16>, tensor<i32>) -> tensor<3x16x64xbf16>
      %192 = func.call @dynamic_update_index_in_dim_7(%iterArg_109, %167#25, %iterArg_83) : (tensor<3x4x8x16xbf16>, tensor<4x8x16xbf16>, tensor<i32>) -> tensor<3x4x8x16xbf16>
      %193 = func.call @dynamic_update_index_in_dim_14(%iterArg_110, %167#26, %iterArg_83) : (tensor<3x4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<i32>) -> tensor<3x4x8x64xbf16>
      %194 = func.call @dynamic_update_index_in_dim_14(%iterArg_111, %167#27, %iterArg_83) : (tensor<3x4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<i32>) -> tensor<3x4x8x64xbf16>
      %195 = func.call @dynamic_update_index_in_dim_14(%iterArg_112, %167#28, %iterArg_83) : (tensor<3x4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<i32>) -> tensor<3x4x8x64xbf16>
      %196 = func.call @dynamic_update_index_in_dim_14(%iterArg_113, %167#29, %iterArg_83) : (tensor<3x4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<i32>) -> tensor<3x4x8x64xbf16>
      %197 = func.call @dynamic_update_index_in_dim_14(%iterArg_114, %167#30, %iterArg_83) : (tensor<3x4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<i32>) -> tensor<3x4x8x64xbf16>
      %198 = func.call @dynamic_update_index_in_dim_15(%iterArg_115, %167#31, %iterArg_83) : (tensor<3x64x16xbf16>, tensor<64x16xbf16>, tensor<i32>) -> tensor<3x64x16xbf16>
      %199 = func.call @dynamic_update_index_in_dim_14(%iterArg_116, %167#32, %iterArg_83) : (tensor<3x4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<i32>) -> tensor<3x4x8x64xbf16>
      %c_117 = stablehlo.constant dense<1> : tensor<i32>
      %200 = stablehlo.add %iterArg_83, %c_117 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %iterArg_81, %iterArg_82, %200, %167#0, %168, %169, %170, %171, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183, %184, %185, %186, %187, %188, %189, %190, %191, %192, %193, %194, %195, %196, %197, %198, %199 : tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>, tensor<i32>, tensor<4x8x16xbf16>, tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x16x16xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x4x8x4x1x4xbf16>, tensor<3x1x4x4x8x8xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x8xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x64xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x64x16xbf16>, tensor<3x4x8x64xbf16>
    }
    %48 = stablehlo.convert %47#11 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %49 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %50 = stablehlo.dot_general %48, %49, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %51 = stablehlo.broadcast_in_dim %arg19, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %52:2 = call @take_along_axis(%50, %51) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %53 = stablehlo.reshape %52#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %cst_36 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %54 = stablehlo.reduce(%50 init: %cst_36) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_37 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %55 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %56 = stablehlo.maximum %55, %54 : tensor<4x8xf32>
    %57 = stablehlo.is_finite %56 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %59 = stablehlo.select %57, %56, %58 : tensor<4x8xi1>, tensor<4x8xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %62 = stablehlo.subtract %50, %61 : tensor<4x8x32xf32>
    %63 = stablehlo.exponential %62 : tensor<4x8x32xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_39) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %65 = stablehlo.abs %64 : tensor<4x8xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %67 = stablehlo.compare GE, %64, %66, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %68 = stablehlo.log %65 : tensor<4x8xf32>
    %69 = stablehlo.add %68, %59 : tensor<4x8xf32>
    %70 = stablehlo.subtract %69, %53 : tensor<4x8xf32>
    %cst_41 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_41) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_42 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %72 = stablehlo.divide %71, %cst_42 : tensor<f32>
    %cst_43 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_44 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %73 = stablehlo.divide %cst_43, %cst_44 : tensor<f32>
    %74 = stablehlo.broadcast_in_dim %73, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %75 = stablehlo.negate %74 : tensor<4x8xf32>
    %76 = stablehlo.divide %74, %65 : tensor<4x8xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_45, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %78 = stablehlo.select %67, %77, %76 : tensor<4x8xi1>, tensor<4x8xf32>
    %79 = stablehlo.select %67, %76, %77 : tensor<4x8xi1>, tensor<4x8xf32>
    %80 = stablehlo.negate %78 : tensor<4x8xf32>
    %81 = stablehlo.add %79, %80 : tensor<4x8xf32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %83 = stablehlo.multiply %82, %63 : tensor<4x8x32xf32>
    %84 = stablehlo.broadcast_in_dim %75, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %85 = call @take_along_axis_16(%52#1, %84) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %86 = stablehlo.add %83, %85 : tensor<4x8x32xf32>
    %87 = stablehlo.dot_general %86, %48, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %89 = stablehlo.dot_general %86, %49, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %90 = stablehlo.transpose %88, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %91 = stablehlo.convert %89 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %cst_46 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_46, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_47, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_48, dims = [] : (tensor<f32>) -> tensor<3x16x64xf32>
    %cst_49 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<3x64x16xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %96 = stablehlo.broadcast_in_dim %cst_50, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %cst_51 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %98 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %cst_53 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %c_54 = stablehlo.constant dense<0> : tensor<i32>
    %100:43 = stablehlo.while(%iterArg = %47#12, %iterArg_74 = %47#13, %iterArg_75 = %47#14, %iterArg_76 = %47#15, %iterArg_77 = %47#16, %iterArg_78 = %47#17, %iterArg_79 = %47#18, %iterArg_80 = %47#19, %iterArg_81 = %47#20, %iterArg_82 = %47#21, %iterArg_83 = %47#22, %iterArg_84 = %47#23, %iterArg_85 = %47#24, %iterArg_86 = %47#25, %iterArg_87 = %47#26, %iterArg_88 = %47#27, %iterArg_89 = %47#28, %iterArg_90 = %47#29, %iterArg_91 = %47#30, %iterArg_92 = %47#31, %iterArg_93 = %47#32, %iterArg_94 = %47#33, %iterArg_95 = %47#34, %iterArg_96 = %47#35, %iterArg_97 = %47#36, %iterArg_98 = %47#37, %iterArg_99 = %47#38, %iterArg_100 = %47#39, %iterArg_101 = %47#40, %iterArg_102 = %47#41, %iterArg_103 = %47#42, %iterArg_104 = %47#43, %iterArg_105 = %14#0, %iterArg_106 = %c_54, %iterArg_107 = %91, %iterArg_108 = %92, %iterArg_109 = %93, %iterArg_110 = %94, %iterArg_111 = %95, %iterArg_112 = %96, %iterArg_113 = %97, %iterArg_114 = %98, %iterArg_115 = %99) : tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x16x16xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x4x8x4x1x4xbf16>, tensor<3x1x4x4x8x8xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x8xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x64xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x64x16xbf16>, tensor<3x4x8x64xbf16>, tensor<1x4x4x8x8xi1>, tensor<i32>, tensor<4x8x16xbf16>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>
    cond {
      %c_116 = stablehlo.constant dense<3> : tensor<i32>
      %159 = stablehlo.compare LT, %iterArg_106, %c_116, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %159 : tensor<i1>
    } do {
      %c_116 = stablehlo.constant dense<3> : tensor<i32>
      %159 = stablehlo.subtract %c_116, %iterArg_106 : tensor<i32>
      %c_117 = stablehlo.constant dense<1> : tensor<i32>
      %160 = stablehlo.subtract %159, %c_117 : tensor<i32>
      %161 = func.call @dynamic_index_in_dim_17(%iterArg, %160) : (tensor<3x4x8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %162 = func.call @dynamic_index_in_dim_18(%iterArg_74, %160) : (tensor<3x4x8x1xf32>, tensor<i32>) -> tensor<4x8x1xf32>
      %163 = func.call @dynamic_index_in_dim_18(%iterArg_75, %160) : (tensor<3x4x8x1xf32>, tensor<i32>) -> tensor<4x8x1xf32>
      %164 = func.call @dynamic_index_in_dim_19(%iterArg_76, %160) : (tensor<3x1x1x16xf32>, tensor<i32>) -> tensor<1x1x16xf32>
      %165 = func.call @dynamic_index_in_dim_17(%iterArg_77, %160) : (tensor<3x4x8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %166 = func.call @dynamic_index_in_dim_20(%iterArg_78, %160) : (tensor<3x16x16xbf16>, tensor<i32>) -> tensor<16x16xbf16>
      %167 = func.call @dynamic_index_in_dim_21(%iterArg_79, %160) : (tensor<3x4x8x16xbf16>, tensor<i32>) -> tensor<4x8x16xbf16>
      %168 = func.call @dynamic_index_in_dim_20(%iterArg_80, %160) : (tensor<3x16x16xbf16>, tensor<i32>) -> tensor<16x16xbf16>
      %169 = func.call @dynamic_index_in_dim_20(%iterArg_81, %160) : (tensor<3x16x16xbf16>, tensor<i32>) -> tensor<16x16xbf16>
      %170 = func.call @dynamic_index_in_dim_22(%iterArg_82, %160) : (tensor<3x4x8x4x4xbf16>, tensor<i32>) -> tensor<4x8x4x4xbf16>
      %171 = func.call @dynamic_index_in_dim_23(%iterArg_83, %160) : (tensor<3x4x8x4x1x4xbf16>, tensor<i32>) -> tensor<4x8x4x1x4xbf16>
      %172 = func.call @dynamic_index_in_dim_24(%iterArg_84, %160) : (tensor<3x1x4x4x8x8xf32>, tensor<i32>) -> tensor<1x4x4x8x8xf32>
      %173 = func.call @dynamic_index_in_dim_25(%iterArg_85, %160) : (tensor<3x1x4x4x8x1xf32>, tensor<i32>) -> tensor<1x4x4x8x1xf32>
      %174 = func.call @dynamic_index_in_dim_25(%iterArg_86, %160) : (tensor<3x1x4x4x8x1xf32>, tensor<i32>) -> tensor<1x4x4x8x1xf32>
      %175 = func.call @dynamic_index_in_dim_26(%iterArg_87, %160) : (tensor<3x1x4x4x8x8xbf16>, tensor<i32>) -> tensor<1x4x4x8x8xbf16>
      %176 = func.call @dynamic_index_in_dim_22(%iterArg_88, %160) : (tensor<3x4x8x4x4xbf16>, tensor<i32>) -> tensor<4x8x4x4xbf16>
      %177 = func.call @dynamic_index_in_dim_20(%iterArg_89, %160) : (tensor<3x16x16xbf16>, tensor<i32>) -> tensor<16x16xbf16>
      %178 = func.call @dynamic_index_in_dim_21(%iterArg_90, %160) : (tensor<3x4x8x16xbf16>, tensor<i32>) -> tensor<4x8x16xbf16>
      %179 = func.call @dynamic_index_in_dim_17(%iterArg_91, %160) : (tensor<3x4x8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %180 = func.call @dynamic_index_in_dim_18(%iterArg_92, %160) : (tensor<3x4x8x1xf32>, tensor<i32>) -> tensor<4x8x1xf32>
      %181 = func.call @dynamic_index_in_dim_18(%iterArg_93, %160) : (tensor<3x4x8x1xf32>, tensor<i32>) -> tensor<4x8x1xf32>
      %182 = func.call @dynamic_index_in_dim_19(%iterArg_94, %160) : (tensor<3x1x1x16xf32>, tensor<i32>) -> tensor<1x1x16xf32>
      %183 = func.call @dynamic_index_in_dim_17(%iterArg_95, %160) : (tensor<3x4x8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %184 = func.call @dynamic_index_in_dim_27(%iterArg_96, %160) : (tensor<3x16x64xbf16>, tensor<i32>) -> tensor<16x64xbf16>
      %185 = func.call @dynamic_index_in_dim_21(%iterArg_97, %160) : (tensor<3x4x8x16xbf16>, tensor<i32>) -> tensor<4x8x16xbf16>
      %186 = func.call @dynamic_index_in_dim_28(%iterArg_98, %160) : (tensor<3x4x8x64xbf16>, tensor<i32>) -> tensor<4x8x64xbf16>
      %187 = func.call @dynamic_index_in_dim_28(%iterArg_99, %160) : (tensor<3x4x8x64xbf16>, tensor<i32>) -> tensor<4x8x64xbf16>
      %188 = func.call @dynamic_index_in_dim_28(%iterArg_100, %160) : (tensor<3x4x8x64xbf16>, tensor<i32>) -> tensor<4x8x64xbf16>
      %189 = func.call @dynamic_index_in_dim_28(%iterArg_101, %160) : (tensor<3x4x8x64xbf16>, tensor<i32>) -> tensor<4x8x64xbf16>
      %190 = func.call @dynamic_index_in_dim_28(%iterArg_102, %160) : (tensor<3x4x8x64xbf16>, tensor<i32>) -> tensor<4x8x64xbf16>
      %191 = func.call @dynamic_index_in_dim_29(%iterArg_103, %160) : (tensor<3x64x16xbf16>, tensor<i32>) -> tensor<64x16xbf16>
      %192 = func.call @dynamic_index_in_dim_28(%iterArg_104, %160) : (tensor<3x4x8x64xbf16>, tensor<i32>) -> tensor<4x8x64xbf16>
      %193:9 = func.call @closed_call_30(%iterArg_105, %iterArg_107, %161, %162, %163, %164, %165, %166, %167, %168, %169, %170, %171, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183, %184, %185, %186, %187, %188, %189, %190, %191, %192) : (tensor<1x4x4x8x8xi1>, tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<4x8x4x4xbf16>, tensor<4x8x4x1x4xbf16>, tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x8xbf16>, tensor<4x8x4x4xbf16>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x64xbf16>, tensor<4x8x16xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<64x16xbf16>, tensor<4x8x64xbf16>) -> (tensor<4x8x16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)
      %194 = func.call @dynamic_update_index_in_dim_32(%iterArg_108, %193#1, %160) : (tensor<3x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %195 = func.call @dynamic_update_index_in_dim_32(%iterArg_109, %193#2, %160) : (tensor<3x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %196 = func.call @dynamic_update_index_in_dim_33(%iterArg_110, %193#3, %160) : (tensor<3x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<3x16x64xf32>
      %197 = func.call @dynamic_update_index_in_dim_34(%iterArg_111, %193#4, %160) : (tensor<3x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<3x64x16xf32>
      %198 = func.call @dynamic_update_index_in_dim_35(%iterArg_112, %193#5, %160) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %199 = func.call @dynamic_update_index_in_dim_35(%iterArg_113, %193#6, %160) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %200 = func.call @dynamic_update_index_in_dim_35(%iterArg_114, %193#7, %160) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %201 = func.call @dynamic_update_index_in_dim_35(%iterArg_115, %193#8, %160) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %c_118 = stablehlo.constant dense<1> : tensor<i32>
      %202 = stablehlo.add %iterArg_106, %c_118 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_74, %iterArg_75, %iterArg_76, %iterArg_77, %iterArg_78, %iterArg_79, %iterArg_80, %iterArg_81, %iterArg_82, %iterArg_83, %iterArg_84, %iterArg_85, %iterArg_86, %iterArg_87, %iterArg_88, %iterArg_89, %iterArg_90, %iterArg_91, %iterArg_92, %iterArg_93, %iterArg_94, %iterArg_95, %iterArg_96, %iterArg_97, %iterArg_98, %iterArg_99, %iterArg_100, %iterArg_101, %iterArg_102, %iterArg_103, %iterArg_104, %iterArg_105, %202, %193#0, %194, %195, %196, %197, %198, %199, %200, %201 : tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x16x16xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x4x8x4x1x4xbf16>, tensor<3x1x4x4x8x8xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x1xf32>, tensor<3x1x4x4x8x8xbf16>, tensor<3x4x8x4x4xbf16>, tensor<3x16x16xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x16xf32>, tensor<3x4x8x1xf32>, tensor<3x4x8x1xf32>, tensor<3x1x1x16xf32>, tensor<3x4x8x16xf32>, tensor<3x16x64xbf16>, tensor<3x4x8x16xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x4x8x64xbf16>, tensor<3x64x16xbf16>, tensor<3x4x8x64xbf16>, tensor<1x4x4x8x8xi1>, tensor<i32>, tensor<4x8x16xbf16>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>
    }
    %101 = stablehlo.convert %100#34 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_55, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %103 = "stablehlo.scatter"(%102, %5, %101) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %159 = stablehlo.add %arg20, %arg21 : tensor<f32>
      stablehlo.return %159 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %104 = stablehlo.add %90, %103 : tensor<32x16xf32>
    %cst_56 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %105 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %106 = stablehlo.multiply %105, %arg0 : tensor<32x16xf32>
    %107 = stablehlo.add %106, %104 : tensor<32x16xf32>
    %cst_57 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %108 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %109 = stablehlo.multiply %108, %arg1 : tensor<3x16xf32>
    %110 = stablehlo.add %109, %100#35 : tensor<3x16xf32>
    %cst_58 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %111 = stablehlo.broadcast_in_dim %cst_58, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %112 = stablehlo.multiply %111, %arg2 : tensor<3x16xf32>
    %113 = stablehlo.add %112, %100#36 : tensor<3x16xf32>
    %cst_59 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %114 = stablehlo.broadcast_in_dim %cst_59, dims = [] : (tensor<f32>) -> tensor<3x16x64xf32>
    %115 = stablehlo.multiply %114, %arg3 : tensor<3x16x64xf32>
    %116 = stablehlo.add %115, %100#37 : tensor<3x16x64xf32>
    %cst_60 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %117 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<3x64x16xf32>
    %118 = stablehlo.multiply %117, %arg4 : tensor<3x64x16xf32>
    %119 = stablehlo.add %118, %100#38 : tensor<3x64x16xf32>
    %cst_61 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_61, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %121 = stablehlo.multiply %120, %arg5 : tensor<3x16x16xf32>
    %122 = stablehlo.add %121, %100#39 : tensor<3x16x16xf32>
    %cst_62 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %123 = stablehlo.broadcast_in_dim %cst_62, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %124 = stablehlo.multiply %123, %arg6 : tensor<3x16x16xf32>
    %125 = stablehlo.add %124, %100#40 : tensor<3x16x16xf32>
    %cst_63 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %126 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %127 = stablehlo.multiply %126, %arg7 : tensor<3x16x16xf32>
    %128 = stablehlo.add %127, %100#41 : tensor<3x16x16xf32>
    %cst_64 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_64, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %130 = stablehlo.multiply %129, %arg8 : tensor<3x16x16xf32>
    %131 = stablehlo.add %130, %100#42 : tensor<3x16x16xf32>
    %cst_65 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %133 = stablehlo.multiply %132, %107 : tensor<32x16xf32>
    %134 = stablehlo.subtract %arg9, %133 : tensor<32x16xf32>
    %cst_66 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %135 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %136 = stablehlo.multiply %135, %110 : tensor<3x16xf32>
    %137 = stablehlo.subtract %arg10, %136 : tensor<3x16xf32>
    %cst_67 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %139 = stablehlo.multiply %138, %113 : tensor<3x16xf32>
    %140 = stablehlo.subtract %arg11, %139 : tensor<3x16xf32>
    %cst_68 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %141 = stablehlo.broadcast_in_dim %cst_68, dims = [] : (tensor<f32>) -> tensor<3x16x64xf32>
    %142 = stablehlo.multiply %141, %116 : tensor<3x16x64xf32>
    %143 = stablehlo.subtract %arg12, %142 : tensor<3x16x64xf32>
    %cst_69 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %144 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<3x64x16xf32>
    %145 = stablehlo.multiply %144, %119 : tensor<3x64x16xf32>
    %146 = stablehlo.subtract %arg13, %145 : tensor<3x64x16xf32>
    %cst_70 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %147 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %148 = stablehlo.multiply %147, %122 : tensor<3x16x16xf32>
    %149 = stablehlo.subtract %arg14, %148 : tensor<3x16x16xf32>
    %cst_71 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %150 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %151 = stablehlo.multiply %150, %125 : tensor<3x16x16xf32>
    %152 = stablehlo.subtract %arg15, %151 : tensor<3x16x16xf32>
    %cst_72 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %153 = stablehlo.broadcast_in_dim %cst_72, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %154 = stablehlo.multiply %153, %128 : tensor<3x16x16xf32>
    %155 = stablehlo.subtract %arg16, %154 : tensor<3x16x16xf32>
    %cst_73 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %156 = stablehlo.broadcast_in_dim %cst_73, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %157 = stablehlo.multiply %156, %131 : tensor<3x16x16xf32>
    %158 = stablehlo.subtract %arg17, %157 : tensor<3x16x16xf32>
    return %107, %110, %113, %116, %119, %122, %125, %128, %131, %134, %137, %140, %143, %146, %149, %152, %155, %158, %72 : tensor<32x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<32x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<f32>
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
  func.func private @_where(%arg0: tensor<4x4x8x8xi1>, %arg1: tensor<f32>) -> (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<4x4x8x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xi1>) -> tensor<1x4x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    return %1, %2 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<3x16xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 16] : (tensor<3x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<3x16x64xf32>, %arg1: tensor<i32>) -> tensor<16x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 64] : (tensor<3x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x64xf32>) -> tensor<16x64xf32>
    return %1 : tensor<16x64xf32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<3x64x16xf32>, %arg1: tensor<i32>) -> tensor<64x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 16] : (tensor<3x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xf32>) -> tensor<64x16xf32>
    return %1 : tensor<64x16xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<3x16x16xf32>, %arg1: tensor<i32>) -> tensor<16x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<3x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xf32>) -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x4x4x8x8xi1>, %arg1: tensor<1x4x4x8x8xf32>, %arg2: tensor<4x8x16xbf16>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x64xf32>, %arg6: tensor<64x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) -> (tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<4x8x4x4xbf16>, tensor<4x8x4x1x4xbf16>, tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x8xbf16>, tensor<4x8x4x4xbf16>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x64xbf16>, tensor<4x8x16xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<64x16xbf16>, tensor<4x8x64xbf16>) {
    %0 = stablehlo.convert %arg5 : (tensor<16x64xf32>) -> tensor<16x64xbf16>
    %1 = stablehlo.convert %arg6 : (tensor<64x16xf32>) -> tensor<64x16xbf16>
    %2 = stablehlo.convert %arg7 : (tensor<16x16xf32>) -> tensor<16x16xbf16>
    %3 = stablehlo.convert %arg8 : (tensor<16x16xf32>) -> tensor<16x16xbf16>
    %4 = stablehlo.convert %arg9 : (tensor<16x16xf32>) -> tensor<16x16xbf16>
    %5 = stablehlo.convert %arg10 : (tensor<16x16xf32>) -> tensor<16x16xbf16>
    %6 = stablehlo.convert %arg2 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %12 = stablehlo.subtract %6, %11 : tensor<4x8x16xf32>
    %13 = stablehlo.multiply %12, %12 : tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %17 = stablehlo.divide %15, %16 : tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %19 = stablehlo.add %17, %18 : tensor<4x8x1xf32>
    %20 = stablehlo.rsqrt %19 : tensor<4x8x1xf32>
    %21 = stablehlo.divide %20, %19 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<4x8x1xf32>
    %24 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %25 = stablehlo.multiply %12, %24 : tensor<4x8x16xf32>
    %26 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<4x8x16xf32>
    %29 = stablehlo.convert %28 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %30 = stablehlo.dot_general %29, %4, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %31 = stablehlo.reshape %30 : (tensor<4x8x16xbf16>) -> tensor<4x8x4x4xbf16>
    %32 = stablehlo.dot_general %29, %2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %33 = stablehlo.reshape %32 : (tensor<4x8x16xbf16>) -> tensor<4x8x4x4xbf16>
    %34 = stablehlo.dot_general %29, %5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %35 = stablehlo.reshape %34 : (tensor<4x8x16xbf16>) -> tensor<4x8x4x4xbf16>
    %36 = stablehlo.reshape %31 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x1x4xbf16>
    %37 = stablehlo.dot_general %36, %33, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x8x4x1x4xbf16>, tensor<4x8x4x4xbf16>) -> tensor<4x4x8x1x8xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %39 = stablehlo.multiply %37, %38 : tensor<4x4x8x1x8xf32>
    %40 = call @_where_3(%39, %arg0, %arg1) : (tensor<4x4x8x1x8xf32>, tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_6) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %43 = stablehlo.maximum %42, %41 : tensor<1x4x4x8xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %46 = stablehlo.subtract %40, %45 : tensor<1x4x4x8x8xf32>
    %47 = stablehlo.exponential %46 : tensor<1x4x4x8x8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_8) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %51 = stablehlo.divide %47, %50 : tensor<1x4x4x8x8xf32>
    %52 = stablehlo.multiply %49, %49 : tensor<1x4x4x8x1xf32>
    %cst_9 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x1xf32>
    %54 = stablehlo.divide %53, %52 : tensor<1x4x4x8x1xf32>
    %55 = stablehlo.convert %51 : (tensor<1x4x4x8x8xf32>) -> tensor<1x4x4x8x8xbf16>
    %56 = stablehlo.dot_general %35, %55, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xbf16>, tensor<1x4x4x8x8xbf16>) -> tensor<4x4x4x1x8xbf16>
    %57 = stablehlo.transpose %56, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xbf16>) -> tensor<1x4x8x4x4xbf16>
    %58 = stablehlo.transpose %57, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xbf16>) -> tensor<4x8x4x1x4xbf16>
    %59 = stablehlo.reshape %58 : (tensor<4x8x4x1x4xbf16>) -> tensor<4x8x4x4xbf16>
    %60 = stablehlo.reshape %59 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x16xbf16>
    %61 = stablehlo.dot_general %60, %3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %62 = stablehlo.add %arg2, %61 : tensor<4x8x16xbf16>
    %63 = stablehlo.convert %62 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_11 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %66 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %67 = stablehlo.divide %65, %66 : tensor<4x8x1xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %69 = stablehlo.subtract %63, %68 : tensor<4x8x16xf32>
    %70 = stablehlo.multiply %69, %69 : tensor<4x8x16xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%70 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_13 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %74 = stablehlo.divide %72, %73 : tensor<4x8x1xf32>
    %cst_14 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %76 = stablehlo.add %74, %75 : tensor<4x8x1xf32>
    %77 = stablehlo.rsqrt %76 : tensor<4x8x1xf32>
    %78 = stablehlo.divide %77, %76 : tensor<4x8x1xf32>
    %cst_15 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<4x8x1xf32>
    %81 = stablehlo.broadcast_in_dim %77, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %82 = stablehlo.multiply %69, %81 : tensor<4x8x16xf32>
    %83 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %84 = stablehlo.broadcast_in_dim %83, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %85 = stablehlo.multiply %82, %84 : tensor<4x8x16xf32>
    %86 = stablehlo.convert %85 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %87 = stablehlo.dot_general %86, %0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x64xbf16>) -> tensor<4x8x64xbf16>
    %88 = stablehlo.multiply %87, %87 : tensor<4x8x64xbf16>
    %89 = stablehlo.multiply %88, %87 : tensor<4x8x64xbf16>
    %90 = stablehlo.multiply %87, %87 : tensor<4x8x64xbf16>
    %cst_16 = stablehlo.constant dense<3.000000e+00> : tensor<bf16>
    %91 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %92 = stablehlo.multiply %91, %90 : tensor<4x8x64xbf16>
    %cst_17 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %93 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %94 = stablehlo.multiply %93, %89 : tensor<4x8x64xbf16>
    %95 = stablehlo.add %87, %94 : tensor<4x8x64xbf16>
    %cst_18 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %96 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %97 = stablehlo.multiply %96, %95 : tensor<4x8x64xbf16>
    %98 = stablehlo.tanh %97 : tensor<4x8x64xbf16>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %99 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %100 = stablehlo.subtract %99, %98 : tensor<4x8x64xbf16>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
    %101 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %102 = stablehlo.add %101, %98 : tensor<4x8x64xbf16>
    %cst_21 = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %103 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %104 = stablehlo.multiply %103, %102 : tensor<4x8x64xbf16>
    %105 = stablehlo.multiply %87, %104 : tensor<4x8x64xbf16>
    %106 = stablehlo.dot_general %105, %1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xbf16>, tensor<64x16xbf16>) -> tensor<4x8x16xbf16>
    %107 = stablehlo.add %62, %106 : tensor<4x8x16xbf16>
    return %107, %12, %23, %20, %26, %25, %4, %29, %2, %5, %33, %36, %47, %49, %54, %55, %35, %3, %60, %69, %80, %77, %83, %82, %0, %86, %92, %98, %100, %104, %87, %1, %105 : tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<16x16xbf16>, tensor<16x16xbf16>, tensor<4x8x4x4xbf16>, tensor<4x8x4x1x4xbf16>, tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x1xf32>, tensor<1x4x4x8x8xbf16>, tensor<4x8x4x4xbf16>, tensor<16x16xbf16>, tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x1xf32>, tensor<4x8x1xf32>, tensor<1x1x16xf32>, tensor<4x8x16xf32>, tensor<16x64xbf16>, tensor<4x8x16xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<4x8x64xbf16>, tensor<64x16xbf16>, tensor<4x8x64xbf16>
  }
  func.func private @_where_3(%arg0: tensor<4x4x8x1x8xf32>, %arg1: tensor<1x4x4x8x8xi1>, %arg2: tensor<1x4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32> {
    %0 = stablehlo.transpose %arg0, dims = [3, 0, 1, 2, 4] : (tensor<4x4x8x1x8xf32>) -> tensor<1x4x4x8x8xf32>
    %1 = stablehlo.select %arg1, %0, %arg2 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
    return %1 : tensor<1x4x4x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<3x4x8x16xf32>, %arg1: tensor<4x8x16xf32>, %arg2: tensor<i32>) -> tensor<3x4x8x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x8x16xf32>) -> tensor<1x4x8x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x4x8x16xf32>, tensor<1x4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8x16xf32>
    return %1 : tensor<3x4x8x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_4(%arg0: tensor<3x4x8x1xf32>, %arg1: tensor<4x8x1xf32>, %arg2: tensor<i32>) -> tensor<3x4x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x8x1xf32>) -> tensor<1x4x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x4x8x1xf32>, tensor<1x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8x1xf32>
    return %1 : tensor<3x4x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_5(%arg0: tensor<3x1x1x16xf32>, %arg1: tensor<1x1x16xf32>, %arg2: tensor<i32>) -> tensor<3x1x1x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<1x1x16xf32>) -> tensor<1x1x1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x1x1x16xf32>, tensor<1x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x1x16xf32>
    return %1 : tensor<3x1x1x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_6(%arg0: tensor<3x16x16xbf16>, %arg1: tensor<16x16xbf16>, %arg2: tensor<i32>) -> tensor<3x16x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xbf16>) -> tensor<1x16x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x16xbf16>, tensor<1x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x16xbf16>
    return %1 : tensor<3x16x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim_7(%arg0: tensor<3x4x8x16xbf16>, %arg1: tensor<4x8x16xbf16>, %arg2: tensor<i32>) -> tensor<3x4x8x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x8x16xbf16>) -> tensor<1x4x8x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x4x8x16xbf16>, tensor<1x4x8x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8x16xbf16>
    return %1 : tensor<3x4x8x16xbf16>
  }
  func.func private @dynamic_update_index_in_dim_8(%arg0: tensor<3x4x8x4x4xbf16>, %arg1: tensor<4x8x4x4xbf16>, %arg2: tensor<i32>) -> tensor<3x4x8x4x4xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4] : (tensor<4x8x4x4xbf16>) -> tensor<1x4x8x4x4xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2 : (tensor<3x4x8x4x4xbf16>, tensor<1x4x8x4x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8x4x4xbf16>
    return %1 : tensor<3x4x8x4x4xbf16>
  }
  func.func private @dynamic_update_index_in_dim_9(%arg0: tensor<3x4x8x4x1x4xbf16>, %arg1: tensor<4x8x4x1x4xbf16>, %arg2: tensor<i32>) -> tensor<3x4x8x4x1x4xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<4x8x4x1x4xbf16>) -> tensor<1x4x8x4x1x4xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<3x4x8x4x1x4xbf16>, tensor<1x4x8x4x1x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8x4x1x4xbf16>
    return %1 : tensor<3x4x8x4x1x4xbf16>
  }
  func.func private @dynamic_update_index_in_dim_10(%arg0: tensor<3x1x4x4x8x8xf32>, %arg1: tensor<1x4x4x8x8xf32>, %arg2: tensor<i32>) -> tensor<3x1x4x4x8x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<1x4x4x8x8xf32>) -> tensor<1x1x4x4x8x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<3x1x4x4x8x8xf32>, tensor<1x1x4x4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x4x4x8x8xf32>
    return %1 : tensor<3x1x4x4x8x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_11(%arg0: tensor<3x1x4x4x8x1xf32>, %arg1: tensor<1x4x4x8x1xf32>, %arg2: tensor<i32>) -> tensor<3x1x4x4x8x1xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<1x4x4x8x1xf32>) -> tensor<1x1x4x4x8x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<3x1x4x4x8x1xf32>, tensor<1x1x4x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x4x4x8x1xf32>
    return %1 : tensor<3x1x4x4x8x1xf32>
  }
  func.func private @dynamic_update_index_in_dim_12(%arg0: tensor<3x1x4x4x8x8xbf16>, %arg1: tensor<1x4x4x8x8xbf16>, %arg2: tensor<i32>) -> tensor<3x1x4x4x8x8xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3, 4, 5] : (tensor<1x4x4x8x8xbf16>) -> tensor<1x1x4x4x8x8xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1, %c_2, %c_3 : (tensor<3x1x4x4x8x8xbf16>, tensor<1x1x4x4x8x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x1x4x4x8x8xbf16>
    return %1 : tensor<3x1x4x4x8x8xbf16>
  }
  func.func private @dynamic_update_index_in_dim_13(%arg0: tensor<3x16x64xbf16>, %arg1: tensor<16x64xbf16>, %arg2: tensor<i32>) -> tensor<3x16x64xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xbf16>) -> tensor<1x16x64xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x64xbf16>, tensor<1x16x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x64xbf16>
    return %1 : tensor<3x16x64xbf16>
  }
  func.func private @dynamic_update_index_in_dim_14(%arg0: tensor<3x4x8x64xbf16>, %arg1: tensor<4x8x64xbf16>, %arg2: tensor<i32>) -> tensor<3x4x8x64xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<4x8x64xbf16>) -> tensor<1x4x8x64xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<3x4x8x64xbf16>, tensor<1x4x8x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x4x8x64xbf16>
    return %1 : tensor<3x4x8x64xbf16>
  }
  func.func private @dynamic_update_index_in_dim_15(%arg0: tensor<3x64x16xbf16>, %arg1: tensor<64x16xbf16>, %arg2: tensor<i32>) -> tensor<3x64x16xbf16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xbf16>) -> tensor<1x64x16xbf16>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x64x16xbf16>, tensor<1x64x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x16xbf16>
    return %1 : tensor<3x64x16xbf16>
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
  func.func private @take_along_axis_16(%arg0: tensor<4x8x1x1xi32>, %arg1: tensor<4x8x1xf32>) -> tensor<4x8x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x8x32xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [2], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<4x8x32xf32>, tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    return %1 : tensor<4x8x32xf32>
  }
  func.func private @dynamic_index_in_dim_17(%arg0: tensor<3x4x8x16xf32>, %arg1: tensor<i32>) -> tensor<4x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 16] : (tensor<3x4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x16xf32>) -> tensor<4x8x16xf32>
    return %1 : tensor<4x8x16xf32>
  }
  func.func private @dynamic_index_in_dim_18(%arg0: tensor<3x4x8x1xf32>, %arg1: tensor<i32>) -> tensor<4x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 1] : (tensor<3x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x1xf32>) -> tensor<4x8x1xf32>
    return %1 : tensor<4x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_19(%arg0: tensor<3x1x1x16xf32>, %arg1: tensor<i32>) -> tensor<1x1x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 1, 1, 16] : (tensor<3x1x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x1x16xf32>) -> tensor<1x1x16xf32>
    return %1 : tensor<1x1x16xf32>
  }
  func.func private @dynamic_index_in_dim_20(%arg0: tensor<3x16x16xbf16>, %arg1: tensor<i32>) -> tensor<16x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 16] : (tensor<3x16x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x16x16xbf16>) -> tensor<16x16xbf16>
    return %1 : tensor<16x16xbf16>
  }
  func.func private @dynamic_index_in_dim_21(%arg0: tensor<3x4x8x16xbf16>, %arg1: tensor<i32>) -> tensor<4x8x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 16] : (tensor<3x4x8x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x16xbf16>) -> tensor<4x8x16xbf16>
    return %1 : tensor<4x8x16xbf16>
  }
  func.func private @dynamic_index_in_dim_22(%arg0: tensor<3x4x8x4x4xbf16>, %arg1: tensor<i32>) -> tensor<4x8x4x4xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, sizes = [1, 4, 8, 4, 4] : (tensor<3x4x8x4x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x4x4xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x4x4xbf16>) -> tensor<4x8x4x4xbf16>
    return %1 : tensor<4x8x4x4xbf16>
  }
  func.func private @dynamic_index_in_dim_23(%arg0: tensor<3x4x8x4x1x4xbf16>, %arg1: tensor<i32>) -> tensor<4x8x4x1x4xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 4, 8, 4, 1, 4] : (tensor<3x4x8x4x1x4xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x4x1x4xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x4x1x4xbf16>) -> tensor<4x8x4x1x4xbf16>
    return %1 : tensor<4x8x4x1x4xbf16>
  }
  func.func private @dynamic_index_in_dim_24(%arg0: tensor<3x1x4x4x8x8xf32>, %arg1: tensor<i32>) -> tensor<1x4x4x8x8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 1, 4, 4, 8, 8] : (tensor<3x1x4x4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x4x4x8x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    return %1 : tensor<1x4x4x8x8xf32>
  }
  func.func private @dynamic_index_in_dim_25(%arg0: tensor<3x1x4x4x8x1xf32>, %arg1: tensor<i32>) -> tensor<1x4x4x8x1xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 1, 4, 4, 8, 1] : (tensor<3x1x4x4x8x1xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x4x4x8x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x4x4x8x1xf32>) -> tensor<1x4x4x8x1xf32>
    return %1 : tensor<1x4x4x8x1xf32>
  }
  func.func private @dynamic_index_in_dim_26(%arg0: tensor<3x1x4x4x8x8xbf16>, %arg1: tensor<i32>) -> tensor<1x4x4x8x8xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, %c_2, %c_3, sizes = [1, 1, 4, 4, 8, 8] : (tensor<3x1x4x4x8x8xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x4x4x8x8xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x1x4x4x8x8xbf16>) -> tensor<1x4x4x8x8xbf16>
    return %1 : tensor<1x4x4x8x8xbf16>
  }
  func.func private @dynamic_index_in_dim_27(%arg0: tensor<3x16x64xbf16>, %arg1: tensor<i32>) -> tensor<16x64xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 16, 64] : (tensor<3x16x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x16x64xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x16x64xbf16>) -> tensor<16x64xbf16>
    return %1 : tensor<16x64xbf16>
  }
  func.func private @dynamic_index_in_dim_28(%arg0: tensor<3x4x8x64xbf16>, %arg1: tensor<i32>) -> tensor<4x8x64xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 64] : (tensor<3x4x8x64xbf16>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x64xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x64xbf16>) -> tensor<4x8x64xbf16>
    return %1 : tensor<4x8x64xbf16>
  }
  func.func private @dynamic_index_in_dim_29(%arg0: tensor<3x64x16xbf16>, %arg1: tensor<i32>) -> tensor<64x16xbf16> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 64, 16] : (tensor<3x64x16xbf16>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x64x16xbf16>
    %1 = stablehlo.reshape %0 : (tensor<1x64x16xbf16>) -> tensor<64x16xbf16>
    return %1 : tensor<64x16xbf16>
  }
  func.func private @closed_call_30(%arg0: tensor<1x4x4x8x8xi1>, %arg1: tensor<4x8x16xbf16>, %arg2: tensor<4x8x16xf32>, %arg3: tensor<4x8x1xf32>, %arg4: tensor<4x8x1xf32>, %arg5: tensor<1x1x16xf32>, %arg6: tensor<4x8x16xf32>, %arg7: tensor<16x16xbf16>, %arg8: tensor<4x8x16xbf16>, %arg9: tensor<16x16xbf16>, %arg10: tensor<16x16xbf16>, %arg11: tensor<4x8x4x4xbf16>, %arg12: tensor<4x8x4x1x4xbf16>, %arg13: tensor<1x4x4x8x8xf32>, %arg14: tensor<1x4x4x8x1xf32>, %arg15: tensor<1x4x4x8x1xf32>, %arg16: tensor<1x4x4x8x8xbf16>, %arg17: tensor<4x8x4x4xbf16>, %arg18: tensor<16x16xbf16>, %arg19: tensor<4x8x16xbf16>, %arg20: tensor<4x8x16xf32>, %arg21: tensor<4x8x1xf32>, %arg22: tensor<4x8x1xf32>, %arg23: tensor<1x1x16xf32>, %arg24: tensor<4x8x16xf32>, %arg25: tensor<16x64xbf16>, %arg26: tensor<4x8x16xbf16>, %arg27: tensor<4x8x64xbf16>, %arg28: tensor<4x8x64xbf16>, %arg29: tensor<4x8x64xbf16>, %arg30: tensor<4x8x64xbf16>, %arg31: tensor<4x8x64xbf16>, %arg32: tensor<64x16xbf16>, %arg33: tensor<4x8x64xbf16>) -> (tensor<4x8x16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg33, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x64xbf16>) -> tensor<16x64xbf16>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<16x64xbf16>) -> tensor<64x16xbf16>
    %2 = stablehlo.dot_general %arg1, %arg32, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<64x16xbf16>) -> tensor<4x8x64xbf16>
    %3 = stablehlo.multiply %arg31, %2 : tensor<4x8x64xbf16>
    %4 = stablehlo.multiply %2, %arg30 : tensor<4x8x64xbf16>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %6 = stablehlo.multiply %5, %3 : tensor<4x8x64xbf16>
    %7 = stablehlo.multiply %6, %arg29 : tensor<4x8x64xbf16>
    %8 = stablehlo.multiply %7, %arg28 : tensor<4x8x64xbf16>
    %9 = stablehlo.add %7, %8 : tensor<4x8x64xbf16>
    %cst_0 = stablehlo.constant dense<7.968750e-01> : tensor<bf16>
    %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %11 = stablehlo.multiply %10, %9 : tensor<4x8x64xbf16>
    %12 = stablehlo.add %4, %11 : tensor<4x8x64xbf16>
    %cst_1 = stablehlo.constant dense<4.467770e-02> : tensor<bf16>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<4x8x64xbf16>
    %14 = stablehlo.multiply %13, %11 : tensor<4x8x64xbf16>
    %15 = stablehlo.multiply %14, %arg27 : tensor<4x8x64xbf16>
    %16 = stablehlo.add %12, %15 : tensor<4x8x64xbf16>
    %17 = stablehlo.dot_general %16, %arg26, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xbf16>, tensor<4x8x16xbf16>) -> tensor<64x16xbf16>
    %18 = stablehlo.transpose %17, dims = [1, 0] : (tensor<64x16xbf16>) -> tensor<16x64xbf16>
    %19 = stablehlo.dot_general %16, %arg25, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xbf16>, tensor<16x64xbf16>) -> tensor<4x8x16xbf16>
    %20 = stablehlo.convert %19 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %21 = stablehlo.multiply %arg24, %20 : tensor<4x8x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %23 = stablehlo.reshape %22 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %24 = stablehlo.broadcast_in_dim %arg23, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %25 = stablehlo.multiply %20, %24 : tensor<4x8x16xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.reduce(%23 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %27 = stablehlo.multiply %arg20, %25 : tensor<4x8x16xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %28 = stablehlo.reduce(%27 init: %cst_4) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %29 = stablehlo.reshape %28 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %30 = stablehlo.broadcast_in_dim %arg22, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %31 = stablehlo.multiply %25, %30 : tensor<4x8x16xf32>
    %32 = stablehlo.multiply %29, %arg21 : tensor<4x8x1xf32>
    %cst_5 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %34 = stablehlo.divide %32, %33 : tensor<4x8x1xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %37 = stablehlo.multiply %arg20, %36 : tensor<4x8x16xf32>
    %38 = stablehlo.add %31, %37 : tensor<4x8x16xf32>
    %39 = stablehlo.multiply %36, %arg20 : tensor<4x8x16xf32>
    %40 = stablehlo.add %38, %39 : tensor<4x8x16xf32>
    %41 = stablehlo.negate %40 : tensor<4x8x16xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %43 = stablehlo.reshape %42 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %45 = stablehlo.divide %43, %44 : tensor<4x8x1xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %46 = stablehlo.reduce(%45 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %47 = stablehlo.broadcast_in_dim %46, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %48 = stablehlo.add %40, %47 : tensor<4x8x16xf32>
    %49 = stablehlo.convert %48 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %50 = stablehlo.add %arg1, %49 : tensor<4x8x16xbf16>
    %51 = stablehlo.dot_general %50, %arg19, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x16xbf16>) -> tensor<16x16xbf16>
    %52 = stablehlo.transpose %51, dims = [1, 0] : (tensor<16x16xbf16>) -> tensor<16x16xbf16>
    %53 = stablehlo.dot_general %50, %arg18, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %54 = stablehlo.reshape %53 : (tensor<4x8x16xbf16>) -> tensor<4x8x4x4xbf16>
    %55 = stablehlo.reshape %54 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x4x1x4xbf16>
    %56 = stablehlo.transpose %55, dims = [3, 0, 1, 2, 4] : (tensor<4x8x4x1x4xbf16>) -> tensor<1x4x8x4x4xbf16>
    %57 = stablehlo.transpose %56, dims = [1, 3, 4, 0, 2] : (tensor<1x4x8x4x4xbf16>) -> tensor<4x4x4x1x8xbf16>
    %58 = stablehlo.dot_general %57, %arg17, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xbf16>, tensor<4x8x4x4xbf16>) -> tensor<4x4x1x8x8xbf16>
    %59 = stablehlo.transpose %58, dims = [2, 0, 1, 3, 4] : (tensor<4x4x1x8x8xbf16>) -> tensor<1x4x4x8x8xbf16>
    %60 = stablehlo.dot_general %57, %arg16, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xbf16>, tensor<1x4x4x8x8xbf16>) -> tensor<4x4x4x8xbf16>
    %61 = stablehlo.transpose %60, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xbf16>) -> tensor<4x8x4x4xbf16>
    %62 = stablehlo.convert %59 : (tensor<1x4x4x8x8xbf16>) -> tensor<1x4x4x8x8xf32>
    %63 = stablehlo.broadcast_in_dim %arg15, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %64 = stablehlo.multiply %62, %63 : tensor<1x4x4x8x8xf32>
    %65 = stablehlo.multiply %64, %arg13 : tensor<1x4x4x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %66 = stablehlo.reduce(%65 init: %cst_10) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %67 = stablehlo.reshape %66 : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %68 = stablehlo.negate %67 : tensor<1x4x4x8x1xf32>
    %69 = stablehlo.broadcast_in_dim %arg14, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %70 = stablehlo.divide %62, %69 : tensor<1x4x4x8x8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %71 = stablehlo.reduce(%68 init: %cst_11) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [1, 2, 3] : (tensor<4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %73 = stablehlo.broadcast_in_dim %72, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x8xf32>
    %74 = stablehlo.add %70, %73 : tensor<1x4x4x8x8xf32>
    %75 = stablehlo.multiply %74, %arg13 : tensor<1x4x4x8x8xf32>
    %76 = call @_where_31(%arg0, %75) : (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_12 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %78 = stablehlo.multiply %76, %77 : tensor<4x4x8x1x8xf32>
    %79 = stablehlo.dot_general %78, %arg12, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x1x4xbf16>) -> tensor<4x4x8x4xf32>
    %80 = stablehlo.transpose %79, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %81 = stablehlo.convert %80 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x4xbf16>
    %82 = stablehlo.dot_general %78, %arg11, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x4xbf16>) -> tensor<4x4x8x1x4xf32>
    %83 = stablehlo.transpose %82, dims = [0, 2, 1, 3, 4] : (tensor<4x4x8x1x4xf32>) -> tensor<4x8x4x1x4xf32>
    %84 = stablehlo.convert %83 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x1x4xbf16>
    %85 = stablehlo.reshape %84 : (tensor<4x8x4x1x4xbf16>) -> tensor<4x8x4x4xbf16>
    %86 = stablehlo.reshape %61 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x16xbf16>
    %87 = stablehlo.dot_general %86, %arg8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x16xbf16>) -> tensor<16x16xbf16>
    %88 = stablehlo.transpose %87, dims = [1, 0] : (tensor<16x16xbf16>) -> tensor<16x16xbf16>
    %89 = stablehlo.dot_general %86, %arg10, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %90 = stablehlo.reshape %81 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x16xbf16>
    %91 = stablehlo.dot_general %90, %arg8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x16xbf16>) -> tensor<16x16xbf16>
    %92 = stablehlo.transpose %91, dims = [1, 0] : (tensor<16x16xbf16>) -> tensor<16x16xbf16>
    %93 = stablehlo.dot_general %90, %arg9, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %94 = stablehlo.add %89, %93 : tensor<4x8x16xbf16>
    %95 = stablehlo.reshape %85 : (tensor<4x8x4x4xbf16>) -> tensor<4x8x16xbf16>
    %96 = stablehlo.dot_general %95, %arg8, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<4x8x16xbf16>) -> tensor<16x16xbf16>
    %97 = stablehlo.transpose %96, dims = [1, 0] : (tensor<16x16xbf16>) -> tensor<16x16xbf16>
    %98 = stablehlo.dot_general %95, %arg7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xbf16>, tensor<16x16xbf16>) -> tensor<4x8x16xbf16>
    %99 = stablehlo.add %94, %98 : tensor<4x8x16xbf16>
    %100 = stablehlo.convert %99 : (tensor<4x8x16xbf16>) -> tensor<4x8x16xf32>
    %101 = stablehlo.multiply %arg6, %100 : tensor<4x8x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %102 = stablehlo.reduce(%101 init: %cst_13) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %103 = stablehlo.reshape %102 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %104 = stablehlo.broadcast_in_dim %arg5, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %105 = stablehlo.multiply %100, %104 : tensor<4x8x16xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %106 = stablehlo.reduce(%103 init: %cst_14) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %107 = stablehlo.multiply %arg2, %105 : tensor<4x8x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %108 = stablehlo.reduce(%107 init: %cst_15) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %109 = stablehlo.reshape %108 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %110 = stablehlo.broadcast_in_dim %arg4, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %111 = stablehlo.multiply %105, %110 : tensor<4x8x16xf32>
    %112 = stablehlo.multiply %109, %arg3 : tensor<4x8x1xf32>
    %cst_16 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %114 = stablehlo.divide %112, %113 : tensor<4x8x1xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_17) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %117 = stablehlo.multiply %arg2, %116 : tensor<4x8x16xf32>
    %118 = stablehlo.add %111, %117 : tensor<4x8x16xf32>
    %119 = stablehlo.multiply %116, %arg2 : tensor<4x8x16xf32>
    %120 = stablehlo.add %118, %119 : tensor<4x8x16xf32>
    %121 = stablehlo.negate %120 : tensor<4x8x16xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %122 = stablehlo.reduce(%121 init: %cst_18) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %123 = stablehlo.reshape %122 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_19 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %124 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %125 = stablehlo.divide %123, %124 : tensor<4x8x1xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %126 = stablehlo.reduce(%125 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %128 = stablehlo.add %120, %127 : tensor<4x8x16xf32>
    %129 = stablehlo.convert %128 : (tensor<4x8x16xf32>) -> tensor<4x8x16xbf16>
    %130 = stablehlo.add %50, %129 : tensor<4x8x16xbf16>
    %131 = stablehlo.convert %88 : (tensor<16x16xbf16>) -> tensor<16x16xf32>
    %132 = stablehlo.convert %97 : (tensor<16x16xbf16>) -> tensor<16x16xf32>
    %133 = stablehlo.convert %52 : (tensor<16x16xbf16>) -> tensor<16x16xf32>
    %134 = stablehlo.convert %92 : (tensor<16x16xbf16>) -> tensor<16x16xf32>
    %135 = stablehlo.convert %1 : (tensor<64x16xbf16>) -> tensor<64x16xf32>
    %136 = stablehlo.convert %18 : (tensor<16x64xbf16>) -> tensor<16x64xf32>
    return %130, %106, %26, %136, %135, %134, %133, %132, %131 : tensor<4x8x16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  func.func private @_where_31(%arg0: tensor<1x4x4x8x8xi1>, %arg1: tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    return %2 : tensor<4x4x8x1x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_32(%arg0: tensor<3x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>) -> tensor<3x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<3x16xf32>
    return %1 : tensor<3x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_33(%arg0: tensor<3x16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<i32>) -> tensor<3x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x64xf32>
    return %1 : tensor<3x16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_34(%arg0: tensor<3x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<3x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x16xf32>
    return %1 : tensor<3x64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_35(%arg0: tensor<3x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<3x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x16xf32>
    return %1 : tensor<3x16x16xf32>
  }
}

