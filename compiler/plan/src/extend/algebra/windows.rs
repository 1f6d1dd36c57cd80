//! Windows along a dim that is split over devices: each block of the dim takes what its first and last windows need from the blocks
//! beside it, so only borders are sent (halo exchange; Xu et al., "GSPMD: General and Scalable Parallelization for ML Computation
//! Graphs", 2021, section 4.3). Convolutions and poolings are windows and a contraction or a reduction, so there is no more to it.
//!
//! The form is a program with one dim more, of the blocks. The borders go to the next block by `rotate`, which is a shift between
//! devices where that dim is split, and `fill` stands where there is no block.
//!
//! Blocks that the last one does not fill, and windows that are fewer than make up a block (no padding, `VALID`), are those of a dim
//! that is filled up and that has windows behind the last one, which are cut off. Where blocks stay equally long, each device has its
//! part of the result without sending more.
//!
//! Where a block of the result has other windows than those that begin in the block of what is read (27 windows of 32 rows over 4
//! devices, or a stride that does not divide a block), each block takes with its borders more than its windows see, and of that the
//! part that they do see: as many elements everywhere, which begin elsewhere in each block. Which it is, a `select` on the block's
//! number says.
//!
//! The rule is on when annotations are followed, too, as those of [`super::blocks`] are. It looks only at programs that say of some
//! tensor of data that a dim behind its first one is split, or the first one if a batch of one is put before it: nobody else splits
//! images by rows, and the forms are many.
//!
//! Not here: borders that together are a block or more, which are hardly less than all of it.

use super::blocks::{all_counts, counts, in_blocks};
use super::graph::{Algebra, Rule};
use super::law;
use crate::effort;
use meshloom_ir::layout::{Constraint, DimSpec};
use meshloom_ir::table::window::Window;
use meshloom_ir::{DType, Func, Literal, Op, OpId, Role, Scalar, ValueId};
use std::ops::Range;

pub const RULES: &[Rule] = &[Rule {
    name: "windows-in-blocks",
    about: "windows along a dim are those of its blocks, each with the borders of the blocks beside it",
    reassociates: false,
    apply: windows,
}];

/// Whether a program has windows along a dim that may be split.
pub fn concern(func: &Func) -> bool {
    let named = |d: &DimSpec| matches!(d, DimSpec::Exactly(a) | DimSpec::AtLeast(a) if !a.is_empty());
    let behind = |c: &Constraint| c.dims.iter().skip(1).any(named);
    let data = || func.inputs.iter().zip(&func.body().args).filter(|(p, _)| p.role == Role::Input);
    let mut pinned = func.ops.iter().filter_map(|d| match &d.op {
        Op::Constrain(c) => Some(c),
        _ => None,
    });
    // The first dim of data that gets a dim before it, a batch of one, on its way to the windows.
    let first: Vec<_> = data().filter(|(p, _)| p.constraint.dims.first().is_some_and(named)).map(|(_, &v)| v).collect();
    let becomes = |x: ValueId, dim: usize| {
        let ty = func.ty(x);
        first.iter().map(|&v| func.ty(v)).any(|from| from.rank() < ty.rank() && from.shape[0] == ty.shape[dim])
    };
    let mut windows = func.ops.iter().filter_map(|d| match d.op {
        Op::Windows { dim, .. } => Some((d.operands[0], dim)),
        _ => None,
    });
    let splits = data().any(|(p, _)| behind(&p.constraint)) || pinned.any(behind);
    windows.any(|(x, dim)| splits || becomes(x, dim))
}

/// A dim in blocks: how long they are, and how many elements each takes from the block before it and from the one behind.
struct Borders {
    blocks: u64,
    block: u64,
    before: u64,
    behind: u64,
    /// What the windows of each block see; `None` where it is all that the block then has.
    seen: Option<SeenParts>,
}

/// A part of each block, as long in all of them.
struct SeenParts {
    /// By block: where its part begins.
    starts: Vec<u64>,
    length: u64,
}

impl Borders {
    /// Of a dim of `n`, if its blocks and those of its windows are even, and what they see is near.
    fn of(w: &Window, n: u64, blocks: u64) -> Option<Borders> {
        let (count, block) = (w.count(n).ok()?, n / blocks);
        let low = u64::try_from(w.low).ok()?;
        if count == 0 || !n.is_multiple_of(blocks) || !count.is_multiple_of(blocks) {
            return None;
        }
        let made = if count / blocks * w.stride == block {
            let behind = w.span().saturating_sub(w.stride + low);
            let alone = Window { low: 0, high: 0, ..*w }.count(block + low + behind).ok()?;
            (alone == count / blocks).then_some(Borders { blocks, block, before: low, behind, seen: None })?
        } else {
            Borders::shifted(w, blocks, block, count / blocks)?
        };
        let near = made.before <= block && made.behind <= block && made.before + made.behind < block;
        near.then_some(made)
    }

