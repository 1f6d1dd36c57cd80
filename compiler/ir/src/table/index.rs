//! Row indexing: `gather` (embedding look-up) and its transpose `scatter`. Both act as contractions with one-hot rows, so a
//! split vocabulary gives partial sums and no gathered table.

use super::contract::nothing;
use super::{BASE, Class, Cost, FLOAT, INT, NO_TEXT, OpDef, Text, arity, attrs};
use crate::factor::{FactorKind, FactorRule, moves};
use crate::layout::Reduction;
use crate::op::Op;
use crate::tensor::{Data, Tensor};
use crate::text::show_shard;
use crate::types::{DType, TensorType};
use crate::verify::{check_axes, check_shape};

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[&GATHER, &SCATTER];

/// Why neither op has a form under leading dims of all its operands ([`crate::manual`] has one where the table is shared).
const NO_ROWS: &str = "it is not built for rows of bools, or sums of rows, that differ between devices";

pub static GATHER: OpDef = OpDef {
    name: "gather",
    class: Class::Rows,
    text: Text {
        show: |op, mesh| {
            Some(match attrs!(op, Op::Gather { shard, total } => (shard, *total)) {
                (shard, None) if shard.is_empty() => return None,
                (shard, None) => show_shard("", shard, mesh),
                // A count stands beside a shard alone.
                (shard, Some(n)) if shard.is_empty() => format!("total {n} shard ()"),
                (shard, Some(n)) => format!("total {n}{}", show_shard(" ", shard, mesh)),
            })
        },
        read: Some(|a| Ok(Op::Gather { total: a.size("total")?, shard: a.shard()? })),
        bare: Some(|_| Some(Op::Gather { shard: Vec::new(), total: None })),
        ..NO_TEXT
    },
    check: |op, mesh| check_axes(attrs!(op, Op::Gather { shard, .. } => shard), mesh),
    check_operands: |op, xs, mesh| {
        let (shard, total) = attrs!(op, Op::Gather { shard, total } => (shard, *total));
        let Some(n) = total else { return Ok(()) };
        let (rows, k) = (xs[0].shape[0], mesh.group_size(shard));
        if n.div_ceil(k) == rows && !n.is_multiple_of(k) {
            return Ok(());
        }
        Err(format!("`gather` has {rows} rows here of {n} in all, in {k} uneven blocks"))
    },
    cost: Cost::Rows,
    batch: |_, _| Err(NO_ROWS),
    reads_device: |op| attrs!(op, Op::Gather { shard, .. } => !shard.is_empty()),
    infer: |op, xs, _| {
        arity(op, xs, 2)?;
        if !xs[1].dtype.is_int() {
            return Err(format!("indices must be integers, not {}", xs[1].dtype));
        }
        if xs[0].rank() == 0 {
            return Err("a scalar has no rows to gather".into());
        }
        let mut shape = xs[1].shape.clone();
        shape.extend(&xs[0].shape[1..]);
        Ok(TensorType::new(xs[0].dtype, shape))
    },
    // Factors: the row (contracted), the indices' dims, the row's dims.
    factors: |_, xs, _| {
        let (k, r) = (xs[1].rank(), xs[0].rank() - 1);
        let mut sizes = vec![xs[0].shape[0]];
        sizes.extend(&xs[1].shape);
        sizes.extend(&xs[0].shape[1..]);
        let mut kinds = vec![FactorKind::Parallel; sizes.len()];
        // Rows of other shards are added as zeros ([`nothing`]), which bools cannot be.
        let numbers = xs[0].dtype != DType::Bool;
        if numbers {
            kinds[0] = FactorKind::Reduced(Reduction::Sum);
        } else {
            kinds[0] = FactorKind::Blocked;
        }
        let range = |a: usize, b: usize| (a..b).map(|f| vec![f]).collect::<Vec<_>>();
        let mut table = vec![vec![0]];
        table.extend(range(k + 1, k + 1 + r));
        FactorRule {
            sizes,
            kinds,
            operands: vec![table, range(1, k + 1)],
            results: vec![range(1, k + 1 + r)],
            linear: if numbers { vec![vec![0]] } else { Vec::new() },
            commuting: moves(xs[0].dtype, &[0]),
        }
    },
    localize: |_, l| {
        let shard = l.assignment.factors.get(&0).cloned().unwrap_or_default();
        let rows = l.rule.sizes[0];
        let total = (!rows.is_multiple_of(l.mesh.group_size(&shard))).then_some(rows);
        Op::Gather { shard, total }
    },
    grad: Some(|b, cx| {
        let rows = b.ty(cx.operands[0]).shape[0];
        let scatter = Op::Scatter { rows, total: rows, shard: Vec::new() };
        vec![Some(b.op(scatter, &[cx.operands[1], cx.ct])), None]
    }),
    eval: |op, xs, cx| {
        let (shard, total) = attrs!(op, Op::Gather { shard, total } => (shard, *total));
        let rows = xs[0].ty.shape[0] as i64;
        let total = total.map_or(rows * cx.mesh.group_size(shard) as i64, |n| n as i64);
        let start = rows * cx.mesh.index_in(cx.device, shard) as i64;
        let width = xs[0].ty.shape[1..].iter().product::<u64>() as usize;
        let mut shape = xs[1].ty.shape.clone();
        shape.extend(&xs[0].ty.shape[1..]);
        let k = xs[1].ty.rank();
        let st = crate::tensor::strides(&shape);
        xs[0].gather_or(&shape, nothing(xs[0].ty.dtype), |idx| {
            let flat: usize = idx.iter().zip(&st).map(|(i, s)| i * s).sum();
            let position = if k == shape.len() { flat } else { flat / width };
            let row = xs[1].i(position).clamp(0, (total - 1).max(0)) - start;
            (0..rows).contains(&row).then(|| row as usize * width + flat % width.max(1))
        })
    },
    samples: |put| {
        put(Op::Gather { shard: vec![], total: None }, &[(FLOAT, &[6, 4]), (INT, &[4, 2])]);
        put(Op::Gather { shard: vec![], total: None }, &[(FLOAT, &[5, 3]), (INT, &[6])]);
    },
    ..BASE
};

