//! From a name to its declaration, to all places that mention it, and to another name for it; and the outline of a file.

use crate::check;
use crate::documents::Documents;
use crate::hover::place;
use crate::mentions::{Mention, Symbol};
use crate::position::{Lines, Units, uri_of};
use crate::project::{Declared, declarations, is_library};
use crate::reference;
use crate::snapshot::Snapshot;
use lsp_types::{DocumentSymbol, Location, SymbolKind, TextEdit};
use meshloom_syntax::token::KEYWORDS;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The most files of a folder that are searched for mentions.
const MAX_FILES: usize = 2000;

fn location(s: &Snapshot, file: &str, start: usize, end: usize, units: Units) -> Option<Location> {
    let text = &s.project.file(file)?.text;
    let range = Lines::new(text, units).range(start, end);
    let path = if is_library(file) { reference::on_disk(file)? } else { file.to_string() };
    Some(Location { uri: uri_of(&path)?, range })
}

pub fn definition(s: &Snapshot, offset: usize, units: Units) -> Option<Location> {
    let m = s.at(offset)?;
    let (file, at) = place(s, &m)?;
    let length = match &m.symbol {
        Some(Symbol::File(_)) => 0,
        Some(Symbol::Item { name, .. } | Symbol::Field { name, .. } | Symbol::Axis { name, .. }) => name.len(),
        _ => m.text.len(),
    };
    location(s, &file, at, at + length, units)
}

/// The files in which something could be mentioned: those of the project, those that are open, and those of the folders that
/// the editor works in.
fn candidates(s: &Snapshot, documents: &Documents, roots: &[String]) -> BTreeSet<String> {
    let mut all: BTreeSet<String> = s.project.paths().chain(documents.paths()).map(str::to_string).collect();
    for root in roots {
        walk(Path::new(root), &mut all, 0);
    }
    all
}

fn walk(folder: &Path, all: &mut BTreeSet<String>, depth: usize) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for e in entries {
        let (path, name) = (e.path(), e.file_name().to_string_lossy().into_owned());
        let hidden = name.starts_with('.') || name == "target" || name == "node_modules";
        if all.len() >= MAX_FILES || hidden {
            continue;
        }
        // Links are not followed: they may lead in circles.
        match e.file_type() {
            Ok(t) if t.is_dir() && depth < 16 => walk(&path, all, depth + 1),
            Ok(t) if t.is_file() && name.ends_with(".loom") => {
                all.insert(path.to_string_lossy().into_owned());
            }
            _ => {}
        }
    }
}

/// All mentions of a symbol, by file, with the text of the file.
fn mentions(
    s: &Snapshot,
    documents: &Documents,
    roots: &[String],
    symbol: &Symbol,
    name: &str,
) -> BTreeMap<String, (String, Vec<Mention>)> {
    let mut out = BTreeMap::new();
    for path in candidates(s, documents, roots) {
        let Ok(text) = documents.read(&path) else { continue };
        let aliased = text.contains("import") && text.contains(" as ");
        if !text.contains(name) && !aliased {
            continue;
        }
        let other;
        let here = if path == s.path {
            s
        } else {
            other = Snapshot::with(&path, &text, documents);
            &other
        };
        let found: Vec<Mention> =
            here.mentions(&path).all.into_iter().filter(|m| m.symbol.as_ref() == Some(symbol)).collect();
        if !found.is_empty() {
            out.insert(path, (text, found));
        }
    }
    out
}

/// The places that mention what stands at `offset`; where it is declared counts only with `declaration`.
pub fn references(
    s: &Snapshot,
    documents: &Documents,
    roots: &[String],
    offset: usize,
    declaration: bool,
    units: Units,
) -> Option<Vec<Location>> {
    let m = s.at(offset)?;
    let symbol = m.symbol.as_ref()?;
    let mut out = Vec::new();
    for (path, (text, found)) in mentions(s, documents, roots, symbol, &own_name(&m)) {
        let lines = Lines::new(&text, units);
        let uri = uri_of(&path)?;
        let wanted = found.iter().filter(|f| declaration || !f.declares);
        out.extend(wanted.map(|f| Location { uri: uri.clone(), range: lines.range(f.start as usize, f.end as usize) }));
    }
    Some(out)
}

/// What the symbol itself is called, whatever it is called here.
fn own_name(m: &Mention) -> String {
    match &m.symbol {
        Some(Symbol::Item { name, .. } | Symbol::Field { name, .. } | Symbol::Axis { name, .. }) => name.clone(),
        _ => m.text.clone(),
    }
}

