//! Why a tensor lies as it does, and how else it could lie.
//!
//! A reason is read off the finished plan, not off the search: for each axis of a layout, the ops whose factors carry that axis
//! from op to op are followed through the per-device program (its certificate says which global tensor and layout every
//! local value is) until an annotation that names the axis. Producers are followed first, then readers: an annotation can
//! stand behind what it decides.
//!
//! The other layouts are only listed here. What they cost is found by writing them down and planning again, which takes
//! the source (`driver::explain`); nothing is estimated.

use crate::Plan;
use meshloom_certify::Step;
use meshloom_ir::layout::Slot;
use meshloom_ir::{Axis, Constraint, Def, DimSpec, Func, Layout, Mesh, Op, OpId, Port, RegionId, Role, ValueId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// What put an axis where it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    pub axis: Axis,
    /// Where it is: a dim, or partial.
    pub slot: Slot,
    /// The annotation; `None` where none leads here, and cost alone decided.
    pub pin: Option<Pin>,
    /// Global ops from the annotation to the tensor, each of which carries the axis on.
    pub chain: Vec<OpId>,
}

/// An annotation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pin {
    Input(usize),
    Output(usize),
    /// `x @ [..]`
    Constrain(OpId),
}

/// The program that the certificate speaks of: the global one, with what it was rewritten to behind it.
pub fn program<'a>(global: &'a Func, plan: &'a Plan) -> &'a Func {
    plan.certificate.form.as_ref().map_or_else(|| plan.program(global), |f| &f.func)
}

/// `constrain` moves nothing: its result is another name of its operand.
pub fn root(func: &Func, v: ValueId) -> ValueId {
    let mut at = v;
    while let Def::Op(o, _) = func.value(at).def
        && matches!(func.op(o).op, Op::Constrain(_))
    {
        at = func.op(o).operands[0];
    }
    at
}

/// The layouts in which a global tensor exists, the one it is made in first.
pub fn layouts(global: &Func, plan: &Plan, v: ValueId) -> Vec<Layout> {
    let v = root(program(global, plan), v);
    let mut out: Vec<Layout> = Vec::new();
    for (i, claim) in plan.certificate.values.iter().enumerate() {
        if claim.global == v && !out.contains(&claim.layout) {
            let made = match plan.local.values[i].def {
                Def::Op(o, _) => !matches!(plan.certificate.step(o), Some(Step::Reshard)),
                Def::Arg(..) => true,
            };
            let at = if made { 0 } else { out.len() };
            out.insert(at, claim.layout.clone());
        }
    }
    out
}

/// A reason for every axis that splits `v` in `layout`, or over which it is partial.
pub fn reasons(global: &Func, plan: &Plan, v: ValueId, layout: &Layout) -> Vec<Reason> {
    let global = program(global, plan);
    let (v, mesh) = (root(global, v), &global.mesh);
    let graph = Graph { global, plan, pins: pins(global), users: users(&plan.local) };
    let starts: Vec<ValueId> = (0..plan.local.values.len() as u32)
        .map(ValueId)
        .filter(|x| plan.certificate.claim(*x).is_some_and(|c| c.global == v && c.layout == *layout))
        .collect();
    let axes = mesh.all_axes().filter(|&a| mesh.size(a) > 1 && layout.slot(a) != Slot::Replicated);
    axes.map(|axis| {
        let found = graph.walk(&starts, axis, false).or_else(|| graph.walk(&starts, axis, true));
        let (pin, chain) = found.map_or((None, Vec::new()), |(p, c)| (Some(p), c));
        Reason { axis, slot: layout.slot(axis), pin, chain }
    })
    .collect()
}

/// Layouts one step away from those that a tensor has: an axis taken out, or moved to another dim; and nothing split at all.
/// Dims before `first` are not the annotation's to split (a list's own).
pub fn candidates(shape: &[u64], mesh: &Mesh, have: &[Layout], first: usize) -> Vec<Layout> {
    let mut out: BTreeSet<Layout> = BTreeSet::new();
    let axes: Vec<Axis> = mesh.all_axes().filter(|&a| mesh.size(a) > 1).collect();
    for base in have {
        for &axis in &axes {
            out.insert(base.with(axis, Slot::Replicated));
            out.extend((first..shape.len()).map(|d| base.with(axis, Slot::Split(d))));
        }
    }
    out.insert(Layout::replicated(shape.len()));
    out.retain(|l| !have.contains(l) && divides(l, shape, mesh));
    out.into_iter().collect()
}

fn divides(l: &Layout, shape: &[u64], mesh: &Mesh) -> bool {
    l.dims.iter().zip(shape).all(|(axes, n)| n.is_multiple_of(mesh.group_size(axes)))
}

/// Whether an annotation says where `axis` goes.
fn names(c: &Constraint, axis: Axis) -> bool {
    let dims = c.dims.iter().flat_map(|(DimSpec::Exactly(a) | DimSpec::AtLeast(a))| a);
    !c.absent && dims.chain(c.partial.keys()).any(|a| *a == axis)
}

/// By global tensor: the annotations on it.
fn pins(global: &Func) -> BTreeMap<ValueId, Vec<(Pin, Constraint)>> {
    let mut out: BTreeMap<ValueId, Vec<(Pin, Constraint)>> = BTreeMap::new();
    for (i, (p, &v)) in global.inputs.iter().zip(&global.body().args).enumerate() {
        let c = if p.constraint.absent && p.role == Role::State { follows(global, i) } else { Some(&p.constraint) };
        out.entry(v).or_default().extend(c.map(|c| (Pin::Input(i), c.clone())));
    }
    for (i, (p, &v)) in global.outputs.iter().zip(&global.body().yields).enumerate() {
        out.entry(root(global, v)).or_default().push((Pin::Output(i), p.constraint.clone()));
    }
    for o in global.walk(Func::BODY) {
        if let Op::Constrain(c) = &global.op(o).op {
            out.entry(root(global, global.op(o).operands[0])).or_default().push((Pin::Constrain(o), c.clone()));
        }
    }
    out
}

