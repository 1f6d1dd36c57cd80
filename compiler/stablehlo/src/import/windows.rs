//! Windows that slide over dims, as convolutions and poolings write them: their attributes, and the dim as two, the windows
//! and the places in each. Windows that lie side by side are a reshape; only those that overlap, or reach beyond the ends, are
//! [`meshloom_ir::Op::Windows`].

use super::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{DType, Op as Ir, Scalar, ValueId, Window};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.reverse", reverse)];

/// Larger sizes, strides and widths of padding than any tensor has use for.
const MAX: u64 = 1 << 40;

/// How windows lie on one dim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WindowDim {
    pub size: u64,
    pub stride: u64,
    pub low: i64,
    pub high: i64,
    /// From one element of the operand to the next, with holes in between.
    pub base: u64,
    /// From one place in a window to the next.
    pub dilation: u64,
}

impl WindowDim {
    pub const ONE: WindowDim = WindowDim { size: 1, stride: 1, low: 0, high: 0, base: 1, dilation: 1 };

    /// Whether every element is a window of its own.
    pub fn is_trivial(&self) -> bool {
        *self == WindowDim::ONE
    }

    /// Whether windows cover a dim of `n` side by side, nothing twice and nothing beyond.
    pub fn tiles(&self, n: u64) -> bool {
        let plain = (self.low, self.high, self.base, self.dilation) == (0, 0, 1, 1);
        plain && self.stride == self.size && n.is_multiple_of(self.size)
    }
}

/// One number for each of `rank` dims: as a list, as one for all (`dense<1>`), or `default` where the attribute is missing.
///
/// # Errors
/// Another count of numbers, or numbers that are too large.
pub fn per_dim(op: &TextOp<'_>, names: &[&str], rank: usize, default: i64) -> Result<Vec<i64>, String> {
    let Some((name, found)) = names.iter().find_map(|n| Some((n, op.ints(n)?))) else { return Ok(vec![default; rank]) };
    if found.iter().any(|n| n.unsigned_abs() > MAX) {
        return Err(format!("`{name}` has a number beyond {MAX}"));
    }
    match found[..] {
        [one] => Ok(vec![one; rank]),
        _ if found.len() == rank => Ok(found),
        _ => Err(format!("`{name}` has {} numbers for {rank} dims", found.len())),
    }
}

/// As [`per_dim`], numbers of 1 or more.
///
/// # Errors
/// As there, and smaller ones.
pub fn counts(op: &TextOp<'_>, names: &[&str], rank: usize) -> Result<Vec<u64>, String> {
    let all = per_dim(op, names, rank, 1)?;
    let one = |n: i64| u64::try_from(n).ok().filter(|&n| n > 0);
    all.into_iter().map(|n| one(n).ok_or_else(|| format!("`{}` has {n}, which is not 1 or more", names[0]))).collect()
}

/// What is put before and behind each dim; less than nothing is cut off.
///
/// # Errors
/// Not two numbers for each dim.
pub fn padding(op: &TextOp<'_>, names: &[&str], rank: usize) -> Result<Vec<(i64, i64)>, String> {
    let flat = per_dim(op, names, 2 * rank, 0)?;
    Ok(flat.chunks(2).map(|p| (p[0], p[1])).collect())
}

