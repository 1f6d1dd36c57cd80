//! `scatter` in its full form.
//!
//! Sums of floats into rows are the IR's scatter. Any other combination, and any scatter with batching dims, is a reduction: at
//! each place, over the updates that belong there. If updates replace, the last update of each place is found, and that one is
//! read. A body of any other form needs `unique_indices`, since StableHLO defines no order of several updates.

use super::gather::{Indexed, places};
use super::index::Numbers;
use super::reduce::kind_of;
use super::regions::NamedRegion;
use super::state::SliceAccess;
use super::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{DType, Op as Ir, Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.scatter", scatter)];

/// Operand, places and updates as `[B.., N, R..]`, `[B.., M]` and `[B.., M, R..]`.
struct Rows {
    x: ValueId,
    /// Minus one where an update's window is not inside, and the update is dropped.
    at: ValueId,
    updates: ValueId,
    batch: usize,
    element: &'static str,
}

fn scatter<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let all = i.operands(op)?;
    if all.len() < 3 || all.len() % 2 == 0 {
        return Err("a scatter takes operands, indices, and an update for each operand".to_string());
    }
    let n = all.len() / 2;
    let (xs, indices, updates) = (&all[..n], all[n], &all[n + 1..]);
    let numbers = Numbers::of(op, "scatter_dimension_numbers")?;
    let region = NamedRegion::of(op, 0)?;
    let unique = op.attr("unique_indices").is_some_and(|t| t.iter().any(|t| t.is_word("true")));
    let shape = i.b.shape(xs[0]);
    let (at, window) = indexed(i, &numbers, &shape, indices, updates[0])?;
    // The indices stand between as many operands and updates.
    let elements = op.operand_elements();
    let signed = i.as_index(indices, elements.get(elements.len() / 2).copied())?;
    let places = places(i, &at, &shape, signed, false)?;
    let grid = i.b.ty(places.flat).rank() - at.map.len();
    let flat = match places.inside {
        None => places.flat,
        Some(inside) => {
            let full = i.b.shape(places.flat);
            let dims: Vec<usize> = (0..grid).collect();
            let inside = i.broadcast(inside, &full, &dims)?;
            let none = i.b.constant_like(places.flat, -1.0);
            i.select(inside, places.flat, none)?
        }
    };
    let rest = at.rest();
    let batch: Vec<u64> = at.batch.iter().map(|&(d, _)| shape[d]).collect();
    let first: Vec<usize> = at.batch.iter().map(|b| b.1).collect();
    let flat = i.permuted(flat, &first)?;
    let m: u64 = i.b.shape(flat)[first.len()..].iter().product();
    let flat = i.reshaped(flat, &[&batch[..], &[m]].concat())?;
    let row: Vec<u64> = rest.iter().map(|&d| at.sizes[d]).collect();
    let front: Vec<usize> = at.batch.iter().map(|b| b.0).chain(at.map.iter().copied()).collect();
    let count: u64 = at.map.iter().map(|&d| shape[d]).product();
    let element = if op.elements()[0] == "ui64" { "ui64" } else { "" };
    let mut rows = Vec::new();
    for (&x, &u) in xs.iter().zip(updates) {
        let mut part = x;
        for &d in &rest {
            part = i.range(part, d, 0, at.sizes[d])?;
        }
        let part = i.permuted(part, &front)?;
        let part = i.reshaped(part, &[&batch[..], &[count], &row].concat())?;
        let u = arranged(i, u, &window, &at, &first, &rest)?;
        let u = i.reshaped(u, &[&batch[..], &[m], &row].concat())?;
        rows.push(Rows { x: part, at: flat, updates: u, batch: batch.len(), element });
    }
    let made = combined(i, &region, &rows, unique)?;
    // Back to the operand's order of dims, and into the rest of it.
    let ordered: Vec<usize> = front.iter().chain(&rest).copied().collect();
    let sizes: Vec<u64> = ordered.iter().map(|&d| if rest.contains(&d) { at.sizes[d] } else { shape[d] }).collect();
    let back: Vec<usize> = (0..shape.len()).map(|d| ordered.iter().position(|&o| o == d).unwrap_or(d)).collect();
    let mut results = Vec::new();
    for (&x, out) in xs.iter().zip(made) {
        let out = i.reshaped(out, &sizes)?;
        let out = i.permuted(out, &back)?;
        results.push(i.over(x, out, &rest)?);
    }
    if let (&[x], &[update], &[result]) = (xs, updates, &results[..])
        && replaces(&region, 1)
    {
        one_entry(i, &at, x, indices, update, result)?;
    }
    Ok(results)
}

