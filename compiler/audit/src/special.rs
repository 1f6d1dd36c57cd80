//! Kernels without a body: each computes one op of the local program, on operands whose places its spec says.

use crate::affine::{Affine, dense, strides};
use crate::bytes::inside;
use crate::extents::Extent;
use crate::memory::{Content, Launched, Piece};
use crate::place::Place;
use crate::space::{Proof, Role, unfollowed, wrong};
use crate::state::State;
use crate::values::position;
use meshloom_bundle::program::Launch;
use meshloom_ir::op::Attr;
use meshloom_ir::table::composite::{Pass, named};
use meshloom_ir::{Arithmetic, Func, Op, OpData, OpId, ValueId};
use meshloom_kernels::attention::{AttentionShape, Strides};
use meshloom_kernels::spec::{ScatterRows, SegmentSort};
use meshloom_kernels::{DType, KernelSpec};
use std::rc::Rc;

/// What a launch of such a kernel leaves in memory.
pub(crate) fn run(m: &State<'_>, l: &Launch, by: &Rc<Launched>) -> Proof<Vec<Piece>> {
    let whole = |i: usize| Extent::whole(&by.buffers[i].start, touched(m, l, by, i));
    let all: Vec<Extent> = (0..by.buffers.len()).map(whole).collect();
    match &*by.spec {
        KernelSpec::Attention(_) | KernelSpec::AttentionBackward(_) => {}
        _ => leaves_alone(m, &l.writes, &all)?,
    }
    match &*by.spec {
        KernelSpec::SegmentSort(s) => Ok(sort(by, s)),
        KernelSpec::ScatterRows(s) => scatter(m, op_of(m, l)?, by, s),
        KernelSpec::Scan(_) | KernelSpec::CumLogSumExp(_) | KernelSpec::TopK(_) => along(m, op_of(m, l)?, by),
        KernelSpec::Attention(a) => {
            let operands = [a.q, a.k, a.v, a.o, a.lse];
            attention(m, l, op_of(m, l)?, by, &a.shape, Pass::Forward, &operands)
        }
        KernelSpec::AttentionBackward(a) => {
            let operands = [a.q, a.k, a.v, a.o, a.lse, a.d_o, a.dq, a.dk, a.dv];
            attention(m, l, op_of(m, l)?, by, &a.shape, Pass::Backward, &operands)
        }
        other => unfollowed(format!("kernel `{}`", other.kind())),
    }
}

/// Whether nothing that a kernel writes lies over what it reads, or over another thing that it writes.
fn leaves_alone(m: &State<'_>, writes: &[u32], all: &[Extent]) -> Proof<()> {
    for &w in writes {
        let apart = |(i, other): (usize, &Extent)| i == w as usize || all[w as usize].is_apart(m.rounds, other);
        if !all.iter().enumerate().all(apart) {
            return wrong("writes over what it reads");
        }
    }
    Ok(())
}

/// How many bytes of a buffer a launch reads or writes. Rows to add up may be said to be all the stack that they lie in.
fn touched(m: &State<'_>, l: &Launch, by: &Launched, i: usize) -> i64 {
    let buffer = &by.buffers[i];
    match (&*by.spec, op_of(m, l)) {
        (KernelSpec::ScatterRows(_), Ok(data)) if i == 2 && data.operands.len() == 2 => {
            buffer.bytes.min(m.func.ty(data.operands[1]).bytes() as i64)
        }
        _ => buffer.bytes,
    }
}

fn op_of<'a>(m: &State<'a>, l: &Launch) -> Proof<&'a OpData> {
    match l.ops[..] {
        [o] if (o as usize) < m.func.ops.len() => Ok(m.func.op(OpId(o))),
        _ => wrong("does not name the op that it computes"),
    }
}

fn place(m: &State<'_>, v: ValueId) -> Proof<Place> {
    m.place(v).map_or_else(|| wrong("runs outside of its loop"), Ok)
}

