//! What `--data` feeds: which rows, in what order, into which inputs; and the messages about data that is damaged or
//! does not fit.

use crate::common::{port, program};
use meshloom_bundle::{DType, Port, Range, Role};
use meshloom_runtime::data::feed::Item;
use meshloom_runtime::data::{Feed, Spec, npy};
use meshloom_runtime::{HostTensor, data};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    fn item(&self, text: &str) -> Item {
        match text.split_once('=') {
            Some((name, file)) => format!("{name}={}", self.0.path().join(file).display()).parse().unwrap(),
            None => Item::Tokens(self.0.path().join(text)),
        }
    }

    fn spec(&self, items: &[&str]) -> Spec {
        Spec { items: items.iter().map(|i| self.item(i)).collect(), ..Spec::default() }
    }

    /// A message without the folder's name.
    fn said(&self, e: &meshloom_runtime::RuntimeError) -> String {
        e.to_string().replace(&format!("{}/", self.0.path().display()), "")
    }
}

fn input(name: &str, dtype: DType, shape: &[u64]) -> Port {
    let p = program(&[("data", 1)], 64);
    let whole: Vec<&[u32]> = shape.iter().map(|_| &[][..]).collect();
    port(&p, name, Role::Input, dtype, shape, &whole, 0)
}

fn ranged(name: &str, shape: &[u64], hi: i64) -> Port {
    Port { range: Some(Range { lo: 0, hi }), ..input(name, DType::I32, shape) }
}

fn pair(rows: u64, width: u64) -> Vec<Port> {
    vec![ranged("tokens", &[rows, width], 256), ranged("targets", &[rows, width], 256)]
}

fn batch(f: &Feed, sample: u64) -> BTreeMap<String, Vec<i64>> {
    let values = |t: HostTensor| t.to_i64().or(t.to_f64().map(|v| v.iter().map(|x| *x as i64).collect())).unwrap();
    f.batch(sample).unwrap().into_iter().map(|(n, t)| (n.to_owned(), values(t))).collect()
}

/// Every epoch has every window once, in an order of its own; the order depends on the seed; any batch can be asked for alone.
#[test]
fn windows_of_a_stream() {
    let p = Place::new();
    p.write("t.txt", (0..=255u8).cycle().take(1000).collect::<Vec<_>>());
    let open = |seed| Feed::open(&p.spec(&["t.txt"]), "e", &pair(3, 16), seed).unwrap();
    let f = open(1);
    // 62 windows fit; one is given up so that an epoch can begin anywhere.
    assert_eq!((f.rows(), f.batch_rows()), (61, 3));
    assert_eq!(f.describe(), "61 windows of 16 in 1000 tokens");
    let starts = |f: &Feed, epoch: u64| -> Vec<i64> {
        (0..61)
            .map(|i| {
                let b = batch(f, epoch * 61 + i);
                let (x, y) = (&b["tokens"][..16], &b["targets"][..16]);
                assert!(x.iter().zip(y).all(|(a, b)| (a + 1) % 256 == *b), "targets follow tokens");
                x[0]
            })
            .collect()
    };
    let (first, second) = (starts(&f, 0), starts(&f, 1));
    assert_ne!(first, second);
    assert_eq!(first, starts(&open(1), 0));
    assert_ne!(first, starts(&open(2), 0));
    // Windows of an epoch are 16 apart, all of them; bytes repeat after 256, so every residue is there about equally often.
    for epoch in [first, second] {
        let shift = epoch[0] % 16;
        assert!(epoch.iter().all(|s| s % 16 == shift));
        let mut counts: BTreeMap<i64, u64> = BTreeMap::new();
        epoch.iter().for_each(|s| *counts.entry(*s).or_default() += 1);
        assert!(counts.len() == 16 && counts.values().all(|n| (3..=4).contains(n)), "{counts:?}");
    }
    // A batch may lie across epochs.
    let across = batch(&f, 60);
    assert_eq!(across["tokens"][..16], batch(&f, 60)["tokens"][..16]);
    assert_eq!(across["tokens"][16..32], batch(&f, 61)["tokens"][..16]);
}

