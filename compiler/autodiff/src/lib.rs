//! From a loss to a train step: reverse-mode gradients as IR, and the optimizer's update.
//!
//! Why it looks like this: rules of ops stand in the op table, one per op; what is here is what a rule cannot know.
//! [`reverse`] sums cotangents and turns a repeat into a reverse repeat, [`stash`] decides what the forward loop keeps for
//! it, [`attention`] and [`composite`] treat ops with a kernel of their own, [`optimizer`] puts the
//! updates of a `TrainSpec` in place, [`simplify`] and [`prune()`] clear away what all of them leave unused, and [`wide`] gives the
//! backward loops the ports that recomputation would read through. [`accumulate`] puts loss and gradients into a loop over
//! microbatches; [`scaling`] keeps gradients within 16 bits.
//!
//! Not here: layouts (backward values get theirs from the planner; only a written constraint is repeated on the
//! cotangent), recomputation as a choice by cost (the planner's, through those ports).

mod accumulate;
mod attention;
mod composite;
mod eight;
mod error;
mod facts;
mod optimizer;
mod precision;
mod reverse;
mod scaling;
mod simplify;
mod stash;
mod train;
mod value;
mod weight;
mod wide;

pub use accumulate::Microbatch;
pub use error::Error;
pub use meshloom_ir::prune::prune;
pub use simplify::simplify;
pub use train::{Options, gradients, train_step};
pub use weight::{Coupled, weight};
pub use wide::widen;
