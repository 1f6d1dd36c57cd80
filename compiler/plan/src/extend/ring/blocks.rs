//! What rings of all orders are made of: operands in blocks, with a block on each device, the composite within blocks, the loop in
//! which keys go round, and how results over some keys and over others are put together.
//!
//! Not here: which positions a block has, and what it does with the keys that come by ([`super::contiguous`], [`super::zigzag`]).

use meshloom_ir::layout::{Constraint, DimSpec};
use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Attention, BLOCKED, Pass, named};
use meshloom_ir::{Axis, Builder, DType, Einsum, Func, Op, OpId, Reduction, TensorType, ValueId};
use std::collections::BTreeMap;

/// Attention over some of the keys.
#[derive(Clone, Copy)]
pub struct Partial {
    pub out: ValueId,
    /// By row, the log-sum-exp of its scores: what the result counts beside that over other keys.
    pub lse: ValueId,
}

/// An attention that can be computed in blocks.
pub struct RingForm {
    pub form: &'static Attention,
    pub pass: Pass,
    pub causal: bool,
    pub scale: f64,
    pub axes: Vec<Axis>,
    /// The number of devices along these.
    pub blocks: u64,
    /// Numbers of queries and of keys.
    pub queries: u64,
    pub keys: u64,
    /// Of the results.
    pub types: Vec<TensorType>,
}

impl RingForm {
    pub fn of(func: &Func, o: OpId, axes: &[Axis]) -> Option<RingForm> {
        let blocks = func.mesh.group_size(axes);
        let data = func.op(o);
        let Op::Composite { name, attrs } = &data.op else { return None };
        let (form, pass) = named(name).filter(|(f, _)| f.name != BLOCKED.name)?;
        let window = matches!(attrs.get("window"), Some(a) if *a != Attr::Int(0));
        if window || data.operands.len() != form.operands(pass, false) {
            return None;
        }
        let shape = |i: usize| &func.ty(data.operands[i]).shape;
        let size = |i: usize, dims: &str, c: char| Some(shape(i)[dims.find(c)?]);
        let (queries, keys) = (size(0, form.q, 's')?, size(1, form.k, 't')?);
        let head = *shape(0).last()? as f64;
        let scale = match attrs.get("scale") {
            Some(Attr::Float(bits)) => f64::from_bits(*bits),
            Some(_) => return None,
            None => head.sqrt().recip(),
        };
        let causal = attrs.get("causal") == Some(&Attr::Bool(true));
        let divide = queries.is_multiple_of(blocks) && keys.is_multiple_of(blocks);
        let fits = if causal { queries == keys } else { divide };
        let types = data.results.iter().map(|&v| func.ty(v).clone()).collect();
        (fits && blocks > 1 && queries.min(keys) >= blocks).then_some(RingForm {
            form,
            pass,
            causal,
            scale,
            axes: axes.to_vec(),
            blocks,
            queries,
            keys,
            types,
        })
    }

