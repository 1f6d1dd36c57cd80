//! The programs of `tests/data/stablehlo/ops`, one for each form of an op, with JAX's outputs. `expected.py` there says how a file is
//! written and how inputs are made; this is the same in Rust.
#![allow(dead_code)]

use meshloom_ir::{DType, Func, Mesh, Tensor};
use meshloom_source::FrontOptions;
use meshloom_source::diagnostic::{Style, render_all};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A program for one form of an op.
pub struct Form {
    pub name: String,
    pub text: String,
    /// By argument: least value, and what is above all; whether no value comes twice.
    ranges: BTreeMap<String, (i64, i64, bool)>,
    /// JAX's outputs, flat.
    pub expected: Vec<Vec<f64>>,
}

fn dir() -> PathBuf {
    // The driver's tests have this module too, from a folder beside this crate's.
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/stablehlo/ops")
}

/// All forms, by the files they stand in.
pub fn files() -> Vec<(String, Vec<Form>)> {
    let mut names: Vec<String> = (std::fs::read_dir(dir()).unwrap())
        .filter_map(|e| e.unwrap().file_name().to_str()?.strip_suffix(".mlir").map(str::to_string))
        .collect();
    names.sort();
    names.into_iter().map(|n| (n.clone(), file(&n))).collect()
}

pub fn file(name: &str) -> Vec<Form> {
    let text = std::fs::read_to_string(dir().join(format!("{name}.mlir"))).unwrap();
    let table = std::fs::read_to_string(dir().join(format!("expected/{name}.json")));
    let table: Value = serde_json::from_str(&table.expect("a table made by expected.py")).unwrap();
    text.split("// -----\n").flat_map(|part| section(part, &table)).collect()
}

/// The forms of a part of a file: one for each choice of its words.
fn section(part: &str, table: &Value) -> Vec<Form> {
    let mut header = part.lines().filter_map(|l| l.strip_prefix("// "));
    let Some(first) = header.next() else { return Vec::new() };
    let (name, choices) = first.split_once(':').unwrap_or((first, ""));
    let ranges = header.filter_map(range).collect::<BTreeMap<_, _>>();
    let mut made = vec![(name.trim().to_string(), part.to_string())];
    for (key, words) in choices.split(';').filter_map(|c| c.split_once('=')) {
        let key = format!("${}", key.trim());
        let with = |(name, text): &(String, String), word: &str| (format!("{name}.{word}"), text.replace(&key, word));
        made = made.iter().flat_map(|m| words.split_whitespace().map(move |w| with(m, w))).collect();
    }
    let form = |(name, text): (String, String)| {
        let expected = table.get(&name).and_then(Value::as_array);
        let expected = expected.unwrap_or_else(|| panic!("`{name}` is not in the table; run expected.py"));
        let number = |x: &Value| match x {
            Value::String(s) => s.parse().unwrap(),
            other => other.as_f64().unwrap(),
        };
        let expected = expected.iter().map(|o| o.as_array().unwrap().iter().map(number).collect()).collect();
        Form { name, text, ranges: ranges.clone(), expected }
    };
    made.into_iter().map(form).collect()
}

/// `%y: 1..4 distinct`
fn range(line: &str) -> Option<(String, (i64, i64, bool))> {
    let (name, rest) = line.strip_prefix('%')?.split_once(": ")?;
    let (range, distinct) = rest.strip_suffix(" distinct").map_or((rest, false), |r| (r, true));
    let (lo, hi) = range.split_once("..")?;
    Some((name.to_string(), (lo.parse().ok()?, hi.parse().ok()?, distinct)))
}

fn fnv1a64(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |h, c| (h ^ u64::from(c)).wrapping_mul(0x100_0000_01B3))
}

