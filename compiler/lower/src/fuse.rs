//! Fusion of one region: which values get memory, and which kernel computes each of them.
//!
//! Contractions, composites, scatters, collectives and loops are *anchors*: each is a kernel of its own, or several.
//! Any other op is computed inside the kernels that read its result. Where that is impossible, the result gets memory,
//! and a kernel for it: a row kernel or a column reduction.
//!
//! Which values get memory is found by trying. Every kernel is expanded ([`crate::expand`]). Each value that stopped an
//! expansion gets memory, and all kernels are expanded again. This repeats until no expansion stops. It ends, since no
//! value ever loses its memory.
//!
//! Two refinements follow:
//! - A contraction takes the elementwise ops that read its result as its *epilogue*. The epilogue reaches up to one
//!   value, the *gate*, through which everything after it reads the chain.
//! - Kernels over the same space that read the same data are merged.
//! - On a GPU, row kernels take column reductions of what they read ([`crate::summed`]), and contractions those of an operand
//!   ([`crate::operand_sum`]).
//!
//! Neither of them moves a rematerialized op into a kernel of the forward pass: its result would be live all along.
//!
//! Not here: which column reductions row kernels take ([`beside`]), which kernels stay apart ([`apart`]), in which order the dims of a value lie ([`crate::storage`]), and the spec of each kernel
//! ([`crate::lower`]).

mod apart;
mod beside;

use crate::columns::column_space;
use crate::error::LowerError;
use crate::expand::{Expander, Stop, resolve};
use crate::facts::Facts;
use crate::storage::reads_row_major;
use crate::summed;
use crate::view::{BufId, Home, View};
use meshloom_ir::{DType, Def, Func, Op, OpData, OpId, Phase, RegionId, ValueId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A kernel of a region, before it is a spec.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Roots over one space. Where they reduce, the space has one more dim than the roots, its last, which they reduce
    /// along.
    Rows { space: Vec<u64>, roots: Vec<ValueId> },
    /// Reductions of values of shape `of` over `dims`, which do not include the last dim.
    Columns { of: Vec<u64>, dims: Vec<usize>, roots: Vec<ValueId> },
    /// Rows, and reductions of values of shape `space` over all dims but the last. GPUs alone have these: see [`crate::summed`].
    Summed { space: Vec<u64>, roots: Vec<ValueId>, sums: Vec<ValueId> },
    /// A contraction with its epilogue. `inside` are all values that it computes, and `stored` those of them that have
    /// memory, the gate first. `sum` is a column reduction of an operand: GPUs alone have these, see [`crate::operand_sum`].
    Dot { op: OpId, stored: Vec<ValueId>, inside: Rc<BTreeSet<ValueId>>, sum: Option<ValueId> },
    /// A reshape that strides cannot express: a copy over the operand's shape.
    Reflow { root: ValueId },
    /// A dense copy of a region's argument. The argument is a view with gaps, and an op needs it without.
    Dense { root: ValueId },
    /// One op of any other kind.
    Op(OpId),
    /// Another stage sends a value: the place in the list of those that are received once in a step.
    Receive(usize),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// The values with memory that the kernel reads.
    pub reads: Rc<BTreeSet<ValueId>>,
    /// The values with memory that the kernel writes.
    pub writes: BTreeSet<ValueId>,
    /// The position in the program of the kernel's first op. It orders kernels that do not depend on each other.
    pub order: usize,
}

pub struct Fusion {
    /// In execution order.
    pub nodes: Vec<Node>,
    pub memory: BTreeSet<ValueId>,
}

/// How an op reads an operand that has memory.
#[derive(Clone, Copy)]
enum Demand {
    /// Through any strides.
    Any,
    /// The same, but from a place that is the same on every device: contractions.
    Placed,
    /// With its last dim contiguous: attention.
    Rows,
    /// As consecutive memory.
    Dense,
}

/// What an op of the region is to fusion.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Dot,
    /// A kernel of its own that is no contraction.
    Anchor,
    Other,
}

struct Fuser<'a> {
    func: &'a Func,
    facts: &'a Facts<'a>,
    region: RegionId,
    /// Views of the region's arguments.
    args: &'a BTreeMap<ValueId, View>,
    ops: Vec<(OpId, Part)>,
    /// The demands that ops and yields of the region make on values, in the order of the program.
    demands: Vec<(Demand, ValueId)>,
    /// By value: whether it has memory.
    memory: Vec<bool>,
    /// Values that have memory, as they came to it.
    given: Vec<ValueId>,
    /// Kernels that were tried, and the number of each.
    known: Vec<Known>,
    numbers: FxHashMap<Rc<Kind>, usize>,
    /// By value that has memory: the number of the kernel that has it as its one root.
    alone: FxHashMap<ValueId, usize>,
    /// By op: its place in the region, from 1.
    position: Vec<usize>,
    /// By value: the latest anchor op, by position, that it depends on; 0 is none.
    after: Vec<usize>,
    /// By value: how often ops of the region read it.
    uses: Vec<usize>,
    /// Contractions that take no epilogue, because an expansion with one stopped.
    plain: BTreeSet<OpId>,
    epilogues: Rc<Epilogues>,
}

