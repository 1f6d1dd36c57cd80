//! Distributes a loop over the parts of its body (loop fission): `repeat(n) { a; b }` becomes `repeat(n) { a }` followed by
//! `repeat(n) { b }`. What `b` reads of `a` is stacked by the first loop and sliced by the second one. What the program
//! computes does not change. A pipeline runs the iterations of such loops in an order of its own.
//!
//! An op may stand in several parts: each of them computes it, and nothing is stacked for it. A carry belongs to the part that
//! computes its next value; later parts read what it was in each iteration from a stack. Ports of loops that nothing reads
//! stay: [`crate::prune`] takes them away.
//!
//! Nobody has to believe the result: `certify::staged` proves what is made of it. This module is deterministic and depends on
//! nothing but the order of the program. Not here: which op belongs to which part (`stage`).

use crate::builder::Builder;
use crate::copy::{ValueMap, graft};
use crate::graph::{Def, Func, OpData, OpId, Phase, Region, RegionId, Value, ValueId};
use crate::op::Op;
use std::collections::{BTreeMap, BTreeSet};

/// The most parts of one loop.
pub const MAX_PARTS: usize = 4096;

/// For each op of a loop's body the parts that it stands in, rising; none for an op that nothing needs.
pub type Parts = BTreeMap<OpId, Vec<usize>>;

/// A program with loops that were distributed, and where what is in it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distributed {
    pub func: Func,
    /// By op: the op of the given program that it is, whole or in part.
    pub ops: Vec<OpId>,
    /// For each loop that was given: its loops, by part; none for a part without ops.
    pub loops: Vec<Vec<Option<OpId>>>,
}

/// Distributes one loop of `func`.
///
/// # Errors
/// Those of [`distribute_all`].
pub fn distribute(func: &Func, repeat: OpId, parts: &Parts) -> Result<Distributed, String> {
    distribute_all(func, &[(repeat, parts.clone())])
}

/// Distributes loops of `func`, each over its parts. The program is copied once, however many there are.
///
/// # Errors
/// That one is no loop with a fixed number of iterations, is given twice, or lies in another one; or an op of a part that reads
/// what only a later part computes.
pub fn distribute_all(func: &Func, all: &[(OpId, Parts)]) -> Result<Distributed, String> {
    let there: BTreeSet<OpId> = func.walk(Func::BODY).into_iter().collect();
    let mut plans: BTreeMap<OpId, Plan> = BTreeMap::new();
    let mut around = BTreeSet::new();
    for (repeat, parts) in all {
        let repeat = *repeat;
        if !there.contains(&repeat) {
            return Err("a loop that the program does not have is distributed".into());
        }
        let Op::Repeat { early: false, .. } = func.op(repeat).op else {
            return Err(format!("a `{}` cannot be distributed", func.op(repeat).op.name()));
        };
        let count = parts.values().flatten().max().map_or(0, |m| m + 1);
        let body: BTreeSet<OpId> = func.region(func.op(repeat).regions[0]).ops.iter().copied().collect();
        let named = parts.keys().all(|o| body.contains(o));
        if count > MAX_PARTS || !named || parts.values().any(|p| !p.is_sorted_by(|a, b| a < b)) {
            return Err("parts that are no parts of the loop's body".into());
        }
        let mut at = func.op(repeat).parent;
        while let Some(o) = func.region(at).owner {
            around.insert(o);
            at = func.op(o).parent;
        }
        if plans.insert(repeat, Plan::new(func, repeat, parts, count)?).is_some() {
            return Err("a loop is distributed twice".into());
        }
    }
    if plans.keys().any(|o| around.contains(o)) {
        return Err("a loop is distributed, and so is one in it".into());
    }
    let b = Builder::resume(Func::like(func));
    let mut d = Distributor { old: func, around, plans, b, ops: Vec::new(), loops: BTreeMap::new() };
    d.region(Func::BODY, Func::BODY)?;
    let mut new = d.b.finish();
    new.inputs.clone_from(&func.inputs);
    new.outputs.clone_from(&func.outputs);
    let loops = all.iter().map(|(repeat, _)| d.loops.remove(repeat).unwrap_or_default()).collect();
    Ok(Distributed { func: new, ops: d.ops, loops })
}

/// What each part's loop takes and gives.
struct Plan {
    /// Ops by part, in the order of the body.
    ops: Vec<Vec<OpId>>,
    /// By carry of the loop, its part.
    carries: Vec<usize>,
    /// By part: values of the body that later parts slice.
    given: Vec<BTreeSet<ValueId>>,
    /// By part: values of the body that it slices, and the part that stacks them.
    taken: Vec<BTreeMap<ValueId, usize>>,
    /// By stacked result of the loop, the part that gives it.
    stacks: Vec<usize>,
}

