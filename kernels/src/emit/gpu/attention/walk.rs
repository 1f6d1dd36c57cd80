//! What the templates share whose tiles are fetched: the order of a block's units, the tiles that one walks through, and the copies of
//! their rows.
//!
//! Tiles are taken from the last to the first. Where a mask is needed is known before the loop: for the tiles that end beyond
//! what some row sees, and for those that begin before it. Those between have none.

use super::context::{Context, Head, Side};
use crate::emit::builder::{Builder, Ix, Val};
use crate::geometry::ceil_div;
use crate::gpu::{LINE, LINE_ELEMENTS, WARP};
use crate::target::AttentionTiles;
use crate::tensor_map::attention::{HeadDim, RowBoxes};

/// The block's tiles that stay, in turn, from pairs (see [`begin`]) or single ones: units `first`, `first + step` and so on before `end`. Each says
/// through how many tiles it walks; `counts` are the tiles that went by before, and those that stayed, and come back with those of these units.
/// `whole` says that all lanes of a warp call.
pub fn units(
    b: &mut Builder,
    tiles: &AttentionTiles,
    whole: bool,
    [first, end, step]: [Ix; 3],
    counts: [Ix; 2],
    each: impl FnOnce(&mut Builder, Ix, [Ix; 2]) -> Ix,
) -> [Ix; 2] {
    let [first, end, step] = [first, end, step].map(|x| b.ix(x));
    let counts = counts.map(|x| b.ix(x));
    let paired = tiles.paired;
    let done = b.loop_over(first, end, step, &counts, |b, u, carried| {
        let count = |b: &mut Builder, number: Ix, carried: &[Val]| {
            let all = [number, carried[0].into(), carried[1].into()];
            let [number, before, round] = all.map(|x| if whole { b.uniform(x) } else { x });
            let walked = each(b, number, [before, round]);
            let before = b.add(before, walked);
            vec![b.ix(before), b.ix(round.plus(1))]
        };
        if !paired {
            return count(b, u, carried);
        }
        let twice = b.scale(u, 2);
        b.for_(Ix::ZERO, 2u64.into(), 1, carried, |b, half, carried| {
            let number = b.add(twice, half);
            count(b, number, carried)
        })
    });
    [done[0].into(), done[1].into()]
}

/// The head and the first row of a tile of queries or of keys. Of a pair, the first sees (or is seen) most and the second least, so that all
/// pairs of a causal mask are the same work; of an odd number of tiles, the one in the middle is computed twice. Single tiles come by
/// their work, most first.
pub fn begin(c: &Context<'_>, b: &mut Builder, side: Side, tiles: &AttentionTiles, number: Ix) -> (Head, Ix) {
    let s = c.shape;
    let queries = side == Side::Queries;
    let (heads, len) = if queries { (s.batch * s.q_heads(), s.q_len) } else { (s.batch * s.heads, s.kv_len) };
    let count = ceil_div(len, tiles.rows);
    let turned = |b: &mut Builder, tile: Ix| b.scale(tile, -1).plus(count as i64 - 1);
    let (head, tile) = if tiles.paired {
        let (pair, half) = b.div_rem(number, 2);
        let (head, near) = b.div_rem(pair, count.div_ceil(2));
        let far = turned(b, near);
        let first = b.test("eq", half, Ix::ZERO);
        // The last queries see most, and the first keys are seen most.
        let [most, least] = if queries { [far, near] } else { [near, far] }.map(|x| b.ix(x));
        (head, b.select(first, most, least).into())
    } else if s.after().is_some() {
        let (rank, head) = b.div_rem(number, heads);
        (head, if queries { turned(b, rank) } else { rank })
    } else {
        b.div_rem(number, count)
    };
    let first = b.scale(tile, tiles.rows as i64);
    if queries {
        return (c.head(b, head), first);
    }
    let (batch, head) = b.div_rem(head, s.heads);
    ([batch, head, Ix::ZERO], first)
}

/// Tiles of columns that some rows see, the last first.
#[derive(Clone, Copy)]
pub struct Walk {
    /// The first column of the tile that comes first.
    pub last: Ix,
    /// How many tiles, of which those before `beyond` end behind what some row sees, and those from `early` on begin before it.
    pub tiles: Ix,
    pub beyond: Ix,
    pub early: Ix,
    /// Columns of a tile.
    pub cols: u64,
    /// Whether any tile has a mask, the first, those before `beyond` and those from `early` on.
    pub masks: [bool; 3],
    /// Whether all have.
    pub always: bool,
}

