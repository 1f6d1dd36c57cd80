//! Memory that knows which of its bytes have values, who accessed them last, and which of them a copy or a matrix product still works on.
//! An access that is not aligned, outside, of bytes without a value, or at the same time as another one is an error.

use crate::clock::{Accessor, Clock, Stamp};
use std::cell::RefCell;
use std::collections::HashMap;

/// Bytes of which one record is kept. Accesses of single bytes are not held against their neighbours.
const GRAIN: u64 = 2;
/// Records of a page.
const PAGE: u64 = 512;

/// An address in the shared memory of a block of the cluster, as `mapa` gives it: those of a block's own lie there, too. So its higher bits
/// are not 0 in every block, as on an H100.
pub fn of_cluster(at: u64, rank: u64) -> u64 {
    at & 0xff_ffff | rank << 24
}

#[derive(Clone, Copy, Default)]
struct Record {
    write: Stamp,
    read: Stamp,
    /// Where several agents read that do not know of each other: 1 + the index of a clock with all of them.
    readers: u32,
}

type Page = Box<[Record]>;

thread_local! {
    /// Pages of launches and blocks that are over. The next ones take them again: each block has megabytes of them, which took longer to
    /// obtain from the system than to fill.
    static SPARE: RefCell<Vec<Page>> = const { RefCell::new(Vec::new()) };
}

fn empty_page() -> Page {
    match SPARE.with_borrow_mut(Vec::pop) {
        Some(mut page) => {
            page.fill(Record::default());
            page
        }
        None => vec![Record::default(); PAGE as usize].into_boxed_slice(),
    }
}

/// Who accessed what in a launch.
#[derive(Default)]
pub struct Accesses {
    pages: Vec<Page>,
    /// Which of them has the records of a page of memory.
    of: HashMap<u64, usize>,
    /// The last one that was asked for: lanes access neighbours.
    last: Option<(u64, usize)>,
    /// Of the blocks before, nothing is known by clocks.
    readers: Vec<(u32, Clock)>,
}

impl Drop for Accesses {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Accesses {
    pub fn clear(&mut self) {
        SPARE.with_borrow_mut(|spare| spare.append(&mut self.pages));
        self.of.clear();
        self.last = None;
        self.readers.clear();
    }

    fn page(&mut self, number: u64) -> usize {
        match self.last {
            Some((known, i)) if known == number => i,
            _ => {
                let i = *self.of.entry(number).or_insert(self.pages.len());
                if i == self.pages.len() {
                    self.pages.push(empty_page());
                }
                self.last = Some((number, i));
                i
            }
        }
    }

    /// Notes a read or a write of bytes that lie in one page.
    ///
    /// # Errors
    /// With whom it collides.
    pub fn note(&mut self, at: u64, bytes: u64, by: &Accessor<'_>, writes: bool) -> Result<(), String> {
        let mut left = at / GRAIN..(at + bytes).div_ceil(GRAIN);
        while !left.is_empty() {
            let page = self.page(left.start / PAGE);
            let end = left.end.min((left.start / PAGE + 1) * PAGE);
            let records = &mut self.pages[page][(left.start % PAGE) as usize..];
            for (grain, record) in (left.start..end).zip(records) {
                one(record, &mut self.readers, by, writes, bytes >= GRAIN)
                    .map_err(|why| format!("byte {}: {why}", grain * GRAIN))?;
            }
            left.start = end;
        }
        Ok(())
    }
}

fn one(
    r: &mut Record,
    readers: &mut Vec<(u32, Clock)>,
    by: &Accessor<'_>,
    writes: bool,
    sure: bool,
) -> Result<(), String> {
    let me = by.stamp;
    if !writes {
        if r.read == me && (sure || r.write.block == 0) {
            return Ok(());
        }
        if sure && !by.knows(&r.write) {
            return Err(format!("a race: {} wrote it", Accessor::who(&r.write)));
        }
        if sure && r.write.block != 0 && !by.sees(&r.write) {
            return Err(format!("{} wrote it, and no fence.proxy.async came in between", Accessor::who(&r.write)));
        }
        if r.readers > 0 {
            let (block, all) = &mut readers[r.readers as usize - 1];
            let own = &mut all.0[usize::from(me.agent)];
            *own = (*own).max(me.time);
            *block = if *block == me.block { me.block } else { u32::MAX };
            r.read = me;
        } else if by.knows(&r.read) && r.read.lane == me.lane {
            r.read = me;
        } else {
            let mut all = Clock::NEVER;
            all.0[usize::from(r.read.agent)] = r.read.time;
            let own = &mut all.0[usize::from(me.agent)];
            *own = (*own).max(me.time);
            let block = if r.read.block == 0 || r.read.block == me.block { me.block } else { u32::MAX };
            if r.read.block != 0 {
                readers.push((block, all));
                r.readers = readers.len() as u32;
            }
            r.read = me;
        }
        return Ok(());
    }
    if sure {
        if !by.knows(&r.write) {
            return Err(format!("a race: {} wrote it", Accessor::who(&r.write)));
        }
        if r.readers > 0 {
            let (block, all) = &readers[r.readers as usize - 1];
            let known = |(agent, time): (usize, &u32)| match agent == usize::from(me.agent) {
                // Lanes of the own warp that read since it met last.
                true => *time < me.time || me.lane == r.read.lane,
                false => by.knows.0[agent] >= *time,
            };
            if *block != me.block || !all.0.iter().enumerate().all(known) {
                return Err(format!("a race: {} and others read it", Accessor::who(&r.read)));
            }
        } else if !by.knows(&r.read) {
            return Err(format!("a race: {} read it", Accessor::who(&r.read)));
        }
    }
    *r = Record { write: me, read: Stamp::default(), readers: 0 };
    Ok(())
}

/// Bytes that may have no value yet.
pub struct Bytes {
    pub bytes: Vec<u8>,
    pub known: Vec<bool>,
}

impl Bytes {
    pub fn unknown(size: usize) -> Bytes {
        Bytes { bytes: vec![0; size], known: vec![false; size] }
    }

