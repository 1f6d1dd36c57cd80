//! What becomes of a contraction's sums. They go through shared memory. So the body runs in a loop, on vectors as wide as its
//! buffers allow, no matter how a template spread the sums over its threads. If the body were unrolled over a thread's sums,
//! large bodies would be most of what there is to compile.
//!
//! There are two ways. The threads of a block meet, and tiles of sums take the memory of the stages. Or each warp has a little
//! memory of its own for its rows, some columns at a time, while the stages are filled for the next tile.

use super::places::{place, unravel};
use crate::dot::{Dot, PART, SUMS_PAD};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Val};
use crate::emit::eval::{Eval, Frame, Points, Values};
use crate::expr::{Node, NodeId};
use crate::geometry::product;
use crate::gpu::Grid;
use crate::gpu::WARP;

pub struct Epilogue<'a> {
    spec: &'a Dot,
    grid: &'a Grid,
    eval: Eval<'a>,
    acc: Option<NodeId>,
    sums: Buf,
    /// Elements from one row of sums to the next.
    width: u64,
}

impl<'a> Epilogue<'a> {
    /// For [`Epilogue::finish`]: the sums take the launch's shared memory from its start.
    pub fn new(b: &mut Builder, spec: &'a Dot, grid: &'a Grid) -> Epilogue<'a> {
        Epilogue::with(b, spec, grid, grid.tiling.rows, grid.tiling.cols, 0)
    }

    /// For [`Epilogue::finish_by_warps`]: the sums lie from this byte on.
    pub fn of_warps(b: &mut Builder, spec: &'a Dot, grid: &'a Grid, from: u64) -> Epilogue<'a> {
        Epilogue::with(b, spec, grid, u64::from(grid.tiling.threads) / WARP * 16, PART, from)
    }

    fn with(b: &mut Builder, spec: &'a Dot, grid: &'a Grid, rows: u64, cols: u64, from: u64) -> Epilogue<'a> {
        let eval = Eval { body: &spec.body, dim: spec.space().len() - 1, lanes: grid.lanes, aligned: true };
        let acc = spec.body.nodes.iter().position(|n| *n == Node::Acc).map(|i| NodeId(i as u32));
        let (kind, width) = (ElemKind::value(spec.dtype().computed()), cols + SUMS_PAD);
        let sums = b.dynamic_memory(kind, rows * width, from);
        Epilogue { spec, grid, eval, acc, sums, width }
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
            self.where_it_exists(b, batch, row, col, at);
        });
        // The next tile's slices, or sums, lie where these do.
        b.barrier();
    }

    /// The same for the sums that a warp has of 16 rows of the tile, where threads of other warps are elsewhere.
    pub fn finish_by_warps(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix, sums: &[Val]) {
        let tiling = &self.grid.tiling;
        let [first, _, group, within] = place(b, tiling);
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let across = PART / self.eval.lanes;
        let own = b.add(first, group);
        let pair = b.scale(within, 2);
        b.loop_(Ix::ZERO, (tiling.cols / PART).into(), 1, |b, part| {
            // Registers have no index: each part of them has its own stores.
            for (p, sums) in sums.chunks(PART as usize / 2).enumerate() {
                let this = b.test("eq", part, Ix::from(p as u64));
                b.if_(this, |b| {
                    for (i, two) in sums.chunks(2).enumerate() {
                        let two = b.elements(two);
                        let (row, col) = (own.plus((i % 2 * 8) as i64), pair.plus((i / 2 * 8) as i64));
                        let at = self.place(b, row, col);
                        b.store_aligned(two, self.sums, at);
                    }
                });
            }
            b.warp_barrier();
            let part = b.scale(part, PART as i64);
            let col = b.add(col, part);
            b.loop_(lane, (16 * across).into(), WARP, |b, v| {
                let (r, c) = b.div_rem(v, across);
                let (r, c) = (b.add(first, r), b.scale(c, self.eval.lanes as i64));
                let at = self.place(b, r, c);
                let (row, col) = (b.add(row, r), b.add(col, c));
                self.where_it_exists(b, batch, row, col, at);
            });
            b.warp_barrier();
        });
    }

    fn where_it_exists(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix, at: Ix) {
        let tiling = &self.grid.tiling;
        let ends = [(row, product(&self.spec.m), tiling.rows), (col, product(&self.spec.n), tiling.cols)];
        let tests =
            ends.map(|(at, total, tile)| (!total.is_multiple_of(tile)).then(|| b.test("slt", at, total.into())));
        let exists = match tests {
            [Some(x), Some(y)] => Some(b.binary("andi", x, y)),
            [one, other] => one.or(other),
        };
        match exists {
            Some(test) => b.if_(test, |b| self.body(b, batch, row, col, at)),
            None => self.body(b, batch, row, col, at),
        }
    }

    fn body(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix, at: Ix) {
        let eval = &self.eval;
        let (of_rows, of_cols) = (unravel(b, row, &self.spec.m), unravel(b, col, &self.spec.n));
        let frame = Frame::new(b, eval.body, [batch, &of_rows, &of_cols].concat());
        let mut known: Values = vec![None; eval.body.nodes.len()];
        if let Some(acc) = self.acc {
            known[acc.index()] = Some(b.load_aligned(self.sums, at, eval.lanes));
        }
        let points = Points { at: Ix::ZERO, mask: None };
        let roots: Vec<NodeId> = eval.body.outputs.iter().map(|o| o.node).collect();
        eval.compute(b, &frame, points, &mut known, &roots);
        for (i, o) in eval.body.outputs.iter().enumerate() {
            if let Some(v) = known[o.node.index()] {
                eval.store(b, o, frame.output(i), points, v);
            }
        }
    }
}
