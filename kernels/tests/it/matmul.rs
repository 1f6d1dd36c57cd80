//! Packs and matmuls against the reference: every remainder of M, N and K, batches, transposed results, epilogues, and contractions
//! as the scheduler asks for them, packs and matmul run one after the other.

use crate::support::{Case, Rng, check};
use meshloom_kernels::contraction::{Contraction, Lowered};
use meshloom_kernels::geometry::row_major;
use meshloom_kernels::spec::{TILE_ROWS, panel_cols};
use meshloom_kernels::{Access, Body, DType, Elem, KernelSpec, Node, Pack};

/// A dim by its subscript, as in an einsum.
type Sizes<'a> = &'a [(char, u64)];

fn strides(subscripts: &str, layout: &str, sizes: Sizes) -> Vec<i64> {
    let size = |c: char| sizes.iter().find(|(d, _)| *d == c).map_or(1, |(_, n)| *n);
    let steps = row_major(&layout.chars().map(size).collect::<Vec<_>>());
    subscripts.chars().map(|c| layout.find(c).map_or(0, |i| steps[i])).collect()
}

#[derive(Clone, Copy, PartialEq)]
enum Epilogue {
    None,
    /// `acc + bias[n] + residual`.
    BiasResidual,
    /// Stores `u = acc + bias[n]`, and tanh(u) elsewhere.
    TwoOutputs,
    /// `acc * (1 - tanh(u)^2)`.
    Gradient,
}

/// `spec` is an einsum over subscripts, such as `bse,nehd->nbhsd`.
fn einsum(spec: &str, sizes: Sizes, dtype: DType, epilogue: Epilogue) -> Lowered {
    let (inputs, out) = spec.split_once("->").expect("an einsum");
    let (a, b) = inputs.split_once(',').expect("two operands");
    let dims = |keep: &dyn Fn(char) -> bool, from: &str| -> String { from.chars().filter(|c| keep(*c)).collect() };
    let batch = dims(&|c| a.contains(c) && b.contains(c), out);
    let m = dims(&|c| a.contains(c) && !b.contains(c), out);
    let n = dims(&|c| !a.contains(c) && b.contains(c), out);
    let k = dims(&|c| b.contains(c) && !out.contains(c), a);
    let of =
        |s: &str| s.chars().map(|c| sizes.iter().find(|(d, _)| *d == c).map_or(1, |(_, n)| *n)).collect::<Vec<_>>();
    let space = format!("{batch}{m}{n}");
    let full = strides(&space, out, sizes);
    let by_column = strides(&space, &n, sizes);
    let mut body = Body::new(&[dtype; 3]);
    let acc = body.node(Node::Acc);
    match epilogue {
        Epilogue::None => body.output(acc, Access::new(2, &full)),
        Epilogue::BiasResidual => {
            let (bias, residual) = (body.buffer(dtype), body.buffer(dtype));
            let bias = body.leaf(Access::new(bias, &by_column));
            let residual = body.leaf(Access::new(residual, &full));
            let y = body.elem(Elem::Add, &[acc, bias]);
            let y = body.elem(Elem::Add, &[y, residual]);
            body.output(y, Access::new(2, &full));
        }
        Epilogue::TwoOutputs => {
            let (bias, second) = (body.buffer(dtype), body.buffer(dtype));
            let bias = body.leaf(Access::new(bias, &by_column));
            let u = body.elem(Elem::Add, &[acc, bias]);
            let h = body.elem(Elem::Tanh, &[u]);
            body.output(u, Access::new(2, &full));
            body.output(h, Access::new(second, &full));
        }
        Epilogue::Gradient => {
            let u = body.buffer(dtype);
            let u = body.leaf(Access::new(u, &full));
            let t = body.elem(Elem::Tanh, &[u]);
            let t = body.elem(Elem::Multiply, &[t, t]);
            let one = body.constant(dtype, 1.0);
            let d = body.elem(Elem::Subtract, &[one, t]);
            let y = body.elem(Elem::Multiply, &[acc, d]);
            body.output(y, Access::new(2, &full));
        }
    }
    let (av, bv) = (format!("{batch}{m}{k}"), format!("{batch}{n}{k}"));
    Contraction {
        batch: of(&batch),
        m: of(&m),
        n: of(&n),
        k: of(&k),
        a: Access::new(0, &strides(&av, a, sizes)),
        b: Access::new(1, &strides(&bv, b, sizes)),
        stored: dtype,
        body,
    }
    .lower()
}

/// The matmul with random operands, in whatever form it reads them; and the packs.
fn cases_of(lowered: &Lowered, rng: &mut Rng, cases: &mut Vec<Case>) {
    let ulps = 8.0 + 2.0 * lowered.matmul.k as f64;
    for pack in lowered.packs.iter().flatten() {
        let spec = KernelSpec::Pack(pack.clone());
        spec.verify().unwrap_or_else(|e| panic!("{e}\n{spec}"));
        cases.push(Case::random(spec, rng, &[], ulps));
        fit_panels(cases.last_mut().expect("a case"));
    }
    let spec = KernelSpec::Matmul(lowered.matmul.clone());
    spec.verify().unwrap_or_else(|e| panic!("{e}\n{spec}"));
    cases.push(Case::random(spec, rng, &[], ulps));
}

