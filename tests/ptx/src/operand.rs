//! Operands of instructions: registers, numbers, places in memory, types of tensor cores.

use crate::parse::Raw;

/// Added to where a parameter lies when its address is taken.
pub const PARAMETERS: u64 = 1 << 62;
/// In the places of names, where shared memory is meant.
pub const SHARED: u64 = 1 << 61;

/// Where a value is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    Register(u32),
    Number(u64),
    Special(Special),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Special {
    Thread,
    Threads,
    Block,
    Blocks,
    Lane,
    Clock,
    /// The address of a byte of the own shared memory.
    Shared(u64),
    Zero,
    One,
}

/// An address: a register or a number, and bytes behind it.
#[derive(Clone, Copy, Debug)]
pub struct MemoryPlace {
    pub base: Operand,
    pub offset: i64,
}

/// Types of the operands of tensor cores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartType {
    F16,
    Bf16,
    Tf32,
    E4m3,
    E5m2,
    S8,
    U8,
}

impl PartType {
    /// Products of integers are summed in 32 bits.
    pub fn is_integer(self) -> bool {
        matches!(self, PartType::S8 | PartType::U8)
    }

    pub fn bytes(self) -> u64 {
        match self {
            PartType::Tf32 => 4,
            PartType::F16 | PartType::Bf16 => 2,
            PartType::E4m3 | PartType::E5m2 | PartType::S8 | PartType::U8 => 1,
        }
    }

    /// As the text calls it.
    pub fn by_name(name: &str) -> Option<PartType> {
        Some(match name {
            "f16" => PartType::F16,
            "bf16" => PartType::Bf16,
            "tf32" => PartType::Tf32,
            "e4m3" => PartType::E4m3,
            "e5m2" => PartType::E5m2,
            "s8" => PartType::S8,
            "u8" => PartType::U8,
            _ => return None,
        })
    }
}

/// Where names of a kernel lie: its shared memory, its parameters, the module's variables.
pub type NamePlaces<'n> = dyn Fn(&str) -> Option<u64> + 'n;

/// An instruction's operands as they stand in the text.
pub struct Operands<'a> {
    pub all: &'a [Raw],
    pub names: &'a NamePlaces<'a>,
}

impl Operands<'_> {
    pub fn count(&self) -> usize {
        self.all.len()
    }

    pub fn raw(&self, i: usize) -> Result<&Raw, String> {
        self.all.get(i).ok_or_else(|| format!("it has no operand {i}"))
    }

    pub fn of(&self, raw: &Raw) -> Result<Operand, String> {
        Ok(match raw {
            Raw::Register(r) => Operand::Register(*r),
            Raw::Number(n) => Operand::Number(*n),
            Raw::Name(name) => match name.as_str() {
                "%tid.x" => Operand::Special(Special::Thread),
                "%ntid.x" => Operand::Special(Special::Threads),
                "%ctaid.x" => Operand::Special(Special::Block),
                "%nctaid.x" => Operand::Special(Special::Blocks),
                "%laneid" => Operand::Special(Special::Lane),
                "%clock64" => Operand::Special(Special::Clock),
                "%tid.y" | "%tid.z" | "%ctaid.y" | "%ctaid.z" => Operand::Special(Special::Zero),
                "%ntid.y" | "%ntid.z" | "%nctaid.y" | "%nctaid.z" => Operand::Special(Special::One),
                _ => match (self.names)(name).ok_or_else(|| format!("what is `{name}`?"))? {
                    at if at & SHARED != 0 => Operand::Special(Special::Shared(at & !SHARED)),
                    at => Operand::Number(at),
                },
            },
            other => return Err(format!("{other:?} as a value")),
        })
    }

    /// # Errors
    /// It is no value.
    pub fn value(&self, i: usize) -> Result<Operand, String> {
        self.of(self.raw(i)?)
    }

    pub fn maybe(&self, i: usize) -> Result<Option<Operand>, String> {
        (i < self.all.len()).then(|| self.value(i)).transpose()
    }

    pub fn list(&self, i: usize) -> Result<Vec<Operand>, String> {
        match self.raw(i)? {
            Raw::List(list) => list.iter().map(|r| self.of(r)).collect(),
            one => Ok(vec![self.of(one)?]),
        }
    }

    pub fn register(&self, i: usize) -> Result<u32, String> {
        match self.raw(i)? {
            Raw::Register(r) => Ok(*r),
            other => Err(format!("{other:?} in place of a register")),
        }
    }

    /// Registers that are written; none where it is `_`.
    pub fn registers(&self, i: usize) -> Result<Vec<Option<u32>>, String> {
        let of = |r: &Raw| match r {
            Raw::Register(r) => Ok(Some(*r)),
            Raw::Nothing => Ok(None),
            other => Err(format!("{other:?} in place of a register")),
        };
        match self.raw(i)? {
            Raw::List(list) => list.iter().map(of).collect(),
            one => Ok(vec![of(one)?]),
        }
    }

    /// Registers that are written.
    ///
    /// # Errors
    /// Anything else among them.
    pub fn whole(&self, i: usize) -> Result<Vec<u32>, String> {
        self.registers(i)?.into_iter().map(|r| r.ok_or_else(|| "a `_` among results".to_owned())).collect()
    }

    /// # Errors
    /// It is no address.
    pub fn place(&self, i: usize) -> Result<MemoryPlace, String> {
        match self.raw(i)? {
            Raw::Memory { base, offset, coordinates } if coordinates.is_empty() => {
                Ok(MemoryPlace { base: self.of(base)?, offset: *offset })
            }
            other => Err(format!("{other:?} in place of an address")),
        }
    }

    pub fn number(&self, i: usize) -> Result<u64, String> {
        match self.raw(i)? {
            Raw::Number(n) => Ok(*n),
            other => Err(format!("{other:?} in place of a number")),
        }
    }
}
