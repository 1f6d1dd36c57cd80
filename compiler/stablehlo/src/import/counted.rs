//! Loops that count, as `lax.scan` and `fori_loop` print them, become `repeat`.
//!
//! A `while` does not say how often it runs, or what belongs to which iteration. Here the counters are found (scalars to which
//! each iteration adds a constant), and the condition gives the number of iterations. Then each carried value becomes what it
//! really is:
//! - an entry of xs, if it is a slice of one entry, at a counter, of something that does not change;
//! - ys, if its entry at a counter is replaced in each iteration, and it is read nowhere else;
//! - an invariant, if it does not change; an entry of the numbers that it takes, if it is a counter;
//! - a carry otherwise.
//!
//! Entries may be taken from the last to the first, as in the backward pass of a scan. Then the `repeat` is a reverse one.

use super::state::{Import, LoopBody, SliceAccess, constant};
use meshloom_ir::types::Scalar;
use meshloom_ir::verify::MAX_TRIP;
use meshloom_ir::{Arithmetic, Comparison, DType, Func, Literal, Op, TensorType, ValueId, copy};
use std::collections::{BTreeMap, BTreeSet};

/// `start + step * iteration`
type Affine = (i64, i64);

/// Expressions are followed so deep.
const DEPTH: usize = 32;

/// What an access has to do with the iterations: entry `first + iteration`, or `first - iteration`, of `dim`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Entry {
    dim: usize,
    first: i64,
    backwards: bool,
}

/// What becomes of a carried value.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Counter(Affine),
    Invariant,
    /// The access that writes it.
    Stack(usize),
    Carry,
}

/// Emits the `repeat` of a loop whose condition and body have been imported, or a `while` where it does not count; the results.
///
/// # Errors
/// More iterations than there may be, or a condition that is none.
pub fn emit(i: &mut Import<'_>, starts: &[ValueId], asked: &LoopBody, body: LoopBody) -> Result<Vec<ValueId>, String> {
    let counters: Vec<Option<Affine>> = (0..starts.len()).map(|j| counter(i.func(), starts[j], &body, j)).collect();
    let Some(trip) = trip_count(asked, &counters) else {
        return super::general::while_loop(i, starts, asked, &body);
    };
    if trip == 0 {
        return Ok(starts.to_vec());
    }
    if trip > MAX_TRIP {
        return Err(format!("a loop of {trip} iterations; at most {MAX_TRIP} are possible"));
    }
    Counted::new(starts, &counters, trip, body).emit(i)
}

/// Where a carried value starts, and what each iteration adds to it.
fn counter(outside: &Func, start: ValueId, body: &LoopBody, j: usize) -> Option<Affine> {
    let ty = outside.ty(start);
    if !ty.shape.is_empty() || !ty.dtype.is_int() {
        return None;
    }
    let start = integer(outside, start)?;
    let mut env = BTreeMap::new();
    env.insert(body.args[j], (0, 1));
    // The value after an iteration, where the one before it is `0 + 1 * iteration`: `iteration + step`.
    match affine(&body.func, body.yields[j], &env, None, 0)? {
        (step, 1) if body.yields[j] != body.args[j] => Some((start, step)),
        _ => None,
    }
}

fn integer(func: &Func, v: ValueId) -> Option<i64> {
    match constant(func, v)? {
        Scalar::Int(n) => Some(n),
        Scalar::Float(_) => None,
    }
}

