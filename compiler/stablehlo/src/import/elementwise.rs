//! Elementwise ops, which have the names of the IR's, and constants.

use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::TextOp;
use crate::small_float::SmallFloat;
use crate::tree::Tree;
use crate::types;
use crate::types::{Narrow, narrow};
use meshloom_ir::table::elem::{Elem, TABLE, Upper};
use meshloom_ir::{Comparison, DType, Op as Ir, ValueId};

type Made = Result<Vec<ValueId>, String>;

/// What is more than a row of the op table ([`row`]), or is called otherwise.
pub const RULES: &[(&str, ImportRule)] = &[
    ("stablehlo.select", select),
    ("stablehlo.clamp", clamp),
    ("stablehlo.compare", compare),
    ("stablehlo.convert", convert),
    ("stablehlo.reduce_precision", reduce_precision),
    ("stablehlo.constant", constant),
    ("sdy.constant", constant),
    ("stablehlo.iota", iota),
    ("stablehlo.dynamic_iota", iota),
    ("chlo.square", square),
    ("chlo.tan", by_name),
];

/// Names of the ops that are rows of the op table.
pub fn rows() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|row| row.hlo).filter(|hlo| !hlo.is_empty())
}

/// The rule of an op that is a row of the op table.
pub fn row(name: &str) -> Option<ImportRule> {
    rows().any(|hlo| hlo == name).then_some(by_name as ImportRule)
}

pub fn by_name(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let name = op.name.split_once('.').map_or(op.name, |n| n.1);
    let operands = i.operands(op)?;
    let element = op.elements()[0];
    Ok(vec![i.of_element(name, &operands, element)?])
}

impl Import<'_> {
    /// An elementwise op of values whose element type is written `element`.
    ///
    /// # Errors
    /// There is none, or the operands do not fit.
    pub fn of_element(&mut self, name: &str, xs: &[ValueId], element: &str) -> Result<ValueId, String> {
        let Some(&x) = xs.first() else { return Err(format!("`{name}` has no operands")) };
        match (self.b.ty(x).dtype, name) {
            // Truth values are added as they are by `or`.
            (DType::Bool, "add" | "maximum") => self.elem("or", xs),
            (DType::Bool, "multiply" | "minimum") => self.elem("and", xs),
            (d, "power") if d.is_int() => self.integer_power(xs, 8 * d.bytes() as u32, element),
            (d, "sign") if d.is_int() && !d.is_unsigned() && element != "ui64" => self.integer_sign(x),
            (d, "shift_right_arithmetic") if d.is_unsigned() => {
                let bits = 8 * d.bytes() as u32;
                self.shifted_with_sign(xs, bits, d)
            }
            (DType::I8, _) if sees_upper_bits(name) => {
                let bits: Vec<ValueId> = xs.iter().map(|&x| self.convert(x, DType::U8)).collect::<Result<_, _>>()?;
                let out = self.elem(name, &bits)?;
                self.convert(out, DType::I8)
            }
            _ if element == "ui64" => self.unsigned(name, xs),
            _ => self.of_narrow(name, xs, element),
        }
    }

    /// The top bit of an unsigned number, too, is what comes in from above.
    fn shifted_with_sign(&mut self, xs: &[ValueId], bits: u32, to: DType) -> Result<ValueId, String> {
        let [x, by] = xs[..] else { return Err("a shift takes two operands".to_string()) };
        let (x, by) = (self.convert(x, DType::I32)?, self.convert(by, DType::I32)?);
        let x = if bits < 32 { self.wrap(x, Narrow { bits, signed: true })? } else { x };
        let out = self.elem("shift_right_arithmetic", &[x, by])?;
        self.convert(out, to)
    }

    /// Ops that read the upper bits of an integer whose type the IR represents by a wider one: the upper bits are not those of the
    /// type.
    fn of_narrow(&mut self, name: &str, xs: &[ValueId], element: &str) -> Result<ValueId, String> {
        if let (Some(n), "shift_right_arithmetic") = (narrow(element), name)
            && !n.signed
        {
            let out = self.shifted_with_sign(xs, n.bits, DType::I32)?;
            return self.wrap(out, n);
        }
        let (Some(n), true) = (narrow(element), sees_upper_bits(name)) else {
            return self.elem(name, xs);
        };
        let mut xs = xs.to_vec();
        xs[0] = self.wrap(xs[0], Narrow { signed: false, ..n })?;
        let out = self.elem(name, &xs)?;
        if Elem::by_name(name).is_none_or(|e| e.def().upper != Upper::Counted) {
            return Ok(out);
        }
        let more = self.b.constant_like(out, f64::from(32 - n.bits));
        self.elem("subtract", &[out, more])
    }

    fn integer_sign(&mut self, x: ValueId) -> Result<ValueId, String> {
        let [one, minus] = [1.0, -1.0].map(|c| self.b.constant_like(x, c));
        let least = self.elem("maximum", &[x, minus])?;
        self.elem("minimum", &[least, one])
    }

    /// By squaring, a bit of the exponent at a time. To the power of less than nothing 1 and -1 are themselves or 1, all else is 0.
    fn integer_power(&mut self, xs: &[ValueId], bits: u32, element: &str) -> Result<ValueId, String> {
        let [x, p] = xs[..] else { return Err("`power` takes two operands".to_string()) };
        let (zero, one) = (self.b.constant_like(x, 0.0), self.b.constant_like(x, 1.0));
        let (mut square, mut out) = (x, one);
        for bit in 0..bits {
            let mask = self.b.constant_like(p, bit.into());
            let shifted = self.of_element("shift_right_logical", &[p, mask], "")?;
            let odd = self.elem("and", &[shifted, one])?;
            let odd = self.elem("compare_ne", &[odd, zero])?;
            let with = self.elem("multiply", &[out, square])?;
            out = self.select(odd, with, out)?;
            square = self.elem("multiply", &[square, square])?;
        }
        if self.b.ty(x).dtype.is_unsigned() || element == "ui64" {
            return Ok(out);
        }
        // What is left of 1 and -1 to the power of p's bits read as a large number is right; all else is 0.
        let negative = self.elem("compare_lt", &[p, zero])?;
        let minus = self.b.constant_like(x, -1.0);
        let (is_one, is_minus) = (self.elem("compare_eq", &[x, one])?, self.elem("compare_eq", &[x, minus])?);
        let unit = self.elem("or", &[is_one, is_minus])?;
        let small = self.select(unit, out, zero)?;
        self.select(negative, small, out)
    }
}

