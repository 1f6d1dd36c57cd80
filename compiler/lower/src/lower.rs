//! The kernels of a region as specs over views: row kernels, column reductions, contractions with their packs, scatters
//! and copies.
//!
//! Not here: attention ([`crate::attention`]), and the order of kernels ([`crate::region`]).

use crate::columns::{ColumnCall, column};
use crate::contracted::{Groups, operand, size_of};
use crate::error::LowerError;
use crate::expand::{BufferArg, CoordinateMap, Expander, Stop};
use crate::memory::{Ref, Step};
use crate::operand_sum::{call_of, joined};
use crate::state::Lowering;
use crate::view::{BufId, Home, View, Views, dense_strides, reshape_strides};
use meshloom_bundle::held_as;
use meshloom_bundle::program::{Dim, Number};
use meshloom_ir::{DType, Einsum, Op, OpId, ValueId};
use meshloom_kernels::contraction::Contraction;
use meshloom_kernels::spec::{Column, CumLogSumExp, Dot, Matmul, Scan, ScatterRows, SegmentSort, TopK};
use meshloom_kernels::split::PartBuffer;
use meshloom_kernels::{Access, Body, Device, Fused, KernelSpec};
use std::collections::BTreeSet;

impl Lowering<'_> {
    pub fn rows(&self, views: &Views, space: &[u64], roots: &[ValueId]) -> Result<Vec<Step>, LowerError> {
        let ops: Vec<OpId> = roots.iter().filter_map(|&r| self.func.def_op(r)).collect();
        let Some(&op) = ops.first() else { return Ok(Vec::new()) };
        let members: BTreeSet<ValueId> = roots.iter().copied().collect();
        let view_of = |v: ValueId| views.get(&v).cloned();
        let build = || -> Result<(Body, Vec<BufferArg>, Vec<Dim>), Stop> {
            let mut x = Expander::new(self.func, &view_of, &members, &self.facts.rounded, space);
            x.reduces = true;
            let mut nodes = Vec::new();
            for &r in roots {
                let map = x.leading(self.func.ty(r).rank());
                nodes.push(x.value(r, &map)?);
            }
            for (&r, n) in roots.iter().zip(nodes) {
                let map = x.leading(self.func.ty(r).rank());
                let access = x.access(&views[&r], &map, self.func.ty(r))?;
                x.output(n, access);
            }
            Ok((x.body, x.args, x.dims))
        };
        let (body, args, dims) = build().map_err(|s| self.stopped(op, s))?;
        Ok(vec![self.launch(KernelSpec::Fused(Fused::new(space, body)), &args, dims, op, &ops)])
    }

    pub fn columns(
        &mut self,
        views: &Views,
        of: &[u64],
        dims: &[usize],
        roots: &[ValueId],
    ) -> Result<Vec<Step>, LowerError> {
        let ops: Vec<OpId> = roots.iter().filter_map(|&r| self.func.def_op(r)).collect();
        let Some(&op) = ops.first() else { return Ok(Vec::new()) };
        let view_of = |v: ValueId| views.get(&v).cloned();
        let call = column(self.func, &self.facts, &view_of, of, dims, roots).map_err(|s| self.stopped(op, s))?;
        let ColumnCall { spec, args, dims: launch_dims } = call;
        let split = self.device.gpu().and_then(|gpu| spec.split(gpu));
        let Some(split) = split else {
            return Ok(vec![self.launch(KernelSpec::Column(spec), &args, launch_dims, op, &ops)]);
        };
        let temporary = |&(dtype, elements): &(DType, u64)| {
            let home = Home::fixed(self.temporary(elements * dtype.bytes()));
            BufferArg { home, offset: 0, dtype }
        };
        let partial: Vec<BufferArg> = split.partial.iter().map(temporary).collect();
        let [parts, sum] = split.buffers.map(|all| -> Vec<BufferArg> {
            let arg = |s: &PartBuffer| match *s {
                PartBuffer::Given(at) => args[at as usize].clone(),
                PartBuffer::Partial(at) => partial[at as usize].clone(),
            };
            all.iter().map(arg).collect()
        });
        let launch = |spec: Column, args: &[BufferArg], ops: &[OpId]| {
            let spec = KernelSpec::Column(spec);
            let dims = launch_dims[..spec.dims() as usize].to_vec();
            self.launch(spec, args, dims, op, ops)
        };
        Ok(vec![launch(split.parts, &parts, &[]), launch(split.sum, &sum, &ops)])
    }

    /// A contraction: packs where its operands need them, then the GEMM with its epilogue. `sum` is a column reduction that a GPU's
    /// kernel may take along; otherwise it has a kernel of its own.
    pub fn dot(
        &mut self,
        views: &Views,
        op: OpId,
        stored: &[ValueId],
        inside: &BTreeSet<ValueId>,
        sum: Option<ValueId>,
    ) -> Result<Vec<Step>, LowerError> {
        let data = self.func.op(op).clone();
        let Op::DotGeneral(e) = &data.op else { return Ok(Vec::new()) };
        let d = data.results[0];
        let groups = Groups::of(e);
        if let Some(c) = groups.alone {
            let message = format!("`{e}` sums `{c}` within one operand; reduce it before the contraction");
            return Err(LowerError { message, span: data.span });
        }
        let sizes = |subscripts: &[char]| -> Vec<u64> {
            subscripts.iter().map(|&c| size_of(self.func, &data.operands, e, c)).collect()
        };
        let (batch, m, n, k) = (sizes(&groups.batch), sizes(&groups.m), sizes(&groups.n), sizes(&groups.k));
        let space = [&batch[..], &m, &n].concat();
        let in_memory = [0, 1].map(|i| self.func.ty(data.operands[i]).dtype);
        let dtype = in_memory[0].computed();
        // Partial sums wait in the first output, unless that would round them.
        let rounds = stored.first().is_some_and(|&s| self.func.ty(s).dtype != dtype);
        let gpu = self.device != Device::Cpu;
        let waits = k.iter().product::<u64>() > Matmul::K_BLOCK && rounds && !gpu;
        let waiting = waits.then(|| self.temporary(space.iter().product::<u64>() * dtype.bytes()));

        let mut operands = Vec::new();
        for i in 0..2 {
            let view = self.operand(views, op, data.operands[i])?;
            operands.push(operand(self.func, op, i, e, &groups, view));
        }
        let operands: [(Access, BufferArg); 2] = [operands.remove(0), operands.remove(0)];
        let read_as = in_memory.map(|stored| if gpu { stored } else { dtype });
        let epilogue = Epilogue { e, groups: &groups, d, stored, inside, space: &space, dtype, waiting };
        let (body, args, dims) =
            self.epilogue(views, &epilogue, &operands, read_as).map_err(|s| self.stopped(op, s))?;
        let [a, b] = [operands[0].0.clone(), operands[1].0.clone()];
        let sources = operands.map(|o| o.1);
        let contraction = Contraction { batch, m, n, k, a, b, stored: in_memory[0], body };
        let mut ops = vec![op];
        ops.extend(inside.iter().filter(|&&v| v != d).filter_map(|&v| self.func.def_op(v)));
        let call = ContractionCall { op, ops, sources, args, dims, dtype };
        let Some(gpu) = self.device.gpu() else { return Ok(self.packed_contraction(&contraction, call)) };
        if let Some(sum) = sum {
            return self.with_sum(views, &contraction, gpu, call, sum);
        }
        Ok(self.gpu_contraction(&contraction, gpu, call))
    }

    /// The epilogue of a contraction, and the kernel's buffers: first those of the operands, then those of the
    /// epilogue.
    fn epilogue(
        &self,
        views: &Views,
        epilogue: &Epilogue<'_>,
        operands: &[(Access, BufferArg); 2],
        read_as: [DType; 2],
    ) -> Result<(Body, Vec<BufferArg>, Vec<Dim>), Stop> {
        let Epilogue { e, groups, space, dtype, .. } = *epilogue;
        let view_of = |v: ValueId| views.get(&v).cloned();
        let mut x = Expander::new(self.func, &view_of, epilogue.inside, &self.facts.rounded, space);
        // The first places are the operands'. Leaves of the epilogue must not take them.
        for (i, (read_as, (_, arg))) in read_as.into_iter().zip(operands).enumerate() {
            let home = Home::fixed(BufId(usize::MAX - i));
            x.args.push(BufferArg { home, offset: 0, dtype: arg.dtype });
            x.body.buffer(read_as);
        }
        let order: Vec<char> = [&groups.batch[..], &groups.m, &groups.n].concat();
        let map: CoordinateMap = e
            .result
            .iter()
            .map(|c| crate::expand::Affine::dim(space.len(), order.iter().position(|x| x == c).unwrap_or(0)))
            .collect();
        x.acc = Some((epilogue.d, map.clone()));
        let mut nodes = Vec::new();
        for &s in epilogue.stored {
            nodes.push(x.value(s, &map)?);
        }
        if let (Some(buf), Some(first)) = (epilogue.waiting, epilogue.stored.first()) {
            let home = Home::fixed(buf);
            x.args.push(BufferArg { home, offset: 0, dtype });
            let buffer = x.body.buffer(dtype);
            let sum = x.body.node(meshloom_kernels::Node::Acc);
            let like = x.access(&views[first], &map, self.func.ty(*first))?;
            x.body.output(sum, Access::new(buffer, &in_the_order_of(&like.strides, space)));
        }
        for (&s, n) in epilogue.stored.iter().zip(nodes) {
            let access = x.access(&views[&s], &map, self.func.ty(s))?;
            x.output(n, access);
        }
        Ok((x.body, x.args, x.dims))
    }

    /// The contraction as GPUs have it, and the call with the operands in its order.
    fn on_gpu(
        &self,
        contraction: &Contraction,
        gpu: meshloom_kernels::GpuArch,
        mut call: ContractionCall,
    ) -> (Dot, ContractionCall) {
        let (mut dot, swapped) = contraction.dot();
        dot.by_threads = gpu.fetches() && self.device == Device::GpuWithoutTma(gpu);
        dot.tf32 = self.tf32 && dot.dtype() == DType::F32;
        for (slot, arg) in call.args.iter_mut().enumerate().take(2) {
            *arg = call.sources[if swapped { 1 - slot } else { slot }].clone();
        }
        (dot, call)
    }

    /// A contraction that reads its operands as they lie in memory. It is two kernels where its summed dim is split.
    fn gpu_contraction(
        &mut self,
        contraction: &Contraction,
        gpu: meshloom_kernels::GpuArch,
        call: ContractionCall,
    ) -> Vec<Step> {
        let (dot, call) = self.on_gpu(contraction, gpu, call);
        let ContractionCall { op, ops, mut args, dims, dtype, .. } = call;
        let Some((parts, sum)) = dot.split(gpu) else {
            return vec![self.launch(KernelSpec::Dot(dot), &args, dims, op, &ops)];
        };
        let bytes = parts.space().iter().product::<u64>() * dtype.bytes();
        let waiting = BufferArg { home: Home::fixed(self.temporary(bytes)), offset: 0, dtype };
        let rest = [std::slice::from_ref(&waiting), &args[2..]].concat();
        args.truncate(2);
        args.push(waiting);
        vec![
            self.launch(KernelSpec::Dot(parts), &args, Vec::new(), op, &[]),
            self.launch(KernelSpec::Column(sum), &rest, dims, op, &ops),
        ]
    }

    /// A contraction with the column reduction `sum` of an operand: in one kernel, or each in its own.
    fn with_sum(
        &mut self,
        views: &Views,
        contraction: &Contraction,
        gpu: meshloom_kernels::GpuArch,
        call: ContractionCall,
        sum: ValueId,
    ) -> Result<Vec<Step>, LowerError> {
        let view_of = |v: ValueId| views.get(&v).cloned();
        let of_sum = call_of(self.func, &self.facts, &view_of, sum);
        let (dot, ordered) = self.on_gpu(contraction, gpu, call.clone());
        let both = of_sum.as_ref().and_then(|c| joined(&dot, &ordered.args[..2], c, gpu));
        let (Some((spec, total)), Some(ColumnCall { spec: column, args, .. })) = (both, of_sum) else {
            let mut steps = self.gpu_contraction(contraction, gpu, call);
            let Some(data) = self.func.def_op(sum).map(|o| self.func.op(o).clone()) else { return Ok(steps) };
            if let Op::Reduce { dims, .. } = &data.op {
                let of = self.func.ty(data.operands[0]).shape.clone();
                steps.extend(self.columns(views, &of, dims, &[sum])?);
            }
            return Ok(steps);
        };
        let ContractionCall { op, ops, args: mut of_dot, dims, .. } = ordered;
        let bytes = spec.bytes_of_parts();
        let partial = BufferArg { home: Home::fixed(self.temporary(bytes)), offset: 0, dtype: DType::F32 };
        let written = column.body.outputs.first().map_or(0, |o| o.access.buffer as usize);
        let of_total = [partial.clone(), args[written].clone()];
        of_dot.push(partial);
        let added: Vec<OpId> = self.func.def_op(sum).into_iter().collect();
        let at = added.first().copied().unwrap_or(op);
        Ok(vec![
            self.launch(KernelSpec::DotAndSum(spec), &of_dot, dims, op, &ops),
            self.launch(KernelSpec::Column(total), &of_total, Vec::new(), at, &added),
        ])
    }

    /// A contraction on a CPU: first packs of the operands that need one, then the GEMM. A pack that several
    /// contractions read is made once.
    fn packed_contraction(&mut self, contraction: &Contraction, call: ContractionCall) -> Vec<Step> {
        let ContractionCall { op, ops, sources, mut args, dims, dtype } = call;
        let lowered = contraction.lower();
        let mut steps = Vec::new();
        for (slot, pack) in lowered.packs.iter().enumerate() {
            let source = sources[if lowered.swapped { 1 - slot } else { slot }].clone();
            args[slot] = match pack {
                None => source,
                Some(pack) => {
                    let spec = KernelSpec::Pack(pack.clone());
                    let known = self.packed.iter().find(|(s, a, _)| *s == spec && *a == source).map(|x| x.2);
                    let buf = match known {
                        Some(b) => b,
                        None => {
                            let buf = self.temporary(pack.elements() * dtype.bytes());
                            let target = BufferArg { home: Home::fixed(buf), offset: 0, dtype };
                            steps.push(self.launch(spec.clone(), &[source.clone(), target], Vec::new(), op, &[]));
                            self.packed.push((spec, source, buf));
                            buf
                        }
                    };
                    BufferArg { home: Home::fixed(buf), offset: 0, dtype }
                }
            };
        }
        steps.push(self.launch(KernelSpec::Matmul(lowered.matmul), &args, dims, op, &ops));
        steps
    }

    /// A copy of a view of `shape` to another view.
    pub fn copy(
        &self,
        op: OpId,
        ty: &meshloom_ir::TensorType,
        src: &View,
        dst: &View,
        ops: &[OpId],
    ) -> Result<Step, LowerError> {
        let (members, none) = (BTreeSet::new(), |_: ValueId| None);
        let space = if ty.shape.is_empty() { vec![1] } else { ty.shape.clone() };
        let build = || -> Result<(Body, Vec<BufferArg>, Vec<Dim>), Stop> {
            let mut x = Expander::new(self.func, &none, &members, &self.facts.rounded, &space);
            let map = x.leading(ty.rank());
            let from = x.access(src, &map, ty)?;
            let n = x.body.leaf(from);
            let to = x.access(dst, &map, ty)?;
            x.body.output(n, to);
            Ok((x.body, x.args, x.dims))
        };
        let (body, args, dims) = build().map_err(|s| self.stopped(op, s))?;
        Ok(self.launch(KernelSpec::Fused(Fused::new(&space, body)), &args, dims, op, ops))
    }

    /// A reshape that strides cannot express.
    pub fn reflow(&self, views: &Views, root: ValueId) -> Result<Vec<Step>, LowerError> {
        let Some(op) = self.func.def_op(root) else { return Ok(Vec::new()) };
        let x = self.func.op(op).operands[0];
        let (from, to) = (self.func.ty(x).clone(), &self.func.ty(root).shape);
        let src = self.operand(views, op, x)?;
        let dst = &views[&root];
        let strides = reshape_strides(to, &dst.strides, &from.shape).unwrap_or_else(|| dense_strides(&from.shape));
        let dst = View { strides, ..dst.clone() };
        Ok(vec![self.copy(op, &from, &src, &dst, &[op])?])
    }

    pub fn scatter(&mut self, views: &Views, op: OpId) -> Result<Vec<Step>, LowerError> {
        let data = self.func.op(op).clone();
        let Op::Scatter { rows, total, shard } = &data.op else { return Ok(Vec::new()) };
        let (indices, updates) = (data.operands[0], data.operands[1]);
        let ty = self.func.ty(updates).clone();
        if self.func.ty(indices).dtype != DType::I32 {
            return Err(LowerError { message: "CPU scatter takes i32 indices".into(), span: data.span });
        }
        let count = self.func.ty(indices).elements();
        // Of no updates too, each row of the result is as long as it is: all of it is filled with zeros.
        let of_result = self.func.ty(data.results[0]).elements().checked_div(*rows);
        let cols = ty.elements().checked_div(count).or(of_result).unwrap_or(1);
        let whole = |view: View, dtype| BufferArg { home: view.home, offset: (view.offset * 4) as u64, dtype };
        let index_view = self.row_major_operand(views, op, indices)?;
        let update_view = self.row_major_operand(views, op, updates)?;
        let (i32_, f) = (DType::I32, ty.dtype);
        let order = self.temporary(4 * count.max(1));
        let segments = self.temporary(4 * (rows + 1));
        let arg = |buf, dtype| BufferArg { home: Home::fixed(buf), offset: 0, dtype };
        let sort =
            KernelSpec::SegmentSort(SegmentSort { count, rows: *rows, total: *total, sharded: !shard.is_empty() });
        let axes: Vec<u32> = shard.iter().map(|a| u32::from(a.0)).collect();
        let dims = if axes.is_empty() { Vec::new() } else { vec![Dim::ShardStart { axes, block: *rows as i64 }] };
        let sum = KernelSpec::ScatterRows(ScatterRows {
            dtype: f,
            rows: *rows,
            cols,
            update_stride: cols as i64,
            out_stride: cols as i64,
        });
        let update_arg = BufferArg { home: update_view.home, offset: update_view.offset as u64 * f.bytes(), dtype: f };
        let out = self.row_major(op, data.results[0], &views[&data.results[0]])?;
        let out_arg = BufferArg { home: out.home, offset: out.offset as u64 * f.bytes(), dtype: f };
        Ok(vec![
            self.launch(sort, &[whole(index_view, i32_), arg(order, i32_), arg(segments, i32_)], dims, op, &[]),
            self.launch(sum, &[arg(order, i32_), arg(segments, i32_), update_arg, out_arg], Vec::new(), op, &[op]),
        ])
    }

    /// Ops along one dim over dense operands: cumulative ops and `top_k`.
    pub fn ordered(&self, views: &Views, op: OpId) -> Result<Step, LowerError> {
        let data = self.func.op(op);
        let (x, out) = (data.operands[0], data.results[0]);
        let ty = self.func.ty(x);
        let dtype = ty.dtype;
        let size = |dims: &[u64]| dims.iter().product::<u64>();
        let spec = match data.op {
            Op::Cumulative { kind, dim, reverse, exclusive } => {
                let (outer, n, inner) = (size(&ty.shape[..dim]), ty.shape[dim], size(&ty.shape[dim + 1..]));
                KernelSpec::Scan(Scan { dtype, kind, outer, n, inner, reverse, exclusive })
            }
            Op::CumLogSumExp { dim, reverse } => {
                let (outer, n, inner) = (size(&ty.shape[..dim]), ty.shape[dim], size(&ty.shape[dim + 1..]));
                KernelSpec::CumLogSumExp(CumLogSumExp { dtype, outer, n, inner, reverse })
            }
            // The dim is the last one: normalisation transposes others.
            Op::TopK { dim, k, largest, indices } => {
                let (rows, n) = (size(&ty.shape[..dim]), ty.shape[dim]);
                KernelSpec::TopK(TopK { dtype, rows, n, k, largest, indices })
            }
            ref other => {
                let message = format!("internal: `{}` is not a kernel along a dim", other.name());
                return Err(LowerError { message, span: data.span });
            }
        };
        let arg = |view: &View, dtype: DType| BufferArg {
            home: view.home,
            offset: view.offset as u64 * dtype.bytes(),
            dtype,
        };
        let from = self.row_major_operand(views, op, x)?;
        let to = self.row_major(op, out, &views[&out])?;
        let args = [arg(&from, ty.dtype), arg(to, self.func.ty(out).dtype)];
        Ok(self.launch(spec, &args, Vec::new(), op, &[op]))
    }

    /// Pad and concatenate: copies into parts of the result.
    pub fn parts(&self, views: &Views, op: OpId) -> Result<Vec<Step>, LowerError> {
        let data = self.func.op(op);
        let out = &views[&data.results[0]];
        let out_ty = self.func.ty(data.results[0]);
        let mut steps = Vec::new();
        let mut at = vec![0u64; out_ty.rank()];
        if let Op::Pad { low, .. } = &data.op {
            at.clone_from(low);
            self.row_major(op, data.results[0], out)?; // filled as such
            let dst = Ref { home: out.home, offset: out.offset as u64 * out_ty.dtype.bytes(), bytes: out_ty.bytes() };
            steps.push(Step::Fill {
                dst,
                dtype: held_as(out_ty.dtype),
                count: out_ty.elements(),
                value: Number::Float(0.0),
            });
        }
        for &v in &data.operands {
            let (src, place) = (self.operand(views, op, v)?, out.slice(&at));
            if !src.is(&place, &self.func.ty(v).shape) {
                steps.push(self.copy(op, self.func.ty(v), &src, &place, &[op])?);
            }
            if let Op::Concatenate { dim } = data.op {
                at[dim] += self.func.ty(v).shape[dim];
            }
        }
        Ok(steps)
    }
}

