//! Reductions by bodies of any kind: which are recognised, what they give, and how large a program they make.

use crate::import::{floats, ints, module, run};
use meshloom_ir::{DType, Func, Op, Tensor};
use meshloom_source::FrontOptions;

/// A reduction of values and of numbers beside them.
fn pairs(n: usize, value: &str, number: &str, body: &str, place: bool) -> String {
    let (v, k) = (format!("tensor<{value}>"), format!("tensor<{number}>"));
    let (vs, ks) = (format!("tensor<{n}x{value}>"), format!("tensor<{n}x{number}>"));
    let numbers = if place { format!("%at = stablehlo.iota dim = 0 : {ks}") } else { String::new() };
    let at = if place { "%at" } else { "%arg1" };
    let params = if place {
        format!("%arg0: {vs}, %i: {v}, %j: {k}")
    } else {
        format!("%arg0: {vs}, %arg1: {ks}, %i: {v}, %j: {k}")
    };
    let op = format!(
        "{numbers}\n%0:2 = \"stablehlo.reduce\"(%arg0, {at}, %i, %j) <{{dimensions = array<i64: 0>}}> ({{\n\
         ^bb0(%a: {v}, %x: {k}, %b: {v}, %y: {k}):\n{body}\n}}) : ({vs}, {ks}, {v}, {k}) -> ({v}, {k})\n\
         return %0#0, %0#1 : {v}, {k}"
    );
    module(&params, &format!("{v}, {k}"), &op.replace("$v", &v).replace("$k", &k))
}

/// As JAX writes it; NaN is greater than all.
const JAX: &str = "%2 = stablehlo.compare GT, %a, %b : ($v, $v) -> tensor<i1>\n\
    %3 = stablehlo.compare NE, %a, %a : ($v, $v) -> tensor<i1>\n\
    %4 = stablehlo.or %2, %3 : tensor<i1>\n\
    %5 = stablehlo.compare EQ, %a, %b : ($v, $v) -> tensor<i1>\n\
    %6 = stablehlo.compare LT, %x, %y : ($k, $k) -> tensor<i1>\n\
    %7 = stablehlo.and %5, %6 : tensor<i1>\n\
    %8 = stablehlo.or %4, %7 : tensor<i1>\n\
    %9 = stablehlo.select %4, %a, %b : tensor<i1>, $v\n\
    %10 = stablehlo.select %8, %x, %y : tensor<i1>, $k\n\
    stablehlo.return %9, %10 : $v, $k";
/// As XLA's own library writes it.
const XLA: &str = "%2 = stablehlo.compare GE, %a, %b : ($v, $v) -> tensor<i1>\n\
    %3 = stablehlo.select %2, %a, %b : tensor<i1>, $v\n\
    %4 = stablehlo.compare EQ, %a, %b : ($v, $v) -> tensor<i1>\n\
    %5 = stablehlo.minimum %x, %y : $k\n\
    %6 = stablehlo.select %2, %x, %y : tensor<i1>, $k\n\
    %7 = stablehlo.select %4, %5, %6 : tensor<i1>, $k\n\
    stablehlo.return %3, %7 : $v, $k";
/// Of equal ones the last, and the least is sought.
const LAST: &str = "%2 = stablehlo.compare LT, %a, %b : ($v, $v) -> tensor<i1>\n\
    %3 = stablehlo.select %2, %a, %b : tensor<i1>, $v\n\
    %4 = stablehlo.select %2, %x, %y : tensor<i1>, $k\n\
    stablehlo.return %3, %4 : $v, $k";
/// Two numbers that have nothing to do with each other.
const APART: &str =
    "%2 = stablehlo.maximum %a, %b : $v\n%3 = stablehlo.add %x, %y : $k\nstablehlo.return %2, %3 : $v, $k";

fn func(text: &str) -> Func {
    let out = meshloom_stablehlo::compile("f.mlir", text, &FrontOptions::default());
    out.elaborated.expect("a program").entries.remove(0).func
}

/// Whether a body was not recognised, and is that of a loop.
fn loops(text: &str) -> bool {
    func(text).ops.iter().any(|o| matches!(o.op, Op::Repeat { .. }))
}

/// Whatever the types and however the body is written, it is two reductions.
#[test]
fn the_greatest_and_its_place() {
    for (element, dtype) in [
        ("ui64", DType::I64),
        ("i64", DType::I64),
        ("ui32", DType::U32),
        ("ui8", DType::U8),
        ("i16", DType::I32),
        ("i1", DType::Bool),
    ] {
        for place in ["i32", "i64", "ui64", "i8", "ui32"] {
            for body in [JAX, XLA] {
                let text = pairs(32, element, place, body, true);
                assert!(!loops(&text), "{element} {place}");
            }
        }
        let held = |v: i64| if dtype == DType::Bool { v & 1 } else { v };
        // The top bit of ui64 is set in the third and the fifth.
        let large = if element == "ui64" { i64::MIN } else { held(100) };
        let x = vec![held(0), held(0), large, held(0), large, held(0)];
        let text = pairs(6, element, "i32", JAX, true);
        let start = [Tensor::ints(dtype, &[6], x), Tensor::ints(dtype, &[], vec![0]), ints(&[], &[0])];
        let out = run(&text, &start);
        let at = if dtype == DType::Bool { 0 } else { 2 };
        assert_eq!((out[0].i(0), out[1].i(0)), (if at == 0 { 0 } else { large }, at), "{element}");
    }
}

