//! Manual regions as machine code, against the interpreter: every collective and its gradient, and the example, which trains as
//! its twin without a region. What their plans are is tested where plans are made.
#![cfg(feature = "llvm")]

use crate::manual_cases::{CASES, source};
use crate::support::{Sizes, bundle, compiled, host, on, open, outputs, together};
use meshloom_driver::{CompileOptions, Program, Scheduled};
use meshloom_ir::DType;
use meshloom_ir::interp::eval;
use meshloom_plan::Mode;
use meshloom_random as random;

fn options(mesh: Sizes<'_>, mode: Mode) -> CompileOptions {
    let mut o = on(mesh, "");
    o.plan.mode = mode;
    o.front.float = Some(DType::F64);
    o
}

fn planned(name: &str, body: &str, mesh: Sizes<'_>, mode: Mode) -> Program<Scheduled> {
    compiled(&format!("{name}.loom"), &source(body), &options(mesh, mode))
}

#[test]
fn collectives_and_their_gradients_as_machine_code() {
    // One bundle holds programs of one mesh.
    for mesh in [[("data", 1), ("model", 2)], [("data", 2), ("model", 2)]] {
        let programs = CASES.iter().map(|&(name, body)| (name.to_string(), planned(name, body, &mesh, Mode::Search)));
        let all = together(programs);
        let made = bundle(&all);
        for entry in &all.entries {
            let inputs = random::inputs(&entry.global, 7);
            let want = eval(&entry.global, &inputs).unwrap();
            let mut s = open(&made, &entry.name);
            let found = outputs(&mut s, &entry.global, &inputs);
            for ((port, w), found) in entry.global.outputs.iter().zip(&want).zip(found) {
                for (i, got) in found.into_iter().enumerate() {
                    let near = (w.f(i) - got).abs() < 1e-10 * w.f(i).abs().max(1.0);
                    assert!(near, "{} on {mesh:?}, {}: {got} for {} as machine code", entry.name, port.name, w.f(i));
                }
            }
        }
    }
}

/// The example's hand-written layers train as the one that is left to the compiler, on meshes that split them and on one that
/// does not.
#[test]
fn the_example_trains_as_its_automatic_twin() {
    let text = include_str!("../../../../examples/manual.loom");
    for mesh in [[("data", 1), ("model", 1)], [("data", 2), ("model", 2)], [("data", 1), ("model", 4)]] {
        let mut o = on(&mesh, "");
        o.front.float = Some(DType::F64);
        let p = compiled("manual.loom", text, &o);
        let made = bundle(&p);
        let train = |entry: &str| -> Vec<f64> {
            let mut s = open(&made, entry);
            s.initialize().unwrap();
            let e = p.entries.iter().find(|e| e.name == entry).unwrap();
            for (port, x) in e.global.inputs.iter().zip(random::inputs(&e.global, 5)) {
                s.write(&port.name, host(&x)).unwrap();
            }
            (0..4).map(|_| s.step().unwrap().loss.unwrap()).collect()
        };
        let want = train("automatic");
        assert!(want[3] < want[0], "{want:?}");
        for entry in ["megatron", "ring"] {
            for (got, want) in train(entry).iter().zip(&want) {
                assert!((got - want).abs() < 1e-11 * want, "{entry} on {mesh:?}: {got} for {want}");
            }
        }
    }
}
