//! The files of a checkpoint: tensors from the devices, or from a copy of what the devices had.
//!
//! A tensor is read from the devices just before it is written, so that saving needs memory for one tensor. In the
//! background the devices have gone on, so there the tensors were copied before.

use super::manifest::{File, hash_of, sync, write_synced};
use super::{Index, index, single, to_safetensors};
use crate::error::{Result, RuntimeError};
use crate::file::DataFile;
use meshloom_bundle::{DType, Role};
use safetensors::{Dtype, View};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A tensor on its way into a file.
pub struct Tensor<V> {
    pub dtype: DType,
    pub role: Role,
    pub shape: Vec<u64>,
    pub values: V,
}

/// Tensors, each with its name in the file.
pub type NamedTensors<V> = Vec<(String, Tensor<V>)>;

/// Where its bytes come from: a copy (`Vec<u8>`), or the devices ([`Live`]).
pub trait Values {
    fn read(&self) -> Result<Cow<'_, [u8]>>;
}

/// The devices, as they are when they are asked.
pub type Live<'a> = Box<dyn Fn() -> Result<Vec<u8>> + 'a>;

impl Values for Live<'_> {
    fn read(&self) -> Result<Cow<'_, [u8]>> {
        self().map(Cow::Owned)
    }
}

impl Values for Vec<u8> {
    fn read(&self) -> Result<Cow<'_, [u8]>> {
        Ok(Cow::Borrowed(self))
    }
}

impl<V: Values> Tensor<V> {
    /// The tensor as it is now.
    ///
    /// # Errors
    /// A device that cannot be read.
    pub fn copied(self) -> Result<Tensor<Vec<u8>>> {
        let values = self.values.read()?.into_owned();
        Ok(Tensor { dtype: self.dtype, role: self.role, shape: self.shape, values })
    }

    fn bytes(&self) -> u64 {
        self.shape.iter().product::<u64>() * self.dtype.bytes()
    }
}

/// What is found out while tensors are written.
pub struct Notes {
    /// Why a tensor could not be read. The file is then written to its end, with zeros, and never published.
    failed: RefCell<Option<RuntimeError>>,
    /// Cleared at the first number that is not finite.
    pub finite: Cell<bool>,
}

impl Default for Notes {
    fn default() -> Notes {
        Notes { failed: RefCell::default(), finite: Cell::new(true) }
    }
}

struct Noted<'a, V> {
    tensor: Tensor<V>,
    shape: Vec<usize>,
    notes: &'a Notes,
}

impl<V: Values> View for Noted<'_, V> {
    fn dtype(&self) -> Dtype {
        to_safetensors(self.tensor.dtype)
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        let bytes = self.tensor.values.read().unwrap_or_else(|e| {
            self.notes.failed.replace(Some(e));
            vec![0; self.data_len()].into()
        });
        let finite = &self.notes.finite;
        finite.set(finite.get() && is_finite(self.tensor.dtype, self.tensor.role, &bytes));
        bytes
    }

    fn data_len(&self) -> usize {
        self.tensor.bytes() as usize
    }
}

/// One file of tensors.
///
/// # Errors
/// A file that cannot be written, or a device that cannot be read.
pub fn write_file<V: Values>(path: &Path, tensors: NamedTensors<V>, notes: &Notes) -> Result<()> {
    serialize(path, noted(tensors, notes))?;
    notes.failed.take().map_or(Ok(()), Err)
}

/// One file of tensors, or as many as the limit on their size takes, and the index of them.
///
/// # Errors
/// As [`write_file`].
pub fn write_whole<V: Values>(
    folder: &Path,
    stem: &str,
    tensors: NamedTensors<V>,
    limit: u64,
    notes: &Notes,
) -> Result<Vec<File>> {
    let files = write_tensors(folder, stem, noted(tensors, notes), limit)?;
    notes.failed.take().map_or(Ok(files), Err)
}

fn noted<V: Values>(tensors: NamedTensors<V>, notes: &Notes) -> Vec<(String, Noted<'_, V>)> {
    let one = |(name, tensor): (String, Tensor<V>)| {
        let shape = tensor.shape.iter().map(|&n| n as usize).collect();
        (name, Noted { tensor, shape, notes })
    };
    tensors.into_iter().map(one).collect()
}

fn serialize<V: View>(path: &Path, tensors: Vec<(String, V)>) -> Result<()> {
    // transformers refuses files that do not say this.
    let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
    safetensors::serialize_to_file(tensors, Some(metadata), path)
        .map_err(|e| RuntimeError::usage(path.display().to_string(), format!("cannot be written: {e}")))?;
    sync(path)
}

