//! What programs become: IR snapshots of each construct, and ports with their layouts.

use meshloom_ir::print::print;
use meshloom_ir::{DType, Role, TensorType, parse};
use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use meshloom_source::entry::{Elaborated, EntryKind};
use meshloom_syntax::elaborate::compile;

#[track_caller]
fn elaborate(source: &str, options: &FrontOptions) -> Elaborated {
    let out = compile("test.loom", source, options);
    assert!(
        out.diagnostics.is_empty() || out.elaborated.is_some(),
        "{}",
        render_all(&out.diagnostics, &out.sources, Style::Plain)
    );
    out.elaborated.expect("elaborates")
}

/// The IR of a body over some tensors.
#[track_caller]
fn body(lines: &str) -> String {
    let source = format!(
        "mesh [data: 2, model: 4]\ndim batch = 8, embed = 16, hidden = 32\n\
         struct P {{ w: f32[embed, embed], b: f32[embed] }}\n\
         struct M {{ blocks: [P; 3], tok: f32[hidden, embed] }}\n\
         fn scaled<n>(x: f32[n, embed], by: f32) -> f32[n, embed] {{ x * by }}\n\
         fn pair(x: float[.., n]) {{ (sum(x, -1), mean(x)) }}\n\
         composite fn twice(x: f32[batch, embed]) -> (f32[batch, embed], f32) {{ (x + x, sum(x)) }}\n\
         entry f(m: M, x: f32[batch, embed], t: i32[batch]) {{\n{lines}\n}}\n"
    );
    let text = print(&elaborate(&source, &FrontOptions::default()).entries[0].func);
    // Every program's text is read back to the same program.
    let again = parse::parse(&text).unwrap_or_else(|e| panic!("{e:?}\n{text}"));
    assert_eq!(print(&again), text);
    text.lines().filter(|l| !l.trim_start().starts_with("input %")).collect::<Vec<_>>().join("\n")
}

macro_rules! ir {
    ($($name:ident: $body:literal,)*) => {
        $(#[test]
        fn $name() {
            insta::assert_snapshot!(body($body));
        })*
    };
}

ir! {
    numbers_take_the_other_dtype: "(x * 2 + 0.5, t + 1, (t as f32) / 3)",
    broadcasting: "x - mean(x, -1, keep: true) + m.blocks[1].b",
    generic_function: "scaled(x, 0.5)",
    rest_dims: "pair(x)",
    slices: "(x[0], x[-1, 2:4], x[:, 3], x[1:3, :])",
    rows: "m.tok[t] + m.tok[t[0]]",
    destructuring: "let (a, _) = (x, 1)\nlet [p, q, _] = m.blocks\ndot(a, p.w) + q.b",
    constant_if: "let causal = embed == 16\nif causal && !false { x } else { undefined_is_never_looked_at }",
    shadowing: "let x = x + 1\nlet x = x * x\nx",
    loop_over_structs: "let scale = exp(x)\nfor p in m.blocks { x = dot(x, p.w) * scale + p.b }\nx",
    loop_over_range: "let total: f32 = 0\nfor i in 2..5 { total = total + (i as f32) * sum(x) }\ntotal",
    loop_in_a_loop: "let y = x\nfor p in m.blocks {\n  for row in p.w { y = y + row * x }\n}\ny",
    loop_over_rows: "let s = x[0] * 0\nfor row in x { s = s + row }\ns",
    unrolled_loop: "for k in [1.0, 2.0] { x = x * k }\nx",
    two_carries: "let a = x\nlet b = x * 2\nfor p in m.blocks {\n  let old = a\n  a = b\n  b = old + p.b\n}\na + b",
    einsum_of_one_and_three: "(einsum(\"be->eb\", x), einsum(\"be->b\", x), einsum(\"be,ef,cf->bc\", x, m.blocks[0].w, x))",
    einsum_of_dims_without_letters: "(einsum(\"..be,..ef->..bf\", broadcast(x, [2, 3, batch, embed]), broadcast(m.blocks[0].w, [2, 3, embed, embed])), einsum(\"..e,e->..\", x, m.blocks[0].b))",
    moved_dims: "(movedim(broadcast(x, [3, batch, embed]), -1, 0), movedim(x, 0, -1), movedim(x, -1, 1))",
    filled: "(full([batch], 0), full(x, 0), full(x, mean(x)), full(t, 1), full(x, \"-inf\"))",
    transpose_before_a_contraction: "dot(x, transpose(m.tok))",
    user_composite: "twice(x)",
    constraints: "((x @ [data, ?]) @ [(data, model), _]) + (dot(x, m.blocks[0].w) @ [_, _] + partial(model)) + (x @ [data?, _])",
    conversions_and_logic: "select((t > 2) && (t < 5) || !(t == 0), 1.0, 0.0)",
    concat_and_reshape: "reshape(concat([x, x * 2], -1), [batch, 2, -1])",
    library: "(softmax(x), gelu(x), relu(x), silu(x), log_softmax(x), cross_entropy(x, t), mse(x, x))",
    unread_results_are_left_out: "let big = exp(x)\nlet [q, _, _] = reshape(concat([x, x, x], 0), [3, batch, embed])\nq",
}

