//! Stacks with a slice for each microbatch, and the values that they are views of: how the place of an element moves with the
//! microbatch.
//!
//! Suppose that only the loops over microbatches read a stack, and that each iteration reads its own slice. Then a proof for one
//! microbatch is a proof for another, with the slices exchanged. The same holds for a value of which the stack is a view, such as the
//! rows of data before they are dealt out to microbatches, if nothing else reads that value.
//!
//! Not here: the reuse of proofs ([`crate::again`]).

use crate::place::Place;
use meshloom_ir::{Def, Func, IndexMap, Op, OpData, OpId, TensorType, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The distance from an element to that of the next microbatch: so many indices along a dim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    dim: usize,
    by: i64,
}

#[derive(Default)]
pub(crate) struct Slices(BTreeMap<ValueId, Step>);

impl Slices {
    /// The stacks of `loops`, and what they are views of. Only loops that run forwards count.
    pub fn of(func: &Func, loops: &BTreeSet<OpId>) -> Slices {
        let mut uses = vec![0; func.values.len()];
        func.ops.iter().flat_map(|d| &d.operands).for_each(|v| uses[v.index()] += 1);
        func.regions.iter().flat_map(|r| &r.yields).for_each(|v| uses[v.index()] += 1);
        let mut sliced: BTreeMap<ValueId, usize> = BTreeMap::new();
        for &o in loops {
            if let Op::Repeat { reverse: false, carries, xs, .. } = func.op(o).op {
                func.op(o).operands[carries..carries + xs].iter().for_each(|&v| *sliced.entry(v).or_default() += 1);
            }
        }
        let only = sliced.into_iter().filter(|(v, times)| uses[v.index()] == *times);
        Slices(only.filter_map(|(v, _)| from_input(func, loops, &uses, v)).flatten().collect())
    }

    /// Whether a value is a stack with a slice for each microbatch, or a value of which such a stack is a view.
    pub fn has(&self, v: ValueId) -> bool {
        self.0.contains_key(&v)
    }

    /// Whether the first index of a value is the microbatch.
    pub fn is_stack(&self, v: ValueId) -> bool {
        self.0.get(&v) == Some(&Step { dim: 0, by: 1 })
    }

    /// The same element of a value outside of loops, for the microbatch that comes `by` microbatches later.
    pub fn place(&self, p: &Place, by: i64) -> Place {
        let mut p = p.clone();
        if let Some(step) = self.0.get(&p.value) {
            let mut at = p.at.to_vec();
            at[step.dim] = at[step.dim].shifted(by.wrapping_mul(step.by));
            p.at = at.into();
        }
        p
    }
}

/// A stack and all that it is a view of, if it is what the program is given, or what one of the loops leaves of each iteration.
fn from_input(func: &Func, loops: &BTreeSet<OpId>, uses: &[usize], stack: ValueId) -> Option<Vec<(ValueId, Step)>> {
    let (mut now, mut step, mut out) = (stack, Step { dim: 0, by: 1 }, Vec::new());
    loop {
        out.push((now, step));
        match func.value(now).def {
            Def::Arg(r, _) => return func.region(r).owner.is_none().then_some(out),
            Def::Op(o, i) => match func.op(o).op {
                Op::Repeat { reverse, carries, .. } => {
                    let left = !reverse && i as usize >= carries && loops.contains(&o) && now == stack;
                    return left.then_some(out);
                }
                _ => {
                    (now, step) = before(func, o, step)?;
                    if uses[now.index()] != 1 {
                        return None;
                    }
                }
            },
        }
    }
}

/// How the operand's elements move with the microbatch, where those of the result move so.
fn before(func: &Func, o: OpId, step: Step) -> Option<(ValueId, Step)> {
    let data: &OpData = func.op(o);
    let (result, types) = (func.ty(*data.results.first()?), func.operand_types(o));
    match data.op.index_map(&types, result)? {
        IndexMap::Flat => reshaped(result, types[0], step).map(|s| (data.operands[0], s)),
        map => {
            let part = map.whole()?;
            let mut moves = part.at.iter().enumerate().filter(|a| a.1.terms.iter().any(|t| t.0 == step.dim));
            let (dim, at) = moves.next()?;
            let alone = at.terms.len() == 1 && !at.around && moves.next().is_none();
            alone.then(|| (data.operands[part.operand], Step { dim, by: step.by.wrapping_mul(at.terms[0].1) }))
        }
    }
}

/// Of a reshape: the operand's dim in which all that the result's dim goes through lies within one turn.
fn reshaped(result: &TensorType, operand: &TensorType, step: Step) -> Option<Step> {
    let unit = |ty: &TensorType, d: usize| ty.shape[d + 1..].iter().product::<u64>();
    let (own, n) = (unit(result, step.dim), result.shape[step.dim]);
    let fits = |d: &usize| {
        let other = unit(operand, *d);
        other > 0
            && own > 0
            && own.is_multiple_of(other)
            && (other * operand.shape[*d]).is_multiple_of((own * n).max(1))
    };
    let dim = (0..operand.shape.len()).filter(|&d| operand.shape[d] > 1).find(fits)?;
    Some(Step { dim, by: step.by.wrapping_mul((own / unit(operand, dim)) as i64) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::parse::parse;

    /// How the rows of an input move, which a loop of four iterations reads as `views` say; `rest` is what else there is.
    fn moves(views: &str, rest: &str) -> Option<(usize, i64)> {
        let text = format!(
            "func @f on [] {{
  input %0 x: f32[12, 5] input
  input %1 w: f32 input
{views}
  %7 = repeat carries(%1) xs(%4) invariants() {{trip 4}} : f32 {{
    arg %5: f32
    arg %6: f32[3, 5]
    %8 = reduce %6 {{sum [0, 1]}} : f32
    %9 = add %5, %8 : f32
    yield %9
  }}
{rest}
  output %7 y: output
}}
"
        );
        let f = parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
        let all = (0..f.ops.len()).map(|i| OpId(i as u32));
        let loops = all.filter(|&o| matches!(f.op(o).op, Op::Repeat { .. })).collect();
        Slices::of(&f, &loops).0.get(&f.body().args[0]).map(|s| (s.dim, s.by))
    }

    #[test]
    fn rows_of_data_move_with_the_microbatch() {
        let dealt = "  %3 = reshape %0 : f32[3, 4, 5]\n  %4 = transpose %3 {[1, 0, 2]} : f32[4, 3, 5]";
        assert_eq!(moves(dealt, ""), Some((0, 1)));
        assert_eq!(moves("  %4 = reshape %0 : f32[4, 3, 5]", ""), Some((0, 3)));
        // Microbatches are no multiple of rows here.
        let across = "  %3 = transpose %0 {[1, 0]} : f32[5, 12]\n  %4 = reshape %3 : f32[4, 3, 5]";
        assert_eq!(moves(across, ""), None);
        // Something else reads the rows, or what is between them and the stack.
        assert_eq!(moves(dealt, "  %10 = reduce %0 {sum [0, 1]} : f32\n  output %10 z: output"), None);
        assert_eq!(moves(dealt, "  %10 = reduce %3 {sum [0, 1, 2]} : f32\n  output %10 z: output"), None);
    }
}