/// The reference writes exactly the panels.
fn fit_panels(case: &mut Case) {
    if let KernelSpec::Pack(p) = &case.spec {
        case.buffers[p.panels as usize].truncate(p.elements() as usize);
    }
}

#[test]
fn remainders_of_every_dim() {
    let mut rng = Rng(20);
    let mut cases = Vec::new();
    for (m, n, k) in [
        (8, 32, 16),
        (1, 1, 1),
        (7, 33, 5),
        (9, 31, 1),
        (16, 16, 300),
        (20, 48, 256),
        (33, 65, 257),
        (5, 100, 513),
        (150, 17, 40),
        (64, 64, 768),
    ] {
        for dtype in [DType::F32, DType::F64] {
            let sizes = [('m', m), ('n', n), ('k', k)];
            for (spec, epilogue) in [
                ("mk,kn->mn", Epilogue::BiasResidual),
                ("km,kn->mn", Epilogue::None),
                ("mk,nk->mn", Epilogue::TwoOutputs),
                ("km,nk->nm", Epilogue::Gradient),
            ] {
                cases_of(&einsum(spec, &sizes, dtype, epilogue), &mut rng, &mut cases);
            }
        }
    }
    check(&cases);
}

#[test]
fn heads_and_batches() {
    let mut rng = Rng(21);
    let mut cases = Vec::new();
    let sizes = [('b', 2), ('s', 12), ('e', 24), ('n', 3), ('h', 2), ('d', 40), ('t', 10)];
    for dtype in [DType::F32, DType::F64] {
        for (spec, epilogue) in [
            ("bse,nehd->nbhsd", Epilogue::None),
            ("bhsd,hde->bse", Epilogue::BiasResidual),
            ("nbhsd,nehd->bse", Epilogue::None),
            ("bse,nbhsd->nehd", Epilogue::None),
            ("bhsd,bhtd->bhst", Epilogue::TwoOutputs),
            ("bhst,bhtd->bhsd", Epilogue::Gradient),
            ("bhst,bhtd->bshd", Epilogue::None),
        ] {
            cases_of(&einsum(spec, &sizes, dtype, epilogue), &mut rng, &mut cases);
        }
    }
    check(&cases);
}

/// Epilogues must see the whole sum when k takes several blocks, also the one that does not store it.
#[test]
fn epilogues_over_blocks_of_k() {
    let mut rng = Rng(22);
    let mut cases = Vec::new();
    for k in [255, 256, 257, 512, 700] {
        for epilogue in [Epilogue::BiasResidual, Epilogue::TwoOutputs, Epilogue::Gradient] {
            let lowered = einsum("mk,kn->mn", &[('m', 21), ('n', 40), ('k', k)], DType::F32, epilogue);
            assert_eq!(lowered.matmul.spills(), k > 256);
            cases_of(&lowered, &mut rng, &mut cases);
        }
    }
    check(&cases);
}

#[test]
fn packs_with_sums_and_expressions() {
    let mut rng = Rng(23);
    let mut cases = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        for (rows, k) in [(40, 20), (64, 300), (7, 3), (33, 64)] {
            for (width, access) in [
                (panel_cols(dtype), Access::new(0, &[1, rows as i64])),
                (panel_cols(dtype), Access::new(0, &[k as i64, 1])),
                (TILE_ROWS, Access::new(0, &[1, rows as i64 + 3])),
                (TILE_ROWS, Access::new(0, &[k as i64 + 1, 1])),
                (TILE_ROWS, Access::new(0, &[3, 3 * rows as i64])),
            ] {
                let mut pack = Pack::new(&[], &[rows], &[k], width, dtype, access.clone());
                pack.with_sum(&[1]);
                cases.push(Case::random(KernelSpec::Pack(pack), &mut rng, &[], 300.0));
                // What is packed is computed on the way: x * scale[row], and stored besides.
                let mut pack = Pack::new(&[], &[rows], &[k], width, dtype, access);
                let (scale, out) = (pack.body.buffer(dtype), pack.body.buffer(dtype));
                let s = pack.body.leaf(Access::new(scale, &[1, 0]));
                pack.value = pack.body.elem(Elem::Multiply, &[pack.value, s]);
                pack.body.output(pack.value, Access::new(out, &[k as i64, 1]));
                cases.push(Case::random(KernelSpec::Pack(pack), &mut rng, &[], 4.0));
            }
        }
    }
    cases.iter_mut().for_each(fit_panels);
    check(&cases);
}

