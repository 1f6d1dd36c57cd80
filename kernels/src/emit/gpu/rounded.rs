//! Slices of f32 become tf32 before warpgroups read them ([`crate::dot::Tiling::rounded`]): `wgmma` would cut off the lower bits, where a product in
//! tf32 is one of numbers that are rounded to the nearest.
//!
//! Three warps of the producer's warpgroup, which have nothing else to do, take a stage in squares of 32 lines when its copies are there.
//! They round what they read and write it to the same place. An operand that lies across is turned on the way, since `wgmma` takes f32
//! along `k` only: a square has as many lines as numbers in a line. Warpgroups wait for these warps and not for the copies.
//!
//! Each thread has 32 numbers of a square in registers, and no two threads of a phase of shared memory use the same bank, turned or
//! not. A slice is read and written once more than `wgmma` reads it: `Tiling::time` has what that takes. Fragments of the first
//! operand could be rounded in the registers of those who multiply, which would save a third of it; this is left until a card says that it
//! is missed.

use super::block::MmaType;
use super::tile::CHUNK;
use crate::emit::builder::{Buf, Builder, Ix, Val};
use crate::gpu::{LINE, WARP};

/// Warps that round: all of the producer's warpgroup but the one that fetches.
pub const WARPS: u64 = 3;

/// Lines of a square, and numbers in a line.
const SIDE: u64 = LINE / 4;
/// Numbers in a chunk.
const EACH: u64 = CHUNK / 4;
const CHUNKS: u64 = LINE / CHUNK;

/// By the warp with this number among those that round: a slice of both operands, of so many lines each and of which neighbours are rows or not.
/// It begins at this word.
pub fn slice(b: &mut Builder, words: Buf, warp: Ix, mut at: Ix, sides: [(u64, bool); 2]) {
    let thread = b.thread();
    let (_, lane) = b.div_rem(thread, WARP);
    let mut first = warp;
    for (lines, across) in sides {
        let squares = lines / SIDE;
        b.for_(first, squares.into(), WARPS, &[], |b, square, _| {
            let square = b.scale(square, (SIDE * SIDE) as i64);
            let at = b.add(at, square);
            if across {
                turn(b, words, at, lane);
            } else {
                keep(b, words, at, lane);
            }
            Vec::new()
        });
        at = at.plus((squares * SIDE * SIDE) as i64);
        // The warp that comes next begins with the other operand.
        first = b.div_rem(warp.plus((WARPS - squares % WARPS) as i64), WARPS).1;
    }
}

fn load(b: &mut Builder, words: Buf, at: Ix) -> Vec<Val> {
    let v = b.load_aligned(words, at, EACH);
    let all: Vec<Val> = (0..EACH).map(|i| b.extract(v, i)).collect();
    all.into_iter().map(|w| b.factors(MmaType::Tf32, w)).collect()
}

/// A square that lies along `k`, from this word on.
fn keep(b: &mut Builder, words: Buf, at: Ix, lane: Ix) {
    let own = b.scale(lane, EACH as i64);
    let at = b.add(at, own);
    let places: Vec<Ix> = (0..CHUNKS).map(|i| at.plus((i * WARP * EACH) as i64)).collect();
    let chunks: Vec<Vec<Val>> = places.iter().map(|&at| load(b, words, at)).collect();
    for (chunk, at) in chunks.iter().zip(places) {
        let v = b.elements(chunk);
        b.store_aligned(v, words, at);
    }
}

/// A square that lies across: lines are steps of `k`, and become rows. Lanes take blocks of 4 by 4 numbers, each two of them.
fn turn(b: &mut Builder, words: Buf, at: Ix, lane: Ix) {
    let (quarter, down) = b.div_rem(lane, CHUNKS);
    // Chunk `chunk` of line `4 * block + i`, as tiles are permuted.
    let place = |b: &mut Builder, block: Ix, i: u64, chunk: Ix| {
        let (_, odd) = b.div_rem(block, 2);
        let low = b.scale(odd, EACH as i64).plus(i as i64);
        let chunk = b.xor(chunk, low);
        let (line, chunk) = (b.scale(block, (EACH * SIDE) as i64).plus((i * SIDE) as i64), b.scale(chunk, EACH as i64));
        let within = b.add(line, chunk);
        b.add(at, within)
    };
    let blocks: Vec<(Ix, Vec<Vec<Val>>)> = (0..2)
        .map(|pass| {
            let across = b.xor(down, quarter.plus(pass * EACH as i64));
            let lines = (0..EACH).map(|i| {
                let at = place(b, down, i, across);
                load(b, words, at)
            });
            (across, lines.collect())
        })
        .collect();
    b.warp_barrier();
    for (across, lines) in blocks {
        for i in 0..EACH {
            let column: Vec<Val> = lines.iter().map(|line| line[i as usize]).collect();
            let (v, at) = (b.elements(&column), place(b, across, i, down));
            b.store_aligned(v, words, at);
        }
    }
}
