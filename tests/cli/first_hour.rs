//! Follows docs/first-hour.md to the letter. It writes the files that the page says to write, runs every `meshloom`
//! line in order, and compares what is printed with what the page shows. So the page cannot be wrong.
//!
//! - A ```` ```loom ```` block is the file `line.loom`.
//! - A comment `write `NEW` for `OLD`` changes that file, as the text beside it says; `add `LINE`` adds a line.
//! - A block without commands is the output of the last command before it; `...` stands for any lines, `[..]` for
//!   anything in a line.
//!
//! Training runs for fewer steps than on the page.

use crate::session::matches;
use crate::support::{Place, copy, finish, root};

const FILE: &str = "line.loom";

/// What a command is with fewer steps, and with the files that a shell would have found.
fn words(place: &Place, command: &str) -> Vec<String> {
    // What stands beside a command, after many blanks, says what it does.
    let command = command.split("    ").next().unwrap_or(command);
    let mut out: Vec<String> = Vec::new();
    let mut quoted = false;
    for word in command.split_whitespace().skip(1) {
        let fewer = match out.last().map(String::as_str) {
            Some("--steps") => Some("2"),
            Some("--tokens") => Some("4"),
            _ => None,
        };
        // A prompt in quotes is one word.
        if quoted && let Some(last) = out.last_mut() {
            *last += &format!(" {}", word.trim_end_matches('"'));
            quoted = !word.ends_with('"');
            continue;
        }
        quoted = word.starts_with('"') && (word.len() == 1 || !word.ends_with('"'));
        match fewer {
            Some(n) => out.push(n.into()),
            None if word == "docs/*.md" => {
                let mut files: Vec<String> = std::fs::read_dir(place.path().join("docs"))
                    .expect("the docs")
                    .flatten()
                    .map(|e| format!("docs/{}", e.file_name().to_string_lossy()))
                    .filter(|f| f.ends_with(".md"))
                    .collect();
                files.sort();
                out.extend(files);
            }
            None => out.push(word.trim_matches(['\'', '"']).into()),
        }
    }
    out
}

fn edit(place: &Place, comment: &str) {
    let parts: Vec<&str> = comment.split('`').collect();
    let text = place.read(FILE);
    let text = match parts.as_slice() {
        [what, new, _, old, _] if what.trim() == "write" => {
            assert!(text.contains(old), "{FILE} has no `{old}` to change");
            text.replacen(old, new, 1)
        }
        [what, line, _] if what.trim() == "add" => format!("{text}\n{line}\n"),
        _ => panic!("`{comment}` is no change"),
    };
    std::fs::write(place.path().join(FILE), text).expect("the file");
}

#[test]
fn the_first_hour_is_as_it_is_told() {
    let place = Place::new();
    copy(&root().join("docs"), &place.path().join("docs"));
    std::fs::copy(root().join("README.md"), place.path().join("README.md")).expect("a copy");
    let page = std::fs::read_to_string(root().join("docs/first-hour.md")).expect("the page");
    let mut last: Option<(String, Vec<String>, i32)> = None;
    let (mut commands, mut shown) = (0, 0);
    // Whether the exit code was looked at: by output that says `error`, or here.
    let settle = |last: &Option<(String, Vec<String>, i32)>| {
        if let Some((command, out, code)) = last {
            // As `diff` of files does, it tells by its exit code whether there is a difference.
            let due = i32::from(command.starts_with("meshloom diff"));
            assert_eq!(*code, due, "{command}\n{}", out.join("\n"));
        }
    };
    for (i, part) in page.split("```").enumerate() {
        if i % 2 == 0 {
            for comment in part.split("<!--").skip(1) {
                edit(&place, comment.split("-->").next().unwrap_or_default().trim());
            }
            continue;
        }
        let (kind, block) = part.split_once('\n').expect("a block");
        if kind == "loom" {
            std::fs::write(place.path().join(FILE), block).expect("the file");
            continue;
        }
        let lines: Vec<String> = block.lines().map(str::to_owned).collect();
        let others = ["git ", "make ", "export ", "cargo "];
        if lines.iter().all(|l| l.starts_with("meshloom ") || others.iter().any(|o| l.starts_with(o))) {
            for command in lines.iter().filter(|l| l.starts_with("meshloom ")) {
                settle(&last);
                let words = words(&place, command);
                let args: Vec<&str> = words.iter().map(String::as_str).collect();
                let found = finish(place.command(&args));
                let out = found.stdout.lines().chain(found.stderr.lines()).map(str::to_owned).collect();
                last = Some((command.clone(), out, found.code));
                commands += 1;
            }
            continue;
        }
        let (command, out, code) = last.take().expect("a command before what it prints");
        let all: Vec<String> = out.iter().map(|l| l.trim_end().to_owned()).collect();
        // What follows the end of a block is cut off there.
        let mut expected = lines.clone();
        expected.push("...".into());
        assert!(matches(&expected, &all), "{command}\nprints\n{}\nand the page has\n{block}", all.join("\n"));
        let refused = lines.iter().any(|l| l.starts_with("error"));
        assert_eq!(code != 0, refused, "{command}");
        shown += 1;
    }
    settle(&last);
    assert!(commands >= 20 && shown >= 4, "{commands} commands, {shown} outputs");
}
