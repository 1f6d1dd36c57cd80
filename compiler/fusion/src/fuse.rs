//! Fusion: which values of a region get memory, and which kernel computes each of them.
//!
//! Contractions, composites, scatters, collectives and loops are kernels (or kernel sequences) of their own. Everything else is
//! computed where it is read, unless it cannot be: then it gets memory and becomes the root of a row kernel or a column
//! reduction. This is found by trying: expand every kernel, collect what stopped an expansion, give it memory, and repeat until
//! nothing stops. Memory is only ever added, so it ends.
//!
//! Two refinements follow: a contraction takes the elementwise chain behind it as its epilogue (as far as everything that leaves
//! the chain goes through one value, the *gate*), and kernels over the same space that read the same data are merged. Neither
//! brings what is rematerialized for the backward pass into a kernel of the forward pass, where it would be live all along.

use crate::dtype::kernel_dtype;
use crate::error::FusionError;
use crate::expand::{Affine, CoordinateMap, Expander, Stop, resolve};
use crate::facts::Facts;
use crate::storage::reads_row_major;
use crate::view::{BufId, Home, View};
use meshloom_ir::{Func, Op, OpData, OpId, Phase, RegionId, ValueId};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A kernel of a region, before it is a spec.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Roots over one space; with `cols`, the space has one more dim than the roots, along which they reduce.
    Rows { space: Vec<u64>, roots: Vec<ValueId> },
    /// Reductions of values of shape `of` over `dims`, which do not include the last dim.
    Columns { of: Vec<u64>, dims: Vec<usize>, roots: Vec<ValueId> },
    /// A contraction and the values of its epilogue that are stored; `inside` are all that it computes.
    Dot { op: OpId, stored: Vec<ValueId>, inside: BTreeSet<ValueId> },
    /// A reshape that strides cannot express: a copy over the operand's shape.
    Reflow { root: ValueId },
    /// A dense copy of a region argument that is a view with gaps where an op needs none.
    Dense { root: ValueId },
    /// Anything else, one op.
    Op(OpId),
}

#[derive(Clone, Debug)]
pub struct Node {
    pub kind: Kind,
    /// Values with memory that it reads.
    pub reads: BTreeSet<ValueId>,
    /// Values with memory that it writes.
    pub writes: BTreeSet<ValueId>,
    /// Place in the program of its first op, for the order of independent kernels.
    pub order: usize,
}

pub struct Fusion {
    /// In execution order.
    pub nodes: Vec<Node>,
    pub memory: BTreeSet<ValueId>,
}

struct Fuser<'a> {
    func: &'a Func,
    facts: &'a Facts<'a>,
    region: RegionId,
    /// Views of the region's arguments.
    args: &'a BTreeMap<ValueId, View>,
    memory: BTreeSet<ValueId>,
    /// Values of `memory`, as they came to it.
    given: Vec<ValueId>,
    /// What kernels were found to read.
    known: RefCell<BTreeMap<Kind, Known>>,
    position: BTreeMap<OpId, usize>,
    /// Latest anchor op, by position, that a value depends on; 0 is none.
    after: BTreeMap<ValueId, usize>,
    uses: BTreeMap<ValueId, usize>,
    /// Gates that turned out not to work.
    plain: BTreeSet<OpId>,
}

/// What an expansion of a kernel found. It holds until a value whose memory was asked for is given some.
struct Known {
    found: Result<BTreeSet<ValueId>, Stop>,
    asked: BTreeSet<ValueId>,
    /// How many values had memory when it was last seen to hold.
    as_of: usize,
}

