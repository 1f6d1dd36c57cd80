//! Tensor maps and the tiles that are copied by them.

use crate::barrier::Barriers;
use crate::clock::{AGENTS, Accessor, Clock, Stamp};
use crate::memory::Shared;
use meshloom_bundle::{Swizzle, TensorMap};

/// A tensor map among the parameters: where it lies there, and the address of its tensor.
pub struct MapAt {
    pub param: u64,
    pub address: u64,
    pub map: TensorMap,
}

/// Where the elements of a tile are in global memory, those that the tensor has, by chunks as they lie in shared memory.
pub struct TileElements {
    /// Bytes of an element.
    pub size: u64,
    pub swizzle: Swizzle,
    pub chunks: Vec<Vec<Option<u64>>>,
}

/// A tile that a lane begins to copy.
pub struct TileFetch<'c> {
    pub to: u64,
    /// Where its map is among the parameters.
    pub map: u64,
    pub coordinates: &'c [i32],
    pub barrier: u64,
    /// The blocks of the cluster that it goes to, a bit each.
    pub blocks: u64,
}

/// A copy of a tile that is under way.
pub struct TileCopy {
    pub to: u64,
    pub values: Vec<u8>,
    pub swizzle: Swizzle,
    pub barrier: u64,
    pub block: u32,
}

/// Bytes that stay together when a tile is permuted.
pub const CHUNK: u64 = 16;

/// Where the byte of an address goes. The pattern repeats with the address, not with the tile.
pub fn swizzled(at: u64, how: Swizzle) -> u64 {
    match how {
        Swizzle::None => at,
        Swizzle::Bytes32 => at ^ (at >> 7 & 1) << 4,
        Swizzle::Bytes64 => at ^ (at >> 7 & 3) << 4,
        Swizzle::Bytes128 => at ^ (at >> 7 & 7) << 4,
    }
}

impl TileCopy {
    /// The bytes are there, and the barrier hears of them; `agent` and `time` are the copier's.
    pub fn finish(self, shared: &mut Shared, barriers: &mut Barriers, agent: usize, time: u32) -> Result<(), String> {
        let stamp = Stamp { block: self.block, time, meeting: 0, agent: agent as u8, lane: 0 };
        // Who waits for the barrier knows of all that was before the copy began.
        let mut knows = Clock([u32::MAX; AGENTS]);
        knows.0[agent] = time;
        let by = Accessor { stamp, knows: &knows, fenced: None };
        for (k, chunk) in (0..).zip(self.values.chunks(CHUNK as usize)) {
            shared.copy_ends(swizzled(self.to + k * CHUNK, self.swizzle), chunk, &by)?;
        }
        barriers.bytes_came(self.barrier, self.values.len() as u64, agent, time)
    }
}
