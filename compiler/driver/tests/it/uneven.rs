//! Batches, vocabularies and heads that the devices do not divide, on machine code: the numbers of one device.
#![cfg(feature = "llvm")]

use meshloom_driver::{CompileOptions, check, lower, plan};
use meshloom_ir::DType;
use meshloom_plan::Mode;
use meshloom_runtime::{HostTensor, Session, checkpoint};

const GPT: &str = include_str!("../../../../examples/gpt_tiny.loom");

type Axes<'a> = &'a [(&'a str, u64)];

fn session(source: &str, mesh: Axes<'_>, dims: Axes<'_>, layout: &str, mode: Mode) -> Session {
    let owned = |axes: Axes<'_>| axes.iter().map(|&(n, s)| (n.to_string(), s)).collect();
    let mut options = CompileOptions::default();
    options.plan.mode = mode;
    options.front.float = Some(DType::F64);
    options.front.mesh = Some(owned(mesh));
    options.front.dims = owned(dims);
    options.front.layout = Some(layout.into()).filter(|l: &String| !l.is_empty());
    let p = check("uneven.loom", source, &options).and_then(|p| plan(p, &options)).and_then(lower);
    let p = p.unwrap_or_else(|(f, _)| panic!("{mesh:?} {layout}: {f}"));
    let mut s = crate::support::session(&p);
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    s
}

fn tokens(s: &mut Session, batch: u64, seq: u64, vocab: i32) {
    for (k, name) in ["tokens", "targets"].into_iter().enumerate() {
        let values: Vec<i32> = (0..(batch * seq) as i32).map(|i| (i * 37 + k as i32 * 37) % vocab).collect();
        s.write(name, HostTensor::i32(&[batch, seq], &values)).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// Losses of three steps, and two parameters after them.
fn train(s: &mut Session) -> Vec<f64> {
    let mut out: Vec<f64> = (0..3).map(|_| s.step().unwrap().loss.unwrap()).collect();
    for name in ["wte", "head"] {
        out.extend(s.read(name).unwrap().to_f64().unwrap());
    }
    out
}

fn alike(what: &str, alone: &[f64], sharded: &[f64]) {
    assert_eq!(alone.len(), sharded.len(), "{what}");
    let size = alone.iter().fold(0.0f64, |n, x| n.max(x.abs()));
    let off = alone.iter().zip(sharded).map(|(a, b)| (a - b).abs()).max_by(f64::total_cmp).unwrap_or(0.0);
    assert!(off <= 1e-11 * size, "{what}: off by {off:e} of {size}");
}

/// A batch of 6 over data=4 and a vocabulary of 1003 over model=4; six heads over four; and both at once on 12 devices.
#[test]
fn a_gpt_trains_as_on_one_device() {
    let dims: Axes<'_> = &[("batch", 6), ("seq", 8), ("d", 24), ("heads", 6), ("head", 4), ("vocab", 1003)];
    let one: Axes<'_> = &[("data", 1), ("model", 1)];
    let mut alone = session(GPT, one, dims, "dp", Mode::Follow);
    tokens(&mut alone, 6, 8, 1003);
    let want = train(&mut alone);
    let meshes: [(Axes<'_>, &str, Mode); 5] = [
        (&[("data", 4), ("model", 1)], "dp", Mode::Follow),
        (&[("data", 1), ("model", 4)], "megatron", Mode::Follow),
        (&[("data", 4), ("model", 3)], "megatron", Mode::Follow),
        (&[("data", 4), ("model", 4)], "megatron", Mode::Search),
        (&[("data", 5), ("model", 1)], "fsdp", Mode::Follow),
    ];
    for (mesh, layout, mode) in meshes {
        let mut s = session(GPT, mesh, dims, layout, mode);
        tokens(&mut s, 6, 8, 1003);
        alike(&format!("{mesh:?} {layout}"), &want, &train(&mut s));
    }
}

/// A checkpoint of uneven shards holds the global tensors, and any other mesh goes on from it.
#[test]
fn checkpoints_know_no_padding() {
    let dims: Axes<'_> = &[("batch", 3), ("seq", 4), ("d", 8), ("heads", 2), ("head", 4), ("vocab", 11)];
    let dir = tempfile::tempdir().unwrap();
    let mut a = session(GPT, &[("data", 2), ("model", 4)], dims, "megatron", Mode::Follow);
    tokens(&mut a, 3, 4, 11);
    a.step().unwrap();
    checkpoint::save(&a, &checkpoint::Saving::to(dir.path())).unwrap_or_else(|e| panic!("{e}"));
    let want = train(&mut a);
    for (mesh, layout) in [([("data", 1), ("model", 1)], "dp"), ([("data", 4), ("model", 3)], "megatron")] {
        let mut b = session(GPT, &mesh, dims, layout, Mode::Follow);
        tokens(&mut b, 3, 4, 11);
        assert_eq!(checkpoint::resume(&mut b, dir.path()).unwrap_or_else(|e| panic!("{e}")).step, 1);
        alike(&format!("{mesh:?}"), &want, &train(&mut b));
    }
}

const MIXED: &str = "
mesh [data: 1, model: 1]
dim rows = 10, cols = 7, out = 5, vocab = 13
struct P {
    table: f32[vocab, cols] @ [data, model] = normal(1.0),
    w:     f32[cols, out]   @ [model, data] = normal(1.0),
    norm:  LayerNorm[cols],
}
entry mixed(p: P, x: f32[rows, cols] @ [data, model], ids: i32[rows] in 0..vocab @ [data])
    -> (f32[rows, out], f32[cols, rows], f32[rows], f32)
{
    let y = layer_norm(x + p.table[ids], p.norm)
    let s = softmax(y)
    let t = transpose(s) @ [data, model]
    (dot(s, p.w), t, max(y, -1), mean(t))
}
";

#[test]
fn norms_softmax_transposes_and_lookups() {
    let run = |mesh: Axes<'_>, mode| {
        let mut s = session(MIXED, mesh, &[], "", mode);
        let x: Vec<f64> = (0..70).map(|i| f64::from(i * 29 % 70) / 35.0 - 1.0).collect();
        s.write("x", HostTensor::f64(&[10, 7], &x)).unwrap_or_else(|e| panic!("{e}"));
        s.write("ids", HostTensor::i32(&[10], &[0, 12, 3, 7, 7, 5, 11, 1, 9, 12])).unwrap_or_else(|e| panic!("{e}"));
        s.run().unwrap_or_else(|e| panic!("{e}"));
        let outputs: Vec<String> = s.ports(&[meshloom_bundle::Role::Output]).map(|p| p.name.clone()).collect();
        assert_eq!(outputs.len(), 4, "{outputs:?}");
        outputs.iter().flat_map(|n| s.read(n).unwrap().to_f64().unwrap()).collect::<Vec<f64>>()
    };
    let want = run(&[("data", 1), ("model", 1)], Mode::Follow);
    for mesh in [[("data", 4), ("model", 2)], [("data", 3), ("model", 4)], [("data", 8), ("model", 2)]] {
        for mode in [Mode::Follow, Mode::Search] {
            alike(&format!("{mesh:?} {mode:?}"), &want, &run(&mesh, mode));
        }
    }
}
