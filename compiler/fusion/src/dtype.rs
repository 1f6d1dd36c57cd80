//! The names that bundles have for the element types of the IR.

use meshloom_bundle::program as bundle;
use meshloom_ir::DType;

/// The bundle's name of a dtype. 8-bit floats are bytes to the runtime; no port has such a type ([`crate::arrange`]).
pub fn bundle_dtype(d: DType) -> bundle::ElementType {
    match d {
        DType::F32 => bundle::ElementType::F32,
        DType::F64 => bundle::ElementType::F64,
        DType::F16 => bundle::ElementType::F16,
        DType::BF16 => bundle::ElementType::Bf16,
        DType::I32 => bundle::ElementType::I32,
        DType::I64 => bundle::ElementType::I64,
        DType::U32 => bundle::ElementType::U32,
        DType::I8 => bundle::ElementType::I8,
        DType::U8 | DType::F8E4M3 | DType::F8E5M2 => bundle::ElementType::U8,
        DType::Bool => bundle::ElementType::Bool,
    }
}
