// add: T = f32 f64 bf16 f16 i32 i64 i8 ui8 ui32
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.add %x, %y : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// truth: OP = and or xor
func.func public @main(%x: tensor<4x6xi1>, %y: tensor<4x6xi1>) -> tensor<4x6xi1> {
  %0 = stablehlo.$OP %x, %y : tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
// -----
// not: T = i1 i32 ui32 i64 i8 ui8
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.not %x : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// numbers: OP = subtract multiply maximum minimum; T = f32 i32 i8 ui32
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x, %y : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// quotients: OP = divide remainder; T = f32 i32 ui32 i64
// %y: 1..5
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x, %y : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// quotients_by_any: OP = divide remainder; T = i32 i8 ui32
// %x: -300000..300000
// %y: -2..2
func.func public @main(%x: tensor<4x6xi32>, %y: tensor<4x6xi32>) -> tensor<4x6x$T> {
  %0 = stablehlo.convert %x : (tensor<4x6xi32>) -> tensor<4x6x$T>
  %1 = stablehlo.convert %y : (tensor<4x6xi32>) -> tensor<4x6x$T>
  %2 = stablehlo.$OP %0, %1 : tensor<4x6x$T>
  return %2 : tensor<4x6x$T>
}
// -----
// large_unsigned: OP = maximum minimum divide remainder
// %x: -3..3
// %y: -3..3
func.func public @main(%x: tensor<4x6xi32>, %y: tensor<4x6xi32>) -> tensor<4x6xui32> {
  %0 = stablehlo.convert %x : (tensor<4x6xi32>) -> tensor<4x6xui32>
  %1 = stablehlo.convert %y : (tensor<4x6xi32>) -> tensor<4x6xui32>
  %2 = stablehlo.$OP %0, %1 : tensor<4x6xui32>
  return %2 : tensor<4x6xui32>
}
// -----
// power: T = f32 f64
// %x: 0..3
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.power %x, %y : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// power_of_integers: T = i32 i8 ui32
// %x: -3..4
// %y: 0..7
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.power %x, %y : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// atan2: T = f32 f64
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.atan2 %x, %y : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// signed: OP = negate abs sign; T = f32 bf16 i32 i64 i8
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// of_one: OP = exponential exponential_minus_one logistic tanh tan sine cosine cbrt floor ceil round_nearest_even round_nearest_afz; T = f32 f64
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// of_one_in_16_bits: OP = exponential tanh logistic floor; T = bf16 f16
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// of_positive: OP = log log_plus_one sqrt rsqrt; T = f32 f64
// %x: 0..4
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// is_finite: T = f32 bf16
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6xi1> {
  %0 = stablehlo.floor %y : tensor<4x6x$T>
  %1 = stablehlo.divide %x, %0 : tensor<4x6x$T>
  %2 = stablehlo.is_finite %1 : (tensor<4x6x$T>) -> tensor<4x6xi1>
  return %2 : tensor<4x6xi1>
}
// -----
// bits: OP = and or xor shift_left shift_right_logical shift_right_arithmetic; T = i32 ui32 i64 i8 ui8
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x, %y : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// large_shifts: OP = shift_left shift_right_logical shift_right_arithmetic; T = i32 ui32
// %y: 0..64
func.func public @main(%x: tensor<4x6xi32>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.convert %x : (tensor<4x6xi32>) -> tensor<4x6x$T>
  %1 = stablehlo.$OP %0, %y : tensor<4x6x$T>
  return %1 : tensor<4x6x$T>
}
// -----
// counts: OP = popcnt count_leading_zeros; T = i32 ui32 i64 i8 ui8
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.$OP %x : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// select: T = f32 bf16 i32 i1
func.func public @main(%c: tensor<4x6xi1>, %x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.select %c, %x, %y : tensor<4x6xi1>, tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// select_by_a_scalar
func.func public @main(%c: tensor<i1>, %x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.select %c, %x, %y : tensor<i1>, tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// clamp: T = f32 i32 i8 ui32
func.func public @main(%low: tensor<4x6x$T>, %x: tensor<4x6x$T>, %high: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.clamp %low, %x, %high : tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// clamp_between_scalars
func.func public @main(%low: tensor<f32>, %x: tensor<4x6xf32>, %high: tensor<f32>) -> tensor<4x6xf32> {
  %0 = stablehlo.clamp %low, %x, %high : (tensor<f32>, tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// compare: D = EQ NE LT LE GT GE
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xi1> {
  %0 = stablehlo.compare $D, %x, %y, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
// -----
// compare_signed: D = EQ LT GE
func.func public @main(%x: tensor<4x6xi32>, %y: tensor<4x6xi32>) -> tensor<4x6xi1> {
  %0 = stablehlo.compare $D, %x, %y, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
// -----
// compare_unsigned: D = NE LT GE; T = ui32 ui8 i1
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6xi1> {
  %0 = stablehlo.compare $D, %x, %y, UNSIGNED : (tensor<4x6x$T>, tensor<4x6x$T>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
// -----
// compare_generic
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xi1> {
  %0 = "stablehlo.compare"(%x, %y) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
// -----
// convert: F = f32 i32 i8 ui32 i1; T = f32 bf16 f16 f64 i32 i64 i8 ui8 i1
// %x: 0..4
func.func public @main(%x: tensor<4x6x$F>) -> tensor<4x6x$T> {
  %0 = stablehlo.convert %x : (tensor<4x6x$F>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// convert_negative: F = f32 i32 i8; T = i64 bf16 f64 i8
func.func public @main(%x: tensor<4x6x$F>) -> tensor<4x6x$T> {
  %0 = stablehlo.convert %x : (tensor<4x6x$F>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// constants
func.func public @main() -> (tensor<2x3xf32>, tensor<4xf32>, tensor<2x2xi32>, tensor<3xi1>, tensor<4xbf16>, tensor<2xi64>, tensor<f32>, tensor<2xui32>) {
  %0 = stablehlo.constant dense<1.500000e+00> : tensor<2x3xf32>
  %1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 1.0, -2.5e-3]> : tensor<4xf32>
  %2 = stablehlo.constant dense<[[1, -2], [3, 2147483647]]> : tensor<2x2xi32>
  %3 = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
  %4 = stablehlo.constant dense<0x7FC0> : tensor<4xbf16>
  %5 = stablehlo.constant dense<[-9223372036854775808, 9223372036854775807]> : tensor<2xi64>
  %6 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
  %7 = stablehlo.constant dense<"0x01000000FFFFFFFF"> : tensor<2xui32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x3xf32>, tensor<4xf32>, tensor<2x2xi32>, tensor<3xi1>, tensor<4xbf16>, tensor<2xi64>, tensor<f32>, tensor<2xui32>
}
// -----
// iota: D = 0 1; T = f32 i32 ui32 i64 i8
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.iota dim = $D : tensor<4x6x$T>
  %1 = stablehlo.add %x, %0 : tensor<4x6x$T>
  return %1 : tensor<4x6x$T>
}
// -----
// chlo: OP = erf square tan atan cosh sinh asinh erfc digamma lgamma; T = f32 f64
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = chlo.$OP %x : tensor<4x6x$T> -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// chlo_within_one: OP = asin acos atanh erf_inv; T = f32 f64
// %x: -1..1
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = chlo.$OP %x : tensor<4x6x$T> -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// chlo_above_one: OP = acosh lgamma digamma erfc; T = f32 f64
// %x: 1..8
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = chlo.$OP %x : tensor<4x6x$T> -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// chlo_infinite: OP = is_inf is_pos_inf is_neg_inf
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xi1> {
  %0 = stablehlo.floor %y : tensor<4x6xf32>
  %1 = stablehlo.divide %x, %0 : tensor<4x6xf32>
  %2 = chlo.$OP %1 : tensor<4x6xf32> -> tensor<4x6xi1>
  return %2 : tensor<4x6xi1>
}
// -----
// compare_total_order: D = EQ LT GE
// %x: -1..2
// %y: -1..2
func.func public @main(%x: tensor<4x6xi32>, %y: tensor<4x6xi32>) -> tensor<4x6xi1> {
  %z = stablehlo.constant dense<0.0> : tensor<4x6xf32>
  %a = stablehlo.convert %x : (tensor<4x6xi32>) -> tensor<4x6xf32>
  %b = stablehlo.convert %y : (tensor<4x6xi32>) -> tensor<4x6xf32>
  %0 = stablehlo.multiply %a, %z : tensor<4x6xf32>
  %1 = stablehlo.divide %b, %0 : tensor<4x6xf32>
  %2 = stablehlo.compare $D, %0, %1, TOTALORDER : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
  return %2 : tensor<4x6xi1>
}
// -----
// reduce_precision: F = e8m7 e5m10
// %y: 1..2
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.divide %x, %y : tensor<4x6xf32>
  %1 = stablehlo.reduce_precision %0, format = $F : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}
// -----
// bitcast_i1
func.func public @main(%x: tensor<4x6xi1>) -> tensor<4x6xi1> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xi1>) -> tensor<4x6xi1>
  return %0 : tensor<4x6xi1>
}
// -----
// bitcast_f32_to_ui32
func.func public @main(%x: tensor<4x6xf32>) -> tensor<4x6xui32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6xui32>
  return %0 : tensor<4x6xui32>
}
// -----
// bitcast_f32_to_i32
func.func public @main(%x: tensor<4x6xf32>) -> tensor<4x6xi32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6xi32>
  return %0 : tensor<4x6xi32>
}
// -----
// bitcast_f64_to_ui64
func.func public @main(%x: tensor<4x6xf64>) -> tensor<4x6xui64> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf64>) -> tensor<4x6xui64>
  return %0 : tensor<4x6xui64>
}
// -----
// bitcast_f64_to_i64
func.func public @main(%x: tensor<4x6xf64>) -> tensor<4x6xi64> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf64>) -> tensor<4x6xi64>
  return %0 : tensor<4x6xi64>
}
// -----
// bitcast_bf16_to_ui16
func.func public @main(%x: tensor<4x6xbf16>) -> tensor<4x6xui16> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xbf16>) -> tensor<4x6xui16>
  return %0 : tensor<4x6xui16>
}
// -----
// bitcast_f16_to_ui16
func.func public @main(%x: tensor<4x6xf16>) -> tensor<4x6xui16> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf16>) -> tensor<4x6xui16>
  return %0 : tensor<4x6xui16>
}
// -----
// bitcast_i32_to_ui32
func.func public @main(%x: tensor<4x6xi32>) -> tensor<4x6xui32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xi32>) -> tensor<4x6xui32>
  return %0 : tensor<4x6xui32>
}
// -----
// bitcast_i8_to_ui8
func.func public @main(%x: tensor<4x6xi8>) -> tensor<4x6xui8> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xi8>) -> tensor<4x6xui8>
  return %0 : tensor<4x6xui8>
}
// -----
// bitcast_and_back_f32
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf32>) -> tensor<4x6xui32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4x6xui32>) -> tensor<4x6xf32>
  %2 = stablehlo.multiply %1, %y : tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}
