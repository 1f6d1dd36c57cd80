//! Legal changes of a plan that no planner would choose: other collectives with the same effect, moves there and back,
//! work done twice, other orders. All of them compute the same, and the checker must accept them. Tensors whose axes do
//! not divide them are left alone, since a move would lose what masks put into their padding.

use super::Rng;
use super::dice::Plan;
use meshloom_certify::{Claim, Step};
use meshloom_ir::layout::Slot;
use meshloom_ir::table;
use meshloom_ir::*;

/// Makes a variant at a place chosen by dice; `None` where the plan has no place for it.
pub type Variant = fn(&Plan, &mut Rng) -> Option<Plan>;

pub const ALL: &[(&str, Variant)] = &[
    ("an all_reduce as a reduce_scatter and an all_gather", |p, r| {
        replaced(p, r, |e, o| {
            let (from, to) = e.claims(o);
            let Op::AllReduce { axes, kind } = e.op(o) else { return None };
            let fits = |d: &usize| even(&scattered(&to.layout, &axes, *d), e, &to);
            let dim = (0..to.layout.dims.len()).find(fits)?;
            let middle = scattered(&to.layout, &axes, dim);
            let kept: Vec<Axis> = from.layout.partial.keys().filter(|a| !axes.contains(a)).copied().collect();
            (kept.iter().all(|a| to.layout.partial.contains_key(a))).then_some(())?;
            let scatter = Op::ReduceScatter { axes: axes.clone(), dim, kind };
            Some(vec![(scatter, middle), (Op::AllGather { axes, dim, size: None }, to.layout)])
        })
    }),
    ("a reduce_scatter as an all_reduce and a slice", |p, r| {
        replaced(p, r, |e, o| {
            let (from, to) = e.claims(o);
            let Op::ReduceScatter { axes, dim, kind } = e.op(o) else { return None };
            let mut whole = from.layout;
            whole.partial.retain(|a, _| !axes.contains(a));
            Some(vec![(Op::AllReduce { axes: axes.clone(), kind }, whole), (Op::ShardSlice { axes, dim }, to.layout)])
        })
    }),
    ("an all_to_all as an all_gather and a slice", |p, r| {
        replaced(p, r, |e, o| {
            let (from, to) = e.claims(o);
            let Op::AllToAll { axes, split, concat, size } = e.op(o) else { return None };
            let whole = gathered(&from.layout, concat, axes.len());
            let gather = Op::AllGather { axes: axes.clone(), dim: concat, size };
            Some(vec![(gather, whole), (Op::ShardSlice { axes, dim: split }, to.layout)])
        })
    }),
    ("a collective_permute as all_gathers and slices", |p, r| {
        replaced(p, r, |e, o| {
            let (mut at, to) = e.claims(o);
            let Op::CollectivePermute { from: old, to: new, .. } = e.op(o) else { return None };
            let mut steps = Vec::new();
            for (dim, axes) in old.iter().enumerate().filter(|d| !d.1.is_empty()) {
                let next = gathered(&at.layout, dim, axes.len());
                let gather = Op::AllGather { axes: axes.clone(), dim, size: None };
                steps.push((e.sized(&gather, &at)?, next.clone()));
                at.layout = next;
            }
            for (dim, axes) in new.iter().enumerate().filter(|d| !d.1.is_empty()) {
                at.layout.dims[dim].extend(axes);
                e.nests(&at, dim, at.layout.dims[dim].len() - axes.len()).then_some(())?;
                steps.push((Op::ShardSlice { axes: axes.clone(), dim }, at.layout.clone()));
            }
            (at.layout == to.layout).then_some(steps)
        })
    }),
    ("a collective over several axes one axis at a time", |p, r| {
        replaced(p, r, |e, o| {
            let (from, to) = e.claims(o);
            let op = e.op(o);
            let axes = op.collective_axes().filter(|a| a.len() > 1)?.to_vec();
            let mut at = from;
            let mut steps = Vec::new();
            // What is gathered goes from the minor axis on, what is split from the major one.
            let order: Vec<Axis> = match op {
                Op::AllGather { .. } => axes.iter().rev().copied().collect(),
                _ => axes,
            };
            for a in order {
                let axes = vec![a];
                let one = match op {
                    Op::AllReduce { kind, .. } => {
                        at.layout.partial.remove(&a);
                        Op::AllReduce { axes, kind }
                    }
                    Op::ReduceScatter { dim, kind, .. } => {
                        at.layout.partial.remove(&a);
                        at.layout.dims[dim].push(a);
                        e.nests(&at, dim, at.layout.dims[dim].len() - 1).then_some(())?;
                        Op::ReduceScatter { axes, dim, kind }
                    }
                    Op::ShardSlice { dim, .. } => {
                        at.layout.dims[dim].push(a);
                        e.nests(&at, dim, at.layout.dims[dim].len() - 1).then_some(())?;
                        Op::ShardSlice { axes, dim }
                    }
                    Op::AllGather { dim, .. } => {
                        let gather = e.sized(&Op::AllGather { axes, dim, size: None }, &at)?;
                        at.layout.dims[dim].pop();
                        gather
                    }
                    _ => return None,
                };
                steps.push((one, at.layout.clone()));
            }
            (at.layout == to.layout).then_some(steps)
        })
    }),
    ("an all_reduce with its axes in another order", |p, r| {
        replaced(p, r, |e, o| {
            let Op::AllReduce { axes, kind } = e.op(o) else { return None };
            let turned: Vec<Axis> = axes.iter().rev().copied().collect();
            (turned != axes).then(|| vec![(Op::AllReduce { axes: turned, kind }, e.claims(o).1.layout)])
        })
    }),
    ("gathered and sliced again", |p, r| {
        there_and_back(p, r, |e, c, rng| {
            let dims: Vec<usize> = (0..c.layout.dims.len()).filter(|&d| !c.layout.dims[d].is_empty()).collect();
            let dim = *pick(&dims, rng)?;
            let axes = vec![*c.layout.dims[dim].last()?];
            let gather = e.sized(&Op::AllGather { axes: axes.clone(), dim, size: None }, c)?;
            let whole = gathered(&c.layout, dim, 1);
            Some(vec![(gather, whole), (Op::ShardSlice { axes, dim }, c.layout.clone())])
        })
    }),
    ("split and gathered again", |p, r| {
        there_and_back(p, r, |e, c, rng| {
            let a = *pick(&spare(e, c), rng)?;
            let fits = |d: &usize| even(&c.layout.with(a, Slot::Split(*d)), e, c);
            let dims: Vec<usize> = (0..c.layout.dims.len()).filter(fits).collect();
            let dim = *pick(&dims, rng)?;
            let split = c.layout.with(a, Slot::Split(dim));
            let gather = Op::AllGather { axes: vec![a], dim, size: None };
            Some(vec![(Op::ShardSlice { axes: vec![a], dim }, split), (gather, c.layout.clone())])
        })
    }),
    ("made partial and summed again", |p, r| {
        there_and_back(p, r, |e, c, rng| {
            let a = *pick(&spare(e, c), rng)?;
            let sums = c.layout.partial.values().all(|&k| k == Reduction::Sum);
            let number = e.plan.program().ty(c.global).dtype != DType::Bool;
            (sums && number).then_some(())?;
            let partial = c.layout.with(a, Slot::Partial(Reduction::Sum));
            let sum = Op::AllReduce { axes: vec![a], kind: Reduction::Sum };
            Some(vec![(Op::PartialSplit { axes: vec![a] }, partial), (sum, c.layout.clone())])
        })
    }),
    ("exchanged between dims and back", |p, r| {
        there_and_back(p, r, |e, c, rng| {
            let dims: Vec<usize> = (0..c.layout.dims.len()).filter(|&d| !c.layout.dims[d].is_empty()).collect();
            let concat = *pick(&dims, rng)?;
            let a = *c.layout.dims[concat].last()?;
            let to = |d: usize| c.layout.with(a, Slot::Split(d));
            let others: Vec<usize> = (0..c.layout.dims.len()).filter(|&d| d != concat && even(&to(d), e, c)).collect();
            let split = *pick(&others, rng)?;
            even(&c.layout, e, c).then_some(())?;
            let exchange = |split, concat| Op::AllToAll { axes: vec![a], split, concat, size: None };
            Some(vec![(exchange(split, concat), to(split)), (exchange(concat, split), c.layout.clone())])
        })
    }),
    ("blocks moved to another axis and back", |p, r| {
        there_and_back(p, r, |e, c, rng| {
            let mesh = &e.plan.local.mesh;
            let mut ways = Vec::new();
            for (dim, axes) in c.layout.dims.iter().enumerate() {
                let Some(&a) = axes.last() else { continue };
                let equal = spare(e, c).into_iter().filter(|&b| mesh.size(a) == mesh.size(b));
                ways.extend(equal.map(|b| (dim, a, b)));
            }
            let &(dim, a, b) = pick(&ways, rng)?;
            let rank = c.layout.dims.len();
            let mut moved = c.layout.clone();
            *moved.dims[dim].last_mut()? = b;
            let there = Op::reorder(rank, dim, vec![a], vec![b]);
            Some(vec![(there, moved), (Op::reorder(rank, dim, vec![b], vec![a]), c.layout.clone())])
        })
    }),
    ("blocks of two dims exchanged and back", |p, r| {
        there_and_back(p, r, |e, c, rng| {
            let mesh = &e.plan.local.mesh;
            let dims = &c.layout.dims;
            let pairs = (0..dims.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            let alike = |&(i, j): &(usize, usize)| {
                !dims[i].is_empty() && !dims[j].is_empty() && mesh.group_size(&dims[i]) == mesh.group_size(&dims[j])
            };
            let ways: Vec<(usize, usize)> = pairs.filter(alike).collect();
            let &(i, j) = pick(&ways, rng)?;
            let mut turned = c.layout.clone();
            turned.dims.swap(i, j);
            let (old, new) = (c.layout.dims.clone(), turned.dims.clone());
            Some(vec![(Op::permute(old.clone(), new.clone()), turned), (Op::permute(new, old), c.layout.clone())])
        })
    }),
    ("computed twice", |p, r| {
        let mut e = Edit::new(p);
        let ops = e.ops(|d| d.regions.is_empty());
        let o = *pick(&ops, r)?;
        let twin = e.twin(o)?;
        let v = p.local.op(o).results[0];
        let users: Vec<OpId> = e.users(v).into_iter().filter(|_| r.chance(50)).collect();
        e.reroute(v, twin, &users);
        Some(e.plan)
    }),
    ("ops in another order", |p, r| Some(ordered(p, |_, ready| ready[r.below(ready.len())]))),
    ("collectives as early as can be", |p, _| {
        Some(ordered(p, |f, ready| {
            let early = ready.iter().find(|&&o| f.op(o).op.collective_axes().is_some());
            early.copied().unwrap_or(ready[0])
        }))
    }),
    ("collectives as late as can be", |p, _| {
        Some(ordered(p, |f, ready| {
            let late = ready.iter().find(|&&o| f.op(o).op.collective_axes().is_none());
            late.copied().unwrap_or(ready[0])
        }))
    }),
    ("an all_reduce behind the linear op that reads it", |p, r| {
        let mut e = Edit::new(p);
        let mut places = Vec::new();
        for o in e.ops(|d| matches!(d.op, Op::AllReduce { kind: Reduction::Sum, .. })) {
            let y = p.local.op(o).results[0];
            places.extend(e.users(y).into_iter().filter_map(|u| e.pushed(o, u).map(|form| (o, u, form))));
        }
        let (o, u, form) = pick(&places, r)?.clone();
        e.push_behind(o, u, form);
        Some(e.plan)
    }),
    ("a sum reduced before the linear op that passes it on", |p, r| {
        let mut e = Edit::new(p);
        let mut places = Vec::new();
        for o in e.ops(|d| d.regions.is_empty()) {
            places.extend(e.pulled(o).map(|form| (o, form)));
        }
        let (o, (axis, form)) = pick(&places, r)?.clone();
        e.pull_before(o, axis, form)?;
        Some(e.plan)
    }),
];

fn pick<'a, T>(items: &'a [T], rng: &mut Rng) -> Option<&'a T> {
    items.get(rng.below(items.len()))
}

