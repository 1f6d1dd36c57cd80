//! The softmax over scores, followed from its result to the contraction of queries and keys.

use super::steps::{before, of_rank, same};
use crate::effort;
use crate::extend::algebra::graph::Algebra;
use meshloom_certify::kernels::UNSEEN;
use meshloom_ir::table::composite::Attention;
use meshloom_ir::{Arithmetic, DType, Def, Einsum, Literal, Op, OpData, OpId, Reduction, ValueId};
use std::collections::BTreeMap;

/// A softmax over the scores of queries and keys.
pub struct Softmax {
    pub form: &'static Attention,
    /// Where its operands have 16 bits and scores do not.
    pub narrow: Option<Narrow>,
    /// The division, and what it gives.
    pub quotient: OpId,
    pub p: ValueId,
    pub e: ValueId,
    pub scores: ValueId,
    /// Subscripts of the dims of these; keys come last.
    pub dims: String,
    /// By row: what is taken out, and the sum of exponentials.
    pub top: ValueId,
    pub sum: ValueId,
    /// Where the scores come from.
    pub from: ScoreContraction,
    /// By which op each of these comes about, where there are several.
    pub by: Vec<(ValueId, OpId)>,
}

/// Queries and keys as they are given, before they are widened, and their type, to which probabilities are rounded.
#[derive(Clone, Copy)]
pub struct Narrow {
    pub dtype: DType,
    pub q: ValueId,
    pub k: ValueId,
}

/// The contraction of queries and keys that scores are made of.
pub struct ScoreContraction {
    pub dot: OpId,
    /// Subscripts of its result.
    pub dims: String,
    /// Its operands with their dims.
    pub q: (ValueId, String),
    pub k: (ValueId, String),
    pub scale: f64,
    pub causal: bool,
}

impl Softmax {
    /// That which gives `p` in the region of `at`, or what `p` rounds to 16 bits.
    pub fn of(a: &Algebra<'_>, at: OpId, p: ValueId) -> Option<Softmax> {
        let Some(dtype) = Some(a.ty(p).dtype).filter(|t| matches!(t, DType::BF16 | DType::F16)) else {
            return Softmax::wide(a, at, p);
        };
        let wide = a.definitions(p).into_iter().find_map(|d| widened(a, p, d));
        let s = Softmax::wide(a, at, wide?)?;
        let given = |v: ValueId| {
            let of = |d: OpId| widened(a, v, d).filter(|&x| a.ty(x).dtype == dtype);
            a.definitions(v).into_iter().find_map(of)
        };
        let narrow = Some(Narrow { dtype, q: given(s.from.q.0)?, k: given(s.from.k.0)? });
        Some(Softmax { narrow, ..s })
    }

    fn wide(a: &Algebra<'_>, at: OpId, p: ValueId) -> Option<Softmax> {
        let rank = a.shape(p).len();
        let form = of_rank(rank)?;
        if !a.ty(p).dtype.is_float() {
            return None;
        }
        a.definitions(p).into_iter().find_map(|d| {
            let [e, below] = elem(a, d, Arithmetic::Divide)?[..] else { return None };
            let sums = |m: &OpData| match &m.op {
                Op::Reduce { kind: Reduction::Sum, dims } => {
                    (dims[..] == [rank - 1] && a.same(m.operands[0], e)).then_some(())
                }
                _ => None,
            };
            let (sum, total) = rows(a, below).into_iter().find_map(|x| {
                let mut all = a.definitions(x).into_iter();
                Some((x, all.find(|&m| sums(a.op(m)).is_some())?))
            })?;
            let (scores, top, mut by) = a.definitions(e).into_iter().find_map(|m| {
                let [x] = elem(a, m, Arithmetic::Exponential)?[..] else { return None };
                a.definitions(x).into_iter().find_map(|n| {
                    let [scores, top] = elem(a, n, Arithmetic::Subtract)?[..] else { return None };
                    Some((scores, *rows(a, top).last()?, vec![(e, m), (x, n), (sum, total)]))
                })
            })?;
            let (from, dims) = product(a, form, scores, &(0..rank).collect::<Vec<_>>(), &mut by, 0)?;
            let s = Softmax { form, narrow: None, quotient: d, p, e, scores, dims, top, sum, from, by };
            (a.op(s.from.dot).parent == a.op(at).parent).then_some(s)
        })
    }

    /// Subscripts of what stands by row.
    pub fn row(&self) -> &str {
        &self.dims[..self.dims.len() - 1]
    }
}

