//! Functions with a gradient of their own (`gradient(y, dy) { .. }`): against finite differences, against the gradient that the body
//! has, and against rules that are no derivative. In loops, in microbatches, in `grad`, in 16 bits, and on meshes as machine code.

use meshloom_driver::{CompileOptions, Program, check};
use meshloom_ir::interp::eval::eval;
use meshloom_ir::{DType, Func, Role, Tensor};
use meshloom_random as random;

/// A model with a loop over layers. `TAIL` stands behind the body of `soft`.
const SOURCE: &str = "
mesh [data: 1, model: 1]
dim batch = 8, n = 4
struct Layer { w: f32[n, n] @ [_, model], b: f32[n] }
struct Net { layers: [Layer; 3], head: f32[n] }
fn soft(x: f32[batch, n], p: Layer) -> f32[batch, n] {
    x = dot(x, p.w) + p.b
    log(1 + exp(x))
} TAIL
fn loss(m: Net, x: f32[batch, n] @ [data, _], y: f32[batch] @ [data]) -> f32 {
    for p in m.layers { x = soft(x, p) }
    mse(dot(x, m.head), y)
}
train net = sgd(loss, lr: 0.1)
entry value(m: Net, x: f32[batch, n] @ [data, _], y: f32[batch] @ [data]) -> f32 { loss(m, x, y) }
";

/// The derivative of `soft`, written by hand: of the parameter the struct's two fields, as a struct is told.
const DERIVATIVE: &str = "gradient(y, dy) {
    let ds = dy * (1 - exp(-y))
    (dot(ds, transpose(p.w)), (dot(transpose(x), ds), sum(ds, 0)))
}";
/// No derivative of anything.
const OTHER: &str = "gradient(dy) { (2 * clamp(dy, -0.1, 0.1), 0.5) }";

fn options(mesh: &[(&str, u64)], float: Option<DType>) -> CompileOptions {
    let mut o = CompileOptions::default();
    o.front.float = float;
    o.front.mesh = Some(mesh.iter().map(|&(n, k)| (n.to_string(), k)).collect());
    o
}

fn program(source: &str) -> Program {
    check("custom.loom", source, &options(&[], Some(DType::F64))).unwrap_or_else(|(f, _)| panic!("{f}"))
}

fn with(tail: &str) -> String {
    SOURCE.replace("TAIL", tail)
}

/// One step with a learning rate: what it makes of each parameter, by name.
fn stepped(step: &Func, seed: u64) -> Vec<(String, Tensor)> {
    let mut inputs = random::inputs(step, seed);
    for (p, x) in step.inputs.iter().zip(&mut inputs).filter(|(p, _)| p.name == "step") {
        assert_eq!(p.role, Role::State);
        *x = Tensor::splat(&x.ty, 0.0);
    }
    let outputs = eval(step, &inputs).unwrap();
    step.outputs.iter().map(|p| p.name.clone()).zip(outputs).collect()
}

fn alike(what: &str, a: &[(String, Tensor)], b: &[(String, Tensor)], tolerance: f64) {
    assert_eq!(a.len(), b.len(), "{what}");
    for ((name, x), (other, y)) in a.iter().zip(b) {
        assert_eq!(name, other, "{what}");
        for i in 0..x.len() {
            assert!((x.f(i) - y.f(i)).abs() <= tolerance, "{what}: {name}: {} and {}", x.f(i), y.f(i));
        }
    }
}

#[test]
fn a_rule_that_is_the_derivative_gives_what_the_body_gives() {
    for (what, settings) in [("a batch", "lr: 0.1"), ("microbatches", "lr: 0.1, accumulate: 2")] {
        let of = |tail: &str| {
            let p = program(&with(tail).replace("lr: 0.1", settings));
            stepped(&p.entry("net").unwrap().global, 5)
        };
        alike(what, &of(DERIVATIVE), &of(""), 1e-12);
    }
}

/// Central differences of the loss along the step that was made: the step is `-lr` times the gradient.
#[test]
fn a_rule_is_what_differences_say() {
    let p = program(&with(DERIVATIVE));
    let (step, value) = (&p.entry("net").unwrap().global, &p.entry("value").unwrap().global);
    let start = random::inputs(step, 5);
    let after = stepped(step, 5);
    let find = |name: &str| step.inputs.iter().position(|p| p.name == name).unwrap();
    let (mut slope, h) = (0.0, 1e-6);
    let at = |s: f64| {
        let moved = value.inputs.iter().map(|p| {
            let x = &start[find(&p.name)];
            let Some((_, new)) = after.iter().find(|(n, _)| *n == p.name) else { return x.clone() };
            let values = (0..x.len()).map(|i| x.f(i) + s * (x.f(i) - new.f(i)) / 0.1).collect();
            Tensor::floats(DType::F64, &x.ty.shape, values)
        });
        eval(value, &moved.collect::<Vec<_>>()).unwrap()[0].f(0)
    };
    for (name, new) in after.iter().filter(|(n, _)| value.inputs.iter().any(|p| p.name == *n)) {
        let old = &start[find(name)];
        slope += (0..old.len()).map(|i| ((old.f(i) - new.f(i)) / 0.1).powi(2)).sum::<f64>();
    }
    let numeric = (at(h) - at(-h)) / (2.0 * h);
    assert!(slope > 1e-3 && (numeric - slope).abs() < 1e-7 * slope, "{slope}, by differences {numeric}");
}

