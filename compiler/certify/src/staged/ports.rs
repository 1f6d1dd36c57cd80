//! Checks the ports of the ranks: which layers of which port of the local program each of them is, which wire connects
//! which two, and where dims are cut as a consequence.
//!
//! A dim 0 of `n` entries is cut where any port begins or ends with a part of a stack of `n`: everywhere in both programs, so it
//! does not matter which tensors of `n` rows are stacks of layers. A dim that is cut too often is only compared in more parts.

use super::program::{LayerRange, Rank, RankInput, RankOutput};
use super::refusal::Refusal;
use meshloom_ir::{Func, Op, Port, Role, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The most parts into which a dim is cut.
const MAX_PARTS: usize = 1024;

#[derive(Debug)]
pub struct Ports {
    /// For each size of a dim 0 that is cut: 0, the rows where parts begin, and the size.
    pub cuts: BTreeMap<u64, Vec<u64>>,
    /// For each received input, by rank and number: the rank and the output that send it.
    pub senders: BTreeMap<(usize, usize), (usize, usize)>,
}

pub fn check(local: &Func, ranks: &[Rank<'_>]) -> Result<Ports, Vec<Refusal>> {
    let mut wrong = Vec::new();
    let (mut given, mut cuts) = (BTreeSet::new(), BTreeMap::new());
    for (k, r) in ranks.iter().enumerate() {
        for i in 0..r.inputs.len() {
            wrong.extend(input(local, r, i, &mut cuts).err().map(|e| Refusal::rank(k, e)));
        }
        for o in 0..r.outputs.len() {
            wrong.extend(output(local, r, o, &mut cuts, &mut given).err().map(|e| Refusal::rank(k, e)));
        }
        wrong.extend(updated(local, r).into_iter().map(|e| Refusal::rank(k, e)));
    }
    for (j, port) in local.outputs.iter().enumerate() {
        wrong.extend(missing(local, j, port, &given).map(Refusal::whole));
    }
    let senders = wires(ranks, &mut wrong);
    let mut runs = halves(local, ranks, &mut cuts);
    runs.extend(segments(local));
    let cuts = refined(cuts, runs, ranks).map_err(|e| vec![Refusal::whole(e)])?;
    if wrong.is_empty() { Ok(Ports { cuts, senders }) } else { Err(wrong) }
}

type Cuts = BTreeMap<u64, BTreeSet<u64>>;

/// Checks that port `r` of a rank is these layers of port `l` of the local program.
fn same(l: &Port, r: &Port, layers: Option<LayerRange>) -> Result<(), String> {
    let (first, entries) = match layers {
        Some((lo, hi)) => (lo, l.entries.iter().skip(lo as usize).take((hi - lo) as usize).cloned().collect()),
        None => (0, l.entries.clone()),
    };
    let checks = [
        ("name", r.name == l.name),
        ("first layer", r.first_layer == l.first_layer + first),
        ("names of layers", r.entries == entries),
        ("role", l.role == r.role),
        ("stack of layers", l.stacked == r.stacked && (l.stacked || layers.is_none())),
        ("initial value", l.init == r.init),
        ("range", l.range == r.range),
        ("parameter", l.of == r.of),
    ];
    match checks.iter().find(|c| !c.1) {
        Some((what, _)) => Err(format!("is not `{}` of the local program: another {what}", l.name)),
        None => Ok(()),
    }
}

/// That a value has the type and layout of these rows of another one. Notes where its rows are cut.
fn typed(
    local: &Func,
    v: ValueId,
    r: &Func,
    x: ValueId,
    layers: Option<LayerRange>,
    cuts: &mut Cuts,
) -> Result<(), String> {
    let mut ty = local.ty(v).clone();
    if let Some((lo, hi)) = layers {
        let n = ty.shape.first().copied().unwrap_or(0);
        if hi > n {
            return Err(format!("is said to have layers {lo}..{hi} of {n}"));
        }
        ty.shape[0] = hi - lo;
        cuts.entry(n).or_default().extend([lo, hi]);
    }
    if *r.ty(x) != ty || r.value(x).layout != local.value(v).layout {
        return Err(format!("is {}, or split, unlike {ty} of the local program", r.ty(x)));
    }
    Ok(())
}

fn input(local: &Func, r: &Rank<'_>, i: usize, cuts: &mut Cuts) -> Result<(), String> {
    let port = &r.func.inputs[i];
    let named = |e: String| format!("input `{}` {e}", port.name);
    match r.inputs[i] {
        RankInput::Input { layers: Some((lo, hi)), .. } if lo >= hi => Err(named(format!("has the layers {lo}..{hi}"))),
        RankInput::Input { input, layers } => {
            let l = local.inputs.get(input).ok_or_else(|| named("is said to be an input that there is not".into()))?;
            same(l, port, layers).map_err(named)?;
            typed(local, local.body().args[input], r.func, r.func.body().args[i], layers, cuts).map_err(named)
        }
        RankInput::Received { .. } if port.role != Role::Received => {
            Err(named("is received, and has another role".into()))
        }
        RankInput::Received { .. } => Ok(()),
    }
}

fn output(
    local: &Func,
    r: &Rank<'_>,
    o: usize,
    cuts: &mut Cuts,
    given: &mut BTreeSet<(usize, u64, u64)>,
) -> Result<(), String> {
    let port = &r.func.outputs[o];
    let named = |e: String| format!("output `{}` {e}", port.name);
    match r.outputs[o] {
        RankOutput::Output { layers: Some((lo, hi)), .. } if lo >= hi => {
            Err(named(format!("has the layers {lo}..{hi}")))
        }
        RankOutput::Output { output, layers } => {
            let l =
                local.outputs.get(output).ok_or_else(|| named("is said to be an output that there is not".into()))?;
            same(l, port, layers).map_err(named)?;
            let of = port.updates.and_then(|i| r.inputs.get(i));
            let wanted = l.updates.map(|input| RankInput::Input { input, layers });
            if of != wanted.as_ref() {
                return Err(named("is the next value of another input than in the local program".into()));
            }
            let v = local.body().yields[output];
            typed(local, v, r.func, r.func.body().yields[o], layers, cuts).map_err(named)?;
            let n = local.ty(v).shape.first().copied().unwrap_or(0);
            let (lo, hi) = layers.unwrap_or((0, n));
            given.insert((output, lo, hi));
            Ok(())
        }
        RankOutput::Sent { .. } if port.role != Role::Sent || port.updates.is_some() => {
            Err(named("is sent, and has another role".into()))
        }
        RankOutput::Sent { .. } => Ok(()),
    }
}

/// Copies of what a step updates that keep their old value.
fn updated(local: &Func, r: &Rank<'_>) -> Vec<String> {
    let updates = |i: usize| local.outputs.iter().any(|p| p.updates == Some(i));
    let stale = r.inputs.iter().enumerate().filter(|(i, s)| {
        matches!(s, RankInput::Input { input, .. } if updates(*input))
            && r.func.outputs.iter().filter(|p| p.updates == Some(*i)).count() != 1
    });
    stale.map(|(i, _)| format!("input `{}` is not updated, or more than once", r.func.inputs[i].name)).collect()
}

/// The layers of an output that no rank gives.
fn missing(local: &Func, j: usize, port: &Port, given: &BTreeSet<(usize, u64, u64)>) -> Option<String> {
    let n = local.ty(local.body().yields[j]).shape.first().copied().unwrap_or(0);
    let (mut end, mut any) = (0, false);
    for &(_, lo, hi) in given.range((j, 0, 0)..(j + 1, 0, 0)) {
        any = true;
        if lo <= end {
            end = end.max(hi);
        }
    }
    match any {
        false => Some(format!("no rank gives output `{}`", port.name)),
        true if end < n => Some(format!("no rank gives layer {end} of output `{}`", port.name)),
        true => None,
    }
}

/// Both ends of all wires.
fn wires(ranks: &[Rank<'_>], wrong: &mut Vec<Refusal>) -> BTreeMap<(usize, usize), (usize, usize)> {
    let mut sent = BTreeMap::new();
    for (k, r) in ranks.iter().enumerate() {
        for (o, t) in r.outputs.iter().enumerate() {
            let RankOutput::Sent { to, each } = *t else { continue };
            let name = r.func.outputs[o].name.as_str();
            if sent.insert(name, (k, to, each, o)).is_some() {
                wrong.push(Refusal::rank(k, format!("wire `{name}` is sent twice")));
            }
        }
    }
    let mut senders = BTreeMap::new();
    for (k, r) in ranks.iter().enumerate() {
        for (i, s) in r.inputs.iter().enumerate() {
            let RankInput::Received { from, each } = *s else { continue };
            let name = r.func.inputs[i].name.as_str();
            let Some((rank, to, sends_each, o)) = sent.remove(name) else {
                wrong.push(Refusal::rank(k, format!("wire `{name}` is received, and not sent, or received twice")));
                continue;
            };
            let (x, v) = (r.func.body().args[i], ranks[rank].func.body().yields[o]);
            let (a, b) = (r.func.value(x), ranks[rank].func.value(v));
            let stack = !each || (!a.ty.shape.is_empty() && a.layout.as_ref().is_none_or(|l| l.dims[0].is_empty()));
            if (rank, to) != (from, k) || each != sends_each || a.ty != b.ty || a.layout != b.layout || !stack {
                wrong.push(Refusal::rank(
                    k,
                    format!("wire `{name}` is not at both ends from and to the same rank, and of one type"),
                ));
            }
            senders.insert((k, i), (rank, o));
        }
    }
    wrong.extend(sent.iter().map(|(name, s)| Refusal::rank(s.0, format!("wire `{name}` is sent, and not received"))));
    senders
}

/// Where ranks have actions for a part of the microbatches, a loop over all of them is cut. Gives the parts.
fn halves(local: &Func, ranks: &[Rank<'_>], cuts: &mut Cuts) -> BTreeSet<LayerRange> {
    let mut runs = BTreeSet::new();
    let trip = |f: &Func, o| match f.op(o).op {
        Op::Repeat { trip, .. } => Some(trip),
        _ => None,
    };
    let whole: BTreeSet<u64> = local.body().ops.iter().filter_map(|&o| trip(local, o)).collect();
    let actions = ranks.iter().flat_map(|r| r.actions.iter().map(|a| (r.func, a.repeat)));
    for (f, o) in actions.filter(|(f, o)| o.index() < f.ops.len()) {
        let Some(t) = trip(f, o).filter(|t| *t > 0 && !whole.contains(t)) else { continue };
        if let Some(&n) = whole.iter().find(|&&n| n > t && n.is_multiple_of(t) && n / t <= MAX_PARTS as u64) {
            cuts.entry(n).or_default().extend((0..n / t).map(|i| i * t));
            runs.extend((0..n / t).map(|i| (i * t, (i + 1) * t)));
        }
    }
    runs
}

/// Rows that the local program takes of its tensors: where its layers are in segments, the parts of a segment are parts of the list.
fn segments(local: &Func) -> impl Iterator<Item = LayerRange> {
    let all = local.walk(Func::BODY).into_iter();
    all.filter_map(|o| match &local.op(o).op {
        Op::Slice { start, limit } => Some((*start.first()?, *limit.first()?)),
        _ => None,
    })
}

/// Cuts of parts are cuts of the whole, and cuts of the whole are cuts of parts that are ports, or `runs` of microbatches: there may
/// be as many microbatches as layers.
fn refined(mut cuts: Cuts, runs: BTreeSet<LayerRange>, ranks: &[Rank<'_>]) -> Result<BTreeMap<u64, Vec<u64>>, String> {
    cuts.iter_mut().for_each(|(&n, at)| at.extend([0, n]));
    let sources = ranks.iter().flat_map(|r| &r.inputs).filter_map(|s| match s {
        RankInput::Input { layers, .. } => *layers,
        RankInput::Received { .. } => None,
    });
    let targets = ranks.iter().flat_map(|r| &r.outputs).filter_map(|t| match t {
        RankOutput::Output { layers, .. } => *layers,
        RankOutput::Sent { .. } => None,
    });
    let parts: BTreeSet<LayerRange> = sources.chain(targets).chain(runs).collect();
    loop {
        let before: usize = cuts.values().map(BTreeSet::len).sum();
        let sizes: Vec<u64> = cuts.keys().copied().collect();
        for n in sizes {
            let at: Vec<u64> = cuts[&n].iter().copied().collect();
            let mut more = Vec::new();
            for w in at.windows(2).filter(|w| w[1] - w[0] < n) {
                more.extend(cuts.get(&(w[1] - w[0])).into_iter().flatten().map(|x| w[0] + x));
            }
            for &(lo, hi) in parts.iter().filter(|p| p.1 <= n && p.1 - p.0 < n) {
                let inside: Vec<u64> = at.iter().filter(|x| (lo..=hi).contains(*x)).map(|x| x - lo).collect();
                if inside.first() != Some(&0) || inside.last() != Some(&(hi - lo)) {
                    continue;
                }
                // A part that is cut is no longer one between two cuts, and another part of its length may be cut elsewhere.
                more.extend(cuts.get(&(hi - lo)).into_iter().flatten().map(|x| lo + x));
                if inside.len() > 2 {
                    cuts.entry(hi - lo).or_default().extend(inside);
                }
            }
            if let Some(all) = cuts.get_mut(&n) {
                all.extend(more);
                if all.len() > MAX_PARTS {
                    return Err(format!("a dim of {n} in more than {MAX_PARTS} parts is not followed"));
                }
            }
        }
        if cuts.values().map(BTreeSet::len).sum::<usize>() == before {
            break;
        }
    }
    Ok(cuts
        .into_iter()
        .map(|(n, at)| (n, at.into_iter().collect()))
        .filter(|c: &(u64, Vec<u64>)| c.1.len() > 2)
        .collect())
}
