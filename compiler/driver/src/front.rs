//! Phases `parse` to `grad`: a text, Loom or StableHLO or IR, to verified global functions.
//!
//! Not here: what the text means (`syntax`, `stablehlo`, `autodiff`).

use crate::failure::verified;
use crate::program::{CompileOptions, Program};
use crate::{files, holdable};
use meshloom_autodiff as autodiff;
use meshloom_bundle::EntryKind as BundleKind;
use meshloom_ir::train::TrainSpec;
use meshloom_ir::{Func, Port, Role, Span, parse, verify};
use meshloom_source::assertion::Assert;
use meshloom_source::entry::{self, EntryKind, Memory};
use meshloom_source::{CompileResult, Diagnostic, Failure, FrontOptions, SourceMap};
use meshloom_stage::{Boundaries, NotCut};
use meshloom_strategy::entry::Elaborated;
use meshloom_strategy::offload;
use meshloom_strategy::pipelining::{Stages, stages, step};
use meshloom_syntax::elaborate;
use meshloom_syntax::import;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Phases `parse` to `grad`: a source text to verified global functions. Files that it imports are read from disk, unless the
/// options have them.
///
/// # Errors
/// Every diagnostic of the source.
pub fn check(path: &str, text: &str, options: &CompileOptions) -> CompileResult<Program> {
    let start = Instant::now();
    let outcome = if is_stablehlo(path) {
        meshloom_stablehlo::compile(path, text, &options.front)
    } else {
        let mut outcome = loom(path, text, options);
        if options.front.pipe.is_some() {
            let d = Diagnostic::error("stages", "--pipe is for StableHLO programs");
            outcome.diagnostics.push(d.help("in Loom a list says its axis: `blocks: [Block; layers] @ pipe`"));
            outcome.elaborated = None;
        }
        outcome
    };
    let elaborated = match outcome.elaborated {
        Some(e) => e,
        None => return Err((Failure::Rejected(outcome.diagnostics), outcome.sources)),
    };
    let mut program = Program {
        path: path.to_string(),
        text: text.to_string(),
        sources: outcome.sources,
        layout: elaborated.layout,
        target: options.plan.target.clone(),
        tf32: options.tf32,
        diagnostics: outcome.diagnostics,
        entries: Vec::new(),
        asserts: elaborated.asserts,
        timings: Vec::new(),
    };
    if is_stablehlo(path) {
        program.asserts.extend(asserted(&elaborated.entries, &options.asserts)?);
    }
    program.timed("elaborate", start);
    let start = Instant::now();
    let mut errors = Vec::new();
    for e in elaborated.entries {
        let made = entry(e, options, &program.sources, &mut program.diagnostics);
        match made {
            Ok(e) => {
                errors.extend(holdable::refused(&e));
                program.entries.push(e);
            }
            Err(Failure::Rejected(mut d)) => errors.append(&mut d),
            Err(other) => return Err((other, program.sources)),
        }
    }
    program.timed("grad", start);
    if errors.is_empty() { Ok(program) } else { Err((Failure::Rejected(errors), program.sources)) }
}

/// What a file that is no text is, where that is known, and how to have it as text.
pub fn binary(bytes: &[u8]) -> Option<String> {
    meshloom_stablehlo::foreign::binary(bytes)
}

/// Whether a file holds StableHLO: by its name, as `opt` and `plan` take text from anywhere.
pub fn is_stablehlo(path: &str) -> bool {
    // What the command line traces has no file.
    path.starts_with("hf:") || Path::new(path).extension().is_some_and(|e| e == "mlir" || e == "stablehlo")
}

/// What the caller asserts, of a program whose language has no assertions: as Loom reads it in a file with the same mesh.
fn asserted(entries: &[entry::Entry], asserts: &[String]) -> CompileResult<Vec<Assert>> {
    let Some(e) = entries.first().filter(|_| !asserts.is_empty()) else { return Ok(Vec::new()) };
    let axes: Vec<String> = e.func.mesh.axes.iter().map(|(name, size)| format!("{name}: {size}")).collect();
    let text = format!("mesh [{}]", axes.join(", "));
    let front = FrontOptions { asserts: asserts.to_vec(), ..FrontOptions::default() };
    let outcome = elaborate::compile("the mesh", &text, &front);
    match outcome.elaborated {
        // Places in this text are none in the program's.
        Some(e) => Ok(e.asserts.into_iter().map(|a| Assert { span: Span::default(), ..a }).collect()),
        None => Err((Failure::Rejected(outcome.diagnostics), outcome.sources)),
    }
}

