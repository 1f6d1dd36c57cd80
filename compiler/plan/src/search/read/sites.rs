//! Sites: ops, ports and outputs, with the e-nodes that each may take, what those want of others, and what they cost.

use super::super::acyclic::Entering;
use super::super::cost::Cost;
use super::super::problem::{Choice, Site, SiteSource, Want, Wants};
use super::Reader;
use crate::saturate::port_sources;
use crate::saturate::program::RegionPort;
use crate::saturate::rules;
use crate::saturate::term::{LayoutId, LayoutTerm};
use crate::{Mode, Objective, PlanError};
use meshloom_ir::layout::Slot;
use meshloom_ir::{Assignment, Axis, Layout, Op, OpId, Phase, TensorType, ValueId};
use meshloom_lower::stashes;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl Reader<'_, '_> {
    pub fn sites(&mut self) {
        let func = self.program.func;
        for (i, &v) in func.body().args.iter().enumerate() {
            if self.tensor(v).is_some() {
                self.port_site(RegionPort::Input(i), &[v]);
            }
        }
        self.program.preferred.iter().for_each(|&o| self.op_site(o));
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
            } else if !self.program.preferred.contains(&o) {
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

    fn tensor(&self, v: ValueId) -> Option<u32> {
        self.tensor_of.get(&self.program.rep(v)).copied()
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
            if let RegionPort::Carry(o, _) = p {
                values.push(func.op(o).results[i]);
            }
            if values.iter().any(|&v| self.tensor(v).is_some()) {
                self.port_site(p, &values);
            }
        }
    }

    /// What goes into each loop, as far as its body may read it.
    pub fn entering(&self) -> Entering {
        let func = self.program.func;
        let of = |o: OpId| {
            let ports = func.op(o).operands.iter().zip(&func.region(self.program.body(o)).args);
            ports.filter(|(_, arg)| self.tensor(**arg).is_some()).filter_map(|(v, _)| self.tensor(*v)).collect()
        };
        let loops = self.program.order.iter().filter(|o| matches!(func.op(**o).op, Op::Repeat { .. }));
        loops.map(|&o| (o, of(o))).collect()
    }

    fn stack_sites(&mut self, o: OpId) {
        let func = self.program.func;
        let Op::Repeat { carries, .. } = func.op(o).op else {
            return;
        };
        for (i, &r) in func.op(o).results.iter().enumerate().skip(carries) {
            if self.tensor(r).is_some() {
                self.port_site(RegionPort::Stack(o, i), &[r]);
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
        let mut found: BTreeMap<u32, (Wants, Vec<egg::Id>)> = BTreeMap::new();
        let results: Vec<u32> = data.results.iter().filter_map(|&r| self.tensor(r)).collect();
        // Alive, and nobody asks for it: a part of what another form has proved to be.
        if results.is_empty() {
            return;
        }
        for &t in &results {
            for (i, class) in self.layout_classes(t) {
                for term in graph.terms(class) {
                    let local = match term {
                        LayoutTerm::Loc(..) => Some(term),
                        LayoutTerm::Res(_, [x]) => graph.terms(*x).iter().find(|n| matches!(n, LayoutTerm::Loc(..))),
                        _ => None,
                    };
                    if let Some(LayoutTerm::Loc(s, a, kids)) = local
                        && *s == o.0
                    {
                        let entry = found.entry(*a).or_insert_with(|| (Wants::new(), kids.to_vec()));
                        entry.0.push(Want { tensor: t, layout: i });
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
            let slots = self.program.axes.iter().map(|&x| slot_of(assignment, x)).collect();
            let cost = self.work(o, assignment) * trip;
            options.push((
                assignment,
                Choice { source: SiteSource::Op(o), key: a, natives, kids, uses, slots, along: Box::default(), cost },
            ));
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
        self.push(
            &results,
            Site {
                source: SiteSource::Op(o),
                options,
                usable,
                elements,
                root: false,
                fixed: None,
                near: Vec::new(),
                others: Vec::new(),
                rests: FxHashMap::default(),
                rings: Vec::new(),
            },
        );
    }

    /// The classes of a tensor's layouts with their positions.
    fn layout_classes(&self, t: u32) -> Vec<(u16, egg::Id)> {
        let tensor = &self.problem.tensors[t as usize];
        let graph = &self.saturation.graph;
        let Some(x) = self.saturation.classes[tensor.value.index()] else {
            return Vec::new();
        };
        let layouts = self.problem.tables[tensor.table].layouts.iter().enumerate();
        let class = |l: LayoutId| graph.at(l, x);
        layouts.filter_map(|(i, &l)| Some((i as u16, class(l)?))).collect()
    }

    /// Kids by class; those that depend on no input cost nothing and are left out. `None` if one was never expanded.
    fn kids(&self, classes: &[egg::Id]) -> Option<Wants> {
        let graph = &self.saturation.graph;
        let mut out = Wants::new();
        for &c in classes {
            let c = graph.find(c);
            match self.wants.get(&c) {
                Some(&w) => out.push(w),
                None if graph.terms(c).iter().any(|n| self.is_generated(n)) => {}
                None => return None,
            }
        }
        Some(out)
    }

    fn is_generated(&self, n: &LayoutTerm) -> bool {
        matches!(n, LayoutTerm::Port(v, ..) if self.program.generated(ValueId(*v)))
    }

    fn port_site(&mut self, p: RegionPort, values: &[ValueId]) {
        let graph = &self.saturation.graph;
        let func = self.program.func;
        let mut found: BTreeMap<LayoutId, (Wants, Vec<egg::Id>)> = BTreeMap::new();
        let present: Vec<(ValueId, u32)> = values.iter().filter_map(|&v| Some((v, self.tensor(v)?))).collect();
        for &(value, t) in &present {
            // The result of a carry follows its argument; what flows in is the argument's.
            let follows =
                matches!(p, RegionPort::Carry(..)) && matches!(func.value(value).def, meshloom_ir::Def::Op(..));
            for (i, class) in self.layout_classes(t) {
                for term in graph.terms(class) {
                    if let LayoutTerm::Port(v, l, kids) = term
                        && *v == value.0
                    {
                        let entry = found.entry(*l).or_default();
                        entry.0.push(Want { tensor: t, layout: i });
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
            if natives.len() != present.len() {
                continue;
            }
            let Some(kids) = self.kids(&classes) else {
                continue;
            };
            let layout = tables.layouts.get(l);
            let axes = self.program.axes.iter().enumerate();
            let uses = axes.fold(0u32, |u, (i, &x)| u | u32::from(rules::splits(layout, x)) << i);
            let slots = self.program.axes.iter().map(|&x| slot_in(layout, x)).collect();
            let cost = self.port_cost(p, values[0], layout);
            options.push((
                layout,
                Choice { source: SiteSource::Port(p), key: l, natives, kids, uses, slots, along: Box::default(), cost },
            ));
        }
        options.sort_by(|a, b| in_order(a.0, b.0));
        let options = options.into_iter().map(|o| o.1).collect();
        let v = values[0];
        let sources: Vec<ValueId> =
            port_sources(self.program, p, v).into_iter().filter(|&s| !self.program.generated(s)).collect();
        let ty = func.ty(v);
        // A region's port must not replicate what is split outside. An invariant may, since the use that the body makes of
        // it is judged by the layout outside.
        let usable = sources.iter().map(|&s| match p {
            RegionPort::Input(_) | RegionPort::Invariant(..) => Vec::new(),
            // The condition of a `while`.
            RegionPort::Carry(..) if func.ty(s).rank() != ty.rank() => Vec::new(),
            RegionPort::Carry(..) => self.divisible(ty, 0),
            RegionPort::Slice(..) => self.divisible(ty, 0).into_iter().map(|b| b << 1).collect(),
            RegionPort::Stack(..) => self.divisible(ty, 1).into_iter().map(|b| b >> 1).collect(),
        });
        let usable = usable.collect();
        let elements = ty.elements().saturating_mul(self.program.weight(v));
        let tensors: Vec<u32> = present.iter().map(|x| x.1).collect();
        let root = matches!(p, RegionPort::Input(_));
        self.push(
            &tensors,
            Site {
                source: SiteSource::Port(p),
                options,
                usable,
                elements,
                root,
                fixed: None,
                near: Vec::new(),
                others: Vec::new(),
                rests: FxHashMap::default(),
                rings: Vec::new(),
            },
        );
        if let (RegionPort::Invariant(..), [s]) = (p, &sources[..])
            && let (Some(t), Some(judge)) = (self.tensor(v), self.tensor(*s))
        {
            let judge = self.problem.tensors[judge as usize].judge;
            self.problem.tensors[t as usize].judge = judge;
            self.problem.tensors[judge as usize].judged.push(t);
        }
    }

    /// Memory that a port holds, and the time that it takes to go through it.
    fn port_cost(&self, p: RegionPort, v: ValueId, layout: &Layout) -> Cost {
        let func = self.program.func;
        let ty = func.ty(v);
        let shape = layout.local_shape(&ty.shape, &func.mesh);
        let live = shape.map_or(ty.bytes(), |s| TensorType::new(ty.dtype, s).bytes());
        let live = match p {
            _ if self.program.roomy[v.index()] => 0,
            RegionPort::Stack(o, _) if func.stashes_in_host && func.op(o).phase == Phase::Forward => {
                stashes::window_bytes(live, ty.shape.first().copied().unwrap_or(1))
            }
            _ => live,
        };
        match (p, self.program.mode, self.objective) {
            (RegionPort::Stack(..), Mode::Follow, _) => Cost { stacked: live, ..Cost::ZERO },
            // It is written, and read again by another loop: so sums that are partial do not pile up for the sake of fewer calls.
            // Where whole programs are timed, that is seen there.
            (RegionPort::Stack(..), _, Objective::Traffic) => {
                Cost { live, time: self.model.copy_ps(live), ..Cost::ZERO }
            }
            (RegionPort::Stack(..) | RegionPort::Input(_), Mode::Search, _) => Cost { live, ..Cost::ZERO },
            _ => Cost::ZERO,
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
        let Some(t) = self.tensor(v) else {
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
                let kids = Wants::from_slice(&[Want { tensor: t, layout: k as u16 }]);
                let slots = self.program.axes.iter().map(|&x| slot_in(layout, x)).collect();
                let source = SiteSource::Output(i);
                let none = Wants::new();
                options.push((
                    layout,
                    Choice {
                        source,
                        key: l,
                        natives: none,
                        kids,
                        uses: 0,
                        slots,
                        along: Box::default(),
                        cost: Cost::ZERO,
                    },
                ));
            }
        }
        options.sort_by(|a, b| in_order(a.0, b.0));
        let options = options.into_iter().map(|o| o.1).collect();
        let usable = vec![Vec::new()];
        self.push(
            &[],
            Site {
                source: SiteSource::Output(i),
                options,
                usable,
                elements: 0,
                root: true,
                fixed: None,
                near: Vec::new(),
                others: Vec::new(),
                rests: FxHashMap::default(),
                rings: Vec::new(),
            },
        );
    }

    /// Adds a site, or its options to the site that brings the same tensor about in another way.
    fn push(&mut self, tensors: &[u32], site: Site) {
        if let [t] = tensors
            && let Some(&s) = self.site_of.get(t)
        {
            // The site's kids are no longer of one form; following has one form only.
            let s = &mut self.problem.sites[s as usize];
            let replaces = matches!(s.source, SiteSource::Op(o) if self.program.preferred.contains(&o));
            if replaces && !s.options.is_empty() {
                return;
            }
            if s.options.iter().all(|o| o.natives.len() == 1) {
                s.options.extend(site.options);
            }
            return;
        }
        // One of several results that another form gives already: the first form stays.
        if tensors.iter().any(|t| self.site_of.contains_key(t)) {
            return;
        }
        let id = self.problem.sites.len() as u32;
        for &t in tensors {
            self.site_of.insert(t, id);
            self.problem.tensors[t as usize].writer = id;
        }
        self.problem.sites.push(site);
    }

    pub fn link(&mut self) {
        for (s, site) in self.problem.sites.iter().enumerate() {
            let mut seen: Vec<u32> = Vec::new();
            let mut last: Option<SiteSource> = None;
            for option in &site.options {
                // Options of one form read the same tensors.
                if last == Some(option.source) {
                    continue;
                }
                last = Some(option.source);
                let first = seen.is_empty();
                for (k, kid) in option.kids.iter().enumerate() {
                    if first || !seen.contains(&kid.tensor) {
                        self.problem.tensors[kid.tensor as usize].readers.push((s as u32, k as u32));
                    }
                }
                seen.extend(option.kids.iter().map(|k| k.tensor));
            }
        }
    }

    pub fn no_form(&self, source: SiteSource) -> PlanError {
        let func = self.program.func;
        let (v, span) = match source {
            SiteSource::Op(o) => (func.op(o).results[0], func.op(o).span),
            SiteSource::Port(RegionPort::Input(i)) => (func.body().args[i], func.inputs[i].span),
            SiteSource::Port(
                RegionPort::Carry(o, _)
                | RegionPort::Slice(o, _)
                | RegionPort::Invariant(o, _)
                | RegionPort::Stack(o, _),
            ) => (func.op(o).results[0], func.op(o).span),
            SiteSource::Output(i) => (func.body().yields[i], func.outputs[i].span),
        };
        let name = self.program.name(v);
        PlanError::new(span, format!("no local form of `{name}` satisfies the annotations"))
            .help("loosen a layout on it or on what it is made from")
    }
}

/// What an assignment does with an axis, as a number.
fn slot_of(a: &Assignment, axis: Axis) -> u16 {
    if let Some((&f, _)) = a.factors.iter().find(|(_, axes)| axes.contains(&axis)) {
        return 1 + f as u16;
    }
    a.linear.get(&axis).map_or(0, |&set| 1000 + set as u16)
}

fn slot_in(l: &Layout, axis: Axis) -> u16 {
    match l.slot(axis) {
        Slot::Replicated => 0,
        Slot::Split(d) => 1 + d as u16,
        Slot::Partial(_) => 1000,
    }
}

/// Layouts with fewer axes in use first.
fn in_order(a: &Layout, b: &Layout) -> std::cmp::Ordering {
    let used = |l: &Layout| l.dims.iter().map(Vec::len).sum::<usize>() + l.partial.len();
    used(a).cmp(&used(b)).then_with(|| a.cmp(b))
}
