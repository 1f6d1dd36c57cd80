//! A program's collectives as NCCL's calls.
//!
//! NCCL gathers and scatters contiguous blocks, rank after rank. If a program's blocks lie side by side (the gathered
//! dim is not the first), they go through a buffer: copies of rows on the same stream pack them before the call, or
//! unpack them after it. NCCL has no call for all_to_all and collective_permute, which are sends and receives in one
//! group. It has no `and` and `or` of integers either; these are gathered, and reduced by the kernel that devices of
//! one GPU use. A bucket is one group, so that NCCL sees all of it at once.
//!
//! Each pair of ranks of a pipeline has a communicator for each direction, and each of these a stream of its own. NCCL does one
//! communicator's work in order, so in one direction a value waits for those before it alone, whatever goes the other way: opposite
//! messages need no group, and the order is never stricter than that of "a stream per pair", under which the compiler has run the
//! schedule's table. Connections are made when the program is loaded, pair by pair in one order, since NCCL makes them
//! at the first use, and two ranks that began with opposite messages would wait for each other.

use super::comm::{Comm, ID_BYTES, Watch, unique_id};
use super::library::Nccl;
use crate::collectives::Call;
use crate::collectives::moves::{StridedRows, moves};
use crate::device::gpu::driver::{Address, Driver, Priority, Reduce, Reduced, Stream};
use crate::device::gpu::exchange::{Arenas, Exchange, WireMessage};
use crate::error::{ErrorKind, Result, RuntimeError};
use meshloom_bundle::{Collective, CollectiveKind, DType, Iterations, Reduction};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

/// Who takes part: one device in each process.
pub struct Ranks {
    pub rank: usize,
    pub size: usize,
    pub timeout: Duration,
    /// What ends a wait early.
    pub watch: Option<Watch>,
}

/// A rank's place in a split of all: which of the communicators, its rank there, and how many ranks that one has.
#[derive(Clone, Copy, Debug)]
pub struct SplitPlace {
    pub colour: usize,
    pub key: usize,
    pub size: usize,
}

/// Into which communicators all ranks split their common one: the same list on all of them, each with its own places.
#[derive(Clone, Debug, Default)]
pub struct Splits {
    /// By the axes of collectives.
    pub groups: BTreeMap<Vec<u32>, Option<SplitPlace>>,
    /// By ranks of the pipeline of which the first sends to the second.
    pub pairs: BTreeMap<(usize, usize), Option<SplitPlace>>,
    /// This one's, in the pipeline.
    pub stage: usize,
}

impl Splits {
    /// Of ranks that all run one program, whose devices have their numbers.
    ///
    /// # Errors
    /// The rank is in no group.
    pub fn alike(calls: &BTreeMap<u32, Call>, rank: usize) -> Result<Splits> {
        let mut groups = BTreeMap::new();
        for call in calls.values().filter(|c| c.group_size() > 1) {
            let place = Splits::place(call, rank)
                .ok_or_else(|| RuntimeError::new(ErrorKind::Rank, "nccl", "this rank is in no group"))?;
            groups.insert(call.collective.axes.clone(), Some(place));
        }
        Ok(Splits { groups, ..Splits::default() })
    }

    /// A device's place among the groups of a collective.
    pub fn place(call: &Call, device: usize) -> Option<SplitPlace> {
        let key = |g: &Vec<usize>| g.iter().position(|&d| d == device);
        let (colour, key) = call.groups.iter().enumerate().find_map(|(k, g)| Some((k, key(g)?)))?;
        Some(SplitPlace { colour, key, size: call.group_size() })
    }
}

pub struct Remote {
    /// By the axes of a group; none for groups of one.
    comms: BTreeMap<Vec<u32>, Comm>,
    /// By ranks of the pipeline: one of them is this process's.
    pairs: BTreeMap<(usize, usize), Comm>,
    stage: usize,
    /// The communicator of all, last to go.
    world: Option<Comm>,
    arena: Address,
    /// For packed sources, and for destinations to be unpacked.
    packed: Address,
    unpacked: Address,
    bits: Bits,
    timeout: Duration,
}

fn number(dtype: DType) -> i32 {
    // ncclDataType_t. Booleans are bytes, and so are floats of 8 bits.
    match dtype {
        DType::I8 => 0,
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 | DType::Bool => 1,
        DType::I32 => 2,
        DType::U32 => 3,
        DType::I64 => 4,
        DType::F16 => 6,
        DType::F32 => 7,
        DType::F64 => 8,
        DType::BF16 => 9,
    }
}

