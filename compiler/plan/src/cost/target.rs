//! Targets: what a device can do and how devices are linked, from TOML. The built-in ones are files too
//! (`compiler/plan/targets`), read by the same code, so that copying one is how to describe another machine.
//!
//! Everything is an integer (bytes, picoseconds, per mille): costs are compared and summed, and must not depend on the order
//! of floating point additions.

use super::gemm::{TileShape, Tiles};
use super::quantity::Unit;
use meshloom_fusion::{Device, GpuArch, Runs};
use meshloom_ir::{DType, Op};
use serde::Deserialize;
use std::collections::BTreeMap;

/// What programs are compiled for. GPUs by the architecture that PTX is made for, as LLVM and ptxas name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arch {
    /// CPUs: devices are threads that share memory.
    X86_64,
    /// Ampere
    Sm80,
    /// Hopper
    Sm90a,
    /// Blackwell
    Sm100a,
}

impl Arch {
    pub const ALL: [Arch; 4] = [Arch::X86_64, Arch::Sm80, Arch::Sm90a, Arch::Sm100a];

    /// As `arch` in a target file has it.
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86-64",
            Arch::Sm80 => "sm_80",
            Arch::Sm90a => "sm_90a",
            Arch::Sm100a => "sm_100a",
        }
    }

    pub fn by_name(name: &str) -> Option<Arch> {
        Arch::ALL.into_iter().find(|a| a.name() == name)
    }

    pub fn is_gpu(self) -> bool {
        self != Arch::X86_64
    }

    /// What runs the programs.
    pub fn device(self) -> Device {
        match self {
            Arch::X86_64 => Device::Cpu,
            Arch::Sm80 => Device::Gpu(GpuArch::Sm80),
            Arch::Sm90a => Device::Gpu(GpuArch::Sm90a),
            Arch::Sm100a => Device::Gpu(GpuArch::Sm100a),
        }
    }

    /// `"x86-64" for CPUs, "sm_80", "sm_90a" or "sm_100a" for GPUs`
    fn choices() -> String {
        let gpus: Vec<String> = Arch::ALL.iter().filter(|a| a.is_gpu()).map(|a| format!("\"{}\"", a.name())).collect();
        let (last, others) = gpus.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
        format!("\"{}\" for CPUs, {} or {last} for GPUs", Arch::X86_64.name(), others.join(", "))
    }
}

const BUILTIN: &[(&str, &str)] = &[
    ("cpu", include_str!("../../targets/cpu.toml")),
    ("a100-80g", include_str!("../../targets/a100-80g.toml")),
    ("h100-sxm", include_str!("../../targets/h100-sxm.toml")),
    ("h200", include_str!("../../targets/h200.toml")),
    ("b200", include_str!("../../targets/b200.toml")),
];

/// A device and its links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub name: String,
    /// What programs for it are compiled for.
    pub arch: Arch,
    /// Bytes of device memory.
    pub memory: u64,
    /// Of these, bytes that programs cannot have: the driver's context and the buffers of the communication library.
    pub reserved: u64,
    /// Bytes per second between device and memory, at best.
    pub bandwidth: u64,
    /// Picoseconds from one kernel to the next.
    pub launch: u64,
    /// Picoseconds that it takes to start a collective, whatever its group.
    pub call: u64,
    /// Whether collectives run beside kernels.
    pub overlap: bool,
    /// Whether small collectives that are ready together start as one.
    pub grouped: bool,
    /// Processors that the devices share: more devices take turns, of fewer each has several. Without it, one each.
    pub workers: Option<u64>,
    /// Peak floating point operations per second of contractions. `F32` is always there.
    pub flops: BTreeMap<DType, u64>,
    /// The same of f32 whose operands are rounded to tf32, where devices can.
    pub tf32: Option<u64>,
    /// Contractions of f32 are computed so ([`Target::in_tf32`]).
    pub rounds_f32: bool,
    pub achievable: Achievable,
    /// How contractions are computed, where their rate depends on their shape.
    pub tiles: Option<Tiles>,
    /// Inner (fastest) first; the last one spans any number of devices.
    pub levels: Vec<Level>,
}

/// What part of a peak programs see, in per mille.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Achievable {
    /// Of the peak rate, by large contractions.
    pub contraction: u64,
    /// Of the peak rate, by the kernel of attention.
    pub attention: u64,
    /// Of the memory's bandwidth, by kernels that stream.
    pub bandwidth: u64,
    /// Of the bytes of an elementwise op, how many reach memory. The rest stays in registers, because the op is fused with
    /// its neighbours.
    pub fused: u64,
}

