//! The backward pass, from the log-sum-exp. Probabilities are recomputed twice, so that every sum has one owner and one order.
//!
//! There are two kinds of blocks. One kind keeps a tile of keys; the queries that see it go past, and the block sums the
//! gradients of keys and values. The other kind keeps a tile of queries; keys go past, and the block sums the gradients of
//! queries. There are no atomics and nothing goes between blocks, so any grid gives the same bits. Both kinds do the same work
//! with the roles exchanged: rows that stay are multiplied with rows that go past, twice (scores, and gradients of weights), and
//! the results, as they lie in registers, are multiplied with what goes past. What goes past is copied one tile ahead, in two
//! stages.
//!
//! The lower bound on tensor cores, for heads of 128. One pass with atomics needs 5 matmuls; this one has 7. A tile of 64 keys by
//! 32 queries is 512 matmuls of fragments. 4 warps read 4 x 8 KiB of what goes past and 8 KiB of what stays: 160 KiB, or 1,280
//! cycles at 128 bytes a cycle. So shared memory is the limit, at 1.6 thousand operations a cycle. With 32 rows for each warp,
//! the sums alone would need 256 registers. Registers: 128 sums, 2 x 16 of scores and their gradients, 8 words of factors. At 71
//! KiB of shared memory, two blocks share a processor. Longer heads have their sums in two parts and a block has one of them:
//! 10 matmuls in place of 7, and no gradient waits for another block.
//!
//! Not here: the sum of `o * do` of each query is computed by each block that needs it. A launch before this one could leave it
//! in memory.

use super::super::block::MmaType;
use super::super::turns::turns;
use super::context::{Context, F32, Head, HeadRows, Masked, Member, Side, Sums, Team, Tile};
use super::square::Square;
use super::tensor::Warps;
use crate::attention::{AttentionBackward, Strides};
use crate::emit::builder::{Buf, Builder, ElemKind, Ix, Ty, Val};
use crate::emit::elem::convert;
use crate::geometry::ceil_div;
use crate::gpu::Grid;
use crate::gpu::WARP;
use crate::target::AttentionTiles;

pub fn emit(b: &mut Builder, spec: &AttentionBackward, grid: &Grid) {
    let (shape, tiles) = (&spec.shape, grid.tiles);
    let c = Context::new(shape, grid);
    if shape.is_narrow() {
        let warps = Warps { factor: MmaType::of(shape.dtype), rows: tiles.rows * WARP / c.threads / 16 };
        Backward::new(b, spec, tiles, c, warps).emit(b, grid);
    } else {
        let square = Square { weights: c.tile(b, tiles.rows, tiles.keys) };
        Backward::new(b, spec, tiles, c, square).emit(b, grid);
    }
}

struct Backward<'a, T> {
    spec: &'a AttentionBackward,
    c: Context<'a>,
    tiles: AttentionTiles,
    team: T,
    /// Rows that stay: keys and values, or queries and the gradients of their outputs.
    stays: [Tile; 2],
    /// The others.
    goes_by: [Tile; 2],
    /// Of queries, one list after the other: log-sum-exps, and what the softmax's gradient subtracts; two stages of what goes by.
    statistics: Buf,
}

/// A tile of rows, and what goes by.
struct Stream<'a> {
    side: Side,
    at: Head,
    /// The thread's rows, and the tile's first.
    rows: &'a [Ix],
    first: Ix,
    /// The columns that the tile sees.
    columns: [Ix; 2],
    goes_by: [HeadRows; 2],
    /// The rows' statistics, where those are queries.
    own: Option<&'a [[Val; 2]]>,
    /// Which part of the sums' columns is the block's.
    part: Ix,
}

