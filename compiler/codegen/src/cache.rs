//! Kernels that were compiled before, in a folder that all runs of a user share.
//!
//! The key of a kernel is a hash of all that decides its object: text, mapping, target, and what compiles it. That is the worker's file and
//! the libraries that it loads, which the worker names and of which path, size and time of change are kept: where LLVM was replaced, all keys
//! are new. An object lies behind a hash of its own bytes, so one that was cut off or changed is compiled again. A file is written beside and
//! renamed, so processes may write at once.
//!
//! Nothing here is an error: where a folder cannot be read or written, kernels are compiled. What others may write is not read, since an
//! object is code that will run.
//!
//! Not here: where the folder is, which the command says ([`KernelCache::open`]); linked libraries, and cubins.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder, File, FileTimes, Metadata};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, SystemTime};

/// Goes into each key: another one where the meaning of a file changes.
const FORMAT: &str = "meshloom kernel 1";
/// The most that a folder holds. The kernels of gpt_small for one level are 1.5 MB.
pub const MOST_BYTES: u64 = 1 << 30;
/// Above it the kernels that were used longest ago go, until this part is left.
const LEFT: (u64, u64) = (3, 4);
/// A kernel that is used counts as used now if it did not within this time: to write that down each time is a write for each read.
const USED: Duration = Duration::from_secs(3600);
/// A file that was begun so long ago was left by a process that was killed.
const BEGUN: Duration = Duration::from_secs(24 * 3600);
const BEGINS: &str = "begun-";

/// A folder of kernels.
#[derive(Clone, Debug)]
pub struct KernelCache {
    folder: PathBuf,
    most: u64,
    taken: Arc<AtomicUsize>,
}

/// What compiles kernels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compiler {
    pub llvm: String,
    /// The worker's own file, and what it loads.
    files: Vec<FileState>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct FileState {
    path: PathBuf,
    bytes: u64,
    inode: u64,
    changed: (i64, i64),
}

impl FileState {
    fn of(path: &Path) -> Option<FileState> {
        let m = fs::metadata(path).ok()?;
        Some(FileState { path: path.into(), bytes: m.len(), inode: m.ino(), changed: (m.mtime(), m.mtime_nsec()) })
    }
}

