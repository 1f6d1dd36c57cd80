//! Collectives on simulated devices: against definitions written out from the devices' coordinates, and their byte counts
//! against the ring formulas of the plan. Every one also takes some layout of a tensor to another.

use crate::common;
use crate::common::close;
use meshloom_ir::interp::{shard, spmd, unshard, unshard_as};
use meshloom_ir::parse::parse;
use meshloom_ir::tensor::Data;
use meshloom_ir::{Axis, DType, Layout, Mesh, OpId, Reduction, Tensor, TensorType, table};
use meshloom_random::{Rng, layout, mesh, tensor};
use std::collections::BTreeMap;

/// Runs one local op, in text form, on the devices' tensors; their results and the bytes sent by all together.
fn run(op: &str, mesh: &Mesh, xs: &[Tensor]) -> (Vec<Tensor>, u64) {
    let ty = &xs[0].ty;
    // The result type is inferred: read the op with any, then ask the table.
    let text = |result: &TensorType| {
        format!(
            "func @t on {mesh} {{ input %0 x: {ty} input\n %1 = {} : {result}\n output %1 y: output }}",
            op.replace("X", "%0")
        )
    };
    let f = parse(&text(ty)).unwrap_or_else(|e| panic!("{op}: {e}"));
    let result = table::infer_on(&f.op(OpId(0)).op, &[ty], mesh).unwrap();
    let f = parse(&text(&result)).unwrap();
    let inputs: Vec<Vec<Tensor>> = xs.iter().map(|x| vec![x.clone()]).collect();
    let (out, traffic) = spmd::run(&f, &inputs).unwrap();
    (out.into_iter().map(|mut o| o.remove(0)).collect(), traffic.sent[&OpId(0)].iter().sum())
}

fn of(dims: &[&[u8]], partial: &[(u8, Reduction)]) -> Layout {
    Layout {
        dims: dims.iter().map(|d| d.iter().map(|&a| Axis(a)).collect()).collect(),
        partial: partial.iter().map(|&(a, r)| (Axis(a), r)).collect::<BTreeMap<_, _>>(),
    }
}

fn mesh3() -> Mesh {
    Mesh::new([("a", 2), ("b", 3), ("c", 2)])
}

fn f64s(shape: &[u64]) -> TensorType {
    TensorType::new(DType::F64, shape)
}

/// One tensor per device, all different.
fn random_shards(shape: &[u64], mesh: &Mesh) -> Vec<Tensor> {
    let mut rng = Rng::new(7);
    (0..mesh.devices()).map(|_| tensor(&mut rng, &f64s(shape), (0, 1))).collect()
}

#[test]
fn all_reduce_combines_over_the_group() {
    let mesh = mesh3();
    let xs = random_shards(&[3, 5], &mesh);
    for (name, combine) in [("sum", (|x, y| x + y) as fn(f64, f64) -> f64), ("max", f64::max), ("min", f64::min)] {
        let (out, sent) = run(&format!("all_reduce X {{{name} over (c, a)}}"), &mesh, &xs);
        for d in 0..12u64 {
            let (a, b, c) = (d / 6, d / 2 % 3, d % 2);
            // c major, a minor: the order of the additions.
            let order = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(a, c)| (a * 6 + b * 2 + c) as usize);
            assert!(order.contains(&((a * 6 + b * 2 + c) as usize)));
            for i in 0..15 {
                let want = order[1..].iter().fold(xs[order[0]].f(i), |acc, &m| combine(acc, xs[m].f(i)));
                assert_eq!(out[d as usize].f(i), want, "{name} on device {d}");
            }
        }
        // 2 (n-1)/n of 15 elements of 8 bytes on 12 devices, in groups of 4.
        assert_eq!(sent, 2 * 3 * 15 * 8 * 12 / 4);
    }
}

#[test]
fn reductions_round_after_each_step() {
    let mesh = Mesh::new([("a", 3)]);
    let ty = TensorType::new(DType::F32, [1]);
    let x = |v: f64| Tensor::floats(DType::F32, &ty.shape, vec![v]);
    // 1 is lost in 2^24 and then there is nothing left of it.
    let (out, sent) = run("all_reduce X {sum over a}", &mesh, &[x(16_777_216.0), x(1.0), x(-16_777_216.0)]);
    assert_eq!(out[0].f(0), 0.0);
    assert_eq!(sent, 4 * 4);
}

