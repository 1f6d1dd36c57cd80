//! Programs written as StableHLO, whole and as each device runs them, are read by jaxlib's bindings and run by XLA on 8 CPU devices: they
//! give what the interpreter gives.
//!
//! `MESHLOOM_JAX=PYTHON cargo test -p meshloom-driver --test it -- --ignored emitted` runs them; PYTHON has JAX (0.10).

use meshloom_ir::interp::eval;
use meshloom_ir::{DType, Func, Mesh, Tensor};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random::{self as random, AGREE, Closeness, KINDS};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Case {
    name: String,
    text: String,
    inputs: Vec<Tensor>,
    want: Vec<Tensor>,
}

fn python() -> String {
    std::env::var("MESHLOOM_JAX").expect("MESHLOOM_JAX names a Python with JAX")
}

/// A .npy file of f64 or i64.
fn npy(t: &Tensor) -> Vec<u8> {
    let float = t.ty.dtype.is_float();
    let shape: String = t.ty.shape.iter().fold(String::new(), |mut s, n| {
        write!(s, "{n},").unwrap();
        s
    });
    let mut header =
        format!("{{'descr': '{}', 'fortran_order': False, 'shape': ({shape}), }}", if float { "<f8" } else { "<i8" });
    while (header.len() + 11) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    for i in 0..t.len() {
        bytes.extend(if float { t.f(i).to_le_bytes() } else { t.i(i).to_le_bytes() });
    }
    bytes
}

/// The elements of such a file, each the bits of an f64 or an i64.
fn elements(path: &Path) -> Vec<[u8; 8]> {
    let bytes = std::fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let start = 10 + u16::from_le_bytes([bytes[8], bytes[9]]) as usize;
    bytes[start..].chunks(8).map(|c| <[u8; 8]>::try_from(c).unwrap()).collect()
}

/// Runs modules in JAX and compares: integers exactly, floats to `relative` of the largest element.
fn run(python: &str, cases: &[Case], relative: f64) {
    run_to(python, cases, &|_, _| Some(relative));
}

