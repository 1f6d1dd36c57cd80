//! Ring attention (Liu et al., 2023): queries and keys in blocks, keys going round the blocks of queries.
//!
//! Softmax over all keys follows from softmax over some of them and over the others, if the log-sum-exp of each is known. So
//! block `i` of the queries meets block `i` of the keys first, and then the blocks before it, one in each iteration of a loop in
//! which keys and values move to the next block. With a causal mask, only the blocks up to `i` count. The gradient of scores needs
//! the log-sum-exp of all keys, which the forward pass kept; so the gradients of all blocks add up, and those of keys and values
//! move along with these.
//!
//! The right side is written down completely, as a program ([`Ring::write`]), and the values must be that program. A composite in
//! it must mean what its name says ([`kernels::meaning`]).
//!
//! With a causal mask, blocks may have a chunk from each end of the sequence, so that all have the same work ([`zigzag`]).
//!
//! Zeros fill the last block. With a causal mask no query sees them, and a query of zeros whose results and gradients are zeros
//! adds nothing to any gradient. Without one they would be keys, so blocks must divide.
//!
//! Not here: windows and segments, which would leave queries without a key in some block.

mod same;
mod zigzag;

use super::attend::{AttentionBody, wide};
use super::{Law, LawCx, sample};
use crate::kernels::{self, Meaning};
use meshloom_ir::random::Rng;
use meshloom_ir::table::composite::{Attention, BLOCKED, DENSE, GROUPED, Pass};
use meshloom_ir::{Builder, DType, Def, Func, Mesh, Op, Port, Role, TensorType, ValueId};
use std::collections::BTreeMap;

pub const LAWS: &[Law] = &[
    Law {
        name: "ring-attention",
        law: "attention is that of each block of queries with one block of keys after the other, put together by their log-sum-exp",
        reassociates: true,
        check: |cx, a, b| follows(cx, a, b, Order::Contiguous),
        sample: |rng, b| instance(rng, b, Order::Contiguous),
    },
    Law {
        name: "zigzag-attention",
        law: "causal attention is that of blocks of two chunks, one from each end of the sequence, which meet two chunks of keys at a time",
        reassociates: true,
        check: |cx, a, b| follows(cx, a, b, Order::Zigzag),
        sample: |rng, b| instance(rng, b, Order::Zigzag),
    },
];

/// Which positions a block has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Contiguous,
    /// A chunk from the front of the sequence and one from its back.
    Zigzag,
}

/// The score of keys that no query of a block sees. Beside any other score its exponential is 0.
const UNSEEN: f64 = -1e30;
/// Ops between a result and the loop that it comes from, at most.
const BEHIND: usize = 16;

fn follows(cx: &LawCx<'_>, a: ValueId, b: ValueId, order: Order) -> bool {
    let Def::Op(o, result) = cx.func.value(a).def else { return false };
    let data = cx.func.op(o);
    let Some(of) = kernels::meaning(cx.func, data).filter(|m| m.form.name != BLOCKED.name) else { return false };
    let Some(blocks) = blocks(cx.func, b) else { return false };
    let ring = Ring { of, blocks, order };
    let types: Vec<TensorType> = data.operands.iter().map(|&v| cx.ty(v).clone()).collect();
    let Some(right) = ring.program(&types) else { return false };
    let mut same = same::Same { cx, right: &right, of, given: data, known: BTreeMap::new() };
    right.body().yields.get(result as usize).is_some_and(|&y| same.value(y, b))
}

/// One more than the iterations of the loop that `v` comes from.
fn blocks(func: &Func, mut v: ValueId) -> Option<u64> {
    for _ in 0..BEHIND {
        let data = func.op(func.def_op(v)?);
        // Halves are chosen by `select` and put together by `concatenate`: the last operand of either comes from the loop.
        match (&data.op, &data.operands[..]) {
            (&Op::Repeat { trip, early: false, .. }, _) => return trip.checked_add(1),
            (Op::Elem(_) | Op::Concatenate { .. }, &[.., x]) | (_, &[x]) => v = x,
            _ => return None,
        }
    }
    None
}

/// Attention that goes round in a number of blocks, two or more.
struct Ring {
    of: Meaning,
    blocks: u64,
    order: Order,
}

