//! The house in order: what reviewers would otherwise have to look for. Reads the sources as text, so it needs no compiler,
//! no history and no network, and says file and line of everything it finds.

use meshloom_tests::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Folders that hold no sources of ours.
const SKIPPED: &[&str] = &["target", ".git", ".venv", "tests/data", "tests/filetests"];
const MAX_LINES: usize = 1000;
/// Crates that turn values into values: no files, environment, clock, threads or printing.
const PURE: &[&str] = &[
    "compiler/ir",
    "compiler/source",
    "compiler/syntax",
    "compiler/stablehlo",
    "compiler/autodiff",
    "compiler/plan",
    "compiler/certify",
    "compiler/fusion",
    "compiler/schedule",
    "compiler/bundle",
    "compiler/report",
    "kernels",
];

pub struct Source {
    /// From the root, with `/`.
    pub path: String,
    pub text: String,
}

pub fn sources() -> Vec<Source> {
    let mut found = Vec::new();
    walk(&root(), &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 50, "the sources are where this test looks for them");
    found
}

fn walk(dir: &Path, found: &mut Vec<Source>) {
    let root = root();
    for entry in fs::read_dir(dir).expect("a readable folder").flatten() {
        let path = entry.path();
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        if SKIPPED.contains(&name.as_str()) || name.ends_with("/target") {
            continue;
        }
        if path.is_dir() {
            walk(&path, found);
            continue;
        }
        let extension = path.extension().map(|e| e.to_string_lossy().into_owned()).unwrap_or_default();
        let kinds = ["rs", "toml", "md", "loom", "lalrpop", "td", "cpp", "h", "ld", "py", "sh", "yml"];
        if kinds.contains(&extension.as_str()) || name.ends_with("Makefile") || name.starts_with(".ci/") {
            // Files that are not text are not sources.
            if let Ok(text) = fs::read_to_string(&path) {
                found.push(Source { path: name, text });
            }
        }
    }
}

impl Source {
    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Lines of code that ships, with their numbers: no comments, nothing after `#[cfg(test)]`, no tests or build scripts.
    fn shipped(&self) -> impl Iterator<Item = (usize, &str)> {
        let parts = ["/tests/", "/examples/", "/benches/"];
        let tests = parts.iter().any(|p| self.path.contains(p)) || self.path.ends_with("build.rs");
        let lines = self.text.lines().take_while(move |l| !tests && l.trim() != "#[cfg(test)]");
        lines.enumerate().map(|(i, l)| (i + 1, l)).filter(|(_, l)| !l.trim_start().starts_with("//"))
    }
}

pub fn none(found: Vec<String>, rule: &str) {
    assert!(found.is_empty(), "{rule}:\n{}", found.join("\n"));
}

#[test]
fn files_are_short() {
    let long = sources().into_iter().filter_map(|s| {
        let n = s.text.lines().count();
        (n > MAX_LINES && s.path != "Cargo.lock").then(|| format!("{}: {n} lines", s.path))
    });
    none(long.collect(), "a file has at most 1,000 lines");
}

#[test]
fn rust_files_say_what_they_are() {
    let silent = sources().into_iter().filter(|s| s.is_rust() && !s.text.starts_with("//!"));
    none(silent.map(|s| s.path).collect(), "a Rust file opens with `//!`: what it is, why this way, what is not in it");
}

#[test]
fn nothing_is_left_for_later() {
    // Written in halves, so that this file does not find itself.
    let words = [
        concat!("to", "do!("),
        concat!("unimple", "mented!("),
        concat!("db", "g!("),
        // With a reason, which the result line of the test shows, it may stand.
        concat!("#[ig", "nore]"),
        concat!("FIX", "ME"),
        concat!("XX", "X "),
    ];
    let mut found = Vec::new();
    for s in sources().iter().filter(|s| s.is_rust()) {
        for (i, l) in s.text.lines().enumerate() {
            if let Some(w) = words.iter().find(|w| l.contains(*w)) {
                found.push(format!("{}:{}: {w}", s.path, i + 1));
            }
        }
    }
    none(found, "work that is not done is an issue, not a macro");
}

