//! The tests of the proof of executable programs. They plan and prove all the time, so they have the allocator of the command.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod accepts;
mod early;
mod files;
mod kinds;
mod loops;
mod mutants;
mod offload;
mod strict;
mod support;
mod survey;
mod users;
mod variants;
