//! The tensors of a safetensors file, of several files with an index, or of the parts of a sharded checkpoint.
//!
//! The header of every file is checked when it is opened, and tensors are read when they are asked for. An index that sends a name to the wrong file, or
//! names a file that does not exist, is refused then. Parts are compared with their hashes by whoever reads them.

use super::manifest::{hash_of, must_be, plain};
use super::shards::{ShardIndex, ShardedTensor, shard_index};
use super::{Index, index, single, to_safetensors};
use crate::data::element::Element;
use crate::data::safetensors::TensorHeader;
use crate::error::{Result, RuntimeError};
use crate::file::DataFile;
use meshloom_bundle::{DType, element_type};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// An index lists every tensor of a model, or every part of one; no model has this much text of names.
const MAX_INDEX: u64 = 64 << 20;
const MAX_SHARD_INDEX: u64 = 1 << 30;

pub struct Weights {
    files: Vec<DataFile>,
    tensors: BTreeMap<String, Entry>,
    /// The file or folder, for messages.
    place: String,
}

struct Entry {
    /// `None` for a dtype that no program takes.
    element: Option<Element>,
    dtype: safetensors::Dtype,
    shape: Vec<u64>,
    source: Source,
}

enum Source {
    Whole { file: usize, range: Range<u64> },
    Parts(Vec<StoredPart>),
}

/// A box of a tensor, in a file.
pub struct StoredPart {
    file: usize,
    range: Range<u64>,
    pub sha256: String,
    /// In the dims of the tensor.
    pub window: Vec<Range<u64>>,
}

/// What one tensor is.
#[derive(Clone, Copy)]
pub struct Stored<'a> {
    pub element: Element,
    pub shape: &'a [u64],
}

impl Weights {
    /// Opens a file, an index, or a folder that holds `stem.safetensors`, `stem.safetensors.index.json` or `stem.shards.json`.
    ///
    /// # Errors
    /// Files that are missing or damaged, by name.
    pub fn open(path: &Path, stem: &str) -> Result<Weights> {
        if path.is_dir() {
            let (one, many, parts) = (path.join(single(stem)), path.join(index(stem)), path.join(shard_index(stem)));
            if parts.exists() {
                return Weights::parted(&parts);
            }
            if one.exists() || !many.exists() {
                return Weights::files(path, &one, vec![one.clone()], None);
            }
            return Weights::sharded(&many);
        }
        if path.to_string_lossy().ends_with(".index.json") {
            return Weights::sharded(path);
        }
        Weights::files(path, path, vec![path.to_owned()], None)
    }

    /// These and the tensors of other files.
    ///
    /// # Errors
    /// A tensor that both have.
    pub fn with(mut self, other: Weights) -> Result<Weights> {
        let first = self.files.len();
        for (name, mut entry) in other.tensors {
            if self.contains(&name) {
                let message = format!("`{name}` is in {} too", self.place(&name));
                return Err(RuntimeError::usage(other.place, message));
            }
            match &mut entry.source {
                Source::Whole { file, .. } => *file += first,
                Source::Parts(parts) => parts.iter_mut().for_each(|p| p.file += first),
            }
            self.tensors.insert(name, entry);
        }
        self.files.extend(other.files);
        self.place = format!("{}, {}", self.place, other.place);
        Ok(self)
    }

    fn sharded(path: &Path) -> Result<Weights> {
        let place = path.display().to_string();
        let text = must_be(path, MAX_INDEX)?;
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
        Weights::files(path, path, files, Some(&index))
    }

