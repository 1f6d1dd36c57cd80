//! Verifies that a bundle computes what a source says.
//!
//! The source is elaborated and differentiated again. A crate that knows nothing of planning checks the bundle's
//! certificate against the result. The local program that is proved in this way is then scheduled again, which must
//! give the bundle's instructions, byte for byte. This also gives the specifications of the kernels. A bundle has the hashes of
//! the specifications, and not the specifications. `meshloom_audit` proves that the bundle's instructions, with kernels of these
//! specifications, compute the local program. So a mistake of the scheduler is found, although scheduling again repeats it.
//! [`crate::recompile`] compares the machine code of the bundle with the specifications.
//!
//! Options of the compilation that change numbers are checked: floats are those of the caller's options, and the bundle's plan has
//! to meet what the caller and the source require of a plan ([`conditions`]). Options that choose between plans of the same numbers
//! are not checked.

mod conditions;

use crate::certified::certified;
use crate::pipeline::narrow;
use crate::program::{CompileOptions, Program};
use crate::staged;
use conditions::Proved;
use meshloom_audit::{Audit, Objection, audit_with};
use meshloom_bundle::{Bundle, EntryContents, Instr, LibraryKind, Pipeline, validate_wires};
use meshloom_certify::{Certificate, Proof};
use meshloom_ir::{Func, parse};
use meshloom_kernels::{Device, GpuArch, KernelSpec};
use meshloom_lower::Runs;
use meshloom_lower::Scheduled;
use meshloom_pipeline::csv;
use meshloom_strategy::entry::Elaborated;
use meshloom_strategy::last_apart;
use meshloom_strategy::rank_program::{ranks, scheduled};
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
    /// Assertions of the source and of the caller that hold.
    pub asserts: usize,
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

/// Holds an entry of a bundle against the entry of its name in a program that was checked with `options`.
///
/// # Errors
/// Every reason why they do not agree.
pub fn entry(
    program: &Program,
    contents: &EntryContents,
    device: Device,
    options: &CompileOptions,
) -> Result<Agreement, Vec<String>> {
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
    // Nothing in the bundle says for which form of the step its plan is. The form for which it can be proved is the one.
    let last_apart = proof.as_ref().err().and_then(|_| last_apart::step(entry, &entry.global));
    if let Some(other) = &last_apart
        && let Ok(made) = proved(other, &local, &contents.certificate)
    {
        (global, proof) = (other, Ok(made));
    }
    let (proof, certificate) = proof?;
    // The requirements beside the numbers apply to the form that was laid out.
    let given = certificate.given(global).map_err(one)?;
    let form = certificate.form.as_ref().map_or(&*given, |f| &f.func);
    let plan = Proved { entry, global: form, local: &local, certificate: &certificate, contents };
    let asserts = conditions::hold(program, options, &plan)?;
    let runs = Runs { device, tf32: program.tf32, rounds_each: program.target.strict_float };
    let found = match &contents.pipeline {
        Some(of) => stages(entry, contents, of, global, &local, runs)?,
        None => whole(contents, global, &local, runs)?,
    };
    Ok(Agreement {
        steps: proof.steps,
        collectives: found.collectives,
        schedule: found.audit,
        kernels: found.kernels,
        asserts,
    })
}

/// What was found in executable programs: how many collectives, what is proved, and their kernels.
struct Found {
    collectives: usize,
    audit: Audit,
    kernels: BTreeMap<String, KernelSpec>,
}

/// Compares the program of an entry without stages with the proved local program, which is scheduled again.
fn whole(contents: &EntryContents, global: &Func, local: &Func, runs: Runs) -> Result<Found, Vec<String>> {
    let one = |e: String| vec![e];
    let narrow = narrow(runs.rounds_each);
    // Sources are left out: the text of the local program in the bundle has none, and they only serve messages.
    let tokens_per_step = contents.program.tokens_per_step;
    let again = |runs: Runs| {
        let made = meshloom_lower::schedule(local, global, &scheduling(runs, tokens_per_step));
        made.map_err(|e| one(format!("cannot be scheduled again: {}", e.message)))
    };
    let mut found = contents.program.clone();
    let collectives = without_sources(&mut found.instrs);
    let made = scheduled_again(runs, again, |made| made.program == found)?;
    // As it stands in the bundle, sources and all.
    if made.program != found {
        let kernels = specified(&made, &found);
        let wrong = kernels.and_then(|kernels| audit_with(local, &contents.program, &kernels, narrow).err());
        return Err([Some(difference(&made.program, &found)), wrong.as_ref().map(objected)]
            .into_iter()
            .flatten()
            .collect());
    }
    let audit = audit_with(local, &contents.program, &made.kernels, narrow).map_err(|e| one(objected(&e)))?;
    let kernels = made.named().map(|(symbol, spec)| (symbol.to_owned(), spec.clone())).collect();
    Ok(Found { collectives, audit, kernels })
}

fn scheduling(runs: Runs, tokens_per_step: u64) -> meshloom_lower::ScheduleOptions<'static> {
    let Runs { device, tf32, rounds_each } = runs;
    meshloom_lower::ScheduleOptions { locate: &|_| None, tokens_per_step, device, tf32, rounds_each }
}

