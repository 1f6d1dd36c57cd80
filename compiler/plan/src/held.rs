//! What a device holds for a plan: `meshloom_fusion` makes its kernels and its arena. Of a program that is to be cut into
//! pipeline stages a device runs a part, so whoever cuts it measures it.

use crate::cost::Target;
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

/// What the device that holds most holds for a local program.
pub type Measure<'m> = dyn Fn(&Func) -> Held + 'm;

/// Programs whose memory is remembered.
const REMEMBERED: usize = 64;

/// What a device holds for local programs. Searches under different rents come to the same program, so the last ones are
/// remembered; their kernels only as long as a decision keeps them.
#[derive(Default)]
pub struct PeakMemo<'m> {
    known: RefCell<VecDeque<Remembered>>,
    measure: Option<&'m Measure<'m>>,
}

struct Remembered {
    local: Arc<Func>,
    held: Held,
    arranged: Weak<Arranged>,
}

impl<'m> PeakMemo<'m> {
    /// Where devices do not run the local programs as they are, `measure` says what they hold.
    pub fn new(measure: Option<&'m Measure<'m>>) -> PeakMemo<'m> {
        PeakMemo { measure, ..PeakMemo::default() }
    }

    /// Whether devices run the local programs as they are.
    pub fn is_of_programs(&self) -> bool {
        self.measure.is_none()
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
        Some(Measured { held: known.held.clone(), arranged: known.arranged.upgrade() })
    }

    fn note(&self, local: Arc<Func>, target: &Target) -> Measured {
        let (held, arranged) = match self.measure {
            Some(measure) => (measure(&local), None),
            None => match arrange(&local, target.runs()) {
                Ok(made) => (Ok(made.peak()), Some(Arc::new(made))),
                Err(e) => (Err(e), None),
            },
        };
        let mut known = self.known.borrow_mut();
        if known.len() == REMEMBERED {
            known.pop_front();
        }
        let kept = arranged.as_ref().map_or_else(Weak::new, Arc::downgrade);
        known.push_back(Remembered { local, held: held.clone(), arranged: kept });
        Measured { held, arranged }
    }
}
