//! What a move from a decision leads to.
//!
//! Not here: the moves ([`super::improve`], [`super::polish`]).

use super::Decision;
use crate::moves::Move;
use std::rc::Rc;

/// What a move leads to.
pub enum Lead {
    NotTried,
    /// To nothing that fits.
    Nowhere,
    To(Rc<Decision>),
    /// The same, from a choice of the first search that another move had led to.
    Via(Move, Rc<Decision>),
}
