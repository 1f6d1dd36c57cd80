//! The op table: for each op its types, factor rule, local form, gradient, evaluation and cost, in one entry.
//!
//! Elementwise ops are rows of [`elem::TABLE`]; ops that move, contract or reduce stand in a file per family, each with one
//! `pub static` [`OpDef`]. Ops with regions (`repeat`, `composite`) have no entry: what they mean is their body, and each
//! phase walks it; their type rules are in [`region`].

pub mod comm;
pub mod contract;
pub mod elem;
pub mod index;
pub mod order;
pub mod random;
pub mod region;
pub mod shape;
pub mod window;

use crate::builder::Builder;
use crate::factor::{Assignment, FactorRule};
use crate::graph::{Func, OpId, ValueId};
use crate::mesh::Mesh;
use crate::op::Op;
use crate::tensor::Tensor;
use crate::types::TensorType;

/// What a local form is made from.
pub struct Local<'a> {
    pub mesh: &'a Mesh,
    pub rule: &'a FactorRule,
    pub assignment: &'a Assignment,
    /// Local type of the result.
    pub result: &'a TensorType,
}

/// Which device evaluates.
#[derive(Clone, Copy)]
pub struct EvalCx<'a> {
    pub mesh: &'a Mesh,
    pub device: u64,
}

/// What a gradient rule sees: the op, its operands and result, and the cotangent of the result.
pub struct GradCx<'a> {
    pub op: &'a Op,
    pub operands: &'a [ValueId],
    pub result: ValueId,
    pub ct: ValueId,
}

/// Builds the cotangents of the operands; `None` where an operand has none (indices, conditions).
pub type GradRule = fn(&mut Builder, &GradCx<'_>) -> Vec<Option<ValueId>>;

/// One entry of the table.
pub struct OpDef {
    /// Result type from operand types, or what does not fit.
    pub infer: fn(&Op, &[&TensorType]) -> Result<TensorType, String>,
    /// Which dims are the same index.
    pub factors: fn(&Op, &[&TensorType], &TensorType) -> FactorRule,
    /// The op one device runs under an assignment: attributes that carry sizes are rewritten.
    pub localize: fn(&Op, &Local<'_>) -> Op,
    /// Absent: the op passes no gradient (integers, comparisons) or stands in local programs only.
    pub grad: Option<GradRule>,
    pub eval: fn(&Op, &[&Tensor], &EvalCx<'_>) -> Tensor,
    /// Floating point operations.
    pub flops: fn(&Op, &[&TensorType], &TensorType) -> u64,
}

/// The entry of an op. Region ops have none.
pub fn def(op: &Op) -> Option<&'static OpDef> {
    Some(match op {
        Op::Constant { .. } => &shape::CONSTANT,
        Op::Iota { .. } => &shape::IOTA,
        Op::Elem(_) => &elem::ELEM,
        Op::Convert { .. } => &elem::CONVERT,
        Op::Broadcast { .. } => &shape::BROADCAST,
        Op::Reshape { .. } => &shape::RESHAPE,
        Op::Transpose { .. } => &shape::TRANSPOSE,
        Op::Slice { .. } => &shape::SLICE,
        Op::Pad { .. } => &shape::PAD,
        Op::Concatenate { .. } => &shape::CONCATENATE,
        Op::Rotate { .. } => &shape::ROTATE,
        Op::Windows { .. } => &window::WINDOWS,
        Op::Reverse { .. } => &window::REVERSE,
        Op::DotGeneral(_) => &contract::DOT_GENERAL,
        Op::Reduce { .. } => &contract::REDUCE,
        Op::Cumulative { .. } => &order::CUMULATIVE,
        Op::TopK { .. } => &order::TOP_K,
        Op::RandomBits { .. } => &random::RANDOM_BITS,
        Op::Gather { .. } => &index::GATHER,
        Op::Scatter { .. } => &index::SCATTER,
        Op::Constrain(_) => &shape::CONSTRAIN,
        Op::AllReduce { .. }
        | Op::AllGather { .. }
        | Op::ReduceScatter { .. }
        | Op::AllToAll { .. }
        | Op::CollectivePermute { .. }
        | Op::CollectiveShift { .. }
        | Op::ShardSlice { .. }
        | Op::PartialSplit { .. }
        | Op::PadMask { .. }
        | Op::Composite { .. }
        | Op::Repeat { .. } => return None,
    })
}

/// Result type of an op without regions. Collectives need the mesh: see [`comm::infer`].
///
/// # Errors
/// What does not fit, as a sentence without a place.
pub fn infer(op: &Op, operands: &[&TensorType]) -> Result<TensorType, String> {
    match def(op) {
        Some(d) => (d.infer)(op, operands),
        None => Err(format!("the type of `{}` does not follow from its operands alone", op.name())),
    }
}

/// The factor rule of an op of a function: from the table, or for a composite from its body. `None` for `repeat` and
/// collectives.
pub fn factors(func: &Func, op: OpId) -> Option<FactorRule> {
    let data = func.op(op);
    match &data.op {
        Op::Composite { .. } => Some(region::composite_factors(func, op)),
        other => def(other).map(|d| (d.factors)(other, &func.operand_types(op), func.ty(data.results[0]))),
    }
}

/// Floating point operations of an op, those of its regions included.
pub fn flops(func: &Func, op: OpId) -> u64 {
    let data = func.op(op);
    match &data.op {
        Op::Repeat { .. } => data.op.rounds().saturating_mul(region_flops(func, op)),
        Op::Composite { .. } => {
            let (seen, keys) = region::window(func, op);
            (u128::from(region_flops(func, op)) * u128::from(seen) / u128::from(keys.max(1))) as u64
        }
        other => match def(other) {
            Some(d) => (d.flops)(other, &func.operand_types(op), func.ty(data.results[0])),
            None => 0,
        },
    }
}

fn region_flops(func: &Func, op: OpId) -> u64 {
    let regions = &func.op(op).regions;
    regions.iter().flat_map(|&r| &func.region(r).ops).fold(0, |n: u64, &o| n.saturating_add(flops(func, o)))
}

fn arity(op: &Op, operands: &[&TensorType], n: usize) -> Result<(), String> {
    if operands.len() == n {
        return Ok(());
    }
    Err(format!("`{}` takes {n} operand{}, not {}", op.name(), if n == 1 { "" } else { "s" }, operands.len()))
}

fn same(op: &Op, _: &Local<'_>) -> Op {
    op.clone()
}

fn no_flops(_: &Op, _: &[&TensorType], _: &TensorType) -> u64 {
    0
}

fn one_per_element(_: &Op, _: &[&TensorType], result: &TensorType) -> u64 {
    result.elements()
}
