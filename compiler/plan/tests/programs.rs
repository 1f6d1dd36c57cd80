//! Small programs in which the plan matters: at most the bytes that a plan by hand needs, and the results of one device.
//! The first seven are those of the oracles' `stablehlo/plans`, with XLA's bytes beside; the others are of the same kinds.

mod support;

use meshloom_ir::Func;
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Objective, Plan, PlanOptions};
use support::*;

fn loom(text: &str, mesh: &[(&str, u64)]) -> Func {
    let names: Vec<&str> = mesh.iter().map(|m| m.0).collect();
    program(&format!("mesh [{}: 1]\n{text}", names.join(": 1, ")), mesh, None)
}

fn searched(func: &Func, target: &str) -> Plan {
    let target = Target::builtin(target).expect("is built in");
    let objective = Some(Objective::Traffic);
    planned_with(func, &PlanOptions { mode: Mode::Search, target, objective, ..PlanOptions::default() })
}

/// `small` is the same program in a size that the interpreter can run.
#[track_caller]
fn at_most(megabytes: f64, text: &str, small: impl Fn(&str) -> String, mesh: &[(&str, u64)]) {
    let func = loom(text, mesh);
    for target in ["cpu", "h100-sxm"] {
        let p = searched(&func, target);
        let found = p.totals.wire_bytes_per_device / 1e6;
        let says = format!("{target}: {found:.4} MB, by hand {megabytes:.4}\n{}", show(&func, &p));
        println!("{says}");
        assert!(found <= megabytes * 1.0001, "{says}");
    }
    let func = loom(&small(text), mesh);
    for target in ["cpu", "h100-sxm"] {
        runs_alike(&func, &searched(&func, target), 5, 1e-4);
    }
}

const M8: &[(&str, u64)] = &[("m", 8)];

fn smaller(text: &str) -> String {
    text.replace("4096", "64").replace("2048", "32").replace("1024", "16")
}

/// Ring bytes of one device: an all_reduce over `n`.
fn all_reduce(bytes: f64, n: f64) -> f64 {
    2.0 * (n - 1.0) / n * bytes / 1e6
}

#[test]
fn p01a_add_of_partials() {
    let text = "entry f(a: f32[2048, 4096] @ [_, m], b: f32[4096, 2048] @ [m, _], c: f32[2048, 4096] @ [_, m],
        d: f32[4096, 2048] @ [m, _]) -> f32[2048, 2048] @ [_, _] { dot(a, b) + dot(c, d) }";
    at_most(29.361, text, smaller, M8);
}

#[test]
fn p01b_scaled_sub_of_partials() {
    let text = "entry f(a: f32[2048, 4096] @ [_, m], b: f32[4096, 2048] @ [m, _], c: f32[2048, 4096] @ [_, m],
        d: f32[4096, 2048] @ [m, _]) -> f32[2048, 2048] @ [_, _] { 0.5 * dot(a, b) - 2.0 * dot(c, d) }";
    at_most(29.361, text, smaller, M8);
}

#[test]
fn p02a_reduce_of_partial() {
    let text = "entry f(a: f32[4096, 4096] @ [_, m], b: f32[4096, 4096] @ [m, _]) -> f32[4096] @ [_] {
        sum(dot(a, b), 0) }";
    at_most(0.0287, text, smaller, M8);
}

#[test]
fn p03a_chain_reassoc() {
    let text = "entry f(a: f32[4096, 4096] @ [m, _], b: f32[4096, 4096] @ [m, _], v: f32[4096, 16] @ [_, _])
        -> f32[4096, 16] @ [m, _] { dot(dot(a, b), v) }";
    at_most(0.2294, text, smaller, M8);
}

#[test]
fn p08a_partial_to_sharded_out() {
    let text = "entry f(a: f32[2048, 4096] @ [_, m], b: f32[4096, 2048] @ [m, _]) -> f32[2048, 2048] @ [m, _] {
        dot(a, b) }";
    at_most(14.681, text, smaller, M8);
}

