//! Coordinate descent: one site at a time takes its best option while all others stay. The neighbours of a site that changed
//! are visited again.

use super::state::State;
use crate::effort;
use std::collections::VecDeque;

/// Descends from everywhere.
pub fn all(state: &mut State<'_>) {
    let sites = (0..state.problem.sites.len() as u32).collect();
    from(state, sites, &[]);
    state.commit();
}

/// Descends from some sites, leaving `frozen` (sorted) as they are.
pub fn from(state: &mut State<'_>, sites: Vec<u32>, frozen: &[u32]) {
    let mut queue = VecDeque::new();
    for s in sites {
        if !std::mem::replace(&mut state.queued[s as usize], true) {
            queue.push_back(s);
        }
    }
    let mut visits = effort::VISITS * state.problem.sites.len();
    let mut near = Vec::new();
    while let Some(s) = queue.pop_front() {
        state.queued[s as usize] = false;
        if visits == 0 {
            queue.iter().for_each(|&s| state.queued[s as usize] = false);
            return;
        }
        visits -= 1;
        if frozen.binary_search(&s).is_ok() || !improve(state, s) {
            continue;
        }
        near.clear();
        state.neighbours(s, &mut near);
        for &n in &near {
            if !std::mem::replace(&mut state.queued[n as usize], true) {
                queue.push_back(n);
            }
        }
    }
}

/// Lets one site take its best option; true if that is another than before.
fn improve(state: &mut State<'_>, site: u32) -> bool {
    if !state.active(site) || state.problem.sites[site as usize].fixed.is_some() {
        return false;
    }
    let current = state.chosen[site as usize];
    let here = state.surroundings(site);
    if here.is_some_and(|here| rests(state, site, here)) {
        return false;
    }
    let mut best = (state.total, current);
    // Placements tried of options that `here` says all of.
    let mut moves = 0;
    let near = state.problem.sites[site as usize].near(current);
    let others = here.map(|_| state.problem.sites[site as usize].others(current));
    for &o in near.iter() {
        let before = state.moves;
        if let Some(cost) = state.better(site, o, best.0) {
            best = (cost, o);
        }
        if others.as_ref().is_some_and(|others| others.binary_search(&o).is_err()) {
            moves += state.moves - before;
        }
    }
    if best.1 == current {
        if let Some(here) = here {
            state.problem.sites[site as usize].rest(here, moves);
        }
        return false;
    }
    state.put(site, best.1);
    state.settle();
    true
}

/// Whether a site is known to have no better option, but for those that read or give other tensors, which are tried. Descents
/// visit most sites often without a change around them, and detecting that is faster than comparing options. The moves that
/// were tried at first are counted each time, so that bounds on moves mean the same.
fn rests(state: &mut State<'_>, site: u32, here: u64) -> bool {
    let Some(&moves) = state.problem.sites[site as usize].rests.get(&here) else {
        return false;
    };
    let before = state.moves;
    let others = state.problem.sites[site as usize].others(state.chosen[site as usize]);
    let total = state.total;
    if others.iter().any(|&o| state.better(site, o, total).is_some()) {
        // The others go first or last, as they come; all that is done about it is done again.
        state.moves = before;
        return false;
    }
    state.moves += moves as usize;
    true
}
