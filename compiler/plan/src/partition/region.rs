//! The ops of a region in order, repeats with the ports that are in use, and what is written before its turn because an op
//! reads it.

use super::ops;
use super::writer::{OpFrom, Writer};
use crate::saturate::program::{RegionPort, stacked, unstacked};
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

impl Writer<'_, '_> {
    /// The shard of `v` in `layout`; converted now if it is not there yet.
    pub fn get(&mut self, v: ValueId, layout: &Layout) -> ValueId {
        ensure(self, v);
        if let Some(local) = self.find(v, layout) {
            return local;
        }
        let v = self.program.rep(v);
        // Conversions form a tree from the native layout: walk up to what is there, then down again.
        let mut missing = Vec::new();
        let mut at = layout.clone();
        let mut have = None;
        while have.is_none() {
            let steps = self.solution.conversions.get(&v);
            let Some(i) = steps.and_then(|s| s.iter().position(|c| c.to == at)) else {
                break;
            };
            if missing.contains(&i) {
                break;
            }
            missing.push(i);
            at = self.solution.conversions[&v][i].from.clone();
            have = self.find(v, &at);
        }
        let mut local = match have {
            Some(local) => local,
            None => self.lacks(v, &at),
        };
        for i in missing.into_iter().rev() {
            let c = self.solution.conversions[&v][i].clone();
            local = self.convert(v, c.step, &c.to, local);
        }
        local
    }
}

/// Writes what brings `v` about, if it is still to come: a form that algebra added stands behind its readers.
fn ensure(w: &mut Writer<'_, '_>, v: ValueId) {
    if w.program.generated(v) {
        if let Some(&o) = w.program.makers.get(&w.program.rep(v))
            && !w.exists(v)
        {
            ops::generated(w, o);
        }
        return;
    }
    if w.exists(v) {
        return;
    }
    let phase = w.phase;
    match w.solution.sources.get(&w.program.rep(v)) {
        Some(&SiteSource::Op(o)) => ops::op(w, o),
        Some(&SiteSource::Port(RegionPort::Carry(o, i) | RegionPort::Stack(o, i)))
            if w.program.rep(w.program.func.op(o).results[i]) == w.program.rep(v) =>
        {
            repeat(w, o);
        }
        _ => {}
    }
    w.phase = phase;
}

/// Writes a loop, unless that was done already for an op that stands before it.
fn repeat(w: &mut Writer<'_, '_>, o: OpId) {
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
    let locals = w.push(op, from, operands, &results);
    for ((v, l), local) in results.iter().zip(locals) {
        w.keep(*v, l.clone(), local);
    }
    for (v, _) in results {
        w.convert_all(v);
    }
}