/// A kernel that was tried.
struct Known {
    kind: Rc<Kind>,
    /// The result of its last expansion; `None` before the first one.
    found: Option<Result<Rc<BTreeSet<ValueId>>, Stop>>,
    /// Values without memory that the expansion asked about, in order. Its result holds until one of them gets memory.
    asked: Vec<ValueId>,
    /// How many values had memory when the result was last known to hold.
    as_of: usize,
}

/// The epilogues of the region's contractions. They do not depend on what has memory.
#[derive(Default)]
struct Epilogues {
    /// For each contraction, its gate and the values that its epilogue computes.
    all: Vec<(OpId, ValueId, Rc<BTreeSet<ValueId>>)>,
    /// Results of contractions that nobody reads.
    dead: Vec<ValueId>,
    /// By value: whether an epilogue computes it.
    taken: Vec<bool>,
    /// How many contractions were without an epilogue.
    plain: usize,
}

/// Fuses one region, without the regions inside it.
///
/// # Errors
/// An op that no kernel can compute.
pub fn fuse(
    func: &Func,
    facts: &Facts<'_>,
    region: RegionId,
    args: &BTreeMap<ValueId, View>,
) -> Result<Fusion, LowerError> {
    let mut f = Fuser::new(func, facts, region, args);
    f.seed();
    // Each attempt gives memory to at least one value, or takes the epilogue from at least one contraction.
    for _ in 0..=2 * func.values.len() + func.ops.len() {
        if let Some(nodes) = f.attempt()? {
            let nodes = f.merge(nodes);
            let nodes = f.with_sums(nodes);
            let nodes = order(f.with_operand_sums(nodes));
            let memory = f.given.iter().copied().filter(|v| f.memory[v.index()]).collect();
            return Ok(Fusion { nodes, memory });
        }
    }
    Err(f.error(f.ops.first().map(|x| x.0), "fusion did not settle".into()))
}

