//! What becomes of a contraction's sums: they go through shared memory, so that the body runs in a loop, on vectors as wide as its
//! buffers allow, whichever way a template spread the sums over its threads. Unrolled over a thread's sums, large bodies would be most of
//! what there is to compile.

use super::dot::unravel;
use crate::dot::{Dot, SUMS_PAD};
use crate::emit::builder::{Buf, Builder, Ix, Kind};
use crate::emit::eval::{Eval, Frame, Points, Values};
use crate::expr::{Node, NodeId};
use crate::geometry::product;
use crate::gpu::Grid;

pub struct Epilogue<'a> {
    spec: &'a Dot,
    grid: &'a Grid,
    eval: Eval<'a>,
    acc: Option<NodeId>,
    sums: Buf,
}

impl<'a> Epilogue<'a> {
    /// The sums take the launch's shared memory from its start.
    pub fn new(b: &mut Builder, spec: &'a Dot, grid: &'a Grid) -> Epilogue<'a> {
        let eval = Eval { body: &spec.body, dim: spec.space().len() - 1, lanes: grid.lanes, aligned: true };
        let acc = spec.body.nodes.iter().position(|n| *n == Node::Acc).map(|i| NodeId(i as u32));
        let kind = Kind::value(spec.dtype().computed());
        let sums = b.dynamic_memory(kind, grid.tiling.rows * (grid.tiling.cols + SUMS_PAD), 0);
        Epilogue { spec, grid, eval, acc, sums }
    }

    /// Where a sum of the tile lies.
    pub fn place(&self, b: &mut Builder, row: Ix, col: Ix) -> Ix {
        let line = b.scale(row, self.width() as i64);
        b.add(line, col)
    }

    fn width(&self) -> u64 {
        self.grid.tiling.cols + SUMS_PAD
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
        });
        // The next tile's slices, or sums, lie where these do.
        b.barrier();
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
