//! Reading weights and checkpoints. All files are checked before the first tensor of them is used.

use super::manifest::{LATEST, MANIFEST, Manifest, hash_of, plain, pointed, read_manifest};
use super::publish::present;
use super::rename::{RenamedTensor, Renames};
use super::shards::shard_index;
use super::weights::{StoredPart, Weights};
use super::*;
use crate::data::element::Rounding;
use crate::error::{ErrorKind, Result, RuntimeError};
use crate::file::DataFile;
use crate::host::describe;
use crate::session::{DataPosition, Session, names, shape_of};
use crate::shard::Window;
use meshloom_bundle::{Init, Port, Role};
use std::path::{Path, PathBuf};

/// Where a resumed run goes on.
#[derive(Clone, Debug, PartialEq)]
pub struct Resumed {
    /// The checkpoint that was read.
    pub folder: PathBuf,
    /// Steps done.
    pub step: u64,
    pub data: DataPosition,
    /// Hash of the manifest, and so of the whole checkpoint.
    pub hash: String,
    /// What the run does otherwise than the one that saved: sentences, such as ``setting `lr` was `1e-3`, and is `1e-4` ``.
    pub differences: Vec<String>,
}

/// Loads parameters from a `.safetensors` file, an index of several, a folder with either, or a checkpoint. All parameters must be there;
/// floats are converted, and rounded where they must be. Tensors that the program does not have are allowed and returned by name.
/// A function of JAX that donates its arguments has no parameters, but state without initial values; all of that is loaded.
///
/// # Errors
/// Files that are missing or damaged, parameters that are missing or of another shape; nothing is changed then.
pub fn load_parameters(session: &mut Session, path: &Path, renames: Option<&Renames>) -> Result<Vec<String>> {
    let weights = Weights::open(&complete(path)?, MODEL)?;
    let ports = &session.program().ports;
    let role = match ports.iter().any(|p| p.role == Role::Parameter) {
        false if ports.iter().any(|p| p.alias.is_none() && p.init == Init::Given) => Role::State,
        _ => Role::Parameter,
    };
    let mut staged = Staged::new(ports, &weights, role, renames, Rounding::Allowed)?;
    staged.verify(session)?;
    let unused = std::mem::take(&mut staged.unused);
    staged.apply(session)?;
    Ok(unused)
}

/// The bytes that [`load_parameters`] would give to the parameters among `ports`, by path, in the dtypes of the ports.
///
/// # Errors
/// As there.
pub fn read_parameters(ports: &[Port], path: &Path, renames: Option<&Renames>) -> Result<Vec<(String, Vec<u8>)>> {
    let weights = Weights::open(&complete(path)?, MODEL)?;
    weights.verify_all()?;
    let staged = Staged::new(ports, &weights, Role::Parameter, renames, Rounding::Allowed)?;
    let all = staged.tensors.iter().map(|t| {
        let port = &ports[t.0];
        let name = t.1.map_or_else(|| port.name.clone(), |l| port.layer_name(l));
        Ok((name, staged.bytes(port, t)?))
    });
    all.collect()
}

