//! Runs kernels for the tests: compiles specs through the real code generator, calls them, and holds them against the reference.
//!
//! Every buffer ends at a page that cannot be read, so a vector that reaches one element too far ends the test; everything a kernel
//! has no business writing is compared too.

pub mod carry;
pub mod gpu;
pub mod ptx;

use meshloom_codegen::link::link_shared;
use meshloom_codegen::target::CpuTarget;
use meshloom_kernels::reference::store;
use meshloom_kernels::{BufferRole, DType, GpuArch, KernelSpec, Target};
use meshloom_llvm::compile_all;
use std::ffi::c_void;

/// A generator of test data: splitmix64.
pub struct Rng(pub u64);

#[allow(dead_code)]
impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n.max(1)
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u64) as usize]
    }

    pub fn flip(&mut self) -> bool {
        self.next() & 1 == 1
    }

    /// In -1..1, with 20 bits: exact in f32.
    pub fn unit(&mut self) -> f64 {
        (self.below(1 << 21) as f64 - (1 << 20) as f64) / (1 << 20) as f64
    }

    pub fn values(&mut self, dtype: DType, n: u64) -> Vec<f64> {
        (0..n)
            .map(|_| match dtype {
                DType::F32 | DType::F64 => self.unit(),
                // Values that are there in these types.
                DType::BF16 | DType::F16 | DType::F8E4M3 | DType::F8E5M2 => store(dtype, self.unit()),
                DType::I32 | DType::I64 => self.below(9) as f64 - 4.0,
                DType::I8 | DType::U8 | DType::U32 => self.below(9) as f64,
                DType::Bool => self.below(2) as f64,
            })
            .collect()
    }
}

/// A float of 8 bits, by the definition: sign, exponent, mantissa.
pub fn of_bits(dtype: DType, bits: u8) -> f64 {
    let (mantissa, bias) = if dtype == DType::F8E4M3 { (3, 7) } else { (2, 15) };
    let (exponent, rest) = (i32::from((bits & 0x7f) >> mantissa), f64::from(bits & ((1 << mantissa) - 1)));
    let size = match bits & 0x7f {
        0x7f => f64::NAN,
        0x7c if mantissa == 2 => f64::INFINITY,
        0x7d..=0x7e if mantissa == 2 => f64::NAN,
        _ if exponent == 0 => rest * f64::powi(2.0, 1 - bias - mantissa),
        _ => (1.0 + rest * f64::powi(2.0, -mantissa)) * f64::powi(2.0, exponent - bias),
    };
    if bits & 0x80 == 0 { size } else { -size }
}

/// The bits of a number that there is in a type.
fn bits_of(dtype: DType, x: f64) -> u8 {
    let same = |b: &u8| of_bits(dtype, *b).to_bits() == x.to_bits();
    (0..=u8::MAX).find(same).unwrap_or(0x7f)
}

/// Memory whose last byte is followed by a page that cannot be touched.
pub struct Guarded {
    map: *mut u8,
    mapped: usize,
    bytes: usize,
    dtype: DType,
}

const PAGE: usize = 4096;

impl Guarded {
    pub fn new(dtype: DType, elements: usize) -> Guarded {
        let bytes = elements * dtype.bytes() as usize;
        let mapped = bytes.div_ceil(PAGE) * PAGE + PAGE;
        let (rw, private) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh private mapping; the last page of it is then closed.
        let map = unsafe { libc::mmap(std::ptr::null_mut(), mapped, rw, private, -1, 0) }.cast::<u8>();
        assert!(map as isize != -1, "mmap");
        // SAFETY: the page lies within the mapping.
        assert_eq!(unsafe { libc::mprotect(map.add(mapped - PAGE).cast::<c_void>(), PAGE, libc::PROT_NONE) }, 0);
        Guarded { map, mapped, bytes, dtype }
    }

    pub fn ptr(&self) -> *mut u8 {
        // SAFETY: `bytes` end where the guard page begins.
        unsafe { self.map.add(self.mapped - PAGE - self.bytes) }
    }

    pub fn of(dtype: DType, values: &[f64]) -> Guarded {
        let g = Guarded::new(dtype, values.len());
        for (i, &v) in values.iter().enumerate() {
            // SAFETY: within `bytes`, and writes of any alignment.
            unsafe {
                match dtype {
                    DType::F32 => g.ptr().cast::<f32>().add(i).write_unaligned(v as f32),
                    DType::F64 => g.ptr().cast::<f64>().add(i).write_unaligned(v),
                    DType::I32 => g.ptr().cast::<i32>().add(i).write_unaligned(v as i32),
                    DType::I64 => g.ptr().cast::<i64>().add(i).write_unaligned(v as i64),
                    DType::U32 => g.ptr().cast::<u32>().add(i).write_unaligned(v as u32),
                    DType::Bool | DType::U8 => g.ptr().add(i).write(v as u8),
                    DType::I8 => g.ptr().add(i).write(v as i8 as u8),
                    DType::BF16 => g.ptr().cast::<u16>().add(i).write_unaligned(half::bf16::from_f64(v).to_bits()),
                    DType::F16 => g.ptr().cast::<u16>().add(i).write_unaligned(half::f16::from_f64(v).to_bits()),
                    DType::F8E4M3 | DType::F8E5M2 => g.ptr().add(i).write(bits_of(dtype, v)),
                }
            }
        }
        g
    }