/// How often the condition holds before it does not.
fn trip_count(asked: &LoopBody, counters: &[Option<Affine>]) -> Option<u64> {
    let env = environment(asked, counters);
    let &[condition] = &asked.yields[..] else { return None };
    let data = asked.func.op(asked.func.def_op(condition)?);
    let Arithmetic::Compare(comparison) = data.op.arithmetic() else { return None };
    let side = |k: usize| affine(&asked.func, *data.operands.get(k)?, &env, None, 0);
    let (x, y) = (side(0)?, side(1)?);
    let (at, by) = (x.0.checked_sub(y.0)?, x.1.checked_sub(y.1)?);
    // As `at + by * iteration < 0`.
    let (at, by) = match comparison {
        Comparison::Lt => (at, by),
        Comparison::Le => (at.checked_sub(1)?, by),
        Comparison::Gt => (at.checked_neg()?, by.checked_neg()?),
        Comparison::Ge => (at.checked_neg()?.checked_sub(1)?, by.checked_neg()?),
        Comparison::Ne if at == 0 => return Some(0),
        Comparison::Ne if by != 0 && at % by == 0 && (at < 0) != (by < 0) => (-at.abs(), by.abs()),
        _ => return None,
    };
    match at {
        0.. => Some(0),
        _ if by <= 0 => None,
        _ => Some(at.unsigned_abs().div_ceil(by.unsigned_abs())),
    }
}

fn environment(body: &LoopBody, counters: &[Option<Affine>]) -> BTreeMap<ValueId, Affine> {
    body.args.iter().zip(counters).filter_map(|(&a, c)| Some((a, (*c)?))).collect()
}

/// A scalar as a number that each iteration adds to. Comparisons in it are decided where they are the same in all `trip` iterations.
fn affine(func: &Func, v: ValueId, env: &BTreeMap<ValueId, Affine>, trip: Option<u64>, depth: usize) -> Option<Affine> {
    if let Some(&known) = env.get(&v) {
        return Some(known);
    }
    if depth > DEPTH || !func.ty(v).dtype.is_int() || func.ty(v).elements() != 1 {
        return None;
    }
    if let Some(n) = integer(func, v) {
        return Some((n, 0));
    }
    let data = func.op(func.def_op(v)?);
    let of = |k: usize| affine(func, *data.operands.get(k)?, env, trip, depth + 1);
    match &data.op {
        Op::Convert { .. } | Op::Reshape { .. } | Op::Broadcast { .. } => of(0),
        op @ Op::Elem(_) => match op.arithmetic() {
            Arithmetic::Add => {
                let (x, y) = (of(0)?, of(1)?);
                Some((x.0.checked_add(y.0)?, x.1.checked_add(y.1)?))
            }
            Arithmetic::Subtract => {
                let (x, y) = (of(0)?, of(1)?);
                Some((x.0.checked_sub(y.0)?, x.1.checked_sub(y.1)?))
            }
            Arithmetic::Multiply => match (of(0)?, of(1)?) {
                (x, (n, 0)) | ((n, 0), x) => Some((x.0.checked_mul(n)?, x.1.checked_mul(n)?)),
                _ => None,
            },
            Arithmetic::Negate => {
                let x = of(0)?;
                Some((x.0.checked_neg()?, x.1.checked_neg()?))
            }
            // Negative indices count from the end: `select(i < 0, i + n, i)`.
            Arithmetic::Select => {
                let condition = func.op(func.def_op(*data.operands.first()?)?);
                let side = |k: usize| affine(func, *condition.operands.get(k)?, env, trip, depth + 1);
                let Arithmetic::Compare(c @ (Comparison::Lt | Comparison::Ge)) = condition.op.arithmetic() else {
                    return None;
                };
                let (x, y) = (side(0)?, side(1)?);
                let holds = |iteration: u64| {
                    let at = |a: Affine| i128::from(a.0) + i128::from(a.1) * i128::from(iteration);
                    c.holds(&at(x), &at(y))
                };
                let (first, last) = (holds(0), holds(trip?.saturating_sub(1)));
                if first == last { of(if first { 1 } else { 2 }) } else { None }
            }
            _ => None,
        },
        _ => None,
    }
}

/// A loop on its way to a `repeat`.
struct Counted<'a> {
    starts: &'a [ValueId],
    trip: u64,
    body: LoopBody,
    parts: Vec<Part>,
    /// By access: which entry it is of, where a repeat in its direction can have it.
    entries: Vec<Option<Entry>>,
    backwards: bool,
}

