//! A program with the layouts that another stack would run, written into it as annotations: what is planned of it is that stack's step.
//!
//! Parameters and their moments lie as the export says, the batch is split over its axes. Where a module reads a parameter, the parameter
//! is gathered over data, and what goes in and comes out has the layout of the module's style. All else is open, as the kernel of attention is.
//!
//! Not here: which layouts these are (`export::pins`).

use crate::program::Program;
use meshloom_export::Pin;
use meshloom_ir::{
    Axis, Constraint, Def, DimSpec, Func, Op, OpData, OpId, Phase, RegionId, Role, Span, Value, ValueId,
};
use meshloom_plan::reads::{ReadKind, Site, sites};

/// Annotates all entries of a program, whose batch is split over these axes.
pub fn annotated(program: Program, pins: &[Pin], batch: &[String]) -> Program {
    let mut program = program;
    let mut entries = std::mem::take(&mut program.entries);
    for e in &mut entries {
        let backward = |span: Span| {
            crate::report::source(&program, span).and_then(|p| p.origin).is_some_and(|o| o.name.contains("transpose("))
        };
        let found = sites(&e.global, &backward).0;
        annotate(&mut e.global, &found, pins, batch);
    }
    program.entries = entries;
    program
}

fn annotate(func: &mut Func, found: &[Site], pins: &[Pin], batch: &[String]) {
    let named = |func: &Func, names: &[String]| names.iter().filter_map(|n| axis(func, n)).collect::<Vec<Axis>>();
    let batch = named(func, batch);
    for i in 0..func.inputs.len() {
        let port = &func.inputs[i];
        let rank = func.ty(func.body().args[i]).shape.len();
        let own = |p: &&Pin| {
            port.name == p.tensor || port.name.strip_suffix(p.tensor.as_str()).is_some_and(|s| s.ends_with('.'))
        };
        let dims: Vec<Vec<Axis>> = match pins.iter().find(own).filter(|p| p.lies.len() == rank) {
            Some(pin) => pin.lies.iter().map(|l| named(func, l)).collect(),
            None if port.role == Role::Input && rank > 0 && !port.name.starts_with("buffers.") => {
                rows_split(rank, &batch)
            }
            None => vec![Vec::new(); rank],
        };
        func.inputs[i].constraint = exactly(dims);
    }
    for site in found {
        let Some(pin) = pins.iter().find(|p| func.inputs[site.read.input].name == p.tensor) else { continue };
        at_site(func, site, pin, &batch);
    }
}

fn axis(func: &Func, name: &str) -> Option<Axis> {
    func.mesh.axes.iter().position(|a| a.0 == name).map(|i| Axis(i as u8))
}

fn exactly(dims: Vec<Vec<Axis>>) -> Constraint {
    Constraint::of(dims.into_iter().map(DimSpec::Exactly).collect())
}

/// The batch is dim 0.
fn rows_split(rank: usize, batch: &[Axis]) -> Vec<Vec<Axis>> {
    let mut dims = vec![Vec::new(); rank];
    if let Some(first) = dims.first_mut() {
        first.extend(batch);
    }
    dims
}

