//! The collectives on the tensors of all devices at once. A group is ordered by its index over the op's axes, major first;
//! reductions add in that order and round after each step, as devices do. Bytes are counted where a block is copied from
//! one device to another ([`Wire::send`]), so the counts are a fact about the algorithm and not a formula: an all-reduce
//! reduces each of n chunks on one device and sends it back.

use crate::layout::Reduction;
use crate::mesh::{Axis, Mesh};
use crate::op::Op;
use crate::table::comm::permute_source;
use crate::table::contract::{combine, combine_int, identity_of};
use crate::tensor::{Data, Tensor, round, strides, wrap};
use crate::types::{DType, Scalar};
use std::rc::Rc;

/// Bytes that each device sent.
pub struct Wire {
    pub sent: Vec<u64>,
}

impl Wire {
    pub fn new(devices: u64) -> Wire {
        Wire { sent: vec![0; devices as usize] }
    }

    /// A copy of `t` on another device.
    fn send(&mut self, from: u64, to: u64, t: &Tensor) -> Tensor {
        if from != to {
            self.sent[from as usize] += t.ty.bytes();
        }
        t.clone()
    }
}

/// The reduction of the parts, in their order, rounded to the element type after each step; 16-bit floats are reduced in f32 and
/// rounded once. `None` if there are none.
pub fn reduce_all(kind: Reduction, mut parts: impl Iterator<Item = Tensor>) -> Option<Tensor> {
    let mut acc = parts.next()?;
    let dtype = acc.ty.dtype;
    let wide = if dtype.is_float() && dtype.bytes() < 4 { DType::F32 } else { dtype };
    for x in parts {
        match (&mut acc.data, &x.data) {
            (Data::Float(a), Data::Float(b)) => {
                for (a, &b) in a.iter_mut().zip(b) {
                    *a = round(wide, combine(kind, *a, b));
                }
            }
            (Data::Int(a), Data::Int(b)) => {
                for (a, &b) in a.iter_mut().zip(b) {
                    *a = wrap(dtype, combine_int(kind, *a, b));
                }
            }
            _ => unreachable!("shards of one value have one dtype"),
        }
    }
    if let Data::Float(a) = &mut acc.data {
        a.iter_mut().for_each(|a| *a = round(dtype, *a));
    }
    Some(acc)
}

/// The groups over `axes`, each in order.
fn groups(mesh: &Mesh, axes: &[Axis]) -> Vec<Vec<u64>> {
    (0..mesh.devices()).filter(|&d| mesh.index_in(d, axes) == 0).map(|d| mesh.group(d, axes)).collect()
}

/// Block `i` of `n` of a dim: ceil(size / n) rows, of which those beyond the end are unspecified. They are sent too.
fn block(t: &Tensor, dim: usize, i: usize, n: usize) -> Tensor {
    let len = (t.ty.shape[dim] as usize).div_ceil(n);
    t.block_or_padding(dim, i * len, len)
}

/// Blocks put together along a dim, without what pads the last of them.
fn gathered(parts: &[Tensor], dim: usize, size: Option<u64>) -> Tensor {
    let whole = Tensor::concat(&parts.iter().collect::<Vec<_>>(), dim);
    match size {
        Some(n) => whole.block(dim, 0, n as usize),
        None => whole,
    }
}

/// `t` with `fill` in the rows of dim `dim` from `start` on.
fn filled(t: &Tensor, dim: usize, start: usize, fill: Scalar) -> Tensor {
    let kept = start.min(t.ty.shape[dim] as usize);
    let st = strides(&t.ty.shape);
    t.gather_or(&t.ty.shape, fill, |idx| (idx[dim] < kept).then(|| idx.iter().zip(&st).map(|(i, s)| i * s).sum()))
}

