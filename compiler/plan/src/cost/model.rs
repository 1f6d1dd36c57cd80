//! How long one local op and one collective take on a target, in integer picoseconds.
//!
//! **Ops** follow the roofline: the slower of arithmetic (operations over the peak rate of the dtype times the achievable
//! fraction) and memory (bytes over bandwidth). What is a view takes no time; elementwise ops are taken as fused with their
//! neighbours, so that only a part of their bytes (the target's `fused`) reaches memory; contractions, reductions, gathers,
//! scatters and composites pay for all operands and results, and for a launch.
//!
//! **Collectives** follow alpha-beta, level by level. A device's index is row-major over the mesh axes, so the last axes are
//! the innermost. A level whose blocks are `D` consecutive devices holds `gcd(size, D / stride)` neighbours along an axis of
//! that stride (1 where `stride` does not divide `D`: some group then straddles blocks, and the slowest decides), and the
//! product over its axes of a group. Let a group of `n` devices have `m_k` members in a block of level `k`, `m_-1 = 1`,
//! `n_k = m_k / m_(k-1)`, and let `S` be the full buffer:
//!
//! | op | bytes over level `k` | latencies of level `k` |
//! |---|---|---|
//! | `all_gather`, `reduce_scatter` | `S (n_k - 1) / m_k` | `ceil(log2 n_k)` |
//! | `all_reduce` | `2 S (n_k - 1) / m_k` | `2 ceil(log2 n_k)` |
//! | `all_to_all` | `S (m_k - m_(k-1)) / n` | `ceil(log2 n_k)` |
//! | `collective_permute` | `S`, over the slowest level crossed | 1 |
//!
//! Levels follow one another: `all_reduce` is a `reduce_scatter` inside the node, an `all_reduce` of each device's share
//! between nodes, and an `all_gather` inside. Over one level these are the ring's bytes.
//!
//! Not here: what overlaps with what ([`super::simulate`]), and memory.

use super::{Level, Target, buffer_bytes};
use meshloom_ir::{Axis, Cost, DType, Exchange, Mesh, Op, TensorType};
use std::borrow::Borrow;

const PICOSECONDS: u128 = 1_000_000_000_000;

/// A target on a mesh.
#[derive(Clone, Debug)]
pub struct Model {
    pub target: Target,
    pub mesh: Mesh,
    /// For each axis and each level but the outermost: neighbours along the axis in one block.
    inner: Vec<Vec<u64>>,
    /// Devices, and the processors that they share.
    shared: (u64, u64),
}

/// One level as a group sees it.
struct Part<'a> {
    level: &'a Level,
    /// Members in a block of the level inside this one.
    inside: u128,
    /// Members in a block of this level.
    members: u128,
}

impl Part<'_> {
    /// How many latencies a collective pays at this level.
    fn messages(&self, op: &Op) -> u64 {
        let rounds = u64::from((self.members / self.inside).max(1).next_power_of_two().trailing_zeros());
        match op.exchange() {
            Some(Exchange::Twice) => 2 * rounds,
            Some(Exchange::Permute) => 1,
            _ => rounds,
        }
    }

    fn latency(&self, op: &Op) -> u64 {
        self.level.latency.saturating_mul(self.messages(op))
    }

    /// Picoseconds for `bytes / over` bytes.
    fn ps(&self, bytes: u128, over: u128) -> u64 {
        ratio(bytes, over.saturating_mul(effective(self.level.bandwidth, self.level.achievable)))
    }
}

impl Model {
    pub fn new(target: &Target, mesh: &Mesh) -> Model {
        let blocks: Vec<u64> = target.levels.iter().filter_map(|l| l.devices).collect();
        let mut stride = 1u64;
        let mut inner = vec![Vec::new(); mesh.axes.len()];
        for (axis, (_, size)) in mesh.axes.iter().enumerate().rev() {
            let fits = |&block: &u64| match () {
                () if mesh.devices() <= block => *size,
                () if block.is_multiple_of(stride) => gcd(*size, block / stride),
                () => 1,
            };
            inner[axis] = blocks.iter().map(fits).collect();
            stride = stride.saturating_mul(*size);
        }
        let shared = target.workers.map_or((1, 1), |w| (mesh.devices(), w));
        Model { target: target.clone(), mesh: mesh.clone(), inner, shared }
    }

    /// Devices that share processors take turns; of fewer, each has several.
    fn turns(&self, ps: u64) -> u64 {
        let (devices, workers) = self.shared;
        u64::try_from((u128::from(ps) * u128::from(devices)).div_ceil(u128::from(workers))).unwrap_or(u64::MAX)
    }