#[test]
fn the_least_and_the_last_of_equal_ones() {
    let text = pairs(20, "i32", "i32", LAST, true);
    assert!(!loops(&text));
    let x: Vec<i64> = (0..20).map(|k| (k - 7i64).abs() / 2).collect();
    let out = run(&text, &[ints(&[20], &x), ints(&[], &[1000]), ints(&[], &[-1])]);
    assert_eq!([out[0].i(0), out[1].i(0)], [0, 8]);
    // A start that is less than all.
    let out = run(&text, &[ints(&[20], &x), ints(&[], &[-3]), ints(&[], &[-1])]);
    assert_eq!([out[0].i(0), out[1].i(0)], [-3, -1]);
}

/// Numbers that are no places; the lesser of those beside equal values.
#[test]
fn the_number_beside_the_greatest() {
    let text = pairs(12, "ui64", "ui64", JAX, false);
    assert!(!loops(&text));
    let of = |v: Vec<i64>| Tensor::ints(DType::I64, &[v.len() as u64], v);
    let one = |v: i64| Tensor::ints(DType::I64, &[], vec![v]);
    let x = of(vec![1, -5, 3, -5, 0, -5, 7, 7, 7, 7, 7, 7]);
    let numbers = of(vec![9, -1, 9, 6, 9, i64::MIN, 9, 9, 9, 9, 9, 9]);
    let out = run(&text, &[x, numbers, one(0), one(0)]);
    assert_eq!([out[0].i(0), out[1].i(0)], [-5, 6]);
}

#[test]
fn floats_with_nan() {
    let text = pairs(12, "f32", "i32", JAX, true);
    assert!(!loops(&text));
    let mut x = vec![1.0; 12];
    (x[4], x[7], x[9]) = (5.0, f64::NAN, f64::NAN);
    let out = run(&text, &[floats(&[12], &x), floats(&[], &[f64::NEG_INFINITY]), ints(&[], &[0])]);
    assert_eq!((out[0].f(0).is_nan(), out[1].i(0)), (true, 7));
    // This body does not let NaN win, so it is no reduction of the IR.
    assert!(loops(&pairs(12, "f32", "i32", XLA, true)));
}

/// Bodies that are not recognised are the body of a loop, which does not grow with the elements.
#[test]
fn other_bodies_do_not_grow() {
    let ops = |n| func(&pairs(n, "i32", "i32", APART, false)).ops.len();
    assert_eq!(ops(100_000), ops(16));
    for n in [1, 2, 7, 8, 9, 31, 100] {
        let text = pairs(n as usize, "i32", "i32", APART, false);
        let x: Vec<i64> = (0..n).map(|k| (k * 37) % 101).collect();
        let out = run(&text, &[ints(&[n as u64], &x), ints(&[n as u64], &x), ints(&[], &[5]), ints(&[], &[1000])]);
        assert_eq!(out[0].i(0), *x.iter().max().unwrap().max(&5), "{n}");
        assert_eq!(out[1].i(0), x.iter().sum::<i64>() + 1000, "{n}");
    }
}

/// Ops that the IR has no reduction of, in both forms of a body; of several dims, and of truth values.
#[test]
fn by_exclusive_or() {
    let body = "%c = stablehlo.constant dense<3> : tensor<ui64>\n\
        %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.xor across dimensions = [0, 1] : (tensor<3x5xui64>, tensor<ui64>) -> tensor<ui64>\n\
        %f = stablehlo.constant dense<false> : tensor<i1>\n\
        %p = stablehlo.convert %arg0 : (tensor<3x5xui64>) -> tensor<3x5xi1>\n\
        %1 = \"stablehlo.reduce\"(%p, %f) <{dimensions = array<i64: 1>}> ({\n^bb0(%a: tensor<i1>, %b: tensor<i1>):\n\
        %x = stablehlo.xor %a, %b : tensor<i1>\nstablehlo.return %x : tensor<i1>\n}) : (tensor<3x5xi1>, tensor<i1>) -> tensor<3xi1>\n\
        return %0, %1 : tensor<ui64>, tensor<3xi1>";
    let text = module("%arg0: tensor<3x5xui64>", "tensor<ui64>, tensor<3xi1>", body);
    let x: Vec<i64> =
        (0..15).map(|k: i64| if k % 4 == 0 { 0 } else { k.wrapping_mul(-0x61C8_8646_80B5_83EB) }).collect();
    let out = run(&text, &[Tensor::ints(DType::I64, &[3, 5], x.clone())]);
    assert_eq!(out[0].i(0), x.iter().fold(3, |a, b| a ^ b));
    assert_eq!(
        (0..3).map(|r| out[1].i(r)).collect::<Vec<_>>(),
        x.chunks(5).map(|r| r.iter().filter(|&&v| v != 0).count() as i64 % 2).collect::<Vec<_>>()
    );
}