/// What a loop runs over.
#[derive(Default)]
struct Stacks {
    xs: Vec<ValueId>,
    /// By access of the body: which of `xs` has its entries.
    slices: BTreeMap<usize, usize>,
    /// By counter: which of `xs` has its values.
    numbers: BTreeMap<(DType, Affine), usize>,
}

impl Counted<'_> {
    fn new<'a>(starts: &'a [ValueId], counters: &[Option<Affine>], trip: u64, body: LoopBody) -> Counted<'a> {
        let env = environment(&body, counters);
        let entries: Vec<Option<Entry>> = body.accesses.iter().map(|a| entry(&body.func, a, &env, trip)).collect();
        let reverse = entries.iter().flatten().filter(|e| e.backwards).count();
        let backwards = 2 * reverse > entries.iter().flatten().count();
        let entries: Vec<Option<Entry>> =
            entries.into_iter().map(|e| e.filter(|e| e.backwards == backwards || trip == 1)).collect();
        let parts = (0..starts.len()).map(|j| match counters[j] {
            Some(c) => Part::Counter(c),
            None if body.yields[j] == body.args[j] => Part::Invariant,
            None => {
                let writes = |k: &usize| {
                    let a: &SliceAccess = &body.accesses[*k];
                    entries[*k].is_some() && a.update.is_some() && a.of == body.args[j] && a.result == body.yields[j]
                };
                (0..body.accesses.len()).find(writes).map_or(Part::Carry, Part::Stack)
            }
        });
        let parts = parts.collect();
        let mut out = Counted { starts, trip, parts, entries, backwards, body };
        // What is read in other ways than entry by entry is carried after all; and then what it needs may be, too.
        while let Some(j) = out.read_otherwise() {
            out.parts[j] = Part::Carry;
        }
        out
    }

    /// The entries of xs: of what, and which. Reads of what an iteration replaces must be of that very entry.
    fn reads(&self) -> BTreeMap<usize, Entry> {
        let of = |k: usize| -> Option<Entry> {
            let (a, e) = (&self.body.accesses[k], self.entries[k]?);
            if a.update.is_some() {
                return None;
            }
            let captured = self.body.captures.iter().any(|c| c.1 == a.of);
            let fits = match self.body.args.iter().position(|&v| v == a.of).map(|j| &self.parts[j]) {
                Some(Part::Invariant) => true,
                Some(&Part::Stack(w)) => self.entries[w] == Some(e),
                _ => captured,
            };
            fits.then_some(e)
        };
        (0..self.body.accesses.len()).filter_map(|k| Some((k, of(k)?))).collect()
    }

    /// By value of the body: whether an iteration needs it, given that entries come as arguments.
    fn needed(&self) -> Vec<bool> {
        let reads = self.reads();
        let given: BTreeSet<ValueId> = reads.keys().map(|&k| self.body.accesses[k].result).collect();
        let mut needed = vec![false; self.body.func.values.len()];
        for v in self.yields() {
            needed[v.index()] = true;
        }
        for &o in self.body.func.body().ops.iter().rev() {
            let data = self.body.func.op(o);
            if data.results.iter().any(|r| needed[r.index()] && !given.contains(r)) {
                data.operands.iter().for_each(|x| needed[x.index()] = true);
            }
        }
        needed
    }

    /// What the body computes for the next iteration and for ys, in this order.
    fn yields(&self) -> Vec<ValueId> {
        let carries = (0..self.parts.len()).filter(|&j| self.parts[j] == Part::Carry).map(|j| self.body.yields[j]);
        let stacks = self.parts.iter().filter_map(|p| match p {
            Part::Stack(k) => self.body.accesses[*k].update,
            _ => None,
        });
        carries.chain(stacks).collect()
    }

    fn read_otherwise(&self) -> Option<usize> {
        let needed = self.needed();
        (0..self.parts.len()).find(|&j| matches!(self.parts[j], Part::Stack(_)) && needed[self.body.args[j].index()])
    }

    /// What the loop runs over, each once: what its body slices, and counters.
    fn stacks(&self, i: &mut Import<'_>, needed: &[bool]) -> Result<Stacks, String> {
        let of = |v: ValueId| needed[v.index()];
        let mut out = Stacks::default();
        let mut sources: BTreeMap<(ValueId, Entry), usize> = BTreeMap::new();
        for (&k, &entry) in &self.reads() {
            let access = &self.body.accesses[k];
            if !of(access.result) {
                continue;
            }
            let from = self.outside(access.of).ok_or("a slice of something unknown")?;
            let x = match sources.get(&(from, entry)) {
                Some(&x) => x,
                None => {
                    out.xs.push(self.stacked(i, from, entry)?);
                    sources.insert((from, entry), out.xs.len() - 1);
                    out.xs.len() - 1
                }
            };
            out.slices.insert(k, x);
        }
        for (j, part) in self.parts.iter().enumerate() {
            let &Part::Counter(c) = part else { continue };
            let (start, step) = c;
            let dtype = i.b.ty(self.starts[j]).dtype;
            if of(self.body.args[j]) && !out.numbers.contains_key(&(dtype, c)) {
                out.xs.push(self.counted(i, dtype, start, step)?);
                out.numbers.insert((dtype, c), out.xs.len() - 1);
            }
        }
        Ok(out)
    }

    fn emit(self, i: &mut Import<'_>) -> Result<Vec<ValueId>, String> {
        let needed = self.needed();
        let of = |v: ValueId| needed[v.index()];
        let Stacks { xs, slices, numbers } = self.stacks(i, &needed)?;
        // Inside: arguments, in the order of a repeat's groups.
        let mut operands: Vec<ValueId> = Vec::new();
        let mut map = copy::ValueMap::new();
        let types =
            |i: &Import<'_>, all: &[ValueId]| all.iter().map(|&v| i.b.ty(v).clone()).collect::<Vec<TensorType>>();
        let x_types = types(i, &xs);
        let start_types = types(i, self.starts);
        let region = i.b.open();
        let carried: Vec<usize> = (0..self.parts.len()).filter(|&j| self.parts[j] == Part::Carry).collect();
        for &j in &carried {
            operands.push(self.starts[j]);
            map.insert(self.body.args[j], i.b.arg(region, start_types[j].clone()));
        }
        operands.extend(&xs);
        let entries: Vec<ValueId> =
            x_types.into_iter().map(|t| i.b.arg(region, TensorType::new(t.dtype, &t.shape[1..]))).collect();
        for (j, part) in self.parts.iter().enumerate() {
            let arg = self.body.args[j];
            match part {
                Part::Counter(c) => {
                    let number = numbers.get(&(start_types[j].dtype, *c));
                    map.extend(number.map(|&x| (arg, entries[x])));
                }
                Part::Invariant if of(arg) => {
                    operands.push(self.starts[j]);
                    map.insert(arg, i.b.arg(region, start_types[j].clone()));
                }
                _ => {}
            }
        }
        for &(outer, inner) in self.body.captures.iter().filter(|c| of(c.1)) {
            operands.push(outer);
            let ty = self.body.func.ty(inner).clone();
            map.insert(inner, i.b.arg(region, ty));
        }
        let given: BTreeMap<ValueId, ValueId> =
            slices.iter().map(|(&k, &x)| (self.body.accesses[k].result, entries[x])).collect();
        self.copy(i, &needed, &given, &mut map)?;
        let inside =
            |map: &copy::ValueMap, v: ValueId| map.get(&v).copied().ok_or("an iteration that gives something unknown");
        let mut yields: Vec<ValueId> =
            carried.iter().map(|&j| inside(&map, self.body.yields[j])).collect::<Result<_, _>>()?;
        for (k, entry) in self.parts.iter().filter_map(|p| match p {
            &Part::Stack(k) => Some((k, self.entries[k]?)),
            _ => None,
        }) {
            let update = self.body.accesses[k].update.ok_or("a write of nothing")?;
            yields.push(self.without(i, update, entry.dim, &map)?);
        }
        i.b.close(yields);
        let results = i.b.repeat(self.trip, self.backwards, carried.len(), xs.len(), &operands, region)?;
        self.results(i, &results, carried.len())
    }

    /// What stands outside of the loop for a value that does not change in it, or for the start of one.
    fn outside(&self, v: ValueId) -> Option<ValueId> {
        let own = self.body.args.iter().position(|&a| a == v).map(|j| self.starts[j]);
        own.or_else(|| self.body.captures.iter().find(|c| c.1 == v).map(|c| c.0))
    }

    /// The first entry that is touched, in the order of the tensor.
    fn low(&self, e: Entry) -> u64 {
        let last = if e.backwards { e.first - (self.trip as i64 - 1) } else { e.first };
        last.max(0) as u64
    }

    /// The entries that a loop goes over, as a stack.
    fn stacked(&self, i: &mut Import<'_>, x: ValueId, e: Entry) -> Result<ValueId, String> {
        let x = front(i, x, e.dim, false)?;
        let shape = i.b.shape(x);
        let low = self.low(e);
        if shape[0] == self.trip {
            return Ok(x);
        }
        let (mut start, mut limit) = (vec![0; shape.len()], shape);
        (start[0], limit[0]) = (low, low + self.trip);
        i.emit(Op::Slice { start, limit }, &[x])
    }

    /// The numbers that a counter takes from `start` on, as a stack in the order of a repeat's entries.
    fn counted(&self, i: &mut Import<'_>, dtype: DType, start: i64, step: i64) -> Result<ValueId, String> {
        let last = step.checked_mul(self.trip as i64 - 1).and_then(|n| start.checked_add(n));
        let last = last.ok_or("a counter leaves the range of its type")?;
        let (first, step) = if self.backwards { (last, -step) } else { (start, step) };
        let mut x = i.emit(Op::Iota { dtype, shape: vec![self.trip], dim: 0, shard: Vec::new() }, &[])?;
        if step != 1 {
            let by = i.b.integer_like(x, step);
            x = i.elem("multiply", &[x, by])?;
        }
        if first != 0 {
            let from = i.b.integer_like(x, first);
            x = i.elem("add", &[x, from])?;
        }
        Ok(x)
    }

    /// Copies what an iteration needs into the open region.
    fn copy(
        &self,
        i: &mut Import<'_>,
        needed: &[bool],
        given: &BTreeMap<ValueId, ValueId>,
        map: &mut copy::ValueMap,
    ) -> Result<(), String> {
        let func = &self.body.func;
        let span = i.b.span;
        for &o in &func.body().ops {
            let data = func.op(o);
            if !data.results.iter().any(|r| needed[r.index()]) {
                continue;
            }
            i.b.span = data.span;
            if let [result] = data.results[..]
                && let Some(&entry) = given.get(&result)
            {
                // As large as it is read, with a dim of 1; where that is dropped at once it is never made.
                let shape = &func.ty(result).shape;
                let dropped =
                    |u: &meshloom_ir::OpData| matches!(&u.op, Op::Reshape { shape } if *shape == i.b.shape(entry));
                let readers = func.body().ops.iter().map(|&u| func.op(u)).filter(|u| u.operands.contains(&result));
                let whole = readers.clone().any(|u| !dropped(u)) || self.yields().contains(&result);
                for u in readers.filter(|u| dropped(u)) {
                    map.insert(u.results[0], entry);
                }
                if whole {
                    let again = i.emit(Op::Reshape { shape: shape.clone() }, &[entry])?;
                    map.insert(result, again);
                }
                continue;
            }
            if data.results.iter().all(|r| map.contains_key(r)) {
                continue;
            }
            copy::graft(&mut i.b, func, o, map);
        }
        i.b.span = span;
        Ok(())
    }

    /// What an iteration writes, without the dim of size 1 along which it is written.
    fn without(
        &self,
        i: &mut Import<'_>,
        update: ValueId,
        dim: usize,
        map: &copy::ValueMap,
    ) -> Result<ValueId, String> {
        let func = &self.body.func;
        let mut shape = func.ty(update).shape.clone();
        shape.remove(dim);
        // It was given that dim just before.
        if let Some(data) = func.def_op(update).map(|o| func.op(o))
            && matches!(data.op, Op::Broadcast { .. } | Op::Reshape { .. })
            && func.ty(data.operands[0]).shape == shape
            && let Some(&before) = map.get(&data.operands[0])
        {
            return Ok(before);
        }
        let &inside = map.get(&update).ok_or("an iteration that writes something unknown")?;
        i.emit(Op::Reshape { shape }, &[inside])
    }

    fn results(&self, i: &mut Import<'_>, made: &[ValueId], carries: usize) -> Result<Vec<ValueId>, String> {
        let (mut carried, mut stacks) = (made[..carries].iter(), made[carries..].iter());
        let missing = "a loop with too few results";
        let mut out = Vec::new();
        for (j, part) in self.parts.iter().enumerate() {
            let start = self.starts[j];
            out.push(match part {
                Part::Invariant => start,
                Part::Carry => *carried.next().ok_or(missing)?,
                Part::Counter((first, step)) => {
                    let last = step.checked_mul(self.trip as i64).and_then(|n| first.checked_add(n));
                    let last = last.ok_or("a counter leaves the range of its type")?;
                    let value = Literal::Splat(Scalar::Int(last));
                    i.emit(Op::Constant { dtype: i.b.ty(start).dtype, shape: Vec::new(), value }, &[])?
                }
                Part::Stack(k) => {
                    let entry = self.entries[*k].ok_or(missing)?;
                    self.replaced(i, start, *stacks.next().ok_or(missing)?, entry)?
                }
            });
        }
        Ok(out)
    }

    /// A tensor with the entries that the loop wrote.
    fn replaced(&self, i: &mut Import<'_>, start: ValueId, ys: ValueId, e: Entry) -> Result<ValueId, String> {
        let n = i.b.shape(start)[e.dim];
        let low = self.low(e);
        let high = low + self.trip;
        let mut all = ys;
        if high - low < n {
            let old = front(i, start, e.dim, false)?;
            let mut parts = Vec::new();
            for (from, to) in [(0, low), (high, n)] {
                if from == high {
                    parts.push(ys);
                }
                if from < to {
                    let (mut start, mut limit) = (vec![0; i.b.ty(old).rank()], i.b.shape(old));
                    (start[0], limit[0]) = (from, to);
                    parts.push(i.emit(Op::Slice { start, limit }, &[old])?);
                }
            }
            all = i.emit(Op::Concatenate { dim: 0 }, &parts)?;
        }
        front(i, all, e.dim, true)
    }
}

