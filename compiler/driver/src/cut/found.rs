//! A cut that was found, and why a layer is in its stage: what the stage takes beside the slowest one, and what moving its
//! boundaries would cost.

use super::price::StageCost;
use meshloom_pipeline::Fraction;
use std::fmt::Write;

/// Layers by stage, and what is predicted of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Cut {
    pub list: String,
    /// How many layers each stage has.
    pub sizes: Vec<u64>,
    /// For each stage, the rank that has it.
    pub rank_of: Vec<usize>,
    pub stages: Vec<StageCost>,
    /// For each rank, the bytes that one of its devices holds, with the activations in flight.
    pub memory: Vec<u64>,
    /// A message with the activations or gradients of a microbatch, in picoseconds.
    pub send_ps: u64,
    pub step: PredictedStep,
    /// The step of the cut with as many layers in each stage, where layers and memory allow it.
    pub even_ps: Option<u64>,
    /// What it would cost to move a boundary by a layer; empty of a cut that was given.
    pub moves: Vec<BoundaryMove>,
}

/// A step as it is predicted, in picoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PredictedStep {
    /// From the first action to the end of the last update.
    pub ps: u64,
    /// How long the rank that waits longest waits, and which share of its time that is.
    pub bubble_ps: u64,
    pub bubble_share: Fraction,
    /// All actions of one microbatch in the stage that takes longest for them.
    pub slowest_ps: u64,
}

/// A boundary that is moved by one layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoundaryMove {
    /// The stage that begins at the boundary.
    pub stage: usize,
    /// It begins a layer later, and so has one less; else it begins earlier.
    pub later: bool,
    /// The step would then take so long, in picoseconds.
    pub step_ps: u64,
    /// Whether all ranks would have room.
    pub fits: bool,
}

/// All moves of boundaries that leave each stage a layer.
pub fn moves(sizes: &[u64], step: &dyn Fn(&[u64]) -> Option<u64>, fits: &dyn Fn(&[u64]) -> bool) -> Vec<BoundaryMove> {
    let mut all = Vec::new();
    for stage in 1..sizes.len() {
        for later in [false, true] {
            let (from, to) = if later { (stage, stage - 1) } else { (stage - 1, stage) };
            let mut other = sizes.to_vec();
            if other[from] == 1 {
                continue;
            }
            other[from] -= 1;
            other[to] += 1;
            all.extend(step(&other).map(|step_ps| BoundaryMove { stage, later, step_ps, fits: fits(&other) }));
        }
    }
    all
}

impl Cut {
    /// The first layer of a stage.
    pub fn begin(&self, stage: usize) -> u64 {
        self.sizes.iter().take(stage).sum()
    }

    /// Why a layer is in its stage, in sentences; `None` where there is no such layer.
    pub fn why(&self, layer: u64) -> Option<String> {
        let stage = (0..self.sizes.len()).find(|s| layer < self.begin(s + 1))?;
        let own = self.stages.get(stage)?.microbatch();
        let slowest = (0..self.stages.len()).rev().max_by_key(|s| self.stages[*s].microbatch())?;
        let mut text = format!(
            "layer {layer} of `{}` is in stage {stage} (layers {}, on rank {}), which takes {} for a microbatch",
            self.list,
            range(self.begin(stage), self.begin(stage + 1)),
            self.rank_of.get(stage)?,
            time(own)
        );
        let most = self.stages[slowest].microbatch();
        let _ = match slowest == stage {
            true => write!(text, ", the longest of all stages."),
            false => write!(text, "; the slowest stage, {slowest}, takes {}.", time(most)),
        };
        let _ = write!(text, " The step takes {}.", time(self.step.ps));
        for m in self.moves.iter().filter(|m| m.stage == stage || m.stage == stage + 1) {
            let when = if m.later { "later" } else { "earlier" };
            let change = match m.step_ps.cmp(&self.step.ps) {
                std::cmp::Ordering::Less => format!("{} less", time(self.step.ps - m.step_ps)),
                std::cmp::Ordering::Equal => "as much".into(),
                std::cmp::Ordering::Greater => format!("{} more", time(m.step_ps - self.step.ps)),
            };
            let room = if m.fits { "" } else { ", and would not fit the memory of each rank" };
            let _ = write!(text, " If stage {} began one layer {when}, it would take {change}{room}.", m.stage);
        }
        Some(text)
    }
}

fn range(from: u64, to: u64) -> String {
    if to - from == 1 { from.to_string() } else { format!("{from} to {}", to - 1) }
}

/// `1.24 ms`
fn time(ps: u64) -> String {
    let (unit, name) = match ps {
        0..1_000_000 => (1e3, "ns"),
        1_000_000..1_000_000_000 => (1e6, "us"),
        1_000_000_000..1_000_000_000_000 => (1e9, "ms"),
        _ => (1e12, "s"),
    };
    format!("{:.2} {name}", ps as f64 / unit)
}
