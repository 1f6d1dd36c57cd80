//! The state of the server, from which it answers requests: the open texts, the diagnostics of their checks, and what their
//! plans decided.

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
    /// The diagnostics of the last check, by the open document that was checked.
    pub said: BTreeMap<String, ByFile>,
    pub notes: BTreeMap<String, Notes>,
    /// Snapshots, each with the generation of the documents from which it was made.
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

    /// All diagnostics that lie in a document, of the checks of all open documents.
    pub fn found<'a>(&'a self, path: &'a str) -> impl Iterator<Item = &'a Found> {
        self.said.values().filter_map(move |by| by.get(path)).flatten()
    }
}
