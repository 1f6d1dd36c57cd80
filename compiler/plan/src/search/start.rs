//! Where the search starts: sites in program order, each taking the option that is cheapest given what is upstream of it.
//! With inputs pinned, this is forward propagation of the annotations.

use super::cost::Cost;
use super::state::State;

/// What a site that leaves its result partial is charged beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// Finishing them with every dim as it is: an all_reduce. So sums wait only where that joins several or makes them
    /// smaller.
    Whole,
    /// The cheapest way to finish them: a reduce_scatter where there is a dim to split.
    Scattered,
    /// Nothing: they travel as far as ops are linear in them.
    Later,
}

pub fn greedy(state: &mut State<'_>, sums: Sums) {
    for site in 0..state.problem.sites.len() as u32 {
        choose(state, site, sums);
    }
    state.settle();
    state.release();
}

fn choose(state: &mut State<'_>, site: u32, sums: Sums) {
    let s = &state.problem.sites[site as usize];
    // Other forms than the given one may need what has not been looked at yet.
    let n = s.options.iter().take_while(|o| o.source == s.source).count() as u32;
    let mut best: Option<(Cost, u32)> = None;
    for o in 0..n {
        let mut cost = state.trial(site, o);
        if sums != Sums::Later {
            cost += unfinished(state, site, o, sums);
        }
        if best.is_none_or(|b| cost < b.0) {
            best = Some((cost, o));
        }
    }
    if let Some((_, o)) = best {
        state.put(site, o);
        state.settle();
    }
}

/// The price of finishing the sums that an option leaves pending.
fn unfinished(state: &mut State<'_>, site: u32, option: u32, sums: Sums) -> Cost {
    let natives = state.problem.sites[site as usize].options[option as usize].natives.clone();
    let mut cost = Cost::ZERO;
    for n in natives {
        let (table, weight) = {
            let t = &state.problem.tensors[n.tensor as usize];
            (t.table, t.weight)
        };
        let problem = &mut *state.problem;
        let Some(whole) = problem.finished[table][n.layout as usize] else {
            continue;
        };
        let pending = |l: &u16| problem.finished[table][*l as usize].is_some();
        let ends: Vec<u16> = match sums {
            Sums::Scattered => (0..problem.finished[table].len() as u16).filter(|l| !pending(l)).collect(),
            _ => vec![whole],
        };
        let prices = ends.into_iter().filter_map(|e| problem.tables[table].distance(n.layout, e));
        if let Some(p) = prices.min() {
            cost += Cost { time: p.time, wire: p.wire, calls: p.calls, ..Cost::ZERO } * weight;
        }
    }
    cost
}