/// Resumes from a checkpoint: parameters, state and step. `path` is a checkpoint, or a folder of which the newest is taken.
///
/// # Errors
/// A checkpoint that is not complete, is damaged, or belongs to another program or seed; nothing is changed then.
pub fn resume(session: &mut Session, path: &Path) -> Result<Resumed> {
    let folder = newest(path)?;
    let (manifest, hash) = check(&folder)?;
    let place = folder.join(MANIFEST).display().to_string();
    if manifest.entry != session.program().entry {
        let message = format!("a checkpoint of entry `{}`, not `{}`", manifest.entry, session.program().entry);
        return Err(RuntimeError::new(ErrorKind::Rejected, place, message));
    }
    if manifest.seed != session.seed() {
        let message =
            format!("the run had seed {}; with seed {} it would read other data", manifest.seed, session.seed());
        return Err(RuntimeError::usage(place, message));
    }
    // Both are checked before either is used. Bits are kept here, so nothing is rounded.
    let (state, model) = (Weights::open(&folder, STATE)?, Weights::open(&folder, MODEL)?);
    let model = Staged::new(&session.program().ports, &model, Role::Parameter, None, Rounding::Exact)?;
    let state = Staged::new(&session.program().ports, &state, Role::State, None, Rounding::Exact)?;
    state.verify(session)?;
    model.verify(session)?;
    state.apply(session)?;
    model.apply(session)?;
    session.set_position(manifest.step, manifest.data.clone());
    let mut differences = session.origin.differences(&manifest.origin);
    if !manifest.finite {
        differences.push("it has values that are not finite".into());
    }
    Ok(Resumed { folder, step: manifest.step, data: manifest.data, hash, differences })
}

/// The newest checkpoint of a folder of them, the files of which were compared with its manifest; or what is no checkpoint, as it is.
pub(super) fn complete(path: &Path) -> Result<PathBuf> {
    let folder = newest(path)?;
    if folder.join(MANIFEST).exists() {
        check(&folder)?;
    }
    Ok(folder)
}

fn newest(path: &Path) -> Result<PathBuf> {
    if path.join(MANIFEST).exists() || !path.join(LATEST).exists() {
        return Ok(present(path.to_owned()));
    }
    Ok(present(pointed(path)?))
}

/// Reads the manifest and compares every file with it, but for files of parts, of which everybody checks what he reads. Returns the
/// hash of the manifest, too.
fn check(folder: &Path) -> Result<(Manifest, String)> {
    let (manifest, hash) = read_manifest(folder)?;
    let place = folder.join(MANIFEST).display().to_string();
    for stem in [MODEL, STATE] {
        let names = [single(stem), index(stem), shard_index(stem)];
        if !manifest.files.iter().any(|f| names.contains(&f.name)) {
            return Err(RuntimeError::usage(place, format!("lists no {}", single(stem))));
        }
    }
    for said in &manifest.files {
        if !plain(&said.name) {
            return Err(RuntimeError::usage(
                place,
                format!("lists `{}`, which is no file here", said.name.escape_debug()),
            ));
        }
        let path = folder.join(&said.name);
        let fail = |m: String| RuntimeError::usage(path.display().to_string(), m);
        if !path.exists() {
            return Err(fail("is missing; the manifest lists it".into()));
        }
        let file = DataFile::regular(&path)?;
        if file.len() != said.bytes {
            return Err(fail(format!("{} bytes where the manifest says {}", file.len(), said.bytes)));
        }
        if !said.by_parts && hash_of(&file, 0..file.len())? != said.sha256 {
            return Err(fail("its sha256 differs from the manifest's: the file is damaged".into()));
        }
    }
    Ok((manifest, hash))
}

/// Port index, layer, and where the tensor comes from.
type StagedTensor = (usize, Option<u64>, RenamedTensor);

/// Tensors that were all found to fit.
struct Staged<'a> {
    weights: &'a Weights,
    rounding: Rounding,
    tensors: Vec<StagedTensor>,
    unused: Vec<String>,
}

