//! How a step reads its inputs: for each op of the forward pass that takes a parameter, in which layout it takes it, what it contracts,
//! and how far the split that it makes goes on before a device needs something of another one.
//!
//! It is read off the finished local program, whose values have layouts, as [`crate::explain`] is. A parameter is followed through what
//! moves its elements (gathers, casts, transposes, slices of a loop over layers) to the ops that compute with it. By these reads a
//! parameter is one of a column-parallel or row-parallel layer, of a table, or one that is gathered before it is used.
//!
//! Not here: the words that other stacks have for it (`export`).

use crate::Plan;
use meshloom_ir::layout::Slot;
use meshloom_ir::{Axis, Func, Layout, Op, OpId, Phase, RegionId, Role, Span, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// One op of the forward pass that computes with an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterRead {
    /// The input of the step.
    pub input: usize,
    pub kind: ReadKind,
    /// Dims of the input that the op sums over.
    pub contracted: Vec<usize>,
    /// How the op takes it: for each dim of the input the axes that split it there.
    pub layout: Vec<Vec<Axis>>,
    /// Axes over which it was gathered on the way.
    pub gathered: BTreeSet<Axis>,
    /// The layout of the operand that it is computed with, and of the result.
    pub with: Layout,
    pub result: Layout,
    /// Elements of the result on one device, and their type's bytes.
    pub result_bytes: u64,
    /// For each axis that splits the result by a dim of the input: where that split ends.
    pub ends: Vec<End>,
    /// Of an elementwise read: nothing but contractions with inputs takes the result in the forward pass, so that it is no part of a sum
    /// that goes on.
    pub only_contracted: bool,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadKind {
    Contraction,
    /// Rows of a table by index.
    Lookup,
    /// Entry by entry, along some dims of the other operand.
    Elementwise,
}

impl ReadKind {
    pub fn name(self) -> &'static str {
        match self {
            ReadKind::Contraction => "contraction",
            ReadKind::Lookup => "lookup",
            ReadKind::Elementwise => "elementwise",
        }
    }
}

/// Where the split of a result over an axis ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    pub axis: Axis,
    /// Inputs whose contraction sums over it: row-parallel layers behind this one.
    pub contracted_with: BTreeSet<usize>,
    /// Ops that reduce it without an input: the sums of a softmax.
    pub reduced: bool,
    /// Collectives over the axis that take it.
    pub exchanged: bool,
}

/// How often a step gathers an input over an axis, in copies of the whole input, rounded up.
pub type Gathers = BTreeMap<(usize, Axis), u64>;

/// An op of a program, local or global, that computes with an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    pub op: OpId,
    /// Which operand is the input, and for each of its dims the input's dim that it is of.
    pub operand: usize,
    pub dims: Vec<Option<usize>>,
    pub read: ParameterRead,
}

/// All reads of the forward pass, in the order of the program, and how often inputs are gathered. `is_backward` says of a place whether
/// it is of the backward pass, for programs whose ops do not.
pub fn reads(plan: &Plan, is_backward: &dyn Fn(Span) -> bool) -> (Vec<ParameterRead>, Gathers) {
    let (sites, gathers) = sites(&plan.local, is_backward);
    (sites.into_iter().map(|s| s.read).collect(), gathers)
}

/// The same with the ops. In a global program nothing has a layout yet, and nothing is gathered.
pub fn sites(func: &Func, is_backward: &dyn Fn(Span) -> bool) -> (Vec<Site>, Gathers) {
    let mut walk = Walk {
        func,
        is_backward,
        from: BTreeMap::new(),
        users: users(func),
        sites: Vec::new(),
        gathered: BTreeMap::new(),
    };
    for (i, (port, &v)) in func.inputs.iter().zip(&func.body().args).enumerate() {
        if matches!(port.role, Role::Parameter | Role::State) && !func.ty(v).shape.is_empty() {
            let dims = (0..func.ty(v).shape.len()).map(Some).collect();
            walk.from.insert(v, From { input: i, dims, gathered: BTreeSet::new() });
        }
    }
    walk.region(Func::BODY, 1);
    let size = |i: usize| func.ty(func.body().args[i]).shape.iter().product::<u64>().max(1);
    let share = |i: usize, a: Axis| func.value(func.body().args[i]).layout.as_ref().map_or(1, |l| split_by(l, a, func));
    let rounded = |((i, a), n): ((usize, Axis), u64)| ((i, a), n.div_ceil(size(i).saturating_mul(share(i, a)).max(1)));
    let gathers = std::mem::take(&mut walk.gathered).into_iter().map(rounded).collect();
    let mut sites = std::mem::take(&mut walk.sites);
    for site in &mut sites {
        site.read.ends = walk.ends(site.op, &site.read);
        site.read.only_contracted = site.read.kind == ReadKind::Elementwise && walk.only_contracted(site.op);
    }
    (sites, gathers)
}

