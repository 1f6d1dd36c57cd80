// scaled_matmul_mxfp8: D = f8E4M3FN f8E5M2; O = f32 f16
// %x: 1..3
// %y: 1..3
func.func public @main(%a: tensor<2x4x192x$D>, %b: tensor<2x6x192xf8E4M3FN>, %x: tensor<2x4x6xf8E8M0FNU>, %y: tensor<2x6x6xf8E8M0FNU>) -> tensor<2x4x6x$O> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %x, %y) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<2x4x192x$D>, tensor<2x6x192xf8E4M3FN>, tensor<2x4x6xf8E8M0FNU>, tensor<2x6x6xf8E8M0FNU>) -> tensor<2x4x6x$O>
  return %0 : tensor<2x4x6x$O>
}
// -----
// scaled_matmul_mxfp8_to: O = bf16
// %a: 0..2
// %b: 0..2
// %x: 1..3
// %y: 1..3
func.func public @main(%a: tensor<2x4x192xf8E4M3FN>, %b: tensor<2x6x192xf8E4M3FN>, %x: tensor<2x4x6xf8E8M0FNU>, %y: tensor<2x6x6xf8E8M0FNU>) -> tensor<2x4x6x$O> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %x, %y) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<2x4x192xf8E4M3FN>, tensor<2x6x192xf8E4M3FN>, tensor<2x4x6xf8E8M0FNU>, tensor<2x6x6xf8E8M0FNU>) -> tensor<2x4x6x$O>
  return %0 : tensor<2x4x6x$O>
}
// -----
// scaled_matmul_nvfp4
func.func public @main(%a: tensor<2x4x96xf4E2M1FN>, %b: tensor<2x6x96xf4E2M1FN>, %x: tensor<2x4x6xf8E4M3FN>, %y: tensor<2x6x6xf8E4M3FN>) -> tensor<2x4x6xf32> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %x, %y) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<2x4x96xf4E2M1FN>, tensor<2x6x96xf4E2M1FN>, tensor<2x4x6xf8E4M3FN>, tensor<2x6x6xf8E4M3FN>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}
// -----
// scaled_matmul_nvfp4_to: O = bf16
// %a: 0..2
// %b: 0..2
// %x: 0..2
// %y: 0..2
func.func public @main(%a: tensor<2x4x96xf4E2M1FN>, %b: tensor<2x6x96xf4E2M1FN>, %x: tensor<2x4x6xf8E4M3FN>, %y: tensor<2x6x6xf8E4M3FN>) -> tensor<2x4x6x$O> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %x, %y) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<2x4x96xf4E2M1FN>, tensor<2x6x96xf4E2M1FN>, tensor<2x4x6xf8E4M3FN>, tensor<2x6x6xf8E4M3FN>) -> tensor<2x4x6x$O>
  return %0 : tensor<2x4x6x$O>
}
// -----
// scaled_matmul_of_matrices: S = f8E8M0FNU f32
// %x: 1..3
// %y: 1..3
func.func public @main(%a: tensor<4x64xbf16>, %b: tensor<6x64xf32>, %x: tensor<4x4x$S>, %y: tensor<6x2x$S>) -> tensor<4x6xf32> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %x, %y) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22dequantize_type\22: \22F32\22}}"} : (tensor<4x64xbf16>, tensor<6x64xf32>, tensor<4x4x$S>, tensor<6x2x$S>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// scaled_matmul_one_side
// %x: 1..3
func.func public @main(%a: tensor<4x64xf8E4M3FN>, %b: tensor<6x64xbf16>, %x: tensor<4x2xf8E8M0FNU>) -> tensor<4x6xf32> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %x) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22dequantize_type\22: \22F32\22}}"} : (tensor<4x64xf8E4M3FN>, tensor<6x64xbf16>, tensor<4x2xf8E8M0FNU>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// scaled_matmul_with_factor
func.func public @main(%a: tensor<2x4x64xf4E2M1FN>, %b: tensor<2x6x64xf4E2M1FN>, %x: tensor<2x4x4xf8E4M3FN>, %y: tensor<2x6x4xf8E4M3FN>, %z: tensor<f32>) -> tensor<2x4x6xf32> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %b, %x, %y, %z) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<2x4x64xf4E2M1FN>, tensor<2x6x64xf4E2M1FN>, tensor<2x4x4xf8E4M3FN>, tensor<2x6x4xf8E4M3FN>, tensor<f32>) -> tensor<2x4x6xf32>
  return %0 : tensor<2x4x6xf32>
}
// -----
// scaled_dot_general_mxfp8_gradient
func.func public @main(%arg0: tensor<32x64xf32>, %arg1: tensor<64x32xf32>) -> (tensor<32x64xf32> {jax.result_info = "result[0]"}, tensor<64x32xf32> {jax.result_info = "result[1]"}) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<32x64xf32>) -> tensor<32x64x1xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<64x32xf32>) -> tensor<64x32x1xf32>
  %2 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<32x64x1xf32>) -> tensor<1x32x64xf32>
  %3 = stablehlo.transpose %1, dims = [2, 1, 0] : (tensor<64x32x1xf32>) -> tensor<1x32x64xf32>
  %4 = stablehlo.reshape %2 : (tensor<1x32x64xf32>) -> tensor<1x32x2x32xf32>
  %5 = stablehlo.abs %4 : tensor<1x32x2x32xf32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %6 = stablehlo.reduce(%5 init: %cst) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x2x32xf32>, tensor<f32>) -> tensor<1x32x2xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<1x32x2xf32>) -> tensor<1x32x2x1xf32>
  %cst_0 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x32x2x1xf32>
  %9 = stablehlo.divide %7, %8 : tensor<1x32x2x1xf32>
  %10 = stablehlo.bitcast_convert %9 : (tensor<1x32x2x1xf32>) -> tensor<1x32x2x1xui32>
  %c = stablehlo.constant dense<23> : tensor<ui32>
  %11 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %12 = stablehlo.shift_right_logical %10, %11 : tensor<1x32x2x1xui32>
  %c_1 = stablehlo.constant dense<8388607> : tensor<ui32>
  %13 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %14 = stablehlo.and %10, %13 : tensor<1x32x2x1xui32>
  %c_2 = stablehlo.constant dense<0> : tensor<ui32>
  %15 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %16 = stablehlo.compare GT, %14, %15, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %c_3 = stablehlo.constant dense<254> : tensor<ui32>
  %17 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %18 = stablehlo.compare NE, %12, %17, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %19 = stablehlo.and %16, %18 : tensor<1x32x2x1xi1>
  %c_4 = stablehlo.constant dense<0> : tensor<ui32>
  %20 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %21 = stablehlo.compare EQ, %12, %20, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %c_5 = stablehlo.constant dense<4194304> : tensor<ui32>
  %22 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %23 = stablehlo.compare LE, %14, %22, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %24 = stablehlo.and %21, %23 : tensor<1x32x2x1xi1>
  %25 = stablehlo.not %24 : tensor<1x32x2x1xi1>
  %26 = stablehlo.and %19, %25 : tensor<1x32x2x1xi1>
  %c_6 = stablehlo.constant dense<1> : tensor<ui32>
  %27 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %28 = stablehlo.add %12, %27 : tensor<1x32x2x1xui32>
  %29 = call @_where(%26, %28, %12) : (tensor<1x32x2x1xi1>, tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xui32>
  %30 = stablehlo.convert %29 : (tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xui8>
  %31 = stablehlo.convert %30 : (tensor<1x32x2x1xui8>) -> tensor<1x32x2x1xui32>
  %c_7 = stablehlo.constant dense<23> : tensor<ui32>
  %32 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %33 = stablehlo.shift_left %31, %32 : tensor<1x32x2x1xui32>
  %34 = stablehlo.bitcast_convert %33 : (tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %35 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<1x32x2x1xf32>
  %36 = stablehlo.compare EQ, %34, %35, FLOAT : (tensor<1x32x2x1xf32>, tensor<1x32x2x1xf32>) -> tensor<1x32x2x1xi1>
  %cst_9 = stablehlo.constant dense<5.87747175E-39> : tensor<f32>
  %37 = call @_where_0(%36, %cst_9, %34) : (tensor<1x32x2x1xi1>, tensor<f32>, tensor<1x32x2x1xf32>) -> tensor<1x32x2x1xf32>
  %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x32x2x1xf32>) -> tensor<1x32x2x32xf32>
  %39 = stablehlo.divide %4, %38 : tensor<1x32x2x32xf32>
  %cst_10 = stablehlo.constant dense<-4.480000e+02> : tensor<f32>
  %cst_11 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %40 = call @clip(%39, %cst_10, %cst_11) : (tensor<1x32x2x32xf32>, tensor<f32>, tensor<f32>) -> tensor<1x32x2x32xf32>
  %41 = stablehlo.convert %40 : (tensor<1x32x2x32xf32>) -> tensor<1x32x2x32xf8E4M3FN>
  %42 = stablehlo.reshape %41 : (tensor<1x32x2x32xf8E4M3FN>) -> tensor<1x32x64xf8E4M3FN>
  %43 = stablehlo.reshape %30 : (tensor<1x32x2x1xui8>) -> tensor<1x32x2xui8>
  %44 = stablehlo.bitcast_convert %43 : (tensor<1x32x2xui8>) -> tensor<1x32x2xf8E8M0FNU>
  %45 = stablehlo.reshape %3 : (tensor<1x32x64xf32>) -> tensor<1x32x2x32xf32>
  %46 = stablehlo.abs %45 : tensor<1x32x2x32xf32>
  %cst_12 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %47 = stablehlo.reduce(%46 init: %cst_12) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x2x32xf32>, tensor<f32>) -> tensor<1x32x2xf32>
  %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2] : (tensor<1x32x2xf32>) -> tensor<1x32x2x1xf32>
  %cst_13 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %49 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x32x2x1xf32>
  %50 = stablehlo.divide %48, %49 : tensor<1x32x2x1xf32>
  %51 = stablehlo.bitcast_convert %50 : (tensor<1x32x2x1xf32>) -> tensor<1x32x2x1xui32>
  %c_14 = stablehlo.constant dense<23> : tensor<ui32>
  %52 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %53 = stablehlo.shift_right_logical %51, %52 : tensor<1x32x2x1xui32>
  %c_15 = stablehlo.constant dense<8388607> : tensor<ui32>
  %54 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %55 = stablehlo.and %51, %54 : tensor<1x32x2x1xui32>
  %c_16 = stablehlo.constant dense<0> : tensor<ui32>
  %56 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %57 = stablehlo.compare GT, %55, %56, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %c_17 = stablehlo.constant dense<254> : tensor<ui32>
  %58 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %59 = stablehlo.compare NE, %53, %58, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %60 = stablehlo.and %57, %59 : tensor<1x32x2x1xi1>
  %c_18 = stablehlo.constant dense<0> : tensor<ui32>
  %61 = stablehlo.broadcast_in_dim %c_18, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %62 = stablehlo.compare EQ, %53, %61, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %c_19 = stablehlo.constant dense<4194304> : tensor<ui32>
  %63 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %64 = stablehlo.compare LE, %55, %63, UNSIGNED : (tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xi1>
  %65 = stablehlo.and %62, %64 : tensor<1x32x2x1xi1>
  %66 = stablehlo.not %65 : tensor<1x32x2x1xi1>
  %67 = stablehlo.and %60, %66 : tensor<1x32x2x1xi1>
  %c_20 = stablehlo.constant dense<1> : tensor<ui32>
  %68 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %69 = stablehlo.add %53, %68 : tensor<1x32x2x1xui32>
  %70 = call @_where(%67, %69, %53) : (tensor<1x32x2x1xi1>, tensor<1x32x2x1xui32>, tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xui32>
  %71 = stablehlo.convert %70 : (tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xui8>
  %72 = stablehlo.convert %71 : (tensor<1x32x2x1xui8>) -> tensor<1x32x2x1xui32>
  %c_21 = stablehlo.constant dense<23> : tensor<ui32>
  %73 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<ui32>) -> tensor<1x32x2x1xui32>
  %74 = stablehlo.shift_left %72, %73 : tensor<1x32x2x1xui32>
  %75 = stablehlo.bitcast_convert %74 : (tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xf32>
  %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %76 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<1x32x2x1xf32>
  %77 = stablehlo.compare EQ, %75, %76, FLOAT : (tensor<1x32x2x1xf32>, tensor<1x32x2x1xf32>) -> tensor<1x32x2x1xi1>
  %cst_23 = stablehlo.constant dense<5.87747175E-39> : tensor<f32>
  %78 = call @_where_0(%77, %cst_23, %75) : (tensor<1x32x2x1xi1>, tensor<f32>, tensor<1x32x2x1xf32>) -> tensor<1x32x2x1xf32>
  %79 = stablehlo.broadcast_in_dim %78, dims = [0, 1, 2, 3] : (tensor<1x32x2x1xf32>) -> tensor<1x32x2x32xf32>
  %80 = stablehlo.divide %45, %79 : tensor<1x32x2x32xf32>
  %cst_24 = stablehlo.constant dense<-4.480000e+02> : tensor<f32>
  %cst_25 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %81 = call @clip(%80, %cst_24, %cst_25) : (tensor<1x32x2x32xf32>, tensor<f32>, tensor<f32>) -> tensor<1x32x2x32xf32>
  %82 = stablehlo.convert %81 : (tensor<1x32x2x32xf32>) -> tensor<1x32x2x32xf8E4M3FN>
  %83 = stablehlo.reshape %82 : (tensor<1x32x2x32xf8E4M3FN>) -> tensor<1x32x64xf8E4M3FN>
  %84 = stablehlo.reshape %71 : (tensor<1x32x2x1xui8>) -> tensor<1x32x2xui8>
  %85 = stablehlo.bitcast_convert %84 : (tensor<1x32x2xui8>) -> tensor<1x32x2xf8E8M0FNU>
  %86 = call @_scaled_matmul(%42, %83, %44, %85) : (tensor<1x32x64xf8E4M3FN>, tensor<1x32x64xf8E4M3FN>, tensor<1x32x2xf8E8M0FNU>, tensor<1x32x2xf8E8M0FNU>) -> tensor<1x32x32xf32>
  %87 = stablehlo.reshape %86 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
  %cst_26 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %88 = stablehlo.broadcast_in_dim %cst_26, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
  %89 = stablehlo.multiply %88, %87 : tensor<32x32xf32>
  %cst_27 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %90 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
  %91 = stablehlo.multiply %90, %89 : tensor<32x32xf32>
  %92 = stablehlo.broadcast_in_dim %91, dims = [1, 2] : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
  %93 = stablehlo.transpose %1, dims = [2, 0, 1] : (tensor<64x32x1xf32>) -> tensor<1x64x32xf32>
  %94 = stablehlo.reshape %92 : (tensor<1x32x32xf32>) -> tensor<1x32x1x32xf32>
  %95 = stablehlo.abs %94 : tensor<1x32x1x32xf32>
  %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %96 = stablehlo.reduce(%95 init: %cst_28) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1x32xf32>, tensor<f32>) -> tensor<1x32x1xf32>
  %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<1x32x1x1xf32>
  %cst_29 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %98 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x32x1x1xf32>
  %99 = stablehlo.divide %97, %98 : tensor<1x32x1x1xf32>
  %100 = stablehlo.bitcast_convert %99 : (tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xui32>
  %c_30 = stablehlo.constant dense<23> : tensor<ui32>
  %101 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %102 = stablehlo.shift_right_logical %100, %101 : tensor<1x32x1x1xui32>
  %c_31 = stablehlo.constant dense<8388607> : tensor<ui32>
  %103 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %104 = stablehlo.and %100, %103 : tensor<1x32x1x1xui32>
  %c_32 = stablehlo.constant dense<0> : tensor<ui32>
  %105 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %106 = stablehlo.compare GT, %104, %105, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %c_33 = stablehlo.constant dense<254> : tensor<ui32>
  %107 = stablehlo.broadcast_in_dim %c_33, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %108 = stablehlo.compare NE, %102, %107, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %109 = stablehlo.and %106, %108 : tensor<1x32x1x1xi1>
  %c_34 = stablehlo.constant dense<0> : tensor<ui32>
  %110 = stablehlo.broadcast_in_dim %c_34, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %111 = stablehlo.compare EQ, %102, %110, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %c_35 = stablehlo.constant dense<4194304> : tensor<ui32>
  %112 = stablehlo.broadcast_in_dim %c_35, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %113 = stablehlo.compare LE, %104, %112, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %114 = stablehlo.and %111, %113 : tensor<1x32x1x1xi1>
  %115 = stablehlo.not %114 : tensor<1x32x1x1xi1>
  %116 = stablehlo.and %109, %115 : tensor<1x32x1x1xi1>
  %c_36 = stablehlo.constant dense<1> : tensor<ui32>
  %117 = stablehlo.broadcast_in_dim %c_36, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %118 = stablehlo.add %102, %117 : tensor<1x32x1x1xui32>
  %119 = call @_where_1(%116, %118, %102) : (tensor<1x32x1x1xi1>, tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xui32>
  %120 = stablehlo.convert %119 : (tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xui8>
  %121 = stablehlo.convert %120 : (tensor<1x32x1x1xui8>) -> tensor<1x32x1x1xui32>
  %c_37 = stablehlo.constant dense<23> : tensor<ui32>
  %122 = stablehlo.broadcast_in_dim %c_37, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %123 = stablehlo.shift_left %121, %122 : tensor<1x32x1x1xui32>
  %124 = stablehlo.bitcast_convert %123 : (tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xf32>
  %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %125 = stablehlo.broadcast_in_dim %cst_38, dims = [] : (tensor<f32>) -> tensor<1x32x1x1xf32>
  %126 = stablehlo.compare EQ, %124, %125, FLOAT : (tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xi1>
  %cst_39 = stablehlo.constant dense<5.87747175E-39> : tensor<f32>
  %127 = call @_where_2(%126, %cst_39, %124) : (tensor<1x32x1x1xi1>, tensor<f32>, tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
  %128 = stablehlo.broadcast_in_dim %127, dims = [0, 1, 2, 3] : (tensor<1x32x1x1xf32>) -> tensor<1x32x1x32xf32>
  %129 = stablehlo.divide %94, %128 : tensor<1x32x1x32xf32>
  %cst_40 = stablehlo.constant dense<-4.480000e+02> : tensor<f32>
  %cst_41 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %130 = call @clip_3(%129, %cst_40, %cst_41) : (tensor<1x32x1x32xf32>, tensor<f32>, tensor<f32>) -> tensor<1x32x1x32xf32>
  %131 = stablehlo.convert %130 : (tensor<1x32x1x32xf32>) -> tensor<1x32x1x32xf8E4M3FN>
  %132 = stablehlo.reshape %131 : (tensor<1x32x1x32xf8E4M3FN>) -> tensor<1x32x32xf8E4M3FN>
  %133 = stablehlo.reshape %120 : (tensor<1x32x1x1xui8>) -> tensor<1x32x1xui8>
  %134 = stablehlo.bitcast_convert %133 : (tensor<1x32x1xui8>) -> tensor<1x32x1xf8E8M0FNU>
  %135 = stablehlo.reshape %93 : (tensor<1x64x32xf32>) -> tensor<1x64x1x32xf32>
  %136 = stablehlo.abs %135 : tensor<1x64x1x32xf32>
  %cst_42 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %137 = stablehlo.reduce(%136 init: %cst_42) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1x32xf32>, tensor<f32>) -> tensor<1x64x1xf32>
  %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2] : (tensor<1x64x1xf32>) -> tensor<1x64x1x1xf32>
  %cst_43 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %139 = stablehlo.broadcast_in_dim %cst_43, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
  %140 = stablehlo.divide %138, %139 : tensor<1x64x1x1xf32>
  %141 = stablehlo.bitcast_convert %140 : (tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xui32>
  %c_44 = stablehlo.constant dense<23> : tensor<ui32>
  %142 = stablehlo.broadcast_in_dim %c_44, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %143 = stablehlo.shift_right_logical %141, %142 : tensor<1x64x1x1xui32>
  %c_45 = stablehlo.constant dense<8388607> : tensor<ui32>
  %144 = stablehlo.broadcast_in_dim %c_45, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %145 = stablehlo.and %141, %144 : tensor<1x64x1x1xui32>
  %c_46 = stablehlo.constant dense<0> : tensor<ui32>
  %146 = stablehlo.broadcast_in_dim %c_46, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %147 = stablehlo.compare GT, %145, %146, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %c_47 = stablehlo.constant dense<254> : tensor<ui32>
  %148 = stablehlo.broadcast_in_dim %c_47, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %149 = stablehlo.compare NE, %143, %148, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %150 = stablehlo.and %147, %149 : tensor<1x64x1x1xi1>
  %c_48 = stablehlo.constant dense<0> : tensor<ui32>
  %151 = stablehlo.broadcast_in_dim %c_48, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %152 = stablehlo.compare EQ, %143, %151, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %c_49 = stablehlo.constant dense<4194304> : tensor<ui32>
  %153 = stablehlo.broadcast_in_dim %c_49, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %154 = stablehlo.compare LE, %145, %153, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %155 = stablehlo.and %152, %154 : tensor<1x64x1x1xi1>
  %156 = stablehlo.not %155 : tensor<1x64x1x1xi1>
  %157 = stablehlo.and %150, %156 : tensor<1x64x1x1xi1>
  %c_50 = stablehlo.constant dense<1> : tensor<ui32>
  %158 = stablehlo.broadcast_in_dim %c_50, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %159 = stablehlo.add %143, %158 : tensor<1x64x1x1xui32>
  %160 = call @_where_4(%157, %159, %143) : (tensor<1x64x1x1xi1>, tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xui32>
  %161 = stablehlo.convert %160 : (tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xui8>
  %162 = stablehlo.convert %161 : (tensor<1x64x1x1xui8>) -> tensor<1x64x1x1xui32>
  %c_51 = stablehlo.constant dense<23> : tensor<ui32>
  %163 = stablehlo.broadcast_in_dim %c_51, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %164 = stablehlo.shift_left %162, %163 : tensor<1x64x1x1xui32>
  %165 = stablehlo.bitcast_convert %164 : (tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xf32>
  %cst_52 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %166 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
  %167 = stablehlo.compare EQ, %165, %166, FLOAT : (tensor<1x64x1x1xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xi1>
  %cst_53 = stablehlo.constant dense<5.87747175E-39> : tensor<f32>
  %168 = call @_where_5(%167, %cst_53, %165) : (tensor<1x64x1x1xi1>, tensor<f32>, tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32>
  %169 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x1x32xf32>
  %170 = stablehlo.divide %135, %169 : tensor<1x64x1x32xf32>
  %cst_54 = stablehlo.constant dense<-4.480000e+02> : tensor<f32>
  %cst_55 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %171 = call @clip_6(%170, %cst_54, %cst_55) : (tensor<1x64x1x32xf32>, tensor<f32>, tensor<f32>) -> tensor<1x64x1x32xf32>
  %172 = stablehlo.convert %171 : (tensor<1x64x1x32xf32>) -> tensor<1x64x1x32xf8E4M3FN>
  %173 = stablehlo.reshape %172 : (tensor<1x64x1x32xf8E4M3FN>) -> tensor<1x64x32xf8E4M3FN>
  %174 = stablehlo.reshape %161 : (tensor<1x64x1x1xui8>) -> tensor<1x64x1xui8>
  %175 = stablehlo.bitcast_convert %174 : (tensor<1x64x1xui8>) -> tensor<1x64x1xf8E8M0FNU>
  %176 = call @_scaled_matmul_7(%132, %173, %134, %175) : (tensor<1x32x32xf8E4M3FN>, tensor<1x64x32xf8E4M3FN>, tensor<1x32x1xf8E8M0FNU>, tensor<1x64x1xf8E8M0FNU>) -> tensor<1x32x64xf32>
  %177 = stablehlo.transpose %176, dims = [1, 2, 0] : (tensor<1x32x64xf32>) -> tensor<32x64x1xf32>
  %178 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<32x64x1xf32>) -> tensor<1x64x32xf32>
  %179 = stablehlo.transpose %92, dims = [0, 2, 1] : (tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %180 = stablehlo.reshape %179 : (tensor<1x32x32xf32>) -> tensor<1x32x1x32xf32>
  %181 = stablehlo.abs %180 : tensor<1x32x1x32xf32>
  %cst_56 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %182 = stablehlo.reduce(%181 init: %cst_56) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x1x32xf32>, tensor<f32>) -> tensor<1x32x1xf32>
  %183 = stablehlo.broadcast_in_dim %182, dims = [0, 1, 2] : (tensor<1x32x1xf32>) -> tensor<1x32x1x1xf32>
  %cst_57 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %184 = stablehlo.broadcast_in_dim %cst_57, dims = [] : (tensor<f32>) -> tensor<1x32x1x1xf32>
  %185 = stablehlo.divide %183, %184 : tensor<1x32x1x1xf32>
  %186 = stablehlo.bitcast_convert %185 : (tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xui32>
  %c_58 = stablehlo.constant dense<23> : tensor<ui32>
  %187 = stablehlo.broadcast_in_dim %c_58, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %188 = stablehlo.shift_right_logical %186, %187 : tensor<1x32x1x1xui32>
  %c_59 = stablehlo.constant dense<8388607> : tensor<ui32>
  %189 = stablehlo.broadcast_in_dim %c_59, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %190 = stablehlo.and %186, %189 : tensor<1x32x1x1xui32>
  %c_60 = stablehlo.constant dense<0> : tensor<ui32>
  %191 = stablehlo.broadcast_in_dim %c_60, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %192 = stablehlo.compare GT, %190, %191, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %c_61 = stablehlo.constant dense<254> : tensor<ui32>
  %193 = stablehlo.broadcast_in_dim %c_61, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %194 = stablehlo.compare NE, %188, %193, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %195 = stablehlo.and %192, %194 : tensor<1x32x1x1xi1>
  %c_62 = stablehlo.constant dense<0> : tensor<ui32>
  %196 = stablehlo.broadcast_in_dim %c_62, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %197 = stablehlo.compare EQ, %188, %196, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %c_63 = stablehlo.constant dense<4194304> : tensor<ui32>
  %198 = stablehlo.broadcast_in_dim %c_63, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %199 = stablehlo.compare LE, %190, %198, UNSIGNED : (tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xi1>
  %200 = stablehlo.and %197, %199 : tensor<1x32x1x1xi1>
  %201 = stablehlo.not %200 : tensor<1x32x1x1xi1>
  %202 = stablehlo.and %195, %201 : tensor<1x32x1x1xi1>
  %c_64 = stablehlo.constant dense<1> : tensor<ui32>
  %203 = stablehlo.broadcast_in_dim %c_64, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %204 = stablehlo.add %188, %203 : tensor<1x32x1x1xui32>
  %205 = call @_where_1(%202, %204, %188) : (tensor<1x32x1x1xi1>, tensor<1x32x1x1xui32>, tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xui32>
  %206 = stablehlo.convert %205 : (tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xui8>
  %207 = stablehlo.convert %206 : (tensor<1x32x1x1xui8>) -> tensor<1x32x1x1xui32>
  %c_65 = stablehlo.constant dense<23> : tensor<ui32>
  %208 = stablehlo.broadcast_in_dim %c_65, dims = [] : (tensor<ui32>) -> tensor<1x32x1x1xui32>
  %209 = stablehlo.shift_left %207, %208 : tensor<1x32x1x1xui32>
  %210 = stablehlo.bitcast_convert %209 : (tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xf32>
  %cst_66 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %211 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<1x32x1x1xf32>
  %212 = stablehlo.compare EQ, %210, %211, FLOAT : (tensor<1x32x1x1xf32>, tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xi1>
  %cst_67 = stablehlo.constant dense<5.87747175E-39> : tensor<f32>
  %213 = call @_where_2(%212, %cst_67, %210) : (tensor<1x32x1x1xi1>, tensor<f32>, tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32>
  %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<1x32x1x1xf32>) -> tensor<1x32x1x32xf32>
  %215 = stablehlo.divide %180, %214 : tensor<1x32x1x32xf32>
  %cst_68 = stablehlo.constant dense<-4.480000e+02> : tensor<f32>
  %cst_69 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %216 = call @clip_3(%215, %cst_68, %cst_69) : (tensor<1x32x1x32xf32>, tensor<f32>, tensor<f32>) -> tensor<1x32x1x32xf32>
  %217 = stablehlo.convert %216 : (tensor<1x32x1x32xf32>) -> tensor<1x32x1x32xf8E4M3FN>
  %218 = stablehlo.reshape %217 : (tensor<1x32x1x32xf8E4M3FN>) -> tensor<1x32x32xf8E4M3FN>
  %219 = stablehlo.reshape %206 : (tensor<1x32x1x1xui8>) -> tensor<1x32x1xui8>
  %220 = stablehlo.bitcast_convert %219 : (tensor<1x32x1xui8>) -> tensor<1x32x1xf8E8M0FNU>
  %221 = stablehlo.reshape %178 : (tensor<1x64x32xf32>) -> tensor<1x64x1x32xf32>
  %222 = stablehlo.abs %221 : tensor<1x64x1x32xf32>
  %cst_70 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %223 = stablehlo.reduce(%222 init: %cst_70) applies stablehlo.maximum across dimensions = [3] : (tensor<1x64x1x32xf32>, tensor<f32>) -> tensor<1x64x1xf32>
  %224 = stablehlo.broadcast_in_dim %223, dims = [0, 1, 2] : (tensor<1x64x1xf32>) -> tensor<1x64x1x1xf32>
  %cst_71 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %225 = stablehlo.broadcast_in_dim %cst_71, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
  %226 = stablehlo.divide %224, %225 : tensor<1x64x1x1xf32>
  %227 = stablehlo.bitcast_convert %226 : (tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xui32>
  %c_72 = stablehlo.constant dense<23> : tensor<ui32>
  %228 = stablehlo.broadcast_in_dim %c_72, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %229 = stablehlo.shift_right_logical %227, %228 : tensor<1x64x1x1xui32>
  %c_73 = stablehlo.constant dense<8388607> : tensor<ui32>
  %230 = stablehlo.broadcast_in_dim %c_73, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %231 = stablehlo.and %227, %230 : tensor<1x64x1x1xui32>
  %c_74 = stablehlo.constant dense<0> : tensor<ui32>
  %232 = stablehlo.broadcast_in_dim %c_74, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %233 = stablehlo.compare GT, %231, %232, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %c_75 = stablehlo.constant dense<254> : tensor<ui32>
  %234 = stablehlo.broadcast_in_dim %c_75, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %235 = stablehlo.compare NE, %229, %234, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %236 = stablehlo.and %233, %235 : tensor<1x64x1x1xi1>
  %c_76 = stablehlo.constant dense<0> : tensor<ui32>
  %237 = stablehlo.broadcast_in_dim %c_76, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %238 = stablehlo.compare EQ, %229, %237, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %c_77 = stablehlo.constant dense<4194304> : tensor<ui32>
  %239 = stablehlo.broadcast_in_dim %c_77, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %240 = stablehlo.compare LE, %231, %239, UNSIGNED : (tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xi1>
  %241 = stablehlo.and %238, %240 : tensor<1x64x1x1xi1>
  %242 = stablehlo.not %241 : tensor<1x64x1x1xi1>
  %243 = stablehlo.and %236, %242 : tensor<1x64x1x1xi1>
  %c_78 = stablehlo.constant dense<1> : tensor<ui32>
  %244 = stablehlo.broadcast_in_dim %c_78, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %245 = stablehlo.add %229, %244 : tensor<1x64x1x1xui32>
  %246 = call @_where_4(%243, %245, %229) : (tensor<1x64x1x1xi1>, tensor<1x64x1x1xui32>, tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xui32>
  %247 = stablehlo.convert %246 : (tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xui8>
  %248 = stablehlo.convert %247 : (tensor<1x64x1x1xui8>) -> tensor<1x64x1x1xui32>
  %c_79 = stablehlo.constant dense<23> : tensor<ui32>
  %249 = stablehlo.broadcast_in_dim %c_79, dims = [] : (tensor<ui32>) -> tensor<1x64x1x1xui32>
  %250 = stablehlo.shift_left %248, %249 : tensor<1x64x1x1xui32>
  %251 = stablehlo.bitcast_convert %250 : (tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xf32>
  %cst_80 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %252 = stablehlo.broadcast_in_dim %cst_80, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
  %253 = stablehlo.compare EQ, %251, %252, FLOAT : (tensor<1x64x1x1xf32>, tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xi1>
  %cst_81 = stablehlo.constant dense<5.87747175E-39> : tensor<f32>
  %254 = call @_where_5(%253, %cst_81, %251) : (tensor<1x64x1x1xi1>, tensor<f32>, tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32>
  %255 = stablehlo.broadcast_in_dim %254, dims = [0, 1, 2, 3] : (tensor<1x64x1x1xf32>) -> tensor<1x64x1x32xf32>
  %256 = stablehlo.divide %221, %255 : tensor<1x64x1x32xf32>
  %cst_82 = stablehlo.constant dense<-4.480000e+02> : tensor<f32>
  %cst_83 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %257 = call @clip_6(%256, %cst_82, %cst_83) : (tensor<1x64x1x32xf32>, tensor<f32>, tensor<f32>) -> tensor<1x64x1x32xf32>
  %258 = stablehlo.convert %257 : (tensor<1x64x1x32xf32>) -> tensor<1x64x1x32xf8E4M3FN>
  %259 = stablehlo.reshape %258 : (tensor<1x64x1x32xf8E4M3FN>) -> tensor<1x64x32xf8E4M3FN>
  %260 = stablehlo.reshape %247 : (tensor<1x64x1x1xui8>) -> tensor<1x64x1xui8>
  %261 = stablehlo.bitcast_convert %260 : (tensor<1x64x1xui8>) -> tensor<1x64x1xf8E8M0FNU>
  %262 = call @_scaled_matmul_7(%218, %259, %220, %261) : (tensor<1x32x32xf8E4M3FN>, tensor<1x64x32xf8E4M3FN>, tensor<1x32x1xf8E8M0FNU>, tensor<1x64x1xf8E8M0FNU>) -> tensor<1x32x64xf32>
  %263 = stablehlo.transpose %262, dims = [2, 1, 0] : (tensor<1x32x64xf32>) -> tensor<64x32x1xf32>
  %cst_84 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %264 = stablehlo.reduce(%263 init: %cst_84) applies stablehlo.add across dimensions = [2] : (tensor<64x32x1xf32>, tensor<f32>) -> tensor<64x32xf32>
  %cst_85 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %265 = stablehlo.reduce(%177 init: %cst_85) applies stablehlo.add across dimensions = [2] : (tensor<32x64x1xf32>, tensor<f32>) -> tensor<32x64xf32>
  return %265, %264 : tensor<32x64xf32>, tensor<64x32xf32>
}
func.func private @_where(%arg0: tensor<1x32x2x1xi1>, %arg1: tensor<1x32x2x1xui32>, %arg2: tensor<1x32x2x1xui32>) -> tensor<1x32x2x1xui32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x32x2x1xi1>, tensor<1x32x2x1xui32>
  return %0 : tensor<1x32x2x1xui32>
}
func.func private @_where_0(%arg0: tensor<1x32x2x1xi1>, %arg1: tensor<f32>, %arg2: tensor<1x32x2x1xf32>) -> tensor<1x32x2x1xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x32x2x1xf32>
  %1 = stablehlo.select %arg0, %0, %arg2 : tensor<1x32x2x1xi1>, tensor<1x32x2x1xf32>
  return %1 : tensor<1x32x2x1xf32>
}
func.func private @clip(%arg0: tensor<1x32x2x32xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<1x32x2x32xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x32x2x32xf32>
  %1 = stablehlo.maximum %0, %arg0 : tensor<1x32x2x32xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x32x2x32xf32>
  %3 = stablehlo.minimum %2, %1 : tensor<1x32x2x32xf32>
  return %3 : tensor<1x32x2x32xf32>
}
func.func private @_scaled_matmul(%arg0: tensor<1x32x64xf8E4M3FN>, %arg1: tensor<1x32x64xf8E4M3FN>, %arg2: tensor<1x32x2xf8E8M0FNU>, %arg3: tensor<1x32x2xf8E8M0FNU>) -> tensor<1x32x32xf32> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<1x32x64xf8E4M3FN>, tensor<1x32x64xf8E4M3FN>, tensor<1x32x2xf8E8M0FNU>, tensor<1x32x2xf8E8M0FNU>) -> tensor<1x32x32xf32>
  return %0 : tensor<1x32x32xf32>
}
func.func private @_where_1(%arg0: tensor<1x32x1x1xi1>, %arg1: tensor<1x32x1x1xui32>, %arg2: tensor<1x32x1x1xui32>) -> tensor<1x32x1x1xui32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x32x1x1xi1>, tensor<1x32x1x1xui32>
  return %0 : tensor<1x32x1x1xui32>
}
func.func private @_where_2(%arg0: tensor<1x32x1x1xi1>, %arg1: tensor<f32>, %arg2: tensor<1x32x1x1xf32>) -> tensor<1x32x1x1xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x32x1x1xf32>
  %1 = stablehlo.select %arg0, %0, %arg2 : tensor<1x32x1x1xi1>, tensor<1x32x1x1xf32>
  return %1 : tensor<1x32x1x1xf32>
}
func.func private @clip_3(%arg0: tensor<1x32x1x32xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<1x32x1x32xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x32x1x32xf32>
  %1 = stablehlo.maximum %0, %arg0 : tensor<1x32x1x32xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x32x1x32xf32>
  %3 = stablehlo.minimum %2, %1 : tensor<1x32x1x32xf32>
  return %3 : tensor<1x32x1x32xf32>
}
func.func private @_where_4(%arg0: tensor<1x64x1x1xi1>, %arg1: tensor<1x64x1x1xui32>, %arg2: tensor<1x64x1x1xui32>) -> tensor<1x64x1x1xui32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<1x64x1x1xi1>, tensor<1x64x1x1xui32>
  return %0 : tensor<1x64x1x1xui32>
}
func.func private @_where_5(%arg0: tensor<1x64x1x1xi1>, %arg1: tensor<f32>, %arg2: tensor<1x64x1x1xf32>) -> tensor<1x64x1x1xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x64x1x1xf32>
  %1 = stablehlo.select %arg0, %0, %arg2 : tensor<1x64x1x1xi1>, tensor<1x64x1x1xf32>
  return %1 : tensor<1x64x1x1xf32>
}
func.func private @clip_6(%arg0: tensor<1x64x1x32xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<1x64x1x32xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x64x1x32xf32>
  %1 = stablehlo.maximum %0, %arg0 : tensor<1x64x1x32xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x64x1x32xf32>
  %3 = stablehlo.minimum %2, %1 : tensor<1x64x1x32xf32>
  return %3 : tensor<1x64x1x32xf32>
}
func.func private @_scaled_matmul_7(%arg0: tensor<1x32x32xf8E4M3FN>, %arg1: tensor<1x64x32xf8E4M3FN>, %arg2: tensor<1x32x1xf8E8M0FNU>, %arg3: tensor<1x64x1xf8E8M0FNU>) -> tensor<1x32x64xf32> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<1x32x32xf8E4M3FN>, tensor<1x64x32xf8E4M3FN>, tensor<1x32x1xf8E8M0FNU>, tensor<1x64x1xf8E8M0FNU>) -> tensor<1x32x64xf32>
  return %0 : tensor<1x32x64xf32>
}
// -----
// scaled_dot_general_nvfp4_gradient
func.func public @main(%arg0: tensor<32x48xf32>, %arg1: tensor<48x32xf32>) -> (tensor<32x48xf32> {jax.result_info = "result[0]"}, tensor<48x32xf32> {jax.result_info = "result[1]"}) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<1xf32>
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<32x48xf32>) -> tensor<32x48x1xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<48x32xf32>) -> tensor<48x32x1xf32>
  %2 = stablehlo.transpose %0, dims = [2, 0, 1] : (tensor<32x48x1xf32>) -> tensor<1x32x48xf32>
  %3 = stablehlo.transpose %1, dims = [2, 1, 0] : (tensor<48x32x1xf32>) -> tensor<1x32x48xf32>
  %4 = stablehlo.reshape %2 : (tensor<1x32x48xf32>) -> tensor<1x32x3x16xf32>
  %5 = stablehlo.broadcast_in_dim %cst, dims = [3] : (tensor<1xf32>) -> tensor<1x1x1x1xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<1x32x3x16xf32>
  %7 = stablehlo.divide %4, %6 : tensor<1x32x3x16xf32>
  %8 = stablehlo.abs %7 : tensor<1x32x3x16xf32>
  %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %9 = stablehlo.reduce(%8 init: %cst_0) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x3x16xf32>, tensor<f32>) -> tensor<1x32x3xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<1x32x3xf32>) -> tensor<1x32x3x1xf32>
  %cst_1 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x32x3x1xf32>
  %12 = stablehlo.divide %10, %11 : tensor<1x32x3x1xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %cst_2 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %13 = call @clip(%12, %c, %cst_2) : (tensor<1x32x3x1xf32>, tensor<i32>, tensor<f32>) -> tensor<1x32x3x1xf32>
  %14 = stablehlo.convert %13 : (tensor<1x32x3x1xf32>) -> tensor<1x32x3x1xf8E4M3FN>
  %15 = stablehlo.optimization_barrier %14 : tensor<1x32x3x1xf8E4M3FN>
  %16 = stablehlo.convert %15 : (tensor<1x32x3x1xf8E4M3FN>) -> tensor<1x32x3x1xf32>
  %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x32x3x1xf32>) -> tensor<1x32x3x16xf32>
  %18 = stablehlo.divide %7, %17 : tensor<1x32x3x16xf32>
  %cst_3 = stablehlo.constant dense<-6.000000e+00> : tensor<f32>
  %cst_4 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %19 = call @clip_0(%18, %cst_3, %cst_4) : (tensor<1x32x3x16xf32>, tensor<f32>, tensor<f32>) -> tensor<1x32x3x16xf32>
  %20 = stablehlo.convert %19 : (tensor<1x32x3x16xf32>) -> tensor<1x32x3x16xf4E2M1FN>
  %21 = stablehlo.reshape %20 : (tensor<1x32x3x16xf4E2M1FN>) -> tensor<1x32x48xf4E2M1FN>
  %22 = stablehlo.reshape %15 : (tensor<1x32x3x1xf8E4M3FN>) -> tensor<1x32x3xf8E4M3FN>
  %23 = stablehlo.reshape %3 : (tensor<1x32x48xf32>) -> tensor<1x32x3x16xf32>
  %24 = stablehlo.broadcast_in_dim %cst, dims = [3] : (tensor<1xf32>) -> tensor<1x1x1x1xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x1x1xf32>) -> tensor<1x32x3x16xf32>
  %26 = stablehlo.divide %23, %25 : tensor<1x32x3x16xf32>
  %27 = stablehlo.abs %26 : tensor<1x32x3x16xf32>
  %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %28 = stablehlo.reduce(%27 init: %cst_5) applies stablehlo.maximum across dimensions = [3] : (tensor<1x32x3x16xf32>, tensor<f32>) -> tensor<1x32x3xf32>
  %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<1x32x3xf32>) -> tensor<1x32x3x1xf32>
  %cst_6 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %30 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<1x32x3x1xf32>
  %31 = stablehlo.divide %29, %30 : tensor<1x32x3x1xf32>
  %c_7 = stablehlo.constant dense<0> : tensor<i32>
  %cst_8 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %32 = call @clip(%31, %c_7, %cst_8) : (tensor<1x32x3x1xf32>, tensor<i32>, tensor<f32>) -> tensor<1x32x3x1xf32>
  %33 = stablehlo.convert %32 : (tensor<1x32x3x1xf32>) -> tensor<1x32x3x1xf8E4M3FN>
  %34 = stablehlo.optimization_barrier %33 : tensor<1x32x3x1xf8E4M3FN>
  %35 = stablehlo.convert %34 : (tensor<1x32x3x1xf8E4M3FN>) -> tensor<1x32x3x1xf32>
  %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x32x3x1xf32>) -> tensor<1x32x3x16xf32>
  %37 = stablehlo.divide %26, %36 : tensor<1x32x3x16xf32>
  %cst_9 = stablehlo.constant dense<-6.000000e+00> : tensor<f32>
  %cst_10 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %38 = call @clip_0(%37, %cst_9, %cst_10) : (tensor<1x32x3x16xf32>, tensor<f32>, tensor<f32>) -> tensor<1x32x3x16xf32>
  %39 = stablehlo.convert %38 : (tensor<1x32x3x16xf32>) -> tensor<1x32x3x16xf4E2M1FN>
  %40 = stablehlo.reshape %39 : (tensor<1x32x3x16xf4E2M1FN>) -> tensor<1x32x48xf4E2M1FN>
  %41 = stablehlo.reshape %34 : (tensor<1x32x3x1xf8E4M3FN>) -> tensor<1x32x3xf8E4M3FN>
  %42 = call @_scaled_matmul(%21, %40, %22, %41) : (tensor<1x32x48xf4E2M1FN>, tensor<1x32x48xf4E2M1FN>, tensor<1x32x3xf8E4M3FN>, tensor<1x32x3xf8E4M3FN>) -> tensor<1x32x32xf32>
  %43 = stablehlo.multiply %cst, %cst : tensor<1xf32>
  %44 = stablehlo.broadcast_in_dim %43, dims = [2] : (tensor<1xf32>) -> tensor<1x1x1xf32>
  %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<1x32x32xf32>
  %46 = stablehlo.multiply %42, %45 : tensor<1x32x32xf32>
  %47 = stablehlo.reshape %46 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
  %cst_11 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %48 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
  %49 = stablehlo.multiply %48, %47 : tensor<32x32xf32>
  %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %50 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<32x32xf32>
  %51 = stablehlo.multiply %50, %49 : tensor<32x32xf32>
  %52 = stablehlo.broadcast_in_dim %51, dims = [1, 2] : (tensor<32x32xf32>) -> tensor<1x32x32xf32>
  %53 = stablehlo.transpose %1, dims = [2, 0, 1] : (tensor<48x32x1xf32>) -> tensor<1x48x32xf32>
  %54 = stablehlo.transpose %53, dims = [0, 2, 1] : (tensor<1x48x32xf32>) -> tensor<1x32x48xf32>
  %55 = stablehlo.reshape %52 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
  %56 = stablehlo.reshape %54 : (tensor<1x32x48xf32>) -> tensor<32x48xf32>
  %57 = stablehlo.dot_general %55, %56, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
  %58 = stablehlo.broadcast_in_dim %57, dims = [1, 2] : (tensor<32x48xf32>) -> tensor<1x32x48xf32>
  %59 = stablehlo.transpose %58, dims = [1, 2, 0] : (tensor<1x32x48xf32>) -> tensor<32x48x1xf32>
  %60 = stablehlo.transpose %0, dims = [2, 1, 0] : (tensor<32x48x1xf32>) -> tensor<1x48x32xf32>
  %61 = stablehlo.transpose %52, dims = [0, 2, 1] : (tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %62 = stablehlo.transpose %60, dims = [0, 2, 1] : (tensor<1x48x32xf32>) -> tensor<1x32x48xf32>
  %63 = stablehlo.reshape %61 : (tensor<1x32x32xf32>) -> tensor<32x32xf32>
  %64 = stablehlo.reshape %62 : (tensor<1x32x48xf32>) -> tensor<32x48xf32>
  %65 = stablehlo.dot_general %63, %64, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<32x32xf32>, tensor<32x48xf32>) -> tensor<32x48xf32>
  %66 = stablehlo.broadcast_in_dim %65, dims = [1, 2] : (tensor<32x48xf32>) -> tensor<1x32x48xf32>
  %67 = stablehlo.transpose %66, dims = [2, 1, 0] : (tensor<1x32x48xf32>) -> tensor<48x32x1xf32>
  %68 = stablehlo.abs %0 : tensor<32x48x1xf32>
  %cst_13 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %69 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %70 = stablehlo.multiply %cst, %69 : tensor<1xf32>
  %cst_14 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %71 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %72 = stablehlo.multiply %70, %71 : tensor<1xf32>
  %73 = stablehlo.broadcast_in_dim %72, dims = [2] : (tensor<1xf32>) -> tensor<1x1x1xf32>
  %74 = stablehlo.broadcast_in_dim %73, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<32x48x1xf32>
  %75 = stablehlo.compare LE, %68, %74, FLOAT : (tensor<32x48x1xf32>, tensor<32x48x1xf32>) -> tensor<32x48x1xi1>
  %c_15 = stablehlo.constant dense<0> : tensor<i32>
  %76 = call @_where(%75, %59, %c_15) : (tensor<32x48x1xi1>, tensor<32x48x1xf32>, tensor<i32>) -> tensor<32x48x1xf32>
  %77 = stablehlo.abs %1 : tensor<48x32x1xf32>
  %cst_16 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %78 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %79 = stablehlo.multiply %cst, %78 : tensor<1xf32>
  %cst_17 = stablehlo.constant dense<4.480000e+02> : tensor<f32>
  %80 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %81 = stablehlo.multiply %79, %80 : tensor<1xf32>
  %82 = stablehlo.broadcast_in_dim %81, dims = [2] : (tensor<1xf32>) -> tensor<1x1x1xf32>
  %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2] : (tensor<1x1x1xf32>) -> tensor<48x32x1xf32>
  %84 = stablehlo.compare LE, %77, %83, FLOAT : (tensor<48x32x1xf32>, tensor<48x32x1xf32>) -> tensor<48x32x1xi1>
  %c_18 = stablehlo.constant dense<0> : tensor<i32>
  %85 = call @_where_1(%84, %67, %c_18) : (tensor<48x32x1xi1>, tensor<48x32x1xf32>, tensor<i32>) -> tensor<48x32x1xf32>
  %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %86 = stablehlo.reduce(%85 init: %cst_19) applies stablehlo.add across dimensions = [2] : (tensor<48x32x1xf32>, tensor<f32>) -> tensor<48x32xf32>
  %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %87 = stablehlo.reduce(%76 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<32x48x1xf32>, tensor<f32>) -> tensor<32x48xf32>
  return %87, %86 : tensor<32x48xf32>, tensor<48x32xf32>
}
func.func private @clip(%arg0: tensor<1x32x3x1xf32>, %arg1: tensor<i32>, %arg2: tensor<f32>) -> tensor<1x32x3x1xf32> {
  %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x32x3x1xf32>
  %2 = stablehlo.maximum %1, %arg0 : tensor<1x32x3x1xf32>
  %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x32x3x1xf32>
  %4 = stablehlo.minimum %3, %2 : tensor<1x32x3x1xf32>
  return %4 : tensor<1x32x3x1xf32>
}
func.func private @clip_0(%arg0: tensor<1x32x3x16xf32>, %arg1: tensor<f32>, %arg2: tensor<f32>) -> tensor<1x32x3x16xf32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1x32x3x16xf32>
  %1 = stablehlo.maximum %0, %arg0 : tensor<1x32x3x16xf32>
  %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<1x32x3x16xf32>
  %3 = stablehlo.minimum %2, %1 : tensor<1x32x3x16xf32>
  return %3 : tensor<1x32x3x16xf32>
}
func.func private @_scaled_matmul(%arg0: tensor<1x32x48xf4E2M1FN>, %arg1: tensor<1x32x48xf4E2M1FN>, %arg2: tensor<1x32x3xf8E4M3FN>, %arg3: tensor<1x32x3xf8E4M3FN>) -> tensor<1x32x32xf32> {
  %0 = stablehlo.custom_call @__op$block_scaled_dot(%arg0, %arg1, %arg2, %arg3) {api_version = 2 : i32, backend_config = "{\22scaled_dot_backend_config\22: {\22lhs_batch_dimensions\22: [0], \22rhs_batch_dimensions\22: [0], \22dequantize_type\22: \22F32\22}}"} : (tensor<1x32x48xf4E2M1FN>, tensor<1x32x48xf4E2M1FN>, tensor<1x32x3xf8E4M3FN>, tensor<1x32x3xf8E4M3FN>) -> tensor<1x32x32xf32>
  return %0 : tensor<1x32x32xf32>
}
func.func private @_where(%arg0: tensor<32x48x1xi1>, %arg1: tensor<32x48x1xf32>, %arg2: tensor<i32>) -> tensor<32x48x1xf32> {
  %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<32x48x1xf32>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<32x48x1xi1>, tensor<32x48x1xf32>
  return %2 : tensor<32x48x1xf32>
}
func.func private @_where_1(%arg0: tensor<48x32x1xi1>, %arg1: tensor<48x32x1xf32>, %arg2: tensor<i32>) -> tensor<48x32x1xf32> {
  %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<48x32x1xf32>
  %2 = stablehlo.select %arg0, %arg1, %1 : tensor<48x32x1xi1>, tensor<48x32x1xf32>
  return %2 : tensor<48x32x1xf32>
}
