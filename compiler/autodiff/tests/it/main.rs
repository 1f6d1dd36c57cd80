//! The tests of this crate, one program: a file is a module.

mod common;
mod gradients;
mod oracles;
mod precision;
mod structure;
mod update;
mod wide;
