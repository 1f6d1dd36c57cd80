//! Seeded mutations: of Loom by its tokens and brackets, of other files by their bytes.

use meshloom_ir::FileId;
pub use meshloom_ir::random::Rng;
use meshloom_syntax::token::{KEYWORDS, Token, lex};

/// Numbers at which things break.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "1000",
    "65536",
    "2147483647",
    "2147483648",
    "4294967296",
    "1099511627776",
    "9223372036854775807",
    "9223372036854775808",
    "99999999999999999999999",
    "0.5",
    "1e308",
    "1e-308",
    "1e999",
];

/// Bytes of a repetition.
const LONG: usize = 1 << 20;

/// Pieces that stand for whole features.
const PIECES: &[&str] = &[
    "@ [data, _]",
    "@ [?, data?]",
    "@ [(data, model), _]",
    "+ partial(model)",
    "+ partial(data, max)",
    "as bf16",
    "as i32",
    "as f64",
    "[0]",
    "[-1]",
    "[1:2]",
    "[:, 0]",
    "in 0..vocab",
    "..",
    "-> f32",
    "<n>",
    "= normal(0.02)",
    "keep: true",
    "for i in 0..3 { x = x + 1 }",
    "let [a, b] = x",
    "let (a, b) = (x, x)",
    "if true { x } else { x }",
    "_",
    "()",
    "[]",
    "x",
    "select(x > 0, x, 0)",
    "sum(x, -1)",
    "einsum(\"ab,bc->ac\", x, x)",
    "reshape(x, [-1])",
    "transpose(x)",
    "composite fn",
    "train t = sgd(loss, lr: 0.1)",
    "assert no all_reduce in loss",
    "layout l { params *: largest(data) }",
    "struct S { a: S }",
    "mesh [data: 2]",
    "dim z = 4",
    "const c = z / 3",
    "\"",
    "//",
    "///",
    "\u{e9}",
    "\u{1f9f6}",
    "\0",
];

/// Pieces of StableHLO.
const MLIR: &[&str] = &[
    "tensor<?xf32>",
    "tensor<2xcomplex<f32>>",
    "tensor<4294967296x4294967296x4294967296xf32>",
    "tensor<0xf32>",
    "tensor<2x!quant.uniform<i8:f32, 0.1:3>>",
    "dense<\"0x00\">",
    "dense<[]>",
    "dense<0x7FC00000>",
    "loc(#loc1)",
    "loc(callsite(#loc1 at #loc2))",
    "#loc1 = loc(\"f\"(#loc1))\n",
    "^bb0(%a: tensor<f32>):",
    "cond {} do {}",
    "applies stablehlo.add",
    "<{dimension = 9223372036854775807 : i64}>",
    "stablehlo.return",
    "func.call @f(%a) : (tensor<f32>) -> tensor<f32>\n",
    "%0:4294967296 =",
    "%0:4095 =",
    "sdy.sharding = #sdy.sharding<@mesh, [{\"x\", ?}]>",
    "-1",
];

const OPS: &[&str] =
    &["stablehlo.add", "stablehlo.while", "stablehlo.reduce", "stablehlo.reshape", "func.func", "module"];

/// What is put into a text.
struct Words {
    pieces: &'static [&'static str],
    keywords: &'static [&'static str],
    doubled: fn(&mut Rng) -> String,
}

/// Mutates a Loom source: one to eight changes, each to tokens.
pub fn loom(rng: &mut Rng, corpus: &[&str]) -> Vec<u8> {
    mutated(rng, corpus, pieces, &Words { pieces: PIECES, keywords: KEYWORDS, doubled: functions })
}

/// Mutates a StableHLO module in the same way.
pub fn mlir(rng: &mut Rng, corpus: &[&str]) -> Vec<u8> {
    mutated(rng, corpus, mlir_pieces, &Words { pieces: MLIR, keywords: OPS, doubled: calls })
}

fn mutated(rng: &mut Rng, corpus: &[&str], pieces: fn(&str) -> Vec<String>, words: &Words) -> Vec<u8> {
    let mut tokens = pieces(rng.pick(corpus));
    let other = pieces(rng.pick(corpus));
    for _ in 0..1 + rng.below(8) {
        change(rng, &mut tokens, &other, words);
        // Changes that repeat may not pile up without end.
        tokens.truncate(60_000);
    }
    tokens.concat().into_bytes()
}