fn gathered(l: &Layout, dim: usize, axes: usize) -> Layout {
    let mut l = l.clone();
    let keep = l.dims[dim].len() - axes;
    l.dims[dim].truncate(keep);
    l
}

fn scattered(l: &Layout, axes: &[Axis], dim: usize) -> Layout {
    let mut l = l.clone();
    l.dims[dim].extend(axes);
    l
}

/// Whether the dims of the tensor divide under `l`.
fn even(l: &Layout, e: &Edit, c: &Claim) -> bool {
    l.fits(&e.plan.program().ty(c.global).shape, &e.plan.local.mesh) == Fit::Even
}

/// Axes over which there are copies.
fn spare(e: &Edit, c: &Claim) -> Vec<Axis> {
    let mesh = &e.plan.local.mesh;
    mesh.all_axes().filter(|&a| mesh.size(a) > 1 && c.layout.slot(a) == Slot::Replicated).collect()
}

/// Steps with the layouts they lead to.
type Chain = Vec<(Op, Layout)>;

/// A collective replaced by other ones, `None` where it is not of the kind.
fn replaced(p: &Plan, rng: &mut Rng, chain: impl Fn(&Edit, OpId) -> Option<Chain>) -> Option<Plan> {
    let mut e = Edit::new(p);
    let ops = e.ops(|d| d.op.collective_axes().is_some());
    let divides = |o: &OpId| {
        let (from, to) = e.claims(*o);
        even(&from.layout, &e, &from) && even(&to.layout, &e, &to)
    };
    let places: Vec<(OpId, Chain)> = ops.into_iter().filter(divides).filter_map(|o| Some((o, chain(&e, o)?))).collect();
    let (o, chain) = pick(&places, rng)?.clone();
    let data = p.local.op(o);
    let last = e.chain(o, data.operands[0], &chain);
    let users = e.users(data.results[0]);
    e.reroute(data.results[0], last, &users);
    e.remove(o);
    Some(e.plan)
}

