//! Rules of linear combinations: a contraction goes into the terms of a sum, or out of them.

use super::graph::{Algebra, Rule};
use super::law;
use super::product::{self, Factor, Product, Subscript, build_one, build_two};
use crate::effort;
use meshloom_ir::einsum::ContractionOp;
use meshloom_ir::{Arithmetic, Op, OpId, ValueId};

pub const RULES: &[Rule] = &[
    Rule {
        name: "distribute",
        about: "x (w + a b) = x w + x (a b), if a term is a contraction that then takes fewer operations, and all together not \
                a twentieth more; a sum of a sum, if every term has one that is cheaper",
        reassociates: true,
        apply: distribute,
    },
    Rule {
        name: "factor",
        about: "a x + b x = (a + b) x, scaled terms and longer sums included",
        reassociates: true,
        apply: factor,
    },
];

/// One term of a sum: a value, added or subtracted.
#[derive(Clone, Copy, Debug)]
struct Term {
    value: ValueId,
    minus: bool,
}

/// The terms of an add, subtract or negate.
fn terms(a: &Algebra<'_>, o: OpId) -> Option<Vec<Term>> {
    let d = a.op(o);
    if !a.ty(d.results[0]).dtype.is_float() {
        return None;
    }
    let term = |value: ValueId, minus: bool| Term { value, minus };
    match (d.op.arithmetic(), &d.operands[..]) {
        (Arithmetic::Add, &[x, y]) => Some(vec![term(x, false), term(y, false)]),
        (Arithmetic::Subtract, &[x, y]) => Some(vec![term(x, false), term(y, true)]),
        (Arithmetic::Negate, &[x]) => Some(vec![term(x, true)]),
        _ => None,
    }
}

/// The same, with sums that nothing else reads taken apart: else a residual stream would become quadratic in depth.
fn flat_terms(a: &Algebra<'_>, o: OpId) -> Option<Vec<Term>> {
    let mut out = terms(a, o)?;
    let mut i = 0;
    while i < out.len() {
        let t = out[i];
        let inner = a.definitions(t.value).into_iter().find_map(|m| terms(a, m));
        match inner {
            Some(inner) if a.uses(t.value) <= 1 && out.len() + inner.len() - 1 <= effort::SUM_TERMS => {
                let inner = inner.into_iter().map(|u| Term { minus: u.minus != t.minus, ..u });
                out.splice(i..=i, inner);
            }
            _ => i += 1,
        }
    }
    Some(out)
}

/// Whether a sum has more than [`effort::SUM_TERMS`] terms, once inner sums that nothing else reads are taken apart. Such a sum stays as
/// it is, since the forms of its parts would multiply. A convolution that is written as a sum over shifts is an example.
fn is_long(a: &Algebra<'_>, o: OpId) -> bool {
    let mut open = vec![o];
    let mut count = 0;
    while let Some(o) = open.pop() {
        for t in terms(a, o).unwrap_or_default() {
            let inner = a.definitions(t.value).into_iter().find(|&m| a.given(m) && terms(a, m).is_some());
            match inner.filter(|_| a.uses(t.value) <= 1) {
                Some(inner) => open.push(inner),
                None => count += 1,
            }
            if count > effort::SUM_TERMS || open.len() > effort::SUM_TERMS {
                return true;
            }
        }
    }
    false
}

/// Adds terms up, those that are subtracted last.
fn sum(a: &mut Algebra<'_>, at: OpId, terms: &[Term]) -> Option<ValueId> {
    let (minus, plus): (Vec<Term>, Vec<Term>) = terms.iter().partition(|t| t.minus);
    let mut values = plus.into_iter();
    let (mut total, minus) = match values.next() {
        Some(first) => (first.value, &minus[..]),
        None => (a.make(at, Op::elem("negate")?, &[minus.first()?.value])?, &minus[1..]),
    };
    for t in values {
        total = a.make(at, Op::elem("add")?, &[total, t.value])?;
    }
    for t in minus {
        total = a.make(at, Op::elem("subtract")?, &[total, t.value])?;
    }
    Some(total)
}

