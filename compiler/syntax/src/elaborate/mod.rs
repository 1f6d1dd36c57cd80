//! Syntax tree to IR: functions are instantiated and inlined, shapes are checked in the user's own dim names, layouts
//! become constraints on mesh axes. Each entry becomes one global [`Func`].
//!
//! Two things stay regions: a `for` loop over tensors (a `repeat`) and a call of a composite that has its own kernel (a
//! `composite`). Errors do not stop elaboration. What is wrong becomes [`value::Val::Error`], which silences what
//! depends on it, so that one run reports all independent mistakes.

mod assert;
mod associative;
mod block;
mod call;
mod carried_stacks;
mod chance;
mod collective;
mod consts;
mod custom;
mod differentiate;
mod dynamic;
mod emit;
mod entry;
mod expr;
mod foreign;
mod index;
mod layered;
mod layout;
mod loops;
mod manual;
mod microbatch;
mod model;
mod numbers;
mod optimizer;
mod pick;
mod placed;
mod prefix;
mod primitive;
mod prims;
mod program;
mod prune;
mod recompute;
mod request;
mod rules;
mod scan;
mod scatter;
mod schedule;
pub mod seen;
mod settings;
mod shapes;
mod stages;
mod state;
mod tell;
mod types;
mod update;
pub mod value;
mod while_loop;
mod window;

pub use collective::collectives;
pub use optimizer::train_spec;
pub use prims::primitives;

pub use seen::Typed;

use crate::ast;
use crate::import;
use crate::library::FILES;
use crate::overrides;
use meshloom_ir::FileId;
use meshloom_source::entry::{Overrides, ScheduleChoice};
use meshloom_source::{Diagnostic, FrontOptions, Outcome, SourceMap};
use seen::Seen;
use std::collections::BTreeSet;

/// Leaves the first [`state::MAX_ERRORS`] diagnostics: nobody reads thousands, which one mistake can make.
fn bounded(diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.len() <= state::MAX_ERRORS {
        return;
    }
    // Errors come before warnings, which would hide that there are any.
    diagnostics.sort_by_key(|d| !d.is_error());
    diagnostics.truncate(state::MAX_ERRORS);
    diagnostics.sort_by_key(|d| d.primary.as_ref().map(|l| l.span));
    if let Some(last) = diagnostics.last_mut() {
        last.notes.push(format!("there are more; the first {} are shown", state::MAX_ERRORS));
    }
}

/// What messages call the assertions of the command line, which stand in no file.
const ASSERTS: &str = "--assert";
/// The same of overrides.
const OVERRIDES: &str = "the changed settings";

/// Parses, checks and elaborates a model; with `every_layout`, also under the layout blocks of its file that are not applied.
pub fn compile(name: &str, text: &str, options: &FrontOptions) -> Outcome {
    let mut made = elaborated(name, text, options, FILES, None);
    if !options.every_layout || made.elaborated.is_none() {
        return made;
    }
    let parsed = crate::parse::parse(made.file, text);
    let blocks = parsed.file.items.iter().filter_map(|i| match &i.kind {
        ast::ItemKind::Layout(l) => Some(&l.name.text),
        _ => None,
    });
    for block in blocks.filter(|b| options.layout.as_ref() != Some(*b)) {
        // Sources are added in the same order each time, so places mean the same.
        let other = FrontOptions { layout: Some(block.clone()), ..options.clone() };
        let other = elaborated(name, text, &other, FILES, None);
        for mut d in other.diagnostics.into_iter().filter(Diagnostic::is_error) {
            d.notes.push(format!("this is so under `--layout {block}`"));
            made.diagnostics.push(d);
            made.elaborated = None;
        }
    }
    made
}

/// As [`compile`], for a text that calls nothing of the library, which is not read for it.
pub fn without_library(name: &str, text: &str) -> Outcome {
    elaborated(name, text, &FrontOptions::default(), &[], None)
}

/// What the expressions and variables of a model are, also of one with errors: of what is not wrong in it.
pub fn types(name: &str, text: &str, options: &FrontOptions) -> (SourceMap, Vec<Typed>) {
    let seen = Seen::default();
    let outcome = elaborated(name, text, options, FILES, Some(&seen));
    (outcome.sources, seen.all())
}

/// Whether a name is that of a primitive, or of something in the library.
fn in_library(trees: &[ast::File], name: &str) -> bool {
    let mut names = trees.iter().flat_map(|t| &t.items).filter_map(|i| match &i.kind {
        ast::ItemKind::Fn(f) => Some(&f.name.text),
        ast::ItemKind::Struct(s) => Some(&s.name.text),
        _ => None,
    });
    prims::find(name).is_some() || names.any(|n| n == name)
}

/// The assertions of the command line, as items of a text of their own.
fn asserted(options: &FrontOptions, sources: &mut SourceMap, diagnostics: &mut Vec<Diagnostic>) -> Vec<ast::Item> {
    if options.asserts.is_empty() {
        return Vec::new();
    }
    let text: String = options.asserts.iter().map(|a| format!("assert {a}\n")).collect();
    let parsed = crate::parse::parse(sources.add(ASSERTS, text.as_str()), &text);
    diagnostics.extend(parsed.errors);
    parsed.file.items.into_iter().filter(|i| matches!(i.kind, ast::ItemKind::Assert(_))).collect()
}

