//! Reading weights and checkpoints. All files are checked before the first tensor of them is used.

use super::adapters::{matches, unmatched};
use super::manifest::{LATEST, MANIFEST, Manifest, hash_of, plain, pointed, read_manifest, step_name};
use super::publish::{present, steps};
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
    load(session, &[path], renames, false).map(|l| l.unused)
}

/// What of a file and a program did not meet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loaded {
    /// Tensors of the file that the program does not have.
    pub unused: Vec<String>,
    /// Parameters of the program that the file does not have; they are as they were.
    pub initial: Vec<String>,
}

/// As [`load_parameters`], from one path or from several, such as a model's weights and adapters for them. With `partial`, parameters
/// that have an initial value need not be in the files; without, those alone of which the rename file says so.
///
/// # Errors
/// As there, a tensor that two of the paths have, files that have nothing for the program, and no path.
pub fn load(session: &mut Session, paths: &[&Path], renames: Option<&Renames>, partial: bool) -> Result<Loaded> {
    let Some((first, others)) = paths.split_first() else {
        return Err(RuntimeError::usage("what to load".to_owned(), "no file is named".to_owned()));
    };
    let open = |path: &Path| Weights::open(&complete(path)?, MODEL);
    let weights = others.iter().try_fold(open(first)?, |all, path| all.with(open(path)?))?;
    let ports = &session.program().ports;
    let role = match ports.iter().any(|p| p.role == Role::Parameter) {
        false if ports.iter().any(|p| p.alias.is_none() && p.init == Init::Given) => Role::State,
        _ => Role::Parameter,
    };
    let mut staged = Staged::new(ports, &weights, role, renames, Rounding::Allowed, partial)?;
    if staged.tensors.is_empty() && !staged.initial.is_empty() {
        let message = "has none of the parameters of the program".to_owned();
        return Err(RuntimeError::usage(weights.everywhere().to_owned(), message));
    }
    staged.verify(session)?;
    let loaded = Loaded { unused: std::mem::take(&mut staged.unused), initial: std::mem::take(&mut staged.initial) };
    staged.apply(session)?;
    Ok(loaded)
}

/// The bytes that [`load_parameters`] would give to the parameters among `ports`, by path, in the dtypes of the ports.
///
/// # Errors
/// As there.
pub fn read_parameters(ports: &[Port], path: &Path, renames: Option<&Renames>) -> Result<Vec<(String, Vec<u8>)>> {
    let weights = Weights::open(&complete(path)?, MODEL)?;
    weights.verify_all()?;
    let staged = Staged::new(ports, &weights, Role::Parameter, renames, Rounding::Allowed, false)?;
    let all = staged.tensors.iter().map(|t| {
        let port = &ports[t.port];
        let name = t.layer.map_or_else(|| port.name.clone(), |l| port.layer_name(l));
        Ok((name, staged.bytes(port, t)?))
    });
    all.collect()
}

/// Resumes from a checkpoint: parameters, state and step. `path` is a checkpoint, or a folder of which the newest is taken.
///
/// # Errors
/// A checkpoint that is not complete, is damaged, or belongs to another program or seed; nothing is changed then.
pub fn resume(session: &mut Session, path: &Path) -> Result<Resumed> {
    let found = newest(path)?;
    let folder = found.as_ref().map_or_else(|| present(path.to_owned()), |f| f.folder.clone());
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
    let model = Staged::new(&session.program().ports, &model, Role::Parameter, None, Rounding::Exact, false)?;
    let state = Staged::new(&session.program().ports, &state, Role::State, None, Rounding::Exact, false)?;
    state.verify(session)?;
    model.verify(session)?;
    state.apply(session)?;
    model.apply(session)?;
    session.set_position(manifest.step, manifest.data.clone());
    let mut differences = session.origin.differences(&manifest.origin);
    if found.is_some_and(|f| f.looked) {
        differences
            .insert(0, format!("`{LATEST}` does not say which is the newest, and this is; it was found by looking"));
    }
    if !manifest.finite {
        differences.push("it has values that are not finite".into());
    }
    Ok(Resumed { folder, step: manifest.step, data: manifest.data, hash, differences })
}

