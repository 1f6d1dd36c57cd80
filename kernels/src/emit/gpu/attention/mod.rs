//! Attention by tiles, as FlashAttention-2 has it: a block keeps a tile of queries, and keys and values go by; what a row has seen so far
//! is its maximum, its sum and its weighted values. No warp waits for another's part of a row: each has rows of its own.
//!
//! Tiles lie in shared memory by rows, 16 bytes apart from being powers of two, so that rows beside each other begin in different banks.
//! What lies beyond the end of an operand, or of a head, is zero there. Rows that do not exist are computed and not stored.
//!
//! [`context`] has what the templates share.

mod backward;
mod context;
mod forward;
mod number;
mod square;
mod tensor;

pub use backward::emit as emit_backward;
pub use forward::emit as emit_forward;
