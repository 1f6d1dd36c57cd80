//! Layouts (shardings): for each dim an ordered list of mesh axes, major first, and the axes over which the value is
//! partial and with which reduction. An axis in neither place holds copies.
//!
//! Not here: how a layout is written and read ([`text`]).

pub mod text;

use crate::mesh::{Axis, Mesh};
pub use meshloom_scalar::Reduction;
use std::collections::{BTreeMap, BTreeSet};

/// How a layout goes with a shape.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fit {
    /// Every dim divides.
    Even,
    /// Some dim does not divide: its last blocks are short or empty, and what pads them is unspecified.
    Uneven,
    /// Another rank, or an axis that is unknown or used twice.
    No,
}

/// Where one axis stands in a layout.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Slot {
    Replicated,
    Split(usize),
    Partial(Reduction),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layout {
    /// Axes that split each dim, major first.
    pub dims: Vec<Vec<Axis>>,
    /// Axes over which the value is partial.
    pub partial: BTreeMap<Axis, Reduction>,
}

impl Layout {
    pub fn replicated(rank: usize) -> Layout {
        Layout { dims: vec![Vec::new(); rank], partial: BTreeMap::new() }
    }

    pub fn is_replicated(&self) -> bool {
        self.partial.is_empty() && self.dims.iter().all(Vec::is_empty)
    }

    pub fn slot(&self, axis: Axis) -> Slot {
        if let Some(&r) = self.partial.get(&axis) {
            return Slot::Partial(r);
        }
        match self.dims.iter().position(|d| d.contains(&axis)) {
            Some(d) => Slot::Split(d),
            None => Slot::Replicated,
        }
    }

    /// The same layout with `axis` taken out of wherever it stands.
    pub fn without(&self, axis: Axis) -> Layout {
        let mut l = self.clone();
        l.partial.remove(&axis);
        for d in &mut l.dims {
            d.retain(|&a| a != axis);
        }
        l
    }

    /// The same layout with `axis` moved to `slot`; a split axis becomes the minor one of its dim.
    pub fn with(&self, axis: Axis, slot: Slot) -> Layout {
        let mut l = self.without(axis);
        match slot {
            Slot::Replicated => {}
            Slot::Split(d) => l.dims[d].push(axis),
            Slot::Partial(r) => {
                l.partial.insert(axis, r);
            }
        }
        l
    }

    /// How the layout goes with a tensor of this shape.
    pub fn fits(&self, shape: &[u64], mesh: &Mesh) -> Fit {
        if self.dims.len() != shape.len() {
            return Fit::No;
        }
        let mut seen = vec![false; mesh.axes.len()];
        for &a in self.dims.iter().flatten().chain(self.partial.keys()) {
            if a.index() >= seen.len() || std::mem::replace(&mut seen[a.index()], true) {
                return Fit::No;
            }
        }
        let even = shape.iter().zip(&self.dims).all(|(n, axes)| n.is_multiple_of(mesh.group_size(axes)));
        if even { Fit::Even } else { Fit::Uneven }
    }

    /// Whether the axes of dim `dim`, of size `size`, leave padding in the last blocks.
    pub fn is_uneven(&self, dim: usize, size: u64, mesh: &Mesh) -> bool {
        self.dims.get(dim).is_some_and(|axes| !size.is_multiple_of(mesh.group_size(axes)))
    }

    /// Shape of one device's shard: blocks of ceil(n / k), of which the last may be short or empty. `None` where the layout is
    /// none of a tensor of this shape.
    pub fn local_shape(&self, shape: &[u64], mesh: &Mesh) -> Option<Vec<u64>> {
        if self.fits(shape, mesh) == Fit::No {
            return None;
        }
        Some(shape.iter().zip(&self.dims).map(|(n, axes)| n.div_ceil(mesh.group_size(axes))).collect())
    }

    /// Whether the blocks of dim `dim`, of size `size`, under this layout lie in whole blocks of the same dim with only its `major`
    /// first axes, so that gathering the others gives those, and slicing gives these. Always so where they divide, and where
    /// all axes are gathered; else blocks of ceil(n / k) may lie across.
    pub fn nests(&self, dim: usize, size: u64, major: usize, mesh: &Mesh) -> bool {
        let axes = &self.dims[dim];
        let (outer, all) = (mesh.group_size(&axes[..major.min(axes.len())]), mesh.group_size(axes));
        outer == 1 || size.div_ceil(all) * (all / outer) == size.div_ceil(outer)
    }
}

