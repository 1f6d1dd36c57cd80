//! The commands as users type them. Sessions (text files, see [`session`]) test what is printed; tests in Rust test
//! what is done.

mod answers;
mod bundles;
mod carried;
mod check_plan;
mod checkpoints;
#[cfg(feature = "llvm")]
#[path = "../../runtime/tests/it/common/mod.rs"]
mod common;
#[cfg(feature = "llvm")]
mod curves;
mod devices;
#[cfg(feature = "llvm")]
mod drawn;
mod editor;
#[cfg(feature = "llvm")]
mod elastic;
mod first_hour;
mod for_gpus;
mod foreign;
#[cfg(feature = "llvm")]
mod gpu_script;
#[cfg(feature = "llvm")]
mod gpus;
#[cfg(feature = "llvm")]
mod launching;
#[cfg(feature = "llvm")]
mod limits;
mod pages;
mod released;
mod session;
#[cfg(feature = "llvm")]
mod stages;
mod support;
mod torch;
mod training;
#[cfg(feature = "llvm")]
mod whole;
#[cfg(feature = "llvm")]
mod zoo;

use session::Session;
use support::{Place, meshloom};

/// Every file in `sessions/`, or the one that MESHLOOM_SESSION names. INSTA_UPDATE=always writes what the commands say.
#[test]
fn sessions() {
    let folder = support::root().join("tests/cli/sessions");
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("a folder").flatten().map(|e| e.path()).collect();
    if let Ok(only) = std::env::var("MESHLOOM_SESSION") {
        files.retain(|f| f.file_stem().is_some_and(|s| s.to_string_lossy() == only));
    }
    files.sort();
    assert!(!files.is_empty());
    let failures: Vec<String> = files
        .iter()
        .filter_map(|f| Session::read(f).run(&Place::new()).err().map(|e| format!("{}:\n{e}", f.display())))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn diagnostics_as_json() {
    let place = Place::new();
    let out = meshloom(&place, &["check", "wrong.loom", "--json"]);
    assert_eq!(out.code, 1, "{}", out.stderr);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!((json["schema"].as_u64(), json["ok"].as_bool()), (Some(1), Some(false)));
    let first = &json["diagnostics"][0];
    assert_eq!((first["severity"].as_str(), first["primary"]["file"].as_str()), (Some("error"), Some("wrong.loom")));
    assert!(first["primary"]["line"].as_u64().is_some_and(|l| l > 0));
    assert!(out.stderr.is_empty(), "{}", out.stderr);
    // What fits nowhere is a diagnostic as well.
    let out = meshloom(&place, &["check", "examples/gpt_tiny.loom", "--json", "--budget", "10KiB"]);
    assert_eq!(out.code, 4, "{}", out.stderr);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!((json["ok"].as_bool(), json["diagnostics"][0]["severity"].as_str()), (Some(false), Some("error")));
    // Of remedies of which none is enough, one is named.
    let diagnostic = &json["diagnostics"][0];
    assert!(diagnostic["notes"].to_string().contains("nothing that was tried is enough"), "{diagnostic}");
    assert!(diagnostic["help"].as_array().is_some_and(|h| h.len() == 1), "{diagnostic}");
}

#[test]
fn plans_as_json() {
    let place = Place::new();
    let out = meshloom(
        &place,
        &["plan", "examples/gpt_tiny.loom", "--mesh", "data=2,model=4", "--layout", "megatron", "--json"],
    );
    assert_eq!(out.code, 0, "{}", out.stderr);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).expect("JSON");
    assert_eq!((json["schema"].as_u64(), json["entries"].as_array().map(Vec::len)), (Some(2), Some(1)));
    let json = &json["entries"][0];
    assert_eq!((json["schema"].as_u64(), json["entry"].as_str()), (Some(1), Some("gpt")));
    assert_eq!((json["mesh"]["devices"].as_u64(), json["certificate"]["status"].as_str()), (Some(8), Some("proved")));
    assert!(json["collectives"].as_array().is_some_and(|c| !c.is_empty()));
    let again = meshloom(
        &place,
        &["plan", "examples/gpt_tiny.loom", "--mesh", "data=2,model=4", "--layout", "megatron", "--json"],
    );
    assert_eq!(out.stdout, again.stdout, "the same plan gives the same bytes");
    let several = meshloom(&place, &["plan", "examples/manual.loom", "--plan", "follow", "--json"]);
    let several: serde_json::Value = serde_json::from_str(&several.stdout).expect("JSON");
    let names: Vec<&str> =
        several["entries"].as_array().expect("a list").iter().filter_map(|e| e["entry"].as_str()).collect();
    assert_eq!(names, ["automatic", "megatron", "ring"]);
}

