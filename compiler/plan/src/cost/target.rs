//! Targets: what a device can do and how devices are linked, from TOML. The built-in ones are files too
//! (`compiler/plan/targets`), read by the same code, so that copying one is how to describe another machine.
//!
//! Everything is an integer (bytes, picoseconds, per mille): costs are compared and summed, and must not depend on the order
//! of floating point additions.

mod arch;
mod file;
mod profile;

use super::gemm::Tiles;
use file::File;
use meshloom_ir::{DType, Op};
use meshloom_lower::Runs;
use std::collections::BTreeMap;

pub use arch::Arch;
pub use profile::{Band, Profile, ProfileRow, Profiled};

const BUILTIN: &[(&str, &str)] = &[
    ("cpu", include_str!("../../targets/cpu.toml")),
    ("a100-80g", include_str!("../../targets/a100-80g.toml")),
    ("h100-sxm", include_str!("../../targets/h100-sxm.toml")),
    ("h200", include_str!("../../targets/h200.toml")),
    ("b200", include_str!("../../targets/b200.toml")),
    ("gb200", include_str!("../../targets/gb200.toml")),
    ("b300", include_str!("../../targets/b300.toml")),
    ("gb300", include_str!("../../targets/gb300.toml")),
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
    /// The software whose figures stand here in place of the file's own, where one was asked for.
    pub profile: Option<Profiled>,
    /// Whether small collectives that are ready together start as one.
    pub grouped: bool,
    /// Processors that the devices share: more devices take turns, of fewer each has several. Without it, one each.
    pub workers: Option<u64>,
    /// Peak operations per second of contractions of these types. `F32` is always there; `I8` is that of both integers of 8 bits.
    pub flops: BTreeMap<DType, u64>,
    /// The same of f32 whose operands are rounded to tf32, where devices can.
    pub tf32: Option<u64>,
    /// Contractions of f32 are computed so ([`Target::in_tf32`]).
    pub rounds_f32: bool,
    /// Floats are computed as programs write them ([`Target::strictly`]).
    pub strict_float: bool,
    pub achievable: Achievable,
    /// How contractions are computed, where their rate depends on their shape.
    pub tiles: Option<Tiles>,
    /// The host's memory that a device may keep tensors in; absent where nothing is known of it.
    pub host: Option<Host>,
    /// Inner (fastest) first; the last one spans any number of devices.
    pub levels: Vec<Level>,
    /// What an hour of one device costs, in millionths of a US dollar.
    pub price: Option<u64>,
}

/// What part of a peak programs see, in per mille.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Achievable {
    /// Of the peak rate, by large contractions.
    pub contraction: u64,
    /// The same of floats of 8 bits; as the others without it.
    pub contraction8: Option<u64>,
    /// Of the peak rate, by contractions of many small matrices at once, as those of a mixture's experts are; as others without it.
    pub batched: Option<u64>,
    /// Of the peak rate, by the kernel of attention: from which width of a head on. There is at least one.
    pub attention: BTreeMap<u64, u64>,
    /// Of the memory's bandwidth, by kernels that stream.
    pub bandwidth: u64,
    /// Of the bytes of an elementwise op, how many reach memory. The rest stays in registers, because the op is fused with
    /// its neighbours.
    pub fused: u64,
    /// The same of an optimizer's update, which has no contraction that it could be fused with.
    pub update: u64,
}

impl Achievable {
    /// Of the peak rate, by large contractions of operands of `dtype`.
    pub fn contraction_of(&self, dtype: DType) -> u64 {
        self.contraction8.filter(|_| dtype.is_float8()).unwrap_or(self.contraction)
    }

    /// Of the peak rate, by the kernel of attention with heads of `width` elements. Heads narrower than all that are listed run as
    /// the narrowest.
    pub fn attention_of(&self, width: u64) -> u64 {
        let wider = || self.attention.values().next();
        self.attention.range(..=width).next_back().map(|x| x.1).or_else(wider).copied().unwrap_or(1000)
    }
}

/// A device's share of its host's memory, and the link to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Host {
    /// Bytes for each device.
    pub memory: u64,
    /// Bytes per second and device in each direction; both go on at one time.
    pub bandwidth: u64,
    /// Part of the bandwidth that large copies see, in per mille.
    pub achievable: u64,
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

    /// The same devices, for programs whose floating point operations keep their order and of which each rounds to its type.
    pub fn strictly(self) -> Target {
        Target { strict_float: true, ..self }
    }

    /// Bytes of a device that programs can have.
    pub fn room(&self) -> u64 {
        self.memory.saturating_sub(self.reserved)
    }

    /// What runs programs for it, as kernels are chosen for that.
    pub fn runs(&self) -> Runs {
        Runs { device: self.arch.device(), tf32: self.rounds_f32, rounds_each: self.strict_float }
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
            DType::I8 | DType::U8 => &[DType::I8],
            _ => &[],
        };
        let of = |d: &DType| self.flops.get(d).copied();
        wider.iter().find_map(of).or_else(|| of(&DType::F32)).unwrap_or(1)
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
        assert_eq!([t.peak(DType::I8), t.peak(DType::U8)], [624_000_000_000_000; 2]);
        assert_eq!(Target::default().peak(DType::I8), Target::default().peak(DType::F32));
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
}
