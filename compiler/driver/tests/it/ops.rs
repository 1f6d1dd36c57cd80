//! Ops on machine code, in the language's words, on split dims and whole ones: as the interpreter has them on one device.
#![cfg(feature = "llvm")]

use crate::support::session;
use meshloom_driver::{CompileOptions, check, lower, plan};
use meshloom_ir::interp::eval;
use meshloom_ir::{DType, Tensor};
use meshloom_plan::Mode;
use meshloom_random as random;
use meshloom_runtime::HostTensor;

fn host(t: &Tensor) -> HostTensor {
    let (n, shape) = (t.len(), &t.ty.shape);
    match t.ty.dtype {
        DType::I32 => HostTensor::i32(shape, &(0..n).map(|i| t.i(i) as i32).collect::<Vec<_>>()),
        DType::F64 => HostTensor::f64(shape, &(0..n).map(|i| t.f(i)).collect::<Vec<_>>()),
        _ => HostTensor::f32(shape, &(0..n).map(|i| t.f(i) as f32).collect::<Vec<_>>()),
    }
}

/// Runs an entry on devices and compares with the global program on one: integers equal, f64 to 1e-12.
#[track_caller]
fn runs_as_interpreted(source: &str, axes: &[(&str, u64)], mode: Mode) {
    let mut options = CompileOptions::default();
    options.plan.mode = mode;
    options.front.float = Some(DType::F64);
    options.front.mesh = Some(axes.iter().map(|&(n, s)| (n.to_string(), s)).collect());
    let p = check("ops.loom", source, &options).and_then(|p| plan(p, &options)).and_then(lower);
    let p = p.unwrap_or_else(|(f, _)| panic!("{axes:?}: {f}\n{source}"));
    let func = p.entries[0].global.clone();
    let inputs = random::inputs(&func, 3);
    let want = eval(&func, &inputs).unwrap();
    let mut s = session(&p);
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    for (port, x) in func.inputs.iter().zip(&inputs) {
        s.write(&port.name, host(x)).unwrap_or_else(|e| panic!("{e}"));
    }
    s.run().unwrap_or_else(|e| panic!("{e}"));
    for (port, w) in func.outputs.iter().zip(&want) {
        let got = s.read(&port.name).unwrap_or_else(|e| panic!("{e}")).to_f64().unwrap();
        assert_eq!(got.len(), w.len(), "{}", port.name);
        for (i, &g) in got.iter().enumerate() {
            let x = w.f(i);
            let same = g == x || g.is_nan() && x.is_nan();
            let close = w.ty.dtype.is_float() && (g - x).abs() <= 1e-12 * x.abs().max(1.0);
            assert!(same || close, "{axes:?} {mode:?}: {}[{i}] is {g}, not {x}\n{source}", port.name);
        }
    }
}

/// On one device, and on eight with the annotations followed and searched from.
#[track_caller]
fn everywhere(body: &str) {
    let source = format!("mesh [m: 1]\n{body}");
    runs_as_interpreted(&source, &[("m", 1)], Mode::Follow);
    runs_as_interpreted(&source, &[("m", 8)], Mode::Follow);
    runs_as_interpreted(&source, &[("m", 8)], Mode::Search);
}

#[test]
fn elementwise() {
    everywhere(
        "entry f(x: f64[8, 16] @ [m, _], y: f64[8, 16] @ [m, _], i: i32[8, 16] @ [m, _]) -> (f64[8, 16], f64[8, 16], i32[8, 16]) {
            let a = sin(x) + cos(y) * tan(x * 0.3) + atan2(y, x) + erf(x) + expm1(y) + log1p(abs(x)) + cbrt(y)
            let b = floor(x) + ceil(y) * 2.0 + round(x * 3.0) + sign(y) + rem(x, 0.3) + clamp(y, -0.5, 0.25) + pow(x, 3.0)
            let c = bit_xor(shift_left(i, 3), bit_and(i, 5)) + shift_right(bit_not(i), 1) + bit_or(i, 64) + rem(i, 3)
            (a, select(is_finite(1.0 / (x - x)), a, b), c)
        }",
    );
}

#[test]
fn extremes_and_orders() {
    everywhere(
        "entry f(x: f64[4, 64] @ [_, m]) -> (i32[4], i32[64], f64[4, 3], i32[4, 3], f64[4, 64], i32[4, 64]) {
            let (v, i) = top_k(x, 3)
            (argmax(x), argmin(x, 0), v, i, sort(x, 1), argsort(x, 0, descending: true))
        }",
    );
}

