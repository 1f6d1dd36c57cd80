//! Contractions of operands that have a scale for each block of the contracted dim: the custom call `__op$block_scaled_dot`, which JAX
//! prints for CUDA (`jax.nn.scaled_matmul` and `scaled_dot_general`, MXFP8 and NVFP4). As XLA does where cuDNN has no kernel for it,
//! each operand is multiplied with its scales, and one contraction follows. The scales are spread over a dim of their blocks, so a
//! contracted dim may be split between blocks.
//!
//! Not here: kernels that multiply 8 or 4 bits and their scales as they are, as the tensor cores of Blackwell do.

use super::state::Import;
use crate::lexer::Token;
use crate::module::TextOp;
use meshloom_ir::{DType, Einsum, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const TARGET: &str = "__op$block_scaled_dot";

/// Element types of which each product of one with a scale of them is a bf16: no more than four bits of mantissa each.
const SHORT: &[&str] = &["f8E4M3FN", "f8E5M2", "f8E8M0FNU", "f4E2M1FN"];

/// Both operands, their scales (the right one may have none), and a factor of the result, which may be missing.
pub fn import(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let operands = i.operands(op)?;
    let (pair, scales) = operands.split_at(operands.len().min(2));
    let (&[x, y], Some(&of_x)) = (pair, scales.first()) else {
        return Err(format!("`{TARGET}` takes 3 to 5 operands, and has {}", operands.len()));
    };
    let (of_y, factor) = (scales.get(1).copied(), scales.get(2).copied());
    if scales.len() > 3 {
        return Err(format!("`{TARGET}` takes 3 to 5 operands, and has {}", operands.len()));
    }
    let to = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?.dtype;
    if !matches!(to, DType::BF16 | DType::F16 | DType::F32 | DType::F64) {
        return Err(format!("`{TARGET}` to {to} is not supported\ntake f32, bf16 or f16 as `preferred_element_type`"));
    }
    let einsum = einsum(i, op, [x, y])?;
    let elements = op.operand_elements();
    let short = of_y.is_some() && elements.iter().take(4).all(|e| SHORT.contains(e)) && to != DType::F64;
    // Scales are larger and smaller than an f16 may be.
    let (inside, sum) = match to {
        DType::F64 => (DType::F64, DType::F64),
        DType::BF16 if short => (DType::BF16, DType::BF16),
        _ if short => (DType::BF16, DType::F32),
        _ => (DType::F32, DType::F32),
    };
    let block = stated_block(op);
    let x = i.times_scales(x, Some(of_x), inside, block)?;
    let y = i.times_scales(y, of_y, inside, block)?;
    let einsum = Einsum { to: (sum != inside).then_some(sum), ..einsum };
    let out = i.emit(Ir::DotGeneral(einsum), &[x, y])?;
    let out = i.convert(out, to)?;
    let Some(factor) = factor else { return Ok(vec![out]) };
    if !i.b.ty(factor).shape.is_empty() {
        return Err(format!("the factor of the result is one number, not {}", i.b.ty(factor)));
    }
    let (factor, shape) = (i.convert(factor, to)?, i.b.shape(out));
    let factor = i.broadcast(factor, &shape, &[])?;
    Ok(vec![i.elem("multiply", &[out, factor])?])
}

/// The last dims are contracted; where there are three, the first is a batch.
fn einsum(i: &Import<'_>, op: &TextOp<'_>, xs: [ValueId; 2]) -> Result<Einsum, String> {
    let shapes = xs.map(|x| i.b.shape(x));
    let rank = shapes[0].len();
    let batches = ["lhs_batch_dimensions", "rhs_batch_dimensions"].map(|name| setting(op, name));
    let batch: &[u64] = if rank == 3 { &[0] } else { &[] };
    if batches.iter().flatten().any(|b| b != batch) {
        return Err("the batch of `__op$block_scaled_dot` is dim 0 of three".to_string());
    }
    let fits = matches!(rank, 2 | 3) && shapes[1].len() == rank && shapes[0][..rank - 2] == shapes[1][..rank - 2];
    if !fits || shapes[0].last() != shapes[1].last() {
        return Err(format!(
            "`{TARGET}` takes operands of shapes [B, M, K] and [B, N, K], or without B, not {:?} and {:?}",
            shapes[0], shapes[1]
        ));
    }
    Einsum::parse(if rank == 3 { "bmk,bnk->bmn" } else { "mk,nk->mn" })
}

/// The length of a block, where the call says it.
fn stated_block(op: &TextOp<'_>) -> Option<u64> {
    setting(op, "block_size")?.first().copied().filter(|&n| n > 0)
}

/// The numbers behind a name in the call's `backend_config`, which is JSON in a string of MLIR.
fn setting(op: &TextOp<'_>, name: &str) -> Option<Vec<u64>> {
    let text = op.attr("backend_config")?.first()?.leaf(Token::Str)?.replace("\\22", "\"").replace("\\\"", "\"");
    let behind = text.split_once(&format!("\"{name}\""))?.1.trim_start().strip_prefix(':')?.trim_start();
    let inner = match behind.strip_prefix('[') {
        Some(list) => list.split_once(']')?.0,
        None => behind.split(|c: char| !c.is_ascii_digit()).next()?,
    };
    inner.split(',').map(str::trim).filter(|n| !n.is_empty()).map(|n| n.parse().ok()).collect()
}

impl Import<'_> {
    /// A value in another type, each block of its last dim times its scale.
    fn times_scales(
        &mut self,
        x: ValueId,
        scales: Option<ValueId>,
        to: DType,
        stated: Option<u64>,
    ) -> Result<ValueId, String> {
        let x = self.convert(x, to)?;
        let Some(scales) = scales else { return Ok(x) };
        let (shape, of) = (self.b.shape(x), self.b.shape(scales));
        let last = shape.len() - 1;
        let (n, count) = (shape[last], of.last().copied().unwrap_or(0));
        let other = || format!("scales of shape {of:?} do not go with an operand of shape {shape:?}");
        if of.len() != shape.len() || of[..last] != shape[..last] || count == 0 || !n.is_multiple_of(count) {
            return Err(other());
        }
        if stated.is_some_and(|block| block != n / count) {
            return Err(format!("{}, whose blocks are {} long", other(), stated.unwrap_or(0)));
        }
        let blocks = [&of[..], &[n / count]].concat();
        let scales = self.convert(scales, to)?;
        let scales = self.broadcast(scales, &blocks, &(0..=last).collect::<Vec<_>>())?;
        let x = self.emit(Ir::Reshape { shape: blocks }, &[x])?;
        let x = self.elem("multiply", &[x, scales])?;
        self.emit(Ir::Reshape { shape }, &[x])
    }
}
