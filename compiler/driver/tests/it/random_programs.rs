//! Random programs on random meshes: planned, certified, scheduled, compiled and run, against the interpreter.
#![cfg(feature = "llvm")]

use meshloom_bundle::{Bundle, Contents, EntryContents, EntryKind, LibraryContents, LibraryKind};
use meshloom_codegen::worker::{self, Isolation, KernelModule, Request};
use meshloom_ir::interp::eval;
use meshloom_ir::random::{self, RandomOptions, Rng};
use meshloom_ir::{DType, Func, Role, Tensor};
use meshloom_kernels::target::{Level, Target};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_runtime::{HostTensor, Session, SessionOptions};
use std::collections::BTreeMap;

fn host(t: &Tensor) -> HostTensor {
    let (n, shape) = (t.len(), &t.ty.shape);
    match t.ty.dtype {
        DType::I32 => HostTensor::i32(shape, &(0..n).map(|i| t.i(i) as i32).collect::<Vec<_>>()),
        DType::F64 => HostTensor::f64(shape, &(0..n).map(|i| t.f(i)).collect::<Vec<_>>()),
        DType::BF16 | DType::F16 => {
            let bits = |x: f64| match t.ty.dtype {
                DType::F16 => half::f16::from_f64(x).to_bits(),
                _ => half::bf16::from_f64(x).to_bits(),
            };
            let bytes = (0..n).flat_map(|i| bits(t.f(i)).to_le_bytes()).collect();
            HostTensor { dtype: meshloom_schedule::bundle_dtype(t.ty.dtype), shape: shape.clone(), bytes }
        }
        _ => HostTensor::f32(shape, &(0..n).map(|i| t.f(i) as f32).collect::<Vec<_>>()),
    }
}

/// Runs a function through everything; `None` where the CPU target says that it cannot run an op of it yet.
fn run(f: &Func, inputs: &[Tensor], threads: usize, mode: Mode) -> Option<Vec<Vec<f64>>> {
    let options = PlanOptions { mode, ..PlanOptions::default() };
    let plan = meshloom_plan::plan(f, &options).unwrap_or_else(|e| panic!("{e:?}"));
    meshloom_certify::check(f, &plan.local, &plan.certificate)
        .unwrap_or_else(|r| panic!("{}\n{}", r[0], meshloom_ir::print::print(f)));
    let opts = meshloom_schedule::ScheduleOptions {
        locate: &|_| None,
        tokens_per_step: 0,
        device: Default::default(),
        tf32: false,
    };
    let s = match meshloom_schedule::schedule(&plan.local, f, &opts) {
        Ok(s) => s,
        Err(e) if e.message.contains("not supported") || e.message.contains("not generated yet") => return None,
        Err(e) => panic!("{e}\n{}", meshloom_ir::print::print(&plan.local)),
    };
    meshloom_bundle::validate(&s.program).unwrap_or_else(|e| panic!("{e}\n{}", meshloom_ir::print::print(&plan.local)));
    let v4 = meshloom_runtime::device::library::has("avx512f");
    let target = Target { level: if v4 { Level::V4 } else { Level::V3 } };
    let texts: BTreeMap<String, String> =
        s.kernels.iter().map(|k| (k.symbol(), meshloom_kernels::emit(k, &target).unwrap())).collect();
    let kernels =
        texts.into_iter().map(|(symbol, text)| KernelModule { symbol, text, mapping: Default::default() }).collect();
    let request = Request { kernels, target: Default::default(), threads: 2 };
    let artifacts = worker::compile(&request, &Isolation::InProcess).unwrap_or_else(|e| panic!("{e}"));
    let file = tempfile::NamedTempFile::new().unwrap();
    artifacts.link(file.path()).unwrap();
    let library = LibraryContents {
        name: "host".into(),
        kind: LibraryKind::ElfSo,
        cpu_features: Vec::new(),
        symbols: request.kernels.iter().map(|k| k.symbol.clone()).collect(),
        bytes: std::fs::read(file.path()).unwrap(),
    };
    let entry = EntryContents {
        kind: EntryKind::Function,
        program: s.program,
        plan: String::new(),
        certificate: String::new(),
    };
    let contents =
        Contents { target: "cpu".into(), entries: vec![entry], libraries: vec![library], sources: Vec::new() };
    let bundle = Bundle::read(&meshloom_bundle::write(&contents).unwrap()).unwrap();
    let options = SessionOptions { threads: Some(threads), ..SessionOptions::default() };
    let mut session = Session::open(&bundle, &f.name, &options).unwrap_or_else(|e| panic!("{e}"));
    session.initialize().unwrap();
    for (p, x) in f.inputs.iter().zip(inputs) {
        session.write(&p.name, host(x)).unwrap_or_else(|e| panic!("{e}"));
    }
    session.run().unwrap();
    Some(f.outputs.iter().map(|p| session.read(&p.name).unwrap_or_else(|e| panic!("{e}")).to_f64().unwrap()).collect())
}

#[test]
fn run_as_interpreted() {
    compare(0..100, |_| {});
}

/// Arrays of constants as operands of any op, carries and outputs of loops, results.
#[test]
fn arrays_of_constants_anywhere() {
    compare(3000..3060, |o| (o.arrays, o.constraints) = (true, false));
    compare(3060..3090, |o| (o.arrays, o.constraints, o.uneven) = (true, false, true));
}

/// The same beside annotations.
#[test]
fn arrays_of_constants_split() {
    compare(3100..3150, |o| o.arrays = true);
}

