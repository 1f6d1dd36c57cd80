//! Kernels compiled, linked, loaded and run on this machine; errors as values; threads without influence on the bytes.

use meshloom_codegen::CodegenPhase;
use meshloom_codegen::link::link_shared;
use meshloom_codegen::target::CpuTarget;
use meshloom_llvm::{compile_all, compile_object};

const AXPY: &str = r#"
func.func @axpy(%x: memref<1073741824xf32>, %y: memref<1073741824xf32>, %lo: index, %hi: index) {
  %c16 = arith.constant 16 : index
  %a = arith.constant dense<5.0e-1> : vector<16xf32>
  %from = arith.muli %lo, %c16 : index
  %to = arith.muli %hi, %c16 : index
  scf.for %i = %from to %to step %c16 {
    %u = vector.load %x[%i] : memref<1073741824xf32>, vector<16xf32>
    %v = vector.load %y[%i] : memref<1073741824xf32>, vector<16xf32>
    %w = math.fma %a, %u, %v : vector<16xf32>
    vector.store %w, %y[%i] : memref<1073741824xf32>, vector<16xf32>
  }
  return
}"#;

type Unary = unsafe extern "C" fn(*const u8, *mut u8, i64, i64);

/// Loads a library made of one object; it stays loaded for the rest of the test.
fn load(object: Vec<u8>) -> &'static libloading::Library {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernels.so");
    link_shared(&[object], &path).unwrap();
    // SAFETY: the library is what this test compiled; it has no initialisers.
    Box::leak(Box::new(unsafe { libloading::Library::new(&path) }.unwrap()))
}

#[test]
fn axpy_runs_over_its_range() {
    // v4 only where the machine has it: this machine may be older.
    for target in [CpuTarget::Host, CpuTarget::X86_64V3] {
        let library = load(compile_object("axpy", AXPY, &target).unwrap());
        // SAFETY: the signature is the kernel ABI's.
        let axpy = unsafe { library.get::<Unary>(b"axpy") }.unwrap();
        let x: Vec<f32> = (0..64).map(|i| i as f32).collect();
        let mut y = vec![1.0f32; 64];
        // SAFETY: both buffers hold 4 units of 16 floats.
        unsafe { axpy(x.as_ptr().cast(), y.as_mut_ptr().cast(), 1, 3) };
        for (i, &value) in y.iter().enumerate() {
            let expected = if (16..48).contains(&i) { 1.0 + 0.5 * i as f32 } else { 1.0 };
            assert_eq!(value, expected, "{target:?} at {i}");
        }
    }
}

#[test]
fn avx512_objects_are_made_anywhere() {
    assert!(!compile_object("axpy", AXPY, &CpuTarget::X86_64V4).unwrap().is_empty());
}

/// `kernel(x, y, lo, hi)`: y = op(x), by vectors of `width`, or by scalars.
fn unary(op: &str, element: &str, width: usize) -> String {
    let memref = format!("memref<1073741824x{element}>");
    let (ty, load, store) = match width {
        1 => (
            element.to_owned(),
            format!("memref.load %x[%i] : {memref}"),
            format!("memref.store %v, %y[%i] : {memref}"),
        ),
        _ => {
            let ty = format!("vector<{width}x{element}>");
            let load = format!("vector.load %x[%i] : {memref}, {ty}");
            let store = format!("vector.store %v, %y[%i] : {memref}, {ty}");
            (ty, load, store)
        }
    };
    format!(
        "func.func @kernel(%x: {memref}, %y: {memref}, %lo: index, %hi: index) {{
           %step = arith.constant {width} : index
           scf.for %i = %lo to %hi step %step {{
             %u = {load}
             %v = loom.{op} %u : {ty}
             {store}
           }}
           return
         }}"
    )
}

