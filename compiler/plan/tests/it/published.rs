//! The cost model against throughputs that others measured and published: MPT by FSDP on A100 and H100 (llm-foundry), and
//! Megatron-LM on A100 (arXiv 2104.04473, table 1), its rows without pipelines. There is one calibration for each generation:
//! the built-in a100-80g, and for H100 a target of its own, since the built-in one goes by what Meshloom's kernels were measured
//! to reach. The table is in docs/planning.md.

use crate::support::*;
use meshloom_ir::{OpId, Phase, Recompute};
use meshloom_plan::cost::{Model, Target, alone_ps};
use meshloom_plan::{Limits, Mode, PlanOptions, plan};

const MPT: &str = include_str!("../../../../tests/data/oracles/published_mpt.csv");
const MEGATRON: &str = include_str!("../../../../tests/data/oracles/megatron_a100.csv");
const MODEL: &str = include_str!("../../../../examples/large/gpt3.loom");

/// The residual stream is split along the batch alone, as it was in the published runs: left open, a plan may move activations
/// where weights were gathered, and be faster than what was measured.
const OPEN: &str = "else { x }";
const PINNED: &str = "else { x @ [(replica, data), _, _] }";

const FUSED: &str = "let a = attention(q, k, v, causal: true)";
/// H100 as the published runs used it.
const H100: &str = include_str!("../../../../tests/data/targets/h100-published.toml");

const UNFUSED: &str = include_str!("../../../../tests/data/attention_as_ops.loom.part");

struct Row {
    name: String,
    target: String,
    /// Attention as ops of their own, as before there were kernels for it.
    unfused: bool,
    /// Devices, and of these in a group of Megatron's.
    gpus: u64,
    model: u64,
    layout: &'static str,
    hidden: u64,
    heads: u64,
    layers: u64,
    vocab: u64,
    seq: u64,
    /// Sequences of a step.
    batch: u64,
    accumulate: u64,
    recompute: bool,
    /// Tokens a second and device.
    published: f64,
}

fn fields(csv: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    csv.lines().filter(|l| !l.starts_with('#')).skip(1).map(|l| l.split(',').collect())
}

fn rows() -> Vec<Row> {
    let n = |text: &str| text.parse::<u64>().expect("a number");
    let mpt = fields(MPT).map(|f| Row {
        name: format!("{} {}", f[0], f[1]),
        target: f[0].into(),
        unfused: false,
        gpus: n(f[7]),
        model: 1,
        layout: "fsdp",
        hidden: n(f[2]),
        heads: n(f[3]),
        layers: n(f[4]),
        vocab: n(f[5]),
        seq: n(f[6]),
        batch: n(f[7]) * n(f[8]) * n(f[9]),
        accumulate: n(f[9]),
        recompute: f[10] == "1",
        published: f[11].parse().expect("a number"),
    });
    let megatron = fields(MEGATRON).filter(|f| f[6] == "1").map(|f| {
        let (layers, hidden, gpus, batch) = (n(f[1]), n(f[2]), n(f[4]), n(f[7]));
        let (seq, vocab) = (2048, 51200);
        let (b, l, h, s, v) = (batch as f64, layers as f64, hidden as f64, seq as f64, vocab as f64);
        // Operations of a step as the paper counts them, the recomputed forward pass included.
        let flops = 96.0 * b * s * l * h * h * (1.0 + s / (6.0 * h) + v / (16.0 * l * h));
        let seconds = flops / (gpus as f64 * f[8].parse::<f64>().expect("a number") * 1e12);
        Row {
            name: format!("a100-80g Megatron-{}b", f[0]),
            target: "a100-80g".into(),
            unfused: true,
            gpus,
            model: n(f[5]),
            layout: if f[5] == "1" { "dp" } else { "megatron" },
            hidden,
            heads: n(f[3]),
            layers,
            vocab,
            seq,
            batch,
            accumulate: 4,
            recompute: true,
            published: b * s / seconds / gpus as f64,
        }
    });
    mpt.chain(megatron).collect()
}

