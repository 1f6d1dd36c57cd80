//! Segment numbers of tiles of columns on Hopper: a warp beside the producer loads them to shared memory as soon as a stage is free, so that the
//! warpgroups that mask scores wait for no memory. With segments every tile has a mask.

use super::context::{Context, Side};
use super::rings::{Gates, Ring};
use super::tensor::Places;
use crate::attention::AttentionShape;
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Val};
use crate::gpu::WARP;

pub struct SegmentNumbers {
    ring: Ring,
    list: Buf,
    /// Of what the rows are: columns are the others.
    side: Side,
    cols: u64,
}

impl SegmentNumbers {
    /// Of so many columns in each stage, from this byte of the block's dynamic memory on; `None` without segments. So many warps read them.
    pub fn new(
        b: &mut Builder,
        gates: &mut Gates,
        shape: &AttentionShape,
        side: Side,
        from: u64,
        [cols, stages]: [u64; 2],
        readers: u64,
    ) -> Option<SegmentNumbers> {
        shape.segments?;
        let list = b.dynamic_memory(ElemKind::I32, cols * stages, from);
        Some(SegmentNumbers { ring: gates.ring([from, 4 * cols], stages, [1, readers]), list, side, cols })
    }

    /// Those of a tile from column `from` on, by one warp: `count` tiles came before.
    pub fn load(&self, b: &mut Builder, c: &Context<'_>, [batch, from]: [Ix; 2], count: Ix) {
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        let first = b.add(from, lane);
        let columns: Vec<Ix> = (0..self.cols).step_by(WARP as usize).map(|col| first.plus(col as i64)).collect();
        let loaded = c.segments(b, self.side.other(), batch, &columns);
        let stage = self.ring.stage(b, count);
        self.ring.await_empty(b, stage);
        let to = b.scale(stage.number, self.cols as i64);
        let to = b.add(to, lane);
        for (n, number) in loaded.into_iter().enumerate() {
            // Not every tile is whole warps of columns.
            let col = n as u64 * WARP;
            if col + WARP <= self.cols {
                b.store(number, self.list, to.plus(col as i64));
            } else {
                let inside = b.test("slt", lane, Ix::from(self.cols - col));
                b.if_(inside, |b| b.store(number, self.list, to.plus(col as i64)));
            }
        }
        b.warp_barrier();
        self.ring.fill(b, stage, leads);
    }

    /// Those of a lane's columns of a tile, which then are free.
    pub fn read(&self, b: &mut Builder, seat: &Places, count: Ix, leads: Val) -> Vec<Val> {
        let stage = self.ring.stage(b, count);
        self.ring.await_full(b, stage);
        let from = b.scale(stage.number, self.cols as i64);
        let from = b.add(from, seat.pair);
        let numbers = (0..self.cols / 8)
            .flat_map(|j| {
                let two = b.load_aligned(self.list, from.plus(8 * j as i64), 2);
                [b.extract(two, 0), b.extract(two, 1)]
            })
            .collect();
        b.warp_barrier();
        self.ring.free(b, stage, leads);
        numbers
    }
}
