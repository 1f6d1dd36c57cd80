//! Generates the tree-sitter parser of Loom, and tests it: `generate`, or `check` with the folders of sources to parse.
//!
//! The command of tree-sitter does the first too, but npm's package of it fetches a program from elsewhere; this is the library
//! that the command is made of, from crates.io. A workspace of its own, so that nothing else waits for it.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tree_sitter::{Language, Node, Parser, Query, QueryCursor, StreamingIterator};
use tree_sitter_generate::{ABI_VERSION_MAX, OptLevel, generate_parser_in_directory};
use tree_sitter_language::LanguageFn;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let done = match args.next().as_deref() {
        Some("generate") => generate().map(|_| String::new()),
        Some("check") => check(args.map(PathBuf::from).collect()),
        _ => Err("say `generate` or `check FOLDER..`".into()),
    };
    match done {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("tree-sitter: {e}");
            ExitCode::FAILURE
        }
    }
}

/// The folder of the grammar.
fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn generate() -> Result<PathBuf> {
    let none: Option<PathBuf> = None;
    generate_parser_in_directory(
        home(),
        none.clone(),
        none,
        ABI_VERSION_MAX,
        None,
        Some("node"),
        true,
        OptLevel::default(),
    )?;
    Ok(home().join("src"))
}

/// Compiles the parser as editors do, and loads it.
fn language(sources: &Path) -> Result<Language> {
    let out = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join("loom.so");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-std=c11", "-Wall", "-Werror", "-Wno-unused-variable"])
        .arg("-I")
        .arg(sources)
        .args([sources.join("parser.c"), sources.join("scanner.c")])
        .arg("-o")
        .arg(&out)
        .status()?;
    if !status.success() {
        return Err("cc did not compile the parser".into());
    }
    // SAFETY: the library is the parser that was just compiled, whose function has this type.
    unsafe {
        let library = Box::leak(Box::new(libloading::Library::new(out)?));
        let function = library.get::<unsafe extern "C" fn() -> *const ()>(b"tree_sitter_loom")?;
        Ok(LanguageFn::from_raw(*function).into())
    }
}

fn check(folders: Vec<PathBuf>) -> Result<String> {
    let language = language(&generate()?)?;
    let mut parser = Parser::new();
    parser.set_language(&language)?;
    let mut queries = Vec::new();
    for name in ["highlights", "folds", "locals"] {
        let text = std::fs::read_to_string(home().join("queries").join(format!("{name}.scm")))?;
        queries.push(Query::new(&language, &text).map_err(|e| format!("{name}.scm: {e}"))?);
    }
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in &folders {
        let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        files.extend(entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "loom")));
    }
    files.sort();
    if files.is_empty() {
        return Err("there are no sources in these folders".into());
    }
    let mut colours = 0;
    for file in &files {
        let text = std::fs::read_to_string(file)?;
        let tree = parser.parse(&text, None).ok_or("no tree")?;
        if let Some(bad) = broken(tree.root_node()) {
            let at = bad.start_position();
            return Err(
                format!("{}:{}:{}: the grammar does not read this", file.display(), at.row + 1, at.column + 1).into()
            );
        }
        colours += captures(&queries[0], tree.root_node(), &text).len();
    }
    statements(&mut parser)?;
    names(&mut parser, &queries[0])?;
    Ok(format!("tree-sitter: {} files read without errors, {colours} captures for colours\n", files.len()))
}

fn broken(node: Node<'_>) -> Option<Node<'_>> {
    if node.is_error() || node.is_missing() {
        return Some(node);
    }
    if !node.has_error() {
        return None;
    }
    let mut cursor = node.walk();
    let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
    children.into_iter().find_map(broken).or(Some(node))
}

/// Texts with the names of their captures; of several captures of one text the last counts, as in editors.
fn captures(query: &Query, root: Node<'_>, text: &str) -> Vec<(String, String)> {
    let mut cursor = QueryCursor::new();
    let mut found = cursor.captures(query, root, text.as_bytes());
    let mut out = Vec::new();
    while let Some((m, i)) = found.next() {
        let capture = m.captures[*i];
        let of = &text[capture.node.byte_range()];
        out.push((of.to_string(), query.capture_names()[capture.index as usize].to_string()));
    }
    out
}

/// Where newlines end statements, and where they do not.
fn statements(parser: &mut Parser) -> Result<()> {
    for (body, count) in [
        ("let x = y\n    (x, z)", 2),
        ("let x = y\n    - z", 1),
        ("let x = y\n    -z", 2),
        ("let x = y // why\n    // more\n    + z\n    x", 2),
        ("let x = f(\n    a,\n    b,\n)\n    x", 2),
        ("let x = y\n    / z", 1),
        ("let x = y; z", 2),
        ("let x = y\n    as f32\n    assign = 1", 2),
        ("if c { a }\n    else { b }\n    elsewhere", 2),
        ("x = 1\n\n\n    [a, b]", 2),
        ("state m: f32[..] = zeros\n    state = m", 2),
    ] {
        let text = format!("fn f(x: f32) {{\n    {body}\n}}\n");
        let tree = parser.parse(&text, None).ok_or("no tree")?;
        let item = tree.root_node().named_child(0).ok_or("no item")?;
        let block = item.child_by_field_name("body").ok_or("no body")?;
        let mut cursor = block.walk();
        let found = block.named_children(&mut cursor).filter(|n| !n.is_extra()).count();
        if tree.root_node().has_error() || found != count {
            return Err(
                format!("{count} statements, and not {found}, are in\n{text}{}", tree.root_node().to_sexp()).into()
            );
        }
    }
    Ok(())
}

/// What some names are coloured as.
fn names(parser: &mut Parser, query: &Query) -> Result<()> {
    let text = "mesh [data: 2]\nstruct M { w: f32[n] @ [data] = zeros }\n/// Doc.\nfn f(m: M, x: f32[n]) -> f32 { sum(m.w * x) }\n\
                train t = sgd(f, lr: 0.1)\nlayout l { params w: largest(data)\nstate blocks[0..12].w1: [_, data]\nparams tail[7]: _ }\nassert wire_bytes(data) <= 3 MiB\n";
    let tree = parser.parse(text, None).ok_or("no tree")?;
    if tree.root_node().has_error() {
        return Err(format!("not all is read of\n{text}{}", tree.root_node().to_sexp()).into());
    }
    let all = captures(query, tree.root_node(), text);
    for (name, wanted) in [
        ("M", "type"),
        ("f32", "type.builtin"),
        ("data", "constant"),
        ("sum", "function"),
        ("sgd", "function"),
        ("lr", "variable.parameter"),
        ("largest", "function.builtin"),
        ("MiB", "type.builtin"),
        ("/// Doc.", "comment.documentation"),
        ("struct", "keyword"),
        ("blocks", "property"),
        ("12", "number"),
        ("w1", "property"),
        ("tail", "property"),
        ("7", "number"),
    ] {
        if all.iter().rfind(|c| c.0 == name).map(|c| c.1.as_str()) != Some(wanted) {
            return Err(format!("`{name}` is not coloured as {wanted}: {all:?}").into());
        }
    }
    Ok(())
}
