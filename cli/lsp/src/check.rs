//! Diagnostics: those of `meshloom check`, in the form of the protocol, file by file, with the changes that their help lines
//! stand for.

use crate::position::{Lines, Units, uri_of};
use crate::reference;
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString, Range,
    TextEdit, Uri,
};
use meshloom_driver::{CompileOptions, front, pipeline};
use meshloom_ir::Span;
use meshloom_report::SourcePlace;
use meshloom_source::diagnostic::{Diagnostic as Said, Fix, Severity};
use meshloom_source::{Failure, SourceMap, SourceText};
use meshloom_syntax::elaborate;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::str::FromStr;

/// Pages of error codes.
const PAGES: &str = "https://github.com/meshloom/meshloom/blob/main/docs/errors";

/// A diagnostic and the changes that it proposes.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    pub diagnostic: Diagnostic,
    pub fixes: Vec<Fixing>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fixing {
    pub title: String,
    pub uri: Uri,
    pub edit: TextEdit,
}

/// Diagnostics by the path of the file in which they lie.
pub type ByFile = BTreeMap<String, Vec<Found>>;

/// The diagnostics of a text.
pub struct Checked {
    pub said: Vec<Said>,
    pub sources: SourceMap,
    /// Whether it can be planned.
    pub sound: bool,
}

/// A layout that a plan gave to a tensor, or a collective that it has on a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanNote {
    /// Where in the text, lines and columns from 1.
    pub file: String,
    pub line: u64,
    pub column: u64,
    pub what: Planned,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Planned {
    Layout { entry: String, name: String, layout: String },
    Collective { entry: String, text: String, why: String },
}

/// The options of `meshloom check` and `plan`, so that an editor shows what these commands show.
fn options(files: &[SourceText]) -> CompileOptions {
    let mut options = CompileOptions::searching();
    options.front.every_layout = true;
    options.front.files = files.to_vec();
    options
}

/// What each keystroke can wait for: syntax, names, types. Most mistakes are found here.
pub fn quick(path: &str, text: &str, files: &[SourceText]) -> Checked {
    let options = options(files);
    match catch_unwind(AssertUnwindSafe(|| elaborate::compile(path, text, &options.front))) {
        Ok(o) => Checked { sound: o.elaborated.is_some(), said: o.diagnostics, sources: o.sources },
        Err(_) => broken(path, text),
    }
}

/// All phases before the plan: [`quick`], and gradients, which take longer than all else of it.
pub fn front(path: &str, text: &str, files: &[SourceText]) -> Checked {
    let options = options(files);
    let made = catch_unwind(AssertUnwindSafe(|| front::check(path, text, &options)));
    match made {
        Ok(Ok(program)) => Checked { said: program.diagnostics, sources: program.sources, sound: true },
        Ok(Err((failure, sources))) => failed(failure, sources),
        Err(_) => broken(path, text),
    }
}

/// All phases that `meshloom check` has, and what the plan decided.
pub fn whole(path: &str, text: &str, files: &[SourceText]) -> (Checked, Vec<PlanNote>) {
    let options = options(files);
    let made =
        catch_unwind(AssertUnwindSafe(|| front::check(path, text, &options).and_then(|p| pipeline::plan(p, &options))));
    match made {
        Ok(Ok(program)) => {
            let notes = program.entries.iter().flat_map(|e| notes(&program, e)).collect();
            (Checked { said: program.diagnostics, sources: program.sources, sound: true }, notes)
        }
        Ok(Err((failure, sources))) => (failed(failure, sources), Vec::new()),
        Err(_) => (broken(path, text), Vec::new()),
    }
}

fn notes(program: &meshloom_driver::Program<meshloom_driver::Planned>, e: &meshloom_driver::Planned) -> Vec<PlanNote> {
    let plan = meshloom_driver::report::of(program, e).data;
    let note = |at: &Option<SourcePlace>, what| {
        let at = at.as_ref()?;
        Some(PlanNote { file: at.file.clone(), line: at.line, column: at.column, what })
    };
    let entry = || e.name.clone();
    let layouts = plan.tensors.iter().filter(|t| t.role != "state").filter_map(|t| {
        let dims = t.layout.iter().map(|axes| match axes.as_slice() {
            [] => "_".to_string(),
            [one] => one.clone(),
            many => format!("({})", many.join(", ")),
        });
        let partial = t.partial.iter().map(|p| match p.reduction.as_str() {
            "sum" => format!(" + partial({})", p.axis),
            other => format!(" + partial({}, {other})", p.axis),
        });
        let layout = format!("[{}]{}", dims.collect::<Vec<_>>().join(", "), partial.collect::<String>());
        note(&t.source, Planned::Layout { entry: entry(), name: t.name.clone(), layout })
    });
    let collectives = plan.collectives.iter().filter_map(|c| {
        let times = if c.times_per_step > 1 { format!(" {} times", c.times_per_step) } else { String::new() };
        let bytes = meshloom_report::human::bytes(c.wire_bytes_per_device);
        let text = format!("{}({}) {}{times}, {bytes} on the wire", c.op, c.axes.join(", "), c.phase);
        note(&c.source, Planned::Collective { entry: entry(), text, why: c.why.clone() })
    });
    layouts.chain(collectives).collect()
}

