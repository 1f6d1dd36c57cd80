//! One array of a `.npy`, `.npz` or `.safetensors` file.
//!
//! Of `.npy` and safetensors files the rows are read that are asked for; an array of an `.npz` is a member of a zip archive
//! and is unpacked into memory.

use super::element::{Element, Rounding};
use super::npy;
use super::safetensors::TensorHeader;
use crate::error::{Result, RuntimeError};
use crate::file::{DataFile, DataReader};
use crate::host::{HostTensor, describe_port};
use meshloom_bundle::Port;
use safetensors::Dtype;
use std::io::{BufReader, Read};
use std::path::Path;
use zip::ZipArchive;

/// An `.npz` may claim to unpack to this much, or to 64 times its own size; a small file that fills the memory is an attack.
const UNPACKED: u64 = 1 << 30;

pub struct Array {
    file: DataFile,
    /// Where the data lies in the file; as long as element type and shape say.
    offset: usize,
    /// Of complex numbers, that of their parts, which are a last dim of two.
    pub element: Element,
    pub shape: Vec<u64>,
    pub complex: bool,
    /// `file.npy`, or `file.npz:name`, for messages.
    pub place: String,
}

/// Said of a file of another ending, whether it is there or not: most often the name of an array stands behind the wrong one.
const KINDS: &str = "arrays are read from .npy, .npz and .safetensors files, one of several as FILE.npz:NAME";

impl Array {
    /// Opens an array. `name` chooses one of several; a file with one array needs none.
    ///
    /// # Errors
    /// A file that is damaged or of no such kind, a name that it does not hold.
    pub fn open(path: &Path, name: Option<&str>) -> Result<Array> {
        let place = path.display().to_string();
        let fail = |m: String| RuntimeError::usage(place.clone(), m);
        let kind = path.extension().and_then(|e| e.to_str());
        if !matches!(kind, Some("npy" | "npz" | "safetensors")) {
            return Err(fail(KINDS.into()));
        }
        let file = DataFile::open(path)?;
        let (file, array, name) = match kind {
            Some("npy") if name.is_some() => return Err(fail("a .npy file holds one array, which has no name".into())),
            Some("npy") => {
                let array = npy::parse_head(&file.head(npy::HEAD)?, file.len()).map_err(fail)?;
                (file, array, None)
            }
            Some("npz") => {
                let (bytes, array, name) = npz(&file, name).map_err(fail)?;
                (DataFile::owned(path, bytes), array, Some(name))
            }
            Some("safetensors") => {
                let (array, name) = member(&file, name).map_err(fail)?;
                (file, array, Some(name))
            }
            _ => return Err(fail(KINDS.into())),
        };
        let npy::Array { element, shape, complex, offset } = array;
        let place = name.map_or(place.clone(), |n| format!("{place}:{n}"));
        Ok(Array { file, offset, element, shape, complex, place })
    }

    /// The file, and where and what in it the array is.
    pub(crate) fn into_parts(self) -> (DataFile, npy::Array) {
        let head = self.head();
        (self.file, head)
    }

    /// `f32[2, 3]`, `complex64[2, 3]`.
    pub fn describe(&self) -> String {
        self.head().describe()
    }

    fn head(&self) -> npy::Array {
        npy::Array { element: self.element, shape: self.shape.clone(), complex: self.complex, offset: self.offset }
    }

    /// All elements, little-endian, row-major.
    ///
    /// # Errors
    /// The file cannot be read any more.
    pub fn data(&self) -> Result<Vec<u8>> {
        self.part(0, self.shape.iter().product())
    }

    /// Row `i` of the first dim.
    ///
    /// # Errors
    /// As [`Array::data`].
    pub fn row(&self, i: u64) -> Result<Vec<u8>> {
        let n = self.shape[1..].iter().product::<u64>();
        self.part(i * n, n)
    }

    fn part(&self, start: u64, elements: u64) -> Result<Vec<u8>> {
        let size = self.element.size() as u64;
        let mut bytes = vec![0; (elements * size) as usize];
        self.file.read_at(self.offset as u64 + start * size, &mut bytes)?;
        Ok(bytes)
    }

    /// The whole array as a port wants it.
    ///
    /// # Errors
    /// Another shape, a conversion that does not keep the values.
    pub fn tensor(&self, port: &Port, shape: &[u64]) -> Result<HostTensor, String> {
        if self.shape != shape {
            return Err(format!("expected {}, found {}", describe_port(port, shape), self.describe()));
        }
        let data = self.data().map_err(|e| e.message)?;
        let bytes = self.element.convert_for(&data, port, Rounding::Exact)?;
        Ok(HostTensor { dtype: port.dtype, shape: shape.to_vec(), bytes })
    }
}

