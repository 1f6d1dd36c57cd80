//! Leaving a local minimum: a change that one site alone would not make is forced, the rest settles around it, and what
//! came out is kept if it is no dearer.

use super::descend;
use super::problem::Want;
use super::state::{State, UNSET};

/// A xorshift generator with a fixed seed: the same program gives the same kicks.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % n.max(1) as u64) as usize
    }
}

pub fn run(state: &mut State<'_>, rounds: usize) {
    let open: Vec<u32> = (0..state.problem.sites.len() as u32)
        .filter(|&s| state.problem.sites[s as usize].options.len() > 1)
        .collect();
    if open.is_empty() {
        return;
    }
    let mut dice = Dice(88_172_645_463_325_252);
    for round in 0..rounds {
        let before = state.total;
        match round % 3 {
            0 => move_readers(state, &mut dice),
            1 => lay_axis(state, &open, &mut dice),
            _ => force(state, &open, &mut dice),
        }
        if state.total > before {
            state.undo(0);
        }
        state.commit();
    }
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

fn force(state: &mut State<'_>, open: &[u32], dice: &mut Dice) {
    let s = open[dice.roll(open.len())];
    let n = state.problem.sites[s as usize].options.len();
    state.put(s, dice.roll(n) as u32);
    state.settle();
    settle_around(state, vec![s]);
}

/// All readers of a tensor in one converted layout read it in another that is there.
fn move_readers(state: &mut State<'_>, dice: &mut Dice) {
    let n = state.problem.tensors.len();
    for _ in 0..64 {
        let t = dice.roll(n) as u32;
        let Some(native) = state.native(t) else {
            continue;
        };
        let converted: Vec<u16> = state.wanted(t).into_iter().filter(|&w| w != native).collect();
        if converted.is_empty() {
            continue;
        }
        let old = converted[dice.roll(converted.len())];
        let mut rest: Vec<u16> = converted.into_iter().filter(|&w| w != old).collect();
        rest.push(native);
        let new = rest[dice.roll(rest.len())];
        let mut readers: Vec<u32> = state.problem.tensors[t as usize].readers.iter().map(|r| r.0).collect();
        readers.dedup();
        let mut held = vec![];
        for s in readers {
            if best_with(state, s, Want { tensor: t, layout: old }, Want { tensor: t, layout: new }) {
                held.push(s);
            }
        }
        settle_around(state, held);
        return;
    }
}

/// Lets a site that wants `old` take its best option that wants `new` and not `old`.
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
        let mark = state.mark();
        state.put(site, o);
        let cost = state.settle();
        if best.is_none_or(|(c, _)| cost < c) {
            best = Some((cost, o));
        }
        state.undo(mark);
    }
    if let Some((_, o)) = best {
        state.put(site, o);
        state.settle();
        return true;
    }
    false
}

/// A site takes another option, and its surroundings follow it as far as that saves conversions, one after another, before
/// the rest settles.
fn lay_axis(state: &mut State<'_>, open: &[u32], dice: &mut Dice) {
    let first = open[dice.roll(open.len())];
    let n = state.problem.sites[first as usize].options.len();
    state.put(first, dice.roll(n) as u32);
    state.settle();
    let limit = 2 + dice.roll(60);
    let mut region = vec![first];
    let mut at = 0;
    while at < region.len() && region.len() < limit {
        let mut near = Vec::new();
        state.neighbours(region[at], &mut near);
        at += 1;
        for s in near {
            if region.len() < limit && !region.contains(&s) && follow(state, s, &region) {
                region.push(s);
            }
        }
    }
    settle_around(state, region);
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
    for o in (0..n).filter(|&o| o != current) {
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
            down += usize::from(kid.is_some_and(|w| differs(w)));
        }
    }
    up + down
}