/// The text as tokens and what stands between them.
fn pieces(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = 0;
    for (start, _, end) in lex(FileId(0), text).tokens {
        // The lexer leaves out newlines that mean nothing, and blanks.
        if start >= at && end > start {
            if start > at {
                out.push(text[at..start].to_string());
            }
            out.push(text[start..end].to_string());
            at = end;
        }
    }
    out.push(text[at..].to_string());
    out
}

/// The tokens of a module and what stands between them.
fn mlir_pieces(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = 0;
    for l in meshloom_stablehlo::lexer::lex(FileId(0), text).unwrap_or_default() {
        let (start, end) = (l.span.start as usize, l.span.end as usize);
        out.extend([text[at..start].to_string(), text[start..end].to_string()]);
        at = end;
    }
    out.push(text[at..].to_string());
    out.retain(|t| !t.is_empty());
    out
}

fn change(rng: &mut Rng, tokens: &mut Vec<String>, other: &[String], words: &Words) {
    let n = tokens.len();
    let at = rng.below(n);
    let span = |rng: &mut Rng, longest: usize| at..(at + 1 + rng.below(longest)).min(n);
    match rng.below(13) {
        0 => drop(tokens.drain(span(rng, 6))),
        1 => {
            let with = rng.below(n);
            tokens.swap(at, with);
        }
        2 => {
            let copy: Vec<String> = tokens[span(rng, 30)].to_vec();
            let to = rng.below(n);
            tokens.splice(to..to, copy);
        }
        3 => {
            let from = rng.below(other.len());
            let copy: Vec<String> = other[from..(from + 1 + rng.below(60)).min(other.len())].to_vec();
            tokens.splice(at..at, copy);
        }
        // A token becomes another of its kind.
        4..=6 => {
            let kind = kind_of(&tokens[at]);
            let same: Vec<String> = tokens.iter().chain(other).filter(|t| kind_of(t) == kind).cloned().collect();
            if let Some(i) = (at..n).find(|&i| !tokens[i].trim().is_empty()) {
                tokens[i] = match kind {
                    Kind::Number => rng.pick(NUMBERS).to_string(),
                    _ => rng.pick(&same),
                };
            }
        }
        7 => tokens.insert(at, format!(" {} ", rng.pick(words.pieces))),
        8 => tokens.insert(at, format!(" {} ", rng.pick(words.keywords))),
        9 => {
            if let Some(i) = (at..n).find(|&i| kind_of(&tokens[i]) == Kind::Number) {
                tokens[i] = rng.pick(NUMBERS).to_string();
            }
        }
        // Deep nesting, long repetition.
        10 => {
            let (open, close) = rng.pick(&[("(", ")"), ("[", "]"), ("-", ""), ("!", ""), ("f(", ")"), ("{", "}")]);
            let depth = rng.pick(&[3, 20, 99, 101, 150, 500, 5000]);
            tokens[at] = format!("{}{}{}", open.repeat(depth), tokens[at], close.repeat(depth));
        }
        11 => {
            let copy = tokens[span(rng, 12)].concat();
            let times: usize = rng.pick(&[2, 10, 100, 1000]);
            // A repetition of repetitions of repetitions has gigabytes, of which a reader's memory is judged.
            tokens.insert(at, copy.repeat(times.min(LONG / copy.len().max(1))));
        }
        _ => tokens.push((words.doubled)(rng)),
    }
    if tokens.is_empty() {
        tokens.push(String::new());
    }
}

/// Functions that double at each level.
fn functions(rng: &mut Rng) -> String {
    let depth = rng.pick(&[4, 12, 30, 60]);
    let body = rng.pick(&["@ + @", "(@, @)", "dot(@, @)", "[@, @]", "concat([@, @], 0)", "@ * 2 + @"]);
    let mut text = String::from("\nfn d0(x) { x }\n");
    for i in 1..depth {
        text += &format!("fn d{i}(x) {{ {} }}\n", body.replace('@', &format!("d{}(x)", i - 1)));
    }
    text + &format!("entry deep(x: f32[2, 2]) {{ d{}(x) }}\n", depth - 1)
}

