//! Where each action of a table stands, and what it needs.

use crate::action::{ActionKind, Cell, PipelineAction};
use crate::placement::StagePlacement;

/// Rank and slot of a cell.
pub type Spot = (usize, usize);

/// The first place of each action, and the places of those that stand there again.
pub struct Index {
    stages: u32,
    microbatches: u32,
    first: Vec<Option<Spot>>,
    /// Actions of microbatches that stand a second time, with the place where they do.
    pub again: Vec<(PipelineAction, Spot)>,
}

const KINDS: [ActionKind; 8] = {
    use ActionKind::{B, F, I, RecvB, RecvF, SendB, SendF, W};
    [F, I, W, B, SendF, RecvF, SendB, RecvB]
};

impl Index {
    pub fn new(placement: &StagePlacement, rows: &[Vec<Cell>]) -> Index {
        let (stages, microbatches) = (placement.stages(), placement.microbatches());
        let room = KINDS.len() * stages as usize * microbatches as usize;
        let mut index = Index { stages, microbatches, first: vec![None; room], again: Vec::new() };
        for (rank, row) in rows.iter().enumerate() {
            for (slot, cell) in row.iter().enumerate() {
                for action in cell.actions() {
                    let Some(at) = index.place(*action) else { continue };
                    match index.first[at] {
                        None => index.first[at] = Some((rank, slot)),
                        Some(_) => index.again.push((*action, (rank, slot))),
                    }
                }
            }
        }
        index
    }

    fn place(&self, a: PipelineAction) -> Option<usize> {
        let kind = KINDS.iter().position(|k| *k == a.kind)?;
        let inside = a.stage < self.stages && a.microbatch < self.microbatches;
        let (s, m) = (a.stage as usize, a.microbatch as usize);
        inside.then(|| (kind * self.stages as usize + s) * self.microbatches as usize + m)
    }

    /// Where the action stands first.
    pub fn find(&self, action: PipelineAction) -> Option<Spot> {
        self.place(action).and_then(|at| self.first[at])
    }

    /// The action that makes the gradient by the input of `stage`: `I`, else `B`, with its place.
    pub fn backward(&self, stage: u32, microbatch: u32) -> Option<(PipelineAction, Spot)> {
        let of = |kind| PipelineAction::new(stage, kind, microbatch);
        let there = |a: PipelineAction| self.find(a).map(|spot| (a, spot));
        there(of(ActionKind::I)).or_else(|| there(of(ActionKind::B)))
    }

    /// What must be over before `action` starts: the actions that make its operands, where the table has them.
    pub fn inputs(&self, action: PipelineAction) -> Vec<(PipelineAction, Spot)> {
        let PipelineAction { stage, microbatch, .. } = action;
        let forward = |stage| {
            let a = PipelineAction::new(stage, ActionKind::F, microbatch);
            self.find(a).map(|spot| (a, spot))
        };
        match action.kind {
            ActionKind::F => stage.checked_sub(1).and_then(forward).into_iter().collect(),
            ActionKind::I | ActionKind::B => {
                forward(stage).into_iter().chain(self.backward(stage + 1, microbatch)).collect()
            }
            ActionKind::W => self.backward(stage, microbatch).into_iter().collect(),
            ActionKind::SendF => forward(stage).into_iter().collect(),
            ActionKind::SendB => self.backward(stage, microbatch).into_iter().collect(),
            _ => Vec::new(),
        }
    }
}
