//! Staged programs, and the programs of their stages put together again, compute what the local program does.

use meshloom_driver::{CompileOptions, check, plan};
use meshloom_ir::copy::{ValueMap, graft};
use meshloom_ir::interp::spmd::{run_for, run_global};
use meshloom_ir::print::print;
use meshloom_ir::random::inputs;
use meshloom_ir::unstack::Layers;
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Builder, Func, Tensor};
use meshloom_source::FrontOptions;
use meshloom_stage::{Boundaries, Given, Kind, StageProgram, Staged, Taken, cut, project};

/// A model with an embedding, layers and a head; `tied`: the head is the embedding.
pub fn model(tied: bool, clip: &str) -> String {
    let head = if tied { "transpose(m.wte)" } else { "m.head" };
    format!(
        "mesh [data: 1, model: 1]
dim batch = 8, seq = 3, d = 4, ff = 8, vocab = 6
const layers = 5
struct Block {{ w1: f32[d, ff] = normal(0.3), b1: f32[ff] = zeros, w2: f32[ff, d] = normal(0.3) }}
struct Net {{ wte: f32[vocab, d] = normal(0.5), blocks: [Block; layers], norm: f32[d] = ones, head: f32[d, vocab] = normal(0.5) }}
fn loss(m: Net, tokens: i32[batch, seq] in 0..vocab @ [data, _], targets: i32[batch, seq] in 0..vocab @ [data, _]) -> f32 {{
    let x = m.wte[tokens]
    for p in m.blocks {{
        x = x + dot(gelu(dot(x, p.w1) + p.b1), p.w2)
    }}
    mean(cross_entropy(dot(normalize(x) * m.norm, {head}), targets)) + 0.001 * sum(m.head * m.head)
}}
train net = adamw(loss, lr: 1e-2, accumulate: 4{clip})
layout dp {{ params *: _ }}
layout fsdp {{
    params *: largest(data)
    state *: largest(data)
}}
layout megatron {{
    params blocks.*.w1: [_, model]
    params blocks.*.b1: [model]
    params blocks.*.w2: [model, _]
    state *: like params
}}
"
    )
}

/// The whole step and its local program.
pub fn planned(text: &str, mesh: &[(&str, u64)], layout: &str) -> (Func, Func) {
    let front = FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: Some(layout.into()),
        ..FrontOptions::default()
    };
    let options = CompileOptions { front, ..CompileOptions::default() };
    let program = check("net.loom", text, &options).and_then(|p| plan(p, &options));
    let mut program = program.unwrap_or_else(|(e, _)| panic!("{e}"));
    let entry = program.entries.remove(0);
    (entry.entry.global.clone(), entry.plan.local)
}

fn layers(t: &Tensor, l: &Layers) -> Tensor {
    l.1.map_or_else(|| t.clone(), |(lo, hi)| t.block(0, lo as usize, (hi - lo) as usize))
}

fn close(x: &Tensor, y: &Tensor) -> f64 {
    assert_eq!(x.ty.shape, y.ty.shape);
    (0..x.len()).map(|i| (x.f(i) - y.f(i)).abs() / (1.0 + x.f(i).abs())).fold(0.0, f64::max)
}

/// One program of those of all stages, in any order in which they can run.
fn together(staged: &Staged, programs: &[StageProgram]) -> Func {
    let mut b = Builder::new("together", staged.func.mesh.clone());
    let mut whole = ValueMap::new();
    for (i, port) in staged.func.inputs.iter().enumerate() {
        let of = staged.func.body().args[i];
        let v = b.input(staged.func.ty(of).clone(), port.clone());
        b.func.values[v.index()].layout.clone_from(&staged.func.value(of).layout);
        whole.insert(of, v);
    }
    let mut maps: Vec<ValueMap> = vec![ValueMap::new(); programs.len()];
    let mut next = vec![0; programs.len()];
    let mut done = false;
    while !done {
        done = true;
        let mut moved = false;
        for (k, p) in programs.iter().enumerate() {
            for (&arg, taken) in p.func.body().args.iter().zip(&p.taken) {
                let there = match taken {
                    Taken::Input(i) => whole.get(&staged.func.body().args[*i]).copied(),
                    Taken::Received(link) => {
                        let from = &programs[link.from];
                        let at =
                            from.given.iter().position(|g| *g == Given::Sent(*link)).expect("what is received is sent");
                        maps[link.from].get(&from.func.body().yields[at]).copied()
                    }
                };
                if let Some(v) = there {
                    maps[k].insert(arg, v);
                }
            }
            while let Some(&o) = p.func.body().ops.get(next[k])
                && p.func.op(o).operands.iter().all(|x| maps[k].contains_key(x))
            {
                graft(&mut b, &p.func, o, &mut maps[k]);
                next[k] += 1;
                moved = true;
            }
            done &= next[k] == p.func.body().ops.len();
        }
        assert!(done || moved, "stages that wait for each other: {next:?}");
    }
    let mut outputs = vec![None; staged.func.outputs.len()];
    for (k, p) in programs.iter().enumerate() {
        for (y, given) in p.func.body().yields.iter().zip(&p.given) {
            if let Given::Output(i) = given {
                assert!(outputs[*i].replace(maps[k][y]).is_none(), "an output of two stages");
            }
        }
    }
    for (v, port) in outputs.into_iter().zip(&staged.func.outputs) {
        b.output(v.expect("each output is one of a stage"), port.clone());
    }
    b.finish()
}

