//! `gather` in its full form.
//!
//! The indexed dims are merged into one, and so are the parts of an index. Without batching dims, that is a lookup of rows. With
//! batching dims, each entry of the batch has its own rows, and there are two ways. If few rows are taken of not too many, each
//! element of the result is a sum over the dim in which all terms but one are zero ([`super::moved`]). Such a sum is split like any other: a lookup
//! of targets among logits that are split by vocabulary moves the sums, not the logits. Otherwise the batch becomes part of the
//! rows.

use super::index::Numbers;
use super::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{DType, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] =
    &[("stablehlo.gather", gather), ("stablehlo.torch_index_select", torch_index_select)];

/// The most terms that the sums for one entry of a batched look-up may have. With more terms, rows are looked up in the merged batch.
const TERMS: u64 = 1 << 18;

/// Which dims of an operand are indexed, and how; of gathers and scatters alike.
pub struct Indexed {
    /// Dims of the operand, and of the indices (without the index vector's), that correspond.
    pub batch: Vec<(usize, usize)>,
    /// Indexed dims of the operand, by component of an index.
    pub map: Vec<usize>,
    /// The dim of the indices in which components stand; their rank if there is none.
    pub vector: usize,
    /// Size of the window along each dim of the operand.
    pub sizes: Vec<u64>,
}

impl Indexed {
    /// The operand's dims that are neither indexed nor batch dims, in its order.
    pub fn rest(&self) -> Vec<usize> {
        let taken = |d: &usize| self.map.contains(d) || self.batch.iter().any(|b| b.0 == *d);
        (0..self.sizes.len()).filter(|d| !taken(d)).collect()
    }

    /// Refuses what does not fit an operand of `shape` and indices of `indices`.
    ///
    /// # Errors
    /// A sentence.
    pub fn check(&self, shape: &[u64], indices: &[u64]) -> Result<(), String> {
        let dims: Vec<usize> = self.map.iter().copied().chain(self.batch.iter().map(|b| b.0)).collect();
        let twice = (0..dims.len()).any(|k| dims[..k].contains(&dims[k]));
        let fits = self.sizes.len() == shape.len() && self.sizes.iter().zip(shape).all(|(s, n)| s <= n);
        let components = indices.get(self.vector).copied().unwrap_or(1);
        let batch = self
            .batch
            .iter()
            .all(|&(d, g)| shape.get(d).is_some() && g + usize::from(self.vector < indices.len()) < indices.len());
        if twice || !fits || !batch || dims.iter().any(|&d| d >= shape.len()) || components != self.map.len() as u64 {
            return Err("the dimension numbers do not fit the operands".to_string());
        }
        Ok(())
    }
}

/// Places along the merged dim, and whether each whole window is inside.
pub struct Places {
    /// Of the indices' dims (without the vector's), then one for each indexed dim: the window's size along it.
    pub flat: ValueId,
    pub inside: Option<ValueId>,
}

/// Computes the places of windows at indices that are signed ([`Import::as_index`]). Places are clamped so that windows fit. Without `clamp`,
/// [`Places::inside`] says which windows fit without that.
pub fn places(
    i: &mut Import<'_>,
    at: &Indexed,
    shape: &[u64],
    indices: ValueId,
    clamp: bool,
) -> Result<Places, String> {
    let mut dims = i.b.shape(indices);
    let vector = at.vector;
    if vector < dims.len() {
        dims.remove(vector);
    }
    let window: Vec<u64> = at.map.iter().map(|&d| at.sizes[d]).collect();
    let full = [&dims[..], &window].concat();
    let leading: Vec<usize> = (0..dims.len()).collect();
    let mut flat: Option<ValueId> = None;
    let mut inside: Option<ValueId> = None;
    let mut stride = 1u64;
    for (k, &d) in at.map.iter().enumerate().rev() {
        let component = if vector < i.b.shape(indices).len() {
            let one = i.range(indices, vector, k as u64, k as u64 + 1)?;
            i.emit(Ir::Reshape { shape: dims.clone() }, &[one])?
        } else {
            indices
        };
        let (low, high) =
            (i.b.constant_like(component, 0.0), i.b.constant_like(component, (shape[d] - at.sizes[d]) as f64));
        let (not_low, not_high) = (i.elem("compare_ge", &[component, low])?, i.elem("compare_le", &[component, high])?);
        let here = i.elem("and", &[not_low, not_high])?;
        inside = Some(match inside {
            None => here,
            Some(others) => i.elem("and", &[others, here])?,
        });
        let component = i.elem("maximum", &[component, low])?;
        let component = i.elem("minimum", &[component, high])?;
        let mut place = i.convert(component, DType::I32)?;
        place = i.broadcast(place, &full, &leading)?;
        if at.sizes[d] > 1 {
            let steps = Ir::Iota { dtype: DType::I32, shape: full.clone(), dim: dims.len() + k, shard: Vec::new() };
            let steps = i.emit(steps, &[])?;
            place = i.elem("add", &[place, steps])?;
        }
        if stride != 1 {
            let by = i.b.constant_like(place, stride as f64);
            place = i.elem("multiply", &[place, by])?;
        }
        flat = Some(match flat {
            None => place,
            Some(others) => i.elem("add", &[others, place])?,
        });
        stride = stride.saturating_mul(shape[d]);
    }
    if stride > i32::MAX as u64 {
        return Err(format!("{stride} places are indexed; at most 2^31 - 1 are"));
    }
    let flat = match flat {
        Some(flat) => flat,
        None => i.b.constant(DType::I32, &full, 0.0),
    };
    Ok(Places { flat, inside: inside.filter(|_| !clamp) })
}