    /// Where `each` windows, those of a block of the result, are not all that begin in one of the `blocks`, which are `block` long.
    fn shifted(w: &Window, blocks: u64, block: u64, each: u64) -> Option<Borders> {
        if blocks > effort::WINDOW_BLOCKS {
            return None;
        }
        let [windows, size, span] = [each.checked_mul(w.stride)?, block, w.span()].map(|x| i64::try_from(x).ok());
        let (windows, size, span) = (windows?, size?, span?);
        let length = windows.checked_add(span)? - i64::try_from(w.stride).ok()?;
        let first = |i: u64| i64::try_from(i).ok()?.checked_mul(windows - size)?.checked_sub(w.low);
        // The first and the last block see furthest.
        let ends = [first(0)?, first(blocks - 1)?];
        let before = ends.iter().map(|e| -e).fold(0, i64::max);
        let behind = ends.iter().map(|e| e + length - size).fold(0, i64::max);
        let starts: Option<Vec<u64>> = (0..blocks).map(|i| u64::try_from(first(i)? + before).ok()).collect();
        let seen = Some(SeenParts { starts: starts?, length: u64::try_from(length).ok()? });
        let (before, behind) = (u64::try_from(before).ok()?, u64::try_from(behind).ok()?);
        Some(Borders { blocks, block, before, behind, seen })
    }
}

fn windows(a: &mut Algebra<'_>, o: OpId) {
    let Op::Windows { dim, window } = a.op(o).op else { return };
    let x = a.op(o).operands[0];
    if !a.given(o) {
        return;
    }
    let n = a.shape(x)[dim];
    for blocks in counts(a, n) {
        let Some(borders) = Borders::of(&window, n, blocks) else { continue };
        if a.first("windows-in-blocks", o, OpId(blocks as u32)) {
            let form = form(a, o, x, dim, window, &borders);
            a.equate(o, form, law::WINDOW_BLOCKS);
        }
    }
    for blocks in all_counts(a).into_iter().filter(|&k| k < n) {
        if a.first("windows-in-blocks", o, OpId(blocks as u32)) {
            longer(a, o, x, dim, window, blocks);
        }
    }
}

/// The form of windows of `n` elements in blocks of which the last is not full, of the dim or of the result: those of a longer dim.
fn longer(a: &mut Algebra<'_>, o: OpId, x: ValueId, dim: usize, w: Window, blocks: u64) -> Option<()> {
    let n = a.shape(x)[dim];
    let (count, all) = (w.count(n).ok()?, n.div_ceil(blocks) * blocks);
    if count == 0 {
        return None;
    }
    // As many windows as blocks of the result have when all are full.
    let last = (count.div_ceil(blocks) * blocks - 1).checked_mul(w.stride)?.checked_add(w.span())?;
    let high = i64::try_from(last).ok()?.checked_sub(i64::try_from(all).ok()?)?.checked_sub(w.low)?;
    let whole = Window { high, ..w };
    let borders = Borders::of(&whole, all, blocks)?;
    let x = if all == n { x } else { filled_up(a, o, x, dim, w.fill, all)? };
    let windows = a.make(o, Op::Windows { dim, window: whole }, &[x])?;
    let limit = a.shape(a.op(o).results[0]).to_vec();
    let cut = a.make(o, Op::Slice { start: vec![0; limit.len()], limit }, &[windows])?;
    a.equate(o, Some(cut), law::WINDOW_CUT);
    let made = a.func().def_op(windows)?;
    let form = form(a, made, x, dim, whole, &borders);
    a.equate(made, form, law::WINDOW_BLOCKS);
    Some(())
}

/// `x` with `fill` behind its elements along a dim, up to `all` of them.
fn filled_up(a: &mut Algebra<'_>, o: OpId, x: ValueId, dim: usize, fill: Scalar, all: u64) -> Option<ValueId> {
    let (mut shape, dtype) = (a.shape(x).to_vec(), a.ty(x).dtype);
    let (mut high, n) = (vec![0; shape.len()], shape[dim]);
    high[dim] = all - n;
    let padded = a.make(o, Op::Pad { low: vec![0; shape.len()], high }, &[x])?;
    if fill == Scalar::of(dtype, 0.0) {
        return Some(padded);
    }
    shape[dim] = all;
    let constant = |dtype: DType, x| Op::Constant { dtype, shape: shape.clone(), value: Literal::Splat(x) };
    let number = a.make(o, Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[])?;
    let end = a.make(o, constant(DType::I32, Scalar::Int(i32::try_from(n).ok()?.into())), &[])?;
    let inside = a.make(o, Op::elem("compare_lt")?, &[number, end])?;
    let fill = a.make(o, constant(dtype, fill), &[])?;
    a.make(o, Op::elem("select")?, &[inside, padded, fill])
}

