//! Which keys a query sees: loop bounds that follow from positions, and the mask for what lies between the bounds.
//!
//! Query `i` is at position `ahead + i` and key `j` at position `j`. Bounds are rounded to tiles, so they let in a little too
//! much, which is masked. The bounds of the two passes fit together: [`AttentionContext::first_query`] and
//! [`AttentionContext::last_query`] give the queries of a tile of keys, and for each of these queries that tile lies between
//! [`AttentionContext::first_key`] and [`AttentionContext::seen`]. So the backward pass reads no probability that it has not
//! written.

use super::context::{AttentionContext, HeadOperand};
use crate::attention::AttentionShape;
use crate::emit::builder::{Builder, ElemKind, Ix, Val};
use crate::spec::TILE_ROWS;

/// By how much positions of queries are ahead of those of keys; nothing where both begin at 0.
pub fn ahead(b: &mut Builder, shape: &AttentionShape) -> Ix {
    if !shape.shifted {
        return Ix::ZERO;
    }
    let (q, k) = (b.dim(0), b.dim(1));
    let back = b.scale(k, -1);
    b.add(q, back)
}

impl AttentionContext {
    fn ahead(&self, b: &mut Builder) -> Ix {
        ahead(b, &self.shape)
    }

    /// `x - ahead`.
    fn behind(&self, b: &mut Builder, x: Ix) -> Ix {
        let ahead = self.ahead(b);
        let back = b.scale(ahead, -1);
        b.add(x, back)
    }

    /// `x`, at least 0, in whole steps.
    fn in_steps(&self, b: &mut Builder, x: Ix, step: u64, up: bool) -> Ix {
        let x = b.max(x, Ix::ZERO).plus(if up { step as i64 - 1 } else { 0 });
        let (steps, _) = b.div_rem(x, step);
        b.scale(steps, step as i64)
    }

    /// Queries from `i0` on see no key before this one, which begins a tile of keys.
    pub fn first_key(&self, b: &mut Builder, i0: Ix) -> Ix {
        let Some(before) = self.shape.before() else { return Ix::ZERO };
        let ahead = self.ahead(b);
        let first = b.add(i0, ahead).plus(-(before as i64));
        self.in_steps(b, first, self.shape.key_tile(), false)
    }

    /// Queries `i0..i0 + rows` see no key from here on. A few more where k loops go by fours.
    pub fn seen(&self, b: &mut Builder, i0: Ix, rows: u64) -> Ix {
        let shape = &self.shape;
        let Some(after) = shape.after() else { return shape.kv_len.into() };
        let end = i0.plus((rows + after) as i64);
        if shape.is_plain() {
            return end;
        }
        let ahead = self.ahead(b);
        let end = b.add(end, ahead);
        let step = if self.by_fours(shape.kv_len) { self.tuning.attention_unroll } else { 1 };
        let end = self.in_steps(b, end, step, true);
        b.min(end, shape.kv_len.into())
    }

    /// The first query that may see key `j`, at the beginning of a tile of queries; the number of queries if none does.
    pub fn first_query(&self, b: &mut Builder, j: Ix) -> Ix {
        let shape = &self.shape;
        let Some(after) = shape.after() else { return Ix::ZERO };
        if shape.is_plain() {
            return j;
        }
        let first = self.behind(b, j).plus(-(after as i64));
        let start = self.in_steps(b, first, TILE_ROWS, false);
        let none = b.test("sge", first, shape.q_len.into());
        let (len, start) = (b.ix(shape.q_len.into()), b.ix(start));
        b.select(none, len, start).into()
    }

    /// No query from here on sees a key before `end`; at the end of a tile of queries.
    pub fn last_query(&self, b: &mut Builder, end: Ix) -> Ix {
        let shape = &self.shape;
        let Some(before) = shape.before() else { return shape.q_len.into() };
        let last = self.behind(b, end).plus(before as i64);
        let last = self.in_steps(b, last, TILE_ROWS, true);
        b.min(last, shape.q_len.into())
    }

    /// Which of keys `j..j + lanes` query `i` sees; `None` if all.
    pub fn visible(&self, b: &mut Builder, j: Ix, i: Ix, segments: Option<[HeadOperand; 2]>) -> Option<Val> {
        let shape = self.shape;
        let uneven = !shape.kv_len.is_multiple_of(shape.key_tile());
        if shape.after().is_none() && shape.before().is_none() && segments.is_none() && !uneven {
            return None;
        }
        let (first, steps) = (self.number(b, j), b.steps(ElemKind::I32, self.lanes, 1));
        let keys = b.binary("addi", first, steps);
        let ahead = self.ahead(b);
        let at = b.add(i, ahead);
        let last = Ix::from(shape.kv_len).plus(-1);
        // What is allowed by its position is below the length where both begin at 0 and nothing lies ahead.
        let limit = match shape.after() {
            None => uneven.then_some(last),
            Some(0) if shape.is_plain() => Some(at),
            Some(after) => Some(b.min(at.plus(after as i64), last)),
        };
        let mut mask = limit.map(|limit| {
            let limit = self.number(b, limit);
            b.compare("sle", keys, limit)
        });
        if let Some(before) = shape.before() {
            let start = self.number(b, at.plus(-(before as i64)));
            let near = b.compare("sge", keys, start);
            mask = Some(both(b, mask, near));
        }
        if let Some([of_query, of_key]) = segments {
            let (row, key) = (self.row(b, of_query, i), b.add(of_key.base, j));
            let own = b.splat(of_query.buf, row, self.lanes);
            // The mask ends with the keys.
            let theirs = match mask {
                None => b.load(of_key.buf, key, self.lanes),
                Some(mask) => b.masked_load(of_key.buf, key, mask),
            };
            let alike = b.compare("eq", own, theirs);
            mask = Some(both(b, mask, alike));
        }
        mask
    }

    /// An index in every lane.
    fn number(&self, b: &mut Builder, x: Ix) -> Val {
        let x = b.ix(x);
        let x = b.cast("index_cast", x, ElemKind::I32);
        b.broadcast(x, self.lanes)
    }
}

fn both(b: &mut Builder, mask: Option<Val>, other: Val) -> Val {
    mask.map_or(other, |mask| b.binary("andi", mask, other))
}
