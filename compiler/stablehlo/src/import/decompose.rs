//! LU factors with pivots and QR factors: the LAPACK calls that JAX's CPU lowering makes for `lu`, `solve`, `inv`, `det` and `qr`
//! (`getrf`, `geqrf`, and `orgqr` or `ungqr`), and for products with Q that is not written out (`ormqr`, `unmqr`), of real and of complex
//! matrices. They become a loop over columns, as LAPACK's unblocked routines are, so signs and pivots are LAPACK's.
//!
//! Numbers are their parts: one of a real number, two of a complex one. Matrices lie with their rows first, `[m, batch.., n]`, since a
//! loop goes over first dims; batch dims may be split.
//!
//! Not here: eigenvalues and singular values ([`super::jacobi`]).

use super::state::Import;
use crate::module::TextOp;
use meshloom_ir::{Op as Ir, Reduction, ValueId};

/// Real, or real and imaginary.
pub type MatrixParts = Vec<ValueId>;
type Made = Result<Vec<ValueId>, String>;

/// The results of the routine (`getrf` for `dgetrf`), if it is one of these.
///
/// # Errors
/// Operands that do not fit.
pub fn lapack(i: &mut Import<'_>, op: &TextOp<'_>, routine: &str, operands: &[MatrixParts]) -> Option<Made> {
    match (routine, operands) {
        ("getrf", [a]) => Some(i.lu(a)),
        ("geqrf", [a]) => Some(i.reflectors(a)),
        ("orgqr" | "ungqr", [a, taus]) => Some(i.orthogonal(a, taus)),
        ("ormqr" | "unmqr", [a, taus, c]) => Some(i.times_orthogonal(op, a, taus, c)),
        _ => None,
    }
}

/// How many operands the routine has, if it is one of these.
pub fn operands(routine: &str) -> Option<usize> {
    match routine {
        "getrf" | "geqrf" => Some(1),
        "orgqr" | "ungqr" => Some(2),
        "ormqr" | "unmqr" => Some(3),
        _ => None,
    }
}

/// A column in the loop that is about it: places in `[m, batch.., n]` and in `[m, batch..]`, and the shapes of both.
struct Place {
    whole: Vec<u64>,
    column: Vec<u64>,
    /// The number of the column in every element of a matrix, and of a column.
    number: [ValueId; 2],
    rows: ValueId,
    columns: ValueId,
    /// Rows of a column.
    down: ValueId,
}

impl Place {
    fn last(&self) -> usize {
        self.column.len()
    }

    /// The dims of a matrix that a row has.
    fn of_row(&self) -> Vec<usize> {
        (1..self.whole.len()).collect()
    }

    /// Those that a column has.
    fn of_column(&self) -> Vec<usize> {
        (0..self.last()).collect()
    }

    /// The dims of a column that a single number of each matrix has.
    fn of_one(&self) -> Vec<usize> {
        (1..self.last()).collect()
    }
}

