//! Steps and losses of small models of PyTorch, as `tests/data/torch/make` traced them: what needs no Python. `make test-torch` trains
//! such models beside PyTorch.

use crate::support::{Place, meshloom, root};

fn planned(name: &str, more: &[&str]) -> String {
    let file = root().join("tests/data/torch").join(name).display().to_string();
    let out = meshloom(&Place::new(), &[&["plan", &file], more].concat());
    assert_eq!(out.code, 0, "{name}: {}", out.stderr);
    assert!(out.stdout.contains("certificate proved"), "{name}: {}", out.stdout);
    out.stdout
}

#[test]
fn traced_families_are_planned_and_certified() {
    let mixture = planned("mixtral_places.mlir", &["--mesh", "data=2"]);
    assert!(mixture.contains("model.layers.*.mlp.experts.gate_up_proj"), "{mixture}");
    let state_space = planned("mamba.mlir", &["--mesh", "data=2"]);
    assert!(state_space.contains("backbone.layers.*.mixer.in_proj.weight"), "{state_space}");
    let parts = planned("gemma3_chunks.mlir", &["--mesh", "data=2"]);
    assert!(parts.contains("model.layers.*.mlp.down_proj.weight"), "{parts}");
    let two = planned("t5.mlir", &["--mesh", "data=2"]);
    assert!(two.contains("decoder.block"), "{two}");
}

#[test]
fn a_loss_becomes_a_step_with_microbatches_and_stages() {
    let step = planned("llama_loss.mlir", &["--mesh", "data=2"]);
    assert!(step.contains("train step on 2 devices") && step.contains("tokens/s"), "{step}");
    assert!(step.contains("model.layers.*.mlp.down_proj.weight") && step.contains("x4"), "{step}");
    let stages = planned("llama_loss.mlir", &["--mesh", "pipe=2,data=2"]);
    assert!(stages.contains("schedule 1f1b, 2 microbatches"), "{stages}");
}

#[test]
fn a_loss_that_says_its_training_wrongly_is_refused() {
    let text = std::fs::read_to_string(root().join("tests/data/torch/llama_loss.mlir")).expect("the loss");
    let place = Place::new();
    let refused = |text: &str, more: &[&str], why: &str| {
        std::fs::write(place.path().join("loss.mlir"), text).expect("a file");
        let out = meshloom(&place, &[&["plan", "loss.mlir"], more].concat());
        assert!(out.code == 1 && out.stderr.contains(why), "{}", out.stderr);
    };
    refused(&text.replace("train adamw(", "train adamv("), &["--mesh", "data=2"], "adamv");
    refused(&text.replace("microbatches 2", "microbatches two"), &["--mesh", "data=2"], "no number from 2");
    refused(&text, &["--mesh", "pipe=2", "--no-roll"], "no layers of the loss are alike");
}
