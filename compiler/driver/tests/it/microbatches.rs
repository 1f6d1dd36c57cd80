//! What `accumulate` takes and refuses, and what a microbatch counts for.

use meshloom_driver::{CompileOptions, Failure, Program, check};
use meshloom_ir::Op;

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
    ] {
        let p = made(loss, 4);
        assert!(p.diagnostics.is_empty(), "{loss}: {:?}", p.diagnostics);
        assert_eq!(weight(&p), Some(wanted), "{loss}");
    }
}

/// What mixes rows of the batch is said, at its place.
#[test]
fn coupled_rows_are_reported() {
    for loss in
        ["sum(sum(y, 1) * keep) / sum(keep)", "max(y)", "mean(y) * mean(y)", "mean(y * y) + sum(m.w * m.w) * sum(y)"]
    {
        let p = made(loss, 4);
        let said: Vec<&str> = p.diagnostics.iter().map(|d| d.message.as_str()).collect();
        assert_eq!(said, ["4 microbatches do not add up to one batch"], "{loss}");
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
