//! The composite of the gradient of attention.

use super::body::body;
use super::forward::{attention, attributes};
use super::softmax::{Softmax, unscaled};
use super::{KEYS, VALUES, dot, make, row_sums, same, turned, wide};
use crate::extend::algebra::graph::Algebra;
use crate::extend::algebra::law;
use meshloom_ir::{Op, OpId, ValueId};
use std::collections::BTreeMap;

/// The four contractions that the gradient of attention is made of beside that of values.
struct Parts {
    /// Of the probabilities: from the gradient of the result and the values. With the dims of its result and of the values.
    d_p: (OpId, String),
    v: (ValueId, String),
    /// The gradient of scores, which these read; theirs with the dims of their results.
    d_scores: (ValueId, String),
    d_q: (OpId, String),
    d_k: (OpId, String),
}

impl Parts {
    /// Of the gradient `x` of an attention's result, in the region of `o`.
    fn of(a: &Algebra<'_>, o: OpId, s: &Softmax, x: ValueId, x_dims: &str) -> Option<Parts> {
        let region = a.op(o).parent;
        let here = |v: ValueId| a.readers(v).into_iter().filter(|&r| a.op(r).parent == region).collect::<Vec<OpId>>();
        let (form, q, k) = (s.form, &s.from.q, &s.from.k);
        let (d_p, v) = here(x).into_iter().find_map(|r| {
            let (v, dims, to) = contraction(a, r, x, x_dims)?;
            (same(&to, form.scores) && same(&dims, VALUES)).then_some(((r, to), (v, dims)))
        })?;
        // Both read the gradient of the scores, which is scaled and masked as the scores are.
        here(q.0).into_iter().find_map(|r| {
            let (ds, ds_dims, d_k) = contraction(a, r, q.0, &q.1)?;
            if !same(&ds_dims, form.scores) || !same(&d_k, KEYS) {
                return None;
            }
            let d_q = here(ds).into_iter().find_map(|r| {
                let (other, dims, to) = contraction(a, r, ds, &ds_dims)?;
                (a.same(other, k.0) && dims == k.1 && same(&to, form.q)).then_some((r, to))
            })?;
            Some(Parts { d_p: d_p.clone(), v: v.clone(), d_scores: (ds, ds_dims), d_q, d_k: (r, d_k) })
        })
    }
}

/// `o` contracts the softmax with the gradient of the attention's result, `x`, over queries: the gradient of values.
pub fn equate(a: &mut Algebra<'_>, o: OpId, s: &Softmax, x: ValueId, x_dims: &str, result: &str) -> Option<()> {
    let form = s.form;
    let parts = Parts::of(a, o, s, x, x_dims)?;
    let d_scores = &parts.d_scores;
    let mut steps = Vec::new();
    let inner = unscaled(a, s, d_scores.0, &d_scores.1, &mut steps)?;

    let v = turned(a, o, parts.v.0, &parts.v.1, VALUES)?;
    let found = attention(a, o, s, v)?;
    let d_out = turned(a, o, x, x_dims, form.out)?;
    let dp = dot(a, o, [form.out, VALUES, &s.dims], d_out, v)?;
    let own = a.op(parts.d_p.0).results[0];
    let own = turned(a, o, own, &parts.d_p.1, &s.dims)?;
    a.equate(a.func().def_op(own)?, Some(dp), law::DIMS);
    // As the program has it, put together; then with the row sums from what is smaller.
    let both = make(a, o, "multiply", &[s.p, dp])?;
    let sums = row_sums(a, o, both)?;
    let below = wide(a, o, sums, dp)?;
    let centred = make(a, o, "subtract", &[dp, below])?;
    let whole = make(a, o, "multiply", &[s.p, centred])?;
    a.equate(inner, Some(whole), law::QUOTIENT);
    let both = make(a, o, "multiply", &[d_out, found.out])?;
    let small = row_sums(a, o, both)?;
    let row = turned(a, o, small, form.rows, s.row())?;
    a.equate(a.func().def_op(sums)?, Some(row), law::ORDER);
    let below = wide(a, o, row, dp)?;
    let centred = make(a, o, "subtract", &[dp, below])?;
    let ds = make(a, o, "multiply", &[found.p, centred])?;
    a.equate(inner, Some(ds), law::CONGRUENCE);

    let dq = dot(a, o, [&d_scores.1, KEYS, form.q], d_scores.0, found.k)?;
    let dk = dot(a, o, [&d_scores.1, form.q, KEYS], d_scores.0, found.q)?;
    let dv = dot(a, o, [&s.dims, form.out, VALUES], found.p, d_out)?;
    for (op, canonical, from, to) in [
        (parts.d_q.0, dq, form.q, parts.d_q.1.as_str()),
        (parts.d_k.0, dk, KEYS, parts.d_k.1.as_str()),
        (o, dv, VALUES, result),
    ] {
        let back = turned(a, o, canonical, from, to);
        a.equate(op, back, law::DIMS);
    }
    if !a.composed(dq) {
        let inputs = [found.q, found.k, found.v, found.out, found.log_sum, d_out];
        let mut by = found.by(a, s)?;
        for v in [ds, row, small, found.row] {
            by.push((v, a.func().def_op(v)?));
        }
        by.extend(steps);
        let body = body(a, &inputs, &[dq, dk, dv], &by)?;
        a.composite(o, form.gradient, attributes(s), body);
    }
    Some(())
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
    let read = |letters: &[char]| letters.iter().map(|c| names.get(c)).collect::<Option<String>>();
    Some((d.operands[1 - i], read(&e.operands[1 - i])?, read(&e.result)?))
}