/// The rule counts, and not the body: a straight-through estimator, as a sum with `stop_gradient` says it, too.
#[test]
fn a_rule_stands_for_the_derivative() {
    let of = |f: &str| {
        let source = format!(
            "dim n = 6\nstruct M {{ w: f32[n] }}\n{f}\nfn loss(m: M, x: f32[n]) -> f32 {{ mean(through(3 * m.w) * x) }}
train t = sgd(loss, lr: 1)\nentry g(w: f32[n], x: f32[n]) -> f32[n] {{ grad(inner)(w, x) }}
fn inner(w: f32[n], x: f32[n]) -> f32 {{ sum(through(w * w) * x) }}
entry twice(w: f32[n], x: f32[n]) -> f32[n] {{ grad(outer)(w, x) }}
fn outer(w: f32[n], x: f32[n]) -> f32 {{ sum(grad(inner)(w, x) * x) }}"
        );
        let p = program(&source);
        let mut all = stepped(&p.entry("t").unwrap().global, 3);
        for name in ["g", "twice"] {
            let f = &p.entry(name).unwrap().global;
            let out = eval(f, &random::inputs(f, 4)).unwrap();
            assert!((0..out[0].len()).any(|i| out[0].f(i).abs() > 0.1), "{name}");
            all.push((name.to_string(), out[0].clone()));
        }
        all
    };
    let rule = of("fn through(x: f32[..]) -> f32[..] { round(x) } gradient(dy) { dy }");
    let sum = of("fn through(x: f32[..]) -> f32[..] { x + stop_gradient(round(x) - x) }");
    alike("straight through", &rule, &sum, 1e-12);
}

/// In 16 bits, and in a program of which no gradient is taken, nothing is left of the composite.
#[test]
fn nothing_is_left_of_the_call() {
    for (precision, float) in [("f32", Some(DType::F64)), ("bf16", None), ("f16", None)] {
        let source = with(OTHER).replace("lr: 0.1", &format!("lr: 0.1, precision: {precision}"));
        let mut p =
            check("custom.loom", &source, &options(&[], float)).unwrap_or_else(|(f, _)| panic!("{precision}: {f}"));
        p.add_evaluations(&options(&[], float));
        for e in &p.entries {
            let text = meshloom_ir::print::print(&e.global);
            assert!(!text.contains("composite") && !text.contains("custom_gradient"), "{}: {text}", e.name);
            eval(&e.global, &random::inputs(&e.global, 1)).unwrap();
        }
    }
}

/// Planned, certified, and run as machine code on one device and on meshes, one of which splits the batch unevenly.
#[cfg(feature = "llvm")]
#[test]
fn meshes_compute_what_one_device_does() {
    use crate::support::session;
    use meshloom_driver::{lower, plan};
    use meshloom_runtime::HostTensor;
    for tail in [DERIVATIVE, OTHER] {
        let source = with(tail);
        let one = program(&source);
        let step = &one.entry("net").unwrap().global;
        let inputs = random::inputs(step, 6);
        let want = eval(step, &inputs).unwrap();
        for mesh in [[1, 1], [4, 2], [3, 1], [2, 4]] {
            let o = options(&[("data", mesh[0]), ("model", mesh[1])], Some(DType::F64));
            let p = check("custom.loom", &source, &o).and_then(|p| plan(p, &o)).and_then(lower);
            let p = p.unwrap_or_else(|(f, _)| panic!("{mesh:?}: {f}"));
            let mut s = session(&p);
            s.initialize().unwrap_or_else(|e| panic!("{e}"));
            for (port, x) in step.inputs.iter().zip(&inputs).filter(|(p, _)| p.name != "step") {
                let values: Vec<f64> = (0..x.len()).map(|i| x.f(i)).collect();
                s.write(&port.name, HostTensor::f64(&x.ty.shape, &values)).unwrap_or_else(|e| panic!("{e}"));
            }
            s.run().unwrap_or_else(|e| panic!("{e}"));
            for (port, w) in step.outputs.iter().zip(&want).filter(|(p, _)| p.name != "step") {
                for (i, got) in s.read(&port.name).unwrap().to_f64().unwrap().into_iter().enumerate() {
                    assert!((got - w.f(i)).abs() < 1e-10, "{mesh:?}: {}: {got} for {}", port.name, w.f(i));
                }
            }
        }
    }
}
