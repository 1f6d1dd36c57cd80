//! The first round, by formulas, and which candidates go on to the second.
//!
//! Candidates that differ in the sizes of batch axes, stages and microbatches alone are composed of one plan. Such groups are planned in
//! waves: first those that could be fastest, and then those of which anything could still come near what was found.
//!
//! Not here: what is composed of a plan ([`super::rough`]), and the rounds behind it ([`super::choose`]).

use super::candidate::{Candidate, schedules};
use super::rough::{self, Base, Estimate};
use super::search::{Ranked, SLOWER, Search};
use crate::compiler;
use meshloom_plan::Recompute;
use std::collections::BTreeMap;

/// Candidates of a model without layers that could be stages: these are planned each.
const WHOLE: usize = 48;
/// How many of those that go on have no stages, at least, if there are so many.
const PLAIN: usize = 3;
/// Of candidates with stages those go on that are expected to take at most this part of the best one's step, in per mille. Formulas are off
/// by up to a twelfth (Llama 3 405B on 16,384 devices), and recomputing less than all layers takes up to a quarter off.
const FAR: u64 = 1400;
/// The same of what they hold, as a part of the room. A plan of its own holds less where it gathers weights for each microbatch again, but
/// not by so much.
const LARGE: u64 = 2000;

/// What came of the first round.
pub struct Rough {
    /// Estimates, the best first.
    pub ranked: Ranked,
    /// The plans that they are composed of.
    pub bases: Vec<Base>,
}

/// Candidates of one plan.
struct Group<'c> {
    /// The one that is planned.
    head: Candidate,
    of: Vec<&'c Candidate>,
    /// No candidate takes less.
    least_ps: u64,
}

