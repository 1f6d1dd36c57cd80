//! Collectives between devices that share memory: every worker copies its share of the tiles directly from arena to
//! arena.
//!
//! Each byte is read once from each device and written once to each. A gather reads a tile and writes it to the whole
//! group while the tile is in the cache. An all_reduce sums a tile in a private buffer and then writes the sum to all.
//! Bytes are still counted as the ring algorithm has them: each element of an all_reduce has an owner (blocks by rank),
//! to whom the others' values move, and from whom the sum moves back.

use super::tiles::{Runs, TILE, Tile, share};
use super::{Call, Collectives, Others, Spot, Traffic, WorkerPart, reduce};
use crate::device::memory::{MemoryCounter, MemoryRegion};
use crate::error::Result;
use meshloom_bundle::{CollectiveKind, DType, Iterations, Reduction};
use std::sync::Arc;

pub struct Threads {
    traffic: Traffic,
    /// A tile of partial sums for each worker of this process.
    partial: Vec<MemoryRegion>,
    /// The first of this process's workers among those of all processes, and how many there are.
    first: usize,
    all: usize,
    others: Option<Others>,
}

impl Threads {
    /// For a mesh of `devices`. All processes make theirs at the same time.
    pub fn new(devices: usize, workers: usize, memory: &Arc<MemoryCounter>, others: Option<Others>) -> Result<Threads> {
        // Processes may have different numbers of workers, and all must cut the work at the same places.
        let counts = others.as_ref().map_or_else(|| vec![workers as u64], |o| o.group.gather(workers as u64));
        let rank = others.as_ref().map_or(0, |o| o.group.index());
        let before = |n: usize| counts[..n].iter().sum::<u64>() as usize;
        let (first, all) = (before(rank), before(counts.len()));
        let partial = (0..workers)
            .map(|_| MemoryRegion::new(memory, TILE as u64, "partial sums of collectives"))
            .collect::<Result<_>>()?;
        Ok(Threads { traffic: Traffic::new(devices), partial, first, all, others })
    }
}

/// One group's view of a collective: where each rank's source and destination lie.
struct Group<'a> {
    devices: &'a [usize],
    arenas: &'a [*mut u8],
    src: usize,
    dst: usize,
    traffic: &'a Traffic,
}

impl Group<'_> {
    fn n(&self) -> usize {
        self.devices.len()
    }

    /// # Safety
    /// `at` lies within the collective's buffer.
    unsafe fn src(&self, rank: usize, at: usize) -> *const u8 {
        // SAFETY: validated to lie in the arena, in this iteration.
        unsafe { self.arenas[self.devices[rank]].add(self.src + at) }
    }

    /// # Safety
    /// As [`Group::src`].
    unsafe fn dst(&self, rank: usize, at: usize) -> *mut u8 {
        // SAFETY: as above.
        unsafe { self.arenas[self.devices[rank]].add(self.dst + at) }
    }

    /// Copies `len` bytes of `from`'s source into `to`'s destination.
    ///
    /// # Safety
    /// Both ranges lie within the collective's buffers, which do not overlap.
    #[inline]
    unsafe fn copy(&self, from: usize, src: usize, to: usize, dst: usize, len: usize) {
        // SAFETY: as the caller promises.
        unsafe { std::ptr::copy_nonoverlapping(self.src(from, src), self.dst(to, dst), len) };
    }

    /// Counts `bytes` copied to a rank from each of the group, of which its own were not moved.
    fn received_from_others(&self, to: usize, bytes: usize) {
        self.traffic.received(self.devices[to], (self.n() - 1) * bytes);
    }

    /// Counts what was just copied from one rank to another.
    fn moved(&self, from: usize, to: usize, bytes: usize) {
        if from != to {
            self.traffic.received(self.devices[to], bytes);
        }
    }
}

impl Collectives for Threads {
    unsafe fn run(&self, calls: &[Call], arenas: &[*mut u8], at: &Iterations, part: WorkerPart) {
        // The tiles of all calls are one list, so that a bucket of small ones keeps every worker busy.
        let all = calls.iter().map(|c| Work::of(c).len()).sum();
        let mine = share(all, self.first + part.worker, self.all);
        let mut first = 0;
        for call in calls {
            let work = Work::of(call);
            let (lo, hi) = (mine.start.max(first), mine.end.min(first + work.len()));
            if lo < hi {
                // SAFETY: as the caller promises; the members of a bucket are validated not to write what others read or write.
                unsafe { self.tiles(call, &work, lo - first..hi - first, arenas, at, part.worker) };
            }
            first += work.len();
        }
    }

