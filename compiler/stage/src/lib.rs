//! Pipeline stages: a certified local program is cut at boundaries of its layers, and each piece becomes the program of a stage.
//!
//! [`cut`] makes a *staged program* of a local program. It is a local program again, and computes the same: the loops over layers
//! are cut at the boundaries, stacks of layers are taken apart, and the loop over microbatches is distributed over *actions*,
//! a forward and a backward action (or input gradients and weight gradients) for each stage. Each op has a stage.
//! [`project`] takes out the program of one rank, which has one or more stages: what other ranks compute is an input that is
//! received, and what other ranks need is an output that is sent.
//!
//! A schedule then says in which order a stage runs the iterations of its loops; any order is right in which a stack is written
//! before it is read.
//!
//! Not here: which boundaries are good, and schedules (`pipeline`); what a stage's program looks like in memory (`lower`).

mod actions;
mod apart;
mod carried;
mod cut;
mod layers;
mod once;
mod place;
mod project;
mod staged;
mod sums;

pub use actions::Kind;
pub use apart::apart;
pub use cut::{Boundaries, NotCut, cut};
pub use layers::{count as layers, microbatches};
pub use project::{Given, Link, StageProgram, Taken, project, project_some};
pub use staged::{Action, Staged};
