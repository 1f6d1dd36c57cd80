//! The search over cuts: a dynamic program for the slowest stage, then moves of single layers for the whole step.

use super::price::Lines;
use super::table::StageTable;
use std::collections::BTreeMap;

/// Rounds of moves; each takes the best of its moves.
const ROUNDS: usize = 64;

/// With at most so many layers, all numbers of layers are tried for each stage.
const FEW: usize = 512;

/// Times and bytes of all stages by their number of layers, and the room of each rank.
pub struct Problem<'a> {
    layers: u64,
    stages: usize,
    /// By stage of each way, as in [`StageTable`].
    rank_of: &'a [usize],
    ranks: usize,
    budget: i128,
    /// By stage, and by layers less one.
    ps: Vec<Vec<u64>>,
    /// By stage of each way, and by layers less one.
    bytes: Vec<Vec<u64>>,
    /// The bytes that the lines predict; and for each stage of each way, by how much the prediction was off at the numbers of
    /// layers that were measured.
    guessed: Vec<Vec<u64>>,
    known: Vec<BTreeMap<u64, i128>>,
}

impl Problem<'_> {
    pub fn new<'a>(lines: &Lines, table: &'a StageTable, ranks: usize, budget: u64) -> Problem<'a> {
        let (stages, all) = (table.stages, table.rank_of.len());
        let most = lines.layers + 1 - stages as u64;
        let costs: Vec<Vec<_>> = (0..all).map(|s| (1..=most).map(|n| lines.stage(s, n)).collect()).collect();
        let ps = costs.iter().take(stages).map(|of| of.iter().map(|c| c.microbatch()).collect()).collect();
        let bytes = costs.iter().zip(&table.slots).map(|(of, slots)| of.iter().map(|c| c.bytes(slots)).collect());
        let bytes: Vec<Vec<u64>> = bytes.collect();
        Problem {
            layers: lines.layers,
            stages,
            rank_of: &table.rank_of,
            ranks,
            budget: i128::from(budget),
            ps,
            guessed: bytes.clone(),
            bytes,
            known: vec![BTreeMap::new(); all],
        }
    }

    /// Corrects the lines by a measurement: with these sizes, ranks hold so many bytes. The error of the lines for a rank is
    /// divided among its stages. For other numbers of layers, a stage has the same error as at the nearest number that was
    /// measured.
    pub fn learn(&mut self, sizes: &[u64], memory: &[u64]) {
        for (rank, held) in memory.iter().enumerate() {
            let own: Vec<usize> = self.own(rank).collect();
            let size = |s: usize| sizes[s % self.stages];
            let guess = |s: usize| self.guessed[s].get(size(s) as usize - 1).map_or(0, |g| i128::from(*g));
            let off = i128::from(*held) - own.iter().map(|s| guess(*s)).sum::<i128>();
            // The sum of all shares is what the rank is off by.
            let mut rest = off;
            for (k, &s) in own.iter().enumerate() {
                let share = rest.div_euclid((own.len() - k) as i128);
                rest -= share;
                self.known[s].insert(sizes[s % self.stages], share);
            }
        }
        for ((known, row), line) in self.known.iter().zip(&mut self.bytes).zip(&self.guessed) {
            for (at, (own, guess)) in (1u64..).zip(row.iter_mut().zip(line)) {
                let off = known.iter().min_by_key(|k| k.0.abs_diff(at)).map_or(0, |k| *k.1);
                *own = u64::try_from((i128::from(*guess) + off).max(0)).unwrap_or(u64::MAX);
            }
        }
    }

    /// The stages of all ways that a rank has.
    fn own(&self, rank: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.rank_of.len()).filter(move |s| self.rank_of[*s] == rank)
    }

    fn stage_bytes(&self, s: usize, n: u64) -> i128 {
        self.bytes[s].get(n as usize - 1).map_or(i128::MAX / 4, |b| i128::from(*b))
    }

    /// What a rank holds.
    fn rank_bytes(&self, sizes: &[u64], rank: usize) -> i128 {
        self.own(rank).map(|s| self.stage_bytes(s, sizes[s % self.stages])).sum()
    }

    /// What the rank with most to do takes for a microbatch, and then how unlike all ranks are.
    fn busiest(&self, sizes: &[u64]) -> (u64, u128) {
        let mut busy = vec![0u64; self.ranks];
        for (s, n) in sizes.iter().enumerate() {
            busy[self.rank_of[s]] = busy[self.rank_of[s]].saturating_add(self.ps[s][*n as usize - 1]);
        }
        let squares = busy.iter().fold(0u128, |n, b| n.saturating_add(u128::from(*b) * u128::from(*b)));
        (busy.iter().copied().max().unwrap_or(0), squares)
    }

    pub fn fits(&self, sizes: &[u64]) -> bool {
        (0..self.ranks).all(|r| self.rank_bytes(sizes, r) <= self.budget)
    }

    /// The cut whose slowest stage is fastest, and then whose stages are most alike. `None` where none fits.
    pub fn slowest(&self) -> Option<Vec<u64>> {
        let stages = self.stages;
        let most = self.ps.first()?.len() as u64;
        // A stage may be as large as its rank has room for, where the rank's other stages are as small as they can be.
        let cap = |s: usize| {
            let rank = self.rank_of[s];
            let others = self.rank_bytes(&vec![1; stages], rank) - self.stage_bytes(s, 1);
            (1..=most).rev().find(|n| self.stage_bytes(s, *n) + others <= self.budget).unwrap_or(0)
        };
        let both = |s: usize| (s..self.rank_of.len()).step_by(stages).map(cap).min().unwrap_or(0);
        let mut caps: Vec<u64> = (0..stages).map(both).collect();
        loop {
            let sizes = partition(&self.ps, &caps, self.layers)?;
            let over = (0..self.ranks).find(|r| self.rank_bytes(&sizes, *r) > self.budget);
            let Some(rank) = over else { return Some(sizes) };
            let largest = self.own(rank).map(|s| s % stages).max_by_key(|s| sizes[*s])?;
            caps[largest] = sizes[largest] - 1;
        }
    }

    /// A cut whose fullest rank holds little: that of the stages that hold least, and from there single layers move to other
    /// stages for as long as it helps.
    fn leanest(&self) -> Option<Vec<u64>> {
        let stages = self.stages;
        let most = self.bytes.first()?.len() as u64;
        let mut sizes = partition(&self.bytes[..stages], &vec![most; stages], self.layers)?;
        for _ in 0..ROUNDS {
            let (now, rank) = self.fullest(&sizes);
            let from = self.own(rank).map(|s| s % stages).filter(|s| sizes[*s] > 1);
            let moves = from.flat_map(|from| (0..stages).filter(move |to| *to != from).map(move |to| (from, to)));
            let tried = moves.map(|(from, to)| {
                let mut other = sizes.clone();
                other[from] -= 1;
                other[to] += 1;
                (self.fullest(&other).0, other)
            });
            match tried.min_by_key(|t| t.0) {
                Some((held, other)) if held < now => sizes = other,
                _ => break,
            }
        }
        Some(sizes)
    }

    /// The rank that holds most, and how much.
    fn fullest(&self, sizes: &[u64]) -> (i128, usize) {
        (0..self.ranks).map(|r| (self.rank_bytes(sizes, r), r)).max().unwrap_or((0, 0))
    }

    /// What the fullest rank of a lean cut needs, and which it is.
    pub fn least(&self) -> (u64, usize) {
        let (bytes, rank) = self.leanest().map_or((0, 0), |sizes| self.fullest(&sizes));
        (u64::try_from(bytes.max(0)).unwrap_or(u64::MAX), rank)
    }
}