/// Somebody cuts a data file short while a run reads it: an error that names the file, whichever kind it is of. A bus error would end
/// the tests.
#[test]
fn files_that_become_shorter() {
    let p = Place::new();
    let tokens: Vec<i32> = (0..200).collect();
    let numbers = npy::to_bytes(&HostTensor::i32(&[200], &tokens));
    let rows = npy::to_bytes(&HostTensor::i32(&[50, 4], &tokens));
    let raw: Vec<u8> = tokens.iter().flat_map(|t| (*t as u16).to_le_bytes()).collect();
    let view =
        |shape: Vec<usize>, bytes| safetensors::tensor::TensorView::new(safetensors::Dtype::U8, shape, bytes).unwrap();
    let bytes: Vec<u8> = (0..200).collect();
    let whole = safetensors::serialize([("x", &view(vec![50, 4], &bytes))], None).unwrap();
    let x = || vec![input("x", DType::I32, &[5, 4])];
    let text = [b'a'; 200].to_vec();
    let cases = [
        ("t.txt", text, pair(2, 10), "t.txt"),
        ("t.npy", numbers, pair(2, 10), "t.npy"),
        ("t.bin", raw, pair(2, 10), "t.bin"),
        ("x.npy", rows, x(), "x=x.npy"),
        ("x.safetensors", whole, x(), "x=x.safetensors"),
    ];
    for (name, data, ports, item) in cases {
        let len = data.len() as u64;
        let path = p.write(name, data);
        let f = Feed::open(&p.spec(&[item]), "e", &ports, 0).unwrap();
        (0..4).for_each(|k| drop(f.batch(k).unwrap_or_else(|e| panic!("{name}: {e}"))));
        fs::File::options().write(true).open(&path).unwrap().set_len(len - 120).unwrap();
        let e = (0..10).find_map(|k| f.batch(k).err()).unwrap_or_else(|| panic!("{name} is as it was"));
        let want = format!("{name}: has become shorter: it had {len} bytes when it was opened");
        assert_eq!((p.said(&e), e.exit_code()), (want, 2));
    }
}

/// The end of the stream is held out, read in order, and never trained on.
#[test]
fn a_share_is_held_out() {
    let p = Place::new();
    let tokens: Vec<i32> = (0..2000).collect();
    p.write("t.npy", npy::to_bytes(&HostTensor::i32(&[2000], &tokens)));
    let ports = [ranged("tokens", &[2, 10], 2000), ranged("targets", &[2, 10], 2000)];
    let mut f = Feed::open(&p.spec(&["t.npy"]), "e", &ports, 0).unwrap();
    let held = f.hold_out(0.1).unwrap();
    assert_eq!((f.rows(), held.rows()), (178, 19));
    assert_eq!(batch(&held, 0)["tokens"], (1800..1820).collect::<Vec<i64>>());
    assert_eq!(batch(&held, 2)["tokens"][..10], (1820..1830).collect::<Vec<i64>>());
    let seen: Vec<i64> = (0..400).step_by(2).flat_map(|s| batch(&f, s)["targets"].clone()).collect();
    assert!(seen.iter().all(|t| *t < 1800) && seen.iter().max() > Some(&1700));
    let e = Feed::open(&p.spec(&["t.npy"]), "e", &ports, 0).unwrap().hold_out(0.001).err().unwrap();
    assert_eq!(p.said(&e), "t.npy: too short for --eval-split 0.001: no row is held out");
}