/// A value taken through other layouts and back, for some of its readers.
fn there_and_back(p: &Plan, rng: &mut Rng, chain: impl Fn(&Edit, &Claim, &mut Rng) -> Option<Chain>) -> Option<Plan> {
    let mut e = Edit::new(p);
    let composites: Vec<OpId> = e.ops(|d| matches!(d.op, Op::Composite { .. }));
    let kernel = |o: OpId| composites.iter().any(|&c| p.local.op(c).regions.contains(&p.local.op(o).parent));
    let ops: Vec<OpId> = e.ops(|d| d.regions.is_empty()).into_iter().filter(|&o| !kernel(o)).collect();
    for _ in 0..50 {
        let o = *pick(&ops, rng)?;
        let v = p.local.op(o).results[0];
        let claim = p.cert.values[v.index()].clone();
        let users = e.users(v);
        if users.is_empty() || !even(&claim.layout, &e, &claim) {
            continue;
        }
        if let Some(chain) = chain(&e, &claim, rng) {
            let last = e.chain(o, v, &chain);
            let some: Vec<OpId> = users.iter().copied().filter(|_| rng.chance(70)).collect();
            e.reroute(v, last, if some.is_empty() { &users } else { &some });
            return Some(e.plan);
        }
    }
    None
}

/// The ops of every region in another order: of those whose operands are there, the one that `next` takes.
fn ordered(p: &Plan, mut next: impl FnMut(&Func, &[OpId]) -> OpId) -> Plan {
    let mut e = Edit::new(p);
    let f = &p.local;
    for r in 0..f.regions.len() {
        let region = &f.regions[r];
        let mut there = vec![false; f.values.len()];
        region.args.iter().for_each(|v| there[v.index()] = true);
        let mut left = region.ops.clone();
        let mut order = Vec::new();
        while !left.is_empty() {
            let can = |o: &OpId| f.op(*o).operands.iter().all(|v| there[v.index()]);
            let ready: Vec<OpId> = left.iter().copied().filter(can).collect();
            let o = next(f, &ready);
            left.retain(|&x| x != o);
            f.op(o).results.iter().for_each(|v| there[v.index()] = true);
            order.push(o);
        }
        e.plan.local.regions[r].ops = order;
    }
    e.plan
}

