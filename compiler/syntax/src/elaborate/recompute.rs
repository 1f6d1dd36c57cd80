//! `recompute: none | full | auto`, on a `train` and on loops; `budget: 40 GiB` and `offload: state` on a `train`.
//!
//! The setting of a loop holds for the loop's own values. The setting of a `train` holds for all loops without one and
//! for what stands outside of loops. The command line overrides both. The planner decides within these settings.

use super::assert::unit;
use super::consts;
use super::program::Constants;
use super::state::Elab;
use crate::ast::{Expr, ExprKind, Name};
use meshloom_ir::{Op, Recompute, Span};
use meshloom_source::entry::Offload;
use meshloom_source::{Diagnostic, suggest};

/// Settings that a `for` may have.
const OF_LOOPS: [&str; 1] = ["recompute"];

/// The name of a mode.
pub fn mode(text: &str, at: Span) -> Result<Recompute, Diagnostic> {
    let names = Recompute::ALL.map(Recompute::name);
    Recompute::from_name(text).ok_or_else(|| {
        let d = Diagnostic::error("recompute", format!("`recompute` cannot be `{text}`")).at(at, "");
        match suggest::nearest(text, names) {
            Some(n) => d.did_you_mean(n),
            None => d.help(format!("it is one of {}", suggest::list(names))),
        }
    })
}

/// A mode as the value of an argument.
pub fn mode_of(e: &Expr) -> Result<Recompute, Diagnostic> {
    match &e.bare().kind {
        ExprKind::Name(n) => mode(n, e.span),
        _ => Err(Diagnostic::error("recompute", "`recompute` is one of none, full and auto").at(e.span, "")),
    }
}

/// What lies in the host's memory, as the value of an argument.
pub fn offload(e: &Expr) -> Result<Offload, Diagnostic> {
    let names = Offload::ALL.map(Offload::name);
    let text = if let ExprKind::Name(n) = &e.bare().kind { n.as_str() } else { "" };
    Offload::from_name(text).ok_or_else(|| {
        let d = Diagnostic::error("recompute", format!("`offload` is one of {}", suggest::list(names))).at(e.span, "");
        match suggest::nearest(text, names) {
            Some(n) => d.did_you_mean(n),
            None => d,
        }
    })
}

/// `40 GiB`, in bytes.
pub fn bytes(e: &Expr, constants: &Constants) -> Result<u64, Diagnostic> {
    let (value, size) = match &e.bare().kind {
        ExprKind::Measured { value, unit: u } => (&**value, unit(u, "recompute")?),
        _ => (e, 1.0),
    };
    let n = consts::float(value, constants)? * size;
    if (1.0..9e18).contains(&n) {
        return Ok(n as u64);
    }
    Err(Diagnostic::error("recompute", "a budget is a number of bytes, 1 at least")
        .at(e.span, "")
        .help("such as `budget: 40 GiB`"))
}

impl Elab<'_> {
    /// The settings of a `for` that has just been made.
    pub(super) fn loop_settings(&mut self, settings: &[(Name, Name)], span: Span, unrolled: bool) {
        for (i, (name, value)) in settings.iter().enumerate() {
            if name.text != "recompute" {
                let d = Diagnostic::error("recompute", format!("a `for` has no setting `{}`", name.text));
                let d = d.at(name.span, "");
                self.error(match suggest::nearest(&name.text, OF_LOOPS) {
                    Some(n) => d.did_you_mean(n),
                    None => d.help(format!("its settings: {}", suggest::list(OF_LOOPS))),
                });
                continue;
            }
            if let Some((before, _)) = settings[..i].iter().find(|s| s.0.text == name.text) {
                self.error(
                    Diagnostic::error("recompute", format!("`{}` is given twice", name.text))
                        .at(name.span, "again here")
                        .also(before.span, "first here"),
                );
                continue;
            }
            match mode(&value.text, value.span) {
                Ok(mode) if self.errors.is_empty() => {
                    self.set_recompute(mode, name.span.to(value.span), span, unrolled)
                }
                Ok(_) => {}
                Err(d) => {
                    self.error(d);
                }
            }
        }
    }

    /// Marks the loop that was just appended to the open region.
    fn set_recompute(&mut self, mode: Recompute, at: Span, span: Span, unrolled: bool) {
        if unrolled {
            self.error(
                Diagnostic::error("recompute", "this `for` is unrolled: it is no loop of the program")
                    .at(at, "says nothing here")
                    .also(span, "goes over values that differ")
                    .help("what stands outside of loops goes by the `recompute` of the `train`"),
            );
            return;
        }
        let region = self.builder.region();
        let made = self.builder.func.region(region).ops.last().copied();
        if let Some(o) = made.filter(|&o| matches!(self.builder.func.op(o).op, Op::Repeat { .. })) {
            self.builder.func.ops[o.index()].recompute = Some(mode);
        }
    }
}
