//! The tests of this crate, one program: a file is a module. They prove all the time, so they have the allocator of the command.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod control;
mod emit;
mod forms;
mod import;
mod moves;
mod ops;
mod reduce;
mod roll;
mod rolled;
mod shardings;
mod wellformed;
mod windows;
