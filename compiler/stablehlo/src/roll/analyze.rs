//! Decides what becomes of a program, before anything of it is written: its loops, then what their bodies read, then ops on stacks.

use super::analysis::{Analysis, Left};
use super::body::body;
use super::detect;
use super::number::Numbers;
use super::pack::packs;
use super::stacks::{StackId, Stacks};
use super::wiring::{self, Line, Loop};
use meshloom_ir::{Def, Func, Op, OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Loops of one program; what is left after that is left alone.
const LOOPS: usize = 64;
/// A shorter body is a layer only if there are as many of them.
const SMALL: usize = 8;

impl<'f> Analysis<'f> {
    pub fn new(func: &'f Func) -> Analysis<'f> {
        let numbers = Numbers::new(func);
        let mut stacks = Stacks::default();
        let (given, slices) = slices(func, &numbers, &mut stacks);
        let hoisted = |o: &OpId| numbers.closed(func.op(*o).results[0]) || slices.contains(o);
        let ops: Vec<OpId> = numbers.live.iter().copied().filter(|o| !hoisted(o)).collect();
        let line = Line::new(func, ops);
        let mut a = Analysis {
            func,
            line,
            loops: Vec::new(),
            bodies: Vec::new(),
            packs: Vec::new(),
            stacks,
            groups: BTreeMap::new(),
            given,
            looped: vec![None; func.ops.len()],
            first: HashMap::new(),
            left: None,
            numbers,
        };
        a.find_loops();
        a.name_first();
        a.read_bodies();
        packs(&mut a);
        a
    }

    fn find_loops(&mut self) {
        let mut kinds: Vec<u32> = self.line.ops.iter().map(|o| self.numbers.kinds[o.index()]).collect();
        for _ in 0..LOOPS {
            let mut best: Option<Loop> = None;
            for s in detect::stretches(&kinds) {
                if best.as_ref().is_some_and(|b| b.len() >= s.len / s.period * s.period) {
                    break;
                }
                if !wiring::contracts(self.func, &self.line, s) {
                    continue;
                }
                match wiring::find(self.func, &self.numbers, &self.line, s) {
                    Ok(l) if l.period < SMALL && l.count < SMALL => {}
                    Ok(l) if best.as_ref().is_none_or(|b| l.len() > b.len()) => best = Some(l),
                    Ok(_) => {}
                    Err(None) => {}
                    Err(Some((why, at))) => {
                        let (times, ops) = (s.len / s.period, s.period);
                        if ops >= SMALL && self.left.as_ref().is_none_or(|l| l.times * l.ops < times * ops) {
                            self.left = Some(Left { times, ops, why, at });
                        }
                    }
                }
            }
            let Some(best) = best else { break };
            // What is rolled is no part of another loop.
            for (i, kind) in kinds[best.start..best.start + best.len()].iter_mut().enumerate() {
                *kind = u32::MAX - (best.start + i) as u32;
            }
            self.loops.push(best);
        }
        self.loops.sort_by_key(|l| l.start);
        for (i, l) in self.loops.iter().enumerate() {
            for (k, p) in (0..l.count).flat_map(|k| (0..l.period).map(move |p| (k, p))) {
                if !l.fixed[p] {
                    self.looped[l.op(&self.line, k, p).index()] = Some(i);
                }
            }
        }
    }

    fn name_first(&mut self) {
        let args = self.func.body().args.iter();
        let made = self.numbers.live.iter().filter(|o| self.looped[o.index()].is_none());
        let made = made.flat_map(|o| &self.func.op(*o).results);
        for &v in args.chain(made) {
            self.first.entry(self.numbers.of(v)).or_insert(v);
        }
    }

    fn read_bodies(&mut self) {
        let outside = self.read_from_outside();
        for i in 0..self.loops.len() {
            let mut body = body(self, &self.loops[i]);
            for list in body.entries.clone() {
                let turned = if body.reverse { list.into_iter().rev().collect() } else { list };
                self.group(&turned);
            }
            let l = &self.loops[i];
            let order = |entries: Vec<ValueId>| -> Vec<ValueId> {
                if body.reverse { entries.into_iter().rev().collect() } else { entries }
            };
            let result = |k: usize, (p, r): (usize, usize)| self.func.op(l.op(&self.line, k, p)).results[r];
            let mut before = Vec::new();
            for (slot, c) in body.carries.iter().enumerate() {
                if (0..l.count).any(|k| outside.contains(&result(k, c.from))) {
                    let after = (0..l.count - 1).map(|k| result(k, c.from));
                    before.push((slot, order([c.init].into_iter().chain(after).collect())));
                }
            }
            let mut stacked = Vec::new();
            for p in (0..l.period).filter(|&p| !l.fixed[p]) {
                for r in 0..self.func.op(l.op(&self.line, 0, p)).results.len() {
                    if (0..l.count).any(|k| outside.contains(&result(k, (p, r)))) {
                        stacked.push(((p, r), order((0..l.count).map(|k| result(k, (p, r))).collect())));
                    }
                }
            }
            // What stands behind an iteration first: a value is sought there before it is among the initial ones.
            body.stacked = stacked.into_iter().map(|(at, e)| (at, self.stacks.add(e))).collect();
            body.before = before.into_iter().map(|(slot, e)| (slot, self.stacks.add(e))).collect();
            self.bodies.push(body);
        }
    }

    /// Values of loops that something else reads.
    fn read_from_outside(&self) -> BTreeSet<ValueId> {
        let own = |v: ValueId| self.func.def_op(v).and_then(|o| self.looped[o.index()]);
        let mut out: BTreeSet<ValueId> = self.func.body().yields.iter().copied().collect();
        for &o in &self.numbers.live {
            let here = self.looped[o.index()];
            out.extend(self.func.op(o).operands.iter().copied().filter(|&v| own(v).is_some_and(|l| Some(l) != here)));
        }
        out
    }
}

/// Slices of inputs along dim 0, one entry each, that are used without that dim: parameters that came stacked and are read
/// layer by layer.
fn slices(func: &Func, numbers: &Numbers, stacks: &mut Stacks) -> (BTreeMap<StackId, ValueId>, BTreeSet<OpId>) {
    let mut found: BTreeMap<ValueId, BTreeMap<u64, ValueId>> = BTreeMap::new();
    let mut ops = BTreeSet::new();
    for &o in &numbers.live {
        let Op::Reshape { shape } = &func.op(o).op else { continue };
        let Some(s) = func.def_op(func.op(o).operands[0]) else { continue };
        let Op::Slice { start, limit } = &func.op(s).op else { continue };
        let x = func.op(s).operands[0];
        let whole = &func.ty(x).shape;
        let rest = start.iter().zip(limit).zip(whole).skip(1).all(|((&a, &b), &n)| a == 0 && b == n);
        if !matches!(func.value(x).def, Def::Arg(..)) || limit[0] != start[0] + 1 || !rest || shape[..] != whole[1..] {
            continue;
        }
        found.entry(x).or_default().entry(start[0]).or_insert(func.op(o).results[0]);
        ops.extend([o, s]);
    }
    let mut given = BTreeMap::new();
    for (x, all) in found {
        if all.len() as u64 == func.ty(x).shape[0] && all.len() > 1 {
            given.insert(stacks.add(all.into_values().collect()), x);
        }
    }
    (given, ops)
}
