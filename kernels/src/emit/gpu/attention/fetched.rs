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
//! The lower bound, for heads of 128 and a tile of 128 queries by 128 keys: 8.4 million operations are 2,048 cycles of a
//! multiprocessor's tensor cores. Its 16 thousand exponentials take 1,024 of another unit's. Each warp takes about 400 other
//! instructions, a quarter of them of each scheduler: 800 cycles.

use super::super::block::MmaType;
use super::super::bulk::BARRIER;
use super::super::tile::{First, STRIP, SharedLines};
use super::context::{Context, Head, Masked, Seen, Side, Sums, Team};
use super::forward::store;
use super::tensor::{Places, Warps, rows_of};
use super::walk::{self, Walk};
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
    let c = Context::new(shape, grid);
    let team = Warps { factor: MmaType::of(shape.dtype), rows: 1 };
    let barriers = bytes[0] + tiles.stages * (bytes[1] + bytes[2]);
    let thread = b.thread();
    let (group, _) = b.div_rem(thread, 4 * WARP);
    let group = b.uniform(group);
    let block = Block { spec, c, tiles, team, boxes, bytes, barriers, group };
    b.alone(tiles.block_threads());
    let one = b.test("eq", thread, Ix::ZERO);
    b.if_(one, |b| {
        block.make_barriers(b);
        b.fence_barriers();
    });
    b.barrier();
    let producer = Ix::from(u64::from(tiles.threads));
    let multiplies = b.test("slt", group, block.warpgroups().into());
    let [multiplying, producing] = registers(block.warpgroups());
    b.if_else(
        multiplies,
        &[],
        |b| {
            b.set_registers(multiplying, true);
            block.units(b, true, |b, u| block.multiply(b, u));
            Vec::new()
        },
        |b| {
            b.set_registers(producing, false);
            let one = b.test("eq", thread, producer);
            b.if_(one, |b| {
                (0..3).for_each(|map| b.prefetch_map(map));
                block.units(b, false, |b, u| block.fetch(b, u));
            });
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
    /// Where the barriers lie.
    barriers: u64,
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

/// A barrier of the block.
#[derive(Clone, Copy)]
enum Wait {
    Full(usize),
    Empty(usize),
    Turn,
}

impl Block<'_> {
    fn warpgroups(&self) -> u64 {
        u64::from(self.tiles.threads) / (4 * WARP)
    }

    // ---- barriers

    /// Of queries (one stage), keys or values, or of a warpgroup: `which` is the stage, or the warpgroup.
    fn barrier(&self, b: &mut Builder, wait: Wait, which: Ix) -> Ix {
        // Keys and values: full, empty, full, empty of each stage; then queries; then turns.
        let (each, first) = match wait {
            Wait::Full(0) => (0, 4 * self.tiles.stages),
            Wait::Empty(0) => (0, 4 * self.tiles.stages + 1),
            Wait::Full(operand) => (4, 2 * (operand as u64 - 1)),
            Wait::Empty(operand) => (4, 2 * (operand as u64 - 1) + 1),
            Wait::Turn => (1, 4 * self.tiles.stages + 2),
        };
        let at = b.scale(which, (each * BARRIER) as i64).plus((self.barriers + first * BARRIER) as i64);
        b.dynamic_address(at)
    }

    fn make_barriers(&self, b: &mut Builder) {
        let warps = u64::from(self.tiles.threads) / WARP;
        let mut make = |wait: Wait, which: u64, arrivals: u64| {
            let at = self.barrier(b, wait, which.into());
            b.init_barrier(at, arrivals);
        };
        for operand in 0..3 {
            for stage in 0..if operand == 0 { 1 } else { self.tiles.stages } {
                make(Wait::Full(operand), stage, 1);
                make(Wait::Empty(operand), stage, warps);
            }
        }
        (0..self.warpgroups()).for_each(|group| make(Wait::Turn, group, 4));
    }

    /// Where a tile lies.
    fn place(&self, b: &mut Builder, operand: usize, stage: Ix) -> Ix {
        let [queries, keys, values] = self.bytes;
        let from = [0, queries, queries + keys][operand];
        let stage = if operand == 0 { Ix::ZERO } else { stage };
        let at = b.scale(stage, (keys + values) as i64).plus(from as i64);
        b.dynamic_address(at)
    }

    // ---- units

    /// The block's units, in turn.
    fn units(&self, b: &mut Builder, whole: bool, each: impl FnOnce(&mut Builder, &Unit)) {
        walk::units(b, &self.tiles, whole, |b, number, [before, round]| {
            let (rows, keys) = (self.tiles.rows, self.tiles.keys);
            let (at, i0) = walk::begin(&self.c, b, Side::Queries, &self.tiles, number);
            let walk = Walk::new(&self.c, b, Side::Queries, i0, [rows, keys]);
            let unit = Unit { number, at, i0, walk, before, round };
            each(b, &unit);
            unit.walk.tiles
        });
    }

    // ---- the producer

    fn fetch(&self, b: &mut Builder, u: &Unit) {
        let (_, parity) = b.div_rem(u.round, 2);
        self.fetch_tile(b, 0, u, [u.i0, Ix::ZERO, parity]);
        b.loop_(Ix::ZERO, u.walk.tiles, 1, |b, t| {
            let count = b.add(u.before, t);
            let (stage, parity) = b.stage_of(count, self.tiles.stages);
            let j = u.walk.column(b, t);
            for operand in [1, 2] {
                self.fetch_tile(b, operand, u, [j, stage, parity]);
            }
        });
    }

    fn fetch_tile(&self, b: &mut Builder, operand: usize, u: &Unit, [position, stage, parity]: [Ix; 3]) {
        let (full, empty) = (self.barrier(b, Wait::Full(operand), stage), self.barrier(b, Wait::Empty(operand), stage));
        // Of the round before; in the first, of none.
        let other = b.xor(parity, 1i64.into());
        b.await_phase(empty, other);
        b.arrive_expecting(full, self.bytes[operand]);
        let to = self.place(b, operand, stage);
        let rows = if operand == 0 { self.tiles.rows } else { self.tiles.keys };
        walk::fetch_rows(b, (operand, &self.boxes[operand]), u.at, (position, rows), [to, full]);
    }

    // ---- the warpgroups that multiply

    fn multiply(&self, b: &mut Builder, u: &Unit) {
        let (c, team) = (&self.c, &self.team);
        let seat = team.seat(b);
        let thread = b.thread();
        let (_, lane) = b.div_rem(thread, WARP);
        let leads = b.test("eq", lane, Ix::ZERO);
        let (_, parity) = b.div_rem(u.round, 2);
        let full = self.barrier(b, Wait::Full(0), Ix::ZERO);
        b.await_phase(full, parity);

        let (stage, parity) = b.stage_of(u.before, self.tiles.stages);
        self.await_tile(b, 1, stage, parity);
        self.await_turn(b, u.before);
        let scores = self.scores(b, stage);
        self.give_turn(b, leads);
        let scores = b.wait_matmuls(0, &scores);
        self.free(b, 1, stage, leads);
        let mut seen = [Seen::nothing(b), Seen::nothing(b)];
        let (rows, _) = self.weights(b, &seat, u, (Ix::ZERO, u.walk.masks[0]), &scores, &mut seen);
        let words = self.words(b, &rows);
        let sums = round_up(self.spec.shape.value, 16) / 2;
        let mut carried = vec![b.float(super::context::F32, 0.0); sums as usize];
        carried.extend(words);
        carried.extend(seen.iter().flat_map(|s| [s.max, s.sum]));

        let shape = &self.spec.shape;
        for (from, to, masked) in u.walk.parts() {
            carried =
                b.for_(from, to, 1, &carried, |b, t, carried| self.round(b, &seat, u, (t, masked), leads, carried));
        }
        let empty = self.barrier(b, Wait::Empty(0), Ix::ZERO);
        b.arrive(empty, leads);

        let (acc, words, seen) = self.carried(&carried);
        let count = b.add(u.before, u.walk.tiles).plus(-1);
        let (stage, parity) = b.stage_of(count, self.tiles.stages);
        self.await_tile(b, 2, stage, parity);
        let acc = self.add_values(b, stage, words, acc);
        let acc = b.wait_matmuls(0, &acc);
        self.free(b, 2, stage, leads);
        let number = b.afresh(u.number);
        let (at, i0) = walk::begin(c, b, Side::Queries, &self.tiles, number);
        let rows = team.rows(b, &seat, i0);
        for (r, (&i, seen)) in rows.iter().zip(&seen).enumerate() {
            let (factor, lse) = c.finish(b, seen, team.beside());
            let exists = b.test("slt", i, shape.q_len.into());
            let row = Sums { sums: &acc, r, factor };
            b.if_(exists, |b| store(b, (self.spec, c), team, &seat, (at, i), row, lse));
        }
    }

    /// What a loop carries: sums, words of weights, what rows have seen.
    fn carried<'v>(&self, carried: &'v [Val]) -> (&'v [Val], &'v [Val], Vec<Seen>) {
        let (rest, seen) = carried.split_at(carried.len() - 4);
        let (acc, words) = rest.split_at(rest.len() - self.tiles.keys as usize / 4);
        (acc, words, Seen::rows(seen))
    }

    /// The scores of a tile, and under them the sums of the one before.
    fn round(
        &self,
        b: &mut Builder,
        seat: &Places,
        u: &Unit,
        (t, masked): (Ix, bool),
        leads: Val,
        carried: &[Val],
    ) -> Vec<Val> {
        let (acc, words, seen) = self.carried(carried);
        let mut seen = [seen[0], seen[1]];
        let count = b.add(u.before, t);
        let count = b.uniform(count);
        let (stage, parity) = b.stage_of(count, self.tiles.stages);
        let (earlier, its_parity) = b.stage_of(count.plus(-1), self.tiles.stages);
        self.await_tile(b, 1, stage, parity);
        self.await_tile(b, 2, earlier, its_parity);
        self.await_turn(b, count);
        let scores = self.scores(b, stage);
        let acc = self.add_values(b, earlier, words, acc);
        self.give_turn(b, leads);
        let scores = b.wait_matmuls(1, &scores);
        self.free(b, 1, stage, leads);
        let (rows, factors) = self.weights(b, seat, u, (t, masked), &scores, &mut seen);
        let done = b.binary("addf", seen[0].sum, seen[1].sum);
        let mut acc = b.wait_matmuls_after(0, done, &acc);
        let rows = rows.map(|row| b.not_before(&row));
        let words = self.words(b, &rows);
        self.free(b, 2, earlier, leads);
        for (r, factor) in factors.into_iter().enumerate() {
            self.team.scale(b, &mut acc, r, factor);
        }
        acc.extend(words);
        acc.extend(seen.iter().flat_map(|s| [s.max, s.sum]));
        acc
    }

    fn await_tile(&self, b: &mut Builder, operand: usize, stage: Ix, parity: Ix) {
        let full = self.barrier(b, Wait::Full(operand), stage);
        b.await_phase(full, parity);
    }

    fn free(&self, b: &mut Builder, operand: usize, stage: Ix, leads: Val) {
        let empty = self.barrier(b, Wait::Empty(operand), stage);
        b.arrive(empty, leads);
    }

    /// Warpgroups begin products one after the other: the first begins tile `count` after the last one began the tile before.
    fn await_turn(&self, b: &mut Builder, count: Ix) {
        let turn = self.barrier(b, Wait::Turn, self.group);
        let later = b.min(self.group, 1i64.into());
        let phase = b.add(count, later).plus(1);
        let (_, parity) = b.div_rem(phase, 2);
        b.await_phase(turn, parity);
    }

    fn give_turn(&self, b: &mut Builder, leads: Val) {
        let (_, next) = b.div_rem(self.group.plus(1), self.warpgroups());
        let turn = self.barrier(b, Wait::Turn, next);
        b.arrive(turn, leads);
    }

    /// Begins the scores of a tile of keys.
    fn scores(&self, b: &mut Builder, stage: Ix) -> Vec<Val> {
        let (factor, tiles) = (self.team.factor, self.tiles);
        let own = b.scale(self.group, STRIP as i64);
        let queries = self.place(b, 0, Ix::ZERO);
        let first = SharedLines { at: b.add(queries, own), apart: tiles.rows * LINE, across: false };
        let second = SharedLines { at: self.place(b, 1, stage), apart: tiles.keys * LINE, across: false };
        let steps = ceil_div(self.spec.shape.head, 16);
        b.multiply_lines([factor; 2], First::Lines(first, 1), second, [tiles.keys, steps], None)
    }

    /// Begins to add a tile of values by their weights.
    fn add_values(&self, b: &mut Builder, stage: Ix, words: &[Val], acc: &[Val]) -> Vec<Val> {
        let (factor, keys) = (self.team.factor, self.tiles.keys);
        let second = SharedLines { at: self.place(b, 2, stage), apart: keys * LINE, across: true };
        let cols = round_up(self.spec.shape.value, 16);
        b.multiply_lines([factor; 2], First::Words(words), second, [cols, keys / 16], Some(acc))
    }

    /// The weights of a lane's two rows of a tile, by their scores, and by what each row's sums are to be multiplied.
    fn weights(
        &self,
        b: &mut Builder,
        seat: &Places,
        u: &Unit,
        (t, masked): (Ix, bool),
        scores: &[Val],
        seen: &mut [Seen; 2],
    ) -> ([Vec<Val>; 2], Vec<Val>) {
        let (c, team, keys) = (&self.c, &self.team, self.tiles.keys);
        let mut rows = rows_of(scores);
        rows.iter_mut().for_each(|row| c.scaled(b, row));
        if masked {
            let j = u.walk.column(b, t);
            let (numbers, columns) = (team.rows(b, seat, u.i0), team.columns(keys));
            let (first, whole) = team.alike(b, seat, u.i0);
            let column = b.add(j, team.column(seat));
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
