//! What stages cost: times by the planner's cost model, and bytes.
//!
//! A stage's program is priced as it is, without what the order of a schedule adds. Layers of a list are alike, so the figures
//! of a stage grow by the same amount with each layer, whichever layers they are. Three kinds of stages differ: the first,
//! the last, and those between. Two cuts show the line of each. (On targets that overlap communication with computation the
//! first layers of a loop may cost a little more than the others; the line goes through one layer and many.)

use super::programs::programs;
use super::request::{CutError, CutRequest};
use super::table::{KINDS, StageTable};
use meshloom_ir::{Def, Func, Op, OpId, Role, ValueId};
use meshloom_plan::cost::{Model, alone_ps, iteration};
use meshloom_stage::{Given, StageProgram, Taken, layers};
use std::sync::Arc;

/// One stage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StageCost {
    /// Forward, gradient by the input and gradient by the weights of one microbatch, in picoseconds. Where weights are no
    /// actions of their own, the second is the whole backward.
    pub times: [u64; 3],
    /// What runs once in a step: casts and gathers of parameters, the update.
    pub outside: u64,
    /// Bytes that are there for the whole step: parameters, state, gradients, data.
    pub fixed: u64,
    /// Bytes that each microbatch keeps from one kind of action to another.
    pub stash: [[u64; 3]; 3],
}

impl StageCost {
    /// All actions of one microbatch.
    pub fn microbatch(&self) -> u64 {
        self.times.iter().fold(0, |n, t| n.saturating_add(*t))
    }

    /// Bytes, with so many slots for what a microbatch keeps.
    pub fn bytes(&self, slots: &[[u64; 3]; 3]) -> u64 {
        let all = self.stash.iter().flatten().zip(slots.iter().flatten());
        all.fold(self.fixed, |n, (bytes, slots)| n.saturating_add(bytes.saturating_mul(*slots)))
    }

    /// On the line through two stages with `n` and `m` layers, `n < m`, the one with `at` layers.
    fn between(a: &StageCost, b: &StageCost, n: u64, m: u64, at: u64) -> StageCost {
        let line = |a: u64, b: u64| {
            let (rise, run) = (i128::from(b) - i128::from(a), i128::from(m) - i128::from(n));
            let value = i128::from(a) + rise * (i128::from(at) - i128::from(n)) / run.max(1);
            u64::try_from(value.max(0)).unwrap_or(u64::MAX)
        };
        let mut c = a.clone();
        for (x, y) in c.times.iter_mut().zip(&b.times) {
            *x = line(*x, *y);
        }
        for (x, y) in c.stash.iter_mut().flatten().zip(b.stash.iter().flatten()) {
            *x = line(*x, *y);
        }
        c.outside = line(a.outside, b.outside);
        c.fixed = line(a.fixed, b.fixed);
        c
    }
}

/// The stages of one cut.
pub struct Priced {
    /// Those of each way.
    pub stages: Vec<StageCost>,
    /// The longest message of one microbatch.
    pub send_ps: u64,
    pub send_bytes: u64,
}

impl Priced {
    pub fn of(model: &Model, all: &[StageProgram], microbatches: u64, ranks: usize) -> Priced {
        let send = |p: &StageProgram| {
            let each = p.given.iter().zip(&p.func.body().yields).filter_map(|(g, &y)| match g {
                Given::Sent(l) if l.each => Some((l.to, p.func.ty(y).bytes() / microbatches.max(1))),
                _ => None,
            });
            let mut by_stage = std::collections::BTreeMap::new();
            each.for_each(|(to, bytes)| *by_stage.entry(to).or_insert(0u64) += bytes);
            by_stage.into_values().max().unwrap_or(0)
        };
        let bytes = all.iter().map(send).max().unwrap_or(0);
        let send_ps = if all.len() > 1 { model.send_ps(bytes, ranks as u64) } else { 0 };
        let stages = all.iter().map(|p| stage(model, p, microbatches, ranks)).collect();
        Priced { stages, send_ps, send_bytes: bytes }
    }
}

fn stage(model: &Model, p: &StageProgram, microbatches: u64, ranks: usize) -> StageCost {
    let f = &p.func;
    let mut cost = StageCost::default();
    for a in &p.actions {
        cost.times[place(a.kind)] += iteration(model, f, a.repeat);
    }
    let action = |o: OpId| p.actions.iter().find(|a| a.repeat == o).map(|a| place(a.kind));
    for &o in f.body().ops.iter().filter(|&&o| action(o).is_none()) {
        cost.outside = cost.outside.saturating_add(alone_ps(model, f, o));
    }
    for (g, &y) in p.given.iter().zip(&f.body().yields) {
        if matches!(g, Given::Sent(l) if !l.each) {
            cost.outside = cost.outside.saturating_add(model.send_ps(f.ty(y).bytes(), ranks as u64));
        }
    }
    for (t, &v) in p.taken.iter().zip(&f.body().args) {
        match t {
            Taken::Received(l) if l.each => keep(&mut cost, f, v, &action, microbatches),
            _ => cost.fixed = cost.fixed.saturating_add(f.ty(v).bytes()),
        }
    }
    for a in &p.actions {
        let Op::Repeat { carries, .. } = f.op(a.repeat).op else { continue };
        for (i, &v) in f.op(a.repeat).results.iter().enumerate() {
            match i < carries {
                true => cost.fixed = cost.fixed.saturating_add(f.ty(v).bytes()),
                false => keep(&mut cost, f, v, &action, microbatches),
            }
        }
    }
    cost
}