impl<'a> Staged<'a> {
    fn new(
        ports: &[Port],
        weights: &'a Weights,
        role: Role,
        renames: Option<&Renames>,
        rounding: Rounding,
    ) -> Result<Staged<'a>> {
        let mut sources = match renames {
            Some(r) => r.apply(weights)?,
            None => Renames::default().apply(weights)?,
        };
        let mut tensors = Vec::new();
        for (index, port) in ports.iter().enumerate().filter(|(_, p)| p.alias.is_none() && p.role == role) {
            for (name, layer) in names(port) {
                let shape = shape_of(port, layer);
                let wanted = || format!("expected {}", describe(port.dtype, &shape));
                let Some(source) = sources.by_path.remove(&name) else {
                    let place = weights.place(&name);
                    return Err(RuntimeError::usage(
                        place,
                        format!("tensor `{name}`: {}, but the file has none of that name", wanted()),
                    ));
                };
                let place = weights.place(&source.names[0]);
                let fail = |m: String| {
                    RuntimeError::usage(place.clone(), format!("tensor `{name}`{}: {m}", source.origin(&name)))
                };
                let (element, found) = source.shape(weights, &shape).map_err(&fail)?;
                if found != shape {
                    return Err(fail(format!("{}, found {}", wanted(), element.describe(&found))));
                }
                // Which conversions there are does not depend on values, but for integers.
                if element.convert(&[], port.dtype, rounding).is_err() {
                    return Err(fail(format!("{}, found {}", wanted(), element.describe(&found))));
                }
                tensors.push((index, layer, source));
            }
        }
        let mut unused: Vec<String> = sources.by_path.into_values().flat_map(|s| s.names).collect();
        unused.sort();
        unused.dedup();
        Ok(Staged { weights, rounding, tensors, unused })
    }

    /// The parts of a tensor that the devices of this process need, where it is in parts and nothing but its name differs: each with
    /// its box in the dims of the port.
    fn needed<'s>(&'s self, session: &Session, t: &'s StagedTensor) -> Option<Vec<(&'s StoredPart, Window)>> {
        let parts = self.weights.parts(t.2.unchanged()?)?;
        let layer = t.1.map(|l| l..l + 1);
        let place = |p: &StoredPart| layer.iter().cloned().chain(p.window.iter().cloned()).collect::<Window>();
        let all = parts.iter().map(|p| (p, place(p)));
        Some(all.filter(|(_, w)| session.holds(t.0, w)).collect())
    }

    /// Compares what [`Staged::apply`] reads with its hashes, where that is not done.
    fn verify(&self, session: &Session) -> Result<()> {
        for t in &self.tensors {
            match self.needed(session, t) {
                Some(parts) => parts.iter().try_for_each(|(p, _)| self.weights.verify(&t.2.names[0], p))?,
                None => {
                    for name in &t.2.names {
                        self.weights
                            .parts(name)
                            .into_iter()
                            .flatten()
                            .try_for_each(|p| self.weights.verify(name, p))?;
                    }
                }
            }
        }
        Ok(())
    }

    fn apply(self, session: &mut Session) -> Result<()> {
        for t in &self.tensors {
            let Some(parts) = self.needed(session, t) else {
                let bytes = self.bytes(&session.program().ports[t.0], t)?;
                session.put(t.0, t.1, &bytes)?;
                continue;
            };
            // The hashes of all parts, those of other ranks too.
            let all = self.weights.parts(&t.2.names[0]).into_iter().flatten();
            session.note_written(t.0, t.1, all.map(|p| p.sha256.as_str()).collect::<String>().as_bytes());
            for (part, window) in parts {
                let name = &t.2.names[0];
                let fail = |m: String| RuntimeError::usage(self.weights.place(name), format!("tensor `{name}`: {m}"));
                let element = self.weights.tensor(name).map_err(fail)?.element;
                let dtype = session.program().ports[t.0].dtype;
                let bytes = element.convert(&self.weights.part_bytes(part)?, dtype, self.rounding).map_err(fail)?;
                session.put_window(t.0, &window, &bytes)?;
            }
        }
        Ok(())
    }

    fn bytes(&self, port: &Port, (_, layer, source): &StagedTensor) -> Result<Vec<u8>> {
        let name = &source.names[0];
        let fail = |m: String| RuntimeError::usage(self.weights.place(name), format!("tensor `{name}`: {m}"));
        let (element, bytes) = source.data(self.weights, &shape_of(port, *layer)).map_err(fail)?;
        element.convert(&bytes, port.dtype, self.rounding).map_err(fail)
    }
}
