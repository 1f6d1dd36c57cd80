//! Equality of what loops carry, by induction over the iterations: two carries are equal in all of them if they start equal,
//! and if, wherever they are equal in an iteration, they are equal in the next.
//!
//! The assumption is of one iteration at a time. So what follows from it is drawn for each iteration by itself
//! ([`super::classes::Congruence::suppose`]): a tensor put together from all iterations could depend on later ones, and the
//! induction would go round in a circle.

use super::classes::{Congruence, Node};
use super::terms::Classes;
use meshloom_ir::{Def, Func, Op, OpData, ValueId};

/// Whether results `a` and `b` of two repeats (or of one) are equal. All carries of the two that turn out to be are united.
pub(super) fn check(func: &Func, classes: &mut Classes, a: ValueId, b: ValueId) -> bool {
    let (Some(x), Some(y)) = (repeat(func, a), repeat(func, b)) else { return false };
    let (Op::Repeat { trip: n, reverse: p, .. }, Op::Repeat { trip: m, reverse: q, .. }) = (&x.op, &y.op) else {
        return false;
    };
    if x.parent != y.parent || n != m || (p != q && *n > 1) {
        return false;
    }
    let space = classes.spaces[x.regions[0].index()];
    // The most that could be equal: carries that start equal. What is not preserved falls out, until the rest holds together.
    let mut pairs = starts(func, classes, x, y);
    loop {
        let mut supposed: Congruence = classes.terms.suppose(space);
        for p in &pairs {
            supposed.unite(p.args.0, p.args.1);
        }
        let before = pairs.len();
        pairs.retain(|p| supposed.same(p.nexts.0, p.nexts.1));
        if pairs.len() == before {
            break;
        }
    }
    for p in &pairs {
        classes.terms.unite(p.args.0, p.args.1);
        classes.terms.unite(p.results.0, p.results.1);
    }
    classes.same(a, b)
}

/// Two carries, as terms.
struct Pair {
    args: (Node, Node),
    nexts: (Node, Node),
    results: (Node, Node),
}

fn repeat(func: &Func, v: ValueId) -> Option<&OpData> {
    match func.value(v).def {
        Def::Op(o, _) => Some(func.op(o)).filter(|d| matches!(d.op, Op::Repeat { .. })),
        Def::Arg(..) => None,
    }
}

fn starts(func: &Func, classes: &Classes, x: &OpData, y: &OpData) -> Vec<Pair> {
    let carries = |d: &OpData| match d.op {
        Op::Repeat { carries, .. } => carries,
        _ => 0,
    };
    let (bx, by) = (func.region(x.regions[0]), func.region(y.regions[0]));
    let mut pairs = Vec::new();
    for i in 0..carries(x) {
        for j in 0..carries(y) {
            if !classes.same(x.operands[i], y.operands[j]) {
                continue;
            }
            let node = |v: ValueId| classes.nodes[v.index()];
            let both = |a: ValueId, b: ValueId| node(a).zip(node(b));
            let (Some(args), Some(nexts), Some(results)) =
                (both(bx.args[i], by.args[j]), both(bx.yields[i], by.yields[j]), both(x.results[i], y.results[j]))
            else {
                continue;
            };
            pairs.push(Pair { args, nexts, results });
        }
    }
    pairs
}