/// A module whose functions each call the next twice.
fn calls(rng: &mut Rng) -> String {
    let depth = rng.pick(&[4, 12, 30, 60, 70]);
    let mut text = String::from("\nmodule {\nfunc.func @main(%a: tensor<f32>) -> tensor<f32> {\n");
    for i in 0..depth {
        text += &format!("%b = func.call @d{i}(%a) : (tensor<f32>) -> tensor<f32>\n");
        text += &format!("%c = func.call @d{i}(%b) : (tensor<f32>) -> tensor<f32>\nreturn %c : tensor<f32>\n}}\n");
        text += &format!("func.func private @d{i}(%a: tensor<f32>) -> tensor<f32> {{\n");
    }
    text + "%b = stablehlo.add %a, %a : tensor<f32>\nreturn %b : tensor<f32>\n}\n}\n"
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Number,
    Blank,
    Sign,
}

fn kind_of(token: &str) -> Kind {
    match token.trim().bytes().next() {
        None => Kind::Blank,
        Some(b) if b.is_ascii_digit() => Kind::Number,
        Some(b) if b.is_ascii_alphabetic() => Kind::Name,
        Some(_) => Kind::Sign,
    }
}

/// Mutates bytes: flips, numbers at which things break, cuts, copies.
pub fn bytes(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut out = rng.pick(corpus).clone();
    for _ in 0..1 + rng.below(6) {
        let at = rng.below(out.len());
        if out.is_empty() {
            return out;
        }
        match rng.below(7) {
            0 => out[at] ^= 1 << rng.below(8),
            1 => out[at] = rng.bits() as u8,
            2 => out.truncate(at),
            3 => {
                let end = (at + 1 + rng.below(16)).min(out.len());
                out.drain(at..end);
            }
            4 => {
                let wide = rng.pick(&[0u64, 1, 0x7fff_ffff, 0xffff_ffff, 0x7fff_ffff_ffff_ffff, u64::MAX]);
                let width = rng.pick(&[1, 2, 4, 8]);
                for (i, b) in wide.to_le_bytes().iter().take(width).enumerate() {
                    if let Some(slot) = out.get_mut(at + i) {
                        *slot = *b;
                    }
                }
            }
            5 => {
                let end = (at + 1 + rng.below(64)).min(out.len());
                let copy = out[at..end].to_vec();
                let to = rng.below(out.len());
                out.splice(to..to, copy);
            }
            // Text: another digit, another sign.
            _ => {
                let from = (at..out.len()).find(|&i| out[i].is_ascii_digit());
                let digits = rng.pick(NUMBERS).as_bytes().to_vec();
                if let Some(i) = from {
                    out.splice(i..=i, digits);
                }
            }
        }
    }
    out
}

/// Mutates a text of lines: some change places, are doubled, left out or joined with a word of another, then bytes are changed.
pub fn lines(rng: &mut Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let text = String::from_utf8_lossy(&rng.pick(corpus)).into_owned();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..rng.below(4) {
        let (at, with) = (rng.below(lines.len()), rng.below(lines.len()));
        match rng.below(4) {
            0 => lines.swap(at, with),
            1 => lines.insert(at, lines[with].clone()),
            2 if lines.len() > 1 => drop(lines.remove(at)),
            _ => {
                let words: Vec<&str> = lines[with].split_whitespace().collect();
                let word = if words.is_empty() { String::new() } else { rng.pick(&words).to_owned() };
                lines[at] = format!("{} {word}", lines[at]);
            }
        }
    }
    let text = lines.join("\n").into_bytes();
    if rng.below(3) == 0 { text } else { bytes(rng, &[text]) }
}

/// Whether a text has a token that the parser takes: used to see that mutations are not all noise.
pub fn is_loom(text: &str) -> bool {
    let first = lex(FileId(0), text).tokens;
    first.iter().any(|t| matches!(t.1, Token::Fn | Token::Entry | Token::Struct))
}
