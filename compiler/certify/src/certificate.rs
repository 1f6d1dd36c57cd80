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
    /// A `repeat` or a `composite`: its ports and those of the global one agree, and its body is proved step by step (the
    /// ops and values of bodies have steps and claims like all others).
    ///
    /// A local `repeat` may have fewer ports than the global one, or several of one global port in different layouts: which
    /// it is follows from what the body argument (carries, xs, invariants) or the result (stacked ys) claims. The layout of
    /// an xs or ys port is that of its slice with a dim 0 that is not split. A `composite` has the global one's ports in
    /// order, and no collective inside, since one kernel runs it.
    Region { global: OpId },
    /// A collective, `shard_slice` or `partial_split`: the same global tensor in another layout.
    Reshard,
}

/// The global program with further ops, and what is equal in it: the rewriting that was done before layouts.
///
/// `func` starts with exactly the given program: its values, ops and regions keep their ids and what they are. What is added
/// stands at the ends of its regions, and nothing that the program gives is changed by it. Positions in the source are no
/// part of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    pub func: Func,
    /// In an order in which each follows from the ones before it.
    pub equal: Vec<Equal>,
}

/// "`a` and `b`, values of one region of the form, are one tensor in every iteration, by this law" ([`crate::laws`]).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Equal {
    pub a: ValueId,
    pub b: ValueId,
    /// Name of one of [`crate::laws::ALL`], [`crate::laws::CONGRUENCE`] or [`crate::laws::ITERATION`].
    pub law: String,
}

/// A claim per local value and a step per local op, region arguments and bodies included.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    pub mesh: Mesh,
    /// Where loops of the given program are cut before anything else is done to it. The checker cuts them itself
    /// ([`segments::split`]); everything below is about the program that this gives.
    pub cuts: Vec<Cut>,
    /// The global program that claims and steps are about; the given one where it is `None`.
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
    /// They cannot be cut so.
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