/// The name under the cursor, if it can get another one.
///
/// # Errors
/// Why it cannot.
pub fn renamed(s: &Snapshot, offset: usize) -> Result<Mention, String> {
    let m = s.at(offset).ok_or("there is no name here")?;
    match &m.symbol {
        None => Err(format!("it is not known what `{}` means here", m.text)),
        Some(Symbol::Primitive(_)) => Err(format!("`{}` is a primitive of the language", m.text)),
        Some(Symbol::File(_)) => Err("the name of a file is its path: rename the file".into()),
        Some(Symbol::Item { file, .. } | Symbol::Local { file, .. } | Symbol::Field { file, .. })
            if is_library(file) =>
        {
            Err(format!("`{}` belongs to the library", m.text))
        }
        Some(_) if own_name(&m) != m.text => {
            Err(format!("`{}` is another name for `{}` here: change the import", m.text, own_name(&m)))
        }
        Some(_) => Ok(m),
    }
}

/// The edits that give what stands at `offset` another name, by file. What would no longer compile is refused.
///
/// # Errors
/// A name that is none, or that already means something where the old one stands.
pub fn rename(
    s: &Snapshot,
    documents: &Documents,
    roots: &[String],
    offset: usize,
    new: &str,
    units: Units,
) -> Result<BTreeMap<String, Vec<TextEdit>>, String> {
    let m = renamed(s, offset)?;
    let word = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && new != "_";
    if !word || KEYWORDS.contains(&new) {
        return Err(format!("`{new}` cannot be a name"));
    }
    let Some(symbol) = &m.symbol else { return Ok(BTreeMap::new()) };
    let mut edits = BTreeMap::new();
    let mut changed = documents.copy();
    for (path, (text, found)) in mentions(s, documents, roots, symbol, &m.text) {
        let lines = Lines::new(&text, units);
        // An input of a manual region is named by what it is, so the same bytes can be met twice.
        let places: BTreeSet<(usize, usize)> =
            found.iter().filter(|f| f.text == m.text).map(|f| (f.start as usize, f.end as usize)).collect();
        let mut after = text.clone();
        for (start, end) in places.iter().rev() {
            after.replace_range(*start..*end, new);
        }
        changed.set(&path, &after);
        let edit = |(start, end): &(usize, usize)| TextEdit { range: lines.range(*start, *end), new_text: new.into() };
        edits.insert(path, places.iter().map(edit).collect());
    }
    let sound = |documents: &Documents| {
        let now = Snapshot::of(&s.path, documents);
        now.map(|n| check::front(&n.path, n.text(), &n.project.imported))
    };
    if sound(documents).is_some_and(|c| c.sound)
        && let Some(after) = sound(&changed).filter(|c| !c.sound)
    {
        let why = after.said.iter().find(|d| d.is_error()).map_or("", |d| d.message.as_str());
        return Err(format!("with the name `{new}` the program would be wrong: {why}"));
    }
    Ok(edits)
}

/// What stands at the top of a file, with the fields of structs.
pub fn outline(s: &Snapshot, units: Units) -> Vec<DocumentSymbol> {
    let Some(source) = s.project.file(&s.path) else { return Vec::new() };
    let lines = Lines::new(&source.text, units);
    #[expect(deprecated, reason = "the field of the protocol's type has to be given")]
    let symbol = |name: &str, kind, whole, own, children| DocumentSymbol {
        name: name.to_string(),
        detail: None,
        kind,
        tags: None,
        deprecated: None,
        range: lines.span(whole),
        selection_range: lines.span(own),
        children,
    };
    let whole = |d: &Declared<'_>| {
        let own = d.name().span;
        let item = source.tree.items.iter().find(|i| i.span.start <= own.start && own.end <= i.span.end);
        item.map_or(own, |i| i.span)
    };
    let one = |d: Declared<'_>| {
        let name = d.name();
        let fields = |def: &meshloom_syntax::ast::StructDef| {
            let all = def.fields.iter();
            all.map(|f| symbol(&f.name.text, SymbolKind::FIELD, f.span, f.name.span, None)).collect()
        };
        match d {
            Declared::Function(_) => symbol(&name.text, SymbolKind::FUNCTION, whole(&d), name.span, None),
            Declared::Struct(def) => symbol(&name.text, SymbolKind::STRUCT, whole(&d), name.span, Some(fields(def))),
            Declared::Constant(b, _) => symbol(&name.text, SymbolKind::CONSTANT, b.span, name.span, None),
            Declared::Train(_) => symbol(&name.text, SymbolKind::EVENT, whole(&d), name.span, None),
            Declared::Layout(_) => symbol(&name.text, SymbolKind::OBJECT, whole(&d), name.span, None),
        }
    };
    declarations(&source.tree).map(one).collect()
}