/// Layers over stages, at least one and at most `caps` for each: the largest cost as small as it can be, then the sum of the
/// squares of all costs.
fn partition(costs: &[Vec<u64>], caps: &[u64], layers: u64) -> Option<Vec<u64>> {
    let layers = usize::try_from(layers).ok()?;
    let most: Vec<usize> =
        costs.iter().zip(caps).map(|(of, cap)| of.len().min(usize::try_from(*cap).unwrap_or(usize::MAX))).collect();
    let ranges = if layers <= FEW { most.into_iter().map(|n| (1, n)).collect() } else { near(costs, &most, layers)? };
    among(costs, &ranges, layers)
}

/// The ranges of layers per stage in which the largest cost is as small as it can be. A stage has at most as many layers as cost
/// no more than that. From these numbers layers are taken away until the sum is right. Costs grow with the layers, so the ranges
/// are small, however many layers there are.
fn near(costs: &[Vec<u64>], most: &[usize], layers: usize) -> Option<Vec<(usize, usize)>> {
    let at = |cost: u64| costs.iter().zip(most).map(move |(of, n)| of[..*n].partition_point(|c| *c <= cost));
    let enough = |cost: u64| at(cost).all(|n| n > 0) && at(cost).sum::<usize>() >= layers;
    if costs.len() > layers || !enough(u64::MAX) {
        return None;
    }
    let (mut under, mut over) = (0, u64::MAX);
    while under < over {
        let middle = under + (over - under) / 2;
        (under, over) = if enough(middle) { (under, middle) } else { (middle + 1, over) };
    }
    let mut sizes: Vec<usize> = at(over).collect();
    let mut spare = sizes.iter().sum::<usize>() - layers;
    // Layers that cost next to nothing could be anywhere: all stages have so many less.
    while spare > FEW {
        let each = (spare - FEW).div_ceil(sizes.len());
        for n in &mut sizes {
            let less = each.min(*n - 1).min(spare - FEW);
            (*n, spare) = (*n - less, spare - less);
        }
    }
    Some(sizes.into_iter().map(|n| (n.saturating_sub(spare).max(1), n)).collect())
}

