//! Loops in segments. Where a budget binds, the first iterations of a loop recompute more than the rest, so that all of the
//! memory is used. Between the cheapest plan that is too large and the more expensive one that fits, this module finds the number
//! of iterations of each.
//!
//! The loop is cut in the global program ([`meshloom_ir::segments`]). The result is planned like any other program. Its search
//! starts from what was decided about the uncut program ([`image`]), and every stash is fixed to its side. Prices say which two
//! choices are worth mixing, and where the boundary should be ([`mix`]). Then the boundary moves by the measured peaks of plans.
//! Each try is one saturation and one short search of a program with at most one loop more of each kind, however many iterations
//! there are, and tries are counted.
//!
//! Both orders of the two segments are tried.
//!
//! Of a program that is cut into parts ([`crate::ask::parts`]), whoever cuts it says where the boundary should be ([`SplitPlans::in_parts`]).

pub mod mix;

use crate::ask::parts::{self, MixedParts};
use crate::decide::{Decider, Decision};
use crate::effort;
use crate::extend::prepared::Prepared;
use crate::extend::recompute::Stash;
use crate::memory::budget::Ask;
use crate::moves::{Worth, is_better};
use crate::saturate::program::SearchedProgram;
use crate::search::image::{self, Image};
use crate::search::other::DecidedElsewhere;
use crate::write::finish::finish;
use crate::{Plan, PlanError, Recompute, saturate};
use meshloom_ir::segments::{Cut, split};
use meshloom_ir::{Def, Func, Op, OpId, ValueId};
use mix::Mix;
use std::collections::{BTreeMap, BTreeSet};

/// Plans of a program whose loops are cut.
pub struct SplitPlans<'p, 'd, 'a> {
    pub global: &'p Func,
    pub whole: &'p Prepared,
    pub decider: &'p Decider<'d, 'a>,
    /// About the whole one.
    pub decided: &'p Decision,
    /// Bytes that a device may hold.
    pub budget: u64,
}

/// What the rest of a program in parts may keep.
struct Richer<'p> {
    of: OpId,
    stashes: BTreeSet<usize>,
    mixes: parts::Mixes<'p>,
    cut: MixedParts,
}

/// Loops that keep something for the backward pass of which it is open whether they do, with the numbers of that. Where the source
/// says what is recomputed, it says so of all iterations.
fn open_loops(global: &Func, whole: &Prepared) -> BTreeMap<OpId, BTreeSet<usize>> {
    let mut loops: BTreeMap<OpId, BTreeSet<usize>> = BTreeMap::new();
    for (i, s) in whole.stashes.iter().enumerate() {
        if let Def::Op(f, _) = global.value(s.stack).def
            && s.how == Recompute::Auto
        {
            loops.entry(f).or_default().insert(i);
        }
    }
    loops
}

/// Which iterations recompute more. Usually the first do: the backward pass begins with the last iterations, and their stacks
/// are gone when it comes to those that need room to recompute. But the fullest moment can be the end of the forward pass.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    MoreRecomputedFirst,
    MoreAgainLast,
}

/// A plan of a split program.
struct Made {
    worth: Worth,
    plan: Plan,
}

