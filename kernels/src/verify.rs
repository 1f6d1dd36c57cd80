//! Checks of a spec: indices are in range, arities and dtypes fit, and the promises hold that each family makes in
//! [`crate::spec`]. The emitter refuses a spec that does not pass, so nothing after it has to check again.

use crate::added::DotAndSum;
use crate::attention::AttentionShape;
use crate::column::Column;
use crate::dot::Dot;
use crate::expr::{Access, Body, DType, Elem, Node, NodeId};
use crate::fused::{Fused, Passes};
use crate::gpu::LINE_ELEMENTS;
use crate::grid::{fused_has_template, is_exchanged};
use crate::matmul::{Matmul, Operand, Pack, TILE_ROWS, panel_cols};
use crate::spec::kernel::SpecError;
use crate::summed::Summed;
use std::ops::Range;

/// The most elements of a buffer, so that arithmetic on offsets cannot overflow.
const MAX_ELEMENTS: u64 = 1 << 40;

/// The most products that a contraction sums, and scores of a head, so that no count of them overflows. They are in no buffer.
const MAX_PRODUCTS: u64 = 1 << 56;

type Checked = Result<(), SpecError>;

pub(crate) fn ensure(ok: bool, what: impl FnOnce() -> String) -> Checked {
    if ok { Ok(()) } else { Err(SpecError(what())) }
}

pub(crate) fn fused(s: &Fused) -> Checked {
    ensure(!s.shape.is_empty(), || "fused: no dims".into())?;
    space(&s.shape)?;
    body(&s.body, s.shape.len(), false)?;
    ensure(!s.body.outputs.is_empty(), || "fused: no outputs".into())?;
    let last = s.shape.len() - 1;
    let varies = Passes::of(&s.body, last).varies;
    s.body.outputs.iter().try_for_each(|o| {
        let moves = o.access.strides[last] != 0 || s.shape[last] == 1;
        ensure(moves || !varies[o.node.index()], || format!("fused: every column of %{} goes to one place", o.node.0))
    })
}

pub(crate) fn column(s: &Column) -> Checked {
    space(&s.space())?;
    ensure(s.cols > 0, || "column: no columns".into())?;
    body(&s.body, s.space().len(), false)?;
    no_nested_reduce(&s.body)?;
    reduced_outputs(&s.body, s.reduced())
}

pub(crate) fn summed(s: &Summed) -> Checked {
    let (n, last, sums) = (s.body.nodes.len(), s.shape.len().max(1) - 1, s.sums as usize);
    ensure(last >= 2 && s.shape.iter().all(|&d| d > 0), || "summed: no parts, rows or columns".into())?;
    ensure(0 < sums && sums <= n && sums <= s.body.outputs.len(), || "summed: no sums".into())?;
    space(&s.shape)?;
    body(&s.body, s.shape.len(), false)?;
    let (rows, added) = s.body.outputs.split_at(s.body.outputs.len() - sums);
    for (id, out) in (s.first_sum()..n).zip(added) {
        let reduces = matches!(&s.body.nodes[id], Node::Reduce { arg, .. } if arg.index() < s.first_sum());
        ensure(reduces && out.node.index() == id, || format!("summed: %{id} is no sum of columns that is stored"))?;
        let strides = &out.access.strides;
        let still = strides[1..last].iter().all(|&s| s == 0) && strides[last] == 1;
        ensure(still && strides[0] >= s.cols() as i64, || format!("summed: {} is no place of parts", out.access))?;
    }
    ensure(rows.iter().all(|o| o.node.index() < s.first_sum()), || "summed: a row stores a sum of columns".into())?;
    fused(&s.rows())?;
    ensure(fused_has_template(&s.rows()) && s.threads().is_some(), || "summed: a row is too long".into())?;
    let plain = s.reductions().iter().all(|r| is_exchanged(s.body.dtype(r.1)));
    ensure(plain, || "summed: sums of a type that threads do not exchange".into())
}

pub(crate) fn space(dims: &[u64]) -> Checked {
    let size = dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d)).unwrap_or(u64::MAX);
    ensure(size <= MAX_ELEMENTS, || format!("a space of {dims:?} is too large"))
}

