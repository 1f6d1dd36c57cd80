//! Ops that read and write at computed places.
//!
//! Slices at computed places are rows of each of their dims in turn. `gather` and `scatter` have files of their own.

use super::state::SliceAccess;
use super::state::{Import, ImportRule};
use crate::module::TextOp;
use crate::read;
use crate::tree::Tree;
use meshloom_ir::{DType, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] =
    &[("stablehlo.dynamic_slice", dynamic_slice), ("stablehlo.dynamic_update_slice", dynamic_update)];

/// Dim numbers in `#stablehlo.gather<..>`.
pub struct Numbers<'t, 's>(&'t [Tree<'s>]);

impl<'t, 's> Numbers<'t, 's> {
    pub fn of(op: &TextOp<'s>, name: &str) -> Result<Numbers<'s, 's>, String> {
        let trees = op.attr(name).and_then(|t| t.iter().find_map(|t| t.group(b'<')));
        Ok(Numbers(trees.ok_or_else(|| format!("`{name}` is missing"))?))
    }

    pub fn dims(&self, name: &str) -> Vec<usize> {
        let found = read::setting(self.0, name).map(read::ints).unwrap_or_default();
        found.into_iter().filter_map(|n| usize::try_from(n).ok()).collect()
    }
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

impl Import<'_> {
    /// Indices, whose element type is written `element`, as signed integers that name the same places, or are outside at the same end.
    ///
    /// # Errors
    /// They are no integers.
    pub fn as_index(&mut self, at: ValueId, element: Option<&str>) -> Result<ValueId, String> {
        match self.b.ty(at).dtype {
            // The upper half of `ui64` is represented by negative numbers.
            DType::I64 if element == Some("ui64") => {
                let (zero, most) = (self.b.constant_like(at, 0.0), self.b.integer_like(at, i64::MAX));
                let beyond = self.elem("compare_lt", &[at, zero])?;
                self.select(beyond, most, at)
            }
            DType::I64 | DType::U32 => self.convert(at, DType::I64),
            d if d.is_int() => self.convert(at, DType::I32),
            d => Err(format!("indices are integers, not {d}")),
        }
    }
}

/// The starts of a slice, clamped so that it fits: of each dim in which it is not whole.
fn starts(
    i: &mut Import<'_>,
    given: &[ValueId],
    elements: &[&str],
    from: &[u64],
    sizes: &[u64],
) -> Result<Vec<(usize, ValueId)>, String> {
    if given.len() != from.len() || sizes.len() != from.len() || (0..from.len()).any(|d| sizes[d] > from[d]) {
        return Err("the slice does not fit into its operand".to_string());
    }
    let mut out = Vec::new();
    for d in (0..from.len()).filter(|&d| sizes[d] < from[d]) {
        // Clamped before it is narrowed.
        let at = i.as_index(given[d], elements.get(d).copied())?;
        let low = i.b.constant_like(at, 0.0);
        let high = i.b.constant_like(at, (from[d] - sizes[d]) as f64);
        let at = i.elem("maximum", &[at, low])?;
        let at = i.elem("minimum", &[at, high])?;
        out.push((d, i.convert(at, DType::I32)?));
    }
    Ok(out)
}

fn dynamic_slice(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let all = i.operands(op)?;
    let [x, given @ ..] = &all[..] else { return Err("the operand is missing".to_string()) };
    let name = if op.attr("sizes").is_some() { "sizes" } else { "slice_sizes" };
    let sizes = op.sizes(name)?;
    let from = i.b.shape(*x);
    let (whole, mut x) = (*x, *x);
    let elements = op.operand_elements();
    for (d, start) in starts(i, given, elements.get(1..).unwrap_or_default(), &from, &sizes)? {
        let steps = i.emit(index(sizes[d]), &[])?;
        let start = i.broadcast(start, &[sizes[d]], &[])?;
        let at = i.elem("add", &[steps, start])?;
        let rows = front(i, x, d, false)?;
        let rows = i.emit(Ir::Gather { shard: Vec::new(), total: None }, &[rows, at])?;
        x = front(i, rows, d, true)?;
    }
    i.accessed(SliceAccess { of: whole, starts: given.to_vec(), sizes, update: None, result: x });
    Ok(vec![x])
}

fn index(n: u64) -> Ir {
    Ir::Iota { dtype: DType::I32, shape: vec![n], dim: 0, shard: Vec::new() }
}

/// Each element of the operand is the update's where the slice is.
fn dynamic_update(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let all = i.operands(op)?;
    let [x, update, given @ ..] = &all[..] else { return Err("operand and update are missing".to_string()) };
    let (from, sizes) = (i.b.shape(*x), i.b.shape(*update));
    let (written, mut update) = (*update, *update);
    let mut inside: Option<ValueId> = None;
    let elements = op.operand_elements();
    for (d, start) in starts(i, given, elements.get(2..).unwrap_or_default(), &from, &sizes)? {
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
    i.accessed(SliceAccess { of: *x, starts: given.to_vec(), sizes, update: Some(written), result });
    Ok(vec![result])
}
