//! The bytes of a file.
//!
//! Small files are read at once ([`read`]), large ones piece by piece ([`DataFile`]). Nothing is mapped: somebody may cut a file
//! short while a run reads it, which is an error here, and would end a process that maps it with a bus error.
//!
//! Every read is bounded, by what the file says of itself or by a limit of its kind ([`read`]). Devices such as
//! `/dev/zero` are no files. A pipe does not say how long it is, so it has a limit of its own, and where a file is
//! Meshloom's own ([`own`]) or has to be looked into first ([`DataFile::regular`]) there may be none.
//!
//! Not here: sources, which the command line reads (`cli`).

mod error;

pub use error::{ErrorKind, Result, RuntimeError};

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::path::{Path, PathBuf};

/// The most bytes that are taken from a pipe, which does not say how many it has.
const PIPE: u64 = 1 << 30;

/// The most bytes of a text that people write: hostfiles, rename files, keys.
pub const TEXT: u64 = 16 << 20;

fn fail(path: &Path, e: &std::io::Error) -> RuntimeError {
    RuntimeError::io(path, "cannot be read", e)
}

fn refuse<T>(path: &Path, what: impl Into<String>) -> Result<T> {
    Err(RuntimeError::usage(path.display().to_string(), what))
}

/// Opens a file or a pipe; how long a file is.
fn open(path: &Path) -> Result<(File, Option<u64>)> {
    // Before it is opened, which may wait, or do something to a device.
    kind(path, &std::fs::metadata(path).map_err(|e| fail(path, &e))?)?;
    let file = File::open(path).map_err(|e| fail(path, &e))?;
    let len = kind(path, &file.metadata().map_err(|e| fail(path, &e))?)?;
    Ok((file, len))
}

/// How long a file is; nothing of a pipe.
fn kind(path: &Path, said: &std::fs::Metadata) -> Result<Option<u64>> {
    match said.file_type() {
        t if t.is_dir() => refuse(path, "is a folder, and a file is needed"),
        t if t.is_char_device() || t.is_block_device() => refuse(path, "is a device, and a file is needed"),
        t if t.is_file() => Ok(Some(said.len())),
        // `--data <(zcat ..)` is worth having.
        _ => Ok(None),
    }
}

/// Opens a file that must be one, since a pipe says nothing of itself and opening one may wait for ever.
fn regular(path: &Path) -> Result<(File, u64)> {
    let no_pipe = || refuse(path, "is a pipe, and a file is needed");
    if kind(path, &std::fs::metadata(path).map_err(|e| fail(path, &e))?)?.is_none() {
        return no_pipe();
    }
    match open(path)? {
        (file, Some(len)) => Ok((file, len)),
        (_, None) => no_pipe(),
    }
}

/// Reads all of a file or a pipe that is small by its kind: an index, a tokenizer, a key.
///
/// # Errors
/// A file that is not there or cannot be read, or has more than `most` bytes.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let (file, len) = open(path)?;
    read_from(path, file, len, most)
}

/// As [`read`], a text.
///
/// # Errors
/// As [`read`], and a file that is no text.
pub fn text(path: &Path, most: u64) -> Result<String> {
    String::from_utf8(read(path, most)?).or_else(|e| refuse(path, format!("cannot be read: not UTF-8 text: {e}")))
}

/// Reads a small file that a run wrote; `None` where there is none.
///
/// # Errors
/// What is there and is no file, cannot be read, or has more than `most` bytes.
pub fn own(path: &Path, most: u64) -> Result<Option<Vec<u8>>> {
    match std::fs::metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    let (file, len) = regular(path)?;
    read_from(path, file, Some(len), most).map(Some)
}

fn read_from(path: &Path, file: File, len: Option<u64>, most: u64) -> Result<Vec<u8>> {
    let help = if len.is_none() { ": write it to a file first" } else { "" };
    let long = |n: String| refuse(path, format!("{n}; at most {most} are read{help}"));
    if let Some(n) = len.filter(|&n| n > most) {
        return long(format!("has {n} bytes"));
    }
    let mut bytes = Vec::new();
    // The vector grows by what is there, and says so where memory ends.
    file.take(most + 1).read_to_end(&mut bytes).map_err(|e| fail(path, &e))?;
    if bytes.len() as u64 > most { long("has more bytes".into()) } else { Ok(bytes) }
}

/// A file that is read piece by piece, or bytes that had to be computed.
pub struct DataFile {
    path: PathBuf,
    source: Source,
    len: u64,
}

enum Source {
    File(File),
    Owned(Vec<u8>),
}