/// Names one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Compiler {
    /// # Errors
    /// None: one of the files cannot be seen.
    pub fn of(program: &Path, loaded: &[PathBuf], llvm: String) -> Option<Compiler> {
        let files = std::iter::once(program).chain(loaded.iter().map(PathBuf::as_path)).map(FileState::of);
        Some(Compiler { llvm, files: files.collect::<Option<_>>()? })
    }

    /// The key of a kernel, of which `head` is all that decides its object beside its text.
    pub fn key(&self, head: &impl Serialize, text: &str) -> Option<Key> {
        let head = serde_json::to_vec(&(FORMAT, self, head)).ok()?;
        let mut hash = Sha256::new();
        hash.update((head.len() as u64).to_le_bytes());
        hash.update(head);
        hash.update(text);
        Some(Key(hex(&hash.finalize())))
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

impl KernelCache {
    /// The cache in a folder, which is made if it is missing.
    ///
    /// # Errors
    /// Why there is none: it cannot be made, or belongs to or may be written by somebody else.
    pub fn open(folder: PathBuf, most: u64) -> Result<KernelCache, String> {
        let fail = |what: String| format!("{}: {what}", folder.display());
        DirBuilder::new().recursive(true).mode(0o700).create(&folder).map_err(|e| fail(e.to_string()))?;
        let m = fs::metadata(&folder).map_err(|e| fail(e.to_string()))?;
        // The folder of a process is its user's.
        let own = fs::metadata("/proc/self").map_or_else(|_| m.uid(), |p| p.uid());
        if m.uid() != own {
            return Err(fail(format!("it belongs to user {}", m.uid())));
        }
        if m.mode() & 0o022 != 0 {
            return Err(fail("others may write into it".into()));
        }
        Ok(KernelCache { folder, most, taken: Arc::default() })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn most(&self) -> u64 {
        self.most
    }

    /// How many objects were taken from it by this process.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// How many kernels there are, and their bytes.
    pub fn held(&self) -> (usize, u64) {
        let kernels = self.kernels();
        (kernels.len(), kernels.iter().map(|k| k.1.len()).sum())
    }

    fn record(&self, program: &Path) -> PathBuf {
        use std::os::unix::ffi::OsStrExt;
        self.folder.join(format!("compiler-{}.json", &hex(&Sha256::digest(program.as_os_str().as_bytes()))[..16]))
    }

    /// What compiles, if it is as it was when it was noted.
    pub fn compiler(&self, program: &Path) -> Option<Compiler> {
        let noted: Compiler = serde_json::from_slice(&fs::read(self.record(program)).ok()?).ok()?;
        let same = noted.files.first().is_some_and(|f| f.path == program)
            && noted.files.iter().all(|f| FileState::of(&f.path).as_ref() == Some(f));
        same.then_some(noted)
    }

    /// Keeps what a worker said of itself.
    pub fn note(&self, program: &Path, compiler: &Compiler) {
        if let Ok(text) = serde_json::to_vec(compiler) {
            self.write(&self.record(program), &[&text]);
        }
    }

    fn path(&self, key: &Key) -> PathBuf {
        let (folder, name) = key.0.split_at(2);
        self.folder.join(folder).join(name)
    }

    /// An object that was kept.
    pub fn get(&self, key: &Key) -> Option<Vec<u8>> {
        let path = self.path(key);
        let mut object = fs::read(&path).ok()?;
        if object.len() < 32 {
            return None;
        }
        let bytes = object.split_off(32);
        if object[..] != Sha256::digest(&bytes)[..] {
            return None;
        }
        let now = SystemTime::now();
        let file = File::options().append(true).open(&path).ok();
        if let Some(file) = file.filter(|f| f.metadata().is_ok_and(|m| older(&m, now, USED))) {
            let _ = file.set_times(FileTimes::new().set_modified(now));
        }
        self.taken.fetch_add(1, Ordering::Relaxed);
        Some(bytes)
    }

    /// Keeps an object.
    pub fn put(&self, key: &Key, object: &[u8]) {
        let path = self.path(key);
        if path.parent().is_some_and(|folder| DirBuilder::new().recursive(true).mode(0o700).create(folder).is_ok()) {
            self.write(&path, &[&Sha256::digest(object), object]);
        }
    }

    /// Best effort: a folder that is full keeps nothing.
    fn write(&self, path: &Path, parts: &[&[u8]]) {
        let Ok(mut file) = tempfile::Builder::new().prefix(BEGINS).tempfile_in(&self.folder) else { return };
        if parts.iter().all(|part| file.write_all(part).is_ok()) {
            let _ = file.persist(path);
        }
    }

    fn kernels(&self) -> Vec<(PathBuf, Metadata)> {
        let entries = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = entries(&self.folder).map(|e| e.path()).filter(|p| p.file_name().is_some_and(|n| n.len() == 2));
        let files = folders.flat_map(|f| entries(&f).collect::<Vec<_>>());
        files.filter_map(|e| Some((e.path(), e.metadata().ok()?))).collect()
    }

    /// Removes the kernels that were used longest ago if there are too many, and what killed processes have left.
    pub fn trim(&self) {
        let mut kernels = self.kernels();
        let mut bytes: u64 = kernels.iter().map(|k| k.1.len()).sum();
        if bytes <= self.most {
            return;
        }
        let now = SystemTime::now();
        for e in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let begun = e.file_name().to_str().is_some_and(|n| n.starts_with(BEGINS));
            if begun && e.metadata().is_ok_and(|m| older(&m, now, BEGUN)) {
                let _ = fs::remove_file(e.path());
            }
        }
        kernels.sort_by_key(|k| (k.1.modified().ok(), k.0.clone()));
        for k in &kernels {
            if bytes <= self.most / LEFT.1 * LEFT.0 {
                return;
            }
            if fs::remove_file(&k.0).is_ok() {
                bytes -= k.1.len();
            }
        }
    }
}

fn older(m: &Metadata, now: SystemTime, by: Duration) -> bool {
    m.modified().is_ok_and(|t| now.duration_since(t).is_ok_and(|age| age > by))
}
