//! What the right sides of all orders are made of: tensors as blocks, the composite within blocks, the loop in which keys go round,
//! and the softmax over two sets of keys from that over each.

use super::super::attend::AttentionBody;
use crate::kernels::Meaning;
use meshloom_ir::table::composite::{BLOCKED, Pass};
use meshloom_ir::{Builder, DType, Op, TensorType, ValueId};

/// Attention that goes round in a number of blocks, two or more.
pub struct RightSide {
    pub of: Meaning,
    pub blocks: u64,
}

impl RightSide {
    /// Types and dims of the results, given types of the operands: those of the forward pass are laid out as queries are, those of
    /// the gradient as its first three operands.
    pub fn like(&self, types: &[TensorType]) -> Vec<(TensorType, &'static str)> {
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
    pub fn apart(&self, b: &mut Builder, v: ValueId, dims: &str, parts: u64) -> ValueId {
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
    pub fn together(&self, b: &mut Builder, v: ValueId, ty: &TensorType, dims: &str, parts: u64) -> ValueId {
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
    pub fn length_at(&self, dims: &str) -> usize {
        let added = !self.of.form.grouped && dims.contains('s');
        dims.find(['s', 't']).map_or(0, |at| at + usize::from(added))
    }

    /// The composite within blocks.
    pub fn attention(&self, b: &mut Builder, xs: &[ValueId], causal: bool) -> Vec<ValueId> {
        AttentionBody { form: &BLOCKED, pass: self.of.pass, causal, scale: self.of.scale }.write(b, xs)
    }

    /// Numbers of the iterations, where it matters which blocks of keys came round.
    pub fn steps(&self, b: &mut Builder) -> Vec<ValueId> {
        let shape = vec![self.blocks - 1];
        let op = Op::Iota { dtype: DType::I32, shape, dim: 0, shard: Vec::new() };
        if self.of.causal { vec![b.op(op, &[])] } else { Vec::new() }
    }

    /// Runs `body` for all further blocks of keys. It has the carries, the step and the invariants.
    pub fn go_round(
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
}

/// Attention to a set of keys: its results, and the log-sum-exp of each row.
#[derive(Clone, Copy)]
pub struct PartialAttention {
    pub out: ValueId,
    pub lse: ValueId,
}

/// The softmax over two sets of keys from that over each.
pub fn merge(b: &mut Builder, first: PartialAttention, second: PartialAttention) -> PartialAttention {
    let [lse, rows] = [first.lse, second.lse];
    let top = b.elem("maximum", &[lse, rows]);
    let [old, more] = [lse, rows].map(|x| {
        let below = b.sub(x, top);
        b.elem("exponential", &[below])
    });
    let sum = b.add(old, more);
    let log = b.elem("log", &[sum]);
    let total = b.add(top, log);
    let shape = b.shape(first.out);
    let dims: Vec<usize> = (0..shape.len() - 1).collect();
    let [x, y] = [(old, first.out), (more, second.out)].map(|(weight, part)| {
        let share = b.div(weight, sum);
        let share = b.broadcast(share, &shape, &dims);
        b.mul(part, share)
    });
    PartialAttention { out: b.add(x, y), lse: total }
}
