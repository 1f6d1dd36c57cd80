//! Which dims may be split by axes that do not divide them. A dim of 6 over 4 devices wastes a quarter of them, so it is never
//! a choice of the planner's own: only an annotation asks for it. It then holds for every dim of that size, since what an
//! annotation reaches by propagation is the same index and so has the same size.

use meshloom_ir::{Axis, Constraint, DimSpec, Fit, Layout, Mesh};
use std::collections::BTreeSet;

/// Uneven splits that annotations ask for: the size of a dim and the axes, with those on the way to them.
#[derive(Default)]
pub struct Asked(BTreeSet<(u64, Vec<Axis>)>);

impl Asked {
    /// Takes note of an annotation on a tensor of `shape`.
    pub fn note(&mut self, c: &Constraint, shape: &[u64], mesh: &Mesh) {
        for (spec, &n) in c.dims.iter().zip(shape) {
            let (DimSpec::Exactly(axes) | DimSpec::AtLeast(axes)) = spec;
            if n.is_multiple_of(mesh.group_size(axes)) {
                continue;
            }
            // The axes come to their dim one by one.
            let some = (1..1usize << axes.len()).map(|bits| {
                let picked = axes.iter().enumerate().filter(move |(i, _)| bits >> i & 1 == 1);
                picked.map(|(_, &a)| a).collect::<Vec<Axis>>()
            });
            self.0.extend(some.filter(|s| !n.is_multiple_of(mesh.group_size(s))).map(|s| (n, s)));
        }
    }

    /// Whether a tensor of `shape` may be considered in this layout.
    pub fn admits(&self, layout: &Layout, shape: &[u64], mesh: &Mesh) -> bool {
        match layout.fits(shape, mesh) {
            Fit::Even => true,
            Fit::No => false,
            Fit::Uneven => layout.dims.iter().zip(shape).all(|(axes, &n)| self.splits(n, axes, mesh)),
        }
    }

    /// Whether a dim of `n` may be split by these axes alone.
    pub fn splits(&self, n: u64, axes: &[Axis], mesh: &Mesh) -> bool {
        n.is_multiple_of(mesh.group_size(axes)) || self.0.contains(&(n, axes.to_vec()))
    }

    /// Whether a dim of `n` may be split by `axis`, beside others or not.
    pub fn reaches(&self, n: u64, axis: Axis, mesh: &Mesh) -> bool {
        n.is_multiple_of(mesh.size(axis)) || self.0.iter().any(|(m, axes)| *m == n && axes.contains(&axis))
    }
}
