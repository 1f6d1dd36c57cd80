//! Elements at regular distances, and whether two such sets have a byte in common.
//!
//! Operands of one kernel may lie side by side in one buffer: rows of one between rows of the other, as in a concatenation. So bytes
//! from the first to the last say too little. Two sets are apart if their bytes are, or if they are modulo some step of one of them:
//! a dim whose step is a multiple of that leads to the same remainders.
//!
//! Not here: what the elements are ([`crate::memory`]).

use crate::affine::Affine;
use crate::bytes::{Rounds, apart};

/// Where a kernel reads or writes.
pub(crate) struct Extent {
    pub base: Affine,
    /// Strides in bytes, each with its number of elements.
    pub dims: Vec<(i64, u64)>,
    /// Bytes of an element.
    pub element: u64,
}

impl Extent {
    /// All of some bytes.
    pub fn whole(base: &Affine, bytes: i64) -> Extent {
        Extent { base: base.clone(), dims: Vec::new(), element: u64::try_from(bytes).unwrap_or(0) }
    }

    fn is_empty(&self) -> bool {
        self.element == 0 || self.dims.iter().any(|d| d.1 == 0)
    }

    /// The bytes from the first to behind the last, counted from the base, where multiples of `step` count as nothing.
    fn span(&self, step: Option<i64>) -> (i128, i128) {
        let counts = |d: &&(i64, u64)| step.is_none_or(|m| d.0 % m != 0);
        self.dims.iter().filter(counts).fold((0, self.element.into()), |(lo, hi), &(stride, n)| {
            let end = i128::from(stride).saturating_mul(n.saturating_sub(1).into());
            (lo.saturating_add(end.min(0)), hi.saturating_add(end.max(0)))
        })
    }

    /// Whether it has no byte in common with another one, in any round; `false` where that is not seen.
    pub fn is_apart(&self, rounds: Rounds, other: &Extent) -> bool {
        if self.is_empty() || other.is_empty() {
            return true;
        }
        let Some((least, most)) = apart(rounds, &other.base, &self.base) else { return false };
        let (a, b) = (self.span(None), other.span(None));
        if b.1.saturating_add(most.into()) <= a.0 || b.0.saturating_add(least.into()) >= a.1 {
            return true;
        }
        let steps = self.dims.iter().chain(&other.dims).map(|d| d.0.saturating_abs()).filter(|&m| m > 0);
        least == most && steps.into_iter().any(|m| self.is_apart_modulo(m, i128::from(least), other))
    }

    /// The same for what remains of their addresses modulo a step; the other one's base is so far on.
    fn is_apart_modulo(&self, step: i64, by: i128, other: &Extent) -> bool {
        let (a, b) = (self.span(Some(step)), other.span(Some(step)));
        // From the first remainder of this one to the first one of the other, once around.
        let first = b.0.saturating_sub(a.0).saturating_add(by).rem_euclid(step.into());
        first >= a.1.saturating_sub(a.0) && b.1.saturating_sub(b.0).saturating_add(first) <= step.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Two sets of all small shapes are never said to be apart where they have a byte in common; and columns are, row by row.
    #[test]
    fn what_is_apart_has_no_byte_in_common() {
        let bytes = |e: &Extent| -> BTreeSet<i64> {
            let mut all = BTreeSet::from([e.base.offset]);
            for &(s, n) in &e.dims {
                all = all.iter().flat_map(|at| (0..n as i64).map(move |i| at + s * i)).collect();
            }
            all.iter().flat_map(|at| *at..at + e.element as i64).collect()
        };
        let steps = [-6, 0, 2, 4, 12];
        let mut all = Vec::new();
        for (at, element) in [(0, 1), (1, 2), (4, 4), (30, 2)] {
            for (&s, n) in steps.iter().flat_map(|s| [(s, 1), (s, 3)]) {
                for (&t, m) in steps.iter().flat_map(|t| [(t, 1), (t, 4)]) {
                    all.push(Extent { base: Affine::constant(at), dims: vec![(s, n), (t, m)], element });
                }
            }
        }
        let (mut apart, mut interleaved) = (0, 0);
        for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))) {
            if a.is_apart(None, b) {
                assert!(bytes(a).is_disjoint(&bytes(b)), "{:?} {:?}", (&a.base, &a.dims), (&b.base, &b.dims));
                apart += 1;
                let span = |e: &Extent| (e.base.offset + e.span(None).0 as i64, e.base.offset + e.span(None).1 as i64);
                interleaved += usize::from(span(a).0 < span(b).1 && span(b).0 < span(a).1);
            }
        }
        assert!(apart > 1000 && interleaved > 100, "{apart} apart, {interleaved} of them interleaved");
    }
}
