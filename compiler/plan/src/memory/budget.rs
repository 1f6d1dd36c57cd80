//! The fastest plan that fits a memory budget.
//!
//! The search minimises time plus a rent for every live byte. First a rent is found that brings the peak under the budget: no
//! rent at all, then rising rents, then bisection between the last rent that was too low and the first that was not. Rents alone
//! find only plans on the convex hull of (time, memory). Stashes are few and large, so the best plan is often not on it.
//!
//! Therefore single stashes are decided next. Once layouts are known, it is also known what each stash saves and what
//! recomputing it costs. All combinations are priced by that; the cheapest that should fit are solved and measured.
//!
//! Everything is bounded by counts. Nothing here knows what a plan is: candidates come from a closure, so that tests can compare
//! with brute force without a search.

use crate::effort;
use crate::moves::{self, is_better};
use std::collections::BTreeSet;

/// A request to the search.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ask {
    /// Picoseconds per KiB that is live.
    pub rent: u64,
    /// Stashes (by number) that must be recomputed, and stashes that must be kept. Others are open.
    pub rematerialized: BTreeSet<usize>,
    pub kept: BTreeSet<usize>,
}

/// A plan, as far as the budget is concerned.
#[derive(Clone, Debug)]
pub struct Candidate<P> {
    pub time_ps: u64,
    pub peak_bytes: u64,
    /// Numbers of the stashes that are recomputed.
    pub rematerialized: BTreeSet<usize>,
    pub plan: P,
}

impl<P> Candidate<P> {
    /// How good it is, if it fits.
    pub fn worth(&self) -> moves::Worth {
        moves::Worth { step_ps: self.time_ps, bytes: self.peak_bytes }
    }
}

/// What one stash is worth, under the layouts of a candidate.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Worth {
    /// Bytes of its stack on one device.
    pub bytes: u64,
    /// Numbers of the units of work that recompute it. Stashes share units; each is done once.
    pub work: BTreeSet<usize>,
}

/// What all stashes are worth, by their number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prices {
    pub stashes: Vec<Worth>,
    /// Picoseconds of each unit of work in one step.
    pub work_ps: Vec<u64>,
}

#[derive(Clone, Debug)]
pub enum BudgetOutcome<P> {
    /// The fastest plan found within the budget.
    Fits(Candidate<P>),
    /// None fits; the smallest plan found.
    TooLarge(Candidate<P>),
}

/// Finds the fastest plan of at most `budget` bytes. `solve` plans; `prices` says what stashes are worth under a candidate. With
/// `all`, a plan that recomputes all stashes without a rent is tried as well. For stages that keep many microbatches no rent may
/// lead to that plan, and the layouts that a rent moves cost more.
///
/// # Errors
/// Those of `solve`.
pub fn within<P, E>(
    budget: u64,
    all: bool,
    solve: &mut dyn FnMut(&Ask) -> Result<Candidate<P>, E>,
    prices: &dyn Fn(&Candidate<P>) -> Prices,
) -> Result<BudgetOutcome<P>, E> {
    let free = solve(&Ask::default())?;
    if free.peak_bytes <= budget {
        return Ok(BudgetOutcome::Fits(free));
    }
    let seen = vec![(free.peak_bytes, free.rematerialized.clone())];
    let mut search = Search { budget, best: None, smallest: free, seen };
    let count = if all { prices(&search.smallest).stashes.len() } else { 0 };
    if count > 0 {
        search.take(solve(&Ask { rematerialized: (0..count).collect(), ..Ask::default() })?);
    }
    // What needs no rent leaves little to find to those that are just enough.
    let without = search.best.as_ref().map(|c| c.time_ps);
    let tries = if without.is_some() { effort::PATIENCE } else { effort::TRIES };
    let mut rent = search.relax(without, all.then_some(effort::PATIENCE), solve)?;
    if without.is_some() && without == search.best.as_ref().map(|c| c.time_ps) {
        rent = 0;
    }
    let worth = prices(search.best.as_ref().unwrap_or(&search.smallest));
    if search.best.is_none() {
        // Rent also moves layouts; it may be that only all recomputation together fits.
        let rematerialized = (0..worth.stashes.len()).collect();
        search.take(solve(&Ask { rent, rematerialized, ..Ask::default() })?);
    }
    match worth.stashes.len() {
        0 => {}
        n if n <= effort::STASHES_PRICED => search.enumerate(rent, tries, &worth, solve)?,
        _ => search.repair(rent, tries, &worth, solve)?,
    }
    Ok(match search.best {
        Some(c) => BudgetOutcome::Fits(c),
        None => BudgetOutcome::TooLarge(search.smallest),
    })
}

