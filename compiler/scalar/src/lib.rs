//! What all crates call the same: element types.
//!
//! The IR, kernels, bundles and the runtime have them in common, so that no type is named twice and nothing converts from one
//! name to another. Where fewer are allowed, the crate that allows fewer says so.
//!
//! Not here: tensors, values, arithmetic, formats of files.

mod dtype;

pub use dtype::DType;
