//! What a checkpoint says of itself, and how it is known that nobody has changed a bit of that.
//!
//! The manifest has the hash of every other file. Its own hash is in `manifest.sha256`, as `sha256sum -c` reads it, and
//! `latest` has a hash of the one name that it holds. So every byte of a folder of checkpoints is under a hash.

use crate::error::{Result, RuntimeError};
use crate::file::{self, DataFile};
use crate::origin::Origin;
use crate::session::{DataPosition, Session};
use meshloom_bundle::{hex, sha256};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

pub const MANIFEST: &str = "manifest.json";
const SIDECAR: &str = "manifest.sha256";
pub const LATEST: &str = "latest";
const FORMAT: u32 = 3;
/// A manifest lists files, and no checkpoint has this much text of them.
const MAX_MANIFEST: u64 = 64 << 20;
/// Read at once where all of a file is hashed.
const PIECE: u64 = 1 << 20;
/// Two short lines.
const MAX_NOTE: u64 = 4096;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: u32,
    pub meshloom: String,
    pub entry: String,
    /// Steps done. Random numbers of a program are functions of the seed and this.
    pub step: u64,
    pub seed: u64,
    pub data: DataPosition,
    /// Hash of the bundle that wrote it, for information; another bundle of the same model may read it.
    pub bundle: String,
    pub origin: Origin,
    /// Whether all numbers in it are: parameters have no infinity and no NaN, state has no NaN.
    pub finite: bool,
    pub files: Vec<File>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    pub name: String,
    pub bytes: u64,
    pub sha256: String,
    /// Its parts have hashes of their own in an index, and who reads a part checks that part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_parts: bool,
}

impl Manifest {
    /// Of a session as it is now, without files.
    pub fn of(session: &Session) -> Manifest {
        Manifest {
            format: FORMAT,
            meshloom: env!("CARGO_PKG_VERSION").into(),
            entry: session.program().entry.clone(),
            step: session.steps_done(),
            seed: session.seed(),
            data: session.data_position().clone(),
            bundle: session.bundle.clone(),
            origin: session.origin.clone(),
            finite: true,
            files: Vec::new(),
        }
    }
}

/// Writes the manifest and its hash, which make a folder a checkpoint.
pub fn write_manifest(folder: &Path, manifest: &Manifest) -> Result<()> {
    let path = folder.join(MANIFEST);
    let json = serde_json::to_vec_pretty(manifest)
        .map_err(|e| RuntimeError::usage(path.display().to_string(), e.to_string()))?;
    write_synced(&folder.join(SIDECAR), sidecar(&json).as_bytes())?;
    write_synced(&path, &json)
}

fn sidecar(manifest: &[u8]) -> String {
    format!("{}  {MANIFEST}\n", sha256(manifest))
}

/// The manifest of a folder, and its hash, once it is as it was written.
///
/// # Errors
/// No manifest, a damaged one, one of another version, or one of another step than the folder's name says.
pub fn read_manifest(folder: &Path) -> Result<(Manifest, String)> {
    let path = folder.join(MANIFEST);
    let place = path.display().to_string();
    let none = |why: &str| RuntimeError::usage(place.clone(), format!("no complete checkpoint: {why}"));
    let text = file::own(&path, MAX_MANIFEST).map_err(|e| none(&e.message))?;
    let text = text.ok_or_else(|| none("there is no manifest"))?;
    // The version first, since the rest may look otherwise in another one.
    let format = serde_json::from_slice::<serde_json::Value>(&text).ok().and_then(|v| v.get("format")?.as_u64());
    if let Some(format) = format.filter(|&f| f < u64::from(FORMAT)) {
        return Err(RuntimeError::usage(place, format!("format {format} where this version reads {FORMAT}")));
    }
    let beside = folder.join(SIDECAR);
    let said = must_be(&beside, MAX_NOTE)?;
    if said != sidecar(&text).as_bytes() {
        let message = format!("its sha256 is not the one in {SIDECAR}: one of the two is damaged");
        return Err(RuntimeError::usage(place, message));
    }
    if let Some(format) = format.filter(|&f| f != u64::from(FORMAT)) {
        return Err(RuntimeError::usage(place, format!("format {format} where this version reads {FORMAT}")));
    }
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|e| RuntimeError::usage(place.clone(), e.to_string()))?;
    let named = folder.file_name().and_then(|n| step_of(n.to_str()?));
    if let Some(named) = named.filter(|&n| n != manifest.step) {
        let message = format!("is of step {}, and the folder's name says {named}", manifest.step);
        return Err(RuntimeError::usage(place, message));
    }
    Ok((manifest, sha256(&text)))
}

