//! The gradient of attention, as a composite: `attention_grad(q, k, v, out, lse, d_out) -> (dq, dk, dv)`. Its body is the
//! meaning that the interpreter runs and the certificate reads: the probabilities again from the scores and the kept
//! log-sum-exp, so nothing of size (queries x keys) is kept between the passes.
//!
//! Shapes: q `[.., s, d]`, k `[.., t, d]`, v `[.., t, e]`, out `[.., s, e]`, lse `[.., s]`.

use meshloom_ir::op::Attr;
use meshloom_ir::{Builder, DType, Einsum, Op, Reduction, ValueId};
use std::collections::BTreeMap;

/// Name of the composite.
pub const NAME: &str = "attention_grad";

/// Appends the composite for the operands (q, k, v, out, lse, d_out); `None` where the shapes are not those of attention.
pub fn gradient(b: &mut Builder, attrs: &BTreeMap<String, Attr>, operands: &[ValueId]) -> Option<Vec<ValueId>> {
    let shapes: Vec<Vec<u64>> = operands.iter().map(|&x| b.shape(x)).collect();
    let rank = shapes.first()?.len();
    let lead: Vec<char> = "abcfghijklmn".chars().take(rank.checked_sub(2)?).collect();
    let (s, d) = (shapes[0][lead.len()], *shapes[0].last()?);
    let (t, e) = (*shapes[1].get(lead.len())?, *shapes[2].last()?);
    let full = |tail: &[u64]| [&shapes[0][..lead.len()], tail].concat();
    let expected = [full(&[s, d]), full(&[t, d]), full(&[t, e]), full(&[s, e]), full(&[s]), full(&[s, e])];
    if lead.len() + 2 != rank || shapes != expected {
        return None;
    }
    let scale = match attrs.get("scale") {
        Some(Attr::Float(bits)) => f64::from_bits(*bits),
        Some(Attr::Int(i)) => *i as f64,
        _ => 1.0 / (d as f64).sqrt(),
    };
    let causal = attrs.get("causal") == Some(&Attr::Bool(true));

    let body = b.open();
    let args: Vec<ValueId> = operands
        .iter()
        .map(|&x| {
            let ty = b.ty(x).clone();
            b.arg(body, ty)
        })
        .collect();
    let &[q, k, v, out, lse, d_out] = &args[..] else {
        return None;
    };
    let dot = |b: &mut Builder, x: (&str, ValueId), y: (&str, ValueId), to: &str| {
        let letters = |tail: &str| lead.iter().copied().chain(tail.chars()).collect::<Vec<char>>();
        let spec = Einsum { operands: vec![letters(x.0), letters(y.0)], result: letters(to) };
        b.dot(spec, x.1, y.1)
    };
    let scores = dot(b, ("sd", q), ("td", k), "st");
    let factor = b.constant_like(scores, scale);
    let scaled = b.mul(scores, factor);
    let last = rank - 1;
    let lse = b.unreduce(lse, scores, &[last]);
    let shifted = b.sub(scaled, lse);
    let mut p = b.elem("exponential", &[shifted]);
    if causal {
        let shape = b.shape(scores);
        let mut index = |dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
        let (query, key) = (index(last - 1), index(last));
        let seen = b.elem("compare_ge", &[query, key]);
        let zero = b.constant_like(p, 0.0);
        p = b.select(seen, p, zero);
    }
    let dv = dot(b, ("st", p), ("se", d_out), "te");
    let dp = dot(b, ("se", d_out), ("te", v), "st");
    let both = b.mul(d_out, out);
    let delta = b.reduce(Reduction::Sum, both, &[last]);
    let delta = b.unreduce(delta, dp, &[last]);
    let centred = b.sub(dp, delta);
    let ds = b.mul(p, centred);
    let ds = b.mul(ds, factor);
    let dq = dot(b, ("st", ds), ("td", k), "sd");
    let dk = dot(b, ("st", ds), ("sd", q), "td");
    let body = b.close(vec![dq, dk, dv]);
    let attrs = BTreeMap::from([
        ("causal".to_string(), Attr::Bool(causal)),
        ("scale".to_string(), Attr::Float(scale.to_bits())),
    ]);
    b.composite(NAME, attrs, operands, body).ok()
}
