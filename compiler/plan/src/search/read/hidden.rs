//! What a loop can hide. A value of a loop's body is on a *chain* if it depends on a carry that, by way of it, depends on itself in
//! the next iteration: then a conversion of the value is waited for. Others run beside neighbouring iterations: weights and
//! stashes are gathered ahead, and gradients of weights are reduced behind.
//!
//! Whether there is enough to run beside is not asked here; that is seen in whole programs.

use crate::saturate::program::SearchedProgram;
use meshloom_ir::{Op, OpId, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Carries of a loop, by number.
type Carries = BTreeSet<usize>;

/// Tensors of the bodies of innermost loops that are on no chain.
pub fn hidden(program: &SearchedProgram<'_>) -> BTreeSet<ValueId> {
    let func = program.func;
    let mut bodies: BTreeMap<RegionId, Vec<OpId>> = BTreeMap::new();
    for &o in &program.order {
        bodies.entry(func.op(o).parent).or_default().push(o);
    }
    let mut all = BTreeSet::new();
    for &o in &program.order {
        let Op::Repeat { carries, .. } = func.op(o).op else { continue };
        let r = func.op(o).regions[0];
        let Some(body) = bodies.get(&r) else { continue };
        if func.op(o).op.iterations() > 1 && !body.iter().any(|&i| matches!(func.op(i).op, Op::Repeat { .. })) {
            beside(program, r, carries, body, &mut all);
        }
    }
    all
}

/// Adds the tensors of the body `r` of a loop that are on no chain; `body` are the ops of it that are searched for.
fn beside(program: &SearchedProgram<'_>, r: RegionId, carries: usize, body: &[OpId], all: &mut BTreeSet<ValueId>) {
    let func = program.func;
    let (args, yields) = (&func.region(r).args, &func.region(r).yields);
    let mut from: BTreeMap<ValueId, Carries> = BTreeMap::new();
    let mut to: BTreeMap<ValueId, Carries> = BTreeMap::new();
    for c in 0..carries {
        from.entry(program.rep(args[c])).or_default().insert(c);
        to.entry(program.rep(yields[c])).or_default().insert(c);
    }
    flow(program, &mut body.iter(), &mut from, |d| (&d.0, &d.1));
    flow(program, &mut body.iter().rev(), &mut to, |d| (&d.1, &d.0));
    // By carry, those whose next value depends on it, by way of any number of iterations.
    let none = Carries::new();
    let depends = |c: usize| from.get(&program.rep(yields[c])).unwrap_or(&none);
    let mut leads: Vec<Carries> =
        (0..carries).map(|c| (0..carries).filter(|&d| depends(d).contains(&c)).collect()).collect();
    for by in 0..carries {
        let further = leads[by].clone();
        for l in &mut leads {
            if l.contains(&by) {
                l.extend(&further);
            }
        }
    }
    let values = args.iter().chain(body.iter().flat_map(|&o| &func.op(o).results));
    for v in values.map(|&v| program.rep(v)) {
        let ends = to.get(&v).unwrap_or(&none);
        let is_chained =
            from.get(&v).is_some_and(|f| f.iter().any(|c| ends.iter().any(|e| e == c || leads[*e].contains(c))));
        if !is_chained {
            all.insert(v);
        }
    }
}

type Ends = (Vec<ValueId>, Vec<ValueId>);

/// Spreads sets of carries along the ops of a body until they stay: from the first values that `way` gives of an op's operands and
/// results to the second.
fn flow<'o>(
    program: &SearchedProgram<'_>,
    ops: &mut (dyn Iterator<Item = &'o OpId> + '_),
    sets: &mut BTreeMap<ValueId, Carries>,
    way: fn(&Ends) -> (&Vec<ValueId>, &Vec<ValueId>),
) {
    let reps = |vs: &[ValueId]| vs.iter().map(|&v| program.rep(v)).collect::<Vec<_>>();
    let ends: Vec<Ends> = ops.map(|&o| program.func.op(o)).map(|d| (reps(&d.operands), reps(&d.results))).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for e in &ends {
            let (here, there) = way(e);
            let set: Carries = here.iter().filter_map(|v| sets.get(v)).flatten().copied().collect();
            if set.is_empty() {
                continue;
            }
            for &v in there {
                let old = sets.entry(v).or_default();
                let before = old.len();
                old.extend(&set);
                changed |= old.len() > before;
            }
        }
    }
}
