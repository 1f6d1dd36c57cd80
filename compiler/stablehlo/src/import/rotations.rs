//! Jacobi's method from one side (Hestenes): pairs of columns are turned until all are orthogonal. A step turns half as many pairs as
//! there are columns at once, all of them disjoint; between steps columns change places so that everyone meets everyone once a
//! sweep (Brent and Luk, "The solution of singular-value and symmetric eigenvalue problems on multiprocessor arrays", 1985). So it is
//! one loop of plain ops with a fixed number of iterations. Pairs that are orthogonal to rounding stay as they are.
//!
//! Not here: what the columns are of ([`super::jacobi`]).

use super::decompose::MatrixParts;
use super::state::Import;
use meshloom_ir::{DType, Einsum, Op as Ir, Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

/// Columns of matrices that are orthogonal to each other, by number: `[n, batch.., m]`.
pub(super) struct Turned {
    pub columns: MatrixParts,
    /// The product of all rotations, by column.
    pub rotation: MatrixParts,
    /// By matrix whether its columns are orthogonal.
    pub done: ValueId,
}

/// Sweeps after which matrices of `n` columns were orthogonal in all trials: random ones, with equal and with clustered values, of low
/// rank, and with values from 1 down to 1e-12.
fn sweeps(n: u64, dtype: DType) -> u64 {
    let steps = u64::from(n.next_power_of_two().trailing_zeros());
    if dtype == DType::F64 { (3 * steps).max(8) } else { (2 * steps + 2).max(6) }
}

impl Import<'_> {
    /// The columns of R^H of such factors, turned until they are orthogonal.
    pub(super) fn orthogonalized(&mut self, factors: &[ValueId], with_rotation: bool) -> Result<Turned, String> {
        let shape = self.b.shape(factors[0]);
        let rank = shape.len();
        let n = shape[rank - 1];
        let mut square = Vec::new();
        for &part in factors {
            square.push(self.range(part, rank - 2, 0, n)?);
        }
        let shape = self.b.shape(square[0]);
        let (rows, columns) = (self.numbered_along(&shape, rank - 2)?, self.numbered_along(&shape, rank - 1)?);
        let upper = self.elem("compare_le", &[rows, columns])?;
        let upper = self.masked(upper, &square)?;
        // A column of R^H is a row of R, conjugated.
        let rows = self.rows_first(&upper)?;
        let start = self.conjugate(&rows);
        let identity = self.identity_like(&start)?;
        let parts = start.len();
        let mut carried = start;
        if with_rotation {
            carried.extend(identity);
        }
        let carried = if n == 1 { carried } else { self.rotations(carried, parts)? };
        let (columns, rotation) = carried.split_at(parts);
        let done = self.are_orthogonal(columns)?;
        Ok(Turned { columns: columns.to_vec(), rotation: rotation.to_vec(), done })
    }

    /// All sweeps: of the tensors that hold something by column, whose first `parts` are the columns themselves.
    fn rotations(&mut self, by_column: Vec<ValueId>, parts: usize) -> Made {
        let shape = self.b.shape(by_column[0]);
        let (n, dtype) = (shape[0], self.b.ty(by_column[0]).dtype);
        let half = n.div_ceil(2);
        let mut halves = [Vec::new(), Vec::new()];
        for &x in &by_column {
            let x = if n % 2 == 0 {
                x
            } else {
                // A column of zeros turns nothing.
                let first = self.range(x, 0, 0, 1)?;
                let zeros = self.b.constant_like(first, 0.0);
                self.emit(Ir::Concatenate { dim: 0 }, &[x, zeros])?
            };
            halves[0].push(self.range(x, 0, 0, half)?);
            halves[1].push(self.range(x, 0, half, 2 * half)?);
        }
        let operands = halves.concat();
        let kinds = by_column.len();
        let body = self.per_entry(&operands, &[], |i, carries, _| i.rotated(carries, kinds, parts))?;
        let count = sweeps(n, dtype) * (2 * half - 1);
        let out = self.b.repeat(count, false, operands.len(), 0, &operands, body)?;
        let (left, right) = out.split_at(kinds);
        let mut results = Vec::new();
        for (&x, &y) in left.iter().zip(right) {
            let both = self.emit(Ir::Concatenate { dim: 0 }, &[x, y])?;
            results.push(self.range(both, 0, 0, n)?);
        }
        Ok(results)
    }

    /// One step: column k of the left half with column k of the right one, and then everyone to the next place.
    fn rotated(&mut self, carries: &[ValueId], kinds: usize, parts: usize) -> Made {
        let (left, right) = carries.split_at(kinds);
        let shape = self.b.shape(left[0]);
        let last = shape.len() - 1;
        let [x, y] = [&left[..parts], &right[..parts]];
        let (xx, yy) = (self.sum_of_squares(x, &[last])?, self.sum_of_squares(y, &[last])?);
        let conjugate = self.conjugate(x);
        let products = self.times(&conjugate, y)?;
        let mut along = Vec::new();
        for part in products {
            along.push(self.reduce(Reduction::Sum, part, &[last])?);
        }
        let size = self.size_of(&along)?;
        let (a, b) = (self.elem("sqrt", &[xx])?, self.elem("sqrt", &[yy])?);
        let most = self.elem("multiply", &[a, b])?;
        let dtype = self.b.ty(size).dtype;
        let rounding = self.b.constant_like(most, epsilon(dtype) * (shape[last] as f64).sqrt());
        let most = self.elem("multiply", &[most, rounding])?;
        let least = self.b.constant_like(size, if dtype == DType::F64 { 1e-300 } else { 1e-36 });
        let most = self.elem("maximum", &[most, least])?;
        let turns = self.elem("compare_gt", &[size, most])?;

        // The smaller of the two angles after which the product is zero, by its tangent.
        let (zero, one) = (self.b.constant_like(size, 0.0), self.b.constant_like(size, 1.0));
        let safe = self.select(turns, size, one)?;
        let twice = self.elem("add", &[safe, safe])?;
        let more = self.elem("subtract", &[yy, xx])?;
        let cotangent = self.elem("divide", &[more, twice])?;
        let square = self.elem("multiply", &[cotangent, cotangent])?;
        let square = self.elem("add", &[one, square])?;
        let root = self.elem("sqrt", &[square])?;
        let magnitude = self.elem("abs", &[cotangent])?;
        let sum = self.elem("add", &[magnitude, root])?;
        let minus = self.b.constant_like(size, -1.0);
        let rising = self.elem("compare_ge", &[cotangent, zero])?;
        let sign = self.select(rising, one, minus)?;
        let tangent = self.elem("divide", &[sign, sum])?;
        let tangent = self.select(turns, tangent, zero)?;
        let square = self.elem("multiply", &[tangent, tangent])?;
        let square = self.elem("add", &[one, square])?;
        let root = self.elem("sqrt", &[square])?;
        let cosine = self.elem("divide", &[one, root])?;
        let sine = self.elem("multiply", &[cosine, tangent])?;
        let beyond = self.elem("add", &[one, cosine])?;
        let half = self.elem("divide", &[sine, beyond])?;

        // The right one times a number of size 1, so that the product is real and positive.
        let mut phase = Vec::new();
        for (k, &part) in along.iter().enumerate() {
            let part = self.elem("divide", &[part, safe])?;
            let none = if k == 0 { one } else { zero };
            phase.push(self.select(turns, part, none)?);
        }
        let phase = self.conjugate(&phase);
        let mut out = [Vec::new(), Vec::new()];
        for k in (0..kinds).step_by(parts) {
            let made = self.turned_by(&left[k..k + parts], &right[k..k + parts], &phase, sine, half)?;
            let [a, b] = self.moved_on(made)?;
            out[0].extend(a);
            out[1].extend(b);
        }
        Ok(out.concat())
    }

    /// `x - s (y + t x)` and `y + s (x - t y)`, with the tangent t of half the angle: the error is as small as the angle (Rutishauser).
    fn turned_by(
        &mut self,
        x: &[ValueId],
        y: &[ValueId],
        phase: &[ValueId],
        sine: ValueId,
        half: ValueId,
    ) -> Result<[MatrixParts; 2], String> {
        let shape = self.b.shape(x[0]);
        let dims: Vec<usize> = (0..shape.len() - 1).collect();
        let phase = self.spread(phase, &shape, &dims)?;
        let (sine, half) = (self.broadcast(sine, &shape, &dims)?, self.broadcast(half, &shape, &dims)?);
        let y = self.times(&phase, y)?;
        let (mut a, mut b) = (Vec::new(), Vec::new());
        for (&x, &y) in x.iter().zip(&y) {
            let part = self.elem("multiply", &[half, x])?;
            let other = self.elem("add", &[y, part])?;
            let change = self.elem("multiply", &[sine, other])?;
            a.push(self.elem("subtract", &[x, change])?);
            let part = self.elem("multiply", &[half, y])?;
            let other = self.elem("subtract", &[x, part])?;
            let change = self.elem("multiply", &[sine, other])?;
            b.push(self.elem("add", &[y, change])?);
        }
        Ok([a, b])
    }

    /// As at a tournament: the first keeps its place, and all others go on by one, to the right on one side and to the left on the other.
    fn moved_on(&mut self, [x, y]: [MatrixParts; 2]) -> Result<[MatrixParts; 2], String> {
        let half = self.b.shape(x[0])[0];
        if half == 1 {
            return Ok([x, y]);
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (x, y) in x.into_iter().zip(y) {
            let (first, middle, end) =
                (self.range(x, 0, 0, 1)?, self.range(x, 0, 1, half - 1), self.range(x, 0, half - 1, half)?);
            let (next, rest) = (self.range(y, 0, 0, 1)?, self.range(y, 0, 1, half)?);
            let row = if half == 2 { vec![first, next] } else { vec![first, next, middle?] };
            left.push(self.emit(Ir::Concatenate { dim: 0 }, &row)?);
            right.push(self.emit(Ir::Concatenate { dim: 0 }, &[rest, end])?);
        }
        Ok([left, right])
    }

    /// By matrix whether no product of two columns is more than rounding makes of the longest one and of either.
    fn are_orthogonal(&mut self, columns: &[ValueId]) -> Result<ValueId, String> {
        let shape = self.b.shape(columns[0]);
        let (n, rank, dtype) = (shape[0], shape.len(), self.b.ty(columns[0]).dtype);
        let batch: Vec<char> = letters(rank - 2);
        let of = |c: char| [&[c][..], &batch, &['z']].concat();
        let out = [&['x', 'y'][..], &batch].concat();
        let conjugate = self.conjugate(columns);
        let products = self.contraction([&conjugate, columns], [of('x'), of('y')], &out)?;
        let size = self.size_of(&products)?;
        let squares = self.sum_of_squares(columns, &[rank - 1])?;
        let lengths = self.elem("sqrt", &[squares])?;
        let longest = self.reduce(Reduction::Max, lengths, &[0])?;
        let whole = self.b.shape(size);
        let one: Vec<usize> = (2..rank).collect();
        let by = |d: usize| [&[d][..], &one].concat();
        let [x, y] = [self.broadcast(lengths, &whole, &by(0))?, self.broadcast(lengths, &whole, &by(1))?];
        let longer = self.elem("maximum", &[x, y])?;
        let longest = self.broadcast(longest, &whole, &one)?;
        let most = self.elem("multiply", &[longer, longest])?;
        let rounding = self.b.constant_like(most, 16.0 * n as f64 * epsilon(dtype));
        let most = self.elem("multiply", &[most, rounding])?;
        let fits = self.elem("compare_le", &[size, most])?;
        let (rows, columns) = (self.numbered_along(&whole, 0)?, self.numbered_along(&whole, 1)?);
        let same = self.elem("compare_eq", &[rows, columns])?;
        // Of a column with itself the product is as large as it is, but no NaN.
        let known = self.elem("compare_eq", &[size, size])?;
        let fits = self.select(same, known, fits)?;
        let fits = self.convert(fits, DType::I32)?;
        self.reduce(Reduction::Min, fits, &[0, 1])
    }

    /// 1 in place of 0.
    pub(super) fn not_zero(&mut self, x: ValueId) -> Result<ValueId, String> {
        let (zero, one) = (self.b.constant_like(x, 0.0), self.b.constant_like(x, 1.0));
        let none = self.elem("compare_eq", &[x, zero])?;
        self.select(none, one, x)
    }

    pub(super) fn sum_of_squares(&mut self, x: &[ValueId], dims: &[usize]) -> Result<ValueId, String> {
        let mut sum = None;
        for &part in x {
            let square = self.elem("multiply", &[part, part])?;
            let own = self.reduce(Reduction::Sum, square, dims)?;
            sum = Some(match sum {
                Some(other) => self.elem("add", &[other, own])?,
                None => own,
            });
        }
        sum.ok_or_else(|| "a number has a part".to_string())
    }

    /// The size of numbers, whose squares may be too small.
    pub(super) fn size_of(&mut self, x: &[ValueId]) -> Result<ValueId, String> {
        let re = self.elem("abs", &[x[0]])?;
        let Some(&im) = x.get(1) else { return Ok(re) };
        let im = self.elem("abs", &[im])?;
        let most = self.elem("maximum", &[re, im])?;
        let scale = self.not_zero(most)?;
        let (re, im) = (self.elem("divide", &[re, scale])?, self.elem("divide", &[im, scale])?);
        let (re, im) = (self.elem("multiply", &[re, re])?, self.elem("multiply", &[im, im])?);
        let sum = self.elem("add", &[re, im])?;
        let root = self.elem("sqrt", &[sum])?;
        self.elem("multiply", &[root, scale])
    }

    /// A contraction of numbers, by their parts.
    pub(super) fn contraction(&mut self, [x, y]: [&[ValueId]; 2], of: [Vec<char>; 2], out: &[char]) -> Made {
        let mut dot =
            |a: ValueId, b: ValueId| self.emit(Ir::DotGeneral(Einsum::new(of.to_vec(), out.to_vec())), &[a, b]);
        match (x, y) {
            (&[a, b], &[c, d]) => {
                let [ac, bd, ad, bc] = [dot(a, c)?, dot(b, d)?, dot(a, d)?, dot(b, c)?];
                Ok(vec![self.elem("subtract", &[ac, bd])?, self.elem("add", &[ad, bc])?])
            }
            _ => Ok(vec![dot(x[0], y[0])?]),
        }
    }
}

/// The smallest step above 1.
pub(super) fn epsilon(dtype: DType) -> f64 {
    if dtype == DType::F64 { f64::EPSILON } else { f64::from(f32::EPSILON) }
}

/// Names of so many batch dims.
pub(super) fn letters(count: usize) -> Vec<char> {
    ('a'..='w').take(count).collect()
}