/// Which entry an access is of.
fn entry(func: &Func, a: &SliceAccess, env: &BTreeMap<ValueId, Affine>, trip: u64) -> Option<Entry> {
    let shape = &func.ty(a.of).shape;
    let part: Vec<usize> = (0..shape.len()).filter(|&d| a.sizes[d] < shape[d]).collect();
    // A dim of one entry is whole in the only iteration that there is.
    let &[dim] = &part[..] else { return None };
    let (first, by) = affine(func, a.starts[dim], env, Some(trip), 0)?;
    let last = first.checked_add(by.checked_mul(trip as i64 - 1)?)?;
    let inside = |at: i64| (0..shape[dim] as i64).contains(&at);
    (a.sizes[dim] == 1 && matches!(by, 1 | -1) && inside(first) && inside(last)).then_some(Entry {
        dim,
        first,
        backwards: by < 0,
    })
}

/// `dim` first, the others in their order; `back` undoes it.
fn front(i: &mut Import<'_>, x: ValueId, dim: usize, back: bool) -> Result<ValueId, String> {
    if dim == 0 {
        return Ok(x);
    }
    let mut perm: Vec<usize> = (0..i.b.ty(x).rank()).collect();
    if back {
        perm.remove(0);
        perm.insert(dim, 0);
    } else {
        perm.remove(dim);
        perm.insert(0, dim);
    }
    i.emit(Op::Transpose { perm }, &[x])
}
