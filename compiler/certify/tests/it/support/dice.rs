//! A random planner: any layout at any value, any legal local form of any op, with random reshards. Its plans are poor
//! and legal, so they cover much of what the checker may see. The checker must accept all of them, and refuse every
//! mutant of them that computes something else.

use super::Rng;
use meshloom_certify::{Certificate, Claim, Classes, Form, Step, TermId, classes};
use meshloom_ir::layout::Slot;
use meshloom_ir::table::{self, Local, region::body_factors, region::composite_dims};
use meshloom_ir::*;
use std::collections::BTreeMap;

pub struct Plan {
    pub global: Func,
    pub local: Func,
    pub cert: Certificate,
}

impl Plan {
    /// The program that claims and steps are about.
    pub fn program(&self) -> &Func {
        self.cert.form.as_ref().map_or(&self.global, |f| &f.func)
    }

    /// What is equal in it.
    pub fn classes(&self) -> Classes {
        match &self.cert.form {
            Some(form) => classes(&self.global, form).expect("a form that holds"),
            None => Classes::new(&self.global),
        }
    }
}

/// A random plan of `global`.
pub fn plan(global: &Func, seed: u64) -> Plan {
    made(global, &Classes::new(global), seed)
}

/// A random plan of a rewritten program: whatever reads a tensor reads any that the form says is equal.
pub fn rewritten(global: &Func, form: &Form, seed: u64) -> Plan {
    let classes = classes(global, form).unwrap_or_else(|e| panic!("{}: {e}", global.name));
    believing(global, form, &classes, seed)
}

/// The same where the form need not hold, for one who takes these classes to be equal.
pub fn believing(global: &Func, form: &Form, classes: &Classes, seed: u64) -> Plan {
    let mut p = made(&form.func, classes, seed);
    p.cert.form = Some(form.clone());
    p.global = global.clone();
    p
}

fn made(global: &Func, classes: &Classes, seed: u64) -> Plan {
    let mut d = Dice {
        g: global,
        members: members(global, classes),
        classes,
        b: Builder::new(global.name.clone(), global.mesh.clone()),
        rng: Rng::new(seed),
        claims: BTreeMap::new(),
        steps: BTreeMap::new(),
        shards: BTreeMap::new(),
    };
    d.program();
    let mut local = d.b.finish();
    for (i, value) in local.values.iter_mut().enumerate() {
        value.layout = Some(d.claims[&ValueId(i as u32)].layout.clone());
    }
    let claim = |v: usize| d.claims[&ValueId(v as u32)].clone();
    let values = (0..local.values.len()).map(claim).collect();
    let step = |o: usize| d.steps[&OpId(o as u32)].clone();
    let steps = (0..local.ops.len()).map(step).collect();
    Plan {
        global: global.clone(),
        cert: Certificate { mesh: global.mesh.clone(), cuts: Vec::new(), form: None, values, steps },
        local,
    }
}

/// By tensor and region: the values that go by it there.
type Members = BTreeMap<(RegionId, TermId), Vec<ValueId>>;

fn members(g: &Func, classes: &Classes) -> Members {
    let mut out = Members::new();
    for v in (0..g.values.len() as u32).map(ValueId) {
        if let Some(class) = classes.class(v) {
            out.entry((region_of(g, v), class)).or_default().push(v);
        }
    }
    out
}

fn region_of(g: &Func, v: ValueId) -> RegionId {
    match g.value(v).def {
        Def::Op(o, _) => g.op(o).parent,
        Def::Arg(r, _) => r,
    }
}

struct Dice<'a> {
    g: &'a Func,
    classes: &'a Classes,
    members: Members,
    b: Builder,
    rng: Rng,
    claims: BTreeMap<ValueId, Claim>,
    steps: BTreeMap<OpId, Step>,
    /// A local shard of each global value met so far.
    shards: BTreeMap<ValueId, ValueId>,
}

