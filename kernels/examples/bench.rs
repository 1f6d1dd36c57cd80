//! Times the kernels of a gpt_small train step (4 layers, embed 256, 8 heads of 32, sequence 128, batch 8, vocabulary 1024, f32) on
//! this machine: `cargo run --release -p meshloom-kernels --example bench [threads] [filter] [--v3] [--compile]`.
//!
//! The best of many runs, with operands in whatever cache the previous run left them in. One thread is timed by the CPU time it
//! took, so that a busy machine disturbs less. Tuning tables are made with this.

#![allow(clippy::disallowed_macros, clippy::disallowed_methods, reason = "a program of its own")]

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code)]
mod support;

use meshloom_kernels::attention::{Attention, AttentionBackward, AttentionShape, Strides};
use meshloom_kernels::contraction::Contraction;
use meshloom_kernels::spec::{Column, Fused};
use meshloom_kernels::{Access, Body, DType, Elem, KernelSpec, Node, NodeId, Reduction, Target};
use std::sync::Barrier;
use std::time::Instant;
use support::{Guarded, Library, Rng, call};

const F32: DType = DType::F32;

/// tanh-GELU of `u`, and its derivative.
fn gelu(b: &mut Body, u: NodeId) -> (NodeId, NodeId) {
    let [c, k, half, one, three] = [0.044715, 0.797_884_560_802_865_4, 0.5, 1.0, 3.0].map(|x| b.constant(F32, x));
    let square = b.elem(Elem::Multiply, &[u, u]);
    let cubic = b.elem(Elem::Multiply, &[square, c]);
    let inner = b.elem(Elem::Add, &[one, cubic]);
    let ku = b.elem(Elem::Multiply, &[k, u]);
    let x = b.elem(Elem::Multiply, &[ku, inner]);
    let t = b.elem(Elem::Tanh, &[x]);
    let sum = b.elem(Elem::Add, &[one, t]);
    let phi = b.elem(Elem::Multiply, &[half, sum]);
    let y = b.elem(Elem::Multiply, &[u, phi]);
    let tt = b.elem(Elem::Multiply, &[t, t]);
    let rest = b.elem(Elem::Subtract, &[one, tt]);
    let slope = b.elem(Elem::Multiply, &[three, cubic]);
    let slope = b.elem(Elem::Add, &[one, slope]);
    let slope = b.elem(Elem::Multiply, &[k, slope]);
    let d = b.elem(Elem::Multiply, &[rest, slope]);
    let d = b.elem(Elem::Multiply, &[u, d]);
    let d = b.elem(Elem::Multiply, &[half, d]);
    (y, b.elem(Elem::Add, &[phi, d]))
}

/// A row-major product of `m` x `k` (transposed: `k` x `m`) and `k` x `n` (transposed: `n` x `k`).
fn matmul(m: u64, n: u64, k: u64, at: bool, bt: bool, epilogue: &str) -> Vec<KernelSpec> {
    let mut b = Body::new(&[F32; 3]);
    let acc = b.node(Node::Acc);
    let full = [n as i64, 1];
    let mut x = acc;
    if epilogue.contains("bias") {
        let bias = b.buffer(F32);
        let bias = b.leaf(Access::new(bias, &[0, 1]));
        x = b.elem(Elem::Add, &[x, bias]);
    }
    if epilogue.contains("residual") {
        let r = b.buffer(F32);
        let r = b.leaf(Access::new(r, &full));
        x = b.elem(Elem::Add, &[x, r]);
    }
    if epilogue.contains("derivative") {
        let u = b.buffer(F32);
        let u = b.leaf(Access::new(u, &full));
        let (_, d) = gelu(&mut b, u);
        x = b.elem(Elem::Multiply, &[x, d]);
    }
    b.output(x, Access::new(2, &full));
    if epilogue.contains("gelu") {
        let (h, _) = gelu(&mut b, x);
        let second = b.buffer(F32);
        b.output(h, Access::new(second, &full));
    }
    let a = Access::new(0, &if at { [1, m as i64] } else { [k as i64, 1] });
    let right = Access::new(1, &if bt { [k as i64, 1] } else { [1, n as i64] });
    let lowered =
        Contraction { batch: vec![], m: vec![m], n: vec![n], k: vec![k], a, b: right, stored: F32, body: b }.lower();
    let mut specs: Vec<KernelSpec> = lowered.packs.into_iter().flatten().map(KernelSpec::Pack).collect();
    specs.push(KernelSpec::Matmul(lowered.matmul));
    specs
}

