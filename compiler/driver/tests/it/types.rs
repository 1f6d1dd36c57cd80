//! Element types on machine code: what is stored in 16 bits, and integers of every width, split and whole, as the interpreter has it
//! on one device.
//!
//! The interpreter rounds after every op and kernels where values are stored, so 16-bit results agree to a few units of their
//! precision, relative to numbers around 1.
#![cfg(feature = "llvm")]

use crate::support::{bundle, compiled, host, on, open, outputs, together};
use meshloom_driver::CompileOptions;
use meshloom_ir::DType;
use meshloom_ir::interp::eval;
use meshloom_ir::tensor::{Tensor, round};
use meshloom_plan::Mode;
use meshloom_random as random;

/// How far results may be off, relative to the larger of 1 and the number.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::BF16 => 4.0 / 128.0,
        DType::F16 => 4.0 / 1024.0,
        DType::F32 => 2e-5,
        DType::F64 => 1e-12,
        _ => 0.0,
    }
}

/// Runs a program on one device and on eight, followed and searched.
#[track_caller]
fn everywhere(body: &str) {
    within(body, 0.0);
}

/// As `everywhere`; results may be off by `least` whatever their type, since they are made of others.
#[track_caller]
fn within(body: &str, least: f64) {
    let source = format!("mesh [m: 1]\n{body}");
    let mut made: Vec<(String, CompileOptions)> = vec![
        ("one".into(), on(&[("m", 1)], "")),
        ("follow".into(), on(&[("m", 8)], "")),
        ("search".into(), on(&[("m", 8)], "")),
    ];
    made[0].1.plan.mode = Mode::Follow;
    made[1].1.plan.mode = Mode::Follow;
    made[2].1.plan.mode = Mode::Search;
    let programs = made.iter().map(|(n, o)| (n.clone(), compiled("types.loom", &source, o)));
    for (name, p) in programs.collect::<Vec<_>>() {
        let func = p.entries[0].global.clone();
        let all = together([(name.clone(), p)]);
        let inputs = random::inputs(&func, 3);
        let want = eval(&func, &inputs).unwrap();
        let mut s = open(&bundle(&all), &name);
        let found = outputs(&mut s, &func, &inputs);
        for ((port, w), got) in func.outputs.iter().zip(&want).zip(found) {
            assert_eq!(got.len(), w.len(), "{}", port.name);
            for (i, &g) in got.iter().enumerate() {
                let (x, within) = (w.f(i), tolerance(w.ty.dtype).max(least));
                let close = (g - x).abs() <= within * x.abs().max(1.0) || g.is_nan() && x.is_nan();
                assert!(close, "{name}: {}[{i}] of {} is {g}, not {x}\n{source}", port.name, w.ty);
            }
        }
    }
}

