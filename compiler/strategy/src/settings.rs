//! What a choice may set, whether the caller does or a candidate: a candidate is the caller's settings with some of them changed.
//!
//! Not here: options that change no choice, such as those for what is reported (`driver::program`).

use meshloom_plan::PlanOptions;
use meshloom_source::FrontOptions;
use meshloom_source::entry::Offload;

#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Mesh, layout block, dims, stages, and settings of a `train`.
    pub front: FrontOptions,
    /// How the planner decides, and for what target.
    pub plan: PlanOptions,
    /// What lies in the host's memory, whatever the source says.
    pub offload: Option<Offload>,
}
