//! The formatter: what it writes, that writing it again changes nothing, and that no comment or token is lost.

use meshloom_ir::FileId;
use meshloom_syntax::format::format;
use meshloom_syntax::parse::parse;
use meshloom_syntax::token::{Token, lex};
use proptest::prelude::*;

const EXAMPLES: &[(&str, &str)] = &[
    ("mlp", include_str!("../../../../examples/mlp.loom")),
    ("gpt", include_str!("../../../../examples/gpt.loom")),
    ("gpt_tiny", include_str!("../../../../examples/gpt_tiny.loom")),
    ("gpt_small", include_str!("../../../../examples/gpt_small.loom")),
    ("oracle_mlp", include_str!("../../../../examples/oracle_mlp.loom")),
    ("matrices", include_str!("../../../stablehlo/src/import/linear_algebra/matrices.loom")),
    ("systems", include_str!("../../../stablehlo/src/import/linear_algebra/systems.loom")),
    ("factors", include_str!("../../../stablehlo/src/import/linear_algebra/factors.loom")),
    ("jacobi", include_str!("../../../stablehlo/src/import/linear_algebra/jacobi.loom")),
    ("special", include_str!("../../../stablehlo/src/import/special.loom")),
    ("complex functions", include_str!("../../../stablehlo/src/import/complex/functions.loom")),
];

#[track_caller]
fn formatted(source: &str) -> String {
    format(source)
        .unwrap_or_else(|e| panic!("does not parse: {:?}\n{source}", e.iter().map(|d| &d.message).collect::<Vec<_>>()))
}

#[test]
fn examples_and_library_are_formatted() {
    for (name, text) in EXAMPLES.iter().chain(meshloom_syntax::library::FILES) {
        assert_eq!(formatted(text), *text, "{name}");
    }
}

#[test]
fn one_way_to_write_it() {
    let source = "mesh[data:2,model:4]//axes
dim a=8,b=2*(a+1)
struct S{x:f32[a,b]@[_,model]=normal(0.02),//weights
  // own line

  long_name:f32[a]=zeros,y:[T;4]}
fn f<n>(x:f32[n,a]@[data,_],p:S)->f32[n]{//body
let [q,_]=einsum(\"ab->ba\",x)
// before the loop
for p in m.blocks{x=block(p,x)}


for i in 0..4{
x=x+1 } // after
let y=if causal{x}else{-x}
x[0,1:,:b]@[data?,(a,b),?]+partial(model,max)
}
assert   no all_gather(model)in f
assert collectives( all_reduce,model )<=2*(a+1)// bound

assert layout(blocks.*.w)==[_,(data,model)]
assert wire_bytes<=20MB
layout l{params *:_ state blocks.*.w*:like params inputs x:largest(data)}
train t=adamw(loss,lr:1e-3)";
    insta::assert_snapshot!(formatted(source));
}

#[test]
fn long_lines_break_at_brackets_and_operators() {
    let source =
        "fn f(first_parameter: f32[batch, seq, embed], second_parameter: f32[batch, seq, embed], third: f32) -> f32 {
        let x = some_function(first_parameter, second_parameter, third, another_argument: 1.0, and_one_more: (2, 3))
        let y = first_long_operand * second_long_operand + third_long_operand * fourth_long_operand - fifth_long_operand
        y
    }
    dim aaaaaaaaaaaa = 1, bbbbbbbbbbbbb = 2, cccccccccccccc = 3, dddddddddddddd = 4, eeeeeeeeeeeeeeeee = 5, ffffff = 6";
    insta::assert_snapshot!(formatted(source));
}

#[test]
fn what_does_not_parse_is_not_formatted() {
    let errors = format("fn f(x { }").unwrap_err();
    assert!(!errors.is_empty());
}

/// Tokens without what the formatter may add or drop: commas before a closing bracket, and newlines.
fn essence(source: &str) -> Vec<String> {
    let lexed = lex(FileId(0), source);
    let tokens: Vec<Token<'_>> =
        lexed.tokens.iter().map(|t| t.1).filter(|t| !matches!(t, Token::Newline | Token::Semi)).collect();
    let closes = |t: Option<&Token<'_>>| matches!(t, Some(Token::RParen | Token::RBracket | Token::RBrace));
    let item = |t: Option<&Token<'_>>| {
        t.is_none_or(|t| matches!(t, Token::Struct | Token::Fn | Token::Train | Token::Const | Token::Dim))
    };
    tokens
        .iter()
        .enumerate()
        .filter(|(i, t)| **t != Token::Comma || !(closes(tokens.get(i + 1)) || item(tokens.get(i + 1))))
        .map(|(_, t)| t.to_string())
        .collect()
}

fn comments(source: &str) -> Vec<String> {
    let mut c: Vec<String> = lex(FileId(0), source).comments.iter().map(|c| c.text.to_string()).collect();
    c.sort();
    c
}

#[track_caller]
fn check_stable(source: &str) {
    let once = formatted(source);
    let twice = formatted(&once);
    assert_eq!(once, twice, "formatting again changes it; from:\n{source}");
    assert_eq!(essence(source), essence(&once), "tokens changed");
    assert_eq!(comments(source), comments(&once), "comments changed in\n{source}\nto\n{once}");
}

#[test]
fn comments_that_move_out_of_a_field_part_the_columns() {
    let source = "struct S {
    long_name: f32[a, b] = zeros,
    b: f32[a] = // first

// second
 zeros,
    // third

    c: f32 = ones,
}";
    check_stable(source);
    insta::assert_snapshot!(formatted(source));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Comments and line breaks at any place where the program still parses.
    #[test]
    fn comments_survive_anywhere(example in 0..EXAMPLES.len(), places in prop::collection::vec((0usize..100_000, 0u8..3), 0..6)) {
        let mut source = EXAMPLES[example].1.to_string();
        for (n, (place, kind)) in places.iter().enumerate() {
            let ends: Vec<usize> = lex(FileId(0), &source).tokens.iter().map(|t| t.2).collect();
            let at = ends[place % ends.len()];
            let insert = match kind {
                0 => format!(" // c{n}\n"),
                1 => format!("\n// c{n}\n"),
                _ => "\n".to_string(),
            };
            let mut changed = source.clone();
            changed.insert_str(at, &insert);
            if parse(FileId(0), &changed).errors.is_empty() {
                source = changed;
            }
        }
        check_stable(&source);
    }
}