/// Documents side by side: positions begin anew, segments count them, padding has segment 0 and weight 0.
#[test]
fn packed_documents() {
    let p = Place::new();
    p.write("d.jsonl", "{\"text\": \"abcd\"}\n{\"text\": \"xyz\"}\n{\"text\": \"0123456789\"}\n");
    let mut ports = pair(3, 8);
    ports.push(input("positions", DType::I32, &[3, 8]));
    ports.push(input("segments", DType::I32, &[3, 8]));
    ports.push(input("weights", DType::F32, &[3, 8]));
    let spec = Spec { pack: true, ..p.spec(&["d.jsonl"]) };
    let f = Feed::open(&spec, "e", &ports, 0).unwrap().in_order();
    // Pairs: 3, 2, and 9 as 8 and 1.
    assert_eq!(f.describe(), "2 rows of 8, 87.5 % filled");
    let b = batch(&f, 0);
    let text = |v: &[i64]| v.iter().map(|b| *b as u8 as char).collect::<String>();
    assert_eq!(text(&b["tokens"][..6]), "abcxy8");
    assert_eq!(text(&b["targets"][..6]), "bcdyz9");
    assert_eq!(b["tokens"][6..8], [0, 0]);
    assert_eq!(b["positions"][..8], [0, 1, 2, 0, 1, 0, 0, 0]);
    assert_eq!(b["segments"][..8], [1, 1, 1, 2, 2, 3, 0, 0]);
    assert_eq!(b["weights"][..8], [1, 1, 1, 1, 1, 1, 0, 0]);
    assert_eq!(text(&b["tokens"][8..16]), "01234567");
    assert_eq!(b["weights"][8..16], [1; 8]);
    assert_eq!(b["tokens"][16..], b["tokens"][..8]);
    // The end of a document is a token to predict, where there is one.
    let f = Feed::open(&Spec { eod: Some(0), ..spec }, "e", &ports, 0).unwrap().in_order();
    let b = batch(&f, 0);
    assert_eq!(text(&b["targets"][..8]), "bcd\0yz\0\0");
}

/// Rows of several arrays go together, and arrays of every kind of file are read.
#[test]
fn rows_of_arrays() {
    let p = Place::new();
    let x: Vec<f32> = (0..20).map(|i| i as f32).collect();
    p.write("x.npy", npy::to_bytes(&HostTensor::f32(&[10, 2], &x)));
    let labels = npy::to_bytes(&HostTensor::i32(&[10], &(0..10).collect::<Vec<_>>()));
    for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
        let mut z = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        for (name, bytes) in [("y.npy", &labels), ("other.npy", &labels)] {
            z.start_file(name, options).unwrap();
            z.write_all(bytes).unwrap();
        }
        p.write("y.npz", z.finish().unwrap().into_inner());
        let ports = [input("x", DType::F64, &[4, 2]), ranged("y", &[4], 10)];
        let mut f = Feed::open(&p.spec(&["x=x.npy", "y=y.npz:y"]), "e", &ports, 5).unwrap();
        let mut seen = Vec::new();
        for s in (0..20).step_by(4) {
            let b = batch(&f, s);
            assert!((0..4).all(|k| b["x"][2 * k] == 2 * b["y"][k] && b["x"][2 * k + 1] == 2 * b["y"][k] + 1));
            seen.extend(b["y"].clone());
        }
        for epoch in seen.chunks_mut(10) {
            epoch.sort_unstable();
            assert_eq!(epoch, (0..10).collect::<Vec<i64>>());
        }
        let held = f.hold_out(0.3).unwrap();
        let of = |f: &Feed| (0..f.rows()).map(|s| batch(f, s)["y"][0]).collect::<std::collections::BTreeSet<_>>();
        let (train, held) = (of(&f), of(&held));
        assert_eq!((train.len(), held.len()), (7, 3));
        assert!(train.is_disjoint(&held));
        assert_ne!(held, [7, 8, 9].into(), "not simply the last rows");
    }
    let view = safetensors::tensor::TensorView::new(safetensors::Dtype::U8, vec![3, 1], &[7, 8, 9]).unwrap();
    safetensors::serialize_to_file([("a", &view), ("b", &view)], None, &p.0.path().join("z.safetensors")).unwrap();
    let f = Feed::open(&p.spec(&["z=z.safetensors:b"]), "e", &[input("z", DType::I64, &[1, 1])], 0).unwrap();
    let mut all: Vec<i64> = (0..3).map(|s| batch(&f, s)["z"][0]).collect();
    all.sort_unstable();
    assert_eq!(all, [7, 8, 9]);
}

