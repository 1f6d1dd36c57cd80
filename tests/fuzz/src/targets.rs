//! What is fuzzed: one row for each reader of users' files. A target makes an input and says what is wrong with the
//! answer.

use crate::files;
use crate::mutate::{self, Rng};
use crate::sources::{MODULES, SMALL, SOURCES, head};
use meshloom_bundle::{Bundle, Contents, EntryContents, EntryKind, Pipeline, Program, validate_entry, write};
use meshloom_driver as driver;
use meshloom_ir::FileId;
use meshloom_source::diagnostic::{Diagnostic, Style, json, render, to_json};
use meshloom_source::{Failure, FrontOptions, SourceMap};
use meshloom_syntax::elaborate::compile;
use meshloom_syntax::{format, parse};
use std::sync::OnceLock;

pub struct FuzzTarget {
    pub name: &'static str,
    pub make: Make,
    /// Most bytes that a case may hold at a time, beyond those of its input. Programs may be large; files that are small may not be.
    pub heavy: u64,
    /// Says what is wrong with the answer; panics, time and memory are seen by the caller.
    pub run: Run,
}

pub const ALL: &[FuzzTarget] = &[
    program("parser", source, parser),
    program("elaborate", source, elaborate),
    program("plan", small_source, plan),
    program("stablehlo", module, stablehlo),
    program("bundle", |rng| mutate::bytes(rng, bundle_seeds()), bundle),
    file("npy", |rng| mutate::bytes(rng, &files::npy_seeds()), files::npy),
    file("npz", |rng| mutate::bytes(rng, &files::npz_seeds()), files::npz),
    file("weights", |rng| mutate::bytes(rng, &files::weights_seeds()), files::weights),
    file("index", |rng| mutate::bytes(rng, &files::index_seeds()), files::index),
    file("manifest", |rng| mutate::bytes(rng, &files::manifest_seeds()), files::manifest),
    file("rename", |rng| mutate::lines(rng, &files::rename_seeds()), files::rename),
    file("tokens", |rng| mutate::bytes(rng, &files::tokens_seeds()), files::tokens),
    file("megatron", |rng| mutate::bytes(rng, &files::megatron_seeds()), files::megatron),
    file("tokenizer", |rng| mutate::bytes(rng, &files::tokenizer_seeds()), files::tokenizer),
    file("target", |rng| mutate::lines(rng, &files::target_seeds()), files::target),
    file("rendezvous", |rng| mutate::bytes(rng, &files::messages_seeds()), files::messages),
    file("plan-json", |rng| mutate::bytes(rng, files::plan_seeds()), files::plan),
];

type Make = fn(&mut Rng) -> Vec<u8>;
type Run = fn(&[u8]) -> Result<(), String>;

const fn program(name: &'static str, make: Make, run: Run) -> FuzzTarget {
    FuzzTarget { name, make, heavy: 1 << 30, run }
}

const fn file(name: &'static str, make: Make, run: Run) -> FuzzTarget {
    FuzzTarget { name, make, heavy: 64 << 20, run }
}

fn source(rng: &mut Rng) -> Vec<u8> {
    let corpus: Vec<&str> = SOURCES.iter().map(|s| head(s)).collect();
    mutate::loom(rng, &corpus)
}

fn small_source(rng: &mut Rng) -> Vec<u8> {
    let corpus: Vec<&str> = SMALL.iter().map(|s| head(s)).collect();
    mutate::loom(rng, &corpus)
}

fn module(rng: &mut Rng) -> Vec<u8> {
    let text = mutate::mlir(rng, MODULES);
    if rng.below(4) == 0 { mutate::bytes(rng, &[text]) } else { text }
}

/// What is imported verifies; what is not is refused with a word.
fn stablehlo(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let out = meshloom_stablehlo::compile("fuzz.mlir", &text, &FrontOptions::default());
    out.diagnostics.iter().take(20).try_for_each(|d| said(d, &out.sources))?;
    match out.elaborated {
        None if out.diagnostics.is_empty() => Err("refused without a word".into()),
        None => Ok(()),
        Some(e) => e.entries.iter().try_for_each(|entry| {
            let first = |e: Vec<meshloom_ir::verify::VerifyError>| e.into_iter().next().map(|e| e.message);
            match meshloom_ir::verify::verify(&entry.func).map_err(first) {
                Err(m) => Err(format!("what was imported does not verify: {m:?}")),
                Ok(()) => Ok(()),
            }
        }),
    }
}

