//! Copies between a device and its host, as tasks of a region. State that lies in the host's memory is fetched before the first op that
//! reads it, and its next value stored after the op that makes it. Of a stash there, each iteration of the loop that makes it stores
//! a slice, and each iteration of a loop that reads it fetches one. There is a stream for each direction.
//!
//! The kernels of an update run behind the backward pass, and windows on the device are small (`lower::offload`). So no state is
//! fetched before the last op that is no update. A window on a stash has two slots, so an iteration waits for the copies of the last
//! but one.

use super::tasks::{LoopTask, TaskPlace};
use crate::cost::model::Model;
use meshloom_ir::{Func, Op, OpId, Phase, RegionId, ValueId};
use meshloom_lower::stashes::{self, SLOTS};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

/// What a region does, op by op and copy by copy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionItem {
    Op(OpId),
    /// Of an argument.
    Fetch(ValueId),
    /// Of a value that leaves the region, which this op makes, or which is an argument.
    Store(ValueId, Option<OpId>),
}

/// The arguments of a region that come from the host's memory, and the values that it hands on to there.
fn hosted(func: &Func, r: RegionId) -> (BTreeSet<ValueId>, Vec<ValueId>) {
    let region = func.region(r);
    let Some(o) = region.owner.filter(|_| r != Func::BODY) else {
        let args = region.args.iter().zip(&func.inputs).filter(|x| x.1.host).map(|x| *x.0).collect();
        let host = |i: &usize| func.inputs.get(*i).is_some_and(|p| p.host);
        let next = region.yields.iter().zip(&func.outputs).filter(|(_, p)| p.updates.as_ref().is_some_and(host));
        return (args, next.map(|x| *x.0).collect());
    };
    let data = func.op(o);
    let Op::Repeat { carries, xs, .. } = data.op else { return Default::default() };
    let stashes = stashes::in_host(func);
    let here = |(v, at): (&ValueId, &ValueId)| stashes.contains(v).then_some(*at);
    let args = data.operands.iter().zip(&region.args).skip(carries).take(xs).filter_map(here).collect();
    (args, data.results.iter().zip(&region.yields).skip(carries).filter_map(here).collect())
}

/// The ops of a region in their order, with copies of what lies in the host's memory.
pub fn items(func: &Func, r: RegionId) -> Vec<RegionItem> {
    let ops = &func.region(r).ops;
    let (args, out) = match r == Func::BODY || func.stashes_in_host {
        true => hosted(func, r),
        false => Default::default(),
    };
    if args.is_empty() && out.is_empty() {
        return ops.iter().map(|&o| RegionItem::Op(o)).collect();
    }
    let mut fetched = BTreeSet::new();
    // What comes in and is handed on goes at once.
    let given = out.iter().filter(|v| func.region(r).args.contains(v));
    let mut items: Vec<RegionItem> = match r == Func::BODY {
        true => Vec::new(),
        false => given.map(|&v| RegionItem::Store(v, None)).collect(),
    };
    for &o in ops {
        let data = func.op(o);
        let first = data.operands.iter().filter(|v| args.contains(v) && fetched.insert(**v));
        items.extend(first.map(|&v| RegionItem::Fetch(v)));
        items.push(RegionItem::Op(o));
        let made = out.iter().filter(|v| data.results.contains(v));
        items.extend(made.map(|&v| RegionItem::Store(v, Some(o))));
    }
    items
}

/// The copies of a region, by place among its items.
#[derive(Default)]
pub struct RegionCopies {
    fetched: BTreeMap<ValueId, u32>,
    /// By the op that makes what is stored.
    stored: BTreeMap<OpId, Vec<u32>>,
    /// Of a loop, for each fetch: the last op that reads it.
    last: BTreeMap<u32, u32>,
    looped: bool,
}

pub fn copies(func: &Func, r: RegionId, items: &[RegionItem]) -> RegionCopies {
    let mut all = RegionCopies { looped: r != Func::BODY, ..RegionCopies::default() };
    if items.len() == func.region(r).ops.len() {
        return all;
    }
    for (item, at) in items.iter().zip(0..) {
        match item {
            RegionItem::Fetch(v) => _ = all.fetched.insert(*v, at),
            RegionItem::Store(_, by) => by.iter().for_each(|o| all.stored.entry(*o).or_default().push(at)),
            RegionItem::Op(o) => {
                let read = func.op(*o).operands.iter().filter_map(|v| all.fetched.get(v));
                all.last.extend(read.map(|&fetch| (fetch, at)));
            }
        }
    }
    all
}

impl RegionCopies {
    /// The copies that an op waits for: how many iterations ago, and their places.
    pub fn waited(&self, func: &Func, o: OpId) -> impl Iterator<Item = (u64, u32)> {
        let fetched = func.op(o).operands.iter().filter_map(|v| self.fetched.get(v)).map(|&i| (0, i));
        // Its result takes the place of what was stored before.
        let stored = self.stored.get(&o).into_iter().flatten().filter(|_| self.looped).map(|&i| (SLOTS, i));
        fetched.chain(stored).collect::<SmallVec<[(u64, u32); 4]>>().into_iter()
    }

    /// What the fetch at a place waits for.
    pub fn before_fetch(&self, func: &Func, items: &[RegionItem], at: usize) -> Option<(u64, u32)> {
        if self.looped {
            return self.last.get(&(at as u32)).map(|&i| (SLOTS, i));
        }
        let other = |x: &RegionItem| matches!(x, RegionItem::Op(o) if func.op(*o).phase != Phase::Update);
        items[..at].iter().rposition(other).map(|i| (0, i as u32))
    }
}

/// A copy on a lane, after a task.
pub fn copy(model: &Model, func: &Func, v: ValueId, lane: usize, after: Option<(u64, u32)>) -> LoopTask {
    LoopTask {
        place: TaskPlace::Lane(lane),
        latency: 0,
        ps: model.host_ps(func.ty(v).bytes()),
        inner: Vec::new(),
        kind: None,
        reads: after.into_iter().collect(),
    }
}
