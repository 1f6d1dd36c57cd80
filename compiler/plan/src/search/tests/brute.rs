//! All choices of a small problem, for comparison, by dynamic programming over sites in program order. A state is the native
//! layouts of the tensors with readers still to come, and who wants them in which layouts. Conversions are exact Steiner trees.
//! Nothing is left out, so the cost is the least there is.

use crate::cost::{Model, Target};
use crate::extend::Extended;
use crate::saturate::program::SearchedProgram;
use crate::search::cost::{Cost, Rent};
use crate::search::problem::Problem;
use crate::search::start::{self, Sums};
use crate::search::state::State;
use crate::search::steiner::{Price, Table};
use crate::search::{Search, read};
use crate::{Limits, Mode, Objective, PlanOptions, saturate};
use meshloom_ir::Mesh;
use meshloom_random::{RandomOptions, program};
use std::collections::BTreeMap;

/// All choices are many: the tests of this program have the allocator of the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// For each open tensor its native layout and the layouts wanted so far.
type Key = BTreeMap<u32, (u16, Vec<u16>)>;

/// The least cost; `None` if there are more states than `limit`.
fn brute(problem: &mut Problem, limit: usize) -> Option<u64> {
    // The last site that touches each tensor.
    let mut last = vec![0usize; problem.tensors.len()];
    for (s, site) in problem.sites.iter().enumerate() {
        for w in site.options.iter().flat_map(|o| o.kids.iter().chain(&o.natives)) {
            last[w.tensor as usize] = s;
        }
    }
    let mut exact: BTreeMap<(usize, u16, Vec<u16>), u64> = BTreeMap::new();
    let mut states: BTreeMap<Key, u64> = BTreeMap::from([(Key::new(), 0)]);
    for s in 0..problem.sites.len() {
        let mut next: BTreeMap<Key, u64> = BTreeMap::new();
        for (key, cost) in &states {
            for option in &problem.sites[s].options {
                let mut k = key.clone();
                let mut c = cost + option.cost.time;
                for n in &option.natives {
                    k.entry(n.tensor).or_insert((n.layout, Vec::new())).0 = n.layout;
                }
                for w in &option.kids {
                    let wants = &mut k.entry(w.tensor).or_insert((u16::MAX, Vec::new())).1;
                    if let Err(i) = wants.binary_search(&w.layout) {
                        wants.insert(i, w.layout);
                    }
                }
                let done: Vec<u32> = k.keys().copied().filter(|&t| last[t as usize] == s).collect();
                for t in done {
                    if let Some((native, wants)) = k.remove(&t) {
                        let tensor = &problem.tensors[t as usize];
                        let table = &mut problem.tables[tensor.table];
                        let at = (tensor.table, native, wants);
                        let tree = *exact.entry(at.clone()).or_insert_with(|| steiner(table, native, &at.2));
                        c = c.saturating_add(tree.saturating_mul(tensor.weight));
                    }
                }
                let best = next.entry(k).or_insert(u64::MAX);
                *best = (*best).min(c);
            }
        }
        if next.len() > limit {
            return None;
        }
        states = next;
    }
    states.values().copied().min()
}

/// The cheapest tree, by subsets of what is wanted (Dreyfus and Wagner, 1971).
fn steiner(table: &mut Table, native: u16, wanted: &[u16]) -> u64 {
    const FAR: u64 = 1 << 60;
    let n = table.layouts.len();
    let wanted: Vec<u16> = wanted.iter().copied().filter(|&w| w != native).collect();
    let mut dist = vec![vec![FAR; n]; n];
    for (i, row) in dist.iter_mut().enumerate() {
        for (j, d) in row.iter_mut().enumerate() {
            *d = table.distance(i as u16, j as u16).map_or(FAR, |p: Price| p.time);
        }
    }
    let mut best = vec![vec![FAR; n]; 1 << wanted.len()];
    best[0] = vec![0; n];
    for set in 1..best.len() {
        let mut joined = vec![FAR; n];
        for (v, j) in joined.iter_mut().enumerate() {
            if set.count_ones() == 1 && wanted[set.trailing_zeros() as usize] as usize == v {
                *j = 0;
            }
            let mut part = (set - 1) & set;
            while part > 0 {
                *j = (*j).min(best[part][v] + best[set ^ part][v]);
                part = (part - 1) & set;
            }
        }
        for v in 0..n {
            best[set][v] = (0..n).map(|u| dist[v][u].saturating_add(joined[u])).min().unwrap_or(FAR).min(FAR);
        }
    }
    best[best.len() - 1][native as usize]
}