    /// # Errors
    /// They are not all there, or have no values.
    pub fn read(&self, at: u64, bytes: u64) -> Result<&[u8], String> {
        let range = at as usize..(at + bytes) as usize;
        let found = self
            .bytes
            .get(range.clone())
            .ok_or_else(|| format!("byte {at} lies outside of {} bytes", self.bytes.len()))?;
        match self.known[range].iter().position(|k| !k) {
            None => Ok(found),
            Some(i) => Err(format!("byte {} has no value", at + i as u64)),
        }
    }

    /// # Errors
    /// They are not all there.
    pub fn write(&mut self, at: u64, values: &[u8]) -> Result<(), String> {
        let (range, size) = (at as usize..at as usize + values.len(), self.bytes.len());
        let to = self.bytes.get_mut(range.clone()).ok_or_else(|| format!("byte {at} lies outside of {size} bytes"))?;
        to.copy_from_slice(values);
        self.known[range].fill(true);
        Ok(())
    }
}

/// A piece of global memory.
pub struct Region {
    pub base: u64,
    pub name: String,
    pub data: Bytes,
}

/// Global memory: regions far apart.
#[derive(Default)]
pub struct Global {
    pub regions: Vec<Region>,
    pub accesses: Accesses,
}

/// Between the starts of regions.
const APART: u64 = 1 << 36;

impl Global {
    /// Makes a region, and gives its address.
    pub fn add(&mut self, name: &str, data: Bytes) -> u64 {
        let base = APART * (self.regions.len() as u64 + 1);
        self.regions.push(Region { base, name: name.to_owned(), data });
        base
    }

    pub fn region(&mut self, at: u64) -> Result<&mut Region, String> {
        let i = (at / APART).checked_sub(1).ok_or_else(|| format!("address {at:#x} is of no memory"))?;
        self.regions.get_mut(i as usize).ok_or_else(|| format!("address {at:#x} is of no memory"))
    }

    /// # Errors
    /// As the module says.
    pub fn read(&mut self, at: u64, bytes: u64, by: &Accessor<'_>) -> Result<&[u8], String> {
        aligned(at, bytes)?;
        self.accesses.note(at, bytes, by, false).map_err(|why| self.named(at, &why))?;
        let Region { base, name, data } = self.region(at)?;
        data.read(at - *base, bytes).map_err(|why| format!("{name}: {why}"))
    }

    /// # Errors
    /// As the module says.
    pub fn write(&mut self, at: u64, values: &[u8], by: &Accessor<'_>) -> Result<(), String> {
        aligned(at, values.len() as u64)?;
        self.accesses.note(at, values.len() as u64, by, true).map_err(|why| self.named(at, &why))?;
        let region = self.region(at)?;
        let offset = at - region.base;
        region.data.write(offset, values).map_err(|why| format!("{}: {why}", region.name))
    }

