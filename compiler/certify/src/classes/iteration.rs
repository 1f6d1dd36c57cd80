//! Equality of what loops carry, by induction over the iterations. Two carries are equal in all iterations if they
//! start equal, and if equality in one iteration implies equality in the next.
//!
//! The assumption is about one iteration at a time. So its consequences are drawn for each iteration by itself
//! ([`super::classes::Congruence::suppose`]). A tensor put together from all iterations could depend on later ones, and
//! the induction would be circular. Loops inside the two bodies are compared in the same way, under the assumption.

use super::congruence::{Congruence, TermId};
use super::terms::Classes;
use crate::spaces::Space;
use meshloom_ir::{Def, Func, Op, OpData, ValueId};

/// The most pairs of loops that are compared for one equality; what is left out is not found equal.
const MAX_PAIRS: usize = 1000;

/// Whether results `a` and `b` of two repeats (or of one) are equal. All carries of the two that turn out to be are united.
pub(crate) fn check(func: &Func, classes: &mut Classes, a: ValueId, b: ValueId) -> bool {
    if let (Some(x), Some(y)) = (repeat(func, a), repeat(func, b)) {
        let Classes { terms, nodes, spaces } = classes;
        Loops { func, nodes, spaces, left: MAX_PAIRS }.relate(terms, x, y);
    }
    classes.same(a, b)
}

fn repeat(func: &Func, v: ValueId) -> Option<&OpData> {
    match func.value(v).def {
        Def::Op(o, _) => Some(func.op(o)).filter(|d| matches!(d.op, Op::Repeat { .. })),
        Def::Arg(..) => None,
    }
}

struct Loops<'a> {
    func: &'a Func,
    nodes: &'a [Option<TermId>],
    spaces: &'a [Space],
    left: usize,
}

/// Two carries, as terms.
struct Pair {
    args: (TermId, TermId),
    nexts: (TermId, TermId),
    results: (TermId, TermId),
}

impl Loops<'_> {
    /// Unites the carries of two repeats that are equal in all iterations, with what they leave.
    fn relate(&mut self, terms: &mut Congruence, x: &OpData, y: &OpData) {
        let (Op::Repeat { trip: n, reverse: p, .. }, Op::Repeat { trip: m, reverse: q, .. }) = (&x.op, &y.op) else {
            return;
        };
        let spaces = [x, y].map(|d| self.spaces[d.regions[0].index()]);
        // Two loops that end early are equal only if their conditions are; no rule needs that yet.
        let early = x.op.ends_early() || y.op.ends_early();
        if early || self.left == 0 || spaces[0] != spaces[1] || n != m || (p != q && *n > 1) {
            return;
        }
        self.left -= 1;
        // The most that could be equal: carries that start equal. What is not preserved falls out, until the rest holds.
        let mut pairs = self.starts(terms, x, y);
        loop {
            let mut supposed = terms.suppose(spaces[0]);
            for p in &pairs {
                supposed.unite(p.args.0, p.args.1);
            }
            self.inner(&mut supposed, x, y);
            let before = pairs.len();
            pairs.retain(|p| supposed.same(p.nexts.0, p.nexts.1));
            if pairs.len() == before {
                break;
            }
        }
        for p in &pairs {
            terms.unite(p.args.0, p.args.1);
            terms.unite(p.results.0, p.results.1);
        }
        // The same again, now that it need not be supposed.
        self.inner(terms, x, y);
    }

    /// The loops inside two bodies.
    fn inner(&mut self, terms: &mut Congruence, x: &OpData, y: &OpData) {
        let func = self.func;
        let loops = |d: &OpData| {
            let ops = func.region(d.regions[0]).ops.iter();
            ops.copied().filter(|&o| matches!(func.op(o).op, Op::Repeat { .. })).collect::<Vec<_>>()
        };
        let (inside, others) = (loops(x), loops(y));
        for &p in &inside {
            for &q in others.iter().filter(|&&q| q != p) {
                self.relate(terms, func.op(p), func.op(q));
            }
        }
    }

    fn starts(&self, terms: &Congruence, x: &OpData, y: &OpData) -> Vec<Pair> {
        let func = self.func;
        let carries = |d: &OpData| match d.op {
            Op::Repeat { carries, .. } => carries,
            _ => 0,
        };
        let both = |a: ValueId, b: ValueId| self.nodes[a.index()].zip(self.nodes[b.index()]);
        let (bx, by) = (func.region(x.regions[0]), func.region(y.regions[0]));
        let mut pairs = Vec::new();
        for i in 0..carries(x) {
            for j in 0..carries(y) {
                let start = both(x.operands[i], y.operands[j]);
                if !start.is_some_and(|(a, b)| terms.same(a, b)) {
                    continue;
                }
                let ends =
                    (both(bx.args[i], by.args[j]), both(bx.yields[i], by.yields[j]), both(x.results[i], y.results[j]));
                if let (Some(args), Some(nexts), Some(results)) = ends {
                    pairs.push(Pair { args, nexts, results });
                }
            }
        }
        pairs
    }
}
