//! Saturation. It starts from the goals of the outputs, `At(L, x)`. Every rule expands each goal's class once and asks for
//! further goals, until nothing is left. A tensor's class holds all forms that algebra found for it, and so do its goals.
//!
//! The work is a list of goals rather than egg's rule scheduler, since each rule is tried on a goal exactly once. Congruence
//! closure, hash-consing and class merging are egg's. Conversions between layouts are the same for all tensors of one universe,
//! so their e-nodes stand once per universe: a step into `At(L, any)` is one into `At(L, x)` for every such `x`.

mod layers;
pub(crate) mod program;
pub(crate) mod reach;
pub mod rules;
mod settled;
pub mod stats;
pub(crate) mod tables;
pub(crate) mod term;
mod uneven;

use crate::saturate::program::{RegionPort, SearchedProgram};
use crate::{PlanOptions, Stats};
use egg::{EGraph, Id};
use meshloom_ir::{Assignment, Layout, Op, OpId, ValueId, padding};
use rules::{Applies, Form, Goal, Rule, TensorSource};
use rustc_hash::FxHashMap;
use settled::Settled;
use std::collections::{BTreeMap, VecDeque};
use tables::Tables;
use term::{Graph, LayoutId, LayoutTerm, Shapes};

/// The saturated e-graph.
pub(crate) struct Saturation {
    pub graph: Settled,
    pub tables: Tables,
    /// By value: its class; for live values.
    pub classes: Vec<Option<Id>>,
    /// Every goal in the order it was first asked: the tensor by the value that stands for it, layout, class.
    pub goals: Vec<(ValueId, LayoutId, Id)>,
    /// By universe: its layouts with the classes in which the steps between them stand.
    pub schemas: BTreeMap<u32, Vec<(LayoutId, Id)>>,
    pub stats: Stats,
}

/// Layouts in which tensors may come about, by the value that stands for the tensor. One that has none may in any.
pub(crate) type Within = FxHashMap<ValueId, Vec<Layout>>;

struct Saturator<'p, 'a> {
    program: &'p SearchedProgram<'a>,
    options: &'p PlanOptions,
    within: Option<&'p Within>,
    graph: Graph,
    tables: Tables,
    classes: Vec<Option<Id>>,
    goals: FxHashMap<(ValueId, LayoutId), Id>,
    asked: Vec<(ValueId, LayoutId)>,
    work: VecDeque<(ValueId, LayoutId)>,
    schemas: BTreeMap<u32, Vec<(LayoutId, Id)>>,
    rules: Vec<&'static Rule>,
    full: bool,
}

pub(crate) fn run(program: &SearchedProgram<'_>, options: &PlanOptions) -> Saturation {
    saturate(program, options, None)
}

/// A graph that is no larger than it must be to decide near something that was decided before: tensors come about in the
/// layouts that are given, and are converted to those that are asked for.
pub(crate) fn within(program: &SearchedProgram<'_>, options: &PlanOptions, layouts: &Within) -> Saturation {
    saturate(program, options, Some(layouts))
}

fn saturate(program: &SearchedProgram<'_>, options: &PlanOptions, within: Option<&Within>) -> Saturation {
    let reach = reach::reach(program);
    let tables = Tables::new(program, &reach, &options.limits);
    let mut s = Saturator {
        program,
        options,
        within,
        graph: EGraph::new(Shapes::new(program.func)),
        tables,
        classes: vec![None; program.func.values.len()],
        goals: FxHashMap::default(),
        asked: Vec::new(),
        work: VecDeque::new(),
        schemas: BTreeMap::new(),
        rules: rules::ALL.iter().filter(|r| !options.disabled_rules.contains(r.name)).collect(),
        full: false,
    };
    s.load();
    s.roots();
    while let Some((v, l)) = s.work.pop_front() {
        s.expand(v, l);
    }
    s.graph.rebuild();
    let mut limits_hit = Vec::new();
    if s.full {
        limits_hit.push(format!("e-nodes ({}): some tensors were only offered whole", options.limits.nodes));
    }
    if s.tables.cut {
        limits_hit.push(format!("layouts of one tensor ({})", options.limits.layouts));
    }
    let stats =
        Stats { nodes: s.graph.total_number_of_nodes(), classes: s.graph.number_of_classes(), moves: 0, limits_hit };
    let goals = s.asked.iter().map(|&(v, l)| (v, l, s.graph.find(s.goals[&(v, l)]))).collect();
    for (_, class) in s.schemas.values_mut().flatten() {
        *class = s.graph.find(*class);
    }
    Saturation { goals, graph: Settled::new(s.graph), tables: s.tables, classes: s.classes, schemas: s.schemas, stats }
}

