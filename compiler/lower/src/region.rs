//! The steps of a region: buffers for its values, its kernels in order, and its loops.
//!
//! A loop keeps a carry in two slots that alternate by iteration. Where the forward pass stashes the carry as it comes
//! in, the carry stays in the stack of stashed values, which has one slot more. Iteration `i` then reads slot `i` and
//! writes slot `i + 1`, and nothing is copied. A carry that one kernel updates in place, such as a sum over microbatches, has one
//! slot ([`crate::inplace`]).

use crate::call::CallKind;
use crate::error::LowerError;
use crate::fuse::{Kind, fuse};
use crate::inplace;
use crate::joined::joined;
use crate::memory::{Collective, Exit, Ref, Scope, Step};
use crate::state::Lowering;
use crate::view::{Home, View, Views, dense_strides};
use meshloom_bundle::held_as;
use meshloom_bundle::program::{ALIGN, CollectiveKind, LOOPS, LoopIndex, Number};
use meshloom_ir::table::comm::Effect;
use meshloom_ir::{Class, Def, Literal, Op, OpId, RegionId, Scalar, TensorType, ValueId};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

impl Lowering<'_> {
    /// Schedules a region whose arguments have these views. `targets` are places into which values should be written
    /// directly. A value is written there only if its strides are those of the place. Returns the steps, and the views
    /// of all values with memory.
    ///
    /// # Errors
    /// An op that the device cannot run.
    pub fn region(&mut self, region: RegionId, args: Views, targets: &Views) -> Result<(Vec<Step>, Views), LowerError> {
        let fusion = fuse(self.func, &self.facts, region, &args)?;
        let mut views = args.clone();
        let mut loops: BTreeMap<OpId, Vec<View>> = BTreeMap::new();
        for &v in &fusion.memory {
            let strides = self.facts.storage.strides(v);
            // A carry ends in one of its slots, whatever its target.
            let carry = matches!(self.func.value(v).def, Def::Op(o, i)
                if matches!(self.func.op(o).op, Op::Repeat { carries, .. } if (i as usize) < carries));
            if let Some(t) = targets.get(&v).filter(|t| !carry && t.strides == strides && t.shard.is_none()) {
                views.insert(v, t.clone());
            } else if self.func.def_op(v).is_none_or(|o| !matches!(self.func.op(o).op, Op::Repeat { .. })) {
                let buf = self.buffer_of(v, self.func.ty(v).bytes());
                views.insert(v, View { home: Home::fixed(buf), offset: 0, strides, shard: None });
            }
        }
        // Parts of a concatenation are written straight into its result.
        let parts = joined(self.func, region);
        for (&part, at) in &parts {
            let strides = self.facts.storage.strides(part);
            let free = fusion.memory.contains(&part) && !targets.contains_key(&part);
            let fits = |w: &&View| free && w.strides.get(at.lead..) == Some(&strides) && w.shard.is_none();
            if let Some(whole) = views.get(&at.whole).filter(fits) {
                let mut first = vec![0; whole.strides.len()];
                first[0] = at.start;
                views.insert(part, View { strides, ..whole.slice(&first) });
            }
        }
        // Loops place their own results.
        for n in &fusion.nodes {
            if let Kind::Op(o) = n.kind
                && let Op::Repeat { .. } = self.func.op(o).op
            {
                let carries = self.loop_memory(o, &mut views)?;
                // What a carry starts as is computed in its slot, where nothing else reads it.
                for (&v, slot) in self.func.op(o).operands.iter().zip(&carries) {
                    let plain = self.func.def_op(v).is_some_and(|d| !matches!(self.func.op(d).op, Op::Repeat { .. }));
                    let own = plain && self.uses[v.index()] == 1 && fusion.memory.contains(&v);
                    let whole = |x: &View| x.offset == 0 && x.strides == slot.strides && x.shard.is_none();
                    if own && !targets.contains_key(&v) && !parts.contains_key(&v) && views.get(&v).is_some_and(whole) {
                        views.insert(v, slot.clone());
                    }
                }
                loops.insert(o, carries);
            }
        }
        let mut steps = Vec::new();
        for n in &fusion.nodes {
            match &n.kind {
                Kind::Rows { space, roots } => steps.extend(self.rows(&views, space, roots)?),
                Kind::Summed { space, roots, sums } => steps.extend(self.summed(&views, space, roots, sums)?),
                Kind::Columns { of, dims, roots } => steps.extend(self.columns(&views, of, dims, roots)?),
                Kind::Dot { op, stored, inside, sum } => {
                    steps.extend(self.dot(&views, *op, stored, inside, *sum)?);
                }
                Kind::Reflow { root } => steps.extend(self.reflow(&views, *root)?),
                Kind::Dense { root } => {
                    let op = self.func.region(region).ops.first().copied().unwrap_or(OpId(0));
                    steps.push(self.copy(op, self.func.ty(*root), &args[root], &views[root], &[])?);
                }
                Kind::Receive(k) => {
                    let r = &self.facts.received[*k];
                    let (home, bytes) = (views[&r.value].home, self.func.ty(r.value).bytes());
                    steps.push(Step::Receive(r.wire, Ref { home, offset: 0, bytes }));
                }
                Kind::Op(o) => match &self.func.op(*o).op {
                    Op::Composite { .. } => steps.extend(self.attention(&views, *o)?),
                    Op::Scatter { .. } => steps.extend(self.scatter(&views, *o)?),
                    op if matches!(op.class(), Class::Scan | Class::Sort) => steps.push(self.ordered(&views, *o)?),
                    Op::Pad { .. } | Op::Concatenate { .. } => steps.extend(self.parts(&views, *o)?),
                    Op::Repeat { .. } => {
                        let carries = loops.remove(o).unwrap_or_default();
                        steps.extend(self.repeat(&mut views, *o, &carries)?);
                    }
                    Op::Constant { value: Literal::Dense(values), .. } => {
                        steps.extend(self.numbers(&views, *o, values))
                    }
                    Op::Constant { .. } => {}
                    _ => steps.push(self.collective(&views, *o)?),
                },
            }
        }
        Ok((crate::bucket::bucket(steps), views))
    }

    /// The elements of an array of constants, one by one.
    fn numbers(&self, views: &Views, op: OpId, values: &[Scalar]) -> Vec<Step> {
        let r = self.func.op(op).results[0];
        // The op's place may be a part of a concatenation.
        let (dtype, place) = (self.func.ty(r).dtype, &views[&r]);
        let fill = |(i, s): (usize, &Scalar)| {
            let (n, offset) = (dtype.bytes(), place.offset as u64 + i as u64);
            let dst = Ref { home: place.home, offset: offset * n, bytes: n };
            Step::Fill { dst, dtype: held_as(dtype), count: 1, value: number(*s) }
        };
        values.iter().enumerate().map(fill).collect()
    }

    fn collective(&self, views: &Views, op: OpId) -> Result<Step, LowerError> {
        let data = self.func.op(op);
        let (x, r) = (data.operands[0], data.results[0]);
        let (from, to) = (self.func.ty(x), self.func.ty(r));
        let around =
            |shape: &[u64], d: usize| -> (u64, u64) { (shape[..d].iter().product(), shape[d + 1..].iter().product()) };
        let Effect { reduced, gathered, split } = data.op.effect();
        let kind = match (reduced, gathered.map(|g| g.0), split) {
            _ if !data.op.communicates() => None,
            (Some(reduction), None, None) => Some(CollectiveKind::AllReduce { reduction, count: from.elements() }),
            (None, Some(dim), None) => {
                let (outer, inner) = around(&from.shape, dim);
                Some(CollectiveKind::AllGather { outer, block: from.shape[dim], inner })
            }
            (Some(reduction), None, Some(dim)) => {
                let (outer, inner) = around(&from.shape, dim);
                Some(CollectiveKind::ReduceScatter { reduction, outer, block: to.shape[dim], inner })
            }
            (None, Some(concat), Some(split)) => {
                let (lo, hi) = (split.min(concat), split.max(concat));
                Some(CollectiveKind::AllToAll {
                    split_first: split < concat,
                    outer: from.shape[..lo].iter().product(),
                    split: to.shape[split],
                    middle: from.shape[lo + 1..hi].iter().product(),
                    concat: from.shape[concat],
                    inner: from.shape[hi + 1..].iter().product(),
                })
            }
            (None, None, None) => data
                .op
                .pairs(&self.func.mesh)
                .map(|pairs| CollectiveKind::CollectivePermute { count: from.elements(), pairs }),
            _ => None,
        };
        let Some(kind) = kind else {
            let message = format!("`{}` cannot be scheduled", data.op.name());
            return Err(LowerError { message, span: data.span });
        };
        let axes = data.op.collective_axes().unwrap_or_default().iter().map(|a| u32::from(a.0)).collect();
        let whole = |view: &View, ty: &TensorType| Ref {
            home: view.home,
            offset: view.offset as u64 * ty.dtype.bytes(),
            bytes: ty.bytes(),
        };
        let (src, dst) = (self.row_major_operand(views, op, x)?, self.row_major(op, r, &views[&r])?);
        Ok(Step::Collective(Box::new(Collective {
            kind,
            axes,
            dtype: held_as(from.dtype),
            src: whole(&src, from),
            dst: whole(dst, to),
            span: data.span,
            ops: vec![self.origin(op)],
            rematerialized: data.is_rematerialized(),
            call: CallKind::of(self.func, op),
        })))
    }

    /// Makes the buffers of a loop's carries and stacks. Adds the views of the loop's results. Returns the view of each
    /// carry in iteration 0.
    fn loop_memory(&mut self, op: OpId, views: &mut Views) -> Result<Vec<View>, LowerError> {
        let data = self.func.op(op).clone();
        let Op::Repeat { trip, reverse, carries, .. } = data.op else { return Ok(Vec::new()) };
        if self.depth == LOOPS {
            let message = format!("loops nested more than {LOOPS} deep; write the innermost one out");
            return Err(LowerError { message, span: data.span });
        }
        let body = self.func.region(data.regions[0]).clone();
        let mut firsts = Vec::new();
        for k in 0..carries {
            let ty = self.func.ty(data.results[k]).clone();
            let n = ty.elements();
            // A carry that is stashed as it comes in stays in the stack, if that is on the device.
            let here = |j: usize| !views.contains_key(&data.results[j]) && !self.stashes.contains(&data.results[j]);
            let stack = (carries..body.yields.len()).find(|&j| !reverse && body.yields[j] == body.args[k] && here(j));
            let (slots, slot_bytes) = match stack {
                Some(_) => (trip + 1, ty.bytes()),
                None => (2, ty.bytes().div_ceil(ALIGN) * ALIGN),
            };
            let buf = self.buffer_of(data.results[k], slots * slot_bytes);
            let stride = slot_bytes / ty.dtype.bytes();
            let first = View::dense(Home::fixed(buf), &ty.shape);
            if data.op.ends_early() {
                // The slot in which the carry is left is known when the loop ends. It is copied from there.
                let out = self.buffer_of(data.results[k], ty.bytes());
                views.entry(data.results[k]).or_insert(View::dense(Home::fixed(out), &ty.shape));
                firsts.push(first);
                continue;
            }
            let last = if stack.is_some() { trip } else { trip % 2 };
            let at = View { offset: (last * stride) as i64, ..first.clone() };
            views.entry(data.results[k]).or_insert(at);
            if let Some(j) = stack {
                let mut strides = vec![n as i64];
                strides.extend(dense_strides(&ty.shape));
                views.insert(data.results[j], View { home: Home::fixed(buf), offset: 0, strides, shard: None });
            }
            firsts.push(first);
        }
        for j in carries..data.results.len() {
            let r = data.results[j];
            if let Entry::Vacant(place) = views.entry(r) {
                let slots = self.ring_values.get(&r).copied();
                let buf = self.buffer_of(r, self.func.ty(r).bytes() / trip.max(1) * slots.unwrap_or(trip));
                self.rings.extend(slots.map(|n| (buf, n)));
                let strides = self.facts.storage.strides(r);
                self.buffers[buf.0].host = self.stashes.contains(&r);
                place.insert(View { home: Home::fixed(buf), offset: 0, strides, shard: None });
            }
        }
        Ok(firsts)
    }

    fn repeat(&mut self, views: &mut Views, op: OpId, firsts: &[View]) -> Result<Vec<Step>, LowerError> {
        let data = self.func.op(op).clone();
        let Op::Repeat { trip, reverse, carries, xs, early } = data.op else { return Ok(Vec::new()) };
        let body_id = data.regions[0];
        let body = self.func.region(body_id).clone();
        let mut steps = Vec::new();
        let mut args = Views::new();
        let mut targets = Views::new();
        let depth = self.depth;
        let along =
            |delta: i64| if reverse { LoopIndex::IterReversed { trip, delta } } else { LoopIndex::Iter { delta } };
        // One slice of a stacked view, which moves with the iteration.
        let rings = self.rings.clone();
        let slot_of = |view: &View| match rings.get(&view.home.buf) {
            // Its entries are microbatches, and the loops over those are the outermost.
            Some(&period) if depth == 0 => LoopIndex::IterMod { delta: 0, period },
            _ => along(0),
        };
        let slice = |view: &View, dtype: meshloom_ir::DType| View {
            home: view.home.with(depth, view.strides[0] as u64 * dtype.bytes(), slot_of(view)),
            offset: view.offset,
            strides: view.strides[1..].to_vec(),
            shard: view.shard.clone(),
        };
        let mut ends: Vec<(ValueId, View)> = Vec::new();
        for (k, first) in firsts.iter().enumerate() {
            let ty = self.func.ty(data.operands[k]).clone();
            let init = self.operand(views, op, data.operands[k])?;
            if init != *first {
                steps.push(self.copy(op, &ty, &init, first, &[])?);
            }
            let stacked = (carries..body.yields.len()).any(|j| views[&data.results[j]].home.buf == first.home.buf);
            let slot = |delta: i64| {
                let index = if stacked { LoopIndex::Iter { delta } } else { LoopIndex::IterMod { delta, period: 2 } };
                let stride = if stacked { ty.bytes() } else { ty.bytes().div_ceil(ALIGN) * ALIGN };
                View { home: first.home.with(depth, stride, index), ..first.clone() }
            };
            args.insert(body.args[k], slot(0));
            ends.push((body.yields[k], slot(1)));
        }
        for k in carries..data.operands.len() {
            let view = self.operand(views, op, data.operands[k])?;
            let dtype = self.func.ty(data.operands[k]).dtype;
            args.insert(body.args[k], if k < carries + xs { slice(&view, dtype) } else { view });
        }
        for j in carries..body.yields.len() {
            let view = &views[&data.results[j]];
            if firsts.iter().any(|f| f.home.buf == view.home.buf) {
                continue; // the stack of a carry
            }
            ends.push((body.yields[j], slice(view, self.func.ty(data.results[j]).dtype)));
        }
        for (v, place) in &ends {
            if !args.contains_key(v) {
                targets.entry(*v).or_insert_with(|| place.clone());
            }
        }
        let number = self.loops;
        self.numbers.insert(op, number);
        self.loops += 1;
        self.depth += 1;
        let scope = std::mem::replace(&mut self.scope, Scope::Loop(number));
        let packed = std::mem::take(&mut self.packed);
        let result = self.region(body_id, args.clone(), &targets);
        self.scope = scope;
        self.depth -= 1;
        self.packed = packed;
        let (mut inner, inner_views) = result?;
        self.handed_on(op, &ends, &args, &inner_views, &mut inner)?;
        if !early {
            self.in_place(views, &data.results, firsts, &mut inner);
        }
        let exit = early.then(|| self.exit(views, op, &args)).transpose()?;
        steps.push(Step::Loop { number, trip, body: inner, exit });
        Ok(steps)
    }

    /// Copies what a body yields to its places, where it was not made there.
    fn handed_on(
        &self,
        op: OpId,
        ends: &[(ValueId, View)],
        args: &Views,
        views: &Views,
        body: &mut Vec<Step>,
    ) -> Result<(), LowerError> {
        for (v, place) in ends {
            let view = self.operand(views, op, *v)?;
            if view == *place {
                continue;
            }
            match self.to_host(*v, &view, place) {
                // What comes in may go at once.
                Some(copy) if args.contains_key(v) => body.insert(0, copy),
                Some(copy) => body.push(copy),
                None => body.push(self.copy(op, self.func.ty(*v), &view, place, &[])?),
            }
        }
        Ok(())
    }

    /// A copy of a value to its place in the host's memory, if it is one of bytes.
    fn to_host(&self, v: ValueId, view: &View, place: &View) -> Option<Step> {
        let ty = self.func.ty(v);
        let dense = view.is_dense(&ty.shape) && place.is_dense(&ty.shape);
        let part = |at: &View| Ref { home: at.home, offset: at.offset as u64 * ty.dtype.bytes(), bytes: ty.bytes() };
        let copy = || Step::Copy { src: part(view), dst: part(place) };
        (dense && self.buffers[place.home.buf.0].host).then(copy)
    }

    /// Carries that are written in place have one slot of the two that they were given.
    fn in_place(&mut self, views: &mut Views, results: &[ValueId], firsts: &[View], body: &mut [Step]) {
        for (r, first) in results.iter().zip(firsts) {
            let (buf, bytes) = (first.home.buf, self.func.ty(*r).bytes());
            let slots = self.buffers[buf.0].bytes == 2 * bytes.div_ceil(ALIGN) * ALIGN;
            if slots && inplace::carried(body, buf, self.depth) {
                inplace::one_slot(body, buf, self.depth);
                self.buffers[buf.0].bytes = bytes.max(1);
                if let Some(v) = views.get_mut(r).filter(|v| v.home.buf == buf) {
                    v.offset = first.offset;
                }
            }
        }
    }

    /// How the `while` at `op` ends, where `args` are the slots of its carries in an iteration.
    fn exit(&self, views: &Views, op: OpId, args: &Views) -> Result<Exit, LowerError> {
        let data = self.func.op(op);
        let body = self.func.region(data.regions[0]);
        let after = body.args.iter().zip(&data.results).map(|(a, r)| {
            let (slot, result) = (&args[a], &views[r]);
            self.copy(op, self.func.ty(*r), slot, result, &[])
        });
        let after = after.collect::<Result<Vec<Step>, LowerError>>()?;
        let going = &args[&body.args[0]];
        Ok(Exit { going: Ref { home: going.home, offset: going.offset as u64, bytes: 1 }, after })
    }
}

/// An element of a literal, as a bundle has it.
fn number(x: Scalar) -> Number {
    match x {
        Scalar::Int(n) => Number::Int(n),
        Scalar::Float(bits) => Number::Float(f64::from_bits(bits)),
    }
}
