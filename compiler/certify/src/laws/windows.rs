//! Windows in blocks of a dim: a block with the end of the block before it and the beginning of the one behind holds all that its
//! windows see.
//!
//! The windows that begin in block `i` of length `B` are numbers `i V` to `(i + 1) V`, where `V` windows `stride` apart make up a block.
//! Window `j` of them sees elements `i B + j stride - low` on. Of these, `low` lie before the block, and `span - stride - low` behind
//! it, which must not be more than the next blocks have. Beyond the first and last block is what the windows are filled with.
//!
//! Where `V` windows make up more or less than a block (`V stride = B + d`), those of block `i` of the result see elements
//! `i (B + d) - low` on, so `i d - low` from the beginning of block `i` on. Each block then takes a part of as many elements as all
//! others, which begins `d` further than that of the block before it.
//!
//! Windows that are not as many as begin in all blocks are the first of those of a dim that has more behind it: of the same elements,
//! and of what windows are filled with.
//!
//! As in [`super::blocks`], the right side is written down completely, and the values must be that.

use super::blocks::{Is, in_blocks};
use super::{Law, LawCx, sample};
use meshloom_ir::random::Rng;
use meshloom_ir::table::window::Window;
use meshloom_ir::{Builder, DType, Literal, Op, Scalar, ValueId};

pub const LAWS: &[Law] = &[IN_BLOCKS, CUT];

const CUT: Law = Law {
    name: "window-cut",
    law: "windows along a dim are the first of those that slide on behind its end, over what they are filled with",
    reassociates: false,
    check: |cx, a, b| {
        cx.defs(a).any(|d| match d.op {
            Op::Windows { dim, window } => cut(cx, d.operands[0], dim, &window, &cx.ty(a).shape, b),
            _ => false,
        })
    },
    sample: cut_sample,
};

const IN_BLOCKS: Law = Law {
    name: "window-blocks",
    law: "windows along a dim are those of its blocks, each with as much of the blocks beside it as they see",
    reassociates: false,
    check: |cx, a, b| {
        cx.defs(a).any(|d| matches!(d.op, Op::Windows { .. }) && in_blocks_of(cx, &d.op, d.operands[0], b))
    },
    sample: windows_sample,
};

/// Whether `b`, of shape `shape`, is cut from windows like `w` of `x`, or of `x` with what windows are filled with behind it; or is them, if they are as many.
fn cut(cx: &LawCx<'_>, x: ValueId, dim: usize, w: &Window, shape: &[u64], b: ValueId) -> bool {
    let zeros = w.fill == Scalar::of(cx.ty(x).dtype, 0.0);
    let padded = |op: &Op| match op {
        Op::Pad { low, high } => {
            low.iter().all(|&n| n == 0) && high.iter().enumerate().all(|(d, &n)| d == dim || n == 0)
        }
        _ => false,
    };
    let longer = |z: ValueId| {
        let pad = |op: &Op, xs: &[ValueId]| padded(op) && cx.same(xs[0], x);
        let filled = |xs: &[ValueId]| {
            let mut pads = cx.defs(xs[1]).filter(|d| pad(&d.op, &d.operands));
            pads.any(|d| filled_up(cx, x, dim, w, d.op.clone()).is_some_and(|is| is.met(cx, z)))
        };
        cx.defs(z).any(|d| match &d.op {
            Op::Pad { .. } => zeros && pad(&d.op, &d.operands),
            Op::Elem(_) => d.operands.len() == 3 && filled(&d.operands),
            _ => false,
        })
    };
    let alike = |d: &Op| match d {
        Op::Windows { dim: other, window } => *other == dim && Window { high: w.high, ..*window } == *w,
        _ => false,
    };
    let whole = |y: ValueId| {
        cx.defs(y).any(|d| alike(&d.op) && d.operands.first().is_some_and(|&z| cx.same(z, x) || longer(z)))
    };
    let first = |s: &Op| match s {
        Op::Slice { start, limit } => start.iter().all(|&n| n == 0) && limit == shape,
        _ => false,
    };
    whole(b) || cx.defs(b).any(|s| first(&s.op) && whole(s.operands[0]))
}

