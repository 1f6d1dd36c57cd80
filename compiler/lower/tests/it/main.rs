//! The tests of this crate, one program: a file is a module.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

#[path = "../../../autodiff/tests/it/common/mod.rs"]
mod common;
mod programs;
