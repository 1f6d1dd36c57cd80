//! A file with all that it imports, as syntax trees, and the library beside them: what a name of one of these files means.

use crate::documents::Documents;
use meshloom_ir::FileId;
use meshloom_source::SourceText;
use meshloom_syntax::ast::{Binding, File, FnDef, Import, Imported, ItemKind, LayoutDef, Name, StructDef};
use meshloom_syntax::import::{gather, resolve};
use meshloom_syntax::library;
use meshloom_syntax::parse::parse;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Imports lead through at most so many files to a declaration.
const MAX_STEPS: usize = 64;

pub struct Source {
    pub text: String,
    pub tree: File,
}

/// Files by path. Those of the library have the paths that messages call them by, `lib/attention.loom`.
pub struct Project {
    pub main: String,
    files: BTreeMap<String, Source>,
    /// What the main file imports, as compiling wants it.
    pub imported: Vec<SourceText>,
}

/// What a name at the top of a file is declared as.
#[derive(Clone, Copy)]
pub enum Declared<'a> {
    Function(&'a FnDef),
    Struct(&'a StructDef),
    /// A dim or a constant, and which of them.
    Constant(&'a Binding, &'static str),
    Train(&'a Name),
    Layout(&'a LayoutDef),
}

impl<'a> Declared<'a> {
    pub fn name(self) -> &'a Name {
        match self {
            Declared::Function(f) => &f.name,
            Declared::Struct(s) => &s.name,
            Declared::Constant(b, _) => &b.name,
            Declared::Train(name) => name,
            Declared::Layout(l) => &l.name,
        }
    }
}

/// All declarations at the top of a file.
pub fn declarations(tree: &File) -> impl Iterator<Item = Declared<'_>> {
    tree.items.iter().flat_map(|item| match &item.kind {
        ItemKind::Fn(f) => vec![Declared::Function(f)],
        ItemKind::Struct(s) => vec![Declared::Struct(s)],
        ItemKind::Dim(b) => b.iter().map(|b| Declared::Constant(b, "dim")).collect(),
        ItemKind::Const(b) => b.iter().map(|b| Declared::Constant(b, "const")).collect(),
        ItemKind::Train { name, .. } => vec![Declared::Train(name)],
        ItemKind::Layout(l) => vec![Declared::Layout(l)],
        ItemKind::Mesh(_) | ItemKind::Assert(_) | ItemKind::Import(_) | ItemKind::Error => Vec::new(),
    })
}

/// The library's files: parsed once.
fn standard() -> &'static BTreeMap<String, Source> {
    static FILES: OnceLock<BTreeMap<String, Source>> = OnceLock::new();
    FILES.get_or_init(|| {
        let one = |&(name, text): &(&str, &str)| {
            (name.to_string(), Source { text: text.to_string(), tree: parse(FileId(0), text).file })
        };
        library::FILES.iter().map(one).collect()
    })
}

/// Whether a path is that of a file of the library.
pub fn is_library(path: &str) -> bool {
    standard().contains_key(path)
}

/// What a file is called before the dot.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.strip_suffix(".loom").unwrap_or(name)
}

impl Project {
    pub fn of(path: &str, text: &str, documents: &Documents) -> Project {
        let imported = gather(path, text, &mut |p| documents.read(p));
        let mut files = BTreeMap::new();
        let mut add = |path: &str, text: &str| {
            files.insert(path.to_string(), Source { text: text.to_string(), tree: parse(FileId(0), text).file });
        };
        for f in &imported {
            if let Ok(text) = f.text.as_ref()
                && f.path.ends_with(".loom")
            {
                add(&f.path, text);
            }
        }
        add(path, text);
        Project { main: path.to_string(), files, imported }
    }

    /// A file of the project, or of the library.
    pub fn file(&self, path: &str) -> Option<&Source> {
        self.files.get(path).or_else(|| standard().get(path))
    }

