//! Scatter-add in two kernels: a counting sort of the indices, then a sum per row. No atomics, and one order of addition.

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::elem;
use crate::expr::DType;
use crate::spec::{ScatterRows, SegmentSort};
use crate::target::Target;

/// An i32 element as an index.
pub fn load_index(b: &mut Builder, buf: Buf, at: Ix) -> Ix {
    let x = b.load(buf, at, 0);
    b.cast("index_cast", x, ElemKind::Index).into()
}

pub fn store_index(b: &mut Builder, x: Ix, buf: Buf, at: Ix) {
    let x = b.ix(x);
    let x = b.cast("index_cast", x, ElemKind::I32);
    b.store(x, buf, at);
}

/// The row that an index names, and whether it is one of this device's.
pub fn named_row(b: &mut Builder, spec: &SegmentSort, indices: Buf, i: Ix) -> (Ix, Val) {
    let x = load_index(b, indices, i);
    let x = b.max(x, Ix::ZERO);
    let mut row = b.min(x, Ix::from(spec.total).plus(-1));
    if spec.sharded {
        let start = b.dim(0);
        let back = b.scale(start, -1);
        row = b.add(row, back);
    }
    // One unsigned comparison tests both ends.
    (row, b.test("ult", row, Ix::from(spec.rows)))
}

/// Buffers: indices, order, segments. Scratch: where the next position of each row goes.
pub fn emit_sort(b: &mut Builder, spec: &SegmentSort) {
    let [indices, order, segments] = [0, 1, 2].map(|i| Buf::arg(i, DType::I32));
    let next = b.scratch(ElemKind::I32);
    let (count, rows) = (Ix::from(spec.count), Ix::from(spec.rows));
    // Calls `f` with the row that index `i` names, if it is one of ours.
    let each = |b: &mut Builder, f: &dyn Fn(&mut Builder, Ix, Ix)| {
        b.loop_(Ix::ZERO, count, 1, |b, i| {
            let (row, inside) = named_row(b, spec, indices, i);
            b.if_(inside, |b| f(b, i, row));
        });
    };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, _| {
        b.loop_(Ix::ZERO, rows.plus(1), 1, |b, r| store_index(b, Ix::ZERO, segments, r));
        each(b, &|b, _, row| {
            let n = load_index(b, segments, row.plus(1));
            store_index(b, n.plus(1), segments, row.plus(1));
        });
        b.loop_(Ix::ZERO, rows, 1, |b, r| {
            let begin = load_index(b, segments, r);
            store_index(b, begin, next, r);
            let n = load_index(b, segments, r.plus(1));
            let end = b.add(begin, n);
            store_index(b, end, segments, r.plus(1));
        });
        each(b, &|b, i, row| {
            let at = load_index(b, next, row);
            store_index(b, i, order, at);
            store_index(b, at.plus(1), next, row);
        });
    });
}

/// Vectors of a row that are summed at a time.
const VECTORS: u64 = 4;

/// Buffers: order, segments, updates, out.
pub fn emit_rows(b: &mut Builder, spec: &ScatterRows, target: &Target) {
    let [order, segments] = [0, 1].map(|i| Buf::arg(i, DType::I32));
    let [updates, out] = [2, 3].map(|i| Buf::arg(i, spec.dtype));
    let lanes = target.lanes(spec.dtype);
    // Sums are taken in the type that the elements are computed in.
    let (stored, computed) = (ElemKind::memory(spec.dtype), ElemKind::value(spec.dtype.computed()));
    let ty = Ty::vector(computed, lanes);
    // Sums `count` vectors of columns from `c` on; the last may be masked.
    let sum = |b: &mut Builder, row: Ix, [from, to]: [Ix; 2], c: Ix, masks: &[Option<Val>]| {
        let zero = b.float(ty, 0.0);
        let sums = b.for_(from, to, 1, &vec![zero; masks.len()], |b, q, acc| {
            let row = load_index(b, order, q);
            let at = b.scale(row, spec.update_stride);
            let at = b.add(at, c);
            let mut sums = Vec::new();
            for (v, mask) in masks.iter().enumerate() {
                let at = at.plus((v as u64 * lanes) as i64);
                let x = match mask {
                    None => b.load(updates, at, lanes),
                    Some(mask) => b.masked_load(updates, at, *mask),
                };
                let x = elem::convert(b, x, computed);
                sums.push(b.binary("addf", acc[v], x));
            }
            sums
        });
        let at = b.scale(row, spec.out_stride);
        let at = b.add(at, c);
        for (v, (mask, sum)) in masks.iter().zip(sums).enumerate() {
            let at = at.plus((v as u64 * lanes) as i64);
            let sum = elem::convert(b, sum, stored);
            match mask {
                None => b.store(sum, out, at),
                Some(mask) => b.masked_store(sum, out, at, *mask),
            }
        }
    };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, row| {
        let segment = [load_index(b, segments, row), load_index(b, segments, row.plus(1))];
        let group = VECTORS * lanes;
        let whole = spec.cols / group * group;
        b.loop_(Ix::ZERO, whole.into(), group, |b, c| sum(b, row, segment, c, &[None; VECTORS as usize]));
        if whole < spec.cols {
            let rest = (whole..spec.cols).step_by(lanes as usize);
            let masks: Vec<Option<Val>> =
                rest.map(|c| (c + lanes > spec.cols).then(|| b.mask(lanes, spec.cols - c))).collect();
            sum(b, row, segment, whole.into(), &masks);
        }
    });
}
