//! The number of a term. Whoever numbers terms keeps them in an `IndexSet` or an `IndexMap`: what computes the same by its rules is one
//! entry, and the number is its place.
//!
//! Not here: the rules, which each of the proofs has for itself ([`crate::staged`], [`crate::rolled`]; [`crate::classes`] unites terms
//! later, so it has numbers of its own).

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TermRef(pub u32);

impl TermRef {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
