//! `grad`, `value_and_grad`, `scan` and `associative_scan`, by what they compute and what they refuse.

use meshloom_ir::interp::eval::eval;
use meshloom_ir::{DType, Func, Tensor};
use meshloom_source::FrontOptions;
use meshloom_syntax::elaborate::compile;

fn entry(text: &str) -> Func {
    let out = compile("t.loom", text, &FrontOptions { float: Some(DType::F64), ..FrontOptions::default() });
    let said: Vec<String> = out.diagnostics.iter().map(|d| d.message.clone()).collect();
    let e = out.elaborated.unwrap_or_else(|| panic!("{said:?}\n{text}"));
    e.entries[0].func.clone()
}

fn run(text: &str, inputs: &[(&[u64], &[f64])]) -> Vec<Vec<f64>> {
    let inputs: Vec<Tensor> = inputs.iter().map(|(shape, v)| Tensor::floats(DType::F64, shape, v.to_vec())).collect();
    let out = eval(&entry(text), &inputs).unwrap_or_else(|e| panic!("{e}\n{text}"));
    out.iter().map(|t| (0..t.len()).map(|i| t.f(i)).collect()).collect()
}

fn errors(text: &str) -> Vec<(String, String)> {
    let out = compile("t.loom", text, &FrontOptions::default());
    out.diagnostics.iter().map(|d| (d.code.to_string(), d.message.clone())).collect()
}

fn near(got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len(), "{got:?} for {want:?}");
    assert!(got.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-12), "{got:?} for {want:?}");
}

#[test]
fn gradients_have_the_structure_of_the_argument() {
    let text = "struct P { w: f32[2], b: f32 }\n\
                fn f(p: P, x: f32[2]) -> f32 { sum(p.w * p.w * x) + p.b * p.b }\n\
                entry e(p: P, x: f32[2]) -> (f32, f32[2], f32) {\n\
                    let (v, g) = value_and_grad(f)(p, x)\n\
                    (v, g.w, g.b)\n}\n";
    let out = run(text, &[(&[2], &[2.0, 3.0]), (&[], &[4.0]), (&[2], &[1.0, 10.0])]);
    near(&out[0], &[4.0 + 90.0 + 16.0]);
    near(&out[1], &[4.0, 60.0]);
    near(&out[2], &[8.0]);
}

#[test]
fn gradients_are_by_name_and_of_gradients() {
    let by = "fn f(a: f32[2], x: f32[2]) -> f32 { sum(a * x * x) }\n\
              entry e(a: f32[2], x: f32[2]) -> f32[2] { grad(f, wrt: x)(a, x) }\n";
    near(&run(by, &[(&[2], &[1.0, 2.0]), (&[2], &[3.0, 5.0])])[0], &[6.0, 20.0]);
    // d/dx of |d/dx sum(x^3)|^2 = sum 9 x^4: 36 x^3.
    let twice = "fn f(x: f32[2]) -> f32 { sum(x * x * x) }\n\
                 fn g(x: f32[2]) -> f32 { let d = grad(f)(x)\n sum(d * d) }\n\
                 entry e(x: f32[2]) -> f32[2] { grad(g)(x) }\n";
    near(&run(twice, &[(&[2], &[2.0, -1.0])])[0], &[288.0, -36.0]);
}

/// One step of gradient descent in each iteration of a loop.
#[test]
fn gradients_stand_in_loops() {
    let text = "fn f(x: f32, a: f32) -> f32 { (x - a) * (x - a) }\n\
                entry e(x: f32, a: f32) -> f32 {\n    let y = x\n\
                    for i in 0..3 { y = y - 0.25 * grad(f)(y, a) }\n    y\n}\n";
    near(&run(text, &[(&[], &[9.0]), (&[], &[1.0])])[0], &[2.0]);
}

#[test]
fn a_scan_carries_and_stacks() {
    let text = "fn step(c: f32[2], x: f32[2], by: f32) -> (f32[2], f32[2]) { let n = c + by * x\n (n, n * n) }\n\
                entry e(xs: f32[3, 2], by: f32) -> (f32[2], f32[3, 2]) {\n\
                    let start: f32[2] = full([2], 1.0)\n    scan(step, start, xs, by)\n}\n";
    let xs = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let out = run(text, &[(&[3, 2], &xs), (&[], &[2.0])]);
    near(&out[0], &[19.0, 25.0]);
    near(&out[1], &[9.0, 25.0, 81.0, 169.0, 361.0, 625.0]);
    let back = text.replace("xs, by)", "xs, by, reverse: true)");
    near(&run(&back, &[(&[3, 2], &xs), (&[], &[2.0])])[1], &[361.0, 625.0, 289.0, 441.0, 121.0, 169.0]);
}