/// A model is planned again when it changes, also after an error.
#[test]
fn a_model_is_watched() {
    use std::io::{BufRead, BufReader};
    let place = Place::new();
    let model = place.read("examples/mlp.loom");
    let path = place.path().join("watched.loom");
    // At once, as editors do: a file that is half written is a change of its own.
    let write = |text: &str| {
        std::fs::write(path.with_extension("new"), text).expect("writes");
        std::fs::rename(path.with_extension("new"), &path).expect("renames");
    };
    write(&model);
    let mut command = place.command(&["plan", "watched.loom", "--plan", "follow", "--watch"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut process = command.spawn().expect("the binary runs");
    let mut lines = BufReader::new(process.stderr.take().expect("a pipe")).lines();
    let mut until = |what: &str| lines.by_ref().map_while(Result::ok).any(|l| l.contains(what));
    assert!(until("Watching"));
    write(&model.replace("relu(", "relo("));
    assert!(until("relo") && until("Watching"));
    write(&model.replace("[data: 2, model: 4]", "[data: 4, model: 2]"));
    assert!(until("Watching"));
    process.kill().expect("ends");
    process.wait().expect("ends");
    let out = std::io::read_to_string(process.stdout.take().expect("a pipe")).expect("text");
    assert!(out.contains("data=2 x model=4") && out.contains("data=4 x model=2"), "{out}");
    let refused = meshloom(&place, &["plan", "-", "--watch"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

/// Rows are the plans that `plan` makes of the same choices; what cannot be planned says why.
#[test]
fn choices_are_planned_side_by_side() {
    let place = Place::new();
    let json = |args: &[&str]| -> serde_json::Value {
        let out = meshloom(&place, args);
        assert_eq!(out.code, 0, "{args:?}: {}", out.stderr);
        serde_json::from_str(&out.stdout).expect("JSON")
    };
    let choices = ["what-if", "examples/mlp.loom", "--mesh", "data=8", "--mesh", "data=4,model=2", "--layout", "dp"];
    let all = json(&[&choices[..], &["--json"]].concat());
    let rows: Vec<(&str, Option<&str>)> = all["rows"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|r| (r["mesh"].as_str().unwrap_or(""), r["layout"].as_str()))
        .collect();
    let (both, data) = ("data=4 x model=2", "data=8");
    assert_eq!(rows, [(data, None), (data, Some("dp")), (both, None), (both, Some("dp"))]);
    let one = json(&["plan", "examples/mlp.loom", "--mesh", "data=4,model=2", "--layout", "dp", "--json"]);
    for key in ["predicted_step_us", "wire_bytes_per_device", "peak_bytes_per_device"] {
        assert_eq!(all["rows"][3]["totals"][key], one["entries"][0]["totals"][key], "{key}");
    }
    let table = meshloom(&place, &choices);
    assert!(table.stdout.contains("as annotated") && table.stdout.contains("data=4 x model=2"), "{}", table.stdout);
    let some = meshloom(&place, &["what-if", "examples/mlp.loom", "--layout", "none_such"]);
    assert!(some.code == 0 && some.stdout.contains("there is no layout `none_such`"), "{}{}", some.stdout, some.stderr);
    let none = meshloom(&place, &["what-if", "wrong.loom"]);
    assert_eq!(none.code, 1, "{}", none.stderr);
}

/// `explain`'s suggestion, pasted into the file, gives the plan that was promised.
#[test]
fn a_suggestion_is_followed() {
    let place = Place::new();
    let model = ["examples/gpt_tiny.loom", "--mesh", "data=2,model=2", "--plan", "follow"];
    let json = |args: &[&str]| -> serde_json::Value {
        let out = meshloom(&place, args);
        assert_eq!(out.code, 0, "{args:?}: {}", out.stderr);
        serde_json::from_str(&out.stdout).expect("JSON")
    };
    let before = json(&[&["plan", "--json"], &model[..]].concat());
    let answer = json(&[&["explain", "--json", model[0], "head"], &model[1..]].concat());
    let best = &answer["alternatives"][0];
    let change = &best["suggestion"];
    let at = |key: &str| change[key].as_u64().expect("an offset") as usize;
    let text = place.read(model[0]);
    let text = format!("{}{}{}", &text[..at("start")], change["with"].as_str().expect("text"), &text[at("end")..]);
    std::fs::write(place.path().join("after.loom"), text).expect("writes");
    let after = json(&[&["plan", "--json", "after.loom"], &model[1..]].concat());
    for key in ["wire_bytes_per_device", "predicted_step_us", "peak_bytes_per_device"] {
        let n = |v: &serde_json::Value| v[key].as_f64().expect("a number");
        let (then, said) = (n(&after["entries"][0]["totals"]), n(&before["entries"][0]["totals"]) + n(&best["change"]));
        assert!((then - said).abs() < 2e-3, "{key}: {then} where {said} was promised");
        assert_eq!(after["entries"][0]["totals"][key], best["totals"][key]);
    }
}

/// A bundle and the source that it was compiled from have one plan.
#[cfg(feature = "llvm")]
#[test]
fn a_bundle_has_the_plan_of_its_source() {
    let place = Place::new();
    assert_eq!(meshloom(&place, &["compile", "examples/mlp.loom", "-o", "mlp.loomx"]).code, 0);
    let same = meshloom(&place, &["diff", "mlp.loomx", "examples/mlp.loom"]);
    assert_eq!((same.code, same.stdout.as_str()), (0, ""), "{}", same.stderr);
    let other = meshloom(&place, &["diff", "mlp.loomx", "examples/mlp.loom", "--layout-b", "dp"]);
    assert_eq!(other.code, 1);
    assert!(other.stdout.contains("w1") && other.stdout.contains("all_reduce"), "{}", other.stdout);
}

#[test]
fn doctor_as_json() {
    let out = meshloom(&Place::new(), &["doctor", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out.stdout).expect("JSON");
    for key in ["cores", "cpu", "memory", "llvm", "ptxas", "cuda driver", "tensor maps", "nccl", "cublaslt", "cuda"] {
        assert!(json[key]["text"].is_string(), "{key} in {json}");
    }
}

/// What is said of NCCL: the library that is named, and the variables that will reach it.
#[test]
fn doctor_tells_what_nccl_will_be_told() {
    let place = Place::new();
    let mut command = place.command(&["doctor"]);
    command.env("NCCL_DEBUG", "INFO").env("NCCL_ALGO", "Ring").env("MESHLOOM_NCCL", "/nowhere/libnccl.so.2");
    let out = support::finish(command);
    assert_eq!(out.code, 0, "{}", out.stderr);
    let line = out.stdout.lines().find(|l| l.starts_with("nccl")).expect("a line");
    assert!(line.contains("--  MESHLOOM_NCCL is /nowhere/libnccl.so.2, which cannot be loaded: "), "{line}");
    assert!(line.ends_with("; MESHLOOM_NCCL=/nowhere/libnccl.so.2 NCCL_ALGO=Ring NCCL_DEBUG=INFO"), "{line}");
    let driver = std::path::Path::new("/proc/driver/nvidia").exists();
    assert!(
        driver || out.stdout.contains("cuda         --  off, since there is no driver that starts"),
        "{}",
        out.stdout
    );
}

/// A machine without a GPU says so before anything is compiled.
#[test]
fn benchmarks_of_a_gpu_need_one() {
    let place = Place::new();
    let mut command = place.command(&["bench", "--gpu"]);
    // Where there is a driver, it has no device to show.
    command.env("CUDA_VISIBLE_DEVICES", "");
    let out = support::finish(command);
    assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{}", out.stderr);
    assert!(out.stderr.contains("there is no GPU to measure: "), "{}", out.stderr);
    assert!(out.stderr.contains("scripts/gpu pack"), "{}", out.stderr);
}

#[test]
fn a_completion_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let out = meshloom(&Place::new(), &["completions", shell]);
        assert_eq!(out.code, 0);
        assert!(out.stdout.contains("meshloom") && out.stdout.contains("verify"), "{shell}");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let place = Place::new();
    let plain = meshloom(&place, &["check", "wrong.loom"]);
    assert!(!plain.stderr.contains('\x1b'));
    let coloured = meshloom(&place, &["check", "wrong.loom", "--color", "always"]);
    assert!(coloured.stderr.contains('\x1b'));
    let refused =
        place.command(&["check", "wrong.loom"]).env("NO_COLOR", "1").env("CLICOLOR", "1").output().expect("runs");
    assert!(!refused.stderr.contains(&0x1b));
}

/// What `new` makes is accepted, formatted, and planned.
#[test]
fn a_new_model_is_a_good_one() {
    let place = Place::new();
    assert_eq!(meshloom(&place, &["new", "mine"]).code, 0);
    for command in [
        &["check", "mine/model.loom"][..],
        &["fmt", "--check", "mine/model.loom"],
        &["plan", "mine/model.loom", "--entry", "gpt"],
    ] {
        let out = meshloom(&place, command);
        assert_eq!(out.code, 0, "{command:?}: {}", out.stderr);
    }
    let again = meshloom(&place, &["new", "mine"]);
    assert_eq!((again.code, again.stderr.contains("exists already")), (2, true));
}

/// Bytes that are no program are refused with a message, by every command that reads.
#[test]
fn no_file_makes_a_command_panic() {
    let place = Place::new();
    let junk: [&[u8]; 6] = [b"", b"\xff\xfe\x00", b"PK\x03\x04", b"fn", b"func @", b"mesh [data: 0]\ntrain x = y"];
    for (i, bytes) in junk.iter().enumerate() {
        let name = format!("junk{i}.loom");
        std::fs::write(place.path().join(&name), bytes).expect("writes");
        let name = name.as_str();
        for command in [
            &["check", name][..],
            &["fmt", "--check", name],
            &["plan", name],
            &["opt", name],
            &["run", name],
            &["verify", name, name],
            &["explain", name, "#1"],
            &["inspect", name, "--tensor", "*"],
            &["diff", name, name],
            &["plan", "examples/mlp.loom", &format!("--locked={name}")],
        ] {
            let out = meshloom(&place, command);
            assert!(matches!(out.code, 0..=2), "{command:?} on {bytes:?}: code {}\n{}", out.code, out.stderr);
            assert!(out.code == 0 || !out.stderr.is_empty(), "{command:?} says nothing");
        }
    }
}
