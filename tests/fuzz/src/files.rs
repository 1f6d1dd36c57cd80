//! Readers of files: arrays, tokens, checkpoints, targets, plans. Each case is a folder in which one file was changed. What
//! processes of a run say to each other is read here, too.
//!
//! What is not here: files that only the command line reads and that have no form of their own.

use meshloom_bundle::{DType, Init, Port, Range, Role};
use meshloom_driver as driver;
use meshloom_plan::cost::Target as Machine;
use meshloom_report::PlanReport;
use meshloom_report::diff::{diff, text};
use meshloom_runtime::checkpoint::{self, Renames};
use meshloom_runtime::data::arrays::Array;
use meshloom_runtime::data::{Feed, Spec, Tokenizer, npy};
use meshloom_runtime::world::messages_in;
use meshloom_runtime::{HostTensor, Result as Read};
use safetensors::tensor::{Dtype, TensorView};
use std::collections::BTreeMap;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::OnceLock;
use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

/// A refusal says why; what was read is right by being read.
fn told<T>(outcome: Result<T, impl std::fmt::Display>) -> Result<(), String> {
    match outcome {
        Err(e) if e.to_string().trim().is_empty() => Err("refused without a word".into()),
        _ => Ok(()),
    }
}

/// Runs `read` on a folder of these files.
fn within(files: &[(&str, &[u8])], read: impl FnOnce(&Path) -> Result<(), String>) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).map_err(|e| e.to_string())?;
    }
    read(dir.path())
}

pub fn npy(input: &[u8]) -> Result<(), String> {
    told(npy::parse(input))
}

/// As numpy writes them: versions 1 and 2.
pub fn npy_seeds() -> Vec<Vec<u8>> {
    let file = |version: u8, header: &str, data: usize| {
        let mut out = b"\x93NUMPY".to_vec();
        out.extend([version, 0]);
        let header = format!("{header}\n");
        match version {
            1 => out.extend((header.len() as u16).to_le_bytes()),
            _ => out.extend((header.len() as u32).to_le_bytes()),
        }
        out.extend(header.as_bytes());
        out.extend(std::iter::repeat_n(7u8, data));
        out
    };
    vec![
        file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 24),
        file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (5,), }", 40),
        file(2, "{'descr': '|u1', 'fortran_order': False, 'shape': (), }", 1),
    ]
}

/// Every array of the file, by name and without one, to its last row.
fn arrays(input: &[u8], file: &str, names: &[Option<&str>]) -> Result<(), String> {
    within(&[(file, input)], |dir| {
        names.iter().try_for_each(|name| {
            told(Array::open(&dir.join(file), *name).and_then(|a| {
                let rows = a.shape.first().copied().unwrap_or(0);
                (0..rows.min(64)).try_for_each(|i| a.row(i).map(drop)).and_then(|()| a.data())
            }))
        })
    })
}

pub fn npz(input: &[u8]) -> Result<(), String> {
    arrays(input, "a.npz", &[None, Some("x"), Some("y")])
}

/// Members stored and deflated, as `numpy.savez` and `savez_compressed` have them.
pub fn npz_seeds() -> Vec<Vec<u8>> {
    let zipped = |method, members: &[(&str, Vec<u8>)]| {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().compression_method(method);
        for (name, bytes) in members {
            let _ = zip.start_file(*name, options);
            let _ = zip.write_all(bytes);
        }
        zip.finish().map_or_else(|_| Vec::new(), Cursor::into_inner)
    };
    let x = npy::to_bytes(&HostTensor::f32(&[2, 3], &[1.0; 6]));
    // Compresses well, so that a header that lies meets much data.
    let y = npy::to_bytes(&HostTensor::zeros(DType::F32, &[64, 256]));
    [CompressionMethod::Stored, CompressionMethod::Deflated]
        .into_iter()
        .flat_map(|m| {
            let both = [("x.npy", x.clone()), ("y.npy", y.clone())];
            [zipped(m, &both), zipped(m, &both[..1]), zipped(m, &[("x.npy", b"no array".to_vec())])]
        })
        .collect()
}

