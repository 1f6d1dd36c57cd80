//! Fourier transforms by factors: of a length `a b`, `a`-point transforms of columns, a turn of each entry, and `b`-point transforms
//! of rows; a transform of a few points is a product with its matrix. So transforms are contractions and reshapes, which are planned
//! as such: all other dims may be split. A length with a large prime factor is a convolution with a chirp (Bluestein), computed by
//! transforms whose length is a power of two.

use super::number::{ComplexParts, Made};
use crate::import::state::{Import, ImportRule};
use crate::import::windows::reversed;
use crate::lexer::Token;
use crate::module::TextOp;
use meshloom_ir::{DType, Einsum, Literal, Op as Ir, Scalar};
use std::f64::consts::PI;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.fft", fft)];

/// Points of a transform that is one product.
const POINTS: u64 = 64;
/// Points of a transform of prime length that still is one.
const PRIME: u64 = 512;
/// Points beyond which turns are computed by the program, in f64, instead of standing in it.
const TABLE: u64 = 1 << 12;

/// What is transformed, and which way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Forward,
    Inverse,
    /// Of real numbers: the first half, and what the other half follows from.
    Real,
    /// From that half back to real numbers.
    InverseReal,
}

fn fft<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x] = i.numbers(op)?;
    let lengths = op.sizes(if op.attr("length").is_some() { "length" } else { "fft_length" })?;
    let kind = op.attr("type").or_else(|| op.attr("fft_type")).and_then(|t| {
        let inner = t.iter().find_map(|t| t.group(b'<')).unwrap_or(t);
        inner.iter().rev().find_map(|t| t.leaf(Token::Word))
    });
    let kind = match kind {
        Some("FFT") => Kind::Forward,
        Some("IFFT") => Kind::Inverse,
        Some("RFFT") => Kind::Real,
        Some("IRFFT") => Kind::InverseReal,
        _ => return Err("`type` is none of FFT, IFFT, RFFT, IRFFT".to_string()),
    };
    let shape = i.b.shape(x[0]);
    let first = shape.len().checked_sub(lengths.len()).ok_or("there are more lengths than dims")?;
    let last = lengths.len().checked_sub(1).ok_or("`length` is empty")?;
    for (k, &n) in lengths.iter().enumerate() {
        let want = if k == last && kind == Kind::InverseReal { n / 2 + 1 } else { n };
        // A dim without entries is not transformed.
        if shape[first + k] != if n == 0 { 0 } else { want } {
            return Err(format!("a transform of {n} points of a dim of {}", shape[first + k]));
        }
    }
    let dim = first + last;
    let real = kind == Kind::Real;
    let inverse = matches!(kind, Kind::Inverse | Kind::InverseReal);
    if i.b.ty(x[0]).elements() == 0 {
        let result = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?;
        let none = i.b.constant(result.dtype, &result.shape, 0.0);
        return Ok(vec![none; op.names_of_parts().len()]);
    }
    let mut t = Transform { i, inverse };
    let mut y = x;
    if real {
        y = t.along(y, dim, true)?;
        let half = lengths[last] / 2 + 1;
        y = [t.i.range(y[0], dim, 0, half)?, t.i.range(y[1], dim, 0, half)?];
    }
    for (k, _) in lengths.iter().enumerate().filter(|&(k, _)| k != last) {
        y = t.along(y, first + k, false)?;
    }
    match kind {
        Kind::Real => {}
        Kind::InverseReal => {
            y = t.whole(y, dim, lengths[last])?;
            y = t.along(y, dim, false)?;
        }
        _ => y = t.along(y, dim, false)?,
    }
    if inverse {
        let points: u64 = lengths.iter().product();
        for part in &mut y {
            let by = t.i.b.constant_like(*part, 1.0 / points as f64);
            *part = t.i.elem("multiply", &[*part, by])?;
        }
    }
    Ok(if kind == Kind::InverseReal { vec![y[0]] } else { y.to_vec() })
}

struct Transform<'i, 'm> {
    i: &'i mut Import<'m>,
    inverse: bool,
}

