//! Contractions in BLAS's words compute what their reference does, whichever way operands and results lie; and what BLAS has no words
//! for is not taken for a GEMM.

use meshloom_kernels::contraction::Contraction;
use meshloom_kernels::dot::Dot;
use meshloom_kernels::gemm::{Gemm, Matrix};
use meshloom_kernels::geometry::row_major;
use meshloom_kernels::{Access, Body, DType, Elem, KernelSpec, Node};

fn size(c: char) -> u64 {
    match c {
        'b' => 2,
        's' => 3,
        'e' => 5,
        'f' => 4,
        'h' => 6,
        _ => 1,
    }
}

fn strides(subscripts: &str, layout: &str) -> Vec<i64> {
    let steps = row_major(&layout.chars().map(size).collect::<Vec<_>>());
    subscripts.chars().map(|c| layout.find(c).map_or(0, |i| steps[i])).collect()
}

/// An einsum, with what is added to it: each of `added` by the dims that it has.
fn einsum(spec: &str, dtype: DType, result: DType, added: &[&str]) -> Dot {
    let (inputs, out) = spec.split_once("->").unwrap();
    let (a, b) = inputs.split_once(',').unwrap();
    let keep = |f: &dyn Fn(char) -> bool, from: &str| -> String { from.chars().filter(|c| f(*c)).collect() };
    let batch = keep(&|c| a.contains(c) && b.contains(c), out);
    let m = keep(&|c| a.contains(c) && !b.contains(c), out);
    let n = keep(&|c| !a.contains(c) && b.contains(c), out);
    let k = keep(&|c| b.contains(c) && !out.contains(c), a);
    let of = |s: &str| s.chars().map(size).collect::<Vec<_>>();
    let space = format!("{batch}{m}{n}");
    let mut body = Body::new(&[dtype, dtype, result]);
    let mut sum = body.node(Node::Acc);
    for subscripts in added {
        let buffer = body.buffer(result);
        let leaf = body.leaf(Access::new(buffer, &strides(&space, subscripts)).at(1));
        let leaf = body.convert(leaf, DType::F32);
        sum = body.elem(Elem::Add, &[leaf, sum]);
    }
    let stored = body.convert(sum, result);
    body.output(stored, Access::new(2, &strides(&space, out)));
    let operand =
        |which, free: &str, layout: &str| Access::new(which, &strides(&format!("{batch}{free}{k}"), layout)).at(2);
    let (a, b) = (operand(0, &m, a), operand(1, &n, b));
    Contraction { batch: of(&batch), m: of(&m), n: of(&n), k: of(&k), a, b, stored: dtype, body }.dot().0
}

fn evaluate(p: &Gemm, buffers: &mut [Vec<f64>]) {
    let at = |m: &Matrix, batch: u64, i: u64, j: u64| {
        let (i, j) = if m.transposed { (j, i) } else { (i, j) };
        (m.offset + batch * m.stride + i + j * m.ld) as usize
    };
    for (batch, j, i) in (0..p.batch).flat_map(|b| (0..p.n).flat_map(move |j| (0..p.m).map(move |i| (b, j, i)))) {
        let read = |m: &Matrix, i, j| buffers[m.buffer as usize][at(m, batch, i, j)];
        let mut sum: f64 = (0..p.k).map(|k| read(&p.a, i, k) * read(&p.b, k, j)).sum();
        sum += p.c.as_ref().map_or(0.0, |c| read(c, i, j));
        sum += p.bias.as_ref().map_or(0.0, |v| buffers[v.buffer as usize][(v.offset + i) as usize]);
        buffers[p.d.buffer as usize][at(&p.d, batch, i, j)] = sum;
    }
}

