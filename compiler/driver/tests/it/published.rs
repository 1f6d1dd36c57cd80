//! The predicted step of pipelines against published throughput: the rows of Megatron-LM's table (arXiv 2104.04473, table 1)
//! that have stages, planned as they ran. Rows without stages are in `plan/tests/it/published.rs`; the figures of all are in
//! docs/planning.md.

use meshloom_driver::{CompileOptions, check, plan};
use meshloom_plan::cost::Target;
use meshloom_plan::{Limits, Recompute};
use meshloom_source::FrontOptions;
use meshloom_source::entry::ScheduleChoice;

const MEGATRON: &str = include_str!("../../../../tests/data/oracles/megatron_a100.csv");
const MODEL: &str = include_str!("../../../../examples/large/gpt3.loom");

/// Attention as ops of their own: there was no kernel for it yet.
const FUSED: &str = "let a = attention(q, k, v, causal: true)";
const UNFUSED: &str = include_str!("../../../../tests/data/attention_as_ops.loom.part");

/// Rows of a microbatch, and stages of each rank, by the model's size: examples/sc21/run_table_1.sh of Megatron-LM.
const RAN: [(&str, u64, u32); 3] = [("39.1", 4, 1), ("145.6", 2, 2), ("1008.0", 1, 1)];

/// Predicted over published tokens a second.
fn ratio(row: &str) -> f64 {
    let f: Vec<&str> = row.split(',').collect();
    let n = |i: usize| f[i].parse::<u64>().expect("a number");
    let (layers, hidden, heads, gpus, model, pipe, batch) = (n(1), n(2), n(3), n(4), n(5), n(6), n(7));
    let (_, rows, each) = *RAN.iter().find(|r| r.0 == f[0]).expect("what it ran with");
    let (seq, vocab, data) = (2048u64, 51200u64, gpus / (model * pipe));
    let dims = [
        ("batch", batch),
        ("seq", seq),
        ("embed", hidden),
        ("heads", heads),
        ("head", hidden / heads),
        ("vocab", vocab),
        ("layers", layers),
        ("microbatches", batch / (data * rows)),
    ];
    let pair = |(a, b): (&str, u64)| (a.to_owned(), b);
    let text = MODEL.replace(FUSED, UNFUSED).replace("[Block; layers]", "[Block; layers] @ pipe");
    let text = text.replace("mesh [replica", "mesh [pipe: 1, replica");
    let schedule = if each > 1 { "interleaved" } else { "1f1b" };
    let front = FrontOptions {
        mesh: Some([("pipe", pipe), ("replica", 1), ("data", data), ("model", model)].map(pair).to_vec()),
        layout: Some("megatron".into()),
        dims: dims.map(pair).to_vec(),
        schedule: Some(ScheduleChoice::Named { name: schedule.into(), virtual_stages: (each > 1).then_some(each) }),
        ..FrontOptions::default()
    };
    let mut options = CompileOptions { front, ..CompileOptions::default() };
    options.plan.target = Target::builtin("a100-80g").expect("a target");
    options.plan.mode = meshloom_plan::Mode::Search;
    options.plan.recompute_all = Some(Recompute::Full);
    // What is recomputed is as published, whether or not it fits.
    options.plan.budget = Some(1 << 50);
    options.plan.disabled_rules = std::iter::once("attention".to_owned()).collect();
    options.plan.limits =
        Limits { moves: Limits::default().moves / 100, perturbations: 20, programs: 40, ..Limits::default() };
    let program = check("gpt3.loom", &text, &options).and_then(|p| plan(p, &options));
    let program = program.unwrap_or_else(|(e, _)| panic!("{}b: {e}", f[0]));
    let ranks = program.entries[0].ranks.as_ref().expect("stages");
    let cut = ranks.cut.as_ref().expect("a prediction");
    let (b, l, h, s, v) = (batch as f64, layers as f64, hidden as f64, seq as f64, vocab as f64);
    // Operations of a step as the paper counts them, the recomputed forward pass included.
    let flops = 96.0 * b * s * l * h * h * (1.0 + s / (6.0 * h) + v / (16.0 * l * h));
    let published = flops / (gpus as f64 * f[8].parse::<f64>().expect("a number") * 1e12);
    let predicted = cut.step.ps as f64 / 1e12;
    let tokens = |seconds: f64| b * s / seconds / gpus as f64;
    println!(
        "| a100-80g | Megatron {}b, {pipe} stages | {gpus} | {:.0} | {:.0} | {:.2} | holds {:.1} GB",
        f[0],
        tokens(published),
        tokens(predicted),
        published / predicted,
        cut.memory.iter().copied().max().unwrap_or(0) as f64 / 1e9
    );
    published / predicted
}

#[test]
#[ignore = "takes half a minute: plans models of up to a trillion parameters in up to 64 stages"]
fn pipelines_are_predicted_near_what_was_published() {
    let rows = MEGATRON.lines().filter(|l| !l.starts_with('#')).skip(1);
    let staged = rows.filter(|l| l.split(',').nth(6) != Some("1"));
    let ratios: Vec<f64> = staged.map(ratio).collect();
    assert!(ratios.len() == 3 && ratios.iter().all(|r| (0.8..=1.2).contains(r)), "{ratios:?}");
}