#[test]
fn random_contractions() {
    let mut rng = Rng(24);
    let mut cases = Vec::new();
    for _ in 0..40 {
        let sizes: Vec<(char, u64)> = "zmnkpqr".chars().map(|c| (c, rng.pick(&[1, 2, 3, 5, 8, 16, 20, 33]))).collect();
        let shuffle = |rng: &mut Rng, s: &str| {
            let mut subscripts: Vec<char> = s.chars().collect();
            for i in (1..subscripts.len()).rev() {
                subscripts.swap(i, rng.below(i as u64 + 1) as usize);
            }
            subscripts.into_iter().collect::<String>()
        };
        let (a, b, c) = rng.pick(&[
            ("mk", "nk", "mn"),
            ("mpk", "nk", "mpn"),
            ("mk", "nqk", "mnq"),
            ("mkr", "nkr", "mn"),
            ("zmk", "znk", "zmn"),
            ("zmpkr", "znkr", "zmpn"),
            ("k", "nk", "n"),
            ("mk", "k", "m"),
            ("m", "n", "mn"),
        ]);
        let spec = format!("{},{}->{}", shuffle(&mut rng, a), shuffle(&mut rng, b), shuffle(&mut rng, c));
        let dtype = rng.pick(&[DType::F32, DType::F32, DType::F64]);
        let epilogue = rng.pick(&[Epilogue::None, Epilogue::BiasResidual, Epilogue::TwoOutputs]);
        cases_of(&einsum(&spec, &sizes, dtype, epilogue), &mut rng, &mut cases);
    }
    check(&cases);
}

/// Packs feed the matmul: the panels of one are what the other reads.
#[test]
fn packs_feed_matmuls() {
    let mut rng = Rng(25);
    for (spec, sizes) in [
        ("km,kn->mn", vec![('m', 13), ('n', 37), ('k', 19)]),
        ("bse,nbhsd->nehd", vec![('b', 2), ('s', 3), ('e', 10), ('n', 2), ('h', 2), ('d', 5)]),
    ] {
        let lowered = einsum(spec, &sizes, DType::F64, Epilogue::None);
        let (a, b) = spec.split_once("->").and_then(|(i, _)| i.split_once(',')).expect("two operands");
        let of =
            |s: &str| s.chars().map(|c| sizes.iter().find(|(d, _)| *d == c).map_or(1, |(_, n)| *n)).product::<u64>();
        let operands = [rng.values(DType::F64, of(a)), rng.values(DType::F64, of(b))];
        let mut matmul: Vec<Vec<f64>> = Vec::new();
        for (i, pack) in lowered.packs.iter().enumerate() {
            let operand = operands[if lowered.swapped { 1 - i } else { i }].clone();
            matmul.push(match pack {
                Some(p) => {
                    let mut buffers = vec![operand, Vec::new()];
                    KernelSpec::Pack(p.clone()).reference(&mut buffers, &[]);
                    buffers.remove(1)
                }
                None => operand,
            });
        }
        let spec_of = KernelSpec::Matmul(lowered.matmul.clone());
        let args = spec_of.args();
        assert_eq!(matmul[0].len() as u64, args[0].elements, "{spec_of}");
        matmul.push(vec![0.0; args[2].elements as usize]);
        spec_of.reference(&mut matmul, &[]);
        // The einsum by its definition.
        let subscripts: Vec<char> = sizes.iter().map(|(c, _)| *c).collect();
        let all: String = subscripts.iter().collect();
        let out = spec.split_once("->").expect("an arrow").1;
        let (sa, sb, sc) = (strides(&all, a, &sizes), strides(&all, b, &sizes), strides(&all, out, &sizes));
        let mut want = vec![0.0; of(out) as usize];
        let space: Vec<u64> = sizes.iter().map(|(_, n)| *n).collect();
        for i in 0..space.iter().product::<u64>() {
            let index = meshloom_kernels::geometry::unravel(i, &space);
            let at = |s: &[i64]| s.iter().zip(&index).map(|(s, i)| s * *i as i64).sum::<i64>() as usize;
            want[at(&sc)] += operands[0][at(&sa)] * operands[1][at(&sb)];
        }
        for (g, w) in matmul[2].iter().zip(&want) {
            assert!((g - w).abs() < 1e-12, "{g} is not {w}\n{spec_of}");
        }
    }
}

/// The logits of 131,072 tokens over as many words: their buffers have 2^34 elements, and 2^46 products are summed.
#[test]
fn long_contractions_are_within_bounds() {
    let of = |n: u64, k: u64| einsum("mk,kn->mn", &[('m', n), ('n', n), ('k', k)], DType::F32, Epilogue::None);
    assert_eq!(KernelSpec::Matmul(of(1 << 17, 1 << 12).matmul).verify(), Ok(()));
    // An operand that is larger than any buffer, and more products than are counted.
    assert!(KernelSpec::Matmul(of(1 << 17, 1 << 24).matmul).verify().is_err());
    assert!(KernelSpec::Matmul(of(1 << 20, 1 << 18).matmul).verify().is_err());
}
