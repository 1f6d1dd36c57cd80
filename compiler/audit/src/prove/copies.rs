//! Elements of values that are copies of each other.

use crate::affine::linear;
use crate::place::Place;
use crate::prove::Prover;
use crate::space::Proof;
use crate::values::{Source, source};
use meshloom_ir::{Literal, Op};

/// What is known of two elements of values.
pub(super) enum Meeting {
    /// They are copies of one.
    One,
    /// No proof shows that they are the same.
    Apart,
    Unknown,
}

impl Prover<'_> {
    /// Whether two elements are copies of one.
    pub(super) fn meet(&mut self, a: &Place, b: &Place) -> Proof<Meeting> {
        let (mut chain, mut stopped, mut own) = (vec![b.clone()], None, true);
        loop {
            match chain.last().map(|p| source(self.func, self.space, p)) {
                Some(Ok(Source::Place(next))) => chain.push(next),
                Some(Err(e)) => {
                    stopped = Some(e);
                    break;
                }
                last => {
                    own = matches!(last, Some(Ok(Source::Itself)));
                    break;
                }
            }
        }
        let mut a = a.clone();
        loop {
            for b in &chain {
                let one = match self.one(&a, b)? {
                    true => self.space.all_equal(&a.at, &b.at)?,
                    false => self.constant_alike(&a, b)?,
                };
                if one {
                    return Ok(Meeting::One);
                }
            }
            match source(self.func, self.space, &a) {
                Ok(Source::Place(next)) => a = next,
                Ok(Source::Itself) => break,
                Ok(Source::Number(_)) => return stopped.map_or(Ok(Meeting::Unknown), Err),
                Err(e) => {
                    stopped = stopped.or(Some(e));
                    break;
                }
            }
        }
        if let Some(e) = stopped {
            return Err(e);
        }
        // An element that the devices' positions pick is one of several, and its value's facts are those of them all.
        let picked =
            |p: &Place| self.func.def_op(p.value).is_some_and(|o| matches!(self.func.op(o).op, Op::ShardSlice { .. }));
        let apart = match chain.last() {
            Some(b) if own && !picked(&a) && !picked(b) => self.facts.apart(self.space, &a, b),
            _ => false,
        };
        Ok(if apart { Meeting::Apart } else { Meeting::Unknown })
    }

    /// Whether two elements are one of the same list of constants, which the arrays that they are of need not have in one shape.
    fn constant_alike(&mut self, a: &Place, b: &Place) -> Proof<bool> {
        let list = |p: &Place| match &self.func.op(self.func.def_op(p.value)?).op {
            Op::Constant { value: Literal::Dense(all), dtype, shape } => Some((dtype, all, linear(&p.at, shape))),
            _ => None,
        };
        let (Some((x, some, i)), Some((y, others, j))) = (list(a), list(b)) else { return Ok(false) };
        Ok(x == y && some == others && self.space.all_equal(&[i], &[j])?)
    }

    /// Whether two places are of one value in one iteration, or of two arrays of the same constants.
    pub(super) fn one(&mut self, a: &Place, b: &Place) -> Proof<bool> {
        let op = |p: &Place| self.func.def_op(p.value).map(|o| &self.func.op(o).op);
        let constant = || op(a).filter(|op| matches!(op, Op::Constant { .. }));
        if constant().is_some_and(|c| op(b) == Some(c)) {
            return Ok(true);
        }
        let same = a.value == b.value && a.iterations.len() == b.iterations.len();
        Ok(same && (a.iterations == b.iterations || self.space.all_equal(&a.iterations, &b.iterations)?))
    }
}