/// `x` with what windows are filled with where `pad` has zeros.
fn filled_up(cx: &LawCx<'_>, x: ValueId, dim: usize, w: &Window, pad: Op) -> Option<Is> {
    let ty = cx.ty(x);
    let (n, mut shape) = (*ty.shape.get(dim)?, ty.shape.clone());
    let Op::Pad { high, .. } = &pad else { return None };
    shape[dim] = n.checked_add(high[dim])?;
    let constant =
        |dtype, x| Is::Op(Op::Constant { dtype, shape: shape.clone(), value: Literal::Splat(x) }, Vec::new());
    let number = Is::Op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, Vec::new());
    let inside =
        Is::elem("compare_lt", vec![number, constant(DType::I32, Scalar::Int(i32::try_from(n).ok()?.into()))])?;
    Is::elem("select", vec![inside, Is::Op(pad, vec![Is::Value(x)]), constant(ty.dtype, w.fill)])
}

fn cut_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let (mut shape, dim) = (sample::shape(rng, 2), rng.below(2));
    let mut small = |from: u64, n: usize| from + rng.below(n) as u64;
    let (size, stride, dilation, low) = (small(1, 3), small(1, 2), small(1, 2), small(0, 4) as i64 - 1);
    let (high, more, behind) = (small(0, 4) as i64 - 1, small(0, 6) as i64, small(0, 3));
    let (zeros, integers) = (small(0, 2) == 0, small(0, 2) == 0);
    shape[dim] = small(6, 6);
    let (dtype, fill) = match (integers, zeros) {
        (true, zeros) => (DType::I32, Scalar::Int(if zeros { 0 } else { 7 })),
        (false, zeros) => (DType::F64, Scalar::float(if zeros { 0.0 } else { -0.5 })),
    };
    let x = sample::typed_input(b, dtype, &shape);
    let window = Window { size, stride, dilation, low, high, fill };
    let whole = b.op(Op::Windows { dim, window }, &[x]);
    let mut wide = vec![0; shape.len()];
    wide[dim] = behind;
    let mut x = if behind == 0 { x } else { b.op(Op::Pad { low: vec![0; shape.len()], high: wide }, &[x]) };
    if behind > 0 && !zeros {
        let (n, shape) = (shape[dim], b.shape(x));
        let number = b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
        let end = b.constant(DType::I32, &shape, n as f64);
        let inside = b.elem("compare_lt", &[number, end]);
        let fill = b.op(Op::Constant { dtype, shape, value: Literal::Splat(fill) }, &[]);
        x = b.select(inside, x, fill);
    }
    // At least as far as before.
    let window = Window { high: high + more - behind as i64, ..window };
    let y = b.op(Op::Windows { dim, window }, &[x]);
    let limit = b.shape(whole);
    if b.shape(y) == limit {
        return (whole, y);
    }
    let cut = b.op(Op::Slice { start: vec![0; limit.len()], limit }, &[y]);
    (whole, cut)
}

/// How a dim of `n` is taken apart: the length of blocks, and what of the block before and of the block behind their windows see.
struct Seen {
    blocks: u64,
    block: u64,
    low: u64,
    high: u64,
    /// The part that the windows of each block see; `None` where it is all there is.
    parts: Option<Parts>,
}

/// Parts of one length that begin elsewhere in each block.
struct Parts {
    starts: Vec<u64>,
    length: u64,
}

fn seen(w: &Window, n: u64, blocks: u64) -> Option<Seen> {
    if blocks < 2 || !n.is_multiple_of(blocks) {
        return None;
    }
    let (windows, block) = (w.count(n).ok()?, n / blocks);
    let each = windows / blocks;
    if windows == 0 || each * blocks != windows || w.low < 0 {
        return None;
    }
    if each.checked_mul(w.stride)? != block {
        return shifted(w, blocks, block, each);
    }
    let (low, span) = (w.low as u64, w.span());
    // The last window of a block begins at `block - stride - low`.
    let high = span.saturating_sub(w.stride.checked_add(low)?);
    let covered = block.checked_add(low)?.checked_add(high)?;
    let alone = Window { low: 0, high: 0, ..*w }.count(covered).ok()?;
    (low <= block && high <= block && alone == each).then_some(Seen { blocks, block, low, high, parts: None })
}

/// Blocks that may each see another part: the right side has an op for each of them, and the number is read off what is to be proved.
const PARTS: u64 = 64;

