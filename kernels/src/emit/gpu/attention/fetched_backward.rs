//! The backward pass on Hopper: tiles are fetched by the tensor memory accelerator and multiplied by warpgroups, as in the forward pass
//! ([`super::fetched`]). There are the two kinds of blocks of [`super::backward`], with the same seven products; so no sum has two
//! owners, and any grid gives the same bits.
//!
//! A warpgroup has 64 rows of a tile that stays (keys and values, or queries and the gradients of their outputs). A round begins the
//! scores of the next tile that goes by, and adds the products of the last one to the sums; the exponentials are taken under those
//! additions. Then come the gradients of weights, under which the other warpgroup works. Weights and their gradients stay in the
//! registers in which they were summed, as first factors.
//!
//! The statistics of queries, where those go by: two warps of the producer's warpgroup multiply rows of `o` and `do` on tensor cores and keep
//! the diagonal, while the consumers are a tile behind. So `o` is fetched besides.
//!
//! [`super::backward_block`] says what lies where, [`super::backward_statistics`] has the warps that measure, [`super::backward_sums`] those that
//! multiply.
//!
//! Registers, for heads of 128 and keys that stay: 128 sums, 32 scores, 32 words of weights and their gradients; then 32
//! weights and 32 gradients beside the sums. Where queries stay there are half as many sums and twice as many columns.
//!
//! Not here: five products in place of seven, which needs partial sums of `dq` in memory; heads of more than 128.

use super::super::block::MmaType;
use super::backward_block::{BackwardBlock, Unit};
use super::context::{Context, Side};
use super::tensor::Warps;
use super::walk;
use crate::attention::AttentionBackward;
use crate::emit::builder::{Builder, ElemKind, Ix, Ty};
use crate::gpu::{Grid, WARP};
use crate::spec::SpecError;

/// The numbers of maps.
const Q: usize = 0;
const K: usize = 1;
const V: usize = 2;
const O: usize = 3;
const D_O: usize = 4;

/// # Errors
/// Operands without tensor maps.
pub fn emit(b: &mut Builder, spec: &AttentionBackward, grid: &Grid) -> Result<(), SpecError> {
    let (shape, tiles) = (&spec.shape, grid.tiles);
    b.take_maps(5);
    let Some(boxes) = spec.boxes(&tiles) else {
        return Err(SpecError("attention's gradient: its operands have no tensor maps".into()));
    };
    let c = Context::new(shape, grid);
    let team = Warps { factor: MmaType::of(shape.dtype), rows: 1 };
    let thread = b.thread();
    let (group, _) = b.div_rem(thread, 4 * WARP);
    let group = b.uniform(group);
    let (block, gates) = BackwardBlock::new(b, spec, c, tiles, team, boxes, group);
    debug_assert_eq!(gates.end(), u64::from(grid.shared_bytes));
    b.alone(tiles.block_threads());
    let one = b.test("eq", thread, Ix::ZERO);
    b.if_(one, |b| gates.make(b));
    b.barrier();
    let multiplies = b.test("slt", group, Ix::from(u64::from(tiles.threads) / (4 * WARP)));
    let [multiplying, producing] = block.registers();
    b.if_else(
        multiplies,
        &[],
        |b| {
            b.set_registers(multiplying, true);
            let [_, round] = block.units(b, Side::Keys, true, Ix::ZERO, &|b, u| block.multiply(b, u));
            block.units(b, Side::Queries, true, round, &|b, u| block.multiply(b, u));
            Vec::new()
        },
        |b| {
            b.set_registers(producing, false);
            let (one, whole) = walk::producer(b, &block.c, tiles.threads.into());
            b.if_(one, |b| {
                (0..5).for_each(|map| b.prefetch_map(map));
                produce(b, &block, whole);
            });
            let [second, third] = [1, 2].map(|n| u64::from(tiles.threads) + n * WARP);
            let measures = b.test("sge", thread, second.into());
            b.if_(measures, |b| measure(b, &block, [second, third]));
            Vec::new()
        },
    );
    Ok(())
}

/// What the warps that begin at these threads do, of which the second is two.
fn measure(b: &mut Builder, block: &BackwardBlock<'_>, [one, two]: [u64; 2]) {
    let thread = b.thread();
    let multiply = b.test("sge", thread, two.into());
    let gone = b.if_else(
        multiply,
        &[Ty::scalar(ElemKind::Index); 2],
        |b| block.units(b, Side::Keys, true, Ix::ZERO, &|b, u| block.measure(b, two, u)).map(|x| b.ix(x)).to_vec(),
        |b| block.units(b, Side::Keys, true, Ix::ZERO, &|b, u| block.load(b, one, u)).map(|x| b.ix(x)).to_vec(),
    );
    let [fetched, round] = [gone[0], gone[1]].map(Ix::from);
    let Some(numbers) = block.numbers(Side::Queries) else {
        block.units(b, Side::Queries, true, round, &|b, u| block.measure_own(b, one, u));
        return;
    };
    // What comes now lies where segments and statistics of queries that went by do.
    block.await_queries(b, fetched);
    b.if_else(
        multiply,
        &[],
        |b| {
            block.units(b, Side::Queries, true, round, &|b, u| block.measure_own(b, two, u));
            Vec::new()
        },
        |b| {
            block.units(b, Side::Queries, true, round, &|b, u| block.load_numbers(b, numbers, u));
            Vec::new()
        },
    );
}

/// Everything that the block needs is fetched, by one thread; `whole` says that its warp comes along.
fn produce(b: &mut Builder, block: &BackwardBlock<'_>, whole: bool) {
    let each = |b: &mut Builder, u: &Unit| walk::by_one(b, whole, |b| fetch(b, block, u));
    let [fetched, round] = block.units(b, Side::Keys, whole, Ix::ZERO, &each);
    // Stages of keys lie where those of queries do.
    block.await_queries(b, fetched);
    block.units(b, Side::Queries, whole, round, &each);
}

/// A unit's tiles: the first that goes by, for which there is room before the unit begins, then those that stay, then the others.
fn fetch(b: &mut Builder, block: &BackwardBlock<'_>, u: &Unit) {
    let goes_by = |b: &mut Builder, n: Ix, t: Ix| {
        let (at, before) = block.head(b, u, n);
        let maps = if u.side == Side::Keys { &[Q, D_O, O][..] } else { &[K, V][..] };
        let cols = block.cols(u.side);
        let [first, second] = block.bytes(cols);
        let count = b.add(before, t);
        let [to, full] = block.ring(u.side).begin(b, count, first + second * (maps.len() as u64 - 1));
        let i = u.walk.column(b, t);
        for (&map, from) in maps.iter().zip([0, first, first + second]) {
            walk::fetch_rows(b, map, &block.boxes[map], at, i, cols, [to.plus(from as i64), full]);
        }
    };
    goes_by(b, Ix::ZERO, Ix::ZERO);
    let maps = if u.side == Side::Keys { [K, V] } else { [Q, D_O] };
    let rows = block.tiles.rows;
    let [first, second] = block.bytes(rows);
    let [to, full] = block.stays.begin(b, u.round, first + second);
    for (map, from) in maps.into_iter().zip([0, first]) {
        walk::fetch_rows(b, map, &block.boxes[map], u.at, u.first, rows, [to.plus(from as i64), full]);
    }
    b.loop_(Ix::ZERO, u.heads.into(), 1, |b, n| {
        let later = b.min(n, 1i64.into());
        let from = b.scale(later, -1).plus(1);
        b.loop_(from, u.walk.tiles, 1, |b, t| goes_by(b, n, t));
    });
}
