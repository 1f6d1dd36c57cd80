//! Factor rules: which dims of an op's operands and results are the same index (Shardy's op sharding rules). From them
//! follow all local forms of an op: which factor each mesh axis splits, and so the layouts that the operands must have
//! and the result then has. These rules are the trusted base of the certificate; each is tested numerically.

use crate::layout::{Layout, Reduction};
use crate::mesh::{Axis, Mesh};
use crate::types::DType;
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FactorKind {
    /// Stands in the results: splitting it splits them.
    Parallel,
    /// Combined away: splitting it makes the results that do not show it partial under this reduction.
    Reduced(Reduction),
    /// As parallel, but only over as many devices as it has entries: each has one.
    Single,
    /// As parallel, where the dim has this many entries in the operand, and another number in the result, which begins alike: what is
    /// behind is cut off, or zeros are put there. Only over so many devices that blocks are equally long in both, so that each device
    /// has its part of the result already.
    Resized(u64),
    /// May not be split.
    Blocked,
}

/// The factor rule of one op instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FactorRule {
    pub sizes: Vec<u64>,
    pub kinds: Vec<FactorKind>,
    /// For each operand and dim the factors it is made of, major first. Only the first may be split.
    pub operands: Vec<Vec<Vec<usize>>>,
    pub results: Vec<Vec<Vec<usize>>>,
    /// Sets of operands that the op is jointly linear in: all of a set partial (sum) over an axis and the other operands
    /// replicated over it gives partial results.
    pub linear: Vec<Vec<usize>>,
    /// The same for the other reductions: all of a set partial under one over an axis and the other operands replicated over it
    /// gives results that are partial under it. What never decreases passes a partial maximum on, what only moves elements
    /// any.
    pub commuting: Vec<(Reduction, Vec<usize>)>,
}

/// What an op commutes with that only moves the elements of the operands of `set`, all of one dtype: every reduction but the
/// sum, of which `linear` speaks.
pub fn moves(dtype: DType, set: &[usize]) -> Vec<(Reduction, Vec<usize>)> {
    let others = Reduction::ALL.into_iter().filter(|&r| r != Reduction::Sum && r.is_for(dtype));
    others.map(|r| (r, set.to_vec())).collect()
}

/// What each mesh axis does in a local op: the ordered axes of each factor, and the axes over which a linear set of
/// operands is partial. Axes in neither leave the op as it is (every device computes the same).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Assignment {
    /// Factor to axes, major first; factors without axes are absent.
    pub factors: BTreeMap<usize, Vec<Axis>>,
    /// Axis to a set of operands that are partial over it: an index into [`FactorRule::linear`], and behind these into
    /// [`FactorRule::commuting`].
    pub linear: BTreeMap<Axis, usize>,
}

impl FactorRule {
    /// A rule with `n` results made of the factors of the first operand: elementwise ops.
    pub fn elementwise(shape: &[u64], operands: usize, linear: Vec<Vec<usize>>) -> FactorRule {
        let dims: Vec<Vec<usize>> = (0..shape.len()).map(|d| vec![d]).collect();
        FactorRule {
            sizes: shape.to_vec(),
            kinds: vec![FactorKind::Parallel; shape.len()],
            operands: vec![dims.clone(); operands],
            results: vec![dims],
            linear,
            commuting: Vec::new(),
        }
    }

    /// With sets that pass on what is partial under another reduction than the sum.
    #[must_use]
    pub fn commuting_with(self, commuting: Vec<(Reduction, Vec<usize>)>) -> FactorRule {
        FactorRule { commuting, ..self }
    }

    /// Number of sets of operands that may be partial.
    pub fn sets(&self) -> usize {
        self.linear.len() + self.commuting.len()
    }

    /// A set of operands that may be partial, and under which reduction.
    pub fn set(&self, i: usize) -> Option<(Reduction, &[usize])> {
        match i.checked_sub(self.linear.len()) {
            None => Some((Reduction::Sum, &self.linear[i])),
            Some(i) => self.commuting.get(i).map(|(r, s)| (*r, s.as_slice())),
        }
    }

    /// A rule under which nothing may be split.
    pub fn opaque(operands: &[&[u64]], results: &[&[u64]]) -> FactorRule {
        let mut sizes = Vec::new();
        let mut dims = |shapes: &[&[u64]]| -> Vec<Vec<Vec<usize>>> {
            let mut one = |&n: &u64| {
                sizes.push(n);
                vec![sizes.len() - 1]
            };
            shapes.iter().map(|s| s.iter().map(&mut one).collect()).collect()
        };
        let (operands, results) = (dims(operands), dims(results));
        FactorRule {
            kinds: vec![FactorKind::Blocked; sizes.len()],
            sizes,
            operands,
            results,
            linear: Vec::new(),
            commuting: Vec::new(),
        }
    }

