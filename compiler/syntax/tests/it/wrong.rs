//! What wrong programs are answered with: the whole rendered text, as a stranger would see it.

use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_syntax::elaborate::compile;

const HEAD: &str = "mesh [data: 2, model: 4]
dim batch = 8, seq = 16, embed = 32, hidden = 64, vocab = 100
";

#[track_caller]
fn answer(source: &str, options: &FrontOptions) -> String {
    let out = compile("wrong.loom", source, options);
    assert!(out.elaborated.is_none(), "this program is accepted:\n{source}");
    render_all(&out.diagnostics, &out.sources, Style::Plain)
}

/// `name, source` pairs: the source stands after a common head of mesh and dims.
macro_rules! wrong {
    ($($name:ident: $source:literal,)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(answer(&format!("{HEAD}{}", $source), &FrontOptions::default()));
        })*
    };
}

/// The same, as the body of a function with some tensors at hand.
macro_rules! wrong_body {
    ($($name:ident: $body:literal,)*) => {
        $(#[test]
        fn $name() {
            let head = "struct P { w: f32[embed, hidden] = normal(0.02), b: f32[hidden] = zeros }\n\
                        struct M { blocks: [P; 3], tok: f32[vocab, embed] = normal(0.02) }\n\
                        entry f(m: M, x: f32[batch, embed], y: f32[batch, hidden], t: i32[batch]) {\n";
            insta::assert_snapshot!(answer(&format!("{HEAD}{head}    {}\n}}\n", $body), &FrontOptions::default()));
        })*
    };
}

// ---- reading
wrong! {
    unclosed_brace: "fn f(x: f32[batch]) -> f32[batch] {\n    x * 2\n\nfn g(x: f32[batch]) -> f32[batch] {\n    x + 1\n}\n",
    wrong_bracket: "fn f(x: f32[batch]) -> f32[batch] {\n    sum(x[0)\n}\n",
    keyword_as_name: "fn f(x: f32[batch]) -> f32[batch] {\n    let dim = x\n    dim\n}\n",
    two_statements_on_a_line: "fn f(x: f32[batch]) -> f32[batch] {\n    let y = x let z = y\n    z\n}\n",
    several_errors_at_once: "fn f(x: f32[batch]) -> f32[batch] {\n    let y = x +\n    let = 3\n    y @@ 2\n}\n\nstruct S { a f32[batch], b: f32[embed] }\n\nfn g(x: f32[batch]) { x $ 2 }\n",
    missing_else: "fn f(x: f32[batch]) -> f32[batch] {\n    let y = if true { x }\n    y\n}\n",
    stray_text: "let x = 3\nfn f() { 1 }\n",
    unfinished_string: "fn f(x: f32[batch]) { einsum(\"b->, x) }\n",
    huge_number: "const n = 99999999999999999999\nconst x = 1e999\n",
    layout_in_a_sum: "fn f(x: f32[batch]) { x @ [data] + x }\n",
}

// ---- assertions
wrong! {
    nonsense_asserted: "assert no all_gathers\nassert no all_gather in nowhere\nassert no all_gather(modell)\n\
        assert wire_byte <= 3 MiB\nassert wire_bytes(pipe) <= 3 MiB\nassert peak_bytes(data) <= 3 MiB\nassert wire_bytes <= 3 MIB\n\
        assert collectives(all_reduce) <= 3 MiB\nassert wire_bytes <= -1\nassert layout(w) == [_, pipe]\nassert wire_bytes <= bigness\n",
    broken_assert: "assert not all_gather\nassert no all_gather in\nassert wire_bytes\nassert layout(w) <= [_]\n",
}

// ---- names and declarations
wrong! {
    defined_twice: "const seq = 3\nfn f(x: f32[batch]) { x }\nfn f(x: f32[seq]) { x }\n",
    misspelt_type: "struct P { w: f23[embed], n: LayreNorm[embed] }\nentry f(p: P) { p.w }\n",
    misspelt_dim_in_struct: "struct P { w: f32[embd] }\nentry f(p: P) { p.w }\n",
    struct_dims: "struct P { n: LayerNorm }\nentry f(p: P) { p.n.scale }\n",
    struct_contains_itself: "struct P { a: P }\nentry f(p: P) { p.a.a }\n",
    dim_of_zero: "dim zero = seq - 16\nconst third = batch / 3\n",
    unknown_init: "struct P { w: f32[embed] = norml(0.1) }\nentry f(p: P) { p.w }\n",
    entry_with_unknown_dim: "entry f(x: f32[bacth, embed]) { x }\n",
    recursion: "fn f(x: f32[batch]) { g(x) }\nfn g(x: f32[batch]) { f(x) }\n",
}

// ---- layouts
wrong! {
    unknown_axis: "struct P { w: f32[embed, hidden] @ [_, modle] }\nentry f(p: P) { p.w }\n",
    layout_rank: "struct P { w: f32[embed, hidden] @ [model] }\nentry f(p: P) { p.w }\n",
    axis_twice: "entry f(x: f32[batch, embed] @ [data, data]) { x }\n",
    axis_twice_in_a_group: "dim odd = 9\nentry f(x: f32[odd, embed] @ [data, (model, data)]) { x }\nentry g(x: f32[odd, embed] @ [data, model]) { x }\n",
    partial_parameter: "struct P { w: f32[embed] @ [_] + partial(model) }\nentry f(p: P) { p.w }\n",
    bad_layout_block: "struct P { w: f32[embed] }\nentry f(p: P) { p.w }\nlayout l { parms *: _   params w: [modell]   params *: like params }\n",
}