#[test]
fn the_search_against_all_choices() {
    against_all_choices(0);
}

/// The same of other programs, apart so that the two run side by side.
#[test]
fn the_search_against_all_choices_of_other_programs() {
    against_all_choices(1);
}

/// Every other seed, from the first on.
fn against_all_choices(first: u64) {
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options = PlanOptions { mode: Mode::Search, target: target.clone(), ..PlanOptions::default() };
    // As it is, and by the local search alone, which is what large programs have.
    let limits = [Limits::default(), Limits { states: 0, ..Limits::default() }];
    let mut close = [0; 2];
    let mut worst = [1.0f64; 2];
    let (mut compared, mut seed) = (0, first);
    while compared < 100 {
        seed += 2;
        let mesh = Mesh::new([("x", 2u64), ("y", 2)]);
        let shape = RandomOptions { steps: 3 + (seed % 6) as usize, repeats: false, ..RandomOptions::new(mesh) };
        let ext = Extended::new(program(seed, &shape));
        let Ok(program) = SearchedProgram::new(&ext, &options) else {
            continue;
        };
        let saturation = saturate::run(&program, &options);
        let model = Model::new(&target, &ext.func.mesh);
        let Ok(mut problem) = read::read(&program, &saturation, &model, Objective::Time) else {
            continue;
        };
        let Some(least) = brute(&mut problem, 1_500) else {
            continue;
        };
        compared += 1;
        for (i, limits) in limits.iter().enumerate() {
            let search = Search::new(&program, &saturation, &mut problem, *limits);
            let Ok((found, _)) = search.solve(&mut problem, Rent::default(), None, 1) else {
                continue;
            };
            let found = found[0].cost.time;
            assert!(found >= least, "seed {seed}: {found} is less than the least, {least}");
            let ratio = if least == 0 { 1.0 } else { found as f64 / least as f64 };
            close[i] += usize::from(ratio <= 1.01);
            worst[i] = worst[i].max(ratio);
        }
    }
    assert!(close[0] >= 95 && worst[0] <= 1.05, "{close:?} {worst:?}");
    assert!(close[1] >= 90 && worst[1] <= 1.5, "{close:?} {worst:?}");
}

/// What a move would cost is said without making it; that must be what making it costs.
#[test]
fn moves_cost_what_was_said() {
    let target = Target::builtin("h100-sxm").expect("is built in");
    let options = PlanOptions { mode: Mode::Search, target: target.clone(), ..PlanOptions::default() };
    let mut compared = 0;
    for seed in 0..40 {
        let shape = RandomOptions {
            steps: 8,
            repeats: seed % 2 == 0,
            ..RandomOptions::new(Mesh::new([("x", 2u64), ("y", 2)]))
        };
        let ext = Extended::new(program(seed, &shape));
        let Ok(program) = SearchedProgram::new(&ext, &options) else {
            continue;
        };
        let saturation = saturate::run(&program, &options);
        let model = Model::new(&target, &ext.func.mesh);
        let Ok(mut problem) = read::read(&program, &saturation, &model, Objective::Time) else {
            continue;
        };
        let known = Default::default();
        for rent in [Rent(0), Rent(1000)] {
            let mut state = State::new(&mut problem, &known, rent);
            start::greedy(&mut state, Sums::Finished);
            let best = Cost { time: u64::MAX, ..Cost::ZERO };
            for site in (0..state.problem.sites.len() as u32).filter(|s| state.active(*s)).collect::<Vec<_>>() {
                for option in 0..state.problem.sites[site as usize].options.len() as u32 {
                    let made = state.trial(site, option);
                    if let Some(said) = state.better(site, option, best) {
                        assert_eq!(said, made, "seed {seed}, site {site}, option {option}");
                        compared += 1;
                    } else {
                        assert!(made >= best || made.is_impossible());
                    }
                }
                assert!(state.hashes_hold(), "seed {seed}, site {site}");
            }
        }
    }
    assert!(compared > 10_000, "{compared}");
}
