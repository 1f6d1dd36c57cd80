//! The tests of this crate, one program: a file is a module.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

mod collectives;
mod common;
mod composites;
mod distribute;
mod elementwise;
mod fuzz;
mod gradients;
mod interp;
mod manual;
mod peel;
mod rules;
mod segments;
mod text;
mod unstack;