fn failed(failure: Failure, sources: SourceMap) -> Checked {
    let said = match failure {
        Failure::Rejected(d) | Failure::TooLarge(d) => d,
        Failure::Internal { phase, message, .. } => {
            vec![Said::error("internal", format!("a bug of Meshloom in phase {phase}: {message}"))]
        }
        other => vec![Said::error("internal", other.to_string())],
    };
    Checked { said, sources, sound: false }
}

fn broken(path: &str, text: &str) -> Checked {
    let mut sources = SourceMap::new();
    sources.add(path, text);
    let d = Said::error("internal", "a bug of Meshloom: this text could not be checked")
        .help("`meshloom check` with this file writes a reproducer");
    Checked { said: vec![d], sources, sound: false }
}

/// The diagnostics by file. What has no place stands at the beginning of `main`; what is wrong in the library, at the user's call.
pub fn by_file(checked: &Checked, main: &str, units: Units) -> ByFile {
    let mut out = ByFile::from([(main.to_string(), Vec::new())]);
    for d in &checked.said {
        let own = |s: Span| checked.sources.get(s.file).filter(|f| !f.library);
        let place = d.primary.iter().chain(&d.secondary).find(|l| own(l.span).is_some()).map(|l| l.span);
        let file = place.and_then(own).map_or(main, |f| f.name.as_str());
        let range = place.and_then(|s| range(&checked.sources, s, units)).unwrap_or_default();
        let found =
            Found { diagnostic: shown(d, place, range, &checked.sources, units), fixes: fixes(d, checked, units) };
        out.entry(file.to_string()).or_default().push(found);
    }
    out
}

fn range(sources: &SourceMap, span: Span, units: Units) -> Option<Range> {
    Some(Lines::new(&sources.get(span.file)?.text, units).span(span))
}

fn location(sources: &SourceMap, span: Span, units: Units) -> Option<Location> {
    let file = sources.get(span.file)?;
    let path = if file.library { reference::on_disk(&file.name)? } else { file.name.clone() };
    Some(Location { uri: uri_of(&path)?, range: range(sources, span, units)? })
}

fn shown(d: &Said, place: Option<Span>, range: Range, sources: &SourceMap, units: Units) -> Diagnostic {
    let mut message = d.message.clone();
    let label = d.primary.as_ref().filter(|l| Some(l.span) == place).map_or("", |l| l.text.as_str());
    if !label.is_empty() {
        message.push_str(&format!("\n{label}"));
    }
    d.notes.iter().for_each(|n| message.push_str(&format!("\nnote: {n}")));
    d.help.iter().for_each(|h| message.push_str(&format!("\nhelp: {h}")));
    let others = d.primary.iter().chain(&d.secondary).filter(|l| Some(l.span) != place);
    let related: Vec<_> = others
        .filter_map(|l| {
            let message = if l.text.is_empty() { "here".to_string() } else { l.text.clone() };
            Some(DiagnosticRelatedInformation { location: location(sources, l.span, units)?, message })
        })
        .collect();
    let page = d.number() != d.code;
    Diagnostic {
        range,
        severity: Some(match d.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        }),
        code: Some(NumberOrString::String(d.number().to_string())),
        code_description: Uri::from_str(&format!("{PAGES}/{}.md", d.number()))
            .ok()
            .filter(|_| page)
            .map(|href| CodeDescription { href }),
        source: Some("meshloom".into()),
        message,
        related_information: (!related.is_empty()).then_some(related),
        tags: None,
        data: None,
    }
}

fn fixes(d: &Said, checked: &Checked, units: Units) -> Vec<Fixing> {
    let one = |f: &Fix| {
        let at = location(&checked.sources, f.span, units)
            .filter(|_| checked.sources.get(f.span.file).is_some_and(|file| !file.library))?;
        let help = d.help.get(f.help)?;
        let title = match help.strip_prefix("did you mean ") {
            Some(_) => format!("change to `{}`", f.with),
            None => help.clone(),
        };
        Some(Fixing { title, uri: at.uri, edit: TextEdit { range: at.range, new_text: f.with.clone() } })
    };
    d.fixes.iter().filter_map(one).collect()
}