fn place(kind: meshloom_stage::Kind) -> usize {
    KINDS.iter().position(|k| *k == kind).unwrap_or(0)
}

/// Counts a stack by microbatch: between the first and the last kind of action that has to do with it; whole where anything
/// else reads it. What is sent on leaves with the action that makes it.
fn keep(cost: &mut StageCost, f: &Func, v: ValueId, action: &dyn Fn(OpId) -> Option<usize>, microbatches: u64) {
    let mut users: Vec<usize> = match f.value(v).def {
        Def::Op(o, _) => action(o).into_iter().collect(),
        Def::Arg(..) => Vec::new(),
    };
    let readers = f.body().ops.iter().filter(|&&o| f.op(o).operands.contains(&v));
    let readers: Vec<Option<usize>> = readers.map(|&o| action(o)).collect();
    let given = f.body().yields.iter().zip(&f.outputs).any(|(y, port)| *y == v && port.role != Role::Sent);
    let bytes = f.ty(v).bytes();
    if given || readers.contains(&None) {
        cost.fixed = cost.fixed.saturating_add(bytes);
        return;
    }
    users.extend(readers.into_iter().flatten());
    let (first, last) = (users.iter().min().copied().unwrap_or(0), users.iter().max().copied().unwrap_or(0));
    let of = &mut cost.stash[first][last];
    *of = of.saturating_add(bytes / microbatches.max(1));
}

/// The least number of layers for which half of all layers but one is more than one layer.
const ENOUGH: u64 = 5;

/// For each kind of stage the line of its figures.
pub struct Lines {
    pub layers: u64,
    pub send_ps: u64,
    /// Bytes of that message.
    pub send_bytes: u64,
    stages: usize,
    /// For each way. First, between, last: stages by their number of layers, rising.
    samples: Vec<[Vec<(u64, StageCost)>; 3]>,
    /// From this stage on layers are others.
    late: Option<(usize, Arc<Lines>)>,
}

impl Lines {
    /// # Errors
    /// A program that cannot be cut, and more stages than layers.
    pub fn of(asked: &CutRequest<'_>, table: &StageTable, model: &Model) -> Result<Lines, CutError> {
        let layers = layers(asked.local, asked.list)?;
        let stages = table.stages;
        if layers < stages as u64 || stages == 0 {
            let why = format!("`{}` has {layers} layers, and the pipeline {stages} stages", asked.list);
            return Err(CutError::Cannot(why));
        }
        let kinds = stages.min(3);
        let samples = vec![Default::default(); table.ways];
        let mut lines = Lines { layers, send_ps: 0, send_bytes: 0, stages, samples, late: None };
        for sizes in samples_of(layers, kinds) {
            let (all, microbatches) = programs(asked, &sizes, table)?;
            let priced = Priced::of(model, &all, microbatches, asked.schedule.ranks());
            lines.send_ps = lines.send_ps.max(priced.send_ps);
            lines.send_bytes = lines.send_bytes.max(priced.send_bytes);
            for (u, cost) in priced.stages.into_iter().enumerate() {
                let (way, s) = (u / kinds, u % kinds);
                lines.samples[way][kind(s, kinds)].push((sizes[s], cost));
            }
        }
        for of in lines.samples.iter_mut().flatten() {
            of.sort_by_key(|s| s.0);
            of.dedup_by_key(|s| s.0);
        }
        Ok(lines)
    }

    /// These lines, but for the stages from `stage` on, which are on the lines of another program.
    pub fn with_late(&self, stage: usize, late: &Arc<Lines>) -> Lines {
        Lines {
            layers: self.layers,
            send_ps: self.send_ps.max(late.send_ps),
            send_bytes: self.send_bytes.max(late.send_bytes),
            stages: self.stages,
            samples: self.samples.clone(),
            late: Some((stage, late.clone())),
        }
    }

    /// A stage of a way, by its number, with so many layers.
    pub fn stage(&self, number: usize, layers: u64) -> StageCost {
        let (way, s) = (number / self.stages, number % self.stages);
        if let Some((_, late)) = self.late.as_ref().filter(|l| s >= l.0) {
            return late.stage(number, layers);
        }
        match self.samples[way][kind(s, self.stages)].as_slice() {
            [] => StageCost::default(),
            [(_, only)] => only.clone(),
            [(n, a), .., (m, b)] => StageCost::between(a, b, *n, *m, layers),
        }
    }

    /// The stages of all ways.
    pub fn at(&self, sizes: &[u64]) -> Vec<StageCost> {
        let all = (0..self.samples.len()).flat_map(|_| sizes);
        all.enumerate().map(|(u, n)| self.stage(u, *n)).collect()
    }
}

/// Cuts that show each kind of stage with one layer and with many.
fn samples_of(layers: u64, kinds: usize) -> Vec<Vec<u64>> {
    // Of the cut that leaves one layer to the stage between, the first and the last have half of the others each.
    if kinds == 3 && layers >= ENOUGH {
        let half = (layers - 1) / 2;
        return vec![vec![1, layers - 2, 1], vec![layers - 1 - half, 1, half]];
    }
    // One stage has all layers that the others leave, each in turn.
    let large = |at: usize| (0..kinds).map(|s| if s == at { layers + 1 - kinds as u64 } else { 1 }).collect();
    (0..kinds).map(large).collect()
}

fn kind(s: usize, stages: usize) -> usize {
    match s {
        0 => 0,
        s if s + 1 == stages => 2,
        _ => 1,
    }
}
