//! The tests of this crate, one program: a file is a module.

mod diff;
mod inspect;
mod plan;
mod tried;
