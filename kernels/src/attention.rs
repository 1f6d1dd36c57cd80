//! The attention specs: softmax(q k^T scale) v per (batch, head), with the log-sum-exp of each row kept for the backward pass, which
//! recomputes the scores from it. Heads of queries share a head of keys and values in groups; what a query sees is bounded by its
//! position (causal, window) and by segments (documents). Operands of 16 bits are computed with in f32. How all this is emitted
//! stands in [`crate::emit`].

use crate::expr::DType;
use crate::geometry::round_up;
use crate::spec::TILE_ROWS;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AttentionShape {
    /// Of all operands but segments and the log-sum-exp.
    pub dtype: DType,
    pub batch: u64,
    /// Heads of keys and values.
    pub heads: u64,
    /// Heads of queries for each of them.
    pub group: u64,
    pub q_len: u64,
    pub kv_len: u64,
    /// Elements of one head of queries and keys, contiguous in every operand.
    pub head: u64,
    /// Elements of one head of values.
    pub value: u64,
    /// Query `i` sees keys `0..=i`; needs `q_len == kv_len`, or `shifted`.
    pub causal: bool,
    /// Only keys less than that many positions away; 0 for all.
    pub window: u64,
    /// Only keys of the query's own number: where i32 numbers of queries `[batch, seq]` and of keys lie, the latter contiguous.
    pub segments: Option<[Strides; 2]>,
    /// Queries and keys are blocks of longer sequences. The launch says where they begin, in this order: positions are `q + i` and
    /// `k + j`. In the forward pass every query sees a key.
    pub shifted: bool,
    /// Bits of the f64 that scores are multiplied by.
    pub scale: u64,
}

/// Element (b, h, g, s, d) of an operand is at `offset + b * batch + h * head + g * group + s * seq + d`; the log-sum-exp has no d,
/// keys and values have no g, segments have neither and no h.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Strides {
    pub offset: i64,
    pub batch: i64,
    pub head: i64,
    pub group: i64,
    pub seq: i64,
}

/// Buffers: q, k, v, segments of queries and of keys if there are any, o, lse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attention {
    pub shape: AttentionShape,
    pub q: Strides,
    pub k: Strides,
    pub v: Strides,
    pub o: Strides,
    pub lse: Strides,
}

/// Buffers: q, k, v, segments of queries and of keys if there are any, o, lse, the gradient of o, then the gradients of q, k, v.
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
    /// The type of scores, sums, the log-sum-exp and scratch.
    pub fn computed(&self) -> DType {
        self.dtype.computed()
    }

    /// Whether operands are stored in fewer bits than they are computed with.
    pub fn is_narrow(&self) -> bool {
        self.computed() != self.dtype
    }

    /// Heads of queries.
    pub fn q_heads(&self) -> u64 {
        self.heads * self.group
    }

    /// Dims of the launch.
    pub fn dims(&self) -> u32 {
        if self.shifted { 2 } else { 0 }
    }

    /// Buffers before `o`.
    pub fn inputs(&self) -> u32 {
        if self.segments.is_some() { 5 } else { 3 }
    }

    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale)
    }

    /// How many positions ahead of its own a query sees keys; `None` where nothing bounds it.
    pub fn after(&self) -> Option<u64> {
        match (self.causal, self.window) {
            (true, _) => Some(0),
            (false, 0) => None,
            (false, n) => Some(n - 1),
        }
    }

    /// How many positions before its own a query sees keys; `None` where nothing bounds it.
    pub fn before(&self) -> Option<u64> {
        self.window.checked_sub(1)
    }

    /// The common case, in which a query sees all keys, or its own and those before it, and both begin at 0.
    pub fn is_plain(&self) -> bool {
        !self.shifted && self.window == 0
    }

    /// Pairs (query, key) that positions do not mask, over all heads.
    pub fn pairs(&self) -> u64 {
        let (q, k) = (self.q_len, self.kv_len);
        let one = match (self.causal, self.window) {
            (false, 0) => q * k,
            (true, 0) if !self.shifted => q * (q + 1) / 2,
            // On average over the blocks.
            (true, 0) => q * k / 2,
            (causal, n) => {
                let seen = if causal { n } else { 2 * n - 1 };
                q * seen.min(if causal { k.div_ceil(2) } else { k })
            }
        };
        self.batch * self.q_heads() * one
    }

    /// Keys of one tile of scores: two cache lines, on every target.
    pub fn key_tile(&self) -> u64 {
        128 / self.computed().bytes()
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
    /// Of operands of 16 bits: queries of the tile, `[TILE_ROWS][head]`, and v, `[kv_len][value]`, as they are computed with.
    pub q: u64,
    pub v: u64,
    pub end: u64,
}