#[test]
fn all_gather_concatenates_in_group_order() {
    let mesh = mesh3();
    let xs = random_shards(&[2, 3], &mesh);
    let (out, sent) = run("all_gather X {dim 1 over (c, b)}", &mesh, &xs);
    for (d, out) in out.iter().enumerate() {
        let a = d / 6;
        for c in 0..2 {
            for b in 0..3 {
                let source = &xs[a * 6 + b * 2 + c];
                for i in 0..2 {
                    for j in 0..3 {
                        assert_eq!(out.f(i * 18 + (c * 3 + b) * 3 + j), source.f(i * 3 + j));
                    }
                }
            }
        }
    }
    assert_eq!(sent, 12 * 5 * 6 * 8);
}

#[test]
fn reduce_scatter_is_all_reduce_and_shard_slice() {
    let mesh = mesh3();
    let xs = random_shards(&[4, 6], &mesh);
    let (out, sent) = run("reduce_scatter X {sum dim 0 over (a, c)}", &mesh, &xs);
    let (summed, twice) = run("all_reduce X {sum over (a, c)}", &mesh, &xs);
    let (sliced, none) = run("shard_slice X {dim 0 over (a, c)}", &mesh, &summed);
    assert_eq!(out, sliced);
    assert_eq!((sent, none), (12 * 3 * 6 * 8, 0));
    assert_eq!(twice, 2 * sent);
    let (gathered, back) = run("all_gather X {dim 0 over (a, c)}", &mesh, &out);
    assert_eq!(gathered, summed);
    assert_eq!(back, sent);
}

#[test]
fn all_to_all_is_gather_and_slice() {
    let mesh = mesh3();
    let xs = random_shards(&[6, 4], &mesh);
    let (out, sent) = run("all_to_all X {split 0 concat 1 over (b, a)}", &mesh, &xs);
    let (gathered, _) = run("all_gather X {dim 1 over (b, a)}", &mesh, &xs);
    let (sliced, _) = run("shard_slice X {dim 0 over (b, a)}", &mesh, &gathered);
    assert_eq!(out, sliced);
    // 5/6 of 24 elements.
    assert_eq!(sent, 12 * 20 * 8);
    let (back, _) = run("all_to_all X {split 1 concat 0 over (b, a)}", &mesh, &out);
    assert_eq!(back, xs);
}

#[test]
fn collective_permute_moves_blocks() {
    let mesh = mesh3();
    let whole = random_shards(&[12, 2], &Mesh::new([("x", 1)])).remove(0);
    for (from, to) in [
        ("[(a, b), _]", "[(b, a), _]"),
        ("[(c, a, b), _]", "[(a, b, c), _]"),
        ("[b, _]", "[b, _]"),
        // Another axis of that size; another dim; two dims at once.
        ("[a, _]", "[c, _]"),
        ("[(b, a), _]", "[(b, c), _]"),
        ("[a, c]", "[c, a]"),
        ("[(a, b), c]", "[(b, c), a]"),
    ] {
        let layout = |s: &str| {
            let axes = |d: &str| d.chars().filter_map(|c| mesh.axis(&c.to_string())).collect::<Vec<_>>();
            let (first, second) = s.rsplit_once(", ").unwrap();
            Layout { dims: vec![axes(first), axes(second)], partial: BTreeMap::new() }
        };
        let xs: Vec<Tensor> = (0..12).map(|d| shard(&whole, &layout(from), &mesh, d).unwrap()).collect();
        let (out, sent) = run(&format!("collective_permute X {{from {from} to {to}}}"), &mesh, &xs);
        assert_eq!(unshard(&out, &layout(to), &mesh).unwrap(), whole);
        assert_eq!(sent, 12 * xs[0].ty.bytes());
    }
}

#[test]
fn partial_split_is_undone_by_all_reduce() {
    let mesh = mesh3();
    let whole = random_shards(&[5], &Mesh::new([("x", 1)])).remove(0);
    let (parts, sent) = run("partial_split X {over (a, b)}", &mesh, &vec![whole.clone(); 12]);
    let (back, _) = run("all_reduce X {sum over (b, a)}", &mesh, &parts);
    assert_eq!((back, sent), (vec![whole; 12], 0));
}

