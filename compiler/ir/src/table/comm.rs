//! Ops that stand in local programs only: collectives, and ops on a device's shard that depend on the device's place. An
//! [`Effect`] describes what an op does to types and layouts; most ops need no more. [`Group::run`] has what it does to values,
//! and sees all devices of a group.

use super::contract::{identity_of, nothing};
use super::wire::{Members, Wire, all_reduce, block, filled, gathered, reduce_all};
use super::{BASE, Class, Cost, Exchange, NO_TEXT, OpDef, Text, arity, attrs};
use crate::layout::Reduction;
use crate::layout::text::show_axes;
use crate::mesh::{Axis, Mesh};
use crate::op::Op;
use crate::tensor::Tensor;
use crate::text::{Attrs, show_size, show_split};
use crate::types::TensorType;
use crate::verify::check_axes;

/// The entries of this family.
pub static ENTRIES: &[&OpDef] = &[
    &ALL_REDUCE,
    &ALL_GATHER,
    &REDUCE_SCATTER,
    &ALL_TO_ALL,
    &COLLECTIVE_PERMUTE,
    &COLLECTIVE_SHIFT,
    &SHARD_SLICE,
    &PARTIAL_SPLIT,
    &PAD_MASK,
];

/// What an op does to a layout, over its axes and in this order: it reduces a value that is partial over them, it gathers a dim
/// whose minor axes they are, and it splits a dim of a value that is replicated over them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    pub reduced: Option<Reduction>,
    /// The gathered dim, and its size if that is less than the sum of its blocks.
    pub gathered: Option<(usize, Option<u64>)>,
    pub split: Option<usize>,
}

/// What the devices of a group do together.
pub struct Group {
    /// The axes whose devices are one group, major first.
    pub axes: fn(&Op) -> &[Axis],
    /// `None`: nothing goes over the wire.
    pub exchange: Option<Exchange>,
    pub effect: fn(&Op) -> Effect,
    /// Whether it does more with a dim than to hand on its entries.
    pub touches: fn(&Op, usize) -> bool,
    /// The op that gathers to another size.
    pub with_size: fn(&Op, Option<u64>) -> Op,
    /// For an op that sends whole blocks: from which member each device receives. It is the same in every group, by positions in
    /// the group.
    pub source: Option<Sender>,
    /// Results of the members.
    pub run: fn(&Op, &Members<'_>, &mut Wire) -> Vec<Tensor>,
}

/// From a device to the member of its group from which it receives.
pub type Sender = fn(&Op, &Mesh, u64) -> u64;

/// The names of collectives, in the order of their entries. If several entries have one name, one of them reads the text of all.
pub fn names() -> impl Iterator<Item = &'static str> {
    let named = |d: &&&OpDef| d.class == Class::Collective && d.text.read.is_some();
    ENTRIES.iter().filter(named).map(|d| d.name)
}

/// What a `..` in a [`Group`] stands for.
const fn group(axes: fn(&Op) -> &[Axis], run: fn(&Op, &Members<'_>, &mut Wire) -> Vec<Tensor>) -> Group {
    Group {
        axes,
        exchange: None,
        effect: |_| Effect { reduced: None, gathered: None, split: None },
        touches: |op, dim| {
            let Effect { gathered, split, .. } = op.effect();
            split == Some(dim) || gathered.is_some_and(|g| g.0 == dim)
        },
        with_size: |op, _| op.clone(),
        source: None,
        run,
    }
}

/// The group of an op that hands on whole blocks.
const fn permutes(axes: fn(&Op) -> &[Axis], source: Sender) -> Group {
    let run = |op: &Op, g: &Members<'_>, wire: &mut Wire| {
        let source = op.entry().group.and_then(|g| g.source).unwrap_or_else(|| unreachable!("it is given below"));
        g.permuted(wire, |r| source(op, g.mesh, g.devices[r]) as usize)
    };
    Group { exchange: Some(Exchange::Permute), source: Some(source), ..group(axes, run) }
}

/// An entry of an op over axes.
const COLLECTIVE: OpDef = OpDef { class: Class::Collective, infer, cost: Cost::Reshard, anchor: |_| true, ..BASE };
/// An entry of an op that moves nothing between devices.
const SHARD: OpDef =
    OpDef { class: Class::Shard, infer, cost: Cost::Reshard, batch: |_, _| Err("it is between devices"), ..BASE };

