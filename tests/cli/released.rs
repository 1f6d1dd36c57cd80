//! A bundle and a checkpoint that 0.1.0 wrote, in tests/data/released: docs/stability.md says what of them later versions read.

use crate::support::{Place, copy, meshloom, root};

#[test]
fn a_bundle_and_a_checkpoint_of_the_first_version_load() {
    let place = Place::new();
    for folder in ["", "checkpoint", "checkpoint/step-000004"] {
        copy(&root().join("tests/data/released/0.1.0").join(folder), &place.path().join("old").join(folder));
    }
    // The bundle as it was written, then its source compiled anew.
    for model in ["old/model.loomx", "old/model.loom"] {
        let out =
            meshloom(&place, &["run", model, "--random-inputs", "1", "--resume", "old/checkpoint", "--steps", "6"]);
        assert_eq!(out.code, 0, "{model}: {}", out.stderr);
        for line in ["after step 4", "Step 5/6  loss 0.7131", "Step 6/6  loss 0.6392"] {
            assert!(out.stderr.contains(line), "{model}: no {line:?} in {}", out.stderr);
        }
    }
}
