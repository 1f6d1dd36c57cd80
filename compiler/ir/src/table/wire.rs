//! What the entries of collectives evaluate with: the tensors of all devices of a group, and the wire between the devices.
//!
//! A group is ordered by its index over the op's axes, major first. Reductions add in that order and round after each step, as
//! devices do. Bytes are counted where a block is copied from one device to another ([`Wire::send`]). So the counts are measured
//! on the algorithm, not computed by a formula: an all-reduce reduces each of n chunks on one device and sends it back.

use super::contract::{combine, combine_int};
use crate::layout::Reduction;
use crate::mesh::Mesh;
use crate::tensor::{Data, Tensor, round, strides, wrap};
use crate::types::{DType, Scalar};
use std::rc::Rc;

/// The devices of one group, in order, and the operand on every device of the mesh.
pub struct Members<'a> {
    pub mesh: &'a Mesh,
    pub devices: &'a [u64],
    pub all: &'a [Rc<Tensor>],
}

impl Members<'_> {
    pub fn len(&self) -> usize {
        self.devices.len()
    }

    pub fn is_empty(&self) -> bool {
        self.devices.is_empty()
    }

    /// The operand of member `i`.
    pub fn x(&self, i: usize) -> &Tensor {
        &self.all[self.devices[i] as usize]
    }

    /// For each member what it makes of the copies that `part(sender, receiver)` says are sent to it.
    pub fn exchange(
        &self,
        wire: &mut Wire,
        part: impl Fn(usize, usize) -> Tensor,
        make: impl Fn(Vec<Tensor>) -> Option<Tensor>,
    ) -> Vec<Tensor> {
        let to = |r: usize, wire: &mut Wire| {
            let sent = |i: usize| wire.send(self.devices[i], self.devices[r], &part(i, r));
            make((0..self.len()).map(sent).collect())
        };
        (0..self.len()).filter_map(|r| to(r, wire)).collect()
    }

    /// For each member what one other has. Every device moves its block once, also the one that stays where it is: that is what
    /// a permute is priced at.
    pub fn permuted(&self, wire: &mut Wire, source: impl Fn(usize) -> usize) -> Vec<Tensor> {
        let moved = |r: usize| {
            let from = source(r);
            wire.sent[self.devices[from] as usize] += self.x(from).ty.bytes();
            self.x(from).clone()
        };
        (0..self.len()).map(moved).collect()
    }

    /// For each member what it makes of its own operand.
    pub fn each(&self, make: impl Fn(usize, &Tensor) -> Tensor) -> Vec<Tensor> {
        (0..self.len()).map(|r| make(r, self.x(r))).collect()
    }
}

/// Bytes that each device sent.
pub struct Wire {
    pub sent: Vec<u64>,
}

impl Wire {
    pub fn new(devices: u64) -> Wire {
        Wire { sent: vec![0; devices as usize] }
    }

    /// A copy of `t` on another device.
    pub fn send(&mut self, from: u64, to: u64, t: &Tensor) -> Tensor {
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

/// Block `i` of `n` of a dim: ceil(size / n) rows, of which those beyond the end are unspecified. They are sent too.
pub fn block(t: &Tensor, dim: usize, i: usize, n: usize) -> Tensor {
    let len = (t.ty.shape[dim] as usize).div_ceil(n);
    t.block_or_padding(dim, i * len, len)
}

/// Blocks put together along a dim, without what pads the last of them.
pub fn gathered(parts: &[Tensor], dim: usize, size: Option<u64>) -> Tensor {
    let whole = Tensor::concat(&parts.iter().collect::<Vec<_>>(), dim);
    match size {
        Some(n) => whole.block(dim, 0, n as usize),
        None => whole,
    }
}

/// `t` with `fill` in the rows of dim `dim` from `start` on.
pub fn filled(t: &Tensor, dim: usize, start: usize, fill: Scalar) -> Tensor {
    let kept = start.min(t.ty.shape[dim] as usize);
    let st = strides(&t.ty.shape);
    t.gather_or(&t.ty.shape, fill, |idx| (idx[dim] < kept).then(|| idx.iter().zip(&st).map(|(i, s)| i * s).sum()))
}

/// Each device of the group reduces one chunk of the flat tensor and sends it to the others.
pub fn all_reduce(kind: Reduction, members: &Members<'_>, wire: &mut Wire) -> Vec<Tensor> {
    let (n, group) = (members.len(), members.devices);
    let ty = members.x(0).ty.clone();
    let len = ty.elements() as usize;
    let flat: Vec<Tensor> = group
        .iter()
        .map(|&d| {
            let mut t = (*members.all[d as usize]).clone();
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
