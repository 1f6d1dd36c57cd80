//! What becomes of a contraction's sums where the tensor memory accelerator stores the results ([`crate::tensor_map::results`]).
//!
//! The body runs on the pairs of sums that a thread has in registers, a part of the tile at a time: 16 rows of a warp and a line of
//! columns. Each warp writes its results of a part to a box in shared memory, swizzled as tiles are, and one of its lanes has the box
//! stored while the warp computes the next part. So lines of memory are written whole, and nothing asks which elements exist: what lies
//! beyond the tensor is not stored. What the body reads row by row comes in boxes, too. Those of the first parts are asked for
//! before the products of the tile, and a result takes the place of the element that it was made of.
//!
//! Every warp goes its own way. Before others read what a lane wrote (here the lane that has a box stored, and the accelerator), the
//! writer fences it and the warp meets.

use super::bulk::BARRIER;
use super::places::{coordinates, unravel};
use super::tile::STRIP_ROWS;
use crate::dot::{Dot, Tiling};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::emit::eval::{Eval, Frame, Points, Values};
use crate::expr::{Access, DType, Node, NodeId};
use crate::geometry::product;
use crate::gpu::WARP;
use crate::tensor_map::results::{BOX, ResultBoxes, WARP_ROWS};

/// The map of the first result: those of the operands come before.
const FIRST_MAP: usize = 2;

pub struct Boxed<'a> {
    spec: &'a Dot,
    tiling: Tiling,
    eval: Eval<'a>,
    acc: Option<NodeId>,
    boxes: ResultBoxes,
    /// Where the memory of warps begins.
    from: u64,
    /// That memory, as elements of each result and of what is read.
    stored: Vec<Buf>,
    brought: Option<(NodeId, Buf)>,
}

/// The batch of a tile: its number, and its index in each dim.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    pub number: Ix,
    pub index: &'a [Ix],
}

/// A part of a tile that a warp has: its first row and column, its number among all parts of the warp, and the batch.
struct Part<'a> {
    batch: Batch<'a>,
    row: Ix,
    col: Ix,
    count: Ix,
}

