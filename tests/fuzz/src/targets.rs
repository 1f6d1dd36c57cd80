//! What is fuzzed: one row for each reader of what users bring. A target makes an input and says what is wrong with the answer.

use crate::mutate::{self, Rng};
use meshloom_bundle::{Bundle, Contents, EntryContents, EntryKind, Program, validate, write};
use meshloom_driver::{self as driver, Failure};
use meshloom_ir::FileId;
use meshloom_syntax::diagnostic::{Diagnostic, Style, json, render, to_json};
use meshloom_syntax::elaborate::{Options, compile};
use meshloom_syntax::source::SourceMap;
use meshloom_syntax::{format, parse};
use std::sync::OnceLock;

pub struct Target {
    pub name: &'static str,
    pub make: fn(&mut Rng) -> Vec<u8>,
    /// Says what is wrong with the answer; panics, time and memory are seen by the caller.
    pub run: fn(&[u8]) -> Result<(), String>,
}

pub const ALL: &[Target] = &[
    Target { name: "parser", make: source, run: parser },
    Target { name: "elaborate", make: source, run: elaborate },
    Target { name: "plan", make: small_source, run: plan },
    Target { name: "bundle", make: |rng| mutate::bytes(rng, bundle_seeds()), run: bundle },
    Target { name: "npy", make: |rng| mutate::bytes(rng, &npy_seeds()), run: npy },
];

const SOURCES: &[&str] = &[
    include_str!("../../../examples/gpt.loom"),
    include_str!("../../../examples/mlp.loom"),
    include_str!("../../filetests/elaborate/attention.loom"),
    include_str!("../../filetests/elaborate/layers.loom"),
    include_str!("../../filetests/elaborate/layout_block.loom"),
    include_str!("../../filetests/format/ragged.loom"),
];

/// Small enough to be planned many times in a second.
const SMALL: &[&str] = &[
    include_str!("../../filetests/local/mlp.loom"),
    include_str!("../../filetests/elaborate/mlp.loom"),
    include_str!("../../filetests/elaborate/layout_block.loom"),
];

/// A file test without its expectation.
fn head(text: &'static str) -> &'static str {
    text.split("// ----- ").next().unwrap_or(text)
}

fn source(rng: &mut Rng) -> Vec<u8> {
    let corpus: Vec<&str> = SOURCES.iter().map(|s| head(s)).collect();
    mutate::loom(rng, &corpus)
}

fn small_source(rng: &mut Rng) -> Vec<u8> {
    let corpus: Vec<&str> = SMALL.iter().map(|s| head(s)).collect();
    mutate::loom(rng, &corpus)
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
    let out = compile("fuzz.loom", &text, &Options::default());
    out.diagnostics.iter().take(20).try_for_each(|d| said(d, &out.sources))?;
    match out.elaborated {
        None if out.diagnostics.is_empty() => Err("refused without a word".into()),
        _ => Ok(()),
    }
}

fn plan(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let options = driver::Options::default();
    let made = driver::check("fuzz.loom", &text, &options).and_then(|p| {
        // What is large takes long, and that is no bug.
        let large = p.entries.iter().any(|e| e.global.ops.len() > 2000);
        if large { Ok(p) } else { driver::plan(p, &options).and_then(driver::lower) }
    });
    match made {
        Ok(_) => Ok(()),
        Err((Failure::Rejected(d) | Failure::TooLarge(d), _)) if d.is_empty() => Err("refused without a word".into()),
        Err((Failure::Rejected(d) | Failure::TooLarge(d), sources)) => d.iter().try_for_each(|d| said(d, &sources)),
        Err((Failure::Internal { phase, message, .. }, _)) => Err(format!("internal error in {phase}: {message}")),
        Err((Failure::Environment(_), _)) => Ok(()),
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
    let refused = match serde_json::from_slice::<Program>(input) {
        Ok(program) => match validate(&program) {
            Ok(()) => Bundle::read(&write(&contents(program)).map_err(|e| e.to_string())?).err(),
            Err(e) => Some(e),
        },
        Err(_) => Bundle::read(input).err(),
    };
    match refused {
        Some(e) if e.to_string().is_empty() => Err("refused without a word".into()),
        _ => Ok(()),
    }
}

fn contents(program: Program) -> Contents {
    let (plan, certificate) = ("plan\n".into(), "proved\n".into());
    let entry = EntryContents { kind: EntryKind::Train, program, plan, certificate };
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
        let options = driver::Options::default();
        let made = driver::check("mlp.loom", head(SMALL[0]), &options).and_then(|p| driver::plan(p, &options));
        let Ok(lowered) = made.and_then(driver::lower) else { return Vec::new() };
        let programs = lowered.entries.into_iter().filter_map(|e| e.scheduled).map(|s| s.program);
        programs
            .flat_map(|p| {
                let json = serde_json::to_vec(&p).unwrap_or_default();
                [json.clone(), json, write(&contents(p)).unwrap_or_default()]
            })
            .collect()
    })
}

fn npy(input: &[u8]) -> Result<(), String> {
    match meshloom_runtime::data::npy::parse(input) {
        Err(e) if e.is_empty() => Err("refused without a word".into()),
        _ => Ok(()),
    }
}

/// As numpy writes them: versions 1 and 2.
fn npy_seeds() -> Vec<Vec<u8>> {
    let file = |version: u8, header: &str, data: usize| {
        let mut out = b"\x93NUMPY".to_vec();
        out.extend([version, 0]);
        let header = format!("{header}\n");
        match version {
            1 => out.extend((header.len() as u16).to_le_bytes()),
            _ => out.extend((header.len() as u32).to_le_bytes()),
        }
        out.extend(header.as_bytes());
        out.extend(std::iter::repeat_n(7u8, data));
        out
    };
    vec![
        file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24),
        file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }", 40),
        file(2, "{'descr': '|u1', 'fortran_order': False, 'shape': (), }", 1),
    ]
}
