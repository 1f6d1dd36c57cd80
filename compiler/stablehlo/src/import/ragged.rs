//! Contractions of groups of rows, each with a matrix of its own: `chlo.ragged_dot`, which JAX prints for GPUs and TPUs
//! (`lax.ragged_dot`, mixtures of experts). For CPUs it prints what is made here: a mask says which entries of the left operand
//! are a group's, and one contraction goes over all groups. So each entry is multiplied with the matrices of all groups.
//!
//! Not here: kernels that skip what a group does not have.

use super::state::{Import, ImportRule};
use crate::module::TextOp;
use crate::read;
use meshloom_ir::{DType, Einsum, Op as Ir, Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("chlo.ragged_dot", ragged_dot)];

/// The dims that an op names.
struct Dims {
    batch: [Vec<usize>; 2],
    contracted: [Vec<usize>; 2],
    /// The dim of the left operand that is parted into groups.
    ragged: usize,
    /// The dim of the right operand that has an entry for each group.
    group: Option<usize>,
}

impl Dims {
    fn of(op: &TextOp<'_>, ranks: [usize; 2]) -> Result<Dims, String> {
        let numbers = op.attr("ragged_dot_dimension_numbers").and_then(|t| t.iter().find_map(|t| t.group(b'<')));
        let numbers = numbers.ok_or("`ragged_dot_dimension_numbers` is missing")?;
        let list = |side: usize, kind: &str| -> Result<Vec<usize>, String> {
            let name = format!("{}_{kind}_dimensions", ["lhs", "rhs"][side]);
            let all = read::setting(numbers, &name).map_or(Vec::new(), read::ints);
            let dim = |n: i64| usize::try_from(n).ok().filter(|&d| d < ranks[side]);
            all.into_iter().map(|n| dim(n).ok_or(format!("`{name}` has {n}, and the operand no such dim"))).collect()
        };
        let both = |kind: &str| -> Result<[Vec<usize>; 2], String> { Ok([list(0, kind)?, list(1, kind)?]) };
        let (batch, contracted) = (both("batching")?, both("contracting")?);
        if batch[0].len() != batch[1].len() || contracted[0].len() != contracted[1].len() {
            return Err("one operand has more batching or contracting dims than the other".to_string());
        }
        let [ragged] = list(0, "ragged")?[..] else { return Err("not one dim is parted into groups".to_string()) };
        let group = match list(1, "group")?[..] {
            [] => None,
            [d] => Some(d),
            _ => return Err("several dims of the right operand have an entry for each group".to_string()),
        };
        let shared = batch[0].contains(&ragged) || contracted[0].contains(&ragged);
        match (shared, group) {
            (true, Some(_)) => {
                Err("the right operand has a dim of groups, and the dim of groups is its own".to_string())
            }
            (false, None) => Err("the right operand has no matrix for each group".to_string()),
            _ => Ok(Dims { batch, contracted, ragged, group }),
        }
    }

    /// Dims of the left operand that sizes of groups may differ along: those like the one of groups, before it.
    fn before(&self) -> Vec<usize> {
        let shared = |d: &usize| self.batch[0].contains(d) || self.contracted[0].contains(d);
        let until = |list: &[usize]| list.iter().copied().take_while(|&d| d != self.ragged).collect::<Vec<_>>();
        if self.batch[0].contains(&self.ragged) {
            until(&self.batch[0])
        } else if self.contracted[0].contains(&self.ragged) {
            [self.batch[0].clone(), until(&self.contracted[0])].concat()
        } else {
            let free = (0..self.ragged).filter(|d| !shared(d));
            self.batch[0].iter().copied().chain(free).collect()
        }
    }