/// A result whose dims lie this many elements apart.
fn result(m: &State<'_>, base: Affine, strides: &[i64], place: Place) -> Proof<Option<Piece>> {
    let ty = m.func.ty(place.value);
    if ty.elements() == 0 {
        return Ok(None);
    }
    let piece = Piece::strided(base, strides, &ty.shape, ty.dtype.bytes(), |at| {
        Content::Value(Place { at: at.into(), ..place })
    });
    piece.map_or_else(|| wrong("writes an element twice"), |p| Ok(Some(p)))
}

/// Kernels that go along one dim.
fn along(m: &State<'_>, data: &OpData, by: &Launched) -> Proof<Vec<Piece>> {
    let [Some(x), Some(out)] = [data.operands.first(), data.results.first()].map(Option::<&ValueId>::copied) else {
        return wrong("an op without operand or result");
    };
    let (ty, dims) = (m.func.ty(x), (0..m.func.ty(x).rank()).collect::<Vec<usize>>());
    let dtype = ty.dtype;
    let size = |dims: &[u64]| dims.iter().product::<u64>();
    let around = |d: usize| (size(&ty.shape[..d]), ty.shape[d], size(&ty.shape[d + 1..]));
    let (agrees, order) = match (&*by.spec, &data.op) {
        (KernelSpec::Scan(s), &Op::Cumulative { kind, dim, reverse, exclusive }) => {
            let of = (kind, reverse, exclusive) == (s.kind, s.reverse, s.exclusive);
            (of && (s.outer, s.n, s.inner) == around(dim) && s.dtype == dtype, dims)
        }
        (KernelSpec::CumLogSumExp(s), &Op::CumLogSumExp { dim, reverse }) => {
            (s.reverse == reverse && (s.outer, s.n, s.inner) == around(dim) && s.dtype == dtype, dims)
        }
        (KernelSpec::TopK(s), &Op::TopK { dim, k, largest, indices }) => {
            let (outer, n, inner) = around(dim);
            let of = (k, largest, indices) == (s.k, s.largest, s.indices);
            // Rows are the other dims, in order.
            let order = dims.iter().copied().filter(|&d| d != dim).chain([dim]).collect();
            (of && (s.rows, s.n) == (outer * inner, n) && s.dtype == dtype, order)
        }
        _ => (false, dims),
    };
    if !agrees {
        return wrong(format!("does not compute `{}` of its operand", data.op.name()));
    }
    let to = m.func.ty(out);
    let from = strides(&ty.shape, &order, ty.dtype.bytes() as i64);
    m.holds(&by.buffers[0], &from, 0, &place(m, x)?)?;
    let made =
        result(m, by.buffers[1].start.clone(), &strides(&to.shape, &order, to.dtype.bytes() as i64), place(m, out)?)?;
    Ok(made.into_iter().collect())
}

fn sort(by: &Rc<Launched>, s: &SegmentSort) -> Vec<Piece> {
    let of = |buffer: usize, count: u64, rows: bool| {
        Piece::dense(by.buffers[buffer].start.clone(), &[count], 4, |_| Content::Sorted { by: Rc::clone(by), rows })
    };
    vec![of(1, s.count.max(1), false), of(2, s.rows + 1, true)]
}

/// The sort whose result a buffer is.
fn sorted(m: &State<'_>, by: &Launched, buffer: usize, count: u64, rows: bool) -> Proof<Option<Rc<Launched>>> {
    let from = &by.buffers[buffer];
    let found = m.cases(|space| {
        let i = space.index(count.max(1), Role::Free);
        let (piece, at) = from.memory.read(space, &i.scaled(4).plus(&from.start, 1), 4)?;
        Ok(match &piece.content {
            Content::Sorted { by, rows: is } if *is == rows && at.iter().all(|a| *a == i) => Some(Rc::clone(by)),
            _ => None,
        })
    })?;
    Ok(match &found[..] {
        [Some(by)] => Some(Rc::clone(by)),
        _ => None,
    })
}

