//! Which file each name belongs to: the trees of all files become one tree, in which every name says its file.
//!
//! A declaration of an imported file gets the name that people would write for it, `layers.block`; the main file's
//! declarations keep their names. Every mention is rewritten to the full name of what it means in its own file, so that
//! elaboration knows of one file only. The library has the prefix [`LIBRARY`](super::LIBRARY) where a file of the user could hide it.

use super::rename::Renamer;
use super::{imports, is_table, resolve};
use crate::ast::{File, FnKind, Import, Imported, Item, ItemKind, Name};
use crate::scopes;
use meshloom_ir::Span;
use meshloom_source::suggest::nearest;
use meshloom_source::{Diagnostic, SourceMap, SourceText};
use std::collections::{BTreeMap, BTreeSet};

/// The program's files as one.
pub struct Linked {
    pub file: File,
    /// What the main file calls dims and constants of others: for `--dim`.
    pub aliases: BTreeMap<String, String>,
}

/// A file on its way: what it declares, and what its names mean.
struct Module<'a> {
    path: &'a str,
    /// `layers.`; empty for the main file.
    prefix: String,
    tree: File,
    declared: BTreeMap<String, Span>,
    /// Names as this file writes them, and their full names.
    visible: BTreeMap<String, String>,
    /// Names before the dot, and where they were declared.
    qualifiers: BTreeMap<String, Span>,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Fresh,
    Open,
    Done,
}

/// Puts the files together with `main`, whose file is called `name`. `library` says whether a name is the library's or a primitive's.
pub fn link(
    name: &str,
    main: File,
    files: &[SourceText],
    sources: &mut SourceMap,
    library: &dyn Fn(&str) -> bool,
    errors: &mut Vec<Diagnostic>,
) -> Linked {
    let mut modules = vec![module(name, String::new(), main)];
    let mut prefixes = BTreeSet::new();
    let known: BTreeMap<&str, &SourceText> = files.iter().map(|f| (f.path.as_str(), f)).collect();
    for f in files.iter().filter(|f| !is_table(&f.path)) {
        let Ok(text) = &f.text else { continue };
        let id = sources.add(f.path.as_str(), text.as_str());
        let parsed = crate::parse::parse(id, text);
        errors.extend(parsed.errors);
        errors.extend(parsed.warnings);
        let mut prefix = format!("{}.", stem(&f.path));
        if !prefixes.insert(prefix.clone()) {
            // Two files of one name: the whole path tells them apart.
            prefix = format!("{}.", f.path.trim_end_matches(".loom").replace('/', "."));
            prefixes.insert(prefix.clone());
        }
        modules.push(module(&f.path, prefix, parsed.file));
    }
    let mut order = Vec::new();
    visit(0, &mut modules, &known, &mut Vec::new(), &mut order, errors);
    let mut all = Vec::new();
    for i in order {
        let mut tree = std::mem::take(&mut modules[i].tree);
        let m = &modules[i];
        let mut renamer = Renamer::new(&m.prefix, &m.visible, &m.qualifiers, library, errors);
        scopes::file(&mut renamer, &mut tree);
        all.extend(tree.items.into_iter().filter_map(|item| kept(item, i == 0)));
    }
    Linked { file: File { items: all }, aliases: modules[0].visible.clone() }
}

fn module(path: &str, prefix: String, tree: File) -> Module<'_> {
    let mut declared = BTreeMap::new();
    for item in &tree.items {
        for name in names(item) {
            declared.entry(name.text.clone()).or_insert(name.span);
        }
    }
    let visible = declared.keys().map(|n| (n.clone(), format!("{prefix}{n}"))).collect();
    Module { path, prefix, tree, declared, visible, qualifiers: BTreeMap::new(), state: State::Fresh }
}

/// What others can import of an item.
fn names(item: &Item) -> Vec<&Name> {
    match &item.kind {
        ItemKind::Dim(b) | ItemKind::Const(b) => b.iter().map(|b| &b.name).collect(),
        ItemKind::Struct(s) => vec![&s.name],
        ItemKind::Fn(f) => vec![&f.name],
        _ => Vec::new(),
    }
}

/// What of an item goes into the program. Other files' programs and layouts stay theirs.
fn kept(mut item: Item, main: bool) -> Option<Item> {
    match &mut item.kind {
        ItemKind::Import(_) => return None,
        _ if main => {}
        ItemKind::Fn(f) if f.kind == FnKind::Entry => f.kind = FnKind::Plain,
        ItemKind::Fn(_) | ItemKind::Struct(_) | ItemKind::Dim(_) | ItemKind::Const(_) => {}
        _ => return None,
    }
    Some(item)
}

