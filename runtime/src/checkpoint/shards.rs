//! Sharded checkpoints: which process writes which part of which tensor, and how a reader finds the parts.
//!
//! A tensor is cut as the mesh splits it, and as pipeline stages share out its layers. Of the devices that hold the same block, one writes it; they take turns from
//! tensor to tensor, so that replicated tensors are spread over all processes. Who writes what follows from the program
//! and the number of processes, so nobody has to ask. Every process writes its parts as ordinary safetensors files, in
//! which `blocks.0.qkv@0,32` is the part of `blocks.0.qkv` that begins at row 0 and column 32. An index
//! (`model.shards.json`) lists the parts of each tensor, each with its place and its hash. So whoever needs a part reads
//! and checks that part alone.

use super::manifest::{File, hash_of, write_synced};
use super::write::{Notes, Tensor, Values, write_file};
use super::{MODEL, STATE};
use crate::error::{Result, RuntimeError};
use crate::file::DataFile;
use crate::held::Held;
use crate::session::names;
use crate::shard::{Window, bytes, intersection, window};
use crate::world::share;
use meshloom_bundle::{Program, Role, sha256};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// The index of all parts of the files that begin with `stem`.
pub fn shard_index(stem: &str) -> String {
    format!("{stem}.shards.json")
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardIndex {
    pub files: BTreeMap<String, Header>,
    pub tensors: BTreeMap<String, ShardedTensor>,
}

/// The beginning of a file, up to its first part: what other programs read it by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    pub bytes: u64,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardedTensor {
    pub dtype: String,
    pub shape: Vec<u64>,
    pub parts: Vec<Part>,
}

/// A box of a tensor, dense and row-major in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    pub file: String,
    /// From the beginning of the file.
    pub offset: u64,
    /// Where the box begins in each dim, and its shape.
    pub from: Vec<u64>,
    pub shape: Vec<u64>,
    pub sha256: String,
}

/// A part that is to be written.
#[derive(Clone, Debug, PartialEq)]
pub struct PartPlan {
    /// The tensor's name, its port, and its layer.
    pub tensor: String,
    pub port: usize,
    pub layer: Option<u64>,
    /// In the dims of the port.
    pub window: Window,
    /// A device that has all of it.
    pub device: usize,
}

impl PartPlan {
    /// In the dims of the tensor.
    pub fn place(&self) -> &[std::ops::Range<u64>] {
        &self.window[usize::from(self.layer.is_some())..]
    }

    pub fn shape(&self) -> Vec<u64> {
        self.place().iter().map(|r| r.end - r.start).collect()
    }

    pub fn entry(&self) -> String {
        let from: Vec<String> = self.place().iter().map(|r| r.start.to_string()).collect();
        format!("{}@{}", self.tensor, from.join(","))
    }
}

/// A file that one process writes.
#[derive(Clone, Debug, PartialEq)]
pub struct FilePlan {
    pub name: String,
    pub stem: &'static str,
    pub rank: usize,
    /// In the order of their names in the file.
    pub parts: Vec<PartPlan>,
}

/// All files of a checkpoint that `ranks` processes write, none of them larger than `limit` but for parts that are.
///
/// # Errors
/// Devices that cannot be shared evenly.
pub fn plan(held: Held<'_>, ranks: usize, limit: u64) -> Result<Vec<FilePlan>> {
    let program = held.whole;
    let mut files = Vec::new();
    let mut turn = 0;
    for (stem, role) in [(MODEL, Role::Parameter), (STATE, Role::State)] {
        let mut of_rank: Vec<Vec<PartPlan>> = vec![Vec::new(); ranks];
        let per_rank = share(program.devices(), 0, ranks)?.len();
        let ports = program.ports.iter().enumerate().filter(|(_, p)| p.alias.is_none() && p.role == role);
        for (index, port) in ports {
            let blocks = held.copies(port);
            for (tensor, layer) in names(port) {
                let all = window(port, layer);
                for (block, devices) in &blocks {
                    let Some(window) = intersection(&all, block) else { continue };
                    let device = devices[turn % devices.len()];
                    turn += 1;
                    let part = PartPlan { tensor: tensor.clone(), port: index, layer, window, device };
                    of_rank[device / per_rank].push(part);
                }
            }
        }
        for (rank, mut parts) in of_rank.into_iter().enumerate() {
            parts.sort_by_key(PartPlan::entry);
            let mut groups: Vec<Vec<PartPlan>> = Vec::new();
            let mut room = 0;
            for part in parts {
                let size = bytes(&program.ports[part.port], &part.window);
                if groups.is_empty() || size > room {
                    groups.push(Vec::new());
                    room = limit;
                }
                room = room.saturating_sub(size);
                groups.last_mut().into_iter().for_each(|g| g.push(part.clone()));
            }
            for (k, parts) in groups.into_iter().enumerate() {
                let name = format!("{stem}.rank-{rank:05}-{:03}.safetensors", k + 1);
                files.push(FilePlan { name, stem, rank, parts });
            }
        }
    }
    Ok(files)
}

/// What was found in a file once it was on the disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Written {
    file: Hashed,
    header: Hashed,
    /// In the order of the plan; with where they begin in the place of their size.
    parts: Vec<Hashed>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Hashed {
    number: u64,
    /// 64 digits.
    sha256: String,
}

impl Hashed {
    const BYTES: usize = 8 + 64;

