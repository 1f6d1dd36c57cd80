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
//! - [`body`]: their bodies.
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

use super::Rule;
use super::graph::Algebra;
use crate::extend::RECOGNITION;
pub use body::CompositeBody;
use meshloom_ir::table::composite::{ATTENTIONS, Attention};
use meshloom_ir::{Einsum, Func, Op, OpId, Reduction, ValueId};
use softmax::Softmax;
use std::collections::BTreeMap;

pub const RULES: &[Rule] = &[Rule {
    name: RECOGNITION,
    about: "softmax(q k) v is the composite `attention`, and its gradient `attention_grad`, which hold no scores",
    reassociates: true,
    apply: recognise,
}];

/// The attention whose scores have so many dims.
fn of_rank(rank: usize) -> Option<&'static Attention> {
    ATTENTIONS.into_iter().find(|f| f.scores.len() == rank)
}

/// Whether a loop has exponentials that could be those of scores.
pub fn concerns(func: &Func) -> bool {
    func.ops.iter().any(|d| {
        let inside = func.region(d.parent).owner.is_some_and(|o| matches!(func.op(o).op, Op::Repeat { .. }));
        let exponential = matches!(&d.op, Op::Elem(e) if e.def().name == "exponential");
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

/// Whether these are the same dims, in whichever order.
fn same(x: &str, y: &str) -> bool {
    let sorted = |s: &str| {
        let mut all: Vec<char> = s.chars().collect();
        all.sort_unstable();
        all
    };
    sorted(x) == sorted(y)
}

/// Subscripts of the operand of a transpose whose result has `dims`.
fn before(perm: &[usize], dims: &str) -> String {
    let mut out = vec![' '; perm.len()];
    for (c, &p) in dims.chars().zip(perm) {
        out[p] = c;
    }
    out.into_iter().collect()
}

/// Subscripts of the result of a transpose whose operand has `dims`.
fn after(perm: &[usize], dims: &str) -> Option<String> {
    perm.iter().map(|&p| dims.chars().nth(p)).collect()
}

/// `x`, whose dims are `from`, with its dims in the order `to`.
fn turned(a: &mut Algebra<'_>, at: OpId, x: ValueId, from: &str, to: &str) -> Option<ValueId> {
    let perm = to.chars().map(|c| from.find(c)).collect::<Option<Vec<usize>>>()?;
    a.make(at, Op::Transpose { perm }, &[x])
}

fn dot(a: &mut Algebra<'_>, at: OpId, spec: [&str; 3], x: ValueId, y: ValueId) -> Option<ValueId> {
    let [x_dims, y_dims, out] = spec.map(|s| s.chars().collect::<Vec<char>>());
    a.make(at, Op::DotGeneral(Einsum::new(vec![x_dims, y_dims], out)), &[x, y])
}

/// A row of numbers, repeated along the last dim of `like`.
fn wide(a: &mut Algebra<'_>, at: OpId, row: ValueId, like: ValueId) -> Option<ValueId> {
    let shape = a.shape(like).to_vec();
    let dims = (0..shape.len().checked_sub(1)?).collect();
    a.make(at, Op::Broadcast { shape, dims }, &[row])
}

fn make(a: &mut Algebra<'_>, at: OpId, name: &str, operands: &[ValueId]) -> Option<ValueId> {
    a.make(at, Op::elem(name)?, operands)
}

fn row_sums(a: &mut Algebra<'_>, at: OpId, x: ValueId) -> Option<ValueId> {
    let last = a.shape(x).len().checked_sub(1)?;
    a.make(at, Op::Reduce { kind: Reduction::Sum, dims: vec![last] }, &[x])
}