fn distribute(a: &mut Algebra<'_>, o: OpId) {
    let outer = a.op(o).op.contraction();
    if !matches!(outer, Some(ContractionOp::Dot | ContractionOp::Sum)) {
        return;
    }
    let Some(p) = product::read(a, o) else { return };
    for k in 0..p.factors.len() {
        for m in a.definitions(p.factors[k].value) {
            let Some(terms) = terms(a, m).filter(|_| a.first("distribute", o, m)) else { continue };
            if is_long(a, m) {
                continue;
            }
            let worth = match outer {
                Some(ContractionOp::Dot) => worth_distributing(a, &p, k, &terms),
                _ => terms.iter().all(|t| sum_is_cheaper(a, &p, t.value)),
            };
            if !worth {
                continue;
            }
            let mut out = Vec::new();
            for t in terms {
                let mut q = p.clone();
                q.factors[k].value = t.value;
                let value = match &q.factors[..] {
                    [x] => build_one(a, o, &q, x, &q.out),
                    [x, y] => build_two(a, o, &q, x, y, &q.out),
                    _ => None,
                };
                let Some(value) = value else { return };
                a.settle(value);
                out.push(Term { value, ..t });
            }
            let form = sum(a, o, &out);
            a.equate(o, form, law::LINEAR);
        }
    }
}

/// Operations of `p`, and of it with factor `k` replaced by the definitions of `t` that are contractions, in the best order.
fn best_with(a: &Algebra<'_>, p: &Product, k: usize, t: ValueId) -> Option<(u64, u64)> {
    let contractions = a.definitions(t).into_iter().flat_map(|m| {
        // Through a scaling by a number.
        let inner = product::read(a, m).filter(|_| a.op(m).op.contraction() == Some(ContractionOp::Multiply));
        let scaled = inner.into_iter().flat_map(|q| {
            let scalar = q.factors.iter().any(Factor::scalar);
            q.factors.into_iter().filter(move |f| scalar && !f.scalar()).flat_map(|f| a.definitions(f.value))
        });
        scaled.chain([m]).collect::<Vec<_>>()
    });
    let contractions = contractions.filter(|&m| a.op(m).op.contraction() == Some(ContractionOp::Dot));
    let costs = contractions.filter_map(|m| {
        let inner = product::read(a, m)?;
        let q = p.compose(k, &inner);
        if q.factors.len() != 3 {
            return None;
        }
        let best = [(0, 1), (0, 2), (1, 2)].into_iter().map(|(i, j)| q.tree_cost(a, i, j)).min()?;
        Some((best, inner.size(0..inner.sizes.len()).saturating_mul(2)))
    });
    costs.min()
}

fn worth_distributing(a: &Algebra<'_>, p: &Product, k: usize, terms: &[Term]) -> bool {
    let dense = p.size(0..p.sizes.len()).saturating_mul(2);
    let (mut before, mut after, mut better) = (dense, 0u64, false);
    for t in terms {
        let cost = match best_with(a, p, k, t.value) {
            Some((best, inner)) => {
                before = before.saturating_add(inner);
                better |= best < dense;
                best.min(dense)
            }
            None => dense,
        };
        after = after.saturating_add(cost);
    }
    better && u128::from(after) * 100 <= u128::from(before) * 105
}

/// Whether the sum `p` of `t` is cheaper than that of any tensor: of what is repeated, or of a contraction.
fn sum_is_cheaper(a: &Algebra<'_>, p: &Product, t: ValueId) -> bool {
    let summed = |l: &Subscript| !p.out.contains(l);
    a.definitions(t).into_iter().any(|m| match a.op(m).op.contraction() {
        Some(ContractionOp::Dot) => true,
        Some(ContractionOp::Broadcast) => product::read(a, m).is_some_and(|q| {
            let all = &p.factors[0].subscripts;
            (0..all.len()).any(|d| summed(&all[d]) && !q.factors[0].has(q.out[d]))
        }),
        _ => false,
    })
}

/// A term of a sum as a scaled product: its number, if it has one, and what it scales.
struct Scaled {
    /// Which of the terms it is.
    term: usize,
    by: Option<ValueId>,
    product: Product,
}

fn scaled(a: &Algebra<'_>, terms: &[Term], term: usize) -> Vec<Scaled> {
    let mut out = Vec::new();
    for m in a.definitions(terms[term].value) {
        match a.op(m).op.contraction() {
            Some(ContractionOp::Dot) => {
                out.extend(product::read(a, m).map(|product| Scaled { term, by: None, product }));
            }
            Some(ContractionOp::Multiply) => {
                let Some(q) = product::read(a, m) else { continue };
                let Some(by) = q.factors.iter().position(Factor::scalar) else { continue };
                let (by, x) = (q.factors[by].value, &q.factors[1 - by]);
                let dots = a
                    .definitions(x.value)
                    .into_iter()
                    .filter(|&d| a.op(d).op.contraction() == Some(ContractionOp::Dot));
                out.extend(dots.filter_map(|d| Some(Scaled { term, by: Some(by), product: product::read(a, d)? })));
            }
            _ => {}
        }
    }
    out
}

