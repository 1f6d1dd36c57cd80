//! Elementwise ops in the interpreter, on CPUs and on GPUs (by the interpreter of PTX), against results that are rounded once.
//!
//! No op is further off than its entry in the op table says, in units in the last place, and what rounds correctly or moves bits is
//! exact, signs of zeros included. `scripts/oracles/numerics.py` makes the figures of f32 and f64, by MPFR. Of 16 bits all numbers are
//! tried: there the interpreter, which computes in f64 and rounds once, is what results are held against.
//!
//! `MESHLOOM_NUMERICS=FOLDER` names figures of many more operands, and prints how far off each op was.
#![cfg(feature = "llvm")]

use crate::support::{compiled, host, open, outputs, session, together};
use half::{bf16, f16};
use meshloom_bundle::Bundle;
use meshloom_codegen::worker::Isolation;
use meshloom_driver::backend::{self, Cpu};
use meshloom_driver::{CompileOptions, check, pipeline, plan};
use meshloom_ir::interp::eval;
use meshloom_ir::table::elem::{Elem, ElemDef, Sig, TABLE, Ulps};
use meshloom_ir::{Builder, DType, Func, Mesh, Port, Role, Tensor};
use meshloom_kernels::target::Level;
use meshloom_plan::cost::Target;
use meshloom_ptx::program::{Device, ptx};
use meshloom_runtime::HostTensor;
use safetensors::SafeTensors;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Operands and results, by name.
type Figures = BTreeMap<String, Vec<f64>>;

/// Of one of the two types.
fn figures(dtype: DType) -> Figures {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/numerics").to_owned();
    let folder = std::env::var("MESHLOOM_NUMERICS").unwrap_or(own);
    let bytes = std::fs::read(format!("{folder}/{dtype}.safetensors")).expect("figures");
    let file = SafeTensors::deserialize(&bytes).expect("a file of tensors");
    let numbers = |bytes: &[u8]| -> Vec<f64> {
        match dtype {
            DType::F32 => bytes.as_chunks().0.iter().map(|b| f64::from(f32::from_le_bytes(*b))).collect(),
            _ => bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect(),
        }
    };
    file.iter().map(|(name, t)| (name.to_owned(), numbers(t.data()))).collect()
}

/// A program of several ops on the same operands, and what each is held against.
struct Trial {
    dtype: DType,
    ops: Vec<&'static ElemDef>,
    func: Func,
    inputs: Vec<Tensor>,
    want: Vec<Vec<f64>>,
}

fn named(name: &str) -> &'static ElemDef {
    Elem::by_name(name).unwrap_or_else(|| panic!("no op {name}")).def()
}

