//! The tests of this crate, one program: a file is a module.

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
