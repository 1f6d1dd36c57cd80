//! Element types of buffers, ports and tensor maps.
//!
//! They are fewer than the IR's: what a format does not name, no kernel takes.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementType {
    F32,
    F64,
    F16,
    Bf16,
    I32,
    I64,
    U32,
    I8,
    U8,
    Bool,
}

impl ElementType {
    /// Every type, in the order of the declaration.
    pub const ALL: [ElementType; 10] = [
        ElementType::F32,
        ElementType::F64,
        ElementType::F16,
        ElementType::Bf16,
        ElementType::I32,
        ElementType::I64,
        ElementType::U32,
        ElementType::I8,
        ElementType::U8,
        ElementType::Bool,
    ];

    /// Bytes of one element.
    pub fn size(self) -> u64 {
        match self {
            ElementType::F64 | ElementType::I64 => 8,
            ElementType::F32 | ElementType::I32 | ElementType::U32 => 4,
            ElementType::F16 | ElementType::Bf16 => 2,
            ElementType::I8 | ElementType::U8 | ElementType::Bool => 1,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, ElementType::F32 | ElementType::F64 | ElementType::F16 | ElementType::Bf16)
    }

    pub fn is_int(self) -> bool {
        !self.is_float() && self != ElementType::Bool
    }

    pub fn name(self) -> &'static str {
        match self {
            ElementType::F32 => "f32",
            ElementType::F64 => "f64",
            ElementType::F16 => "f16",
            ElementType::Bf16 => "bf16",
            ElementType::I32 => "i32",
            ElementType::I64 => "i64",
            ElementType::U32 => "u32",
            ElementType::I8 => "i8",
            ElementType::U8 => "u8",
            ElementType::Bool => "bool",
        }
    }
}
