//! Recomputation outside of loops: a model whose layers are written out, an embedding, the head and the loss. If the backward
//! pass reads a value that the forward pass makes there, the value is kept in between, unless it is rematerialized.
//!
//! Loops have alternatives in the e-graph, since one choice decides a body and all of its iterations. Outside of loops every op
//! is a choice of its own, and which ops are worth rematerializing follows from layouts, not the other way round. So this works
//! on the local program, once layouts are decided. [`rewrite`] makes chosen ops a second time; [`Outside`] says which.
//!
//! Ops are taken one by one. First come those that free the most bytes for the least time, given what was taken before. An op
//! frees its result, less what then has to be kept to recompute it. Bisection on the peak of the program finds how many
//! ops to take. Then single ones are taken back, the most expensive first. If there are few ops, all combinations are tried.
//!
//! Collectives are ops like others, so a weight is gathered again where that pays. The results of a loop are always kept.
//! Everything is bounded by counts.
//!
//! Sums that a comparison depends on are kept, as in loops. Where one loop runs both passes, as that over microbatches does, nothing
//! outside of it is a choice.
//!
//! Not here: values of loops (`extend::recompute`).

pub mod rewrite;
#[cfg(test)]
mod tests;

use crate::cost::{self, Model};
use crate::effort;
use crate::memory::held::{Measured, PeakMemo};
use crate::memory::held_at_least::bytes_at_least;
use crate::moves::{Worth, is_better};
use crate::partition::LocalProgram;
use meshloom_ir::{Func, Op, OpId, Phase, ValueId};
use meshloom_lower::rounding::decisive_sums;
use rewrite::{Rewritten, rewrite};
use std::collections::{BTreeMap, BTreeSet};

/// A forward tensor outside of loops that is rematerialized.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rematerialized {
    pub global: ValueId,
    /// Bytes of one device's shard.
    pub bytes: u64,
}

/// A local program with some ops rematerialized.
pub struct RematerializedProgram {
    pub local: LocalProgram,
    pub rematerialized: Vec<Rematerialized>,
    /// How long the program as a whole takes.
    pub whole_ps: u64,
    pub memory: Measured,
    pub peak_bytes: u64,
}

impl RematerializedProgram {
    /// The time of a step. For a program that runs in parts, it is that of all parts.
    pub fn step_ps(&self) -> u64 {
        self.memory.step_ps.unwrap_or(self.whole_ps)
    }

    /// How good it is, if it fits.
    pub fn worth(&self) -> Worth {
        Worth { step_ps: self.step_ps(), bytes: self.peak_bytes }
    }
}

/// A set of ops to rematerialize, with the program that was made for it and measured.
struct Tried {
    set: BTreeSet<OpId>,
    made: Rewritten,
    time_ps: u64,
    memory: Measured,
    peak_bytes: u64,
}

impl Tried {
    fn worth(&self) -> Worth {
        Worth { step_ps: self.time_ps, bytes: self.peak_bytes }
    }
}

/// What a local program could rematerialize.
pub struct Outside<'a> {
    model: &'a Model,
    memory: &'a PeakMemo<'a>,
    local: &'a LocalProgram,
    /// Forward ops that may be taken, with the time of each and the bytes of its results.
    ops: BTreeMap<OpId, (u64, u64)>,
    /// Ops that move nothing and compute nothing: rematerialized whenever something that reads them is.
    free: BTreeSet<OpId>,
    /// By op: those of `ops` that its operands are made of.
    reads: BTreeMap<OpId, Vec<OpId>>,
    /// Those that ops after the forward pass read.
    later: BTreeSet<OpId>,
    there: There,
    /// Writes `local` down with its certificate, where it is without one.
    whole: Box<dyn Fn() -> LocalProgram + 'a>,
}

/// What is in memory at the fullest moment of the program in which nothing is rematerialized.
#[derive(Default)]
struct There {
    /// Bytes that any program holds then, whatever is rematerialized in it.
    bytes: u64,
    /// By op that may be taken: bytes of its results.
    by: BTreeMap<OpId, u64>,
    /// Ops that are computed then: without them there may be no such moment.
    ops: Vec<OpId>,
}

