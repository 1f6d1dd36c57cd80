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
    pub program: Program,
    pub plan: String,
    pub certificate: String,
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
        let member = format!("programs/{}.json", e.program.entry);
        if !names.insert(&e.program.entry) {
            return Err(BundleError::new("its entry is there twice").in_member(&member));
        }
        if e.program.mesh != m.mesh {
            return Err(BundleError::new("its mesh differs from the manifest's").in_member(&member));
        }
        for l in &c.libraries {
            let have: BTreeSet<&str> = l.symbols.iter().map(String::as_str).collect();
            let mut symbols = e.program.kernels.iter().flat_map(|k| k.symbols());
            if let Some(k) = symbols.find(|k| !have.contains(k)) {
                return Err(BundleError::new(format!("kernel `{k}` is not in library `{}`", l.name)).in_member(&member));
            }
            let (gpu, of) = match l.kind {
                LibraryKind::ElfSo => (false, "a CPU"),
                LibraryKind::Ptx | LibraryKind::Cubin => (true, "a GPU"),
            };
            if let Some(k) = e.program.kernels.iter().find(|k| k.gpu.is_some() != gpu) {
                let message =
                    format!("kernel `{}` is not launched as library `{}` for {of} needs it", k.symbol, l.name);
                return Err(BundleError::new(message).in_member(&member));
            }
        }
    }
    Ok(())
}

/// Names stay inside the folder that a bundle is unpacked into, and are the same on every system.
pub(crate) fn member_name(name: &str) -> BundleResult<()> {
    let plain = |c: u8| c.is_ascii_alphanumeric() || b"._-".contains(&c);
    let part = |p: &str| !p.is_empty() && p != "." && p != ".." && p.bytes().all(plain);
    if name.len() <= 256 && name.split('/').all(part) {
        Ok(())
    } else {
        Err(BundleError::new(format!(
            "a member is named `{}`: no relative path of plain characters",
            name.escape_debug()
        )))
    }
}
