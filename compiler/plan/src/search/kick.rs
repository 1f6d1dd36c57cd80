//! Leaving a local minimum: a change that no site would make alone is forced, its surroundings settle around it, and what
//! comes out is kept if it is cheaper.
//!
//! No dice: what there is to gain lies where tensors are converted, so the kicks go over the converted tensors, dearest
//! first, and force their writers, their readers, or all readers of one layout together; or an axis is laid along one dim of
//! the model wherever that dim goes. A round that helped is followed by another; the number of kicks is bounded.

use super::cost::Cost;
use super::descend;
use super::dims::Dims;
use super::problem::Want;
use super::state::{State, UNSET};

#[derive(Clone, Copy, Debug)]
enum Kick {
    /// One site takes an option.
    Force(u32, u32),
    /// One site takes an option, and its surroundings follow as far as that saves conversions.
    Follow(u32, u32),
    /// All readers of a tensor in one layout read it in another.
    Move(u32, u16, u16),
    /// An axis is laid along a dim of the model; where it was in use for something else, only if the flag says so.
    Lay(usize, usize, bool),
    /// Two of these at once, whatever was there.
    Pair((usize, usize), (usize, usize)),
}

/// Sites that follow one that was forced.
const REGION: usize = 48;

/// Dims of the model that axes are laid along.
const MODEL_DIMS: usize = 16;

/// Dims of the model that are taken two at a time.
const PAIRED: usize = 6;

/// What bounds a run of kicks.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub kicks: usize,
    /// Placements tried.
    pub moves: usize,
}

/// Kicks until none helps or a bound is reached; true if one was.
pub fn run(state: &mut State<'_>, dims: Option<&Dims>, bounds: Bounds) -> bool {
    let end = state.moves.saturating_add(bounds.moves);
    let mut tried = 0;
    // What moves whole dims of the model pays most, and single sites least; those wait until the rest has come to its end.
    let mut fine = dims.is_none();
    loop {
        let mut helped = false;
        let all = match dims {
            Some(dims) if !fine => [lays(dims), moves(state), pairs(dims)].concat(),
            _ => kicks(state),
        };
        for kick in all {
            if tried >= bounds.kicks || state.moves >= end {
                return true;
            }
            tried += 1;
            helped |= attempt(state, dims, kick);
        }
        if !helped && fine {
            return false;
        }
        fine = !helped || dims.is_none();
    }
}

fn lays(dims: &Dims) -> Vec<Kick> {
    let each = |&d: &usize| (0..dims.axes).flat_map(move |a| [Kick::Lay(a, d, false), Kick::Lay(a, d, true)]);
    dims.order.iter().take(MODEL_DIMS).flat_map(each).collect()
}

/// Every two axes along every two of the largest dims; one axis along two dims for what both are in.
fn pairs(dims: &Dims) -> Vec<Kick> {
    let single = |&d: &usize| (0..dims.axes).map(move |a| (a, d));
    let singles: Vec<(usize, usize)> = dims.order.iter().take(PAIRED).flat_map(single).collect();
    let each = singles.iter().enumerate().flat_map(|(i, &x)| singles[i + 1..].iter().map(move |&y| Kick::Pair(x, y)));
    each.collect()
}

/// Keeps what a kick leads to if it is cheaper.
fn attempt(state: &mut State<'_>, dims: Option<&Dims>, kick: Kick) -> bool {
    let before = state.total;
    apply(state, dims, kick);
    let helped = state.total < before;
    if !helped {
        state.undo(0);
    }
    state.commit();
    helped
}

/// Converted tensors, the dearest first.
fn hot(state: &mut State<'_>) -> Vec<(Cost, u32)> {
    let mut hot: Vec<(Cost, u32)> = (0..state.problem.tensors.len() as u32)
        .map(|t| (state.tensor_cost(t), t))
        .filter(|(c, _)| c.wire > 0 || c.idle > 0)
        .collect();
    hot.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    hot
}

/// Readers of a converted tensor in one layout read it in another that is there.
fn moves(state: &mut State<'_>) -> Vec<Kick> {
    let mut moves = Vec::new();
    for (_, t) in hot(state) {
        let Some(native) = state.native(t) else {
            continue;
        };
        let wanted = state.wanted(t);
        for &from in wanted.iter().filter(|&&w| w != native) {
            moves.push(Kick::Move(t, from, native));
            moves.extend(wanted.iter().filter(|&&w| w != native && w != from).map(|&w| Kick::Move(t, from, w)));
        }
    }
    moves
}

