//! Writes the rolled program: ports, then units in order, then outputs.

use super::analysis::Analysis;
use super::found::{OperandSource, PackOperand};
use super::stacks::StackId;
use super::units::RollUnit;
use super::{ports, units};
use meshloom_ir::{Builder, Func, Op, OpId, TensorType, ValueId, copy};
use std::collections::BTreeMap;

/// The rolled program, with all that turns out to be unused left out.
///
/// # Errors
/// A loop whose parts do not fit each other, in words.
pub fn emit(a: &mut Analysis<'_>) -> Result<Func, String> {
    let order = units::order(a);
    let mut e = Emit {
        a,
        b: Builder::new(a.func.name.clone(), a.func.mesh.clone()),
        made: BTreeMap::new(),
        stacks: BTreeMap::new(),
    };
    e.inputs();
    for u in order {
        match u {
            RollUnit::Op(o) => e.op(o),
            RollUnit::Loop(l) => e.repeat(l)?,
            RollUnit::Pack(p) => e.pack(p),
        }
    }
    e.outputs();
    Ok(meshloom_ir::prune::prune(&e.b.finish()))
}

struct Emit<'a, 'f> {
    a: &'a Analysis<'f>,
    b: Builder,
    /// By value of the program as it was.
    made: BTreeMap<ValueId, ValueId>,
    stacks: BTreeMap<StackId, ValueId>,
}

impl Emit<'_, '_> {
    fn inputs(&mut self) {
        let mut group_of: BTreeMap<usize, StackId> = BTreeMap::new();
        for (&s, ports) in &self.a.groups {
            group_of.extend(ports.iter().map(|&i| (i, s)));
        }
        let names = ports::names(self.a);
        for (i, port) in self.a.func.inputs.iter().enumerate() {
            let old = self.a.func.body().args[i];
            let ty = self.a.func.ty(old).clone();
            match group_of.get(&i) {
                None => {
                    let v = self.b.input(ty, ports::single(self.a, &names, port));
                    self.made.insert(old, v);
                }
                Some(s) if self.a.groups[s].iter().min() == Some(&i) => {
                    let group = &self.a.groups[s];
                    let all: Vec<_> = group.iter().map(|&i| &self.a.func.inputs[i]).collect();
                    let stacked = ports::stacked(self.a, &names, *s, port, &all);
                    let v = self.b.input(list(&ty, group.len()), stacked);
                    self.stacks.insert(*s, v);
                }
                Some(_) => {}
            }
        }
        let given = self.a.given.iter().map(|(&s, x)| (s, self.made.get(x).copied()));
        // An input that came stacked is no part of a group of such inputs.
        let given: Vec<_> = given.filter_map(|(s, v)| Some((s, v?))).collect();
        self.stacks.extend(given);
    }

    /// The value that `old` has become, where the function's body reads it.
    fn value(&mut self, old: ValueId) -> ValueId {
        let old = self.a.same(old);
        if let Some(&v) = self.made.get(&old) {
            return v;
        }
        let place = self.a.stacks.places(old).iter().find_map(|&(s, i)| Some((*self.stacks.get(&s)?, i)));
        let v = match (self.a.numbers.closed(old), place) {
            (false, Some((stack, i))) => self.entry(stack, i),
            _ => {
                let o = self.a.func.def_op(old).expect("inputs are made before anything reads them");
                self.op(o);
                self.made[&old]
            }
        };
        self.made.insert(old, v);
        v
    }

    fn entry(&mut self, stack: ValueId, i: usize) -> ValueId {
        let one = self.slice(stack, i, 1);
        let shape = self.b.shape(one)[1..].to_vec();
        self.b.op(Op::Reshape { shape }, &[one])
    }

    fn slice(&mut self, stack: ValueId, from: usize, len: usize) -> ValueId {
        let shape = self.b.shape(stack);
        if from == 0 && len as u64 == shape[0] {
            return stack;
        }
        let (mut start, mut limit) = (vec![0; shape.len()], shape);
        (start[0], limit[0]) = (from as u64, (from + len) as u64);
        self.b.op(Op::Slice { start, limit }, &[stack])
    }