impl Plan {
    fn new(func: &Func, repeat: OpId, parts: &Parts, count: usize) -> Result<Plan, String> {
        let data = func.op(repeat);
        let Op::Repeat { carries, .. } = data.op else { return Err("no loop".into()) };
        let body = func.region(data.regions[0]);
        let of_op = |v: ValueId| func.def_op(v).map(|o| parts.get(&o).map_or(&[][..], Vec::as_slice));
        // A value that is an argument of the body can be had in any part, a carry from its own part on.
        let mut plan = Plan {
            ops: vec![Vec::new(); count],
            carries: Vec::new(),
            given: vec![BTreeSet::new(); count],
            taken: vec![BTreeMap::new(); count],
            stacks: Vec::new(),
        };
        let place = |v: ValueId, carried: &[usize]| match func.value(v).def {
            Def::Op(..) => of_op(v).and_then(|p| p.last().copied()),
            Def::Arg(_, i) if (i as usize) < carries => Some(carried.get(i as usize).copied().unwrap_or(0)),
            Def::Arg(..) => Some(0),
        };
        let missing = || "what the loop yields stands in none of its parts".to_string();
        for &y in &body.yields[..carries] {
            plan.carries.push(place(y, &[]).ok_or_else(missing)?);
        }
        for &y in &body.yields[carries..] {
            plan.stacks.push(place(y, &plan.carries).ok_or_else(missing)?);
        }
        for &o in &body.ops {
            for &q in parts.get(&o).into_iter().flatten() {
                plan.ops[q].push(o);
                for &x in &func.op(o).operands {
                    plan.read(func, parts, x, q)?;
                }
            }
        }
        for (k, &y) in body.yields.iter().enumerate() {
            let q = if k < carries { plan.carries[k] } else { plan.stacks[k - carries] };
            plan.read(func, parts, y, q)?;
        }
        Ok(plan)
    }

    /// Part `q` reads `x`, a value of the body.
    fn read(&mut self, func: &Func, parts: &Parts, x: ValueId, q: usize) -> Result<(), String> {
        let from = match func.value(x).def {
            Def::Op(o, _) => {
                let own = parts.get(&o).map_or(&[][..], Vec::as_slice);
                if own.contains(&q) {
                    return Ok(());
                }
                own.iter().copied().filter(|&p| p < q).max()
            }
            Def::Arg(_, i) => match self.carries.get(i as usize) {
                Some(&p) if p != q => Some(p).filter(|&p| p < q),
                _ => return Ok(()),
            },
        };
        let from = from.ok_or("a part reads what only a later part computes")?;
        self.given[from].insert(x);
        self.taken[q].insert(x, from);
        Ok(())
    }
}

struct Distributor<'f> {
    old: &'f Func,
    /// Ops that the loops lie in.
    around: BTreeSet<OpId>,
    /// Of the loops that are still to come.
    plans: BTreeMap<OpId, Plan>,
    b: Builder,
    ops: Vec<OpId>,
    loops: BTreeMap<OpId, Vec<Option<OpId>>>,
}