impl DataFile {
    /// # Errors
    /// A file that is not there or cannot be read, a folder, or a device.
    pub fn open(path: &Path) -> Result<DataFile> {
        match open(path)? {
            (file, Some(len)) => Ok(DataFile { path: path.to_owned(), source: Source::File(file), len }),
            (file, None) => Ok(DataFile::owned(path, read_from(path, file, None, PIPE)?)),
        }
    }

    /// As [`DataFile::open`], and no pipe either.
    ///
    /// # Errors
    /// As there.
    pub fn regular(path: &Path) -> Result<DataFile> {
        let (file, len) = regular(path)?;
        Ok(DataFile { path: path.to_owned(), source: Source::File(file), len })
    }

    /// For messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes that were made of a file.
    pub fn owned(path: &Path, bytes: Vec<u8>) -> DataFile {
        DataFile { path: path.to_owned(), len: bytes.len() as u64, source: Source::Owned(bytes) }
    }

    /// Bytes that the file had when it was opened.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Reads the bytes from `start` on, which must lie within the length.
    ///
    /// # Errors
    /// The file has become shorter, or cannot be read.
    pub fn read_at(&self, start: u64, out: &mut [u8]) -> Result<()> {
        match &self.source {
            Source::Owned(bytes) => out.copy_from_slice(&bytes[start as usize..][..out.len()]),
            Source::File(file) => file.read_exact_at(out, start).map_err(|e| match e.kind() {
                io::ErrorKind::UnexpectedEof => RuntimeError::usage(
                    self.path.display().to_string(),
                    format!("has become shorter: it had {} bytes when it was opened", self.len),
                ),
                _ => fail(&self.path, &e),
            })?,
        }
        Ok(())
    }

    /// Up to `n` bytes from the start of the file.
    ///
    /// # Errors
    /// As [`DataFile::read_at`].
    pub fn head(&self, n: u64) -> Result<Vec<u8>> {
        self.range(0..self.len.min(n))
    }

    /// The bytes of a range, which must lie within the length.
    ///
    /// # Errors
    /// As [`DataFile::read_at`], and where there is no memory for them.
    pub fn range(&self, range: Range<u64>) -> Result<Vec<u8>> {
        let n = (range.end - range.start) as usize;
        let mut bytes = Vec::new();
        if bytes.try_reserve_exact(n).is_err() {
            let message = format!("cannot be read: there is no memory for {n} bytes of it");
            return Err(RuntimeError::new(ErrorKind::DoesNotFit, self.path.display().to_string(), message));
        }
        bytes.resize(n, 0);
        self.read_at(range.start, &mut bytes)?;
        Ok(bytes)
    }

    /// The whole file.
    ///
    /// # Errors
    /// As [`DataFile::read_at`].
    pub fn all(&self) -> Result<Vec<u8>> {
        self.head(self.len)
    }

    /// For readers of a format that want to move around in a file.
    pub fn reader(&self) -> DataReader<'_> {
        DataReader { file: self, at: 0 }
    }
}

/// Reads a file from one place to another.
pub struct DataReader<'a> {
    file: &'a DataFile,
    at: u64,
}

impl Read for DataReader<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = self.file.len.saturating_sub(self.at).min(out.len() as u64) as usize;
        self.file.read_at(self.at, &mut out[..n]).map_err(|e| std::io::Error::other(e.message))?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for DataReader<'_> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let at = match to {
            SeekFrom::Start(n) => Some(n),
            SeekFrom::End(n) => self.file.len.checked_add_signed(n),
            SeekFrom::Current(n) => self.at.checked_add_signed(n),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_are_bounded() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        std::fs::write(&path, b"abcdef").unwrap();
        assert_eq!(read(&path, 6).unwrap(), b"abcdef");
        assert!(read(&path, 5).unwrap_err().message.contains("has 6 bytes; at most 5 are read"));
        // Larger than any memory, and not one byte of it on the disk.
        File::create(&path).unwrap().set_len(1 << 42).unwrap();
        assert!(read(&path, 1 << 20).unwrap_err().message.contains("has 4398046511104 bytes"));
        for device in ["/dev/zero", "/dev/null"] {
            assert!(read(Path::new(device), 10).unwrap_err().message.contains("is a device"));
            assert!(DataFile::open(Path::new(device)).err().unwrap().message.contains("is a device"));
        }
    }

    #[test]
    fn a_file_that_becomes_shorter() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x");
        std::fs::write(&path, [7; 5000]).unwrap();
        let file = DataFile::open(&path).unwrap();
        let mut out = [0; 10];
        file.read_at(4990, &mut out).unwrap();
        assert_eq!(out, [7; 10]);
        File::options().write(true).open(&path).unwrap().set_len(4995).unwrap();
        let e = file.read_at(4990, &mut out).unwrap_err();
        assert!(e.exit_code() == 2 && e.message.contains("has become shorter: it had 5000 bytes"), "{e}");
    }
}
