//! Small made-up instances, against brute force.

use super::*;
use meshloom_random::Rng;

fn below(rng: &mut Rng, n: u64) -> u64 {
    rng.below(n as usize) as u64
}

/// Stashes whose copies share work, on top of memory that is always live.
struct Instance {
    prices: Prices,
    beside: u64,
    /// What is live at some other moment.
    floor: u64,
    base_ps: u64,
}

impl Instance {
    fn random(rng: &mut Rng, stashes: usize) -> Instance {
        let pieces = stashes + 3;
        let mut worth = Vec::new();
        for i in 0..stashes {
            let mut work = BTreeSet::from([i]);
            work.extend((0..2).map(|_| below(rng, pieces as u64) as usize));
            worth.push(Worth { bytes: (1 + below(rng, 64)) << 20, work });
        }
        let work_ps = (0..pieces).map(|_| 1_000_000 * (1 + below(rng, 5000))).collect();
        let beside = below(rng, 256) << 20;
        Instance { prices: Prices { stashes: worth, work_ps }, beside, floor: 0, base_ps: 1_000_000_000 }
    }

    fn n(&self) -> usize {
        self.prices.stashes.len()
    }

    fn candidate(&self, m: u32) -> Candidate<u32> {
        let peak_bytes = (self.beside + self.prices.kept(m, self.n())).max(self.floor);
        let rematerialized = (0..self.n()).filter(|i| m >> i & 1 == 1).collect();
        Candidate { time_ps: self.base_ps + self.prices.work(m), peak_bytes, rematerialized, plan: m }
    }

    /// The best under rent: what an ideal search gives.
    fn solve(&self, ask: &Ask) -> Candidate<u32> {
        let allowed = |m: &u32| (mask(&ask.rematerialized) & !m) == 0 && (mask(&ask.kept) & m) == 0;
        let live = |m: u32| u128::from(self.prices.kept(m, self.n())) * u128::from(ask.rent) / 1024;
        let price = |m: &u32| u128::from(self.prices.work(*m)) + live(*m);
        let best = (0..1u32 << self.n()).filter(allowed).min_by_key(|m| (price(m), *m));
        self.candidate(best.unwrap_or(0))
    }

    fn brute(&self, budget: u64) -> Option<u64> {
        let all = (0..1u32 << self.n()).map(|m| self.candidate(m));
        all.filter(|c| c.peak_bytes <= budget).map(|c| c.time_ps).min()
    }

    fn within(&self, budget: u64) -> (BudgetOutcome<u32>, usize) {
        self.within_parts(budget, false)
    }

    fn within_parts(&self, budget: u64, all: bool) -> (BudgetOutcome<u32>, usize) {
        let mut solves = 0;
        let mut solve = |ask: &Ask| {
            solves += 1;
            Ok::<_, ()>(self.solve(ask))
        };
        let out = within(budget, all, &mut solve, &|_| self.prices.clone()).unwrap_or_else(|()| unreachable!());
        (out, solves)
    }
}

#[test]
fn as_good_as_brute_force() {
    let mut rng = Rng::new(11);
    let (mut most, mut infeasible) = (0, 0);
    for _ in 0..150 {
        let n = 1 + below(&mut rng, 8) as usize;
        let x = Instance::random(&mut rng, n);
        let full = x.candidate(0).peak_bytes;
        let budget = x.beside / 2 + below(&mut rng, full - x.beside / 2 + 1);
        let (out, solves) = x.within(budget);
        most = most.max(solves);
        match (out, x.brute(budget)) {
            (BudgetOutcome::Fits(c), Some(t)) => {
                assert!(c.peak_bytes <= budget);
                assert_eq!(c.time_ps, t, "{n} stashes");
            }
            (BudgetOutcome::TooLarge(c), None) => {
                infeasible += 1;
                assert_eq!(c.peak_bytes, x.candidate((1 << n) - 1).peak_bytes, "the smallest there is");
            }
            (out, best) => panic!("{out:?}, by brute force {best:?}"),
        }
    }
    assert!(most <= effort::RENTS as usize + 8 + effort::TRIES + 2, "{most} plans solved");
    assert!(infeasible > 5);
}

