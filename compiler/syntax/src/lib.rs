//! The Loom front end: text to syntax tree to global IR.
//!
//! It is pure: sources come in as strings (a [`meshloom_source::SourceMap`]), results and
//! [`meshloom_source::Diagnostic`]s go out as values.

// A diagnostic is big, and made only where compilation is over.
#![allow(clippy::result_large_err)]

pub mod annotate;
pub mod ast;
pub mod doc;
pub mod elaborate;
mod floor;
pub mod format;
pub mod import;
pub mod library;
pub mod overrides;
pub mod parse;
pub mod scopes;
pub mod token;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, clippy::too_many_lines, unused_imports, unused_parens)]
    grammar
);