/// Dims of 1, 5, 7, 11 split over axes that do not divide them.
#[test]
fn uneven_programs_run_as_interpreted() {
    compare(1000..1060, |o| o.uneven = true);
}

/// 64-bit integers at the ends of their range.
#[test]
fn wide_integers_run_as_interpreted() {
    compare(2000..2040, |o| (o.wide, o.uneven) = (true, o.mesh.devices() > 4));
}

/// Comparisons, extremes, sorting and rounding of 16-bit numbers that are stored here and recomputed there.
#[test]
fn decisions_in_16_bits() {
    let exact = |o: &mut RandomOptions, dtype| {
        *o = RandomOptions { dtype, decisions: true, ints: false, repeats: false, composites: false, ..o.clone() };
    };
    compare(4000..4040, |o| exact(o, DType::BF16));
    compare(4040..4080, |o| exact(o, DType::F16));
}

/// The same in 32 bits, where products and sums may not become one operation.
#[test]
fn decisions_in_32_bits() {
    compare(4080..4120, |o| {
        *o = RandomOptions {
            dtype: DType::F32,
            decisions: true,
            ints: false,
            repeats: false,
            composites: false,
            ..o.clone()
        };
    });
}

/// Attention in straight line and in loops, its results stacked, summed, sorted, joined and exchanged.
#[test]
fn attention_runs_as_interpreted() {
    let (even, odd): (Vec<u64>, Vec<u64>) = seeds(2000..2100).partition(|s| s.is_multiple_of(2));
    compare(odd, |o| o.attention = true);
    compare(even, |o| (o.attention, o.uneven) = (true, true));
}

/// Gradients of such programs by their parameters. Seed 3018 stacks constants in one loop and reads the slices in another.
#[test]
fn gradients_of_attention_run_as_interpreted() {
    let (even, odd): (Vec<u64>, Vec<u64>) = seeds(3000..3060).partition(|s| s.is_multiple_of(2));
    compare_of(odd, |o| (o.attention, o.dtype) = (true, DType::F64), differentiated);
    compare_of(even, |o| (o.attention, o.dtype, o.uneven) = (true, DType::F64, true), differentiated);
}

/// A program's loss and its gradients; `None` where an op has none.
fn differentiated(mut f: Func) -> Option<Func> {
    let loss = f.outputs.iter().position(|p| p.role == Role::Loss)?;
    f.outputs = vec![f.outputs[loss].clone()];
    let yields = &mut f.regions[Func::BODY.index()].yields;
    *yields = vec![yields[loss]];
    meshloom_autodiff::gradients(&f).ok()
}

/// Seeds of a test, or those that `MESHLOOM_SEEDS=FIRST..LAST` names.
fn seeds(usual: std::ops::Range<u64>) -> std::ops::Range<u64> {
    let asked = std::env::var("MESHLOOM_SEEDS").ok();
    let asked = asked.as_deref().and_then(|s| s.split_once("..")).map(|(a, b)| a.parse().unwrap()..b.parse().unwrap());
    asked.unwrap_or(usual)
}

fn compare(seeds: impl IntoIterator<Item = u64>, with: impl Fn(&mut RandomOptions)) {
    compare_of(seeds, with, Some);
}

/// The same with what `change` makes of each program.
fn compare_of(
    seeds: impl IntoIterator<Item = u64>,
    with: impl Fn(&mut RandomOptions),
    change: impl Fn(Func) -> Option<Func>,
) {
    let (mut ran, mut refused) = (0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let mesh = random::mesh(&mut rng, 8);
        let dtype = if seed % 4 == 0 { DType::F32 } else { DType::F64 };
        let mut options = RandomOptions { dtype, ..RandomOptions::new(mesh) };
        with(&mut options);
        let Some(mut f) = change(random::program(seed, &options)) else {
            refused += 1;
            continue;
        };
        // Plain ports, so that every value can be read back by name.
        for p in &mut f.inputs {
            (p.stacked, p.role, p.init) = (false, Role::Input, None);
        }
        for p in &mut f.outputs {
            (p.stacked, p.role, p.updates) = (false, Role::Output, None);
        }
        let inputs = random::inputs(&f, seed);
        let want = eval(&f, &inputs).unwrap();
        let mixed = options.uneven || options.arrays || options.decisions;
        let mode = if mixed && seed % 3 == 0 { Mode::Search } else { Mode::Follow };
        let Some(got) = run(&f, &inputs, 1 + seed as usize % 2, mode) else {
            refused += 1;
            continue;
        };
        ran += 1;
        for ((w, g), p) in want.iter().zip(&got).zip(&f.outputs) {
            let bound = match options.dtype {
                DType::F64 => 1e-9,
                DType::F32 => 1e-3,
                // Sums are not taken in the interpreter's order.
                _ if p.name == "loss" => f64::INFINITY,
                _ => 0.0,
            };
            let scale = (0..w.len()).map(|i| w.f(i).abs()).filter(|x| x.is_finite()).fold(1e-3, f64::max);
            for (i, x) in g.iter().enumerate() {
                let same = x.is_nan() && w.f(i).is_nan() || *x == w.f(i) || ((x - w.f(i)) / scale).abs() <= bound;
                assert!(same, "seed {seed}, {}[{i}] is {x}, not {}\n{}", p.name, w.f(i), meshloom_ir::print::print(&f));
            }
        }
    }
    println!("{ran} programs ran, {refused} need more than the CPU target has");
    assert!(ran > refused, "{ran} programs ran, {refused} were refused");
}
