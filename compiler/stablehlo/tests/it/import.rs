//! Ops as JAX prints them, in the pretty and in the generic form, evaluated on small inputs; and what is refused.

use meshloom_ir::interp::eval;
use meshloom_ir::{DType, Role, Tensor};
use meshloom_source::FrontOptions;

/// `main` with a body, as a module.
pub fn module(params: &str, results: &str, body: &str) -> String {
    format!("module @jit_f {{\n  func.func public @main({params}) -> ({results}) {{\n{body}\n  }}\n}}\n")
}

pub fn run(text: &str, inputs: &[Tensor]) -> Vec<Tensor> {
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    assert!(out.elaborated.is_some(), "{:?}", out.diagnostics);
    let func = out.elaborated.unwrap().entries.remove(0).func;
    meshloom_ir::verify::verify(&func).unwrap_or_else(|e| panic!("{e:?}"));
    eval(&func, inputs).unwrap_or_else(|e| panic!("{e:?}"))
}

pub fn refused(text: &str) -> Vec<String> {
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    assert!(out.elaborated.is_none());
    out.diagnostics.into_iter().map(|d| d.message).collect()
}

pub fn floats(shape: &[u64], values: &[f64]) -> Tensor {
    Tensor::floats(DType::F32, shape, values.to_vec())
}

pub fn ints(shape: &[u64], values: &[i64]) -> Tensor {
    Tensor::ints(DType::I32, shape, values.to_vec())
}

pub fn values(t: &Tensor) -> Vec<f64> {
    (0..t.len()).map(|i| if t.ty.dtype.is_float() { t.f(i) } else { t.i(i) as f64 }).collect()
}

/// One op from `x: tensor<2x3xf32>` holding 0 to 5.
fn of_six(results: &str, body: &str) -> Vec<f64> {
    let text = module("%arg0: tensor<2x3xf32>", results, body);
    values(&run(&text, &[floats(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0])])[0])
}

/// The calls that JAX's CPU lowering makes of a factor and a solve of complex matrices. L of [[4, 1-i], [1+i, 3]] is
/// [[2, 0], [(1+i)/2, sqrt(2.5)]], and what solves L^H x = (2, sqrt(2.5) i) is (1 - (1-i) i / 4, i).
#[test]
fn lapack_of_complex_matrices() {
    let body = "%0:2 = stablehlo.custom_call @lapack_zpotrf_ffi(%arg0) {backend_config = \"\", \
        mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xcomplex<f64>>) -> (tensor<2x2xcomplex<f64>>, tensor<i32>)\n\
        %1 = stablehlo.custom_call @lapack_ztrsm_ffi(%0#0, %arg1) {backend_config = \"\", mhlo.backend_config = \
        {diag = 78 : ui8, side = 76 : ui8, trans_x = 67 : ui8, uplo = 76 : ui8}} : (tensor<2x2xcomplex<f64>>, \
        tensor<2x1xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>\n\
        return %0#0, %0#1, %1 : tensor<2x2xcomplex<f64>>, tensor<i32>, tensor<2x1xcomplex<f64>>";
    let text = module(
        "%arg0: tensor<2x2xcomplex<f64>>, %arg1: tensor<2x1xcomplex<f64>>",
        "tensor<2x2xcomplex<f64>>, tensor<i32>, tensor<2x1xcomplex<f64>>",
        body,
    );
    let root = 2.5f64.sqrt();
    let of = |shape: &[u64], v: &[f64]| Tensor::floats(meshloom_ir::DType::F64, shape, v.to_vec());
    // The upper triangle and the imaginary part of the diagonal are not read.
    let a = of(&[2, 2, 2], &[4.0, 9.0, 7.0, 7.0, 1.0, 1.0, 3.0, 9.0]);
    let out = run(&text, &[a, of(&[2, 1, 2], &[2.0, 0.0, 0.0, root])]);
    let near = |got: &[f64], want: &[f64]| got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12);
    let (factor, solved) = (values(&out[0]), values(&out[2]));
    assert!(near(&[&factor[..2], &factor[4..]].concat(), &[2.0, 0.0, 0.5, 0.5, root, 0.0]), "{factor:?}");
    assert_eq!(out[1].i(0), 0);
    assert!(near(&solved, &[0.75, -0.25, 0.0, 1.0]), "{solved:?}");
    // [[1, 0], [2i, 1]] is of no positive matrix.
    let out = run(&text, &[of(&[2, 2, 2], &[1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 1.0, 0.0]), of(&[2, 1, 2], &[0.0; 4])]);
    assert_eq!(out[1].i(0), 2);
}

/// The pivot's row of [[1, 3], [2, -0]] becomes the first one of U bit by bit.
#[test]
fn pivots_move_rows_as_they_are() {
    let body = "%0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%arg0) {backend_config = \"\", mhlo.backend_config = {}} : \
        (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>, tensor<i32>)\n\
        return %0#0, %0#1, %0#2 : tensor<2x2xf64>, tensor<2xi32>, tensor<i32>";
    let text = module("%arg0: tensor<2x2xf64>", "tensor<2x2xf64>, tensor<2xi32>, tensor<i32>", body);
    let out = run(&text, &[Tensor::floats(meshloom_ir::DType::F64, &[2, 2], vec![1.0, 3.0, 2.0, -0.0])]);
    assert_eq!(values(&out[0]), [2.0, 0.0, 0.5, 3.0]);
    assert!(out[0].f(1).is_sign_negative());
    assert_eq!((values(&out[1]), out[2].i(0)), (vec![2.0, 2.0], 0));
}

