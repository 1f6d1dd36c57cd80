//! How sends and receives are carried out: what the deadlock check models.

use std::fmt;

/// How sends and receives are carried out, as far as it decides who waits for whom.
///
/// Under all of them both ends of a transfer must have begun before it can end, whatever the size of the message (the
/// strictest reading: no buffer is ever large enough), and messages from one rank to another match in the order in which
/// they are posted, since NCCL knows no tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Delivery {
    /// A rank works through its row alone: a send or receive keeps it until the other end is there too.
    Blocking,
    /// NCCL. A rank issues its whole row at once. Its computations run in order on one stream. Its transfers run in order on
    /// one stream for the whole rank, or on one for each other rank (a communicator of its own for each pair of ranks). A
    /// transfer starts after all computations that its row has before it (the stream waits for an event), and a computation
    /// starts after its receives have ended.
    ///
    /// Grouped: sends and receives of one stream with no computation between them are one group (`ncclGroupStart` to
    /// `ncclGroupEnd`). All of a group begin together, and the stream goes on when all of them have ended. Ungrouped: each
    /// is a group of its own.
    Nccl { stream_per_pair: bool, grouped: bool },
}

impl Delivery {
    pub const ALL: [Delivery; 5] = [
        Delivery::Blocking,
        Delivery::Nccl { stream_per_pair: false, grouped: false },
        Delivery::Nccl { stream_per_pair: false, grouped: true },
        Delivery::Nccl { stream_per_pair: true, grouped: false },
        Delivery::Nccl { stream_per_pair: true, grouped: true },
    ];
}

impl fmt::Display for Delivery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Delivery::Nccl { stream_per_pair, grouped } = self else { return f.write_str("blocking") };
        let stream = if *stream_per_pair { "a stream per pair" } else { "a stream per rank" };
        write!(f, "nccl, {stream}, {}", if *grouped { "grouped" } else { "ungrouped" })
    }
}