fn splitmix64(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A number as one of a type that is held in a wider one: the nearest, in the middle the even one of `f4E2M1FN` and the larger one of
/// `f8E8M0FNU`.
fn held(element: &str, x: f64) -> f64 {
    match element {
        "f4E2M1FN" => {
            let step = [(2.0, 0.5), (4.0, 1.0)].into_iter().find(|s| x.abs() < s.0).map_or(2.0, |s| s.1);
            ((x / step).round_ties_even() * step).clamp(-6.0, 6.0)
        }
        "f8E8M0FNU" if x <= 0.0 => f64::NAN,
        "f8E8M0FNU" => (-127..=127).map(|e| 2f64.powi(e)).rfind(|p| *p <= x * 4.0 / 3.0).unwrap_or(f64::NAN),
        _ => x,
    }
}

impl Form {
    /// The program for a mesh, without any sharding.
    ///
    /// # Errors
    /// It cannot be imported.
    pub fn func(&self, mesh: &[(&str, u64)]) -> Result<Func, String> {
        let mesh = Some(mesh.iter().map(|(n, s)| (n.to_string(), *s)).collect());
        let out =
            meshloom_stablehlo::compile(&self.name, &self.text, &FrontOptions { mesh, ..FrontOptions::default() });
        let Some(made) = out.elaborated else {
            return Err(render_all(&out.diagnostics, &out.sources, Style::Plain));
        };
        let func = made.entries.into_iter().next().ok_or("no entry")?.func;
        meshloom_ir::verify::verify(&func).map_err(|e| format!("{e:?}"))?;
        Ok(func)
    }

    /// Its inputs.
    pub fn inputs(&self, func: &Func) -> Vec<Tensor> {
        let seed = fnv1a64(&self.name);
        let of = |(a, port): (usize, &meshloom_ir::Port)| {
            let ty = func.ty(func.body().args[a]);
            let xs: Vec<u64> =
                (0..ty.elements()).map(|e| splitmix64(seed.wrapping_add((a as u64) << 32).wrapping_add(e))).collect();
            let usual = match ty.dtype {
                d if d.is_float() => (-2, 2, false),
                _ if self.is_unsigned(&port.name) => (0, 16, false),
                _ => (-8, 8, false),
            };
            let (lo, hi, distinct) = self.ranges.get(&port.name).copied().unwrap_or(usual);
            let mut sorted = xs.clone();
            sorted.sort_unstable();
            let place = |x: u64| sorted.binary_search(&x).unwrap() as i64;
            let n = (hi - lo) as u64;
            if ty.dtype.is_float() {
                let steps = |x: u64| if distinct { place(x) as f64 / 2.0 } else { (x % (16 * n)) as f64 / 16.0 };
                let element = self.element(&port.name);
                Tensor::floats(ty.dtype, &ty.shape, xs.iter().map(|&x| held(element, lo as f64 + steps(x))).collect())
            } else {
                let value = |&x: &u64| match ty.dtype {
                    DType::Bool => (x % 2) as i64,
                    _ if distinct => lo + place(x),
                    _ => lo + (x % n) as i64,
                };
                Tensor::ints(ty.dtype, &ty.shape, xs.iter().map(value).collect())
            }
        };
        func.inputs.iter().enumerate().map(of).collect()
    }

    /// Whether an argument is written with an unsigned type, which may be held in a signed one.
    fn is_unsigned(&self, name: &str) -> bool {
        self.element(name).starts_with("ui")
    }

    /// The element type of an argument as it is written.
    fn element(&self, name: &str) -> &str {
        let ty = self.text.split(&format!("%{name}: tensor<")).nth(1).and_then(|t| t.split('>').next());
        ty.and_then(|t| t.rsplit('x').next()).unwrap_or_default()
    }

    /// Holds outputs against JAX's: integers exactly, floats as far as their type goes.
    ///
    /// # Errors
    /// The first element that differs.
    pub fn agrees(&self, func: &Func, got: &[Vec<f64>]) -> Result<(), String> {
        if got.len() != self.expected.len() {
            return Err(format!("{} outputs, JAX has {}", got.len(), self.expected.len()));
        }
        for (k, (got, want)) in got.iter().zip(&self.expected).enumerate() {
            let dtype = func.ty(func.body().yields[k]).dtype;
            if got.len() != want.len() {
                return Err(format!("{} elements of output {k}, JAX has {}", got.len(), want.len()));
            }
            // Terms of a transform cancel, and are added in another order; rotations mix all numbers of a matrix.
            let mixed =
                ["stablehlo.fft", "syevd_ffi", "heevd_ffi", "gesdd_ffi"].iter().any(|op| self.text.contains(op));
            let sums = dtype.is_float() && mixed;
            let least = want.iter().filter(|w| sums && w.is_finite()).fold(0.1, |least, w| w.abs().max(least));
            for (e, (&g, &w)) in got.iter().zip(want).enumerate() {
                // A `ui64` is held as an i64; numbers of that size are a few units apart as floats.
                let large = dtype == DType::I64 && w >= 2f64.powi(63);
                if large && ((g as i64 as u64) as f64 - w).abs() <= 4096.0 {
                    continue;
                }
                let off = if g == w || g.is_nan() && w.is_nan() { 0.0 } else { (g - w).abs() / w.abs().max(least) };
                // A NaN is no small difference.
                if off.is_nan() || off > tolerance(dtype) {
                    return Err(format!("element {e} of output {k} is {g}, JAX has {w}"));
                }
            }
        }
        Ok(())
    }

    /// The op that the form is of: the first that is not there to feed it.
    pub fn op(&self) -> String {
        let ops = words(&self.text);
        let feeds =
            ["stablehlo.constant", "stablehlo.convert", "stablehlo.iota", "stablehlo.floor", "stablehlo.return"];
        let first = ops.iter().find(|o| !feeds.contains(&o.as_str()));
        let first = first.or(ops.first()).cloned().unwrap_or_default();
        // What is called is another op by each name.
        let target = self.text.split("stablehlo.custom_call @").nth(1).and_then(|t| t.split('(').next());
        target.filter(|_| first == "stablehlo.custom_call").map_or(first, str::to_string)
    }
}

/// Names of ops in a text.
pub fn words(text: &str) -> Vec<String> {
    let code = text.lines().filter(|l| !l.trim_start().starts_with("//"));
    let parts = code.flat_map(|l| l.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.' || c == '_')));
    parts.filter(|w| ["stablehlo.", "chlo.", "sdy."].iter().any(|d| w.starts_with(d))).map(str::to_string).collect()
}

fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 => 1e-11,
        DType::F32 => 1e-5,
        d if d.is_float() => 0.02,
        _ => 0.0,
    }
}