/// The device whose block `device` receives in a collective_permute from one split to another. A block that several devices
/// hold, or several need, goes from the first to the first, and so on in the order of the axes that do not split.
pub fn permute_source(mesh: &Mesh, axes: &[Axis], from: &[Vec<Axis>], to: &[Vec<Axis>], device: u64) -> u64 {
    let mut coords = mesh.coords(device);
    let rest = |lists: &[Vec<Axis>]| -> Vec<Axis> {
        axes.iter().copied().filter(|a| !lists.iter().any(|l| l.contains(a))).collect()
    };
    let (copies, needs) = (rest(from), rest(to));
    for (old, new) in from.iter().zip(to).chain([(&copies, &needs)]) {
        let mut block = mesh.index_in(device, new);
        for &a in old.iter().rev() {
            coords[a.index()] = block % mesh.size(a);
            block /= mesh.size(a);
        }
    }
    mesh.device(&coords)
}

/// The group of an op's operand, with the checks that all collectives have in common.
///
/// # Errors
/// What does not fit: an unknown or repeated axis, a dim out of range, a size that the blocks do not make up.
fn infer(op: &Op, operands: &[&TensorType], mesh: &Mesh) -> Result<TensorType, String> {
    arity(op, operands, 1)?;
    let x = operands[0];
    let axes = op.collective_axes().ok_or_else(|| format!("`{}` is not a collective", op.name()))?;
    if axes.is_empty() {
        return Err(format!("`{}` over no axis", op.name()));
    }
    for (i, a) in axes.iter().enumerate() {
        if a.index() >= mesh.axes.len() {
            return Err(format!("`{}` over axis {}, but the mesh {mesh} has {}", op.name(), a.0, mesh.axes.len()));
        }
        if axes[..i].contains(a) {
            return Err(format!("`{}` names axis `{}` twice", op.name(), mesh.name(*a)));
        }
    }
    let n = mesh.group_size(axes);
    let mut shape = x.shape.clone();
    let at = |dim: usize| {
        if dim < x.rank() { Ok(dim) } else { Err(format!("`{}` along dim {dim} of {x}", op.name())) }
    };
    let Effect { gathered, split, .. } = op.effect();
    if split.is_some() && split == gathered.map(|g| g.0) {
        return Err(format!("`{}` splits and gathers the same dim", op.name()));
    }
    if let Some(dim) = split {
        let dim = at(dim)?;
        shape[dim] = shape[dim].div_ceil(n);
    }
    if let Some((dim, size)) = gathered {
        let dim = at(dim)?;
        let blocks = shape[dim].saturating_mul(n);
        shape[dim] = match size {
            None => blocks,
            Some(s) if s < blocks && s.div_ceil(n) == shape[dim] => s,
            Some(s) => {
                return Err(format!("`{}` makes dim {dim} of size {s} from {n} blocks of {}", op.name(), shape[dim]));
            }
        };
    }
    Ok(TensorType::new(x.dtype, shape))
}

fn over(axes: &[Axis], mesh: &Mesh) -> String {
    format!("over {}", show_axes(axes, mesh))
}

pub static ALL_REDUCE: OpDef = OpDef {
    name: "all_reduce",
    text: Text {
        show: |op, mesh| {
            let (axes, kind) = attrs!(op, Op::AllReduce { axes, kind } => (axes, kind));
            Some(format!("{} {}", kind.name(), over(axes, mesh)))
        },
        read: Some(|a| Ok(Op::AllReduce { kind: a.reduction()?, axes: a.over("over")? })),
        ..NO_TEXT
    },
    group: Some(&Group {
        exchange: Some(Exchange::Twice),
        effect: |op| Effect { reduced: Some(attrs!(op, Op::AllReduce { kind, .. } => *kind)), ..Effect::default() },
        ..group(
            |op| attrs!(op, Op::AllReduce { axes, .. } => axes),
            |op, g, wire| all_reduce(attrs!(op, Op::AllReduce { kind, .. } => *kind), g, wire),
        )
    }),
    accumulates: |op| *attrs!(op, Op::AllReduce { kind, .. } => kind) == Reduction::Sum,
    batch: |op, _| Ok(op.clone()),
    ..COLLECTIVE
};