/// Strides of a dense buffer over `space`, with its dims in the order that `strides` has.
fn in_the_order_of(strides: &[i64], space: &[u64]) -> Vec<i64> {
    let mut order: Vec<usize> = (0..space.len()).collect();
    order.sort_by_key(|&d| std::cmp::Reverse(strides[d]));
    crate::view::ordered_strides(space, &order)
}

/// What [`Lowering::epilogue`] is told of a contraction and the values that it stores.
struct Epilogue<'a> {
    e: &'a Einsum,
    groups: &'a Groups,
    /// The result of the contraction itself.
    d: ValueId,
    stored: &'a [ValueId],
    inside: &'a BTreeSet<ValueId>,
    /// The sizes of batch and free dims.
    space: &'a [u64],
    /// The type in which sums are taken.
    dtype: DType,
    /// The buffer in which partial sums wait, unless they wait in the first output.
    waiting: Option<BufId>,
}

/// The arguments of a contraction's kernels.
#[derive(Clone)]
struct ContractionCall {
    op: OpId,
    /// The contraction and the ops of its epilogue.
    ops: Vec<OpId>,
    /// The operands, packed or not.
    sources: [BufferArg; 2],
    /// The kernel's buffers. The first two stand for the operands.
    args: Vec<BufferArg>,
    dims: Vec<Dim>,
    dtype: DType,
}
