//! Which values of a program are equal, closed under congruence: [`terms`] gives every value a term, and [`congruence`]
//! keeps the classes of terms.
//!
//! Not here: what makes two values equal ([`crate::laws`], [`crate::forms`]).

mod congruence;
pub(crate) mod iteration;
mod terms;

pub use congruence::TermId;
pub use terms::Classes;
