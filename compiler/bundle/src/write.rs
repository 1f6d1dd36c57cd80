//! Writing a bundle: a zip file whose bytes depend on its contents alone (fixed order, fixed timestamps, no
//! compression).
//!
//! Members are stored rather than deflated. Kernels and programs are small, `unzip` reads both forms, the bytes do not
//! depend on a compressor's version, and a reader needs no limit on expansion.

use crate::contents::{Contents, consistent, member_name};
use crate::error::{BundleError, BundleResult};
use crate::manifest::*;
use crate::others;
use crate::program::Program;
use crate::read::Bundle;
use std::io::{Cursor, Write};
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// Validates and packs. Equal contents give equal bytes.
pub fn write(contents: &Contents) -> BundleResult<Vec<u8>> {
    write_with(contents, &[])
}

/// The same with plans for other numbers of devices: bundles that were written before, smallest first.
///
/// # Errors
/// As [`write`], and others that do not belong together: see [`crate::Bundle::others`].
pub fn write_with(contents: &Contents, others: &[Vec<u8>]) -> BundleResult<Vec<u8>> {
    let first = contents.entries.first().ok_or_else(|| BundleError::new("a bundle needs at least one entry"))?;
    let mut members: Vec<(String, Vec<u8>)> = Vec::new();
    let mut entries = Vec::new();
    for e in &contents.entries {
        let name = &e.program.entry;
        let (program, plan, certificate) =
            (format!("programs/{name}.json"), format!("plans/{name}.txt"), format!("certificates/{name}.txt"));
        if e.program.mesh != first.program.mesh {
            return Err(BundleError::new("its mesh differs from the first entry's").in_member(&program));
        }
        crate::validate_entry(e)?;
        members.push((program.clone(), json(&e.program, &program)?));
        members.push((plan.clone(), e.plan.clone().into_bytes()));
        members.push((certificate.clone(), e.certificate.clone().into_bytes()));
        let mut pipeline = None;
        if let Some(p) = &e.pipeline {
            let schedule = format!("schedules/{name}.csv");
            members.push((schedule.clone(), p.schedule.clone().into_bytes()));
            let mut ranks = Vec::new();
            for (k, rank) in p.ranks.iter().enumerate() {
                let member = e.rank_member(k);
                members.push((member.clone(), json(rank, &member)?));
                ranks.push(member);
            }
            pipeline = Some(ManifestPipeline { axis: p.axis, schedule, ranks });
        }
        entries.push(ManifestEntry { name: name.clone(), kind: e.kind, program, plan, certificate, pipeline });
    }
    let mut libraries = Vec::new();
    for l in &contents.libraries {
        let extension = match l.kind {
            LibraryKind::ElfSo => "so",
            LibraryKind::Ptx => "ptx",
            LibraryKind::Cubin => "cubin",
        };
        let member = format!("kernels/{}.{extension}", l.name);
        let mut symbols = l.symbols.clone();
        symbols.sort();
        let (cpu_features, tools) = (l.cpu_features.clone(), l.tools.clone());
        libraries.push(Library { member: member.clone(), kind: l.kind, cpu_features, symbols, tools });
        members.push((member, l.bytes.clone()));
    }
    let mut sources = Vec::new();
    for (k, (path, text)) in contents.sources.iter().enumerate() {
        let member = format!("source/{k}-{}", plain(path.rsplit(['/', '\\']).next().unwrap_or("")));
        sources.push(SourceFile { path: path.clone(), member: member.clone() });
        members.push((member, text.clone().into_bytes()));
    }
    let mut other_plans = Vec::new();
    let mut read = Vec::new();
    for bytes in others {
        let other = Bundle::read(bytes)?;
        let member = others::member(other.devices());
        other_plans.push(OtherPlan { devices: other.devices(), member: member.clone() });
        members.push((member, bytes.clone()));
        read.push(other);
    }
    let manifest = Manifest {
        format: FORMAT,
        meshloom: env!("CARGO_PKG_VERSION").to_owned(),
        target: contents.target.clone(),
        mesh: first.program.mesh.clone(),
        entries,
        libraries,
        sources,
        others: other_plans,
        members: members
            .iter()
            .map(|(n, b)| Member { name: n.clone(), bytes: b.len() as u64, sha256: sha256(b) })
            .collect(),
    };
    let mut json = serde_json::to_vec_pretty(&manifest).map_err(|x| BundleError::new(x.to_string()))?;
    json.push(b'\n');
    members.insert(0, (MANIFEST.to_owned(), json));
    for (name, _) in &members {
        member_name(name)?;
    }
    consistent(&manifest, contents)?;
    others::consistent(&manifest, read.iter().map(|o| &o.manifest))?;
    pack(&members)
}

/// A program as a member.
fn json(program: &Program, member: &str) -> BundleResult<Vec<u8>> {
    let mut json = serde_json::to_vec(program).map_err(|x| BundleError::new(x.to_string()).in_member(member))?;
    json.push(b'\n');
    Ok(json)
}

fn pack(members: &[(String, Vec<u8>)]) -> BundleResult<Vec<u8>> {
    let failed = |e: &dyn std::fmt::Display| BundleError::new(format!("could not be written: {e}"));
    // The default time stamp is 1980-01-01, the earliest that zip knows.
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::default())
        .unix_permissions(0o644);
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(name.as_str(), options).map_err(|e| failed(&e).in_member(name))?;
        zip.write_all(bytes).map_err(|e| failed(&e).in_member(name))?;
    }
    Ok(zip.finish().map_err(|e| failed(&e))?.into_inner())
}

/// A file name of plain characters; the manifest has the path as it was given.
fn plain(name: &str) -> String {
    let ok = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    name.chars().take(80).map(ok).collect()
}
