//! The oracle models: what their plans cost on the wire, against XLA's.

mod support;

use support::*;

fn megabytes(text: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> f64 {
    let func = program(text, mesh, layout);
    let start = std::time::Instant::now();
    let p = planned(&func);
    println!("{mesh:?} {layout:?} {} ops {:?}\n{}", func.ops.len(), start.elapsed(), show(&func, &p));
    p.totals.wire_bytes_per_device / 1e6
}

#[test]
fn mlp_data_parallel() {
    let func = program(MLP, &[("data", 8)], Some("dp"));
    let p = planned(&func);
    println!("{}", show(&func, &p));
    // One all_reduce of each gradient, and of the loss.
    assert_eq!(p.collectives.len(), 5);
    assert!(p.collectives.iter().all(|c| c.kind == "all_reduce"));
    runs_alike(&func, &p, 1, 1e-5);
}

#[test]
fn gpt_small_data_parallel() {
    assert!(megabytes(GPT_SMALL, &[("data", 8)], Some("dp")) <= 26.021);
}

#[test]
fn gpt_small_zero1() {
    assert!(megabytes(GPT_SMALL, &[("data", 8)], Some("zero1")) <= 26.021);
}

#[test]
fn gpt_small_fsdp() {
    assert!(megabytes(GPT_SMALL, &[("data", 8)], Some("fsdp")) <= 35.6);
}

#[test]
fn gpt_small_megatron_8() {
    assert!(megabytes(GPT_SMALL, &[("model", 8)], Some("megatron")) <= 33.06);
}

#[test]
fn gpt_small_megatron_2x4() {
    assert!(megabytes(GPT_SMALL, &[("data", 2), ("model", 4)], Some("megatron")) <= 18.01);
}
