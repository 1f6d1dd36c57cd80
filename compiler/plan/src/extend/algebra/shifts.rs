//! Shifts along a dim that is split over devices: slices, concatenations and pads that give each element the one so much further
//! along (`x[1:]`, a roll, a token shift) send only borders, as windows do (see [`super::windows`]).
//!
//! What an op gives is read as pieces of one tensor, however many slices, concatenations and pads it is written with. Of the pieces
//! each block of the result has its own: most of them stand in its own block of the tensor, or in a block as many further as for all
//! other blocks, so that `rotate` brings them. A block that has something else, as the one at an end does, selects it by its number.
//!
//! Results that are not as long as the tensor are the beginning of one that is: blocks stay equally long, so each device has its part
//! already.
//!
//! The fewest ops are read that lead to one tensor, since two shifts one after the other send as much as one that goes twice as far.
//!
//! The rule looks only at dims that are as long as one that an annotation splits: there are slices and concatenations in most programs.
//!
//! Not here: pieces of several tensors; reversals; borders that together are a block or more, unless whole blocks move.

use super::blocks::all_counts;
use super::graph::{Algebra, Rule};
use super::law;
use crate::effort;
use meshloom_ir::{Constraint, DType, DimSpec, Func, Literal, Op, OpId, Scalar, ValueId};
use std::collections::BTreeSet;

pub const RULES: &[Rule] = &[Rule {
    name: "shifts-in-blocks",
    about: "elements that stand further along a dim are those of its blocks, each with borders of the blocks beside it",
    reassociates: false,
    apply: shifts,
}];

/// Whether a program has shifts along a dim that may be split.
pub fn concern(func: &Func) -> bool {
    let sizes = split_sizes(func);
    let size = |v: ValueId, dim: usize| func.ty(v).shape[dim];
    let sliced = |&v: &ValueId| func.def_op(v).is_some_and(|o| matches!(func.op(o).op, Op::Slice { .. }));
    !sizes.is_empty()
        && func.ops.iter().any(|d| match &d.op {
            Op::Slice { start, .. } => (0..start.len()).any(|dim| {
                let either = [d.operands[0], d.results[0]].map(|v| size(v, dim));
                either[0] != either[1] && either.iter().any(|n| sizes.contains(n))
            }),
            Op::Concatenate { dim } => sizes.contains(&size(d.results[0], *dim)) && d.operands.iter().any(sliced),
            _ => false,
        })
}

/// How long dims are that annotations split.
fn split_sizes(func: &Func) -> BTreeSet<u64> {
    let dims = |c: &Constraint, v: ValueId| -> Vec<u64> {
        let named = |d: &DimSpec| matches!(d, DimSpec::Exactly(a) | DimSpec::AtLeast(a) if !a.is_empty());
        c.dims.iter().zip(&func.ty(v).shape).filter(|(d, _)| named(d)).map(|(_, &n)| n).collect()
    };
    let inputs = func.inputs.iter().zip(&func.body().args).flat_map(|(p, &v)| dims(&p.constraint, v));
    let pinned = func.ops.iter().filter_map(|d| match &d.op {
        Op::Constrain(c) => Some(dims(c, d.results[0])),
        _ => None,
    });
    inputs.chain(pinned.flatten()).collect()
}

/// Elements one after the other.
#[derive(Clone, Copy)]
struct Piece {
    length: u64,
    source: Source,
}

#[derive(Clone, Copy)]
enum Source {
    /// Those of a tensor from this one on.
    Of(ValueId, u64),
    Fill(Scalar),
}

impl Piece {
    fn part(self, from: u64, to: u64) -> Piece {
        let source = match self.source {
            Source::Of(x, i) => Source::Of(x, i + from),
            fill => fill,
        };
        Piece { length: to - from, source }
    }
}