/// Schedules again, as the caller asks or without tensor maps (the bundle may have been compiled with --without-tma). If the bundle
/// has neither result, the other options that change numbers are tried, so that the message can name the one that the caller left
/// out.
fn scheduled_again<T>(
    runs: Runs,
    make: impl Fn(Runs) -> Result<T, Vec<String>>,
    same: impl Fn(&T) -> bool,
) -> Result<T, Vec<String>> {
    let made = make(runs)?;
    if same(&made) {
        return Ok(made);
    }
    let threads = runs.device.gpu().filter(|gpu| gpu.fetches()).map(Device::GpuWithoutTma);
    if let Some(device) = threads {
        let other = make(Runs { device, ..runs })?;
        if same(&other) {
            return Ok(other);
        }
    }
    let devices: Vec<Device> = [runs.device].into_iter().chain(threads).collect();
    for (tf32, rounds_each) in
        [(!runs.tf32, runs.rounds_each), (runs.tf32, !runs.rounds_each), (!runs.tf32, !runs.rounds_each)]
    {
        for &device in &devices {
            if make(Runs { device, tf32, rounds_each }).is_ok_and(|made| same(&made)) {
                return Err(other_options(runs, tf32, rounds_each));
            }
        }
    }
    Ok(made)
}

/// That a bundle was compiled with other options than the caller's.
fn other_options(said: Runs, tf32: bool, rounds_each: bool) -> Vec<String> {
    let option = |name: &str, what: [&str; 2], is: bool| match is {
        true => format!("its kernels {}: it was compiled with {name}", what[1]),
        false => format!("its kernels {}: it was compiled without {name}", what[0]),
    };
    let mut out = Vec::new();
    if said.tf32 != tf32 {
        let what = ["multiply f32 as it is", "round f32 to tf32 where they multiply"];
        out.push(option("--matmul-precision tf32", what, tf32));
    }
    if said.rounds_each != rounds_each {
        let what = ["keep results of 8 and 16 bits wider inside", "round the result of each op"];
        out.push(option("--strict-float", what, rounds_each));
    }
    out
}

/// The proof of a local program by a certificate's text.
fn proved(global: &Func, local: &Func, certificate: &str) -> Result<(Proof, Certificate), Vec<String>> {
    let certificate = meshloom_certify::text::parse(certificate, global, local)
        .map_err(|e| vec![format!("its certificate cannot be read: {e}")])?;
    let proof = meshloom_certify::check(global, local, &certificate).map_err(|rejections| {
        let shown = rejections.iter().take(5).map(ToString::to_string).collect::<Vec<_>>();
        let more = rejections.len().saturating_sub(shown.len());
        if more > 0 { [shown, vec![format!("and {more} more")]].concat() } else { shown }
    })?;
    Ok((proof, certificate))
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

/// Holds the programs of the ranks against the proved program, which is cut and scheduled again, in the order of the bundle's table.
fn stages(
    entry: &Elaborated,
    contents: &EntryContents,
    found: &Pipeline,
    global: &Func,
    local: &Func,
    runs: Runs,
) -> Result<Found, Vec<String>> {
    let one = |e: String| vec![e];
    let of = entry.pipeline.as_ref().ok_or_else(|| one("the source asks for no stages".into()))?;
    if found.axis != u32::from(of.axis.0) {
        return Err(one("its stages are on another axis of the mesh than the source's".into()));
    }
    if found.schedule != csv::print(of.schedule.rows()) {
        return Err(one(format!("its table is not that of schedule `{}`", of.schedule.name)));
    }
    let tokens_per_step = contents.program.tokens_per_step;
    let outline = meshloom_lower::outline(local, global, &of.mesh, of.axis, tokens_per_step);
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
    let narrow = narrow(runs.rounds_each);
    let again = |runs: Runs| {
        let options = scheduling(runs, tokens_per_step);
        let made: Result<Vec<Scheduled>, _> = programs.iter().map(|p| scheduled(p, &options)).collect();
        made.map_err(|e| one(format!("cannot be scheduled again: {}", e.message)))
    };
    let mut bare = found.ranks.clone();
    let collectives = bare.iter_mut().map(|p| without_sources(&mut p.instrs)).sum();
    let made = scheduled_again(runs, again, |made| made.iter().map(|s| &s.program).eq(&bare))?;
    let mut wrong = Vec::new();
    for (k, (m, b)) in made.iter().zip(&bare).enumerate().filter(|(_, (m, b))| m.program != **b) {
        wrong.push(format!("rank {k}: {}", difference(&m.program, b)));
        let kernels = specified(m, b);
        let func = &programs[k].program.func;
        let objection = kernels.and_then(|kernels| audit_with(func, &found.ranks[k], &kernels, narrow).err());
        wrong.extend(objection.map(|o| format!("rank {k}: {}", objected(&o))));
    }
    if !wrong.is_empty() {
        return Err(wrong);
    }
    validate_wires(found).map_err(|e| one(e.to_string()))?;
    certified(local, &programs, &found.ranks.iter().collect::<Vec<_>>()).map_err(|e| one(e.to_string()))?;
    let parts = programs.iter().zip(&found.ranks).zip(&made);
    let parts = parts.map(|((p, f), m)| (&p.program.func, f, m.kernels.as_slice()));
    let audit = staged::audit(parts, narrow).map_err(|e| one(objected(&e)))?;
    let kernels = made.iter().flat_map(Scheduled::named).map(|(symbol, spec)| (symbol.to_owned(), spec.clone()));
    Ok(Found { collectives, audit, kernels: kernels.collect() })
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