struct Search<P> {
    budget: u64,
    best: Option<Candidate<P>>,
    smallest: Candidate<P>,
    /// Peaks so far, and what was recomputed.
    seen: Vec<(u64, BTreeSet<usize>)>,
}

impl<P> Search<P> {
    /// Takes note of a candidate; says whether it fits.
    fn take(&mut self, c: Candidate<P>) -> bool {
        self.seen.push((c.peak_bytes, c.rematerialized.clone()));
        let fits = c.peak_bytes <= self.budget;
        if fits {
            if self.best.as_ref().is_none_or(|b| is_better(c.worth(), b.worth(), 0)) {
                self.best = Some(c);
            }
        } else if c.peak_bytes < self.smallest.peak_bytes {
            self.smallest = c;
        }
        fits
    }

    /// The lowest rent found that meets the budget; the highest of all where none does. A higher rent takes longer, so none is tried
    /// beyond one that takes longer than `without`, which fits; nor, but for the highest, beyond so many that are `idle`.
    fn relax<E>(
        &mut self,
        without: Option<u64>,
        idle: Option<usize>,
        solve: &mut dyn FnMut(&Ask) -> Result<Candidate<P>, E>,
    ) -> Result<u64, E> {
        let (mut low, mut high) = (0u64, None);
        let excess = self.smallest.peak_bytes.saturating_sub(self.budget) / 1024;
        let first = self.smallest.time_ps / excess.max(1) / effort::FIRST_RENT;
        let mut freed_nothing = 0;
        for i in (first.max(1).ilog2() / 3).min(effort::RENTS - 1)..effort::RENTS {
            let (rent, smallest) = (8u64.pow(i), self.smallest.peak_bytes);
            let (fits, time_ps) = self.ask(rent, solve)?;
            if without.is_some_and(|t| time_ps >= t) {
                return Ok(rent);
            }
            if fits {
                high = Some(rent);
                break;
            }
            freed_nothing = if self.smallest.peak_bytes < smallest { 0 } else { freed_nothing + 1 };
            low = rent;
            if idle.is_some_and(|most| freed_nothing >= most) {
                // Where nothing has fitted, the highest rent says whether one between would.
                let highest = 8u64.pow(effort::RENTS - 1);
                if self.best.is_none() && low < highest && self.ask(highest, solve)?.0 {
                    high = Some(highest);
                }
                break;
            }
        }
        let Some(mut high) = high else { return Ok(low) };
        // Each halving takes the root of what is left, so there are at most eight.
        let mut halvings = 0;
        while high - low > 1 + low / effort::RENT_PART && (without.is_none() || halvings < effort::FEW_HALVINGS) {
            halvings += 1;
            let middle =
                u64::try_from((u128::from(low.max(1)) * u128::from(high)).isqrt()).unwrap_or(high).max(low + 1);
            if self.ask(middle, solve)?.0 { high = middle } else { low = middle }
        }
        Ok(high)
    }

    /// What comes of a rent alone: whether it fits, and its time.
    fn ask<E>(&mut self, rent: u64, solve: &mut dyn FnMut(&Ask) -> Result<Candidate<P>, E>) -> Result<(bool, u64), E> {
        let c = solve(&Ask { rent, ..Ask::default() })?;
        let time_ps = c.time_ps;
        Ok((self.take(c), time_ps))
    }

