//! Bytes of the arena, which may lie elsewhere in each round of a loop that is followed as a whole.
//!
//! Not here: what lies there ([`crate::memory`]).

use crate::affine::{Affine, Var};
use crate::index::Span;

/// Bytes of the arena: where they begin, and how many.
pub(crate) type Bytes = (Affine, i64);

/// The variable that counts the rounds of a loop that is followed as a whole, and how many rounds there are.
pub(crate) type Rounds = Option<(Var, u64)>;

/// The least and the greatest distance of two sums of rounds.
pub(crate) fn apart(rounds: Rounds, a: &Affine, b: &Affine) -> Option<(i64, i64)> {
    if a.terms == b.terms {
        let d = a.offset.saturating_sub(b.offset);
        return Some((d, d));
    }
    let d = a.minus(b);
    match (&d.terms[..], rounds) {
        (&[(v, c)], Some((round, n))) if v == round => {
            let end = c.saturating_mul(n as i64 - 1);
            Some((d.offset.saturating_add(end.min(0)), d.offset.saturating_add(end.max(0))))
        }
        _ => None,
    }
}

/// Whether bytes may overlap in some round.
pub(crate) fn meet(rounds: Rounds, a: (&Affine, i64), b: (&Affine, i64)) -> bool {
    apart(rounds, a.0, b.0).is_none_or(|(lo, hi)| lo < b.1 && hi > -a.1)
}

/// Whether bytes lie among others in every round.
pub(crate) fn inside(rounds: Rounds, a: (&Affine, i64), b: (&Affine, i64)) -> bool {
    apart(rounds, a.0, b.0).is_some_and(|(lo, hi)| lo >= 0 && hi.saturating_add(a.1) <= b.1)
}

/// The addresses of some bytes in all rounds; all that there are where that is not known.
pub(crate) fn span(rounds: Rounds, from: &Affine, bytes: i64) -> Span {
    match (&from.terms[..], rounds) {
        ([], _) => (from.offset, from.offset.saturating_add(bytes)),
        (&[(v, c)], Some((round, n))) if v == round => {
            let end = c.saturating_mul((n as i64).saturating_sub(1));
            let (lo, hi) = (from.offset.saturating_add(end.min(0)), from.offset.saturating_add(end.max(0)));
            (lo, hi.saturating_add(bytes))
        }
        _ => (i64::MIN, i64::MAX),
    }
}
