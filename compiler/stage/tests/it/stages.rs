//! Staged programs, and the programs of their stages put together again, compute what the local program does.

use meshloom_driver::{CompileOptions, check, plan};
use meshloom_ir::copy::{ValueMap, graft};
use meshloom_ir::interp::spmd::{run_for, run_global};
use meshloom_ir::print::print;
use meshloom_ir::segments::{Cut, split};
use meshloom_ir::verify::{show, verify};
use meshloom_ir::{Builder, Func, Op, OpId, Port, Role, Tensor, ValueId};
use meshloom_random::inputs;
use meshloom_source::FrontOptions;
use meshloom_stage::{Boundaries, Given, Kind, StageProgram, Staged, Taken, cut, project};
use std::collections::BTreeMap;

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

/// An entry: the whole program, and its local program.
#[derive(Clone)]
pub struct Entry {
    pub global: Func,
    pub local: Func,
}

/// The train step.
pub fn planned(text: &str, mesh: &[(&str, u64)], layout: &str) -> Entry {
    entries(text, mesh, Some(layout)).remove(0)
}

/// All entries, with those that validation runs.
pub fn entries(text: &str, mesh: &[(&str, u64)], layout: Option<&str>) -> Vec<Entry> {
    // The source says that its layers are split over ranks, which are no part of the mesh of the step.
    let text = text.replacen("mesh [", "mesh [rank: 2, ", 1).replacen("[Block; layers]", "[Block; layers] @ rank", 1);
    let mesh = [&[("rank", 2)], mesh].concat();
    let front = FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: layout.map(Into::into),
        ..FrontOptions::default()
    };
    let options = CompileOptions { front, ..CompileOptions::default() };
    let program = check("net.loom", &text, &options).and_then(|mut p| {
        p.add_evaluations(&options);
        plan(p, &options)
    });
    let program = program.unwrap_or_else(|(e, _)| panic!("{e}"));
    program.entries.into_iter().map(|e| Entry { global: e.entry.global.clone(), local: e.plan.local }).collect()
}

/// With the layers of the local program in segments that begin at `at`, as the planner has them where some layers recompute more.
pub fn segmented(entry: Entry, at: &[u64]) -> Entry {
    let Entry { global, local } = entry;
    let over = |o: &OpId| matches!(local.op(*o).op, Op::Repeat { trip: 5, reverse: false, .. });
    let repeat = local.walk(Func::BODY).into_iter().find(over).expect("a loop over layers");
    let split = split(&local, &[Cut { repeat, at: at.to_vec() }]).expect("a loop that can be cut");
    Entry { global, local: split.func }
}

fn close(x: &Tensor, y: &Tensor) -> f64 {
    assert_eq!(x.ty.shape, y.ty.shape);
    (0..x.len()).map(|i| (x.f(i) - y.f(i)).abs() / (1.0 + x.f(i).abs())).fold(0.0, f64::max)
}

