//! From source text to a session on this machine, for the tests that run programs.
#![allow(dead_code)]

pub mod carried;

use half::{bf16, f16};
use meshloom_bundle::{Bundle, Contents, EntryContents, EntryKind, LibraryContents, LibraryKind, Pipeline, write};
use meshloom_codegen::worker::{self, Isolation, KernelModule, Request};
use meshloom_driver::backend::{self, Cpu};
use meshloom_driver::{CompileOptions, Program, Scheduled, check, lower, plan};
use meshloom_ir::{DType, Func, Tensor};
use meshloom_kernels::target::{Level, Target};
use meshloom_runtime::{HostTensor, Session, SessionOptions};
use meshloom_source::Failure;
use std::collections::BTreeMap;

/// Sizes by name: of mesh axes, or of dims.
pub type Sizes<'a> = &'a [(&'a str, u64)];

pub fn sizes(of: Sizes<'_>) -> Vec<(String, u64)> {
    of.iter().map(|&(n, s)| (n.to_string(), s)).collect()
}

/// Options for a mesh and a layout block; no block where the name is empty.
pub fn on(mesh: Sizes<'_>, layout: &str) -> CompileOptions {
    let mut o = CompileOptions::default();
    o.front.mesh = Some(sizes(mesh));
    o.front.layout = Some(layout.to_string()).filter(|l| !l.is_empty());
    o
}

/// Everything up to the executable program.
#[track_caller]
pub fn compiled(name: &str, text: &str, options: &CompileOptions) -> Program<Scheduled> {
    let made = check(name, text, options).and_then(|p| plan(p, options)).and_then(lower);
    made.unwrap_or_else(|(e, sources): (Failure, _)| match e {
        Failure::Rejected(d) | Failure::TooLarge(d) => {
            use meshloom_source::diagnostic::{Style, render_all};
            panic!("{name} {:?}\n{}", options.front.mesh, render_all(&d, &sources, Style::Plain))
        }
        other => panic!("{name} {:?}: {other}", options.front.mesh),
    })
}

/// A bundle of a program, compiled to machine code for this CPU; a kernel that another test had compiled is taken as it was.
#[track_caller]
pub fn bundle(p: &Program<Scheduled>) -> Bundle {
    let level = if meshloom_runtime::device::library::has("avx512f") { Level::V4 } else { Level::V3 };
    let contents = backend::bundle(p, &[Cpu { level }], &Isolation::InProcess(meshloom_llvm::remembered), 2)
        .unwrap_or_else(|e| panic!("{e}"));
    let bytes = write(&contents).unwrap_or_else(|e| panic!("{e}"));
    Bundle::read(&bytes).unwrap_or_else(|e| panic!("{e}"))
}

/// Many programs as the entries of one, so that their kernels are compiled together; each is named as given.
pub fn together(programs: impl IntoIterator<Item = (String, Program<Scheduled>)>) -> Program<Scheduled> {
    let mut programs = programs.into_iter().map(|(name, mut p)| {
        p.entries.truncate(1);
        p.entries[0].name.clone_from(&name);
        p.entries[0].scheduled.program.entry = name;
        p
    });
    let mut all = programs.next().expect("some programs");
    all.entries.extend(programs.flat_map(|p| p.entries));
    all
}

/// A session of an entry of a bundle.
#[track_caller]
pub fn open(bundle: &Bundle, entry: &str) -> Session {
    Session::open(bundle, entry, &SessionOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// A session of a program's first entry.
#[track_caller]
pub fn session(p: &Program<Scheduled>) -> Session {
    open(&bundle(p), &p.entries[0].name)
}

/// A tensor of the interpreter as one of the runtime.
pub fn host(t: &Tensor) -> HostTensor {
    let (n, shape) = (t.len(), &t.ty.shape);
    match t.ty.dtype {
        DType::I32 => HostTensor::i32(shape, &(0..n).map(|i| t.i(i) as i32).collect::<Vec<_>>()),
        DType::F64 => HostTensor::f64(shape, &(0..n).map(|i| t.f(i)).collect::<Vec<_>>()),
        DType::BF16 | DType::F16 => {
            let bits = |x: f64| {
                if t.ty.dtype == DType::F16 { f16::from_f64(x).to_bits() } else { bf16::from_f64(x).to_bits() }
            };
            stored(t, (0..n).flat_map(|i| bits(t.f(i)).to_le_bytes()).collect())
        }
        DType::I64 => stored(t, (0..n).flat_map(|i| t.i(i).to_le_bytes()).collect()),
        DType::U32 => stored(t, (0..n).flat_map(|i| (t.i(i) as u32).to_le_bytes()).collect()),
        DType::I8 | DType::U8 | DType::Bool => stored(t, (0..n).map(|i| t.i(i) as u8).collect()),
        _ => HostTensor::f32(shape, &(0..n).map(|i| t.f(i) as f32).collect::<Vec<_>>()),
    }
}

fn stored(t: &Tensor, bytes: Vec<u8>) -> HostTensor {
    let dtype = meshloom_bundle::held_as(t.ty.dtype);
    HostTensor { dtype, shape: t.ty.shape.clone(), bytes }
}

/// Runs a session's program once on `inputs`, which are those of `func`; its outputs.
#[track_caller]
pub fn outputs(s: &mut Session, func: &Func, inputs: &[Tensor]) -> Vec<Vec<f64>> {
    s.initialize().unwrap_or_else(|e| panic!("{e}"));
    for (port, x) in func.inputs.iter().zip(inputs) {
        s.write(&port.name, host(x)).unwrap_or_else(|e| panic!("{e}"));
    }
    s.run().unwrap_or_else(|e| panic!("{e}"));
    let read = |name: &str| s.read(name).unwrap_or_else(|e| panic!("{e}")).to_f64().unwrap();
    func.outputs.iter().map(|port| read(&port.name)).collect()
}

fn root() -> std::path::PathBuf {
    std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Whether outputs in f32 are those of the interpreter, but for rounding: to 1e-5 of the largest number of a tensor.
#[track_caller]
pub fn as_the_interpreter(name: &str, func: &Func, want: &[Tensor], found: &[Vec<f64>]) {
    to_within(1e-5, name, func, want, found);
}

/// The same to a part of the largest number of a tensor.
#[track_caller]
pub fn to_within(part: f64, name: &str, func: &Func, want: &[Tensor], found: &[Vec<f64>]) {
    for ((port, w), got) in func.outputs.iter().zip(want).zip(found) {
        assert_eq!(got.len(), w.len());
        let size = (0..w.len()).map(|i| w.f(i).abs()).fold(1e-3, f64::max);
        let off = (0..w.len()).map(|i| (w.f(i) - got[i]).abs()).fold(0.0, f64::max);
        assert!(off <= part * size, "{name} {}: off by {off:e} of {size}", port.name);
    }
}

/// The losses of a workload of the oracle, one for each step.
pub fn expected(workload: &str) -> Vec<f64> {
    let text = std::fs::read_to_string(root().join("tests/data/oracles").join(workload).join("expected.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    json["loss_curve"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

/// Parameters and tokens of the oracle's `gpt_small`.
pub fn gpt_small_inputs(s: &mut Session) {
    s.initialize().unwrap();
    let scale = 0.02 * 3f64.sqrt();
    let mut inputs = vec![
        "tokens=det:tokens:gpt_small/tokens:1024:129:0".to_string(),
        "targets=det:tokens:gpt_small/tokens:1024:129:1".to_string(),
    ];
    for n in ["wte", "wpe", "head"] {
        inputs.push(format!("{n}=det:uniform:gpt_small/{n}:{scale}"));
    }
    for n in ["wq", "wk", "wv", "wo", "w1", "w2"] {
        inputs.push(format!("blocks.*.{n}=det:uniform:gpt_small/h*/{n}:{scale}"));
    }
    for i in &inputs {
        s.input(&i.parse().unwrap()).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// A bundle of scheduled programs, each an entry, with kernels for this machine.
pub fn linked(programs: Vec<meshloom_lower::Scheduled>) -> Bundle {
    let library = library(&programs);
    bundle_of(programs.into_iter().map(|s| (s.program, None)).collect(), library)
}

/// A bundle of programs or, with their stages, outlines.
pub fn bundle_of(programs: Vec<(meshloom_bundle::Program, Option<Pipeline>)>, library: LibraryContents) -> Bundle {
    let entry = |(program, pipeline)| EntryContents {
        kind: EntryKind::Function,
        program,
        pipeline,
        plan: String::new(),
        certificate: String::new(),
    };
    let entries = programs.into_iter().map(entry).collect();
    let contents = Contents { target: "cpu".into(), entries, libraries: vec![library], sources: Vec::new() };
    Bundle::read(&meshloom_bundle::write(&contents).unwrap()).unwrap()
}

/// The kernels of scheduled programs, for this machine.
pub fn library(programs: &[meshloom_lower::Scheduled]) -> LibraryContents {
    let v4 = meshloom_runtime::device::library::has("avx512f");
    let target = Target { level: if v4 { Level::V4 } else { Level::V3 } };
    let kernels = programs.iter().flat_map(|s| &s.kernels);
    let texts: BTreeMap<String, String> =
        kernels.map(|k| (k.symbol(), meshloom_kernels::emit(k, &target).unwrap())).collect();
    let kernels =
        texts.into_iter().map(|(symbol, text)| KernelModule { symbol, text, mapping: Default::default() }).collect();
    let request = Request { kernels, target: Default::default(), threads: 2 };
    let artifacts =
        worker::compile(&request, &Isolation::InProcess(meshloom_llvm::remembered)).unwrap_or_else(|e| panic!("{e}"));
    let file = tempfile::NamedTempFile::new().unwrap();
    artifacts.link(file.path()).unwrap();
    LibraryContents {
        name: "host".into(),
        kind: LibraryKind::ElfSo,
        cpu_features: Vec::new(),
        symbols: request.kernels.iter().map(|k| k.symbol.clone()).collect(),
        tools: Default::default(),
        bytes: std::fs::read(file.path()).unwrap(),
    }
}