impl<'a, T: Team> Backward<'a, T> {
    fn new(
        b: &mut Builder,
        spec: &'a AttentionBackward,
        tiles: AttentionTiles,
        c: Context<'a>,
        team: T,
    ) -> Backward<'a, T> {
        let shape = &spec.shape;
        let stays = [c.tile(b, tiles.rows, shape.head), c.tile(b, tiles.rows, shape.value)];
        let goes_by = [c.stages(b, tiles.keys, shape.head, 2), c.stages(b, tiles.keys, shape.value, 2)];
        let statistics = c.memory(b, ElemKind::F32, (4 * tiles.keys).max(2 * tiles.rows)).0;
        Backward { spec, c, tiles, team, stays, goes_by, statistics }
    }

    fn emit(&self, b: &mut Builder, grid: &Grid) {
        debug_assert_eq!(self.c.used.get(), u64::from(grid.shared_bytes));
        let shape = &self.spec.shape;
        let of_keys = shape.batch * shape.heads * ceil_div(shape.kv_len, self.tiles.rows);
        let hi = b.hi();
        let (first, step) = turns(b, 1);
        b.loop_by(first, hi, step, |b, u| {
            // What others read of the last unit's tiles they have read.
            b.barrier();
            let of_keys = of_keys * self.tiles.parts;
            let keys = b.test("slt", u, of_keys.into());
            b.if_else(
                keys,
                &[],
                |b| {
                    self.keys(b, u);
                    Vec::new()
                },
                |b| {
                    self.queries(b, u.plus(-(of_keys as i64)));
                    Vec::new()
                },
            );
        });
    }

    /// Sums of the block's part of one of the operands that stay, before anything is added.
    fn zeros(&self, b: &mut Builder, which: usize) -> Vec<Val> {
        let tile = self.stays[which].part(b, Ix::ZERO, self.tiles.parts);
        self.team.zeros(b, tile)
    }

    fn operand(&self, b: &mut Builder, buffer: u32, at: Strides, head: Head, dims: [u64; 2]) -> HeadRows {
        self.c.rows(b, buffer, at, head, dims)
    }

    /// Queries and the gradients of their outputs; keys and values.
    fn of_queries(&self, b: &mut Builder, at: Head) -> [HeadRows; 2] {
        let (s, shape) = (self.spec, &self.spec.shape);
        let d_o = self.operand(b, shape.inputs() + 2, s.d_o, at, [shape.q_len, shape.value]);
        [self.c.queries(b, 0, s.q, at), d_o]
    }

    fn of_keys(&self, b: &mut Builder, at: Head) -> [HeadRows; 2] {
        let (s, shape) = (self.spec, &self.spec.shape);
        [self.c.keys(b, 1, s.k, at), self.operand(b, 2, s.v, at, [shape.kv_len, shape.value])]
    }

    /// The gradients of a tile of keys and values.
    fn keys(&self, b: &mut Builder, unit: Ix) {
        let (c, s, shape) = (&self.c, self.spec, &self.spec.shape);
        let begin = |b: &mut Builder, unit: Ix| {
            let (unit, part) = b.div_rem(unit, self.tiles.parts);
            let (head, tile) = b.div_rem(unit, ceil_div(shape.kv_len, self.tiles.rows));
            let (batch, head) = b.div_rem(head, shape.heads);
            ([batch, head], b.scale(tile, self.tiles.rows as i64), part)
        };
        let ([batch, head], j0, part) = begin(b, unit);
        let stays = self.of_keys(b, [batch, head, Ix::ZERO]);
        for (x, tile) in stays.iter().zip(self.stays) {
            c.fetch(b, x, j0, tile);
        }
        let seat = self.team.seat(b);
        let rows = self.team.rows(b, &seat, j0);
        let columns = c.span(b, Side::Keys, batch, j0, [self.tiles.rows, self.tiles.keys]);
        let mut start = self.zeros(b, 0);
        start.extend(self.zeros(b, 1));
        let done = b.for_(Ix::ZERO, shape.group.into(), 1, &start, |b, group, acc| {
            let at = [batch, head, group];
            let goes_by = self.of_queries(b, at);
            let stream = Stream { side: Side::Keys, at, rows: &rows, first: j0, columns, goes_by, own: None, part };
            self.stream(b, &seat, &stream, acc)
        });
        let (of_keys, of_values) = done.split_at(done.len() - self.zeros(b, 1).len());
        let unit = b.afresh(unit);
        let ([batch, head], j0, part) = begin(b, unit);
        let (at, o) = ([batch, head, Ix::ZERO], shape.inputs());
        let rows = self.team.rows(b, &seat, j0);
        let dk = self.operand(b, o + 4, s.dk, at, [shape.kv_len, shape.head]);
        let dv = self.operand(b, o + 5, s.dv, at, [shape.kv_len, shape.value]);
        let [dk, dv] = [dk, dv].map(|x| c.part_of(b, x, part, self.tiles.parts));
        self.store(b, &seat, &rows, &dk, of_keys, shape.scale());
        self.store(b, &seat, &rows, &dv, of_values, 1.0);
    }

    /// The gradients of a tile of queries.
    fn queries(&self, b: &mut Builder, unit: Ix) {
        let (c, s, shape) = (&self.c, self.spec, &self.spec.shape);
        let tiles = ceil_div(shape.q_len, self.tiles.rows);
        let begin = |b: &mut Builder, unit: Ix| {
            let (unit, part) = b.div_rem(unit, self.tiles.parts);
            let (head, rank) = b.div_rem(unit, tiles);
            // Those that see most come first.
            let tile = if shape.after().is_some() { b.scale(rank, -1).plus(tiles as i64 - 1) } else { rank };
            (c.head(b, head), b.scale(tile, self.tiles.rows as i64), part)
        };
        let (at, i0, part) = begin(b, unit);
        let stays = self.of_queries(b, at);
        for (x, tile) in stays.iter().zip(self.stays) {
            c.fetch(b, x, i0, tile);
        }
        self.measure(b, at, i0, self.tiles.rows, Ix::ZERO);
        b.barrier();
        let seat = self.team.seat(b);
        let rows = self.team.rows(b, &seat, i0);
        let in_tile = self.team.rows(b, &seat, Ix::ZERO);
        let own: Vec<[Val; 2]> = in_tile.iter().map(|&r| self.statistic(b, r, self.tiles.rows)).collect();
        let columns = c.span(b, Side::Queries, at[0], i0, [self.tiles.rows, self.tiles.keys]);
        let goes_by = self.of_keys(b, at);
        let start = self.zeros(b, 0);
        let stream =
            Stream { side: Side::Queries, at, rows: &rows, first: i0, columns, goes_by, own: Some(&own), part };
        let done = self.stream(b, &seat, &stream, &start);
        let unit = b.afresh(unit);
        let (at, i0, part) = begin(b, unit);
        let rows = self.team.rows(b, &seat, i0);
        let dq = self.operand(b, shape.inputs() + 3, s.dq, at, [shape.q_len, shape.head]);
        let dq = c.part_of(b, dq, part, self.tiles.parts);
        self.store(b, &seat, &rows, &dq, &done, shape.scale());
    }

    /// Everything that goes by, added to the sums: those of the first operand of what stays, then those of the second.
    fn stream(&self, b: &mut Builder, seat: &T::Seat, s: &Stream<'_>, sums: &[Val]) -> Vec<Val> {
        let c = &self.c;
        let [from, to] = s.columns;
        let step = self.tiles.keys as i64;
        let size = 2 * self.tiles.keys;
        let fetch = |b: &mut Builder, at: Ix, stage: Ix| {
            for (x, tile) in s.goes_by.iter().zip(self.goes_by) {
                let tile = tile.stage(b, stage);
                c.fetch(b, x, at, tile);
            }
        };
        let measure = |b: &mut Builder, at: Ix, stage: Ix| {
            if s.side == Side::Keys {
                let place = b.scale(stage, size as i64);
                self.measure(b, s.at, at, self.tiles.keys, place);
            }
        };
        // The head before this one may still be read.
        b.barrier();
        let any = b.test("slt", from, to);
        b.if_(any, |b| {
            fetch(b, from, Ix::ZERO);
            measure(b, from, Ix::ZERO);
        });
        b.commit_copies();
        let back = b.scale(from, -1);
        let done = b.for_(from, to, self.tiles.keys, sums, |b, i, acc| {
            let gone = b.add(i, back);
            let (gone, _) = b.div_rem(gone, self.tiles.keys);
            let (_, stage) = b.div_rem(gone, 2);
            let other = b.scale(stage, -1).plus(1);
            b.wait_copies(0);
            b.barrier();
            let next = i.plus(step);
            let more = b.test("slt", next, to);
            b.if_(more, |b| fetch(b, next, other));
            b.commit_copies();
            let tiles = self.goes_by.map(|tile| tile.stage(b, stage));
            let place = b.scale(stage, size as i64);
            let acc = self.step(b, seat, s, i, tiles, place, acc);
            if s.side == Side::Keys {
                b.if_(more, |b| measure(b, next, other));
            }
            acc
        });
        // Where nothing goes by, nobody has waited for what stays: the next unit's copies go to the same bytes, and copies have no order.
        b.wait_copies(0);
        done
    }

    /// One tile of what goes by, columns `i` and on.
    #[expect(clippy::too_many_arguments, reason = "one caller; each is of one step")]
    fn step(
        &self,
        b: &mut Builder,
        seat: &T::Seat,
        s: &Stream<'_>,
        i: Ix,
        tiles: [Tile; 2],
        place: Ix,
        acc: &[Val],
    ) -> Vec<Val> {
        let c = &self.c;
        let (team, columns) = (&self.team, self.team.columns(self.tiles.keys));
        let column = team.column(seat);
        let of_columns: Vec<[Val; 2]> = match s.own {
            Some(_) => Vec::new(),
            None => {
                let first = b.add(place, column);
                columns.iter().map(|&col| self.statistic(b, first.plus(col as i64), self.tiles.keys)).collect()
            }
        };
        let of = |r: usize, col: usize| s.own.map_or_else(|| of_columns[col], |own| own[r]);
        let mut p = team.matmul(b, seat, self.stays[0], tiles[0]);
        let factor = b.float(F32, self.spec.shape.scale() * c.of_exponents());
        for (r, row) in p.iter_mut().enumerate() {
            for (col, x) in row.iter_mut().enumerate() {
                let [minus_lse, _] = of(r, col);
                *x = b.multiply_add(*x, factor, minus_lse);
            }
        }
        let (first, whole) = team.alike(b, seat, s.first);
        let masked = Masked {
            side: s.side,
            batch: s.at[0],
            rows: s.rows,
            first,
            whole,
            from: i,
            tile: self.tiles.keys,
            column: b.add(i, column),
            columns: &columns,
            numbers: None,
        };
        let mut p = c.masked(b, &masked, p);
        for x in p.iter_mut().flatten() {
            *x = c.exponential(b, *x);
        }
        let mut acc = acc.to_vec();
        let (first, second) = acc.split_at_mut(self.zeros(b, 0).len());
        let own = tiles.map(|tile| tile.part(b, s.part, self.tiles.parts));
        if s.side == Side::Keys {
            team.add(b, seat, &p, own[1], second);
        }
        let mut ds = team.matmul(b, seat, self.stays[1], tiles[1]);
        for (r, row) in ds.iter_mut().enumerate() {
            for (col, x) in row.iter_mut().enumerate() {
                let [_, delta] = of(r, col);
                let above = b.binary("subf", *x, delta);
                *x = b.binary("mulf", p[r][col], above);
            }
        }
        team.add(b, seat, &ds, own[0], first);
        acc
    }

    /// Statistics of queries `i0..i0 + len` to shared memory, from `place` on, by all threads: zeros where there is no query.
    fn measure(&self, b: &mut Builder, at: Head, i0: Ix, len: u64, place: Ix) {
        // Threads that share a query.
        let share = self.c.threads / len;
        let thread = b.thread();
        let (row, part) = b.div_rem(thread, share);
        let i = b.add(i0, row);
        let exists = b.test("slt", i, self.spec.shape.q_len.into());
        let zero = b.float(F32, 0.0);
        let found = b.if_else(
            exists,
            &[F32; 2],
            |b| {
                let sum = part_of_sum(b, self.spec, &self.c, at, i, part, share);
                vec![minus_lse(b, self.spec, &self.c, at, i), sum]
            },
            |_| vec![zero; 2],
        );
        let sum = over_neighbours(b, found[1], share);
        let one = b.test("eq", part, Ix::ZERO);
        b.if_(one, |b| {
            let to = b.add(place, row);
            b.store(found[0], self.statistics, to);
            b.store(sum, self.statistics, to.plus(len as i64));
        });
    }

    /// What [`Backward::measure`] left of one of `len` queries.
    fn statistic(&self, b: &mut Builder, at: Ix, len: u64) -> [Val; 2] {
        [0, len].map(|list| b.load(self.statistics, at.plus(list as i64), 0))
    }

    /// Sums of the thread's rows, as far as those exist.
    fn store(&self, b: &mut Builder, seat: &T::Seat, rows: &[Ix], x: &HeadRows, sums: &[Val], scale: f64) {
        store(b, &Member { c: &self.c, team: &self.team, seat }, rows, x, sums, scale);
    }
}

