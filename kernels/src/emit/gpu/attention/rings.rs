//! Ring buffers of tiles in shared memory: where the stages of a ring lie, and the barriers between the thread that starts the copies into a
//! stage and the warps that read it. The templates that fetch tiles by tensor maps share them (`fetched`, `fetched_backward`).
//!
//! Tiles are counted over the whole life of a block. A tile's number gives its stage, and the parity of the phases of that stage's barriers. So
//! the producer may be as many tiles ahead as there are stages, and may fetch tiles of the next unit while the warps read this one's.

use super::super::bulk::BARRIER;
use crate::emit::builder::{Builder, Ix, Val};

/// Barriers of one kind, one for each stage.
#[derive(Clone, Copy)]
pub struct Gate {
    at: u64,
    stages: u64,
    arrivals: u64,
}

impl Gate {
    pub fn barrier(&self, b: &mut Builder, stage: Ix) -> Ix {
        let at = b.scale(stage, BARRIER as i64).plus(self.at as i64);
        b.dynamic_address(at)
    }

    pub fn wait(&self, b: &mut Builder, stage: Ix, parity: Ix) {
        let at = self.barrier(b, stage);
        b.await_phase(at, parity);
    }

    /// Arrives once for a warp. All lanes of the warp call this, and `leads` is true in one of them.
    pub fn arrive(&self, b: &mut Builder, stage: Ix, leads: Val) {
        let at = self.barrier(b, stage);
        b.arrive(at, leads);
    }
}

/// All barriers of a block, one after the other in shared memory.
pub struct Gates {
    next: u64,
    all: Vec<Gate>,
}

impl Gates {
    /// The barriers begin at this byte of the block's dynamic shared memory.
    pub fn from(byte: u64) -> Gates {
        Gates { next: byte, all: Vec::new() }
    }

    /// Adds a barrier for each stage. A phase of such a barrier is over after `arrivals` arrivals.
    pub fn add(&mut self, stages: u64, arrivals: u64) -> Gate {
        let gate = Gate { at: self.next, stages, arrivals };
        self.next += stages * BARRIER;
        self.all.push(gate);
        gate
    }

    /// Adds a ring. Its first stage begins at byte `from`, and each stage takes `bytes` bytes. `fill` arrivals make a stage full, and `free`
    /// arrivals make it empty.
    pub fn ring(&mut self, [from, bytes]: [u64; 2], stages: u64, [fill, free]: [u64; 2]) -> Ring {
        Ring { full: self.add(stages, fill), empty: self.add(stages, free), from, bytes, stages }
    }

    /// Where the barriers end.
    pub fn end(&self) -> u64 {
        self.next
    }

    /// Initialises all barriers. One thread of the block calls this.
    pub fn make(&self, b: &mut Builder) {
        for gate in &self.all {
            for stage in 0..gate.stages {
                let at = gate.barrier(b, stage.into());
                b.init_barrier(at, gate.arrivals);
            }
        }
        b.fence_barriers();
    }
}

/// A ring buffer, whose stages are filled one after the other.
#[derive(Clone, Copy)]
pub struct Ring {
    full: Gate,
    empty: Gate,
    from: u64,
    bytes: u64,
    stages: u64,
}

/// A tile's stage, and the parity of the phase in which the full barrier waits for that tile.
#[derive(Clone, Copy)]
pub struct RingStage {
    pub number: Ix,
    pub parity: Ix,
}

impl Ring {
    /// The stage of a tile. `count` is the number of tiles before it.
    pub fn stage(&self, b: &mut Builder, count: Ix) -> RingStage {
        let (number, parity) = b.stage_of(count, self.stages);
        RingStage { number, parity }
    }

    /// Where a stage lies.
    pub fn place(&self, b: &mut Builder, stage: RingStage) -> Ix {
        let at = b.scale(stage.number, self.bytes as i64).plus(self.from as i64);
        b.dynamic_address(at)
    }

    /// Waits until all warps have freed the tile that was in the stage before. In the first round there was none, and this returns at once.
    pub fn await_empty(&self, b: &mut Builder, stage: RingStage) {
        let other = b.xor(stage.parity, 1i64.into());
        self.empty.wait(b, stage.number, other);
    }

    /// Waits until the stage of a tile is empty, and has its full barrier expect `bytes` bytes. Gives the stage's address, and the barrier at
    /// which the copies arrive.
    pub fn begin(&self, b: &mut Builder, count: Ix, bytes: u64) -> [Ix; 2] {
        let stage = self.stage(b, count);
        self.await_empty(b, stage);
        let full = self.full.barrier(b, stage.number);
        b.arrive_expecting(full, bytes);
        [self.place(b, stage), full]
    }

    /// Arrives for a warp that has filled its part of the stage with stores of its own, and not with an asynchronous copy.
    pub fn fill(&self, b: &mut Builder, stage: RingStage, leads: Val) {
        self.full.arrive(b, stage.number, leads);
    }

    pub fn await_full(&self, b: &mut Builder, stage: RingStage) {
        self.full.wait(b, stage.number, stage.parity);
    }

    /// Arrives for a warp that has read the stage.
    pub fn free(&self, b: &mut Builder, stage: RingStage, leads: Val) {
        self.empty.arrive(b, stage.number, leads);
    }
}