fn layer_norm(rows: u64, cols: u64) -> KernelSpec {
    let mut b = Body::new(&[F32; 6]);
    let n = cols as i64;
    let (x, g, s) = (b.leaf(Access::new(0, &[n, 1])), b.leaf(Access::new(1, &[0, 1])), b.leaf(Access::new(2, &[0, 1])));
    let (inverse, epsilon) = (b.constant(F32, 1.0 / cols as f64), b.constant(F32, 1e-5));
    let sum = b.reduce(Reduction::Sum, x);
    let mean = b.elem(Elem::Multiply, &[sum, inverse]);
    let d = b.elem(Elem::Subtract, &[x, mean]);
    let square = b.elem(Elem::Multiply, &[d, d]);
    let sum = b.reduce(Reduction::Sum, square);
    let variance = b.elem(Elem::Multiply, &[sum, inverse]);
    let variance = b.elem(Elem::Add, &[variance, epsilon]);
    let r = b.elem(Elem::Rsqrt, &[variance]);
    let y = b.elem(Elem::Multiply, &[d, r]);
    let y = b.elem(Elem::Multiply, &[y, g]);
    let y = b.elem(Elem::Add, &[y, s]);
    b.output(y, Access::new(3, &[n, 1]));
    b.output(mean, Access::new(4, &[1, 0]));
    b.output(r, Access::new(5, &[1, 0]));
    KernelSpec::Fused(Fused::new(&[rows, cols], b))
}

/// dx, added to a residual's gradient.
fn layer_norm_backward(rows: u64, cols: u64) -> KernelSpec {
    let mut b = Body::new(&[F32; 7]);
    let n = cols as i64;
    let row = |b: &mut Body, i| b.leaf(Access::new(i, &[n, 1]));
    let (dy, x, res) = (row(&mut b, 0), row(&mut b, 1), row(&mut b, 2));
    let (mean, r) = (b.leaf(Access::new(3, &[1, 0])), b.leaf(Access::new(4, &[1, 0])));
    let (g, inverse) = (b.leaf(Access::new(5, &[0, 1])), b.constant(F32, 1.0 / cols as f64));
    let d = b.elem(Elem::Subtract, &[x, mean]);
    let hat = b.elem(Elem::Multiply, &[d, r]);
    let dg = b.elem(Elem::Multiply, &[dy, g]);
    let s1 = b.reduce(Reduction::Sum, dg);
    let p = b.elem(Elem::Multiply, &[dg, hat]);
    let s2 = b.reduce(Reduction::Sum, p);
    let (a1, a2) = (b.elem(Elem::Multiply, &[s1, inverse]), b.elem(Elem::Multiply, &[s2, inverse]));
    let t = b.elem(Elem::Subtract, &[dg, a1]);
    let h = b.elem(Elem::Multiply, &[hat, a2]);
    let t = b.elem(Elem::Subtract, &[t, h]);
    let t = b.elem(Elem::Multiply, &[t, r]);
    let t = b.elem(Elem::Add, &[t, res]);
    b.output(t, Access::new(6, &[n, 1]));
    KernelSpec::Fused(Fused::new(&[rows, cols], b))
}