/// Loom, in which these are written, has no such tensors.
#[test]
fn functions_of_no_elements() {
    let body = "%0 = chlo.erf_inv %arg0 : tensor<0x3xf32> -> tensor<0x3xf32>\n\
        %1 = chlo.is_inf %arg0 : tensor<0x3xf32> -> tensor<0x3xi1>\n\
        %2 = stablehlo.complex %arg0, %arg0 : tensor<0x3xcomplex<f32>>\n\
        %3 = stablehlo.divide %2, %2 : tensor<0x3xcomplex<f32>>\n\
        %4 = stablehlo.abs %3 : (tensor<0x3xcomplex<f32>>) -> tensor<0x3xf32>\n\
        %5 = stablehlo.cholesky %arg1, lower = true : tensor<0x2x2xf32>\n\
        return %0, %1, %4, %5 : tensor<0x3xf32>, tensor<0x3xi1>, tensor<0x3xf32>, tensor<0x2x2xf32>";
    let results = "tensor<0x3xf32>, tensor<0x3xi1>, tensor<0x3xf32>, tensor<0x2x2xf32>";
    let text = module("%arg0: tensor<0x3xf32>, %arg1: tensor<0x2x2xf32>", results, body);
    let out = run(&text, &[floats(&[0, 3], &[]), floats(&[0, 2, 2], &[])]);
    assert_eq!(out.iter().map(Tensor::len).sum::<usize>(), 0);
}

#[test]
fn slices_with_strides() {
    let body =
        "%0 = stablehlo.slice %arg0 [0:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<2x2xf32>\nreturn %0 : tensor<2x2xf32>";
    assert_eq!(of_six("tensor<2x2xf32>", body), [0.0, 2.0, 3.0, 5.0]);
    let body = "%0 = \"stablehlo.slice\"(%arg0) <{limit_indices = array<i64: 2, 3>, start_indices = array<i64: 1, 1>, strides = array<i64: 1, 1>}> : (tensor<2x3xf32>) -> tensor<1x2xf32>\nreturn %0 : tensor<1x2xf32>";
    assert_eq!(of_six("tensor<1x2xf32>", body), [4.0, 5.0]);
}

#[test]
fn pads_between_elements_and_cuts() {
    let body = "%c = stablehlo.constant dense<9.0> : tensor<f32>\n\
        %0 = stablehlo.pad %arg0, %c, low = [0, -1], high = [0, 1], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x5xf32>\n\
        return %0 : tensor<2x5xf32>";
    assert_eq!(of_six("tensor<2x5xf32>", body), [9.0, 1.0, 9.0, 2.0, 9.0, 9.0, 4.0, 9.0, 5.0, 9.0]);
}

