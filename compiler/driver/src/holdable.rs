//! What no bundle holds of an entry: names that are too long or cannot be shown, tensors of too many dims, lists of too many layers.
//! It is asked before anything is planned, with the line, so that a program that `check` accepts is not refused by `compile`.
//!
//! Not here: what a reader of bundles checks (`meshloom_bundle::validate`), and limits of memory, which follow from a plan.

use meshloom_bundle::limits;
use meshloom_ir::{Port, Span};
use meshloom_source::Diagnostic;
use meshloom_strategy::entry::Elaborated;
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a name that are shown where it is too long.
const SHOWN: usize = 40;

/// Everything of an entry that no bundle holds; each tensor once, whose next value has its name too.
pub fn refused(entry: &Elaborated) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    let name = &entry.name;
    out.extend(too_long("entry", name, limits::ENTRY, entry.span));
    if !limits::is_plain(name) {
        let message = format!("no file of a bundle can be called `{}`", name.escape_debug());
        let d = Diagnostic::error("too-large", message).at(entry.span, "the entry's name");
        out.push(d.help("letters of ASCII, digits, `.`, `_` and `-` can stand in the name of an entry"));
    }
    for (axis, _) in &entry.mesh().axes {
        out.extend(too_long("mesh axis", axis, limits::NAME, entry.span));
    }
    let func = &entry.global;
    let values = func.body().args.iter().chain(&func.body().yields);
    let mut seen = BTreeSet::new();
    // Tensors in lists that are too long, by the number of layers: one list may have hundreds, and state as many again.
    let mut lists: BTreeMap<u64, Vec<(&Port, Span)>> = BTreeMap::new();
    for (port, &v) in func.inputs.iter().chain(&func.outputs).zip(values) {
        if seen.insert(&port.name) {
            let span = if port.span.is_none() { entry.span } else { port.span };
            let shape = &func.ty(v).shape;
            out.extend(of_port(port, shape, span));
            let layers = if port.stacked { port.first_layer + shape.first().copied().unwrap_or(0) } else { 0 };
            if layers > limits::LAYERS {
                lists.entry(layers).or_default().push((port, span));
            }
        }
    }
    out.extend(lists.iter().map(|(layers, tensors)| too_many_layers(*layers, tensors)));
    out
}

fn too_many_layers(layers: u64, tensors: &[(&Port, Span)]) -> Diagnostic {
    let (first, span) = tensors[0];
    let name = shown(&first.name);
    let who = match tensors.len() - 1 {
        0 => format!("`{name}` has"),
        1 => format!("`{name}` and one other tensor have"),
        n => format!("`{name}` and {n} other tensors have"),
    };
    Diagnostic::error("too-large", format!("{who} {layers} layers; a bundle holds at most {}", limits::LAYERS))
        .at(span, "")
}

fn of_port(port: &Port, shape: &[u64], span: Span) -> Vec<Diagnostic> {
    let mut out: Vec<Diagnostic> = Vec::new();
    for name in std::iter::once(&port.name).chain(&port.entries) {
        out.extend(too_long("tensor", name, limits::NAME, span));
        if name.contains(char::is_control) {
            let message = format!("the name `{}` has characters that cannot be shown", name.escape_debug());
            out.push(Diagnostic::error("too-large", message).at(span, ""));
        }
    }
    if shape.len() > limits::RANK {
        let (name, n) = (shown(&port.name), shape.len());
        let message = format!("`{name}` has {n} dims; a bundle holds at most {}", limits::RANK);
        out.push(Diagnostic::error("too-large", message).at(span, ""));
    }
    out
}

fn too_long(what: &str, name: &str, most: usize, span: Span) -> Option<Diagnostic> {
    let message =
        || format!("the name of {what} `{}` has {} bytes; at most {most} are allowed", shown(name), name.len());
    (name.len() > most).then(|| Diagnostic::error("too-large", message()).at(span, ""))
}

/// The beginning of a name.
fn shown(name: &str) -> String {
    let mut end = name.len().min(SHOWN);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    if end == name.len() { name.to_string() } else { format!("{}..", &name[..end]) }
}