/// Whether a collective reduces bits of integers, which NCCL does not.
fn reduces_bits(c: &Collective) -> Option<Reduction> {
    match c.kind {
        CollectiveKind::AllReduce { reduction: r @ (Reduction::And | Reduction::Or), .. }
        | CollectiveKind::ReduceScatter { reduction: r @ (Reduction::And | Reduction::Or), .. } => {
            (c.dtype != DType::Bool).then_some(r)
        }
        _ => None,
    }
}

fn operator(op: Reduction, dtype: DType) -> Result<i32> {
    // ncclRedOp_t.
    match op {
        Reduction::Sum => Ok(0),
        Reduction::Prod => Ok(1),
        Reduction::Max => Ok(2),
        Reduction::Min => Ok(3),
        // A boolean is a byte of 0 or 1.
        Reduction::Or if dtype == DType::Bool => Ok(2),
        Reduction::And if dtype == DType::Bool => Ok(3),
        Reduction::And | Reduction::Or => {
            let message = "NCCL reduces no bits of integers";
            Err(RuntimeError::new(ErrorKind::Rejected, "collectives", message))
        }
    }
}

/// What of a collective of `n` ranks goes through a buffer: its source, its destination.
fn buffered(kind: &CollectiveKind) -> (bool, bool) {
    match *kind {
        CollectiveKind::AllGather { outer, .. } => (false, outer > 1),
        CollectiveKind::ReduceScatter { outer, .. } => (outer > 1, false),
        CollectiveKind::AllToAll { split_first: true, outer, .. } => (outer > 1, true),
        CollectiveKind::AllToAll { split_first: false, outer, .. } => (true, outer > 1),
        _ => (false, false),
    }
}

impl Remote {
    /// Joins the others, which run the same program. All processes make theirs at the same time; `share` gives all of them the first
    /// one's bytes. `arena` is where this process's device has its memory.
    ///
    /// # Errors
    /// A rank that does not come, a reduction that NCCL has not, too little memory.
    pub fn new(
        nccl: &Arc<Nccl>,
        driver: &mut dyn Driver,
        calls: &BTreeMap<u32, Call>,
        arena: Arenas,
        ranks: &Ranks,
        share: impl FnOnce(&mut [u8; ID_BYTES]),
    ) -> Result<Remote> {
        let splits = Splits::alike(calls, ranks.rank)?;
        Remote::split(nccl, driver, calls, arena, ranks, &splits, share)
    }

    /// The same with given splits, of ranks whose programs differ.
    ///
    /// # Errors
    /// As [`Remote::new`].
    pub fn split(
        nccl: &Arc<Nccl>,
        driver: &mut dyn Driver,
        calls: &BTreeMap<u32, Call>,
        arena: Arenas,
        ranks: &Ranks,
        splits: &Splits,
        share: impl FnOnce(&mut [u8; ID_BYTES]),
    ) -> Result<Remote> {
        for c in calls.values().filter(|c| reduces_bits(&c.collective).is_none()) {
            if let CollectiveKind::AllReduce { reduction, .. } | CollectiveKind::ReduceScatter { reduction, .. } =
                c.collective.kind
            {
                operator(reduction, c.collective.dtype)?;
            }
        }
        let mut id = if ranks.rank == 0 { unique_id(nccl)? } else { [0; ID_BYTES] };
        share(&mut id);
        let mut world = Comm::join(nccl, &id, ranks.rank, ranks.size, ranks.timeout, ranks.watch.clone())?;
        let made = |place: &Option<SplitPlace>| -> Result<Option<Comm>> {
            let Some(p) = place else { return world.split_without().map(|()| None) };
            let mut comm = world.split(p.colour, p.key, p.size)?;
            // SAFETY: the arena lives until the driver goes, which is after the communicators.
            unsafe { comm.register(arena.base, arena.span)? };
            Ok(Some(comm))
        };
        // In the order of axes and of pairs, which is the same everywhere.
        let (mut comms, mut pairs) = (BTreeMap::new(), BTreeMap::new());
        for (axes, place) in &splits.groups {
            comms.extend(made(place)?.map(|c| (axes.clone(), c)));
        }
        for (pair, place) in &splits.pairs {
            pairs.extend(made(place)?.map(|c| (*pair, c)));
        }
        // SAFETY: as above.
        unsafe { world.register(arena.base, arena.span)? };
        let mut most = (0, 0);
        for c in calls.values() {
            let ((source, destination), size) = (buffered(&c.collective.kind), c.collective.dtype.bytes());
            let (from, to) = c.collective.kind.elements(c.group_size() as u64).unwrap_or_default();
            most.0 = most.0.max(if source { from * size } else { 0 });
            most.1 = most.1.max(if destination { to * size } else { 0 });
        }
        let mut buffer = |bytes: u64| if bytes == 0 { Ok(0) } else { driver.alloc(bytes, "a buffer of collectives") };
        let (packed, unpacked) = (buffer(most.0)?, buffer(most.1)?);
        let bits = Bits::new(driver, calls)?;
        let (arena, timeout, stage) = (arena.base, ranks.timeout, splits.stage);
        let remote = Remote { comms, pairs, stage, world: Some(world), arena, packed, unpacked, bits, timeout };
        remote.connect(driver, ranks.watch.as_ref())?;
        Ok(remote)
    }

