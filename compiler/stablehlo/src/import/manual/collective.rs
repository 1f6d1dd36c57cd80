//! StableHLO's collectives, in manual regions, by the local ops of the IR: over axes where groups of devices are these, and else over
//! the axes in which members of a group differ ([`super::groups`]).

use super::enclosed::Made;
use super::groups::{Groups, Listed, flag};
use crate::import::reduce::kind_of;
use crate::import::regions::NamedRegion;
use crate::import::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::table::contract::identity_of;
use meshloom_ir::{Axis, DType, Op as Ir, Reduction, ValueId};

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.all_reduce", all_reduce),
    ("stablehlo.all_gather", all_gather),
    ("stablehlo.reduce_scatter", reduce_scatter),
    ("stablehlo.all_to_all", all_to_all),
    ("stablehlo.collective_broadcast", broadcast),
    ("stablehlo.collective_reduce", reduce),
];

impl Import<'_> {
    /// How the body of a collective combines two elements.
    fn combining(&self, op: &TextOp<'_>, dtype: DType) -> Result<Reduction, String> {
        let region = NamedRegion::of(op, 0)?;
        let one = region.one_op().and_then(|one| kind_of(one.name, dtype));
        one.map(|k| k.0).ok_or_else(|| {
            format!("the body of `{}` is not one of add, multiply, maximum, minimum, and, or\ngather the values, and combine them", op.name)
        })
    }

    /// Does a reduction between devices as it is done for elements of this type.
    fn between(
        &mut self,
        kind: Reduction,
        x: ValueId,
        element: &str,
        op: impl Fn(&mut Self, Reduction, ValueId) -> Result<ValueId, String>,
    ) -> Result<ValueId, String> {
        if self.b.ty(x).dtype == DType::Bool {
            let kind = if kind == Reduction::Or { Reduction::Max } else { Reduction::Min };
            let x = self.convert(x, DType::I32)?;
            let out = op(self, kind, x)?;
            let zero = self.b.constant_like(out, 0.0);
            return self.elem("compare_ne", &[out, zero]);
        }
        if element == "ui64" && matches!(kind, Reduction::Max | Reduction::Min) {
            let x = self.flipped(x)?;
            let out = op(self, kind, x)?;
            return self.flipped(out);
        }
        op(self, kind, x)
    }

    /// What a group's devices have, combined, on each of them.
    fn summed(&mut self, op: &TextOp<'_>, x: ValueId, groups: &Groups) -> Result<ValueId, String> {
        let kind = self.combining(op, self.b.ty(x).dtype)?;
        let element = op.elements()[0];
        match groups {
            Groups::Along(axes) if axes.is_empty() => Ok(x),
            Groups::Along(axes) => {
                self.between(kind, x, element, |i, kind, x| i.emit(Ir::AllReduce { axes: axes.clone(), kind }, &[x]))
            }
            Groups::Listed(listed) => self.between(kind, x, element, |i, kind, x| {
                let none = identity_of(kind, i.b.ty(x).dtype);
                let all = i.of_members(x, listed, Some(none))?;
                i.reduce(kind, all, &[0])
            }),
        }
    }

    /// The operands that are sent, each with its root's place in the group where roots are computed.
    fn rooted(&mut self, op: &TextOp<'_>) -> Result<Vec<(ValueId, Option<ValueId>)>, String> {
        let mut xs = self.operands(op)?;
        if !flag(op, "has_dynamic_root") {
            return Ok(xs.into_iter().map(|x| (x, None)).collect());
        }
        let roots = xs.pop().ok_or("the operand of the roots is missing")?;
        if self.b.shape(roots) != [xs.len() as u64] {
            return Err("the last operand is not one root for each of the others".to_string());
        }
        let roots = self.convert(roots, DType::I32)?;
        let mut out = Vec::new();
        for (k, x) in xs.into_iter().enumerate() {
            let root = self.range(roots, 0, k as u64, k as u64 + 1)?;
            out.push((x, Some(self.reshaped(root, &[])?)));
        }
        Ok(out)
    }

    /// `x` on devices where `here` is true, and zeros on others.
    fn only(&mut self, here: ValueId, x: ValueId) -> Result<ValueId, String> {
        let shape = self.b.shape(x);
        let here = self.broadcast(here, &shape, &[])?;
        let zero = self.b.constant_like(x, 0.0);
        self.select(here, x, zero)
    }

    /// The `n` blocks of a dim, in a new first dim.
    fn blocks_of(&mut self, x: ValueId, dim: usize, n: u64) -> Result<ValueId, String> {
        let mut shape = self.b.shape(x);
        shape.splice(dim..=dim, [n, shape[dim] / n]);
        let x = self.reshaped(x, &shape)?;
        self.permuted(x, &[dim])
    }

    /// The blocks of a dim in another order: `order` has a row for each device of the module's mesh.
    fn blocks(&mut self, x: ValueId, dim: usize, order: &[Vec<u64>]) -> Result<ValueId, String> {
        let n = order.first().map_or(1, Vec::len) as u64;
        let shape = self.b.shape(x);
        let x = self.blocks_of(x, dim, n)?;
        let x = self.taken(x, order)?;
        let back: Vec<usize> = (1..=dim).chain([0]).collect();
        let x = self.permuted(x, &back)?;
        self.reshaped(x, &shape)
    }

    /// Of the blocks of a dim, as many as a group has members, the one of this device.
    fn own_block(&mut self, x: ValueId, dim: usize, n: u64, groups: &Groups) -> Result<ValueId, String> {
        let mut shape = self.b.shape(x);
        let x = self.blocks_of(x, dim, n)?;
        let place = self.place_in(groups)?;
        let x = self.row(x, place)?;
        shape[dim] /= n;
        self.reshaped(x, &shape)
    }

    /// Whether a group can have equal parts of a dim.
    fn shared(&self, x: ValueId, dim: usize, devices: u64) -> Result<(), String> {
        let size = self.b.ty(x).shape[dim];
        match size.is_multiple_of(devices) {
            true => Ok(()),
            false => Err(format!("a dim of {size} has no equal parts for {devices} devices")),
        }
    }
}

