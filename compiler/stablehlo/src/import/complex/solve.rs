//! Triangular systems and Cholesky factors of complex matrices, and the LAPACK calls that JAX's CPU lowering makes of them.
//!
//! A complex number `a + bi` is the real matrix `[[a, -b], [b, a]]`: products and sums are the same. So a complex matrix is a real one of
//! twice the size, whose rows and columns alternate between real and imaginary parts. The Cholesky factor of that is the factor of the
//! complex matrix in the same form, since its diagonal is real and there is only one. A triangular system whose diagonal is ones
//! stays triangular; so rows are divided by their entry on the diagonal first.

use super::number::{ComplexParts, Made};
use crate::import::decompose;
use crate::import::jacobi;
use crate::import::solve::{self, System};
use crate::import::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{Op as Ir, ValueId};

pub const RULES: &[(&str, ImportRule)] =
    &[("stablehlo.triangular_solve", triangular_solve), ("stablehlo.cholesky", cholesky)];

type One = Result<ComplexParts, String>;

fn triangular_solve<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [a, b]: [ComplexParts; 2] = i.numbers(op)?;
    let (system, adjoint) = solve::system(op);
    Ok(i.complex_solved(a, b, system, adjoint)?.to_vec())
}

fn cholesky<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [a]: [ComplexParts; 1] = i.numbers(op)?;
    Ok(i.complex_factor(a, solve::truth(op, "lower").unwrap_or(false))?.to_vec())
}

/// The LAPACK call `target` of complex matrices, if it is one of those that are computed here.
///
/// # Errors
/// Operands that do not fit.
pub fn lapack<'m>(i: &mut Import<'m>, op: &TextOp<'m>, target: &str) -> Option<Made> {
    match target.strip_prefix("lapack_")?.strip_suffix("_ffi")? {
        "ctrsm" | "ztrsm" => Some(trsm(i, op)),
        "cpotrf" | "zpotrf" => Some(potrf(i, op)),
        routine => {
            let of_complex = routine.strip_prefix(['c', 'z'])?;
            if jacobi::is_known(of_complex) {
                let a = i.numbers::<1>(op);
                return Some(a.and_then(|[a]| jacobi::lapack(i, op, of_complex, &a)));
            }
            let operands = match decompose::operands(of_complex)? {
                1 => i.numbers::<1>(op).map(|all| all.map(|x| x.to_vec()).to_vec()),
                3 => i.numbers::<3>(op).map(|all| all.map(|x| x.to_vec()).to_vec()),
                _ => i.numbers::<2>(op).map(|all| all.map(|x| x.to_vec()).to_vec()),
            };
            match operands {
                Ok(all) => decompose::lapack(i, op, of_complex, &all),
                Err(e) => Some(Err(e)),
            }
        }
    }
}

fn trsm<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [a, b]: [ComplexParts; 2] = i.numbers(op)?;
    let (system, adjoint) = solve::lapack_system(op)?;
    Ok(i.complex_solved(a, b, system, adjoint)?.to_vec())
}

fn potrf<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [a]: [ComplexParts; 1] = i.numbers(op)?;
    let [re, im] = i.complex_factor(a, op.letter("uplo")? == b'L')?;
    Ok(vec![re, im, i.first_failed(re)?])
}

