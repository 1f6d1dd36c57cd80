//! What a device holds for a plan: `meshloom_fusion` makes its kernels and its arena. Of a program that is to be cut into
//! pipeline stages a device runs a part, so whoever cuts it measures it.

use crate::cost::Target;
use crate::parts::{MeasuredParts, Parts};
use meshloom_fusion::arrange::{Arranged, arrange};
use meshloom_fusion::{FusionError, Peak};
use meshloom_ir::Func;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, Weak};

/// What a device holds, or why the target cannot run the plan.
pub type Held = Result<Peak, FusionError>;

/// What a device holds, and the kernels over an arena that say so. Whoever schedules the plan writes them down.
#[derive(Clone)]
pub struct Measured {
    pub held: Held,
    /// `None` where the target cannot run the plan. Of a program that was measured before, also where nobody kept them.
    pub arranged: Option<Arc<Arranged>>,
    /// See [`MeasuredParts`].
    pub step_ps: Option<u64>,
}

impl Measured {
    pub fn bytes(&self) -> u64 {
        bytes(&self.held)
    }
}

/// Bytes that a device holds. What the target cannot run holds none: its plan says why, and so does whoever has a budget.
pub fn bytes(held: &Held) -> u64 {
    held.as_ref().map_or(0, |p| p.total)
}

/// Programs whose memory is remembered.
const REMEMBERED: usize = 64;

/// A program in parts that was measured while a plan was looked for.
#[derive(Clone, Debug)]
pub struct MeasuredProgram {
    pub local: Arc<Func>,
    /// Of the device that holds most.
    pub bytes: u64,
    /// See [`MeasuredParts`].
    pub step_ps: u64,
}

/// What a device holds for local programs. Searches under different rents come to the same program, so the last ones are
/// remembered; their kernels only as long as a decision keeps them.
#[derive(Default)]
pub struct PeakMemo<'m> {
    known: RefCell<VecDeque<Remembered>>,
    parts: Option<&'m dyn Parts>,
}

struct Remembered {
    local: Arc<Func>,
    held: Held,
    arranged: Weak<Arranged>,
    step_ps: Option<u64>,
}

impl<'m> PeakMemo<'m> {
    /// Where devices do not run the local programs as they are, `parts` says what they hold.
    pub fn new(parts: Option<&'m dyn Parts>) -> PeakMemo<'m> {
        PeakMemo { parts, ..PeakMemo::default() }
    }

    /// Whoever cuts the programs, where devices do not run them as they are.
    pub fn parts(&self) -> Option<&'m dyn Parts> {
        self.parts
    }

    /// The programs in parts that are remembered, in the order in which they were measured.
    pub fn programs(&self) -> Vec<MeasuredProgram> {
        let known = self.known.borrow();
        let of = |k: &Remembered| {
            let bytes = k.held.as_ref().ok()?.total;
            Some(MeasuredProgram { local: k.local.clone(), bytes, step_ps: k.step_ps? })
        };
        known.iter().filter_map(of).collect()
    }

    pub fn of(&self, local: &Func, target: &Target) -> Measured {
        self.find(local).unwrap_or_else(|| self.note(Arc::new(local.clone()), target))
    }

    /// The same of a program that is shared, not copied.
    pub fn of_shared(&self, local: &Arc<Func>, target: &Target) -> Measured {
        self.find(local).unwrap_or_else(|| self.note(local.clone(), target))
    }

    fn find(&self, local: &Func) -> Option<Measured> {
        let known = self.known.borrow();
        let known = known.iter().rev().find(|k| *k.local == *local)?;
        Some(Measured { held: known.held.clone(), arranged: known.arranged.upgrade(), step_ps: known.step_ps })
    }

    fn note(&self, local: Arc<Func>, target: &Target) -> Measured {
        let (held, arranged, step_ps) = match self.parts {
            Some(parts) => {
                let MeasuredParts { held, step_ps } = parts.measure(&local);
                (held, None, step_ps)
            }
            None => match arrange(&local, target.runs()) {
                Ok(made) => (Ok(made.peak()), Some(Arc::new(made)), None),
                Err(e) => (Err(e), None, None),
            },
        };
        let mut known = self.known.borrow_mut();
        if known.len() == REMEMBERED {
            known.pop_front();
        }
        let kept = arranged.as_ref().map_or_else(Weak::new, Arc::downgrade);
        known.push_back(Remembered { local, held: held.clone(), arranged: kept, step_ps });
        Measured { held, arranged, step_ps }
    }
}
