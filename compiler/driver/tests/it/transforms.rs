//! `grad` and `scan` in a program, through the whole house: planned on two meshes, certified, on simulated devices and on
//! machine code, against the interpreter.
#![cfg(feature = "llvm")]

use crate::support::session;
use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan};
use meshloom_ir::DType;
use meshloom_ir::interp::{eval, spmd};
use meshloom_plan::Mode;
use meshloom_random as random;
use meshloom_runtime::HostTensor;

/// Gradient descent on the weights of a recurrence, three steps of it, as a program: a gradient of a scan inside a loop.
const SOURCE: &str = "mesh [data: 1, model: 1]
dim batch = 8, seq = 5, embed = 4
entry descend(w0: f32[embed, embed] @ [_, model], b: f32[embed], xs: f32[seq, batch, embed] @ [_, data, _]) -> (f32, f32[embed, embed], f32[embed]) {
    let w = w0
    let last: f32 = 0
    for i in 0..3 {
        let (value, g) = value_and_grad(of)(w, b, xs)
        last = value
        w = w - 0.1 * g
    }
    (last, w, grad(of, wrt: b)(w, b, xs))
}
fn of(w: f32[embed, embed], b: f32[embed], xs: f32[seq, batch, embed]) -> f32 {
    let start: f32[batch, embed] = full([batch, embed], 0.0)
    let (last, norms) = scan(cell, start, xs, w, b)
    mean(last) + mean(norms)
}
fn cell(
    h: f32[batch, embed],
    x: f32[batch, embed],
    w: f32[embed, embed],
    b: f32[embed],
) -> (f32[batch, embed], f32[batch]) {
    let next = tanh(dot(h, w) + b + x)
    (next, sum(next * next, 1))
}
";

fn planned(data: u64, model: u64, mode: Mode) -> Program<Scheduled> {
    let mut options = CompileOptions::default();
    options.plan.mode = mode;
    options.front.float = Some(DType::F64);
    options.front.mesh = Some(vec![("data".into(), data), ("model".into(), model)]);
    let shown =
        |(f, _): (meshloom_source::Failure, _)| -> Program<Scheduled> { panic!("data={data} model={model}: {f}") };
    let p = check("transforms.loom", SOURCE, &options).and_then(|p| plan(p, &options)).and_then(lower);
    p.unwrap_or_else(shown)
}

fn machine(p: &Program<Scheduled>, inputs: &[meshloom_ir::Tensor]) -> Vec<Vec<f64>> {
    let mut s = session(p);
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    let f = &p.entries[0].global;
    for (port, x) in f.inputs.iter().zip(inputs) {
        let values: Vec<f64> = (0..x.len()).map(|i| x.f(i)).collect();
        s.write(&port.name, HostTensor::f64(&x.ty.shape, &values)).unwrap_or_else(|e| panic!("{e}"));
    }
    s.run().unwrap_or_else(|e| panic!("{e}"));
    f.outputs.iter().map(|p| s.read(&p.name).unwrap().to_f64().unwrap()).collect()
}

#[test]
fn gradients_of_scans_in_loops_are_those_of_one_device() {
    for (data, model, mode) in [(1, 1, Mode::Follow), (2, 2, Mode::Follow), (2, 2, Mode::Search), (4, 1, Mode::Search)]
    {
        let p = planned(data, model, mode);
        let e = &p.entries[0];
        let inputs = random::inputs(&e.global, 7);
        let want = eval(&e.global, &inputs).unwrap();
        let local = &e.plan.local;
        let (simulated, _) = spmd::run_for(&e.global, local, &inputs).unwrap();
        for ((w, s), m) in want.iter().zip(&simulated).zip(machine(&p, &inputs)) {
            for (i, &got) in m.iter().enumerate() {
                assert!((w.f(i) - s.f(i)).abs() < 1e-12, "data={data} model={model}: {} for {}", s.f(i), w.f(i));
                assert!((w.f(i) - got).abs() < 1e-11, "data={data} model={model}: {got} for {}", w.f(i));
            }
        }
    }
}
