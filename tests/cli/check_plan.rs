//! `meshloom check-plan`: what it prints, and its exit codes. Plans and the traced model are those of `tests/data/dtensor`.

use crate::support::{Place, meshloom, root};
use serde_json::{Value, json};

#[test]
fn a_dtensor_plan_is_proved_or_refused() {
    let place = Place::new();
    let data = root().join("tests/data/dtensor");
    let cases = std::fs::read_to_string(data.join("right.json")).expect("the plans");
    let cases: Value = serde_json::from_str(&cases).expect("JSON");
    let right = cases.as_array().and_then(|all| all.iter().find(|c| c["model"] == "vit")).expect("a plan");
    let model = data.join("vit.mlir").display().to_string();
    let check = |plan: &Value, more: &[&str]| {
        std::fs::write(place.path().join("plan.json"), plan.to_string()).expect("a file");
        meshloom(&place, &[&["check-plan", "plan.json", &model], more].concat())
    };
    let out = check(&right["plan"], &[]);
    assert!(out.code == 0 && out.stdout.is_empty() && out.stderr.contains("Proved"), "{}{}", out.stdout, out.stderr);
    let mut broken = right["plan"].clone();
    broken["calls"][0]["plan"]["vit.layers.*.mlp.fc2"] =
        json!({"style": "RowwiseParallel", "output_layouts": "Partial()"});
    let out = check(&broken, &[]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    assert!(
        out.stdout.contains("as it comes out of vit.layers.0.mlp.fc2, which nobody has added up"),
        "{}",
        out.stdout
    );
    let out = check(&broken, &["--json"]);
    let answer: Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!((out.code, &answer["accepted"], &answer["schema"]), (1, &json!(false), &json!(1)));
    assert_eq!(answer["refusals"][0]["module"], "vit.layers.0", "{answer}");
    let out = check(&json!({"schema": 1}), &[]);
    assert!(out.code == 2 && out.stderr.contains("no plan: missing field `mesh`"), "{}", out.stderr);
    let out = meshloom(&place, &["check-plan", "plan.json", "examples/mlp.loom"]);
    assert_eq!(out.code, 2, "{}", out.stderr);
}