/// A tokenizer gives what it gives in Python, and ends documents when asked to.
#[test]
fn a_tokenizer() {
    let hf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/hf");
    let t = data::Tokenizer::open(&hf.join("tokenizer.json")).unwrap();
    let due: Vec<u32> = serde_json::from_str(&fs::read_to_string(hf.join("tokenizer.expected.json")).unwrap()).unwrap();
    let text = "The compiler chooses layouts.";
    assert_eq!(t.encode(text).unwrap(), due);
    assert_eq!(t.decode(&due).unwrap(), text);
    let p = Place::new();
    p.write("a.txt", text);
    let eod = t.token("<|endoftext|>").unwrap();
    let width = due.len() as u64;
    let spec = Spec { tokenizer: Some(hf.join("tokenizer.json")), eod: Some(eod), ..p.spec(&["a.txt"]) };
    let f = Feed::open(&spec, "e", &pair(1, width), 0).unwrap().in_order();
    let b = batch(&f, 0);
    let due: Vec<i64> = due.iter().map(|&t| i64::from(t)).collect();
    assert_eq!(b["tokens"], due);
    assert_eq!(b["targets"], [&due[1..], &[i64::from(eod)]].concat());
    let small = vec![ranged("tokens", &[1, 4], 100), ranged("targets", &[1, 4], 100)];
    let e = Feed::open(&spec, "e", &small, 0).err().unwrap().to_string();
    assert!(e.ends_with("tokenizer.json: 256 tokens; `tokens` takes 0..100"), "{e}");
}

/// Megatron's pair of files, documents and all.
#[test]
fn megatron_files() {
    let p = Place::new();
    p.write("m.bin", [1u16, 2, 3, 4, 5, 6].map(u16::to_le_bytes).concat());
    let mut idx = b"MMIDIDX\0\0".to_vec();
    idx.extend(1u64.to_le_bytes());
    idx.push(8);
    idx.extend([2u64, 3].map(u64::to_le_bytes).concat());
    idx.extend([4i32, 2].map(i32::to_le_bytes).concat());
    idx.extend([0i64, 8].map(i64::to_le_bytes).concat());
    idx.extend([0u64, 1, 2].map(u64::to_le_bytes).concat());
    p.write("m.idx", &idx);
    let spec = Spec { pack: true, ..p.spec(&["m.bin"]) };
    let f = Feed::open(&spec, "e", &pair(1, 4), 0).unwrap().in_order();
    assert_eq!(batch(&f, 0)["targets"], [2, 3, 4, 6]);
    p.write("m.idx", &idx[..idx.len() - 1]);
    let e = Feed::open(&spec, "e", &pair(1, 4), 0).err().unwrap();
    assert_eq!(p.said(&e), "m.idx: 81 bytes for 2 sequences and 3 documents");
}