    pub fn values(&self) -> Vec<f64> {
        let read = |i: usize| {
            // SAFETY: within `bytes`.
            unsafe {
                match self.dtype {
                    DType::F32 => f64::from(self.ptr().cast::<f32>().add(i).read_unaligned()),
                    DType::F64 => self.ptr().cast::<f64>().add(i).read_unaligned(),
                    DType::I32 => f64::from(self.ptr().cast::<i32>().add(i).read_unaligned()),
                    DType::I64 => self.ptr().cast::<i64>().add(i).read_unaligned() as f64,
                    DType::U32 => f64::from(self.ptr().cast::<u32>().add(i).read_unaligned()),
                    DType::Bool | DType::U8 => f64::from(self.ptr().add(i).read()),
                    DType::I8 => f64::from(self.ptr().add(i).read() as i8),
                    DType::BF16 => half::bf16::from_bits(self.ptr().cast::<u16>().add(i).read_unaligned()).to_f64(),
                    DType::F16 => half::f16::from_bits(self.ptr().cast::<u16>().add(i).read_unaligned()).to_f64(),
                    DType::F8E4M3 | DType::F8E5M2 => of_bits(self.dtype, self.ptr().add(i).read()),
                }
            }
        };
        (0..self.bytes / self.dtype.bytes() as usize).map(read).collect()
    }

    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `bytes` are initialised: fresh mappings are zero.
        unsafe { std::slice::from_raw_parts(self.ptr(), self.bytes) }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours.
        unsafe { libc::munmap(self.map.cast::<c_void>(), self.mapped) };
    }
}

/// Calls a kernel with machine-word arguments.
///
/// # Safety
/// `f` takes exactly these arguments.
pub unsafe fn call(f: *const c_void, v: &[usize]) {
    macro_rules! word {
        ($i:tt) => {
            usize
        };
    }
    macro_rules! arities {
        ($([$($i:tt)*])*) => {
            match v.len() {
                $(n if n == [$($i),*].len() => {
                    // SAFETY: the caller's promise.
                    let g: unsafe extern "C" fn($(word!($i)),*) = unsafe { std::mem::transmute(f) };
                    unsafe { g($(v[$i]),*) }
                })*
                n => panic!("{n} arguments"),
            }
        };
    }
    arities! {
        [0 1 2]
        [0 1 2 3]
        [0 1 2 3 4]
        [0 1 2 3 4 5]
        [0 1 2 3 4 5 6]
        [0 1 2 3 4 5 6 7]
        [0 1 2 3 4 5 6 7 8]
        [0 1 2 3 4 5 6 7 8 9]
        [0 1 2 3 4 5 6 7 8 9 10]
        [0 1 2 3 4 5 6 7 8 9 10 11]
        [0 1 2 3 4 5 6 7 8 9 10 11 12]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24]
        [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25]
    }
}

/// Compiled kernels, in the order of the specs.
pub struct Library {
    pub functions: Vec<*const c_void>,
    _library: libloading::Library,
}

pub fn cpu(target: Target) -> CpuTarget {
    if target == Target::V3 { CpuTarget::X86_64V3 } else { CpuTarget::X86_64V4 }
}

/// The levels that this machine can run.
#[allow(dead_code)]
pub fn targets() -> Vec<Target> {
    let v4 = ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"];
    let has = |f: &str| std::fs::read_to_string("/proc/cpuinfo").is_ok_and(|t| t.contains(f));
    let mut found = Vec::new();
    if has("avx2") && has("fma") {
        found.push(Target::V3);
    }
    if v4.iter().all(|f| has(f)) {
        found.push(Target::V4);
    }
    assert!(!found.is_empty(), "the tests of kernels need a CPU with AVX2 and FMA");
    found
}

