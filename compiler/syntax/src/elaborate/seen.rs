//! What the expressions and variables of the user's files turned out to be: for hovering in an editor, and for what may
//! follow a dot.
//!
//! A function that is inlined twice is seen twice, perhaps with other dims, so a place can have several types.

use super::value::Val;
use meshloom_ir::{FileId, Span};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The most types that are kept of one place, and most places.
const MAX_TYPES: usize = 4;
const MAX_PLACES: usize = 200_000;

/// What stands at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Typed {
    /// An expression, or the name of a variable where it is declared.
    pub span: Span,
    /// As messages show them: `f32[batch, seq]`, `Block`. In the order in which they were met.
    pub types: Vec<String>,
}

#[derive(Default)]
pub struct Seen {
    places: RefCell<BTreeMap<(FileId, u32, u32), Vec<String>>>,
}

impl Seen {
    pub(super) fn note(&self, span: Span, value: &Val) {
        let mut places = self.places.borrow_mut();
        if places.len() >= MAX_PLACES {
            return;
        }
        let types = places.entry((span.file, span.start, span.end)).or_default();
        if types.len() < MAX_TYPES {
            let shown = value.to_string();
            if !types.contains(&shown) {
                types.push(shown);
            }
        }
    }

    /// In the order of the source.
    pub(super) fn all(self) -> Vec<Typed> {
        let typed = |((file, start, end), types)| Typed { span: Span { file, start, end }, types };
        self.places.into_inner().into_iter().map(typed).collect()
    }
}
