//! `while` through the whole house: it ends where the interpreter ends, on every mesh and as machine code too, with a limit and
//! without one. A loop without a limit that came back is one that was left.
#![cfg(feature = "llvm")]

use crate::support::{bundle, compiled, host, on, open};
use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::{DType, Tensor};
use meshloom_plan::Mode;

/// Newton's method for square roots, until the worst of them is good.
const ROOTS: &str = "mesh [data: 1, model: 1]
dim n = 8, m = 4
entry roots(x: f64[n, m] @ [data, model], most: f64) -> (f64[n, m], i32) {
    let y = x
    let iterations: i32 = 0
    while max(abs(y * y - x)) > most, at_most: 20 {
        y = (y + x / y) / 2
        iterations = iterations + 1
    }
    (y, iterations)
}
";

/// A loop in a loop, neither with a limit, and random numbers that differ by iteration.
const WALK: &str = "mesh [data: 1, model: 1]
dim n = 8, m = 4
entry roots(x: f64[n, m] @ [data, model], most: f64) -> (f64[n, m], i32) {
    let y = x
    let iterations: i32 = 0
    while sum(y) < most + 400 {
        while min(y) < 3 {
            y = y + random_uniform(y)
            iterations = iterations + 1
        }
        y = y + 1
    }
    (y, iterations)
}
";

/// Devices that stop after different iterations.
const APART: &str = "mesh [data: 1, model: 1]
dim n = 8, m = 4
entry roots(x: f64[n, m] @ [data, model], most: f64) -> (f64[n, m], i32) {
    let (y, iterations) = manual(data)(x @ [data, _], most: most @ []) -> ([data, _], []) {
        let y = x
        let k: i32 = 0
        while max(abs(y * y - x)) > most, at_most: 20 {
            y = (y + x / y) / 2
            k = k + 1
        }
        (y, all_reduce(k, data, max))
    }
    (y, iterations)
}
";

/// By the limit `most`: what the entry gives, as the interpreter has it, after the same of plans and of machine code.
fn on_every_mesh(source: &str, meshes: &[(u64, u64)], most: &[f64]) -> Vec<Vec<Tensor>> {
    let values: Vec<f64> = (0..32).map(|i| 1.0 + f64::from(i) * 0.5).collect();
    let x = Tensor::floats(DType::F64, &[8, 4], values);
    let mut out: Vec<Vec<Tensor>> = Vec::new();
    for &mesh in meshes {
        for mode in [Mode::Follow, Mode::Search] {
            let mut o = on(&[("data", mesh.0), ("model", mesh.1)], "");
            o.plan.mode = mode;
            let p = compiled("while.loom", source, &o);
            let e = &p.entries[0];
            let local = &e.plan.local;
            let made = bundle(&p);
            let mut s = open(&made, "roots");
            s.initialize().unwrap();
            for (k, &limit) in most.iter().enumerate() {
                let inputs: Vec<Tensor> = (e.global.inputs.iter())
                    .map(|port| match port.name.as_str() {
                        "x" => x.clone(),
                        "most" => Tensor::floats(DType::F64, &[], vec![limit]),
                        _ => Tensor::zeros(e.global.ty(e.global.body().args[e.global.input(&port.name).unwrap()])),
                    })
                    .collect();
                let want = eval(&e.global, &inputs).unwrap();
                let (simulated, _) = spmd::run_for(&e.global, local, &inputs).unwrap();
                for (port, x) in e.global.inputs.iter().zip(&inputs) {
                    s.write(&port.name, host(x)).unwrap();
                }
                s.run().unwrap();
                for ((port, w), l) in e.global.outputs.iter().zip(&want).zip(&simulated) {
                    let got = s.read(&port.name).unwrap().to_f64().unwrap();
                    for (i, got) in got.into_iter().enumerate() {
                        let of = |t: &Tensor| if t.ty.dtype == DType::I32 { t.i(i) as f64 } else { t.f(i) };
                        let near = (of(w) - got).abs() < 1e-11 && (of(w) - of(l)).abs() < 1e-11;
                        assert!(near, "{} on {mesh:?} {mode:?}: {got} and {} for {}", port.name, of(l), of(w));
                    }
                }
                match out.get(k) {
                    None => out.push(want),
                    Some(first) => assert_eq!(first[1], want[1], "as many iterations on every mesh"),
                }
            }
        }
    }
    out
}

#[test]
fn a_while_goes_on_as_long_as_its_condition_holds() {
    let found = on_every_mesh(ROOTS, &[(1, 1), (2, 2), (4, 1)], &[1e-9, 1e9, 0.0]);
    let iterations: Vec<i64> = found.iter().map(|out| out[1].i(0)).collect();
    assert!((4..12).contains(&iterations[0]) && iterations[1..] == [0, 20], "{iterations:?} iterations");
    for i in 0..32 {
        let (v, y) = (1.0 + i as f64 * 0.5, found[0][0].f(i));
        assert!((y - v.sqrt()).abs() < 1e-9, "the root of {v} is {y}");
    }
}

#[test]
fn a_while_needs_no_limit() {
    let found = on_every_mesh(WALK, &[(1, 1), (2, 2)], &[0.0]);
    let (y, iterations) = (&found[0][0], found[0][1].i(0));
    let sum: f64 = (0..32).map(|i| y.f(i)).sum();
    assert!(sum >= 400.0 && iterations > 2, "{sum} after {iterations} iterations");
}

#[test]
fn devices_of_a_region_stop_each_by_itself() {
    let found = on_every_mesh(APART, &[(4, 1), (4, 2)], &[1e-3]);
    // Ones are their own roots, so that the first device needs fewer iterations than the last, and does not go on with it.
    let alone = |x: f64| {
        let (mut y, mut k) = (x, 0);
        while (y * y - x).abs() > 1e-3 {
            (y, k) = ((y + x / y) / 2.0, k + 1);
        }
        k
    };
    let iterations = |from: usize| (from..from + 8).map(|i| alone(1.0 + i as f64 * 0.5)).max().unwrap();
    assert!(iterations(0) < iterations(24), "the devices differ");
    assert_eq!(found[0][1].i(0), iterations(24));
    let mut y: f64 = 1.5;
    for _ in 0..iterations(0) {
        y = (y + 1.5 / y) / 2.0;
    }
    assert!((found[0][0].f(1) - y).abs() < 1e-14, "the first device made {} iterations", iterations(0));
}
