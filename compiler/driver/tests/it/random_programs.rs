//! Random programs on random meshes: planned, certified, scheduled, compiled and run, against the interpreter.
#![cfg(feature = "llvm")]

use crate::support::linked;
use meshloom_ir::interp::eval;
use meshloom_ir::{DType, Func, Mesh, Op, Role, Tensor, TensorType};
use meshloom_plan::{Mode, PlanOptions};
use meshloom_random::{self as random, AGREE, Closeness, KINDS, OPERANDS, RandomOptions, Rng};
use meshloom_runtime::{HostTensor, Session, SessionOptions};

fn host(t: &Tensor) -> HostTensor {
    let (n, shape) = (t.len(), &t.ty.shape);
    match t.ty.dtype {
        DType::I32 => HostTensor::i32(shape, &(0..n).map(|i| t.i(i) as i32).collect::<Vec<_>>()),
        DType::I64 => {
            let bytes = (0..n).flat_map(|i| t.i(i).to_le_bytes()).collect();
            HostTensor { dtype: meshloom_bundle::held_as(t.ty.dtype), shape: shape.clone(), bytes }
        }
        DType::F64 => HostTensor::f64(shape, &(0..n).map(|i| t.f(i)).collect::<Vec<_>>()),
        DType::BF16 | DType::F16 => {
            let bits = |x: f64| match t.ty.dtype {
                DType::F16 => half::f16::from_f64(x).to_bits(),
                _ => half::bf16::from_f64(x).to_bits(),
            };
            let bytes = (0..n).flat_map(|i| bits(t.f(i)).to_le_bytes()).collect();
            HostTensor { dtype: meshloom_bundle::held_as(t.ty.dtype), shape: shape.clone(), bytes }
        }
        _ => HostTensor::f32(shape, &(0..n).map(|i| t.f(i) as f32).collect::<Vec<_>>()),
    }
}

/// The elements of what ran, as the interpreter holds them: integers are not rounded to floats on the way.
fn elements(ty: &TensorType, of: &HostTensor) -> Tensor {
    let word = |c: &[u8]| c.iter().rev().fold(0u64, |w, b| w << 8 | u64::from(*b)) as i64;
    match ty.dtype.is_float() {
        true => Tensor::floats(ty.dtype, &ty.shape, of.to_f64().unwrap()),
        // `ints` extends the sign.
        false => Tensor::ints(ty.dtype, &ty.shape, of.bytes.chunks(ty.dtype.bytes() as usize).map(word).collect()),
    }
}

/// Runs a function through everything; `None` where the CPU target says that it cannot run an op of it yet.
fn run(f: &Func, inputs: &[Tensor], threads: usize, mode: Mode) -> Option<Vec<Tensor>> {
    let options = PlanOptions { mode, ..PlanOptions::default() };
    let plan = meshloom_plan::plan(f, &options).unwrap_or_else(|e| panic!("{e:?}"));
    meshloom_certify::check(f, &plan.local, &plan.certificate)
        .unwrap_or_else(|r| panic!("{}\n{}", r[0], meshloom_ir::print::print(f)));
    let opts = meshloom_lower::ScheduleOptions {
        locate: &|_| None,
        tokens_per_step: 0,
        device: Default::default(),
        tf32: false,
        rounds_each: false,
    };
    let s = match meshloom_lower::schedule(&plan.local, f, &opts) {
        Ok(s) => s,
        Err(e) if e.message.contains("not supported") || e.message.contains("not generated yet") => return None,
        Err(e) => panic!("{e}\n{}", meshloom_ir::print::print(&plan.local)),
    };
    meshloom_bundle::validate(&s.program).unwrap_or_else(|e| panic!("{e}\n{}", meshloom_ir::print::print(&plan.local)));
    let bundle = linked(vec![s]);
    let options = SessionOptions { threads: Some(threads), ..SessionOptions::default() };
    let mut session = Session::open(&bundle, &f.name, &options).unwrap_or_else(|e| panic!("{e}"));
    session.initialize().unwrap();
    for (p, x) in f.inputs.iter().zip(inputs) {
        session.write(&p.name, host(x)).unwrap_or_else(|e| panic!("{e}"));
    }
    session.run().unwrap();
    let read = |name: &str| session.read(name).unwrap_or_else(|e| panic!("{e}"));
    Some(f.outputs.iter().zip(&f.body().yields).map(|(p, &v)| elements(f.ty(v), &read(&p.name))).collect())
}

#[test]
fn run_as_interpreted() {
    compare(seeds(0..32), |_| {});
}

/// Arrays of constants as operands of any op, carries and outputs of loops, results.
#[test]
fn arrays_of_constants_anywhere() {
    compare(3000..3020, |o| (o.arrays, o.constraints) = (true, false));
    compare(3060..3070, |o| (o.arrays, o.constraints, o.uneven) = (true, false, true));
}

