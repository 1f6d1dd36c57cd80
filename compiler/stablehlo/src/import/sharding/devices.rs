//! The devices of a module as one mesh of the IR.
//!
//! A dump may name several meshes over the same devices (`["data"=2, "model"=4]` and `["a"=4, "b"=2]`), take parts of axes
//! (`"x":(1)2`), or order devices otherwise than by their numbers. It may also have shardings of GSPMD, which number devices and
//! name no axes. Each axis of any of these is a list of digits of a device's number: a stride, and a number of steps.
//!
//! The mesh of the IR has an axis for each interval between the ends of all those digits. So every axis that is written is an
//! ordered list of axes of the IR. If there is one mesh and no part of an axis, the intervals are its axes, under their names.

use meshloom_ir::{Axis, Mesh};
use std::collections::{BTreeMap, BTreeSet};

/// A part of a device's number: `size` steps of `stride`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Digit {
    pub stride: u64,
    pub size: u64,
}

impl Digit {
    fn end(self) -> u64 {
        self.stride.saturating_mul(self.size)
    }
}

/// The digits that `offsets` run through, major first; `None` where they are no digits.
pub fn digits(offsets: &[u64]) -> Option<Vec<Digit>> {
    let n = offsets.len();
    let (mut out, mut known) = (Vec::new(), 1);
    while known < n {
        let stride = *offsets.get(known)?;
        let step = |k: usize| offsets.get(k * known).is_some_and(|&o| stride.checked_mul(k as u64) == Some(o));
        let size = (1..=n / known).take_while(|&k| k == 1 || step(k - 1)).last()?;
        if size < 2 || stride == 0 {
            return None;
        }
        out.push(Digit { stride, size: size as u64 });
        known *= size;
    }
    out.reverse();
    let all = known == n && offsets.iter().enumerate().all(|(i, &o)| at(&out, i as u64) == o);
    all.then_some(out)
}

/// What position `i` along an axis adds to a device's number.
fn at(digits: &[Digit], mut i: u64) -> u64 {
    let mut sum = 0;
    for d in digits.iter().rev() {
        sum += i % d.size * d.stride;
        i /= d.size;
    }
    sum
}

/// An axis as a module writes it.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    pub name: String,
    pub size: u64,
    /// Major first.
    pub digits: Vec<Digit>,
}

impl Written {
    /// The part of it that follows `before` positions and has `size` of them, `"x":(before)size`, as digits.
    pub fn part(&self, before: u64, size: u64) -> Option<Vec<Digit>> {
        let within = before.checked_mul(size).filter(|&n| n > 0 && self.size.is_multiple_of(n))?;
        let (low, high) = (self.size / within, self.size / before);
        let (mut out, mut from) = (Vec::new(), 1);
        for d in self.digits.iter().rev() {
            // Positions of the axis that this digit counts.
            let (start, end) = (from.max(low), (from * d.size).min(high));
            if start < end {
                if start % from != 0 || end % start != 0 {
                    return None;
                }
                out.push(Digit { stride: d.stride * (start / from), size: end / start });
            }
            from *= d.size;
        }
        out.reverse();
        Some(out)
    }
}

/// The axes of a mesh of these sizes whose devices are `ids`, in row-major order; `None` where they are no digits.
pub fn axes(sizes: &[(String, u64)], ids: &[u64]) -> Option<Vec<Written>> {
    let mut stride: usize = ids.len();
    let mut out = Vec::new();
    let first = *ids.first()?;
    for (name, size) in sizes {
        stride /= usize::try_from(*size).ok().filter(|&s| s > 0)?;
        let offsets: Option<Vec<u64>> = (0..*size as usize).map(|k| ids.get(k * stride)?.checked_sub(first)).collect();
        out.push(Written { name: name.clone(), size: *size, digits: digits(&offsets?)? });
    }
    // Axes are independent of each other, and the first device is the first.
    let whole: Vec<Digit> = out.iter().flat_map(|a| a.digits.clone()).collect();
    (first == 0 && ids.iter().enumerate().all(|(i, &id)| at(&whole, i as u64) == id)).then_some(out)
}

/// The axes of a mesh of these sizes whose devices are in the order of their numbers.
pub fn in_order(sizes: &[(String, u64)]) -> Vec<Written> {
    let mut stride = 1u64;
    let mut out: Vec<Written> = Vec::new();
    for (name, size) in sizes.iter().rev() {
        let digits = if *size > 1 { vec![Digit { stride, size: *size }] } else { Vec::new() };
        out.push(Written { name: name.clone(), size: *size, digits });
        stride = stride.saturating_mul(*size);
    }
    out.reverse();
    out
}

