//! The executable's format: the program that a compile produces and the bundle (`model.loomx`) that carries it.
//!
//! A bundle is a zip that `unzip` opens: `manifest.json`, then for each entry a program, a plan and a certificate, then kernels and the
//! source text. The crate is pure: bytes in, values or errors out. It knows nothing of the IR, so that the runtime, which depends on
//! it, carries no compiler.

mod error;
mod gpu;
mod manifest;
mod place;
mod product;
pub mod program;
mod read;
mod validate;
mod validate_ports;
mod write;

pub use error::{Error, Result};
pub use gpu::{GpuLaunch, Swizzle, TensorMap};
pub use manifest::{Entry, EntryKind, FORMAT, Library, LibraryKind, Manifest, Member, SourceFile, sha256};
pub use product::{Matrix, Product, Vector};
pub use program::*;
pub use read::Bundle;
pub use validate::{limits, validate};
pub use write::{Contents, EntryContents, LibraryContents, MANIFEST, write};
