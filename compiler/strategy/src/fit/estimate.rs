//! What a device holds under a change: the program is made as it would then be, and planned with little effort.
//!
//! Not here: which changes are asked about ([`super::possible`]).

use super::change::Change;
use crate::compiler::Compiler;
use crate::cut_plan::MeasuredCuts;
use crate::entry::Elaborated;
use crate::entry_plan::{EntryRefused, ForStages, parts, planned};
use meshloom_plan::{self as planner, Limits, Parts, PlanOptions};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// What a device holds, in bytes, and whether there is that much.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Need {
    pub bytes: u64,
    pub fits: bool,
}

/// What is asked about a change, often side by side.
pub trait Asking: Sync {
    /// About how little a device holds; `None` where the program cannot be planned so.
    fn estimated(&self, change: &Change) -> Option<u64>;

    /// Bytes of the inputs, which every plan has and which are known without one; `None` if they are not known.
    fn inputs(&self, change: &Change) -> Option<u64>;
}

/// What changes are asked about: an entry of a program.
pub struct Changed<'a> {
    by: &'a dyn Compiler,
    name: &'a str,
    /// Bytes that a device may hold.
    budget: u64,
    /// The last entries that were made: most changes are asked about twice.
    last: Mutex<VecDeque<(String, Arc<Elaborated>)>>,
}

/// Changes whose entries are kept: there are not more workers that ask.
const LAST: usize = 8;

impl<'a> Changed<'a> {
    pub fn new(by: &'a dyn Compiler, entry: &'a Elaborated, budget: u64) -> Changed<'a> {
        Changed { by, name: &entry.name, budget, last: Mutex::default() }
    }

    /// The entry under a change; `None` where the program has errors then.
    fn under(&self, change: &Change) -> Option<Arc<Elaborated>> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = last().iter().find(|(shown, _)| shown == change.shown()) {
            return Some(known.clone());
        }
        let mut settings = change.settings.clone();
        settings.front.entry = Some(self.name.to_owned());
        let made = self.by.entries(&settings).ok()?.into_iter().find(|e| e.name == self.name)?;
        let made = Arc::new(made);
        let mut last = last();
        if last.len() == LAST {
            last.pop_front();
        }
        last.push_back((change.shown().to_owned(), made.clone()));
        Some(made)
    }

    /// What a device holds for a plan under a change; `None` where the program cannot be planned then.
    pub fn need(&self, change: &Change) -> Option<Need> {
        let entry = self.under(change)?;
        // It is about memory: how fast a plan is that fits does not matter.
        let limits = Limits { programs: 0, segments: 0, ..Limits::BRIEF };
        let options = PlanOptions { limits, ..entry.plan_options(&change.settings.plan) };
        let stages = ForStages { mix: None, cuts: &MeasuredCuts::default(), written: false };
        match planned(&entry, &options, stages) {
            Ok((_, Some(ranks))) => ranks.device_bytes().ok().map(|bytes| Need { bytes, fits: true }),
            Ok((plan, None)) => plan.memory.ok().map(|p| Need { bytes: p.total, fits: true }),
            Err(EntryRefused::TooLarge { needs, .. }) => Some(Need { bytes: needs, fits: false }),
            Err(EntryRefused::Layouts(_) | EntryRefused::Target(_) | EntryRefused::Said(_)) => None,
        }
    }
}

impl Asking for Changed<'_> {
    fn estimated(&self, change: &Change) -> Option<u64> {
        let entry = self.under(change)?;
        let options = PlanOptions { budget: Some(self.budget), ..entry.plan_options(&change.settings.plan) };
        let cuts = MeasuredCuts::default();
        let parts = entry.pipeline.as_ref().map(|of| parts(&entry.global, of, &options, &cuts));
        planner::least_memory(&entry.global, &options, parts.as_ref().map(|p| p as &dyn Parts))
    }

    fn inputs(&self, change: &Change) -> Option<u64> {
        let entry = self.under(change).filter(|e| e.pipeline.is_none())?;
        planner::inputs_at_least(&entry.global, &entry.plan_options(&change.settings.plan))
    }
}
