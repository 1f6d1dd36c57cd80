//! How an `associative_scan` is computed: a dim is cut into blocks of at most [`MOST`] elements. A loop goes over the places of a block,
//! in all blocks at once; the last results of the blocks are scanned in the same way; then each element gets what lies before its
//! block. So `f` is applied about twice to each element, for 4,096 elements there are 45 iterations and five copies of `f`.
//! The blocks are a dim as any other: where devices have whole blocks, only the blocks' last results pass between them.
//!
//! Why no log-depth recursion as JAX has it: it has a copy of `f` and slices for each power of two, each of its own shape, which are
//! planned and compiled one by one, and slices with a stride of a split dim move all of it.
//!
//! `f` is never applied to what the result does not have, not even where it would be dropped: a gradient would multiply 0 with it.

use super::loops::Over;
use super::program::FnRef;
use super::state::Elab;
use super::value::{Dim, Num, TensorVal, Val};
use crate::ast::Name;
use meshloom_ir::{DType, Op, Span};

/// The tensors that are scanned together.
pub(super) type Parts = Vec<TensorVal>;

/// A scan whose arguments are read.
pub(super) struct Associative<'a> {
    pub f: FnRef<'a>,
    /// `f` as it is written.
    pub callee: Name,
    /// What is scanned, by its structure.
    pub shape: Val,
    /// The scanned dim of each tensor.
    pub dims: Vec<usize>,
    pub reverse: bool,
    pub span: Span,
}

impl Associative<'_> {
    /// Tensors in the structure of what is scanned.
    pub(super) fn of(&self, parts: Parts) -> Val {
        let mut parts = parts.into_iter();
        self.shape.map(&mut |t| parts.next().unwrap_or_else(|| t.clone()))
    }
}

/// Elements of a block, at most; more make a longer loop, fewer make more levels.
const MOST: u64 = 16;
/// So many elements are one block.
const FEW: u64 = 32;

/// How many elements a block has: as many as make whole blocks, where some number does.
fn block(n: u64) -> u64 {
    let most = n.isqrt().min(MOST);
    (most.div_ceil(2)..=most).rev().find(|c| n.is_multiple_of(*c)).unwrap_or(most)
}

impl<'a> Elab<'a> {
    /// What `f` makes of all elements up to each.
    pub(super) fn running(&mut self, scan: &Associative<'a>, xs: Parts) -> Option<Parts> {
        let n = size(scan, &xs);
        if n <= FEW {
            let stacked = self.by_place(scan, &xs, n)?;
            let (ys, _) = self.within_blocks(scan, &stacked)?;
            return self.back_in_row(scan, &ys);
        }
        let c = block(n);
        let rest = n % c;
        if rest == 0 {
            return self.by_blocks(scan, &xs, c);
        }
        let (first, then) = if scan.reverse { ((rest, n), (0, rest)) } else { ((0, n - rest), (n - rest, n)) };
        let whole = self.cut(scan, &xs, first)?;
        let whole = self.by_blocks(scan, &whole, c)?;
        let end = if scan.reverse { (0, 1) } else { (n - rest - 1, n - rest) };
        let so_far = self.cut(scan, &whole, end)?;
        let others = self.cut(scan, &xs, then)?;
        let others = self.by_place(scan, &others, rest)?;
        let (others, _) = self.from(scan, &so_far, &others)?;
        let others = self.back_in_row(scan, &others)?;
        self.in_order(scan, &whole, &others, &scan.dims)
    }

    /// The same where the dim is whole blocks of `c` elements, at least two.
    fn by_blocks(&mut self, scan: &Associative<'a>, xs: &Parts, c: u64) -> Option<Parts> {
        let n = size(scan, xs);
        let blocks = n / c;
        let stacked = self.by_place(scan, xs, c)?;
        let (within, lasts) = self.within_blocks(scan, &stacked)?;
        let within = self.back_in_row(scan, &within)?;
        let totals = self.running(scan, lasts.clone())?;
        // The first block has nothing before it. In its place stand the first two blocks' results, which may be combined.
        let (before, own, second) = match scan.reverse {
            false => ((0, blocks - 1), (0, 1), (1, 2)),
            true => ((1, blocks), (blocks - 1, blocks), (blocks - 2, blocks - 1)),
        };
        let (before, own) = (self.cut(scan, &totals, before)?, self.cut(scan, &totals, own)?);
        let before = self.in_order(scan, &own, &before, &scan.dims)?;
        let before = self.repeated(scan, &before, c)?;
        let second = self.cut(scan, &lasts, second)?;
        let second = self.repeated(scan, &second, n)?;
        let in_first = self.in_first_block(scan, &within, c)?;
        let own = self.chosen(&in_first, &second, &within, scan.span)?;
        let made = self.combined(scan, &before, &own)?;
        self.chosen(&in_first, &within, &made, scan.span)
    }