    /// Sends a word over each pair's communicator, in one order on all ranks.
    fn connect(&self, driver: &mut dyn Driver, watch: Option<&Watch>) -> Result<()> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        const WORD: u64 = 8;
        let (at, stream) = (driver.alloc(WORD, "a word for the wires")?, driver.stream(Priority::Communication)?);
        for (&(from, to), comm) in &self.pairs {
            let sends = from == self.stage;
            let message = WireMessage { sends, rank: if sends { to } else { from }, at, bytes: WORD };
            // SAFETY: the word was just made, and nobody reads it.
            unsafe { self.message(driver, stream, &message)? };
            let begin = std::time::Instant::now();
            while !driver.is_done(stream)? {
                watch.map_or(Ok(()), |w| w())?;
                comm.check()?;
                if begin.elapsed() > self.timeout {
                    let other = message.rank;
                    let seconds = self.timeout.as_secs_f64();
                    let message = format!("rank {other} of the pipeline did not answer this one within {seconds} s");
                    return Err(RuntimeError::new(ErrorKind::Rank, "nccl", message));
                }
                std::thread::sleep(Duration::from_micros(100));
            }
        }
        Ok(())
    }

    /// Puts a value of a wire on a stream.
    ///
    /// # Safety
    /// As [`Exchange::transfer`].
    unsafe fn message(&self, d: &mut dyn Driver, s: Stream, m: &WireMessage) -> Result<()> {
        let pair = if m.sends { (self.stage, m.rank) } else { (m.rank, self.stage) };
        let Some(comm) = self.pairs.get(&pair) else {
            let what = format!("rank {} of the pipeline has no wire to this one", m.rank);
            return Err(RuntimeError::new(ErrorKind::Rank, "nccl", what));
        };
        let (f, h, stream, count) = (&comm.nccl().functions, comm.handle(), d.handle(s).cast(), m.bytes as usize);
        // Bytes, to the other one of the two.
        let (ty, what) = (number(DType::U8), if m.sends { "ncclSend" } else { "ncclRecv" });
        // SAFETY: as the caller promises.
        let code = unsafe {
            match m.sends {
                true => (f.ncclSend)(m.at as *const c_void, count, ty, 1, h, stream),
                false => (f.ncclRecv)(m.at as *mut c_void, count, ty, 0, h, stream),
            }
        };
        comm.settle(what, code)
    }

    /// What NCCL says of work that was given out.
    ///
    /// # Errors
    /// It will never be done.
    pub fn check(&self) -> Result<()> {
        self.comms.values().chain(self.pairs.values()).chain(&self.world).try_for_each(Comm::check)
    }

    /// Does a bucket's calls as one group.
    ///
    /// # Safety
    /// As [`Exchange::enqueue`].
    unsafe fn group(&self, d: &mut dyn Driver, s: Stream, calls: &[&Call], at: &Iterations) -> Result<()> {
        let Some(first) = calls.first() else { return Ok(()) };
        let Some(comm) = self.comms.get(&first.collective.axes) else {
            // Groups of one.
            for call in calls {
                let c = &call.collective;
                let (from, to) = (self.arena + c.src.at(at), self.arena + c.dst.at(at));
                for rows in moves(&c.kind, 1, c.dtype.bytes(), &|_, b| from + b, &|_, b| to + b) {
                    if rows.src != rows.dst {
                        // SAFETY: as the caller promises.
                        unsafe { d.copy(s, &rows)? };
                    }
                }
            }
            return Ok(());
        };
        if let (Some(op), [call]) = (reduces_bits(&first.collective), calls) {
            // SAFETY: as the caller promises.
            return unsafe { self.bits(d, s, op, &call.collective, comm, at) };
        }
        let ends = calls.iter().map(|call| self.ends(&call.collective, comm, at)).collect::<Vec<_>>();
        for rows in ends.iter().flat_map(|e| &e.pack) {
            // SAFETY: as the caller promises; the buffer has room for the largest.
            unsafe { d.copy(s, rows)? };
        }
        let (f, stream) = (&comm.nccl().functions, d.handle(s).cast());
        // SAFETY: no arguments.
        comm.settle("ncclGroupStart", unsafe { (f.ncclGroupStart)() })?;
        let mut first = Ok(());
        for (call, e) in calls.iter().zip(&ends) {
            // SAFETY: as the caller promises; the buffers have the sizes of the collective's kind.
            for (what, code) in unsafe { given(&call.collective, comm, e, stream) }? {
                if first.is_ok() && code != 0 && code != 7 {
                    first = comm.settle(what, code);
                }
            }
        }
        // A group that was begun is ended, whatever was in it.
        // SAFETY: no arguments.
        let code = unsafe { (f.ncclGroupEnd)() };
        first?;
        comm.settle("ncclGroupEnd", code)?;
        for rows in ends.iter().flat_map(|e| &e.unpack) {
            // SAFETY: as above.
            unsafe { d.copy(s, rows)? };
        }
        for (call, e) in calls.iter().zip(&ends) {
            if let CollectiveKind::CollectivePermute { count, pairs } = &call.collective.kind {
                let bytes = count * call.collective.dtype.bytes();
                match pairs.iter().find(|p| p.1 as usize == comm.rank) {
                    // SAFETY: as above.
                    None => unsafe { d.fill(s, e.to, &[0], bytes)? },
                    // SAFETY: as above.
                    Some(&(from, _)) if from as usize == comm.rank => unsafe {
                        d.copy(s, &StridedRows::one(e.to, e.from, bytes))?
                    },
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Gathers what all ranks have, reduces it here, and takes this rank's part.
    ///
    /// # Safety
    /// As [`Exchange::enqueue`].
    unsafe fn bits(
        &self,
        d: &mut dyn Driver,
        s: Stream,
        op: Reduction,
        c: &Collective,
        comm: &Comm,
        at: &Iterations,
    ) -> Result<()> {
        let (n, size) = (comm.size as u64, c.dtype.bytes());
        let (count, _) = c.kind.elements(n).unwrap_or_default();
        let (src, dst, all) = (self.arena + c.src.at(at), self.arena + c.dst.at(at), self.bits.buffer);
        let Some(&bases) = self.bits.tables.get(&(n, count * size)) else {
            return Err(RuntimeError::new(ErrorKind::Rank, "nccl", "a reduction of bits that was not made ready"));
        };
        let (f, stream) = (&comm.nccl().functions, d.handle(s).cast());
        let (from, to) = (src as *const c_void, all as *mut c_void);
        // SAFETY: the buffer has room for all ranks' elements.
        let code = unsafe { (f.ncclAllGather)(from, to, count as usize, number(c.dtype), comm.handle(), stream) };
        comm.settle("ncclAllGather", code)?;
        let reduce = Reduce { op, dtype: c.dtype, bases, ranks: n, src: 0, dst: 0, shape: Reduced::All { count } };
        let rows = match c.kind {
            CollectiveKind::ReduceScatter { outer, block, inner, .. } => {
                let run = block * inner * size;
                let src = all + comm.rank as u64 * run;
                StridedRows { dst, dst_pitch: run, src, src_pitch: n * run, width: run, rows: outer }
            }
            _ => StridedRows::one(dst, all, count * size),
        };
        // SAFETY: the table has the places of the ranks' elements in the buffer; the rest is as the caller promises.
        unsafe {
            d.reduce(s, &reduce)?;
            d.copy(s, &rows)
        }
    }

    /// Where a collective's ends are, for NCCL, and the copies that bring them there.
    fn ends(&self, c: &Collective, comm: &Comm, at: &Iterations) -> Ends {
        let (src, dst, n) = (self.arena + c.src.at(at), self.arena + c.dst.at(at), comm.size as u64);
        let size = c.dtype.bytes();
        let (source, destination) = buffered(&c.kind);
        let (from, to) = (if source { self.packed } else { src }, if destination { self.unpacked } else { dst });
        let mut ends = Ends { from, to, pack: Vec::new(), unpack: Vec::new() };
        // Blocks of `width` bytes that alternate by rank, and the same rank after rank.
        let spread = |side: Address, width: u64, rank: u64| (side + rank * width, n * width);
        let blocks = |side: Address, width: u64, rows: u64, rank: u64| (side + rank * width * rows, width);
        let mut pack = |width: u64, rows: u64| {
            for rank in 0..n {
                let ((dst, dst_pitch), (src, src_pitch)) = (blocks(from, width, rows, rank), spread(src, width, rank));
                ends.pack.push(StridedRows { dst, dst_pitch, src, src_pitch, width, rows });
            }
        };
        let mut after = Vec::new();
        let mut unpack = |width: u64, rows: u64| {
            for rank in 0..n {
                let ((dst, dst_pitch), (src, src_pitch)) = (spread(dst, width, rank), blocks(to, width, rows, rank));
                after.push(StridedRows { dst, dst_pitch, src, src_pitch, width, rows });
            }
        };
        match c.kind {
            CollectiveKind::AllGather { outer, block, inner } if destination => unpack(block * inner * size, outer),
            CollectiveKind::ReduceScatter { outer, block, inner, .. } if source => pack(block * inner * size, outer),
            CollectiveKind::AllToAll { split_first, outer, split, middle, concat, inner } => {
                // The blocked side is contiguous for each outer index, the strided one alternates at each row.
                let (rows, run) = match split_first {
                    true => (split * middle, concat * inner * size),
                    false => (concat * middle, split * inner * size),
                };
                let (blocked, strided) = ((rows * run, outer), (run, outer * rows));
                let (before, behind) = if split_first { (blocked, strided) } else { (strided, blocked) };
                if source {
                    pack(before.0, before.1);
                }
                if destination {
                    unpack(behind.0, behind.1);
                }
            }
            _ => {}
        }
        ends.unpack = after;
        ends
    }
}

/// For reductions of bits: room for the elements of all ranks, and tables of where each rank's are in it, by how many ranks there are and
/// how many bytes each has.
#[derive(Default)]
struct Bits {
    buffer: Address,
    tables: BTreeMap<(u64, u64), Address>,
}

impl Bits {
    fn new(driver: &mut dyn Driver, calls: &BTreeMap<u32, Call>) -> Result<Bits> {
        let mut sizes = BTreeSet::new();
        for call in calls.values().filter(|c| c.group_size() > 1) {
            if let Some(op) = reduces_bits(&call.collective) {
                let (n, c) = (call.group_size() as u64, &call.collective);
                driver.reduction(op, c.dtype)?;
                sizes.insert((n, c.kind.elements(n).map_or(0, |(from, _)| from * c.dtype.bytes())));
            }
        }
        let Some(most) = sizes.iter().map(|(n, bytes)| n * bytes).max() else { return Ok(Bits::default()) };
        let mut bits = Bits { buffer: driver.alloc(most, "a buffer of collectives")?, tables: BTreeMap::new() };
        let stream = driver.stream(Priority::Communication)?;
        for (n, bytes) in sizes {
            let table: Vec<u8> = (0..n).flat_map(|r| (bits.buffer + r * bytes).to_le_bytes()).collect();
            let (at, host) = (driver.alloc(table.len() as u64, "a table of ranks")?, driver.pinned(table.len())?);
            // SAFETY: both were just made, of that length.
            unsafe {
                std::ptr::copy_nonoverlapping(table.as_ptr(), host, table.len());
                driver.upload(stream, at, host, table.len())?;
            }
            bits.tables.insert((n, bytes), at);
        }
        driver.synchronize(stream)?;
        Ok(bits)
    }
}

/// What NCCL reads and writes, and the copies before and after.
struct Ends {
    from: Address,
    to: Address,
    pack: Vec<StridedRows>,
    unpack: Vec<StridedRows>,
}

/// Gives NCCL a collective; what each call returned.
///
/// # Safety
/// The ends are device memory of the sizes that the collective's kind says, in a group of this size.
unsafe fn given(
    c: &Collective,
    comm: &Comm,
    e: &Ends,
    s: cudarc::nccl::sys::cudaStream_t,
) -> Result<Vec<(&'static str, u32)>> {
    let (f, h, n) = (&comm.nccl().functions, comm.handle(), comm.size as u64);
    let (ty, size) = (number(c.dtype), c.dtype.bytes());
    let (from, to) = (e.from as *const c_void, e.to as *mut c_void);
    // SAFETY: as the caller promises.
    let one = unsafe {
        match &c.kind {
            CollectiveKind::AllReduce { reduction, count } => (
                "ncclAllReduce",
                (f.ncclAllReduce)(from, to, *count as usize, ty, operator(*reduction, c.dtype)?, h, s),
            ),
            CollectiveKind::AllGather { outer, block, inner } => {
                ("ncclAllGather", (f.ncclAllGather)(from, to, (outer * block * inner) as usize, ty, h, s))
            }
            CollectiveKind::ReduceScatter { reduction, outer, block, inner } => {
                let count = (outer * block * inner) as usize;
                ("ncclReduceScatter", (f.ncclReduceScatter)(from, to, count, ty, operator(*reduction, c.dtype)?, h, s))
            }
            CollectiveKind::CollectivePermute { count, pairs } => {
                let mut codes = Vec::new();
                for &(a, b) in pairs.iter().filter(|(a, b)| a != b) {
                    if a as usize == comm.rank {
                        codes.push(("ncclSend", (f.ncclSend)(from, *count as usize, ty, b as i32, h, s)));
                    }
                    if b as usize == comm.rank {
                        codes.push(("ncclRecv", (f.ncclRecv)(to, *count as usize, ty, a as i32, h, s)));
                    }
                }
                return Ok(codes);
            }
            CollectiveKind::AllToAll { .. } => {
                let count = c.kind.elements(n).map_or(0, |(all, _)| all / n);
                let mut codes = Vec::new();
                for peer in 0..n {
                    let at = (peer * count * size) as usize;
                    let (from, to) = (from.byte_add(at), to.byte_add(at));
                    codes.push(("ncclSend", (f.ncclSend)(from, count as usize, ty, peer as i32, h, s)));
                    codes.push(("ncclRecv", (f.ncclRecv)(to, count as usize, ty, peer as i32, h, s)));
                }
                return Ok(codes);
            }
        }
    };
    Ok(vec![one])
}

impl Exchange for Remote {
    unsafe fn enqueue(&mut self, d: &mut dyn Driver, s: Stream, calls: &[&Call], at: &Iterations) -> Result<()> {
        let direct =
            |c: &&Call| buffered(&c.collective.kind) == (false, false) && reduces_bits(&c.collective).is_none();
        if calls.iter().all(direct) {
            // SAFETY: as the caller promises.
            return unsafe { self.group(d, s, calls, at) };
        }
        // There is one buffer: one after the other.
        for call in calls {
            // SAFETY: as the caller promises.
            unsafe { self.group(d, s, &[call], at)? };
        }
        Ok(())
    }

    unsafe fn transfer(&mut self, d: &mut dyn Driver, s: Stream, message: &WireMessage) -> Result<()> {
        // SAFETY: as the caller promises.
        unsafe { self.message(d, s, message) }
    }

    fn library(&self) -> Option<String> {
        let nccl = self.world.as_ref()?.nccl();
        let wires = if self.pairs.is_empty() { "" } else { " and wires" };
        Some(format!("NCCL {} ({}) for collectives{wires}", nccl.version_text(), nccl.name))
    }

    fn watched(&self) -> bool {
        true
    }

    fn watch(&mut self, waited: Duration) -> Result<()> {
        self.check()?;
        if waited > self.timeout {
            let seconds = self.timeout.as_secs_f64();
            let message = format!("a step was not done within {seconds} s: another rank is late, or gone");
            return Err(RuntimeError::new(ErrorKind::Rank, "nccl", message));
        }
        Ok(())
    }

    /// Communicators end in the order in which all ranks have them.
    fn finish(&mut self) -> Result<()> {
        while let Some((_, comm)) = self.comms.pop_first() {
            comm.finalize()?;
        }
        while let Some((_, comm)) = self.pairs.pop_first() {
            comm.finalize()?;
        }
        self.world.take().map_or(Ok(()), Comm::finalize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_are_reduced_as_numbers() {
        assert_eq!((operator(Reduction::Or, DType::Bool), operator(Reduction::And, DType::Bool)), (Ok(2), Ok(3)));
        assert_eq!(number(DType::Bool), 1, "unsigned bytes");
        let e = operator(Reduction::And, DType::I32).unwrap_err();
        assert!(e.message.contains("NCCL reduces no bits"), "{e}");
    }
}
