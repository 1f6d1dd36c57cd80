//! Loops in segments as machine code: a plan that cuts a loop to fit its budget is scheduled, compiled and run on CPU devices,
//! where it trains as the plan that keeps everything does and allocates what was predicted.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_bundle::{Bundle, Role};
use meshloom_driver::{CompileOptions, Program, Scheduled, report};
use meshloom_plan::{Mode, Recompute};
use meshloom_runtime::{Session, SessionOptions};

const LAYERS: u64 = 6;

/// A block of few stashes in f64: its norm, its hidden layer before and after gelu.
const BLOCKS: &str = "
mesh [data: 1]
dim batch = 64, d = 32, hidden = 128
const layers = 6
struct Block { g: f64[d] = ones, up: f64[d, hidden] = normal(0.02), down: f64[hidden, d] = normal(0.02) }
struct Net { blocks: [Block; layers] }
fn loss(m: Net, x: f64[batch, d], y: f64[batch, d]) -> f64 {
    for p in m.blocks { x = x + dot(gelu(dot(normalize(x) * p.g, p.up)), p.down) }
    mse(x, y)
}
train net = adam(loss, lr: 0.01)
";

const GPT: &str = include_str!("../../../../examples/gpt_tiny.loom");

/// Tensors by name.
type Values = Vec<(String, Vec<f64>)>;

struct Case {
    text: String,
    dims: Sizes<'static>,
    data: Vec<String>,
    mesh: Sizes<'static>,
    /// Largest relative difference between the losses of two plans, and between a parameter's.
    tolerance: f64,
}

impl Case {
    fn blocks(mesh: Sizes<'static>) -> Case {
        let data = ["x", "y"].map(|n| format!("{n}=det:uniform:{n}:1")).into();
        Case { text: BLOCKS.into(), dims: &[], data, mesh, tolerance: 1e-11 }
    }

    fn gpt(mesh: Sizes<'static>) -> Case {
        let data = ["tokens=det:tokens:gpt/tokens:16:17:0", "targets=det:tokens:gpt/tokens:16:17:1"];
        let dims: Sizes<'static> = &[("batch", 8), ("seq", 16), ("vocab", 16), ("layers", LAYERS)];
        Case { text: GPT.into(), dims, data: data.map(String::from).into(), mesh, tolerance: 2e-5 }
    }

    fn program(&self, recompute: Recompute, budget: Option<u64>) -> Program<Scheduled> {
        let mut o = CompileOptions::default();
        o.front.mesh = Some(sizes(self.mesh));
        o.front.dims = sizes(self.dims);
        (o.plan.mode, o.plan.recompute, o.plan.budget) = (Mode::Search, recompute, budget);
        compiled("model.loom", &self.text, &o)
    }

    /// Bytes that one device allocates, the losses of a few steps, and all parameters after them.
    fn trained(&self, bundle: &Bundle, entry: &str) -> (u64, Vec<f64>, Values) {
        // One worker for each device at most: what workers hold is counted once for a device.
        let options = SessionOptions { threads: Some(1), ..SessionOptions::default() };
        let mut s = Session::open(bundle, entry, &options).unwrap_or_else(|e| panic!("{e}"));
        s.initialize().unwrap();
        for i in &self.data {
            s.input(&i.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
        }
        let losses = (0..4).map(|_| s.step().unwrap().loss.unwrap()).collect();
        let names: Vec<String> = s.ports(&[Role::Parameter]).map(|p| p.name.clone()).collect();
        let parameters = names.into_iter().map(|n| (n.clone(), s.read(&n).unwrap().to_f64().unwrap())).collect();
        let devices: u64 = self.mesh.iter().map(|m| m.1).product();
        (s.peak_bytes() / devices, losses, parameters)
    }

    /// Under each budget, in percent of what the plan that keeps everything holds; how many of them cut a loop.
    fn check(&self, percents: &[u64]) -> usize {
        let predicted = |p: &Program<Scheduled>| report::peak(&p.entries[0]).unwrap();
        let free = self.program(Recompute::None, None);
        let full = predicted(&free);
        let name = free.entries[0].name.clone();
        let (_, losses, parameters) = self.trained(&bundle(&free), &name);
        let mut cut = 0;
        for percent in percents {
            let budget = full * percent / 100;
            let p = self.program(Recompute::Auto, Some(budget));
            let plan = &p.entries[0].plan;
            let cuts: Vec<_> = plan.certificate.cuts.iter().map(|c| c.at.clone()).collect();
            cut += usize::from(!cuts.is_empty());
            let said = predicted(&p);
            let (measured, again, after) = self.trained(&bundle(&p), &name);
            println!("{:?} {percent} %: {measured} of {said} predicted, cut at {cuts:?}, {again:?}", self.mesh);
            assert!(said <= budget);
            assert!(measured <= said && measured * 10 >= said * 9, "{measured} allocated, {said} predicted");
            for (a, b) in losses.iter().zip(&again) {
                assert!((a - b).abs() <= self.tolerance * a.abs(), "{losses:?} and {again:?}");
            }
            // A key's bias adds the same to all scores of a query: its gradient is rounding, of which Adam makes whole steps.
            for ((name, a), (_, b)) in parameters.iter().zip(&after).filter(|p| !p.0.0.ends_with(".bk")) {
                let norm = a.iter().fold(1e-3f64, |n, x| n.max(x.abs()));
                let off = a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
                // Adam divides by the root of what it has seen: rounding of small gradients is a larger part of its step.
                assert!(off <= 10.0 * self.tolerance * norm, "{name}: off by {off} of {norm}");
            }
        }
        cut
    }
}

#[test]
fn in_f64() {
    assert!(Case::blocks(&[("data", 1)]).check(&[90, 80]) >= 2);
}

#[test]
fn in_f64_over_data() {
    assert!(Case::blocks(&[("data", 2)]).check(&[95, 92, 86, 82]) >= 1);
}

/// The loop over layers lies in one over microbatches.
#[test]
fn in_f64_with_accumulation() {
    let mut case = Case::blocks(&[("data", 1)]);
    case.text = BLOCKS.replace("batch = 64", "batch = 256").replace("lr: 0.01", "lr: 0.01, accumulate: 2");
    assert!(case.check(&[92, 85]) >= 1);
}

#[test]
fn gpt_in_f32() {
    assert!(Case::gpt(&[("data", 2)]).check(&[90, 80, 75, 70]) >= 1);
}