/// One program of those of all ranks, in any order in which they can run.
pub fn together(programs: &[&StageProgram]) -> Func {
    let mut b = Builder::new("together", programs[0].func.mesh.clone());
    let mut maps: Vec<ValueMap> = vec![ValueMap::new(); programs.len()];
    // By number in the staged program: several ranks may have the same data.
    let mut whole: BTreeMap<usize, ValueId> = BTreeMap::new();
    for (k, p) in programs.iter().enumerate() {
        for ((&arg, port), taken) in p.func.body().args.iter().zip(&p.func.inputs).zip(&p.taken) {
            let Taken::Input(i) = taken else { continue };
            let v = *whole.entry(*i).or_insert_with(|| {
                let v = b.input(p.func.ty(arg).clone(), port.clone());
                b.func.values[v.index()].layout.clone_from(&p.func.value(arg).layout);
                v
            });
            maps[k].insert(arg, v);
        }
    }
    let mut next = vec![0; programs.len()];
    let mut done = false;
    while !done {
        done = true;
        let mut moved = false;
        for (k, p) in programs.iter().enumerate() {
            for (&arg, taken) in p.func.body().args.iter().zip(&p.taken) {
                let Taken::Received(link) = taken else { continue };
                let from = programs[link.from];
                let at = from.given.iter().position(|g| *g == Given::Sent(*link)).expect("what is received is sent");
                if let Some(&v) = maps[link.from].get(&from.func.body().yields[at]) {
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
        assert!(done || moved, "ranks that wait for each other: {next:?}");
    }
    let mut outputs = BTreeMap::new();
    for (k, p) in programs.iter().enumerate() {
        for ((y, port), given) in p.func.body().yields.iter().zip(&p.func.outputs).zip(&p.given) {
            if let Given::Output(i) = given {
                let port = Port { updates: None, ..port.clone() };
                assert!(outputs.insert(*i, (maps[k][y], port)).is_none(), "an output of two ranks");
            }
        }
    }
    outputs.into_values().for_each(|(v, port)| b.output(v, port));
    b.finish()
}

fn verified(f: &Func) {
    verify(f).unwrap_or_else(|e| panic!("{}\n{}", show(f, &e), print(f)));
}

/// Whether programs compute what a local one does, of which they have all ports, or all parts of them.
pub fn compute(what: &str, global: &Func, local: &Func, programs: &[&Func]) {
    let data = inputs(global, 7);
    let (wanted, _) = run_for(global, local, &data).unwrap();
    let part = |of: &[Tensor], ports: &[Port], port: &Port, rows: u64| {
        let at = ports.iter().position(|p| p.name == port.name && p.role == port.role).expect("a port of the whole");
        match port.stacked {
            true => of[at].block(0, port.first_layer as usize, rows as usize),
            false => of[at].clone(),
        }
    };
    for f in programs {
        verified(f);
        let rows = |v: ValueId| f.ty(v).shape.first().copied().unwrap_or(0);
        let body = f.body();
        let parts = f.inputs.iter().zip(&body.args).map(|(p, &v)| part(&data, &global.inputs, p, rows(v)));
        let (got, _) = run_global(f, &parts.collect::<Vec<_>>()).unwrap();
        let mut elements = 0;
        for ((y, port), &v) in got.iter().zip(&f.outputs).zip(&body.yields) {
            let want = part(&wanted, &global.outputs, port, rows(v));
            let off = close(&want, y);
            assert!(off < 1e-5, "{what}: `{}` is {off} off", port.name);
            elements += want.len();
        }
        assert_eq!(elements, wanted.iter().map(Tensor::len).sum::<usize>(), "{what}: all outputs");
    }
}

fn same(text: &str, mesh: &[(&str, u64)], layout: &str, sizes: &[u64], weights: bool) -> (Staged, Vec<StageProgram>) {
    cut_same(&format!("{mesh:?} {layout} {sizes:?} {weights}"), &planned(text, mesh, layout), sizes, weights)
}

fn cut_same(what: &str, entry: &Entry, sizes: &[u64], weights: bool) -> (Staged, Vec<StageProgram>) {
    let Entry { global, local } = entry;
    let staged = cut(local, &Boundaries { list: "blocks".into(), sizes: sizes.to_vec(), weights, ways: 1 });
    let staged = staged.unwrap_or_else(|e| panic!("{what}: {e}"));
    let programs = project(&staged, &(0..sizes.len()).collect::<Vec<_>>()).unwrap();
    programs.iter().for_each(|p| verified(&p.func));
    let again = together(&programs.iter().collect::<Vec<_>>());
    compute(what, global, local, &[&staged.func, &again]);
    (staged, programs)
}

/// Boundaries of stages are those of segments, lie in segments, or both.
#[test]
fn layers_in_segments_are_cut() {
    for (mesh, layout, clip) in
        [([("data", 1), ("model", 1)], "dp", ""), ([("data", 2), ("model", 2)], "megatron", ", clip: 1.0")]
    {
        let step = planned(&model(false, clip), &mesh, layout);
        for (at, sizes) in [(&[2][..], &[2, 3][..]), (&[3], &[2, 2, 1]), (&[1, 4], &[5]), (&[2, 3], &[1, 1, 2, 1])] {
            for weights in [false, true] {
                let what = format!("{mesh:?} {layout} {at:?} {sizes:?} {weights}");
                let (_, programs) = cut_same(&what, &segmented(step.clone(), at), sizes, weights);
                // Each stage has its own layers, and no others.
                for (p, size) in programs.iter().zip(sizes) {
                    let own = p.func.inputs.iter().zip(&p.func.body().args).filter(|x| x.0.name.starts_with("blocks."));
                    let mut layers: BTreeMap<&str, u64> = BTreeMap::new();
                    own.for_each(|x| *layers.entry(&x.0.name).or_default() += p.func.ty(*x.1).shape[0]);
                    assert!(!layers.is_empty() && layers.values().all(|n| n == size), "{what}: {layers:?}");
                }
            }
        }
    }
}

#[test]
fn stages_compute_what_the_step_does() {
    let one = [("data", 1), ("model", 1)];
    for sizes in [&[5][..], &[2, 3], &[1, 1, 2, 1], &[1, 1, 1, 1, 1]] {
        for weights in [false, true] {
            let (staged, programs) = same(&model(false, ""), &one, "dp", sizes, weights);
            assert_eq!(programs.len(), sizes.len());
            let kinds = if weights { 3 } else { 2 };
            assert_eq!(staged.actions.len(), kinds * programs.len(), "{:?}", staged.actions);
        }
    }
}

/// A stage without layers has the embedding, or the head; one between others has nothing.
#[test]
fn ends_are_stages_of_their_own() {
    for tied in [false, true] {
        for weights in [false, true] {
            let (_, programs) = same(&model(tied, ""), &[("data", 2), ("model", 1)], "fsdp", &[0, 3, 0, 2, 0], weights);
            let parameters = |k: usize| -> Vec<&str> {
                let own = programs[k].func.inputs.iter().filter(|p| p.role == Role::Parameter);
                own.map(|p| p.name.as_str()).collect()
            };
            let blocks = ["blocks.*.w1", "blocks.*.b1", "blocks.*.w2"];
            // The loss reads the head whether or not it is the embedding.
            let all = [&["wte"][..], &blocks, &[], &blocks, &["norm", "head"]];
            (0..5).for_each(|k| assert_eq!(parameters(k), all[k], "stage {k}, tied: {tied}"));
            let sent = |k: usize| {
                let all = programs[k].given.iter().zip(&programs[k].func.body().yields);
                let links = all.filter_map(|(g, y)| match g {
                    Given::Sent(l) if l.each => Some((l.to, programs[k].func.ty(*y).rank())),
                    _ => None,
                });
                links.collect::<Vec<_>>()
            };
            assert!(sent(2).is_empty() && programs[2].func.body().ops.is_empty(), "{}", print(&programs[2].func));
            assert!(sent(0).contains(&(1, 4)) && sent(4).contains(&(3, 4)), "{:?} {:?}", sent(0), sent(4));
        }
    }
}

#[test]
fn stages_of_split_tensors_compute_what_the_step_does() {
    for (mesh, layout) in [([("data", 2), ("model", 1)], "fsdp"), ([("data", 2), ("model", 2)], "megatron")] {
        for (tied, clip) in [(false, ", clip: 1.0"), (true, "")] {
            same(&model(tied, clip), &mesh, layout, &[2, 2, 1], true);
        }
    }
}

/// Activations go forward and gradients back, one microbatch at a time; nothing else of the size of a batch is sent.
#[test]
fn stages_send_what_they_must() {
    let (staged, programs) = same(&model(false, ", clip: 1.0"), &[("data", 1), ("model", 1)], "dp", &[2, 3], false);
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