/// A model of two stacked and two plain tensors, as a program wants it.
fn ports() -> &'static [Port] {
    static PORTS: OnceLock<Vec<Port>> = OnceLock::new();
    PORTS.get_or_init(|| {
        let port = |name: &str, role: Role, dtype: DType, shape: &[u64], range: Option<Range>| Port {
            name: name.into(),
            role,
            dtype,
            bytes: shape.iter().product::<u64>() * dtype.bytes(),
            global_shape: shape.to_vec(),
            local_shape: shape.to_vec(),
            layout: vec![Vec::new(); shape.len()],
            offset: 0,
            stacked: name.contains('*'),
            first_layer: 0,
            entries: Vec::new(),
            complex: false,
            unsigned: false,
            alias: None,
            init: Init::Zeros,
            range,
        };
        vec![
            port("tok", Role::Parameter, DType::F32, &[5, 4], None),
            port("blocks.*.up", Role::Parameter, DType::F32, &[2, 4, 6], None),
            port("blocks.*.qkv", Role::Parameter, DType::F64, &[2, 3, 4, 2, 2], None),
            port("bias", Role::Parameter, DType::F32, &[4], None),
            port("tokens", Role::Input, DType::I32, &[2, 8], Some(Range { lo: 0, hi: 300 })),
            port("targets", Role::Input, DType::I32, &[2, 8], None),
            port("segments", Role::Input, DType::I32, &[2, 8], None),
            port("weights", Role::Input, DType::F32, &[2, 8], None),
        ]
    })
}

fn inputs() -> Vec<Port> {
    ports().iter().filter(|p| p.role == Role::Input).cloned().collect()
}

/// As Hugging Face would write the model above; `bias` is bf16.
fn safetensors(of: &[&str]) -> Vec<u8> {
    static ZEROS: [u8; 256] = [0; 256];
    let all: [(&str, Dtype, &[usize]); 6] = [
        ("wte", Dtype::F32, &[5, 4]),
        ("h.0.up", Dtype::F32, &[6, 4]),
        ("h.1.up", Dtype::F32, &[6, 4]),
        ("h.0.qkv", Dtype::F32, &[4, 12]),
        ("h.1.qkv", Dtype::F32, &[4, 12]),
        ("bias", Dtype::BF16, &[4]),
    ];
    let views = all.iter().filter(|t| of.contains(&t.0)).filter_map(|(name, dtype, shape)| {
        let bytes = shape.iter().product::<usize>() * if *dtype == Dtype::F32 { 4 } else { 2 };
        Some((*name, TensorView::new(*dtype, shape.to_vec(), &ZEROS[..bytes]).ok()?))
    });
    safetensors::serialize(views, None).unwrap_or_default()
}

const FIRST: &[&str] = &["wte", "h.0.up", "h.0.qkv"];
const SECOND: &[&str] = &["h.1.up", "h.1.qkv", "bias"];
const RENAME: &str = "# a comment\nprefix transformer.\nwte -> tok\nh.{i}.up -> blocks.{i}.up | transpose\n\
    h.{i}.qkv -> blocks.{i}.qkv | split 1 3 | transpose 1 0 2 | reshape\nh.{i}.mask -> skip\n";

fn all() -> Vec<u8> {
    safetensors(&[FIRST, SECOND].concat())
}

fn renamed(dir: &Path, weights: &Path) -> Read<Vec<(String, Vec<u8>)>> {
    let renames = Renames::open(&dir.join("r.rename"))?;
    checkpoint::read_parameters(ports(), weights, Some(&renames))
}

/// A file of weights: as parameters of a program, and as arrays.
pub fn weights(input: &[u8]) -> Result<(), String> {
    within(&[("w.safetensors", input), ("r.rename", RENAME.as_bytes())], |dir| {
        told(renamed(dir, &dir.join("w.safetensors")))
    })?;
    arrays(input, "w.safetensors", &[None, Some("wte"), Some("bias")])
}

pub fn weights_seeds() -> Vec<Vec<u8>> {
    vec![all(), safetensors(&["wte"]), safetensors(FIRST)]
}

/// The index of a model in two files.
pub fn index(input: &[u8]) -> Result<(), String> {
    let (a, b) = (safetensors(FIRST), safetensors(SECOND));
    let files: [(&str, &[u8]); 4] = [
        ("model-00001-of-00002.safetensors", &a),
        ("model-00002-of-00002.safetensors", &b),
        ("model.safetensors.index.json", input),
        ("r.rename", RENAME.as_bytes()),
    ];
    within(&files, |dir| told(renamed(dir, dir)))
}

pub fn index_seeds() -> Vec<Vec<u8>> {
    let place = |names: &[&str], k: u32| -> BTreeMap<String, String> {
        names.iter().map(|n| ((*n).to_owned(), format!("model-0000{k}-of-00002.safetensors"))).collect()
    };
    let mut map = place(FIRST, 1);
    map.extend(place(SECOND, 2));
    let json = serde_json::json!({ "metadata": { "total_size": 572 }, "weight_map": map });
    vec![serde_json::to_vec_pretty(&json).unwrap_or_default(), json.to_string().into_bytes()]
}

/// The manifest of a checkpoint, whose other files are as they should be.
pub fn manifest(input: &[u8]) -> Result<(), String> {
    let weights = all();
    // The hash is right, so that what lies behind it is reached.
    let hash = format!("{}  manifest.json\n", meshloom_bundle::sha256(input));
    let files: [(&str, &[u8]); 5] = [
        ("model.safetensors", &weights),
        ("state.safetensors", &weights),
        ("manifest.json", input),
        ("manifest.sha256", hash.as_bytes()),
        ("r.rename", RENAME.as_bytes()),
    ];
    within(&files, |dir| told(renamed(dir, dir)))
}

