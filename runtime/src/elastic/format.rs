//! What is in a rank's file: a header that says where its parts lie, and two slots with the parts of one step each.
//!
//! ```text
//! 0      magic, length of the header        64, 128   which step each slot has: written last, cleared first
//! 4096   the header, as JSON
//! ..     a slot: [`META`] bytes that say step and place in the data, then the parts, one after the other
//! ```
//!
//! A reader takes nothing for granted: what is out of bounds, or does not have its hash, is not there.

use crate::error::{Result, RuntimeError};
use crate::session::DataPosition;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::os::unix::fs::FileExt;
use twox_hash::XxHash3_64;

pub const SLOTS: usize = 2;
const MAGIC: [u8; 8] = *b"MLKEPT01";
const HEADER: u64 = 4096;
const MOST_HEADER: u64 = 64 << 20;
/// Room in front of the parts of a slot.
pub const META: u64 = 8192;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    pub entry: String,
    pub seed: u64,
    pub parts: Vec<KeptPart>,
}

/// A box of a tensor, dense and row-major.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptPart {
    /// As checkpoints name it: one layer of a stacked tensor has a name of its own.
    pub tensor: String,
    pub dtype: String,
    /// Of the whole tensor.
    pub tensor_shape: Vec<u64>,
    /// Where the box begins in each dim, and its shape.
    pub from: Vec<u64>,
    pub shape: Vec<u64>,
    /// From the beginning of the slot's parts, and how many.
    pub offset: u64,
    pub bytes: u64,
}

/// Which step a slot has, and where that is in the data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Position {
    pub step: u64,
    pub data: DataPosition,
}

/// A rank's file, with its header.
pub struct Kept {
    file: File,
    pub header: Header,
    /// Where the slots begin, and the bytes of one.
    first: u64,
    slot_bytes: u64,
}

impl Kept {
    /// Writes the header of a file that is empty.
    ///
    /// # Errors
    /// No memory for it.
    pub fn create(file: File, header: Header) -> Result<Kept> {
        let json = serde_json::to_vec(&header).map_err(|e| fail(&std::io::Error::other(e)))?;
        file.write_all_at(&json, HEADER).map_err(|e| fail(&e))?;
        file.write_all_at(&(json.len() as u64).to_le_bytes(), 8).map_err(|e| fail(&e))?;
        file.write_all_at(&MAGIC, 0).map_err(|e| fail(&e))?;
        Ok(Kept::with(file, header, json.len() as u64))
    }

    fn with(file: File, header: Header, json: u64) -> Kept {
        let first = (HEADER + json).next_multiple_of(4096);
        let parts = header.parts.iter().map(|p| p.bytes).sum::<u64>();
        Kept { file, header, first, slot_bytes: (META + parts).next_multiple_of(4096) }
    }

    /// A file that another process has written; `None` if it has no whole header.
    pub fn open(file: File) -> Option<Kept> {
        let mut start = [0; 16];
        file.read_exact_at(&mut start, 0).ok()?;
        let len = u64::from_le_bytes(start[8..].try_into().ok()?);
        if start[..8] != MAGIC || len > MOST_HEADER {
            return None;
        }
        let mut json = vec![0; len as usize];
        file.read_exact_at(&mut json, HEADER).ok()?;
        let header: Header = serde_json::from_slice(&json).ok()?;
        let mut end = 0u64;
        for p in &header.parts {
            let fits = p.offset == end && p.from.len() == p.shape.len() && p.tensor_shape.len() == p.shape.len();
            end = end.checked_add(p.bytes).filter(|_| fits)?;
        }
        Some(Kept::with(file, header, len))
    }

    fn record(slot: usize) -> u64 {
        64 * (1 + slot as u64)
    }

    fn at(&self, slot: usize) -> u64 {
        self.first + slot as u64 * self.slot_bytes
    }

    /// Where a slot begins, for a test that damages it.
    #[cfg(test)]
    pub fn slot_start(&self, slot: usize) -> u64 {
        self.at(slot)
    }

    /// The step of a slot of a file; `None` while it is written.
    pub fn step_in(file: &File, slot: usize) -> Option<u64> {
        let mut record = [0; 24];
        file.read_exact_at(&mut record, Kept::record(slot)).ok()?;
        u64::from_le_bytes(record[..8].try_into().ok()?).checked_sub(1)
    }

    /// What a slot has, if it is whole.
    pub fn position(&self, slot: usize) -> Option<Position> {
        let mut record = [0; 24];
        self.file.read_exact_at(&mut record, Kept::record(slot)).ok()?;
        let word = |i: usize| record[8 * i..][..8].try_into().map_or(0, u64::from_le_bytes);
        let (step, len, hash) = (word(0).checked_sub(1)?, word(1), word(2));
        let mut json = vec![0; usize::try_from(len.min(META)).ok()?];
        self.file.read_exact_at(&mut json, self.at(slot)).ok()?;
        let position: Position = serde_json::from_slice(&json).ok()?;
        (XxHash3_64::oneshot(&json) == hash && position.step == step).then_some(position)
    }

    /// Writes a slot: first it has nothing, then its parts, then its step.
    ///
    /// # Errors
    /// No memory for it, or a part that cannot be read.
    pub fn write(
        &self,
        slot: usize,
        position: &Position,
        mut part: impl FnMut(usize) -> Result<Vec<u8>>,
    ) -> Result<()> {
        let put = |bytes: &[u8], at: u64| self.file.write_all_at(bytes, at).map_err(|e| fail(&e));
        put(&[0; 24], Kept::record(slot))?;
        let json = serde_json::to_vec(position).map_err(|e| fail(&std::io::Error::other(e)))?;
        if json.len() as u64 > META {
            return Err(fail(&std::io::Error::other("the description of the data is too long")));
        }
        put(&json, self.at(slot))?;
        for (k, p) in self.header.parts.iter().enumerate() {
            put(&part(k)?, self.at(slot) + META + p.offset)?;
        }
        let words = [position.step + 1, json.len() as u64, XxHash3_64::oneshot(&json)];
        put(&words.map(u64::to_le_bytes).concat(), Kept::record(slot))
    }

    /// The bytes of a part.
    ///
    /// # Errors
    /// A file that is shorter than its header says.
    pub fn read(&self, slot: usize, part: &KeptPart) -> Result<Vec<u8>> {
        let short = |e: std::io::Error| RuntimeError::usage("--elastic", format!("`{}` in memory: {e}", part.tensor));
        let have = self.file.metadata().map_err(short)?.len();
        let from = self.at(slot) + META + part.offset;
        if from.checked_add(part.bytes).is_none_or(|end| end > have) {
            return Err(short(std::io::ErrorKind::UnexpectedEof.into()));
        }
        let mut bytes = vec![0; part.bytes as usize];
        self.file.read_exact_at(&mut bytes, from).map_err(short)?;
        Ok(bytes)
    }
}

fn fail(e: &std::io::Error) -> RuntimeError {
    RuntimeError::new(crate::ErrorKind::DoesNotFit, "--elastic", format!("no memory to keep a copy in: {e}"))
}
