//! What does not hold, in words: how tensors lie, and since when.

use crate::assign::{Clash, Demand};
use crate::state::Walk;
use crate::tensor::{LocalTensor, TensorKind};
use meshloom_ir::Reduction;
use meshloom_ir::layout::Slot;

impl Walk<'_> {
    /// How an operand lies, in words.
    pub fn shown(&self, h: &LocalTensor) -> String {
        let since = h.since.as_ref().map_or(String::new(), |s| format!(" {s}"));
        let mesh = &self.func.mesh;
        for axis in mesh.all_axes() {
            let name = mesh.name(axis);
            match h.layout.slot(axis) {
                Slot::Split(d) => return format!("split over `{name}` by dim {d}{since}"),
                Slot::Partial(Reduction::Sum) => {
                    return format!("a partial sum over `{name}`{since}");
                }
                Slot::Partial(_) => return format!("partial over `{name}`{since}"),
                Slot::Replicated => {}
            }
        }
        format!("whole{since}")
    }

    pub fn split_over(&self, held: &[LocalTensor]) -> String {
        held.iter()
            .find(|h| !h.layout.is_replicated())
            .map_or_else(String::new, |h| format!("its input is {}", self.shown(h)))
    }

    pub fn clash(&self, held: &[LocalTensor], c: &Clash) -> String {
        let one = &held[c.operand()];
        let shown = self.shown(one);
        match *c {
            Clash::Dims(_, j) => format!("one operand is {shown}, and another one is {}", self.shown(&held[j])),
            Clash::Partial(i) => {
                let other = held.iter().enumerate().find(|(j, h)| *j != i && h.kind != TensorKind::Free);
                let other = other.map(|(_, h)| format!(", and another one is {}", self.shown(h)));
                match other {
                    Some(other) => format!("one operand is {shown}, which nobody has added up{other}"),
                    None => format!("its operand is {shown}, which nobody has added up"),
                }
            }
            Clash::Whole { dim, .. } => format!("its operand is {shown}, and it needs the whole of dim {dim}"),
            Clash::Uneven { dim, .. } => {
                format!("its operand is {shown}, and the first part of dim {dim} does not divide evenly")
            }
        }
    }

    pub fn apart(&self, held: &[LocalTensor], d: &Demand) -> String {
        let since = held[d.operand].since.as_ref().map_or(String::new(), |s| format!(" {s}"));
        format!("one operand is {}, and another one has all of that dim{since}", self.shown(&held[d.by]))
    }

    pub fn unlike(&mut self, gradient: Option<&str>, held: &LocalTensor) {
        let shown = self.shown(held);
        match gradient {
            Some(name) => {
                let (module, leaf) = name.rsplit_once('.').unwrap_or(("", name));
                let sum = if held.layout.partial.is_empty() { "" } else { ", and nobody adds it up" };
                let text =
                    format!("the gradient of its `{leaf}` is {shown}{sum}: each device would train another `{leaf}`");
                self.refuse(module, None, text);
            }
            None => self.refuse("", None, format!("what it gives is {shown}")),
        }
    }
}