/// Names of the arrays of an `.npz` or safetensors file, sorted.
///
/// # Errors
/// A file that is damaged or of another kind.
pub fn names_in(path: &Path) -> Result<Vec<String>> {
    let file = DataFile::open(path)?;
    let found = match path.extension().and_then(|e| e.to_str()) {
        Some("npz") => match ZipArchive::new(BufReader::new(file.reader())) {
            Ok(zip) => Ok(zip.file_names().filter_map(|n| n.strip_suffix(".npy")).map(String::from).collect()),
            Err(e) => Err(format!("no .npz file, or a damaged one: {e}")),
        },
        Some("safetensors") => Ok(TensorHeader::read(&file)?.names()),
        _ => Err("several arrays are read from .npz and .safetensors files".to_string()),
    };
    let mut names: Vec<String> = found.map_err(|m| RuntimeError::usage(path.display().to_string(), m))?;
    names.sort();
    Ok(names)
}

/// The one that is asked for, or the only one.
fn choose<'a>(names: &'a [String], asked: Option<&str>) -> Result<&'a str, String> {
    let all = || {
        let shown: Vec<String> = names.iter().take(12).map(|n| format!("`{}`", n.escape_debug())).collect();
        format!("{}{}", shown.join(", "), if names.len() > shown.len() { ", .." } else { "" })
    };
    match (asked, names) {
        (Some(asked), _) => {
            let found = names.iter().find(|n| *n == asked).map(String::as_str);
            found.ok_or_else(|| format!("holds no array `{asked}`; it has {}", all()))
        }
        (None, [only]) => Ok(only),
        (None, []) => Err("holds no array".into()),
        (None, _) => Err(format!("holds several arrays; say which, as in FILE:NAME: {}", all())),
    }
}

fn npz(of: &DataFile, asked: Option<&str>) -> Result<(Vec<u8>, npy::Array, String), String> {
    let damaged = |e: &dyn std::fmt::Display| format!("no .npz file, or a damaged one: {e}");
    let mut zip = ZipArchive::new(BufReader::<DataReader<'_>>::new(of.reader())).map_err(|e| damaged(&e))?;
    let mut names: Vec<String> = zip.file_names().filter_map(|n| n.strip_suffix(".npy")).map(String::from).collect();
    names.sort();
    let name = choose(&names, asked)?.to_owned();
    let mut file = zip.by_name(&format!("{name}.npy")).map_err(|e| damaged(&e))?;
    let within = |m: String| format!("array `{name}`: {m}");
    // The header says how much is due, and no more than that is unpacked.
    let mut data = Vec::new();
    file.by_ref().take(16).read_to_end(&mut data).map_err(|e| within(damaged(&e)))?;
    let rest = match data.get(6..12) {
        Some(&[1, _, a, b, ..]) => u64::from(u16::from_le_bytes([a, b])) + 10,
        Some(&[_, _, a, b, c, d]) => u64::from(u32::from_le_bytes([a, b, c, d])) + 12,
        _ => 0,
    };
    file.by_ref()
        .take(rest.saturating_sub(data.len() as u64).min(1 << 16))
        .read_to_end(&mut data)
        .map_err(|e| within(damaged(&e)))?;
    let array = npy::header(&data).map_err(within)?;
    let size = array.bytes().filter(|&n| n <= UNPACKED.max(of.len().saturating_mul(64)));
    let size = size.ok_or_else(|| within(format!("claims {}", array.describe())))?;
    let due = (array.offset as u64 + size).saturating_sub(data.len() as u64);
    file.take(due + 1).read_to_end(&mut data).map_err(|e| within(damaged(&e)))?;
    let array = npy::parse(&data).map_err(within)?;
    Ok((data, array, name))
}

fn member(of: &DataFile, asked: Option<&str>) -> Result<(npy::Array, String), String> {
    let header = TensorHeader::read(of).map_err(|e| e.message)?;
    let name = choose(&header.names(), asked)?.to_owned();
    let found = header.metadata.info(&name).ok_or_else(|| format!("holds no array `{name}`"))?;
    let element = Element::of_safetensors(found.dtype)
        .ok_or_else(|| format!("tensor `{name}` is of {:?}, which no program takes", found.dtype))?;
    let complex = found.dtype == Dtype::C64;
    let shape = found.shape.iter().map(|&n| n as u64).chain(complex.then_some(2)).collect();
    let offset = header.bytes as usize + found.data_offsets.0;
    Ok((npy::Array { element, shape, complex, offset }, name))
}
