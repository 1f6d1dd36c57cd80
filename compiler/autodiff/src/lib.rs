//! From a loss to a train step: reverse-mode gradients as IR, and the optimizer's update.
//!
//! The gradient rules of ops stand in the op table, one per op. This crate has what a rule cannot know:
//!
//! - [`reverse`] sums cotangents ([`parts`]: those of slices) and turns a repeat into a reverse repeat; [`stash`] decides what the forward loop
//!   keeps for it.
//! - [`attention`] and [`composite`] treat ops with a kernel of their own, and [`rule`] functions with a gradient rule of their
//!   own, which [`custom`] knows.
//! - [`accumulate`] puts loss and gradients into a loop over microbatches, and [`inside`] adds gradients up in the loops over
//!   layers in it. [`scaling`] keeps gradients within 16 bits.
//! - [`optimizer`] puts the updates of a `TrainSpec` in place.
//! - [`simplify`] and [`prune()`] remove what all of these leave unused. [`wide`] gives the backward loops the ports
//!   through which recomputation would read.
//!
//! Not here: layouts (backward values get theirs from the planner; only a written constraint is repeated on the
//! cotangent), and recomputation as a choice by cost (the planner's, through those ports).

mod accumulate;
mod attention;
mod composite;
pub mod custom;
mod eight;
mod error;
mod facts;
mod inside;
mod optimizer;
mod parts;
mod precision;
mod reverse;
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
pub use meshloom_ir::prune::prune;
pub use simplify::simplify;
pub use train::{TrainOptions, gradients, train_step};
pub use weight::{Coupled, weight};
pub use wide::widen;
