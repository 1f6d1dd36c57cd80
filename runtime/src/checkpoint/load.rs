//! Reading weights and checkpoints. A file is checked as a whole before the first tensor of it is used.

use super::*;
use crate::data::convert;
use crate::error::{Error, Kind, Result};
use crate::host::{Tensor, describe};
use crate::session::{Session, names, shape_of};
use meshloom_bundle::{Role, sha256};
use safetensors::SafeTensors;
use std::fs;
use std::path::{Path, PathBuf};

/// Loads parameters from a `.safetensors` file, or from a checkpoint's folder. All parameters must be there; tensors that the program
/// does not have are allowed and returned by name.
pub fn load_parameters(session: &mut Session, path: &Path) -> Result<Vec<String>> {
    if !path.is_dir() {
        return load_file(session, path, &[Role::Parameter]);
    }
    if path.join(MANIFEST).exists() || path.join(LATEST).exists() {
        let folder = newest(path)?;
        check(&folder)?;
        return load_file(session, &folder.join(MODEL), &[Role::Parameter]);
    }
    load_file(session, &path.join(MODEL), &[Role::Parameter])
}

/// Goes on from a checkpoint: parameters, state and step. `path` is a checkpoint or a folder of them, of which the newest is taken.
pub fn resume(session: &mut Session, path: &Path) -> Result<u64> {
    let folder = newest(path)?;
    let manifest = check(&folder)?;
    let place = folder.join(MANIFEST).display().to_string();
    if manifest.entry != session.program().entry {
        let message = format!("a checkpoint of entry `{}`, not `{}`", manifest.entry, session.program().entry);
        return Err(Error::new(Kind::Rejected, place, message));
    }
    if manifest.seed != session.seed() {
        let message =
            format!("the run had seed {}; with seed {} it would read other data", manifest.seed, session.seed());
        return Err(Error::usage(place, message));
    }
    // Both are checked before either is used.
    let state = Staged::read(session, &folder.join(STATE), &[Role::State])?;
    let model = Staged::read(session, &folder.join(MODEL), &[Role::Parameter])?;
    state.apply(session)?;
    model.apply(session)?;
    session.set_steps_done(manifest.step);
    Ok(manifest.step)
}

fn newest(path: &Path) -> Result<PathBuf> {
    let latest = path.join(LATEST);
    if path.join(MANIFEST).exists() || !latest.exists() {
        return Ok(path.to_owned());
    }
    let text = fs::read_to_string(&latest).map_err(|e| Error::io(&latest, "cannot be read", &e))?;
    let name = text.trim();
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\']) {
        return Err(Error::usage(
            latest.display().to_string(),
            format!("names `{}`, which is no folder here", name.escape_debug()),
        ));
    }
    Ok(path.join(name))
}

/// Reads the manifest and compares every file with it.
fn check(folder: &Path) -> Result<Manifest> {
    let path = folder.join(MANIFEST);
    let text = fs::read(&path).map_err(|e| Error::io(&path, "no complete checkpoint", &e))?;
    let manifest: Manifest =
        serde_json::from_slice(&text).map_err(|e| Error::usage(path.display().to_string(), e.to_string()))?;
    if manifest.format != FORMAT {
        return Err(Error::usage(
            path.display().to_string(),
            format!("format {} where this version reads {FORMAT}", manifest.format),
        ));
    }
    for name in [MODEL, STATE] {
        let path = folder.join(name);
        let place = path.display().to_string();
        let said = manifest.files.iter().find(|f| f.name == name);
        let said = said.ok_or_else(|| Error::usage(place.clone(), "is not in the checkpoint's manifest"))?;
        let map = map(&path)?;
        if map.len() as u64 != said.bytes {
            return Err(Error::usage(place, format!("{} bytes where the manifest says {}", map.len(), said.bytes)));
        }
        if sha256(&map) != said.sha256 {
            return Err(Error::usage(place, "its sha256 differs from the manifest's: the file is damaged"));
        }
    }
    Ok(manifest)
}

fn map(path: &Path) -> Result<memmap2::Mmap> {
    let file = fs::File::open(path).map_err(|e| Error::io(path, "cannot be read", &e))?;
    // SAFETY: read-only. Somebody who truncates a weights file while it is loaded ends this process with a bus error, as with every
    // program that maps files; published checkpoints are never written to again.
    unsafe { memmap2::Mmap::map(&file) }.map_err(|e| Error::io(path, "cannot be read", &e))
}

fn load_file(session: &mut Session, path: &Path, roles: &'static [Role]) -> Result<Vec<String>> {
    let mut staged = Staged::read(session, path, roles)?;
    let unused = std::mem::take(&mut staged.unused);
    staged.apply(session)?;
    Ok(unused)
}

/// A file whose tensors were all found to fit.
struct Staged {
    map: memmap2::Mmap,
    path: PathBuf,
    /// Port index, layer, name.
    tensors: Vec<(usize, Option<u64>, String)>,
    unused: Vec<String>,
}

impl Staged {
    fn read(session: &Session, path: &Path, roles: &'static [Role]) -> Result<Staged> {
        let map = map(path)?;
        let place = path.display().to_string();
        let file = SafeTensors::deserialize(&map)
            .map_err(|e| Error::usage(place.clone(), format!("no valid safetensors file: {e}")))?;
        let mut unused: std::collections::BTreeSet<String> = file.names().into_iter().map(str::to_owned).collect();
        let mut tensors = Vec::new();
        for port in session.ports(roles) {
            let Some(index) = session.index_of(port) else { continue };
            for (name, layer) in names(port) {
                let expected = shape_of(port, layer);
                let wanted = || format!("expected {}", describe(port.dtype, &expected));
                let fail =
                    |found: String| Error::usage(place.clone(), format!("tensor `{name}`: {}, {found}", wanted()));
                let t = file.tensor(&name).map_err(|_| fail("but the file has none of that name".into()))?;
                let shape: Vec<u64> = t.shape().iter().map(|&n| n as u64).collect();
                let dtype = from_safetensors(t.dtype()).ok_or_else(|| fail(format!("found dtype {:?}", t.dtype())))?;
                let widens = (dtype, port.dtype) == (DType::F32, DType::F64);
                if shape != expected || !(dtype == port.dtype || widens) {
                    return Err(fail(format!("found {}", describe(dtype, &shape))));
                }
                unused.remove(&name);
                tensors.push((index, layer, name));
            }
        }
        drop(file);
        Ok(Staged { map, path: path.to_owned(), tensors, unused: unused.into_iter().collect() })
    }

    fn apply(self, session: &mut Session) -> Result<()> {
        let failed = |m: String| Error::usage(self.path.display().to_string(), m);
        let file = SafeTensors::deserialize(&self.map).map_err(|e| failed(e.to_string()))?;
        for (index, layer, name) in &self.tensors {
            let t = file.tensor(name).map_err(|e| failed(e.to_string()))?;
            let port = &session.program().ports[*index];
            let (dtype, shape) = (port.dtype, shape_of(port, *layer));
            if from_safetensors(t.dtype()) == Some(dtype) {
                session.put(*index, *layer, t.data());
            } else {
                let t = Tensor { dtype: DType::F32, shape: shape.clone(), bytes: t.data().to_vec() };
                let t = convert(t, dtype, &shape).map_err(|m| failed(format!("tensor `{name}`: {m}")))?;
                session.put(*index, *layer, &t.bytes);
            }
        }
        Ok(())
    }
}