impl Library {
    pub fn new(specs: &[KernelSpec], target: Target) -> Library {
        let mut texts: Vec<(String, String)> = Vec::new();
        for s in specs {
            let text = meshloom_kernels::emit(s, &target).unwrap_or_else(|e| panic!("{e}\n{s}"));
            if !texts.iter().any(|(name, _)| *name == s.symbol()) {
                texts.push((s.symbol(), text));
            }
        }
        if let Ok(folder) = std::env::var("KERNEL_TEXTS") {
            for (name, text) in &texts {
                std::fs::write(format!("{folder}/{name}.mlir"), text).expect("a folder for the kernels' texts");
            }
        }
        let kernels: Vec<(&str, &str)> = texts.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let compiled = compile_all(&kernels, cpu(target), threads).into_iter().zip(&texts);
        let objects: Vec<Vec<u8>> = compiled.map(|(o, (n, t))| o.unwrap_or_else(|e| panic!("{n}: {e}\n{t}"))).collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("kernels.so");
        link_shared(&objects, &path).expect("kernels link");
        // SAFETY: kernels have no initialisers.
        let library = unsafe { libloading::Library::new(&path) }.expect("kernels load");
        let find = |s: &KernelSpec| {
            // SAFETY: only the address is taken, and it lives as long as the library.
            unsafe { *library.get::<*const c_void>(s.symbol().as_bytes()).expect("the kernel's symbol") }
        };
        let functions = specs.iter().map(find).collect();
        Library { functions, _library: library }
    }
}

/// A kernel, its arguments, and how close it has to come.
#[derive(Clone)]
pub struct Case {
    pub spec: KernelSpec,
    pub buffers: Vec<Vec<f64>>,
    pub dims: Vec<i64>,
    /// Largest error, relative to 1 or to the value, in units of the dtype's precision.
    pub ulps: f64,
}

impl Case {
    /// Random contents for every buffer, a little longer than the kernel may touch.
    #[allow(dead_code)]
    pub fn random(spec: KernelSpec, rng: &mut Rng, dims: &[i64], ulps: f64) -> Case {
        let start = spec.body().map_or(0, |b| {
            let starts = b.accesses().filter_map(|a| a.start.map(|s| s.stride * dims[s.dim as usize]));
            starts.max().unwrap_or(0).max(0)
        });
        let fill = |a: &meshloom_kernels::Arg| {
            let slack = if a.role == BufferRole::Read { 0 } else { 3 };
            rng.values(a.dtype, a.elements + start as u64 + slack)
        };
        let buffers = spec.args().iter().map(fill).collect();
        Case { spec, buffers, dims: dims.to_vec(), ulps }
    }

    pub fn run(&self, f: *const c_void, pieces: &[(u64, u64)]) -> Vec<Guarded> {
        self.run_over(f, pieces, &[])
    }

    /// The same, where the first buffer of each pair lies over the second.
    pub fn run_over(&self, f: *const c_void, pieces: &[(u64, u64)], over: &[(usize, usize)]) -> Vec<Guarded> {
        let args = self.spec.args();
        let buffers: Vec<Guarded> = self.buffers.iter().zip(&args).map(|(v, a)| Guarded::of(a.dtype, v)).collect();
        let scratch = Guarded::new(DType::Bool, self.spec.scratch_bytes() as usize);
        for &(lo, hi) in pieces {
            let mut words: Vec<usize> = buffers.iter().map(|g| g.ptr() as usize).collect();
            over.iter().for_each(|&(new, old)| words[new] = words[old]);
            if self.spec.scratch_bytes() > 0 {
                // What other launches left there must not matter.
                // SAFETY: the scratch is as long as the spec says.
                unsafe { std::ptr::write_bytes(scratch.ptr(), 0x7f, self.spec.scratch_bytes() as usize) };
                words.push(scratch.ptr() as usize);
            }
            words.extend([lo as usize, hi as usize]);
            words.extend(self.dims.iter().map(|d| *d as usize));
            // SAFETY: the arguments are those of the spec.
            unsafe { call(f, &words) };
        }
        buffers
    }
}

/// What the reference makes of each case's buffers.
#[allow(dead_code)]
pub fn expected(cases: &[Case]) -> Vec<Vec<Vec<f64>>> {
    let one = |c: &Case| {
        let mut buffers = c.buffers.clone();
        c.spec.reference(&mut buffers, &c.dims);
        buffers
    };
    cases.iter().map(one).collect()
}

/// Compiles the cases for every target, runs them whole and in pieces, and compares.
#[allow(dead_code)]
pub fn check(cases: &[Case]) {
    let expected = expected(cases);
    if carry::carry(cases, &expected) {
        return;
    }
    let specs: Vec<KernelSpec> = cases.iter().map(|c| c.spec.clone()).collect();
    for target in targets() {
        let library = Library::new(&specs, target);
        for ((case, expected), &f) in cases.iter().zip(&expected).zip(&library.functions) {
            compare(case, expected, f, target);
        }
    }
    let attention = |c: &&Case| matches!(c.spec, KernelSpec::Attention(_) | KernelSpec::AttentionBackward(_));
    // Tests of their own have those.
    if !cases.iter().any(|c| attention(&c)) {
        gpu::check(cases, &expected, GpuArch::Sm80);
    }
}

