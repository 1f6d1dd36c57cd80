//! A local program in which the results of some forward ops are not kept. Each such op is rematerialized right before the first
//! op of the backward pass that reads it.
//!
//! A copy claims what the original claims, by the same step, so the certificate needs nothing new: the checker sees one more
//! op that computes a shard of a tensor, from operands that are proved like all others.
//!
//! Ids are given anew, in the order of the text, bodies before their op, as the text form has them.

use crate::partition::LocalProgram;
use meshloom_ir::copy::ValueMap;
use meshloom_ir::{Def, Func, OpData, OpId, Phase, Recompute, Region, RegionId, Value, ValueId};
use std::collections::BTreeSet;

/// `local` with the forward ops `again` rematerialized for the backward pass.
pub fn rewrite(local: &LocalProgram, again: &BTreeSet<OpId>) -> LocalProgram {
    let old = &local.func;
    let mut w = Copier { local, made: empty(local) };
    // Where the forward pass finds a value, and where the others do: what is not kept is another one there.
    let (mut forward, mut later) = (ValueMap::new(), ValueMap::new());
    w.arguments(Func::BODY, Func::BODY, &mut forward);
    later.clone_from(&forward);
    let mut fresh = BTreeSet::new();
    for &o in &old.body().ops {
        let data = old.op(o);
        let results = || data.results.iter();
        if data.phase == Phase::Forward {
            w.op(o, Func::BODY, data.phase, &mut forward);
            results().for_each(|r| _ = later.entry(*r).or_insert(forward[r]));
            continue;
        }
        for p in missing(old, again, &data.operands, &fresh) {
            w.op(p, Func::BODY, Phase::Backward, &mut later);
            if let Some(copy) = w.made.func.ops.last_mut() {
                copy.recompute = Some(Recompute::Full);
            }
            fresh.insert(p);
        }
        w.op(o, Func::BODY, data.phase, &mut later);
        results().for_each(|r| _ = forward.insert(*r, later[r]));
    }
    let yields = old.body().yields.iter().map(|y| forward[y]).collect();
    w.made.func.regions[0].yields = yields;
    w.made
}

/// Ops of `again` that have to be made before something reads `operands`, in order.
fn missing(func: &Func, again: &BTreeSet<OpId>, operands: &[ValueId], fresh: &BTreeSet<OpId>) -> Vec<OpId> {
    let mut found = BTreeSet::new();
    let mut open = operands.to_vec();
    while let Some(v) = open.pop() {
        if let Some(o) = func.def_op(v).filter(|o| again.contains(o) && !fresh.contains(o))
            && found.insert(o)
        {
            open.extend(&func.op(o).operands);
        }
    }
    // Ops of the body are numbered in its order.
    found.into_iter().collect()
}

fn empty(local: &LocalProgram) -> LocalProgram {
    let (old, certificate) = (&local.func, &local.certificate);
    let mut func = Func::new(old.name.clone(), old.mesh.clone());
    func.inputs.clone_from(&old.inputs);
    func.outputs.clone_from(&old.outputs);
    let mut made =
        LocalProgram { func, certificate: certificate.clone(), origins: Vec::new(), missing: local.missing.clone() };
    made.certificate.values.clear();
    made.certificate.steps.clear();
    made
}

struct Copier<'l> {
    local: &'l LocalProgram,
    made: LocalProgram,
}

impl Copier<'_> {
    fn value(&mut self, v: ValueId, def: Def) -> ValueId {
        let id = ValueId(self.made.func.values.len() as u32);
        self.made.func.values.push(Value { def, ..self.local.func.value(v).clone() });
        self.made.certificate.values.push(self.local.certificate.values[v.index()].clone());
        id
    }

    fn arguments(&mut self, from: RegionId, to: RegionId, map: &mut ValueMap) {
        for (i, &a) in self.local.func.region(from).args.iter().enumerate() {
            let v = self.value(a, Def::Arg(to, i as u32));
            self.made.func.regions[to.index()].args.push(v);
            map.insert(a, v);
        }
    }

    fn op(&mut self, o: OpId, parent: RegionId, phase: Phase, map: &mut ValueMap) {
        let old = self.local.func.op(o);
        let mut regions = Vec::new();
        for &r in &old.regions {
            let to = RegionId(self.made.func.regions.len() as u32);
            self.made.func.regions.push(Region::default());
            let mut inner = ValueMap::new();
            self.arguments(r, to, &mut inner);
            for &p in &self.local.func.region(r).ops {
                let phase = if phase == old.phase { self.local.func.op(p).phase } else { phase };
                self.op(p, to, phase, &mut inner);
            }
            let yields = self.local.func.region(r).yields.iter().map(|y| inner[y]).collect();
            self.made.func.regions[to.index()].yields = yields;
            regions.push(to);
        }
        let id = OpId(self.made.func.ops.len() as u32);
        for r in &regions {
            self.made.func.regions[r.index()].owner = Some(id);
        }
        let operands = old.operands.iter().map(|x| map[x]).collect();
        let mut results = Vec::new();
        for (i, &r) in old.results.iter().enumerate() {
            let v = self.value(r, Def::Op(id, i as u32));
            map.insert(r, v);
            results.push(v);
        }
        self.made.func.ops.push(OpData { operands, results, regions, parent, phase, ..old.clone() });
        self.made.func.regions[parent.index()].ops.push(id);
        self.made.certificate.steps.push(self.local.certificate.steps[o.index()].clone());
        self.made.origins.push(self.local.origins[o.index()]);
    }
}
