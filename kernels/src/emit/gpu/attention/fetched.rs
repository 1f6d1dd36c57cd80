//! The forward pass on Hopper, as in FlashAttention-3 (Shah et al. 2024, sections 3.1 and 3.2): one thread has the tensor memory
//! accelerator fetch tiles ([`crate::tensor_map::attention`]), and warpgroups with 64 rows of queries each multiply (`wgmma`).
//!
//! Two things overlap. Within a warpgroup, the scores of the next tile are computed, and the values of the last one added, while it
//! takes the exponentials of a tile: a round begins both products, waits for the scores, and for the sums only when it has the new
//! weights. Weights stay in the registers in which scores are summed, as the first factor of what is added. Between warpgroups,
//! products are begun in turns (a barrier each), so that one takes exponentials while another multiplies.
//!
//! Tiles of keys with a mask and without have loops of their own ([`super::walk`]). No branch comes between a product and its wait, which
//! would make the assembler wait at once.
//!
//! With heads up to 64, a warpgroup's products take less time than its exponentials and than what it waits for, so four warpgroups share a
//! multiprocessor: two blocks, with tiles of 48 keys, whose threads do with half of the registers.
//!
//! The lower bound, for heads of 128 and a tile of 128 queries by 128 keys: 8.4 million operations are 2,048 cycles of a
//! multiprocessor's tensor cores. Its 16 thousand exponentials take 1,024 of another unit's. Each warp takes about 400 other
//! instructions, a quarter of them of each scheduler: 800 cycles.

use super::super::block::MmaType;
use super::super::tile::{First, STRIP, SharedLines};
use super::super::turns::turns;
use super::context::{Context, Head, Masked, Member, Seen, Side, Sums, Team};
use super::forward::store;
use super::rings::{Gate, Gates, Ring, RingStage};
use super::segments::SegmentNumbers;
use super::tensor::{Places, Warps, rows_of};
use super::walk::{self, Walk, WalkTile};
use crate::attention::Attention;
use crate::emit::builder::{Builder, Ix, Val};
use crate::geometry::{ceil_div, round_up};
use crate::gpu::{Grid, LINE, WARP};
use crate::spec::SpecError;
use crate::target::AttentionTiles;
use crate::tensor_map::attention::RowBoxes;

/// Registers of a thread that multiplies, and of one of the producer's warpgroup, for so many warpgroups that multiply: multiples of 8,
/// no more in all than the block was launched with.
const fn registers(warpgroups: u64) -> [u32; 2] {
    if warpgroups > 2 { [160, 32] } else { [232, 40] }
}

/// # Errors
/// Operands without tensor maps.
pub fn emit(b: &mut Builder, spec: &Attention, grid: &Grid) -> Result<(), SpecError> {
    let (shape, tiles) = (&spec.shape, grid.tiles);
    b.take_maps(3);
    let Some(boxes) = spec.boxes(&tiles) else {
        return Err(SpecError("attention: its operands have no tensor maps".into()));
    };
    let bytes = tiles.fetched_forward_bytes(shape);
    let (stages, warps) = ([tiles.kept, tiles.stages, tiles.stages], u64::from(tiles.threads) / WARP);
    let mut from = 0;
    let mut places = [0; 3];
    for (place, (bytes, stages)) in places.iter_mut().zip(bytes.iter().zip(stages)) {
        *place = from;
        from += bytes * stages;
    }
    let numbered = if shape.segments.is_some() { 4 * tiles.stages * tiles.keys } else { 0 };
    let mut gates = Gates::from(from + numbered);
    let rings = [0, 1, 2].map(|which| gates.ring([places[which], bytes[which]], stages[which], [1, warps]));
    let turns = gates.add(warps / 4, 4);
    let of_columns = [tiles.keys, tiles.stages];
    let numbers = SegmentNumbers::new(b, &mut gates, shape, Side::Queries, from, of_columns, warps);
    debug_assert_eq!(gates.end(), u64::from(grid.shared_bytes));
    let c = Context::new(shape, grid);
    let team = Warps { factor: MmaType::of(shape.dtype), rows: 1 };
    let thread = b.thread();
    let (group, _) = b.div_rem(thread, 4 * WARP);
    let group = b.uniform(group);
    let block = Block { spec, c, tiles, team, boxes, bytes, rings, turns, numbers, group };
    b.beside(tiles.block_threads(), tiles.beside);
    let one = b.test("eq", thread, Ix::ZERO);
    b.if_(one, |b| gates.make(b));
    b.barrier();
    let multiplies = b.test("slt", group, block.warpgroups().into());
    // A producer of one warp has none to give.
    let registers = (tiles.beside == 1).then(|| registers(block.warpgroups()));
    b.if_else(
        multiplies,
        &[],
        |b| {
            if let Some([multiplying, _]) = registers {
                b.set_registers(multiplying, true);
            }
            block.units(b, true, |b, u| block.multiply(b, u));
            Vec::new()
        },
        |b| {
            if let Some([_, producing]) = registers {
                b.set_registers(producing, false);
            }
            let (one, whole) = walk::producer(b, &block.c, tiles.threads.into());
            b.if_(one, |b| {
                (0..3).for_each(|map| b.prefetch_map(map));
                block.units(b, whole, |b, u| walk::by_one(b, whole, |b| block.fetch(b, u)));
            });
            if let Some(numbers) = &block.numbers {
                let (warp, _) = b.div_rem(thread, WARP);
                let loads = b.test("eq", warp, Ix::from(u64::from(tiles.threads) / WARP + 1));
                b.if_(loads, |b| block.units(b, true, |b, u| block.load(b, numbers, u)));
            }
            Vec::new()
        },
    );
    Ok(())
}