/// The dim `dim` of `x` as the windows over it, with the places in each as a new dim behind it; with places of one element, there is
/// no new dim. What lies in holes and beyond the ends is `fill`.
///
/// # Errors
/// A window that does not fit any tensor.
pub fn slide(i: &mut Import<'_>, x: ValueId, dim: usize, w: &WindowDim, fill: Scalar) -> Result<ValueId, String> {
    let (x, w) = without_holes(i, x, dim, w, fill)?;
    let shape = i.b.shape(x);
    let n = shape[dim];
    if w.is_trivial() {
        return Ok(x);
    }
    let window = Window { size: w.size, stride: w.stride, dilation: w.dilation, low: w.low, high: w.high, fill };
    let count = window.count(n)?;
    let plain = w.low == 0 && w.high <= 0 && w.dilation == 1;
    let mut split = shape.clone();
    split.insert(dim + 1, w.size);
    let placed = if plain && w.size == w.stride && count * w.size == n || plain && count == 1 && w.size == n {
        split[dim] = count;
        i.emit(Ir::Reshape { shape: split }, &[x])?
    } else if plain && w.size == 1 && count * w.stride == n {
        // The first of each group.
        (split[dim], split[dim + 1]) = (count, w.stride);
        let groups = i.emit(Ir::Reshape { shape: split.clone() }, &[x])?;
        split[dim + 1] = 1;
        i.emit(Ir::Slice { start: vec![0; split.len()], limit: split }, &[groups])?
    } else {
        i.emit(Ir::Windows { dim, window }, &[x])?
    };
    if w.size > 1 {
        return Ok(placed);
    }
    let mut flat = i.b.shape(placed);
    flat.remove(dim + 1);
    i.emit(Ir::Reshape { shape: flat }, &[placed])
}

/// The operand with its holes filled in. The last element has a hole behind it too, which the padding takes back: so the dim
/// is a whole number of groups, and is split where the operand is.
fn without_holes(
    i: &mut Import<'_>,
    x: ValueId,
    dim: usize,
    w: &WindowDim,
    fill: Scalar,
) -> Result<(ValueId, WindowDim), String> {
    let n = i.b.shape(x)[dim];
    if w.base == 1 || n == 0 {
        return Ok((x, WindowDim { base: 1, ..*w }));
    }
    let x = spread(i, x, dim, w.base, fill)?;
    Ok((x, WindowDim { base: 1, high: w.high - (w.base as i64 - 1), ..*w }))
}

/// Each element of `dim` with `step - 1` times `fill` behind it.
///
/// # Errors
/// There are too many.
pub fn spread(i: &mut Import<'_>, x: ValueId, dim: usize, step: u64, fill: Scalar) -> Result<ValueId, String> {
    if step == 1 {
        return Ok(x);
    }
    let mut shape = i.b.shape(x);
    let whole = shape[dim].checked_mul(step).filter(|&n| n <= MAX).ok_or("the dilation is too large")?;
    let mut split = shape.clone();
    split.insert(dim + 1, step);
    shape[dim] = whole;
    let dims: Vec<usize> = (0..split.len()).filter(|&d| d != dim + 1).collect();
    let wide = i.broadcast(x, &split, &dims)?;
    let place = iota(i, &split, dim + 1)?;
    let zero = i.b.constant(DType::I32, &split, 0.0);
    let first = i.elem("compare_eq", &[place, zero])?;
    let other = splat(i, i.b.ty(x).dtype, &split, fill)?;
    let apart = i.select(first, wide, other)?;
    i.emit(Ir::Reshape { shape }, &[apart])
}

/// Indices along a dim.
///
/// # Errors
/// The shape has no such dim.
pub fn iota(i: &mut Import<'_>, shape: &[u64], dim: usize) -> Result<ValueId, String> {
    i.emit(Ir::Iota { dtype: DType::I32, shape: shape.to_vec(), dim, shard: Vec::new() }, &[])
}

/// One value everywhere.
///
/// # Errors
/// Never, for a value of the type.
pub fn splat(i: &mut Import<'_>, dtype: DType, shape: &[u64], value: Scalar) -> Result<ValueId, String> {
    let value = meshloom_ir::Literal::Splat(value);
    i.emit(Ir::Constant { dtype, shape: shape.to_vec(), value }, &[])
}

fn reverse(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let dims = op.dims(if op.attr("dims").is_some() { "dims" } else { "dimensions" })?;
    Ok(vec![reversed(i, x, &dims)?])
}

/// `x` with these dims from end to start.
///
/// # Errors
/// A dim that it does not have.
pub fn reversed(i: &mut Import<'_>, mut x: ValueId, dims: &[usize]) -> Result<ValueId, String> {
    for &dim in dims {
        // One element has no order.
        if i.b.shape(x).get(dim) != Some(&1) {
            x = i.emit(Ir::Reverse { dim }, &[x])?;
        }
    }
    Ok(x)
}
