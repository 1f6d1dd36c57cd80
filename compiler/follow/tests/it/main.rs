//! Plans for DTensor, right ones and broken ones, against small models. `tests/data/dtensor/make` traced the models; `make test-torch` runs
//! these plans in PyTorch.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "tests read files, clocks and settings")]

use meshloom_follow::{DtensorPlan, Modules, Place, Verdict, check};
use meshloom_ir::{Func, Span};
use meshloom_source::{FrontOptions, SourceMap};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn read(name: &str) -> String {
    let path = format!("{}/../../tests/data/dtensor/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn cases(name: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(&read(name)).expect("JSON");
    all.as_array().expect("a list").clone()
}

fn text(v: &Value) -> &str {
    v.as_str().unwrap_or_default()
}

/// Traced models by name.
#[derive(Default)]
struct Models(BTreeMap<String, Model>);

struct Model {
    func: Func,
    sources: SourceMap,
    modules: Modules,
}

impl Models {
    fn check(&mut self, model: &str, plan: &Value) -> Verdict {
        let m = self.0.entry(model.to_string()).or_insert_with(|| {
            let text = read(&format!("{model}.mlir"));
            let front = FrontOptions { unrolled: true, ..FrontOptions::default() };
            let outcome = meshloom_stablehlo::compile(&format!("{model}.mlir"), &text, &front);
            let func = outcome.elaborated.expect("a program").entries.remove(0).func;
            Model { func, sources: outcome.sources, modules: Modules::of(&text).expect("modules") }
        });
        let place = |span: Span| {
            let origin = m.sources.origins.get(span)?;
            Some(Place { name: origin.name.clone(), line: origin.place().map_or(String::new(), |f| f.short()) })
        };
        let plan = DtensorPlan::read(&plan.to_string()).expect("a plan");
        check(&m.func, &m.modules, &place, &plan).expect("a program with boundaries")
    }
}

/// The plan of a broken case: a right one with other calls.
fn changed(case: &Value, right: &[Value]) -> (String, Value) {
    let of = right.iter().find(|r| r["name"] == case["of"]).unwrap_or_else(|| panic!("{case}"));
    let mut plan = of["plan"].clone();
    for (key, value) in case["with"].as_object().into_iter().flatten() {
        plan[key] = value.clone();
    }
    let calls = plan["calls"].as_array_mut().expect("calls");
    let dropped = |c: &Value| case["drop"].as_array().is_some_and(|d| d.contains(&c["call"]));
    calls.retain(|c| !dropped(c));
    for call in calls.iter_mut().filter(|c| c["call"] == "parallelize_module") {
        let styles = call["plan"].as_object_mut().expect("styles");
        for (path, style) in case["set"].as_object().into_iter().flatten() {
            match style {
                Value::Null => drop(styles.remove(path)),
                style => drop(styles.insert(path.clone(), style.clone())),
            }
        }
    }
    calls.extend(case["add"].as_array().into_iter().flatten().cloned());
    (text(&of["model"]).to_string(), plan)
}

fn said(v: &Verdict) -> String {
    let warnings = v.warnings.iter().map(|w| format!("  warning: {w}\n"));
    let refusals = v.refusals.iter().map(|r| format!("  {r}\n"));
    let proved =
        v.is_accepted().then(|| format!("  accepted: {} steps proved, {} collectives\n", v.steps, v.collectives));
    warnings.chain(refusals).chain(proved).collect()
}

#[test]
fn right_plans_are_proved() {
    let mut models = Models::default();
    let mut out = String::new();
    let mut refused = Vec::new();
    for case in cases("right.json") {
        let verdict = models.check(text(&case["model"]), &case["plan"]);
        out += &format!("{}\n{}", text(&case["name"]), said(&verdict));
        if !verdict.is_accepted() || verdict.steps < 100 {
            refused.push(text(&case["name"]).to_string());
        }
    }
    assert!(refused.is_empty(), "{refused:#?}\n{out}");
    insta::assert_snapshot!(out);
}

#[test]
fn broken_plans_are_refused_with_the_module_named() {
    let (right, mut models) = (cases("right.json"), Models::default());
    let (mut out, mut wrong) = (String::new(), Vec::new());
    let all = cases("broken.json");
    for case in &all {
        let (model, plan) = changed(case, &right);
        let verdict = models.check(&model, &plan);
        let said = said(&verdict);
        out += &format!("{}\n{said}", text(&case["name"]));
        let named = |w: &str| w.trim_end_matches([',', ':', ';', ')']) == text(&case["module"]);
        if verdict.is_accepted() || !said.split_whitespace().any(named) {
            wrong.push(format!("{}: {said}", text(&case["name"])));
        }
    }
    assert!(all.len() >= 30 && wrong.is_empty(), "{}\n{out}", wrong.join("\n"));
    insta::assert_snapshot!(out);
}

#[test]
fn what_pytorch_passes_over_is_a_warning_and_a_dim_that_is_none_is_refused() {
    let mut models = Models::default();
    let mut said_of = |styles: Value| {
        let calls = json!([{"call": "parallelize_module", "mesh": "model", "plan": styles}]);
        said(&models.check("vit", &json!({"schema": 1, "mesh": {"model": 2}, "calls": calls})))
    };
    let none = said_of(json!({"vit.encoder.*.fc1": {"style": "ColwiseParallel"}}));
    assert!(none.contains("no module fits `vit.encoder.*.fc1`") && none.contains("accepted"), "{none}");
    let inputs = json!({"hidden": "Replicate()"});
    let other =
        json!({"style": "PrepareModuleInput", "input_kwarg_layouts": inputs, "desired_input_kwarg_layouts": inputs});
    let other = said_of(json!({"vit.layers.0.mlp": other}));
    assert!(
        other.contains("no tensor comes into vit.layers.0.mlp as `hidden`") && other.contains("accepted"),
        "{other}"
    );
    let beyond = said_of(json!({"vit.layernorm": {"style": "SequenceParallel", "sequence_dim": 7}}));
    assert!(beyond.contains("names a dim that its input 0 of rank 3 does not have"), "{beyond}");
    let uneven = json!({"style": "RowwiseParallel", "output_layouts": "Shard(1)"});
    let uneven = said_of(json!({"vit.layers.0.mlp.fc1": {"style": "ColwiseParallel"}, "vit.layers.0.mlp.fc2": uneven}));
    assert!(uneven.contains("vit.layers.0.mlp.fc2: its result cannot be redistributed to Shard(1)"), "{uneven}");
}

#[test]
fn what_is_no_plan_is_said() {
    let wrong = |plan: Value| DtensorPlan::read(&plan.to_string()).expect_err("no plan");
    let styled = |style: Value| json!({"schema": 1, "mesh": {"model": 2}, "calls": [{"call": "parallelize_module", "mesh": "model", "plan": {"a": style}}]});
    assert!(wrong(json!({"schema": 2, "mesh": {}, "calls": []})).contains("schema 1"));
    assert!(wrong(styled(json!({"style": "ColwiseParallel", "output_layouts": "Shard"}))).contains("no placement"));
    assert!(wrong(styled(json!({"style": "ColwiseParallel", "outputs": "Shard(0)"}))).contains("unknown field"));
    let elsewhere = json!({"schema": 1, "mesh": {"model": 2}, "batch": ["data"], "calls": []});
    assert!(wrong(elsewhere).contains("`data`"));
    assert!(wrong(json!({"schema": 1, "mesh": {"a": 1u64 << 40, "b": 1u64 << 40}, "calls": []})).contains("axes"));
}