struct Block<'a> {
    spec: &'a Attention,
    c: Context<'a>,
    tiles: AttentionTiles,
    team: Warps,
    /// Queries, keys, values.
    boxes: [RowBoxes; 3],
    /// Of a tile of each.
    bytes: [u64; 3],
    rings: [Ring; 3],
    /// A barrier for each warpgroup: it may begin products.
    turns: Gate,
    /// Of keys.
    numbers: Option<SegmentNumbers>,
    /// The thread's warpgroup.
    group: Ix,
}

/// A tile of queries and the tiles of keys that it sees.
struct Unit {
    number: Ix,
    at: Head,
    i0: Ix,
    walk: Walk,
    /// Tiles of keys, and units, that the block had before.
    before: Ix,
    round: Ix,
}

/// A warpgroup's rows of a unit.
struct Rows<'a> {
    u: &'a Unit,
    seat: &'a Places,
    /// The stage in which they are.
    own: RingStage,
    leads: Val,
    /// The segments of the thread's rows.
    numbers: &'a [Val],
}

/// The operands' numbers, of maps and of rings.
const QUERIES: usize = 0;
const KEYS: usize = 1;
const VALUES: usize = 2;

impl Block<'_> {
    fn warpgroups(&self) -> u64 {
        u64::from(self.tiles.threads) / (4 * WARP)
    }

    // ---- units

    /// The block's units, in turn.
    fn units(&self, b: &mut Builder, whole: bool, each: impl FnOnce(&mut Builder, &Unit)) {
        let (hi, (first, step)) = (b.hi(), turns(b, 1));
        walk::units(b, &self.tiles, whole, [first, hi, step], [Ix::ZERO; 2], |b, number, [before, round]| {
            let (rows, keys) = (self.tiles.rows, self.tiles.keys);
            let (at, i0) = walk::begin(&self.c, b, Side::Queries, &self.tiles, number);
            let walk = Walk::new(&self.c, b, Side::Queries, [at[0], i0], [rows, keys]);
            let unit = Unit { number, at, i0, walk, before, round };
            each(b, &unit);
            unit.walk.tiles
        });
    }

    // ---- the producer

    fn fetch(&self, b: &mut Builder, u: &Unit) {
        self.fetch_tile(b, QUERIES, u, [u.round, u.i0]);
        b.loop_(Ix::ZERO, u.walk.tiles, 1, |b, t| {
            let count = b.add(u.before, t);
            let j = u.walk.column(b, t);
            for operand in [KEYS, VALUES] {
                self.fetch_tile(b, operand, u, [count, j]);
            }
        });
    }

    /// The tile from a position on, by the number of those before.
    fn fetch_tile(&self, b: &mut Builder, operand: usize, u: &Unit, [count, position]: [Ix; 2]) {
        let to = self.rings[operand].begin(b, count, self.bytes[operand]);
        let rows = if operand == QUERIES { self.tiles.rows } else { self.tiles.keys };
        walk::fetch_rows(b, operand, &self.boxes[operand], u.at, position, rows, to);
    }

    // ---- the warp beside it

    fn load(&self, b: &mut Builder, numbers: &SegmentNumbers, u: &Unit) {
        b.loop_(Ix::ZERO, u.walk.tiles, 1, |b, t| {
            let (j, count) = (u.walk.column(b, t), b.add(u.before, t));
            numbers.load(b, &self.c, [u.at[0], j], count);
        });
    }

    // ---- the warpgroups that multiply

    fn multiply(&self, b: &mut Builder, u: &Unit) {
        let (c, team) = (&self.c, &self.team);
        let seat = team.seat(b);
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        let [queries, keys, values] = &self.rings;
        let positions = team.rows(b, &seat, u.i0);
        let numbers = c.segments(b, Side::Queries, u.at[0], &positions);
        let own = queries.stage(b, u.round);
        let rows = Rows { u, seat: &seat, own, leads, numbers: &numbers };
        queries.await_full(b, own);
        let stage = keys.stage(b, u.before);
        keys.await_full(b, stage);
        self.await_turn(b, u.before);
        let scores = self.scores(b, own, stage);
        self.give_turn(b, leads);
        let scores = b.wait_matmuls(0, &scores);
        keys.free(b, stage, leads);
        let mut seen = [Seen::nothing(b), Seen::nothing(b)];
        let tile = WalkTile { t: Ix::ZERO, masked: u.walk.masks[0] };
        let (first, _) = self.weights(b, &rows, tile, u.before, &scores, &mut seen);
        let words = self.words(b, &first);
        let sums = round_up(self.spec.shape.value, 16) / 2;
        let mut carried = vec![b.float(super::context::F32, 0.0); sums as usize];
        carried.extend(words);
        carried.extend(seen.iter().flat_map(|s| [s.max, s.sum]));

        let shape = &self.spec.shape;
        for (from, to, masked) in u.walk.parts() {
            carried =
                b.for_(from, to, 1, &carried, |b, t, carried| self.round(b, &rows, WalkTile { t, masked }, carried));
        }
        queries.free(b, own, leads);

        let (acc, words, seen) = self.carried(&carried);
        let count = b.add(u.before, u.walk.tiles).plus(-1);
        let stage = values.stage(b, count);
        values.await_full(b, stage);
        let acc = self.add_values(b, stage, words, acc);
        let acc = b.wait_matmuls(0, &acc);
        values.free(b, stage, leads);
        let number = b.afresh(u.number);
        let (at, i0) = walk::begin(c, b, Side::Queries, &self.tiles, number);
        let rows = team.rows(b, &seat, i0);
        let member = Member { c, team, seat: &seat };
        for (r, (&i, seen)) in rows.iter().zip(&seen).enumerate() {
            let (factor, lse) = c.finish(b, seen, team.beside());
            let exists = b.test("slt", i, shape.q_len.into());
            let row = Sums { sums: &acc, r, factor };
            b.if_(exists, |b| store(b, self.spec, &member, at, i, row, lse));
        }
    }

    /// What a loop carries: sums, words of weights, what rows have seen.
    fn carried<'v>(&self, carried: &'v [Val]) -> (&'v [Val], &'v [Val], Vec<Seen>) {
        let (rest, seen) = carried.split_at(carried.len() - 4);
        let (acc, words) = rest.split_at(rest.len() - self.tiles.keys as usize / 4);
        (acc, words, Seen::rows(seen))
    }

    /// The scores of a tile, and under them the sums of the one before.
    fn round(&self, b: &mut Builder, s: &Rows<'_>, tile: WalkTile, carried: &[Val]) -> Vec<Val> {
        let (acc, words, seen) = self.carried(carried);
        let mut seen = [seen[0], seen[1]];
        let leads = s.leads;
        let count = b.add(s.u.before, tile.t);
        let count = b.uniform(count);
        let [_, keys, values] = &self.rings;
        let (stage, earlier) = (keys.stage(b, count), values.stage(b, count.plus(-1)));
        keys.await_full(b, stage);
        values.await_full(b, earlier);
        self.await_turn(b, count);
        let scores = self.scores(b, s.own, stage);
        let acc = self.add_values(b, earlier, words, acc);
        self.give_turn(b, leads);
        let scores = b.wait_matmuls(1, &scores);
        keys.free(b, stage, leads);
        let (rows, factors) = self.weights(b, s, tile, count, &scores, &mut seen);
        let done = b.binary("addf", seen[0].sum, seen[1].sum);
        let mut acc = b.wait_matmuls_after(0, done, &acc);
        let rows = rows.map(|row| b.not_before(&row));
        let words = self.words(b, &rows);
        values.free(b, earlier, leads);
        for (r, factor) in factors.into_iter().enumerate() {
            self.team.scale(b, &mut acc, r, factor);
        }
        acc.extend(words);
        acc.extend(seen.iter().flat_map(|s| [s.max, s.sum]));
        acc
    }

    /// Warpgroups begin products one after the other: the first begins tile `count` after the last one began the tile before.
    fn await_turn(&self, b: &mut Builder, count: Ix) {
        let later = b.min(self.group, 1i64.into());
        let phase = b.add(count, later).plus(1);
        let (_, parity) = b.div_rem(phase, 2);
        self.turns.wait(b, self.group, parity);
    }

    fn give_turn(&self, b: &mut Builder, leads: Val) {
        let (_, next) = b.div_rem(self.group.plus(1), self.warpgroups());
        self.turns.arrive(b, next, leads);
    }

    /// Begins the scores of a tile of keys.
    fn scores(&self, b: &mut Builder, queries: RingStage, keys: RingStage) -> Vec<Val> {
        let (factor, tiles) = (self.team.factor, self.tiles);
        let own = b.scale(self.group, STRIP as i64);
        let queries = self.rings[QUERIES].place(b, queries);
        let first = SharedLines { at: b.add(queries, own), apart: tiles.rows * LINE, across: false };
        let second = SharedLines { at: self.rings[KEYS].place(b, keys), apart: tiles.keys * LINE, across: false };
        let steps = ceil_div(self.spec.shape.head, 16);
        b.multiply_lines([factor; 2], First::Lines(first, 1), second, [tiles.keys, steps], None)
    }

    /// Begins to add a tile of values by their weights.
    fn add_values(&self, b: &mut Builder, stage: RingStage, words: &[Val], acc: &[Val]) -> Vec<Val> {
        let (factor, keys) = (self.team.factor, self.tiles.keys);
        let second = SharedLines { at: self.rings[VALUES].place(b, stage), apart: keys * LINE, across: true };
        let cols = round_up(self.spec.shape.value, 16);
        b.multiply_lines([factor; 2], First::Words(words), second, [cols, keys / 16], Some(acc))
    }

    /// The weights of a lane's two rows of a tile, by their scores, and by what each row's sums are to be multiplied. `count` tiles came before.
    fn weights(
        &self,
        b: &mut Builder,
        s: &Rows<'_>,
        tile: WalkTile,
        count: Ix,
        scores: &[Val],
        seen: &mut [Seen; 2],
    ) -> ([Vec<Val>; 2], Vec<Val>) {
        let (c, team, keys, u, seat) = (&self.c, &self.team, self.tiles.keys, s.u, s.seat);
        let mut rows = rows_of(scores);
        rows.iter_mut().for_each(|row| c.scaled(b, row));
        if tile.masked {
            let j = u.walk.column(b, tile.t);
            let (numbers, columns) = (team.rows(b, seat, u.i0), team.columns(keys));
            let (first, whole) = team.alike(b, seat, u.i0);
            let column = b.add(j, team.column(seat));
            let of_columns = self.numbers.as_ref().map(|numbers| numbers.read(b, seat, count, s.leads));
            let mask = Masked {
                side: Side::Queries,
                batch: u.at[0],
                rows: &numbers,
                first,
                whole,
                from: j,
                tile: keys,
                column,
                columns: &columns,
                numbers: of_columns.as_deref().map(|columns| [s.numbers, columns]),
            };
            rows = c.masked_always(b, &mask, rows);
        }
        let factors = c.softmax(b, seen, &mut rows, team.beside());
        let [first, second] = [0, 1].map(|r| std::mem::take(&mut rows[r]));
        ([first, second], factors)
    }

    fn words(&self, b: &mut Builder, rows: &[Vec<Val>; 2]) -> Vec<Val> {
        (0..self.tiles.keys as usize / 16).flat_map(|t| self.team.words(b, rows, t)).collect()
    }
}