fn gather(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, indices] = i.exactly(op)?;
    let n = Numbers::of(op, "dimension_numbers")?;
    let (shape, dims) = (i.b.shape(x), i.b.shape(indices));
    let vector = n.dims("index_vector_dim").first().copied().unwrap_or(0);
    let (of_x, of_indices) = (n.dims("operand_batching_dims"), n.dims("start_indices_batching_dims"));
    if of_x.len() != of_indices.len() || vector > dims.len() {
        return Err("the dimension numbers do not fit the operands".to_string());
    }
    // Among the indices' dims without the vector's.
    let of_indices = of_indices.into_iter().map(|d| if d > vector { d - 1 } else { d });
    let at = Indexed {
        batch: of_x.into_iter().zip(of_indices).collect(),
        map: n.dims("start_index_map"),
        vector,
        sizes: op.sizes("slice_sizes")?,
    };
    at.check(&shape, &dims)?;
    let indices = i.as_index(indices, op.operand_elements().get(1).copied())?;
    let places = places(i, &at, &shape, indices, true)?;
    let grid = i.b.ty(places.flat).rank() - at.map.len();
    // The operand as batch, rows, and what stands whole in each window.
    let rest = at.rest();
    let mut x = x;
    for &d in &rest {
        x = i.range(x, d, 0, at.sizes[d])?;
    }
    let front: Vec<usize> = at.batch.iter().map(|b| b.0).chain(at.map.iter().copied()).collect();
    let x = i.permuted(x, &front)?;
    let batch: Vec<u64> = at.batch.iter().map(|&(d, _)| shape[d]).collect();
    let rows: u64 = at.map.iter().map(|&d| shape[d]).product();
    let row: Vec<u64> = rest.iter().map(|&d| at.sizes[d]).collect();
    let x = i.reshaped(x, &[&batch[..], &[rows], &row].concat())?;
    // The places as batch, then all others.
    let first: Vec<usize> = at.batch.iter().map(|b| b.1).collect();
    let flat = i.permuted(places.flat, &first)?;
    let others = i.b.shape(flat)[first.len()..].to_vec();
    let m: u64 = others.iter().product();
    let flat = if first.is_empty() { flat } else { i.reshaped(flat, &[&batch[..], &[m]].concat())? };
    let out = i.take(x, flat, first.len())?;
    let out = i.reshaped(out, &[&batch[..], &others, &row].concat())?;
    // Dims of `out`: batch, the grid's others, windows of indexed dims, windows of the rest.
    let mut grid_at = vec![0; grid];
    let mut free = (0..grid).filter(|g| !first.contains(g));
    for (k, &g) in first.iter().enumerate() {
        grid_at[g] = k;
    }
    for k in first.len()..grid {
        if let Some(g) = free.next() {
            grid_at[g] = k;
        }
    }
    let of_dim = |d: usize| -> usize {
        match at.map.iter().position(|&m| m == d) {
            Some(k) => grid + k,
            None => grid + at.map.len() + rest.iter().position(|&r| r == d).unwrap_or(0),
        }
    };
    let dropped = n.dims("collapsed_slice_dims");
    let window: Vec<usize> =
        (0..shape.len()).filter(|d| !dropped.contains(d) && !at.batch.iter().any(|b| b.0 == *d)).collect();
    let offset = n.dims("offset_dims");
    if offset.len() != window.len() || dropped.iter().any(|&d| at.sizes.get(d) != Some(&1)) {
        return Err("`offset_dims` are not one for each dim that is kept of the operand".to_string());
    }
    let rank = grid + offset.len();
    let (mut from_window, mut from_grid) = (window.into_iter(), grid_at.into_iter());
    let mut order = Vec::new();
    for d in 0..rank {
        let next = if offset.contains(&d) { from_window.next().map(of_dim) } else { from_grid.next() };
        order.push(next.ok_or("`offset_dims` has a dim that the result does not have")?);
    }
    // Dims of size 1 that are dropped come last, where they disappear.
    let out = i.permuted(out, &order)?;
    let kept = i.b.shape(out)[..rank].to_vec();
    Ok(vec![i.reshaped(out, &kept)?])
}

