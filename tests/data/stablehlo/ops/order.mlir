// sort: T = f32 bf16 f64; D = 0 1
func.func public @main(%x0: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = "stablehlo.sort"(%x0) <{dimension = $D : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<$T>, %b0: tensor<$T>):
    %c = stablehlo.compare LT, %a0, %b0, FLOAT : (tensor<$T>, tensor<$T>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6x$T>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// sort_integers: T = i32 i64 i8
func.func public @main(%x0: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = "stablehlo.sort"(%x0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<$T>, %b0: tensor<$T>):
    %c = stablehlo.compare GT, %a0, %b0, SIGNED : (tensor<$T>, tensor<$T>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6x$T>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// sort_unsigned: T = ui32 ui8 ui64
func.func public @main(%x0: tensor<4x6x$T>) -> tensor<4x6x$T> {
  %0 = "stablehlo.sort"(%x0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<$T>, %b0: tensor<$T>):
    %c = stablehlo.compare LT, %a0, %b0, UNSIGNED : (tensor<$T>, tensor<$T>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6x$T>) -> tensor<4x6x$T>
  return %0 : tensor<4x6x$T>
}
// -----
// sort_total_order: D = LT GT
func.func public @main(%x0: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.sort"(%x0) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>):
    %c = stablehlo.compare $D, %a0, %b0, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// sort_with_values
func.func public @main(%x0: tensor<4x6xf32>, %x1: tensor<4x6xi32>, %x2: tensor<4x6xbf16>) -> (tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x6xbf16>) {
  %0:3 = "stablehlo.sort"(%x0, %x1, %x2) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>, %a1: tensor<i32>, %b1: tensor<i32>, %a2: tensor<bf16>, %b2: tensor<bf16>):
    %c = stablehlo.compare LT, %a0, %b0, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x6xbf16>) -> (tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x6xbf16>)
  return %0#0, %0#1, %0#2 : tensor<4x6xf32>, tensor<4x6xi32>, tensor<4x6xbf16>
}
// -----
// sort_by_two
// %x0: 0..3
func.func public @main(%x0: tensor<4x6xi32>, %x1: tensor<4x6xf32>) -> (tensor<4x6xi32>, tensor<4x6xf32>) {
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<i32>, %b0: tensor<i32>, %a1: tensor<f32>, %b1: tensor<f32>):
    %0 = stablehlo.compare GT, %a0, %b0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.compare LT, %a1, %b1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %a0, %b0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.and %2, %1 : tensor<i1>
    %c = stablehlo.or %0, %3 : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6xi32>, tensor<4x6xf32>) -> (tensor<4x6xi32>, tensor<4x6xf32>)
  return %0#0, %0#1 : tensor<4x6xi32>, tensor<4x6xf32>
}
// -----
// sort_as_jax_does
func.func public @main(%x0: tensor<4x6xf32>, %x1: tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>) {
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>, %a1: tensor<i32>, %b1: tensor<i32>):
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %n = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %1 = stablehlo.compare EQ, %a0, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %z, %a0 : tensor<i1>, tensor<f32>
    %3 = stablehlo.compare NE, %a0, %a0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.select %3, %n, %2 : tensor<i1>, tensor<f32>
    %5 = stablehlo.compare EQ, %b0, %z, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %z, %b0 : tensor<i1>, tensor<f32>
    %7 = stablehlo.compare NE, %b0, %b0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.select %7, %n, %6 : tensor<i1>, tensor<f32>
    %c = stablehlo.compare LT, %4, %8, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
  return %0#0, %0#1 : tensor<4x6xf32>, tensor<4x6xi32>
}
// -----
// sort_by_any_comparator
func.func public @main(%x0: tensor<4x6xf32>, %x1: tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>) {
  %0:2 = "stablehlo.sort"(%x0, %x1) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a0: tensor<f32>, %b0: tensor<f32>, %a1: tensor<i32>, %b1: tensor<i32>):
    %1 = stablehlo.abs %a0 : tensor<f32>
    %2 = stablehlo.abs %b0 : tensor<f32>
    %c = stablehlo.compare LT, %1, %2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> (tensor<4x6xf32>, tensor<4x6xi32>)
  return %0#0, %0#1 : tensor<4x6xf32>, tensor<4x6xi32>
}
// -----
// top_k: T = f32 i32 i8 bf16
func.func public @main(%x: tensor<4x6x$T>) -> (tensor<4x3x$T>, tensor<4x3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<4x6x$T> -> (tensor<4x3x$T>, tensor<4x3xi32>)
  return %0#0, %0#1 : tensor<4x3x$T>, tensor<4x3xi32>
}
// -----
// top_k_total_order: T = f32 bf16 f16 f64; K = 3 14
// %x: 0..1
func.func public @main(%x: tensor<2x14xi32>) -> (tensor<2x$Kxi32>, tensor<2x$Kxi32>) {
  %c = stablehlo.constant dense<[[1065353216, 2143289344, -2147483648, 0, 2139095040, -4194304, -8388608, -2147483648, 0, 2143289344, 1065353216, -1063256064, -4194304, 2139095040], [2139095040, -4194304, -1063256064, 1065353216, 2143289344, 0, -2147483648, -8388608, -4194304, 2139095040, 0, -2147483648, 2143289344, 1065353216]]> : tensor<2x14xi32>
  %0 = stablehlo.or %x, %c : tensor<2x14xi32>
  %1 = stablehlo.bitcast_convert %0 : (tensor<2x14xi32>) -> tensor<2x14xf32>
  %2 = stablehlo.convert %1 : (tensor<2x14xf32>) -> tensor<2x14x$T>
  %3:2 = chlo.top_k(%2, k = $K) : tensor<2x14x$T> -> (tensor<2x$Kx$T>, tensor<2x$Kxi32>)
  %4 = stablehlo.convert %3#0 : (tensor<2x$Kx$T>) -> tensor<2x$Kxf32>
  %5 = stablehlo.bitcast_convert %4 : (tensor<2x$Kxf32>) -> tensor<2x$Kxi32>
  return %5, %3#1 : tensor<2x$Kxi32>, tensor<2x$Kxi32>
}
