//! A cut that was found, which stage has a layer, and the cuts that lie next to it.

use super::price::StageCost;
use meshloom_pipeline::Fraction;

/// Layers by stage, and what is predicted of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Cut {
    pub list: String,
    /// How many layers each stage has.
    pub sizes: Vec<u64>,
    /// For each stage, the rank that has it; two where microbatches go two ways.
    pub ranks_of: Vec<Vec<usize>>,
    pub stages: Vec<StageCost>,
    /// For each rank, the bytes that one of its devices holds, with the activations in flight.
    pub memory: Vec<u64>,
    /// A message with the activations or gradients of a microbatch, in picoseconds.
    pub send_ps: u64,
    pub step: PredictedStep,
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundaryMove {
    /// The stage that begins at the boundary.
    pub stage: usize,
    /// It begins a layer later, and so has one less; else it begins earlier.
    pub later: bool,
    /// The layers of all stages then.
    pub sizes: Vec<u64>,
}

impl Cut {
    /// The first layer of a stage.
    pub fn begin(&self, stage: usize) -> u64 {
        self.sizes.iter().take(stage).sum()
    }

    /// The stage that has a layer; `None` where there is no such layer.
    pub fn stage_of(&self, layer: u64) -> Option<usize> {
        (0..self.sizes.len()).find(|s| layer < self.begin(s + 1))
    }

    /// The stage that takes longest for a microbatch, the first of those that take as long.
    pub fn slowest(&self) -> Option<usize> {
        (0..self.stages.len()).rev().max_by_key(|s| self.stages[*s].microbatch())
    }

    /// The cuts in which a boundary of a stage is moved by a layer, and each stage keeps one.
    pub(super) fn neighbours(&self, stage: usize) -> Vec<BoundaryMove> {
        let own = [stage, stage + 1].into_iter().filter(|b| (1..self.sizes.len()).contains(b));
        let moves = own.flat_map(|b| [(b, false), (b, true)]).filter_map(|(boundary, later)| {
            let (from, to) = if later { (boundary, boundary - 1) } else { (boundary - 1, boundary) };
            let mut sizes = self.sizes.clone();
            sizes[from] = sizes[from].checked_sub(1).filter(|n| *n > 0)?;
            sizes[to] += 1;
            Some(BoundaryMove { stage: boundary, later, sizes })
        });
        moves.collect()
    }
}
