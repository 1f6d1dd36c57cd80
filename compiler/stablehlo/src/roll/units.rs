//! The order in which the rolled program is written: single ops, loops, ops on stacks. Each comes after what it reads, and
//! otherwise where the first of its ops stood.
//!
//! Loops and single ops always have such an order, as all that a loop reads stands before it. Ops that became one may read each
//! other in a circle; those are taken apart again.

use super::analysis::Analysis;
use super::found::PackOperand;
use meshloom_ir::{OpId, ValueId};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum RollUnit {
    Op(OpId),
    Loop(usize),
    Pack(usize),
}

/// All units in order. Packs that cannot stand anywhere are removed from `a`.
pub fn order(a: &mut Analysis<'_>) -> Vec<RollUnit> {
    loop {
        match sorted(a) {
            Ok(units) => return units,
            Err(placed) => {
                // Each round takes at least one apart.
                let all = placed.len() == a.packs.len();
                let mut at = 0..;
                a.packs.retain(|_| at.next().is_some_and(|i| !all && placed.contains(&i)));
            }
        }
    }
}

/// # Errors
/// The packs that have a place, where others have none.
fn sorted(a: &Analysis<'_>) -> Result<Vec<RollUnit>, BTreeSet<usize>> {
    // Where each unit first stands, and what it reads.
    let mut units: BTreeMap<RollUnit, (usize, Vec<ValueId>)> = BTreeMap::new();
    let mut packed: BTreeMap<OpId, usize> = BTreeMap::new();
    for (i, p) in a.packs.iter().enumerate() {
        packed.extend(p.ops.iter().map(|&o| (o, i)));
    }
    let unit = |o: OpId| match (a.loop_of(o), packed.get(&o)) {
        (Some(l), _) => RollUnit::Loop(l),
        (None, Some(&p)) => RollUnit::Pack(p),
        (None, None) => RollUnit::Op(o),
    };
    for (at, &o) in a.numbers.live.iter().enumerate() {
        let data = a.func.op(o);
        if data.results.iter().all(|&v| a.numbers.closed(v)) || data.results.iter().all(|&v| a.same(v) != v) {
            continue;
        }
        units.entry(unit(o)).or_insert_with(|| (at, Vec::new())).1.extend(data.operands.iter().map(|&v| a.same(v)));
    }
    for (i, p) in a.packs.iter().enumerate() {
        for part in &p.operands {
            if let (PackOperand::Stack(s), Some(u)) = (part, units.get_mut(&RollUnit::Pack(i))) {
                u.1.extend(a.stacks.entries(*s));
            }
        }
    }
    let mut waits: BTreeMap<RollUnit, usize> = units.keys().map(|&u| (u, 0)).collect();
    let mut readers: BTreeMap<RollUnit, Vec<RollUnit>> = BTreeMap::new();
    for (&u, (_, reads)) in &units {
        let mut from: Vec<RollUnit> = reads
            .iter()
            .filter(|&&v| !a.numbers.closed(v))
            .filter_map(|&v| Some(unit(a.func.def_op(v)?)))
            .filter(|&f| f != u)
            .collect();
        from.sort_unstable();
        from.dedup();
        *waits.entry(u).or_default() = from.len();
        from.into_iter().for_each(|f| readers.entry(f).or_default().push(u));
    }
    let ready = waits.iter().filter(|w| *w.1 == 0).map(|w| Reverse((units[w.0].0, *w.0)));
    let mut ready: BinaryHeap<Reverse<(usize, RollUnit)>> = ready.collect();
    let mut out = Vec::new();
    while let Some(Reverse((_, u))) = ready.pop() {
        out.push(u);
        for r in readers.get(&u).into_iter().flatten() {
            if let Some(w) = waits.get_mut(r) {
                *w -= 1;
                if *w == 0 {
                    ready.push(Reverse((units[r].0, *r)));
                }
            }
        }
    }
    if out.len() == units.len() || a.packs.is_empty() {
        return Ok(out);
    }
    let pack = |u: &RollUnit| match u {
        RollUnit::Pack(i) => Some(*i),
        RollUnit::Op(_) | RollUnit::Loop(_) => None,
    };
    Err(out.iter().filter_map(pack).collect())
}
