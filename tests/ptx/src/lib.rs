//! An interpreter of PTX as it stands in bundles, for tests: whether kernels compute what they should on a machine as the manual of the PTX
//! ISA describes it, and whether they rely on more than that.
//!
//! ```text
//! parse    text -> kernels with resolved registers and labels
//! operand  what instructions work on: registers, numbers, places
//! decode   instructions, once and for all; alu has what they compute
//! memory   bytes that know their values and who accessed them; clock says who knows of whose accesses
//! kernel   a kernel with its parameters and memory laid out; warp, barrier, tile and block what a launch consists of
//! machine  a launch: blocks of warps of 32 lanes, run until they wait
//! exec     one instruction of a warp; copies, stores, tensor and tensor_ops have those that work in the background or on matrices
//! tensor_memory  what a block has of it, and what works on it
//! tcgen05  the instructions of tensor memory, and what their descriptors say
//! program  the instructions of a bundle on one device
//! ```
//!
//! What is not defined ends a launch with the instruction, the thread and the reason: reads of memory or registers without a value, addresses
//! that are not aligned or lie outside, two accesses of which none is known to be before the other, generic writes that the async proxy reads
//! without a fence, results of copies and matrix products that were not waited for, and waits that never end.
//!
//! Copies in the background are done as late as anyone waits for them, and matrix products read their operands at once; what is touched in
//! between is an error. So one order of the warps is enough to find what depends on luck.
//!
//! This crate shares the reader of bundles with the compiler, and nothing else: it knows neither the kernels' specifications nor the emulator that
//! runs another form of them. What it does not know (clusters of more than two blocks, atomics) is an error with the name of the
//! instruction. Not here: how long anything takes.

pub mod alu;
mod barrier;
pub mod block;
pub mod clock;
mod copies;
pub mod decode;
mod exec;
pub mod kernel;
pub mod machine;
pub mod memory;
pub mod number;
pub mod operand;
pub mod parse;
pub mod program;
mod stores;
mod tcgen05;
mod tensor;
mod tensor_memory;
mod tensor_ops;
pub mod tile;
mod tile_store;
mod warp;
