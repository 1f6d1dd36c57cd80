//! The text form: every construct round-trips, errors have a place, and no text makes the parser or verifier panic.

use meshloom_ir::graph::{OpId, ValueId};
use meshloom_ir::parse::parse;
use meshloom_ir::print::{print, print_with_spans};
use meshloom_ir::span::{FileId, Span};
use meshloom_ir::verify::{show, verify};
use proptest::prelude::*;

const SAMPLE: &str = include_str!("data/sample.ir");

#[test]
fn every_construct_round_trips() {
    let f = parse(SAMPLE).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&f), SAMPLE);
    if let Err(errors) = verify(&f) {
        panic!("{}", show(&f, &errors));
    }
}

/// The programs shown in docs/ir.md are ones.
#[test]
fn documented_programs_round_trip() {
    let docs = include_str!("../../../../docs/ir.md");
    let blocks: Vec<&str> = docs.split("```ir\n").skip(1).filter_map(|b| b.split("```").next()).collect();
    assert!(blocks.len() > 3);
    for text in blocks {
        let f = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_eq!(print(&f), text);
        if let Err(errors) = verify(&f) {
            panic!("{}", show(&f, &errors));
        }
    }
}

#[test]
fn spans_round_trip() {
    let mut f = parse(SAMPLE).unwrap();
    let at = |i: usize| Span::new(FileId(i as u32 % 3), i, 2 * i + 1);
    for (i, v) in f.values.iter_mut().enumerate().filter(|(i, _)| i % 3 != 0) {
        v.span = at(i);
    }
    for (i, o) in f.ops.iter_mut().enumerate().filter(|(i, _)| i % 4 != 0) {
        o.span = at(i);
    }
    for (i, p) in f.inputs.iter_mut().chain(&mut f.outputs).enumerate() {
        p.span = at(i);
    }
    let text = print_with_spans(&f);
    let g = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(print_with_spans(&g), text);
    let spans = |f: &meshloom_ir::Func| {
        let values = f.values.iter().map(|v| v.span);
        values.chain(f.ops.iter().map(|o| o.span)).collect::<Vec<_>>()
    };
    assert_eq!(spans(&f), spans(&g));
    assert_eq!(print(&f), SAMPLE);
}

#[test]
fn ids_are_the_numbers_of_the_text() {
    let f = parse(SAMPLE).unwrap();
    let dot = f.op(OpId(1));
    assert_eq!(dot.op.name(), "dot_general");
    assert_eq!(dot.results, [ValueId(8)]);
    assert_eq!(f.value(ValueId(14)).name.as_deref(), Some("stash"));
}

/// Values that nothing reaches close their gaps.
#[test]
fn dead_values_are_not_printed() {
    let mut f = parse(SAMPLE).unwrap();
    let dead = f.ops.iter().position(|o| o.op.name() == "collective_permute");
    let dead = OpId(dead.unwrap() as u32);
    f.regions[0].ops.retain(|&o| o != dead);
    for o in &mut f.ops {
        for v in &mut o.operands {
            if *v == ValueId(33) {
                *v = ValueId(32);
            }
        }
    }
    verify(&f).unwrap();
    let text = print(&f);
    assert!(!text.contains("%40"), "{text}");
    assert_eq!(print(&parse(&text).unwrap()), text);
}

fn refused(text: &str) -> String {
    match parse(text) {
        Err(e) => e.to_string(),
        Ok(f) => match verify(&f) {
            Err(e) => show(&f, &e),
            Ok(()) => panic!("accepted:\n{text}"),
        },
    }
}

fn body(text: &str) -> String {
    format!("func @t on [data: 2] {{\n  input %0 x: f32[4, 6] input\n{text}\n}}")
}