    fn files(given: &Path, place: &Path, paths: Vec<PathBuf>, index: Option<&Index>) -> Result<Weights> {
        let place = place.display().to_string();
        let (mut files, mut tensors) = (Vec::new(), BTreeMap::new());
        for (k, path) in paths.into_iter().enumerate() {
            // A file that was named itself may come through a pipe.
            let file = if path == given { DataFile::open(&path) } else { DataFile::regular(&path) }?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let header = TensorHeader::read(&file)?;
            for (tensor, info) in header.tensors() {
                // A tensor that the index does not place in this file is not part of the model.
                if index.is_some_and(|i| i.weight_map.get(&tensor) != Some(&name)) {
                    continue;
                }
                let (from, to) = info.data_offsets;
                let parts = (info.dtype == safetensors::Dtype::C64).then_some(2);
                let entry = Entry {
                    element: Element::of_safetensors(info.dtype),
                    dtype: info.dtype,
                    shape: info.shape.iter().map(|&n| n as u64).chain(parts).collect(),
                    source: Source::Whole { file: k, range: header.bytes + from as u64..header.bytes + to as u64 },
                };
                tensors.insert(tensor, entry);
            }
            files.push(file);
        }
        for (tensor, file) in index.iter().flat_map(|i| &i.weight_map) {
            if !tensors.contains_key(tensor) {
                return Err(RuntimeError::usage(place, format!("places `{tensor}` in {file}, which does not hold it")));
            }
        }
        Ok(Weights { files, tensors, place })
    }