impl Distributor<'_> {
    /// Fills the empty region `to` with what `from` has.
    fn region(&mut self, from: RegionId, to: RegionId) -> Result<(), String> {
        let old = self.old.region(from).clone();
        let mut map = ValueMap::new();
        for &a in &old.args {
            self.arg(a, to, &mut map);
        }
        for &o in &old.ops {
            if let Some(plan) = self.plans.remove(&o) {
                self.distributed(o, &plan, to, &mut map)?;
            } else if self.around.contains(&o) {
                self.rebuilt(o, to, &mut map)?;
            } else {
                self.graft(o, to, &mut map);
            }
        }
        self.b.func.regions[to.index()].yields = old.yields.iter().map(|y| map[y]).collect();
        Ok(())
    }

    fn value(&mut self, of: ValueId, def: Def) -> ValueId {
        let id = ValueId(self.b.func.values.len() as u32);
        self.b.func.values.push(Value { def, ..self.old.value(of).clone() });
        id
    }

    fn arg(&mut self, of: ValueId, region: RegionId, map: &mut ValueMap) {
        let n = self.b.func.region(region).args.len() as u32;
        let v = self.value(of, Def::Arg(region, n));
        self.b.func.regions[region.index()].args.push(v);
        map.insert(of, v);
    }

    fn graft(&mut self, o: OpId, to: RegionId, map: &mut ValueMap) {
        let old = self.old;
        self.b.within(to, |b| graft(b, old, o, map));
        self.ops.push(o);
        old.op(o).regions.iter().for_each(|&r| self.ops.extend(old.walk(r)));
    }

    /// An op that loops lie in.
    fn rebuilt(&mut self, o: OpId, to: RegionId, map: &mut ValueMap) -> Result<(), String> {
        let data = self.old.op(o);
        let operands = data.operands.iter().map(|x| map[x]).collect();
        let id = self.push(o, data.op.clone(), operands, to);
        for (i, &r) in data.results.iter().enumerate() {
            let v = self.value(r, Def::Op(id, i as u32));
            self.b.func.ops[id.index()].results.push(v);
            map.insert(r, v);
        }
        for &r in &data.regions {
            let region = self.open(id);
            self.region(r, region)?;
        }
        Ok(())
    }

    fn push(&mut self, of: OpId, op: Op, operands: Vec<ValueId>, to: RegionId) -> OpId {
        let id = OpId(self.b.func.ops.len() as u32);
        let data = self.old.op(of).clone();
        self.b.func.ops.push(OpData { op, operands, results: Vec::new(), regions: Vec::new(), parent: to, ..data });
        self.b.func.regions[to.index()].ops.push(id);
        self.ops.push(of);
        id
    }

    fn open(&mut self, owner: OpId) -> RegionId {
        let region = RegionId(self.b.func.regions.len() as u32);
        self.b.func.regions.push(Region { owner: Some(owner), ..Region::default() });
        self.b.func.ops[owner.index()].regions.push(region);
        region
    }

    /// Appends the loops of all parts.
    fn distributed(&mut self, repeat: OpId, plan: &Plan, to: RegionId, map: &mut ValueMap) -> Result<(), String> {
        // The stacks of values of the body.
        let mut stacks = ValueMap::new();
        let mut loops = Vec::new();
        for q in 0..plan.ops.len() {
            loops.push(self.part(repeat, plan, q, to, map, &mut stacks)?);
        }
        self.loops.insert(repeat, loops);
        Ok(())
    }

    /// Appends the loop of part `q` of the loop `repeat`; none where the part has nothing.
    fn part(
        &mut self,
        repeat: OpId,
        plan: &Plan,
        q: usize,
        to: RegionId,
        map: &mut ValueMap,
        stacks: &mut ValueMap,
    ) -> Result<Option<OpId>, String> {
        let old = self.old;
        let data = old.op(repeat);
        let Op::Repeat { trip, reverse, carries, xs, .. } = data.op else { return Err("no loop".into()) };
        let body = old.region(data.regions[0]);
        let own: Vec<usize> = (0..carries).filter(|&k| plan.carries[k] == q).collect();
        let results: Vec<usize> = (carries..body.yields.len()).filter(|&j| plan.stacks[j - carries] == q).collect();
        let (ops, mut given) = (plan.ops[q].clone(), plan.given[q].clone());
        // What the loop stacks anyway.
        let stacked: Vec<(ValueId, ValueId)> = results.iter().map(|&j| (body.yields[j], data.results[j])).collect();
        stacked.iter().for_each(|x| _ = given.remove(&x.0));
        if ops.is_empty() && own.is_empty() && results.is_empty() && given.is_empty() {
            return Ok(None);
        }
        let yields = own.iter().chain(&results).map(|&i| body.yields[i]);
        let yields: Vec<ValueId> = yields.chain(given.iter().copied()).collect();
        let read: BTreeSet<ValueId> = ops.iter().flat_map(|&o| &old.op(o).operands).chain(&yields).copied().collect();
        let (slices, rest) = (carries..carries + xs, carries + xs..body.args.len());
        let sliced: Vec<usize> = slices.filter(|&i| read.contains(&body.args[i])).collect();
        let shared: Vec<usize> = rest.filter(|&i| read.contains(&body.args[i])).collect();
        let taken: Vec<ValueId> = plan.taken[q].keys().copied().collect();
        let operand = |i: &usize| map[&data.operands[*i]];
        let operands = own.iter().chain(&sliced).map(operand).chain(taken.iter().map(|v| stacks[v]));
        let operands: Vec<ValueId> = operands.chain(shared.iter().map(operand)).collect();
        let op = Op::Repeat { trip, reverse, carries: own.len(), xs: sliced.len() + taken.len(), early: false };
        let id = self.push(repeat, op, operands, to);
        if !ops.iter().any(|&o| self.old.op(o).phase == Phase::Backward) {
            self.b.func.ops[id.index()].phase = Phase::Forward;
        }
        let region = self.open(id);
        let mut inner = ValueMap::new();
        let args = own.iter().chain(&sliced).map(|&i| body.args[i]).chain(taken);
        let args: Vec<ValueId> = args.chain(shared.iter().map(|&i| body.args[i])).collect();
        args.into_iter().for_each(|a| self.arg(a, region, &mut inner));
        ops.into_iter().for_each(|o| self.graft(o, region, &mut inner));
        self.b.func.regions[region.index()].yields = yields.iter().map(|y| inner[y]).collect();
        for (i, of) in own.iter().chain(&results).map(|&i| data.results[i]).enumerate() {
            let v = self.value(of, Def::Op(id, i as u32));
            self.b.func.ops[id.index()].results.push(v);
            map.insert(of, v);
        }
        stacks.extend(stacked.iter().map(|(v, r)| (*v, map[r])));
        for of in given {
            let i = self.b.func.op(id).results.len() as u32;
            let v = self.value(of, Def::Op(id, i));
            let value = &mut self.b.func.values[v.index()];
            value.ty.shape.insert(0, trip);
            value.layout.iter_mut().for_each(|l| l.dims.insert(0, Vec::new()));
            self.b.func.ops[id.index()].results.push(v);
            stacks.insert(of, v);
        }
        Ok(Some(id))
    }
}
