//! The contraction of operands that have further leading dims: it does the same for every index of these. All other ops say in
//! their entries what form they take ([`crate::OpDef::batch`]).

use crate::einsum::Einsum;

/// A contraction of operands of which `lead[i]` are the numbers of the further leading dims of operand `i`; the result has those
/// of `0..k`. `None` where subscripts run out.
pub fn einsum(e: &Einsum, lead: &[Vec<usize>], k: usize) -> Option<Einsum> {
    let factors = e.factors();
    let free: Vec<char> = ('A'..='Z').chain('a'..='z').filter(|c| !factors.contains(c)).take(k).collect();
    let with = |dims: &[usize], old: &[char]| -> Option<Vec<char>> {
        let mut new: Vec<char> = dims.iter().map(|&d| free.get(d).copied()).collect::<Option<_>>()?;
        new.extend(old);
        Some(new)
    };
    let operands = lead.iter().zip(&e.operands).map(|(l, o)| with(l, o)).collect::<Option<_>>()?;
    let all: Vec<usize> = (0..k).collect();
    Some(Einsum { operands, result: with(&all, &e.result)?, to: e.to })
}
