//! The model by hand: rings, levels, rooflines.

use super::*;
use meshloom_ir::{Einsum, Reduction};
use std::collections::BTreeMap;

/// Links of 100 GB/s in blocks of 8, 10 GB/s outside; 1 us and 10 us; nothing lost.
fn target() -> Target {
    let text = r#"
        arch = "sm_90a"
        memory = "80 GB"
        bandwidth = "1 TB/s"
        launch = "2 us"
        overlap = true
        grouped = true
        flops = { f32 = "10 TFLOP/s", bf16 = "100 TFLOP/s" }
        achievable = { contraction = 0.5, bandwidth = 1.0, fused = 0.25, update = 0.5, attention = { 64 = 0.2, 128 = 0.4 } }
        level = [
          { name = "node", devices = 8, bandwidth = "100 GB/s", latency = "1 us", achievable = 1.0 },
          { name = "net", bandwidth = "10 GB/s", latency = "10 us", achievable = 1.0 },
        ]
    "#;
    Target::parse("test", text).unwrap()
}

fn model(sizes: &[u64]) -> Model {
    Model::new(&target(), &Mesh::new(sizes.iter().enumerate().map(|(i, &s)| (format!("a{i}"), s))))
}

fn axes(a: &[u8]) -> Vec<Axis> {
    a.iter().map(|&a| Axis(a)).collect()
}

fn all_reduce(a: &[u8]) -> Op {
    Op::AllReduce { axes: axes(a), kind: Reduction::Sum }
}

fn all_gather(a: &[u8]) -> Op {
    Op::AllGather { axes: axes(a), dim: 0, size: None }
}

fn f32s(n: u64) -> TensorType {
    TensorType::new(DType::F32, [n])
}

/// One million bytes in microseconds at 100 GB/s: 10.
const MB: u64 = 250_000;
const US: u64 = 1_000_000;

#[test]
fn the_ring_within_one_level() {
    let m = model(&[4]);
    // 2 * 3/4 * 10 us and 2 * 2 latencies of the tree.
    assert_eq!(m.collective_ps(&all_reduce(&[0]), &f32s(MB)), 15 * US + 4 * US);
    // The gathered result is four operands: 3/4 of 40 us, and three hops.
    assert_eq!(m.collective_ps(&all_gather(&[0]), &f32s(MB)), 30 * US + 3 * US);
    let scatter = Op::ReduceScatter { axes: axes(&[0]), dim: 0, kind: Reduction::Sum };
    assert_eq!(m.collective_ps(&scatter, &f32s(MB)), 15 * US / 2 + 3 * US);
    let exchange = Op::all_to_all(axes(&[0]), 0, 0);
    assert_eq!(m.collective_ps(&exchange, &f32s(MB)), 15 * US / 2 + US);
    let permute = Op::permute(vec![axes(&[0])], vec![axes(&[0])]);
    assert_eq!(m.collective_ps(&permute, &f32s(MB)), 10 * US + US);
}

#[test]
fn the_last_axes_are_the_nearest() {
    let m = model(&[2, 8]);
    let (near, far) = (m.collective_ps(&all_reduce(&[1]), &f32s(MB)), m.collective_ps(&all_reduce(&[0]), &f32s(MB)));
    assert_eq!(near, 2 * 7 * 10 * US / 8 + 6 * US);
    assert_eq!(far, 100 * US + 20 * US);
}

#[test]
fn a_group_over_two_levels_takes_as_long_as_the_slower() {
    // Inside: 2 * 7/8 of 10 us. Outside: 2 * 1/2 of an eighth of 100 us, meanwhile.
    let both = 2 * 7 * 10 * US / 8 + 6 * US + 20 * US;
    assert_eq!(model(&[2, 8]).collective_ps(&all_reduce(&[0, 1]), &f32s(MB)), both);
    assert_eq!(model(&[16]).collective_ps(&all_reduce(&[0]), &f32s(MB)), both, "one axis over both levels");
    // 14 hops inside and one outside.
    assert_eq!(model(&[16]).latency_ps(&all_gather(&[0])), 14 * US + 10 * US);
    // To 7 of the 15 others inside, to 8 outside.
    let exchange = Op::all_to_all(axes(&[0]), 0, 0);
    assert_eq!(model(&[16]).collective_ps(&exchange, &f32s(MB)), 100 * US * 8 / 16 + US + 10 * US);
}

#[test]
fn an_axis_with_a_stride_has_fewer_neighbours() {
    let m = model(&[4, 4]);
    // Axis 0 has a stride of 4: pairs inside a node, pairs of nodes.
    let far = 2 * US + 2 * 100 * US / 4 + 20 * US;
    assert_eq!(m.collective_ps(&all_reduce(&[0]), &f32s(MB)), far);
    assert_eq!(m.collective_ps(&all_reduce(&[1]), &f32s(MB)), 2 * 3 * 10 * US / 4 + 4 * US);
}

#[test]
fn groups_that_straddle_blocks_pay_for_it() {
    let near = model(&[2, 3]).collective_ps(&all_reduce(&[1]), &f32s(MB));
    let straddling = model(&[4, 3]).collective_ps(&all_reduce(&[1]), &f32s(MB));
    assert!(near < straddling, "all six devices are in one node, twelve are not: {near} {straddling}");
}

