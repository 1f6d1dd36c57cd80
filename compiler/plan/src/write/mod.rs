//! A decision written down as a plan, with all that a reader may ask of it: layouts of tensors, totals, stashes, what was tried.
//!
//! Not here: the local program and its certificate ([`crate::partition`]), and texts and JSON (`report`).

pub mod explain;
pub mod finish;
pub mod kept;
pub mod reads;
pub mod report;
pub mod result;
pub mod tried;
