//! Ops that read and write at computed places.
//!
//! Of `gather` and `scatter` the form that looks up rows: one index a row, of a dim that the result does not keep. Slices at
//! computed places are rows of each of their dims in turn.

use super::counted::Access;
use super::{Import, Rule};
use crate::module::Op;
use crate::read;
use crate::tree::Tree;
use meshloom_ir::{DType, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, Rule)] = &[
    ("stablehlo.gather", gather),
    ("stablehlo.scatter", scatter),
    ("stablehlo.dynamic_slice", dynamic_slice),
    ("stablehlo.dynamic_update_slice", dynamic_update),
];

/// Dim numbers in `#stablehlo.gather<..>`.
struct Numbers<'t, 's>(&'t [Tree<'s>]);

impl<'t, 's> Numbers<'t, 's> {
    fn of(op: &Op<'s>, name: &str) -> Result<Numbers<'s, 's>, String> {
        let trees = op.attr(name).and_then(|t| t.iter().find_map(|t| t.group(b'<')));
        Ok(Numbers(trees.ok_or_else(|| format!("`{name}` is missing"))?))
    }

    fn dims(&self, name: &str) -> Vec<usize> {
        let found = read::setting(self.0, name).map(read::ints).unwrap_or_default();
        found.into_iter().filter_map(|n| usize::try_from(n).ok()).collect()
    }
}

/// The dim of which rows are taken, where that is what it is, and the indices without their last dim of size 1.
fn rows(
    i: &mut Import<'_>,
    n: &Numbers<'_, '_>,
    table: &[u64],
    indices: ValueId,
    names: [&str; 4],
) -> Result<(usize, ValueId), String> {
    let [dropped, mapped, window, batching] = names.map(|name| n.dims(name));
    let general = "only gathers and scatters of whole rows are supported";
    let vector = n.dims("index_vector_dim").first().copied().unwrap_or(0);
    let shape = i.b.shape(indices);
    let ([dim], true, true) = (&dropped[..], dropped == mapped, batching.is_empty()) else {
        return Err(general.to_string());
    };
    let kept = match shape.get(vector) {
        None => shape.clone(),
        Some(1) if vector + 1 == shape.len() => shape[..vector].to_vec(),
        Some(_) => return Err(general.to_string()),
    };
    // The window's dims come last in the result: rows at the places of their indices.
    let last: Vec<usize> = (kept.len()..kept.len() + table.len() - 1).collect();
    if window != last || *dim >= table.len() {
        return Err(general.to_string());
    }
    let indices = if kept == shape { indices } else { i.emit(Ir::Reshape { shape: kept }, &[indices])? };
    let dtype = i.b.ty(indices).dtype;
    let indices = if dtype == DType::I32 { indices } else { i.convert(indices, DType::I32)? };
    Ok((*dim, indices))
}

/// `dim` first, the others in their order; `back` undoes it.
fn front(i: &mut Import<'_>, x: ValueId, dim: usize, back: bool) -> Result<ValueId, String> {
    let rank = i.b.ty(x).rank();
    if dim == 0 {
        return Ok(x);
    }
    let mut perm: Vec<usize> = (0..rank).collect();
    if back {
        perm.remove(0);
        perm.insert(dim, 0);
    } else {
        perm.remove(dim);
        perm.insert(0, dim);
    }
    i.emit(Ir::Transpose { perm }, &[x])
}

fn gather(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x, indices] = i.exactly(op)?;
    let n = Numbers::of(op, "dimension_numbers")?;
    let table = i.b.shape(x);
    let names = ["collapsed_slice_dims", "start_index_map", "offset_dims", "operand_batching_dims"];
    let (dim, indices) = rows(i, &n, &table, indices, names)?;
    let sizes = op.sizes("slice_sizes")?;
    let whole = sizes.len() == table.len() && (0..sizes.len()).all(|d| sizes[d] == if d == dim { 1 } else { table[d] });
    if !whole {
        return Err("only gathers of whole rows are supported".to_string());
    }
    let x = front(i, x, dim, false)?;
    Ok(vec![i.emit(Ir::Gather { shard: Vec::new(), total: None }, &[x, indices])?])
}

/// Adds rows to a table.
fn scatter(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let [x, indices, updates] = i.exactly(op)?;
    let n = Numbers::of(op, "scatter_dimension_numbers")?;
    let by = super::reduce::combines(op.regions().first().copied().ok_or("the body is missing")?)?;
    if by != "stablehlo.add" {
        return Err(format!("scattering by `{by}` is not supported"));
    }
    let table = i.b.shape(x);
    let names = ["inserted_window_dims", "scatter_dims_to_operand_dims", "update_window_dims", "input_batching_dims"];
    let (dim, indices) = rows(i, &n, &table, indices, names)?;
    let (indices, updates) = within(i, indices, updates, table[dim])?;
    let op = Ir::Scatter { rows: table[dim], total: table[dim], shard: Vec::new() };
    let rows = i.emit(op, &[indices, updates])?;
    let rows = front(i, rows, dim, true)?;
    if super::constant(i.func(), x).is_some_and(|v| v.as_f64() == 0.0) {
        return Ok(vec![rows]);
    }
    Ok(vec![i.elem("add", &[x, rows])?])
}