/// Where `each` windows, as many as a block of the result has, make up more or less than a block of `x`, which is `block` long.
fn shifted(w: &Window, blocks: u64, block: u64, each: u64) -> Option<Seen> {
    if blocks > PARTS {
        return None;
    }
    let signed = |x: u64| i64::try_from(x).ok();
    let length = (each - 1).checked_mul(w.stride)?.checked_add(w.span())?;
    let by = signed(each.checked_mul(w.stride)?)? - signed(block)?;
    let starts: Option<Vec<i64>> = (0..signed(blocks)?).map(|i| i.checked_mul(by)?.checked_sub(w.low)).collect();
    let starts = starts?;
    let low = -(*starts.iter().min()?).min(0);
    let high = starts.iter().max()?.checked_add(signed(length)?)?.checked_sub(signed(block)?)?.max(0);
    let parts = Parts { starts: starts.iter().map(|s| (s + low) as u64).collect(), length };
    let (low, high) = (low as u64, high as u64);
    (low <= block && high <= block).then_some(Seen { blocks, block, low, high, parts: Some(parts) })
}

fn in_blocks_of(cx: &LawCx<'_>, op: &Op, x: ValueId, b: ValueId) -> bool {
    let &Op::Windows { dim, window } = op else { return false };
    cx.defs(b).any(|d| {
        let Op::Reshape { .. } = d.op else { return false };
        let Some(&blocks) = cx.ty(d.operands[0]).shape.get(dim) else { return false };
        right(cx, x, dim, window, blocks, &cx.ty(b).shape).is_some_and(|right| right.met(cx, b))
    })
}

fn right(cx: &LawCx<'_>, x: ValueId, dim: usize, w: Window, blocks: u64, result: &[u64]) -> Option<Is> {
    let ty = cx.ty(x);
    let seen = seen(&w, *ty.shape.get(dim)?, blocks)?;
    let split = in_blocks(&ty.shape, dim, blocks)?;
    let own = || Is::Op(Op::Reshape { shape: split.clone() }, vec![Is::Value(x)]);
    let beside = |from: u64, to: u64, by: u64, end: u64| -> Option<Is> {
        let (mut start, mut limit) = (vec![0; split.len()], split.clone());
        (start[dim + 1], limit[dim + 1]) = (from, to);
        let mut shape = split.clone();
        shape[dim + 1] = to - from;
        // A border may be all of a block, of which no slice is made.
        let part = if to - from == seen.block { own() } else { Is::Op(Op::Slice { start, limit }, vec![own()]) };
        let part = Is::Op(Op::Rotate { dim, by, mirror: false }, vec![part]);
        let constant =
            |dtype, x| Is::Op(Op::Constant { dtype, shape: shape.clone(), value: Literal::Splat(x) }, Vec::new());
        let number = Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() };
        let end = constant(DType::I32, Scalar::Int(end as i64));
        let none = Is::elem("compare_eq", vec![Is::Op(number, Vec::new()), end])?;
        Is::elem("select", vec![none, constant(ty.dtype, w.fill), part])
    };
    let mut parts = Vec::new();
    if seen.low > 0 {
        parts.push(beside(seen.block - seen.low, seen.block, 1, 0)?);
    }
    parts.push(own());
    if seen.high > 0 {
        parts.push(beside(0, seen.high, seen.blocks - 1, seen.blocks - 1)?);
    }
    let all = if parts.len() == 1 { own() } else { Is::Op(Op::Concatenate { dim: dim + 1 }, parts) };
    let all = match &seen.parts {
        None => all,
        Some(parts) => part_of_each(all, &split, dim, seen.low + seen.block + seen.high, parts)?,
    };
    let inside = Is::Op(Op::Windows { dim: dim + 1, window: Window { low: 0, high: 0, ..w } }, vec![all]);
    Some(Is::Op(Op::Reshape { shape: result.to_vec() }, vec![inside]))
}

/// Of `all`, which has `width` elements in each block, a part that begins elsewhere in each.
fn part_of_each(all: Is, split: &[u64], dim: usize, width: u64, parts: &Parts) -> Option<Is> {
    let Parts { ref starts, length } = *parts;
    let mut shape = split.to_vec();
    shape[dim + 1] = length;
    let part = |from: u64| {
        let (mut start, mut limit) = (vec![0; split.len()], split.to_vec());
        (start[dim + 1], limit[dim + 1]) = (from, from + length);
        if length == width { all.clone() } else { Is::Op(Op::Slice { start, limit }, vec![all.clone()]) }
    };
    let mut taken = part(*starts.first()?);
    for (i, &from) in starts.iter().enumerate().skip(1) {
        let number = Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() };
        let value = Literal::Splat(Scalar::Int(i as i64));
        let block = Op::Constant { dtype: DType::I32, shape: shape.clone(), value };
        let here = Is::elem("compare_eq", vec![Is::Op(number, Vec::new()), Is::Op(block, Vec::new())])?;
        taken = Is::elem("select", vec![here, part(from), taken])?;
    }
    Some(taken)
}

