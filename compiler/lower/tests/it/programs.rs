//! Scheduled programs, run on plain memory by the kernels' reference, against the interpreter of the IR.

use crate::common;
use crate::common::models::{Gpt, mlp};
use meshloom_autodiff::{TrainOptions, train_step};
use meshloom_bundle::program::{BufRef, Dim, Instr, Iterations, LOOPS, Program};
use meshloom_ir::tensor::Data;
use meshloom_ir::train::TrainSpec;
use meshloom_ir::{DType, Func, Role, Tensor, TensorType};
use meshloom_kernels::KernelSpec;
use meshloom_lower::{ScheduleOptions, Scheduled, schedule};

/// One device's arena.
struct Device {
    arena: Vec<u8>,
    gpu: bool,
}

fn load(bytes: &[u8], d: DType) -> f64 {
    match d {
        DType::F32 => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
        DType::F64 => f64::from_le_bytes(bytes.try_into().unwrap()),
        DType::I32 => f64::from(i32::from_le_bytes(bytes.try_into().unwrap())),
        _ => f64::from(bytes[0]),
    }
}

fn store(x: f64, d: DType) -> Vec<u8> {
    match d {
        DType::F32 => (x as f32).to_le_bytes().to_vec(),
        DType::F64 => x.to_le_bytes().to_vec(),
        DType::I32 => (x as i32).to_le_bytes().to_vec(),
        _ => vec![x as u8],
    }
}

impl Device {
    fn read(&self, at: u64, count: u64, d: DType) -> Vec<f64> {
        let n = d.bytes() as usize;
        self.arena[at as usize..at as usize + count as usize * n].chunks(n).map(|c| load(c, d)).collect()
    }

    fn write(&mut self, at: u64, values: &[f64], d: DType) {
        let bytes: Vec<u8> = values.iter().flat_map(|&x| store(x, d)).collect();
        self.arena[at as usize..at as usize + bytes.len()].copy_from_slice(&bytes);
    }

    fn run(&mut self, instrs: &[Instr], kernels: &[KernelSpec], at: &mut Iterations, depth: usize) {
        for i in instrs {
            match i {
                Instr::Loop { trip, body } => {
                    for k in 0..*trip {
                        at[depth] = k;
                        self.run(body, kernels, at, depth + 1);
                    }
                    at[depth] = 0;
                }
                Instr::Fill { dst, dtype, count, value } => {
                    let v = vec![value.as_f64(); *count as usize];
                    self.write(dst.at(at), &v, *dtype);
                }
                Instr::Launch(l) => {
                    let spec = &kernels[l.kernel as usize];
                    assert!(spec.units() == l.units || self.gpu);
                    assert_eq!(spec.dims() as usize, l.dims.len());
                    let dims: Vec<i64> = l.dims.iter().map(|d| if let Dim::Const(c) = d { *c } else { 0 }).collect();
                    let described = spec.args();
                    let count = |r: &BufRef, d: DType| r.bytes / d.bytes();
                    let mut data: Vec<Vec<f64>> = l
                        .args
                        .iter()
                        .zip(&described)
                        .map(|(r, a)| self.read(r.at(at), count(r, a.dtype), a.dtype))
                        .collect();
                    spec.reference(&mut data, &dims);
                    for &w in &l.writes {
                        let d = described[w as usize].dtype;
                        self.write(l.args[w as usize].at(at), &data[w as usize], d);
                    }
                }
                other => panic!("{other:?} in a program of one device"),
            }
        }
    }
}

fn launches(instrs: &[Instr]) -> usize {
    instrs.iter().map(|i| if let Instr::Loop { body, .. } = i { launches(body) } else { 1 }).sum()
}

fn scheduled(f: &Func) -> Scheduled {
    scheduled_for(f, meshloom_kernels::Device::Cpu)
}

fn scheduled_for(f: &Func, device: meshloom_kernels::Device) -> Scheduled {
    let s = schedule(
        f,
        f,
        &ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device, tf32: false, rounds_each: false },
    )
    .unwrap_or_else(|e| panic!("{e}"));
    meshloom_bundle::validate(&s.program).unwrap_or_else(|e| panic!("{e}"));
    s
}

fn value(ty: &TensorType, i: usize, name: &str) -> Tensor {
    let n = ty.elements() as usize;
    let mut h = name.bytes().fold(i as u64 + 7, |h, b| h.wrapping_mul(0x100000001b3) ^ u64::from(b));
    let mut next = || {
        h = h.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (h >> 40) as f64 / (1u64 << 24) as f64
    };
    if ty.dtype.is_float() {
        let gain = name.ends_with("_g");
        Tensor::floats(ty.dtype, &ty.shape, (0..n).map(|_| if gain { 1.0 } else { next() * 0.4 - 0.2 }).collect())
    } else {
        Tensor::ints(ty.dtype, &ty.shape, (0..n).map(|_| (next() * 7.0) as i64).collect())
    }
}

