//! The ops of a region in order, and repeats with the ports that are in use.

use super::ops;
use super::writer::{OpFrom, Writer};
use crate::program::{stacked, unstacked};
use crate::search::problem::SiteSource;
use meshloom_certify::Step;
use meshloom_ir::{Layout, Op, OpId, RegionId, ValueId};

/// Writes the live ops of global region `r` into the current local one.
pub fn ops(w: &mut Writer<'_, '_>, r: RegionId) {
    let func = w.program.func;
    for &o in &func.region(r).ops {
        let data = func.op(o);
        if !data.results.iter().any(|&v| w.program.live(v)) {
            continue;
        }
        if matches!(data.op, Op::Repeat { .. }) {
            repeat(w, o);
        } else if w.solution.forms.contains_key(&o) || w.program.generated(data.results[0]) {
            ops::op(w, o);
        }
    }
}

/// Writes a loop, unless that was done already for an op that stands before it.
pub fn repeat(w: &mut Writer<'_, '_>, o: OpId) {
    if !w.loops.insert(o) {
        return;
    }
    let func = w.program.func;
    let data = func.op(o);
    let Op::Repeat { trip, reverse, carries, xs, early } = data.op else {
        return;
    };
    w.phase = data.phase;
    let global = func.region(data.regions[0]);
    // Ports that something reads as they are; what is recomputed in the body needs none.
    let port = |w: &Writer<'_, '_>, v: ValueId| {
        let source = w.solution.sources.get(&w.program.rep(v));
        source.is_some_and(|s| matches!(s, SiteSource::Port(p) if w.program.port(v) == Some(*p)))
    };
    let used: Vec<usize> = (0..global.args.len()).filter(|&i| port(w, global.args[i])).collect();
    let is_slice = |i: usize| i >= carries && i < carries + xs;
    let stacks = || (carries..data.results.len()).filter(|&i| port(w, data.results[i]));
    // What it gives may all be had without it, computed before the loop or where it is read.
    if used.iter().all(|&i| i >= carries) && stacks().next().is_none() {
        return;
    }
    let mut operands = Vec::new();
    for &i in &used {
        let layout = w.native(global.args[i]);
        let outside = if is_slice(i) { stacked(&layout) } else { layout };
        operands.push(w.get(data.operands[i], &outside));
    }
    let region = w.open();
    for (&i, x) in used.iter().zip(&operands) {
        let v = global.args[i];
        let layout = w.native(v);
        let local = w.argument(region, v, &layout);
        if i >= carries + xs {
            w.padding[local.index()] = w.padding[x.index()].clone();
        }
        w.keep(v, layout, local);
    }
    let outer = std::mem::replace(&mut w.region, region);
    ops(w, data.regions[0]);
    // What a carry becomes, then what is stacked.
    let mut yields = Vec::new();
    let mut results: Vec<(ValueId, Layout)> = Vec::new();
    for &i in used.iter().filter(|&&i| i < carries) {
        let layout = w.native(global.args[i]);
        yields.push(w.get(global.yields[i], &layout));
        results.push((data.results[i], layout));
    }
    for i in carries..data.results.len() {
        if !port(w, data.results[i]) {
            continue;
        }
        let layout = w.native(data.results[i]);
        let Some(slice) = unstacked(&layout) else {
            continue;
        };
        yields.push(w.get(global.yields[i], &slice));
        results.push((data.results[i], layout));
    }
    w.func.regions[region.index()].yields = yields;
    w.region = outer;
    w.phase = data.phase;
    let op = Op::Repeat {
        trip,
        reverse,
        carries: used.iter().filter(|&&i| i < carries).count(),
        xs: used.iter().filter(|&&i| is_slice(i)).count(),
        early,
    };
    let from = OpFrom { regions: vec![region], ..OpFrom::global(func, o, Step::Region { global: o }) };
    let locals = w.push(op, &from, operands, &results);
    for ((v, l), local) in results.iter().zip(locals) {
        w.keep(*v, l.clone(), local);
    }
    for (v, _) in results {
        w.convert_all(v);
    }
}
