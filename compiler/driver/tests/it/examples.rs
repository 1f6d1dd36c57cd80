//! The model examples on machine code: split over a mesh as their files say, they train as they do on one device.
#![cfg(feature = "llvm")]

use crate::support::{Sizes, compiled, on, session, sizes};
use meshloom_driver::{Program, Scheduled};
use meshloom_ir::{DType, Func, Role};
use meshloom_plan::Mode;
use meshloom_runtime::HostTensor;
use std::path::PathBuf;

/// Where an example trains.
#[derive(Clone, Copy, Debug)]
struct Place<'a> {
    mesh: Sizes<'a>,
    /// A layout block; none where it is empty.
    layout: &'a str,
    /// Whether annotations are followed or a search goes on from them.
    mode: Mode,
}

/// A model at a size that tests can run, and the name of its `train`.
struct Example<'a> {
    file: &'a str,
    train: &'a str,
    dims: Sizes<'a>,
}

impl Example<'_> {
    fn program(&self, place: Place<'_>) -> Program<Scheduled> {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(self.file);
        let text = std::fs::read_to_string(path).unwrap();
        let mut options = on(place.mesh, place.layout);
        options.plan.mode = place.mode;
        options.front.float = Some(DType::F64);
        options.front.dims = sizes(self.dims);
        options.front.entry = Some(self.train.into());
        compiled(self.file, &text, &options)
    }

    /// Losses of three steps on data that depends on nothing but its place, and the sum of squares of each parameter.
    fn train(&self, place: Place<'_>) -> Vec<f64> {
        let p = self.program(place);
        let (step, mut s) = (&p.entries[0].global, session(&p));
        s.initialize().unwrap_or_else(|e| panic!("{e}"));
        for (name, t) in data(step) {
            s.write(&name, t).unwrap_or_else(|e| panic!("{e}"));
        }
        let mut out: Vec<f64> = (0..3).map(|_| s.step().unwrap().loss.unwrap()).collect();
        for port in step.inputs.iter().filter(|p| p.role == Role::Parameter) {
            let values = s.read(&port.name).unwrap_or_else(|e| panic!("{e}")).to_f64().unwrap();
            out.push(values.iter().map(|x| x * x).sum());
        }
        out
    }

    fn trains_as_on_one_device(&self, places: &[Place<'_>]) {
        let one: Vec<(&str, u64)> = places[0].mesh.iter().map(|&(n, _)| (n, 1)).collect();
        let all = [&[Place { mesh: &one, layout: "", mode: Mode::Follow }], places].concat();
        let mut runs = all.iter().map(|&place| self.train(place));
        let want = runs.next().unwrap();
        assert!(want[2] < want[0], "{}: the loss does not go down: {:?}", self.file, &want[..3]);
        for (got, place) in runs.zip(places) {
            assert_eq!(got.len(), want.len());
            for (i, (a, b)) in got.iter().zip(&want).enumerate() {
                let off = (a - b).abs() / b.abs().max(1e-3);
                assert!(off <= 1e-11, "{} {place:?}: figure {i} is {a}, on one device {b}", self.file);
            }
        }
    }
}

/// Data for the inputs of a step.
fn data(f: &Func) -> Vec<(String, HostTensor)> {
    let ports = f.inputs.iter().zip(&f.body().args).filter(|(p, _)| p.role == Role::Input);
    ports
        .enumerate()
        .map(|(k, (port, &v))| {
            let ty = f.ty(v);
            let n = ty.elements();
            let t = match port.range {
                Some((lo, hi)) => {
                    let value = |i: u64| lo + (i as i64 * 37 + k as i64 * 37) % (hi - lo);
                    HostTensor::i32(&ty.shape, &(0..n).map(|i| value(i) as i32).collect::<Vec<_>>())
                }
                None => HostTensor::f64(&ty.shape, &(0..n).map(|i| (i as f64 * 0.7).sin()).collect::<Vec<_>>()),
            };
            (port.name.clone(), t)
        })
        .collect()
}

#[test]
fn llama() {
    let sizes: Sizes<'_> = &[
        ("batch", 4),
        ("seq", 8),
        ("embed", 16),
        ("heads", 4),
        ("kv_heads", 2),
        ("head", 4),
        ("hidden", 24),
        ("vocab", 32),
        ("layers", 2),
    ];
    Example { file: "llama.loom", train: "llama", dims: sizes }.trains_as_on_one_device(&[
        Place { mesh: &[("data", 2), ("model", 2)], layout: "", mode: Mode::Follow },
        Place { mesh: &[("data", 2), ("model", 2)], layout: "", mode: Mode::Search },
        Place { mesh: &[("data", 4), ("model", 1)], layout: "fsdp", mode: Mode::Follow },
    ]);
}

