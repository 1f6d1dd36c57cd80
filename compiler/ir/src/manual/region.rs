//! Lifting the ops of a manual region one by one, loops included.

use super::batch::einsum;
use super::{Lifted, Refused, collective, early, pin, spread, union};
use crate::builder::Builder;
use crate::graph::{Func, OpId, Region, RegionId, ValueId};
use crate::layout::Reduction;
use crate::mesh::Axis;
use crate::op::Op;
use crate::table::Class;
use crate::types::{DType, TensorType};
use std::collections::BTreeMap;

/// By value of the local program: the axes along which it varies.
type Varying = BTreeMap<ValueId, Vec<Axis>>;

struct Lift<'a> {
    from: &'a Func,
    manual: &'a [Axis],
    varying: Varying,
}

/// Appends the body of the local program `from`, over the axes `manual`, to the open region of `b`, with `args` for its inputs;
/// what it yields. Spans and names stay.
///
/// # Errors
/// An op that has no such form.
pub fn lift(b: &mut Builder, from: &Func, manual: &[Axis], args: &[Lifted]) -> Result<Vec<Lifted>, Refused> {
    let body = from.body();
    let mut l = Lift { from, manual, varying: Varying::new() };
    l.varying.extend(body.args.iter().copied().zip(args.iter().map(|a| a.over.clone())));
    let (span, phase) = (b.span, b.phase);
    let mut map: BTreeMap<ValueId, Lifted> = body.args.iter().copied().zip(args.iter().cloned()).collect();
    let done = l.ops(b, Func::BODY, &mut map);
    (b.span, b.phase) = (span, phase);
    done?;
    Ok(body.yields.iter().map(|y| map[y].clone()).collect())
}

