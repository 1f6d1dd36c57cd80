//! Index maps: for each element of a result, the operand and the element that it is a copy of, or a number that the op fills
//! in.
//!
//! An op that moves elements says its index map and nothing more. Five things follow from the map: the op's factor rule, its
//! evaluation, what the checker reads of its elements, the scheduler's view, and the planner's slices.
//!
//! A coordinate of an operand is affine in the coordinates of the result. It may go around: what leaves a dim at one end comes
//! in at the other. A reshape is a case of its own, since its coordinates are quotients and remainders; elements keep their
//! row-major order.
//!
//! Not here: rows that indices name. Which row is read depends on what is in an operand.
//!
//! Certificates rest on the maps. `tests/it/rules.rs` compares each with elements that are written out by hand.

use crate::factor::{FactorKind, FactorRule, moves};
use crate::tensor::{Tensor, for_each_index, round, strides};
use crate::types::{DType, Scalar, TensorType};

/// A coordinate of an operand: the sum of coordinates of the result, each times a factor, and of `offset`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct At {
    /// Dims of the result, ascending, and what each is multiplied by.
    pub terms: Vec<(usize, i64)>,
    pub offset: i64,
    /// Modulo the size of the dim: what leaves it at one end comes in at the other.
    pub around: bool,
}

impl At {
    /// The coordinate of dim `d` of the result.
    pub fn dim(d: usize) -> At {
        At { terms: vec![(d, 1)], ..At::default() }
    }

    pub fn shifted(self, by: i64) -> At {
        At { offset: self.offset + by, ..self }
    }

    pub fn value(&self, idx: &[usize]) -> i64 {
        self.terms.iter().fold(self.offset, |n, &(d, k)| n + idx[d] as i64 * k)
    }
}

/// Elements that come from one operand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    pub operand: usize,
    /// For each dim of the operand its coordinate.
    pub at: Vec<At>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IndexMap {
    /// The elements of operand 0 in their row-major order.
    Flat,
    /// Each element comes from the first part whose coordinates lie inside of their operand; where there is none it is `fill`,
    /// which is absent if there always is one.
    Affine { parts: Vec<Part>, fill: Option<Scalar> },
}

impl IndexMap {
    /// Elements of operand 0 alone.
    pub fn of(at: Vec<At>) -> IndexMap {
        IndexMap::Affine { parts: vec![Part { operand: 0, at }], fill: None }
    }

    /// The part that all elements are read from; `None` for a reshape, for several operands, and where something is filled in.
    pub fn whole(&self) -> Option<&Part> {
        match self {
            IndexMap::Affine { parts, fill: None } if parts.len() == 1 => parts.first(),
            _ => None,
        }
    }

    pub fn parts(&self) -> &[Part] {
        match self {
            IndexMap::Flat => &[],
            IndexMap::Affine { parts, .. } => parts,
        }
    }

    /// The result of type `ty`.
    pub fn eval(&self, xs: &[&Tensor], ty: &TensorType) -> Tensor {
        let IndexMap::Affine { parts, fill } = self else {
            return Tensor { ty: ty.clone(), data: xs[0].data.clone() };
        };
        let steps: Vec<Vec<usize>> = xs.iter().map(|x| strides(&x.ty.shape)).collect();
        let place = |p: &Part, idx: &[usize]| -> Option<usize> {
            let mut flat = 0;
            for (d, at) in p.at.iter().enumerate() {
                let (i, n) = (at.value(idx), xs[p.operand].ty.shape[d] as i64);
                let i = if at.around { i.rem_euclid(n.max(1)) } else { i };
                if i < 0 || i >= n {
                    return None;
                }
                flat += i as usize * steps[p.operand][d];
            }
            Some(flat)
        };
        let source = |idx: &[usize]| parts.iter().find_map(|p| Some((p.operand, place(p, idx)?)));
        let fill = fill.unwrap_or(Scalar::of(ty.dtype, 0.0));
        if ty.dtype.is_float() {
            let fill = round(ty.dtype, fill.as_f64());
            let mut out = vec![fill; ty.elements() as usize];
            for_each_index(&ty.shape, |flat, idx| {
                if let Some((x, i)) = source(idx) {
                    out[flat] = xs[x].f(i);
                }
            });
            Tensor::floats(ty.dtype, &ty.shape, out)
        } else {
            let mut out = vec![fill.as_i64(); ty.elements() as usize];
            for_each_index(&ty.shape, |flat, idx| {
                if let Some((x, i)) = source(idx) {
                    out[flat] = xs[x].i(i);
                }
            });
            Tensor::ints(ty.dtype, &ty.shape, out)
        }
    }

