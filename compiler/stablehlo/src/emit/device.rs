//! Ops of the program of one device: collectives over groups of devices, and what depends on which device it is.
//!
//! A device's number is `partition_id`; its place along axes is arithmetic on it, the first axis of the mesh being the major
//! one. Collectives work on whole blocks: a dim that its axes do not divide is padded before, and cut after.

use super::shape;
use super::state::{Emit, EmitRule, mismatch};
use super::text::{TextValue, table};
use meshloom_ir::table::comm::permute_source;
use meshloom_ir::table::contract::nothing;
use meshloom_ir::{Axis, DType, Op, OpData, Reduction, TensorType};

type Made = Result<Vec<TextValue>, String>;

pub const RULES: &[(&str, EmitRule)] = &[
    ("all_reduce", all_reduce),
    ("all_gather", all_gather),
    ("reduce_scatter", reduce_scatter),
    ("all_to_all", all_to_all),
    ("collective_permute", permute),
    ("shard_slice", shard_slice),
    ("partial_split", partial_split),
    ("pad_mask", pad_mask),
];

impl Emit<'_> {
    /// This device's place in its group over `axes`.
    fn place(&mut self, axes: &[Axis]) -> TextValue {
        let ty = TensorType::scalar(DType::U32);
        let id = self.out.op(ty, "stablehlo.partition_id : tensor<ui32>");
        let id = self.out.convert(&id, DType::I32);
        let mut place: Option<TextValue> = None;
        for &a in axes {
            let mesh = &self.func.mesh;
            let minor: u64 = mesh.all_axes().skip(a.index() + 1).map(|b| mesh.size(b)).product();
            let (minor, size) = (self.out.int(&[], minor as i64), self.out.int(&[], mesh.size(a) as i64));
            let coordinate = self.out.same("stablehlo.divide", &[&id, &minor]);
            let coordinate = self.out.same("stablehlo.remainder", &[&coordinate, &size]);
            place = Some(match place {
                None => coordinate,
                Some(major) => {
                    let major = self.out.same("stablehlo.multiply", &[&major, &size]);
                    self.out.same("stablehlo.add", &[&major, &coordinate])
                }
            });
        }
        place.unwrap_or_else(|| self.out.int(&[], 0))
    }

    /// Where this device's block of a dim begins.
    pub fn start(&mut self, axes: &[Axis], block: u64) -> TextValue {
        let (place, block) = (self.place(axes), self.out.int(&[], block as i64));
        self.out.same("stablehlo.multiply", &[&place, &block])
    }

    fn groups(&self, axes: &[Axis]) -> String {
        let mesh = &self.func.mesh;
        let first = (0..mesh.devices()).filter(|&d| mesh.index_in(d, axes) == 0);
        table(&first.map(|d| mesh.group(d, axes)).collect::<Vec<_>>())
    }

    fn channel(&mut self) -> String {
        self.channels += 1;
        format!("channel_handle = #stablehlo.channel_handle<handle = {}, type = 1>", self.channels)
    }

    /// An op in the generic form with a region that combines two scalars; `head` ends where the region begins.
    pub fn generic(&mut self, head: &str, xs: &[&TextValue], ty: TensorType, of: DType, kind: Reduction) -> TextValue {
        let v = self.out.fresh(ty);
        self.out.open(&format!("{} = {head}", v.name));
        let signature = super::text::signature(xs, &v.tensor());
        self.out.combiner(of, kind, &format!("}}) : {signature}"));
        v
    }
}

fn all_reduce(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::AllReduce { axes, kind } = &data.op else { return mismatch() };
    let (groups, channel, x) = (e.groups(axes), e.channel(), &xs[0]);
    let head = format!(
        "\"stablehlo.all_reduce\"({}) <{{{channel}, replica_groups = {groups}, use_global_device_ids}}> ({{",
        x.name
    );
    Ok(vec![e.generic(&head, &[x], x.ty.clone(), x.ty.dtype, *kind)])
}

fn all_gather(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::AllGather { axes, dim, size } = &data.op else { return mismatch() };
    let (groups, channel, x) = (e.groups(axes), e.channel(), &xs[0]);
    let mut ty = x.ty.clone();
    ty.shape[*dim] *= e.func.mesh.group_size(axes);
    let head = format!(
        "\"stablehlo.all_gather\"({}) <{{all_gather_dim = {dim} : i64, {channel}, replica_groups = {groups}, \
         use_global_device_ids}}>",
        x.name
    );
    let whole = e.out.typed(&head, &[x], ty);
    let size = size.unwrap_or(whole.shape()[*dim]);
    Ok(vec![e.out.cut(&whole, *dim, size)])
}