#[test]
fn broadcasts_into_any_dims() {
    let body = "%0 = stablehlo.broadcast_in_dim %arg0, dims = [2, 0] : (tensor<2x3xf32>) -> tensor<3x1x2xf32>\nreturn %0 : tensor<3x1x2xf32>";
    assert_eq!(of_six("tensor<3x1x2xf32>", body), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
}

#[test]
fn reduces_from_a_start_that_counts() {
    let body = "%c = stablehlo.constant dense<1.0> : tensor<f32>\n\
        %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n\
        return %0 : tensor<2xf32>";
    assert_eq!(of_six("tensor<2xf32>", body), [4.0, 13.0]);
    let body = "%c = stablehlo.constant dense<0xFF800000> : tensor<f32>\n\
        %0 = \"stablehlo.reduce\"(%arg0, %c) <{dimensions = array<i64: 0>}> ({\n\
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%m = stablehlo.maximum %a, %b : tensor<f32>\nstablehlo.return %m : tensor<f32>\n\
        }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>\nreturn %0 : tensor<3xf32>";
    assert_eq!(of_six("tensor<3xf32>", body), [3.0, 4.0, 5.0]);
}

#[test]
fn reduces_dims_in_any_order() {
    let body = "%c = stablehlo.constant dense<0.0> : tensor<f32>\n\
        %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.add across dimensions = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>\n\
        return %0 : tensor<f32>";
    assert_eq!(of_six("tensor<f32>", body), [15.0]);
}

#[test]
fn reduces_truth_values() {
    let body = "%t = stablehlo.constant dense<true> : tensor<i1>\n%c = stablehlo.constant dense<3.0> : tensor<2x3xf32>\n\
        %p = stablehlo.compare  LT, %arg0, %c,  FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>\n\
        %0 = stablehlo.reduce(%p init: %t) applies stablehlo.and across dimensions = [1] : (tensor<2x3xi1>, tensor<i1>) -> tensor<2xi1>\n\
        return %0 : tensor<2xi1>";
    assert_eq!(of_six("tensor<2xi1>", body), [1.0, 0.0]);
}

#[test]
fn contracts_with_batches() {
    let text = module(
        "%arg0: tensor<2x1x2xf32>, %arg1: tensor<2x2x1xf32>",
        "tensor<2x1x1xf32>",
        "%0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x1x2xf32>, tensor<2x2x1xf32>) -> tensor<2x1x1xf32>\nreturn %0 : tensor<2x1x1xf32>",
    );
    let out = run(&text, &[floats(&[2, 1, 2], &[1.0, 2.0, 3.0, 4.0]), floats(&[2, 2, 1], &[1.0, 1.0, 1.0, 10.0])]);
    assert_eq!(values(&out[0]), [3.0, 43.0]);
}

const ROWS: &str = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1";

#[test]
fn gathers_rows_and_adds_them_back() {
    let text = module(
        "%arg0: tensor<3x2xf32>, %arg1: tensor<2x1xi32>",
        "tensor<2x2xf32>",
        &format!(
            "%0 = \"stablehlo.gather\"(%arg0, %arg1) <{{dimension_numbers = #stablehlo.gather<{ROWS}>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}}> : (tensor<3x2xf32>, tensor<2x1xi32>) -> tensor<2x2xf32>\nreturn %0 : tensor<2x2xf32>"
        ),
    );
    let table = floats(&[3, 2], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    // Clamped, as StableHLO says.
    assert_eq!(values(&run(&text, &[table.clone(), ints(&[2, 1], &[1, 7])])[0]), [2.0, 3.0, 4.0, 5.0]);
    let text = module(
        "%arg0: tensor<3x2xf32>, %arg1: tensor<2x1xi32>, %arg2: tensor<2x2xf32>",
        "tensor<3x2xf32>",
        "%0 = \"stablehlo.scatter\"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({\n\
         ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%s = stablehlo.add %a, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n\
         }) : (tensor<3x2xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<3x2xf32>\nreturn %0 : tensor<3x2xf32>",
    );
    // What is outside is dropped.
    let out = run(&text, &[table, ints(&[2, 1], &[1, 3]), floats(&[2, 2], &[10.0, 20.0, 7.0, 7.0])]);
    assert_eq!(values(&out[0]), [0.0, 1.0, 12.0, 23.0, 4.0, 5.0]);
}

#[test]
fn slices_at_computed_places() {
    let text = module(
        "%arg0: tensor<2x3xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>",
        "tensor<1x2xf32>, tensor<2x3xf32>",
        "%0 = stablehlo.dynamic_slice %arg0, %arg1, %arg2, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>\n\
         %1 = stablehlo.negate %0 : tensor<1x2xf32>\n\
         %2 = stablehlo.dynamic_update_slice %arg0, %1, %arg1, %arg2 : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>\n\
         return %0, %2 : tensor<1x2xf32>, tensor<2x3xf32>",
    );
    let x = floats(&[2, 3], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
    // The second start is moved to 1, so that the slice fits.
    let out = run(&text, &[x, ints(&[], &[1]), ints(&[], &[2])]);
    assert_eq!(values(&out[0]), [4.0, 5.0]);
    assert_eq!(values(&out[1]), [0.0, 1.0, 2.0, 3.0, -4.0, -5.0]);
}

#[test]
fn constants_in_all_printed_forms() {
    let of = |dense: &str, ty: &str| {
        let text = module("", ty, &format!("%0 = stablehlo.constant {dense} : {ty}\nreturn %0 : {ty}"));
        values(&run(&text, &[])[0])
    };
    assert_eq!(of("dense<[[1, 2], [3, 4]]>", "tensor<2x2xi32>"), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(of("dense<1.5>", "tensor<2xf32>"), [1.5, 1.5]);
    assert_eq!(of("dense<0x7F800000>", "tensor<f32>"), [f64::INFINITY]);
    assert_eq!(of("dense<\"0x0000803F00000040\">", "tensor<2xf32>"), [1.0, 2.0]);
    assert_eq!(of("dense<[true, false]>", "tensor<2xi1>"), [1.0, 0.0]);
    assert_eq!(of("dense<-3>", "tensor<i64>"), [-3.0]);
    assert_eq!(of("dense<0xBF80>", "tensor<bf16>"), [-1.0]);
    assert_eq!(of("dense<\"0x003C\">", "tensor<1xf16>"), [1.0]);
}

#[test]
fn everything_that_is_not_supported_is_said_at_once() {
    let body = "%0 = stablehlo.real_dynamic_slice %arg0 : (tensor<2x2xf32>) -> tensor<2x2xf32>\n\
        %1 = stablehlo.add %0, %arg0 : tensor<2x2xf32>\n\
        %2 = stablehlo.custom_call @cu_special(%1) : (tensor<2x2xf32>) -> tensor<2x2xf32>\n\
        return %2 : tensor<2x2xf32>";
    let errors = refused(&module("%arg0: tensor<2x2xf32>", "tensor<2x2xf32>", body));
    assert_eq!(
        errors,
        ["`stablehlo.real_dynamic_slice` is not supported", "the custom call of `cu_special` is not supported"]
    );
}

/// `as_text(debug_info=True)` has the names of arguments in their locations. What takes a result's place is called as that is, and
/// what nobody named goes by its position.
#[test]
fn arguments_have_the_names_that_their_locations_give() {
    let params = r#"%arg0: tensor<2xf32> {tf.aliasing_output = 0 : i32} loc("state"), %arg1: tensor<2xf32> loc("results"),
        %arg2: tensor<2xf32> loc(#loc9), %arg3: tensor<2xf32> loc("step.py":3:8), %arg4: tensor<2xf32> loc("args[<flat index 0>]"),
        %arg5: tensor<2xf32> loc("results"), %arg6: tensor<2xf32> {jax.arg_info = "h.*.w"} loc("w")"#;
    let results = "tensor<2xf32> {jax.result_info = \"result['p']\"}";
    let text = format!("#loc9 = loc(\"opt['mu'].w\")\n{}", module(params, results, "return %arg0 : tensor<2xf32>"));
    let out = meshloom_stablehlo::compile("f.mlir", &text, &FrontOptions::default());
    let f = out.elaborated.unwrap().entries.remove(0).func;
    let names: Vec<&str> = f.inputs.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["p", "results", "opt.mu.w", "arg3", "arg4", "arg5", "h.*.w"]);
}

/// Where JAX does not say which result takes a donated buffer: the first of its type that no other has taken.
#[test]
fn donated_arguments_are_state() {
    let donor = |i: usize, n: usize| format!("%arg{i}: tensor<{n}xf32> {{jax.buffer_donor = true}}");
    let params = format!("{}, {}, {}, %arg3: tensor<2xf32>", donor(0, 2), donor(1, 3), donor(2, 2));
    let result = |place: &str| format!("tensor<2xf32> {{jax.result_info = \"result{place}\"}}");
    let results = format!("{}, {}, {}", result("[0]['m']"), result("[0]['p']"), result("[1]"));
    let body = "return %arg3, %arg2, %arg0 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>";
    let out = meshloom_stablehlo::compile("f.mlir", &module(&params, &results, body), &FrontOptions::default());
    let func = out.elaborated.unwrap().entries.remove(0).func;
    let inputs: Vec<(&str, bool)> = func.inputs.iter().map(|p| (p.name.as_str(), p.role == Role::State)).collect();
    assert_eq!(inputs, [("m", true), ("arg1", false), ("p", true), ("arg3", false)]);
    let outputs: Vec<(&str, Option<usize>)> = func.outputs.iter().map(|p| (p.name.as_str(), p.updates)).collect();
    assert_eq!(outputs, [("m", Some(0)), ("p", Some(2)), ("result.1", None)]);
}

/// Integers of 64 bits are held alike, with a sign or without.
#[test]
fn a_donated_buffer_goes_to_a_result_of_its_own_type() {
    let params = "%arg0: tensor<2xui64> {jax.buffer_donor = true}, %arg1: tensor<2xi64>";
    let body = "return %arg1, %arg0 : tensor<2xi64>, tensor<2xui64>";
    let text = module(params, "tensor<2xi64>, tensor<2xui64>", body);
    let out = meshloom_stablehlo::compile("f.mlir", &text, &FrontOptions::default());
    let func = out.elaborated.unwrap().entries.remove(0).func;
    let outputs: Vec<(bool, Option<usize>)> = func.outputs.iter().map(|p| (p.unsigned, p.updates)).collect();
    assert_eq!(outputs, [(false, None), (true, Some(0))]);
}

#[test]
fn buffers_that_no_result_can_take_are_refused() {
    let gives = |i: usize, n: usize, to: usize| format!("%arg{i}: tensor<{n}xf32> {{tf.aliasing_output = {to} : i32}}");
    let twice = format!("{}, {}", gives(0, 2, 0), gives(1, 2, 0));
    let body = "return %arg0 : tensor<2xf32>";
    assert_eq!(
        refused(&module(&twice, "tensor<2xf32>", body)),
        ["`arg1` gives its buffer to result 0, and so does `arg0`"]
    );
    let odd = format!("{}, {}", gives(0, 2, 4), gives(1, 3, 0));
    assert_eq!(
        refused(&module(&odd, "tensor<2xf32>", body)),
        [
            "`arg1` is f32[3] and gives its buffer to result 0, which is f32[2]",
            "`arg0` is f32[2] and gives its buffer to result 4, of 1"
        ]
    );
    // An argument that could not be read does not shift those behind it.
    let lost = format!("%arg0: tensor<?xf32>, {}", gives(1, 2, 0));
    let said = refused(&module(&lost, "tensor<2xf32>", "return %arg1 : tensor<2xf32>"));
    assert_eq!(said, ["`tensor<?xf32>` has a dynamic dim; shapes must be known"]);
}

#[test]
fn text_that_is_no_module_is_refused() {
    assert_eq!(refused(""), ["the file is empty"]);
    assert_eq!(refused("// nothing"), ["the text holds no function"]);
    assert_eq!(refused("module {"), ["`{` is never closed"]);
    assert_eq!(
        refused("module { func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> }")[0],
        "function `@main` has no body"
    );
    assert_eq!(refused("module @m { ` }"), ["``` does not stand here in MLIR text"]);
    let main = "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }";
    assert_eq!(refused(&format!("{main}\n{main}")), ["a function `@main` stands above already"]);
    let dynamic = module("%arg0: tensor<?xf32>", "tensor<?xf32>", "return %arg0 : tensor<?xf32>");
    assert_eq!(refused(&dynamic), ["`tensor<?xf32>` has a dynamic dim; shapes must be known"]);
    let undefined = module("", "tensor<f32>", "%0 = stablehlo.tanh %1 : tensor<f32>\nreturn %0 : tensor<f32>");
    assert_eq!(refused(&undefined), ["`%1` is not defined before this"]);
    let wrong = module(
        "%arg0: tensor<2xf32>",
        "tensor<3xf32>",
        "%0 = stablehlo.tanh %arg0 : tensor<3xf32>\nreturn %0 : tensor<3xf32>",
    );
    assert_eq!(refused(&wrong), ["`stablehlo.tanh` gives f32[2] here, and f32[3] is written"]);
}

/// The same program as MLIR prints it with `print_generic_op_form`, with the bytes of its constant at the end.
#[test]
fn the_generic_form_of_a_whole_module() {
    let text = r#"
"builtin.module"() <{sym_name = "jit_f"}> ({
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}], function_type = (tensor<2xf32>) -> tensor<2xf32>, res_attrs = [{jax.result_info = "result['p']"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2xf32>):
    %0 = "stablehlo.constant"() <{value = dense_resource<weights> : tensor<2xf32>}> : () -> tensor<2xf32>
    %1 = "func.call"(%arg0, %0) <{callee = @"inner.1"}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%1) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, sym_name = "inner.1", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32} : () -> ()

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
"#;
    assert_eq!(values(&run(text, &[floats(&[2], &[1.0, 1.0])])[0]), [2.0, 3.0]);
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    assert_eq!(out.elaborated.unwrap().entries[0].func.inputs[0].name, "p");
}

/// A type that there is none of hides nothing behind it, and nothing that reads it is reported again.
#[test]
fn errors_behind_a_type_that_is_not_supported() {
    let body = "%0 = stablehlo.complex %arg0, %arg0 : tensor<2xcomplex<f32>>\n\
        %1 = stablehlo.round_nearest_even %0 : tensor<2xcomplex<f32>>\n\
        %2 = stablehlo.real %1 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>\n\
        %3 = stablehlo.infeed %2 : tensor<2xf32>\n\
        return %3 : tensor<2xf32>";
    let errors = refused(&module("%arg0: tensor<2xf32>, %arg1: tensor<2xf6E2M3FN>", "tensor<2xf32>", body));
    assert_eq!(
        errors,
        [
            "element type `f6E2M3FN` is not supported",
            "`stablehlo.round_nearest_even` of complex numbers is not supported",
            "`stablehlo.infeed` is not supported"
        ]
    );
}

#[test]
fn places_of_python() {
    let text = "#loc1 = loc(\"/me/train.py\":4:8 to :15)\n#loc2 = loc(\"/me/train.py\":9:0)\n\
        #loc3 = loc(callsite(\"layer\"(#loc1) at \"<module>\"(#loc2)))\n\
        module {\nfunc.func public @main(%arg0: tensor<2xf32> loc(\"x\")) -> tensor<2xf32> {\n\
        %0 = stablehlo.cholesky %arg0 : tensor<2xf32> loc(#loc4)\n\
        return %0 : tensor<2xf32> loc(unknown)\n} loc(unknown)\n} loc(unknown)\n\
        #loc4 = loc(\"jit(f)/cholesky\"(#loc3))\n";
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    let said = meshloom_source::diagnostic::render_all(
        &out.diagnostics,
        &out.sources,
        meshloom_source::diagnostic::Style::Plain,
    );
    assert!(said.contains("--> f.mlir:6:1"), "{said}");
    assert!(said.contains("from /me/train.py:4:8 in layer, jit(f)/cholesky"), "{said}");
}

/// JAX lowers `take` once for all of its calls, and its ops have no lines.
const OUTLINED: &str = "#loc1 = loc(\"/me/models.py\":332:8 to :15)\n#loc2 = loc(\"/me/models.py\":340:0)\n\
    #loc5 = loc(\"gather\")\n#loc6 = loc(\"jit(_where)\")\n\
    module {\nfunc.func public @main(%arg0: tensor<2xf32> loc(\"x\")) -> tensor<2xf32> {\n\
    %0 = call @_take(%arg0) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc3)\n\
    %1 = call @_take(%0) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc4)\n\
    return %1 : tensor<2xf32> loc(unknown)\n} loc(unknown)\n\
    func.func private @_take(%arg0: tensor<2xf32> loc(unknown)) -> tensor<2xf32> {\n\
    %0 = call @_where(%arg0) : (tensor<2xf32>) -> tensor<2xf32> loc(#loc6)\n\
    return %0 : tensor<2xf32> loc(unknown)\n} loc(unknown)\n\
    func.func private @_where(%arg0: tensor<2xf32> loc(unknown)) -> tensor<2xf32> {\n\
    %0 = stablehlo.OP %arg0 : tensor<2xf32> loc(#loc5)\n\
    return %0 : tensor<2xf32> loc(unknown)\n} loc(unknown)\n} loc(unknown)\n\
    #loc3 = loc(\"jit(step)/jvp(jit(_take))\"(\"embed\"(#loc1)))\n\
    #loc4 = loc(\"jit(step)/jvp(jit(_take))\"(\"head\"(#loc2)))\n";

#[test]
fn ops_of_outlined_functions_are_at_the_line_of_the_call() {
    let out = meshloom_stablehlo::compile("f.mlir", &OUTLINED.replace("OP", "negate"), &FrontOptions::default());
    let func = &out.elaborated.expect("it is a program").entries[0].func;
    let lines = func.body().ops.iter().filter_map(|&o| Some(out.sources.origins.get(func.op(o).span)?.short()));
    assert_eq!(lines.collect::<Vec<_>>(), ["models.py:332 in embed", "models.py:340 in head"]);
}

#[test]
fn what_an_outlined_function_has_that_is_refused_is_said_once_with_the_line_of_the_call() {
    let out = meshloom_stablehlo::compile("f.mlir", &OUTLINED.replace("OP", "infeed"), &FrontOptions::default());
    let style = meshloom_source::diagnostic::Style::Plain;
    let said = meshloom_source::diagnostic::render_all(&out.diagnostics, &out.sources, style);
    assert_eq!(said.matches("error[").count(), 1, "{said}");
    assert!(said.contains("called from /me/models.py:332:8 in embed, jit(step)/jvp(jit(_take))"), "{said}");
}

#[test]
fn parts_of_tuples() {
    let body = "%0 = stablehlo.negate %arg0 : tensor<2x3xf32>\n\
        %1 = stablehlo.tuple %arg0, %0 : tuple<tensor<2x3xf32>, tensor<2x3xf32>>\n\
        %2 = stablehlo.get_tuple_element %1[1] : (tuple<tensor<2x3xf32>, tensor<2x3xf32>>) -> tensor<2x3xf32>\n\
        %3 = \"stablehlo.get_tuple_element\"(%1) <{index = 0 : i32}> : (tuple<tensor<2x3xf32>, tensor<2x3xf32>>) -> tensor<2x3xf32>\n\
        %4 = stablehlo.subtract %2, %3 : tensor<2x3xf32>\nreturn %4 : tensor<2x3xf32>";
    assert_eq!(of_six("tensor<2x3xf32>", body), [0.0, -2.0, -4.0, -6.0, -8.0, -10.0]);
}

#[test]
fn an_argument_is_defined_once() {
    let text = module("%arg0: tensor<f32>, %arg0: tensor<f32>", "tensor<f32>", "return %arg0 : tensor<f32>");
    assert_eq!(refused(&text), ["`%arg0` is defined twice"]);
}

/// Users' structures may give two arguments, or two results, one name.
#[test]
fn ports_have_names_of_their_own() {
    let params =
        "%arg0: tensor<f32> {jax.arg_info = \"x\"}, %arg1: tensor<f32> {jax.arg_info = \"x\"}, %x: tensor<f32>";
    let results = "tensor<f32> {jax.result_info = \"y\"}, tensor<f32> {jax.result_info = \"y\"}";
    let text = module(params, results, "return %arg0, %x : tensor<f32>, tensor<f32>");
    let out = meshloom_stablehlo::compile("f.mlir", &text, &FrontOptions::default());
    let func = out.elaborated.unwrap().entries.remove(0).func;
    assert_eq!(meshloom_ir::verify::verify(&func), Ok(()));
    let names = |ports: &[meshloom_ir::Port]| ports.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&func.inputs), ["x", "arg1", "x.2"]);
    assert_eq!(names(&func.outputs), ["result.y", "result1"]);
}

/// Of types that are held in wider ones, and of products with scales.
#[test]
fn what_small_floats_are_not() {
    let of = |params: &str, result: &str, body: &str| {
        refused(&module(params, result, &format!("{body}\nreturn %0 : {result}")))
    };
    let added = of("%x: tensor<4xf4E2M1FN>", "tensor<4xf4E2M1FN>", "%0 = stablehlo.add %x, %x : tensor<4xf4E2M1FN>");
    assert_eq!(added, ["`stablehlo.add` of `f4E2M1FN` is not supported"]);
    let numbered = of("", "tensor<4xf8E8M0FNU>", "%0 = stablehlo.iota dim = 0 : tensor<4xf8E8M0FNU>");
    assert_eq!(numbered, ["`stablehlo.iota` of `f8E8M0FNU` is not supported"]);
    let dot = |scale: &str, result: &str, config: &str| {
        let params = format!("%a: tensor<2x64xf8E4M3FN>, %s: tensor<{scale}xf8E8M0FNU>");
        let body = format!(
            "%0 = stablehlo.custom_call @__op$block_scaled_dot(%a, %a, %s, %s) {{backend_config = \"{config}\"}} : \
             (tensor<2x64xf8E4M3FN>, tensor<2x64xf8E4M3FN>, tensor<{scale}xf8E8M0FNU>, tensor<{scale}xf8E8M0FNU>) -> {result}"
        );
        of(&params, result, &body)
    };
    let uneven = "scales of shape [2, 3] do not go with an operand of shape [2, 64]";
    assert_eq!(dot("2x3", "tensor<2x2xf32>", ""), [uneven]);
    let padded = "scales of shape [2, 4] do not go with an operand of shape [2, 64], whose blocks are 32 long";
    assert_eq!(dot("2x4", "tensor<2x2xf32>", "{\\22block_size\\22: 32}"), [padded]);
    let batch = "the batch of `__op$block_scaled_dot` is dim 0 of three";
    assert_eq!(dot("2x2", "tensor<2x2xf32>", "{\\22lhs_batch_dimensions\\22: [0]}"), [batch]);
    let integers = "`__op$block_scaled_dot` to i32 is not supported";
    assert_eq!(dot("2x2", "tensor<2x2xi32>", ""), [integers]);
    let parted = of(
        "%x: tensor<4xf32>",
        "tensor<4xf32>",
        "%0 = stablehlo.custom_call @CustomSPMDPartitioning(%x) {backend_config = \"1\"} : (tensor<4xf32>) -> tensor<4xf32>",
    );
    assert_eq!(parted, ["the custom call of `CustomSPMDPartitioning` is not supported"]);
}

#[test]
fn slices_pads_and_reshapes_scalars() {
    let body = "%0 = stablehlo.slice %arg0 [] : (tensor<f32>) -> tensor<f32>\n\
        %1 = \"stablehlo.slice\"(%0) <{limit_indices = array<i64>, start_indices = array<i64>, strides = array<i64>}> : (tensor<f32>) -> tensor<f32>\n\
        %2 = stablehlo.transpose %1, dims = [] : (tensor<f32>) -> tensor<f32>\n\
        %c = stablehlo.constant dense<0.0> : tensor<f32>\n\
        %3 = stablehlo.pad %2, %c, low = [], high = [], interior = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>\n\
        %4 = stablehlo.dynamic_slice %3, sizes = [] : (tensor<f32>) -> tensor<f32>\n\
        %5 = stablehlo.reverse %4, dims = [] : tensor<f32>\n\
        %6 = stablehlo.reduce(%5 init: %c) applies stablehlo.add across dimensions = [] : (tensor<f32>, tensor<f32>) -> tensor<f32>\n\
        return %6 : tensor<f32>";
    assert_eq!(values(&run(&module("%arg0: tensor<f32>", "tensor<f32>", body), &[floats(&[], &[7.0])])[0]), [7.0]);
}

/// Shapes that are computed, where they are written beside the op as well.
#[test]
fn dynamic_ops_of_static_shapes() {
    let body = "%s = stablehlo.constant dense<[3, 2]> : tensor<2xi32>\n\
        %0 = stablehlo.dynamic_reshape %arg0, %s : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x2xf32>\n\
        %1 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> tensor<3x2xf32>\n\
        %2 = \"stablehlo.dynamic_iota\"(%s) <{iota_dimension = 1 : i64}> : (tensor<2xi32>) -> tensor<3x2xf32>\n\
        %n = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<2x3xf32>) -> tensor<i32>\n\
        %f = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>\n\
        %3 = stablehlo.dynamic_broadcast_in_dim %f, %s, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<3x2xf32>\n\
        %4 = stablehlo.add %0, %1 : tensor<3x2xf32>\n%5 = stablehlo.add %4, %2 : tensor<3x2xf32>\n\
        %6 = stablehlo.multiply %5, %3 : tensor<3x2xf32>\nreturn %6 : tensor<3x2xf32>";
    assert_eq!(of_six("tensor<3x2xf32>", body), [0.0, 6.0, 9.0, 15.0, 18.0, 24.0]);
}

/// The call that may approximate: with and without the candidates left over, the greatest and the least.
#[test]
fn approximate_top_k_is_exact() {
    let call = |k: u64, aggregate: bool, by: &str| {
        format!(
            "module {{\n  func.func @by(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {{\n\
             %0 = stablehlo.compare {by}, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>\nstablehlo.return %0 : tensor<i1>\n  }}\n\
             func.func public @main(%arg0: tensor<2x4xf32>) -> (tensor<2x{k}xf32>, tensor<2x{k}xi32>) {{\n\
             %0 = stablehlo.iota dim = 1 : tensor<2x4xi32>\n%c = stablehlo.constant dense<-1> : tensor<i32>\n\
             %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>\n\
             %1:2 = stablehlo.custom_call @ApproxTopK(%arg0, %0, %cst, %c) {{backend_config = \"\", called_computations = [@by], \
             mhlo.backend_config = {{aggregate_to_topk = {aggregate}, recall_target = 0.949999988 : f32, reduction_dim = 1 : i64, \
             reduction_input_size_override = -1 : i64, top_k = 2 : i64}}}} : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> \
             (tensor<2x{k}xf32>, tensor<2x{k}xi32>)\nreturn %1#0, %1#1 : tensor<2x{k}xf32>, tensor<2x{k}xi32>\n  }}\n}}\n"
        )
    };
    let x = || [floats(&[2, 4], &[1.0, 4.0, 2.0, 3.0, 8.0, 5.0, 7.0, 6.0])];
    let out = run(&call(2, true, "GT"), &x());
    assert_eq!((values(&out[0]), values(&out[1])), (vec![4.0, 3.0, 8.0, 7.0], vec![1.0, 3.0, 0.0, 2.0]));
    let out = run(&call(4, false, "LT"), &x());
    assert_eq!(values(&out[1]), [0.0, 2.0, 3.0, 1.0, 1.0, 3.0, 2.0, 0.0]);
}

/// The products with Q that JAX's CPU lowering calls, as Q itself times the matrix.
#[test]
fn products_with_reflectors() {
    let a = [2.0, 1.0, 3.0, -1.0, 0.5, 4.0];
    let c = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
    let config = "backend_config = \"\", mhlo.backend_config = ";
    for (left, transpose) in [(true, false), (true, true), (false, false), (false, true)] {
        let body = format!(
            "%0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%arg0) {{{config}{{}}}} : (tensor<3x2xf64>) -> (tensor<3x2xf64>, tensor<2xf64>)\n\
             %1 = stablehlo.custom_call @lapack_dormqr_ffi(%0#0, %0#1, %arg1) {{{config}{{left = {left}, transpose = {transpose}}}}} : \
             (tensor<3x2xf64>, tensor<2xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>\n\
             %z = stablehlo.constant dense<0.0> : tensor<f64>\n\
             %p = stablehlo.pad %0#0, %z, low = [0, 0], high = [0, 1], interior = [0, 0] : (tensor<3x2xf64>, tensor<f64>) -> tensor<3x3xf64>\n\
             %q = stablehlo.custom_call @lapack_dorgqr_ffi(%p, %0#1) {{{config}{{}}}} : (tensor<3x3xf64>, tensor<2xf64>) -> tensor<3x3xf64>\n\
             return %1, %q : tensor<3x3xf64>, tensor<3x3xf64>"
        );
        let text = module("%arg0: tensor<3x2xf64>, %arg1: tensor<3x3xf64>", "tensor<3x3xf64>, tensor<3x3xf64>", &body);
        let of = |shape: &[u64], v: &[f64]| Tensor::floats(DType::F64, shape, v.to_vec());
        let out = run(&text, &[of(&[3, 2], &a), of(&[3, 3], &c)]);
        let q = |i: usize, j: usize| out[1].f(if transpose { 3 * j + i } else { 3 * i + j });
        for (i, j) in (0..9).map(|n| (n / 3, n % 3)) {
            let terms = (0..3).map(|k| if left { q(i, k) * c[3 * k + j] } else { c[3 * i + k] * q(k, j) });
            let want: f64 = terms.sum();
            assert!((out[0].f(3 * i + j) - want).abs() < 1e-12, "{left} {transpose}");
        }
    }
}

/// What only prints is left out, with a warning for each line; tokens are no ports.
#[test]
fn callbacks_without_results_are_left_out() {
    let text = "module {\n  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]>\n\
        func.func public @main(%arg0: !stablehlo.token {jax.token = true}, %arg1: tensor<2xf32>) -> (!stablehlo.token {jax.token = true}, \
        tensor<2xf32> {jax.result_info = \"result\"}) {\n\
        %0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0, %arg1) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}} : \
        (!stablehlo.token, tensor<2xf32>) -> !stablehlo.token\n\
        stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg1) {has_side_effect = true, mhlo.backend_config = {index = 0 : ui64}, \
        sdy.sharding = #sdy.sharding_per_value<[<@maximal_mesh_0, []>]>} : (tensor<2xf32>) -> ()\n\
        %2 = stablehlo.add %arg1, %arg1 : tensor<2xf32>\nreturn %0, %2 : !stablehlo.token, tensor<2xf32>\n  }\n}\n";
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    let said: Vec<_> = out.diagnostics.iter().map(|d| (d.is_error(), d.number())).collect();
    assert_eq!(said, [(false, "E0805"); 2], "{:?}", out.diagnostics);
    let func = out.elaborated.unwrap().entries.remove(0).func;
    let names = |ports: &[meshloom_ir::Port]| ports.iter().map(|p| p.name.clone()).collect::<Vec<_>>();
    assert_eq!((names(&func.inputs), names(&func.outputs)), (vec!["arg1".to_string()], vec!["result1".to_string()]));
    assert_eq!(values(&eval(&func, &[floats(&[2], &[1.0, 2.0])]).unwrap()[0]), [2.0, 4.0]);
    let body = "%0 = stablehlo.custom_call @xla_ffi_python_cpu_callback(%arg0) {has_side_effect = true} : (tensor<2xf32>) -> tensor<2xf32>\n\
        return %0 : tensor<2xf32>";
    let errors = refused(&module("%arg0: tensor<2xf32>", "tensor<2xf32>", body));
    assert_eq!(errors, ["the custom call of `xla_ffi_python_cpu_callback` is not supported"]);
}

/// Where two trees have the same keys, the second has its place in the result for a name.
#[test]
fn results_of_equal_keys_have_their_paths() {
    let port = |n: u64| format!("%arg{n}: tensor<2xf32> {{tf.aliasing_output = {n} : i32}}");
    let params = (0..4).map(port).collect::<Vec<_>>().join(", ");
    let result = |place: &str| format!("tensor<2xf32> {{jax.result_info = \"result{place}\"}}");
    let results = ["[0]['a']", "[0]['b']", "[1]['a']", "[1]['b']"].map(result).join(", ");
    let body = "return %arg0, %arg1, %arg2, %arg3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>";
    let out = meshloom_stablehlo::compile("f.mlir", &module(&params, &results, body), &FrontOptions::default());
    let func = out.elaborated.expect("a program").entries.remove(0).func;
    let names: Vec<&str> = func.outputs.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "result.1.a", "result.1.b"]);
}