fn all_reduce(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let groups = i.groups_of(op, false)?;
    if let Groups::Listed(listed) = &groups
        && !listed.covers()
    {
        return Err("its groups leave devices out".to_string());
    }
    i.operands(op)?.into_iter().map(|x| i.summed(op, x, &groups)).collect()
}

/// The sums, on the first device of each group or on that at a place that is computed; others have zeros.
fn reduce(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let groups = i.groups_of(op, true)?;
    let xs = i.rooted(op)?;
    let one = |(x, root): (ValueId, Option<ValueId>)| {
        let sum = i.summed(op, x, &groups)?;
        if root.is_none() && matches!(&groups, Groups::Along(axes) if axes.is_empty()) {
            return Ok(sum);
        }
        let place = i.place_in(&groups)?;
        let root = root.unwrap_or_else(|| i.b.constant(DType::I32, &[], 0.0));
        let here = i.elem("compare_eq", &[place, root])?;
        i.only(here, sum)
    };
    xs.into_iter().map(one).collect()
}

fn dim_of(op: &TextOp<'_>, name: &str, rank: usize) -> Result<usize, String> {
    let d = op.int(name).ok_or_else(|| format!("`{name}` is missing"))?;
    usize::try_from(d).ok().filter(|&d| d < rank).ok_or_else(|| format!("`{name}` is no dim of the operand"))
}

fn all_gather(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let groups = i.groups_of(op, true)?;
    let xs = i.operands(op)?;
    let one = |x: ValueId| {
        let dim = dim_of(op, "all_gather_dim", i.b.ty(x).rank())?;
        match &groups {
            Groups::Along(axes) if axes.is_empty() => Ok(x),
            Groups::Along(axes) => i.emit(Ir::AllGather { axes: axes.clone(), dim, size: None }, &[x]),
            Groups::Listed(listed) => {
                let n = listed.size()?;
                let mut shape = i.b.shape(x);
                shape[dim] *= n;
                let all = i.of_members(x, listed, None)?;
                let order: Vec<usize> = (1..=dim).chain([0]).collect();
                let all = i.permuted(all, &order)?;
                i.reshaped(all, &shape)
            }
        }
    };
    xs.into_iter().map(one).collect()
}

fn reduce_scatter(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let groups = i.groups_of(op, true)?;
    let [x] = i.exactly(op)?;
    let dim = dim_of(op, "scatter_dimension", i.b.ty(x).rank())?;
    let kind = i.combining(op, i.b.ty(x).dtype)?;
    let element = op.elements()[0];
    let scattered = |axes: &[Axis]| {
        let axes = axes.to_vec();
        move |i: &mut Import<'_>, kind, x| i.emit(Ir::ReduceScatter { axes: axes.clone(), dim, kind }, &[x])
    };
    Ok(vec![match &groups {
        Groups::Along(axes) if axes.is_empty() => x,
        Groups::Along(axes) => {
            i.shared(x, dim, i.mesh().group_size(axes))?;
            i.between(kind, x, element, scattered(axes))?
        }
        Groups::Listed(listed) => {
            let n = listed.size()?;
            i.shared(x, dim, n)?;
            if listed.is_whole(i) {
                let x = i.blocks(x, dim, &listed.places())?;
                i.between(kind, x, element, scattered(&listed.axes))?
            } else {
                let sum = i.summed(op, x, &groups)?;
                i.own_block(sum, dim, n, &groups)?
            }
        }
    }])
}

