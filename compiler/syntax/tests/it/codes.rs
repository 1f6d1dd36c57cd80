//! Every code has a page that keeps its word: the wrong example gives that error, the right one none.

use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::codes::{ALL, named};
use meshloom_syntax::elaborate::compile;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Fenced blocks of a page: the line behind the fence, and the text.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut out: Vec<(&str, String)> = Vec::new();
    let mut open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(info) if !open => {
                out.push((info, String::new()));
                open = true;
            }
            Some(_) => open = false,
            None if open => {
                if let Some((_, text)) = out.last_mut() {
                    *text += line;
                    *text += "\n";
                }
            }
            None => {}
        }
    }
    out
}

/// Codes of plans and of the command line, whose examples the front end alone cannot judge.
fn beyond(number: &str) -> bool {
    matches!(number, "E0506" | "E0602")
}

#[test]
fn pages_keep_their_word() {
    let mut broken = String::new();
    for code in ALL {
        assert!(code.page.starts_with(&format!("# {}: {}\n", code.number, code.title)), "{}: the heading", code.number);
        let programs: Vec<_> = blocks(code.page).into_iter().filter(|b| b.0.starts_with("loom")).collect();
        for (i, (info, text)) in programs.iter().enumerate() {
            let layout = info.split_once("layout=").map(|l| l.1.to_string());
            let out = compile("example.loom", text, &FrontOptions { layout, ..FrontOptions::default() });
            let found: Vec<&str> = out.diagnostics.iter().map(|d| d.number()).collect();
            if i == 0 && !beyond(code.number) {
                if !found.contains(&code.number) {
                    broken += &format!("{}: the wrong example gives {found:?}\n{text}\n", code.number);
                }
            } else if !found.is_empty() {
                broken += &format!("{}: the right example gives {found:?}\n{text}\n", code.number);
            }
        }
        assert!(programs.is_empty() || programs.len() == 2, "{}: one wrong and one right example", code.number);
    }
    assert!(broken.is_empty(), "{broken}");
}

/// Every name that a diagnostic is made with is in the table.
#[test]
fn all_codes_in_use_are_in_the_table() {
    let mut seen = 0;
    let mut folders = vec![root().join("compiler"), root().join("cli")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("diagnostic/mod.rs") {
                let text = std::fs::read_to_string(&path).expect("text");
                for make in ["Diagnostic::error(", "Diagnostic::warning("] {
                    for (at, _) in text.match_indices(make) {
                        let rest = text[at + make.len()..].trim_start();
                        let Some(name) = rest.strip_prefix('"').and_then(|r| r.split('"').next()) else { continue };
                        assert!(named(name).is_some(), "{}: `{name}` is in no row of codes.rs", path.display());
                        seen += 1;
                    }
                }
            }
        }
    }
    assert!(seen > 100, "the sources are where this test looks for them");
}

/// docs/errors/README.md is the table; `INSTA_UPDATE=always` writes it.
#[test]
fn the_table_of_contents_is_complete() {
    let mut text = String::from(
        "# Errors\n\nEvery error has a code that stays. `meshloom explain E0303` prints its page; tools read codes with\n\
         `--message-format=json` ([diagnostics.md](../diagnostics.md)).\n",
    );
    let areas = [
        ("01", "The text"),
        ("02", "Names"),
        ("03", "Types and shapes"),
        ("04", "Layouts and meshes"),
        ("05", "Programs"),
        ("06", "Plans"),
        ("07", "Files"),
        ("08", "StableHLO"),
        ("09", "Limits, and us"),
    ];
    for (digits, area) in areas {
        text += &format!("\n## {area}\n\n| code | name | |\n|---|---|---|\n");
        for c in ALL.iter().filter(|c| c.number[1..].starts_with(digits)) {
            text += &format!("| [{n}]({n}.md) | `{}` | {} |\n", c.name, c.title, n = c.number);
        }
    }
    assert!(ALL.iter().all(|c| text.contains(c.number)), "a code of no area");
    let path = root().join("docs/errors/README.md");
    if std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always") {
        std::fs::write(&path, &text).expect("written");
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), text, "INSTA_UPDATE=always writes it anew");
}
