//! Pipeline stages run: each stage's program as machine code on devices of its own, all at the same time, in the order of a
//! pipeline; and train as the program on one device does.

use crate::support::linked;
use meshloom_bundle::program::Wire;
use meshloom_driver::{CompileOptions, check, plan};
use meshloom_fusion::dtype::bundle_dtype;
use meshloom_fusion::weave::Weave;
use meshloom_ir::interp::eval;
use meshloom_ir::random::inputs;
use meshloom_ir::{Func, Role, Tensor, ValueId};
use meshloom_runtime::{HostTensor, Session, SessionOptions, Wires};
use meshloom_schedule::{ScheduleOptions, Scheduled, Stage, schedule_stage};
use meshloom_source::FrontOptions;
use meshloom_stage::{Boundaries, Given, Kind, Link, StageProgram, Taken, cut, project};
use std::sync::Arc;

const STEPS: usize = 3;

/// gpt_tiny with four layers and as many microbatches.
fn source(clip: &str) -> String {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt_tiny.loom");
    let text = std::fs::read_to_string(path).expect("an example");
    let text = text.replace("const layers = 2", "const layers = 4").replace("seq = 32, d = 64", "seq = 8, d = 32");
    let text = text.replace("heads = 4, head = 16", "heads = 2, head = 16").replace("vocab = 256", "vocab = 32");
    text.replace("weight_decay: 0.01)", &format!("weight_decay: 0.01, accumulate: 4{clip})"))
}

fn one_forward_one_backward(p: &StageProgram, stages: usize, microbatches: u64) -> Vec<(usize, u64)> {
    let of = |kind: Kind| p.actions.iter().position(|a| a.kind == kind);
    let (forward, back) = (of(Kind::Forward).unwrap(), of(Kind::Input).unwrap());
    let warm = ((stages - 1 - p.stage) as u64).min(microbatches);
    let mut order: Vec<(usize, u64)> = (0..warm).map(|i| (forward, i)).collect();
    for i in 0..microbatches {
        order.extend((i + warm < microbatches).then_some((forward, i + warm)));
        order.push((back, i));
        order.extend(of(Kind::Weight).map(|w| (w, i)));
    }
    order
}

fn scheduled(p: &StageProgram, stages: usize, microbatches: u64) -> Scheduled {
    let f = &p.func;
    let wire = |v: ValueId, link: &Link, sends: bool| Wire {
        name: link.name(),
        stage: (if sends { link.to } else { link.from }) as u32,
        sends,
        dtype: bundle_dtype(f.ty(v).dtype),
        shape: f.ty(v).shape[usize::from(link.each)..].to_vec(),
        each: link.each,
    };
    let received: Vec<(usize, Link)> = p
        .taken
        .iter()
        .enumerate()
        .filter_map(|(i, t)| match t {
            Taken::Received(l) => Some((i, *l)),
            Taken::Input(_) => None,
        })
        .collect();
    let sent: Vec<(usize, Link)> = p
        .given
        .iter()
        .enumerate()
        .filter_map(|(i, g)| match g {
            Given::Sent(l) => Some((i, *l)),
            Given::Output(_) => None,
        })
        .collect();
    let taken = received.iter().map(|(i, l)| wire(f.body().args[*i], l, false));
    let wires = taken.chain(sent.iter().map(|(i, l)| wire(f.body().yields[*i], l, true))).collect();
    let each = |all: &[(usize, Link)]| all.iter().filter(|x| x.1.each).map(|x| x.0).collect();
    let weave = Weave {
        microbatches,
        actions: p.actions.iter().map(|a| (a.repeat, format!("{:?}", a.kind))).collect(),
        order: one_forward_one_backward(p, stages, microbatches),
        received_each: each(&received),
        sent_each: each(&sent),
        after: p.after.clone(),
    };
    let whole = |v: &ValueId| -> Vec<u64> {
        let axes = |d: usize| f.value(*v).layout.as_ref().map_or(1, |l| f.mesh.group_size(&l.dims[d]));
        f.ty(*v).shape.iter().enumerate().map(|(d, n)| n * axes(d)).collect()
    };
    let shapes = [f.body().args.iter().map(whole).collect(), f.body().yields.iter().map(whole).collect()];
    let opts = ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device: Default::default(), tf32: false };
    let made = schedule_stage(Stage { func: f, weave: &weave, shapes, wires }, &opts)
        .unwrap_or_else(|e| panic!("{}", e.message));
    meshloom_bundle::validate(&made.program).unwrap();
    let audit =
        meshloom_audit::audit(f, &made.program, &made.kernels).unwrap_or_else(|e| panic!("stage {}: {e}", p.stage));
    assert!(audit.unfollowed.is_empty(), "stage {}: {}", p.stage, audit.unfollowed[0]);
    made
}

fn host(t: &Tensor) -> HostTensor {
    let dtype = bundle_dtype(t.ty.dtype);
    let floats = t.ty.dtype.is_float();
    let bytes =
        (0..t.len()).flat_map(|i| if floats { (t.f(i) as f32).to_le_bytes() } else { (t.i(i) as i32).to_le_bytes() });
    HostTensor { dtype, shape: t.ty.shape.clone(), bytes: bytes.collect() }
}

