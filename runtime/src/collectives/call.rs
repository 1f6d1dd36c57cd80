//! A collective with its groups worked out, and the bytes that devices receive in it.

use super::tiles::share;
use meshloom_bundle::{Collective, CollectiveKind, Program};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A collective with its groups worked out.
#[derive(Clone, Debug)]
pub struct Call {
    pub collective: Collective,
    /// Each group's devices by rank. All devices are in exactly one group.
    pub groups: Vec<Vec<usize>>,
}

impl Call {
    /// `program` was validated.
    pub fn new(program: &Program, collective: &Collective) -> Call {
        let mut groups: std::collections::BTreeMap<Vec<u32>, Vec<(u64, usize)>> = Default::default();
        for device in 0..program.devices() {
            let mut rest = program.coordinates(device);
            for &a in &collective.axes {
                rest[a as usize] = 0;
            }
            groups.entry(rest).or_default().push((program.rank_over(device, &collective.axes), device));
        }
        let ordered = |mut g: Vec<(u64, usize)>| {
            g.sort_unstable();
            g.into_iter().map(|(_, device)| device).collect()
        };
        Call { collective: collective.clone(), groups: groups.into_values().map(ordered).collect() }
    }

    pub fn group_size(&self) -> usize {
        self.groups.first().map_or(1, Vec::len)
    }
}

/// One worker's part in the work of a collective: of all workers of this process.
#[derive(Clone, Copy, Debug)]
pub struct WorkerPart {
    pub worker: usize,
    pub workers: usize,
}

/// Bytes that each device received from others since the start.
pub struct Traffic(Vec<AtomicU64>);

impl Traffic {
    pub fn new(devices: usize) -> Traffic {
        Traffic((0..devices).map(|_| AtomicU64::new(0)).collect())
    }

    #[inline]
    pub fn received(&self, device: usize, bytes: usize) {
        self.0[device].fetch_add(bytes as u64, Relaxed);
    }

    pub fn per_device(&self) -> Vec<u64> {
        self.0.iter().map(|b| b.load(Relaxed)).collect()
    }

    /// Over all devices: comparable with `wire_bytes_per_device` times the number of devices.
    pub fn total(&self) -> u64 {
        self.per_device().iter().sum()
    }
}

/// Counts what each device of a group receives in so many calls, by the ring's cost.
pub fn count(traffic: &Traffic, call: &Call, own: &std::ops::Range<usize>, times: u64) {
    let (c, n) = (&call.collective, call.group_size() as u64);
    let full = c.kind.full_elements(n) * c.dtype.bytes();
    for group in &call.groups {
        for (rank, &device) in group.iter().enumerate().filter(|(_, d)| own.contains(d)) {
            let bytes = match &c.kind {
                CollectiveKind::CollectivePermute { pairs, .. } => {
                    if pairs.iter().any(|p| p.1 as usize == rank && p.0 != p.1) { full } else { 0 }
                }
                // Each element has an owner, to whom the others' come, and from whom the result comes back.
                CollectiveKind::AllReduce { count, .. } => {
                    let own = share(*count as usize, rank, group.len()).len() as u64;
                    ((n - 1) * own + count - own) * c.dtype.bytes()
                }
                kind => kind.wire_bytes_of_group(n, full) / n,
            };
            traffic.received(device, (times * bytes) as usize);
        }
    }
}
