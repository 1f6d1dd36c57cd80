//! Saving: when, who writes what, and in which order a checkpoint comes to be.
//!
//! ```text
//! begin      a folder under a hidden, random name; of several processes all know it
//! Work       global tensors from rank 0, or each process its shards; from the devices, or from a copy in the background
//! conclude   all tell rank 0 the hashes of their files; it writes the manifest and publishes the folder
//! ```

use super::lock::Lock;
use super::manifest::{File, Manifest, step_name, sync, write_manifest};
use super::publish::{hidden, publish, random, sweep, thin};
use super::shards::{self, FilePlan, PartPlan, Written, write_index};
use super::write::{Live, NamedTensors, Notes, Tensor, Values, write_whole};
use super::{MODEL, STATE};
use crate::error::{Result, RuntimeError};
use crate::session::{Session, names, shape_of};
use crate::world::Spot;
use meshloom_bundle::{Port, Role};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// Bytes of parameters and state from which several processes save shards without being asked.
const LARGE: u64 = 1_000_000_000;

/// Whether processes write their own parts where nobody says so.
fn by_parts(several: bool, background: bool, bytes: u64) -> bool {
    several && (background || bytes > LARGE)
}

/// Where checkpoints go, and how many.
#[derive(Clone, Debug, PartialEq)]
pub struct Saving {
    pub dir: PathBuf,
    /// Steps between checkpoints; 0 for the last one only.
    pub every: u64,
    /// How many are kept, the newest first; older ones are removed once a new one is published. `None` keeps all.
    pub keep: Option<u64>,
    /// The most bytes of one file of tensors; a tensor that is larger has a file of its own.
    pub shard_bytes: u64,
    /// Whether each process writes its own part; `None` lets the size decide: several processes with more than 1 GB do.
    pub sharded: Option<bool>,
    /// Whether files are written while training goes on, from a copy of what this process writes.
    pub background: bool,
}

impl Saving {
    /// All that are written at the end of a run, none removed, in files of at most 5 GB as Hugging Face has them.
    pub fn to(dir: impl Into<PathBuf>) -> Saving {
        Saving { dir: dir.into(), every: 0, keep: None, shard_bytes: 5_000_000_000, sharded: None, background: false }
    }

    /// Whether step `done` ends with a checkpoint.
    pub fn due(&self, done: u64) -> bool {
        self.every > 0 && done.is_multiple_of(self.every)
    }
}

/// What was saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    pub folder: PathBuf,
    /// What went wrong beside it and loses nothing, such as an old checkpoint that cannot be removed. On rank 0.
    pub warnings: Vec<String>,
}

/// Saves a run now and again. Nobody else saves into the folder meanwhile.
pub struct Saver {
    saving: Saving,
    /// The files of all processes, where each writes its own.
    plan: Option<Vec<FilePlan>>,
    flight: Option<Flight>,
    /// The step of the last save.
    started: Option<u64>,
    /// Rank 0's. The last field: a save in the background ends before the lock does.
    _lock: Option<Lock>,
}

impl Saver {
    /// Makes the folder, takes its lock, and puts right what killed runs left there. Of several processes the first one does.
    ///
    /// # Errors
    /// A folder that cannot be made, or into which another run saves; background saves of several processes that are not to be sharded.
    pub fn open(session: &Session, saving: &Saving) -> Result<Saver> {
        let several = session.world().is_some();
        if several && saving.background && saving.sharded == Some(false) {
            let message =
                "in the background, each of several processes saves its own part: leave out --save-sharded no";
            return Err(RuntimeError::usage("--save-async", message));
        }
        let bytes = session.ports(&[Role::Parameter, Role::State]).map(global_bytes).sum();
        let sharded = saving.sharded.unwrap_or_else(|| by_parts(several, saving.background, bytes));
        let ranks = session.world().map_or(1, |w| w.size());
        let plan = sharded.then(|| shards::plan(session.held(), ranks, saving.shard_bytes)).transpose()?;
        let dir = saving.dir.as_path();
        let mut lock = None;
        if first(session) {
            fs::create_dir_all(dir).map_err(|e| RuntimeError::io(dir, "cannot be created", &e))?;
            lock = Some(Lock::take(dir)?);
            sweep(dir);
        }
        Ok(Saver { saving: saving.clone(), plan, flight: None, started: None, _lock: lock })
    }

