//! A launch: blocks (or clusters of them) one after the other, and in each its warps in turns until all have ended.

use crate::block::{Block, KernelLaunch};
use crate::clock::{CLUSTER, COPIES, KnownAccesses, WARPS};
use crate::exec::CLUSTER_BARRIER;
use crate::memory::Global;
use crate::warp::{LANES, Lane, Warp};
use std::fmt;

/// Instructions of one warp, after which a launch is given up.
const MOST_STEPS: u32 = 1 << 28;

/// What ended a launch.
#[derive(Clone, Debug)]
pub struct Fault {
    pub kernel: String,
    /// Of the module's text.
    pub line: u32,
    pub instr: String,
    pub block: u64,
    pub why: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} line {}, `{}`, block {}: {}", self.kernel, self.line, self.instr, self.block, self.why)
    }
}

/// Runs a launch on global memory.
///
/// # Errors
/// What is not defined.
pub fn run(launch: &KernelLaunch<'_>, global: &mut Global) -> Result<(), Fault> {
    global.accesses.clear();
    let fault = |block: u64, at: Option<usize>, why: String| {
        let instr = at.and_then(|i| launch.kernel.instrs.get(i));
        let (line, instr) = instr.map_or((0, "the end".into()), |i| (i.line, i.name.clone()));
        Fault { kernel: launch.kernel.name.clone(), line, instr, block, why }
    };
    let cluster = launch.cluster as usize;
    let threads = launch.threads.saturating_mul(launch.cluster);
    if threads == 0 || !launch.threads.is_multiple_of(LANES as u64) || threads > (WARPS * LANES) as u64 {
        return Err(fault(0, None, format!("{} threads", launch.threads)));
    }
    if cluster > CLUSTER || !launch.blocks.is_multiple_of(launch.cluster) {
        return Err(fault(0, None, format!("{} blocks in clusters of {cluster}", launch.blocks)));
    }
    for first in (0..launch.blocks).step_by(cluster) {
        one_cluster(launch, global, first).map_err(|(block, at, why)| fault(block, at, why))?;
    }
    Ok(())
}

/// In which block, where, and why.
type Ended = (u64, Option<usize>, String);

/// A block, or the blocks of a cluster.
fn one_cluster(launch: &KernelLaunch<'_>, global: &mut Global, first: u64) -> Result<(), Ended> {
    let each = launch.threads as usize / LANES;
    let ranks = 0..launch.cluster as usize;
    let new = |rank: usize, index: usize| {
        let place = [first + rank as u64, launch.blocks, launch.threads];
        Warp::new(launch.kernel, index, rank, place)
    };
    let mut warps: Vec<Vec<Warp>> = ranks.clone().map(|rank| (0..each).map(|i| new(rank, i)).collect()).collect();
    let mut blocks: Vec<Block> = ranks.clone().map(|rank| Block::new(launch, rank, first + rank as u64)).collect();
    loop {
        let mut moved = false;
        for (rank, w) in ranks.clone().flat_map(|rank| (0..each).map(move |w| (rank, w))) {
            let number = first + rank as u64;
            blocks[rank].wake(&mut warps[rank][w]);
            while let Some((at, mask)) = warps[rank][w].next() {
                let ended = |why| (number, Some(at), why);
                let further = blocks[rank].step(&mut warps[rank][w], global, at, mask).map_err(ended)?;
                for sent in std::mem::take(&mut blocks[rank].sent) {
                    if warps[sent.rank].iter().all(|w| w.live() == 0) {
                        return Err(ended(format!("block {} has ended", first + sent.rank as u64)));
                    }
                    blocks[sent.rank].receive(sent).map_err(ended)?;
                }
                if !further {
                    break;
                }
                moved = true;
                if warps[rank][w].steps > MOST_STEPS {
                    return Err(ended("it does not end".into()));
                }
            }
            blocks[rank].release(&mut warps[rank]);
        }
        release_cluster(&mut blocks, &mut warps);
        if warps.iter().flatten().all(|w| w.live() == 0) {
            break;
        }
        if !moved {
            let mut copied = false;
            for block in &mut blocks {
                let index = block.index;
                let ended = |why| (index, None, why);
                copied = copied || block.one_tile().map_err(ended)? || block.one_commit().map_err(ended)?;
            }
            if !copied {
                return Err(stuck(&warps, first));
            }
        }
    }
    for (block, warps) in blocks.iter_mut().zip(&mut warps) {
        for w in warps {
            block.stores_end(w, global).map_err(|why| (block.index, None, why))?;
        }
        block.memory.end().map_err(|why| (block.index, None, why))?;
    }
    match blocks.iter().find(|b| !b.tiles.is_empty()) {
        Some(b) => Err((b.index, None, "the block ends before copies to its shared memory were waited for".into())),
        None => Ok(()),
    }
}

