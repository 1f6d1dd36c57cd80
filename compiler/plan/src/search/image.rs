//! From a split program to the program that it was split from, both with alternatives: which op and value of the one is which of
//! the other. So a decision about the one is a start for the other.
//!
//! For the given program, splitting says it. Alternatives are found anew for the split program, and are recognised: the same op
//! of the same operands in the same region. What is not recognised (a shape that has the number of iterations in it) is left
//! open; the search then takes what is cheapest beside the rest.

use crate::extend::Extended;
use meshloom_ir::segments::Split;
use meshloom_ir::{Func, Op, OpId, RegionId, ValueId};
use std::collections::HashMap;

/// By op and value of the split program with alternatives: that of the whole one.
pub struct Image {
    pub ops: Vec<Option<OpId>>,
    pub values: Vec<Option<ValueId>>,
}

impl Image {
    /// Every op and value of a program as itself.
    pub fn of_itself(func: &Func) -> Image {
        Image {
            ops: (0..func.ops.len() as u32).map(|o| Some(OpId(o))).collect(),
            values: (0..func.values.len() as u32).map(|v| Some(ValueId(v))).collect(),
        }
    }
}

/// What tells two ops of one region apart.
fn key(op: &Op, region: RegionId, operands: Vec<ValueId>) -> (Op, RegionId, Vec<ValueId>) {
    let op = match op {
        Op::Repeat { reverse, carries, xs, early, .. } => {
            Op::Repeat { trip: 0, reverse: *reverse, carries: *carries, xs: *xs, early: *early }
        }
        other => other.clone(),
    };
    (op, region, operands)
}

/// `given` is how many ops the whole program was given with; `split` is of that.
pub fn image(whole: &Extended, given: usize, split: &Split, parts: &Extended) -> Image {
    let added = |o: &&OpId| o.index() >= given;
    let mut known: HashMap<(Op, RegionId, Vec<ValueId>), OpId> = HashMap::new();
    for r in &whole.func.regions {
        for &o in r.ops.iter().filter(added) {
            let data = whole.func.op(o);
            known.entry(key(&data.op, data.parent, data.operands.clone())).or_insert(o);
        }
    }
    let mut out = Image { ops: split.ops.clone(), values: split.values.iter().map(|&v| Some(v)).collect() };
    out.ops.resize(parts.func.ops.len(), None);
    out.values.resize(parts.func.values.len(), None);
    let mut regions: Vec<Option<RegionId>> = split.regions.iter().map(|&r| Some(r)).collect();
    regions.resize(parts.func.regions.len(), None);
    for o in parts.func.walk(Func::BODY) {
        if o.index() < split.ops.len() {
            continue;
        }
        let data = parts.func.op(o);
        let operands: Option<Vec<ValueId>> = data.operands.iter().map(|x| out.values[x.index()]).collect();
        let Some((operands, region)) = operands.zip(regions[data.parent.index()]) else { continue };
        let Some(&same) = known.get(&key(&data.op, region, operands)) else { continue };
        out.ops[o.index()] = Some(same);
        let old = whole.func.op(same);
        for (&v, &w) in data.results.iter().zip(&old.results) {
            out.values[v.index()] = Some(w);
        }
        for (&r, &s) in data.regions.iter().zip(&old.regions) {
            regions[r.index()] = Some(s);
            for (&v, &w) in parts.func.region(r).args.iter().zip(&whole.func.region(s).args) {
                out.values[v.index()] = Some(w);
            }
        }
    }
    out
}
