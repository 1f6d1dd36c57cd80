//! Attention: one unit is one (batch, head), computed in tiles of 8 queries by two cache lines of keys.
//!
//! Keys are transposed into scratch once, so that scores are products of a splat and a vector like any matmul tile. The forward pass
//! holds the scores of one tile of queries against all keys it sees; tiles above a causal diagonal are never computed. The backward
//! pass recomputes the scores from the log-sum-exp. Ends of sequences and heads get tiles of exactly the rows that exist.
//! What of the keys a query sees bounds the loops where it is a matter of positions ([`sight`]); segments are masked.
//!
//! Operands of 16 bits are widened into scratch, once per head: each is read many times, and a splat of 16 bits takes three
//! instructions where one of f32 is part of the product. What is summed over blocks or heads is summed in scratch too.

mod backward;
mod context;
mod forward;
mod sight;

pub use sight::ahead;

pub use backward::emit as emit_backward;
pub use forward::emit as emit_forward;
