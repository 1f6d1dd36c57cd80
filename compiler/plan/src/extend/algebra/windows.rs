//! Windows along a dim that is split over devices: each block of the dim takes what its first and last windows need from the blocks
//! beside it, so only borders are sent (halo exchange; Xu et al., "GSPMD: General and Scalable Parallelization for ML Computation
//! Graphs", 2021, section 4.3). Convolutions and poolings are windows and a contraction or a reduction, so there is no more to it.
//!
//! The form is a program with one dim more, of the blocks. The borders go to the next block by `rotate`, which is a shift between
//! devices where that dim is split, and `fill` stands where there is no block.
//!
//! Blocks that the last one does not fill, and windows that are fewer than make up a block (no padding, `VALID`), are those of a dim
//! that zeros fill up and that has windows behind the last one, which are cut off. Where blocks stay equally long, each device has its
//! part of the result without sending more.
//!
//! The rule is on when annotations are followed, too, as those of [`super::blocks`] are. It looks only at programs that say of some
//! tensor of data that a dim behind its first one is split: nobody else splits images by rows, and the forms are many.
//!
//! Not here: results whose blocks begin elsewhere than those of what is read (so many windows fewer that a block is shorter), blocks
//! that are not filled and windows that are filled with other than zeros (`max` poolings), strides that do not divide a block, windows
//! that reach further than the next block.

use super::blocks::{all_counts, counts, in_blocks};
use super::graph::{Algebra, Rule};
use super::law;
use meshloom_ir::layout::{Constraint, DimSpec};
use meshloom_ir::table::window::Window;
use meshloom_ir::{DType, Func, Literal, Op, OpId, Role, Scalar, ValueId};

pub const RULES: &[Rule] = &[Rule {
    name: "windows-in-blocks",
    about: "windows along a dim are those of its blocks, each with the borders of the blocks beside it",
    reassociates: false,
    apply: windows,
}];

/// Whether a program has windows along a dim that may be split.
pub fn concern(func: &Func) -> bool {
    let splits = |c: &Constraint| {
        let named = |d: &DimSpec| matches!(d, DimSpec::Exactly(a) | DimSpec::AtLeast(a) if !a.is_empty());
        c.dims.iter().skip(1).any(named)
    };
    let mut data = func.inputs.iter().filter(|p| p.role == Role::Input).map(|p| &p.constraint);
    let mut pinned = func.ops.iter().filter_map(|d| match &d.op {
        Op::Constrain(c) => Some(c),
        _ => None,
    });
    func.ops.iter().any(|d| matches!(d.op, Op::Windows { .. })) && (data.any(splits) || pinned.any(splits))
}

/// A dim in blocks: how long they are, and how many elements each takes from the block before it and from the one behind.
struct Borders {
    blocks: u64,
    block: u64,
    before: u64,
    behind: u64,
}

impl Borders {
    /// Of a dim of `n`, if the windows that begin in a block are all of its windows.
    fn of(w: &Window, n: u64, blocks: u64) -> Option<Borders> {
        let (count, block) = (w.count(n).ok()?, n / blocks);
        let before = u64::try_from(w.low).ok()?;
        let behind = w.span().saturating_sub(w.stride + before);
        let even = n.is_multiple_of(blocks) && count.is_multiple_of(blocks) && count / blocks * w.stride == block;
        let alone = Window { low: 0, high: 0, ..*w }.count(block + before + behind).ok()?;
        let near = before <= block && behind <= block && before + behind < block;
        (even && near && alone == count / blocks).then_some(Borders { blocks, block, before, behind })
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
            let form = form(a, o, x, (dim, window), &borders);
            a.equate(o, form, law::WINDOW_BLOCKS);
        }
    }
    for blocks in all_counts(a).into_iter().filter(|&k| k < n) {
        if a.first("windows-in-blocks", o, OpId(blocks as u32)) {
            longer(a, o, x, (dim, window), blocks);
        }
    }
}

