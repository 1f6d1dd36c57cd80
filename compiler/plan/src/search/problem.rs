//! The extraction problem, read off the saturated e-graph. A *tensor* is a global class with its layouts; a *site* is what
//! brings tensors about (an op, a port), and its *options* are the e-nodes that do; the Steiner tables are the classes'
//! collectives. Nothing here adds an alternative: a rule that is off is absent.

use super::cost::Cost;
use super::steiner::{Edge, Table};
use crate::PlanError;
use crate::program::{Port, Program};
use crate::saturate::rules::{self};
use crate::saturate::term::{LayoutId, Term};
use crate::saturate::{Saturation, port_sources};
use meshloom_ir::layout::Slot;
use meshloom_ir::{Layout, Op, OpId, TensorType, ValueId, table};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A tensor in a layout, by position in [`Problem::tensors`] and in its table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Want {
    pub tensor: u32,
    pub layout: u16,
}

pub struct Tensor {
    pub value: ValueId,
    /// How often it comes about in one step.
    pub weight: u64,
    pub table: usize,
    /// Whose native layout says what is split, where it is not its own: what enters a region as an invariant.
    pub judge: u32,
    /// Tensors judged by this one.
    pub judged: Vec<u32>,
    /// Sites that read it, with the position among their kids.
    pub readers: Vec<(u32, u32)>,
    pub writer: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SiteKind {
    Op(OpId),
    Port(Port),
    /// A result of the program that is no input's next value.
    Output(usize),
}

pub struct Site {
    pub kind: SiteKind,
    pub options: Vec<Choice>,
    /// For each kid and axis the dims (bits) over which it could use a split operand; empty where idling is no fault.
    pub usable: Vec<Vec<u64>>,
    /// Elements it gives in one step.
    pub elements: u64,
}

/// One way for a site: an e-node, or several that come together.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The assignment of an op, the layout of a port.
    pub key: u32,
    pub natives: Vec<Want>,
    pub kids: Vec<Want>,
    /// Bits of axes (positions in [`Program::axes`]) that it puts to use.
    pub uses: u32,
    pub cost: Cost,
}

pub struct Problem {
    pub tensors: Vec<Tensor>,
    pub sites: Vec<Site>,
    pub tables: Vec<Table>,
    /// By table, layout and axis: the dim that it splits.
    pub splits: Vec<Vec<Vec<(u8, u8)>>>,
    /// By table and layout: the same layout with its sums finished, where it has any.
    pub finished: Vec<Vec<Option<u16>>>,
}

struct Reader<'r, 'a> {
    program: &'r Program<'a>,
    saturation: &'r Saturation,
    problem: Problem,
    tensor_of: BTreeMap<ValueId, u32>,
    /// By canonical class: tensor and position of its layout.
    wants: FxHashMap<egg::Id, Want>,
}

pub fn read(program: &Program<'_>, saturation: &Saturation) -> Result<Problem, PlanError> {
    let problem = Problem {
        tensors: Vec::new(),
        sites: Vec::new(),
        tables: Vec::new(),
        splits: Vec::new(),
        finished: Vec::new(),
    };
    let mut r = Reader { program, saturation, problem, tensor_of: BTreeMap::new(), wants: FxHashMap::default() };
    r.tensors();
    r.sites();
    r.link();
    for s in &r.problem.sites {
        if s.options.is_empty() {
            return Err(r.no_form(s.kind));
        }
    }
    Ok(r.problem)
}

