//! Lists inside of lists train as the same layers in structs of their own: as machine code on one device and on meshes, with an
//! optimizer that looks at each entry, with state, microbatches, recomputation and 16 bits. Files know each entry by its path.
#![cfg(feature = "llvm")]

use crate::support::{Sizes, compiled, host, on, session};
use meshloom_driver::CompileOptions;
use meshloom_ir::{DType, Tensor};
use meshloom_plan::Mode;
use meshloom_runtime::Session;

/// What both have: `s` is two stages, each with three layers, which have two gates each.
const LAYERS: &str = "
mesh [data: 1, model: 1]
dim batch = 8, n = 6
struct Gate { w: f32[n, n] @ [_, model] = zeros, b: f32[n] = zeros }
struct Layer { gates: GATES, norm: RmsNorm[n], state seen: f32[n] = zeros }
struct Stage { layers: LAYERS, scale: f32[n] = zeros }
fn gate(g: Gate, x: f32[batch, n]) -> f32[batch, n] { tanh(dot(x, g.w) + g.b) }
fn layer(p: Layer, x: f32[batch, n]) -> f32[batch, n] {
    let h = rms_norm(x, p.norm)
    p.seen = 0.5 * p.seen + mean(h, 0)
    GATED
    x + h + 0.1 * p.seen
}
fn stage(s: Stage, x: f32[batch, n]) -> f32[batch, n] {
    LAYERED
    x * s.scale
}
fn loss(m: Net, x: f32[batch, n] @ [data, _], y: f32[batch, n] @ [data, _]) -> f32 {
    STAGED
    mse(x, y)
}
train net = lamb(loss, lr: 0.05, weight_decay: 0.1, clip: 1.0, accumulate: 2, recompute: full)
";

fn nested() -> String {
    let text = LAYERS.replace("GATES", "[Gate; 2]").replace("LAYERS,", "[Layer; 3],");
    let text = text.replace("GATED", "for g in p.gates { h = gate(g, h) }");
    let text = text.replace("LAYERED", "for p in s.layers { x = layer(p, x) }");
    text.replace("STAGED", "for s in m.stages { x = stage(s, x) }") + "struct Net { stages: [Stage; 2] }"
}

/// The same with a field for each entry.
fn apart() -> String {
    let text = LAYERS.replace("GATES", "Gates").replace("LAYERS,", "Layers,");
    let text = text.replace("GATED", "let h = gate(p.gates.e1, gate(p.gates.e0, h))");
    let text = text.replace("LAYERED", "let x = layer(s.layers.e2, layer(s.layers.e1, layer(s.layers.e0, x)))");
    let text = text.replace("STAGED", "let x = stage(m.stages.e1, stage(m.stages.e0, x))");
    text + "struct Gates { e0: Gate, e1: Gate }
struct Layers { e0: Layer, e1: Layer, e2: Layer }
struct Stages { e0: Stage, e1: Stage }
struct Net { stages: Stages }"
}

/// Paths of the parameters, `{}` standing for what an entry's number is called behind.
fn paths() -> Vec<(String, Vec<u64>)> {
    let mut all = Vec::new();
    for s in 0..2 {
        all.push((format!("stages.{{}}{s}.scale"), vec![6]));
        for l in 0..3 {
            let at = format!("stages.{{}}{s}.layers.{{}}{l}");
            all.push((format!("{at}.norm.scale"), vec![6]));
            all.push((format!("{at}.seen"), vec![6]));
            for g in 0..2 {
                all.push((format!("{at}.gates.{{}}{g}.w"), vec![6, 6]));
                all.push((format!("{at}.gates.{{}}{g}.b"), vec![6]));
            }
        }
    }
    all
}

fn values(dtype: DType, seed: usize, shape: &[u64], scale: f64) -> Tensor {
    let n: u64 = shape.iter().product();
    Tensor::floats(
        dtype,
        shape,
        (0..n as usize).map(|i| scale * ((i * 37 + seed * 101) % 61) as f64 / 30.0 - scale).collect(),
    )
}

/// Losses of three steps, and each parameter and its first moment after them.
fn trained(text: &str, entry: &str, options: &CompileOptions) -> Vec<f64> {
    let p = compiled("nested.loom", text, options);
    let mut s: Session = session(&p);
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    let dtype = options.front.float.unwrap_or(DType::F32);
    let mut write = |name: &str, t: Tensor| s.write(name, host(&t)).unwrap_or_else(|e| panic!("{e}"));
    for (i, (path, shape)) in paths().iter().enumerate() {
        if !path.ends_with("seen") {
            write(&path.replace("{}", entry), values(dtype, i, shape, 0.7));
        }
    }
    write("x", values(dtype, 100, &[8, 6], 1.0));
    write("y", values(dtype, 101, &[8, 6], 1.0));
    let mut out: Vec<f64> = (0..3).map(|_| s.step().unwrap_or_else(|e| panic!("{e}")).loss.expect("a loss")).collect();
    for (path, _) in paths() {
        let path = path.replace("{}", entry);
        let kept = if path.ends_with("seen") { vec![path] } else { vec![path.clone(), format!("m.{path}")] };
        for name in kept {
            out.extend(s.read(&name).unwrap_or_else(|e| panic!("{e}")).to_f64().expect("numbers"));
        }
    }
    out
}

#[test]
fn lists_in_lists_train_as_their_entries() {
    let at = |mesh: Sizes<'_>, mode: Mode| {
        let mut o = on(mesh, "");
        (o.plan.mode, o.front.float) = (mode, Some(DType::F64));
        o
    };
    let one = at(&[("data", 1), ("model", 1)], Mode::Follow);
    let want = trained(&apart(), "e", &one);
    assert!(want[2] < want[0], "it learns");
    let places = [
        one,
        at(&[("data", 2), ("model", 2)], Mode::Follow),
        at(&[("data", 2), ("model", 3)], Mode::Search),
        at(&[("data", 1), ("model", 4)], Mode::Follow),
    ];
    for options in places {
        let found = trained(&nested(), "", &options);
        assert_eq!(found.len(), want.len());
        for (i, (a, b)) in found.iter().zip(&want).enumerate() {
            assert!(
                (a - b).abs() <= 1e-9 * b.abs().max(1.0),
                "{:?}: number {i} is {a}, should be {b}",
                options.front.mesh
            );
        }
    }
    // Of 16 bits, where parameters take the type of what they meet, the losses are alike.
    let mut narrow = at(&[("data", 2), ("model", 2)], Mode::Search);
    (narrow.front.float, narrow.front.precision) = (None, Some(DType::BF16));
    let found = trained(&nested(), "", &narrow);
    assert!((found[2] - want[2]).abs() <= 0.05 * want[2].abs(), "{} and {}", found[2], want[2]);
}
