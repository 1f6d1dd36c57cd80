//! Weights of Hugging Face's models become those of a program, and go back, to the byte.

use meshloom_bundle::{DType, Init, Port, Role};
use meshloom_runtime::checkpoint::{Renames, export, export_only, read_parameters};
use safetensors::SafeTensors;
use safetensors::tensor::{Dtype, TensorView};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn parameters(of: &[(&str, &[u64])]) -> Vec<Port> {
    let port = |(name, shape): &(&str, &[u64])| Port {
        name: (*name).into(),
        role: Role::Parameter,
        dtype: DType::F32,
        bytes: shape.iter().product::<u64>() * 4,
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
        range: None,
    };
    of.iter().map(port).collect()
}

/// Every tensor of a folder: type, shape, bytes.
fn tensors(folder: &Path) -> BTreeMap<String, (Dtype, Vec<usize>, Vec<u8>)> {
    let mut all = BTreeMap::new();
    for file in std::fs::read_dir(folder).unwrap().flatten().map(|e| e.path()) {
        if file.extension().is_some_and(|e| e == "safetensors") {
            let bytes = std::fs::read(&file).unwrap();
            for (name, t) in SafeTensors::deserialize(&bytes).unwrap().tensors() {
                all.insert(name, (t.dtype(), t.shape().to_vec(), t.data().to_vec()));
            }
        }
    }
    all
}

/// Writes what a program has of a model, by its paths, and exports it again.
fn there_and_back(model: &str, ports: &[Port], dtype: Option<DType>, shard: u64) {
    let hf = root().join("tests/data/hf").join(model);
    let renames = Renames::open(&root().join("examples").join(format!("{model}.rename"))).unwrap();
    let read = read_parameters(ports, &hf, Some(&renames)).unwrap_or_else(|e| panic!("{e}"));
    let shape = |name: &str| -> Vec<usize> {
        let port = ports.iter().find(|p| {
            let (a, b) = p.name.split_once('*').unwrap_or((&p.name, ""));
            name.starts_with(a) && name.ends_with(b) && (p.stacked || p.name == name)
        });
        let port = port.unwrap();
        port.global_shape[usize::from(port.stacked)..].iter().map(|&n| n as usize).collect()
    };
    let dir = tempfile::tempdir().unwrap();
    let (own, out) = (dir.path().join("own.safetensors"), dir.path().join("out"));
    let views = read.iter().map(|(name, bytes)| (name, TensorView::new(Dtype::F32, shape(name), bytes).unwrap()));
    safetensors::serialize_to_file(views, None, &own).unwrap();
    let exported = export(&own, &renames, &out, dtype, shard).unwrap_or_else(|e| panic!("{e}"));
    let (found, mut due) = (tensors(&out), tensors(&hf));
    // Masks are left out on the way in.
    due.retain(|name, _| !name.ends_with(".attn.bias"));
    let names = |t: &BTreeMap<String, _>| t.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&due));
    for (name, t) in &found {
        assert!(t == &due[name], "{name}: {:?} {:?} against {:?}", t.0, t.1, (&due[name].0, &due[name].1));
    }
    assert_eq!((exported.tensors, exported.files.len() > 1), (found.len(), shard < 20_000));
    // And in again, from the files that were written.
    assert!(read_parameters(ports, &out, Some(&renames)).unwrap() == read);
    let again = export(&own, &renames, &out, dtype, shard).unwrap_err().to_string();
    assert!(again.contains("exists already"), "{again}");
}

