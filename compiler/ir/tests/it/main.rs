//! The tests of this crate, one program: a file is a module.

mod collectives;
mod common;
mod composites;
mod elementwise;
mod fuzz;
mod gradients;
mod interp;
mod manual;
mod rules;
mod segments;
mod text;