fn all_to_all(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let groups = i.groups_of(op, true)?;
    let n = match &groups {
        Groups::Along(axes) => i.mesh().group_size(axes),
        Groups::Listed(listed) => listed.size()?,
    };
    if op.int("split_count").is_some_and(|s| u64::try_from(s) != Ok(n)) {
        return Err(format!("`split_count` is not the {n} devices of a group"));
    }
    let xs = i.operands(op)?;
    let one = |x: ValueId| {
        let rank = i.b.ty(x).rank();
        let (split, concat) = (dim_of(op, "split_dimension", rank)?, dim_of(op, "concat_dimension", rank)?);
        i.shared(x, split, n)?;
        match &groups {
            Groups::Along(axes) if axes.is_empty() => Ok(x),
            Groups::Along(axes) => exchanged(i, x, axes, split, concat),
            // The block for a member goes to its place along the axes, and comes from it.
            Groups::Listed(listed) if listed.is_whole(i) => {
                let x = i.blocks(x, split, &listed.places())?;
                let x = exchanged(i, x, &listed.axes, split, concat)?;
                i.blocks(x, concat, &listed.members)
            }
            Groups::Listed(listed) => {
                let mut shape = i.b.shape(x);
                let all = i.of_members(x, listed, None)?;
                let own = i.own_block(all, split + 1, n, &groups)?;
                let order: Vec<usize> = (1..=concat).chain([0]).collect();
                let own = i.permuted(own, &order)?;
                shape[split] /= n;
                shape[concat] *= n;
                i.reshaped(own, &shape)
            }
        }
    };
    xs.into_iter().map(one).collect()
}

/// Blocks of a dim exchanged along axes, side by side in another or in the same.
fn exchanged(i: &mut Import<'_>, x: ValueId, axes: &[Axis], split: usize, concat: usize) -> Result<ValueId, String> {
    if split != concat {
        return i.emit(Ir::all_to_all(axes.to_vec(), split, concat), &[x]);
    }
    // The blocks of the dim are a dim of their own, which is split, and those of the others go side by side.
    let shape = i.b.shape(x);
    let n = i.mesh().group_size(axes);
    let mut apart = shape.clone();
    apart.splice(split..=split, [n, shape[split] / n]);
    let x = i.emit(Ir::Reshape { shape: apart }, &[x])?;
    let x = i.emit(Ir::all_to_all(axes.to_vec(), split, split + 1), &[x])?;
    i.emit(Ir::Reshape { shape }, &[x])
}

/// All have what the first device of each group has, or that at a place that is computed. Devices without a group have zeros.
fn broadcast(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let groups = i.groups_of(op, true)?;
    let xs = i.rooted(op)?;
    let one = |(x, root): (ValueId, Option<ValueId>)| {
        let shape = i.b.shape(x);
        let (axes, listed) = match &groups {
            Groups::Along(axes) if axes.is_empty() => return Ok(x),
            Groups::Along(axes) => (axes, None),
            Groups::Listed(listed) => (&listed.axes, Some(listed)),
        };
        let all = i.gathered(x, axes)?;
        let sent = match (root, listed) {
            (None, None) => i.range(all, 0, 0, 1)?,
            (None, Some(listed)) => {
                let first = listed.members.iter().map(|m| vec![m.first().copied().unwrap_or(0)]).collect::<Vec<_>>();
                i.taken(all, &first)?
            }
            (Some(root), None) => i.row(all, root)?,
            (Some(root), Some(listed)) => {
                let number = i.member(listed, root)?;
                i.row(all, number)?
            }
        };
        let sent = i.reshaped(sent, &shape)?;
        if listed.is_none_or(Listed::covers) {
            return Ok(sent);
        }
        let place = i.place_in(&groups)?;
        let zero = i.b.constant_like(place, 0.0);
        let here = i.elem("compare_ge", &[place, zero])?;
        i.only(here, sent)
    };
    xs.into_iter().map(one).collect()
}
