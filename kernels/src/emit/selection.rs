//! The first few of a row by size, on CPUs: one pass that keeps a sorted list of the best so far.
//!
//! A vector of keys is compared with the worst of the list. Of most vectors no key is better, and that is all there is to do. What
//! is better goes into the list, whose elements move up by one without a branch: each becomes `max(the one before, min(new, own))`.
//! Key and position are one number of 64 bits, so ties have an order, and the list is of numbers.
//!
//! Not here: rows of which much is asked for, or whose keys take 64 bits. Those are sorted ([`crate::spec::TopK`]).

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::elem::convert;
use super::sort_key::{key_of, store_result};
use crate::expr::DType;
use crate::spec::TopK;
use crate::target::Target;

/// Elements of a list are moved so many at a time at the most.
const CHUNK: u64 = 8;

/// The list in scratch memory: what comes before all, then the first `k` and as many more as fill a vector.
pub fn list(k: u64) -> u64 {
    1 + k.next_multiple_of(CHUNK)
}

struct Selection<'s> {
    spec: &'s TopK,
    x: Buf,
    list: Buf,
    /// Elements of the list in a vector.
    lanes: u64,
}

/// Buffers: x, out. Scratch: the list.
pub fn emit(b: &mut Builder, spec: &TopK, target: &Target) {
    let list = b.scratch(ElemKind::I64);
    let s = Selection { spec, x: Buf::arg(0, spec.dtype), list, lanes: target.lanes(DType::F64).min(CHUNK) };
    let (lanes, n) = (target.lanes(DType::F32), spec.n);
    let whole = n / lanes * lanes;
    let (lo, hi) = (b.lo(), b.hi());
    b.loop_(lo, hi, 1, |b, unit| {
        let base = b.scale(unit, n as i64);
        s.clear(b);
        if spec.dtype.is_float() {
            s.floats(b, base, whole, lanes);
        } else {
            b.loop_(Ix::ZERO, whole.into(), lanes, |b, i| {
                let keys = s.keys(b, base, i, lanes);
                let worst = s.worst(b);
                let worst = b.broadcast(worst, lanes);
                let better = b.compare("slt", keys, worst);
                let any = b.any(better);
                b.if_(any, |b| s.take(b, base, i, better));
            });
        }
        b.loop_(whole.into(), n.into(), 1, |b, i| {
            let key = s.keys(b, base, i, 0);
            s.insert(b, key, i);
        });
        let to = b.scale(unit, spec.k as i64);
        b.loop_(Ix::ZERO, spec.k.into(), 1, |b, r| {
            let code = b.load(s.list, r.plus(1), 0);
            let low = b.int(Ty::scalar(ElemKind::I64), 0xffff_ffff);
            let place = b.binary("andi", code, low);
            let place = b.cast("index_cast", place, ElemKind::Index);
            let to = b.add(to, r);
            store_result(b, spec, base, place.into(), to);
        });
    });
}

