//! Pipeline stages as users ask for them: in the source, and on the command line.

use crate::support::{Output, Place, assert_close, losses, meshloom, named_losses, root};
use serde_json::Value;

const MESH: [&str; 4] = ["--mesh", "data=2,pipe=2", "--plan", "follow"];

fn ok(place: &Place, args: &[&str]) -> Output {
    let out = meshloom(place, args);
    assert_eq!(out.code, 0, "{args:?}\n{}", out.stderr);
    out
}

fn plan(place: &Place, args: &[&str]) -> Value {
    let out = ok(place, &[&["plan", "stages.loom", "--json"], args].concat());
    let plan: Value = serde_json::from_str(&out.stdout).expect("JSON");
    plan["entries"][0].clone()
}

#[test]
fn plans_have_a_row_for_each_rank() {
    let place = Place::new();
    let json = plan(&place, &MESH);
    let pipeline = &json["pipeline"];
    assert_eq!((pipeline["list"].as_str(), pipeline["axis"].as_str()), (Some("blocks"), Some("pipe")));
    assert_eq!((pipeline["schedule"].as_str(), pipeline["microbatches"].as_u64()), (Some("1f1b"), Some(4)));
    let ranks = pipeline["ranks"].as_array().expect("ranks");
    assert_eq!(ranks.len(), 2);
    let bytes: Vec<u64> = ranks.iter().map(|r| r["bytes_per_device"].as_u64().expect("bytes")).collect();
    assert_eq!(json["totals"]["peak_bytes_per_device"].as_u64(), bytes.iter().max().copied());
    assert_eq!(json["mesh"]["devices"].as_u64(), Some(4));
    // 1F1B with p ranks and m microbatches: (p - 1) / (m + p - 1).
    assert_eq!(pipeline["bubble"].as_f64(), Some(0.2));
    let other = plan(&place, &[&MESH[..], &["--schedule", "zb-h2"]].concat());
    assert_eq!(other["pipeline"]["schedule"].as_str(), Some("zb-h2"));
    assert!(other["pipeline"]["bubble"].as_f64() < Some(0.2));
    let none = plan(&place, &["--mesh", "data=2", "--plan", "follow"]);
    assert!(none["pipeline"].is_null(), "one device on the axis");
    for args in [&["inspect", "stages.loom", "--tensor", "blocks.*.wq"][..], &["explain", "stages.loom", "wte"]] {
        ok(&place, &[args, &MESH].concat());
    }
}

#[test]
fn explain_says_why_a_layer_is_in_its_stage() {
    let place = Place::new();
    let ask = |what: &str| meshloom(&place, &[&["explain", "stages.loom", what, "--json"][..], &MESH].concat());
    let json: Value = serde_json::from_str(&ask("blocks[1]").stdout).expect("JSON");
    let total = plan(&place, &MESH)["totals"]["peak_bytes_per_device"].as_u64();
    let (step, moves) = (json["predicted_step_us"].as_f64(), json["moves"].as_array().expect("moves"));
    assert_eq!((json["stage"].as_u64(), json["rank"].as_u64()), (Some(0), Some(0)));
    // What a move promises is what the source then gives.
    let moved = moves.iter().find(|m| m["begins"] == "later").expect("the second stage can begin later");
    assert_ne!(moved["predicted_step_us"].as_f64(), step);
    let sizes: Vec<String> = moved["sizes"].as_array().expect("sizes").iter().map(Value::to_string).collect();
    let source = std::fs::read_to_string(place.path().join("stages.loom")).expect("the source");
    std::fs::write(
        place.path().join("stages.loom"),
        source.replace("@ pipe", &format!("@ pipe({})", sizes.join(", "))),
    )
    .expect("the source");
    let then: Value = serde_json::from_str(&ask("blocks[1]").stdout).expect("JSON");
    assert_eq!(then["decided_by"], "source");
    assert_eq!(then["predicted_step_us"], moved["predicted_step_us"]);
    let peak = plan(&place, &MESH)["totals"]["peak_bytes_per_device"].as_u64();
    assert_eq!(peak, moved["peak_bytes_per_device"].as_u64());
    assert_ne!(peak, total);
    let none = ask("blocks[4]");
    assert_eq!((none.code, none.stderr.contains("blocks[0] to blocks[3]")), (1, true), "{}", none.stderr);
}

