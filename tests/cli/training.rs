//! `meshloom run`, against what JAX computed, and what stays on disk afterwards.

use crate::support::{Place, assert_close, finish, losses, meshloom, mixed_losses, oracle, oracle_losses};
use std::process::Stdio;
use std::time::Duration;

fn run<'a>(example: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["run", example, "--steps", "5", "--json"], more].concat()
}

/// The oracle's five steps on a mesh.
fn reproduces(workload: &str, example: &str, inputs: [(&str, &str); 2], mesh: &[&str]) {
    let place = Place::new();
    let params = oracle(&format!("{workload}/params.safetensors"));
    let inputs = inputs.map(|(name, file)| format!("{name}=@{}", oracle(&format!("{workload}/{file}"))));
    let more = ["--load", &params, "--input", &inputs[0], "--input", &inputs[1]];
    let out = meshloom(&place, &[&run(example, &more)[..], mesh].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert_close(&losses(&out.stdout), &oracle_losses(workload), 1e-5);
}

const MLP: [(&str, &str); 2] = [("x", "x.npy"), ("y", "y.npy")];
const GPT: [(&str, &str); 2] = [("tokens", "tokens.npy"), ("targets", "targets.npy")];

#[test]
fn mlp_as_jax() {
    reproduces("mlp", "examples/oracle_mlp.loom", MLP, &[]);
    reproduces(
        "mlp",
        "examples/oracle_mlp.loom",
        MLP,
        &["--mesh", "data=2,model=4", "--layout", "megatron", "--devices", "8"],
    );
}

#[test]
fn gpt_tiny_as_jax_on_one_device() {
    reproduces("gpt_tiny", "examples/gpt_tiny.loom", GPT, &[]);
}

#[test]
fn gpt_tiny_as_jax_on_eight_devices() {
    reproduces("gpt_tiny", "examples/gpt_tiny.loom", GPT, &["--mesh", "data=2,model=4", "--layout", "megatron"]);
}

/// The loss in the terminal, and the same numbers in a file for TensorBoard: records of a length, its checksum, a message, and its checksum.
#[test]
fn losses_are_drawn_and_written_for_tensorboard() {
    let place = Place::new();
    let more = ["--random-inputs", "1", "--plot", "--tensorboard", "events"];
    let out = meshloom(&place, &run("examples/oracle_mlp.loom", &more));
    assert_eq!(out.code, 0, "{}", out.stderr);
    let lines: Vec<&str> = out.stderr.lines().collect();
    let from = lines.iter().position(|l| *l == "loss by step").unwrap_or_else(|| panic!("{}", out.stderr));
    let chart = &lines[from + 1..from + 13];
    assert!(chart.iter().any(|l| l.chars().any(|c| ('\u{2801}'..='\u{28ff}').contains(&c))), "{}", out.stderr);
    let files: Vec<_> = std::fs::read_dir(place.path().join("events")).unwrap().map(|f| f.unwrap().path()).collect();
    let [file] = &files[..] else { panic!("{files:?}") };
    assert!(file.file_name().unwrap().to_string_lossy().starts_with("events.out.tfevents."), "{files:?}");
    let (bytes, mut at, mut records) = (std::fs::read(file).unwrap(), 0, Vec::new());
    while at < bytes.len() {
        let length = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
        records.push(&bytes[at + 12..at + 12 + length]);
        at += 16 + length;
    }
    let holds = |r: &[u8], text: &[u8]| r.windows(text.len()).any(|w| w == text);
    assert!(records.len() == 6 && holds(records[0], b"brain.Event:2"));
    for (record, loss) in records[1..].iter().zip(losses(&out.stdout)) {
        let value = [&b"train/loss\x15"[..], &(loss as f32).to_le_bytes()].concat();
        assert!(holds(record, &value), "{loss}");
    }
}

/// Twenty steps in mixed precision, in f32, bf16 and f16: as far from JAX's as rounding in other places makes it, about as far as
/// JAX's own f32 and bf16 are from each other.
#[test]
fn gpt_tiny_in_mixed_precision_as_jax() {
    let place = Place::new();
    let params = oracle("gpt_tiny/params.safetensors");
    let inputs = GPT.map(|(name, file)| format!("{name}=@{}", oracle(&format!("gpt_tiny/{file}"))));
    let mut apart = Vec::new();
    for (precision, bound) in [("f32", 1e-5), ("bf16", 2e-4), ("f16", 5e-5)] {
        let more = ["--load", &params, "--input", &inputs[0], "--input", &inputs[1], "--precision", precision];
        let all = [&["run", "examples/gpt_tiny.loom", "--steps", "20", "--json"][..], &more].concat();
        let out = meshloom(&place, &all);
        assert_eq!(out.code, 0, "{}", out.stderr);
        let found = losses(&out.stdout);
        assert_close(&found, &mixed_losses(precision), bound);
        apart.push(found);
    }
    // 16 bits were computed in, and another number of them.
    assert!(apart[0] != apart[1] && apart[1] != apart[2]);
}

/// A run that was cut in two ends as one that was not, bit for bit.
#[test]
fn a_resumed_run_is_the_same_run() {
    let place = Place::new();
    let train = |more: &[&str]| {
        let all = [&["run", "small.loom", "--data", "small.loom", "--json"], more].concat();
        let out = meshloom(&place, &all);
        assert_eq!(out.code, 0, "{}", out.stderr);
        losses(&out.stdout)
    };
    let whole = train(&["--steps", "6", "--save", "whole"]);
    let first = train(&["--steps", "3", "--save", "parts", "--metrics", "log.jsonl"]);
    let second = train(&["--steps", "6", "--resume", "parts", "--save", "parts", "--metrics", "log.jsonl"]);
    assert_eq!([first, second].concat(), whole);
    assert_eq!(losses(&place.read("log.jsonl")), whole);
    let model = |dir: &str| std::fs::read(place.path().join(dir).join("step-000006/model.safetensors")).expect("saved");
    assert_eq!(model("whole"), model("parts"));
    // A hash of the name comes after it.
    assert_eq!(place.read("parts/latest").lines().next(), Some("step-000006"));
}

/// Another mesh reads the checkpoint; the text that it writes is the same, since sampling is seeded.
#[test]
fn text_from_a_checkpoint_on_any_mesh() {
    let place = Place::new();
    let out = meshloom(
        &place,
        &[
            "run",
            "small.loom",
            "--data",
            "small.loom",
            "--steps",
            "5",
            "--save",
            "out",
            "--prompt",
            "let ",
            "--tokens",
            "24",
        ],
    );
    assert_eq!(out.code, 0, "{}", out.stderr);
    assert!(out.stdout.starts_with("let ") && out.stderr.contains("Sampling"), "{}{}", out.stdout, out.stderr);
    let sample = |mesh: &str| {
        let out = meshloom(
            &place,
            &[
                "run",
                "small.loom",
                "--entry",
                "next",
                "--load",
                "out",
                "--prompt",
                "let ",
                "--tokens",
                "24",
                "--temperature",
                "0",
                "--mesh",
                mesh,
            ],
        );
        assert_eq!(out.code, 0, "{}", out.stderr);
        out.stdout
    };
    assert_eq!(sample("data=1"), sample("model=2"));
}

#[test]
fn outputs_and_gradients_are_saved() {
    let place = Place::new();
    let more = ["--gradients", "--save-outputs", "out.safetensors", "--data", "small.loom", "--steps", "1"];
    let out = meshloom(&place, &[&["run", "small.loom"], &more[..]].concat());
    assert_eq!(out.code, 0, "{}", out.stderr);
    let bytes = std::fs::read(place.path().join("out.safetensors")).expect("written");
    let file = safetensors::SafeTensors::deserialize(&bytes).expect("safetensors");
    for name in ["loss", "grad.tok", "grad.blocks.0.qkv", "grad.blocks.1.down"] {
        assert!(file.tensor(name).is_ok(), "{name} in {:?}", file.names());
    }
}

/// The first Ctrl-C lets the step end, saves, says how to go on, and exits with 130.
#[test]
fn ctrl_c_saves_what_was_trained() {
    let place = Place::new();
    let mut command =
        place.command(&["run", "small.loom", "--data", "small.loom", "--steps", "1000000", "--save", "out"]);
    let metrics = place.path().join("log.jsonl");
    command.arg("--metrics").arg(&metrics).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("the binary runs");
    let waited = (0..6000).any(|_| {
        std::thread::sleep(Duration::from_millis(50));
        std::fs::metadata(&metrics).is_ok_and(|m| m.len() > 0)
    });
    let mut kill = std::process::Command::new("kill");
    kill.args(["-INT", &child.id().to_string()]);
    assert_eq!(finish(kill).code, 0);
    let out = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(waited, "{said}");
    assert_eq!(out.status.code(), Some(130), "{said}");
    assert!(said.contains("Interrupted") && said.contains("Saved") && said.contains("--resume"), "{said}");
    let done = place.read("log.jsonl").lines().count();
    assert!(place.read("out/latest").starts_with(&format!("step-{done:06}\n")));
}

/// What a loss tells beside its value: on each line of a run, in `--json`, in the file of metrics, and of held-out data.
#[test]
fn metrics_of_the_loss_are_reported() {
    const SOURCE: &str = "
dim batch = 4, n = 3
struct Centered { w: f32[n] = normal(0.1), state middle: f32[n] = zeros }
fn loss(m: Centered, x: f32[batch, n]) -> f32 {
    m.middle = 0.5 * m.middle + 0.5 * mean(x, 0)
    metric(\"spread\", max(abs(x - m.middle)))
    mean(dot(x - m.middle, m.w))
}
train net = sgd(loss, lr: 0.1)
";
    let place = Place::new();
    std::fs::write(place.path().join("net.loom"), SOURCE).expect("written");
    // 20 rows of 3: those of `.npy`, version 1, little endian.
    let header = format!("{:<117}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (20, 3), }");
    let values = (0..60).flat_map(|i| (i as f32 * 0.37).sin().to_le_bytes());
    let head = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    std::fs::write(place.path().join("x.npy"), head.into_iter().chain(values).collect::<Vec<_>>()).expect("written");
    let out = meshloom(
        &place,
        &[
            "run",
            "net.loom",
            "--steps",
            "2",
            "--data",
            "x=x.npy",
            "--eval-every",
            "2",
            "--metrics",
            "log.jsonl",
            "--json",
        ],
    );
    assert_eq!(out.code, 0, "{}", out.stderr);
    let said = out.stderr.lines().filter(|l| l.contains("  spread ")).count();
    assert_eq!((said, out.stderr.matches("eval spread ").count()), (2, 1), "{}", out.stderr);
    let lines: Vec<serde_json::Value> =
        place.read("log.jsonl").lines().map(|l| serde_json::from_str(l).expect("JSON")).collect();
    assert_eq!(place.read("log.jsonl"), out.stdout, "one object for each step");
    assert!(lines.iter().all(|l| l["spread"].as_f64().is_some_and(|x| x > 0.0)), "{lines:?}");
    assert!(lines[0].get("eval_spread").is_none() && lines[1]["eval_spread"].is_f64(), "{lines:?}");
}
