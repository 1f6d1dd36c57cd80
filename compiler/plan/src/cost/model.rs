//! How long one local op and one collective take on a target, in integer picoseconds.
//!
//! Ops follow the roofline: the slower of arithmetic (operations over the peak rate of the dtype times the achievable
//! fraction, which for contractions depends on the shape: [`super::gemm`]) and memory (bytes over bandwidth). What is a view
//! takes no time; elementwise ops are taken as fused with their neighbours, so that only a part of their bytes (the target's
//! `fused`, and `update` for those of an optimizer) reaches memory; contractions, reductions, gathers, scatters and composites pay for all operands and results, and
//! for a launch. Collectives are in [`super::network`].
//!
//! Not here: what overlaps with what ([`super::simulate`]), and memory.

use super::gemm::{MatmulShape, Tiles};
use super::{Host, Target};
use meshloom_ir::table::composite;
use meshloom_ir::{Axis, Cost, DType, Mesh, Op, Phase, TensorType};
use std::borrow::Borrow;

const PICOSECONDS: u128 = 1_000_000_000_000;

/// A target on a mesh.
#[derive(Clone, Debug)]
pub struct Model {
    pub target: Target,
    pub mesh: Mesh,
    /// For each axis and each level but the outermost: neighbours along the axis in one block.
    pub(super) inner: Vec<Vec<u64>>,
    /// Devices, and the processors that they share.
    shared: (u64, u64),
}

/// What the time of one execution of an op is made of: the slower of arithmetic and memory, and the launch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct OpPrice {
    pub arithmetic_ps: u64,
    pub memory_ps: u64,
    pub launch_ps: u64,
    /// To and from memory.
    pub bytes: u64,
}

