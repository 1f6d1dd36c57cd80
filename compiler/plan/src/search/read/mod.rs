//! Reading the extraction problem off the e-graph. Here are tensors, with their layouts and the costs of converting them. In
//! `sites` are the places where one of several ways to have a tensor is chosen.

mod hidden;
mod sites;

use super::cost::Cost;
use super::problem::{Problem, SearchTensor, Want};
use super::steiner::{Edge, Price, Table, TreeStep};
use crate::cost::Model;
use crate::saturate::Saturation;
use crate::saturate::program::{RegionPort, SearchedProgram};
use crate::saturate::term::{LayoutId, LayoutTerm};
use crate::{Mode, Objective, PlanError};
use meshloom_ir::layout::Slot;
use meshloom_ir::{Assignment, Layout, Op, OpId, TensorType, ValueId, table};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Picoseconds that a byte takes at 1 Gbit/s.
const GIGABIT: u64 = 8_000;

struct Reader<'r, 'a> {
    program: &'r SearchedProgram<'a>,
    saturation: &'r Saturation,
    model: &'r Model,
    objective: Objective,
    problem: Problem,
    /// Tensors that loops read from outside, slice by slice or as they are. They are live until the loop has run.
    lasting: BTreeSet<ValueId>,
    /// By the value that stands for the tensor.
    tensor_of: BTreeMap<ValueId, u32>,
    /// By tensor: the site that brings it about.
    site_of: BTreeMap<u32, u32>,
    /// By canonical class: tensor and position of its layout.
    wants: FxHashMap<egg::Id, Want>,
}

pub fn read(
    program: &SearchedProgram<'_>,
    saturation: &Saturation,
    model: &Model,
    objective: Objective,
) -> Result<Problem, PlanError> {
    let problem = Problem {
        tensors: Vec::new(),
        sites: Vec::new(),
        tables: Vec::new(),
        splits: Vec::new(),
        finished: Vec::new(),
        hides: false,
        laid: Vec::new(),
        families: Vec::new(),
        twins: twins(program, model),
    };
    let mut r = Reader {
        program,
        saturation,
        model,
        objective,
        problem,
        lasting: lasting(program),
        tensor_of: BTreeMap::new(),
        site_of: BTreeMap::new(),
        wants: FxHashMap::default(),
    };
    r.tensors();
    r.sites();
    let entering = r.entering();
    super::acyclic::cut(&mut r.problem, &entering);
    r.link();
    if program.mode == Mode::Search {
        r.problem.sites.iter_mut().for_each(|s| s.usable.clear());
    }
    for s in &r.problem.sites {
        if s.options.is_empty() && s.root {
            return Err(r.no_form(s.source));
        }
    }
    Ok(r.problem)
}

/// By axis, the first one that has as many devices, at the same levels of the network, where no annotation names either.
fn twins(program: &SearchedProgram<'_>, model: &Model) -> Vec<usize> {
    let axes = &program.axes;
    let first = |i: usize| {
        let alike = |j: &usize| model.alike(axes[*j], axes[i]) && !program.names(axes[*j]) && !program.names(axes[i]);
        (0..i).find(alike).unwrap_or(i)
    };
    (0..axes.len()).map(first).collect()
}

fn lasting(program: &SearchedProgram<'_>) -> BTreeSet<ValueId> {
    let read = |&o: &OpId| {
        let data = program.func.op(o);
        match data.op {
            Op::Repeat { carries, .. } => &data.operands[carries..],
            _ => &[],
        }
    };
    program.order.iter().flat_map(read).map(|&v| program.rep(v)).collect()
}

impl Reader<'_, '_> {
    fn tensors(&mut self) {
        let hidden = hidden::hidden(self.program);
        let mut classes: BTreeMap<ValueId, FxHashMap<LayoutId, egg::Id>> = BTreeMap::new();
        for &(v, l, class) in &self.saturation.goals {
            classes.entry(v).or_default().insert(l, class);
        }
        let mut known: BTreeMap<u32, usize> = BTreeMap::new();
        for (v, mut classes) in classes {
            if self.program.generated(v) {
                continue;
            }
            let universe = self.saturation.tables.universe_id(v);
            let Some(schema) = self.saturation.schemas.get(&universe) else {
                continue;
            };
            let table = known.get(&universe).copied().unwrap_or_else(|| {
                self.table(self.program.func.ty(v), schema);
                self.problem.tables.len() - 1
            });
            known.insert(universe, table);
            let t = self.problem.tensors.len() as u32;
            for (i, (l, _)) in schema.iter().enumerate() {
                if let Some(class) = classes.remove(l) {
                    self.wants.insert(class, Want { tensor: t, layout: i as u16 });
                }
            }
            self.tensor_of.insert(v, t);
            self.problem.tensors.push(SearchTensor {
                value: v,
                weight: self.program.weight(v),
                hidden: hidden.contains(&v),
                table,
                long_lived: self.long_lived(v),
                judge: t,
                judged: Vec::new(),
                readers: Vec::new(),
                writer: u32::MAX,
            });
        }
    }

    /// Whether a tensor is live for long: an input, a stack of a loop, what a loop reads from outside, or the concatenation of the
    /// stacks of segments. Tensors for which there is room do not count.
    fn long_lived(&self, v: ValueId) -> bool {
        let stack = |v: ValueId| matches!(self.program.port(v), Some(RegionPort::Stack(..)));
        let data = self.program.func.def_op(v).map(|o| self.program.func.op(o));
        let joined =
            data.is_some_and(|d| matches!(d.op, Op::Concatenate { dim: 0 }) && d.operands.iter().any(|&x| stack(x)));
        let input = matches!(self.program.port(v), Some(RegionPort::Input(_)));
        (input || stack(v) || joined || self.lasting.contains(&v)) && !self.program.roomy[v.index()]
    }