impl<'a> Boxed<'a> {
    /// The memory of warps begins at this byte.
    pub fn new(b: &mut Builder, spec: &'a Dot, tiling: &Tiling, boxes: ResultBoxes, from: u64) -> Boxed<'a> {
        let eval = Eval { body: &spec.body, dim: spec.space().len() - 1, lanes: 2, aligned: true };
        let acc = spec.body.nodes.iter().position(|n| *n == Node::Acc).map(|i| NodeId(i as u32));
        let bytes = boxes.barriers(tiling);
        let of = |a: &Access| spec.body.buffers[a.buffer as usize];
        let mut memory = |d: DType| b.dynamic_memory(ElemKind::memory(d), bytes / d.bytes(), from);
        let stored = spec.body.outputs.iter().map(|o| memory(of(&o.access))).collect();
        let brought = boxes.input.as_ref().and_then(|(id, _)| match &spec.body.nodes[id.index()] {
            Node::Leaf(a) => Some((*id, memory(of(a)))),
            _ => None,
        });
        Boxed { spec, tiling: *tiling, eval, acc, boxes, from, stored, brought }
    }

    /// How many tensor maps the kernel takes for it.
    pub fn maps(&self) -> usize {
        self.stored.len() + usize::from(self.brought.is_some())
    }

    /// By one thread, where barriers are made.
    pub fn init_barriers(&self, b: &mut Builder) {
        if self.brought.is_none() {
            return;
        }
        for i in 0..u64::from(self.tiling.threads) / WARP * self.boxes.depth {
            let at = Ix::from(self.from + self.boxes.barriers(&self.tiling) + i * BARRIER);
            let at = b.dynamic_address(at);
            b.init_barrier(at, 1);
        }
    }

    /// Parts of a warp's rows of a tile.
    fn parts(&self) -> u64 {
        self.tiling.fragments()[0] * (self.tiling.cols / self.boxes.cols)
    }

    /// Where the first box of the part with this number lies, among boxes of so many bytes or elements.
    fn place(&self, b: &mut Builder, count: Ix, each: u64) -> Ix {
        let thread = b.thread();
        let (warp, _) = b.div_rem(thread, WARP);
        let (_, slot) = b.div_rem(count, self.boxes.depth);
        let own = b.scale(warp, (self.boxes.boxes() * each) as i64);
        let slot = b.scale(slot, (self.boxes.outputs.len() as u64 * each) as i64);
        b.add(own, slot)
    }

    /// The address in shared memory of a box of that part.
    fn address(&self, b: &mut Builder, count: Ix, which: usize) -> Ix {
        let at = self.place(b, count, BOX).plus((self.from + which as u64 * BOX) as i64);
        b.dynamic_address(at)
    }

    /// The barrier of what is read for the part with this number, and the parity of its phase.
    fn barrier(&self, b: &mut Builder, count: Ix) -> [Ix; 2] {
        let thread = b.thread();
        let (warp, _) = b.div_rem(thread, WARP);
        let (round, slot) = b.div_rem(count, self.boxes.depth);
        let own = b.scale(warp, (self.boxes.depth * BARRIER) as i64);
        let slot = b.scale(slot, BARRIER as i64);
        let at = b.add(own, slot).plus((self.from + self.boxes.barriers(&self.tiling)) as i64);
        [b.dynamic_address(at), b.div_rem(round, 2).1]
    }

    fn leads(b: &mut Builder) -> Val {
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        b.test("eq", lane, Ix::ZERO)
    }

    /// A part of the tile that begins at a row and a column; `taken` tiles were the warp's before.
    fn part<'p>(&self, b: &mut Builder, batch: Batch<'p>, [row, col]: [Ix; 2], part: Ix, taken: Ix) -> Part<'p> {
        let thread = b.thread();
        let (warp, _) = b.div_rem(thread, WARP);
        let (_, of_tile) = b.div_rem(warp, u64::from(self.tiling.tile_threads()) / WARP);
        let (strip, across) = b.div_rem(part, self.tiling.cols / self.boxes.cols);
        let (own, strip) = (b.scale(of_tile, WARP_ROWS as i64), b.scale(strip, STRIP_ROWS as i64));
        let (row, across) = (b.add(row, own), b.scale(across, self.boxes.cols as i64));
        let before = b.scale(taken, self.parts() as i64);
        let (row, col, count) = (b.add(row, strip), b.add(col, across), b.add(before, part));
        Part { batch, row, col, count }
    }

    /// Has what the body reads of a part brought, by the lane that leads.
    fn bring(&self, b: &mut Builder, part: &Part<'_>) {
        let Some((_, boxes)) = &self.boxes.input else { return };
        let [barrier, _] = self.barrier(b, part.count);
        let to = self.address(b, part.count, 0);
        let leads = Boxed::leads(b);
        b.if_(leads, |b| {
            b.arrive_expecting(barrier, BOX);
            let at = coordinates(b, boxes, [part.batch.number, part.row, part.col, Ix::ZERO]);
            b.fetch(FIRST_MAP + self.stored.len(), &at, to, barrier);
        });
    }

    /// Before the products of a tile.
    pub fn begin(&self, b: &mut Builder, batch: Batch<'_>, origin: [Ix; 2], taken: Ix) {
        if self.brought.is_none() {
            return;
        }
        // The results of the tile before lay there.
        b.wait_stores(0, true);
        for part in 0..self.boxes.depth.min(self.parts()) {
            let part = self.part(b, batch, origin, part.into(), taken);
            self.bring(b, &part);
        }
    }

    /// With the sums of a tile: has its results stored. Their memory is in use until [`Boxed::end`], or until the next tile's results take it.
    pub fn finish(&self, b: &mut Builder, batch: Batch<'_>, origin: [Ix; 2], taken: Ix, sums: &[Val]) {
        let (parts, depth) = (self.parts(), self.boxes.depth);
        let each: Vec<&[Val]> = sums.chunks(sums.len() / parts as usize).collect();
        b.for_(Ix::ZERO, parts.into(), 1, &[], |b, number, _| {
            let part = self.part(b, batch, origin, number, taken);
            let sums = chosen(b, number, &each, 0);
            let alike = self.alike(b, &part, sums.len() as u64 / 4);
            if self.brought.is_some() {
                let [barrier, parity] = self.barrier(b, part.count);
                b.await_phase(barrier, parity);
            }
            let results = self.results(b, &part, &sums, &alike);
            if self.brought.is_none() {
                // What lay there before has to be read.
                b.wait_stores(depth - 1, true);
                b.warp_barrier();
            }
            for (at, values) in results {
                for (i, (v, &buf)) in values.into_iter().zip(&self.stored).enumerate() {
                    b.store_aligned(v, buf, at.plus((i as u64 * self.elements()) as i64));
                }
            }
            b.fence_async();
            b.warp_barrier();
            let leads = Boxed::leads(b);
            b.if_(leads, |b| {
                for (which, boxes) in self.boxes.outputs.iter().enumerate() {
                    let at = coordinates(b, boxes, [part.batch.number, part.row, part.col, Ix::ZERO]);
                    let from = self.address(b, part.count, which);
                    b.store_box(FIRST_MAP + which, &at, from);
                }
                b.commit_stores();
            });
            if self.brought.is_some() && parts > depth {
                let later = number.plus(depth as i64);
                let more = b.test("slt", later, parts.into());
                b.if_(more, |b| {
                    b.wait_stores(0, true);
                    let later = self.part(b, batch, origin, later, taken);
                    self.bring(b, &later);
                });
            }
            Vec::new()
        });
    }

    /// Elements of a box.
    fn elements(&self) -> u64 {
        WARP_ROWS * self.boxes.cols
    }

    /// What the body makes of a lane's pairs of sums: where each lies in the memory of the first result, and the results.
    fn results(&self, b: &mut Builder, part: &Part<'_>, sums: &[Val], alike: &[Values]) -> Vec<(Ix, Vec<Val>)> {
        let [group, pair] = seat(b);
        let first = self.place(b, part.count, self.elements());
        // Of the pair in a chunk of 16 bytes, and of chunks in a group of columns.
        let (each, (chunk, rest)) = (self.boxes.cols / 8, b.div_rem(pair, self.boxes.cols / 8));
        let mut all = Vec::new();
        for (i, four) in sums.chunks(4).enumerate() {
            let col = b.add(part.col, pair).plus(8 * i as i64);
            for (half, two) in four.chunks(2).enumerate() {
                let row = b.add(part.row, group).plus(8 * half as i64);
                let frame = self.frame(b, part.batch.index, row, col);
                let mut known = alike[i].clone();
                let chunk = b.xor(chunk.plus((i as u64 * 8 / each) as i64), group);
                let (line, chunk) = (b.scale(group, self.boxes.cols as i64), b.scale(chunk, each as i64));
                let at = b.add(line, chunk);
                let at = b.add(at, rest).plus((8 * half as u64 * self.boxes.cols) as i64);
                let at = b.add(first, at);
                if let Some((id, buf)) = self.brought {
                    let v = b.load_aligned(buf, at, 2);
                    known[id.index()] = Some(convert(b, v, self.eval.leaf_ty(id).kind));
                }
                if let Some(acc) = self.acc {
                    known[acc.index()] = Some(b.elements(two));
                }
                all.push((at, self.run(b, &frame, known)));
            }
        }
        all
    }

    /// The leaves that columns have in all rows alike, for each pair of columns of a lane.
    fn alike(&self, b: &mut Builder, part: &Part<'_>, pairs: u64) -> Vec<Values> {
        let [group, pair] = seat(b);
        let nodes = &self.spec.body.nodes;
        let others = nodes.iter().enumerate().filter(|(_, n)| matches!(n, Node::Leaf(_)));
        let others = others.map(|(i, _)| NodeId(i as u32));
        let others: Vec<NodeId> = others.filter(|id| self.brought.is_none_or(|b| b.0 != *id)).collect();
        let row = b.add(part.row, group);
        let of = |i: u64, b: &mut Builder| {
            let mut known: Values = vec![None; nodes.len()];
            let col = b.add(part.col, pair).plus(8 * i as i64);
            let frame = self.frame(b, part.batch.index, row, col);
            others.iter().for_each(|id| known[id.index()] = Some(self.eval.leaf(b, &frame, *id)));
            known
        };
        (0..pairs).map(|i| of(i, b)).collect()
    }

    fn run(&self, b: &mut Builder, frame: &Frame, mut known: Values) -> Vec<Val> {
        let body = &self.spec.body;
        let roots: Vec<NodeId> = body.outputs.iter().map(|o| o.node).collect();
        self.eval.compute(b, frame, Points { at: Ix::ZERO, mask: None }, &mut known, &roots);
        let of = |(o, buf): (&crate::expr::Output, &Buf)| known[o.node.index()].map(|v| convert(b, v, buf.kind));
        body.outputs.iter().zip(&self.stored).filter_map(of).collect()
    }

    /// A place of the space, within the tensors even where the tile is not.
    fn frame(&self, b: &mut Builder, batch: &[Ix], row: Ix, col: Ix) -> Frame {
        let ends = [
            (row, product(&self.spec.m), self.tiling.rows, 1),
            (col, product(&self.spec.n), self.tiling.cols, self.eval.lanes),
        ];
        let [row, col] = ends.map(
            |(at, total, tile, each)| {
                if total.is_multiple_of(tile) { at } else { b.min(at, (total - each).into()) }
            },
        );
        let (of_rows, of_cols) = (unravel(b, row, &self.spec.m), unravel(b, col, &self.spec.n));
        Frame::new(b, self.eval.body, [batch, &of_rows, &of_cols].concat())
    }

    /// After the warp's last tile.
    pub fn end(&self, b: &mut Builder) {
        b.wait_stores(0, false);
    }
}

/// The values of the part with this number. Registers have no index.
fn chosen(b: &mut Builder, number: Ix, each: &[&[Val]], first: usize) -> Vec<Val> {
    if first + 1 == each.len() || number.known() == Some(first as i64) {
        return each[first].to_vec();
    }
    let types: Vec<Ty> = each[first].iter().map(|v| b.ty(*v)).collect();
    let this = b.test("eq", number, Ix::from(first as u64));
    b.if_else(this, &types, |_| each[first].to_vec(), |b| chosen(b, number, each, first + 1))
}

/// A lane's row and its first column in each square of 8 x 8 sums.
fn seat(b: &mut Builder) -> [Ix; 2] {
    let thread = b.thread();
    let (_, lane) = b.div_rem(thread, WARP);
    let (group, within) = b.div_rem(lane, 4);
    [group, b.scale(within, 2)]
}