const TINY: &str = include_str!("../../../../examples/gpt_tiny.loom");
const GPT: &str = include_str!("../../../../examples/gpt.loom");

fn options(mesh: &[(&str, u64)], layout: &str) -> FrontOptions {
    FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: Some(layout.to_string()),
        ..FrontOptions::default()
    }
}

/// Ports with their layouts, and the state's.
fn ports(e: &Elaborated) -> String {
    let entry = &e.entries[0];
    let EntryKind::Train { state, .. } = &entry.kind else { panic!("a train comes first") };
    let mut out = format!("mesh {}\n", e.mesh);
    for (port, &v) in entry.func.inputs.iter().zip(&entry.func.body().args) {
        let state = state.get(&port.name).map_or(String::new(), |c| format!("   state {}", c.show(&e.mesh)));
        out += &format!(
            "{} {}: {} {}{state}\n",
            port.role.name(),
            port.name,
            entry.func.ty(v),
            port.constraint.show(&e.mesh)
        );
    }
    out
}

#[test]
fn megatron_layouts() {
    insta::assert_snapshot!(ports(&elaborate(TINY, &options(&[("data", 2), ("model", 4)], "megatron"))));
}

#[test]
fn fsdp_layouts() {
    insta::assert_snapshot!(ports(&elaborate(TINY, &options(&[("data", 8)], "fsdp"))));
}

#[test]
fn layouts_from_another_file() {
    let file = ("sp.loom".to_string(), "layout mine { params head: [model, _] }".to_string());
    let o = FrontOptions { layout_file: Some(file), ..options(&[("model", 4)], "mine") };
    let e = elaborate(TINY, &o);
    let head = e.entries[0].func.inputs.iter().find(|p| p.name == "head").expect("a parameter");
    assert_eq!(head.constraint.show(&e.mesh), "[model, _]");
}

#[test]
fn entries_share_parameters_by_path() {
    let e = elaborate(GPT, &FrontOptions::default());
    let paths = |i: usize| -> Vec<String> {
        let f = &e.entries[i].func;
        f.inputs.iter().filter(|p| p.role == Role::Parameter).map(|p| p.name.clone()).collect()
    };
    assert_eq!(e.entries.iter().map(|e| e.name.as_str()).collect::<Vec<_>>(), ["gpt", "next", "generate"]);
    assert_eq!(paths(0), paths(1));
}

#[test]
fn any_function_can_be_the_entry() {
    let tiny = format!("{TINY}\nfn embed_only(m: Gpt, tokens: i32[batch, seq]) {{ m.wte[tokens] }}\n");
    let e = elaborate(&tiny, &FrontOptions { entry: Some("embed_only".into()), ..FrontOptions::default() });
    assert_eq!(e.entries.len(), 1);
    assert_eq!(e.entries[0].func.outputs[0].role, Role::Output);
}

#[test]
fn dims_and_precision_are_chosen_from_outside() {
    let o = FrontOptions {
        dims: vec![("batch".into(), 2), ("layers".into(), 48)],
        float: Some(DType::F64),
        ..FrontOptions::default()
    };
    let e = elaborate(TINY, &o);
    let f = &e.entries[0].func;
    let ty = |name: &str| f.ty(f.body().args[f.input(name).expect("a port")]).clone();
    assert_eq!(ty("blocks.*.w1"), TensorType::new(DType::F64, vec![48, 64, 256]));
    assert_eq!(ty("tokens"), TensorType::new(DType::I32, vec![2, 32]));
    assert!(f.values.iter().all(|v| v.ty.dtype != DType::F32), "a loop of 48 layers is one region, all of it in f64");
    assert_eq!(f.ops.len(), elaborate(TINY, &FrontOptions::default()).entries[0].func.ops.len());
}

#[test]
fn optimizer_settings() {
    let e = elaborate(GPT, &FrontOptions::default());
    let EntryKind::Train { spec, .. } = &e.entries[0].kind else { panic!("a train comes first") };
    let update = meshloom_ir::print::print(&spec.updates["blocks.*.up"]);
    insta::assert_snapshot!(format!("clip: {:?}\n{}\n{update}", spec.clip, meshloom_ir::print::print(&spec.lr)));
}