impl<'a> Outside<'a> {
    /// `measured` says what a device holds for `local`, and `whole` writes that down with its certificate.
    pub fn new(
        model: &'a Model,
        memory: &'a PeakMemo<'a>,
        local: &'a LocalProgram,
        measured: &Measured,
        whole: Box<dyn Fn() -> LocalProgram + 'a>,
    ) -> Outside<'a> {
        let func = &local.func;
        if func.body().ops.iter().any(|&o| both_passes(func, o)) {
            let (ops, free, reads, later) = Default::default();
            let there = There { bytes: measured.bytes(), ..There::default() };
            return Outside { model, memory, local, ops, free, reads, later, there, whole };
        }
        let decisive = decisive_sums(func);
        let (mut ops, mut free) = (BTreeMap::new(), BTreeSet::new());
        for &o in &func.body().ops {
            let data = func.op(o);
            match data.op {
                _ if data.phase != Phase::Forward => {}
                Op::Repeat { .. } => {}
                _ if data.results.iter().any(|v| decisive.contains(v)) => {}
                _ if data.op.is_free() => {
                    free.insert(o);
                }
                _ => {
                    let bytes = data.results.iter().map(|&r| func.ty(r).bytes()).sum();
                    ops.insert(o, (model.local_ps(func, o), bytes));
                }
            }
        }
        let of = |o: OpId| reads(func, o, &ops, &free);
        let later = func.body().ops.iter().filter(|&&o| func.op(o).phase != Phase::Forward);
        let later = later.flat_map(|&o| of(o)).collect();
        let reads = ops.keys().map(|&o| (o, of(o))).collect();
        let there = There::of(func, measured, &ops);
        Outside { model, memory, local, ops, free, reads, later, there, whole }
    }

    /// The fastest program found that holds at most `budget` bytes; where none does, the smallest.
    pub fn within(&self, budget: u64) -> RematerializedProgram {
        self.found(budget, None)
    }

    /// The same, or `None` if no program fits or all that fit take as long as `longest`. Programs that do not fit, or take as long,
    /// are not measured.
    pub fn fitting(&self, budget: u64, longest: u64) -> Option<RematerializedProgram> {
        // Inputs and the stashes of loops are live, whatever is rematerialized outside of loops.
        let stays = || if self.memory.parts().is_none() { bytes_at_least(&self.local.func) } else { 0 };
        if self.holds_at_least(self.ops.keys()) > budget || stays() > budget {
            return None;
        }
        Some(self.found(budget, Some(longest))).filter(|p| p.peak_bytes <= budget)
    }

    /// If there is a bound on time and nothing fits, the smallest program is not searched for.
    fn found(&self, budget: u64, longest: Option<u64>) -> RematerializedProgram {
        let order = self.order();
        let worth: BTreeSet<OpId> = order.iter().copied().filter(|o| self.ops.contains_key(o)).collect();
        if worth.len() <= effort::OPS_ENUMERATED {
            let all: Vec<OpId> = worth.into_iter().collect();
            let sets =
                (0..1u32 << all.len()).map(|m| (0..all.len()).filter(|i| m >> i & 1 == 1).map(|i| all[i]).collect());
            return self.certified(self.best(budget, sets, longest));
        }
        let first = |n: usize| order[..n].iter().copied().collect::<BTreeSet<OpId>>();
        let (mut low, mut high) = (0, order.len());
        let mut best = self.tried(first(high));
        if best.peak_bytes > budget {
            // To rematerialize more does not always take less memory, since rematerialized values are live too.
            let some = (0..=8).map(|i| first(order.len() * i / 8));
            best = self.best(budget, some, longest.map(|_| u64::MAX));
            if best.peak_bytes > budget {
                return self.certified(best);
            }
            high = (0..=8).map(|i| order.len() * i / 8).find(|&n| self.fits(&first(n), budget)).unwrap_or(high);
        }
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.fits(&first(middle), budget) { high = middle } else { low = middle }
        }
        let mut set = first(high);
        let mut by_cost: Vec<OpId> = set.iter().copied().collect();
        by_cost.sort_by_key(|o| (std::cmp::Reverse(self.ops.get(o).map_or(0, |x| x.0)), *o));
        for o in by_cost.into_iter().take(effort::TRIES) {
            set.remove(&o);
            if !self.fits(&set, budget) {
                set.insert(o);
            }
        }
        let found = self.tried(set);
        let better = best.peak_bytes > budget || is_better(found.worth(), best.worth(), 0);
        self.certified(if found.peak_bytes <= budget && better { found } else { best })
    }

    /// A lower bound on the bytes that a device holds with these ops rematerialized, and with those that cost nothing.
    fn holds_at_least<'o>(&self, set: impl Iterator<Item = &'o OpId>) -> u64 {
        self.there.without(set)
    }

    /// The program of the least peak. Not the one in which the most is rematerialized: what is recomputed is live too, and where everything
    /// is copied the backward pass holds what the forward pass did.
    pub fn full(&self) -> RematerializedProgram {
        self.within(0)
    }

    /// The fastest among `sets` and the empty set that fits. If none fits and there is no bound on time, it is the smallest. A program that is slower
    /// than one that fits is not measured, since measuring takes longer than timing.
    fn best(&self, budget: u64, sets: impl Iterator<Item = BTreeSet<OpId>>, longest: Option<u64>) -> Tried {
        let none = self.tried(BTreeSet::new());
        let with_bound = sets.map(|set| (self.holds_at_least(set.iter()), set));
        let (enough, less): (Vec<_>, Vec<_>) = with_bound.partition(|(bound, _)| *bound <= budget);
        // Sets that cannot fit by their lower bound are tried only if nothing fits, since one of them may be the smallest.
        let enough = enough.into_iter().map(|(_, set)| set).collect();
        let best = self.best_of(budget, enough, none, longest);
        if best.peak_bytes <= budget || longest.is_some() { best } else { self.smallest_of(less, best) }
    }

    /// The smallest of some sets, each with the bytes that it holds at least, and of `best`.
    fn smallest_of(&self, mut sets: Vec<(u64, BTreeSet<OpId>)>, mut best: Tried) -> Tried {
        sets.sort_by_key(|x| x.0);
        for (bound, set) in sets {
            if bound > best.peak_bytes {
                break;
            }
            let c = self.tried(set);
            if (c.peak_bytes, c.time_ps) < (best.peak_bytes, best.time_ps) {
                best = c;
            }
        }
        best
    }

    /// The best of some sets and of `none`; sets whose programs take `longest` are not measured.
    fn best_of(&self, budget: u64, sets: Vec<BTreeSet<OpId>>, none: Tried, longest: Option<u64>) -> Tried {
        let mut best = none;
        let key = |c: &Tried| match c.peak_bytes <= budget {
            true => (false, c.time_ps, c.peak_bytes),
            false => (true, c.peak_bytes, c.time_ps),
        };
        // Programs are large, and few of them are measured: those are made a second time.
        let mut timed: Vec<(u64, BTreeSet<OpId>)> =
            sets.into_iter().map(|set| (self.time(&self.made(&set)), set)).collect();
        timed.sort_by_key(|x| x.0);
        for (time_ps, set) in timed {
            if (best.peak_bytes <= budget && time_ps > best.time_ps) || longest.is_some_and(|most| time_ps >= most) {
                break;
            }
            let made = self.made(&set);
            let c = self.measured(set, made, time_ps);
            if key(&c) < key(&best) {
                best = c;
            }
        }
        best
    }

    fn fits(&self, set: &BTreeSet<OpId>, budget: u64) -> bool {
        self.holds_at_least(set.iter()) <= budget && self.held(&self.made(set)).bytes() <= budget
    }

    /// The program with the ops of `set` rematerialized, and those that are free.
    fn made(&self, set: &BTreeSet<OpId>) -> Rewritten {
        let rematerialized = if set.is_empty() { BTreeSet::new() } else { set.union(&self.free).copied().collect() };
        rewrite(&self.local.func, &rematerialized)
    }

    /// How long a step of it takes.
    fn time(&self, made: &Rewritten) -> u64 {
        cost::simulate(self.model, &made.func).step_ps
    }

    /// What a device holds for it.
    fn held(&self, made: &Rewritten) -> Measured {
        self.memory.of(&made.func, &self.model.target)
    }

    fn tried(&self, set: BTreeSet<OpId>) -> Tried {
        let made = self.made(&set);
        let time_ps = self.time(&made);
        self.measured(set, made, time_ps)
    }

    fn measured(&self, set: BTreeSet<OpId>, made: Rewritten, time_ps: u64) -> Tried {
        let memory = self.held(&made);
        let peak_bytes = memory.bytes();
        Tried { set, made, time_ps, memory, peak_bytes }
    }

    /// A choice as a program with its certificate.
    fn certified(&self, tried: Tried) -> RematerializedProgram {
        let Tried { set, made, time_ps, memory, peak_bytes } = tried;
        let written = self.local.is_brief().then(|| (self.whole)());
        let whole = written.as_ref().unwrap_or(self.local);
        let values = |&o: &OpId| self.local.func.op(o).results.iter().copied();
        let rematerialized = set.iter().flat_map(values).map(|v| Rematerialized {
            global: whole.certificate.values[v.index()].global,
            bytes: self.local.func.ty(v).bytes(),
        });
        let local = made.certified(whole);
        RematerializedProgram { local, rematerialized: rematerialized.collect(), whole_ps: time_ps, memory, peak_bytes }
    }

    /// Ops that free something, each given those before it; the most bytes for the least time first. What stands between an op
    /// and the values from which it is recomputed comes along, as far as that is better than keeping it.
    pub fn order(&self) -> Vec<OpId> {
        let mut taken: BTreeSet<OpId> = BTreeSet::new();
        let mut kept = self.kept(&taken);
        let mut order = Vec::new();
        while order.len() < effort::OPS_TAKEN {
            let open = kept.iter().filter(|o| !taken.contains(o));
            let Some((_, group)) = open.filter_map(|&o| self.worth(o, &kept, &taken)).max_by(|a, b| {
                // The later op where it makes no difference: the backward pass comes to it sooner.
                a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1))
            }) else {
                break;
            };
            taken.extend(&group);
            order.extend(&group);
            kept = self.kept_with(&taken);
        }
        order
    }

    /// Bytes per time that are freed by rematerializing `o`, and what is rematerialized for it, itself first.
    fn worth(&self, o: OpId, kept: &BTreeSet<OpId>, taken: &BTreeSet<OpId>) -> Option<(u128, Vec<OpId>)> {
        let mut group = vec![o];
        let mut best: Option<(u128, Vec<OpId>)> = None;
        for _ in 0..effort::STEPS_BACK {
            let there = |p: &OpId| kept.contains(p) || taken.contains(p) || group.contains(p);
            let missing: BTreeSet<OpId> =
                group.iter().flat_map(|g| &self.reads[g]).filter(|p| !there(p)).copied().collect();
            let more: u64 = missing.iter().map(|p| self.ops[p].1).sum();
            let time: u64 = group.iter().map(|p| self.ops[p].0).sum();
            if let Some(freed) = self.ops[&o].1.checked_sub(more).filter(|&n| n > 0) {
                let worth = u128::from(freed) * 1_000_000 / u128::from(time.max(1));
                if best.as_ref().is_none_or(|b| worth > b.0) {
                    best = Some((worth, group.clone()));
                }
            }
            if missing.is_empty() {
                break;
            }
            group.extend(missing);
        }
        best
    }

    /// Ops whose results the backward pass reads, but for those of `taken`.
    fn kept(&self, taken: &BTreeSet<OpId>) -> BTreeSet<OpId> {
        self.later.iter().filter(|o| !taken.contains(o)).copied().collect()
    }

    /// The same, with what copies of the ops that are needed read.
    fn kept_with(&self, taken: &BTreeSet<OpId>) -> BTreeSet<OpId> {
        let mut kept = self.kept(taken);
        let mut open: Vec<OpId> = self.later.iter().filter(|o| taken.contains(o)).copied().collect();
        let mut seen: BTreeSet<OpId> = open.iter().copied().collect();
        while let Some(o) = open.pop() {
            for &p in &self.reads[&o] {
                if !taken.contains(&p) {
                    kept.insert(p);
                } else if seen.insert(p) {
                    open.push(p);
                }
            }
        }
        kept
    }
}

