//! What the server knows: the open texts, what was said of them, and what their plans decided. Requests are answered from it.

use crate::check::{ByFile, Found};
use crate::documents::Documents;
use crate::notes::Notes;
use crate::position::{Units, path_of};
use crate::snapshot::Snapshot;
use lsp_types::Uri;
use std::collections::BTreeMap;
use std::rc::Rc;

pub struct ServerState {
    pub documents: Documents,
    pub units: Units,
    /// Folders that the editor works in.
    pub roots: Vec<String>,
    /// What was said, by the open document that it was said for.
    pub said: BTreeMap<String, ByFile>,
    pub notes: BTreeMap<String, Notes>,
    /// Snapshots, with the generation of the documents that they are of.
    pub snapshots: BTreeMap<String, (u64, Rc<Snapshot>)>,
}

impl ServerState {
    pub fn new(units: Units, roots: Vec<String>) -> ServerState {
        ServerState {
            documents: Documents::default(),
            units,
            roots,
            said: BTreeMap::new(),
            notes: BTreeMap::new(),
            snapshots: BTreeMap::new(),
        }
    }

    /// What is known of an open document as it is now.
    pub fn snapshot(&mut self, uri: &Uri) -> Option<Rc<Snapshot>> {
        let path = path_of(uri);
        self.documents.get(&path)?;
        let now = self.documents.generation;
        if let Some((_, s)) = self.snapshots.get(&path).filter(|s| s.0 == now) {
            return Some(s.clone());
        }
        let s = Rc::new(Snapshot::of(&path, &self.documents)?);
        self.snapshots.insert(path, (now, s.clone()));
        Some(s)
    }

    /// What was found in a document, by whichever check.
    pub fn found<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Found> {
        self.said.values().filter_map(move |by| by.get(path)).flatten()
    }
}
