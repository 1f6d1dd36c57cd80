//! Perturbations: a way out of a local minimum. A change that no site would make alone is forced, its surroundings settle, and
//! the result is kept if it is cheaper.
//!
//! Nothing is random. Only conversions of tensors leave something to gain. So perturbations go over the converted tensors, the
//! most expensive first, and force their writers, their readers, or all readers of one layout together. Or an axis is laid along
//! one dim of the model wherever that dim goes. A round that helped is followed by another; the number of perturbations is
//! bounded.

use super::cost::Cost;
use super::descend;
use super::dims::Dims;
use super::homes;
use super::known::Answer;
use super::problem::{Choice, Site, Want};
use super::state::{State, UNSET};
use super::through;
use crate::effort;
use crate::moves::Move;
use std::collections::BTreeSet;
use std::hash::Hash;

#[derive(Clone, Copy, Hash, Debug)]
pub enum Perturbation {
    /// One site takes an option.
    Force(u32, u32),
    /// One site takes an option, and its surroundings follow as far as that saves conversions.
    Follow(u32, u32),
    /// All readers of a tensor in one layout read it in another.
    Move(u32, u16, u16),
    /// A tensor that comes into a loop or out of it does so in another layout. Its conversion then stands on the other side.
    Port(u32, u16),
    /// Tensors that are computed from what loops stack are converted inside the loops, and not behind them.
    IntoLoops,
    /// An axis is laid along a dim of the model; where it was in use for something else, only if the flag says so.
    Lay(usize, usize, bool),
    /// A parameter and its state, of this number, lie in the layout of this number, and what is around them follows.
    Home(usize, u32),
    /// Two of these at once, whatever was there.
    Pair((usize, usize), (usize, usize)),
}

/// What bounds a run of perturbations.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub perturbations: usize,
    /// Placements tried.
    pub moves: usize,
}

/// How far perturbations go: each of these goes on where the one before has come to its end.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// All readers of a layout together; for what is nearly right.
    Readers,
    /// Single dims of the model too. Cheap, and most of what there is to gain.
    Dims,
    /// Two dims at once, and a parameter with its state.
    Pairs,
    /// Single sites, alone or with their surroundings.
    Sites,
}

/// Perturbs until none helps or a bound is reached; true if one was.
pub fn run(state: &mut State<'_>, dims: Option<&Dims>, depth: Depth, bounds: Bounds) -> bool {
    let end = state.moves.saturating_add(bounds.moves);
    let mut tried = 0;
    let first = if dims.is_some() { depth.min(Depth::Dims) } else { Depth::Sites };
    let mut at = first;
    loop {
        // Where what can be hidden takes a part of its time only, sums that are finished behind loops may be cheaper in them.
        let round = round(at).iter().filter(|of| **of != Move::IntoLoops || state.problem.hides);
        let all = proposed(state, dims, &round.copied().collect::<Vec<_>>());
        let before = state.total;
        for (of, perturbation) in all {
            if tried >= bounds.perturbations || state.moves >= end {
                return true;
            }
            tried += 1;
            attempt(state, of, perturbation);
        }
        // Another round has to be worth it.
        let helped = state.total < before
            && match before.time.checked_sub(state.total.time) {
                Some(won) => won >= before.time / effort::ROUND_GAIN,
                // It takes longer, and less of it is what counts before time.
                None => true,
            };
        at = match at {
            _ if helped => first,
            _ if at >= depth => return false,
            Depth::Readers | Depth::Dims => Depth::Pairs,
            _ => Depth::Sites,
        };
    }
}

