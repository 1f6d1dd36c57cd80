//! What lies in an arena: a list of pieces, later ones over earlier ones.
//!
//! A piece is a set of elements at `base + sum(stride * coordinate)`, and what each of them is, as a function of its coordinates.
//! So a piece can have gaps that another one fills (the columns of a concatenation), and a buffer can hold different values in
//! different places (a stack that a loop writes). A reader looks for the piece that each of its elements is in, latest first;
//! where that depends on the element, the box is cut. Where a kernel does not do alike on all devices, a piece is on some of them:
//! the box of a reader is cut by devices too.

use crate::affine::Affine;
use crate::bytes::{Rounds, inside, meet, span};
use crate::index::{self, Index, Lying, Span};
use crate::place::{Padded, Place};
use crate::space::{Devices, Proof, Space, unfollowed, wrong};
use meshloom_bundle::program::Number;
use meshloom_kernels::{Access, DType, KernelSpec, NodeId};
use std::cell::Cell;
use std::rc::Rc;

/// A buffer as a launch found it.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    pub start: Affine,
    /// How many bytes it has.
    pub bytes: i64,
    pub memory: Rc<Memory>,
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
    /// The same, and a number around it.
    Padded(Box<Padded>),
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
            Content::Padded(p) => Content::Padded(Box::new(p.map(f))),
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

/// The pieces of an arena, or of the part of it that a launch was given.
#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    /// Another one after each write: memories with the same stamp are one.
    pub stamp: u64,
    pub rounds: Rounds,
    /// Each where it begins and ends at most, in all rounds.
    pieces: Index<Rc<Piece>>,
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
