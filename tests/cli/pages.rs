//! Pages of plans: what the file holds. How it looks and what a reader can do with it is tested in a browser (`scripts/page`).

use crate::support::{Place, meshloom};
use serde_json::Value;

/// The data in a page.
fn held(place: &Place, name: &str) -> Value {
    let html = place.read(name);
    let (_, data) = html.split_once("id=\"data\">").expect("data");
    let (data, _) = data.split_once("</script>").expect("its end");
    serde_json::from_str(data).expect("JSON")
}

#[test]
fn a_page_holds_the_plan() {
    let place = Place::new();
    let out = meshloom(&place, &["plan", "examples/gpt.loom", "--entry", "gpt", "--json", "--html", "gpt.html"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stderr.contains("Wrote gpt.html"), "{}", out.stderr);
    let page = held(&place, "gpt.html");
    let printed: Value = serde_json::from_str(&out.stdout).expect("JSON");
    let plan = &page["entries"][0]["plan"];
    for (key, value) in printed["entries"][0].as_object().expect("an object") {
        assert_eq!(&plan[key], value, "{key}");
    }
    let entry = &page["entries"][0];
    let all = |key: &Value| key.as_array().expect("a list").len();
    assert!(all(&entry["timeline"]["spans"]) > 20 && all(&entry["ops"]) > 20);
    // The fullest step is as full as the plan says, but for gaps and scratch memory.
    let peak = plan["totals"]["peak_bytes_per_device"].as_u64().expect("known");
    let n = |v: &Value| v.as_u64().expect("a number");
    assert_eq!(n(&entry["buffers"]["total"]), peak);
    let buffers = entry["buffers"]["all"].as_array().expect("a list");
    let live =
        |s: u64| buffers.iter().filter(move |b| (n(&b["first"])..=n(&b["last"])).contains(&s)).map(|b| n(&b["bytes"]));
    let fullest = (0..all(&entry["buffers"]["steps"]) as u64).map(|s| live(s).sum::<u64>()).max().unwrap_or(0);
    assert!(fullest <= peak && fullest > peak / 2, "{fullest} of {peak}");
}

#[test]
fn a_page_of_stages_has_the_actions_of_ranks() {
    let place = Place::new();
    let text = place.read("stages.loom");
    assert!(text.contains("@ pipe"));
    let out = meshloom(&place, &["plan", "stages.loom", "--mesh", "data=2,pipe=2", "--html", "stages.html", "--json"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let page = held(&place, "stages.html");
    let entry = &page["entries"][0];
    let pipeline = &entry["plan"]["pipeline"];
    let ranks = entry["ranks"].as_array().expect("a list");
    assert_eq!(ranks.len(), pipeline["ranks"].as_array().expect("a list").len());
    // Each rank computes each microbatch of its stages forward once.
    let microbatches = pipeline["microbatches"].as_u64().expect("a number") as usize;
    let forward = |rank: &Value| rank.as_array().expect("a list").iter().filter(|a| a["kind"] == "F").count();
    assert!(ranks.iter().all(|r| forward(r) >= microbatches), "{ranks:?}");
}

#[test]
fn a_page_that_cannot_be_written_is_told() {
    let place = Place::new();
    let out = meshloom(&place, &["plan", "small.loom", "--html", "nowhere/small.html"]);
    assert_eq!(out.code, 2, "{}", out.stderr);
    assert!(out.stderr.contains("nowhere/small.html: cannot be written"), "{}", out.stderr);
}

#[test]
fn pages_of_diff_and_explain_hold_what_is_printed() {
    let place = Place::new();
    let sides = ["diff", "examples/gpt.loom", "--entry", "gpt", "--layout-b", "fsdp", "--json", "--html", "diff.html"];
    let out = meshloom(&place, &sides);
    assert!(out.code == 1 && out.stderr.contains("Wrote diff.html"), "{}", out.stderr);
    let printed: Value = serde_json::from_str(&out.stdout).expect("JSON");
    let page = held(&place, "diff.html");
    assert_eq!(page["compared"]["differences"], printed["entries"]);
    let layout = |page: &Value| page["entries"][0]["layout"].as_str().map(str::to_owned);
    assert_eq!((layout(&page["compared"]["before"]), layout(&page)), (None, Some("fsdp".into())));
    let out = meshloom(&place, &["explain", "examples/gpt.loom", "#1", "--json", "--html", "explain.html"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let printed: Value = serde_json::from_str(&out.stdout).expect("JSON");
    let page = held(&place, "explain.html");
    assert_eq!(page["answer"]["tensor"], printed);
    assert_eq!(page["entries"][0]["plan"]["entry"], printed["entry"]);
}

#[test]
fn a_page_of_a_run_holds_what_was_measured() {
    let place = Place::new();
    let run =
        ["run", "stages.loom", "--mesh", "data=2,pipe=2", "--dim", "vocab=256", "--data", "small.loom", "--steps", "4"];
    let out = meshloom(&place, &[&run[..], &["--json", "--html", "run.html"]].concat());
    assert!(out.code == 0 && out.stderr.contains("Wrote run.html"), "{}", out.stderr);
    let printed: Vec<Value> = out.stdout.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let page = held(&place, "run.html");
    let measured = &page["measured"];
    assert_eq!(measured["entry"], page["entries"][0]["plan"]["entry"]);
    let steps = measured["steps"].as_array().expect("a list");
    assert_eq!(steps.len(), 4);
    for (shown, printed) in steps.iter().zip(&printed) {
        assert_eq!((&shown["step"], &shown["loss"]), (&printed["step"], &printed["loss"]));
    }
    let traced = &measured["traced"];
    assert_eq!((&traced["step"], &traced["devices"]), (&3.into(), &4.into()));
    let spans = traced["spans"].as_array().expect("a list");
    for what in ["kernel", "collective", "wire", "action"] {
        assert!(spans.iter().any(|s| s["what"] == what), "no {what}");
    }
    // Of a bundle there is the report of the plan.
    assert_eq!(meshloom(&place, &["compile", "small.loom", "-o", "small.loomx"]).code, 0);
    let out =
        meshloom(&place, &["run", "small.loomx", "--data", "small.loom", "--steps", "2", "--html", "bundle.html"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let page = held(&place, "bundle.html");
    assert_eq!(page["measured"]["steps"].as_array().map(Vec::len), Some(2));
    assert_eq!(page["entries"][0]["kind"], "plan");
    let out = meshloom(&place, &["run", "small.loom", "--html", "nowhere/run.html"]);
    assert!(out.code == 2 && out.stderr.contains("there is no folder nowhere"), "{}", out.stderr);
}
