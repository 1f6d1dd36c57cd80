//! Triangular systems and Cholesky factors: `triangular_solve`, `cholesky`, and the LAPACK calls that JAX's CPU lowering
//! makes of them (`trsm`, `potrf`). They become a loop over the columns of the matrix, in which each iteration finds one row
//! of the solution, or one column of the factor, and takes its share away from what is left: plain ops, planned and certified
//! as any loop. Batch dims may be split; the matrix itself is whole on each device.
//!
//! Not here: pivoting and orthogonal factors ([`super::decompose`]), eigenvalues and singular values ([`super::jacobi`]).

use super::decompose;
use super::jacobi;
use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::TextOp;
use meshloom_ir::{DType, Op as Ir, Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] =
    &[("stablehlo.triangular_solve", triangular_solve), ("stablehlo.cholesky", cholesky)];

/// How a triangular system is meant: `op(a) x = b`, or `x op(a) = b` from the right.
#[derive(Clone, Copy)]
pub struct System {
    pub left: bool,
    pub lower: bool,
    pub transposed: bool,
    /// The diagonal counts as ones, whatever stands there.
    pub unit: bool,
}

fn triangular_solve(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [a, b] = i.exactly(op)?;
    // The adjoint of a matrix of reals is its transpose.
    Ok(vec![i.solved(a, b, system(op).0)?])
}

/// How a `triangular_solve` is meant, and whether its matrix is conjugated.
pub fn system(op: &TextOp<'_>) -> (System, bool) {
    // `#stablehlo<transpose NO_TRANSPOSE>`
    let transpose =
        op.attr("transpose_a").and_then(|t| t.iter().find_map(|t| t.group(b'<'))?.last()?.leaf(Token::Word));
    let system = System {
        left: truth(op, "left_side").unwrap_or(true),
        lower: truth(op, "lower").unwrap_or(true),
        transposed: matches!(transpose, Some("TRANSPOSE" | "ADJOINT")),
        unit: truth(op, "unit_diagonal").unwrap_or(false),
    };
    (system, transpose == Some("ADJOINT"))
}

/// The same of LAPACK's `trsm`.
///
/// # Errors
/// A setting is missing.
pub fn lapack_system(op: &TextOp<'_>) -> Result<(System, bool), String> {
    let transpose = op.letter("trans_x")?;
    let system = System {
        left: op.letter("side")? == b'L',
        lower: op.letter("uplo")? == b'L',
        transposed: transpose != b'N',
        unit: op.letter("diag")? == b'U',
    };
    Ok((system, transpose == b'C'))
}

fn cholesky(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [a] = i.exactly(op)?;
    Ok(vec![i.factor(a, truth(op, "lower").unwrap_or(false))?])
}

/// An attribute that is true or false.
pub fn truth(op: &TextOp<'_>, name: &str) -> Option<bool> {
    Some(op.attr(name)?.first()?.leaf(Token::Word)? == "true")
}

/// The LAPACK call `target`, if it is one of those that are computed here.
///
/// # Errors
/// Operands that do not fit.
pub fn lapack(i: &mut Import<'_>, op: &TextOp<'_>, target: &str) -> Option<Made> {
    let routine = target.strip_prefix("lapack_")?.strip_suffix("_ffi")?;
    match routine {
        "strsm" | "dtrsm" => Some(trsm(i, op)),
        "spotrf" | "dpotrf" => Some(potrf(i, op)),
        _ => {
            let of_reals = routine.strip_prefix(['s', 'd'])?;
            if jacobi::is_known(of_reals) {
                return Some(i.exactly(op).and_then(|[a]| jacobi::lapack(i, op, of_reals, &[a])));
            }
            let count = decompose::operands(of_reals)?;
            let operands = i.operands(op).map(|all| all.into_iter().map(|x| vec![x]).collect::<Vec<_>>());
            match operands {
                Ok(all) if all.len() == count => decompose::lapack(i, op, of_reals, &all),
                Ok(all) => Some(Err(format!("`{routine}` takes {count} operands, and has {}", all.len()))),
                Err(e) => Some(Err(e)),
            }
        }
    }
}

