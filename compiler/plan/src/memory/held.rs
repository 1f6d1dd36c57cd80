//! What a device holds for a plan: `meshloom_lower` makes its kernels and its arena. If a program is to be cut into
//! pipeline stages, a device runs a part of it, so the code that cuts the program measures it ([`Parts`]).

use crate::ask::parts::{MeasuredParts, Parts};
use crate::cost::Target;
use crate::effort;
use crate::memory::fingerprint::Fingerprint;
use meshloom_ir::Func;
use meshloom_lower::arrange::arrange;
use meshloom_lower::held::Fullest;
use meshloom_lower::{LowerError, Peak};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;

/// What a device holds, or why the target cannot run the plan.
pub type Held = Result<Peak, LowerError>;

/// What was measured of a program. Its kernels and their arena are not kept: they take more memory than all else about it.
#[derive(Clone)]
pub struct Measured {
    pub held: Held,
    /// `None` if the target cannot run the plan, and for a program in parts.
    pub fullest: Option<Arc<Fullest>>,
    /// See [`MeasuredParts`].
    pub step_ps: Option<u64>,
}

impl Measured {
    pub fn bytes(&self) -> u64 {
        bytes(&self.held)
    }
}

impl From<MeasuredParts> for Measured {
    fn from(MeasuredParts { held, step_ps }: MeasuredParts) -> Measured {
        Measured { held, fullest: None, step_ps }
    }
}

/// Bytes that a device holds. If the target cannot run the plan, it is 0: the plan says why, and a budget counts as not met.
pub fn bytes(held: &Held) -> u64 {
    held.as_ref().map_or(0, |p| p.total)
}

/// A program in parts that was measured during a search for a plan.
#[derive(Clone, Debug)]
pub struct MeasuredProgram {
    pub local: Arc<Func>,
    /// Bytes on the device that holds most.
    pub bytes: u64,
    /// See [`MeasuredParts`].
    pub step_ps: u64,
}

/// What a device holds for local programs. Searches under different rents and budgets come to the same programs, so what was measured
/// is remembered.
#[derive(Default)]
pub struct PeakMemo<'m> {
    known: RefCell<FxHashMap<Fingerprint, Measured>>,
    programs: RefCell<VecDeque<MeasuredProgram>>,
    parts: Option<&'m dyn Parts>,
}

impl<'m> PeakMemo<'m> {
    /// If devices run parts of the local programs, `parts` says what the devices hold.
    pub fn new(parts: Option<&'m dyn Parts>) -> PeakMemo<'m> {
        PeakMemo { parts, ..PeakMemo::default() }
    }

    /// What cuts and measures the programs, if devices run parts of them.
    pub fn parts(&self) -> Option<&'m dyn Parts> {
        self.parts
    }

    /// The last programs in parts that were measured, in the order of measuring.
    pub fn programs(&self) -> Vec<MeasuredProgram> {
        self.programs.borrow().iter().cloned().collect()
    }

    /// Measures a program, or recalls what was measured. If devices run the program itself, the names and layouts of its values make
    /// no difference.
    pub fn of(&self, local: &Func, target: &Target) -> Measured {
        let of = Fingerprint::of(local);
        if let Some(known) = self.known.borrow().get(&of) {
            return known.clone();
        }
        let measured = self.measure(local, target);
        self.known.borrow_mut().insert(of, measured.clone());
        measured
    }

    fn measure(&self, local: &Func, target: &Target) -> Measured {
        let Some(parts) = self.parts else {
            return match arrange(local, target.runs()) {
                Ok(made) => {
                    let (peak, fullest) = made.measured();
                    Measured { held: Ok(peak), fullest: Some(Arc::new(fullest)), step_ps: None }
                }
                Err(e) => Measured { held: Err(e), fullest: None, step_ps: None },
            };
        };
        let measured = Measured::from(parts.measure(local));
        if let (Ok(peak), Some(step_ps)) = (&measured.held, measured.step_ps) {
            let mut programs = self.programs.borrow_mut();
            if programs.len() == effort::PARTS_KEPT {
                programs.pop_front();
            }
            programs.push_back(MeasuredProgram { local: Arc::new(local.clone()), bytes: peak.total, step_ps });
        }
        measured
    }
}
