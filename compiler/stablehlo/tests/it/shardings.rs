//! Shardings and manual regions: dumps of JAX with Shardy and with GSPMD, evaluated on what JAX was given (tests/data/stablehlo/shardings);
//! forms that JAX does not print, by what they pin; and what is refused.

use meshloom_ir::interp::eval;
use meshloom_ir::{DType, Func, Op, Tensor, TensorType};
use meshloom_source::FrontOptions;
use std::path::PathBuf;

fn imported(name: &str, text: &str, mesh: Option<&[(&str, u64)]>) -> (Option<Func>, Vec<String>) {
    let mesh = mesh.map(|m| m.iter().map(|a| (a.0.to_string(), a.1)).collect());
    let o = FrontOptions { mesh, ..FrontOptions::default() };
    let out = meshloom_stablehlo::compile(name, text, &o);
    let said = out.diagnostics.iter().map(|d| d.message.clone()).collect();
    (out.elaborated.map(|mut e| e.entries.remove(0).func), said)
}

#[track_caller]
fn import(text: &str) -> Func {
    let (func, said) = imported("f.mlir", text, None);
    let func = func.unwrap_or_else(|| panic!("{said:?}"));
    meshloom_ir::verify::verify(&func).unwrap_or_else(|e| panic!("{e:?}"));
    func
}

fn numbers(v: &serde_json::Value) -> Vec<Vec<f64>> {
    let flat = |v: &serde_json::Value| v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    v.as_array().unwrap().iter().map(flat).collect()
}

#[test]
fn dumps_are_what_jax_computes() {
    as_jax(|_| true, None);
}

/// Shapes in manual regions are those of the mesh that JAX lowered for: on shorter axes a device does what several did.
#[test]
fn manual_regions_on_other_meshes() {
    let manual = |text: &str| text.contains("sdy.manual_computation") && text.contains("<[\"data\"=2, \"model\"=4]>");
    for size in [1, 3] {
        as_jax(manual, Some(&[("data", size)]));
    }
}