impl<'a> Fuser<'a> {
    fn new(func: &'a Func, facts: &'a Facts<'a>, region: RegionId, args: &'a BTreeMap<ValueId, View>) -> Fuser<'a> {
        let (n, body) = (func.values.len(), func.region(region));
        let (mut position, mut after, mut uses) = (vec![0; func.ops.len()], vec![0; n], vec![0; n]);
        let mut ops = Vec::with_capacity(body.ops.len());
        let mut demands: Vec<(Demand, ValueId)> = body.yields.iter().map(|&y| (Demand::Any, y)).collect();
        for (i, &o) in body.ops.iter().enumerate() {
            let data = func.op(o);
            position[o.index()] = i + 1;
            let part = match &data.op {
                Op::DotGeneral(_) => Part::Dot,
                op if op.is_anchor() => Part::Anchor,
                _ => Part::Other,
            };
            ops.push((o, part));
            let latest = match part {
                Part::Other => data.operands.iter().map(|v| after[v.index()]).max().unwrap_or(0),
                Part::Dot | Part::Anchor => i + 1,
            };
            data.results.iter().for_each(|r| after[r.index()] = latest);
            data.operands.iter().for_each(|v| uses[v.index()] += 1);
            let demand = match &data.op {
                Op::DotGeneral(_) => Some(Demand::Placed),
                Op::Pad { .. } | Op::Concatenate { .. } | Op::Repeat { .. } => Some(Demand::Any),
                Op::Composite { .. } => Some(Demand::Rows),
                op => reads_row_major(op).then_some(Demand::Dense),
            };
            demands.extend(demand.into_iter().flat_map(|d| data.operands.iter().map(move |&v| (d, v))));
        }
        let (memory, given, known, numbers, alone) =
            (vec![false; n], Vec::new(), Vec::new(), FxHashMap::default(), FxHashMap::default());
        let (plain, epilogues) = (BTreeSet::new(), Rc::default());
        Fuser {
            func,
            facts,
            region,
            args,
            ops,
            demands,
            memory,
            given,
            known,
            numbers,
            alone,
            position,
            after,
            uses,
            plain,
            epilogues,
        }
    }

    fn error(&self, op: Option<OpId>, message: String) -> LowerError {
        LowerError { message, span: op.map(|o| self.func.op(o).span).unwrap_or_default() }
    }

    /// Gives a value memory. Returns whether it had none.
    fn give(&mut self, v: ValueId) -> bool {
        let new = !std::mem::replace(&mut self.memory[v.index()], true);
        if new {
            self.given.push(v);
        }
        new
    }

    /// Whether a value has memory of its own, or is an argument of the region.
    fn placed(&self, v: ValueId) -> bool {
        self.memory[v.index()] || matches!(self.func.value(v).def, Def::Arg(..)) && self.args.contains_key(&v)
    }

    /// The view of a value that has memory. Buffers are not assigned yet, so the value's number stands for its buffer.
    /// The strides are final.
    fn view(&self, v: ValueId) -> Option<View> {
        if !self.memory[v.index()] {
            return match self.func.value(v).def {
                Def::Arg(..) => self.args.get(&v).cloned(),
                Def::Op(..) => None,
            };
        }
        let home = Home::fixed(BufId(usize::MAX - v.index()));
        Some(View { home, offset: 0, strides: self.facts.storage.strides(v), shard: None })
    }

    /// Gives memory to `v`, or to the value that `v` is a view of. Returns whether anything changed.
    fn require(&mut self, v: ValueId) -> bool {
        if self.placed(v) || resolve(self.func, v, &|x| self.view(x), None).is_some() {
            return false;
        }
        let mut at = v;
        while let Some(o) = self.func.def_op(at) {
            if !self.func.op(o).op.reads_in_place() || self.placed(at) {
                break;
            }
            at = self.func.op(o).operands[0];
        }
        // If the base has memory and the views still do not compose, `v` itself is copied. Of a constant that is larger than
        // what is read of it, the rest is not computed: a stage reads its layers of a stack of zeros.
        let elements = |v: ValueId| self.func.ty(v).elements();
        let part = || elements(v) < elements(at) && constant(self.func, at);
        let target = if self.placed(at) || part() { v } else { at };
        self.give(target)
    }

    /// Gives memory to the values that need it in any fusion.
    fn seed(&mut self) {
        let func = self.func;
        for i in 0..self.ops.len() {
            let (o, part) = self.ops[i];
            let data = func.op(o);
            for &r in &data.results {
                if part == Part::Anchor || self.facts.once.contains(&r) {
                    self.give(r);
                }
            }
            // A scalar that larger values read is computed once.
            if let Op::Broadcast { .. } = data.op {
                let x = data.operands[0];
                let computed = func.def_op(x).is_some_and(|p| matches!(func.op(p).op, Op::Elem(_)));
                if func.ty(x).rank() == 0 && computed && !constant(func, x) {
                    self.give(x);
                }
            }
        }
    }

    /// Whether a view is one that an op takes.
    fn takes(&self, demand: Demand, v: ValueId, view: &View) -> bool {
        match demand {
            Demand::Any => true,
            Demand::Placed => view.shard.is_none(),
            Demand::Rows => view.shard.is_none() && view.strides.last().is_none_or(|&s| s == 1),
            Demand::Dense => view.is_dense(&self.func.ty(v).shape),
        }
    }

    /// Gives memory to what an op does not find as it takes it, or to a copy of that. Returns whether anything changed.
    fn meet(&mut self, demand: Demand, v: ValueId) -> bool {
        // What is stored in the order of its dims suits everyone.
        if self.memory[v.index()] && self.facts.storage.is_row_major(v) {
            return false;
        }
        if self.require(v) {
            return true;
        }
        if matches!(demand, Demand::Any) {
            return false;
        }
        match resolve(self.func, v, &|x| self.view(x), None) {
            Some((view, _)) if self.takes(demand, v, &view) => false,
            _ => self.give(v),
        }
    }

    /// One attempt: all kernels of the region, or `None` if a value got memory meanwhile.
    fn attempt(&mut self) -> Result<Option<Vec<Node>>, LowerError> {
        let mut changed = false;
        for i in 0..self.demands.len() {
            let (demand, v) = self.demands[i];
            changed |= self.meet(demand, v);
        }
        if changed {
            return Ok(None);
        }
        let mut kernels: Vec<usize> = Vec::new();
        let copied: Vec<ValueId> = self.args.keys().copied().filter(|a| self.memory[a.index()]).collect();
        kernels.extend(copied.into_iter().map(|root| self.number(Kind::Dense { root })));
        if self.region == Func::BODY {
            kernels.extend((0..self.facts.received.len()).map(|k| self.number(Kind::Receive(k))));
        }
        let epilogues = self.epilogues();
        for (op, gate, inside) in &epilogues.all {
            changed |= self.give(*gate);
            let others = inside.iter().copied().filter(|v| v != gate && self.memory[v.index()]);
            let stored = std::iter::once(*gate).chain(others).collect();
            kernels.push(self.number(Kind::Dot { op: *op, stored, inside: inside.clone(), sum: None }));
        }
        if changed {
            return Ok(None);
        }
        let func = self.func;
        for i in 0..self.ops.len() {
            let (o, part) = self.ops[i];
            match part {
                Part::Dot => {}
                Part::Anchor => kernels.push(self.number(Kind::Op(o))),
                Part::Other => {
                    for &v in &func.op(o).results {
                        if !self.memory[v.index()] || epilogues.taken[v.index()] {
                            continue;
                        }
                        match self.root(o, v) {
                            Ok(kernel) => kernels.push(kernel),
                            Err(Stop::Materialize(w)) => changed |= self.materialize(w, o)?,
                            Err(Stop::Fail(m)) => return Err(self.error(Some(o), m)),
                        }
                    }
                }
            }
        }
        for &k in &kernels {
            let Err(stop) = self.reads(k) else { continue };
            let kind = self.known[k].kind.clone();
            let at = self.order(&kind).saturating_sub(1).min(self.ops.len().saturating_sub(1));
            let at = self.ops.get(at).map(|x| x.0);
            match (stop, &*kind) {
                (Stop::Materialize(w), Kind::Dot { op, inside, .. }) if inside.contains(&w) => {
                    changed |= self.plain.insert(*op);
                }
                (Stop::Materialize(w), _) => changed |= self.materialize(w, at.unwrap_or(OpId(0)))?,
                (Stop::Fail(m), _) => return Err(self.error(at, m)),
            }
        }
        if changed {
            return Ok(None);
        }
        let nodes = kernels.into_iter().filter_map(|k| {
            let reads = self.reads(k).ok()?;
            Some(self.node(&self.known[k].kind.clone(), reads))
        });
        Ok(Some(nodes.collect()))
    }

    /// Every contraction's epilogue, as long as the same ones have none.
    fn epilogues(&mut self) -> Rc<Epilogues> {
        let known = &self.epilogues;
        let holds = known.plain == self.plain.len() && known.dead.iter().all(|d| !self.memory[d.index()]);
        if holds && !known.taken.is_empty() {
            return known.clone();
        }
        let mut found =
            Epilogues { plain: self.plain.len(), taken: vec![false; self.memory.len()], ..Epilogues::default() };
        for &(o, _) in self.ops.iter().filter(|x| x.1 == Part::Dot) {
            let d = self.func.op(o).results[0];
            if self.uses[d.index()] == 0 && !self.memory[d.index()] {
                found.dead.push(d);
                continue;
            }
            let (gate, inside) =
                if self.plain.contains(&o) { (d, BTreeSet::from([d])) } else { self.epilogue(o, &found.taken) };
            inside.iter().for_each(|v| found.taken[v.index()] = true);
            found.all.push((o, gate, Rc::new(inside)));
        }
        self.epilogues = Rc::new(found);
        self.epilogues.clone()
    }

    fn materialize(&mut self, v: ValueId, at: OpId) -> Result<bool, LowerError> {
        if self.require(v) || self.give(v) {
            return Ok(true);
        }
        let name = self.func.def_op(v).map_or("an argument", |o| self.func.op(o).op.name());
        Err(self.error(Some(at), format!("no kernel reads the result of `{name}` here")))
    }

    fn node(&self, kind: &Kind, reads: Rc<BTreeSet<ValueId>>) -> Node {
        let writes: BTreeSet<ValueId> = match kind {
            Kind::Rows { roots, .. } | Kind::Columns { roots, .. } => roots.iter().copied().collect(),
            Kind::Summed { roots, sums, .. } => roots.iter().chain(sums).copied().collect(),
            Kind::Dot { stored, sum, .. } => stored.iter().chain(sum).copied().collect(),
            Kind::Dense { root } | Kind::Reflow { root } => [*root].into(),
            Kind::Op(o) => self.func.op(*o).results.iter().copied().collect(),
            Kind::Receive(k) => [self.facts.received[*k].value].into(),
        };
        Node { kind: kind.clone(), reads, writes, order: self.order(kind) }
    }

    /// The place of the first op of a kernel.
    fn order(&self, kind: &Kind) -> usize {
        let of = |v: &ValueId| self.func.def_op(*v).map(|o| self.position[o.index()]);
        match kind {
            Kind::Rows { roots, .. } | Kind::Columns { roots, .. } => roots.iter().filter_map(of).min().unwrap_or(0),
            Kind::Summed { roots, sums, .. } => roots.iter().chain(sums).filter_map(of).min().unwrap_or(0),
            Kind::Dot { op, .. } | Kind::Op(op) => self.position[op.index()],
            Kind::Dense { .. } => 0,
            // Just before what reads it.
            Kind::Receive(k) => {
                let reads = |x: &&(OpId, Part)| self.func.op(x.0).operands.contains(&self.facts.received[*k].value);
                self.ops.iter().filter(reads).map(|x| self.position[x.0.index()]).min().unwrap_or(0)
            }
            Kind::Reflow { root } => of(root).unwrap_or(0),
        }
    }

    /// The epilogue of a contraction: the gate, and all values computed up to it. Only the gate is read outside of the
    /// epilogue. The epilogue's other operands must not depend on anything that runs after the contraction.
    fn epilogue(&self, op: OpId, taken: &[bool]) -> (ValueId, BTreeSet<ValueId>) {
        let d = self.func.op(op).results[0];
        let ty = self.func.ty(d).clone();
        let mut inside = BTreeSet::from([d]);
        let mut open: BTreeMap<ValueId, usize> = BTreeMap::from([(d, self.uses[d.index()])]);
        let mut best = (d, inside.clone());
        let at = self.position[op.index()];
        for &o in &self.func.region(self.region).ops[at..] {
            let data = self.func.op(o);
            if !data.operands.iter().any(|v| inside.contains(v)) {
                continue;
            }
            let result = data.results.first().copied();
            let eligible = data.op.is_elementwise()
                && (!data.is_rematerialized() || self.func.op(op).is_rematerialized())
                && result.is_some_and(|r| self.func.ty(r).shape == ty.shape && !taken[r.index()])
                && result.is_some_and(|r| !self.facts.sums.contains(&r))
                && data.operands.iter().all(|v| inside.contains(v) || self.after[v.index()] < at)
                && inside.len() < 48;
            let (true, Some(r)) = (eligible, result) else { break };
            for v in &data.operands {
                if let Some(n) = open.get_mut(v) {
                    *n -= 1;
                }
            }
            inside.insert(r);
            open.insert(r, self.uses[r.index()]);
            let others: usize = open.iter().filter(|x| *x.0 != r).map(|x| x.1).sum();
            if others == 0 && may_become(ty.dtype, self.func.ty(r).dtype) {
                best = (r, inside.clone());
            }
        }
        best
    }

    /// The kernel of a root that no contraction computes.
    fn root(&mut self, o: OpId, v: ValueId) -> Result<usize, Stop> {
        let data = self.func.op(o);
        if let Op::Reshape { .. } = data.op
            && self.placed(data.operands[0])
        {
            return Ok(self.number(Kind::Reflow { root: v }));
        }
        let alone = self.alone(o, v);
        if let Op::Reduce { .. } = data.op {
            return Ok(alone);
        }
        match self.reads(alone) {
            Ok(_) => Ok(alone),
            // A value computed from a row's reduction: the space gets one more dim, to reduce along. What several elements of the
            // value read would be reduced again for each of them, so it gets memory.
            Err(Stop::Materialize(w)) => {
                let once = self.func.ty(w).elements() >= self.func.ty(v).elements();
                let reduced = self.func.def_op(w).filter(|&r| once && matches!(self.func.op(r).op, Op::Reduce { .. }));
                if let Some(r) = reduced
                    && let Some(&cols) = self.func.ty(self.func.op(r).operands[0]).shape.last()
                {
                    let mut space = self.func.ty(v).shape.clone();
                    space.push(cols);
                    let wide = self.number(Kind::Rows { space, roots: vec![v] });
                    if self.reads(wide).is_ok() {
                        return Ok(wide);
                    }
                }
                Err(Stop::Materialize(w))
            }
            Err(e) => Err(e),
        }
    }

    /// The number of the kernel that has `v` as its one root, over the space of `v` or of what is reduced to it.
    fn alone(&mut self, o: OpId, v: ValueId) -> usize {
        if let Some(&k) = self.alone.get(&v) {
            return k;
        }
        let data = self.func.op(o);
        let roots = vec![v];
        let kind = match &data.op {
            Op::Reduce { dims, .. } => {
                let of = self.func.ty(data.operands[0]).shape.clone();
                match dims.last() == Some(&(of.len() - 1)) {
                    true => Kind::Rows { space: of, roots },
                    false => Kind::Columns { of, dims: dims.clone(), roots },
                }
            }
            _ => {
                let shape = &self.func.ty(v).shape;
                Kind::Rows { space: if shape.is_empty() { vec![1] } else { shape.clone() }, roots }
            }
        };
        let k = self.number(kind);
        self.alone.insert(v, k);
        k
    }

    /// The number of a kernel.
    fn number(&mut self, kind: Kind) -> usize {
        if let Some(&k) = self.numbers.get(&kind) {
            return k;
        }
        let (kind, k) = (Rc::new(kind), self.known.len());
        self.numbers.insert(kind.clone(), k);
        self.known.push(Known { kind, found: None, asked: Vec::new(), as_of: 0 });
        k
    }

    /// The values with memory that a kernel reads.
    fn reads(&mut self, kernel: usize) -> Result<Rc<BTreeSet<ValueId>>, Stop> {
        let (now, known) = (self.given.len(), &mut self.known[kernel]);
        if let Some(found) = &known.found
            && self.given[known.as_of..].iter().all(|v| known.asked.binary_search(v).is_err())
        {
            known.as_of = now;
            return found.clone();
        }
        let kind = known.kind.clone();
        let asked = RefCell::default();
        let found = self.expanded(&kind, &asked).map(Rc::new);
        let mut asked = asked.into_inner();
        asked.sort_unstable();
        asked.dedup();
        self.known[kernel] = Known { kind, found: Some(found.clone()), asked, as_of: now };
        found
    }

    /// Expands a kernel to learn what it reads. `asked` collects the values whose memory the answer depends on.
    fn expanded(&self, kind: &Kind, asked: &RefCell<Vec<ValueId>>) -> Result<BTreeSet<ValueId>, Stop> {
        let view_of = |v: ValueId| {
            asked.borrow_mut().push(v);
            self.view(v)
        };
        let base = |v: ValueId| resolve(self.func, v, &view_of, None).map(|x| x.1).ok_or(Stop::Materialize(v));
        match kind {
            Kind::Op(o) => self.func.op(*o).operands.iter().map(|&v| base(v)).collect(),
            Kind::Dense { .. } => Ok(BTreeSet::new()),
            Kind::Receive(k) => self.facts.received[*k].after.iter().map(|&v| base(v)).collect(),
            Kind::Reflow { root } => {
                let o = self.func.def_op(*root).ok_or(Stop::Materialize(*root))?;
                Ok([base(self.func.op(o).operands[0])?].into())
            }
            Kind::Dot { op, stored, inside, .. } => {
                let mut reads: BTreeSet<ValueId> =
                    self.func.op(*op).operands.iter().map(|&v| base(v)).collect::<Result<_, _>>()?;
                let d = self.func.op(*op).results[0];
                let mut x = Expander::new(self.func, &view_of, inside, &self.facts.rounded, &self.func.ty(d).shape);
                let map = x.leading(self.func.ty(d).rank());
                x.acc = Some((d, map.clone()));
                for &s in stored {
                    x.value(s, &map)?;
                }
                // An epilogue of too many buffers becomes a kernel of its own.
                let gate = stored.first().copied().filter(|&gate| gate != d);
                if let Some(gate) = gate.filter(|_| x.args.len() + stored.len() + 2 > MAX_BUFFERS) {
                    return Err(Stop::Materialize(gate));
                }
                reads.extend(x.reads);
                Ok(reads)
            }
            Kind::Rows { space, roots } => {
                let members: BTreeSet<ValueId> = roots.iter().copied().collect();
                let mut x = Expander::new(self.func, &view_of, &members, &self.facts.rounded, space);
                x.reduces = true;
                for &r in roots {
                    let map = x.leading(self.func.ty(r).rank());
                    x.value(r, &map)?;
                }
                // Buffers are few: pointers travel in registers and on the stack.
                if x.args.len() + roots.len() > MAX_BUFFERS {
                    return Err(self.halfway(roots, asked));
                }
                Ok(x.reads)
            }
            Kind::Summed { space, roots, sums } => {
                let call = summed::expand(self.func, self.facts, &view_of, space, roots, sums)?;
                match call.args.len() + sums.len() > MAX_BUFFERS {
                    true => Err(Stop::Fail("a kernel reads too many buffers".into())),
                    false => Ok(call.reads),
                }
            }
            Kind::Columns { of, dims, roots } => {
                let members = BTreeSet::new();
                let (space, map) = column_space(of, dims);
                let mut x = Expander::new(self.func, &view_of, &members, &self.facts.rounded, &space);
                for &r in roots {
                    let o = self.func.def_op(r).ok_or(Stop::Materialize(r))?;
                    x.value(self.func.op(o).operands[0], &map)?;
                }
                if x.args.len() + roots.len() > MAX_BUFFERS {
                    return Err(self.halfway(roots, asked));
                }
                Ok(x.reads)
            }
        }
    }

    /// The value to give memory to when a kernel reads too many buffers. It lies on the way to the root and is computed
    /// from about half of the buffers, so two kernels take the place of one.
    fn halfway(&self, roots: &[ValueId], asked: &RefCell<Vec<ValueId>>) -> Stop {
        let fail = || Stop::Fail("a kernel reads too many buffers".into());
        let [root] = roots else { return fail() };
        let operands = |v: ValueId| self.func.def_op(v).map_or(&[][..], |o| &self.func.op(o).operands[..]);
        let mut at = *root;
        loop {
            let inner = operands(at).iter().copied().filter(|v| !self.memory[v.index()]);
            let Some((buffers, next)) = inner.map(|v| (self.behind(v, asked), v)).max_by_key(|x| x.0) else {
                return fail();
            };
            if buffers <= 1 {
                return fail();
            }
            let op = self.func.def_op(next).map(|o| &self.func.op(o).op);
            if buffers <= MAX_BUFFERS / 2 + 1 && op.is_some_and(Op::is_elementwise) {
                return Stop::Materialize(next);
            }
            at = next;
        }
    }

    /// The number of values with memory that a value is computed from.
    fn behind(&self, v: ValueId, asked: &RefCell<Vec<ValueId>>) -> usize {
        let (mut seen, mut open, mut found) = (BTreeSet::from([v]), vec![v], 0);
        while let Some(v) = open.pop() {
            match self.func.def_op(v) {
                Some(o) if !self.memory[v.index()] => {
                    open.extend(self.func.op(o).operands.iter().copied().filter(|&x| seen.insert(x)));
                }
                _ => found += 1,
            }
        }
        asked.borrow_mut().extend(seen);
        found
    }

    /// Merges kernels over the same space if they share data or one reads what the other writes, unless a third kernel
    /// has to run between them.
    fn merge(&mut self, mut nodes: Vec<Node>) -> Vec<Node> {
        nodes.sort_by_key(|n| n.order);
        let mut writer: Vec<usize> = vec![usize::MAX; self.memory.len()];
        for (i, n) in nodes.iter().enumerate() {
            n.writes.iter().for_each(|v| writer[v.index()] = i);
        }
        let mut left: Vec<usize> = (0..nodes.len()).collect();
        let mut i = 0;
        while i < left.len() {
            let mut j = i + 1;
            while j < left.len() {
                let (first, second) = (left[i], left[j]);
                let (a, b) = (&nodes[first], &nodes[second]);
                if alike(&a.kind, &b.kind)
                    && self.shares(a, b)
                    && !between_columns(a, b)
                    && !self.brings_back(a, b)
                    && self.leave_out_alike(a, b)
                    && self.few_buffers(a, b)
                    && !path_through_others(&nodes, &writer, first, second)
                    && let Some(kind) = merged_kind(&a.kind, &b.kind)
                {
                    let merged = self.number(kind);
                    if let Ok(reads) = self.reads(merged) {
                        nodes[second].writes.iter().for_each(|v| writer[v.index()] = first);
                        nodes[first] = self.node(&self.known[merged].kind, reads);
                        left.remove(j);
                        // Kernels that did not fit before may fit the merged one.
                        j = i + 1;
                        continue;
                    }
                }
                j += 1;
            }
            i += 1;
        }
        let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
        left.into_iter().filter_map(|i| nodes[i].take()).collect()
    }

    /// Whether two kernels as one may take few enough buffers. Each of them is expanded as before where they are one, but for what
    /// the other one writes; so this says no only where the expansion would.
    fn few_buffers(&self, a: &Node, b: &Node) -> bool {
        let made = |v: &ValueId| a.writes.contains(v) || b.writes.contains(v);
        // Arguments may share buffers, values with memory do not.
        let reads = a.reads.union(&b.reads).filter(|v| self.memory[v.index()] && !made(v)).count();
        reads + a.writes.len() + b.writes.len() <= MAX_BUFFERS
    }

    /// Whether one of two kernels is rematerialized for the backward pass and the other belongs to the forward pass.
    fn brings_back(&self, a: &Node, b: &Node) -> bool {
        let ops = |n: &Node, is: &dyn Fn(&OpData) -> bool| {
            n.writes.iter().filter_map(|&v| self.func.def_op(v)).any(|o| is(self.func.op(o)))
        };
        let rematerialized = |n: &Node| ops(n, &|o| o.is_rematerialized());
        let forward = |n: &Node| ops(n, &|o| o.phase == Phase::Forward);
        rematerialized(a) && forward(b) || forward(a) && rematerialized(b)
    }

    fn shares(&self, a: &Node, b: &Node) -> bool {
        let space = match &a.kind {
            Kind::Rows { space, .. } => space.iter().product::<u64>(),
            Kind::Columns { of, .. } => of.iter().product::<u64>(),
            _ => return false,
        };
        let big = |v: &&ValueId| self.func.ty(**v).elements() * 2 >= space;
        a.reads.intersection(&b.reads).any(|v| big(&v)) || a.writes.intersection(&b.reads).next().is_some()
    }
}