    /// Running results of each block by place, and its last one.
    fn within_blocks(&mut self, scan: &Associative<'a>, stacked: &Parts) -> Option<(Parts, Parts)> {
        let c = stacked[0].dims[0].size;
        let (first, rest) = if scan.reverse { (c - 1, (0, c - 1)) } else { (0, (1, c)) };
        let mut start = Vec::new();
        for t in stacked {
            start.push(self.entry_at(t, first, scan.span)?);
        }
        if c == 1 {
            return Some((stacked.clone(), start));
        }
        let places = vec![0; stacked.len()];
        let head = self.ranges(stacked, &places, (first, first + 1), scan.span)?;
        let rest = self.ranges(stacked, &places, rest, scan.span)?;
        let (ys, last) = self.from(scan, &start, &rest)?;
        Some((self.in_order(scan, &head, &ys, &places)?, last))
    }

    /// Goes on from `start` over places: the results by place, and the last one.
    fn from(&mut self, scan: &Associative<'a>, start: &Parts, stacked: &Parts) -> Option<(Parts, Parts)> {
        let count = stacked[0].dims[0].size;
        let tuple = |parts: &Parts| Val::Tuple(parts.iter().cloned().map(Val::Tensor).collect());
        let over = Over { count, start: &tuple(start), stacked: &tuple(stacked), reverse: scan.reverse };
        let looped = self.loop_over(&over, scan.span, &mut |cx, so_far, next| {
            let made = cx.combined(scan, &so_far.tensors(), &next.tensors())?;
            Some((made.iter().map(|t| t.id).collect(), tuple(&made)))
        });
        let (results, _) = looped?;
        let made = |like: &Parts, ids: &[meshloom_ir::ValueId]| -> Parts {
            like.iter().zip(ids).map(|(t, &id)| TensorVal { id, units: Vec::new(), ..t.clone() }).collect()
        };
        let (last, ys) = results.split_at(start.len());
        Some((made(stacked, ys), made(start, last)))
    }

    /// Blocks of `c` elements, with the place in a block first: `[.., n, ..]` as `[c, .., n / c, ..]`.
    fn by_place(&mut self, scan: &Associative<'a>, xs: &Parts, c: u64) -> Option<Parts> {
        let mut out = Vec::new();
        for (t, &d) in xs.iter().zip(&scan.dims) {
            let blocks = t.dims[d].size / c;
            let mut dims = t.dims.clone();
            dims[d] = part(&t.dims[d], blocks);
            dims.insert(d + 1, Dim::plain(c));
            let apart = self.reshaped(t, dims, scan.span)?;
            let order: Vec<usize> = [d + 1].into_iter().chain((0..=t.rank()).filter(|&k| k != d + 1)).collect();
            out.push(self.ordered(&apart, &order, scan.span)?);
        }
        Some(out)
    }

    /// The inverse.
    fn back_in_row(&mut self, scan: &Associative<'a>, stacked: &Parts) -> Option<Parts> {
        let mut out = Vec::new();
        for (t, &d) in stacked.iter().zip(&scan.dims) {
            let order: Vec<usize> = (1..=d + 1).chain([0]).chain(d + 2..t.rank()).collect();
            let apart = self.ordered(t, &order, scan.span)?;
            let mut dims = apart.dims.clone();
            let place = dims.remove(d + 1);
            dims[d] = part(&dims[d], dims[d].size * place.size);
            out.push(self.reshaped(&apart, dims, scan.span)?);
        }
        Some(out)
    }

    /// Each element of the scanned dim `times` times, one behind the other.
    fn repeated(&mut self, scan: &Associative<'a>, xs: &Parts, times: u64) -> Option<Parts> {
        let mut out = Vec::new();
        for (t, &d) in xs.iter().zip(&scan.dims) {
            let mut dims = t.dims.clone();
            dims.insert(d + 1, Dim::plain(times));
            let shape = dims.iter().map(|d| d.size).collect();
            let kept = (0..=t.rank()).filter(|&k| k != d + 1).collect();
            let id = self.emit(Op::Broadcast { shape, dims: kept }, &[t.id], scan.span)?;
            let mut whole = t.dims.clone();
            whole[d] = part(&t.dims[d], t.dims[d].size * times);
            out.push(self.reshaped(&TensorVal { id, dims, ..t.clone() }, whole, scan.span)?);
        }
        Some(out)
    }

