//! What values and buffers of a kernel's text are: element kinds, types, SSA values, indices, places in memory.

use crate::expr::DType;

/// What the text is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EmitMode {
    Device,
    /// The function takes, after its dims: the thread, the block and the number of blocks, the block's shared memory, the thread's
    /// mailbox (32-bit words) and the host, which is called with one of [`crate::emit::gpu::block::call`].
    Emulated,
}

/// Where dynamic shared memory begins in an emulated block's.
pub const EMULATED_DYNAMIC: u64 = 64 << 10;

/// Element kinds of values and buffers. `I8` is how bools and `u8` lie in memory, `S8` how `i8` does, `I1` how bools are computed. `Bf16` are 16 bits, which
/// conversions shift, and floats of 8 bits are bytes ([`super::float8`]): no target needs instructions for them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ElemKind {
    F32,
    F64,
    I32,
    I64,
    I8,
    S8,
    I1,
    Bf16,
    F16,
    /// The bits of a `u32`: [`ElemKind::I32`] to memory, another number to conversions.
    U32,
    F8E4m3,
    F8E5m2,
    Index,
}

impl ElemKind {
    pub fn name(self) -> &'static str {
        match self {
            ElemKind::F32 => "f32",
            ElemKind::F64 => "f64",
            ElemKind::I32 | ElemKind::U32 => "i32",
            ElemKind::I64 => "i64",
            ElemKind::I8 | ElemKind::S8 | ElemKind::F8E4m3 | ElemKind::F8E5m2 => "i8",
            ElemKind::I1 => "i1",
            ElemKind::Bf16 => "i16",
            ElemKind::F16 => "f16",
            ElemKind::Index => "index",
        }
    }

    /// Of an element in memory.
    pub fn bytes(self) -> u64 {
        match self {
            ElemKind::F64 | ElemKind::I64 | ElemKind::Index => 8,
            ElemKind::F32 | ElemKind::I32 | ElemKind::U32 => 4,
            ElemKind::Bf16 | ElemKind::F16 => 2,
            ElemKind::I8 | ElemKind::S8 | ElemKind::I1 | ElemKind::F8E4m3 | ElemKind::F8E5m2 => 1,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, ElemKind::F32 | ElemKind::F64)
    }

    /// How values of a dtype are computed with.
    pub fn value(dtype: DType) -> ElemKind {
        match dtype {
            DType::F32 => ElemKind::F32,
            DType::F64 => ElemKind::F64,
            DType::I32 => ElemKind::I32,
            DType::I64 => ElemKind::I64,
            DType::Bool => ElemKind::I1,
            DType::BF16 => ElemKind::Bf16,
            DType::F16 => ElemKind::F16,
            DType::I8 => ElemKind::S8,
            DType::U8 => ElemKind::I8,
            DType::U32 => ElemKind::U32,
            DType::F8E4M3 => ElemKind::F8E4m3,
            DType::F8E5M2 => ElemKind::F8E5m2,
        }
    }

    /// How they lie in memory.
    pub fn memory(dtype: DType) -> ElemKind {
        if dtype == DType::Bool { ElemKind::I8 } else { ElemKind::value(dtype) }
    }
}

/// Type of a value: a scalar (`lanes` 0) or a vector.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ty {
    pub kind: ElemKind,
    pub lanes: u64,
}

impl Ty {
    pub fn scalar(kind: ElemKind) -> Ty {
        Ty { kind, lanes: 0 }
    }

    pub fn vector(kind: ElemKind, lanes: u64) -> Ty {
        Ty { kind, lanes }
    }

    /// The type of one lane.
    pub fn scalar_of(self) -> Ty {
        Ty::scalar(self.kind)
    }

    pub fn with(self, kind: ElemKind) -> Ty {
        Ty { kind, ..self }
    }
}

impl std::fmt::Display for Ty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.lanes {
            0 => f.write_str(self.kind.name()),
            n => write!(f, "vector<{n}x{}>", self.kind.name()),
        }
    }
}

/// An SSA value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Val(pub(super) u32);

impl Val {
    /// Its number in the text.
    pub(in crate::emit) fn number(self) -> u32 {
        self.0
    }
}

/// An index: a value plus a constant, so that constants fold on their way into an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ix {
    pub(super) base: Option<Val>,
    pub(super) offset: i64,
}

impl Ix {
    pub const ZERO: Ix = Ix { base: None, offset: 0 };

    pub fn known(self) -> Option<i64> {
        if self.base.is_none() { Some(self.offset) } else { None }
    }

    pub fn plus(self, n: i64) -> Ix {
        Ix { offset: self.offset + n, ..self }
    }

    /// What is not constant of it, and what is.
    pub(in crate::emit) fn split(self) -> (Ix, i64) {
        (Ix { offset: 0, ..self }, self.offset)
    }
}

impl From<i64> for Ix {
    fn from(n: i64) -> Ix {
        Ix { base: None, offset: n }
    }
}

impl From<u64> for Ix {
    fn from(n: u64) -> Ix {
        Ix::from(n as i64)
    }
}

impl From<Val> for Ix {
    fn from(v: Val) -> Ix {
        Ix { base: Some(v), offset: 0 }
    }
}

/// A buffer argument: its number, or the scratch. Or what the threads of a GPU's block share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Buf {
    pub(super) at: u32,
    pub kind: ElemKind,
    pub(super) place: Place,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Memory,
    /// So many elements, in a GPU's address space for them or in the emulation's memory.
    Shared(u64, EmitMode),
    /// The same in what the launch gives a block, from this byte on.
    Dynamic(u64, u64, EmitMode),
}

pub(super) const SCRATCH: u32 = u32::MAX;

/// To what the launch's shared memory is aligned: what patterns of swizzled tiles repeat after.
pub(super) const DYNAMIC_ALIGN: u64 = 1024;

/// Where an emulated thread of a GPU leaves what it exchanges.
pub(super) const MAIL: u32 = u32::MAX - 1;

/// Buffers are bare pointers to memory of any size; the type has to name one.
pub(super) const HUGE: u64 = 1 << 40;

impl Buf {
    pub fn arg(at: u32, dtype: DType) -> Buf {
        Buf { at, kind: ElemKind::memory(dtype), place: Place::Memory }
    }

    pub(in crate::emit) fn mail() -> Buf {
        Buf { at: MAIL, kind: ElemKind::I32, place: Place::Memory }
    }

    pub(super) fn name(self) -> String {
        match (self.place, self.at) {
            (Place::Shared(..) | Place::Dynamic(..), at) => format!("%s{at}"),
            (_, SCRATCH) => "%scratch".into(),
            (_, MAIL) => "%mail".into(),
            (_, at) => format!("%b{at}"),
        }
    }

    pub(super) fn ty(self) -> String {
        match self.place {
            Place::Memory => format!("memref<{HUGE}x{}>", self.kind.name()),
            Place::Shared(n, EmitMode::Device) | Place::Dynamic(n, _, EmitMode::Device) => {
                format!("memref<{n}x{}, 3>", self.kind.name())
            }
            Place::Shared(n, EmitMode::Emulated) | Place::Dynamic(n, _, EmitMode::Emulated) => {
                format!("memref<{n}x{}>", self.kind.name())
            }
        }
    }
}