/// The windows `w` of `x` along a dim that is in blocks, as windows of its blocks with their borders.
fn form(a: &mut Algebra<'_>, o: OpId, x: ValueId, dim: usize, w: Window, at: &Borders) -> Option<ValueId> {
    let result = a.shape(a.op(o).results[0]).to_vec();
    let split = in_blocks(a.shape(x), dim, at.blocks);
    let x = a.make(o, Op::Reshape { shape: split.clone() }, &[x])?;
    let mut parts = vec![x];
    if at.before > 0 {
        let before = Border { places: at.block - at.before..at.block, by: 1, end: 0 };
        parts.insert(0, border(a, o, x, dim, w.fill, &before)?);
    }
    if at.behind > 0 {
        let behind = Border { places: 0..at.behind, by: at.blocks - 1, end: at.blocks - 1 };
        parts.push(border(a, o, x, dim, w.fill, &behind)?);
    }
    let all = if parts.len() > 1 { a.make(o, Op::Concatenate { dim: dim + 1 }, &parts)? } else { x };
    let all = match &at.seen {
        None => all,
        Some(seen) => part_of_each(a, o, all, dim, seen)?,
    };
    let inside = a.make(o, Op::Windows { dim: dim + 1, window: Window { low: 0, high: 0, ..w } }, &[all])?;
    a.make(o, Op::Reshape { shape: result }, &[inside])
}

/// Of each block of `all`, whose number is its dim `dim`, what its windows see: as many places as of all others, which begin elsewhere
/// in each.
fn part_of_each(a: &mut Algebra<'_>, o: OpId, all: ValueId, dim: usize, seen: &SeenParts) -> Option<ValueId> {
    let SeenParts { starts, length } = seen;
    let shape = a.shape(all).to_vec();
    let part = |a: &mut Algebra<'_>, from: u64| {
        let (mut start, mut limit) = (vec![0; shape.len()], shape.clone());
        (start[dim + 1], limit[dim + 1]) = (from, from + length);
        if *length == shape[dim + 1] { Some(all) } else { a.make(o, Op::Slice { start, limit }, &[all]) }
    };
    let mut taken = part(a, *starts.first()?)?;
    for (i, &from) in starts.iter().enumerate().skip(1) {
        let shape = a.shape(taken).to_vec();
        let value = Literal::Splat(Scalar::Int(i as i64));
        let number = a.make(o, Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[])?;
        let block = a.make(o, Op::Constant { dtype: DType::I32, shape, value }, &[])?;
        let here = a.make(o, Op::elem("compare_eq")?, &[number, block])?;
        let further = part(a, from)?;
        taken = a.make(o, Op::elem("select")?, &[here, further, taken])?;
    }
    Some(taken)
}

/// What each block gets of the one on one of its sides.
struct Border {
    /// Which places of a block are sent.
    places: Range<u64>,
    /// How many blocks further they come.
    by: u64,
    /// The block at the end, which nothing comes to.
    end: u64,
}

/// Places of each block, at the block that they come to, and `fill` at the one at the end.
fn border(a: &mut Algebra<'_>, o: OpId, x: ValueId, dim: usize, fill: Scalar, of: &Border) -> Option<ValueId> {
    let (mut start, mut limit) = (vec![0; a.shape(x).len()], a.shape(x).to_vec());
    (start[dim + 1], limit[dim + 1]) = (of.places.start, of.places.end);
    let part = a.make(o, Op::Slice { start, limit }, &[x])?;
    let part = a.make(o, Op::Rotate { dim, by: of.by, mirror: false }, &[part])?;
    let (shape, dtype) = (a.shape(part).to_vec(), a.ty(part).dtype);
    let constant = |dtype: DType, x| Op::Constant { dtype, shape: shape.clone(), value: Literal::Splat(x) };
    let block = a.make(o, Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[])?;
    let end = a.make(o, constant(DType::I32, Scalar::Int(of.end as i64)), &[])?;
    let none = a.make(o, Op::elem("compare_eq")?, &[block, end])?;
    let fill = a.make(o, constant(dtype, fill), &[])?;
    a.make(o, Op::elem("select")?, &[none, fill, part])
}