pub static ALL_GATHER: OpDef = OpDef {
    name: "all_gather",
    text: Text {
        show: |op, mesh| {
            let (axes, dim, size) = attrs!(op, Op::AllGather { axes, dim, size } => (axes, dim, *size));
            Some(format!("dim {dim}{} {}", show_size(size), over(axes, mesh)))
        },
        read: Some(|a| Ok(Op::AllGather { dim: a.keyed_dim("dim")?, size: a.size("size")?, axes: a.over("over")? })),
        ..NO_TEXT
    },
    group: Some(&Group {
        exchange: Some(Exchange::Once),
        effect: |op| Effect {
            gathered: Some(attrs!(op, Op::AllGather { dim, size, .. } => (*dim, *size))),
            ..Effect::default()
        },
        with_size: |op, size| {
            let (axes, dim) = attrs!(op, Op::AllGather { axes, dim, .. } => (axes.clone(), *dim));
            Op::AllGather { axes, dim, size }
        },
        ..group(
            |op| attrs!(op, Op::AllGather { axes, .. } => axes),
            |op, g, wire| {
                let (dim, size) = attrs!(op, Op::AllGather { dim, size, .. } => (*dim, *size));
                g.exchange(wire, |from, _| g.x(from).clone(), |parts| Some(gathered(&parts, dim, size)))
            },
        )
    }),
    along: Some((
        |op| attrs!(op, Op::AllGather { dim, .. } => *dim),
        |op, dim| {
            let (axes, size) = attrs!(op, Op::AllGather { axes, size, .. } => (axes.clone(), *size));
            Op::AllGather { axes, dim, size }
        },
    )),
    ..COLLECTIVE
};

pub static REDUCE_SCATTER: OpDef = OpDef {
    name: "reduce_scatter",
    text: Text {
        show: |op, mesh| {
            let (axes, dim, kind) = attrs!(op, Op::ReduceScatter { axes, dim, kind } => (axes, dim, kind));
            Some(format!("{} dim {dim} {}", kind.name(), over(axes, mesh)))
        },
        read: Some(|a| Ok(Op::ReduceScatter { kind: a.reduction()?, dim: a.keyed_dim("dim")?, axes: a.over("over")? })),
        ..NO_TEXT
    },
    accumulates: |op| *attrs!(op, Op::ReduceScatter { kind, .. } => kind) == Reduction::Sum,
    group: Some(&Group {
        exchange: Some(Exchange::Once),
        effect: |op| {
            let (kind, dim) = attrs!(op, Op::ReduceScatter { kind, dim, .. } => (*kind, *dim));
            Effect { reduced: Some(kind), gathered: None, split: Some(dim) }
        },
        ..group(
            |op| attrs!(op, Op::ReduceScatter { axes, .. } => axes),
            |op, g, wire| {
                let (kind, dim) = attrs!(op, Op::ReduceScatter { kind, dim, .. } => (*kind, *dim));
                let n = g.len();
                g.exchange(wire, |from, to| block(g.x(from), dim, to, n), |parts| reduce_all(kind, parts.into_iter()))
            },
        )
    }),
    along: Some((
        |op| attrs!(op, Op::ReduceScatter { dim, .. } => *dim),
        |op, dim| {
            let (axes, kind) = attrs!(op, Op::ReduceScatter { axes, kind, .. } => (axes.clone(), *kind));
            Op::ReduceScatter { axes, dim, kind }
        },
    )),
    ..COLLECTIVE
};

pub static ALL_TO_ALL: OpDef = OpDef {
    name: "all_to_all",
    text: Text {
        show: |op, mesh| {
            let (axes, split, concat, size) =
                attrs!(op, Op::AllToAll { axes, split, concat, size } => (axes, split, concat, *size));
            Some(format!("split {split} concat {concat}{} {}", show_size(size), over(axes, mesh)))
        },
        read: Some(|a| {
            Ok(Op::AllToAll {
                split: a.keyed_dim("split")?,
                concat: a.keyed_dim("concat")?,
                size: a.size("size")?,
                axes: a.over("over")?,
            })
        }),
        ..NO_TEXT
    },
    group: Some(&Group {
        exchange: Some(Exchange::Pairs),
        effect: |op| {
            let (split, concat, size) =
                attrs!(op, Op::AllToAll { split, concat, size, .. } => (*split, *concat, *size));
            Effect { reduced: None, gathered: Some((concat, size)), split: Some(split) }
        },
        with_size: |op, size| {
            let (axes, split, concat) =
                attrs!(op, Op::AllToAll { axes, split, concat, .. } => (axes.clone(), *split, *concat));
            Op::AllToAll { axes, split, concat, size }
        },
        ..group(
            |op| attrs!(op, Op::AllToAll { axes, .. } => axes),
            |op, g, wire| {
                let (split, concat, size) =
                    attrs!(op, Op::AllToAll { split, concat, size, .. } => (*split, *concat, *size));
                let n = g.len();
                let part = |from, to| block(g.x(from), split, to, n);
                g.exchange(wire, part, |parts| Some(gathered(&parts, concat, size)))
            },
        )
    }),
    batch: |op, l| {
        let (axes, split, concat, size) =
            attrs!(op, Op::AllToAll { axes, split, concat, size } => (axes.clone(), *split, *concat, *size));
        Ok(Op::AllToAll { axes, split: split + l.len(), concat: concat + l.len(), size })
    },
    ..COLLECTIVE
};

