//! `meshloom-run kernels`: runs the kernels' tests on a machine that has a device and no compiler. It is not for
//! users, and not in the help.
//!
//! A pack is a bundle whose only entry launches kernels one after the other, with a `.safetensors` file of the same
//! name beside it. The file has the memory before the run, the results that are expected, and as metadata ([`Carried`])
//! where they lie. The kernels' tests write packs (`kernels/tests/it/support/carry.rs`). Each pack runs twice, the second
//! time as a captured step if the device can capture. Results must be as close as the tests ask for, both runs must
//! give the same bits, and no other memory may have changed. `--launch N` runs one of a pack's launches alone, for those that stop the
//! device, and `--list` says which there are.
//!
//! A pack for CPUs runs on the simulated device, which follows the same rules.

use crate::{Failed, Result, status};
use meshloom_bundle::{Bundle, DType, Program};
use meshloom_runtime::device::gpu::{self, GpuMachine, simulated::Simulated};
use meshloom_runtime::file::DataFile;
use meshloom_runtime::{ErrorKind, HostTensor};
use safetensors::SafeTensors;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The key of [`Carried`] in a pack's metadata.
pub const METADATA: &str = "meshloom.kernels";

/// The most differences of one kernel that are reported.
const TOLD: usize = 3;

/// What a pack's program launches, in its order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Carried {
    pub launched: Vec<Launched>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launched {
    /// The kernel's symbol, and the text of its specification.
    pub kernel: String,
    pub spec: String,
    /// Where its last buffer ends in memory; those of the next one come after it.
    pub end: u64,
    pub results: Vec<WrittenBuffer>,
}

/// A buffer that a kernel writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenBuffer {
    pub argument: String,
    /// Bytes from the start of memory.
    pub offset: u64,
    /// Kernels' name of it: floats of 8 bits have one, which they have not in bundles.
    pub dtype: String,
    pub elements: u64,
    /// How far an element may be off `x`: by `scaled * max(1, |x|) + relative * |x|`.
    pub scaled: f64,
    pub relative: f64,
}

/// Prints what each pack launches: a line of JSON for a launch.
///
/// # Errors
/// Exit code 1 where a pack is damaged.
pub fn list(paths: &[PathBuf]) -> Result<()> {
    for path in paths {
        for file in bundles(path)? {
            for (n, launched) in Pack::read(&file)?.launched.iter().enumerate() {
                let line = serde_json::json!({ "pack": file, "launch": n, "kernel": launched.kernel });
                status::data(&format!("{line}\n"));
            }
        }
    }
    Ok(())
}

/// Runs packs and compares: files, or folders of them. With `alone`, only the launch of that number of each pack.
///
/// # Errors
/// Exit code 1 where a result differs or a pack is damaged, 2 where the device is missing, 3 where it fails.
pub fn check(paths: &[PathBuf], alone: Option<usize>) -> Result<()> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(bundles(path)?);
    }
    let (mut kernels, mut wrong) = (0, 0);
    for file in &files {
        let mut pack = Pack::read(file)?;
        if let Some(n) = alone {
            pack.keep(n).map_err(|why| Failed::usage(format!("{}: {why}", file.display())))?;
        }
        let (launched, told) = pack.run().map_err(|e| in_file(file, &e))?;
        for line in &told {
            status::data(&format!("{}: {line}\n", file.display()));
        }
        kernels += launched;
        wrong += told.len();
    }
    let packs = status::count(files.len() as u64, "pack");
    match wrong {
        0 => status::data(&format!("{}: all equal ({packs})\n", status::count(kernels as u64, "kernel"))),
        _ => {
            let message = format!("{wrong} of {}: not equal ({packs})", status::count(kernels as u64, "kernel"));
            return Err(Failed::rejected(message));
        }
    }
    Ok(())
}

/// The device's errors keep their exit codes and what helps against them; others are of the pack.
fn in_file(file: &Path, e: &meshloom_runtime::RuntimeError) -> Failed {
    match e.kind {
        ErrorKind::Rank => Failed::new(e.exit_code(), format!("{}: {e}", file.display())),
        _ => Failed::from(e.clone()),
    }
}

/// Runs a pack's program on another device: from the memory before the run to the memory after it, or an error that says why it
/// cannot.
pub type OtherDevice<'d> = dyn FnMut(&Bundle, &[u8]) -> Result<Vec<u8>, String> + 'd;

/// Runs a pack, given as the contents of its two files, on a device that is not one of this machine, and compares the results as
/// [`check`] does.
///
/// # Errors
/// A damaged pack, what the device says, and the kernels with other results.
pub fn check_on(bundle: &[u8], data: &[u8], device: &mut OtherDevice<'_>) -> Result<(), String> {
    let pack = Pack::of(Bundle::read(bundle).map_err(|e| e.to_string())?, data)?;
    let after = device(&pack.bundle, &pack.memory)?;
    let told = pack.compare(&after, &after);
    if told.is_empty() { Ok(()) } else { Err(told.join("\n")) }
}

