//! The e-graph, together with the program that it is about. Every e-node is an op of the program: the op is added to the
//! program when the e-node is added to the graph. So laws equate values of the program, and an equality is recorded for the
//! certificate as soon as it is found.

use super::body::CompositeBody;
use super::law;
use super::term::{AlgebraTerm, Members, Specs, canonical};
use crate::effort;
use crate::extend::{Equal, Extended};
use egg::{EGraph, Id};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::live::live_with;
use meshloom_ir::op::Attr;
use meshloom_ir::{Builder, Def, Func, Literal, Op, OpData, OpId, RegionId, TensorType, ValueId, table};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// What bounds the algebra: counts, never seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AlgebraLimits {
    /// Ops added to the program.
    pub ops: usize,
    /// Ways to compute one tensor. With so many, no rule adds another one.
    pub forms: usize,
}

impl Default for AlgebraLimits {
    fn default() -> AlgebraLimits {
        AlgebraLimits { ops: 4096, forms: 8 }
    }
}

/// How much was done. Deterministic.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Ops added.
    pub ops: usize,
    pub equalities: usize,
    /// Equalities left out because the checker does not follow them.
    pub unproved: usize,
    pub nodes: usize,
    pub classes: usize,
    /// Ops to which the rules were applied. An op counts again after each new equality of an operand.
    pub steps: usize,
    /// Limits that were reached, in words.
    pub limits_hit: Vec<String>,
}

/// A directed law: matches an op, and adds a form that its result equals.
pub struct Rule {
    pub name: &'static str,
    /// One line: what becomes what, and when.
    pub about: &'static str,
    /// Whether it changes the order of floating point operations.
    pub reassociates: bool,
    pub apply: fn(&mut Algebra<'_>, OpId),
}

pub struct Algebra<'a> {
    b: Builder,
    graph: EGraph<AlgebraTerm, Members>,
    specs: Specs,
    /// By value; `None` for dead values and those inside composites.
    classes: Vec<Option<Id>>,
    /// By value and dim: the leaf dim it comes from. Intermediates of new forms have their dims in this order, or each order of
    /// contraction would make its own transposed twin of what is one tensor (ten times the e-nodes on a chain of eight).
    labels: Vec<Vec<u32>>,
    next_label: u32,
    /// By e-node, as the id that it was added under: its op.
    op_of: FxHashMap<Id, OpId>,
    equal: Vec<Equal>,
    /// Composites, and transposes of their results, that replace what they stand for.
    preferred: Vec<OpId>,
    /// Instances of rules that were tried: the rule, the op, and the definition of an operand.
    seen: FxHashSet<(&'static str, OpId, OpId)>,
    given: usize,
    /// The worklist of ops, the next one last.
    work: Vec<OpId>,
    /// By op: whether it is on the worklist.
    waiting: Vec<bool>,
    rules: Vec<&'static Rule>,
    /// Calls of [`Algebra::settle`] inside each other.
    depth: usize,
    steps: usize,
    limits: &'a AlgebraLimits,
    full: bool,
    crowded: bool,
}

impl<'a> Algebra<'a> {
    /// Of a program in which `known` is equal; also which values live. Composites may be written out before [`Algebra::start`].
    pub fn new(
        func: Func,
        known: &[Equal],
        rules: Vec<&'static Rule>,
        limits: &'a AlgebraLimits,
    ) -> (Algebra<'a>, Vec<bool>) {
        let mut equals: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
        for e in known {
            equals.entry(e.a).or_default().push(e.b);
            equals.entry(e.b).or_default().push(e.a);
        }
        let live = live_with(&func, |v, work| work.extend(equals.get(&v).into_iter().flatten()));
        let given = func.ops.len();
        let n = func.values.len();
        let mut a = Algebra {
            b: Builder::resume(func),
            graph: EGraph::new(Members::default()),
            specs: Specs::default(),
            classes: vec![None; n],
            labels: vec![Vec::new(); n],
            next_label: 0,
            op_of: FxHashMap::default(),
            equal: Vec::new(),
            preferred: Vec::new(),
            seen: FxHashSet::default(),
            given,
            work: Vec::new(),
            waiting: vec![false; given],
            rules,
            depth: 0,
            steps: 0,
            limits,
            full: false,
            crowded: false,
        };
        a.load(Func::BODY, &live);
        for e in known {
            if let (Some(x), Some(y)) = (a.class(e.a), a.class(e.b)) {
                a.graph.union(x, y);
            }
        }
        (a, live)
    }

