//! Programs whose parts run on different devices, as pipeline stages do: the interface of the planner to the code that cuts them.
//!
//! A program that is planned as a whole, for the devices of one part, is measured by its parts: the device that holds most has
//! to keep to the budget, and the step takes as long as the parts take beside each other. Nor do all parts have as much room: the
//! first stage of a pipeline keeps more microbatches than the last one. So the first layers may keep less than the rest.
//!
//! Not here: how a program is cut, which the planner does not know.

use meshloom_ir::Func;
use meshloom_lower::{LowerError, Peak};

/// The measurements of a local program in parts.
pub struct MeasuredParts {
    /// What the device that holds most holds, or why the target cannot run it.
    pub held: Result<Peak, LowerError>,
    /// The time of a step of all devices, in picoseconds, if it can be predicted. It does not follow from the program as a whole.
    pub step_ps: Option<u64>,
}

/// A cut of a program whose first layers keep less than the others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MixedParts {
    /// How many layers keep less.
    pub first: u64,
    /// Layers of each part.
    pub sizes: Vec<u64>,
    /// The expected time of a step, in picoseconds.
    pub step_ps: u64,
}

/// The cut that should be fastest where each device leaves so many bytes of what it has; `None` where nothing fits.
pub type Mixes<'p> = Box<dyn Fn(u64) -> Option<MixedParts> + 'p>;

/// Cuts programs into parts.
pub trait Parts {
    /// Measures a program whose layers are all alike.
    fn measure(&self, local: &Func) -> MeasuredParts;

    /// The time of a step of a program, in picoseconds, whether or not its parts have room: for programs that are only compared.
    /// `None` where it is not predicted, or where the time of the whole program says as much.
    fn step_ps(&self, local: &Func) -> Option<u64>;

    /// For each program of `rich`, which keep more than `lean`: the cuts whose first layers are as in `lean` and whose other
    /// layers are as in that program. `None` if there are none.
    fn mixes<'p>(&'p self, lean: &'p Func, rich: &[&'p Func]) -> Vec<Option<Mixes<'p>>>;

    /// Measures a program with such a cut.
    fn measure_mixed(&self, local: &Func, of: &MixedParts) -> MeasuredParts;
}