#[test]
fn gpt2() {
    let ports = parameters(&[
        ("tok", &[40, 16]),
        ("pos", &[8, 16]),
        ("blocks.*.norm1.scale", &[2, 16]),
        ("blocks.*.norm1.bias", &[2, 16]),
        ("blocks.*.qkv", &[2, 3, 16, 2, 8]),
        ("blocks.*.qkv_bias", &[2, 3, 2, 8]),
        ("blocks.*.out", &[2, 2, 8, 16]),
        ("blocks.*.out_bias", &[2, 16]),
        ("blocks.*.norm2.scale", &[2, 16]),
        ("blocks.*.norm2.bias", &[2, 16]),
        ("blocks.*.up", &[2, 16, 64]),
        ("blocks.*.up_bias", &[2, 64]),
        ("blocks.*.down", &[2, 64, 16]),
        ("blocks.*.down_bias", &[2, 16]),
        ("norm.scale", &[16]),
        ("norm.bias", &[16]),
    ]);
    there_and_back("gpt2", &ports, None, 1 << 30);
    there_and_back("gpt2", &ports, None, 10_000);
}

/// bf16 in the file, f32 in the program.
#[test]
fn llama() {
    let ports = parameters(&[
        ("tok", &[40, 16]),
        ("blocks.*.norm1.scale", &[2, 16]),
        ("blocks.*.q", &[2, 16, 4, 4]),
        ("blocks.*.k", &[2, 16, 2, 4]),
        ("blocks.*.v", &[2, 16, 2, 4]),
        ("blocks.*.out", &[2, 4, 4, 16]),
        ("blocks.*.norm2.scale", &[2, 16]),
        ("blocks.*.gate", &[2, 16, 24]),
        ("blocks.*.up", &[2, 16, 24]),
        ("blocks.*.down", &[2, 24, 16]),
        ("norm.scale", &[16]),
        ("head", &[16, 40]),
    ]);
    there_and_back("llama", &ports, Some(DType::BF16), 1 << 30);
}

/// What a rename file can say and what its way back is, or why it has none.
#[test]
fn ways_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let data: Vec<u8> = (0u8..96).collect();
    let save = |tensors: &[(&str, &[usize])]| {
        let views = tensors.iter().map(|(n, s)| {
            let len = s.iter().product::<usize>() * 4;
            (*n, TensorView::new(Dtype::F32, s.to_vec(), &data[..len]).unwrap())
        });
        safetensors::serialize_to_file(views, None, &path("w.safetensors")).unwrap();
    };
    let mut n = 0;
    let mut run = |lines: &str, dtype| {
        std::fs::write(path("r.rename"), lines).unwrap();
        n += 1;
        let out = path(&format!("out{n}"));
        let renames = Renames::open(&path("r.rename")).unwrap();
        export(&path("w.safetensors"), &renames, &out, dtype, 1 << 30).map(|_| tensors(&out)).map_err(|e| e.to_string())
    };
    save(&[("b.0.up", &[2, 3]), ("b.1.up", &[2, 3]), ("rest", &[2])]);
    let made = run("h.{i}.w -> b.{i}.up | transpose", None).unwrap();
    assert_eq!(made.keys().collect::<Vec<_>>(), ["h.0.w", "h.1.w", "rest"]);
    assert_eq!(made["h.1.w"].1, [3, 2]);
    assert_eq!(made["h.1.w"].2[4..8], data[12..16]);
    // Experts, and the parts of one tensor.
    let made = run("h.{i}.e.{*}.w -> b.{i}.up | stack 0", None).unwrap();
    assert_eq!(made["h.0.e.1.w"], (Dtype::F32, vec![3], data[12..24].to_vec()));
    let made =
        run("prefix m. except r\nh -> b.0.up | part 1 0/2\nh -> b.1.up | part 1 1/2\nrest -> rest", None).unwrap();
    assert_eq!((made["m.h"].1.clone(), made.contains_key("rest")), (vec![2, 6], true));
    assert_eq!(made["m.h"].2, [&data[..12], &data[..12], &data[12..24], &data[12..24]].concat());
    assert_eq!(run("h.{i} -> b.{i}.up", Some(DType::BF16)).unwrap()["h.0"].0, Dtype::BF16);
    for (lines, why) in [
        ("h.{i} -> b.{i}.up | reshape", "`reshape` has no way back"),
        ("h.{i} -> b.{i}.up | split 0 2 | merge 1", "`merge` has no way back"),
        ("a, b -> b.0.up | concat 0", "`concat` has no way back"),
        ("h.{i} -> b.{i}.up | split 0 4", "`split 0 4` does not make [2, 3]"),
        ("h.{i} -> b.{i}.up | transpose 0 2 1", "`transpose [0, 2, 1]` does not make [2, 3]"),
        ("h.{i} -> b.{i}.up | unmerge 1", "`unmerge 1` does not make [2, 3]"),
        ("h -> b.0.up | part 0 0/2", "1 of its 2 parts are there"),
        ("h -> b.0.up\nh -> b.1.up", "`h` is made by a line before"),
        ("a, b, c -> b.0.up | stack 0", "`stack 0` of more than 2"),
    ] {
        let e = run(lines, None).unwrap_err();
        assert!(e.contains(why) && e.contains("r.rename:"), "{lines}: {e}");
    }
}