impl Dice<'_> {
    fn program(&mut self) {
        let g = self.g;
        let mut layouts = Vec::new();
        for (&v, port) in g.body().args.iter().zip(&g.inputs) {
            let layout = self.layout_for(v, &port.constraint);
            let ty = self.local_type(v, &layout);
            let l = self.b.input(ty, port.clone());
            self.set(l, v, layout.clone());
            layouts.push(layout);
        }
        self.ops(Func::BODY);
        for (&v, port) in g.body().yields.iter().zip(&g.outputs) {
            let layout = match port.updates {
                Some(i) => layouts[i].clone(),
                None => self.layout_for(v, &port.constraint),
            };
            let shard = self.shard(v);
            let out = self.reshard(shard, &layout);
            self.b.output(out, port.clone());
        }
    }

    fn local_type(&self, v: ValueId, layout: &Layout) -> TensorType {
        let ty = self.g.ty(v);
        let shape = layout.local_shape(&ty.shape, &self.g.mesh);
        TensorType::new(ty.dtype, shape.expect("a layout of the value"))
    }

    fn set(&mut self, local: ValueId, global: ValueId, layout: Layout) {
        self.claims.insert(local, Claim { global, layout });
        self.shards.insert(global, local);
    }

    /// A random layout that satisfies a constraint.
    fn layout_for(&mut self, v: ValueId, c: &Constraint) -> Layout {
        let rank = self.g.ty(v).rank();
        let mut l = Layout::replicated(rank);
        for (have, want) in l.dims.iter_mut().zip(&c.dims) {
            let (DimSpec::Exactly(a) | DimSpec::AtLeast(a)) = want;
            have.clone_from(a);
        }
        l.partial.clone_from(&c.partial);
        let open = |d: &DimSpec| matches!(d, DimSpec::AtLeast(_));
        let open: Vec<usize> = (0..rank).filter(|&d| open(&c.dims[d])).collect();
        self.sprinkle(v, l, &open)
    }

    /// `l` with some of its unused axes as minor axes of the dims `open`.
    fn sprinkle(&mut self, v: ValueId, mut l: Layout, open: &[usize]) -> Layout {
        let mut axes: Vec<Axis> = self.g.mesh.all_axes().collect();
        self.rng.shuffle(&mut axes);
        for a in axes {
            if l.slot(a) != Slot::Replicated || open.is_empty() || self.rng.chance(50) {
                continue;
            }
            let d = open[self.rng.below(open.len())];
            let more = l.with(a, Slot::Split(d));
            if more.local_shape(&self.g.ty(v).shape, &self.g.mesh).is_some() {
                l = more;
            }
        }
        l
    }

    /// A shard of `v`, or of a tensor equal to it in the same region.
    fn shard(&mut self, v: ValueId) -> ValueId {
        let known = self.known(v);
        self.shards[&self.rng.pick(&known)]
    }

    /// The values that are equal to `v` in its region, of which there are shards.
    fn known(&self, v: ValueId) -> Vec<ValueId> {
        let place = self.classes.class(v).map(|c| (region_of(self.g, v), c));
        let equal = place.and_then(|p| self.members.get(&p)).into_iter().flatten();
        equal.copied().filter(|m| self.shards.contains_key(m)).collect()
    }

    /// The ops of a region, in any order in which there are shards of what each reads.
    fn ops(&mut self, r: RegionId) {
        let g = self.g;
        let mut left = g.region(r).ops.clone();
        while !left.is_empty() {
            let reads = |o: OpId| g.op(o).operands.iter().all(|&x| !self.known(x).is_empty());
            let ready: Vec<usize> = (0..left.len()).filter(|&i| reads(left[i])).take(5).collect();
            let o = left.remove(self.rng.pick(&ready));
            match &g.op(o).op {
                Op::Constrain(c) => {
                    let layout = self.layout_for(g.op(o).results[0], c);
                    let shard = self.shard(g.op(o).operands[0]);
                    let l = self.reshard(shard, &layout);
                    self.shards.insert(g.op(o).results[0], l);
                }
                Op::Repeat { .. } => self.repeat(o),
                Op::Composite { .. } => self.composite(o),
                _ => self.plain(o),
            }
        }
    }

    /// A random legal assignment of a rule for operands that lie as in `at`: a sum can be made partial, a maximum is partial already.
    fn assignment(&mut self, rule: &FactorRule, at: &[Layout]) -> Assignment {
        let mut a = Assignment::default();
        let mut axes: Vec<Axis> = self.g.mesh.all_axes().collect();
        self.rng.shuffle(&mut axes);
        for axis in axes {
            let mut more = a.clone();
            if rule.sets() > 0 && self.rng.chance(25) {
                let set = self.rng.below(rule.sets());
                let there = |i: &usize, kind| at[*i].partial.get(&axis) == Some(&kind);
                if rule.set(set).is_some_and(|(k, s)| k == Reduction::Sum || s.iter().all(|i| there(i, k))) {
                    more.linear.insert(axis, set);
                }
            } else if !rule.sizes.is_empty() && !self.rng.chance(25) {
                let f = self.rng.below(rule.sizes.len());
                more.factors.entry(f).or_default().push(axis);
            }
            let layouts = (0..rule.operands.len()).map(|i| rule.operand_layout(&more, i));
            let mut all = layouts.chain((0..rule.results.len()).map(|i| rule.result_layout(&more, i)));
            // A value cannot be partial in two ways at once.
            let one_kind = all.all(|l| {
                let mut kinds = l.partial.values();
                kinds.next().is_none_or(|k| kinds.all(|x| x == k))
            });
            if one_kind && rule.admits(&more, &self.g.mesh) {
                a = more;
            }
        }
        a
    }

    fn plain(&mut self, o: OpId) {
        let g = self.g;
        let mut rule = table::factors(g, o).expect("an op of the table");
        let data = g.op(o);
        // A bool has no summands.
        if data.operands.iter().any(|&x| g.ty(x).dtype == DType::Bool) {
            rule.linear.clear();
        }
        let shards: Vec<ValueId> = data.operands.iter().map(|&x| self.shard(x)).collect();
        let at: Vec<Layout> = shards.iter().map(|v| self.claims[v].layout.clone()).collect();
        let a = self.assignment(&rule, &at);
        let operands: Vec<ValueId> =
            shards.iter().enumerate().map(|(i, &v)| self.reshard(v, &rule.operand_layout(&a, i))).collect();
        self.emit(o, &rule, a, &operands);
    }

    /// The local form of global op `o` under an assignment that its operands fit, once they are masked.
    fn emit(&mut self, o: OpId, rule: &FactorRule, a: Assignment, operands: &[ValueId]) {
        let result = self.g.op(o).results[0];
        let mut operands = operands.to_vec();
        for need in padding::needs(&self.g.op(o).op, rule, &a, &self.g.mesh) {
            let v = operands[need.operand];
            operands[need.operand] = self.one(v, need.mask(), &self.claims[&v].layout.clone());
        }
        let layout = rule.result_layout(&a, 0);
        let ty = self.local_type(result, &layout);
        let op = &self.g.op(o).op;
        let cx = Local { mesh: &self.g.mesh, rule, assignment: &a, result: &ty };
        let local = (table::def(op).expect("an op of the table").localize)(op, &cx);
        let l = self.b.op(local, &operands);
        self.done(Step::Op { global: o, assignment: a });
        self.set(l, result, layout);
    }

    /// Records the step of the op that was built last.
    fn done(&mut self, step: Step) {
        let o = OpId(self.b.func.ops.len() as u32 - 1);
        self.steps.insert(o, step);
    }

    fn composite(&mut self, o: OpId) {
        let g = self.g;
        let data = g.op(o);
        let dims = composite_dims(g, o);
        let a = self.assignment(&dims.rule, &[]);
        let operands: Vec<ValueId> = (0..data.operands.len())
            .map(|i| {
                let shard = self.shard(data.operands[i]);
                self.reshard(shard, &dims.rule.operand_layout(&a, i))
            })
            .collect();
        let region = g.region(data.regions[0]);
        let body = self.b.open();
        for (i, &arg) in region.args.iter().enumerate() {
            let ty = self.b.ty(operands[i]).clone();
            let l = self.b.arg(body, ty);
            self.set(l, arg, dims.rule.operand_layout(&a, i));
        }
        for &inner in &region.ops {
            let rule = body_factors(g, inner).expect("composites without loops");
            let b = dims.assignment(g, inner, &rule, &a);
            let xs: Vec<ValueId> = g.op(inner).operands.iter().map(|v| self.shards[v]).collect();
            self.emit(inner, &rule, b, &xs);
        }
        let yields = region.yields.iter().map(|v| self.shards[v]).collect();
        self.b.close(yields);
        let Op::Composite { name, attrs } = &data.op else { unreachable!("a composite") };
        let built = self.b.composite(name, attrs.clone(), &operands, body);
        let results = built.expect("the body's types are the shards'");
        self.done(Step::Region { global: o });
        for (i, (&r, l)) in data.results.iter().zip(results).enumerate() {
            self.set(l, r, dims.rule.result_layout(&a, i));
        }
    }

    fn repeat(&mut self, o: OpId) {
        let g = self.g;
        let data = g.op(o);
        let &Op::Repeat { trip, reverse, carries, xs, .. } = &data.op else { unreachable!("a repeat") };
        let region = g.region(data.regions[0]);
        let outer = |inner: &Layout, stacked: bool| {
            let mut l = inner.clone();
            if stacked {
                l.dims.insert(0, Vec::new());
            }
            l
        };
        let layouts: Vec<Layout> =
            region.args.iter().map(|&v| self.layout_for(v, &Constraint::absent(g.ty(v).rank()))).collect();
        let mut operands = Vec::new();
        for (i, l) in layouts.iter().enumerate() {
            let shard = self.shard(data.operands[i]);
            operands.push(self.reshard(shard, &outer(l, i >= carries && i < carries + xs)));
        }
        let body = self.b.open();
        for (&v, layout) in region.args.iter().zip(&layouts) {
            let ty = self.local_type(v, layout);
            let l = self.b.arg(body, ty);
            self.set(l, v, layout.clone());
        }
        self.ops(data.regions[0]);
        let mut yields = Vec::new();
        let mut results = Vec::new();
        for (i, &v) in region.yields.iter().enumerate() {
            let shard = self.shard(v);
            let layout =
                if i < carries { layouts[i].clone() } else { self.layout_for(v, &Constraint::absent(g.ty(v).rank())) };
            yields.push(self.reshard(shard, &layout));
            results.push(outer(&layout, i >= carries));
        }
        self.b.close(yields);
        let built = self.b.repeat(trip, reverse, carries, xs, &operands, body);
        let built = built.expect("ports of the shards' types");
        self.done(Step::Region { global: o });
        for ((&r, l), layout) in data.results.iter().zip(built).zip(results) {
            self.set(l, r, layout);
        }
    }

    fn one(&mut self, v: ValueId, op: Op, to: &Layout) -> ValueId {
        let Claim { global, layout: from } = self.claims[&v].clone();
        let op = padding::sized(&op, &from, &self.g.ty(global).shape, &self.g.mesh).expect("blocks that nest");
        let l = self.b.op(op, &[v]);
        self.done(Step::Reshard);
        let layout = to.clone();
        self.claims.insert(l, Claim { global, layout });
        l
    }

    /// `v` in layout `to`: partial axes first, then whole dims gathered, then splits; short cuts by dice.
    #[allow(clippy::too_many_lines)] // one step of every kind
    fn reshard(&mut self, mut v: ValueId, to: &Layout) -> ValueId {
        let mut at = self.claims[&v].layout.clone();
        let g = self.g;
        let (mesh, shape) = (&g.mesh, &g.ty(self.claims[&v].global).shape);
        let partial = at.partial.iter().filter(|(a, k)| to.partial.get(a) != Some(k));
        let partial: Vec<(Axis, Reduction)> = partial.map(|(&a, &k)| (a, k)).collect();
        if partial.len() > 1 && self.rng.chance(50) {
            at.partial.retain(|a, _| !partial.iter().any(|p| p.0 == *a));
            let axes = partial.iter().map(|p| p.0).collect();
            v = self.one(v, Op::AllReduce { axes, kind: partial[0].1 }, &at);
        }
        for (axis, kind) in at.partial.clone() {
            if to.partial.get(&axis) == Some(&kind) {
                continue;
            }
            let axes = vec![axis];
            let whole = at.without(axis);
            let onto = (0..at.dims.len()).find(|&d| {
                let more = whole.with(axis, Slot::Split(d));
                to.dims[d] == more.dims[d] && more.nests(d, shape[d], whole.dims[d].len(), mesh)
            });
            match onto {
                Some(dim) if !self.rng.chance(33) => {
                    at = whole.with(axis, Slot::Split(dim));
                    v = self.one(v, Op::ReduceScatter { axes, dim, kind }, &at);
                }
                _ => {
                    at = whole;
                    v = self.one(v, Op::AllReduce { axes, kind }, &at);
                }
            }
        }
        // All dims at once, where that is one exchange of whole blocks.
        let mesh = &self.g.mesh;
        let blocks = |a: &Axis| mesh.size(*a);
        let count = |axes: &[Axis]| axes.iter().map(blocks).product::<u64>();
        let alike = at.dims.iter().zip(&to.dims).all(|(a, b)| count(a) == count(b));
        let free = to.dims.iter().flatten().all(|a| !at.partial.contains_key(a));
        if alike && free && at.dims != to.dims && !self.rng.chance(33) {
            let same = |d: usize| at.dims[d].iter().zip(&to.dims[d]).take_while(|(a, b)| a == b).count();
            let part = |l: &Layout| (0..l.dims.len()).map(|d| l.dims[d][same(d)..].to_vec()).collect::<Vec<_>>();
            let op = Op::permute(part(&at), part(to));
            at.dims.clone_from(&to.dims);
            v = self.one(v, op, &at);
        }
        for d in 0..at.dims.len() {
            let (have, want) = (at.dims[d].clone(), to.dims[d].clone());
            let mut sorted = [have.clone(), want.clone()];
            sorted.iter_mut().for_each(|s| s.sort_unstable());
            if have != want && sorted[0] == sorted[1] && !self.rng.chance(33) {
                at.dims[d].clone_from(&want);
                let op = Op::reorder(at.dims.len(), d, have, want);
                v = self.one(v, op, &at);
            }
        }
        for d in 0..at.dims.len() {
            let mut same = at.dims[d].iter().zip(&to.dims[d]).take_while(|(a, b)| a == b).count();
            if !at.nests(d, shape[d], same, mesh) || !to.nests(d, shape[d], same, mesh) {
                same = 0;
            }
            let axes = at.dims[d].split_off(same);
            if axes.is_empty() {
                continue;
            }
            let onto = (0..at.dims.len()).find(|&e| {
                let mut wanted = at.dims[e].clone();
                wanted.extend(&axes);
                e != d && wanted == to.dims[e] && to.nests(e, shape[e], at.dims[e].len(), mesh)
            });
            match onto {
                Some(e) if !self.rng.chance(33) => {
                    at.dims[e].extend(&axes);
                    let op = Op::AllToAll { axes, split: e, concat: d, size: None };
                    v = self.one(v, op, &at);
                }
                _ => v = self.one(v, Op::AllGather { axes, dim: d, size: None }, &at),
            }
        }
        for d in 0..at.dims.len() {
            let axes = to.dims[d][at.dims[d].len()..].to_vec();
            if !axes.is_empty() {
                at.dims[d].extend(&axes);
                v = self.one(v, Op::ShardSlice { axes, dim: d }, &at);
            }
        }
        let axes: Vec<Axis> = to.partial.keys().filter(|a| !at.partial.contains_key(a)).copied().collect();
        if !axes.is_empty() {
            at.partial.extend(axes.iter().map(|&a| (a, Reduction::Sum)));
            v = self.one(v, Op::PartialSplit { axes }, &at);
        }
        assert_eq!(at, *to, "the chain ends where it should");
        v
    }
}