/// The newest checkpoint of a folder of them, the files of which were compared with its manifest; or what is no checkpoint, as it is.
pub(super) fn complete(path: &Path) -> Result<PathBuf> {
    let folder = newest(path)?.map_or_else(|| present(path.to_owned()), |f| f.folder);
    if folder.join(MANIFEST).exists() {
        check(&folder)?;
    }
    Ok(folder)
}

/// A checkpoint of a folder of them.
struct Newest {
    folder: PathBuf,
    /// Whether it was found by looking, since `latest` is missing, or names what is not there.
    looked: bool,
}

/// Whether a run can be resumed from `path`: from a checkpoint, or from a folder that has one. A folder of which that is not known,
/// since it is damaged, counts too: [`resume`] then says what is wrong.
pub fn has_checkpoint(path: &Path) -> bool {
    !matches!(newest(path), Ok(None))
}

/// The checkpoint itself, or the newest of a folder: the one that `latest` names. Where that is missing, it is the whole one of the
/// latest step, since the pointer follows from what is there.
fn newest(path: &Path) -> Result<Option<Newest>> {
    let itself = present(path.to_owned());
    if itself.join(MANIFEST).exists() {
        return Ok(Some(Newest { folder: itself, looked: false }));
    }
    if path.join(LATEST).exists() {
        let folder = present(pointed(path)?);
        if folder.join(MANIFEST).exists() {
            return Ok(Some(Newest { folder, looked: false }));
        }
    }
    let found = steps(path).into_iter().map(|step| present(path.join(step_name(step)))).find(|folder| is_whole(folder));
    if found.is_none() && (path.join(LATEST).exists() || !steps(path).is_empty()) {
        let message = "has checkpoints, none of them whole; to begin anew, move them away or save elsewhere";
        return Err(RuntimeError::new(ErrorKind::Rejected, path.display().to_string(), message.to_owned()));
    }
    Ok(found.map(|folder| Newest { folder, looked: true }))
}

/// Whether a folder has a manifest as it was written, and all files that it lists, in their length.
fn is_whole(folder: &Path) -> bool {
    let long = |f: &super::manifest::File| {
        plain(&f.name) && DataFile::regular(&folder.join(&f.name)).is_ok_and(|file| file.len() == f.bytes)
    };
    read_manifest(folder).is_ok_and(|(manifest, _)| manifest.files.iter().all(long))
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

/// What a rename file says of initial values has to be about parameters of the program.
fn all_match(renames: &Renames, ports: &[Port]) -> Result<()> {
    let all = || ports.iter().filter(|p| p.alias.is_none()).flat_map(|p| names(p).into_iter().map(|n| n.0));
    let unused = renames.initial.iter().find(|(pattern, _)| !all().any(|name| matches(pattern, &name)));
    unused.map_or(Ok(()), |(pattern, line)| Err(unmatched(pattern, &format!("{}:{line}", renames.name))))
}

/// A tensor of the program, and where it comes from.
struct StagedTensor {
    /// The index of its port.
    port: usize,
    layer: Option<u64>,
    source: RenamedTensor,
}

/// Tensors that were all found to fit.
struct Staged<'a> {
    weights: &'a Weights,
    rounding: Rounding,
    tensors: Vec<StagedTensor>,
    unused: Vec<String>,
    /// Names of the program that keep their values.
    initial: Vec<String>,
}