/// The gradients of scale and shift.
fn layer_norm_columns(rows: u64, cols: u64) -> KernelSpec {
    let mut b = Body::new(&[F32; 6]);
    let n = cols as i64;
    let (dy, x) = (b.leaf(Access::new(0, &[n, 1])), b.leaf(Access::new(1, &[n, 1])));
    let (mean, r) = (b.leaf(Access::new(2, &[1, 0])), b.leaf(Access::new(3, &[1, 0])));
    let d = b.elem(Elem::Subtract, &[x, mean]);
    let hat = b.elem(Elem::Multiply, &[d, r]);
    let p = b.elem(Elem::Multiply, &[dy, hat]);
    let (dg, db) = (b.reduce(Reduction::Sum, p), b.reduce(Reduction::Sum, dy));
    b.output(dg, Access::new(4, &[0, 1]));
    b.output(db, Access::new(5, &[0, 1]));
    KernelSpec::Column(Column::new(&[], &[rows], cols, b))
}

fn adamw(count: u64) -> KernelSpec {
    let mut b = Body::new(&[F32; 6]);
    let leaf = |b: &mut Body, i| b.leaf(Access::new(i, &[1]));
    let (p, g, m, v) = (leaf(&mut b, 0), leaf(&mut b, 1), leaf(&mut b, 2), leaf(&mut b, 3));
    let (c1, c2) = (b.leaf(Access::new(4, &[0])), b.leaf(Access::new(5, &[0])));
    let [b1, b2, n1, n2, eps, wd, lr] = [0.9, 0.999, 0.1, 0.001, 1e-8, 0.01, -1e-3].map(|x| b.constant(F32, x));
    let (x, y) = (b.elem(Elem::Multiply, &[m, b1]), b.elem(Elem::Multiply, &[g, n1]));
    let m = b.elem(Elem::Add, &[x, y]);
    let gg = b.elem(Elem::Multiply, &[g, g]);
    let (x, y) = (b.elem(Elem::Multiply, &[v, b2]), b.elem(Elem::Multiply, &[gg, n2]));
    let v = b.elem(Elem::Add, &[x, y]);
    let d = b.elem(Elem::Multiply, &[v, c2]);
    let d = b.elem(Elem::Sqrt, &[d]);
    let d = b.elem(Elem::Add, &[d, eps]);
    let u = b.elem(Elem::Multiply, &[m, c1]);
    let u = b.elem(Elem::Divide, &[u, d]);
    let w = b.elem(Elem::Multiply, &[p, wd]);
    let u = b.elem(Elem::Add, &[u, w]);
    let u = b.elem(Elem::Multiply, &[u, lr]);
    let p = b.elem(Elem::Add, &[p, u]);
    b.output(p, Access::new(0, &[1]));
    b.output(m, Access::new(2, &[1]));
    b.output(v, Access::new(3, &[1]));
    KernelSpec::Fused(Fused::new(&[count], b))
}

fn attention(seq: u64, head: u64, heads: u64) -> [KernelSpec; 2] {
    let shape = AttentionShape {
        dtype: F32,
        batch: 8,
        heads,
        group: 1,
        q_len: seq,
        kv_len: seq,
        head,
        value: head,
        causal: true,
        window: 0,
        segments: None,
        shifted: false,
        scale: (head as f64).powf(-0.5).to_bits(),
        by_threads: false,
    };
    let (h, s, d) = (heads as i64, seq as i64, head as i64);
    let of =
        |part: i64, n: i64| Strides { offset: part * h * d, batch: n * s * h * d, head: d, group: 0, seq: n * h * d };
    let (q, k, v, o) = (of(0, 3), of(1, 3), of(2, 3), of(0, 1));
    let lse = Strides { offset: 0, batch: h * s, head: s, group: 0, seq: 1 };
    [
        KernelSpec::Attention(Attention { shape, q, k, v, o, lse }),
        KernelSpec::AttentionBackward(AttentionBackward { shape, q, k, v, o, lse, d_o: o, dq: q, dk: k, dv: v }),
    ]
}

