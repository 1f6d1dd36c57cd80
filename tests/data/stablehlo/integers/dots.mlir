// Contractions of integers of 8 bits, as AQT writes them: activations are rounded to i8 by a scale for each row, weights are i8 with a
// scale for each column, and products are summed in i32. Then operands that lie the other way, batches, bytes without a sign, operands that
// were converted before, sizes that nothing divides, an outer product, a long sum of few results, and a second operand that many tiles read.
module @dots attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%x: tensor<48x96xf32>, %w: tensor<96x80xi8>, %s: tensor<80xf32>, %t: tensor<80x48xi8>,
      %u: tensor<3x40x32xui8>, %v: tensor<3x24x32xi8>, %p: tensor<7x13xi8>, %q: tensor<13x5xui8>, %r: tensor<9xi8>,
      %long: tensor<24x2048xi8>, %many: tensor<272x32xi8>, %others: tensor<32x288xi8>)
      -> (tensor<48x80xf32>, tensor<96x80xi32>, tensor<80x48xi32>, tensor<3x40x24xi32>, tensor<7x5xi32>, tensor<9x9xi32>,
          tensor<24x24xi32>, tensor<272x288xi32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %most = stablehlo.constant dense<127.0> : tensor<48xf32>
    %abs = stablehlo.abs %x : tensor<48x96xf32>
    %largest = stablehlo.reduce(%abs init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<48x96xf32>, tensor<f32>) -> tensor<48xf32>
    %scale = stablehlo.divide %largest, %most : tensor<48xf32>
    %scales = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<48xf32>) -> tensor<48x96xf32>
    %scaled = stablehlo.divide %x, %scales : tensor<48x96xf32>
    %rounded = stablehlo.round_nearest_even %scaled : tensor<48x96xf32>
    %bytes = stablehlo.convert %rounded : (tensor<48x96xf32>) -> tensor<48x96xi8>
    %dot = stablehlo.dot_general %bytes, %w, contracting_dims = [1] x [0] : (tensor<48x96xi8>, tensor<96x80xi8>) -> tensor<48x80xi32>
    %float = stablehlo.convert %dot : (tensor<48x80xi32>) -> tensor<48x80xf32>
    %of_rows = stablehlo.broadcast_in_dim %scale, dims = [0] : (tensor<48xf32>) -> tensor<48x80xf32>
    %of_columns = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<80xf32>) -> tensor<48x80xf32>
    %by_rows = stablehlo.multiply %float, %of_rows : tensor<48x80xf32>
    %y = stablehlo.multiply %by_rows, %of_columns : tensor<48x80xf32>
    %across = stablehlo.dot_general %bytes, %t, contracting_dims = [0] x [1] : (tensor<48x96xi8>, tensor<80x48xi8>) -> tensor<96x80xi32>
    %back = stablehlo.dot_general %w, %bytes, contracting_dims = [0] x [1] : (tensor<96x80xi8>, tensor<48x96xi8>) -> tensor<80x48xi32>
    %batch = stablehlo.dot_general %u, %v, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x40x32xui8>, tensor<3x24x32xi8>) -> tensor<3x40x24xi32>
    %wide_p = stablehlo.convert %p : (tensor<7x13xi8>) -> tensor<7x13xi32>
    %wide_q = stablehlo.convert %q : (tensor<13x5xui8>) -> tensor<13x5xi32>
    %odd = stablehlo.dot_general %wide_p, %wide_q, contracting_dims = [1] x [0] : (tensor<7x13xi32>, tensor<13x5xi32>) -> tensor<7x5xi32>
    %outer = stablehlo.dot_general %r, %r, contracting_dims = [] x [] : (tensor<9xi8>, tensor<9xi8>) -> tensor<9x9xi32>
    %sums = stablehlo.dot_general %long, %long, contracting_dims = [1] x [1] : (tensor<24x2048xi8>, tensor<24x2048xi8>) -> tensor<24x24xi32>
    %large = stablehlo.dot_general %many, %others, contracting_dims = [1] x [0] : (tensor<272x32xi8>, tensor<32x288xi8>) -> tensor<272x288xi32>
    return %y, %across, %back, %batch, %odd, %outer, %sums, %large : tensor<48x80xf32>, tensor<96x80xi32>, tensor<80x48xi32>, tensor<3x40x24xi32>, tensor<7x5xi32>, tensor<9x9xi32>, tensor<24x24xi32>, tensor<272x288xi32>
  }
}
