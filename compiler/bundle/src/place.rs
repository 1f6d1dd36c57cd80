//! Buffers: ranges of a device's arena. The loops around an instruction may move a buffer.

use serde::{Deserialize, Serialize};

/// A buffer of `bytes` bytes at arena + `offset`, moved by the loops around its reader. `bytes` bounds what the instruction may
/// touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BufRef {
    pub offset: u64,
    pub bytes: u64,
    #[serde(default, skip_serializing_if = "Moves::is_fixed")]
    pub moves: Moves,
}

/// Deepest nesting of loops.
pub const LOOPS: usize = 4;

/// The iteration of each loop around an instruction, outermost first; 0 beyond the innermost.
pub type Iterations = [u64; LOOPS];

/// `stride` bytes from one `index` to the next; 0 bytes where the index is [`LoopIndex::Fixed`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Move {
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stride: u64,
    #[serde(default, skip_serializing_if = "LoopIndex::is_fixed")]
    pub index: LoopIndex,
}

/// How a buffer moves with each loop around its reader, outermost first. Files leave out the loops from which on it is fixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<Move>", try_from = "Vec<Move>")]
pub struct Moves(pub [Move; LOOPS]);

impl Moves {
    pub fn is_fixed(&self) -> bool {
        self.0.iter().all(|m| m.index.is_fixed())
    }

    /// As before, and with the loop at `depth` as well.
    pub fn with(mut self, depth: usize, stride: u64, index: LoopIndex) -> Moves {
        self.0[depth] = Move { stride, index };
        self
    }

    /// Bytes that the moves add up to.
    pub fn bytes(&self, at: &Iterations) -> i64 {
        let one = |(m, &i): (&Move, &u64)| (m.stride as i64).wrapping_mul(m.index.value(i));
        self.0.iter().zip(at).map(one).fold(0, i64::wrapping_add)
    }
}

impl From<Moves> for Vec<Move> {
    fn from(m: Moves) -> Vec<Move> {
        let n = m.0.iter().rposition(|m| !m.index.is_fixed()).map_or(0, |i| i + 1);
        m.0[..n].to_vec()
    }
}

impl TryFrom<Vec<Move>> for Moves {
    type Error = String;

    fn try_from(list: Vec<Move>) -> Result<Moves, String> {
        let mut moves = Moves::default();
        if list.len() > LOOPS {
            return Err(format!("a buffer that moves with {} loops; they nest at most {LOOPS} deep", list.len()));
        }
        moves.0[..list.len()].copy_from_slice(&list);
        Ok(moves)
    }
}

/// How a buffer moves with the iteration `i` of one enclosing loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LoopIndex {
    /// It does not: 0.
    #[default]
    Fixed,
    /// `i + delta`.
    Iter { delta: i64 },
    /// `trip - 1 - i + delta`: the backward pass reading what the forward pass stashed.
    IterReversed { trip: u64, delta: i64 },
    /// `(i + delta) mod period`, for carries that alternate between buffers.
    IterMod { delta: i64, period: u64 },
}

impl BufRef {
    /// A buffer that does not move.
    pub fn fixed(offset: u64, bytes: u64) -> BufRef {
        BufRef { offset, bytes, moves: Moves::default() }
    }

    /// A buffer that moves with the outermost loop.
    pub fn moving(offset: u64, bytes: u64, stride: u64, index: LoopIndex) -> BufRef {
        BufRef { offset, bytes, moves: Moves::default().with(0, stride, index) }
    }

    /// Byte offset in one iteration of each loop. A validated program never overflows here.
    pub fn at(&self, at: &Iterations) -> u64 {
        self.offset.wrapping_add(self.moves.bytes(at) as u64)
    }
}

impl LoopIndex {
    pub fn value(self, iter: u64) -> i64 {
        let i = iter as i64;
        match self {
            LoopIndex::Fixed => 0,
            LoopIndex::Iter { delta } => i.wrapping_add(delta),
            LoopIndex::IterReversed { trip, delta } => {
                (trip as i64).wrapping_sub(1).wrapping_sub(i).wrapping_add(delta)
            }
            LoopIndex::IterMod { delta, period } => {
                i.wrapping_add(delta).checked_rem_euclid(period as i64).unwrap_or(0)
            }
        }
    }

    pub fn is_fixed(&self) -> bool {
        *self == LoopIndex::Fixed
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}
