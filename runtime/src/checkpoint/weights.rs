//! The tensors of a safetensors file, or of several files with an index.
//!
//! Every file is mapped and its header is checked when it is opened. An index that sends a name to the wrong file, or
//! names a file that does not exist, is refused then.

use super::{Index, index, plain, single};
use crate::data::Buffer;
use crate::data::element::Element;
use crate::error::{Result, RuntimeError};
use safetensors::SafeTensors;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An index lists every tensor of a model; no model has this much text of names.
const MAX_INDEX: u64 = 64 << 20;

pub struct Weights {
    files: Vec<(PathBuf, Buffer)>,
    tensors: BTreeMap<String, Entry>,
    /// The file or folder, for messages.
    place: String,
}

struct Entry {
    file: usize,
    /// `None` for a dtype that no program takes.
    element: Option<Element>,
    dtype: safetensors::Dtype,
    shape: Vec<u64>,
    range: Range<usize>,
}

/// One tensor, in the file.
#[derive(Clone, Copy)]
pub struct Stored<'a> {
    pub element: Element,
    pub shape: &'a [u64],
    pub bytes: &'a [u8],
}

impl Weights {
    /// Opens a file, an index, or a folder that holds `stem.safetensors` or `stem.safetensors.index.json`.
    ///
    /// # Errors
    /// Files that are missing or damaged, by name.
    pub fn open(path: &Path, stem: &str) -> Result<Weights> {
        if path.is_dir() {
            let (one, many) = (path.join(single(stem)), path.join(index(stem)));
            if one.exists() || !many.exists() {
                return Weights::files(&one, vec![one.clone()], None);
            }
            return Weights::sharded(&many);
        }
        if path.to_string_lossy().ends_with(".index.json") {
            return Weights::sharded(path);
        }
        Weights::files(path, vec![path.to_owned()], None)
    }

    fn sharded(path: &Path) -> Result<Weights> {
        let place = path.display().to_string();
        let size = std::fs::metadata(path).map_err(|e| RuntimeError::io(path, "cannot be read", &e))?.len();
        if size > MAX_INDEX {
            return Err(RuntimeError::usage(place, format!("{size} bytes are too many for an index")));
        }
        let text = std::fs::read(path).map_err(|e| RuntimeError::io(path, "cannot be read", &e))?;
        let index: Index =
            serde_json::from_slice(&text).map_err(|e| RuntimeError::usage(place.clone(), e.to_string()))?;
        let mut names: Vec<&String> = index.weight_map.values().collect();
        names.sort_unstable();
        names.dedup();
        if let Some(bad) = names.iter().find(|n| !plain(n)) {
            return Err(RuntimeError::usage(
                place,
                format!("names the file `{}`, which is not beside it", bad.escape_debug()),
            ));
        }
        let files = names.iter().map(|n| path.with_file_name(n)).collect();
        Weights::files(path, files, Some(&index))
    }

    fn files(place: &Path, paths: Vec<PathBuf>, index: Option<&Index>) -> Result<Weights> {
        let place = place.display().to_string();
        let (mut files, mut tensors) = (Vec::new(), BTreeMap::new());
        for (k, path) in paths.into_iter().enumerate() {
            let buffer = Buffer::map(&path)?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let fail = |m: String| RuntimeError::usage(path.display().to_string(), m);
            let parsed = SafeTensors::deserialize(&buffer)
                .map_err(|e| fail(format!("no valid safetensors file: {}", reason(&e))))?;
            for (tensor, view) in parsed.iter() {
                // A tensor that the index does not place in this file is not part of the model.
                if index.is_some_and(|i| i.weight_map.get(tensor) != Some(&name)) {
                    continue;
                }
                let start = view.data().as_ptr() as usize - buffer.as_ptr() as usize;
                let entry = Entry {
                    file: k,
                    element: Element::of_safetensors(view.dtype()),
                    dtype: view.dtype(),
                    shape: view.shape().iter().map(|&n| n as u64).collect(),
                    range: start..start + view.data().len(),
                };
                tensors.insert(tensor.to_owned(), entry);
            }
            drop(parsed);
            files.push((path, buffer));
        }
        for (tensor, file) in index.iter().flat_map(|i| &i.weight_map) {
            if !tensors.contains_key(tensor) {
                return Err(RuntimeError::usage(place, format!("places `{tensor}` in {file}, which does not hold it")));
            }
        }
        Ok(Weights { files, tensors, place })
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    pub fn contains(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The file that a tensor lies in; for one that is nowhere, what was opened.
    pub fn place(&self, name: &str) -> String {
        self.tensors.get(name).map_or(self.place.clone(), |e| self.files[e.file].0.display().to_string())
    }

    /// # Errors
    /// No such tensor, or one that no program takes; without the file's name.
    pub fn tensor(&self, name: &str) -> Result<Stored<'_>, String> {
        let e = self.tensors.get(name).ok_or("the file has none of that name")?;
        let element = e.element.ok_or_else(|| format!("it is of {:?}, which no program takes", e.dtype))?;
        Ok(Stored { element, shape: &e.shape, bytes: &self.files[e.file].1[e.range.clone()] })
    }
}

/// The crate's errors with what they mean in front, where that is not plain.
fn reason(e: &safetensors::SafeTensorError) -> String {
    use safetensors::SafeTensorError::*;
    match e {
        HeaderTooSmall | InvalidHeaderLength | MetadataIncompleteBuffer => format!("{e}; the file is cut short"),
        _ => e.to_string(),
    }
}
