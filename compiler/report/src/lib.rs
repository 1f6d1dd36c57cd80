//! What `plan`, `sweep`, `explain`, `inspect` and `diff` print.
//!
//! [`PlanReport`] is the data of a plan. Its serde form is `plan --json` (docs/plan-json.md; schema 1: all keys always
//! present, unknown numbers null). [`text`] is the table that `plan` prints. [`from_plan`] fills the data from the
//! planner's result, and [`page`] shows it as a page of HTML. A function resolves places in the source, so nothing here knows files.
//!
//! Not here: colours and terminals (the command line), timelines of what ran (`runtime::trace`).

pub mod design;
mod devices;
pub mod diff;
pub mod explain;
mod from_local;
mod from_plan;
pub mod human;
pub mod inspect;
pub mod layer;
mod model;
pub mod page;
mod pipeline;
mod roofline;
mod sweep;
mod table;
mod text;
pub mod tried;
mod what_if;

pub use devices::{DeviceChoice, DevicePlan, DeviceTry, DevicesReport, LevelBytes};
pub use diff::show_layout;
pub use from_local::from_local;
pub use from_plan::{ReportContext, from_plan, mesh, number, part_name, tensor};
pub use model::{
    AskedReport, AxisSize, CertificateReport, CollectiveReport, EndReport, ExpandedReport, GatherReport, Iterations,
    LevelReport, MeshReport, PartialAxis, PipelineReport, PlanReport, ProfileReport, RankReport, ReadReport, SCHEMA,
    SourceOrigin, SourcePlace, StageReport, StashReport, TensorReport, TotalsReport, with_band,
};
pub use roofline::{RooflineReport, RooflineRow};
pub use sweep::{Strategy, SweepReport};
pub use text::{Memory, Shown, Time, snippet, text};
pub use tried::{MoveReport, TriedReport};
pub use what_if::{WhatIfReport, WhatIfRow};
