//! Calls of collectives: which collectives can start as one ([`CallKind`]), and how large a call may get ([`CallSize`]).
//! The scheduler fills buckets by both. The planner's timeline asks for the kind, and has a size of its own, in latencies
//! of the target's links.
//!
//! Not here: in which order calls start ([`crate::bucket`]).

use meshloom_bundle::held_as;
use meshloom_bundle::program::DType;
use meshloom_ir::layout::Reduction;
use meshloom_ir::{Axis, Func, OpId};

/// Bytes up to which a call grows: what the CPU target moves in about eight times the latency of a call. Beyond that there is
/// nothing to win from making it one with others.
pub const CALL_BYTES: u64 = 256 << 10;

/// The most collectives in a call.
const MEMBERS: usize = 64;

/// What collectives that start as one call have in common.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallKind {
    pub op: &'static str,
    pub reduction: Option<Reduction>,
    pub axes: Vec<Axis>,
    pub dtype: Option<DType>,
}

impl CallKind {
    /// That of a collective of `func`.
    pub fn of(func: &Func, o: OpId) -> CallKind {
        let op = &func.op(o).op;
        let axes = op.collective_axes().unwrap_or_default().to_vec();
        let dtype = func.operand_types(o).first().map(|t| held_as(t.dtype));
        CallKind { op: op.name(), reduction: op.effect().reduced, axes, dtype }
    }
}

/// How large a call is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallSize {
    pub members: usize,
    /// Of each collective the larger of operand and result.
    pub bytes: u64,
}

impl CallSize {
    /// The size of two calls as one; `None` where that is too large.
    pub fn with(self, other: CallSize) -> Option<CallSize> {
        let (members, bytes) = (self.members + other.members, self.bytes.saturating_add(other.bytes));
        (members <= MEMBERS && bytes <= CALL_BYTES).then_some(CallSize { members, bytes })
    }
}
