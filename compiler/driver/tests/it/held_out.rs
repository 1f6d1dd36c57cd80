//! The loss on held-out data is that of all rows, whatever the batch: the program of `gpt.eval`, run batch by batch, against the loss
//! of one batch that has all rows.

use meshloom_driver::{CompileOptions, Program, check};
use meshloom_ir::interp::eval::eval;
use meshloom_ir::{DType, Func, Init, Role, Tensor, TensorType};
use meshloom_random as random;

/// Random inputs, and state as it is before the first run.
pub fn first(f: &Func, seed: u64) -> Vec<Tensor> {
    let mut all = random::inputs(f, seed);
    for ((port, &v), t) in f.inputs.iter().zip(&f.body().args).zip(&mut all) {
        if let (Role::State, Some(Init::Constant(x))) = (port.role, port.init) {
            *t = Tensor::splat(f.ty(v), x.as_f64());
        }
    }
    all
}

const MODEL: &str = "
struct Layer { w: f32[n, n] = normal(0.5) }
struct Net { w: f32[n] = normal(0.5), layers: [Layer; 2] }
";

fn program(loss: &str, batch: u64) -> Program {
    let text = format!(
        "dim batch = {batch}, n = 3\n{MODEL}\
         fn loss(m: Net, x: f32[batch, n], y: f32[batch], keep: f32[batch]) -> f32 {{\n    \
         for p in m.layers {{ x = x + tanh(dot(x, p.w)) }}\n    let e = dot(x, m.w) - y\n    let e = e * e\n    {loss}\n}}\n\
         train net = sgd(loss, lr: 0.1)\n"
    );
    let mut options = CompileOptions::default();
    options.front.float = Some(DType::F64);
    let mut p = check("held_out.loom", &text, &options).unwrap_or_else(|(f, _)| panic!("{loss}: {f}"));
    p.add_evaluations(&options);
    p
}

fn evaluation(p: &Program) -> &Func {
    &p.entry("net.eval").unwrap().global
}

/// Loss and metrics of rows, batch by batch. `rows` are values of `x`, `y` and `keep` for all rows.
fn run(f: &Func, rows: &[Tensor; 3], batch: u64) -> Vec<f64> {
    let mut now = first(f, 7);
    let at = |name: &str| f.input(name).unwrap_or_else(|| panic!("no `{name}`"));
    let n = rows[1].len() as u64;
    let mut told = Vec::new();
    let mut turn = |from: u64, of: u64, times: f64, share: f64| {
        for (name, all) in ["x", "y", "keep"].iter().zip(rows) {
            let width = all.len() as u64 / n;
            let row = |i: u64| (0..width).map(move |k| all.f(((from + i % of) * width + k) as usize));
            let shape = [&[batch], &all.ty.shape[1..]].concat();
            now[at(name)] = Tensor::floats(DType::F64, &shape, (0..batch).flat_map(row).collect());
        }
        for (name, x) in [("held-out.times", times), ("held-out.share", share)] {
            if let Some(i) = f.input(name) {
                now[i] = Tensor::splat(&TensorType::scalar(DType::F64), x);
            }
        }
        let out = eval(f, &now).unwrap();
        told = f.outputs.iter().zip(&out).filter(|o| o.0.updates.is_none()).map(|o| o.1.f(0)).collect();
        for (port, t) in f.outputs.iter().zip(out) {
            if let Some(i) = port.updates {
                now[i] = t;
            }
        }
    };
    for k in 0..n / batch {
        turn(k * batch, batch, 1.0, 1.0);
    }
    let (from, mut left, mut times) = (n - n % batch, n % batch, 1.0);
    let mut share = left as f64 / batch as f64;
    while left > 0 {
        times /= (batch / left) as f64;
        turn(from, left, times, share);
        (left, times, share) = (batch % left, -times, 0.0);
    }
    told
}

/// Random rows; every third does not count.
fn rows(n: u64, seed: u64) -> [Tensor; 3] {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1u32 << 24) * 2.0 - 1.0
    };
    let mut all = |shape: &[u64]| {
        let len = shape.iter().product::<u64>();
        Tensor::floats(DType::F64, shape, (0..len).map(|_| draw()).collect())
    };
    let keep = (0..n).map(|i| if i % 3 == 1 { 0.0 } else { 1.0 + (i % 2) as f64 }).collect();
    [all(&[n, 3]), all(&[n]), Tensor::floats(DType::F64, &[n], keep)]
}

const LOSSES: [&str; 10] = [
    "mean(e)",
    "sum(e)",
    "sum(e * keep) / sum(keep)",
    "metric(\"kept\", sum(keep))\n    metric(\"rows\", batch)\n    sum(e * keep) / maximum(sum(keep), 1)",
    "metric(\"root\", sqrt(mean(e)))\n    mean(e) + 0.1 * sum(m.w * m.w)",
    "sum(e * keep) / sum(keep) + sum(e) / batch + 0.3",
    "mean(reshape(dot(transpose(x), expand(e, 1)) / batch, [n]) * m.w)",
    "let z = exp(e)\n    log(sum(z * keep)) - log(sum(z))",
    "let total = 0.0 * sum(m.w)\n    for p in m.layers { total = total + mean(dot(x, p.w) * expand(e, 1)) }\n    total",
    "let c = sum(keep) / batch\n    sqrt(batch) * mean(e) / c",
];