/// Runs `steps` steps both ways, feeding updates back, and compares every output.
fn compare(f: &Func, steps: usize, tolerance: f64) {
    compare_as(scheduled(f), false, f, steps, tolerance);
}

/// The same for a program of any device; templates of a GPU count in units of their own.
fn compare_as(s: Scheduled, gpu: bool, f: &Func, steps: usize, tolerance: f64) {
    let mut inputs: Vec<Tensor> = f
        .inputs
        .iter()
        .zip(&f.body().args)
        .enumerate()
        .map(|(i, (p, &a))| if p.role == Role::State { Tensor::zeros(f.ty(a)) } else { value(f.ty(a), i, &p.name) })
        .collect();
    let mut device = Device { arena: vec![0xAB; s.program.arena_bytes as usize], gpu };
    let ports = &s.program.ports;
    for (p, x) in ports.iter().zip(&inputs) {
        device.write(p.offset, &(0..x.len()).map(|i| x.f(i)).collect::<Vec<_>>(), p.dtype);
    }
    for step in 0..steps {
        let want = common::eval(f, &inputs);
        device.run(&s.program.instrs, &s.kernels, &mut [0; LOOPS], 0);
        for (k, (w, p)) in want.iter().zip(&ports[f.inputs.len()..]).enumerate() {
            let got = device.read(p.offset, w.len() as u64, p.dtype);
            let scale = (0..w.len()).map(|i| w.f(i).abs()).fold(1e-6, f64::max);
            for (i, g) in got.iter().enumerate() {
                // Infinities are equal, and have no difference.
                let e = if *g == w.f(i) { 0.0 } else { (g - w.f(i)).abs() / scale };
                assert!(e <= tolerance, "step {step}, output {}: element {i} is {g}, not {} ({e:e})", p.name, w.f(i));
            }
            if let Some(u) = f.outputs[k].updates {
                inputs[u] = Tensor {
                    ty: w.ty.clone(),
                    data: match &w.data {
                        Data::Float(_) => Data::Float(got.clone()),
                        Data::Int(_) => Data::Int(got.iter().map(|&x| x as i64).collect()),
                    },
                };
            }
        }
    }
    report(&s.program, f);
}

fn report(p: &Program, f: &Func) {
    println!(
        "{}: {} kernels, {} launches, arena {} KiB, ports {} KiB",
        f.name,
        p.kernels.len(),
        launches(&p.instrs),
        p.arena_bytes / 1024,
        p.ports.iter().filter(|p| p.alias.is_none()).map(|p| p.bytes).sum::<u64>() / 1024
    );
}

fn spec(text: &str, loss: &Func) -> TrainSpec {
    meshloom_syntax::elaborate::train_spec(text, loss).unwrap()
}

fn adamw(loss: &Func) -> TrainSpec {
    spec("adamw(loss, lr: 1e-3, clip: 1.0)", loss)
}

#[test]
fn mlp_trains_as_interpreted() {
    let loss = mlp(6, 10, 33, 5);
    let f = train_step(&loss, &spec("sgd(loss, lr: 0.05)", &loss), &TrainOptions::default()).unwrap();
    compare(&f, 2, 1e-5);
}

#[test]
fn gpt_trains_as_interpreted() {
    let gpt = Gpt { layers: 3, d: 16, heads: 2, seq: 8, batch: 2, vocab: 24, dtype: DType::F64 };
    let f = train_step(&gpt.loss(), &adamw(&gpt.loss()), &TrainOptions { gradients: true, ..TrainOptions::default() })
        .unwrap();
    compare(&f, 2, 1e-9);
}

#[test]
fn a_deeper_loop_adds_no_kernels() {
    let kernels = |layers| {
        let gpt = Gpt { layers, d: 16, heads: 2, seq: 8, batch: 2, vocab: 24, dtype: DType::F32 };
        let f = train_step(&gpt.loss(), &adamw(&gpt.loss()), &TrainOptions::default()).unwrap();
        scheduled(&f).kernels.len()
    };
    assert_eq!(kernels(4), kernels(48));
}

/// Kernels of one gpt_small step, and the memory it needs: a change that fuses less or frees later shows here.
#[test]
fn gpt_small_is_planned_tightly() {
    let gpt = Gpt { layers: 4, d: 256, heads: 8, seq: 128, batch: 8, vocab: 1024, dtype: DType::F32 };
    let f = train_step(&gpt.loss(), &adamw(&gpt.loss()), &TrainOptions::default()).unwrap();
    let s = scheduled(&f);
    report(&s.program, &f);
    let arena = s.program.arena_bytes >> 20;
    assert!(s.kernels.len() <= 64, "{} kernels", s.kernels.len());
    assert!(launches(&s.program.instrs) <= 160, "{} launches", launches(&s.program.instrs));
    assert!(arena <= 160, "an arena of {arena} MiB");
}

