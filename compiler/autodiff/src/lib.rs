//! From a loss to a train step: reverse-mode gradients as IR, and the optimizer's update.
//!
//! The gradient rules of ops stand in the op table, one per op. This crate has what a rule cannot know:
//!
//! - [`reverse`] sums cotangents ([`parts`]: those of slices) and turns a repeat into a reverse repeat; [`stash`] decides what the forward loop
//!   keeps for it.
//! - [`attention`] and [`composite`] treat ops with a kernel of their own, and [`rule`] functions with a gradient rule of their
//!   own, which [`custom`] knows.
//! - [`accumulate`] puts loss and gradients into a loop over microbatches, and [`inside`] adds gradients up in the loops over
//!   layers in it. [`weight`] says how microbatches add up to a batch, and [`rows`] how values follow from those of a part of it.
//!   [`scaling`] keeps gradients within 16 bits.
//! - [`held_out`] makes a loss over several batches of the loss of one.
//! - [`optimizer`] puts the updates of a `TrainSpec` in place; [`counted`] is what schedules count by beside the step.
//! - [`simplify`] and [`prune()`] remove what all of these leave unused. [`wide`] gives the backward loops the ports
//!   through which recomputation would read.
//!
//! Not here: layouts (backward values get theirs from the planner; only a written constraint is repeated on the
//! cotangent), and recomputation as a choice by cost (the planner's, through those ports).

mod accumulate;
mod attention;
mod composite;
mod counted;
pub mod custom;
mod eight;
mod error;
mod facts;
mod held_out;
mod inside;
mod optimizer;
mod parts;
mod precision;
mod reverse;
mod rows;
mod rule;
mod scaling;
mod simplify;
mod stash;
mod train;
mod value;
mod weight;
mod wide;

pub use accumulate::Microbatch;
pub use error::AutodiffError;
pub use held_out::{HeldOut, LARGER, held_out};
pub use meshloom_ir::prune::prune;
pub use rows::Coupled;
pub use simplify::simplify;
pub use train::{TrainOptions, gradients, train_step};
pub use weight::{BatchParts, parts};
pub use wide::widen;
