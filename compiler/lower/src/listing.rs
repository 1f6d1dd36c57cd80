//! What lies in the arena of a program, for people: its largest buffers, what they are, and between which ops each is in use;
//! and the same as intervals over the steps of one pass, for a picture of memory over time.

use crate::arrange::Arranged;
use crate::memory::{Buffer, Scope, Step, lifetimes, root};
use crate::view::BufId;
use meshloom_bundle::program::allocated;
use meshloom_ir::{Def, OpId, Role, Span};
use std::fmt::Write;

/// All buffers of a program over its steps. Of a loop, one iteration is there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Occupancy {
    /// By step: what it does, and where that is in the source.
    pub steps: Vec<(&'static str, Span)>,
    pub buffers: Vec<Occupant>,
    /// Bytes that a device needs: buffers, gaps between them, and scratch memory of kernels.
    pub total: u64,
}

/// A buffer, and the steps in which its bytes are taken.
#[derive(Clone, PartialEq, Debug)]
pub struct Occupant {
    pub what: String,
    /// `parameter`, `state`, `data`, or the phase that computes it.
    pub kind: &'static str,
    pub bytes: u64,
    /// Both included.
    pub first: usize,
    pub last: usize,
}

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

    /// When each buffer is taken.
    pub fn occupancy(&self) -> Occupancy {
        let mut out = Occupancy { total: allocated(self.layout.bytes, self.scratch), ..Occupancy::default() };
        self.spread(&self.steps, Scope::Step, &mut out);
        let last = out.steps.len().saturating_sub(1);
        let ports = (0..self.buffers.len()).filter(|&b| self.buffers[b].port && self.buffers[b].over.is_none());
        out.buffers.extend(ports.map(|b| self.occupant(b, 0, last)));
        out.buffers.sort_by_key(|o| (std::cmp::Reverse(o.bytes), o.first));
        out
    }

    /// Steps of a scope one behind the other, with what lives in it.
    fn spread(&self, steps: &[Step], scope: Scope, out: &mut Occupancy) {
        let mut places = Vec::new();
        for step in steps {
            let from = out.steps.len();
            match step {
                Step::Loop { number, body, .. } => self.spread(body, Scope::Loop(*number), out),
                Step::Actions(a) => a.bodies.iter().for_each(|b| self.spread(&b.steps, Scope::Loop(b.number), out)),
                _ => {}
            }
            if out.steps.len() == from {
                let span = if let Step::Launch(l) = step { l.span } else { Span::default() };
                out.steps.push((self.does(step), span));
            }
            places.push((from, out.steps.len() - 1));
        }
        for (b, life) in lifetimes(steps, &self.buffers, scope).into_iter().enumerate() {
            if let Some((first, last)) = life.filter(|_| !self.buffers[b].port) {
                out.buffers.push(self.occupant(b, places[first].0, places[last].1));
            }
        }
    }

    fn occupant(&self, b: usize, first: usize, last: usize) -> Occupant {
        let Row { bytes, what, .. } = self.row(b, String::new());
        let port = self.inputs.iter().position(|x| x.0 == b).and_then(|i| self.func.inputs.get(i));
        let kind = match (port.map(|p| p.role), self.buffers[b].port) {
            (Some(Role::Parameter), _) => "parameter",
            (Some(Role::State), _) => "state",
            (_, true) => "data",
            _ => match self.buffers[b].value.map(|v| self.func.value(v).def) {
                Some(Def::Op(o, _)) => self.func.op(o).phase.name(),
                _ => "scratch",
            },
        };
        Occupant { what, kind, bytes, first, last }
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
        format!("{at} {}", self.does(step))
    }

    fn does(&self, step: &Step) -> &'static str {
        let op = |o: OpId| self.func.ops.get(o.index()).map_or("an op", |x| x.op.name());
        match step {
            Step::Launch(l) => op(l.at),
            Step::Collective(_) | Step::Bucket(_) => "collective",
            Step::Fill { .. } => "fill",
            Step::Copy { .. } => "copy",
            Step::Loop { .. } => "loop",
            Step::Actions(_) => "actions",
            Step::Send(..) => "send",
            Step::Receive(..) => "receive",
        }
    }
}

fn size(buffers: &[Buffer], b: usize) -> u64 {
    buffers[root(buffers, BufId(b)).0].bytes
}
