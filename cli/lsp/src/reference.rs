//! What is known of the library and the primitives, for hovering, completion and signature help; and files of the library
//! where an editor can open them.

use crate::project::Project;
use meshloom_driver::files;
use meshloom_syntax::doc::{self, Documented};
use meshloom_syntax::library;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

fn primitives() -> &'static [Documented] {
    static ALL: OnceLock<Vec<Documented>> = OnceLock::new();
    ALL.get_or_init(doc::primitives_table)
}

pub fn is_primitive(name: &str) -> bool {
    primitive(name).is_some()
}

pub fn primitive(name: &str) -> Option<&'static Documented> {
    primitives().iter().find(|d| d.name == name)
}

/// All of them, as the reference lists them.
pub fn all_primitives() -> impl Iterator<Item = &'static Documented> {
    primitives().iter()
}

/// What stands at the top of a file of the library, by the file: read once.
fn library_items(path: &str) -> Option<&'static [Documented]> {
    static ALL: OnceLock<BTreeMap<&'static str, Vec<Documented>>> = OnceLock::new();
    let all = ALL.get_or_init(|| library::FILES.iter().map(|(name, text)| (*name, doc::items(name, text))).collect());
    all.get(path).map(Vec::as_slice)
}

/// The documentation of what stands at the top of a file.
pub fn items(project: &Project, path: &str) -> Cow<'static, [Documented]> {
    match (library_items(path), project.file(path)) {
        (Some(items), _) => Cow::Borrowed(items),
        (None, Some(file)) => Cow::Owned(doc::items(path, &file.text)),
        (None, None) => Cow::Owned(Vec::new()),
    }
}

/// The documentation of something at the top of a file.
pub fn documented(project: &Project, path: &str, name: &str) -> Option<Documented> {
    items(project, path).iter().find(|d| d.name == name).cloned()
}

/// A place on disk for a file of the library, which is written there if it is not yet: editors open files.
pub fn on_disk(path: &str) -> Option<String> {
    let text = library::FILES.iter().find(|f| f.0 == path)?.1;
    let file = folder()?.join(path);
    if files::read(&file.to_string_lossy()).ok().as_deref() != Some(text) {
        std::fs::create_dir_all(file.parent()?).ok()?;
        std::fs::write(&file, text).ok()?;
    }
    Some(file.to_string_lossy().into_owned())
}

/// The file of the library that lies at a path because [`on_disk`] put it there.
pub fn of_disk(path: &str) -> Option<&'static str> {
    let folder = folder()?;
    library::FILES.iter().map(|f| f.0).find(|f| folder.join(f) == Path::new(path))
}

/// In the user's cache; of this version, as the library is part of the language.
fn folder() -> Option<PathBuf> {
    Some(files::cache(|name| std::env::var_os(name))?.join(concat!("library-", env!("CARGO_PKG_VERSION"))))
}
