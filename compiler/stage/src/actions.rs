//! To which action each op of the loop over microbatches belongs.
//!
//! Forward ops are in the stage of the latest layers that they depend on, backward ops in that of the earliest. So an activation
//! goes from a stage to later ones only, and a gradient to earlier ones. What depends on no layer goes to whoever reads it; where
//! it costs next to nothing, to all of them.
//!
//! A weight gradient waits for nothing: an op of the backward pass that no earlier stage needs may run later than those that one
//! does. These are the two halves of a backward action, where a schedule wants them apart.
//!
//! The first stage has what comes before the layers, and the last one what comes behind them, whether or not they have layers
//! themselves. So where they have none, what leads to the first layer is the first stage's work, and what is made of what the last
//! layer gives is the last one's; backwards the other way round.

use crate::carried;
use meshloom_ir::distribute::Parts;
use meshloom_ir::{Def, Func, Op, OpId, Phase, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// What an action computes: of one stage, for one microbatch.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Forward,
    /// Gradients of what the stage was given; all of the backward pass where weights are not apart.
    Input,
    /// Gradients of the stage's parameters.
    Weight,
}

/// The actions of a program of `stages`, in an order in which they can run.
pub fn order(stages: usize, weights: bool) -> Vec<(usize, Kind)> {
    let mut all: Vec<(usize, Kind)> = (0..stages).map(|s| (s, Kind::Forward)).collect();
    for s in (0..stages).rev() {
        all.push((s, Kind::Input));
        all.extend(weights.then_some((s, Kind::Weight)));
    }
    all
}

/// A loop over the layers of one stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    pub stage: usize,
    pub kind: Kind,
}

/// Ops of the loop's body by action, as places in [`order`].
pub fn assign(func: &Func, body: RegionId, segments: &BTreeMap<OpId, Segment>, stages: usize, weights: bool) -> Parts {
    let a = Assignment { func, body, segments, last: stages.saturating_sub(1) };
    let forward = a.forward();
    let stage = a.stages(&forward);
    let actions = order(stages, weights);
    let input = a.inputs(&forward, &stage);
    let index = |o: OpId, s: usize| {
        let kind = match (forward.contains(&o), input.contains(&o)) {
            (true, _) => Kind::Forward,
            (false, true) => Kind::Input,
            (false, false) if weights => Kind::Weight,
            (false, false) => Kind::Input,
        };
        actions.iter().position(|&x| x == (s, kind)).unwrap_or(0)
    };
    let all = |kept: &BTreeMap<OpId, usize>| {
        let mut parts = Parts::new();
        for &o in func.region(body).ops.iter().rev() {
            let own = match (stage.get(&o), kept.get(&o)) {
                (Some(&s), _) => vec![index(o, s)],
                (None, Some(&part)) => vec![part],
                // What depends on no layer, and is read by no action, belongs to the loss alone: it is where the loss is.
                (None, None) => a.readers(o, &parts, index(o, stages.saturating_sub(1))),
            };
            parts.insert(o, own);
        }
        parts
    };
    // Where what reads it is depends on the rest.
    all(&carried::kept(func, body, &all(&BTreeMap::new()), &stage))
}

/// The stages of the body's ops that depend on layers.
pub fn stages(func: &Func, body: RegionId, segments: &BTreeMap<OpId, Segment>, stages: usize) -> BTreeMap<OpId, usize> {
    let a = Assignment { func, body, segments, last: stages.saturating_sub(1) };
    a.stages(&a.forward())
}

struct Assignment<'f> {
    func: &'f Func,
    body: RegionId,
    segments: &'f BTreeMap<OpId, Segment>,
    /// The last stage.
    last: usize,
}

