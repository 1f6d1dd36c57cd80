//! The composite of a softmax and values.

use super::body::body;
use super::softmax::Softmax;
use super::steps::{dot, make, turned, wide};
use crate::extend::algebra::graph::Algebra;
use crate::extend::algebra::law;
use meshloom_ir::op::Attr;
use meshloom_ir::{Op, OpId, ValueId};
use std::collections::BTreeMap;

/// An attention as a composite, and what of it the gradient goes by.
pub struct RecognisedAttention {
    pub q: ValueId,
    pub k: ValueId,
    pub v: ValueId,
    /// The probabilities by their log-sum-exp, their dims as the program has them.
    pub p: ValueId,
    /// Of queries and keys as the composite has them.
    product: ValueId,
    /// As the composite gives it, and as it is taken out of scores.
    pub log_sum: ValueId,
    pub row: ValueId,
    pub out: ValueId,
}

/// `o` contracts the softmax with the values `x`.
pub fn equate(a: &mut Algebra<'_>, o: OpId, s: &Softmax, x: ValueId, x_dims: &str, result: &str) -> Option<()> {
    let v = turned(a, o, x, x_dims, s.form.v)?;
    let found = attention(a, o, s, v)?;
    let back = turned(a, o, found.out, s.form.out, result)?;
    a.equate(o, Some(back), law::DIMS);
    a.prefer(back);
    Some(())
}

/// The composite for a softmax and values, beside `at`.
pub fn attention(a: &mut Algebra<'_>, at: OpId, s: &Softmax, v: ValueId) -> Option<RecognisedAttention> {
    let (form, from) = (s.form, &s.from);
    let given = s.narrow.map_or([from.q.0, from.k.0], |n| [n.q, n.k]);
    let q = turned(a, at, given[0], &from.q.1, form.q)?;
    let k = turned(a, at, given[1], &from.k.1, form.k)?;
    if a.ty(q).dtype != a.ty(v).dtype {
        return None;
    }
    if !form.grouped && a.shape(q).last() != a.shape(v).last() {
        return None;
    }
    let to = a.ty(s.scores).dtype;
    let (wide_q, wide_k) = (a.make(at, Op::Convert { to }, &[q])?, a.make(at, Op::Convert { to }, &[k])?);
    let product = dot(a, at, [form.q, form.k, &from.dims], wide_q, wide_k)?;
    a.equate(from.dot, Some(product), law::DIMS);
    let log = make(a, at, "log", &[s.sum])?;
    let own = make(a, at, "add", &[log, s.top])?;
    let log_sum = turned(a, at, own, s.row(), form.rows)?;
    let row = turned(a, at, log_sum, form.rows, s.row())?;
    let below = wide(a, at, row, s.scores)?;
    let shifted = make(a, at, "subtract", &[s.scores, below])?;
    let p = make(a, at, "exponential", &[shifted])?;
    a.equate(s.quotient, Some(p), law::EXPONENTIAL);
    // Rounded as the program has it, so that the body is the program's to the last op.
    let to = s.narrow.map_or(to, |n| n.dtype);
    let rounded = a.make(at, Op::Convert { to }, &[p])?;
    let out = dot(a, at, [&s.dims, form.v, form.out], rounded, v)?;
    let found = RecognisedAttention { q, k, v, p, product, log_sum, row, out };
    if a.composed(out, &[]).is_none() {
        let by = found.by(a, s)?;
        let body = body(a, &[q, k, v], &[out, log_sum], &by)?;
        a.composite(at, form.name, attributes(s), body);
    }
    Some(found)
}

pub fn attributes(s: &Softmax) -> BTreeMap<String, Attr> {
    let Softmax { from, .. } = s;
    [("causal".to_string(), Attr::Bool(from.causal)), ("scale".to_string(), Attr::Float(from.scale.to_bits()))].into()
}

impl RecognisedAttention {
    /// By which ops its body is computed: the product as the composite has it, probabilities by their log-sum-exp.
    pub fn by(&self, a: &Algebra<'_>, s: &Softmax) -> Option<Vec<(ValueId, OpId)>> {
        let own = [self.product, self.p].map(|v| Some((v, a.func().def_op(v)?)));
        own.into_iter().chain(s.by.iter().copied().map(Some)).collect()
    }
}