/// The file's name without folders and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".loom").unwrap_or(name)
}

/// Names of module `i`, after those of what it imports.
fn visit<'a>(
    i: usize,
    modules: &mut Vec<Module<'a>>,
    known: &BTreeMap<&str, &'a SourceText>,
    path: &mut Vec<usize>,
    order: &mut Vec<usize>,
    errors: &mut Vec<Diagnostic>,
) {
    modules[i].state = State::Open;
    path.push(i);
    let wanted: Vec<Import> = imports(&modules[i].tree.items).cloned().collect();
    for import in wanted {
        let target = resolve(modules[i].path, &import.path.text);
        let found = modules.iter().position(|m| super::normal(m.path) == target);
        let Some(other) = found else {
            let why =
                known.get(target.as_str()).and_then(|f| f.text.as_ref().err()).map_or("not found", String::as_str);
            errors.push(
                Diagnostic::error("import-file", format!("`{target}` cannot be read: {why}"))
                    .at(import.path.span, "")
                    .help("paths are relative to the file that the import stands in"),
            );
            continue;
        };
        if modules[other].state == State::Open {
            let from = path.iter().position(|&p| p == other).unwrap_or(0);
            let through: Vec<String> = path[from + 1..].iter().map(|&p| format!("`{}`", modules[p].path)).collect();
            let through = if through.is_empty() { String::new() } else { format!(", through {}", through.join(", ")) };
            errors.push(
                Diagnostic::error("import-cycle", format!("`{}` imports itself{through}", modules[other].path))
                    .at(import.path.span, "closes the circle")
                    .help("move what both need into a file that imports neither"),
            );
            continue;
        }
        // Chains of imports are short where people write them.
        if modules[other].state == State::Fresh {
            if path.len() > 64 {
                errors.push(Diagnostic::error("too-deep", "imports nest at most 64 deep").at(import.path.span, ""));
                continue;
            }
            visit(other, modules, known, path, order, errors);
        }
        bring(i, other, &import, modules, errors);
    }
    path.pop();
    modules[i].state = State::Done;
    order.push(i);
}

/// Makes what an import names visible in module `i`.
fn bring(i: usize, other: usize, import: &Import, modules: &mut [Module<'_>], errors: &mut Vec<Diagnostic>) {
    let full: BTreeMap<String, String> =
        modules[other].declared.keys().map(|n| (n.clone(), format!("{}{n}", modules[other].prefix))).collect();
    let double = |name: &Name, first: Span| {
        Diagnostic::error("duplicate", format!("`{}` is defined twice", name.text))
            .at(name.span, "imported here")
            .also(first, "first defined here")
            .help(format!("give one of them another name: `{} as ..`", name.text))
    };
    match &import.what {
        Imported::All { alias } => {
            let name = alias.clone().unwrap_or(Name { text: stem(modules[other].path).into(), span: import.path.span });
            let m = &mut modules[i];
            let first = m.declared.get(&name.text).or(m.qualifiers.get(&name.text));
            if let Some(&first) = first {
                errors.push(double(&name, first));
                return;
            }
            m.qualifiers.insert(name.text.clone(), name.span);
            m.visible.extend(full.into_iter().map(|(n, f)| (format!("{}.{n}", name.text), f)));
        }
        Imported::Names(names) => {
            for n in names {
                let Some(target) = full.get(&n.name.text) else {
                    let d =
                        Diagnostic::error("import-name", format!("`{}` has no `{}`", modules[other].path, n.name.text))
                            .at(n.name.span, "not declared there");
                    errors.push(match nearest(&n.name.text, full.keys().map(String::as_str)) {
                        Some(near) => d.did_you_mean(near),
                        None => d.help("dims, constants, structs and functions can be imported"),
                    });
                    continue;
                };
                let name = n.alias.as_ref().unwrap_or(&n.name);
                let m = &mut modules[i];
                if let Some(&first) = m.declared.get(&name.text).or(m.qualifiers.get(&name.text)) {
                    errors.push(double(name, first));
                    continue;
                }
                m.declared.insert(name.text.clone(), name.span);
                m.visible.insert(name.text.clone(), target.clone());
            }
        }
    }
}
