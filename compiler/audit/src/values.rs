//! Elements of the local program's values: which value's element an element is, as far as ops only move elements.
//!
//! Loops are followed iteration by iteration. The value of a loop's body has one element for each iteration of the loops around
//! it, so a [`Place`] says which.

use crate::affine::{Affine, Var, linear};
use crate::place::Place;
use crate::space::{Proof, Space, unfollowed, wrong};
use meshloom_ir::op::UNBOUNDED;
use meshloom_ir::{Arithmetic, At, Axis, Def, Func, IndexMap, Mesh, Op, OpId, RegionId, Scalar, TensorType, ValueId};
use std::rc::Rc;

/// What an element is a copy of.
pub(crate) enum Source {
    Place(Place),
    /// The number that an op fills in.
    Number(Scalar),
    /// Of nothing: an op computes it, or the program is given it.
    Itself,
}

/// The linear index of a device along axes, the first one major.
pub(crate) fn position(mesh: &Mesh, axes: &[Axis]) -> Affine {
    axes.iter().fold(Affine::default(), |sum, &a| {
        let own = if mesh.size(a) > 1 { Affine::var(Var::from(a.0)) } else { Affine::default() };
        sum.scaled(mesh.size(a) as i64).plus(&own, 1)
    })
}

/// A coordinate of an operand, of the result's coordinates.
fn coordinate(at: &At, of: &[Affine]) -> Affine {
    at.terms.iter().fold(Affine::constant(at.offset), |sum, &(d, k)| sum.plus(&of[d], k))
}

/// What the element at `p` is a copy of.
pub(crate) fn source(func: &Func, space: &Space, p: &Place) -> Proof<Source> {
    match func.value(p.value).def {
        Def::Arg(r, i) => argument(func, space, p, r, i as usize),
        Def::Op(o, i) => result(func, space, p, o, i as usize),
    }
}

fn argument(func: &Func, space: &Space, p: &Place, region: RegionId, i: usize) -> Proof<Source> {
    let Some(owner) = func.region(region).owner else { return Ok(Source::Itself) };
    let data = func.op(owner);
    let Op::Repeat { trip, reverse, carries, xs, .. } = data.op else {
        return Ok(Source::Place(Place { value: data.operands[i], ..p.clone() }));
    };
    let Some((now, around)) = p.iterations.split_last() else { return wrong("a loop's value outside of the loop") };
    let at = Rc::clone(&p.at);
    let place =
        |value, iterations: &[Affine], at| Ok(Source::Place(Place { value, iterations: iterations.into(), at }));
    let last = func.region(region).yields.get(i).copied();
    if i < carries && last != Some(p.value) {
        if around.is_empty() {
            space.steps.borrow_mut().carried(owner, now);
        }
        if space.at_least(now, 1)? {
            return place(func.region(region).yields[i], &[around, &[now.shifted(-1)]].concat(), at);
        }
    }
    if i >= carries && i < carries + xs {
        if around.is_empty() {
            space.steps.borrow_mut().sliced(data.operands[i]);
        }
        return place(data.operands[i], around, [&[row(trip, reverse, now)], &at[..]].concat().into());
    }
    place(data.operands[i], around, at)
}

/// The iteration that a row of a stack is of, and the row that an iteration is in.
pub(crate) fn row(trip: u64, reverse: bool, i: &Affine) -> Affine {
    if reverse { Affine::constant((trip as i64).wrapping_sub(1)).minus(i) } else { i.clone() }
}

fn result(func: &Func, space: &Space, p: &Place, o: OpId, i: usize) -> Proof<Source> {
    let data = func.op(o);
    let operand = |at: Vec<Affine>| {
        Ok(Source::Place(Place { value: data.operands[0], iterations: p.iterations.clone(), at: at.into() }))
    };
    match &data.op {
        // Nobody knows which iteration was the last one.
        Op::Repeat { early: true, .. } => Ok(Source::Itself),
        &Op::Repeat { trip, reverse, carries, .. } => {
            let body = func.region(data.regions[0]);
            let inside = |now: Affine| [&p.iterations[..], &[now]].concat().into();
            if trip == 0 || trip == UNBOUNDED {
                return unfollowed("a loop without iterations");
            }
            if i < carries {
                if p.iterations.is_empty() {
                    space.steps.borrow_mut().ended(o);
                }
                let value = body.yields[i];
                return Ok(Source::Place(Place {
                    value,
                    iterations: inside(Affine::constant(trip as i64 - 1)),
                    at: p.at.clone(),
                }));
            }
            // A slice of a stack is a value of the body where it is known which one.
            let slice = space.slice(&p.at[0])?.filter(|r| (0..trip as i64).contains(r)).map(Affine::constant);
            let slice = slice.or_else(|| space.is_inside().then(|| p.at[0].clone()));
            let Some(now) = slice.map(|i| row(trip, reverse, &i)) else { return stacked(func, space, p, o, i) };
            Ok(Source::Place(Place { value: body.yields[i], iterations: inside(now), at: p.at[1..].into() }))
        }
        Op::ShardSlice { axes, dim } => {
            let (block, size) = (func.ty(p.value).shape[*dim] as i64, func.ty(data.operands[0]).shape[*dim] as i64);
            let index = p.at[*dim].plus(&position(&func.mesh, axes), block);
            // Beyond the end of a dim that the devices do not divide, it is the last one.
            let (lo, hi) = space.range(&index);
            let index = match (0 <= lo && hi < size.into(), lo >= i128::from(size) - 1) {
                (true, _) => index,
                (_, true) => Affine::constant(size - 1),
                _ => return Ok(Source::Itself),
            };
            let mut at = p.at.to_vec();
            at[*dim] = index;
            operand(at)
        }
        // A choice between a value and itself.
        op if op.arithmetic() == Arithmetic::Select && data.operands[1] == data.operands[2] => {
            let value = data.operands[1];
            Ok(Source::Place(Place { value, iterations: p.iterations.clone(), at: p.at.clone() }))
        }
        op => {
            let types: Vec<&TensorType> = func.operand_types(o);
            match op.index_map(&types, func.ty(p.value)) {
                None => Ok(Source::Itself),
                Some(IndexMap::Flat) => {
                    let index = linear(&p.at, &func.ty(p.value).shape);
                    operand(space.unravel(&index, &types[0].shape)?)
                }
                Some(IndexMap::Affine { parts, fill }) => {
                    moved(space, p, data.operands.as_slice(), &types, &parts, fill)
                }
            }
        }
    }
}

