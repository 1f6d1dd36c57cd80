//! Checkpoints and weights as users meet them: what is refused, what is kept, what Hugging Face wrote, and what is sampled from it.

use crate::support::{Output, Place, losses, meshloom, root};
use std::fs;
use std::path::Path;

const TRAIN: &[&str] = &["run", "small.loom", "--data", "small.loom", "--json"];

fn train(place: &Place, more: &[&str]) -> Output {
    let out = meshloom(place, &[TRAIN, more].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    out
}

/// One damage after the other to a copy of one checkpoint.
#[test]
fn damaged_checkpoints_are_refused_by_name() {
    let place = Place::new();
    train(&place, &["--steps", "2", "--save", "good"]);
    let bundle = meshloom(&place, &["compile", "small.loom", "--entry", "gpt", "-o", "small.loomx"]);
    assert_eq!(bundle.code, 0, "{}", bundle.stderr);
    let good = place.path().join("good/step-000002");
    type Damage<'a> = &'a dyn Fn(&Path);
    let change = |file: &'static str, f: fn(&mut Vec<u8>)| {
        move |at: &Path| {
            let mut bytes = fs::read(at.join(file)).expect("a file");
            f(&mut bytes);
            fs::write(at.join(file), bytes).expect("written");
        }
    };
    let flip = |b: &mut Vec<u8>| {
        let middle = b.len() / 2;
        b[middle] ^= 4;
    };
    let cut = |b: &mut Vec<u8>| b.truncate(b.len() - 1);
    let remove = |file: &'static str| move |at: &Path| fs::remove_file(at.join(file)).expect("removed");
    let cases: [(Damage, &str); 10] = [
        (
            &change("model.safetensors", flip),
            "model.safetensors: its sha256 differs from the manifest's: the file is damaged",
        ),
        (
            &change("state.safetensors", flip),
            "state.safetensors: its sha256 differs from the manifest's: the file is damaged",
        ),
        (&change("model.safetensors", cut), "bytes where the manifest says"),
        (&change("manifest.json", cut), "manifest.json: its sha256 is not the one in manifest.sha256"),
        (&change("manifest.sha256", flip), "manifest.json: its sha256 is not the one in manifest.sha256"),
        (&remove("model.safetensors"), "model.safetensors: is missing; the manifest lists it"),
        (&remove("state.safetensors"), "state.safetensors: is missing; the manifest lists it"),
        (&remove("manifest.json"), "manifest.json: no complete checkpoint: there is no manifest"),
        (&change("manifest.json", |b| b.clear()), "manifest.json: its sha256 is not the one in manifest.sha256"),
        (
            &change("manifest.json", |b| {
                *b = String::from_utf8_lossy(b).replace("\"format\": 3", "\"format\": 2").into()
            }),
            "manifest.json: format 2 where this version reads 3",
        ),
    ];
    for (damage, due) in cases {
        let copy = place.path().join("copy");
        let _ = fs::remove_dir_all(&copy);
        fs::create_dir(&copy).expect("a folder");
        for e in fs::read_dir(&good).expect("a folder").flatten() {
            fs::copy(e.path(), copy.join(e.file_name())).expect("a copy");
        }
        damage(&copy);
        let run = ["run", "small.loomx", "--data", "small.loom", "--steps", "3", "--resume", "copy"];
        let out = meshloom(&place, &run);
        assert!(out.code == 2 && out.stderr.contains(due), "{due}: {} {}", out.code, out.stderr);
    }
    // Somebody else's, whole as it is.
    let dims = ["--dim", "hidden=32"];
    let out = meshloom(&place, &[TRAIN, &["--steps", "3", "--resume", "good"], &dims].concat());
    let due = "model.safetensors: tensor `blocks.0.up`: expected f32[32, 32], found f32[32, 64]";
    assert!(out.code == 2 && out.stderr.contains(due), "{} {}", out.code, out.stderr);
}