/// A rank holds some layers and several microbatches, so what all layers would take is not asked.
#[test]
fn a_budget_is_held_against_the_rank_that_holds_most() {
    let place = Place::new();
    let peak = |p: &Value| p["totals"]["peak_bytes_per_device"].as_u64().expect("a peak");
    let free = plan(&place, &["--mesh", "pipe=2"]);
    let budget = peak(&free) * 9 / 10;
    let less = plan(&place, &["--mesh", "pipe=2", "--budget", &format!("{} KiB", budget / 1024)]);
    let recomputed =
        |p: &Value| p["stashes"].as_array().expect("stashes").iter().filter(|s| s["recomputed"] == true).count();
    assert!(peak(&less) <= budget, "{} of {budget}", peak(&less));
    assert!(recomputed(&free) == 0 && recomputed(&less) > 0, "{} and {}", recomputed(&free), recomputed(&less));
}

#[test]
fn a_bundle_with_stages_is_proved() {
    let place = Place::new();
    ok(&place, &[&["compile", "stages.loom", "-o", "x.loomx", "--cpu", "native"], &MESH[..]].concat());
    let out = ok(&place, &["verify", "stages.loom", "x.loomx"]);
    assert!(out.stderr.contains("Proved"), "{}", out.stderr);
    // Another order of the same actions is another program.
    ok(
        &place,
        &[&["compile", "stages.loom", "-o", "y.loomx", "--cpu", "native", "--schedule", "zb-h1"], &MESH[..]].concat(),
    );
    let other = meshloom(&place, &["verify", "stages.loom", "y.loomx", "--kernels", "skip"]);
    assert_eq!((other.code, other.stderr.contains("its table")), (1, true), "{}", other.stderr);
    ok(&place, &["verify", "stages.loom", "y.loomx", "--schedule", "zb-h1", "--kernels", "skip"]);
}

#[test]
fn tables_are_files_beside_the_source() {
    let place = Place::new();
    let folder = place.path().join("tables");
    std::fs::create_dir(&folder).expect("a folder");
    // GPipe with backwards in the order of the forwards.
    let table = "0F0,0F1,0F2,0F3,,0B0,0B1,0B2,0B3\n,1F0,1F1,1F2,1F3,1B0,1B1,1B2,1B3\n";
    std::fs::write(folder.join("mine.csv"), table).expect("writes");
    let text = place.read("stages.loom").replace("accumulate: 4", "accumulate: 4, schedule: \"tables/mine.csv\"");
    std::fs::write(place.path().join("stages.loom"), text).expect("writes");
    let json = plan(&place, &MESH);
    assert_eq!(json["pipeline"]["schedule"].as_str(), Some("tables/mine.csv"));
    assert_eq!(json["pipeline"]["ranks"][1]["activations_in_flight"].as_u64(), Some(4));
    // The command line goes before; its paths are as they stand there.
    let given = plan(&place, &[&MESH[..], &["--schedule", "1f1b"]].concat());
    assert_eq!(given["pipeline"]["schedule"].as_str(), Some("1f1b"));
    std::fs::write(folder.join("mine.csv"), table.replace("1F0", "1Q0")).expect("writes");
    let wrong = meshloom(&place, &[&["check", "stages.loom"], &MESH[..]].concat());
    assert_eq!(wrong.code, 1, "{}", wrong.stderr);
    assert!(wrong.stderr.contains("tables/mine.csv:2:2"), "{}", wrong.stderr);
    let none = meshloom(&place, &[&["check", "stages.loom", "--schedule", "none.csv"], &MESH[..]].concat());
    assert_eq!((none.code, none.stderr.contains("none.csv")), (2, true), "{}", none.stderr);
}