    /// Whether an element is in the block that is first, for each tensor.
    fn in_first_block(&mut self, scan: &Associative<'a>, xs: &Parts, c: u64) -> Option<Parts> {
        let (n, span) = (size(scan, xs), scan.span);
        let (dtype, shape) = (DType::I32, vec![n]);
        let number = self.emit(Op::Iota { dtype, shape: shape.clone(), dim: 0, shard: Vec::new() }, &[], span)?;
        let (name, end) = if scan.reverse { ("compare_ge", n - c) } else { ("compare_lt", c) };
        let end = self.splat(dtype, &shape, Num::Int(i64::try_from(end).ok()?), span)?;
        let first = self.emit(Op::elem(name)?, &[number, end], span)?;
        let mut out = Vec::new();
        for (t, &d) in xs.iter().zip(&scan.dims) {
            let id = self.emit(Op::Broadcast { shape: t.shape(), dims: vec![d] }, &[first], span)?;
            out.push(TensorVal { id, dtype: DType::Bool, ..t.clone() });
        }
        Some(out)
    }

    fn chosen(&mut self, which: &Parts, x: &Parts, y: &Parts, span: Span) -> Option<Parts> {
        let mut out = Vec::new();
        for ((w, x), y) in which.iter().zip(x).zip(y) {
            let id = self.emit(Op::elem("select")?, &[w.id, x.id, y.id], span)?;
            out.push(TensorVal { id, ..y.clone() });
        }
        Some(out)
    }

    /// What the scan comes to first and what it comes to then, as they lie in the tensor.
    fn in_order(&mut self, scan: &Associative<'a>, first: &Parts, then: &Parts, at: &[usize]) -> Option<Parts> {
        let (low, high) = if scan.reverse { (then, first) } else { (first, then) };
        let mut out = Vec::new();
        for ((x, y), &dim) in low.iter().zip(high).zip(at) {
            let mut dims = x.dims.clone();
            dims[dim] = part(&x.dims[dim], x.dims[dim].size + y.dims[dim].size);
            let id = self.emit(Op::Concatenate { dim }, &[x.id, y.id], scan.span)?;
            out.push(TensorVal { id, dims, ..x.clone() });
        }
        Some(out)
    }

    fn cut(&mut self, scan: &Associative<'a>, xs: &Parts, range: (u64, u64)) -> Option<Parts> {
        self.ranges(xs, &scan.dims, range, scan.span)
    }

    /// A range of one dim of each.
    fn ranges(&mut self, xs: &Parts, at: &[usize], range: (u64, u64), span: Span) -> Option<Parts> {
        let mut out = Vec::new();
        for (t, &d) in xs.iter().zip(at) {
            let (mut start, mut limit, mut dims) = (vec![0; t.rank()], t.shape(), t.dims.clone());
            (start[d], limit[d], dims[d]) = (range.0, range.1, part(&t.dims[d], range.1 - range.0));
            out.push(TensorVal { id: self.emit(Op::Slice { start, limit }, &[t.id], span)?, dims, ..t.clone() });
        }
        Some(out)
    }

    fn reshaped(&mut self, t: &TensorVal, dims: Vec<Dim>, span: Span) -> Option<TensorVal> {
        let shape = dims.iter().map(|d| d.size).collect();
        Some(TensorVal { id: self.emit(Op::Reshape { shape }, &[t.id], span)?, dims, ..t.clone() })
    }

    fn ordered(&mut self, t: &TensorVal, perm: &[usize], span: Span) -> Option<TensorVal> {
        let dims = perm.iter().map(|&k| t.dims[k].clone()).collect();
        Some(TensorVal { id: self.emit(Op::Transpose { perm: perm.to_vec() }, &[t.id], span)?, dims, ..t.clone() })
    }
}

/// A part of a dim, as messages about `f` call it.
fn part(of: &Dim, size: u64) -> Dim {
    let whole = of.to_string();
    Dim::named(&if whole.starts_with("part of ") { whole } else { format!("part of {whole}") }, size)
}

/// Elements of the scanned dim.
fn size(scan: &Associative<'_>, xs: &Parts) -> u64 {
    xs[0].dims[scan.dims[0]].size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_whole_where_they_can_be() {
        assert_eq!([64, 256, 4096, 1000, 4095, 33].map(block), [8, 16, 16, 10, 15, 3]);
        assert_eq!([37, 4099].map(block), [6, 16], "primes have a rest");
    }
}