fn bundles(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let unreadable = |e| Failed::usage(format!("{}: cannot be read: {e}", path.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|e| e == "loomx") {
            found.push(file);
        }
    }
    found.sort();
    match found.is_empty() {
        true => Err(Failed::usage(format!("{}: no packs of kernels", path.display()))),
        false => Ok(found),
    }
}

/// A pack that can be run: what it says lies where its memory is.
struct Pack {
    bundle: Bundle,
    memory: Vec<u8>,
    expected: Vec<u8>,
    launched: Vec<Launched>,
}

impl Pack {
    fn read(file: &Path) -> Result<Pack> {
        let bytes = |path: &Path| DataFile::regular(path)?.all();
        // A damaged pack is a pack that is not right.
        let packed = crate::load::bytes(file).map_err(|e| Failed::rejected(e.text()))?;
        let bundle = Bundle::read(&packed).map_err(|e| Failed::rejected(format!("{}: {e}", file.display())))?;
        let data = file.with_extension("safetensors");
        Pack::of(bundle, &bytes(&data)?).map_err(|why| Failed::rejected(format!("{}: {why}", data.display())))
    }

    fn of(bundle: Bundle, data: &[u8]) -> Result<Pack, String> {
        let damaged = |e: safetensors::SafeTensorError| format!("no data of a pack, or damaged: {e}");
        let (_, header) = SafeTensors::read_metadata(data).map_err(damaged)?;
        let text = header.metadata().as_ref().and_then(|m| m.get(METADATA)).ok_or("it says nothing of kernels")?;
        let Carried { launched } = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let tensors = SafeTensors::deserialize(data).map_err(damaged)?;
        let bytes = |name| tensors.tensor(name).map(|t| t.data().to_vec()).map_err(damaged);
        let pack = Pack { bundle, memory: bytes("memory")?, expected: bytes("expected")?, launched };
        let arena = pack.program().arena_bytes;
        if pack.memory.len() as u64 != arena || pack.program().devices() != 1 {
            return Err(format!("{} bytes of memory for an arena of {arena}", pack.memory.len()));
        }
        let mut left = pack.expected.len() as u64;
        for launched in &pack.launched {
            for place in &launched.results {
                let dtype = DType::from_name(&place.dtype).ok_or_else(|| format!("no type `{}`", place.dtype))?;
                let bytes = place.elements.checked_mul(dtype.bytes()).filter(|b| *b <= left);
                let end = bytes.and_then(|b| place.offset.checked_add(b)).filter(|e| *e <= launched.end.min(arena));
                let (Some(bytes), Some(_)) = (bytes, end) else {
                    return Err(format!("`{}` of {} lies outside of memory", place.argument, launched.kernel));
                };
                left -= bytes;
            }
        }
        if left > 0 {
            return Err(format!("{left} bytes are expected of nothing"));
        }
        Ok(pack)
    }

    /// Leaves one launch, after which no other result is expected: the memory of all others has to stay as it was.
    fn keep(&mut self, n: usize) -> Result<(), String> {
        let program = &mut self.bundle.contents.entries[0].program;
        if n >= self.launched.len() || program.instrs.len() != self.launched.len() {
            return Err(format!("it has {} launches, and none is number {n}", self.launched.len()));
        }
        program.instrs = vec![program.instrs.swap_remove(n)];
        let bytes = |l: &Launched| -> usize {
            let of = |r: &WrittenBuffer| DType::from_name(&r.dtype).map_or(0, |d| (r.elements * d.bytes()) as usize);
            l.results.iter().map(of).sum()
        };
        let start: usize = self.launched[..n].iter().map(bytes).sum();
        let end = start + bytes(&self.launched[n]);
        self.expected = self.expected[start..end].to_vec();
        for (i, launched) in self.launched.iter_mut().enumerate() {
            if i != n {
                launched.results.clear();
            }
        }
        Ok(())
    }

    fn program(&self) -> &Program {
        &self.bundle.contents.entries[0].program
    }

