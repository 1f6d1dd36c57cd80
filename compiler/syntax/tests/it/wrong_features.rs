//! Wrong programs by feature of the language, and the habits of people who come from JAX and PyTorch: what each is answered with, as a
//! stranger would see it. Plain mistakes of shapes and names are in `wrong.rs`.

use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_syntax::elaborate::compile;

const HEAD: &str = "mesh [data: 2, model: 4]
dim batch = 8, seq = 16, embed = 32, hidden = 64
fn cell(c: f32[n], x: f32[n]) -> (f32[n], f32) { (c + x, sum(c)) }
fn energy(w: f32[embed], x: f32[batch, embed]) -> f32 { mean(x * w) }
struct M { w: f32[embed] = normal(0.02) }
fn loss(m: M, x: f32[batch, embed]) -> f32 { energy(m.w, x) }
";

/// The answers to several programs, one after the other, without what is the same in all of them.
#[track_caller]
fn answers(programs: &[String]) -> String {
    let answer = |source: &String| {
        let out = compile("wrong.loom", source, &FrontOptions::default());
        assert!(out.elaborated.is_none(), "this program is accepted:\n{source}");
        render_all(&out.diagnostics, &out.sources, Style::Plain)
    };
    programs.iter().map(answer).collect::<Vec<_>>().join("\n\n")
}

#[track_caller]
fn shown(name: &str, programs: &[String]) {
    // The sources stand in the answers, where they matter.
    insta::with_settings!({ omit_expression => true }, { insta::assert_snapshot!(name, answers(programs)) });
}

/// Items after the head.
macro_rules! wrong {
    ($($name:ident: [$($source:literal,)*],)*) => {
        $(#[test]
        fn $name() {
            shown(stringify!($name), &[$(format!("{HEAD}{}\n", $source)),*]);
        })*
    };
}

/// Bodies of an entry.
macro_rules! wrong_body {
    ($($name:ident: [$($body:literal,)*],)*) => {
        $(#[test]
        fn $name() {
            let entry = "entry f(x: f32[batch, embed], w: f32[embed], t: i32[batch]) {\n";
            shown(stringify!($name), &[$(format!("{HEAD}{entry}    {}\n}}\n", $body)),*]);
        })*
    };
}

wrong! {
    associative_scans: [
        "fn f(a: f32[n], b: f32[n]) -> f32[n] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f) }",
        "fn f(a: f32[n], b: f32[n]) -> f32[n] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, x, 1) }",
        "fn f(a: f32[n], b: f32[n]) -> f32[n] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, sum(x)) }",
        "fn f(a: f32[n], b: f32[n]) -> f32[n] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, x, 0, 1) }",
        "fn f(a: f32[n], b: f32[n]) -> f32[n] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, [x, x]) }",
        "fn f(a: f32[n], b: f32[n]) -> f32[n] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, (x, x)) }",
        "fn f(a: f32[batch], b: f32[batch]) -> f32[batch] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, x) }",
        "fn f(a: f32[n], b: f32[n]) -> f32 { sum(a + b) }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, x) }",
        "fn f(a: f32[n], b: f32[n]) -> (f32[n], f32[n]) { (a + b, b) }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, x) }",
        "fn f(a: f32[n], b: f32[n], c: f32[n]) -> f32[n] { a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, x) }",
        "fn f(a: (f32[..], f32[..]), b: (f32[..], f32[..])) -> (f32[..], f32[..]) { a }\nentry e(x: f32[batch], y: f32[seq]) -> f32[batch] { associative_scan(f, (x, y)) }",
        "fn f(a: f32[n], b: f32[n]) -> f32[n] { metric(\"m\", sum(a))\n a + b }\nentry e(x: f32[batch]) -> f32[batch] { associative_scan(f, x) }",
    ],
}

