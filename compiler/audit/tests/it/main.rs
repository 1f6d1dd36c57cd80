//! The tests of the proof of executable programs.

mod accepts;
mod mutants;
mod support;