/// Lets the warps of a cluster go whose threads all arrived at its barrier, and wait.
fn release_cluster(blocks: &mut [Block<'_>], warps: &mut [Vec<Warp>]) {
    let live: u64 = warps.iter().flatten().map(|w| u64::from(w.live().count_ones())).sum();
    let arrived: u64 = blocks.iter().map(|b| b.met.0).sum();
    let waits = |w: &Warp| w.lanes.iter().all(|l| matches!(l, Lane::Done | Lane::AtBarrier(CLUSTER_BARRIER)));
    if live == 0 || arrived != live || !warps.iter().flatten().all(waits) {
        return;
    }
    let mut known = KnownAccesses::NEVER;
    for block in blocks {
        known.join(&block.met.1);
        block.met = (0, KnownAccesses::NEVER);
    }
    warps.iter_mut().flatten().for_each(|w| go_on(w, CLUSTER_BARRIER, &known));
}

/// The lanes of a warp that are at a barrier go on, and know what all told there.
fn go_on(w: &mut Warp, id: u64, known: &KnownAccesses) {
    w.hears(known);
    w.meet();
    for l in 0..LANES {
        if w.lanes[l] == Lane::AtBarrier(id) {
            w.lanes[l] = Lane::Running;
            w.at[l] += 1;
        }
    }
}

/// Who waits for what, when nothing goes on.
fn stuck(warps: &[Vec<Warp>], first: u64) -> Ended {
    for w in warps.iter().flatten() {
        for l in 0..LANES {
            let for_what = match w.lanes[l] {
                Lane::Waiting { at, parity } => {
                    format!("the phase of parity {parity} of the barrier at byte {at} of shared memory")
                }
                Lane::AtBarrier(CLUSTER_BARRIER) => "the others at the barrier of the cluster".into(),
                Lane::AtBarrier(id) => format!("the others at barrier {id}"),
                Lane::Parked => "the rest of its warp".into(),
                Lane::Running | Lane::Done => continue,
            };
            return (w.place[0], Some(w.at[l]), format!("thread {} waits in vain for {for_what}", w.thread(l)));
        }
    }
    (first, None, "nothing goes on".into())
}

impl Block<'_> {
    /// Lanes whose barrier has completed its phase run again.
    fn wake(&mut self, w: &mut Warp) {
        for l in 0..LANES {
            if let Lane::Waiting { at, parity } = w.lanes[l]
                && self.barriers.is_over(at, parity)
            {
                w.lanes[l] = Lane::Running;
            }
        }
    }

    /// Lets the warps go that all are at a barrier of the block.
    fn release(&mut self, warps: &mut [Warp]) {
        let ended: u64 = warps.iter().map(|w| 32 - u64::from(w.live().count_ones())).sum();
        while let Some((id, known)) = self.barriers.complete(self.launch.threads - ended) {
            let waiting = warps.iter_mut().filter(|w| w.lanes.contains(&Lane::AtBarrier(id)));
            waiting.for_each(|w| go_on(w, id, &known));
        }
    }

    /// Does one copy that is pending; whether there was one.
    fn one_tile(&mut self) -> Result<bool, String> {
        let Some(tile) = self.tiles.pop_front() else { return Ok(false) };
        let time = self.copy_time();
        tile.finish(&mut self.shared, &mut self.barriers, COPIES + self.rank, time)?;
        Ok(true)
    }
}
