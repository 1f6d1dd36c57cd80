//! Whether a bundle computes what a source says.
//!
//! The source is elaborated and differentiated again. A crate that knows nothing of planning checks the bundle's
//! certificate against the result. The local program that is proved in this way is then scheduled again, which must
//! give the bundle's instructions, byte for byte. What its kernels are specified to compute comes of that; the specifications
//! themselves are not in a bundle, but their hashes are. `meshloom_audit` proves that the bundle's instructions, with kernels of
//! these specifications, compute the local program: so a mistake of the scheduler is found, which would be made twice.
//! [`crate::recompile`] holds the machine code of the bundle against the specifications.

use crate::certified::certified;
use crate::last_apart;
use crate::program::{Elaborated, Program};
use crate::staged;
use crate::stages::{ranks, scheduled};
use meshloom_audit::{Audit, Objection, audit};
use meshloom_bundle::{Bundle, EntryContents, Instr, LibraryKind, Pipeline, validate_wires};
use meshloom_certify::Proof;
use meshloom_ir::{Func, parse};
use meshloom_kernels::{Device, GpuArch, KernelSpec};
use meshloom_pipeline::csv;
use meshloom_schedule::Scheduled;
use std::collections::{BTreeMap, BTreeSet};

/// What was found to agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Agreement {
    /// Steps that were proved.
    pub steps: usize,
    pub collectives: usize,
    /// What of its instructions is proved to compute the plan.
    pub schedule: Audit,
    /// What the kernels that its program launches are proved to have to compute, by symbol.
    pub kernels: BTreeMap<String, KernelSpec>,
}

/// What a bundle's kernels were made for.
///
/// # Errors
/// An architecture that this version does not know.
pub fn device(bundle: &Bundle) -> Result<Device, String> {
    let gpus = bundle.contents.libraries.iter().filter(|l| l.kind != LibraryKind::ElfSo);
    match gpus.map(|l| &l.name).next() {
        None => Ok(Device::Cpu),
        Some(name) => match GpuArch::by_name(name) {
            Some(gpu) => Ok(Device::Gpu(gpu)),
            None => Err(format!("its kernels are for `{name}`, which this version does not compile for")),
        },
    }
}

/// Holds an entry of a bundle against the entry of its name in a checked program.
///
/// # Errors
/// Every reason why they do not agree.
pub fn entry(program: &Program, contents: &EntryContents, device: Device) -> Result<Agreement, Vec<String>> {
    let one = |e: String| vec![e];
    let name = &contents.program.entry;
    let entry = program.entry(name).ok_or_else(|| one("the source has no such entry".into()))?;
    if entry.kind != contents.kind {
        return Err(one("one of source and bundle trains, the other does not".into()));
    }
    let local = parse::parse(&contents.plan).map_err(|e| one(format!("its local program cannot be read: {e}")))?;
    let apart = apart(entry, &local).map_err(one)?;
    let mut global = apart.as_ref().unwrap_or(&entry.global);
    let mut proof = proved(global, &local, &contents.certificate);
    // Nothing in the bundle says of which form of the step its plan is: it is of the one that it is proved of.
    let last_apart = proof.as_ref().err().and_then(|_| last_apart::step(entry, &entry.global));
    if let Some(other) = &last_apart
        && let Ok(made) = proved(other, &local, &contents.certificate)
    {
        (global, proof) = (other, Ok(made));
    }
    let proof = proof?;
    if let Some(of) = &contents.pipeline {
        return stages((entry, global), contents, of, &local, device)
            .map(|(collectives, schedule, kernels)| Agreement { steps: proof.steps, collectives, schedule, kernels });
    }
    // Sources are left out: the text of the local program in the bundle has none, and they only serve messages.
    let tokens_per_step = contents.program.tokens_per_step;
    let tf32 = contents.program.kernels.iter().any(|k| k.gpu.as_ref().is_some_and(|g| g.tf32));
    let again = |device| {
        let schedule = meshloom_schedule::ScheduleOptions { locate: &|_| None, tokens_per_step, device, tf32 };
        let made = meshloom_schedule::schedule(&local, global, &schedule);
        made.map_err(|e| one(format!("cannot be scheduled again: {}", e.message)))
    };
    let mut found = contents.program.clone();
    let collectives = without_sources(&mut found.instrs);
    let mut made = again(device)?;
    // It may have been compiled with --without-tma.
    if let (true, Some(gpu)) = (made.program != found, device.gpu().filter(|gpu| gpu.fetches())) {
        let other = again(Device::GpuWithoutTma(gpu))?;
        made = if other.program == found { other } else { made };
    }
    // As it stands in the bundle, sources and all.
    if made.program != found {
        let wrong = specified(&made, &found).and_then(|kernels| audit(&local, &contents.program, &kernels).err());
        return Err([Some(difference(&made.program, &found)), wrong.as_ref().map(objected)]
            .into_iter()
            .flatten()
            .collect());
    }
    let schedule = audit(&local, &contents.program, &made.kernels).map_err(|e| one(objected(&e)))?;
    let kernels = made.named().map(|(symbol, spec)| (symbol.to_owned(), spec.clone())).collect();
    Ok(Agreement { steps: proof.steps, collectives, schedule, kernels })
}

