//! The tests of this crate, one program: a file is a module. `kill.rs` beside this folder has a program of its own.

mod captured;
mod collectives;
mod common;
mod data;
mod devices;
mod export;
mod gpu_stages;
mod matmuls;
mod shards;
mod simulated;
mod stages;
mod train;
mod world;