/// Convolutions, poolings and their gradients: windows are views that kernels read through.
#[test]
fn windows_run_as_interpreted() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/windows");
    let mut files: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "mlir"));
    files.sort();
    assert!(files.len() >= 40, "{files:?}");
    for file in files {
        println!("{}", file.display());
        let text = std::fs::read_to_string(&file).unwrap();
        let out = meshloom_stablehlo::compile("f.mlir", &text, &meshloom_source::FrontOptions::default());
        compare(&out.elaborated.expect("it is imported").entries[0].func, 1, 1e-5);
    }
}

/// A kernel takes a limited number of buffers: what reads more becomes several.
#[test]
fn sums_of_many_tensors() {
    let mut b = meshloom_ir::Builder::new("sums", meshloom_ir::Mesh::new([("d", 1)]));
    let ty = TensorType::new(DType::F32, [4, 6]);
    let port = |name: String, role| meshloom_ir::Port::new(name, role, 2);
    let xs: Vec<_> = (0..60).map(|i| b.input(ty.clone(), port(format!("x{i}"), Role::Input))).collect();
    let chain = xs.iter().copied().reduce(|a, x| b.add(a, x)).unwrap();
    let mut tree = xs.clone();
    while tree.len() > 1 {
        tree = tree.chunks(2).map(|c| if let [x, y] = *c { b.mul(x, y) } else { c[0] }).collect();
    }
    let rows = b.reduce(meshloom_ir::Reduction::Sum, chain, &[1]);
    b.output(chain, port("chain".into(), Role::Output));
    b.output(tree[0], port("tree".into(), Role::Output));
    b.output(rows, meshloom_ir::Port::new("rows", Role::Output, 1));
    compare(&b.finish(), 1, 1e-5);
}

/// What a step began with is read before what it leaves is put over it: values that it gives as they were, that change places, or that are
/// turned where they lie.
#[test]
fn what_a_step_began_with() {
    let mut b = meshloom_ir::Builder::new("places", meshloom_ir::Mesh::new([("d", 1)]));
    let ty = TensorType::new(DType::F32, [4, 4]);
    let port = |name: &str, role| meshloom_ir::Port::new(name, role, 2);
    let [n, x, y, z, w] = ["n", "x", "y", "z", "w"].map(|name| b.input(ty.clone(), port(name, Role::Parameter)));
    let one = b.constant_like(n, 1.0);
    let (more, turned) = (b.add(n, one), b.transpose(z, &[1, 0]));
    let updates = |name: &str, i: usize| meshloom_ir::Port { updates: Some(i), ..port(name, Role::Parameter) };
    b.output(more, updates("n", 0));
    b.output(y, updates("x", 1));
    b.output(x, updates("y", 2));
    b.output(turned, updates("z", 3));
    b.output(more, updates("w", 4));
    for (name, v) in [("n before", n), ("x before", x), ("z before", z), ("w before", w), ("n after", more)] {
        b.output(v, port(name, Role::Output));
    }
    compare(&b.finish(), 3, 0.0);
}

/// Operands of 8 bits: a GPU that multiplies them gets both along the summed dim, written so by the kernels that round them; others get bf16.
#[test]
fn eight_bits_are_multiplied_as_they_are_where_that_is_possible() {
    use meshloom_kernels::{Device, GpuArch};
    let matmul = |k: u64, device| {
        let mut b = meshloom_ir::Builder::new("eight", meshloom_ir::Mesh::new([("d", 1)]));
        let port = |name: &str, role| meshloom_ir::Port::new(name, role, 2);
        let [x, w] = [("x", [16, k]), ("w", [k, 48])]
            .map(|(name, shape)| b.input(TensorType::new(DType::F32, shape), port(name, Role::Input)));
        let [x, w] = [(x, DType::F8E4M3), (w, DType::F8E5M2)].map(|(v, to)| b.convert(v, to));
        let mut e = meshloom_ir::Einsum::parse("mk,kn->mn").unwrap();
        e.to = Some(DType::F32);
        let y = b.op(meshloom_ir::Op::DotGeneral(e), &[x, w]);
        b.output(y, port("y", Role::Output));
        let f = b.finish();
        let s = schedule(
            &f,
            &f,
            &ScheduleOptions { locate: &|_| None, tokens_per_step: 0, device, tf32: false, rounds_each: false },
        )
        .unwrap();
        meshloom_bundle::validate(&s.program).unwrap();
        let dot = s.kernels.iter().find_map(|k| if let KernelSpec::Dot(d) = k { Some(d.clone()) } else { None });
        (dot.unwrap(), s.kernels.len())
    };
    for gpu in [GpuArch::Sm90a, GpuArch::Sm100a] {
        let (dot, kernels) = matmul(32, Device::Gpu(gpu));
        assert_eq!([dot.stored(0), dot.stored(1)], [DType::F8E4M3, DType::F8E5M2]);
        let sides = [0, 1].map(|i| dot.operand(i, true));
        assert!(sides.iter().all(|s| s.along_k && s.lanes == 16), "{dot:?}");
        assert_eq!(kernels, 3, "two that round, one that multiplies");
    }
    for (k, gpu) in [(32, GpuArch::Sm80), (40, GpuArch::Sm90a)] {
        let (dot, _) = matmul(k, Device::Gpu(gpu));
        assert_eq!([dot.stored(0), dot.stored(1)], [DType::BF16; 2]);
    }
}

