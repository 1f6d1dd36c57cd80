//! Attention, recognised in programs that come as single ops. `softmax(q k) v` becomes the composite whose kernel holds no
//! scores; what reverse differentiation makes of it becomes the composite of its gradient.
//!
//! Nothing is believed of a pattern. Each step from the ops as they are written to the body of the composite is an equality with
//! a law: the softmax by its log-sum-exp, its gradient put together, `sum (d_out out) = sum (p d_p)`, contractions with their
//! dims in another order. The body repeats the ops of the program (scalings, masks, transposes of scores, what is taken out of a
//! row), and congruence does the rest. If a step has no proof, the composite is not made.
//!
//! The dims of scores have subscripts, which come from the contraction of queries and keys. Everything that reads the scores
//! follows them, since programs have scores in any order of dims, and transpose them on the way. Composites have one order.
//!
//! The search does not choose between an op of several results and several ops. A composite that is proved replaces what it
//! stands for ([`Algebra::composite`]).
//!
//! What is found is only offered. The checker decides whether a body means what the composite's name says
//! ([`meshloom_certify::kernels`]), and knows nothing of how it was found. So a mask that depends on no input may be taken for
//! causal here.
//!
//! In a backward loop the pattern reads stashes. Behind each stash stands the copy of the ops that compute it
//! (`extend/recompute`), in the same class. So scores are found from queries and keys as in the forward loop, and the composite
//! of the forward pass stands in the backward loop too, for its log-sum-exp.
//!
//! - [`softmax`]: from probabilities to the queries and keys that they come from;
//! - [`forward`], [`backward`]: the composites, and the equalities that lead to them;
//! - [`body`]: their bodies;
//! - [`steps`]: what all of them write.
//!
//! In 16 bits, queries and keys are widened before they are contracted, and probabilities are rounded before they meet values.
//! The body does both where the program does, so it is the program. The kernel may keep more than the rounded probabilities;
//! that is between the kernel and its body. The same holds for what the gradient takes out of its rows: the body has
//! `sum (p d_p)` as the program does. `sum (d_out out)` has roundings in other places, and no law says what is only nearly equal.
//!
//! Not here: masks that depend on inputs; heads without a batch.

mod backward;
mod body;
mod forward;
mod softmax;
mod steps;

use super::graph::{Algebra, Rule};
use crate::extend::RECOGNITION;
use meshloom_ir::{Arithmetic, Func, Op, OpId};
use softmax::Softmax;
use std::collections::BTreeMap;
use steps::{of_rank, same};

pub const RULES: &[Rule] = &[Rule {
    name: RECOGNITION,
    about: "softmax(q k) v is the composite `attention`, and its gradient `attention_grad`, which hold no scores",
    reassociates: true,
    apply: recognise,
}];

/// Whether a loop has exponentials that could be those of scores.
pub fn concerns(func: &Func) -> bool {
    func.ops.iter().any(|d| {
        let inside = func.region(d.parent).owner.is_some_and(|o| matches!(func.op(o).op, Op::Repeat { .. }));
        let exponential = d.op.arithmetic() == Arithmetic::Exponential;
        inside && exponential && of_rank(func.ty(d.results[0]).rank()).is_some()
    })
}

fn recognise(a: &mut Algebra<'_>, o: OpId) {
    let Op::DotGeneral(e) = a.op(o).op.clone() else { return };
    if e.to.is_some() {
        return;
    }
    for i in 0..2 {
        let p = a.op(o).operands[i];
        let Some(softmax) = Softmax::of(a, o, p) else { continue };
        if !a.first(RECOGNITION, o, softmax.quotient) {
            continue;
        }
        let mut names: BTreeMap<char, char> = e.operands[i].iter().copied().zip(softmax.dims.chars()).collect();
        let other: Vec<char> = e.operands[1 - i].clone();
        let new: Vec<char> = other.iter().copied().filter(|c| !names.contains_key(c)).collect();
        if let [own] = new[..] {
            names.insert(own, 'e');
            let read = |subscripts: &[char]| subscripts.iter().map(|c| names[c]).collect::<String>();
            let (other, result) = (read(&other), read(&e.result));
            let x = a.op(o).operands[1 - i];
            let form = softmax.form;
            if same(&other, form.v) && same(&result, form.out) {
                forward::equate(a, o, &softmax, x, &other, &result);
            } else if same(&other, form.out) && same(&result, form.v) {
                backward::equate(a, o, &softmax, x, &other, &result);
            }
        }
    }
}
