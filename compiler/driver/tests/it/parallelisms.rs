//! The ways to split a transformer that people know by name, each written by annotation on gpt_tiny: planned by following the
//! annotations, with the collectives that the name stands for, and run as machine code in f64 with the numbers of one device.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::{DType, Phase};
use meshloom_plan::Mode;
use std::collections::BTreeSet;

const GPT: &str = include_str!("../../../../examples/gpt_tiny.loom");

/// gpt_tiny on other axes, its functions changed as given, and a layout block `it`.
fn model(mesh: Sizes<'_>, edits: &[(&str, &str)], rules: &str) -> String {
    let axes: Vec<String> = mesh.iter().map(|(n, _)| format!("{n}: 1")).collect();
    let mut text = GPT.replace("mesh [data: 1, model: 1]", &format!("mesh [{}]", axes.join(", ")));
    // Layout blocks of the file speak of axes that may not be there.
    text.truncate(text.find("layout dp").expect("layout blocks"));
    text = text.replace(" @ [data, _]", "");
    for (from, to) in edits {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    format!("{text}\nlayout it {{\n{rules}\n}}\n")
}

fn planned(text: &str, mesh: Sizes<'_>, layout: &str, [ff, vocab]: [u64; 2]) -> Program<Scheduled> {
    let mut o = on(mesh, layout);
    o.front.float = Some(DType::F64);
    o.plan.mode = Mode::Follow;
    let dims = [("batch", 8), ("seq", 16), ("d", 32), ("heads", 8), ("head", 4), ("ff", ff), ("vocab", vocab)];
    o.front.dims = sizes(&dims);
    compiled("gpt_tiny.loom", text, &o)
}

/// Losses of three steps, and two parameters after them.
fn trained(p: &Program<Scheduled>) -> Vec<f64> {
    let mut s = session(p);
    s.initialize().unwrap();
    for (k, name) in ["tokens", "targets"].into_iter().enumerate() {
        let values: Vec<i32> = (0..8 * 16).map(|i| (i * 37 + k as i32 * 37) % 64).collect();
        s.write(name, meshloom_runtime::HostTensor::i32(&[8, 16], &values)).unwrap_or_else(|e| panic!("{e}"));
    }
    let mut out: Vec<f64> = (0..3).map(|_| s.step().unwrap().loss.unwrap()).collect();
    for name in ["wpe", "blocks.1.wq", "blocks.0.w2"] {
        out.extend(s.read(name).unwrap().to_f64().unwrap());
    }
    out
}

/// Collectives of at least `bytes` as `kind axes phase`, over one or more axes.
fn collectives(p: &Program<Scheduled>, bytes: u64) -> BTreeSet<String> {
    let (mesh, plan) = (&p.entries[0].global.mesh, &p.entries[0].plan);
    let of = plan.collectives.iter().filter(|c| c.bytes >= bytes);
    of.map(|c| {
        let axes: Vec<&str> = c.axes.iter().map(|&a| mesh.name(a)).collect();
        let phase = match c.phase {
            Phase::Forward => "forward",
            Phase::Backward => "backward",
            Phase::Update => "update",
        };
        format!("{} {} {phase}", c.does.name(), axes.join(","))
    })
    .collect()
}

/// Trains on the mesh and alone, and compares. Gives the collectives of 512 bytes and more: weights and activations, not scalars.
#[track_caller]
fn same(mesh: Sizes<'_>, edits: &[(&str, &str)], rules: &str) -> BTreeSet<String> {
    same_with(mesh, edits, rules, [128, 64])
}

/// With a hidden dim and a vocabulary of these sizes.
#[track_caller]
fn same_with(mesh: Sizes<'_>, edits: &[(&str, &str)], rules: &str, dims: [u64; 2]) -> BTreeSet<String> {
    let text = model(mesh, edits, rules);
    let alone: Vec<(&str, u64)> = mesh.iter().map(|&(n, _)| (n, 1)).collect();
    let want = trained(&planned(&text, &alone, "it", dims));
    let p = planned(&text, mesh, "it", dims);
    let got = trained(&p);
    let size = want.iter().fold(0.0f64, |n, x| n.max(x.abs()));
    let off = want.iter().zip(&got).map(|(a, b)| (a - b).abs()).max_by(f64::total_cmp).unwrap_or(0.0);
    let found = collectives(&p, 512);
    println!("{mesh:?}: off by {off:e}, {found:#?}");
    assert!(off <= 1e-11 * size, "{mesh:?}: off by {off:e} of {size}");
    found
}

const Q: &str = "split_heads(dot(h, p.wq) + p.bq)";
const K: &str = "split_heads(dot(h, p.wk) + p.bk)";
const V: &str = "split_heads(dot(h, p.wv) + p.bv)";

fn has(found: &BTreeSet<String>, kind: &str) -> bool {
    found.iter().any(|c| c.starts_with(kind))
}

/// Weights split over `data`, copies of them over `replica`: gathered and scattered within a replica, summed between them.
#[test]
fn hsdp() {
    let rules = "params *: largest(data)\n state *: largest(data)\n inputs *: [(replica, data), _]";
    let found = same(&[("replica", 2), ("data", 4)], &[], rules);
    assert!(has(&found, "all_gather data forward") && has(&found, "all_reduce replica"), "{found:?}");
}

/// Sequences split between attentions, heads within: all_to_all there and back.
#[test]
fn ulysses() {
    let heads = |x: &str| format!("{x} @ [data, seq, _, _]");
    let edits = [(Q, &*heads(Q)), (K, &*heads(K)), (V, &*heads(V))];
    let found = same(&[("data", 2), ("seq", 4)], &edits, "params *: _\n inputs *: [data, seq]");
    assert!(has(&found, "all_to_all seq forward") && has(&found, "all_to_all seq backward"), "{found:?}");
    assert!(!has(&found, "all_gather seq forward"), "{found:?}");
}

/// Sequences split throughout: every device attends from its queries to all keys, which are gathered.
#[test]
fn context_parallelism_with_gathered_keys() {
    let q = format!("{Q} @ [data, _, seq, _]");
    let whole = |x: &str| format!("{x} @ [data, _, _, _]");
    let edits = [(Q, &*q), (K, &*whole(K)), (V, &*whole(V))];
    let found = same(&[("data", 2), ("seq", 4)], &edits, "params *: _\n inputs *: [data, seq]");
    assert!(has(&found, "all_gather seq forward") && has(&found, "all_reduce seq backward"), "{found:?}");
    assert!(!has(&found, "all_to_all"), "{found:?}");
}

/// The same split over two axes, in both orders.
#[test]
fn two_axes_on_one_dim() {
    for (at, order) in ["(data, model)", "(model, data)"].into_iter().enumerate() {
        let rules = format!(
            "params blocks.*.w1: [_, {order}]\n params blocks.*.b1: [{order}]\n params blocks.*.w2: [{order}, _]\n \
             params wte: [{order}, _]\n params head: [_, {order}]\n state *: like params\n inputs *: [data, _]"
        );
        let found = same(&[("data", 2), ("model", 4)], &[], &rules);
        let other = ["model,data", "data,model"][at];
        assert!(found.iter().any(|c| !c.contains(other)), "{found:?}");
    }
}

/// The same where the devices do not divide the dims: a hidden dim of 99 and a vocabulary of 67 over 8.
#[test]
fn two_axes_on_one_uneven_dim() {
    for order in ["(data, model)", "(model, data)"] {
        let rules = format!(
            "params blocks.*.w1: [_, {order}]\n params blocks.*.b1: [{order}]\n params blocks.*.w2: [{order}, _]\n \
             params wte: [{order}, _]\n params head: [_, {order}]\n state *: like params\n inputs *: [data, _]"
        );
        let found = same_with(&[("data", 2), ("model", 4)], &[], &rules, [99, 67]);
        assert!(has(&found, "all_gather"), "{found:?}");
    }
}

/// Batch, heads and width, sequence, and weights: four axes, 16 devices.
#[test]
fn four_axes() {
    let rules = "params blocks.*.w*: [shard, model]\n params blocks.*.wo: [model, shard]\n \
         params blocks.*.w2: [model, shard]\n params blocks.*.b1: [model]\n params wte: [model, _]\n \
         params head: [shard, model]\n params wpe: [seq, _]\n state *: like params\n inputs *: [(data, shard), seq]";
    let found = same(&[("data", 2), ("shard", 2), ("model", 2), ("seq", 2)], &[], rules);
    for axis in ["data", "shard", "model", "seq"] {
        assert!(found.iter().any(|c| c.contains(axis)), "{axis}: {found:?}");
    }
}

/// Every axis of three on one dim, in an order that is not the mesh's.
#[test]
fn three_axes_on_one_dim() {
    let rules = "params blocks.*.w1: [_, (c, a, b)]\n params blocks.*.b1: [(c, a, b)]\n \
         params blocks.*.w2: [(c, a, b), _]\n params head: [_, (b, c, a)]\n state *: like params\n inputs *: [(b, a), _]";
    same(&[("a", 2), ("b", 2), ("c", 2)], &[], rules);
}

const EXPERTS: &str = "
mesh [expert: 1]
dim tokens = 64, d = 16, ff = 24, experts = 8, slots = 8
struct P {
    gate: f32[d, experts]     = normal(0.5),
    up:   f32[experts, d, ff] @ [expert, _, _] = normal(0.2),
    down: f32[experts, ff, d] @ [expert, _, _] = normal(0.2),
}
fn loss(p: P, x: f32[tokens, d] @ [expert, _], y: f32[tokens, d] @ [expert, _]) -> f32 {
    // A table of who is where, the same for all: token t is in slot t / experts of expert t % experts.
    let g = softmax(dot(x, p.gate))
    let at = transpose(reshape(x, [slots, experts, d]), [1, 0, 2])
    let h = gelu(einsum(\"ecd,edf->ecf\", at, p.up)) @ [expert, _, _]
    let out = einsum(\"ecf,efd->ecd\", h, p.down)
    let back = reshape(transpose(out, [1, 0, 2]), [tokens, d])
    mse(back * max(g, -1, keep: true), y)
}
train moe = sgd(loss, lr: 0.1)
";

/// Tokens are split over the axis that experts are: they go to their experts and come back by all_to_all.
#[test]
fn experts() {
    let run = |n: u64| {
        let mut o = on(&[("expert", n)], "");
        o.front.float = Some(DType::F64);
        o.plan.mode = Mode::Follow;
        let p = compiled("experts.loom", EXPERTS, &o);
        let mut s = session(&p);
        s.initialize().unwrap();
        for (name, by) in [("x", 29), ("y", 31)] {
            let values: Vec<f64> = (0..64 * 16).map(|i| f64::from(i * by % 70) / 35.0 - 1.0).collect();
            s.write(name, meshloom_runtime::HostTensor::f64(&[64, 16], &values)).unwrap_or_else(|e| panic!("{e}"));
        }
        let losses: Vec<f64> = (0..3).map(|_| s.step().unwrap().loss.unwrap()).collect();
        (losses, collectives(&p, 512))
    };
    let (want, _) = run(1);
    let (got, found) = run(8);
    println!("{want:?} {got:?} {found:#?}");
    for (a, b) in want.iter().zip(&got) {
        assert!(((a - b) / a).abs() < 1e-11, "{want:?}, {got:?}");
    }
    assert!(has(&found, "all_to_all expert forward") && has(&found, "all_to_all expert backward"), "{found:?}");
    assert!(!has(&found, "all_gather"), "{found:?}");
}
