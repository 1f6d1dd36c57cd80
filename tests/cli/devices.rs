//! `plan --devices N`: a mesh from a number of devices.

use crate::support::{Place, meshloom};
use serde_json::Value;

/// A model that names no axis.
const NET: &str = "dim batch = 8, n = 64
struct Layer { w: f32[n, n] = normal(0.1) }
struct Net { layers: [Layer; 4] }
fn loss(m: Net, x: f32[batch, n]) -> f32 {
    for p in m.layers { x = tanh(dot(x, p.w)) }
    mean(x * x)
}
train net = sgd(loss, lr: 0.1)
";

fn place() -> Place {
    let place = Place::new();
    std::fs::write(place.path().join("net.loom"), NET).expect("writes");
    place
}

fn json(place: &Place, args: &[&str]) -> Value {
    let args = [&["plan", "--target", "h100-sxm", "--json"], args].concat();
    let out = meshloom(place, &args);
    assert_eq!(out.code, 0, "{args:?}\n{}", out.stderr);
    serde_json::from_str(&out.stdout).expect("JSON")
}

/// The text with the lines of a plan, as a person writes them into it.
fn fixed(plan: &Value) -> String {
    let lines: Vec<&str> = plan["source"].as_array().expect("lines").iter().filter_map(Value::as_str).collect();
    lines.iter().fold(NET.to_owned(), |text, line| match line {
        l if l.starts_with("mesh [") => format!("{l}\n{text}"),
        l if l.starts_with("layers:") => text.replace("layers: [Layer; 4]", l),
        settings => text.replace("lr: 0.1)", &format!("lr: 0.1, {settings})")),
    })
}

#[test]
fn what_is_printed_is_what_a_source_then_plans() {
    let place = place();
    let chosen = json(&place, &["net.loom", "--devices", "4"]);
    let plans = chosen["plans"].as_array().expect("plans");
    let step = |p: &Value| p["step_us"].as_f64().expect("a step");
    assert!((2..=5).contains(&plans.len()) && plans.iter().map(step).is_sorted(), "{chosen}");
    let stay = json(&place, &["net.loom", "--devices", "4", "--mesh", "pipe=2,model=1", "--schedule", "1f1b"]);
    let stay = stay["plans"].as_array().expect("plans").clone();
    assert!(!stay.is_empty());
    for p in &stay {
        let axes: Vec<(&str, u64)> = p["mesh"]
            .as_array()
            .expect("axes")
            .iter()
            .filter_map(|a| Some((a["name"].as_str()?, a["size"].as_u64()?)))
            .collect();
        assert_eq!((axes, p["schedule"].as_str()), (vec![("pipe", 2), ("data", 2), ("model", 1)], Some("1f1b")));
    }
    for (i, p) in [&plans[0], &stay[0]].into_iter().enumerate() {
        let (file, text) = (format!("fixed{i}.loom"), fixed(p));
        std::fs::write(place.path().join(&file), &text).expect("writes");
        let plan = &json(&place, &[&file])["entries"][0];
        assert_eq!(plan["totals"]["predicted_step_us"].as_f64(), Some(step(p)), "{text}");
        assert_eq!(plan["totals"]["peak_bytes_per_device"], p["peak_bytes_per_device"], "{text}");
    }
}

#[test]
fn numbers_without_a_mesh_are_refused_with_a_way_out() {
    let place = place();
    std::fs::write(place.path().join("none.loom"), NET.split("train ").next().expect("a text")).expect("writes");
    for (file, args, code, says) in [
        ("net.loom", &["--devices", "0"][..], 1, "at least one device"),
        ("net.loom", &["--devices", "12"], 1, "use 8 or 16 devices"),
        ("net.loom", &["--devices", "7"], 1, "there is one of 6 or 8 devices"),
        ("net.loom", &["--devices", "8", "--mesh", "heads=2"], 1, "its axes: data, model, pipe"),
        ("net.loom", &["--devices", "8", "--schedule", "mine"], 1, "one of 1f1b"),
        ("net.loom", &["--devices", "2", "--mesh", "pipe=2", "--budget", "1KiB"], 4, "the nearest, pipe=2,data=1"),
        ("none.loom", &["--devices", "8"], 1, "has no `train`"),
    ] {
        let out = meshloom(&place, &[&["plan", file, "--target", "h100-sxm"], args].concat());
        assert_eq!(out.code, code, "{args:?}: {}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}: {}", out.stderr);
    }
}

#[test]
fn a_sweep_lists_what_fits_by_speed() {
    let place = place();
    let swept = |args: &[&str]| {
        let out = meshloom(&place, &[&["sweep", "net.loom", "--target", "h100-sxm", "--devices", "4"], args].concat());
        assert_eq!(out.code, 0, "{}", out.stderr);
        out.stdout
    };
    let all: Value = serde_json::from_str(&swept(&["--json", "--plans", "4"])).expect("JSON");
    let rows = all["strategies"].as_array().expect("rows");
    let planned: Vec<&Value> = rows.iter().filter(|r| r["figures"] == "plan").collect();
    assert!(rows.len() > planned.len() && !planned.is_empty() && planned.len() <= 4, "{all}");
    let key = |r: &Value| (r["fits"] == false, -r["tokens_per_second"].as_f64().expect("a rate").floor());
    assert!(rows.iter().map(key).is_sorted_by(|a, b| a <= b), "{all}");
    for r in rows {
        let sizes = r["mesh"].as_array().expect("axes").iter().filter_map(|a| a["size"].as_u64());
        assert_eq!(sizes.product::<u64>(), 4, "{r}");
    }
    // What is said to be planned is what the source then plans.
    std::fs::write(place.path().join("fixed.loom"), fixed(planned[0])).expect("writes");
    let plan = &json(&place, &["fixed.loom"])["entries"][0];
    assert_eq!(plan["totals"]["predicted_step_us"], planned[0]["step_us"]);
    assert_eq!(plan["totals"]["peak_bytes_per_device"], planned[0]["peak_bytes_per_device"]);
    let text = swept(&["--budget", "1KiB", "--plans", "2"]);
    let rows = text.lines().filter(|l| l.contains(" does not fit ")).count();
    assert!(rows > 2 && !text.contains(" yes "), "{text}");
    let out = meshloom(&place, &["sweep", "net.loom", "--target", "h100-sxm", "--devices", "7"]);
    assert!(out.code == 1 && out.stderr.contains("there is one of 6 or 8 devices"), "{}", out.stderr);
}