/// A contraction of results over `space` and of so much depth: the results, each of the operands, and what is summed.
fn contraction(batch: &[u64], m: &[u64], n: &[u64], k: &[u64]) -> Checked {
    for free in [[m, n], [m, k], [n, k]] {
        space(&[batch, free[0], free[1]].concat())?;
    }
    let all = [batch, m, n, k].concat();
    let products = all.iter().try_fold(1u64, |n, &d| n.checked_mul(d)).unwrap_or(u64::MAX);
    ensure(products <= MAX_PRODUCTS, || format!("a contraction over {all:?} is too large"))
}

fn access(a: &Access, buffers: usize, rank: usize) -> Checked {
    ensure((a.buffer as usize) < buffers, || format!("no buffer b{}", a.buffer))?;
    ensure(a.strides.len() == rank, || format!("{a} in a space of {rank} dims"))?;
    ensure(a.offset >= 0 && a.strides.iter().all(|s| s.unsigned_abs() <= MAX_ELEMENTS), || {
        format!("{a} is out of range")
    })
}

/// Checks that nodes are well-formed over a space of `rank` dims.
fn body(b: &Body, rank: usize, acc: bool) -> Checked {
    for (i, n) in b.nodes.iter().enumerate() {
        let id = NodeId(i as u32);
        let at = |what: &str| SpecError(format!("%{i}: {what}"));
        if let Some(bad) = b.args(id).iter().find(|a| **a >= id) {
            return Err(at(&format!("uses %{} before it is there", bad.0)));
        }
        match n {
            Node::Leaf(a) => access(a, b.buffers.len(), rank)?,
            Node::Gather { access: a, index, .. } => {
                access(a, b.buffers.len(), rank)?;
                ensure(b.dtype(*index) == DType::I32, || format!("%{i}: gathers by something that is not i32"))?;
            }
            Node::Iota { dim } => ensure((*dim as usize) < rank, || format!("%{i}: no dim {dim}"))?,
            Node::Const { dtype, bits } => {
                let v = *bits as i64;
                let fits = dtype.is_float() || *dtype == DType::I64 || v.unsigned_abs() <= 1 << 31;
                ensure(!dtype.is_stored_only(), || format!("%{i}: a constant of {}", dtype.name()))?;
                ensure(fits, || format!("%{i}: {v} is no {}", dtype.name()))?;
            }
            Node::Acc => ensure(acc, || format!("%{i}: an accumulator outside a matmul"))?,
            Node::Elem { op, dtype, args } => elem(b, *op, *dtype, args).map_err(|e| at(&e))?,
            Node::Dim { .. } | Node::Reduce { .. } => {}
        }
    }
    b.outputs.iter().try_for_each(|o| {
        ensure(o.node.index() < b.nodes.len(), || format!("stores %{}, which does not exist", o.node.0))?;
        access(&o.access, b.buffers.len(), rank)?;
        let (value, buffer) = (b.dtype(o.node), b.buffers[o.access.buffer as usize]);
        ensure(value == buffer, || {
            format!("stores %{} ({}) to {} ({})", o.node.0, value.name(), o.access, buffer.name())
        })
    })
}

fn elem(b: &Body, op: Elem, dtype: DType, args: &[NodeId]) -> Result<(), String> {
    if args.len() != op.arity() {
        return Err(format!("{} takes {} arguments, not {}", op.name(), op.arity(), args.len()));
    }
    let types: Vec<DType> = args.iter().map(|a| b.dtype(*a)).collect();
    let all = |d: DType| types.iter().all(|t| *t == d && !t.is_stored_only());
    let ok = match op {
        Elem::Compare(_) => dtype == DType::Bool && all(types[0]),
        Elem::Select => types[0] == DType::Bool && types[1] == types[2] && dtype == types[1],
        Elem::Convert => true,
        Elem::And | Elem::Or | Elem::Xor | Elem::Not => all(dtype) && !dtype.is_float(),
        Elem::ShiftLeft | Elem::ShiftRightArithmetic | Elem::ShiftRightLogical => all(dtype) && dtype.is_int(),
        Elem::Popcnt | Elem::CountLeadingZeros => all(dtype) && dtype.is_int(),
        Elem::BitsOfFloat => types[0].is_computed_float() && dtype == types[0].bits_as(),
        Elem::FloatOfBits => all(types[0]) && types[0].is_int() && dtype == types[0].bits_as(),
        Elem::Threefry => all(dtype) && dtype == DType::I32,
        Elem::Add
        | Elem::Subtract
        | Elem::Multiply
        | Elem::Maximum
        | Elem::Minimum
        | Elem::Negate
        | Elem::Abs
        | Elem::Sign => all(dtype) && dtype != DType::Bool,
        Elem::Divide | Elem::Remainder => all(dtype) && dtype != DType::Bool,
        _ => all(dtype) && dtype.is_float(),
    };
    let names: Vec<&str> = types.iter().map(|t| t.name()).collect();
    if ok { Ok(()) } else { Err(format!("{} of {} as {}", op.name(), names.join(", "), dtype.name())) }
}

