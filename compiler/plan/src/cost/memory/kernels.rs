//! Which values of a region get memory, and which kernel reads what: the schedule's fusion, in outline.
//!
//! Contractions, composites, scatters, collectives and loops read and write memory; a contraction takes the elementwise
//! chain behind it as its epilogue. Everything else is computed inside the kernels that read it, down to values that have
//! memory. Reductions end a kernel.

use meshloom_ir::{Class, Func, Op, OpId, RegionId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

pub struct Kernel {
    /// The op it is called by.
    pub op: OpId,
    pub reads: Vec<ValueId>,
    pub writes: Vec<ValueId>,
    /// Bytes that it takes for itself.
    pub temporaries: Vec<u64>,
    /// Writes each element where it reads the same element of others.
    pub elementwise: bool,
}

/// Rows that a contraction's kernel computes at once, and bytes of the columns.
const TILE_ROWS: u64 = 8;
const PANEL: u64 = 128;
/// Terms that a contraction sums before it puts partial sums aside.
const K_BLOCK: u64 = 256;
/// Longest epilogue.
const EPILOGUE: usize = 48;

struct Fusion<'f> {
    func: &'f Func,
    region: RegionId,
    position: BTreeMap<OpId, usize>,
    memory: BTreeSet<ValueId>,
    /// Values that a contraction computes in its epilogue, with the contraction.
    inside: BTreeMap<ValueId, OpId>,
}

/// The kernels of a region (not of the bodies inside it), in the program's order.
pub fn kernels(func: &Func, region: RegionId, packs: bool) -> Vec<Kernel> {
    let ops = &func.region(region).ops;
    let position = ops.iter().enumerate().map(|(i, &o)| (o, i)).collect();
    let mut f = Fusion { func, region, position, memory: BTreeSet::new(), inside: BTreeMap::new() };
    f.anchors();
    f.epilogues();
    let mut out = Vec::new();
    for &o in ops {
        let data = func.op(o);
        let kernel = match &data.op {
            Op::DotGeneral(_) => {
                let of = |v: &&ValueId| f.inside.get(v) == Some(&o) && f.memory.contains(v);
                let writes: Vec<ValueId> = f.inside.keys().filter(of).copied().collect();
                let mut roots = data.operands.clone();
                roots.extend(&writes);
                let temporaries = if packs { f.packs(o) } else { Vec::new() };
                Kernel { op: o, reads: f.reads(&roots, Some(o)), writes, temporaries, elementwise: false }
            }
            op if op.is_anchor() => {
                let mut temporaries = Vec::new();
                if let Op::Scatter { rows, .. } = op {
                    // Indices sorted, and where each row's begin.
                    let count = func.ty(data.operands[0]).elements();
                    temporaries = vec![count.saturating_mul(4), rows.saturating_add(1).saturating_mul(4)];
                }
                let reads = f.reads(&data.operands, None);
                Kernel { op: o, reads, writes: data.results.clone(), temporaries, elementwise: false }
            }
            op => {
                let roots: Vec<ValueId> = data.results.iter().filter(|v| f.is_root(**v)).copied().collect();
                if roots.is_empty() {
                    continue;
                }
                let elementwise = !matches!(op, Op::Reduce { .. });
                Kernel {
                    op: o,
                    reads: f.reads(&data.operands, None),
                    writes: roots,
                    temporaries: Vec::new(),
                    elementwise,
                }
            }
        };
        out.push(kernel);
    }
    out
}