/// Another moment may be the fullest one, whatever is recomputed.
#[test]
fn peaks_that_do_not_add_up() {
    let mut rng = Rng::new(5);
    let (mut alike, mut all) = (0, 0);
    for _ in 0..60 {
        let mut x = Instance::random(&mut rng, 6);
        let full = x.candidate(0).peak_bytes;
        x.floor = x.beside + (full - x.beside) / 3;
        let budget = x.floor + below(&mut rng, full - x.floor);
        let (BudgetOutcome::Fits(c), Some(t)) = (x.within(budget).0, x.brute(budget)) else { panic!("some plan fits") };
        assert!(c.peak_bytes <= budget && c.time_ps >= t);
        (alike, all) = (alike + usize::from(c.time_ps == t), all + 1);
    }
    assert!(alike * 10 >= all * 9, "{alike} of {all}");
}

#[test]
fn many_stashes_are_repaired_one_by_one() {
    let mut rng = Rng::new(3);
    let x = Instance::random(&mut rng, 12);
    let budget = x.beside + (x.candidate(0).peak_bytes - x.beside) / 2;
    let mut search = Search { budget, best: None, smallest: x.candidate(0), seen: Vec::new() };
    let mut solve = |ask: &Ask| Ok::<_, ()>(x.solve(ask));
    let rent = search.relax(None, None, &mut solve).unwrap_or_else(|()| unreachable!());
    let before = search.best.as_ref().map(|c| c.time_ps);
    search.repair(rent, effort::TRIES, &x.prices, &mut solve).unwrap_or_else(|()| unreachable!());
    let after = search.best.map(|c| (c.time_ps, c.peak_bytes));
    let (Some(before), Some((after, peak)), Some(best)) = (before, after, x.brute(budget)) else { panic!("some fits") };
    assert!(after <= before && after >= best && peak <= budget);
}

#[test]
fn a_budget_that_everything_meets_costs_one_plan() {
    let x = Instance::random(&mut Rng::new(1), 5);
    let (out, solves) = x.within(u64::MAX);
    assert!(matches!(out, BudgetOutcome::Fits(c) if c.plan == 0) && solves == 1);
}

#[test]
fn the_same_twice() {
    let x = Instance::random(&mut Rng::new(9), 8);
    let budget = x.candidate(0).peak_bytes * 2 / 3;
    let plans = [x.within(budget), x.within(budget)].map(|(o, n)| (format!("{o:?}"), n));
    assert_eq!(plans[0], plans[1]);
}

/// A program in parts, of which each plan takes long to measure: where recomputing all fits, few others are tried.
#[test]
fn where_recomputing_all_fits_few_plans_are_solved() {
    let mut rng = Rng::new(17);
    let (mut better, mut most) = (0, 0);
    for _ in 0..100 {
        let x = Instance::random(&mut rng, 8);
        let all = x.candidate((1 << x.n()) - 1);
        let budget = all.peak_bytes + below(&mut rng, x.candidate(0).peak_bytes - all.peak_bytes);
        let (BudgetOutcome::Fits(c), solves) = x.within_parts(budget, true) else { panic!("recomputing all fits") };
        assert!(c.peak_bytes <= budget && c.time_ps <= all.time_ps);
        better += usize::from(c.time_ps < all.time_ps);
        most = most.max(solves);
    }
    assert!(most <= 12, "{most} plans solved");
    assert!(better >= 80, "{better} of 100");
}

#[test]
fn rents_that_free_nothing_come_to_an_end() {
    let mut x = Instance::random(&mut Rng::new(4), 8);
    // At one moment so much is live whatever is recomputed.
    x.floor = x.candidate(0).peak_bytes;
    let (out, solves) = x.within_parts(x.floor - 1, true);
    assert!(matches!(out, BudgetOutcome::TooLarge(c) if c.peak_bytes == x.floor));
    assert!(solves <= 4 + effort::PATIENCE + effort::TRIES, "{solves} plans solved");
}

/// Rents in a row that free nothing say nothing of the highest.
#[test]
fn a_rent_beyond_idle_ones_is_found() {
    let solve = &mut |ask: &Ask| {
        let small = ask.rent >= 8u64.pow(9);
        let (time_ps, peak_bytes) = if small { (1100, 100 << 10) } else { (1000, 1000 << 10) };
        Ok::<_, ()>(Candidate { time_ps, peak_bytes, rematerialized: BTreeSet::new(), plan: ask.rent })
    };
    let out = within(500 << 10, true, solve, &|_| Prices::default()).unwrap_or_else(|()| unreachable!());
    assert!(matches!(out, BudgetOutcome::Fits(c) if c.peak_bytes == 100 << 10));
}