// -----
// bitcast_and_back_bf16
func.func public @main(%x: tensor<4x6xbf16>, %y: tensor<4x6xbf16>) -> tensor<4x6xbf16> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xbf16>) -> tensor<4x6xui16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4x6xui16>) -> tensor<4x6xbf16>
  %2 = stablehlo.multiply %1, %y : tensor<4x6xbf16>
  return %2 : tensor<4x6xbf16>
}
// -----
// bitcast_and_back_f16
func.func public @main(%x: tensor<4x6xf16>, %y: tensor<4x6xf16>) -> tensor<4x6xf16> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf16>) -> tensor<4x6xui16>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4x6xui16>) -> tensor<4x6xf16>
  %2 = stablehlo.multiply %1, %y : tensor<4x6xf16>
  return %2 : tensor<4x6xf16>
}
// -----
// bitcast_and_back_f64
func.func public @main(%x: tensor<4x6xf64>, %y: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xf64>) -> tensor<4x6xi64>
  %1 = stablehlo.bitcast_convert %0 : (tensor<4x6xi64>) -> tensor<4x6xf64>
  %2 = stablehlo.multiply %1, %y : tensor<4x6xf64>
  return %2 : tensor<4x6xf64>
}
// -----
// bitcast_to_parts
func.func public @main(%x: tensor<4x6xui32>, %y: tensor<4xf64>) -> (tensor<4x6x2xui16>, tensor<4x2xui32>, tensor<4x6x4xui8>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<4x6xui32>) -> tensor<4x6x2xui16>
  %1 = stablehlo.bitcast_convert %y : (tensor<4xf64>) -> tensor<4x2xui32>
  %n = stablehlo.not %x : tensor<4x6xui32>
  %2 = stablehlo.bitcast_convert %n : (tensor<4x6xui32>) -> tensor<4x6x4xui8>
  return %0, %1, %2 : tensor<4x6x2xui16>, tensor<4x2xui32>, tensor<4x6x4xui8>
}
// -----
// bitcast_of_parts
func.func public @main(%x: tensor<4x2xui32>, %y: tensor<4x6x2xui16>, %z: tensor<6x4xui8>) -> (tensor<4xui64>, tensor<4x6xi32>, tensor<6xi32>) {
  %n = stablehlo.not %x : tensor<4x2xui32>
  %0 = stablehlo.bitcast_convert %n : (tensor<4x2xui32>) -> tensor<4xui64>
  %1 = stablehlo.bitcast_convert %y : (tensor<4x6x2xui16>) -> tensor<4x6xi32>
  %2 = stablehlo.bitcast_convert %z : (tensor<6x4xui8>) -> tensor<6xi32>
  return %0, %1, %2 : tensor<4xui64>, tensor<4x6xi32>, tensor<6xi32>
}
// -----
// map
func.func public @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.constant dense<2.0> : tensor<f32>
    %d = stablehlo.multiply %a, %c : tensor<f32>
    %e = stablehlo.subtract %d, %b : tensor<f32>
    stablehlo.return %e : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// unsigned_64: OP = add subtract multiply maximum minimum divide remainder and or xor shift_left shift_right_logical
