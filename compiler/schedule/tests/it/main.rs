//! The tests of this crate, one program: a file is a module.

#[path = "../../../autodiff/tests/it/common/mod.rs"]
mod common;
mod programs;