/// Goes from the scores, or what they are made of, to the contraction. Dim `i` of `v` is dim `at[i]` of the scores, whose subscripts come with it.
fn product(
    a: &Algebra<'_>,
    form: &Attention,
    v: ValueId,
    at: &[usize],
    by: &mut Vec<(ValueId, OpId)>,
    depth: usize,
) -> Option<(ScoreContraction, String)> {
    if depth > effort::STEPS {
        return None;
    }
    for d in a.definitions(v) {
        let data = a.op(d);
        let within = by.len();
        by.push((v, d));
        let mut on = |x: ValueId, at: &[usize]| product(a, form, x, at, by, depth + 1);
        let found = match (&data.op, &data.operands[..]) {
            (Op::DotGeneral(e), &[x, y]) if e.to.is_none() => named(form, e, at).and_then(|(subscripts, dims)| {
                let read = |c: &[char]| c.iter().map(|c| subscripts.get(c)).collect::<Option<String>>();
                let (x, y) = ((x, read(&e.operands[0])?), (y, read(&e.operands[1])?));
                let (q, k) = if x.1.contains('s') { (x, y) } else { (y, x) };
                let fits = same(&q.1, form.q) && same(&k.1, form.k);
                let of = ScoreContraction { dot: d, dims: read(&e.result)?, q, k, scale: 1.0, causal: false };
                fits.then_some((of, dims))
            }),
            (Op::Transpose { perm }, &[x]) => {
                let mut inner = vec![0; perm.len()];
                perm.iter().zip(at).for_each(|(&p, &i)| inner[p] = i);
                on(x, &inner)
            }
            (op, &[x, y]) if op.arithmetic() == Arithmetic::Multiply => {
                let scaled = number(a, y).map(|n| (x, n)).or_else(|| Some((y, number(a, x)?)));
                scaled.and_then(|(x, n)| {
                    let (from, dims) = on(x, at)?;
                    Some((ScoreContraction { scale: from.scale * n, ..from }, dims))
                })
            }
            (op, &[x, y]) if op.arithmetic() == Arithmetic::Divide => number(a, y).and_then(|n| {
                let (from, dims) = on(x, at)?;
                Some((ScoreContraction { scale: from.scale / n, ..from }, dims))
            }),
            // What a query does not see is so far below that its exponential is 0.
            (op, &[mask, x, low])
                if op.arithmetic() == Arithmetic::Select
                    && number(a, low).is_some_and(|n| n <= UNSEEN)
                    && fixed(a, mask, 0) =>
            {
                on(x, at).map(|(from, dims)| (ScoreContraction { causal: true, ..from }, dims))
            }
            _ => None,
        };
        if found.is_some() {
            return found;
        }
        by.truncate(within);
    }
    None
}

/// What the subscripts of a contraction of queries and keys are, and those of the scores that it gives, whose last dim are the keys:
/// dim `i` of its result is dim `at[i]` of these.
fn named(form: &Attention, e: &Einsum, at: &[usize]) -> Option<(BTreeMap<char, char>, String)> {
    let rank = form.scores.len();
    let subscript = |dim: usize| at.iter().position(|&i| i == dim).and_then(|i| e.result.get(i)).copied();
    let key = subscript(rank - 1)?;
    let k = e.operands.iter().position(|o| o.contains(&key))?;
    let (k, q) = (&e.operands[k], &e.operands[1 - k]);
    let mut subscripts = BTreeMap::from([(key, 't')]);
    // Of two dims that only queries have, positions stand beside those of keys.
    let (mut heads, mut queries) = ("bh".chars(), "sg".chars());
    for dim in (0..rank - 1).rev() {
        let c = subscript(dim)?;
        if !k.contains(&c) {
            subscripts.insert(c, queries.next()?);
        }
    }
    for dim in 0..rank - 1 {
        let c = subscript(dim)?;
        if k.contains(&c) {
            subscripts.insert(c, heads.next()?);
        }
    }
    let summed: Vec<char> = q.iter().copied().filter(|c| k.contains(c) && !e.result.contains(c)).collect();
    let [element] = summed[..] else { return None };
    subscripts.insert(element, 'd');
    let dims = (0..rank).map(|i| subscripts.get(&subscript(i)?).copied()).collect::<Option<String>>()?;
    Some((subscripts, dims))
}

/// What `d`, which defines `v`, converts between 16 bits and f32.
fn widened(a: &Algebra<'_>, v: ValueId, d: OpId) -> Option<ValueId> {
    let Op::Convert { .. } = a.op(d).op else { return None };
    let x = a.op(d).operands[0];
    let types = [a.ty(v).dtype, a.ty(x).dtype];
    let narrow = |t: &DType| matches!(t, DType::BF16 | DType::F16);
    (types.contains(&DType::F32) && types.iter().any(narrow)).then_some(x)
}

/// The operands of an elementwise op that is this.
pub fn elem(a: &Algebra<'_>, o: OpId, arithmetic: Arithmetic) -> Option<Vec<ValueId>> {
    let d = a.op(o);
    (d.op.arithmetic() == arithmetic).then(|| d.operands.clone())
}