/// Blocks in which an axis splits a layout.
fn split_by(l: &Layout, a: Axis, func: &Func) -> u64 {
    if matches!(l.slot(a), Slot::Split(_)) { func.mesh.size(a) } else { 1 }
}

/// A value that has the elements of an input in another order or layout.
#[derive(Clone)]
struct From {
    input: usize,
    /// For each dim the input's dim that it is of, or a part of; none for one that was broadcast.
    dims: Vec<Option<usize>>,
    gathered: BTreeSet<Axis>,
}

struct Walk<'a> {
    func: &'a Func,
    is_backward: &'a dyn Fn(Span) -> bool,
    from: BTreeMap<ValueId, From>,
    users: Vec<Vec<OpId>>,
    sites: Vec<Site>,
    /// Elements that gathers gave.
    gathered: Gathers,
}

impl Walk<'_> {
    fn region(&mut self, region: RegionId, times: u64) {
        let func = self.func;
        for &o in &func.region(region).ops {
            let data = func.op(o);
            match &data.op {
                Op::Repeat { trip, carries, xs, .. } => {
                    self.enter(o, *carries..*carries + *xs);
                    self.region(data.regions[0], times.saturating_mul((*trip).max(1)));
                }
                Op::Composite { .. } => {
                    self.enter(o, 0..0);
                    self.region(data.regions[0], times);
                }
                _ => self.op(o, times),
            }
        }
    }

    /// Arguments of a body are the operands; of those in `sliced` one entry of dim 0.
    fn enter(&mut self, o: OpId, sliced: std::ops::Range<usize>) {
        let func = self.func;
        let data = func.op(o);
        for (i, (v, &arg)) in data.operands.iter().zip(&func.region(data.regions[0]).args).enumerate() {
            if let Some(mut f) = self.from.get(v).cloned() {
                if sliced.contains(&i) && !f.dims.is_empty() {
                    f.dims.remove(0);
                }
                self.from.insert(arg, f);
            }
        }
    }

    fn op(&mut self, o: OpId, times: u64) {
        let func = self.func;
        let data = func.op(o);
        let mut known = data.operands.iter().enumerate().filter(|(_, v)| self.from.contains_key(v));
        let (Some((at, &v)), None, Some(&result)) = (known.next(), known.next(), data.results.first()) else { return };
        let f = self.from[&v].clone();
        if let Some(dims) = moved(&data.op, &f.dims, &self.shape(v), &self.shape(result)) {
            let mut f = From { dims, ..f };
            if let Op::AllGather { axes, .. } = &data.op {
                for &a in axes {
                    let n = func.ty(result).shape.iter().product::<u64>().saturating_mul(times);
                    *self.gathered.entry((f.input, a)).or_default() += n;
                    f.gathered.insert(a);
                }
            }
            self.from.insert(result, f);
            return;
        }
        let forward = data.phase == Phase::Forward && !(self.is_backward)(data.span) && !data.is_rematerialized();
        match &data.op {
            Op::DotGeneral(e) if forward => {
                let gone = e.operands[at].iter().zip(&f.dims).filter(|(c, _)| !e.result.contains(c));
                let contracted = gone.filter_map(|(_, d)| *d).collect();
                self.read(o, ReadKind::Contraction, at, contracted);
            }
            Op::Gather { .. } if forward && at == 0 => self.read(o, ReadKind::Lookup, at, Vec::new()),
            Op::Elem(_) if !f.dims.contains(&None) => {
                self.from.insert(result, f);
            }
            Op::Elem(_) if forward => self.read(o, ReadKind::Elementwise, at, Vec::new()),
            _ => {}
        }
    }

    fn read(&mut self, o: OpId, kind: ReadKind, at: usize, contracted: Vec<usize>) {
        let func = self.func;
        let data = func.op(o);
        let (v, result) = (data.operands[at], data.results[0]);
        let f = &self.from[&v];
        let rank = func.ty(func.body().args[f.input]).shape.len();
        let mut layout = vec![Vec::new(); rank];
        for (d, axes) in f.dims.iter().zip(&self.layout(v).dims) {
            if let Some(d) = d {
                layout[*d].extend(axes.iter().copied());
            }
        }
        let other = data.operands.iter().enumerate().find(|(i, _)| *i != at).map(|(_, v)| *v);
        let ty = func.ty(result);
        let read = ParameterRead {
            input: f.input,
            kind,
            contracted,
            layout,
            gathered: f.gathered.clone(),
            with: other.map_or_else(|| Layout::replicated(0), |v| self.layout(v)),
            result: self.layout(result),
            result_bytes: ty.shape.iter().product::<u64>().saturating_mul(ty.dtype.bytes()),
            ends: Vec::new(),
            only_contracted: false,
            span: data.span,
        };
        self.sites.push(Site { op: o, operand: at, dims: f.dims.clone(), read });
    }

    /// The shape of the tensor that a value is a shard of: a device may have one entry of a dim that has several.
    fn shape(&self, v: ValueId) -> Vec<u64> {
        let dims = self.layout(v).dims;
        let sizes = self.func.ty(v).shape.iter().zip(&dims);
        sizes.map(|(n, axes)| n.saturating_mul(self.func.mesh.group_size(axes))).collect()
    }

    fn layout(&self, v: ValueId) -> Layout {
        let value = self.func.value(v);
        value.layout.clone().unwrap_or_else(|| Layout::replicated(value.ty.shape.len()))
    }

    /// Where the splits of a contraction's result end that its parameter made.
    fn ends(&self, o: OpId, read: &ParameterRead) -> Vec<End> {
        if read.kind != ReadKind::Contraction {
            return Vec::new();
        }
        let kept = |d: &usize| !read.contracted.contains(d);
        let axes = (0..read.layout.len()).filter(kept).flat_map(|d| read.layout[d].iter().copied());
        let axes: BTreeSet<Axis> = axes.filter(|&a| matches!(read.result.slot(a), Slot::Split(_))).collect();
        axes.into_iter().map(|a| self.end(o, a)).collect()
    }

    fn end(&self, o: OpId, axis: Axis) -> End {
        let func = self.func;
        let mut end = End { axis, contracted_with: BTreeSet::new(), reduced: false, exchanged: false };
        let mut open: Vec<ValueId> = func.op(o).results.clone();
        let mut seen = BTreeSet::new();
        while let Some(v) = open.pop() {
            for &user in &self.users[v.index()] {
                let data = func.op(user);
                if data.phase != Phase::Forward || (self.is_backward)(data.span) || !seen.insert(user) {
                    continue;
                }
                if self.exchanges(user, axis) {
                    end.exchanged = true;
                    continue;
                }
                for &r in &data.results {
                    match (self.layout(r).slot(axis), &data.op) {
                        (Slot::Split(_), _) => open.push(r),
                        (_, Op::DotGeneral(_)) => match data.operands.iter().find_map(|x| self.from.get(x)) {
                            Some(f) => _ = end.contracted_with.insert(f.input),
                            None => end.reduced = true,
                        },
                        _ => end.reduced = true,
                    }
                }
            }
        }
        end
    }

    /// Whether all that comes of an op's result goes, moved or with another input entry by entry, into contractions with inputs.
    fn only_contracted(&self, o: OpId) -> bool {
        let func = self.func;
        let (mut open, mut found) = (func.op(o).results.clone(), false);
        while let Some(v) = open.pop() {
            if self.is_carried(v) {
                return false;
            }
            for &user in &self.users[v.index()] {
                let data = func.op(user);
                if data.phase != Phase::Forward || (self.is_backward)(data.span) {
                    continue;
                }
                let with_input = data.operands.iter().any(|x| self.from.contains_key(x));
                match &data.op {
                    Op::DotGeneral(_) if with_input => found = true,
                    Op::Elem(_) if with_input => open.extend(&data.results),
                    op if op.entry().group.is_some() || moved(op, &[], &[], &[]).is_some() => {
                        open.extend(&data.results)
                    }
                    _ => return false,
                }
            }
        }
        found
    }

    /// Whether a loop hands a value on to its next iteration.
    fn is_carried(&self, v: ValueId) -> bool {
        let Some(o) = self.func.def_op(v) else { return false };
        let region = self.func.region(self.func.op(o).parent);
        let owner = region.owner.map(|o| &self.func.op(o).op);
        let Some(Op::Repeat { carries, .. }) = owner else { return false };
        region.yields.iter().take(*carries).any(|y| *y == v)
    }

    /// Whether an op, or its body, moves something over an axis.
    fn exchanges(&self, o: OpId, axis: Axis) -> bool {
        let own = |o: OpId| {
            let op = &self.func.op(o).op;
            op.entry().group.is_some_and(|g| g.exchange.is_some() && (g.axes)(op).contains(&axis))
        };
        let mut bodies = self.func.op(o).regions.iter().flat_map(|&r| self.func.walk(r));
        own(o) || bodies.any(own)
    }
}

