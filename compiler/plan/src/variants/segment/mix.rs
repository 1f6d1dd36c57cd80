//! A mix of two choices of what is recomputed: one for the first iterations of a loop, one for the rest. It is found which two,
//! and how many iterations each, so that stacks take at most so many bytes and recomputation takes the least time.
//!
//! Mixes are compared by price alone: stacks grow with iterations, and so does work. The caller measures the peak of a plan and
//! moves the boundary.

use crate::effort;
use crate::memory::budget::Prices;
use std::collections::BTreeSet;

/// The first `k` iterations rematerialize `first`, the others `rest`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mix {
    pub first: BTreeSet<usize>,
    pub rest: BTreeSet<usize>,
    pub k: u64,
    /// Picoseconds of recomputation in one step.
    pub work: u64,
    /// Bytes that an iteration holds less in the first segment than in the second.
    pub less: u64,
}

/// A choice: what it recomputes, the work, and the bytes it keeps.
struct Point {
    rematerialized: BTreeSet<usize>,
    work: u64,
    kept: u64,
}

/// Mixes for a loop of `trip` iterations with the stashes `group`, where `others` of other loops are recomputed and all
/// stacks may take `room` bytes: the least work first, fewer iterations first among equals, only those that do less than `bound`.
pub fn mixes(prices: &Prices, group: &[usize], others: &BTreeSet<usize>, trip: u64, room: u64, bound: u64) -> Vec<Mix> {
    let points = frontier(prices, group, others);
    let n = u128::from(trip);
    let mut out = Vec::new();
    for much in &points {
        for little in points.iter().filter(|p| p.kept < much.kept && much.kept > room) {
            // k little + (n - k) much <= n room. Stacks of the last segment are gone when the backward pass comes to the first
            // one, so that one iteration less may do where all of them would just fit.
            let k = (n * u128::from(much.kept - room)).div_ceil(u128::from(much.kept - little.kept));
            let k = if k == n { n.saturating_sub(1) } else { k };
            if k == 0 || k > n {
                continue;
            }
            let work = (u128::from(little.work) * k + u128::from(much.work) * (n - k)).div_ceil(n);
            let work = u64::try_from(work).unwrap_or(u64::MAX);
            if work < bound {
                out.push(Mix {
                    first: little.rematerialized.clone(),
                    rest: much.rematerialized.clone(),
                    k: k as u64,
                    work,
                    less: (much.kept - little.kept) / trip,
                });
            }
        }
    }
    out.sort_by(|a, b| (a.work, a.k, &a.first, &a.rest).cmp(&(b.work, b.k, &b.first, &b.rest)));
    out
}

/// Choices that keep more than `lean` does, of stashes that it recomputes: at most `most` of them, the one that recomputes nothing
/// first, and then the ones that do so for the least work.
pub fn richer(prices: &Prices, lean: &BTreeSet<usize>, most: usize) -> Vec<BTreeSet<usize>> {
    let group: Vec<usize> = lean.iter().copied().collect();
    let points = frontier(prices, &group, &BTreeSet::new());
    let points: Vec<BTreeSet<usize>> = points.into_iter().map(|p| p.rematerialized).filter(|r| r != lean).collect();
    // By what they keep: evenly spread, the last one keeps all.
    let n = points.len();
    let mut out: Vec<BTreeSet<usize>> =
        (1..=most.min(n)).rev().map(|i| points[i * n / most.min(n) - 1].clone()).collect();
    out.dedup();
    out
}

/// Choices of which no other keeps less for as little work, by what they keep.
fn frontier(prices: &Prices, group: &[usize], others: &BTreeSet<usize>) -> Vec<Point> {
    let point = |chosen: BTreeSet<usize>| {
        let rematerialized: BTreeSet<usize> = others.union(&chosen).copied().collect();
        Point { work: prices.work_of(&rematerialized), kept: prices.kept_of(&rematerialized), rematerialized }
    };
    let mut points: Vec<Point> = if group.len() <= effort::STASHES_MIXED {
        let subset = |m: u32| group.iter().enumerate().filter(|(i, _)| m >> i & 1 == 1).map(|(_, &s)| s).collect();
        (0..1u32 << group.len()).map(|m| point(subset(m))).collect()
    } else {
        chain(prices, group, others).into_iter().map(point).collect()
    };
    points.sort_by(|a, b| (a.kept, a.work, &a.rematerialized).cmp(&(b.kept, b.work, &b.rematerialized)));
    let mut best = u64::MAX;
    points.retain(|p| {
        p.work < best && {
            best = p.work;
            true
        }
    });
    points
}

