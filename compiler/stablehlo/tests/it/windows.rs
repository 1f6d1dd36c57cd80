//! Convolutions, poolings and their gradients as JAX lowers them, against what JAX computed (tests/data/stablehlo/windows, with
//! the script that made them); and forms that JAX does not print.

use meshloom_ir::interp::eval;
use meshloom_ir::{Func, Tensor};
use meshloom_source::FrontOptions;
use std::path::PathBuf;

fn dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/windows")
}

fn imported(name: &str, text: &str) -> Func {
    let out = meshloom_stablehlo::compile(name, text, &FrontOptions::default());
    let errors = format!("{name}: {:?}", out.diagnostics);
    let func = out.elaborated.expect(&errors).entries.remove(0).func;
    meshloom_ir::verify::verify(&func).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    func
}

/// Infinities are words.
fn flat(v: &serde_json::Value) -> Vec<f64> {
    let number = |x: &serde_json::Value| x.as_f64().unwrap_or_else(|| x.as_str().unwrap().parse().unwrap());
    v.as_array().unwrap().iter().map(number).collect()
}

fn tensors(func: &Func, values: &serde_json::Value) -> Vec<Tensor> {
    let types = func.body().args.iter().map(|&v| func.ty(v));
    let of = |(ty, v): (&meshloom_ir::TensorType, &serde_json::Value)| match ty.dtype.is_float() {
        true => Tensor::floats(ty.dtype, &ty.shape, flat(v)),
        false => Tensor::ints(ty.dtype, &ty.shape, flat(v).into_iter().map(|x| x as i64).collect()),
    };
    types.zip(values.as_array().unwrap()).map(of).collect()
}

#[test]
fn what_jax_computes() {
    let mut names: Vec<String> = std::fs::read_dir(dir())
        .unwrap()
        .filter_map(|e| e.unwrap().file_name().to_str()?.strip_suffix(".mlir").map(str::to_string))
        .collect();
    names.sort();
    assert!(names.len() >= 40, "{names:?}");
    for name in names {
        let read = |end: &str| std::fs::read_to_string(dir().join(format!("{name}.{end}"))).unwrap();
        let func = imported(&name, &read("mlir"));
        let numbers: serde_json::Value = serde_json::from_str(&read("json")).unwrap();
        let got = eval(&func, &tensors(&func, &numbers["inputs"])).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let want = numbers["outputs"].as_array().unwrap();
        assert_eq!(got.len(), want.len(), "{name}");
        for (g, w) in got.iter().zip(want) {
            let have: Vec<f64> = (0..g.len()).map(|k| g.f(k)).collect();
            assert_eq!(have, flat(w), "{name}");
        }
    }
}

/// `main` with a body that ends in `%0`.
fn module(params: &str, result: &str, body: &str) -> String {
    format!(
        "module @m {{\n  func.func public @main({params}) -> ({result}) {{\n{body}\n    return %0 : {result}\n  }}\n}}\n"
    )
}

fn refused(text: &str) -> Vec<String> {
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    assert!(out.elaborated.is_none(), "{text}");
    out.diagnostics.into_iter().map(|d| d.message).collect()
}

fn counting(func: &Func) -> Vec<Tensor> {
    let types = func.body().args.iter().map(|&v| func.ty(v));
    types.map(|t| Tensor::floats(t.dtype, &t.shape, (0..t.elements()).map(|i| (i * 7 % 11) as f64).collect())).collect()
}

/// The pretty form, the generic one, and dims by their names; a window that is read from end to start is one whose kernel is.
#[test]
fn forms_of_a_convolution() {
    let params = "%arg0: tensor<2x6x5x3xf32>, %arg1: tensor<3x2x3x4xf32>";
    let result = "tensor<2x3x6x4xf32>";
    let types = "(tensor<2x6x5x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x3x6x4xf32>";
    let pretty = format!(
        "%0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], \
         window = {{stride = [2, 1], pad = [[1, 1], [1, 1]], reverse = [true, false]}} : {types}"
    );
    let generic = |numbers: &str| {
        format!(
            "%0 = \"stablehlo.convolution\"(%arg0, %arg1) <{{batch_group_count = 1 : i64, dimension_numbers = {numbers}, \
             feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>, window_reversal = array<i1: true, false>, \
             window_strides = array<i64: 2, 1>}}> : {types}"
        )
    };
    let raw = "#stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2], \
        kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1], \
        output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>";
    let turned = format!(
        "%1 = stablehlo.reverse %arg1, dims = [0] : tensor<3x2x3x4xf32>\n\
         %0 = stablehlo.convolution(%arg0, %1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], \
         window = {{stride = [2, 1], pad = [[1, 1], [1, 1]]}} : {types}"
    );
    let run = |body: &str| {
        let func = imported("f.mlir", &module(params, result, body));
        eval(&func, &counting(&func)).unwrap().remove(0)
    };
    let want = run(&turned);
    assert!((0..want.len()).any(|i| want.f(i) != 0.0));
    let bodies = [pretty, generic("#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"), generic(raw)];
    for body in bodies {
        assert_eq!(run(&body), want, "{body}");
    }
}

