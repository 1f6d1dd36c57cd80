//! The scopes of a file: who binds which name where, and what may stand where a name stands. It is written down once, as a walk over
//! a file's tree, for all who ask what a name means: imports are linked by it ([`crate::import`]), and editors find, mark and rename by
//! it. The walk ([`file`]) tells a [`Visitor`] of each name; that one knows what stands at the top of files.
//!
//! Elaboration does not use it. It runs code: a body as often as it is called or repeated, with scopes that hold values, and arms that
//! a constant decides are never entered.

mod code;
mod items;
mod scoped;
mod visitor;

pub use items::file;
pub use scoped::Scoped;
pub use visitor::{Binds, Heading, Visitor};

#[cfg(test)]
mod tests;