#[test]
fn parse_errors_have_a_place() {
    for (text, message) in [
        ("", "1:1: expected `func`, found the end of the text"),
        ("func t", "1:6: expected `@`, found `t`"),
        ("func @t on [d: 2] {\n  %1 = frob %0 : f32\n}", "2:8: there is no op `frob` without attributes in braces"),
        (&body("  %1 = negate %7 : f32[4, 6]"), "3:15: `%7` is defined nowhere"),
        (&body("  %0 = negate %0 : f32[4, 6]"), "3:3: `%0` is defined twice"),
        (&body("  %1 = all_gather %0 {dim 0 over model} : f32[8, 6]"), "3:34: the mesh [data: 2] has no axis `model`"),
        (&body("  %1 = negate %0 : f32[4, 6"), "4:1: expected `,` or `]`, found `}`"),
        (&body("  %1 = negate %0 : f33[4, 6]"), "3:20: expected an element type, found `f33[4,`"),
        (&body("  %1 = constant {1.2.3} : f32"), "3:18: `1.2.3` is not a number"),
        (&body("  %1 = dot_general %0, %0 {ab,bc->ad} : f32[4, 6]"), "3:28: result dim `d` is in no operand"),
        (
            &body("  output %0 y: thing"),
            "3:16: expected a role (parameter, state, input, output, loss, metric, gradient), found `thing`",
        ),
        (&body("  output %0 \"y: output"), "3:13: this text has no closing quote"),
        (&body("  output %0 y: output updates %0 ]"), "3:34: expected `}`, found `]`"),
    ] {
        assert_eq!(refused(text), message, "{text}");
    }
}

#[test]
fn verify_errors_show_the_line() {
    for (text, message) in [
        (
            "  %1 = negate %0 : f32[4, 5]",
            "error: `negate` gives f32[4, 6], not f32[4, 5]\n     1 | func @t on [data: 2] {\n     2 |   input %0 x: f32[4, 6] input\n>    3 |   %1 = negate %0 : f32[4, 5]\n",
        ),
        ("  %1 = negate %2 : f32[4, 6]\n  %2 = negate %0 : f32[4, 6]", "error: a value is used before it is defined\n"),
        ("  %1 = transpose %0 {[1, 1]} : f32[6, 4]", "error: [1, 1] is not a permutation of the dims of f32[4, 6]\n"),
        (
            "  %1 = shard_slice %0 {dim 0 over (data, data)} : f32[1, 6]",
            "error: `shard_slice` names axis `data` twice\n",
        ),
        (
            "  %1 = composite @c %0 {} : f32[4, 6] {\n    arg %2: f32[4, 6]\n    yield %0\n  }",
            "error: a value from outside the region is used; it must come in as an argument\n",
        ),
        (
            "  %1 = repeat carries(%0) xs() invariants() {trip 2} : f32[4, 6] {\n    arg %2: f32[4, 6]\n    %3 = transpose %2 {[1, 0]} : f32[6, 4]\n    yield %3\n  }",
            "error: carry 0 starts as f32[4, 6] and is f32[6, 4] after an iteration\n",
        ),
        ("  %1 = negate %0 : f32[4, 6] @ [data, data]", "error: axis `data` is used twice\n"),
        ("  %1 = negate %0 : f32[4, 6] @ [data]", "error: a layout of 1 dims on f32[4, 6]\n"),
        ("  %1 = scatter %0, %0 {total 4} : f32[4]", "error: scatter takes integer indices and float updates"),
        ("  output %0 y: loss", "error: the loss must be a float scalar that is computed, not f32[4, 6]\n"),
        (
            "  %1 = transpose %0 {[1, 0]} : f32[6, 4]\n  output %1 y: output updates %0",
            "error: `y` is f32[6, 4] and updates an input of type f32[4, 6]\n",
        ),
        ("  output %0 y: output\n  output %0 y: output", "error: two ports are named `y`\n"),
        (
            "  %1 = broadcast_in_dim %0 {dims [0, 5]} : f32[4, 6]",
            "error: dim 1 is mapped to dim 5 of a result of rank 2\n",
        ),
    ] {
        let text = body(text);
        let shown = refused(&text);
        assert!(shown.starts_with(message), "{text}\n{shown}");
    }
}

