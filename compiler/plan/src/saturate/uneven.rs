//! Which dims may be split by axes that do not divide them. If an annotation asks for it, it holds for every dim of that size,
//! since what an annotation reaches by propagation is the same index and so has the same size.
//!
//! A search also splits a dim unevenly by itself if little is padded: a vocabulary of 50,257 over 8 devices has 7 rows too many. A
//! dim of 6 over 4 wastes a quarter of the devices. So large a loss is seldom a gain, and would make every tensor's list of
//! layouts longer.

use crate::effort;
use meshloom_ir::{Axis, Constraint, DimSpec, Fit, Layout, Mesh};
use std::collections::BTreeSet;

/// Uneven splits that may be considered.
#[derive(Default)]
pub struct Asked {
    /// What annotations ask for: the size of a dim and the axes, with those on the way to them.
    annotated: BTreeSet<(u64, Vec<Axis>)>,
    /// A search looks further.
    searches: bool,
}

impl Asked {
    pub fn new(searches: bool) -> Asked {
        Asked { annotated: BTreeSet::new(), searches }
    }

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
            self.annotated.extend(some.filter(|s| !n.is_multiple_of(mesh.group_size(s))).map(|s| (n, s)));
        }
    }

    /// Takes note of windows of which there are `n`, cut from `from` that some axes divide: the axes may split what is left.
    pub fn note_cut(&mut self, from: u64, n: u64, mesh: &Mesh) {
        let all: Vec<Axis> = (0..mesh.axes.len()).map(|i| Axis(i as u8)).collect();
        let pairs = all.iter().flat_map(|&a| all.iter().filter(move |&&b| b != a).map(move |&b| vec![a, b]));
        for axes in all.iter().map(|&a| vec![a]).chain(pairs) {
            let devices = mesh.group_size(&axes);
            if from.is_multiple_of(devices) && from / devices == n.div_ceil(devices) && !n.is_multiple_of(devices) {
                self.annotated.insert((n, axes));
            }
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
        self.alone(n, mesh.group_size(axes)) || self.annotated.contains(&(n, axes.to_vec()))
    }

    /// Whether a dim of `n` may be split by `axis`, beside others or not.
    pub fn reaches(&self, n: u64, axis: Axis, mesh: &Mesh) -> bool {
        self.alone(n, mesh.size(axis)) || self.annotated.iter().any(|(m, axes)| *m == n && axes.contains(&axis))
    }

    /// Whether a dim of `n` may be cut in `parts` without an annotation that says so.
    fn alone(&self, n: u64, parts: u64) -> bool {
        let padded = n.div_ceil(parts).saturating_mul(parts);
        n == padded || self.searches && (padded - n).saturating_mul(effort::WASTE) <= padded
    }
}
