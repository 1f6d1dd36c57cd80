//! The models of `models/` against Transformers, without it: `models/compare.py --record` wrote weights under their public names, inputs,
//! and what Transformers makes of them, to tests/data/zoo. Its training and its texts are compared by `make test-zoo` only.

use crate::support::{Place, finish, meshloom, root};
use safetensors::SafeTensors;
use std::path::Path;

/// How far a number may be off, relative to the largest of its tensor.
const NEAR: f32 = 1e-5;

fn folders(of: &str) -> Vec<String> {
    let entries = std::fs::read_dir(root().join(of)).expect("a folder").flatten();
    let mut names: Vec<String> =
        entries.filter(|e| e.path().is_dir()).map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|n| !n.starts_with('_'));
    names.sort();
    names
}

fn numbers(bytes: &[u8]) -> Vec<f32> {
    bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b)).collect()
}

/// Runs one model by its recorded arguments on 8 devices.
fn as_transformers(place: &Place, name: &str) {
    let recorded = root().join("tests/data/zoo").join(name);
    let args = std::fs::read_to_string(recorded.join("args.txt")).expect("arguments");
    let (weights, inputs) = (recorded.join("model.safetensors"), recorded.join("inputs.safetensors"));
    let out = place.path().join(format!("{name}.safetensors"));
    let mut command = place.command(&["run"]);
    command.current_dir(root()).args(args.lines()).args(["--plan", "follow"]);
    command.arg("--load").arg(weights).arg("--inputs").arg(inputs).arg("--save-outputs").arg(&out);
    let done = finish(command);
    assert_eq!(done.code, 0, "{name}: {}", done.stderr);
    compare(name, &out, &recorded.join("due.safetensors"));
}

fn compare(name: &str, out: &Path, due: &Path) {
    let (out, due) = (std::fs::read(out).expect("written"), std::fs::read(due).expect("recorded"));
    let out = SafeTensors::deserialize(&out).expect("safetensors");
    let due = SafeTensors::deserialize(&due).expect("safetensors");
    let found = out.tensor("out").expect("an output");
    let expected = due.tensor("out").expect("an output");
    assert_eq!(found.shape(), expected.shape(), "{name}");
    let (found, expected) = (numbers(found.data()), numbers(expected.data()));
    // Rows that do not count are NaN in what was recorded.
    let largest = expected.iter().filter(|x| !x.is_nan()).fold(0.0f32, |a, x| a.max(x.abs()));
    assert!(largest > 0.1, "{name}: nothing to compare");
    for (i, (a, b)) in found.iter().zip(&expected).enumerate() {
        assert!(b.is_nan() || (a - b).abs() <= NEAR * largest, "{name}: {a} where {b} is due, at {i}");
    }
}

/// A test for each model, so that they run beside each other.
macro_rules! models {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            as_transformers(&Place::new(), &stringify!($name).replace('_', "-"));
        })*

        /// No model is forgotten, neither here nor in what was recorded.
        #[test]
        fn all_models_are_compared() {
            let here: Vec<String> = [$(stringify!($name)),*].iter().map(|n| n.replace('_', "-")).collect();
            assert_eq!(here, folders("models"));
            assert_eq!(here, folders("tests/data/zoo"), "models/compare.py --record writes what is missing");
        }
    };
}

models! {
    bert clip deepseek_v3 gemma3 gpt_oss gpt2 llama3 mamba2 mistral mixtral olmo2 qwen3 resnet50 t5 unet vit whisper
}

/// `new --model` copies what the folder has, and knows every folder.
#[test]
fn a_known_model_is_copied() {
    let place = Place::new();
    let out = meshloom(&place, &["new", "--list-models"]);
    let listed: Vec<&str> = out.stdout.lines().filter_map(|l| l.split_whitespace().next()).collect();
    assert_eq!(listed, folders("models"), "{}", out.stderr);
    for name in listed {
        let out = meshloom(&place, &["new", name, "--model", name]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        for e in std::fs::read_dir(root().join("models").join(name)).expect("a folder").flatten() {
            let copied = std::fs::read(place.path().join(name).join(e.file_name()));
            assert!(copied.is_ok_and(|c| c == std::fs::read(e.path()).expect("a file")), "{}", e.path().display());
        }
    }
    let formatted = meshloom(&place, &["fmt", "--check", "llama3/model.loom", "gpt2/model.loom"]);
    assert_eq!(formatted.code, 0, "{}", formatted.stderr);
    let out = meshloom(&place, &["new", "other", "--model", "gpt5"]);
    assert!(out.code == 2 && out.stderr.contains("there is no model `gpt5`"), "{}", out.stderr);
    assert!(out.stderr.contains("llama3") && !place.path().join("other").exists(), "{}", out.stderr);
}