fn scatter(m: &State<'_>, data: &OpData, by: &Launched, s: &ScatterRows) -> Proof<Vec<Piece>> {
    let Op::Scatter { rows, total, shard } = &data.op else { return wrong("adds up rows of no `scatter`") };
    let (indices, updates, out) = (data.operands[0], data.operands[1], data.results[0]);
    let (count, ty) = (m.func.ty(indices).elements(), m.func.ty(updates));
    let of_result = m.func.ty(out).elements().checked_div(*rows);
    let cols = ty.elements().checked_div(count).or(of_result).unwrap_or(s.cols);
    let segments = sorted(m, by, 1, rows + 1, true)?;
    // Where there are no updates, no position is read: each row's group is empty, and the row is zeros.
    let order = if count == 0 { segments.clone() } else { sorted(m, by, 0, count, false)? };
    let Some(sort) = order else {
        return unfollowed("a scatter of what is not sorted");
    };
    let of_one = segments.is_some_and(|x| x.number == sort.number);
    let KernelSpec::SegmentSort(sorts) = &*sort.spec else { return wrong("reads no order of rows") };
    let start = position(&m.func.mesh, shard).scaled(*rows as i64);
    let shifted = if sorts.sharded { sort.dims.first() == Some(&start) } else { start == Affine::default() };
    let agrees = of_one
        && (sorts.count, sorts.rows, sorts.total) == (count, *rows, *total)
        && shifted
        && (s.rows, s.cols) == (*rows, cols)
        && s.dtype == ty.dtype
        && (s.update_stride, s.out_stride) == (cols as i64, cols as i64);
    if !agrees {
        return wrong("does not add up the rows of its `scatter`");
    }
    let of = m.func.ty(indices);
    m.holds(&sort.buffers[0], &dense(&of.shape, of.dtype.bytes() as i64), 0, &place(m, indices)?)?;
    m.holds(&by.buffers[2], &dense(&ty.shape, ty.dtype.bytes() as i64), 0, &place(m, updates)?)?;
    let to = m.func.ty(out);
    let made = result(m, by.buffers[3].start.clone(), &dense(&to.shape, to.dtype.bytes() as i64), place(m, out)?)?;
    Ok(made.into_iter().collect())
}

/// Where the positions begin that one side of a mask is made from, whatever is added to them.
fn traced(func: &Func, v: ValueId) -> Option<Affine> {
    let d = func.op(func.def_op(v)?);
    if let Op::Iota { shard, dim, shape, .. } = &d.op {
        return Some(position(&func.mesh, shard).scaled(shape[*dim] as i64));
    }
    let mut found = d.operands.iter().filter_map(|&x| traced(func, x));
    // Of two it cannot be said which is meant.
    found.next().filter(|_| found.next().is_none())
}

/// Where this device's positions of queries and of keys begin: what the masks of the body compare.
fn positions(func: &Func, data: &OpData) -> Proof<[Affine; 2]> {
    let body = func.region(data.regions[0]);
    let compared = body.ops.iter().map(|&o| func.op(o)).find_map(|d| match &d.op {
        op if matches!(op.arithmetic(), Arithmetic::Compare(_)) => {
            Some([traced(func, d.operands[0])?, traced(func, d.operands[1])?])
        }
        _ => None,
    });
    let split = body.ops.iter().any(|&o| matches!(&func.op(o).op, Op::Iota { shard, .. } if !shard.is_empty()));
    match compared {
        Some(found) => Ok(found),
        None if split => unfollowed("attention whose positions are not compared"),
        None => Ok([Affine::default(), Affine::default()]),
    }
}

/// The first and the last of `n` positions from `start` on, over all devices; `None` where it depends on something else.
fn first_and_last(m: &State<'_>, start: &Affine, n: u64) -> Option<(i128, i128)> {
    let (mut first, mut last) = (i128::from(start.offset), i128::from(start.offset) + i128::from(n) - 1);
    for &(v, step) in start.terms.iter() {
        let far = i128::from(step) * (i128::from(*m.axes.get(v as usize)?) - 1);
        if far > 0 { last += far } else { first += far }
    }
    Some((first, last))
}

