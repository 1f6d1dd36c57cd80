//! Where the search starts. Sites in program order take the option that is cheapest, given what is upstream. If inputs are
//! pinned, this is forward propagation of the annotations.

use super::cost::Cost;
use super::problem::{Problem, Site, SiteSource};
use super::state::State;
use crate::saturate::program::{RegionPort, SearchedProgram};
use meshloom_ir::Role;

/// What a site that leaves its result partial is charged beforehand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sums {
    /// Finishing them with every dim as it is: an all_reduce. So sums stay partial only where that joins several or makes them
    /// smaller.
    Finished,
    /// The cheapest way to finish them: a reduce_scatter where there is a dim to split.
    Scattered,
    /// Nothing: they travel as far as ops are linear in them.
    Later,
}

impl Sums {
    pub const ALL: [Sums; 3] = [Sums::Finished, Sums::Scattered, Sums::Later];
}

/// Where parameters and optimizer state stay while the rest is searched for the first time. From each of these the search
/// then goes on freely, so it ends no worse than what a person would pin.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inputs {
    /// Anywhere.
    Open,
    /// On every device, replicated.
    Replicated,
    /// Optimizer state split along the largest dim that they divide, over these axes (bits): ZeRO-1.
    SplitState(u32),
    /// Parameters too: ZeRO-3.
    Split(u32),
    /// Parameters as they are, optimizer state anywhere.
    Kept,
}

impl Inputs {
    /// For a mesh of so many axes: split over each of those in `single`, and over all.
    pub fn all(axes: usize, single: impl Iterator<Item = usize>) -> Vec<Inputs> {
        let every = (1u32 << axes.min(31)) - 1;
        let mut sets: Vec<u32> = single.filter(|&a| a < 31).map(|a| 1 << a).collect();
        if axes > 1 {
            sets.push(every);
        }
        let split = sets.iter().flat_map(|&s| [Inputs::SplitState(s), Inputs::Split(s)]);
        [Inputs::Open, Inputs::Replicated].into_iter().chain(split).collect()
    }

    /// Holds each input that this is about at one option, under a choice by site.
    pub fn hold(self, problem: &mut Problem, program: &SearchedProgram<'_>, chosen: &[u32]) {
        for (s, site) in problem.sites.iter_mut().enumerate() {
            let SiteSource::Port(RegionPort::Input(i)) = site.source else {
                continue;
            };
            let axes = match (self, program.func.inputs[i].role) {
                (Inputs::Kept, role) => {
                    let now = chosen.get(s).copied().filter(|&o| (o as usize) < site.options.len());
                    site.fixed = now.filter(|_| role == Role::Parameter);
                    continue;
                }
                (Inputs::Open, _) => None,
                (Inputs::Split(axes), Role::Parameter | Role::State) => Some(axes),
                (Inputs::SplitState(axes), Role::State) => Some(axes),
                (_, Role::Parameter | Role::State) => Some(0),
                _ => None,
            };
            let shape = &program.func.ty(program.func.body().args[i]).shape;
            site.fixed = axes.and_then(|axes| most_split(site, shape, axes)).map(|o| o as u32);
        }
    }
}

/// The option that splits an input over the most of these axes and no others, along the largest dims.
fn most_split(site: &Site, shape: &[u64], axes: u32) -> Option<usize> {
    let largest = shape.iter().max().copied().unwrap_or(1);
    let value = |slots: &[u16]| {
        let along = slots.iter().filter(|s| **s > 0 && shape.get(**s as usize - 1) == Some(&largest)).count();
        (slots.iter().filter(|s| **s > 0).count(), along)
    };
    // The first of the best: axes in the mesh's order.
    let options = site.options.iter().enumerate().rev();
    let within = options.filter(|(_, o)| o.slots.iter().enumerate().all(|(a, s)| *s == 0 || axes >> a & 1 == 1));
    within.max_by_key(|(_, o)| value(&o.slots)).map(|(i, _)| i)
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
    // Only options of the given form are tried: other forms may need tensors of sites that have no choice yet.
    let n = s.options.iter().take_while(|o| o.source == s.source).count() as u32;
    let mut tried = s.fixed.map_or(0..n, |o| o..o + 1);
    let Some(first) = tried.next() else { return };
    state.put(site, first);
    let mut best = (state.settle() + unfinished(state, site, first, sums), first);
    state.commit();
    // Options that take longer than the best so far are recognised without making the move.
    for o in tried {
        if let Some(cost) = state.better(site, o, best.0) {
            let cost = cost + unfinished(state, site, o, sums);
            if cost < best.0 {
                best = (cost, o);
            }
        }
    }
    state.put(site, best.1);
    state.settle();
}

/// The price of finishing the sums that an option leaves partial.
fn unfinished(state: &mut State<'_>, site: u32, option: u32, sums: Sums) -> Cost {
    if sums == Sums::Later {
        return Cost::ZERO;
    }
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
        let Problem { tables, finished, .. } = problem;
        let price = match sums {
            Sums::Scattered => tables[table].finished(n.layout, |l| finished[table][l as usize].is_none()),
            _ => tables[table].distance_to(n.layout, whole),
        };
        if let Some(p) = price {
            cost += Cost { time: p.time, wire: p.wire, calls: p.calls, ..Cost::ZERO } * weight;
        }
    }
    cost
}
