//! The specs of attention: softmax(q k^T scale) v for each batch and head. The log-sum-exp of each row is stored, since
//! the backward pass recomputes the scores from it. Groups of query heads share one head of keys and values. Which keys
//! a query sees depends on its position (causal, window) and on segments (documents). 16-bit operands are computed with
//! in f32.
//!
//! Not here: the code ([`crate::emit`]), and tiles on GPUs ([`crate::target`]).

use crate::expr::DType;
use crate::geometry::round_up;
use crate::spec::TILE_ROWS;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AttentionShape {
    /// The type of all operands but segments and the log-sum-exp.
    pub dtype: DType,
    pub batch: u64,
    /// Heads of keys and values.
    pub heads: u64,
    /// Heads of queries for each head of keys and values.
    pub group: u64,
    pub q_len: u64,
    pub kv_len: u64,
    /// Elements of one head of queries and of keys. They are contiguous in every operand.
    pub head: u64,
    /// Elements of one head of values.
    pub value: u64,
    /// Query `i` sees keys `0..=i`. Needs `q_len == kv_len`, or `shifted`.
    pub causal: bool,
    /// A query sees only keys less than this many positions away; 0 for all.
    pub window: u64,
    /// A query sees only keys with its own segment number. Here is where the i32 numbers of queries `[batch, seq]` and
    /// of keys lie, the latter contiguous.
    pub segments: Option<[Strides; 2]>,
    /// Queries and keys are blocks of longer sequences. The launch's dims say where they begin, queries first:
    /// positions are `q + i` and `k + j`. In the forward pass every query must see a key.
    pub shifted: bool,
    /// The bits of the f64 that scores are multiplied by.
    pub scale: u64,
    /// On a GPU threads copy tiles, where the tensor memory accelerator could.
    pub by_threads: bool,
}

/// Where an operand lies. Element (b, h, g, s, d) is `offset + b * batch + h * head + g * group + s * seq + d`. The
/// log-sum-exp has no d. Keys and values have no g. Segments have neither, and no h.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Strides {
    pub offset: i64,
    pub batch: i64,
    pub head: i64,
    pub group: i64,
    pub seq: i64,
}

/// Attention. Buffers: q, k, v, segments of queries and of keys if there are any, o, lse.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Attention {
    pub shape: AttentionShape,
    pub q: Strides,
    pub k: Strides,
    pub v: Strides,
    pub o: Strides,
    pub lse: Strides,
}

/// The gradient of attention. Buffers: q, k, v, segments of queries and of keys if there are any, o, lse, the gradient
/// of o, then the gradients of q, k, v.
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

/// Keys that the backward pass takes at a time. Its scratch has P and dS of all queries against one block.
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

    /// The type that GPUs have tiles in: 8 bits are f16 there, which has all of their numbers.
    pub fn tiled(&self) -> DType {
        match self.dtype {
            DType::F8E4M3 | DType::F8E5M2 => DType::F16,
            other => other,
        }
    }

    /// Heads of queries.
    pub fn q_heads(&self) -> u64 {
        self.heads * self.group
    }

    /// The number of i64 dims of a launch.
    pub fn dims(&self) -> u32 {
        if self.shifted { 2 } else { 0 }
    }

    /// The number of buffers before `o`.
    pub fn inputs(&self) -> u32 {
        if self.segments.is_some() { 5 } else { 3 }
    }

    pub fn scale(&self) -> f64 {
        f64::from_bits(self.scale)
    }

    /// How many positions ahead of its own a query sees keys; `None` for all.
    pub fn after(&self) -> Option<u64> {
        match (self.causal, self.window) {
            (true, _) => Some(0),
            (false, 0) => None,
            (false, n) => Some(n - 1),
        }
    }

    /// How many positions before its own a query sees keys; `None` for all.
    pub fn before(&self) -> Option<u64> {
        self.window.checked_sub(1)
    }

    /// Whether this is the common case: a query sees all keys, or those up to its own, and both sequences begin at 0.
    pub fn is_plain(&self) -> bool {
        !self.shifted && self.window == 0
    }

    /// The number of pairs (query, key) that positions do not mask, over all heads.
    pub fn pairs(&self) -> u64 {
        let (q, k) = (self.q_len, self.kv_len);
        let one = match (self.causal, self.window) {
            (false, 0) => q * k,
            (true, 0) if !self.shifted => q * (q + 1) / 2,
            // An average over the blocks.
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

    /// The number of keys, rounded up to whole tiles.
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
    /// One over the sum of exponentials, for each row of the tile.
    pub inverse: u64,
    /// For 16-bit operands: queries of the tile, `[TILE_ROWS][head]`, and v, `[kv_len][value]`, in the computed type.
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
    /// For each query, the sum over d of o * do.
    pub delta: u64,
    /// do v^T of one tile: `[TILE_ROWS][key_tile]`.
    pub dp: u64,
    /// For 16-bit operands: q, k and do in the computed type, and the sums of dq, dk and dv, position after position.
    pub q: u64,
    pub k: u64,
    pub d_o: u64,
    pub dq: u64,
    pub dk: u64,
    pub dv: u64,
    pub end: u64,
}

impl Attention {
    /// The number of units. A unit is one batch and head of queries.
    pub fn units(&self) -> u64 {
        self.shape.batch * self.shape.q_heads()
    }

    /// Operands by name, without segments.
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
    /// The number of units. A unit is one batch and head of keys and values, whose gradients are sums over the group.
    pub fn units(&self) -> u64 {
        self.shape.batch * self.shape.heads
    }

    /// Operands by name, without segments.
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
