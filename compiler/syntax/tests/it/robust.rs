//! No input makes the front end panic or hang, and errors always have something to say.

use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all, to_json};
use meshloom_syntax::elaborate::compile;
use meshloom_syntax::format::format;
use proptest::prelude::*;

const GPT: &str = include_str!("../../../../examples/gpt.loom");
const TINY: &str = include_str!("../../../../examples/gpt_tiny.loom");

/// Runs everything that takes source text.
fn feed(source: &str) {
    let out = compile("fuzz.loom", source, &FrontOptions::default());
    let text = render_all(&out.diagnostics, &out.sources, Style::Plain);
    for d in &out.diagnostics {
        assert!(!d.message.is_empty());
        to_json(d, &out.sources);
    }
    if out.elaborated.is_none() {
        assert!(!text.is_empty(), "refused without a word: {source}");
    }
    assert!(!text.contains("bug in meshloom"), "{text}\n{source}");
    let _ = format(source);
}

const WORDS: &[&str] = &[
    "mesh",
    "dim",
    "const",
    "struct",
    "fn",
    "composite",
    "train",
    "entry",
    "layout",
    "let",
    "for",
    "in",
    "if",
    "else",
    "as",
    "true",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "..",
    ".",
    "->",
    "@",
    "?",
    "_",
    "+",
    "-",
    "*",
    "/",
    "==",
    "<",
    ">",
    "=",
    "!",
    "&&",
    "\n",
    "x",
    "y",
    "f",
    "m",
    "p",
    "f32",
    "i32",
    "float",
    "Gpt",
    "Block",
    "LayerNorm",
    "data",
    "model",
    "1",
    "2",
    "0",
    "1.5",
    "-1",
    "99999999999999999999",
    "1e400",
    "\"ab,bc->ac\"",
    "\"",
    "// c",
    "einsum",
    "sum",
    "reshape",
    "attention",
    "layer_norm",
    "partial",
    "like",
    "params",
    "state",
    "largest",
    "adamw",
    "normal",
    "é",
    "\0",
    "$",
];

fn words() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..60).prop_map(|w| w.join(" "))
}