/// A gradient through a scan, by its carry and its stacked results at once.
#[test]
fn scans_are_differentiated() {
    let text = "fn step(c: f32, x: f32) -> (f32, f32) { (c * x, c) }\n\
                fn f(xs: f32[3], c: f32) -> f32 { let (last, ys) = scan(step, c, xs)\n last + sum(ys) }\n\
                entry e(xs: f32[3], c: f32) -> (f32[3], f32) { (grad(f)(xs, c), grad(f, wrt: c)(xs, c)) }\n";
    // c x y z + c + c x + c x y
    let out = run(text, &[(&[3], &[2.0, 3.0, 5.0]), (&[], &[7.0])]);
    near(&out[0], &[7.0 * 15.0 + 7.0 + 21.0, 7.0 * 10.0 + 14.0, 42.0]);
    near(&out[1], &[30.0 + 1.0 + 2.0 + 6.0]);
}

#[test]
fn scans_go_over_lists_and_counts() {
    let text = "struct L { w: f32[2], b: f32[2] }\nstruct M { layers: [L; 3] }\n\
                fn step(h: f32[2], l: L) -> (f32[2], f32) { let n = h * l.w + l.b\n (n, sum(n)) }\n\
                fn count(c: i32, i: i32) -> (i32, ()) { (c + i, ()) }\n\
                entry e(m: M, x: f32[2]) -> (f32[3], f32) {\n\
                    let (h, sums) = scan(step, x, m.layers)\n    let zero: i32 = 0\n\
                    let (n, none) = scan(count, zero, 4)\n    (sums, sum(h) + (n as f32))\n}\n";
    let w = [1.0, 2.0, 3.0, 1.0, 1.0, 2.0];
    let out = run(text, &[(&[3, 2], &w), (&[3, 2], &[0.0; 6]), (&[2], &[1.0, 1.0])]);
    near(&out[0], &[3.0, 5.0, 7.0]);
    near(&out[1], &[7.0 + 6.0]);
}

const AFTER: &str = "fn after(x: (f32[..], f32[..]), y: (f32[..], f32[..])) -> (f32[..], f32[..]) {\n\
                         let (a, b) = x\n let (c, d) = y\n (a * c, c * b + d)\n}\n";

fn some(n: usize, scale: f64) -> Vec<f64> {
    (0..n).map(|i| scale * ((i * 37 % 101) as f64 / 50.5 - 0.9)).collect()
}

/// A linear recurrence of two channels, in blocks of many sizes, with and without a rest, from either end, along either dim.
#[test]
fn an_associative_scan_is_the_loop() {
    for n in [1, 2, 3, 16, 33, 37, 64, 100, 259, 600] {
        for (reverse, dim) in [(false, 0), (true, 0), (false, 1), (true, -1)] {
            let shape = if dim == 0 { [n, 2] } else { [2, n] };
            let at = |t: usize, channel: usize| if dim == 0 { 2 * t + channel } else { n * channel + t };
            let (a, b, w) = (some(2 * n, 1.1), some(2 * n, 0.7), some(2 * n, -0.6));
            let [mut h, mut da, mut db] = [vec![0.0; 2 * n], vec![0.0; 2 * n], vec![0.0; 2 * n]];
            for channel in 0..2 {
                let order: Vec<usize> = if reverse { (0..n).rev().collect() } else { (0..n).collect() };
                let place = |k: usize| at(order[k], channel);
                for k in 0..n {
                    let before = if k > 0 { h[place(k - 1)] } else { 0.0 };
                    h[place(k)] = a[place(k)] * before + b[place(k)];
                }
                for k in (0..n).rev() {
                    let later = if k + 1 < n { a[place(k + 1)] * db[place(k + 1)] } else { 0.0 };
                    db[place(k)] = w[place(k)] + later;
                    da[place(k)] = if k > 0 { db[place(k)] * h[place(k - 1)] } else { 0.0 };
                }
            }
            let [x, y] = shape;
            let text = format!(
                "{AFTER}fn f(a: f32[{x}, {y}], b: f32[{x}, {y}], w: f32[{x}, {y}]) -> f32 {{\n\
                     let (_, h) = associative_scan(after, (a, b), {dim}, reverse: {reverse})\n sum(w * h)\n}}\n\
                 entry e(a: f32[{x}, {y}], b: f32[{x}, {y}], w: f32[{x}, {y}]) -> (f32[{x}, {y}], f32[{x}, {y}], f32[{x}, {y}]) {{\n\
                     let (_, h) = associative_scan(after, (a, b), {dim}, reverse: {reverse})\n\
                     (h, grad(f)(a, b, w), grad(f, wrt: b)(a, b, w))\n}}\n"
            );
            let shape = [x as u64, y as u64];
            let out = run(&text, &[(&shape, &a), (&shape, &b), (&shape, &w)]);
            for (got, want) in out.iter().zip([&h, &da, &db]) {
                let close = got.iter().zip(want).all(|(x, y)| (x - y).abs() < 1e-11 * y.abs().max(1.0));
                assert!(close && got.len() == want.len(), "{n} {reverse} {dim}: {got:?} for {want:?}");
            }
        }
    }
}

