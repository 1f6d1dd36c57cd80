//! The elements of a piece: where they lie, and which one an address is.
//!
//! Not here: what lies over what ([`crate::memory`]).

use crate::affine::{Affine, Var, dense};
use crate::memory::{Content, Piece};
use crate::space::{Devices, Proof, Space, wrong};

/// Where coordinates begin among the variables of a content: below are devices' positions.
pub(crate) const COORDINATES: Var = 1 << 16;

impl Piece {
    /// Bytes from its first to its last.
    pub fn reach(&self) -> i64 {
        let reach: i64 = self.coordinates.iter().map(|&(s, n)| s.saturating_mul(n as i64 - 1)).sum();
        reach.saturating_add(self.element as i64)
    }

    /// Whether it fills all bytes from its first to its last.
    pub fn is_dense(&self) -> bool {
        let mut step = self.element as i64;
        self.coordinates.iter().rev().all(|&(s, n)| std::mem::replace(&mut step, s.saturating_mul(n as i64)) == s)
    }

    /// Only those steps of its first coordinate of which something lies in some bytes, if these are not all.
    pub fn slice(&self, from: &Affine, bytes: i64) -> Option<Piece> {
        let (&(step, n), rest) = self.coordinates.split_first()?;
        let at = from.as_constant()?.checked_sub(self.base.as_constant()?)?;
        let first = at.div_euclid(step).max(0);
        let last = at.checked_add(bytes)?.checked_sub(1)?.div_euclid(step).min(n as i64 - 1);
        let count = u64::try_from(last.checked_sub(first)?.checked_add(1)?).ok().filter(|c| (1..n).contains(c))?;
        let one = count == 1;
        let of = |v: Var| match v.checked_sub(COORDINATES)? {
            0 if one => Some(Affine::constant(first)),
            0 => Some(Affine::var(COORDINATES).shifted(first)),
            i => Some(Affine::var(COORDINATES + i - Var::from(one))),
        };
        let base = self.base.shifted(first.checked_mul(step)?);
        let content = self.content.clone().map(&|a| a.with(&of));
        let coordinates = (!one).then_some((step, count)).into_iter().chain(rest.iter().copied()).collect();
        Some(Piece { base, coordinates, element: self.element, content, devices: self.devices.clone() })
    }

    /// Elements that lie one behind the other in row-major order.
    pub fn dense(base: Affine, shape: &[u64], element: u64, content: impl FnOnce(Vec<Affine>) -> Content) -> Piece {
        Piece::strided(base.clone(), &dense(shape, element as i64), shape, element, content).unwrap_or(Piece {
            base,
            coordinates: Vec::new(),
            element,
            content: Content::Padding,
            devices: Devices::default(),
        })
    }

    /// Elements of dims with these strides; `None` where two of them overlap. The content is given the index of each dim.
    pub fn strided(
        base: Affine,
        strides: &[i64],
        shape: &[u64],
        element: u64,
        content: impl FnOnce(Vec<Affine>) -> Content,
    ) -> Option<Piece> {
        let mut order: Vec<usize> = (0..shape.len()).filter(|&d| shape[d] > 1).collect();
        order.sort_by_key(|&d| std::cmp::Reverse(strides[d]));
        let mut end = element as i64;
        for &d in order.iter().rev() {
            if strides[d] < end {
                return None;
            }
            end = strides[d].checked_mul(shape[d] as i64 - 1)?.checked_add(end)?;
        }
        let index = |d: usize| match order.iter().position(|&x| x == d) {
            Some(i) => Affine::var(COORDINATES + i as Var),
            None => Affine::default(),
        };
        let content = content((0..shape.len()).map(index).collect());
        let coordinates = order.iter().map(|&d| (strides[d], shape[d])).collect();
        Some(Piece { base, coordinates, element, content, devices: Devices::default() })
    }

    /// With one coordinate for two that count as one, in memory and in what the elements are: digits of an index that a proof was cut
    /// for. Pieces that are alike are told by that.
    pub fn merged(mut self) -> Piece {
        for k in (1..self.coordinates.len()).rev() {
            let ((major, n), (minor, m)) = (self.coordinates[k - 1], self.coordinates[k]);
            let (v, w) = (COORDINATES + k as Var - 1, COORDINATES + k as Var);
            let one = |a: &Affine| a.factor(v) == a.factor(w).wrapping_mul(m as i64);
            let alike = match &self.content {
                Content::Value(p) => p.at.iter().chain(p.iterations.iter()).all(one),
                Content::Node { at, .. } => at.iter().all(one),
                _ => false,
            };
            if !alike || Some(major) != minor.checked_mul(m as i64) {
                continue;
            }
            // The major one goes, and those behind it have the number before.
            let of = |u: Var| (u >= v).then(|| if u == v { Affine::default() } else { Affine::var(u - 1) });
            self.content = self.content.map(&|a| a.with(&of));
            self.coordinates[k] = (minor, n * m);
            self.coordinates.remove(k - 1);
        }
        self
    }

    /// The coordinates of the element at an address; `None` where no element of the piece is there.
    pub fn coordinates_of(&self, space: &Space, address: &Affine, element: u64) -> Proof<Option<Vec<Affine>>> {
        let mut rest = address.minus(&self.base);
        let mut at = Vec::with_capacity(self.coordinates.len());
        for &(stride, n) in &self.coordinates {
            let (q, r) = space.div_mod(&rest, stride)?;
            if !space.within(&q, n)? {
                return Ok(None);
            }
            at.push(q);
            rest = r;
        }
        let rest = space.known(&rest);
        if rest == Affine::default() {
            return if element == self.element
                || matches!(self.content, Content::Padding | Content::Unknown(_) | Content::Skipped(_))
            {
                Ok(Some(at))
            } else {
                wrong(format!("reads elements of {element} bytes where there are elements of {}", self.element))
            };
        }
        // Between the elements of the piece, or in the middle of one.
        if !space.within(&rest, self.element)? && !space.within(&rest.shifted(element as i64 - 1), element)? {
            return Ok(None);
        }
        match (&self.content, rest.as_constant()) {
            (Content::Padding | Content::Unknown(_) | Content::Skipped(_), _) => Ok(Some(at)),
            (_, Some(_)) => wrong("reads across elements"),
            _ => space.within(&rest, 1).map(|same| same.then_some(at)),
        }
    }
}

/// A sum over coordinates, at these.
pub(crate) fn at_coordinates(a: &Affine, at: &[Affine]) -> Affine {
    a.with(&|v| v.checked_sub(COORDINATES).and_then(|i| at.get(i as usize).cloned()))
}