impl SplitPlans<'_, '_, '_> {
    /// A better plan within the budget than the whole one, if a loop is cut. Whoever has a plan that takes `longest` has no use for one that
    /// takes as long.
    ///
    /// # Errors
    /// As [`crate::plan`]'s: what is asked of the program holds for its parts.
    pub fn improve(&self, longest: u64) -> Result<Option<Plan>, Vec<PlanError>> {
        let SplitPlans { global, whole, decider, decided, budget } = *self;
        let prices = decider.prices(decided);
        let rematerialized = decider.rematerialized(&decided.solution);
        // Boundaries move by what plans hold, so what is beside the stacks is taken from this one as it is.
        let beside = decided.peak_bytes.saturating_sub(prices.kept_of(&rematerialized));
        let room = budget.saturating_sub(beside);
        let mut all: Vec<(OpId, Mix)> = Vec::new();
        for (f, group) in open_loops(global, whole) {
            let Op::Repeat { trip, .. } = global.op(f).op else { continue };
            let group: Vec<usize> = group.into_iter().collect();
            let others: BTreeSet<usize> = rematerialized.iter().copied().filter(|i| !group.contains(i)).collect();
            let mixes = mix::mixes(&prices, &group, &others, trip, room, prices.work_of(&rematerialized));
            all.extend(mixes.into_iter().map(|m| (f, m)));
        }
        all.sort_by_key(|(f, m)| (m.work, *f));
        let mut best: Option<Made> = None;
        let most = decider.options.limits.segments;
        let mut tries = if global.ops.len() <= effort::SMALL_PROGRAM && most > 0 { effort::SPLIT_TRIES } else { most };
        let mut bound = u64::MAX;
        let work = prices.work_of(&rematerialized);
        let least =
            |mix: &Mix| decided.time_ps.saturating_sub(work.saturating_sub(mix.work).saturating_mul(effort::SHORTER));
        for (f, mix) in all {
            // By price, no better than one that fits, or than what there is.
            if tries == 0 || mix.work >= bound || least(&mix) >= longest {
                break;
            }
            let mut fits = self.boundary(f, &mix, Order::MoreRecomputedFirst, &mut tries, &mut best)?;
            if !fits {
                fits = self.boundary(f, &mix, Order::MoreAgainLast, &mut tries, &mut best)?;
            }
            if fits {
                bound = mix.work;
            }
        }
        Ok(best.map(|b| b.plan))
    }

    /// A plan of a program in parts that is better than the whole one: its first layers keep what that one keeps, and the rest keeps more,
    /// since the parts that have it wait for fewer microbatches. `cutter`, which makes the parts, says how many layers each has.
    ///
    /// # Errors
    /// Those of [`SplitPlans::improve`].
    pub fn in_parts(&self, cutter: &dyn parts::Parts) -> Result<Option<Plan>, Vec<PlanError>> {
        let SplitPlans { global, whole, decider, decided, budget } = *self;
        // A list that is in parts has several kinds of layers already, and its loops do not begin with layer 0.
        if global.inputs.iter().any(|p| p.first_layer > 0) {
            return Ok(None);
        }
        let prices = decider.prices(decided);
        let rematerialized = decider.rematerialized(&decided.solution);
        let lean = |group: &BTreeSet<usize>| rematerialized.intersection(group).copied().collect::<BTreeSet<usize>>();
        let loops = open_loops(global, whole);
        let mut choices = Vec::new();
        for (&of, group) in &loops {
            let others: BTreeSet<usize> = rematerialized.difference(group).copied().collect();
            choices.extend(
                mix::richer(&prices, &lean(group), effort::RICH)
                    .into_iter()
                    .map(|stashes| (of, stashes, others.clone())),
            );
        }
        let ask = |(_, stashes, others): &(OpId, BTreeSet<usize>, BTreeSet<usize>)| {
            let rematerialized: BTreeSet<usize> = stashes.union(others).copied().collect();
            let kept = (0..whole.stashes.len()).filter(|i| !rematerialized.contains(i)).collect();
            Ask { rent: decided.rent, rematerialized, kept }
        };
        let asks: Vec<Ask> = choices.iter().map(ask).collect();
        let made = decider.as_asked(&asks, decided).map_err(|e| vec![e])?;
        let asked: Vec<_> =
            choices.into_iter().zip(made).filter_map(|((of, stashes, _), local)| Some((of, stashes, local?))).collect();
        let locals: Vec<&Func> = asked.iter().map(|a| &a.2.func).collect();
        let all = cutter.mixes(&decided.local.func, &locals);
        let richer = asked.iter().zip(all).filter_map(|((of, stashes, _), mixes)| {
            let mixes = mixes?;
            let cut = mixes(0)?;
            Some(Richer { of: *of, stashes: stashes.clone(), mixes, cut })
        });
        let mut richer: Vec<Richer<'_>> = richer.collect();
        richer.sort_by(|a, b| (a.cut.step_ps, &a.stashes).cmp(&(b.cut.step_ps, &b.stashes)));
        let (mut best, mut now, mut tries): (Option<Made>, Worth, usize) = (None, decided.worth(), effort::MIXED);
        for Richer { of, stashes, mixes, mut cut } in richer {
            let Op::Repeat { trip, .. } = global.op(of).op else { continue };
            let (mut spare, mut repairs) = (0u64, effort::PATIENCE);
            while tries > 0 && cut.step_ps < now.step_ps && (1..trip).contains(&cut.first) {
                tries -= 1;
                let first = loops.get(&of).map(&lean).unwrap_or_default();
                let mix = Mix { first, rest: stashes.clone(), k: cut.first, work: 0, less: 0 };
                let Some(made) = self.plan(of, &mix, Order::MoreRecomputedFirst, Some(&cut), cut.first)? else { break };
                if made.worth.bytes <= budget {
                    if is_better(made.worth, now, 0) {
                        (now, best) = (made.worth, Some(made));
                    }
                    break;
                }
                // What the lines say of a device may be too little: more is left until another cut comes of it.
                let over = made.worth.bytes - budget;
                let mut next = Some(cut.clone());
                while repairs > 0 && next.as_ref() == Some(&cut) {
                    (repairs, spare) = (repairs - 1, spare.saturating_add(over));
                    next = mixes(spare);
                }
                let Some(next) = next.filter(|next| *next != cut) else { break };
                cut = next;
            }
        }
        Ok(best.map(|b| b.plan))
    }

    /// Moves the boundary of `mix` to the least number of iterations that recompute more and fit, by the memory of plans; says
    /// whether any did.
    fn boundary(
        &self,
        f: OpId,
        mix: &Mix,
        order: Order,
        tries: &mut usize,
        best: &mut Option<Made>,
    ) -> Result<bool, Vec<PlanError>> {
        let Op::Repeat { trip, .. } = self.global.op(f).op else { return Ok(false) };
        let (mut low, mut high, mut k) = (0, trip, mix.k);
        while *tries > 0 && low < k && k < high {
            *tries -= 1;
            let Some(made) = self.plan(f, mix, order, None, k)? else { return Ok(false) };
            let (peak, step) = (made.worth.bytes, mix.less.max(1));
            if peak <= self.budget {
                high = k;
                k = k.saturating_sub(((self.budget - peak) / step).max(1)).max(low + 1);
                if best.as_ref().is_none_or(|b| is_better(made.worth, b.worth, 0)) {
                    *best = Some(made);
                }
            } else {
                // Not even all iterations would save that much: this is not the plan that was thought of.
                if peak - self.budget > step.saturating_mul(trip - k) {
                    return Ok(high < trip);
                }
                low = k;
                k = k.saturating_add((peak - self.budget).div_ceil(step)).min(high - 1);
            }
        }
        Ok(high < trip)
    }

    /// The layouts of the decision about the whole, as layouts of the parts.
    fn near(&self, parts: &SearchedProgram<'_>, image: &Image) -> saturate::Within {
        let mut near = saturate::Within::default();
        let solution = &self.decided.solution;
        for (i, w) in image.values.iter().enumerate() {
            let v = ValueId(i as u32);
            let Some(w) = w.map(|w| self.decider.program.rep(w)).filter(|_| parts.live(v)) else { continue };
            // A part of what lies along the layers is one of what that is converted to for the loop.
            let added = parts.func.def_op(v).is_some_and(|o| image.ops[o.index()].is_none());
            let converted = solution.conversions.get(&w).filter(|_| added).into_iter().flatten().map(|c| &c.to);
            for l in solution.native.get(&w).into_iter().chain(converted) {
                let layouts: &mut Vec<_> = near.entry(parts.rep(v)).or_default();
                if !layouts.contains(l) {
                    layouts.push(l.clone());
                }
            }
        }
        near
    }

    /// The plan of the program in which `k` iterations of `f` recompute more, and are a segment of their own. `mixed`: the cut that it is of.
    fn plan(
        &self,
        f: OpId,
        mix: &Mix,
        order: Order,
        mixed: Option<&MixedParts>,
        k: u64,
    ) -> Result<Option<Made>, Vec<PlanError>> {
        let Op::Repeat { trip, .. } = self.global.op(f).op else { return Ok(None) };
        let (k, sides) = match order {
            Order::MoreRecomputedFirst => (k, [&mix.first, &mix.rest]),
            Order::MoreAgainLast => (trip - k, [&mix.rest, &mix.first]),
        };
        let cut = Cut { repeat: f, at: vec![k] };
        let Ok(split) = split(self.global, std::slice::from_ref(&cut)) else { return Ok(None) };
        let options = self.decider.options;
        let parts = Prepared::new(&split.func, options);
        let image = image::image(&self.whole.ext, self.global.ops.len(), &split, &parts.ext);
        let program = SearchedProgram::new(&parts.ext, options)?;
        let saturation = saturate::within(&program, options, &self.near(&program, &image));
        let side = |s: &Stash| -> Option<(usize, bool)> {
            let arg = split.values[s.arg.index()];
            let whole = self.whole.stashes.iter().position(|w| w.arg == arg)?;
            let Def::Arg(body, _) = split.func.value(s.arg).def else { return None };
            let of = sides[usize::from(split.segments[body.index()] != Some(0))];
            Some((whole, of.contains(&whole)))
        };
        let mut ask = Ask { rent: self.decided.rent, ..Ask::default() };
        for (i, s) in parts.stashes.iter().enumerate() {
            match side(s) {
                Some((_, true)) => ask.rematerialized.insert(i),
                _ => ask.kept.insert(i),
            };
        }
        let decider = Decider {
            program: &program,
            saturation: &saturation,
            stashes: &parts.stashes,
            given: split.func.ops.len(),
            followed: None,
            mixed,
            ..*self.decider
        };
        let whole = DecidedElsewhere { solution: &self.decided.solution, program: self.decider.program, image: &image };
        let Ok(decision) = decider.near(&ask, &whole) else { return Ok(None) };
        let worth = decision.worth();
        let lower_bound = self.decided.lower_bound;
        let mut plan = finish(&split.func, &parts, &decider, Decision { lower_bound, ..decision });
        plan.certificate.cuts = vec![cut];
        // A value of both segments is one tensor to the reader, where it lies the same in both.
        let mut seen = BTreeSet::new();
        plan.tensors.retain(|t| {
            let port = t.role.is_some() || t.is_output;
            port || seen.insert((split.values[t.global.index()], t.layout.clone()))
        });
        for s in &mut plan.stashes {
            let body = program.region_of(s.global);
            match split.segments.get(body.index()).copied().flatten() {
                Some(0) => (s.iterations, s.of) = (0..k, trip),
                Some(_) => (s.iterations, s.of) = (k..trip, trip),
                None => {}
            }
        }
        plan.stashes.sort_by_key(|s| s.iterations.start);
        plan.split = Some(split);
        Ok(Some(Made { worth, plan }))
    }
}

#[cfg(test)]
mod tests;
