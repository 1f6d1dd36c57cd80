//! The tests of this crate, one program: a file is a module.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

mod certified;
mod damage;
mod mutants;
mod scheduled;
mod stages;
mod state;
mod tables;