/// Entries of a dim: `gather` with one index in each place.
fn torch_index_select(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, indices] = i.exactly(op)?;
    let dim = op.int("dim").and_then(|d| usize::try_from(d).ok()).ok_or("`dim` is missing")?;
    let batch = op.int("batch_dims").unwrap_or(0);
    if batch != 0 || dim >= i.b.ty(x).rank() {
        return Err("`torch_index_select` with batch dims is not supported; `gather` is".to_string());
    }
    let k = i.b.ty(indices).rank();
    let rows = i.permuted(x, &[dim])?;
    let indices = i.as_index(indices, op.operand_elements().get(1).copied())?;
    let out = i.take(rows, indices, 0)?;
    // Where the dim was.
    let rank = i.b.ty(out).rank();
    let order: Vec<usize> = (k..k + dim).chain(0..k).chain(k + dim..rank).collect();
    Ok(vec![i.permuted(out, &order)?])
}

impl Import<'_> {
    /// `dims` first, in this order, then all others in theirs.
    ///
    /// # Errors
    /// A dim that it does not have.
    pub fn permuted(&mut self, x: ValueId, dims: &[usize]) -> Result<ValueId, String> {
        let rank = self.b.ty(x).rank();
        let perm: Vec<usize> = dims.iter().copied().chain((0..rank).filter(|d| !dims.contains(d))).collect();
        if perm.is_sorted() { Ok(x) } else { self.emit(Ir::Transpose { perm }, &[x]) }
    }

    /// # Errors
    /// Another number of elements.
    pub fn reshaped(&mut self, x: ValueId, shape: &[u64]) -> Result<ValueId, String> {
        if self.b.shape(x) == shape { Ok(x) } else { self.emit(Ir::Reshape { shape: shape.to_vec() }, &[x]) }
    }

    /// Rows of a table at places that are inside, in each entry of the first `batch` dims: `[B.., N, R..]` at `[B.., M]` to
    /// `[B.., M, R..]`; without batch the places have any dims.
    ///
    /// # Errors
    /// They do not fit.
    pub fn take(&mut self, table: ValueId, at: ValueId, batch: usize) -> Result<ValueId, String> {
        let shape = self.b.shape(table);
        if batch == 0 {
            return self.emit(Ir::Gather { shard: Vec::new(), total: None }, &[table, at]);
        }
        let (entries, n, row) = (&shape[..batch], shape[batch], &shape[batch + 1..]);
        let m = self.b.shape(at)[batch];
        if n.saturating_mul(m) <= TERMS {
            return self.one_of(table, at, batch);
        }
        let count: u64 = entries.iter().product();
        let merged = self.reshaped(table, &[&[count * n], row].concat())?;
        let at = self.reshaped(at, &[count, m])?;
        let base = self.emit(Ir::Iota { dtype: DType::I32, shape: vec![count, m], dim: 0, shard: Vec::new() }, &[])?;
        let size = self.b.constant_like(base, n as f64);
        let base = self.elem("multiply", &[base, size])?;
        let at = self.elem("add", &[at, base])?;
        let rows = self.emit(Ir::Gather { shard: Vec::new(), total: None }, &[merged, at])?;
        self.reshaped(rows, &[entries, &[m], row].concat())
    }

    /// [`Import::take`] as sums over the rows.
    fn one_of(&mut self, table: ValueId, at: ValueId, batch: usize) -> Result<ValueId, String> {
        let dtype = self.b.ty(table).dtype;
        let bits = self.as_integers(table)?;
        let shape = self.b.shape(bits);
        let m = self.b.shape(at)[batch];
        let hit = self.hits(at, batch, shape[batch])?;
        // B.., M, N, R..
        let full = [&shape[..batch], &[m], &shape[batch..]].concat();
        let hit_dims: Vec<usize> = (0..batch + 2).collect();
        let hit = self.broadcast(hit, &full, &hit_dims)?;
        let table_dims: Vec<usize> = (0..batch).chain(batch + 1..full.len()).collect();
        let all = self.broadcast(bits, &full, &table_dims)?;
        let out = self.one_integer_where(hit, all, &[batch + 1])?;
        self.of_integers(out, dtype)
    }

    /// Whether place m of `[B.., M]` is n, as `[B.., M, N]`.
    pub fn hits(&mut self, at: ValueId, batch: usize, n: u64) -> Result<ValueId, String> {
        let full = [&self.b.shape(at)[..], &[n]].concat();
        let dims: Vec<usize> = (0..=batch).collect();
        let at = self.broadcast(at, &full, &dims)?;
        let places = self.emit(Ir::Iota { dtype: DType::I32, shape: full, dim: batch + 1, shard: Vec::new() }, &[])?;
        self.elem("compare_eq", &[at, places])
    }
}