/// Puts the overrides of a caller into the tree of a text. They are a text of their own.
fn overridden(
    text: &str,
    tree: &mut ast::File,
    overrides: &Overrides,
    sources: &mut SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if *overrides == Overrides::default() {
        return;
    }
    let given = overrides::declared(overrides);
    let parsed = crate::parse::parse(sources.add(OVERRIDES, given.as_str()), &given);
    diagnostics.extend(parsed.errors);
    if overrides::apply(text, tree, overrides, parsed.file).is_none() {
        let message = format!("the source has no `train {}` that can be written into", overrides.train);
        diagnostics.push(Diagnostic::error("unknown-entry", message));
    }
}

fn elaborated(
    name: &str,
    text: &str,
    options: &FrontOptions,
    library: &'static [(&'static str, &'static str)],
    seen: Option<&Seen>,
) -> Outcome {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let extra = options.layout_file.as_ref().map(|(name, text)| (sources.add(name.as_str(), text.as_str()), text));
    let library: Vec<(FileId, &str)> =
        library.iter().map(|(name, text)| (sources.add_library(name, text), *text)).collect();

    let mut user = crate::parse::parse(file, text);
    let mut diagnostics = std::mem::take(&mut user.errors);
    diagnostics.append(&mut user.warnings);
    user.file.items.extend(asserted(options, &mut sources, &mut diagnostics));
    overridden(text, &mut user.file, &options.overrides, &mut sources, &mut diagnostics);
    let imports = user.file.items.iter().any(|i| matches!(i.kind, ast::ItemKind::Import(_)));
    // Tables of schedules, so that messages can show a cell.
    for f in options.files.iter().filter(|f| import::is_table(&f.path)) {
        if let Ok(text) = &f.text {
            sources.add(f.path.as_str(), text.as_str());
        }
    }
    if let Some(ScheduleChoice::Table { file, text }) = &options.schedule {
        sources.add(file.as_str(), text.as_str());
    }
    let mut trees = Vec::new();
    for (id, text) in library {
        let parsed = crate::parse::parse(id, text);
        diagnostics.extend(parsed.errors);
        trees.push(parsed.file);
    }
    let extra = extra.map(|(id, text)| {
        let parsed = crate::parse::parse(id, text);
        diagnostics.extend(parsed.errors);
        parsed.file
    });
    let mut options = std::borrow::Cow::Borrowed(options);
    if imports {
        let declared = |name: &str| in_library(&trees, name);
        let tree = std::mem::take(&mut user.file);
        let linked = import::link(name, tree, &options.files, &mut sources, &declared, &mut diagnostics);
        user.file = linked.file;
        for (dim, _) in &mut options.to_mut().dims {
            if let Some(full) = linked.aliases.get(dim) {
                dim.clone_from(full);
            }
        }
    }
    let options = options.as_ref();
    let mut elaborated = None;
    // What is shown of types is shown of half a program too.
    let right = |diagnostics: &[Diagnostic]| seen.is_some() || !diagnostics.iter().any(Diagnostic::is_error);
    if right(&diagnostics) {
        let mut program = program::collect(name, &user.file, extra.as_ref(), &trees, options, &mut diagnostics);
        program.seen = seen;
        if right(&diagnostics) {
            elaborated = entry::elaborate(&program, &sources, options, &mut diagnostics);
        }
        sources.rules = elaborated.iter().flat_map(|e| &e.entries).flat_map(|e| rules::rules(&program, e)).collect();
        for e in elaborated.iter_mut().flat_map(|e| &mut e.entries) {
            let Some(train) = program.trains.get(e.name.as_str()) else { continue };
            let Some(accumulate) = optimizer::read(&program, *train).ok().and_then(|t| t.accumulate) else { continue };
            match microbatch::options(&program, options, &e.name, &accumulate) {
                Ok(small) => {
                    let mut errors = Vec::new();
                    let program = program::collect(name, &user.file, extra.as_ref(), &trees, &small, &mut errors);
                    let made = entry::elaborate(&program, &sources, &small, &mut errors);
                    let made = made.and_then(|m| m.entries.into_iter().next()).map(|m| m.func);
                    diagnostics.extend(microbatch::attach(&mut e.kind, &accumulate, made, errors));
                }
                Err(d) => diagnostics.push(d),
            }
        }
    }
    for e in elaborated.iter_mut().flat_map(|e| &mut e.entries) {
        microbatch::single(e);
    }
    // The same mistake in a function that is inlined twice is one mistake.
    let mut seen = BTreeSet::new();
    diagnostics.retain(|d| seen.insert((d.code, d.primary.as_ref().map(|l| l.span), d.message.clone())));
    diagnostics.sort_by_key(|d| d.primary.as_ref().map(|l| l.span));
    bounded(&mut diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        elaborated = None;
    }
    Outcome { sources, file, diagnostics, elaborated }
}
