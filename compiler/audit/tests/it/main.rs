//! The tests of the proof of executable programs.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

mod accepts;
mod early;
mod files;
mod kinds;
mod loops;
mod mutants;
mod offload;
mod strict;
mod support;
mod survey;
mod users;
mod variants;
