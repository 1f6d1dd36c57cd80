//! What the plan keeps for the backward pass, and what it recomputes: the stashes of each loop, as `plan` lists them.

use crate::extend::recompute::Stash;
use crate::memory::outside::Rematerialized;
use crate::saturate::program::{SearchedProgram, stacked};
use crate::search::Solution;
use meshloom_ir::{Def, Func, Layout, Op, Span, TensorType, ValueId};
use std::collections::BTreeSet;
use std::ops::Range;

/// A forward value that the backward pass reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StashPlan {
    /// Its name in the source, or the op that makes it.
    pub name: String,
    pub span: Span,
    /// Of the forward loop's body.
    pub global: ValueId,
    /// What all iterations of it take on one device, if they are kept.
    pub bytes_per_device: u64,
    /// Whether the backward pass recomputes it.
    pub rematerialized: bool,
    /// Iterations that this is about, of how many: all, unless the loop runs in segments.
    pub iterations: Range<u64>,
    pub of: u64,
    /// The list that the loop runs over, where it does (`blocks`).
    pub list: Option<String>,
}

/// The stashes that are in use, in the order of the backward bodies' arguments.
pub fn stashes(
    program: &SearchedProgram<'_>,
    solution: &Solution,
    all: &[Stash],
    rematerialized: &BTreeSet<usize>,
) -> Vec<StashPlan> {
    let used = |s: &&Stash| solution.sources.contains_key(&program.rep(s.arg));
    let plan = |(i, s): (usize, &Stash)| {
        let trip = program.func.ty(s.stack).shape[0];
        StashPlan {
            name: program.name(s.of),
            span: program.func.value(s.of).span,
            global: s.of,
            bytes_per_device: bytes(program, solution, s),
            rematerialized: rematerialized.contains(&i),
            iterations: 0..trip,
            of: trip,
            list: list(program.func, s.stack),
        }
    };
    all.iter().enumerate().filter(|(_, s)| used(s)).map(plan).collect()
}

/// A value outside of loops that is rematerialized.
pub fn outside(program: &SearchedProgram<'_>, a: &Rematerialized) -> StashPlan {
    StashPlan {
        name: program.name(a.global),
        span: program.func.value(a.global).span,
        global: a.global,
        bytes_per_device: a.bytes,
        rematerialized: true,
        iterations: 0..1,
        of: 1,
        list: None,
    }
}

/// The list of structs whose parameters the loop that stacks `stack` slices, in however many loops it lies.
fn list(func: &Func, stack: ValueId) -> Option<String> {
    let data = func.op(func.def_op(stack)?);
    let Op::Repeat { carries, xs, .. } = data.op else { return None };
    data.operands.iter().skip(carries).take(xs).find_map(|&x| {
        let mut at = x;
        let input = loop {
            match func.value(at).def {
                Def::Op(o, _) => {
                    let Op::Slice { .. } = func.op(o).op else { return None };
                    at = func.op(o).operands[0];
                }
                Def::Arg(r, i) => {
                    let Some(outer) = func.region(r).owner.map(|o| func.op(o)) else { break i as usize };
                    let Op::Repeat { carries, xs, .. } = outer.op else { return None };
                    at = *outer.operands.get(i as usize).filter(|_| i as usize >= carries + xs)?;
                }
            }
        };
        let port = func.inputs.get(input)?;
        let (list, _) = port.name.split_once(".*").filter(|_| port.stacked)?;
        Some(list.to_string())
    })
}

/// One device's part of a stack, kept or not: as it lies, or as the recomputed value does.
pub fn bytes(program: &SearchedProgram<'_>, solution: &Solution, s: &Stash) -> u64 {
    let native = |v: ValueId| solution.native.get(&program.rep(v));
    let layout: Option<Layout> = native(s.stack).cloned().or_else(|| native(s.arg).map(stacked));
    let ty = program.func.ty(s.stack);
    let shape = layout.and_then(|l| l.local_shape(&ty.shape, &program.func.mesh)).unwrap_or_else(|| ty.shape.clone());
    TensorType::new(ty.dtype, shape).bytes()
}
