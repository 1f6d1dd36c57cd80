//! The house in order: what reviewers would otherwise have to look for, as far as clippy does not (clippy.toml). Reads the
//! sources as text, so it needs no compiler, no history and no network, and says file and line of everything it finds.

use crate::tokens::numbered;
use meshloom_tests::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Folders that hold no sources of ours; and one with a program that is no part of the workspace.
const SKIPPED: &[&str] = &[
    "target",
    ".git",
    ".venv",
    ".venv-jax",
    ".venv-jax-libraries",
    ".venv-page",
    ".venv-python",
    ".venv-torch",
    ".venv-dist",
    "editors/vscode/node_modules",
    "editors/tree-sitter/check",
    "site",
    "tests/data",
    "tests/filetests",
];
const MAX_LINES: usize = 1000;

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

    pub fn is_test(&self) -> bool {
        let parts = ["/tests/", "/examples/", "/benches/"];
        self.path.starts_with("tests/")
            || self.path.ends_with("/tests.rs")
            || parts.iter().any(|p| self.path.contains(p))
    }

    /// Lines before the unit tests at its end. Single items may be of tests alone, and stand anywhere.
    pub fn before_tests(&self) -> impl Iterator<Item = &str> {
        let next = self.text.lines().skip(1).chain([""]);
        let tests = |l: &str, next: &str| l == "#[cfg(test)]" && next.starts_with("mod tests");
        self.text.lines().zip(next).take_while(move |&(l, next)| !tests(l, next)).map(|(l, _)| l)
    }

    /// Lines of code that ships, with their numbers: no comments, no tests or build scripts.
    pub fn shipped(&self) -> impl Iterator<Item = (usize, &str)> {
        let tests = self.is_test() || self.path.ends_with("build.rs");
        let lines = self.before_tests().take_while(move |_| !tests);
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
    // Written in halves, so that this file does not find itself. Macros that leave work are clippy's (Cargo.toml).
    let words = [
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
fn clippy_reads_every_rule() {
    // Clippy reads the nearest file alone, so a file further in repeats the lines of the one above it.
    let of = |path: &str| fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    let (all, pure) = (of("clippy.toml"), of("compiler/clippy.toml"));
    let rules = |text: &str| text.lines().filter(|l| l.contains("path = ")).map(str::to_string).collect::<Vec<_>>();
    let (all, pure) = (rules(&all), rules(&pure));
    assert!(all.len() > 10 && pure.len() > all.len());
    none(all.into_iter().filter(|l| !pure.contains(l)).collect(), "compiler/clippy.toml lacks a rule of clippy.toml");
    for (link, file) in [
        ("compiler/driver/clippy.toml", "clippy.toml"),
        ("compiler/codegen/clippy.toml", "clippy.toml"),
        ("compiler/llvm/clippy.toml", "clippy.toml"),
        ("kernels/clippy.toml", "compiler/clippy.toml"),
    ] {
        assert_eq!(of(link), of(file), "{link} is {file}");
    }
}

/// Test programs beside `tests/it/main.rs` of their crates, and why each is one.
const TEST_PROGRAMS: &[(&str, &str)] = &[
    ("compiler/llvm/tests/worker.rs", "is the worker process that it starts"),
    ("runtime/tests/kill.rs", "is the run that it kills"),
    ("tests/cli/main.rs", "runs the built commands, and only with the whole workspace built"),
    ("tests/filetests.rs", "lists one test for each file"),
];

#[test]
fn a_crate_has_one_test_program() {
    let all = sources();
    let mut programs = Vec::new();
    for s in &all {
        let Some(folder) = s.path.strip_suffix("/Cargo.toml") else { continue };
        // What cargo finds by itself, and what the manifest names.
        for file in all.iter().filter_map(|f| f.path.strip_prefix(folder)?.strip_prefix("/tests/")) {
            let parts: Vec<&str> = file.split('/').collect();
            if matches!(parts[..], [one] if one.ends_with(".rs")) || matches!(parts[..], [_, "main.rs"]) {
                programs.push(format!("{folder}/tests/{file}"));
            }
        }
        for section in s.text.split("\n[").filter(|section| section.starts_with("[test]]")) {
            if let Some(path) = section.lines().find_map(|l| l.strip_prefix("path = ")) {
                programs.push(format!("{folder}/{}", path.trim_matches('"')).replace("cli/../", ""));
            }
        }
    }
    assert!(programs.len() > 15, "the tests are where this test looks for them: {programs:?}");
    let own = |p: &str| p.ends_with("/tests/it/main.rs") || p == "tests/it/main.rs";
    let more = programs.iter().filter(|p| !own(p) && !TEST_PROGRAMS.iter().any(|t| t.0 == p.as_str()));
    none(
        more.cloned().collect(),
        "a test is a module of its crate's tests/it/main.rs, since each program is linked on its own",
    );
    let idle = TEST_PROGRAMS.iter().filter(|t| t.1.is_empty() || !programs.iter().any(|p| p == t.0));
    none(idle.map(|t| t.0.to_string()).collect(), "a listed test program that is not there, or has no reason");
}

/// A manifest that says that a crate has no tests, or no examples in its docs, saves cargo a build of it. It has to be true.
#[test]
fn manifests_leave_no_test_out() {
    let all = sources();
    let says = |text: &str, what: &str| text.split("\n[").any(|s| s.starts_with("lib]") && s.contains(what));
    let (mark, mut found, mut manifests) = (concat!("#[te", "st]"), Vec::new(), 0);
    for s in &all {
        let Some(folder) = s.path.strip_suffix("Cargo.toml") else { continue };
        let files =
            || all.iter().filter(|f| f.is_rust() && f.path.strip_prefix(folder).is_some_and(|p| p.starts_with("src/")));
        if says(&s.text, "\ntest = false") {
            manifests += 1;
            let tested = files().filter(|f| f.text.contains(mark));
            found.extend(tested.map(|f| format!("{} has a test, and {} has `test = false`", f.path, s.path)));
        }
        if says(&s.text, "\ndoctest = false") {
            manifests += 1;
            let shown = files().filter(|f| shows_rust(&f.text));
            found.extend(shown.map(|f| format!("{} has an example, and {} has `doctest = false`", f.path, s.path)));
        }
    }
    assert!(manifests > 20, "the manifests are where this test looks for them");
    none(found, "a test that cargo does not run");
}

/// Whether comments have an example that rustdoc would compile: a fence that names no other language.
fn shows_rust(text: &str) -> bool {
    let comments =
        text.lines().filter_map(|l| l.trim_start().strip_prefix("//!").or(l.trim_start().strip_prefix("///")));
    let mut fences = comments.filter_map(|l| l.trim().strip_prefix("```"));
    let mut opens = std::iter::from_fn(|| {
        let open = fences.next()?;
        fences.next();
        Some(open)
    });
    opens.any(|tag| ["", "rust", "no_run", "should_panic", "compile_fail"].contains(&tag))
}

#[test]
fn a_fence_without_a_language_is_rust() {
    assert!(shows_rust("//! ```\n//! let x = 1;\n//! ```") && shows_rust("    /// ```no_run\n    /// ```"));
    assert!(!shows_rust("//! ```text\n//! a -> b\n//! ```\nlet x = \"```\";"));
}

#[test]
fn tests_that_do_not_run_say_what_they_need() {
    // That there is a reason at all is clippy's `ignore_without_reason`.
    let mark = concat!("#[ig", "nore = \"");
    let mut found = Vec::new();
    for s in sources().iter().filter(|s| s.is_rust()) {
        for (i, l) in s.text.lines().enumerate() {
            let reason = l.split_once(mark).map(|(_, reason)| reason);
            if reason.is_some_and(|r| !r.starts_with("needs ") && !r.starts_with("takes ")) {
                found.push(format!("{}:{}: {}", s.path, i + 1, l.trim()));
            }
        }
    }
    none(found, "a test that does not run by itself says what it `needs` or how long it `takes`");
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
    ("compiler/scalar", &[]),
    ("compiler/ir", &["scalar"]),
    ("compiler/bundle", &["scalar"]),
    ("compiler/pipeline", &[]),
    ("kernels", &["scalar"]),
    ("dialects", &[]),
    ("compiler/audit", &["ir", "bundle", "kernels"]),
    ("compiler/autodiff", &["ir"]),
    ("compiler/certify", &["ir"]),
    ("compiler/follow", &["ir", "certify"]),
    ("compiler/source", &["ir"]),
    ("compiler/syntax", &["ir", "autodiff", "source"]),
    ("compiler/stablehlo", &["ir", "certify", "source", "syntax"]),
    ("compiler/lower", &["ir", "bundle", "kernels"]),
    ("compiler/plan", &["ir", "certify", "lower"]),
    ("compiler/report", &["ir", "plan"]),
    ("compiler/export", &["scalar", "report"]),
    ("compiler/stage", &["ir"]),
    (
        "compiler/strategy",
        &["ir", "bundle", "pipeline", "certify", "source", "syntax", "lower", "plan", "report", "stage"],
    ),
    ("compiler/codegen", &["bundle"]),
    ("compiler/llvm", &["bundle", "codegen", "dialects"]),
    (
        "compiler/driver",
        &[
            "ir",
            "bundle",
            "pipeline",
            "kernels",
            "audit",
            "lower",
            "autodiff",
            "certify",
            "source",
            "syntax",
            "stablehlo",
            "plan",
            "report",
            "export",
            "pipeline",
            "stage",
            "strategy",
            "codegen",
        ],
    ),
    ("runtime/file", &["bundle"]),
    ("runtime", &["bundle", "file"]),
    ("python", &["bundle", "runtime"]),
    ("cli/terminal", &["bundle", "file"]),
    ("cli/run", &["bundle", "runtime", "terminal"]),
    ("cli/lsp", &["ir", "source", "syntax", "report", "driver"]),
    (
        "cli",
        &[
            "ir", "bundle", "pipeline", "kernels", "lower", "certify", "source", "syntax", "plan", "report", "export",
            "follow", "strategy", "codegen", "llvm", "driver", "runtime", "terminal", "run", "lsp",
        ],
    ),
    ("tests/ptx", &["bundle"]),
    ("tests/random", &["ir"]),
    ("tests", &["ir", "bundle", "kernels", "certify", "source", "syntax", "plan", "llvm", "driver"]),
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
            ("melior", &["compiler/llvm", "dialects"]),
            ("mlir-sys", &["compiler/llvm", "dialects"]),
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
fn specs_ask_nothing_of_emitters() {
    // The figures that a spec states stand beside it, and emitters import them. Entries call emitters to write code.
    let constant = |path: &str| {
        let word = |w: &str| w.len() > 1 && w.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
        path.split(|c: char| !c.is_alphanumeric() && c != '_').any(word)
    };
    let writes = ["kernels/src/spec/", "kernels/src/running.rs", "kernels/src/lib.rs"];
    let mut found = Vec::new();
    for s in sources().iter().filter(|s| s.path.starts_with("kernels/src/") && !s.path.starts_with("kernels/src/emit/"))
    {
        for (i, l) in s.shipped() {
            let Some((_, path)) = l.split_once("emit::") else { continue };
            if constant(path) || !writes.iter().any(|w| s.path.starts_with(w)) {
                found.push(format!("{}:{i}: {}", s.path, l.trim()));
            }
        }
    }
    none(found, "figures that specs and emitters share belong beside the spec, not in `emit`");
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

/// What has a tuple as its parameter takes several things as one, and a call does not say which is which.
#[test]
fn parameters_have_names() {
    let mut found = Vec::new();
    for s in sources().iter().filter(|s| s.is_rust()) {
        found.extend(tuple_patterns(&s.text).into_iter().map(|(line, name)| format!("{}:{line}: {name}", s.path)));
    }
    none(found, "a function takes a tuple apart in its parameters: give it several parameters, or a struct with names");
}

/// The functions that take a tuple apart in a parameter, each with its line. Closures may.
fn tuple_patterns(text: &str) -> Vec<(usize, String)> {
    let tokens = numbered(text);
    let at = |i: usize| tokens.get(i).map_or("", |t| t.1.as_str());
    let is_word = |i: usize| at(i).starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut found = Vec::new();
    for start in (0..tokens.len()).filter(|&i| at(i) == "fn" && is_word(i + 1)) {
        // Behind the generics, in which an arrow closes no bracket.
        let (mut i, mut depth) = (start + 2, 0);
        while i < tokens.len() && (depth > 0 || at(i) != "(") {
            depth += i32::from(at(i) == "<") - i32::from(at(i) == ">" && at(i - 1) != "-");
            i += 1;
        }
        // A pattern ends with `:`, and its type with a comma that is in no bracket.
        let (mut depth, mut pattern) = (0, true);
        for i in i..tokens.len() {
            let opens = matches!(at(i), "(" | "[" | "{") || at(i) == "<" && !pattern;
            let closes = matches!(at(i), ")" | "]" | "}") || at(i) == ">" && !pattern && at(i - 1) != "-";
            // With a word before it, a bracket has the fields of a struct.
            if pattern && depth > 0 && at(i) == "(" && (!is_word(i - 1) || at(i - 1) == "mut") {
                found.push((tokens[i].0, tokens[start + 1].1.clone()));
            }
            depth += i32::from(opens) - i32::from(closes);
            match (depth, at(i)) {
                (0, _) => break,
                (1, ",") => pattern = true,
                // `in` is proptest's.
                (1, ":" | "in") => pattern = false,
                _ => {}
            }
        }
    }
    found
}

#[test]
fn a_tuple_in_a_parameter_is_found() {
    let names =
        |text: &str| tuple_patterns(text).into_iter().map(|(n, name)| format!("{n} {name}")).collect::<Vec<_>>();
    let pairs =
        "fn f(x: u8,\n (a, b): (u8, u8)) {}\n\nfn g(&mut (a, _): T, [(c, d)]: [(u8, u8); 1], all @ (e, _): T) {}";
    assert_eq!(names(pairs), ["2 f", "4 g", "4 g", "4 g"]);
    assert_eq!(names("fn f<F: Fn(u8) -> u8>(\n g: F,\n mut x: Vec<(u8, u8)>,\n (a, b): T,\n) {}"), ["4 f"]);
    // Types, structs, closures, types of functions, and texts.
    let fine = "fn f(x: (u8, u8), Axis(a): Axis, &Point { x, y }: &Point, #[cold] f: fn((u8, u8)), y: u8) {}
                fn g(&mut self, [a, b]: [u8; 2], f: impl Fn((u8, u8)) -> T) { h(|(a, b)| a); \"fn k((a, b): T)\"; }
                // fn k((a, b): T)";
    assert!(names(fine).is_empty(), "{:?}", names(fine));
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
