//! Attention by tiles, as in FlashAttention-2. A block keeps a tile of queries; keys and values go past. Of what a row has seen
//! so far it keeps the maximum, the sum and the weighted values. Each warp has rows of its own, so no warp waits for another.
//!
//! Tiles lie in shared memory by rows. Rows are padded by 16 bytes from a power of two, so that neighbouring rows begin in
//! different banks. Beyond the end of an operand or of a head there are zeros. Rows that do not exist are computed and not
//! stored.
//!
//! [`context`] has what the templates share.

mod backward;
mod backward_block;
mod backward_statistics;
mod backward_sums;
mod context;
mod fetched;
mod fetched_backward;
mod forward;
mod number;
mod rings;
mod segments;
mod spans;
mod square;
mod tensor;
mod walk;

pub use backward::emit as emit_backward;
pub use fetched::emit as emit_fetched_forward;
pub use fetched_backward::emit as emit_fetched_backward;
pub use forward::emit as emit_forward;
