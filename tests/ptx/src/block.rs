//! A launch, and what the warps of one of its blocks share.

use crate::barrier::Barriers;
use crate::clock::{Accessor, Clock, KnownAccesses, Stamp};
use crate::kernel::Kernel;
use crate::memory::Shared;
use crate::tensor_memory::TensorMemory;
use crate::tile::{MapAt, TileCopy};
use std::collections::VecDeque;

pub struct KernelLaunch<'l> {
    pub kernel: &'l Kernel,
    pub blocks: u64,
    pub threads: u64,
    /// Blocks of a cluster.
    pub cluster: u64,
    /// Bytes of shared memory besides what the kernel declares.
    pub shared: u64,
    /// The parameters as they lie; where a tensor map lies its bytes mean nothing.
    pub params: Vec<u8>,
    pub maps: Vec<MapAt>,
}

/// What the warps of a block share.
pub struct Block<'l> {
    pub launch: &'l KernelLaunch<'l>,
    /// Its number in its cluster, and in the launch.
    pub rank: usize,
    pub index: u64,
    pub shared: Shared,
    pub barriers: Barriers,
    pub memory: TensorMemory,
    /// Copies by tensor maps that are not done.
    pub tiles: VecDeque<TileCopy>,
    /// The copying agent's time.
    pub copied: u32,
    /// What its threads do in the other blocks of the cluster, to be done there.
    pub sent: Vec<Sent>,
    /// Threads that came to the cluster's barrier, and what they knew.
    pub met: (u64, KnownAccesses),
}

/// What a thread does in another block of its cluster.
pub struct Sent {
    pub rank: usize,
    pub stamp: Stamp,
    pub knows: Clock,
    pub what: ToBlock,
}

pub enum ToBlock {
    /// An arrival at the barrier at a byte, with what is told.
    Arrive(u64, Box<KnownAccesses>),
    Tile(TileCopy),
}

impl<'l> Block<'l> {
    /// Before its warps begin.
    pub fn new(launch: &'l KernelLaunch<'l>, rank: usize, index: u64) -> Block<'l> {
        let shared = Shared::new((launch.kernel.dynamic + launch.shared) as usize);
        let (barriers, memory, met) = (Barriers::default(), TensorMemory::default(), (0, KnownAccesses::NEVER));
        let (tiles, sent) = (VecDeque::new(), Vec::new());
        Block { launch, rank, index, shared, barriers, memory, tiles, copied: 1, sent, met }
    }

    /// The copying agent's next time.
    pub fn copy_time(&mut self) -> u32 {
        self.copied += 1;
        self.copied
    }

    /// The number in stamps of a block of the cluster.
    ///
    /// # Errors
    /// There is none.
    pub fn number(&self, rank: usize) -> Result<u32, String> {
        match (rank as u64) < self.launch.cluster {
            true => Ok((self.index as usize - self.rank + rank) as u32 + 1),
            false => Err(format!("block {rank} of a cluster of {}", self.launch.cluster)),
        }
    }

    /// Whose shared memory an address is in, and the byte there.
    ///
    /// # Errors
    /// There is no such block.
    pub fn place_in_cluster(&self, at: u64) -> Result<(usize, u64), String> {
        let rank = (at >> 24) as usize;
        self.number(rank).map(|_| (rank, at & 0xff_ffff))
    }

    /// The byte of an address in the own shared memory.
    ///
    /// # Errors
    /// It is in another block's.
    pub fn own_place(&self, at: u64) -> Result<u64, String> {
        match self.place_in_cluster(at)? {
            (rank, at) if rank == self.rank => Ok(at),
            (rank, _) => Err(format!("{at:#x} is in the shared memory of block {rank} of the cluster")),
        }
    }

    /// Does what a thread of another block sent.
    ///
    /// # Errors
    /// What is not defined.
    pub fn receive(&mut self, sent: Sent) -> Result<(), String> {
        let stamp = Stamp { block: self.number(self.rank)?, ..sent.stamp };
        let by = Accessor { stamp, knows: &sent.knows, fenced: None };
        match sent.what {
            ToBlock::Arrive(at, told) => self.barriers.arrive(at, &by, &told, 0),
            ToBlock::Tile(copy) => self.tile_begins(copy, &by),
        }
    }
}