impl Saturator<'_, '_> {
    /// Global terms of all live values.
    fn load(&mut self) {
        let func = self.program.func;
        for (r, region) in func.regions.iter().enumerate() {
            let body = r == 0 || region.owner.is_some_and(|o| matches!(func.op(o).op, Op::Repeat { .. }));
            if body {
                for &v in &region.args {
                    let id = self.graph.add(LayoutTerm::Arg(v.0));
                    self.classes[v.index()] = Some(id);
                }
            }
        }
        // A repeat's results are terms over its operands and its body's yields, so bodies come before the repeat itself.
        let mut stack: Vec<(&[OpId], usize)> = vec![(&func.body().ops, 0)];
        while let Some((ops, at)) = stack.pop() {
            let Some(&o) = ops.get(at) else {
                continue;
            };
            let data = func.op(o);
            let alive = data.results.iter().any(|&v| self.program.live(v));
            if let (Op::Repeat { .. }, true) = (&data.op, alive) {
                let body = func.region(data.regions[0]);
                if !body.ops.iter().all(|&b| self.loaded(b)) {
                    stack.push((ops, at));
                    stack.push((&body.ops, 0));
                    continue;
                }
            }
            stack.push((ops, at + 1));
            if alive {
                self.load_op(o);
            }
        }
        for all in self.program.members.values() {
            let mut ids = all.iter().filter_map(|v| self.classes[v.index()]);
            if let Some(first) = ids.next() {
                ids.for_each(|id| _ = self.graph.union(first, id));
            }
        }
        self.graph.rebuild();
        for c in self.classes.iter_mut().flatten() {
            *c = self.graph.find(*c);
        }
    }

    fn loaded(&self, o: OpId) -> bool {
        let results = &self.program.func.op(o).results;
        results.iter().all(|&v| !self.program.live(v) || self.classes[v.index()].is_some())
    }

    fn load_op(&mut self, o: OpId) {
        let func = self.program.func;
        let data = func.op(o);
        let inside = data.regions.first().filter(|_| matches!(data.op, Op::Repeat { .. }));
        let yields = inside.map_or(&[][..], |&r| &func.region(r).yields);
        // Ports that nothing reads have no term.
        let children = data.operands.iter().chain(yields).filter_map(|v| self.classes[v.index()]);
        let children: Box<[Id]> = children.collect();
        let id = self.graph.add(LayoutTerm::Op(o.0, children));
        if let [v] = data.results[..] {
            self.classes[v.index()] = Some(id);
            return;
        }
        for (i, &v) in data.results.iter().enumerate() {
            let r = self.graph.add(LayoutTerm::Res(i as u32, [id]));
            self.classes[v.index()] = Some(r);
        }
    }

    /// Goals of the program's ports. An output that is an input's next value is asked for by that input.
    fn roots(&mut self) {
        let func = self.program.func;
        for (i, &v) in func.body().args.iter().enumerate() {
            let program = self.program;
            self.ask_admitted(v, |l| program.admits(i, l));
        }
        for (i, &v) in func.body().yields.iter().enumerate() {
            match &self.program.outputs[i] {
                Some(c) => self.ask_admitted(v, |l| c.admits(l)),
                None => self.ask_admitted(v, |l| l.partial.is_empty()),
            }
        }
    }

    fn ask_admitted(&mut self, v: ValueId, admits: impl Fn(&Layout) -> bool) {
        let layouts = self.tables.universe(v).layouts.clone();
        for l in layouts {
            if admits(self.tables.layouts.get(l)) {
                self.ask(v, l);
            }
        }
    }

    /// The class of `At(l, v)`. A tensor that is wanted in one layout may come about in any other and be converted, so all of
    /// them go on the list when the first is asked for.
    fn ask(&mut self, v: ValueId, l: LayoutId) -> Id {
        let v = self.program.rep(v);
        if let Some(&id) = self.goals.get(&(v, l)) {
            return id;
        }
        if !self.program.generated(v) {
            self.schema(v);
            for k in self.tables.universe(v).layouts.clone() {
                if self.comes_about(v, k) {
                    self.goal(v, k);
                }
            }
        }
        self.goal(v, l)
    }

