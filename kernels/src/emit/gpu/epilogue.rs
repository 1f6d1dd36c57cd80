//! What becomes of a contraction's sums. They go through shared memory. So the body runs in a loop, on vectors as wide as its
//! buffers allow, no matter how a template spread the sums over its threads. If the body were unrolled over a thread's sums,
//! large bodies would be most of what there is to compile.
//!
//! There are two ways. The threads of a block meet, and tiles of sums take the memory of the stages. Or each warp has a little
//! memory of its own for its rows, some columns at a time, while the stages are filled for the next tile. There, what the body reads
//! of other tensors is loaded a part ahead, for the first part while the last products are under way.

use super::places::unravel;
use super::tile::{STRIP_ROWS, chunk_at};
use crate::dot::{Dot, PART, SUMS_PAD};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::eval::{Eval, Frame, Points, Values};
use crate::expr::{DType, Node, NodeId};
use crate::geometry::product;
use crate::gpu::Grid;
use crate::gpu::WARP;

/// The most vectors that a lane has of 16 rows of a part, if a part is no loop.
const MOST_STEPS: u64 = 4;

pub struct Epilogue<'a> {
    spec: &'a Dot,
    grid: &'a Grid,
    eval: Eval<'a>,
    acc: Option<NodeId>,
    pub(super) sums: Buf,
    /// Elements from one row of sums to the next.
    width: u64,
    /// The rows that a warp has of a part.
    rows: u64,
}