fn kicks(state: &mut State<'_>) -> Vec<Kick> {
    let hot = hot(state);
    let mut moves = Vec::new();
    let mut shared = Vec::new();
    let mut beside = vec![false; state.problem.tensors.len()];
    let mut follows = Vec::new();
    let mut forces = Vec::new();
    let mut seen = vec![false; state.problem.sites.len()];
    for (_, t) in hot {
        let Some(native) = state.native(t) else {
            continue;
        };
        let wanted = state.wanted(t);
        for &from in wanted.iter().filter(|&&w| w != native) {
            moves.push(Kick::Move(t, from, native));
            moves.extend(wanted.iter().filter(|&&w| w != native && w != from).map(|&w| Kick::Move(t, from, w)));
        }
        let tensor = &state.problem.tensors[t as usize];
        // What is read beside it: one conversion of that, shared by all its readers, may save a conversion in each of them.
        for &(s, _) in &tensor.readers {
            let Some(choice) = state.problem.sites[s as usize].options.get(state.chosen[s as usize] as usize) else {
                continue;
            };
            if !state.active(s) {
                continue;
            }
            for w in choice.kids.iter().filter(|w| w.tensor != t) {
                let other = &state.problem.tensors[w.tensor as usize];
                let single = other.readers.len() < 2;
                if single || std::mem::replace(&mut beside[w.tensor as usize], true) {
                    continue;
                }
                let layouts = state.problem.tables[other.table].layouts.len() as u16;
                shared.extend((0..layouts).filter(|&l| l != w.layout).map(|l| Kick::Move(w.tensor, w.layout, l)));
            }
        }
        for s in std::iter::once(tensor.writer).chain(tensor.readers.iter().map(|r| r.0)) {
            if s == UNSET || !state.active(s) || std::mem::replace(&mut seen[s as usize], true) {
                continue;
            }
            let now = state.chosen[s as usize];
            let site = &state.problem.sites[s as usize];
            for o in (0..site.options.len() as u32).filter(|&o| o != now && site.near(now, o)) {
                follows.push(Kick::Follow(s, o));
                forces.push(Kick::Force(s, o));
            }
        }
    }
    moves.extend(shared);
    moves.extend(follows);
    moves.extend(forces);
    moves
}

fn apply(state: &mut State<'_>, dims: Option<&Dims>, kick: Kick) {
    match kick {
        Kick::Lay(axis, dim, over) => {
            if let Some(dims) = dims {
                let moved = lay(state, dims, axis, dim, over);
                settle_around(state, moved);
            }
        }
        Kick::Pair(x, y) => {
            if let Some(dims) = dims {
                let mut moved = lay(state, dims, x.0, x.1, true);
                moved.extend(lay(state, dims, y.0, y.1, true));
                settle_around(state, moved);
            }
        }
        Kick::Force(s, o) => {
            state.put(s, o);
            state.settle();
            settle_around(state, vec![s]);
        }
        Kick::Follow(s, o) => {
            let region = spread(state, s, o);
            settle_around(state, region);
        }
        Kick::Move(t, from, to) => {
            let mut readers: Vec<u32> = state.problem.tensors[t as usize].readers.iter().map(|r| r.0).collect();
            readers.sort_unstable();
            readers.dedup();
            let (old, new) = (Want { tensor: t, layout: from }, Want { tensor: t, layout: to });
            readers.retain(|&s| best_with(state, s, old, new));
            settle_around(state, readers);
        }
    }
}

/// Moves every site that has an option for it; those that moved.
fn lay(state: &mut State<'_>, dims: &Dims, axis: usize, dim: usize, over: bool) -> Vec<u32> {
    let mut moved = Vec::new();
    for s in 0..state.problem.sites.len() as u32 {
        if !state.active(s) {
            continue;
        }
        let site = &state.problem.sites[s as usize];
        let now = state.chosen[s as usize];
        let Some(current) = site.options.get(now as usize) else {
            continue;
        };
        if !over && current.slots[axis] != 0 {
            continue;
        }
        let others = |o: &super::problem::Choice| {
            let mut pairs = o.slots.iter().zip(&current.slots).enumerate();
            o.source == current.source && pairs.all(|(i, (x, y))| i == axis || x == y)
        };
        let options = site.options.iter().enumerate();
        let to = options
            .filter(|(o, choice)| dims.along[s as usize][*o][axis] >> dim & 1 == 1 && others(choice))
            .min_by_key(|(_, choice)| choice.cost);
        if let Some((o, _)) = to
            && o as u32 != now
        {
            moved.push((s, o as u32));
        }
    }
    for &(s, o) in &moved {
        state.put(s, o);
    }
    state.settle();
    moved.into_iter().map(|m| m.0).collect()
}

