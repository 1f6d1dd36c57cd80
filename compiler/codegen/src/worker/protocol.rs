//! The frames between a parent and its worker: a JSON header and a binary blob, each after its length.
//!
//! Both ends are built together: the worker says its version first, and another one is not listened to. Lengths are checked too, since
//! a crashed child may leave anything behind.

use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::CodegenError;

/// Objects are some kilobytes, whole requests some megabytes.
const MAX_BYTES: u64 = 1 << 30;

/// What a worker says, by kernel index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// What answers, before anything else.
    Worker {
        meshloom: String,
        llvm: String,
        /// The files that it runs code of.
        loaded: Vec<PathBuf>,
    },
    Started(usize),
    Finished(usize),
    /// The blob is the object.
    Object(usize),
    Failed(usize, CodegenError),
    /// A program as MLIR prints it.
    Printed(Result<String, CodegenError>),
    /// All results were sent.
    Done,
}

pub fn write(out: &mut impl Write, header: &impl Serialize, blob: &[u8]) -> io::Result<()> {
    let header = serde_json::to_vec(header).map_err(io::Error::other)?;
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&(blob.len() as u64).to_le_bytes())?;
    out.write_all(&header)?;
    out.write_all(blob)
}

pub fn read<H: DeserializeOwned>(input: &mut impl Read) -> io::Result<(H, Vec<u8>)> {
    let mut length = || {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes)?;
        match u64::from_le_bytes(bytes) {
            length @ ..=MAX_BYTES => Ok(length),
            length => Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame of {length} bytes"))),
        }
    };
    let (header, blob) = (length()?, length()?);
    let header = take(input, header)?;
    let header = serde_json::from_slice(&header).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok((header, take(input, blob)?))
}

/// Grows with what arrives, not with what was announced.
fn take(input: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if input.take(length).read_to_end(&mut bytes)? as u64 == length {
        Ok(bytes)
    } else {
        Err(io::Error::from(io::ErrorKind::UnexpectedEof))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_trip() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Event::Started(3), &[]).unwrap();
        write(&mut bytes, &Event::Object(3), b"object").unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read::<Event>(&mut input).unwrap(), (Event::Started(3), vec![]));
        assert_eq!(read::<Event>(&mut input).unwrap(), (Event::Object(3), b"object".to_vec()));
        assert_eq!(read::<Event>(&mut input).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn damaged_frames_are_refused() {
        let mut bytes = Vec::new();
        write(&mut bytes, &Event::Done, b"blob").unwrap();
        for end in 0..bytes.len() {
            assert!(read::<Event>(&mut &bytes[..end]).is_err(), "cut at {end}");
        }
        let huge = [u64::MAX.to_le_bytes(), 0u64.to_le_bytes()].concat();
        assert_eq!(read::<Event>(&mut huge.as_slice()).unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