/// The proof of a local program by a certificate's text.
fn proved(global: &Func, local: &Func, certificate: &str) -> Result<Proof, Vec<String>> {
    let certificate = meshloom_certify::text::parse(certificate, global, local)
        .map_err(|e| vec![format!("its certificate cannot be read: {e}")])?;
    meshloom_certify::check(global, local, &certificate).map_err(|rejections| {
        let shown = rejections.iter().take(5).map(ToString::to_string).collect::<Vec<_>>();
        let more = rejections.len().saturating_sub(shown.len());
        if more > 0 { [shown, vec![format!("and {more} more")]].concat() } else { shown }
    })
}

/// The program of an entry with its list in parts, where the bundle's local program has them and the source says nothing of it:
/// then the search chose layouts by stage.
fn apart(entry: &Elaborated, local: &Func) -> Result<Option<Func>, String> {
    let Some(of) = &entry.pipeline else { return Ok(None) };
    let begin = |f: &Func| -> BTreeSet<u64> {
        f.inputs.iter().filter(|p| p.is_of_list(&of.list)).map(|p| p.first_layer).collect()
    };
    let found = begin(local);
    if found == begin(&entry.global) {
        return Ok(None);
    }
    let layers = meshloom_stage::layers(&entry.global, &of.list)?;
    let bounds: Vec<u64> = found.into_iter().chain([layers]).collect();
    meshloom_stage::apart(&entry.global, &of.list, &bounds).map(Some)
}

/// What was found of the programs of a pipeline's ranks: how many collectives, what is proved, and their kernels.
type Staged = (usize, Audit, BTreeMap<String, KernelSpec>);