pub fn manifest_seeds() -> Vec<Vec<u8>> {
    let weights = all();
    let file = |name: &str| serde_json::json!({"name": name, "bytes": weights.len(), "sha256": meshloom_bundle::sha256(&weights)});
    let json = serde_json::json!({
        "format": 3, "meshloom": "0.1.0", "entry": "gpt", "step": 4, "seed": 0,
        "data": {"samples": 32, "source": "4 windows of 8 in 40 tokens"}, "bundle": "",
        "origin": {"source": "", "inputs": {"tokens": "i32[4, 8]"}, "settings": {"optimizer": "sgd"}}, "finite": true,
        "files": [file("model.safetensors"), file("state.safetensors")],
    });
    vec![serde_json::to_vec_pretty(&json).unwrap_or_default()]
}

/// A rename file, with weights that fit the one that was changed.
pub fn rename(input: &[u8]) -> Result<(), String> {
    within(&[("w.safetensors", &all()), ("r.rename", input)], |dir| told(renamed(dir, &dir.join("w.safetensors"))))
}

pub fn rename_seeds() -> Vec<Vec<u8>> {
    let more = "h.{i}.qkv -> blocks.{i}.qkv | split 1 3 | merge 1 | part 0 1/2 | reshape\nh.{*}.up -> tok | stack 1\n\
        h.0.up, h.1.up -> bias | concat 0\nh.{i}.qkv -> skip\n";
    let examples =
        [RENAME, more, include_str!("../../../examples/gpt2.rename"), include_str!("../../../examples/llama.rename")];
    examples.iter().map(|t| t.as_bytes().to_vec()).collect()
}

/// Rows of the files that a folder was given, in windows and packed.
fn fed(dir: &Path, file: &str, tokenizer: Option<&str>) -> Result<(), String> {
    for (pack, eod) in [(false, None), (true, Some(0))] {
        let spec = Spec {
            items: vec![dir.join(file).display().to_string().parse().map_err(|e| format!("{e}"))?],
            tokenizer: tokenizer.map(|t| dir.join(t)),
            eod,
            pack,
        };
        told(Feed::open(&spec, "gpt", &inputs(), 1).and_then(|feed| {
            let rows = feed.rows().min(8);
            (0..rows).try_for_each(|k| feed.batch(k * feed.batch_rows()).map(drop))
        }))?;
    }
    Ok(())
}

/// Token files that are nothing but tokens, or begin as llm.c's do.
pub fn tokens(input: &[u8]) -> Result<(), String> {
    within(&[("t.bin", input), ("t.jsonl", input), ("t.npy", input), ("t.txt", input)], |dir| {
        ["t.bin", "t.jsonl", "t.npy", "t.txt"].iter().try_for_each(|file| fed(dir, file, None))
    })
}

pub fn tokens_seeds() -> Vec<Vec<u8>> {
    let plain: Vec<u8> = (0..100u16).flat_map(|t| (t % 7).to_le_bytes()).collect();
    let mut llmc: Vec<u8> = [20_240_520u32, 1, 100].iter().flat_map(|w| w.to_le_bytes()).collect();
    llmc.resize(1024, 0);
    llmc.extend(&plain);
    let lines = "{\"text\": \"the first\", \"id\": 7}\n\n{\"text\": \"second \\u00e9 \\ud83e\\uddf6\"}\n".repeat(4);
    let array = npy::to_bytes(&HostTensor::i32(&[40], &[3; 40]));
    vec![plain, llmc, lines.into_bytes(), array]
}

/// Megatron's index of a file of 120 bytes.
pub fn megatron(input: &[u8]) -> Result<(), String> {
    within(&[("t.bin", &[1; 120]), ("t.idx", input)], |dir| fed(dir, "t.bin", None))
}

pub fn megatron_seeds() -> Vec<Vec<u8>> {
    let index = |code: u8, size: i64, lengths: &[i32], documents: &[u64]| {
        let mut b = b"MMIDIDX\0\0".to_vec();
        b.extend(1u64.to_le_bytes());
        b.push(code);
        b.extend((lengths.len() as u64).to_le_bytes());
        b.extend((documents.len() as u64).to_le_bytes());
        b.extend(lengths.iter().flat_map(|n| n.to_le_bytes()));
        let begins = lengths.iter().scan(0i64, |at, n| Some(std::mem::replace(at, *at + i64::from(*n) * size)));
        b.extend(begins.flat_map(i64::to_le_bytes));
        b.extend(documents.iter().flat_map(|n| n.to_le_bytes()));
        b
    };
    vec![index(8, 2, &[20, 30, 10], &[0, 2, 3]), index(4, 4, &[30], &[0, 1]), index(1, 1, &[0, 60, 60], &[0, 1, 1, 3])]
}

