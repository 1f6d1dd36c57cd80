//! What a rule is asked, and what it may answer.

use crate::saturate::program::{RegionPort, SearchedProgram};
use meshloom_ir::{Assignment, Layout, Op, OpId, TensorType, ValueId};

/// What is asked: tensor `x` in `layout`, and one way in which `x` comes about.
pub struct Goal<'a> {
    pub program: &'a SearchedProgram<'a>,
    pub layout: &'a Layout,
    pub ty: &'a TensorType,
    pub source: TensorSource,
}

/// How a global tensor comes about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TensorSource {
    /// Result `1` of op `0`.
    Op(OpId, usize),
    Port(RegionPort, ValueId),
    /// However it does: rules that look at the tensor alone.
    Any,
}

/// A right-hand side, to be put into the goal's class.
pub enum Form {
    /// The local op under an assignment; the operands' layouts follow from it.
    Local(Assignment),
    /// The port's value, given layouts for what flows into it, in the order of [`RegionPort`]'s own.
    Port(Vec<Layout>),
    /// One step from another layout of the same tensor.
    Step(Op, Layout),
}

/// Which goals a rule looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Applies {
    /// Results of ops.
    Ops,
    /// Arguments of regions and results of `repeat`.
    Ports,
    /// Every tensor that is not made from nothing, whatever it is; the forms depend on type and layout alone.
    Tensors,
    /// Tensors that depend on no input.
    Generated,
}

pub struct Rule {
    pub name: &'static str,
    pub law: &'static str,
    pub applies: Applies,
    pub expand: fn(&Goal<'_>, &mut dyn FnMut(Form)),
}
