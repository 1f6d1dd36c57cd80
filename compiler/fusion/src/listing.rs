//! What lies in the arena of a program, for people: its largest buffers, what they are, and between which ops each is in use.

use crate::arrange::Arranged;
use crate::memory::{Buffer, Scope, Step, lifetimes, root};
use crate::view::BufId;
use meshloom_bundle::program::allocated;
use meshloom_ir::{Def, OpId};
use std::fmt::Write;

/// A buffer of the listing.
struct Row {
    bytes: u64,
    offset: u64,
    what: String,
    life: String,
}

impl Arranged {
    /// The largest `most` buffers, one in a line: bytes, offset in the arena, value, and the ops of its first and last use.
    pub fn listing(&self, most: usize) -> String {
        let mut rows = Vec::new();
        let ports = (0..self.buffers.len()).filter(|&b| self.buffers[b].port && self.buffers[b].over.is_none());
        rows.extend(ports.map(|b| self.row(b, "always".into())));
        self.scope(&self.steps, Scope::Step, &mut rows);
        let all = rows.len();
        rows.sort_by_key(|r| (std::cmp::Reverse(r.bytes), r.offset));
        let mut out = format!(
            "program @{}: {} bytes, {all} buffers\n",
            self.func.name,
            allocated(self.layout.bytes, self.scratch)
        );
        for r in rows.iter().take(most) {
            let _ = writeln!(out, "  {:>14} at {:<14} {}  {}", r.bytes, r.offset, r.what, r.life);
        }
        out
    }

    fn scope(&self, steps: &[Step], scope: Scope, rows: &mut Vec<Row>) {
        for (b, life) in lifetimes(steps, &self.buffers, scope).into_iter().enumerate() {
            if let Some((first, last)) = life.filter(|_| !self.buffers[b].port) {
                let life = format!("{} to {}", self.named(&steps[first], first), self.named(&steps[last], last));
                let within = if let Scope::Loop(n) = scope { format!("in loop {n}: ") } else { String::new() };
                rows.push(self.row(b, within + &life));
            }
        }
        for step in steps {
            match step {
                Step::Loop { number, body, .. } => self.scope(body, Scope::Loop(*number), rows),
                Step::Actions(a) => {
                    a.bodies.iter().for_each(|b| self.scope(&b.steps, Scope::Loop(b.number), rows));
                }
                _ => {}
            }
        }
    }

    fn row(&self, b: usize, life: String) -> Row {
        let port = self.inputs.iter().position(|x| x.0 == b).and_then(|i| self.func.inputs.get(i));
        let output = self.outputs.iter().position(|x| x.0 == b).and_then(|i| self.func.outputs.get(i));
        let what = match (port.or(output), self.buffers[b].value) {
            (Some(port), _) => port.name.clone(),
            (None, Some(v)) => {
                let value = self.func.value(v);
                let op = match value.def {
                    Def::Op(o, _) => self.func.op(o).op.name(),
                    Def::Arg(..) => "argument",
                };
                let name = value.name.as_deref().map_or(String::new(), |n| format!(" {n}"));
                format!("{op}{name}: {}", value.ty)
            }
            (None, None) => "temporary".into(),
        };
        Row { bytes: size(&self.buffers, b), offset: self.offset(BufId(b)), what, life }
    }

    fn named(&self, step: &Step, at: usize) -> String {
        let op = |o: OpId| self.func.ops.get(o.index()).map_or("an op", |x| x.op.name());
        let what = match step {
            Step::Launch(l) => op(l.at),
            Step::Collective(_) | Step::Bucket(_) => "collective",
            Step::Fill { .. } => "fill",
            Step::Loop { .. } => "loop",
            Step::Actions(_) => "actions",
            Step::Send(..) => "send",
            Step::Receive(..) => "receive",
        };
        format!("{at} {what}")
    }
}

fn size(buffers: &[Buffer], b: usize) -> u64 {
    buffers[root(buffers, BufId(b)).0].bytes
}
