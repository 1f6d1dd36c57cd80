//! Which file of a crate uses which, read from the sources as text, and the circles among them.
//!
//! An arrow runs from the file that names a thing to the file that *defines* the thing. `use` items are followed, so a
//! `mod.rs` that only hands on what its children define is in no circle. A `mod.rs` that defines a type and also calls the
//! children that need the type is in one: such a type wants a file of its own. Every path counts, in `use` items and in
//! code, except in `#[cfg(test)]` items and in modules that exist only for tests.
//!
//! The same is asked of folders, where several files may make a circle that no file makes.
//!
//! What is not seen: calls of methods (a value's methods belong to the value), macros, and the generated parser.

use crate::tidy::{none, sources};
use crate::tokens::tokens;
use std::collections::{BTreeMap, BTreeSet};

/// Circles that there are: the crate's folder, where the circle's files lie (a file, or a folder with `/` at its end), and
/// why it stays. A circle that is not listed fails the test; so does an entry without a circle.
const CIRCLES: &[(&str, &[&str], &str)] = &[
    (
        "compiler/ir",
        &["builder.rs", "graph.rs", "op.rs", "print.rs", "table/", "text.rs", "verify.rs"],
        "an op's entry is a table of functions over graphs, and a graph asks the entries of its ops",
    ),
    (
        "kernels",
        &["emit/selection.rs", "emit/sort_key.rs", "spec/top_k.rs"],
        "the entry of `top_k` emits its code for GPUs itself, with the order of keys that it shares with the code for CPUs",
    ),
];

/// The same of folders: where the folders of a crate lie in a circle, though no files do.
const FOLDERS: &[(&str, &[&str], &str)] = &[
    ("compiler/ir", &["builder", "graph", "op", "print", "table", "text", "verify"], "as of its files"),
    (
        "kernels",
        &["args", "emit", "grid", "running", "spec", "summed", "tensor_map", "verify"],
        "the entry of a kind of kernel has a function for each thing that is asked of one, and these read the specifications of all kinds",
    ),
    (
        "runtime",
        &["collectives", "data", "device", "held", "measured", "shard", "trace", "world"],
        "a device runs collectives, which move bytes between the memories of devices and say in the trace how long that took",
    ),
];

#[test]
fn files_form_no_new_circles() {
    let inside = |f: &str, at: &str| f == at || at.ends_with('/') && f.starts_with(at);
    compare(CIRCLES, 2, inside, |arrows| arrows.clone());
}

#[test]
fn folders_form_no_new_circles() {
    compare(FOLDERS, 4, |f, at| f == at, by_folder);
}

type Arrows = BTreeMap<String, BTreeSet<String>>;

/// Circles that are not listed, and entries without one; at most so many may be listed.
fn compare(
    listed: &[(&str, &[&str], &str)],
    most: usize,
    inside: impl Fn(&str, &str) -> bool,
    grouped: impl Fn(&Arrows) -> Arrows,
) {
    let all = sources();
    let folders = all.iter().filter_map(|s| s.path.strip_suffix("/Cargo.toml"));
    let (mut found, mut needed) = (Vec::new(), BTreeSet::new());
    for folder in folders {
        let own = all.iter().filter_map(|s| Some((s.path.strip_prefix(folder)?.strip_prefix("/src/")?, &s.text)));
        let files: Vec<_> = own.filter(|(p, _)| p.ends_with(".rs")).map(|(p, t)| (p.to_string(), t.clone())).collect();
        let arrows = grouped(&arrows(&files));
        for circle in circles(&arrows) {
            let covers = |ats: &[&str]| circle.iter().all(|f| ats.iter().any(|at| inside(f, at)));
            match listed.iter().position(|(c, ats, _)| *c == folder && covers(ats)) {
                // An entry stands for one circle.
                Some(entry) if needed.insert(entry) => {}
                _ => found.push(told(folder, &circle, &arrows)),
            }
        }
    }
    assert!(listed.len() <= most && listed.iter().all(|(_, _, reason)| !reason.is_empty()));
    none(found, "what uses each other in a circle (move what both need below both)");
    let idle = listed.iter().enumerate().filter(|(i, _)| !needed.contains(i));
    none(idle.map(|(_, (c, ats, _))| format!("{c}: {ats:?}")).collect(), "a listed circle that is no longer there");
}

/// Arrows between what lies at the top of a crate: a file and the folder of its name are one. The root is nobody's: it hands on.
fn by_folder(arrows: &Arrows) -> Arrows {
    let top = |f: &String| f.split('/').next().unwrap_or_default().trim_end_matches(".rs").to_string();
    let mut out = Arrows::new();
    for (f, to) in arrows {
        let to = to.iter().map(top).filter(|t| *t != top(f) && !is_root(t));
        out.entry(top(f)).or_default().extend(to);
    }
    out.retain(|f, _| !is_root(f));
    out
}

