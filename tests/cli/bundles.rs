//! `compile`, `verify` and running a bundle.

use crate::support::{Place, losses, meshloom};

fn compile(place: &Place, bundle: &str, more: &[&str]) {
    let out = meshloom(place, &[&["compile", "small.loom", "-o", bundle], more].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
}

#[test]
fn a_bundle_runs_as_its_source_does() {
    let place = Place::new();
    compile(&place, "small.loomx", &[]);
    compile(&place, "again.loomx", &[]);
    let read = |f: &str| std::fs::read(place.path().join(f)).expect("written");
    assert_eq!(read("small.loomx"), read("again.loomx"), "bundles are byte-identical");
    let train = |file: &str| {
        let out = meshloom(&place, &["run", file, "--data", "small.loom", "--steps", "3", "--json"]);
        assert_eq!(out.code, 0, "{}", out.stderr);
        losses(&out.stdout)
    };
    assert_eq!(train("small.loomx"), train("small.loom"));
    let planned = meshloom(&place, &["run", "small.loomx", "--mesh", "data=2"]);
    assert_eq!((planned.code, planned.stderr.contains("planned already")), (2, true), "{}", planned.stderr);
}

#[test]
fn verify_tells_a_bundle_from_another_programs() {
    let place = Place::new();
    compile(&place, "small.loomx", &["--mesh", "data=2"]);
    let good = meshloom(&place, &["verify", "small.loom", "small.loomx"]);
    assert_eq!(good.code, 0, "{}", good.stderr);
    assert!(good.stderr.contains("Proved"));
    // Another learning rate is another program; so is the same one with another batch.
    let text = place.read("small.loom").replace("lr: 3e-3", "lr: 4e-3");
    std::fs::write(place.path().join("other.loom"), text).expect("writes");
    let other = meshloom(&place, &["verify", "other.loom", "small.loomx"]);
    assert_eq!(other.code, 1, "{}", other.stderr);
    let other = meshloom(&place, &["verify", "small.loom", "small.loomx", "--dim", "batch=8", "--json"]);
    assert_eq!(other.code, 1);
    let json: serde_json::Value = serde_json::from_str(&other.stdout).expect("JSON");
    assert_eq!(json["ok"].as_bool(), Some(false));
}

#[test]
fn a_damaged_bundle_is_refused_by_name() {
    let place = Place::new();
    compile(&place, "small.loomx", &[]);
    let path = place.path().join("small.loomx");
    let mut bytes = std::fs::read(&path).expect("written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    std::fs::write(&path, &bytes).expect("writes");
    for command in [&["run", "small.loomx"][..], &["verify", "small.loom", "small.loomx"]] {
        let out = meshloom(&place, command);
        assert_eq!((out.code, out.stderr.contains("small.loomx")), (2, true), "{}", out.stderr);
    }
}