/// A dim in whole blocks, and how large one is.
fn blocks(e: &mut Emit<'_>, x: &TextValue, dim: usize, axes: &[Axis]) -> (TextValue, u64) {
    let n = e.func.mesh.group_size(axes);
    let block = x.shape()[dim].div_ceil(n);
    (e.out.extend(x, dim, block * n), block)
}

fn reduce_scatter(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::ReduceScatter { axes, dim, kind } = &data.op else { return mismatch() };
    let (x, block) = blocks(e, &xs[0], *dim, axes);
    let (groups, channel) = (e.groups(axes), e.channel());
    let mut ty = x.ty.clone();
    ty.shape[*dim] = block;
    let head = format!(
        "\"stablehlo.reduce_scatter\"({}) <{{{channel}, replica_groups = {groups}, scatter_dimension = {dim} : i64, \
         use_global_device_ids}}> ({{",
        x.name
    );
    Ok(vec![e.generic(&head, &[&x], ty, x.ty.dtype, *kind)])
}

fn all_to_all(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::AllToAll { axes, split, concat, size } = &data.op else { return mismatch() };
    let (x, block) = blocks(e, &xs[0], *split, axes);
    let (groups, channel, n) = (e.groups(axes), e.channel(), e.func.mesh.group_size(axes));
    let mut ty = x.ty.clone();
    ty.shape[*split] = block;
    ty.shape[*concat] *= n;
    let head = format!(
        "\"stablehlo.all_to_all\"({}) <{{{channel}, concat_dimension = {concat} : i64, replica_groups = {groups}, \
         split_count = {n} : i64, split_dimension = {split} : i64}}>",
        x.name
    );
    let whole = e.out.typed(&head, &[&x], ty);
    let size = size.unwrap_or(whole.shape()[*concat]);
    Ok(vec![e.out.cut(&whole, *concat, size)])
}

fn permute(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let mesh = &e.func.mesh;
    let pairs: Vec<Vec<u64>> = match &data.op {
        Op::CollectivePermute { axes, from, to } => {
            (0..mesh.devices()).map(|d| vec![permute_source(mesh, axes, from, to, d), d]).collect()
        }
        Op::CollectiveShift { axes, by, mirror } => (0..mesh.devices())
            .map(|d| {
                let group = mesh.group(d, axes);
                let (i, n) = (mesh.index_in(d, axes), group.len() as u64);
                let to = if *mirror { n + by - i } else { i + by };
                vec![d, group[(to % n) as usize]]
            })
            .collect(),
        _ => return mismatch(),
    };
    let (channel, x) = (e.channel(), &xs[0]);
    let head = format!(
        "\"stablehlo.collective_permute\"({}) <{{{channel}, source_target_pairs = {}}}>",
        x.name,
        table(&pairs)
    );
    Ok(vec![e.out.typed(&head, &[x], x.ty.clone())])
}

fn shard_slice(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::ShardSlice { axes, dim } = &data.op else { return mismatch() };
    let (x, block) = blocks(e, &xs[0], *dim, axes);
    let (start, zero) = (e.start(axes, block), e.out.int(&[], 0));
    let starts: Vec<&TextValue> = (0..x.shape().len()).map(|d| if d == *dim { &start } else { &zero }).collect();
    let mut sizes = x.shape().to_vec();
    sizes[*dim] = block;
    Ok(vec![e.out.dynamic_slice(&x, &starts, &sizes)])
}

fn partial_split(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::PartialSplit { axes } = &data.op else { return mismatch() };
    let x = &xs[0];
    let (place, zero) = (e.place(axes), e.out.int(&[], 0));
    let first = e.out.compare("EQ", &place, &zero);
    let first = e.out.broadcast(&first, x.shape(), &[]);
    let none = e.out.splat(x.ty.dtype, x.shape(), nothing(x.ty.dtype));
    Ok(vec![e.out.select(&first, x, &none)])
}

fn pad_mask(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::PadMask { axes, dim, size, kind } = &data.op else { return mismatch() };
    let x = &xs[0];
    let (own, start) = (e.out.iota(DType::I32, x.shape(), *dim), e.start(axes, x.shape()[*dim]));
    let start = e.out.broadcast(&start, x.shape(), &[]);
    let at = e.out.same("stablehlo.add", &[&own, &start]);
    let end = e.out.int(x.shape(), *size as i64);
    let real = e.out.compare("LT", &at, &end);
    let fill = e.out.splat(x.ty.dtype, x.shape(), shape::identity(*kind, x.ty.dtype));
    Ok(vec![e.out.select(&real, x, &fill)])
}