    /// Whether `factor` may be split: it is not blocked, and wherever it stands it is the major factor of its dim.
    pub fn splittable(&self, factor: usize) -> bool {
        !matches!(self.kinds[factor], FactorKind::Blocked)
            && self.operands.iter().chain(&self.results).flatten().all(|dim| {
                match dim.iter().position(|&f| f == factor) {
                    None => true,
                    Some(p) => dim[..p].iter().all(|&f| self.sizes[f] == 1),
                }
            })
    }

    /// Whether `factor` may be split over axes that do not divide it: wherever it stands, blocks of its index are blocks of the
    /// dim. So it may not share a dim with another factor, as where a reshape merges two dims: the merged dim has other blocks.
    pub fn splits_unevenly(&self, factor: usize) -> bool {
        let kept = |f: usize| matches!(self.kinds[f], FactorKind::Parallel | FactorKind::Resized(_));
        // A dim of size 1 that a reshape drops is not split: every device would have another result.
        let stays = |dims: &Vec<Vec<usize>>| dims.iter().any(|fs| fs.contains(&factor));
        // What is combined away by some results and shown by others has no place for a mask.
        let mixed = !kept(factor) && self.results.iter().any(stays);
        self.splittable(factor)
            && !mixed
            && (!kept(factor) || self.results.iter().all(stays))
            && self.operands.iter().chain(&self.results).flatten().all(|dim| {
                // Factors of size 1 beside it cannot be split themselves: they are not alone in this dim.
                !dim.contains(&factor)
                    || dim.len() == 1
                    || (self.sizes[factor] != 1 && dim.iter().all(|&f| f == factor || self.sizes[f] == 1))
            })
    }

    /// Whether the assignment is legal on `mesh`: known factors and linear sets, sizes that divide or may be split unevenly, no
    /// axis twice.
    pub fn admits(&self, a: &Assignment, mesh: &Mesh) -> bool {
        let mut seen = vec![false; mesh.axes.len()];
        let mut fresh = |axis: Axis| axis.index() < seen.len() && !std::mem::replace(&mut seen[axis.index()], true);
        a.factors.iter().all(|(&f, axes)| {
            f < self.sizes.len()
                && !axes.is_empty()
                && self.splittable(f)
                && (self.sizes[f].is_multiple_of(mesh.group_size(axes)) || self.splits_unevenly(f))
                && (self.kinds[f] != FactorKind::Single || self.sizes[f] == mesh.group_size(axes))
                && self.same_blocks(f, mesh.group_size(axes))
                && axes.iter().all(|&x| fresh(x))
        }) && a.linear.iter().all(|(&x, &s)| s < self.sets() && fresh(x))
            && self.one_reduction(a)
    }

    /// Whether so many devices have blocks of one length wherever a factor stands.
    fn same_blocks(&self, factor: usize, devices: u64) -> bool {
        match self.kinds[factor] {
            FactorKind::Resized(from) => from.div_ceil(devices) == self.sizes[factor].div_ceil(devices),
            _ => true,
        }
    }

    /// No operand or result is partial under two reductions at once: a maximum of sums is no sum of maxima, so the order in
    /// which they are finished would count.
    fn one_reduction(&self, a: &Assignment) -> bool {
        let one = |l: Layout| l.partial.values().collect::<std::collections::BTreeSet<_>>().len() <= 1;
        a.linear.is_empty()
            || (0..self.operands.len()).all(|i| one(self.operand_layout(a, i)))
                && (0..self.results.len()).all(|i| one(self.result_layout(a, i)))
    }

    /// The layout that operand `i` must have.
    pub fn operand_layout(&self, a: &Assignment, i: usize) -> Layout {
        let mut l = layout_of(&self.operands[i], a);
        for (&axis, &set) in &a.linear {
            if let Some((kind, _)) = self.set(set).filter(|s| s.1.contains(&i)) {
                l.partial.insert(axis, kind);
            }
        }
        l
    }

    /// The layout that result `i` then has.
    pub fn result_layout(&self, a: &Assignment, i: usize) -> Layout {
        let mut l = layout_of(&self.results[i], a);
        for (&f, axes) in &a.factors {
            let shown = self.results[i].iter().any(|d| d.contains(&f));
            if let FactorKind::Reduced(r) = self.kinds[f]
                && !shown
            {
                l.partial.extend(axes.iter().map(|&x| (x, r)));
            }
        }
        l.partial.extend(a.linear.iter().filter_map(|(&x, &s)| Some((x, self.set(s)?.0))));
        l
    }
}

fn layout_of(dims: &[Vec<usize>], a: &Assignment) -> Layout {
    let axes = |fs: &Vec<usize>| fs.iter().filter_map(|f| a.factors.get(f)).flatten().copied().collect();
    Layout { dims: dims.iter().map(axes).collect(), partial: BTreeMap::new() }
}