fn parts(pieces: &[Piece], from: u64, to: u64) -> Vec<Piece> {
    let (mut out, mut at) = (Vec::new(), 0);
    for p in pieces {
        let (low, high) = (from.max(at), to.min(at + p.length));
        if low < high {
            out.push(p.part(low - at, high - at));
        }
        at += p.length;
    }
    out
}

/// What `v` has along a dim, through as many nested ops.
fn pieces(a: &Algebra<'_>, v: ValueId, dim: usize, depth: usize) -> Vec<Piece> {
    let length = a.shape(v)[dim];
    if let Some(Literal::Splat(x)) = a.splat(v) {
        return vec![Piece { length, source: Source::Fill(x) }];
    }
    let zero = |by: &[u64]| by.iter().enumerate().all(|(d, &n)| d == dim || n == 0);
    let read = |o: OpId| {
        let d = a.op(o);
        let of = |x: ValueId| pieces(a, x, dim, depth - 1);
        match &d.op {
            Op::Slice { start, limit } => {
                let shape = a.shape(d.operands[0]);
                let whole = (0..shape.len()).all(|d| d == dim || limit[d] - start[d] == shape[d]);
                whole.then(|| parts(&of(d.operands[0]), start[dim], limit[dim]))
            }
            Op::Pad { low, high } if zero(low) && zero(high) => {
                let source = Source::Fill(Scalar::of(a.ty(v).dtype, 0.0));
                let zeros = |length| (length > 0).then_some(Piece { length, source });
                Some(zeros(low[dim]).into_iter().chain(of(d.operands[0])).chain(zeros(high[dim])).collect())
            }
            Op::Concatenate { dim: along } if *along == dim => Some(d.operands.iter().flat_map(|&x| of(x)).collect()),
            _ => None,
        }
    };
    let found = if depth == 0 { None } else { a.definitions(v).into_iter().find_map(read) };
    found.unwrap_or_else(|| vec![Piece { length, source: Source::Of(v, 0) }])
}

/// The tensor that all pieces are of, if it is one.
fn one(a: &Algebra<'_>, pieces: &[Piece]) -> Option<ValueId> {
    let mut all = pieces.iter().filter_map(|p| match p.source {
        Source::Of(x, _) => Some(x),
        Source::Fill(_) => None,
    });
    let x = all.next()?;
    all.all(|y| a.same(x, y)).then_some(x)
}

fn shifts(a: &mut Algebra<'_>, o: OpId) {
    if !a.given(o) || !matches!(a.op(o).op, Op::Slice { .. } | Op::Concatenate { .. } | Op::Pad { .. }) {
        return;
    }
    let v = a.op(o).results[0];
    for dim in changed(a, o) {
        for blocks in all_counts(a) {
            if !a.first("shifts-in-blocks", o, OpId((blocks as u32) << 4 | dim as u32 & 15)) {
                continue;
            }
            let found = (1..=effort::SHIFT_DEPTH).find_map(|depth| {
                let pieces = pieces(a, v, dim, depth);
                let base = one(a, &pieces)?;
                Some((base, Blocks::of(&pieces, a.shape(base)[dim], blocks)?))
            });
            if let Some((base, made)) = found {
                let form = made.write(a, o, base, dim);
                a.equate(o, form, law::SHIFTED_BLOCKS);
            }
        }
    }
}

/// The dims along which an op takes or puts elements, if there are annotations that may split them.
fn changed(a: &Algebra<'_>, o: OpId) -> Vec<usize> {
    let d = a.op(o);
    let (x, y) = (a.shape(d.operands[0]), a.shape(d.results[0]));
    let dims: Vec<usize> = match d.op {
        Op::Concatenate { dim } => vec![dim],
        _ => (0..y.len()).filter(|&d| x[d] != y[d]).collect(),
    };
    // One that changes several dims at once is none of one dim.
    let [dim] = dims[..] else { return Vec::new() };
    let sizes = split_sizes(a.func());
    if sizes.contains(&y[dim]) || sizes.contains(&x[dim]) { dims } else { Vec::new() }
}