/// The same beside annotations.
#[test]
fn arrays_of_constants_split() {
    compare(seeds(3100..3115), |o| o.arrays = true);
}

/// Dims of 1, 5, 7, 11 split over axes that do not divide them.
#[test]
fn uneven_programs_run_as_interpreted() {
    compare(seeds(1000..1020), |o| o.uneven = true);
}

/// 64-bit integers at the ends of their range.
#[test]
fn wide_integers_run_as_interpreted() {
    compare(seeds(2000..2020), |o| (o.wide, o.uneven) = (true, o.mesh.devices() > 4));
}

/// Comparisons, extremes, sorting and rounding of 16-bit numbers that are stored here and recomputed there.
#[test]
fn decisions_in_16_bits() {
    let exact = |o: &mut RandomOptions, dtype| {
        *o = RandomOptions { dtype, decisions: true, ints: false, repeats: false, composites: false, ..o.clone() };
    };
    compare(4000..4012, |o| exact(o, DType::BF16));
    compare(4040..4052, |o| exact(o, DType::F16));
}

/// The same in 32 bits, where products and sums may not become one operation.
#[test]
fn decisions_in_32_bits() {
    compare(seeds(4080..4092), |o| {
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
    let (even, odd): (Vec<u64>, Vec<u64>) = seeds(2000..2030).partition(|s| s.is_multiple_of(2));
    compare(odd, |o| o.attention = true);
    compare(even, |o| (o.attention, o.uneven) = (true, true));
}

/// Gradients of such programs by their parameters. Seed 3018 stacks constants in one loop and reads the slices in another.
#[test]
fn gradients_of_attention_run_as_interpreted() {
    let (even, odd): (Vec<u64>, Vec<u64>) = seeds(3000..3020).partition(|s| s.is_multiple_of(2));
    compare_of(odd, |o| (o.attention, o.dtype) = (true, DType::F64), differentiated);
    compare_of(even, |o| (o.attention, o.dtype, o.uneven) = (true, DType::F64, true), differentiated);
}

/// Every kind of program in turns, on any mesh, with dims that axes divide and that they do not, by annotations and by search.
/// `MESHLOOM_SEEDS=0..2000` is the long run.
#[test]
fn every_kind_runs_as_interpreted() {
    compare_all(seeds(0..2 * KINDS), kind, Some);
}

/// The gradients of the same programs.
#[test]
fn gradients_of_every_kind_run_as_interpreted() {
    let of = |seed: u64, mesh: Mesh| match kind(seed, mesh) {
        (o, Closeness::Exact, mode) if o.dtype == DType::F32 => (o, Closeness::Close, mode),
        // Decisions are exact, and cotangents are rounded here and there.
        (o, Closeness::Exact, mode) => (o, Closeness::Loose, mode),
        other => other,
    };
    compare_all(seeds(0..2 * KINDS), of, differentiated);
}

/// Ops from all of the table, any operands of which are arrays of constants, and their gradients. `MESHLOOM_SEEDS=100000..102000` is
/// the long run, here and for every kind.
#[test]
fn constants_at_every_operand() {
    compare_all(seeds(OPERANDS..OPERANDS + 14), kind, Some);
    compare_all(seeds(OPERANDS + 100..OPERANDS + 112), kind, differentiated);
}

/// Programs of long runs whose search ended in a loop without results, or took longer for what counts before time; and one in which
/// a scatter in a loop was said to read both slots of a carry that has one (40268).
#[test]
fn searches_that_failed() {
    compare_all([566, 40268], kind, Some);
    compare_all([329, 665], kind, differentiated);
}

/// A program of a seed's kind, by annotations in two turns and by search in the next two; and in one of three anyway.
fn kind(seed: u64, mesh: Mesh) -> (RandomOptions, Closeness, Mode) {
    let (options, closeness) = random::kind(seed, mesh);
    let search = (seed / KINDS) % 4 >= 2 || seed.is_multiple_of(3);
    (options, closeness, if search { Mode::Search } else { Mode::Follow })
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
    let of = |seed: u64, mesh: Mesh| {
        let dtype = if seed.is_multiple_of(4) { DType::F32 } else { DType::F64 };
        let mut options = RandomOptions { dtype, ..RandomOptions::new(mesh) };
        with(&mut options);
        let closeness = if options.decisions { Closeness::Exact } else { Closeness::Close };
        let mixed = options.uneven || options.arrays || options.decisions;
        let mode = if mixed && seed.is_multiple_of(3) { Mode::Search } else { Mode::Follow };
        (options, closeness, mode)
    };
    compare_all(seeds, of, change);
}

/// Runs the programs of seeds, each as `of` has its options and `change` makes it.
fn compare_all(
    seeds: impl IntoIterator<Item = u64>,
    of: impl Fn(u64, Mesh) -> (RandomOptions, Closeness, Mode),
    change: impl Fn(Func) -> Option<Func>,
) {
    let (mut ran, mut refused, mut wrong) = (0, 0, Vec::new());
    for seed in seeds {
        let mut rng = Rng::new(seed);
        let mesh = random::mesh(&mut rng, 8);
        let (options, closeness, mode) = of(seed, mesh);
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
        // A long run goes on, and says in the end what it found.
        let got = std::panic::catch_unwind(|| run(&f, &inputs, 1 + seed as usize % 2, mode));
        let Ok(Some(got)) = got else {
            refused += u32::from(got.is_ok());
            wrong.extend(got.err().map(|_| format!("seed {seed}, {mode:?}, ends in the panic above")));
            continue;
        };
        ran += 1;
        for ((w, g), p) in want.iter().zip(&got).zip(&f.outputs) {
            if let Some(i) = differs(w, g, &p.name, closeness)
                && !(closeness == Closeness::Loose && as_near(&f, &inputs, &p.name, i, w, g))
            {
                let of = if wrong.is_empty() { meshloom_ir::print::print(&f) } else { String::new() };
                let (name, is, want) = (&p.name, show(g, i), show(w, i));
                wrong.push(format!("seed {seed}, {mode:?}, {name}[{i}] is {is}, not {want}\n{of}"));
            }
        }
    }
    println!("{ran} programs ran, {refused} need more than the CPU target has");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(ran > refused, "{ran} programs ran, {refused} were refused");
}

fn show(t: &Tensor, i: usize) -> String {
    if t.ty.dtype.is_float() { t.f(i).to_string() } else { t.i(i).to_string() }
}

/// Whether a run in 16 bits is as near to the exact number as the interpreter is: what cancels leaves the rounding of both.
fn as_near(f: &Func, inputs: &[Tensor], name: &str, i: usize, want: &Tensor, got: &Tensor) -> bool {
    let to = |d: DType| if matches!(d, DType::BF16 | DType::F16) { DType::F64 } else { d };
    let mut wide = f.clone();
    wide.values.iter_mut().for_each(|v| v.ty.dtype = to(v.ty.dtype));
    for data in &mut wide.ops {
        match &mut data.op {
            Op::Convert { to: dtype } | Op::Constant { dtype, .. } | Op::Iota { dtype, .. } => *dtype = to(*dtype),
            Op::DotGeneral(e) => e.to = e.to.map(to),
            _ => {}
        }
    }
    let given = |x: &Tensor| {
        let floats = |x: &Tensor| (0..x.len()).map(|i| x.f(i)).collect();
        if to(x.ty.dtype) == x.ty.dtype { x.clone() } else { Tensor::floats(DType::F64, &x.ty.shape, floats(x)) }
    };
    let Ok(exact) = eval(&wide, &inputs.iter().map(given).collect::<Vec<_>>()) else { return false };
    let Some(k) = f.outputs.iter().position(|p| p.name == name) else { return false };
    let exact = exact[k].f(i);
    (got.f(i) - exact).abs() <= 2.0 * (want.f(i) - exact).abs()
}

/// The first element of an output in which a run is further from the interpreter than its closeness explains.
fn differs(want: &Tensor, got: &Tensor, name: &str, closeness: Closeness) -> Option<usize> {
    let mut all = 0..want.len();
    if name.starts_with(AGREE) {
        return all.find(|&i| got.i(i) < 1);
    }
    if !want.ty.dtype.is_float() {
        return all.find(|&i| got.i(i) != want.i(i));
    }
    let bound = match (closeness, want.ty.dtype) {
        // Sums are not taken in the interpreter's order, and 16 bits keep little of long ones.
        (Closeness::Exact | Closeness::Loose, _) if name == "loss" => f64::INFINITY,
        (Closeness::Exact, _) => 0.0,
        (Closeness::Close, DType::F64) => 1e-9,
        (Closeness::Close, _) => 1e-3,
        (Closeness::Loose, _) => 0.1,
    };
    // What cancels leaves the rounding of what was there.
    let least = if closeness == Closeness::Loose { 1e-2 } else { 1e-3 };
    let scale = all.clone().map(|i| want.f(i).abs()).filter(|x| x.is_finite()).fold(least, f64::max);
    all.find(|&i| {
        let (w, g) = (want.f(i), got.f(i));
        // Of a sum beyond the type, the order says whether it is infinite or not a number.
        let beyond = bound.is_infinite() && !w.is_finite() && !g.is_finite();
        !(beyond || g.is_nan() && w.is_nan() || g == w || ((g - w) / scale).abs() <= bound)
    })
}
