//! What must hold of an entry with pipeline stages: between the programs of its ranks, and between them and the outline.
//!
//! Together the ranks have each parameter, state and output of the outline once. Each wire has two ends that agree. And the
//! order in which the ranks send and receive comes to an end: it is run here, without the values, as the runtime runs it, where
//! sends do not wait and receives do. So no accepted bundle makes a device wait for ever.
//!
//! Not here: whether the programs compute the right thing, and whether they follow the schedule's table (`audit`).

use crate::contents::{EntryContents, Pipeline};
use crate::error::{BundleError, BundleResult};
use crate::limits::{self, at_most};
use crate::program::*;
use crate::validate::{validate, validate_outline};
use std::collections::{BTreeMap, BTreeSet};

/// Checks all programs of an entry: its own, or its outline and those of the ranks of its pipeline.
///
/// # Errors
/// What is wrong, in which member and where.
pub fn validate_entry(e: &EntryContents) -> BundleResult<()> {
    entry(e, &e.member(), |k| e.rank_member(k))
}

/// Checks what the ranks of a pipeline send each other: that both ends of each wire agree, and that the order comes to an end.
///
/// # Errors
/// What is wrong, and in which rank.
pub fn validate_wires(p: &Pipeline) -> BundleResult<()> {
    let rank = |k| format!("rank {k}");
    wires(p, &rank)?;
    order(p, &rank)
}

/// As [`validate_entry`], with the names of the members.
pub(crate) fn entry(e: &EntryContents, member: &str, rank: impl Fn(usize) -> String) -> BundleResult<()> {
    let Some(p) = &e.pipeline else { return validate(&e.program).map_err(|x| x.in_member(member)) };
    validate_outline(&e.program).map_err(|x| x.in_member(member))?;
    shape(&e.program, p).map_err(|x| x.in_member(member))?;
    for (k, program) in p.ranks.iter().enumerate() {
        let of_rank = || validate(program).and_then(|()| mesh(&e.program, p.axis as usize, program));
        of_rank().map_err(|x| x.in_member(&rank(k)))?;
    }
    ports(&e.program, p, member, &rank)?;
    wires(p, &rank)?;
    order(p, &rank)
}

/// As many ranks as the axis has, and as many rows in the table.
fn shape(outline: &Program, p: &Pipeline) -> BundleResult<()> {
    let Some(axis) = outline.mesh.get(p.axis as usize) else {
        return Err(BundleError::new(format!("pipeline over mesh axis {} of {}", p.axis, outline.mesh.len())));
    };
    let rows = p.schedule.lines().filter(|l| !l.trim().is_empty()).count();
    for (n, what) in [(p.ranks.len(), "programs"), (rows, "rows of its schedule")] {
        if n != axis.size as usize {
            return Err(BundleError::new(format!("{n} {what} for {} ranks of axis `{}`", axis.size, axis.name)));
        }
    }
    Ok(())
}

/// A rank's mesh is the outline's without the axis of the pipeline.
fn mesh(outline: &Program, axis: usize, program: &Program) -> BundleResult<()> {
    let others = outline.mesh.iter().enumerate().filter(|(a, _)| *a != axis).map(|(_, m)| m);
    if !program.mesh.iter().eq(others) {
        return Err(BundleError::new("its mesh is not the outline's without the axis of the pipeline"));
    }
    Ok(())
}

/// Each port of a rank is a part of a port of the outline, and all parts together are the whole.
fn ports(outline: &Program, p: &Pipeline, member: &str, rank: &impl Fn(usize) -> String) -> BundleResult<()> {
    let key = |port: &Port| (port.role, port.name.clone());
    // The layers that ranks have of each port; of one that is not stacked, layer 0.
    let mut parts: BTreeMap<(Role, String), Vec<(u64, u64)>> = BTreeMap::new();
    for (k, program) in p.ranks.iter().enumerate() {
        for port in program.ports.iter().filter(|q| q.alias.is_none()) {
            let at = |m: &str| {
                BundleError::at(format!("port `{}`", port.name.escape_debug()), m.to_owned()).in_member(&rank(k))
            };
            let whole = outline.ports.iter().find(|w| w.alias.is_none() && key(w) == key(port));
            let whole = whole.ok_or_else(|| at("is in no port of the outline"))?;
            part_of(whole, p.axis, port).map_err(at)?;
            let layers = if port.stacked { port.global_shape[0] } else { 1 };
            parts.entry(key(port)).or_default().push((port.first_layer, port.first_layer + layers));
        }
    }
    for port in outline.ports.iter().filter(|q| q.alias.is_none() && q.role != Role::Input) {
        let mut all = parts.remove(&key(port)).unwrap_or_default();
        all.sort_unstable();
        let layers = if port.stacked { port.global_shape[0] } else { 1 };
        let mut end = 0;
        for (from, to) in all.iter().chain([&(layers, layers)]) {
            if *from != end {
                let which = if port.stacked { format!("layer {} of it ", end.min(*from)) } else { String::new() };
                let what = if *from > end { "is in no rank" } else { "is in two ranks" };
                let place = format!("port `{}`", port.name.escape_debug());
                return Err(BundleError::at(place, format!("{which}{what}")).in_member(member));
            }
            end = *to;
        }
    }
    Ok(())
}

