//! A launch, and what the warps of one of its blocks share.

use crate::barrier::Barriers;
use crate::kernel::Kernel;
use crate::memory::Shared;
use crate::tile::{MapAt, TileCopy};
use std::collections::VecDeque;

pub struct KernelLaunch<'l> {
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
    pub launch: &'l KernelLaunch<'l>,
    pub shared: Shared,
    pub barriers: Barriers,
    /// Copies by tensor maps that are not done.
    pub tiles: VecDeque<TileCopy>,
    /// The copying agent's time.
    pub copied: u32,
}

impl Block<'_> {
    /// The copying agent's next time.
    pub fn copy_time(&mut self) -> u32 {
        self.copied += 1;
        self.copied
    }
}
