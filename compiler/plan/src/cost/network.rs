//! How long a collective takes, by alpha-beta on the algorithms of NCCL.
//!
//! A device's index is row-major over the mesh axes, so the last axes are the innermost. A level whose blocks are `D`
//! consecutive devices holds `gcd(size, D / stride)` neighbours along an axis of that stride (1 where `stride` does not divide
//! `D`: some group then straddles blocks, and the slowest decides), and the product over its axes of a group. Let a group of
//! `n` devices have `m_k` members in a block of level `k`, `m_-1 = 1`, `n_k = m_k / m_(k-1)`, and let `S` be the full buffer:
//!
//! | op | bytes over level `k` | latencies of level `k` on GPUs | on CPUs |
//! |---|---|---|---|
//! | `all_gather`, `reduce_scatter` | `S (n_k - 1) / m_k` | the ring's hops, `n / m_(k-1) - n / m_k` | `ceil(log2 n_k)` |
//! | `all_reduce` | `2 S (n_k - 1) / m_k` | the tree's, `2 ceil(log2 n_k)` | `2 ceil(log2 n_k)` |
//! | `all_to_all` | `S (m_k - m_(k-1)) / n` | 1 | `ceil(log2 n_k)` |
//! | `collective_permute` | `S`, over the slowest level crossed | 1 | 1 |
//!
//! Data passes the levels in pieces, one piece on each level at a time: the slowest level's bytes count, and the latencies
//! of all, and what it takes to start a call. Over one level the bytes are the ring's. NCCL gathers and scatters by rings alone.
//! For `all_reduce` it chooses among rings, trees and, where a level's switches add (NVLS), these: small ones take a tree's
//! latencies, large ones a ring's bytes, at a level with such switches `reduces` times as fast (P. Sanders, J. Speck, J. L.
//! Traff, "Two-tree algorithms for full bandwidth broadcast, reduction and scan", 2009; NCCL, src/graph/tuning.cc).
//!
//! Not here: what overlaps with what ([`super::simulate`]).

use super::model::{effective, ratio};
use super::{Level, Model, buffer_bytes};
use meshloom_ir::{Axis, Exchange, Op, TensorType};

/// One level as a group sees it.
struct Part<'a> {
    at: usize,
    level: &'a Level,
    /// Members in a block of the level inside this one.
    inside: u128,
    /// Members in a block of this level.
    members: u128,
}

impl Part<'_> {
    /// Blocks of the level inside in one of this.
    fn blocks(&self) -> u128 {
        (self.members / self.inside).max(1)
    }

    fn latency(&self, op: &Op, group: u64, gpus: bool) -> u64 {
        let rounds = u64::from(self.blocks().next_power_of_two().trailing_zeros());
        let hops = u128::from(group) / self.inside - u128::from(group) / self.members;
        let messages = match op.exchange() {
            Some(Exchange::Twice) => 2 * rounds,
            Some(Exchange::Permute) => 1,
            Some(Exchange::Pairs) if gpus => 1,
            Some(Exchange::Once) if gpus => u64::try_from(hops).unwrap_or(u64::MAX),
            _ => rounds,
        };
        self.level.latency.saturating_mul(messages)
    }

    /// Picoseconds for `bytes / over` bytes.
    fn ps(&self, bytes: u128, over: u128) -> u64 {
        ratio(bytes, over.saturating_mul(effective(self.level.bandwidth, self.level.achievable)))
    }

    /// The bytes of a collective with a full buffer of `bytes`, without latencies.
    fn wire_ps(&self, exchange: Exchange, bytes: u128, group: u64) -> u64 {
        match exchange {
            Exchange::Twice => {
                // Switches add for more than two.
                let faster = if self.blocks() > 2 { u128::from(self.level.reduces) } else { 1000 };
                self.ps((2 * bytes * (self.blocks() - 1)).saturating_mul(1000) / faster, self.members)
            }
            Exchange::Pairs => self.ps(bytes.saturating_mul(self.members - self.inside), u128::from(group)),
            Exchange::Permute => self.ps(bytes, 1),
            Exchange::Once => self.ps(bytes * (self.blocks() - 1), self.members),
        }
    }
}

impl Model {
    /// The levels that a group over `axes` uses, inner first.
    fn parts(&self, axes: &[Axis]) -> Vec<Part<'_>> {
        let mut inside = 1;
        let mut parts = Vec::new();
        for (at, level) in self.target.levels.iter().enumerate() {
            let members = match level.devices {
                Some(_) => axes.iter().fold(1u64, |n, a| n.saturating_mul(self.inner[a.index()][at])),
                None => self.mesh.group_size(axes),
            };
            let members = u128::from(members);
            if members > inside {
                parts.push(Part { at, level, inside, members });
                inside = members;
            }
        }
        parts
    }

    /// The part of a collective's time that does not depend on its bytes.
    pub fn latency_ps(&self, op: &Op) -> u64 {
        let axes = op.collective_axes().filter(|_| op.communicates()).unwrap_or_default();
        let (parts, group) = (self.parts(axes), self.mesh.group_size(axes));
        let each = parts.iter().map(|p| p.latency(op, group, self.target.arch.is_gpu()));
        let all = match op.exchange() {
            Some(Exchange::Permute) => each.max().unwrap_or(0),
            _ => each.fold(0, u64::saturating_add),
        };
        if parts.is_empty() { 0 } else { all.saturating_add(self.target.call) }
    }

    /// The level that a collective takes longest on, by position: the stream that it runs on.
    pub fn level(&self, op: &Op) -> usize {
        let axes = op.collective_axes().unwrap_or_default();
        let Some(exchange) = op.exchange() else { return 0 };
        let group = self.mesh.group_size(axes);
        // Of a buffer so large that a byte more or less does not matter.
        let times = self.parts(axes).into_iter().map(|p| (p.wire_ps(exchange, 1 << 40, group), p.at));
        times.max().map_or(0, |x| x.1)
    }

    /// One execution of a step that converts between layouts, on an operand of this local type.
    pub fn collective_ps(&self, op: &Op, operand: &TensorType) -> u64 {
        let Some(axes) = op.collective_axes() else { return 0 };
        // A block of what is there, or zeros on the other devices: read and written by what comes next.
        let Some(exchange) = op.exchange() else { return self.shard_ps(op, operand, axes) };
        let bytes = u128::from(buffer_bytes(op, operand, &self.mesh));
        let group = self.mesh.group_size(axes);
        let times = self.parts(axes).into_iter().map(|p| self.turns(p.wire_ps(exchange, bytes, group)));
        times.max().unwrap_or(0).saturating_add(self.latency_ps(op))
    }

    /// A message of `bytes` from a device to the same device of another rank of a pipeline of `ranks`, each of which has a
    /// mesh like this one. The mesh of a rank is made of neighbours, so a message stays within the innermost level that
    /// holds all ranks.
    pub fn send_ps(&self, bytes: u64, ranks: u64) -> u64 {
        let devices = self.mesh.devices().saturating_mul(ranks);
        let level = self.target.levels.iter().find(|l| l.devices.is_none_or(|n| n >= devices));
        let level = level.or(self.target.levels.last());
        let over = |l: &Level| ratio(u128::from(bytes), effective(l.bandwidth, l.achievable)).saturating_add(l.latency);
        level.map_or(0, |l| over(l).saturating_add(self.target.call))
    }
}