pub static SCATTER: OpDef = OpDef {
    name: "scatter",
    class: Class::Rows,
    text: Text {
        show: |op, mesh| {
            let (total, shard) = attrs!(op, Op::Scatter { total, shard, .. } => (total, shard));
            Some(format!("total {total}{}", show_shard(" ", shard, mesh)))
        },
        read: Some(|a| {
            a.c.expect_word("total")?;
            Ok(Op::Scatter { rows: 0, total: a.count("a count of rows")?, shard: a.shard()? })
        }),
        complete: |op, ty| {
            if let Op::Scatter { rows, .. } = op {
                *rows = ty.shape.first().copied().unwrap_or(0);
            }
        },
        ..NO_TEXT
    },
    check: |op, mesh| {
        let (rows, total, shard) = attrs!(op, Op::Scatter { rows, total, shard } => (*rows, *total, shard));
        check_axes(shard, mesh)?;
        check_shape(&[total])?;
        if total.div_ceil(mesh.group_size(shard)) == rows {
            return Ok(());
        }
        Err(format!("`scatter` has {rows} rows here of {total} in all"))
    },
    cost: Cost::Kernel,
    batch: |_, _| Err(NO_ROWS),
    anchor: |_| true,
    accumulates: |_| true,
    reads_device: |op| attrs!(op, Op::Scatter { shard, .. } => !shard.is_empty()),
    infer: |op, xs, _| {
        arity(op, xs, 2)?;
        let rows = attrs!(op, Op::Scatter { rows, .. } => *rows);
        if !xs[0].dtype.is_int() || !xs[1].dtype.is_float() {
            return Err(format!("scatter takes integer indices and float updates, not {} and {}", xs[0], xs[1]));
        }
        let row = xs[1].shape.strip_prefix(&xs[0].shape[..]);
        let row =
            row.ok_or_else(|| format!("updates {} do not begin with the dims of the indices {}", xs[1], xs[0]))?;
        let mut shape = vec![rows];
        shape.extend(row);
        Ok(TensorType::new(xs[1].dtype, shape))
    },
    // Factors: the row, the indices' dims (contracted), the row's dims.
    factors: |op, xs, _| {
        let total = attrs!(op, Op::Scatter { total, .. } => *total);
        let (k, n) = (xs[0].rank(), xs[1].rank());
        let mut sizes = vec![total];
        sizes.extend(&xs[1].shape);
        let mut kinds = vec![FactorKind::Parallel; sizes.len()];
        kinds[1..=k].fill(FactorKind::Reduced(Reduction::Sum));
        let range = |a: usize, b: usize| (a..b).map(|f| vec![f]).collect::<Vec<_>>();
        let mut result = vec![vec![0]];
        result.extend(range(k + 1, n + 1));
        FactorRule {
            sizes,
            kinds,
            operands: vec![range(1, k + 1), range(1, n + 1)],
            results: vec![result],
            linear: vec![vec![1]],
            commuting: Vec::new(),
        }
    },
    localize: |op, l| {
        let total = attrs!(op, Op::Scatter { total, .. } => *total);
        let shard = l.assignment.factors.get(&0).cloned().unwrap_or_default();
        Op::Scatter { rows: l.result.shape[0], total, shard }
    },
    grad: Some(|b, cx| vec![None, Some(b.op(Op::Gather { shard: Vec::new(), total: None }, &[cx.ct, cx.operands[0]]))]),
    eval: |op, xs, cx| {
        let (rows, total, shard) =
            attrs!(op, Op::Scatter { rows, total, shard } => (*rows as i64, *total as i64, shard));
        let start = rows * cx.mesh.index_in(cx.device, shard) as i64;
        let row_shape = &xs[1].ty.shape[xs[0].ty.rank()..];
        let width = row_shape.iter().product::<u64>() as usize;
        let mut shape = vec![rows as u64];
        shape.extend(row_shape);
        let Data::Float(updates) = &xs[1].data else { unreachable!("scatter of floats, as the verifier saw to") };
        let mut out = vec![0.0; rows as usize * width];
        for p in 0..xs[0].len() {
            let row = xs[0].i(p).clamp(0, (total - 1).max(0)) - start;
            if (0..rows).contains(&row) {
                for c in 0..width {
                    out[row as usize * width + c] += updates[p * width + c];
                }
            }
        }
        Tensor::floats(xs[1].ty.dtype, &shape, out)
    },
    flops: |_, xs, _| xs[1].elements(),
    samples: |put| {
        put(Op::Scatter { rows: 6, total: 6, shard: vec![] }, &[(INT, &[4]), (FLOAT, &[4, 6])]);
        put(Op::Scatter { rows: 5, total: 5, shard: vec![] }, &[(INT, &[4, 2]), (FLOAT, &[4, 2, 3])]);
    },
    ..BASE
};
