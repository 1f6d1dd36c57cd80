// reduce_0: OP = add maximum minimum multiply; T = f32 i32 i8
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<$T>) -> tensor<6x$T> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [0] : (tensor<4x6x$T>, tensor<$T>) -> tensor<6x$T>
  return %0 : tensor<6x$T>
}
// -----
// reduce_1: OP = add maximum minimum multiply; T = f32 i32
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<$T>) -> tensor<4x$T> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x6x$T>, tensor<$T>) -> tensor<4x$T>
  return %0 : tensor<4x$T>
}
// -----
// reduce_from_nothing: OP = add; T = f32 bf16 f64; Z = 0.0
func.func public @main(%x: tensor<4x6x$T>) -> tensor<$T> {
  %i = stablehlo.constant dense<$Z> : tensor<$T>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [0, 1] : (tensor<4x6x$T>, tensor<$T>) -> tensor<$T>
  return %0 : tensor<$T>
}
// -----
// reduce_integers: OP = add; T = ui32 i64 i8; Z = 0
func.func public @main(%x: tensor<4x6x$T>) -> tensor<$T> {
  %i = stablehlo.constant dense<$Z> : tensor<$T>
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [0, 1] : (tensor<4x6x$T>, tensor<$T>) -> tensor<$T>
  return %0 : tensor<$T>
}
// -----
// reduce_bits: OP = and or; T = i1 i32 i8 ui32
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<$T>) -> tensor<4x$T> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x6x$T>, tensor<$T>) -> tensor<4x$T>
  return %0 : tensor<4x$T>
}
// -----
// reduce_generic
func.func public @main(%x: tensor<4x6xf32>) -> tensor<6xf32> {
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %m = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
// -----
// reduce_argmax
func.func public @main(%x: tensor<4x6xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %i), (%0 init: %j) across dimensions = [1] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>)  {
    %2 = stablehlo.compare GT, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %c, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %c : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %1#0, %1#1 : tensor<4xf32>, tensor<4xi32>
}
// -----
// reduce_argmin_of_integers
func.func public @main(%x: tensor<4x6xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %i = stablehlo.constant dense<2147483647> : tensor<i32>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %i), (%0 init: %j) across dimensions = [1] : (tensor<4x6xi32>, tensor<4x6xi32>, tensor<i32>, tensor<i32>) -> (tensor<4xi32>, tensor<4xi32>)
   reducer(%a: tensor<i32>, %c: tensor<i32>) (%b: tensor<i32>, %d: tensor<i32>)  {
    %2 = stablehlo.compare LT, %a, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %b, %d, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %c : tensor<i1>, tensor<i32>
    %10 = stablehlo.select %8, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<i32>, tensor<i32>
  }
  return %1#0, %1#1 : tensor<4xi32>, tensor<4xi32>
}
// -----
// reduce_any_body: D = 0 1
func.func public @main(%x: tensor<6x6xf32>, %y: tensor<6x6xi32>, %i: tensor<f32>) -> (tensor<6xf32>, tensor<6xi32>) {
  %j = stablehlo.constant dense<0> : tensor<i32>
  %i0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1:2 = "stablehlo.reduce"(%x, %y, %i0, %j) <{dimensions = array<i64: $D>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, %d: tensor<i32>):
    %2 = stablehlo.add %a, %c : tensor<f32>
    %3 = stablehlo.xor %b, %d : tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }) : (tensor<6x6xf32>, tensor<6x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xi32>)
  return %1#0, %1#1 : tensor<6xf32>, tensor<6xi32>
}
// -----
// reduce_any_body_of_all
func.func public @main(%x: tensor<4x6xi32>) -> tensor<i32> {
  %j = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.reduce(%x init: %j) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xi32>, tensor<i32>) -> tensor<i32>
  %2 = stablehlo.reduce(%x init: %j) across dimensions = [1, 0] : (tensor<4x6xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>)  {
    %3 = stablehlo.xor %a, %b : tensor<i32>
    stablehlo.return %3 : tensor<i32>
  }
  %4 = stablehlo.add %1, %2 : tensor<i32>
  return %4 : tensor<i32>
}
// -----
// reduce_unsigned_64: OP = maximum minimum add
func.func public @main(%x: tensor<4x6xi64>) -> tensor<4xui64> {
  %0 = stablehlo.convert %x : (tensor<4x6xi64>) -> tensor<4x6xui64>
  %i = stablehlo.constant dense<18446744073709551610> : tensor<ui64>
  %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x6xui64>, tensor<ui64>) -> tensor<4xui64>
  return %1 : tensor<4xui64>
}
// -----
// reduce_narrow: OP = maximum minimum add multiply
func.func public @main(%x: tensor<4x6xi8>, %i: tensor<i8>) -> tensor<4xi8> {
  %1 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x6xi8>, tensor<i8>) -> tensor<4xi8>
  return %1 : tensor<4xi8>
}
// -----
// reduce_ends: OP = maximum minimum; N = 9007199254740993 9223372036854775807 -9223372036854775808
// %x: 0..2
func.func public @main(%x: tensor<4x6xi64>) -> (tensor<4xui32>, tensor<4xi64>) {
  %c = stablehlo.constant dense<[9007199254740993, 9007199254740991, -9007199254740993, 9223372036854775807, -9223372036854775808, 9223372036854775806]> : tensor<6xi64>
  %i = stablehlo.constant dense<$N> : tensor<i64>
  %by = stablehlo.constant dense<32> : tensor<4xi64>
  %0 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<6xi64>) -> tensor<4x6xi64>
  %1 = stablehlo.multiply %x, %0 : tensor<4x6xi64>
  %2 = stablehlo.reduce(%1 init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x6xi64>, tensor<i64>) -> tensor<4xi64>
  %3 = stablehlo.convert %2 : (tensor<4xi64>) -> tensor<4xui32>
  %4 = stablehlo.shift_right_arithmetic %2, %by : tensor<4xi64>
  return %3, %4 : tensor<4xui32>, tensor<4xi64>
}
// -----
// reduce_nothing: OP = add maximum minimum multiply; T = f32 i32 i8
func.func public @main(%x: tensor<4x6x$T>, %i: tensor<$T>) -> tensor<4x$T> {
  %0 = stablehlo.slice %x [0:4, 3:3] : (tensor<4x6x$T>) -> tensor<4x0x$T>
  %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x0x$T>, tensor<$T>) -> tensor<4x$T>
  return %1 : tensor<4x$T>
}
