//! Strided views of buffers. Slices, transposes, broadcasts, most reshapes, and a device's own block of a replicated
//! value are views. They cost no kernel: whoever reads through a view uses other strides.

use meshloom_bundle::program::{LoopIndex, Moves};
use meshloom_ir::{At, Axis, ValueId};
use std::collections::BTreeMap;

/// A buffer, by its place in the list of buffers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BufId(pub usize);

/// Where a buffer is in an iteration of the loops around its reader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Home {
    pub buf: BufId,
    pub moves: Moves,
}

impl Home {
    pub fn fixed(buf: BufId) -> Home {
        Home { buf, moves: Moves::default() }
    }

    /// The same buffer, which also moves with the loop at `depth`.
    pub fn with(self, depth: usize, stride: u64, index: LoopIndex) -> Home {
        Home { moves: self.moves.with(depth, stride, index), ..self }
    }
}

/// An offset that differs between devices: the device's linear index over `axes`, times `elements`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShardOffset {
    pub axes: Vec<Axis>,
    pub elements: i64,
}

/// Element `idx` is `offset + sum(strides * idx)` elements after the buffer's start, plus the device's offset if there
/// is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    pub home: Home,
    pub offset: i64,
    pub strides: Vec<i64>,
    pub shard: Option<ShardOffset>,
}

/// Views of the values of a region.
pub type Views = BTreeMap<ValueId, View>;

/// Row-major strides of `shape`.
pub fn dense_strides(shape: &[u64]) -> Vec<i64> {
    let mut s = vec![1i64; shape.len()];
    for d in (1..shape.len()).rev() {
        s[d - 1] = s[d] * shape[d] as i64;
    }
    s
}

/// Strides of `shape` if its dims lie in memory in the order `order`.
pub fn ordered_strides(shape: &[u64], order: &[usize]) -> Vec<i64> {
    let mut s = vec![0i64; shape.len()];
    let mut step = 1i64;
    for &d in order.iter().rev() {
        s[d] = step;
        step *= shape[d] as i64;
    }
    s
}

impl View {
    pub fn dense(home: Home, shape: &[u64]) -> View {
        View { home, offset: 0, strides: dense_strides(shape), shard: None }
    }

    /// Whether the view is the whole of consecutive memory in row-major order, at an offset that is the same on all
    /// devices.
    pub fn is_dense(&self, shape: &[u64]) -> bool {
        self.shard.is_none()
            && self.strides.iter().zip(dense_strides(shape)).zip(shape).all(|((&a, b), &n)| a == b || n == 1)
    }

    /// Whether this and another view of `shape` have the same elements in the same places: dims of size 1 have any stride.
    pub fn is(&self, other: &View, shape: &[u64]) -> bool {
        let strides = self.strides.iter().zip(&other.strides).zip(shape).all(|((a, b), &n)| a == b || n == 1);
        strides && (self.home, self.offset, &self.shard) == (other.home, other.offset, &other.shard)
    }

    pub fn slice(&self, start: &[u64]) -> View {
        let shift: i64 = start.iter().zip(&self.strides).map(|(&s, &st)| s as i64 * st).sum();
        View { offset: self.offset + shift, ..self.clone() }
    }

    /// The view of another tensor of `rank` dims. `at` says for each dim of this one where the other's elements are. No
    /// element may lie beyond the ends.
    pub fn through(&self, at: &[At], rank: usize) -> View {
        let mut view = View { strides: vec![0; rank], ..self.clone() };
        for (at, step) in at.iter().zip(&self.strides) {
            view.offset += at.offset * step;
            for &(d, k) in &at.terms {
                view.strides[d] += k * step;
            }
        }
        view
    }

    /// This device's block of dim `dim`, of `len` elements. `None` if the view's offset differs between devices
    /// already.
    pub fn shard(&self, dim: usize, len: u64, axes: &[Axis]) -> Option<View> {
        if self.shard.is_some() {
            return None;
        }
        let shard = Some(ShardOffset { axes: axes.to_vec(), elements: len as i64 * self.strides[dim] });
        Some(View { shard, ..self.clone() })
    }

    /// The same elements under another shape, if strides can express it.
    pub fn reshape(&self, from: &[u64], to: &[u64]) -> Option<View> {
        let strides = reshape_strides(from, &self.strides, to)?;
        Some(View { strides, ..self.clone() })
    }
}

/// Strides of `to` over memory laid out as (`from`, `strides`), as in numpy's reshape without a copy.
pub fn reshape_strides(from: &[u64], strides: &[i64], to: &[u64]) -> Option<Vec<i64>> {
    let old: Vec<(u64, i64)> = from.iter().copied().zip(strides.iter().copied()).filter(|x| x.0 != 1).collect();
    let mut out = vec![0i64; to.len()];
    let (mut i, mut j) = (0, 0);
    while i < old.len() {
        // A group of old dims and new dims with the same number of elements.
        let (mut i2, mut j2) = (i + 1, j);
        let mut have = old[i].0;
        let mut want = 1u64;
        while j2 < to.len() && (want < have || to[j2] == 1) {
            want *= to[j2];
            j2 += 1;
            while have < want {
                have = have.checked_mul(old.get(i2)?.0)?;
                i2 += 1;
            }
        }
        if have != want {
            return None;
        }
        // The old dims of the group must be one run.
        for k in i..i2 - 1 {
            if old[k].1 != old[k + 1].1 * old[k + 1].0 as i64 {
                return None;
            }
        }
        let mut step = old[i2 - 1].1;
        for d in (j..j2).rev() {
            out[d] = step;
            step *= to[d] as i64;
        }
        (i, j) = (i2, j2);
    }
    // Trailing dims of size 1 keep stride 0.
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reshape_merges_and_splits_runs() {
        assert_eq!(reshape_strides(&[2, 3, 4], &[12, 4, 1], &[6, 4]), Some(vec![4, 1]));
        assert_eq!(reshape_strides(&[6, 4], &[4, 1], &[2, 3, 2, 2]), Some(vec![12, 4, 2, 1]));
        assert_eq!(reshape_strides(&[2, 3, 4], &[4, 8, 1], &[6, 4]), None);
        // [b, s, h, d] seen as [b, h, s, d] and back.
        assert_eq!(reshape_strides(&[2, 5, 12], &[60, 12, 1], &[2, 5, 3, 4]), Some(vec![60, 12, 4, 1]));
        assert_eq!(reshape_strides(&[1, 8], &[0, 1], &[8]), Some(vec![1]));
        assert_eq!(reshape_strides(&[8], &[0], &[2, 4]), Some(vec![0, 0]));
    }
}