impl Ring {
    /// A program whose inputs are the operands of the composite, and whose outputs are its results.
    fn program(&self, types: &[TensorType]) -> Option<Func> {
        let form = self.of.form;
        let length = |i: usize, dims: &str| types.get(i)?.shape.get(dims.len().checked_sub(2)?).copied();
        let (queries, keys) = (length(0, form.q)?, length(1, form.k)?);
        let divides = |n: u64| n.is_multiple_of(self.blocks);
        let fits = match self.order {
            Order::Zigzag => self.of.causal && queries == keys && queries / 2 >= self.blocks,
            Order::Contiguous if self.of.causal => queries == keys,
            Order::Contiguous => divides(queries) && divides(keys),
        };
        if !fits || self.blocks < 2 || queries < self.blocks || keys < self.blocks {
            return None;
        }
        let mut b = Builder::new("ring", Mesh::default());
        let port = |ty: &TensorType| Port::new("x", Role::Input, ty.rank());
        let inputs: Vec<ValueId> = types.iter().map(|ty| b.input(ty.clone(), port(ty))).collect();
        let made = match self.order {
            Order::Contiguous => self.write(&mut b, &inputs),
            Order::Zigzag => self.write_zigzag(&mut b, &inputs),
        };
        for v in made {
            let rank = b.ty(v).rank();
            b.output(v, Port::new("y", Role::Output, rank));
        }
        Some(b.finish())
    }

    fn write(&self, b: &mut Builder, inputs: &[ValueId]) -> Vec<ValueId> {
        let letters = self.of.form.dims(self.of.pass, false);
        let types: Vec<TensorType> = inputs.iter().map(|&v| b.ty(v).clone()).collect();
        let xs: Vec<ValueId> = inputs.iter().zip(&letters).map(|(&v, d)| self.apart(b, v, d, 1)).collect();
        let first = self.attention(b, &xs, self.of.causal);
        let results = match self.of.pass {
            Pass::Forward => self.forward(b, &xs, first),
            Pass::Backward => self.backward(b, &xs, first),
        };
        let like = self.like(&types);
        results
            .into_iter()
            .zip(like)
            .map(|(v, (ty, dims))| {
                let v = b.convert(v, ty.dtype);
                self.together(b, v, &ty, dims, 1)
            })
            .collect()
    }

    /// Types and dims of the results, given types of the operands: those of the forward pass are laid out as queries are, those of
    /// the gradient as its first three operands.
    fn like(&self, types: &[TensorType]) -> Vec<(TensorType, &'static str)> {
        let form = self.of.form;
        match self.of.pass {
            Pass::Forward => {
                let (q, v) = (&types[0], &types[2]);
                let rows = q.shape[..q.rank() - 1].to_vec();
                let values = v.shape.last().copied().into_iter();
                let out = rows.iter().copied().chain(values).collect::<Vec<u64>>();
                let computed = if q.dtype.bytes() < 4 { DType::F32 } else { q.dtype };
                vec![(TensorType::new(q.dtype, out), form.out), (TensorType::new(computed, rows), form.rows)]
            }
            Pass::Backward => types[..3].iter().cloned().zip([form.q, form.k, form.v]).collect(),
        }
    }

    /// `[.., length, ..]` as `[blocks, .., length / blocks, ..]`, with the group of queries that dense attention does not have. Of
    /// several parts of a block, `[blocks, .., parts, length / (blocks parts), ..]`.
    fn apart(&self, b: &mut Builder, v: ValueId, dims: &str, parts: u64) -> ValueId {
        let mut v = v;
        if !self.of.form.grouped && dims.contains('s') {
            let mut shape = b.shape(v);
            shape.insert(2, 1);
            v = b.reshape(v, &shape);
        }
        let mut shape = b.shape(v);
        let at = self.length_at(dims);
        let n = shape[at];
        let each = n.div_ceil(self.blocks * parts);
        let filled = each * parts * self.blocks;
        if filled > n {
            let (low, mut high) = (vec![0; shape.len()], vec![0; shape.len()]);
            high[at] = filled - n;
            v = b.op(Op::Pad { low, high }, &[v]);
        }
        match parts {
            1 => shape.splice(at..=at, vec![self.blocks, each]),
            _ => shape.splice(at..=at, vec![self.blocks, parts, each]),
        };
        let v = b.reshape(v, &shape);
        let order: Vec<usize> = [at].into_iter().chain((0..shape.len()).filter(|&d| d != at)).collect();
        b.transpose(v, &order)
    }

