//! What templates share: which units a block takes in turn, and values combined over the threads of a block.

use crate::emit::builder::{Builder, Ix, Val};
use crate::expr::Reduction;
use crate::gpu::WARP;

/// The first unit of this block (of `each` units side by side, one for each thread where that is more than one), and the step to its
/// next.
pub fn turns(b: &mut Builder, each: u64) -> (Ix, Ix) {
    let (lo, block, blocks) = (b.lo(), b.block(), b.blocks());
    let (first, step) = (b.scale(block, each as i64), b.scale(blocks, each as i64));
    let first = if each > 1 {
        let thread = b.thread();
        b.add(first, thread)
    } else {
        first
    };
    (b.add(lo, first), step)
}

/// What the threads of a block have, combined; every thread gets it. All of them must call.
pub fn over_block(b: &mut Builder, values: &[(Reduction, Val)], threads: u64) -> Vec<Val> {
    let mut values = values.to_vec();
    let mut mask = WARP / 2;
    while mask > 0 {
        for (kind, v) in &mut values {
            let other = b.shuffle_xor(*v, mask);
            *v = b.combine(*kind, *v, other);
        }
        mask /= 2;
    }
    let warps = threads / WARP;
    if warps == 1 {
        return values.into_iter().map(|(_, v)| v).collect();
    }
    let thread = b.thread();
    let (warp, lane) = b.div_rem(thread, WARP);
    let parts: Vec<_> = values.iter().map(|(_, v)| b.block_memory(b.ty(*v).kind, warps)).collect();
    let first = b.test("eq", lane, Ix::ZERO);
    b.if_(first, |b| {
        for ((_, v), &part) in values.iter().zip(&parts) {
            b.store(*v, part, warp);
        }
    });
    b.barrier();
    let totals = values.iter().zip(&parts).map(|(&(kind, _), &part)| {
        let mut total = b.load(part, Ix::ZERO, 0);
        for w in 1..warps {
            let next = b.load(part, Ix::from(w), 0);
            total = b.combine(kind, total, next);
        }
        total
    });
    let totals = totals.collect();
    // The next values may lie where these do.
    b.barrier();
    totals
}