impl Trial {
    /// Against the interpreter.
    fn new(ops: &[&'static ElemDef], inputs: Vec<Tensor>) -> Trial {
        let mut b = Builder::new("f", Mesh::default());
        let port = |i: usize, x: &Tensor| (x.ty.clone(), Port::new(format!("x{i}"), Role::Input, 1));
        let xs: Vec<_> = inputs.iter().enumerate().map(|(i, x)| port(i, x)).collect();
        let xs: Vec<_> = xs.into_iter().map(|(ty, port)| b.input(ty, port)).collect();
        let ys: Vec<_> = ops.iter().map(|def| b.elem(def.name, &xs[..def.arity])).collect();
        for (def, y) in ops.iter().zip(ys) {
            b.output(y, Port::new(def.name, Role::Output, 1));
        }
        let func = b.finish();
        let want = eval(&func, &inputs).unwrap().iter().map(|t| (0..t.len()).map(|i| t.f(i)).collect()).collect();
        Trial { dtype: inputs[0].ty.dtype, ops: ops.to_vec(), func, inputs, want }
    }

    /// Against figures that have results of all of these ops.
    fn of_figures(dtype: DType, ops: &[&'static ElemDef], operands: &[&str], figures: &Figures) -> Trial {
        let tensor = |name: &&str| Tensor::floats(dtype, &[figures[*name].len() as u64], figures[*name].clone());
        let trial = Trial::new(ops, operands.iter().map(tensor).collect());
        Trial { want: ops.iter().map(|def| figures[def.name].clone()).collect(), ..trial }
    }

    /// How far results of an op are off at most, and where that was.
    fn off(&self, op: usize, got: &[f64]) -> (f64, String) {
        assert_eq!(got.len(), self.want[op].len());
        let mut worst = (0.0, String::new());
        for (i, (&g, &w)) in got.iter().zip(&self.want[op]).enumerate() {
            let off = ulps(self.dtype, g, w);
            if off > worst.0 {
                let xs: Vec<f64> = self.inputs.iter().map(|x| x.f(i)).collect();
                worst = (off, format!("{xs:?} is {g:?}, not {w:?}"));
            }
        }
        worst
    }
}

/// How many numbers of a type one has to go from one to the other; infinite where one alone is NaN, or a zero has the wrong sign.
fn ulps(dtype: DType, got: f64, want: f64) -> f64 {
    if !dtype.is_float() {
        return (got - want).abs();
    }
    if got.is_nan() || want.is_nan() {
        return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got == 0.0 && want == 0.0 {
        return if got.is_sign_negative() == want.is_sign_negative() { 0.0 } else { f64::INFINITY };
    }
    // Bits count numbers from zero on, and infinity follows the largest one.
    let place = |x: f64| -> i64 {
        let size = match dtype {
            DType::F32 => i64::from((x.abs() as f32).to_bits()),
            DType::F64 => x.abs().to_bits() as i64,
            DType::BF16 => i64::from(bf16::from_f64(x.abs()).to_bits()),
            _ => i64::from(f16::from_f64(x.abs()).to_bits()),
        };
        if x < 0.0 { -size } else { size }
    };
    place(got).abs_diff(place(want)) as f64
}

/// Where trials run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Machine {
    Interpreter,
    Cpu(Level),
    Gpu(&'static str),
}

/// The results of each op of each trial.
fn results(trials: &[Trial], machine: Machine) -> Vec<Vec<Vec<f64>>> {
    let text = |t: &Trial| meshloom_stablehlo::emit::global(&t.func).unwrap_or_else(|e| panic!("{e:?}"));
    let isolation = Isolation::InProcess(meshloom_llvm::remembered);
    match machine {
        Machine::Interpreter => {
            let of = |t: &Tensor| (0..t.len()).map(|i| t.f(i)).collect();
            trials.iter().map(|t| eval(&t.func, &t.inputs).unwrap().iter().map(of).collect()).collect()
        }
        Machine::Cpu(level) => {
            let options = CompileOptions::default();
            let each = trials.iter().enumerate();
            let all = together(each.map(|(i, t)| (format!("f{i}"), compiled("ops.mlir", &text(t), &options))));
            let contents = backend::bundle(&all, &[Cpu { level }], &isolation, 2).unwrap_or_else(|e| panic!("{e}"));
            let bundle = Bundle::read(&meshloom_bundle::write(&contents).unwrap()).unwrap();
            let each = trials.iter().zip(&all.entries);
            each.map(|(t, e)| outputs(&mut open(&bundle, &e.name), &e.global, &t.inputs)).collect()
        }
        Machine::Gpu(target) => trials.iter().map(|t| on_gpu(&text(t), &t.inputs, target)).collect(),
    }
}

/// By the interpreter of PTX.
fn on_gpu(text: &str, inputs: &[Tensor], target: &str) -> Vec<Vec<f64>> {
    let mut options = CompileOptions::default();
    options.plan.target = Target::builtin(target).unwrap();
    let gpu = options.plan.target.arch.device().gpu().unwrap();
    let made = check("ops.mlir", text, &options).and_then(|p| plan(p, &options));
    let made = made.and_then(|p| pipeline::lower_for(p, meshloom_kernels::Device::Gpu(gpu)));
    let program = made.unwrap_or_else(|(e, _)| panic!("{e}\n{text}"));
    let isolation = Isolation::InProcess(meshloom_llvm::remembered);
    let contents = backend::ptx_bundle(&program, gpu, &isolation, 2).unwrap_or_else(|e| panic!("{e}"));
    let bundle = Bundle::read(&meshloom_bundle::write(&contents).unwrap()).unwrap();
    let entry = &bundle.contents.entries[0].program;
    let mut device = Device::new(entry, &ptx(&bundle).expect("PTX")).unwrap();
    let global = &program.entries[0].global;
    let port = |name: &str| entry.ports.iter().find(|p| p.name == name).expect("a port");
    for (of, x) in global.inputs.iter().zip(inputs) {
        device.write(port(&of.name).offset, &host(x).bytes).unwrap();
    }
    device.step().unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let mut read = |name: &str| {
        let p = port(name);
        let bytes = device.read(p.offset, p.bytes).unwrap();
        let shape = vec![bytes.len() as u64 / p.dtype.bytes()];
        HostTensor { dtype: p.dtype, shape, bytes }.to_f64().unwrap()
    };
    global.outputs.iter().map(|p| read(&p.name)).collect()
}

/// What this machine runs: all levels of CPUs that it has, and the interpreters.
fn machines() -> Vec<Machine> {
    let v4 = meshloom_runtime::device::library::has("avx512f").then_some(Machine::Cpu(Level::V4));
    [Machine::Interpreter, Machine::Cpu(Level::V3)].into_iter().chain(v4).collect()
}

/// Holds results against what is expected: each op may be off by so much.
#[track_caller]
fn hold(trials: &[Trial], machines: &[Machine], bound: impl Fn(&ElemDef, DType, Machine) -> f64) {
    let mut wrong = Vec::new();
    for &machine in machines {
        for (t, found) in trials.iter().zip(results(trials, machine)) {
            for (i, (def, got)) in t.ops.iter().zip(&found).enumerate() {
                let (off, at) = t.off(i, got);
                let row = format!("{:24} {:5} {machine:?}: {off:3} {at}", def.name, t.dtype.name());
                if std::env::var_os("MESHLOOM_NUMERICS").is_some() {
                    eprintln!("{row}");
                }
                if off > bound(def, t.dtype, machine) {
                    wrong.push(row);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Rows of so many operands whose results are figures: all that are approximated, and two that are exact and not simple.
fn of_figures(arity: usize) -> Vec<&'static ElemDef> {
    let approximated = |d: &&ElemDef| d.ulps.f32 + d.ulps.f64 > 0 || ["sqrt", "remainder"].contains(&d.name);
    rows(arity).into_iter().filter(approximated).collect()
}

/// What a row of the table promises of a type. Of 16 bits, which are computed in 32, the nearest or, from a result beside the middle of
/// two, its neighbour.
fn promised(def: &ElemDef, dtype: DType, machine: Machine) -> f64 {
    let of = def.ulps;
    f64::from(match (dtype, machine) {
        (DType::F32, Machine::Gpu(_)) => of.gpu,
        (DType::F32, _) => of.f32,
        (DType::F64, _) => of.f64,
        (_, Machine::Gpu(_)) => of.gpu.min(1),
        _ => of.f32.min(1),
    })
}

fn against_figures() -> Vec<Trial> {
    let mut trials = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        let figures = figures(dtype);
        for ops in of_figures(1).chunks(4) {
            trials.push(Trial::of_figures(dtype, ops, &["x"], &figures));
        }
        trials.push(Trial::of_figures(dtype, &of_figures(2), &["first", "second"], &figures));
    }
    trials
}

#[test]
fn results_are_within_their_bounds() {
    hold(&against_figures(), &machines(), promised);
}

#[test]
fn results_on_gpus_are_within_their_bounds() {
    hold(&against_figures(), &[Machine::Gpu("h100-sxm")], promised);
}

/// Rows that take floats, but for `select`; those with so many operands.
fn rows(arity: usize) -> Vec<&'static ElemDef> {
    let floats = |d: &&ElemDef| matches!(d.sig, Sig::Float | Sig::Number | Sig::Compare | Sig::Test);
    TABLE.iter().filter(floats).filter(|d| d.arity == arity).collect()
}

/// The number of a type with 16 bits.
fn of_bits(dtype: DType, bits: u16) -> f64 {
    if dtype == DType::F16 { f16::from_bits(bits).to_f64() } else { bf16::from_bits(bits).to_f64() }
}

/// Each number once, or one of 16 in the suite; and each with another one for ops of two operands.
#[test]
fn numbers_of_16_bits() {
    let step = if std::env::var_os("MESHLOOM_NUMERICS").is_some() { 1 } else { 16 };
    let mut trials = Vec::new();
    for dtype in [DType::BF16, DType::F16] {
        // An odd offset, so that all of the lowest bits occur.
        let all: Vec<u16> = (0..=u16::MAX).step_by(step).map(|b| b.wrapping_add(b / 16 % 16)).collect();
        let ends = [0.0, 1.0, 0.5, 3.0, f64::INFINITY, f64::NAN, 1e-7, 60000.0].into_iter().flat_map(|x| [x, -x]);
        let ends: Vec<f64> = ends.map(|x| if dtype == DType::F16 { f64::from(f16::from_f64(x)) } else { x }).collect();
        let other = |i: usize| of_bits(dtype, all[i].wrapping_mul(40503).wrapping_add(12345));
        let pairs = ends.iter().flat_map(|&x| ends.iter().map(move |&y| (x, y)));
        let drawn = (0..all.len()).map(|i| (of_bits(dtype, all[i]), other(i)));
        let (first, second): (Vec<f64>, Vec<f64>) = pairs.chain(drawn).unzip();
        let tensor = |x: Vec<f64>| Tensor::floats(dtype, &[x.len() as u64], x);
        let x = tensor(all.iter().map(|&b| of_bits(dtype, b)).collect());
        trials.extend(rows(1).chunks(8).map(|ops| Trial::new(ops, vec![x.clone()])));
        let both = vec![tensor(first), tensor(second)];
        trials.extend(rows(2).chunks(8).map(|ops| Trial::new(ops, both.clone())));
    }
    hold(&trials, &machines()[1..], promised);
}

/// What moves, selects, compares, and adds is what IEEE 754 says, and so the interpreter.
#[test]
fn plain_ops_are_exact() {
    let plain = |arity| rows(arity).into_iter().filter(|d| d.ulps.f32 + d.ulps.f64 == 0).collect::<Vec<_>>();
    let mut trials = Vec::new();
    for dtype in [DType::F32, DType::F64] {
        let figures = figures(dtype);
        let tensor = |name: &str| Tensor::floats(dtype, &[figures[name].len() as u64], figures[name].clone());
        let both = vec![tensor("first"), tensor("second")];
        let third = Tensor::floats(dtype, &both[0].ty.shape, figures["second"].iter().rev().copied().collect());
        trials.push(Trial::new(&plain(1), vec![tensor("x")]));
        trials.push(Trial::new(&plain(2), both.clone()));
        trials.push(Trial::new(&plain(3), vec![both[0].clone(), both[1].clone(), third]));
    }
    hold(&trials, &machines()[1..], promised);
    hold(&trials, &[Machine::Gpu("a100-80g")], promised);
}

/// Ends of integers against each other: quotients by zero, the one that overflows, shifts by all bits and more.
#[test]
fn ends_of_integers() {
    let mut trials = Vec::new();
    for (dtype, least, most) in [
        (DType::I32, i64::from(i32::MIN), i64::from(i32::MAX)),
        (DType::I64, i64::MIN, i64::MAX),
        (DType::I8, -128, 127),
        (DType::U8, 0, 255),
        (DType::U32, 0, i64::from(u32::MAX)),
    ] {
        let ends = [least, least + 1, most, most - 1, 0, 1, 2, 3, 7, 31, 32, 33, 63, 64, 100];
        let negative = [-1, -2, -3, -7].into_iter().filter(|_| least < 0);
        let ends: Vec<i64> = ends.into_iter().chain(negative).collect();
        let (x, y): (Vec<i64>, Vec<i64>) = ends.iter().flat_map(|&x| ends.iter().map(move |&y| (x, y))).unzip();
        let both = [x, y].map(|v| Tensor::ints(dtype, &[v.len() as u64], v)).to_vec();
        let signed = |d: &&ElemDef| {
            matches!(d.sig, Sig::Number | Sig::Compare | Sig::Bits | Sig::Integer)
                && !(dtype == DType::I8 && d.sees_upper_bits())
        };
        for arity in [1, 2] {
            let ops: Vec<_> = TABLE.iter().filter(signed).filter(|d| d.arity == arity).collect();
            trials.push(Trial::new(&ops, both[..arity].to_vec()));
        }
    }
    hold(&trials, &machines()[1..], |_, _, _| 0.0);
}

/// Odd functions of a zero are that zero, whatever ops they are made of.
#[test]
fn odd_functions_keep_the_sign_of_a_zero() {
    let plain =
        ["tanh", "sine", "tan", "exponential_minus_one", "log_plus_one", "cbrt", "sqrt", "sign", "floor", "ceil"];
    let more = ["round_nearest_even", "round_nearest_afz"];
    let others = ["atan", "asin", "asinh", "atanh", "sinh", "erf", "erf_inv"];
    let count = plain.len() + more.len() + others.len();
    for dtype in [DType::F32, DType::F64, DType::BF16, DType::F16] {
        let ty = format!("tensor<2x{dtype}>");
        let stablehlo = plain.iter().chain(&more).map(|op| format!("stablehlo.{op} %x : {ty}"));
        let lines = stablehlo.chain(others.iter().map(|op| format!("chlo.{op} %x : {ty} -> {ty}")));
        let body: String = lines.enumerate().map(|(i, line)| format!("    %{i} = {line}\n")).collect();
        let names: Vec<String> = (0..count).map(|i| format!("%{i}")).collect();
        let (names, types) = (names.join(", "), vec![ty.as_str(); count].join(", "));
        let text = format!(
            "module {{\n  func.func public @main(%x: {ty}) -> ({types}) {{\n{body}    return {names} : {types}\n  }}\n}}\n"
        );
        let p = compiled("zeros.mlir", &text, &CompileOptions::default());
        let zeros = [-0.0, 0.0];
        let found = outputs(&mut session(&p), &p.entries[0].global, &[Tensor::floats(dtype, &[2], zeros.to_vec())]);
        for (op, got) in plain.iter().chain(&more).chain(&others).zip(found) {
            assert_eq!(
                [got[0], got[1]].map(f64::to_bits),
                zeros.map(f64::to_bits),
                "{op} of zeros of {dtype} is {got:?}"
            );
        }
    }
}

const BEGIN: &str =
    "<!-- table: begin; made from the code by INSTA_UPDATE=always cargo test -p meshloom-driver --test it page -->\n";
const END: &str = "<!-- table: end -->\n";

fn table() -> String {
    let mut text = String::from("| op | f32 | f64 | f32 on GPUs | bf16, f16 |\n|---|---|---|---|---|\n");
    for d in TABLE.iter().filter(|d| d.ulps != named("add").ulps) {
        let Ulps { f32, f64, gpu } = d.ulps;
        let _ = writeln!(text, "| `{}` | {f32} | {f64} | {gpu} | {} |", d.name, f32.max(gpu).min(1));
    }
    text
}

/// Compares what stands between the marks of a page with what is made from the code, or writes it.
fn page(name: &str, made: &str) {
    let path = format!("{}/../../docs/{name}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).expect("a page");
    let (before, rest) = page.split_once(BEGIN).expect("where the table begins");
    let (found, after) = rest.split_once(END).expect("where the table ends");
    let expected = format!("\n{made}\n");
    if std::env::var("INSTA_UPDATE").is_ok_and(|u| u == "always") {
        std::fs::write(path, format!("{before}{BEGIN}{expected}{END}{after}")).expect("written");
    } else {
        assert_eq!(found, expected, "docs/{name}; INSTA_UPDATE=always writes it");
    }
}

#[test]
fn the_page_has_the_bounds_of_the_table() {
    page("numerics.md", &table());
}

/// By the names that Loom has for them.
#[test]
fn the_page_on_the_language_has_what_16_bits_are_too_few_for() {
    let wide = TABLE.iter().filter(|d| !d.narrow).filter_map(|d| d.loom.first());
    let names: Vec<String> = wide.map(|name| format!("`{name}`")).collect();
    page("language.md", &format!("Functions of elements that are computed in f32: {}.\n", names.join(", ")));
}