/// Perturbations that are judged by a slower and more accurate measure than the state's own total. `judge` gives the time of the
/// whole program. It is called only if the total stays within a part of what it was, and was not `seen` before. There are at most
/// `limit` calls, and one more in each round. Gives the time of the final program.
pub fn refine(
    state: &mut State<'_>,
    dims: &Dims,
    mut best: u64,
    limit: usize,
    depth: Depth,
    seen: &mut BTreeSet<Cost>,
    judge: &mut dyn FnMut(&mut State<'_>) -> u64,
) -> u64 {
    let mut asked = 0;
    seen.insert(state.total);
    loop {
        let before = best;
        let round: &[Move] = if depth == Depth::Sites { &ASKED_SITES } else { &ASKED };
        for (of, perturbation) in proposed(state, Some(dims), round) {
            if asked >= limit {
                return best;
            }
            // One perturbation of each round is judged whatever its sum of times, since the sum does not know what is hidden.
            let into_loops = matches!(perturbation, Perturbation::IntoLoops);
            let slack = if into_loops { u64::MAX } else { state.total.time / effort::ASKED_LONGER };
            let bound = Cost { time: state.total.time.saturating_add(slack), ..state.total };
            let open = |c: Cost| c.time <= bound.time && c.idle == bound.idle && !seen.contains(&c);
            let total = apply(state, perturbation, &open);
            let open = open(total);
            let took = open.then(|| judge(state));
            if open && !into_loops {
                seen.insert(total);
                asked += 1;
            }
            match took.filter(|took| state.known.borrow_mut().moves.accepts(of, best, *took)) {
                Some(took) => best = took,
                None => state.undo(0),
            }
            state.commit();
        }
        if best == before {
            return best;
        }
    }
}

/// Moves of a round of perturbations that go so deep.
fn round(depth: Depth) -> &'static [Move] {
    match depth {
        Depth::Readers => &[Move::Readers],
        Depth::Dims => &[Move::IntoLoops, Move::Updates, Move::Dims, Move::Readers],
        Depth::Pairs => &[Move::Homes, Move::Pairs],
        Depth::Sites => &[Move::Readers, Move::Beside, Move::Follow, Move::Force],
    }
}

/// Moves that are judged by whole programs; and with single sites.
const ASKED: [Move; 4] = [Move::IntoLoops, Move::Ports, Move::Readers, Move::Dims];
const ASKED_SITES: [Move; 5] = [Move::IntoLoops, Move::Ports, Move::Readers, Move::Dims, Move::Force];

/// All perturbations that some moves propose in a state.
fn proposed(state: &mut State<'_>, dims: Option<&Dims>, round: &[Move]) -> Vec<(Move, Perturbation)> {
    let hot: Vec<u32> = hot(state).into_iter().map(|h| h.1).collect();
    let mut all = Vec::new();
    for &of in round {
        let proposed = match (of, dims) {
            (Move::Readers, _) => moves_of(state, &hot),
            (Move::Beside, _) => beside(state, &hot),
            (Move::IntoLoops, _) => vec![Perturbation::IntoLoops],
            (Move::Ports, _) => ports(state, &hot),
            (Move::Dims, Some(dims)) => lays(dims),
            (Move::Updates, Some(dims)) => updates(state, dims, &hot),
            (Move::Homes, _) => homes(state),
            (Move::Pairs, Some(dims)) => pairs(dims),
            (Move::Follow, _) => around(state, &hot, Perturbation::Follow),
            (Move::Force, _) => around(state, &hot, Perturbation::Force),
            _ => Vec::new(),
        };
        all.extend(proposed.into_iter().map(|p| (of, p)));
    }
    all
}

fn homes(state: &State<'_>) -> Vec<Perturbation> {
    homes::all(state).into_iter().map(|(family, layout)| Perturbation::Home(family, layout)).collect()
}

fn lays(dims: &Dims) -> Vec<Perturbation> {
    let each =
        |&d: &usize| (0..dims.axes).flat_map(move |a| [Perturbation::Lay(a, d, false), Perturbation::Lay(a, d, true)]);
    dims.order.iter().take(effort::MODEL_DIMS).flat_map(each).collect()
}

