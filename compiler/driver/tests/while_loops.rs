//! `while` through the whole house: it stops where the interpreter stops, on every mesh, as machine code too, and has the
//! gradient of the rounds that were made.
#![cfg(feature = "llvm")]

mod support;

use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::{DType, Tensor};
use meshloom_plan::Mode;
use support::{bundle, compiled, host, on, open};

/// Newton's method for square roots, until the worst of them is good.
const SOURCE: &str = "mesh [data: 1, model: 1]
dim n = 8, m = 4
entry roots(x: f64[n, m] @ [data, model], most: f64) -> (f64[n, m], i32, f64[n, m]) {
    let (y, rounds) = newton(x, most)
    (y, rounds, grad(total)(x, most))
}
fn newton(x: f64[n, m], most: f64) -> (f64[n, m], i32) {
    let y = x
    let rounds: i32 = 0
    while max(abs(y * y - x)) > most, at_most: 20 {
        y = (y + x / y) / 2
        rounds = rounds + 1
    }
    (y, rounds)
}
fn total(x: f64[n, m], most: f64) -> f64 {
    let (y, rounds) = newton(x, most)
    sum(y)
}
";

#[test]
fn a_while_goes_on_as_long_as_its_condition_holds() {
    let values: Vec<f64> = (0..32).map(|i| 1.0 + f64::from(i) * 0.5).collect();
    let x = Tensor::floats(DType::F64, &[8, 4], values.clone());
    for (mesh, mode) in [((1, 1), Mode::Follow), ((2, 2), Mode::Follow), ((2, 2), Mode::Search), ((4, 1), Mode::Search)]
    {
        let mut o = on(&[("data", mesh.0), ("model", mesh.1)], "");
        o.plan.mode = mode;
        let p = compiled("while.loom", SOURCE, &o);
        let e = &p.entries[0];
        for (most, rounds) in [(1e-9, None), (1e9, Some(0)), (0.0, Some(20))] {
            let inputs = [x.clone(), Tensor::floats(DType::F64, &[], vec![most])];
            let want = eval(&e.global, &inputs).unwrap();
            assert!(rounds.is_none_or(|r| want[1].i(0) == r), "{} rounds to {most}", want[1].i(0));
            if most == 1e-9 {
                assert!((4..12).contains(&want[1].i(0)), "{} rounds", want[1].i(0));
                for (i, v) in values.iter().enumerate() {
                    assert!((want[0].f(i) - v.sqrt()).abs() < 1e-9, "the root of {v} is {}", want[0].f(i));
                    assert!((want[2].f(i) - 0.5 / v.sqrt()).abs() < 1e-6, "its derivative is {}", want[2].f(i));
                }
            }
            let local = &e.plan.as_ref().unwrap().local;
            let (simulated, _) = spmd::run_for(&e.global, local, &inputs).unwrap();
            let made = bundle(&p);
            let mut s = open(&made, "roots");
            s.initialize().unwrap();
            for (port, x) in e.global.inputs.iter().zip(&inputs) {
                s.write(&port.name, host(x)).unwrap();
            }
            s.run().unwrap();
            for ((port, w), l) in e.global.outputs.iter().zip(&want).zip(&simulated) {
                let got = s.read(&port.name).unwrap().to_f64().unwrap();
                for (i, got) in got.into_iter().enumerate() {
                    let w = if w.ty.dtype == DType::I32 { (w.i(i) as f64, l.i(i) as f64) } else { (w.f(i), l.f(i)) };
                    let near = (w.0 - got).abs() < 1e-11 && (w.0 - w.1).abs() < 1e-11;
                    assert!(near, "{} on {mesh:?} {mode:?}: {got} and {} for {}", port.name, w.1, w.0);
                }
            }
        }
    }
}