/// The actions that ran in a traced step, by rank of the pipeline, in the table's words.
fn ran(place: &Place) -> Vec<String> {
    let trace: Value = serde_json::from_str(&place.read("trace.json")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let tracks = events.iter().filter(|e| e["name"] == "thread_name");
    let of = |e: &Value| {
        let mut actions: Vec<&Value> = events.iter().filter(|a| a["cat"] == "action" && a["tid"] == e["tid"]).collect();
        actions.sort_by(|a, b| a["ts"].as_f64().partial_cmp(&b["ts"].as_f64()).expect("times"));
        actions.iter().map(|a| a["name"].as_str().expect("a name")).collect::<Vec<_>>().join(",")
    };
    assert!(trace["otherData"]["stages"][0]["idle"].as_f64().is_some(), "what was measured is there too");
    tracks.map(of).filter(|row| !row.is_empty()).collect()
}

/// The rows of a schedule for two ranks and four microbatches, without idle cells.
fn table(place: &Place, schedule: &[&str]) -> Vec<String> {
    let sizes = ["--ranks", "2", "--microbatches", "4", "--csv"];
    let out = ok(place, &[&["schedule"], schedule, &sizes[..]].concat());
    let cells = |row: &str| row.split(',').filter(|c| !c.trim().is_empty()).collect::<Vec<_>>().join(",");
    out.stdout
        .lines()
        .map(|row| cells(&row.replace(['(', ')'], "").replace("OVERLAP_F_B", "").replace(';', ",")))
        .collect()
}

#[test]
fn stages_train_as_one_device_and_any_mesh_goes_on() {
    let place = Place::new();
    let train = ["--random-inputs", "0", "--json", "--threads", "1"];
    let run = |mesh: &str, more: &[&str]| {
        let out = ok(&place, &[&["run", "stages.loom", "--mesh", mesh][..], &train, more].concat());
        assert_eq!(mesh.contains("pipe"), out.stderr.contains("Stages in the mean of"), "{}", out.stderr);
        losses(&out.stdout)
    };
    let alone = run("data=1", &["--steps", "4"]);
    for schedule in ["1f1b", "zb-h1"] {
        let two = run("data=2,pipe=2", &["--schedule", schedule, "--steps", "4", "--trace", "trace.json"]);
        assert_close(&two, &alone, 1e-5);
        assert_eq!(ran(&place), table(&place, &[schedule]));
    }
    let looped = run(
        "pipe=2",
        &["--schedule", "interleaved", "--virtual", "2", "--steps", "2", "--save", "out", "--trace", "trace.json"],
    );
    assert_eq!(ran(&place), table(&place, &["interleaved", "--virtual", "2"]));
    assert_close(&looped, &alone[..2], 1e-5);
    // A checkpoint is that of the whole model.
    assert_close(&run("data=2", &["--resume", "out", "--steps", "4"]), &alone[2..], 1e-5);
    assert_close(&run("data=2,pipe=2", &["--resume", "out", "--steps", "4"]), &alone[2..], 1e-5);

    ok(&place, &["compile", "stages.loom", "-o", "m.loomx", "--cpu", "native", "--mesh", "data=2,pipe=2"]);
    for ranks in ["2", "4"] {
        let launch = ["launch", "--nproc-per-node", ranks, "m.loomx", "--steps", "4"];
        assert_close(&losses(&ok(&place, &[&launch[..], &train].concat()).stdout), &alone, 1e-5);
    }
}

/// The held-out loss is computed in the stages of the step, each of which has its layers alone.
#[test]
fn the_held_out_loss_is_computed_in_stages() {
    let place = Place::new();
    let text = place.read("stages.loom").replace("vocab = 32", "vocab = 256");
    std::fs::write(place.path().join("stages.loom"), &text).expect("writes");
    let held_out = |command: &[&str]| -> Vec<f64> {
        let options = ["--data", "stages.loom", "--steps", "2", "--eval-every", "1", "--eval-batches", "2"];
        let out = ok(&place, &[command, &options, &["--json", "--threads", "1"]].concat());
        let loss = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["eval_loss"].as_f64();
        out.stdout.lines().filter_map(loss).collect()
    };
    let alone = held_out(&["run", "stages.loom", "--mesh", "data=1"]);
    assert_eq!(alone.len(), 2);
    // Microbatches of `dualpipe` go both ways, those of the loss one.
    for schedule in ["interleaved", "dualpipe"] {
        let options = ["--mesh", "data=2,pipe=2", "--schedule", schedule];
        ok(&place, &[&["compile", "stages.loom", "-o", "m.loomx", "--cpu", "native", "--eval"], &options[..]].concat());
        let bytes = std::fs::read(place.path().join("m.loomx")).expect("written");
        let bundle = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
        let layers = |entry: &str| {
            let of = bundle.entry(entry).and_then(|e| e.pipeline.as_ref()).expect("stages");
            let ports = |r: &meshloom_bundle::Program| {
                let own = r.ports.iter().filter(|p| p.name == "blocks.*.wq" && p.alias.is_none());
                own.map(|p| (p.first_layer, p.global_shape[0])).collect::<Vec<_>>()
            };
            of.ranks.iter().map(ports).collect::<Vec<_>>()
        };
        assert_eq!(layers("gpt.eval").iter().flatten().map(|l| l.1).sum::<u64>(), 4);
        assert_eq!(layers("gpt.eval"), layers("gpt"));
        let found = [held_out(&["run", "m.loomx"]), held_out(&["launch", "--nproc-per-node", "2", "m.loomx"])];
        found.iter().for_each(|losses| assert_close(losses, &alone, 1e-5));
        let out = ok(&place, &["verify", "stages.loom", "m.loomx", "--schedule", schedule, "--kernels", "skip"]);
        assert_eq!(out.stderr.matches("agree with").count(), 2, "{}", out.stderr);
    }
}

/// What `--pipe` needs of a step that JAX lowered, and what has stages of its own.
#[test]
fn steps_without_the_loops_of_stages_are_refused() {
    let place = Place::new();
    let dumps = root().join("tests/data/stablehlo");
    let refused = |args: &[&str], said: &[&str]| {
        let out = meshloom(&place, &[&["check"], args].concat());
        assert_eq!(out.code, 1, "{args:?}: {}", out.stderr);
        said.iter().for_each(|s| assert!(out.stderr.contains(s), "{s}: {}", out.stderr));
    };
    let (scan, mlp) = (dumps.join("models/scan.mlir"), dumps.join("mlp.dp8.mlir"));
    let (scan, mlp) = (scan.to_str().expect("a path"), mlp.to_str().expect("a path"));
    let on = |mesh: &'static str| ["--mesh", mesh, "--pipe", "pipe"];
    let help = "`lax.scan` over microbatches";
    refused(&[&[scan], &on("data=2,pipe=2")[..]].concat(), &["is in no loop over microbatches", "scan.mlir:", help]);
    refused(&[&[mlp], &on("data=2,pipe=2")[..]].concat(), &["no loop over layers has a backward pass", "`lax.scan`"]);
    refused(&[&[scan], &on("data=2")[..]].concat(), &["the mesh has no axis `pipe`", "--mesh pipe=2"]);
    refused(&[scan, "--schedule", "1f1b"], &["--schedule: the step is not split into stages", "--pipe AXIS"]);
    refused(&[&["stages.loom"], &on("pipe=2")[..]].concat(), &["--pipe is for StableHLO programs", "@ pipe"]);
    let bubbles = ["--schedule", "interleaved", "--virtual", "3"];
    let accumulated = dumps.join("models/accumulated.mlir");
    let accumulated = accumulated.to_str().expect("a path");
    refused(&[&[accumulated], &on("pipe=2")[..], &bubbles].concat(), &["has 4 layers, and there are 6 stages"]);
    let sizes = |sizes: &'static str| [&[accumulated], &on("pipe=2")[..], &["--stages", sizes]].concat();
    refused(&sizes("4"), &["--stages: 1 size for 2 stages (2 ranks of axis `pipe`)", "without --stages"]);
    refused(&sizes("1,2"), &["--stages: the stages have 3 layers, and `*` has 4"]);
    refused(&[scan, "--stages", "1,3"], &["--stages: the step is not split into stages", "--pipe AXIS"]);
}

/// An entry that scores text runs in stages too, and text is what one device writes. One that keeps a cache runs on all devices.
#[test]
fn text_is_written_in_stages() {
    let place = Place::new();
    let text = place.read("small.loom").replace("model: 2]", "model: 2, pipe: 1]");
    let text = text.replace("[Block; layers],", "[Block; layers] @ pipe,");
    std::fs::write(place.path().join("small.loom"), text.replace("clip: 1.0)", "clip: 1.0, accumulate: 4)"))
        .expect("writes");
    let train = ["--data", "small.loom", "--steps", "12", "--save", "out", "--threads", "1"];
    ok(&place, &[&["compile", "small.loom", "--mesh", "pipe=2", "--cpu", "native", "-o", "m.loomx"][..]].concat());
    ok(&place, &[&["launch", "m.loomx"], &train[..]].concat());
    let bytes = std::fs::read(place.path().join("m.loomx")).expect("written");
    let bundle = meshloom_bundle::Bundle::read(&bytes).expect("a bundle");
    let staged = |entry: &str| bundle.entry(entry).expect("an entry").pipeline.is_some();
    assert_eq!(["gpt", "next", "generate"].map(staged), [true, true, false]);
    let write = |command: &[&str], entry: &str| {
        let options =
            ["--entry", entry, "--load", "out", "--prompt", "let ", "--max-tokens", "12", "--temperature", "0"];
        ok(&place, &[command, &options].concat()).stdout
    };
    let alone = write(&["run", "small.loom", "--mesh", "data=1"], "next");
    assert_eq!(alone.len(), 17, "{alone}");
    for entry in ["next", "generate"] {
        assert_eq!(write(&["run", "m.loomx"], entry), alone, "{entry}");
        assert_eq!(write(&["launch", "m.loomx"], entry), alone, "{entry}");
    }
    let out = ok(&place, &["verify", "small.loom", "m.loomx", "--kernels", "skip"]);
    assert_eq!(out.stderr.matches("agree with").count(), 3, "{}", out.stderr);
}

/// Where only the first stage has too little room for whole weights, it gathers them for each microbatch, and the others once.
#[test]
fn the_search_gives_stages_layouts_of_their_own() {
    let place = Place::new();
    let text = std::fs::read_to_string(root().join("tests/filetests/plan/stages_layouts_chosen.loom")).expect("a test");
    let source = text.split("// ----- expect").next().expect("a source");
    std::fs::write(place.path().join("stages.loom"), source).expect("writes");
    let budget = ["--budget", "2560KiB"];
    let chosen = plan(&place, &budget);
    let alike = plan(&place, &[&budget[..], &["--without-variant", "layouts-by-stage"]].concat());
    let step = |plan: &Value| plan["totals"]["predicted_step_us"].as_f64().expect("a step");
    assert!(step(&chosen) < 0.95 * step(&alike), "{} and {}", step(&chosen), step(&alike));
    for plan in [&chosen, &alike] {
        assert!(plan["totals"]["peak_bytes_per_device"].as_u64() <= Some(2560 << 10));
    }
    // A part is asked about as the report writes it, and by each of its layers.
    let explained = |what: &str| ok(&place, &[&["explain", "stages.loom", what], &budget[..]].concat()).stdout;
    let first = explained("layers[0..2].down");
    for said in [
        "the search planned layers 0 to 1 of `layers` apart: their stages hold more microbatches",
        "layers[2..8].down lies [_, _, data]",
        "all layers alike",
        "--without-variant layouts-by-stage",
    ] {
        assert!(first.contains(said), "{said}: {first}");
    }
    let later = explained("layers[5].down");
    assert!(later.starts_with("layers[2..8].down:") && later.contains("their stages have more room"), "{later}");
    let layer = explained("layers[5]");
    assert!(layer.contains("the search planned layers 2 to 7 apart"), "{layer}");
    let built = [&["compile", "stages.loom", "-o", "m.loomx", "--cpu", "native"], &budget[..]].concat();
    ok(&place, &built);
    let data = ["--input", "x=det:uniform:x:1", "--input", "y=det:tokens:y:512"];
    let train = [&data[..], &["--steps", "3", "--json", "--threads", "2"]].concat();
    let trained = |command: &[&str]| losses(&ok(&place, &[command, &train].concat()).stdout);
    let want = trained(&["run", "stages.loom", "--mesh", "data=1"]);
    for found in [&["run", "m.loomx"][..], &["launch", "--nproc-per-node", "4", "m.loomx"]].map(trained) {
        assert_close(&found, &want, 1e-5);
    }
    // The source says nothing of parts, and the bundle is held against it all the same.
    let out = ok(&place, &["verify", "stages.loom", "m.loomx", "--kernels", "skip"]);
    assert!(out.stderr.contains("Proved"), "{}", out.stderr);
}

/// Layers that the search planned apart evaluate as one device does. A budget between those of two plans is met by the smaller one, one
/// below both by recomputing all layers, and one below all is answered with a mesh that fits.
#[test]
fn layers_apart_are_evaluated_and_budgets_below_them_met() {
    let place = Place::new();
    let tight = |kib: &str| meshloom(&place, &["plan", "stages_apart.loom", "--budget", kib]);
    let (apart, alike) = (tight("2600KiB").stdout, tight("2200KiB").stdout);
    assert!(apart.contains("layers[0..2].up") && alike.contains("layers.*.up"), "{apart}\n{alike}");
    let recomputed = meshloom(&place, &["explain", "stages_apart.loom", "tried", "--budget", "1400KiB"]).stdout;
    let taken = |l: &str| l.trim_start().starts_with("recompute-layers") && l.contains("taken");
    assert!(recomputed.lines().any(taken), "{recomputed}");
    let none = tight("1200KiB");
    assert!(none.code == 4 && none.stderr.contains("--mesh data=16: 986 KiB per device, fits"), "{}", none.stderr);
    let built = ["compile", "stages_apart.loom", "--budget", "2600KiB", "-o", "m.loomx", "--cpu", "native", "--eval"];
    ok(&place, &built);
    std::fs::write(place.path().join("text.txt"), "the same words, again and again ".repeat(3000)).expect("writes");
    let held_out = |command: &[&str]| -> Vec<f64> {
        let options = ["--data", "text.txt", "--steps", "2", "--eval-every", "1", "--eval-batches", "1", "--json"];
        let out = ok(&place, &[command, &options].concat());
        let loss = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["eval_loss"].as_f64();
        out.stdout.lines().filter_map(loss).collect()
    };
    let alone = held_out(&["run", "stages_apart.loom", "--mesh", "data=1"]);
    let found = held_out(&["run", "m.loomx"]);
    assert_eq!((alone.len(), found.len()), (2, 2));
    assert_close(&found, &alone, 1e-5);
}

/// An embedding that is the head too is on two stages, and its gradients are summed; scale and norm of gradients are of all stages, and
/// an update that overflows anywhere is dropped everywhere.
#[test]
fn tied_embeddings_and_loss_scales_go_over_stages() {
    let place = Place::new();
    let text = place.read("stages.loom").replace("    head:  f32[d, vocab] = uniform(0.034641016151377546),\n", "");
    let text = text.replace("dot(x, m.head)", "einsum(\"bsd,vd->bsv\", x, m.wte)");
    let scaled = "accumulate: 4, clip: 1.0, precision: f16, loss_scale: dynamic(start: 4194304)";
    std::fs::write(place.path().join("tied.loom"), text.replace("accumulate: 4", scaled)).expect("writes");
    let data = ["--input", "tokens=det:tokens:a:32", "--input", "targets=det:tokens:b:32"];
    let trained = |mesh: &str, name: &str| {
        let run = ["run", "tied.loom", "--mesh", mesh, "--steps", "8", "--json", "--threads", "1"];
        named_losses(&ok(&place, &[&run[..], &data].concat()).stdout, name)
    };
    let scales = trained("data=1,pipe=1", "loss_scale");
    assert!(scales.first() > scales.last() && scales[6] == scales[7], "it overflows, and then trains: {scales:?}");
    for mesh in ["data=1,pipe=2", "data=2,pipe=4"] {
        assert_eq!(trained(mesh, "loss_scale"), scales, "{mesh}");
        // Sums of numbers in f16 come in another order.
        assert_close(&trained(mesh, "loss"), &trained("data=1,pipe=1", "loss"), 1e-4);
    }
}