impl Search<'_> {
    /// All candidates by formulas, the best first; without those that cannot come near the best.
    pub(super) fn rough(&self, candidates: &[Candidate]) -> Rough {
        if self.shape.list.is_none() {
            let own: Vec<&Candidate> =
                candidates.iter().filter(|c| c.recompute == Recompute::None).take(WHOLE).collect();
            let found = compiler::map(self.by, &own, |c| rough::whole(self.by, self.shape, c, self.settings));
            let all = found.into_iter().zip(own).filter_map(|(e, c)| Some((e?, c.clone())));
            return Rough { ranked: self.sorted(all.collect(), u64::MAX), bases: Vec::new() };
        }
        let room = self.room();
        let mut waiting = self.groups(candidates);
        let mut made = Rough { ranked: Vec::new(), bases: Vec::new() };
        if self.shape.axes.iter().any(|a| a.with.is_some()) {
            waiting = self.led(waiting, &mut made);
        }
        let mut limit = waiting.iter().map(|g| g.least_ps).min().unwrap_or(0);
        loop {
            let (now, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|g| g.least_ps <= limit);
            if now.is_empty() {
                break;
            }
            self.composed(&now, &mut made);
            let best = made.ranked.iter().filter(|r| r.0.bytes <= room).map(|r| r.0.step_ps).min();
            limit = best.map_or(u64::MAX, |best| per_mille(best, SLOWER));
            waiting = later;
        }
        made.ranked = self.sorted(made.ranked, room);
        made
    }

    /// Of very long sequences attention takes most of a step, and its axes decide more than how parameters lie. So all sizes of axes are
    /// planned with one layout block, and with the others those that came near the best. What is left to plan.
    fn led<'c>(&self, groups: Vec<Group<'c>>, made: &mut Rough) -> Vec<Group<'c>> {
        let rest = self.shape.rest;
        let inner = |c: &Candidate| {
            let mut sizes = c.sizes.clone();
            sizes[rest] = 0;
            sizes
        };
        let used = |l: usize| self.shape.layouts[l].used.iter().filter(|u| **u).count();
        let lead = (0..self.shape.layouts.len()).max_by_key(|l| used(*l)).unwrap_or(0);
        let (leading, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(|g| g.head.layout == lead);
        self.composed(&leading, made);
        let mut best: BTreeMap<Vec<u64>, u64> = BTreeMap::new();
        for (e, c) in made.ranked.iter().filter(|r| r.0.bytes <= self.room()) {
            let least = best.entry(inner(c)).or_insert(u64::MAX);
            *least = e.step_ps.min(*least);
        }
        let limit = best.values().min().map_or(u64::MAX, |least| per_mille(*least, SLOWER));
        let planned: Vec<Vec<u64>> = leading.iter().map(|g| inner(&g.head)).collect();
        let near = |g: &Group<'_>| {
            let sizes = inner(&g.head);
            !planned.contains(&sizes) || best.is_empty() || best.get(&sizes).is_some_and(|ps| *ps <= limit)
        };
        others.into_iter().filter(near).collect()
    }

    fn groups<'c>(&self, candidates: &'c [Candidate]) -> Vec<Group<'c>> {
        let rest = self.shape.rest;
        let mut groups: BTreeMap<(usize, Vec<u64>), Vec<&Candidate>> = BTreeMap::new();
        for c in candidates {
            let mut inner = c.sizes.clone();
            inner[rest] = 0;
            groups.entry((c.layout, inner)).or_default().push(c);
        }
        // One candidate represents each group: the one in the middle of the data axis, with the smallest microbatch.
        let stand_in = |of: &[&Candidate]| {
            let mut data: Vec<u64> = of.iter().map(|c| c.sizes[rest]).collect();
            data.sort_unstable();
            data.dedup();
            let middle = data[data.len() / 2];
            let own = of.iter().filter(|c| c.sizes[rest] == middle);
            own.min_by_key(|c| (c.rows, c.recompute)).map_or_else(|| of[0].clone(), |c| (*c).clone())
        };
        let group = |of: Vec<&'c Candidate>| {
            let least_ps = of.iter().map(|c| self.least_ps(c)).min().unwrap_or(0);
            Group { head: stand_in(&of), of, least_ps }
        };
        groups.into_values().map(group).collect()
    }

    /// What no plan of a candidate is below, whatever its schedule: its share of the operations, and the way of one microbatch through all
    /// stages. It leaves out all that is sent.
    fn least_ps(&self, c: &Candidate) -> u64 {
        let devices = c.sizes.iter().product::<u64>().saturating_mul(c.pipe);
        let share = u128::from(self.shape.work.least_ps(&self.settings.plan.target, devices));
        let turns = u128::from(c.pipe.max(c.microbatches));
        u64::try_from(share * turns / u128::from(c.microbatches.max(1))).unwrap_or(u64::MAX)
    }

    /// Adds the estimates of groups. Where stages that recompute nothing have no room, the model is planned as well with all layers
    /// recomputed: its stages hold something else then, and not just less.
    fn composed(&self, groups: &[Group<'_>], made: &mut Rough) {
        let heads: Vec<&Candidate> = groups.iter().map(|g| &g.head).collect();
        let bases = compiler::map(self.by, &heads, |c| Base::of(self.by, self.shape, c, self.settings));
        let lacks = |(g, base): (&Group<'_>, &Option<Base>)| {
            let base = base.as_ref()?;
            let kept = g.of.iter().filter(|c| c.pipe > 1 && c.recompute == Recompute::None);
            let large = kept.filter_map(|c| self.formula(base, c)).any(|e| e.bytes > self.room());
            let all = g.of.iter().any(|c| c.recompute == Recompute::Full);
            (large && all).then(|| Candidate { recompute: Recompute::Full, ..g.head.clone() })
        };
        let again: Vec<Option<Candidate>> = groups.iter().zip(&bases).map(lacks).collect();
        let lean = compiler::map(self.by, &again, |c| {
            c.as_ref().and_then(|c| Base::of(self.by, self.shape, c, self.settings))
        });
        for (g, (base, lean)) in groups.iter().zip(bases.iter().zip(&lean)) {
            for c in &g.of {
                let own = lean.as_ref().filter(|b| b.of.recompute == c.recompute).or(base.as_ref());
                let found = own.and_then(|base| self.formula(base, c));
                made.ranked.extend(found.map(|e| (e, (*c).clone())));
            }
        }
        made.bases.extend(bases.into_iter().chain(lean).flatten());
    }

    /// A candidate by the formulas, under its best schedule.
    fn formula(&self, base: &Base, c: &Candidate) -> Option<Estimate> {
        if c.pipe < 2 {
            return Some(base.alone(c));
        }
        let orders = schedules(c, base.layers(), self.open);
        self.best(orders.into_iter().map(|s| base.by_formula(c, s)), self.room())
    }
}