#[test]
fn more_bytes_never_take_less_time() {
    let m = model(&[2, 4, 4]);
    for group in [&[0u8][..], &[1], &[2], &[0, 1], &[1, 2], &[0, 1, 2]] {
        let ops = [
            all_reduce(group),
            all_gather(group),
            Op::ReduceScatter { axes: axes(group), dim: 0, kind: Reduction::Sum },
            Op::all_to_all(axes(group), 0, 0),
            Op::permute(vec![axes(group)], vec![axes(group)]),
            Op::ShardSlice { axes: axes(group), dim: 0 },
            Op::PartialSplit { axes: axes(group) },
        ];
        for op in ops {
            let mut last = 0;
            for n in [0, 1, 7, 1 << 10, (1 << 20) - 1, 1 << 20, 1 << 40, 1 << 62, u64::MAX] {
                let ps = m.collective_ps(&op, &f32s(n));
                assert!(ps >= last, "{} of {n} over {group:?}", op.name());
                last = ps;
            }
        }
    }
}

#[test]
fn huge_meshes_and_tensors_saturate() {
    let m = model(&[1 << 32, 1 << 32]);
    assert!(m.collective_ps(&all_reduce(&[0, 1]), &f32s(u64::MAX)) > 1 << 60);
    assert!(m.collective_ps(&all_gather(&[0, 1]), &f32s(u64::MAX)) > 1 << 60);
    let e = Op::Elem(meshloom_ir::table::elem::Elem::by_name("add").unwrap());
    let t = f32s(u64::MAX);
    assert!(m.op_ps(&e, Phase::Forward, &[t.clone(), t.clone()], &[t], u64::MAX) > 1 << 60);
}

#[test]
fn devices_that_share_processors_take_turns() {
    let shared = Target { workers: Some(2), ..target() };
    let ps = |target: &Target, n| {
        let m = Model::new(target, &Mesh::new([("d", n)]));
        let dot = Op::DotGeneral(Einsum::parse("ij,jk->ik").unwrap());
        let t = TensorType::new(DType::F32, [1000, 1000]);
        m.op_ps(&dot, Phase::Forward, &[t.clone(), t.clone()], std::slice::from_ref(&t), 2_000_000_000) / US
    };
    assert_eq!([1, 2, 8].map(|n| ps(&target(), n)), [402, 402, 402]);
    assert_eq!([1, 2, 8].map(|n| ps(&shared, n)), [202, 402, 1608]);
}

#[test]
fn ops_follow_the_roofline() {
    let m = model(&[1]);
    let dot = Op::DotGeneral(Einsum::parse("ij,jk->ik").unwrap());
    let square = |dtype, n: u64| TensorType::new(dtype, [n, n]);
    let ps = |dtype, n| {
        m.op_ps(&dot, Phase::Forward, &[square(dtype, n), square(dtype, n)], &[square(dtype, n)], 2 * n * n * n)
    };
    // 2e9 operations at half of 10 and of 100 TFLOP/s; 12 MB at 1 TB/s take less.
    assert_eq!(ps(DType::F32, 1000), 400 * US + 2 * US);
    assert_eq!(ps(DType::BF16, 1000), 40 * US + 2 * US);
    // 120 bytes at 1 TB/s.
    assert_eq!(ps(DType::F32, 10) - 2 * US, 1200);
    let elem = Op::elem("add").unwrap();
    let t = f32s(MB);
    assert_eq!(m.op_ps(&elem, Phase::Forward, &[t.clone(), t.clone()], std::slice::from_ref(&t), MB), 3 * US / 4);
    assert_eq!(m.op_ps(&elem, Phase::Update, &[t.clone(), t.clone()], std::slice::from_ref(&t), MB), 3 * US / 2);
    let view = Op::Reshape { shape: vec![MB, 1] };
    assert_eq!(m.op_ps(&view, Phase::Forward, std::slice::from_ref(&t), &[TensorType::new(DType::F32, [MB, 1])], 0), 0);
}

#[test]
fn attention_goes_by_the_width_of_its_heads() {
    let t = target();
    assert_eq!([1, 64, 80, 128, 256].map(|w| t.achievable.attention_of(w)), [200, 200, 200, 400, 400]);
    let m = model(&[1]);
    let op = Op::Composite { name: "attention".into(), attrs: BTreeMap::new() };
    let ps = |width| {
        let q = TensorType::new(DType::BF16, [1, 1, 8, width]);
        m.op_ps(&op, Phase::Forward, &[&q, &q, &q], &[&q], 1_000_000_000)
    };
    // 1e9 operations at 0.2 and at 0.4 of 100 TFLOP/s.
    assert_eq!([64, 128].map(ps), [50 * US + 2 * US, 25 * US + 2 * US]);
}

#[test]
fn switches_that_add_make_all_reduce_faster() {
    let mut t = target();
    t.levels[0].reduces = 1500;
    t.call = 5 * US;
    let m = Model::new(&t, &Mesh::new([("a".to_string(), 4)]));
    assert_eq!(m.collective_ps(&all_reduce(&[0]), &f32s(MB)), 10 * US + 4 * US + 5 * US);
    assert_eq!(m.collective_ps(&all_gather(&[0]), &f32s(MB)), 30 * US + 3 * US + 5 * US);
}