    /// Ready for the first look at ops, in the order of the program.
    pub fn start(&mut self) {
        self.graph.rebuild();
        self.work.reverse();
    }

    fn load(&mut self, r: RegionId, live: &[bool]) {
        for (i, v) in self.b.func.region(r).args.clone().into_iter().enumerate() {
            self.leaf(v);
            if let Some(o) = self.b.func.region(r).owner {
                let d = self.b.func.op(o);
                let (operand, slice) =
                    (d.operands[i], matches!(d.op, Op::Repeat { carries, xs, .. } if i >= carries && i < carries + xs));
                let labels = &self.labels[operand.index()];
                if labels.len() == self.b.func.ty(v).rank() + usize::from(slice) {
                    self.labels[v.index()] = labels[usize::from(slice)..].to_vec();
                }
            }
        }
        for o in self.b.func.region(r).ops.clone() {
            let results = self.b.func.op(o).results.clone();
            if !results.iter().any(|v| live[v.index()]) {
                continue;
            }
            if let (Op::Repeat { .. }, [body]) = (&self.b.func.op(o).op, &self.b.func.op(o).regions[..]) {
                let body = *body;
                self.load(body, live);
            }
            match results[..] {
                [v] if self.b.func.op(o).regions.is_empty() => self.op_value(v, o),
                _ => results.iter().for_each(|&v| self.leaf(v)),
            }
        }
    }

    /// Writes the body of a composite out beside it.
    pub fn inline(&mut self, o: OpId) {
        let d = self.b.func.op(o).clone();
        let body = self.b.func.region(d.regions[0]).clone();
        if self.b.func.ops.len() - self.given + body.ops.len() > self.limits.ops {
            self.full = true;
            return;
        }
        let mut map: ValueMap = body.args.iter().copied().zip(d.operands.iter().copied()).collect();
        for i in body.ops {
            self.b.phase = d.phase;
            let copy = self.b.within(d.parent, |b| copy_op(b, i, &mut map));
            self.grow();
            for v in self.b.func.op(copy).results.clone() {
                self.op_value(v, copy);
            }
        }
        for (&a, y) in d.results.iter().zip(&body.yields) {
            let Some(&b) = map.get(y) else { continue };
            if let (Some(x), Some(y)) = (self.class(a), self.class(b)) {
                self.graph.union(x, y);
                self.equal.push(Equal { a, b, law: law::CONGRUENCE });
            }
        }
    }

    fn grow(&mut self) {
        self.classes.resize(self.b.func.values.len(), None);
        self.labels.resize(self.b.func.values.len(), Vec::new());
        self.waiting.resize(self.b.func.ops.len(), false);
    }

    fn leaf(&mut self, v: ValueId) {
        self.graph.analysis.next = Some(v);
        let id = self.graph.add(AlgebraTerm::Leaf(v.0));
        self.classes[v.index()] = Some(id);
        self.labels[v.index()] = self.fresh_labels(self.b.func.ty(v).rank());
    }

    /// Enters the result `v` of op `o`; what is congruent to an earlier value joins its class.
    fn op_value(&mut self, v: ValueId, o: OpId) {
        let data = self.b.func.op(o);
        let Some(term) = self.term(data.parent, &data.op.clone(), &data.operands.clone()) else {
            return self.leaf(v);
        };
        self.labels[v.index()] = self.dim_labels(o);
        self.graph.analysis.next = Some(v);
        let id = self.graph.add(term);
        self.classes[v.index()] = Some(id);
        // Else it was not taken: the term was there, and its first value stands for all. A program may write one constant thousands
        // of times, and each look at it would go through all of them.
        if self.graph.analysis.next.take().is_none() {
            self.op_of.insert(id, o);
            self.ask(o);
        }
    }

    /// Puts an op on the list, unless it is there.
    fn ask(&mut self, o: OpId) {
        if !std::mem::replace(&mut self.waiting[o.index()], true) {
            self.work.push(o);
        }
    }

    /// Applies the rules to what is on the list, down to `floor` ops of it.
    pub fn run(&mut self, floor: usize) {
        while self.work.len() > floor {
            let Some(o) = self.work.pop() else { break };
            self.waiting[o.index()] = false;
            self.steps += 1;
            for i in 0..self.rules.len() {
                if self.definitions(self.op(o).results[0]).len() >= self.limits.forms {
                    self.crowded = true;
                    break;
                }
                (self.rules[i].apply)(self, o);
            }
        }
    }

