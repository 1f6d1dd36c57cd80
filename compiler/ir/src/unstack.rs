//! Takes stacks apart. A list of layers is one tensor per parameter, with the layers along dim 0; where a program's loops over
//! layers were cut ([`crate::segments`]), each segment reads its own layers only. This module makes an input of each such run of
//! layers, and computes what is made of the stack run by run: casts, gathers over mesh axes, sums of gradients, optimizer
//! updates. What the program computes does not change, but for the order of sums over layers.
//!
//! A value is *apart* where it is made of a stack that is apart, and its rows can be computed from rows. Where something reads it
//! as a whole, its runs are concatenated.
//!
//! Nobody has to believe the result: `certify::staged` proves what is made of it. This module is deterministic and depends on
//! nothing but the order of the program. Not here: where layers are cut (`stage`).

pub mod rows;
pub mod spread;

use crate::builder::Builder;
use crate::copy::{ValueMap, graft};
use crate::graph::{Def, Func, OpData, OpId, Port, Region, RegionId, Value, ValueId};
use crate::op::Op;
use std::collections::BTreeMap;
use std::ops::Range;

/// An input that is taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// Which input of the function.
    pub input: usize,
    /// 0, where runs begin, and how many layers there are; rising.
    pub bounds: Vec<u64>,
}

/// A program whose stacks were taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unstacked {
    pub func: Func,
    /// By input: the input of the given program, and which of its layers it has, where not all.
    pub inputs: Vec<Layers>,
    /// By output, the same.
    pub outputs: Vec<Layers>,
}

/// A port of the given program, and the layers `lo..hi` of it, where it was taken apart.
pub type Layers = (usize, Option<(u64, u64)>);

/// Takes `stacks` apart.
///
/// # Errors
/// An input that is no stack of so many layers on each device.
pub fn unstack(func: &Func, stacks: &[Stack]) -> Result<Unstacked, String> {
    let mut u = Unstacker {
        old: func,
        apart: vec![None; func.values.len()],
        b: Builder::resume(Func::like(func)),
        bounds: Vec::new(),
        inputs: Vec::new(),
    };
    for s in stacks {
        let (Some(port), Some(&v)) = (func.inputs.get(s.input), func.body().args.get(s.input)) else {
            return Err("a stack that is no input of the program".into());
        };
        let whole = func.value(v).layout.as_ref().is_none_or(|l| l.dims.first().is_some_and(Vec::is_empty));
        let fits = s.bounds.first() == Some(&0) && s.bounds.last() == func.ty(v).shape.first();
        if !port.stacked || !whole || !fits || !s.bounds.is_sorted_by(|a, b| a < b) {
            return Err(format!("`{}` is no stack that can be cut at {:?}", port.name, s.bounds));
        }
        let at = u.bounds.iter().position(|b| *b == s.bounds).unwrap_or_else(|| {
            u.bounds.push(s.bounds.clone());
            u.bounds.len() - 1
        });
        u.apart[v.index()] = Some(at);
    }
    while u.spread(Func::BODY) {}
    u.body();
    let mut new = u.b.finish();
    let outputs;
    (new.outputs, outputs) = handed_out(func, &u.apart, &u.bounds, &u.inputs);
    Ok(Unstacked { func: new, inputs: u.inputs, outputs })
}

/// A port of the layers `lo..hi` of a stack: it has the name of the whole.
fn part(port: &Port, layers: (u64, u64)) -> Port {
    let entries = port.entries.iter().skip(layers.0 as usize).take((layers.1 - layers.0) as usize).cloned().collect();
    Port { first_layer: port.first_layer + layers.0, entries, ..port.clone() }
}

/// The outputs: those that are the next values of inputs that are apart are apart as well.
fn handed_out(
    func: &Func,
    apart: &[Option<usize>],
    bounds: &[Vec<u64>],
    inputs: &[Layers],
) -> (Vec<Port>, Vec<Layers>) {
    let at = |input: usize, lo: u64| inputs.iter().position(|x| x.0 == input && x.1.is_none_or(|l| l.0 == lo));
    let (mut ports, mut layers) = (Vec::new(), Vec::new());
    for (i, port) in func.outputs.iter().enumerate() {
        match port.updates.and_then(|i| apart[func.body().args[i].index()]) {
            Some(b) => bounds[b].windows(2).for_each(|w| {
                ports.push(Port { updates: port.updates.and_then(|i| at(i, w[0])), ..part(port, (w[0], w[1])) });
                layers.push((i, Some((w[0], w[1]))));
            }),
            None => {
                ports.push(Port { updates: port.updates.and_then(|i| at(i, 0)), ..port.clone() });
                layers.push((i, None));
            }
        }
    }
    (ports, layers)
}

