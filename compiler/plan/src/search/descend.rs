//! Coordinate descent: a site at a time takes its best option while all others stay; whoever is touched is looked at again.

use super::state::State;
use std::collections::VecDeque;

/// Descends from everywhere.
pub fn all(state: &mut State<'_>) {
    let sites = (0..state.problem.sites.len() as u32).collect();
    from(state, sites, &[]);
    state.commit();
}

/// Descends from some sites, leaving `frozen` (sorted) as they are.
pub fn from(state: &mut State<'_>, sites: Vec<u32>, frozen: &[u32]) {
    let mut queued = vec![false; state.problem.sites.len()];
    let mut queue = VecDeque::new();
    for s in sites {
        if !std::mem::replace(&mut queued[s as usize], true) {
            queue.push_back(s);
        }
    }
    // Every accepted move lowers an exact cost, so this ends; the bound keeps a bad start from taking long.
    let mut visits = 40 * state.problem.sites.len();
    let mut near = Vec::new();
    while let Some(s) = queue.pop_front() {
        queued[s as usize] = false;
        if visits == 0 {
            return;
        }
        visits -= 1;
        if frozen.binary_search(&s).is_ok() || !improve(state, s) {
            continue;
        }
        near.clear();
        state.neighbours(s, &mut near);
        for &n in &near {
            if !std::mem::replace(&mut queued[n as usize], true) {
                queue.push_back(n);
            }
        }
    }
}

/// Lets one site take its best option; true if that is another than before.
fn improve(state: &mut State<'_>, site: u32) -> bool {
    if !state.active(site) {
        return false;
    }
    let current = state.chosen[site as usize];
    let mut best = (state.total, current);
    let near = state.problem.sites[site as usize].near(current);
    for &o in near.iter() {
        if let Some(cost) = state.better(site, o, best.0) {
            best = (cost, o);
        }
    }
    if best.1 == current {
        return false;
    }
    state.put(site, best.1);
    state.settle();
    true
}
