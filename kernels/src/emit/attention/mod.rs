//! Attention: one unit is one (batch, head), computed in tiles of 8 queries by two cache lines of keys.
//!
//! Keys are transposed into scratch once, so that scores are products of a splat and a vector as in any matmul tile. The forward
//! pass keeps the scores of one tile of queries against all keys that it sees; tiles above a causal diagonal are never computed.
//! The backward pass recomputes the scores from the log-sum-exp. At the ends of sequences and heads, tiles have exactly the rows
//! that exist. If positions decide which keys a query sees, they bound the loops ([`sight`]); segments are masked.
//!
//! Operands of 16 bits are widened into scratch, once per head. Each is read many times, and a splat of 16 bits takes three
//! instructions, while one of f32 is part of the multiplication. Sums over blocks or heads are kept in scratch too.

mod backward;
mod context;
mod forward;
mod sight;

pub use sight::ahead;

pub use backward::emit as emit_backward;
pub use forward::emit as emit_forward;