    /// The paths of its files, without the library.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub fn declared(&self, path: &str, name: &str) -> Option<Declared<'_>> {
        declarations(&self.file(path)?.tree).find(|d| d.name().text == name)
    }

    /// Whether a file declares or imports a dim, constant, struct or function of this name.
    pub fn is_declared(&self, path: &str, name: &str) -> bool {
        let own = self.declared(path, name);
        let brings = |i: &Import| match &i.what {
            Imported::Names(names) => names.iter().any(|n| n.alias.as_ref().unwrap_or(&n.name).text == name),
            Imported::All { .. } => false,
        };
        own.is_some_and(|d| !matches!(d, Declared::Train(_) | Declared::Layout(_))) || self.imports(path).any(brings)
    }

    pub fn imports<'a>(&'a self, path: &str) -> impl Iterator<Item = &'a Import> {
        let items = self.file(path).map_or(&[][..], |f| &f.tree.items);
        items.iter().filter_map(|i| if let ItemKind::Import(i) = &i.kind { Some(i) } else { None })
    }

    /// The file that stands for a name before a dot.
    pub fn qualifier(&self, path: &str, name: &str) -> Option<(&Import, String)> {
        self.imports(path).find_map(|i| {
            let Imported::All { alias } = &i.what else { return None };
            let target = resolve(path, &i.path.text);
            (alias.as_ref().map_or(stem(&target), |a| a.text.as_str()) == name).then_some((i, target))
        })
    }

    /// The file and the name of what `name` means in a file: `block`, `layers.block`.
    pub fn lookup(&self, path: &str, name: &str) -> Option<(String, String)> {
        self.follow(path, name, MAX_STEPS)
    }

    fn follow(&self, path: &str, name: &str, steps: usize) -> Option<(String, String)> {
        if let Some((file, inner)) = name.split_once('.') {
            let (_, target) = self.qualifier(path, file)?;
            return self.declared(&target, inner).map(|_| (target.clone(), inner.to_string()));
        }
        if self.declared(path, name).is_some() {
            return Some((path.to_string(), name.to_string()));
        }
        let imported = self.imports(path).find_map(|i| {
            let Imported::Names(names) = &i.what else { return None };
            let n = names.iter().find(|n| n.alias.as_ref().unwrap_or(&n.name).text == name)?;
            Some((resolve(path, &i.path.text), n.name.text.as_str()))
        });
        match imported {
            Some((target, name)) if steps > 0 => self.follow(&target, name, steps - 1),
            Some(_) => None,
            None => self.in_library(name),
        }
    }

    fn in_library(&self, name: &str) -> Option<(String, String)> {
        let mut files = standard().iter();
        files.find_map(|(path, f)| {
            let mut shared = declarations(&f.tree).filter(|d| matches!(d, Declared::Function(_) | Declared::Struct(_)));
            shared.any(|d| d.name().text == name).then(|| (path.clone(), name.to_string()))
        })
    }

    /// The struct of a type as elaboration shows it: `Block`, `LayerNorm[embed]`, `layers.Block`.
    pub fn structure(&self, shown: &str) -> Option<(String, &StructDef)> {
        let name = shown.split('[').next().unwrap_or(shown);
        let (path, name) = match name.rsplit_once('.') {
            None => self.lookup(&self.main, name)?,
            Some(("lib", name)) => self.in_library(name)?,
            Some((file, name)) => {
                let dotted = |p: &str| p.trim_end_matches(".loom").replace('/', ".");
                let path = self.files.keys().find(|p| stem(p) == file || dotted(p) == file)?;
                (path.clone(), name.to_string())
            }
        };
        match self.declared(&path, &name)? {
            Declared::Struct(s) => Some((path, s)),
            _ => None,
        }
    }

    /// Structs of the project's own files with a field of this name.
    pub fn owners(&self, field: &str) -> Vec<(String, &StructDef)> {
        let mut out = Vec::new();
        for (path, source) in self.files.iter().chain(standard()) {
            for d in declarations(&source.tree) {
                if let Declared::Struct(s) = d
                    && s.fields.iter().any(|f| f.name.text == field)
                {
                    out.push((path.clone(), s));
                }
            }
        }
        out
    }

    /// Names that code of the file sees at its top, without those of the library.
    pub fn visible(&self, path: &str) -> Vec<(String, String, Declared<'_>)> {
        let mut out = Vec::new();
        let own = self.file(path).map(|f| declarations(&f.tree)).into_iter().flatten();
        out.extend(own.map(|d| (d.name().text.clone(), path.to_string(), d)));
        for i in self.imports(path) {
            let target = resolve(path, &i.path.text);
            match &i.what {
                Imported::Names(names) => {
                    for n in names {
                        if let Some(d) = self.declared(&target, &n.name.text) {
                            out.push((n.alias.as_ref().unwrap_or(&n.name).text.clone(), target.clone(), d));
                        }
                    }
                }
                Imported::All { alias } => {
                    let before = alias.as_ref().map_or(stem(&target), |a| a.text.as_str());
                    let all = self.file(&target).map(|f| declarations(&f.tree)).into_iter().flatten();
                    let shared = all.filter(|d| !matches!(d, Declared::Train(_) | Declared::Layout(_)));
                    out.extend(shared.map(|d| (format!("{before}.{}", d.name().text), target.clone(), d)));
                }
            }
        }
        out
    }

    /// Functions and structs of the library, in the order of its files.
    pub fn library() -> impl Iterator<Item = (&'static str, Declared<'static>)> {
        standard().iter().flat_map(|(path, f)| {
            let shared = declarations(&f.tree).filter(|d| matches!(d, Declared::Function(_) | Declared::Struct(_)));
            shared.map(|d| (path.as_str(), d))
        })
    }

    /// The axes of a file's mesh.
    pub fn axes(&self, path: &str) -> &[Binding] {
        let items = self.file(path).map_or(&[][..], |f| &f.tree.items);
        items
            .iter()
            .find_map(|i| if let ItemKind::Mesh(axes) = &i.kind { Some(&axes[..]) } else { None })
            .unwrap_or(&[])
    }
}