/// Fuses one region (not the bodies inside it).
///
/// # Errors
/// An op that no kernel can compute.
pub fn fuse(
    func: &Func,
    facts: &Facts<'_>,
    region: RegionId,
    args: &BTreeMap<ValueId, View>,
) -> Result<Fusion, FusionError> {
    let ops = &func.region(region).ops;
    let position: BTreeMap<OpId, usize> = ops.iter().enumerate().map(|(i, &o)| (o, i + 1)).collect();
    let mut after: BTreeMap<ValueId, usize> = func.region(region).args.iter().map(|&a| (a, 0)).collect();
    let mut uses: BTreeMap<ValueId, usize> = BTreeMap::new();
    for &o in ops {
        let data = func.op(o);
        let mut latest = data.operands.iter().map(|v| after.get(v).copied().unwrap_or(0)).max().unwrap_or(0);
        if data.op.is_anchor() {
            latest = position[&o];
        }
        for &r in &data.results {
            after.insert(r, latest);
        }
        for &v in &data.operands {
            *uses.entry(v).or_default() += 1;
        }
    }
    let (memory, given, known, plain) = Default::default();
    let mut f = Fuser { func, facts, region, args, memory, given, known, position, after, uses, plain };
    f.seed();
    // Each round adds at least one value to the memory or one contraction to the plain ones.
    for _ in 0..=2 * func.values.len() + func.ops.len() {
        if let Some(nodes) = f.attempt()? {
            let nodes = order(f.merge(nodes));
            return Ok(Fusion { nodes, memory: f.memory });
        }
    }
    Err(f.error(ops.first().copied(), "fusion did not settle".into()))
}