    /// The inverse of `apart`, for a tensor that then has this type.
    fn together(&self, b: &mut Builder, v: ValueId, ty: &TensorType, dims: &str, parts: u64) -> ValueId {
        let at = self.length_at(dims);
        let rank = b.ty(v).rank();
        let order: Vec<usize> = (1..=at).chain([0]).chain(at + 1..rank).collect();
        let v = b.transpose(v, &order);
        let mut shape = b.shape(v);
        let last = if parts > 1 { at + 2 } else { at + 1 };
        let filled = shape[at..=last].iter().product();
        shape.splice(at..=last, [filled]);
        let mut v = b.reshape(v, &shape);
        let grouped = self.of.form.grouped || !dims.contains('s');
        let n = ty.shape[if grouped { at } else { at - 1 }];
        if n < filled {
            let start = vec![0; shape.len()];
            shape[at] = n;
            v = b.op(Op::Slice { start, limit: shape }, &[v]);
        }
        b.reshape(v, &ty.shape)
    }

    /// The dim of positions, with that of the group.
    fn length_at(&self, dims: &str) -> usize {
        let added = !self.of.form.grouped && dims.contains('s');
        dims.find(['s', 't']).map_or(0, |at| at + usize::from(added))
    }

    /// The composite within blocks.
    fn attention(&self, b: &mut Builder, xs: &[ValueId], causal: bool) -> Vec<ValueId> {
        AttentionBody { form: &BLOCKED, pass: self.of.pass, causal, scale: self.of.scale }.write(b, xs)
    }

    /// Numbers of the iterations, where it matters which blocks of keys came round.
    fn steps(&self, b: &mut Builder) -> Vec<ValueId> {
        let shape = vec![self.blocks - 1];
        let op = Op::Iota { dtype: DType::I32, shape, dim: 0, shard: Vec::new() };
        if self.of.causal { vec![b.op(op, &[])] } else { Vec::new() }
    }

    /// Whether block `i` of queries sees the keys that it has in this iteration: they came from `step + 1` blocks before.
    fn sees(&self, b: &mut Builder, step: ValueId, like: ValueId) -> ValueId {
        let step = b.broadcast(step, &[self.blocks], &[]);
        let block = b.op(Op::Iota { dtype: DType::I32, shape: vec![self.blocks], dim: 0, shard: Vec::new() }, &[]);
        let seen = b.elem("compare_lt", &[step, block]);
        let shape = b.shape(like);
        b.broadcast(seen, &shape, &[0])
    }

    /// Runs `body` for all further blocks of keys. It has the carries, the step and the invariants.
    fn go_round(
        &self,
        b: &mut Builder,
        carries: &[ValueId],
        invariants: &[ValueId],
        body: impl FnOnce(&mut Builder, &[ValueId], Option<ValueId>, &[ValueId]) -> Vec<ValueId>,
    ) -> Vec<ValueId> {
        let steps = self.steps(b);
        let inside = b.open();
        let of = |b: &mut Builder, v: ValueId| {
            let ty = b.ty(v).clone();
            b.arg(inside, ty)
        };
        let held: Vec<ValueId> = carries.iter().map(|&v| of(b, v)).collect();
        let step = (!steps.is_empty()).then(|| b.arg(inside, TensorType::scalar(DType::I32)));
        let same: Vec<ValueId> = invariants.iter().map(|&v| of(b, v)).collect();
        let yields = body(b, &held, step, &same);
        let region = b.close(yields);
        let operands: Vec<ValueId> = [carries, &steps, invariants].concat();
        b.repeat(self.blocks - 1, false, carries.len(), steps.len(), &operands, region).unwrap_or_default()
    }