fn per_mille(of: u64, part: u64) -> u64 {
    u64::try_from(u128::from(of) * u128::from(part) / 1000).unwrap_or(u64::MAX)
}

/// The candidates that are planned at their own mesh. Those without stages have a share of their own, since formulas predict least
/// well how much of their collectives is hidden. Of those with stages, which are neither far behind the best one that has room nor far
/// too large, one half are the best of all, and the other half first the best of each class that has none yet: a layout or a kind of
/// recomputation that formulas misjudge is in the race all the same.
pub fn raced(rough: &Ranked, most: usize, room: u64) -> Vec<&Candidate> {
    let (mut plain, mut staged): (Vec<_>, Vec<_>) = rough.iter().partition(|r| r.1.pipe < 2);
    let best = staged.iter().filter(|r| r.0.bytes <= room).map(|r| r.0.step_ps).min();
    let near = |e: &Estimate, best: u64| e.step_ps <= per_mille(best, FAR) && e.bytes <= per_mille(room, LARGE);
    staged.retain(|r| best.is_none_or(|best| near(&r.0, best)));
    // The planner decides itself what these recompute, so of two that differ in that alone the first stands for both.
    let same = |a: &Candidate, b: &Candidate| Candidate { recompute: b.recompute, ..a.clone() } == *b;
    plain =
        plain.iter().enumerate().filter(|(i, r)| !plain[..*i].iter().any(|p| same(&p.1, &r.1))).map(|x| *x.1).collect();
    let first = rough.iter().take(most).filter(|r| r.1.pipe < 2).count();
    plain.truncate(if staged.is_empty() { most } else { first.max(PLAIN) });
    let share = most.saturating_sub(plain.len());
    let class = |r: &(Estimate, Candidate)| (r.1.layout, r.1.recompute, r.0.schedule.map(|s| s.name));
    let mut seen: Vec<_> = staged.iter().copied().take(share.div_ceil(2)).map(class).collect();
    let (best, rest) = staged.split_at(share.div_ceil(2).min(staged.len()));
    let mut some = best.to_vec();
    let (others, next): (Vec<_>, Vec<_>) = rest.iter().copied().partition(|r| {
        let new = !seen.contains(&class(r));
        seen.extend(new.then(|| class(r)));
        new
    });
    some.extend(others.into_iter().chain(next));
    some.truncate(share);
    some.into_iter().chain(plain).map(|r| &r.1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staged(pipe: u64, step_ps: u64, bytes: u64) -> (Estimate, Candidate) {
        let estimate = Estimate { step_ps, bytes, schedule: None };
        let sizes = vec![64 / pipe];
        (estimate, Candidate { sizes, pipe, layout: 0, rows: 1, microbatches: 8, recompute: Recompute::None })
    }

    fn pipes(all: &Ranked, most: usize) -> Vec<u64> {
        raced(all, most, 100).iter().map(|c| c.pipe).collect()
    }

    #[test]
    fn what_is_far_behind_or_far_too_large_is_not_planned() {
        let all =
            vec![staged(16, 80, 90), staged(32, 90, 95), staged(64, 113, 20), staged(8, 82, 190), staged(4, 70, 201)];
        assert_eq!(pipes(&all, 9), [16, 32, 8]);
        let with = [all.clone(), vec![staged(1, 300, 0)]].concat();
        assert_eq!(pipes(&with, 9), [16, 32, 8, 1]);
        // Where nothing has room, nothing says what is far.
        let large: Ranked = all.into_iter().map(|(e, c)| (Estimate { bytes: e.bytes + 300, ..e }, c)).collect();
        assert_eq!(pipes(&large, 9).len(), 5);
    }
}