/// Whether a rank's port is what it should be of the whole one.
fn part_of(whole: &Port, axis: u32, part: &Port) -> Result<(), &'static str> {
    if (part.dtype, part.stacked, part.init, part.range) != (whole.dtype, whole.stacked, whole.init, whole.range) {
        return Err("differs from the outline's in type, initial value or range");
    }
    let own = usize::from(part.stacked);
    let rank = whole.global_shape.len();
    if part.global_shape.len() != rank || part.global_shape[own..] != whole.global_shape[own..] {
        return Err("has another shape than the outline's");
    }
    let over = |a: u32| if a < axis { a } else { a + 1 };
    let layout = |p: &Port| p.layout.iter().map(|d| d.iter().map(|&a| over(a)).collect()).collect::<Vec<Vec<u32>>>();
    // The layers of one stage may lie otherwise than those of another.
    if !part.stacked && layout(part) != whole.layout {
        return Err("has another layout than the outline's");
    }
    if part.stacked {
        let (from, to) = (part.first_layer, part.first_layer.saturating_add(part.global_shape[0]));
        if to > whole.global_shape[0] {
            return Err("has layers that the outline's has not");
        }
        let names = whole.entries.get(from as usize..to as usize).unwrap_or_default();
        if part.entries != names {
            return Err("names its layers otherwise than the outline");
        }
    }
    Ok(())
}

/// Each wire is sent by one rank and received by another, and both say the same of it.
fn wires(p: &Pipeline, rank: &impl Fn(usize) -> String) -> BundleResult<()> {
    let mut ends: BTreeMap<(&str, bool), (usize, &Wire)> = BTreeMap::new();
    let at = |k: usize, w: &Wire, m: String| {
        BundleError::at(format!("wire `{}`", w.name.escape_debug()), m).in_member(&rank(k))
    };
    for (k, program) in p.ranks.iter().enumerate() {
        for w in &program.wires {
            if w.name.is_empty() || w.name.len() > limits::NAME {
                return Err(at(k, w, "needs a name of at most 512 characters".into()));
            }
            if let Some((other, _)) = ends.insert((&w.name, w.sends), (k, w)) {
                let verb = if w.sends { "sent" } else { "received" };
                return Err(at(k, w, format!("is {verb} by rank {other} as well")));
            }
        }
    }
    for (&(name, sends), &(k, w)) in &ends {
        let Some(&(other, o)) = ends.get(&(name, !sends)) else {
            let verb = if sends { "received" } else { "sent" };
            return Err(at(k, w, format!("is {verb} by no rank")));
        };
        if (w.dtype, &w.shape, w.each) != (o.dtype, &o.shape, o.each) {
            let of = |w: &Wire| {
                let each = if w.each { " for each microbatch" } else { "" };
                format!("{}{:?}{each}", w.dtype.name(), w.shape)
            };
            return Err(at(k, w, format!("is {}, and {} in rank {other}", of(w), of(o))));
        }
    }
    Ok(())
}

/// A value that a rank sends or waits for: the wire, and the microbatch.
type Event<'a> = (&'a str, u64, bool);

/// The order of all sends and receives comes to an end.
fn order(p: &Pipeline, rank: &impl Fn(usize) -> String) -> BundleResult<()> {
    let Some((k, wire, microbatch)) = stuck(&all_events(p, rank)?, None) else { return Ok(()) };
    let message = format!("waits for ever for microbatch {microbatch}: ranks wait for each other");
    Err(BundleError::at(format!("wire `{}`", wire.escape_debug()), message).in_member(&rank(k)))
}

