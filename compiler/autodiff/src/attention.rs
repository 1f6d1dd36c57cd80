//! The gradient of attention, as a composite: `attention_grad(q, k, v, out, lse, d_out) -> (dq, dk, dv)`. Its body is
//! the meaning that the interpreter runs and the certificate reads. The body recomputes the probabilities from the
//! scores and the log-sum-exp of the forward pass, so nothing of size (queries x keys) is kept between the passes.
//!
//! Shapes: q `[.., s, d]`, k `[.., t, d]`, v `[.., t, e]`, out `[.., s, e]`, lse `[.., s]`. In `grouped_attention`, q,
//! out and lse have one more dim before s: the queries that share a head of keys and values. dk and dv are sums over it
//! as they are over s.

use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Pass, named};
use meshloom_ir::{Builder, DType, Einsum, Op, Reduction, ValueId};
use std::collections::BTreeMap;

/// The mask: what a query sees, by the attributes of the composite.
struct Mask {
    causal: bool,
    window: u64,
    /// Of queries `[batch, s]` and of keys `[batch, t]`: only keys with the same number.
    segments: Option<[ValueId; 2]>,
}

/// Appends the composite for the operands (q, k, v, segments of queries and of keys if there are any, out, lse, d_out), and
/// returns the gradients of q, k and v. `None` if the op or the shapes are not those of attention.
pub fn gradient(
    b: &mut Builder,
    name: &str,
    attrs: &BTreeMap<String, Attr>,
    operands: &[ValueId],
) -> Option<Vec<ValueId>> {
    let (attention, Pass::Forward) = named(name)? else { return None };
    let segmented = match operands.len() {
        6 => false,
        8 if attention.grouped => true,
        _ => return None,
    };
    let tail = 3 + 2 * usize::from(segmented);
    let shape = |i: usize| b.shape(operands[i]);
    let (q, k) = (shape(0), shape(1));
    let grouped = usize::from(attention.grouped);
    let kv: Vec<char> = "abcfghijklmn".chars().take(k.len().checked_sub(2)?).collect();
    let lead: Vec<char> = kv.iter().copied().chain("u".chars().take(grouped)).collect();
    let (s, d, t, e) = (*q.get(lead.len())?, *q.last()?, *k.get(kv.len())?, *shape(2).last()?);
    let of_q = |dims: &[u64]| [&q[..lead.len()], dims].concat();
    let of_k = |dims: &[u64]| [&q[..kv.len()], dims].concat();
    let mut expected = vec![of_q(&[s, d]), of_k(&[t, d]), of_k(&[t, e])];
    if segmented {
        expected.extend([vec![q[0], s], vec![q[0], t]]);
    }
    expected.extend([of_q(&[s, e]), of_q(&[s]), of_q(&[s, e])]);
    if (0..operands.len()).map(shape).ne(expected) {
        return None;
    }
    let scale = match attrs.get("scale") {
        Some(Attr::Float(bits)) => f64::from_bits(*bits),
        Some(Attr::Int(i)) => *i as f64,
        _ => 1.0 / (d as f64).sqrt(),
    };
    let window = match attrs.get("window") {
        Some(Attr::Int(n)) => u64::try_from(*n).ok()?,
        _ => 0,
    };

    let body = b.open();
    let mut arg = |i: usize| {
        let ty = b.ty(operands[i]).clone();
        b.arg(body, ty)
    };
    let args: Vec<ValueId> = (0..operands.len()).map(&mut arg).collect();
    // Computed in f32 at least, as kernels do.
    let types: Vec<DType> = args.iter().map(|&a| b.ty(a).dtype).collect();
    let wide = |d: DType| if d.is_float() && d.bytes() < 4 { DType::F32 } else { d };
    let args: Vec<ValueId> = args.iter().zip(&types).map(|(&a, &d)| b.convert(a, wide(d))).collect();
    let (&[q, k, v], &[out, lse, d_out]) = (&args[..3], &args[tail..]) else {
        return None;
    };
    let causal = attrs.get("causal") == Some(&Attr::Bool(true));
    let mask = Mask { causal, window, segments: segmented.then(|| [args[3], args[4]]) };
    // Queries' dims have the group, keys' do not.
    let dot = |b: &mut Builder, x: (&[char], &str, ValueId), y: (&[char], &str, ValueId), to: (&[char], &str)| {
        let subscripts = |lead: &[char], tail: &str| lead.iter().copied().chain(tail.chars()).collect::<Vec<char>>();
        let spec = Einsum::new(vec![subscripts(x.0, x.1), subscripts(y.0, y.1)], subscripts(to.0, to.1));
        b.dot(spec, x.2, y.2)
    };
    let (lead, kv) = (&lead[..], &kv[..]);
    let scores = dot(b, (lead, "sd", q), (kv, "td", k), (lead, "st"));
    let factor = b.constant_like(scores, scale);
    let scaled = b.mul(scores, factor);
    let last = lead.len() + 1;
    let lse = b.unreduce(lse, scores, &[last]);
    let shifted = b.sub(scaled, lse);
    let p = b.elem("exponential", &[shifted]);
    let p = mask.apply(b, p);
    let dv = dot(b, (lead, "st", p), (lead, "se", d_out), (kv, "te"));
    let dp = dot(b, (lead, "se", d_out), (kv, "te", v), (lead, "st"));
    let both = b.mul(d_out, out);
    let delta = b.reduce(Reduction::Sum, both, &[last]);
    let delta = b.unreduce(delta, dp, &[last]);
    let centred = b.sub(dp, delta);
    let ds = b.mul(p, centred);
    let ds = b.mul(ds, factor);
    let dq = dot(b, (lead, "st", ds), (kv, "td", k), (lead, "sd"));
    let dk = dot(b, (lead, "st", ds), (lead, "sd", q), (kv, "td"));
    let results = [dq, dk, dv].iter().zip(&types).map(|(&g, &d)| b.convert(g, d)).collect();
    let body = b.close(results);
    let mut attrs = attrs.clone();
    attrs.insert("causal".to_string(), Attr::Bool(causal));
    attrs.insert("scale".to_string(), Attr::Float(scale.to_bits()));
    b.composite(attention.gradient, attrs, operands, body).ok()
}

impl Mask {
    /// Probabilities `[batch, .., s, t]` with 0 for what a query does not see.
    fn apply(&self, b: &mut Builder, p: ValueId) -> ValueId {
        let shape = b.shape(p);
        let last = shape.len() - 1;
        let mut kept = Vec::new();
        if self.causal || self.window > 0 {
            let mut index =
                |dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
            let (query, key) = (index(last - 1), index(last));
            if self.causal {
                kept.push(b.elem("compare_ge", &[query, key]));
            }
            if self.window > 0 {
                let window = b.constant_like(key, self.window as f64);
                let end = b.add(key, window);
                kept.push(b.elem("compare_lt", &[query, end]));
                if !self.causal {
                    let end = b.add(query, window);
                    kept.push(b.elem("compare_gt", &[end, key]));
                }
            }
        }
        if let Some([queries, keys]) = self.segments {
            let queries = b.broadcast(queries, &shape, &[0, last - 1]);
            let keys = b.broadcast(keys, &shape, &[0, last]);
            kept.push(b.elem("compare_eq", &[queries, keys]));
        }
        let zero = b.constant_like(p, 0.0);
        kept.into_iter().fold(p, |p, seen| b.select(seen, p, zero))
    }
}