fn as_jax(which: impl Fn(&str) -> bool, mesh: Option<&[(&str, u64)]>) {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/shardings");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "mlir"));
    files.sort();
    assert!(files.len() > 40);
    let mut wrong = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        let json = std::fs::read_to_string(path.with_extension("json")).unwrap();
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        if !which(&text) {
            continue;
        }
        let (func, said) = imported(&name, &text, mesh);
        let Some(func) = func else {
            wrong.push(format!("{name}: {said:?}"));
            continue;
        };
        if let Err(e) = meshloom_ir::verify::verify(&func) {
            wrong.push(format!("{name}: {e:?}"));
            continue;
        }
        let of = |(ty, v): (&TensorType, Vec<f64>)| match ty.dtype.is_float() {
            true => Tensor::floats(ty.dtype, &ty.shape, v),
            false => Tensor::ints(ty.dtype, &ty.shape, v.into_iter().map(|x| x as i64).collect()),
        };
        let types = func.body().args.iter().map(|&v| func.ty(v));
        let inputs: Vec<Tensor> = types.zip(numbers(&json["inputs"])).map(of).collect();
        let outs = eval(&func, &inputs).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let value = |t: &Tensor, k| if t.ty.dtype.is_float() { t.f(k) } else { t.i(k) as f64 };
        let got: Vec<Vec<f64>> = outs.iter().map(|t| (0..t.len()).map(|k| value(t, k)).collect()).collect();
        if got != numbers(&json["outputs"]) {
            wrong.push(format!("{name}: {got:?}, JAX has {:?}", json["outputs"]));
        }
        let warns = name.starts_with("not_seen");
        // The meshes here leave axes out, and do not divide dims, on purpose.
        let meant = |m: &String| m.contains("leaves out") || m.contains("is split over 3 devices");
        let said: Vec<_> = said.into_iter().filter(|m| !meant(m)).collect();
        if warns != said.iter().any(|m| m.contains("may differ")) || !warns && !said.is_empty() {
            wrong.push(format!("{name}: {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// A function of one tensor of 8x16, with ops that name `%0` last.
fn module(head: &str, arg: &str, body: &str) -> String {
    format!(
        "module @jit_f attributes {{mhlo.num_partitions = 8 : i32}} {{\n{head}\nfunc.func public @main(%arg0: tensor<8x16xf32> {arg}) -> (tensor<8x16xf32>) {{\n{body}\nreturn %0 : tensor<8x16xf32>\n}}\n}}\n"
    )
}

/// How the argument, and the constraints in the body, are pinned.
#[track_caller]
fn pins(head: &str, arg: &str, body: &str) -> Vec<String> {
    let func = import(&module(head, arg, body));
    let ops = func.body().ops.iter().filter_map(|&o| match &func.op(o).op {
        Op::Constrain(c) => Some(c),
        _ => None,
    });
    let all = func.inputs.iter().map(|p| &p.constraint).chain(ops);
    all.map(|c| if c.absent { "absent".to_string() } else { c.show(&func.mesh) }).collect()
}

const MESH: &str = "sdy.mesh @mesh = <[\"x\"=8]>";
const SAME: &str = "%0 = stablehlo.negate %arg0 : tensor<8x16xf32>";

fn constrained(sharding: &str) -> String {
    format!("%0 = sdy.sharding_constraint %arg0 <{sharding}> : tensor<8x16xf32>")
}

#[test]
fn parts_of_axes_are_axes() {
    let arg = "{sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {}]>}";
    let body = constrained("@mesh, [{\"x\":(1)2, ?}, {\"x\":(4)2}p1], replicated={\"x\":(2)2}");
    assert_eq!(pins(MESH, arg, &body), ["[(x_0, x_1, x_2), _]", "[x_0?, x_2] + copies(x_1)"]);
    let func = import(&module(MESH, arg, &body));
    assert_eq!(func.mesh.to_string(), "[x_0: 2, x_1: 2, x_2: 2]");
}

#[test]
fn open_dims_and_axes_that_sums_are_pending_over() {
    let mesh = "sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>";
    let body = constrained("@mesh, [{\"a\", ?}p0, {?}p1], unreduced={\"b\"}");
    assert_eq!(pins(mesh, "", &body), ["absent", "[a?, ?] + partial(b)"]);
}

#[test]
fn meshes_of_other_shapes_and_orders() {
    let meshes = "sdy.mesh @mesh = <[\"d\"=2, \"m\"=4]>\nsdy.mesh @turned = <[\"m\"=4, \"d\"=2], device_ids=[0, 4, 1, 5, 2, 6, 3, 7]>\n\
        sdy.mesh @other = <[\"a\"=4, \"b\"=2]>\nsdy.mesh @one = <[], device_ids=[3]>\nsdy.mesh @empty = <[]>";
    let arg = "{sdy.sharding = #sdy.sharding<@turned, [{\"m\"}, {\"d\"}]>}";
    assert_eq!(pins(meshes, arg, &constrained("@other, [{}, {\"a\"}]")), ["[(m_0, m_1), d]", "[_, (d, m_0)]"]);
    assert_eq!(pins(meshes, "", &constrained("@one, []")), ["absent", "[_, _]"]);
    assert_eq!(pins(meshes, "", &constrained("@empty, [{?}, {}]")), ["absent", "[?, _]"]);
    assert_eq!(pins("", "", &constrained("mesh<[\"q\"=8]>, [{\"q\"}, {}]")), ["absent", "[q, _]"]);
    // Devices in an order of their own are numbered in that order.
    let odd = "sdy.mesh @mesh = <[\"x\"=4], device_ids=[0, 1, 3, 2]>";
    assert_eq!(pins(odd, "", &constrained("@mesh, [{\"x\"}, {}]")), ["absent", "[x, _]"]);
}

#[test]
fn layouts_that_ops_are_given() {
    let mesh = "sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>";
    let body = "%0 = stablehlo.negate %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"a\"}, {\"b\"}]>]>} : tensor<8x16xf32>";
    assert_eq!(pins(mesh, "", body), ["absent", "[a, b]"]);
    let body = "%11 = sdy.sharding_constraint %arg0 <@mesh, [{\"a\"}, {\"b\"}]> : tensor<8x16xf32>\n\
        %1 = sdy.all_gather [{\"a\"}, {}] %11 out_sharding=<@mesh, [{}, {\"b\"}]> : tensor<8x16xf32>\n\
        %2 = sdy.all_slice [{\"a\"}, {}] %1 out_sharding=<@mesh, [{\"a\"}, {\"b\"}]> : tensor<8x16xf32>\n\
        %3 = sdy.all_to_all [{\"b\"}: 1->0] %2 out_sharding=<@mesh, [{\"a\", \"b\"}, {}]> : tensor<8x16xf32>\n\
        %4 = sdy.collective_permute %3 out_sharding=<@mesh, [{\"b\", \"a\"}, {}]> : tensor<8x16xf32>\n\
        %10 = sdy.all_gather [{\"b\", \"a\"}, {}] %4 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>\n\
        %5 = sdy.all_reduce {\"a\"} %10 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>\n\
        %6 = sdy.reduce_scatter [{}, {\"a\"}] %5 out_sharding=<@mesh, [{}, {\"a\"}]> : tensor<8x16xf32>\n\
        %7 = sdy.replicated_to_unreduced {\"b\"} %6 out_sharding=<@mesh, [{}, {\"a\"}], unreduced={\"b\"}> : tensor<8x16xf32>\n\
        %8 = sdy.propagation_barrier %7 allowed_direction=NONE : tensor<8x16xf32>\n\
        sdy.sharding_group %8 group_id=0 : tensor<8x16xf32>\n\
        %9 = sdy.reshard %8 <@mesh, [{\"a\"}, {}]> : tensor<8x16xf32>\n\
        sdy.sharding_group %arg0 group_id=0 : tensor<8x16xf32>\n\
        %0 = \"sdy.sharding_constraint\"(%9) <{sharding = #sdy.sharding<@mesh, [{}, {}]>}> : (tensor<8x16xf32>) -> tensor<8x16xf32>";
    let said = pins(mesh, "", body);
    let want = [
        "absent",
        "[a, b]",
        "[_, b]",
        "[a, b]",
        "[(a, b), _]",
        "[(b, a), _]",
        "[_, _]",
        "[_, _]",
        "[_, a]",
        "[_, a] + partial(b)",
        "[a, _]",
        "[_, a] + partial(b)",
        "[_, _]",
    ];
    assert_eq!(said, want);
}

/// Bodies with a name are done in place, in both forms, one in another; what is wrong with one is said where it stands.
#[test]
fn named_computations() {
    let mesh = "sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>";
    let inner = "%3 = \"sdy.named_computation\"(%2) <{name = \"inner\", out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {\"b\", ?}]>]>}> ({\n\
        ^bb0(%4: tensor<8x16xf32>):\n%5 = sdy.constant dense<2.0> : tensor<8x16xf32>\n\
        %6 = stablehlo.multiply %4, %5 : tensor<8x16xf32>\nsdy.return %6 : tensor<8x16xf32>\n\
        }) : (tensor<8x16xf32>) -> tensor<8x16xf32>";
    let body = format!(
        "%0 = sdy.named_computation<\"outer\">(%arg0) in_shardings=[<@mesh, [{{\"a\"}}, {{}}]>] out_shardings=[<@mesh, [{{?}}, {{?}}]>] \
         (%1: tensor<8x16xf32>) {{\n%2 = stablehlo.negate %1 : tensor<8x16xf32>\n{inner}\n\
         sdy.return %3 : tensor<8x16xf32>\n}} : (tensor<8x16xf32>) -> tensor<8x16xf32>"
    );
    assert_eq!(pins(mesh, "", &body), ["absent", "[a, _]", "[_, b?]", "[?, ?]"]);
    let func = import(&module(mesh, "", &body));
    let x: Vec<f64> = (0..128).map(f64::from).collect();
    let out = eval::eval(&func, &[Tensor::floats(DType::F32, &[8, 16], x.clone())]).unwrap();
    assert_eq!(out, [Tensor::floats(DType::F32, &[8, 16], x.iter().map(|x| -2.0 * x).collect())]);
    let (func, said) = imported(
        "f.mlir",
        &module(mesh, "", &body.replace("in_shardings=[", "in_shardings=[<@mesh, [{}, {}]>, ")),
        None,
    );
    assert!(func.is_none());
    assert_eq!(said, ["2 shardings for 1 values"]);
}

#[test]
fn tile_assignments_of_gspmd() {
    let arg = "{mhlo.sharding = \"{devices=[2,1,4]<=[8] last_tile_dim_replicate}\"}";
    let call = |text: &str, open: &str| {
        format!(
            "%0 = stablehlo.custom_call @Sharding(%arg0) {{backend_config = \"{open}\", mhlo.sharding = \"{text}\"}} : (tensor<8x16xf32>) -> tensor<8x16xf32>"
        )
    };
    let said = pins("", arg, &call("{devices=[4,1,2]<=[2,4]T(1,0) last_tile_dim_replicate}", "unspecified_dims=[1]"));
    assert_eq!(said, ["[axis0, _]", "[axis1, ?]"]);
    // Devices one by one, as older versions print them; and strides that cut the axes of others.
    let said = pins("", arg, &call("{devices=[4,2]0,4,1,5,2,6,3,7}", ""));
    assert_eq!(said, ["[axis0, _]", "[axis1, axis0]"]);
    let said = pins("", arg, &call("{devices=[2,4]0,2,4,6,1,3,5,7}", ""));
    assert_eq!(said, ["[axis0, _]", "[axis2, (axis0, axis1)]"]);
    for (text, want) in [("{replicated}", "[_, _]"), ("{maximal device=0}", "[_, _]")] {
        assert_eq!(pins("", arg, &call(text, ""))[1], want);
    }
    // It says nothing.
    assert_eq!(pins("", arg, &call("{unknown shard_as 0}", "")), ["[axis0, _]"]);
}

/// There is no tensor on one device only, and that is said once, where it was asked for.
#[test]
fn one_device_is_all() {
    let old = "%0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = \"{maximal device=0}\"} : (tensor<8x16xf32>) -> tensor<8x16xf32>";
    let mesh = "sdy.mesh @one = <[], device_ids=[0]>\n  sdy.mesh @mesh = <[\"a\"=2]>";
    let cases = [
        (
            module(
                "",
                "{mhlo.sharding = \"{devices=[4,1,2]<=[8] last_tile_dim_replicate}\"}",
                &format!("{old}\n{}", old.replace("%0", "%1")),
            ),
            "custom_call",
        ),
        (module(mesh, "", &constrained("@one, []")), "sharding_constraint"),
    ];
    for (text, place) in cases {
        let out = meshloom_stablehlo::compile("f.mlir", &text, &Default::default());
        assert!(out.elaborated.is_some(), "{:?}", out.diagnostics);
        let said: Vec<_> = out.diagnostics.iter().filter(|d| d.message.contains("is replicated on all")).collect();
        assert_eq!(said.len(), 1, "{:?}", out.diagnostics);
        let at = said[0].primary.as_ref().unwrap().span;
        assert!(text[at.start as usize..at.end as usize].contains(place), "{at:?}");
    }
}

#[test]
fn sizes_of_other_meshes() {
    let mesh = "sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>";
    let text = module(mesh, "", &constrained("@mesh, [{\"a\"}, {\"b\"}]"));
    let (func, _) = imported("f.mlir", &text, Some(&[("a", 8)]));
    assert_eq!(func.unwrap().mesh.to_string(), "[a: 8, b: 1]");
    let (_, said) = imported("f.mlir", &text, Some(&[("c", 8)]));
    assert_eq!(said, ["--mesh c: the program's mesh has no axis `c`"]);
    let parts = module(MESH, "", &constrained("@mesh, [{\"x\":(1)2}, {}]"));
    let (func, _) = imported("f.mlir", &parts, Some(&[("x", 8)]));
    assert_eq!(func.unwrap().mesh.to_string(), "[x_0: 2, x_1: 4]");
    let (_, said) = imported("f.mlir", &parts, Some(&[("x", 4)]));
    assert_eq!(said, ["--mesh x=4: the program uses parts of `x`"]);
    // Of one device, for the devices that are asked for.
    let one = module("sdy.mesh @empty_mesh = <[]>", "{sdy.sharding = #sdy.sharding<@empty_mesh, [{}, {}]>}", SAME);
    let (func, _) = imported("f.mlir", &one, Some(&[("x", 4)]));
    let func = func.unwrap();
    assert!(func.mesh.to_string() == "[x: 4]" && func.inputs[0].constraint.absent);
}

/// Donated arguments whose results have no sharding yet say so without a result.
#[test]
fn donors_and_the_names_of_arguments() {
    let text = "module {\nfunc.func public @main(%arg0: tensor<2xf32> {jax.buffer_donor = true}, %arg1: tensor<2xf32> {jax.buffer_donor = true}, \
        %arg2: tensor<2xf32> {tf.aliasing_output = 0 : i32}, %arg3: tensor<3xf32> {jax.buffer_donor = true}, %arg4: tensor<2xf32> {jax.arg_info = \"batch['x']\"}) -> \
        (tensor<2xf32> {jax.result_info = \"result['a']\"}, tensor<f32>, tensor<2xf32> {jax.result_info = \"result['b']\"}, tensor<2xf32>) {\n\
        %0 = stablehlo.constant dense<0.0> : tensor<f32>\n\
        return %arg2, %0, %arg1, %arg0 : tensor<2xf32>, tensor<f32>, tensor<2xf32>, tensor<2xf32>\n}\n}\n";
    let func = import(text);
    let inputs: Vec<&str> = func.inputs.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(inputs, ["b", "arg1", "a", "arg3", "batch.x"]);
    let updates: Vec<Option<usize>> = func.outputs.iter().map(|p| p.updates).collect();
    assert_eq!(updates, [Some(2), None, Some(0), Some(1)]);
}

#[test]
fn all_that_is_wrong_is_said_at_once() {
    let meshes = "sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>\nsdy.mesh @odd = <[\"a\"=2, \"b\"=4], device_ids=[0, 1, 3, 2, 4, 5, 6, 7]>\n\
        sdy.mesh @four = <[\"c\"=4]>";
    let body = "%1 = sdy.sharding_constraint %arg0 <@mesh, [{\"c\"}, {}]> : tensor<8x16xf32>\n\
        %2 = sdy.sharding_constraint %1 <@nowhere, [{\"a\"}, {}]> : tensor<8x16xf32>\n\
        %3 = sdy.sharding_constraint %2 <@mesh, [{\"a\"}]> : tensor<8x16xf32>\n\
        %4 = sdy.sharding_constraint %3 <@mesh, [{\"b\":(3)2}, {}]> : tensor<8x16xf32>\n\
        %5 = \"stablehlo.all_reduce\"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({\n\
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) : (tensor<8x16xf32>) -> tensor<8x16xf32>\n\
        %0 = sdy.manual_computation(%5) in_shardings=[<@mesh, [{}, {}]>] out_shardings=[<@mesh, [{}, {}]>] manual_axes={\"a\"} (%arg1: tensor<8x16xf32>) {\n\
        %6 = \"stablehlo.all_gather\"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<8x16xf32>) -> tensor<32x16xf32>\n\
        %7 = \"stablehlo.all_gather\"(%arg1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 3], [1, 3], [4, 7], [5, 6]]> : tensor<4x2xi64>, use_global_device_ids}> : (tensor<8x16xf32>) -> tensor<16x16xf32>\n\
        sdy.return %arg1 : tensor<8x16xf32>\n} : (tensor<8x16xf32>) -> tensor<8x16xf32>";
    let (func, said) = imported("f.mlir", &module(meshes, "", body), None);
    assert!(func.is_none());
    let starts = [
        "the axes of this mesh do not go with",
        "this mesh has 4 devices, and another one of this module 8",
        "the mesh has no axis `c`",
        "there is no mesh `@nowhere`",
        "the sharding has 1 dims, and the tensor 2",
        "`b` of size 4 has no part `(3)2`",
        "`stablehlo.all_reduce` stands outside of a manual region",
        "`stablehlo.all_gather` is over the axis `b`",
        "a device is in two of its groups",
    ];
    assert_eq!(said.len(), starts.len(), "{said:#?}");
    for (got, want) in said.iter().zip(starts) {
        assert!(got.starts_with(want), "{got}, not {want}");
    }
}

/// Groups that no collective of this kind can have. Others are evaluated in [`dumps_are_what_jax_computes`].
#[test]
fn groups_that_collectives_cannot_have() {
    let said = |op: &str, groups: &str, more: &str, sizes: [u64; 2]| {
        let rows = groups.matches('[').count() - 1;
        let columns = groups.trim_start_matches('[').split(']').next().unwrap().split(',').count();
        let region = match op {
            "all_reduce" | "reduce_scatter" => {
                "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n}) "
            }
            _ => "",
        };
        let body = format!(
            "%0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{{}}, {{}}]>] out_shardings=[<@mesh, [{{}}, {{}}]>] manual_axes={{\"a\", \"b\"}} (%x: tensor<8x16xf32>) {{\n\
             %y = \"stablehlo.{op}\"(%x) <{{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{groups}> : tensor<{rows}x{columns}xi64>{more}}}> {region}: (tensor<8x16xf32>) -> tensor<{}x{}xf32>\n\
             sdy.return %x : tensor<8x16xf32>\n}} : (tensor<8x16xf32>) -> tensor<8x16xf32>",
            sizes[0], sizes[1]
        );
        let (func, said) = imported("f.mlir", &module("sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>", "", &body), None);
        assert!(func.is_none() && said.len() == 1, "{said:?}");
        said[0].clone()
    };
    let of = |groups: &str| said("all_reduce", groups, ", use_global_device_ids", [8, 16]);
    assert_eq!(of("[[0, 1, 2, 3], [4, 5, 6, 8]]"), "its groups name a device that there is none of");
    assert_eq!(of("[[0, 1, 2, 3], [4, 5, 6, 3]]"), "a device is in two of its groups");
    assert_eq!(of("[[0, 1, 2, 3], [4, 5, 6, -1]]"), "its groups leave devices out");
    let (gather, sizes) =
        (", all_gather_dim = 0 : i64", "its groups of devices have different sizes, or leave devices out");
    assert_eq!(said("all_gather", "[[0, 1, 2, 3], [4, 5, 6, -1], [7, -1, -1, -1]]", gather, [32, 16]), sizes);
    assert_eq!(said("all_gather", "[[0, 1], [2, 3]]", gather, [16, 16]), sizes);
    let scatter = ", scatter_dimension = 0 : i64";
    let threes = said("reduce_scatter", "[[0, 3, 1], [2, 5, 4]]", scatter, [2, 16]);
    assert_eq!(threes, sizes);
}

/// A complex tensor is one port, whose parts no axis splits, and two values inside that lie alike.
#[test]
fn complex_tensors_lie_as_it_is_said() {
    let func = import(
        "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n\
         func.func public @main(%arg0: tensor<8x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {?}]>},\n\
         %arg1: tensor<8x16xcomplex<f32>>) -> (tensor<8x16xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"y\"}]>}) {\n\
         %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{\"y\"}, {}]>]>} : tensor<8x16xcomplex<f32>>\n\
         %1 = sdy.sharding_constraint %0 <@mesh, [{\"x\", \"y\"}, {}]> : tensor<8x16xcomplex<f32>>\n\
         return %1 : tensor<8x16xcomplex<f32>>\n}",
    );
    let ports = func.inputs.iter().chain(&func.outputs);
    let ports: Vec<String> = ports.map(|p| format!("{} {}", p.complex, p.constraint.show(&func.mesh))).collect();
    assert_eq!(ports, ["true [x, ?, _]", "true [?, ?, _]", "true [_, y, _]"]);
    let pinned = func.body().ops.iter().filter_map(|&o| match &func.op(o).op {
        Op::Constrain(c) => Some(c.show(&func.mesh)),
        _ => None,
    });
    assert_eq!(pinned.collect::<Vec<_>>(), ["[y, _]", "[y, _]", "[(x, y), _]", "[(x, y), _]"]);
}

/// What is known of propagation is checked, as Shardy does, and not followed.
#[test]
fn edges_of_propagation() {
    let mesh = "sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>";
    let said = |arg: &str, body: &str| imported("f.mlir", &module(mesh, arg, body), None).1;
    let edges = |edges: &str| {
        let body = format!("%0 = stablehlo.negate %arg0 {{sdy.propagation_edges = {edges}}} : tensor<8x16xf32>");
        said("{sdy.sharding = #sdy.sharding<@mesh, [{\"a\"}, {}]>}", &body)
    };
    let list = |list: &str| edges(&format!("#sdy.propagation_edges<[{list}]>"));
    assert!(
        list("{step-1 = [{\"a\" = operand-0 -> [result-0]}]}, {step-0 = [{\"b\":(1)2 = result-0 -> [operand-0]}]}")
            .is_empty()
    );
    for (text, why) in [
        ("{step-1 = [{\"a\" = operand-0 -> [result-1]}]}", "an edge of propagation names number 1 of 1 results"),
        ("{step-1 = [{\"a\" = operand-2 -> [result-0]}]}", "an edge of propagation names number 2 of 1 operands"),
        ("{step--1 = [{\"a\" = operand-0 -> [result-0]}]}", "step -1 of propagation is before the first"),
        ("{step-1 = []}, {step-1 = []}", "step 1 of propagation is there twice"),
        (
            "{step-1 = [{\"a\" = operand-0 -> [operand-0]}]}",
            "an edge of propagation leads to where it comes from, or twice to one value",
        ),
    ] {
        assert_eq!(list(text), [why], "{text}");
    }
    assert_eq!(edges("64"), ["`sdy.propagation_edges` is `#sdy.propagation_edges<[..]>`"]);
    let edge = "%0 = sdy.data_flow_edge %arg0 sharding=<@mesh, [{\"a\"}, {}]> : tensor<8x16xf32>";
    assert_eq!(pins(mesh, "", edge), ["absent", "[a, _]"]);
    let again = format!("%1 = stablehlo.negate %arg0 : tensor<8x16xf32>\n{edge}");
    assert_eq!(said("", &again), ["`%arg0` is read by `sdy.data_flow_edge`, and by others"]);
    let bare = "%0 = sdy.all_gather [{\"a\"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>";
    assert_eq!(said("", bare), ["`sdy.all_gather` of a value that has no sharding"]);
}

/// What enters and leaves a program is whole: nobody outside of it has summands. A value inside may be partial.
#[test]
fn parameters_and_results_are_never_partial() {
    let text = "module @m attributes {mhlo.num_partitions = 4 : i32} {\n  \
        sdy.mesh @mesh = <[\"a\"=2, \"b\"=2]>\n  \
        func.func public @main(\
        %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{\"a\"}]>}, \
        %arg1: tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced={\"b\"}>}) \
        -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, [], unreduced={\"a\"}>}) {\n    \
        %0 = stablehlo.dot_general %arg0, %arg0, contracting_dims = [0] x [0] : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>\n    \
        %1 = sdy.sharding_constraint %0 <@mesh, [], unreduced={\"a\"}> : tensor<f32>\n    \
        %2 = stablehlo.add %1, %arg1 : tensor<f32>\n    \
        return %2 : tensor<f32>\n  }\n}\n";
    let (func, said) = imported("f.mlir", text, None);
    let func = func.unwrap_or_else(|| panic!("{said:?}"));
    assert!(func.inputs.iter().chain(&func.outputs).all(|p| p.constraint.partial.is_empty()));
    let inside = func.ops.iter().filter(|d| matches!(&d.op, Op::Constrain(c) if !c.partial.is_empty())).count();
    let names: Vec<&str> = said.iter().filter_map(|m| m.split(", and is taken").next()).collect();
    let due = ["parameter `arg1` is unreduced over b", "result `result0` is unreduced over a"];
    assert_eq!((inside, names), (1, due.to_vec()));
}