    /// The collectives between the layouts of one universe, as the e-graph has them.
    fn table(&mut self, ty: &TensorType, schema: &[(LayoutId, egg::Id)]) {
        let (graph, tables) = (&self.saturation.graph, &self.saturation.tables);
        let mesh = &self.program.func.mesh;
        let position: FxHashMap<egg::Id, u16> = schema.iter().enumerate().map(|(i, x)| (x.1, i as u16)).collect();
        let local = |&(l, _): &(LayoutId, egg::Id)| {
            let shape = tables.layouts.get(l).local_shape(&ty.shape, mesh)?;
            Some(TensorType::new(ty.dtype, shape))
        };
        let shards: Vec<Option<TensorType>> = schema.iter().map(local).collect();
        let bytes = shards.iter().map(|s| s.as_ref().unwrap_or(ty).bytes()).collect();
        let mut steps = Vec::new();
        for (to, &(_, class)) in schema.iter().enumerate() {
            for term in graph.terms(class) {
                let LayoutTerm::Coll(step, [source]) = term else {
                    continue;
                };
                let Some(&from) = position.get(&graph.find(*source)) else {
                    continue;
                };
                let op = tables.steps.get(*step);
                let Some(operand) = &shards[from as usize] else {
                    continue;
                };
                let wire = crate::cost::wire_bytes(op, operand, mesh);
                let time = match (self.program.mode, self.objective) {
                    (Mode::Follow, _) => 0,
                    (_, Objective::Time) => self.model.collective_ps(op, operand),
                    (_, Objective::Traffic) => {
                        let share = wire.saturating_mul(GIGABIT) / mesh.devices();
                        self.model.collective_ps(op, operand).saturating_add(share)
                    }
                };
                let calls = if op.communicates() { 16 } else { 1 };
                let edge = Edge { to: to as u16, step: *step, price: Price { time, wire, calls } };
                steps.push(TreeStep { from, edge });
            }
        }
        let ids: Vec<LayoutId> = schema.iter().map(|x| x.0).collect();
        self.problem.splits.push(ids.iter().map(|&l| self.split_dims(l)).collect());
        self.problem.finished.push(ids.iter().map(|&l| self.finished(l, &ids)).collect());
        self.problem.tables.push(Table::new(ids, bytes, steps));
    }

    fn split_dims(&self, l: LayoutId) -> Vec<(u8, u8)> {
        let layout = self.saturation.tables.layouts.get(l);
        let axes = self.program.axes.iter().enumerate();
        axes.filter_map(|(i, &a)| match layout.slot(a) {
            Slot::Split(d) => Some((i as u8, d as u8)),
            _ => None,
        })
        .collect()
    }

    fn finished(&self, l: LayoutId, all: &[LayoutId]) -> Option<u16> {
        let layouts = &self.saturation.tables.layouts;
        let layout = layouts.get(l);
        let done = Layout { dims: layout.dims.clone(), partial: BTreeMap::new() };
        let at = all.iter().position(|&k| *layouts.get(k) == done)?;
        (!layout.partial.is_empty()).then_some(at as u16)
    }

    /// What an op's local form costs, once.
    fn work(&self, o: OpId, a: &Assignment) -> Cost {
        let (func, mesh) = (self.program.func, &self.program.func.mesh);
        let data = func.op(o);
        let Some(rule) = self.program.rule(o) else {
            return Cost::ZERO;
        };
        let local = |v: ValueId, l: Layout| {
            let ty = func.ty(v);
            l.local_shape(&ty.shape, mesh).map(|s| TensorType::new(ty.dtype, s))
        };
        let operands: Option<Vec<TensorType>> =
            data.operands.iter().enumerate().map(|(i, &v)| local(v, rule.operand_layout(a, i))).collect();
        let results: Option<Vec<TensorType>> =
            data.results.iter().enumerate().map(|(i, &v)| local(v, rule.result_layout(a, i))).collect();
        let (Some(operands), Some(results)) = (operands, results) else {
            return Cost::ZERO;
        };
        let xs: Vec<&TensorType> = operands.iter().collect();
        let flops = match (&data.op, table::def(&data.op)) {
            // A factor of a composite runs through all of its work, which divides evenly.
            (Op::Composite { .. }, _) => {
                let n: u64 = a.factors.values().map(|axes| mesh.group_size(axes)).product();
                table::flops(func, o) / n.max(1)
            }
            (op, Some(def)) => (def.flops)(op, &xs, &results[0]),
            _ => 0,
        };
        // A rotation of a split dim is a collective, the only op that is.
        let op = match &data.op {
            &Op::Rotate { dim, by, mirror } if a.factors.contains_key(&dim) => {
                &Op::CollectiveShift { axes: a.factors[&dim].clone(), by, mirror }
            }
            op => op,
        };
        let wire = operands.first().map_or(0, |x| crate::cost::wire_bytes(op, x, mesh));
        let calls = if op.communicates() { 16 } else { 0 };
        let read: Vec<&TensorType> = crate::cost::reads(func, o).into_iter().map(|i| &operands[i]).collect();
        let results: Vec<&TensorType> = results.iter().collect();
        let time = match (self.program.mode, self.objective) {
            (Mode::Follow, _) => 0,
            (_, Objective::Time) => self.model.op_ps(op, data.phase, &read, &results, flops),
            (_, Objective::Traffic) => {
                let share = wire.saturating_mul(GIGABIT) / mesh.devices();
                self.model.op_ps(op, data.phase, &read, &results, flops).saturating_add(share)
            }
        };
        Cost { flops, time, wire, calls, ..Cost::ZERO }
    }
}
