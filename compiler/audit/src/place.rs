//! Elements of values of the local program.
//!
//! Not here: which op makes an element, and of what ([`crate::values`], [`crate::term`]).

use crate::affine::Affine;
use crate::exact::Exact;
use meshloom_ir::ValueId;
use std::rc::Rc;

/// An element of a value of the local program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub value: ValueId,
    /// Which iteration of each loop around it, outermost first. Iterations are counted as they run.
    pub iterations: Rc<[Affine]>,
    /// The coordinate along each dim.
    pub at: Rc<[Affine]>,
}

impl Place {
    /// With other sums in the place of those that it is made of.
    pub fn map(&self, f: &dyn Fn(&Affine) -> Affine) -> Place {
        // Most iterations are numbers.
        let fixed = self.iterations.iter().all(|i| i.terms.is_empty());
        let iterations = if fixed { Rc::clone(&self.iterations) } else { self.iterations.iter().map(f).collect() };
        Place { value: self.value, iterations, at: self.at.iter().map(f).collect() }
    }
}

/// An element of a value where sums of indices are within sizes, and a number elsewhere: of a value that is padded.
#[derive(Clone, Debug)]
pub(crate) struct Padded {
    pub place: Place,
    /// Sums that are at least 0 and below a size where it is the element.
    pub within: Vec<(Affine, u64)>,
    pub fill: Exact,
}

impl Padded {
    /// With other sums in the place of those that it is made of.
    pub fn map(&self, f: &dyn Fn(&Affine) -> Affine) -> Padded {
        let within = self.within.iter().map(|(a, n)| (f(a), *n)).collect();
        Padded { place: self.place.map(f), within, fill: self.fill }
    }
}