fn sees_upper_bits(name: &str) -> bool {
    Elem::by_name(name).is_some_and(|e| e.def().sees_upper_bits())
}

/// A scalar predicate is spread over the result.
fn select(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [c, x, y] = i.exactly(op)?;
    let shape = i.b.shape(x);
    let c = i.broadcast(c, &shape, &[])?;
    Ok(vec![i.elem("select", &[c, x, y])?])
}

/// Bounds may be scalars.
fn clamp(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [low, x, high] = i.exactly(op)?;
    let shape = i.b.shape(x);
    let [low, high] = [i.broadcast(low, &shape, &[])?, i.broadcast(high, &shape, &[])?];
    let element = op.elements()[1];
    let least = i.of_element("maximum", &[low, x], element)?;
    Ok(vec![i.of_element("minimum", &[least, high], element)?])
}

/// `GT` of a comparison: a word, or in `#stablehlo<comparison_direction GT>`.
pub fn direction<'s>(op: &TextOp<'s>) -> Option<&'s str> {
    if op.name != "stablehlo.compare" {
        return None;
    }
    let attr =
        op.attr("comparison_direction").and_then(|t| t.iter().find_map(|t| t.group(b'<'))?.last()?.leaf(Token::Word));
    attr.or_else(|| op.word(0))
}

fn compare(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x, y] = i.exactly(op)?;
    let direction = direction(op).ok_or("which comparison this is is missing")?;
    let comparison = Comparison::ALL.into_iter().find(|c| c.direction() == direction);
    let name = comparison.ok_or_else(|| format!("`{direction}` is no comparison"))?.name();
    let total = total(op);
    if total && i.b.ty(x).dtype.is_float() {
        let (x, y) = (i.total_order(x)?, i.total_order(y)?);
        return Ok(vec![i.elem(name, &[x, y])?]);
    }
    Ok(vec![i.of_element(name, &[x, y], op.elements()[0])?])
}

