//! Collectives: compares each with the local op that it carries out, and its two buffers with the op's values.

use crate::affine::dense;
use crate::bytes::{Bytes, meet};
use crate::memory::{Content, Piece};
use crate::place::Place;
use crate::space::{Devices, Proof, unfollowed, wrong};
use crate::state::State;
use meshloom_bundle::held_as;
use meshloom_bundle::program::{Collective, CollectiveKind};
use meshloom_ir::table::comm::{Effect, permute_source};
use meshloom_ir::{Axis, Mesh, Op, OpId};

/// One collective, or several for which devices meet once: all read before any writes.
pub(crate) fn run(m: &mut State<'_>, all: &[Collective]) -> Proof<()> {
    let rounds = m.rounds;
    let meets = |a: &Bytes, b: &Bytes| meet(rounds, (&a.0, a.1), (&b.0, b.1));
    let bytes: Vec<(Bytes, Bytes)> = all.iter().map(|c| (m.bytes(&c.src), m.bytes(&c.dst))).collect();
    for (i, (c, (from, to))) in all.iter().zip(&bytes).enumerate() {
        for (j, other) in bytes.iter().enumerate() {
            let in_place = i == j && matches!(c.kind, CollectiveKind::AllReduce { .. }) && from == to;
            if meets(to, &other.0) && !in_place || i != j && meets(to, &other.1) {
                return wrong("one collective of a call writes what another one reads or writes");
            }
        }
    }
    let made = all.iter().map(|c| one(m, c)).collect::<Proof<Vec<_>>>()?;
    made.into_iter().flatten().for_each(|p| m.write(p));
    Ok(())
}

/// What a local op moves: how, and the shapes of its operand and result with whole blocks.
struct Exchanged {
    kind: CollectiveKind,
    from: Vec<u64>,
    to: Vec<u64>,
}

fn exchanged(m: &State<'_>, o: OpId) -> Option<Exchanged> {
    let (func, data) = (m.func, m.func.op(o));
    let (mut from, mut to) = (func.ty(data.operands[0]).shape.clone(), func.ty(*data.results.first()?).shape.clone());
    let n = func.mesh.group_size(data.op.collective_axes()?);
    let size = |dims: &[u64]| dims.iter().product::<u64>();
    let count = size(&from);
    let kind = match &data.op {
        Op::AllReduce { kind, .. } => CollectiveKind::AllReduce { reduction: *kind, count },
        &Op::AllGather { dim, .. } => {
            to[dim] = from[dim] * n;
            CollectiveKind::AllGather { outer: size(&from[..dim]), block: from[dim], inner: size(&from[dim + 1..]) }
        }
        &Op::ReduceScatter { dim, kind, .. } => {
            from[dim] = to[dim] * n;
            let (outer, inner) = (size(&to[..dim]), size(&to[dim + 1..]));
            CollectiveKind::ReduceScatter { reduction: kind, outer, block: to[dim], inner }
        }
        &Op::AllToAll { split, concat, .. } => {
            from[split] = to[split] * n;
            to[concat] = from[concat] * n;
            let (first, second) = (split.min(concat), split.max(concat));
            CollectiveKind::AllToAll {
                split_first: split < concat,
                outer: size(&from[..first]),
                split: to[split],
                middle: size(&from[first + 1..second]),
                concat: from[concat],
                inner: size(&from[second + 1..]),
            }
        }
        &Op::CollectiveShift { by, mirror, .. } => {
            let to = |i: u64| if mirror { (n + by - i) % n } else { (i + by) % n };
            let pairs = (0..n).map(|i| (i as u32, to(i) as u32)).collect();
            CollectiveKind::CollectivePermute { count, pairs }
        }
        Op::CollectivePermute { axes, from, to } => {
            let pairs = || permuted(&func.mesh, axes, from, to);
            let pairs = m.permuted.borrow_mut().entry(o).or_insert_with(pairs).clone();
            CollectiveKind::CollectivePermute { count, pairs }
        }
        _ => return None,
    };
    Some(Exchanged { kind, from, to })
}

/// Who is sent what each device of a group has.
fn permuted(mesh: &Mesh, axes: &[Axis], from: &[Vec<Axis>], to: &[Vec<Axis>]) -> Vec<(u32, u32)> {
    let source = |d: u64| mesh.index_in(permute_source(mesh, axes, from, to, d), axes) as u32;
    let mut pairs: Vec<(u32, u32)> = mesh.group(0, axes).iter().zip(0..).map(|(&d, i)| (source(d), i)).collect();
    pairs.sort_unstable();
    pairs
}

/// What a collective leaves in memory.
fn one(m: &State<'_>, c: &Collective) -> Proof<Vec<Piece>> {
    let &[o] = &c.ops[..] else { return unfollowed("a collective of several ops") };
    let o = OpId(o);
    if o.index() >= m.func.ops.len() {
        return wrong(format!("names op {}, which the program does not have", o.0));
    }
    let data = m.func.op(o);
    let Some(want) = exchanged(m, o) else {
        return wrong(format!("carries out `{}`, which is no collective", data.op.name()));
    };
    let mut axes: Vec<u32> = data.op.collective_axes().unwrap_or_default().iter().map(|a| u32::from(a.0)).collect();
    let mut over = c.axes.clone();
    // Where every member has the same result, their order does not matter.
    if matches!(data.op.effect(), Effect { reduced: Some(_), gathered: None, split: None }) {
        axes.sort_unstable();
        over.sort_unstable();
    }
    if c.kind != want.kind || over != axes {
        return wrong(format!("moves other elements than `{}`, or between other devices", data.op.name()));
    }
    let (x, result) = (data.operands[0], data.results[0]);
    let ty = m.func.ty(x);
    let element = ty.dtype.bytes();
    if c.dtype != held_as(ty.dtype) {
        return wrong("moves elements of another type");
    }
    let (Some(x), Some(result)) = (m.place(x), m.place(result)) else {
        return wrong("runs outside of its loop");
    };
    let bytes = |shape: &[u64]| shape.iter().product::<u64>() * element;
    if c.src.bytes < bytes(&want.from) || c.dst.bytes < bytes(&want.to) {
        return wrong("moves more bytes than its buffers have");
    }
    m.holds(&m.buffer(&c.src), &dense(&want.from, element as i64), 0, &x)?;
    let (base, shape) = (m.address(&c.dst), &m.func.ty(result.value).shape);
    if bytes(&want.to) == 0 {
        return Ok(Vec::new());
    }
    let mut out = Vec::new();
    if want.to != *shape {
        let coordinates = vec![(1, bytes(&want.to))];
        let (content, devices) = (Content::Padding, Devices::default());
        out.push(Piece { base: base.clone(), coordinates, element: 1, content, devices });
    }
    let strides = dense(&want.to, element as i64);
    let made = Piece::strided(base, &strides, shape, element, |at| Content::Value(Place { at: at.into(), ..result }));
    out.extend(made);
    Ok(out)
}