/// Everything that can be wrong is said with file and place.
#[test]
fn wrong_data() {
    let p = Place::new();
    p.write("short.txt", "12345678");
    p.write("t.txt", "hello there, this is text");
    p.write("high.bin", [1u16, 2, 300, 4, 5, 6].map(u16::to_le_bytes).concat());
    p.write("x.npy", npy::to_bytes(&HostTensor::f32(&[3, 2], &[0.0; 6])));
    p.write("four.npy", npy::to_bytes(&HostTensor::i32(&[4], &[0, 1, 2, 3])));
    p.write("cut.npy", &npy::to_bytes(&HostTensor::f32(&[3, 2], &[0.0; 6]))[..140]);
    p.write("no.npz", "PK nothing");
    p.write("cut.safetensors", [255, 0, 0, 0, 0, 0, 0, 0, b'{']);
    p.write("latin.txt", b"line\ncaf\xe9 and more".as_slice());
    p.write("bad.jsonl", "{\"text\": \"a\"}\n[1]\n");
    p.write("no.json", "{}");
    let mut z = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for name in ["a.npy", "b.npy"] {
        z.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        z.write_all(b"\x93NUMPY\x01\0v\0{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 9), }")
            .unwrap();
    }
    p.write("two.npz", z.finish().unwrap().into_inner());
    let x = || vec![input("x", DType::F32, &[2, 2]), input("y", DType::F32, &[2]), ranged("t", &[2], 3)];
    let tokenizer = |s: Spec| Spec { tokenizer: Some(p.0.path().join("no.json")), ..s };
    let cases: Vec<(Spec, Vec<Port>, &str)> = vec![
        (p.spec(&["none.txt"]), pair(1, 4), "none.txt: cannot be read: No such file or directory (os error 2)"),
        (p.spec(&["short.txt"]), pair(1, 8), "short.txt: 8 tokens; 9 are the least for one row"),
        (p.spec(&["high.bin"]), pair(1, 5), "high.bin: token 2: is 300; `tokens` takes 0..256"),
        (
            p.spec(&["t.txt"]),
            vec![input("x", DType::F32, &[2, 2])],
            "entry `e`: files of tokens feed inputs named tokens, targets, positions, segments and weights, of shape [batch, width]; \
             it has `x: f32[2, 2]` (arrays are given as --data NAME=FILE)",
        ),
        (
            p.spec(&["t.txt"]),
            vec![ranged("tokens", &[2, 4], 9), ranged("targets", &[2, 5], 9)],
            "entry `e`: `targets` is i32[2, 5] and takes [batch, width] like the other inputs that tokens feed",
        ),
        (
            p.spec(&["t.txt"]),
            vec![ranged("tokens", &[2, 4], 9), input("weights", DType::I32, &[2, 4])],
            "entry `e`: `weights` is i32 and takes floats",
        ),
        (
            p.spec(&["x.npy"]),
            pair(1, 2),
            "x.npy: f32[3, 2] is no stream of tokens; rows of an array go to an input by name: NAME=FILE",
        ),
        (p.spec(&["t.txt", "x=x.npy"]), x(), "--data: takes either files of tokens or arrays by NAME=FILE, not both"),
        (p.spec(&["z=x.npy"]), x(), "--data z=..: is no input of entry `e`: `x`, `y`, `t`"),
        (p.spec(&["x=x.npy", "x=x.npy"]), x(), "--data x=..: is given twice"),
        (p.spec(&["y=x.npy"]), x(), "y=x.npy: rows for f32[2] are needed, found f32[3, 2]"),
        (p.spec(&["x=x.npy", "t=four.npy"]), x(), "t=four.npy: 4 rows where x.npy has 3"),
        (
            p.spec(&["y=four.npy"]),
            x(),
            "y=four.npy: i32 where f32 is taken; take i32 in the program and convert it there, with `x as f32`",
        ),
        (p.spec(&["t=four.npy"]), x(), "t=four.npy: row 3: element 0 is 3; the program takes 0..3"),
        (p.spec(&["x=cut.npy"]), x(), "cut.npy: 12 bytes of data for f32[3, 2]"),
        (p.spec(&["x=t.txt"]), x(), "t.txt: arrays are read from .npy, .npz and .safetensors files, "),
        (p.spec(&["x=no.npz"]), x(), "no.npz: no .npz file, or a damaged one: "),
        (p.spec(&["x=two.npz"]), x(), "two.npz: holds several arrays; say which, as in FILE:NAME: `a`, `b`"),
        (p.spec(&["x=two.npz:c"]), x(), "two.npz: holds no array `c`; it has `a`, `b`"),
        (p.spec(&["x=two.npz:a"]), x(), "two.npz: array `a`: "),
        (p.spec(&["x=cut.safetensors"]), x(), "cut.safetensors: no valid safetensors file: "),
        (tokenizer(p.spec(&["t.txt"])), pair(1, 4), "no.json: no tokenizer.json: "),
        (tokenizer(p.spec(&["x=x.npy"])), x(), "--tokenizer: is for files of tokens, and --data gives arrays by name"),
        (p.spec(&["bad.jsonl"]), pair(1, 4), "bad.jsonl: line 2, column "),
        (Spec { pack: true, ..p.spec(&["bad.jsonl"]) }, pair(1, 4), "bad.jsonl: line 2, column "),
    ];
    for (spec, ports, due) in cases {
        let opened = Feed::open(&spec, "e", &ports, 0);
        // What no step has read yet is found when it is read.
        let e = opened.and_then(|f| (0..f.rows()).try_for_each(|s| f.batch(s).map(|_| ())));
        let said = p.said(&e.expect_err(due));
        assert!(said == due || (due.ends_with(' ') && said.starts_with(due)), "{said}\n  where this is due\n{due}");
    }
    let hf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/hf/tokenizer.json");
    let spec = Spec { tokenizer: Some(hf), ..p.spec(&["latin.txt"]) };
    let e = Feed::open(&spec, "e", &pair(1, 4), 0).err().unwrap();
    assert_eq!(p.said(&e), "latin.txt: line 2, byte 8: not UTF-8 text");
}