    fn comes_about(&self, v: ValueId, l: LayoutId) -> bool {
        let given = self.within.and_then(|w| w.get(&v));
        given.is_none_or(|all| all.contains(self.tables.layouts.get(l)))
    }

    fn goal(&mut self, v: ValueId, l: LayoutId) -> Id {
        if let Some(&id) = self.goals.get(&(v, l)) {
            return id;
        }
        let x = self.classes[v.index()].expect("live values are loaded");
        let id = self.graph.add(LayoutTerm::At(l, [x]));
        self.goals.insert((v, l), id);
        self.asked.push((v, l));
        self.work.push_back((v, l));
        id
    }

    /// Steps between the layouts of `v`'s universe, stated of any tensor that has it.
    fn schema(&mut self, v: ValueId) {
        let universe = self.tables.universe_id(v);
        if self.schemas.contains_key(&universe) {
            return;
        }
        let any = self.graph.add(LayoutTerm::Any(universe));
        let layouts = self.tables.universe(v).layouts.clone();
        let classes: Vec<(LayoutId, Id)> =
            layouts.iter().map(|&l| (l, self.graph.add(LayoutTerm::At(l, [any])))).collect();
        let by_layout: FxHashMap<LayoutId, Id> = classes.iter().copied().collect();
        for &(l, class) in &classes {
            let layout = self.tables.layouts.get(l).clone();
            let mut steps = Vec::new();
            let cx =
                Goal { program: self.program, layout: &layout, ty: self.program.func.ty(v), source: TensorSource::Any };
            for rule in self.rules.iter().filter(|r| r.applies == Applies::Tensors) {
                (rule.expand)(&cx, &mut |f| {
                    if let Form::Step(op, from) = f {
                        steps.push((op, from));
                    }
                });
            }
            for (op, from) in steps {
                let func = self.program.func;
                let sized = padding::sized(&op, &from, &func.ty(v).shape, &func.mesh);
                let from = self.tables.layouts.put(from);
                if let (Some(&from), Some(op)) = (by_layout.get(&from), sized) {
                    let step = self.tables.steps.put(op);
                    let id = self.graph.add(LayoutTerm::Coll(step, [from]));
                    self.graph.union(class, id);
                }
            }
        }
        self.schemas.insert(universe, classes);
    }

    fn expand(&mut self, v: ValueId, l: LayoutId) {
        if !self.program.generated(v) && !self.comes_about(v, l) {
            return;
        }
        let x = self.classes[v.index()].expect("live values are loaded");
        let goal = self.goals[&(v, l)];
        self.full |= self.graph.total_size() > self.options.limits.nodes;
        if self.program.generated(v) {
            self.apply(goal, v, l, TensorSource::Any, Applies::Generated);
            return;
        }
        for (source, applies) in self.sources(x) {
            self.apply(goal, v, l, source, applies);
        }
    }

    /// The ways in which the tensor of class `x` comes about.
    fn sources(&self, x: Id) -> Vec<(TensorSource, Applies)> {
        let mut out = Vec::new();
        let op = |s: u32, i: usize| {
            let v = self.program.func.ops[s as usize].results[i];
            match self.program.port(v) {
                Some(p) => (TensorSource::Port(p, v), Applies::Ports),
                None => (TensorSource::Op(OpId(s), i), Applies::Ops),
            }
        };
        for term in &self.graph[x].nodes {
            match term {
                LayoutTerm::Arg(v) => {
                    if let Some(p) = self.program.port(ValueId(*v)) {
                        out.push((TensorSource::Port(p, ValueId(*v)), Applies::Ports));
                    }
                }
                LayoutTerm::Op(s, _) => out.push(op(*s, 0)),
                LayoutTerm::Res(i, [t]) => {
                    for n in &self.graph[*t].nodes {
                        if let LayoutTerm::Op(s, _) = n {
                            out.push(op(*s, *i as usize));
                        }
                    }
                }
                _ => {}
            }
        }
        out
    }