/// Holds the programs of the ranks against the proved program, which is cut and scheduled again, in the order of the bundle's table.
fn stages(
    (entry, global): (&Elaborated, &Func),
    contents: &EntryContents,
    found: &Pipeline,
    local: &Func,
    device: Device,
) -> Result<Staged, Vec<String>> {
    let one = |e: String| vec![e];
    let of = entry.pipeline.as_ref().ok_or_else(|| one("the source asks for no stages".into()))?;
    if found.axis != u32::from(of.axis.0) {
        return Err(one("its stages are on another axis of the mesh than the source's".into()));
    }
    if found.schedule != csv::print(of.schedule.rows()) {
        return Err(one(format!("its table is not that of schedule `{}`", of.schedule.name)));
    }
    let tokens_per_step = contents.program.tokens_per_step;
    let outline = meshloom_schedule::outline(local, global, &of.mesh, of.axis, tokens_per_step);
    if outline.program != contents.program {
        return Err(one("its outline is not that of the proved program".into()));
    }
    let names = global.inputs.iter().filter(|p| p.is_of_list(&of.list)).map(|p| p.name.as_str()).collect();
    let sizes = sizes(found, &names).ok_or_else(|| one(format!("its ranks have no list of layers `{}`", of.list)))?;
    // A stage without layers has no part of the list.
    if of.given && !of.sizes.iter().filter(|n| **n > 0).eq(&sizes) {
        return Err(one(format!("its stages have {sizes:?} layers, and those of the source {:?}", of.sizes)));
    }
    let sizes = if of.given { of.sizes.clone() } else { sizes };
    let programs =
        ranks(local, global, &of.list, &sizes, &of.schedule).map_err(|e| one(format!("cannot be cut again: {e}")))?;
    if programs.len() != found.ranks.len() {
        return Err(one(format!("it has {} ranks, and the source {}", found.ranks.len(), programs.len())));
    }
    let tf32 = found.ranks.iter().flat_map(|p| &p.kernels).any(|k| k.gpu.as_ref().is_some_and(|g| g.tf32));
    let again = |device| {
        let options = meshloom_schedule::ScheduleOptions { locate: &|_| None, tokens_per_step, device, tf32 };
        let made: Result<Vec<Scheduled>, _> = programs.iter().map(|p| scheduled(p, &options)).collect();
        made.map_err(|e| one(format!("cannot be scheduled again: {}", e.message)))
    };
    let mut bare = found.ranks.clone();
    let collectives = bare.iter_mut().map(|p| without_sources(&mut p.instrs)).sum();
    let same = |made: &[Scheduled]| made.iter().map(|s| &s.program).eq(&bare);
    let mut made = again(device)?;
    if let (false, Some(gpu)) = (same(&made), device.gpu().filter(|gpu| gpu.fetches())) {
        let other = again(Device::GpuWithoutTma(gpu))?;
        made = if same(&other) { other } else { made };
    }
    let mut wrong = Vec::new();
    for (k, (m, b)) in made.iter().zip(&bare).enumerate().filter(|(_, (m, b))| m.program != **b) {
        wrong.push(format!("rank {k}: {}", difference(&m.program, b)));
        let kernels = specified(m, b);
        let objection = kernels.and_then(|kernels| audit(&programs[k].program.func, &found.ranks[k], &kernels).err());
        wrong.extend(objection.map(|o| format!("rank {k}: {}", objected(&o))));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    validate_wires(found).map_err(|e| one(e.to_string()))?;
    certified(local, &programs, &found.ranks.iter().collect::<Vec<_>>()).map_err(|e| one(e.to_string()))?;
    let parts = programs.iter().zip(&found.ranks).zip(&made);
    let parts = parts.map(|((p, f), m)| (&p.program.func, f, m.kernels.as_slice()));
    let schedule = staged::audit(parts).map_err(|e| one(objected(&e)))?;
    let kernels = made.iter().flat_map(Scheduled::named).map(|(symbol, spec)| (symbol.to_owned(), spec.clone()));
    Ok((collectives, schedule, kernels.collect()))
}

/// The layers of each stage, from the parts of the list's tensors that the ranks have; `None` where they are no whole list.
fn sizes(found: &Pipeline, names: &BTreeSet<&str>) -> Option<Vec<u64>> {
    let ports = found.ranks.iter().flat_map(|r| &r.ports).filter(|p| p.alias.is_none());
    let parts: BTreeSet<(u64, u64)> = ports
        .filter(|p| names.contains(p.name.as_str()))
        .filter_map(|p| Some((p.first_layer, *p.global_shape.first()?)))
        .collect();
    let mut next = 0;
    for (first, n) in &parts {
        if *first != next {
            return None;
        }
        next += n;
    }
    (next > 0).then(|| parts.into_iter().map(|p| p.1).collect())
}

fn objected(e: &Objection) -> String {
    format!("its instructions do not compute its plan: {e}")
}

/// Specifications of the kernels that a program names, where those of another schedule are the same.
fn specified(made: &Scheduled, found: &meshloom_bundle::Program) -> Option<Vec<KernelSpec>> {
    let of = |hash: &str| made.program.kernels.iter().zip(&made.kernels).find(|(k, _)| k.hash == hash);
    found.kernels.iter().map(|k| of(&k.hash).map(|(_, spec)| spec.clone())).collect()
}

/// Forgets where instructions come from; counts the collectives among them.
fn without_sources(instrs: &mut [Instr]) -> usize {
    let one = |i: &mut Instr| match i {
        Instr::Launch(l) => {
            l.source = None;
            0
        }
        Instr::Collective(c) => {
            c.source = None;
            1
        }
        Instr::Bucket(all) => {
            all.iter_mut().for_each(|c| c.source = None);
            all.len()
        }
        Instr::Loop { body, .. } => without_sources(body),
        Instr::While(w) => without_sources(&mut w.body) + without_sources(&mut w.after),
        Instr::Actions(a) => a.bodies.iter_mut().map(|b| without_sources(&mut b.body)).sum(),
        Instr::Copy { .. } | Instr::Fill { .. } | Instr::Send(_) | Instr::Receive(_) => 0,
    };
    instrs.iter_mut().map(one).sum()
}

fn difference(expected: &meshloom_bundle::Program, found: &meshloom_bundle::Program) -> String {
    let instrs = expected.instrs.iter().zip(&found.instrs).position(|(a, b)| a != b);
    let what = match instrs {
        Some(i) => format!("instruction {i} is not the one"),
        None if expected.instrs.len() != found.instrs.len() => "it has not as many instructions as those".into(),
        None => "its ports, memory or kernels are not those".into(),
    };
    format!("{what} that the proved program is scheduled to")
}