impl Import<'_> {
    /// L and U in one matrix, by column the row that it was exchanged with, from 1, and the first column without a pivot, from 1.
    fn lu(&mut self, a: &[ValueId]) -> Made {
        let (rank, [m, n]) = self.matrices(a)?;
        let count = m.min(n);
        let left = self.rows_first(a)?;
        let numbers = self.numbered_along(&[count], 0)?;
        let body = self.per_entry(&left, &[numbers], |i, carries, x| i.eliminated(carries, x[0], [m, count]))?;
        let operands = [left, vec![numbers]].concat();
        let mut out = self.b.repeat(count, false, a.len(), 1, &operands, body)?;
        let (failed, rows) = (out.pop(), out.pop());
        let (Some(failed), Some(rows)) = (failed, rows) else { return Err("a loop without results".to_string()) };
        let mut results = self.rows_back(&out)?;
        let rows = self.first_to(rows, rank - 2)?;
        let one = self.b.constant_like(rows, 1.0);
        results.push(self.elem("add", &[rows, one])?);
        let first = self.reduce(Reduction::Min, failed, &[0])?;
        let (one, none) = (self.b.constant_like(first, 1.0), self.b.constant_like(first, count as f64));
        let all = self.elem("compare_ge", &[first, none])?;
        let (place, zero) = (self.elem("add", &[first, one])?, self.b.constant_like(first, 0.0));
        results.push(self.select(all, zero, place)?);
        Ok(results)
    }

    /// One step of Gauss's elimination: what is left, the row of the pivot, and the column's number where there is none.
    fn eliminated(&mut self, a: &[ValueId], number: ValueId, [m, count]: [u64; 2]) -> Made {
        let at = self.column_place(a, number)?;
        let on_column = self.elem("compare_eq", &[at.columns, at.number[0]])?;
        let column = self.picked(on_column, a, at.last())?;
        // As LAPACK's, the size of a complex number is the sum of its parts' here.
        let mut size = self.elem("abs", &[column[0]])?;
        if let Some(&im) = column.get(1) {
            let im = self.elem("abs", &[im])?;
            size = self.elem("add", &[size, im])?;
        }
        let from = self.elem("compare_ge", &[at.down, at.number[1]])?;
        let none = self.b.constant_like(size, -1.0);
        let size = self.select(from, size, none)?;
        let best = self.reduce(Reduction::Max, size, &[0])?;
        let best = self.broadcast(best, &at.column, &at.of_one())?;
        let largest = self.elem("compare_eq", &[size, best])?;
        let end = self.b.constant_like(at.down, (m - 1) as f64);
        let places = self.select(largest, at.down, end)?;
        let pivot_row = self.reduce(Reduction::Min, places, &[0])?;

        let there = self.broadcast(pivot_row, &at.whole, &at.of_one())?;
        let (here, there) =
            (self.elem("compare_eq", &[at.rows, at.number[0]])?, self.elem("compare_eq", &[at.rows, there])?);
        let (own, other) = (self.picked(here, a, 0)?, self.picked(there, a, 0)?);
        let own = self.spread(&own, &at.whole, &at.of_row())?;
        let other = self.spread(&other, &at.whole, &at.of_row())?;
        let swapped = self.chosen(there, &own, a)?;
        let swapped = self.chosen(here, &other, &swapped)?;

        let column = self.picked(on_column, &swapped, at.last())?;
        let on_row = self.elem("compare_eq", &[at.down, at.number[1]])?;
        let pivot = self.picked(on_row, &column, 0)?;
        let no_pivot = self.is_zero(&pivot)?;
        let spread = self.spread(&pivot, &at.column, &at.of_one())?;
        let by = self.divided(&column, &spread)?;
        let zero = self.broadcast(no_pivot, &at.column, &at.of_one())?;
        let by = self.chosen(zero, &column, &by)?;
        let by = self.spread(&by, &at.whole, &at.of_column())?;
        let share = self.times(&by, &other)?;
        let rest = self.minus(&swapped, &share)?;
        let below = self.elem("compare_gt", &[at.rows, at.number[0]])?;
        let right = self.elem("compare_gt", &[at.columns, at.number[0]])?;
        let (inside, under) = (self.elem("and", &[below, right])?, self.elem("and", &[below, on_column])?);
        let made = self.chosen(inside, &rest, &swapped)?;
        let mut made = self.chosen(under, &by, &made)?;
        let number = self.broadcast(number, &at.column[1..], &[])?;
        let end = self.b.constant_like(number, count as f64);
        let failed = self.select(no_pivot, number, end)?;
        made.extend([pivot_row, failed]);
        Ok(made)
    }

    /// Householder's reflectors below the diagonal and R on it and above, and the factor of each reflector.
    pub(super) fn reflectors(&mut self, a: &[ValueId]) -> Made {
        let (rank, [m, n]) = self.matrices(a)?;
        let count = m.min(n);
        let left = self.rows_first(a)?;
        let numbers = self.numbered_along(&[count], 0)?;
        let body = self.per_entry(&left, &[numbers], |i, carries, x| i.reflected(carries, x[0]))?;
        let operands = [left, vec![numbers]].concat();
        let out = self.b.repeat(count, false, a.len(), 1, &operands, body)?;
        let (made, taus) = out.split_at(a.len());
        let mut results = self.rows_back(made)?;
        for &tau in taus {
            results.push(self.first_to(tau, rank - 2)?);
        }
        Ok(results)
    }

    /// One reflector, applied to the columns behind its own, and its factor.
    fn reflected(&mut self, a: &[ValueId], number: ValueId) -> Made {
        let at = self.column_place(a, number)?;
        let on_column = self.elem("compare_eq", &[at.columns, at.number[0]])?;
        let column = self.picked(on_column, a, at.last())?;
        let on_row = self.elem("compare_eq", &[at.down, at.number[1]])?;
        let below = self.elem("compare_gt", &[at.down, at.number[1]])?;
        let alpha = self.picked(on_row, &column, 0)?;
        let tail = self.masked(below, &column)?;
        let (norm, flat) = self.lengths(&alpha, &tail, &at)?;
        // Away from the number on the diagonal, so that nothing cancels.
        let (zero, minus) = (self.b.constant_like(norm, 0.0), self.b.neg(norm));
        let positive = self.elem("compare_ge", &[alpha[0], zero])?;
        let beta = self.select(positive, minus, norm)?;
        let beta = self.select(flat, alpha[0], beta)?;
        let mut off = alpha.clone();
        off[0] = self.elem("subtract", &[alpha[0], beta])?;
        let mut tau = Vec::new();
        for &part in &off {
            let part = self.b.neg(part);
            let part = self.elem("divide", &[part, beta])?;
            tau.push(self.select(flat, zero, part)?);
        }
        let off = self.spread(&off, &at.column, &at.of_one())?;
        let along = self.divided(&tail, &off)?;
        let flat = self.broadcast(flat, &at.column, &at.of_one())?;
        let along = self.chosen(flat, &tail, &along)?;
        let along = self.masked(below, &along)?;
        let one = self.ones(&along);
        let v = self.chosen(on_row, &one, &along)?;
        let conjugate = self.conjugate(&tau);
        let rest = self.applied(a, &v, &conjugate, &at)?;
        let right = self.elem("compare_gt", &[at.columns, at.number[0]])?;
        let rest = self.chosen(right, &rest, a)?;
        // The column itself becomes beta and what the reflector is.
        let beta = self.broadcast(beta, &at.column, &at.of_one())?;
        let mut diagonal = vec![beta];
        diagonal.extend(alpha.get(1).map(|_| self.b.constant_like(beta, 0.0)));
        let own = self.chosen(on_row, &diagonal, &along)?;
        let own = self.spread(&own, &at.whole, &at.of_column())?;
        let from = self.elem("compare_ge", &[at.rows, at.number[0]])?;
        let own_place = self.elem("and", &[on_column, from])?;
        let mut made = self.chosen(own_place, &own, &rest)?;
        made.extend(tau);
        Ok(made)
    }

    /// The length of a column from the diagonal on, and whether nothing is to be reflected.
    fn lengths(&mut self, alpha: &[ValueId], tail: &[ValueId], at: &Place) -> Result<(ValueId, ValueId), String> {
        let mut largest = None;
        for &part in tail {
            let size = self.elem("abs", &[part])?;
            let size = self.reduce(Reduction::Max, size, &[0])?;
            largest = Some(match largest {
                Some(other) => self.elem("maximum", &[size, other])?,
                None => size,
            });
        }
        let largest = largest.ok_or("a number has a part")?;
        let zero = self.b.constant_like(largest, 0.0);
        let mut flat = self.elem("compare_eq", &[largest, zero])?;
        if let Some(&im) = alpha.get(1) {
            let real = self.elem("compare_eq", &[im, zero])?;
            flat = self.elem("and", &[flat, real])?;
        }
        // Scaled, so that no square overflows.
        let mut scale = largest;
        for &part in alpha {
            let size = self.elem("abs", &[part])?;
            scale = self.elem("maximum", &[scale, size])?;
        }
        let (nothing, one) = (self.elem("compare_eq", &[scale, zero])?, self.b.constant_like(scale, 1.0));
        let scale = self.select(nothing, one, scale)?;
        let by = self.broadcast(scale, &at.column, &at.of_one())?;
        let mut sum = zero;
        for &part in tail {
            let x = self.elem("divide", &[part, by])?;
            let squares = self.b.mul(x, x);
            let squares = self.reduce(Reduction::Sum, squares, &[0])?;
            sum = self.b.add(sum, squares);
        }
        for &part in alpha {
            let x = self.elem("divide", &[part, scale])?;
            let square = self.b.mul(x, x);
            sum = self.b.add(sum, square);
        }
        let root = self.elem("sqrt", &[sum])?;
        Ok((self.b.mul(root, scale), flat))
    }

    /// Ones where the first and the last number of an element are the same, zeros elsewhere.
    pub(super) fn identity_like(&mut self, like: &[ValueId]) -> Made {
        let shape = self.b.shape(like[0]);
        let (rows, columns) = (self.numbered_along(&shape, 0)?, self.numbered_along(&shape, shape.len() - 1)?);
        let diagonal = self.elem("compare_eq", &[rows, columns])?;
        let ones = self.ones(like);
        self.masked(diagonal, &ones)
    }

    /// The first columns of the product of reflectors.
    pub(super) fn orthogonal(&mut self, a: &[ValueId], taus: &[ValueId]) -> Made {
        let first = self.rows_first(a)?;
        let start = self.identity_like(&first)?;
        let out = self.reflected_by(a, taus, &start, false)?;
        self.rows_back(&out)
    }

    /// `Q c`, `Q^H c`, `c Q` or `c Q^H`, Q being the product of reflectors.
    fn times_orthogonal(&mut self, op: &TextOp<'_>, a: &[ValueId], taus: &[ValueId], c: &[ValueId]) -> Made {
        let (left, adjoint) = (op.configured("left")?, op.configured("transpose")?);
        // c Q is (Q^H c^H)^H.
        let c = if left { c.to_vec() } else { self.adjoint(c)? };
        let rows = |i: &Self, x: &[ValueId]| i.matrices(x).map(|m| m.1[0]);
        if self.b.ty(c[0]).rank() != self.b.ty(a[0]).rank() || rows(self, &c)? != rows(self, a)? {
            return Err(format!("reflectors of {} do not fit {}", self.b.ty(a[0]), self.b.ty(c[0])));
        }
        let start = self.rows_first(&c)?;
        let out = self.reflected_by(a, taus, &start, adjoint == left)?;
        let out = self.rows_back(&out)?;
        if left { Ok(out) } else { self.adjoint(&out) }
    }

    /// The product of reflectors, or its adjoint, times matrices whose rows come first.
    fn reflected_by(&mut self, a: &[ValueId], taus: &[ValueId], start: &[ValueId], adjoint: bool) -> Made {
        let (rank, [m, n]) = self.matrices(a)?;
        let shape = self.b.shape(a[0]);
        let (given, dtype) = (self.b.shape(taus[0]), self.b.ty(a[0]).dtype);
        let count = given.last().copied().unwrap_or(0);
        let fits = given.len() == rank - 1 && given[..rank - 2] == shape[..rank - 2] && (1..=n).contains(&count);
        if !fits || n > m || self.b.ty(taus[0]).dtype != dtype {
            return Err(format!("{} are no reflectors of {}", self.b.ty(taus[0]), self.b.ty(a[0])));
        }
        let mut xs = vec![self.numbered_along(&[count], 0)?];
        for &part in a {
            let some = self.range(part, rank - 1, 0, count)?;
            let by_column = self.first(some, rank - 1)?;
            // [count, batch.., m]: rows before the batch.
            let mut perm: Vec<usize> = (0..rank - 1).collect();
            perm.insert(1, rank - 1);
            xs.push(self.emit(Ir::Transpose { perm }, &[by_column])?);
        }
        let taus = if adjoint { self.conjugate(taus) } else { taus.to_vec() };
        for part in taus {
            xs.push(self.first(part, rank - 2)?);
        }
        let parts = a.len();
        let body = self.per_entry(start, &xs, |i, carries, x| {
            let at = i.column_place(carries, x[0])?;
            let (column, tau) = x[1..].split_at(parts);
            let on_row = i.elem("compare_eq", &[at.down, at.number[1]])?;
            let below = i.elem("compare_gt", &[at.down, at.number[1]])?;
            let along = i.masked(below, column)?;
            let one = i.ones(&along);
            let v = i.chosen(on_row, &one, &along)?;
            i.applied(carries, &v, tau, &at)
        })?;
        let operands = [start, &xs].concat();
        // The last reflector is applied first, and the first one of the adjoint.
        self.b.repeat(count, !adjoint, parts, xs.len(), &operands, body)
    }

    /// `a - tau v (v^H a)`
    fn applied(&mut self, a: &[ValueId], v: &[ValueId], tau: &[ValueId], at: &Place) -> Result<MatrixParts, String> {
        let v = self.spread(v, &at.whole, &at.of_column())?;
        let conjugate = self.conjugate(&v);
        let products = self.times(&conjugate, a)?;
        let mut along = Vec::new();
        for &part in &products {
            along.push(self.reduce(Reduction::Sum, part, &[0])?);
        }
        let dims: Vec<usize> = (0..at.last() - 1).collect();
        let tau = self.spread(tau, &at.whole[1..], &dims)?;
        let along = self.times(&tau, &along)?;
        let along = self.spread(&along, &at.whole, &at.of_row())?;
        let share = self.times(&v, &along)?;
        self.minus(a, &share)
    }

    /// The rank of matrices and their sizes.
    pub(super) fn matrices(&self, a: &[ValueId]) -> Result<(usize, [u64; 2]), String> {
        let ty = self.b.ty(*a.first().ok_or("a number has a part")?);
        match ty.shape[..] {
            [.., m, n] if ty.dtype.is_float() && ty.elements() > 0 => Ok((ty.rank(), [m, n])),
            _ => Err(format!("matrices of floats are meant, not {ty}")),
        }
    }

    pub(super) fn rows_first(&mut self, a: &[ValueId]) -> Made {
        let rank = self.b.ty(a[0]).rank();
        a.iter().map(|&part| self.first(part, rank - 2)).collect()
    }

    fn rows_back(&mut self, a: &[ValueId]) -> Made {
        a.iter().map(|&part| self.first_to(part, self.b.ty(part).rank() - 2)).collect()
    }

    fn column_place(&mut self, a: &[ValueId], number: ValueId) -> Result<Place, String> {
        let whole = self.b.shape(a[0]);
        let last = whole.len() - 1;
        let column = whole[..last].to_vec();
        let number = [self.broadcast(number, &whole, &[])?, self.broadcast(number, &column, &[])?];
        let (rows, columns) = (self.numbered_along(&whole, 0)?, self.numbered_along(&whole, last)?);
        let down = self.numbered_along(&column, 0)?;
        Ok(Place { whole, column, number, rows, columns, down })
    }

    pub(super) fn spread(&mut self, x: &[ValueId], shape: &[u64], dims: &[usize]) -> Made {
        x.iter().map(|&part| self.broadcast(part, shape, dims)).collect()
    }

    pub(super) fn chosen(&mut self, test: ValueId, x: &[ValueId], y: &[ValueId]) -> Made {
        x.iter().zip(y).map(|(&x, &y)| self.select(test, x, y)).collect()
    }

    pub(super) fn masked(&mut self, test: ValueId, x: &[ValueId]) -> Made {
        x.iter()
            .map(|&part| {
                let zero = self.b.constant_like(part, 0.0);
                self.select(test, part, zero)
            })
            .collect()
    }

    /// Of each line along `dim` the one element where `test` holds.
    fn picked(&mut self, test: ValueId, x: &[ValueId], dim: usize) -> Made {
        x.iter().map(|&part| self.one_where(test, part, &[dim])).collect()
    }

    pub(super) fn ones(&mut self, like: &[ValueId]) -> MatrixParts {
        like.iter().enumerate().map(|(i, &part)| self.b.constant_like(part, if i == 0 { 1.0 } else { 0.0 })).collect()
    }

    fn is_zero(&mut self, x: &[ValueId]) -> Result<ValueId, String> {
        let zero = self.b.constant_like(x[0], 0.0);
        let re = self.elem("compare_eq", &[x[0], zero])?;
        let Some(&im) = x.get(1) else { return Ok(re) };
        let im = self.elem("compare_eq", &[im, zero])?;
        self.elem("and", &[re, im])
    }

    pub(super) fn conjugate(&mut self, x: &[ValueId]) -> MatrixParts {
        x.iter().enumerate().map(|(i, &part)| if i == 0 { part } else { self.b.neg(part) }).collect()
    }

    fn minus(&mut self, x: &[ValueId], y: &[ValueId]) -> Made {
        x.iter().zip(y).map(|(&x, &y)| self.elem("subtract", &[x, y])).collect()
    }

    pub(super) fn times(&mut self, x: &[ValueId], y: &[ValueId]) -> Made {
        match (x, y) {
            (&[a, b], &[c, d]) => Ok(self.complex(a).product([a, b], [c, d])?.to_vec()),
            _ => Ok(vec![self.elem("multiply", &[x[0], y[0]])?]),
        }
    }

    fn divided(&mut self, x: &[ValueId], y: &[ValueId]) -> Made {
        match (x, y) {
            (&[a, b], &[c, d]) => Ok(self.complex(a).quotient([a, b], [c, d])?.to_vec()),
            _ => Ok(vec![self.elem("divide", &[x[0], y[0]])?]),
        }
    }
}