impl Lift<'_> {
    fn over(&self, v: ValueId) -> &[Axis] {
        self.varying.get(&v).map_or(&[], Vec::as_slice)
    }

    /// Those of `axes` that are this region's. Others are of a region around it, whose local program the lifted ops are part of.
    fn mine(&self, axes: &[Axis]) -> Vec<Axis> {
        union(&[], &axes.iter().copied().filter(|a| self.manual.contains(a)).collect::<Vec<_>>())
    }

    /// Notes along which axes the results of `o` vary, those of its regions too.
    fn vary(&mut self, o: OpId) {
        let data = self.from.op(o);
        let mut all = data.operands.iter().fold(Vec::new(), |all, &v| union(&all, self.over(v)));
        match &data.op {
            Op::AllReduce { axes, .. } | Op::AllGather { axes, .. } => all.retain(|a| !axes.contains(a)),
            Op::Iota { shard, .. } => all = self.mine(shard),
            Op::RandomBits { shard, .. } => all = union(&all, &self.mine(&shard.concat())),
            Op::Repeat { carries, .. } => return self.vary_loop(o, *carries),
            op => all = union(&all, &self.mine(op.collective_axes().unwrap_or_default())),
        }
        for &r in &data.results {
            self.varying.insert(r, all.clone());
        }
    }

    /// A carry varies along what it starts from and what an iteration makes of it, which is found by repetition.
    fn vary_loop(&mut self, o: OpId, carries: usize) {
        let data = self.from.op(o);
        let body = self.from.region(data.regions[0]);
        let mut args: Vec<Vec<Axis>> = data.operands.iter().map(|&v| self.over(v).to_vec()).collect();
        loop {
            self.varying.extend(body.args.iter().copied().zip(args.iter().cloned()));
            body.ops.iter().for_each(|&inner| self.vary(inner));
            let before = args.clone();
            if data.op.ends_early() {
                // Devices that leave after different iterations differ in all that they carry.
                let going = args[0].clone();
                args.iter_mut().take(carries).for_each(|a| *a = union(a, &going));
            }
            for (arg, &y) in args.iter_mut().zip(&body.yields).take(carries) {
                *arg = union(arg, self.over(y));
            }
            if args == before {
                break;
            }
        }
        for (i, &r) in data.results.iter().enumerate() {
            let over = if i < carries { args[i].clone() } else { self.over(body.yields[i]).to_vec() };
            self.varying.insert(r, over);
        }
    }

    fn ops(&mut self, b: &mut Builder, region: RegionId, map: &mut BTreeMap<ValueId, Lifted>) -> Result<(), Refused> {
        let from = self.from;
        for &o in &from.region(region).ops {
            self.vary(o);
            let data = from.op(o);
            (b.span, b.phase) = (data.span, data.phase);
            let xs: Vec<Lifted> = data.operands.iter().map(|v| map[v].clone()).collect();
            let made = self.op(b, o, &xs)?;
            for (&r, lifted) in data.results.iter().zip(made) {
                let old = from.value(r);
                let new = &mut b.func.values[lifted.value.index()];
                (new.name, new.span) = (new.name.take().or(old.name.clone()), old.span);
                map.insert(r, lifted);
            }
        }
        Ok(())
    }

    fn op(&mut self, b: &mut Builder, o: OpId, xs: &[Lifted]) -> Result<Vec<Lifted>, Refused> {
        let data = self.from.op(o);
        let refuse = |why: &str| {
            let message = format!("`{}` cannot stand in a manual region: {why}", data.op.name());
            Err(Refused { span: data.span, message, help: "do it outside of the region, and pass the result in" })
        };
        let over = self.over(data.results.first().copied().unwrap_or(ValueId(0))).to_vec();
        let mut made = false;
        let value = match &data.op {
            Op::Repeat { .. } => return self.repeat(b, o, xs),
            Op::Composite { .. } => return self.composite(b, o, xs),
            Op::Iota { shard, .. } if !self.mine(shard).is_empty() => collective::axis_index(b, &data.op, shard),
            Op::Constant { .. } | Op::Iota { .. } => {
                made = !data.op.reads_device();
                b.op(data.op.clone(), &[])
            }
            Op::Constrain(c) => {
                let own = pin(b.ty(xs[0].value).rank(), &over, self.manual);
                let mut dims = own.dims[..over.len()].to_vec();
                dims.extend(c.dims.iter().cloned());
                let replicated = own.replicated.union(&c.replicated).copied().collect();
                let c = crate::Constraint { dims, replicated, ..c.clone() };
                let v = b.op(Op::Constrain(c), &[xs[0].value]);
                return Ok(vec![Lifted { value: v, over, made: false }]);
            }
            Op::DotGeneral(e) => {
                let lead: Vec<Vec<usize>> = xs
                    .iter()
                    .map(|x| x.over.iter().filter_map(|a| over.iter().position(|o| o == a)).collect())
                    .collect();
                let Some(e) = einsum(e, &lead, over.len()) else { return refuse("it has too many dims") };
                let operands: Vec<ValueId> = xs.iter().map(|x| x.value).collect();
                b.op(Op::DotGeneral(e), &operands)
            }
            // The whole of it, of which devices have blocks; along axes of a region around this one it stays a block.
            Op::RandomBits { shape, total, shard } if xs[0].over.is_empty() => {
                let of = |own: bool| -> super::Split {
                    let mine =
                        |axes: &Vec<Axis>| axes.iter().copied().filter(|a| self.manual.contains(a) == own).collect();
                    (0..total.len()).map(|d| shard.get(d).map(mine).unwrap_or_default()).collect()
                };
                let (split, mut shard) = (of(true), of(false));
                let shape = shape.iter().zip(&split).map(|(n, axes)| n * b.func.mesh.group_size(axes)).collect();
                if shard.iter().all(Vec::is_empty) {
                    shard.clear();
                }
                let v = b.op(Op::RandomBits { shape, total: total.clone(), shard }, &[xs[0].value]);
                let also = vec![Vec::new(); total.len()];
                return Ok(vec![super::enter(b, v, &split, &also, self.manual)]);
            }
            // Each device takes its own rows of what all have.
            Op::Gather { .. } if xs[0].over.is_empty() => b.op(data.op.clone(), &[xs[0].value, xs[1].value]),
            Op::Gather { .. } if b.ty(xs[0].value).dtype != DType::Bool => rows_of(b, &xs[0], &xs[1], &over),
            op if op.communicates() && self.mine(op.collective_axes().unwrap_or_default()).is_empty() => {
                let lead = super::sizes(&b.func, &over);
                match (op.entry().batch)(op, &lead) {
                    Ok(op) => b.op(op, &[xs[0].value]),
                    Err(why) => return refuse(why),
                }
            }
            op if op.communicates() && op.collective_axes().is_some_and(|a| self.mine(a).len() < a.len()) => {
                return refuse("its axes are of different regions; name them in one");
            }
            op if op.communicates() => match collective::lift(b, op, &xs[0], &over) {
                Some(v) => v,
                None => return refuse("it has no global form"),
            },
            op => {
                let local = matches!(op, Op::Elem(_)) || moves(op);
                made = local && xs.iter().all(|x| x.made);
                let lead = super::sizes(&b.func, &over);
                let op = if over.is_empty() { Ok(op.clone()) } else { (op.entry().batch)(op, &lead) };
                let op = match op {
                    Ok(op) => op,
                    Err(why) => return refuse(why),
                };
                let operands: Vec<ValueId> = xs.iter().map(|x| spread(b, x, &over)).collect();
                b.op(op, &operands)
            }
        };
        let settled = made || moves(&data.op);
        let value = if settled { value } else { self.pinned(b, value, &over) };
        Ok(vec![Lifted { value, over, made }])
    }

    fn pinned(&self, b: &mut Builder, v: ValueId, over: &[Axis]) -> ValueId {
        let c = pin(b.ty(v).rank(), over, self.manual);
        b.op(Op::Constrain(c), &[v])
    }

    /// A fused kernel over the ops of its body: they are lifted themselves.
    fn composite(&mut self, b: &mut Builder, o: OpId, xs: &[Lifted]) -> Result<Vec<Lifted>, Refused> {
        let data = self.from.op(o);
        let body = self.from.region(data.regions[0]);
        let mut map: BTreeMap<ValueId, Lifted> = body.args.iter().copied().zip(xs.iter().cloned()).collect();
        self.varying.extend(body.args.iter().copied().zip(xs.iter().map(|x| x.over.clone())));
        self.ops(b, data.regions[0], &mut map)?;
        for (&r, y) in data.results.iter().zip(&body.yields) {
            let over = self.over(*y).to_vec();
            self.varying.insert(r, over);
        }
        Ok(body.yields.iter().map(|y| map[y].clone()).collect())
    }

    fn repeat(&mut self, b: &mut Builder, o: OpId, given: &[Lifted]) -> Result<Vec<Lifted>, Refused> {
        let data = self.from.op(o);
        let &Op::Repeat { trip, reverse, carries, xs, early } = &data.op else { unreachable!("called for repeat") };
        let from = self.from;
        let body = from.region(data.regions[0]);
        let mut operands = Vec::new();
        let mut map = BTreeMap::new();
        // One more carry in front: whether any device goes on, where they may differ in that.
        let apart = early && !self.over(body.args[0]).is_empty();
        if apart {
            operands.push(early::any(b, &given[0], self.manual));
        }
        let inner = b.open();
        if apart {
            b.arg(inner, TensorType::scalar(DType::Bool));
        }
        for (i, (x, &arg)) in given.iter().zip(&body.args).enumerate() {
            let over = self.over(arg).to_vec();
            let outer = b.within_parent(|b| {
                let v = spread(b, x, &over);
                // An iteration takes entries of dim 0.
                if i < carries || i >= carries + xs { v } else { rotate(b, v, over.len(), 0) }
            });
            operands.push(outer);
            let mut ty = from.ty(arg).clone();
            ty.shape.splice(0..0, super::sizes(&b.func, &over));
            let value = b.arg(inner, ty);
            (b.func.values[value.index()].name, b.func.values[value.index()].span) =
                (from.value(arg).name.clone(), from.value(arg).span);
            map.insert(arg, Lifted { value, over, made: false });
        }
        let done = self.ops(b, data.regions[0], &mut map);
        let mut yields = Vec::new();
        let mut overs = Vec::new();
        if done.is_ok() {
            for (i, y) in body.yields.iter().enumerate() {
                let lifted = &map[y];
                let over = if i < carries { self.over(body.args[i]).to_vec() } else { lifted.over.clone() };
                yields.push(spread(b, lifted, &over));
                overs.push(over);
            }
            if apart {
                self.kept(b, body, &map, &overs, &mut yields);
            }
        }
        b.close(yields);
        done?;
        (b.span, b.phase) = (data.span, data.phase);
        let op = Op::Repeat { trip, reverse, carries: carries + usize::from(apart), xs, early };
        let results =
            b.looped(op, &operands, inner).map_err(|message| Refused { span: data.span, message, help: "" })?;
        let out = results.into_iter().skip(usize::from(apart)).zip(overs).enumerate().map(|(i, (v, over))| {
            let value = if i < carries { v } else { rotate(b, v, 0, over.len()) };
            Lifted { value, over, made: false }
        });
        Ok(out.collect())
    }
}