/// Annotates what goes into an op that reads a parameter, and what comes out.
fn at_site(func: &mut Func, site: &Site, pin: &Pin, batch: &[Axis]) {
    let data = func.op(site.op).clone();
    let (weight, result) = (data.operands[site.operand], data.results[0]);
    let rank = |func: &Func, v: ValueId| func.ty(v).shape.len();
    let mut read: Vec<Vec<Axis>> = vec![Vec::new(); rank(func, weight)];
    for (d, of) in site.dims.iter().enumerate() {
        // Of dims that one dim was cut into, the first has its axes.
        if let Some(of) = of.filter(|of| site.dims[..d].iter().all(|x| *x != Some(*of))) {
            read[d].extend(pin.read.get(of).into_iter().flatten().filter_map(|n| axis(func, n)));
        }
    }
    let named = |name: &Option<String>| name.as_ref().and_then(|n| axis(func, n));
    let (takes, gives, sequence) = (named(&pin.takes), named(&pin.gives), named(&pin.sequence));
    let mut given = rows_split(rank(func, result), batch);
    let other = data.operands.iter().position(|v| *v != weight);
    let mut taken = other.map(|i| rows_split(rank(func, data.operands[i]), batch));
    match &data.op {
        Op::DotGeneral(e) => {
            let (own, theirs) = (&e.operands[site.operand], &e.operands[1 - site.operand]);
            let summed = theirs.iter().position(|c| own.contains(c) && !e.result.contains(c));
            if let (Some(a), Some(dims), Some(d)) = (takes, &mut taken, summed) {
                dims[d].push(a);
            }
            // Rows of the batch are the dim that the other operand begins with, wherever it is in the result.
            let first = theirs.first().and_then(|c| e.result.iter().position(|r| r == c)).unwrap_or(0);
            given.swap(0, first);
            let kept = e.result.iter().position(|c| own.contains(c) && !theirs.contains(c));
            if let (Some(a), Some(d)) = (gives, kept) {
                given[d].push(a);
            }
            if let (Some(a), Some(d)) = (sequence, given.get_mut(1)) {
                d.push(a);
            }
        }
        _ => {
            if let (Some(a), Some(d)) = (sequence, taken.as_mut().and_then(|dims| dims.get_mut(1))) {
                d.push(a);
            }
        }
    }
    let row = rank(func, result) > 1;
    gather(func, weight, exactly(read));
    if let (Some(i), Some(dims), true) = (other, taken, row && site.read.kind != ReadKind::Lookup) {
        before(func, site.op, i, exactly(dims));
    }
    if row {
        after(func, site.op, exactly(given));
    }
}

/// All that computes with a parameter takes it in this layout; the optimizer, which works entry by entry, takes it as it lies.
fn gather(func: &mut Func, v: ValueId, c: Constraint) {
    let (region, at) = match func.value(v).def {
        Def::Arg(region, _) => (region, 0),
        Def::Op(o, _) => {
            let region = func.op(o).parent;
            (region, func.region(region).ops.iter().position(|x| *x == o).map_or(0, |i| i + 1))
        }
    };
    let new = constrain(func, v, c, region, at);
    let entrywise = |op: &Op| matches!(op, Op::Elem(_) | Op::Constrain(_));
    for o in func.walk(Func::BODY) {
        let data = &mut func.ops[o.index()];
        if !entrywise(&data.op) {
            data.operands.iter_mut().filter(|x| **x == v).for_each(|x| *x = new);
        }
    }
}

/// An op takes an operand in this layout.
fn before(func: &mut Func, o: OpId, operand: usize, c: Constraint) {
    let region = func.op(o).parent;
    let at = func.region(region).ops.iter().position(|x| *x == o).unwrap_or(0);
    let v = func.op(o).operands[operand];
    let new = constrain(func, v, c, region, at);
    func.ops[o.index()].operands[operand] = new;
}

/// All that reads an op's result takes it in this layout.
fn after(func: &mut Func, o: OpId, c: Constraint) {
    let region = func.op(o).parent;
    let at = func.region(region).ops.iter().position(|x| *x == o).map_or(0, |i| i + 1);
    let v = func.op(o).results[0];
    let new = constrain(func, v, c, region, at);
    let own = func.region(region).ops[at];
    for other in func.walk(Func::BODY) {
        if other != own {
            func.ops[other.index()].operands.iter_mut().filter(|x| **x == v).for_each(|x| *x = new);
        }
    }
    for r in &mut func.regions {
        r.yields.iter_mut().filter(|x| **x == v).for_each(|x| *x = new);
    }
}

/// A `constrain` of a value at a place of a region.
fn constrain(func: &mut Func, v: ValueId, c: Constraint, region: RegionId, at: usize) -> ValueId {
    let (op, new) = (OpId(func.ops.len() as u32), ValueId(func.values.len() as u32));
    let (ty, span) = (func.ty(v).clone(), func.value(v).span);
    func.values.push(Value { ty, def: Def::Op(op, 0), name: None, span, layout: None });
    func.ops.push(OpData {
        op: Op::Constrain(c),
        operands: vec![v],
        results: vec![new],
        regions: Vec::new(),
        parent: region,
        span,
        phase: Phase::Forward,
        weight_grad: false,
        recompute: None,
    });
    func.regions[region.index()].ops.insert(at, op);
    new
}
