//! What a planner is asked, and how it refuses: options, programs in parts, and layouts that a source writes on operands.
//!
//! Not here: anything that is decided.

pub mod error;
pub mod options;
pub mod parts;
pub mod written;