/// Links among the devices of a group: NVLink in a node, InfiniBand between nodes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Level {
    pub name: String,
    /// Consecutive devices within its reach; `None` for the outermost.
    pub devices: Option<u64>,
    /// Bytes per second and device, one direction.
    pub bandwidth: u64,
    /// Picoseconds before the first byte of a message.
    pub latency: u64,
    /// Part of the bandwidth that collectives see, in per mille.
    pub achievable: u64,
    /// How many times as fast `all_reduce` is where switches add what passes them (NVLink SHARP), in per mille.
    pub reduces: u64,
}

/// What is wrong with a target file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetError {
    /// The name it was parsed under.
    pub target: String,
    /// The TOML reader's message (with the line and a caret), or `key: what is wrong`.
    pub message: String,
}

impl std::fmt::Display for TargetError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "target {}: {}", self.target, self.message)
    }
}

impl std::error::Error for TargetError {}

impl Default for Target {
    fn default() -> Target {
        Target::builtin("cpu").expect("cpu is built in, and a test parses all that are")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    arch: Option<String>,
    memory: String,
    reserved: Option<String>,
    bandwidth: String,
    launch: String,
    call: Option<String>,
    overlap: bool,
    grouped: bool,
    workers: Option<u64>,
    flops: BTreeMap<String, String>,
    achievable: FileAchievable,
    tiles: Option<FileTiles>,
    level: Vec<FileLevel>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileAchievable {
    contraction: f64,
    attention: Option<f64>,
    bandwidth: f64,
    fused: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileLevel {
    name: String,
    devices: Option<u64>,
    bandwidth: String,
    latency: String,
    achievable: f64,
    reduces: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTiles {
    processors: u64,
    fill: u64,
    shapes: Vec<FileTile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileTile {
    rows: u64,
    columns: u64,
    rate: f64,
}

impl Target {
    /// Names of the built-in targets.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILTIN.iter().map(|b| b.0)
    }

    pub fn builtin(name: &str) -> Option<Target> {
        let (name, text) = BUILTIN.iter().find(|b| b.0 == name)?;
        Target::parse(name, text).ok()
    }

    /// The target that `text` describes, under a name of the caller's.
    ///
    /// # Errors
    /// What is not TOML, a key that is unknown or missing, a number that is no such quantity.
    pub fn parse(name: &str, text: &str) -> Result<Target, TargetError> {
        let fail = |message: String| TargetError { target: name.into(), message };
        let file: File = toml::from_str(text).map_err(|e| fail(e.to_string().trim_end().to_owned()))?;
        file.target(name).map_err(fail)
    }

    /// The same devices, which round the operands of contractions of f32 to tf32 if they have it.
    pub fn in_tf32(self) -> Target {
        Target { rounds_f32: true, ..self }
    }

    /// Bytes of a device that programs can have.
    pub fn room(&self) -> u64 {
        self.memory.saturating_sub(self.reserved)
    }

    /// What runs programs for it, as kernels are chosen for that.
    pub fn runs(&self) -> Runs {
        Runs { device: self.arch.device(), tf32: self.rounds_f32 }
    }

    /// Peak operations per second of `op`, whose operands are of `dtype`. Only contractions round to tf32: the kernel of attention does not.
    pub fn peak_of(&self, op: &Op, dtype: DType) -> u64 {
        let rounded = self.tf32.filter(|_| self.rounds_f32 && dtype == DType::F32 && matches!(op, Op::DotGeneral(_)));
        rounded.unwrap_or_else(|| self.peak(dtype))
    }

    /// Peak operations per second of contractions of `dtype`. Types that a file leaves out run at the rate of the next wider
    /// one that it has.
    pub fn peak(&self, dtype: DType) -> u64 {
        let wider: &[DType] = match dtype {
            DType::F8E4M3 => &[DType::F8E4M3, DType::F8E5M2, DType::BF16, DType::F16],
            DType::F8E5M2 => &[DType::F8E5M2, DType::F8E4M3, DType::BF16, DType::F16],
            DType::BF16 => &[DType::BF16, DType::F16],
            DType::F16 => &[DType::F16, DType::BF16],
            DType::F64 | DType::I64 => &[DType::F64],
            _ => &[],
        };
        let of = |d: &DType| self.flops.get(d).copied();
        wider.iter().find_map(of).or_else(|| of(&DType::F32)).unwrap_or(1)
    }
}

impl File {
    /// Nothing is guessed: a file for a GPU that says no architecture would be compiled for CPUs.
    fn arch(&self) -> Result<Arch, String> {
        let Some(name) = &self.arch else {
            return Err(format!("arch: missing; write `arch = ..` with {}", Arch::choices()));
        };
        Arch::by_name(name).ok_or_else(|| format!("arch: there is no \"{name}\"; there are {}", Arch::choices()))
    }

    fn target(self, name: &str) -> Result<Target, String> {
        let (mut flops, mut tf32) = (BTreeMap::new(), None);
        for (key, text) in &self.flops {
            if key == "tf32" {
                tf32 = Some(positive("flops.tf32", Unit::FlopsPerSecond, text)?);
                continue;
            }
            let dtype = DType::from_name(key).filter(|d| d.is_float());
            let dtype = dtype.ok_or_else(|| format!("flops.{key}: no floating point type has this name"))?;
            flops.insert(dtype, positive(&format!("flops.{key}"), Unit::FlopsPerSecond, text)?);
        }
        if !flops.contains_key(&DType::F32) {
            return Err("flops.f32: missing; types that are not named run at its rate".into());
        }
        if self.workers == Some(0) {
            return Err("workers: must be more than zero".into());
        }
        let time = |key: &str, text: &str| Unit::Time.parse(text).map_err(|e| format!("{key}: {e}"));
        let reserved = self.reserved.as_ref().map(|r| Unit::Bytes.parse(r).map_err(|e| format!("reserved: {e}")));
        let a = &self.achievable;
        let attention = a.attention.unwrap_or(a.contraction);
        Ok(Target {
            name: name.into(),
            arch: self.arch()?,
            memory: positive("memory", Unit::Bytes, &self.memory)?,
            reserved: reserved.transpose()?.unwrap_or(0),
            bandwidth: positive("bandwidth", Unit::BytesPerSecond, &self.bandwidth)?,
            launch: time("launch", &self.launch)?,
            call: time("call", self.call.as_deref().unwrap_or("0 us"))?,
            overlap: self.overlap,
            grouped: self.grouped,
            workers: self.workers,
            flops,
            tf32,
            rounds_f32: false,
            achievable: Achievable {
                contraction: fraction("achievable.contraction", a.contraction)?,
                attention: fraction("achievable.attention", attention)?,
                bandwidth: fraction("achievable.bandwidth", a.bandwidth)?,
                fused: fraction("achievable.fused", a.fused)?,
            },
            tiles: self.tiles.as_ref().map(tiles).transpose()?,
            levels: levels(&self.level)?,
        })
    }
}

fn tiles(file: &FileTiles) -> Result<Tiles, String> {
    let mut shapes = Vec::new();
    for t in &file.shapes {
        if t.rows == 0 || t.columns == 0 {
            return Err("tiles.shapes: a tile has at least one row and one column".into());
        }
        shapes.push(TileShape { rows: t.rows, columns: t.columns, rate: fraction("tiles.shapes.rate", t.rate)? });
    }
    if file.processors == 0 || shapes.is_empty() {
        return Err("tiles: at least one processor and one shape are needed".into());
    }
    // Beyond these no product of sizes fits.
    if file.processors.max(file.fill) > 1 << 20 || shapes.iter().any(|t| t.rows.max(t.columns) > 1 << 20) {
        return Err("tiles: sizes are at most 1048576".into());
    }
    Ok(Tiles { processors: file.processors, fill: file.fill, shapes })
}

fn levels(file: &[FileLevel]) -> Result<Vec<Level>, String> {
    let mut out: Vec<Level> = Vec::new();
    for (i, l) in file.iter().enumerate() {
        let key = |k: &str| format!("level `{}`: {k}", l.name);
        match (l.devices, i + 1 == file.len()) {
            (Some(_), true) => return Err(key("the last level has no `devices`, it spans them all")),
            (None, false) => return Err(key("`devices` is missing; only the last level spans them all")),
            (Some(n), false) => {
                let inner = out.last().and_then(|l| l.devices).unwrap_or(1);
                if n <= inner || !n.is_multiple_of(inner) {
                    return Err(key(&format!("{n} devices are no multiple of the {inner} of the level inside it")));
                }
            }
            (None, true) => {}
        }
        out.push(Level {
            name: l.name.clone(),
            devices: l.devices,
            bandwidth: positive(&key("bandwidth"), Unit::BytesPerSecond, &l.bandwidth)?,
            latency: Unit::Time.parse(&l.latency).map_err(|e| format!("{}: {e}", key("latency")))?,
            achievable: fraction(&key("achievable"), l.achievable)?,
            reduces: match l.reduces.unwrap_or(1.0) {
                x if (1.0..=100.0).contains(&x) => (x * 1000.0).round() as u64,
                x => return Err(key(&format!("`reduces` is {x}, and not a number from 1 to 100"))),
            },
        });
    }
    if out.is_empty() { Err("level: at least one is needed".into()) } else { Ok(out) }
}

fn positive(key: &str, unit: Unit, text: &str) -> Result<u64, String> {
    match unit.parse(text) {
        Ok(0) => Err(format!("{key}: must be more than zero")),
        other => other.map_err(|e| format!("{key}: {e}")),
    }
}

/// A fraction as per mille, of which it has at least one.
fn fraction(key: &str, x: f64) -> Result<u64, String> {
    if (0.001..=1.0).contains(&x) {
        Ok((x * 1000.0).round() as u64)
    } else {
        Err(format!("{key}: {x} is not a fraction between 0.001 and 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::{Einsum, Reduction};

    #[test]
    fn what_is_built_in_parses() {
        for (name, text) in BUILTIN {
            let t = Target::parse(name, text).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(Target::builtin(name), Some(t));
        }
        let arch = |name: &str| Target::builtin(name).map(|t| t.arch);
        let hopper = Some(Arch::Sm90a);
        assert_eq!(["cpu", "h100-sxm", "h200"].map(arch), [Some(Arch::X86_64), hopper, hopper]);
        assert_eq!(["a100-80g", "b200", "h100"].map(arch), [Some(Arch::Sm80), Some(Arch::Sm100a), None]);
        assert_eq!(Target::default().name, "cpu");
    }

    #[test]
    fn types_that_are_not_named_run_at_the_next_wider_rate() {
        let t = Target::builtin("a100-80g").unwrap();
        assert_eq!(t.peak(DType::F8E4M3), t.peak(DType::BF16));
        assert_eq!(t.peak(DType::BF16), 312_000_000_000_000);
        assert_eq!(t.peak(DType::I32), t.peak(DType::F32));
    }

    #[test]
    fn tf32_is_for_contractions_of_f32_where_it_is_asked_for() {
        let dot = Op::DotGeneral(Einsum::new(vec![vec!['a', 'b'], vec!['b', 'c']], vec!['a', 'c']));
        let sum = Op::Reduce { kind: Reduction::Sum, dims: vec![0] };
        let t = Target::builtin("a100-80g").unwrap();
        assert_eq!(t.peak_of(&dot, DType::F32), 19_500_000_000_000);
        let t = t.in_tf32();
        let rates = [(&dot, DType::F32), (&sum, DType::F32), (&dot, DType::BF16)].map(|(op, d)| t.peak_of(op, d));
        assert_eq!(rates, [156_000_000_000_000, 19_500_000_000_000, 312_000_000_000_000]);
        let cpu = Target::default().in_tf32();
        assert_eq!(cpu.peak_of(&dot, DType::F32), cpu.peak(DType::F32));
    }

    #[test]
    fn errors_name_the_key() {
        let cpu = BUILTIN[0].1;
        let with = |from: &str, to: &str| {
            assert!(cpu.contains(from), "{from}");
            Target::parse("mine", &cpu.replace(from, to)).unwrap_err().to_string()
        };
        for (from, to, part) in [
            (
                "arch = \"x86-64\"\n",
                "",
                "arch: missing; write `arch = ..` with \"x86-64\" for CPUs, \"sm_80\", \"sm_90a\" or",
            ),
            (
                "x86-64",
                "sm_90",
                "arch: there is no \"sm_90\"; there are \"x86-64\" for CPUs, \"sm_80\", \"sm_90a\" or \"sm_100a\"",
            ),
            ("memory =", "memori =", "unknown field `memori`"),
            ("memory = \"16 GiB\"", "", "missing field `memory`"),
            ("\"16 GiB\"", "\"16 GB/s\"", "memory: \"16 GB/s\" is not bytes, such as"),
            ("\"16 GiB\"", "\"0 GiB\"", "memory: must be more than zero"),
            ("\"5 us\"", "\"5 GB\"", "level `threads`: latency: \"5 GB\" is not a time"),
            ("overlap = false", "overlap = 3", "invalid type"),
            ("contraction = 1.0", "contraction = 1.5", "achievable.contraction: 1.5 is not a fraction"),
            ("f32 =", "f31 =", "flops.f31: no floating point type"),
            ("f32 =", "f16 =", "flops.f32: missing"),
            ("name = \"threads\"", "name = \"threads\"\ndevices = 8", "the last level has no `devices`"),
            ("[[level]]", "[level", "TOML parse error"),
        ] {
            let e = with(from, to);
            assert!(e.starts_with("target mine: ") && e.contains(part), "{e}");
        }
        let twice = format!("{cpu}{}", &cpu[cpu.find("[[level]]").unwrap()..]);
        assert!(Target::parse("mine", &twice).unwrap_err().message.contains("`devices` is missing"));
    }
}