fn proved(f: &Func) {
    verify(f).unwrap_or_else(|e| panic!("{}\n{}", show(f, &e), print(f)));
}

fn same(text: &str, mesh: &[(&str, u64)], layout: &str, at: &[u64], weights: bool) -> (Staged, Vec<StageProgram>) {
    let what = format!("{mesh:?} {layout} {at:?} {weights}");
    let (global, local) = planned(text, mesh, layout);
    let staged = cut(&local, &Boundaries { list: "blocks".into(), at: at.to_vec(), weights });
    let staged = staged.unwrap_or_else(|e| panic!("{what}: {e}"));
    proved(&staged.func);
    let programs = project(&staged);
    programs.iter().for_each(|p| proved(&p.func));
    let again = together(&staged, &programs);
    proved(&again);
    let data = inputs(&global, 7);
    let parts: Vec<Tensor> = staged.input_layers.iter().map(|l| layers(&data[l.0], l)).collect();
    let (wanted, _) = run_for(&global, &local, &data).unwrap();
    for f in [&staged.func, &again] {
        let (got, _) = run_global(f, &parts).unwrap();
        for ((y, l), port) in got.iter().zip(&staged.output_layers).zip(&f.outputs) {
            let off = close(&layers(&wanted[l.0], l), y);
            assert!(off < 1e-5, "{what}: `{}` is {off} off", port.name);
        }
    }
    (staged, programs)
}

#[test]
fn stages_compute_what_the_step_does() {
    let one = [("data", 1), ("model", 1)];
    for at in [&[][..], &[2], &[1, 2, 4], &[1, 2, 3, 4]] {
        for weights in [false, true] {
            let (staged, programs) = same(&model(false, ""), &one, "dp", at, weights);
            assert_eq!(programs.len(), at.len() + 1);
            let kinds = if weights { 3 } else { 2 };
            assert_eq!(staged.actions.len(), kinds * programs.len(), "{:?}", staged.actions);
        }
    }
}

#[test]
fn stages_of_split_tensors_compute_what_the_step_does() {
    for (mesh, layout) in [([("data", 2), ("model", 1)], "fsdp"), ([("data", 2), ("model", 2)], "megatron")] {
        for (tied, clip) in [(false, ", clip: 1.0"), (true, "")] {
            same(&model(tied, clip), &mesh, layout, &[2, 4], true);
        }
    }
}

/// Activations go forward and gradients back, one microbatch at a time; nothing else of the size of a batch is sent.
#[test]
fn stages_send_what_they_must() {
    let (staged, programs) = same(&model(false, ", clip: 1.0"), &[("data", 1), ("model", 1)], "dp", &[2], false);
    let sent: Vec<(usize, usize, bool, Vec<u64>)> = programs
        .iter()
        .flat_map(|p| &p.given)
        .filter_map(|g| match g {
            Given::Sent(l) => Some((l.from, l.to, l.each, staged.func.ty(l.value).shape.clone())),
            Given::Output(_) => None,
        })
        .collect();
    println!("{sent:?}");
    let each: Vec<_> = sent.iter().filter(|s| s.2).collect();
    assert_eq!(each.len(), 2, "{sent:?}");
    assert!(sent.iter().filter(|s| !s.2).all(|s| s.3.is_empty()), "{sent:?}");
    let state = |k: usize| programs[k].func.inputs.iter().filter(|p| p.name.starts_with("blocks.")).count();
    assert_eq!((state(0), state(1)), (3, 3));
    assert!(staged.actions.iter().all(|a| a.kind != Kind::Weight));
}
