//! The certificate. For every value of a local program it has a claim: the global tensor and layout of which the value
//! is a shard. For every local op it has a step: the rule instance that proves its results' claims from its operands'
//! claims. A certificate is plain data, made by `plan`, and proved or refused by [`crate::check`]. The planner need not
//! be believed: a claim holds only if its step checks.

use meshloom_ir::segments::{self, Cut};
use meshloom_ir::{Assignment, Func, Layout, Mesh, OpId, ValueId};
use std::borrow::Cow;

/// "This local value is the shard of `global` under `layout` on every device, in every iteration."
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Claim {
    pub global: ValueId,
    pub layout: Layout,
}

/// Why the claims of a local op's results follow from those of its operands.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The local op is the global op's local form under the assignment.
    Op { global: OpId, assignment: Assignment },
    /// A `repeat` or a `composite`. Its ports agree with those of the global op, and its body is proved step by step.
    /// Ops and values of bodies have steps and claims like all others.
    ///
    /// A local `repeat` may have fewer ports than the global one, or several ports for one global port, in different
    /// layouts. The claims say which global port each one stands for: that of the body's argument for carries, xs and
    /// invariants, that of the result for stacked ys. The layout of an xs or ys port is that of its slice, with a dim 0
    /// that is not split. A `composite` has the ports of the global one, in order. It has no collective inside, since
    /// one kernel runs it.
    Region { global: OpId },
    /// A collective, `shard_slice` or `partial_split`: the same global tensor in another layout.
    Reshard,
}

/// The rewriting that was done before layouts: the global program with further ops, and equalities between its values.
///
/// `func` begins with exactly the given program, whose values, ops and regions keep their ids. Added ops stand at the
/// ends of its regions and change nothing that the program gives. Positions in the source are no part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    pub func: Func,
    /// The equalities, in an order in which each follows from those before it.
    pub equal: Vec<Equal>,
}

/// "`a` and `b`, values of one region of the form, are one tensor in every iteration, by this law" ([`crate::laws`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Equal {
    pub a: ValueId,
    pub b: ValueId,
    /// The name of a law: one of [`crate::laws::ALL`], [`crate::laws::CONGRUENCE`] or [`crate::laws::ITERATION`].
    pub law: String,
}

/// A claim per local value and a step per local op, region arguments and bodies included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub mesh: Mesh,
    /// Where loops of the given program are cut before everything else. The checker cuts them itself
    /// ([`segments::split`]). All that follows is about the cut program.
    pub cuts: Vec<Cut>,
    /// The global program that claims and steps are about. `None` stands for the given one.
    pub form: Option<Form>,
    /// By local `ValueId`.
    pub values: Vec<Claim>,
    /// By local `OpId`.
    pub steps: Vec<Step>,
}

impl Certificate {
    /// The given program with its loops cut as this certificate says.
    ///
    /// # Errors
    /// A cut that is impossible.
    pub fn given<'a>(&self, global: &'a Func) -> Result<Cow<'a, Func>, String> {
        if self.cuts.is_empty() {
            return Ok(Cow::Borrowed(global));
        }
        segments::split(global, &self.cuts).map(|s| Cow::Owned(s.func))
    }

    pub fn claim(&self, v: ValueId) -> Option<&Claim> {
        self.values.get(v.index())
    }

    pub fn step(&self, o: OpId) -> Option<&Step> {
        self.steps.get(o.index())
    }
}