wrong_body! {
    scans: [
        "let (c, ys) = scan(cel, w, x)\nc",
        "let (c, ys) = scan(w, w, x)\nc",
        "let (c, ys) = scan(cell, x, x)\nc",
        "let (c, ys) = scan(cell, w, (x, w))\nc",
        "let (c, ys) = scan(cell, w, 0.5)\nc",
        "scan(cell, w)",
        "let (c, ys) = scan(cell, w, x, w)\nc",
        "scan(cell, w, x) + 1",
    ],
    gradients: [
        "grad(cell)(w, w)",
        "let g = grad(energy)\ng(w, x)",
        "grad(energy(w, x))",
        "grad(energy, wrt: y)(w, x)",
        "grad(energy)(w)",
        "grad(enrgy)(w, x)",
        "let g = value_and_grad(energy)(w, x)\nw - 0.1 * g",
    ],
    computed_places: [
        "dynamic_slice(x, 1, 9)",
        "dynamic_slice(x, 1, t[0])",
        "dynamic_slice(x, t, 2)",
        "dynamic_update(x, w, 3)",
        "dynamic_update(x, expand(t, -1), 3)",
        "take(x, w)",
        "take(x, t, 2)",
    ],
    orders: [
        "let (v, i) = top_k(x, 33)\nv",
        "top_k(x, 2) + 1",
        "let (v, i) = top_k(x, t[0])\nv",
        "sort(x, [0, 1])",
        "cumsum(x > 0)",
        "cumsum(x, axis: 0)",
        "argmax(x, [0, 1])",
    ],
    random_numbers: [
        "random_uniform([8.5])",
        "random_normal(t)",
        "random_uniform(0, [8])",
        "random_normal()",
        "random_bits(w @ [modle])",
    ],
    habits_of_statements: [
        "let mut z = x\nz",
        "let a, b = top_k(x, 2)\na",
        "if true: x else: w",
        "for i in 0..3: x = x + 1",
        "x if true else w",
        "x > 0 and x < 1",
        "not (x > 0)",
        "for i in range(3) { x = x + 1 }\nx",
        "return x",
        "x += 1\nx",
    ],
    habits_of_functions: [
        "jnp.exp(x)",
        "torch.nn.softmax(x)",
        "jax.nn.one_hot(t, 10)",
        "x.sum(-1)",
        "sum(x, axis: -1)",
        "sum(x, -1, keepdims: true)",
        "lax.psum(x, 1)",
        "lax.dynamic_update_slice(x, x, 0)",
        "randn([2, 3])",
        "where(x > 0, x, 0)",
    ],
    habits_of_shapes: [
        "x + t",
        "x / sum(x, -1)",
        "x @ w",
        "dot(x, x.T)",
        "x.shape[0]",
        "x[None, :]",
        "x[::-1]",
        "einsum(\"b e, e -> b\", x, w)",
        "einsum(\"...e,e->...\", x, w)",
        "einsum(\"be,e\", x, w)",
    ],
    habits_of_types: [
        "x.astype(bf16)",
        "x as float32",
        "(x as bf16) + x",
        "x * t",
        "t * 0.5",
        "exp(t)",
    ],
    habits_of_layouts: [
        "x @ [data, None]",
        "x @ [\"data\", _]",
        "x @ [dta, _]",
        "x @ [batch, _]",
        "with_sharding_constraint(x, data)",
        "x @ [data]",
        "x @ [data, data]",
    ],
}