/// From nothing to all of `group`, one more at a time: the one that costs least for what it saves.
fn chain(prices: &Prices, group: &[usize], others: &BTreeSet<usize>) -> Vec<BTreeSet<usize>> {
    let mut all = vec![BTreeSet::new()];
    let mut chosen: BTreeSet<usize> = BTreeSet::new();
    let with = |chosen: &BTreeSet<usize>, s: Option<usize>| -> BTreeSet<usize> {
        chosen.iter().chain(others).copied().chain(s).collect()
    };
    while chosen.len() < group.len() {
        let now = prices.work_of(&with(&chosen, None));
        let price = |s: usize| {
            let more = prices.work_of(&with(&chosen, Some(s))) - now;
            // Work per byte, in thousandths.
            u128::from(more) * 1000 / u128::from(prices.stashes[s].bytes.max(1))
        };
        let open = group.iter().copied().filter(|s| !chosen.contains(s));
        let Some((_, next)) = open.map(|s| (price(s), s)).min() else { break };
        chosen.insert(next);
        all.push(chosen.clone());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::budget::Worth;

    /// Stashes that share work; every mix is compared with all pairs of subsets at all boundaries.
    #[test]
    fn the_best_mix_is_found() {
        let mut state = 1u64;
        let mut next = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % n
        };
        let mut found = 0;
        for _ in 0..200 {
            let n = 1 + next(4) as usize;
            let trip = 2 + next(5);
            let stash = |next: &mut dyn FnMut(u64) -> u64| Worth {
                bytes: trip * (1 + next(20)),
                work: (0..3).filter(|_| next(2) == 0).map(|i| i as usize).collect(),
            };
            let stashes = (0..n).map(|_| stash(&mut next)).collect();
            let prices = Prices { stashes, work_ps: (0..3).map(|_| trip * (1 + next(30))).collect() };
            let all: u64 = prices.stashes.iter().map(|s| s.bytes).sum();
            let room = next(all);
            let group: Vec<usize> = (0..n).collect();
            let none = BTreeSet::new();
            let subset = |m: u32| -> BTreeSet<usize> { (0..n).filter(|i| m >> i & 1 == 1).collect() };
            let mut best = u64::MAX;
            for (a, b) in (0..1u32 << n).flat_map(|a| (0..1u32 << n).map(move |b| (subset(a), subset(b)))) {
                for k in 1..trip {
                    let kept = k * prices.kept_of(&a) + (trip - k) * prices.kept_of(&b);
                    if kept <= trip * room {
                        best = best.min((k * prices.work_of(&a) + (trip - k) * prices.work_of(&b)).div_ceil(trip));
                    }
                }
            }
            let whole = (0..1u32 << n).map(subset).filter(|s| prices.kept_of(s) <= room);
            let bound = whole.map(|s| prices.work_of(&s)).min().unwrap_or(u64::MAX);
            let made = mixes(&prices, &group, &none, trip, room, bound);
            assert!(made.iter().all(|m| m.k > 0 && m.k < trip));
            let kept = |m: &Mix| m.k * prices.kept_of(&m.first) + (trip - m.k) * prices.kept_of(&m.rest);
            let mut fit = made.iter().filter(|m| kept(m) <= trip * room);
            match fit.next() {
                Some(m) => assert_eq!(m.work, best),
                None => assert!(best >= bound, "{best} {bound}"),
            }
            // Others are one iteration short.
            assert!(made.iter().all(|m| kept(m) <= trip * room || m.k + 1 == trip));
            found += usize::from(!made.is_empty());
        }
        assert!(found > 50, "{found}");
    }

    #[test]
    fn richer_choices_keep_more_and_more() {
        let stashes = (0..6).map(|i| Worth { bytes: 100 + i as u64, work: [i].into() }).collect();
        let prices = Prices { stashes, work_ps: (0..6).map(|i| 10 * (i + 1)).collect() };
        let lean: BTreeSet<usize> = (0..5).collect();
        let all = richer(&prices, &lean, 4);
        assert_eq!((all.len(), all.first()), (4, Some(&BTreeSet::new())));
        assert!(all.iter().all(|r| r.is_subset(&lean) && *r != lean));
        assert!(all.windows(2).all(|w| prices.kept_of(&w[0]) > prices.kept_of(&w[1])), "{all:?}");
        assert!(richer(&prices, &BTreeSet::new(), 4).is_empty());
    }

    #[test]
    fn many_stashes_are_chained() {
        let stashes = (0..20).map(|i| Worth { bytes: 100 + i as u64, work: [i].into() }).collect();
        let prices = Prices { stashes, work_ps: (0..20).map(|i| 10 * (i + 1)).collect() };
        let group: Vec<usize> = (0..20).collect();
        let all = mixes(&prices, &group, &BTreeSet::new(), 10, 1000, u64::MAX);
        assert!(!all.is_empty());
        assert!(all.iter().all(|m| m.first.is_superset(&m.rest)));
    }
}
