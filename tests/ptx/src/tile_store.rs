//! Stores of tiles that a lane began and did not wait for.

use std::collections::VecDeque;

/// A store that is under way.
pub struct TileStore {
    pub from: u64,
    pub bytes: u64,
    /// Whether a wait said that it has been read.
    pub read: bool,
    /// Where to, and what.
    pub writes: Vec<(u64, Vec<u8>)>,
}

/// Groups of a lane, the last of which is not committed.
pub type StoreGroups = VecDeque<Vec<TileStore>>;
