//! Matmul: register tiles over panels, with the body as an epilogue on the accumulators.
//!
//! The loops, from the outermost to the innermost: blocks of k (a panel's slice of B, 32 KiB, stays in L1), blocks of row tiles
//! (their slice of A stays in L2), column panels, row tiles, k. A tile is [`TILE_ROWS`] rows by one panel, computed in as many
//! register tiles as the target needs. The ends of rows and columns get tiles of their own, with exactly the rows and vectors
//! that exist.

use super::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use super::eval::{Eval, Frame, Points, Values, address};
use super::lanes::lanes_of;
use crate::expr::{Node, NodeId};
use crate::geometry::{ceil_div, product};
use crate::spec::{Matmul, Operand, TILE_ROWS, panel_cols};
use crate::target::{Target, Tuning};

pub fn emit(b: &mut Builder, spec: &Matmul, target: &Target) {
    if product(&spec.space()) == 0 {
        return;
    }
    let body = &spec.body;
    let lanes = lanes_of(body, target);
    let acc = body.nodes.iter().position(|n| *n == Node::Acc).map(|i| NodeId(i as u32));
    let eval = Eval { body, dim: spec.space().len() - 1, lanes, aligned: false };
    let kernel = Kernel { spec, eval, lanes, width: panel_cols(spec.dtype()), acc, tuning: target.tuning() };
    let (lo, hi) = (b.lo(), b.hi());
    let tiles = kernel.tuning.m_block / TILE_ROWS;
    b.loop_(Ix::ZERO, spec.k.max(1).into(), Matmul::K_BLOCK, |b, k0| {
        let k1 = b.min(k0.plus(Matmul::K_BLOCK as i64), spec.k.into());
        b.loop_(lo, hi, tiles, |b, from| {
            let to = b.min(from.plus(tiles as i64), hi);
            kernel.panels(b, [k0, k1], [from, to]);
        });
    });
}

struct Kernel<'a> {
    spec: &'a Matmul,
    eval: Eval<'a>,
    lanes: u64,
    /// Columns of a panel of B.
    width: u64,
    acc: Option<NodeId>,
    tuning: Tuning,
}

/// A panel of columns: where it is, and how many there are in it.
struct Panel {
    outer: Vec<Ix>,
    at: Ix,
    linear: Ix,
    count: u64,
}

/// A tile: the place of its first element in the space, and where its operands begin.
struct Tile {
    frame: Frame,
    a: Ix,
    b: Ix,
    rows: u64,
    cols: u64,
    k: [Ix; 2],
}

/// Divides the work at the last of `count` pieces if that one is shorter: `whole` or `tail` elements.
fn ends(b: &mut Builder, at: Ix, run: u64, piece: u64, mut each: impl FnMut(&mut Builder, u64)) {
    let (count, tail) = (ceil_div(run, piece), run % piece);
    if tail == 0 {
        return each(b, piece);
    }
    if count == 1 {
        return each(b, tail);
    }
    let last = b.test("eq", at, (count - 1).into());
    let each = std::cell::RefCell::new(&mut each);
    let part = |n: u64| {
        let each = &each;
        move |b: &mut Builder| {
            (each.borrow_mut())(b, n);
            Vec::new()
        }
    };
    b.if_else(last, &[], part(tail), part(piece));
}