/// The loss of a `train` as it is where nothing is trained, of a batch [`autodiff::LARGER`] times as large as the program's.
///
/// # Errors
/// Why there is none.
pub(crate) fn larger(program: &Program, train: &str, options: &CompileOptions) -> Result<Func, autodiff::Coupled> {
    let none = |message: String| autodiff::Coupled { span: Span::default(), message };
    if is_stablehlo(&program.path) {
        return Err(none("the size of the batch is written in the program".into()));
    }
    let mut options = options.clone();
    (options.front.entry, options.front.batches) = (Some(train.to_owned()), autodiff::LARGER);
    options.asserts.clear();
    let outcome = loom(&program.path, &program.text, &options);
    let wrong = outcome.diagnostics.iter().find(|d| d.is_error()).map(|d| d.message.clone());
    let made = outcome.elaborated.and_then(|e| e.entries.into_iter().next());
    let mut func = match made {
        Some(entry::Entry { kind: EntryKind::Train { evaluation: Some(func), .. }, .. }) => *func,
        Some(e) => e.func,
        None => return Err(none(format!("with a larger batch, {}", wrong.unwrap_or_default()))),
    };
    if autodiff::custom::written_out(&mut func) {
        func = autodiff::prune(&func);
    }
    Ok(func)
}

fn loom(path: &str, text: &str, options: &CompileOptions) -> meshloom_source::Outcome {
    let mut front = Cow::Borrowed(&options.front);
    if !options.asserts.is_empty() {
        front.to_mut().asserts.clone_from(&options.asserts);
    }
    if front.files.is_empty() {
        let files = import::gather(path, text, &mut files::read);
        if !files.is_empty() {
            front.to_mut().files = files;
        }
    }
    elaborate::compile(path, text, &front)
}

/// Microbatches that do not add up to the batch, whatever they count for, in an output of the loss.
fn not_separable(m: &entry::Microbatch, output: &Port, coupled: &autodiff::Coupled) -> Diagnostic {
    let (what, label) = match output.role {
        Role::Loss => (String::new(), "the mean of their losses is taken"),
        _ => (format!(" in the metric `{}`", output.name), "the mean of theirs is taken"),
    };
    let d = Diagnostic::warning("accumulate", format!("{} microbatches do not add up to one batch{what}", m.count))
        .at(m.span, label)
        .also(coupled.span, coupled.message.clone());
    if output.role != Role::Loss {
        return d;
    }
    d.help("sums and means over the batch add up, and so do their quotients where the divisor depends on data alone")
        .help(
            "compute the divisor from the inputs, such as `sum(mask)`, or give it as an input that all microbatches \
               share: `count: f32`",
        )
}

/// The microbatches of a `train`, and what they cannot put together.
fn microbatches(
    e: &entry::Entry,
    m: &entry::Microbatch,
    spec: &TrainSpec,
    warnings: &mut Vec<Diagnostic>,
) -> autodiff::Microbatch {
    let parts = autodiff::parts(&e.func, &m.loss, m.count, spec);
    if m.count > 1 {
        let outputs = parts.coupled.iter().map(|(i, coupled)| not_separable(m, &e.func.outputs[*i], coupled));
        warnings.extend(outputs);
    }
    // A pipeline's schedule adds the gradients of its microbatches after each.
    autodiff::Microbatch { parts, count: m.count, inside: e.pipeline.is_none() }
}

