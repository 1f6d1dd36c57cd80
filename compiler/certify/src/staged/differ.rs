//! Why two terms are not equal: the first op at which what a rank computes is not what the local program does.

use super::read::{Pair, Reader, carry};
use super::refusal::{Refusal, line};
use super::same::Same;
use super::terms::{MadeBy, Meaning, TermKind};
use crate::term_ref::TermRef;
use std::collections::BTreeSet;

/// The most pairs that are searched for a reason.
const MAX_PAIRS: usize = 100_000;

pub fn explain(reader: &Reader<'_>, same: &Same, pair: &Pair) -> Refusal {
    let d = Differ { reader, same };
    let port = &reader.ranks[pair.rank].func.outputs[pair.output].name;
    let (origin, why) = d.cause(pair);
    let message = format!("{why}; so output `{port}` of rank {} is not that of the local program", pair.rank);
    let at = |(side, op): MadeBy| Some((side.checked_sub(1)?, op?));
    match at(origin) {
        Some((rank, op)) => Refusal::at(Some(rank), reader.ranks[rank].func, op, message),
        None => Refusal::rank(pair.rank, message),
    }
}

struct Differ<'a> {
    reader: &'a Reader<'a>,
    same: &'a Same,
}

impl Differ<'_> {
    /// The op of a rank, and what is wrong with it.
    fn cause(&self, pair: &Pair) -> (MadeBy, String) {
        let top = self.reader.ranks[pair.rank].func;
        let whole = (pair.rank + 1, top.def_op(top.body().yields[pair.output]));
        let mut open = vec![(pair.wanted, pair.found, whole)];
        let mut seen = BTreeSet::new();
        while let Some((a, b, by)) = open.pop() {
            if self.same.class(a) == self.same.class(b) || !seen.insert((a, b)) || seen.len() > MAX_PAIRS {
                continue;
            }
            let (x, y) = (self.reader.terms.node(a), self.reader.terms.node(b));
            // What the local program has as well is blamed on the op that reads it.
            let by = if y.origin.0 > 0 && y.origin.1.is_some() { y.origin } else { by };
            let other = || (by, format!("{} stands where the local program has {}", self.show(b), self.show(a)));
            match (&x.kind, &y.kind) {
                (TermKind::Carry(_), TermKind::Carry(_)) => {
                    let (Some(p), Some(q)) = (carry(&self.reader.terms, a), carry(&self.reader.terms, b)) else {
                        return other();
                    };
                    if p.space != q.space || p.ty != q.ty {
                        return other();
                    }
                    if p.reverse != q.reverse {
                        return (by, "the loop runs the other way than in the local program".into());
                    }
                    open.push((p.next, q.next, by));
                    open.push((p.start, q.start, by));
                }
                (TermKind::Sum, _) | (_, TermKind::Sum) => {
                    let (less, more) = self.apart(a, b);
                    match (&less[..], &more[..]) {
                        ([p], [q]) => open.push((*p, *q, by)),
                        ([p, ..], []) => return (by, format!("the sum lacks {}", self.show(*p))),
                        ([], [q, ..]) => return (by, format!("the sum has {} too often", self.show(*q))),
                        _ if less.len() == more.len() => {
                            // Summands have no order: those of one kind are compared.
                            for p in less {
                                let kind = &self.reader.terms.node(p).kind;
                                let like = more.iter().find(|q| self.reader.terms.node(**q).kind == *kind);
                                open.extend(like.map(|&q| (p, q, by)));
                            }
                            if open.is_empty() {
                                return other();
                            }
                        }
                        _ => return (by, "the sum has other summands than in the local program".into()),
                    }
                }
                (k, l) if k == l && x.of.len() == y.of.len() => {
                    open.extend(x.of.iter().zip(&y.of).rev().map(|(&p, &q)| (p, q, by)));
                }
                _ => return other(),
            }
        }
        (whole, "what it computes is not what the local program does".into())
    }

    /// Summands of each that the other has not.
    fn apart(&self, a: TermRef, b: TermRef) -> (Vec<TermRef>, Vec<TermRef>) {
        let parts = |t: TermRef| {
            let node = self.reader.terms.node(t);
            if node.kind == TermKind::Sum { node.of.clone() } else { vec![t] }
        };
        let (mut less, mut more) = (Vec::new(), parts(b));
        for p in parts(a) {
            match more.iter().position(|&q| self.same.class(p) == self.same.class(q)) {
                Some(i) => _ = more.remove(i),
                None => less.push(p),
            }
        }
        (less, more)
    }

    fn show(&self, t: TermRef) -> String {
        let node = self.reader.terms.node(t);
        let loops = |s| self.reader.terms.trip(s);
        match &node.kind {
            TermKind::Input(i, lo, hi) => {
                let local = self.reader.local;
                let name = &local.inputs[*i].name;
                let rows = local.ty(local.body().args[*i]).shape.first().copied().unwrap_or(0);
                if hi - lo == rows { format!("input `{name}`") } else { format!("layers {lo}..{hi} of input `{name}`") }
            }
            TermKind::Op(n, _) => match (self.op(node.origin), self.reader.terms.meaning(*n)) {
                (Some(text), _) => format!("`{text}`"),
                (None, Meaning::Op(op)) => format!("a `{}`", op.name()),
                (None, Meaning::Body(_)) => "an op with a body".into(),
            },
            TermKind::Sum => self.op(node.origin).map_or_else(|| "a sum".into(), |text| format!("`{text}`")),
            TermKind::Slice(s) => {
                let of = node.of.first().map_or_else(String::new, |&x| self.show(x));
                format!("an entry of {of} in a loop of {}", loops(*s))
            }
            TermKind::Stack(s) => format!("a stack of {}{}", loops(*s), self.from(node.origin)),
            TermKind::Rows(lo, hi, n) => format!("rows {lo}..{hi} of {n}{}", self.from(node.origin)),
            TermKind::Join => format!("a tensor of several runs of rows{}", self.from(node.origin)),
            TermKind::Carry(_) => format!("what a loop carries{}", self.from(node.origin)),
            TermKind::Last => format!("what a loop leaves{}", self.from(node.origin)),
            TermKind::Total(s) => {
                let of = node.of.first().map_or_else(String::new, |&x| self.show(x));
                format!("the sum over {} iterations of {of}", loops(*s))
            }
        }
    }

    fn op(&self, origin: MadeBy) -> Option<String> {
        let (side, op) = origin;
        op.map(|o| line(self.reader.func(side), o))
    }

    fn from(&self, origin: MadeBy) -> String {
        self.op(origin).map_or_else(String::new, |text| format!(", of `{text}`"))
    }
}
