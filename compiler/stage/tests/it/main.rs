//! The tests of this crate, one program: a file is a module. They plan all the time, so they have the allocator of the command.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod certified;
mod damage;
mod mutants;
mod scheduled;
mod stages;
mod state;
mod tables;
