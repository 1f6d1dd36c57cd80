//! Where the search starts: sites in program order, each taking the option that is cheapest given what is upstream of it.
//! With inputs pinned, this is forward propagation of the annotations.

use super::cost::Cost;
use super::state::State;

/// `late`: partial sums travel as far as ops are linear in them. Otherwise a site that leaves its result partial is charged
/// for finishing it at once, so that sums wait only where that joins several of them or makes them smaller.
pub fn greedy(state: &mut State<'_>, late: bool) {
    for site in 0..state.problem.sites.len() as u32 {
        choose(state, site, late);
    }
    state.commit();
}

fn choose(state: &mut State<'_>, site: u32, late: bool) {
    let n = state.problem.sites[site as usize].options.len() as u32;
    let mut best: Option<(Cost, u32)> = None;
    for o in 0..n {
        let mut cost = state.trial(site, o);
        if !late {
            cost += unfinished(state, site, o);
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

/// The price of the cheapest way to finish the sums that an option leaves pending.
fn unfinished(state: &mut State<'_>, site: u32, option: u32) -> Cost {
    let natives = state.problem.sites[site as usize].options[option as usize].natives.clone();
    let mut cost = Cost::ZERO;
    for n in natives {
        let (table, weight) = {
            let t = &state.problem.tensors[n.tensor as usize];
            (t.table, t.weight)
        };
        let problem = &mut *state.problem;
        let Some(done) = problem.finished[table][n.layout as usize] else {
            continue;
        };
        if let Some((wire, calls)) = problem.tables[table].distance(n.layout, done) {
            cost += Cost { wire, calls, ..Cost::ZERO } * weight;
        }
    }
    cost
}