/// A run that goes on needs no more than it says, keeps the newest checkpoints, and says when it reads other data.
#[test]
fn shards_and_the_newest() {
    let place = Place::new();
    let save = ["--save", "out", "--save-every", "1", "--save-keep", "2"];
    train(&place, &[&["--steps", "5"], &save[..]].concat());
    let mut names: Vec<String> = fs::read_dir(place.path().join("out"))
        .expect("a folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert_eq!(names, ["latest", "step-000004", "step-000005"]);
    let out = train(&place, &["--steps", "6", "--resume", "out", "--data", "wrong.loom"]);
    assert!(out.stderr.contains("warning: the checkpoint was trained on"), "{}", out.stderr);
    assert!(out.stderr.contains("it goes on at sample 20"), "{}", out.stderr);
}

/// Another learning rate is allowed, and said.
#[test]
fn other_settings_are_a_warning() {
    let place = Place::new();
    train(&place, &["--steps", "1", "--save", "out"]);
    let text = place.read("small.loom");
    let (before, rest) = text.split_once("lr: ").expect("a learning rate");
    let end = rest.find([',', ')']).expect("its end");
    fs::write(place.path().join("small.loom"), format!("{before}lr: 0.125{}", &rest[end..])).expect("written");
    let out = train(&place, &["--steps", "2", "--resume", "out"]);
    assert_eq!(&rest[..end], "3e-3");
    let due = "warning: out/step-000001: setting `lr` was `0.003`, and is `0.125`";
    assert!(out.stderr.contains(due), "{}", out.stderr);
    // What the command line changes is a difference as well, and what is the same is none.
    fs::write(place.path().join("small.loom"), text).expect("written");
    let out = train(&place, &["--steps", "2", "--resume", "out", "--dim", "batch=2", "--precision", "bf16"]);
    for due in ["constant `batch` was `4`, and is `2`", "setting `precision` was `f32`, and is `bf16`"] {
        assert!(out.stderr.contains(&format!("warning: out/step-000001: {due}")), "{due}: {}", out.stderr);
    }
    assert!(!out.stderr.contains("`lr`"), "{}", out.stderr);
}

/// Evaluation reads parameters and changes nothing.
#[test]
fn held_out_losses_touch_nothing() {
    let place = Place::new();
    let plain = train(&place, &["--steps", "5", "--save", "a"]);
    let eval = ["--eval-every", "2", "--eval-data", "wrong.loom", "--eval-batches", "2", "--metrics", "log.jsonl"];
    let with = train(&place, &[&["--steps", "5", "--save", "b"], &eval[..]].concat());
    assert_eq!(losses(&plain.stdout), losses(&with.stdout));
    for file in ["model.safetensors", "state.safetensors"] {
        let of = |dir: &str| fs::read(place.path().join(dir).join("step-000005").join(file)).expect("saved");
        assert_eq!(of("a"), of("b"), "{file}");
    }
    let log = place.read("log.jsonl");
    let lines: Vec<serde_json::Value> = log.lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    let steps: Vec<u64> =
        lines.iter().filter(|l| l["eval_loss"].is_f64()).map(|l| l["step"].as_u64().expect("a step")).collect();
    assert_eq!(steps, [2, 4, 5]);
    // Bytes before training: close to uniform.
    let first = lines[1]["eval_loss"].as_f64().expect("a loss");
    assert!((first - 256f64.ln()).abs() < 0.5, "{first}");
    let out = meshloom(&place, &[TRAIN, &["--eval-every", "2", "--eval-split", "0.001"]].concat());
    assert!(out.code == 2 && out.stderr.contains("no row is held out"), "{}", out.stderr);
}

/// The held-out loss of ten rows is that of ten rows, by batches of 4 and 3, of which the mask of a row counts what it says.
#[test]
fn all_held_out_rows_count() {
    let place = Place::new();
    let source = "dim batch = 4, n = 2\nstruct Net { w: f32[n] = zeros }\n\
                  fn loss(m: Net, x: f32[batch, n], y: f32[batch], keep: f32[batch]) -> f32 {\n    \
                  let e = dot(x, m.w) - y\n    metric(\"kept\", sum(keep))\n    sum(e * e * keep) / sum(keep)\n}\n\
                  train ev = sgd(loss, lr: 0.0)\n";
    fs::write(place.path().join("rows.loom"), source).expect("written");
    let y: Vec<f32> = (0..10).map(|i| i as f32).collect();
    let keep: Vec<f32> = (0..10).map(|i| (i % 3) as f32).collect();
    let npy = |name: &str, shape: &str, values: &[f32]| {
        let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({shape}), }}");
        header += &" ".repeat(63 - (10 + header.len()) % 64);
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        values.iter().for_each(|x| bytes.extend(x.to_le_bytes()));
        fs::write(place.path().join(name), bytes).expect("written");
    };
    npy("x.npy", "10, 2", &[0.5; 20]);
    npy("y.npy", "10,", &y);
    npy("keep.npy", "10,", &keep);
    let want = y.iter().zip(&keep).map(|(y, k)| y * y * k).sum::<f32>() / keep.iter().sum::<f32>();
    for (batch, all) in [("4", "all 10 rows count"), ("3", "all 10 rows count")] {
        let data = ["x=x.npy", "y=y.npy", "keep=keep.npy"];
        let dim = format!("batch={batch}");
        let run = ["run", "rows.loom", "--dim", &dim, "--steps", "1", "--eval-every", "1", "--metrics", "m.jsonl"];
        let out = meshloom(&place, &[&run[..], &["--data"], &data, &["--eval-data"], &data].concat());
        assert!(out.code == 0 && out.stderr.contains(all), "{}", out.stderr);
        let line: serde_json::Value = serde_json::from_str(&place.read("m.jsonl")).expect("a line of JSON");
        let (loss, kept) = (line["eval_loss"].as_f64().expect("a loss"), line["eval_kept"].as_f64());
        assert!((loss - f64::from(want)).abs() < 1e-4 && kept == Some(9.0), "batch {batch}: {line}");
    }
    let run = ["run", "rows.loom", "--steps", "1", "--eval-every", "1", "--eval-batches", "2"];
    // A loss that is no number ends the run, or is warned about.
    npy("bad.npy", "10,", &[f32::NAN; 10]);
    let bad = ["--data", "x=x.npy", "y=y.npy", "keep=keep.npy", "--eval-data", "x=x.npy", "y=bad.npy", "keep=keep.npy"];
    let out = meshloom(&place, &[&run[..], &bad].concat());
    assert!(out.code == 3 && out.stderr.contains("the held-out loss of step 1 is not finite"), "{}", out.stderr);
    assert!(out.stderr.contains("2 of 3 batches count"), "{}", out.stderr);
    let out = meshloom(&place, &[&run[..], &bad, &["--on-nonfinite", "continue"]].concat());
    assert!(out.code == 0 && out.stderr.contains("the held-out loss after step 1 is not finite"), "{}", out.stderr);
}

