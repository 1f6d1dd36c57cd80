//! The executable's format: the program that a compilation produces, and the bundle (`model.loomx`) that carries it.
//!
//! A bundle is a zip file that `unzip` opens. It has `manifest.json`, then a program, a plan and a certificate for each
//! entry, then kernels and the source text. The crate is pure: bytes come in, values or errors go out. It does not
//! depend on the IR, so the runtime, which depends on this crate, contains no compiler.

pub mod archive;
mod contents;
mod encoding;
mod error;
mod gemm;
mod gpu;
pub mod limits;
mod manifest;
mod others;
mod place;
pub mod program;
mod read;
mod validate;
mod validate_gpu;
mod validate_ports;
mod validate_stages;
pub mod waited;
mod write;

pub use contents::{Contents, EntryContents, LibraryContents, Pipeline};
pub use encoding::{element_type, held_as, port_role};
pub use error::{BundleError, BundleResult};
pub use gemm::{Gemm, Matrix, Vector};
pub use gpu::{ByThreads, GpuLaunch, Swizzle, TensorMap};
pub use manifest::{
    EntryKind, FORMAT, Library, LibraryKind, MANIFEST, Manifest, ManifestEntry, ManifestPipeline, Member, OtherPlan,
    SourceFile, hex, sha256,
};
pub use program::*;
pub use read::Bundle;
pub use validate::{validate, validate_outline};
pub use validate_stages::{validate_entry, validate_wires};
pub use write::{write, write_with};
