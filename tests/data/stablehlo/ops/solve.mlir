// triangular_solve: LEFT = true false; LOWER = true false; T = NO_TRANSPOSE TRANSPOSE
// %a: 1..3
func.func public @main(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = $LEFT, lower = $LOWER, transpose_a = #stablehlo<transpose $T>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// triangular_solve_batched: LEFT = true; UNIT = true false; T = ADJOINT
// %a: 1..3
func.func public @main(%a: tensor<2x3x5x5xf64>, %b: tensor<2x3x5x2xf64>) -> tensor<2x3x5x2xf64> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = $LEFT, lower = true, transpose_a = #stablehlo<transpose $T>, unit_diagonal = $UNIT}> : (tensor<2x3x5x5xf64>, tensor<2x3x5x2xf64>) -> tensor<2x3x5x2xf64>
  return %0 : tensor<2x3x5x2xf64>
}
// -----
// triangular_solve_right: UNIT = true false
// %a: 1..3
func.func public @main(%a: tensor<2x4x4xf32>, %b: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = $UNIT}> : (tensor<2x4x4xf32>, tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}
// -----
// cholesky: LOWER = true false
func.func public @main(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x4x4xf32>, tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %1 = stablehlo.iota dim = 1 : tensor<2x4x4xi32>
  %2 = stablehlo.iota dim = 2 : tensor<2x4x4xi32>
  %3 = stablehlo.compare EQ, %1, %2 : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
  %4 = stablehlo.convert %3 : (tensor<2x4x4xi1>) -> tensor<2x4x4xf32>
  %5 = stablehlo.add %0, %4 : tensor<2x4x4xf32>
  %6 = stablehlo.cholesky %5, lower = $LOWER : tensor<2x4x4xf32>
  %z = stablehlo.constant dense<0.0> : tensor<2x4x4xf32>
  %lower = stablehlo.constant dense<$LOWER> : tensor<2x4x4xi1>
  %7 = stablehlo.compare GE, %1, %2 : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
  %8 = stablehlo.compare LE, %1, %2 : (tensor<2x4x4xi32>, tensor<2x4x4xi32>) -> tensor<2x4x4xi1>
  %9 = stablehlo.select %lower, %7, %8 : tensor<2x4x4xi1>, tensor<2x4x4xi1>
  %10 = stablehlo.select %9, %6, %z : tensor<2x4x4xi1>, tensor<2x4x4xf32>
  return %10 : tensor<2x4x4xf32>
}
// -----
// batch_norm_inference: F = 0 1 2
// %v: 0..2
func.func public @main(%x: tensor<4x4x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<4x4x4xf32> {
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %o, %m, %v) <{epsilon = 1.000000e-02 : f32, feature_index = $F : i64}> : (tensor<4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4x4x4xf32>
  return %0 : tensor<4x4x4xf32>
}
// -----
// batch_norm_training: F = 1 2
func.func public @main(%x: tensor<6x4x4xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %o) <{epsilon = 1.000000e-02 : f32, feature_index = $F : i64}> : (tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// batch_norm_grad: F = 1 2
// %v: 1..2
func.func public @main(%x: tensor<6x4x4xf32>, %s: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %g: tensor<6x4x4xf32>) -> (tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %m, %v, %g) <{epsilon = 1.000000e-02 : f32, feature_index = $F : i64}> : (tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<6x4x4xf32>) -> (tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1, %0#2 : tensor<6x4x4xf32>, tensor<4xf32>, tensor<4xf32>
}
// -----
// mulhi: T = ui8 i8 i16 ui16 i32 ui32 i64 ui64
func.func public @main(%x: tensor<4x6xi64>, %y: tensor<4x6xi64>) -> tensor<4x6xi64> {
  %c = stablehlo.constant dense<1311768467463790327> : tensor<4x6xi64>
  %0 = stablehlo.multiply %x, %c : tensor<4x6xi64>
  %1 = stablehlo.multiply %y, %0 : tensor<4x6xi64>
  %2 = stablehlo.convert %0 : (tensor<4x6xi64>) -> tensor<4x6x$T>
  %3 = stablehlo.convert %1 : (tensor<4x6xi64>) -> tensor<4x6x$T>
  %4 = "chlo.mulhi"(%2, %3) : (tensor<4x6x$T>, tensor<4x6x$T>) -> tensor<4x6x$T>
  %5 = stablehlo.convert %4 : (tensor<4x6x$T>) -> tensor<4x6xi64>
  return %5 : tensor<4x6xi64>
}
// -----
// reduce_bools: OP = maximum minimum and or
func.func public @main(%x: tensor<4x6xi1>, %i: tensor<i1>) -> tensor<4xi1> {
  %1 = stablehlo.reduce(%x init: %i) applies stablehlo.$OP across dimensions = [1] : (tensor<4x6xi1>, tensor<i1>) -> tensor<4xi1>
  return %1 : tensor<4xi1>
}
// -----
// argmax_of_bools: C = GT LT
func.func public @main(%x: tensor<4x6xi1>) -> (tensor<4xi1>, tensor<4xi32>) {
  %at = stablehlo.iota dim = 1 : tensor<4x6xi32>
  %i = stablehlo.constant dense<false> : tensor<i1>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %i), (%at init: %z) across dimensions = [1] : (tensor<4x6xi1>, tensor<4x6xi32>, tensor<i1>, tensor<i32>) -> (tensor<4xi1>, tensor<4xi32>)
   reducer(%a: tensor<i1>, %b: tensor<i1>) (%m: tensor<i32>, %n: tensor<i32>)  {
    %2 = stablehlo.compare $C, %a, %b, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %3 = stablehlo.compare NE, %a, %a, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %a, %b, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %6 = stablehlo.compare LT, %m, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %a, %b : tensor<i1>, tensor<i1>
    %10 = stablehlo.select %8, %m, %n : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<i1>, tensor<i32>
  }
  return %1#0, %1#1 : tensor<4xi1>, tensor<4xi32>
}