/// Hugging Face's GPT-2, in two files with an index, gives the logits that numpy computes; split over devices too.
#[test]
fn gpt2_of_hugging_face() {
    let place = Place::new();
    let hf = root().join("tests/data/hf/gpt2");
    let dims = "batch=2,seq=8,embed=16,heads=2,head=8,hidden=64,vocab=40,layers=2";
    for mesh in ["data=1", "data=2,model=2"] {
        let run = |load: &str| {
            let tokens = format!("tokens=@{}", hf.join("tokens.npy").display());
            let run = ["run", "examples/gpt2.loom", "--entry", "logits", "--dim", dims, "--mesh", mesh];
            let files = ["--rename", "examples/gpt2.rename", "--save-outputs", "out.safetensors", "--input", &tokens];
            meshloom(&place, &[&run[..], &files[..], &["--load", load]].concat())
        };
        let out = run(&hf.display().to_string());
        assert_eq!(out.code, 0, "{}", out.stderr);
        as_numpy(&place, &hf);
    }
    let copy = place.path().join("hf");
    fs::create_dir(&copy).expect("a folder");
    for name in ["model.safetensors.index.json", "model-00001-of-00002.safetensors"] {
        fs::copy(hf.join(name), copy.join(name)).expect("a copy");
    }
    let run = ["run", "examples/gpt2.loom", "--entry", "logits", "--dim", dims, "--mesh", "data=1", "--load", "hf"];
    let tokens = format!("tokens=@{}", hf.join("tokens.npy").display());
    let out = meshloom(&place, &[&run[..], &["--input", &tokens]].concat());
    let due = "error: hf/model-00002-of-00002.safetensors: cannot be read";
    assert!(out.code == 2 && out.stderr.contains(due), "{}", out.stderr);
    fs::copy(hf.join("model-00002-of-00002.safetensors"), copy.join("model-00002-of-00002.safetensors"))
        .expect("a copy");
    let out = meshloom(&place, &[&run[..], &["--input", &tokens]].concat());
    let due = "tensor `tok`: expected f32[40, 16], but the file has none of that name";
    assert!(out.code == 2 && out.stderr.contains(due), "{}", out.stderr);
}

