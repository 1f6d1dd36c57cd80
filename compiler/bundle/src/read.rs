//! Reading a bundle. All of a bundle is checked before anything of it is used: names, sizes, hashes, versions, then
//! each program.
//!
//! The archive's own length bounds memory, and `archive` says what it may consist of. Members are stored and never expanded, and JSON values are proportional to
//! their text.

use crate::archive;
use crate::contents::{Contents, EntryContents, LibraryContents, Pipeline, consistent, member_name};
use crate::error::{BundleError, BundleResult};
use crate::manifest::*;
use crate::others;
use crate::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Cursor, Read};
use zip::{CompressionMethod, ZipArchive};

/// A bundle that passed every check.
#[derive(Clone, Debug, PartialEq)]
pub struct Bundle {
    pub manifest: Manifest,
    pub contents: Contents,
    /// SHA-256 of the manifest, and through it of every member: what ranks compare before they start.
    pub hash: String,
    /// The same entries, planned for other numbers of devices. None of these has others.
    pub others: Vec<Bundle>,
}

/// More members than any bundle has.
const MAX_MEMBERS: usize = 4096;

impl Bundle {
    pub fn entry(&self, name: &str) -> Option<&EntryContents> {
        self.contents.entries.iter().find(|e| e.program.entry == name)
    }

    /// Devices of the mesh that it is planned for.
    pub fn devices(&self) -> u64 {
        others::devices(&self.manifest)
    }

    /// This plan, then the others.
    pub fn plans(&self) -> impl Iterator<Item = &Bundle> {
        std::iter::once(self).chain(&self.others)
    }

    /// The plan for so many devices.
    pub fn for_devices(&self, n: u64) -> Option<&Bundle> {
        self.plans().find(|p| p.devices() == n)
    }

    /// The plan that so many processes run: the one with a device for each, else the first whose devices they share evenly.
    pub fn for_processes(&self, n: u64) -> Option<&Bundle> {
        self.for_devices(n).or_else(|| self.plans().find(|p| n > 0 && p.devices().is_multiple_of(n)))
    }

    /// Unpacks and validates. Errors name the member; the caller puts the file's name in front.
    pub fn read(bytes: &[u8]) -> BundleResult<Bundle> {
        Bundle::read_one(bytes, false)
    }

    fn read_one(bytes: &[u8], inside: bool) -> BundleResult<Bundle> {
        let mut members = unpack(bytes)?;
        let text =
            members.remove(MANIFEST).ok_or_else(|| BundleError::new(format!("no bundle: it holds no {MANIFEST}")))?;
        let hash = sha256(&text);
        let manifest: Manifest = json(MANIFEST, &text)?;
        if manifest.format != FORMAT {
            let message =
                format!("format {} where this version reads {FORMAT}: compile the source again", manifest.format);
            return Err(BundleError::new(message).in_member(MANIFEST));
        }
        hashes(&manifest, &members)?;
        let mut take = |name: &str| {
            members.remove(name).ok_or_else(|| BundleError::new("is named by the manifest and missing").in_member(name))
        };
        let mut entries = Vec::new();
        for e in &manifest.entries {
            let program: Program = json(&e.program, &take(&e.program)?)?;
            if program.entry != e.name {
                return Err(BundleError::new(format!("is of entry `{}`, not `{}`", program.entry, e.name))
                    .in_member(&e.program));
            }
            let plan = utf8(&e.plan, take(&e.plan)?)?;
            let certificate = utf8(&e.certificate, take(&e.certificate)?)?;
            let mut pipeline = None;
            if let Some(p) = &e.pipeline {
                let schedule = utf8(&p.schedule, take(&p.schedule)?)?;
                let ranks = p.ranks.iter().map(|name| json(name, &take(name)?)).collect::<BundleResult<_>>()?;
                pipeline = Some(Pipeline { axis: p.axis, schedule, ranks });
            }
            let entry = EntryContents { kind: e.kind, program, pipeline, plan, certificate };
            let names = e.pipeline.as_ref().map_or(&[][..], |p| &p.ranks);
            crate::validate_stages::entry(&entry, &e.program, |k| names.get(k).cloned().unwrap_or_default())?;
            entries.push(entry);
        }
        let mut libraries = Vec::new();
        for l in &manifest.libraries {
            let name = l.member.rsplit('/').next().and_then(|n| n.rsplit_once('.')).map_or("", |n| n.0).to_owned();
            let (cpu_features, symbols, tools) = (l.cpu_features.clone(), l.symbols.clone(), l.tools.clone());
            libraries.push(LibraryContents {
                name,
                kind: l.kind,
                cpu_features,
                symbols,
                tools,
                bytes: take(&l.member)?,
            });
        }
        let mut sources = Vec::new();
        for s in &manifest.sources {
            sources.push((s.path.clone(), utf8(&s.member, take(&s.member)?)?));
        }
        let contents = Contents { target: manifest.target.clone(), entries, libraries, sources };
        let mut others = Vec::new();
        for o in &manifest.others {
            if inside {
                return Err(BundleError::new("is a bundle in a bundle in a bundle").in_member(&o.member));
            }
            others.push(Bundle::read_one(&take(&o.member)?, true).map_err(|e| e.in_member(&o.member))?);
        }
        if let Some(name) = members.keys().next() {
            return Err(BundleError::new("belongs to nothing in the manifest").in_member(name));
        }
        consistent(&manifest, &contents)?;
        others::consistent(&manifest, others.iter().map(|o| &o.manifest))?;
        Ok(Bundle { manifest, contents, hash, others })
    }
}

