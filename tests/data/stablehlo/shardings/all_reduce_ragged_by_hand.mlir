// By hand: groups of different sizes.
module @jit__lambda attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=4]>
  func.func public @main(%arg0: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
    %0:3 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"data"}, {"model"}]>] out_shardings=[<@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>, <@mesh, [{"data"}, {"model"}]>] manual_axes={"data", "model"} (%x: tensor<4x4xf32>) {
      %y0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, -1, -1], [4, 6, -1], [5, 7, -1]]> : tensor<4x3xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %y1 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, -1, -1], [4, 6, -1], [5, 7, -1]]> : tensor<4x3xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %s = stablehlo.maximum %a, %b : tensor<f32>
        stablehlo.return %s : tensor<f32>
      }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      %zero = stablehlo.constant dense<0.0> : tensor<4x4xf32>
      %positive = stablehlo.compare GT, %x, %zero : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xi1>
      %all = "stablehlo.all_reduce"(%positive) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2], [3, -1, -1], [4, 6, -1], [5, 7, -1]]> : tensor<4x3xi64>, use_global_device_ids}> ({
      ^bb0(%a: tensor<i1>, %b: tensor<i1>):
        %s = stablehlo.and %a, %b : tensor<i1>
        stablehlo.return %s : tensor<i1>
      }) : (tensor<4x4xi1>) -> tensor<4x4xi1>
      %y2 = stablehlo.convert %all : (tensor<4x4xi1>) -> tensor<4x4xf32>
      sdy.return %y0, %y1, %y2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
    } : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    return %0#0, %0#1, %0#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  }
}
