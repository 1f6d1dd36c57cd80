// By hand: others than the first device of a group send, some devices are in no group, and roots are computed.
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<8x16xf32>, %arg1: tensor<2xi32>, %arg2: tensor<1xi32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0:5 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>] manual_axes={"data", "model"} (%x: tensor<4x4xf32>, %root1: tensor<2xi32>, %root2: tensor<1xi32>) {
      %y0 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[2, 0, 1, 3], [6, 4, 5, 7]]> : tensor<2x4xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %y1 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[2, 1], [5, 7]]> : tensor<2x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %d = stablehlo.add %x, %x : tensor<4x4xf32>
      %y2, %y3 = "stablehlo.collective_broadcast"(%x, %d, %root1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, has_dynamic_root, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>}> : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<2xi32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
      %y4 = "stablehlo.collective_broadcast"(%x, %root2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, has_dynamic_root, replica_groups = dense<[[3, 0], [1, 2], [7, 6], [4, 5]]> : tensor<4x2xi64>}> : (tensor<4x4xf32>, tensor<1xi32>) -> tensor<4x4xf32>
      sdy.return %y0, %y1, %y2, %y3, %y4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (tensor<8x16xf32>, tensor<2xi32>, tensor<1xi32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
}
