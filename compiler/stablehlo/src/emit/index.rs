//! Rows at computed places. In the program of a device, the rows of other devices read as zero and are not written.

use super::state::{Emit, EmitRule, mismatch};
use super::text::{TextValue, array, list};
use meshloom_ir::table::contract::nothing;
use meshloom_ir::types::Scalar;
use meshloom_ir::{Axis, DType, Op, OpData, Reduction, TensorType};

type Made = Result<Vec<TextValue>, String>;

pub const RULES: &[(&str, EmitRule)] = &[("gather", gather), ("scatter", scatter)];

/// Rows `0..total` that indices mean, clamped, as places in this device's block of `rows`.
fn places(e: &mut Emit<'_>, indices: &TextValue, rows: u64, total: u64, shard: &[Axis]) -> TextValue {
    let at = e.out.convert(indices, DType::I32);
    let shape = at.shape().to_vec();
    let (zero, last) = (e.out.int(&shape, 0), e.out.int(&shape, total.saturating_sub(1) as i64));
    let at = e.out.same("stablehlo.clamp", &[&zero, &at, &last]);
    if shard.is_empty() {
        return at;
    }
    let start = e.start(shard, rows);
    let start = e.out.broadcast(&start, &shape, &[]);
    e.out.same("stablehlo.subtract", &[&at, &start])
}

/// Indices with a dim of their own for the one number that each has.
fn column(e: &mut Emit<'_>, at: &TextValue) -> TextValue {
    let shape: Vec<u64> = at.shape().iter().copied().chain([1]).collect();
    e.out.reshape(at, &shape)
}

fn gather(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Gather { shard, total } = &data.op else { return mismatch() };
    let [x, indices] = xs else { return mismatch() };
    let rows = x.shape()[0];
    // StableHLO clamps to the table as well: what is left to do is what a block needs.
    let at = match shard.is_empty() {
        true => e.out.convert(indices, DType::I32),
        false => {
            let total = total.unwrap_or(rows * e.func.mesh.group_size(shard));
            places(e, indices, rows, total, shard)
        }
    };
    let k = at.shape().len();
    let column = column(e, &at);
    let row = &x.shape()[1..];
    let shape: Vec<u64> = at.shape().iter().chain(row).copied().collect();
    let offsets: Vec<usize> = (k..shape.len()).collect();
    let sizes: Vec<u64> = [1].into_iter().chain(row.iter().copied()).collect();
    let numbers = format!(
        "#stablehlo.gather<offset_dims = {}, collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = {k}>",
        list(&offsets)
    );
    let head = format!(
        "\"stablehlo.gather\"({}, {}) <{{dimension_numbers = {numbers}, indices_are_sorted = false, slice_sizes = {}}}>",
        x.name,
        column.name,
        array(&sizes)
    );
    let found = e.out.typed(&head, &[x, &column], TensorType::new(x.ty.dtype, shape.clone()));
    if shard.is_empty() {
        return Ok(vec![found]);
    }
    let (zero, end) = (e.out.int(at.shape(), 0), e.out.int(at.shape(), rows as i64));
    let (from, to) = (e.out.compare("GE", &at, &zero), e.out.compare("LT", &at, &end));
    let own = e.out.same("stablehlo.and", &[&from, &to]);
    let own = e.out.broadcast(&own, &shape, &(0..k).collect::<Vec<_>>());
    let none = e.out.splat(x.ty.dtype, &shape, nothing(x.ty.dtype));
    Ok(vec![e.out.select(&own, &found, &none)])
}

fn scatter(e: &mut Emit<'_>, data: &OpData, xs: &[TextValue]) -> Made {
    let Op::Scatter { rows, total, shard } = &data.op else { return mismatch() };
    let [indices, updates] = xs else { return mismatch() };
    // Indices outside of the block are skipped, as StableHLO has it.
    let at = places(e, indices, *rows, *total, shard);
    let k = at.shape().len();
    let column = column(e, &at);
    let row = &updates.shape()[k..];
    let shape: Vec<u64> = [*rows].into_iter().chain(row.iter().copied()).collect();
    let dtype = updates.ty.dtype;
    let zeros = e.out.splat(dtype, &shape, Scalar::of(dtype, 0.0));
    let windows: Vec<usize> = (k..updates.shape().len()).collect();
    let numbers = format!(
        "#stablehlo.scatter<update_window_dims = {}, inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], \
         index_vector_dim = {k}>",
        list(&windows)
    );
    let head = format!(
        "\"stablehlo.scatter\"({}, {}, {}) <{{indices_are_sorted = false, scatter_dimension_numbers = {numbers}, \
         unique_indices = false}}> ({{",
        zeros.name, column.name, updates.name
    );
    let operands = [&zeros, &column, updates];
    Ok(vec![e.generic(&head, &operands, TensorType::new(dtype, shape), dtype, Reduction::Sum)])
}