struct Unstacker<'f> {
    old: &'f Func,
    /// By value: at which bounds it is apart.
    apart: Vec<Option<usize>>,
    b: Builder,
    bounds: Vec<Vec<u64>>,
    inputs: Vec<Layers>,
}

/// What the values of one region have become.
#[derive(Default)]
struct Here {
    whole: ValueMap,
    /// Runs of rows, by value and bounds.
    runs: BTreeMap<(ValueId, usize), Vec<ValueId>>,
}

impl Unstacker<'_> {
    /// Marks values of a region as apart that are made of such; whether that is news.
    fn spread(&mut self, region: RegionId) -> bool {
        let mut new = false;
        for &o in &self.old.region(region).ops {
            let data = self.old.op(o);
            match &data.op {
                &Op::Repeat { carries, xs, early: false, .. } => {
                    let body = self.old.region(data.regions[0]);
                    for (i, (&arg, &operand)) in body.args.iter().zip(&data.operands).enumerate() {
                        let from = if i < carries { body.yields[i] } else { operand };
                        if i < carries || i >= carries + xs {
                            new |= self.mark(arg, self.apart[from.index()]);
                        }
                    }
                    new |= self.spread(data.regions[0]);
                    for (&arg, &r) in body.args.iter().zip(&data.results).take(carries) {
                        new |= self.mark(r, self.apart[arg.index()]);
                    }
                }
                Op::Concatenate { dim: 0 } => {
                    let (mut whole, mut apart, mut end) = (vec![0], vec![0], 0);
                    for v in &data.operands {
                        let inner = self.apart[v.index()].map_or(&[][..], |at| &self.bounds[at]);
                        apart.extend(inner.iter().skip(1).rev().skip(1).rev().map(|b| end + b));
                        end += self.old.ty(*v).shape[0];
                        apart.push(end);
                        whole.push(end);
                    }
                    let at = self.bounds.iter().position(|b| *b == apart || *b == whole);
                    new |= self.mark(data.results[0], at);
                }
                Op::Slice { .. } if self.runs_of(o).is_some_and(|(_, runs)| runs.len() > 1) => {
                    let Some((at, runs)) = self.runs_of(o) else { continue };
                    let of = &self.bounds[at][runs.start..=runs.end];
                    let of: Vec<u64> = of.iter().map(|b| b - of[0]).collect();
                    let found = self.bounds.iter().position(|b| *b == of).unwrap_or_else(|| {
                        self.bounds.push(of);
                        self.bounds.len() - 1
                    });
                    new |= self.mark(data.results[0], Some(found));
                }
                _ => {
                    let Some(by) = rows::operands(self.old, o) else { continue };
                    let all = data.operands.iter().zip(by).filter(|x| x.1);
                    let found = all.filter_map(|(v, _)| self.apart[v.index()]).min();
                    new |= self.mark(data.results[0], found);
                }
            }
        }
        new
    }

    fn mark(&mut self, v: ValueId, at: Option<usize>) -> bool {
        let unsplit = self.old.value(v).layout.as_ref().is_none_or(|l| l.dims.first().is_some_and(Vec::is_empty));
        let rows = |at: &usize| self.old.ty(v).shape.first() == self.bounds[*at].last();
        let Some(at) = at.filter(|a| unsplit && rows(a) && self.apart[v.index()].is_none()) else { return false };
        self.apart[v.index()] = Some(at);
        true
    }

    fn body(&mut self) {
        let mut here = Here::default();
        let old = self.old.body();
        for (i, &a) in old.args.iter().enumerate() {
            let port = &self.old.inputs[i];
            let Some(at) = self.apart[a.index()] else {
                let v = self.arg(a, Func::BODY);
                here.whole.insert(a, v);
                self.b.func.inputs.push(port.clone());
                self.inputs.push((i, None));
                continue;
            };
            let mut runs = Vec::new();
            for w in self.bounds[at].clone().windows(2) {
                let v = self.arg(a, Func::BODY);
                self.resize(v, w[1] - w[0]);
                let port = part(port, (w[0], w[1]));
                self.b.func.values[v.index()].name = Some(port.name.clone());
                self.b.func.inputs.push(port);
                self.inputs.push((i, Some((w[0], w[1]))));
                runs.push(v);
            }
            here.runs.insert((a, at), runs);
        }
        self.ops(Func::BODY, Func::BODY, &mut here);
        let mut yields = Vec::new();
        for (port, &y) in self.old.outputs.iter().zip(&old.yields) {
            match port.updates.and_then(|i| self.apart[old.args[i].index()]) {
                Some(at) => (0..self.bounds[at].len() - 1).for_each(|k| {
                    let v = self.run(y, at, k, Func::BODY, &mut here);
                    yields.push(v);
                }),
                None => yields.push(self.whole(y, Func::BODY, &mut here)),
            }
        }
        self.b.func.regions[0].yields = yields;
    }

    fn arg(&mut self, of: ValueId, region: RegionId) -> ValueId {
        let n = self.b.func.region(region).args.len() as u32;
        let v = self.value(of, Def::Arg(region, n));
        self.b.func.regions[region.index()].args.push(v);
        v
    }

    fn value(&mut self, of: ValueId, def: Def) -> ValueId {
        let id = ValueId(self.b.func.values.len() as u32);
        self.b.func.values.push(Value { def, ..self.old.value(of).clone() });
        id
    }

    fn resize(&mut self, v: ValueId, rows: u64) {
        self.b.func.values[v.index()].ty.shape[0] = rows;
    }

    fn push(&mut self, of: OpId, op: Op, operands: Vec<ValueId>, to: RegionId) -> OpId {
        let id = OpId(self.b.func.ops.len() as u32);
        let data = self.old.op(of).clone();
        self.b.func.ops.push(OpData { op, operands, results: Vec::new(), regions: Vec::new(), parent: to, ..data });
        self.b.func.regions[to.index()].ops.push(id);
        id
    }

    fn result(&mut self, of: ValueId, id: OpId) -> ValueId {
        let i = self.b.func.op(id).results.len() as u32;
        let v = self.value(of, Def::Op(id, i));
        self.b.func.ops[id.index()].results.push(v);
        v
    }

    fn ops(&mut self, from: RegionId, to: RegionId, here: &mut Here) {
        for &o in &self.old.region(from).ops.clone() {
            self.op(o, to, here);
        }
    }

    fn op(&mut self, o: OpId, to: RegionId, here: &mut Here) {
        let data = self.old.op(o);
        let apart = |v: &ValueId| self.apart[v.index()];
        match &data.op {
            Op::Repeat { early: false, .. } if self.touched(o) => self.repeat(o, to, here),
            Op::Concatenate { dim: 0 } if apart(&data.results[0]).is_some() => {
                let Some(at) = apart(&data.results[0]) else { return };
                let (mut runs, mut begin) = (Vec::new(), 0);
                for &x in &data.operands {
                    let end = begin + self.old.ty(x).shape[0];
                    let own = self.bounds[at].iter().filter(|b| (begin..=end).contains(*b)).map(|b| b - begin);
                    let own: Vec<u64> = own.collect();
                    // An operand of several runs is apart at their bounds: that is how the whole was marked.
                    let of = self.apart[x.index()].filter(|&of| own.len() > 2 && self.bounds[of] == own);
                    match of {
                        Some(of) => (0..own.len() - 1).for_each(|k| runs.push(self.run(x, of, k, to, here))),
                        None => runs.push(self.whole(x, to, here)),
                    }
                    begin = end;
                }
                here.runs.insert((data.results[0], at), runs);
            }
            Op::Slice { .. } if self.runs_of(o).is_some() => {
                let Some((at, of)) = self.runs_of(o) else { return };
                let runs: Vec<ValueId> = of.map(|k| self.run(data.operands[0], at, k, to, here)).collect();
                match (&runs[..], self.apart[data.results[0].index()]) {
                    (&[run], _) => drop(here.whole.insert(data.results[0], run)),
                    (_, Some(at)) => drop(here.runs.insert((data.results[0], at), runs)),
                    (_, None) => {
                        let v = self.added(Op::Concatenate { dim: 0 }, &runs, data.results[0], to);
                        here.whole.insert(data.results[0], v);
                    }
                }
            }
            Op::Reduce { kind, dims } if dims.contains(&0) && apart(&data.operands[0]).is_some() => {
                let Some(at) = apart(&data.operands[0]) else { return };
                let mut sum = None;
                for k in 0..self.bounds[at].len() - 1 {
                    let x = self.run(data.operands[0], at, k, to, here);
                    let id = self.push(o, data.op.clone(), vec![x], to);
                    let v = self.result(data.results[0], id);
                    sum = Some(match (sum, Op::elem(kind.elementwise())) {
                        (Some(s), Some(op)) => {
                            let id = self.push(o, op, vec![s, v], to);
                            self.result(data.results[0], id)
                        }
                        _ => v,
                    });
                }
                here.whole.extend(sum.map(|s| (data.results[0], s)));
            }
            _ => match data.results.first().and_then(apart) {
                Some(at) if rows::operands(self.old, o).is_some() => {
                    let runs = (0..self.bounds[at].len() - 1).map(|k| self.rows(o, at, k, to, here)).collect();
                    here.runs.insert((data.results[0], at), runs);
                }
                _ => {
                    for &x in &data.operands {
                        self.whole(x, to, here);
                    }
                    let old = self.old;
                    self.b.within(to, |b| graft(b, old, o, &mut here.whole));
                }
            },
        }
    }

    /// Whether a loop takes or carries what is apart.
    fn touched(&self, o: OpId) -> bool {
        let data = self.old.op(o);
        let args = &self.old.region(data.regions[0]).args;
        args.iter().any(|a| self.apart[a.index()].is_some())
    }

    /// Of a slice: the runs of rows that it is, one or more.
    fn runs_of(&self, o: OpId) -> Option<(usize, Range<usize>)> {
        let data = self.old.op(o);
        let (Op::Slice { start, limit }, x) = (&data.op, data.operands[0]) else { return None };
        let at = self.apart[x.index()]?;
        let shape = &self.old.ty(x).shape;
        let rest = (1..shape.len()).all(|d| start[d] == 0 && limit[d] == shape[d]);
        let end = |n: u64| self.bounds[at].iter().position(|b| *b == n);
        let (first, last) = (end(start[0])?, end(limit[0])?);
        (rest && first < last).then_some((at, first..last))
    }

    /// The op at `o` for the rows of run `k` alone.
    fn rows(&mut self, o: OpId, at: usize, k: usize, to: RegionId, here: &mut Here) -> ValueId {
        let n = self.bounds[at][k + 1] - self.bounds[at][k];
        let data = self.old.op(o);
        let by = rows::operands(self.old, o).unwrap_or_default();
        let operands = data.operands.iter().zip(by).map(|(&x, rows)| match rows {
            true => self.run(x, at, k, to, here),
            false => self.whole(x, to, here),
        });
        let operands = operands.collect();
        let id = self.push(o, rows::resized(self.old, o, n), operands, to);
        let v = self.result(data.results[0], id);
        self.resize(v, n);
        v
    }

    /// The rows of run `k` of a value.
    fn run(&mut self, x: ValueId, at: usize, k: usize, to: RegionId, here: &mut Here) -> ValueId {
        if let Some(runs) = here.runs.get(&(x, at)) {
            return runs[k];
        }
        // What costs nothing is made in parts.
        let free = |o: &OpId| matches!(self.old.op(*o).op, Op::Constant { .. } | Op::Broadcast { .. });
        let made =
            self.old.def_op(x).filter(|o| free(o) && rows::operands(self.old, *o).is_some_and(|r| !r.contains(&true)));
        let runs = (0..self.bounds[at].len() - 1).map(|k| match made {
            Some(o) => self.rows(o, at, k, to, here),
            None => {
                let whole = self.whole(x, to, here);
                let shape = self.old.ty(x).shape.clone();
                let (mut start, mut limit) = (vec![0; shape.len()], shape);
                (start[0], limit[0]) = (self.bounds[at][k], self.bounds[at][k + 1]);
                self.added(Op::Slice { start, limit }, &[whole], x, to)
            }
        });
        let runs: Vec<ValueId> = runs.collect();
        let v = runs[k];
        here.runs.insert((x, at), runs);
        v
    }

    /// A value as a whole.
    fn whole(&mut self, x: ValueId, to: RegionId, here: &mut Here) -> ValueId {
        if let Some(&v) = here.whole.get(&x) {
            return v;
        }
        let runs = self.apart[x.index()].and_then(|at| here.runs.get(&(x, at)).cloned()).unwrap_or_default();
        let v = self.added(Op::Concatenate { dim: 0 }, &runs, x, to);
        here.whole.insert(x, v);
        v
    }

    /// An op that the given program does not have, whose result is `of` or rows of it.
    fn added(&mut self, op: Op, operands: &[ValueId], of: ValueId, to: RegionId) -> ValueId {
        let old = self.old.value(of);
        if let Def::Op(o, _) = old.def {
            (self.b.span, self.b.phase) = (self.old.op(o).span, self.old.op(o).phase);
        }
        let v = self.b.within(to, |b| b.op(op, operands));
        self.b.func.values[v.index()].layout.clone_from(&old.layout);
        v
    }

    fn repeat(&mut self, o: OpId, to: RegionId, here: &mut Here) {
        let data = self.old.op(o).clone();
        let Op::Repeat { trip, reverse, carries, xs, .. } = data.op else { return };
        let body = self.old.region(data.regions[0]).clone();
        let mut inner = Here::default();
        // Operands and arguments, each whole or in runs.
        let mut operands: Vec<ValueId> = Vec::new();
        let mut count = (0, 0);
        let id = self.push(o, data.op.clone(), Vec::new(), to);
        let region = RegionId(self.b.func.regions.len() as u32);
        self.b.func.regions.push(Region { owner: Some(id), ..Region::default() });
        self.b.func.ops[id.index()].regions.push(region);
        for (i, (&a, &x)) in body.args.iter().zip(&data.operands).enumerate() {
            let first = operands.len();
            match self.apart[a.index()] {
                Some(at) => {
                    let mut runs = Vec::new();
                    for k in 0..self.bounds[at].len() - 1 {
                        operands.push(self.run(x, at, k, to, here));
                        let v = self.arg(a, region);
                        self.resize(v, self.bounds[at][k + 1] - self.bounds[at][k]);
                        runs.push(v);
                    }
                    inner.runs.insert((a, at), runs);
                }
                None => {
                    operands.push(self.whole(x, to, here));
                    let v = self.arg(a, region);
                    inner.whole.insert(a, v);
                }
            }
            let added = operands.len() - first;
            count.0 += if i < carries { added } else { 0 };
            count.1 += if (carries..carries + xs).contains(&i) { added } else { 0 };
        }
        self.ops(data.regions[0], region, &mut inner);
        let mut yields = Vec::new();
        for (i, (&y, &r)) in body.yields.iter().zip(&data.results).enumerate() {
            match self.apart[body.args.get(i).map_or(0, |a| a.index())].filter(|_| i < carries) {
                Some(at) => {
                    let mut runs = Vec::new();
                    for k in 0..self.bounds[at].len() - 1 {
                        yields.push(self.run(y, at, k, region, &mut inner));
                        let v = self.result(r, id);
                        self.resize(v, self.bounds[at][k + 1] - self.bounds[at][k]);
                        runs.push(v);
                    }
                    here.runs.insert((r, at), runs);
                }
                None => {
                    yields.push(self.whole(y, region, &mut inner));
                    let v = self.result(r, id);
                    here.whole.insert(r, v);
                }
            }
        }
        self.b.func.regions[region.index()].yields = yields;
        let made = &mut self.b.func.ops[id.index()];
        made.operands = operands;
        made.op = Op::Repeat { trip, reverse, carries: count.0, xs: count.1, early: false };
        // Runs of its operands may have been made after it.
        let ops = &mut self.b.func.regions[to.index()].ops;
        ops.retain(|&x| x != id);
        ops.push(id);
    }
}