pub static COLLECTIVE_PERMUTE: OpDef = OpDef {
    name: "collective_permute",
    text: Text {
        show: |op, mesh| {
            let (from, to) = attrs!(op, Op::CollectivePermute { from, to, .. } => (from, to));
            Some(format!("from {} to {}", show_split(from, mesh), show_split(to, mesh)))
        },
        // Both ops of this name.
        read: Some(|a: &mut Attrs<'_, '_>| {
            if a.c.eat_word("shift") {
                let by = a.c.number("a number of devices", u64::MAX)?;
                let mirror = a.c.eat_word("mirror");
                return Ok(Op::CollectiveShift { by, mirror, axes: a.over("over")? });
            }
            a.c.expect_word("from")?;
            let from = a.layout()?.dims;
            a.c.expect_word("to")?;
            Ok(Op::permute(from, a.layout()?.dims))
        }),
        ..NO_TEXT
    },
    check: |op, mesh| {
        let (from, to) = attrs!(op, Op::CollectivePermute { from, to, .. } => (from, to));
        from.iter().chain(to).try_for_each(|axes| check_axes(axes, mesh))
    },
    infer: |op, xs, mesh| {
        let ty = infer(op, xs, mesh)?;
        let (from, to) = attrs!(op, Op::CollectivePermute { from, to, .. } => (from, to));
        if from.len() != ty.rank() || to.len() != ty.rank() {
            return Err(format!("`collective_permute` of {} dims on {ty}", from.len().max(to.len())));
        }
        for lists in [from, to] {
            let all: Vec<Axis> = lists.iter().flatten().copied().collect();
            if let Some(a) = (1..all.len()).find(|&i| all[..i].contains(&all[i])).map(|i| all[i]) {
                return Err(format!("`collective_permute` splits by axis `{}` twice", mesh.name(a)));
            }
        }
        if *op != Op::permute(from.clone(), to.clone()) {
            return Err("`collective_permute` is over other axes than it moves blocks along".into());
        }
        if let Some(d) = (0..ty.rank()).find(|&d| mesh.group_size(&from[d]) != mesh.group_size(&to[d])) {
            return Err(format!("`collective_permute` changes the number of blocks of dim {d}"));
        }
        Ok(ty)
    },
    group: Some(&Group {
        touches: |op, dim| {
            let (from, to) = attrs!(op, Op::CollectivePermute { from, to, .. } => (from, to));
            !from[dim].is_empty() || !to[dim].is_empty()
        },
        ..permutes(
            |op| attrs!(op, Op::CollectivePermute { axes, .. } => axes),
            |op, mesh, device| {
                let (axes, from, to) = attrs!(op, Op::CollectivePermute { axes, from, to } => (axes, from, to));
                mesh.index_in(permute_source(mesh, axes, from, to, device), axes)
            },
        )
    }),
    batch: |op, l| {
        let (from, to) = attrs!(op, Op::CollectivePermute { from, to, .. } => (from, to));
        let with = |lists: &[Vec<Axis>]| l.iter().map(|_| Vec::new()).chain(lists.iter().cloned()).collect();
        Ok(Op::permute(with(from), with(to)))
    },
    ..COLLECTIVE
};