impl<'a> Staged<'a> {
    fn new(
        ports: &[Port],
        weights: &'a Weights,
        role: Role,
        renames: Option<&Renames>,
        rounding: Rounding,
        partial: bool,
    ) -> Result<Staged<'a>> {
        let none = Renames::default();
        let renames = renames.unwrap_or(&none);
        let mut sources = renames.apply(weights)?;
        all_match(renames, ports)?;
        let (mut tensors, mut initial) = (Vec::new(), Vec::new());
        for (index, port) in ports.iter().enumerate().filter(|(_, p)| p.alias.is_none() && p.role == role) {
            for (name, layer) in names(port) {
                let shape = shape_of(port, layer);
                let wanted = || format!("expected {}", describe(port.dtype, &shape));
                let Some(source) = sources.by_path.remove(&name) else {
                    if port.init != Init::Given && (partial || renames.is_initial(&name)) {
                        initial.push(name);
                        continue;
                    }
                    let more = if partial && port.init == Init::Given { ", and it has no initial value" } else { "" };
                    return Err(RuntimeError::usage(
                        weights.place(&name),
                        format!("tensor `{name}`: {}, but the file has none of that name{more}", wanted()),
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
                if element.convert_for(&[], port, rounding).is_err() {
                    return Err(fail(format!("{}, found {}", wanted(), element.describe(&found))));
                }
                tensors.push(StagedTensor { port: index, layer, source });
            }
        }
        let mut unused: Vec<String> = sources.by_path.into_values().flat_map(|s| s.names).collect();
        unused.sort();
        unused.dedup();
        Ok(Staged { weights, rounding, tensors, unused, initial })
    }

    /// The parts of a tensor that the devices of this process need, where it is in parts and nothing but its name differs: each with
    /// its box in the dims of the port.
    fn needed<'s>(&'s self, session: &Session, t: &'s StagedTensor) -> Option<Vec<(&'s StoredPart, Window)>> {
        let parts = self.weights.parts(t.source.unchanged()?)?;
        let layer = t.layer.map(|l| l..l + 1);
        let place = |p: &StoredPart| layer.iter().cloned().chain(p.window.iter().cloned()).collect::<Window>();
        let all = parts.iter().map(|p| (p, place(p)));
        Some(all.filter(|(_, w)| session.holds(t.port, w)).collect())
    }

    /// Compares what [`Staged::apply`] reads with its hashes, where that is not done.
    fn verify(&self, session: &Session) -> Result<()> {
        for t in &self.tensors {
            match self.needed(session, t) {
                Some(parts) => parts.iter().try_for_each(|(p, _)| self.weights.verify(&t.source.names[0], p))?,
                None => {
                    for name in &t.source.names {
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
                let bytes = self.bytes(&session.program().ports[t.port], t)?;
                session.put(t.port, t.layer, &bytes)?;
                continue;
            };
            // The hashes of all parts, those of other ranks too.
            let all = self.weights.parts(&t.source.names[0]).into_iter().flatten();
            session.note_written(t.port, t.layer, all.map(|p| p.sha256.as_str()).collect::<String>().as_bytes());
            for (part, window) in parts {
                let name = &t.source.names[0];
                let fail = |m: String| RuntimeError::usage(self.weights.place(name), format!("tensor `{name}`: {m}"));
                let element = self.weights.tensor(name).map_err(fail)?.element;
                let port = &session.program().ports[t.port];
                let bytes = self.weights.part_bytes(part)?;
                let bytes = element.convert_for(&bytes, port, self.rounding).map_err(fail)?;
                session.put_window(t.port, &window, &bytes)?;
            }
        }
        Ok(())
    }

    fn bytes(&self, port: &Port, t: &StagedTensor) -> Result<Vec<u8>> {
        let StagedTensor { layer, source, .. } = t;
        let name = &source.names[0];
        let fail = |m: String| RuntimeError::usage(self.weights.place(name), format!("tensor `{name}`: {m}"));
        let (element, bytes) = source.data(self.weights, &shape_of(port, *layer)).map_err(fail)?;
        element.convert_for(&bytes, port, self.rounding).map_err(fail)
    }
}
