//! Layouts of values that are being elaborated.

use super::layout::resolve;
use super::state::Elab;
use super::value::Dim;
use crate::ast;
use meshloom_ir::{Axis, Constraint, DimSpec, Span};
use meshloom_source::Diagnostic;

/// What lives outside of a program: who reads or writes it there has whole tensors, and no summands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Lives {
    /// Inputs, parameters and state.
    Stored,
    /// What an entry gives.
    Result,
}

impl Lives {
    fn partial(self) -> Diagnostic {
        match self {
            Lives::Stored => Diagnostic::error("partial", "inputs and parameters cannot be partial")
                .help("`partial` is for intermediate values: `x @ [_, _] + partial(model)`"),
            Lives::Result => Diagnostic::error("partial", "the result of an entry cannot be partial")
                .help("without `+ partial(..)` the devices' parts are combined, and the result is whole"),
        }
    }
}

impl Elab<'_> {
    /// [`resolve`] with errors reported; what lives outside of the program cannot be partial.
    pub(super) fn constraint(
        &mut self,
        layout: &ast::LayoutExpr,
        dims: &[Dim],
        lives: Option<Lives>,
    ) -> Option<Constraint> {
        let found = resolve(self.mesh(), layout, dims).and_then(|c| match lives {
            Some(lives) if !c.partial.is_empty() => Err(lives.partial().at(layout.span, "")),
            _ => Ok(c),
        });
        match found {
            Ok(c) => Some(c),
            Err(d) => {
                self.error(d);
                None
            }
        }
    }

    /// Reports a manual axis in a layout inside of its region.
    pub(super) fn automatic(&mut self, c: &Constraint, at: Span) -> bool {
        let named = c.dims.iter().flat_map(|(DimSpec::Exactly(a) | DimSpec::AtLeast(a))| a).chain(c.partial.keys());
        let Some(&(a, region)) = self.manual.iter().find(|m| named.clone().any(|a| *a == m.0)) else { return true };
        let name = self.mesh().name(a);
        let d = Diagnostic::error("manual", format!("axis `{name}` is manual here, so no layout names it"));
        let d = d.at(at, "a tensor is what one device has already").also(region, "in this region");
        self.error(d.help("a layout inside is about the other axes"));
        false
    }
}

/// The manual axes, major first, of whose devices each has a block of what `d` is: what [`block`] said of it.
pub(super) fn manual_split(cx: &Elab<'_>, d: &Dim) -> Vec<Axis> {
    let Some((_, group)) = d.name.as_deref().and_then(|n| n.split_once('/')) else { return Vec::new() };
    let names = group.split(['/', '(', ')', ',', ' ']).filter(|n| !n.is_empty());
    let axes = names.filter_map(|n| cx.manual.iter().map(|m| m.0).find(|&a| cx.mesh().name(a) == n));
    axes.collect()
}