    fn meet(&self, calls: &[Call], done: bool) {
        if let (Some(o), Some(call)) = (&self.others, calls.first()) {
            let spot = Spot::new(o.program, call.collective.id);
            if done { o.group.meet(spot) } else { o.group.meet_before(spot) }
        }
    }

    fn traffic(&self) -> &Traffic {
        &self.traffic
    }
}

/// What a collective consists of: tiles of its runs, for each group, and for each rank where ranks' data is disjoint.
struct Work {
    runs: Runs,
    lanes: usize,
    groups: usize,
}

impl Work {
    fn of(call: &Call) -> Work {
        let (c, n) = (&call.collective, call.group_size());
        let lanes = match &c.kind {
            CollectiveKind::ReduceScatter { .. }
            | CollectiveKind::AllToAll { .. }
            | CollectiveKind::CollectivePermute { .. } => n,
            CollectiveKind::AllReduce { .. } | CollectiveKind::AllGather { .. } => 1,
        };
        Work { runs: runs(&c.kind, n, c.dtype.bytes() as usize), lanes, groups: call.groups.len() }
    }

    fn len(&self) -> usize {
        self.groups * self.lanes * self.runs.tiles()
    }
}

impl Threads {
    /// # Safety
    /// As [`Collectives::run`], and no other worker does any of these tiles.
    unsafe fn tiles(
        &self,
        call: &Call,
        work: &Work,
        which: std::ops::Range<usize>,
        arenas: &[*mut u8],
        at: &Iterations,
        worker: usize,
    ) {
        let c = &call.collective;
        let partial = self.partial[worker].base();
        let Work { runs, lanes, .. } = *work;
        let tiles = runs.tiles();
        for i in which {
            let (tile, lane, group) = (runs.tile(i % tiles), i / tiles % lanes, i / tiles / lanes);
            let (src, dst) = (c.src.at(at) as usize, c.dst.at(at) as usize);
            let g = Group { devices: &call.groups[group], arenas, src, dst, traffic: &self.traffic };
            // SAFETY: tiles of different flat indices write disjoint bytes, so workers do not meet; the buffers are validated to hold the
            // collective's shape; the caller keeps everybody else away.
            unsafe {
                match &c.kind {
                    CollectiveKind::AllReduce { reduction, .. } => {
                        all_reduce(&g, *reduction, c.dtype, runs.run, tile, partial)
                    }
                    CollectiveKind::ReduceScatter { reduction, .. } => {
                        reduce_scatter(&g, *reduction, c.dtype, &runs, tile, lane, partial)
                    }
                    CollectiveKind::AllGather { .. } => all_gather(&g, &runs, tile),
                    CollectiveKind::AllToAll { split_first, .. } => all_to_all(&g, *split_first, &runs, tile, lane),
                    CollectiveKind::CollectivePermute { pairs, .. } => permute(&g, pairs, tile, lane),
                }
            }
        }
    }
}

/// The contiguous runs that one rank (or pair of ranks) of a collective moves.
fn runs(kind: &CollectiveKind, n: usize, size: usize) -> Runs {
    let u = |x: u64| x as usize;
    match *kind {
        CollectiveKind::AllReduce { count, .. } | CollectiveKind::CollectivePermute { count, .. } => {
            Runs { outer: 1, rows: 1, run: u(count) * size }
        }
        CollectiveKind::AllGather { outer, block, inner }
        | CollectiveKind::ReduceScatter { outer, block, inner, .. } => {
            Runs { outer: 1, rows: u(outer), run: u(block) * u(inner) * size }
        }
        CollectiveKind::AllToAll { split_first, outer, split, middle, concat, inner } => {
            debug_assert!(n > 0);
            let (rows, run) =
                if split_first { (split * middle, concat * inner) } else { (concat * middle, split * inner) };
            Runs { outer: u(outer), rows: u(rows), run: u(run) * size }
        }
    }
}