fn apply<T: Copy + Default>(op: &str, element: &str, width: usize, x: &[T], target: CpuTarget) -> Vec<T> {
    let library = load(compile_object(op, &unary(op, element, width), &target).unwrap());
    // SAFETY: the signature is the kernel ABI's.
    let kernel = unsafe { library.get::<Unary>(b"kernel") }.unwrap();
    let mut y = vec![T::default(); x.len()];
    assert_eq!(x.len() % width, 0);
    // SAFETY: both buffers hold `x.len()` elements.
    unsafe { kernel(x.as_ptr().cast(), y.as_mut_ptr().cast(), 0, x.len() as i64) };
    y
}

/// erf in f64, good to about 1e-16: a series of positive terms near zero, the continued fraction of erfc away from it.
fn erf(x: f64) -> f64 {
    if x.abs() < 2.5 {
        let (mut term, mut sum) = (x, x);
        for n in 1..200 {
            term *= 2.0 * x * x / (2 * n + 1) as f64;
            sum += term;
        }
        sum * std::f64::consts::FRAC_2_SQRT_PI * (-x * x).exp()
    } else {
        let mut fraction = x.abs();
        for n in (1..200).rev() {
            fraction = x.abs() + n as f64 / 2.0 / fraction;
        }
        (1.0 - (-x * x).exp() / (fraction * std::f64::consts::PI.sqrt())).copysign(x)
    }
}