/// What was trained here goes out under Hugging Face's names, and comes in by them to the same bits.
#[test]
fn a_model_goes_out_and_comes_in() {
    let place = Place::new();
    let hf = root().join("tests/data/hf/gpt2");
    let dims = "batch=2,seq=8,embed=16,heads=2,head=8,hidden=64,vocab=40,layers=2";
    let tokens = format!("tokens=@{}", hf.join("tokens.npy").display());
    let targets = format!("targets=@{}", hf.join("tokens.npy").display());
    let of = ["--dim", dims, "--mesh", "data=1", "--input", &tokens];
    let start = hf.display().to_string();
    let train = ["run", "examples/gpt2.loom", "--entry", "gpt2", "--input", &targets, "--steps", "1", "--save", "out"];
    let from = ["--load", &start, "--rename", "examples/gpt2.rename"];
    let out = meshloom(&place, &[&train[..], &of[..], &from[..]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let out = meshloom(&place, &["export", "out", "--rename", "examples/gpt2.rename", "-o", "tuned"]);
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stderr.contains("Exported 28 tensors, 0.0 MB, to tuned: model.safetensors"), "{}", out.stderr);
    let logits = |load: &[&str]| {
        let run = ["run", "examples/gpt2.loom", "--entry", "logits", "--save-outputs", "out.safetensors"];
        let out = meshloom(&place, &[&run[..], &of[..], load].concat());
        assert_eq!(out.code, 0, "{}", out.stderr);
        fs::read(place.path().join("out.safetensors")).expect("written")
    };
    let trained = logits(&["--load", "out"]);
    assert!(trained == logits(&["--load", "tuned", "--rename", "examples/gpt2.rename"]));
    assert!(trained != logits(&from));
    let out = meshloom(&place, &["export", "out", "--rename", "examples/gpt2.rename", "-o", "tuned"]);
    assert!(out.code == 2 && out.stderr.contains("tuned/model.safetensors: exists already"), "{}", out.stderr);
}

/// Compares the saved output with the logits beside a checkpoint.
fn as_numpy(place: &Place, hf: &Path) {
    let bytes = fs::read(place.path().join("out.safetensors")).expect("written");
    let found = safetensors::SafeTensors::deserialize(&bytes).expect("safetensors");
    let found = found.tensor("out").expect("logits").data().to_vec();
    let file = fs::read(hf.join("logits.npy")).expect("the oracle");
    let due = &file[file.len() - found.len()..];
    for (a, b) in found.as_chunks::<4>().0.iter().zip(due.as_chunks::<4>().0) {
        let (a, b) = (f32::from_le_bytes(*a), f32::from_le_bytes(*b));
        assert!((a - b).abs() < 1e-4 * (1.0 + b.abs()), "{a} where {b} is due");
    }
}

/// Llama's weights are bf16 in the file and f32 in the program.
#[test]
fn llama_of_hugging_face() {
    let place = Place::new();
    let hf = root().join("tests/data/hf/llama");
    let (load, tokens) = (hf.display().to_string(), format!("tokens=@{}", hf.join("tokens.npy").display()));
    for mesh in ["data=1", "model=2"] {
        let run = ["run", "llama.loom", "--entry", "next", "--mesh", mesh, "--input", &tokens];
        let files = ["--load", &load, "--rename", "examples/llama.rename", "--save-outputs", "out.safetensors"];
        let out = meshloom(&place, &[&run[..], &files[..]].concat());
        assert_eq!(out.code, 0, "{}", out.stderr);
        as_numpy(&place, &hf);
    }
}

/// A cache gives the text that a whole window gives, on every mesh.
#[test]
fn a_cache_writes_the_same_text() {
    let place = Place::new();
    train(&place, &["--steps", "30", "--save", "out"]);
    let write = |entry: &str, mesh: &str, more: &[&str]| {
        let run = ["run", "small.loom", "--entry", entry, "--mesh", mesh, "--load", "out", "--prompt", "let "];
        let out = meshloom(&place, &[&run[..], more].concat());
        assert_eq!(out.code, 0, "{}", out.stderr);
        out.stdout
    };
    let greedy = ["--max-tokens", "12", "--temperature", "0"];
    let window = write("next", "data=1", &greedy);
    assert_eq!(window.len(), 17);
    for mesh in ["data=1", "model=2", "data=2,model=2"] {
        assert_eq!(write("generate", mesh, &greedy), window, "{mesh}");
    }
    // Longer than the cache; seeded.
    let long = |seed: &str, mesh: &str| {
        write("generate", mesh, &["--max-tokens", "40", "--seed", seed, "--top-k", "50", "--top-p", "0.9"])
    };
    let text = long("7", "data=1");
    assert_eq!(text, long("7", "model=2"));
    assert_ne!(text, long("8", "data=1"));
}