/// What is no StableHLO is called by its name.
#[test]
fn other_texts_are_named() {
    let said = |text: &str| {
        let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
        assert!(out.elaborated.is_none());
        let d = &out.diagnostics[0];
        format!("{} {}", d.message, d.help.clone().join(" "))
    };
    let hlo = said("HloModule jit_f, is_scheduled=true\n\n%fused (p: f32[2]) -> f32[2] {\n}\n");
    assert!(hlo.contains("HLO") && hlo.contains("`.lower().as_text()`"), "{hlo}");
    assert!(said("{ lambda ; a:f32[2]. let b:f32[2] = sin a in (b,) }").contains("jaxpr"));
    for empty in ["", "  \n\n"] {
        assert!(said(empty).contains("the file is empty"));
    }
    assert!(said("// nothing\n").contains("no function"));
}

/// A generic print whose locations come before the module.
#[test]
fn locations_may_come_first() {
    let text = "#loc = loc(unknown)\n#loc1 = loc(\"x\")\n\"builtin.module\"() ({\n\
        \"func.func\"() <{function_type = (tensor<2xf32>) -> tensor<2xf32>, sym_name = \"main\"}> ({\n\
        ^bb0(%arg0: tensor<2xf32> loc(\"x\")):\n\
        %0 = \"stablehlo.add\"(%arg0, %arg0) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> loc(#loc)\n\
        \"func.return\"(%0) : (tensor<2xf32>) -> () loc(#loc)\n}) : () -> () loc(#loc)\n}) : () -> () loc(#loc)\n";
    assert_eq!(values(&run(text, &[floats(&[2], &[1.0, 2.0])])[0]), [2.0, 4.0]);
}