/// With NaN a window selects what XLA's loop over its places ends with.
#[test]
fn selects_as_a_loop_with_comparisons_does() {
    for (direction, swapped) in [("GE", false), ("GT", false), ("LE", false), ("LT", false), ("GE", true)] {
        let (a, b) = if swapped { ("%b", "%a") } else { ("%a", "%b") };
        let body = format!(
            "%c = stablehlo.constant dense<0.0> : tensor<f32>\n\
             %0 = \"stablehlo.select_and_scatter\"(%arg0, %arg1, %c) <{{padding = dense<[[1, 0]]> : tensor<1x2xi64>, \
             window_dimensions = array<i64: 3>, window_strides = array<i64: 2>}}> ({{\n\
             ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n\
             %s = stablehlo.compare {direction}, {a}, {b} : (tensor<f32>, tensor<f32>) -> tensor<i1>\nstablehlo.return %s : tensor<i1>\n\
             }}, {{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n\
             %s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n\
             }}) : (tensor<8xf32>, tensor<4xf32>, tensor<f32>) -> tensor<8xf32>"
        );
        let func = imported("f.mlir", &module("%arg0: tensor<8xf32>, %arg1: tensor<4xf32>", "tensor<8xf32>", &body));
        let keeps = |x: f64, y: f64| match (direction, swapped) {
            ("GE", false) => x >= y,
            ("GT", false) => x > y,
            ("LE", false) => x <= y,
            ("LT", false) => x < y,
            _ => y >= x,
        };
        // All ways to have three different numbers and NaN at eight places, or some of them.
        for seed in 0..400u64 {
            let x: Vec<f64> =
                (0..8).map(|i| [1.0, 2.0, f64::NAN, 3.0][((seed * 2_654_435_761) >> (2 * i)) as usize % 4]).collect();
            let source = [1.0, 10.0, 100.0, 1000.0];
            let mut want = vec![0.0; 8];
            for (w, s) in source.iter().enumerate() {
                let mut selected: Option<usize> = None;
                for at in (0..3).filter_map(|k| (2 * w + k).checked_sub(1)).filter(|&at| at < 8) {
                    selected = Some(selected.filter(|&old| keeps(x[old], x[at])).unwrap_or(at));
                }
                want[selected.unwrap()] += s;
            }
            let floats = |v: &[f64]| Tensor::floats(meshloom_ir::DType::F32, &[v.len() as u64], v.to_vec());
            let got = eval(&func, &[floats(&x), floats(&source)]).unwrap().remove(0);
            assert_eq!((0..8).map(|i| got.f(i)).collect::<Vec<_>>(), want, "{direction} {swapped} of {x:?}");
        }
    }
}

#[test]
fn what_is_not_supported_says_so() {
    let window = |attrs: &str, inner: &str| {
        let body = format!(
            "%c = stablehlo.constant dense<0.0> : tensor<f32>\n\
             %0 = \"stablehlo.reduce_window\"(%arg0, %c) <{{{attrs}}}> ({{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n\
             {inner}\nstablehlo.return %s : tensor<f32>\n}}) : (tensor<8xf32>, tensor<f32>) -> tensor<6xf32>"
        );
        refused(&module("%arg0: tensor<8xf32>", "tensor<6xf32>", &body)).join("; ")
    };
    let add = "%s = stablehlo.add %a, %b : tensor<f32>";
    let shows = |found: String, part: &str| assert!(found.contains(part), "{found}");
    shows(
        window("window_dimensions = array<i64: 3>", "%t, %s = stablehlo.what %a, %b : tensor<f32>"),
        "`stablehlo.what` is not supported",
    );
    shows(window("window_dimensions = array<i64: 0>", add), "not 1 or more");
    shows(window("window_dimensions = array<i64: 3, 1>", add), "2 numbers for 1 dims");
    shows(window("window_dimensions = array<i64: 3>, padding = dense<-5> : tensor<1x2xi64>", add), "cuts off");
    shows(window("window_dimensions = array<i64: 9000000000000000000>", add), "beyond");
    shows(window("window_dimensions = array<i64: 4>", add), "is written");
    shows(window("window_strides = array<i64: 3>", add), "`window_dimensions` is missing");
    let conv = |numbers: &str, more: &str| {
        let body = format!(
            "%0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = {numbers}, window = {{}} {{{more}}} : \
             (tensor<2x6x3xf32>, tensor<3x3x4xf32>) -> tensor<2x4x4xf32>"
        );
        refused(&module("%arg0: tensor<2x6x3xf32>, %arg1: tensor<3x3x4xf32>", "tensor<2x4x4xf32>", &body)).join("; ")
    };
    shows(conv("[b, 0, f]x[0, i, o]->[b, f]", ""), "`dim_numbers`");
    shows(conv("[b, 1, f]x[0, i, o]->[b, 0, f]", ""), "no dim `0`");
    shows(conv("[b, 0, f]x[0, i, o]->[b, 0, f]", "feature_group_count = 2 : i64"), "2 groups");
    shows(conv("[b, 0, f]x[0, i, o]->[b, 0, f]", "feature_group_count = 0 : i64"), "groups");
}
