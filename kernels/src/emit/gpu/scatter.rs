//! Rows of updates added up in the order that a sort gave them: a block for each row of the table, its threads side by side along the columns.

use super::turns::turns;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::emit::scatter::load_index;
use crate::expr::DType;
use crate::gpu::Grid;
use crate::spec::ScatterRows;

/// Updates that a thread fetches before it adds them: a row that many positions name waits for memory so much more seldom.
const AHEAD: u64 = 4;

/// Buffers: order, segments, updates, out.
pub fn emit(b: &mut Builder, s: &ScatterRows, grid: &Grid) {
    let [order, segments] = [0, 1].map(|i| Buf::arg(i, DType::I32));
    let [updates, out] = [2, 3].map(|i| Buf::arg(i, s.dtype));
    let (lanes, thread, hi) = (grid.lanes, b.thread(), b.hi());
    let (stored, computed) = (ElemKind::memory(s.dtype), ElemKind::value(s.dtype.computed()));
    let (first, step) = turns(b, 1);
    b.loop_by(first, hi, step, |b, row| {
        let (from, to) = (load_index(b, segments, row), load_index(b, segments, row.plus(1)));
        let back = b.scale(from, -1);
        let count = b.add(to, back);
        let (_, rest) = b.div_rem(count, AHEAD);
        let rest = b.scale(rest, -1);
        let whole = b.add(to, rest);
        b.loop_(thread, Ix::from(s.cols / lanes), grid.threads.into(), |b, v| {
            let column = b.scale(v, lanes as i64);
            let zero = b.float(Ty::vector(computed, lanes), 0.0);
            let add = |b: &mut Builder, at: Ix, count: u64, sum: Val| {
                let fetched: Vec<_> = (0..count)
                    .map(|i| {
                        let update = load_index(b, order, at.plus(i as i64));
                        let at = b.scale(update, s.update_stride);
                        let at = b.add(at, column);
                        b.load_aligned(updates, at, lanes)
                    })
                    .collect();
                fetched.into_iter().fold(sum, |sum, x| {
                    let x = convert(b, x, computed);
                    b.binary("addf", sum, x)
                })
            };
            let sum = b.for_(from, whole, AHEAD, &[zero], |b, at, sum| vec![add(b, at, AHEAD, sum[0])]);
            let sum = b.for_(whole, to, 1, &sum, |b, at, sum| vec![add(b, at, 1, sum[0])]);
            let at = b.scale(row, s.out_stride);
            let at = b.add(at, column);
            let sum = convert(b, sum[0], stored);
            b.store_aligned(sum, out, at);
        });
    });
}