impl<'a> Epilogue<'a> {
    /// For [`Epilogue::finish`]: the sums take the launch's shared memory from its start.
    pub fn new(b: &mut Builder, spec: &'a Dot, grid: &'a Grid) -> Epilogue<'a> {
        Epilogue::with(b, spec, grid, grid.tiling.rows, grid.tiling.cols + SUMS_PAD, 0)
    }

    /// For [`Epilogue::finish_by_warps`]: the sums lie from this byte on.
    pub fn of_warps(b: &mut Builder, spec: &'a Dot, grid: &'a Grid, from: u64) -> Epilogue<'a> {
        Epilogue::with(b, spec, grid, grid.tiling.waiting_bytes(spec) / DType::F32.bytes() / PART, PART, from)
    }

    fn with(b: &mut Builder, spec: &'a Dot, grid: &'a Grid, rows: u64, width: u64, from: u64) -> Epilogue<'a> {
        let eval = Eval { body: &spec.body, dim: spec.space().len() - 1, lanes: grid.lanes, aligned: true };
        let acc = spec.body.nodes.iter().position(|n| *n == Node::Acc).map(|i| NodeId(i as u32));
        let kind = ElemKind::value(spec.dtype().computed());
        let sums = b.dynamic_memory(kind, rows * width, from);
        let rows = if grid.tiling.in_tensor_memory() { WARP } else { 16 };
        Epilogue { spec, grid, eval, acc, sums, width, rows }
    }

    /// Where a sum lies.
    pub fn place(&self, b: &mut Builder, row: Ix, col: Ix) -> Ix {
        let line = b.scale(row, self.width as i64);
        b.add(line, col)
    }

    /// Puts all sums of the tile where all threads find them, then runs the body on it. `keep` stores those of the thread.
    pub fn finish(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix, keep: impl FnOnce(&mut Builder, Buf)) {
        keep(b, self.sums);
        b.barrier();
        let (eval, tiling) = (&self.eval, &self.grid.tiling);
        let across = tiling.cols / eval.lanes;
        let thread = b.thread();
        b.loop_(thread, (tiling.rows * across).into(), tiling.threads.into(), |b, v| {
            let (r, c) = b.div_rem(v, across);
            let c = b.scale(c, eval.lanes as i64);
            let at = self.place(b, r, c);
            let (row, col) = (b.add(row, r), b.add(col, c));
            self.where_it_exists(b, row, col, |b| {
                let sums = b.load_aligned(self.sums, at, self.eval.lanes);
                self.body(b, batch, row, col, sums);
            });
        });
        // The next tile's slices, or sums, lie where these do.
        b.barrier();
    }

    /// For [`Epilogue::finish_by_warps`], before the sums are there: begins to load what its first part needs of other tensors.
    pub fn begin_by_warps(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix) -> Vec<Val> {
        let mut values = Vec::new();
        for step in 0..self.steps() {
            let frame = self.loads(b, Ix::ZERO, step, [batch, &[row, col]]);
            for id in self.early() {
                let v = self.eval.leaf(b, &frame, id);
                values.push(words(b, v));
            }
        }
        values
    }

    /// The same as [`Epilogue::finish`] for the sums that a warp has of 16 rows of each strip of the tile, where threads of other warps
    /// are elsewhere. `early` is what [`Epilogue::begin_by_warps`] gave.
    pub fn finish_by_warps(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix, sums: &[Val], early: Vec<Val>) {
        let thread = b.thread();
        let (warp, lane) = b.div_rem(thread, WARP);
        let (group, within) = b.div_rem(lane, 4);
        let (own, pair) = (b.scale(warp, 16), b.scale(within, 2));
        let own = b.add(own, group);
        let parts = sums.len() as u64 * 2 / PART;
        self.parts(b, batch, [row, col], parts.into(), early, |b, part| {
            // Registers have no index: each part of them has its own stores.
            for (p, sums) in sums.chunks(PART as usize / 2).enumerate() {
                let this = b.test("eq", part, Ix::from(p as u64));
                b.if_(this, |b| {
                    for (i, two) in sums.chunks(2).enumerate() {
                        let two = b.elements(two);
                        let (row, col) = (own.plus((i % 2 * 8) as i64), pair.plus((i / 2 * 8) as i64));
                        let at = self.chunked(b, row, col);
                        b.store_aligned(two, self.sums, at);
                    }
                });
            }
        });
    }

    /// The body on the warp's rows of so many parts of a tile. `keep` puts the sums of a part where [`Epilogue::chunked`] says.
    pub fn parts(
        &self,
        b: &mut Builder,
        batch: &[Ix],
        [row, col]: [Ix; 2],
        parts: Ix,
        early: Vec<Val>,
        keep: impl FnOnce(&mut Builder, Ix),
    ) {
        b.for_(Ix::ZERO, parts, 1, &early, |b, part, early| {
            // What the next part needs is on its way while this one is computed. Behind the last comes the last once more.
            let next = b.min(part.plus(1), parts.plus(-1));
            let mut later = Vec::new();
            for step in 0..self.steps() {
                let frame = self.loads(b, next, step, [batch, &[row, col]]);
                for id in self.early() {
                    let v = self.eval.leaf(b, &frame, id);
                    later.push(words(b, v));
                }
            }
            keep(b, part);
            b.warp_barrier();
            if self.unrolled() {
                self.steps_of_part(b, part, [batch, &[row, col]], early);
            } else {
                b.loop_(Ix::ZERO, (self.rows * self.across() / WARP).into(), 1, |b, step| {
                    let share = self.share_at(b, part, step);
                    let (row, col) = (b.add(row, share.row), b.add(col, share.col));
                    self.where_it_exists(b, row, col, |b| {
                        let sums = self.sums_of(b, &share);
                        self.body(b, batch, row, col, sums);
                    });
                });
            }
            b.warp_barrier();
            later
        });
    }

    /// The body on all that this lane has of a part.
    fn steps_of_part(&self, b: &mut Builder, part: Ix, [batch, origin]: [&[Ix]; 2], early: &[Val]) {
        let body = &self.spec.body;
        let first = self.early();
        // What all rows have alike is loaded once: the lane's columns are the same at each step.
        let mut alike: Values = vec![None; body.nodes.len()];
        let frame = self.loads(b, part, 0, [batch, origin]);
        for id in self.leaves().filter(|id| !first.contains(id)) {
            alike[id.index()] = Some(self.eval.leaf(b, &frame, id));
        }
        for step in 0..self.steps() {
            let share = self.share(b, part, step);
            let (row, col) = (b.add(origin[0], share.row), b.add(origin[1], share.col));
            let mut known = alike.clone();
            for (id, &v) in first.iter().zip(&early[step as usize * first.len()..]) {
                known[id.index()] = Some(of_words(b, self.eval.leaf_ty(*id), v));
            }
            self.where_it_exists(b, row, col, |b| {
                let frame = self.frame(b, batch, row, col);
                let sums = self.sums_of(b, &share);
                self.run(b, &frame, known, sums);
            });
        }
    }

    /// Where a lane loads for a part: within the tensors even where the tile is not.
    fn loads(&self, b: &mut Builder, part: Ix, step: u64, [batch, origin]: [&[Ix]; 2]) -> Frame {
        let (tiling, lanes) = (&self.grid.tiling, self.eval.lanes);
        let share = self.share(b, part, step);
        let ends = [
            (share.row, origin[0], product(&self.spec.m), tiling.rows, 1),
            (share.col, origin[1], product(&self.spec.n), tiling.cols, lanes),
        ];
        let [row, col] = ends.map(|(own, from, total, tile, each)| {
            let at = b.add(from, own);
            if total.is_multiple_of(tile) { at } else { b.min(at, (total - each).into()) }
        });
        self.frame(b, batch, row, col)
    }

    fn frame(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix) -> Frame {
        let (of_rows, of_cols) = (unravel(b, row, &self.spec.m), unravel(b, col, &self.spec.n));
        Frame::new(b, self.eval.body, [batch, &of_rows, &of_cols].concat())
    }

    /// Where a column of a warp's line lies. The 16-byte chunks of a line are permuted, another way for each of four neighbouring lines:
    /// pairs of columns of eight lines, which lanes store, are in different banks, and so are the vectors of a few lines, which they load.
    /// Where each lane has a line, another way for each of eight, since lanes store chunks.
    pub fn chunked(&self, b: &mut Builder, line: Ix, col: Ix) -> Ix {
        if self.rows == WARP {
            let (chunk, rest) = b.div_rem(col, 4);
            let byte = chunk_at(b, line, chunk);
            let at = b.div_rem(byte, DType::F32.bytes()).0;
            return b.add(at, rest);
        }
        let ((_, four), (_, two)) = (b.div_rem(line, 4), b.div_rem(line, 2));
        let twice = b.scale(four, 2);
        let by = b.add(twice, two);
        let (chunk, rest) = b.div_rem(col, 4);
        let chunk = b.xor(chunk, by);
        let (line, chunk) = (b.scale(line, PART as i64), b.scale(chunk, 4));
        let at = b.add(line, chunk);
        b.add(at, rest)
    }

    /// The sums of a vector.
    fn sums_of(&self, b: &mut Builder, share: &Share) -> Val {
        let lanes = self.eval.lanes;
        if lanes <= 4 {
            let at = self.chunked(b, share.staged, share.within);
            return b.load_aligned(self.sums, at, lanes);
        }
        let mut all = Vec::new();
        for chunk in 0..lanes / 4 {
            let at = self.chunked(b, share.staged, share.within.plus(4 * chunk as i64));
            let four = b.load_aligned(self.sums, at, 4);
            all.extend((0..4).map(|i| b.extract(four, i)));
        }
        b.elements(&all)
    }

    /// How many vectors a row of a part is.
    fn across(&self) -> u64 {
        PART / self.eval.lanes
    }

    /// Whether the lanes' vectors of a part are few: then a part is no loop.
    fn unrolled(&self) -> bool {
        self.rows * self.across() / WARP <= MOST_STEPS * self.rows / 16
    }

    /// The vectors of a part that a lane has, where a part is no loop.
    fn steps(&self) -> u64 {
        if self.unrolled() { self.rows * self.across() / WARP } else { 0 }
    }

    fn leaves(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.spec.body.nodes.iter().enumerate();
        nodes.filter(|(_, n)| matches!(n, Node::Leaf(_))).map(|(i, _)| NodeId(i as u32))
    }

    /// What is loaded ahead: elements of which each row has its own, and which come from far away.
    fn early(&self) -> Vec<NodeId> {
        let rows = self.spec.batch.len()..self.spec.batch.len() + self.spec.m.len();
        let moves = |id: &NodeId| match &self.spec.body.nodes[id.index()] {
            Node::Leaf(a) => a.strides[rows.clone()].iter().any(|s| *s != 0),
            _ => false,
        };
        self.leaves().filter(moves).collect()
    }

    fn share(&self, b: &mut Builder, part: Ix, step: u64) -> Share {
        self.share_at(b, part, step.into())
    }

    fn share_at(&self, b: &mut Builder, part: Ix, step: Ix) -> Share {
        let tiling = &self.grid.tiling;
        let thread = b.thread();
        let (warp, lane) = b.div_rem(thread, WARP);
        let (_, of_tile) = b.div_rem(warp, u64::from(tiling.tile_threads()) / WARP);
        let (r, c) = b.div_rem(lane, self.across());
        let down = b.scale(step, (WARP / self.across()) as i64);
        let (r, c) = (b.add(r, down), b.scale(c, self.eval.lanes as i64));
        let (staged, own) = (b.scale(warp, self.rows as i64), b.scale(of_tile, self.rows as i64));
        let staged = b.add(staged, r);
        let (strip, part) = b.div_rem(part, tiling.cols / PART);
        let (strip, part) = (b.scale(strip, STRIP_ROWS as i64), b.scale(part, PART as i64));
        let (row, col) = (b.add(own, r), b.add(part, c));
        Share { staged, within: c, row: b.add(row, strip), col }
    }

    fn where_it_exists(&self, b: &mut Builder, row: Ix, col: Ix, what: impl FnOnce(&mut Builder)) {
        let tiling = &self.grid.tiling;
        let ends = [(row, product(&self.spec.m), tiling.rows), (col, product(&self.spec.n), tiling.cols)];
        let tests =
            ends.map(|(at, total, tile)| (!total.is_multiple_of(tile)).then(|| b.test("slt", at, total.into())));
        let exists = match tests {
            [Some(x), Some(y)] => Some(b.binary("andi", x, y)),
            [one, other] => one.or(other),
        };
        match exists {
            Some(test) => b.if_(test, what),
            None => what(b),
        }
    }

    fn body(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix, sums: Val) {
        let frame = self.frame(b, batch, row, col);
        self.run(b, &frame, vec![None; self.eval.body.nodes.len()], sums);
    }

    fn run(&self, b: &mut Builder, frame: &Frame, mut known: Values, sums: Val) {
        let eval = &self.eval;
        if let Some(acc) = self.acc {
            known[acc.index()] = Some(sums);
        }
        let points = Points { at: Ix::ZERO, mask: None };
        let roots: Vec<NodeId> = eval.body.outputs.iter().map(|o| o.node).collect();
        eval.compute(b, frame, points, &mut known, &roots);
        for (i, o) in eval.body.outputs.iter().enumerate() {
            if let Some(v) = known[o.node.index()] {
                eval.store(b, o, frame.output(i), points, v);
            }
        }
    }
}

/// A vector of sums that a lane has of a part: its line in shared memory and its column there, and its row and column in the tile.
struct Share {
    staged: Ix,
    within: Ix,
    row: Ix,
    col: Ix,
}

/// Loaded elements as words, which loops carry as they are; and back.
fn words(b: &mut Builder, v: Val) -> Val {
    let ty = b.ty(v);
    let bits = ty.lanes * ty.kind.bytes() * 8;
    if ty.kind == ElemKind::I1 || ty.kind.bytes() >= 4 || !bits.is_multiple_of(32) {
        v
    } else {
        b.regroup(v, Ty::vector(ElemKind::I32, bits / 32))
    }
}

fn of_words(b: &mut Builder, ty: Ty, v: Val) -> Val {
    if b.ty(v) == ty { v } else { b.regroup(v, ty) }
}
