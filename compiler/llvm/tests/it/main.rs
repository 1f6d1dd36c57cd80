//! The tests of this crate, one program: a file is a module. `worker.rs` beside this folder has a program of its own.

mod backend;
mod loom_dialect;
mod ptx;