/// The mesh that all meshes of a module are written in.
#[derive(Clone, Debug)]
pub struct Devices {
    pub mesh: Mesh,
    /// Where the pieces of a device's number begin and end, minor first.
    bounds: Vec<u64>,
    /// The axis of each piece.
    pieces: Vec<Axis>,
    /// The axes of size 1, which are no digits.
    ones: BTreeMap<String, Axis>,
}

/// Whether one of the numbers divides the next, all along.
fn chain(bounds: &BTreeSet<u64>) -> bool {
    bounds.iter().zip(bounds.iter().skip(1)).all(|(a, b)| b.is_multiple_of(*a))
}

/// Adds the ends of digits, where all are still multiples of each other.
pub fn add(bounds: &mut BTreeSet<u64>, digits: impl IntoIterator<Item = Digit>) -> bool {
    let mut with = bounds.clone();
    with.extend(digits.into_iter().flat_map(|d| [d.stride, d.end()]));
    let fits = chain(&with);
    if fits {
        *bounds = with;
    }
    fits
}

impl Devices {
    /// Pieces between `bounds`, named after the axes of the mesh `named`.
    pub fn new(bounds: &BTreeSet<u64>, named: &[Written]) -> Devices {
        let bounds: Vec<u64> = bounds.iter().copied().collect();
        let spans: Vec<(u64, u64)> = bounds.iter().zip(bounds.iter().skip(1)).map(|(&a, &b)| (a, b)).collect();
        let mut names: Vec<String> = vec![String::new(); spans.len()];
        for axis in named {
            let inside = |d: &Digit| -> Vec<usize> {
                (0..spans.len()).rev().filter(|&i| d.stride <= spans[i].0 && spans[i].1 <= d.end()).collect()
            };
            let of: Vec<usize> = axis.digits.iter().flat_map(inside).collect();
            for (k, &i) in of.iter().enumerate() {
                names[i] = if of.len() == 1 { axis.name.clone() } else { format!("{}_{k}", axis.name) };
            }
        }
        for (k, name) in names.iter_mut().rev().enumerate().filter(|(_, n)| n.is_empty()) {
            *name = format!("axis{k}");
        }
        // Major first: axes of size 1 stand where their mesh has them, if it is in the order of the devices.
        let mut order: Vec<(String, Option<usize>)> = Vec::new();
        let mut left = (0..spans.len()).rev().peekable();
        for axis in named {
            if axis.size == 1 {
                order.push((axis.name.clone(), None));
                continue;
            }
            let of = axis.digits.iter().map(|d| (d.stride, d.end()));
            for (low, high) in of {
                while let Some(i) = left.next_if(|&i| low <= spans[i].0 && spans[i].1 <= high) {
                    order.push((names[i].clone(), Some(i)));
                }
            }
        }
        order.extend(left.map(|i| (names[i].clone(), Some(i))));
        let mut mesh = Mesh::default();
        let (mut pieces, mut ones) = (vec![Axis(0); spans.len()], BTreeMap::new());
        for (name, piece) in order {
            let axis = Axis(mesh.axes.len().min(255) as u8);
            let size = piece.map_or(1, |i| spans[i].1 / spans[i].0);
            match piece {
                Some(i) => pieces[i] = axis,
                None => drop(ones.insert(name.clone(), axis)),
            }
            let name = unique(&mesh, &name);
            mesh.axes.push((name, size));
        }
        Devices { mesh, bounds, pieces, ones }
    }

    /// A mesh that a module does not name, with its devices in their order.
    pub fn of_mesh(sizes: &[(String, u64)]) -> Devices {
        let axes = in_order(sizes);
        let mut bounds = BTreeSet::from([1]);
        add(&mut bounds, axes.iter().flat_map(|a| a.digits.clone()));
        Devices::new(&bounds, &axes)
    }

    /// The IR's axes of digits, major first; `None` where they are not whole pieces.
    pub fn axes(&self, digits: &[Digit]) -> Option<Vec<Axis>> {
        let mut out = Vec::new();
        for d in digits {
            let low = self.bounds.iter().position(|&b| b == d.stride)?;
            let high = self.bounds.iter().position(|&b| b == d.end())?;
            out.extend((low..high).rev().map(|i| self.pieces[i]));
        }
        Some(out)
    }

    /// The IR's axes of an axis that is written, major first.
    pub fn written(&self, axis: &Written) -> Option<Vec<Axis>> {
        match axis.size {
            1 => Some(self.ones.get(&axis.name).copied().into_iter().collect()),
            _ => self.axes(&axis.digits),
        }
    }

    /// What part of a device's number an axis of the IR is, as the module counts devices: its stride, and where it ends. Zeros for
    /// an axis of size 1.
    pub fn span(&self, axis: Axis) -> (u64, u64) {
        self.pieces.iter().position(|&p| p == axis).map_or((0, 0), |i| (self.bounds[i], self.bounds[i + 1]))
    }