#[test]
fn running_sums() {
    everywhere(
        "entry f(x: f64[4, 64] @ [_, m], i: i32[4, 64] @ [_, m]) -> (f64[4, 64], f64[4, 64], f64[4, 64], i32[4, 64]) {
            (cumsum(x) @ [_, m], cummax(x, 1, reverse: true), cumsum(x, 0, exclusive: true), cumsum(i, 1) + cummin(i, 1))
        }",
    );
}

#[test]
fn running_log_sums() {
    everywhere(
        "entry f(x: f64[4, 64] @ [_, m]) -> (f64[4, 64], f64[4, 64], f64[4, 64]) {
            (cumlogsumexp(x) @ [_, m], cumlogsumexp(x * 300.0, 0, reverse: true), grad(last)(x))
        }
        fn last(x: f64[4, 64]) -> f64 { sum(sin(cumlogsumexp(x * 3.0, 1))) }",
    );
}

#[test]
fn products_and_logic() {
    everywhere(
        "entry f(x: f64[4, 64] @ [_, m], i: i32[4, 16] @ [_, m]) -> (f64[4], f64[4, 64], f64[4, 64], f64[4, 64], i32[4], bool[4], bool[16], bool[4, 16], bool[4, 16], f64) {
            let all_zero = sum(select(all(x > -9.0, 1), 1.0, 0.0)) + select(any(i == 7), 1.0, 0.0)
            (prod(x, 1), cumprod(x, 1) @ [_, m], grad(product)(x), grad(running)(x), prod(i, 1), all(i > -9, 1), any(i > 3, 0), cumall(i < 3, 1) @ [_, m], cumany(i > 2, 0, exclusive: true), all_zero)
        }
        fn product(x: f64[4, 64]) -> f64 { sum(prod(x, 1)) }
        fn running(x: f64[4, 64]) -> f64 { sum(cumprod(x, 1, reverse: true)) }",
    );
}

/// More tensors beside a product than one kernel takes.
#[test]
fn many_tensors_beside_a_product() {
    let names: Vec<String> = (0..36).map(|i| format!("a{i}")).collect();
    let inputs: String = names.iter().map(|a| format!(", {a}: f64[8, 16] @ [m, _]")).collect();
    everywhere(&format!(
        "entry f(x: f64[8, 8], w: f64[8, 16]{inputs}) -> f64[8, 16] {{ dot(x, w) + {} }}",
        names.join(" + ")
    ));
}

#[test]
fn computed_places() {
    everywhere(
        "entry f(x: f64[64, 8] @ [m, _], u: f64[3, 8], i: i32[5] in 0..64, at: i32 in 0..64)
            -> (f64[4, 8], f64[64, 8], f64[64, 8], f64[8, 5]) {
            (dynamic_slice(x, at, 4), dynamic_update(x, u, at) @ [m, _], dynamic_update(x, u[0:1], at) @ [m, _], take(transpose(x), i, 1))
        }",
    );
}

/// The same numbers on every mesh, others in every iteration and call.
#[test]
fn random_numbers() {
    everywhere(
        "entry f(x: f64[8, 16] @ [m, _]) -> (f64[8, 64], f64[8, 16], i32[64], f64[8, 16]) {
            let y = x
            for i in 0..3 { y = y + random_uniform(y) }
            (random_uniform([8, 64]) @ [_, m], random_normal(x), random_bits([64]) @ [m], y)
        }",
    );
}

/// Kernels sum integers of 8 and 32 bits in wider ones. What reads such a sum in the same kernel sees it wrapped, as memory would have it.
#[test]
fn sums_of_narrow_integers_wrap_where_they_are_read() {
    let source = "mesh [m: 1]
        entry f(x: i32[4, 6]) -> (i32[4], i32[4], i32[4]) {
            let bytes = (clamp(0, x, 7) + 90) as u8
            let words = (clamp(0, x, 7) + 1073741824) as u32
            (
                maximum(sum(bytes, 1), 100) as i32,
                (maximum(sum(words, 1), 100) / 2) as i32,
                maximum(prod(bytes, 1), 100) as i32,
            )
        }";
    for devices in [1, 2] {
        runs_as_interpreted(source, &[("m", devices)], Mode::Follow);
    }
}
