//! Tensor maps of attention's operands: of the rows of queries, keys and values, and of what lies beside them by rows.
//!
//! The dims are elements of a row, positions, and those of batch, head and group along which the operand moves. A box has
//! 64 elements of some neighbouring positions, so beyond the end of a row or of a sequence it has zeros.

use super::{FARTHEST, LONGEST, TensorMap, WIDEST};
use crate::attention::{Attention, AttentionBackward, AttentionShape, Strides};
use crate::gpu::{ALIGN, LINE_ELEMENTS};
use crate::target::AttentionTiles;

/// A dim of an operand beside positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HeadDim {
    Group,
    Head,
    Batch,
}

/// The map of an operand, and which of its coordinates are beside elements and positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowBoxes {
    pub map: TensorMap,
    pub beside: Vec<HeadDim>,
}

impl AttentionShape {
    /// The boxes of an operand of `len` positions with `width` elements, `rows` positions each. `None` if the hardware does
    /// not take its strides.
    pub fn boxes(&self, buffer: u32, at: Strides, grouped: bool, [len, width, rows]: [u64; 3]) -> Option<RowBoxes> {
        let size = self.dtype.bytes();
        let group = if grouped { self.group } else { 1 };
        let dims = [
            (HeadDim::Group, group, at.group),
            (HeadDim::Head, self.heads, at.head),
            (HeadDim::Batch, self.batch, at.batch),
        ];
        let moving: Vec<(HeadDim, u64, i64)> =
            dims.into_iter().filter(|(_, n, stride)| *n > 1 && *stride != 0).collect();
        // Positions after each other; of one position, the next is empty.
        let seq = if len == 1 { width.next_multiple_of(ALIGN) as i64 } else { at.seq };
        let strides = [seq].into_iter().chain(moving.iter().map(|d| d.2));
        let strides: Option<Vec<u64>> = strides
            .map(|s| {
                let bytes = u64::try_from(s).ok()?.checked_mul(size)?;
                (s >= width as i64 && bytes.is_multiple_of(ALIGN) && bytes < FARTHEST).then_some(bytes)
            })
            .collect();
        let offset = u64::try_from(at.offset).ok()?.checked_mul(size)?;
        let shape: Vec<u64> = [width, len].into_iter().chain(moving.iter().map(|d| d.1)).collect();
        if shape.iter().any(|&n| n >= LONGEST) || !offset.is_multiple_of(ALIGN) || rows > WIDEST {
            return None;
        }
        let mut tile = vec![1; shape.len()];
        (tile[0], tile[1]) = (LINE_ELEMENTS as u32, rows as u32);
        let map = TensorMap { buffer, offset, dtype: self.dtype, shape, strides: strides?, tile };
        Some(RowBoxes { map, beside: moving.iter().map(|d| d.0).collect() })
    }
}

impl Attention {
    /// The boxes of queries, keys and values, for tiles that are fetched. `None` if one of them has none.
    pub fn boxes(&self, tiles: &AttentionTiles) -> Option<[RowBoxes; 3]> {
        let s = &self.shape;
        let q = s.boxes(0, self.q, true, [s.q_len, s.head, tiles.rows])?;
        let k = s.boxes(1, self.k, false, [s.kv_len, s.head, tiles.keys])?;
        let v = s.boxes(2, self.v, false, [s.kv_len, s.value, tiles.keys])?;
        Some([q, k, v])
    }

    /// The tiles for warpgroups, where they can be fetched.
    pub fn fetched_tiles(&self) -> Option<AttentionTiles> {
        let s = &self.shape;
        let tiles = AttentionTiles::fetched_forward(s).filter(|_| !s.by_threads)?;
        self.boxes(&tiles).map(|_| tiles)
    }
}

impl AttentionBackward {
    /// The boxes of queries, keys, values, outputs and gradients of outputs, for tiles that are fetched. `None` if one has none.
    pub fn boxes(&self, tiles: &AttentionTiles) -> Option<[RowBoxes; 5]> {
        let (s, rows, o) = (&self.shape, tiles.queries.min(tiles.keys), self.shape.inputs());
        let q = s.boxes(0, self.q, true, [s.q_len, s.head, rows])?;
        let k = s.boxes(1, self.k, false, [s.kv_len, s.head, rows])?;
        let v = s.boxes(2, self.v, false, [s.kv_len, s.value, rows])?;
        let of = |buffer, at| s.boxes(buffer, at, true, [s.q_len, s.value, rows]);
        Some([q, k, v, of(o, self.o)?, of(o + 2, self.d_o)?])
    }

    /// The tiles for warpgroups, where they can be fetched.
    pub fn fetched_tiles(&self) -> Option<AttentionTiles> {
        let s = &self.shape;
        let tiles = AttentionTiles::fetched_backward(s).filter(|_| !s.by_threads)?;
        self.boxes(&tiles).map(|_| tiles)
    }
}