/// Where the next value of optimizer state comes about in another layout than that of the state, it comes about in this one, and
/// what it is made of follows: the rest of the update, and sums of gradients.
fn updates(state: &State<'_>, dims: &Dims, hot: &[u32]) -> Vec<Perturbation> {
    let mut follows = Vec::new();
    let sent: BTreeSet<u32> = hot.iter().copied().collect();
    for &t in &dims.state {
        let Some(port) = option(state, state.problem.tensors[t as usize].writer) else { continue };
        let other = |k: &&Want| sent.contains(&k.tensor) && state.native(k.tensor).is_some_and(|n| n != k.layout);
        for next in port.kids.iter().filter(other) {
            let s = state.problem.tensors[next.tensor as usize].writer;
            let Some(now) = option(state, s) else { continue };
            let gives = |o: &(usize, &Choice)| o.1.source == now.source && o.1.natives.contains(next);
            let all = state.problem.sites[s as usize].options.iter().enumerate().filter(gives);
            let best = all.min_by_key(|(i, o)| (o.cost, *i));
            follows.extend(best.map(|(i, _)| Perturbation::Follow(s, i as u32)));
        }
    }
    follows
}

/// What a site that is in use has chosen.
fn option<'s>(state: &'s State<'_>, site: u32) -> Option<&'s Choice> {
    let chosen = *state.chosen.get(site as usize)?;
    state.problem.sites.get(site as usize)?.options.get(chosen as usize).filter(|_| state.active(site))
}

/// Every two axes along every two of the largest dims; one axis along two dims for what both are in.
fn pairs(dims: &Dims) -> Vec<Perturbation> {
    let single = |&d: &usize| (0..dims.axes).map(move |a| (a, d));
    let singles: Vec<(usize, usize)> =
        dims.order.iter().take(effort::PAIRED_DIMS / dims.axes.max(2)).flat_map(single).collect();
    let each =
        singles.iter().enumerate().flat_map(|(i, &x)| singles[i + 1..].iter().map(move |&y| Perturbation::Pair(x, y)));
    each.collect()
}

/// Keeps what a perturbation leads to if it is cheaper.
fn attempt(state: &mut State<'_>, of: Move, perturbation: Perturbation) {
    let before = state.total;
    let total = apply(state, perturbation, &|total| total < before);
    if !state.known.borrow_mut().moves.accepts(of, before, total) {
        state.undo(0);
    }
    state.commit();
}

/// Converted tensors, the most expensive first.
pub fn hot(state: &mut State<'_>) -> Vec<(Cost, u32)> {
    let mut hot: Vec<(Cost, u32)> = (0..state.problem.tensors.len() as u32)
        .map(|t| (state.tensor_cost(t), t))
        .filter(|(c, _)| c.wire > 0 || c.idle > 0)
        .collect();
    hot.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    hot
}

/// Readers of some converted tensors in one layout read them in another that is there.
pub fn moves_of(state: &State<'_>, tensors: &[u32]) -> Vec<Perturbation> {
    let mut moves = Vec::new();
    for &t in tensors {
        let Some(native) = state.native(t) else {
            continue;
        };
        let wanted = state.wanted(t);
        for &from in wanted.iter().filter(|&&w| w != native) {
            moves.push(Perturbation::Move(t, from, native));
            moves.extend(wanted.iter().filter(|&&w| w != native && w != from).map(|&w| Perturbation::Move(t, from, w)));
        }
    }
    moves
}

fn ports(state: &mut State<'_>, hot: &[u32]) -> Vec<Perturbation> {
    through::ports(state, hot).into_iter().map(|w| Perturbation::Port(w.tensor, w.layout)).collect()
}

/// What is read beside converted tensors: one conversion of that, shared by all its readers, may save a conversion in each of
/// them.
fn beside(state: &State<'_>, hot: &[u32]) -> Vec<Perturbation> {
    let mut shared = Vec::new();
    let mut seen = BTreeSet::new();
    for &t in hot {
        for &(s, _) in &state.problem.tensors[t as usize].readers {
            let Some(choice) = option(state, s) else { continue };
            for w in choice.kids.iter().filter(|w| w.tensor != t) {
                let other = &state.problem.tensors[w.tensor as usize];
                if other.readers.len() < 2 || !seen.insert(w.tensor) {
                    continue;
                }
                let layouts = 0..state.problem.tables[other.table].layouts.len() as u16;
                shared.extend(layouts.filter(|&l| l != w.layout).map(|l| Perturbation::Move(w.tensor, w.layout, l)));
            }
        }
    }
    shared
}

