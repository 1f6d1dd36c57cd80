//! Writing a checkpoint, and removing old ones.

use super::*;
use crate::error::{Result, RuntimeError};
use crate::session::{Session, names, shape_of};
use meshloom_bundle::{Port, Role, sha256};
use safetensors::View;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

/// Where checkpoints go, and how many.
#[derive(Clone, Debug, PartialEq)]
pub struct Saving {
    pub dir: PathBuf,
    /// Steps between checkpoints; 0 for the last one only.
    pub every: u64,
    /// How many are kept, the newest first; older ones are removed once a new one is published. `None` keeps all.
    pub keep: Option<u64>,
    /// Most bytes of one file of tensors; a tensor that is larger has a file of its own.
    pub shard_bytes: u64,
}

impl Saving {
    /// All that are written at the end of a run, none removed, in files of at most 5 GB as Hugging Face has them.
    pub fn to(dir: impl Into<PathBuf>) -> Saving {
        Saving { dir: dir.into(), every: 0, keep: None, shard_bytes: 5_000_000_000 }
    }

    /// Whether step `done` ends with a checkpoint.
    pub fn due(&self, done: u64) -> bool {
        self.every > 0 && done.is_multiple_of(self.every)
    }
}

/// Saves parameters and state; returns the new folder. An older checkpoint of the same step is replaced. Of several processes the first one
/// writes, the same bytes as one alone would.
///
/// # Errors
/// Files that cannot be written. What was there before is still there then.
pub fn save(session: &Session, saving: &Saving) -> Result<PathBuf> {
    session.on_first(|s| save_alone(s, saving))?;
    Ok(saving.dir.join(folder(session.steps_done())))
}

fn save_alone(session: &Session, saving: &Saving) -> Result<()> {
    let dir = saving.dir.as_path();
    let name = folder(session.steps_done());
    let (target, temporary) = (dir.join(&name), dir.join(format!(".{name}.{}", std::process::id())));
    fs::create_dir_all(dir).map_err(|e| RuntimeError::io(dir, "cannot be created", &e))?;
    sweep(dir);
    let result = write_all(session, &temporary, saving).and_then(|()| publish(dir, &name, &temporary, &target));
    if result.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    result?;
    if let Some(keep) = saving.keep {
        thin(dir, session.steps_done(), keep.max(1))?;
    }
    Ok(())
}

fn folder(step: u64) -> String {
    format!("step-{step:06}")
}

/// Removes what killed runs left behind: hidden names that end in the number of a process that no longer exists.
fn sweep(dir: &Path) {
    let own = std::process::id();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let ours = name.starts_with(".step-") || name.starts_with(&format!(".{LATEST}."));
        let Some(pid) = name.rsplit('.').next().and_then(|p| p.parse::<u32>().ok()).filter(|_| ours) else { continue };
        if pid == own || !Path::new(&format!("/proc/{pid}")).exists() {
            let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
        }
    }
}

/// Removes all but the newest `keep` checkpoints up to this step. Later ones belong to another run.
fn thin(dir: &Path, step: u64, keep: u64) -> Result<()> {
    let entries = fs::read_dir(dir).map_err(|e| RuntimeError::io(dir, "cannot be read", &e))?;
    let of = |e: fs::DirEntry| e.file_name().to_str()?.strip_prefix("step-")?.parse::<u64>().ok();
    let mut steps: Vec<u64> = entries.flatten().filter_map(of).filter(|&s| s <= step).collect();
    steps.sort_unstable_by(|a, b| b.cmp(a));
    for old in steps.into_iter().skip(keep as usize) {
        let (path, gone) = (dir.join(folder(old)), dir.join(format!(".{}.{}", folder(old), std::process::id())));
        // Under another name first: a checkpoint that is removed is never half there.
        fs::rename(&path, &gone).map_err(|e| RuntimeError::io(&path, "cannot be removed", &e))?;
        fs::remove_dir_all(&gone).map_err(|e| RuntimeError::io(&gone, "cannot be removed", &e))?;
    }
    Ok(())
}

fn write_all(session: &Session, folder: &Path, saving: &Saving) -> Result<()> {
    fs::create_dir(folder).map_err(|e| RuntimeError::io(folder, "cannot be created", &e))?;
    let (mut files, failed) = (Vec::new(), RefCell::new(None));
    for (stem, roles) in [(MODEL, &[Role::Parameter]), (STATE, &[Role::State])] {
        let tensors = session.ports(roles).flat_map(|port| names(port).into_iter().map(move |n| (port, n)));
        let tensors = tensors.map(|(port, (name, layer))| {
            let shape = shape_of(port, layer).into_iter().map(|n| n as usize).collect();
            (name, Lazy { session, port, layer, shape, failed: &failed })
        });
        write_tensors(folder, stem, tensors.collect(), saving.shard_bytes, &mut files)?;
        if let Some(e) = failed.take() {
            return Err(e);
        }
    }
    let manifest = Manifest {
        format: FORMAT,
        meshloom: env!("CARGO_PKG_VERSION").into(),
        entry: session.program().entry.clone(),
        step: session.steps_done(),
        seed: session.seed(),
        data: session.data_position().clone(),
        bundle: session.bundle.clone(),
        files,
    };
    write_json(&folder.join(MANIFEST), &manifest)?;
    sync(folder)
}

