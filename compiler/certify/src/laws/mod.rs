//! The laws of the algebra: when two ways of writing a tensor are one tensor. A law is one entry. It has its side
//! conditions as code ([`Law::check`]), and a generator of its instances ([`Law::sample`]). The tests run both sides of
//! the instances in the interpreter, and use mutants of them to see that what the law accepts is right. To add a law,
//! write these two.
//!
//! A check reads the defining ops of its two values and of the values that these are equal to; it never searches. It
//! gets values of any program that verifies, so it must not rely on who asks.
//!
//! Laws hold in real arithmetic, as the certificate does. A law that changes the order of floating point operations
//! says so, and `--strict-float` does without it.
//!
//! Not here: how equalities add up ([`crate::forms`]).

mod blocks;
pub mod element;
mod linear;
mod moves;
mod product;
mod quotient;
pub mod sample;
mod select;
mod transpose;

use crate::certificate::{Equal, Form};
use crate::forms::{self, Classes, Node};
use meshloom_ir::random::Rng;
use meshloom_ir::{Builder, Func, OpData, TensorType, ValueId};

/// Two values are one tensor because the same ops make them of the same operands, in each iteration. The checker finds this by
/// itself.
pub const CONGRUENCE: &str = "congruence";
/// Results of two repeats that start with equal values and do the same in each iteration.
pub const ITERATION: &str = "iteration";

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
    /// ([`sample::input`]); f64 unless the law is about types. Constants and attributes are random too.
    pub sample: fn(rng: &mut Rng, b: &mut Builder) -> (ValueId, ValueId),
}

/// All laws, in order of their files.
pub static ALL: &[&[Law]] =
    &[transpose::LAWS, product::LAWS, quotient::LAWS, linear::LAWS, moves::LAWS, blocks::LAWS, select::LAWS];

pub fn all() -> impl Iterator<Item = &'static Law> {
    ALL.iter().copied().flatten()
}

pub fn find(name: &str) -> Option<&'static Law> {
    all().find(|l| l.name == name)
}

/// Whether the checker knows a law of this name.
pub fn exists(name: &str) -> bool {
    name == CONGRUENCE || name == ITERATION || find(name).is_some()
}

/// Whether two values of a program that verifies are equal by one application of a law.
pub fn holds(law: &Law, func: &Func, a: ValueId, b: ValueId) -> bool {
    let classes = Classes::new(func);
    func.ty(a) == func.ty(b) && accepts(law, &LawCx::new(func, &classes), a, b)
}

/// What is wrong with a form of `global`: equalities that no law proves, in words.
pub fn refused(global: &Func, form: &Form) -> Vec<String> {
    match forms::check(global, form) {
        Ok((_, refused)) => refused.into_iter().map(|r| r.message).collect(),
        Err(r) => vec![r.message],
    }
}

/// Which equalities of values of `func`, a program that verifies, hold, each proved from those before it that do.
pub fn proved(func: &Func, equal: &[Equal]) -> Vec<bool> {
    let mut classes = Classes::new(func);
    equal.iter().map(|e| forms::equal(func, &mut classes, e).is_ok()).collect()
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
    pub fn class(&self, v: ValueId) -> Option<Node> {
        self.classes.class(v)
    }

    pub fn ty(&self, v: ValueId) -> &'a TensorType {
        self.func.ty(v)
    }
}
