//! What moves elements moves their bits, and what finds where they are takes all integers there are: on one device, and with every
//! element of the table on another device than the next.

use crate::import::{floats, ints, module, run, values};
use meshloom_ir::{DType, Tensor};

/// Floats by their bits, so that signs of zeros count.
fn bits(t: &Tensor) -> Vec<u64> {
    (0..t.len()).map(|i| t.f(i).to_bits()).collect()
}

fn same(got: &Tensor, want: &[f64]) {
    assert_eq!(bits(got), want.iter().map(|x| x.to_bits()).collect::<Vec<_>>(), "{:?}", values(got));
}

/// Keys and what is sorted with them, which the old way was a sum of products.
#[test]
fn sorts_of_several_operands_keep_the_signs_of_zeros() {
    for dtype in [DType::F32, DType::F64, DType::F16, DType::BF16] {
        let ty = format!("tensor<6x{dtype}>");
        let one = format!("tensor<{dtype}>");
        let body = format!(
            "%0:3 = \"stablehlo.sort\"(%arg0, %arg1, %arg0) <{{dimension = 0 : i64, is_stable = true}}> ({{\n\
             ^bb0(%a: {one}, %b: {one}, %c: tensor<ui64>, %d: tensor<ui64>, %e: {one}, %f: {one}):\n\
             %l = stablehlo.compare LT, %a, %b, FLOAT : ({one}, {one}) -> tensor<i1>\n\
             stablehlo.return %l : tensor<i1>\n\
             }}) : ({ty}, tensor<6xui64>, {ty}) -> ({ty}, tensor<6xui64>, {ty})\n\
             return %0#0, %0#1, %0#2 : {ty}, tensor<6xui64>, {ty}"
        );
        let params = format!("%arg0: {ty}, %arg1: tensor<6xui64>");
        let text = module(&params, &format!("{ty}, tensor<6xui64>, {ty}"), &body);
        let keys = Tensor::floats(dtype, &[6], vec![2.0, -0.0, f64::INFINITY, 0.0, -0.0, f64::NEG_INFINITY]);
        let payload = Tensor::ints(DType::I64, &[6], vec![-1, 1, 2, 3, i64::MIN, 5]);
        let out = run(&text, &[keys, payload]);
        let sorted = [f64::NEG_INFINITY, -0.0, 0.0, -0.0, 2.0, f64::INFINITY];
        same(&out[0], &sorted);
        same(&out[2], &sorted);
        assert_eq!((0..6).map(|i| out[1].i(i)).collect::<Vec<_>>(), [5, 1, 3, i64::MIN, -1, 2], "{dtype}");
    }
}

/// A key of unsigned integers that is not the first operand.
#[test]
fn sorts_by_unsigned_keys() {
    let body = "%0:2 = \"stablehlo.sort\"(%arg0, %arg1) <{dimension = 0 : i64, is_stable = true}> ({\n\
         ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<ui64>, %d: tensor<ui64>):\n\
         %l = stablehlo.compare LT, %c, %d, UNSIGNED : (tensor<ui64>, tensor<ui64>) -> tensor<i1>\n\
         stablehlo.return %l : tensor<i1>\n\
         }) : (tensor<3xf32>, tensor<3xui64>) -> (tensor<3xf32>, tensor<3xui64>)\n\
         return %0#0, %0#1 : tensor<3xf32>, tensor<3xui64>";
    let text = module("%arg0: tensor<3xf32>, %arg1: tensor<3xui64>", "tensor<3xf32>, tensor<3xui64>", body);
    let out = run(&text, &[floats(&[3], &[1.0, 2.0, 3.0]), Tensor::ints(DType::I64, &[3], vec![-1, 7, i64::MIN])]);
    assert_eq!(values(&out[0]), [2.0, 3.0, 1.0]);
}

/// A dim of a batch, along which rows are taken: a sum over the rows, all but one of which are zero.
#[test]
fn batched_gathers_keep_the_signs_of_zeros() {
    let text = module(
        "%arg0: tensor<2x3xf32>, %arg1: tensor<2x3x1xi32>",
        "tensor<2x3xf32>",
        "%0 = \"stablehlo.gather\"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], \
         operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, \
         indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xf32>, tensor<2x3x1xi32>) -> tensor<2x3xf32>\n\
         return %0 : tensor<2x3xf32>",
    );
    let x = floats(&[2, 3], &[-0.0, f64::INFINITY, 0.0, f64::NEG_INFINITY, -0.0, 1.0]);
    let out = run(&text, &[x, ints(&[2, 3, 1], &[0, 2, 1, 1, 0, 2])]);
    same(&out[0], &[-0.0, 0.0, f64::INFINITY, -0.0, f64::NEG_INFINITY, 1.0]);
}