/// Sums of the thread's rows, as far as those exist, times `scale`.
pub fn store<T: Team>(b: &mut Builder, member: &Member<'_, T>, rows: &[Ix], x: &HeadRows, sums: &[Val], scale: f64) {
    let Member { c, team, seat } = *member;
    let factor = b.float(F32, scale);
    for (r, &i) in rows.iter().enumerate() {
        let exists = b.test("slt", i, x.len.into());
        b.if_(exists, |b| team.store(b, c, seat, x, i, Sums { sums, r, factor }));
    }
}

/// What the thread `part` of `share` neighbouring ones adds to the sum of o * do of a query that exists.
pub fn part_of_sum(
    b: &mut Builder,
    s: &AttentionBackward,
    c: &Context<'_>,
    at: Head,
    i: Ix,
    part: Ix,
    share: u64,
) -> Val {
    let (shape, o, ty) = (&s.shape, s.shape.inputs(), Ty::vector(ElemKind::F32, c.lanes));
    let dims = [shape.q_len, shape.value];
    let both = [c.rows(b, o, s.o, at, dims), c.rows(b, o + 2, s.d_o, at, dims)];
    let nothing = b.float(ty, 0.0);
    let vectors = shape.value / c.lanes;
    // Where all threads have as many vectors, that is known, so that all loads begin at once.
    let even = vectors.is_multiple_of(share);
    let first = if even { Ix::ZERO } else { part };
    let sum = b.for_(first, vectors.into(), share, &[nothing], |b, v, acc| {
        let v = if even { b.add(v, part) } else { v };
        let col = b.scale(v, c.lanes as i64);
        let [x, y] = [&both[0], &both[1]].map(|x| {
            let at = b.scale(i, x.seq);
            let at = b.add(at, x.base);
            let at = b.add(at, col);
            let v = b.load_aligned(x.buf, at, c.lanes);
            convert(b, v, ElemKind::F32)
        });
        vec![b.multiply_add(x, y, acc[0])]
    })[0];
    if c.lanes > 1 { b.reduction("add", sum) } else { b.extract(sum, 0) }
}

/// The sum of what `share` neighbouring threads have.
pub fn over_neighbours(b: &mut Builder, mut sum: Val, share: u64) -> Val {
    let mut mask = share / 2;
    while mask > 0 {
        let other = b.shuffle_xor(sum, mask);
        sum = b.binary("addf", sum, other);
        mask /= 2;
    }
    sum
}

/// Minus the log-sum-exp of a query that exists, as exponentials are taken.
pub fn minus_lse(b: &mut Builder, s: &AttentionBackward, c: &Context<'_>, at: Head, i: Ix) -> Val {
    let base = c.base(b, s.lse, at);
    let at = b.scale(i, s.lse.seq);
    let at = b.add(base, at);
    let lse = b.load(Buf::arg(s.shape.inputs() + 1, s.shape.computed()), at, 0);
    let minus = b.float(F32, -c.of_exponents());
    b.binary("mulf", lse, minus)
}