    /// Applies the rules to the op of `v`, which is new, before other ops use it. If `v` turns out to equal an existing value,
    /// the ops that use it exist already as well.
    pub fn settle(&mut self, v: ValueId) {
        let Some(o) = self.b.func.def_op(v).filter(|o| o.index() >= self.given && self.waiting[o.index()]) else {
            return;
        };
        if self.depth >= effort::NESTED_FORMS {
            return;
        }
        self.depth += 1;
        self.work.retain(|&w| w != o);
        self.work.push(o);
        self.run(self.work.len() - 1);
        self.depth -= 1;
    }

    /// Puts the definitions of `v` on the list again: it has a new reader.
    pub fn revisit(&mut self, v: ValueId) {
        self.definitions(v).into_iter().for_each(|o| self.ask(o));
    }

    fn term(&mut self, region: RegionId, op: &Op, operands: &[ValueId]) -> Option<AlgebraTerm> {
        let children = operands.iter().map(|v| self.classes[v.index()]).collect::<Option<Vec<Id>>>()?;
        let children = children.into_iter().map(|c| self.graph.find(c)).collect();
        Some(AlgebraTerm::Op(self.specs.put(region, op), children))
    }

    fn fresh_labels(&mut self, rank: usize) -> Vec<u32> {
        self.next_label += rank as u32;
        (self.next_label - rank as u32..self.next_label).collect()
    }

    /// A result dim has the least label of the operand dims that are the same index.
    fn dim_labels(&mut self, o: OpId) -> Vec<u32> {
        let Some(rule) = table::factors(&self.b.func, o) else {
            let rank = self.b.func.ty(self.b.func.op(o).results[0]).rank();
            return self.fresh_labels(rank);
        };
        let operands = self.b.func.op(o).operands.clone();
        let mut out = Vec::new();
        for dim in &rule.results[0] {
            let of = |f: &usize| {
                let dims = rule.operands.iter().zip(&operands);
                let dims = dims.filter_map(|(dims, v)| {
                    let d = dims.iter().position(|fs| fs.contains(f))?;
                    Some(self.labels[v.index()][d])
                });
                dims.min()
            };
            let label = dim.iter().filter_map(of).next();
            out.push(label.unwrap_or_else(|| self.fresh_labels(1)[0]));
        }
        out
    }

    // What rules read.