impl Selection<'_> {
    /// A list of what everything comes before.
    fn clear(&self, b: &mut Builder) {
        let least = b.int(Ty::scalar(ElemKind::I64), i64::MIN);
        b.store(least, self.list, Ix::ZERO);
        let most = b.int(Ty::vector(ElemKind::I64, self.lanes), i64::MAX);
        b.loop_(1u64.into(), list(self.spec.k).into(), self.lanes, |b, i| b.store(most, self.list, i));
    }

    /// Keys of `lanes` elements, or of one if that is 0: i32, whose order is that of the elements.
    fn keys(&self, b: &mut Builder, base: Ix, at: Ix, lanes: u64) -> Val {
        let at = b.add(base, at);
        let x = b.load(self.x, at, lanes);
        let x = convert(b, x, ElemKind::value(self.spec.dtype.computed()));
        key_of(b, self.spec, x)
    }

    /// The key of the last of the first `k`. What has the same comes after it.
    fn worst(&self, b: &mut Builder) -> Val {
        let code = b.load(self.list, self.spec.k.into(), 0);
        let half = b.int(Ty::scalar(ElemKind::I64), 32);
        let key = b.binary("shrsi", code, half);
        b.cast("trunci", key, ElemKind::I32)
    }

    /// The vectors before `whole`. Floats are compared with the last of the first `k` as they are, which leaves no better one out: what
    /// is no number is compared as both, and a list that is not full ends with none.
    fn floats(&self, b: &mut Builder, base: Ix, whole: u64, lanes: u64) {
        let ty = Ty::scalar(ElemKind::F32);
        let none = b.float(ty, f64::NAN);
        b.for_(Ix::ZERO, whole.into(), lanes, &[none], |b, i, last| {
            let at = b.add(base, i);
            let x = b.load(self.x, at, lanes);
            let x = convert(b, x, ElemKind::F32);
            let limit = b.broadcast(last[0], lanes);
            let better = b.compare(if self.spec.largest { "ugt" } else { "ult" }, x, limit);
            let any = b.any(better);
            let taken = |b: &mut Builder| {
                self.take(b, base, i, better);
                vec![self.limit(b)]
            };
            b.if_else(any, &[ty], taken, |_| vec![last[0]])
        });
    }

    /// The float that has the key of the last of the first `k`.
    fn limit(&self, b: &mut Builder) -> Val {
        let ty = Ty::scalar(ElemKind::I32);
        let (ones, sign, width) = (b.int(ty, -1), b.int(ty, i32::MAX.into()), b.int(ty, 31));
        let mut key = self.worst(b);
        if self.spec.largest {
            key = b.binary("xori", key, ones);
        }
        let minus = b.binary("shrsi", key, width);
        let flipped = b.binary("andi", minus, sign);
        let bits = b.binary("xori", key, flipped);
        b.bitcast(bits, ElemKind::F32)
    }

    /// Inserts the elements that the mask names, of the vector at `i`.
    fn take(&self, b: &mut Builder, base: Ix, i: Ix, mask: Val) {
        let bits = b.bits(mask);
        let ty = Ty::scalar(ElemKind::I32);
        let (one, count) = (b.int(ty, 1), b.unary("math.ctpop", bits));
        let count = b.cast("index_cast", count, ElemKind::Index);
        b.for_(Ix::ZERO, count.into(), 1, &[bits], |b, _, bits| {
            // The lowest bit that is set: all bits below it, counted.
            let less = b.binary("subi", bits[0], one);
            let rest = b.binary("andi", bits[0], less);
            let up_to = b.binary("xori", bits[0], less);
            let behind = b.unary("math.ctpop", up_to);
            let lane = b.cast("index_cast", behind, ElemKind::Index);
            let at = b.add(i, Ix::from(lane).plus(-1));
            let key = self.keys(b, base, at, 0);
            self.insert(b, key, at);
            vec![rest]
        });
    }

    /// Puts an element in its place. One that comes after the whole list changes nothing.
    fn insert(&self, b: &mut Builder, key: Val, at: Ix) {
        let ty = Ty::scalar(ElemKind::I64);
        let (key, half) = (b.cast("extsi", key, ElemKind::I64), b.int(ty, 32));
        let key = b.binary("shli", key, half);
        let place = b.ix(at);
        let place = b.cast("index_cast", place, ElemKind::I64);
        let code = b.binary("ori", key, place);
        let code = b.broadcast(code, self.lanes);
        // From the end: the element before a vector is read before it moves.
        let chunks = (list(self.spec.k) - 1) / self.lanes;
        let chunk = |b: &mut Builder, first: Ix| {
            let (before, own) = (b.load(self.list, first, self.lanes), b.load(self.list, first.plus(1), self.lanes));
            let kept = b.binary("minsi", code, own);
            let moved = b.binary("maxsi", before, kept);
            b.store(moved, self.list, first.plus(1));
        };
        if chunks <= 4 {
            return (0..chunks).rev().for_each(|c| chunk(b, (c * self.lanes).into()));
        }
        b.loop_(Ix::ZERO, chunks.into(), 1, |b, c| {
            let back = b.scale(c, -(self.lanes as i64));
            chunk(b, back.plus(((chunks - 1) * self.lanes) as i64));
        });
    }
}
