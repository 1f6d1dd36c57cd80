//! Rings of tiles in shared memory that the templates whose tiles are fetched share: where the stages of a ring lie, and the barriers between
//! the thread that has them filled and the warps that read them.
//!
//! Tiles are counted over the whole life of a block. A tile's number says its stage, and the parity of the phases of that stage's barriers. So the
//! producer may be as many tiles ahead as there are stages, also beyond the end of a unit.

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

    /// Of a warp all of whose lanes come here.
    pub fn arrive(&self, b: &mut Builder, stage: Ix, leads: Val) {
        let at = self.barrier(b, stage);
        b.arrive(at, leads);
    }
}

/// All barriers of a block, one after the other.
pub struct Gates {
    next: u64,
    all: Vec<Gate>,
}

impl Gates {
    /// From this byte of the block's dynamic memory on.
    pub fn from(byte: u64) -> Gates {
        Gates { next: byte, all: Vec::new() }
    }

    /// Barriers whose phases take so many arrivals.
    pub fn add(&mut self, stages: u64, arrivals: u64) -> Gate {
        let gate = Gate { at: self.next, stages, arrivals };
        self.next += stages * BARRIER;
        self.all.push(gate);
        gate
    }

    /// A ring of so many stages: its bytes begin there, each stage after the one before. So many arrivals fill a stage, and so many free it.
    pub fn ring(&mut self, [from, bytes]: [u64; 2], stages: u64, [fill, free]: [u64; 2]) -> Ring {
        Ring { full: self.add(stages, fill), empty: self.add(stages, free), from, bytes, stages }
    }

    /// Where the barriers end.
    pub fn end(&self) -> u64 {
        self.next
    }

    /// Makes them all. By one thread.
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

/// Stages of tiles that are filled one after the other.
#[derive(Clone, Copy)]
pub struct Ring {
    full: Gate,
    empty: Gate,
    from: u64,
    bytes: u64,
    stages: u64,
}

/// A stage, and the parity of the phase in which it is full.
#[derive(Clone, Copy)]
pub struct RingStage {
    pub number: Ix,
    pub parity: Ix,
}

impl Ring {
    /// That of a tile, by the number of those before.
    pub fn stage(&self, b: &mut Builder, count: Ix) -> RingStage {
        let (number, parity) = b.stage_of(count, self.stages);
        RingStage { number, parity }
    }

    /// Where a stage lies.
    pub fn place(&self, b: &mut Builder, stage: RingStage) -> Ix {
        let at = b.scale(stage.number, self.bytes as i64).plus(self.from as i64);
        b.dynamic_address(at)
    }

    /// Waits until nobody reads what was in the stage before; in the first round, nothing was.
    pub fn await_empty(&self, b: &mut Builder, stage: RingStage) {
        let other = b.xor(stage.parity, 1i64.into());
        self.empty.wait(b, stage.number, other);
    }

    /// The same, and has the stage expect so many bytes: where it lies, and the barrier at which they arrive.
    pub fn begin(&self, b: &mut Builder, count: Ix, bytes: u64) -> [Ix; 2] {
        let stage = self.stage(b, count);
        self.await_empty(b, stage);
        let full = self.full.barrier(b, stage.number);
        b.arrive_expecting(full, bytes);
        [self.place(b, stage), full]
    }

    /// The warp has filled its part of the stage, without a copy.
    pub fn fill(&self, b: &mut Builder, stage: RingStage, leads: Val) {
        self.full.arrive(b, stage.number, leads);
    }

    pub fn await_full(&self, b: &mut Builder, stage: RingStage) {
        self.full.wait(b, stage.number, stage.parity);
    }

    /// The warp has read the stage.
    pub fn free(&self, b: &mut Builder, stage: RingStage, leads: Val) {
        self.empty.arrive(b, stage.number, leads);
    }
}