/// One file, or as many as the limit on their size takes and the index of them.
pub(super) fn write_tensors<V: View>(
    folder: &Path,
    stem: &str,
    tensors: Vec<(String, V)>,
    limit: u64,
    files: &mut Vec<File>,
) -> Result<()> {
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
        // transformers refuses files that do not say this.
        let metadata = HashMap::from([("format".to_owned(), "pt".to_owned())]);
        safetensors::serialize_to_file(shard, Some(metadata), &path)
            .map_err(|e| RuntimeError::usage(path.display().to_string(), format!("cannot be written: {e}")))?;
        sync(&path)?;
        files.push(listed(folder, name)?);
    }
    if n > 1 {
        let name = index(stem);
        write_json(&folder.join(&name), &Index { metadata: serde_json::json!({ "total_size": total }), weight_map })?;
        files.push(listed(folder, name)?);
    }
    Ok(())
}

/// A file as the manifest lists it, read back from the disk.
fn listed(folder: &Path, name: String) -> Result<File> {
    let map = crate::data::Buffer::map(&folder.join(&name))?;
    Ok(File { bytes: map.len() as u64, sha256: sha256(&map), name })
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let json =
        serde_json::to_vec_pretty(value).map_err(|e| RuntimeError::usage(path.display().to_string(), e.to_string()))?;
    fs::write(path, json).map_err(|e| RuntimeError::io(path, "cannot be written", &e))?;
    sync(path)
}

/// One rename for the folder, one for the pointer to it.
fn publish(dir: &Path, name: &str, temporary: &Path, target: &Path) -> Result<()> {
    if target.exists() {
        // Swapped in one step, so that at no time there is neither; the old one then lies under the temporary name.
        exchange(temporary, target).map_err(|e| RuntimeError::io(target, "cannot be replaced", &e))?;
        fs::remove_dir_all(temporary).map_err(|e| RuntimeError::io(temporary, "cannot be removed", &e))?;
    } else {
        fs::rename(temporary, target).map_err(|e| RuntimeError::io(target, "cannot be published", &e))?;
    }
    let (latest, next) = (dir.join(LATEST), dir.join(format!(".{LATEST}.{}", std::process::id())));
    fs::write(&next, format!("{name}\n")).map_err(|e| RuntimeError::io(&next, "cannot be written", &e))?;
    sync(&next)?;
    fs::rename(&next, &latest).map_err(|e| RuntimeError::io(&latest, "cannot be replaced", &e))?;
    sync(dir)
}

/// Exchanges two folders atomically.
fn exchange(a: &Path, b: &Path) -> std::io::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    let c = |p: &Path| std::ffi::CString::new(p.as_os_str().as_bytes());
    let (a, b) = (c(a)?, c(b)?);
    // SAFETY: two NUL-terminated paths that live across the call.
    let r = unsafe { libc::renameat2(libc::AT_FDCWD, a.as_ptr(), libc::AT_FDCWD, b.as_ptr(), libc::RENAME_EXCHANGE) };
    if r == 0 { Ok(()) } else { Err(std::io::Error::last_os_error()) }
}

fn sync(path: &Path) -> Result<()> {
    fs::File::open(path).and_then(|f| f.sync_all()).map_err(|e| RuntimeError::io(path, "cannot be flushed", &e))
}

/// A tensor that is gathered from the shards just before it is written, so that saving needs memory for one tensor.
struct Lazy<'a> {
    session: &'a Session,
    port: &'a Port,
    layer: Option<u64>,
    shape: Vec<usize>,
    /// Why a tensor could not be read. The file is then written to its end, with zeros, and never published.
    failed: &'a RefCell<Option<RuntimeError>>,
}

impl View for Lazy<'_> {
    fn dtype(&self) -> Dtype {
        to_safetensors(self.port.dtype)
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.session.get(self.port, self.layer).unwrap_or_else(|e| {
            self.failed.replace(Some(e));
            vec![0; self.data_len()]
        }))
    }

    fn data_len(&self) -> usize {
        self.shape.iter().product::<usize>() * self.port.dtype.size() as usize
    }
}