/// Runs a collective (or `shard_slice`, `partial_split`, `pad_mask`) of a verified program: the result on each device.
pub fn run(op: &Op, mesh: &Mesh, xs: &[Rc<Tensor>], wire: &mut Wire) -> Vec<Tensor> {
    let axes = op.collective_axes().unwrap_or_default();
    let mut out: Vec<Tensor> = xs.iter().map(|t| (**t).clone()).collect();
    for group in groups(mesh, axes) {
        let n = group.len();
        let x = |i: usize| &*xs[group[i] as usize];
        let mut results: Vec<Tensor> = Vec::with_capacity(n);
        match op {
            Op::AllReduce { kind, .. } => results = all_reduce(*kind, &group, xs, wire),
            Op::AllGather { dim, size, .. } => {
                for &to in &group {
                    let parts: Vec<Tensor> = (0..n).map(|i| wire.send(group[i], to, x(i))).collect();
                    results.push(gathered(&parts, *dim, *size));
                }
            }
            Op::ReduceScatter { dim, kind, .. } => {
                for (r, &to) in group.iter().enumerate() {
                    let parts = (0..n).map(|i| wire.send(group[i], to, &block(x(i), *dim, r, n)));
                    results.extend(reduce_all(*kind, parts));
                }
            }
            Op::AllToAll { split, concat, size, .. } => {
                for (r, &to) in group.iter().enumerate() {
                    let parts: Vec<Tensor> =
                        (0..n).map(|i| wire.send(group[i], to, &block(x(i), *split, r, n))).collect();
                    results.push(gathered(&parts, *concat, *size));
                }
            }
            Op::CollectivePermute { axes, from, to } => {
                for &d in &group {
                    let source = mesh.index_in(permute_source(mesh, axes, from, to, d), axes) as usize;
                    // Every device moves its block once, also the one that stays where it is: that is what a permute is
                    // priced at.
                    wire.sent[group[source] as usize] += x(source).ty.bytes();
                    results.push(x(source).clone());
                }
            }
            Op::CollectiveShift { by, .. } => {
                for source in (0..n).map(|r| (r + n - *by as usize) % n) {
                    // As above, the block is counted also where it stays.
                    wire.sent[group[source] as usize] += x(source).ty.bytes();
                    results.push(x(source).clone());
                }
            }
            Op::ShardSlice { dim, .. } => {
                results.extend((0..n).map(|r| block(x(r), *dim, r, n)));
            }
            Op::PartialSplit { .. } => {
                results.extend((0..n).map(|r| if r == 0 { x(0).clone() } else { Tensor::zeros(&x(r).ty) }));
            }
            Op::PadMask { dim, size, kind, .. } => {
                results.extend((0..n).map(|r| {
                    let ty = &x(r).ty;
                    let before = r as u64 * ty.shape[*dim];
                    filled(x(r), *dim, size.saturating_sub(before) as usize, identity_of(*kind, ty.dtype))
                }));
            }
            other => unreachable!("`{}` is not a collective", other.name()),
        }
        for (&d, t) in group.iter().zip(results) {
            out[d as usize] = t;
        }
    }
    out
}

/// Each device of the group reduces one chunk of the flat tensor and sends it to the others.
fn all_reduce(kind: Reduction, group: &[u64], xs: &[Rc<Tensor>], wire: &mut Wire) -> Vec<Tensor> {
    let n = group.len();
    let ty = xs[group[0] as usize].ty.clone();
    let len = ty.elements() as usize;
    let flat: Vec<Tensor> = group
        .iter()
        .map(|&d| {
            let mut t = (*xs[d as usize]).clone();
            t.ty.shape = vec![len as u64];
            t
        })
        .collect();
    let mut received: Vec<Vec<Tensor>> = vec![Vec::new(); n];
    for (r, &owner) in group.iter().enumerate() {
        let (start, end) = (r * len / n, (r + 1) * len / n);
        let parts = flat.iter().zip(group).map(|(t, &from)| wire.send(from, owner, &t.block(0, start, end - start)));
        let Some(acc) = reduce_all(kind, parts.collect::<Vec<_>>().into_iter()) else { continue };
        for (all, &to) in received.iter_mut().zip(group) {
            all.push(wire.send(owner, to, &acc));
        }
    }
    received
        .into_iter()
        .map(|chunks| {
            let mut t = Tensor::concat(&chunks.iter().collect::<Vec<_>>(), 0);
            t.ty = ty.clone();
            t
        })
        .collect()
}