impl Fuser<'_> {
    fn error(&self, op: Option<OpId>, message: String) -> FusionError {
        FusionError { message, span: op.map(|o| self.func.op(o).span).unwrap_or_default() }
    }

    /// Gives a value memory; says whether it had none.
    fn give(&mut self, v: ValueId) -> bool {
        let new = self.memory.insert(v);
        if new {
            self.given.push(v);
        }
        new
    }

    /// The view of a value that has memory. Buffers are not assigned yet, so the value's number stands for its buffer; strides
    /// are the real ones.
    fn view(&self, v: ValueId) -> Option<View> {
        if !self.memory.contains(&v) {
            return self.args.get(&v).cloned();
        }
        let home = Home::fixed(BufId(usize::MAX - v.index()));
        Some(View { home, offset: 0, strides: self.facts.storage.strides(v), shard: None })
    }

    /// Gives memory to `v`, or to the value that it is a view of. Returns whether anything changed.
    fn require(&mut self, v: ValueId) -> bool {
        if resolve(self.func, v, &|x| self.view(x), None).is_some() {
            return false;
        }
        let mut at = v;
        while let Some(o) = self.func.def_op(at) {
            let viewing = matches!(
                self.func.op(o).op,
                Op::Slice { .. }
                    | Op::Transpose { .. }
                    | Op::Broadcast { .. }
                    | Op::Reshape { .. }
                    | Op::Windows { .. }
                    | Op::ShardSlice { .. }
                    | Op::Constrain(_)
            );
            if !viewing || self.view(at).is_some() {
                break;
            }
            at = self.func.op(o).operands[0];
        }
        // The base has memory and the views still do not compose: `v` itself is copied.
        let target = if self.view(at).is_some() { v } else { at };
        self.give(target)
    }

    /// Memory that ops need whatever fusion does.
    fn seed(&mut self) {
        for &o in &self.func.region(self.region).ops {
            let data = self.func.op(o);
            if data.op.is_anchor() && !matches!(data.op, Op::DotGeneral(_)) {
                data.results.iter().for_each(|&r| {
                    self.give(r);
                });
            }
            self.memory.extend(data.results.iter().filter(|v| self.facts.once.contains(v)));
            // A scalar that larger values read is computed once.
            if let Op::Broadcast { .. } = data.op {
                let x = data.operands[0];
                let computed = self.func.def_op(x).is_some_and(|p| matches!(self.func.op(p).op, Op::Elem(_)));
                if self.func.ty(x).rank() == 0 && computed && !constant(self.func, x) {
                    self.give(x);
                }
            }
        }
    }

    /// Dense operands are copied when they are views with gaps.
    fn require_dense(&mut self, v: ValueId) -> bool {
        if self.require(v) {
            return true;
        }
        match resolve(self.func, v, &|x| self.view(x), None) {
            Some((view, _)) if view.is_dense(&self.func.ty(v).shape) => false,
            _ => self.give(v),
        }
    }

    /// Contractions read any strides, but from a place that is the same on every device.
    fn require_placed(&mut self, v: ValueId) -> bool {
        if self.require(v) {
            return true;
        }
        match resolve(self.func, v, &|x| self.view(x), None) {
            Some((view, _)) if view.shard.is_none() => false,
            _ => self.give(v),
        }
    }

    /// Operands that attention reads in place: the last dim contiguous, no device-dependent offset.
    fn require_rows(&mut self, v: ValueId) -> bool {
        if self.require(v) {
            return true;
        }
        match resolve(self.func, v, &|x| self.view(x), None) {
            Some((view, _)) if view.shard.is_none() && view.strides.last().is_none_or(|&s| s == 1) => false,
            _ => self.give(v),
        }
    }

    /// One try: all kernels of the region, or `None` when something was given memory.
    fn attempt(&mut self) -> Result<Option<Vec<Node>>, FusionError> {
        let ops = self.func.region(self.region).ops.clone();
        let mut changed = false;
        for y in self.func.region(self.region).yields.clone() {
            changed |= self.require(y);
        }
        for &o in &ops {
            let data = self.func.op(o);
            for &v in &data.operands {
                changed |= match &data.op {
                    Op::DotGeneral(_) => self.require_placed(v),
                    Op::Pad { .. } | Op::Concatenate { .. } | Op::Repeat { .. } => self.require(v),
                    Op::Composite { .. } => self.require_rows(v),
                    op if reads_row_major(op) => self.require_dense(v),
                    _ => false,
                };
            }
        }
        if changed {
            return Ok(None);
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut taken: BTreeSet<ValueId> = BTreeSet::new();
        for &root in self.args.keys().filter(|a| self.memory.contains(a)) {
            nodes.push(self.node(Kind::Dense { root }));
        }
        for &o in &ops {
            let data = self.func.op(o);
            if !matches!(data.op, Op::DotGeneral(_)) {
                continue;
            }
            let d = data.results[0];
            let (gate, inside) =
                if self.plain.contains(&o) { (d, BTreeSet::from([d])) } else { self.epilogue(o, &taken) };
            if !self.uses.contains_key(&d) && !self.memory.contains(&d) {
                continue; // dead
            }
            changed |= self.give(gate);
            let mut stored: Vec<ValueId> = inside.iter().copied().filter(|v| self.memory.contains(v)).collect();
            stored.retain(|&v| v != gate);
            stored.insert(0, gate);
            taken.extend(&inside);
            nodes.push(self.node(Kind::Dot { op: o, stored, inside }));
        }
        if changed {
            return Ok(None);
        }
        for &o in &ops {
            let data = self.func.op(o);
            if data.op.is_anchor() {
                if !matches!(data.op, Op::DotGeneral(_)) {
                    nodes.push(self.node(Kind::Op(o)));
                }
                continue;
            }
            for &v in &data.results {
                if self.memory.contains(&v) && !taken.contains(&v) {
                    match self.root(o, v) {
                        Ok(kind) => nodes.push(self.node(kind)),
                        Err(Stop::Materialize(w)) => changed |= self.materialize(w, o)?,
                        Err(Stop::Fail(m)) => return Err(self.error(Some(o), m)),
                    }
                }
            }
        }
        for n in &mut nodes {
            match self.reads(&n.kind) {
                Ok(reads) => n.reads = reads,
                Err(Stop::Materialize(w)) => {
                    if let Kind::Dot { op, inside, .. } = &n.kind
                        && inside.contains(&w)
                    {
                        changed |= self.plain.insert(*op);
                    } else {
                        changed |= self.materialize(w, ops[n.order.saturating_sub(1).min(ops.len() - 1)])?;
                    }
                }
                Err(Stop::Fail(m)) => return Err(self.error(ops.get(n.order.saturating_sub(1)).copied(), m)),
            }
        }
        Ok((!changed).then_some(nodes))
    }

    fn materialize(&mut self, v: ValueId, at: OpId) -> Result<bool, FusionError> {
        if self.require(v) || self.give(v) {
            return Ok(true);
        }
        let name = self.func.def_op(v).map_or("an argument", |o| self.func.op(o).op.name());
        Err(self.error(Some(at), format!("no kernel reads the result of `{name}` here")))
    }

    fn node(&self, kind: Kind) -> Node {
        let (writes, order): (BTreeSet<ValueId>, usize) = match &kind {
            Kind::Rows { roots, .. } | Kind::Columns { roots, .. } => {
                let at = roots.iter().filter_map(|&v| self.func.def_op(v)).map(|o| self.position[&o]).min();
                (roots.iter().copied().collect(), at.unwrap_or(0))
            }
            Kind::Dot { op, stored, .. } => (stored.iter().copied().collect(), self.position[op]),
            Kind::Dense { root } => ([*root].into(), 0),
            Kind::Reflow { root } => ([*root].into(), self.func.def_op(*root).map_or(0, |o| self.position[&o])),
            Kind::Op(o) => (self.func.op(*o).results.iter().copied().collect(), self.position[o]),
        };
        Node { kind, reads: BTreeSet::new(), writes, order }
    }

    /// The elementwise chain behind a contraction: the last value through which everything passes, and what is computed up to
    /// it. What else the chain reads must be known before the contraction runs.
    fn epilogue(&self, op: OpId, taken: &BTreeSet<ValueId>) -> (ValueId, BTreeSet<ValueId>) {
        let d = self.func.op(op).results[0];
        let ty = self.func.ty(d).clone();
        let mut inside = BTreeSet::from([d]);
        let mut open: BTreeMap<ValueId, usize> = BTreeMap::from([(d, self.uses.get(&d).copied().unwrap_or(0))]);
        let mut best = (d, inside.clone());
        let at = self.position[&op];
        for &o in &self.func.region(self.region).ops[at..] {
            let data = self.func.op(o);
            if !data.operands.iter().any(|v| inside.contains(v)) {
                continue;
            }
            let result = data.results.first().copied();
            let eligible = matches!(data.op, Op::Elem(_) | Op::Convert { .. })
                && (!data.is_rematerialized() || self.func.op(op).is_rematerialized())
                && result.is_some_and(|r| self.func.ty(r).shape == ty.shape && !taken.contains(&r))
                && data.operands.iter().all(|v| inside.contains(v) || self.after.get(v).copied().unwrap_or(0) < at)
                && inside.len() < 48;
            let (true, Some(r)) = (eligible, result) else { break };
            for v in &data.operands {
                if let Some(n) = open.get_mut(v) {
                    *n -= 1;
                }
            }
            inside.insert(r);
            open.insert(r, self.uses.get(&r).copied().unwrap_or(0));
            let others: usize = open.iter().filter(|x| *x.0 != r).map(|x| x.1).sum();
            if others == 0 && same_sums(self.func.ty(r).dtype, ty.dtype) {
                best = (r, inside.clone());
            }
        }
        best
    }

    /// The kernel of a root that is not a contraction's.
    fn root(&self, o: OpId, v: ValueId) -> Result<Kind, Stop> {
        let data = self.func.op(o);
        let shape = self.func.ty(v).shape.clone();
        if let Op::Reduce { dims, .. } = &data.op {
            let of = self.func.ty(data.operands[0]).shape.clone();
            if dims.last() == Some(&(of.len() - 1)) {
                return Ok(Kind::Rows { space: of, roots: vec![v] });
            }
            return Ok(Kind::Columns { of, dims: dims.clone(), roots: vec![v] });
        }
        if let Op::Reshape { .. } = data.op {
            let x = data.operands[0];
            if self.view(x).is_some() {
                return Ok(Kind::Reflow { root: v });
            }
        }
        let space = if shape.is_empty() { vec![1] } else { shape.clone() };
        let direct = Kind::Rows { space, roots: vec![v] };
        match self.reads(&direct) {
            Ok(_) => Ok(direct),
            // Per-row values of a reduction: one more dim to reduce along.
            Err(Stop::Materialize(w)) => {
                let reduced = self.func.def_op(w).filter(|&r| matches!(self.func.op(r).op, Op::Reduce { .. }));
                if let Some(r) = reduced
                    && let Some(&cols) = self.func.ty(self.func.op(r).operands[0]).shape.last()
                {
                    let mut space = shape;
                    space.push(cols);
                    let wide = Kind::Rows { space, roots: vec![v] };
                    if self.reads(&wide).is_ok() {
                        return Ok(wide);
                    }
                }
                Err(Stop::Materialize(w))
            }
            Err(e) => Err(e),
        }
    }

    /// What a kernel reads.
    fn reads(&self, kind: &Kind) -> Result<BTreeSet<ValueId>, Stop> {
        let now = self.given.len();
        if let Some(known) = self.known.borrow_mut().get_mut(kind)
            && self.given[known.as_of..].iter().all(|v| !known.asked.contains(v))
        {
            known.as_of = now;
            return known.found.clone();
        }
        let asked = RefCell::default();
        let found = self.expanded(kind, &asked);
        let known = Known { found: found.clone(), asked: asked.into_inner(), as_of: now };
        self.known.borrow_mut().insert(kind.clone(), known);
        found
    }

    /// Expands a kernel to learn what it reads; takes note of the values whose memory that depends on.
    fn expanded(&self, kind: &Kind, asked: &RefCell<BTreeSet<ValueId>>) -> Result<BTreeSet<ValueId>, Stop> {
        let view_of = |v: ValueId| {
            asked.borrow_mut().insert(v);
            self.view(v)
        };
        let base = |v: ValueId| resolve(self.func, v, &view_of, None).map(|x| x.1).ok_or(Stop::Materialize(v));
        match kind {
            Kind::Op(o) => self.func.op(*o).operands.iter().map(|&v| base(v)).collect(),
            Kind::Dense { .. } => Ok(BTreeSet::new()),
            Kind::Reflow { root } => {
                let o = self.func.def_op(*root).ok_or(Stop::Materialize(*root))?;
                Ok([base(self.func.op(o).operands[0])?].into())
            }
            Kind::Dot { op, stored, inside } => {
                let mut reads: BTreeSet<ValueId> =
                    self.func.op(*op).operands.iter().map(|&v| base(v)).collect::<Result<_, _>>()?;
                let d = self.func.op(*op).results[0];
                let mut x = Expander::new(self.func, &view_of, inside, &self.facts.rounded, &self.func.ty(d).shape);
                let map = x.leading(self.func.ty(d).rank());
                x.acc = Some((d, map.clone()));
                for &s in stored {
                    x.value(s, &map)?;
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

    /// What to write to memory so that a kernel that reads too many buffers becomes two: a value on the way to a root that is made of
    /// about half as many.
    fn halfway(&self, roots: &[ValueId], asked: &RefCell<BTreeSet<ValueId>>) -> Stop {
        let fail = || Stop::Fail("a kernel reads too many buffers".into());
        let [root] = roots else { return fail() };
        let operands = |v: ValueId| self.func.def_op(v).map_or(&[][..], |o| &self.func.op(o).operands[..]);
        let mut at = *root;
        loop {
            let inner = operands(at).iter().copied().filter(|v| !self.memory.contains(v));
            let Some((buffers, next)) = inner.map(|v| (self.behind(v, asked), v)).max_by_key(|x| x.0) else {
                return fail();
            };
            if buffers <= 1 {
                return fail();
            }
            let op = self.func.def_op(next).map(|o| &self.func.op(o).op);
            if buffers <= MAX_BUFFERS / 2 + 1 && matches!(op, Some(Op::Elem(_) | Op::Convert { .. })) {
                return Stop::Materialize(next);
            }
            at = next;
        }
    }

    /// How many values in memory a value is computed from.
    fn behind(&self, v: ValueId, asked: &RefCell<BTreeSet<ValueId>>) -> usize {
        let (mut seen, mut open, mut found) = (BTreeSet::from([v]), vec![v], 0);
        while let Some(v) = open.pop() {
            match self.func.def_op(v) {
                Some(o) if !self.memory.contains(&v) => {
                    open.extend(self.func.op(o).operands.iter().copied().filter(|&x| seen.insert(x)));
                }
                _ => found += 1,
            }
        }
        asked.borrow_mut().extend(seen);
        found
    }

    /// Merges kernels over the same space that share data or follow one another, where no path through a third kernel forbids it.
    fn merge(&self, mut nodes: Vec<Node>) -> Vec<Node> {
        nodes.sort_by_key(|n| n.order);
        let mut writer: BTreeMap<ValueId, usize> = BTreeMap::new();
        for (i, n) in nodes.iter().enumerate() {
            writer.extend(n.writes.iter().map(|&v| (v, i)));
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
                    && !path_through_others(&nodes, &writer, first, second)
                    && let Some(kind) = merged_kind(&a.kind, &b.kind)
                    && let Ok(reads) = self.reads(&kind)
                {
                    writer.extend(b.writes.iter().map(|&v| (v, first)));
                    nodes[first] = Node { reads, ..self.node(kind) };
                    left.remove(j);
                    // What came before may fit now.
                    j = i + 1;
                    continue;
                }
                j += 1;
            }
            i += 1;
        }
        left.into_iter().map(|i| nodes[i].clone()).collect()
    }

    /// Whether one of two kernels rematerializes what the other one's time has no use for.
    fn brings_back(&self, a: &Node, b: &Node) -> bool {
        let ops = |n: &Node, is: &dyn Fn(&OpData) -> bool| {
            n.writes.iter().filter_map(|&v| self.func.def_op(v)).any(|o| is(self.func.op(o)))
        };
        let again = |n: &Node| ops(n, &|o| o.is_rematerialized());
        let forward = |n: &Node| ops(n, &|o| o.phase == Phase::Forward);
        again(a) && forward(b) || forward(a) && again(b)
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

/// Whether sums of two types are taken in the same one.
fn same_sums(a: meshloom_ir::DType, b: meshloom_ir::DType) -> bool {
    kernel_dtype(a).computed() == kernel_dtype(b).computed()
}

/// Most buffers that a fused kernel takes.
const MAX_BUFFERS: usize = 24;

/// Whether two kernels pass over the same space in the same way.
fn alike(a: &Kind, b: &Kind) -> bool {
    match (a, b) {
        (Kind::Rows { space: s, .. }, Kind::Rows { space: t, .. }) => s == t,
        (Kind::Columns { of: s, dims: d, .. }, Kind::Columns { of: t, dims: e, .. }) => s == t && d == e,
        _ => false,
    }
}

/// The kernel of the roots of two that are [`alike`].
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

/// Whether one of two column reductions reads what the other one writes: each passes over its columns once, so the second cannot
/// wait for the first in one kernel. Rows can: they are passed over again.
fn between_columns(a: &Node, b: &Node) -> bool {
    let reads = |x: &Node, y: &Node| x.reads.intersection(&y.writes).next().is_some();
    matches!(a.kind, Kind::Columns { .. }) && (reads(a, b) || reads(b, a))
}

/// Whether some third kernel lies on a path between two, in either direction; `writer` says which kernel writes a value.
fn path_through_others(nodes: &[Node], writer: &BTreeMap<ValueId, usize>, a: usize, b: usize) -> bool {
    let sources = |n: usize| nodes[n].reads.iter().filter_map(|v| writer.get(v).copied()).filter(move |&m| m != n);
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

/// The space of a column reduction (kept dims but the last, reduced dims, last dim) and the coordinates of the reduced value.
pub fn column_space(of: &[u64], dims: &[usize]) -> (Vec<u64>, CoordinateMap) {
    let last = of.len() - 1;
    let mut order: Vec<usize> = (0..last).filter(|d| !dims.contains(d)).collect();
    order.extend(dims);
    order.push(last);
    let space: Vec<u64> = order.iter().map(|&d| of[d]).collect();
    let map = (0..of.len()).map(|d| Affine::dim(of.len(), order.iter().position(|&x| x == d).unwrap_or(0))).collect();
    (space, map)
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

/// Kernels in an order in which what is read has been written; among those that are ready, the earliest in the program.
fn order(nodes: Vec<Node>) -> Vec<Node> {
    let mut writer: BTreeMap<ValueId, usize> = BTreeMap::new();
    for (i, n) in nodes.iter().enumerate() {
        for &v in &n.writes {
            writer.insert(v, i);
        }
    }
    let mut waits: Vec<BTreeSet<usize>> = nodes
        .iter()
        .enumerate()
        .map(|(i, n)| n.reads.iter().filter_map(|v| writer.get(v).copied()).filter(|&w| w != i).collect())
        .collect();
    let mut left: BTreeSet<(usize, usize)> = nodes.iter().enumerate().map(|(i, n)| (n.order, i)).collect();
    let mut out = Vec::with_capacity(nodes.len());
    while let Some(&(at, i)) = left.iter().find(|x| waits[x.1].is_empty()).or_else(|| left.first()) {
        left.remove(&(at, i));
        for w in &mut waits {
            w.remove(&i);
        }
        out.push(nodes[i].clone());
    }
    out
}
