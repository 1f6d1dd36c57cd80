// while
func.func public @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %z, %c = %x) : tensor<i32>, tensor<4x6xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.tanh %c : tensor<4x6xf32>
    %2 = stablehlo.add %1, %x : tensor<4x6xf32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<4x6xf32>
  }
  return %0#1 : tensor<4x6xf32>
}
// -----
// case
// %i: -1..4
func.func public @main(%i: tensor<i32>, %x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.case"(%i) ({
    %1 = stablehlo.negate %x : tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }, {
    %1 = stablehlo.tanh %x : tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }, {
    stablehlo.return %x : tensor<4x6xf32>
  }) : (tensor<i32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// if
func.func public @main(%i: tensor<i1>, %x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = "stablehlo.if"(%i) ({
    %1 = stablehlo.negate %x : tensor<4x6xf32>
    stablehlo.return %1 : tensor<4x6xf32>
  }, {
    stablehlo.return %x : tensor<4x6xf32>
  }) : (tensor<i1>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
// -----
// composite
func.func public @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.composite "my.double" %x {decomposition = @double} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func private @double(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.add %x, %x : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
