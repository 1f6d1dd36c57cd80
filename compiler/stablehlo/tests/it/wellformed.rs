//! Which shardings are well formed: the verdicts of Shardy's verifier (tests/data/stablehlo/wellformed), and what is said of those
//! that are not.

use meshloom_source::FrontOptions;
use std::path::Path;

#[test]
fn verdicts_are_those_of_shardy() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/wellformed/cases.mlir");
    let text = std::fs::read_to_string(path).unwrap();
    let mut wrong = Vec::new();
    for case in text.split("// -----\n") {
        let (name, verdict) = case.lines().next().unwrap().trim_start_matches("// ").split_once(": ").unwrap();
        let out = meshloom_stablehlo::compile(&format!("{name}.mlir"), case, &FrontOptions::default());
        let found = if out.elaborated.is_some() { "accepted" } else { "refused" };
        if found != verdict {
            let said: Vec<_> = out.diagnostics.iter().map(|d| d.message.as_str()).collect();
            wrong.push(format!("{name}: {found}, and Shardy has {verdict}: {said:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is said of `x: tensor<8x8xf32>` with this sharding, on a mesh of `a` (2) and `b` (4).
fn said(sharding: &str) -> String {
    let text = format!(
        "sdy.mesh @mesh = <[\"a\"=2, \"b\"=4]>\nfunc.func public @main(%x: tensor<8x8xf32> {{sdy.sharding = #sdy.sharding<@mesh, \
         {sharding}>}}) -> tensor<8x8xf32> {{\n  return %x : tensor<8x8xf32>\n}}\n"
    );
    let out = meshloom_stablehlo::compile("f.mlir", &text, &FrontOptions::default());
    out.diagnostics.first().map_or(String::new(), |d| d.message.clone())
}

#[test]
fn what_is_wrong_is_said() {
    let cases = [
        ("[{\"a\"}, {\"a\"}]", "axis `a` splits more than once"),
        ("[{\"b\":(1)2}, {\"b\"}]", "axis `b` splits more than once"),
        ("[{\"b\":(1)4}, {}]", "`\"b\":(1)4` is all of the axis, which is written `\"b\"`"),
        ("[{\"b\":(-1)2}, {}]", "a part of axis `b` is `\"b\":(before)size`, of a size of 2 or more"),
        ("[{\"b\":(1)2, \"b\":(2)2}, {}]", "two parts of axis `b` that follow each other are written as one"),
        ("[{}, {}], replicated={\"b\", \"a\"}", "the replicated axes stand in another order than in the mesh"),
        ("[{}p1, {\"a\"}]", "a dim without axes that is closed has no priority"),
    ];
    for (sharding, message) in cases {
        assert_eq!(said(sharding), message, "{sharding}");
    }
}