#[test]
fn all_rows_count_whatever_the_batch() {
    for (k, loss) in LOSSES.iter().enumerate() {
        // All pairs together take long; each loss has two of them.
        let pairs = [(1, 7), (3, 10), (4, 10), (4, 3), (5, 12), (6, 6)];
        for (batch, n) in [pairs[k % 6], pairs[(k + 3) % 6]] {
            let p = program(loss, batch);
            assert!(p.diagnostics.is_empty(), "{loss}: {:?}", p.diagnostics);
            let rows = rows(n, k as u64);
            let (got, whole) = (run(evaluation(&p), &rows, batch), program(loss, n));
            let want = run(evaluation(&whole), &rows, n);
            // The parameters are drawn alike, since they come first.
            for (a, b) in got.iter().zip(&want) {
                assert!((a - b).abs() <= 1e-11 * (1.0 + b.abs()), "{loss}, {n} rows by {batch}: {got:?}, not {want:?}");
            }
        }
    }
}

/// Of one batch, the program says what the loss says.
#[test]
fn one_batch_is_the_loss() {
    for loss in LOSSES {
        let p = program(loss, 4);
        let (data, plain) = (rows(4, 3), &p.entries[0].elaborated);
        let mut inputs = first(plain, 7);
        for (name, t) in ["x", "y", "keep"].iter().zip(&data) {
            inputs[plain.input(name).unwrap()] = t.clone();
        }
        let want: Vec<f64> = eval(plain, &inputs).unwrap().iter().map(|t| t.f(0)).collect();
        let got = run(evaluation(&p), &data, 4);
        assert!(got.iter().zip(&want).all(|(a, b)| (a - b).abs() <= 1e-13 * (1.0 + b.abs())), "{loss}: {got:?}");
    }
}

/// A figure that mixes rows in another way is a mean over batches, and is said to be.
#[test]
fn what_is_no_function_of_sums_is_said() {
    let p = program("metric(\"most\", max(e))\n    mean(e)", 4);
    let said: Vec<&str> = p.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(said, ["the held-out `most` of `net` is a mean over batches"]);
    let all = rows(6, 3);
    let of = |from: usize, to: usize| {
        let cut = |t: &Tensor| {
            let width = t.len() / 6;
            let shape = [&[(to - from) as u64], &t.ty.shape[1..]].concat();
            Tensor::floats(DType::F64, &shape, (from * width..to * width).map(|i| t.f(i)).collect())
        };
        run(evaluation(&p), &all.each_ref().map(cut), 4)[1]
    };
    // The last two rows are half a batch.
    let want = (of(0, 4) + 0.5 * of(4, 6)) / 1.5;
    assert!((run(evaluation(&p), &all, 4)[1] - want).abs() < 1e-13);
}

fn said(p: &Program) -> Vec<&str> {
    p.diagnostics.iter().map(|d| d.message.as_str()).collect()
}

/// The loss does not come from the figure that grows otherwise than a power of the batch.
#[test]
fn one_figure_that_is_a_mean_over_batches_takes_no_other_with_it() {
    let text = "metric(\"variance\", sum(e * e) / (batch - 1))\n    mean(e)";
    let p = program(text, 4);
    assert_eq!(said(&p), ["the held-out `variance` of `net` is a mean over batches"]);
    let all = rows(10, 5);
    let (got, want) = (run(evaluation(&p), &all, 4)[0], run(evaluation(&program("mean(e)", 10)), &all, 10)[0]);
    assert!((got - want).abs() < 1e-13, "{got}, not {want}");
}

/// The number of rows stands inside of the loop, which is that of one batch.
#[test]
fn a_loop_over_sums_with_the_batch_inside_is_a_mean_over_batches() {
    let text = "let t = sum(e)\n    let out = 0.0 * sum(m.w)\n    \
                for p in m.layers { out = out + t / batch * sum(p.w * p.w) }\n    out";
    let p = program(text, 3);
    assert_eq!(said(&p), ["the held-out `loss` of `net` is a mean over batches"]);
    let all = rows(9, 5);
    let (got, want) = (run(evaluation(&p), &all, 3)[0], run(evaluation(&program(text, 9)), &all, 9)[0]);
    assert!((got - want).abs() < 1e-12, "{got}, not {want}");
}

#[test]
fn without_a_dim_called_batch_it_is_said() {
    let text = "dim rows = 4\nstruct Net { w: f32[3] = normal(0.5) }\n\
                fn loss(m: Net, x: f32[rows, 3]) -> f32 { mean(dot(x, m.w)) }\ntrain net = sgd(loss, lr: 0.1)\n";
    let options = CompileOptions::default();
    let mut p = check("m.loom", text, &options).unwrap_or_else(|(f, _)| panic!("{f}"));
    p.add_evaluations(&options);
    let said: Vec<&str> = p.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(said, ["the held-out `loss` of `net` is a mean over batches"]);
}