    /// Prices every combination, and solves the cheapest of those that should fit until one does, or so many `tries` are made.
    fn enumerate<E>(
        &mut self,
        rent: u64,
        tries: usize,
        prices: &Prices,
        solve: &mut dyn FnMut(&Ask) -> Result<Candidate<P>, E>,
    ) -> Result<(), E> {
        let n = prices.stashes.len();
        // What is live beside the stacks. A peak is where it is highest, which need not be where all stacks are there, so
        // every peak seen bounds it from above.
        let beside = self
            .seen
            .iter()
            .map(|(peak, rematerialized)| peak.saturating_sub(prices.kept(mask(rematerialized), n)))
            .min();
        let beside = beside.unwrap_or(0);
        let mut bound = self.best.as_ref().map(|c| prices.work(mask(&c.rematerialized)));
        // Those that take nothing are left as they are.
        let open = (0..n).filter(|&i| prices.stashes[i].bytes > 0).fold(0, |m, i| m | 1u32 << i);
        let combinations = (0..1u32 << n).filter(|m| m & !open == 0);
        let mut order: Vec<(u64, u64, u32)> = combinations.map(|m| (prices.work(m), prices.kept(m, n), m)).collect();
        order.sort_unstable();
        // What was live beside the stacks where a combination was solved says more of those like it.
        let mut solved: Vec<(u32, u64)> = Vec::new();
        let expected = |m: u32, solved: &[(u32, u64)]| {
            let near =
                solved.iter().map(|&(t, live)| ((t ^ m).count_ones(), live)).filter(|&(far, _)| far <= effort::ALIKE);
            near.min().map_or(beside, |(_, live)| live)
        };
        for (work, kept, m) in order {
            if solved.len() == tries || bound.is_some_and(|b| work >= b) {
                break;
            }
            if expected(m, &solved).saturating_add(kept) > self.budget {
                continue;
            }
            let rematerialized: BTreeSet<usize> = (0..n).filter(|i| m >> i & 1 == 1).collect();
            let left = (0..n).filter(|i| !rematerialized.contains(i)).collect();
            let c = solve(&Ask { rent, rematerialized, kept: left })?;
            solved.push((m, c.peak_bytes.saturating_sub(kept)));
            if self.take(c) {
                bound = Some(work);
            }
        }
        Ok(())
    }

    /// Takes single recomputations back, the most expensive first, as long as the plan still fits; so many `tries`.
    fn repair<E>(
        &mut self,
        rent: u64,
        tries: usize,
        prices: &Prices,
        solve: &mut dyn FnMut(&Ask) -> Result<Candidate<P>, E>,
    ) -> Result<(), E> {
        let Some(mut rematerialized) = self.best.as_ref().map(|c| c.rematerialized.clone()) else { return Ok(()) };
        let cost = |i: &usize| {
            let others: BTreeSet<usize> =
                rematerialized.iter().filter(|&j| j != i).flat_map(|&j| &prices.stashes[j].work).copied().collect();
            prices.stashes[*i].work.difference(&others).map(|&w| prices.work_ps[w]).sum::<u64>()
        };
        let mut order: Vec<(u64, usize)> = rematerialized.iter().map(|i| (cost(i), *i)).collect();
        order.sort_unstable_by(|a, b| b.cmp(a));
        for (_, i) in order.into_iter().take(tries) {
            rematerialized.remove(&i);
            let kept = (0..prices.stashes.len()).filter(|j| !rematerialized.contains(j)).collect();
            if !self.take(solve(&Ask { rent, rematerialized: rematerialized.clone(), kept })?) {
                rematerialized.insert(i);
            }
        }
        Ok(())
    }
}

impl Prices {
    /// Bytes of the stacks of what is not recomputed.
    pub fn kept_of(&self, rematerialized: &BTreeSet<usize>) -> u64 {
        let kept = self.stashes.iter().enumerate().filter(|(i, _)| !rematerialized.contains(i));
        kept.fold(0u64, |sum, (_, s)| sum.saturating_add(s.bytes))
    }

    /// Picoseconds of recomputation.
    pub fn work_of(&self, rematerialized: &BTreeSet<usize>) -> u64 {
        let pieces: BTreeSet<usize> = rematerialized.iter().flat_map(|&i| &self.stashes[i].work).copied().collect();
        pieces.into_iter().fold(0u64, |sum, w| sum.saturating_add(self.work_ps[w]))
    }

    /// Bytes of the stacks that are kept.
    fn kept(&self, rematerialized: u32, n: usize) -> u64 {
        let kept = (0..n).filter(|i| rematerialized >> i & 1 == 0);
        kept.fold(0u64, |sum, i| sum.saturating_add(self.stashes[i].bytes))
    }

    fn work(&self, rematerialized: u32) -> u64 {
        let mut done = BTreeSet::new();
        let chosen = self.stashes.iter().enumerate().filter(|(i, _)| rematerialized >> i & 1 == 1);
        let pieces = chosen.flat_map(|(_, s)| &s.work).filter(|&&w| done.insert(w));
        pieces.fold(0u64, |sum, &w| sum.saturating_add(self.work_ps[w]))
    }
}

fn mask(set: &BTreeSet<usize>) -> u32 {
    set.iter().filter(|&&i| i < effort::STASHES_PRICED).fold(0, |m, i| m | 1 << i)
}

#[cfg(test)]
mod tests;