/// Scratch of the backward kernel: offsets in elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackwardScratch {
    /// k and v transposed: `[head][kv_pad]` and `[value][kv_pad]`.
    pub kt: u64,
    pub vt: u64,
    /// Probabilities and gradients of scores of all queries against one block of keys: `[q_pad][key_block]`.
    pub p: u64,
    pub ds: u64,
    /// Per query, the sum over d of o * do.
    pub delta: u64,
    /// do v^T of one tile: `[TILE_ROWS][key_tile]`.
    pub dp: u64,
    /// Of operands of 16 bits: q, k and do as they are computed with, and the sums of dq, dk and dv, position after position.
    pub q: u64,
    pub k: u64,
    pub d_o: u64,
    pub dq: u64,
    pub dk: u64,
    pub dv: u64,
    pub end: u64,
}

impl Attention {
    /// One unit is one (batch, head of queries).
    pub fn units(&self) -> u64 {
        self.shape.batch * self.shape.q_heads()
    }

    /// Operands by their names; segments are none of them.
    pub fn operands(&self) -> [(&'static str, Strides); 5] {
        [("q", self.q), ("k", self.k), ("v", self.v), ("o", self.o), ("lse", self.lse)]
    }

    pub fn scratch(&self) -> ForwardScratch {
        let s = &self.shape;
        let scores = s.head * s.kv_pad();
        let inverse = scores + TILE_ROWS * s.kv_pad();
        let narrow = u64::from(s.is_narrow());
        let q = inverse + 16;
        let v = q + narrow * round_up(TILE_ROWS * s.head, 16);
        ForwardScratch { kt: 0, scores, inverse, q, v, end: v + narrow * s.kv_len * s.value }
    }

    pub fn scratch_bytes(&self) -> u64 {
        self.scratch().end * self.shape.computed().bytes()
    }
}

impl AttentionBackward {
    /// One unit is one (batch, head of keys and values): their gradients are sums over the group.
    pub fn units(&self) -> u64 {
        self.shape.batch * self.shape.heads
    }

    /// Operands by their names; segments are none of them.
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
        let (p, rows) = (vt + s.value * s.kv_pad(), round_up(s.q_len, TILE_ROWS));
        let ds = p + rows * s.key_block();
        let delta = ds + rows * s.key_block();
        let dp = delta + round_up(rows, 16);
        let mut end = dp + TILE_ROWS * s.key_tile();
        let mut table = |len: u64, row: u64| {
            let at = end;
            end += u64::from(s.is_narrow()) * round_up(len * row, 16);
            at
        };
        let (q, k, d_o) = (table(s.q_len, s.head), table(s.kv_len, s.head), table(s.q_len, s.value));
        let (dq, dk, dv) = (table(s.q_len, s.head), table(s.kv_len, s.head), table(s.kv_len, s.value));
        BackwardScratch { kt: 0, vt, p, ds, delta, dp, q, k, d_o, dq, dk, dv, end }
    }

    pub fn scratch_bytes(&self) -> u64 {
        self.scratch().end * self.shape.computed().bytes()
    }
}
