//! Joins slices that a loop left side by side into the stack that they are.
//!
//! An iteration writes its slice of a stack as a value of the loop's body. A proof about a launch that reads all slices would be cut
//! into one box for each of them. But the stack is a value of the program too. So after a loop, memory is searched for slices that lie
//! one step apart and of which nothing was overwritten.
//!
//! Not here: loops that are followed as a whole, which leave stacks at once ([`crate::rounds`]).

use crate::affine::Affine;
use crate::memory::{Content, Piece};
use crate::piece::COORDINATES;
use crate::place::Place;
use crate::space::Devices;
use crate::state::State;
use crate::values::row;
use meshloom_ir::{Def, Func, Op, ValueId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the slices of one stack have in common: the stack, the iterations around its loop, the other coordinates, and how a slice lies.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    stack: ValueId,
    iterations: Rc<[Affine]>,
    at: Rc<[Affine]>,
    coordinates: Vec<(i64, u64)>,
    element: u64,
}

/// The stack that a value of a loop's body is a slice of, and the slice's row.
fn slice(func: &Func, p: &Place) -> Option<(ValueId, i64)> {
    let region = match func.value(p.value).def {
        Def::Arg(r, _) => r,
        Def::Op(o, _) => func.op(o).parent,
    };
    let loop_ = func.op(func.region(region).owner?);
    let Op::Repeat { trip, reverse, carries, early: false, .. } = loop_.op else { return None };
    let i = func.region(region).yields.iter().skip(carries).position(|&y| y == p.value)?;
    let now = p.iterations.last().filter(|n| n.terms.is_empty())?;
    Some((loop_.results[carries + i], row(trip, reverse, now).as_constant()?))
}

/// Makes stacks of slices that were written after a stamp.
pub(crate) fn gather(s: &mut State<'_>, since: u64) {
    let mut all: BTreeMap<Kind, BTreeMap<i64, Rc<Piece>>> = BTreeMap::new();
    for p in s.memory.on_top_since(since) {
        let Content::Value(place) = &p.content else { continue };
        if p.devices != Devices::default() || !p.base.terms.is_empty() {
            continue;
        }
        let Some((stack, row)) = slice(s.func, place) else { continue };
        let (around, at) = (&place.iterations[..place.iterations.len() - 1], place.at.clone());
        let (coordinates, element) = (p.coordinates.clone(), p.element);
        let kind = Kind { stack, iterations: around.into(), at, coordinates, element };
        all.entry(kind).or_default().insert(row, Rc::clone(p));
    }
    let whole = |(kind, slices): &(Kind, BTreeMap<i64, Rc<Piece>>)| {
        s.func.ty(kind.stack).shape.first().is_some_and(|&n| n > 1 && n == slices.len() as u64)
    };
    for (kind, slices) in all.into_iter().filter(whole).collect::<Vec<_>>() {
        if let Some(made) = stack(&kind, &slices) {
            s.exchange(slices.values(), made);
        }
    }
}

/// A stack of all of its slices, where these lie one step apart.
fn stack(kind: &Kind, slices: &BTreeMap<i64, Rc<Piece>>) -> Option<Piece> {
    let bases: Vec<i64> = slices.values().map(|p| p.base.offset).collect();
    let step = bases[1].checked_sub(bases[0])?;
    if step == 0 || bases.windows(2).any(|w| w[1].checked_sub(w[0]) != Some(step)) {
        return None;
    }
    let last = bases.len() as i64 - 1;
    let base = Affine::constant(bases[0].min(bases[last as usize]));
    let strides: Vec<i64> = kind.coordinates.iter().map(|c| c.0).chain([step.abs()]).collect();
    let sizes: Vec<u64> = kind.coordinates.iter().map(|c| c.1).chain([bases.len() as u64]).collect();
    Piece::strided(base, &strides, &sizes, kind.element, |index| {
        let slice = &index[kind.coordinates.len()];
        let row = if step < 0 { Affine::constant(last).minus(slice) } else { slice.clone() };
        let here = |a: &Affine| a.with(&|v| index.get(v.checked_sub(COORDINATES)? as usize).cloned());
        let at = [row].into_iter().chain(kind.at.iter().map(here)).collect();
        Content::Value(Place { value: kind.stack, iterations: Rc::clone(&kind.iterations), at })
    })
}