/// The kernels, with their launches per step.
fn kernels() -> Vec<(String, u32, KernelSpec)> {
    let mut list: Vec<(String, u32, KernelSpec)> = Vec::new();
    for (name, times, [m, n, k], at, bt, epilogue) in [
        ("qkv", 4, [1024, 768, 256], false, false, "bias"),
        ("out", 4, [1024, 256, 256], false, false, "bias residual"),
        ("up", 4, [1024, 1024, 256], false, false, "bias gelu"),
        ("down", 4, [1024, 256, 1024], false, false, "bias residual"),
        ("head", 1, [1024, 1024, 256], false, false, ""),
        ("du", 4, [1024, 1024, 256], false, true, "derivative"),
        ("dx 1024", 5, [1024, 256, 1024], false, true, ""),
        ("dx 256", 4, [1024, 256, 256], false, true, ""),
        ("dx 768", 4, [1024, 256, 768], false, true, ""),
        ("dw down", 4, [1024, 256, 1024], true, false, ""),
        ("dw up", 5, [256, 1024, 1024], true, false, ""),
        ("dw out", 4, [256, 256, 1024], true, false, ""),
        ("dw qkv", 4, [256, 768, 1024], true, false, ""),
    ] {
        for spec in matmul(m, n, k, at, bt, epilogue) {
            list.push((format!("{name} {}", spec.kind()), times, spec));
        }
    }
    let [forward, backward] = attention(128, 32, 8);
    list.push(("attention".into(), 4, forward));
    list.push(("attention backward".into(), 4, backward));
    let [forward, backward] = attention(512, 64, 4);
    list.push(("attention 512x64".into(), 0, forward));
    list.push(("attention 512x64 backward".into(), 0, backward));
    list.push(("layer norm".into(), 9, layer_norm(1024, 256)));
    list.push(("layer norm backward".into(), 9, layer_norm_backward(1024, 256)));
    list.push(("layer norm columns".into(), 9, layer_norm_columns(1024, 256)));
    list.push(("adamw".into(), 1, adamw(3_716_096)));
    list
}

/// Best time of one launch in seconds.
fn time(spec: &KernelSpec, f: *const std::ffi::c_void, threads: usize) -> f64 {
    let mut rng = Rng(1);
    let buffers: Vec<Guarded> = spec
        .args()
        .iter()
        .map(|a| {
            let values: Vec<f64> = rng.values(a.dtype, a.elements).iter().map(|x| x * 0.1).collect();
            Guarded::of(a.dtype, &values)
        })
        .collect();
    let scratch: Vec<Guarded> =
        (0..threads).map(|_| Guarded::new(DType::Bool, spec.scratch_bytes() as usize)).collect();
    let words = |t: usize, lo: u64, hi: u64| {
        let mut words: Vec<usize> = buffers.iter().map(|g| g.ptr() as usize).collect();
        if spec.scratch_bytes() > 0 {
            words.push(scratch[t].ptr() as usize);
        }
        words.extend([lo as usize, hi as usize]);
        words
    };
    let n = spec.units();
    let pieces: Vec<Vec<usize>> =
        (0..threads).map(|t| words(t, n * t as u64 / threads as u64, n * (t as u64 + 1) / threads as u64)).collect();
    let (barrier, address, runs) = (SpinBarrier::new(threads), f as usize, 60);
    let best = std::sync::Mutex::new(f64::INFINITY);
    let set_up = Barrier::new(threads);
    std::thread::scope(|scope| {
        for (t, piece) in pieces.iter().enumerate() {
            let (barrier, best, set_up) = (&barrier, &best, &set_up);
            scope.spawn(move || {
                set_up.wait();
                for _ in 0..runs {
                    barrier.wait();
                    let (start, cpu) = (Instant::now(), cpu_seconds());
                    // SAFETY: the arguments are those of the spec.
                    unsafe { call(address as *const std::ffi::c_void, piece) };
                    barrier.wait();
                    if t == 0 {
                        let seconds = if threads == 1 { cpu_seconds() - cpu } else { start.elapsed().as_secs_f64() };
                        let mut best = best.lock().expect("no panics here");
                        *best = best.min(seconds);
                    }
                }
            });
        }
    });
    best.into_inner().expect("no panics here")
}

