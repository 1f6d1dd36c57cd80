//! Splits loops into consecutive segments. `repeat(n)` becomes `repeat(k)` followed by `repeat(n - k)`, so that a planner may
//! decide differently for some of the iterations. What the program computes does not change.
//!
//! A cut goes through several loops of a region at once: if a loop slices what the cut loop stacks, directly or through another
//! loop, it is cut at the same iterations. The backward pass of a loop reads its stashes slice by slice, so it is cut too, and
//! each of its segments reads the stacks of its own.
//!
//! A stack that only such loops read does not exist as one tensor. If anything else reads it, its parts are concatenated behind
//! the segments. An operand that is sliced is cut before them, once for all loops of the group. Carries go from segment to
//! segment; in a reverse loop, from the last segment to the first.
//!
//! A certificate is checked against a program that this module has split, so certificates rest on it. It is deterministic and
//! depends on nothing but the order of the program, and tests run both sides. Where to cut is decided in `plan`.

use crate::builder::Builder;
use crate::graph::{Def, Func, OpData, OpId, Region, RegionId, Value, ValueId};
use crate::op::Op;
use std::collections::BTreeMap;

/// The most segments of one loop: more than a large model has layers, each of which may be a stage of its own.
pub const MAX_SEGMENTS: usize = 256;

/// Where a loop is cut.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cut {
    pub repeat: OpId,
    /// Iterations at which a new segment begins, rising, each in `1..trip`.
    pub at: Vec<u64>,
}

/// A split program, and where what is in it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Split {
    pub func: Func,
    /// By value: the value of the given program that it is, in some iterations or in all, or that it is a part of.
    pub values: Vec<ValueId>,
    /// By op: the op of the given program that it is. `None` for the slices and concatenations that are added.
    pub ops: Vec<Option<OpId>>,
    /// By region: the region of the given program that it is.
    pub regions: Vec<RegionId>,
    /// By region: the segment, counted from iteration 0, that it is the body of (or inside of), where a loop was cut.
    pub segments: Vec<Option<u32>>,
}

/// Splits `func` at `cuts`.
///
/// # Errors
/// A cut that names no loop, or a loop that another cut takes with it or that lies in a loop that is cut; iterations out of
/// order or out of range.
pub fn split(func: &Func, cuts: &[Cut]) -> Result<Split, String> {
    let mut bounds: BTreeMap<OpId, Vec<u64>> = BTreeMap::new();
    let stands: std::collections::BTreeSet<OpId> = func.walk(Func::BODY).into_iter().collect();
    for cut in cuts {
        if !stands.contains(&cut.repeat) {
            return Err("a cut names an op that the program does not have".into());
        }
        let Op::Repeat { trip, early: false, .. } = func.op(cut.repeat).op else {
            return Err(format!("a cut names a `{}`, which is no loop", func.op(cut.repeat).op.name()));
        };
        let all: Vec<u64> = [0].into_iter().chain(cut.at.iter().copied()).chain([trip]).collect();
        if all.len() < 3 || all.len() > MAX_SEGMENTS + 1 || !all.is_sorted_by(|a, b| a < b) {
            return Err(format!("a loop of {trip} iterations cannot be cut at {:?}", cut.at));
        }
        for o in group(func, cut.repeat) {
            if bounds.insert(o, all.clone()).is_some() {
                return Err("a loop is cut twice".into());
            }
        }
    }
    for &o in bounds.keys() {
        let mut at = func.op(o).parent;
        while let Some(outer) = func.region(at).owner {
            if bounds.contains_key(&outer) {
                return Err("a loop inside a loop that is cut is cut as well".into());
            }
            at = func.op(outer).parent;
        }
    }
    let mut s = Splitter {
        old: func,
        bounds,
        b: Builder::resume(Func::like(func)),
        values: Vec::new(),
        ops: Vec::new(),
        regions: vec![Func::BODY],
        segments: vec![None],
        segment: None,
    };
    s.region(Func::BODY, Func::BODY);
    let mut new = s.b.finish();
    new.inputs.clone_from(&func.inputs);
    new.outputs.clone_from(&func.outputs);
    Ok(Split { func: new, values: s.values, ops: s.ops, regions: s.regions, segments: s.segments })
}