impl Reader<'_, '_> {
    fn tensors(&mut self) {
        let mut layouts: BTreeMap<ValueId, Vec<(LayoutId, egg::Id)>> = BTreeMap::new();
        for &(v, l, class) in &self.saturation.goals {
            layouts.entry(v).or_default().push((l, class));
        }
        let mut known: FxHashMap<(TensorType, Vec<LayoutId>), usize> = FxHashMap::default();
        for (v, mut list) in layouts {
            if self.program.generated(v) {
                continue;
            }
            list.sort_unstable();
            let ty = self.program.func.ty(v).clone();
            let ids: Vec<LayoutId> = list.iter().map(|x| x.0).collect();
            let table = known.get(&(ty.clone(), ids.clone())).copied().unwrap_or_else(|| {
                self.problem.tables.push(self.table(&ty, &list));
                self.problem.splits.push(ids.iter().map(|&l| self.split_dims(l)).collect());
                self.problem.finished.push(ids.iter().map(|&l| self.finished(l, &ids)).collect());
                self.problem.tables.len() - 1
            });
            known.insert((ty, ids), table);
            let t = self.problem.tensors.len() as u32;
            for (i, &(_, class)) in list.iter().enumerate() {
                self.wants.insert(class, Want { tensor: t, layout: i as u16 });
            }
            self.tensor_of.insert(v, t);
            self.problem.tensors.push(Tensor {
                value: v,
                weight: self.program.weight(v),
                table,
                judge: t,
                judged: Vec::new(),
                readers: Vec::new(),
                writer: u32::MAX,
            });
        }
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

    /// The collectives between the layouts of one kind of tensor, as the e-graph has them.
    fn table(&self, ty: &TensorType, list: &[(LayoutId, egg::Id)]) -> Table {
        let (graph, tables) = (&self.saturation.graph, &self.saturation.tables);
        let mesh = &self.program.func.mesh;
        let position: FxHashMap<egg::Id, u16> = list.iter().enumerate().map(|(i, x)| (x.1, i as u16)).collect();
        let mut edges: Vec<Vec<Edge>> = vec![Vec::new(); list.len()];
        for (to, &(_, class)) in list.iter().enumerate() {
            for term in &graph[class].nodes {
                let Term::Coll(step, [source]) = term else {
                    continue;
                };
                let Some(&from) = position.get(&graph.find(*source)) else {
                    continue;
                };
                let op = tables.steps.get(*step);
                let layout = tables.layouts.get(list[from as usize].0);
                let Some(shape) = layout.local_shape(&ty.shape, mesh) else {
                    continue;
                };
                let wire = crate::cost::wire_bytes(op, &TensorType::new(ty.dtype, shape), mesh);
                let calls = if op.communicates() { 16 } else { 1 };
                edges[from as usize].push(Edge { to: to as u16, step: *step, wire, calls });
            }
        }
        // The order of e-nodes in a class follows from unions; the order of edges must not.
        for e in &mut edges {
            e.sort_unstable_by_key(|e| (e.to, e.wire, e.calls, e.step));
        }
        Table::new(list.iter().map(|x| x.0).collect(), edges)
    }

    fn sites(&mut self) {
        let func = self.program.func;
        for (i, &v) in func.body().args.iter().enumerate() {
            if self.tensor_of.contains_key(&v) {
                self.port_site(Port::Input(i), &[v]);
            }
        }
        // A repeat's arguments come before its body, its stacked results after it, as values flow.
        let mut open: Vec<OpId> = Vec::new();
        for &o in &self.program.order {
            while let Some(&r) = open.last().filter(|&&r| self.program.body(r) != func.op(o).parent) {
                self.stack_sites(r);
                open.pop();
            }
            if matches!(func.op(o).op, Op::Repeat { .. }) {
                self.argument_sites(o);
                open.push(o);
            } else {
                self.op_site(o);
            }
        }
        while let Some(r) = open.pop() {
            self.stack_sites(r);
        }
        for i in 0..func.outputs.len() {
            if func.outputs[i].updates.is_none() {
                self.output_site(i);
            }
        }
    }

    fn argument_sites(&mut self, o: OpId) {
        let func = self.program.func;
        let body = func.region(self.program.body(o));
        for (i, &a) in body.args.iter().enumerate() {
            let Some(p) = self.program.port(a) else {
                continue;
            };
            // A carry's argument and result are one site.
            let mut values = vec![a];
            if let Port::Carry(o, _) = p {
                values.push(func.op(o).results[i]);
            }
            if values.iter().any(|v| self.tensor_of.contains_key(v)) {
                self.port_site(p, &values);
            }
        }
    }

    fn stack_sites(&mut self, o: OpId) {
        let func = self.program.func;
        let Op::Repeat { carries, .. } = func.op(o).op else {
            return;
        };
        for (i, &r) in func.op(o).results.iter().enumerate().skip(carries) {
            if self.tensor_of.contains_key(&r) {
                self.port_site(Port::Stack(o, i), &[r]);
            }
        }
    }

    fn op_site(&mut self, o: OpId) {
        let func = self.program.func;
        let data = func.op(o);
        if data.results.iter().any(|r| self.program.generated(*r))
            || !data.results.iter().any(|r| self.program.live(*r))
        {
            return;
        }
        let Some(rule) = self.program.rule(o) else {
            return;
        };
        let (graph, tables) = (&self.saturation.graph, &self.saturation.tables);
        // By assignment: what each result gets, and the classes of the operands.
        let mut found: BTreeMap<u32, (Vec<Want>, Vec<egg::Id>)> = BTreeMap::new();
        let results: Vec<u32> = data.results.iter().filter_map(|r| self.tensor_of.get(r).copied()).collect();
        for &t in &results {
            for (i, class) in self.layout_classes(t).into_iter().enumerate() {
                for term in &graph[class].nodes {
                    let local = match term {
                        Term::Loc(..) => Some(term),
                        Term::Res(_, [x]) => graph[*x].nodes.iter().find(|n| matches!(n, Term::Loc(..))),
                        _ => None,
                    };
                    if let Some(Term::Loc(s, a, kids)) = local
                        && *s == o.0
                    {
                        let entry = found.entry(*a).or_insert_with(|| (Vec::new(), kids.to_vec()));
                        entry.0.push(Want { tensor: t, layout: i as u16 });
                    }
                }
            }
        }
        let trip = self.program.weight(data.results[0]);
        let mut options = Vec::new();
        for (a, (natives, classes)) in found {
            if natives.len() != results.len() {
                continue;
            }
            let assignment = tables.assignments.get(a);
            let Some(kids) = self.kids(&classes) else {
                continue;
            };
            let axes = self.program.axes.iter().enumerate();
            let uses = axes.fold(0u32, |u, (i, &x)| u | u32::from(rules::used(assignment, x)) << i);
            let flops = local_flops(self.program, o, assignment).saturating_mul(trip);
            options.push((assignment, Choice { key: a, natives, kids, uses, cost: Cost { flops, ..Cost::ZERO } }));
        }
        // Interning order depends on what was asked first; the order of the assignments themselves does not.
        options.sort_by(|a, b| a.0.cmp(b.0));
        let options = options.into_iter().map(|o| o.1).collect();
        let exempt = matches!(data.op, Op::Constrain(_));
        let read = |v: &&ValueId| !self.program.generated(**v);
        let mut usable = Vec::new();
        for (k, _) in data.operands.iter().enumerate().filter(|(_, v)| read(v)) {
            let axes = self.program.axes.iter();
            let bits = axes.map(|&x| rules::usable(rule, &rule.operands[k], x, &func.mesh));
            usable.push(if exempt { Vec::new() } else { bits.collect() });
        }
        let elements = data.results.iter().map(|&r| func.ty(r).elements()).fold(0, u64::saturating_add);
        let elements = elements.saturating_mul(trip);
        self.push(Site { kind: SiteKind::Op(o), options, usable, elements });
    }

    /// The classes of a tensor's layouts, in their order.
    fn layout_classes(&self, t: u32) -> Vec<egg::Id> {
        let tensor = &self.problem.tensors[t as usize];
        let graph = &self.saturation.graph;
        let Some(x) = self.saturation.classes[tensor.value.index()] else {
            return Vec::new();
        };
        let layouts = &self.problem.tables[tensor.table].layouts;
        let class = |&l: &LayoutId| graph.lookup(Term::At(l, [graph.find(x)])).map(|c| graph.find(c));
        layouts.iter().filter_map(class).collect()
    }

    /// Kids by class; those that depend on no input cost nothing and are left out. `None` if one was never expanded.
    fn kids(&self, classes: &[egg::Id]) -> Option<Vec<Want>> {
        let graph = &self.saturation.graph;
        let mut out = Vec::new();
        for &c in classes {
            let c = graph.find(c);
            match self.wants.get(&c) {
                Some(&w) => out.push(w),
                None if graph[c].nodes.iter().any(|n| self.is_generated(n)) => {}
                None => return None,
            }
        }
        Some(out)
    }

    fn is_generated(&self, n: &Term) -> bool {
        matches!(n, Term::Port(v, ..) if self.program.generated(ValueId(*v)))
    }

    fn port_site(&mut self, p: Port, values: &[ValueId]) {
        let graph = &self.saturation.graph;
        let func = self.program.func;
        let mut found: BTreeMap<LayoutId, (Vec<Want>, Vec<egg::Id>)> = BTreeMap::new();
        let tensors: Vec<u32> = values.iter().filter_map(|v| self.tensor_of.get(v).copied()).collect();
        for &t in &tensors {
            let value = self.problem.tensors[t as usize].value;
            // The result of a carry follows its argument; what flows in is the argument's.
            let follows = matches!(p, Port::Carry(..)) && matches!(func.value(value).def, meshloom_ir::Def::Op(..));
            for (i, class) in self.layout_classes(t).into_iter().enumerate() {
                for term in &graph[class].nodes {
                    if let Term::Port(v, l, kids) = term
                        && *v == value.0
                    {
                        let entry = found.entry(*l).or_default();
                        entry.0.push(Want { tensor: t, layout: i as u16 });
                        if !follows {
                            entry.1 = kids.to_vec();
                        }
                    }
                }
            }
        }
        let tables = &self.saturation.tables;
        let mut options = Vec::new();
        for (l, (natives, classes)) in found {
            if natives.len() != tensors.len() {
                continue;
            }
            let Some(kids) = self.kids(&classes) else {
                continue;
            };
            let layout = tables.layouts.get(l);
            let axes = self.program.axes.iter().enumerate();
            let uses = axes.fold(0u32, |u, (i, &x)| u | u32::from(rules::splits(layout, x)) << i);
            options.push((layout, Choice { key: l, natives, kids, uses, cost: Cost::ZERO }));
        }
        options.sort_by(|a, b| in_order(a.0, b.0));
        let options = options.into_iter().map(|o| o.1).collect();
        let v = values[0];
        let sources: Vec<ValueId> =
            port_sources(self.program, p, v).into_iter().filter(|&s| !self.program.generated(s)).collect();
        let ty = func.ty(v);
        // A region's port must not make copies of what is split; an invariant may, since what the body then does with it is
        // judged by how it was split outside.
        let usable = sources.iter().map(|_| match p {
            Port::Input(_) | Port::Invariant(..) => Vec::new(),
            Port::Carry(..) => self.divisible(ty, 0),
            Port::Slice(..) => self.divisible(ty, 0).into_iter().map(|b| b << 1).collect(),
            Port::Stack(..) => self.divisible(ty, 1).into_iter().map(|b| b >> 1).collect(),
        });
        let usable = usable.collect();
        let elements = ty.elements().saturating_mul(self.program.weight(v));
        self.push(Site { kind: SiteKind::Port(p), options, usable, elements });
        if let (Port::Invariant(..), [s]) = (p, &sources[..])
            && let (Some(&t), Some(&judge)) = (self.tensor_of.get(&v), self.tensor_of.get(s))
        {
            let judge = self.problem.tensors[judge as usize].judge;
            self.problem.tensors[t as usize].judge = judge;
            self.problem.tensors[judge as usize].judged.push(t);
        }
    }

    /// By axis: the dims from `first` on that it divides.
    fn divisible(&self, ty: &TensorType, first: usize) -> Vec<u64> {
        let mesh = &self.program.func.mesh;
        let dims = |n: u64| {
            let d = ty.shape.iter().enumerate().skip(first).take(64);
            d.filter(|(_, s)| *s % n == 0).fold(0u64, |b, (i, _)| b | 1 << i)
        };
        self.program.axes.iter().map(|&a| dims(mesh.size(a))).collect()
    }

    fn output_site(&mut self, i: usize) {
        let v = self.program.func.body().yields[i];
        let Some(&t) = self.tensor_of.get(&v) else {
            return;
        };
        let layouts = self.problem.tables[self.problem.tensors[t as usize].table].layouts.clone();
        let mut options = Vec::new();
        for (k, &l) in layouts.iter().enumerate() {
            let layout = self.saturation.tables.layouts.get(l);
            let admitted = match &self.program.outputs[i] {
                Some(c) => c.admits(layout),
                None => layout.partial.is_empty(),
            };
            if admitted {
                let kids = vec![Want { tensor: t, layout: k as u16 }];
                options.push((layout, Choice { key: l, natives: Vec::new(), kids, uses: 0, cost: Cost::ZERO }));
            }
        }
        options.sort_by(|a, b| in_order(a.0, b.0));
        let options = options.into_iter().map(|o| o.1).collect();
        self.push(Site { kind: SiteKind::Output(i), options, usable: vec![Vec::new()], elements: 0 });
    }

    fn push(&mut self, site: Site) {
        let id = self.problem.sites.len() as u32;
        for n in site.options.iter().flat_map(|o| &o.natives) {
            self.problem.tensors[n.tensor as usize].writer = id;
        }
        self.problem.sites.push(site);
    }

    fn link(&mut self) {
        for (s, site) in self.problem.sites.iter().enumerate() {
            let Some(first) = site.options.first() else {
                continue;
            };
            for (k, kid) in first.kids.iter().enumerate() {
                self.problem.tensors[kid.tensor as usize].readers.push((s as u32, k as u32));
            }
        }
    }

    fn no_form(&self, kind: SiteKind) -> PlanError {
        let func = self.program.func;
        let (v, span) = match kind {
            SiteKind::Op(o) => (func.op(o).results[0], func.op(o).span),
            SiteKind::Port(Port::Input(i)) => (func.body().args[i], func.inputs[i].span),
            SiteKind::Port(Port::Carry(o, _) | Port::Slice(o, _) | Port::Invariant(o, _) | Port::Stack(o, _)) => {
                (func.op(o).results[0], func.op(o).span)
            }
            SiteKind::Output(i) => (func.body().yields[i], func.outputs[i].span),
        };
        let name = self.program.name(v);
        PlanError::new(span, format!("no local form of `{name}` satisfies the annotations"))
            .help("loosen a layout on it or on what it is made from")
    }
}

/// Layouts with fewer axes in use first.
fn in_order(a: &Layout, b: &Layout) -> std::cmp::Ordering {
    let used = |l: &Layout| l.dims.iter().map(Vec::len).sum::<usize>() + l.partial.len();
    used(a).cmp(&used(b)).then_with(|| a.cmp(b))
}

/// Floating point operations of an op's local form.
fn local_flops(program: &Program<'_>, o: OpId, a: &meshloom_ir::Assignment) -> u64 {
    let (func, mesh) = (program.func, &program.func.mesh);
    let data = func.op(o);
    let Some(rule) = program.rule(o) else {
        return 0;
    };
    if matches!(data.op, Op::Composite { .. }) {
        // Every factor of a composite is parallel, so its work divides evenly.
        let n: u64 = a.factors.values().map(|axes| mesh.group_size(axes)).product();
        return table::flops(func, o) / n.max(1);
    }
    let local = |v: ValueId, l: Layout| {
        let ty = func.ty(v);
        l.local_shape(&ty.shape, mesh).map(|s| TensorType::new(ty.dtype, s))
    };
    let operands: Option<Vec<TensorType>> =
        data.operands.iter().enumerate().map(|(i, &v)| local(v, rule.operand_layout(a, i))).collect();
    let result = local(data.results[0], rule.result_layout(a, 0));
    match (table::def(&data.op), operands, result) {
        (Some(def), Some(xs), Some(r)) => (def.flops)(&data.op, &xs.iter().collect::<Vec<_>>(), &r),
        _ => 0,
    }
}
