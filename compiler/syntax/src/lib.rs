//! The Loom front end: text to syntax tree to global IR, and the diagnostics that all of Meshloom reports with.
//!
//! It is pure: sources come in as strings (a [`source::SourceMap`]), results and [`diagnostic::Diagnostic`]s go out as
//! values.

// A diagnostic is big, and made only where compilation is over.
#![allow(clippy::result_large_err)]

pub mod annotate;
pub mod ast;
pub mod diagnostic;
pub mod doc;
pub mod elaborate;
mod floor;
pub mod format;
pub mod import;
pub mod library;
pub mod parse;
pub mod source;
pub mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused_imports, unused_parens)]
    grammar
);
