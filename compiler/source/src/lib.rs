//! What all front ends share: the texts of a program, what is said about them, the entries that come out of them, and how a
//! compilation ends when it does not end well.
//!
//! A front end takes a text and [`FrontOptions`], and gives an [`Outcome`]: the texts that spans point into
//! ([`SourceMap`]), diagnostics, and, where nothing is wrong, entries. The driver sees only this crate's types, so it does
//! not care which language a program was written in.
//!
//! Not here: any language. `syntax` reads Loom, `stablehlo` reads StableHLO, and neither knows the other.

pub mod assertion;
pub mod diagnostic;
pub mod entry;
mod failure;
mod glob;
mod map;
mod origin;
pub mod suggest;

pub use diagnostic::Diagnostic;
pub use entry::{FrontOptions, Outcome};
pub use failure::{CompileResult, Failure};
pub use glob::Glob;
pub use map::{Position, SourceFile, SourceMap, SourceText};
pub use origin::{Frame, Origin, Origins, is_file};