    /// Whether step `done` ends with a checkpoint that is not begun yet.
    pub fn due(&self, done: u64) -> bool {
        self.saving.due(done) && self.started != Some(done)
    }

    /// The step that was saved last, or is being saved.
    pub fn started(&self) -> Option<u64> {
        self.started
    }

    /// Whether a save goes on in the background, and whether this process has done its part of it.
    pub fn flight(&self) -> Option<bool> {
        self.flight.as_ref().map(Flight::is_done)
    }

    /// Saves parameters and state, once the save before it is over; returns what is saved when it returns. An older checkpoint of the same
    /// step is replaced. Without shards the first of several processes writes, the same bytes as one alone would.
    ///
    /// # Errors
    /// Files that cannot be written. What was there before is still there then.
    pub fn save(&mut self, session: &Session) -> Result<Vec<Saved>> {
        let mut saved: Vec<Saved> = self.settle(session)?.into_iter().collect();
        self.started = Some(session.steps_done());
        let manifest = Manifest::of(session);
        if self.plan.is_none() && session.world().is_some() {
            // The others hand over what rank 0 asks for, and do nothing else meanwhile.
            let all = session.on_first(|s| {
                let folder = self.begin(s, &manifest)?;
                let result = Work::whole(s, &self.saving).run(&folder);
                let result = result.and_then(|done| self.conclude(s, &folder, &manifest, done));
                // Nobody else writes into it.
                result.inspect_err(|_| drop(fs::remove_dir_all(&folder)))
            })?;
            let folder = self.saving.dir.join(step_name(manifest.step));
            saved.push(all.unwrap_or(Saved { folder, warnings: Vec::new() }));
            return Ok(saved);
        }
        let folder = self.begin(session, &manifest)?;
        let work = match &self.plan {
            Some(plan) => Work::shards(session, plan),
            None => Work::whole(session, &self.saving),
        };
        if self.saving.background {
            self.flight = Some(Flight::start(work.copied()?, folder, manifest, first(session))?);
        } else {
            let result = work.run(&folder);
            let result = result.and_then(|done| self.conclude(session, &folder, &manifest, done));
            saved.push(tidy(session, result, &folder)?);
        }
        Ok(saved)
    }

    /// Waits for the save in the background, and publishes it. All processes do so after the same step.
    ///
    /// # Errors
    /// As [`Saver::save`].
    pub fn settle(&mut self, session: &Session) -> Result<Option<Saved>> {
        let Some(mut flight) = self.flight.take() else { return Ok(None) };
        let result = flight.wait();
        let result = result.and_then(|done| self.conclude(session, &flight.folder, &flight.manifest, done));
        tidy(session, result, &flight.folder).map(Some)
    }

    /// An empty folder under a hidden name that is the same for all who write into it.
    fn begin(&self, session: &Session, manifest: &Manifest) -> Result<PathBuf> {
        let (dir, name) = (self.saving.dir.as_path(), step_name(manifest.step));
        let make = |number: u64| {
            let folder = hidden(dir, &name, number);
            fs::create_dir_all(&folder)
                .map(|()| folder.clone())
                .map_err(|e| RuntimeError::io(&folder, "cannot be created", &e))
        };
        let world = session.world().filter(|_| self.plan.is_some());
        let Some(world) = world else { return make(random(dir)?) };
        let mut number = [0; 8];
        if world.rank() == 0 {
            number = random(dir)?.to_le_bytes();
            make(u64::from_le_bytes(number))?;
        }
        world.combine(&mut number, Spot::READ);
        make(u64::from_le_bytes(number))
    }