    /// The parts that a `stem.shards.json` lists.
    fn parted(path: &Path) -> Result<Weights> {
        let place = path.display().to_string();
        let fail = |m: String| RuntimeError::usage(place.clone(), m);
        let text = must_be(path, MAX_SHARD_INDEX)?;
        let index: ShardIndex = serde_json::from_slice(&text).map_err(|e| fail(e.to_string()))?;
        let (mut files, mut numbers, mut ends) = (Vec::new(), BTreeMap::new(), Vec::new());
        for (name, header) in &index.files {
            if !plain(name) {
                return Err(fail(format!("lists `{}`, which is no file here", name.escape_debug())));
            }
            let at = path.with_file_name(name);
            let file = DataFile::regular(&at)?;
            if header.bytes > file.len() || hash_of(&file, 0..header.bytes)? != header.sha256 {
                let message = "the sha256 of its header differs from the index's: the file is damaged";
                return Err(RuntimeError::usage(at.display().to_string(), message));
            }
            numbers.insert(name.as_str(), files.len());
            ends.push(vec![(header.bytes, header.bytes)]);
            files.push(file);
        }
        let mut tensors = BTreeMap::new();
        for (name, t) in &index.tensors {
            let parts = parts_of(t, &numbers).map_err(|m| fail(format!("tensor `{}`: {m}", name.escape_debug())))?;
            parts.iter().for_each(|p| ends[p.file].push((p.range.start, p.range.end)));
            let dtype = element_type(&t.dtype);
            let dtype = to_safetensors(dtype.ok_or_else(|| fail(format!("`{}` is no type", t.dtype.escape_debug())))?);
            let (element, shape) = (Element::of_safetensors(dtype), t.shape.clone());
            tensors.insert(name.clone(), Entry { element, dtype, shape, source: Source::Parts(parts) });
        }
        // So every byte of a file belongs to its header or to one part, and is under a hash.
        for (file, mut ends) in files.iter().zip(ends) {
            let header = ends[0];
            ends.sort_unstable();
            let whole = ends[0] == header && ends.windows(2).all(|w| w[0].1 == w[1].0);
            if !whole || ends.last().map(|e| e.1) != Some(file.len()) {
                return Err(fail(format!("its parts do not make up {}", file.path().display())));
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

    /// The file that a tensor lies in; for one that is nowhere or in several, what was opened.
    pub fn place(&self, name: &str) -> String {
        match self.tensors.get(name).map(|e| &e.source) {
            Some(Source::Whole { file, .. }) => self.files[*file].path().display().to_string(),
            _ => self.place.clone(),
        }
    }

    /// What was opened.
    pub fn everywhere(&self) -> &str {
        &self.place
    }

    /// # Errors
    /// No such tensor, or one that no program takes; without the file's name.
    pub fn tensor(&self, name: &str) -> Result<Stored<'_>, String> {
        let e = self.entry(name)?;
        let element = e.element.ok_or_else(|| format!("it is of {:?}, which no program takes", e.dtype))?;
        Ok(Stored { element, shape: &e.shape })
    }

    fn entry(&self, name: &str) -> Result<&Entry, String> {
        self.tensors.get(name).ok_or_else(|| "the file has none of that name".to_owned())
    }

    /// The bytes of a tensor, dense and row-major, put together where they are in parts.
    ///
    /// # Errors
    /// No such tensor, or its file cannot be read any more.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        let e = self.entry(name)?;
        let parts = match &e.source {
            Source::Whole { file, range } => {
                return self.files[*file].range(range.clone()).map_err(|e| e.message);
            }
            Source::Parts(parts) => parts,
        };
        let size = e.element.map_or(1, Element::size);
        let mut all = vec![0; e.shape.iter().product::<u64>() as usize * size];
        for p in parts {
            let bytes = self.part_bytes(p).map_err(|e| e.message)?;
            place_part(&mut all, &e.shape, size, &p.window, &bytes);
        }
        Ok(all)
    }

    /// The parts of a tensor that is in parts.
    pub fn parts(&self, name: &str) -> Option<&[StoredPart]> {
        match &self.tensors.get(name)?.source {
            Source::Whole { .. } => None,
            Source::Parts(parts) => Some(parts),
        }
    }

    /// # Errors
    /// Its file cannot be read any more.
    pub fn part_bytes(&self, part: &StoredPart) -> Result<Vec<u8>> {
        self.files[part.file].range(part.range.clone())
    }

    /// Compares a part with its hash.
    ///
    /// # Errors
    /// It is damaged or cannot be read: with the file.
    pub fn verify(&self, name: &str, part: &StoredPart) -> Result<()> {
        let file = &self.files[part.file];
        if hash_of(file, part.range.clone())? == part.sha256 {
            return Ok(());
        }
        let message = format!("the sha256 of a part of `{name}` differs from the index's: the file is damaged");
        Err(RuntimeError::usage(file.path().display().to_string(), message))
    }

    /// Compares all parts with their hashes, for whoever is going to read all of them.
    ///
    /// # Errors
    /// As [`Weights::verify`].
    pub fn verify_all(&self) -> Result<()> {
        let mut all = self.names().flat_map(|n| self.parts(n).into_iter().flatten().map(move |p| (n, p)));
        all.try_for_each(|(name, part)| self.verify(name, part))
    }
}

/// The parts of a tensor, each in a file that is there, which together are all of it.
fn parts_of(t: &ShardedTensor, files: &BTreeMap<&str, usize>) -> Result<Vec<StoredPart>, String> {
    let size = element_type(&t.dtype).map_or(1, DType::bytes);
    let volume = |shape: &[u64]| shape.iter().try_fold(1u64, |a, &n| a.checked_mul(n));
    let mut parts: Vec<StoredPart> = Vec::new();
    let mut sum = 0u64;
    for p in &t.parts {
        let file = *files
            .get(p.file.as_str())
            .ok_or_else(|| format!("in `{}`, which is not listed", p.file.escape_debug()))?;
        let end = |(from, n): (&u64, &u64)| from.checked_add(*n).map(|end| *from..end);
        let window: Option<Vec<Range<u64>>> = p.from.iter().zip(&p.shape).map(end).collect();
        let inside = |w: &Vec<Range<u64>>| w.iter().zip(&t.shape).all(|(r, &n)| r.end <= n);
        let window = window.filter(|w| w.len() == t.shape.len() && p.from.len() == p.shape.len() && inside(w));
        let elements = volume(&p.shape);
        let range = elements.and_then(|n| n.checked_mul(size)).and_then(|n| p.offset.checked_add(n));
        let (Some(window), Some(elements), Some(end)) = (window, elements, range) else {
            return Err("a part lies outside".into());
        };
        sum = sum.saturating_add(elements);
        parts.push(StoredPart { file, range: p.offset..end, sha256: p.sha256.clone(), window });
    }
    let mut starts: Vec<&Vec<u64>> = t.parts.iter().map(|p| &p.from).collect();
    starts.sort_unstable();
    let doubled = starts.windows(2).any(|w| w[0] == w[1]);
    if doubled || volume(&t.shape) != Some(sum) { Err("its parts do not make it up".into()) } else { Ok(parts) }
}

/// Copies a dense box to its place in a dense tensor.
fn place_part(all: &mut [u8], shape: &[u64], size: usize, window: &[Range<u64>], part: &[u8]) {
    // Rows of the last dim are contiguous in both.
    let Some((last, outer)) = window.split_last() else { return all.copy_from_slice(part) };
    let row = (last.end - last.start) as usize * size;
    let mut at: Vec<u64> = outer.iter().map(|r| r.start).collect();
    for bytes in part.chunks_exact(row.max(1)) {
        let index = at.iter().zip(shape).fold(0, |sum, (i, n)| sum * n + i);
        let to = (index * shape[outer.len()] + last.start) as usize * size;
        all[to..to + row].copy_from_slice(bytes);
        for d in (0..outer.len()).rev() {
            at[d] += 1;
            if at[d] < outer[d].end {
                break;
            }
            at[d] = outer[d].start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_together() {
        let shape = [3u64, 4, 5];
        let whole: Vec<u8> = (0..60).collect();
        let mut made = vec![0; 60];
        for (a, b) in [(0..2, 0..3), (2..3, 0..3), (0..2, 3..5), (2..3, 3..5)] {
            let window = [a, 0..4, b];
            let mut part = Vec::new();
            for i in window[0].clone() {
                for j in 0..4 {
                    window[2].clone().for_each(|k| part.push(whole[(20 * i + 5 * j + k) as usize]));
                }
            }
            place_part(&mut made, &shape, 1, &window, &part);
        }
        assert_eq!(made, whole);
        let mut one = [0; 4];
        place_part(&mut one, &[], 4, &[], &[1, 2, 3, 4]);
        assert_eq!(one, [1, 2, 3, 4]);
    }

    /// Somebody cuts a file short between its header and its tensors.
    #[test]
    fn a_file_that_becomes_shorter() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("model.safetensors");
        let view = safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![2], &[1; 8]).unwrap();
        std::fs::write(&path, safetensors::serialize([("a", view)], None).unwrap()).unwrap();
        let weights = Weights::open(&path, "model").unwrap();
        assert_eq!(weights.bytes("a").unwrap(), [1; 8]);
        let cut = std::fs::metadata(&path).unwrap().len() - 1;
        std::fs::File::options().write(true).open(&path).unwrap().set_len(cut).unwrap();
        let e = weights.bytes("a").unwrap_err();
        assert!(e.contains("has become shorter"), "{e}");
        let e = Weights::open(&path, "model").err().unwrap();
        assert!(e.exit_code() == 2 && e.message.ends_with("the file is cut short"), "{e}");
    }

    #[test]
    fn parts_that_do_not_fit() {
        use super::super::shards::Part;
        let part = |from: &[u64], shape: &[u64], file: &str| Part {
            file: file.into(),
            offset: 8,
            from: from.into(),
            shape: shape.into(),
            sha256: String::new(),
        };
        let tensor = |parts: Vec<Part>| ShardedTensor { dtype: "f32".into(), shape: vec![4, 2], parts };
        let files = BTreeMap::from([("a", 0)]);
        let of = |parts| parts_of(&tensor(parts), &files).map(|p| p.len());
        assert_eq!(of(vec![part(&[0, 0], &[2, 2], "a"), part(&[2, 0], &[2, 2], "a")]), Ok(2));
        let e = |parts| of(parts).unwrap_err();
        assert_eq!(e(vec![part(&[0, 0], &[2, 2], "a")]), "its parts do not make it up");
        assert_eq!(e(vec![part(&[0, 0], &[2, 2], "a"), part(&[0, 0], &[2, 2], "a")]), "its parts do not make it up");
        assert_eq!(e(vec![part(&[3, 0], &[2, 2], "a")]), "a part lies outside");
        assert_eq!(e(vec![part(&[0], &[2], "a")]), "a part lies outside");
        assert_eq!(e(vec![part(&[u64::MAX, 0], &[2, 2], "a")]), "a part lies outside");
        assert_eq!(e(vec![part(&[0, 0], &[u64::MAX, u64::MAX], "a")]), "a part lies outside");
        assert_eq!(e(vec![part(&[0, 0], &[4, 2], "b")]), "in `b`, which is not listed");
    }
}
