//! A local program in which the results of some forward ops are not kept. Each such op is rematerialized right before the first
//! op of the backward pass that reads it.
//!
//! A copy claims what the original claims, by the same step, so the certificate needs nothing new: the checker sees one more
//! op that computes a shard of a tensor, from operands that are proved like all others.
//!
//! Ids are given anew, in the order of the text, bodies before their op, as the text form has them.
//!
//! Most programs that are made here are timed and measured and no more, so the certificate is written for those that are asked for.

use crate::partition::LocalProgram;
use meshloom_certify::Certificate;
use meshloom_ir::{Def, Func, OpData, OpId, Phase, Recompute, Region, RegionId, Value, ValueId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A local program with ops rematerialized, and which op and value of the given program each of its own is.
pub struct Rewritten {
    pub func: Arc<Func>,
    ops: Vec<OpId>,
    values: Vec<ValueId>,
}

impl Rewritten {
    /// The program with its certificate; `local` is the one that was rewritten.
    pub fn certified(self, local: &LocalProgram) -> LocalProgram {
        let old = &local.certificate;
        let mut certificate = Certificate {
            mesh: old.mesh.clone(),
            cuts: old.cuts.clone(),
            form: old.form.clone(),
            values: Vec::with_capacity(self.values.len()),
            steps: Vec::with_capacity(self.ops.len()),
        };
        certificate.values.extend(self.values.iter().map(|v| old.values[v.index()].clone()));
        certificate.steps.extend(self.ops.iter().map(|o| old.steps[o.index()].clone()));
        let origins = self.ops.iter().map(|o| local.origins[o.index()]).collect();
        // What was rewritten may have been without names and layouts.
        let mut func = Arc::unwrap_or_clone(self.func);
        for (value, v) in func.values.iter_mut().zip(&self.values) {
            let old = local.func.value(*v);
            value.name.clone_from(&old.name);
            value.layout.clone_from(&old.layout);
        }
        LocalProgram { func, certificate, origins, missing: local.missing.clone() }
    }
}

/// `old` with these forward ops rematerialized for the backward pass.
pub fn rewrite(old: &Func, rematerialized: &BTreeSet<OpId>) -> Rewritten {
    let mut func = Func::like(old);
    func.inputs.clone_from(&old.inputs);
    func.outputs.clone_from(&old.outputs);
    // Nothing goes, and little comes on top.
    let (ops, values) = (old.ops.len() * 5 / 4, old.values.len() * 5 / 4);
    func.ops.reserve(ops);
    func.values.reserve(values);
    let mut w = Copier { old, func, ops: Vec::with_capacity(ops), values: Vec::with_capacity(values) };
    // Where the forward pass finds a value, and where the others do: what is not kept is another one there.
    let (mut forward, mut later) = (Map::default(), Map::default());
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
        for p in missing(old, rematerialized, &data.operands, &fresh) {
            w.op(p, Func::BODY, Phase::Backward, &mut later);
            if let Some(copy) = w.func.ops.last_mut() {
                copy.recompute = Some(Recompute::Full);
            }
            fresh.insert(p);
        }
        w.op(o, Func::BODY, data.phase, &mut later);
        results().for_each(|r| _ = forward.insert(*r, later[r]));
    }
    let yields = old.body().yields.iter().map(|y| forward[y]).collect();
    w.func.regions[0].yields = yields;
    Rewritten { func: Arc::new(w.func), ops: w.ops, values: w.values }
}

/// Rematerialized ops that have to run before something reads `operands`, in order.
fn missing(func: &Func, rematerialized: &BTreeSet<OpId>, operands: &[ValueId], fresh: &BTreeSet<OpId>) -> Vec<OpId> {
    let mut found = BTreeSet::new();
    let mut open = operands.to_vec();
    while let Some(v) = open.pop() {
        if let Some(o) = func.def_op(v).filter(|o| rematerialized.contains(o) && !fresh.contains(o))
            && found.insert(o)
        {
            open.extend(&func.op(o).operands);
        }
    }
    // Ops of the body are numbered in its order.
    found.into_iter().collect()
}

/// Where the values of the given program are.
type Map = FxHashMap<ValueId, ValueId>;

struct Copier<'l> {
    old: &'l Func,
    func: Func,
    ops: Vec<OpId>,
    values: Vec<ValueId>,
}

impl Copier<'_> {
    fn value(&mut self, v: ValueId, def: Def) -> ValueId {
        let id = ValueId(self.func.values.len() as u32);
        self.func.values.push(Value { def, ..self.old.value(v).clone() });
        self.values.push(v);
        id
    }

    fn arguments(&mut self, from: RegionId, to: RegionId, map: &mut Map) {
        for (i, &a) in self.old.region(from).args.iter().enumerate() {
            let v = self.value(a, Def::Arg(to, i as u32));
            self.func.regions[to.index()].args.push(v);
            map.insert(a, v);
        }
    }

    fn op(&mut self, o: OpId, parent: RegionId, phase: Phase, map: &mut Map) {
        let data = self.old.op(o);
        let mut regions = Vec::new();
        for &r in &data.regions {
            let to = RegionId(self.func.regions.len() as u32);
            self.func.regions.push(Region::default());
            let mut inner = Map::default();
            self.arguments(r, to, &mut inner);
            for &p in &self.old.region(r).ops {
                let phase = if phase == data.phase { self.old.op(p).phase } else { phase };
                self.op(p, to, phase, &mut inner);
            }
            let yields = self.old.region(r).yields.iter().map(|y| inner[y]).collect();
            self.func.regions[to.index()].yields = yields;
            regions.push(to);
        }
        let id = OpId(self.func.ops.len() as u32);
        for r in &regions {
            self.func.regions[r.index()].owner = Some(id);
        }
        let operands = data.operands.iter().map(|x| map[x]).collect();
        let mut results = Vec::with_capacity(data.results.len());
        for (i, &r) in data.results.iter().enumerate() {
            let v = self.value(r, Def::Op(id, i as u32));
            map.insert(r, v);
            results.push(v);
        }
        let (op, &OpData { span, weight_grad, recompute, .. }) = (data.op.clone(), data);
        self.func.ops.push(OpData { op, operands, results, regions, parent, phase, span, weight_grad, recompute });
        self.func.regions[parent.index()].ops.push(id);
        self.ops.push(o);
    }
}