/// A tokenizer, and what it makes of a text and back.
pub fn tokenizer(input: &[u8]) -> Result<(), String> {
    let text = "The compiler \u{e9}\u{1f9f6} says: it's 12 o'clock!\n".repeat(4);
    within(&[("t.json", input), ("t.txt", text.as_bytes())], |dir| {
        fed(dir, "t.txt", Some("t.json"))?;
        let opened = Tokenizer::open(&dir.join("t.json"));
        told(opened.and_then(|t| t.decode(&t.encode(&text)?)))
    })
}

pub fn tokenizer_seeds() -> Vec<Vec<u8>> {
    vec![include_bytes!("../../data/hf/tokenizer.json").to_vec()]
}

/// The description of a machine.
pub fn target(input: &[u8]) -> Result<(), String> {
    let machine = Machine::parse("fuzz", &String::from_utf8_lossy(input));
    told(machine.map_err(|e| e.message))
}

pub fn target_seeds() -> Vec<Vec<u8>> {
    let (cpu, gpu) = (
        include_str!("../../../compiler/plan/targets/cpu.toml"),
        include_str!("../../../compiler/plan/targets/h200.toml"),
    );
    vec![cpu.as_bytes().to_vec(), gpu.as_bytes().to_vec()]
}

/// A lock file, or a plan that `diff` is given: compared with the plan that it was.
pub fn plan(input: &[u8]) -> Result<(), String> {
    let input = String::from_utf8_lossy(input);
    let now = plan_seeds().first().and_then(|s| PlanReport::from_json(std::str::from_utf8(s).ok()?).ok());
    let now = now.ok_or("the plan of the example cannot be read")?;
    let plans = PlanReport::list_from_json(&input);
    told(plans.map(|plans| plans.iter().map(|p| text(&diff(p, &now)).len() + p.to_json().len()).sum::<usize>()))
}

pub fn plan_seeds() -> &'static [Vec<u8>] {
    static SEEDS: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let options = driver::CompileOptions::default();
        let source = crate::sources::small();
        let made = driver::check("mlp.loom", source, &options).and_then(|p| driver::plan(p, &options));
        let Ok(program) = made.and_then(driver::lower) else { return Vec::new() };
        let reports: Vec<String> = program.entries.iter().map(|e| driver::report::of(&program, e).json()).collect();
        let list = format!("[\n{}]\n", reports.join(","));
        reports.into_iter().chain([list]).map(String::into_bytes).collect()
    })
}

/// What another process says over a connection, up to the first thing that is no message.
pub fn messages(input: &[u8]) -> Result<(), String> {
    // A message is never longer than what was said.
    let n = messages_in(input);
    if n > input.len() { Err(format!("{n} messages in {} bytes", input.len())) } else { Ok(()) }
}

/// Messages of every kind, a line each, and bytes behind the one that announces them.
pub fn messages_seeds() -> Vec<Vec<u8>> {
    let nonce = vec![7; 32];
    let hello = serde_json::json!({
        "protocol": 6, "version": "0.1.0", "rank": 1, "world": 4, "generation": 0, "bundle": "5d41", "device": "cpu", "kernels": "any",
        "options": {"seed": "0"}, "host": "h", "remote": null, "forced": false, "cores": "0-3", "name": "node", "pid": 7,
    });
    let go = serde_json::json!({
        "control": {"pid": 7, "fd": 3, "len": 4096}, "remote": null, "local": [0, 1], "hosted": [2, 2], "sharers": [2, 2],
    });
    let at = serde_json::json!({"came": 7, "begun": 3, "spot": 9, "waits": 3});
    let all = [
        serde_json::json!({"knock": {"protocol": 6, "nonce": nonce}}),
        serde_json::json!({"challenge": {"protocol": 6, "nonce": nonce, "keyed": true}}),
        serde_json::json!({"hello": [hello, nonce]}),
        serde_json::json!({"refused": "no"}),
        serde_json::json!({"go": [go, null]}),
        serde_json::json!("ready"),
        serde_json::json!({"failed": "why"}),
        serde_json::json!({"interrupted": {"preempted": true}}),
        serde_json::json!({"at": {"at": at, "asked": true}}),
        serde_json::json!("where"),
        serde_json::json!({"stuck": {"at": at, "what": "microbatch 2"}}),
        serde_json::json!("bye"),
    ];
    let lines: String = all.iter().map(|m| format!("{m}\n")).collect();
    let piece = format!("{}\nabc\"where\"\n", serde_json::json!({"piece": {"at": at, "bytes": 3}}));
    vec![lines.into_bytes(), piece.into_bytes()]
}
