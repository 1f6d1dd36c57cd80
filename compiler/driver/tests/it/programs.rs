//! Models that people write from papers (a U-Net, Mamba-2, linear recurrences, DPO, QLoRA, DeepSeek-V3, ring attention), as machine code on one device and on meshes: their losses and
//! parameters are those of JAX. The figures are those of `scripts/oracles/programs.py`, in f64.
#![cfg(feature = "llvm")]

use crate::support::{Sizes, compiled, host, on, session, sizes};
use meshloom_driver::CompileOptions;
use meshloom_ir::{DType, Role, Tensor};
use meshloom_plan::Mode;
use safetensors::{Dtype, SafeTensors};
use std::collections::BTreeMap;
use std::path::PathBuf;

fn figures(program: &str) -> BTreeMap<String, Tensor> {
    let bytes = include_bytes!("../../../../tests/data/library/programs.safetensors");
    let file = SafeTensors::deserialize(bytes).unwrap();
    let read = |t: &safetensors::tensor::TensorView<'_>| {
        let shape: Vec<u64> = t.shape().iter().map(|&n| n as u64).collect();
        let data = t.data();
        match t.dtype() {
            Dtype::F64 => {
                let values = data.chunks_exact(8).map(|b| f64::from_le_bytes(b.try_into().unwrap()));
                Tensor::floats(DType::F64, &shape, values.collect())
            }
            Dtype::I32 => {
                let values = data.chunks_exact(4).map(|b| i64::from(i32::from_le_bytes(b.try_into().unwrap())));
                Tensor::ints(DType::I32, &shape, values.collect())
            }
            Dtype::U8 => Tensor::ints(DType::U8, &shape, data.iter().map(|&b| i64::from(b)).collect()),
            other => panic!("{program}: {other:?}"),
        }
    };
    let prefix = format!("{program}/");
    file.tensors().into_iter().filter_map(|(n, t)| Some((n.strip_prefix(&prefix)?.to_string(), read(&t)))).collect()
}

/// Losses of three steps from the start that the figures have, and sums of squares of what was trained.
fn trains_as_in_jax(file: &str, train: &str, dims: Sizes<'_>, places: &[(Sizes<'_>, &str, Mode)]) {
    let planned = |mesh: Sizes<'_>, layout: &str, mode: Mode| {
        let mut options = on(mesh, layout);
        options.plan.mode = mode;
        options
    };
    let places: Vec<CompileOptions> = places.iter().map(|&(mesh, layout, mode)| planned(mesh, layout, mode)).collect();
    trains_with(file, train, dims, &places);
}

/// On one device and as these options say.
fn trains_with(file: &str, train: &str, dims: Sizes<'_>, places: &[CompileOptions]) {
    let name = file.trim_end_matches(".loom");
    let all = figures(name);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let mut one = places[0].clone();
    one.front.mesh.iter_mut().flatten().for_each(|axis| axis.1 = 1);
    for options in [&one].into_iter().chain(places) {
        let mut options = options.clone();
        options.front.float = Some(DType::F64);
        options.front.dims = sizes(dims);
        options.front.entry = Some(train.into());
        let p = compiled(file, &text, &options);
        let (step, mut s) = (&p.entries[0].global, session(&p));
        s.initialize().unwrap_or_else(|e| panic!("{e}"));
        let given = |p: &&meshloom_ir::Port| matches!(p.role, Role::Parameter | Role::Input) && p.name != "step";
        for port in step.inputs.iter().filter(given) {
            let value = all.get(&port.name).unwrap_or_else(|| panic!("{file}: no figure for {}", port.name));
            s.write(&port.name, host(value)).unwrap_or_else(|e| panic!("{e}"));
        }
        let close = |what: &str, got: f64, want: f64| {
            let off = (got - want).abs() / want.abs().max(1e-3);
            let (front, plan) = (&options.front, &options.plan);
            let place = format!("{:?} {:?} {:?} {:?}", front.mesh, front.layout, plan.mode, plan.ring);
            assert!(off <= 1e-9, "{file} {train} {place}: {what} is {got}, by JAX {want}");
        };
        let losses = &all["losses"];
        for t in 0..losses.len() {
            close(&format!("loss {t}"), s.step().unwrap().loss.unwrap(), losses.f(t));
        }
        let mut compared = 0;
        for (path, want) in all.iter().filter_map(|(n, t)| Some((n.strip_prefix("squares.")?, t.f(0)))) {
            let values = s.read(path).unwrap_or_else(|e| panic!("{e}")).to_f64().unwrap();
            close(path, values.iter().map(|x| x * x).sum(), want);
            compared += 1;
        }
        assert!(compared > 3 && losses.f(2) < losses.f(0), "{file}");
    }
}