impl Fusion<'_> {
    fn here(&self, v: ValueId) -> Option<OpId> {
        self.func.def_op(v).filter(|o| self.position.contains_key(o))
    }

    /// Gives memory to what anchors make and read, to what leaves the region, and to reductions.
    fn anchors(&mut self) {
        let func = self.func;
        for &o in &func.region(self.region).ops {
            let data = func.op(o);
            match &data.op {
                Op::DotGeneral(_) => {}
                op if op.is_anchor() => self.memory.extend(&data.results),
                Op::Reduce { .. } => self.memory.extend(&data.results),
                Op::Gather { .. } => self.require(data.operands[0], |_| true),
                _ => {}
            }
            if !data.op.is_anchor() {
                continue;
            }
            for &x in &data.operands {
                match &data.op {
                    // Any strides, from a place that is the same on every device.
                    Op::DotGeneral(_) => self.require(x, |op| !matches!(op, Op::ShardSlice { .. })),
                    Op::Composite { .. } => {
                        self.require(x, |op| !matches!(op, Op::ShardSlice { .. } | Op::Broadcast { .. }));
                    }
                    op if matches!(op.class(), Class::Collective | Class::Rows | Class::Scan | Class::Sort) => {
                        self.require(x, |op| matches!(op, Op::Reshape { .. } | Op::Constrain(_)));
                    }
                    _ => self.require(x, |_| true),
                }
            }
        }
        for &y in &func.region(self.region).yields {
            self.require(y, |_| true);
        }
    }

    /// Gives memory to what `v` is a view of, and to a copy of it where a view on the way is not read through.
    fn require(&mut self, v: ValueId, through: fn(&Op) -> bool) {
        let (mut at, mut copied) = (v, false);
        while !self.memory.contains(&at) {
            let Some(o) = self.here(at) else { return };
            let op = &self.func.op(o).op;
            if !op.reads_in_place() {
                self.memory.insert(at);
                return;
            }
            if !copied && !through(op) {
                copied = self.memory.insert(v);
            }
            at = self.func.op(o).operands[0];
        }
    }

    /// The elementwise chain behind each contraction, as far as everything that leaves it goes through one value.
    fn epilogues(&mut self) {
        let func = self.func;
        let ops = &func.region(self.region).ops;
        let mut uses: BTreeMap<ValueId, usize> = BTreeMap::new();
        // The latest anchor that a value depends on.
        let mut after: BTreeMap<ValueId, usize> = BTreeMap::new();
        let mut readers: BTreeMap<ValueId, Vec<usize>> = BTreeMap::new();
        for (at, &o) in ops.iter().enumerate() {
            let data = func.op(o);
            let mut latest = data.operands.iter().filter_map(|v| after.get(v)).max().copied().unwrap_or(0);
            if data.op.is_anchor() {
                latest = at + 1;
            }
            after.extend(data.results.iter().map(|&r| (r, latest)));
            for &v in &data.operands {
                *uses.entry(v).or_default() += 1;
                readers.entry(v).or_default().push(at);
            }
        }
        for (at, &o) in ops.iter().enumerate() {
            if !matches!(func.op(o).op, Op::DotGeneral(_)) {
                continue;
            }
            let d = func.op(o).results[0];
            let ty = func.ty(d);
            let mut inside = BTreeSet::from([d]);
            let mut open = uses.get(&d).copied().unwrap_or(0);
            let (mut gate, mut upto) = (d, inside.clone());
            let mut next: BTreeSet<usize> = readers.get(&d).into_iter().flatten().copied().collect();
            while let Some(i) = next.pop_first() {
                let data = func.op(ops[i]);
                let r = data.results[0];
                let known = |v: &ValueId| inside.contains(v) || after.get(v).copied().unwrap_or(0) < at + 1;
                let fits = matches!(data.op, Op::Elem(_) | Op::Convert { .. })
                    && func.ty(r).shape == ty.shape
                    && !self.inside.contains_key(&r)
                    && inside.len() < EPILOGUE
                    && data.operands.iter().all(known);
                if !fits {
                    break;
                }
                open -= data.operands.iter().filter(|v| inside.contains(v)).count();
                inside.insert(r);
                if open == 0 && func.ty(r).dtype == ty.dtype {
                    (gate, upto) = (r, inside.clone());
                }
                open += uses.get(&r).copied().unwrap_or(0);
                next.extend(readers.get(&r).into_iter().flatten());
            }
            self.memory.insert(gate);
            self.inside.extend(upto.into_iter().map(|v| (v, o)));
        }
    }

    /// Whether `v` has memory that a kernel of its own fills.
    fn is_root(&self, v: ValueId) -> bool {
        self.memory.contains(&v) && !self.inside.contains_key(&v)
    }

    /// Values with memory that computing `roots` reads; those inside the contraction `own` are computed by it.
    fn reads(&self, roots: &[ValueId], own: Option<OpId>) -> Vec<ValueId> {
        let mut work: Vec<ValueId> = roots.to_vec();
        let mut seen: BTreeSet<ValueId> = BTreeSet::new();
        let mut out = BTreeSet::new();
        while let Some(v) = work.pop() {
            if !seen.insert(v) {
                continue;
            }
            let mine = own.is_some() && self.inside.get(&v).copied() == own;
            match self.here(v) {
                Some(o) if mine && Some(o) == own => {}
                Some(o) if mine || !self.memory.contains(&v) => work.extend(&self.func.op(o).operands),
                _ => {
                    out.insert(v);
                }
            }
        }
        out.into_iter().collect()
    }

    /// Operands in the order that a contraction's kernel reads them in, cut into panels of so many rows or columns: the one
    /// that gives the columns always, the other where it does not lie along the summed dims.
    fn packs(&self, o: OpId) -> Vec<u64> {
        let data = self.func.op(o);
        let Op::DotGeneral(e) = &data.op else { return Vec::new() };
        let cols = usize::from(!e.result.last().is_some_and(|c| e.operands[0].contains(c)));
        let panels = |i: usize, width: u64| {
            let ty = self.func.ty(data.operands[i]);
            let free = |c: &char| e.result.contains(c) && !e.operands[1 - i].contains(c);
            let of = |wanted: bool| {
                let dims = e.operands[i].iter().zip(&ty.shape).filter(|(c, _)| free(c) == wanted);
                dims.fold(1u64, |n, (_, &d)| n.saturating_mul(d))
            };
            of(true).next_multiple_of(width).saturating_mul(of(false)).saturating_mul(ty.dtype.bytes().max(4))
        };
        // Operands of 16 bits are packed as f32, both of them; and long sums that they round wait in f32.
        let (from, to) = (self.func.ty(data.operands[cols]).dtype, self.func.ty(data.results[0]));
        let mut out = vec![panels(cols, PANEL / from.bytes().max(4))];
        if from.bytes() < 4 || e.operands[1 - cols].last().is_some_and(|c| e.result.contains(c)) {
            out.push(panels(1 - cols, TILE_ROWS));
        }
        let summed =
            |c: &char| e.operands[0].iter().position(|x| x == c).map_or(1, |d| self.func.ty(data.operands[0]).shape[d]);
        if to.dtype.bytes() < 4 && e.contracted().iter().map(summed).product::<u64>() > K_BLOCK {
            out.push(to.elements().saturating_mul(4));
        }
        out
    }
}