    /// A tensor whose entries are `values`: a stack that is there, a part of one, or pieces put together.
    fn stack(&mut self, values: &[ValueId]) -> ValueId {
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < values.len() {
            let fits = |&(s, i): &(StackId, usize)| {
                let entries = &self.a.stacks.entries(s)[i..];
                let n = entries.iter().zip(&values[at..]).take_while(|(a, b)| a == b).count();
                self.stacks.get(&s).map(|&v| (n, v, i))
            };
            // The longest; of several the one that was made first.
            let longest =
                self.a.stacks.places(values[at]).iter().filter_map(fits).min_by_key(|f| std::cmp::Reverse(f.0));
            match longest {
                Some((n, stack, i)) => {
                    pieces.push(self.slice(stack, i, n));
                    at += n;
                }
                None => {
                    let one = self.value(values[at]);
                    let mut shape = vec![1];
                    shape.extend(self.b.shape(one));
                    pieces.push(self.b.op(Op::Reshape { shape }, &[one]));
                    at += 1;
                }
            }
        }
        match pieces[..] {
            [one] => one,
            _ => self.b.op(Op::Concatenate { dim: 0 }, &pieces),
        }
    }

    fn op(&mut self, o: OpId) {
        let operands = &self.a.func.op(o).operands;
        let mut map = copy::ValueMap::new();
        for &v in operands {
            let new = self.value(v);
            map.insert(v, new);
        }
        copy::graft(&mut self.b, self.a.func, o, &mut map);
        self.made.extend(self.a.func.op(o).results.iter().map(|r| (*r, map[r])));
    }

    fn repeat(&mut self, index: usize) -> Result<(), String> {
        let (l, body) = (&self.a.loops[index], &self.a.bodies[index]);
        let mut operands: Vec<ValueId> = body.carries.iter().map(|c| self.value(c.init)).collect();
        for list in &body.entries {
            let mut list = list.clone();
            if body.reverse {
                list.reverse();
            }
            operands.push(self.stack(&list));
        }
        operands.extend(body.invariants.iter().map(|&v| self.value(v)));
        let region = self.b.open();
        let (carries, xs) = (body.carries.len(), body.entries.len());
        let args: Vec<ValueId> = operands
            .iter()
            .enumerate()
            .map(|(i, &v)| {
                let mut ty = self.b.ty(v).clone();
                if (carries..carries + xs).contains(&i) {
                    ty.shape.remove(0);
                }
                self.b.arg(region, ty)
            })
            .collect();
        let mut inner =
            Inner { args: &args, carries, xs, made: BTreeMap::new(), closed: BTreeMap::new(), sunk: BTreeMap::new() };
        for p in (0..l.period).filter(|&p| !l.fixed[p]) {
            let o = l.op(&self.a.line, 0, p);
            let mut map = copy::ValueMap::new();
            let mut reads = Vec::new();
            for source in &body.sources[p] {
                reads.push(self.source(source, &mut inner));
            }
            map.extend(self.a.func.op(o).operands.iter().copied().zip(reads.iter().copied()));
            let new = copy::graft(&mut self.b, self.a.func, o, &mut map);
            // The same value may be two operands of the first iteration and no longer of the next.
            self.b.func.ops[new.index()].operands = reads;
            for (r, v) in self.a.func.op(o).results.iter().enumerate() {
                inner.made.insert((p, r), map[v]);
            }
        }
        let mut yields: Vec<ValueId> = body.carries.iter().map(|c| inner.made[&c.from]).collect();
        yields.extend(body.stacked.iter().map(|(at, _)| inner.made[at]));
        yields.extend(body.before.iter().map(|&(slot, _)| args[slot]));
        let region = self.b.close(yields);
        // What is said of the loop is said at the first line of a layer.
        let first = (0..l.period).find(|&p| !l.fixed[p]).unwrap_or_default();
        self.b.span = self.a.func.op(l.op(&self.a.line, 0, first)).span;
        let results = self.b.repeat(l.count as u64, body.reverse, carries, xs, &operands, region)?;
        let (finals, stacks) = results.split_at(carries);
        for (c, &v) in body.carries.iter().zip(finals) {
            let last = self.a.func.op(l.op(&self.a.line, l.count - 1, c.from.0)).results[c.from.1];
            self.made.insert(last, v);
        }
        let ids = body.stacked.iter().map(|s| s.1).chain(body.before.iter().map(|s| s.1));
        self.stacks.extend(ids.zip(stacks.iter().copied()));
        Ok(())
    }

