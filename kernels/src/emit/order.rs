//! Running sums along a dim, vectorised over the dims after it, and rows sorted by merging.

use super::builder::{Buf, Builder, Ix, Kind, Ty, Val};
use super::elem;
use super::fused::{combine, identity};
use super::scatter::{load_index, store_index};
use crate::order::{SCAN_COLS, Scan, TopK};
use crate::target::Target;

/// Buffers: x, out.
pub fn emit_scan(b: &mut Builder, s: &Scan, target: &Target) {
    let [x, out] = [0, 1].map(|i| Buf::arg(i, s.dtype));
    // A single column is a scalar.
    let lanes = if s.inner == 1 { 0 } else { target.lanes(s.dtype) };
    let (stored, computed) = (Kind::memory(s.dtype), Kind::value(s.dtype.computed()));
    let ty = if lanes == 0 { Ty::scalar(computed) } else { Ty::vector(computed, lanes) };
    let blocks = s.inner.div_ceil(SCAN_COLS).max(1);
    let row = |b: &mut Builder, base: Ix, mask: Option<Val>| {
        let first = identity(b, s.kind, ty);
        b.for_(Ix::ZERO, Ix::from(s.n), 1, &[first], |b, i, before| {
            let mut at = b.scale(i, if s.reverse { -(s.inner as i64) } else { s.inner as i64 });
            if s.reverse {
                at = at.plus((s.n as i64 - 1) * s.inner as i64);
            }
            let at = b.add(at, base);
            let value = match mask {
                None => b.load(x, at, lanes),
                Some(mask) => b.masked_load(x, at, mask),
            };
            let value = elem::convert(b, value, computed);
            let sum = combine(b, s.kind, before[0], value);
            let result = elem::convert(b, if s.exclusive { before[0] } else { sum }, stored);
            match mask {
                None => b.store(result, out, at),
                Some(mask) => b.masked_store(result, out, at, mask),
            }
            vec![sum]
        });
    };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| {
        let (outer, block) = b.div_rem(unit, blocks);
        let base = b.scale(outer, (s.n * s.inner) as i64);
        if lanes == 0 {
            return row(b, base, None);
        }
        let from = b.scale(block, SCAN_COLS as i64);
        let end = from.plus(SCAN_COLS as i64);
        let end = b.min(end, Ix::from(s.inner));
        // Whole vectors, then what is left of them.
        let rest = s.inner % lanes;
        let whole = b.min(end, Ix::from(s.inner - rest));
        b.loop_(from, whole, lanes, |b, c| {
            let base = b.add(base, c);
            row(b, base, None);
        });
        if rest > 0 {
            let last = b.test("eq", end, Ix::from(s.inner));
            b.if_(last, |b| {
                let mask = b.mask(lanes, rest);
                row(b, base.plus((s.inner - rest) as i64), Some(mask));
            });
        }
    });
}

/// Buffers: x, out. Scratch: two lists of positions.
pub fn emit_top_k(b: &mut Builder, s: &TopK) {
    let (x, out) = (Buf::arg(0, s.dtype), Buf::arg(1, s.out_dtype()));
    let computed = Kind::value(s.dtype.computed());
    let scratch = b.scratch(Kind::I32);
    let n = Ix::from(s.n);
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| {
        let base = b.scale(unit, s.n as i64);
        b.loop_(Ix::ZERO, n, 1, |b, i| store_index(b, i, scratch, i));
        let (mut from, mut to) = (0, s.n as i64);
        for pass in 0..s.passes() {
            let width = 1i64 << pass;
            b.loop_(Ix::ZERO, n, 2 * width as u64, |b, start| {
                let middle = b.min(start.plus(width), n);
                let end = b.min(start.plus(2 * width), n);
                let (i, j) = (b.ix(start), b.ix(middle));
                b.for_(start, end, 1, &[i, j], |b, place, at| {
                    let (i, j) = (Ix::from(at[0]), Ix::from(at[1]));
                    // Beyond the end of a run anything may be read, as long as it is there.
                    let last = Ix::from(s.n as i64 - 1);
                    let (left_at, right_at) = (b.min(i, last), b.min(j, last));
                    let (left, right) =
                        (load_index(b, scratch, left_at.plus(from)), load_index(b, scratch, right_at.plus(from)));
                    let (u_at, v_at) = (b.add(base, left), b.add(base, right));
                    let (u, v) = (b.load(x, u_at, 0), b.load(x, v_at, 0));
                    let (u, v) = (elem::convert(b, u, computed), elem::convert(b, v, computed));
                    // The right one goes first only if it comes before the left one: ties keep their order.
                    let before = precedes(b, v, u, s.largest);
                    let right_is_there = b.test("slt", j, end);
                    let no_left = b.test("sge", i, middle);
                    let first = b.binary("andi", right_is_there, before);
                    let takes = b.binary("ori", no_left, first);
                    let (l, r) = (b.ix(left), b.ix(right));
                    let taken = b.select(takes, r, l);
                    store_index(b, Ix::from(taken), scratch, place.plus(to));
                    let (next_i, next_j) = (b.ix(i.plus(1)), b.ix(j.plus(1)));
                    let (i, j) = (b.ix(i), b.ix(j));
                    vec![b.select(takes, i, next_i), b.select(takes, next_j, j)]
                });
            });
            std::mem::swap(&mut from, &mut to);
        }
        let target = b.scale(unit, s.k as i64);
        b.loop_(Ix::ZERO, Ix::from(s.k), 1, |b, r| {
            let at = load_index(b, scratch, r.plus(from));
            let to = b.add(target, r);
            if s.indices {
                return store_index(b, at, out, to);
            }
            let at = b.add(base, at);
            let value = b.load(x, at, 0);
            b.store(value, out, to);
        });
    });
}

/// Whether `u` comes before `v`; NaN is larger than all numbers.
fn precedes(b: &mut Builder, u: Val, v: Val, largest: bool) -> Val {
    let (large, small) = if largest { (u, v) } else { (v, u) };
    if !b.ty(u).kind.is_float() {
        return b.compare("sgt", large, small);
    }
    let above = b.compare("ogt", large, small);
    let nan = b.compare("uno", large, large);
    let number = b.compare("ord", small, small);
    let beyond = b.binary("andi", nan, number);
    b.binary("ori", above, beyond)
}
