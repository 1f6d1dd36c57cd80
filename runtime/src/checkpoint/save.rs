//! Writing a checkpoint.

use super::*;
use crate::error::{Error, Result};
use crate::session::{Session, names, shape_of};
use meshloom_bundle::{Port, Role, sha256};
use safetensors::View;
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

/// Saves parameters and state under `dir`; returns the new folder. An older checkpoint of the same step is replaced.
pub fn save(session: &Session, dir: &Path) -> Result<PathBuf> {
    let name = format!("step-{:06}", session.steps_done());
    let (target, temporary) = (dir.join(&name), dir.join(format!(".{name}.{}", std::process::id())));
    fs::create_dir_all(dir).map_err(|e| Error::io(dir, "cannot be created", &e))?;
    // What a killed run with this number left behind.
    let _ = fs::remove_dir_all(&temporary);
    let result = write_all(session, &temporary).and_then(|()| publish(dir, &name, &temporary, &target));
    if result.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    result.map(|()| target)
}

fn write_all(session: &Session, folder: &Path) -> Result<()> {
    fs::create_dir(folder).map_err(|e| Error::io(folder, "cannot be created", &e))?;
    let mut files = Vec::new();
    for (name, roles) in [(MODEL, &[Role::Parameter]), (STATE, &[Role::State])] {
        let path = folder.join(name);
        let tensors = session.ports(roles).flat_map(|port| names(port).into_iter().map(move |n| (port, n)));
        let tensors = tensors.map(|(port, (name, layer))| {
            let shape = shape_of(port, layer).into_iter().map(|n| n as usize).collect();
            (name, Lazy { session, port, layer, shape })
        });
        safetensors::serialize_to_file(tensors, None, &path)
            .map_err(|e| Error::usage(path.display().to_string(), format!("cannot be written: {e}")))?;
        let file = fs::File::open(&path).map_err(|e| Error::io(&path, "cannot be read back", &e))?;
        file.sync_all().map_err(|e| Error::io(&path, "cannot be flushed", &e))?;
        // SAFETY: the file was just written by this process under a name nobody else uses; it is not changed while it is mapped.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|e| Error::io(&path, "cannot be read back", &e))?;
        files.push(File { name: name.into(), bytes: map.len() as u64, sha256: sha256(&map) });
    }
    let manifest = Manifest {
        format: FORMAT,
        meshloom: env!("CARGO_PKG_VERSION").into(),
        entry: session.program().entry.clone(),
        step: session.steps_done(),
        seed: session.seed(),
        bundle: session.bundle.clone(),
        files,
    };
    let path = folder.join(MANIFEST);
    let json =
        serde_json::to_vec_pretty(&manifest).map_err(|e| Error::usage(path.display().to_string(), e.to_string()))?;
    fs::write(&path, json).map_err(|e| Error::io(&path, "cannot be written", &e))?;
    sync(&path)?;
    sync(folder)
}

/// One rename for the folder, one for the pointer to it.
fn publish(dir: &Path, name: &str, temporary: &Path, target: &Path) -> Result<()> {
    if target.exists() {
        // Swapped in one step, so that at no time there is neither; the old one then lies under the temporary name.
        exchange(temporary, target).map_err(|e| Error::io(target, "cannot be replaced", &e))?;
        fs::remove_dir_all(temporary).map_err(|e| Error::io(temporary, "cannot be removed", &e))?;
    } else {
        fs::rename(temporary, target).map_err(|e| Error::io(target, "cannot be published", &e))?;
    }
    let (latest, next) = (dir.join(LATEST), dir.join(format!(".{LATEST}.{}", std::process::id())));
    fs::write(&next, format!("{name}\n")).map_err(|e| Error::io(&next, "cannot be written", &e))?;
    sync(&next)?;
    fs::rename(&next, &latest).map_err(|e| Error::io(&latest, "cannot be replaced", &e))?;
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
    fs::File::open(path).and_then(|f| f.sync_all()).map_err(|e| Error::io(path, "cannot be flushed", &e))
}

/// A tensor gathered from the shards when its turn to be written comes, so that saving needs memory for one tensor.
struct Lazy<'a> {
    session: &'a Session,
    port: &'a Port,
    layer: Option<u64>,
    shape: Vec<usize>,
}

impl View for Lazy<'_> {
    fn dtype(&self) -> Dtype {
        to_safetensors(self.port.dtype)
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned(self.session.get(self.port, self.layer))
    }

    fn data_len(&self) -> usize {
        self.shape.iter().product::<usize>() * self.port.dtype.size() as usize
    }
}