impl There {
    /// Of what is there, results of `ops` may be gone if these are rematerialized. What is known of nothing, and what has no value of the program
    /// outside of loops, may be gone too.
    fn of(func: &Func, measured: &Measured, ops: &BTreeMap<OpId, (u64, u64)>) -> There {
        let Some(fullest) = &measured.fullest else {
            let free =
                func.body().ops.iter().filter(|&&o| func.op(o).op.is_free() && func.op(o).phase == Phase::Forward);
            let free = free.flat_map(|&o| &func.op(o).results).map(|&r| func.ty(r).bytes());
            let bytes = measured.bytes().saturating_sub(free.fold(0, u64::saturating_add));
            return There { bytes, by: ops.iter().map(|(o, x)| (*o, x.1)).collect(), ..There::default() };
        };
        let mut there = There { bytes: fullest.bytes, ops: fullest.ops.clone(), ..There::default() };
        for &(value, bytes) in &fullest.buffers {
            let value = value.filter(|v| v.index() < func.values.len());
            let maker = value.and_then(|v| func.def_op(v));
            match maker.filter(|o| func.op(*o).parent == Func::BODY) {
                Some(o) if ops.contains_key(&o) => *there.by.entry(o).or_default() += bytes,
                // Kept, as what loops and the backward pass make is.
                Some(o) if value.is_some() && !func.op(o).op.is_free() => {}
                _ => there.bytes = there.bytes.saturating_sub(bytes),
            }
        }
        there
    }