/// CPU time of this thread.
fn cpu_seconds() -> f64 {
    let mut t = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `t` is a valid place for the result.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut t) };
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}

/// Threads that wait here spin: a wake-up would be longer than most kernels.
struct SpinBarrier {
    arrived: std::sync::atomic::AtomicUsize,
    threads: usize,
}

impl SpinBarrier {
    fn new(threads: usize) -> SpinBarrier {
        SpinBarrier { arrived: std::sync::atomic::AtomicUsize::new(0), threads }
    }

    fn wait(&self) {
        use std::sync::atomic::Ordering::AcqRel;
        let ticket = self.arrived.fetch_add(1, AcqRel);
        let round = ticket / self.threads + 1;
        while self.arrived.load(std::sync::atomic::Ordering::Acquire) < round * self.threads {
            std::hint::spin_loop();
        }
    }
}

/// What each kernel costs to emit and to compile, in CPU time of one thread.
fn compile_times(kernels: &[(String, u32, KernelSpec)], target: Target) {
    use meshloom_llvm::CpuCompiler;
    let compiler = CpuCompiler::new(support::cpu(target)).expect("a compiler");
    let mut total = 0.0;
    for (name, _, spec) in kernels {
        let start = cpu_seconds();
        let text = meshloom_kernels::emit(spec, &target).expect("a valid kernel");
        let emitted = cpu_seconds();
        compiler.compile(name, &text).expect("a kernel that compiles");
        let [emit, compile] = [emitted - start, cpu_seconds() - emitted].map(|s| s * 1e3);
        total += emit + compile;
        println!("{name:28} {:6} lines  emit {emit:6.2} ms  compile {compile:7.2} ms", text.lines().count());
    }
    println!("{total:.1} ms for {} kernels", kernels.len());
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let threads = args.get(1).and_then(|t| t.parse().ok()).unwrap_or(1);
    let filter = args.get(2).cloned().unwrap_or_default();
    let target = support::targets().into_iter().next_back().unwrap_or(Target::V3);
    let target = if args.iter().any(|a| a == "--v3") { Target::V3 } else { target };
    let kernels: Vec<_> = kernels().into_iter().filter(|(name, ..)| name.contains(&filter)).collect();
    let specs: Vec<KernelSpec> = kernels.iter().map(|k| k.2.clone()).collect();
    if args.iter().any(|a| a == "--compile") {
        return compile_times(&kernels, target);
    }
    let start = Instant::now();
    let library = Library::new(&specs, target);
    println!(
        "{} kernels for {}, compiled in {:.0} ms; {threads} threads",
        specs.len(),
        target.cpu(),
        start.elapsed().as_secs_f64() * 1e3
    );
    let mut groups: std::collections::BTreeMap<&str, f64> = std::collections::BTreeMap::new();
    let mut total = 0.0;
    for ((name, times, spec), &f) in kernels.iter().zip(&library.functions) {
        let seconds = time(spec, f, threads);
        let step = seconds * 1e3 * f64::from(*times);
        *groups.entry(spec.kind()).or_default() += step;
        total += step;
        let (gf, gb) = (spec.flops() as f64 / seconds / 1e9, spec.bytes() as f64 / seconds / 1e9);
        println!("{name:28} {:9.1} us {gf:8.1} GF/s {gb:7.1} GB/s  x{times} = {step:6.2} ms", seconds * 1e6);
    }
    for (kind, ms) in groups {
        println!("{kind:20} {ms:6.2} ms");
    }
    println!("{:20} {total:6.2} ms", "in all");
}
