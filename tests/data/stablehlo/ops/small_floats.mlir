// to_small: S = f8E8M0FNU f4E2M1FN; T = f32 f64 bf16 f16 i32 i64 ui8 ui64
func.func public @main(%x: tensor<12x6x$T>) -> tensor<12x6x$S> {
  %0 = stablehlo.convert %x : (tensor<12x6x$T>) -> tensor<12x6x$S>
  return %0 : tensor<12x6x$S>
}
// -----
// to_small_edges: S = f8E8M0FNU f4E2M1FN; T = f32 f64
func.func public @main() -> tensor<24x$S> {
  %c = stablehlo.constant dense<[0.0, -0.0, 1.0e-45, 2.9e-39, 5.877472e-39, 7.3e-39, 8.8e-39, 1.1754944e-38, 1.7632415e-38, 0.25, 0.2500001, 0.75, 1.25, 1.49, 1.75, 2.5, 3.5, 5.0, 5.1, 8.0, -0.1, 1.7014118e+38, 2.5351036e+38, 2.5521178e+38]> : tensor<24xf32>
  %b = stablehlo.optimization_barrier %c : tensor<24xf32>
  %0 = stablehlo.convert %b : (tensor<24xf32>) -> tensor<24x$T>
  %1 = stablehlo.convert %0 : (tensor<24x$T>) -> tensor<24x$S>
  return %1 : tensor<24x$S>
}
// -----
// to_small_infinite: S = f8E8M0FNU f4E2M1FN
func.func public @main() -> tensor<4x$S> {
  %c = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000]> : tensor<4xf32>
  %b = stablehlo.optimization_barrier %c : tensor<4xf32>
  %0 = stablehlo.convert %b : (tensor<4xf32>) -> tensor<4x$S>
  return %0 : tensor<4x$S>
}
// -----
// from_small: S = f8E8M0FNU f4E2M1FN f8E4M3FN; T = f32 f64 bf16 f16 f8E8M0FNU f4E2M1FN f8E5M2
// %x: 1..6
func.func public @main(%x: tensor<12x6x$S>) -> tensor<12x6x$T> {
  %0 = stablehlo.convert %x : (tensor<12x6x$S>) -> tensor<12x6x$T>
  return %0 : tensor<12x6x$T>
}
// -----
// from_small_to_integers: S = f8E8M0FNU f4E2M1FN f8E4M3FN; T = i32 i16 ui8
// %x: 1..4
func.func public @main(%x: tensor<12x6x$S>) -> tensor<12x6x$T> {
  %0 = stablehlo.convert %x : (tensor<12x6x$S>) -> tensor<12x6x$T>
  return %0 : tensor<12x6x$T>
}
// -----
// e8m0_of_bits: I = ui8 i8
// %x: 1..127
func.func public @main(%x: tensor<12x6x$I>) -> (tensor<12x6xf8E8M0FNU>, tensor<12x6x$I>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<12x6x$I>) -> tensor<12x6xf8E8M0FNU>
  %1 = stablehlo.bitcast_convert %0 : (tensor<12x6xf8E8M0FNU>) -> tensor<12x6x$I>
  return %0, %1 : tensor<12x6xf8E8M0FNU>, tensor<12x6x$I>
}
// -----
// e8m0_of_ends
func.func public @main() -> tensor<4xf32> {
  %c = stablehlo.constant dense<[1, 2, 254, 255]> : tensor<4xui8>
  %0 = stablehlo.bitcast_convert %c : (tensor<4xui8>) -> tensor<4xf8E8M0FNU>
  %1 = stablehlo.convert %0 : (tensor<4xf8E8M0FNU>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// -----
// e2m1_of_bits
// %x: 0..256
func.func public @main(%x: tensor<12x6xui8>) -> (tensor<12x6x2xf4E2M1FN>, tensor<12x6xui8>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<12x6xui8>) -> tensor<12x6x2xf4E2M1FN>
  %1 = stablehlo.bitcast_convert %0 : (tensor<12x6x2xf4E2M1FN>) -> tensor<12x6xui8>
  return %0, %1 : tensor<12x6x2xf4E2M1FN>, tensor<12x6xui8>
}
// -----
// small_constants
func.func public @main() -> (tensor<4xf8E8M0FNU>, tensor<6xf4E2M1FN>, tensor<2xf8E8M0FNU>) {
  %0 = stablehlo.constant dense<[1.0, 0x7D, 0xFF, 4.0]> : tensor<4xf8E8M0FNU>
  %1 = stablehlo.constant dense<[0.5, 1.0, -6.0, 0.0, -0.0, 3.0]> : tensor<6xf4E2M1FN>
  %2 = stablehlo.constant dense<"0x7E81"> : tensor<2xf8E8M0FNU>
  return %0, %1, %2 : tensor<4xf8E8M0FNU>, tensor<6xf4E2M1FN>, tensor<2xf8E8M0FNU>
}
// -----
// small_moved: S = f8E8M0FNU f4E2M1FN
// %x: 1..6
// %y: 1..6
func.func public @main(%x: tensor<4x6x$S>, %y: tensor<4x6x$S>) -> tensor<12x4x$S> {
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x6x$S>, tensor<4x6x$S>) -> tensor<4x12x$S>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<4x12x$S>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<4x12x$S>, tensor<4x12x$S>) -> tensor<4x12xi1>
  %3 = stablehlo.select %2, %0, %1 : tensor<4x12xi1>, tensor<4x12x$S>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<4x12x$S>) -> tensor<12x4x$S>
  return %4 : tensor<12x4x$S>
}