impl Kernel<'_> {
    /// All column panels of row tiles `from..to`.
    fn panels(&self, b: &mut Builder, k: [Ix; 2], [from, to]: [Ix; 2]) {
        let (n_outer, run) = split(&self.spec.n);
        let per_run = ceil_div(run, self.width);
        b.loop_(Ix::ZERO, self.spec.col_panels().into(), 1, |b, linear| {
            let (o, at) = b.div_rem(linear, per_run);
            let outer = unravel(b, o, n_outer);
            ends(b, at, run, self.width, |b, count| {
                let panel = Panel { outer: outer.clone(), at, linear, count };
                b.loop_(from, to, 1, |b, unit| self.unit(b, k, unit, &panel));
            });
        });
    }

    /// One row tile against one panel.
    fn unit(&self, b: &mut Builder, k: [Ix; 2], unit: Ix, panel: &Panel) {
        let spec = self.spec;
        let (m_outer, run) = split(&spec.m);
        let (o, t) = b.div_rem(unit, ceil_div(run, TILE_ROWS));
        let (batch, o) = b.div_rem(o, product(m_outer));
        let (batch, o) = if product(m_outer) == 1 { (batch, Ix::ZERO) } else { (batch, o) };
        let mut index = unravel(b, batch, &spec.batch);
        let lead = index.clone();
        index.extend(unravel(b, o, m_outer));
        index.push(b.scale(t, TILE_ROWS as i64));
        let row = index.clone();
        index.extend(panel.outer.iter().copied());
        index.push(b.scale(panel.at, self.width as i64));
        let column = [&lead[..], &index[row.len()..]].concat();
        let a = match &spec.a {
            Operand::Packed => b.scale(unit, (spec.k * TILE_ROWS) as i64),
            Operand::Direct { access, .. } => address(b, access, &row),
        };
        let b_at = match &spec.b {
            Operand::Packed => {
                let first = b.scale(batch, spec.col_panels() as i64);
                let at = b.add(first, panel.linear);
                b.scale(at, (spec.k * self.width) as i64)
            }
            Operand::Direct { access, .. } => address(b, access, &column),
        };
        let frame = Frame::new(b, &spec.body, index);
        let tile = std::cell::RefCell::new(Some(frame));
        ends(b, t, run, TILE_ROWS, |b, rows| {
            let Some(frame) = tile.borrow_mut().take() else { return };
            let here = Tile { frame, a, b: b_at, rows, cols: panel.count, k };
            self.tile(b, &here);
            *tile.borrow_mut() = Some(here.frame);
        });
    }

    fn tile(&self, b: &mut Builder, tile: &Tile) {
        let (rows, vectors) = (self.tuning.tile_rows, self.tuning.tile_vectors);
        if self.tuning.prefetch_epilogue {
            self.when_last(b, tile, |b| self.prefetch(b, tile));
        }
        for r in (0..tile.rows).step_by(rows as usize) {
            for v in (0..ceil_div(tile.cols, self.lanes)).step_by(vectors as usize) {
                let to = [(r + rows).min(tile.rows), (v + vectors).min(ceil_div(tile.cols, self.lanes))];
                self.register_tile(b, tile, [r, v], to);
            }
        }
    }

    /// Whether this is the last block of k; known before the kernel runs if there is only one.
    fn when_last(&self, b: &mut Builder, tile: &Tile, f: impl FnOnce(&mut Builder)) {
        if !self.spec.spills() {
            return f(b);
        }
        let last = b.test("eq", tile.k[1], self.spec.k.into());
        b.if_(last, f);
    }

    /// Fetches the lines that the epilogue will read.
    fn prefetch(&self, b: &mut Builder, tile: &Tile) {
        let (body, m) = (&self.spec.body, self.spec.batch.len() + self.spec.m.len() - 1);
        for (i, n) in body.nodes.iter().enumerate() {
            let Node::Leaf(access) = n else { continue };
            if access.strides[m] == 0 || access.strides[self.eval.dim] != 1 {
                continue;
            }
            let dtype = body.buffers[access.buffer as usize];
            let line = (64 / dtype.bytes()) as usize;
            for r in 0..tile.rows {
                for c in (0..tile.cols).step_by(line) {
                    let at = tile.frame.node(NodeId(i as u32)).plus(r as i64 * access.strides[m] + c as i64);
                    b.prefetch(Buf::arg(access.buffer, dtype), at);
                }
            }
        }
    }

    /// Rows `r0..r1`, vectors `v0..v1` of a tile.
    fn register_tile(&self, b: &mut Builder, tile: &Tile, [r0, v0]: [u64; 2], [r1, v1]: [u64; 2]) {
        let spec = self.spec;
        let m_dim = spec.batch.len() + spec.m.len() - 1;
        let mut rows = Vec::new();
        for r in r0..r1 {
            rows.push(tile.frame.moved(b, &spec.body, m_dim, r.into()));
        }
        let mut columns = Vec::new();
        for v in v0..v1 {
            let at = v * self.lanes;
            let mask = (at + self.lanes > tile.cols).then(|| b.mask(self.lanes, tile.cols - at));
            columns.push(Points { at: at.into(), mask });
        }
        let ty = Ty::vector(ElemKind::value(spec.dtype()), self.lanes);
        let zero = b.float(ty, 0.0);
        let zeros = vec![zero; rows.len() * columns.len()];
        let start = if spec.spills() {
            let first = b.test("eq", tile.k[0], Ix::ZERO);
            let types = vec![ty; zeros.len()];
            b.if_else(first, &types, |_| zeros.clone(), |b| self.partial_sums(b, &rows, &columns))
        } else {
            zeros
        };
        let acc = self.accumulate(b, tile, [r0, v0], &rows, &columns, start);
        if !spec.spills() {
            return self.epilogue(b, &rows, &columns, &acc);
        }
        let last = b.test("eq", tile.k[1], spec.k.into());
        let finish = |b: &mut Builder| {
            self.epilogue(b, &rows, &columns, &acc);
            Vec::new()
        };
        let wait = |b: &mut Builder| {
            self.each(&rows, &columns, |i, frame, points| {
                self.eval.store(b, &spec.body.outputs[0], frame.output(0), points, acc[i]);
            });
            Vec::new()
        };
        b.if_else(last, &[], finish, wait);
    }

    fn each(&self, rows: &[Frame], columns: &[Points], mut f: impl FnMut(usize, &Frame, Points)) {
        for (r, frame) in rows.iter().enumerate() {
            for (v, &points) in columns.iter().enumerate() {
                f(r * columns.len() + v, frame, points);
            }
        }
    }

    /// What earlier blocks of k left in output 0.
    fn partial_sums(&self, b: &mut Builder, rows: &[Frame], columns: &[Points]) -> Vec<Val> {
        let mut sums = Vec::new();
        let access = &self.spec.body.outputs[0].access;
        self.each(rows, columns, |_, frame, points| sums.push(self.eval.load(b, access, frame.output(0), points)));
        sums
    }

    /// The loop over k.
    fn accumulate(
        &self,
        b: &mut Builder,
        tile: &Tile,
        [r0, v0]: [u64; 2],
        rows: &[Frame],
        columns: &[Points],
        start: Vec<Val>,
    ) -> Vec<Val> {
        let dtype = self.spec.dtype();
        let (a_buf, b_buf) = (Buf::arg(0, dtype), Buf::arg(1, dtype));
        // (per row, per k) of A; k of B, whose columns are contiguous.
        let (a_row, a_k) = match &self.spec.a {
            Operand::Packed => (1, TILE_ROWS as i64),
            Operand::Direct { access, k_stride } => (access.strides[access.strides.len() - 1], *k_stride),
        };
        let b_k = match &self.spec.b {
            Operand::Packed => self.width as i64,
            Operand::Direct { k_stride, .. } => *k_stride,
        };
        // Panels are padded with zeros; an operand in place ends where it ends.
        let direct_b = self.spec.b != Operand::Packed;
        b.for_(tile.k[0], tile.k[1], 1, &start, |b, k, acc| {
            let (ak, bk) = (b.scale(k, a_k), b.scale(k, b_k));
            let (a_at, b_at) = (b.add(tile.a, ak), b.add(tile.b, bk));
            let mut right = Vec::new();
            for (v, points) in columns.iter().enumerate() {
                let at = b_at.plus(((v0 + v as u64) * self.lanes) as i64);
                right.push(match points.mask {
                    Some(mask) if direct_b => b.masked_load(b_buf, at, mask),
                    _ => b.load(b_buf, at, self.lanes),
                });
            }
            let mut sums = Vec::new();
            for r in 0..rows.len() {
                let left = b.splat(a_buf, a_at.plus((r0 as i64 + r as i64) * a_row), self.lanes);
                for (v, &x) in right.iter().enumerate() {
                    sums.push(b.multiply_add(left, x, acc[r * columns.len() + v]));
                }
            }
            sums
        })
    }

    /// The body, on every vector of accumulators.
    fn epilogue(&self, b: &mut Builder, rows: &[Frame], columns: &[Points], acc: &[Val]) {
        let body = &self.spec.body;
        let roots: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
        self.each(rows, columns, |i, frame, points| {
            let mut values: Values = vec![None; body.nodes.len()];
            if let Some(id) = self.acc {
                values[id.index()] = Some(acc[i]);
            }
            self.eval.compute(b, frame, points, &mut values, &roots);
            for (o, output) in body.outputs.iter().enumerate() {
                if let Some(v) = values[output.node.index()] {
                    self.eval.store(b, output, frame.output(o), points, v);
                }
            }
        });
    }
}

/// The outer dims, and the last.
fn split(dims: &[u64]) -> (&[u64], u64) {
    dims.split_last().map_or((&[][..], 1), |(last, outer)| (outer, *last))
}

/// Row-major decomposition of an index that is in range.
fn unravel(b: &mut Builder, linear: Ix, dims: &[u64]) -> Vec<Ix> {
    let mut index = vec![Ix::ZERO; dims.len()];
    let mut rest = linear;
    for (i, &d) in dims.iter().enumerate().rev() {
        // The first dim needs no remainder.
        let (q, r) = if i == 0 { (Ix::ZERO, rest) } else { b.div_rem(rest, d) };
        index[i] = r;
        rest = q;
    }
    index
}