/// Checks that no reduction is reduced. Column-like kernels make one pass; this would need two.
fn no_nested_reduce(b: &Body) -> Checked {
    let mut reduced = vec![false; b.nodes.len()];
    for (i, n) in b.nodes.iter().enumerate() {
        let from_args = b.args(NodeId(i as u32)).iter().any(|a| reduced[a.index()]);
        let is = matches!(n, Node::Reduce { .. });
        ensure(!(is && from_args), || format!("%{i}: a reduction of a reduction"))?;
        reduced[i] = is || from_args;
    }
    Ok(())
}

/// Checks that outputs do not move along reduced dims, and that the leaves which they use other than through a
/// reduction do not either.
fn reduced_outputs(b: &Body, dims: Range<usize>) -> Checked {
    let still = |a: &Access| a.strides[dims.clone()].iter().all(|s| *s == 0);
    let mut work: Vec<NodeId> = Vec::new();
    for o in &b.outputs {
        ensure(still(&o.access), || format!("{} moves along a reduced dim", o.access))?;
        work.push(o.node);
    }
    while let Some(id) = work.pop() {
        let moves = match &b.nodes[id.index()] {
            Node::Leaf(a) | Node::Gather { access: a, .. } => !still(a),
            Node::Iota { dim } => dims.contains(&(*dim as usize)),
            _ => false,
        };
        ensure(!moves, || format!("an output uses %{}, which moves along a reduced dim", id.0))?;
        if !matches!(b.nodes[id.index()], Node::Reduce { .. }) {
            work.extend_from_slice(b.args(id));
        }
    }
    Ok(())
}

pub(crate) fn pack(s: &Pack) -> Checked {
    ensure(!s.rows.is_empty(), || "pack: no rows".into())?;
    space(&s.space())?;
    body(&s.body, s.space().len(), false)?;
    no_nested_reduce(&s.body)?;
    ensure(s.value.index() < s.body.nodes.len(), || "pack: no value".into())?;
    let (value, lead) = (s.body.dtype(s.value), s.batch.len() + s.rows.len());
    ensure(value.is_computed_float() && s.body.buffers.get(s.panels as usize) == Some(&value), || {
        "pack: panels of another dtype".into()
    })?;
    ensure(s.width == TILE_ROWS || s.width == panel_cols(value), || format!("pack: no panels of width {}", s.width))?;
    ensure(!s.body.accesses().any(|a| a.buffer == s.panels), || "pack: the body uses the panels".into())?;
    // Outputs that move along k are stored as the values pass. The others are stored after the last k.
    let sums: Vec<_> =
        s.body.outputs.iter().filter(|o| o.access.strides[lead..].iter().all(|s| *s == 0)).cloned().collect();
    reduced_outputs(&Body { outputs: sums, ..s.body.clone() }, lead..s.space().len())
}

pub(crate) fn matmul(s: &Matmul) -> Checked {
    ensure(!s.m.is_empty() && !s.n.is_empty(), || "matmul: no rows or columns".into())?;
    let rank = s.space().len();
    contraction(&s.batch, &s.m, &s.n, &[s.k])?;
    body(&s.body, rank, true)?;
    ensure(
        s.body.buffers.len() >= 2 && s.body.buffers[0] == s.body.buffers[1] && s.dtype().is_computed_float(),
        || "matmul: operands of one float dtype come first".into(),
    )?;
    ensure(!s.body.has_reduce(), || "matmul: a reduction in the epilogue".into())?;
    ensure(!s.body.outputs.is_empty(), || "matmul: no outputs".into())?;
    for (operand, dims, what) in [(&s.a, &s.m, "a"), (&s.b, &s.n, "b")] {
        if let Operand::Direct { access: a, .. } = operand {
            access(a, s.body.buffers.len(), s.batch.len() + dims.len())?;
            let unit = what == "a" || a.strides.last() == Some(&1);
            ensure(unit, || "matmul: columns of a b that is read in place are not contiguous".into())?;
        }
    }
    if s.spills() {
        let o = &s.body.outputs[0];
        ensure(s.body.dtype(o.node) == s.dtype(), || "matmul: output 0 cannot hold partial sums of its dtype".into())?;
        let distinct = o.access.strides.iter().zip(s.space()).all(|(&st, d)| st > 0 || d == 1);
        ensure(distinct, || "matmul: output 0 has one place for several partial sums".into())?;
        let shared = s.body.outputs[1..].iter().any(|p| p.access.buffer == o.access.buffer);
        let read = s
            .body
            .nodes
            .iter()
            .any(|n| matches!(n, Node::Leaf(a) | Node::Gather { access: a, .. } if a.buffer == o.access.buffer));
        ensure(!shared && !read, || "matmul: partial sums overwrite a buffer that the epilogue uses".into())?;
    }
    Ok(())
}

