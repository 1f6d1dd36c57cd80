//! Conversions on the other side of loops. A tensor that comes into a loop, or out of it, has one layout there, and is converted
//! before or behind. Outside of a loop a conversion is made once: weights are gathered for all microbatches, in the type that the
//! loop computes in, while masters and optimizer state stay split. Inside of it a conversion runs beside the other iterations:
//! gradients are reduced layer by layer, beside the backward pass. Sums of them over microbatches lie in the carry of a loop around
//! that one, and then are split there too.
//!
//! Not here: whether that is worth it, which [`super::perturb`] asks.

use super::problem::{Choice, SearchTensor, Site, SiteSource, Want};
use super::state::{State, UNSET};
use crate::effort;
use crate::saturate::program::RegionPort;

/// Those of some tensors that come into a loop or out of it, each in every layout that is wanted of it and is not its own. If
/// partial sums are finished and split over several axes, the layouts that are split over only some of these axes are added.
/// Readers may compute in smaller shards than a parameter has, and gather their result behind the loop, where no other work
/// hides that.
pub fn ports(state: &mut State<'_>, tensors: &[u32]) -> Vec<Want> {
    let mut ports = Vec::new();
    for &tensor in tensors {
        let SearchTensor { writer, table, .. } = state.problem.tensors[tensor as usize];
        let port = writer != UNSET && is_port(state, writer);
        let Some(native) = state.native(tensor).filter(|_| port) else {
            continue;
        };
        let wanted = state.wanted(tensor);
        let (finished, splits) = (&state.problem.finished[table], &state.problem.splits[table]);
        let between = (0..splits.len() as u16).filter(|&l| {
            let part = &splits[l as usize];
            let of = |w: &u16| {
                part.len() < splits[*w as usize].len() && part.iter().all(|s| splits[*w as usize].contains(s))
            };
            let whole = |w: &u16| finished[*w as usize].is_none();
            finished[native as usize].is_some()
                && !part.is_empty()
                && whole(&l)
                && wanted.iter().any(|w| whole(w) && of(w))
        });
        let mut layouts: Vec<u16> = between.filter(|l| !wanted.contains(l)).collect();
        layouts.extend(wanted.into_iter().filter(|&w| w != native));
        ports.extend(layouts.into_iter().map(|layout| Want { tensor, layout }));
    }
    ports
}

/// Moves conversions from behind loops into them. Each tensor that is converted behind a loop is computed in the wanted layout, and so are the
/// tensors that it is computed from, back to what the loops stack, also through carries of the loops around them. Gradients of all layers are then
/// reduced beside the backward pass. Gives the sites that moved.
pub fn into_loops(state: &mut State<'_>, tensors: &[u32]) -> Vec<u32> {
    let mut moved = Vec::new();
    for &tensor in tensors {
        let Some(native) = state.native(tensor) else { continue };
        let wanted = state.wanted(tensor);
        let back = |layout: &u16| made_of_stacks(state, Want { tensor, layout: *layout });
        let Some((options, stacks)) = wanted.iter().filter(|w| **w != native).find_map(back) else { continue };
        for (s, o) in options {
            state.put(s, o);
            moved.push(s);
        }
        state.settle();
        stacks.into_iter().for_each(|w| moved.extend(take(state, w)));
    }
    moved
}

/// By site, the option that it takes; and what loops stack then, in which layout.
type Behind = (Vec<(u32, u32)>, Vec<Want>);

