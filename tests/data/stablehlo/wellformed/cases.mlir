// ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// axis_twice: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"a"}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// axis_twice_dim: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "a"}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// axis_and_sub: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"b":(1)2}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_overlap: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {"b":(1)4}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_not_dividing: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)3}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_negative: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(-1)2}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_zero: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)0}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_one: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)1}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_too_large: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)4}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_all: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)4}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_mergeable: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2, "b":(2)2}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// unknown_axis: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// unknown_mesh: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@nomesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// rank_low: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// rank_high: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// repl_used: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"a"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// repl_unknown: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], replicated={"z"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// repl_twice: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"a", "a"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// repl_order: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"b", "a"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// repl_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"a", "b"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// unred_used: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"a"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// unred_and_repl: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"a"}, unreduced={"a"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// unred_order: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"b", "a"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// unred_unknown: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"z"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// prio_empty_closed: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}p1, {"a"}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// prio_negative: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p-1, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// prio_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p1, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// prio_empty_open: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p1, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_repl_mix: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {}], replicated={"b"}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_repl_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {}], replicated={"b":(2)2}>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// prefix_mix: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(1)2}, {"b":(2)2}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// sub_sub_over: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b":(2)2}, {"b":(1)4}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// garbage: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"} {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// no_axes_list: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_dup: refused
module {
  sdy.mesh @mesh = <["a"=2, "a"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_zero: refused
module {
  sdy.mesh @mesh = <["a"=0, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_neg: refused
module {
  sdy.mesh @mesh = <["a"=-2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_ids_dup: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[0,1,1,2]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_ids_neg: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[0,1,-2,3]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_ids_count: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[0,1,2]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_ids_iota: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[0,1,2,3]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_ids_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=2], device_ids=[0,2,1,3]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_maximal_neg: refused
module {
  sdy.mesh @mesh = <[], device_ids=[-1]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_two_max: refused
module {
  sdy.mesh @mesh = <[], device_ids=[0,1]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// mesh_twice: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}
// -----
// ag_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
    %0 = sdy.all_gather [{"a"}, {}] %1 out_sharding=<@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// ag_wrong_out: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
    %0 = sdy.all_gather [{"a"}, {}] %1 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// ag_wrong_axis: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
    %0 = sdy.all_gather [{"b"}, {}] %1 out_sharding=<@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// ag_rank: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
    %0 = sdy.all_gather [{"a"}] %1 out_sharding=<@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// ag_not_minor: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a", "b"}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_gather [{"a"}, {}] %1 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// as_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    %0 = sdy.all_slice [{"a"}, {}] %1 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// as_wrong: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    %0 = sdy.all_slice [{"a"}, {}] %1 out_sharding=<@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// as_used: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{}, {"b"}]> : tensor<8x8xf32>
    %0 = sdy.all_slice [{"b"}, {}] %1 out_sharding=<@mesh, [{"b"}, {"b"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// aa_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_to_all [{"a"}: 0->1] %1 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// aa_wrong: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_to_all [{"a"}: 0->1] %1 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// aa_dim: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_to_all [{"a"}: 0->2] %1 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// aa_same: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_to_all [{"a"}: 0->0] %1 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// ar_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_reduce {"a"} %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// ar_used: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_reduce {"a"} %1 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// ar_out: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<8x8xf32>
    %0 = sdy.all_reduce {"a"} %1 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// rs_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<8x8xf32>
    %0 = sdy.reduce_scatter [{"a"}, {}] %1 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// rs_wrong: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{}, {}]> : tensor<8x8xf32>
    %0 = sdy.reduce_scatter [{"a"}, {}] %1 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// cp_size: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %1 = sdy.sharding_constraint %x <@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    %0 = sdy.collective_permute %1 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_ok: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg: tensor<4x8xf32>) {
      sdy.return %arg : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_shape: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg: tensor<8x8xf32>) {
      sdy.return %arg : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_free_major: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"b", "a"}, {}]>] out_shardings=[<@mesh, [{"b", "a"}, {}]>] manual_axes={"a"} (%arg: tensor<4x8xf32>) {
      sdy.return %arg : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_unused_axis: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={"z"} (%arg: tensor<8x8xf32>) {
      sdy.return %arg : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_constraint: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg: tensor<4x8xf32>) {
      %2 = sdy.sharding_constraint %arg <@mesh, [{}, {"a"}]> : tensor<4x8xf32>
      sdy.return %2 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_twice: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a", "a"} (%arg: tensor<4x8xf32>) {
      sdy.return %arg : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_order: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {"b"}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>] manual_axes={"b", "a"} (%arg: tensor<4x2xf32>) {
      sdy.return %arg : tensor<4x2xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_counts: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg: tensor<4x8xf32>) {
      sdy.return %arg : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_nested: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg: tensor<4x8xf32>) {
      %3 = sdy.manual_computation(%arg) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{"a"}, {}]>] manual_axes={"a"} (%arg1: tensor<2x8xf32>) {
        sdy.return %arg1 : tensor<2x8xf32>
      } : (tensor<4x8xf32>) -> tensor<4x8xf32>
      sdy.return %3 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// add_rule_bad: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=8}>} : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// value_sharding_rank: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// value_sharding_count: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>]>} : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// constraint_unknown_mesh: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.sharding_constraint %x <@zz, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// group_negative: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    sdy.sharding_group %x group_id=-1 : tensor<8x8xf32>
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// rule: accepted
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_nested: accepted
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k], [k, l])->([ij, l]) {i=2, j=4, k=2, l=4} reduction={k} need_replication={i, l} blocked_propagation={l}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_custom: accepted
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2}, custom>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_of_one_operand: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k])->([i, j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_of_two_results: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j], [i, j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_rank: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [k, j])->([i, j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_without_a_factor: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i,], [k, j])->([i, j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_spaces: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_sizes_in_another_order: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {j=4, i=8, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_size_skipped: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, l])->([i, l]) {i=8, k=2, l=4}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_factor_twice: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i], [i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_unused_factor: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2, l=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_unknown_factor: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, u], [k, j])->([i, j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_letter: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([a, k], [k, j])->([a, j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_z_0: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, jz_0])->([i, j]) {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_size_one: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, kl], [k, j])->([i, j]) {i=8, j=4, k=2, l=1}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_reduced_in_result: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={i}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_sets_out_of_order: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} permutation={i} reduction={k}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_set_unsorted: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} need_replication={j, i}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_in_two_sets: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k} permutation={k}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_blocked_and_reduced: accepted
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction={k} blocked_propagation={k}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_trailing_comma: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2},>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_colon: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} reduction: {k}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_set_unknown: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=4, k=2} need_replication={z}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// rule_no_results: refused
module {
  func.func public @main(%x: tensor<8x2xf32>, %y: tensor<2x4xf32>) -> tensor<8x4xf32> {
    %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->() {i=8, j=4, k=2}>} : (tensor<8x2xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// barrier_both: refused
module {
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.propagation_barrier %x allowed_direction=BOTH : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// barrier_forward: accepted
module {
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.propagation_barrier %x allowed_direction=FORWARD : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// manual_unknown_mesh: refused
module {
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@other, [{?}, {?}]>] out_shardings=[<@other, [{?}, {?}]>] manual_axes={} (%y: tensor<8x8xf32>) {
      %1 = stablehlo.add %y, %y : tensor<8x8xf32>
      sdy.return %1 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// lists_in_either_order: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"b"}, replicated={"a"}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// priority_leading_zero: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}p01, {"b"}]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// list_without_equals: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated{"a", "b"}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// list_in_brackets: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced=["a", "b"]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// list_of_a_word: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"a", b}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// list_with_a_bracket: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"a", "b"[]}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// list_without_axes: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated unreduced={"a", "b"}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// comma_behind_dims: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}],>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// list_unknown: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unknown={"a"}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// comma_behind_a_list: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"a"}, >}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// replicated_twice: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], replicated={"a"}, replicated={"b"}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// unreduced_twice: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}], unreduced={"a"}, unreduced={"b"}>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// gather_parts_of_one: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.all_gather [{"b":(1)2, "b":(2)2}, {}] %x out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// to_all_of_nothing: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.all_to_all [] %x out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// to_all_onto_one_dim: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) -> tensor<8x8xf32> {
    %0 = sdy.all_to_all [{"a"}: 0->1, {"b"}: 1->0] %x out_sharding=<@mesh, [{"b"}, {"a"}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// reduce_out_of_order: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.all_reduce {"b", "a"} %x out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// reduce_in_order: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.all_reduce {"a", "b"} %x out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// reduce_what_is_unreduced: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) -> tensor<8x8xf32> {
    %0 = sdy.all_reduce {"b"} %x out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// reduce_and_leave_unreduced: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) -> tensor<8x8xf32> {
    %0 = sdy.all_reduce {"b"} %x out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// sharded_to_unreduced: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.sharded_to_unreduced [{"b"}, {}] %x out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// sharded_to_unreduced_elsewhere: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.sharded_to_unreduced [{"b"}, {}] %x out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// sharded_to_unreduced_not_split: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.sharded_to_unreduced [{"b"}, {}] %x out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// replicated_to_unreduced: accepted
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.replicated_to_unreduced {"b"} %x out_sharding=<@mesh, [{"a"}, {}], unreduced={"b"}> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// replicated_to_unreduced_split: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.replicated_to_unreduced {"a"} %x out_sharding=<@mesh, [{"a"}, {}], unreduced={"a"}> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// replicated_to_unreduced_of_nothing: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) -> tensor<8x8xf32> {
    %0 = sdy.replicated_to_unreduced {} %x out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
// -----
// one_sharding_for_results: refused
module {
  sdy.mesh @mesh = <["a"=2, "b"=4]>
  func.func public @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %x {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>} : tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