    /// Which dims are the same index: a dim of an operand and one of the result, whole and from the start. One that goes around is
    /// that too where each device has one entry of it. All others are blocked, and so are those of the result that are made
    /// of them; a dim of the result that no coordinate names repeats what is there.
    pub fn factors(&self, xs: &[&TensorType], r: &TensorType) -> FactorRule {
        let IndexMap::Affine { parts, fill } = self else {
            return reshape_factors(r.dtype, &xs[0].shape, &r.shape);
        };
        let all: Vec<usize> = (0..xs.len()).collect();
        // What is filled in is in the whole once, not once in each summand.
        let zero = fill.is_none_or(|x| x.as_f64() == 0.0);
        let mut rule = FactorRule::elementwise(&r.shape, 0, if zero { vec![all.clone()] } else { Vec::new() });
        rule.commuting = moves(r.dtype, &all);
        // Where one part is alone, the others are whole; and a maximum with itself is itself, as it is of what is filled in.
        if xs.len() > 1 {
            rule.commuting.extend((0..xs.len()).flat_map(|i| moves(r.dtype, &[i])).filter(|s| s.0.is_idempotent()));
        }
        if !zero {
            rule.commuting.retain(|s| s.0.is_idempotent());
        }
        // The dim of the result that a coordinate is alone, of the same size.
        let same = |p: &Part, i: usize| match p.at[i].terms[..] {
            [(d, k)] if k.abs() == 1 && xs[p.operand].shape[i] == r.shape[d] => Some((d, k)),
            _ => None,
        };
        let shared = |p: &Part, i: usize| match same(p, i) {
            Some((d, 1)) if p.at[i].offset == 0 => Some(d),
            Some((d, _)) if p.at[i].around => Some(d),
            _ => None,
        };
        // The dim of the result begins as that of the only operand; beyond its end there are zeros.
        let resized = |p: &Part, i: usize| match p.at[i].terms[..] {
            [(d, 1)] if parts.len() == 1 && zero && p.at[i].offset == 0 && !p.at[i].around => {
                let (from, to) = (xs[p.operand].shape[i], r.shape[d]);
                (from != to && from > 0 && to > 0).then_some(from)
            }
            _ => None,
        };
        for (p, i) in parts.iter().flat_map(|p| (0..p.at.len()).map(move |i| (p, i))) {
            for &(d, _) in &p.at[i].terms {
                if let Some(from) = resized(p, i) {
                    rule.kinds[d] = FactorKind::Resized(from);
                } else if shared(p, i).is_none() {
                    rule.kinds[d] = FactorKind::Blocked;
                } else if p.at[i].around && rule.kinds[d] == FactorKind::Parallel {
                    rule.kinds[d] = FactorKind::Single;
                }
            }
        }
        rule.operands = vec![Vec::new(); xs.len()];
        for p in parts {
            for i in 0..p.at.len() {
                // The blocked dim of a reversal is one index all the same.
                let factor =
                    same(p, i).map(|s| s.0).filter(|&d| parts.len() == 1 || rule.kinds[d] != FactorKind::Blocked);
                let factor = factor.or(resized(p, i).and(p.at[i].terms.first()).map(|t| t.0));
                let factor = factor.unwrap_or_else(|| {
                    rule.sizes.push(xs[p.operand].shape[i]);
                    rule.kinds.push(FactorKind::Blocked);
                    rule.sizes.len() - 1
                });
                rule.operands[p.operand].push(vec![factor]);
            }
        }
        numbered_by_operand(rule)
    }
}

/// Factors of a mere change of order are numbered as the operand's dims.
fn numbered_by_operand(rule: FactorRule) -> FactorRule {
    let [dims] = &rule.operands[..] else { return rule };
    let order: Vec<usize> = dims.iter().flatten().copied().collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    if order.len() != rule.sizes.len() || !sorted.iter().copied().eq(0..order.len()) {
        return rule;
    }
    let place = |f: usize| vec![order.iter().position(|&x| x == f).unwrap_or(f)];
    FactorRule {
        sizes: order.iter().map(|&f| rule.sizes[f]).collect(),
        kinds: order.iter().map(|&f| rule.kinds[f]).collect(),
        operands: vec![(0..order.len()).map(|f| vec![f]).collect()],
        results: vec![rule.results[0].iter().flatten().map(|&f| place(f)).collect()],
        ..rule
    }
}

/// Splits two shapes of equal element count into common factors, major first. Where they do not line up the rest of the
/// group is blocked.
fn reshape_factors(dtype: DType, from: &[u64], to: &[u64]) -> FactorRule {
    let mut rule = FactorRule {
        sizes: Vec::new(),
        kinds: Vec::new(),
        operands: vec![vec![Vec::new(); from.len()]],
        results: vec![vec![Vec::new(); to.len()]],
        linear: vec![vec![0]],
        commuting: moves(dtype, &[0]),
    };
    let mut push = |size: u64, kind: FactorKind| {
        rule.sizes.push(size);
        rule.kinds.push(kind);
        rule.sizes.len() - 1
    };
    if from.contains(&0) || to.contains(&0) {
        for (i, &n) in from.iter().enumerate() {
            rule.operands[0][i].push(push(n, FactorKind::Blocked));
        }
        for (j, &n) in to.iter().enumerate() {
            rule.results[0][j].push(push(n, FactorKind::Blocked));
        }
        return rule;
    }
    let (mut i, mut j) = (0, 0);
    let (mut left, mut right) = (1u64, 1u64); // what is left of dims i-1 and j-1
    let mut aligned = true;
    loop {
        while left == 1 && i < from.len() {
            left = from[i];
            i += 1;
            if left == 1 {
                rule.operands[0][i - 1].push(push(1, FactorKind::Parallel));
            }
        }
        while right == 1 && j < to.len() {
            right = to[j];
            j += 1;
            if right == 1 {
                rule.results[0][j - 1].push(push(1, FactorKind::Parallel));
            }
        }
        if left == 1 && right == 1 {
            return rule;
        }
        let common = gcd(left, right);
        if aligned && (common == left || common == right) {
            let f = push(common, FactorKind::Parallel);
            rule.operands[0][i - 1].push(f);
            rule.results[0][j - 1].push(f);
            left /= common;
            right /= common;
            continue;
        }
        // Not nested: a common major factor is still one index, what follows is not.
        if aligned && common > 1 {
            let f = push(common, FactorKind::Parallel);
            rule.operands[0][i - 1].push(f);
            rule.results[0][j - 1].push(f);
            left /= common;
            right /= common;
        }
        aligned = false;
        if left > 1 {
            rule.operands[0][i - 1].push(push(left, FactorKind::Blocked));
            left = 1;
        }
        if right > 1 {
            rule.results[0][j - 1].push(push(right, FactorKind::Blocked));
            right = 1;
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