#[test]
fn gpt2() {
    let sizes: Sizes<'_> = &[
        ("batch", 4),
        ("seq", 8),
        ("embed", 16),
        ("heads", 4),
        ("head", 4),
        ("hidden", 32),
        ("vocab", 37),
        ("layers", 2),
    ];
    Example { file: "gpt2.loom", train: "gpt2", dims: sizes }.trains_as_on_one_device(&[Place {
        mesh: &[("data", 2), ("model", 2)],
        layout: "",
        mode: Mode::Follow,
    }]);
}

/// A vocabulary of 1003 over model=4 and a batch of 6 over data=4.
#[test]
fn an_uneven_llama() {
    let sizes: Sizes<'_> = &[
        ("batch", 6),
        ("seq", 4),
        ("embed", 8),
        ("heads", 4),
        ("kv_heads", 4),
        ("head", 2),
        ("hidden", 12),
        ("vocab", 1003),
        ("layers", 1),
    ];
    Example { file: "llama.loom", train: "llama", dims: sizes }.trains_as_on_one_device(&[Place {
        mesh: &[("data", 4), ("model", 4)],
        layout: "",
        mode: Mode::Follow,
    }]);
}

/// Experts over 8 devices, and tokens with them.
#[test]
fn mixture_of_experts() {
    let sizes: Sizes<'_> = &[
        ("batch", 8),
        ("seq", 8),
        ("embed", 8),
        ("heads", 2),
        ("kv_heads", 1),
        ("head", 4),
        ("hidden", 8),
        ("vocab", 32),
        ("capacity", 3),
    ];
    Example { file: "moe.loom", train: "mixture", dims: sizes }.trains_as_on_one_device(&[
        Place { mesh: &[("expert", 8)], layout: "", mode: Mode::Follow },
        Place { mesh: &[("expert", 8)], layout: "", mode: Mode::Search },
    ]);
}

#[test]
fn vision_transformer() {
    let sizes: Sizes<'_> =
        &[("batch", 8), ("patches", 5), ("pixels", 6), ("embed", 8), ("heads", 2), ("head", 4), ("hidden", 16)];
    Example { file: "vit.loom", train: "vit", dims: sizes }.trains_as_on_one_device(&[
        Place { mesh: &[("data", 4), ("model", 2)], layout: "", mode: Mode::Follow },
        Place { mesh: &[("data", 4), ("model", 1)], layout: "fsdp", mode: Mode::Follow },
    ]);
}

#[test]
fn adapters_on_a_frozen_base() {
    let sizes: Sizes<'_> = &[
        ("batch", 4),
        ("seq", 8),
        ("embed", 16),
        ("heads", 4),
        ("head", 4),
        ("hidden", 24),
        ("rank", 3),
        ("vocab", 32),
    ];
    Example { file: "lora.loom", train: "adapters", dims: sizes }.trains_as_on_one_device(&[Place {
        mesh: &[("data", 2), ("model", 2)],
        layout: "",
        mode: Mode::Follow,
    }]);
    let p = Example { file: "lora.loom", train: "adapters", dims: sizes }.program(Place {
        mesh: &[("data", 2), ("model", 2)],
        layout: "",
        mode: Mode::Follow,
    });
    let step = &p.entries[0].global;
    let changed: Vec<&str> =
        step.outputs.iter().filter(|o| o.role == Role::Parameter).map(|o| o.name.as_str()).collect();
    assert_eq!(
        changed,
        ["blocks.*.lora_q.down", "blocks.*.lora_q.up", "blocks.*.lora_u.down", "blocks.*.lora_u.up", "norm.scale"]
    );
}

/// A vocabulary that is split moves two numbers a token and never a row of logits: no collective of the loss or its gradient
/// is as large as the logits of one device.
#[test]
fn split_logits_are_not_gathered() {
    let llama = Example {
        file: "llama.loom",
        train: "llama",
        dims: &[("embed", 32), ("heads", 4), ("head", 8), ("hidden", 64), ("vocab", 4096), ("layers", 1)],
    };
    for mode in [Mode::Follow, Mode::Search] {
        let p = llama.program(Place { mesh: &[("data", 1), ("model", 4)], layout: "", mode });
        let local = &p.entries[0].plan.local;
        let logits = 8 * 128 * 4096 / 4;
        for o in local.walk(Func::BODY).into_iter().filter(|&o| local.op(o).op.communicates()) {
            let moved = local.ty(local.op(o).operands[0]).elements().max(local.ty(local.op(o).results[0]).elements());
            assert!(moved < logits, "{mode:?}: `{}` of {}", local.op(o).op.name(), local.ty(local.op(o).results[0]));
        }
    }
}
