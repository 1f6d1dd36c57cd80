//! What a law is, and what its check may look at.

use crate::classes::{Classes, TermId};
use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, Func, OpData, TensorType, ValueId};

pub struct Law {
    /// Unique, in kebab case: `transpose-transpose`.
    pub name: &'static str,
    /// What it says, in one line.
    pub law: &'static str,
    /// Whether it changes the order of floating point operations (or leaves some out), and so the rounding.
    pub reassociates: bool,
    /// Whether `a` and `b`, of one type, are equal by this law. It is asked both ways round, so it need know only one direction.
    pub check: fn(cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool,
    /// Writes a random instance and names its two sides: `check(a, b)` must hold. It makes its own inputs
    /// ([`super::sample::input`]); f64 unless the law is about types. Constants and attributes are random too.
    pub sample: fn(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId),
}

pub(crate) fn accepts(law: &Law, cx: &LawCx<'_>, a: ValueId, b: ValueId) -> bool {
    cx.same(a, b) || (law.check)(cx, a, b) || (law.check)(cx, b, a)
}

/// What a law's check may look at.
pub struct LawCx<'a> {
    pub func: &'a Func,
    classes: &'a Classes,
}

impl<'a> LawCx<'a> {
    pub(crate) fn new(func: &'a Func, classes: &'a Classes) -> LawCx<'a> {
        LawCx { func, classes }
    }

    /// Whether two values are already known to be one tensor. In the same iteration, where they stand in loops.
    pub fn same(&self, a: ValueId, b: ValueId) -> bool {
        self.classes.same(a, b)
    }

    /// The ops that define `v` or a value equal to it. `constrain` is never among them; a constrained value has its operand's
    /// definition. Region arguments have none. An op with several results may define `v` by any of them; only
    /// `repeat` and `composite` have several.
    pub fn defs(&self, v: ValueId) -> impl Iterator<Item = &'a OpData> + use<'a> {
        let func = self.func;
        self.classes.defs(v).iter().map(move |&o| func.op(o))
    }

    /// The class of all values that are equal to `v`; `None` if `v` stands where nothing reaches it.
    pub fn class(&self, v: ValueId) -> Option<TermId> {
        self.classes.class(v)
    }

    pub fn ty(&self, v: ValueId) -> &'a TensorType {
        self.func.ty(v)
    }
}