/// The name of a step's folder.
pub fn step_name(step: u64) -> String {
    format!("step-{step:06}")
}

/// The step that a folder is named after.
pub fn step_of(name: &str) -> Option<u64> {
    name.strip_prefix("step-")?.parse().ok()
}

/// The text of `latest`: the name of a folder, and a hash of the name.
pub fn pointer(name: &str) -> String {
    format!("{name}\n{}\n", sha256(name.as_bytes()))
}

/// The folder that `latest` names.
///
/// # Errors
/// A file that is damaged.
pub fn pointed(dir: &Path) -> Result<PathBuf> {
    let latest = dir.join(LATEST);
    let text = must_be(&latest, MAX_NOTE)?;
    let text = String::from_utf8_lossy(&text);
    let name = text.lines().next().unwrap_or_default();
    if !plain(name) || text != pointer(name) {
        let message = "is damaged: its second line is not the hash of its first; name the checkpoint itself, such as \
                       DIR/step-000400";
        return Err(RuntimeError::usage(latest.display().to_string(), message));
    }
    Ok(dir.join(name))
}

/// Whether a name from a file stays inside of its folder.
pub fn plain(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

/// The bytes of a file of a checkpoint, which must be there.
pub fn must_be(path: &Path, most: u64) -> Result<Vec<u8>> {
    let missing = || RuntimeError::io(path, "cannot be read", &std::io::Error::from(std::io::ErrorKind::NotFound));
    file::own(path, most)?.ok_or_else(missing)
}

/// SHA-256 of a range of a file, in lower-case hex.
///
/// # Errors
/// It cannot be read.
pub fn hash_of(file: &DataFile, range: Range<u64>) -> Result<String> {
    let (mut hash, mut at) = (Sha256::new(), range.start);
    let mut piece = vec![0; (range.end - range.start).min(PIECE) as usize];
    while at < range.end {
        let piece = &mut piece[..(range.end - at).min(PIECE) as usize];
        file.read_at(at, piece)?;
        hash.update(&*piece);
        at += piece.len() as u64;
    }
    Ok(hex(&hash.finalize()))
}

/// Writes a file and waits until the disk has it.
pub fn write_synced(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|e| RuntimeError::io(path, "cannot be written", &e))?;
    sync(path)
}

/// Waits until the disk has a file or the entries of a folder.
pub fn sync(path: &Path) -> Result<()> {
    fs::File::open(path).and_then(|f| f.sync_all()).map_err(|e| RuntimeError::io(path, "cannot be flushed", &e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_of_latest_is_seen() {
        let dir = tempfile::tempdir().unwrap();
        // Neighbours of one bit are there as well.
        ["step-000004", "step-000005", "step-000006"].iter().for_each(|n| fs::create_dir(dir.path().join(n)).unwrap());
        let good = pointer("step-000004").into_bytes();
        fs::write(dir.path().join(LATEST), &good).unwrap();
        assert_eq!(pointed(dir.path()).unwrap(), dir.path().join("step-000004"));
        for bit in 0..8 * good.len() {
            let mut bad = good.clone();
            bad[bit / 8] ^= 1 << (bit % 8);
            fs::write(dir.path().join(LATEST), &bad).unwrap();
            assert!(pointed(dir.path()).is_err(), "bit {bit}");
        }
        for len in 0..good.len() {
            fs::write(dir.path().join(LATEST), &good[..len]).unwrap();
            assert!(pointed(dir.path()).is_err(), "{len} bytes");
        }
    }
}