    /// The contraction: of the left operand, which begins with a dim of groups if `grouped`, and the right one.
    fn einsum(&self, ranks: [usize; 2], grouped: bool) -> Result<Einsum, String> {
        let mut letters = ('a'..='z').chain('A'..='Z');
        let mut next = || letters.next().ok_or("more dims than letters");
        let group = next()?;
        let mut sides = [vec![None; ranks[0]], vec![None; ranks[1]]];
        let mut result = Vec::new();
        // What is summed in each group alone is a result for each group.
        if grouped && self.group.is_none() {
            result.push(group);
        }
        if let Some(d) = self.group {
            sides[1][d] = Some(group);
        }
        for (pairs, kept) in [(&self.batch, true), (&self.contracted, false)] {
            for (&d, &e) in pairs[0].iter().zip(&pairs[1]) {
                let c = next()?;
                (sides[0][d], sides[1][e]) = (Some(c), Some(c));
                result.extend(kept.then_some(c));
            }
        }
        for slot in sides.iter_mut().flatten().filter(|s| s.is_none()) {
            let c = next()?;
            *slot = Some(c);
            result.push(c);
        }
        let [mut left, right] = sides.map(|side| side.into_iter().flatten().collect::<Vec<char>>());
        if grouped {
            left.insert(0, group);
        }
        Ok(Einsum::new(vec![left, right], result))
    }
}

fn ragged_dot(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, y, sizes] = i.exactly(op)?;
    let ranks = [i.b.ty(x).rank(), i.b.ty(y).rank()];
    let dims = Dims::of(op, ranks)?;
    let to = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?.dtype;
    if !to.is_float() {
        return Err("`chlo.ragged_dot` of integers is not supported\nconvert its operands to floats".to_string());
    }
    // Sums are taken in the type of the result.
    let (x, y) = (i.convert(x, to)?, i.convert(y, to)?);
    // A batch is parted into groups: each entry is multiplied with its own matrix as it is.
    if dims.batch[0].contains(&dims.ragged) {
        return Ok(vec![i.emit(Ir::DotGeneral(dims.einsum(ranks, false)?), &[x, y])?]);
    }
    let x = grouped(i, &dims, x, sizes)?;
    Ok(vec![i.emit(Ir::DotGeneral(dims.einsum(ranks, true)?), &[x, y])?])
}

/// The left operand for each group, with zeros in place of what is another group's, or none's.
fn grouped(i: &mut Import<'_>, dims: &Dims, x: ValueId, sizes: ValueId) -> Result<ValueId, String> {
    let (shape, of) = (i.b.shape(x), i.b.shape(sizes));
    let (&groups, prefix) = of.split_last().ok_or("the sizes of groups are one number")?;
    let before = if prefix.is_empty() { Vec::new() } else { dims.before() };
    if before.iter().map(|&d| shape[d]).ne(prefix.iter().copied()) {
        return Err(format!("the sizes of groups have shape {of:?}, which does not go with the operand's {shape:?}"));
    }
    let wide = [&[groups][..], &shape].concat();
    let at: Vec<usize> = before.iter().map(|d| d + 1).chain([0]).collect();
    let last = of.len() - 1;
    let ends =
        i.emit(Ir::Cumulative { kind: Reduction::Sum, dim: last, reverse: false, exclusive: false }, &[sizes])?;
    let starts = i.elem("subtract", &[ends, sizes])?;
    let (dim, shard) = (dims.ragged + 1, Vec::new());
    let rows = i.emit(Ir::Iota { dtype: DType::I32, shape: wide.clone(), dim, shard }, &[])?;
    let dtype = i.b.ty(sizes).dtype;
    let rows = i.convert(rows, dtype)?;
    // Dims of a broadcast are in order.
    let mut order: Vec<usize> = (0..at.len()).collect();
    order.sort_by_key(|&d| at[d]);
    let mut sorted = at;
    sorted.sort_unstable();
    let spread = |i: &mut Import<'_>, v: ValueId| {
        let v = i.permuted(v, &order)?;
        i.broadcast(v, &wide, &sorted)
    };
    let (starts, ends) = (spread(i, starts)?, spread(i, ends)?);
    let begun = i.elem("compare_ge", &[rows, starts])?;
    let open = i.elem("compare_lt", &[rows, ends])?;
    let own = i.elem("and", &[begun, open])?;
    let all = i.broadcast(x, &wide, &(1..wide.len()).collect::<Vec<_>>())?;
    let zero = i.b.constant_like(all, 0.0);
    i.elem("select", &[own, all, zero])
}
