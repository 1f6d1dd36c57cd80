//! The header of a safetensors file. The crate wants the whole file as one slice, which would have to be mapped; a mapped file
//! that somebody cuts short ends the process with a bus error. So the header is read by itself, and tensors later, where they
//! are asked for.
//!
//! Not here: what tensors are to a program (`arrays`, `checkpoint`).

use crate::error::{Result, RuntimeError};
use crate::file::DataFile;
use safetensors::SafeTensorError as Error;
use safetensors::tensor::{Metadata, TensorInfo};
use std::collections::BTreeMap;

/// As the crate has it.
const MOST: u64 = 100_000_000;

/// What a file says that it holds.
pub struct TensorHeader {
    /// How many bytes come before those of tensors.
    pub bytes: u64,
    pub metadata: Metadata,
}

impl TensorHeader {
    /// Reads a header, and compares it with the length of the file.
    ///
    /// # Errors
    /// No safetensors file or one that is not complete, or it cannot be read.
    pub fn read(file: &DataFile) -> Result<TensorHeader> {
        let fail = |e: Error| {
            let cut = match e {
                Error::HeaderTooSmall | Error::InvalidHeaderLength | Error::MetadataIncompleteBuffer => {
                    "; the file is cut short"
                }
                _ => "",
            };
            RuntimeError::usage(file.path().display().to_string(), format!("no valid safetensors file: {e}{cut}"))
        };
        let length = file.head(8)?.try_into().map_err(|_| fail(Error::HeaderTooSmall))?;
        let length = u64::from_le_bytes(length);
        if length > MOST {
            return Err(fail(Error::HeaderTooLarge));
        }
        let bytes = 8 + length;
        if bytes > file.len() {
            return Err(fail(Error::InvalidHeaderLength));
        }
        let json = file.range(8..bytes)?;
        let text = std::str::from_utf8(&json).map_err(|e| fail(Error::InvalidHeader(e)))?;
        let metadata: Metadata =
            serde_json::from_str(text).map_err(|e| fail(Error::InvalidHeaderDeserialization(e)))?;
        if bytes.checked_add(metadata.data_len() as u64) != Some(file.len()) {
            return Err(fail(Error::MetadataIncompleteBuffer));
        }
        Ok(TensorHeader { bytes, metadata })
    }

    /// Tensors in the order of their names: the crate's map has none.
    pub fn tensors(&self) -> BTreeMap<String, &TensorInfo> {
        self.metadata.tensors().into_iter().collect()
    }

    /// The names of tensors, sorted.
    pub fn names(&self) -> Vec<String> {
        let mut names = self.metadata.offset_keys();
        names.sort_unstable();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use safetensors::SafeTensors;
    use std::path::Path;

    /// Every prefix of a file, and every file with one bit of its header turned: what the crate says of it in memory.
    #[test]
    fn headers_are_read_as_the_crate_reads_them() {
        let data = [0u8; 24];
        let view = |shape: Vec<usize>, n: usize| {
            safetensors::tensor::TensorView::new(safetensors::Dtype::F32, shape, &data[..n]).expect("fits")
        };
        let whole =
            safetensors::serialize([("b", view(vec![2, 3], 24)), ("a", view(vec![0], 0))], None).expect("a file");
        let header = whole.len() - 24;
        let same = |bytes: Vec<u8>| {
            let ours = TensorHeader::read(&DataFile::owned(Path::new("x"), bytes.clone()));
            let theirs = SafeTensors::read_metadata(&bytes);
            match (&ours, &theirs) {
                (Ok(ours), Ok((n, theirs))) => {
                    assert_eq!(ours.bytes, 8 + *n as u64);
                    let json = |m: &Metadata| serde_json::to_value(m).expect("is JSON");
                    assert_eq!(json(&ours.metadata), json(theirs));
                }
                (Err(_), Err(_)) => {}
                _ => panic!("{:?} and {:?}", ours.is_ok(), theirs.is_ok()),
            }
            ours.is_ok()
        };
        assert!(same(whole.clone()));
        assert!((0..whole.len()).all(|n| !same(whole[..n].to_vec())));
        let turned = (0..header * 8).filter(|&bit| {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            same(bytes)
        });
        // A bit of a name or of an element type of the same width.
        assert!(turned.count() > 0);
    }
}
