//! Manual regions through the whole house: every collective and its gradient, planned on several meshes, certified, on
//! simulated devices and as machine code, against the interpreter; gradients also against finite differences.
#![cfg(feature = "llvm")]

mod support;

use meshloom_driver::{Options, Program};
use meshloom_ir::interp::{eval, spmd};
use meshloom_ir::tensor::Data;
use meshloom_ir::{DType, Func, Tensor, random};
use meshloom_plan::Mode;
use support::{bundle, compiled, host, on, open, together};

/// By name, what a region makes of `x: f32[8, 16]` and `w: f32[16, 16]`.
const CASES: &[(&str, &str)] = &[
    ("all_reduce", "manual(model)(x @ [_, model], w @ [model, _]) -> [_, _] { all_reduce(dot(x, w), model) }"),
    ("all_reduce_max", "manual(model)(x @ [_, model], w @ [model, _]) { all_reduce(dot(x, w), model, max) }"),
    ("all_reduce_min", "manual(model)(x @ [_, model], w @ [model, _]) -> _ { all_reduce(dot(x, w), model, min) }"),
    // A sum of copies is so many times the value.
    ("copies", "manual(model)(x @ _, w @ [_, model]) -> [_, model] { all_reduce(tanh(x), model) * sum(w) }"),
    ("all_gather", "manual(model)(x @ [model, _], w @ [_, model]) -> [_, model] { dot(all_gather(x, model, 0), w) }"),
    (
        "reduce_scatter",
        "manual(model)(x @ [_, model], w @ [model, _]) -> [_, model] { reduce_scatter(dot(x, w), model, dim: 1) }",
    ),
    (
        "all_to_all",
        "manual(model)(x @ [model, _], w @ [_, model]) -> [_, model] {
            all_to_all(x, model, split: 1, concat: 0) * sum(w, 0)
        }",
    ),
    (
        "collective_permute",
        "manual(model)(x @ [_, model], w @ [model, _]) -> [_, model] { collective_permute(x, model, 1) * sum(w, 1) }",
    ),
    (
        "axis_index",
        "manual(model)(x @ [_, model], w @ [model, _]) -> [_, model] {
            x * (axis_index(model) as f32 + axis_size(model)) + sum(w, 1)
        }",
    ),
    (
        // The product of x and its gathered rows, while they go round.
        "ring",
        "manual(model)(rows: x @ [model, _], w @ [_, model]) -> [_, model] {
            let n = axis_size(model)
            let block = size(rows, 0)
            let out = full([n * block, size(w, 1)], 0.0)
            for i in 0..n {
                let from = rem(axis_index(model) - i + n, n)
                out = dynamic_update(out, dot(rows, w), from * block, 0)
                rows = collective_permute(rows, model, 1)
            }
            out
        }",
    ),
    (
        "two_axes",
        "manual(data, model)(x @ [data, model], w @ [model, _]) -> [data, _] { all_reduce(dot(x, w), model) }",
    ),
    (
        "group",
        "manual(data, model)(x @ [_, (model, data)], w @ _) -> [_, _] {
            all_gather(x * (1 + axis_index(data)) as f32, (model, data), 1) * all_reduce(sum(x), (data, model)) + sum(w)
        }",
    ),
    (
        "in_a_region",
        "manual(data)(x @ [data, _], w @ _) -> [data, _] {
            let h = manual(model)(x @ [_, model], w @ [model, _]) { all_reduce(dot(x, w), model) }
            h - all_reduce(sum(h), data)
        }",
    ),
];

fn source(body: &str) -> String {
    format!(
        "mesh [data: 1, model: 1]
dim rows = 8, cols = 16
entry run(x: f32[rows, cols] @ [data, _], w: f32[cols, cols]) -> (f32, f32[rows, cols], f32[cols, cols]) {{
    let (v, g) = value_and_grad(value)(x, w)
    (v, g, grad(value, wrt: w)(x, w))
}}
fn value(x: f32[rows, cols], w: f32[cols, cols]) -> f32 {{
    let y = {body}
    sum(sin(y) * 0.1)
}}
"
    )
}

const MESHES: [(u64, u64); 5] = [(1, 1), (1, 2), (1, 4), (2, 2), (4, 1)];

fn options(mesh: (u64, u64), mode: Mode) -> Options {
    let mut o = on(&[("data", mesh.0), ("model", mesh.1)], "");
    o.plan.mode = mode;
    o.front.float = Some(DType::F64);
    o
}

fn planned(name: &str, body: &str, mesh: (u64, u64), mode: Mode) -> Program {
    compiled(&format!("{name}.loom"), &source(body), &options(mesh, mode))
}

fn dot(a: &Tensor, b: &Tensor) -> f64 {
    (0..a.len()).map(|i| a.f(i) * b.f(i)).sum()
}

