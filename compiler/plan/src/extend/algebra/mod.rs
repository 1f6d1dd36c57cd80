//! Algebra by equality saturation: further ways to compute the tensors of a program, by laws of tensor algebra. The e-graph
//! holds the terms ([`term`]), its e-nodes are ops of the program ([`graph`]), and rules, one file per family, look at an op
//! and at what defines its operands.
//!
//! Laws are directed and guarded: a form is only offered where it can be cheaper (fewer operations, smaller intermediates,
//! less to move), since each one is expanded into all layouts afterwards. Without guards graphs grow three to four times and
//! the search gets worse; with them a transformer layer gains a few forms.
//!
//! What is found is said of values: `a` is `b` by a law whose check stands in `meshloom_certify::laws`.
//!
//! Not here: layouts; forms that only differ in where a tensor is cast or moved one element at a time, which layouts already
//! reach by congruence.

mod attend;
pub mod blocks;
mod body;
mod contract;
mod graph;
mod inline;
pub(crate) mod law;
mod linear;
mod moves;
mod product;
pub mod shifts;
mod slice;
mod taps;
mod term;
pub mod windows;

use super::Extended;
use graph::Algebra;
pub use graph::{AlgebraLimits, Rule, Stats};
use meshloom_ir::Func;
use std::collections::BTreeSet;

pub struct AlgebraOptions<'a> {
    /// Without laws that change the order of floating point operations.
    pub strict_float: bool,
    /// Names of rules ([`RULES`]) that are not applied; [`COMPOSITE`] writes no composite out.
    pub disabled: &'a BTreeSet<String>,
    pub limits: AlgebraLimits,
    /// Only the rules for work in blocks, as where annotations are followed.
    pub blocks_alone: bool,
}

/// What is no rule of these, but is turned off as they are: composites written out in single ops.
pub const COMPOSITE: &str = "composite";

pub static RULES: &[&[Rule]] = &[
    attend::RULES,
    contract::RULES,
    linear::RULES,
    slice::RULES,
    moves::RULES,
    blocks::RULES,
    windows::RULES,
    shifts::RULES,
    taps::RULES,
];

/// Adds alternatives to the program until no rule finds more.
pub fn extend(ext: &mut Extended, options: &AlgebraOptions<'_>) -> Stats {
    let mut stats = Stats::default();
    let concern =
        [(windows::RULES[0].name, windows::concern(&ext.func)), (shifts::RULES[0].name, shifts::concern(&ext.func))];
    let on = |r: &&'static Rule| applies(r, options) && !concern.contains(&(r.name, false));
    let families: &[&'static [Rule]] =
        if options.blocks_alone { &[blocks::RULES, windows::RULES, shifts::RULES] } else { RULES };
    let rules: Vec<&'static Rule> = families.iter().copied().flatten().filter(on).collect();
    let func = std::mem::replace(&mut ext.func, Func::new("", meshloom_ir::Mesh::default()));
    let composites = !options.blocks_alone && !options.disabled.contains(COMPOSITE);
    // Other rules gain nothing by what stands behind stashes: the search chooses there.
    let behind = !options.blocks_alone && applies(&attend::RULES[0], options) && attend::concerns(&func);
    let known = if behind { &ext.equal[..] } else { &[] };
    let (mut algebra, live) = Algebra::new(func, known, rules, &options.limits);
    if composites {
        inline::composites(&mut algebra, &live);
    }
    algebra.start();
    algebra.run(0);
    algebra.finish(ext, &mut stats);
    keep_proved(ext, &mut stats);
    stats
}

fn applies(r: &Rule, options: &AlgebraOptions<'_>) -> bool {
    !(options.strict_float && r.reassociates || options.disabled.contains(r.name))
}

/// Leaves out what the checker cannot follow: it tries only so many definitions of what a tensor is made of, and a plan must
/// not be refused for an alternative that it may not even use. What names a law that does not exist stays: that is a mistake of
/// a rule, and the checker refuses it by that name.
fn keep_proved(ext: &mut Extended, stats: &mut Stats) {
    let claimed = ext.equal.iter().map(|e| meshloom_certify::Equal { a: e.a, b: e.b, law: e.law.to_string() });
    let holds = meshloom_certify::proved(&ext.func, &claimed.collect::<Vec<_>>());
    let mut holds = holds.into_iter();
    ext.equal.retain(|e| holds.next().unwrap_or(false) || !meshloom_certify::laws::exists(e.law));
    stats.unproved = stats.equalities - ext.equal.len();
    stats.equalities = ext.equal.len();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extend::Equal;

    #[test]
    fn a_law_that_does_not_exist_is_refused_by_its_name() {
        let text =
            "func @f on [d: 1] {\n  input %0 x: f32[2] input\n  %1 = negate %0 : f32[2]\n  output %1 a: output\n}";
        let func = meshloom_ir::parse::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let (x, y) = (func.body().args[0], func.body().yields[0]);
        let mut ext = Extended::new(func.clone());
        // The first is a law that does not say this, the second is none.
        ext.equal = ["move-move", "mvoe-move"].map(|law| Equal { a: x, b: y, law }).into();
        keep_proved(&mut ext, &mut Stats { equalities: 2, ..Stats::default() });
        let equal = ext.equal.iter().map(|e| meshloom_certify::Equal { a: e.a, b: e.b, law: e.law.to_string() });
        let form = meshloom_certify::Form { func: ext.func.clone(), equal: equal.collect() };
        assert_eq!(meshloom_certify::refused(&func, &form), ["%0 = %1 by mvoe-move: there is no such law"]);
    }
}