/// The loop `repeat`, and the loops of its region that are cut with it, in order.
pub fn group(func: &Func, repeat: OpId) -> Vec<OpId> {
    let mut all = vec![repeat];
    let Op::Repeat { trip, .. } = func.op(repeat).op else { return all };
    for &o in &func.region(func.op(repeat).parent).ops {
        let data = func.op(o);
        let Op::Repeat { trip: n, carries, xs, .. } = data.op else { continue };
        let slices = data.operands.iter().skip(carries).take(xs);
        if n == trip
            && !all.contains(&o)
            && slices.into_iter().any(|&x| stack(func, x).is_some_and(|s| all.contains(&s)))
        {
            all.push(o);
        }
    }
    all
}

/// The loop that stacks `v`.
fn stack(func: &Func, v: ValueId) -> Option<OpId> {
    match func.value(v).def {
        Def::Op(o, i) if matches!(func.op(o).op, Op::Repeat { carries, .. } if i as usize >= carries) => Some(o),
        _ => None,
    }
}

struct Splitter<'f> {
    old: &'f Func,
    /// By loop that is cut: 0, where its segments begin, and its iterations.
    bounds: BTreeMap<OpId, Vec<u64>>,
    b: Builder,
    values: Vec<ValueId>,
    ops: Vec<Option<OpId>>,
    regions: Vec<RegionId>,
    segments: Vec<Option<u32>>,
    /// The segment that the open region belongs to.
    segment: Option<u32>,
}

/// What the values of one region have become.
#[derive(Default)]
struct Here {
    map: BTreeMap<ValueId, ValueId>,
    /// The parts of a stack, by where it is cut.
    parts: BTreeMap<(ValueId, Vec<u64>), Vec<ValueId>>,
}

