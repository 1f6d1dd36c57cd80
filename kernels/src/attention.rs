//! The attention specs: softmax(q k^T scale) v per (batch, head), with the log-sum-exp of each row kept for the backward pass, which
//! recomputes the scores from it. How they are emitted stands in [`crate::emit`].

use crate::expr::DType;
use crate::geometry::round_up;
use crate::spec::TILE_ROWS;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AttentionShape {
    pub dtype: DType,
    pub batch: u64,
    pub heads: u64,
    pub q_len: u64,
    pub kv_len: u64,
    /// Elements of one head, contiguous in every operand.
    pub head: u64,
    /// Query `i` sees keys `0..=i`; needs `q_len == kv_len`, or `shifted`.
    pub causal: bool,
    /// Queries and keys are blocks of longer sequences. The launch says where they begin, in this order: query `q + i` sees key
    /// `k + j` if it is not after it. In the forward pass every query sees a key.
    pub shifted: bool,
    /// Bits of the f64 that scores are multiplied by.
    pub scale: u64,
}

/// Element (b, h, s, d) of an operand is at `offset + b * batch + h * head + s * seq + d`; the log-sum-exp has no d.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Strides {
    pub offset: i64,
    pub batch: i64,
    pub head: i64,
    pub seq: i64,
}

/// Buffers: q, k, v, o, lse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attention {
    pub shape: AttentionShape,
    pub q: Strides,
    pub k: Strides,
    pub v: Strides,
    pub o: Strides,
    pub lse: Strides,
}

/// Buffers: q, k, v, o, lse, the gradient of o, then the gradients of q, k, v.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AttentionBackward {
    pub shape: AttentionShape,
    pub q: Strides,
    pub k: Strides,
    pub v: Strides,
    pub o: Strides,
    pub lse: Strides,
    pub d_o: Strides,
    pub dq: Strides,
    pub dk: Strides,
    pub dv: Strides,
}

/// Keys that the backward pass takes at a time: it holds P and dS of all queries against one block.
const KEY_BLOCK: u64 = 128;

impl AttentionShape {
    /// One unit is one (batch, head).
    pub fn units(&self) -> u64 {
        self.batch * self.heads
    }

    /// Dims of the launch.
    pub fn dims(&self) -> u32 {
        if self.shifted { 2 } else { 0 }
    }

    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale)
    }

    /// Pairs (query, key) that are not masked, over all heads.
    pub fn pairs(&self) -> u64 {
        let one = match (self.causal, self.shifted) {
            (false, _) => self.q_len * self.kv_len,
            (true, false) => self.q_len * (self.q_len + 1) / 2,
            // On average over the blocks.
            (true, true) => self.q_len * self.kv_len / 2,
        };
        self.units() * one
    }

    /// Keys of one tile of scores: two cache lines, on every target.
    pub fn key_tile(&self) -> u64 {
        128 / self.dtype.bytes()
    }

    /// Keys in whole tiles.
    pub fn kv_pad(&self) -> u64 {
        round_up(self.kv_len, self.key_tile())
    }

    /// Keys that the backward pass takes at a time.
    pub fn key_block(&self) -> u64 {
        KEY_BLOCK.min(self.kv_pad())
    }
}

/// Scratch of the forward kernel: offsets in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForwardScratch {
    /// k transposed: `[head][kv_pad]`.
    pub kt: u64,
    /// Scores of a tile of queries: `[TILE_ROWS][kv_pad]`.
    pub scores: u64,
    /// One over the sum of exponentials, per row of the tile.
    pub inverse: u64,
    pub end: u64,
}

/// Scratch of the backward kernel: offsets in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackwardScratch {
    /// k and v transposed: `[head][kv_pad]`.
    pub kt: u64,
    pub vt: u64,
    /// Probabilities and gradients of scores of all queries against one block of keys: `[q_pad][key_block]`.
    pub p: u64,
    pub ds: u64,
    /// Per query, the sum over d of o * do.
    pub delta: u64,
    /// do v^T of one tile: `[TILE_ROWS][key_tile]`.
    pub dp: u64,
    pub end: u64,
}

impl Attention {
    pub fn operands(&self) -> [(&'static str, Strides); 5] {
        [("q", self.q), ("k", self.k), ("v", self.v), ("o", self.o), ("lse", self.lse)]
    }

    pub fn scratch(&self) -> ForwardScratch {
        let s = &self.shape;
        let scores = s.head * s.kv_pad();
        let inverse = scores + TILE_ROWS * s.kv_pad();
        ForwardScratch { kt: 0, scores, inverse, end: inverse + 16 }
    }

    pub fn scratch_bytes(&self) -> u64 {
        self.scratch().end * self.shape.dtype.bytes()
    }
}

impl AttentionBackward {
    pub fn operands(&self) -> [(&'static str, Strides); 9] {
        [
            ("q", self.q),
            ("k", self.k),
            ("v", self.v),
            ("o", self.o),
            ("lse", self.lse),
            ("do", self.d_o),
            ("dq", self.dq),
            ("dk", self.dk),
            ("dv", self.dv),
        ]
    }

    pub fn scratch(&self) -> BackwardScratch {
        let s = &self.shape;
        let vt = s.head * s.kv_pad();
        let (p, rows) = (2 * vt, round_up(s.q_len, TILE_ROWS));
        let ds = p + rows * s.key_block();
        let delta = ds + rows * s.key_block();
        let dp = delta + round_up(rows, 16);
        BackwardScratch { kt: 0, vt, p, ds, delta, dp, end: dp + TILE_ROWS * s.key_tile() }
    }

    pub fn scratch_bytes(&self) -> u64 {
        self.scratch().end * self.shape.dtype.bytes()
    }
}