/// The form of windows of `n` elements in blocks of which the last is not full, of the dim or of the result: those of a longer dim.
fn longer(a: &mut Algebra<'_>, o: OpId, x: ValueId, (dim, w): (usize, Window), blocks: u64) -> Option<()> {
    let shape = a.shape(x).to_vec();
    let (n, low) = (shape[dim], u64::try_from(w.low).ok()?);
    let (count, block) = (w.count(n).ok()?, n.div_ceil(blocks));
    let all = block * blocks;
    let fits = block.is_multiple_of(w.stride) && count > 0 && count.div_ceil(blocks) == block / w.stride;
    let zeros = w.fill == Scalar::of(a.ty(x).dtype, 0.0);
    if !fits || all != n && !zeros {
        return None;
    }
    // As many windows as begin in all blocks.
    let high = i64::try_from(w.span()).ok()? - i64::try_from(w.stride.checked_add(low)?).ok()?;
    let whole = Window { high, ..w };
    let borders = Borders::of(&whole, all, blocks)?;
    let mut behind = vec![0; shape.len()];
    behind[dim] = all - n;
    let x = if all == n { x } else { a.make(o, Op::Pad { low: vec![0; shape.len()], high: behind }, &[x])? };
    let windows = a.make(o, Op::Windows { dim, window: whole }, &[x])?;
    let limit = a.shape(a.op(o).results[0]).to_vec();
    let cut = a.make(o, Op::Slice { start: vec![0; limit.len()], limit }, &[windows])?;
    a.equate(o, Some(cut), law::WINDOW_CUT);
    let made = a.func().def_op(windows)?;
    let form = form(a, made, x, (dim, whole), &borders);
    a.equate(made, form, law::WINDOW_BLOCKS);
    Some(())
}

fn form(a: &mut Algebra<'_>, o: OpId, x: ValueId, (dim, w): (usize, Window), at: &Borders) -> Option<ValueId> {
    let result = a.shape(a.op(o).results[0]).to_vec();
    let split = in_blocks(a.shape(x), dim, at.blocks);
    let x = a.make(o, Op::Reshape { shape: split.clone() }, &[x])?;
    let mut parts = vec![x];
    if at.before > 0 {
        parts.insert(0, border(a, o, x, (dim, w.fill), (at.block - at.before, at.block), (1, 0))?);
    }
    if at.behind > 0 {
        parts.push(border(a, o, x, (dim, w.fill), (0, at.behind), (at.blocks - 1, at.blocks - 1))?);
    }
    let all = if parts.len() > 1 { a.make(o, Op::Concatenate { dim: dim + 1 }, &parts)? } else { x };
    let inside = a.make(o, Op::Windows { dim: dim + 1, window: Window { low: 0, high: 0, ..w } }, &[all])?;
    a.make(o, Op::Reshape { shape: result }, &[inside])
}

/// Places `from..to` of each block, at the block that is `by` further, and `fill` at block `end`, which no block is next to.
fn border(
    a: &mut Algebra<'_>,
    o: OpId,
    x: ValueId,
    (dim, fill): (usize, Scalar),
    (from, to): (u64, u64),
    (by, end): (u64, u64),
) -> Option<ValueId> {
    let (mut start, mut limit) = (vec![0; a.shape(x).len()], a.shape(x).to_vec());
    (start[dim + 1], limit[dim + 1]) = (from, to);
    let part = a.make(o, Op::Slice { start, limit }, &[x])?;
    let part = a.make(o, Op::Rotate { dim, by, mirror: false }, &[part])?;
    let (shape, dtype) = (a.shape(part).to_vec(), a.ty(part).dtype);
    let constant = |dtype: DType, x| Op::Constant { dtype, shape: shape.clone(), value: Literal::Splat(x) };
    let block = a.make(o, Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[])?;
    let end = a.make(o, constant(DType::I32, Scalar::Int(end as i64)), &[])?;
    let none = a.make(o, Op::elem("compare_eq")?, &[block, end])?;
    let fill = a.make(o, constant(dtype, fill), &[])?;
    a.make(o, Op::elem("select")?, &[none, fill, part])
}
