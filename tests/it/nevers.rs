//! What docs/architecture.md says that a crate never does: each such paragraph names the tests or the lints that hold it. What only a
//! look at the words of a crate can tell is told here.
//!
//! Not here: which crate may use which ([`crate::tidy`]).

use crate::tidy::{none, sources};
use std::collections::BTreeSet;

/// The paragraphs of the page that begin so, with what holds them.
fn paragraphs(page: &str) -> Vec<(String, Vec<String>)> {
    let nevers = page.split("\n\n").filter(|p| p.starts_with("*Never*"));
    let named = |held: &str| held.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    nevers.map(|p| (p.to_owned(), p.split_once("*Held by*").map_or(Vec::new(), |(_, held)| named(held)))).collect()
}

#[test]
fn what_never_happens_is_held_by_a_test() {
    let sources = sources();
    let page = sources.iter().find(|s| s.path == "docs/architecture.md").expect("the page");
    let paragraphs = paragraphs(&page.text);
    assert!(paragraphs.len() > 15, "{}", paragraphs.len());
    let word = |text: &str, start: &str| text.strip_prefix(start)?.split('(').next().map(str::to_owned);
    let lines = sources.iter().flat_map(|s| s.text.lines());
    let tests: BTreeSet<String> = lines.filter_map(|l| word(l.trim_start(), "fn ")).collect();
    let files: BTreeSet<&str> = sources.iter().map(|s| s.path.as_str()).collect();
    let mut found = Vec::new();
    for (text, held) in &paragraphs {
        if held.is_empty() {
            found.push(format!("nothing holds: {text}"));
        }
        let missing = held.iter().filter(|h| !tests.contains(*h) && !files.contains(h.as_str()));
        found.extend(missing.map(|h| format!("there is no `{h}`, which is to hold: {text}")));
    }
    none(found, "what docs/architecture.md says that never happens is held by a test or a lint, or is not said");
}

/// Words that do not stand in the sources of a crate, and what they would mean there.
const WORDS: &[(&str, &[&str], &str)] = &[
    ("compiler/scalar/src/", &["wrapping_", "round(", "as f32"], "arithmetic is each reader's own"),
    ("compiler/autodiff/src/", &["Layout::", "layout: Some", ".layout = "], "layouts are the planner's"),
    ("compiler/lower/src/", &["Layout::", "layout: Some", ".layout = "], "layouts are the planner's"),
    ("compiler/lower/src/", &["emit::", "mlir", "ptx"], "the text of a kernel is written in `kernels`"),
    (
        "compiler/lower/src/executable/",
        &["fuse::", "memory::plan", "inplace"],
        "`lower` decides, and answers in one call",
    ),
    ("compiler/pipeline/src/", &["f32", "f64"], "times of schedules are exact"),
    ("compiler/driver/src/", &["println!", "eprintln!", "print!", "clap"], "the command line prints and has options"),
    ("runtime/src/device/cpu/", &["gpu", "cuda"], "devices of one kind know nothing of the other"),
    ("runtime/src/device/gpu/", &["device::cpu", "CpuMachine"], "devices of one kind know nothing of the other"),
    ("cli/src/", &["Op::", "Func"], "what a command asks of a program, the driver says"),
    ("cli/lsp/src/", &["Op::", "Func"], "what the editor asks of a program, the driver says"),
];

#[test]
fn crates_name_what_is_theirs() {
    let sources = sources();
    let mut found = Vec::new();
    for (folder, words, why) in WORDS {
        let files: Vec<_> = sources.iter().filter(|s| s.path.starts_with(folder)).collect();
        assert!(!files.is_empty(), "{folder} has sources");
        for (s, i, l) in files.iter().flat_map(|s| s.shipped().map(move |(i, l)| (s, i, l))) {
            let code = l.split("//").next().unwrap_or(l);
            found.extend(words.iter().filter(|w| has(code, w)).map(|w| format!("{}:{i}: `{w}`: {why}", s.path)));
        }
    }
    none(found, "a crate does what another one is for");
}

/// Whether a line has the words, and not as a part of a longer word.
fn has(line: &str, words: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(words).any(|(at, _)| {
        let before = line[..at].chars().next_back().is_some_and(letter);
        let after = line[at + words.len()..].chars().next().is_some_and(letter);
        let whole = |end: Option<char>| end.is_some_and(letter);
        !(before && whole(words.chars().next()) || after && whole(words.chars().next_back()))
    })
}

#[test]
fn a_word_is_found_and_a_part_of_one_is_not() {
    assert!(has("let f: Func = x;", "Func") && has("a.layout = None", ".layout = "));
    assert!(!has("FuncName", "Func") && !has("MyOp::x", "Op::") && has("(Op::Add)", "Op::"));
    let page = "a\n\n*Never*: b. *Held by* `c`,\n`d/e.toml`.\n\n*Never*: f.";
    let held: Vec<_> = paragraphs(page).into_iter().map(|p| p.1).collect();
    assert_eq!(held, [vec!["c".to_owned(), "d/e.toml".to_owned()], Vec::new()]);
}
