//! The executable's format: the program that a compile produces and the bundle (`model.loomx`) that carries it.
//!
//! The crate is pure: bytes in, values or errors out. It knows nothing of the IR, so that the runtime, which depends on it, carries no
//! compiler.

pub mod program;

pub use program::*;
