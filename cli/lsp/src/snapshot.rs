//! What the server knows of a document at one moment: its project, and the types of what stands in it.

use crate::documents::Documents;
use crate::mentions::{Mention, Mentions, Types, mentions};
use crate::project::Project;
use meshloom_source::FrontOptions;
use meshloom_syntax::elaborate;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub struct Snapshot {
    pub path: String,
    pub project: Project,
    types: BTreeMap<String, Types>,
}

impl Snapshot {
    /// Of a document as it is open, or as it is on disk.
    pub fn of(path: &str, documents: &Documents) -> Option<Snapshot> {
        Some(Snapshot::with(path, &documents.read(path).ok()?, documents))
    }

    /// Of a document with another text.
    pub fn with(path: &str, text: &str, documents: &Documents) -> Snapshot {
        let project = Project::of(path, text, documents);
        let options = FrontOptions { files: project.imported.clone(), ..FrontOptions::default() };
        // Half a program is elaborated here, which no other command does. A mistake there costs types, and not the server.
        let made = catch_unwind(AssertUnwindSafe(|| elaborate::types(path, text, &options)));
        let mut types: BTreeMap<String, Types> = BTreeMap::new();
        if let Ok((sources, typed)) = made {
            for t in typed {
                if let Some(file) = sources.get(t.span.file) {
                    types.entry(file.name.clone()).or_default().insert((t.span.start, t.span.end), t.types);
                }
            }
        }
        Snapshot { path: path.to_string(), project, types }
    }

    pub fn text(&self) -> &str {
        self.project.file(&self.path).map_or("", |f| &f.text)
    }

    pub fn types_of(&self, path: &str) -> &Types {
        static NONE: Types = BTreeMap::new();
        self.types.get(path).unwrap_or(&NONE)
    }

    /// What stands at these bytes of a file; of a function that is used twice, all that it is.
    pub fn shown(&self, path: &str, start: u32, end: u32) -> &[String] {
        self.types_of(path).get(&(start, end)).map_or(&[], Vec::as_slice)
    }

    pub fn mentions(&self, path: &str) -> Mentions {
        mentions(&self.project, path, self.types_of(path), None)
    }

    pub fn at(&self, offset: usize) -> Option<Mention> {
        self.mentions(&self.path).at(offset).cloned()
    }
}
