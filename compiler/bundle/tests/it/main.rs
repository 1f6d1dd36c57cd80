//! The tests of this crate, one program: a file is a module.

mod bundle;
mod stages;