    /// How many kernels there were, and what is wrong with each that is, on this machine.
    fn run(&self) -> Result<(usize, Vec<String>), meshloom_runtime::RuntimeError> {
        let (program, libraries) = (self.program(), &self.bundle.contents.libraries);
        let mut machine = match program.kernels.iter().any(|k| k.gpu.is_some()) {
            true => gpu::open(program, None, libraries, None)?,
            false => GpuMachine::new(program, Box::new(Simulated::new(libraries, 0)?), 0..1, None)?,
        };
        let mut once = || -> Result<Vec<u8>, meshloom_runtime::RuntimeError> {
            let mut memory = vec![0; self.memory.len()];
            machine.write(0, 0, &self.memory)?;
            machine.run()?;
            machine.read(0, 0, &mut memory)?;
            Ok(memory)
        };
        let (first, second) = (once()?, once()?);
        Ok((self.program().instrs.len(), self.compare(&first, &second)))
    }

    fn compare(&self, first: &[u8], second: &[u8]) -> Vec<String> {
        let (mut start, mut at, mut told) = (0, 0, Vec::new());
        for launched in &self.launched {
            let mut wrong = Vec::new();
            let mut untouched = self.memory.clone();
            for place in &launched.results {
                let Some(dtype) = DType::from_name(&place.dtype) else { continue };
                let bytes = (place.elements * dtype.bytes()) as usize;
                let (from, to) = (place.offset as usize, place.offset as usize + bytes);
                let (got, want) = (values(dtype, &first[from..to]), values(dtype, &self.expected[at..at + bytes]));
                at += bytes;
                untouched[from..to].copy_from_slice(&first[from..to]);
                let far = |(g, w): &(f64, f64)| !place.accepts(*g, *w);
                let pairs: Vec<(f64, f64)> = got.into_iter().zip(want).collect();
                let off = pairs.iter().filter(|p| far(p)).count();
                if let Some(i) = pairs.iter().position(far) {
                    let ((got, want), name, of) = (pairs[i], &place.argument, pairs.len());
                    wrong.push(format!("{name}[{i}] is {got}, not {want} ({off} of {of} are wrong)"));
                }
            }
            let own = start..launched.end as usize;
            if let Some(i) = own.clone().find(|&i| untouched[i] != first[i]) {
                wrong.push(format!("byte {} of its memory changed, which is no result", i - own.start));
            }
            if let Some(i) = own.clone().find(|&i| first[i] != second[i]) {
                wrong.push(format!("byte {} of its memory is another one in the second run", i - own.start));
            }
            if !wrong.is_empty() {
                wrong.truncate(TOLD);
                told.push(format!("{}: {}\n{}", launched.kernel, wrong.join("; "), launched.spec.trim_end()));
            }
            start = own.end;
        }
        if let Some(i) = (start..first.len()).find(|&i| first[i] != self.memory[i]) {
            told.push(format!("byte {i} behind all buffers changed"));
        }
        told
    }
}

impl WrittenBuffer {
    fn accepts(&self, got: f64, want: f64) -> bool {
        got == want
            || (got.is_nan() && want.is_nan())
            || (got - want).abs() <= self.scaled * want.abs().max(1.0) + self.relative * want.abs()
    }
}

fn values(dtype: DType, bytes: &[u8]) -> Vec<f64> {
    match dtype {
        DType::F8E4M3 => bytes.iter().map(|&b| eight(b, 3, 7)).collect(),
        DType::F8E5M2 => bytes.iter().map(|&b| eight(b, 2, 15)).collect(),
        _ => {
            let shape = vec![bytes.len() as u64 / dtype.bytes()];
            HostTensor { dtype, shape, bytes: bytes.to_vec() }.to_f64().unwrap_or_default()
        }
    }
}

/// By the definition: sign, exponent, mantissa. The format with 3 bits of mantissa has no infinities.
fn eight(bits: u8, mantissa: u32, bias: i32) -> f64 {
    let size = bits & 0x7f;
    let (exponent, rest) = (i32::from(size >> mantissa), f64::from(size & ((1 << mantissa) - 1)));
    let steps = f64::powi(2.0, -(mantissa as i32));
    let size = match (mantissa, size) {
        (3, 0x7f) => f64::NAN,
        (2, 0x7c) => f64::INFINITY,
        (2, 0x7d..) => f64::NAN,
        _ if exponent == 0 => rest * steps * f64::powi(2.0, 1 - bias),
        _ => (1.0 + rest * steps) * f64::powi(2.0, exponent - bias),
    };
    if bits & 0x80 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_eight_bits() {
        let (four, five) = (DType::F8E4M3, DType::F8E5M2);
        assert_eq!(values(four, &[0x38, 0xb8, 0x7e, 0x01]), [1.0, -1.0, 448.0, f64::powi(2.0, -9)]);
        assert!(values(four, &[0x7f])[0].is_nan());
        assert_eq!(values(five, &[0x3c, 0x7b, 0xfc, 0x01]), [1.0, 57344.0, f64::NEG_INFINITY, f64::powi(2.0, -16)]);
        assert!(values(five, &[0x7d])[0].is_nan());
    }
}