    /// All have written: the manifest is, and the folder gets its name.
    fn conclude(&self, session: &Session, folder: &Path, manifest: &Manifest, done: Done) -> Result<Saved> {
        let (dir, name) = (self.saving.dir.as_path(), step_name(manifest.step));
        let mut saved = Saved { folder: dir.join(&name), warnings: Vec::new() };
        let (mut files, mut finite) = (done.files, done.finite);
        let mut indices = BTreeMap::new();
        if let Some(plan) = &self.plan {
            // The first byte says whether anybody found a number that is not finite.
            let mut bytes = vec![u8::from(!finite)];
            bytes.extend(shards::to_bytes(plan, &done.written));
            if let Some(world) = session.world() {
                world.combine(&mut bytes, Spot::READ);
            }
            finite = bytes[0] == 0;
            (files, indices) = shards::index(session.program(), plan, &shards::from_bytes(plan, &bytes[1..]));
        }
        if !first(session) {
            return Ok(saved);
        }
        for file in &files {
            let path = folder.join(&file.name);
            if fs::metadata(&path).map_or(0, |m| m.len()) != file.bytes {
                let message = "rank 0 does not see what another rank wrote: --save must be a folder that all hosts \
                               share, or take --save-sharded no";
                return Err(RuntimeError::usage(path.display().to_string(), message));
            }
        }
        for (stem, index) in &indices {
            files.push(write_index(folder, stem, index)?);
        }
        write_manifest(folder, &Manifest { finite, files, ..manifest.clone() })?;
        sync(folder)?;
        if !finite {
            saved.warnings.push(format!("{name} has values that are not finite; checkpoints without any stay"));
        }
        publish(dir, &name, folder, &mut saved.warnings)?;
        if let Some(keep) = self.saving.keep {
            thin(dir, manifest.step, keep.max(1), &mut saved.warnings);
        }
        Ok(saved)
    }
}

/// Saves once, as a [`Saver`] does; returns the new folder.
///
/// # Errors
/// As there.
pub fn save(session: &Session, saving: &Saving) -> Result<PathBuf> {
    let mut saver = Saver::open(session, saving)?;
    saver.save(session)?;
    saver.settle(session)?;
    Ok(saving.dir.join(step_name(session.steps_done())))
}

fn first(session: &Session) -> bool {
    session.world().is_none_or(|w| w.rank() == 0)
}

fn global_bytes(p: &Port) -> u64 {
    p.global_shape.iter().product::<u64>() * p.dtype.bytes()
}

/// Rank 0 removes the folder of a save that failed. Others may still write into it: they hear of the failure before, or would take a
/// folder that is gone for the reason.
fn tidy<T>(session: &Session, result: Result<T>, folder: &Path) -> Result<T> {
    if let (Err(e), true) = (&result, first(session)) {
        session.world().inspect(|w| w.fail_first(&e.to_string()));
        let _ = fs::remove_dir_all(folder);
    }
    result
}

/// What one process writes.
enum Work<V> {
    Whole {
        limit: u64,
        stems: Vec<(&'static str, NamedTensors<V>)>,
    },
    /// With `None` for the files of other processes.
    Shards(Vec<(FilePlan, Option<Vec<Tensor<V>>>)>),
}

/// What was written.
struct Done {
    files: Vec<File>,
    written: Vec<Option<Written>>,
    finite: bool,
}

impl<'a> Work<Live<'a>> {
    /// Global tensors, one file for parameters and one for state, or several where they are large.
    fn whole(session: &'a Session, saving: &Saving) -> Work<Live<'a>> {
        let of = |roles: &'static [Role]| {
            let tensors = session.ports(roles).flat_map(|port| names(port).into_iter().map(move |n| (port, n)));
            let one = |(port, (name, layer)): (&'a Port, (String, Option<u64>))| {
                let values: Live<'a> = Box::new(move || session.get(port, layer));
                (name, Tensor { dtype: port.dtype, role: port.role, shape: shape_of(port, layer), values })
            };
            tensors.map(one).collect()
        };
        let stems = vec![(MODEL, of(&[Role::Parameter])), (STATE, of(&[Role::State]))];
        Work::Whole { limit: saving.shard_bytes, stems }
    }