/// The best of a row that has so many layers in all: the largest cost, the sum of the squares, and the layers of its last stage.
type Best = Option<(u64, u128, usize)>;

/// The same as [`partition`], of stages that have at least and at most so many layers.
fn among(costs: &[Vec<u64>], ranges: &[(usize, usize)], layers: usize) -> Option<Vec<u64>> {
    let sum = |of: &[(usize, usize)]| of.iter().fold((0usize, 0usize), |s, r| (s.0 + r.0, s.1.saturating_add(r.1)));
    let mut rows: Vec<(usize, Vec<Best>)> = Vec::new();
    for (s, (of, &(least, most))) in costs.iter().zip(ranges).enumerate() {
        let (here, behind) = (sum(&ranges[..=s]), sum(&ranges[s + 1..]));
        let first = here.0.max(layers.saturating_sub(behind.1));
        let last = here.1.min(layers.checked_sub(behind.0)?);
        let before = |n: usize, total: usize| match rows.last() {
            None => (n == total).then_some((0, 0)),
            Some((first, row)) => row.get((total - n).checked_sub(*first)?)?.map(|b| (b.0, b.1)),
        };
        let best = |total: usize| {
            let mut best: Best = None;
            for n in least..=most.min(total) {
                let (Some(before), Some(cost)) = (before(n, total), of.get(n - 1)) else { continue };
                let square = u128::from(*cost).saturating_mul(u128::from(*cost));
                let found = (before.0.max(*cost), before.1.saturating_add(square), n);
                if best.is_none_or(|b| (found.0, found.1) < (b.0, b.1)) {
                    best = Some(found);
                }
            }
            best
        };
        let row = (first..=last).map(best).collect();
        rows.push((first, row));
    }
    let mut sizes = Vec::new();
    let mut total = layers;
    for (first, row) in rows.iter().rev() {
        let (_, _, n) = (*row.get(total.checked_sub(*first)?)?)?;
        sizes.push(n as u64);
        total -= n;
    }
    sizes.reverse();
    Some(sizes)
}

/// As many layers in each stage; the first ones have one more where they do not divide.
pub fn even(layers: u64, stages: usize) -> Option<Vec<u64>> {
    let stages = stages as u64;
    if stages == 0 || layers < stages {
        return None;
    }
    Some((0..stages).map(|s| layers / stages + u64::from(s < layers % stages)).collect())
}

/// The best cut found: from the one whose slowest stage is fastest, and from the even one, layers move for as long as the
/// step becomes shorter. At most `most` moves from a cut are tried: those whose slowest rank has least to do.
pub fn best(problem: &Problem<'_>, most: usize, step: &dyn Fn(&[u64]) -> Option<u64>) -> Option<Vec<u64>> {
    let even = even(problem.layers, problem.stages).filter(|e| problem.fits(e));
    let starts = [problem.slowest(), even, problem.leanest().filter(|l| problem.fits(l))];
    let climbed = starts.into_iter().flatten().filter_map(|sizes| climb(problem, sizes, most, step));
    // Among equally good ones, the first.
    climbed.min_by_key(|c| c.0).map(|c| c.1)
}

