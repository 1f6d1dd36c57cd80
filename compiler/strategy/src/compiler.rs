//! What choices ask of the compiler around them. The driver answers: this crate calls no front end, checks no certificate and starts
//! no thread.

use crate::cut_plan::Ranks;
use crate::entry::Elaborated;
use crate::settings::Settings;
use meshloom_plan::Plan;
use meshloom_source::{CompileResult, Failure};
use std::sync::{Mutex, PoisonError};

/// A program's source, and the phases that make plans of it.
pub trait Compiler: Sync {
    fn source(&self) -> GivenSource<'_>;

    /// The entries of the source under these settings.
    ///
    /// # Errors
    /// Every diagnostic of the source.
    fn entries(&self, settings: &Settings) -> CompileResult<Vec<Elaborated>>;

    /// The plan of such an entry, certified. Where none fits, nothing that would help is looked for.
    ///
    /// # Errors
    /// Annotations that cannot hold, ops that the target cannot run, and mistakes of the planner.
    fn plan(&self, entry: &Elaborated, settings: &Settings) -> Result<Attempt, Failure>;

    /// Calls `work` with each number below `count`, side by side where there are threads for it.
    fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync));
}

/// The text that settings are about.
#[derive(Clone, Copy)]
pub struct GivenSource<'a> {
    pub path: &'a str,
    pub text: &'a str,
    /// It is Loom. In a StableHLO program mesh and settings are fixed.
    pub is_loom: bool,
}

/// What came of planning an entry.
pub enum Attempt {
    Planned(Box<(Plan, Option<Ranks>)>),
    /// What the smallest plan found needs on a device.
    TooLarge {
        needs: u64,
    },
}

/// What `work` makes of each of `items`, in their order.
pub fn map<T: Sync, R: Send>(by: &dyn Compiler, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let made: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::default()).collect();
    let one = |i: usize| {
        let result = work(&items[i]);
        *made[i].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
    };
    by.each(items.len(), &one);
    let made = made.into_iter().map(|m| m.into_inner().unwrap_or_else(PoisonError::into_inner));
    made.zip(items).map(|(made, item)| made.unwrap_or_else(|| work(item))).collect()
}