/// Descends around some sites, first with them held, then with them free.
fn settle_around(state: &mut State<'_>, mut held: Vec<u32>) {
    held.sort_unstable();
    held.dedup();
    let mut near = Vec::new();
    for &s in &held {
        let mut n = Vec::new();
        state.neighbours(s, &mut n);
        near.extend(n);
    }
    near.sort_unstable();
    near.dedup();
    descend::from(state, near.clone(), &held);
    near.extend(held);
    descend::from(state, near, &[]);
}

/// Lets a site that wants `old` take its best option that wants `new` and not `old`; true if it has one.
fn best_with(state: &mut State<'_>, site: u32, old: Want, new: Want) -> bool {
    let current = state.chosen[site as usize];
    let options = &state.problem.sites[site as usize].options;
    if current == UNSET || !options[current as usize].kids.contains(&old) {
        return false;
    }
    let fits = |o: &u32| {
        let kids = &options[*o as usize].kids;
        kids.contains(&new) && !kids.contains(&old)
    };
    let candidates: Vec<u32> = (0..options.len() as u32).filter(fits).collect();
    let mut best = None;
    for o in candidates {
        let cost = state.trial(site, o);
        if best.is_none_or(|(c, _)| cost < c) {
            best = Some((cost, o));
        }
    }
    let Some((_, o)) = best else {
        return false;
    };
    state.put(site, o);
    state.settle();
    true
}

/// A site takes an option, and sites around it that then read or give another layout follow it, one after another.
fn spread(state: &mut State<'_>, first: u32, option: u32) -> Vec<u32> {
    state.put(first, option);
    state.settle();
    let mut region = vec![first];
    let mut at = 0;
    while at < region.len() && region.len() < REGION {
        let mut near = Vec::new();
        state.neighbours(region[at], &mut near);
        at += 1;
        for s in near {
            if region.len() < REGION && !region.contains(&s) && follow(state, s, &region) {
                region.push(s);
            }
        }
    }
    region
}

/// Lets a site take the option that leaves the fewest differences between it and the region; true if it moved.
fn follow(state: &mut State<'_>, site: u32, region: &[u32]) -> bool {
    let current = state.chosen[site as usize];
    let n = state.problem.sites[site as usize].options.len() as u32;
    let before = differences(state, site, region);
    if before == 0 {
        return false;
    }
    let mut best = (before, state.total, current);
    for o in 0..n {
        if o == current || !state.problem.sites[site as usize].near(current, o) {
            continue;
        }
        let mark = state.mark();
        state.put(site, o);
        let cost = state.settle();
        let d = differences(state, site, region);
        if d < before && (d, cost) < (best.0, best.1) {
            best = (d, cost, o);
        }
        state.undo(mark);
    }
    if best.2 == current {
        return false;
    }
    state.put(site, best.2);
    state.settle();
    true
}

/// Tensors between a site and a region that the reader does not take in their native layout.
fn differences(state: &State<'_>, site: u32, region: &[u32]) -> usize {
    let option = |s: u32| {
        let o = state.chosen[s as usize];
        state.problem.sites[s as usize].options.get(o as usize)
    };
    let Some(mine) = option(site) else {
        return 0;
    };
    let differs = |w: &Want| state.native(w.tensor).is_some_and(|n| n != w.layout);
    let tensors = &state.problem.tensors;
    let up = mine.kids.iter().filter(|w| region.contains(&tensors[w.tensor as usize].writer) && differs(w)).count();
    let mut down = 0;
    for n in &mine.natives {
        for r in tensors[n.tensor as usize].readers.iter().filter(|r| region.contains(&r.0)) {
            let kid = option(r.0).and_then(|c| c.kids.get(r.1 as usize));
            down += usize::from(kid.is_some_and(&differs));
        }
    }
    up + down
}