fn hashes(manifest: &Manifest, members: &BTreeMap<String, Vec<u8>>) -> BundleResult<()> {
    let mut listed = BTreeSet::new();
    for m in &manifest.members {
        let fail = |message: String| Err(BundleError::new(message).in_member(&m.name));
        if !listed.insert(m.name.as_str()) {
            return fail("is listed twice by the manifest".into());
        }
        let Some(bytes) = members.get(&m.name) else { return fail("is listed by the manifest and missing".into()) };
        if bytes.len() as u64 != m.bytes {
            return fail(format!("{} bytes where the manifest says {}", bytes.len(), m.bytes));
        }
        let is = sha256(bytes);
        if is != m.sha256 {
            return fail(format!(
                "sha256 {is} where the manifest says {}: the bundle is damaged",
                m.sha256.escape_debug()
            ));
        }
    }
    match members.keys().find(|n| !listed.contains(n.as_str())) {
        Some(n) => Err(BundleError::new("is not listed by the manifest").in_member(n)),
        None => Ok(()),
    }
}

fn unpack(bytes: &[u8]) -> BundleResult<BTreeMap<String, Vec<u8>>> {
    let damaged = |e: &dyn std::fmt::Display| BundleError::new(format!("no bundle, or a damaged one: {e}"));
    archive::length(&bytes[bytes.len().saturating_sub(archive::END)..], bytes.len() as u64)?;
    let mut zip = ZipArchive::new(Cursor::new(bytes)).map_err(|e| damaged(&e))?;
    if zip.len() > MAX_MEMBERS {
        return Err(BundleError::new(format!("{} members; at most {MAX_MEMBERS} are allowed", zip.len())));
    }
    archive::only_members(&mut zip)?;
    let (mut members, mut left) = (BTreeMap::new(), bytes.len() as u64);
    for k in 0..zip.len() {
        let file = zip.by_index(k).map_err(|e| damaged(&e))?;
        let name = file.name().to_owned();
        member_name(&name)?;
        if file.compression() != CompressionMethod::Stored || file.is_symlink() || file.is_dir() {
            return Err(BundleError::new("is not a plain stored file").in_member(&name));
        }
        let size = file.size();
        if size > left {
            return Err(
                BundleError::new(format!("claims {size} bytes in an archive of {}", bytes.len())).in_member(&name)
            );
        }
        left -= size;
        let mut data = Vec::with_capacity(size as usize);
        file.take(size + 1).read_to_end(&mut data).map_err(|e| damaged(&e).in_member(&name))?;
        if data.len() as u64 != size {
            return Err(BundleError::new(format!("{} bytes where its header says {size}", data.len())).in_member(&name));
        }
        if members.insert(name.clone(), data).is_some() {
            return Err(BundleError::new("is there twice").in_member(&name));
        }
    }
    Ok(members)
}

fn json<T: serde::de::DeserializeOwned>(member: &str, bytes: &[u8]) -> BundleResult<T> {
    serde_json::from_slice(bytes).map_err(|e| BundleError::new(e.to_string()).in_member(member))
}

fn utf8(member: &str, bytes: Vec<u8>) -> BundleResult<String> {
    String::from_utf8(bytes).map_err(|e| BundleError::new(format!("not UTF-8 text: {e}")).in_member(member))
}
