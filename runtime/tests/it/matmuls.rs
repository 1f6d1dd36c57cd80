//! Matmuls by cuBLASLt in the place of kernels. The library here is one whose GPU is the host
//! (`common/cuda/cublaslt.c`): it checks its arguments and computes. So whole programs are compared with the kernels of
//! the same bundle, in any order of streams and from captured steps.

use crate::common::*;
use meshloom_bundle::*;
use meshloom_runtime::device::gpu::blas::{Blas, BlasChoice, Matmuls};
use meshloom_runtime::device::gpu::simulated::Simulated;
use meshloom_runtime::{HostTensor, Session, SessionOptions};

const FAKE: &str = include_str!("common/cuda/cublaslt.c");
const H200: (i32, i32) = (9, 0);

/// The library, with these lines before it. The folder goes when the library is loaded.
fn library_with(defines: &str) -> BundleResult<Blas, String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("libcublasLt.so.12");
    std::fs::write(&path, library(&format!("{defines}\n{FAKE}"))).unwrap();
    // SAFETY: a library of C that runs nothing when it is loaded.
    Blas::of(unsafe { libloading::Library::new(&path) }.unwrap(), "libcublasLt.so.12".into())
}

fn matrix(arg: u32, ld: u64) -> Matrix {
    Matrix { arg, offset: 0, transposed: false, ld, stride: 0 }
}

/// `[rows, 8] x [8, 8]`, by rows: by columns the other way round.
fn forward(result: DType) -> Gemm {
    Gemm {
        m: 8,
        n: 4,
        k: 8,
        batch: 1,
        dtype: DType::F32,
        result,
        tf32: false,
        a: matrix(1, 8),
        b: matrix(0, 8),
        d: matrix(3, 8),
        c: None,
        bias: Some(Vector { arg: 2, offset: 0 }),
    }
}

const C: &str = "
    // y [4, 8] = x [4, 8] . w [8, 8] + bias [8]
    void linear(const float *x, const float *w, const float *bias, float *y, long lo, long hi) {
        for (long i = lo; i < hi; i++) {
            float sum = 0;
            for (int k = 0; k < 8; k++) sum += x[i / 8 * 8 + k] * w[k * 8 + i % 8];
            y[i] = sum + bias[i % 8];
        }
    }
    // y [2, 2, 8] += x [2, 2, 8] . w [2, 8, 8]^T, from the third row of w's memory on
    void batched(const float *x, const float *w, float *y, long lo, long hi) {
        for (long i = lo; i < hi; i++) {
            float sum = 0;
            for (int k = 0; k < 8; k++) sum += x[i / 8 * 8 + k] * w[16 + i / 16 * 64 + i % 8 * 8 + k];
            y[i] = sum + y[i];
        }
    }
    void half(const float *x, float *y, long lo, long hi) { for (long i = lo; i < hi; i++) y[i] = 0.125f * x[i]; }";

/// A loop over stacked weights on three devices, whose matmuls wait for sums over them.
fn stack() -> Program {
    let mut p = program(&[("data", 3)], 8192);
    let f = DType::F32;
    p.ports.push(port(&p, "x", Role::Input, f, &[12, 8], &[&[0], &[]], 0));
    p.ports.push(port(&p, "w", Role::Input, f, &[5, 8, 8], &[&[], &[], &[]], 1024));
    p.ports.push(port(&p, "bias", Role::Input, f, &[8], &[&[]], 512));
    p.ports.push(port(&p, "y", Role::Output, f, &[12, 8], &[&[0], &[]], 256));
    let gpu = |gemm| Some(GpuLaunch { gemm, ..GpuLaunch::per_thread(128) });
    let batched = Gemm {
        m: 8,
        n: 2,
        k: 8,
        batch: 2,
        dtype: f,
        result: f,
        tf32: false,
        a: Matrix { offset: 64, transposed: true, stride: 64, ..matrix(1, 8) },
        b: Matrix { stride: 16, ..matrix(0, 8) },
        d: Matrix { stride: 16, ..matrix(2, 8) },
        c: Some(Matrix { stride: 16, ..matrix(2, 8) }),
        bias: None,
    };
    p.kernels = vec![
        KernelRef { gpu: gpu(Some(forward(f))), ..kernel("linear", 4, 0, false) },
        KernelRef { gpu: gpu(Some(batched)), ..kernel("batched", 3, 0, false) },
        KernelRef { gpu: gpu(None), ..kernel("half", 2, 0, false) },
    ];
    let b = BufRef::fixed;
    let (x, y, bias, sum, next) = (b(0, 128), b(256, 128), b(512, 32), b(768, 128), b(640, 128));
    let w = |bytes| BufRef::moving(1024, bytes, 256, LoopIndex::Iter { delta: 0 });
    let all = CollectiveKind::AllReduce { reduction: Reduction::Sum, count: 32 };
    p.instrs = vec![
        Instr::Copy { src: x, dst: next, bytes: 128 },
        Instr::Loop {
            trip: 3,
            body: vec![
                launch(0, vec![next, w(256), bias, y], vec![3], 32, vec![]),
                collective(0, all, &[0], f, y, sum),
                launch(1, vec![sum, w(768), y], vec![2], 32, vec![]),
                launch(2, vec![y, next], vec![1], 32, vec![]),
            ],
        },
    ];
    p
}