/// # Safety
/// See the call in [`Threads::run`]; `partial` is this worker's and has [`TILE`] bytes. This goes for the functions below, too.
unsafe fn all_reduce(g: &Group<'_>, op: Reduction, dtype: DType, total: usize, t: Tile, partial: *mut u8) {
    let (n, size) = (g.n(), dtype.bytes() as usize);
    if n == 1 {
        // SAFETY: the tile lies in both buffers; they may be the same.
        unsafe { std::ptr::copy(g.src(0, t.from), g.dst(0, t.from), t.len) };
        return;
    }
    // SAFETY: as promised; every rank's source is read before any destination is written, so the two may be the same buffer.
    unsafe {
        reduce::all(op, dtype, partial, n, t.len, &|k| g.src(k, t.from));
        for k in 0..n {
            std::ptr::copy_nonoverlapping(partial, g.dst(k, t.from), t.len);
        }
    }
    for owner in 0..n {
        let block = share(total / size, owner, n);
        let (lo, hi) = ((block.start * size).max(t.from), (block.end * size).min(t.from + t.len));
        if lo < hi {
            // n - 1 values come to the owner, and the sum goes to n - 1 others.
            g.traffic.received(g.devices[owner], (n - 1) * (hi - lo));
            for k in (0..n).filter(|&k| k != owner) {
                g.traffic.received(g.devices[k], hi - lo);
            }
        }
    }
}

/// # Safety
/// See [`all_reduce`].
unsafe fn reduce_scatter(
    g: &Group<'_>,
    op: Reduction,
    dtype: DType,
    runs: &Runs,
    t: Tile,
    rank: usize,
    partial: *mut u8,
) {
    let n = g.n();
    for row in t.row..t.row + t.rows {
        let (src, dst) = ((row * n + rank) * runs.run + t.from, row * runs.run + t.from);
        // SAFETY: as promised. The sum is taken in rank order in the private tile and then stored.
        unsafe {
            reduce::all(op, dtype, partial, n, t.len, &|k| g.src(k, src));
            std::ptr::copy_nonoverlapping(partial, g.dst(rank, dst), t.len);
        }
    }
    g.traffic.received(g.devices[rank], (n - 1) * t.rows * t.len);
}

/// Copies a band of rows from all ranks to one destination after the other. So each destination is written front to back, and
/// later reads of the sources come from the cache.
///
/// # Safety
/// See [`all_reduce`].
unsafe fn all_gather(g: &Group<'_>, runs: &Runs, t: Tile) {
    let n = g.n();
    for to in 0..n {
        for row in t.row..t.row + t.rows {
            for from in 0..n {
                let (src, dst) = (row * runs.run + t.from, (row * n + from) * runs.run + t.from);
                // SAFETY: as promised.
                unsafe { g.copy(from, src, to, dst, t.len) };
            }
        }
        g.received_from_others(to, t.rows * t.len);
    }
}

/// For an outer split dim: blocks are contiguous in the source and interleaved by rank in the result, or the other way round.
/// `rank` is the rank of the interleaved side, which is walked front to back.
///
/// # Safety
/// See [`all_reduce`].
unsafe fn all_to_all(g: &Group<'_>, split_first: bool, runs: &Runs, t: Tile, rank: usize) {
    let (n, rows, o) = (g.n(), runs.rows, t.outer);
    for row in t.row..t.row + t.rows {
        for other in 0..n {
            let blocked = |r: usize| ((o * n + r) * rows + row) * runs.run + t.from;
            let strided = |r: usize| ((o * rows + row) * n + r) * runs.run + t.from;
            // SAFETY: as promised.
            unsafe {
                if split_first {
                    g.copy(other, blocked(rank), rank, strided(other), t.len);
                } else {
                    g.copy(rank, strided(other), other, blocked(rank), t.len);
                }
            }
        }
    }
    if split_first {
        g.received_from_others(rank, t.rows * t.len);
    } else {
        (0..n).for_each(|other| g.moved(rank, other, t.rows * t.len));
    }
}

/// # Safety
/// See [`all_reduce`].
unsafe fn permute(g: &Group<'_>, pairs: &[(u32, u32)], t: Tile, to: usize) {
    // SAFETY: as promised.
    unsafe {
        match pairs.iter().find(|p| p.1 as usize == to) {
            Some(&(from, _)) => {
                g.copy(from as usize, t.from, to, t.from, t.len);
                g.moved(from as usize, to, t.len);
            }
            None => std::ptr::write_bytes(g.dst(to, t.from), 0, t.len),
        }
    }
}