/// As [`check`], two of every three cases, each for one target in turns: for long lists of large kernels, whose compilation is what
/// takes time. `MESHLOOM_LEVELS=all` takes all cases, and all targets for each.
#[allow(dead_code)]
pub fn check_in_turns(cases: &[Case]) {
    let targets = targets();
    if std::env::var("MESHLOOM_LEVELS").is_ok_and(|l| l == "all") {
        return check(cases);
    }
    // Neighbours differ in one thing, so that what is left out shifts along the list.
    let cases: Vec<Case> =
        cases.iter().enumerate().filter(|(i, _)| (i + i / 3) % 3 != 2).map(|(_, c)| c.clone()).collect();
    let cases = &cases[..];
    let expected = expected(cases);
    if carry::carry(cases, &expected) {
        return;
    }
    for (t, &target) in targets.iter().enumerate() {
        // Neighbours differ in one thing, so that the turn changes after an odd number of cases too.
        let turns: Vec<usize> = (0..cases.len()).filter(|i| (i + i / 5) % targets.len() == t).collect();
        let specs: Vec<KernelSpec> = turns.iter().map(|&i| cases[i].spec.clone()).collect();
        let library = Library::new(&specs, target);
        for (&i, &f) in turns.iter().zip(&library.functions) {
            compare(&cases[i], &expected[i], f, target);
        }
    }
    let attention = |c: &Case| matches!(c.spec, KernelSpec::Attention(_) | KernelSpec::AttentionBackward(_));
    assert!(cases.iter().all(attention), "other kernels are run as a GPU would run them too");
}

fn compare(case: &Case, expected: &[Vec<f64>], f: *const c_void, target: Target) {
    let n = case.spec.units();
    let whole = case.run(f, &[(0, n)]);
    compare_values(case, &whole, expected, &format!("{target:?}"));
    if n > 1 {
        let cuts = [0, 1, n / 3, n / 2 + 1, n - 1, n];
        let mut sorted = cuts.to_vec();
        sorted.sort_unstable();
        let mut pieces: Vec<(u64, u64)> = sorted.windows(2).map(|w| (w[0], w[1])).collect();
        pieces.reverse();
        let split = case.run(f, &pieces);
        for (i, (a, b)) in whole.iter().zip(&split).enumerate() {
            assert!(a.bytes() == b.bytes(), "{target:?}: buffer {i} depends on how the units are split\n{}", case.spec);
        }
    }
    let nothing = case.run(f, &[(0, 0), (n, n)]);
    for (i, (got, before)) in nothing.iter().zip(&case.buffers).enumerate() {
        let before = Guarded::of(case.spec.args()[i].dtype, before);
        assert!(got.bytes() == before.bytes(), "{target:?}: an empty range writes buffer {i}\n{}", case.spec);
    }
}

/// What [`Case::ulps`] counts, and by how much of itself a result may be off besides.
fn precision(spec: &KernelSpec, dtype: DType) -> (f64, f64) {
    let attention = matches!(spec, KernelSpec::Attention(_));
    let ulp = match dtype {
        DType::F32 => f64::from(f32::EPSILON),
        DType::F64 => f64::EPSILON,
        DType::BF16 | DType::F16 => f64::from(f32::EPSILON),
        // Near 0, neighbours of e4m3 are 2^-9 apart, which 64 of these are.
        DType::F8E4M3 | DType::F8E5M2 if attention => 1.0 / f64::from(1 << 15),
        _ => 0.0,
    };
    // What comes close to the middle of two 16-bit numbers may be rounded to either.
    let step = match dtype {
        DType::BF16 => f64::from(half::bf16::EPSILON),
        DType::F16 => f64::from(half::f16::EPSILON),
        DType::F8E4M3 if attention => 0.125,
        DType::F8E5M2 if attention => 0.25,
        _ => 0.0,
    };
    (ulp, step)
}

/// As close as the case says; `who` is for messages.
fn compare_values(case: &Case, got: &[Guarded], expected: &[Vec<f64>], who: &str) {
    for (i, (got, want)) in got.iter().zip(expected).enumerate() {
        let (ulp, step) = precision(&case.spec, case.spec.args()[i].dtype);
        for (at, (g, w)) in got.values().iter().zip(want).enumerate() {
            let ok = g == w
                || (g.is_nan() && w.is_nan())
                || (g - w).abs() <= case.ulps * ulp * w.abs().max(1.0) + step * w.abs();
            assert!(ok, "{who}: buffer {i}[{at}] is {g}, not {w}\n{}", case.spec);
        }
    }
}