impl Transform<'_, '_> {
    /// The transform of one dim, not yet divided by its length. `real`: the imaginary parts are zero.
    fn along(&mut self, x: ComplexParts, dim: usize, real: bool) -> Result<ComplexParts, String> {
        let shape = self.i.b.shape(x[0]);
        let n = shape[dim];
        if n == 1 {
            return Ok(x);
        }
        let Some(a) = factor(n) else { return self.chirp(x, dim) };
        if a == n {
            return self.matrix(x, dim, real);
        }
        let b = n / a;
        // Entry `b j + k` is row j, column k: columns are transformed, entry (p, k) is turned by p k of n, and then the rows are.
        let mut split = shape.clone();
        split.splice(dim..=dim, [a, b]);
        let mut y = [self.i.reshaped(x[0], &split)?, self.i.reshaped(x[1], &split)?];
        y = self.along(y, dim, real)?;
        let dtype = self.i.b.ty(x[0]).dtype;
        let turns = self.turns(&[a, b], [0, 1], n, dtype)?;
        let spread = |t: &mut Self, v| t.i.broadcast(v, &split, &[dim, dim + 1]);
        let turns = [spread(self, turns[0])?, spread(self, turns[1])?];
        y = self.i.product(y, turns)?;
        y = self.along(y, dim + 1, false)?;
        // Entry (p, q) is `p + a q` of the result.
        let mut perm: Vec<usize> = (0..split.len()).collect();
        perm.swap(dim, dim + 1);
        let mut out = y;
        for part in &mut out {
            let turned = self.i.emit(Ir::Transpose { perm: perm.clone() }, &[*part])?;
            *part = self.i.reshaped(turned, &shape)?;
        }
        Ok(out)
    }

    /// The transform as a product with its matrix.
    fn matrix(&mut self, x: ComplexParts, dim: usize, real: bool) -> Result<ComplexParts, String> {
        let (n, dtype) = (self.i.b.shape(x[0])[dim], self.i.b.ty(x[0]).dtype);
        let rank = self.i.b.ty(x[0]).rank();
        let w = self.turns(&[n, n], [0, 1], n, dtype)?;
        let mut letters = ('a'..='z').chain('A'..='Z');
        let mut own: Vec<char> = letters.by_ref().take(rank).collect();
        let new = letters.next().filter(|_| own.len() == rank).ok_or("more dims than letters")?;
        let pair = vec![own[dim], new];
        let operands = vec![own.clone(), pair];
        own[dim] = new;
        let einsum = Einsum::new(operands, own);
        let mut dot = |x, w| self.i.emit(Ir::DotGeneral(einsum.clone()), &[x, w]);
        let [rr, ri] = [dot(x[0], w[0])?, dot(x[0], w[1])?];
        if real {
            return Ok([rr, ri]);
        }
        let [ii, ir] = [dot(x[1], w[1])?, dot(x[1], w[0])?];
        Ok([self.i.elem("subtract", &[rr, ii])?, self.i.elem("add", &[ri, ir])?])
    }

    /// By how much entries are turned, a full turn having `n` parts: by as many as the product of the entry's places along two dims.
    fn turns(&mut self, shape: &[u64], along: [usize; 2], n: u64, dtype: DType) -> Result<ComplexParts, String> {
        let sign = if self.inverse { 1.0 } else { -1.0 };
        let count: u64 = shape.iter().product();
        if count <= TABLE {
            let (mut re, mut im) = (Vec::new(), Vec::new());
            for entry in 0..count {
                let mut at = vec![0; shape.len()];
                let mut rest = entry;
                for (d, &size) in shape.iter().enumerate().rev() {
                    (at[d], rest) = (rest % size, rest / size);
                }
                let (cos, sin) = turn(at[along[0]] * at[along[1]] % n, n);
                re.push(Scalar::of(dtype, cos));
                im.push(Scalar::of(dtype, sign * sin));
            }
            let mut table =
                |all| self.i.emit(Ir::Constant { dtype, shape: shape.to_vec(), value: Literal::Dense(all) }, &[]);
            return Ok([table(re)?, table(im)?]);
        }
        let mut place = |dim| {
            let place = Ir::Iota { dtype: DType::I64, shape: shape.to_vec(), dim, shard: Vec::new() };
            self.i.emit(place, &[])
        };
        let [p, k] = [place(along[0])?, place(along[1])?];
        let product = self.i.elem("multiply", &[p, k])?;
        let whole = self.i.b.integer_like(product, i64::try_from(n).map_err(|_| "the transform is too long")?);
        let parts = self.i.elem("remainder", &[product, whole])?;
        let parts = self.i.convert(parts, DType::F64)?;
        let by = self.i.b.constant_like(parts, sign * 2.0 * PI / n as f64);
        let angle = self.i.elem("multiply", &[parts, by])?;
        let [re, im] = [self.i.elem("cosine", &[angle])?, self.i.elem("sine", &[angle])?];
        Ok([self.i.convert(re, dtype)?, self.i.convert(im, dtype)?])
    }

