//! The bytes of a file. They are mapped, so that data sets larger than memory are read page by page, or owned where
//! they had to be computed.

use crate::error::{Result, RuntimeError};
use std::ops::Deref;
use std::path::Path;

/// Read-only bytes.
pub enum Buffer {
    Map(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl Buffer {
    /// Maps a file.
    ///
    /// # Errors
    /// A file that is not there or cannot be read, or a folder.
    pub fn map(path: &Path) -> Result<Buffer> {
        let fail = |e: &std::io::Error| RuntimeError::io(path, "cannot be read", e);
        let file = std::fs::File::open(path).map_err(|e| fail(&e))?;
        let kind = file.metadata().map_err(|e| fail(&e))?.file_type();
        if kind.is_dir() {
            return Err(RuntimeError::usage(path.display().to_string(), "is a folder, and a file is needed"));
        }
        // A pipe cannot be mapped, and `--data <(zcat ..)` is worth having.
        if !kind.is_file() {
            return std::fs::read(path).map(Buffer::Owned).map_err(|e| fail(&e));
        }
        // SAFETY: read-only. Somebody who truncates a data file while it is read ends this process with a bus error, as with every
        // program that maps files.
        unsafe { memmap2::Mmap::map(&file) }.map(Buffer::Map).map_err(|e| fail(&e))
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Buffer::Map(m) => m,
            Buffer::Owned(v) => v,
        }
    }
}
