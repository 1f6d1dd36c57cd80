//! Products, quotients, absolute values, comparisons, and what makes complex numbers of real ones and back.
//!
//! Sizes are scaled where a square could leave the range of the type, and infinities and zeros give what XLA gives, which is what
//! C says of complex numbers (C17, annex G), except that products are plain.

use super::number::{ComplexParts, Made};
use crate::import::chlo::{ImportResult, Math};
use crate::import::elementwise::direction;
use crate::import::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::{DType, ValueId};

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.real", real),
    ("stablehlo.imag", imag),
    ("stablehlo.complex", complex),
    ("chlo.conj", conj),
    ("stablehlo.multiply", multiply),
    ("chlo.square", square),
    ("stablehlo.divide", divide),
    ("stablehlo.abs", abs),
    ("stablehlo.sign", sign),
    ("stablehlo.compare", compare),
    ("stablehlo.is_finite", is_finite),
    ("stablehlo.maximum", of_two),
    ("stablehlo.minimum", of_two),
];

fn real<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [[re, _]] = i.numbers(op)?;
    Ok(vec![re])
}

fn imag<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [[_, im]] = i.numbers(op)?;
    Ok(vec![im])
}

fn complex<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [re, im] = i.exactly(op)?;
    Ok(vec![re, im])
}

/// A real number is its own conjugate.
fn conj<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [[re, im]]: [ComplexParts; 1] = i.numbers(op)?;
    if op.is_complex() { Ok(vec![re, i.b.neg(im)]) } else { Ok(vec![re]) }
}

fn multiply<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x, y] = i.numbers(op)?;
    Ok(i.complex(x[0]).product(x, y)?.to_vec())
}

fn square<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x] = i.numbers(op)?;
    Ok(i.complex(x[0]).product(x, x)?.to_vec())
}

fn divide<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x, y] = i.numbers(op)?;
    Ok(i.complex(x[0]).quotient(x, y)?.to_vec())
}

fn abs<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x] = i.numbers(op)?;
    Ok(vec![i.complex(x[0]).size(x)?])
}

/// The number of size 1 in the same direction; zero of zero.
fn sign<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x] = i.numbers(op)?;
    let mut m = i.complex(x[0]);
    let size = m.size(x)?;
    let mut out = Vec::new();
    for part in x {
        let unit = m.f("divide", &[part, size])?;
        out.push(m.select("compare_eq", size, 0.0, part, unit)?);
    }
    Ok(out)
}

/// Complex numbers have no order: equal, or not.
fn compare<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x, y] = i.numbers(op)?;
    let (name, both) = match direction(op) {
        Some("EQ") => ("compare_eq", "and"),
        Some("NE") => ("compare_ne", "or"),
        _ => return Err("complex numbers are equal or not, and have no order\ncompare `real` and `imag`".to_string()),
    };
    let [re, im] = [i.elem(name, &[x[0], y[0]])?, i.elem(name, &[x[1], y[1]])?];
    Ok(vec![i.elem(both, &[re, im])?])
}

/// By the real parts, and of equal ones by the imaginary parts.
fn of_two<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x, y] = i.numbers(op)?;
    let name = if op.name.ends_with("maximum") { "compare_gt" } else { "compare_lt" };
    let [first, same] = [i.elem(name, &[x[0], y[0]])?, i.elem("compare_eq", &[x[0], y[0]])?];
    let second = i.elem(name, &[x[1], y[1]])?;
    let tied = i.elem("and", &[same, second])?;
    let takes = i.elem("or", &[first, tied])?;
    Ok(vec![i.select(takes, x[0], y[0])?, i.select(takes, x[1], y[1])?])
}

fn is_finite<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x] = i.numbers(op)?;
    let [re, im] = [i.elem("is_finite", &[x[0]])?, i.elem("is_finite", &[x[1]])?];
    Ok(vec![i.elem("and", &[re, im])?])
}

impl<'m> Import<'m> {
    /// Ops on complex numbers whose parts are of the type and shape of `like`.
    pub fn complex<'i>(&'i mut self, like: ValueId) -> Math<'i, 'm> {
        Math { i: self, like }
    }
}

impl Math<'_, '_> {
    pub(super) fn add(&mut self, x: ValueId, y: ValueId) -> ImportResult {
        self.f("add", &[x, y])
    }

    pub(super) fn sub(&mut self, x: ValueId, y: ValueId) -> ImportResult {
        self.f("subtract", &[x, y])
    }

    pub(super) fn mul(&mut self, x: ValueId, y: ValueId) -> ImportResult {
        self.f("multiply", &[x, y])
    }

    pub(super) fn div(&mut self, x: ValueId, y: ValueId) -> ImportResult {
        self.f("divide", &[x, y])
    }

    pub(super) fn abs(&mut self, x: ValueId) -> ImportResult {
        self.f("abs", &[x])
    }

    pub(super) fn neg(&mut self, x: ValueId) -> ImportResult {
        self.f("negate", &[x])
    }

    /// `size`, which is not negative, with the sign of `sign`; zero has none, so that branch cuts belong to the side above them.
    pub(super) fn with_sign(&mut self, size: ValueId, sign: ValueId) -> ImportResult {
        let minus = self.neg(size)?;
        self.select("compare_lt", sign, 0.0, minus, size)
    }

    /// `x y`
    ///
    /// # Errors
    /// Shapes that differ.
    pub fn product(&mut self, x: ComplexParts, y: ComplexParts) -> Result<ComplexParts, String> {
        let [rr, ii] = [self.mul(x[0], y[0])?, self.mul(x[1], y[1])?];
        let [ri, ir] = [self.mul(x[0], y[1])?, self.mul(x[1], y[0])?];
        Ok([self.sub(rr, ii)?, self.add(ri, ir)?])
    }

