//! Sums of indices, each times a factor: what addresses and coordinates are made of.
//!
//! A [`Var`] is a number that [`crate::space::Space`] gives out. In what memory holds, variables are the numbers of coordinates
//! instead (see [`crate::memory`]).

use smallvec::{SmallVec, smallvec};

pub(crate) type Var = u32;

/// Factors of variables; few sums have more of them than lie in place.
pub(crate) type Terms = SmallVec<[(Var, i64); 4]>;

/// `offset + sum(factor * variable)`. Variables ascend and no factor is 0, so equal sums are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub(crate) struct Affine {
    pub terms: Terms,
    pub offset: i64,
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
        let mut terms = Terms::with_capacity(self.terms.len().max(other.terms.len()));
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (v, c) = match (a.peek(), b.peek()) {
                (Some(&&(v, c)), Some(&&(w, d))) if v == w => {
                    a.next();
                    b.next();
                    (v, c.wrapping_add(d.wrapping_mul(times)))
                }
                (Some(&&(v, c)), other) if other.is_none_or(|x| v < x.0) => {
                    a.next();
                    (v, c)
                }
                (_, Some(&&(w, d))) => {
                    b.next();
                    (w, d.wrapping_mul(times))
                }
                _ => break,
            };
            if c != 0 {
                terms.push((v, c));
            }
        }
        Affine { terms, offset: self.offset.wrapping_add(other.offset.wrapping_mul(times)) }
    }

    pub fn minus(&self, other: &Affine) -> Affine {
        self.plus(other, -1)
    }

    pub fn scaled(&self, by: i64) -> Affine {
        Affine::default().plus(self, by)
    }

    pub fn shifted(&self, by: i64) -> Affine {
        Affine { terms: self.terms.clone(), offset: self.offset.wrapping_add(by) }
    }

    /// With other sums in the place of variables; those without one stay.
    pub fn with(&self, of: &dyn Fn(Var) -> Option<Affine>) -> Affine {
        self.terms.iter().fold(Affine::constant(self.offset), |sum, &(v, c)| match of(v) {
            Some(a) => sum.plus(&a, c),
            None => sum.plus(&Affine::var(v), c),
        })
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
