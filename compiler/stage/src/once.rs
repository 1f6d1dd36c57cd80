//! A program without a loop over microbatches: it gets one of a single iteration, around all but the optimizer's update.
//!
//! What the update, or the outside, reads of it is a carry that begins with zeros and is not read.

use meshloom_ir::copy::{ValueMap, graft};
use meshloom_ir::{Builder, Def, Func, Op, OpData, OpId, Phase, Region, RegionId, Value, ValueId};
use std::collections::BTreeSet;

/// The same program with a loop of one iteration.
///
/// # Errors
/// A loss or gradients that read what depends on them.
pub fn once(func: &Func) -> Result<Func, String> {
    let body = func.body();
    let inside: BTreeSet<OpId> = body.ops.iter().copied().filter(|&o| func.op(o).phase != Phase::Update).collect();
    let made = |x: &ValueId| func.def_op(*x);
    // Ops around the loop that depend on it.
    let mut after: BTreeSet<OpId> = BTreeSet::new();
    for &o in &body.ops {
        let late = |x: &ValueId| made(x).is_some_and(|d| after.contains(&d));
        if func
            .op(o)
            .operands
            .iter()
            .any(|x| late(x) || !inside.contains(&o) && made(x).is_some_and(|d| inside.contains(&d)))
        {
            if inside.contains(&o) {
                return Err("the loss depends on what is made of its gradients".into());
            }
            after.insert(o);
        }
    }
    let mut b = Builder::new(func.name.clone(), func.mesh.clone());
    let mut map = ValueMap::new();
    for (&a, port) in body.args.iter().zip(&func.inputs) {
        let v = b.input(func.ty(a).clone(), port.clone());
        b.func.values[v.index()] = Value { def: b.func.value(v).def, ..func.value(a).clone() };
        map.insert(a, v);
    }
    let around = |o: &&OpId| !inside.contains(o);
    for &o in body.ops.iter().filter(around).filter(|o| !after.contains(o)) {
        graft(&mut b, func, o, &mut map);
    }
    looped(&mut b, func, &inside, &mut map);
    for &o in body.ops.iter().filter(|o| after.contains(o)) {
        graft(&mut b, func, o, &mut map);
    }
    for (y, port) in body.yields.iter().zip(&func.outputs) {
        b.output(map[y], port.clone());
    }
    Ok(b.finish())
}

fn looped(b: &mut Builder, func: &Func, inside: &BTreeSet<OpId>, map: &mut ValueMap) {
    let body = func.body();
    let ours = |v: &ValueId| func.def_op(*v).is_some_and(|o| inside.contains(&o));
    let read = |within: bool| {
        let ops = body.ops.iter().filter(move |o| inside.contains(o) == within);
        ops.flat_map(|&o| func.op(o).operands.iter().copied())
    };
    let given: BTreeSet<ValueId> = read(false).chain(body.yields.iter().copied()).filter(ours).collect();
    let shared: BTreeSet<ValueId> = read(true).filter(|v| !ours(v)).collect();
    let mut operands = Vec::new();
    for v in &given {
        let ty = func.ty(*v);
        let zero = b.constant(ty.dtype, &ty.shape, 0.0);
        b.func.values[zero.index()].layout.clone_from(&func.value(*v).layout);
        operands.push(zero);
    }
    operands.extend(shared.iter().map(|v| map[v]));
    let (id, region) = (OpId(b.func.ops.len() as u32), RegionId(b.func.regions.len() as u32));
    let backward = inside.iter().find(|o| func.op(**o).phase == Phase::Backward);
    let Some(&like) = backward.or_else(|| inside.first()) else { return };
    let data = func.op(like);
    b.func.ops.push(OpData {
        op: Op::Repeat { trip: 1, reverse: false, carries: given.len(), xs: 0, early: false },
        operands,
        results: Vec::new(),
        regions: vec![region],
        parent: Func::BODY,
        weight_grad: false,
        recompute: None,
        ..data.clone()
    });
    b.func.regions[0].ops.push(id);
    b.func.regions.push(Region { owner: Some(id), ..Region::default() });
    let value = |b: &mut Builder, of: ValueId, def: Def| {
        let v = ValueId(b.func.values.len() as u32);
        b.func.values.push(Value { def, ..func.value(of).clone() });
        v
    };
    let mut inner = ValueMap::new();
    for (i, &of) in given.iter().chain(&shared).enumerate() {
        let v = value(b, of, Def::Arg(region, i as u32));
        b.func.regions[region.index()].args.push(v);
        if i >= given.len() {
            inner.insert(of, v);
        }
    }
    for &o in body.ops.iter().filter(|o| inside.contains(o)) {
        b.within(region, |b| graft(b, func, o, &mut inner));
    }
    b.func.regions[region.index()].yields = given.iter().map(|v| inner[v]).collect();
    for (i, &of) in given.iter().enumerate() {
        let v = value(b, of, Def::Op(id, i as u32));
        b.func.ops[id.index()].results.push(v);
        map.insert(of, v);
    }
}
