//! The names that kernels and bundles have for the element types of the IR. Each crate has types of its own, so that
//! none depends on another for them.

use meshloom_bundle::program as bundle;
use meshloom_ir::DType;
use meshloom_kernels as k;

/// The code generator's name of a dtype, as it is in memory.
pub fn kernel_dtype(d: DType) -> k::DType {
    match d {
        DType::F32 => k::DType::F32,
        DType::F64 => k::DType::F64,
        DType::BF16 => k::DType::Bf16,
        DType::F16 => k::DType::F16,
        DType::I32 => k::DType::I32,
        DType::I64 => k::DType::I64,
        DType::I8 => k::DType::I8,
        DType::U8 => k::DType::U8,
        DType::U32 => k::DType::U32,
        DType::Bool => k::DType::Bool,
        DType::F8E4M3 => k::DType::F8E4m3,
        DType::F8E5M2 => k::DType::F8E5m2,
    }
}

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

/// The IR's name of the type in which sums of a type are taken.
pub fn wide_of(dtype: meshloom_kernels::DType) -> meshloom_ir::DType {
    match dtype {
        meshloom_kernels::DType::F64 => meshloom_ir::DType::F64,
        meshloom_kernels::DType::I32 => meshloom_ir::DType::I32,
        meshloom_kernels::DType::I64 => meshloom_ir::DType::I64,
        _ => meshloom_ir::DType::F32,
    }
}