impl Splitter<'_> {
    /// Fills the empty region `to` with what `from` has.
    fn region(&mut self, from: RegionId, to: RegionId) {
        let old = self.old.region(from).clone();
        let mut here = Here::default();
        for (i, &a) in old.args.iter().enumerate() {
            let v = self.value(a, Def::Arg(to, i as u32));
            self.b.func.regions[to.index()].args.push(v);
            here.map.insert(a, v);
        }
        for &o in &old.ops {
            match self.bounds.get(&o).cloned() {
                Some(bounds) => self.loops(o, &bounds, to, &mut here),
                None => {
                    let operands = self.operands(o, &here);
                    let data = self.old.op(o);
                    let types = data.results.iter().map(|&r| self.old.ty(r).clone()).collect();
                    let new = self.op(o, data.op.clone(), operands, types, to);
                    let results = self.b.func.op(new).results.clone();
                    here.map.extend(data.results.iter().copied().zip(results));
                }
            }
        }
        self.b.func.regions[to.index()].yields = old.yields.iter().map(|y| here.map[y]).collect();
    }

    fn operands(&self, o: OpId, here: &Here) -> Vec<ValueId> {
        self.old.op(o).operands.iter().map(|x| here.map[x]).collect()
    }

    fn value(&mut self, of: ValueId, def: Def) -> ValueId {
        let id = ValueId(self.b.func.values.len() as u32);
        self.b.func.values.push(Value { def, ..self.old.value(of).clone() });
        self.values.push(of);
        id
    }

    /// Appends `op` to region `to`, with the attributes and bodies that `of` has.
    fn op(
        &mut self,
        of: OpId,
        op: Op,
        operands: Vec<ValueId>,
        types: Vec<crate::types::TensorType>,
        to: RegionId,
    ) -> OpId {
        let data = self.old.op(of);
        let id = OpId(self.b.func.ops.len() as u32);
        self.b.func.ops.push(OpData {
            op,
            operands,
            results: Vec::new(),
            regions: Vec::new(),
            parent: to,
            ..data.clone()
        });
        self.ops.push(Some(of));
        self.b.func.regions[to.index()].ops.push(id);
        for (i, (&r, ty)) in data.results.iter().zip(types).enumerate() {
            let v = self.value(r, Def::Op(id, i as u32));
            if self.b.func.values[v.index()].ty != ty {
                let value = &mut self.b.func.values[v.index()];
                (value.ty, value.name, value.layout) = (ty, None, None);
            }
            self.b.func.ops[id.index()].results.push(v);
        }
        for &r in &data.regions {
            let region = RegionId(self.b.func.regions.len() as u32);
            self.b.func.regions.push(Region { owner: Some(id), ..Region::default() });
            self.regions.push(r);
            self.segments.push(self.segment);
            self.b.func.ops[id.index()].regions.push(region);
            self.region(r, region);
        }
        id
    }

    /// Appends the segments of the loop `o`.
    fn loops(&mut self, o: OpId, bounds: &[u64], to: RegionId, here: &mut Here) {
        let data = self.old.op(o).clone();
        let Op::Repeat { reverse, carries, xs, .. } = data.op else { return };
        (self.b.span, self.b.phase) = (data.span, data.phase);
        for &x in data.operands.iter().skip(carries).take(xs) {
            self.cut(x, bounds, to, here);
        }
        let mut carried: Vec<ValueId> = data.operands[..carries].iter().map(|x| here.map[x]).collect();
        let n = bounds.len() - 1;
        let mut stacks: Vec<Vec<ValueId>> = vec![Vec::new(); n];
        let order: Vec<usize> = if reverse { (0..n).rev().collect() } else { (0..n).collect() };
        for i in order {
            let trip = bounds[i + 1] - bounds[i];
            let mut operands = carried.clone();
            for (j, x) in data.operands.iter().enumerate().skip(carries) {
                operands.push(if j < carries + xs { here.parts[&(*x, bounds.to_vec())][i] } else { here.map[x] });
            }
            let mut types: Vec<_> = data.results.iter().map(|&r| self.old.ty(r).clone()).collect();
            types[carries..].iter_mut().for_each(|t| t.shape[0] = trip);
            let outer = self.segment.replace(i as u32);
            let new = self.op(o, Op::Repeat { trip, reverse, carries, xs, early: false }, operands, types, to);
            self.segment = outer;
            let results = self.b.func.op(new).results.clone();
            carried = results[..carries].to_vec();
            stacks[i] = results[carries..].to_vec();
        }
        here.map.extend(data.results.iter().copied().zip(carried));
        for (j, &r) in data.results.iter().enumerate().skip(carries) {
            let parts: Vec<ValueId> = stacks.iter().map(|s| s[j - carries]).collect();
            if self.read_whole(r, bounds) {
                let whole = self.added(Op::Concatenate { dim: 0 }, &parts, r, to);
                let (value, old) = (&mut self.b.func.values[whole.index()], self.old.value(r));
                value.name.clone_from(&old.name);
                value.layout.clone_from(&old.layout);
                value.span = old.span;
                here.map.insert(r, whole);
            }
            here.parts.insert((r, bounds.to_vec()), parts);
        }
    }

    /// Whether anything reads the stack `v` but loops that are cut at `bounds`, slice by slice.
    fn read_whole(&self, v: ValueId, bounds: &[u64]) -> bool {
        let Def::Op(o, _) = self.old.value(v).def else { return true };
        let region = self.old.region(self.old.op(o).parent);
        let by = |&r: &OpId| {
            let data = self.old.op(r);
            let sliced = match data.op {
                Op::Repeat { carries, xs, .. } if self.bounds.get(&r).is_some_and(|b| b == bounds) => {
                    carries..carries + xs
                }
                _ => 0..0,
            };
            data.operands.iter().enumerate().any(|(i, &x)| x == v && !sliced.contains(&i))
        };
        region.yields.contains(&v) || region.ops.iter().any(by)
    }

    /// Makes the parts of the stack `x`.
    fn cut(&mut self, x: ValueId, bounds: &[u64], to: RegionId, here: &mut Here) {
        let key = (x, bounds.to_vec());
        if here.parts.contains_key(&key) {
            return;
        }
        let shape = self.old.ty(x).shape.clone();
        let part = |w: &[u64]| {
            let (mut start, mut limit) = (vec![0; shape.len()], shape.clone());
            (start[0], limit[0]) = (w[0], w[1]);
            Op::Slice { start, limit }
        };
        let parts = bounds.windows(2).map(|w| self.added(part(w), &[here.map[&x]], x, to)).collect();
        here.parts.insert(key, parts);
    }

    /// Appends an op that the given program does not have; what it gives is `of`, or a part of it.
    fn added(&mut self, op: Op, operands: &[ValueId], of: ValueId, to: RegionId) -> ValueId {
        let v = self.b.within(to, |b| b.op(op, operands));
        self.values.push(of);
        self.ops.push(None);
        v
    }
}
