//! The composite of the gradient of attention.

use super::body::body;
use super::forward::{RecognisedAttention, attention, attributes};
use super::softmax::{Softmax, unscaled};
use super::steps::{after, dot, make, row_sums, same, turned, wide};
use crate::effort;
use crate::extend::algebra::graph::Algebra;
use crate::extend::algebra::law;
use meshloom_ir::{DType, Literal, Op, OpId, Scalar, ValueId};
use std::collections::BTreeMap;

/// An op, and the dims of what it gives.
#[derive(Clone)]
struct Gives {
    op: OpId,
    dims: String,
}

/// The four contractions that the gradient of attention is made of beside that of values.
struct Parts {
    /// Of the probabilities: from the gradient of the result and the values, which are here with their dims.
    d_p: Gives,
    v: (ValueId, String),
    /// The gradient of scores, with its dims, which these read.
    d_scores: (ValueId, String),
    d_q: Gives,
    d_k: Gives,
}

impl Parts {
    /// Of the gradient `x` of an attention's result, in the region of `o`.
    fn of(a: &Algebra<'_>, o: OpId, s: &Softmax, x: ValueId, x_dims: &str) -> Option<Parts> {
        let region = a.op(o).parent;
        let here = |v: ValueId| a.readers(v).into_iter().filter(|&r| a.op(r).parent == region).collect::<Vec<OpId>>();
        let (form, q, k) = (s.form, &s.from.q, &s.from.k);
        let (d_p, v) = here(x).into_iter().find_map(|r| {
            let (v, dims, to) = contraction(a, r, x, x_dims)?;
            (same(&to, form.scores) && same(&dims, form.v)).then_some((Gives { op: r, dims: to }, (v, dims)))
        })?;
        // Both read the gradient of the scores, which is scaled and masked as the scores are.
        here(q.0).into_iter().find_map(|r| {
            let (ds, ds_dims, d_k) = contraction(a, r, q.0, &q.1)?;
            if !same(&ds_dims, form.scores) || !same(&d_k, form.k) {
                return None;
            }
            let d_q = here(ds).into_iter().find_map(|r| {
                let (other, dims, to) = contraction(a, r, ds, &ds_dims)?;
                (a.same(other, k.0) && dims == k.1 && same(&to, form.q)).then_some(Gives { op: r, dims: to })
            })?;
            let d_k = Gives { op: r, dims: d_k };
            Some(Parts { d_p: d_p.clone(), v: v.clone(), d_scores: (ds, ds_dims), d_q, d_k })
        })
    }
}

/// `o` contracts the softmax with the gradient of the attention's result, `x`, over queries: the gradient of values.
pub fn equate(a: &mut Algebra<'_>, o: OpId, s: &Softmax, x: ValueId, x_dims: &str, result_dims: &str) -> Option<()> {
    let form = s.form;
    let parts = Parts::of(a, o, s, x, x_dims)?;
    let d_scores = &parts.d_scores;
    let mut steps = Vec::new();
    let inner = unscaled(a, s, d_scores.0, &d_scores.1, &mut steps)?;

    let v = turned(a, o, parts.v.0, &parts.v.1, form.v)?;
    let found = attention(a, o, s, v)?;
    let d_out = turned(a, o, x, x_dims, form.out)?;
    let product = dot(a, o, [form.out, form.v, &s.dims], d_out, v)?;
    let own = a.op(parts.d_p.op).results[0];
    let own = turned(a, o, own, &parts.d_p.dims, &s.dims)?;
    a.equate(a.func().def_op(own)?, Some(product), law::DIMS);
    // As the program has it, put together.
    let wide_type = Op::Convert { to: a.ty(s.p).dtype };
    let dp = a.make(o, wide_type.clone(), &[product])?;
    let both = make(a, o, "multiply", &[s.p, dp])?;
    let sums = row_sums(a, o, both)?;
    let below = wide(a, o, sums, dp)?;
    let centred = make(a, o, "subtract", &[dp, below])?;
    let whole = make(a, o, "multiply", &[s.p, centred])?;
    a.equate(inner, Some(whole), law::QUOTIENT);
    let Taken { row, small, result } = taken(a, o, s, &found, d_out, sums)?;
    let below = wide(a, o, row, dp)?;
    let centred = make(a, o, "subtract", &[dp, below])?;
    let ds = make(a, o, "multiply", &[found.p, centred])?;
    if s.narrow.is_none() {
        a.equate(inner, Some(ds), law::CONGRUENCE);
    }
    let mut by = found.by(a, s)?;
    let own = [(product, product), (whole, ds), (row, row), (small, small), (found.row, found.row)];

    let [q, k] = [found.q, found.k].map(|x| a.make(o, wide_type.clone(), &[x]));
    let dq = dot(a, o, [&d_scores.1, form.k, form.q], d_scores.0, k?)?;
    let dk = dot(a, o, [&d_scores.1, form.q, form.k], d_scores.0, q?)?;
    let p = a.make(o, Op::Convert { to: a.ty(d_out).dtype }, &[found.p])?;
    let dv = dot(a, o, [&s.dims, form.out, form.v], p, d_out)?;
    let back = turned(a, o, dv, form.v, result_dims)?;
    a.equate(o, Some(back), law::DIMS);
    let mut places = vec![back];
    let dq = placed(a, o, dq, form.q, &parts.d_q, a.ty(found.q).dtype, &mut places)?;
    let dk = placed(a, o, dk, form.k, &parts.d_k, a.ty(found.k).dtype, &mut places)?;
    if a.composed(dq, &[]).is_none() {
        let inputs = [found.q, found.k, found.v, result, found.log_sum, d_out];
        for (v, by_op_of) in own {
            by.push((v, a.func().def_op(by_op_of)?));
        }
        by.extend(steps);
        let body = body(a, &inputs, &[dq, dk, dv], &by)?;
        a.composite(o, form.gradient, attributes(s), body);
    }
    places.into_iter().for_each(|v| a.prefer(v));
    Some(())
}

