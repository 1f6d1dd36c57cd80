//! The texts that spans point into. The user's files are file 0 upwards. The library's files come last, so that the
//! default span ("no place") never means a library line.

use crate::origin::Origins;
use meshloom_ir::{FileId, Span};
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub struct SourceFile {
    /// What messages call it: the path as the user gave it, or `lib/attention.loom`.
    pub name: String,
    pub text: String,
    /// Part of the library that ships with the compiler.
    pub library: bool,
    line_starts: Vec<u32>,
}

/// A file that a source asks for: its text, or why there is none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceText {
    /// What messages call the file.
    pub path: String,
    pub text: Result<String, String>,
}

/// Line and column, both from 1; columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    pub line: usize,
    pub column: usize,
}

/// All files of a compilation.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    /// Of text that was made from other text.
    pub origins: Box<Origins>,
    /// The rules of layout blocks that say how tensors lie, by the role that a rule names (`params`, `state`, `inputs`) and the path of
    /// the parameter or input.
    pub rules: BTreeMap<(&'static str, String), Span>,
}

impl SourceMap {
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.push(name.into(), text.into(), false)
    }

    /// Adds a file of the library that ships with the compiler.
    pub fn add_library(&mut self, name: &str, text: &str) -> FileId {
        self.push(name.into(), text.into(), true)
    }

    fn push(&mut self, name: String, text: String, library: bool) -> FileId {
        let line_starts = std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i as u32 + 1)).collect();
        self.files.push(SourceFile { name, text, library, line_starts });
        FileId(self.files.len() as u32 - 1)
    }

    pub fn files(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(i, f)| (FileId(i as u32), f))
    }

    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(file.0 as usize)
    }

    /// The text of a span; empty where it points nowhere.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text.get(span.start as usize..span.end as usize)).unwrap_or("")
    }

    /// Line and column of the start of a span.
    pub fn position(&self, span: Span) -> Option<Position> {
        let file = self.get(span.file)?;
        Some(file.position(span.start as usize))
    }

    /// `gpt.loom:22`, the form in which plans and messages name a place.
    pub fn place(&self, span: Span) -> Option<String> {
        let file = self.get(span.file)?;
        Some(format!("{}:{}", file.name, file.position(span.start as usize).line))
    }
}

impl SourceFile {
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.line_starts.partition_point(|&s| s as usize <= offset);
        let start = self.line_starts[line - 1] as usize;
        let column = self.text.get(start..offset).map_or(offset - start, |s| s.chars().count()) + 1;
        Position { line, column }
    }
}
