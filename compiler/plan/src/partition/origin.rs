//! Where ops of a local program come from.

use meshloom_ir::{OpId, ValueId};

/// Where an op of the local program comes from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpOrigin {
    /// The local form of a global op.
    Op(OpId),
    /// Inserted to convert a global value between layouts.
    Reshard(ValueId),
}