/// Whether a kernel of sums of one type may end with a result of the other: if both are computed in one, or if sums of integers
/// become floats, as where they are dequantised.
fn may_become(sums: DType, result: DType) -> bool {
    let [from, to] = [sums, result].map(DType::computed);
    from == to || (from, to) == (DType::I32, DType::F32)
}

/// The most buffers that a fused kernel takes.
const MAX_BUFFERS: usize = 24;

/// Whether two kernels pass over the same space in the same way.
fn alike(a: &Kind, b: &Kind) -> bool {
    match (a, b) {
        (Kind::Rows { space: s, .. }, Kind::Rows { space: t, .. }) => s == t,
        (Kind::Columns { of: s, dims: d, .. }, Kind::Columns { of: t, dims: e, .. }) => s == t && d == e,
        _ => false,
    }
}

/// The kernel with the roots of two kernels that are [`alike`].
fn merged_kind(a: &Kind, b: &Kind) -> Option<Kind> {
    match (a, b) {
        (Kind::Rows { space, roots: x }, Kind::Rows { roots: y, .. }) => {
            Some(Kind::Rows { space: space.clone(), roots: [&x[..], y].concat() })
        }
        (Kind::Columns { of, dims, roots: x }, Kind::Columns { roots: y, .. }) => {
            Some(Kind::Columns { of: of.clone(), dims: dims.clone(), roots: [&x[..], y].concat() })
        }
        _ => None,
    }
}

