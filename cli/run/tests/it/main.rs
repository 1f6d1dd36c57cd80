//! The tests of this crate, one program: a file is a module.

#[path = "../../../../runtime/tests/it/common/mod.rs"]
mod common;
mod complex;
mod cuda;
#[cfg(target_arch = "x86_64")]
mod faults;
mod integers;
mod processes;