/// An op, what it should compute, and a range of operands.
type Case = (&'static str, fn(f64) -> f64, f64, f64);

fn points(from: f64, to: f64) -> Vec<f64> {
    (0..4096).map(|i| from + (to - from) * (i as f64 / 4095.0)).collect()
}

#[test]
fn math_is_accurate_in_f32_at_every_width() {
    let cases: [Case; 6] = [
        ("exp", f64::exp, -86.9, 88.7),
        ("exp", f64::exp, -1.0, 1.0),
        ("tanh", f64::tanh, -12.0, 12.0),
        ("erf", erf, -5.0, 5.0),
        ("log", f64::ln, 1e-6, 10.0),
        ("log", f64::ln, 1.0, 3e38),
    ];
    for (op, reference, from, to) in cases {
        let x: Vec<f32> = points(from, to).into_iter().map(|x| x as f32).collect();
        let vector = apply(op, "f32", 16, &x, CpuTarget::Host);
        for (&x, &y) in x.iter().zip(&vector) {
            let expected = reference(f64::from(x));
            // An ulp of the correctly rounded result.
            let ulp = f64::from(f32::from_bits((expected as f32).abs().to_bits() + 1) - (expected as f32).abs());
            let error = (f64::from(y) - expected).abs() / ulp;
            assert!(error <= 2.5, "{op}({x}) = {y}, expected {expected}: {error:.2} ulp");
        }
        for (width, target) in [(1, CpuTarget::Host), (4, CpuTarget::Host), (16, CpuTarget::X86_64V3)] {
            let other = apply(op, "f32", width, &x, target);
            assert_eq!(vector, other, "{op}: the same bits at width {width} for {target:?}");
        }
    }
}

/// What a GPU computes for tanh, with its own instructions as far off as the PTX ISA allows: two units in the last place for
/// `ex2.approx`, one for `rcp.approx`. The coefficients are those of the pass.
#[test]
fn tanh_of_gpus_is_off_by_four_units_at_most() {
    let source = include_str!("../../../../dialects/cpp/ExpandMath.cpp");
    let list = source.split_once("kTanhNear32[] = {").and_then(|s| s.1.split_once('}')).expect("the coefficients").0;
    let near: Vec<f32> = list.split(',').map(|c| c.trim().parse().expect("a number")).collect();
    let moved = |x: f32, ulps: i32| f32::from_bits((x.to_bits() as i32 + ulps) as u32);
    let tanh = |x: f32, (ex2, rcp): (i32, i32)| -> f32 {
        let (t, square) = (x.abs(), x * x);
        if t < 0.55 {
            let p = near[1..].iter().fold(near[0], |p, &c| p.mul_add(square, c));
            return (p * square).mul_add(x, x);
        }
        let e = moved((f64::from(t * 2.0 * std::f32::consts::LOG2_E)).exp2() as f32, ex2);
        moved((1.0 / f64::from(e + 1.0)) as f32, rcp).mul_add(-2.0, 1.0).copysign(x)
    };
    let mut worst: f64 = 0.0;
    for x in points(-10.0, 10.0).into_iter().chain(points(-1.0, 1.0)).chain(points(-1e-3, 1e-3)).map(|x| x as f32) {
        for off in [(0, 0), (2, 1), (2, -1), (-2, 1), (-2, -1)] {
            let (y, expected) = (tanh(x, off), f64::from(x).tanh());
            let ulp = f64::from(f32::from_bits((expected as f32).abs().to_bits() + 1) - (expected as f32).abs());
            worst = worst.max((f64::from(y) - expected).abs() / ulp);
        }
    }
    assert!(worst <= 4.0, "{worst:.2} ulp");
    assert_eq!((tanh(200.0, (0, 0)), tanh(f32::NEG_INFINITY, (0, 0))), (1.0, -1.0));
    assert!(tanh(f32::NAN, (0, 0)).is_nan());
}

/// The same for exp.
#[test]
fn exp_of_gpus_is_off_by_four_units_at_most() {
    let moved = |x: f32, ulps: i32| f32::from_bits((x.to_bits() as i32 + ulps) as u32);
    let (high, low) = (std::f32::consts::LOG2_E, 1.925_963e-8);
    let exp = |x: f32, off: i32| -> f32 {
        let x = if x.is_nan() { x } else { x.clamp(-104.0, 89.0) };
        let t = x * high;
        let left = x.mul_add(low, x.mul_add(high, -t));
        let e = f64::from(t).exp2() as f32;
        // What is below the normal range is flushed, and what is beyond stays so.
        let e = if e < f32::MIN_POSITIVE {
            0.0
        } else if e.is_finite() {
            moved(e, off)
        } else {
            e
        };
        e * left.mul_add(std::f32::consts::LN_2, 1.0)
    };
    let mut worst: f64 = 0.0;
    for x in points(-87.0, 88.5).into_iter().chain(points(-1.0, 1.0)).map(|x| x as f32) {
        for off in [-2, 0, 2] {
            let (y, expected) = (exp(x, off), f64::from(x).exp());
            let ulp = f64::from(f32::from_bits((expected as f32).to_bits() + 1) - expected as f32);
            worst = worst.max((f64::from(y) - expected).abs() / ulp);
        }
    }
    assert!(worst <= 4.0, "{worst:.2} ulp");
    let ends = [f32::NEG_INFINITY, -200.0, -88.0, 0.0, 89.0, 200.0, f32::INFINITY].map(|x| exp(x, 0));
    assert_eq!(ends, [0.0, 0.0, 0.0, 1.0, f32::INFINITY, f32::INFINITY, f32::INFINITY]);
    assert!(exp(f32::NAN, 0).is_nan());
}

#[test]
fn math_is_accurate_in_f64() {
    let cases: [Case; 6] = [
        ("exp", f64::exp, -708.0, 709.7),
        ("exp", f64::exp, -1.0, 1.0),
        ("tanh", f64::tanh, -22.0, 22.0),
        ("erf", erf, -6.5, 6.5),
        ("log", f64::ln, 1e-9, 10.0),
        ("log", f64::ln, 1.0, 1e308),
    ];
    for (op, reference, from, to) in cases {
        let x = points(from, to);
        for width in [1, 8] {
            for (&x, &y) in x.iter().zip(&apply(op, "f64", width, &x, CpuTarget::Host)) {
                let expected = reference(x);
                let error = (y - expected).abs() / expected.abs().max(1e-300);
                assert!(error <= 2e-15, "{op}({x}) = {y}, expected {expected}: {error:e}");
            }
        }
    }
}

#[test]
fn math_follows_ieee_at_the_edges() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    let x = [0.0, -0.0, inf, -inf, nan, 1000.0, -1000.0, 1e-40];
    let bits =
        |y: Vec<f32>| y.into_iter().map(|v| if v.is_nan() { nan.to_bits() } else { v.to_bits() }).collect::<Vec<_>>();
    let check = |op, expected: [f32; 8]| {
        assert_eq!(bits(apply(op, "f32", 8, &x, CpuTarget::Host)), bits(expected.to_vec()), "{op} of {x:?}");
    };
    check("exp", [1.0, 1.0, inf, 0.0, nan, inf, 0.0, 1.0]);
    let log = apply("log", "f32", 8, &x, CpuTarget::Host);
    assert_eq!((log[0], log[1], log[2]), (-inf, -inf, inf));
    assert!(log[3].is_nan() && log[4].is_nan() && log[6].is_nan());
    assert!((log[7] - 1e-40f32.ln()).abs() < 1e-5, "a subnormal operand: {}", log[7]);
    let tanh = apply("tanh", "f32", 8, &x, CpuTarget::Host);
    assert_eq!((tanh[0], tanh[2], tanh[3], tanh[5], tanh[6]), (0.0, 1.0, -1.0, 1.0, -1.0));
    assert!(tanh[4].is_nan());
    let erf = apply("erf", "f32", 8, &x, CpuTarget::Host);
    assert_eq!((erf[0], erf[2], erf[3], erf[5], erf[6]), (0.0, 1.0, -1.0, 1.0, -1.0));
    assert!(erf[4].is_nan());
}

