//! docs/which-parallelism.md shows what its commands print. INSTA_UPDATE=always writes it anew.
//!
//! A block is one command, and its output with `...` for any lines.

use crate::session::matches;
use crate::support::{Place, copy, finish, root};

/// Runs the commands of the page that are `wanted`, and says what is printed otherwise.
fn answers(wanted: impl Fn(&str) -> bool) {
    let place = Place::new();
    copy(&root().join("examples/large"), &place.path().join("examples/large"));
    let path = root().join("docs/which-parallelism.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let mut parts: Vec<String> = page.split("```").map(str::to_owned).collect();
    let (mut ran, mut wrong) = (0, Vec::new());
    for block in parts.iter_mut().skip(1).step_by(2) {
        let mut lines = block.lines().skip(1).map(str::to_owned);
        let command = lines.next().and_then(|l| l.strip_prefix("$ meshloom ").map(str::to_owned)).expect("a command");
        if !wanted(&command) {
            continue;
        }
        ran += 1;
        let expected: Vec<String> = lines.collect();
        let words: Vec<&str> = command.split_whitespace().collect();
        let out = finish(place.command(&words));
        assert_eq!(out.code, 0, "{command}\n{}", out.stderr);
        let found: Vec<String> = out.stdout.lines().map(|l| l.trim_end().to_owned()).collect();
        if expected.is_empty() || !matches(&expected, &found) {
            wrong.push(format!("{command}\nprints\n{}\nand the page has\n{block}", found.join("\n")));
            *block = format!("text\n$ meshloom {command}\n{}\n", found.join("\n"));
        }
    }
    assert!(ran > 0);
    if std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always") {
        std::fs::write(path, parts.join("```")).expect("writes");
    } else {
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}

#[test]
fn the_page_about_parallelism_answers_with_plans_of_a_small_model() {
    answers(|command| command.contains("examples/gpt.loom"));
}

#[test]
#[ignore = "takes minutes: plans models of up to 175 billion parameters on up to 1,024 devices"]
fn the_page_about_parallelism_answers_with_plans_of_large_models() {
    answers(|command| !command.contains("examples/gpt.loom"));
}