pub static COLLECTIVE_SHIFT: OpDef = OpDef {
    name: "collective_permute",
    text: Text {
        show: |op, mesh| {
            let (axes, by, mirror) = attrs!(op, Op::CollectiveShift { axes, by, mirror } => (axes, by, *mirror));
            Some(format!("shift {by} {}{}", if mirror { "mirror " } else { "" }, over(axes, mesh)))
        },
        ..NO_TEXT
    },
    infer: |op, xs, mesh| {
        let ty = infer(op, xs, mesh)?;
        let (axes, by) = attrs!(op, Op::CollectiveShift { axes, by, .. } => (axes, *by));
        match mesh.group_size(axes) {
            n if by < n => Ok(ty),
            n => Err(format!("`collective_permute` shifts {n} devices by {by}")),
        }
    },
    group: Some(&permutes(
        |op| attrs!(op, Op::CollectiveShift { axes, .. } => axes),
        |op, mesh, device| {
            let (axes, by, mirror) = attrs!(op, Op::CollectiveShift { axes, by, mirror } => (axes, *by, *mirror));
            let (n, member) = (mesh.group_size(axes), mesh.index_in(device, axes));
            if mirror { (by + n - member) % n } else { (member + n - by) % n }
        },
    )),
    batch: |op, _| Ok(op.clone()),
    ..COLLECTIVE
};

pub static SHARD_SLICE: OpDef = OpDef {
    name: "shard_slice",
    text: Text {
        show: |op, mesh| {
            let (axes, dim) = attrs!(op, Op::ShardSlice { axes, dim } => (axes, dim));
            Some(format!("dim {dim} {}", over(axes, mesh)))
        },
        read: Some(|a| Ok(Op::ShardSlice { dim: a.keyed_dim("dim")?, axes: a.over("over")? })),
        ..NO_TEXT
    },
    group: Some(&Group {
        effect: |op| Effect { split: Some(attrs!(op, Op::ShardSlice { dim, .. } => *dim)), ..Effect::default() },
        ..group(
            |op| attrs!(op, Op::ShardSlice { axes, .. } => axes),
            |op, g, _| {
                let dim = attrs!(op, Op::ShardSlice { dim, .. } => *dim);
                g.each(|r, x| block(x, dim, r, g.len()))
            },
        )
    }),
    ..SHARD
};

pub static PARTIAL_SPLIT: OpDef = OpDef {
    name: "partial_split",
    text: Text {
        show: |op, mesh| Some(over(attrs!(op, Op::PartialSplit { axes } => axes), mesh)),
        read: Some(|a| Ok(Op::PartialSplit { axes: a.over("over")? })),
        ..NO_TEXT
    },
    group: Some(&group(
        |op| attrs!(op, Op::PartialSplit { axes } => axes),
        |_, g, _| g.each(|r, x| if r == 0 { x.clone() } else { Tensor::splat(&x.ty, nothing(x.ty.dtype).as_f64()) }),
    )),
    ..SHARD
};

pub static PAD_MASK: OpDef = OpDef {
    name: "pad_mask",
    text: Text {
        show: |op, mesh| {
            let (axes, dim, size, kind) = attrs!(op, Op::PadMask { axes, dim, size, kind } => (axes, dim, size, kind));
            Some(format!("{} dim {dim} size {size} {}", kind.name(), over(axes, mesh)))
        },
        read: Some(|a| {
            Ok(Op::PadMask {
                kind: a.reduction()?,
                dim: a.keyed_dim("dim")?,
                size: a.keyed_size("size")?,
                axes: a.over("over")?,
            })
        }),
        ..NO_TEXT
    },
    infer: |op, xs, mesh| {
        let ty = infer(op, xs, mesh)?;
        let (axes, dim, size) = attrs!(op, Op::PadMask { axes, dim, size, .. } => (axes, *dim, *size));
        let Some(&block) = ty.shape.get(dim) else { return Err(format!("`pad_mask` along dim {dim} of {ty}")) };
        let n = mesh.group_size(axes);
        if size.div_ceil(n) != block || size.is_multiple_of(n) {
            return Err(format!("`pad_mask` of dim {dim}: {size} elements in {n} blocks of {block} have no padding"));
        }
        Ok(ty)
    },
    group: Some(&Group {
        touches: |op, dim| *attrs!(op, Op::PadMask { dim, .. } => dim) == dim,
        ..group(
            |op| attrs!(op, Op::PadMask { axes, .. } => axes),
            |op, g, _| {
                let (dim, size, kind) = attrs!(op, Op::PadMask { dim, size, kind, .. } => (*dim, *size, *kind));
                g.each(|r, x| {
                    let before = r as u64 * x.ty.shape[dim];
                    filled(x, dim, size.saturating_sub(before) as usize, identity_of(kind, x.ty.dtype))
                })
            },
        )
    }),
    cost: Cost::Fused,
    ..SHARD
};