#[test]
fn errors_are_values_that_name_the_kernel() {
    let error = compile_object("broken", "func.func @broken() { %0 = arith.constant 1 : nonsense }", &CpuTarget::Host);
    let error = error.unwrap_err();
    assert_eq!((error.phase, error.kernel.as_deref()), (CodegenPhase::Parse, Some("broken")));
    assert!(!error.message.is_empty());

    // Valid MLIR that has no lowering in our pipeline.
    let error = compile_object(
        "odd",
        "func.func @odd(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }",
        &CpuTarget::Host,
    );
    assert_eq!(error.unwrap_err().phase, CodegenPhase::Translate);
    assert_eq!(compile_object("nul", "\0", &CpuTarget::Host).unwrap_err().phase, CodegenPhase::Parse);

    let error =
        link_shared(&[b"not an object".to_vec()], &tempfile::tempdir().unwrap().path().join("k.so")).unwrap_err();
    assert_eq!(error.phase, CodegenPhase::Link);
}

#[test]
fn threads_do_not_change_the_bytes() {
    let texts: Vec<(String, String)> = ["exp", "log", "tanh", "erf"]
        .iter()
        .map(|op| (format!("k_{op}"), unary(op, "f32", 16).replace("@kernel", &format!("@k_{op}"))))
        .collect();
    let mut kernels: Vec<(&str, &str)> = texts.iter().map(|(symbol, text)| (symbol.as_str(), text.as_str())).collect();
    kernels.insert(2, ("broken", "func.func"));
    let one = compile_all(&kernels, CpuTarget::Host, 1);
    let three = compile_all(&kernels, CpuTarget::Host, 3);
    assert_eq!(one, three);
    assert_eq!(one.iter().map(Result::is_ok).collect::<Vec<_>>(), [true, true, false, true, true]);

    let folder = tempfile::tempdir().unwrap();
    let objects: Vec<Vec<u8>> = one.into_iter().flatten().collect();
    let libraries = ["a.so", "b.so"].map(|name| {
        let path = folder.path().join(name);
        link_shared(&objects, &path).unwrap();
        std::fs::read(path).unwrap()
    });
    assert_eq!(libraries[0], libraries[1], "linking is deterministic, whatever the output is called");
}