fn entry(
    e: entry::Entry,
    options: &CompileOptions,
    sources: &SourceMap,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Elaborated, Failure> {
    verified("elaborate", &e.func)?;
    let (kind, global, evaluation) = match &e.kind {
        EntryKind::Function => (BundleKind::Function, e.func.clone(), None),
        EntryKind::Train { spec, state, microbatch, evaluation, .. } => {
            let microbatch = microbatch.as_ref().map(|m| microbatches(&e, m, spec, warnings));
            let opts = autodiff::TrainOptions {
                gradients: options.gradients,
                state: state.clone(),
                wide: true,
                staged: e.pipeline.is_some(),
                microbatch,
                ..autodiff::TrainOptions::default()
            };
            let mut step = autodiff::train_step(&e.func, spec, &opts).map_err(|x| {
                let at = if x.span == Span::default() { e.span } else { x.span };
                let d = Diagnostic::error(x.code, x.message).at(at, "");
                Failure::Rejected(vec![match x.help {
                    Some(help) => d.help(help),
                    None => d,
                }])
            })?;
            step.name.clone_from(&e.name);
            (BundleKind::Train, step, evaluation.as_deref().cloned())
        }
    };
    let (global, pipeline) = match &e.pipeline {
        Some(asked) if matches!(e.kind, EntryKind::Function) && asked.list != Port::ALL_LAYERS => {
            match forward(asked, &e.func, sources) {
                Some((global, of)) => (global, Some(Box::new(of))),
                None => (global, None),
            }
        }
        Some(asked) => {
            let count = match &e.kind {
                EntryKind::Train { microbatch, .. } => microbatch.as_ref().map_or(1, |m| m.count),
                EntryKind::Function => meshloom_stage::microbatches(&e.func, &asked.list).unwrap_or(1),
            };
            let of = stages(asked, &e.func, count, sources, warnings).map_err(Failure::Rejected)?;
            let state = e.func.outputs.iter().find(|p| p.updates.is_some() && p.role == Role::Parameter);
            let global = step(&global, &of).ok_or_else(|| {
                let message = format!("`{}` is the axis of the stages, and the step names it", asked.axis);
                Failure::Rejected(vec![Diagnostic::error("stages", message).at(asked.span, "")])
            })?;
            if let Some(d) = state.and_then(|port| not_carried(port, asked, &global, &of)) {
                return Err(Failure::Rejected(vec![d]));
            }
            (global, Some(Box::new(of)))
        }
        None => (global, None),
    };
    verified("grad", &global)?;
    let (memory, settings) = match e.kind {
        EntryKind::Train { memory, settings, .. } => (memory, settings),
        EntryKind::Function => (Memory::default(), BTreeMap::new()),
    };
    let mut global = global;
    let offload = options.offload.or(memory.offload).unwrap_or_default();
    offload::place(&mut global, offload);
    let (name, span, elaborated) = (e.name, e.span, e.func);
    let (last_apart, derived) = (false, false);
    let made = Elaborated {
        name,
        kind,
        span,
        memory,
        elaborated,
        evaluation,
        global,
        pipeline,
        last_apart,
        derived,
        settings,
    };
    let refused = (offload.stashes() && kind == BundleKind::Train).then(|| offload::without_stashes(&made, span));
    match refused.flatten() {
        Some(d) => Err(Failure::Rejected(vec![d])),
        None => Ok(made),
    }
}

/// What is wrong with state fields that the loss changes, in a `train` with pipeline stages; `port` is one of them. Each microbatch
/// gets what the one before it left, so they have to go one way, and nothing may be read before it is there.
fn not_carried(port: &Port, asked: &entry::Pipelining, global: &Func, of: &Stages) -> Option<Diagnostic> {
    let name = &of.schedule.name;
    if of.schedule.placement().routes().len() > 1 {
        let message =
            format!("the state `{}` changes with every microbatch, and with `{name}` these go two ways", port.name);
        let span = if of.schedule_span == Span::default() { asked.span } else { of.schedule_span };
        let d = Diagnostic::error("stages", message).at(span, "").also(port.span, "the state");
        return Some(d.help("with `1f1b`, `interleaved` or `zb-v` they go one way"));
    }
    let boundaries = Boundaries { list: of.list.clone(), sizes: of.sizes.clone(), weights: false, ways: 1 };
    let port = match meshloom_stage::cut(global, &boundaries) {
        Err(NotCut::State { input }) => &global.inputs[input],
        Ok(_) | Err(NotCut::Other(_)) => return None,
    };
    let message = format!("the state `{}` is read in an earlier pipeline stage than what changes it", port.name);
    let d = Diagnostic::error("stages", message).at(asked.span, "split into stages here").also(port.span, "the state");
    let d = d.note("each microbatch gets what the one before it left, which would not be there yet");
    Some(d.help("change it where it is first read, make it a field of the layers, or train without stages"))
}

/// An entry that trains nothing, on the devices of one of its stages; `None` where it cannot be cut into them.
fn forward(asked: &entry::Pipelining, func: &Func, sources: &SourceMap) -> Option<(Func, Stages)> {
    let of = stages(asked, func, 1, sources, &mut Vec::new()).ok()?;
    let global = step(func, &of)?;
    // A loop around that over the layers is none over microbatches.
    let around = meshloom_stage::microbatches(&global, &of.list).ok()?;
    let sizes = of.sizes.clone();
    let cut = meshloom_stage::cut(&global, &Boundaries { list: of.list.clone(), sizes, weights: false, ways: 1 });
    (around == 1 && cut.is_ok()).then_some((global, of))
}

/// Whether a text is IR: it begins with `func`, behind comments.
pub fn is_ir(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//"));
    lines.next().is_some_and(|l| l.starts_with("func ") || l.starts_with("func@"))
}

/// The text of a global program in the IR, as the one entry of a program that comes from no source.
///
/// # Errors
/// A text that cannot be read, or that does not verify.
pub fn read_ir(path: &str, text: &str, options: &CompileOptions) -> CompileResult<Program> {
    let mut sources = SourceMap::new();
    sources.add(path, text);
    let read = || {
        let func = parse::parse(text).map_err(|e| Failure::Text(format!("{path}: {e}")))?;
        let wrong = |e: Vec<_>| format!("{path}: the program does not verify\n{}", verify::show(&func, &e));
        verify::verify(&func).map_err(|e| Failure::Text(wrong(e)))?;
        Ok(func)
    };
    let func = match read() {
        Ok(func) => func,
        Err(f) => return Err((f, sources)),
    };
    Ok(Program {
        path: path.to_owned(),
        text: text.to_owned(),
        sources,
        layout: None,
        target: options.plan.target.clone(),
        tf32: options.tf32,
        diagnostics: Vec::new(),
        entries: vec![Elaborated::function(func)],
        asserts: Vec::new(),
        timings: Vec::new(),
    })
}