/// What each collective does to a layout: the reshards of plans are made of these.
#[test]
fn collectives_take_layouts_to_layouts() {
    let mesh = mesh3();
    let sum = Reduction::Sum;
    for (from, op, to) in [
        (of(&[&[0, 1], &[]], &[]), "all_gather X {dim 0 over b}", of(&[&[0], &[]], &[])),
        (of(&[&[0, 1], &[2]], &[]), "all_gather X {dim 0 over (a, b)}", of(&[&[], &[2]], &[])),
        (of(&[&[], &[2]], &[]), "shard_slice X {dim 1 over a}", of(&[&[], &[2, 0]], &[])),
        (of(&[&[0], &[1]], &[]), "all_to_all X {split 1 concat 0 over a}", of(&[&[], &[1, 0]], &[])),
        (of(&[&[0, 2], &[1]], &[]), "all_to_all X {split 1 concat 0 over c}", of(&[&[0], &[1, 2]], &[])),
        (
            of(&[&[0, 1], &[2]], &[]),
            "collective_permute X {from [(a, b), _] to [(b, a), _]}",
            of(&[&[1, 0], &[2]], &[]),
        ),
        (of(&[&[1, 0], &[]], &[]), "collective_permute X {from [a, _] to [c, _]}", of(&[&[1, 2], &[]], &[])),
        (of(&[&[0], &[1, 2]], &[]), "collective_permute X {from [a, c] to [c, a]}", of(&[&[2], &[1, 0]], &[])),
        (of(&[&[1], &[2]], &[(0, sum)]), "all_reduce X {sum over a}", of(&[&[1], &[2]], &[])),
        (of(&[&[1], &[]], &[(0, sum), (2, sum)]), "all_reduce X {sum over (a, c)}", of(&[&[1], &[]], &[])),
        (of(&[&[1], &[]], &[(0, sum)]), "reduce_scatter X {sum dim 0 over a}", of(&[&[1, 0], &[]], &[])),
        (of(&[&[], &[]], &[(0, Reduction::Max)]), "all_reduce X {max over a}", of(&[&[], &[]], &[])),
        (of(&[&[], &[1]], &[]), "partial_split X {over (a, c)}", of(&[&[], &[1]], &[(0, sum), (2, sum)])),
    ] {
        for dtype in [DType::F64, DType::I32] {
            let mut rng = Rng::new(3);
            let whole = tensor(&mut rng, &TensorType::new(dtype, [12, 12]), (-9, 9));
            let xs = if from.partial.values().all(|&r| r == sum) {
                common::split(&mut rng, &whole, &from, &mesh)
            } else {
                (0..12).map(|d| shard(&whole, &from, &mesh, d).unwrap()).collect()
            };
            let (out, _) = run(op, &mesh, &xs);
            let back = unshard(&out, &to, &mesh).unwrap_or_else(|e| panic!("{op}: {e}"));
            close(&whole, &back, 1e-12).unwrap_or_else(|e| panic!("{op}: {e}"));
        }
    }
}

/// The same for dims that their axes do not divide: 7 elements in 2, 3, 4, 6 or 12 blocks.
#[test]
fn collectives_of_uneven_dims() {
    let mesh = mesh3();
    let sum = Reduction::Sum;
    for (from, op, to) in [
        (of(&[&[0], &[]], &[]), "all_gather X {dim 0 size 7 over a}", of(&[&[], &[]], &[])),
        (of(&[&[0, 1, 2], &[]], &[]), "all_gather X {dim 0 size 7 over (a, b, c)}", of(&[&[], &[]], &[])),
        // 7 in 4 blocks are 2, 2, 2, 1, in 2 blocks 4, 3.
        (of(&[&[0, 2], &[]], &[]), "all_gather X {dim 0 over c}", of(&[&[0], &[]], &[])),
        (of(&[&[0], &[]], &[]), "shard_slice X {dim 0 over c}", of(&[&[0, 2], &[]], &[])),
        (of(&[&[], &[]], &[]), "shard_slice X {dim 0 over (b, c)}", of(&[&[1, 2], &[]], &[])),
        (of(&[&[0], &[]], &[]), "all_to_all X {split 1 concat 0 size 7 over a}", of(&[&[], &[0]], &[])),
        (of(&[&[], &[1]], &[]), "all_to_all X {split 0 concat 1 size 5 over b}", of(&[&[1], &[]], &[])),
        (of(&[&[0, 1], &[]], &[]), "collective_permute X {from [(a, b), _] to [(b, a), _]}", of(&[&[1, 0], &[]], &[])),
        (of(&[&[0, 1], &[]], &[]), "collective_permute X {from [(a, b), _] to [(b, c), _]}", of(&[&[1, 2], &[]], &[])),
        (of(&[&[1], &[]], &[(0, sum)]), "all_reduce X {sum over a}", of(&[&[1], &[]], &[])),
        (of(&[&[], &[]], &[(0, sum), (2, sum)]), "reduce_scatter X {sum dim 0 over (a, c)}", of(&[&[0, 2], &[]], &[])),
        (of(&[&[], &[1]], &[]), "partial_split X {over (a, c)}", of(&[&[], &[1]], &[(0, sum), (2, sum)])),
        (of(&[&[0, 1], &[]], &[]), "pad_mask X {max dim 0 size 7 over (a, b)}", of(&[&[0, 1], &[]], &[])),
    ] {
        for dtype in [DType::F64, DType::I32] {
            let mut rng = Rng::new(3);
            let whole = tensor(&mut rng, &TensorType::new(dtype, [7, 5]), (-9, 9));
            let xs = common::split(&mut rng, &whole, &from, &mesh);
            let (out, sent) = run(op, &mesh, &xs);
            let back = unshard_as(&[7, 5], &out, &to, &mesh).unwrap_or_else(|e| panic!("{op}: {e}"));
            close(&whole, &back, 1e-12).unwrap_or_else(|e| panic!("{op}: {e}"));
            // What pads a block is sent with it.
            if op.starts_with("all_gather X {dim 0 size 7 over a}") {
                assert_eq!(sent, 12 * 4 * 5 * dtype.bytes());
            }
        }
    }
}