/// A plan that is being changed.
struct Edit {
    plan: Plan,
}

impl Edit {
    fn new(p: &Plan) -> Edit {
        Edit { plan: Plan { global: p.global.clone(), local: p.local.clone(), cert: p.cert.clone() } }
    }

    fn op(&self, o: OpId) -> Op {
        self.plan.local.op(o).op.clone()
    }

    fn ops(&self, which: impl Fn(&OpData) -> bool) -> Vec<OpId> {
        let f = &self.plan.local;
        f.walk(Func::BODY).into_iter().filter(|&o| which(f.op(o))).collect()
    }

    /// What an op with one operand takes and gives.
    fn claims(&self, o: OpId) -> (Claim, Claim) {
        let data = self.plan.local.op(o);
        (self.claim(data.operands[0]), self.claim(data.results[0]))
    }

    fn claim(&self, v: ValueId) -> Claim {
        self.plan.cert.values[v.index()].clone()
    }

    fn sized(&self, op: &Op, from: &Claim) -> Option<Op> {
        padding::sized(op, &from.layout, &self.plan.program().ty(from.global).shape, &self.plan.local.mesh)
    }

    fn nests(&self, c: &Claim, dim: usize, major: usize) -> bool {
        let size = self.plan.program().ty(c.global).shape[dim];
        c.layout.nests(dim, size, major, &self.plan.local.mesh)
    }

