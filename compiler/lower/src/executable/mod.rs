//! The executable program: what [`crate::arrange`] has decided, written down in the types of a bundle. Ports, instructions with
//! offsets, each distinct kernel once.
//!
//! Not here: which kernels there are, in which order they run, and where their buffers lie.

pub mod print;
pub mod program;