/// The same, of each result of a case as far as `relative` has a bound for it.
fn run_to(python: &str, cases: &[Case], relative: &dyn Fn(&Case, usize) -> Option<f64>) {
    let (dir, mut wrong) = (tempfile::tempdir().unwrap(), Vec::new());
    let folders: Vec<PathBuf> = (0..cases.len()).map(|i| dir.path().join(i.to_string())).collect();
    for (case, folder) in cases.iter().zip(&folders) {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("module.mlir"), &case.text).unwrap();
        for (i, x) in case.inputs.iter().enumerate() {
            std::fs::write(folder.join(format!("in{i}.npy")), npy(x)).unwrap();
        }
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/run.py");
    let out = Command::new(python).arg(script).args(&folders).output().expect("MESHLOOM_JAX runs");
    let failed = || {
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        // They run one after the other.
        let which = folders.iter().position(|f| !f.join("out0.npy").exists());
        which.map_or(text.clone(), |i| format!("{}: {text}\n{}", cases[i].name, cases[i].text))
    };
    assert!(out.status.success(), "{}, {}", out.status, failed());
    for (case, folder) in cases.iter().zip(&folders) {
        for (i, want) in case.want.iter().enumerate() {
            let Some(relative) = relative(case, i) else { continue };
            let got = elements(&folder.join(format!("out{i}.npy")));
            assert_eq!(want.len(), got.len(), "{}: result {i}", case.name);
            let mut fail = |k: usize, g: String, w: String| {
                let text = if wrong.is_empty() { &case.text } else { "" };
                wrong.push(format!("{}: result {i}[{k}] is {g}, not {w}\n{text}", case.name));
            };
            if !want.ty.dtype.is_float() {
                if let Some(k) = (0..want.len()).find(|&k| i64::from_le_bytes(got[k]) != want.i(k)) {
                    fail(k, i64::from_le_bytes(got[k]).to_string(), want.i(k).to_string());
                }
                continue;
            }
            let scale = (0..want.len()).map(|k| want.f(k).abs()).filter(|x| x.is_finite()).fold(1.0, f64::max);
            for (k, bits) in got.iter().enumerate() {
                let (w, g) = (want.f(k), f64::from_le_bytes(*bits));
                let close = w == g || w.is_nan() && g.is_nan() || (w - g).abs() <= relative * scale;
                if !close {
                    fail(k, g.to_string(), w.to_string());
                    break;
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A program as it is, and as each device runs it by a plan. None where its annotations contradict each other.
fn cases(f: &Func, name: &str) -> Vec<Case> {
    forms(f, name, &["global", "local"])
}

fn forms(f: &Func, name: &str, forms: &[&str]) -> Vec<Case> {
    let inputs = random::inputs(f, 3);
    let want = eval(f, &inputs).unwrap_or_else(|e| panic!("{name}: {e}"));
    let options = PlanOptions { mode: Mode::Follow, ..PlanOptions::default() };
    let Ok(plan) = meshloom_plan::plan(f, &options) else { return Vec::new() };
    let case = |form: &&str| {
        let text = match *form {
            "global" => meshloom_stablehlo::emit::global(f),
            _ => meshloom_stablehlo::emit::local(&plan.local, f),
        };
        Case {
            name: format!("{name}, {form}"),
            text: text.unwrap_or_else(|e| panic!("{name}, {form}: {e:?}")),
            inputs: inputs.clone(),
            want: want.clone(),
        }
    };
    forms.iter().map(case).collect()
}

#[test]
#[ignore = "needs JAX, which MESHLOOM_JAX names"]
fn every_op() {
    let python = python();
    let mesh = Mesh::new([("data", 2), ("model", 3)]);
    let mut all = Vec::new();
    for i in random::instances() {
        // One way to split each: what is there to see is that the op is written rightly, alone and with its shard.
        let ways = i.functions(&mesh);
        let f = &ways[ways.len() / 2];
        let made = cases(f, &format!("{} {:?}", f.name, i.op));
        assert!(made.len() == 2, "{:?} is not planned", i.op);
        all.extend(made);
    }
    run(&python, &all, 1e-11);
}

#[test]
#[ignore = "needs JAX, which MESHLOOM_JAX names"]
fn random_programs() {
    let python = python();
    let mut all = Vec::new();
    for (seed, uneven) in (0..10).map(|s| (s, false)).chain((20..30).map(|s| (s, true))) {
        let mesh = Mesh::new([("data", 2), ("model", 4)]);
        let f = random::program(seed, &random::RandomOptions { uneven, ..random::RandomOptions::new(mesh) });
        // XLA's partitioner adds up what pads the shards of a scatter (0.10.2): on one device it gives other results for these programs.
        all.extend(forms(&f, &f.name, if uneven { &["local"] } else { &["global", "local"] }));
    }
    assert!(all.len() >= 20, "{} modules", all.len());
    run(&python, &all, 1e-10);
}

/// Every kind of program that the compiler's own runs are compared with, in XLA on one device. `MESHLOOM_SEEDS=0..500` is the long run.
#[test]
#[ignore = "needs JAX, which MESHLOOM_JAX names"]
fn every_kind() {
    let python = python();
    let asked = std::env::var("MESHLOOM_SEEDS").ok();
    let asked = asked.as_deref().and_then(|s| s.split_once("..")).map(|(a, b)| a.parse().unwrap()..b.parse().unwrap());
    let seeds: Vec<u64> = asked.unwrap_or(0..4 * KINDS).collect();
    let mut left = 0;
    for chunk in seeds.chunks(50) {
        let (mut all, mut ways) = (Vec::new(), Vec::new());
        for &seed in chunk {
            let (options, closeness) = random::kind(seed, Mesh::new([("data", 1)]));
            let f = random::program(seed, &options);
            // XLA ends with SIGFPE where an integer is divided by zero (0.10.2).
            let divides = |d: &meshloom_ir::OpData| matches!(d.op.name(), "divide" | "remainder");
            // XLA counts -32 zeros before a negative constant (0.10.2); before one that it does not know when it compiles, none.
            let constant = |d: &meshloom_ir::OpData| {
                let of = f.def_op(d.operands[0]).map(|o| &f.op(o).op);
                d.op.name() == "count_leading_zeros" && matches!(of, Some(meshloom_ir::Op::Constant { .. }))
            };
            if f.ops.iter().any(|d| divides(d) && f.ty(d.results[0]).dtype.is_int() || constant(d)) {
                left += 1;
                continue;
            }
            let made = forms(&f, &f.name, &["global"]);
            assert_eq!(made.len(), 1, "{seed} is not planned");
            ways.push((closeness, options.dtype, f.outputs.iter().map(|p| p.name.clone()).collect::<Vec<_>>()));
            all.extend(made);
        }
        run_to(&python, &all, &|case, i| {
            let at = all.iter().position(|c| c.name == case.name)?;
            let (closeness, dtype, outputs) = &ways[at];
            match (closeness, dtype) {
                // XLA computes in 32 bits what it stores in 16, and may compare both.
                (Closeness::Loose, _) if outputs[i].starts_with(AGREE) => None,
                (Closeness::Exact | Closeness::Loose, _) if outputs[i] == "loss" => None,
                // XLA makes one operation of a product and a sum, and rounds once.
                (Closeness::Exact, DType::F32 | DType::F64) => Some(1e-5),
                (Closeness::Exact, _) => Some(0.0),
                (Closeness::Close, DType::F64) => Some(1e-10),
                (Closeness::Close, _) => Some(1e-3),
                (Closeness::Loose, _) => Some(0.1),
            }
        });
    }
    println!("{left} of {} programs have ops that XLA has faults in", seeds.len());
    assert!(2 * left < seeds.len());
}

/// With one device there is nothing to partition, and XLA knows no manual computation.
#[test]
#[ignore = "needs JAX, which MESHLOOM_JAX names"]
fn one_device() {
    let python = python();
    let f = random::program(3, &random::RandomOptions::new(Mesh::new([("data", 1)])));
    run(&python, &cases(&f, &f.name), 1e-10);
}

#[test]
#[ignore = "needs JAX, which MESHLOOM_JAX names"]
fn sixteen_bits_and_integers() {
    let python = python();
    let mut all = Vec::new();
    for dtype in [DType::F32, DType::BF16, DType::F16, DType::I32, DType::I64, DType::I8, DType::U8, DType::U32] {
        let mut b = meshloom_ir::Builder::new(format!("of_{dtype}"), Mesh::new([("data", 2)]));
        let port = |n: &str, role| meshloom_ir::Port::new(n, role, 1);
        let x = b.input(meshloom_ir::TensorType::new(dtype, [6]), port("x", meshloom_ir::Role::Input));
        let c = b.constant(dtype, &[6], 3.0);
        let y = b.add(x, c);
        let y = b.reduce(meshloom_ir::Reduction::Max, y, &[0]);
        let y = b.broadcast(y, &[6], &[]);
        b.output(y, port("y", meshloom_ir::Role::Output));
        let f = b.finish();
        all.extend(cases(&f, &f.name));
    }
    run(&python, &all, 1e-6);
}
