//! Joins values that several instructions write part by part, so that memory has each of them as one piece.
//!
//! One instruction fills in the padding of a value, and a launch writes the rest. The operands of a concatenation are written by one
//! launch each. A proof about a launch that reads such a value would be cut into boxes, one for each part, and would compare a sum
//! over it part by part. So once a launch has written a part of a value, two cases are tried:
//! - A value in the middle of bytes that are all one number is a padded value. The addresses of both show that.
//! - The bytes around a part may be a value that the launch names. This is proved.
//!
//! Not here: outputs that are a whole value by themselves ([`crate::launch`]), and slices of stacks ([`crate::stacks`]).

use crate::affine::{Affine, Var};
use crate::again::Again;
use crate::exact::Exact;
use crate::memory::{Buffer, Content, Piece};
use crate::piece::COORDINATES;
use crate::place::{Padded, Place};
use crate::prove::Prover;
use crate::space::{Devices, Role};
use crate::state::State;
use crate::term::Term;
use meshloom_bundle::program::{Launch, Number};
use meshloom_ir::Op;
use std::rc::Rc;

/// The most comparisons of a proof that parts are a value.
const WORK: u32 = 1 << 12;

/// The most places at which a value may begin that are tried.
const TRIES: usize = 4;

/// Joins the values of which a launch wrote parts.
pub(crate) fn join(s: &mut State<'_>, again: &Again, l: &Launch, pieces: &[Piece]) {
    for p in pieces {
        if let Some(whole) = padded(s, p) {
            s.write(whole);
        }
    }
    if !l.ops.iter().any(|&o| s.func.ops.get(o as usize).is_some_and(|data| has_parts(&data.op))) {
        return;
    }
    let Ok(made) = s.made_by(&l.ops) else { return };
    for (start, bytes) in l.writes.iter().map(|&w| s.bytes(&l.args[w as usize])).collect::<Vec<_>>() {
        for place in made.iter().filter_map(|&v| s.place(v)) {
            let ty = s.func.ty(place.value);
            let size = ty.elements().checked_mul(ty.dtype.bytes()).and_then(|n| i64::try_from(n).ok());
            let Some(size) = size.filter(|&n| n >= bytes) else { continue };
            s.steps.take();
            let found = around(s, &start, bytes, size).into_iter().find(|b| is_all(s, b, &place));
            s.rests(again.least(s));
            if let Some(buffer) = found {
                let content = |at: Vec<Affine>| Content::Value(Place { at: at.into(), ..place });
                let piece = Piece::dense(buffer.start, &ty.shape, ty.dtype.bytes(), content);
                s.write(piece);
                break;
            }
        }
    }
}

/// Whether elements of a result are computed from different things, so that several launches may write them.
fn has_parts(op: &Op) -> bool {
    matches!(op, Op::Concatenate { .. } | Op::Pad { .. } | Op::Rotate { .. } | Op::Windows { .. } | Op::Scatter { .. })
}

/// The padded value that a piece and the bytes around it are, if these bytes are all one number.
fn padded(s: &State<'_>, p: &Piece) -> Option<Piece> {
    let (place, mut within, before) = match &p.content {
        Content::Value(place) => (place.clone(), Vec::new(), None),
        Content::Padded(inner) => (inner.place.clone(), inner.within.clone(), Some(inner.fill)),
        _ => return None,
    };
    let under = |from: &Affine, bytes: i64| match &s.looked(from, bytes)[..] {
        [top, under] if top.what.base == p.base && top.what.coordinates == p.coordinates => {
            Some(Rc::clone(&under.what))
        }
        _ => None,
    };
    let number = under(&p.base, p.reach())?;
    let Content::Number(x) = number.content else { return None };
    let alike = number.element == p.element && number.is_dense();
    let everywhere = [&number.devices, &p.devices].into_iter().all(|d| *d == Devices::default());
    // Nothing else lies on the number.
    if !alike || !everywhere || !Rc::ptr_eq(&under(&number.base, number.reach())?, &number) {
        return None;
    }
    let fill = filled(s, &place, x);
    if before.is_some_and(|b| !b.same(fill)) {
        return None;
    }
    let mut coordinates = Vec::with_capacity(p.coordinates.len());
    let (mut rest, mut room) = (p.base.minus(&number.base).as_constant()?, number.reach());
    let mut firsts = Vec::with_capacity(p.coordinates.len());
    for (k, &(stride, n)) in p.coordinates.iter().enumerate() {
        let all = u64::try_from(room / stride).ok()?;
        let first = u64::try_from(rest / stride).ok()?;
        if room % stride != 0 || first + n > all {
            return None;
        }
        if n < all {
            within.push((Affine::var(COORDINATES + k as Var), n));
        }
        firsts.push(first as i64);
        coordinates.push((stride, all));
        (rest, room) = (rest % stride, stride);
    }
    if rest != 0 || room != p.element as i64 {
        return None;
    }
    // Coordinates are counted from where the number begins.
    let of = |v: Var| Some(Affine::var(v).shifted(-*firsts.get(v.checked_sub(COORDINATES)? as usize)?));
    let content = Content::Padded(Box::new(Padded { place, within, fill }.map(&|a| a.with(&of))));
    Some(Piece { base: number.base.clone(), coordinates, element: p.element, content, devices: Devices::default() })
}

/// A number that was filled in, as one of the type of a value.
fn filled(s: &State<'_>, place: &Place, x: Number) -> Exact {
    match x {
        Number::Int(n) => Exact::Int(n),
        Number::Float(x) if s.func.ty(place.value).dtype.computed().is_float() => Exact::Float(x),
        Number::Float(x) => Exact::Int(x as i64),
    }
}

/// Where a value of a size may lie of which the bytes from `start` on are a part: it begins where a piece does, and ends where one does.
fn around(s: &State<'_>, start: &Affine, bytes: i64, size: i64) -> Vec<Buffer> {
    let room = size - bytes;
    let seen = s.looked(&start.shifted(-room), size + room);
    if seen.len() < 2 {
        return Vec::new();
    }
    let ends = seen.iter().filter_map(|p| {
        let first = p.what.base.minus(start).as_constant()?;
        Some((first, first.checked_add(p.what.reach())?))
    });
    let ends: Vec<(i64, i64)> = ends.collect();
    let begins = ends
        .iter()
        .map(|e| e.0)
        .filter(|&first| (-room..=0).contains(&first) && ends.iter().any(|e| first.checked_add(size) == Some(e.1)));
    let mut begins: Vec<i64> = begins.collect();
    begins.sort_unstable();
    begins.dedup();
    let buffer = |first: i64| Buffer { start: start.shifted(first), bytes: size, memory: Rc::clone(&s.memory) };
    begins.into_iter().take(TRIES).map(buffer).collect()
}

/// Whether a value is all that lies in a buffer, in row-major order.
fn is_all(s: &State<'_>, buffer: &Buffer, place: &Place) -> bool {
    let ty = s.func.ty(place.value);
    let (strides, dtype) = (crate::affine::dense(&ty.shape, ty.dtype.bytes() as i64), ty.dtype);
    let proved = s.facts.within(WORK, || {
        s.cases(|space| {
            let at = space.indices(&ty.shape, Role::Free);
            let address = at.iter().zip(&strides).fold(buffer.start.clone(), |sum, (i, &s)| sum.plus(i, s));
            let load = Term::Load { from: buffer.clone(), address, dtype };
            let place = Place { at: Rc::from(at), ..place.clone() };
            Prover::new(&s.facts, space).same(&load, &Term::Place(place))
        })
    });
    proved.is_ok()
}
