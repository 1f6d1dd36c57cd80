//! StableHLO's collectives, in manual regions: groups of devices as axes, and the local ops of the IR.

use super::enclosed::Made;
use crate::import::reduce::kind_of;
use crate::import::regions::NamedRegion;
use crate::import::state::{Import, ImportRule};
use crate::import::written::groups;
use crate::module::TextOp;
use crate::read;
use crate::tree::Tree;
use meshloom_ir::{Axis, DType, Op as Ir, Reduction, ValueId};

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.all_reduce", all_reduce),
    ("stablehlo.all_gather", all_gather),
    ("stablehlo.reduce_scatter", reduce_scatter),
    ("stablehlo.all_to_all", all_to_all),
    ("stablehlo.collective_broadcast", broadcast),
];

/// Whether a word without a value stands among the attributes.
fn flag(op: &TextOp<'_>, word: &str) -> bool {
    fn has(trees: &[Tree<'_>], word: &str) -> bool {
        trees.iter().any(|t| match t {
            Tree::Group(g) if matches!(g.open, b'<' | b'{') => has(&g.trees, word),
            t => t.is_word(word),
        })
    }
    has(op.items, word)
}

impl Import<'_> {
    /// The axes, major first, of whose devices each group of a collective is made.
    fn axes_of_groups(&self, op: &TextOp<'_>) -> Result<Vec<Axis>, String> {
        let text = op.attr("replica_groups").ok_or("`replica_groups` is missing")?;
        let all = groups(text)
            .ok_or("`replica_groups` is no matrix of device numbers\nlower the step with JAX 0.4 to 0.11")?;
        let channel = op.attr("channel_handle").or_else(|| op.attr("channel_id")).map(read::ints);
        let crossing = channel.is_some_and(|c| c.first().is_some_and(|&c| c > 0));
        if self.manual.is_empty() {
            return Err(format!(
                "`{}` stands outside of a manual region\ncollectives are written in `shard_map`; of `pmap`, which is a program for each replica, JAX 0.8 and later make one",
                op.name
            ));
        }
        let alone = all.iter().all(|g| g.len() < 2);
        // Without the flag the groups are of replicas, of which there is one, each with all of its devices. The groups of two ops are
        // always of devices.
        let of_devices = op.name.ends_with("all_to_all") || op.name.ends_with("collective_broadcast");
        if alone && crossing && !flag(op, "use_global_device_ids") && !of_devices {
            return Ok(self.manual.clone());
        }
        if alone {
            return Ok(Vec::new());
        }
        let no = "its groups of devices are not those of axes of the mesh\nuse groups of whole axes, or of parts of them that divide their size";
        let first = &all[0];
        let digits = self.meshes.group(first).ok_or(no)?;
        let axes = self.meshes.devices.axes(&digits).ok_or(no)?;
        let like = |g: &Vec<u64>| self.meshes.group(g).as_ref() == Some(&digits);
        let mut seen: Vec<u64> = all.concat();
        seen.sort_unstable();
        let count = self.meshes.devices.count();
        if !all.iter().all(like) || !seen.iter().copied().eq(0..count) {
            return Err(no.to_string());
        }
        if let Some(&a) = axes.iter().find(|a| !self.manual.contains(a)) {
            let name = self.mesh().name(a);
            return Err(format!(
                "`{}` is over the axis `{name}`, which is not manual here\nname it in `axis_names` of the `shard_map`",
                op.name
            ));
        }
        Ok(axes)
    }

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
        op: impl Fn(Reduction) -> Ir,
    ) -> Result<ValueId, String> {
        if self.b.ty(x).dtype == DType::Bool {
            let kind = if kind == Reduction::Or { Reduction::Max } else { Reduction::Min };
            let x = self.convert(x, DType::I32)?;
            let out = self.emit(op(kind), &[x])?;
            let zero = self.b.constant_like(out, 0.0);
            return self.elem("compare_ne", &[out, zero]);
        }
        if element == "ui64" && matches!(kind, Reduction::Max | Reduction::Min) {
            let x = self.flipped(x)?;
            let out = self.emit(op(kind), &[x])?;
            return self.flipped(out);
        }
        self.emit(op(kind), &[x])
    }
}

