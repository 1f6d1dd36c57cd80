//! What stands under the pointer: its declaration, its type and the sizes behind it, its layout in the last plan, and its doc
//! comment.

use crate::check::PlanNote;
use crate::mentions::{Mention, NameSpace, Symbol};
use crate::notes;
use crate::position::{Lines, Units};
use crate::project::Declared;
use crate::reference;
use crate::snapshot::Snapshot;
use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use meshloom_syntax::ast::{Binding, ExprKind};

pub fn hover(s: &Snapshot, planned: &[PlanNote], offset: usize, units: Units) -> Option<Hover> {
    let lines = Lines::new(s.text(), units);
    let (text, range) = match s.at(offset) {
        Some(m) => (about(s, planned, &m, units)?, lines.range(m.start as usize, m.end as usize)),
        None => {
            let (start, end) = expression(s, offset)?;
            (typed(s, s.shown(&s.path, start, end))?, lines.range(start as usize, end as usize))
        }
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(range) })
}

/// The smallest expression around a place that is no name: an operator, a bracket.
fn expression(s: &Snapshot, offset: usize) -> Option<(u32, u32)> {
    let o = u32::try_from(offset).ok()?;
    let around = s.types_of(&s.path).keys().filter(|(start, end)| *start <= o && o < *end);
    around.min_by_key(|(start, end)| end - start).copied()
}

fn code(text: &str) -> String {
    format!("```loom\n{text}\n```")
}

fn about(s: &Snapshot, planned: &[PlanNote], m: &Mention, units: Units) -> Option<String> {
    let mut parts = Vec::new();
    let start = match m.space {
        // The expression that ends in the field.
        NameSpace::Field { base } if !m.declares => base.0,
        _ => m.start,
    };
    let shown = s.shown(&s.path, start, m.end);
    match m.symbol.as_ref() {
        Some(symbol) => parts.extend(declaration(s, m, symbol)),
        None if shown.is_empty() => return None,
        None => parts.push(code(&m.text)),
    }
    parts.extend(typed(s, shown));
    if let Some((file, at)) = place(s, m) {
        let source = &s.project.file(&file)?.text;
        let line = u64::from(Lines::new(source, units).position(at).line) + 1;
        let here: Vec<PlanNote> = planned.iter().filter(|n| n.file == file).cloned().collect();
        for (layout, entries) in notes::layouts(&here, line, &m.text) {
            parts.push(format!("planned as `@ {layout}` in {}", entries.join(", ")));
        }
    }
    Some(parts.join("\n\n")).filter(|t| !t.is_empty())
}

/// Where something is declared: the file and the byte.
pub fn place(s: &Snapshot, m: &Mention) -> Option<(String, usize)> {
    let found = match m.symbol.as_ref()? {
        Symbol::Local { file, at } => (file.clone(), *at as usize),
        Symbol::Item { file, name } => (file.clone(), s.project.declared(file, name)?.name().span.start as usize),
        Symbol::Axis { file, name } => {
            let axis = s.project.axes(file).iter().find(|b| b.name.text == *name)?;
            (file.clone(), axis.name.span.start as usize)
        }
        Symbol::Field { file, owner, name } => {
            let Declared::Struct(def) = s.project.declared(file, owner)? else { return None };
            (file.clone(), def.fields.iter().find(|f| f.name.text == *name)?.name.span.start as usize)
        }
        Symbol::File(path) => (path.clone(), 0),
        Symbol::Primitive(_) => return None,
    };
    Some(found)
}

/// The declaration as it is written, with its comment.
fn declaration(s: &Snapshot, m: &Mention, symbol: &Symbol) -> Vec<String> {
    let source = |file: &str, start: u32, end: u32| {
        s.project.file(file).and_then(|f| f.text.get(start as usize..end as usize)).unwrap_or("").to_string()
    };
    match symbol {
        Symbol::Local { file, at } => {
            let parameter = crate::project::declarations(
                &match s.project.file(file) {
                    Some(f) => f,
                    None => return Vec::new(),
                }
                .tree,
            )
            .filter_map(|d| if let Declared::Function(f) = d { Some(f) } else { None })
            .flat_map(|f| &f.params)
            .find(|p| p.name.span.start == *at);
            let declared = s.shown(file, *at, at + m.text.len() as u32);
            match (parameter, declared.first()) {
                (Some(p), _) => vec![code(&source(file, p.span.start, p.span.end))],
                (None, Some(ty)) => vec![code(&format!("let {}: {ty}", m.text))],
                (None, None) => vec![code(&m.text)],
            }
        }
        Symbol::Item { file, name } => match reference::documented(&s.project, file, name) {
            Some(d) => [code(&d.signature), d.text].into_iter().filter(|t| !t.is_empty()).collect(),
            None => match s.project.declared(file, name) {
                Some(Declared::Constant(b, kind)) => {
                    vec![code(&format!("{kind} {}", source(file, b.span.start, b.span.end)))]
                }
                _ => Vec::new(),
            },
        },
        Symbol::Axis { file, name } => {
            let axis = s.project.axes(file).iter().find(|b| b.name.text == *name);
            axis.map(|b| vec![code(&format!("mesh [{}]", source(file, b.span.start, b.span.end)))]).unwrap_or_default()
        }
        Symbol::Field { file, owner, name } => {
            let Some(Declared::Struct(def)) = s.project.declared(file, owner) else { return Vec::new() };
            let field = def.fields.iter().find(|f| f.name.text == *name);
            field
                .map(|f| vec![code(&source(file, f.span.start, f.span.end)), format!("of `{owner}`")])
                .unwrap_or_default()
        }
        Symbol::Primitive(name) => match reference::primitive(name) {
            Some(d) => vec![code(&d.signature), d.text.clone()],
            None => Vec::new(),
        },
        Symbol::File(path) => vec![format!("`{path}`")],
    }
}

/// Types, and the sizes of the dims in them.
fn typed(s: &Snapshot, types: &[String]) -> Option<String> {
    if types.is_empty() {
        return None;
    }
    let all: Vec<String> = types.iter().map(|t| format!("`{t}`")).collect();
    let mut sizes = Vec::new();
    for word in types.iter().flat_map(|t| t.split(|c: char| !c.is_alphanumeric() && c != '_')) {
        if let Some(size) = size(s, word) {
            let shown = format!("{word} = {size}");
            if !sizes.contains(&shown) {
                sizes.push(shown);
            }
        }
    }
    let sizes = if sizes.is_empty() { String::new() } else { format!(" where {}", sizes.join(", ")) };
    Some(format!("type {}{sizes}", all.join(" or ")))
}

fn size(s: &Snapshot, name: &str) -> Option<i64> {
    let (file, name) = s.project.lookup(&s.path, name)?;
    match s.project.declared(&file, &name)? {
        Declared::Constant(Binding { value, .. }, "dim") => match value.bare().kind {
            ExprKind::Int(n) => Some(n),
            _ => None,
        },
        _ => None,
    }
}