fn gpu_bundle(p: Program, c: &str) -> Bundle {
    // For a simulated device: kernels of the host, launched as a GPU's.
    let mut b = bundle(
        vec![(
            EntryKind::Function,
            Program { kernels: p.kernels.iter().map(|k| KernelRef { gpu: None, ..k.clone() }).collect(), ..p.clone() },
        )],
        c,
    );
    b.contents.entries[0].program = fitted(p);
    b
}

fn run(b: &Bundle, mut s: Session) -> meshloom_runtime::Result<Vec<u8>> {
    for port in b.contents.entries[0].program.ports.iter().filter(|p| p.role == Role::Input) {
        let n = port.global_shape.iter().product::<u64>();
        let values = (0..n).map(|i| ((i * 37 + 11) % 64) as f32 / 61.0 - 0.5);
        let bytes = values.flat_map(|x| match port.dtype {
            DType::BF16 => half::bf16::from_f32(x).to_le_bytes().to_vec(),
            DType::F16 => half::f16::from_f32(x).to_le_bytes().to_vec(),
            _ => x.to_le_bytes().to_vec(),
        });
        s.write(
            &port.name,
            HostTensor { dtype: port.dtype, shape: port.global_shape.clone(), bytes: bytes.collect() },
        )?;
    }
    for _ in 0..4 {
        s.run()?;
    }
    Ok(s.read("y")?.bytes)
}

fn session(b: &Bundle, seed: u64, matmuls: Matmuls) -> meshloom_runtime::Result<Session> {
    let driver = Simulated::new(&b.contents.libraries, seed)?.with_matmuls(matmuls);
    Session::on_driver(b, "test", &SessionOptions::default(), Box::new(driver))
}

#[test]
fn programs_compute_the_same_with_the_library() {
    let b = gpu_bundle(stack(), C);
    validate(&b.contents.entries[0].program).unwrap();
    let own = session(&b, 0, Matmuls::none()).unwrap();
    let memory = own.peak_bytes();
    let want = run(&b, own).unwrap();
    assert!(want.iter().any(|&x| x != 0));
    for seed in 0..12 {
        let matmuls = Matmuls::of(library_with("").unwrap(), BlasChoice::Library, H200);
        let s = session(&b, seed, matmuls).unwrap();
        assert_eq!(s.peak_bytes(), memory + 3 * 4096, "the workspace of each device is counted");
        assert_eq!(run(&b, s).unwrap(), want, "seed {seed}");
    }
}