/// What stands at the same places of each block.
#[derive(Clone, PartialEq)]
struct Span {
    length: u64,
    usual: Origin,
    /// Blocks that have something else there.
    others: Vec<(u64, Origin)>,
}

/// Where elements of a block are from.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    /// Origin the block so many before, around the end, at this place of it.
    Block {
        by: u64,
        place: u64,
    },
    Fill(Scalar),
}

/// A result in blocks that are as long as those of the tensor.
struct Blocks {
    blocks: u64,
    block: u64,
    spans: Vec<Span>,
}

impl Blocks {
    /// Of pieces of a tensor that is `m` long, if few borders are all that other blocks have of it.
    fn of(pieces: &[Piece], m: u64, blocks: u64) -> Option<Blocks> {
        let n: u64 = pieces.iter().map(|p| p.length).sum();
        let block = n.div_ceil(blocks);
        if n == 0 || blocks > effort::SHIFT_BLOCKS || m.div_ceil(blocks) != block {
            return None;
        }
        let rows: Vec<Vec<(u64, Origin)>> = rows(pieces, n, blocks, block);
        let ends: BTreeSet<u64> = rows.iter().flatten().map(|r| r.0).chain([0, block]).collect();
        let ends: Vec<u64> = ends.into_iter().collect();
        let mut spans: Vec<Span> = Vec::new();
        for at in ends.windows(2) {
            let here = |row: &Vec<(u64, Origin)>| source_at(row, at[0]);
            let all: Vec<Origin> = rows.iter().map(here).collect::<Option<_>>()?;
            // Behind the end of the result there may be anything.
            let real = (0..blocks).filter(|k| k * block + at[0] < n).count();
            spans.push(Span::of(at[1] - at[0], &all[..real.max(1)]));
        }
        let spans = joined(spans);
        let others: usize = spans.iter().map(|s| s.others.len()).sum();
        let moved = |s: &&Span| matches!(s.usual, Origin::Block { by, .. } if by != 0);
        let sent: u64 = spans.iter().filter(moved).map(|s| s.length).sum();
        let filled = spans.iter().any(|s| matches!(s.usual, Origin::Fill(_)));
        let near = sent < block || spans.len() == 1;
        let few = spans.len() <= effort::SHIFT_SPANS && others <= effort::SHIFT_SPANS;
        (sent > 0 && near && few && !filled).then_some(Blocks { blocks, block, spans })
    }

    /// The result, made of blocks of `base` beside op `o`.
    fn write(&self, a: &mut Algebra<'_>, o: OpId, base: ValueId, dim: usize) -> Option<ValueId> {
        let result = a.shape(a.op(o).results[0]).to_vec();
        let (mut whole, all) = (result.clone(), self.blocks * self.block);
        whole[dim] = all;
        let mut high = vec![0; whole.len()];
        high[dim] = all - a.shape(base)[dim];
        let base = if high[dim] == 0 { base } else { a.make(o, Op::Pad { low: vec![0; whole.len()], high }, &[base])? };
        let split = [&whole[..dim], &[self.blocks, self.block], &whole[dim + 1..]].concat();
        let own = a.make(o, Op::Reshape { shape: split }, &[base])?;
        let mut spans = Vec::new();
        for span in &self.spans {
            let mut taken = source(a, o, own, dim, span.length, span.usual)?;
            for &(block, from) in &span.others {
                let other = source(a, o, own, dim, span.length, from)?;
                taken = selected(a, o, dim, block, [other, taken])?;
            }
            spans.push(taken);
        }
        let all = if let [x] = spans[..] { x } else { a.make(o, Op::Concatenate { dim: dim + 1 }, &spans)? };
        let all = a.make(o, Op::Reshape { shape: whole }, &[all])?;
        a.make(o, Op::Slice { start: vec![0; result.len()], limit: result }, &[all])
    }
}

