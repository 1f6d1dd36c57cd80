//! What Meshloom's integration tests share: the format and phases of the file tests ([`filetest`], [`phases`]), and loaders
//! for the oracles' data ([`data`]). The tests themselves stand beside this folder: `filetests.rs` runs the files of
//! `filetests/`, `tidy.rs` keeps the house in order.

pub mod data;
pub mod filetest;
pub mod phases;

use std::path::PathBuf;

/// The repository's root.
pub fn root() -> PathBuf {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    tests.parent().map(PathBuf::from).unwrap_or(tests)
}