    /// This process's parts.
    fn shards(session: &'a Session, plan: &[FilePlan]) -> Work<Live<'a>> {
        let rank = session.world().map_or(0, |w| w.rank());
        let one = |part: &PartPlan| {
            let port = &session.program().ports[part.port];
            let (window, device) = (part.window.clone(), part.device);
            let values: Live<'a> = Box::new(move || session.part(port, &window, device));
            Tensor { dtype: port.dtype, role: port.role, shape: part.shape(), values }
        };
        let file = |f: &FilePlan| (f.clone(), (f.rank == rank).then(|| f.parts.iter().map(one).collect()));
        Work::Shards(plan.iter().map(file).collect())
    }
}

impl<V: Values> Work<V> {
    /// The same from memory, with the values of this moment.
    fn copied(self) -> Result<Work<Vec<u8>>> {
        match self {
            Work::Whole { limit, stems } => {
                let one = |(name, t): (String, Tensor<V>)| Ok((name, t.copied()?));
                let all =
                    |(stem, tensors): (_, Vec<_>)| Ok((stem, tensors.into_iter().map(one).collect::<Result<_>>()?));
                Ok(Work::Whole { limit, stems: stems.into_iter().map(all).collect::<Result<_>>()? })
            }
            Work::Shards(files) => {
                let copy = |t: Vec<Tensor<V>>| t.into_iter().map(Tensor::copied).collect::<Result<Vec<_>>>();
                let one = |(plan, tensors): (_, Option<Vec<_>>)| Ok((plan, tensors.map(copy).transpose()?));
                Ok(Work::Shards(files.into_iter().map(one).collect::<Result<_>>()?))
            }
        }
    }

    fn run(self, folder: &Path) -> Result<Done> {
        let notes = Notes::default();
        let mut done = Done { files: Vec::new(), written: Vec::new(), finite: true };
        match self {
            Work::Whole { limit, stems } => {
                for (stem, tensors) in stems {
                    done.files.extend(write_whole(folder, stem, tensors, limit, &notes)?);
                }
            }
            Work::Shards(files) => {
                for (plan, tensors) in files {
                    let one = tensors.map(|t| shards::write(folder, &plan, t, &notes));
                    done.written.push(one.transpose()?);
                }
            }
        }
        done.finite = notes.finite.get();
        Ok(done)
    }
}

/// A save in the background: its thread, and what it saves where.
struct Flight {
    thread: Option<JoinHandle<Result<Done>>>,
    folder: PathBuf,
    manifest: Manifest,
    /// Whether the folder is this process's to remove.
    first: bool,
}

impl Flight {
    fn start(work: Work<Vec<u8>>, folder: PathBuf, manifest: Manifest, first: bool) -> Result<Flight> {
        let to = folder.clone();
        let thread = std::thread::Builder::new().name("save".into()).spawn(move || work.run(&to));
        let thread = thread.map_err(|e| RuntimeError::usage("a thread for --save-async", e.to_string()))?;
        Ok(Flight { thread: Some(thread), folder, manifest, first })
    }

    fn is_done(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    fn wait(&mut self) -> Result<Done> {
        let gone = || RuntimeError::usage(self.folder.display().to_string(), "the thread that saves it has ended");
        self.thread.take().ok_or_else(gone)?.join().unwrap_or_else(|_| Err(gone()))
    }
}

/// A save that nobody waits for any more leaves nothing behind.
impl Drop for Flight {
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        if self.first {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_states_are_saved_by_parts() {
        let ask = |several, background, bytes| by_parts(several, background, bytes);
        assert_eq!([ask(true, false, LARGE), ask(true, false, LARGE + 1), ask(true, true, 1)], [false, true, true]);
        assert_eq!([ask(false, false, 2 * LARGE), ask(false, true, 2 * LARGE)], [false, false]);
    }
}