#[test]
fn deep_nesting_is_refused() {
    let mut text = String::new();
    for i in 0..10_000 {
        text += &format!("composite @c {{}} {{ arg %{}: f32 ", i + 1);
    }
    assert!(refused(&body(&text)).contains("nested more than"));
}

/// Malformed graphs are refused and shown, not followed: an op inside itself, ids out of range, lost links.
#[test]
fn broken_links_are_refused() {
    let good = parse(SAMPLE).unwrap();
    let mut broken = Vec::new();
    let repeat = good.ops.iter().position(|o| o.op.name() == "repeat").unwrap();
    let mut f = good.clone();
    f.regions[1].ops.push(OpId(repeat as u32));
    broken.push(f);
    let mut f = good.clone();
    f.ops[repeat].regions = vec![meshloom_ir::RegionId(0)];
    broken.push(f);
    let mut f = good.clone();
    f.ops[repeat].regions.clear();
    broken.push(f);
    let mut f = good.clone();
    f.ops[0].operands[0] = ValueId(1 << 20);
    broken.push(f);
    let mut f = good.clone();
    f.ops[0].parent = meshloom_ir::RegionId(2);
    broken.push(f);
    let mut f = good.clone();
    f.regions[0].ops[0] = OpId(1 << 20);
    broken.push(f);
    let mut f = good.clone();
    f.regions[1].owner = None;
    broken.push(f);
    let mut f = good.clone();
    f.inputs.pop();
    broken.push(f);
    let mut f = good.clone();
    f.outputs[1].updates = Some(99);
    broken.push(f);
    let mut f = good.clone();
    f.mesh.axes.pop();
    broken.push(f);
    let mut f = good.clone();
    f.regions.clear();
    broken.push(f);
    for (i, f) in broken.iter().enumerate() {
        let errors = verify(f).expect_err(&format!("case {i}"));
        assert!(!show(f, &errors).is_empty());
    }
}

fn never_panics(text: &str) {
    if let Ok(f) = parse(text) {
        // What parses prints to a text that parses to the same.
        let printed = print_with_spans(&f);
        let again = parse(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
        assert_eq!(print_with_spans(&again), printed);
        if let Err(errors) = verify(&f) {
            show(&f, &errors);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn garbage_is_refused(text in "[ -~\n\u{e9}]{0,80}") {
        never_panics(&text);
        never_panics(&body(&text));
    }

    /// Valid text with a few tokens replaced by others of the same text, and bytes cut out.
    #[test]
    fn mutants_are_refused_or_sound(edits in prop::collection::vec((any::<u32>(), any::<u32>(), 0..3u8), 1..6)) {
        let mut tokens: Vec<&str> = SAMPLE.split_inclusive([' ', '\n', ',', '(', ')', '[', ']', '{', '}']).collect();
        for (a, b, kind) in edits {
            let n = tokens.len();
            let (a, b) = (a as usize % n, b as usize % n);
            match kind {
                0 => tokens[a] = tokens[b],
                1 => tokens.swap(a, b),
                _ => { tokens.remove(a); }
            }
        }
        never_panics(&tokens.concat());
    }
}

/// A port of complex numbers says so, and its last dim is their two parts.
#[test]
fn complex_ports() {
    let text = "func @f on [d: 1] {\n  input %0 x: f32[3, 2] input complex\n  output %0 y: output complex\n}";
    let func = parse(text).unwrap();
    assert!(func.inputs[0].complex && func.outputs[0].complex && verify(&func).is_ok());
    let again = print(&func);
    assert_eq!(parse(&again).unwrap(), func, "{again}");
    for ty in ["f32[3]", "f32[]", "i32[3, 2]"] {
        let func = parse(&text.replace("f32[3, 2]", ty)).unwrap();
        assert!(verify(&func).is_err(), "{ty}");
    }
}