/// Products (of more terms than a block of k), rows, rows looked up, moves, sums between devices.
fn half(dtype: DType) {
    within(
        &"dim n = 16, k = 320, e = 64, v = 32
        entry f(x: H[n, k] @ [m, _], w: H[k, e], t: H[v, e], i: i32[n] in 0..v @ [m], b: H[e])
            -> (H[n, e], H[e, n], H[e], f32[n], H[n, e]) {
            let h = tanh(dot(x, w) * 0.1 + b)
            let r = softmax(h) + t[i]
            let g = einsum(\"nk,ne->ke\", x, h)[0]
            (r, transpose(h), g * 0.1, sum((h * h) as f32, -1), cumsum(normalize(r), 0) * 0.1)
        }"
        .replace('H', dtype.name()),
        tolerance(dtype),
    );
}

#[test]
fn bf16() {
    half(DType::BF16);
}

#[test]
fn f16() {
    half(DType::F16);
}

/// Where the largest of numbers is that are rounded, and what its gradient is: the number that is stored is found again where the
/// numbers are recomputed.
fn decisions(dtype: DType) {
    everywhere(
        &"dim n = 64, v = 1024
        fn top(x: H[n]) -> H { max(x * 0.7) }
        fn rows(x: H[n, v], b: H[v]) -> H { sum(max(x * 0.7 + b, 1)) }
        entry f(x: H[n], y: H[n, v] @ [_, m], z: H[n, v] @ [m, _], b: H[v])
            -> (H[n], i32[n], i32[n], H[n, v], H[n, v], H[n, v], H[n, v]) {
            let p = z * 0.7
            let q = p + b
            (grad(top)(x), argmax(y * 0.7), argmax(q), grad(rows)(y, b), grad(rows)(z, b), p, floor(q * 9.0))
        }"
        .replace('H', dtype.name()),
    );
}

#[test]
fn decisions_in_bf16() {
    decisions(DType::BF16);
}

#[test]
fn decisions_in_f16() {
    decisions(DType::F16);
}

/// Multiplying and adding are two roundings in every kernel, whatever else it does with the product.
#[test]
fn decisions_in_f32() {
    decisions(DType::F32);
}

#[test]
fn decisions_in_f64() {
    decisions(DType::F64);
}

/// Rows, columns and tails of vectors; the product is read by one kernel alone, by one that also stores it, and by both sides of a sum.
fn decisions_of_sums(dtype: DType) {
    everywhere(
        &"dim n = 24, v = 1000
        fn rows(x: H[n, v], a: H[v], b: H[v]) -> H { sum(max(x * a + b, 1)) }
        fn columns(x: H[n, v], a: H[v], b: H[v]) -> H { sum(max(x * a + b, 0)) }
        fn both(x: H[n, v], a: H[v], b: H[v]) -> H { sum(max(x * a - b * x, 1)) }
        fn least(x: H[n, v], a: H[v], b: H[v]) -> H { min((x * a + b) * x - a) }
        entry f(x: H[n, v] @ [_, m], y: H[n, v] @ [m, _], z: H[n, v], a: H[v], b: H[v])
            -> (H[n, v], H[n, v], H[v], H[n, v], H[v], H[n, v], i32[n], i32[n], i32[v], H[n, v], H[n, v], H[v], H[n, v]) {
            (
                grad(rows)(x, a, b),
                grad(rows)(y, a, b),
                grad(rows, wrt: b)(z, a, b),
                grad(columns)(x, a, b),
                grad(columns, wrt: b)(y, a, b),
                grad(both)(z, a, b),
                argmax(x * a + b),
                argmax(y * a + b),
                argmax(transpose(z * a + b)),
                grad(least)(x, a, b),
                grad(least)(y, a, b),
                grad(least, wrt: a)(z, a, b),
                z * a,
            )
        }"
        .replace('H', dtype.name()),
    );
}

#[test]
fn decisions_of_sums_in_f32() {
    decisions_of_sums(DType::F32);
}

#[test]
fn decisions_of_sums_in_f64() {
    decisions_of_sums(DType::F64);
}

/// What is compared was divided by a sum that several kernels need: each row's largest share is one number, though the kernels would
/// add in different orders.
#[test]
fn decisions_behind_reductions() {
    everywhere(
        "dim n = 24, v = 1003
        fn share(x: f32[n, v]) -> f32[n, v] { x / sqrt(sum(x * x, 1, keep: true)) }
        fn largest(x: f32[n, v]) -> f32 { sum(max(share(x), 1)) }
        fn of_softmax(x: f32[n, v]) -> f32 { sum(max(softmax(x * 3.0), 1)) }
        fn anywhere(x: f32[n, v]) -> f32 { max(normalize(x)) }
        entry f(x: f32[n, v] @ [m, _], y: f32[n, v]) -> (f32[n, v], f32[n, v], f32[n, v], f32[n, v], i32[v], f32[v, n]) {
            (
                grad(largest)(x),
                grad(of_softmax)(x),
                grad(anywhere)(x),
                grad(anywhere)(y),
                argmax(transpose(share(y))),
                transpose(normalize(y)),
            )
        }",
    );
}

/// Numbers just beside the middle of two that 16 bits have, nearer to it than an f32 can tell: rounded once they do not become the
/// middle, which rounds to even.
#[test]
fn conversions_round_once() {
    let by = |p: i32| f64::powi(2.0, p);
    let floats =
        [1.0 + by(-8) + by(-40), 1.0 + by(-8) - by(-40), 1.0 + 3.0 * by(-8) - by(-40), -1.0 - by(-11) - by(-40)];
    let floats = [&floats[..], &[1.0 + 3.0 * by(-11) - by(-40), by(-25) + by(-60), f64::MAX, by(-200)]].concat();
    let i32s = [
        by(24) + by(16) + 1.0,
        -by(24) - by(16) - 1.0,
        by(30) + by(22) + 1.0,
        by(24) + 1.0,
        2147483647.0,
        -5.0,
        77.0,
        0.0,
    ];
    let i64s = [
        (1 << 60) + (1 << 52) + 1,
        (1 << 60) + 3 * (1 << 52) - 1,
        i64::MAX,
        i64::MIN,
        -(1 << 40) - (1 << 32) - 1,
        3,
        -257,
        2049,
    ];
    let source = "mesh [m: 1]
        entry f(x: f64[8], n: i32[8], k: i64[8]) -> (bf16[8], f16[8], bf16[8], f16[8], bf16[8], f16[8], f32[8]) {
            (x as bf16, x as f16, n as bf16, n as f16, k as bf16, k as f16, k as f32)
        }";
    let p = compiled("convert.loom", source, &on(&[("m", 1)], ""));
    let func = p.entries[0].global.clone();
    let inputs = [
        Tensor::floats(DType::F64, &[8], floats.clone()),
        Tensor::ints(DType::I32, &[8], i32s.iter().map(|&x| x as i64).collect()),
        Tensor::ints(DType::I64, &[8], i64s.to_vec()),
    ];
    let want = eval(&func, &inputs).unwrap();
    let first = |i: usize| (0..4).map(|at| want[i].f(at)).collect::<Vec<_>>();
    assert_eq!(first(0), [1.0 + by(-7), 1.0, 1.0 + by(-7), -1.0], "the interpreter");
    assert_eq!(want[1].f(3), -1.0 - by(-10), "the interpreter");
    assert_eq!(first(2), [by(24) + by(17), -by(24) - by(17), by(30) + by(23), by(24)], "the interpreter");
    assert_eq!(first(4)[..2], [by(60) + by(53), by(60) + by(53)], "the interpreter");
    let all = together([("convert".to_string(), p)]);
    let found = outputs(&mut open(&bundle(&all), "convert"), &func, &inputs);
    for ((port, w), got) in func.outputs.iter().zip(&want).zip(found) {
        assert_eq!(got, (0..8).map(|i| w.f(i)).collect::<Vec<_>>(), "{}", port.name);
    }
}

/// 64-bit integers at the ends of their range, read from an input and begun from as state, pass through scans, joins, constants and
/// extremes as they are.
#[test]
fn ends_of_wide_integers() {
    let source = "mesh [m: 2]
        entry f(x: i64[4, 6] @ [m, _], s: i64[2] = 9007199254740993, t: i64[3] = -9223372036854775807)
            -> (i64[4, 6], i64[4, 6], i64[4, 18], i64[6], i64[4, 6], i64[2], i64[3]) {
            let ends = concat([maximum(x, 9223372036854775807), minimum(x, -9223372036854775808)], 1)
            (
                cummax(x, 1),
                cummin(x, 0, reverse: true),
                concat([x, ends], 1),
                max(x, 0),
                clamp(-9223372036854775807, x, 9223372036854775806),
                s,
                t,
            )
        }";
    for (devices, mode) in [(1, Mode::Follow), (2, Mode::Follow), (2, Mode::Search)] {
        let mut options = on(&[("m", devices)], "");
        options.plan.mode = mode;
        let p = compiled("ends.loom", source, &options);
        let func = p.entries[0].global.clone();
        let numbers = [i64::MAX, i64::MIN, (1 << 53) + 1, -(1 << 53) - 1, 0, i64::MAX - 1, i64::MIN + 1, 7];
        let x = Tensor::ints(DType::I64, &[4, 6], (0..24).map(|i| numbers[(i * 5 + i / 7) % 8]).collect());
        let state = |n: u64, v: i64| Tensor::ints(DType::I64, &[n], vec![v; n as usize]);
        let inputs = [x, state(2, (1 << 53) + 1), state(3, i64::MIN + 1)];
        let want = eval(&func, &inputs).unwrap();
        let all = together([("ends".to_string(), p)]);
        let mut s = open(&bundle(&all), "ends");
        s.initialize().unwrap();
        s.write("x", host(&inputs[0])).unwrap();
        s.run().unwrap();
        for (port, w) in func.outputs.iter().zip(&want) {
            let bytes: Vec<u8> = (0..w.len()).flat_map(|i| w.i(i).to_le_bytes()).collect();
            assert_eq!(s.read(&port.name).unwrap().bytes, bytes, "{} on {devices}", port.name);
        }
    }
}

#[test]
fn attention_in_bf16() {
    everywhere(
        "dim b = 8, h = 2, s = 24, d = 16
        fn loss(q: bf16[b, h, s, d], k: bf16[b, h, s, d], v: bf16[b, h, s, d]) -> f32 {
            sum((attention(q, k, v, causal: true) as f32) * 0.125)
        }
        entry f(q: bf16[b, h, s, d] @ [m, _, _, _], k: bf16[b, h, s, d] @ [m, _, _, _], v: bf16[b, h, s, d] @ [m, _, _, _])
            -> (bf16[b, h, s, d], bf16[b, h, s, d]) {
            (attention(q, k, v, causal: true), grad(loss)(q, k, v))
        }",
    );
}

/// Scores around 256, where 16 bits would be off by up to one in the log-sum-exp, and all probabilities of a row by a factor of e.
#[test]
fn gradients_of_attention_with_large_scores() {
    let made = |dtype: DType| {
        let source = "dim b = 2, h = 2, s = 24, d = 16
            fn loss(q: T, k: T, v: T, w: T) -> f32 {
                sum((attention(q, k, v, causal: true) * w) as f32)
            }
            entry f(q: T, k: T, v: T, w: T) -> (T, T, T) {
                (grad(loss)(q, k, v, w), grad(loss, wrt: k)(q, k, v, w), grad(loss, wrt: v)(q, k, v, w))
            }"
        .replace(": T", &format!(": {}[b, h, s, d]", dtype.name()))
        .replace("(T, T, T)", &["(", ", ", ", ", ")"].join(&format!("{}[b, h, s, d]", dtype.name())));
        compiled("scores.loom", &source, &on(&[], ""))
    };
    let (exact, p) = (made(DType::F64), made(DType::BF16));
    let func = exact.entries[0].global.clone();
    // The first element of each query and key is 32: all scores are larger by 256.
    let mut inputs = random::inputs(&func, 5);
    for (at, x) in inputs.iter_mut().enumerate() {
        let number = |i: usize| if at < 2 && i.is_multiple_of(16) { 32.0 } else { round(DType::BF16, x.f(i)) };
        *x = Tensor::floats(DType::F64, &x.ty.shape, (0..x.len()).map(number).collect());
    }
    let want = eval(&func, &inputs).unwrap();
    let scheduled = &p.entries[0].scheduled;
    assert_eq!(scheduled.expanded, [], "kernels compute it");
    let low = p.entries[0].global.clone();
    let all = together([("scores".to_string(), p)]);
    let narrow: Vec<Tensor> = inputs
        .iter()
        .map(|x| Tensor::floats(DType::BF16, &x.ty.shape, (0..x.len()).map(|i| x.f(i)).collect()))
        .collect();
    let found = outputs(&mut open(&bundle(&all), "scores"), &low, &narrow);
    for ((at, port), (w, got)) in func.outputs.iter().enumerate().zip(want.iter().zip(found)) {
        // The gradient of a first element of queries is 32 times what rounding leaves of 0.
        let compared = |i: &usize| at > 1 || !i.is_multiple_of(16);
        let square = |f: &dyn Fn(usize) -> f64| (0..w.len()).filter(compared).map(|i| f(i).powi(2)).sum::<f64>().sqrt();
        let off = square(&|i| got[i] - w.f(i)) / square(&|i| w.f(i));
        assert!(off < 0.02, "{}: off by {off}", port.name);
    }
}

/// Bytes with a sign, which kernels compute in i32: whatever leaves their range wraps, and floats saturate.
#[test]
fn bytes_with_a_sign() {
    everywhere(
        "entry f(x: i8[8, 16] @ [m, _], y: i8[8, 16] @ [m, _], w: i8[16, 8], f: f32[8, 16] @ [m, _])
            -> (i8[8, 16], i8[8, 16], i8[8, 16], i8[16], i8[16], i8[8], i32[8, 8], f32[8, 16], i8[8, 16], u8[8, 16], u32[16], i8[8, 16]) {
            let z = x * 37 - y
            let sums = sum(reshape(z as i32, [8, 1, 16]) * reshape(transpose(w) as i32, [1, 8, 16]), -1)
            (
                z,
                z / 3 + rem(z, 7) - maximum(z, -z),
                shift_right(bit_not(z), 2) + bit_xor(z, y),
                sum(z, 0),
                max(z, 0),
                min(z, 1),
                sums,
                (z as f32) * 0.5,
                (f * 100) as i8,
                z as u8,
                max(z as u32, 0),
                clamp(-5, z, 100),
            )
        }",
    );
}

#[test]
fn integers() {
    everywhere(
        "entry f(x: i64[8, 16] @ [m, _], y: u32[8, 16] @ [m, _], z: u8[8, 16] @ [m, _], t: f32[32, 4], i: i64[8] in 0..32)
            -> (i64[8, 16], u32[8, 16], u8[8, 16], i64[16], u32[16], f32[8, 16], i64[8, 16], f32[8, 4], i64[8, 3]) {
            let (top, _) = top_k(x, 3)
            (
                x * 3000000000 + rem(x, 7) - maximum(x, -x),
                shift_right(bit_not(y), 3) + y * 65537 / 3,
                z * 77 + bit_xor(z, 255),
                sum(x, 0),
                max(y, 0),
                (x as f32) * 0.5 + (y as f32) + (z as f32),
                (y as i64) - (z as i64) * 100,
                t[i],
                top,
            )
        }",
    );
}