// %x: -3..3
// %y: -3..3
func.func public @main(%x: tensor<4x6xi64>, %y: tensor<4x6xi64>) -> tensor<4x6xui64> {
  %0 = stablehlo.convert %x : (tensor<4x6xi64>) -> tensor<4x6xui64>
  %1 = stablehlo.convert %y : (tensor<4x6xi64>) -> tensor<4x6xui64>
  %2 = stablehlo.$OP %0, %1 : tensor<4x6xui64>
  return %2 : tensor<4x6xui64>
}
// -----
// unsigned_64_compare: D = EQ LT GE
// %x: -3..3
// %y: -3..3
func.func public @main(%x: tensor<4x6xi64>, %y: tensor<4x6xi64>) -> (tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xui64>) {
  %0 = stablehlo.convert %x : (tensor<4x6xi64>) -> tensor<4x6xui64>
  %1 = stablehlo.convert %y : (tensor<4x6xi64>) -> tensor<4x6xui64>
  %2 = stablehlo.compare $D, %0, %1, UNSIGNED : (tensor<4x6xui64>, tensor<4x6xui64>) -> tensor<4x6xi1>
  %3 = stablehlo.convert %0 : (tensor<4x6xui64>) -> tensor<4x6xf32>
  %4 = stablehlo.clamp %0, %1, %0 : tensor<4x6xui64>
  return %2, %3, %4 : tensor<4x6xi1>, tensor<4x6xf32>, tensor<4x6xui64>
}
// -----
// narrow: OP = add subtract multiply maximum divide remainder shift_left shift_right_logical shift_right_arithmetic; T = i8 ui16
// %x: 1..120
// %y: 1..120
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.not %x : tensor<4x6x$T>
  %1 = stablehlo.multiply %0, %y : tensor<4x6x$T>
  %2 = stablehlo.$OP %1, %y : tensor<4x6x$T>
  return %2 : tensor<4x6x$T>
}
// -----
// narrow_counts: T = i8 i16 ui16
func.func public @main(%x: tensor<4x6x$T>) -> (tensor<4x6x$T>, tensor<4x6x$T>, tensor<4x6xf32>, tensor<3x$T>) {
  %0 = stablehlo.not %x : tensor<4x6x$T>
  %1 = stablehlo.popcnt %0 : tensor<4x6x$T>
  %2 = stablehlo.count_leading_zeros %x : tensor<4x6x$T>
  %3 = stablehlo.convert %0 : (tensor<4x6x$T>) -> tensor<4x6xf32>
  %4 = stablehlo.constant dense<[1, 2, 127]> : tensor<3x$T>
  return %1, %2, %3, %4 : tensor<4x6x$T>, tensor<4x6x$T>, tensor<4x6xf32>, tensor<3x$T>
}
// -----
// next_after: T = f32 f64 bf16 f16
// %x: -1..1
// %y: -1..1
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = chlo.next_after %x, %y : tensor<4x6x$T>, tensor<4x6x$T> -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// zeta: T = f32 f64
// %x: 1..5
// %y: 1..9
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = chlo.zeta %x, %y : tensor<4x6x$T>, tensor<4x6x$T> -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// zeta_below_zero: T = f32
// %x: 2..5 distinct
// %y: -3..3
func.func public @main(%x: tensor<4x6x$T>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = chlo.zeta %x, %y : tensor<4x6x$T>, tensor<4x6x$T> -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// polygamma: T = f32 f64
// %y: 1..6
func.func public @main(%n: tensor<4x6xi32>, %y: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = stablehlo.constant dense<3> : tensor<4x6xi32>
  %1 = stablehlo.and %n, %0 : tensor<4x6xi32>
  %2 = stablehlo.convert %1 : (tensor<4x6xi32>) -> tensor<4x6x$T>
  %3 = chlo.polygamma %2, %y : tensor<4x6x$T>, tensor<4x6x$T> -> tensor<4x6x$T>
  return %3 : tensor<4x6x$T>
}
// -----
// bessel: T = f32 f64 bf16
// %x: -20..20
func.func public @main(%x: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = chlo.bessel_i1e %x : tensor<4x6x$T> -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// convert_out_of_range: F = f32 bf16 f16 f64; T = ui8 i8 ui16 i16 ui32 i32 ui64 i64
// %x: -4..4
func.func public @main(%x: tensor<6x8xf32>) -> tensor<6x8x$T> {
  %c = stablehlo.constant dense<[1.0, 75.3, 20000.7, 1.0e9, 1.5e14, 9.0e18, 3.0e38, 0x7F800000]> : tensor<8xf32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<8xf32>) -> tensor<6x8xf32>
  %1 = stablehlo.multiply %x, %0 : tensor<6x8xf32>
  %2 = stablehlo.convert %1 : (tensor<6x8xf32>) -> tensor<6x8x$F>
  %3 = stablehlo.convert %2 : (tensor<6x8x$F>) -> tensor<6x8x$T>
  return %3 : tensor<6x8x$T>
}
// -----
// convert_constant_out_of_range: F = f32 f16 f64; T = ui8 i8 ui16 i16 ui32 i32 ui64 i64
func.func public @main() -> tensor<16x$T> {
  %c = stablehlo.constant dense<[300.2, 255.9, -3.7, -0.9, 32767.5, -32769.0, 1.0e9, -1.0e9, 2147483648.0, 4294967296.0, 9.3e18, 1.9e19, -1.0e20, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<16xf32>
  %0 = stablehlo.convert %c : (tensor<16xf32>) -> tensor<16x$F>
  %1 = stablehlo.convert %0 : (tensor<16x$F>) -> tensor<16x$T>
  return %1 : tensor<16x$T>
}
// -----
// wide_integers: OP = add subtract multiply maximum minimum and or xor
// %x: 0..2
func.func public @main(%x: tensor<4x6xi64>) -> (tensor<4x6xui32>, tensor<4x6xi64>, tensor<4x6xi1>) {
  %c = stablehlo.constant dense<[9007199254740993, 9007199254740991, -9007199254740993, 9223372036854775807, -9223372036854775808, 9223372036854775806]> : tensor<6xi64>
  %d = stablehlo.constant dense<9007199254740993> : tensor<4x6xi64>
  %by = stablehlo.constant dense<32> : tensor<4x6xi64>
  %0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<6xi64>) -> tensor<4x6xi64>
  %1 = stablehlo.add %x, %0 : tensor<4x6xi64>
  %2 = stablehlo.$OP %1, %d : tensor<4x6xi64>
  %3 = stablehlo.convert %2 : (tensor<4x6xi64>) -> tensor<4x6xui32>
  %4 = stablehlo.shift_right_arithmetic %2, %by : tensor<4x6xi64>
  %5 = stablehlo.compare LT, %1, %d, SIGNED : (tensor<4x6xi64>, tensor<4x6xi64>) -> tensor<4x6xi1>
  return %3, %4, %5 : tensor<4x6xui32>, tensor<4x6xi64>, tensor<4x6xi1>
}
// -----
// ends_of_integers: OP = maximum minimum; T = i64 ui64; N = 9007199254740993 9223372036854775807
func.func public @main(%x: tensor<4x6x$T>) -> (tensor<4x6xui32>, tensor<4x6x$T>) {
  %d = stablehlo.constant dense<$N> : tensor<4x6x$T>
  %one = stablehlo.constant dense<1> : tensor<4x6x$T>
  %by = stablehlo.constant dense<32> : tensor<4x6x$T>
  %0 = stablehlo.add %x, %d : tensor<4x6x$T>
  %1 = stablehlo.$OP %0, %d : tensor<4x6x$T>
  %2 = stablehlo.convert %1 : (tensor<4x6x$T>) -> tensor<4x6xui32>
  %3 = stablehlo.shift_right_logical %1, %by : tensor<4x6x$T>
  return %2, %3 : tensor<4x6xui32>, tensor<4x6x$T>
}
// -----
// large_shifts_of_bytes: OP = shift_left shift_right_logical shift_right_arithmetic
// %x: -128..128
// %y: -3..17
func.func public @main(%x: tensor<4x6xi8>, %y: tensor<4x6xi8>) -> tensor<4x6xi8> {
  %0 = stablehlo.$OP %x, %y : tensor<4x6xi8>
  return %0 : tensor<4x6xi8>
}
// -----
// bytes: OP = add subtract multiply maximum minimum divide remainder
// %x: -128..128
// %y: -128..128
func.func public @main(%x: tensor<4x6xi8>, %y: tensor<4x6xi8>) -> (tensor<4x6xi8>, tensor<4x6xi32>, tensor<4x6xi1>, tensor<4x6xui8>) {
  %0 = stablehlo.$OP %x, %y : tensor<4x6xi8>
  %1 = stablehlo.convert %0 : (tensor<4x6xi8>) -> tensor<4x6xi32>
  %2 = stablehlo.compare LT, %0, %y, SIGNED : (tensor<4x6xi8>, tensor<4x6xi8>) -> tensor<4x6xi1>
  %3 = stablehlo.convert %0 : (tensor<4x6xi8>) -> tensor<4x6xui8>
  return %0, %1, %2, %3 : tensor<4x6xi8>, tensor<4x6xi32>, tensor<4x6xi1>, tensor<4x6xui8>
}
// -----
// bytes_without_sign: T = ui8 ui32 ui64 i16
// %x: -128..128
func.func public @main(%x: tensor<4x6xi8>) -> (tensor<4x6x$T>, tensor<6x$T>, tensor<4x6xi8>) {
  %0 = stablehlo.convert %x : (tensor<4x6xi8>) -> tensor<4x6x$T>
  %z = stablehlo.constant dense<0> : tensor<$T>
  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<4x6x$T>, tensor<$T>) -> tensor<6x$T>
  %2 = stablehlo.convert %0 : (tensor<4x6x$T>) -> tensor<4x6xi8>
  return %0, %1, %2 : tensor<4x6x$T>, tensor<6x$T>, tensor<4x6xi8>
}