    /// Bytes that are left without the results of these ops.
    fn without<'o>(&self, set: impl Iterator<Item = &'o OpId>) -> u64 {
        let mut left = self.bytes;
        for o in set {
            if self.ops.contains(o) {
                return 0;
            }
            left = left.saturating_sub(self.by.get(o).copied().unwrap_or(0));
        }
        left
    }
}

/// Whether an op is a loop over microbatches: it runs the forward pass and the backward pass, and nothing outside of it waits from
/// one to the other.
fn both_passes(func: &Func, o: OpId) -> bool {
    if !matches!(func.op(o).op, Op::Repeat { .. }) {
        return false;
    }
    let passes = func.walk(func.op(o).regions[0]).into_iter();
    let passes = passes.map(|x| func.op(x).phase == Phase::Forward && !func.op(x).is_rematerialized());
    let (mut forward, mut other) = (false, false);
    passes.for_each(|is| if is { forward = true } else { other = true });
    forward && other
}

/// Ops of `ops` whose results the operands of `o` are made of, seen through those that are free.
fn reads(func: &Func, o: OpId, ops: &BTreeMap<OpId, (u64, u64)>, free: &BTreeSet<OpId>) -> Vec<OpId> {
    let mut found = BTreeSet::new();
    let mut open: Vec<ValueId> = func.op(o).operands.clone();
    while let Some(p) = open.pop().map(|v| func.def_op(v)) {
        match p {
            Some(p) if free.contains(&p) => open.extend(&func.op(p).operands),
            Some(p) if ops.contains_key(&p) => {
                found.insert(p);
            }
            _ => {}
        }
    }
    found.into_iter().collect()
}
