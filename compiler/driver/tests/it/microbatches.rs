//! What `accumulate` takes and refuses, and what a microbatch counts for.

use meshloom_driver::{CompileOptions, Program, check};
use meshloom_ir::interp::eval::eval;
use meshloom_ir::{DType, Op};
use meshloom_source::Failure;

fn source(loss: &str, accumulate: u64) -> String {
    format!(
        "dim batch = 8, n = 4\n\
         struct Net {{ w: f32[n, n] = normal(0.1) }}\n\
         fn loss(m: Net, x: f32[batch, n], keep: f32[batch]) -> f32 {{\n    let y = dot(x, m.w)\n    {loss}\n}}\n\
         train net = sgd(loss, lr: 0.1, accumulate: {accumulate})\n"
    )
}

fn made(loss: &str, accumulate: u64) -> Program {
    let shown = |(f, _): (Failure, _)| -> Program { panic!("{loss}: {f}") };
    check("m.loom", &source(loss, accumulate), &CompileOptions::default()).unwrap_or_else(shown)
}

/// The constant that multiplies the loss in the loop: the only scalar constant of the body's forward half.
fn weight(p: &Program) -> Option<f64> {
    let f = &p.entries[0].global;
    let body = f.regions.iter().find(|r| r.owner.is_some_and(|o| matches!(f.op(o).op, Op::Repeat { trip: 4, .. })))?;
    // Sum of losses: the first carry's next value.
    let sum = f.op(f.def_op(body.yields[0])?);
    let term = f.op(f.def_op(sum.operands[1])?);
    if term.op.name() != "multiply" {
        return Some(1.0);
    }
    match &f.op(f.def_op(term.operands[1])?).op {
        Op::Constant { value: meshloom_ir::Literal::Splat(s), .. } => Some(s.as_f64()),
        _ => None,
    }
}

#[test]
fn means_count_a_part_and_sums_the_whole() {
    for (loss, wanted) in [
        ("mean(y * y)", 0.25),
        ("sum(y * y)", 1.0),
        ("sum(y * y) / 16", 1.0),
        ("mean(sum(y, 1)) + 0.1 * mean(y * y) + 0.01 * sum(m.w * m.w)", 0.25),
        ("mean(softmax(y)) * 3", 0.25),
        ("mean(reshape(y, [batch * n]))", 0.25),
        // Terms that count differently are made to count alike.
        ("mean(y * y) + sum(m.w * m.w) * sum(y)", 0.25),
        // What the divisor is of the whole batch is known from the data.
        ("sum(sum(y, 1) * keep) / sum(keep)", 1.0),
        ("sum(sum(y, 1) * keep) / maximum(sum(keep), 1) + mean(y) * max(keep)", 1.0),
        ("sum(y * (x - mean(x, 0))) / sqrt(sum(keep) + 1)", 1.0),
    ] {
        let p = made(loss, 4);
        assert!(p.diagnostics.is_empty(), "{loss}: {:?}", p.diagnostics);
        assert_eq!(weight(&p), Some(wanted), "{loss}");
    }
}

/// What mixes rows of the batch is said, at its place.
#[test]
fn coupled_rows_are_reported() {
    for loss in ["sum(sum(y, 1) * keep) / sum(sigmoid(y))", "max(y)", "mean(y) * mean(y)", "mean(y * y) + max(y)"] {
        let p = made(loss, 4);
        let said: Vec<&str> = p.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(said, ["4 microbatches do not add up to one batch"], "{loss}");
        assert!(p.diagnostics[0].help.iter().any(|h| h.contains("`count: f32`")), "{loss}");
        assert_eq!(p.diagnostics[0].secondary.len(), 1, "{loss}");
    }
}

/// Random numbers differ from microbatch to microbatch, and do not couple rows.
#[test]
fn every_microbatch_draws_its_own() {
    let p = made("mean(y * random_uniform(y))", 4);
    assert!(p.diagnostics.is_empty(), "{:?}", p.diagnostics);
    let f = &p.entries[0].global;
    let step = f.inputs.iter().position(|p| p.name == "step").expect("the counter");
    let step = f.body().args[step];
    let repeat = f.ops.iter().find(|o| matches!(o.op, Op::Repeat { trip: 4, .. })).expect("the loop");
    assert!(!repeat.operands.contains(&step), "all microbatches would draw the same");
}

#[test]
fn batches_must_divide() {
    let error = |text: &str| match check("m.loom", text, &CompileOptions::default()) {
        Err((Failure::Rejected(d), _)) => d.into_iter().map(|d| d.message).collect::<Vec<_>>(),
        _ => panic!("accepted"),
    };
    assert_eq!(error(&source("mean(y)", 3)), ["a batch of 8 cannot be split into 3 microbatches"]);
    assert_eq!(error(&source("mean(y)", 0)), ["a batch has at least one microbatch"]);
    let other = source("mean(y)", 2).replace("batch", "rows");
    assert_eq!(error(&other), ["there is no dim `batch` to split into microbatches"]);
    // A function that needs the batch to be what it is.
    let fixed = source("mean(reshape(y, [8, n]))", 2);
    assert!(!error(&fixed).is_empty());
}

/// A step by 2, 3 or 6 microbatches is the step of the batch: loss, metrics, norm of the gradients and next parameters.
#[test]
fn quotients_are_those_of_the_batch() {
    let losses = [
        "sum(e * keep) / sum(keep)",
        "sum(e * keep) / maximum(sum(keep), 1) + 0.1 * mean(e)",
        "sum(e) / sum(step_of(y)) + sum(m.w * m.w)",
        "mean(e * keep) / mean(keep) + sum(e * y) / sum(y * y)",
    ];
    for (seed, loss) in losses.iter().enumerate() {
        let of = |accumulate: u64| {
            let text = format!(
                "dim batch = 6, n = 3\nstruct Net {{ w: f32[n] = normal(0.1) }}\n\
                 fn step_of(x: f32[..]) -> f32[..] {{ maximum(x, 0.5) }}\n\
                 fn loss(m: Net, x: f32[batch, n], y: f32[batch], keep: f32[batch]) -> f32 {{\n    \
                 let e = dot(x, m.w) - y\n    let e = e * e\n    metric(\"kept\", sum(keep))\n    \
                 metric(\"share\", sum(keep * y) / sum(keep))\n    {loss}\n}}\n\
                 train net = sgd(loss, lr: 0.1, accumulate: {accumulate})\n"
            );
            let mut options = CompileOptions::default();
            options.front.float = Some(DType::F64);
            let p = check("m.loom", &text, &options).unwrap_or_else(|(f, _)| panic!("{loss}: {f}"));
            assert!(p.diagnostics.is_empty(), "{loss}: {:?}", p.diagnostics);
            let f = &p.entries[0].global;
            let out = eval(f, &crate::held_out::first(f, seed as u64)).unwrap();
            f.outputs.iter().zip(&out).map(|(p, t)| (p.name.clone(), t.f(0), t.f(t.len() - 1))).collect::<Vec<_>>()
        };
        let whole = of(1);
        assert_eq!(whole.iter().filter(|o| ["loss", "grad_norm", "kept", "share", "w"].contains(&&*o.0)).count(), 5);
        for k in [2, 3, 6] {
            for (a, b) in whole.iter().zip(of(k)) {
                let close = |x: f64, y: f64| (x - y).abs() <= 1e-12 * (1.0 + x.abs());
                assert!(a.0 == b.0 && close(a.1, b.1) && close(a.2, b.2), "{loss} in {k}: {b:?} where {a:?} is due");
            }
        }
    }
}
