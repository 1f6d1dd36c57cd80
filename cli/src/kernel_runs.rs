//! `verify --kernels run`: runs each kernel of a bundle once on random values, and compares its results, element by element, with a
//! reference that computes in f64 ([`KernelSpec::reference`]). So it can test kernels that other tools compiled, whose bytes differ.
//!
//! It is a test and no proof. The tolerance is measured: the reference runs again on values that differ by a few units of f32's last
//! place, and the change of its results is the kernel's sensitivity. Where a kernel compares two close numbers, a few elements may come
//! out the other way.
//!
//! Not run: kernels whose reference would take too long, and those that read what another kernel has to write first.

use meshloom_bundle::LibraryContents;
use meshloom_kernels::reference::{Data, store};
use meshloom_kernels::{Arg, BufferRole, DType, KernelSpec};
use meshloom_runtime::device::call::call;
use meshloom_runtime::device::library::{Library, choose};
use meshloom_terminal::Result;
use std::collections::BTreeMap;

/// Work that the reference does in about a second: operations and bytes together.
const MOST_WORK: u64 = 100_000_000;
/// Bytes before and after each buffer that a kernel must leave alone.
const MARGIN: usize = 256;
const MARK: u8 = 0x7f;

/// The results of a library's kernels.
#[derive(Default)]
pub struct LibraryRun {
    pub agreed: usize,
    /// Kernels that did not run, since they are too large, or cannot run alone.
    pub left: usize,
    pub wrong: Vec<String>,
}

/// Runs the kernels of a library that this machine can run; `None` for any other library.
///
/// # Errors
/// A library that cannot be loaded.
pub fn library(l: &LibraryContents, kernels: &BTreeMap<String, KernelSpec>) -> Result<Option<LibraryRun>> {
    let alone = std::slice::from_ref(l);
    if choose(alone).is_err() {
        return Ok(None);
    }
    let library = Library::load(alone)?;
    let mut runs = LibraryRun::default();
    for (symbol, spec) in kernels {
        if !runs_alone(spec) {
            runs.left += 1;
            continue;
        }
        let address = library.kernel(symbol)?;
        // SAFETY: the bundle says that this is the kernel of the spec. If it is not, the process that does this may end: it is one of
        // its own.
        let kernel = |args: &[usize]| unsafe { call(address, args) };
        match compared(spec, &kernel) {
            Ok(()) => runs.agreed += 1,
            Err(e) => runs.wrong.push(format!("kernel `{symbol}`: {e}")),
        }
    }
    Ok(Some(runs))
}

fn runs_alone(spec: &KernelSpec) -> bool {
    let args = spec.args();
    // A buffer of unknown length holds what another kernel has written.
    args.iter().all(|a| a.elements > 0) && spec.flops().saturating_add(spec.bytes()) <= MOST_WORK
}

/// Runs a kernel and its reference.
///
/// # Errors
/// What is not as it should be.
fn compared(spec: &KernelSpec, kernel: &dyn Fn(&[usize])) -> std::result::Result<(), String> {
    let args = spec.args();
    let dims = vec![0; spec.dims() as usize];
    let mut random = Random(1);
    let values: Vec<Data> = args.iter().map(|a| random.values(a.dtype, a.elements)).collect();
    let reference = |mut data: Vec<Data>| {
        spec.reference(&mut data, &dims);
        data
    };
    let nearby = values.iter().zip(&args).map(|(v, a)| random.nearby(a.dtype, v)).collect();
    let (expected, other) = (reference(values.clone()), reference(nearby));

    let mut buffers: Vec<Buffer> = values.iter().zip(&args).map(|(v, a)| Buffer::of(a.dtype, v)).collect();
    let mut scratch = Buffer::of(DType::Bool, &vec![1.0; spec.scratch_bytes() as usize]);
    let mut words: Vec<usize> = buffers.iter_mut().map(Buffer::address).collect();
    if spec.scratch_bytes() > 0 {
        words.push(scratch.address());
    }
    words.extend([0, spec.units() as usize]);
    words.extend(dims.iter().map(|&d| d as usize));
    kernel(&words);

    for (k, (arg, buffer)) in args.iter().zip(&buffers).enumerate() {
        if !buffer.margins_left() {
            return Err(format!("writes beyond buffer `{}`", arg.name));
        }
        let got = buffer.values(arg.dtype);
        if arg.role == BufferRole::Read {
            let same = got.iter().zip(&values[k]).all(|(a, b)| a.to_bits() == b.to_bits());
            same.then_some(()).ok_or_else(|| format!("writes to buffer `{}`, which it may only read", arg.name))?;
        } else {
            close(arg, &got, &expected[k], &other[k])?;
        }
    }
    scratch.margins_left().then_some(()).ok_or_else(|| "writes beyond its scratch memory".into())
}

/// As close as the reference's own sensitivity asks for, apart from one element in a thousand.
fn close(arg: &Arg, got: &Data, want: &Data, nearby: &Data) -> std::result::Result<(), String> {
    let change = |(a, b): (&f64, &f64)| if (a - b).is_finite() { (a - b).abs() } else { 0.0 };
    let changes: Vec<f64> = want.iter().zip(nearby).map(change).collect();
    let typical = (changes.iter().map(|c| c * c).sum::<f64>() / changes.len().max(1) as f64).sqrt();
    let step = match arg.dtype {
        DType::BF16 => 2f64.powi(-7),
        DType::F16 => 2f64.powi(-10),
        DType::F8E4M3 => 2f64.powi(-3),
        DType::F8E5M2 => 2f64.powi(-2),
        _ => 0.0,
    };
    let far = |k: &usize| {
        let (g, w) = (got[*k], want[*k]);
        let allowed =
            16.0 * changes[*k].max(typical) + 64.0 * f64::from(f32::EPSILON) * w.abs().max(1.0) + step * w.abs();
        let exact = !arg.dtype.computed().is_float();
        let ok = g == w || g.is_nan() && w.is_nan() || if exact { changes[*k] > 0.0 } else { (g - w).abs() <= allowed };
        !ok
    };
    let wrong: Vec<usize> = (0..want.len()).filter(far).collect();
    match wrong.first() {
        Some(&k) if wrong.len() > want.len() / 1000 => {
            let (n, of) = (wrong.len(), want.len());
            Err(format!(
                "{n} of {of} elements of `{}` are not the reference's: [{k}] is {}, not {}",
                arg.name, got[k], want[k]
            ))
        }
        _ => Ok(()),
    }
}

/// Splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// In -1..1, in steps that f32 has.
    fn unit(&mut self) -> f64 {
        (self.next() >> 43) as f64 / f64::from(1 << 20) - 1.0
    }

    fn values(&mut self, dtype: DType, n: u64) -> Data {
        let one = |_| match dtype {
            DType::Bool => (self.next() & 1) as f64,
            d if d.computed().is_float() => store(d, self.unit()),
            // Small and not 0, since integers divide; what indexes with them clamps.
            _ => (self.next() % 7 + 1) as f64,
        };
        (0..n).map(one).collect()
    }

    /// The same values, where floats are off by some units of f32's last place.
    fn nearby(&mut self, dtype: DType, values: &Data) -> Data {
        let float = dtype.computed().is_float();
        values.iter().map(|&v| if float { v * (1.0 + self.unit() * 2f64.powi(-21)) } else { v }).collect()
    }
}

/// Memory of one argument, at a multiple of 64 bytes, between margins.
struct Buffer {
    // Lines of a cache, so that it begins at one.
    lines: Vec<[u64; 8]>,
    bytes: usize,
}

impl Buffer {
    fn of(dtype: DType, values: &Data) -> Buffer {
        let bytes = values.len() * dtype.bytes() as usize;
        let lines = vec![[u64::from_ne_bytes([MARK; 8]); 8]; (bytes + 2 * MARGIN).div_ceil(64) + 1];
        let mut buffer = Buffer { lines, bytes };
        let (size, start) = (dtype.bytes() as usize, buffer.start());
        let all = buffer.all_mut();
        for (k, &v) in values.iter().enumerate() {
            let at = start + k * size;
            all[at..at + size].copy_from_slice(&encoded(dtype, v)[..size]);
        }
        buffer
    }

    /// Where the argument begins, behind the margin.
    fn start(&self) -> usize {
        let misaligned = self.lines.as_ptr().addr() % 64;
        MARGIN + (64 - misaligned) % 64
    }

    fn address(&mut self) -> usize {
        let start = self.start();
        self.lines.as_mut_ptr().expose_provenance() + start
    }

    fn all(&self) -> &[u8] {
        // SAFETY: integers as the bytes that they are.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), 64 * self.lines.len()) }
    }

    fn all_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and any bytes are integers.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), 64 * self.lines.len()) }
    }

    fn margins_left(&self) -> bool {
        let (all, start) = (self.all(), self.start());
        all[..start].iter().chain(&all[start + self.bytes..]).all(|&b| b == MARK)
    }

    fn values(&self, dtype: DType) -> Data {
        let (size, start) = (dtype.bytes() as usize, self.start());
        self.all()[start..start + self.bytes].chunks_exact(size).map(|b| decoded(dtype, b)).collect()
    }
}

fn encoded(dtype: DType, v: f64) -> [u8; 8] {
    let bits = match dtype {
        DType::F64 => v.to_bits(),
        DType::F32 => u64::from((v as f32).to_bits()),
        DType::BF16 => u64::from(half::bf16::from_f64(v).to_bits()),
        DType::F16 => u64::from(half::f16::from_f64(v).to_bits()),
        DType::F8E4M3 | DType::F8E5M2 => {
            let same = |b: &u8| decoded(dtype, &[*b]).to_bits() == v.to_bits();
            u64::from((0..=u8::MAX).find(same).unwrap_or(0x7f))
        }
        _ => v as i64 as u64,
    };
    bits.to_le_bytes()
}

fn decoded(dtype: DType, bytes: &[u8]) -> f64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(all);
    match dtype {
        DType::F64 => f64::from_bits(bits),
        DType::F32 => f64::from(f32::from_bits(bits as u32)),
        DType::BF16 => half::bf16::from_bits(bits as u16).to_f64(),
        DType::F16 => half::f16::from_bits(bits as u16).to_f64(),
        DType::F8E5M2 => half::f16::from_bits((bits as u16) << 8).to_f64(),
        DType::F8E4M3 => e4m3(bits as u8),
        DType::I32 => f64::from(bits as i32),
        DType::I64 => bits as i64 as f64,
        DType::U32 => bits as u32 as f64,
        DType::I8 => bits as i8 as f64,
        DType::U8 | DType::Bool => bits as u8 as f64,
    }
}

/// Micikevicius et al., FP8 formats for deep learning (2022), section 3.
fn e4m3(bits: u8) -> f64 {
    let (exponent, mantissa) = (i32::from(bits >> 3 & 15), f64::from(bits & 7));
    let size = match (exponent, bits & 7) {
        (15, 7) => f64::NAN,
        (0, _) => mantissa * 2f64.powi(-9),
        _ => (1.0 + mantissa / 8.0) * 2f64.powi(exponent - 7),
    };
    if bits & 0x80 == 0 { size } else { -size }
}