/// Where the dims of a result are from, if an op only moves elements; and of a collective, only puts blocks together.
fn moved(op: &Op, dims: &[Option<usize>], shape: &[u64], result: &[u64]) -> Option<Vec<Option<usize>>> {
    match op {
        Op::Convert { .. } | Op::Constrain(_) | Op::AllGather { .. } | Op::ShardSlice { .. } => Some(dims.to_vec()),
        Op::Slice { .. } | Op::CollectivePermute { .. } | Op::AllToAll { .. } => Some(dims.to_vec()),
        Op::Transpose { perm } => Some(perm.iter().map(|&d| dims.get(d).copied().flatten()).collect()),
        Op::Broadcast { shape, dims: to } => {
            let mut out = vec![None; shape.len()];
            to.iter().zip(dims).for_each(|(&t, d)| out[t] = *d);
            Some(out)
        }
        Op::Reshape { .. } => Some(reshaped(dims, shape, result)),
        _ => None,
    }
}

/// Groups of dims with equal products belong together: each dim of the result is of the first dim of its group that has one.
fn reshaped(dims: &[Option<usize>], shape: &[u64], result: &[u64]) -> Vec<Option<usize>> {
    let mut out = vec![None; result.len()];
    let (mut i, mut j) = (0, 0);
    while i < shape.len() && j < result.len() {
        let (from, to) = (i, j);
        let (mut a, mut b) = (shape[i], result[j]);
        (i, j) = (i + 1, j + 1);
        while a != b {
            if a < b && i < shape.len() {
                (a, i) = (a.saturating_mul(shape[i]), i + 1);
            } else if b < a && j < result.len() {
                (b, j) = (b.saturating_mul(result[j]), j + 1);
            } else {
                return out;
            }
        }
        let of = (from..i).filter(|&k| shape[k] > 1).find_map(|k| dims[k]);
        out[to..j].iter_mut().zip(&result[to..]).filter(|(_, n)| **n > 1).for_each(|(d, _)| *d = of);
    }
    out
}

/// By value: the ops that read it.
fn users(func: &Func) -> Vec<Vec<OpId>> {
    let mut out = vec![Vec::new(); func.values.len()];
    for o in func.walk(Func::BODY) {
        for v in &func.op(o).operands {
            out[v.index()].push(o);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::reshaped;

    #[test]
    fn dims_of_a_reshape_are_those_of_their_group() {
        assert_eq!(reshaped(&[Some(0), Some(1)], &[16, 32], &[2, 8, 32]), [Some(0), Some(0), Some(1)]);
        assert_eq!(reshaped(&[Some(0), None], &[4, 1], &[1, 4]), [None, Some(0)]);
        assert_eq!(reshaped(&[Some(1), Some(2)], &[8, 6], &[48]), [Some(1)]);
        assert_eq!(reshaped(&[None, None, Some(0)], &[1, 1, 32], &[32]), [Some(0)]);
    }
}
