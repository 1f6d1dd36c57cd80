//! Reductions by any body: it is applied to pairs of neighbours until one element is left. It need not commute.
//!
//! A few elements are halved in turn, each time by ops of their own. Of more than that a loop is made, so that a program does not grow
//! with them: in each iteration an element takes in the one that is twice as far away as before, and the first has all of them in
//! the end.

use super::general;
use super::state::Import;
use super::windows::iota;
use meshloom_ir::{DType, Op as Ir, TensorType, ValueId};

type Made = Result<Vec<ValueId>, String>;

/// How a body combines: of each operand the first of each pair, and then of each the second.
type Combine<'f, 'm> = &'f mut dyn FnMut(&mut Import<'m>, &[ValueId]) -> Made;

/// Elements of a dim that are halved without a loop.
const HALVED: u64 = 8;

/// Pairs of neighbours until one is left, and the initial values before it.
///
/// # Errors
/// The body does not give one value for each operand.
pub fn fold<'m>(
    i: &mut Import<'m>,
    mut combine: impl FnMut(&mut Import<'m>, &[ValueId]) -> Made,
    xs: &[ValueId],
    inits: &[ValueId],
    dims: &[usize],
) -> Made {
    let mut xs = xs.to_vec();
    let mut dims = dims.to_vec();
    dims.sort_unstable();
    let whole = i.b.shape(xs[0]);
    let left: Vec<u64> = (0..whole.len()).filter(|d| !dims.contains(d)).map(|d| whole[d]).collect();
    if dims.iter().any(|&d| whole[d] == 0) {
        return inits.iter().map(|&v| i.broadcast(v, &left, &[])).collect();
    }
    for &d in dims.iter().rev() {
        xs = if whole[d] > HALVED { doubled(i, &mut combine, &xs, d)? } else { halved(i, &mut combine, xs, d)? };
    }
    let starts: Vec<ValueId> = inits.iter().map(|&v| i.broadcast(v, &left, &[])).collect::<Result<_, _>>()?;
    of_all(&xs, combine(i, &[&starts[..], &xs].concat())?)
}

/// What a body gives, if it is one value for each operand.
fn of_all(xs: &[ValueId], made: Vec<ValueId>) -> Made {
    let fits = made.len() == xs.len();
    if fits { Ok(made) } else { Err("the body does not return one value for each operand".to_string()) }
}

/// The elements along a dim, combined in pairs until there is one. Without the dim.
fn halved<'m>(i: &mut Import<'m>, combine: Combine<'_, 'm>, mut xs: Vec<ValueId>, dim: usize) -> Made {
    loop {
        let shape = i.b.shape(xs[0]);
        let n = shape[dim];
        if n == 1 {
            let mut less = shape;
            less.remove(dim);
            return xs.into_iter().map(|x| i.reshaped(x, &less)).collect();
        }
        let (mut sides, mut last) = (Vec::new(), Vec::new());
        for side in 0..2 {
            for &x in &xs {
                sides.push(one_of_each_pair(i, x, dim, side)?);
            }
        }
        for &x in xs.iter().filter(|_| n % 2 == 1) {
            last.push(i.range(x, dim, n - 1, n)?);
        }
        let mut next = of_all(&xs, combine(i, &sides)?)?;
        for (x, &l) in next.iter_mut().zip(&last) {
            *x = i.emit(Ir::Concatenate { dim }, &[*x, l])?;
        }
        xs = next;
    }
}

/// The first or the second of each pair along a dim.
fn one_of_each_pair(i: &mut Import<'_>, x: ValueId, dim: usize, side: u64) -> Result<ValueId, String> {
    let mut split = i.b.shape(x);
    let count = split[dim] / 2;
    let pairs = i.range(x, dim, 0, count * 2)?;
    split[dim] = count;
    split.insert(dim + 1, 2);
    let pairs = i.reshaped(pairs, &split)?;
    let one = i.range(pairs, dim + 1, side, side + 1)?;
    split.remove(dim + 1);
    i.reshaped(one, &split)
}

/// The elements along a dim, combined in a loop. Without the dim.
fn doubled<'m>(i: &mut Import<'m>, combine: Combine<'_, 'm>, xs: &[ValueId], dim: usize) -> Made {
    let n = i.b.shape(xs[0])[dim];
    let rows: Vec<ValueId> = xs.iter().map(|&x| i.permuted(x, &[dim])).collect::<Result<_, _>>()?;
    let step = i.b.constant(DType::I32, &[], 1.0);
    let starts = [&rows[..], &[step]].concat();
    let types: Vec<TensorType> = starts.iter().map(|&v| i.b.ty(v).clone()).collect();
    let body = i.apart(types, |i, args| next(i, combine, args, n))?;
    let trip = u64::from(n.next_power_of_two().trailing_zeros());
    let mut made = general::repeat(i, trip, &starts, &body)?;
    made.truncate(xs.len());
    for x in &mut made {
        let first = i.range(*x, 0, 0, 1)?;
        let shape = i.b.shape(first)[1..].to_vec();
        *x = i.reshaped(first, &shape)?;
    }
    Ok(made)
}

/// Each of `n` rows with the one `step` rows behind it, if there is one; and twice the step.
fn next<'m>(i: &mut Import<'m>, combine: Combine<'_, 'm>, args: &[ValueId], n: u64) -> Made {
    let (&step, xs) = args.split_last().ok_or("a loop without a step")?;
    let places = iota(i, &[n], 0)?;
    let by = i.broadcast(step, &[n], &[])?;
    let at = i.elem("add", &[places, by])?;
    let end = i.b.constant_like(at, n as f64);
    let there = i.elem("compare_lt", &[at, end])?;
    let mut pairs = xs.to_vec();
    for &x in xs {
        pairs.push(i.take(x, at, 0)?);
    }
    let made = of_all(xs, combine(i, &pairs)?)?;
    let mut out = Vec::new();
    for (&x, made) in xs.iter().zip(made) {
        let shape = i.b.shape(x);
        let there = i.broadcast(there, &shape, &[0])?;
        out.push(i.select(there, made, x)?);
    }
    out.push(i.elem("add", &[step, step])?);
    Ok(out)
}