/// Whether one of two column reductions reads what the other one writes. A column reduction passes over its columns
/// once, so in one kernel the second could not wait for the first. Row kernels pass over a row several times, so they
/// can.
fn between_columns(a: &Node, b: &Node) -> bool {
    let reads = |x: &Node, y: &Node| x.reads.intersection(&y.writes).next().is_some();
    matches!(a.kind, Kind::Columns { .. }) && (reads(a, b) || reads(b, a))
}

/// Whether some third kernel lies on a path between two, in either direction; `writer` says by value which kernel writes it, if one
/// does.
fn path_through_others(nodes: &[Node], writer: &[usize], a: usize, b: usize) -> bool {
    let sources =
        |n: usize| nodes[n].reads.iter().map(|v| writer[v.index()]).filter(move |&m| m != usize::MAX && m != n);
    let reaches = |from: usize, to: usize| {
        let mut seen = vec![false; nodes.len()];
        let mut work: Vec<usize> = sources(to).filter(|&m| m != from).collect();
        while let Some(n) = work.pop() {
            if n == from {
                return true;
            }
            if !std::mem::replace(&mut seen[n], true) {
                work.extend(sources(n));
            }
        }
        false
    };
    reaches(a, b) || reaches(b, a)
}

/// Whether a value depends on constants alone.
fn constant(func: &Func, v: ValueId) -> bool {
    let mut work = vec![v];
    let mut budget = 64;
    while let Some(x) = work.pop() {
        let Some(o) = func.def_op(x) else { return false };
        budget -= 1;
        if budget == 0 || func.op(o).op.is_anchor() {
            return false;
        }
        work.extend(&func.op(o).operands);
    }
    true
}