    /// Devices, as the module counts them.
    pub fn count(&self) -> u64 {
        self.bounds.last().copied().unwrap_or(1)
    }

    /// Places along all axes of the device at a position of the module's mesh.
    pub fn coords(&self, position: u64) -> Option<Vec<u64>> {
        let place = |axis: Axis| match self.span(axis) {
            (0, _) => 0,
            (low, high) => position % high / low,
        };
        (position < self.count()).then(|| self.mesh.all_axes().map(place).collect())
    }
}

/// A name for an axis that IR text can have, and that no other axis has.
fn unique(mesh: &Mesh, name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let letter = plain.starts_with(|c: char| c.is_ascii_alphabetic());
    let mut out = if letter || plain.len() > 1 && plain.starts_with('_') { plain } else { format!("axis{plain}") };
    while mesh.axis(&out).is_some() {
        out.push('_');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(sizes: &[(&str, u64)], ids: &[u64]) -> Option<Vec<Written>> {
        let sizes: Vec<_> = sizes.iter().map(|s| (s.0.to_string(), s.1)).collect();
        axes(&sizes, ids)
    }

    fn iota(n: u64) -> Vec<u64> {
        (0..n).collect()
    }

    #[test]
    fn orders_of_devices() {
        assert_eq!(digits(&[0, 1, 2, 3]), Some(vec![Digit { stride: 1, size: 4 }]));
        let two = vec![Digit { stride: 1, size: 2 }, Digit { stride: 4, size: 2 }];
        assert_eq!(digits(&[0, 4, 1, 5]), Some(two));
        assert_eq!(digits(&[0]), Some(vec![]));
        for wrong in [&[0u64, 1, 3, 2][..], &[0, 0], &[0, 1, 2, 4, 5]] {
            assert_eq!(digits(wrong), None, "{wrong:?}");
        }
        let turned = named(&[("a", 2), ("b", 4)], &[0, 2, 4, 6, 1, 3, 5, 7]).unwrap();
        assert_eq!(turned[0].digits, [Digit { stride: 1, size: 2 }]);
        assert_eq!(turned[1].digits, [Digit { stride: 2, size: 4 }]);
        assert!(named(&[("a", 2), ("b", 2)], &[0, 1, 3, 2]).is_none());
    }

    #[test]
    fn pieces_of_several_meshes() {
        let (x, y) = (named(&[("d", 2), ("m", 4)], &iota(8)).unwrap(), named(&[("a", 4), ("b", 2)], &iota(8)).unwrap());
        let mut bounds = BTreeSet::from([1]);
        assert!(add(&mut bounds, x.iter().chain(&y).flat_map(|a| a.digits.clone())));
        let d = Devices::new(&bounds, &x);
        assert_eq!(d.mesh.to_string(), "[d: 2, m_0: 2, m_1: 2]");
        assert_eq!(d.written(&x[1]), Some(vec![Axis(1), Axis(2)]));
        assert_eq!(d.written(&y[0]), Some(vec![Axis(0), Axis(1)]));
        // Sizes that are no multiples of each other have no common pieces.
        let z = named(&[("a", 2), ("b", 3)], &iota(6)).unwrap();
        let mut bounds = BTreeSet::from([1, 2, 6]);
        assert!(!add(&mut bounds, z.iter().flat_map(|a| a.digits.clone())));
    }

    #[test]
    fn parts_of_axes() {
        let x = &named(&[("x", 8)], &iota(8)).unwrap()[0];
        assert_eq!(x.part(1, 2), Some(vec![Digit { stride: 4, size: 2 }]));
        assert_eq!(x.part(2, 4), Some(vec![Digit { stride: 1, size: 4 }]));
        assert_eq!(x.part(2, 2), Some(vec![Digit { stride: 2, size: 2 }]));
        assert_eq!((x.part(3, 2), x.part(0, 2), x.part(1, 16)), (None, None, None));
        // Of an axis whose devices lie in two strides.
        let t = &named(&[("x", 4), ("y", 2)], &[0, 2, 1, 3, 4, 6, 5, 7]).unwrap()[0];
        assert_eq!(t.digits, [Digit { stride: 4, size: 2 }, Digit { stride: 1, size: 2 }]);
        assert_eq!(t.part(2, 2), Some(vec![Digit { stride: 1, size: 2 }]));
    }

    #[test]
    fn axes_of_size_one_stay() {
        let x = named(&[("a", 1), ("b-c", 2), ("_", 1)], &iota(2)).unwrap();
        let mut bounds = BTreeSet::from([1]);
        add(&mut bounds, x.iter().flat_map(|a| a.digits.clone()));
        let d = Devices::new(&bounds, &x);
        assert_eq!(d.mesh.to_string(), "[a: 1, b_c: 2, axis_: 1]");
        assert_eq!(d.written(&x[2]), Some(vec![Axis(2)]));
    }
}
