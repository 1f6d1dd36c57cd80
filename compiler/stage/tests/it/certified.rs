//! The checker of staged programs, which knows nothing of this crate, follows what it makes.

use crate::scheduled::{named, proved};
use crate::stages::{Entry, entries, model, planned, segmented};
use meshloom_bundle::Program;
use meshloom_driver::certified::certified;
use meshloom_strategy::rank_program::ranks;

fn follows(text: &str, mesh: &[(&str, u64)], layout: &str, sizes: &[u64], name: &str, count: u32) {
    let what = format!("{mesh:?} {layout} {sizes:?} {name}");
    follows_plan(&what, &planned(text, mesh, layout), sizes, name, count);
}

fn follows_plan(what: &str, entry: &Entry, sizes: &[u64], name: &str, count: u32) {
    let Entry { global, local } = entry;
    let schedule = named(name, count, 4);
    let all = ranks(local, global, "blocks", sizes, &schedule).unwrap_or_else(|e| panic!("{what}: {e}"));
    let made = proved(what, &all);
    let programs: Vec<&Program> = made.iter().map(|m| &m.program).collect();
    let proof = certified(local, &all, &programs).unwrap_or_else(|e| panic!("{what}: {e}"));
    println!("{what}: {proof:?}");
    assert!(proof.steps > 0 && proof.terms > 0);
}

#[test]
fn ranks_compute_what_the_local_program_does() {
    let one = [("data", 1), ("model", 1)];
    for (sizes, name, ranks) in [
        (&[5][..], "1f1b", 1),
        (&[2, 3], "1f1b", 2),
        (&[1, 1, 2, 1], "gpipe", 4),
        (&[2, 2, 1], "zb-h1", 3),
        (&[1, 1, 1, 2], "zb-v", 2),
        (&[1, 1, 1, 2], "interleaved", 2),
        // Both ways; and ends without layers.
        (&[2, 3], "dualpipe", 2),
        (&[0, 5, 0], "zb-h1", 3),
    ] {
        follows(&model(false, ""), &one, "dp", sizes, name, ranks);
    }
}

#[test]
fn ranks_of_layers_in_segments_compute_what_the_local_program_does() {
    let step = planned(&model(true, ", clip: 1.0"), &[("data", 2), ("model", 1)], "fsdp");
    for (at, sizes, name, ranks) in [
        (&[2][..], &[2, 3][..], "1f1b", 2),
        (&[3], &[2, 2, 1], "zb-h1", 3),
        (&[2, 4], &[1, 1, 1, 2], "zb-v", 2),
        (&[3], &[2, 3], "dualpipe", 2),
        // The second stage and the first segment are as long as each other, and overlap.
        (&[4], &[1, 4], "1f1b", 2),
    ] {
        follows_plan(&format!("{at:?} {sizes:?} {name}"), &segmented(step.clone(), at), sizes, name, ranks);
    }
}

/// What validation runs has no loop over microbatches; its ranks have one of a single iteration.
#[test]
fn ranks_compute_the_loss_alone() {
    let loss = entries(&model(true, ""), &[("data", 2), ("model", 1)], Some("fsdp")).remove(1);
    for (sizes, name) in [(&[2, 3][..], "1f1b"), (&[1, 1, 1, 2], "zb-v"), (&[1, 4], "dualpipe")] {
        follows_plan(name, &loss, sizes, name, 2);
    }
}

#[test]
fn ranks_with_split_tensors_compute_what_the_local_program_does() {
    for (mesh, layout) in [([("data", 2), ("model", 1)], "fsdp"), ([("data", 2), ("model", 2)], "megatron")] {
        for (tied, clip) in [(false, ", clip: 1.0"), (true, "")] {
            follows(&model(tied, clip), &mesh, layout, &[2, 2, 1], "zb-h1", 3);
        }
        follows(&model(true, ", clip: 1.0"), &mesh, layout, &[2, 3], "dualpipe", 2);
    }
}

/// gpt_tiny with four layers: attention is an op with a body.
#[test]
fn ranks_of_a_gpt_compute_what_the_local_program_does() {
    let path = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt_tiny.loom");
    let text = std::fs::read_to_string(path).expect("an example");
    let text = text.replace("const layers = 2", "const layers = 4").replace("seq = 32, d = 64", "seq = 8, d = 32");
    let text = text.replace("heads = 4, head = 16", "heads = 2, head = 16").replace("vocab = 256", "vocab = 32");
    for more in ["", ", clip: 1.0"] {
        let text = text.replace("weight_decay: 0.01)", &format!("weight_decay: 0.01, accumulate: 4{more})"));
        // There are as many microbatches as layers; they go both ways, past unlike stages.
        for (sizes, name, ranks) in [
            (&[2, 2][..], "1f1b", 2),
            (&[1, 1, 1, 1], "zb-h1", 4),
            (&[1, 1, 1, 1], "zb-v", 2),
            (&[1, 3], "dualpipe", 2),
        ] {
            follows(&text, &[("data", 2), ("model", 1)], "fsdp", sizes, name, ranks);
        }
    }
}
