//! What rolling has to know of values: which are equal, and which depend on no input.
//!
//! Two values have the same number if the same ops make them of the same values. JAX traces some ops once for each layer (a mask,
//! a schedule, a power of a step count). Their results have one number for all layers, so no pass has to merge them first. If
//! they were merged, the first layer would have ops that the others lack.

use meshloom_ir::{Func, Op, OpId, TensorType, ValueId};
use std::collections::HashMap;

/// Ops on the way from constants to a value that still counts as closed: copies of it are made wherever it is read.
const CLOSED_DEPTH: u8 = 24;

/// Marks the number of a type.
const OPEN: u32 = 1 << 31;

/// One op as a thing to compare: its body's ops by their places, what it reads by number.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    operands: Vec<u32>,
    results: Vec<TensorType>,
    bodies: Vec<u32>,
}

pub struct Numbers {
    /// By value.
    of: Vec<u32>,
    /// By value: ops between it and constants; `None` for what depends on an input.
    closed: Vec<Option<u8>>,
    /// By op: a number that ops share which are the same but for what they read. Closed operands count as part of an op.
    pub kinds: Vec<u32>,
    /// The ops of the body that an output needs, in order.
    pub live: Vec<OpId>,
}

impl Numbers {
    pub fn new(func: &Func) -> Numbers {
        let mut made = Numbers {
            of: vec![u32::MAX; func.values.len()],
            closed: vec![None; func.values.len()],
            kinds: vec![u32::MAX; func.ops.len()],
            live: live(func),
        };
        let mut t = Tables::default();
        for &a in &func.body().args {
            made.of[a.index()] = t.fresh();
        }
        for &o in &made.live.clone() {
            let data = func.op(o);
            let bodies: Vec<u32> = data.regions.iter().map(|&r| t.body(func, r)).collect();
            let results: Vec<TensorType> = data.results.iter().map(|&v| func.ty(v).clone()).collect();
            let depths = data.operands.iter().map(|v| made.closed[v.index()]);
            let depth = depths.collect::<Option<Vec<u8>>>().map(|d| d.into_iter().max().map_or(0, |n| n + 1));
            let closed = depth.filter(|&d| d <= CLOSED_DEPTH && data.regions.is_empty());
            let operands: Vec<u32> = data.operands.iter().map(|v| made.of[v.index()]).collect();
            let first =
                t.values(Key { op: data.op.clone(), operands, results: results.clone(), bodies: bodies.clone() });
            for (i, &v) in data.results.iter().enumerate() {
                made.of[v.index()] = first + i as u32;
                made.closed[v.index()] = closed;
            }
            let mut reads = Vec::new();
            for &v in &data.operands {
                // Of what depends on inputs, only the type counts.
                reads.push(if made.closed(v) { made.of(v) } else { t.ty(func.ty(v)) | OPEN });
            }
            made.kinds[o.index()] = t.kind(Key { op: data.op.clone(), operands: reads, results, bodies });
        }
        made
    }

    pub fn of(&self, v: ValueId) -> u32 {
        self.of[v.index()]
    }

    /// It is the same whatever the inputs are, and cheap to say: no need to hand it into a loop.
    pub fn closed(&self, v: ValueId) -> bool {
        self.closed[v.index()].is_some()
    }

    pub fn same(&self, values: &[ValueId]) -> bool {
        values.windows(2).all(|w| self.of(w[0]) == self.of(w[1]))
    }
}

#[derive(Default)]
struct Tables {
    next: u32,
    made: HashMap<Key, u32>,
    kinds: HashMap<Key, u32>,
    types: HashMap<TensorType, u32>,
}

impl Tables {
    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    fn values(&mut self, key: Key) -> u32 {
        let next = self.next;
        let results = key.results.len() as u32;
        let first = *self.made.entry(key).or_insert(next);
        if first == next {
            self.next += results;
        }
        first
    }

    fn kind(&mut self, key: Key) -> u32 {
        let next = self.kinds.len() as u32;
        *self.kinds.entry(key).or_insert(next)
    }

    fn ty(&mut self, ty: &TensorType) -> u32 {
        if let Some(&n) = self.types.get(ty) {
            return n;
        }
        let n = self.types.len() as u32;
        self.types.insert(ty.clone(), n);
        n
    }

    /// A number for a body: the ops in it, which see nothing but its arguments, by their places.
    fn body(&mut self, func: &Func, r: meshloom_ir::RegionId) -> u32 {
        let region = func.region(r);
        let mut at: HashMap<ValueId, u32> = region.args.iter().zip(0..).map(|(&a, i)| (a, i)).collect();
        let mut next = at.len() as u32;
        let mut folded: Vec<u32> = region.args.iter().map(|&a| self.ty(func.ty(a))).collect();
        for &o in &region.ops {
            let data = func.op(o);
            let bodies: Vec<u32> = data.regions.iter().map(|&r| self.body(func, r)).collect();
            let operands = data.operands.iter().map(|v| at[v]).collect();
            let results: Vec<TensorType> = data.results.iter().map(|&v| func.ty(v).clone()).collect();
            folded.push(self.kind(Key { op: data.op.clone(), operands, results, bodies }));
            for &v in &data.results {
                at.insert(v, next);
                next += 1;
            }
        }
        folded.push(u32::MAX);
        folded.extend(region.yields.iter().map(|v| at[v]));
        // A key that no op has: a composite without results.
        let op = Op::Composite { name: String::new(), attrs: Default::default() };
        self.kind(Key { op, operands: folded, results: Vec::new(), bodies: Vec::new() })
    }
}

fn live(func: &Func) -> Vec<OpId> {
    let mut live = vec![false; func.values.len()];
    for v in &func.body().yields {
        live[v.index()] = true;
    }
    let mut out = Vec::new();
    for &o in func.body().ops.iter().rev() {
        let data = func.op(o);
        if data.results.iter().any(|v| live[v.index()]) {
            data.operands.iter().for_each(|v| live[v.index()] = true);
            out.push(o);
        }
    }
    out.reverse();
    out
}