/// The target of the published runs.
fn target(name: &str) -> Target {
    match name {
        "h100-sxm" => Target::parse(name, H100).unwrap_or_else(|e| panic!("{e}")),
        name => Target::builtin(name).expect("it is built in"),
    }
}

impl Row {
    /// Predicted tokens a second and device, of the plan with the published layout.
    fn predicted(&self) -> f64 {
        let dims = [
            ("batch", self.batch),
            ("seq", self.seq),
            ("embed", self.hidden),
            ("heads", self.heads),
            ("head", self.hidden / self.heads),
            ("hidden", 4 * self.hidden),
            ("vocab", self.vocab),
            ("layers", self.layers),
            ("microbatches", self.accumulate),
        ];
        let mesh = [("replica", 1), ("data", self.gpus / self.model), ("model", self.model)];
        let pinned = MODEL.replace(OPEN, PINNED);
        assert_ne!(pinned, MODEL);
        let model = if self.unfused { pinned.replace(FUSED, UNFUSED) } else { pinned.clone() };
        assert_eq!(self.unfused, model != pinned);
        let mut func = program_with(&model, &mesh, Some(self.layout), &dims);
        meshloom_autodiff::widen(&mut func);
        let options = PlanOptions {
            target: target(&self.target),
            mode: Mode::Search,
            recompute_all: Some(if self.recompute { Recompute::Full } else { Recompute::None }),
            // What is recomputed is as published, whether or not it fits.
            budget: Some(1 << 50),
            disabled_rules: self.unfused.then(|| "attention".to_string()).into_iter().collect(),
            // The layout says most; a search of a part of the usual length finds the rest.
            limits: Limits { moves: Limits::default().moves / 100, perturbations: 20, ..Limits::default() },
            ..PlanOptions::default()
        };
        let t = plan(&func, &options).unwrap_or_else(|e| panic!("{}: {e:?}", self.name)).totals;
        let least = t.lower_bound_us.unwrap_or(0.0).max(t.compute_us);
        assert!(t.predicted_step_us >= least, "{}: {} us, at least {least}", self.name, t.predicted_step_us);
        (self.batch * self.seq) as f64 / (t.predicted_step_us / 1e6) / self.gpus as f64
    }
}

#[test]
fn predictions_are_near_what_was_published() {
    let ratios: Vec<f64> = rows()
        .iter()
        .map(|row| {
            let (predicted, published) = (row.predicted(), row.published);
            println!("| {} | {published:.0} | {predicted:.0} | {:.2} |", row.name, predicted / published);
            predicted / published
        })
        .collect();
    let within = |part: f64| ratios.iter().filter(|r| (1.0 - part..=1.0 + part).contains(*r)).count();
    assert!(within(0.15) * 10 >= ratios.len() * 8, "{} of {} within 15 %", within(0.15), ratios.len());
    assert_eq!(within(0.3), ratios.len(), "none is off by more than 30 %");
}

/// Seven f32 a parameter pass memory where AdamW is one kernel: parameter, gradient and two averages are read, and three
/// of them written.
#[test]
fn adamw_passes_28_bytes_a_parameter() {
    let text = "mesh [d: 1]
        dim n = 8192
        struct Model { w: f32[n] = zeros }
        fn loss(m: Model, x: f32[n]) -> f32 { sum(m.w * x) }
        train t = adamw(loss, lr: 1e-3, weight_decay: 0.1)";
    let elements = 1u64 << 30;
    let func = program_with(text, &[("d", 1)], None, &[("n", elements)]);
    let target = Target::builtin("h100-sxm").expect("it is built in");
    let options = PlanOptions { target: target.clone(), ..PlanOptions::default() };
    let local = planned_with(&func, &options).local;
    let model = Model::new(&target, &local.mesh);
    let update = |o: &&OpId| local.op(**o).phase == Phase::Update;
    let ps: u64 = local.body().ops.iter().filter(update).map(|&o| alone_ps(&model, &local, o)).sum();
    let rate = target.bandwidth as f64 * target.achievable.bandwidth as f64 / 1000.0;
    let bytes = ps as f64 / 1e12 * rate / elements as f64;
    assert!((bytes - 28.0).abs() < 2.0, "{bytes} bytes a parameter");
}
