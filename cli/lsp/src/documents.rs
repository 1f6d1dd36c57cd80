//! The texts that the editor has open. They hide what is on disk under the same path, also for the files that import them.

use crate::position::{Lines, Units, path_of, uri_of};
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use meshloom_driver::files;
use std::collections::BTreeMap;

#[derive(Clone)]
pub struct Document {
    pub uri: Uri,
    pub text: String,
    pub version: i32,
}

/// Open documents by path.
#[derive(Default)]
pub struct Documents {
    open: BTreeMap<String, Document>,
    /// Counts changes: what was made of the texts is valid for one number.
    pub generation: u64,
}

impl Documents {
    pub fn open(&mut self, uri: Uri, version: i32, text: String) -> String {
        let path = path_of(&uri);
        self.open.insert(path.clone(), Document { uri, text, version });
        self.generation += 1;
        path
    }

    pub fn close(&mut self, uri: &Uri) {
        self.open.remove(&path_of(uri));
        self.generation += 1;
    }

    /// Carries out edits, one after the other. Those of a document that is not open are ignored.
    pub fn change(&mut self, uri: &Uri, version: i32, edits: Vec<TextDocumentContentChangeEvent>, units: Units) {
        let Some(doc) = self.open.get_mut(&path_of(uri)) else { return };
        doc.version = version;
        for e in edits {
            match e.range {
                None => doc.text = e.text,
                Some(range) => {
                    let lines = Lines::new(&doc.text, units);
                    let (start, end) = (lines.offset(range.start), lines.offset(range.end));
                    doc.text.replace_range(start..end.max(start), &e.text);
                }
            }
        }
        self.generation += 1;
    }

    /// The same texts, to try something with.
    pub fn copy(&self) -> Documents {
        Documents { open: self.open.clone(), generation: self.generation }
    }

    /// Another text under a path, as if it were open.
    pub fn set(&mut self, path: &str, text: &str) {
        if let Some(uri) = uri_of(path) {
            self.open.insert(path.to_string(), Document { uri, text: text.to_string(), version: 0 });
        }
    }

    pub fn get(&self, path: &str) -> Option<&Document> {
        self.open.get(path)
    }

    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.open.keys().map(String::as_str)
    }

    /// The text of a file: as it is edited, or as it is on disk.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(&self, path: &str) -> Result<String, String> {
        self.open.get(path).map_or_else(|| files::read(path), |d| Ok(d.text.clone()))
    }
}