/// Notes `x.at[i].set(..)`, which replaces one entry along one dim: in a loop that counts, entry by entry, as a
/// `dynamic_update_slice` does. The two differ where `i` is outside; then no such loop is made of either.
fn one_entry(
    i: &mut Import<'_>,
    at: &Indexed,
    of: ValueId,
    index: ValueId,
    update: ValueId,
    result: ValueId,
) -> Result<(), String> {
    let shape = i.b.shape(of);
    let &[dim] = &at.map[..] else { return Ok(()) };
    let whole = (0..shape.len()).all(|d| at.sizes[d] == if d == dim { 1 } else { shape[d] });
    if at.batch.is_empty() && whole && i.b.ty(index).elements() == 1 {
        let update = i.reshaped(update, &at.sizes)?;
        i.accessed(SliceAccess {
            of,
            starts: vec![index; shape.len()],
            sizes: at.sizes.clone(),
            update: Some(update),
            result,
        });
    }
    Ok(())
}

/// Which dims are indexed, with the sizes of windows; and the update's dims that lie in its window.
fn indexed(
    i: &Import<'_>,
    n: &Numbers<'_, '_>,
    shape: &[u64],
    indices: ValueId,
    update: ValueId,
) -> Result<(Indexed, Vec<usize>), String> {
    let misfit = || "the dimension numbers do not fit the operands".to_string();
    let (dims, of_update) = (i.b.shape(indices), i.b.shape(update));
    let vector = n.dims("index_vector_dim").first().copied().unwrap_or(0);
    let (of_x, of_indices) = (n.dims("input_batching_dims"), n.dims("scatter_indices_batching_dims"));
    let (inserted, window) = (n.dims("inserted_window_dims"), n.dims("update_window_dims"));
    let mut sizes = vec![1; shape.len()];
    let mut of_window = window.iter();
    for d in (0..shape.len()).filter(|d| !inserted.contains(d) && !of_x.contains(d)) {
        sizes[d] = *of_window.next().and_then(|&w| of_update.get(w)).ok_or_else(misfit)?;
    }
    if of_window.next().is_some() || of_x.len() != of_indices.len() || vector > dims.len() {
        return Err(misfit());
    }
    let of_indices = of_indices.into_iter().map(|d| if d > vector { d - 1 } else { d });
    let batch = of_x.into_iter().zip(of_indices).collect();
    let at = Indexed { batch, map: n.dims("scatter_dims_to_operand_dims"), vector, sizes };
    at.check(shape, &dims)?;
    if of_update.len() != window.len() + dims.len() - usize::from(vector < dims.len()) {
        return Err(misfit());
    }
    // By dim of the operand: the update's dim that is its window, none where it is inserted.
    let mut by_dim = vec![usize::MAX; shape.len()];
    let kept = (0..shape.len()).filter(|&d| !inserted.contains(&d) && !at.batch.iter().any(|b| b.0 == d));
    for (d, w) in kept.zip(window) {
        by_dim[d] = w;
    }
    Ok((at, by_dim))
}

/// An update's dims as batch, the grid's others, windows of indexed dims, windows of the rest; inserted ones have no dim here.
fn arranged(
    i: &mut Import<'_>,
    update: ValueId,
    window: &[usize],
    at: &Indexed,
    first: &[usize],
    rest: &[usize],
) -> Result<ValueId, String> {
    let rank = i.b.ty(update).rank();
    let grid: Vec<usize> = (0..rank).filter(|d| !window.contains(d)).collect();
    let others = (0..grid.len()).filter(|g| !first.contains(g)).map(|g| grid[g]);
    let windows = at.map.iter().chain(rest).map(|&d| window[d]).filter(|&w| w != usize::MAX);
    let order: Vec<usize> = first.iter().map(|&g| grid[g]).chain(others).chain(windows).collect();
    i.permuted(update, &order)
}

fn combined<'m>(i: &mut Import<'m>, region: &NamedRegion<'m>, rows: &[Rows], unique: bool) -> Made {
    if let ([one], Some(by)) = (rows, region.one_op())
        && let Some((kind, name)) = kind_of(by.name, i.b.ty(one.x).dtype)
    {
        return Ok(vec![by_kind(i, one, kind, name)?]);
    }
    let replaces = replaces(region, rows.len());
    if !replaces && !unique {
        return Err(
            "the body of this scatter is neither one op (add, multiply, maximum, minimum, and, or) nor its second \
             argument; others need `unique_indices = true`"
                .to_string(),
        );
    }
    let last = last(i, &rows[0])?;
    let mut here = Vec::new();
    let none = i.b.constant_like(last, -1.0);
    let some = i.elem("compare_gt", &[last, none])?;
    let zero = i.b.constant_like(last, 0.0);
    let at = i.elem("maximum", &[last, zero])?;
    for r in rows {
        here.push(i.take(r.updates, at, r.batch)?);
    }
    let olds: Vec<ValueId> = rows.iter().map(|r| r.x).collect();
    let news = if replaces { here } else { i.apply(region, &[&olds[..], &here].concat())? };
    rows.iter()
        .zip(news)
        .map(|(r, new)| {
            let (shape, dims) = (i.b.shape(r.x), (0..=r.batch).collect::<Vec<_>>());
            let some = i.broadcast(some, &shape, &dims)?;
            i.select(some, new, r.x)
        })
        .collect()
}