    pub fn dims_of_results(&self) -> Vec<&'static str> {
        match self.pass {
            Pass::Forward => vec![self.form.out, self.form.rows],
            Pass::Backward => vec![self.form.q, self.form.k, self.form.v],
        }
    }

    /// The dim of positions of a tensor with these dims, once queries have a group.
    pub fn along(&self, dims: &str) -> usize {
        let lone = !self.form.grouped && dims.contains('s');
        dims.find(['s', 't']).unwrap_or(0) + usize::from(lone)
    }

    /// `[blocks, .., positions, ..]`, or `[blocks, .., chunks, positions, ..]` where there are several in a block.
    pub fn split_up(&self, b: &mut Builder, v: ValueId, dims: &str, chunks: u64) -> ValueId {
        let mut shape = b.shape(v);
        let of_queries = dims.contains('s');
        if of_queries && !self.form.grouped {
            shape.insert(2, 1);
        }
        let mut v = b.reshape(v, &shape);
        let along = self.along(dims);
        let length = if of_queries { self.queries } else { self.keys };
        let chunk = length.div_ceil(self.blocks * chunks);
        let missing = chunk * chunks * self.blocks - length;
        if missing > 0 {
            let low = vec![0; shape.len()];
            let mut high = low.clone();
            high[along] = missing;
            v = b.op(Op::Pad { low, high }, &[v]);
        }
        shape[along] = chunk;
        if chunks > 1 {
            shape.insert(along, chunks);
        }
        shape.insert(along, self.blocks);
        let v = b.reshape(v, &shape);
        let mut order: Vec<usize> = (0..shape.len()).collect();
        let blocks = order.remove(along);
        order.insert(0, blocks);
        let v = b.transpose(v, &order);
        self.pinned(b, v)
    }

    /// A block on each device: nothing is gained by a form that has several.
    pub fn pinned(&self, b: &mut Builder, v: ValueId) -> ValueId {
        let rest = (1..b.ty(v).rank()).map(|_| DimSpec::AtLeast(Vec::new()));
        let dims = [DimSpec::Exactly(self.axes.clone())].into_iter().chain(rest).collect();
        b.op(Op::Constrain(Constraint::of(dims)), &[v])
    }

    /// What the next block has.
    pub fn next(&self, b: &mut Builder, x: ValueId) -> ValueId {
        let x = b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x]);
        self.pinned(b, x)
    }

    /// The inverse of `split_up`, for a tensor of type `ty`.
    pub fn put_back(&self, b: &mut Builder, v: ValueId, dims: &str, ty: &TensorType, chunks: u64) -> ValueId {
        let along = self.along(dims);
        let mut order: Vec<usize> = (0..b.shape(v).len()).collect();
        let blocks = order.remove(0);
        order.insert(along, blocks);
        let v = b.transpose(v, &order);
        let mut shape = b.shape(v);
        if chunks > 1 {
            shape.remove(along + 1);
        }
        shape[along] *= chunks * shape.remove(along + 1);
        let mut v = b.reshape(v, &shape);
        let length = if dims.contains('s') { self.queries } else { self.keys };
        if shape[along] > length {
            shape[along] = length;
            v = b.op(Op::Slice { start: vec![0; shape.len()], limit: shape }, &[v]);
        }
        b.reshape(v, &ty.shape)
    }

    /// Attention over all keys from that over some and over the others.
    pub fn merged(&self, b: &mut Builder, some: Partial, others: Partial) -> Partial {
        let last = b.shape(some.out).len() - 1;
        let top = b.elem("maximum", &[some.lse, others.lse]);
        let before = b.sub(some.lse, top);
        let before = b.elem("exponential", &[before]);
        let more = b.sub(others.lse, top);
        let more = b.elem("exponential", &[more]);
        let sum = b.add(before, more);
        let log = b.elem("log", &[sum]);
        let total = b.add(top, log);
        let mut share = |x: ValueId, part: ValueId| {
            let weight = b.div(x, sum);
            let weight = b.unreduce(weight, part, &[last]);
            b.mul(part, weight)
        };
        let (x, y) = (share(before, some.out), share(more, others.out));
        Partial { out: b.add(x, y), lse: total }
    }

    /// The loop in which the other blocks of keys come by.
    pub fn round(
        &self,
        b: &mut Builder,
        carries: &[ValueId],
        invariants: &[ValueId],
        body: impl FnOnce(&mut Builder, &[ValueId], Option<ValueId>, &[ValueId]) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let trip = self.blocks - 1;
        let steps: Vec<ValueId> = self.causal.then(|| numbers(b, trip)).into_iter().collect();
        let inside = b.open();
        let arg = |b: &mut Builder, v: &ValueId| {
            let ty = b.ty(*v).clone();
            b.arg(inside, ty)
        };
        let held: Vec<ValueId> = carries.iter().map(|v| arg(b, v)).collect();
        let step = self.causal.then(|| b.arg(inside, TensorType::scalar(DType::I32)));
        let same: Vec<ValueId> = invariants.iter().map(|v| arg(b, v)).collect();
        let yields = body(b, &held, step, &same);
        let inside = b.close(yields);
        let operands = [carries, &steps, invariants].concat();
        b.repeat(trip, false, carries.len(), steps.len(), &operands, inside)
            .unwrap_or_else(|e| panic!("a ring built from checked IR: {e}"))
    }

    /// The composite within blocks, of operands in blocks.
    pub fn attention(&self, b: &mut Builder, operands: &[ValueId], causal: bool) -> Vec<ValueId> {
        let types: Vec<TensorType> = operands.iter().map(|&v| b.ty(v).clone()).collect();
        let inside = b.open();
        let args: Vec<ValueId> = types.into_iter().map(|ty| b.arg(inside, ty)).collect();
        let yields = match args[..] {
            [q, k, v] => {
                let (p, lse) = self.weights(b, q, k, causal, None);
                let dtype = b.ty(v).dtype;
                let p = b.convert(p, dtype);
                vec![contract(b, (SCORES, p), (BLOCKED.v, v), BLOCKED.out), lse]
            }
            [q, k, v, out, lse, d_out] => self.gradient(b, [q, k, v, out, lse, d_out], causal),
            _ => Vec::new(),
        };
        let body = b.close(yields);
        let attrs = BTreeMap::from([
            ("causal".to_string(), Attr::Bool(causal)),
            ("scale".to_string(), Attr::Float(self.scale.to_bits())),
        ]);
        let name = if self.pass == Pass::Forward { BLOCKED.name } else { BLOCKED.gradient };
        let results = b.composite(name, attrs, operands, body);
        let results = results.unwrap_or_else(|e| panic!("attention in blocks built from checked IR: {e}"));
        results.into_iter().map(|v| self.pinned(b, v)).collect()
    }

    /// Probabilities and the log-sum-exp, which is computed if none is given.
    fn weights(
        &self,
        b: &mut Builder,
        q: ValueId,
        k: ValueId,
        causal: bool,
        lse: Option<ValueId>,
    ) -> (ValueId, ValueId) {
        let (q, k) = (wide(b, q), wide(b, k));
        let product = contract(b, (BLOCKED.q, q), (BLOCKED.k, k), SCORES);
        let scale = b.constant_like(product, self.scale);
        let mut scores = b.mul(product, scale);
        let last = SCORES.len() - 1;
        if causal {
            let shape = b.shape(scores);
            let mut index =
                |dim| b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
            let (query, key) = (index(last - 1), index(last));
            let seen = b.elem("compare_ge", &[query, key]);
            let hidden = b.constant_like(scores, meshloom_certify::kernels::UNSEEN);
            scores = b.select(seen, scores, hidden);
        }
        let lse = lse.unwrap_or_else(|| {
            let top = b.reduce(Reduction::Max, scores, &[last]);
            let wide = b.unreduce(top, scores, &[last]);
            let below = b.sub(scores, wide);
            let e = b.elem("exponential", &[below]);
            let sum = b.reduce(Reduction::Sum, e, &[last]);
            let log = b.elem("log", &[sum]);
            b.add(log, top)
        });
        let rows = b.unreduce(lse, scores, &[last]);
        let below = b.sub(scores, rows);
        (b.elem("exponential", &[below]), lse)
    }

    fn gradient(&self, b: &mut Builder, [q, k, v, out, lse, d_out]: [ValueId; 6], causal: bool) -> Vec<ValueId> {
        let types = [q, k, v].map(|x| b.ty(x).dtype);
        let (p, _) = self.weights(b, q, k, causal, Some(lse));
        let [q, k, v, out, d_out] = [q, k, v, out, d_out].map(|x| wide(b, x));
        let dv = contract(b, (SCORES, p), (BLOCKED.out, d_out), BLOCKED.v);
        let dp = contract(b, (BLOCKED.out, d_out), (BLOCKED.v, v), SCORES);
        let both = b.mul(d_out, out);
        let delta = b.reduce(Reduction::Sum, both, &[BLOCKED.out.len() - 1]);
        let delta = b.unreduce(delta, dp, &[SCORES.len() - 1]);
        let centred = b.sub(dp, delta);
        let ds = b.mul(p, centred);
        let scale = b.constant_like(ds, self.scale);
        let ds = b.mul(ds, scale);
        let dq = contract(b, (SCORES, ds), (BLOCKED.k, k), BLOCKED.q);
        let dk = contract(b, (SCORES, ds), (BLOCKED.q, q), BLOCKED.k);
        [dq, dk, dv].into_iter().zip(types).map(|(x, dtype)| b.convert(x, dtype)).collect()
    }
}

/// Dims of scores as bodies have them: a row's scores lie together.
const SCORES: &str = "nbhgst";

/// `x` in the type that kernels compute in.
pub fn wide(b: &mut Builder, x: ValueId) -> ValueId {
    let dtype = b.ty(x).dtype;
    b.convert(x, if dtype.bytes() < 4 { DType::F32 } else { dtype })
}

pub fn numbers(b: &mut Builder, n: u64) -> ValueId {
    b.op(Op::Iota { dtype: DType::I32, shape: vec![n], dim: 0, shard: Vec::new() }, &[])
}

/// The contraction of two operands, each with the letters of its dims.
fn contract(b: &mut Builder, x: (&str, ValueId), y: (&str, ValueId), to: &str) -> ValueId {
    let chars = |s: &str| s.chars().collect::<Vec<char>>();
    b.dot(Einsum::new(vec![chars(x.0), chars(y.0)], chars(to)), x.1, y.1)
}