impl Walk {
    /// Of rows `first..first + rows` of a sequence of the batch, by tiles of `cols` columns. With segments, all lanes of a warp have
    /// to call.
    pub fn new(c: &Context<'_>, b: &mut Builder, side: Side, [batch, first]: [Ix; 2], [rows, cols]: [u64; 2]) -> Walk {
        let [from, to] = c.span(b, side, batch, first, [rows, cols]);
        // Where nothing is seen, one tile is, in vain.
        let back = b.scale(from, -1);
        let span = b.add(to, back);
        let span = b.max(span, 1i64.into()).plus(cols as i64 - 1);
        let (tiles, _) = b.div_rem(span, cols);
        let (begin, _) = b.div_rem(from, cols);
        let end = b.add(begin, tiles);
        // Of `end - x` tiles, those from the last to tile `x`.
        let since = |b: &mut Builder, x: Ix, least: Ix| {
            let back = b.scale(x, -1);
            let n = b.add(end, back);
            let n = b.max(n, least);
            b.min(n, tiles)
        };
        let one = Ix::from(1i64);
        let last = c.limits(b, side, first, cols).last;
        let beyond = last.map_or(one, |last| {
            let whole = b.max(last.plus(1), Ix::ZERO);
            let (whole, _) = b.div_rem(whole, cols);
            since(b, whole, one)
        });
        let before = c.limits(b, side, first.plus(rows as i64 - 1), cols).first;
        let early = before.map_or(tiles, |before| {
            let begin = b.max(before, Ix::ZERO).plus(cols as i64 - 1);
            let (begin, _) = b.div_rem(begin, cols);
            since(b, begin, beyond)
        });
        let always = c.shape.segments.is_some();
        let masks = [always || last.is_some() || before.is_some(), last.is_some(), before.is_some()];
        let last = b.scale(end.plus(-1), cols as i64);
        Walk { last, tiles, beyond, early, cols, masks, always }
    }

    /// The first column of a tile.
    pub fn column(&self, b: &mut Builder, t: Ix) -> Ix {
        let back = b.scale(t, -(self.cols as i64));
        b.add(self.last, back)
    }

    /// The tiles after the first: ranges with a mask or without.
    pub fn parts(&self) -> impl Iterator<Item = (Ix, Ix, bool)> {
        let [_, beyond, early] = self.masks;
        let one = Ix::from(1i64);
        let all = [
            (one, self.tiles, true, self.always),
            (one, self.beyond, true, beyond && !self.always),
            (self.beyond, self.early, false, !self.always),
            (self.early, self.tiles, true, early && !self.always),
        ];
        all.into_iter().filter(|part| part.3).map(|(from, to, masked, _)| (from, to, masked))
    }
}

/// A tile of a walk.
#[derive(Clone, Copy)]
pub struct WalkTile {
    /// How many come before it.
    pub t: Ix,
    /// Some rows may not see all of its columns.
    pub masked: bool,
}

/// The threads of a warp that has tiles fetched, of which one does; and whether the others walk along.
pub fn producer(b: &mut Builder, c: &Context<'_>, first: u64) -> (Val, bool) {
    let (thread, whole) = (b.thread(), c.shape.segments.is_some());
    if !whole {
        return (b.test("eq", thread, first.into()), false);
    }
    let (warp, _) = b.div_rem(thread, WARP);
    (b.test("eq", warp, Ix::from(first / WARP)), true)
}

/// What one thread of the producer does.
pub fn by_one(b: &mut Builder, whole: bool, f: impl FnOnce(&mut Builder)) {
    if !whole {
        return f(b);
    }
    let thread = b.thread();
    let (_, lane) = b.div_rem(thread, WARP);
    let one = b.test("eq", lane, Ix::ZERO);
    b.if_(one, f);
}

/// Has `rows` positions from `position` on fetched to `to`, in boxes of the map `number`; they arrive at a barrier.
pub fn fetch_rows(
    b: &mut Builder,
    number: usize,
    boxes: &RowBoxes,
    [batch, head, group]: Head,
    position: Ix,
    rows: u64,
    [to, barrier]: [Ix; 2],
) {
    let (each, width) = (u64::from(boxes.map.tile[1]), boxes.map.shape[0]);
    for part in 0..ceil_div(width, LINE_ELEMENTS) {
        for row in (0..rows).step_by(each as usize) {
            let mut at = vec![Ix::from(part * LINE_ELEMENTS), position.plus(row as i64)];
            at.extend(boxes.beside.iter().map(|dim| match dim {
                HeadDim::Group => group,
                HeadDim::Head => head,
                HeadDim::Batch => batch,
            }));
            b.fetch(number, &at, to.plus(((part * rows + row) * LINE) as i64), barrier);
        }
    }
}
