//! The tests of this crate, one program: a file is a module.

mod control;
mod emit;
mod forms;
mod import;
mod ops;
mod roll;
mod shardings;
mod windows;
