//! Sequential loops over dims of a space, carrying accumulators: column reductions, and the sums that packs take in passing.

use super::builder::{Builder, Ix, Val};
use super::eval::Frame;
use crate::expr::{Body, Reduction};

/// Rows summed on their own before they join the total: a sum of thousands of terms loses less.
pub const BLOCK: u64 = 64;

/// One dim of the space, walked in order.
#[derive(Clone, Copy)]
pub struct Axis {
    /// Which dim of the space.
    pub dim: usize,
    pub size: u64,
    /// What one step adds to the linear position.
    pub stride: u64,
    /// How far one iteration of the innermost loop goes.
    pub step: u64,
    /// The indices outside of which there is nothing to add.
    pub span: Option<(Ix, Ix)>,
}

/// Row-major axes over neighbouring dims, from `first` on. The innermost takes `step` at a time.
pub fn axes(first: usize, dims: &[u64], step: u64) -> Vec<Axis> {
    let mut axes = Vec::new();
    for (i, &size) in dims.iter().enumerate() {
        let stride = dims[i + 1..].iter().product();
        let step = if i + 1 == dims.len() { step } else { 1 };
        axes.push(Axis { dim: first + i, size, stride, step, span: None });
    }
    axes
}

/// Accumulators: what they combine by, and what they start from.
pub struct Accumulators {
    pub kinds: Vec<Reduction>,
    pub identities: Vec<Val>,
}

impl Accumulators {
    pub fn join(&self, b: &mut Builder, acc: &[Val], part: &[Val]) -> Vec<Val> {
        let pairs = acc.iter().zip(part).zip(&self.kinds);
        pairs.map(|((&x, &y), &kind)| b.combine(kind, x, y)).collect()
    }
}

/// What happens at one point: the frame there, the linear position, accumulators in and out.
pub type Visit<'v> = &'v mut dyn FnMut(&mut Builder, &Frame, Ix, Vec<Val>) -> Vec<Val>;

/// Calls `visit` for every point of `axes`, where `frame` is that of the first.
pub fn walk(
    b: &mut Builder,
    body: &Body,
    frame: &Frame,
    axes: &[Axis],
    sums: &Accumulators,
    acc: Vec<Val>,
    visit: Visit<'_>,
) -> Vec<Val> {
    Walk { body, sums, visit }.over(b, frame, Ix::ZERO, axes, acc)
}

/// What is the same at all points.
struct Walk<'w> {
    body: &'w Body,
    sums: &'w Accumulators,
    visit: Visit<'w>,
}

impl Walk<'_> {
    /// The points of `axes`, of which the first has this frame and linear position.
    fn over(&mut self, b: &mut Builder, frame: &Frame, at: Ix, axes: &[Axis], acc: Vec<Val>) -> Vec<Val> {
        let Some((axis, rest)) = axes.split_first() else { return (self.visit)(b, frame, at, acc) };
        let sums = self.sums;
        let mut within = |b: &mut Builder, i: Ix, acc: &[Val]| {
            let inner = frame.moved(b, self.body, axis.dim, i);
            let step = b.scale(i, axis.stride as i64);
            let at = b.add(at, step);
            self.over(b, &inner, at, rest, acc.to_vec())
        };
        let (start, size) = axis.span.unwrap_or((Ix::ZERO, axis.size.into()));
        if rest.is_empty() && !acc.is_empty() && axis.size >= 4 * BLOCK {
            return b.for_(start, size, BLOCK, &acc, |b, from, acc| {
                let to = b.min(from.plus(BLOCK as i64), size);
                let part = b.for_(from, to, axis.step, &sums.identities, |b, i, acc| within(b, i, acc));
                sums.join(b, acc, &part)
            });
        }
        b.for_(start, size, axis.step, &acc, |b, i, acc| within(b, i, acc))
    }
}