    fn to_bytes(&self) -> Vec<u8> {
        let mut b = self.number.to_le_bytes().to_vec();
        b.extend(self.sha256.as_bytes());
        b.resize(Hashed::BYTES, 0);
        b
    }

    fn from_bytes(b: &[u8]) -> Hashed {
        let (number, text) = b.split_at(8);
        let number = number.try_into().map_or(0, u64::from_le_bytes);
        Hashed { number, sha256: String::from_utf8_lossy(text).into_owned() }
    }
}

/// Writes one file, and reads it back.
///
/// # Errors
/// A file that cannot be written, or a device that cannot be read.
pub fn write<V: Values>(folder: &Path, plan: &FilePlan, tensors: Vec<Tensor<V>>, notes: &Notes) -> Result<Written> {
    let path = folder.join(&plan.name);
    let named = plan.parts.iter().map(PartPlan::entry).zip(tensors).collect();
    write_file(&path, named, notes)?;
    let file = DataFile::regular(&path)?;
    let fail = |m: String| RuntimeError::usage(path.display().to_string(), m);
    let header = crate::data::safetensors::TensorHeader::read(&file)?;
    let hashed =
        |range: Range<u64>| -> Result<Hashed> { Ok(Hashed { number: range.start, sha256: hash_of(&file, range)? }) };
    let mut parts = Vec::new();
    for part in &plan.parts {
        let info = header.metadata.info(&part.entry());
        let (from, to) = info.ok_or_else(|| fail(format!("`{}` is not in it", part.entry())))?.data_offsets;
        parts.push(hashed(header.bytes + from as u64..header.bytes + to as u64)?);
    }
    let file_hash = Hashed { number: file.len(), sha256: hash_of(&file, 0..file.len())? };
    let header = Hashed { number: header.bytes, sha256: hash_of(&file, 0..header.bytes)? };
    Ok(Written { file: file_hash, header, parts })
}

/// What one process has written, in a form that can be or-ed with what the others have: `None` for the files of others.
pub fn to_bytes(plans: &[FilePlan], written: &[Option<Written>]) -> Vec<u8> {
    let mut all = Vec::new();
    for (plan, w) in plans.iter().zip(written) {
        match w {
            Some(w) => [&w.file, &w.header].into_iter().chain(&w.parts).for_each(|h| all.extend(h.to_bytes())),
            None => all.resize(all.len() + (2 + plan.parts.len()) * Hashed::BYTES, 0),
        }
    }
    all
}

/// What all have written.
pub fn from_bytes(plans: &[FilePlan], bytes: &[u8]) -> Vec<Written> {
    let mut all = bytes.chunks(Hashed::BYTES).map(Hashed::from_bytes);
    let mut next = || all.next().unwrap_or_default();
    let one =
        |plan: &FilePlan| Written { file: next(), header: next(), parts: plan.parts.iter().map(|_| next()).collect() };
    plans.iter().map(one).collect()
}

/// The files for the manifest, and the index of each stem.
pub fn index(
    program: &Program,
    plans: &[FilePlan],
    written: &[Written],
) -> (Vec<File>, BTreeMap<&'static str, ShardIndex>) {
    let mut files = Vec::new();
    let mut indices = BTreeMap::from([(MODEL, ShardIndex::default()), (STATE, ShardIndex::default())]);
    for (plan, w) in plans.iter().zip(written) {
        let (bytes, sha256) = (w.file.number, w.file.sha256.clone());
        files.push(File { name: plan.name.clone(), bytes, sha256, by_parts: true });
        let index = indices.entry(plan.stem).or_default();
        index.files.insert(plan.name.clone(), Header { bytes: w.header.number, sha256: w.header.sha256.clone() });
        for (part, hashed) in plan.parts.iter().zip(&w.parts) {
            let port = &program.ports[part.port];
            let tensor = index.tensors.entry(part.tensor.clone()).or_insert_with(|| ShardedTensor {
                dtype: port.dtype.name().into(),
                shape: crate::session::shape_of(port, part.layer),
                parts: Vec::new(),
            });
            tensor.parts.push(Part {
                file: plan.name.clone(),
                offset: hashed.number,
                from: part.place().iter().map(|r| r.start).collect(),
                shape: part.shape(),
                sha256: hashed.sha256.clone(),
            });
        }
    }
    // A tensor without elements has no parts.
    for (stem, role) in [(MODEL, Role::Parameter), (STATE, Role::State)] {
        let index = indices.entry(stem).or_default();
        for port in program.ports.iter().filter(|p| p.alias.is_none() && p.role == role) {
            for (name, layer) in names(port) {
                let shape = crate::session::shape_of(port, layer);
                let dtype = port.dtype.name().into();
                index.tensors.entry(name).or_insert(ShardedTensor { dtype, shape, parts: Vec::new() });
            }
        }
    }
    (files, indices)
}

/// Writes the index of one stem.
///
/// # Errors
/// A file that cannot be written.
pub fn write_index(folder: &Path, stem: &str, index: &ShardIndex) -> Result<File> {
    let name = shard_index(stem);
    let json = serde_json::to_vec_pretty(index).map_err(|e| RuntimeError::usage(name.clone(), e.to_string()))?;
    write_synced(&folder.join(&name), &json)?;
    Ok(File { bytes: json.len() as u64, sha256: sha256(&json), name, by_parts: false })
}
