//! What lies in an arena: a list of pieces, later ones over earlier ones.
//!
//! A piece is a set of elements at `base + sum(stride * coordinate)`, and what each of them is, as a function of its coordinates.
//! So a piece can have gaps that another one fills (the columns of a concatenation), and a buffer can hold different values in
//! different places (a stack that a loop writes). A reader looks for the piece that each of its elements is in, latest first;
//! where that depends on the element, the box is cut. Where a kernel does not do alike on all devices, a piece is on some of them:
//! the box of a reader is cut by devices too.

use crate::affine::{Affine, Var, dense};
use crate::index::{self, Index, Lying, Span};
use crate::space::{Devices, Proof, Space, unfollowed, wrong};
use meshloom_bundle::program::Number;
use meshloom_ir::ValueId;
use meshloom_kernels::{Access, DType, KernelSpec, NodeId};
use std::cell::Cell;
use std::rc::Rc;

/// An element of a value of the local program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub value: ValueId,
    /// Which iteration of each loop around it, outermost first. Iterations are counted as they run.
    pub iterations: Rc<[Affine]>,
    /// The coordinate along each dim.
    pub at: Rc<[Affine]>,
}

impl Place {
    /// With other sums in the place of those that it is made of.
    pub fn map(&self, f: &dyn Fn(&Affine) -> Affine) -> Place {
        // Most iterations are numbers.
        let fixed = self.iterations.iter().all(|i| i.terms.is_empty());
        let iterations = if fixed { Rc::clone(&self.iterations) } else { self.iterations.iter().map(f).collect() };
        Place { value: self.value, iterations, at: self.at.iter().map(f).collect() }
    }
}

/// A buffer as a launch found it.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub start: Affine,
    /// How many bytes it has.
    pub bytes: i64,
    pub memory: Rc<Memory>,
}

/// Bytes of the arena: where they begin, and how many.
pub(crate) type Bytes = (Affine, i64);

/// The variable that counts the rounds of a loop that is followed as a whole, and how many rounds there are.
pub(crate) type Rounds = Option<(Var, u64)>;

/// The least and the greatest distance of two sums of rounds.
pub(crate) fn apart(rounds: Rounds, a: &Affine, b: &Affine) -> Option<(i64, i64)> {
    if a.terms == b.terms {
        let d = a.offset.saturating_sub(b.offset);
        return Some((d, d));
    }
    let d = a.minus(b);
    match (&d.terms[..], rounds) {
        (&[(v, c)], Some((round, n))) if v == round => {
            let end = c.saturating_mul(n as i64 - 1);
            Some((d.offset.saturating_add(end.min(0)), d.offset.saturating_add(end.max(0))))
        }
        _ => None,
    }
}

/// Whether bytes may overlap in some round.
pub(crate) fn meet(rounds: Rounds, a: (&Affine, i64), b: (&Affine, i64)) -> bool {
    apart(rounds, a.0, b.0).is_none_or(|(lo, hi)| lo < b.1 && hi > -a.1)
}

/// Whether bytes lie among others in every round.
pub(crate) fn inside(rounds: Rounds, a: (&Affine, i64), b: (&Affine, i64)) -> bool {
    apart(rounds, a.0, b.0).is_some_and(|(lo, hi)| lo >= 0 && hi.saturating_add(a.1) <= b.1)
}

impl Buffer {
    pub fn bytes(&self) -> (&Affine, i64) {
        (&self.start, self.bytes)
    }
}

/// A launch for a microbatch: the number of its first proof, and the microbatch.
pub(crate) type Twin = (usize, i64);

/// A launch: what it computes, and what its buffers held before.
#[derive(Debug)]
pub(crate) struct Launched {
    pub spec: Rc<KernelSpec>,
    pub buffers: Vec<Buffer>,
    /// The launch's dims, which depend on the device.
    pub dims: Vec<Affine>,
    /// Its number in the list of all launches of a step, for messages.
    pub number: usize,
    /// In an action of a pipeline stage: the first launch that left the same, and its own microbatch ([`crate::again`]).
    pub twin: Option<Twin>,
}