/// The number that `v` has everywhere.
pub fn number(a: &Algebra<'_>, v: ValueId) -> Option<f64> {
    number_within(a, v, 0)
}

fn number_within(a: &Algebra<'_>, v: ValueId, depth: usize) -> Option<f64> {
    let v = outside(a, v);
    if let Some(Literal::Splat(s)) = a.splat(v) {
        return Some(s.as_f64());
    }
    let inner = |x: ValueId| number_within(a, x, depth + 1);
    a.definitions(v).into_iter().filter(|_| depth < effort::MASK_OPS).find_map(|d| {
        match (&a.op(d).op, &a.op(d).operands[..]) {
            (Op::Broadcast { .. } | Op::Reshape { .. }, &[x]) => inner(x),
            (op, &[x]) if op.arithmetic() == Arithmetic::Root && a.shape(x).is_empty() => inner(x).map(f64::sqrt),
            _ => None,
        }
    })
}

/// What a value is outside of the loops that are given it as it is.
pub fn outside(a: &Algebra<'_>, mut v: ValueId) -> ValueId {
    let func = a.func();
    while let Def::Arg(r, i) = func.value(v).def
        && let Some(data) = func.region(r).owner.map(|o| func.op(o))
        && let Op::Repeat { carries, xs, .. } = data.op
        && i as usize >= carries + xs
    {
        v = data.operands[i as usize];
    }
    v
}

/// Whether `v` depends on no input.
pub fn fixed(a: &Algebra<'_>, v: ValueId, depth: usize) -> bool {
    let v = outside(a, v);
    let made = |d: OpId| a.op(d).operands.iter().all(|&x| fixed(a, x, depth + 1));
    depth < effort::MASK_OPS && a.definitions(v).into_iter().min().is_some_and(made)
}

/// What stands by row in `v`, whose last dim repeats it: each way to have it, the nearest first.
pub fn rows(a: &Algebra<'_>, v: ValueId) -> Vec<ValueId> {
    let shape = a.shape(v).to_vec();
    let row = &shape[..shape.len() - 1];
    let in_order = |dims: &[usize]| dims.iter().enumerate().all(|(i, &d)| i == d);
    // A row, or one with a dim of size 1 behind it.
    let fits = |s: &[u64]| s == row || s.split_last().is_some_and(|(&n, s)| n == 1 && s == row);
    let mut found = vec![v];
    let mut at = 0;
    while at < found.len() && found.len() < 2 * effort::STEPS {
        for d in a.definitions(found[at]) {
            let data = a.op(d);
            let moves = match &data.op {
                Op::Broadcast { dims, .. } => in_order(dims),
                Op::Reshape { .. } => true,
                _ => false,
            };
            if moves && fits(a.shape(data.operands[0])) && !found.contains(&data.operands[0]) {
                found.push(data.operands[0]);
            }
        }
        at += 1;
    }
    found.retain(|&x| a.shape(x) == row);
    found
}

/// The product with the softmax or its exponentials that `v`, whose dims are `dims`, is a scaling, a mask and a transpose of; by which
/// ops, in `steps`.
pub fn unscaled(
    a: &Algebra<'_>,
    s: &Softmax,
    v: ValueId,
    dims: &str,
    steps: &mut Vec<(ValueId, OpId)>,
) -> Option<OpId> {
    if steps.len() > effort::STEPS {
        return None;
    }
    a.definitions(v).into_iter().find_map(|d| {
        let (next, dims) = match (&a.op(d).op, &a.op(d).operands[..]) {
            (Op::Transpose { perm }, &[x]) => Some((x, before(perm, dims))),
            (op @ Op::Elem(_), operands) => {
                let next = match (op.arithmetic(), operands) {
                    (Arithmetic::Multiply, &[x, y]) => {
                        let softmax = |v: ValueId| a.same(v, s.p) || a.same(v, s.e);
                        if dims == s.dims && (softmax(x) || softmax(y)) {
                            return Some(d);
                        }
                        let (x, by) = if number(a, y).is_some() { (x, y) } else { (y, x) };
                        number(a, by).map(|_| x)
                    }
                    (Arithmetic::Divide, &[x, y]) => number(a, y).map(|_| x),
                    (Arithmetic::Select, &[mask, x, zero]) if number(a, zero) == Some(0.0) && fixed(a, mask, 0) => {
                        Some(x)
                    }
                    _ => None,
                };
                next.map(|x| (x, dims.to_string()))
            }
            _ => None,
        }?;
        steps.push((v, d));
        let found = unscaled(a, s, next, &dims, steps);
        if found.is_none() {
            steps.pop();
        }
        found
    })
}
