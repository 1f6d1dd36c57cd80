// rng_three_fry_4x6_ui32_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui32>)
  return %0, %1 : tensor<2xui64>, tensor<4x6xui32>
}
// -----
// rng_three_fry_4x6x2_ui32_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6x2xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6x2xui32>)
  return %0, %1 : tensor<2xui64>, tensor<4x6x2xui32>
}
// -----
// rng_three_fry_4x6_ui64_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui64>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x6xui64>)
  return %0, %1 : tensor<2xui64>, tensor<4x6xui64>
}
// -----
// rng_philox_4x6_ui32_3
// %k: 0..1000000
func.func public @main(%k: tensor<3xui64>) -> (tensor<3xui64>, tensor<4x6xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4x6xui32>)
  return %0, %1 : tensor<3xui64>, tensor<4x6xui32>
}
// -----
// rng_philox_3x3_ui64_3
// %k: 0..1000000
func.func public @main(%k: tensor<3xui64>) -> (tensor<3xui64>, tensor<3x3xui64>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x3xui64>)
  return %0, %1 : tensor<3xui64>, tensor<3x3xui64>
}
// -----
// rng_three_fry_3x5_ui32_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  return %0, %1 : tensor<2xui64>, tensor<3x5xui32>
}
// -----
// rng_three_fry_5x3_ui32_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<5x3xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x3xui32>)
  return %0, %1 : tensor<2xui64>, tensor<5x3xui32>
}
// -----
// rng_three_fry_scalar_ui32_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<ui32>)
  return %0, %1 : tensor<2xui64>, tensor<ui32>
}
// -----
// rng_three_fry_4x3_ui8_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui8>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui8>)
  return %0, %1 : tensor<2xui64>, tensor<4x3xui8>
}
// -----
// rng_three_fry_4x3_ui16_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui16>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui16>)
  return %0, %1 : tensor<2xui64>, tensor<4x3xui16>
}
// -----
// rng_philox_3x5_ui32_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x5xui32>)
  return %0, %1 : tensor<2xui64>, tensor<3x5xui32>
}
// -----
// rng_philox_scalar_ui32_3
// %k: 0..1000000
func.func public @main(%k: tensor<3xui64>) -> (tensor<3xui64>, tensor<ui32>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<ui32>)
  return %0, %1 : tensor<3xui64>, tensor<ui32>
}
// -----
// rng_philox_4x3_ui8_3
// %k: 0..1000000
func.func public @main(%k: tensor<3xui64>) -> (tensor<3xui64>, tensor<4x3xui8>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4x3xui8>)
  return %0, %1 : tensor<3xui64>, tensor<4x3xui8>
}
// -----
// rng_philox_4x3_ui16_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui16>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui16>)
  return %0, %1 : tensor<2xui64>, tensor<4x3xui16>
}
// -----
// rng_default_3_ui64_2
// %k: 0..1000000
func.func public @main(%k: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>) {
  %0, %1 = stablehlo.rng_bit_generator %k, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui64>)
  return %0, %1 : tensor<2xui64>, tensor<3xui64>
}