impl Assignment<'_> {
    fn ops(&self) -> &[OpId] {
        &self.func.region(self.body).ops
    }

    /// What the forward pass needs: the loss, and the layers.
    fn forward(&self) -> BTreeSet<OpId> {
        let is = |o: &OpId| {
            let data = self.func.op(*o);
            data.phase == Phase::Forward && !data.is_rematerialized()
        };
        let mut found: BTreeSet<OpId> =
            self.func.region(self.body).yields.iter().filter_map(|&y| self.func.def_op(y)).filter(is).collect();
        found.extend(self.segments.iter().filter(|s| s.1.kind == Kind::Forward).map(|s| *s.0));
        for &o in self.ops().iter().rev() {
            if found.contains(&o) {
                found.extend(self.func.op(o).operands.iter().filter_map(|&x| self.func.def_op(x)));
            }
        }
        found
    }

    /// The stages of ops that depend on layers, or lead to the first one of a stage without any.
    fn stages(&self, forward: &BTreeSet<OpId>) -> BTreeMap<OpId, usize> {
        let before = self.before();
        let mut stage: BTreeMap<OpId, usize> = BTreeMap::new();
        for &o in self.ops() {
            let of = |x: &ValueId| {
                let made = self.func.def_op(*x).and_then(|d| stage.get(&d).copied());
                self.end(*x).or(made)
            };
            let read = self.func.op(o).operands.iter().filter_map(of);
            let found = match self.segments.get(&o) {
                Some(s) => Some(s.stage),
                None if forward.contains(&o) => read.max().or(before.contains(&o).then_some(0)),
                None => read.min(),
            };
            if let Some(s) = found {
                stage.insert(o, s);
            }
        }
        stage
    }

    /// The loop over the first layers, and that over the last ones.
    fn outermost(&self) -> [Option<(OpId, Segment)>; 2] {
        let all = || self.segments.iter().map(|(o, s)| (*o, *s));
        let forward = || all().filter(|s| s.1.kind == Kind::Forward);
        [forward().min_by_key(|s| s.1.stage), forward().max_by_key(|s| s.1.stage)]
    }

    /// The stage at an end, of what the layers carry to it.
    fn end(&self, x: ValueId) -> Option<usize> {
        let Def::Op(o, i) = self.func.value(x).def else { return None };
        let segment = self.segments.get(&o)?;
        let Op::Repeat { carries, .. } = self.func.op(o).op else { return None };
        let [first, last] = self.outermost();
        let at = |s: Option<(OpId, Segment)>| s.is_some_and(|s| s.1.stage == segment.stage);
        match segment.kind {
            _ if i as usize >= carries => None,
            Kind::Forward if at(last) => Some(self.last),
            Kind::Input if at(first) => Some(0),
            _ => None,
        }
    }

    /// Where the first stage has no layers: what costs something and leads to what the first layer is given.
    fn before(&self) -> BTreeSet<OpId> {
        let mut found = BTreeSet::new();
        let Some((first, _)) = self.outermost()[0].filter(|s| s.1.stage > 0) else { return found };
        let Op::Repeat { carries, .. } = self.func.op(first).op else { return found };
        let mut open: Vec<ValueId> = self.func.op(first).operands.iter().take(carries).copied().collect();
        let mut seen = BTreeSet::new();
        while let Some(x) = open.pop() {
            let made = self.func.def_op(x).filter(|&o| self.func.op(o).parent == self.body);
            if let Some(o) = made.filter(|&o| seen.insert(o)) {
                open.extend(&self.func.op(o).operands);
            }
        }
        found.extend(seen.into_iter().filter(|&o| !self.func.op(o).op.is_cheap()));
        found
    }

    /// Backward ops that an earlier stage waits for, or the gradient of what a stage was given.
    fn inputs(&self, forward: &BTreeSet<OpId>, stage: &BTreeMap<OpId, usize>) -> BTreeSet<OpId> {
        let mut found: BTreeSet<OpId> =
            self.segments.iter().filter(|s| s.1.kind == Kind::Input).map(|s| *s.0).collect();
        let backward = |o: &OpId| !forward.contains(o);
        for &o in self.ops().iter().rev().filter(|o| backward(o)) {
            for d in self.func.op(o).operands.iter().filter_map(|&x| self.func.def_op(x)).filter(backward) {
                let weight = self.segments.get(&d).is_some_and(|s| s.kind == Kind::Weight);
                let earlier = stage.get(&o).zip(stage.get(&d)).is_some_and(|(a, b)| a < b);
                if !weight && (earlier || found.contains(&o)) {
                    found.insert(d);
                }
            }
        }
        found
    }

    /// The actions that read an op which depends on no layer: all of them where it is cheap, else the first.
    fn readers(&self, o: OpId, parts: &Parts, last: usize) -> Vec<usize> {
        let data = self.func.op(o);
        let mut found: BTreeSet<usize> = BTreeSet::new();
        for &r in self.ops() {
            let read = |x: &ValueId| data.results.contains(x);
            if let Some(own) = parts.get(&r)
                && self.func.op(r).operands.iter().any(read)
            {
                found.extend(own);
            }
        }
        let yielded = self.func.region(self.body).yields.iter().any(|y| data.results.contains(y));
        if found.is_empty() || yielded {
            return vec![found.first().copied().unwrap_or(last)];
        }
        let cheap = data.op.is_cheap() || matches!(data.op, Op::Constant { .. } | Op::Iota { .. });
        found.into_iter().take(if cheap { usize::MAX } else { 1 }).collect()
    }
}

/// The halves of a backward loop over layers: what its carries need is part 0, the rest part 1. `None` where one half is empty.
pub fn halves(func: &Func, o: OpId) -> Option<Parts> {
    let Op::Repeat { carries, .. } = func.op(o).op else { return None };
    let body = func.region(func.op(o).regions[0]);
    let mut needed: BTreeSet<ValueId> = body.yields[..carries].iter().copied().collect();
    let mut parts = Parts::new();
    for &x in body.ops.iter().rev() {
        let data = func.op(x);
        let first = data.results.iter().any(|r| needed.contains(r));
        if first {
            needed.extend(&data.operands);
        }
        parts.insert(x, vec![usize::from(!first)]);
    }
    // What costs next to nothing is computed again.
    for &x in body.ops.iter().rev() {
        let data = func.op(x);
        let from_given = data.operands.iter().all(|&v| match func.value(v).def {
            Def::Arg(..) => true,
            Def::Op(d, _) => parts.get(&d).is_some_and(|p| p.len() == 2),
        });
        let later = body.ops.iter().any(|&r| {
            parts.get(&r).is_some_and(|p| p.contains(&1))
                && func.op(r).operands.iter().any(|v| data.results.contains(v))
        });
        if data.op.is_free() && from_given && later && parts.get(&x).is_some_and(|p| p[0] == 0) {
            parts.insert(x, vec![0, 1]);
        }
    }
    let both = [0, 1].iter().all(|q| parts.values().any(|p| p.contains(q)));
    both.then_some(parts)
}