fn factor(a: &mut Algebra<'_>, o: OpId) {
    let Some(terms) = flat_terms(a, o) else { return };
    for i in 0..terms.len() {
        for j in i + 1..terms.len() {
            for x in scaled(a, &terms, i) {
                for y in scaled(a, &terms, j) {
                    let pairs = [(0, 0), (0, 1), (1, 0), (1, 1)];
                    let common = pairs.into_iter().find_map(|(p, q)| aligned(a, &x.product, p, &y.product, q));
                    if let Some(common) = common {
                        put_together(a, o, &terms, &x, &y, &common);
                    }
                }
            }
        }
    }
}

/// Two products that differ in one factor: which is common to both, and the subscripts of the other one of `y` as `x` names them.
struct Common {
    factor: usize,
    other: usize,
    subscripts: Vec<Subscript>,
}

/// Whether factor `p` of `x` is factor `q` of `y`, and the others go with it in the same way.
fn aligned(a: &Algebra<'_>, x: &Product, p: usize, y: &Product, q: usize) -> Option<Common> {
    let ([_, _], [_, _]) = (&x.factors[..], &y.factors[..]) else { return None };
    let (mine, yours) = (&x.factors[1 - p], &y.factors[1 - q]);
    if !a.same(x.factors[p].value, y.factors[q].value) || a.same(mine.value, yours.value) || x.out.len() != y.out.len()
    {
        return None;
    }
    let mut names: Vec<(Subscript, Subscript)> = Vec::new();
    let there = y.out.iter().zip(&x.out).chain(y.factors[q].subscripts.iter().zip(&x.factors[p].subscripts));
    for (&from, &to) in there {
        if names.iter().any(|n| (n.0 == from) != (n.1 == to)) {
            return None;
        }
        names.push((from, to));
    }
    let name = |l: &Subscript| names.iter().find(|n| n.0 == *l).map(|n| n.1);
    let subscripts: Vec<Subscript> = yours.subscripts.iter().map(name).collect::<Option<_>>()?;
    let same_subscripts = subscripts.len() == mine.subscripts.len() && subscripts.iter().all(|l| mine.has(*l));
    same_subscripts.then_some(Common { factor: p, other: 1 - q, subscripts })
}

/// The sum of `terms` with `x` and `y` as one product: what they have in common times the sum of the others.
fn put_together(a: &mut Algebra<'_>, o: OpId, terms: &[Term], x: &Scaled, y: &Scaled, common: &Common) {
    let mine = x.product.factors[1 - common.factor].clone();
    let yours = Factor { subscripts: common.subscripts.clone(), ..y.product.factors[common.other].clone() };
    let (Some(d), Some(e)) = (a.func().def_op(mine.value).or(Some(o)), a.func().def_op(yours.value).or(Some(o))) else {
        return;
    };
    // Once per pair of definitions and of what they scale.
    if !a.first("factor", o, d) && !a.first("factor-with", d, e) {
        return;
    }
    let Some(u) = scale(a, o, mine.value, x.by) else { return };
    let Some(v) = build_one(a, o, &x.product, &yours, &mine.subscripts) else { return };
    let Some(v) = scale(a, o, v, y.by) else { return };
    let both = [Term { value: u, minus: terms[x.term].minus }, Term { value: v, minus: terms[y.term].minus }];
    let Some(both) = sum(a, o, &both) else { return };
    a.settle(both);
    let mut p = x.product.clone();
    p.factors[1 - common.factor].value = both;
    let Some(whole) = build_two(a, o, &p, &p.factors[0], &p.factors[1], &p.out) else { return };
    a.settle(whole);
    let others = terms.iter().enumerate().filter(|(k, _)| *k != x.term && *k != y.term);
    let mut rest: Vec<Term> = others.map(|(_, t)| *t).collect();
    rest.insert(0, Term { value: whole, minus: false });
    let form = sum(a, o, &rest);
    a.equate(o, form, law::LINEAR);
}

/// `x` times a number: a constant, or a tensor of rank 0.
fn scale(a: &mut Algebra<'_>, at: OpId, x: ValueId, by: Option<ValueId>) -> Option<ValueId> {
    let Some(by) = by else { return Some(x) };
    let shape = a.shape(x).to_vec();
    let c = match a.splat(by) {
        Some(value) => a.make(at, Op::Constant { dtype: a.ty(by).dtype, shape, value }, &[])?,
        None => a.make(at, Op::Broadcast { shape, dims: Vec::new() }, &[by])?,
    };
    a.make(at, Op::elem("multiply")?, &[x, c])
}