    /// Ops of one region that read `v`, and the owners of regions that yield it.
    fn users(&self, v: ValueId) -> Vec<OpId> {
        self.ops(|d| {
            d.operands.contains(&v) || d.regions.iter().any(|&r| self.plan.local.region(r).yields.contains(&v))
        })
    }

    /// Makes those users read `to` instead of `from`; the program's outputs follow if all of them do.
    fn reroute(&mut self, from: ValueId, to: ValueId, users: &[OpId]) {
        let all = self.users(from);
        let f = &mut self.plan.local;
        let swap = |v: &mut ValueId| *v = if *v == from { to } else { *v };
        for &u in users {
            // Not what was just put behind it.
            f.ops[u.index()].operands.iter_mut().for_each(swap);
            for r in f.ops[u.index()].regions.clone() {
                f.regions[r.index()].yields.iter_mut().for_each(swap);
            }
        }
        if all.iter().filter(|u| !users.contains(u)).count() <= 1 {
            f.regions[0].yields.iter_mut().for_each(swap);
        }
    }

    fn remove(&mut self, o: OpId) {
        let r = self.plan.local.op(o).parent;
        self.plan.local.regions[r.index()].ops.retain(|&x| x != o);
    }

    /// Puts an op behind `after`.
    fn put(
        &mut self,
        after: OpId,
        op: Op,
        operands: Vec<ValueId>,
        ty: TensorType,
        claim: Claim,
        step: Step,
    ) -> ValueId {
        let f = &mut self.plan.local;
        let (id, v) = (OpId(f.ops.len() as u32), ValueId(f.values.len() as u32));
        let like = f.op(after).clone();
        let layout = Some(claim.layout.clone());
        f.values.push(Value { ty, def: Def::Op(id, 0), name: None, span: like.span, layout });
        let region = &mut f.regions[like.parent.index()].ops;
        let at = region.iter().position(|&o| o == after).expect("in its region");
        region.insert(at + 1, id);
        f.ops.push(OpData { op, operands, results: vec![v], regions: Vec::new(), ..like });
        self.plan.cert.values.push(claim);
        self.plan.cert.steps.push(step);
        v
    }

    /// Reshards of `v`, put behind `after`; the last of them.
    fn chain(&mut self, after: OpId, v: ValueId, chain: &Chain) -> ValueId {
        let (mut after, mut v) = (after, v);
        for (op, layout) in chain {
            let claim = Claim { layout: layout.clone(), ..self.claim(v) };
            let ty = table::infer_on(op, &[self.plan.local.ty(v)], &self.plan.local.mesh).expect("a chain that fits");
            v = self.put(after, op.clone(), vec![v], ty, claim, Step::Reshard);
            after = self.plan.local.def_op(v).expect("just put");
        }
        v
    }

    /// The same op once more.
    fn twin(&mut self, o: OpId) -> Option<ValueId> {
        let data = self.plan.local.op(o).clone();
        let &[v] = &data.results[..] else { return None };
        let (ty, claim, step) = (self.plan.local.ty(v).clone(), self.claim(v), self.plan.cert.steps[o.index()].clone());
        Some(self.put(o, data.op, data.operands, ty, claim, step))
    }