    fn forward(&self, b: &mut Builder, xs: &[ValueId], first: Vec<ValueId>) -> Vec<ValueId> {
        let out = wide(b, first[0]);
        let results = self.go_round(b, &[xs[1], xs[2], out, first[1]], &xs[..1], |b, held, step, same| {
            let [k, v] = [held[0], held[1]].map(|x| b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x]));
            let (out, lse) = (held[2], held[3]);
            let these = self.attention(b, &[same[0], k, v], false);
            let (new, mut rows) = (wide(b, these[0]), these[1]);
            if let Some(step) = step {
                let seen = self.sees(b, step, rows);
                let low = b.constant_like(rows, UNSEEN);
                rows = b.select(seen, rows, low);
            }
            let (out, lse) = merge(b, (out, lse), (new, rows));
            vec![k, v, out, lse]
        });
        results[2..].to_vec()
    }

    fn backward(&self, b: &mut Builder, xs: &[ValueId], first: Vec<ValueId>) -> Vec<ValueId> {
        let own: Vec<ValueId> = first.into_iter().map(|v| wide(b, v)).collect();
        let same = [xs[0], xs[3], xs[4], xs[5]];
        let results = self.go_round(b, &[xs[1], xs[2], own[0], own[1], own[2]], &same, |b, held, step, same| {
            let mut turn = |x: ValueId| b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x]);
            let (k, v) = (turn(held[0]), turn(held[1]));
            let sums = [held[2], turn(held[3]), turn(held[4])];
            let these = self.attention(b, &[same[0], k, v, same[1], same[2], same[3]], false);
            let mut yields = vec![k, v];
            for (sum, new) in sums.into_iter().zip(these) {
                let mut new = wide(b, new);
                if let Some(step) = step {
                    let seen = self.sees(b, step, new);
                    let none = b.constant_like(new, 0.0);
                    new = b.select(seen, new, none);
                }
                yields.push(b.add(sum, new));
            }
            yields
        });
        let home = |b: &mut Builder, x: ValueId| b.op(Op::Rotate { dim: 0, by: 1, mirror: false }, &[x]);
        vec![results[2], home(b, results[3]), home(b, results[4])]
    }
}

/// The softmax over two sets of keys from that over each: results and their log-sum-exp.
fn merge(b: &mut Builder, (out, lse): (ValueId, ValueId), (new, rows): (ValueId, ValueId)) -> (ValueId, ValueId) {
    let top = b.elem("maximum", &[lse, rows]);
    let [old, more] = [lse, rows].map(|x| {
        let below = b.sub(x, top);
        b.elem("exponential", &[below])
    });
    let sum = b.add(old, more);
    let log = b.elem("log", &[sum]);
    let total = b.add(top, log);
    let shape = b.shape(out);
    let dims: Vec<usize> = (0..shape.len() - 1).collect();
    let [x, y] = [(old, out), (more, new)].map(|(weight, part)| {
        let share = b.div(weight, sum);
        let share = b.broadcast(share, &shape, &dims);
        b.mul(part, share)
    });
    (b.add(x, y), total)
}

/// Attention of random shapes, and the same in blocks.
fn instance(rng: &mut Rng, b: &mut Builder, order: Order) -> (ValueId, ValueId) {
    let form: &'static Attention = rng.pick(&[&DENSE, &GROUPED]);
    let (causal, blocks) = (order == Order::Zigzag || rng.chance(60), 2 + rng.below(2) as u64);
    let pass = if rng.chance(50) { Pass::Forward } else { Pass::Backward };
    let mut each = || 1 + rng.below(2) as u64;
    let (queries, keys) = (each() * blocks, each() * blocks);
    let queries = if causal { keys + rng.below(blocks as usize) as u64 } else { queries };
    let queries = if order == Order::Zigzag { blocks + queries } else { queries };
    let keys = if causal { queries } else { keys };
    let sizes: BTreeMap<char, u64> =
        "bhgde".chars().map(|c| (c, 1 + rng.below(2) as u64)).chain([('s', queries), ('t', keys)]).collect();
    let scale = rng.pick(&[1.0, 0.5]);
    let of = |dims: &str| dims.chars().map(|c| sizes[&c]).collect::<Vec<u64>>();
    let xs: Vec<ValueId> =
        form.dims(pass, false)[..form.operands(pass, false)].iter().map(|dims| sample::input(b, &of(dims))).collect();
    let whole = AttentionBody { form, pass, causal, scale }.write(b, &xs);
    let ring = Ring { of: Meaning { form, pass, scale, causal }, blocks, order };
    let right = match order {
        Order::Contiguous => ring.write(b, &xs),
        Order::Zigzag => ring.write_zigzag(b, &xs),
    };
    let at = rng.below(whole.len());
    (whole[at], right[at])
}
