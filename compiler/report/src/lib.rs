//! What a person, or a program, reads of a plan.
//!
//! [`PlanReport`] is the data, and its serde form is `plan --json` (documented in docs/plan-json.md, schema 1: all keys
//! always present, unknown numbers null). [`text`] is the table that `plan` prints. [`from_plan`] fills the data from the
//! planner's result; places in the source come through a function, so nothing here knows files.
//!
//! Not here: colours and terminals (the command line's), traces and graphs (later).

pub mod diff;
pub mod explain;
mod from_local;
mod from_plan;
pub mod human;
pub mod inspect;
mod model;
mod table;
mod text;

pub use from_local::from_local;
pub use from_plan::{Context, from_plan, tensor};
pub use model::{
    AskedReport, AxisSize, CertificateReport, CollectiveReport, ExpandedReport, Iterations, MeshReport, Origin,
    PartialAxis, PlanReport, SCHEMA, Source, StashReport, TensorReport, TotalsReport,
};
pub use text::{Memory, Shown, Time, snippet, text};