/// The iteration of a loop, where it is not known which: a place in it stands for any.
const ANY: i64 = i64::MAX;

/// A slice of a stack, not known which one: the slice of what the loop was given, or of the first stack of the same values.
fn stacked(func: &Func, space: &Space, p: &Place, o: OpId, i: usize) -> Proof<Source> {
    let data = func.op(o);
    let &Op::Repeat { carries, xs, .. } = &data.op else { return Ok(Source::Itself) };
    let (body, row) = (data.regions[0], &p.at[0]);
    let yields = &func.region(body).yields;
    let with_row = |at: &[Affine]| [std::slice::from_ref(row), at].concat().into();
    let place = |value, at| Ok(Source::Place(Place { value, iterations: p.iterations.clone(), at }));
    let iterations = [&p.iterations[..], &[Affine::constant(ANY)]].concat().into();
    let mut inside = Place { value: yields[i], iterations, at: p.at[1..].into() };
    let mut first = None;
    loop {
        if let Some(j) = yields[carries..].iter().position(|&y| y == inside.value) {
            first = Some((data.results[carries + j], inside.at.clone()));
        }
        match func.value(inside.value).def {
            Def::Arg(r, k) if r == body && k as usize >= carries + xs => {
                return place(data.operands[k as usize], inside.at);
            }
            Def::Arg(r, k) if r == body && k as usize >= carries => {
                return place(data.operands[k as usize], with_row(&inside.at));
            }
            Def::Arg(r, _) if r == body => break,
            _ => {}
        }
        match source(func, space, &inside)? {
            Source::Place(next) => inside = next,
            Source::Number(x) => return Ok(Source::Number(x)),
            Source::Itself => break,
        }
    }
    match first.filter(|(value, _)| *value != p.value) {
        Some((value, at)) => place(value, with_row(&at)),
        None => Ok(Source::Itself),
    }
}

/// The first part whose coordinates lie inside of their operand.
fn moved(
    space: &Space,
    p: &Place,
    operands: &[ValueId],
    types: &[&TensorType],
    parts: &[meshloom_ir::Part],
    fill: Option<Scalar>,
) -> Proof<Source> {
    'parts: for part in parts {
        let shape = &types[part.operand].shape;
        let mut at = Vec::with_capacity(part.at.len());
        for (d, a) in part.at.iter().enumerate() {
            let mut c = coordinate(a, &p.at);
            if a.around {
                c = space.div_mod(&c, shape[d].max(1) as i64)?.1;
            }
            // The last part has the rest, if nothing is filled in: no cut is needed to know that.
            let sure = parts.len() == 1 && fill.is_none();
            if !sure && !space.within(&c, shape[d])? {
                continue 'parts;
            }
            at.push(c);
        }
        return Ok(Source::Place(Place {
            value: operands[part.operand],
            iterations: p.iterations.clone(),
            at: at.into(),
        }));
    }
    match fill {
        Some(x) => Ok(Source::Number(x)),
        None => wrong("an element that no operand has"),
    }
}

/// An element, the indices of it that are not always within its sizes, and what is there where they are not.
pub(crate) type Padding = (Place, Vec<(Affine, u64)>, Scalar);

/// What an op pads.
pub(crate) fn padding(func: &Func, space: &Space, p: &Place) -> Proof<Option<Padding>> {
    let Def::Op(o, _) = func.value(p.value).def else { return Ok(None) };
    let (data, types) = (func.op(o), func.operand_types(o));
    let Some(IndexMap::Affine { parts, fill: Some(fill) }) = data.op.index_map(&types, func.ty(p.value)) else {
        return Ok(None);
    };
    let [part] = &parts[..] else { return Ok(None) };
    if part.at.iter().any(|a| a.around) {
        return Ok(None);
    }
    let at: Rc<[Affine]> = part.at.iter().map(|a| coordinate(a, &p.at)).collect();
    let sizes = &types[part.operand].shape;
    let bounds = at.iter().cloned().zip(sizes.iter().copied());
    let bounds = bounds.filter(|(a, n)| {
        let (lo, hi) = space.range(a);
        lo < 0 || hi >= i128::from(*n)
    });
    let place = Place { value: data.operands[part.operand], iterations: p.iterations.clone(), at: Rc::clone(&at) };
    Ok(Some((place, bounds.collect(), fill)))
}
