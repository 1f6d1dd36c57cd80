//! Running results along a dim, vectorised over the dims after it.

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::elem;
use crate::running::{COLUMNS, Running};
use crate::target::Target;

/// Buffers: x, out.
pub fn emit(b: &mut Builder, running: &dyn Running, target: &Target) {
    let s = running.along();
    let [x, out] = [0, 1].map(|i| Buf::arg(i, s.dtype));
    // A single column is a scalar.
    let lanes = if s.inner == 1 { 0 } else { target.lanes(s.dtype) };
    let (stored, computed) = (ElemKind::memory(s.dtype), ElemKind::value(s.dtype.computed()));
    let ty = if lanes == 0 { Ty::scalar(computed) } else { Ty::vector(computed, lanes) };
    let blocks = s.inner.div_ceil(COLUMNS).max(1);
    let row = |b: &mut Builder, base: Ix, mask: Option<Val>| {
        let first = running.identity(b, ty);
        b.for_(Ix::ZERO, Ix::from(s.n), 1, &first, |b, i, before| {
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
            let own = running.of(b, value);
            let state = running.combine(b, before, &own);
            let result = running.result(b, if s.exclusive { before } else { &state });
            let result = elem::convert(b, result, stored);
            match mask {
                None => b.store(result, out, at),
                Some(mask) => b.masked_store(result, out, at, mask),
            }
            state
        });
    };
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| {
        let (outer, block) = b.div_rem(unit, blocks);
        let base = b.scale(outer, (s.n * s.inner) as i64);
        if lanes == 0 {
            return row(b, base, None);
        }
        let from = b.scale(block, COLUMNS as i64);
        let end = from.plus(COLUMNS as i64);
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