#[test]
fn masks_put_the_identity_beyond_the_end() {
    let mesh = Mesh::new([("a", 4)]);
    let whole = Tensor::floats(DType::F64, &[5], vec![1.0, 2.0, 3.0, 4.0, 5.0]);
    let xs: Vec<Tensor> = (0..4).map(|d| shard(&whole, &of(&[&[0]], &[]), &mesh, d).unwrap()).collect();
    assert!(xs[3].f(0).is_nan());
    for (kind, fill) in [("sum", 0.0), ("max", f64::NEG_INFINITY), ("min", f64::INFINITY)] {
        let (out, sent) = run(&format!("pad_mask X {{{kind} dim 0 size 5 over a}}"), &mesh, &xs);
        let all: Vec<f64> = out.iter().flat_map(|t| [t.f(0), t.f(1)]).collect();
        assert_eq!((all, sent), (vec![1.0, 2.0, 3.0, 4.0, 5.0, fill, fill, fill], 0));
    }
}

#[test]
fn shards_come_back_together() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let mesh = mesh(&mut rng, 12);
        let shape: Vec<u64> = (0..rng.below(4)).map(|_| rng.pick(&[1, 2, 3, 4, 5, 6, 7, 12])).collect();
        let mut l = layout(&mut rng, &shape, &mesh);
        for a in mesh.all_axes() {
            if l.slot(a) == meshloom_ir::layout::Slot::Replicated && !shape.is_empty() && rng.chance(50) {
                l.dims[rng.below(shape.len())].push(a);
            }
            if l.slot(a) == meshloom_ir::layout::Slot::Replicated && rng.chance(30) {
                let r = rng.pick(&[Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod]);
                l.partial.insert(a, r);
            }
        }
        let whole = tensor(&mut rng, &f64s(&shape), (0, 1));
        let parts: Vec<Tensor> = (0..mesh.devices()).map(|d| shard(&whole, &l, &mesh, d).unwrap()).collect();
        if l.partial.values().all(|&r| r == Reduction::Sum) || l.partial.values().all(|&r| r != Reduction::Sum) {
            assert_eq!(unshard_as(&shape, &parts, &l, &mesh).unwrap(), whole, "{}", l.show(&mesh));
        }
    }
}

#[test]
fn copies_that_differ_are_reported() {
    let mesh = Mesh::new([("a", 2)]);
    let x = |v| Tensor { ty: f64s(&[2]), data: Data::Float(vec![1.0, v]) };
    let e = unshard(&[x(2.0), x(3.0)], &Layout::replicated(1), &mesh).unwrap_err();
    assert_eq!(e, "devices 0 and 1 hold different copies of element 1 under [_]");
    assert!(shard(&x(1.0), &of(&[&[0], &[]], &[]), &mesh, 0).is_err());
    assert!(shard(&x(1.0), &of(&[&[9]], &[]), &mesh, 0).is_err());
}

/// A row that lies on one device alone, and a value that the first device alone keeps, come to all with all of their bits: what the
/// others have is -0, which no sum changes.
#[test]
fn what_is_moved_by_a_sum_keeps_the_signs_of_zeros() {
    let text = "func @t on [a: 3] { input %0 x: f32[2] input\n input %1 i: i32[6] input\n\
        %2 = gather %0, %1 {shard a} : f32[6]\n %3 = all_reduce %2 {sum over a} : f32[6]\n\
        %4 = partial_split %3 {over a} : f32[6]\n %5 = all_reduce %4 {sum over a} : f32[6]\n output %5 y: output }";
    let f = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let table = [[-0.0, 0.0], [f64::INFINITY, -0.0], [0.0, -1.0]];
    let at = Tensor::ints(DType::I32, &[6], vec![0, 1, 2, 3, 4, 5]);
    let inputs = table.map(|row| vec![Tensor::floats(DType::F32, &[2], row.to_vec()), at.clone()]);
    let (out, _) = spmd::run(&f, &inputs).unwrap();
    for device in out {
        let got: Vec<u64> = (0..6).map(|i| device[0].f(i).to_bits()).collect();
        assert_eq!(got, table.concat().iter().map(|x| x.to_bits()).collect::<Vec<_>>());
    }
}