wrong! {
    training: [
        "train t = sgd(loss, lr: 0.1, accumulate: 3)",
        "train t = adamw(loss)",
        "train t = adamw(loss, lr: 1e-3, betas: 0.9)",
        "train t = adamw(loss, learning_rate: 1e-3)",
        "train t = adamw(loss, lr: cosine(peak: 1e-3))",
        "train t = adamw(los, lr: 1e-3)",
        "train t = adamw(loss, lr: 1e-3, weight_decay: 0.1, decay: [\"*.biass\"])",
    ],
    optimizers: [
        "optimizer mine(p, g, lr) {\n    state m = 0\n    p = p - lr * g\n}\ntrain t = mine(loss, lr: 0.1)",
        "optimizer mine(p, g, lr) { p = p - lr * h }\ntrain t = mine(loss, lr: 0.1)",
        "optimizer mine(p, g, lr) { p = sum(g) }\ntrain t = mine(loss, lr: 0.1)",
        "optimizer mine(p, lr) { p = p - lr }\ntrain t = mine(loss, lr: 0.1)",
        "entry f(m: M, x: f32[embed]) { adamw(m.w, x) }",
    ],
    state_of_entries: [
        "entry f(x: f32[embed], cache: f32[seq, embed] = zeros) {\n    cache = dot(cache, expand(x, -1))\n    x\n}",
        "entry f(x: f32[embed], cache: f32[seq, embed] = zeroes) { x }",
        "entry f(x: f32[embed], n: i32 = 0.5) { x }",
        "entry f(x: f32[embed] in 0..4) { x }",
        "entry f(x: i32[batch] in 4..0) { x }",
    ],
    tuples: [
        "fn two(x: f32[n]) -> (f32[n], f32) { (x, sum(x)) }\nentry f(x: f32[embed]) { two(x) * 2 }",
        "fn two(x: f32[n]) -> (f32[n], f32) { (x, sum(x)) }\nentry f(x: f32[embed]) {\n    let (a, b, c) = two(x)\n    a\n}",
        "fn two(x: f32[n]) -> (f32[n], f32) { x }\nentry f(x: f32[embed]) {\n    let (a, b) = two(x)\n    a\n}",
        "entry f(x: f32[embed]) {\n    for (a, b) in (x, x) { x = x + a }\n    x\n}",
        "entry f(x: f32[embed]) { -(x, x) }",
    ],
    layout_blocks: [
        "train t = sgd(loss, lr: 0.1)\nlayout l { params w: [dta] }",
        "train t = sgd(loss, lr: 0.1)\nlayout l { params *: largest(batch) }",
        "train t = sgd(loss, lr: 0.1)\nlayout l { params *: like state }",
        "train t = sgd(loss, lr: 0.1)\nlayout l { weights *: _ }",
    ],
    composites: [
        "composite fn half(x: f32[n]) -> f32[n] { x / 2 }\nentry f(x: f32[embed, seq]) { half(x) }",
        "composite fn rounds(x: f32[n]) -> f32[n] { rounds(x) }\nentry f(x: f32[embed]) { rounds(x) }",
        "composite fn none(x: f32[n]) { let y = x }\nentry f(x: f32[embed]) { none(x) }",
        "composite struct S { a: f32 }",
        "composite fn pair(x: f32[n]) -> (f32[n], f32) { (x, sum(x)) }\nentry f(x: f32[embed]) {\n    let (a, b) = pair(x)\n    a\n}",
    ],
}

/// `check` reads layout blocks that are not chosen, too; what compiles a program does not.
#[test]
fn layout_blocks_that_are_not_chosen() {
    let source = format!(
        "{HEAD}entry run(m: M, x: f32[batch, embed]) -> f32 {{ energy(m.w, x) }}\nlayout right {{ params w: [model] }}\n\
         layout wrong {{ params v: [model] }}\nlayout long {{ params w: [_, model] }}\n"
    );
    assert!(compile("layouts.loom", &source, &FrontOptions::default()).elaborated.is_some());
    for layout in [None, Some("right".to_string())] {
        let options = FrontOptions { every_layout: true, layout, ..FrontOptions::default() };
        let out = compile("layouts.loom", &source, &options);
        let said = render_all(&out.diagnostics, &out.sources, Style::Plain);
        assert!(out.elaborated.is_none());
        for part in ["`v` matches nothing in `params`", "under `--layout wrong`", "2 dims", "under `--layout long`"] {
            assert!(said.contains(part), "{part}: {said}");
        }
    }
}
