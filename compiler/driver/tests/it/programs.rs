//! Models that people write from papers (a U-Net, Mamba-2, DPO, QLoRA), as machine code on one device and on meshes: their losses and
//! parameters are those of JAX. The figures are those of `scripts/oracles/programs.py`, in f64.
#![cfg(feature = "llvm")]

use crate::support::{Sizes, compiled, host, on, session, sizes};
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
    let name = file.trim_end_matches(".loom");
    let all = figures(name);
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    let one: (Sizes<'_>, &str, Mode) = (&[("data", 1), ("model", 1)], "", Mode::Follow);
    for &(mesh, layout, mode) in [one].iter().chain(places) {
        let mut options = on(mesh, layout);
        options.plan.mode = mode;
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
            assert!(off <= 1e-9, "{file} {mesh:?} {layout} {mode:?}: {what} is {got}, by JAX {want}");
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