// ---- training
wrong! {
    loss_is_a_tensor: "fn loss(x: f32[batch, embed]) -> f32[batch] { mean(x, -1) }\ntrain t = sgd(loss, lr: 0.1)\n",
    no_learning_rate: "fn loss(x: f32[batch]) -> f32 { mean(x) }\ntrain t = adamw(loss, weight_decay: 0.1)\n",
    unknown_setting: "fn loss(x: f32[batch]) -> f32 { mean(x) }\ntrain t = adamw(loss, lr: 1e-3, weight_deacy: 0.1)\n",
    bad_schedule: "fn loss(x: f32[batch]) -> f32 { mean(x) }\ntrain t = adamw(loss, lr: warmup_cosine(peak: 1e-3, warmup: 100, total: 50))\n",
    unknown_optimizer: "fn loss(x: f32[batch]) -> f32 { mean(x) }\ntrain t = admaw(loss, lr: 1e-3)\n",
}

// ---- shapes and types in code
wrong_body! {
    add_mismatch: "x + y",
    dot_mismatch: "dot(x, m.tok)",
    einsum_sizes: "einsum(\"be,be->b\", x, y)",
    einsum_rank: "einsum(\"bse,eh->bsh\", x, m.blocks[0].w)",
    einsum_letters: "einsum(\"be->bx\", x)",
    float_and_int: "x[0] + t",
    fraction_with_int: "t * 0.5",
    exp_of_int: "exp(t)",
    reshape_count: "reshape(x, [batch, hidden])",
    wrong_argument: "layer_norm(x, m.blocks[0])",
    attention_ranks: "attention(x, x, x, causal: true)",
    cross_entropy_dims: "cross_entropy(x, t[0:4])",
    unknown_function: "sofmax(x)",
    unknown_variable: "let hidden_state = x\nhiden_state + 1",
    unknown_field: "m.blokcs[0].w",
    field_of_list: "m.blocks.w",
    destructure_count: "let [q, k, v] = x\nq",
    index_out_of_range: "x[8]",
    if_on_tensor: "if t == 0 { x } else { y }",
    unused_value: "x + 1\nx",
    unknown_parameter: "softmax(x, axis: 1)",
    named_twice: "sum(x, dims: 0, dims: 1)",
    loop_changes_shape: "let z = x\nfor p in m.blocks { z = dot(z, p.w) }\nz",
    loop_starts_as_number: "let total = 0.0\nfor p in m.blocks { total = total + sum(p.b) }\nx * total",
    loop_over_a_number: "for i in 3 { x = x + 1 }\nx",
    assign_unknown: "z = x\nx",
    not_a_dim: "sum(x, 2)",
    concat_mismatch: "concat([x, y], 0)",
    constrain_rank: "x @ [data]",
    constrain_axis: "(x + 1) @ [data, modell]",
    two_independent_errors: "let a = x + y\nlet b = exp(t)\nlet c = a + b\nc * undefined",
    division_of_constants: "x * (1 / 3)",
    select_condition: "select(x, x, x)",
    returns_nothing: "let z = x",
}

#[test]
fn error_inside_a_called_function_names_the_call() {
    let source = format!(
        "{HEAD}fn scale(x: f32[n, embed], w: f32[k]) -> f32[n, embed] {{\n    x * w\n}}\nentry f(x: f32[batch, embed], w: f32[hidden]) {{\n    scale(x, w)\n}}\n"
    );
    insta::assert_snapshot!(answer(&source, &FrontOptions::default()));
}

#[test]
fn result_differs_from_declared() {
    let source = format!("{HEAD}entry f(x: f32[batch, embed]) -> f32[batch, hidden] {{\n    x * 2\n}}\n");
    insta::assert_snapshot!(answer(&source, &FrontOptions::default()));
}

const GOOD: &str = "struct P { w: f32[embed, hidden] = normal(0.1) }
entry f(p: P, x: f32[batch, embed] @ [data, _]) { dot(x, p.w) }
layout tp { params w: [_, model] }
layout typo { params v: [_, model] }
";

#[test]
fn options_are_checked_like_the_source() {
    let source = format!("{HEAD}{GOOD}");
    let mesh = |axes: &[(&str, u64)]| Some(axes.iter().map(|(n, s)| (n.to_string(), *s)).collect());
    let all = [
        FrontOptions { mesh: mesh(&[("dta", 8)]), ..FrontOptions::default() },
        FrontOptions { layout: Some("tq".into()), ..FrontOptions::default() },
        FrontOptions { layout: Some("typo".into()), ..FrontOptions::default() },
        FrontOptions { dims: vec![("batsh".into(), 4)], ..FrontOptions::default() },
        FrontOptions { entry: Some("g".into()), ..FrontOptions::default() },
    ];
    let answers: Vec<String> = all.iter().map(|o| answer(&source, o)).collect();
    insta::assert_snapshot!(answers.join("\n\n----\n\n"));
}

#[test]
fn json_form() {
    let out = compile(
        "wrong.loom",
        &format!("{HEAD}entry f(x: f32[batch], y: f32[seq]) {{\n    x + y\n}}\n"),
        &FrontOptions::default(),
    );
    let json: Vec<_> = out.diagnostics.iter().map(|d| meshloom_source::diagnostic::to_json(d, &out.sources)).collect();
    insta::assert_snapshot!(serde_json::to_string_pretty(&json).expect("serializes"));
}