/// What a user pins of one dim.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DimSpec {
    /// Exactly these axes, major first; none = not split.
    Exactly(Vec<Axis>),
    /// At least these axes as the major ones (`data?`); none = open (`?`).
    AtLeast(Vec<Axis>),
}

/// A layout annotation: each dim closed or open, partial axes named explicitly. `Constraint::open` constrains nothing.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Constraint {
    pub dims: Vec<DimSpec>,
    pub partial: BTreeMap<Axis, Reduction>,
    /// Axes that may not stand in the layout, though a dim is open: the value is replicated over them.
    pub replicated: BTreeSet<Axis>,
    /// True when nothing was written: a value that the planner may place at will.
    pub absent: bool,
}

impl Constraint {
    /// These dims, and nothing partial.
    pub fn of(dims: Vec<DimSpec>) -> Constraint {
        Constraint { dims, partial: BTreeMap::new(), replicated: BTreeSet::new(), absent: false }
    }

    /// No annotation.
    pub fn absent(rank: usize) -> Constraint {
        Constraint { absent: true, ..Constraint::of(vec![DimSpec::AtLeast(Vec::new()); rank]) }
    }

    /// Exactly this layout.
    pub fn exactly(layout: &Layout) -> Constraint {
        let dims = layout.dims.iter().cloned().map(DimSpec::Exactly).collect();
        Constraint { partial: layout.partial.clone(), ..Constraint::of(dims) }
    }

    /// The one layout that satisfies the annotation, when every dim is closed.
    pub fn closed(&self) -> Option<Layout> {
        if self.absent {
            return None;
        }
        let dims = self
            .dims
            .iter()
            .map(|d| match d {
                DimSpec::Exactly(a) => Some(a.clone()),
                DimSpec::AtLeast(_) => None,
            })
            .collect::<Option<_>>()?;
        Some(Layout { dims, partial: self.partial.clone() })
    }

    /// The layout that satisfies the annotation and splits nothing beyond what is written.
    pub fn least(&self) -> Option<Layout> {
        let axes = |d: &DimSpec| match d {
            DimSpec::Exactly(a) | DimSpec::AtLeast(a) => a.clone(),
        };
        let dims = self.dims.iter().map(axes).collect();
        (!self.absent).then(|| Layout { dims, partial: self.partial.clone() })
    }

    /// Whether `layout` satisfies the annotation. An absent one is satisfied by any layout that is not partial.
    pub fn admits(&self, layout: &Layout) -> bool {
        self.partial == layout.partial
            && self.dims.len() == layout.dims.len()
            && self.dims.iter().zip(&layout.dims).all(|(s, d)| match s {
                DimSpec::Exactly(a) => a == d,
                DimSpec::AtLeast(a) => d.starts_with(a),
            })
            && self.replicated.iter().all(|&a| layout.slot(a) == Slot::Replicated)
    }

    /// The same annotation without the axes of size 1: they split nothing, so a layout need not show them.
    pub fn effective(&self, mesh: &Mesh) -> Constraint {
        let real = |axes: &[Axis]| {
            axes.iter().copied().filter(|&a| mesh.axes.get(a.index()).is_none_or(|x| x.1 != 1)).collect()
        };
        let dims = self.dims.iter().map(|d| match d {
            DimSpec::Exactly(a) => DimSpec::Exactly(real(a)),
            DimSpec::AtLeast(a) => DimSpec::AtLeast(real(a)),
        });
        let partial: Vec<Axis> = real(&self.partial.keys().copied().collect::<Vec<_>>());
        let replicated: Vec<Axis> = real(&self.replicated.iter().copied().collect::<Vec<_>>());
        Constraint {
            replicated: replicated.into_iter().collect(),
            dims: dims.collect(),
            partial: partial.into_iter().map(|a| (a, self.partial[&a])).collect(),
            absent: self.absent,
        }
    }
}
