//! The programs in the documentation are read by the parser, and are written as the formatter writes them.

use meshloom_ir::FileId;
use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_syntax::ast::ItemKind;
use meshloom_syntax::elaborate::compile;
use meshloom_syntax::format::format;
use meshloom_syntax::parse::parse;
use meshloom_syntax::token::KEYWORDS;

const LANGUAGE: &str = include_str!("../../../../docs/language.md");
const LIBRARY: &str = include_str!("../../../../docs/library.md");
const FIRST_HOUR: &str = include_str!("../../../../docs/first-hour.md");

/// The ```loom blocks of a page.
fn programs(page: &str) -> Vec<&str> {
    page.split("```loom\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn documented_programs_parse_and_are_formatted() {
    let all: Vec<&str> = programs(LANGUAGE).into_iter().chain(programs(FIRST_HOUR)).collect();
    assert!(all.len() >= 7);
    for program in all {
        let errors = parse(FileId(0), program).errors;
        assert!(errors.is_empty(), "{errors:?}\n{program}");
        assert_eq!(format(program).expect("parses"), program);
    }
}

/// The blocks of the reference, put together, are a program; those with a mesh of their own are programs as they stand.
#[test]
fn the_reference_compiles() {
    let (whole, pieces): (Vec<&str>, Vec<&str>) = programs(LANGUAGE).into_iter().partition(|p| p.starts_with("mesh "));
    let head = "mesh [data: 2, model: 4]\ndim batch = 8, embed = 16, vocab = 32\n";
    let loss = "fn loss(m: Net, x: f32[batch, embed]) -> f32 { mean(scaled(steps(m, x), 2)) * sum(m.head.weight) }\n";
    let source = format!("{head}{loss}{}", pieces.concat());
    for layout in ["fsdp", "megatron"] {
        let out = compile(
            "reference.loom",
            &source,
            &FrontOptions { layout: Some(layout.into()), ..FrontOptions::default() },
        );
        assert!(out.elaborated.is_some(), "{}", render_all(&out.diagnostics, &out.sources, Style::Plain));
    }
    for program in whole.into_iter().chain([programs(FIRST_HOUR)[0]]) {
        let out = compile("whole.loom", program, &FrontOptions::default());
        assert!(out.elaborated.is_some(), "{}", render_all(&out.diagnostics, &out.sources, Style::Plain));
    }
}

/// docs/library.md is the library's declarations with their comments; `INSTA_UPDATE=always` writes it.
#[test]
fn the_library_is_documented() {
    let mut page = LIBRARY.split("\n## ").next().expect("an introduction").trim_end().to_string() + "\n";
    for (name, text) in meshloom_syntax::library::FILES {
        let file = name.trim_start_matches("lib/");
        page += &format!("\n## [{file}](../compiler/syntax/lib/{file})\n");
        let about: Vec<&str> = text.lines().map_while(|l| l.strip_prefix("// ")).collect();
        if !about.is_empty() {
            page += &format!("\n{}\n", about.join("\n"));
        }
        for item in parse(FileId(0), text).file.items {
            let start = item.span.start as usize;
            let end = match &item.kind {
                ItemKind::Fn(f) => f.body.span.start,
                _ => item.span.end,
            } as usize;
            let mut comment: Vec<&str> = text[..start].lines().rev().map_while(|l| l.strip_prefix("///")).collect();
            comment.reverse();
            assert!(!comment.is_empty(), "{file}: a comment is missing above `{}`", &text[start..end]);
            let comment: Vec<&str> = comment.iter().map(|l| l.trim_start()).collect();
            page += &format!("\n```text\n{}\n```\n\n{}\n", text[start..end].trim_end(), comment.join("\n"));
        }
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always") {
        std::fs::write("../../docs/library.md", &page).expect("docs/library.md is written");
    } else {
        assert_eq!(LIBRARY, page, "docs/library.md is not what the library says; INSTA_UPDATE=always writes it");
    }
}

#[test]
fn the_grammar_names_every_keyword() {
    let grammar = LANGUAGE.split("## Grammar").nth(1).expect("a grammar");
    for k in KEYWORDS {
        assert!(grammar.contains(&format!("\"{k}\"")), "`{k}` is missing in the grammar of docs/language.md");
    }
}

/// The cheat sheet's model holds under each of its layouts.
#[test]
fn the_cheat_sheet_compiles() {
    for program in programs(include_str!("../../../../docs/cheat-sheet.md")) {
        assert_eq!(format(program).expect("parses"), program);
        for layout in ["ddp", "zero1", "fsdp", "megatron", "fsdp_megatron"] {
            let out = compile(
                "sheet.loom",
                program,
                &FrontOptions { layout: Some(layout.into()), ..FrontOptions::default() },
            );
            assert!(out.elaborated.is_some(), "{}", render_all(&out.diagnostics, &out.sources, Style::Plain));
        }
    }
}
