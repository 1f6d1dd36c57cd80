//! Manual regions: a program for one device over some mesh axes, turned into a global program.
//!
//! Inside `manual(axis) { .. }` a tensor is what one device of the axis has, and collectives are written by hand. That is a
//! local program, which `interp::spmd` defines. This module makes a global program of it. A value that differs along an axis
//! gets one more dim, which is as long as the axis and pinned to it: index `i` of the dim is what device `i` has. A value that
//! is the same on all devices of an axis gets no such dim, and is pinned to be replicated over the axis. A collective is then an
//! op on dims. `all_reduce` reduces the dim of the axis; `all_gather` moves that dim in front of another one and merges the two.
//!
//! So interpreter, gradients, planner and certificate need to know nothing of manual regions. Since every value is pinned, the
//! plan has over these axes the collectives that were written. Over all other axes the planner chooses layouts as usual. Each
//! value has the set of axes along which it varies (JAX calls them varying manual axes). So a result that the source declares to
//! be the same on all devices is checked.
//!
//! Not here: the syntax. [`enter`] and [`leave`] are what the layouts of inputs and results mean. Nor collectives that planning
//! inserts.

mod batch;
mod collective;
mod early;
mod region;

use crate::builder::Builder;
use crate::graph::{Func, ValueId};
use crate::layout::{Constraint, DimSpec};
use crate::mesh::Axis;
use crate::op::Op;
use crate::span::Span;
use crate::types::Literal;
use std::collections::BTreeSet;

pub use region::lift;

/// A value of a manual region in the global program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lifted {
    /// Its dims are the axes of `over`, and then those that it has on one device.
    pub value: ValueId,
    /// Manual axes along which devices have different values, in the mesh's order.
    pub over: Vec<Axis>,
    /// It depends on no input, so every device makes what it needs of it.
    made: bool,
}

/// Why a program has no global form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused {
    pub span: Span,
    pub message: String,
    pub help: &'static str,
}

/// Where the axes of each dim stand: the manual ones, major first.
pub type Split = Vec<Vec<Axis>>;

/// The annotation of a value that varies along `over` and is the same along the other manual axes.
fn pin(rank: usize, over: &[Axis], manual: &[Axis]) -> Constraint {
    let lead = over.iter().map(|&a| DimSpec::Exactly(vec![a]));
    let rest = (over.len()..rank).map(|_| DimSpec::AtLeast(Vec::new()));
    let replicated = manual.iter().copied().filter(|a| !over.contains(a)).collect();
    Constraint { replicated, ..Constraint::of(lead.chain(rest).collect()) }
}

/// The global value `v` as the region sees it: each device of the axes that `split` names has its block. The axes divide their
/// dims. `also` are axes that split the dims of `v` besides, behind the manual ones; others may.
pub fn enter(b: &mut Builder, v: ValueId, split: &Split, also: &Split, manual: &[Axis]) -> Lifted {
    let used: BTreeSet<Axis> = split.iter().flatten().copied().collect();
    let dims = split.iter().zip(also).map(|(s, a)| DimSpec::AtLeast(s.iter().chain(a).copied().collect()));
    let replicated = manual.iter().copied().filter(|a| !used.contains(a)).collect();
    let pinned = Constraint { replicated, ..Constraint::of(dims.collect()) };
    let v = b.op(Op::Constrain(pinned), &[v]);
    let over: Vec<Axis> = used.into_iter().collect();
    let mut shape = Vec::new();
    let (mut lead, mut own) = (vec![0; over.len()], Vec::new());
    for (n, axes) in b.shape(v).into_iter().zip(split) {
        for &a in axes {
            lead[over.iter().position(|&o| o == a).unwrap_or(0)] = shape.len();
            shape.push(b.func.mesh.size(a));
        }
        own.push(shape.len());
        shape.push(n / b.func.mesh.group_size(axes));
    }
    let apart = b.reshape(v, &shape);
    lead.extend(own);
    let value = b.transpose(apart, &lead);
    Lifted { value, over, made: false }
}

/// The global value of which each device of the axes that `split` names has a block `x`.
///
/// # Errors
/// The axes along which `x` varies that `split` does not name.
pub fn leave(b: &mut Builder, x: &Lifted, split: &Split, also: &Split, manual: &[Axis]) -> Result<ValueId, Vec<Axis>> {
    let used: BTreeSet<Axis> = split.iter().flatten().copied().collect();
    let lost: Vec<Axis> = x.over.iter().copied().filter(|a| !used.contains(a)).collect();
    if !lost.is_empty() {
        return Err(lost);
    }
    let over: Vec<Axis> = used.into_iter().collect();
    let v = spread(b, x, &over);
    let own = b.shape(v).split_off(over.len());
    let (mut order, mut merged) = (Vec::new(), Vec::new());
    for (d, axes) in split.iter().enumerate() {
        order.extend(axes.iter().filter_map(|a| over.iter().position(|o| o == a)));
        order.push(over.len() + d);
        merged.push(own[d] * b.func.mesh.group_size(axes));
    }
    let together = b.transpose(v, &order);
    let whole = b.reshape(together, &merged);
    let dims = split.iter().zip(also).map(|(s, a)| DimSpec::AtLeast(s.iter().chain(a).copied().collect()));
    let replicated = manual.iter().copied().filter(|a| !over.contains(a)).collect();
    Ok(b.op(Op::Constrain(Constraint { replicated, ..Constraint::of(dims.collect()) }), &[whole]))
}

/// What the first device along `axes` has of `x`, which varies along them: the same for all of them.
pub fn first(b: &mut Builder, x: &Lifted, axes: &[Axis]) -> Lifted {
    let shape = b.shape(x.value);
    let mut limit = shape.clone();
    for (n, _) in limit.iter_mut().zip(&x.over).filter(|(_, a)| axes.contains(a)) {
        *n = 1;
    }
    let one = b.op(Op::Slice { start: vec![0; shape.len()], limit: limit.clone() }, &[x.value]);
    let gone = |d: usize| x.over.get(d).is_some_and(|a| axes.contains(a));
    let kept: Vec<u64> = limit.into_iter().enumerate().filter(|&(d, _)| !gone(d)).map(|(_, n)| n).collect();
    let value = b.reshape(one, &kept);
    let over = x.over.iter().copied().filter(|a| !axes.contains(a)).collect();
    Lifted { value, over, made: false }
}

/// `x` with a dim for each axis of `over`, which are at least its own: devices that have the same value have copies.
fn spread(b: &mut Builder, x: &Lifted, over: &[Axis]) -> ValueId {
    let shape = b.shape(x.value);
    let lead = x.over.iter().filter_map(|a| over.iter().position(|o| o == a));
    let own = shape.len() - x.over.len();
    let dims: Vec<usize> = lead.chain((0..own).map(|d| over.len() + d)).collect();
    let mut to = sizes(&b.func, over);
    to.extend(&shape[x.over.len()..]);
    if let Some(Op::Constant { dtype, value: value @ Literal::Splat(_), .. }) =
        b.func.def_op(x.value).map(|o| &b.func.op(o).op)
    {
        let op = Op::Constant { dtype: *dtype, shape: to, value: value.clone() };
        return b.op(op, &[]);
    }
    b.broadcast(x.value, &to, &dims)
}

fn sizes(func: &Func, axes: &[Axis]) -> Vec<u64> {
    axes.iter().map(|&a| func.mesh.size(a)).collect()
}

/// Both lists, in the mesh's order.
fn union(a: &[Axis], b: &[Axis]) -> Vec<Axis> {
    a.iter().chain(b).copied().collect::<BTreeSet<_>>().into_iter().collect()
}
