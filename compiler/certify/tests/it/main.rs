//! The tests of this crate, one program: a file is a module.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

mod accepts;
mod early;
mod forms;
mod kernels;
mod laws;
mod legal;
mod mutants;
mod numbers;
mod padding;
mod support;