impl Lift<'_> {
    /// What an iteration of a `while` makes of its carries, on devices that went on; and whether any goes on after it, in front.
    fn kept(
        &self,
        b: &mut Builder,
        body: &Region,
        map: &BTreeMap<ValueId, Lifted>,
        overs: &[Vec<Axis>],
        yields: &mut Vec<ValueId>,
    ) {
        let going = &map[&body.args[0]];
        for ((y, arg), over) in yields.iter_mut().zip(&body.args).zip(overs).skip(1) {
            *y = early::kept(b, going, over, *y, map[arg].value);
        }
        yields[0] = b.elem("and", &[going.value, yields[0]]);
        let next = Lifted { value: yields[0], ..going.clone() };
        let any = early::any(b, &next, self.manual);
        yields.insert(0, any);
    }
}

/// Rows of a table that differs between devices: of all rows, the one whose number is the index, the others being zeros. Which
/// costs as many operations as all rows have elements, for each index.
fn rows_of(b: &mut Builder, table: &Lifted, indices: &Lifted, over: &[Axis]) -> ValueId {
    let (lead, i) = (over.len(), spread(b, indices, over));
    let t = spread(b, table, over);
    let (ty, table) = (b.ty(t).clone(), b.shape(t));
    let k = b.shape(i).len();
    let rows = table[lead];
    let (first, last) = (b.constant_like(i, 0.0), b.constant_like(i, rows.saturating_sub(1) as f64));
    let low = b.elem("maximum", &[i, first]);
    let clamped = b.elem("minimum", &[low, last]);
    let mut shape = b.shape(i);
    shape.extend(&table[lead..]);
    let wanted = b.broadcast(clamped, &shape, &(0..k).collect::<Vec<_>>());
    let dtype = b.ty(i).dtype;
    let number = b.op(Op::Iota { dtype, shape: shape.clone(), dim: k, shard: Vec::new() }, &[]);
    let here = b.elem("compare_eq", &[wanted, number]);
    let dims: Vec<usize> = (0..lead).chain(k..shape.len()).collect();
    let all = b.broadcast(t, &shape, &dims);
    let zeros = b.constant(ty.dtype, &shape, 0.0);
    let kept = b.select(here, all, zeros);
    b.reduce(Reduction::Sum, kept, &[k])
}

/// Dim `from` at place `to`, the others in their order.
fn rotate(b: &mut Builder, v: ValueId, from: usize, to: usize) -> ValueId {
    let mut order: Vec<usize> = (0..b.ty(v).rank()).collect();
    let d = order.remove(from);
    order.insert(to, d);
    b.transpose(v, &order)
}

/// Whether an op only moves elements or makes them: its result is laid out as its operand, which is pinned.
fn moves(op: &Op) -> bool {
    matches!(op.class(), Class::Source | Class::View) || matches!(op, Op::Convert { .. } | Op::Pad { .. })
}