fn is_root(top: &str) -> bool {
    matches!(top, "lib" | "main")
}

/// A circle with the arrows that close it.
fn told(folder: &str, circle: &[String], arrows: &Arrows) -> String {
    let line = |f: &String| {
        let to: Vec<_> = arrows[f].iter().filter(|t| circle.contains(t)).map(String::as_str).collect();
        format!("  {f} -> {}", to.join(" "))
    };
    format!("{folder}:\n{}", circle.iter().map(line).collect::<Vec<_>>().join("\n"))
}

fn crate_of(files: &[(&str, &str)]) -> Vec<Vec<String>> {
    circles(&arrows(&files.iter().map(|(p, t)| (p.to_string(), t.to_string())).collect::<Vec<_>>()))
}

#[test]
fn a_circle_is_found_through_names_handed_on() {
    // b takes what a defines by way of the root and of a renamed module; a calls b by a path in code.
    let root = ("lib.rs", "mod a; mod b; mod c; pub use a::X; use b as bee;");
    let a = ("a.rs", "pub struct X; fn f() { super::bee::g('{', '\\'', \"use crate::c::d;\") }");
    let b = ("b.rs", "use crate::{c::h, X}; pub fn g() {}");
    assert_eq!(crate_of(&[root, a, b, ("c.rs", "pub fn h() {}")]), [["a.rs", "b.rs"]]);
    // Without either arrow there is none.
    assert!(crate_of(&[root, ("a.rs", "pub struct X;"), b]).is_empty());
    assert!(crate_of(&[root, a, ("b.rs", "pub fn g() {}")]).is_empty());
}

#[test]
fn a_folder_and_its_files() {
    let child = ("t/one.rs", "use super::Entry; pub fn f() {}");
    // Handing on makes no circle; a definition beside the call of a child does.
    let handing = ("t/mod.rs", "mod one; mod entry; pub use one::f; pub use entry::Entry;");
    let entry = ("t/entry.rs", "pub struct Entry;");
    assert!(crate_of(&[("lib.rs", "mod t;"), handing, entry, child]).is_empty());
    let defining = ("t/mod.rs", "mod one; pub struct Entry; fn all() { one::f() }");
    assert_eq!(crate_of(&[("lib.rs", "mod t;"), defining, child]), [["t/mod.rs", "t/one.rs"]]);
}

#[test]
fn a_circle_of_folders_without_one_of_files() {
    let files = [("lib.rs", "mod a; mod b;"), ("a/mod.rs", "mod x; mod y;"), ("a/x.rs", "pub struct X;")];
    let more = [("a/y.rs", "use crate::b::g;"), ("b.rs", "use crate::a::x::X; pub fn g() {}")];
    let files: Vec<_> = files.iter().chain(&more).map(|(p, t)| (p.to_string(), t.to_string())).collect();
    let arrows = arrows(&files);
    assert!(circles(&arrows).is_empty());
    assert_eq!(circles(&by_folder(&arrows)), [["a", "b"]]);
}

#[test]
fn tests_make_no_circle() {
    let a = ("a.rs", "pub struct X; #[cfg(test)] mod tests { use crate::b::g; fn t() { g() } } #[cfg(test)] mod more;");
    let b = ("b.rs", "use crate::a::X; pub fn g() {}");
    let more = ("a/more.rs", "use crate::b::g;");
    assert!(crate_of(&[("lib.rs", "mod a; mod b;"), a, b, more]).is_empty());
}

/// One file of a crate: what its text says, before names are looked up.
#[derive(Default)]
struct Module {
    file: String,
    /// What `use` items bring in: the name here, the path, and whether the item only hands the name on.
    uses: Vec<Use>,
    /// Names that items of this file define.
    defines: BTreeSet<String>,
    /// Paths of two segments or more in code.
    paths: Vec<Vec<String>>,
}

struct Use {
    name: String,
    path: Vec<String>,
    glob: bool,
    public: bool,
}

/// The files of one crate, by their module paths.
type Crate = BTreeMap<Vec<String>, Module>;

/// Groups of files or folders that use each other in a loop. Sorted.
fn circles(arrows: &Arrows) -> Vec<Vec<String>> {
    let reach: BTreeMap<&String, BTreeSet<&String>> = arrows.keys().map(|f| (f, reachable(arrows, f))).collect();
    let mut groups = BTreeSet::new();
    for (file, reached) in &reach {
        if reached.contains(file) {
            let group = reached.iter().filter(|other| reach[**other].contains(file));
            groups.insert(group.map(|f| f.to_string()).collect::<Vec<_>>());
        }
    }
    groups.into_iter().collect()
}

