//! State that the loop over microbatches carries: to which action the next value of each carry belongs. A carry is in the stage that
//! computes its next value; that stage and later ones can read it, earlier ones cannot.
//!
//! Not here: sums over microbatches, which nothing reads but their own addition ([`crate::sums`]).

use crate::sums::sums;
use meshloom_ir::distribute::Parts;
use meshloom_ir::{Func, Op, OpId, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Where the next value of what the loop with this body carries is computed, if it depends on no layer, as `stage` says of each op:
/// with what reads the value first. `parts` are the actions of all ops while nothing is known of that.
pub fn kept(func: &Func, body: RegionId, parts: &Parts, stage: &BTreeMap<OpId, usize>) -> BTreeMap<OpId, usize> {
    let mut found = BTreeMap::new();
    let Some(repeat) = func.region(body).owner else { return found };
    let sums: BTreeSet<usize> = sums(func, repeat).into_iter().map(|s| s.carry).collect();
    for (k, o) in carried(func, repeat) {
        let readers: Vec<OpId> = readers(func, body, func.region(body).args[k]).collect();
        if sums.contains(&k) || stage.contains_key(&o) || readers.is_empty() {
            continue;
        }
        let alone = alone(func, body, o);
        let others = readers.iter().filter(|r| !alone.contains(r));
        let part = others.filter_map(|r| parts.get(r)?.first().copied()).min().unwrap_or(0);
        found.entry(o).and_modify(|p: &mut usize| *p = part.min(*p)).or_insert(part);
    }
    found
}

/// A carry of which some action reads what only a later one has for it.
pub fn read_too_early(func: &Func, repeat: OpId, parts: &Parts) -> Option<usize> {
    let body = func.op(repeat).regions[0];
    carried(func, repeat).into_iter().find_map(|(k, o)| {
        let next = parts.get(&o)?.last()?;
        let all = readers(func, body, func.region(body).args[k]);
        all.filter_map(|r| parts.get(&r)).flatten().any(|part| part < next).then_some(k)
    })
}

/// What a loop carries, with the op that computes its next value.
fn carried(func: &Func, repeat: OpId) -> Vec<(usize, OpId)> {
    let data = func.op(repeat);
    let Op::Repeat { carries, .. } = data.op else { return Vec::new() };
    let yields = func.region(data.regions[0]).yields.iter().take(carries).enumerate();
    yields.filter_map(|(k, &y)| Some((k, func.def_op(y)?))).collect()
}

/// The ops of the body that read a value.
fn readers(func: &Func, body: RegionId, v: ValueId) -> impl Iterator<Item = OpId> + '_ {
    func.region(body).ops.iter().copied().filter(move |&r| func.op(r).operands.contains(&v))
}

/// An op, and those that only it needs.
fn alone(func: &Func, body: RegionId, o: OpId) -> BTreeSet<OpId> {
    let region = func.region(body);
    let mut found = BTreeSet::from([o]);
    for &x in region.ops.iter().rev() {
        let results = &func.op(x).results;
        let read: Vec<OpId> = results.iter().flat_map(|&r| readers(func, body, r)).collect();
        let given = results.iter().any(|r| region.yields.contains(r));
        if !given && !read.is_empty() && read.iter().all(|r| found.contains(r)) {
            found.insert(x);
        }
    }
    found
}