impl Launched {
    /// The same launch, without what lies elsewhere in the arena: so that the arena need not be copied for what is left of it.
    pub fn alone(&self) -> Launched {
        let part = |b: &Buffer| Buffer {
            start: b.start.clone(),
            bytes: b.bytes,
            memory: match self.dims.is_empty() {
                true => Rc::new(b.memory.of_part(&b.start, b.bytes)),
                // Where it reads depends on the device, and may be beyond.
                false => Rc::clone(&b.memory),
            },
        };
        Launched {
            spec: Rc::clone(&self.spec),
            buffers: self.buffers.iter().map(part).collect(),
            dims: self.dims.clone(),
            number: self.number,
            twin: self.twin,
        }
    }

    /// The address of an access at a point of the kernel's space.
    pub fn address(&self, access: &Access, dtype: DType, at: &[Affine]) -> Affine {
        let mut element = Affine::constant(access.offset);
        for (i, &s) in at.iter().zip(&access.strides) {
            element = element.plus(i, s);
        }
        if let Some(start) = access.start {
            element = element.plus(&self.dims[start.dim as usize], start.stride);
        }
        element.scaled(dtype.bytes() as i64).plus(&self.buffers[access.buffer as usize].start, 1)
    }
}

/// What a launch found another one left, and so on through all iterations of a loop that updates a buffer in place. One is given
/// back after the other, so no such chain is too long for the stack.
impl Drop for Launched {
    fn drop(&mut self) {
        let mut open: Vec<Buffer> = std::mem::take(&mut self.buffers);
        while let Some(buffer) = open.pop() {
            let pieces = Rc::into_inner(buffer.memory).map_or_else(Index::default, |m| m.pieces);
            for piece in pieces.into_all().filter_map(Rc::into_inner) {
                if let Content::Node { by, .. } | Content::Sorted { by, .. } = piece.content
                    && let Some(mut by) = Rc::into_inner(by)
                {
                    open.append(&mut by.buffers);
                }
            }
        }
    }
}

/// What an element is. Variables are numbers of coordinates, but for devices' positions, which are themselves.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// An element of a value of the local program.
    Value(Place),
    /// What a kernel computed at this point of its space.
    Node { by: Rc<Launched>, node: NodeId, at: Vec<Affine> },
    /// One number everywhere.
    Number(Number),
    /// Positions sorted by the row that they name, or where each row's begin, by this launch.
    Sorted { by: Rc<Launched>, rows: bool },
    /// Bytes that nobody may depend on.
    Padding,
    /// Bytes of which nothing is known, and why.
    Unknown(String),
    /// What a launch left that was not run for this microbatch ([`crate::turns`]): whoever reads it sets the flag.
    Skipped(Rc<Cell<bool>>),
}