    /// The absolute value: the larger part, times the root of 1 and the square of their ratio. Infinite where a part is, NaN or not.
    pub(super) fn size(&mut self, x: ComplexParts) -> ImportResult {
        let [re, im] = [self.abs(x[0])?, self.abs(x[1])?];
        let [large, small] = [self.f("maximum", &[re, im])?, self.f("minimum", &[re, im])?];
        let ratio = self.div(small, large)?;
        let square = self.square(ratio)?;
        let inside = self.plus(square, 1.0)?;
        let root = self.f("sqrt", &[inside])?;
        let size = self.mul(large, root)?;
        let size = self.select("compare_eq", large, 0.0, large, size)?;
        let infinity = self.c(f64::INFINITY);
        let size = self.select("compare_eq", re, f64::INFINITY, infinity, size)?;
        self.select("compare_eq", im, f64::INFINITY, infinity, size)
    }

    /// By Smith's method, which divides by the larger part of the divisor first; then what zeros and infinities give.
    pub fn quotient(&mut self, x: ComplexParts, y: ComplexParts) -> Result<ComplexParts, String> {
        let [c, d] = y;
        let [size_c, size_d] = [self.abs(c)?, self.abs(d)?];
        let by_real = self.f("compare_ge", &[size_c, size_d])?;
        let pick = |m: &mut Self, yes, no| m.i.select(by_real, yes, no);
        let [large, small] = [pick(self, c, d)?, pick(self, d, c)?];
        let ratio = self.div(small, large)?;
        let rest = self.mul(small, ratio)?;
        let below = self.add(large, rest)?;
        // (a + b r, b - a r), or (a r + b, b r - a) where the imaginary part is larger.
        let [first, second] = [pick(self, x[0], x[1])?, pick(self, x[1], x[0])?];
        let [up, down] = [self.mul(second, ratio)?, self.mul(first, ratio)?];
        let sum = self.add(first, up)?;
        let re = self.div(sum, below)?;
        let difference = self.sub(second, down)?;
        let im = self.div(difference, below)?;
        let minus = self.neg(im)?;
        let im = pick(self, im, minus)?;
        self.at_the_ends(x, y, [re, im])
    }

    /// Quotients by zero, of infinities, and by infinities.
    fn at_the_ends(&mut self, x: ComplexParts, y: ComplexParts, usual: ComplexParts) -> Result<ComplexParts, String> {
        let is_nan = |m: &mut Self, v| m.f("compare_ne", &[v, v]);
        let is_inf = |m: &mut Self, v: ValueId| -> ImportResult {
            let (size, infinity) = (m.abs(v)?, m.c(f64::INFINITY));
            m.f("compare_eq", &[size, infinity])
        };
        let finite = |m: &mut Self, v: ComplexParts| -> ImportResult {
            let both = [m.f("is_finite", &[v[0]])?, m.f("is_finite", &[v[1]])?];
            m.f("and", &both)
        };
        // What is infinite counts as 1, all else as 0, each with its sign.
        let boxed = |m: &mut Self, v: ComplexParts| -> Result<ComplexParts, String> {
            let mut out = v;
            for part in &mut out {
                let infinite = is_inf(m, *part)?;
                let (one, zero) = (m.c(1.0), m.c(0.0));
                let size = m.i.select(infinite, one, zero)?;
                *part = m.with_sign(size, *part)?;
            }
            Ok(out)
        };
        let [x_finite, y_finite] = [finite(self, x)?, finite(self, y)?];
        let infinite = |m: &mut Self, v: ComplexParts| -> ImportResult {
            let both = [is_inf(m, v[0])?, is_inf(m, v[1])?];
            m.f("or", &both)
        };
        let [x_infinite, y_infinite] = [infinite(self, x)?, infinite(self, y)?];
        let infinity = self.c(f64::INFINITY);
        // Of an infinite number by a finite one: infinity times the product of the box with the conjugate.
        let ones = boxed(self, x)?;
        let conjugate = [y[0], self.neg(y[1])?];
        let direction = self.product(ones, conjugate)?;
        let of_infinite = [self.mul(infinity, direction[0])?, self.mul(infinity, direction[1])?];
        // Of a finite number by an infinite one: zero, with the sign of the product.
        let ones = boxed(self, y)?;
        let conjugate = [ones[0], self.neg(ones[1])?];
        let direction = self.product(x, conjugate)?;
        let zero = self.c(0.0);
        let by_infinite = [self.mul(zero, direction[0])?, self.mul(zero, direction[1])?];
        // By zero: infinity with the signs of the parts and of the zero, NaN of zero.
        let largest = self.inverse(y[0])?;
        let by_zero = [self.mul(largest, x[0])?, self.mul(largest, x[1])?];
        let size = self.size(y)?;
        let y_zero = self.f("compare_eq", &[size, zero])?;
        let nans = [is_nan(self, x[0])?, is_nan(self, x[1])?];
        let x_nan = self.f("and", &nans)?;
        let x_some = self.f("not", &[x_nan])?;
        let [zeros, infinites, finites] = [
            self.f("and", &[y_zero, x_some])?,
            self.f("and", &[x_infinite, y_finite])?,
            self.f("and", &[x_finite, y_infinite])?,
        ];
        let mut out = usual;
        for (k, part) in out.iter_mut().enumerate() {
            *part = self.i.select(finites, by_infinite[k], *part)?;
            *part = self.i.select(infinites, of_infinite[k], *part)?;
            *part = self.i.select(zeros, by_zero[k], *part)?;
        }
        Ok(out)
    }

    /// Whether the parts are of 64 bits.
    pub(super) fn is_wide(&self) -> bool {
        self.i.b.ty(self.like).dtype == DType::F64
    }
}