/// An update outside of the table is dropped, where the IR's scatter would clamp: it adds nothing.
fn within(i: &mut Import<'_>, indices: ValueId, updates: ValueId, n: u64) -> Result<(ValueId, ValueId), String> {
    let low = i.b.constant_like(indices, 0.0);
    let high = i.b.constant_like(indices, n as f64);
    let not_low = i.elem("compare_ge", &[indices, low])?;
    let not_high = i.elem("compare_lt", &[indices, high])?;
    let inside = i.elem("and", &[not_low, not_high])?;
    let shape = i.b.shape(updates);
    let dims: Vec<usize> = (0..i.b.ty(indices).rank()).collect();
    let inside = i.broadcast(inside, &shape, &dims)?;
    let zero = i.b.constant_like(updates, 0.0);
    Ok((indices, i.select(inside, updates, zero)?))
}

/// The starts of a slice, clamped so that it fits: of each dim in which it is not whole.
fn starts(i: &mut Import<'_>, given: &[ValueId], from: &[u64], sizes: &[u64]) -> Result<Vec<(usize, ValueId)>, String> {
    if given.len() != from.len() || sizes.len() != from.len() || (0..from.len()).any(|d| sizes[d] > from[d]) {
        return Err("the slice does not fit into its operand".to_string());
    }
    let mut out = Vec::new();
    for d in (0..from.len()).filter(|&d| sizes[d] < from[d]) {
        let at = i.convert(given[d], DType::I32)?;
        let low = i.b.constant_like(at, 0.0);
        let high = i.b.constant_like(at, (from[d] - sizes[d]) as f64);
        let at = i.elem("maximum", &[at, low])?;
        out.push((d, i.elem("minimum", &[at, high])?));
    }
    Ok(out)
}

fn dynamic_slice(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let all = i.operands(op)?;
    let [x, given @ ..] = &all[..] else { return Err("the operand is missing".to_string()) };
    let name = if op.attr("sizes").is_some() { "sizes" } else { "slice_sizes" };
    let sizes = op.sizes(name)?;
    let from = i.b.shape(*x);
    let (whole, mut x) = (*x, *x);
    for (d, start) in starts(i, given, &from, &sizes)? {
        let steps = i.emit(index(sizes[d]), &[])?;
        let start = i.broadcast(start, &[sizes[d]], &[])?;
        let at = i.elem("add", &[steps, start])?;
        let rows = front(i, x, d, false)?;
        let rows = i.emit(Ir::Gather { shard: Vec::new(), total: None }, &[rows, at])?;
        x = front(i, rows, d, true)?;
    }
    i.accessed(Access { of: whole, starts: given.to_vec(), sizes, update: None, result: x });
    Ok(vec![x])
}

fn index(n: u64) -> Ir {
    Ir::Iota { dtype: DType::I32, shape: vec![n], dim: 0, shard: Vec::new() }
}

/// Each element of the operand is the update's where the slice is.
fn dynamic_update(i: &mut Import<'_>, op: &Op<'_>) -> Made {
    let all = i.operands(op)?;
    let [x, update, given @ ..] = &all[..] else { return Err("operand and update are missing".to_string()) };
    let (from, sizes) = (i.b.shape(*x), i.b.shape(*update));
    let (written, mut update) = (*update, *update);
    let mut inside: Option<ValueId> = None;
    for (d, start) in starts(i, given, &from, &sizes)? {
        let places = i.emit(index(from[d]), &[])?;
        let start = i.broadcast(start, &[from[d]], &[])?;
        let at = i.elem("subtract", &[places, start])?;
        let rows = front(i, update, d, false)?;
        let rows = i.emit(Ir::Gather { shard: Vec::new(), total: None }, &[rows, at])?;
        update = front(i, rows, d, true)?;
        let zero = i.b.constant_like(at, 0.0);
        let end = i.b.constant_like(at, sizes[d] as f64);
        let [after, before] = [i.elem("compare_ge", &[at, zero])?, i.elem("compare_lt", &[at, end])?];
        let here = i.elem("and", &[after, before])?;
        let here = i.broadcast(here, &from, &[d])?;
        inside = Some(match inside {
            None => here,
            Some(other) => i.elem("and", &[other, here])?,
        });
    }
    let result = match inside {
        None => update,
        Some(inside) => i.select(inside, update, *x)?,
    };
    i.accessed(Access { of: *x, starts: given.to_vec(), sizes, update: Some(written), result });
    Ok(vec![result])
}
