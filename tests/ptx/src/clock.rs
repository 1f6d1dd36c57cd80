//! Who knows of whose accesses: vector clocks of the warps of a block or of a cluster, of the matrix products and of the loads from tensor memory that a
//! warp has in the background, and one more for what the hardware copies by itself.

/// Warps of a block, or of the blocks of a cluster together, at most.
pub const WARPS: usize = 32;
/// The agents that copy by tensor maps, one to each block of a cluster.
pub const COPIES: usize = 3 * WARPS;
/// Blocks of a cluster, at most.
pub const CLUSTER: usize = 2;
/// Of a warp's matrix products, after the warps themselves.
pub const PRODUCTS: usize = WARPS;
/// Of a warp's loads from tensor memory.
pub const LOADS: usize = 2 * WARPS;
/// All agents.
pub const AGENTS: usize = COPIES + CLUSTER;

/// For each agent, up to which of its times its accesses are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock(pub [u32; AGENTS]);

impl Clock {
    pub const NEVER: Clock = Clock([0; AGENTS]);

    pub fn join(&mut self, other: &Clock) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a = (*a).max(*b));
    }
}

/// What is known to somebody: the accesses that are over, and those of them that were fenced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownAccesses {
    pub clock: Clock,
    pub fenced: Clock,
}

impl KnownAccesses {
    pub const NEVER: KnownAccesses = KnownAccesses { clock: Clock::NEVER, fenced: Clock::NEVER };

    pub fn join(&mut self, other: &KnownAccesses) {
        self.clock.join(&other.clock);
        self.fenced.join(&other.fenced);
    }
}

/// One access to memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The block's number in the launch, from 1; 0 is no access.
    pub block: u32,
    /// The agent's time.
    pub time: u32,
    /// How often the lanes of the warp had met before.
    pub meeting: u32,
    pub agent: u8,
    pub lane: u8,
}

/// Who accesses now, and what is known to it.
pub struct Accessor<'c> {
    pub stamp: Stamp,
    pub knows: &'c Clock,
    /// Generic writes that are known to be fenced, for copies and matrix products that read by the async proxy.
    pub fenced: Option<&'c Clock>,
}

impl Accessor<'_> {
    /// Whether an earlier access is known to be over.
    pub fn knows(&self, earlier: &Stamp) -> bool {
        if earlier.block == 0 {
            return true;
        }
        if earlier.block != self.stamp.block {
            return false;
        }
        if earlier.agent == self.stamp.agent {
            return earlier.lane == self.stamp.lane || earlier.meeting < self.stamp.meeting;
        }
        self.knows.0[usize::from(earlier.agent)] >= earlier.time
    }

    /// Whether an earlier write by the generic proxy was fenced, where that matters.
    pub fn sees(&self, earlier: &Stamp) -> bool {
        let Some(fenced) = self.fenced else { return true };
        earlier.block != self.stamp.block
            || usize::from(earlier.agent) >= COPIES
            || fenced.0[usize::from(earlier.agent)] >= earlier.time
    }

    pub fn who(stamp: &Stamp) -> String {
        match usize::from(stamp.agent) {
            agent if agent >= COPIES => "a copy by a tensor map".into(),
            warp if warp >= LOADS => format!("block {}, a load of warp {}", stamp.block - 1, warp - LOADS),
            warp if warp >= PRODUCTS => {
                format!("block {}, a matrix product of warp {}", stamp.block - 1, warp - PRODUCTS)
            }
            warp => format!("block {}, thread {}", stamp.block - 1, warp * 32 + usize::from(stamp.lane)),
        }
    }
}