/// An array of constants that is a later part of a concatenation is written where that part lies.
#[test]
fn constants_are_written_where_they_go() {
    use meshloom_ir::{Literal, Op, types::Scalar};
    use meshloom_kernels::{Device, GpuArch};
    let mut b = meshloom_ir::Builder::new("parts", meshloom_ir::Mesh::new([("d", 1)]));
    let list = |b: &mut meshloom_ir::Builder, shape: &[u64], from: u64| {
        let n = shape.iter().product::<u64>();
        let value = Literal::Dense((from..from + n).map(|i| Scalar::float(i as f64)).collect());
        b.op(Op::Constant { dtype: DType::F32, shape: shape.to_vec(), value }, &[])
    };
    let x = b.input(TensorType::new(DType::F32, [3]), meshloom_ir::Port::new("x", Role::Input, 1));
    let (first, last) = (list(&mut b, &[2], 7), list(&mut b, &[2], 20));
    let row = b.op(Op::Concatenate { dim: 0 }, &[first, x, last]);
    let (above, below) = (list(&mut b, &[1, 3], 30), list(&mut b, &[2, 3], 40));
    let middle = b.reshape(x, &[1, 3]);
    let table = b.op(Op::Concatenate { dim: 0 }, &[above, middle, below]);
    let (left, right) = (list(&mut b, &[4, 1], 50), list(&mut b, &[4, 2], 60));
    let wide = b.op(Op::Concatenate { dim: 1 }, &[left, table, right]);
    for (name, v) in [("row", row), ("table", table), ("wide", wide)] {
        let rank = b.ty(v).rank();
        b.output(v, meshloom_ir::Port::new(name, Role::Output, rank));
    }
    let f = b.finish();
    for device in [Device::Cpu, Device::Gpu(GpuArch::Sm90a)] {
        compare_as(scheduled_for(&f, device), device != Device::Cpu, &f, 1, 0.0);
    }
}

/// A long sum of few results is two kernels on a GPU; sums of many are not.
#[test]
fn long_sums_of_a_gpu_are_cut_in_parts() {
    use meshloom_kernels::{Device, GpuArch};
    let matmul = |m: u64, k: u64| {
        let mut b = meshloom_ir::Builder::new("long", meshloom_ir::Mesh::new([("d", 1)]));
        let port = |name: &str, role| meshloom_ir::Port::new(name, role, 2);
        let input = |b: &mut meshloom_ir::Builder, name: &str, shape: [u64; 2]| {
            b.input(TensorType::new(DType::F32, shape), port(name, Role::Input))
        };
        let (x, y, z) = (input(&mut b, "x", [k, m]), input(&mut b, "y", [k, 5]), input(&mut b, "z", [m, 5]));
        let e = meshloom_ir::Einsum::parse("km,kn->mn").unwrap();
        let p = b.op(meshloom_ir::Op::DotGeneral(e), &[x, y]);
        let p = b.mul(p, z);
        b.output(p, port("p", Role::Output));
        b.finish()
    };
    let kinds = |s: &Scheduled| s.kernels.iter().map(KernelSpec::kind).collect::<Vec<_>>();
    let f = matmul(24, 2048);
    let s = scheduled_for(&f, Device::Gpu(GpuArch::Sm90a));
    assert_eq!(kinds(&s), ["dot", "column"]);
    compare_as(s, true, &f, 1, 1e-5);
    for (m, k) in [(24, 512), (6000, 1024)] {
        assert_eq!(kinds(&scheduled_for(&matmul(m, k), Device::Gpu(GpuArch::Sm90a))), ["dot"]);
    }
}
