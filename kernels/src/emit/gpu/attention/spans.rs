//! Which tiles of columns rows with segments (packed documents) see: those between other documents are passed over.
//!
//! A row sees columns of its own segment. A warp finds the least and the greatest segment of a tile's rows, and the first and the last
//! column with a segment between these; what lies before and behind is no column that any of the rows sees. The numbers may come in
//! any order: only where they rise or fall, as those of packed documents do, is little left between.
//!
//! All warps of a block that walk through the same tiles find the same, each for itself: the numbers are a few KB, which the first
//! warp's loads bring near. Tiles in between of which no row sees anything are computed, and masked.

use super::context::{Context, Side};
use crate::emit::builder::{Builder, ElemKind, Ix, Ty, Val};
use crate::expr::Reduction;
use crate::gpu::WARP;

const I32: Ty = Ty { kind: ElemKind::I32, lanes: 0 };

/// Numbers of columns that a lane loads at a time.
const AT_ONCE: u64 = 8;

impl Context<'_> {
    /// As [`Context::columns`], for rows of one sequence of the batch: without what segments hide before the first column that is
    /// seen and behind the last. With segments, all lanes of a warp have to call.
    pub fn span(&self, b: &mut Builder, side: Side, batch: Ix, row: Ix, [rows, tile]: [u64; 2]) -> [Ix; 2] {
        let [from, to] = self.columns(b, side, row, rows, tile);
        if self.shape.segments.is_none() {
            return [from, to];
        }
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let own = b.add(row, lane);
        let last_row = row.plus(rows as i64 - 1);
        let positions: Vec<Ix> =
            (0..rows).step_by(WARP as usize).map(|more| b.min(own.plus(more as i64), last_row)).collect();
        let numbers = self.segments(b, side, batch, &positions);
        let [least, most] = [Reduction::Min, Reduction::Max].map(|kind| {
            let all = numbers.iter().skip(1).fold(numbers[0], |all, &n| b.combine(kind, all, n));
            over_warp(b, kind, all)
        });
        let (none, zero) = (b.int(I32, i64::from(i32::MAX)), b.int(I32, 0));
        let found = b.for_(from, to, AT_ONCE * WARP, &[none, zero], |b, first, found| {
            let first = b.add(first, lane);
            let columns: Vec<Ix> = (0..AT_ONCE).map(|k| first.plus((k * WARP) as i64)).collect();
            let numbers = self.segments(b, side.other(), batch, &columns);
            let mut found = [found[0], found[1]];
            for (&column, number) in columns.iter().zip(numbers) {
                let (above, below) = (b.compare("sge", number, least), b.compare("sle", number, most));
                let (seen, exists) = (b.binary("andi", above, below), b.test("slt", column, to));
                let seen = b.binary("andi", seen, exists);
                let [this, next] = [column, column.plus(1)].map(|x| self.number(b, x));
                let [this, next] = [b.select(seen, this, none), b.select(seen, next, zero)];
                found = [b.combine(Reduction::Min, found[0], this), b.combine(Reduction::Max, found[1], next)];
            }
            found.to_vec()
        });
        let first = over_warp(b, Reduction::Min, found[0]);
        let end = over_warp(b, Reduction::Max, found[1]);
        let any = b.compare("ne", end, zero);
        let [first, end] = [first, end].map(|x| b.cast("index_cast", x, ElemKind::Index));
        let (tiles, _) = b.div_rem(first.into(), tile);
        let begin = b.scale(tiles, tile as i64);
        let [begin, from] = [begin, from].map(|x| b.ix(x));
        // Where nothing is seen, no column is.
        [b.select(any, begin, from).into(), b.select(any, end, from).into()]
    }
}

/// Of all lanes of a warp.
fn over_warp(b: &mut Builder, kind: Reduction, mut x: Val) -> Val {
    let mut mask = WARP / 2;
    while mask > 0 {
        let other = b.shuffle_xor(x, mask);
        x = b.combine(kind, x, other);
        mask /= 2;
    }
    x
}
