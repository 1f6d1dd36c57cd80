//! Several files as one program: which files a source imports ([`gather`]), and which file each name belongs to
//! ([`link`]).
//!
//! An imported file gives its dims, constants, structs and functions. Its mesh, programs, layouts and assertions count
//! only when that file itself is compiled. Every file has names of its own: its declarations hide those of the library,
//! and it sees nothing of the files that import it.
//!
//! This module reads no file. The caller passes a loader and gets back what was loaded, so that compiling stays a
//! function of texts.

mod link;
mod rename;

pub use link::{Linked, link};
pub use rename::LIBRARY;

use crate::ast::{Expr, ExprKind, Import, Item, ItemKind};
use crate::parse::parse;
use meshloom_ir::FileId;
use meshloom_source::SourceText;
use std::collections::BTreeSet;

/// The most files of one program.
pub const MAX_FILES: usize = 1000;
/// The most text of all imported files together, in bytes.
pub const MAX_TEXT: usize = 64 << 20;

/// Whether the schedule of a `train` is a table in a file.
pub fn is_table(schedule: &str) -> bool {
    schedule.ends_with(".csv")
}

/// Whether a file is named as a Loom source is. Others are not even read: messages show lines of what cannot be parsed, and a source
/// must not make them show lines of any file.
fn is_source(path: &str) -> bool {
    path.ends_with(".loom")
}

const NO_SOURCE: &str = "imported files are called `NAME.loom`";

/// All files that a source imports, directly or not, and the tables that its `train`s name, in the order in which they are met. A
/// file is
/// called as [`resolve`] writes its path.
pub fn gather(path: &str, text: &str, load: &mut dyn FnMut(&str) -> Result<String, String>) -> Vec<SourceText> {
    let mut out: Vec<SourceText> = Vec::new();
    let mut seen = BTreeSet::from([normal(path)]);
    let mut open: Vec<String> = wanted(path, text, true);
    let mut bytes = 0;
    while let Some(next) = open.pop() {
        if !seen.insert(next.clone()) {
            continue;
        }
        let text = if !is_source(&next) && !is_table(&next) {
            Err(NO_SOURCE.into())
        } else if out.len() >= MAX_FILES {
            Err(format!("a program has at most {MAX_FILES} files"))
        } else {
            load(&next).and_then(|text| {
                bytes += text.len();
                if bytes > MAX_TEXT {
                    Err(format!("imported files have at most {MAX_TEXT} bytes in all"))
                } else {
                    Ok(text)
                }
            })
        };
        if let Ok(text) = &text
            && !is_table(&next)
        {
            open.extend(wanted(&next, text, false));
        }
        out.push(SourceText { path: next, text });
    }
    out
}

/// Paths that a file imports, last one first. Only the `train`s of the main file count, and so their tables.
fn wanted(path: &str, text: &str, main: bool) -> Vec<String> {
    // Most files import nothing, and need not be read twice.
    let named = main && text.contains(".csv");
    if !named && !text.contains("import") {
        return Vec::new();
    }
    let tree = parse(FileId(0), text).file;
    let tables = tree
        .items
        .iter()
        .filter(|_| main)
        .filter_map(|i| if let ItemKind::Train { optimizer, .. } = &i.kind { schedule(optimizer) } else { None });
    let mut all: Vec<&str> = imports(&tree.items).map(|i| i.path.text.as_str()).chain(tables).collect();
    all.reverse();
    all.into_iter().map(|asked| resolve(path, asked)).collect()
}

/// The table that a `train` names.
fn schedule(optimizer: &Expr) -> Option<&str> {
    let ExprKind::Call { args, .. } = &optimizer.bare().kind else { return None };
    let named = args.iter().find(|a| a.name.as_ref().is_some_and(|n| n.text == "schedule"))?;
    match &named.value.bare().kind {
        ExprKind::Str(path) if is_table(path) => Some(path),
        _ => None,
    }
}

fn imports(items: &[Item]) -> impl DoubleEndedIterator<Item = &Import> {
    items.iter().filter_map(|i| if let ItemKind::Import(i) = &i.kind { Some(i) } else { None })
}

/// `asked`, as it is written in file `from`, as a path from where `from` is one.
pub fn resolve(from: &str, asked: &str) -> String {
    if asked.starts_with('/') {
        return normal(asked);
    }
    match from.rfind('/') {
        Some(at) => normal(&format!("{}/{asked}", &from[..at])),
        None => normal(asked),
    }
}

/// The path without `.` and, where something stands before it, `..`.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." if parts.last().is_some_and(|p| *p != "..") => drop(parts.pop()),
            other => parts.push(other),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_the_importing_file() {
        for (from, asked, expected) in [
            ("gpt.loom", "layers.loom", "layers.loom"),
            ("examples/gpt.loom", "layers.loom", "examples/layers.loom"),
            ("examples/gpt.loom", "./lib/../layers.loom", "examples/layers.loom"),
            ("examples/gpt.loom", "../common/layers.loom", "common/layers.loom"),
            ("gpt.loom", "../../layers.loom", "../../layers.loom"),
            ("/a/b.loom", "c.loom", "/a/c.loom"),
            ("a/b.loom", "/c.loom", "/c.loom"),
            ("<stdin>", "c.loom", "c.loom"),
        ] {
            assert_eq!(resolve(from, asked), expected, "{asked} in {from}");
        }
    }

    #[test]
    fn each_file_is_loaded_once_cycles_or_not() {
        let mut asked = Vec::new();
        let files = gather("m.loom", "import \"a.loom\"\nimport x from \"b.loom\"\n", &mut |path| {
            asked.push(path.to_string());
            match path {
                "a.loom" => Ok("import \"b.loom\"\nimport \"m.loom\"".into()),
                "b.loom" => Ok("import \"a.loom\"\nimport \"none.loom\"".into()),
                _ => Err("not there".into()),
            }
        });
        assert_eq!(asked, ["a.loom", "b.loom", "none.loom"]);
        assert_eq!(files.iter().filter(|f| f.text.is_err()).count(), 1);
    }
}