#[test]
fn half_precision_is_rounded_once() {
    for (dtype, name, to, from) in [
        (DType::BF16, "unsigned short", "rounded(sum)", "widened"),
        (DType::F16, "_Float16", "(_Float16)sum", "(float)"),
        (DType::F32, "float", "sum", "in_tf32"),
    ] {
        let mut p = program(&[("data", 1)], 4096);
        p.ports.push(port(&p, "x", Role::Input, dtype, &[4, 8], &[&[], &[]], 0));
        p.ports.push(port(&p, "w", Role::Input, dtype, &[8, 8], &[&[], &[]], 256));
        p.ports.push(port(&p, "bias", Role::Input, dtype, &[8], &[&[]], 512));
        p.ports.push(port(&p, "y", Role::Output, dtype, &[4, 8], &[&[], &[]], 1024));
        let gemm = Gemm { dtype, tf32: dtype == DType::F32, ..forward(dtype) };
        let gpu = Some(GpuLaunch { gemm: Some(gemm), ..GpuLaunch::per_thread(128) });
        p.kernels = vec![KernelRef { gpu, ..kernel("linear", 4, 0, false) }];
        let b = BufRef::fixed;
        let bytes = |at, elements| b(at, elements * dtype.bytes());
        let args = vec![bytes(0, 32), bytes(256, 64), bytes(512, 8), bytes(1024, 32)];
        p.instrs = vec![launch(0, args, vec![3], 32, vec![])];
        // Factors are rounded to tf32, and nothing else.
        let bias = if dtype == DType::F32 { "" } else { from };
        let c = format!(
            "#include <string.h>
            static float widened(unsigned short x) {{ unsigned b = (unsigned)x << 16; float f; memcpy(&f, &b, 4); return f; }}
            static float in_tf32(float f) {{ unsigned b; memcpy(&b, &f, 4); b = (b + 0x1000) & ~0x1fffu; memcpy(&f, &b, 4); return f; }}
            static unsigned short rounded(float f) {{ unsigned b; memcpy(&b, &f, 4); return (b + 0x7fff + (b >> 16 & 1)) >> 16; }}
            void linear(const {name} *x, const {name} *w, const {name} *bias, {name} *y, long lo, long hi) {{
                for (long i = lo; i < hi; i++) {{
                    float sum = 0;
                    for (int k = 0; k < 8; k++) sum += {from}(x[i / 8 * 8 + k]) * {from}(w[k * 8 + i % 8]);
                    sum += {bias}(bias[i % 8]);
                    y[i] = {to};
                }}
            }}"
        );
        let b = gpu_bundle(p, &c);
        validate(&b.contents.entries[0].program).unwrap();
        let want = run(&b, session(&b, 0, Matmuls::none()).unwrap()).unwrap();
        let matmuls = Matmuls::of(library_with("").unwrap(), BlasChoice::Library, H200);
        assert_eq!(run(&b, session(&b, 1, matmuls).unwrap()).unwrap(), want, "{name}");
    }
}

/// Small matmuls are the kernels' by the table, and all are where the library has no algorithm.
#[test]
fn the_kernel_stays_where_it_should() {
    let b = gpu_bundle(stack(), C);
    let want = run(&b, session(&b, 0, Matmuls::none()).unwrap()).unwrap();
    for (defines, choice) in [("#define FAIL 13", BlasChoice::Auto), ("#define NO_ALGORITHM", BlasChoice::Library)] {
        let matmuls = Matmuls::of(library_with(defines).unwrap(), choice, H200);
        assert_eq!(run(&b, session(&b, 3, matmuls).unwrap()).unwrap(), want, "{defines}");
    }
}

#[test]
fn failures_are_said() {
    let b = gpu_bundle(stack(), C);
    let matmuls = Matmuls::of(library_with("#define FAIL 13").unwrap(), BlasChoice::Library, H200);
    let e = run(&b, session(&b, 0, matmuls).unwrap()).unwrap_err();
    let said = "cublasLtMatmul failed for a matmul of 8 x 4 x 8, 1 times, of f32: CUBLAS_STATUS_EXECUTION_FAILED (error 13); \
                MESHLOOM_MATMUL=own does without";
    assert!(e.to_string().contains(said), "{e}");
    let says = |defines| library_with(defines).err().unwrap();
    assert_eq!(says("#define VERSION 110505"), "libcublasLt.so.12 is cuBLASLt 11.5.5: 12.0 or newer is needed");
    assert_eq!(says("#define TOO_OLD"), "libcublasLt.so.12 has no cublasLtCreate: cuBLASLt 12.0 or newer is needed");
}

/// A bundle may not say of a GEMM that it goes beyond the launch's buffers.
#[test]
fn matmuls_stay_within_their_launch() {
    type Change = fn(&mut Gemm);
    let cases: [(&str, Change); 8] = [
        ("B of a GEMM ends at byte 160", |p| p.n = 5),
        ("A of a GEMM ends at byte 288", |p| p.a.offset = 32),
        ("with 8 rows, 7 apart", |p| p.d.ld = 7),
        ("D of a GEMM in argument 4 of 4", |p| p.d.arg = 4),
        ("a GEMM writes argument 0", |p| p.d.arg = 0),
        ("the bias of a GEMM ends at byte 64", |p| p.bias = Some(Vector { arg: 2, offset: 32 })),
        ("a GEMM of 8 x 4 x 0", |p| p.k = 0),
        ("a GEMM of i32", |p| p.dtype = DType::I32),
    ];
    for (expected, change) in cases {
        let mut p = fitted(stack());
        change(p.kernels[0].gpu.as_mut().unwrap().gemm.as_mut().unwrap());
        let e = validate(&p).unwrap_err().to_string();
        assert!(e.contains(expected), "{expected}: {e}");
    }
}