    /// The levels that a group over `axes` uses, inner first.
    fn parts(&self, axes: &[Axis]) -> Vec<Part<'_>> {
        let mut inside = 1;
        let mut parts = Vec::new();
        for (k, level) in self.target.levels.iter().enumerate() {
            let members = match level.devices {
                Some(_) => axes.iter().fold(1u64, |n, a| n.saturating_mul(self.inner[a.index()][k])),
                None => self.mesh.group_size(axes),
            };
            let members = u128::from(members);
            if members > inside {
                parts.push(Part { level, inside, members });
                inside = members;
            }
        }
        parts
    }

    /// The part of a collective's time that does not depend on its bytes.
    pub fn latency_ps(&self, op: &Op) -> u64 {
        let axes = op.collective_axes().filter(|_| op.communicates()).unwrap_or_default();
        let parts = self.parts(axes);
        let each = parts.iter().map(|p| p.latency(op));
        match op.exchange() {
            Some(Exchange::Permute) => each.max().unwrap_or(0),
            _ => each.fold(0, u64::saturating_add),
        }
    }

    /// One execution of a step that converts between layouts, on an operand of this local type.
    pub fn collective_ps(&self, op: &Op, operand: &TensorType) -> u64 {
        let Some(axes) = op.collective_axes() else { return 0 };
        // A block of what is there, or zeros on the other devices: read and written by what comes next.
        let Some(exchange) = op.exchange() else { return self.shard_ps(op, operand, axes) };
        let bytes = u128::from(buffer_bytes(op, operand, &self.mesh));
        let parts = self.parts(axes);
        let wire = |p: &Part<'_>| match exchange {
            Exchange::Twice => p.ps(2 * bytes * (p.members / p.inside - 1), p.members),
            Exchange::Pairs => p.ps(bytes.saturating_mul(p.members - p.inside), u128::from(self.mesh.group_size(axes))),
            Exchange::Permute => p.ps(bytes, 1),
            Exchange::Once => p.ps(bytes * (p.members / p.inside - 1), p.members),
        };
        let times = parts.iter().map(|p| self.turns(wire(p)).saturating_add(p.latency(op)));
        match exchange {
            Exchange::Permute => times.max().unwrap_or(0),
            _ => times.fold(0, u64::saturating_add),
        }
    }

    fn shard_ps(&self, op: &Op, operand: &TensorType, axes: &[Axis]) -> u64 {
        let part = match op {
            Op::ShardSlice { .. } => operand.bytes() / self.mesh.group_size(axes).max(1),
            _ => operand.bytes(),
        };
        self.stream_ps(part.saturating_mul(2), self.target.achievable.fused)
    }

    /// One execution of an op that one device runs alone. `flops` is what the op table says of it.
    pub fn op_ps<T: Borrow<TensorType>>(&self, op: &Op, operands: &[T], results: &[T], flops: u64) -> u64 {
        let sum = |types: &[T]| types.iter().fold(0u64, |n, t| n.saturating_add(t.borrow().bytes()));
        let result = sum(results);
        let bytes = sum(operands).saturating_add(result);
        let fused = self.target.achievable.fused;
        let whole = |bytes: u64| {
            let dtype = operands.first().map_or(DType::F32, |t| t.borrow().dtype);
            let launch = self.turns(self.target.launch).max(self.target.launch);
            self.arithmetic_ps(op, dtype, flops).max(self.stream_ps(bytes, 1000)).saturating_add(launch)
        };
        match op.entry().cost {
            Cost::Free => 0,
            // Reads no more than it writes.
            Cost::Result => self.stream_ps(result.saturating_mul(2), fused),
            Cost::Fused => self.stream_ps(bytes, fused),
            // Of the table, the rows that are read; of the indices, all.
            Cost::Rows => whole(result.saturating_mul(2).saturating_add(operands.get(1..).map_or(0, sum))),
            Cost::Kernel => whole(bytes),
            Cost::Reshard => operands.first().map_or(0, |t| self.collective_ps(op, t.borrow())),
        }
    }

    /// A message of `bytes` from a device to the same device of another rank of a pipeline of `ranks`, each of which has a
    /// mesh like this one. The mesh of a rank is made of neighbours, so a message stays within the innermost level that
    /// holds all ranks.
    pub fn send_ps(&self, bytes: u64, ranks: u64) -> u64 {
        let devices = self.mesh.devices().saturating_mul(ranks);
        let level = self.target.levels.iter().find(|l| l.devices.is_none_or(|n| n >= devices));
        let level = level.or(self.target.levels.last());
        let over = |l: &Level| ratio(u128::from(bytes), effective(l.bandwidth, l.achievable)).saturating_add(l.latency);
        level.map_or(0, over)
    }

    /// Writing `bytes` that something else computes, to read them much later.
    pub fn copy_ps(&self, bytes: u64) -> u64 {
        self.stream_ps(bytes, 1000)
    }

    fn arithmetic_ps(&self, op: &Op, dtype: DType, flops: u64) -> u64 {
        let rate = effective(self.target.peak_of(op, dtype), self.target.achievable.contraction);
        self.turns(ratio(u128::from(flops), rate))
    }

    /// Time of `share` per mille of `bytes` through memory.
    fn stream_ps(&self, bytes: u64, share: u64) -> u64 {
        let rate = effective(self.target.bandwidth, self.target.achievable.bandwidth);
        self.turns(ratio(u128::from(bytes) * u128::from(share), rate.saturating_mul(1000)))
    }
}

/// A rate after what is lost of it; at least one per second.
fn effective(rate: u64, per_mille: u64) -> u128 {
    (u128::from(rate) * u128::from(per_mille) / 1000).max(1)
}

/// Picoseconds for `amount` at `rate` per second, rounded up once, at most `u64::MAX`.
fn ratio(amount: u128, rate: u128) -> u64 {
    u64::try_from(amount.saturating_mul(PICOSECONDS).div_ceil(rate)).unwrap_or(u64::MAX)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests;