/// Whether a kernel's mask is the composite's.
fn masked(m: &State<'_>, data: &OpData, by: &Launched, s: &AttentionShape) -> Proof<bool> {
    let Op::Composite { attrs, .. } = &data.op else { return Ok(false) };
    let causal = attrs.get("causal") == Some(&Attr::Bool(true));
    let window = match attrs.get("window") {
        Some(Attr::Int(n)) => u64::try_from(*n).unwrap_or(0),
        _ => 0,
    };
    let scale = match attrs.get("scale") {
        Some(Attr::Float(bits)) => *bits,
        _ => (1.0 / (s.head as f64).sqrt()).to_bits(),
    };
    let starts = positions(m.func, data)?;
    // A window that no pair of positions is outside of, on any device, is none.
    let ends = [(&starts[0], s.q_len), (&starts[1], s.kv_len)].map(|(start, n)| first_and_last(m, start, n));
    let wide =
        s.window == 0 && ends[0].zip(ends[1]).is_some_and(|(q, k)| (q.1 - k.0).max(k.1 - q.0) < i128::from(window));
    let none = Affine::default();
    let placed = if s.shifted {
        by.dims == starts
    } else {
        let anywhere = !s.causal && s.window == 0;
        anywhere || starts == [none.clone(), none] && s.q_len == s.kv_len
    };
    Ok(s.causal == causal && (s.window == window || wide) && s.scale == scale && placed)
}

fn attention(
    m: &State<'_>,
    l: &Launch,
    data: &OpData,
    by: &Launched,
    s: &AttentionShape,
    pass: Pass,
    operands: &[Strides],
) -> Proof<Vec<Piece>> {
    let Op::Composite { name, .. } = &data.op else { return wrong("computes attention where there is none") };
    let segmented = s.segments.is_some();
    let Some((form, _)) = named(name).filter(|x| x.1 == pass && data.operands.len() == x.0.operands(pass, segmented))
    else {
        return wrong(format!("computes attention where the program has `{name}`"));
    };
    let mut places = operands.to_vec();
    if let Some(segments) = s.segments {
        places.splice(3..3, segments);
    }
    let dims = form.dims(pass, segmented);
    let values: Vec<ValueId> = data.operands.iter().chain(&data.results).copied().collect();
    let size = |c: char| match c {
        // A kernel computes one block.
        'n' => 1,
        'b' => s.batch,
        'h' => s.heads,
        'g' => s.group,
        's' => s.q_len,
        't' => s.kv_len,
        'd' => s.head,
        _ => s.value,
    };
    if values.len() != dims.len() || !masked(m, data, by, s)? || !form.grouped && s.group != 1 {
        return wrong(format!("computes another attention than `{name}`"));
    }
    let (mut made, mut all) = (Vec::new(), Vec::new());
    for (i, ((&v, letters), at)) in values.iter().zip(&dims).zip(&places).enumerate() {
        let ty = m.func.ty(v);
        let dtype = match *letters {
            numbers if form.segments.contains(&numbers) => DType::I32,
            rows if rows == form.rows => s.computed(),
            _ => s.dtype,
        };
        if !letters.chars().map(size).eq(ty.shape.iter().copied()) || ty.dtype != dtype {
            return wrong(format!("computes attention of other shapes than `{name}`"));
        }
        let stride = |c: char| match c {
            'b' => at.batch,
            'h' => at.head,
            'g' => at.group,
            's' | 't' => at.seq,
            _ => 1,
        };
        let element = ty.dtype.bytes() as i64;
        let strides: Vec<i64> = letters.chars().map(|c| stride(c) * element).collect();
        let base = by.buffers[i].start.shifted(at.offset * element);
        let dims = strides.iter().copied().zip(ty.shape.iter().copied()).collect();
        all.push(Extent { base: base.clone(), dims, element: ty.dtype.bytes() });
        if i < data.operands.len() {
            m.holds(&by.buffers[i], &strides, at.offset * element, &place(m, v)?)?;
        } else {
            made.extend(result(m, base, &strides, place(m, v)?)?);
        }
    }
    if all.len() != by.buffers.len() {
        return wrong("has other buffers than its operands and results");
    }
    leaves_alone(m, &l.writes, &all)?;
    if made
        .iter()
        .zip(data.operands.len()..)
        .any(|(p, i)| !inside(m.rounds, (&p.base, p.reach()), by.buffers[i].bytes()))
    {
        return wrong("writes beyond the end of a buffer");
    }
    Ok(made)
}