/// Adapters go out alone, or added to their weights: `w + 6 / 2 down up`, whatever the file calls the weight.
#[test]
fn adapters_are_merged() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name);
    let floats = |v: &[f32]| v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let all: [(&str, &[usize], Vec<u8>); 5] = [
        ("b.0.q", &[2, 3], floats(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])),
        ("b.0.lora.down", &[2, 2], floats(&[1.0, 0.0, 2.0, 1.0])),
        ("b.0.lora.up", &[2, 3], floats(&[0.5, 0.0, 1.0, 0.0, 1.0, 0.0])),
        ("b.0.bias", &[3], floats(&[0.0; 3])),
        ("rest", &[1], floats(&[7.0])),
    ];
    let views = all.iter().map(|(n, s, d)| (*n, TensorView::new(Dtype::F32, s.to_vec(), d).unwrap()));
    safetensors::serialize_to_file(views, None, &path("w.safetensors")).unwrap();
    let mut n = 0;
    let mut run = |lines: &str, only: &[&str]| {
        std::fs::write(path("r.rename"), lines).unwrap();
        n += 1;
        let out = path(&format!("out{n}"));
        let renames = Renames::open(&path("r.rename")).map_err(|e| e.to_string())?;
        let only: Vec<String> = only.iter().map(|p| (*p).to_owned()).collect();
        let made = export_only(&path("w.safetensors"), &renames, &out, None, 1 << 30, &only);
        made.map(|_| tensors(&out)).map_err(|e| e.to_string())
    };
    let lines = "h.{i}.weight -> b.{i}.q | transpose\nadapter b.{i}.lora 6 -> b.{i}.q";
    let made = run(lines, &[]).unwrap();
    assert_eq!(made.keys().collect::<Vec<_>>(), ["b.0.bias", "h.0.weight", "rest"]);
    // down up is [[0.5, 0, 1], [1, 1, 2]].
    assert_eq!(made["h.0.weight"], (Dtype::F32, vec![3, 2], floats(&[2.5, 7.0, 2.0, 8.0, 6.0, 12.0])));
    let alone = run(lines, &["**.lora.*"]).unwrap();
    assert_eq!(alone.keys().collect::<Vec<_>>(), ["b.0.lora.down", "b.0.lora.up"]);
    assert_eq!(run(lines, &["b.*.q"]).unwrap()["h.0.weight"].2, floats(&[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
    for (lines, only, why) in [
        ("", &["none"][..], "`none` matches no parameter"),
        ("adapter b.{i}.lora 6 -> b.{i}.bias", &[], "`b.0.lora` changes 2 x 3, and `b.0.bias` is f32[3]"),
        ("adapter b.{i}.other 6 -> b.{i}.q", &[], "b.0.other.down"),
        (
            "adapter b.{i}.lora 6 -> b.{i}.qq",
            &[],
            "r.rename:1: `b.0.lora.down` is added to `b.0.qq`, and there is no such weight",
        ),
        ("adapter b.{i}.lora -> b.{i}.q", &[], "r.rename:1: expected adapter PATH ALPHA -> PATH"),
    ] {
        let e = run(lines, only).unwrap_err();
        assert!(e.contains(why), "{lines}: {e}");
    }
}
