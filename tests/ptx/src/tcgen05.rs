//! Instructions of tensor memory (`tcgen05`): what they are, and the descriptors of a matrix product.

use crate::operand::{MemoryPlace, Operand, Operands, PartType};

/// An instruction of the fifth generation of tensor cores, of one block alone (`cta_group::1`).
#[derive(Debug)]
pub enum TensorOp {
    Allocate {
        to: MemoryPlace,
        columns: Operand,
    },
    Free {
        from: Operand,
        columns: Operand,
    },
    Relinquish,
    Product {
        to: MemoryPlace,
        /// Descriptors of the operands and of the instruction.
        first: Operand,
        second: Operand,
        instruction: Operand,
        /// Whether sums are added to those that are there.
        adds: Operand,
        kind: ProductKind,
    },
    Commit(MemoryPlace),
    /// So many columns of the 32 rows of a warp, one to each lane.
    Load {
        d: Vec<u32>,
        from: MemoryPlace,
    },
    WaitLoads,
    FenceBefore,
    FenceAfter,
}

impl TensorOp {
    /// Whether all lanes of a warp execute it together.
    pub fn is_of_warps(&self) -> bool {
        use TensorOp::{Allocate, Free, Load, Relinquish, WaitLoads};
        matches!(self, Allocate { .. } | Free { .. } | Relinquish | Load { .. } | WaitLoads)
    }
}

/// Which types of operands an instruction is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductKind {
    F16,
    Tf32,
    F8f6f4,
    I8,
}

impl ProductKind {
    /// The type of a number in the instruction's descriptor; none that is not known here.
    fn part(self, format: u32) -> Option<PartType> {
        match (self, format) {
            (ProductKind::F16, 0) => Some(PartType::F16),
            (ProductKind::F16, 1) => Some(PartType::Bf16),
            (ProductKind::Tf32, 2) => Some(PartType::Tf32),
            (ProductKind::F8f6f4, 0) => Some(PartType::E4m3),
            (ProductKind::F8f6f4, 1) => Some(PartType::E5m2),
            (ProductKind::I8, 0) => Some(PartType::U8),
            (ProductKind::I8, 1) => Some(PartType::S8),
            _ => None,
        }
    }
}

/// What the descriptor of an instruction says.
#[derive(Debug, PartialEq)]
pub struct Shape {
    pub parts: [PartType; 2],
    /// Neighbours in memory follow the rows of an operand, not the summed dim.
    pub across: [bool; 2],
    pub columns: u64,
}

impl Shape {
    /// # Errors
    /// What the manual excludes, and what is not known here.
    pub fn of(descriptor: u32, kind: ProductKind) -> Result<Shape, String> {
        let field = |at: u32, bits: u32| descriptor >> at & ((1 << bits) - 1);
        let wrong = |what: &str| Err(format!("an instruction descriptor {descriptor:#x}: {what}"));
        // Sparse operands, saturation, negation, shifts; and what has to be 0.
        if field(0, 4) | field(6, 1) | field(13, 2) | field(23, 1) | field(29, 3) != 0 {
            return wrong("fields that are not known here");
        }
        if field(4, 2) != if kind == ProductKind::I8 { 2 } else { 1 } {
            return wrong("sums that are not f32, or s32 of integers");
        }
        let (Some(a), Some(b)) = (kind.part(field(7, 3)), kind.part(field(10, 3))) else {
            return wrong("the types of operands");
        };
        let columns = u64::from(field(17, 6)) * 8;
        if field(24, 5) * 16 != 128 {
            return wrong("not 128 rows");
        }
        if !columns.is_multiple_of(16) || !(16..=256).contains(&columns) {
            return wrong("its columns are no multiple of 16 up to 256");
        }
        Ok(Shape { parts: [a, b], across: [field(15, 1) == 1, field(16, 1) == 1], columns })
    }
}

/// # Errors
/// What is not known here.
pub fn decode(words: &[&str], o: &Operands<'_>) -> Result<TensorOp, String> {
    Ok(match words[1..] {
        ["alloc", "cta_group::1", "sync", "aligned", "shared::cta", "b32"] => {
            TensorOp::Allocate { to: o.place(0)?, columns: o.value(1)? }
        }
        ["dealloc", "cta_group::1", "sync", "aligned", "b32"] => {
            TensorOp::Free { from: o.value(0)?, columns: o.value(1)? }
        }
        ["relinquish_alloc_permit", "cta_group::1", "sync", "aligned"] => TensorOp::Relinquish,
        ["mma", "cta_group::1", kind] if o.count() == 5 => {
            let kind = match kind {
                "kind::f16" => ProductKind::F16,
                "kind::tf32" => ProductKind::Tf32,
                "kind::f8f6f4" => ProductKind::F8f6f4,
                "kind::i8" => ProductKind::I8,
                _ => return Err("its kind is not known here".into()),
            };
            TensorOp::Product {
                to: o.place(0)?,
                first: o.value(1)?,
                second: o.value(2)?,
                instruction: o.value(3)?,
                adds: o.value(4)?,
                kind,
            }
        }
        ["commit", "cta_group::1", "mbarrier::arrive::one", "shared::cluster", "b64"] => TensorOp::Commit(o.place(0)?),
        ["ld", "sync", "aligned", "32x32b", count, "b32"] => {
            let d = o.whole(0)?;
            let all = ["x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"];
            if all.iter().position(|c| *c == count).map(|i| 1 << i) != Some(d.len()) {
                return Err("the number of its registers".into());
            }
            TensorOp::Load { d, from: o.place(1)? }
        }
        ["wait::ld", "sync", "aligned"] => TensorOp::WaitLoads,
        ["fence::before_thread_sync"] => TensorOp::FenceBefore,
        ["fence::after_thread_sync"] => TensorOp::FenceAfter,
        _ => return Err("not known here".into()),
    })
}
