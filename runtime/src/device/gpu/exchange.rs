//! Collectives between the devices of one GPU: several devices of a mesh that share its memory, so that a plan can be
//! tried on one GPU. Data moves by copies from arena to arena. Reductions are a kernel for each operator and type
//! ([`super::reduction`]), which reads all ranks' elements in the order of ranks, so the bits are those of CPU devices.
//!
//! The kernels belong to the runtime and not to the bundle. A bundle says which collectives there are, not who carries
//! them out, and the same bundle runs with NCCL.

use super::driver::{Address, Driver, Reduce, Reduced, Stream};
use super::progress::ExchangeProgress;
use super::whereabouts::StageProgress;
use crate::collectives::{Call, moves::moves};
use crate::error::{ErrorKind, Result, RuntimeError};
use meshloom_bundle::{CollectiveKind, Iterations};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Carries out collectives between devices, in program order on one stream.
pub trait Exchange {
    /// The library that carries it out, for people.
    fn library(&self) -> Option<String> {
        None
    }

    /// Puts a bucket's work on a stream.
    ///
    /// # Safety
    /// The calls are of a validated program in whose arenas this works, and nothing else touches their buffers until a stream that has
    /// waited for this one does.
    unsafe fn enqueue(&mut self, d: &mut dyn Driver, s: Stream, calls: &[&Call], at: &Iterations) -> Result<()>;

    /// Puts a value of a wire on a stream, from or to a rank of the pipeline in another process.
    ///
    /// # Safety
    /// There is device memory of the message's bytes, which nothing else touches until a stream that has waited for this one does.
    ///
    /// # Errors
    /// Those of who carries it out.
    unsafe fn transfer(&mut self, _d: &mut dyn Driver, _s: Stream, _message: &WireMessage) -> Result<()> {
        Err(RuntimeError::new(ErrorKind::Rank, "the wires of the pipeline", "nobody carries them to another process"))
    }

    /// Where the rank of a pipeline is, to tell other ranks. Asked for where [`Exchange::watched`].
    fn follow(&mut self, _stage: Arc<StageProgress>) {}

    /// Where the stream of collectives is, to tell other ranks. Asked for where [`Exchange::watched`].
    fn report(&mut self, _progress: Arc<ExchangeProgress>) {}

    /// A step begins.
    fn begin(&mut self) {}

    /// Whether other ranks have to be watched while work is waited for.
    fn watched(&self) -> bool {
        false
    }

    /// Looks after the others, after so long a wait.
    ///
    /// # Errors
    /// One of them is gone.
    fn watch(&mut self, _waited: Duration) -> Result<()> {
        Ok(())
    }

    /// All work is done, and nobody is waited for.
    fn rest(&mut self) {}

    /// The orderly end, after all work is done.
    ///
    /// # Errors
    /// Another one does not come to it.
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// A value of a wire.
#[derive(Clone, Copy, Debug)]
pub struct WireMessage {
    /// Whether this process sends it.
    pub sends: bool,
    /// The rank of the pipeline at the other end.
    pub rank: usize,
    pub at: Address,
    pub bytes: u64,
}

/// Makes the collectives with processes that have the other devices, of the calls that the program makes, and of where the memory of
/// this one's device lies.
pub type MakeExchange<'a> = dyn FnOnce(&mut dyn Driver, &BTreeMap<u32, Call>, Arenas) -> Result<Box<dyn Exchange>> + 'a;

/// Where the arenas of all devices lie.
#[derive(Clone, Copy, Debug)]
pub struct Arenas {
    pub base: Address,
    pub span: u64,
}

impl Arenas {
    pub fn at(&self, device: usize) -> Address {
        self.base + device as u64 * self.span
    }
}

pub struct LocalExchange {
    arenas: Arenas,
    /// For each group that reduces, the table of its arenas.
    tables: BTreeMap<Vec<usize>, Address>,
}

impl LocalExchange {
    /// Makes ready for these calls. `write` writes to the device.
    ///
    /// # Errors
    /// The driver's.
    pub fn new(
        driver: &mut dyn Driver,
        arenas: Arenas,
        calls: &BTreeMap<u32, Call>,
        mut write: impl FnMut(&mut dyn Driver, Address, &[u8]) -> Result<()>,
    ) -> Result<LocalExchange> {
        let mut tables = BTreeMap::new();
        for call in calls.values().filter(|c| c.group_size() > 1) {
            let op = match call.collective.kind {
                CollectiveKind::AllReduce { reduction, .. } | CollectiveKind::ReduceScatter { reduction, .. } => {
                    reduction
                }
                _ => continue,
            };
            driver.reduction(op, call.collective.dtype)?;
            for group in &call.groups {
                if !tables.contains_key(group) {
                    let bytes: Vec<u8> = group.iter().flat_map(|&d| arenas.at(d).to_le_bytes()).collect();
                    let table = driver.alloc(bytes.len() as u64, "a table of arenas")?;
                    write(driver, table, &bytes)?;
                    tables.insert(group.clone(), table);
                }
            }
        }
        Ok(LocalExchange { arenas, tables })
    }
}

impl Exchange for LocalExchange {
    unsafe fn enqueue(&mut self, d: &mut dyn Driver, s: Stream, calls: &[&Call], at: &Iterations) -> Result<()> {
        for call in calls {
            for group in &call.groups {
                // SAFETY: as the caller promises.
                unsafe { self.group(d, s, call, group, at)? };
            }
        }
        Ok(())
    }
}

impl LocalExchange {
    /// # Safety
    /// As [`Exchange::enqueue`].
    unsafe fn group(&self, d: &mut dyn Driver, s: Stream, call: &Call, group: &[usize], at: &Iterations) -> Result<()> {
        let (c, n) = (&call.collective, group.len() as u64);
        let size = c.dtype.bytes();
        let (src, dst) = (c.src.at(at), c.dst.at(at));
        let from = |rank: u64, byte: u64| self.arenas.at(group[rank as usize]) + src + byte;
        let to = |rank: u64, byte: u64| self.arenas.at(group[rank as usize]) + dst + byte;
        let mut reduce = |op, shape| {
            let reduce = Reduce { op, dtype: c.dtype, bases: self.tables[group], ranks: n, src, dst, shape };
            // SAFETY: validated to lie in the arenas, whose addresses the table has.
            unsafe { d.reduce(s, &reduce) }
        };
        match c.kind {
            CollectiveKind::AllReduce { reduction, count } if n > 1 => {
                return reduce(reduction, Reduced::All { count });
            }
            CollectiveKind::ReduceScatter { reduction, outer, block, inner } if n > 1 => {
                return reduce(reduction, Reduced::Scatter { rows: outer, run: block * inner });
            }
            _ => {}
        }
        for rows in moves(&c.kind, n, size, &from, &to) {
            if rows.src != rows.dst && rows.width > 0 && rows.rows > 0 {
                // SAFETY: validated to lie in the arenas.
                unsafe { d.copy(s, &rows)? };
            }
        }
        if let CollectiveKind::CollectivePermute { count, pairs } = &c.kind {
            for rank in (0..n).filter(|&r| pairs.iter().all(|p| u64::from(p.1) != r)) {
                // SAFETY: as above.
                unsafe { d.fill(s, to(rank, 0), &[0], count * size)? };
            }
        }
        Ok(())
    }
}