#[test]
fn gemms_are_what_the_reference_computes() {
    let cases: [(&str, &[&str], [u64; 4]); 16] = [
        ("se,eh->sh", &[], [6, 3, 5, 1]),
        ("es,eh->sh", &[], [6, 3, 5, 1]),
        ("se,he->sh", &[], [6, 3, 5, 1]),
        ("es,he->sh", &[], [6, 3, 5, 1]),
        // A result that is contiguous along the first operand's dim.
        ("se,eh->hs", &[], [3, 6, 5, 1]),
        ("bse,eh->bsh", &[], [6, 6, 5, 1]),
        ("bse,efh->bsfh", &[], [24, 6, 5, 1]),
        // The gradient of a weight: summed over rows.
        ("bse,bsh->eh", &[], [6, 5, 6, 1]),
        ("bse,beh->bsh", &[], [6, 3, 5, 2]),
        ("bes,bhe->bsh", &[], [6, 3, 5, 2]),
        // Matrices that alternate.
        ("sbe,beh->sbh", &[], [6, 3, 5, 2]),
        ("e,eh->h", &[], [6, 1, 5, 1]),
        ("se,eh->sh", &["h"], [6, 3, 5, 1]),
        ("bse,eh->bsh", &["bsh"], [6, 6, 5, 1]),
        ("bse,eh->bsh", &["h", "bsh"], [6, 6, 5, 1]),
        ("bse,beh->bsh", &["bsh"], [6, 3, 5, 2]),
    ];
    for (spec, added, sizes) in cases {
        let dot = einsum(spec, DType::F32, DType::F32, added);
        let p = dot.gemm().unwrap_or_else(|| panic!("{spec} {added:?} is a GEMM"));
        let mut found = [p.m, p.n, p.k, p.batch];
        let mut want = sizes;
        // Where both orders are possible, either is right.
        if p.m != sizes[0] {
            found.swap(0, 1);
        }
        assert_eq!((found, p.bias.is_some()), (std::mem::take(&mut want), added.contains(&"h")), "{spec} {added:?}");
        let mut buffers: Vec<Vec<f64>> = (0..dot.body.buffers.len())
            .map(|b| (0..200).map(|i| f64::from((i * 7 + b as i32 * 5) % 11 - 5)).collect())
            .collect();
        let mut expected = buffers.clone();
        KernelSpec::Dot(dot).reference(&mut expected, &[]);
        evaluate(&p, &mut buffers);
        assert_eq!(buffers, expected, "{spec} {added:?}: {p:?}");
    }
}

#[test]
fn types_are_kept() {
    let p = einsum("se,eh->sh", DType::BF16, DType::BF16, &["h"]).gemm().unwrap();
    assert_eq!((p.dtype, p.result), (DType::BF16, DType::BF16));
    let p = einsum("se,eh->sh", DType::F16, DType::F32, &[]).gemm().unwrap();
    assert_eq!((p.dtype, p.result), (DType::F16, DType::F32));
    let exact = einsum("se,eh->sh", DType::F32, DType::F32, &["h"]);
    let rounded = Dot { tf32: true, ..exact.clone() };
    assert_eq!([exact, rounded].map(|d| d.gemm().unwrap().tf32), [false, true]);
}

#[test]
fn what_is_no_gemm() {
    // Heads between rows and columns of the result, and dims of one operand in another order.
    for spec in ["bse,fhe->bfsh", "bse,ehf->bsfh", "bsfe,ehf->bsh"] {
        assert_eq!(einsum(spec, DType::F32, DType::F32, &[]).gemm(), None, "{spec}");
    }
    assert_eq!(einsum("se,eh->sh", DType::F64, DType::F64, &[]).gemm(), None);
    // A bias along the rows, and more than a library adds.
    assert_eq!(einsum("se,eh->sh", DType::F32, DType::F32, &["s"]).gemm(), None);
    assert_eq!(einsum("se,eh->sh", DType::F32, DType::F32, &["h", "sh", "sh"]).gemm(), None);
    let changed = |change: fn(&mut Dot)| {
        let mut dot = einsum("se,eh->sh", DType::F32, DType::F32, &[]);
        change(&mut dot);
        dot.gemm()
    };
    assert!(changed(|_| {}).is_some());
    let tanh = |d: &mut Dot| {
        let y = d.body.elem(Elem::Tanh, &[d.body.outputs[0].node]);
        d.body.outputs[0].node = y;
    };
    assert_eq!(changed(tanh), None);
    let twice = |d: &mut Dot| {
        let y = d.body.elem(Elem::Add, &[d.body.outputs[0].node, d.body.outputs[0].node]);
        d.body.outputs[0].node = y;
    };
    assert_eq!(changed(twice), None);
    assert_eq!(changed(|d| d.a = d.a.clone().from_dim(0, 4)), None, "it begins where only the device knows");
}