impl Content {
    /// With other sums in the place of those that it depends on.
    pub fn map(self, f: &dyn Fn(&Affine) -> Affine) -> Content {
        match self {
            Content::Value(p) => Content::Value(p.map(f)),
            Content::Node { by, node, at } => Content::Node { by, node, at: at.iter().map(f).collect() },
            other => other,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub base: Affine,
    /// Strides in bytes, largest first, each with its number of coordinates; strides are larger than all smaller ones reach.
    pub coordinates: Vec<(i64, u64)>,
    /// Bytes of an element.
    pub element: u64,
    pub content: Content,
    /// The devices that have it.
    pub devices: Devices,
}

/// Where coordinates begin among the variables of a content: below are devices' positions.
pub(crate) const COORDINATES: Var = 1 << 16;

impl Piece {
    /// Bytes from its first to its last.
    pub fn reach(&self) -> i64 {
        let reach: i64 = self.coordinates.iter().map(|&(s, n)| s.saturating_mul(n as i64 - 1)).sum();
        reach.saturating_add(self.element as i64)
    }

    /// Whether it fills all bytes from its first to its last.
    fn is_dense(&self) -> bool {
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
    fn coordinates_of(&self, space: &Space, address: &Affine, element: u64) -> Proof<Option<Vec<Affine>>> {
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

/// The pieces of an arena, or of the part of it that a launch was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// Another one after each write: memories with the same stamp are one.
    pub stamp: u64,
    pub rounds: Rounds,
    /// Each where it begins and ends at most, in all rounds.
    pieces: Index<Rc<Piece>>,
}

/// The addresses of some bytes in all rounds; all that there are where that is not known.
fn span(rounds: Rounds, from: &Affine, bytes: i64) -> Span {
    match (&from.terms[..], rounds) {
        ([], _) => (from.offset, from.offset.saturating_add(bytes)),
        (&[(v, c)], Some((round, n))) if v == round => {
            let end = c.saturating_mul((n as i64).saturating_sub(1));
            let (lo, hi) = (from.offset.saturating_add(end.min(0)), from.offset.saturating_add(end.max(0)));
            (lo, hi.saturating_add(bytes))
        }
        _ => (i64::MIN, i64::MAX),
    }
}

impl Memory {
    /// Writes a piece; the stamp is the write's.
    pub fn write(&mut self, piece: Piece) {
        let (rounds, reach, dense) = (self.rounds, piece.reach(), piece.is_dense());
        let new = Rc::new(piece);
        let piece = Rc::clone(&new);
        let hidden = |p: &Rc<Piece>| {
            piece.devices.has(&p.devices)
                && match dense {
                    true => inside(rounds, (&p.base, p.reach()), (&piece.base, reach)),
                    false => p.base == piece.base && p.coordinates == piece.coordinates && p.element == piece.element,
                }
        };
        self.pieces.put(span(rounds, &piece.base, reach), self.stamp, new, hidden);
    }

    /// The pieces that were written after a stamp, first ones first.
    pub fn since(&self, stamp: u64) -> impl Iterator<Item = &Rc<Piece>> {
        self.pieces.since(stamp).into_iter().map(|x| &x.what)
    }

    /// What of some bytes can be read and was written before a stamp: which of the bytes.
    pub fn older(
        &self,
        seen: &[&Lying<Rc<Piece>>],
        stamp: u64,
        from: &Affine,
        bytes: i64,
    ) -> impl Iterator<Item = Span> {
        let all = span(self.rounds, from, bytes);
        let old = seen.iter().filter(move |x| x.born <= stamp);
        old.map(move |x| (x.span.0.max(all.0), x.span.1.min(all.1)))
    }

    /// What lies in some bytes.
    pub fn part(&self, from: &Affine, bytes: i64) -> impl DoubleEndedIterator<Item = &Rc<Piece>> {
        let mut near = self.pieces.near(span(self.rounds, from, bytes));
        near.retain(|x| meet(self.rounds, (&x.what.base, x.what.reach()), (from, bytes)));
        near.into_iter().map(|x| &x.what)
    }

    /// What of some bytes can be read: the pieces there, latest first, but for those that a later one without gaps lies over.
    pub fn seen(&self, from: &Affine, bytes: i64) -> index::Some<'_, Rc<Piece>> {
        let mut seen = index::Some::new();
        for x in self.pieces.near(span(self.rounds, from, bytes)).into_iter().rev() {
            let p = &x.what;
            if !meet(self.rounds, (&p.base, p.reach()), (from, bytes)) {
                continue;
            }
            // What of the piece is among the bytes lies under one piece: where all begin at numbers, and in all bytes else.
            let hides = |q: &&Lying<Rc<Piece>>| {
                let q = &q.what;
                let own = match (p.base.as_constant(), from.as_constant()) {
                    (Some(base), Some(from)) => {
                        let (lo, hi) = (base.max(from), base.saturating_add(p.reach()).min(from.saturating_add(bytes)));
                        (Affine::constant(lo), hi - lo)
                    }
                    _ => (p.base.clone(), p.reach()),
                };
                q.devices == Devices::default()
                    && q.is_dense()
                    && inside(self.rounds, (&own.0, own.1), (&q.base, q.reach()))
            };
            if !seen.iter().any(hides) {
                seen.push(x);
            }
        }
        seen
    }

    /// Whether no later piece lies over one.
    fn is_on_top(&self, x: &Lying<Rc<Piece>>) -> bool {
        let own = (&x.what.base, x.what.reach());
        let mut over = self.pieces.over(span(self.rounds, own.0, own.1), x.born);
        !over.any(|q| meet(self.rounds, (&q.what.base, q.what.reach()), own))
    }

    /// The pieces that no later one lies over, first ones first: all of their elements are there.
    pub fn on_top(&self) -> impl Iterator<Item = &Rc<Piece>> {
        self.pieces.by_age().into_iter().filter(|x| self.is_on_top(x)).map(|x| &x.what)
    }

    /// Those of them that were written after a stamp.
    pub fn on_top_since(&self, stamp: u64) -> impl Iterator<Item = &Rc<Piece>> {
        self.pieces.since(stamp).into_iter().filter(|x| self.is_on_top(x)).map(|x| &x.what)
    }

    /// Without some pieces.
    pub fn without(&mut self, some: &[&Rc<Piece>]) {
        self.pieces.retain(|p| !some.iter().any(|q| Rc::ptr_eq(p, q)));
    }

    /// As a buffer holds it: what lies in these bytes alone.
    pub fn of_part(&self, from: &Affine, bytes: i64) -> Memory {
        let pieces = self.pieces.of_part(span(self.rounds, from, bytes));
        Memory { stamp: self.stamp, rounds: self.rounds, pieces }
    }

    /// Whether a piece lies within some bytes.
    pub fn is_within(&self, piece: &Piece, from: &Affine, bytes: i64) -> bool {
        inside(self.rounds, (&piece.base, piece.reach()), (from, bytes))
    }

    /// The piece that all elements at these addresses are in, and their coordinates there.
    pub fn read(&self, space: &Space, address: &Affine, element: u64) -> Proof<(Rc<Piece>, Vec<Affine>)> {
        let (lo, hi) = space.range(address);
        let near = |p: &&Rc<Piece>| {
            let (lo, hi) = match p.base.as_constant() {
                Some(base) => (lo - i128::from(base), hi - i128::from(base)),
                None => space.range(&address.minus(&p.base)),
            };
            hi + i128::from(element) > 0 && lo < p.reach().into()
        };
        let bound = |n: i128| n.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        let all = (bound(lo), bound(hi.saturating_add(element.into())));
        for p in self.pieces.near(all).iter().rev().map(|x| &x.what).filter(near) {
            if space.are_none_of(&p.devices) {
                continue;
            }
            if let Some(at) = p.coordinates_of(space, address, element)? {
                if !space.are_among(&p.devices)? {
                    continue;
                }
                return match &p.content {
                    Content::Padding => wrong("reads bytes that nothing of the program is in"),
                    Content::Unknown(why) => unfollowed(why.clone()),
                    Content::Skipped(read) => {
                        read.set(true);
                        unfollowed("what was not run for this microbatch")
                    }
                    _ => Ok((Rc::clone(p), at)),
                };
            }
        }
        wrong("reads bytes that nothing wrote")
    }
}

/// A sum over coordinates, at these.
pub(crate) fn at_coordinates(a: &Affine, at: &[Affine]) -> Affine {
    a.with(&|v| v.checked_sub(COORDINATES).and_then(|i| at.get(i as usize).cloned()))
}
