//! How wide the vectors of a kernel are.

use crate::expr::{Body, DType, NodeId};
use crate::target::Target;

/// Lanes of all vectors of a body: those of its widest type.
pub fn lanes_of(body: &Body, target: &Target) -> u64 {
    let nodes = (0..body.nodes.len()).map(|i| body.dtype(NodeId(i as u32)));
    let wide = body.buffers.iter().copied().chain(nodes).any(|d| d.computed().bytes() == 8);
    target.lanes(if wide { DType::F64 } else { DType::F32 })
}
