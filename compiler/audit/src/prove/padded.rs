//! Elements of values that are padded, on both sides alike.
//!
//! What pads a value depends on indices, so a proof about it would be cut into one box for each side of it, and a sum into parts. Where
//! kernel and program pad the same value where the same indices are outside, none of that is needed.
//!
//! Not here: paddings that are not alike, which are cut.

use crate::affine::Affine;
use crate::exact::Exact;
use crate::place::{Padded, Place};
use crate::prove::Prover;
use crate::space::{Proof, Stop};
use crate::values::{self, Source, source};

impl Prover<'_> {
    /// Whether the program's element is a copy of the same element, padded where the kernel's is and with the same number. That it is
    /// not found to be is no difference.
    pub(super) fn padded_alike(&mut self, a: &Padded, b: &Place) -> Proof<bool> {
        let mark = self.space.mark();
        let (mut b, mut within, mut fill) = (b.clone(), Vec::new(), None);
        loop {
            match self.one_padded(a, &b, &within, fill) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(e) => return self.not_alike(e, mark),
            }
            let next = values::padding(self.func, self.space, &b).and_then(|p| match p {
                Some((place, bounds, x)) => {
                    let x = Exact::of(self.func.ty(b.value).dtype, x);
                    let same = fill.is_none_or(|y: Exact| y.same(x));
                    within.extend(bounds);
                    fill = Some(x);
                    Ok(same.then_some(place))
                }
                None => match source(self.func, self.space, &b)? {
                    Source::Place(next) => Ok(Some(next)),
                    Source::Number(_) | Source::Itself => Ok(None),
                },
            });
            match next {
                Ok(Some(next)) => b = next,
                Ok(None) => break,
                Err(e) => return self.not_alike(e, mark),
            }
        }
        self.space.back(mark);
        Ok(false)
    }

    /// Two digits are an index everywhere; what else stopped the search says nothing of elements, some of which may be outside.
    fn not_alike(&mut self, stop: Stop, mark: usize) -> Proof<bool> {
        if matches!(stop, Stop::Refine { .. }) {
            return Err(stop);
        }
        self.space.back(mark);
        Ok(false)
    }

    /// Whether both are one element with one padding; what was found is kept only if they are.
    fn one_padded(&mut self, a: &Padded, b: &Place, within: &[(Affine, u64)], fill: Option<Exact>) -> Proof<bool> {
        if !fill.is_some_and(|x| x.same(a.fill)) || a.place.value != b.value {
            return Ok(false);
        }
        let mark = self.space.mark();
        let alike = self.one(&a.place, b)?
            && self.space.all_equal(&a.place.at, &b.at)?
            && self.inside_alike(&a.within, within)?
            && self.inside_alike(within, &a.within)?;
        if !alike {
            self.space.back(mark);
        }
        Ok(alike)
    }

    /// Whether each of these bounds, but for those that all indices keep, is one of the others.
    fn inside_alike(&mut self, some: &[(Affine, u64)], others: &[(Affine, u64)]) -> Proof<bool> {
        'some: for (a, n) in some {
            let (lo, hi) = self.space.range(a);
            if lo >= 0 && hi < i128::from(*n) {
                continue;
            }
            for (b, _) in others.iter().filter(|b| b.1 == *n) {
                if self.space.all_equal(std::slice::from_ref(a), std::slice::from_ref(b))? {
                    continue 'some;
                }
            }
            return Ok(false);
        }
        Ok(true)
    }
}
