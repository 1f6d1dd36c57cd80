//! Reverse mode over a graph with regions. It walks ops backwards, asks the op table for the rule of each op, and sums
//! cotangents in the order in which it meets them, so the result depends on the program alone.
//!
//! The forward program stays as it is, and backward ops are appended behind it. In the function's body, backward ops
//! read forward values directly. A repeat's backward body is another region, and reads the forward body through a
//! [`Frame`]. The frame binds loop xs and invariants as arguments, takes kept values ([`crate::stash`]) as extra ys of
//! the forward loop, and copies the producers of everything else.
//!
//! Rules get all operands and results whether they use them or not, so this makes values that nothing reads.
//! [`crate::prune()`] removes them, kept values included.

use crate::error::AutodiffError;
use crate::facts::{Facts, moves};
use crate::{parts, stash};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::graph::{Def, Value};
use meshloom_ir::table::GradCx;
use meshloom_ir::{Builder, Op, OpId, RegionId, TensorType, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// Cotangents of forward values, summed so far.
#[derive(Default)]
pub struct Cotangents(BTreeMap<ValueId, ValueId>);

impl Cotangents {
    pub fn get(&self, v: ValueId) -> Option<ValueId> {
        self.0.get(&v).copied()
    }

    pub fn take(&mut self, v: ValueId) -> Option<ValueId> {
        self.0.remove(&v)
    }
}

/// How one region's backward ops read its forward values.
struct Frame {
    /// The region that backward ops go to.
    here: RegionId,
    /// Forward values that are already here.
    map: ValueMap,
    /// For a repeat's body; `None` for the function's body, which has all forward values.
    repeat: Option<Reads>,
}

struct Reads {
    op: OpId,
    body: RegionId,
    carries: usize,
    xs: usize,
    trip: u64,
    /// What may be kept; see [`stash::keep`].
    keep: BTreeSet<ValueId>,
    /// Values of the enclosing region that the backward loop reads slice by slice, with its arguments for them.
    stacked: Vec<(ValueId, ValueId)>,
    /// Values of the enclosing region that it reads in every iteration.
    whole: Vec<(ValueId, ValueId)>,
}

pub struct Engine {
    pub b: Builder,
    pub facts: Facts,
    /// Whether loops keep rounded weights; see [`stash`].
    weights: bool,
    frames: Vec<Frame>,
}

impl Engine {
    pub fn new(b: Builder, facts: Facts, weights: bool) -> Engine {
        let here = b.region();
        let body = Frame { here, map: ValueMap::new(), repeat: None };
        Engine { b, facts, weights, frames: vec![body] }
    }

    /// Adds `ct` to the cotangent of the forward value `v`, if a parameter reaches it.
    pub fn add(&mut self, cts: &mut Cotangents, v: ValueId, ct: ValueId) {
        if !self.facts.get(v).active {
            return;
        }
        let sum = match cts.get(v) {
            Some(old) => parts::joined(&mut self.b, old, ct).unwrap_or_else(|| self.b.add(old, ct)),
            None => ct,
        };
        cts.0.insert(v, sum);
    }

    /// Propagates `cts` through `ops`, last first.
    pub fn backward(&mut self, ops: &[OpId], cts: &mut Cotangents) -> Result<(), AutodiffError> {
        for &o in ops.iter().rev() {
            let data = self.b.func.op(o);
            let reached = data.results.iter().any(|&r| cts.get(r).is_some());
            if !reached || !data.operands.iter().any(|&x| self.facts.get(x).active) {
                continue;
            }
            self.b.span = data.span;
            match data.op {
                Op::Repeat { early: true, .. } => return Err(AutodiffError::early_loop(data.span)),
                Op::Repeat { .. } => self.repeat(o, cts)?,
                Op::Composite { .. } => self.composite(o, cts)?,
                _ => self.simple(o, cts)?,
            }
        }
        Ok(())
    }

    /// An op of the table.
    fn simple(&mut self, o: OpId, cts: &mut Cotangents) -> Result<(), AutodiffError> {
        let data = self.b.func.op(o).clone();
        let Some(rule) = data.op.grad() else {
            return Err(AutodiffError::new(data.span, format!("`{}` has no gradient", data.op.name())));
        };
        let Some(ct) = cts.get(data.results[0]) else {
            return Ok(());
        };
        let operands = data.operands.iter().map(|&x| self.read(x)).collect::<Result<Vec<_>, _>>()?;
        let result = self.read(data.results[0])?;
        let made_from = self.b.func.ops.len();
        let grads = rule(&mut self.b, &GradCx { op: &data.op, operands: &operands, result, ct });
        for (&x, grad) in data.operands.iter().zip(grads) {
            let Some(grad) = grad else { continue };
            if self.facts.get(x).weight {
                self.tag_weight_grad(grad, made_from);
            }
            self.add(cts, x, grad);
        }
        Ok(())
    }

    /// Tags the contraction that a rule has just made (ops from `made_from` on) as making a parameter's gradient.
    pub(crate) fn tag_weight_grad(&mut self, mut v: ValueId, made_from: usize) {
        while let Some(o) = self.b.func.def_op(v).filter(|o| o.index() >= made_from) {
            let data = &mut self.b.func.ops[o.index()];
            match data.op {
                Op::DotGeneral(_) | Op::Scatter { .. } => {
                    data.weight_grad = true;
                    return;
                }
                ref op if moves(op) => v = data.operands[0],
                _ => return,
            }
        }
    }

    fn repeat(&mut self, o: OpId, cts: &mut Cotangents) -> Result<(), AutodiffError> {
        let data = self.b.func.op(o).clone();
        let Op::Repeat { trip, reverse, carries, xs, .. } = data.op else { unreachable!("called for repeats") };
        let body = data.regions[0];
        let region = self.b.func.region(body).clone();
        let active = |e: &Engine, i: &usize| e.facts.get(region.args[*i]).active;
        let carried: Vec<usize> = (0..carries).filter(|i| active(self, i)).collect();
        let sliced: Vec<usize> = (carries..carries + xs).filter(|i| active(self, i)).collect();
        let shared: Vec<usize> = (carries + xs..region.args.len()).filter(|i| active(self, i)).collect();

        // What the backward loop starts from: cotangents of the final carries, zero sums for the invariants.
        let mut operands = Vec::new();
        for &i in &carried {
            let ct = cts.get(data.results[i]);
            operands.push(ct.unwrap_or_else(|| self.b.constant_like(region.args[i], 0.0)));
        }
        for &i in &shared {
            operands.push(self.b.constant_like(region.args[i], 0.0));
        }

        let here = self.b.open();
        let mut args: Vec<ValueId> = Vec::new();
        for &i in carried.iter().chain(&shared) {
            let ty = self.b.ty(region.args[i]).clone();
            args.push(self.b.arg(here, ty));
        }
        let (mut stacked, mut ys) = (Vec::new(), Vec::new());
        for (&y, &r) in region.yields.iter().zip(&data.results).skip(carries) {
            if let Some(ct) = cts.get(r) {
                let ty = self.b.ty(y).clone();
                let arg = self.b.arg(here, ty);
                stacked.push((ct, arg));
                ys.push((y, arg));
            }
        }
        let weights = if self.weights && self.frames.len() == 1 { &region.args[carries..carries + xs] } else { &[] };
        let keep = stash::keep(&self.b.func, body, carries, weights);
        let reads = Reads { op: o, body, carries, xs, trip, keep, stacked, whole: Vec::new() };
        self.frames.push(Frame { here, map: ValueMap::new(), repeat: Some(reads) });

        let mut body_cts = Cotangents::default();
        for (&i, &ct) in carried.iter().zip(&args) {
            self.add(&mut body_cts, region.yields[i], ct);
        }
        for (y, ct) in ys {
            self.add(&mut body_cts, y, ct);
        }
        self.backward(&region.ops, &mut body_cts)?;
        self.b.span = data.span;

        let mut yields = Vec::new();
        for &i in &carried {
            yields.push(self.cotangent_or_zero(&body_cts, region.args[i]));
        }
        for (&i, &sum) in shared.iter().zip(&args[carried.len()..]) {
            yields.push(match body_cts.get(region.args[i]) {
                Some(ct) => self.b.add(sum, ct),
                None => sum,
            });
        }
        for &i in &sliced {
            yields.push(self.cotangent_or_zero(&body_cts, region.args[i]));
        }

        let frame = self.frames.pop().expect("pushed above");
        let reads = frame.repeat.expect("a repeat's frame");
        args.extend(reads.stacked.iter().map(|s| s.1));
        args.extend(reads.whole.iter().map(|s| s.1));
        for (i, a) in args.iter().enumerate() {
            self.b.func.values[a.index()].def = Def::Arg(here, i as u32);
        }
        self.b.func.regions[here.index()].args = args;
        let here = self.b.close(yields);
        for (outer, _) in reads.stacked.iter().chain(&reads.whole) {
            operands.push(self.read(*outer)?);
        }
        self.b.span = data.span;
        let n = carried.len() + shared.len();
        let results = self
            .b
            .repeat(trip, !reverse, n, reads.stacked.len(), &operands, here)
            .map_err(|e| AutodiffError::new(data.span, format!("the backward loop does not fit: {e}")))?;
        for (&i, &ct) in carried.iter().chain(&shared).chain(&sliced).zip(&results) {
            self.add(cts, data.operands[i], ct);
        }
        Ok(())
    }

    fn cotangent_or_zero(&mut self, cts: &Cotangents, v: ValueId) -> ValueId {
        cts.get(v).unwrap_or_else(|| self.b.constant_like(v, 0.0))
    }

    /// The forward value `v` as a value of the region that backward ops now go to.
    pub fn read(&mut self, v: ValueId) -> Result<ValueId, AutodiffError> {
        let mut stack = vec![v];
        while let Some(&v) = stack.last() {
            if self.here(v).is_some() {
                stack.pop();
                continue;
            }
            let value = self.b.func.value(v);
            let frame = self.frames.last().expect("the body's frame is never popped");
            let outside =
                || AutodiffError::new(value.span, "a loop body reads a value from outside that it is not given");
            let reads = frame.repeat.as_ref().ok_or_else(outside)?;
            match value.def {
                Def::Arg(r, i) if r == reads.body => self.bind(v, i as usize),
                Def::Op(o, _) if self.b.func.op(o).parent == reads.body => {
                    if reads.keep.contains(&v) {
                        self.stash(v);
                        continue;
                    }
                    let missing = self.b.func.op(o).operands.iter().copied().filter(|&x| self.here(x).is_none());
                    let missing: Vec<ValueId> = missing.collect();
                    if missing.is_empty() {
                        let mut map = std::mem::take(&mut self.top().map);
                        copy_op(&mut self.b, o, &mut map);
                        self.top().map = map;
                    }
                    stack.extend(missing);
                }
                _ => return Err(outside()),
            }
        }
        Ok(self.here(v).unwrap_or(v))
    }

    fn top(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the body's frame is never popped")
    }

    fn here(&self, v: ValueId) -> Option<ValueId> {
        let frame = self.frames.last()?;
        let region = match self.b.func.value(v).def {
            Def::Op(o, _) => self.b.func.op(o).parent,
            Def::Arg(r, _) => r,
        };
        if region == frame.here { Some(v) } else { frame.map.get(&v).copied() }
    }

    /// Makes argument `i` of the forward body readable: a carry is kept, xs and invariants are passed again.
    fn bind(&mut self, v: ValueId, i: usize) {
        let (op, carries, xs) = match &self.top().repeat {
            Some(r) => (r.op, r.carries, r.xs),
            None => return,
        };
        if i < carries {
            return self.stash(v);
        }
        let outer = self.b.func.op(op).operands[i];
        let arg = self.arg_for(v);
        if let Some(reads) = &mut self.top().repeat {
            let list = if i < carries + xs { &mut reads.stacked } else { &mut reads.whole };
            list.push((outer, arg));
        }
    }

    /// Makes the forward loop yield `v`, unless it does, and the backward loop read it.
    fn stash(&mut self, v: ValueId) {
        let (op, body, carries, trip) = match &self.top().repeat {
            Some(r) => (r.op, r.body, r.carries, r.trip),
            None => return,
        };
        let func = &mut self.b.func;
        let yielded = func.region(body).yields.iter().skip(carries).position(|&y| y == v);
        let all = match yielded {
            Some(at) => func.op(op).results[carries + at],
            None => {
                let old = func.value(v).clone();
                let mut shape = vec![trip];
                shape.extend(&old.ty.shape);
                let all = ValueId(func.values.len() as u32);
                let at = func.op(op).results.len() as u32;
                func.values.push(Value {
                    ty: TensorType::new(old.ty.dtype, shape),
                    def: Def::Op(op, at),
                    layout: None,
                    ..old
                });
                func.ops[op.index()].results.push(all);
                func.regions[body.index()].yields.push(v);
                all
            }
        };
        let arg = self.arg_for(v);
        if let Some(reads) = &mut self.top().repeat {
            reads.stacked.push((all, arg));
        }
        // An enclosing loop keeps what this one kept.
        let depth = self.frames.len() - 1;
        if let Some(outer) = self.frames[..depth].last_mut().and_then(|f| f.repeat.as_mut()) {
            outer.keep.insert(all);
        }
    }

    /// A new argument of the backward body, standing for the forward value `v`.
    fn arg_for(&mut self, v: ValueId) -> ValueId {
        let (old, here) = (self.b.func.value(v).clone(), self.top().here);
        let arg = self.b.arg(here, old.ty);
        let value = &mut self.b.func.values[arg.index()];
        (value.name, value.span) = (old.name, old.span);
        self.top().map.insert(v, arg);
        arg
    }
}