/// For each file the files whose definitions it names; files are (path under `src`, text).
fn arrows(files: &[(String, String)]) -> Arrows {
    let mut only_tests = BTreeSet::new();
    let mut modules = Crate::new();
    let library = files.iter().any(|(p, _)| p == "lib.rs");
    // A program beside a library is a crate of its own that uses the library.
    for (path, text) in files.iter().filter(|(p, _)| !(library && p == "main.rs")) {
        let at = module_path(path);
        let tokens = tokens(text);
        let (kept, dropped) = without_tests(&tokens);
        for pair in dropped.windows(3).filter(|w| w[0] == "mod" && w[2] == ";") {
            only_tests.insert([&at[..], &pair[1..2]].concat());
        }
        modules.insert(at, read(path, &kept));
    }
    modules.retain(|at, _| !only_tests.iter().any(|t| at.starts_with(t)));
    let mut arrows = Arrows::new();
    for (at, module) in &modules {
        let used = module.uses.iter().filter(|u| !u.public);
        let named = used.filter_map(|u| match resolve(&modules, at, &u.path, 0)? {
            // A module's name alone uses nothing of it; `module::*` and `module::name` in code do.
            Found::Module(m) => u.glob.then_some(m),
            Found::Name(m) => Some(m),
        });
        let written = module.paths.iter().filter_map(|p| match resolve(&modules, at, p, 0)? {
            Found::Module(_) => None,
            Found::Name(m) => Some(m),
        });
        let to = named.chain(written).filter(|m| m != at).filter_map(|m| Some(modules.get(&m)?.file.clone()));
        arrows.insert(module.file.clone(), to.collect());
    }
    arrows
}

fn reachable<'a>(arrows: &'a Arrows, from: &String) -> BTreeSet<&'a String> {
    let mut seen = BTreeSet::new();
    let mut open: Vec<&String> = arrows[from].iter().collect();
    while let Some(f) = open.pop() {
        if seen.insert(f) {
            open.extend(&arrows[f]);
        }
    }
    seen
}

fn module_path(file: &str) -> Vec<String> {
    let mut parts: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_string).collect();
    let root = parts.len() == 1 && (parts[0] == "lib" || parts[0] == "main");
    if root || parts.last().is_some_and(|p| p == "mod") {
        parts.pop();
    }
    parts
}

/// The tokens outside and inside `#[cfg(test)]` items.
fn without_tests(tokens: &[String]) -> (Vec<String>, Vec<String>) {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
    let (mut kept, mut dropped) = (Vec::new(), Vec::new());
    let mut i = 0;
    while i < tokens.len() {
        if !tokens[i..].iter().take(mark.len()).eq(mark.iter()) {
            kept.push(tokens[i].clone());
            i += 1;
            continue;
        }
        let mut depth = 0;
        while i < tokens.len() {
            let t = tokens[i].as_str();
            depth += i32::from(matches!(t, "{" | "(" | "[")) - i32::from(matches!(t, "}" | ")" | "]"));
            dropped.push(t.to_string());
            i += 1;
            if depth == 0 && matches!(t, "}" | ";") {
                break;
            }
        }
    }
    (kept, dropped)
}

fn read(file: &str, tokens: &[String]) -> Module {
    let mut module = Module { file: file.to_string(), ..Module::default() };
    let is_word = |t: &String| t.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let items = ["fn", "struct", "enum", "trait", "type", "const", "static", "union"];
    let mut i = 0;
    while i < tokens.len() {
        if tokens[i] == "use" {
            let end = i + tokens[i..].iter().position(|t| t == ";").unwrap_or(tokens.len() - i);
            let public = i > 0 && (tokens[i - 1] == "pub" || tokens[i - 1] == ")");
            tree(&tokens[i + 1..end], Vec::new(), public, &mut module.uses);
            i = end;
            continue;
        }
        if items.contains(&tokens[i].as_str()) && tokens.get(i + 1).is_some_and(is_word) {
            module.defines.insert(tokens[i + 1].clone());
        }
        let before = |n: usize| i.checked_sub(n).map_or("", |j| tokens[j].as_str());
        // `pub(in path)` says who may see a name, not what is used.
        let starts = is_word(&tokens[i]) && !matches!(before(1), "::" | ".") && (before(1), before(2)) != ("in", "(");
        let mut path = vec![tokens[i].clone()];
        while starts && tokens.get(i + 1).is_some_and(|t| t == "::") && tokens.get(i + 2).is_some_and(is_word) {
            path.push(tokens[i + 2].clone());
            i += 2;
        }
        if path.len() > 1 {
            module.paths.push(path);
        }
        i += 1;
    }
    module
}

