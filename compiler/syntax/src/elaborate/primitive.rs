//! What a primitive is, and what it is given: an entry of the table of primitives ([`super::prims`]) and evaluated arguments.

use super::state::Elab;
use super::value::Val;
use crate::ast::Name;
use meshloom_ir::Span;

/// An evaluated argument.
#[derive(Clone)]
pub(super) struct Given {
    pub name: Option<Name>,
    pub value: Val,
    pub span: Span,
}

/// A primitive: its parameters, of which those that end in `?` may be left out, and what it does.
pub struct Prim {
    pub name: &'static str,
    pub params: &'static [&'static str],
    pub(super) run: fn(&mut Elab<'_>, &Prim, Args) -> Val,
}

pub struct Args {
    pub(super) slots: Vec<Option<Given>>,
    pub(super) span: Span,
}

impl Args {
    pub(super) fn get(&self, i: usize) -> Option<&Given> {
        self.slots.get(i)?.as_ref()
    }
}

/// Taken from a filled slot; `primitive` saw to it that required ones are.
macro_rules! need {
    ($args:expr, $i:expr) => {
        match $args.get($i) {
            Some(g) => g.clone(),
            None => return Val::Error,
        }
    };
}

pub(super) use need;