/// Tensors of several shapes and types, matrices that do not commute, and a function that the library has.
#[test]
fn an_associative_scan_of_any_function() {
    let matrices = "fn product(x: f32[n, 2, 2], y: f32[n, 2, 2]) -> f32[n, 2, 2] { einsum(\"nij,njk->nik\", x, y) }\n\
                    entry e(x: f32[40, 2, 2]) -> f32[40, 2, 2] { associative_scan(product, x) }\n";
    let x = some(160, 1.3);
    let mut want = vec![x[..4].to_vec()];
    for m in x[4..].chunks(4) {
        let p = want.last().unwrap();
        want.push((0..4).map(|k| p[k / 2 * 2] * m[k % 2] + p[k / 2 * 2 + 1] * m[2 + k % 2]).collect());
    }
    let got = &run(matrices, &[(&[40, 2, 2], &x)])[0];
    let want = want.concat();
    assert!(got.iter().zip(&want).all(|(x, y)| (x - y).abs() < 1e-9 * y.abs().max(1.0)), "{got:?} for {want:?}");

    // The sums since the last start, which a bool marks.
    let segments = "fn since(x: (bool[n], f32[2, n]), y: (bool[n], f32[2, n])) -> (bool[n], f32[2, n]) {\n\
                        let (s, a) = x\n let (t, b) = y\n (s || t, select(t, b, a + b))\n}\n\
                    entry e(starts: f32[34], x: f32[2, 34]) -> f32[2, 34] {\n\
                        let (_, sums) = associative_scan(since, (starts > 0, x), -1)\n sums\n}\n";
    let starts: Vec<f64> = (0..34).map(|i| f64::from(i % 5 == 3)).collect();
    let x = some(68, 1.0);
    let mut want = x.clone();
    for k in (0..68).filter(|k| k % 34 > 0 && starts[k % 34] == 0.0) {
        want[k] += want[k - 1];
    }
    near(&run(segments, &[(&[34], &starts), (&[2, 34], &x)])[0], &want);
}

/// What is not in the result is not computed: it overflows, and a gradient through it would be NaN.
#[test]
fn an_associative_scan_computes_no_more_than_is_asked_for() {
    let text = "fn product(x: f32[n], y: f32[n]) -> f32[n] { x * y }\n\
                fn f(x: f32[64]) -> f32 { sum(associative_scan(product, x)) }\n\
                entry e(x: f32[64]) -> f32[64] { grad(f)(x) }\n";
    let mut x = [1.0; 64];
    (x[0], x[8]) = (1e200, 1e-200);
    let got = &run(text, &[(&[64], &x)])[0];
    assert!(got.iter().all(|g| g.is_finite()), "{got:?}");
    near(&[got[0], got[8] / 1e200, got[7] / 1e200], &[8.0, 56.0, 1.0]);
}

#[test]
fn what_cannot_be_is_refused() {
    let head = "fn f(x: f32[2]) -> f32 { sum(x) }\nfn g(x: f32[2]) -> f32[2] { x }\nfn h(i: i32[2]) -> f32 { 1.0 }\n";
    for (body, code) in [
        ("grad(f)", "type-mismatch"),
        ("grad(g)(x)", "not-differentiable"),
        ("grad(h)(k)", "not-differentiable"),
        ("grad(f, wrt: y)(x)", "arguments"),
        ("grad(f)()", "arguments"),
        ("grad(nothing)(x)", "unknown-function"),
        ("grad(x + x)(x)", "arguments"),
        ("f(x)(x)", "syntax"),
        ("scan(f, x, x)", "arguments"),
        ("scan(g, x)", "arguments"),
        ("scan(f, 0, x)", "loop-type"),
        ("scan(f, x, f(x))", "type-mismatch"),
    ] {
        let text = format!("{head}entry e(x: f32[2], k: i32[2]) -> f32[2] {{ {body} }}\n");
        let found = errors(&text);
        assert!(found.iter().any(|e| e.0 == code), "{body}: {found:?}");
    }
}
