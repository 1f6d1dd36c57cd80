//! Choices between two terms by a condition on indices.

use crate::exact::Exact;
use crate::prove::Prover;
use crate::space::Proof;
use crate::term::{Term, as_index};
use meshloom_ir::Comparison;
use meshloom_kernels::Elem;

impl Prover<'_> {
    /// The side that a choice takes, if the term is one and its condition is one of indices, or both sides are one.
    pub(super) fn chosen(&mut self, term: &Term) -> Proof<Option<Term>> {
        let Term::Elem(Elem::Select, args, _) = self.head(term)? else { return Ok(None) };
        if args[1].is(&args[2]) || args[1].is_node(&args[2]) {
            return Ok(Some(args[1].clone()));
        }
        Ok(self.decided(&args[0])?.map(|yes| args[if yes { 1 } else { 2 }].clone()))
    }

    /// Whether a condition on indices holds; asks for a cut where it does for some of them.
    fn decided(&mut self, condition: &Term) -> Proof<Option<bool>> {
        let (op, args) = match self.head(condition)? {
            Term::Elem(op @ (Elem::And | Elem::Or | Elem::Compare(_)), args, _) => (op, args),
            Term::Number(Exact::Int(n)) => return Ok(Some(n != 0)),
            _ => return Ok(None),
        };
        let Elem::Compare(is) = op else {
            let all = op == Elem::And;
            return match self.decided(&args[0])? {
                Some(first) if first != all => Ok(Some(first)),
                Some(_) => self.decided(&args[1]),
                // The other one may settle it.
                None => Ok(self.decided(&args[1])?.filter(|&second| second != all)),
            };
        };
        let Some(a) = as_index(self.func, self.space, &args[0])? else { return Ok(None) };
        let Some(b) = as_index(self.func, self.space, &args[1])? else { return Ok(None) };
        let space = &self.space;
        // Sums are modulo 2^32: what they are as numbers says something of those that are none too large for an i32.
        let fits = |(lo, hi): (i128, i128)| lo >= i32::MIN.into() && hi <= i32::MAX.into();
        if !fits(space.range(&a)) || !fits(space.range(&b)) {
            return Ok(None);
        }
        let apart = a.minus(&b);
        Ok(Some(match is {
            Comparison::Ge => space.at_least(&apart, 0)?,
            Comparison::Gt => space.at_least(&apart, 1)?,
            Comparison::Lt => !space.at_least(&apart, 0)?,
            Comparison::Le => !space.at_least(&apart, 1)?,
            Comparison::Eq => space.at_least(&apart, 0)? && !space.at_least(&apart, 1)?,
            Comparison::Ne => !space.at_least(&apart, 0)? || space.at_least(&apart, 1)?,
        }))
    }
}
