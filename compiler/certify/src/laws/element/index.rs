//! Loops, and indices that are affine in them.

use meshloom_ir::types::dim_groups;
use std::collections::BTreeMap;

pub type Loop = u32;

/// `offset + sum of step * loop`, each loop once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Affine {
    pub offset: u64,
    pub parts: Vec<(Loop, u64)>,
}

impl Affine {
    /// A loop of `size` iterations by itself.
    pub fn of(l: Loop, size: u64) -> Affine {
        Affine { offset: 0, parts: if size > 1 { vec![(l, 1)] } else { Vec::new() } }
    }
}

/// Sizes of all loops, and those that were split into a major and a minor one.
#[derive(Default)]
pub struct Loops {
    sizes: Vec<u64>,
    split: BTreeMap<Loop, (Loop, Loop)>,
}

impl Loops {
    pub fn fresh(&mut self, size: u64) -> Loop {
        self.sizes.push(size);
        self.sizes.len() as Loop - 1
    }

    pub fn count(&self) -> Loop {
        self.sizes.len() as Loop
    }

    pub fn size(&self, l: Loop) -> u64 {
        self.sizes[l as usize]
    }

    fn split(&mut self, l: Loop, minor: u64) {
        let major = self.fresh(self.size(l) / minor);
        let minor = self.fresh(minor);
        self.split.insert(l, (major, minor));
    }

    /// The loops that `l` was split into, major first.
    pub fn leaves(&self, l: Loop) -> Vec<Loop> {
        match self.split.get(&l) {
            None => vec![l],
            Some(&(major, minor)) => {
                let mut out = self.leaves(major);
                out.extend(self.leaves(minor));
                out
            }
        }
    }

    /// Whether loop `l` is one of `outer` loops that there were at first, or of what those were split into.
    pub fn within(&self, l: Loop, outer: Loop) -> bool {
        (0..outer).any(|o| self.leaves(o).contains(&l))
    }

    /// In terms of loops that are not split, without those of one iteration, in order.
    pub fn resolve(&self, a: &Affine) -> Affine {
        let mut parts: Vec<(Loop, u64)> = Vec::new();
        for &(l, step) in &a.parts {
            let mut step = step;
            for &leaf in self.leaves(l).iter().rev() {
                if self.size(leaf) > 1 {
                    parts.push((leaf, step));
                }
                step = step.saturating_mul(self.size(leaf));
            }
        }
        parts.sort_unstable();
        Affine { offset: a.offset, parts }
    }

    /// The largest value.
    pub fn max(&self, a: &Affine) -> u64 {
        a.parts.iter().fold(a.offset, |m, &(l, s)| m.saturating_add(s.saturating_mul(self.size(l) - 1)))
    }

    /// The indices into dims of sizes `to`, given those into dims of sizes `from` of the same elements in row-major order.
    /// Splits loops where it must. `None` where the indices are not affine.
    pub fn reshape(&mut self, at: &[Affine], from: &[u64], to: &[u64]) -> Option<Vec<Affine>> {
        let mut out = vec![Affine::default(); to.len()];
        for (f, t) in dim_groups(from, to) {
            if let ([i], [j]) = (&f[..], &t[..]) {
                out[*j] = at[*i].clone();
                continue;
            }
            let mut flat = Affine::default();
            let mut step = 1u64;
            for &i in f.iter().rev() {
                flat.offset = flat.offset.checked_add(at[i].offset.checked_mul(step)?)?;
                for &(l, s) in &at[i].parts {
                    flat.parts.push((l, s.checked_mul(step)?));
                }
                step = step.checked_mul(from[i])?;
            }
            for &j in t.iter().rev() {
                (flat, out[j]) = self.digit(&flat, to[j])?;
            }
        }
        Some(out)
    }

    /// `flat / n` and `flat mod n`.
    fn digit(&mut self, flat: &Affine, n: u64) -> Option<(Affine, Affine)> {
        loop {
            let flat = self.resolve(flat);
            let (mut high, mut low) = (Affine::default(), Affine::default());
            (high.offset, low.offset) = (flat.offset / n, flat.offset % n);
            let mut to_split = None;
            for &(l, s) in &flat.parts {
                if s.is_multiple_of(n) {
                    high.parts.push((l, s / n));
                } else if s.saturating_mul(self.size(l) - 1) < n {
                    low.parts.push((l, s));
                } else if n.is_multiple_of(s) && self.size(l).is_multiple_of(n / s) {
                    to_split = Some((l, n / s));
                    break;
                } else {
                    return None;
                }
            }
            if let Some((l, minor)) = to_split {
                self.split(l, minor);
                continue;
            }
            return (self.max(&low) < n).then_some((high, low));
        }
    }
}