fn floats(t: &HostTensor) -> Vec<f64> {
    t.bytes.chunks(4).map(|b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))).collect()
}

/// The losses and the parameters after some steps of the program on one device, by the interpreter.
fn wanted(global: &Func, data: &[Tensor]) -> (Vec<f64>, Vec<Tensor>) {
    let (mut state, mut losses, mut last) = (data.to_vec(), Vec::new(), Vec::new());
    for _ in 0..STEPS {
        let out = eval(global, &state).unwrap();
        for (t, port) in out.iter().zip(&global.outputs) {
            if let Some(i) = port.updates {
                state[i] = t.clone();
            }
            if port.role == Role::Loss {
                losses.push(t.f(0));
            }
        }
        last = out;
    }
    (losses, last)
}

fn trains(clip: &str, mesh: &[(&str, u64)], layout: &str, at: &[u64], weights: bool) {
    let front = FrontOptions {
        mesh: Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect()),
        layout: Some(layout.into()),
        ..FrontOptions::default()
    };
    let options = CompileOptions { front, ..CompileOptions::default() };
    let program = check("gpt.loom", &source(clip), &options).and_then(|p| plan(p, &options));
    let mut program = program.unwrap_or_else(|(e, _)| panic!("{e}"));
    let entry = program.entries.remove(0);
    let (global, local) = (&entry.global, &entry.plan.local);
    let boundaries = Boundaries { list: "blocks".into(), at: at.to_vec(), weights };
    let staged = cut(local, &boundaries).unwrap();
    let programs = project(&staged);
    let stages = programs.iter().map(|p| scheduled(p, programs.len(), staged.microbatches)).collect();
    let bundle = linked(stages);
    let mut data = inputs(global, 11);
    // Moments begin as zeros.
    for (x, port) in data.iter_mut().zip(&global.inputs).filter(|d| d.1.role == Role::State) {
        assert!(port.init.is_some(), "state of the optimizer");
        *x = Tensor::zeros(&x.ty);
    }
    let (losses, last) = wanted(global, &data);
    let part = |t: &Tensor, rows: Option<(u64, u64)>| match rows {
        Some((lo, hi)) => t.block(0, lo as usize, (hi - lo) as usize),
        None => t.clone(),
    };
    let wires = Arc::new(Wires::default());
    // A session stays on its thread.
    let run = |p: &StageProgram| {
        let options = SessionOptions { threads: Some(1), wires: Some(wires.clone()), ..SessionOptions::default() };
        let mut session = Session::open(&bundle, &p.func.name, &options).unwrap_or_else(|e| panic!("{e}"));
        session.initialize().unwrap();
        for (taken, port) in p.taken.iter().zip(&p.func.inputs) {
            if let Taken::Input(i) = taken {
                let (of, rows) = staged.input_layers[*i];
                session.write(&port.name, host(&part(&data[of], rows))).unwrap_or_else(|e| panic!("{e}"));
            }
        }
        let loss = p.func.outputs.iter().find(|o| o.role == Role::Loss);
        let mut seen = Vec::new();
        for _ in 0..STEPS {
            session.run().unwrap();
            seen.extend(loss.map(|port| floats(&session.read(&port.name).unwrap())[0]));
        }
        let mut off = 0f64;
        for (given, port) in p.given.iter().zip(&p.func.outputs) {
            if let Given::Output(i) = given
                && port.updates.is_some()
                && port.name != "step"
                // The gradient of a key's bias is 0 in exact numbers, and Adam makes whole steps of its noise.
                && !port.name.contains(".bk")
            {
                let (of, rows) = staged.output_layers[*i];
                let (want, got) = (part(&last[of], rows), floats(&session.read(&port.name).unwrap()));
                off = (0..want.len()).map(|i| (want.f(i) - got[i]).abs()).fold(off, f64::max);
            }
        }
        (seen, off)
    };
    let found: Vec<(Vec<f64>, f64)> = std::thread::scope(|s| {
        let all: Vec<_> = programs.iter().map(|p| s.spawn(|| run(p))).collect();
        all.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let seen: Vec<f64> = found.iter().flat_map(|f| f.0.clone()).collect();
    assert_eq!(seen.len(), STEPS, "one stage has the loss");
    for (loss, wanted) in seen.iter().zip(&losses) {
        assert!((loss - wanted).abs() < 1e-5 * wanted.abs(), "{mesh:?} {at:?}: losses {seen:?}, not {losses:?}");
    }
    let off = found.iter().map(|f| f.1).fold(0.0, f64::max);
    println!("{mesh:?} {at:?}: {seen:?}, parameters and state {off:e} off");
    assert!(off < 1e-3, "{mesh:?} {at:?}: parameters and state are {off} off");
}

#[test]
fn two_stages_train_as_one() {
    trains("", &[("data", 1), ("model", 1)], "dp", &[2], false);
}

#[test]
fn four_stages_with_weight_gradients_apart_train_as_one() {
    trains(", clip: 1.0", &[("data", 1), ("model", 1)], "dp", &[1, 2, 3], true);
}

#[test]
fn stages_of_split_tensors_train_as_one() {
    trains(", clip: 1.0", &[("data", 2), ("model", 2)], "megatron", &[1], false);
}