#[test]
fn no_path_of_one_machine() {
    let paths = [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/"), concat!("/wo", "rk/")];
    let mut found = Vec::new();
    for s in &sources() {
        for (i, l) in s.text.lines().enumerate() {
            if let Some(p) = paths.iter().find(|p| l.contains(*p)) {
                found.push(format!("{}:{}: {p}", s.path, i + 1));
            }
        }
    }
    none(found, "a path that only one machine has");
}

#[test]
fn pure_crates_touch_nothing() {
    let effects = [
        "std::fs",
        "std::env",
        "std::time",
        "std::net",
        "std::process",
        "std::thread",
        "println!(",
        "print!(",
        "eprintln!(",
        "eprint!(",
    ];
    let mut found = Vec::new();
    for s in sources().iter().filter(|s| s.is_rust() && PURE.iter().any(|p| s.path.starts_with(&format!("{p}/src/")))) {
        for (i, l) in s.shipped() {
            // `print!(` also ends other names.
            let effect = effects.iter().find(|e| {
                l.match_indices(*e).any(|(at, _)| !l[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            });
            if let Some(e) = effect {
                found.push(format!("{}:{i}: {e}", s.path));
            }
        }
    }
    none(found, "a crate of the pure compiler has an effect");
}

/// Dependencies of each crate, by its folder; those of tests and build scripts are not counted.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::new();
    for s in sources() {
        let Some(folder) = s.path.strip_suffix("/Cargo.toml") else { continue };
        let mut names = Vec::new();
        let mut inside = false;
        for line in s.text.lines().map(str::trim) {
            if line.starts_with('[') {
                inside = line == "[dependencies]" || (line.starts_with("[target.") && line.ends_with(".dependencies]"));
            } else if inside && !line.is_empty() && !line.starts_with('#') {
                let end = line.find(['.', '=', ' ']).unwrap_or(line.len());
                names.push(line[..end].to_string());
            }
        }
        all.insert(folder.to_string(), names);
    }
    all
}

/// Which crates of ours each crate may use, lower ones first. Nobody uses what stands below it in this list.
const WALLS: &[(&str, &[&str])] = &[
    ("compiler/ir", &[]),
    ("compiler/bundle", &[]),
    ("kernels", &[]),
    ("dialects", &[]),
    ("compiler/autodiff", &["ir"]),
    ("compiler/certify", &["ir"]),
    ("compiler/source", &["ir"]),
    ("compiler/syntax", &["ir", "autodiff", "source"]),
    ("compiler/stablehlo", &["ir", "source"]),
    ("compiler/fusion", &["ir", "bundle", "kernels"]),
    ("compiler/plan", &["ir", "certify", "fusion"]),
    ("compiler/report", &["ir", "plan"]),
    ("compiler/schedule", &["ir", "bundle", "kernels", "fusion"]),
    ("compiler/codegen", &["bundle", "dialects"]),
    (
        "compiler/driver",
        &[
            "ir",
            "bundle",
            "kernels",
            "fusion",
            "autodiff",
            "certify",
            "source",
            "syntax",
            "stablehlo",
            "plan",
            "report",
            "schedule",
            "codegen",
        ],
    ),
    ("runtime", &["bundle"]),
    ("cli/run", &["bundle", "runtime"]),
    (
        "cli",
        &[
            "ir", "bundle", "kernels", "certify", "source", "syntax", "plan", "report", "schedule", "codegen",
            "driver", "runtime", "run",
        ],
    ),
    ("tests", &["ir", "kernels", "certify", "source", "syntax", "plan", "codegen", "driver"]),
    ("tests/fuzz", &["ir", "bundle", "source", "syntax", "stablehlo", "plan", "report", "driver", "runtime"]),
];

#[test]
fn crates_keep_their_walls() {
    let name = |folder: &str| folder.rsplit('/').next().unwrap_or(folder).to_string();
    let mut below = Vec::new();
    for (folder, allowed) in WALLS {
        let upward = allowed.iter().find(|a| !below.contains(&a.to_string()));
        assert!(upward.is_none(), "{folder} stands above {upward:?} in the list");
        below.push(name(folder));
    }
    let all = dependencies();
    assert!(all.len() >= 14, "every crate has a manifest: {:?}", all.keys());
    let mut found = Vec::new();
    for (folder, names) in &all {
        let ours = names.iter().filter(|n| n.starts_with("meshloom-"));
        match WALLS.iter().find(|(c, _)| c == folder) {
            Some((_, allowed)) => {
                let refused = ours.filter(|n| !allowed.contains(&n.trim_start_matches("meshloom-")));
                found.extend(refused.map(|n| format!("{folder} uses {n}")));
            }
            None => found.push(format!("{folder} does not stand in the list of crates")),
        }
        // Heavy machinery stays where it belongs.
        for (crate_, users) in [
            ("egg", &["compiler/plan"][..]),
            ("melior", &["compiler/codegen", "dialects"]),
            ("mlir-sys", &["compiler/codegen", "dialects"]),
            ("lalrpop-util", &["compiler/syntax"]),
            ("logos", &["compiler/syntax", "compiler/stablehlo"]),
            ("libloading", &["runtime", "cli"]),
        ] {
            if names.iter().any(|n| n == crate_) && !users.contains(&folder.as_str()) {
                found.push(format!("{folder} uses {crate_}"));
            }
        }
    }
    none(found, "a wall between crates");
}

#[test]
fn versions_stand_in_one_place() {
    let mut found = Vec::new();
    for s in sources().iter().filter(|s| s.path.ends_with("/Cargo.toml")) {
        for (i, l) in s.text.lines().enumerate() {
            let own = l.contains("version = \"") || (l.contains(" = \"") && l.trim_end().ends_with('"') && digits(l));
            if own {
                found.push(format!("{}:{}: {l}", s.path, i + 1));
            }
        }
    }
    none(found, "versions are the workspace's");
}

/// A reader who meets a type's name should know which type it is. A name that three crates give to three things says too
/// little: `Options`, `Step`, `Kind`.
#[test]
fn a_public_type_has_a_name_of_its_own() {
    let sources = sources();
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for s in sources.iter().filter(|s| s.is_rust()) {
        for (i, l) in s.shipped() {
            if let Some(name) = public_type(l) {
                places.entry(name).or_default().push(format!("{}:{i}", s.path));
            }
        }
    }
    assert!(places.contains_key("Func"), "declarations are found");
    let common = places.into_iter().filter(|(_, at)| at.len() > 2);
    let told = common.map(|(name, at)| format!("{name}: {}", at.join(", "))).collect();
    none(told, "at most two public types of one name; say what the thing is");
}

/// The name that a line declares for a type that other files can use.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let name = kinds.iter().find_map(|k| rest.strip_prefix(k))?;
    Some(&name[..name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len())])
}

/// Whether the quoted part of a line is a version requirement.
fn digits(line: &str) -> bool {
    let value = line.split('"').nth(1).unwrap_or("");
    let value = value.trim_start_matches(['=', '^', '~']);
    value.starts_with(|c: char| c.is_ascii_digit()) && value.chars().all(|c| c.is_ascii_digit() || c == '.')
}
