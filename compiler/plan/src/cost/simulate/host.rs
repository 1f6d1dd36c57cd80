//! Copies between a device and its host, as tasks of a step: what lies in the host's memory is fetched before the first op that
//! reads it, and its next value stored after the op that makes it. There is a stream for each direction.
//!
//! The kernels of an update run behind the backward pass, and windows on the device are small (`fusion::offload`). So nothing is
//! fetched before the last op that is no update.

use super::tasks::{LoopTask, TaskPlace};
use crate::cost::model::Model;
use meshloom_ir::{Func, OpId, Phase, RegionId, ValueId};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// What a region does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionItem {
    Op(OpId),
    /// Of an input.
    Fetch(ValueId),
    /// Of the next value of an input, which this op makes.
    Store(ValueId, OpId),
}

/// The ops of a region in their order, with copies of what lies in the host's memory.
pub fn items(func: &Func, r: RegionId) -> Vec<RegionItem> {
    let ops = &func.region(r).ops;
    let inputs: BTreeSet<ValueId> =
        func.body().args.iter().zip(&func.inputs).filter(|x| x.1.host).map(|x| *x.0).collect();
    if r != Func::BODY || inputs.is_empty() {
        return ops.iter().map(|&o| RegionItem::Op(o)).collect();
    }
    let host = |i: &usize| func.inputs.get(*i).is_some_and(|p| p.host);
    let next = func.body().yields.iter().zip(&func.outputs).filter(|(_, p)| p.updates.as_ref().is_some_and(host));
    let next: BTreeSet<ValueId> = next.map(|x| *x.0).collect();
    let mut fetched = BTreeSet::new();
    let mut items = Vec::new();
    for &o in ops {
        let data = func.op(o);
        let first = data.operands.iter().filter(|v| inputs.contains(v) && fetched.insert(**v));
        items.extend(first.map(|&v| RegionItem::Fetch(v)));
        items.push(RegionItem::Op(o));
        items.extend(data.results.iter().filter(|v| next.contains(v)).map(|&v| RegionItem::Store(v, o)));
    }
    items
}

/// The copies that op `o` waits for, by place.
pub fn fetched<'a>(func: &'a Func, items: &'a [RegionItem], o: OpId) -> impl Iterator<Item = u32> + 'a {
    let hosted = func.inputs.iter().any(|p| p.host);
    let items = if hosted { items } else { &[] };
    let reads = move |x: &(usize, &RegionItem)| matches!(x.1, RegionItem::Fetch(v) if func.op(o).operands.contains(v));
    items.iter().enumerate().filter(reads).map(|x| x.0 as u32)
}

/// The last op before a place that is no update.
pub fn before(func: &Func, items: &[RegionItem], at: usize) -> Option<u32> {
    let other = |x: &RegionItem| matches!(x, RegionItem::Op(o) if func.op(*o).phase != Phase::Update);
    items[..at].iter().rposition(other).map(|i| i as u32)
}

/// A copy on a lane, after the task at a place.
pub fn copy(model: &Model, func: &Func, v: ValueId, lane: usize, after: Option<u32>) -> LoopTask {
    let reads: SmallVec<[(u64, u32); 4]> = after.map(|i| (0, i)).into_iter().collect();
    LoopTask {
        place: TaskPlace::Lane(lane),
        latency: 0,
        ps: model.host_ps(func.ty(v).bytes()),
        inner: Vec::new(),
        kind: None,
        reads,
    }
}
