//! Uneven dims in terms of even ones. Kernels and collectives, the runtime's and NCCL's, know blocks of one size. Where
//! a program speaks of true sizes, ordinary ops take their place:
//! - A mask becomes `select(iota < size, x, identity)`, computed inside whichever kernel reads it.
//! - A gathered dim is gathered with its padding, and a view cuts the result to the true size.
//! - The operand of a `reduce_scatter` or an `all_to_all` is padded to whole blocks first.
//!
//! Not here: a device's own block of an uneven dim. [`crate::expand`] keeps its reads inside the bounds.

use meshloom_ir::table::comm::Effect;
use meshloom_ir::table::contract::identity_of;
use meshloom_ir::table::{self, elem::Elem};
use meshloom_ir::{DType, Def, Func, Literal, Op, OpData, OpId, Scalar, TensorType, Value, ValueId};

/// Rewrites `f`. `origin` gets an entry for each new op: the certified op that it comes from.
pub fn even(f: &mut Func, origin: &mut Vec<u32>) {
    for r in 0..f.regions.len() {
        for o in f.regions[r].ops.clone() {
            let mut before = Before { f, op: o, ops: Vec::new() };
            before.rewrite();
            let new = before.ops;
            if !new.is_empty() {
                origin.resize(f.ops.len(), o.0);
                let ops = &mut f.regions[r].ops;
                let at = ops.iter().position(|&x| x == o).unwrap_or(ops.len());
                ops.splice(at..at, new);
            }
        }
    }
}

/// Ops that come before `op`. The op keeps its result.
struct Before<'a> {
    f: &'a mut Func,
    op: OpId,
    ops: Vec<OpId>,
}

impl Before<'_> {
    fn rewrite(&mut self) {
        let data = self.f.op(self.op).clone();
        let Some(&x) = data.operands.first() else { return };
        match data.op {
            Op::PadMask { axes, dim, size, kind } => {
                let TensorType { dtype, shape } = self.f.ty(x).clone();
                let i = Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: axes };
                let i = self.push(i, &[]);
                let end = self.splat(DType::I32, &shape, Scalar::Int(size as i64));
                let Some((less, select)) = Elem::by_name("compare_lt").zip(Elem::by_name("select")) else { return };
                let inside = self.push(Op::Elem(less), &[i, end]);
                let fill = self.splat(dtype, &shape, identity_of(kind, dtype));
                self.replace(Op::Elem(select), vec![inside, x, fill]);
            }
            // Whole blocks go over the wire, and what pads them is cut off where they are put together.
            op if op.communicates() => {
                let Effect { gathered, split, .. } = op.effect();
                let blocks = op.collective_axes().map_or(1, |axes| self.f.mesh.group_size(axes));
                let x = split.map_or(x, |dim| self.padded(x, dim, blocks));
                match (gathered, op.entry().group) {
                    (Some((dim, Some(size))), Some(group)) => {
                        self.gathered((group.with_size)(&op, None), x, dim, size);
                    }
                    _ => self.replace(op, vec![x]),
                }
            }
            _ => {}
        }
    }

    /// `x` with dim `dim` padded to `blocks` whole blocks.
    fn padded(&mut self, x: ValueId, dim: usize, blocks: u64) -> ValueId {
        let shape = &self.f.ty(x).shape;
        let missing = shape[dim].next_multiple_of(blocks) - shape[dim];
        if missing == 0 {
            return x;
        }
        let low = vec![0; shape.len()];
        let mut high = low.clone();
        high[dim] = missing;
        self.push(Op::Pad { low, high }, &[x])
    }

    /// The collective on padded blocks, and a slice of its result without the padding.
    fn gathered(&mut self, op: Op, x: ValueId, dim: usize, size: u64) {
        let whole = self.push(op, &[x]);
        let mut limit = self.f.ty(whole).shape.clone();
        let start = vec![0; limit.len()];
        limit[dim] = size;
        self.replace(Op::Slice { start, limit }, vec![whole]);
    }

    fn splat(&mut self, dtype: DType, shape: &[u64], x: Scalar) -> ValueId {
        self.push(Op::Constant { dtype, shape: shape.to_vec(), value: Literal::Splat(x) }, &[])
    }

    fn replace(&mut self, op: Op, operands: Vec<ValueId>) {
        let data = &mut self.f.ops[self.op.index()];
        (data.op, data.operands) = (op, operands);
    }

    fn push(&mut self, op: Op, operands: &[ValueId]) -> ValueId {
        let f = &mut *self.f;
        let types: Vec<&TensorType> = operands.iter().map(|&v| f.ty(v)).collect();
        let ty = table::infer_on(&op, &types, &f.mesh);
        let OpData { parent, span, phase, ref results, .. } = *f.op(self.op);
        // The program verifies, and so does this; the type of the result stands in for the unexpected.
        let ty = ty.unwrap_or_else(|_| f.ty(results[0]).clone());
        let (id, v) = (OpId(f.ops.len() as u32), ValueId(f.values.len() as u32));
        f.values.push(Value { ty, def: Def::Op(id, 0), name: None, span, layout: None });
        f.ops.push(OpData {
            op,
            operands: operands.to_vec(),
            results: vec![v],
            regions: Vec::new(),
            parent,
            span,
            phase,
            weight_grad: false,
            recompute: None,
        });
        self.ops.push(id);
        v
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::interp::spmd;
    use meshloom_random::{Rng, tensor};

    /// Each op and the ops that replace it give the same elements, apart from padding.
    #[test]
    fn rewritten_ops_mean_the_same() {
        let mesh = "[a: 4]";
        for (from, op, to) in [
            ("f64[2, 3]", "pad_mask %0 {max dim 0 size 7 over a}", "f64[2, 3]"),
            ("i32[2, 3]", "pad_mask %0 {min dim 0 size 5 over a}", "i32[2, 3]"),
            ("f64[2, 3]", "all_gather %0 {dim 0 size 7 over a}", "f64[7, 3]"),
            ("f64[2, 3]", "all_to_all %0 {split 1 concat 0 size 5 over a}", "f64[5, 1]"),
            ("f64[2, 6]", "all_to_all %0 {split 1 concat 0 over a}", "f64[8, 2]"),
            ("f64[6, 3]", "reduce_scatter %0 {sum dim 0 over a}", "f64[2, 3]"),
        ] {
            let text =
                format!("func @f on {mesh} {{\n input %0 x: {from} input\n %1 = {op} : {to}\n output %1 y: output\n}}");
            let f = meshloom_ir::parse::parse(&text).unwrap_or_else(|e| panic!("{op}: {e}"));
            let (mut g, mut origin) = (f.clone(), vec![0]);
            even(&mut g, &mut origin);
            assert!(g.ops.len() > 1 && origin.len() == g.ops.len(), "{op}");
            let mut rng = Rng::new(1);
            let inputs: Vec<_> = (0..4).map(|_| vec![tensor(&mut rng, f.ty(ValueId(0)), (-9, 9))]).collect();
            let (want, _) = spmd::run(&f, &inputs).unwrap();
            let (got, _) = spmd::run(&g, &inputs).unwrap_or_else(|e| panic!("{op}: {e}"));
            for (w, g) in want.iter().zip(&got) {
                let same = |i: usize| w[0].f(i).is_nan() || w[0].f(i) == g[0].f(i);
                assert!(w[0].ty == g[0].ty && (0..w[0].len()).all(same), "{op}: {:?} {:?}", w[0], g[0]);
            }
        }
    }
}