/// Sites around converted tensors, one at a time, in each option that is near.
fn around(state: &mut State<'_>, hot: &[u32], take: fn(u32, u32) -> Perturbation) -> Vec<Perturbation> {
    let mut all = Vec::new();
    let mut seen = BTreeSet::new();
    for &t in hot {
        let tensor = &state.problem.tensors[t as usize];
        let around: Vec<u32> = std::iter::once(tensor.writer).chain(tensor.readers.iter().map(|r| r.0)).collect();
        for s in around {
            if s != UNSET && state.active(s) && seen.insert(s) {
                let near = state.problem.sites[s as usize].near(state.chosen[s as usize]);
                all.extend(near.iter().map(|&o| take(s, o)));
            }
        }
    }
    all
}

/// The total that a perturbation leads to once its surroundings have settled around it. Where that is known and not `open` to be kept,
/// the state is left somewhere on the way.
pub fn apply(state: &mut State<'_>, perturbation: Perturbation, open: &dyn Fn(Cost) -> bool) -> Cost {
    known(state, ("perturbation", perturbation), open, |state| {
        let mut forced = force(state, perturbation);
        forced.sort_unstable();
        forced.dedup();
        // The sum of times would move a port back: it does not see what runs beside what.
        let free = !matches!(perturbation, Perturbation::Port(..) | Perturbation::IntoLoops);
        known(state, ("settle", &forced, free), open, |state| settle_around(state, &forced, free))
    })
}

