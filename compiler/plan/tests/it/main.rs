//! The tests of this crate, one program: a file is a module. They plan all the time, so they have the allocator of the command.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

mod algebra;
mod budgets;
#[path = "../../../autodiff/tests/it/common/mod.rs"]
mod common;
mod control;
mod fits;
mod frontier;
mod layouts;
mod manual;
#[path = "../../../driver/tests/it/manual_cases.rs"]
mod manual_cases;
mod memory;
mod models;
mod programs;
mod published;
mod random;
mod recognised;
mod recompute;
mod ring;
mod rules;
mod scale;
mod search;
mod segments;
mod shifts;
mod support;
mod uneven;
mod windows;
mod written;
