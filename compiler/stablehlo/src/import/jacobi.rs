//! Eigenvalues of symmetric matrices and singular values: the LAPACK calls that JAX's CPU lowering makes for `eigh` and `svd` (`syevd`,
//! `heevd`, `gesdd`), of real and of complex matrices. Both turn columns until they are orthogonal ([`super::rotations`]).
//!
//! What is turned are the columns of R^H, where A = Q R: they converge in far fewer sweeps than those of A if numbers differ in size
//! (Drmač and Veselić, "New fast and accurate Jacobi SVD algorithm", 2008). A symmetric matrix is shifted by a bound of its norm
//! first: then no eigenvalue is negative, and eigenvectors are singular vectors.
//!
//! Signs of vectors are not LAPACK's. A matrix whose columns are not orthogonal in the end counts as failed, as in LAPACK: JAX makes
//! NaN of its results.

use super::decompose::MatrixParts;
use super::rotations::{epsilon, letters};
use super::state::Import;
use crate::module::TextOp;
use meshloom_ir::types::{Literal, Scalar};
use meshloom_ir::{Op as Ir, Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

/// Which vectors `gesdd` is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vectors {
    /// As many as there are singular values.
    Some,
    /// Whole square matrices.
    All,
    None,
}

/// Whether the routine (`gesdd` for `dgesdd`) is one of these.
pub fn is_known(routine: &str) -> bool {
    matches!(routine, "syevd" | "heevd" | "gesdd")
}

/// The results of such a routine.
///
/// # Errors
/// What does not fit.
pub fn lapack(i: &mut Import<'_>, op: &TextOp<'_>, routine: &str, a: &[ValueId]) -> Made {
    if routine == "gesdd" { i.singular(a, op.letter("mode")?) } else { i.symmetric(a, op.letter("uplo")? == b'L') }
}