/// The annotation of the parameter that a tensor of optimizer state goes with.
fn follows(global: &Func, state: usize) -> Option<&Constraint> {
    let (of, first) = (global.inputs[state].of.as_ref()?, global.inputs[state].first_layer);
    let is = |p: &&Port| p.role == Role::Parameter && p.name == *of && p.first_layer == first;
    let parameter = global.inputs.iter().find(is);
    parameter.map(|p| &p.constraint)
}

/// By local value: the ops that read it.
fn users(local: &Func) -> Vec<Vec<OpId>> {
    let mut out = vec![Vec::new(); local.values.len()];
    for o in local.walk(Func::BODY) {
        for v in &local.op(o).operands {
            out[v.index()].push(o);
        }
    }
    out
}

struct Graph<'a> {
    global: &'a Func,
    plan: &'a Plan,
    pins: BTreeMap<ValueId, Vec<(Pin, Constraint)>>,
    users: Vec<Vec<OpId>>,
}

impl Graph<'_> {
    /// The shortest way from an annotation that names `axis` to one of `starts`, through values that `axis` splits.
    fn walk(&self, starts: &[ValueId], axis: Axis, readers: bool) -> Option<(Pin, Vec<OpId>)> {
        // By value: the one that it was reached from, and the global op between them.
        let mut from: BTreeMap<ValueId, Option<(ValueId, Option<OpId>)>> = starts.iter().map(|&v| (v, None)).collect();
        let mut queue: VecDeque<ValueId> = starts.iter().copied().collect();
        while let Some(v) = queue.pop_front() {
            if let Some(pin) = self.pin(v, axis) {
                let mut chain: Vec<OpId> = Vec::new();
                let mut at = v;
                while let Some(Some((next, op))) = from.get(&at) {
                    chain.extend(op.filter(|o| chain.last() != Some(o)));
                    at = *next;
                }
                return Some((pin, chain));
            }
            for (next, op) in self.neighbours(v, readers) {
                if self.has(next, axis) && !from.contains_key(&next) {
                    from.insert(next, Some((v, op)));
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn has(&self, v: ValueId, axis: Axis) -> bool {
        self.plan.certificate.claim(v).is_some_and(|c| c.layout.slot(axis) != Slot::Replicated)
    }

    fn pin(&self, v: ValueId, axis: Axis) -> Option<Pin> {
        let claim = self.plan.certificate.claim(v)?;
        let pins = self.pins.get(&claim.global)?;
        pins.iter().find(|(_, c)| names(c, axis) && c.effective(&self.global.mesh).admits(&claim.layout)).map(|p| p.0)
    }

    /// Local values that share an op with `v`, or are it on the other side of a region's border, with the op between.
    fn neighbours(&self, v: ValueId, readers: bool) -> Vec<(ValueId, Option<OpId>)> {
        let local = &self.plan.local;
        let mut out = Vec::new();
        match local.value(v).def {
            Def::Op(o, i) => match local.op(o).regions.first() {
                Some(&r) => out.extend(local.region(r).yields.get(i as usize).map(|&y| (y, None))),
                None => out.extend(local.op(o).operands.iter().map(|&x| (x, self.global_op(o)))),
            },
            Def::Arg(r, i) => out.extend(self.entering(r, i as usize)),
        }
        if !readers {
            return out;
        }
        for &o in &self.users[v.index()] {
            let data = local.op(o);
            match data.regions.first() {
                Some(&r) => {
                    let args = local.region(r).args.iter().zip(&data.operands);
                    out.extend(args.filter(|(_, x)| **x == v).map(|(&a, _)| (a, None)));
                }
                None => {
                    let op = self.global_op(o);
                    out.extend(data.operands.iter().chain(&data.results).map(|&x| (x, op)));
                }
            }
        }
        for (r, region) in local.regions.iter().enumerate() {
            if let Some(o) = region.owner {
                let here = region.yields.iter().enumerate().filter(|(_, y)| **y == v);
                for (i, _) in here {
                    out.extend(local.op(o).results.get(i).map(|&x| (x, None)));
                    out.extend(self.carried(RegionId(r as u32), i).map(|a| (a, None)));
                }
            }
        }
        out
    }

    /// What a region's argument is outside, and for a carry what the iteration before made of it.
    fn entering(&self, r: RegionId, i: usize) -> Vec<(ValueId, Option<OpId>)> {
        let local = &self.plan.local;
        let Some(o) = local.region(r).owner else { return Vec::new() };
        let outside = local.op(o).operands.get(i).copied();
        let before = self.carried(r, i).and_then(|_| local.region(r).yields.get(i).copied());
        outside.into_iter().chain(before).map(|x| (x, None)).collect()
    }

    /// The argument that yield `i` becomes in the next iteration.
    fn carried(&self, r: RegionId, i: usize) -> Option<ValueId> {
        let region = self.plan.local.region(r);
        match self.plan.local.op(region.owner?).op {
            Op::Repeat { carries, .. } if i < carries => region.args.get(i).copied(),
            _ => None,
        }
    }

    fn global_op(&self, local: OpId) -> Option<OpId> {
        match self.plan.certificate.step(local) {
            Some(Step::Op { global, .. } | Step::Region { global }) => Some(*global),
            _ => None,
        }
    }
}