    /// The assignment of linear op `u` if it takes the operand of all_reduce `o` instead of its result.
    fn pushed(&self, o: OpId, u: OpId) -> Option<Assignment> {
        let (data, reduce) = (self.plan.local.op(u), self.plan.local.op(o));
        let Step::Op { global, assignment } = &self.plan.cert.steps[u.index()] else { return None };
        let Op::AllReduce { axes, .. } = &reduce.op else { return None };
        let claim = self.claim(data.results[0]);
        even(&claim.layout, self, &claim).then_some(())?;
        let rule = table::factors(self.plan.program(), *global)?;
        let reads: Vec<usize> = (0..data.operands.len()).filter(|&i| data.operands[i] == reduce.results[0]).collect();
        let set = rule.linear.iter().position(|s| *s == reads)?;
        axes.iter().all(|a| !assignment.linear.contains_key(a)).then_some(())?;
        let mut form = assignment.clone();
        form.linear.extend(axes.iter().map(|&a| (a, set)));
        (rule.admits(&form, &self.plan.local.mesh) && self.one_kind(&rule, &form)).then_some(form)
    }

    fn one_kind(&self, rule: &FactorRule, form: &Assignment) -> bool {
        let layouts = (0..rule.operands.len()).map(|i| rule.operand_layout(form, i));
        let mut all = layouts.chain((0..rule.results.len()).map(|i| rule.result_layout(form, i)));
        all.all(|l| l.partial.values().all(|&k| k == Reduction::Sum))
    }

    fn push_behind(&mut self, o: OpId, u: OpId, form: Assignment) {
        let (reduce, data) = (self.plan.local.op(o).clone(), self.plan.local.op(u).clone());
        let v = data.results[0];
        let claim = self.claim(v);
        let Step::Op { global, .. } = self.plan.cert.steps[u.index()].clone() else { return };
        let mut partial = claim.clone();
        let axes = reduce.op.collective_axes().unwrap_or_default();
        partial.layout.partial.extend(axes.iter().map(|&a| (a, Reduction::Sum)));
        let swap = |x: &ValueId| if *x == reduce.results[0] { reduce.operands[0] } else { *x };
        let operands = data.operands.iter().map(swap).collect();
        let ty = self.plan.local.ty(v).clone();
        let users = self.users(v);
        let early = self.put(u, data.op, operands, ty, partial, Step::Op { global, assignment: form });
        let behind = self.plan.local.def_op(early).expect("just put");
        let last = self.chain(behind, early, &vec![(reduce.op, claim.layout)]);
        self.reroute(v, last, &users);
    }

    /// The assignment of an op that is linear over an axis, without that axis.
    fn pulled(&self, o: OpId) -> Option<(Axis, Assignment)> {
        let Step::Op { assignment, .. } = &self.plan.cert.steps[o.index()] else { return None };
        let (&axis, _) = assignment.linear.first_key_value()?;
        let claim = self.claim(*self.plan.local.op(o).results.first()?);
        even(&claim.layout, self, &claim).then_some(())?;
        let mut form = assignment.clone();
        form.linear.remove(&axis);
        Some((axis, form))
    }

    fn pull_before(&mut self, o: OpId, axis: Axis, form: Assignment) -> Option<()> {
        let data = self.plan.local.op(o).clone();
        let Step::Op { global, .. } = self.plan.cert.steps[o.index()].clone() else { return None };
        // The sums of operands, made where the op stands.
        let mut operands = data.operands.clone();
        let mut after = o;
        for x in &mut operands {
            let mut claim = self.claim(*x);
            if claim.layout.partial.remove(&axis).is_some() {
                *x = self.chain(
                    after,
                    *x,
                    &vec![(Op::AllReduce { axes: vec![axis], kind: Reduction::Sum }, claim.layout)],
                );
                after = self.plan.local.def_op(*x)?;
            }
        }
        let v = data.results[0];
        let mut claim = self.claim(v);
        claim.layout.partial.remove(&axis);
        let ty = self.plan.local.ty(v).clone();
        let made = self.put(after, data.op, operands, ty, claim.clone(), Step::Op { global, assignment: form });
        // Its readers take it as it was, partial.
        let partial = claim.layout.with(axis, Slot::Partial(Reduction::Sum));
        let behind = self.plan.local.def_op(made)?;
        let users = self.users(v);
        let last = self.chain(behind, made, &vec![(Op::PartialSplit { axes: vec![axis] }, partial)]);
        self.reroute(v, last, &users);
        Some(())
    }
}
