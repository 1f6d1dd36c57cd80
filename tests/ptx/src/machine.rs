//! A launch: blocks one after the other, and in each its warps in turns until all have ended.

use crate::barrier::Barriers;
use crate::block::{Block, KernelLaunch};
use crate::clock::{COPIES, WARPS};
use crate::memory::{Global, Shared};
use crate::warp::{LANES, Lane, Warp};
use std::collections::VecDeque;
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
    if launch.threads == 0 || !launch.threads.is_multiple_of(LANES as u64) || launch.threads > (WARPS * LANES) as u64 {
        return Err(fault(0, None, format!("{} threads", launch.threads)));
    }
    for block in 0..launch.blocks {
        one_block(launch, global, block).map_err(|(at, why)| fault(block, at, why))?;
    }
    Ok(())
}

type Ended = (Option<usize>, String);

fn one_block(launch: &KernelLaunch<'_>, global: &mut Global, number: u64) -> Result<(), Ended> {
    let place = [number, launch.blocks, launch.threads];
    let mut warps: Vec<Warp> =
        (0..launch.threads as usize / LANES).map(|i| Warp::new(launch.kernel, i, place)).collect();
    let shared = Shared::new((launch.kernel.dynamic + launch.shared) as usize);
    let mut block = Block { launch, shared, barriers: Barriers::default(), tiles: VecDeque::new(), copied: 1 };
    loop {
        let mut moved = false;
        for w in 0..warps.len() {
            block.wake(&mut warps[w]);
            while let Some((at, mask)) = warps[w].next() {
                if !block.step(&mut warps[w], global, at, mask).map_err(|why| (Some(at), why))? {
                    break;
                }
                moved = true;
                if warps[w].steps > MOST_STEPS {
                    return Err((Some(at), "it does not end".into()));
                }
            }
            block.release(&mut warps);
        }
        if warps.iter().all(|w| w.live() == 0) {
            break;
        }
        if !moved && !block.one_tile().map_err(|why| (None, why))? {
            return Err(stuck(&warps));
        }
    }
    if !block.tiles.is_empty() {
        return Err((None, "the block ends before copies to its shared memory were waited for".into()));
    }
    Ok(())
}

/// Who waits for what, when nothing goes on.
fn stuck(warps: &[Warp]) -> Ended {
    for w in warps {
        for l in 0..LANES {
            let for_what = match w.lanes[l] {
                Lane::Waiting { at, parity } => {
                    format!("the phase of parity {parity} of the barrier at byte {at} of shared memory")
                }
                Lane::AtBarrier(id) => format!("the others at barrier {id}"),
                Lane::Parked => "the rest of its warp".into(),
                Lane::Running | Lane::Done => continue,
            };
            return (Some(w.at[l]), format!("thread {} waits in vain for {for_what}", w.thread(l)));
        }
    }
    (None, "nothing goes on".into())
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
        while let Some((id, clock, fenced)) = self.barriers.complete(self.launch.threads - ended) {
            for w in warps.iter_mut().filter(|w| w.lanes.contains(&Lane::AtBarrier(id))) {
                w.hears(&clock, &fenced);
                w.meet();
                for l in 0..LANES {
                    if w.lanes[l] == Lane::AtBarrier(id) {
                        w.lanes[l] = Lane::Running;
                        w.at[l] += 1;
                    }
                }
            }
        }
    }

    /// Does one copy that is pending; whether there was one.
    fn one_tile(&mut self) -> Result<bool, String> {
        let Some(tile) = self.tiles.pop_front() else { return Ok(false) };
        let time = self.copy_time();
        tile.finish(&mut self.shared, &mut self.barriers, (COPIES, time))?;
        Ok(true)
    }
}
