//! Attention with shared keys, a window and documents, as machine code: no composite is written out, one device trains as a
//! program that writes the scores out does, and every mesh trains as one device, with queries split, heads split, or both.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::DType;
use meshloom_plan::Mode;

const MODEL: &str = "
mesh [data: 1, seq: 1]
dim batch = 2, length = 24, d = 8, heads = 4, kv = 2, head = 6, value = 5

struct P {
    wq: f32[d, heads, head] = normal(0.5),
    wk: f32[d, kv, head]    = normal(0.5),
    wv: f32[d, kv, value]   = normal(0.5),
}

fn written(
    q: f32[batch, heads, length, head],
    k: f32[batch, kv, length, head],
    v: f32[batch, kv, length, value],
    documents: i32[batch, length],
) -> f32[batch, heads, length, value] {
    let k = reshape(broadcast(expand(k, 2), [batch, kv, heads / kv, length, head]), [batch, heads, length, head])
    let v = reshape(broadcast(expand(v, 2), [batch, kv, heads / kv, length, value]), [batch, heads, length, value])
    let scores = einsum(\"bhsd,bhtd->bhst\", q, k) * (1 / sqrt(head))
    let i = expand(iota(length), -1)
    let scores = select(i >= iota(length), scores, -1e9)
    let scores = select(i < iota(length) + 7, scores, -1e9)
    let scores = select(expand(expand(documents, 1), -1) == expand(expand(documents, 1), 1), scores, -1e9)
    einsum(\"bhst,bhtd->bhsd\", softmax(scores), v)
}

fn loss(
    p: P,
    x: f32[batch, length, d] @ [data, seq, _],
    y: f32[batch, heads, length, value],
    documents: i32[batch, length] @ [data, seq],
) -> f32 {
    let q = einsum(\"bsd,dhe->bhse\", x, p.wq)Q
    let k = einsum(\"bsd,dhe->bhse\", x, p.wk)K
    let v = einsum(\"bsd,dhe->bhse\", x, p.wv)K
    mse(ATTENTION, y)
}
train step = sgd(loss, lr: 0.5)
";

const KERNEL: &str = "attention(q, k, v, causal: true, window: 7, segments: documents)";

fn planned(attention: &str, [q, k]: [&str; 2], mesh: Sizes<'_>) -> Program<Scheduled> {
    let text =
        MODEL.replace("ATTENTION", attention).replace(")Q\n", &format!("){q}\n")).replace(")K\n", &format!("){k}\n"));
    let mut o = on(mesh, "");
    o.front.float = Some(DType::F64);
    o.plan.mode = Mode::Follow;
    compiled("documents.loom", &text, &o)
}

/// Losses of four steps and the parameters after them.
fn trained(p: &Program<Scheduled>) -> Vec<f64> {
    let mut s = session(p);
    s.initialize().unwrap();
    for (name, shape) in [("x", vec![2, 24, 8]), ("y", vec![2, 4, 24, 5])] {
        let values: Vec<f64> = (0..shape.iter().product()).map(|i| (i * 29 % 71) as f64 / 35.0 - 1.0).collect();
        s.write(name, meshloom_runtime::HostTensor::f64(&shape, &values)).unwrap_or_else(|e| panic!("{e}"));
    }
    let documents: Vec<i32> = (0..48).map(|i| if i < 24 { i / 9 } else { 1 << (i / 13) }).collect();
    s.write("documents", meshloom_runtime::HostTensor::i32(&[2, 24], &documents)).unwrap_or_else(|e| panic!("{e}"));
    let mut out: Vec<f64> = (0..4).map(|_| s.step().unwrap().loss.unwrap()).collect();
    for name in ["wq", "wk", "wv"] {
        out.extend(s.read(name).unwrap().to_f64().unwrap());
    }
    out
}

#[track_caller]
fn alike(what: &str, got: &[f64], want: &[f64]) {
    assert_eq!(got.len(), want.len());
    for (g, w) in got.iter().zip(want) {
        assert!((g - w).abs() <= 1e-11, "{what}: {g}, should be {w}");
    }
}

#[test]
fn kernels_train_as_scores_written_out_on_every_mesh() {
    let alone = [("data", 1), ("seq", 1)];
    let want = trained(&planned("written(q, k, v, documents)", ["", ""], &alone));
    // Nothing said; queries split and keys whole; heads split, whole sequences.
    let whole = [" @ [data, _, seq, _]", " @ [data, _, _, _]"];
    let heads = [" @ [data, seq, _, _]", " @ [data, seq, _, _]"];
    for (mesh, layout) in [
        (alone, ["", ""]),
        ([("data", 2), ("seq", 2)], ["", ""]),
        ([("data", 1), ("seq", 4)], whole),
        ([("data", 2), ("seq", 3)], whole),
        ([("data", 2), ("seq", 2)], heads),
    ] {
        let p = planned(KERNEL, layout, &mesh);
        let scheduled = &p.entries[0].scheduled;
        assert_eq!(scheduled.expanded, [], "{mesh:?}");
        let kinds: Vec<bool> =
            scheduled.kernels.iter().map(|k| k.to_string().starts_with("attention")).filter(|&is| is).collect();
        assert_eq!(kinds.len(), 2, "forward and backward on {mesh:?}");
        alike(&format!("{mesh:?} {layout:?}"), &trained(&p), &want);
    }
}

/// What no kernel runs is named, with the reason.
#[test]
fn what_is_written_out_says_why() {
    let text = "
entry f(q: f32[1, 2, 20, 4], k: f32[1, 2, 6, 4], v: f32[1, 2, 6, 4]) -> f32[1, 2, 20, 4] {
    attention(q, k, v, causal: true, window: 3)
}
";
    let p = compiled("far.loom", text, &on(&[], ""));
    let made = meshloom_driver::report::of(&p, &p.entries[0]);
    let report = made.text();
    assert!(report.contains("expanded  grouped_attention of far.loom:3"), "{report}");
    let json: serde_json::Value = serde_json::from_str(&made.json()).unwrap();
    let first = &json["expanded"][0];
    assert_eq!((&first["name"], &first["source"]["line"]), (&"grouped_attention".into(), &3.into()));
    assert!(report.contains("some queries see no key"), "{report}");
}

/// Scores are not in memory: twice the sequence is twice the memory, forward and backward.
#[test]
fn memory_grows_with_the_sequence_and_not_with_its_square() {
    let bytes = |length: u64| {
        let text = MODEL.replace("ATTENTION", KERNEL).replace(")Q\n", ")\n").replace(")K\n", ")\n");
        let mut o = on(&[], "");
        o.front.dims = sizes(&[("length", length)]);
        let p = compiled("documents.loom", &text, &o);
        p.entries[0].scheduled.program.arena_bytes
    };
    let (short, long) = (bytes(1024), bytes(2048));
    assert!(long < short * 21 / 10, "{short} bytes become {long}");
    // Of one layer's scores, [batch, heads, length, length].
    assert!(long < 2 * 4 * 2048 * 2048 * 4 / 8, "{long}");
}

/// 2^43 scores, more than a tensor that is built may have, and as many of their gradients. Kernels keep those of a few queries at
/// a time, so the step is planned and scheduled like any other.
#[test]
fn scores_that_are_never_built_are_no_limit() {
    let text = "
mesh [data: 4]
struct P { w: bf16[8, 8] = normal(0.5) }
fn loss(p: P, x: bf16[64, 8, 131072, 8] @ [data, _, _, _]) -> f32 {
    let q = dot(x, p.w)
    mean(attention(q, x, x, causal: true) as f32)
}
train step = sgd(loss, lr: 0.5)
";
    let p = compiled("long.loom", text, &on(&[("data", 4)], ""));
    let scheduled = &p.entries[0].scheduled;
    assert_eq!(scheduled.expanded, []);
    let kernels = scheduled.kernels.iter().filter(|k| k.to_string().starts_with("attention"));
    assert_eq!(kernels.count(), 2, "forward and backward");
    // Of one sequence of one head the scores alone have 32 GiB.
    assert!(scheduled.program.arena_bytes < 32 << 30, "{}", scheduled.program.arena_bytes);
    // The same scores written out are built.
    let written = text.replace("attention(q, x, x, causal: true)", "softmax(einsum(\"bhsd,bhtd->bhst\", q, x))");
    let written = written.replace("[64, 8, 131072, 8]", "[64, 32, 131072, 8]");
    let (refused, _) = meshloom_driver::check("long.loom", &written, &on(&[("data", 4)], "")).err().unwrap();
    assert!(refused.to_string().contains("[64, 32, 131072, 131072] is too large"), "{refused}");
}

/// A million tokens on one device need more than 4 GiB of scratch memory.
#[test]
fn scratch_memory_has_no_limit_of_its_own() {
    let text = "
mesh [data: 1]
struct P { w: bf16[128, 128] = normal(0.5) }
fn loss(p: P, x: bf16[1, 16, 1048576, 128]) -> f32 {
    mean(attention(dot(x, p.w), x, x, causal: true) as f32)
}
train step = sgd(loss, lr: 0.5)
";
    let mut options = on(&[("data", 1)], "");
    options.plan.budget = Some(1 << 40);
    let p = compiled("tokens.loom", text, &options);
    assert!(p.entries[0].scheduled.program.scratch_bytes > 4 << 30);
}

/// A tensor of more elements than a device could have is split over so many that it is no limit.
#[test]
fn tensors_that_no_device_holds() {
    let text = "
mesh [data: 64]
struct P { w: bf16[8, 131072] = normal(0.5) }
fn loss(p: P, x: bf16[16384, 4096, 8] @ [data, _, _], t: i32[16384, 4096] @ [data, _]) -> f32 {
    mean(cross_entropy(dot(x, p.w) as f32, t))
}
train step = sgd(loss, lr: 0.5)
";
    let mut options = on(&[("data", 64)], "");
    options.plan.budget = Some(1 << 46);
    compiled("logits.loom", text, &options);
}

/// Logits of 131,072 tokens over as many words, 2^46 products, are a kernel.
#[test]
fn a_contraction_of_many_products_is_one_kernel() {
    let text = "entry f(x: f32[131072, 4096], w: f32[4096, 131072]) -> f32[131072] { sum(dot(x, w), -1) }";
    let p = compiled("logits.loom", text, &on(&[], ""));
    assert!(p.entries[0].scheduled.kernels.iter().any(|k| k.to_string().starts_with("matmul")));
}