/// A real program with some tokens replaced, dropped or doubled.
fn mutated(source: &'static str) -> impl Strategy<Value = String> {
    let pieces: Vec<&str> = source.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect();
    prop::collection::vec((0..pieces.len(), 0u8..3, prop::sample::select(WORDS)), 1..5).prop_map(move |edits| {
        let mut out: Vec<String> = pieces.iter().map(ToString::to_string).collect();
        for (at, kind, word) in edits {
            match kind {
                0 => out[at] = format!("{word} "),
                1 => out[at].clear(),
                _ => out[at] = format!("{0}{0}", out[at]),
            }
        }
        out.concat()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(source in "\\PC{0,200}") {
        feed(&source);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        feed(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_words(source in words()) {
        feed(&source);
    }

    #[test]
    fn words_in_a_function(body in words()) {
        feed(&format!("dim n = 4\nentry f(x: f32[n, n], t: i32[n]) -> f32[n, n] {{\n{body}\n}}"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_gpt(source in mutated(GPT)) {
        feed(&source);
    }

    #[test]
    fn damaged_gpt_tiny(source in mutated(TINY)) {
        feed(&source);
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for source in [
        format!("fn f() {{ {} }}", "(".repeat(5_000)),
        format!("fn f() {{ {}1{} }}", "(".repeat(5_000), ")".repeat(5_000)),
        format!("fn f() {{ {}1 }}", "-".repeat(50_000)),
        format!("fn f() {{ 1{} }}", " + 1".repeat(50_000)),
        format!("fn f() {{ x{} }}", "[0]".repeat(50_000)),
        format!("fn f() {{ x{} }}", ".a".repeat(50_000)),
        format!("fn f() {{ {}1{} }}", "if true { ".repeat(300), " } else { 1 }".repeat(300)),
        format!("fn f() {{ {}1 }}", "if true { 1 } else ".repeat(5_000)),
        format!("fn f(x: {}f32{}) {{ 1 }}", "(".repeat(3_000), ")".repeat(3_000)),
        format!("fn f() {{ {} }}", "for i in 0..2 {".repeat(3_000)),
        "[".repeat(100_000),
    ] {
        feed(&source);
        assert!(compile("deep.loom", &source, &FrontOptions::default()).elaborated.is_none());
    }
}

/// As deep as is allowed, in functions that call each other: the limits together must not exhaust a test thread's stack.
#[test]
fn the_deepest_allowed_program_fits_the_stack() {
    let deep = |inner: &str| {
        let mut e = inner.to_string();
        for _ in 0..70 {
            e = format!("(1.0 + {e})");
        }
        e
    };
    let mut source = String::from("dim n = 4\n");
    source += &format!("fn f0(x: f32[n]) -> f32[n] {{ {} }}\n", deep("x"));
    for i in 1..40 {
        source += &format!("fn f{i}(x: f32[n]) -> f32[n] {{ {} }}\n", deep(&format!("f{}(x)", i - 1)));
    }
    source += "entry e(x: f32[n]) -> f32[n] { f1(x) }\n";
    feed(&source);
}

/// Doubling at each level is cut off by a limit on operations, not by the machine's memory.
/// A line of a megabyte whose every parameter is wrong: what stands before an error is not read again for each of them.
#[test]
fn a_long_line_of_errors_is_read_once() {
    let source = format!("fn f(x: f32{}) -> f32 {{ x }}", ", y:[data, _]".repeat(80_000));
    let out = compile("long.loom", &source, &FrontOptions::default());
    assert!(out.elaborated.is_none() && (1..=100).contains(&out.diagnostics.len()), "{}", out.diagnostics.len());
}

#[test]
fn exponential_expansion_is_an_error() {
    let mut source = String::from("dim n = 4\nfn f0(x: f32[n]) -> f32[n] { x + x }\n");
    for i in 1..40 {
        source += &format!("fn f{i}(x: f32[n]) -> f32[n] {{ f{0}(x) + f{0}(x) }}\n", i - 1);
    }
    source += "entry e(x: f32[n]) -> f32[n] { f39(x) }\n";
    let out = compile("double.loom", &source, &FrontOptions::default());
    assert!(
        out.diagnostics.iter().any(|d| d.code == "too-large"),
        "{}",
        render_all(&out.diagnostics, &out.sources, Style::Plain)
    );
}

/// Tuples of tuples double, or nest, with each line.
#[test]
fn values_do_not_grow_without_bound() {
    for line in ["let x = (x, x)\n", "let x = (x,)\n", "let x = [x, x, x]\n"] {
        let source = format!("dim n = 4\nentry f(x: f32[n]) {{\n{}x\n}}\n", line.repeat(2_000));
        feed(&source);
        assert!(compile("grow.loom", &source, &FrontOptions::default()).elaborated.is_none());
    }
}

#[test]
fn limits_of_the_ir_are_reported_as_such() {
    for source in [
        format!("dim n = 1\nentry f(x: f32[n]) {{ reshape(x, [{}1]) }}\n", "1, ".repeat(40)),
        format!("dim n = 4\nentry f(x: f32[n]) {{\n{}x = x + 1\n{}\nx\n}}\n", "for i in 0..2 {\n".repeat(60), "}\n".repeat(60)),
        "dim n = 4\nentry f(x: f32[n]) {\nfor i in 0..1000000000000 { x = x + 1 }\nx\n}\n".to_string(),
        "struct P { w: f32 }\nstruct M { p: [P; 9000000000000000] }\nentry f(m: M) {\nlet x: f32 = 0\nfor p in m.p { x = x + p.w }\nx\n}\n".to_string(),
        "mesh [a: 5000000]\nentry f(x: f32) { x }\n".to_string(),
        "struct M { w: f32[1048576, 1048576, 1048576, 1048576] }\nentry f(m: M) { m.w }\n".to_string(),
    ] {
        feed(&source);
    }
}