/// The same, for whatever is a tensor.
///
/// # Errors
/// A file that cannot be written.
pub fn write_tensors<V: View>(folder: &Path, stem: &str, tensors: Vec<(String, V)>, limit: u64) -> Result<Vec<File>> {
    let mut files = Vec::new();
    let total: u64 = tensors.iter().map(|t| t.1.data_len() as u64).sum();
    let mut shards: Vec<Vec<(String, V)>> = vec![Vec::new()];
    let mut room = limit;
    for t in tensors {
        let bytes = t.1.data_len() as u64;
        if bytes > room && shards.last().is_some_and(|s| !s.is_empty()) {
            shards.push(Vec::new());
            room = limit;
        }
        room = room.saturating_sub(bytes);
        if let Some(shard) = shards.last_mut() {
            shard.push(t);
        }
    }
    let n = shards.len();
    let mut weight_map = BTreeMap::new();
    for (k, shard) in shards.into_iter().enumerate() {
        let name = if n == 1 { single(stem) } else { format!("{stem}-{:05}-of-{n:05}.safetensors", k + 1) };
        weight_map.extend(shard.iter().map(|t| (t.0.clone(), name.clone())));
        let path = folder.join(&name);
        serialize(&path, shard)?;
        files.push(listed(folder, name)?);
    }
    if n > 1 {
        let name = index(stem);
        let index = Index { metadata: serde_json::json!({ "total_size": total }), weight_map };
        let json = serde_json::to_vec_pretty(&index).map_err(|e| RuntimeError::usage(name.clone(), e.to_string()))?;
        write_synced(&folder.join(&name), &json)?;
        files.push(listed(folder, name)?);
    }
    Ok(files)
}

/// A file as the manifest lists it, read back from the disk.
fn listed(folder: &Path, name: String) -> Result<File> {
    let file = DataFile::regular(&folder.join(&name))?;
    Ok(File { bytes: file.len(), sha256: hash_of(&file, 0..file.len())?, name, by_parts: false })
}

/// Whether a tensor is as it should be: no NaN, and, in a parameter, no infinity. State may begin with one, as a minimum does.
fn is_finite(dtype: DType, role: Role, bytes: &[u8]) -> bool {
    fn all<const N: usize>(bytes: &[u8], good: impl Fn([u8; N]) -> bool) -> bool {
        bytes.as_chunks::<N>().0.iter().all(|&c| good(c))
    }
    // The bits of a float without its sign are at most those of infinity, and less for finite ones.
    let most = u64::from(role == Role::State);
    match dtype {
        DType::F16 => all(bytes, |c| u64::from(u16::from_le_bytes(c) & 0x7fff) < 0x7c00 + most),
        DType::BF16 => all(bytes, |c| u64::from(u16::from_le_bytes(c) & 0x7fff) < 0x7f80 + most),
        DType::F32 => all(bytes, |c| u64::from(u32::from_le_bytes(c) & 0x7fff_ffff) < 0x7f80_0000 + most),
        DType::F64 => all(bytes, |c| (u64::from_le_bytes(c) & (u64::MAX >> 1)) < (0x7ff << 52) + most),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_finite() {
        let f32 = |x: f32, role| is_finite(DType::F32, role, &[1f32.to_le_bytes(), x.to_le_bytes()].concat());
        let f64 = |x: f64, role| is_finite(DType::F64, role, &x.to_le_bytes());
        let f16 = |x: f32, role| is_finite(DType::F16, role, &half::f16::from_f32(x).to_le_bytes());
        let bf16 = |x: f32, role| is_finite(DType::BF16, role, &half::bf16::from_f32(x).to_le_bytes());
        for (x, parameter, state) in [
            (-1.5, true, true),
            (f32::INFINITY, false, true),
            (f32::NEG_INFINITY, false, true),
            (f32::NAN, false, false),
            (-f32::NAN, false, false),
        ] {
            for (role, due) in [(Role::Parameter, parameter), (Role::State, state)] {
                assert_eq!([f32(x, role), f64(x.into(), role), f16(x, role), bf16(x, role)], [due; 4], "{x} {role:?}");
            }
        }
        assert!(f32(f32::MAX, Role::Parameter) && f64(f64::MAX, Role::Parameter));
        assert!(is_finite(DType::I32, Role::State, &[255; 4]));
    }
}
