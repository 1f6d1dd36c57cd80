//! What all crates call the same: element types, reductions, comparisons, and roles of inputs and outputs.
//!
//! The IR, kernels, bundles and the runtime have them in common, so that no type is named twice and nothing converts from one
//! name to another. Where fewer are allowed, the crate that allows fewer says so.
//!
//! Not here: tensors, values, arithmetic, formats of files.

mod comparison;
mod dtype;
mod named;
mod reduction;
mod role;

pub use comparison::Comparison;
pub use dtype::DType;
pub use reduction::Reduction;
pub use role::Role;
