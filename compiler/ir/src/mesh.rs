//! The device mesh: named axes with sizes. A device's linear index is row-major over the axes, first axis major.

use crate::scan::{Cursor, ParseResult};
use std::fmt;

/// A mesh axis, by its position in [`Mesh::axes`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Axis(pub u8);

impl Axis {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most axes a mesh may have. Layouts are interned per plan, so the number only bounds the search.
pub const MAX_AXES: usize = 8;
/// The most devices of a mesh, so that no program overflows arithmetic on them.
pub const MAX_DEVICES: u64 = 1 << 20;

#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Mesh {
    /// Name and size of each axis, major first.
    pub axes: Vec<(String, u64)>,
}

impl Mesh {
    pub fn new(axes: impl IntoIterator<Item = (impl Into<String>, u64)>) -> Mesh {
        Mesh { axes: axes.into_iter().map(|(n, s)| (n.into(), s)).collect() }
    }

    /// Reads `[data: 2, model: 4]`.
    ///
    /// # Errors
    /// Something else stands here, or there are too many axes.
    pub fn read(c: &mut Cursor<'_>) -> ParseResult<Mesh> {
        let start = c.pos();
        let axes = c.list("[", "]", |c| {
            let name = c.word("an axis")?.to_string();
            c.expect(":")?;
            Ok((name, c.number("an axis size", MAX_DEVICES)?))
        })?;
        if axes.len() > MAX_AXES {
            let message = format!("a mesh of {} axes; at most {MAX_AXES} are possible", axes.len());
            return c.error_at(start, message);
        }
        Ok(Mesh { axes })
    }

    pub fn devices(&self) -> u64 {
        self.axes.iter().fold(1, |n, a| n.saturating_mul(a.1))
    }

    pub fn size(&self, axis: Axis) -> u64 {
        self.axes[axis.index()].1
    }

    /// Number of devices in a group over `axes`.
    pub fn group_size(&self, axes: &[Axis]) -> u64 {
        axes.iter().fold(1, |n, &a| n.saturating_mul(self.size(a)))
    }

    /// The axis' name; `?` for one that the mesh does not have, so that malformed IR can be shown.
    pub fn name(&self, axis: Axis) -> &str {
        self.axes.get(axis.index()).map_or("?", |a| &a.0)
    }

    pub fn axis(&self, name: &str) -> Option<Axis> {
        self.axes.iter().position(|a| a.0 == name).map(|i| Axis(i as u8))
    }

    pub fn all_axes(&self) -> impl Iterator<Item = Axis> + use<> {
        (0..self.axes.len() as u8).map(Axis)
    }

    /// The position of `device` on every axis.
    pub fn coords(&self, device: u64) -> Vec<u64> {
        let mut rest = device;
        let mut coords = vec![0; self.axes.len()];
        for (c, (_, size)) in coords.iter_mut().zip(&self.axes).rev() {
            *c = rest % size;
            rest /= size;
        }
        coords
    }

    /// The linear index of the device at `coords`.
    pub fn device(&self, coords: &[u64]) -> u64 {
        coords.iter().zip(&self.axes).fold(0, |d, (&c, (_, size))| d * size + c)
    }

    /// Linear index of `device` within its group over `axes` (ordered, major first): which block of a dim split by `axes`
    /// it holds.
    pub fn index_in(&self, device: u64, axes: &[Axis]) -> u64 {
        let coords = self.coords(device);
        axes.iter().fold(0, |i, &a| i * self.size(a) + coords[a.index()])
    }

    /// The devices that differ from `device` in `axes` only, ordered by their index over `axes` (major first).
    pub fn group(&self, device: u64, axes: &[Axis]) -> Vec<u64> {
        let base = self.coords(device);
        (0..self.group_size(axes))
            .map(|i| {
                let mut coords = base.clone();
                let mut rest = i;
                for &a in axes.iter().rev() {
                    coords[a.index()] = rest % self.size(a);
                    rest /= self.size(a);
                }
                self.device(&coords)
            })
            .collect()
    }
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[")?;
        for (i, (name, size)) in self.axes.iter().enumerate() {
            write!(f, "{}{name}: {size}", if i > 0 { ", " } else { "" })?;
        }
        write!(f, "]")
    }
}