    fn named(&mut self, at: u64, why: &str) -> String {
        self.region(at).map_or_else(|e| e, |r| format!("{} + {}: {why}", r.name, at - r.base))
    }
}

fn aligned(at: u64, bytes: u64) -> Result<(), String> {
    if at.is_multiple_of(bytes) { Ok(()) } else { Err(format!("address {at:#x} is no multiple of {bytes}")) }
}

/// Shared memory of a block.
pub struct Shared {
    pub data: Bytes,
    pub accesses: Accesses,
    /// Copies to a byte that are not waited for, and matrix products that read it.
    writing: Vec<u16>,
    reading: Vec<u16>,
}

impl Shared {
    pub fn new(size: usize) -> Shared {
        Shared {
            data: Bytes::unknown(size),
            accesses: Accesses::default(),
            writing: vec![0; size],
            reading: vec![0; size],
        }
    }

    fn still(&self, at: u64, bytes: u64) -> Result<(), String> {
        let range = at as usize..(at + bytes) as usize;
        match self.writing.get(range) {
            None => Err(format!("byte {at} of shared memory lies outside of {} bytes", self.writing.len())),
            Some(w) if w.iter().all(|&n| n == 0) => Ok(()),
            Some(_) => Err(format!("byte {at} of shared memory: a copy to it was not waited for")),
        }
    }

    /// # Errors
    /// As the module says.
    pub fn read(&mut self, at: u64, bytes: u64, by: &Accessor<'_>) -> Result<&[u8], String> {
        self.still(at, bytes)?;
        self.accesses.note(at, bytes, by, false).map_err(|why| format!("shared memory, {why}"))?;
        self.data.read(at, bytes).map_err(|why| format!("shared memory: {why}"))
    }

    /// # Errors
    /// As the module says.
    pub fn write(&mut self, at: u64, values: &[u8], by: &Accessor<'_>) -> Result<(), String> {
        self.begin(at, values.len() as u64, by)?;
        self.data.write(at, values).map_err(|why| format!("shared memory: {why}"))
    }

    /// Before a write, now or by a copy later.
    ///
    /// # Errors
    /// Something else works on these bytes.
    pub fn begin(&mut self, at: u64, bytes: u64, by: &Accessor<'_>) -> Result<(), String> {
        self.still(at, bytes)?;
        if self.reading[at as usize..(at + bytes) as usize].iter().any(|&n| n > 0) {
            return Err(format!(
                "byte {at} of shared memory: a matrix product or a store that reads it was not waited for"
            ));
        }
        self.accesses.note(at, bytes, by, true).map_err(|why| format!("shared memory, {why}"))
    }

    pub fn copy_begins(&mut self, at: u64, bytes: u64) {
        self.writing[at as usize..(at + bytes) as usize].iter_mut().for_each(|n| *n += 1);
    }

    /// # Errors
    /// They are not all there.
    pub fn copy_ends(&mut self, at: u64, values: &[u8], by: &Accessor<'_>) -> Result<(), String> {
        self.writing[at as usize..at as usize + values.len()].iter_mut().for_each(|n| *n -= 1);
        self.accesses.note(at, values.len() as u64, by, true).map_err(|why| format!("shared memory, {why}"))?;
        self.data.write(at, values)
    }

    pub fn product_begins(&mut self, at: u64, bytes: u64) {
        self.reading[at as usize..(at + bytes) as usize].iter_mut().for_each(|n| *n += 1);
    }

    pub fn product_ends(&mut self, at: u64, bytes: u64) {
        self.reading[at as usize..(at + bytes) as usize].iter_mut().for_each(|n| *n -= 1);
    }

    /// A store that read these bytes was waited for, by this one.
    ///
    /// # Errors
    /// Somebody may be writing them.
    pub fn store_read(&mut self, at: u64, bytes: u64, by: &Accessor<'_>) -> Result<(), String> {
        self.product_ends(at, bytes);
        self.accesses.note(at, bytes, by, false).map_err(|why| format!("shared memory, {why}"))
    }

    /// Whether copies are under way.
    pub fn is_still(&self) -> bool {
        self.writing.iter().all(|&n| n == 0)
    }
}