/// Options by which a tensor outside of loops comes about in a layout, and in which layouts loops then stack what it is made of.
/// `None` where no loop does, or where something on the way is not made behind one and lies otherwise.
fn made_of_stacks(state: &State<'_>, want: Want) -> Option<Behind> {
    let (mut options, mut stacks) = (Vec::new(), Vec::new());
    let mut open = vec![want];
    while let Some(want) = open.pop() {
        let here = |w: &Want| state.native(w.tensor) == Some(w.layout);
        let s = state.problem.tensors[want.tensor as usize].writer;
        if here(&want) || stacks.contains(&want) || options.iter().any(|x: &(u32, u32)| x.0 == s) {
            continue;
        }
        let (at, option) = giving(state, s, want)?;
        match option.source {
            SiteSource::Port(RegionPort::Stack(..)) => {
                stacks.push(want);
                let entry = added_to(state, &options, option.kids.first().copied());
                options.extend(entry);
            }
            SiteSource::Op(_) | SiteSource::Port(RegionPort::Carry(..)) if options.len() < effort::BEHIND_LOOP => {
                options.push((s, at));
                open.extend(option.kids.iter().copied());
            }
            _ => return None,
        }
    }
    Some((options, stacks)).filter(|x| !x.1.is_empty())
}

/// The option of a site in force that gives a tensor in a layout, in the form that the site has, with the fewest operands converted.
fn giving<'s>(state: &'s State<'_>, site: u32, want: Want) -> Option<(u32, &'s Choice)> {
    let Site { options, fixed: None, .. } = state.problem.sites.get(site as usize).filter(|_| state.active(site))?
    else {
        return None;
    };
    let now = options.get(state.chosen[site as usize] as usize)?;
    let moves = |o: &Choice| o.kids.iter().filter(|k| state.native(k.tensor) != Some(k.layout)).count();
    let gives = (0..).zip(options).filter(|(_, o)| o.source == now.source && o.natives.contains(&want));
    gives.min_by_key(|(i, o)| (moves(o), o.cost, *i))
}

/// What a loop stacks may be a sum over iterations of a loop around it, of whose carry it takes a slice and adds to that. Where one of
/// `options` lays out the carry, the slice and the sum lie as that does, so that only what is added is converted: their options.
fn added_to(state: &State<'_>, options: &[(u32, u32)], sum: Option<Want>) -> Vec<(u32, u32)> {
    let writer = |w: Want| state.problem.tensors[w.tensor as usize].writer;
    let laid = |w: &Want| {
        let at = options.iter().find(|x| x.0 == writer(*w));
        at.is_some_and(|&(s, o)| state.problem.sites[s as usize].options[o as usize].natives.contains(w))
    };
    let Some((sum, (at, add))) = sum.and_then(|w| Some((writer(w), giving(state, writer(w), w)?))) else {
        return Vec::new();
    };
    let entries = add.kids.iter().filter_map(|&k| {
        let (o, slice) = giving(state, writer(k), k)?;
        let sliced = matches!(slice.source, SiteSource::Port(RegionPort::Slice(..)));
        (sliced && slice.kids.iter().all(laid)).then_some((writer(k), o))
    });
    let entries: Vec<(u32, u32)> = entries.collect();
    if entries.is_empty() { entries } else { [vec![(sum, at)], entries].concat() }
}

/// A port takes the option that gives a tensor in a layout, and so do the ports that this comes from, through all loops. Gives the
/// sites that moved.
pub fn take(state: &mut State<'_>, want: Want) -> Vec<u32> {
    let mut moved = Vec::new();
    let mut open = vec![want];
    while let Some(want) = open.pop() {
        let s = state.problem.tensors[want.tensor as usize].writer;
        if s == UNSET || !state.active(s) || moved.contains(&s) || !is_port(state, s) {
            continue;
        }
        let site = &state.problem.sites[s as usize];
        let gives = site.options.iter().enumerate().filter(|(_, o)| o.natives.contains(&want));
        let option = gives.min_by_key(|(i, o)| (o.cost, *i)).filter(|_| site.fixed.is_none());
        let Some((o, choice)) = option else {
            continue;
        };
        open.extend(choice.kids.iter().copied());
        moved.push(s);
        state.put(s, o as u32);
    }
    state.settle();
    moved
}

fn is_port(state: &State<'_>, site: u32) -> bool {
    let source = state.problem.sites[site as usize].source;
    matches!(source, SiteSource::Port(p) if !matches!(p, RegionPort::Input(_)))
}
