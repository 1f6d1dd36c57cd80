//! Products, comparisons, and what makes complex numbers of real ones and back.
//!
//! Not here: quotients and absolute values ([`super::functions`]).

use super::number::{ComplexParts, Made};
use crate::import::elementwise::direction;
use crate::import::state::{Import, ImportRule};
use crate::module::TextOp;
use meshloom_ir::ValueId;

pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.real", real),
    ("stablehlo.imag", imag),
    ("stablehlo.complex", complex),
    ("chlo.conj", conj),
    ("stablehlo.multiply", multiply),
    ("chlo.square", square),
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
    Ok(i.product(x, y)?.to_vec())
}

fn square<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let [x] = i.numbers(op)?;
    Ok(i.product(x, x)?.to_vec())
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

impl Import<'_> {
    /// `x y`
    ///
    /// # Errors
    /// Shapes that differ.
    pub fn product(&mut self, x: ComplexParts, y: ComplexParts) -> Result<ComplexParts, String> {
        let mut times = |x: ValueId, y: ValueId| self.elem("multiply", &[x, y]);
        let [rr, ii, ri, ir] = [times(x[0], y[0])?, times(x[1], y[1])?, times(x[0], y[1])?, times(x[1], y[0])?];
        Ok([self.elem("subtract", &[rr, ii])?, self.elem("add", &[ri, ir])?])
    }
}