/// Windows of a block are drawn first, and then as many blocks as there are.
fn windows_sample(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId) {
    let (mut shape, dim) = (sample::shape(rng, 2), rng.below(2));
    let mut small = |from: u64, n: usize| from + rng.below(n) as u64;
    let (size, stride, dilation, each, blocks) = (small(1, 3), small(1, 2), small(1, 2), small(1, 4), small(2, 3));
    let span = (size - 1) * dilation + 1;
    // Now and then a block is longer or shorter than its windows are.
    let block = (each * stride + [0, 0, 1, 2][small(0, 4) as usize]).saturating_sub(small(0, 2)).max(1);
    let low = small(0, span.min(block + 1) as usize);
    let n = block * blocks;
    let integers = small(0, 2) == 0;
    let (dtype, fill) = if integers { (DType::I32, Scalar::Int(7)) } else { (DType::F64, Scalar::float(-0.5)) };
    let mut w = Window { size, stride, dilation, low: low as i64, high: 0, fill };
    // As much behind the last element as makes that many windows.
    w.high = ((each * blocks - 1) * stride + span) as i64 - (n + low) as i64;
    shape[dim] = n;
    let x = sample::typed_input(b, dtype, &shape);
    // Of windows that reach further, or blocks that have windows beside, one that always fits.
    let plain = Window { size: 1, stride: 1, dilation: 1, low: 0, high: 0, fill };
    let with = seen(&w, n, blocks).map(|seen| (w, seen)).or_else(|| Some((plain, seen(&plain, n, blocks)?)));
    let Some((w, seen)) = with else { return (x, x) };
    written(b, x, dim, w, n, &seen)
}

fn written(b: &mut Builder, x: ValueId, dim: usize, window: Window, n: u64, seen: &Seen) -> (ValueId, ValueId) {
    let Seen { blocks, low, high, .. } = *seen;
    let whole = b.op(Op::Windows { dim, window }, &[x]);
    let split = in_blocks(&b.shape(x), dim, blocks).unwrap_or_default();
    let own = b.reshape(x, &split);
    let block = n / blocks;
    let mut beside = |from: u64, to: u64, by: u64, end: u64| {
        let (mut start, mut limit) = (vec![0; split.len()], split.clone());
        (start[dim + 1], limit[dim + 1]) = (from, to);
        let part = if to - from == block { own } else { b.op(Op::Slice { start, limit }, &[own]) };
        let part = b.op(Op::Rotate { dim, by, mirror: false }, &[part]);
        let shape = b.shape(part);
        let number = b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
        let end = b.constant(DType::I32, &shape, end as f64);
        let none = b.elem("compare_eq", &[number, end]);
        let dtype = b.ty(part).dtype;
        let fill = b.op(Op::Constant { dtype, shape, value: Literal::Splat(window.fill) }, &[]);
        b.select(none, fill, part)
    };
    let mut parts = vec![own];
    if low > 0 {
        parts.insert(0, beside(block - low, block, 1, 0));
    }
    if high > 0 {
        parts.push(beside(0, high, blocks - 1, blocks - 1));
    }
    let mut all = if parts.len() == 1 { own } else { b.op(Op::Concatenate { dim: dim + 1 }, &parts) };
    if let Some(Parts { starts, length }) = &seen.parts {
        let part = |b: &mut Builder, from: u64| {
            let (mut start, mut limit) = (vec![0; split.len()], split.clone());
            (start[dim + 1], limit[dim + 1]) = (from, from + length);
            if b.shape(all)[dim + 1] == *length { all } else { b.op(Op::Slice { start, limit }, &[all]) }
        };
        let mut taken = part(b, starts[0]);
        for (i, &from) in starts.iter().enumerate().skip(1) {
            let shape = b.shape(taken);
            let number = b.op(Op::Iota { dtype: DType::I32, shape: shape.clone(), dim, shard: Vec::new() }, &[]);
            let block = b.constant(DType::I32, &shape, i as f64);
            let here = b.elem("compare_eq", &[number, block]);
            let further = part(b, from);
            taken = b.select(here, further, taken);
        }
        all = taken;
    }
    let inside = b.op(Op::Windows { dim: dim + 1, window: Window { low: 0, high: 0, ..window } }, &[all]);
    let shape = b.shape(whole);
    (whole, b.reshape(inside, &shape))
}