/// The numbers of a tensor.
pub fn values(t: &Tensor) -> Vec<f64> {
    (0..t.len()).map(|i| if t.ty.dtype.is_float() { t.f(i) } else { t.i(i) as f64 }).collect()
}

/// A program with its ports in `layouts` of a mesh, the `k`th of each; not all in step, so that tensors meet in different layouts too.
pub fn laid_out(func: &Func, mesh: &Mesh, k: usize) -> Func {
    let mut f = func.clone();
    let types: Vec<usize> = f.body().args.iter().chain(&f.body().yields).map(|&v| f.ty(v).rank()).collect();
    for (i, port) in f.inputs.iter_mut().chain(&mut f.outputs).enumerate() {
        let mut ways = meshloom_random::layouts(types[i], mesh);
        // The parts of a complex number stay together.
        ways.retain(|l| !port.complex || l.dims.last().is_some_and(Vec::is_empty));
        port.constraint = meshloom_ir::layout::Constraint::exactly(&ways[(k + 3 * i) % ways.len()]);
    }
    f
}

/// How many layouts there are of the port that has most.
pub fn ways(func: &Func, mesh: &Mesh) -> usize {
    let ports = func.body().args.iter().chain(&func.body().yields);
    ports.map(|&v| meshloom_random::layouts(func.ty(v).rank(), mesh).len()).max().unwrap_or(1)
}
