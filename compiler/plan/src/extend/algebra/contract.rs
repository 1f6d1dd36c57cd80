//! Rules of sums of products: the order of contraction, what is summed before, scalings, transposes into and out of
//! contractions. All are one rewriting: an op and the definition of an operand are composed to one product, which is written
//! back in the other ways that are worth it.

use super::graph::{Algebra, Rule};
use super::law;
use super::product::{self, Product, build_one, build_two};
use crate::effort;
use meshloom_ir::OpId;
use meshloom_ir::einsum::ContractionOp;

pub const RULES: &[Rule] = &[
    Rule {
        name: "contraction-order",
        about: "(x y) z = x (y z), if the pair shares a dim, the intermediate is no larger than what is there, and operations \
                are at most 1.5 times the best order's",
        reassociates: true,
        apply: |a, o| {
            compose(a, o, "contraction-order", |outer, inner| {
                (outer == ContractionOp::Dot && inner == ContractionOp::Dot).then_some(law::ORDER)
            })
        },
    },
    Rule {
        name: "sum-first",
        about: "sum(x y) = (sum x) y over dims that only x has; a sum of a contraction is a contraction",
        reassociates: true,
        apply: |a, o| {
            presum(a, o);
            compose(a, o, "sum-first", |outer, inner| {
                (outer == ContractionOp::Sum && inner != ContractionOp::Transpose).then_some(law::SUM)
            });
        },
    },
    Rule {
        name: "scale",
        about: "(c x) y = c (x y): scalings along dims that stay, or that the other operand has, move to where they touch the \
                least",
        reassociates: true,
        apply: |a, o| {
            compose(a, o, "scale", |outer, inner| match (outer, inner) {
                (ContractionOp::Dot, ContractionOp::Multiply | ContractionOp::Broadcast)
                | (ContractionOp::Multiply, ContractionOp::Dot) => Some(law::SCALE),
                _ => None,
            })
        },
    },
    Rule {
        name: "transpose-contraction",
        about: "transposes of operands and of the result of a contraction are its own order of dims",
        reassociates: false,
        apply: |a, o| {
            compose(a, o, "transpose-contraction", |outer, inner| match (outer, inner) {
                (ContractionOp::Dot | ContractionOp::Sum, ContractionOp::Transpose)
                | (ContractionOp::Transpose, ContractionOp::Dot | ContractionOp::Sum) => Some(law::DIMS),
                _ => None,
            })
        },
    },
];

/// A contraction whose operand has a dim of its own: summed before.
fn presum(a: &mut Algebra<'_>, o: OpId) {
    if a.op(o).op.contraction() != Some(ContractionOp::Dot) || !a.first("sum-first", o, o) {
        return;
    }
    let Some(p) = product::read(a, o) else { return };
    let [x, y] = &p.factors[..] else { return };
    let alone =
        |f: &product::Factor, g: &product::Factor| f.subscripts.iter().any(|&l| !g.has(l) && !p.out.contains(&l));
    if alone(x, y) || alone(y, x) {
        let form = build_two(a, o, &p, x, y, &p.out);
        a.equate(o, form, law::SUM);
    }
}

/// Composes `o` with each definition of an operand and offers the other forms, by the law that `which` says.
fn compose(
    a: &mut Algebra<'_>,
    o: OpId,
    rule: &'static str,
    which: fn(ContractionOp, ContractionOp) -> Option<&'static str>,
) {
    let Some(outer) = a.op(o).op.contraction() else { return };
    let Some(p) = product::read(a, o) else { return };
    for k in 0..p.factors.len() {
        if p.factors[k].splat.is_some() {
            continue;
        }
        for m in a.definitions(p.factors[k].value) {
            let Some(law) = a.op(m).op.contraction().and_then(|inner| which(outer, inner)) else { continue };
            if !a.first(rule, o, m) {
                continue;
            }
            if let Some(inner) = product::read(a, m) {
                offer(a, o, m, k, &p, &inner, law);
            }
        }
    }
}

fn offer(a: &mut Algebra<'_>, o: OpId, m: OpId, k: usize, outer: &Product, inner: &Product, law: &'static str) {
    let p = outer.compose(k, inner);
    match &p.factors[..] {
        [x] => {
            let form = build_one(a, o, &p, x, &p.out);
            a.equate(o, form, law);
        }
        [x, y] if worth_two(a, o, m, &p) => {
            let form = build_two(a, o, &p, x, y, &p.out);
            a.equate(o, form, law);
        }
        [_, _] => {}
        [_, _, _] => {
            for (i, j) in trees(a, o, m, k, &p, inner.factors.len()) {
                let kept = p.kept(a, i, j);
                let Some(pair) = build_two(a, o, &p, &p.factors[i], &p.factors[j], &kept) else { continue };
                a.settle(pair);
                let pair = product::Factor { value: pair, subscripts: kept, splat: None };
                let rest = 3 - i - j;
                let (x, y) = if rest < i.min(j) { (&p.factors[rest], &pair) } else { (&pair, &p.factors[rest]) };
                let form = build_two(a, o, &p, x, y, &p.out);
                a.equate(o, form, law);
            }
        }
        _ => {}
    }
}

