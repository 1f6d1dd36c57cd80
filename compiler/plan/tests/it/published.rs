//! The cost model against throughputs that others measured and published: Megatron-LM on A100 (arXiv 2104.04473, table 1).

use crate::support::*;
use meshloom_ir::Func;
use meshloom_plan::cost::Target;
use meshloom_plan::{PlanOptions, Totals};

const CSV: &str = include_str!("../../../../tests/data/oracles/megatron_a100.csv");
const MODEL: &str = include_str!("megatron.loom");
const SEQ: f64 = 2048.0;
const VOCAB: f64 = 51200.0;

struct Row {
    params: String,
    layers: u64,
    hidden: u64,
    heads: u64,
    gpus: u64,
    tp: u64,
    pp: u64,
    batch: u64,
    tflops: f64,
}

fn rows() -> Vec<Row> {
    let lines = CSV.lines().filter(|l| !l.starts_with('#')).skip(1);
    let row = |line: &str| {
        let f: Vec<&str> = line.split(',').collect();
        let n = |i: usize| f[i].parse::<u64>().expect("a number");
        Row {
            params: f[0].into(),
            layers: n(1),
            hidden: n(2),
            heads: n(3),
            gpus: n(4),
            tp: n(5),
            pp: n(6),
            batch: n(7),
            tflops: f[8].parse().expect("a number"),
        }
    };
    lines.map(row).collect()
}

impl Row {
    fn data(&self) -> u64 {
        self.gpus / self.tp / self.pp
    }

    /// An entry of the last pipeline stage, head and all: the slowest one.
    fn stage(&self, name: &str) -> Func {
        let dims = [
            ("batch", self.batch),
            ("d", self.hidden),
            ("heads", self.heads),
            ("head", self.hidden / self.heads),
            ("layers", self.layers / self.pp),
        ];
        entry(MODEL, &[("data", self.data()), ("model", self.tp)], Some("megatron"), &dims, Some(name))
    }

    fn totals(&self, name: &str, target: &Target) -> Totals {
        planned_with(&self.stage(name), &PlanOptions { target: target.clone(), ..PlanOptions::default() }).totals
    }

    /// Operations of a step, the recomputed forward pass included, as the paper counts them.
    fn flops(&self) -> f64 {
        let (b, l, h) = (self.batch as f64, self.layers as f64, self.hidden as f64);
        96.0 * b * SEQ * l * h * h * (1.0 + SEQ / (6.0 * h) + VOCAB / (16.0 * l * h))
    }

    /// Seconds of a published step.
    fn published(&self) -> f64 {
        self.flops() / (self.gpus as f64 * self.tflops * 1e12)
    }

    /// Time that a pipeline of microbatches of one sequence stands idle, without interleaving, as a part of the rest.
    fn bubble(&self) -> f64 {
        (self.pp - 1) as f64 / (self.batch / self.data()) as f64
    }
}

/// The planner has no pipelines yet, so rows with stages are predicted from one stage and the bubble's formula; the sends
/// between stages are left out. The published runs compute the layers once more in the backward pass, and so does the
/// prediction.
#[test]
fn megatron_on_a100() {
    let target = Target::builtin("a100-80g").expect("it is built in");
    let mut ratios = Vec::new();
    for row in rows() {
        let (step, rematerialized) = (row.totals("gpt", &target), row.totals("layers_of", &target));
        let flops = (step.flops_per_device + rematerialized.flops_per_device) as f64 * row.gpus as f64;
        let seconds = (step.predicted_step_us + rematerialized.predicted_step_us) / 1e6 * (1.0 + row.bubble());
        let ratio = seconds / row.published();
        println!(
            "{:>6}B  predicted {seconds:6.2} s, published {:6.2} s, ratio {ratio:.2}; operations {:.2} of the paper's",
            row.params,
            row.published(),
            flops / row.flops()
        );
        for (what, t) in [("step", &step), ("recomputed", &rematerialized)] {
            let [compute, communication, hidden] = [t.compute_us, t.communication_us, t.hidden_us].map(|us| us / 1e6);
            println!("  {what}: compute {compute:.2}, communication {communication:.2}, hidden {hidden:.2}");
        }
        assert!((0.95..1.25).contains(&(flops / row.flops())), "the model is the paper's");
        ratios.push(ratio);
    }
    assert!(ratios.iter().all(|r| (0.85..1.2).contains(r)), "{ratios:?}");
}