/// The gradients are those of differences along a random direction.
fn differences(name: &str, f: &Func, inputs: &[Tensor]) {
    let out = eval(f, inputs).unwrap();
    let mut rng = random::Rng::new(3);
    for (k, g) in [(0, &out[1]), (1, &out[2])] {
        let along = random::tensor(&mut rng, &inputs[k].ty, (0, 1));
        let at = |h: f64| {
            let mut inputs = inputs.to_vec();
            if let (Data::Float(x), Data::Float(d)) = (&mut inputs[k].data, &along.data) {
                x.iter_mut().zip(d).for_each(|(x, d)| *x += h * d);
            }
            eval(f, &inputs).unwrap()[0].f(0)
        };
        let (want, got) = ((at(1e-5) - at(-1e-5)) / 2e-5, dot(g, &along));
        assert!(
            (want - got).abs() < 1e-6 * want.abs().max(1.0),
            "{name}: gradient {k} is {got}, differences give {want}"
        );
    }
}

#[test]
fn collectives_and_their_gradients_are_those_of_one_device() {
    let mut programs = Vec::new();
    for &(name, body) in CASES {
        for mesh in MESHES {
            for mode in [Mode::Follow, Mode::Search] {
                let p = planned(name, body, mesh, mode);
                let e = &p.entries[0];
                let inputs = random::inputs(&e.global, 7);
                let want = eval(&e.global, &inputs).unwrap();
                let local = &e.plan.as_ref().unwrap().local;
                let (simulated, _) = spmd::run_for(&e.global, local, &inputs).unwrap();
                for (w, s) in want.iter().zip(&simulated) {
                    for i in 0..w.len() {
                        let near = (w.f(i) - s.f(i)).abs() < 1e-11 * w.f(i).abs().max(1.0);
                        assert!(near, "{name} on {mesh:?} {mode:?}: {} for {}", s.f(i), w.f(i));
                    }
                }
                if mode == Mode::Follow {
                    differences(name, &e.global, &inputs);
                }
                if matches!(mesh, (1, 2) | (2, 2)) && mode == Mode::Search {
                    programs.push((format!("{name}_{}{}", mesh.0, mesh.1), p, inputs, want));
                }
            }
        }
    }
    let (names, rest): (Vec<_>, Vec<_>) = programs.into_iter().map(|(n, p, i, w)| ((n, p), (i, w))).unzip();
    let order: Vec<String> = names.iter().map(|n| n.0.clone()).collect();
    let all = together(names);
    let made = bundle(&all);
    for ((name, entry), (inputs, want)) in order.iter().zip(&all.entries).zip(rest) {
        let mut s = open(&made, name);
        s.initialize().unwrap();
        for (port, x) in entry.global.inputs.iter().zip(&inputs) {
            s.write(&port.name, host(x)).unwrap();
        }
        s.run().unwrap();
        for (port, w) in entry.global.outputs.iter().zip(&want) {
            for (i, got) in s.read(&port.name).unwrap().to_f64().unwrap().into_iter().enumerate() {
                let near = (w.f(i) - got).abs() < 1e-10 * w.f(i).abs().max(1.0);
                assert!(near, "{name}, {}: {got} for {} as machine code", port.name, w.f(i));
            }
        }
    }
}

/// What is written is what is planned: over a manual axis no collective stands that nobody wrote.
#[test]
fn the_plan_has_the_collectives_that_were_written() {
    let wanted: &[(&str, &[&str])] = &[
        ("all_reduce", &["all_reduce"]),
        ("all_gather", &["all_gather"]),
        ("reduce_scatter", &["reduce_scatter"]),
        ("all_to_all", &["all_to_all"]),
        ("collective_permute", &["collective_permute"]),
        ("ring", &["collective_permute"]),
    ];
    for mode in [Mode::Follow, Mode::Search] {
        for (name, kinds) in wanted {
            let body = CASES.iter().find(|c| c.0 == *name).unwrap().1;
            // Inputs and result lie as the region has them, so that nothing is to be done around it.
            let layouts = |from: &str| body.split(from).nth(1).and_then(|s| s.split(']').next()).unwrap().to_string();
            let (x, w, y) = (layouts("x @ ["), layouts("w @ ["), layouts("-> ["));
            let text = format!(
                "mesh [model: 4]\nentry run(x: f32[8, 16] @ [{x}], w: f32[16, 16] @ [{w}]) -> f32[8, 16] @ [{y}] {{\n{body}\n}}\n"
            );
            let mut o = on(&[("model", 4)], "");
            o.plan.mode = mode;
            let p = compiled("written.loom", &text, &o);
            let local = &p.entries[0].plan.as_ref().unwrap().local;
            let found: Vec<&str> = local
                .walk(Func::BODY)
                .into_iter()
                .filter(|&o| local.op(o).op.communicates())
                .map(|o| local.op(o).op.name())
                .collect();
            assert_eq!(found, *kinds, "{name} {mode:?}\n{}", meshloom_ir::print::print(local));
        }
    }
}

/// The example's hand-written layers train as the one that is left to the compiler, on meshes that split them and on one that
/// does not.
#[test]
fn the_example_trains_as_its_automatic_twin() {
    let text = include_str!("../../../examples/manual.loom");
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
