//! Annotations in the middle of the program.

use super::factor::assignments;
use super::rule::{Applies, Form, Rule, TensorSource};

/// The tensor must exist in a layout that the annotation admits; from there it is converted like any other. Not an equation
/// between the classes of operand and result, which would let the annotation be bypassed.
pub const CONSTRAIN: Rule = Rule {
    name: "constrain",
    law: "At(L)(constrain C x) = At(L) x where C admits L",
    applies: Applies::Ops,
    expand: |goal, add| {
        let TensorSource::Op(o, result) = goal.source else {
            return;
        };
        let (Some(c), Some(rule)) = (&goal.program.pinned[o.index()], goal.program.rule(o)) else {
            return;
        };
        // An identity has one linear set, so each layout has one assignment.
        if c.admits(goal.layout)
            && let Some(a) = assignments(rule, result, goal.layout, &goal.program.func.mesh).pop()
        {
            add(Form::Local(a));
        }
    },
};