impl Import<'_> {
    fn complex_solved(&mut self, a: ComplexParts, b: ComplexParts, s: System, adjoint: bool) -> One {
        let shape = self.b.shape(a[0]);
        let rank = shape.len();
        if rank < 2 || shape[rank - 1] != shape[rank - 2] || self.b.ty(b[0]).rank() != rank {
            return Err(format!("a system of {} has no right side {}", self.b.ty(a[0]), self.b.ty(b[0])));
        }
        let mut a = if adjoint { [a[0], self.b.neg(a[1])] } else { a };
        // x op(a) = b is op(a)^T x^T = b^T.
        let flip = s.transposed == s.left;
        if flip {
            a = [self.flipped_matrix(a[0])?, self.flipped_matrix(a[1])?];
        }
        let mut b = if s.left { b } else { [self.flipped_matrix(b[0])?, self.flipped_matrix(b[1])?] };
        let lower = s.lower != flip;
        if !s.unit {
            let on = [self.diagonal(a[0])?, self.diagonal(a[1])?];
            a = self.rows_divided(a, on)?;
            b = self.rows_divided(b, on)?;
        }
        // It is ones now, or counts as ones.
        let a = self.with_real_diagonal(a)?;
        let left = self.interleaved(a)?;
        let right = self.rows_interleaved(b)?;
        let system = System { left: true, lower, transposed: false, unit: true };
        let x = self.solved(left, right, system)?;
        let [re, im] = self.rows_apart(x)?;
        if s.left { Ok([re, im]) } else { Ok([self.flipped_matrix(re)?, self.flipped_matrix(im)?]) }
    }

    fn complex_factor(&mut self, a: ComplexParts, lower: bool) -> One {
        if self.b.ty(a[0]).rank() < 2 {
            return Err(format!("a factor of {}, which is no matrix", self.b.ty(a[0])));
        }
        // That of a Hermitian matrix is real, whatever stands there.
        let a = self.with_real_diagonal(a)?;
        let whole = self.interleaved(a)?;
        let factor = self.factor(whole, lower)?;
        // By rows of the pairs, the first column of each is real part over imaginary part.
        let rows = self.rows_apart(factor)?;
        let mut parts = Vec::new();
        for part in rows {
            let across = self.flipped_matrix(part)?;
            let [first, _] = self.rows_apart(across)?;
            parts.push(self.flipped_matrix(first)?);
        }
        <[ValueId; 2]>::try_from(parts).map_err(|_| "a number has two parts".to_string())
    }

    /// Matrices without the imaginary parts on their diagonals.
    fn with_real_diagonal(&mut self, a: ComplexParts) -> One {
        let shape = self.b.shape(a[0]);
        let last = shape.len() - 1;
        let (rows, columns) = (self.numbered_along(&shape, last - 1)?, self.numbered_along(&shape, last)?);
        let on = self.elem("compare_eq", &[rows, columns])?;
        let zero = self.b.constant_like(a[1], 0.0);
        Ok([a[0], self.select(on, zero, a[1])?])
    }

    /// Each row of `x` divided by its number.
    fn rows_divided(&mut self, x: ComplexParts, by: ComplexParts) -> One {
        let shape = self.b.shape(x[0]);
        let dims: Vec<usize> = (0..shape.len() - 1).collect();
        let (re, im) = (self.broadcast(by[0], &shape, &dims)?, self.broadcast(by[1], &shape, &dims)?);
        // As (x conj(d)) / |d|^2, where |d| is scaled to about one, so that no square overflows.
        let (size_re, size_im) = (self.elem("abs", &[re])?, self.elem("abs", &[im])?);
        let size = self.elem("maximum", &[size_re, size_im])?;
        let (c, d) = (self.elem("divide", &[re, size])?, self.elem("divide", &[im, size])?);
        let (cc, dd) = (self.b.mul(c, c), self.b.mul(d, d));
        let squares = self.b.add(cc, dd);
        let scale = self.b.mul(squares, size);
        let (rc, id) = (self.b.mul(x[0], c), self.b.mul(x[1], d));
        let (ic, rd) = (self.b.mul(x[1], c), self.b.mul(x[0], d));
        let (re, im) = (self.b.add(rc, id), self.b.sub(ic, rd));
        Ok([self.elem("divide", &[re, scale])?, self.elem("divide", &[im, scale])?])
    }

    /// `[.., n, n]` as the real `[.., 2n, 2n]`.
    fn interleaved(&mut self, a: ComplexParts) -> Result<ValueId, String> {
        let minus = self.b.neg(a[1]);
        let first = self.rows_interleaved(a)?;
        let second = self.rows_interleaved([minus, a[0]])?;
        // Columns are rows of the transpose.
        let across = [self.flipped_matrix(first)?, self.flipped_matrix(second)?];
        let whole = self.rows_interleaved(across)?;
        self.flipped_matrix(whole)
    }

    /// Rows of the two parts in turn: `[.., n, k]` twice to `[.., 2n, k]`.
    fn rows_interleaved(&mut self, x: ComplexParts) -> Result<ValueId, String> {
        let shape = self.b.shape(x[0]);
        let at = shape.len() - 1;
        let single = [&shape[..at], &[1], &shape[at..]].concat();
        let parts = [self.reshaped(x[0], &single)?, self.reshaped(x[1], &single)?];
        let both = self.emit(Ir::Concatenate { dim: at }, &parts)?;
        let mut rows = shape.clone();
        rows[at - 1] *= 2;
        self.reshaped(both, &rows)
    }

    /// The other way.
    fn rows_apart(&mut self, x: ValueId) -> One {
        let shape = self.b.shape(x);
        let at = shape.len() - 1;
        let mut rows = shape.clone();
        rows[at - 1] /= 2;
        let pairs = self.reshaped(x, &[&rows[..at], &[2], &shape[at..]].concat())?;
        let mut part = |k: u64| -> Result<ValueId, String> {
            let one = self.range(pairs, at, k, k + 1)?;
            self.reshaped(one, &rows)
        };
        Ok([part(0)?, part(1)?])
    }
}
