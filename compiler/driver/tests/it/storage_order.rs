//! Results of attention, which lie in an order of dims of their own, with readers that take their operands as they lie in memory:
//! as machine code, against the interpreter on one device.
#![cfg(feature = "llvm")]

use crate::support::*;
use meshloom_driver::CompileOptions;
use meshloom_ir::DType;
use meshloom_ir::interp::eval;
use meshloom_plan::Mode;
use meshloom_random as random;

/// Runs a program on each mesh, annotations followed and searched from, in f64.
#[track_caller]
fn on_meshes(source: &str, meshes: &[u64]) {
    for &m in meshes {
        let made = [Mode::Follow, Mode::Search].map(|mode| {
            let mut o: CompileOptions = on(&[("m", m)], "");
            o.plan.mode = mode;
            o.front.float = Some(DType::F64);
            (format!("{mode:?}"), compiled("orders.loom", source, &o))
        });
        let func = made[0].1.entries[0].global.clone();
        let inputs = random::inputs(&func, 3);
        let want = eval(&func, &inputs).unwrap();
        let names = made.each_ref().map(|m| m.0.clone());
        let all = bundle(&together(made));
        for name in names {
            let found = outputs(&mut open(&all, &name), &func, &inputs);
            to_within(1e-11, &format!("{name} on {m} devices: {source}"), &func, &want, &found);
        }
    }
}