fn parser(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let parsed = parse::parse(FileId(0), &text);
    let mut sources = SourceMap::new();
    sources.add("fuzz.loom", text.as_ref());
    parsed.errors.iter().try_for_each(|d| said(d, &sources))?;
    match format::format(&text) {
        // What the formatter writes reads back, to the same.
        Ok(once) => match format::format(&once) {
            Ok(twice) if twice == once => Ok(()),
            Ok(_) => Err("formatting again changes it".into()),
            Err(e) => {
                Err(format!("the formatted text does not parse: {}", e.first().map_or("", |d| d.message.as_str())))
            }
        },
        Err(e) if e.is_empty() => Err("the formatter refuses without a word".into()),
        Err(_) => Ok(()),
    }
}

fn elaborate(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let out = compile("fuzz.loom", &text, &FrontOptions::default());
    out.diagnostics.iter().take(20).try_for_each(|d| said(d, &out.sources))?;
    match out.elaborated {
        None if out.diagnostics.is_empty() => Err("refused without a word".into()),
        _ => Ok(()),
    }
}

fn plan(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let options = driver::CompileOptions::default();
    let made = driver::check("fuzz.loom", &text, &options).and_then(|p| {
        // What is large takes long, and that is no bug.
        let large = p.entries.iter().any(|e| e.global.ops.len() > 2000);
        if large { Ok(()) } else { driver::plan(p, &options).and_then(driver::lower).map(drop) }
    });
    match made {
        Ok(()) => Ok(()),
        Err((Failure::Rejected(d) | Failure::TooLarge(d), _)) if d.is_empty() => Err("refused without a word".into()),
        Err((Failure::Rejected(d) | Failure::TooLarge(d), sources)) => d.iter().try_for_each(|d| said(d, &sources)),
        Err((Failure::Internal { phase, message, .. }, _)) => Err(format!("internal error in {phase}: {message}")),
        Err((Failure::Environment(_) | Failure::Text(_), _)) => Ok(()),
    }
}

/// A diagnostic has something to say, can be drawn, and is not about ourselves.
fn said(d: &Diagnostic, sources: &SourceMap) -> Result<(), String> {
    let text = render(d, sources, Style::Plain);
    let _ = (to_json(d, sources), json::message(d, sources));
    match d.message.is_empty() || text.is_empty() {
        true => Err("a diagnostic without a word".into()),
        false if matches!(d.code, "internal") => Err(format!("{}: {}", d.code, d.message)),
        false => Ok(()),
    }
}

/// A bundle, or the program of one: a changed byte of a bundle is caught by its hash, a changed program only by validation.
fn bundle(input: &[u8]) -> Result<(), String> {
    let program = || serde_json::from_slice::<Program>(input).ok().map(|p| contents(p, None));
    // Of an entry with pipeline stages: its outline, and then the programs of its ranks.
    let staged = || {
        let mut all = serde_json::from_slice::<Vec<Program>>(input).ok()?.into_iter();
        let outline = all.next()?;
        let ranks: Vec<Program> = all.collect();
        let pipeline = Pipeline { axis: 0, schedule: "-\n".repeat(ranks.len()), ranks };
        Some(contents(outline, Some(pipeline)))
    };
    let refused = match program().or_else(staged) {
        Some(contents) => match contents.entries.iter().try_for_each(validate_entry) {
            // An entry may have a name that no member of a bundle can have.
            Ok(()) => write(&contents).and_then(|bytes| Bundle::read(&bytes)).err(),
            Err(e) => Some(e),
        },
        None => Bundle::read(input).err(),
    };
    match refused {
        Some(e) if e.to_string().is_empty() => Err("refused without a word".into()),
        _ => Ok(()),
    }
}

fn contents(program: Program, pipeline: Option<Pipeline>) -> Contents {
    let (plan, certificate) = ("plan\n".into(), "proved\n".into());
    let entry = EntryContents { kind: EntryKind::Train, program, pipeline, plan, certificate };
    Contents {
        target: "cpu".into(),
        entries: vec![entry],
        libraries: vec![],
        sources: vec![("a.loom".into(), "".into())],
    }
}

fn bundle_seeds() -> &'static [Vec<u8>] {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let options = driver::CompileOptions::default();
        let made = driver::check("mlp.loom", head(SMALL[0]), &options).and_then(|p| driver::plan(p, &options));
        let Ok(lowered) = made.and_then(driver::lower) else { return Vec::new() };
        let programs = lowered.entries.into_iter().map(|e| e.scheduled.program);
        let mut seeds: Vec<Vec<u8>> = programs
            .flat_map(|p| {
                let json = serde_json::to_vec(&p).unwrap_or_default();
                [json.clone(), json, write(&contents(p, None)).unwrap_or_default()]
            })
            .collect();
        let staged = serde_json::to_vec(&crate::staged::programs()).unwrap_or_default();
        seeds.extend([staged.clone(), staged]);
        seeds
    })
}
