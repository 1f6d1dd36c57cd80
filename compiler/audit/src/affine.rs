//! Sums of indices, each times a factor: what addresses and coordinates are made of.
//!
//! A [`Var`] is a number that [`crate::space::Space`] gives out. In what memory holds, variables are the numbers of coordinates
//! instead (see [`crate::memory`]).

use smallvec::{SmallVec, smallvec};

pub(crate) type Var = u32;

/// Factors of variables; few sums have more of them than lie in place.
pub(crate) type Terms = SmallVec<[(Var, i64); 4]>;

/// `offset + sum(factor * variable)`. Variables ascend and no factor is 0, so equal sums are equal values.
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Affine {
    pub terms: Terms,
    pub offset: i64,
}

/// Sums are copied more often than anything else is done, and factors are plain numbers.
impl Clone for Affine {
    fn clone(&self) -> Affine {
        Affine { terms: Terms::from_slice(&self.terms), offset: self.offset }
    }
}

impl From<i64> for Affine {
    fn from(n: i64) -> Affine {
        Affine::constant(n)
    }
}

impl Affine {
    pub fn constant(offset: i64) -> Affine {
        Affine { terms: Terms::new(), offset }
    }

    pub fn var(v: Var) -> Affine {
        Affine { terms: smallvec![(v, 1)], offset: 0 }
    }

    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.offset)
    }

    pub fn factor(&self, v: Var) -> i64 {
        self.terms.iter().find(|t| t.0 == v).map_or(0, |t| t.1)
    }

    /// This, and `times` the other. Sums beyond an i64 wrap: a validated program has none.
    pub fn plus(&self, other: &Affine, times: i64) -> Affine {
        let offset = self.offset.wrapping_add(other.offset.wrapping_mul(times));
        if times == 0 || other.terms.is_empty() {
            return Affine { terms: Terms::from_slice(&self.terms), offset };
        }
        if times == 1 && self.terms.is_empty() {
            return Affine { terms: Terms::from_slice(&other.terms), offset };
        }
        let mut terms = Terms::new();
        let mut push = |v, c| {
            if c != 0 {
                terms.push((v, c));
            }
        };
        let mut rest = &self.terms[..];
        for &(w, d) in &other.terms {
            while let [(v, c), after @ ..] = rest
                && *v < w
            {
                push(*v, *c);
                rest = after;
            }
            let mut sum = d.wrapping_mul(times);
            if let [(v, c), after @ ..] = rest
                && *v == w
            {
                sum = sum.wrapping_add(*c);
                rest = after;
            }
            push(w, sum);
        }
        rest.iter().for_each(|&(v, c)| push(v, c));
        Affine { terms, offset }
    }

    /// With one more term; its variable is none of those before.
    pub fn push(&mut self, v: Var, c: i64) {
        debug_assert!(self.terms.last().is_none_or(|t| t.0 < v));
        if c != 0 {
            self.terms.push((v, c));
        }
    }

    pub fn minus(&self, other: &Affine) -> Affine {
        self.plus(other, -1)
    }

    pub fn scaled(&self, by: i64) -> Affine {
        Affine::default().plus(self, by)
    }

    pub fn shifted(&self, by: i64) -> Affine {
        Affine { terms: Terms::from_slice(&self.terms), offset: self.offset.wrapping_add(by) }
    }

    /// With other sums in the place of variables; those without one stay.
    pub fn with(&self, of: &dyn Fn(Var) -> Option<Affine>) -> Affine {
        let mut kept = Affine::constant(self.offset);
        let mut put = Affine::default();
        for &(v, c) in &self.terms {
            match of(v) {
                Some(a) => put = put.plus(&a, c),
                None => kept.push(v, c),
            }
        }
        put.plus(&kept, 1)
    }
}

/// The index of an element in row-major order.
pub(crate) fn linear(at: &[Affine], shape: &[u64]) -> Affine {
    at.iter().zip(shape).fold(Affine::default(), |sum, (a, &n)| sum.scaled(n as i64).plus(a, 1))
}

/// Row-major strides of dims that lie in the order `order`, in units of `unit`.
pub(crate) fn strides(shape: &[u64], order: &[usize], unit: i64) -> Vec<i64> {
    let (mut out, mut step) = (vec![0; shape.len()], unit);
    for &d in order.iter().rev() {
        out[d] = step;
        step = step.wrapping_mul(shape[d].max(1) as i64);
    }
    out
}

/// Row-major strides.
pub(crate) fn dense(shape: &[u64], unit: i64) -> Vec<i64> {
    strides(shape, &(0..shape.len()).collect::<Vec<_>>(), unit)
}
