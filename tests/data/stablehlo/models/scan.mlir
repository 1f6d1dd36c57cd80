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
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_2 = stablehlo.constant dense<true> : tensor<i1>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %9 = call @tril(%8) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %12 = stablehlo.and %7, %11 : tensor<4x4x8x8xi1>
    %cst = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %13:2 = call @_where(%12, %cst) : (tensor<4x4x8x8xi1>, tensor<f32>) -> (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>)
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<3x4x8x16xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %15:13 = stablehlo.while(%iterArg = %arg10, %iterArg_43 = %arg11, %iterArg_44 = %arg12, %iterArg_45 = %arg13, %iterArg_46 = %arg14, %iterArg_47 = %arg15, %iterArg_48 = %arg16, %iterArg_49 = %arg17, %iterArg_50 = %13#0, %iterArg_51 = %13#1, %iterArg_52 = %c_4, %iterArg_53 = %6, %iterArg_54 = %14) : tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x4x8x16xf32>
    cond {
      %c_55 = stablehlo.constant dense<3> : tensor<i32>
      %124 = stablehlo.compare LT, %iterArg_52, %c_55, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %124 : tensor<i1>
    } do {
      %124 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_52) : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %125 = func.call @dynamic_index_in_dim(%iterArg_43, %iterArg_52) : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %126 = func.call @dynamic_index_in_dim_0(%iterArg_44, %iterArg_52) : (tensor<3x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %127 = func.call @dynamic_index_in_dim_1(%iterArg_45, %iterArg_52) : (tensor<3x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %128 = func.call @dynamic_index_in_dim_2(%iterArg_46, %iterArg_52) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %129 = func.call @dynamic_index_in_dim_2(%iterArg_47, %iterArg_52) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %130 = func.call @dynamic_index_in_dim_2(%iterArg_48, %iterArg_52) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %131 = func.call @dynamic_index_in_dim_2(%iterArg_49, %iterArg_52) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %132:2 = func.call @closed_call(%iterArg_50, %iterArg_51, %iterArg_53, %124, %125, %126, %127, %128, %129, %130, %131) : (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>)
      %133 = func.call @dynamic_update_index_in_dim(%iterArg_54, %132#1, %iterArg_52) : (tensor<3x4x8x16xf32>, tensor<4x8x16xf32>, tensor<i32>) -> tensor<3x4x8x16xf32>
      %c_55 = stablehlo.constant dense<1> : tensor<i32>
      %134 = stablehlo.add %iterArg_52, %c_55 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %iterArg_51, %134, %132#0, %133 : tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x4x8x16xf32>
    }
    %16 = stablehlo.transpose %arg9, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %17 = stablehlo.dot_general %15#11, %16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
    %18 = stablehlo.broadcast_in_dim %arg19, dims = [0, 1] : (tensor<4x8xi32>) -> tensor<4x8x1xi32>
    %19:2 = call @take_along_axis(%17, %18) : (tensor<4x8x32xf32>, tensor<4x8x1xi32>) -> (tensor<4x8x1xf32>, tensor<4x8x1x1xi32>)
    %20 = stablehlo.reshape %19#0 : (tensor<4x8x1xf32>) -> tensor<4x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %21 = stablehlo.reduce(%17 init: %cst_5) applies stablehlo.maximum across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<4x8xf32>
    %24 = stablehlo.is_finite %23 : (tensor<4x8xf32>) -> tensor<4x8xi1>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %26 = stablehlo.select %24, %23, %25 : tensor<4x8xi1>, tensor<4x8xf32>
    %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %29 = stablehlo.subtract %17, %28 : tensor<4x8x32xf32>
    %30 = stablehlo.exponential %29 : tensor<4x8x32xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %31 = stablehlo.reduce(%30 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x8x32xf32>, tensor<f32>) -> tensor<4x8xf32>
    %32 = stablehlo.abs %31 : tensor<4x8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %34 = stablehlo.compare GE, %31, %33, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %35 = stablehlo.log %32 : tensor<4x8xf32>
    %36 = stablehlo.add %35, %26 : tensor<4x8xf32>
    %37 = stablehlo.subtract %36, %20 : tensor<4x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %38 = stablehlo.reduce(%37 init: %cst_10) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    %cst_11 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %39 = stablehlo.divide %38, %cst_11 : tensor<f32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_13 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %40 = stablehlo.divide %cst_12, %cst_13 : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %42 = stablehlo.negate %41 : tensor<4x8xf32>
    %43 = stablehlo.divide %41, %32 : tensor<4x8xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8xf32>
    %45 = stablehlo.select %34, %44, %43 : tensor<4x8xi1>, tensor<4x8xf32>
    %46 = stablehlo.select %34, %43, %44 : tensor<4x8xi1>, tensor<4x8xf32>
    %47 = stablehlo.negate %45 : tensor<4x8xf32>
    %48 = stablehlo.add %46, %47 : tensor<4x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x32xf32>
    %50 = stablehlo.multiply %49, %30 : tensor<4x8x32xf32>
    %51 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %52 = call @take_along_axis_4(%19#1, %51) : (tensor<4x8x1x1xi32>, tensor<4x8x1xf32>) -> tensor<4x8x32xf32>
    %53 = stablehlo.add %50, %52 : tensor<4x8x32xf32>
    %54 = stablehlo.dot_general %53, %15#11, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %55 = stablehlo.transpose %54, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    %56 = stablehlo.dot_general %53, %16, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x32xf32>, tensor<16x32xf32>) -> tensor<4x8x16xf32>
    %57 = stablehlo.transpose %55, dims = [1, 0] : (tensor<16x32xf32>) -> tensor<32x16xf32>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<3x16x64xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<3x64x16xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %63 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %cst_21 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %66:19 = stablehlo.while(%iterArg = %15#12, %iterArg_43 = %arg10, %iterArg_44 = %arg11, %iterArg_45 = %arg12, %iterArg_46 = %arg13, %iterArg_47 = %arg14, %iterArg_48 = %arg15, %iterArg_49 = %arg16, %iterArg_50 = %arg17, %iterArg_51 = %c_23, %iterArg_52 = %56, %iterArg_53 = %58, %iterArg_54 = %59, %iterArg_55 = %60, %iterArg_56 = %61, %iterArg_57 = %62, %iterArg_58 = %63, %iterArg_59 = %64, %iterArg_60 = %65) : tensor<3x4x8x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>
    cond {
      %c_61 = stablehlo.constant dense<3> : tensor<i32>
      %124 = stablehlo.compare LT, %iterArg_51, %c_61, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %124 : tensor<i1>
    } do {
      %c_61 = stablehlo.constant dense<3> : tensor<i32>
      %124 = stablehlo.subtract %c_61, %iterArg_51 : tensor<i32>
      %c_62 = stablehlo.constant dense<1> : tensor<i32>
      %125 = stablehlo.subtract %124, %c_62 : tensor<i32>
      %126 = func.call @dynamic_index_in_dim_5(%iterArg, %125) : (tensor<3x4x8x16xf32>, tensor<i32>) -> tensor<4x8x16xf32>
      %127 = func.call @dynamic_index_in_dim(%iterArg_43, %125) : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %128 = func.call @dynamic_index_in_dim(%iterArg_44, %125) : (tensor<3x16xf32>, tensor<i32>) -> tensor<16xf32>
      %129 = func.call @dynamic_index_in_dim_0(%iterArg_45, %125) : (tensor<3x16x64xf32>, tensor<i32>) -> tensor<16x64xf32>
      %130 = func.call @dynamic_index_in_dim_1(%iterArg_46, %125) : (tensor<3x64x16xf32>, tensor<i32>) -> tensor<64x16xf32>
      %131 = func.call @dynamic_index_in_dim_2(%iterArg_47, %125) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %132 = func.call @dynamic_index_in_dim_2(%iterArg_48, %125) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %133 = func.call @dynamic_index_in_dim_2(%iterArg_49, %125) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %134 = func.call @dynamic_index_in_dim_2(%iterArg_50, %125) : (tensor<3x16x16xf32>, tensor<i32>) -> tensor<16x16xf32>
      %135:9 = func.call @closed_call_6(%iterArg_52, %126, %127, %128, %129, %130, %131, %132, %133, %134) : (tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) -> (tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>)
      %136 = func.call @dynamic_update_index_in_dim_10(%iterArg_53, %135#1, %125) : (tensor<3x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %137 = func.call @dynamic_update_index_in_dim_10(%iterArg_54, %135#2, %125) : (tensor<3x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<3x16xf32>
      %138 = func.call @dynamic_update_index_in_dim_11(%iterArg_55, %135#3, %125) : (tensor<3x16x64xf32>, tensor<16x64xf32>, tensor<i32>) -> tensor<3x16x64xf32>
      %139 = func.call @dynamic_update_index_in_dim_12(%iterArg_56, %135#4, %125) : (tensor<3x64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<3x64x16xf32>
      %140 = func.call @dynamic_update_index_in_dim_13(%iterArg_57, %135#5, %125) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %141 = func.call @dynamic_update_index_in_dim_13(%iterArg_58, %135#6, %125) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %142 = func.call @dynamic_update_index_in_dim_13(%iterArg_59, %135#7, %125) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %143 = func.call @dynamic_update_index_in_dim_13(%iterArg_60, %135#8, %125) : (tensor<3x16x16xf32>, tensor<16x16xf32>, tensor<i32>) -> tensor<3x16x16xf32>
      %c_63 = stablehlo.constant dense<1> : tensor<i32>
      %144 = stablehlo.add %iterArg_51, %c_63 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_43, %iterArg_44, %iterArg_45, %iterArg_46, %iterArg_47, %iterArg_48, %iterArg_49, %iterArg_50, %144, %135#0, %136, %137, %138, %139, %140, %141, %142, %143 : tensor<3x4x8x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<i32>, tensor<4x8x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>
    }
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %67 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %68 = "stablehlo.scatter"(%67, %5, %66#10) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg20: tensor<f32>, %arg21: tensor<f32>):
      %124 = stablehlo.add %arg20, %arg21 : tensor<f32>
      stablehlo.return %124 : tensor<f32>
    }) : (tensor<32x16xf32>, tensor<4x8x1xi32>, tensor<4x8x16xf32>) -> tensor<32x16xf32>
    %69 = stablehlo.add %57, %68 : tensor<32x16xf32>
    %cst_25 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %71 = stablehlo.multiply %70, %arg0 : tensor<32x16xf32>
    %72 = stablehlo.add %71, %69 : tensor<32x16xf32>
    %cst_26 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %74 = stablehlo.multiply %73, %arg1 : tensor<3x16xf32>
    %75 = stablehlo.add %74, %66#11 : tensor<3x16xf32>
    %cst_27 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %77 = stablehlo.multiply %76, %arg2 : tensor<3x16xf32>
    %78 = stablehlo.add %77, %66#12 : tensor<3x16xf32>
    %cst_28 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<3x16x64xf32>
    %80 = stablehlo.multiply %79, %arg3 : tensor<3x16x64xf32>
    %81 = stablehlo.add %80, %66#13 : tensor<3x16x64xf32>
    %cst_29 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<3x64x16xf32>
    %83 = stablehlo.multiply %82, %arg4 : tensor<3x64x16xf32>
    %84 = stablehlo.add %83, %66#14 : tensor<3x64x16xf32>
    %cst_30 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %85 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %86 = stablehlo.multiply %85, %arg5 : tensor<3x16x16xf32>
    %87 = stablehlo.add %86, %66#15 : tensor<3x16x16xf32>
    %cst_31 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %88 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %89 = stablehlo.multiply %88, %arg6 : tensor<3x16x16xf32>
    %90 = stablehlo.add %89, %66#16 : tensor<3x16x16xf32>
    %cst_32 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %91 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %92 = stablehlo.multiply %91, %arg7 : tensor<3x16x16xf32>
    %93 = stablehlo.add %92, %66#17 : tensor<3x16x16xf32>
    %cst_33 = stablehlo.constant dense<0.899999976> : tensor<f32>
    %94 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %95 = stablehlo.multiply %94, %arg8 : tensor<3x16x16xf32>
    %96 = stablehlo.add %95, %66#18 : tensor<3x16x16xf32>
    %cst_34 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<32x16xf32>
    %98 = stablehlo.multiply %97, %72 : tensor<32x16xf32>
    %99 = stablehlo.subtract %arg9, %98 : tensor<32x16xf32>
    %cst_35 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %100 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %101 = stablehlo.multiply %100, %75 : tensor<3x16xf32>
    %102 = stablehlo.subtract %arg10, %101 : tensor<3x16xf32>
    %cst_36 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<3x16xf32>
    %104 = stablehlo.multiply %103, %78 : tensor<3x16xf32>
    %105 = stablehlo.subtract %arg11, %104 : tensor<3x16xf32>
    %cst_37 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %106 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<3x16x64xf32>
    %107 = stablehlo.multiply %106, %81 : tensor<3x16x64xf32>
    %108 = stablehlo.subtract %arg12, %107 : tensor<3x16x64xf32>
    %cst_38 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<3x64x16xf32>
    %110 = stablehlo.multiply %109, %84 : tensor<3x64x16xf32>
    %111 = stablehlo.subtract %arg13, %110 : tensor<3x64x16xf32>
    %cst_39 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %113 = stablehlo.multiply %112, %87 : tensor<3x16x16xf32>
    %114 = stablehlo.subtract %arg14, %113 : tensor<3x16x16xf32>
    %cst_40 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_40, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %116 = stablehlo.multiply %115, %90 : tensor<3x16x16xf32>
    %117 = stablehlo.subtract %arg15, %116 : tensor<3x16x16xf32>
    %cst_41 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %118 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %119 = stablehlo.multiply %118, %93 : tensor<3x16x16xf32>
    %120 = stablehlo.subtract %arg16, %119 : tensor<3x16x16xf32>
    %cst_42 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
    %121 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<3x16x16xf32>
    %122 = stablehlo.multiply %121, %96 : tensor<3x16x16xf32>
    %123 = stablehlo.subtract %arg17, %122 : tensor<3x16x16xf32>
    return %72, %75, %78, %81, %84, %87, %90, %93, %96, %99, %102, %105, %108, %111, %114, %117, %120, %123, %39 : tensor<32x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<32x16xf32>, tensor<3x16xf32>, tensor<3x16xf32>, tensor<3x16x64xf32>, tensor<3x64x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<3x16x16xf32>, tensor<f32>
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
  func.func private @closed_call(%arg0: tensor<1x4x4x8x8xi1>, %arg1: tensor<1x4x4x8x8xf32>, %arg2: tensor<4x8x16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16xf32>, %arg5: tensor<16x64xf32>, %arg6: tensor<64x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16x16xf32>, %arg10: tensor<16x16xf32>) -> (tensor<4x8x16xf32>, tensor<4x8x16xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<4x8x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %5 = stablehlo.subtract %arg2, %4 : tensor<4x8x16xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<4x8x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<4x8x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %15 = stablehlo.multiply %5, %14 : tensor<4x8x16xf32>
    %16 = stablehlo.broadcast_in_dim %arg3, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %18 = stablehlo.multiply %15, %17 : tensor<4x8x16xf32>
    %19 = stablehlo.dot_general %18, %arg9, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %20 = stablehlo.reshape %19 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %21 = stablehlo.dot_general %18, %arg7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %22 = stablehlo.reshape %21 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %23 = stablehlo.dot_general %18, %arg10, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %24 = stablehlo.reshape %23 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %25 = stablehlo.reshape %20 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %26 = stablehlo.dot_general %25, %22, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %28 = stablehlo.multiply %26, %27 : tensor<4x4x8x1x8xf32>
    %29 = call @_where_3(%28, %arg0, %arg1) : (tensor<4x4x8x1x8xf32>, tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %30 = stablehlo.reduce(%29 init: %cst_5) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %32 = stablehlo.maximum %31, %30 : tensor<1x4x4x8xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %35 = stablehlo.subtract %29, %34 : tensor<1x4x4x8x8xf32>
    %36 = stablehlo.exponential %35 : tensor<1x4x4x8x8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.reduce(%36 init: %cst_7) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %40 = stablehlo.divide %36, %39 : tensor<1x4x4x8x8xf32>
    %41 = stablehlo.dot_general %24, %40, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %42 = stablehlo.transpose %41, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %43 = stablehlo.transpose %42, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %44 = stablehlo.reshape %43 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %45 = stablehlo.reshape %44 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %46 = stablehlo.dot_general %45, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %47 = stablehlo.add %arg2, %46 : tensor<4x8x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_8) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_9 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %51 = stablehlo.divide %49, %50 : tensor<4x8x1xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %53 = stablehlo.subtract %47, %52 : tensor<4x8x16xf32>
    %54 = stablehlo.multiply %53, %53 : tensor<4x8x16xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %55 = stablehlo.reduce(%54 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_11 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %57 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %58 = stablehlo.divide %56, %57 : tensor<4x8x1xf32>
    %cst_12 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %59 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %60 = stablehlo.add %58, %59 : tensor<4x8x1xf32>
    %61 = stablehlo.rsqrt %60 : tensor<4x8x1xf32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %63 = stablehlo.multiply %53, %62 : tensor<4x8x16xf32>
    %64 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %66 = stablehlo.multiply %63, %65 : tensor<4x8x16xf32>
    %67 = stablehlo.dot_general %66, %arg5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %68 = stablehlo.multiply %67, %67 : tensor<4x8x64xf32>
    %69 = stablehlo.multiply %68, %67 : tensor<4x8x64xf32>
    %cst_13 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %71 = stablehlo.multiply %70, %69 : tensor<4x8x64xf32>
    %72 = stablehlo.add %67, %71 : tensor<4x8x64xf32>
    %cst_14 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %74 = stablehlo.multiply %73, %72 : tensor<4x8x64xf32>
    %75 = stablehlo.tanh %74 : tensor<4x8x64xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %77 = stablehlo.add %76, %75 : tensor<4x8x64xf32>
    %cst_16 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %78 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %79 = stablehlo.multiply %78, %77 : tensor<4x8x64xf32>
    %80 = stablehlo.multiply %67, %79 : tensor<4x8x64xf32>
    %81 = stablehlo.dot_general %80, %arg6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<64x16xf32>) -> tensor<4x8x16xf32>
    %82 = stablehlo.add %47, %81 : tensor<4x8x16xf32>
    return %82, %arg2 : tensor<4x8x16xf32>, tensor<4x8x16xf32>
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
  func.func private @dynamic_index_in_dim_5(%arg0: tensor<3x4x8x16xf32>, %arg1: tensor<i32>) -> tensor<4x8x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 4, 8, 16] : (tensor<3x4x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x8x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x4x8x16xf32>) -> tensor<4x8x16xf32>
    return %1 : tensor<4x8x16xf32>
  }
  func.func private @closed_call_6(%arg0: tensor<4x8x16xf32>, %arg1: tensor<4x8x16xf32>, %arg2: tensor<16xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x64xf32>, %arg5: tensor<64x16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<16x16xf32>, %arg8: tensor<16x16xf32>, %arg9: tensor<16x16xf32>) -> (tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>) {
    %0:10 = stablehlo.optimization_barrier %arg1, %arg2, %arg3, %arg4, %arg5, %arg6, %arg7, %arg8, %arg9, %arg0 : tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<4x8x16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0#0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_0 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %4 = stablehlo.divide %2, %3 : tensor<4x8x1xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %6 = stablehlo.subtract %0#0, %5 : tensor<4x8x16xf32>
    %7 = stablehlo.multiply %6, %6 : tensor<4x8x16xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %cst_2 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %11 = stablehlo.divide %9, %10 : tensor<4x8x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %13 = stablehlo.add %11, %12 : tensor<4x8x1xf32>
    %14 = stablehlo.rsqrt %13 : tensor<4x8x1xf32>
    %15 = stablehlo.divide %14, %13 : tensor<4x8x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %17 = stablehlo.multiply %16, %15 : tensor<4x8x1xf32>
    %18 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %19 = stablehlo.multiply %6, %18 : tensor<4x8x16xf32>
    %20 = stablehlo.broadcast_in_dim %0#1, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %22 = stablehlo.multiply %19, %21 : tensor<4x8x16xf32>
    %23 = stablehlo.dot_general %22, %0#7, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %24 = stablehlo.reshape %23 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %25 = stablehlo.dot_general %22, %0#5, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %26 = stablehlo.reshape %25 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %27 = stablehlo.dot_general %22, %0#8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %28 = stablehlo.reshape %27 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %29 = stablehlo.reshape %24 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %30 = stablehlo.dot_general %29, %26, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x1x4xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_5 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %32 = stablehlo.multiply %30, %31 : tensor<4x4x8x1x8xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %33 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<4x4x8x8xi1>
    %c_6 = stablehlo.constant dense<true> : tensor<i1>
    %34 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i1>) -> tensor<8x8xi1>
    %35 = call @tril_7(%34) : (tensor<8x8xi1>) -> tensor<8x8xi1>
    %36 = stablehlo.broadcast_in_dim %35, dims = [2, 3] : (tensor<8x8xi1>) -> tensor<1x1x8x8xi1>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2, 3] : (tensor<1x1x8x8xi1>) -> tensor<4x4x8x8xi1>
    %38 = stablehlo.and %33, %37 : tensor<4x4x8x8xi1>
    %cst_7 = stablehlo.constant dense<-2.38197633E+38> : tensor<f32>
    %39:2 = call @_where_8(%38, %32, %cst_7) : (tensor<4x4x8x8xi1>, tensor<4x4x8x1x8xf32>, tensor<f32>) -> (tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>)
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.reduce(%39#0 init: %cst_8) applies stablehlo.maximum across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<1x4x4x8xf32>
    %42 = stablehlo.maximum %41, %40 : tensor<1x4x4x8xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %45 = stablehlo.subtract %39#0, %44 : tensor<1x4x4x8x8xf32>
    %46 = stablehlo.exponential %45 : tensor<1x4x4x8x8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %47 = stablehlo.reduce(%46 init: %cst_10) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %50 = stablehlo.divide %46, %49 : tensor<1x4x4x8x8xf32>
    %51 = stablehlo.multiply %48, %48 : tensor<1x4x4x8x1xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x1xf32>
    %53 = stablehlo.divide %52, %51 : tensor<1x4x4x8x1xf32>
    %54 = stablehlo.dot_general %28, %50, batching_dims = [0, 2] x [1, 2], contracting_dims = [1] x [4], precision = [DEFAULT, DEFAULT] : (tensor<4x8x4x4xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x1x8xf32>
    %55 = stablehlo.transpose %54, dims = [3, 0, 4, 1, 2] : (tensor<4x4x4x1x8xf32>) -> tensor<1x4x8x4x4xf32>
    %56 = stablehlo.transpose %55, dims = [1, 2, 3, 0, 4] : (tensor<1x4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %57 = stablehlo.reshape %56 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %58 = stablehlo.reshape %57 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %59 = stablehlo.dot_general %58, %0#6, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %60 = stablehlo.add %0#0, %59 : tensor<4x8x16xf32>
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
    %75 = stablehlo.divide %74, %73 : tensor<4x8x1xf32>
    %cst_17 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<4x8x1xf32>
    %78 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %79 = stablehlo.multiply %66, %78 : tensor<4x8x16xf32>
    %80 = stablehlo.broadcast_in_dim %0#2, dims = [2] : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %81 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %82 = stablehlo.multiply %79, %81 : tensor<4x8x16xf32>
    %83 = stablehlo.dot_general %82, %0#3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x64xf32>) -> tensor<4x8x64xf32>
    %84 = stablehlo.multiply %83, %83 : tensor<4x8x64xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<4x8x64xf32>
    %86 = stablehlo.multiply %83, %83 : tensor<4x8x64xf32>
    %cst_18 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %87 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %88 = stablehlo.multiply %87, %86 : tensor<4x8x64xf32>
    %cst_19 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %90 = stablehlo.multiply %89, %85 : tensor<4x8x64xf32>
    %91 = stablehlo.add %83, %90 : tensor<4x8x64xf32>
    %cst_20 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %92 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %93 = stablehlo.multiply %92, %91 : tensor<4x8x64xf32>
    %94 = stablehlo.tanh %93 : tensor<4x8x64xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %96 = stablehlo.subtract %95, %94 : tensor<4x8x64xf32>
    %cst_22 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %97 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %98 = stablehlo.add %97, %94 : tensor<4x8x64xf32>
    %cst_23 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %99 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %100 = stablehlo.multiply %99, %98 : tensor<4x8x64xf32>
    %101 = stablehlo.multiply %83, %100 : tensor<4x8x64xf32>
    %102 = stablehlo.dot_general %0#9, %101, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x64xf32>) -> tensor<16x64xf32>
    %103 = stablehlo.transpose %102, dims = [1, 0] : (tensor<16x64xf32>) -> tensor<64x16xf32>
    %104 = stablehlo.dot_general %0#9, %0#4, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<64x16xf32>) -> tensor<4x8x64xf32>
    %105 = stablehlo.multiply %83, %104 : tensor<4x8x64xf32>
    %106 = stablehlo.multiply %104, %100 : tensor<4x8x64xf32>
    %cst_24 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %108 = stablehlo.multiply %107, %105 : tensor<4x8x64xf32>
    %109 = stablehlo.multiply %108, %96 : tensor<4x8x64xf32>
    %110 = stablehlo.multiply %109, %94 : tensor<4x8x64xf32>
    %111 = stablehlo.add %109, %110 : tensor<4x8x64xf32>
    %cst_25 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %112 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %113 = stablehlo.multiply %112, %111 : tensor<4x8x64xf32>
    %114 = stablehlo.add %106, %113 : tensor<4x8x64xf32>
    %cst_26 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<4x8x64xf32>
    %116 = stablehlo.multiply %115, %113 : tensor<4x8x64xf32>
    %117 = stablehlo.multiply %116, %88 : tensor<4x8x64xf32>
    %118 = stablehlo.add %114, %117 : tensor<4x8x64xf32>
    %119 = stablehlo.dot_general %118, %82, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<4x8x16xf32>) -> tensor<64x16xf32>
    %120 = stablehlo.transpose %119, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %121 = stablehlo.dot_general %118, %0#3, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x64xf32>, tensor<16x64xf32>) -> tensor<4x8x16xf32>
    %122 = stablehlo.multiply %79, %121 : tensor<4x8x16xf32>
    %cst_27 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %123 = stablehlo.reduce(%122 init: %cst_27) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %124 = stablehlo.reshape %123 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %125 = stablehlo.broadcast_in_dim %80, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %126 = stablehlo.multiply %121, %125 : tensor<4x8x16xf32>
    %cst_28 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%124 init: %cst_28) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %128 = stablehlo.multiply %66, %126 : tensor<4x8x16xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %129 = stablehlo.reduce(%128 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %130 = stablehlo.reshape %129 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %131 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %132 = stablehlo.multiply %126, %131 : tensor<4x8x16xf32>
    %133 = stablehlo.multiply %130, %77 : tensor<4x8x1xf32>
    %cst_30 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %135 = stablehlo.divide %133, %134 : tensor<4x8x1xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %136 = stablehlo.reduce(%135 init: %cst_31) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %137 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %138 = stablehlo.multiply %66, %137 : tensor<4x8x16xf32>
    %139 = stablehlo.add %132, %138 : tensor<4x8x16xf32>
    %140 = stablehlo.multiply %137, %66 : tensor<4x8x16xf32>
    %141 = stablehlo.add %139, %140 : tensor<4x8x16xf32>
    %142 = stablehlo.negate %141 : tensor<4x8x16xf32>
    %cst_32 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %143 = stablehlo.reduce(%142 init: %cst_32) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %144 = stablehlo.reshape %143 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %145 = stablehlo.add %0#9, %141 : tensor<4x8x16xf32>
    %cst_33 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %147 = stablehlo.divide %144, %146 : tensor<4x8x1xf32>
    %cst_34 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %148 = stablehlo.reduce(%147 init: %cst_34) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %149 = stablehlo.broadcast_in_dim %148, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %150 = stablehlo.add %145, %149 : tensor<4x8x16xf32>
    %151 = stablehlo.dot_general %150, %58, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %152 = stablehlo.transpose %151, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %153 = stablehlo.dot_general %150, %0#6, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %154 = stablehlo.reshape %153 : (tensor<4x8x16xf32>) -> tensor<4x8x4x4xf32>
    %155 = stablehlo.reshape %154 : (tensor<4x8x4x4xf32>) -> tensor<4x8x4x1x4xf32>
    %156 = stablehlo.transpose %155, dims = [3, 0, 1, 2, 4] : (tensor<4x8x4x1x4xf32>) -> tensor<1x4x8x4x4xf32>
    %157 = stablehlo.transpose %156, dims = [1, 3, 4, 0, 2] : (tensor<1x4x8x4x4xf32>) -> tensor<4x4x4x1x8xf32>
    %158 = stablehlo.dot_general %157, %28, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x1x8x8xf32>
    %159 = stablehlo.transpose %158, dims = [2, 0, 1, 3, 4] : (tensor<4x4x1x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %160 = stablehlo.dot_general %157, %50, batching_dims = [0, 1] x [1, 2], contracting_dims = [3, 4] x [0, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x4x1x8xf32>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x4x8xf32>
    %161 = stablehlo.transpose %160, dims = [0, 3, 1, 2] : (tensor<4x4x4x8xf32>) -> tensor<4x8x4x4xf32>
    %162 = stablehlo.broadcast_in_dim %53, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %163 = stablehlo.multiply %159, %162 : tensor<1x4x4x8x8xf32>
    %164 = stablehlo.multiply %163, %46 : tensor<1x4x4x8x8xf32>
    %cst_35 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %165 = stablehlo.reduce(%164 init: %cst_35) applies stablehlo.add across dimensions = [4] : (tensor<1x4x4x8x8xf32>, tensor<f32>) -> tensor<1x4x4x8xf32>
    %166 = stablehlo.reshape %165 : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x1xf32>
    %167 = stablehlo.negate %166 : tensor<1x4x4x8x1xf32>
    %168 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3, 4] : (tensor<1x4x4x8x1xf32>) -> tensor<1x4x4x8x8xf32>
    %169 = stablehlo.divide %159, %168 : tensor<1x4x4x8x8xf32>
    %cst_36 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %170 = stablehlo.reduce(%167 init: %cst_36) applies stablehlo.add across dimensions = [0, 4] : (tensor<1x4x4x8x1xf32>, tensor<f32>) -> tensor<4x4x8xf32>
    %171 = stablehlo.broadcast_in_dim %170, dims = [1, 2, 3] : (tensor<4x4x8xf32>) -> tensor<1x4x4x8xf32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [0, 1, 2, 3] : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8x8xf32>
    %173 = stablehlo.add %169, %172 : tensor<1x4x4x8x8xf32>
    %174 = stablehlo.multiply %173, %46 : tensor<1x4x4x8x8xf32>
    %175 = call @_where_9(%39#1, %174) : (tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    %cst_37 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %176 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<4x4x8x1x8xf32>
    %177 = stablehlo.multiply %175, %176 : tensor<4x4x8x1x8xf32>
    %178 = stablehlo.dot_general %177, %29, batching_dims = [0, 1] x [0, 2], contracting_dims = [2, 3] x [1, 3], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x1x4xf32>) -> tensor<4x4x8x4xf32>
    %179 = stablehlo.transpose %178, dims = [0, 2, 1, 3] : (tensor<4x4x8x4xf32>) -> tensor<4x8x4x4xf32>
    %180 = stablehlo.dot_general %177, %26, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x4x8x1x8xf32>, tensor<4x8x4x4xf32>) -> tensor<4x4x8x1x4xf32>
    %181 = stablehlo.transpose %180, dims = [0, 2, 1, 3, 4] : (tensor<4x4x8x1x4xf32>) -> tensor<4x8x4x1x4xf32>
    %182 = stablehlo.reshape %181 : (tensor<4x8x4x1x4xf32>) -> tensor<4x8x4x4xf32>
    %183 = stablehlo.reshape %161 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %184 = stablehlo.dot_general %183, %22, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %185 = stablehlo.transpose %184, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %186 = stablehlo.dot_general %183, %0#8, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %187 = stablehlo.reshape %179 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %188 = stablehlo.dot_general %187, %22, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %189 = stablehlo.transpose %188, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %190 = stablehlo.dot_general %187, %0#5, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %191 = stablehlo.add %186, %190 : tensor<4x8x16xf32>
    %192 = stablehlo.reshape %182 : (tensor<4x8x4x4xf32>) -> tensor<4x8x16xf32>
    %193 = stablehlo.dot_general %192, %22, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<4x8x16xf32>) -> tensor<16x16xf32>
    %194 = stablehlo.transpose %193, dims = [1, 0] : (tensor<16x16xf32>) -> tensor<16x16xf32>
    %195 = stablehlo.dot_general %192, %0#7, contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x16xf32>, tensor<16x16xf32>) -> tensor<4x8x16xf32>
    %196 = stablehlo.add %191, %195 : tensor<4x8x16xf32>
    %197 = stablehlo.multiply %19, %196 : tensor<4x8x16xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %198 = stablehlo.reduce(%197 init: %cst_38) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<16xf32>
    %199 = stablehlo.reshape %198 : (tensor<16xf32>) -> tensor<1x1x16xf32>
    %200 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<4x8x16xf32>
    %201 = stablehlo.multiply %196, %200 : tensor<4x8x16xf32>
    %cst_39 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %202 = stablehlo.reduce(%199 init: %cst_39) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1x16xf32>, tensor<f32>) -> tensor<16xf32>
    %203 = stablehlo.multiply %6, %201 : tensor<4x8x16xf32>
    %cst_40 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %204 = stablehlo.reduce(%203 init: %cst_40) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %205 = stablehlo.reshape %204 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %206 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<4x8x1xf32>) -> tensor<4x8x16xf32>
    %207 = stablehlo.multiply %201, %206 : tensor<4x8x16xf32>
    %208 = stablehlo.multiply %205, %17 : tensor<4x8x1xf32>
    %cst_41 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %210 = stablehlo.divide %208, %209 : tensor<4x8x1xf32>
    %cst_42 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %211 = stablehlo.reduce(%210 init: %cst_42) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %212 = stablehlo.broadcast_in_dim %211, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %213 = stablehlo.multiply %6, %212 : tensor<4x8x16xf32>
    %214 = stablehlo.add %207, %213 : tensor<4x8x16xf32>
    %215 = stablehlo.multiply %212, %6 : tensor<4x8x16xf32>
    %216 = stablehlo.add %214, %215 : tensor<4x8x16xf32>
    %217 = stablehlo.negate %216 : tensor<4x8x16xf32>
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %218 = stablehlo.reduce(%217 init: %cst_43) applies stablehlo.add across dimensions = [2] : (tensor<4x8x16xf32>, tensor<f32>) -> tensor<4x8xf32>
    %219 = stablehlo.reshape %218 : (tensor<4x8xf32>) -> tensor<4x8x1xf32>
    %220 = stablehlo.add %150, %216 : tensor<4x8x16xf32>
    %cst_44 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %221 = stablehlo.broadcast_in_dim %cst_44, dims = [] : (tensor<f32>) -> tensor<4x8x1xf32>
    %222 = stablehlo.divide %219, %221 : tensor<4x8x1xf32>
    %cst_45 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %223 = stablehlo.reduce(%222 init: %cst_45) applies stablehlo.add across dimensions = [2] : (tensor<4x8x1xf32>, tensor<f32>) -> tensor<4x8xf32>
    %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1] : (tensor<4x8xf32>) -> tensor<4x8x16xf32>
    %225 = stablehlo.add %220, %224 : tensor<4x8x16xf32>
    return %225, %202, %127, %120, %103, %189, %152, %194, %185 : tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16x64xf32>, tensor<64x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  func.func private @tril_7(%arg0: tensor<8x8xi1>) -> tensor<8x8xi1> {
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
  func.func private @_where_8(%arg0: tensor<4x4x8x8xi1>, %arg1: tensor<4x4x8x1x8xf32>, %arg2: tensor<f32>) -> (tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x4x8x8xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xi1>) -> tensor<1x4x4x8x8xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [1, 2, 3, 4] : (tensor<4x4x8x8xf32>) -> tensor<1x4x4x8x8xf32>
    %3 = stablehlo.transpose %arg1, dims = [3, 0, 1, 2, 4] : (tensor<4x4x8x1x8xf32>) -> tensor<1x4x4x8x8xf32>
    %4 = stablehlo.select %1, %3, %2 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
    return %4, %1 : tensor<1x4x4x8x8xf32>, tensor<1x4x4x8x8xi1>
  }
  func.func private @_where_9(%arg0: tensor<1x4x4x8x8xi1>, %arg1: tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x4x4x8x8xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<1x4x4x8x8xi1>, tensor<1x4x4x8x8xf32>
    %2 = stablehlo.transpose %1, dims = [1, 2, 3, 0, 4] : (tensor<1x4x4x8x8xf32>) -> tensor<4x4x8x1x8xf32>
    return %2 : tensor<4x4x8x1x8xf32>
  }
  func.func private @dynamic_update_index_in_dim_10(%arg0: tensor<3x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>) -> tensor<3x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<3x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<3x16xf32>
    return %1 : tensor<3x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_11(%arg0: tensor<3x16x64xf32>, %arg1: tensor<16x64xf32>, %arg2: tensor<i32>) -> tensor<3x16x64xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x64xf32>) -> tensor<1x16x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x64xf32>, tensor<1x16x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x64xf32>
    return %1 : tensor<3x16x64xf32>
  }
  func.func private @dynamic_update_index_in_dim_12(%arg0: tensor<3x64x16xf32>, %arg1: tensor<64x16xf32>, %arg2: tensor<i32>) -> tensor<3x64x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<64x16xf32>) -> tensor<1x64x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x64x16xf32>, tensor<1x64x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x64x16xf32>
    return %1 : tensor<3x64x16xf32>
  }
  func.func private @dynamic_update_index_in_dim_13(%arg0: tensor<3x16x16xf32>, %arg1: tensor<16x16xf32>, %arg2: tensor<i32>) -> tensor<3x16x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<16x16xf32>) -> tensor<1x16x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<3x16x16xf32>, tensor<1x16x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<3x16x16xf32>
    return %1 : tensor<3x16x16xf32>
  }
}