/// What the gradient of scores takes out of its rows.
struct Taken {
    /// As scores have it.
    row: ValueId,
    /// From the attention's result and its gradient.
    small: ValueId,
    /// The attention's result.
    result: ValueId,
}

/// By row, `sum (d_out out)` for `sums`, which are `sum (p d_p)`.
fn taken(
    a: &mut Algebra<'_>,
    o: OpId,
    s: &Softmax,
    found: &RecognisedAttention,
    d_out: ValueId,
    sums: ValueId,
) -> Option<Taken> {
    let to = a.ty(s.p).dtype;
    let (x, y) = (a.make(o, Op::Convert { to }, &[d_out])?, a.make(o, Op::Convert { to }, &[found.out])?);
    let both = make(a, o, "multiply", &[x, y])?;
    let small = row_sums(a, o, both)?;
    let row = turned(a, o, small, s.form.rows, s.row())?;
    if s.narrow.is_none() {
        a.equate(a.func().def_op(sums)?, Some(row), law::ORDER);
        return Some(Taken { row, small, result: found.out });
    }
    // Only nearly the same. The body names the one and has the other; that the result is the composite's, it cannot say.
    let result = a.composed(found.out, &[found.q, found.k, found.v])?;
    let (shape, value) = (a.shape(row).to_vec(), Literal::Splat(Scalar::of(DType::Bool, 0.0)));
    let never = a.make(o, Op::Constant { dtype: DType::Bool, shape, value }, &[])?;
    let row = make(a, o, "select", &[never, row, sums])?;
    a.claim(row, sums, law::SELECT);
    Some(Taken { row, small, result })
}

/// Equates what `from` gives with `x`, whose dims are `dims`. What `x` is in the type `to` of what it is the gradient of, as the program has
/// it: conversions of transposes of what `from` gives are transposes of this, which go to `places`.
fn placed(
    a: &mut Algebra<'_>,
    o: OpId,
    x: ValueId,
    dims: &str,
    from: &Gives,
    to: DType,
    places: &mut Vec<ValueId>,
) -> Option<ValueId> {
    let narrow = a.make(o, Op::Convert { to }, &[x])?;
    let region = a.op(o).parent;
    let mut turns = vec![(from.clone(), law::DIMS)];
    let (mut next, before) = (0, places.len());
    while let Some((Gives { op: r, dims: own }, law)) = turns.get(next).filter(|_| next < effort::STEPS).cloned() {
        next += 1;
        let back = turned(a, o, x, dims, &own)?;
        if narrow == x {
            a.equate(r, Some(back), law);
            places.push(back);
            break;
        }
        // While the one is nothing but a transpose: once it is all that the program makes it, proofs have too much to try.
        let (place, converted) = (turned(a, o, narrow, dims, &own)?, a.make(o, Op::Convert { to }, &[back])?);
        if !a.same(converted, place) {
            a.equate(a.func().def_op(place)?, Some(converted), law::ELEMENTWISE);
        }
        a.equate(r, Some(back), law);
        for r in a.readers(back).into_iter().filter(|&r| a.op(r).parent == region).collect::<Vec<OpId>>() {
            match &a.op(r).op {
                Op::Transpose { perm } => {
                    let turn = (Gives { op: r, dims: after(perm, &own)? }, law::MOVES);
                    if !turns.iter().any(|(t, _)| a.same(a.op(t.op).results[0], a.op(r).results[0])) {
                        turns.push(turn);
                    }
                }
                Op::Convert { to: t } if *t == to && a.given(r) => places.push(place),
                _ => {}
            }
        }
    }
    (places.len() > before).then_some(narrow)
}

/// What contraction `r` reads beside `x`, whose dims have these names: the other operand, its dims, and the result's. The dim that `x`
/// has not is the one of scores that is missing, or that of a head's elements.
fn contraction(a: &Algebra<'_>, r: OpId, x: ValueId, x_dims: &str) -> Option<(ValueId, String, String)> {
    let d = a.op(r);
    let Op::DotGeneral(e) = &d.op else { return None };
    let i = d.operands.iter().position(|&y| a.same(x, y)).filter(|_| e.to.is_none())?;
    let mut names: BTreeMap<char, char> = e.operands[i].iter().copied().zip(x_dims.chars()).collect();
    let new: Vec<char> = e.operands[1 - i].iter().copied().filter(|c| !names.contains_key(c)).collect();
    let [own] = new[..] else { return None };
    names.insert(own, ['t', 'd'].into_iter().find(|c| !x_dims.contains(*c))?);
    let read = |subscripts: &[char]| subscripts.iter().map(|c| names.get(c)).collect::<Option<String>>();
    Some((d.operands[1 - i], read(&e.operands[1 - i])?, read(&e.result)?))
}
