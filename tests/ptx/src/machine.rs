//! A launch: blocks one after the other, and in each its warps in turns until all have ended.

use crate::barrier::Barriers;
use crate::clock::{COPIES, WARPS};
pub use crate::copies::MapAt;
use crate::copies::Tile;
use crate::decode::{Instr, decode};
use crate::memory::{Global, Shared};
use crate::parse::RawKernel;
use crate::warp::{LANES, Lane, Warp};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::Arc;

/// Added to where a parameter lies when its address is taken.
pub const PARAMETERS: u64 = 1 << 62;
/// Where shared memory of the program begins: the first bytes are the system's, as they are on Hopper.
const SHARED_BEGINS: u64 = 1024;
/// Instructions of one warp, after which a launch is given up.
const MOST_STEPS: u32 = 1 << 28;

/// A kernel that can be launched.
pub struct Kernel {
    pub name: String,
    pub instrs: Vec<Instr>,
    pub registers: Vec<u32>,
    pub names: Arc<[String]>,
    /// Where each parameter lies, and its size.
    pub params: Vec<(u64, u64)>,
    /// Bytes of shared memory before the part whose size a launch gives.
    pub dynamic: u64,
}

impl Kernel {
    /// Lays a parsed kernel out. `globals` are the module's variables.
    ///
    /// # Errors
    /// An instruction that is not known.
    pub fn new(name: &str, raw: &RawKernel, globals: &BTreeMap<String, u64>) -> Result<Kernel, String> {
        let mut names = globals.clone();
        let mut at = SHARED_BEGINS;
        let sized = raw.shared.iter().filter(|v| v.size > 0).chain(raw.shared.iter().filter(|v| v.size == 0));
        for v in sized {
            at = at.next_multiple_of(v.align);
            names.insert(v.name.clone(), at);
            at += v.size;
        }
        let dynamic = at;
        let (mut at, mut params) = (0, Vec::new());
        for v in &raw.params {
            at = u64::next_multiple_of(at, v.align);
            names.insert(v.name.clone(), at);
            params.push((at, v.size));
            at += v.size;
        }
        let instrs = decode(raw, &|n| names.get(n).copied()).map_err(|why| format!("{name}, {why}"))?;
        let (registers, names) = (raw.registers.clone(), raw.names.clone().into());
        Ok(Kernel { name: name.to_owned(), instrs, registers, names, params, dynamic })
    }
}

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

pub struct Launch<'l> {
    pub kernel: &'l Kernel,
    pub blocks: u64,
    pub threads: u64,
    /// Bytes of shared memory besides what the kernel declares.
    pub shared: u64,
    /// The parameters as they lie; where a tensor map lies its bytes mean nothing.
    pub params: Vec<u8>,
    pub maps: Vec<MapAt>,
}

/// What the warps of a block share.
pub struct Block<'l> {
    pub launch: &'l Launch<'l>,
    pub shared: Shared,
    pub barriers: Barriers,
    /// Copies by tensor maps that are not done.
    pub tiles: VecDeque<Tile>,
    /// The copying agent's time.
    pub copied: u32,
}

/// Runs a launch on global memory.
///
/// # Errors
/// What is not defined.
pub fn run(launch: &Launch<'_>, global: &mut Global) -> Result<(), Fault> {
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

fn one_block(launch: &Launch<'_>, global: &mut Global, number: u64) -> Result<(), Ended> {
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

    /// The copying agent's next time.
    pub fn copy_time(&mut self) -> u32 {
        self.copied += 1;
        self.copied
    }

    /// Does one copy that is pending; whether there was one.
    fn one_tile(&mut self) -> Result<bool, String> {
        let Some(tile) = self.tiles.pop_front() else { return Ok(false) };
        let time = self.copy_time();
        tile.finish(&mut self.shared, &mut self.barriers, (COPIES, time))?;
        Ok(true)
    }
}
