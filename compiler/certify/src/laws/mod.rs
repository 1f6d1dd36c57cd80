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

mod attend;
mod blocks;
pub mod element;
mod law;
mod linear;
mod moves;
mod product;
mod quotient;
mod ring;
pub mod sample;
mod select;
mod shifts;
mod taps;
mod transpose;
mod windows;

pub(crate) use law::accepts;
pub use law::{Law, LawCx};

use crate::classes::Classes;
use meshloom_ir::{Func, ValueId};

/// Two values are one tensor because the same ops make them of the same operands, in each iteration. The checker finds this by
/// itself.
pub const CONGRUENCE: &str = "congruence";
/// Results of two repeats that start with equal values and do the same in each iteration.
pub const ITERATION: &str = "iteration";

/// All laws, in order of their files.
pub static ALL: &[&[Law]] = &[
    transpose::LAWS,
    product::LAWS,
    quotient::LAWS,
    linear::LAWS,
    moves::LAWS,
    blocks::LAWS,
    select::LAWS,
    ring::LAWS,
    windows::LAWS,
    shifts::LAWS,
    taps::LAWS,
];

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
