//! What a device holds for a plan: `meshloom_fusion` makes its kernels and its arena.

use crate::cost::Target;
use meshloom_fusion::{FusionError, Peak, peak};
use meshloom_ir::Func;
use std::cell::RefCell;
use std::collections::VecDeque;

/// What a device holds, or why the target cannot run the plan.
pub type Held = Result<Peak, FusionError>;

/// Bytes that a device holds. What the target cannot run holds none: its plan says why, and so does whoever has a budget.
pub fn bytes(held: &Held) -> u64 {
    held.as_ref().map_or(0, |p| p.total)
}

/// Programs whose memory is remembered.
const REMEMBERED: usize = 64;

/// What a device holds for local programs. Searches under different rents come to the same program, so the last ones are
/// remembered.
#[derive(Default)]
pub struct PeakMemo {
    known: RefCell<VecDeque<(Func, Held)>>,
}

impl PeakMemo {
    pub fn of(&self, local: &Func, target: &Target) -> Held {
        let mut known = self.known.borrow_mut();
        if let Some((_, held)) = known.iter().rev().find(|(f, _)| f == local) {
            return held.clone();
        }
        let held = peak(local, target.runs());
        if known.len() == REMEMBERED {
            known.pop_front();
        }
        known.push_back((local.clone(), held.clone()));
        held
    }
}
