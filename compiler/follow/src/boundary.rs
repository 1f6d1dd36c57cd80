//! What a style does with a tensor that goes into its module or comes out of it.

use crate::plan::Placement;
use meshloom_ir::Axis;

/// What a style does with one argument or result of its module.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    pub style: &'static str,
    pub axis: usize,
    /// A plain tensor is taken for this.
    pub comes: Option<Placement>,
    /// It is redistributed to this, if it comes otherwise.
    pub wanted: Option<Placement>,
    /// A DTensor is compared with `wanted` as it is, and not as it should come.
    pub compares: bool,
    /// A plain tensor is an error.
    pub dtensor: bool,
    /// It is a plain tensor afterwards.
    pub local: bool,
}

/// What was done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Done {
    From(Axis, Placement),
    /// To another placement, from this one.
    Redistribute(Axis, Placement),
    To(Axis, Placement),
}