fn climb(
    problem: &Problem<'_>,
    mut sizes: Vec<u64>,
    most: usize,
    step: &dyn Fn(&[u64]) -> Option<u64>,
) -> Option<(u64, Vec<u64>)> {
    let mut now = step(&sizes)?;
    for _ in 0..ROUNDS {
        let stages = sizes.len();
        let slowest = (0..stages).max_by_key(|s| problem.ps[*s][sizes[*s] as usize - 1])?;
        let beside = (1..stages).flat_map(|b| [(b - 1, b), (b, b - 1)]);
        let away = (0..stages).filter(|s| *s != slowest).map(|s| (slowest, s));
        let moves = beside.chain(away).filter(|(from, _)| sizes[*from] > 1);
        let made = moves.filter_map(|(from, to)| {
            let mut other = sizes.clone();
            other[from] -= 1;
            other[to] += 1;
            problem.fits(&other).then_some(other)
        });
        let mut made: Vec<Vec<u64>> = made.collect();
        if made.len() > most {
            made.sort_by_cached_key(|other| problem.busiest(other));
            made.truncate(most);
        }
        let tried = made.into_iter().filter_map(|other| Some((step(&other)?, other)));
        match tried.min_by_key(|t| t.0) {
            Some((ps, other)) if ps < now => (now, sizes) = (ps, other),
            _ => break,
        }
    }
    Some((now, sizes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_the_best_of_all() {
        // The first stage costs 5 more, the last 3 more.
        let costs: Vec<Vec<u64>> = [5, 0, 3].iter().map(|base| (1..=8).map(|n| base + 2 * n).collect()).collect();
        let found = partition(&costs, &[8; 3], 10).expect("a cut");
        let worst = |sizes: &[u64]| sizes.iter().zip(&costs).map(|(n, c)| c[*n as usize - 1]).max();
        let all = (1..=8u64).flat_map(|a| (1..=9 - a).map(move |b| [a, b, 10 - a - b]));
        assert_eq!(worst(&found), all.map(|s| worst(&s)).min().expect("cuts"));
        assert_eq!(partition(&costs, &[1, 8, 1], 10), Some(vec![1, 8, 1]));
        assert_eq!(partition(&costs, &[2, 3, 4], 10), None);
        assert_eq!((even(10, 4), even(3, 4)), (Some(vec![3, 3, 2, 2]), None));
    }

    /// Costs of stages, their caps, and layers: lines as stages have them, steep and flat ones.
    fn drawn(seed: u64) -> (Vec<Vec<u64>>, Vec<usize>, usize) {
        let mut rng = meshloom_ir::random::Rng::new(seed);
        let stages = 1 + rng.below(6);
        let layers = stages + rng.below(60);
        let most = layers + 1 - stages;
        let line = |rng: &mut meshloom_ir::random::Rng| {
            let (base, rise) = (rng.below(40) as u64, rng.pick(&[0, 1, 3, 10]));
            (1..=most as u64).map(|n| base + rise * n / 2).collect()
        };
        let costs = (0..stages).map(|_| line(&mut rng)).collect();
        let caps = (0..stages).map(|_| if rng.chance(30) { 1 + rng.below(most) } else { most }).collect();
        (costs, caps, layers)
    }

    /// The few cuts that are tried for many layers include a best one: no cut has a faster slowest stage.
    #[test]
    fn few_sizes_are_enough() {
        let mut made = 0;
        for seed in 0..300 {
            let (costs, caps, layers) = drawn(seed);
            let all: Vec<(usize, usize)> = caps.iter().map(|n| (1, *n)).collect();
            let whole = among(&costs, &all, layers);
            let few = near(&costs, &caps, layers).and_then(|ranges| among(&costs, &ranges, layers));
            let worst = |sizes: &Vec<u64>| sizes.iter().zip(&costs).map(|(n, c)| c[*n as usize - 1]).max();
            assert_eq!(few.as_ref().map(worst), whole.as_ref().map(worst), "{seed}");
            let fits = |sizes: &Vec<u64>| sizes.iter().zip(&caps).all(|(n, cap)| (1..=*cap as u64).contains(n));
            assert!(few.iter().all(|f| fits(f) && f.iter().sum::<u64>() == layers as u64), "{seed}: {few:?}");
            made += usize::from(few.is_some());
        }
        assert!(made > 200, "{made} cuts");
    }

    /// So many layers as a list may have, on as many stages as there are ranks.
    #[test]
    fn many_layers_are_no_more_work() {
        let costs: Vec<Vec<u64>> =
            (0..64).map(|s| (1..=65_536 - 63).map(|n| 900 * (s % 7) + 50 * n).collect()).collect();
        let sizes = partition(&costs, &[65_536; 64], 65_536).expect("a cut");
        let cost = |s: usize| costs[s][sizes[s] as usize - 1];
        let (slowest, fastest) = ((0..64).map(cost).max().expect("stages"), (0..64).map(cost).min().expect("stages"));
        assert!(sizes.iter().sum::<u64>() == 65_536 && slowest - fastest <= 50, "{slowest} {fastest} {sizes:?}");
    }
}