    /// All entries of a transform of real numbers, from the first half: the others are their conjugates, from the end.
    fn whole(&mut self, x: ComplexParts, dim: usize, n: u64) -> Result<ComplexParts, String> {
        let half = n / 2 + 1;
        if n <= half {
            return Ok(x);
        }
        let mut out = x;
        for (k, part) in out.iter_mut().enumerate() {
            let rest = self.i.range(*part, dim, 1, n - half + 1)?;
            let mut rest = reversed(self.i, rest, &[dim])?;
            if k == 1 {
                rest = self.i.elem("negate", &[rest])?;
            }
            *part = self.i.emit(Ir::Concatenate { dim }, &[*part, rest])?;
        }
        Ok(out)
    }

    /// By Bluestein: as `2 j k = j^2 + k^2 - (k - j)^2`, entries are turned by `j^2`, convolved with turns by `-(k - j)^2`, and turned by
    /// `k^2`, where a full turn has `2 n` parts.
    fn chirp(&mut self, x: ComplexParts, dim: usize) -> Result<ComplexParts, String> {
        let (shape, dtype) = (self.i.b.shape(x[0]), self.i.b.ty(x[0]).dtype);
        let n = shape[dim];
        let m = (2 * n - 1).next_power_of_two();
        let chirp = self.turns(&[n], [0, 0], 2 * n, dtype)?;
        let mut turns = chirp;
        for part in &mut turns {
            *part = self.i.broadcast(*part, &shape, &[dim])?;
        }
        let mut long = self.i.product(x, turns)?;
        for part in &mut long {
            let mut high = vec![0; shape.len()];
            high[dim] = m - n;
            *part = self.i.emit(Ir::Pad { low: vec![0; shape.len()], high }, &[*part])?;
        }
        // Conjugates of the turns, at places 0 to n - 1 and, as those from -(n - 1) on, at the end.
        let mut back = [chirp[0], self.i.elem("negate", &[chirp[1]])?];
        for part in &mut back {
            let tail = self.i.range(*part, 0, 1, n)?;
            let tail = reversed(self.i, tail, &[0])?;
            let front = self.i.emit(Ir::Pad { low: vec![0], high: vec![m - 2 * n + 1] }, &[*part])?;
            *part = self.i.emit(Ir::Concatenate { dim: 0 }, &[front, tail])?;
        }
        let mut forward = Transform { i: self.i, inverse: false };
        let long = forward.along(long, dim, false)?;
        let mut back = forward.along(back, 0, false)?;
        let wide = self.i.b.shape(long[0]);
        for part in &mut back {
            let by = self.i.b.constant_like(*part, 1.0 / m as f64);
            let scaled = self.i.elem("multiply", &[*part, by])?;
            *part = self.i.broadcast(scaled, &wide, &[dim])?;
        }
        let product = self.i.product(long, back)?;
        let mut out = Transform { i: self.i, inverse: true }.along(product, dim, false)?;
        for part in &mut out {
            *part = self.i.range(*part, dim, 0, n)?;
        }
        self.i.product(out, turns)
    }
}

/// Cosine and sine of `k` parts of a turn of `n`; quarters are exact, which numbers of floats as angles are not.
fn turn(k: u64, n: u64) -> (f64, f64) {
    match 4 * k / n {
        quarter if quarter * n == 4 * k => [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)][quarter as usize % 4],
        _ => {
            let angle = 2.0 * PI * k as f64 / n as f64;
            (angle.cos(), angle.sin())
        }
    }
}

/// The points of the first of the transforms that one of `n` consists of: of as few as possible, and of lengths alike. `None` where
/// they would be too large for products.
fn factor(n: u64) -> Option<u64> {
    if n <= POINTS {
        return Some(n);
    }
    let divisors: Vec<u64> = (2..=PRIME.min(n)).filter(|d| n.is_multiple_of(*d)).collect();
    let levels = (n as f64).log(POINTS as f64).ceil();
    let wanted = (n as f64).powf(1.0 / levels);
    // The smallest divisor is a prime.
    let small = divisors.iter().copied().filter(|&d| d <= POINTS);
    let off = |d: u64| (d as f64 / wanted).ln().abs();
    small.min_by(|&a, &b| off(a).total_cmp(&off(b))).or(divisors.first().copied())
}
