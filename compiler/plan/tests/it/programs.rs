//! Small programs in which the plan matters: at most the bytes that a plan by hand needs, and the results of one device.
//! They are the files of `tests/data/plans`, each with what it asserts of its plan; the numbered ones are those of the oracles'
//! `stablehlo/plans`, the others are of the same kinds. The driver's tests run them as machine code.

use crate::support::*;
use meshloom_ir::Func;
use meshloom_plan::cost::Target;
use meshloom_plan::{Mode, Objective, Plan, PlanOptions};

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

/// A file of `tests/data/plans`, its bound, and the same with dims of a thousand and more divided by 64.
#[track_caller]
fn listed(name: &str) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/plans").join(name);
    let text = std::fs::read_to_string(path.with_extension("loom")).expect("the file is there");
    let bound = text.lines().find_map(|l| l.strip_prefix("assert wire_bytes <= ")?.strip_suffix(" MB"));
    let bound: f64 = bound.and_then(|b| b.parse().ok()).expect("a bound in MB");
    let (_, rest) = text.split_once("mesh [m: 8]\n").expect("a mesh of 8");
    // The interpreter knows bf16; its rounding is not what is compared here.
    at_most(bound, rest, |t| smaller(&t.replace("bf16", "f32")), M8);
}

const M8: &[(&str, u64)] = &[("m", 8)];

fn smaller(text: &str) -> String {
    text.replace("4096", "64").replace("2048", "32").replace("1024", "16")
}

/// Ring bytes of one device: an all_reduce over `n`, in MB.
fn all_reduce(bytes: f64, n: f64) -> f64 {
    2.0 * (n - 1.0) / n * bytes / 1e6
}

#[test]
fn p01a_add_of_partials() {
    listed("01a_add_of_partials");
}

#[test]
fn p01b_scaled_sub_of_partials() {
    listed("01b_scaled_sub_of_partials");
}

#[test]
fn p02a_reduce_of_partial() {
    listed("02a_reduce_of_partial");
}

#[test]
fn p03a_chain_reassoc() {
    listed("03a_chain_reassoc");
}

#[test]
fn p08a_partial_to_sharded_out() {
    listed("08a_partial_to_sharded_out");
}

#[test]
fn p08b_tp_input_grad_qkv() {
    listed("08b_tp_input_grad_qkv");
}

#[test]
fn p12_common_gather() {
    listed("12_common_gather");
}

#[test]
fn low_rank_update() {
    listed("low_rank_update");
}

#[test]
fn decode_step_on_split_weights() {
    listed("decode_step_on_split_weights");
}

#[test]
fn decode_step_on_weights_split_the_wrong_way() {
    listed("decode_step_on_weights_split_the_wrong_way");
}

#[test]
fn slice_before_the_collective() {
    listed("slice_before_the_collective");
}

#[test]
fn norm_of_a_split_dim() {
    listed("norm_of_a_split_dim");
}

#[test]
fn mean_of_partials_scaled() {
    listed("mean_of_partials_scaled");
}

#[test]
fn chain_of_three_with_a_vector() {
    listed("chain_of_three_with_a_vector");
}

#[test]
fn fused_qkv_is_split_where_heads_are() {
    listed("fused_qkv_is_split_where_heads_are");
}

#[test]
fn a_cast_before_the_gather() {
    listed("a_cast_before_the_gather");
}

#[test]
fn loop_invariant_gather() {
    listed("loop_invariant_gather");
}

#[test]
fn sums_through_a_loop() {
    listed("sums_through_a_loop");
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

#[test]
fn running_sums_of_a_split_dim() {
    let text = "entry f(x: f32[64, 4096] @ [_, m]) -> f32[64, 4096] @ [_, m] { cumsum(x) }";
    // Each device sums its own positions; of the others it needs only the totals, one a row and device.
    let by_hand = all_gather(64.0 * 8.0 * 4.0, 8.0);
    at_most(by_hand, text, smaller, M8);
    let extremes = text.replace("cumsum(x)", "cummax(x, -1, reverse: true)");
    at_most(by_hand, &extremes, smaller, M8);
    followed_at_most(by_hand, text);
}

/// Images whose rows are split: a device sends its first row and its last one to its neighbours, for the convolution and for the
/// gradient of what it is made from. A strided one needs one border.
#[test]
fn convolutions_of_images_split_by_rows() {
    let row = 4.0 * 64.0 * 8.0 * 4.0 / 1e6;
    let text = "entry f(x: f32[4, 64, 64, 8] @ [_, m, _, _], w: f32[3, 3, 8, 8])
        -> f32[4, 64, 64, 8] @ [_, m, _, _] { conv2d(x, w, padding: 1) }";
    at_most(2.0 * row, text, str::to_string, M8);
    followed_at_most(2.0 * row, text);
    let text = "entry f(x: f32[4, 64, 64, 8] @ [_, m, _, _], w: f32[3, 3, 8, 8])
        -> f32[4, 32, 32, 8] @ [_, m, _, _] { conv2d(x, w, stride: 2, padding: 1) }";
    at_most(row, text, str::to_string, M8);
    followed_at_most(row, text);
}

#[test]
fn top_k_of_a_split_vocabulary() {
    let text = "entry f(x: f32[64, 4096] @ [_, m]) -> (f32[64, 4], i32[64, 4]) { top_k(x, 4) }";
    // The candidates of each device, four values and their positions a row.
    let by_hand = all_gather(64.0 * 8.0 * 4.0 * (4.0 + 4.0), 8.0);
    at_most(by_hand, text, smaller, M8);
    followed_at_most(by_hand, text);
}

/// Weights split as in FSDP, and gradients that are summed over microbatches in a loop: by hand the weights are gathered once and the
/// sums scattered once, however many microbatches there are. The loss is summed beside.
#[test]
fn microbatches_of_split_weights() {
    let text = |microbatches: u64| {
        format!(
            "dim batch = 4096
struct Net {{ w: f32[1024, 2048] @ [m, _] = uniform(0.1), v: f32[2048, 1024] @ [m, _] = uniform(0.1) }}
fn loss(n: Net, x: f32[batch, 1024] @ [m, _], y: f32[batch, 1024] @ [m, _]) -> f32 {{
    mse(dot(relu(dot(x, n.w)), n.v), y)
}}
train net = sgd(loss, lr: 0.05, accumulate: {microbatches})"
        )
    };
    let weights = 2.0 * 1024.0 * 2048.0 * 4.0;
    let by_hand = 2.0 * all_gather(weights, 8.0) + all_reduce(4.0, 8.0);
    for microbatches in [1, 4] {
        at_most(by_hand, &text(microbatches), smaller, M8);
    }
}

/// Following the annotations does as well.
#[track_caller]
fn followed_at_most(megabytes: f64, text: &str) {
    let func = loom(text, M8);
    let p = planned(&func);
    let found = p.totals.wire_bytes_per_device / 1e6;
    assert!(found <= megabytes * 1.0001, "{found:.4} MB, by hand {megabytes:.4}\n{}", show(&func, &p));
    let func = loom(&smaller(text), M8);
    runs_alike(&func, &planned(&func), 5, 1e-4);
}