fn all_reduce(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let axes = i.axes_of_groups(op)?;
    let xs = i.operands(op)?;
    let element = op.elements()[0];
    let each = |i: &mut Import<'_>, x: ValueId| {
        let kind = i.combining(op, i.b.ty(x).dtype)?;
        let axes = axes.clone();
        i.between(kind, x, element, |kind| Ir::AllReduce { axes: axes.clone(), kind })
    };
    if axes.is_empty() { Ok(xs) } else { xs.into_iter().map(|x| each(i, x)).collect() }
}

fn dim_of(op: &TextOp<'_>, name: &str, rank: usize) -> Result<usize, String> {
    let d = op.int(name).ok_or_else(|| format!("`{name}` is missing"))?;
    usize::try_from(d).ok().filter(|&d| d < rank).ok_or_else(|| format!("`{name}` is no dim of the operand"))
}

fn all_gather(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let axes = i.axes_of_groups(op)?;
    let xs = i.operands(op)?;
    if axes.is_empty() {
        return Ok(xs);
    }
    xs.into_iter()
        .map(|x| {
            let dim = dim_of(op, "all_gather_dim", i.b.ty(x).rank())?;
            i.emit(Ir::AllGather { axes: axes.clone(), dim, size: None }, &[x])
        })
        .collect()
}

impl Import<'_> {
    /// Whether the devices of a collective can have equal parts of a dim.
    fn shared(&self, x: ValueId, dim: usize, axes: &[Axis]) -> Result<(), String> {
        let (size, devices) = (self.b.ty(x).shape[dim], self.mesh().group_size(axes));
        match size.is_multiple_of(devices) {
            true => Ok(()),
            false => Err(format!("a dim of {size} has no equal parts for {devices} devices")),
        }
    }
}

fn reduce_scatter(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let axes = i.axes_of_groups(op)?;
    let [x] = i.exactly(op)?;
    if axes.is_empty() {
        return Ok(vec![x]);
    }
    let dim = dim_of(op, "scatter_dimension", i.b.ty(x).rank())?;
    i.shared(x, dim, &axes)?;
    let kind = i.combining(op, i.b.ty(x).dtype)?;
    let element = op.elements()[0];
    Ok(vec![i.between(kind, x, element, |kind| Ir::ReduceScatter { axes: axes.clone(), dim, kind })?])
}

fn all_to_all(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let axes = i.axes_of_groups(op)?;
    let xs = i.operands(op)?;
    if axes.is_empty() {
        return Ok(xs);
    }
    let n = i.mesh().group_size(&axes);
    if op.int("split_count").is_some_and(|s| u64::try_from(s) != Ok(n)) {
        return Err(format!("`split_count` is not the {n} devices of a group"));
    }
    xs.into_iter()
        .map(|x| {
            let rank = i.b.ty(x).rank();
            let (split, concat) = (dim_of(op, "split_dimension", rank)?, dim_of(op, "concat_dimension", rank)?);
            i.shared(x, split, &axes)?;
            if split != concat {
                return i.emit(Ir::all_to_all(axes.clone(), split, concat), &[x]);
            }
            // The blocks of the dim are a dim of their own, which is split, and those of the others go side by side.
            let shape = i.b.shape(x);
            let mut apart = shape.clone();
            apart.splice(split..=split, [n, shape[split] / n]);
            let x = i.emit(Ir::Reshape { shape: apart }, &[x])?;
            let x = i.emit(Ir::all_to_all(axes.clone(), split, split + 1), &[x])?;
            i.emit(Ir::Reshape { shape }, &[x])
        })
        .collect()
}

/// All have what the first device of each group has.
fn broadcast(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let axes = i.axes_of_groups(op)?;
    let [x] = i.exactly(op)?;
    if axes.is_empty() {
        return Ok(vec![x]);
    }
    let shape = i.b.shape(x);
    let mut one = vec![1];
    one.extend(&shape);
    let x = i.emit(Ir::Reshape { shape: one.clone() }, &[x])?;
    let all = i.emit(Ir::AllGather { axes, dim: 0, size: None }, &[x])?;
    let first = i.emit(Ir::Slice { start: vec![0; one.len()], limit: one }, &[all])?;
    Ok(vec![i.emit(Ir::Reshape { shape }, &[first])?])
}