/// The total to which `act` leads. `what` and the state determine it. If it is known and not `open`, `act` is not run.
fn known(
    state: &mut State<'_>,
    what: impl Hash,
    open: &dyn Fn(Cost) -> bool,
    act: impl FnOnce(&mut State<'_>) -> Cost,
) -> Cost {
    let question = state.question((state.conditions, what));
    let answer = state.known.borrow().get(&question);
    if let Some(Answer { total, moves }) = answer
        && !open(total)
    {
        state.moves += moves;
        return total;
    }
    let before = state.moves;
    let total = act(state);
    let answer = Answer { total, moves: state.moves - before };
    state.known.borrow_mut().add(question, answer);
    total
}

/// What a perturbation changes at once; the sites that it holds.
fn force(state: &mut State<'_>, perturbation: Perturbation) -> Vec<u32> {
    match perturbation {
        Perturbation::Lay(axis, dim, over) => lay(state, axis, dim, over),
        Perturbation::Pair(x, y) => {
            let mut moved = lay(state, x.0, x.1, true);
            moved.extend(lay(state, y.0, y.1, true));
            moved
        }
        Perturbation::Force(s, o) => {
            state.put(s, o);
            state.settle();
            vec![s]
        }
        Perturbation::Follow(s, o) => spread(state, &[(s, o)]),
        Perturbation::Home(f, layout) => spread(state, &homes::members(state, f, layout)),
        Perturbation::Port(tensor, layout) => {
            let wanted = state.wanted(tensor);
            let mut moved = through::take(state, Want { tensor, layout });
            // Readers go along into a layout that none of them wants.
            let from: &[u16] = if wanted.contains(&layout) { &[] } else { &wanted };
            from.iter().for_each(|&w| moved.extend(force(state, Perturbation::Move(tensor, w, layout))));
            moved
        }
        Perturbation::IntoLoops => {
            let hot: Vec<u32> = hot(state).into_iter().map(|h| h.1).collect();
            through::into_loops(state, &hot)
        }
        Perturbation::Move(t, from, to) => {
            let mut readers: Vec<u32> = state.problem.tensors[t as usize].readers.iter().map(|r| r.0).collect();
            readers.sort_unstable();
            readers.dedup();
            let (old, new) = (Want { tensor: t, layout: from }, Want { tensor: t, layout: to });
            readers.retain(|&s| best_with(state, s, old, new));
            readers
        }
    }
}

/// Moves every site that has an option for it; those that moved.
fn lay(state: &mut State<'_>, axis: usize, dim: usize, over: bool) -> Vec<u32> {
    let mut moved = Vec::new();
    // Most sites have nothing to do with the dim.
    let sites = state.problem.laid[axis][dim].clone();
    for &s in sites.iter() {
        if !state.active(s) {
            continue;
        }
        let now = state.chosen[s as usize];
        let Some(current) = state.problem.sites[s as usize].options.get(now as usize) else {
            continue;
        };
        if !over && current.slots[axis] != 0 {
            continue;
        }
        let there = current.along[axis] >> dim & 1 == 1;
        let rings = state.problem.sites[s as usize].rings(now);
        let Some(ring) = rings.get(axis).filter(|r| r.along >> dim & 1 == 1) else {
            continue;
        };
        let site = &state.problem.sites[s as usize];
        let others = ring.options.iter().copied();
        let others = others.filter(|&o| site.options[o as usize].along[axis] >> dim & 1 == 1);
        let to = others.chain(there.then_some(now)).min_by_key(|&o| (site.options[o as usize].cost, o));
        if let Some(o) = to
            && o != now
        {
            moved.push((s, o));
        }
    }
    for &(s, o) in &moved {
        state.put(s, o);
    }
    state.settle();
    moved.into_iter().map(|m| m.0).collect()
}

/// Descends around some sites (sorted), first with them fixed, then with them free if they may be; the total that this leads to.
fn settle_around(state: &mut State<'_>, forced: &[u32], free: bool) -> Cost {
    let mut near = Vec::new();
    for &s in forced {
        let mut n = Vec::new();
        state.neighbours(s, &mut n);
        near.extend(n);
    }
    near.sort_unstable();
    near.dedup();
    descend::from(state, near.clone(), forced);
    if free {
        near.extend(forced);
        descend::from(state, near, &[]);
    }
    state.total
}

/// Lets a site that wants `old` take its best option that wants `new` and not `old`; true if it has one.
fn best_with(state: &mut State<'_>, site: u32, old: Want, new: Want) -> bool {
    let current = state.chosen[site as usize];
    let Site { options, fixed: None, .. } = &state.problem.sites[site as usize] else {
        return false;
    };
    if current == UNSET || !options[current as usize].kids.contains(&old) {
        return false;
    }
    let fits = |o: &u32| {
        let kids = &options[*o as usize].kids;
        kids.contains(&new) && !kids.contains(&old)
    };
    let mut candidates: Vec<u32> = (0..options.len() as u32).filter(fits).collect();
    if candidates.is_empty() {
        // It cannot use the tensor so, but another form of what it computes may not read the tensor at all.
        let source = options[current as usize].source;
        let without = |o: &u32| {
            let c = &options[*o as usize];
            c.source != source && c.kids.iter().all(|k| k.tensor != old.tensor)
        };
        candidates = (0..options.len() as u32).filter(without).collect();
    }
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

/// Sites take options, and sites around them that then read or give another layout follow them, one after another.
fn spread(state: &mut State<'_>, first: &[(u32, u32)]) -> Vec<u32> {
    first.iter().for_each(|&(s, o)| state.put(s, o));
    state.settle();
    let mut region: Vec<u32> = first.iter().map(|f| f.0).collect();
    let mut at = 0;
    while at < region.len() && region.len() < effort::REGION {
        let mut near = Vec::new();
        state.neighbours(region[at], &mut near);
        at += 1;
        for s in near {
            if region.len() < effort::REGION && !region.contains(&s) && follow(state, s, &region) {
                region.push(s);
            }
        }
    }
    region
}

/// Lets a site take the option that leaves the fewest differences between it and the region; true if it moved.
fn follow(state: &mut State<'_>, site: u32, region: &[u32]) -> bool {
    let current = state.chosen[site as usize];
    let before = differences(state, site, region);
    if before == 0 {
        return false;
    }
    let mut best = (before, state.total, current);
    let near = state.problem.sites[site as usize].near(current);
    for &o in near.iter() {
        let mark = state.mark();
        state.put(site, o);
        let d = differences(state, site, region);
        if d >= before || d > best.0 {
            state.cancel(mark);
            continue;
        }
        let cost = state.settle();
        if (d, cost) < (best.0, best.1) {
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
