//! The contents of a bundle, as they are written and read, and what must hold between its members.

use crate::error::{BundleError, BundleResult};
use crate::limits;
use crate::manifest::*;
use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};

/// The contents of a bundle, as they are written and read.
#[derive(Clone, Debug, PartialEq)]
pub struct Contents {
    pub target: String,
    /// At least one entry; all on one mesh.
    pub entries: Vec<EntryContents>,
    pub libraries: Vec<LibraryContents>,
    /// Path as given to the compiler, and text.
    pub sources: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct EntryContents {
    pub kind: EntryKind,
    /// What every device runs. Of an entry with pipeline stages, its outline: the mesh and the ports of the whole, and no
    /// instructions.
    pub program: Program,
    pub pipeline: Option<Pipeline>,
    pub plan: String,
    pub certificate: String,
}

/// An entry whose layers are split over an axis of the mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The axis, as an index into the mesh of the entry's outline.
    pub axis: u32,
    /// Its table of actions, in the CSV grammar of PyTorch's pipelining: a row for each rank.
    pub schedule: String,
    /// By coordinate on the axis: what the devices there run. Their mesh is that of the outline without the axis.
    pub ranks: Vec<Program>,
}

impl EntryContents {
    /// What devices run: the program, or the programs of the ranks of its pipeline.
    pub fn programs(&self) -> &[Program] {
        self.pipeline.as_ref().map_or(std::slice::from_ref(&self.program), |p| &p.ranks)
    }

    /// All bytes that are ever allocated for one device with a worker of its own: of a pipeline, for the one that takes most.
    pub fn device_bytes(&self) -> u64 {
        self.programs().iter().map(Program::device_bytes).max().unwrap_or(0)
    }

    /// The member of a bundle that holds its program, or its outline.
    pub fn member(&self) -> String {
        format!("programs/{}.json", self.program.entry)
    }

    /// The member that holds the program of a rank of its pipeline.
    pub fn rank_member(&self, rank: usize) -> String {
        format!("programs/{}.{rank}.json", self.program.entry)
    }

    /// The members of [`EntryContents::programs`].
    fn program_member(&self, k: usize) -> String {
        if self.pipeline.is_some() { self.rank_member(k) } else { self.member() }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct LibraryContents {
    /// Names the member: `x86-64-v4`.
    pub name: String,
    pub kind: LibraryKind,
    pub cpu_features: Vec<String>,
    pub symbols: Vec<String>,
    /// As [`Library::tools`].
    pub tools: BTreeMap<String, String>,
    pub bytes: Vec<u8>,
}

/// What must hold between members: one mesh, and every kernel in every library.
pub(crate) fn consistent(m: &Manifest, c: &Contents) -> BundleResult<()> {
    if c.entries.is_empty() {
        return Err(BundleError::new("names no entry").in_member(MANIFEST));
    }
    limits::mesh(&m.mesh).map_err(|e| e.in_member(MANIFEST))?;
    let mut names = BTreeSet::new();
    for e in &c.entries {
        let member = e.member();
        if !names.insert(&e.program.entry) {
            return Err(BundleError::new("its entry is there twice").in_member(&member));
        }
        if e.program.mesh != m.mesh {
            return Err(BundleError::new("its mesh differs from the manifest's").in_member(&member));
        }
        for (k, program) in e.programs().iter().enumerate() {
            c.libraries.iter().try_for_each(|l| kernels(program, l)).map_err(|x| x.in_member(&e.program_member(k)))?;
        }
    }
    Ok(())
}

/// A library has all kernels of a program, for the same kind of device.
fn kernels(program: &Program, l: &LibraryContents) -> BundleResult<()> {
    let have: BTreeSet<&str> = l.symbols.iter().map(String::as_str).collect();
    let mut symbols = program.kernels.iter().flat_map(|k| k.symbols());
    if let Some(k) = symbols.find(|k| !have.contains(k)) {
        return Err(BundleError::new(format!("kernel `{k}` is not in library `{}`", l.name)));
    }
    let (gpu, of) = match l.kind {
        LibraryKind::ElfSo => (false, "a CPU"),
        LibraryKind::Ptx | LibraryKind::Cubin => (true, "a GPU"),
    };
    if let Some(k) = program.kernels.iter().find(|k| k.gpu.is_some() != gpu) {
        let message = format!("kernel `{}` is not launched as library `{}` for {of} needs it", k.symbol, l.name);
        return Err(BundleError::new(message));
    }
    Ok(())
}

/// Names stay inside the folder that a bundle is unpacked into, and are the same on every system.
pub(crate) fn member_name(name: &str) -> BundleResult<()> {
    let part = |p: &str| !p.is_empty() && p != "." && p != ".." && limits::is_plain(p);
    if name.len() <= limits::MEMBER && name.split('/').all(part) {
        Ok(())
    } else {
        Err(BundleError::new(format!(
            "a member is named `{}`: no relative path of plain characters",
            name.escape_debug()
        )))
    }
}
