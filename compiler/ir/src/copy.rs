//! Copies of ops within one function, of which recomputation and the inlining of composites are made, and of one function's body
//! into another.

use crate::builder::Builder;
use crate::graph::{Def, Func, OpData, OpId, Region, RegionId, Value, ValueId};
use std::collections::BTreeMap;

/// Old value to new value.
pub type ValueMap = BTreeMap<ValueId, ValueId>;

/// Appends a copy of `o`, its regions included, to the open region of `b`. Operands go through `map` (those it lacks stay
/// as they are); the results are entered in it. The copy keeps the original's span and takes the builder's phase.
pub fn copy_op(b: &mut Builder, o: OpId, map: &mut ValueMap) -> OpId {
    let old = b.func.op(o).clone();
    let id = OpId(b.func.ops.len() as u32);
    let parent = b.region();
    let phase = b.phase;
    b.func.ops.push(OpData {
        operands: old.operands.iter().map(|x| *map.get(x).unwrap_or(x)).collect(),
        results: Vec::new(),
        regions: Vec::new(),
        parent,
        phase,
        weight_grad: false,
        ..old.clone()
    });
    b.func.regions[parent.index()].ops.push(id);
    for (i, &r) in old.results.iter().enumerate() {
        let v = copy_value(b, r, Def::Op(id, i as u32), map);
        b.func.ops[id.index()].results.push(v);
    }
    for &r in &old.regions {
        let region = copy_region(b, r, id);
        b.func.ops[id.index()].regions.push(region);
    }
    id
}

fn copy_region(b: &mut Builder, r: RegionId, owner: OpId) -> RegionId {
    let old = b.func.region(r).clone();
    let id = RegionId(b.func.regions.len() as u32);
    b.func.regions.push(Region { owner: Some(owner), ..Region::default() });
    let mut map = ValueMap::new();
    for (i, &a) in old.args.iter().enumerate() {
        let v = copy_value(b, a, Def::Arg(id, i as u32), &mut map);
        b.func.regions[id.index()].args.push(v);
    }
    b.within(id, |b| {
        for &o in &old.ops {
            copy_op(b, o, &mut map);
        }
    });
    b.func.regions[id.index()].yields = old.yields.iter().map(|y| *map.get(y).unwrap_or(y)).collect();
    id
}

fn copy_value(b: &mut Builder, v: ValueId, def: Def, map: &mut ValueMap) -> ValueId {
    let id = ValueId(b.func.values.len() as u32);
    let old = b.func.value(v).clone();
    b.func.values.push(Value { def, ..old });
    map.insert(v, id);
    id
}

/// Appends the body of `from` to the open region of `b`, with `args` for its inputs; what it yields. Phases, spans and names
/// stay.
pub fn inline(b: &mut Builder, from: &Func, args: &[ValueId]) -> Vec<ValueId> {
    let body = from.body();
    let mut map: ValueMap = body.args.iter().copied().zip(args.iter().copied()).collect();
    for &o in &body.ops {
        graft(b, from, o, &mut map);
    }
    body.yields.iter().map(|y| map[y]).collect()
}

/// Appends a copy of an op of another function, its regions included, to the open region of `b`. Operands go through `map`, in
/// which they must be; the results are entered in it.
pub fn graft(b: &mut Builder, from: &Func, o: OpId, map: &mut ValueMap) -> OpId {
    let old = from.op(o);
    let id = OpId(b.func.ops.len() as u32);
    let parent = b.region();
    let operands = old.operands.iter().map(|x| map[x]).collect();
    b.func.ops.push(OpData { operands, results: Vec::new(), regions: Vec::new(), parent, ..old.clone() });
    b.func.regions[parent.index()].ops.push(id);
    let value = |b: &mut Builder, v: ValueId, def: Def| {
        let id = ValueId(b.func.values.len() as u32);
        b.func.values.push(Value { def, ..from.value(v).clone() });
        id
    };
    for (i, &r) in old.results.iter().enumerate() {
        let v = value(b, r, Def::Op(id, i as u32));
        map.insert(r, v);
        b.func.ops[id.index()].results.push(v);
    }
    for &r in &old.regions {
        let inner = RegionId(b.func.regions.len() as u32);
        b.func.regions.push(Region { owner: Some(id), ..Region::default() });
        b.func.ops[id.index()].regions.push(inner);
        let mut own = ValueMap::new();
        for (i, &a) in from.region(r).args.iter().enumerate() {
            let v = value(b, a, Def::Arg(inner, i as u32));
            own.insert(a, v);
            b.func.regions[inner.index()].args.push(v);
        }
        b.within(inner, |b| {
            for &o in &from.region(r).ops {
                graft(b, from, o, &mut own);
            }
        });
        b.func.regions[inner.index()].yields = from.region(r).yields.iter().map(|y| own[y]).collect();
    }
    id
}