impl Import<'_> {
    /// Eigenvectors by column, eigenvalues from the least up, and whether it failed.
    ///
    /// # Errors
    /// What does not fit.
    fn symmetric(&mut self, a: &[ValueId], lower: bool) -> Made {
        let (rank, [m, n]) = self.matrices(a)?;
        if m != n {
            return Err(format!("square matrices are meant, not {}", self.b.ty(a[0])));
        }
        let whole = self.mirrored_triangle(a, lower)?;
        let shape = self.b.shape(a[0]);
        let batch: Vec<usize> = (0..rank - 2).collect();
        let (h, largest) = self.scaled(&whole)?;
        let length = self.sum_of_squares(&h, &[rank - 2, rank - 1])?;
        let length = self.elem("sqrt", &[length])?;
        let length = self.not_zero(length)?;
        let h = self.shrunk(&h, length, &batch)?;
        let scale = self.elem("multiply", &[largest, length])?;
        // The length of H^8 is at most n^(1/16) times the eighth power of H's norm, and at least that.
        let mut power = h.clone();
        for _ in 0..3 {
            power = self.matrix_product(&power, &power)?;
        }
        let mut bound = self.sum_of_squares(&power, &[rank - 2, rank - 1])?;
        for _ in 0..4 {
            bound = self.elem("sqrt", &[bound])?;
        }
        let more = self.b.constant_like(bound, 1.0 + 8.0 * epsilon(self.b.ty(bound).dtype));
        let bound = self.elem("multiply", &[bound, more])?;
        let bound = self.not_zero(bound)?;
        let diagonal = self.on_diagonal(&shape)?;
        let spread = self.broadcast(bound, &shape, &batch)?;
        let zero = self.b.constant_like(spread, 0.0);
        let shift = self.select(diagonal, spread, zero)?;
        let mut shifted = h.clone();
        shifted[0] = self.elem("add", &[h[0], shift])?;

        let (factors, taus) = self.factors(&shifted)?;
        let turned = self.orthogonalized(&factors, true)?;
        let q = self.orthogonal(&factors, &taus)?;
        let vectors = self.combined_columns(&q, &turned.rotation)?;
        // Rayleigh's quotients, whose error is the square of the vectors'.
        let image = self.matrix_product(&h, &vectors)?;
        let conjugate = self.conjugate(&vectors);
        let products = self.times(&conjugate, &image)?;
        let values = self.reduce(Reduction::Sum, products[0], &[rank - 2])?;

        let falling = self.b.neg(values);
        let order = self.emit(Ir::top_k(rank - 2, n, true, true), &[falling])?;
        let values = self.reordered(values, order, rank - 2)?;
        let of_column: Vec<usize> = batch.iter().copied().chain([rank - 1]).collect();
        let order = self.broadcast(order, &shape, &of_column)?;
        let mut results = Vec::new();
        for part in vectors {
            results.push(self.reordered(part, order, rank - 1)?);
        }
        results.extend(self.grown(values, scale)?);
        results.push(self.failed(turned.done)?);
        Ok(results)
    }

    /// The operand (LAPACK leaves nothing useful there), singular values from the largest down, left vectors by column, right vectors by
    /// row and conjugated, and whether it failed.
    ///
    /// # Errors
    /// What does not fit.
    fn singular(&mut self, a: &[ValueId], mode: u8) -> Made {
        let vectors = match mode {
            b'A' => Vectors::All,
            b'S' => Vectors::Some,
            b'N' => Vectors::None,
            _ => return Err(format!("`gesdd` in mode `{}` is not supported", char::from(mode))),
        };
        let (rank, [m, n]) = self.matrices(a)?;
        let wide = m < n;
        let tall = if wide { self.adjoint(a)? } else { a.to_vec() };
        let count = m.min(n);
        let (scaled, largest) = self.scaled(&tall)?;
        let (factors, taus) = self.factors(&scaled)?;
        let turned = self.orthogonalized(&factors, vectors != Vectors::None)?;
        // Those of no length have a direction only among the others: they are what is orthogonal to these.
        let squares = self.sum_of_squares(&turned.columns, &[rank - 1])?;
        let order = self.emit(Ir::top_k(0, count, true, true), &[squares])?;
        let columns = self.rows_in_order(&turned.columns, order)?;
        let by_column = columns.iter().map(|&x| self.first_to(x, rank - 1)).collect::<Made>()?;
        let (units, unit_taus) = self.factors(&by_column)?;
        let lengths = self.diagonal(units[0])?;
        let values = self.elem("abs", &[lengths])?;
        let values = self.emit(Ir::top_k(rank - 2, count, true, false), &[values])?;
        let mut results = a.to_vec();
        results.extend(self.grown(values, largest)?);
        if vectors == Vectors::None {
            let square = |k: u64| [&self.b.shape(a[0])[..rank - 2], &[k, k]].concat();
            for shape in [square(m), square(n)] {
                for _ in a {
                    let value = Literal::Splat(Scalar::float(0.0));
                    let dtype = self.b.ty(a[0]).dtype;
                    results.push(self.emit(Ir::Constant { dtype, shape: shape.clone(), value }, &[])?);
                }
            }
        } else {
            let rotation = self.rows_in_order(&turned.rotation, order)?;
            let long = self.long_side(&factors, &taus, &rotation, vectors == Vectors::All)?;
            let short = self.orthogonal(&units, &unit_taus)?;
            let shape = self.b.shape(short[0]);
            let of_column: Vec<usize> = (0..rank - 2).chain([rank - 1]).collect();
            let zero = self.b.constant_like(lengths, 0.0);
            let negative = self.elem("compare_lt", &[lengths, zero])?;
            let negative = self.broadcast(negative, &shape, &of_column)?;
            let other: MatrixParts = short.iter().map(|&x| self.b.neg(x)).collect();
            let short = self.chosen(negative, &other, &short)?;
            let (left, right) = if wide { (short, long) } else { (long, short) };
            results.extend(left);
            results.extend(self.adjoint(&right)?);
        }
        results.push(self.failed(turned.done)?);
        Ok(results)
    }

    /// Q's columns turned: the vectors of a tall matrix on its long side, with those that complete them where `all` are asked for.
    fn long_side(&mut self, factors: &[ValueId], taus: &[ValueId], rotation: &[ValueId], all: bool) -> Made {
        let shape = self.b.shape(factors[0]);
        let rank = shape.len();
        let [m, n] = [shape[rank - 2], shape[rank - 1]];
        if !all || m == n {
            let q = self.orthogonal(factors, taus)?;
            return self.combined_columns(&q, rotation);
        }
        let mut wide = Vec::new();
        for &part in factors {
            let mut more = shape.clone();
            more[rank - 1] = m - n;
            let value = Literal::Splat(Scalar::float(0.0));
            let dtype = self.b.ty(part).dtype;
            let more = self.emit(Ir::Constant { dtype, shape: more, value }, &[])?;
            wide.push(self.emit(Ir::Concatenate { dim: rank - 1 }, &[part, more])?);
        }
        let q = self.orthogonal(&wide, taus)?;
        let mut first = Vec::new();
        for &part in &q {
            first.push(self.range(part, rank - 1, 0, n)?);
        }
        let first = self.combined_columns(&first, rotation)?;
        let mut both = Vec::new();
        for (&turned, &part) in first.iter().zip(&q) {
            let rest = self.range(part, rank - 1, n, m)?;
            both.push(self.emit(Ir::Concatenate { dim: rank - 1 }, &[turned, rest])?);
        }
        Ok(both)
    }

    /// Householder's factors of tall matrices, and the factor of each reflector.
    fn factors(&mut self, a: &[ValueId]) -> Result<(MatrixParts, MatrixParts), String> {
        let mut factors = self.reflectors(a)?;
        let taus = factors.split_off(a.len());
        Ok((factors, taus))
    }

    /// LAPACK's answer: 0 where it is done.
    fn failed(&mut self, done: ValueId) -> Result<ValueId, String> {
        let one = self.b.constant_like(done, 1.0);
        self.elem("subtract", &[one, done])
    }

    /// The symmetric matrix of which one triangle is given. Its diagonal is real.
    fn mirrored_triangle(&mut self, a: &[ValueId], lower: bool) -> Made {
        let shape = self.b.shape(a[0]);
        let rank = shape.len();
        let (rows, columns) = (self.numbered_along(&shape, rank - 2)?, self.numbered_along(&shape, rank - 1)?);
        let own = self.elem(if lower { "compare_ge" } else { "compare_le" }, &[rows, columns])?;
        let adjoint = self.adjoint(a)?;
        let mut whole = self.chosen(own, a, &adjoint)?;
        if let Some(im) = whole.get_mut(1) {
            let off = self.elem("compare_ne", &[rows, columns])?;
            let zero = self.b.constant_like(*im, 0.0);
            *im = self.select(off, *im, zero)?;
        }
        Ok(whole)
    }

    fn on_diagonal(&mut self, shape: &[u64]) -> Result<ValueId, String> {
        let rank = shape.len();
        let (rows, columns) = (self.numbered_along(shape, rank - 2)?, self.numbered_along(shape, rank - 1)?);
        self.elem("compare_eq", &[rows, columns])
    }

    pub(super) fn adjoint(&mut self, a: &[ValueId]) -> Made {
        let flipped = a.iter().map(|&part| self.flipped_matrix(part)).collect::<Made>()?;
        Ok(self.conjugate(&flipped))
    }

    /// Matrices over their largest number, so that no square overflows, and that number.
    fn scaled(&mut self, a: &[ValueId]) -> Result<(MatrixParts, ValueId), String> {
        let rank = self.b.ty(a[0]).rank();
        let mut largest = None;
        for &part in a {
            let size = self.elem("abs", &[part])?;
            let size = self.reduce(Reduction::Max, size, &[rank - 2, rank - 1])?;
            largest = Some(match largest {
                Some(other) => self.elem("maximum", &[size, other])?,
                None => size,
            });
        }
        let largest = self.not_zero(largest.ok_or("a number has a part")?)?;
        let scaled = self.shrunk(a, largest, &(0..rank - 2).collect::<Vec<_>>())?;
        Ok((scaled, largest))
    }

    /// Each matrix over its number.
    fn shrunk(&mut self, a: &[ValueId], by: ValueId, batch: &[usize]) -> Made {
        let shape = self.b.shape(a[0]);
        let by = self.broadcast(by, &shape, batch)?;
        a.iter().map(|&part| self.elem("divide", &[part, by])).collect()
    }

    /// Values of matrices, times the number of each.
    fn grown(&mut self, values: ValueId, by: ValueId) -> Made {
        let shape = self.b.shape(values);
        let by = self.broadcast(by, &shape, &(0..shape.len() - 1).collect::<Vec<_>>())?;
        Ok(vec![self.elem("multiply", &[values, by])?])
    }

    /// What lies by column, in another order of the columns.
    fn rows_in_order(&mut self, x: &[ValueId], order: ValueId) -> Made {
        let Some(&first) = x.first() else { return Ok(Vec::new()) };
        let shape = self.b.shape(first);
        let order = self.broadcast(order, &shape, &(0..shape.len() - 1).collect::<Vec<_>>())?;
        x.iter().map(|&part| self.reordered(part, order, 0)).collect()
    }

    /// `q v`, where the columns of v lie by number.
    fn combined_columns(&mut self, q: &[ValueId], v: &[ValueId]) -> Made {
        let batch = letters(self.b.ty(q[0]).rank() - 2);
        let of = |c: [char; 2]| [&batch[..], &c].concat();
        let by_number = [&['y'][..], &batch, &['z']].concat();
        self.contraction([q, v], [of(['x', 'z']), by_number], &of(['x', 'y']))
    }

    fn matrix_product(&mut self, x: &[ValueId], y: &[ValueId]) -> Made {
        let batch = letters(self.b.ty(x[0]).rank() - 2);
        let of = |c: [char; 2]| [&batch[..], &c].concat();
        self.contraction([x, y], [of(['x', 'z']), of(['z', 'y'])], &of(['x', 'y']))
    }
}
