//! What a device holds for a plan: `meshloom_fusion` makes its kernels and its arena.

use meshloom_fusion::{FusionError, Peak};

/// What a device holds, or why the target cannot run the plan.
pub type Held = Result<Peak, FusionError>;

/// Bytes that a device holds. What the target cannot run holds none: its plan says why, and so does whoever has a budget.
pub fn bytes(held: &Held) -> u64 {
    held.as_ref().map_or(0, |p| p.total)
}