const SPLIT: (Sizes<'_>, &str, Mode) = (&[("data", 2), ("model", 2)], "", Mode::Follow);
const SEARCHED: (Sizes<'_>, &str, Mode) = (&[("data", 2), ("model", 2)], "", Mode::Search);

#[test]
fn a_unet() {
    let dims: Sizes<'_> = &[("batch", 4), ("side", 6), ("colors", 2), ("c", 4), ("groups", 2), ("time", 3)];
    let features = (&[("data", 2), ("model", 2)][..], "features", Mode::Follow);
    let fsdp = (&[("data", 4), ("model", 1)][..], "fsdp", Mode::Follow);
    trains_as_in_jax("unet.loom", "unet", dims, &[features, fsdp, SEARCHED]);
}

#[test]
fn mamba2() {
    let dims: Sizes<'_> =
        &[("batch", 4), ("seq", 10), ("embed", 8), ("heads", 2), ("head", 4), ("state", 3), ("vocab", 12), ("taps", 3)];
    let fsdp = (&[("data", 4), ("model", 1)][..], "fsdp", Mode::Follow);
    trains_as_in_jax("mamba2.loom", "mamba", dims, &[SPLIT, fsdp, SEARCHED]);
}

/// Positions lie on one device, or in blocks on three: 36 are six blocks of six.
#[test]
fn linear_recurrences() {
    let dims: Sizes<'_> = &[("batch", 4), ("seq", 36), ("embed", 8), ("inner", 12), ("vocab", 12)];
    let sequence = (&[("data", 1), ("model", 3)][..], "sequence", Mode::Follow);
    let fsdp = (&[("data", 4), ("model", 1)][..], "fsdp", Mode::Follow);
    trains_as_in_jax("lru.loom", "lru", dims, &[SPLIT, sequence, fsdp, SEARCHED]);
}

#[test]
fn preferences() {
    let dims: Sizes<'_> = &[("batch", 4), ("seq", 8), ("prompt", 3), ("embed", 8), ("heads", 2), ("vocab", 12)];
    let data = (&[("data", 4), ("model", 1)][..], "", Mode::Follow);
    trains_as_in_jax("dpo.loom", "dpo", dims, &[SPLIT, data, SEARCHED]);
}

/// A batch of 6 over four devices, unevenly.
#[test]
fn low_rank_changes_of_codes() {
    let dims: Sizes<'_> = &[("batch", 6), ("features", 8), ("hidden", 12), ("classes", 5), ("r", 2), ("block", 4)];
    let data = (&[("data", 4), ("model", 1)][..], "", Mode::Follow);
    trains_as_in_jax("qlora.loom", "qlora", dims, &[SPLIT, data, SEARCHED]);
}

/// With experts that have no room for all of their tokens, and biases that change.
#[test]
fn latent_attention_and_experts() {
    let widths = [("head", 4), ("turn", 2), ("q_rank", 6), ("kv_rank", 3), ("hidden", 5), ("dense", 7), ("experts", 4)];
    let sizes = [("batch", 4), ("seq", 8), ("embed", 8), ("heads", 2), ("vocab", 12), ("chosen", 2), ("capacity", 5)];
    let dims = [widths, sizes].concat();
    let split = (&[("data", 2), ("expert", 2)][..], "", Mode::Follow);
    let fsdp = (&[("data", 2), ("expert", 2)][..], "fsdp", Mode::Follow);
    let searched = (&[("data", 1), ("expert", 4)][..], "", Mode::Search);
    trains_as_in_jax("deepseek.loom", "deepseek", &dims, &[split, fsdp, searched]);
}

/// Keys that go round, by a loop that is written down and by the planner's.
#[test]
fn keys_that_go_round() {
    let dims: Sizes<'_> =
        &[("batch", 2), ("seq", 16), ("embed", 8), ("heads", 2), ("head", 4), ("hidden", 6), ("vocab", 12)];
    let place = |mesh: Sizes<'_>, mode: Mode| {
        let mut options = on(mesh, "");
        options.plan.mode = mode;
        options.plan.ring = Some(vec!["context".to_string()]);
        options
    };
    let places = [
        place(&[("data", 1), ("context", 4)], Mode::Follow),
        place(&[("data", 2), ("context", 2)], Mode::Search),
        place(&[("data", 1), ("context", 8)], Mode::Search),
    ];
    for train in ["planned", "written"] {
        trains_with("ring.loom", train, dims, &places);
        for options in &places {
            let mut options = options.clone();
            options.front.dims = sizes(dims);
            options.front.entry = Some(train.into());
            let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/ring.loom");
            let p = compiled("ring.loom", &std::fs::read_to_string(path).unwrap(), &options);
            let local = meshloom_ir::print::print(&p.entries[0].plan.local);
            assert!(local.contains("collective_permute"), "{train}: keys go round");
        }
    }
}