#[test]
fn p08b_tp_input_grad_qkv() {
    let text = "entry f(a: f32[2048, 4096] @ [_, m], b: f32[2048, 4096] @ [_, m], c: f32[2048, 4096] @ [_, m],
        d: f32[2048, 4096] @ [_, m], e: f32[2048, 4096] @ [_, m], g: f32[2048, 4096] @ [_, m])
        -> f32[2048, 2048] @ [_, _] { dot(a, transpose(d)) + dot(b, transpose(e)) + dot(c, transpose(g)) }";
    at_most(29.361, text, smaller, M8);
}

#[test]
fn p12_common_gather() {
    let text = "entry f(x: f32[2048, 2048] @ [m, _], a: f32[2048, 2048] @ [_, m], b: f32[2048, 2048] @ [_, m])
        -> (f32[2048, 2048], f32[2048, 2048], f32[2048, 2048]) {
        (dot(x, a) @ [_, m], (x @ [_, _]) * 2.0, dot(tanh(x), b) @ [_, m]) }";
    at_most(14.681, text, smaller, M8);
}

#[test]
fn low_rank_update() {
    // x w + (x a) b, never a b, and the small product is what is summed.
    let text = "entry f(x: f32[2048, 4096] @ [_, m], w: f32[4096, 4096] @ [m, _], a: f32[4096, 16] @ [m, _],
        b: f32[16, 4096] @ [_, _]) -> f32[2048, 4096] @ [_, m] { dot(x, w + dot(a, b)) }";
    // One reduce_scatter of the sum of both.
    at_most(all_reduce(2048.0 * 4096.0 * 4.0, 8.0) / 2.0 + all_reduce(2048.0 * 16.0 * 4.0, 8.0), text, smaller, M8);
}

#[test]
fn decode_step_on_split_weights() {
    let text = "entry f(x: f32[1, 4096] @ [_, _], up: f32[4096, 4096] @ [_, m], down: f32[4096, 4096] @ [m, _])
        -> f32[1, 4096] @ [_, _] { dot(gelu(dot(x, up)), down) }";
    at_most(all_reduce(4096.0 * 4.0, 8.0), text, smaller, M8);
}

#[test]
fn decode_step_on_weights_split_the_wrong_way() {
    // Activations move, not weights.
    let text = "entry f(x: f32[1, 4096] @ [_, _], up: f32[4096, 4096] @ [m, _], down: f32[4096, 4096] @ [_, m])
        -> f32[1, 4096] @ [_, _] { dot(gelu(dot(x, up)), down) }";
    at_most(all_reduce(4096.0 * 4.0, 8.0) * 1.5, text, smaller, M8);
}

#[test]
fn slice_before_the_collective() {
    let text = "entry f(a: f32[2048, 4096] @ [_, m], b: f32[4096, 2048] @ [m, _]) -> f32[16, 2048] @ [_, _] {
        dot(a, b)[0:16] }";
    at_most(all_reduce(16.0 * 2048.0 * 4.0, 8.0), text, smaller, M8);
}

#[test]
fn norm_of_a_split_dim() {
    let text = "entry f(x: f32[2048, 4096] @ [_, m], g: f32[4096] @ [m]) -> f32[2048, 4096] @ [_, m] {
        rms_norm(x, g) }";
    let text = text.replace("rms_norm(x, g)", "x * rsqrt(mean(x * x, 1, keep: true) + 1e-5) * g");
    at_most(all_reduce(2048.0 * 4.0, 8.0), &text, smaller, M8);
}

#[test]
fn mean_of_partials_scaled() {
    let text = "entry f(a: f32[2048, 4096] @ [_, m], b: f32[4096, 2048] @ [m, _]) -> f32[2048] @ [_] {
        3.0 * mean(dot(a, b) * 0.5, 1) }";
    at_most(all_reduce(2048.0 * 4.0, 8.0), text, smaller, M8);
}

#[test]
fn chain_of_three_with_a_vector() {
    let text = "entry f(a: f32[4096, 4096] @ [m, _], b: f32[4096, 4096] @ [m, _], c: f32[4096, 4096] @ [m, _],
        v: f32[4096] @ [_]) -> f32[4096] @ [m] { dot(dot(dot(a, b), c), v) }";
    // Two gathers of a vector.
    at_most(all_reduce(4096.0 * 4.0, 8.0), text, smaller, M8);
}