/// By block of the result: what is in it, by the place where that begins. The last piece goes on to the end of the last block.
fn rows(pieces: &[Piece], n: u64, blocks: u64, block: u64) -> Vec<Vec<(u64, Origin)>> {
    let all = blocks * block;
    let mut rows = vec![Vec::new(); blocks as usize];
    let mut at = 0;
    for (i, p) in pieces.iter().enumerate() {
        let length = if i + 1 == pieces.len() { p.length + all - n } else { p.length };
        let (first, end) = (at, at + length);
        while at < end {
            let (row, place) = (at / block, at % block);
            let mut step = (block - place).min(end - at);
            let from = match p.source {
                Source::Fill(x) => Origin::Fill(x),
                Source::Of(_, start) => {
                    let i = (start + (at - first)) % all;
                    step = step.min(block - i % block);
                    Origin::Block { by: (row + blocks - i / block) % blocks, place: i % block }
                }
            };
            rows[row as usize].push((place, from));
            at += step;
        }
    }
    rows
}

/// What a row has at a place.
fn source_at(row: &[(u64, Origin)], place: u64) -> Option<Origin> {
    let &(begin, from) = row.iter().rev().find(|r| r.0 <= place)?;
    Some(match from {
        Origin::Block { by, place: p } => Origin::Block { by, place: p + place - begin },
        fill => fill,
    })
}

impl Span {
    /// Of what each block has there.
    fn of(length: u64, all: &[Origin]) -> Span {
        let times = |f: &Origin| (all.iter().filter(|x| *x == f).count(), matches!(f, Origin::Block { .. }));
        let usual = all.iter().rev().copied().max_by_key(times).unwrap_or(all[0]);
        let others = all.iter().enumerate().filter(|&(_, &f)| f != usual).map(|(k, &f)| (k as u64, f));
        Span { length, usual, others: others.collect() }
    }
}

/// Spans that go on as those before them are one.
fn joined(spans: Vec<Span>) -> Vec<Span> {
    let mut out: Vec<Span> = Vec::new();
    for s in spans {
        let goes_on = |last: &&mut Span| match (last.usual, s.usual) {
            (Origin::Block { by, place }, Origin::Block { by: other, place: next }) => {
                by == other && place + last.length == next && last.others.is_empty() && s.others.is_empty()
            }
            _ => false,
        };
        match out.last_mut().filter(goes_on) {
            Some(last) => last.length += s.length,
            None => out.push(s),
        }
    }
    out
}

/// As many elements of each block, at the block that they come to.
fn source(a: &mut Algebra<'_>, o: OpId, own: ValueId, dim: usize, length: u64, from: Origin) -> Option<ValueId> {
    let shape = a.shape(own).to_vec();
    match from {
        Origin::Block { by, place } => {
            let (mut start, mut limit) = (vec![0; shape.len()], shape);
            (start[dim + 1], limit[dim + 1]) = (place, place + length);
            let part = a.make(o, Op::Slice { start, limit }, &[own])?;
            if by == 0 { Some(part) } else { a.make(o, Op::Rotate { dim, by, mirror: false }, &[part]) }
        }
        Origin::Fill(x) => {
            let (dtype, mut shape) = (a.ty(own).dtype, shape);
            shape[dim + 1] = length;
            a.make(o, Op::Constant { dtype, shape, value: Literal::Splat(x) }, &[])
        }
    }
}

/// The first of two tensors in one block, and the second in all others.
fn selected(a: &mut Algebra<'_>, o: OpId, dim: usize, block: u64, of: [ValueId; 2]) -> Option<ValueId> {
    let shape = a.shape(of[0]).to_vec();
    let value = Literal::Splat(Scalar::Int(block as i64));
    let number = a.make(o, Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[])?;
    let block = a.make(o, Op::Constant { dtype: DType::I32, shape, value }, &[])?;
    let here = a.make(o, Op::elem("compare_eq")?, &[number, block])?;
    a.make(o, Op::elem("select")?, &[here, of[0], of[1]])
}