    fn source(&mut self, s: &OperandSource, inner: &mut Inner<'_>) -> ValueId {
        match s {
            OperandSource::Here(p, r) => inner.made[&(*p, *r)],
            OperandSource::Carry(i) => inner.args[*i],
            OperandSource::Entry(i) => inner.args[inner.carries + i],
            OperandSource::Invariant(i) => inner.args[inner.carries + inner.xs + i],
            OperandSource::Closed(v) => self.closed(*v, &mut inner.closed),
            OperandSource::Sunk(slot, o, from) => {
                if let Some(&v) = inner.sunk.get(slot) {
                    return v;
                }
                let reads: Vec<ValueId> = from.iter().map(|s| self.source(s, inner)).collect();
                let data = self.a.func.op(*o);
                (self.b.span, self.b.phase) = (data.span, data.phase);
                let v = self.b.op(data.op.clone(), &reads);
                inner.sunk.insert(*slot, v);
                v
            }
        }
    }

    /// A copy of what makes a closed value, in the open region.
    fn closed(&mut self, old: ValueId, made: &mut BTreeMap<ValueId, ValueId>) -> ValueId {
        let old = self.a.same(old);
        if let Some(&v) = made.get(&old) {
            return v;
        }
        let o = self.a.func.def_op(old).expect("an input is not closed");
        let mut map = copy::ValueMap::new();
        for &v in &self.a.func.op(o).operands {
            let new = self.closed(v, made);
            map.insert(v, new);
        }
        copy::graft(&mut self.b, self.a.func, o, &mut map);
        made.insert(old, map[&old]);
        map[&old]
    }

    /// One op on stacks.
    fn pack(&mut self, index: usize) {
        let pack = &self.a.packs[index];
        let (n, data) = (pack.ops.len(), self.a.func.op(pack.ops[0]));
        (self.b.span, self.b.phase) = (data.span, data.phase);
        let mut operands = Vec::new();
        for part in &pack.operands {
            operands.push(match part {
                PackOperand::Stack(s) => {
                    let entries = self.a.stacks.entries(*s).to_vec();
                    self.stack(&entries)
                }
                PackOperand::Shared(v) => {
                    let x = self.value(*v);
                    let ty = list(self.b.ty(x), n);
                    let dims = (1..ty.rank()).collect();
                    self.b.op(Op::Broadcast { shape: ty.shape, dims }, &[x])
                }
            });
        }
        let first = n as u64;
        // What is packed has such a form (`pack`).
        let op = (data.op.entry().batch)(&data.op, &[first]).unwrap_or_else(|_| data.op.clone());
        let v = self.b.op(op, &operands);
        self.stacks.insert(pack.result, v);
    }

    fn outputs(&mut self) {
        let names = ports::names(self.a);
        // By input of the program as it was: its stack, and its place among the inputs now.
        let mut at = BTreeMap::new();
        let mut next = 0;
        for (i, _) in self.a.func.inputs.iter().enumerate() {
            match self.a.groups.iter().find(|(_, g)| g.contains(&i)) {
                Some((_, g)) if g.iter().min() != Some(&i) => {}
                _ => {
                    at.insert(i, next);
                    next += 1;
                }
            }
        }
        let outputs: Vec<(ValueId, _)> = self.a.func.body().yields.iter().copied().zip(&self.a.func.outputs).collect();
        for &(v, port) in &outputs {
            let group = port.updates.and_then(|i| self.a.groups.iter().find(|(_, g)| g.contains(&i)));
            let Some((s, group)) = group else {
                let v = self.value(v);
                let updates = port.updates.and_then(|i| at.get(&i).copied());
                self.b.output(v, meshloom_ir::Port { updates, ..ports::single(self.a, &names, port) });
                continue;
            };
            let next = |i: usize| outputs.iter().find(|(_, p)| p.updates == Some(i));
            let all: Option<Vec<_>> = group.iter().map(|&i| next(i)).collect();
            let Some(all) = all else { continue };
            let first = group.iter().min().copied();
            if port.updates != first {
                continue;
            }
            let values: Vec<ValueId> = all.iter().map(|o| self.a.same(o.0)).collect();
            let stack = self.stack(&values);
            let entries: Vec<_> = all.iter().map(|o| o.1).collect();
            let stacked = ports::stacked(self.a, &names, *s, port, &entries);
            let updates = first.and_then(|i| at.get(&i).copied());
            self.b.output(stack, meshloom_ir::Port { updates, ..stacked });
        }
    }
}

/// What the open body of a loop has so far.
struct Inner<'a> {
    args: &'a [ValueId],
    carries: usize,
    xs: usize,
    made: BTreeMap<(usize, usize), ValueId>,
    closed: BTreeMap<ValueId, ValueId>,
    sunk: BTreeMap<usize, ValueId>,
}

fn list(ty: &TensorType, n: usize) -> TensorType {
    let mut shape = vec![n as u64];
    shape.extend(&ty.shape);
    TensorType::new(ty.dtype, shape)
}
