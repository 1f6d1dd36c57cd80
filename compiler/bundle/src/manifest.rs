//! `manifest.json`: the contents of a bundle, with the hash of every other member.

use crate::program::MeshAxis;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The manifest's name; always the first member.
pub const MANIFEST: &str = "manifest.json";

/// Version of the archive's structure, and of what a runtime does with it. A reader accepts exactly this one. With 5, programs of
/// held-out losses add up over batches.
pub const FORMAT: u32 = 5;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub format: u32,
    /// Version of the compiler that wrote it.
    pub meshloom: String,
    /// Target description that the plan was made for: `cpu`, `h100-sxm`.
    pub target: String,
    pub mesh: Vec<MeshAxis>,
    pub entries: Vec<ManifestEntry>,
    pub libraries: Vec<Library>,
    /// The source text, as it was compiled.
    pub sources: Vec<SourceFile>,
    /// Plans of the same entries for other numbers of devices, each a whole bundle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherPlan>,
    /// Every other member, in the archive's order.
    pub members: Vec<Member>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// A train step: parameters and state are kept for the next step, and a loss is reported.
    Train,
    /// Inputs to outputs, reading parameters of the same paths.
    Function,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestEntry {
    pub name: String,
    pub kind: EntryKind,
    /// Members: the program, the plan as text, the certificate as text.
    pub program: String,
    pub plan: String,
    pub certificate: String,
    /// Of an entry with pipeline stages, whose program is an outline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<ManifestPipeline>,
}

/// What is split over an axis of the mesh, and the members that say how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestPipeline {
    /// The axis, as an index into the mesh.
    pub axis: u32,
    /// Member: the table of actions, as text.
    pub schedule: String,
    /// Members: the program of each coordinate on the axis.
    pub ranks: Vec<String>,
}

/// Compiled kernels for one kind of machine. Kernels of all entries are in one library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Library {
    pub member: String,
    pub kind: LibraryKind,
    /// CPU features the code uses, named as Rust and LLVM name them; the runtime refuses a machine without them and prefers the library
    /// that uses the most of them.
    pub cpu_features: Vec<String>,
    /// Symbols it defines, sorted.
    pub symbols: Vec<String>,
    /// What made it: tools and their versions, and the hash of what they were given. Equal tools make equal bytes.
    pub tools: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LibraryKind {
    /// ELF shared object.
    ElfSo,
    /// PTX text.
    Ptx,
    /// Assembled for one GPU architecture.
    Cubin,
}

/// A bundle inside of a bundle: the same entries, planned for another number of devices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherPlan {
    pub devices: u64,
    pub member: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceFile {
    /// The path as it was given to the compiler, for messages.
    pub path: String,
    pub member: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    pub name: String,
    pub bytes: u64,
    pub sha256: String,
}

/// SHA-256 in lower-case hex.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

/// Bytes in lower-case hex.
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut s, b| {
        let _ = write!(s, "{b:02x}");
        s
    })
}
