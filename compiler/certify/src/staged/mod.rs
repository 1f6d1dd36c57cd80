//! Proves that a staged program computes what the certified local program does: the programs of all ranks of a pipeline,
//! connected by their wires, give every output of the local program.
//!
//! Both sides are read into one set of terms ([`terms`], [`read`]). The local program is cut on paper where the ranks' ports
//! say that it was cut: its stacks of layers, and its loops over them. All other differences between the two, such as loops in
//! several parts that pass stacks to each other, are gone in the terms. Then terms are compared ([`same`]): what loops carry is
//! equal where it starts equal and goes on equal. Nothing is searched and nothing is believed: which carry of a rank is which of
//! the local program follows from what it computes.
//!
//! [`order`] is about time: no rank reads what is not there yet, all work is done once, and ranks that wait for each other come
//! to an end.
//!
//! The scope is that of the certificate: equal in real arithmetic, so the order of sums is free. Not here: that a rank's
//! instructions compute the rank's function, which `audit` proves, and everything of the crates that cut programs.

mod differ;
mod order;
mod ports;
mod program;
mod read;
mod refusal;
mod same;
mod terms;

use crate::structure;
use meshloom_ir::Func;
pub use program::{LayerRange, Rank, RankInput, RankLoop, RankOutput, RankStep};
pub use refusal::Refusal;

/// The most wrong outputs for which a reason is given.
const MAX_REASONS: usize = 3;

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StagedProof {
    pub terms: usize,
    /// Passes over the terms until no more carries turned out to differ.
    pub passes: usize,
    pub steps: usize,
}

/// Checks that the programs of `ranks` compute what `local` does, in any order in which each value is ready before it is
/// read ([`values`]), and that the order of their steps is such an order ([`order`]).
///
/// # Errors
/// What does not hold or is not followed.
pub fn check(local: &Func, ranks: &[Rank<'_>]) -> Result<StagedProof, Vec<Refusal>> {
    let proof = values(local, ranks)?;
    let steps = order(ranks)?;
    Ok(StagedProof { steps, ..proof })
}

/// Checks the values alone: that each output of `local` is given, each of its layers, and is what `local` computes; and that every
/// copy of what a step updates is updated.
///
/// # Errors
/// As [`check`].
pub fn values(local: &Func, ranks: &[Rank<'_>]) -> Result<StagedProof, Vec<Refusal>> {
    sound(local, ranks)?;
    let plan = ports::check(local, ranks)?;
    let mut reader = read::Reader::new(local, ranks, plan);
    let pairs = reader.all().map_err(|r| vec![r])?;
    let same = same::classes(&reader.terms);
    let wrong = pairs.iter().filter(|p| same.class(p.wanted) != same.class(p.found)).take(MAX_REASONS);
    let wrong: Vec<Refusal> = wrong.map(|p| differ::explain(&reader, &same, p)).collect();
    if wrong.is_empty() {
        return Ok(StagedProof { terms: reader.terms.len(), passes: same.passes, steps: 0 });
    }
    Err(wrong)
}

/// Checks the order alone: with every rank taking its steps one after the other, each finds what it needs, everything is
/// done once, and all ranks come to an end. How many steps there are.
///
/// # Errors
/// As [`check`].
pub fn order(ranks: &[Rank<'_>]) -> Result<usize, Vec<Refusal>> {
    for (k, r) in ranks.iter().enumerate() {
        fits(k, r).map_err(|e| vec![e])?;
    }
    order::check(ranks)
}

/// That the programs verify and the descriptions fit them: after this, the checker indexes without further checks.
fn sound(local: &Func, ranks: &[Rank<'_>]) -> Result<(), Vec<Refusal>> {
    let named = |what: String, r: crate::Rejection| Refusal {
        op: r.op,
        text: r.text.clone(),
        span: r.span,
        ..Refusal::whole(format!("{what} does not verify: {}", r.message))
    };
    structure::verified(local)
        .map_err(|e| e.into_iter().map(|r| named("the local program".into(), r)).collect::<Vec<_>>())?;
    for (k, r) in ranks.iter().enumerate() {
        fits(k, r).map_err(|e| vec![e])?;
        if r.func.mesh != local.mesh {
            return Err(vec![Refusal::rank(k, format!("is for mesh {}, not {}", r.func.mesh, local.mesh))]);
        }
        structure::verified(r.func)
            .map_err(|e| e.into_iter().map(|r| named(format!("the program of rank {k}"), r)).collect::<Vec<_>>())?;
    }
    Ok(())
}

fn fits(k: usize, r: &Rank<'_>) -> Result<(), Refusal> {
    let (inputs, outputs) = (r.func.inputs.len(), r.func.outputs.len());
    if r.inputs.len() != inputs || r.outputs.len() != outputs {
        let said = (r.inputs.len(), r.outputs.len());
        return Err(Refusal::rank(
            k,
            format!("has {inputs} inputs and {outputs} outputs, and {} and {} are described", said.0, said.1),
        ));
    }
    Ok(())
}