/// Elements that nothing is added to, and what is put around others, stay as they are.
#[test]
fn what_is_not_written_stays_as_it_is() {
    let scatter = |name: &str| {
        format!(
            "%0 = \"stablehlo.scatter\"(%arg0, %arg1, %arg2) <{{indices_are_sorted = false, scatter_dimension_numbers = \
             #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, \
             unique_indices = false}}> ({{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n\
             %s = stablehlo.{name} %a, %b : tensor<f32>\nstablehlo.return %s : tensor<f32>\n\
             }}) : (tensor<4xf32>, tensor<2x1xi32>, tensor<2xf32>) -> tensor<4xf32>\nreturn %0 : tensor<4xf32>"
        )
    };
    let params = "%arg0: tensor<4xf32>, %arg1: tensor<2x1xi32>, %arg2: tensor<2xf32>";
    let x = || [floats(&[4], &[-0.0, -0.0, 0.0, 1.0]), ints(&[2, 1], &[1, 9]), floats(&[2], &[2.0, 5.0])];
    for (name, second) in [("add", 2.0), ("multiply", -0.0), ("maximum", 2.0), ("minimum", -0.0)] {
        let out = run(&module(params, "tensor<4xf32>", &scatter(name)), &x());
        same(&out[0], &[-0.0, second, 0.0, 1.0]);
    }
    let body = "%c = stablehlo.constant dense<-0.0> : tensor<f32>\n\
        %0 = stablehlo.pad %arg0, %c, low = [1], high = [0], interior = [1] : (tensor<2xf32>, tensor<f32>) -> tensor<4xf32>\n\
        return %0 : tensor<4xf32>";
    let out = run(&module("%arg0: tensor<2xf32>", "tensor<4xf32>", body), &[floats(&[2], &[0.0, 1.0])]);
    same(&out[0], &[-0.0, 0.0, -0.0, 1.0]);
}

/// Indices of every type, of which unsigned ones may lie beyond all signed ones.
#[test]
fn unsigned_indices_are_clamped_at_the_end() {
    for (element, dtype, most) in [
        ("ui64", DType::I64, -2),
        ("ui32", DType::U32, 0xFFFF_FFFE),
        ("ui16", DType::I32, 0xFFFE),
        ("ui8", DType::U8, 0xFE),
        ("i64", DType::I64, i64::MAX),
    ] {
        let index = format!("tensor<{element}>");
        let body = format!(
            "%0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [2] : (tensor<4xf32>, {index}) -> tensor<2xf32>\n\
             %1 = stablehlo.dynamic_update_slice %arg0, %arg2, %arg1 : (tensor<4xf32>, tensor<1xf32>, {index}) -> tensor<4xf32>\n\
             %i = stablehlo.reshape %arg1 : ({index}) -> tensor<1x1x{element}>\n\
             %2 = \"stablehlo.gather\"(%arg0, %i) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], \
             start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}}> : \
             (tensor<4xf32>, tensor<1x1x{element}>) -> tensor<1xf32>\n\
             %3 = \"stablehlo.scatter\"(%arg0, %i, %arg2) <{{indices_are_sorted = false, scatter_dimension_numbers = \
             #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, \
             unique_indices = false}}> ({{\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\nstablehlo.return %b : tensor<f32>\n\
             }}) : (tensor<4xf32>, tensor<1x1x{element}>, tensor<1xf32>) -> tensor<4xf32>\n\
             %4 = \"stablehlo.torch_index_select\"(%arg0, %i) <{{batch_dims = 0 : i64, dim = 0 : i64}}> : \
             (tensor<4xf32>, tensor<1x1x{element}>) -> tensor<1x1xf32>\n\
             return %0, %1, %2, %3, %4 : tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<4xf32>, tensor<1x1xf32>"
        );
        let params = format!("%arg0: tensor<4xf32>, %arg1: {index}, %arg2: tensor<1xf32>");
        let results = "tensor<2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<4xf32>, tensor<1x1xf32>";
        let x = floats(&[4], &[0.0, 1.0, 2.0, 3.0]);
        let out =
            run(&module(&params, results, &body), &[x, Tensor::ints(dtype, &[], vec![most]), floats(&[1], &[9.0])]);
        let all: Vec<Vec<f64>> = out.iter().map(values).collect();
        let want: [&[f64]; 5] = [&[2.0, 3.0], &[0.0, 1.0, 2.0, 9.0], &[3.0], &[0.0, 1.0, 2.0, 3.0], &[3.0]];
        assert_eq!(all, want, "{element}");
    }
}