#[test]
fn fused_qkv_is_split_where_heads_are() {
    // The product's columns are q, k and v one after the other; heads of each are wanted on every device.
    let text = "entry f(x: f32[2048, 1024] @ [_, _], w: f32[1024, 3, 1024] @ [_, _, m])
        -> f32[2048, 1024] @ [_, m] {
        let h = dot(x, reshape(w, [1024, 3072]))
        h[:, 0:1024] * h[:, 1024:2048] + h[:, 2048:3072] }";
    at_most(0.0, text, |t| t.replace("3072", "96").replace("2048", "64").replace("1024", "32"), M8);
}

#[test]
fn a_cast_before_the_gather() {
    let text = "entry f(x: f32[2048, 4096] @ [m, _], w: bf16[4096, 2048] @ [_, m]) -> bf16[2048, 2048] @ [_, m] {
        dot(x as bf16, w) }";
    // bf16 on the wire; of x or of w, whichever is less, and the result may be turned instead.
    at_most(14.681, text, |t| smaller(&t.replace("bf16", "f32")), M8);
}

#[test]
fn loop_invariant_gather() {
    let text = "struct L { g: f32[16] } struct P { ls: [L; 12] }
        fn body(p: L, w: f32[4096, 16], x: f32[16, 16]) -> f32[16, 16] { x + dot(transpose(w), w) * p.g }
        entry f(p: P, w: f32[4096, 16] @ [m, _], x: f32[16, 16] @ [_, _]) -> f32[16, 16] @ [_, _] {
            let y = x
            for l in p.ls { y = body(l, w, y) }
            y }";
    // The product is the same in every iteration; once it is enough, and its sums are small.
    at_most(all_reduce(16.0 * 16.0 * 4.0, 8.0), text, smaller, M8);
}

#[test]
fn sums_through_a_loop() {
    // What each iteration adds is partial; one all_reduce after the loop.
    let text = "struct L { a: f32[2048, 4096] @ [_, m], b: f32[4096, 16] @ [m, _] } struct P { ls: [L; 6] }
        fn body(p: L, x: f32[2048, 16]) -> f32[2048, 16] { x + dot(p.a, p.b) }
        entry f(p: P, x: f32[2048, 16] @ [_, _]) -> f32[2048, 16] @ [_, _] {
            let y = x
            for l in p.ls { y = body(l, y) }
            y }";
    at_most(all_reduce(2048.0 * 16.0 * 4.0, 8.0), text, smaller, M8);
}

/// Ring bytes of one device: an all_gather of a buffer over `n`.
fn all_gather(bytes: f64, n: f64) -> f64 {
    (n - 1.0) / n * bytes / 1e6
}

#[test]
fn argmax_over_a_split_vocabulary() {
    let text = "entry f(x: f32[64, 4096] @ [_, m]) -> i32[64] @ [_] { argmax(x) }";
    // By hand each device sends its best value with its index, and picks of the 8 of each row. Two all_reduces of one number a
    // row are less.
    let by_hand = all_gather(64.0 * 8.0 * (4.0 + 4.0), 8.0);
    at_most(by_hand, text, smaller, M8);
    at_most(2.0 * all_reduce(64.0 * 4.0, 8.0), text, smaller, M8);
}

#[test]
fn a_cache_is_updated_where_it_lies() {
    // One position of a cache that is split along positions: every device looks at its own shard.
    let text = "entry f(cache: f32[64, 4096, 16] @ [_, m, _], new: f32[64, 1, 16] @ [_, _, _], at: i32)
        -> f32[64, 4096, 16] @ [_, m, _] { dynamic_update(cache, new, at, 1) }";
    at_most(0.0, text, smaller, M8);
}

#[test]
fn a_computed_slice_of_a_split_dim() {
    let text = "entry f(x: f32[4096, 64] @ [m, _], at: i32) -> f32[4, 64] @ [_, _] { dynamic_slice(x, at, 4) }";
    // Who has a row sends it, and the others zeros.
    at_most(all_reduce(4.0 * 64.0 * 4.0, 8.0), text, smaller, M8);
}