/// Whether a comparison is by the total order of floats.
pub fn total(op: &TextOp<'_>) -> bool {
    op.word(1) == Some("TOTALORDER") || op.attr("compare_type").is_some_and(|t| mentions(t, "TOTALORDER"))
}

fn mentions(trees: &[Tree<'_>], word: &str) -> bool {
    trees.iter().any(|t| t.is_word(word) || t.group(b'<').is_some_and(|g| mentions(g, word)))
}

fn convert(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let to = op.result_types()?.first().ok_or("the type of the result is missing")?.dtype;
    Ok(vec![i.converted(x, to, op.elements())?])
}

impl Import<'_> {
    /// A value of an element type as one of another, both as they are written.
    ///
    /// # Errors
    /// There is no such conversion.
    pub fn converted(&mut self, x: ValueId, to: DType, elements: [&str; 2]) -> Result<ValueId, String> {
        let from_float = self.b.ty(x).dtype.is_float();
        if let Some(small) = SmallFloat::of(elements[1]) {
            let x = if elements[0] == "ui64" { self.unsigned_to_float(x, DType::F32)? } else { x };
            return self.rounded_to(x, small);
        }
        match elements {
            ["ui64", _] if to.is_float() => self.unsigned_to_float(x, to),
            [_, "ui64"] if from_float => self.float_to_unsigned(x),
            [_, element] => {
                let x = self.convert(x, to)?;
                match narrow(element) {
                    Some(n) if from_float => self.clamped(x, n),
                    _ => Ok(x),
                }
            }
        }
    }
}

fn constant(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let ty = op.result_types()?.into_iter().next().ok_or("the type of the constant is missing")?;
    let value = op.attr("value").unwrap_or(op.items);
    if let Some(value) = i.resource(value, &ty, op.elements()[1])? {
        return Ok(vec![i.emit(Ir::Constant { dtype: ty.dtype, shape: ty.shape, value }, &[])?]);
    }
    let at = value.iter().position(|t| t.is_word("dense"));
    let inner = at.and_then(|at| value.get(at + 1)?.group(b'<'));
    let inner = inner.ok_or("only constants written as `dense<..>` are read")?;
    let value = types::dense(inner, &ty, op.elements()[1])?;
    Ok(vec![i.emit(Ir::Constant { dtype: ty.dtype, shape: ty.shape, value }, &[])?])
}

fn iota(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let ty = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?;
    let dim = op.int("dim").or_else(|| op.int("iota_dimension")).ok_or("`dim` is missing")?;
    let dim = usize::try_from(dim).ok().filter(|&d| d < ty.rank()).ok_or("`dim` is no dim of the result")?;
    Ok(vec![i.emit(Ir::Iota { dtype: ty.dtype, shape: ty.shape, dim, shard: Vec::new() }, &[])?])
}

fn square(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    if i.b.ty(x).dtype == DType::Bool {
        return Err("the square of a truth value".to_string());
    }
    Ok(vec![i.elem("multiply", &[x, x])?])
}

/// `format = e8m7`, or two attributes: through the float type that has as many bits of exponent and mantissa.
fn reduce_precision(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    let format = op.attr("format").and_then(|t| t.first()?.leaf(Token::Word)).map(str::to_string);
    let format = match (format, op.int("exponent_bits"), op.int("mantissa_bits")) {
        (Some(f), _, _) => f,
        (None, Some(e), Some(m)) => format!("e{e}m{m}"),
        _ => return Err("`format` is missing".to_string()),
    };
    let from = i.b.ty(x).dtype;
    let through = match format.as_str() {
        "e8m23" => DType::F32,
        "e8m7" => DType::BF16,
        "e5m10" => DType::F16,
        "e11m52" => return Ok(vec![x]),
        other => {
            return Err(format!(
                "`reduce_precision` to {other}: only e8m23, e8m7 and e5m10, which are types, are supported"
            ));
        }
    };
    if from.bytes() <= through.bytes() && (from == through || through == DType::F32) {
        return Ok(vec![x]);
    }
    let rounded = i.convert(x, through)?;
    Ok(vec![i.convert(rounded, from)?])
}