impl Pipeline {
    /// How many values of a wire there must be room for between sender and receiver, at least two, so that no rank waits for ever.
    /// The pipeline was validated.
    pub fn room(&self) -> u64 {
        let Ok(lists) = all_events(self, &|_| String::new()) else { return limits::INSTRUCTIONS as u64 };
        let mut room = 2;
        while room < limits::INSTRUCTIONS && stuck(&lists, Some(room)).is_some() {
            room *= 2;
        }
        room as u64
    }
}

fn all_events<'a>(p: &'a Pipeline, rank: &impl Fn(usize) -> String) -> BundleResult<Vec<Vec<Event<'a>>>> {
    let (mut microbatches, mut all) = (None, 0);
    let of = |(k, program): (usize, &'a Program)| {
        events(program, &mut microbatches, &mut all).map_err(|x| x.in_member(&rank(k)))
    };
    p.ranks.iter().enumerate().map(of).collect()
}

/// Runs the ranks, where a wire has room for so many values: a rank that waits for ever, and for what. A wire's values come in
/// the order in which they are sent, which is that of microbatches.
fn stuck<'a>(lists: &[Vec<Event<'a>>], room: Option<usize>) -> Option<(usize, &'a str, u64)> {
    let mut at = vec![0; lists.len()];
    let mut there: BTreeMap<&str, usize> = BTreeMap::new();
    // By wire and whether it is to send.
    let mut waiting: BTreeMap<(&str, bool), usize> = BTreeMap::new();
    let mut ready: Vec<usize> = (0..lists.len()).collect();
    while let Some(k) = ready.pop() {
        while let Some(&(wire, _, sends)) = lists[k].get(at[k]) {
            let there = there.entry(wire).or_default();
            let goes = if sends { room.is_none_or(|n| *there < n) } else { *there > 0 };
            if !goes {
                waiting.insert((wire, sends), k);
                break;
            }
            *there = if sends { *there + 1 } else { *there - 1 };
            at[k] += 1;
            ready.extend(waiting.remove(&(wire, !sends)));
        }
    }
    let (&(wire, _), &k) = waiting.first_key_value()?;
    Some((k, wire, lists[k].get(at[k])?.1))
}

/// What a rank sends and receives in one step, in order. Each wire is used at one place.
fn events<'a>(program: &'a Program, microbatches: &mut Option<u64>, all: &mut u64) -> BundleResult<Vec<Event<'a>>> {
    let mut used = BTreeSet::new();
    let mut transfers = |instrs: &[Instr]| -> BundleResult<Vec<(&'a str, bool)>> {
        let mut found = Vec::new();
        for instr in instrs {
            let (Instr::Send(t) | Instr::Receive(t)) = instr else { continue };
            let Some(wire) = program.wires.get(t.wire as usize) else { continue };
            if !used.insert(t.wire) {
                let place = format!("wire `{}`", wire.name.escape_debug());
                return Err(BundleError::at(place, "is used at two places"));
            }
            found.push((wire.name.as_str(), wire.sends));
        }
        Ok(found)
    };
    let mut events = Vec::new();
    for instr in &program.instrs {
        match instr {
            Instr::Actions(a) => {
                if *microbatches.get_or_insert(a.microbatches) != a.microbatches {
                    return Err(BundleError::new(format!(
                        "{} microbatches; another rank has more or fewer",
                        a.microbatches
                    )));
                }
                let bodies = a.bodies.iter().map(|b| transfers(&b.body)).collect::<BundleResult<Vec<_>>>()?;
                let each: u64 = bodies.iter().map(|b| b.len() as u64).sum();
                *all = all.saturating_add(each.saturating_mul(a.microbatches));
                at_most("the number of transfers", *all, limits::INSTRUCTIONS as u64)?;
                for turn in &a.order {
                    let body = bodies.get(turn.action as usize).into_iter().flatten();
                    events.extend(body.map(|&(wire, sends)| (wire, turn.microbatch, sends)));
                }
            }
            _ => {
                let one = transfers(std::slice::from_ref(instr))?;
                *all = all.saturating_add(one.len() as u64);
                events.extend(one.into_iter().map(|(wire, sends)| (wire, 0, sends)));
            }
        }
    }
    if let Some(w) = program.wires.iter().enumerate().find(|(i, _)| !used.contains(&(*i as u32))) {
        let place = format!("wire `{}`", w.1.name.escape_debug());
        return Err(BundleError::at(place, "is used nowhere"));
    }
    Ok(events)
}