/// One reader would have heads merged for nothing, the others read consecutive memory.
#[test]
fn readers_of_one_result() {
    on_meshes(
        "mesh [m: 1]
        dim n = 8, heads = 2, head = 4, e = 4
        entry f(q: f32[2, heads, n, head], w: f32[heads, head, e], i: i32[3] in 0..2) -> (
            f32[2, n, e], f32[2, heads, n, head], f32[2, heads, n, head], f32[2, heads, n, head], f32[2, heads, n, 2],
            f32[2, heads, n, head], f32[2, heads, 2 * n, head], f32[3, heads, n, head], f32[2, heads, n, head]
        ) {
            let a = attention(q, q, q)
            let b = attention(q, q, q * 0.5)
            let (top, places) = top_k(a, 2)
            (
                einsum(\"bhsd,hde->bse\", a, w), a, cumsum(a, 2), cummax(a, 1, reverse: true), top,
                sort(a, 1), concat([b, a], 2), b[i], dynamic_update(b, b[0:1], 1),
            )
        }",
        &[1, 2],
    );
}

/// Dims that do not lie beside each other in memory are merged, and what that gives is read by kernels of all kinds.
#[test]
fn dims_that_lie_apart_are_merged() {
    on_meshes(
        "mesh [m: 1]
        dim n = 5, heads = 3, head = 4
        entry f(q: f32[2, heads, n, head], w: f32[2 * heads * n, head]) -> (f32[2 * heads * n], f32[heads * n, head], f32[2 * heads * n, head]) {
            let a = reshape(attention(q, q, q), [2 * heads * n, head])
            let b = reshape(attention(q, q, q * 0.5), [2, heads * n, head])
            (sum(a * w, 1), sum(b, 0), a + w)
        }",
        &[1, 2],
    );
}

/// What a scan stacks is gathered, exchanged and summed along the sequence.
#[test]
fn stacks_of_a_scan() {
    on_meshes(
        "mesh [m: 1]
        dim n = 12, heads = 2, head = 4
        fn cell(c: f32[1, heads, n, head], q: f32[1, heads, n, head]) -> (f32[1, heads, n, head], f32[1, heads, n, head]) {
            let a = attention(q @ [_, _, m, _], c, q, causal: true) @ [_, _, m, _]
            (c * 0.5 + a, a)
        }
        entry f(q: f32[3, 1, heads, n, head] @ [_, _, _, m, _], c: f32[1, heads, n, head])
            -> (f32[3, 1, heads, n, head], f32[3, 1, heads, n, head], f32[3, 1, heads, n, head], f32[1, heads, n, head]) {
            let (last, all) = scan(cell, c, q)
            let all = all @ [_, _, _, m, _]
            (all @ [_, _, _, _, _], all @ [_, _, _, _, m], cumsum(all, 3), last)
        }",
        &[1, 2, 3, 4],
    );
}

/// The same of a sequence that the devices do not divide.
#[test]
fn uneven_stacks_of_a_scan() {
    on_meshes(
        "mesh [m: 1]
        dim n = 7, heads = 3, head = 5
        fn cell(c: f32[1, heads, n, head], q: f32[1, heads, n, head]) -> (f32[1, heads, n, head], f32[1, heads, n, head]) {
            let a = attention(q @ [_, _, m, _], c, q, causal: true) @ [_, _, m, _]
            (c * 0.5 + a, a)
        }
        entry f(q: f32[3, 1, heads, n, head] @ [_, _, _, m, _], c: f32[1, heads, n, head])
            -> (f32[3, 1, heads, n, head], f32[3, 1, heads, n, head], f32[3, 1, heads, n, head], f32[1, heads, n, head]) {
            let (last, all) = scan(cell, c, q)
            let all = all @ [_, _, _, m, _]
            (all @ [_, _, _, _, _], all @ [_, _, m, _, _], cumsum(all, 3), last)
        }",
        &[2, 3, 4],
    );
}

/// Gradients of queries, keys and values are read by running sums.
#[test]
fn gradients_of_running_sums() {
    on_meshes(
        "mesh [m: 1]
        dim n = 6, heads = 2, head = 4
        fn loss(x: f32[2, heads, n, head], w: f32[2, heads, n, head]) -> f32 {
            let (q, k, v) = (cumsum(x, 2), cumsum(x * 0.5, 1), cumsum(x * w, 2, reverse: true))
            sum(attention(q, k, v, causal: true) * w)
        }
        entry f(x: f32[2, heads, n, head] @ [_, _, m, _], w: f32[2, heads, n, head]) -> f32[2, heads, n, head] {
            grad(loss)(x, w)
        }",
        &[1, 2, 3],
    );
}

const LLAMA: &str = include_str!("../../../../examples/llama.loom");

/// A sequence that the devices do not divide: losses and parameters of one device.
#[test]
fn a_llama_trains_with_its_sequence_split() {
    let text = LLAMA.replace("[data, _]", "[data, model]").replace("[data: 2, model: 2]", "[data: 1, model: 1]");
    let trained = |model: u64, mode| {
        let mut o = on(&[("data", 1), ("model", model)], "dp");
        o.plan.mode = mode;
        o.front.float = Some(DType::F64);
        let dims: Sizes<'_> =
            &[("batch", 2), ("seq", 10), ("embed", 16), ("heads", 4), ("head", 6), ("hidden", 20), ("vocab", 24)];
        o.front.dims = sizes(dims);
        let mut s = session(&compiled("llama.loom", &text, &o));
        s.initialize().unwrap();
        for (k, name) in ["tokens", "targets"].into_iter().enumerate() {
            let values: Vec<i32> = (0..20).map(|i| (i * 37 + k as i32 * 37) % 24).collect();
            s.write(name, meshloom_runtime::HostTensor::i32(&[2, 10], &values)).unwrap();
        }
        let mut out = Vec::new();
        for _ in 0..3 {
            let step = s.step().unwrap();
            out.extend(step.loss);
        }
        for name in ["tok", "blocks.*.q", "blocks.*.out"] {
            out.extend(s.read(name).unwrap().to_f64().unwrap());
        }
        out
    };
    let want = trained(1, Mode::Follow);
    for (model, mode) in [(3, Mode::Follow), (4, Mode::Follow), (4, Mode::Search)] {
        let got = trained(model, mode);
        assert_eq!(got.len(), want.len());
        let off = got.iter().zip(&want).map(|(g, w)| (g - w).abs()).fold(0.0, f64::max);
        assert!(off <= 1e-10, "{model} {mode:?}: off by {off:e}");
    }
}