pub(crate) fn dot(s: &Dot) -> Checked {
    ensure(!s.m.is_empty() && !s.n.is_empty() && !s.k.is_empty(), || "dot: no rows, columns or depth".into())?;
    contraction(&s.batch, &s.m, &s.n, &s.k)?;
    body(&s.body, s.space().len(), true)?;
    let both = |is: fn(DType) -> bool| is(s.stored(0)) && is(s.stored(1));
    ensure(
        s.body.buffers.len() >= 2
            && (both(DType::is_int8)
                || both(DType::is_float8)
                || s.stored(0) == s.stored(1) && s.dtype().computed().is_float()),
        || "dot: operands of one float dtype, or two floats or integers of 8 bits, come first".into(),
    )?;
    ensure(!s.tf32 || s.dtype() == DType::F32, || "dot: in tf32, and not of f32".into())?;
    ensure(!s.body.has_reduce(), || "dot: a reduction in the epilogue".into())?;
    ensure(!s.body.outputs.is_empty(), || "dot: no outputs".into())?;
    for (a, free) in [(&s.a, &s.m), (&s.b, &s.n)] {
        access(a, s.body.buffers.len(), s.batch.len() + free.len() + s.k.len())?;
    }
    Ok(())
}

pub(crate) fn dot_and_sum(s: &DotAndSum) -> Checked {
    dot(&s.dot)?;
    let (first, whole) = (s.dot.k[0], s.depth() > 0 && s.depth().is_multiple_of(LINE_ELEMENTS));
    ensure(s.which < 2 && s.dot.batch.is_empty(), || "dot: no operand that can be added up".into())?;
    ensure(s.parts > 0 && first.is_multiple_of(s.parts) && whole, || {
        format!("dot: the sums of an operand over {:?} in {} parts", s.dot.k, s.parts)
    })?;
    let stored = s.dot.stored(s.which as usize);
    ensure(stored.computed() == DType::F32 && s.dot.space().iter().all(|n| *n > 0), || {
        format!("dot: sums of {}, or of nothing", stored.name())
    })?;
    let same = || DotAndSum::new(s.dot.clone(), s.which, s.parts).body == s.body;
    ensure(same(), || "dot: a body that is not of this contraction and these sums".into())
}

pub(crate) fn attention(s: &AttentionShape) -> Checked {
    ensure(s.computed().is_float(), || "attention: not a float".into())?;
    ensure(s.head > 0 && s.value > 0 && s.q_len > 0 && s.kv_len > 0, || "attention: an empty sequence or head".into())?;
    ensure(s.causal || s.window > 0 || !s.shifted, || "attention: positions that nothing asks for".into())?;
    ensure(s.after().is_none() || s.shifted || s.q_len == s.kv_len, || {
        "attention: a mask by position between sequences of different length".into()
    })?;
    if let Some([_, k]) = s.segments {
        ensure(k.seq == 1, || "attention: segments of keys with gaps".into())?;
    }
    let head = s.head.max(s.value);
    space(&[s.batch, s.heads, s.group, s.q_len, head])?;
    space(&[s.batch, s.heads, s.kv_len, head])?;
    // Scores are in no buffer; a kernel has those of a few queries at a time.
    let scores = s.q_len.checked_mul(s.kv_len).is_some_and(|n| n <= MAX_PRODUCTS);
    ensure(scores, || format!("scores of {} x {} tokens are too many", s.q_len, s.kv_len))
}