/// The leaves of one `use` tree.
fn tree(tokens: &[String], mut path: Vec<String>, public: bool, found: &mut Vec<Use>) {
    let mut i = 0;
    while i < tokens.len() {
        match tokens[i].as_str() {
            "::" => {}
            "{" => {
                let (mut depth, mut start) = (0, i + 1);
                for (j, t) in tokens.iter().enumerate().skip(i) {
                    depth += i32::from(t == "{") - i32::from(t == "}");
                    if depth == 0 || depth == 1 && t == "," {
                        if start < j {
                            tree(&tokens[start..j], path.clone(), public, found);
                        }
                        start = j + 1;
                    }
                }
                return;
            }
            "*" => {
                found.push(Use { name: String::new(), path, glob: true, public });
                return;
            }
            "as" => {
                let name = tokens.get(i + 1).cloned().unwrap_or_default();
                found.push(Use { name, path, glob: false, public });
                return;
            }
            "self" if !path.is_empty() => {}
            word => path.push(word.to_string()),
        }
        i += 1;
    }
    found.push(Use { name: path.last().cloned().unwrap_or_default(), path, glob: false, public });
}

enum Found {
    Module(Vec<String>),
    /// The module that defines a name.
    Name(Vec<String>),
}

/// What a path means in a module; nothing where it leads out of the crate or to something local.
fn resolve(all: &Crate, at: &[String], path: &[String], depth: usize) -> Option<Found> {
    // Two modules may hand the same name to each other; then nobody defines it.
    if depth > 20 {
        return None;
    }
    let child = |m: &[String], name: &String| {
        let c = [m, std::slice::from_ref(name)].concat();
        all.contains_key(&c).then_some(c)
    };
    let (first, rest) = path.split_first()?;
    let mut cur = match first.as_str() {
        "crate" => Vec::new(),
        "self" => at.to_vec(),
        "super" => at[..at.len().checked_sub(1)?].to_vec(),
        _ => match (child(at, first), bound(all, at, first).filter(|u| u.path != path)) {
            (Some(c), used) if used.is_none() || !rest.is_empty() => c,
            (_, used) => match resolve(all, at, &used?.path, depth + 1)? {
                Found::Module(m) => m,
                name => return Some(name),
            },
        },
    };
    let mut rest = rest;
    while let Some((name, after)) = rest.split_first() {
        let named = after.is_empty() && all.get(&cur).is_some_and(|m| has(m, name));
        match (name.as_str(), child(&cur, name)) {
            ("super", _) => cur = cur[..cur.len().checked_sub(1)?].to_vec(),
            (_, Some(c)) if !named => cur = c,
            _ => match bound(all, &cur, name).filter(|_| !all[&cur].defines.contains(name)) {
                None => return Some(Found::Name(definer(all, &cur, name, depth + 1).unwrap_or(cur))),
                Some(used) => match resolve(all, &cur, &used.path, depth + 1)? {
                    Found::Module(m) if !after.is_empty() => cur = m,
                    Found::Module(m) | Found::Name(m) => return Some(Found::Name(m)),
                },
            },
        }
        rest = after;
    }
    Some(Found::Module(cur))
}

/// The `use` item that brings a name into a module.
fn bound<'a>(all: &'a Crate, at: &[String], name: &str) -> Option<&'a Use> {
    all.get(at)?.uses.iter().find(|u| !u.glob && u.name == name)
}

fn has(m: &Module, name: &str) -> bool {
    m.defines.contains(name) || m.uses.iter().any(|u| !u.glob && u.name == name)
}

/// The module that defines what `name` means in the module `at`.
fn definer(all: &Crate, at: &[String], name: &str, depth: usize) -> Option<Vec<String>> {
    let module = all.get(at)?;
    if module.defines.contains(name) || depth > 20 {
        return Some(at.to_vec());
    }
    if let Some(u) = bound(all, at, name) {
        return match resolve(all, at, &u.path, depth + 1)? {
            Found::Module(m) | Found::Name(m) => Some(m),
        };
    }
    let globs = module.uses.iter().filter(|u| u.glob);
    let mut inside = globs.filter_map(|u| match resolve(all, at, &u.path, depth + 1)? {
        Found::Module(m) => all.get(&m).is_some_and(|x| has(x, name)).then_some(m),
        Found::Name(_) => None,
    });
    inside.next().and_then(|m| definer(all, &m, name, depth + 1))
}