fn trsm(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [a, b] = i.exactly(op)?;
    Ok(vec![i.solved(a, b, lapack_system(op)?.0)?])
}

/// The factor, and by matrix the place of the first pivot that is not positive.
fn potrf(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [a] = i.exactly(op)?;
    let lower = op.letter("uplo")? == b'L';
    let factor = i.factor(a, lower)?;
    Ok(vec![factor, i.first_failed(factor)?])
}

impl Import<'_> {
    /// By matrix the place of the first entry on the diagonal of a factor that is not positive, from 1; 0 if all are.
    ///
    /// # Errors
    /// It is no matrix of floats.
    pub fn first_failed(&mut self, factor: ValueId) -> Result<ValueId, String> {
        let shape = self.b.shape(factor);
        let (n, batch) = (shape[shape.len() - 1], &shape[..shape.len() - 2]);
        let diagonal = self.diagonal(factor)?;
        let zero = self.b.constant_like(diagonal, 0.0);
        let positive = self.elem("compare_gt", &[diagonal, zero])?;
        let shape = self.b.shape(diagonal);
        let places = self.numbered_along(&shape, batch.len())?;
        let beyond = self.b.constant_like(places, n as f64);
        let failed = self.select(positive, beyond, places)?;
        let first = self.reduce(Reduction::Min, failed, &[batch.len()])?;
        let (one, none) = (self.b.constant_like(first, 1.0), self.b.constant_like(first, n as f64));
        let all = self.elem("compare_ge", &[first, none])?;
        let place = self.elem("add", &[first, one])?;
        let zero = self.b.constant_like(first, 0.0);
        self.select(all, zero, place)
    }

    /// `0, 1, ..` along one dim of a shape.
    ///
    /// # Errors
    /// The shape has no such dim.
    pub fn numbered_along(&mut self, shape: &[u64], dim: usize) -> Result<ValueId, String> {
        self.emit(Ir::Iota { dtype: DType::I32, shape: shape.to_vec(), dim, shard: Vec::new() }, &[])
    }

    /// The last two dims exchanged.
    ///
    /// # Errors
    /// What does not fit.
    pub fn flipped_matrix(&mut self, x: ValueId) -> Result<ValueId, String> {
        let rank = self.b.ty(x).rank();
        let mut perm: Vec<usize> = (0..rank).collect();
        perm.swap(rank - 2, rank - 1);
        self.emit(Ir::Transpose { perm }, &[x])
    }

    /// Dim `from` becomes the first, the others stay in order.
    ///
    /// # Errors
    /// What does not fit.
    pub fn first(&mut self, x: ValueId, from: usize) -> Result<ValueId, String> {
        let mut perm: Vec<usize> = (0..self.b.ty(x).rank()).filter(|&d| d != from).collect();
        perm.insert(0, from);
        if perm.is_sorted() { Ok(x) } else { self.emit(Ir::Transpose { perm }, &[x]) }
    }

    /// The first dim becomes dim `to`.
    ///
    /// # Errors
    /// What does not fit.
    pub fn first_to(&mut self, x: ValueId, to: usize) -> Result<ValueId, String> {
        let mut perm: Vec<usize> = (1..self.b.ty(x).rank()).collect();
        perm.insert(to, 0);
        if perm.is_sorted() { Ok(x) } else { self.emit(Ir::Transpose { perm }, &[x]) }
    }

    /// The diagonals of matrices: `[.., n, n]` to `[.., n]`.
    ///
    /// # Errors
    /// What does not fit.
    pub fn diagonal(&mut self, a: ValueId) -> Result<ValueId, String> {
        let shape = self.b.shape(a);
        let rank = shape.len();
        let (rows, columns) = (self.numbered_along(&shape, rank - 2)?, self.numbered_along(&shape, rank - 1)?);
        let on = self.elem("compare_eq", &[rows, columns])?;
        self.one_where(on, a, &[rank - 2])
    }

    /// The sizes of square matrices, and how many there are.
    fn square(&self, a: ValueId) -> Result<(Vec<u64>, u64), String> {
        let shape = self.b.shape(a);
        match shape[..] {
            [.., n, m] if n == m && self.b.ty(a).dtype.is_float() => Ok((shape, n)),
            _ => Err(format!("square matrices of floats are meant, not {}", self.b.ty(a))),
        }
    }

    /// The solution of a triangular system. Of `a` only the triangle is read.
    ///
    /// # Errors
    /// What does not fit.
    pub fn solved(&mut self, a: ValueId, b: ValueId, s: System) -> Result<ValueId, String> {
        let (shape, n) = self.square(a)?;
        let rank = shape.len();
        let right = self.b.shape(b);
        let fits = right.len() == rank && right[..rank - 2] == shape[..rank - 2];
        if !fits || right[rank - if s.left { 2 } else { 1 }] != n || self.b.ty(b).dtype != self.b.ty(a).dtype {
            return Err(format!("a system of {} has no right side {}", self.b.ty(a), self.b.ty(b)));
        }
        if n == 0 || right.contains(&0) {
            return Ok(b);
        }
        // x op(a) = b is op(a)^T x^T = b^T, and the transpose of a lower triangle is an upper one.
        let flip = s.transposed == s.left;
        let (a, lower) = if flip { (self.flipped_matrix(a)?, !s.lower) } else { (a, s.lower) };
        let b = if s.left { b } else { self.flipped_matrix(b)? };
        let (rows, columns) = (self.numbered_along(&shape, rank - 2)?, self.numbered_along(&shape, rank - 1)?);
        let off = self.elem(if lower { "compare_gt" } else { "compare_lt" }, &[rows, columns])?;
        let zero = self.b.constant_like(a, 0.0);
        let strict = self.select(off, a, zero)?;
        // By column of `a`: its number, its entries off the diagonal by row, and the one on it. The first dim of what is left is
        // the row.
        let mut perm = vec![rank - 1, rank - 2];
        perm.extend(0..rank - 2);
        let columns = self.emit(Ir::Transpose { perm }, &[strict])?;
        let numbers = self.numbered_along(&[n], 0)?;
        let diagonal = self.diagonal(a)?;
        let diagonal = self.first(diagonal, rank - 2)?;
        let left = self.first(b, rank - 2)?;
        let mut xs = vec![numbers, columns];
        if !s.unit {
            xs.push(diagonal);
        }
        let whole = self.b.shape(left);
        let operands = [vec![left], xs.clone()].concat();
        let body = self.per_entry(&[left], &xs, |i, carries, x| {
            let rest = carries[0];
            let row = i.emit(Ir::Gather { shard: Vec::new(), total: None }, &[rest, x[0]])?;
            let batch: Vec<usize> = (0..rank - 2).collect();
            let row = match x.get(2) {
                None => row,
                Some(&d) => {
                    let d = i.broadcast(d, &whole[1..], &batch)?;
                    i.elem("divide", &[row, d])?
                }
            };
            let column = i.broadcast(x[1], &whole, &(0..rank - 1).collect::<Vec<_>>())?;
            let spread = i.broadcast(row, &whole, &(1..rank).collect::<Vec<_>>())?;
            let share = i.elem("multiply", &[column, spread])?;
            let rest = i.elem("subtract", &[rest, share])?;
            Ok(vec![rest, row])
        })?;
        let out = self.b.repeat(n, !lower, 1, xs.len(), &operands, body)?;
        let x = self.first_to(out[1], rank - 2)?;
        if s.left { Ok(x) } else { self.flipped_matrix(x) }
    }

    /// The triangular factor of symmetric matrices, of which one triangle is read; zeros in the other. NaN from the first pivot on
    /// that is not positive.
    ///
    /// # Errors
    /// What does not fit.
    pub fn factor(&mut self, a: ValueId, lower: bool) -> Result<ValueId, String> {
        let (shape, n) = self.square(a)?;
        let rank = shape.len();
        if shape.contains(&0) {
            return Ok(a);
        }
        let a = if lower { a } else { self.flipped_matrix(a)? };
        let across = self.flipped_matrix(a)?;
        let (rows, columns) = (self.numbered_along(&shape, rank - 2)?, self.numbered_along(&shape, rank - 1)?);
        let below = self.elem("compare_ge", &[rows, columns])?;
        let symmetric = self.select(below, a, across)?;
        let left = self.first(symmetric, rank - 2)?;
        let numbers = self.numbered_along(&[n], 0)?;
        let whole = self.b.shape(left);
        let body = self.per_entry(&[left], &[numbers], |i, carries, x| {
            // Row j is column j.
            let column = i.emit(Ir::Gather { shard: Vec::new(), total: None }, &[carries[0], x[0]])?;
            let of = i.b.shape(column);
            let last = of.len() - 1;
            let places = i.numbered_along(&of, last)?;
            let j = i.broadcast(x[0], &of, &[])?;
            let (at, from) = (i.elem("compare_eq", &[places, j])?, i.elem("compare_ge", &[places, j])?);
            let zero = i.b.constant_like(column, 0.0);
            let pivot = i.one_where(at, column, &[last])?;
            let root = i.elem("sqrt", &[pivot])?;
            let root = i.broadcast(root, &of, &(0..last).collect::<Vec<_>>())?;
            let scaled = i.elem("divide", &[column, root])?;
            let scaled = i.select(at, root, scaled)?;
            let made = i.select(from, scaled, zero)?;
            // [n, batch.., n]: by row and by column.
            let by_column = i.broadcast(made, &whole, &(1..rank).collect::<Vec<_>>())?;
            let by_row = i.first(made, last)?;
            let by_row = i.broadcast(by_row, &whole, &(0..rank - 1).collect::<Vec<_>>())?;
            let share = i.elem("multiply", &[by_row, by_column])?;
            let rest = i.elem("subtract", &[carries[0], share])?;
            Ok(vec![rest, made])
        })?;
        let out = self.b.repeat(n, false, 1, 1, &[left, numbers], body)?;
        // By column, [n, batch.., n]: columns come last.
        let factor = self.first_to(out[1], rank - 1)?;
        if lower { Ok(factor) } else { self.flipped_matrix(factor) }
    }

    /// The body of a loop over entries of `xs`.
    ///
    /// # Errors
    /// Those of `make`.
    pub fn per_entry(
        &mut self,
        carries: &[ValueId],
        xs: &[ValueId],
        make: impl FnOnce(&mut Self, &[ValueId], &[ValueId]) -> Made,
    ) -> Result<meshloom_ir::RegionId, String> {
        let types = |i: &Self, v: ValueId, from: usize| {
            let mut ty = i.b.ty(v).clone();
            ty.shape.drain(..from);
            ty
        };
        let carried: Vec<_> = carries.iter().map(|&v| types(self, v, 0)).collect();
        let sliced: Vec<_> = xs.iter().map(|&v| types(self, v, 1)).collect();
        let region = self.b.open();
        let carries: Vec<ValueId> = carried.into_iter().map(|ty| self.b.arg(region, ty)).collect();
        let xs: Vec<ValueId> = sliced.into_iter().map(|ty| self.b.arg(region, ty)).collect();
        let made = make(self, &carries, &xs);
        // The region is closed where it failed too, so that what follows stands outside of it.
        let yields = made.as_ref().map_or_else(|_| Vec::new(), Clone::clone);
        let region = self.b.close(yields);
        made.map(|_| region)
    }
}