    fn apply(&mut self, goal: Id, v: ValueId, l: LayoutId, source: TensorSource, applies: Applies) {
        let layout = self.tables.layouts.get(l).clone();
        let mut forms = Vec::new();
        {
            let cx = Goal { program: self.program, layout: &layout, ty: self.program.func.ty(v), source };
            for rule in self.rules.iter().filter(|r| r.applies == applies) {
                (rule.expand)(&cx, &mut |f| forms.push(f));
            }
        }
        for form in forms {
            let id = match (form, source) {
                (Form::Local(a), TensorSource::Op(o, i)) => self.local(o, i, a),
                (Form::Port(layouts), TensorSource::Port(p, value)) => self.port(p, value, l, &layouts),
                (Form::Port(_), TensorSource::Any) => Some(self.graph.add(LayoutTerm::Port(v.0, l, Box::new([])))),
                _ => None,
            };
            if let Some(id) = id {
                self.graph.union(goal, id);
            }
        }
    }

    /// The local form of `o` under `a`, if its operands may have the layouts it needs. Once the graph is full, only forms
    /// whose operands are whole are still added, so that every goal has a form.
    fn local(&mut self, o: OpId, result: usize, a: Assignment) -> Option<Id> {
        let rule = self.program.rule(o)?;
        if !self.full && !self.program.as_written(o, &a) {
            return None;
        }
        let data = self.program.func.op(o);
        let mut layouts = Vec::new();
        for (i, &v) in data.operands.iter().enumerate() {
            let l = rule.operand_layout(&a, i);
            if self.full && !l.is_replicated() {
                return None;
            }
            layouts.push(self.admitted(v, l)?);
        }
        // An op that reads a tensor twice reads it in two layouts only if neither is a partial sum: `g g` with one side's sums partial is
        // true too, and saves a few bytes on a norm, but keeps both forms of every gradient alive.
        let whole = |l: LayoutId| self.tables.layouts.get(l).partial.is_empty();
        let pairs = data.operands.iter().zip(layouts.iter().copied());
        let differ =
            |(v, l): (&ValueId, LayoutId), (w, k): (&ValueId, LayoutId)| v == w && l != k && !(whole(l) && whole(k));
        if pairs.clone().any(|one| pairs.clone().any(|other| differ(one, other))) {
            return None;
        }
        let children = data.operands.iter().zip(layouts).map(|(&v, l)| self.ask(v, l)).collect();
        let a = self.tables.assignments.put(a);
        let id = self.graph.add(LayoutTerm::Loc(o.0, a, children));
        if data.results.len() == 1 {
            return Some(id);
        }
        Some(self.graph.add(LayoutTerm::Res(result as u32, [id])))
    }

    /// The id of a layout that `v` may be asked for.
    fn admitted(&mut self, v: ValueId, l: Layout) -> Option<LayoutId> {
        let fits = self.program.fits(&self.program.func.ty(v).shape, &l);
        let id = self.tables.layouts.put(l);
        (fits && (self.program.generated(v) || self.tables.universe(v).contains(id))).then_some(id)
    }

    fn port(&mut self, p: RegionPort, value: ValueId, l: LayoutId, layouts: &[Layout]) -> Option<Id> {
        let sources = port_sources(self.program, p, value);
        let mut ids = Vec::new();
        for (&v, l) in sources.iter().zip(layouts) {
            ids.push((v, self.admitted(v, l.clone())?));
        }
        let children = ids.into_iter().map(|(v, l)| self.ask(v, l)).collect();
        Some(self.graph.add(LayoutTerm::Port(value.0, l, children)))
    }
}

/// What flows into a port, in the order of its term's children.
pub(crate) fn port_sources(program: &SearchedProgram<'_>, p: RegionPort, value: ValueId) -> Vec<ValueId> {
    let func = program.func;
    match p {
        RegionPort::Input(i) => {
            let outputs = func.outputs.iter().zip(&func.body().yields);
            outputs.filter(|(p, _)| p.updates == Some(i)).map(|(_, &v)| v).collect()
        }
        RegionPort::Carry(o, i) => {
            let body = func.region(program.body(o));
            if body.args[i] != value {
                return vec![body.args[i]];
            }
            let mut from = vec![func.op(o).operands[i], body.yields[i]];
            // What a `while` carries is there after as many iterations as its condition says.
            from.extend(body.args.first().filter(|_| i > 0 && func.op(o).op.ends_early()));
            from
        }
        RegionPort::Slice(o, i) | RegionPort::Invariant(o, i) => vec![func.op(o).operands[i]],
        RegionPort::Stack(o, i) => vec![func.region(program.body(o)).yields[i]],
    }
}