impl OpPrice {
    pub fn ps(&self) -> u64 {
        self.arithmetic_ps.max(self.memory_ps).saturating_add(self.launch_ps)
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

    /// Whether two axes have as many devices, at the same levels.
    pub fn alike(&self, a: Axis, b: Axis) -> bool {
        self.mesh.size(a) == self.mesh.size(b) && self.inner[a.index()] == self.inner[b.index()]
    }

    /// Devices that share processors take turns; of fewer, each has several.
    pub(super) fn turns(&self, ps: u64) -> u64 {
        let (devices, workers) = self.shared;
        u64::try_from((u128::from(ps) * u128::from(devices)).div_ceil(u128::from(workers))).unwrap_or(u64::MAX)
    }

    pub(super) fn shard_ps(&self, op: &Op, operand: &TensorType, axes: &[Axis]) -> u64 {
        let part = match op {
            Op::ShardSlice { .. } => operand.bytes() / self.mesh.group_size(axes).max(1),
            _ => operand.bytes(),
        };
        self.stream_ps(part.saturating_mul(2), self.target.achievable.fused)
    }

    /// One execution of an op of `phase` that one device runs alone. `flops` is what the op table says of it.
    pub fn op_ps<T: Borrow<TensorType>>(
        &self,
        op: &Op,
        phase: Phase,
        operands: &[T],
        results: &[T],
        flops: u64,
    ) -> u64 {
        match op.entry().cost {
            Cost::Reshard => operands.first().map_or(0, |t| self.collective_ps(op, t.borrow())),
            _ => self.priced(op, phase, operands, results, flops).ps(),
        }
    }

    /// What the time of such an op is made of. What moves between devices takes none of it.
    pub(super) fn priced<T: Borrow<TensorType>>(
        &self,
        op: &Op,
        phase: Phase,
        operands: &[T],
        results: &[T],
        flops: u64,
    ) -> OpPrice {
        let sum = |types: &[T]| types.iter().fold(0u64, |n, t| n.saturating_add(t.borrow().bytes()));
        let result = sum(results);
        let bytes = sum(operands).saturating_add(result);
        let achievable = &self.target.achievable;
        let fused = if phase == Phase::Update { achievable.update } else { achievable.fused };
        let part = |bytes: u64| OpPrice {
            memory_ps: self.stream_ps(bytes, fused),
            bytes: u64::try_from(u128::from(bytes) * u128::from(fused) / 1000).unwrap_or(u64::MAX),
            ..OpPrice::default()
        };
        let whole = |bytes: u64| {
            let dtype = operands.first().map_or(DType::F32, |t| t.borrow().dtype);
            OpPrice {
                arithmetic_ps: self.arithmetic_ps(op, operands, dtype, flops),
                memory_ps: self.stream_ps(bytes, 1000),
                launch_ps: self.turns(self.target.launch).max(self.target.launch),
                bytes,
            }
        };
        match op.entry().cost {
            Cost::Free | Cost::Reshard => OpPrice::default(),
            // Reads no more than it writes.
            Cost::Result => part(result.saturating_mul(2)),
            Cost::Fused => part(bytes),
            // Of the table, the rows that are read; of the indices, all.
            Cost::Rows => whole(result.saturating_mul(2).saturating_add(operands.get(1..).map_or(0, sum))),
            Cost::Kernel => whole(bytes),
        }
    }

    /// `flops` at the target's peak for an op on `dtype`, with nothing lost.
    pub(super) fn at_peak_ps(&self, op: &Op, dtype: DType, flops: u64) -> u64 {
        self.turns(ratio(u128::from(flops), u128::from(self.target.peak_of(op, dtype).max(1))))
    }

    /// `bytes` at the target's bandwidth, with nothing lost.
    pub(super) fn at_bandwidth_ps(&self, bytes: u64) -> u64 {
        self.turns(ratio(u128::from(bytes), u128::from(self.target.bandwidth.max(1))))
    }

    /// Writing `bytes` that something else computes, to read them much later.
    pub fn copy_ps(&self, bytes: u64) -> u64 {
        self.stream_ps(bytes, 1000)
    }

    /// Copying `bytes` between a device and its host; nothing where the target says nothing of a host.
    pub fn host_ps(&self, bytes: u64) -> u64 {
        let ps = |h: &Host| self.turns(ratio(u128::from(bytes), effective(h.bandwidth, h.achievable)));
        self.target.host.as_ref().map_or(0, ps)
    }

    fn arithmetic_ps<T: Borrow<TensorType>>(&self, op: &Op, operands: &[T], dtype: DType, flops: u64) -> u64 {
        let achievable = &self.target.achievable;
        let peak = self.target.peak_of(op, dtype);
        let fill = |t: &Tiles| {
            let steps = u128::from(t.fill) * u128::from(peak) / u128::from(self.target.peak(DType::BF16).max(1));
            u64::try_from(steps).unwrap_or(u64::MAX)
        };
        let (share, operations) = match (op, &self.target.tiles) {
            (Op::DotGeneral(e), Some(tiles)) => {
                let shape = MatmulShape::of(e, operands).filter(|_| flops > 0);
                let batched = achievable.batched.filter(|_| shape.is_some_and(|s| s.batch > 1));
                (
                    batched.unwrap_or_else(|| achievable.contraction_of(dtype)),
                    shape.map_or(u128::from(flops), |s| tiles.operations(s, fill(tiles))),
                )
            }
            (Op::Composite { name, .. }, _) if composite::named(name).is_some() => {
                let head = operands.first().and_then(|q| q.borrow().shape.last().copied()).unwrap_or(0);
                (achievable.attention_of(head), u128::from(flops))
            }
            _ => (achievable.contraction_of(dtype), u128::from(flops)),
        };
        self.turns(ratio(operations, effective(peak, share)))
    }

    /// Time of `share` per mille of `bytes` through memory.
    fn stream_ps(&self, bytes: u64, share: u64) -> u64 {
        let rate = effective(self.target.bandwidth, self.target.achievable.bandwidth);
        self.turns(ratio(u128::from(bytes) * u128::from(share), rate.saturating_mul(1000)))
    }
}

/// A rate after what is lost of it; at least one per second.
pub(super) fn effective(rate: u64, per_mille: u64) -> u128 {
    (u128::from(rate) * u128::from(per_mille) / 1000).max(1)
}

/// Picoseconds for `amount` at `rate` per second, rounded up once, at most `u64::MAX`.
pub(super) fn ratio(amount: u128, rate: u128) -> u64 {
    u64::try_from(amount.saturating_mul(PICOSECONDS).div_ceil(rate)).unwrap_or(u64::MAX)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests;