/// A sum of an elementwise product is a contraction too, but one that gains nothing unless something is summed before, or
/// an operand is itself a contraction that then takes fewer operations.
fn worth_two(a: &Algebra<'_>, o: OpId, m: OpId, p: &Product) -> bool {
    let elementwise = a.op(o).op.contraction() == Some(ContractionOp::Sum)
        && a.op(m).op.contraction() == Some(ContractionOp::Multiply);
    if !elementwise {
        return true;
    }
    let [x, y] = &p.factors[..] else { return false };
    let alone =
        |f: &product::Factor, g: &product::Factor| f.subscripts.iter().any(|&l| !g.has(l) && !p.out.contains(&l));
    alone(x, y) || alone(y, x) || cheaper_inside(a, p, 0) || cheaper_inside(a, p, 1)
}

/// Whether factor `k` is a contraction that the other factor had better go into.
fn cheaper_inside(a: &Algebra<'_>, p: &Product, k: usize) -> bool {
    let inner =
        a.definitions(p.factors[k].value).into_iter().filter(|&d| a.op(d).op.contraction() == Some(ContractionOp::Dot));
    inner.filter_map(|d| product::read(a, d)).any(|inner| {
        let q = p.compose(k, &inner);
        if q.factors.len() != 3 {
            return false;
        }
        let now = q.tree_cost(a, k, k + 1);
        let best = [(0, 1), (0, 2), (1, 2)].into_iter().map(|(i, j)| q.tree_cost(a, i, j)).min();
        best.is_some_and(|best| best < now / 4 * 3)
    })
}

/// The pairs to contract first that are worth offering, beside the one that is there.
fn trees(a: &Algebra<'_>, o: OpId, m: OpId, k: usize, p: &Product, inside: usize) -> Vec<(usize, usize)> {
    let f = &p.factors;
    let pairs = [(0, 1), (0, 2), (1, 2)];
    let there = pairs.into_iter().find(|&(i, j)| inside == 2 && (i, j) == (k, k + 1));
    let shares = |i: usize, j: usize| f[i].subscripts.iter().any(|&l| f[j].has(l));
    let cost = |i: usize, j: usize| p.tree_cost(a, i, j);
    let best = pairs.iter().map(|&(i, j)| cost(i, j)).min().unwrap_or(0);
    let largest = f.iter().map(|x| p.size(x.subscripts.clone())).max().unwrap_or(1).max(p.size(p.out.clone()));
    // Elements that a scaling touches, where it is one. What else is read stays, so that nothing is saved by moving it.
    let scaled = |d: OpId| a.ty(a.op(d).results[0]).elements();
    let now = [o, m]
        .into_iter()
        .filter(|&d| a.op(d).op.contraction() == Some(ContractionOp::Multiply))
        .map(scaled)
        .sum::<u64>();
    if now > 0 && a.uses(a.op(m).results[0]) > 1 {
        return Vec::new();
    }
    pairs
        .into_iter()
        .filter(|&(i, j)| Some((i, j)) != there)
        .filter(|&(i, j)| {
            let kept = p.kept(a, i, j);
            let rest = &f[3 - i - j];
            let scalar = f[i].scalar() || f[j].scalar();
            if scalar {
                // A scalar goes in where it touches less; out, always.
                return p.size(kept) < p.size(p.out.clone()).min(now.max(1));
            }
            if !shares(i, j) {
                return false;
            }
            let contracts = |x: &[usize], y: &[usize], out: &[usize]| product::union(x, y).len() > out.len();
            let work = |x: &[usize], y: &[usize], out: &[usize]| {
                if contracts(x, y, out) { 0 } else { p.size(out.to_vec()) }
            };
            let scalings =
                work(&f[i].subscripts, &f[j].subscripts, &kept).saturating_add(work(&kept, &rest.subscripts, &p.out));
            p.size(kept.clone()) <= largest
                && u128::from(cost(i, j)) * 100 <= u128::from(best) * u128::from(effort::MORE_OPERATIONS)
                && (now == 0 || rest.scalar() || scalings < now)
        })
        .collect()
}