/// `^bb0(%old, %new): return %new`, of each of `n` operands.
fn replaces(region: &NamedRegion<'_>, n: usize) -> bool {
    let new = |k: usize| region.names.get(n + k).map(String::as_str);
    region.ops.len() == 1 && region.ops[0].operands().iter().enumerate().all(|(k, o)| Some(*o) == new(k))
}

/// For each place the last update that belongs there, -1 for none: `[B.., N]`.
fn last(i: &mut Import<'_>, r: &Rows) -> Result<ValueId, String> {
    let n = i.b.shape(r.x)[r.batch];
    let hit = i.hits(r.at, r.batch, n)?;
    let shape = i.b.shape(hit);
    let updates = i.emit(Ir::Iota { dtype: DType::I32, shape, dim: r.batch, shard: Vec::new() }, &[])?;
    let none = i.b.constant_like(updates, -1.0);
    let own = i.select(hit, updates, none)?;
    i.reduce(Reduction::Max, own, &[r.batch])
}

fn by_kind(i: &mut Import<'_>, r: &Rows, kind: Reduction, name: &str) -> Result<ValueId, String> {
    let shape = i.b.shape(r.x);
    let n = shape[r.batch];
    if kind == Reduction::Sum && r.batch == 0 && i.b.ty(r.x).dtype.is_float() {
        // What is outside adds nothing where it is clamped to.
        let zero = i.b.constant_like(r.at, 0.0);
        let inside = i.elem("compare_ge", &[r.at, zero])?;
        let to = i.b.shape(r.updates);
        let inside = i.broadcast(inside, &to, &[0])?;
        let nothing = i.b.constant_like(r.updates, 0.0);
        let updates = i.select(inside, r.updates, nothing)?;
        let sums = i.emit(Ir::Scatter { rows: n, total: n, shard: Vec::new() }, &[r.at, updates])?;
        let nothing = super::state::constant(i.func(), r.x).is_some_and(super::state::is_zero);
        return if nothing { Ok(sums) } else { with_sums(i, r.x, sums) };
    }
    let hit = i.hits(r.at, r.batch, n)?;
    // B.., M, N, R..
    let m = i.b.shape(r.at)[r.batch];
    let full = [&shape[..r.batch], &[m], &shape[r.batch..]].concat();
    let hit_dims: Vec<usize> = (0..r.batch + 2).collect();
    let hit = i.broadcast(hit, &full, &hit_dims)?;
    let of_updates: Vec<usize> = (0..=r.batch).chain(r.batch + 2..full.len()).collect();
    let updates = i.broadcast(r.updates, &full, &of_updates)?;
    let of_x: Vec<usize> = (0..r.batch).chain(r.batch + 1..full.len()).collect();
    let other = match kind {
        Reduction::Sum => i.b.constant_like(updates, 0.0),
        Reduction::Prod => i.b.constant_like(updates, 1.0),
        // The operand itself, which may be combined with itself.
        _ => i.broadcast(r.x, &full, &of_x)?,
    };
    let terms = i.select(hit, updates, other)?;
    let out = i.combined(kind, terms, &[r.batch], r.element)?;
    if kind == Reduction::Sum && i.b.ty(r.x).dtype.is_float() {
        return with_sums(i, r.x, out);
    }
    i.of_element(name, &[r.x, out], r.element)
}

/// `x` with sums added to it. Where nothing is added it stays as it is, which may be -0.
fn with_sums(i: &mut Import<'_>, x: ValueId, sums: ValueId) -> Result<ValueId, String> {
    let all = i.elem("add", &[x, sums])?;
    let zero = i.b.constant_like(sums, 0.0);
    let none = i.elem("compare_eq", &[sums, zero])?;
    i.select(none, x, all)
}

impl Import<'_> {
    /// `x` with its first entries along `dims` replaced by `part`, which may have fewer there.
    fn over(&mut self, x: ValueId, part: ValueId, dims: &[usize]) -> Result<ValueId, String> {
        let (shape, sizes) = (self.b.shape(x), self.b.shape(part));
        if shape == sizes {
            return Ok(part);
        }
        let high = shape.iter().zip(&sizes).map(|(n, s)| n - s).collect();
        let padded = self.emit(Ir::Pad { low: vec![0; shape.len()], high }, &[part])?;
        let mut inside: Option<ValueId> = None;
        for &d in dims.iter().filter(|&&d| sizes[d] < shape[d]) {
            let places = Ir::Iota { dtype: DType::I32, shape: shape.clone(), dim: d, shard: Vec::new() };
            let places = self.emit(places, &[])?;
            let end = self.b.constant_like(places, sizes[d] as f64);
            let here = self.elem("compare_lt", &[places, end])?;
            inside = Some(match inside {
                None => here,
                Some(others) => self.elem("and", &[others, here])?,
            });
        }
        match inside {
            Some(inside) => self.select(inside, padded, x),
            None => Ok(padded),
        }
    }
}