    /// Ops that read `v` or a value equal to it.
    pub fn readers(&self, v: ValueId) -> Vec<OpId> {
        let Some(c) = self.class(v) else { return Vec::new() };
        let mut out: Vec<OpId> = self.graph[c].parents().filter_map(|n| self.op_of.get(&n).copied()).collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    pub fn func(&self) -> &Func {
        &self.b.func
    }

    /// How often the given program reads `v` or a value equal to it; not what was added to it.
    pub fn uses(&self, v: ValueId) -> usize {
        let read = self.readers(v).into_iter().filter(|o| o.index() < self.given).count();
        let yields = self.b.func.regions.iter().flat_map(|r| &r.yields).filter(|&&y| self.same(y, v)).count();
        read + yields
    }

    /// Whether an op is one of the given program.
    pub fn given(&self, o: OpId) -> bool {
        o.index() < self.given
    }

    pub fn op(&self, o: OpId) -> &OpData {
        self.b.func.op(o)
    }

    pub fn ty(&self, v: ValueId) -> &TensorType {
        self.b.func.ty(v)
    }

    pub fn shape(&self, v: ValueId) -> &[u64] {
        &self.b.func.ty(v).shape
    }

    pub fn labels(&self, v: ValueId) -> &[u32] {
        &self.labels[v.index()]
    }

    pub fn class(&self, v: ValueId) -> Option<Id> {
        self.classes[v.index()].map(|c| self.graph.find(c))
    }

    pub fn same(&self, a: ValueId, b: ValueId) -> bool {
        a == b || self.class(a).is_some_and(|c| Some(c) == self.class(b))
    }

    /// The ops that define `v` or a value equal to it, each term once.
    pub fn definitions(&self, v: ValueId) -> Vec<OpId> {
        let Some(c) = self.class(v) else { return Vec::new() };
        let mut out: Vec<OpId> = Vec::new();
        for &w in &self.graph[c].data {
            if let Some(o) = self.b.func.def_op(w).filter(|&o| self.b.func.op(o).regions.is_empty()) {
                let d = self.op(o);
                if !out.iter().any(|&p| self.defines(self.op(p).results[0], d.parent, &d.op, &d.operands)) {
                    out.push(o);
                }
            }
        }
        out
    }

    /// The first definition of `v` for which `f` gives something.
    pub fn defined_by<T>(&self, v: ValueId, f: impl Fn(&OpData) -> Option<T>) -> Option<T> {
        self.definitions(v).into_iter().find_map(|o| f(self.op(o)))
    }

    /// The value that `v` repeats in every element, if it is a constant of one value.
    pub fn splat(&self, v: ValueId) -> Option<Literal> {
        self.defined_by(v, |d| match &d.op {
            Op::Constant { value: value @ Literal::Splat(_), .. } => Some(value.clone()),
            Op::Broadcast { .. } => match &self.op(self.func().def_op(d.operands[0])?).op {
                Op::Constant { value: value @ Literal::Splat(_), .. } => Some(value.clone()),
                _ => None,
            },
            _ => None,
        })
    }

    /// Whether this instance of a rule is tried for the first time. Later calls give false.
    pub fn first(&mut self, rule: &'static str, o: OpId, with: OpId) -> bool {
        self.seen.insert((rule, o, with))
    }

    // What rules write.

    /// The value of `op` on `operands`, beside op `at`: one that there is already, or that of a new op. Ops that do nothing are
    /// left out. `None` if the program is as large as it may be, or the op does not fit (then the rule that asks is wrong, and
    /// nothing is offered).
    pub fn make(&mut self, at: OpId, op: Op, operands: &[ValueId]) -> Option<ValueId> {
        if let [x] = operands
            && idle(&op, self.ty(*x))
        {
            return Some(*x);
        }
        let region = self.op(at).parent;
        let op = match op {
            Op::DotGeneral(e) => Op::DotGeneral(canonical(&e)),
            other => other,
        };
        if let Some(v) = self.find(at, op.clone(), operands) {
            return Some(v);
        }
        if self.b.func.ops.len() - self.given >= self.limits.ops {
            self.full = true;
            return None;
        }
        let (span, phase) = (self.op(at).span, self.op(at).phase);
        (self.b.span, self.b.phase) = (span, phase);
        let v = self.b.within(region, |b| b.emit(op, operands)).ok()?;
        self.grow();
        let o = self.b.func.def_op(v)?;
        self.op_value(v, o);
        Some(v)
    }

    /// The value of `op` on `operands` in the region of `at`, if some op computes it already.
    pub fn find(&mut self, at: OpId, op: Op, operands: &[ValueId]) -> Option<ValueId> {
        let region = self.op(at).parent;
        let term = self.term(region, &op, operands)?;
        let id = self.graph.lookup(term)?;
        self.graph[id].data.iter().copied().find(|&v| self.defines(v, region, &op, operands))
    }

    /// Whether the op of `v` is this one on equal operands.
    fn defines(&self, v: ValueId, region: RegionId, op: &Op, operands: &[ValueId]) -> bool {
        let Def::Op(o, _) = self.b.func.value(v).def else { return false };
        let d = self.op(o);
        let same_op = match (&d.op, op) {
            (Op::DotGeneral(e), Op::DotGeneral(f)) => canonical(e) == canonical(f),
            (x, y) => x == y,
        };
        d.parent == region
            && same_op
            && d.operands.len() == operands.len()
            && d.operands.iter().zip(operands).all(|(&x, &y)| self.same(x, y))
    }

    /// States that the result of op `o` is `b`, by a law.
    pub fn equate(&mut self, o: OpId, b: Option<ValueId>, law: &'static str) {
        let (a, Some(b)) = (self.op(o).results[0], b) else { return };
        let (Some(x), Some(y)) = (self.class(a), self.class(b)) else { return };
        if x == y || self.ty(a) != self.ty(b) {
            return;
        }
        self.graph.union(x, y);
        self.equal.push(Equal { a, b, law });
        self.graph.rebuild();
        // Readers have a further definition to look at.
        self.readers(a).into_iter().rev().for_each(|o| self.ask(o));
        if let (true, Some(n)) = (self.op(o).weight_grad, self.b.func.def_op(b))
            && n.index() >= self.given
        {
            self.b.func.ops[n.index()].weight_grad = true;
        }
    }

    /// States that `a`, which is made from `b`, is `b`, by a law: for the checker. Here they stay two, as in a body that has both; the search takes
    /// `b` by its own op, since the other way would go round in a circle.
    pub fn claim(&mut self, a: ValueId, b: ValueId, law: &'static str) {
        self.equal.push(Equal { a, b, law });
    }

    /// `v` as a composite gives it, whose operands begin with these.
    pub fn composed(&self, v: ValueId, operands: &[ValueId]) -> Option<ValueId> {
        let all = self.class(v).map(|c| self.graph[c].data.as_slice()).unwrap_or_default();
        let by = |&w: &ValueId| {
            let data = self.b.func.def_op(w).map(|o| self.op(o));
            data.is_some_and(|d| matches!(d.op, Op::Composite { .. }) && d.operands.starts_with(operands))
        };
        all.iter().copied().find(by)
    }

    /// If `v` is a transpose of a result of a preferred composite, the transpose is preferred to other ways to compute its result as well. A
    /// part of a composite is never worth having, and a choice for each result by itself would not come to choose all of them.
    pub fn prefer(&mut self, v: ValueId) {
        let Some(o) = self.b.func.def_op(v).filter(|&o| matches!(self.op(o).op, Op::Transpose { .. })) else { return };
        if self.composed(self.op(o).operands[0], &[]).is_some() && !self.preferred.contains(&o) {
            self.preferred.push(o);
        }
    }

    /// A composite of what `body` computes, beside op `at`, if that is what its name says. It is preferred to other ways to
    /// compute its results.
    pub fn composite(&mut self, at: OpId, name: &str, attrs: BTreeMap<String, Attr>, body: CompositeBody) {
        if self.b.func.ops.len() - self.given + body.ops.len() >= self.limits.ops {
            self.full = true;
            return;
        }
        let (region, span, phase) = (self.op(at).parent, self.op(at).span, self.op(at).phase);
        (self.b.span, self.b.phase) = (span, phase);
        let (graph, classes) = (&self.graph, &self.classes);
        let class = |v: ValueId| classes.get(v.index()).copied().flatten().map(|c| graph.find(c));
        let same = |v: ValueId, w: ValueId| v == w || class(v).is_some() && class(v) == class(w);
        if !body.means(&self.b.func, name, &attrs, &same) {
            return;
        }
        let made = self.b.within(region, |b| body.write(b, name, &attrs, &body.inputs, &same));
        self.grow();
        let Some(results) = made else { return };
        for (&v, &output) in results.iter().zip(&body.outputs) {
            self.leaf(v);
            if let (Some(x), Some(y)) = (self.class(v), self.class(output)) {
                self.graph.union(x, y);
                self.equal.push(Equal { a: output, b: v, law: law::CONGRUENCE });
            }
        }
        self.preferred.extend(results.first().and_then(|&v| self.b.func.def_op(v)));
        self.graph.rebuild();
    }

    /// What follows by congruence alone, beside what the laws say.
    fn congruences(&mut self) {
        let mut first: FxHashMap<AlgebraTerm, ValueId> = FxHashMap::default();
        for i in 0..self.b.func.ops.len() {
            let d = &self.b.func.ops[i];
            let [b] = d.results[..] else { continue };
            if self.class(b).is_none() || !d.regions.is_empty() {
                continue;
            }
            let (region, op, operands) = (d.parent, d.op.clone(), d.operands.clone());
            let Some(term) = self.term(region, &op, &operands) else { continue };
            let a = *first.entry(term).or_insert(b);
            if a != b {
                let same = self.b.func.def_op(a).is_some_and(|o| self.op(o).op == op);
                self.equal.push(Equal { a, b, law: if same { law::CONGRUENCE } else { law::DIMS } });
            }
        }
    }

    /// The extended program and its equalities.
    pub fn finish(mut self, ext: &mut Extended, stats: &mut Stats) {
        self.congruences();
        stats.steps = self.steps;
        stats.ops = self.b.func.ops.len() - self.given;
        stats.nodes = self.graph.total_number_of_nodes();
        stats.classes = self.graph.number_of_classes();
        if self.full {
            stats.limits_hit.push(format!("ops that the algebra may add ({})", self.limits.ops));
        }
        if self.crowded {
            stats.limits_hit.push(format!("forms of one tensor ({})", self.limits.forms));
        }
        ext.equal.append(&mut self.equal);
        ext.preferred = std::mem::take(&mut self.preferred);
        stats.equalities = ext.equal.len();
        ext.func = self.b.finish();
    }
}

/// Ops that give their operand as it is.
fn idle(op: &Op, x: &TensorType) -> bool {
    match op {
        Op::Transpose { perm } => perm.iter().enumerate().all(|(i, &p)| i == p),
        Op::Reshape { shape } | Op::Broadcast { shape, .. } => *shape == x.shape,
        Op::Slice { start, limit } => start.iter().all(|&s| s == 0) && *limit == x.shape,
        Op::Reduce { dims, .. } => dims.is_empty(),
        Op::Convert { to } => *to == x.dtype,
        _ => false,
    }
}