/// Kernels in an order in which every value is written before it is read. Of the kernels that are ready, the earliest
/// in the program comes first.
fn order(nodes: Vec<Node>) -> Vec<Node> {
    let mut writer: FxHashMap<ValueId, usize> = FxHashMap::default();
    for (i, n) in nodes.iter().enumerate() {
        writer.extend(n.writes.iter().map(|&v| (v, i)));
    }
    let mut readers: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut waits: Vec<usize> = Vec::with_capacity(nodes.len());
    for (i, n) in nodes.iter().enumerate() {
        let mut sources: Vec<usize> =
            n.reads.iter().filter_map(|v| writer.get(v).copied()).filter(|&w| w != i).collect();
        sources.sort_unstable();
        sources.dedup();
        sources.iter().for_each(|&s| readers[s].push(i));
        waits.push(sources.len());
    }
    let mut left: BTreeSet<(usize, usize)> = nodes.iter().enumerate().map(|(i, n)| (n.order, i)).collect();
    let mut ready: BTreeSet<(usize, usize)> = left.iter().copied().filter(|x| waits[x.1] == 0).collect();
    let mut out = Vec::with_capacity(nodes.len());
    let mut nodes: Vec<Option<Node>> = nodes.into_iter().map(Some).collect();
    while let Some(&next) = ready.first().or_else(|| left.first()) {
        left.remove(&next);
        ready.remove(&next);
        for &r in &readers[next.1] {
            waits[r] -= 1;
            let reader = nodes[r].as_ref().map(|n| (n.order, r));
            ready.extend(reader.filter(|x| waits[r] == 0 && left.contains(x)));
        }
        out.extend(nodes[next.1].take());
    }
    out
}
