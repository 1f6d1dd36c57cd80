//! Tests across crates, one program: a file is a module. `filetests.rs` beside this folder has a program of its own.

mod circles;
mod lines;
mod nevers;
mod oracle_data;
mod planned_mutants;
mod scheduled;
mod suites;
#[path = "../../compiler/certify/tests/it/support/mod.rs"]
mod support;
mod tidy;
mod tokens;
