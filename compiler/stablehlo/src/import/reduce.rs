//! Reductions. A body of one op is a reduction of the IR. A body that finds where the greatest or least element is becomes two of
//! them. Any other body is applied to pairs of neighbours until one element is left; such a reduction may not be split, and need
//! not commute.

use super::complex;
use super::regions::NamedRegion;
use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::{self, TextOp};
use crate::tree::Tree;
use meshloom_ir::{DType, Op as Ir, Reduction, ValueId};

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.reduce", reduce)];

/// How a body of one op combines two elements.
///
/// # Errors
/// It is of more ops.
pub fn combines(region: &[Tree<'_>]) -> Result<String, String> {
    let region = match region {
        // `^bb0(%a: .., %b: ..):`
        [label, _, colon, rest @ ..] if label.leaf(Token::Block).is_some() && colon.leaf(Token::Colon).is_some() => {
            rest
        }
        all => all,
    };
    let ops: Vec<TextOp<'_>> = module::ops(region).map_err(|d| d.message)?;
    match &ops[..] {
        [one, end] if end.name.ends_with("return") && one.results.iter().eq(end.operands().iter()) => {
            Ok(one.name.to_string())
        }
        _ => Err("only bodies of one op (add, maximum, minimum, ..) are supported".to_string()),
    }
}

/// How an op of a body combines two elements, and its name in the IR.
pub fn kind_of(op: &str, dtype: DType) -> Option<(Reduction, &'static str)> {
    Some(match (op, dtype) {
        ("stablehlo.add" | "stablehlo.maximum" | "stablehlo.or", DType::Bool) => (Reduction::Or, "or"),
        ("stablehlo.multiply" | "stablehlo.minimum", DType::Bool) => (Reduction::And, "and"),
        ("stablehlo.add", _) => (Reduction::Sum, "add"),
        ("stablehlo.maximum", _) => (Reduction::Max, "maximum"),
        ("stablehlo.minimum", _) => (Reduction::Min, "minimum"),
        ("stablehlo.multiply", _) => (Reduction::Prod, "multiply"),
        ("stablehlo.and", _) => (Reduction::And, "and"),
        ("stablehlo.or", _) => (Reduction::Or, "or"),
        _ => return None,
    })
}

/// Bodies by their numbered ops, operands as in `lhs value, lhs index, rhs value, rhs index`: whether the greatest is sought, and the
/// first of equal ones taken. NaN is greater or less than all, as JAX has it.
const ARGS: &[(&str, bool)] = &[
    (
        "compare GT 0 2; compare NE 0 0; or 4 5; compare EQ 0 2; compare LT 1 3; and 7 8; or 6 9; select 6 0 2; select 10 1 3; return 11 12; ",
        true,
    ),
    (
        "compare LT 0 2; compare NE 0 0; or 4 5; compare EQ 0 2; compare LT 1 3; and 7 8; or 6 9; select 6 0 2; select 10 1 3; return 11 12; ",
        false,
    ),
    (
        "compare GT 0 2; compare EQ 0 2; compare LT 1 3; and 5 6; or 4 7; select 4 0 2; select 8 1 3; return 9 10; ",
        true,
    ),
    (
        "compare LT 0 2; compare EQ 0 2; compare LT 1 3; and 5 6; or 4 7; select 4 0 2; select 8 1 3; return 9 10; ",
        false,
    ),
];

fn reduce<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    if op.attr("dimensions").is_none() {
        return Err("`dimensions` is missing".to_string());
    }
    let dims = op.dims("dimensions")?;
    let all = op.operands();
    if all.is_empty() || !all.len().is_multiple_of(2) {
        return Err("a reduction takes an initial value for each operand".to_string());
    }
    // `(%x init: %i), (%y init: %j)`, or all operands before all initial values.
    let half = all.len() / 2;
    let pretty = op.items.iter().any(|t| t.group(b'(').is_some_and(|g| g.iter().any(|t| t.is_word("init"))));
    let (xs, inits): (Vec<&str>, Vec<&str>) = if pretty {
        all.chunks_exact(2).map(|c| (c[0], c[1])).unzip()
    } else {
        (all[..half].to_vec(), all[half..].to_vec())
    };
    let both = [i.values(&xs)?, i.values(&inits)?];
    let [xs, inits] = [i.lifted(both[0].clone())?, i.lifted(both[1].clone())?];
    let shape = i.b.shape(xs[0]);
    if dims.iter().any(|&d| d >= shape.len()) || xs.iter().any(|&x| i.b.shape(x) != shape) {
        return Err("a dim that the operands do not all have is reduced".to_string());
    }
    let applied = op.items.iter().position(|t| t.is_word("applies"));
    let by = applied.and_then(|at| op.items.get(at + 1)?.leaf(Token::Word));
    if let (Some(by), [_]) = (by, &xs[..]) {
        return Ok(vec![by_op(i, by, xs[0], inits[0], &dims, op.elements()[0])?]);
    }
    if let Some(by) = by {
        return fold(i, |i, pairs| complex::combined(i, by, pairs), &xs, &inits, &dims);
    }
    let region = NamedRegion::of(op, 0)?;
    if let ([x], Some(one)) = (&xs[..], region.one_op())
        && kind_of(one.name, i.b.ty(*x).dtype).is_some()
    {
        return Ok(vec![by_op(i, one.name, *x, inits[0], &dims, op.elements()[0])?]);
    }
    if let ([x, at], [d]) = (&xs[..], &dims[..])
        && let Some((_, greatest)) = ARGS.iter().find(|a| a.0 == region.numbered())
        && is_place(i, *at, *d)
        && op.elements()[0] != "ui64"
    {
        return extreme(i, *x, *at, *d, *greatest);
    }
    fold(i, |i, pairs| i.apply(&region, pairs), &xs, &inits, &dims)
}

fn by_op(
    i: &mut Import<'_>,
    by: &str,
    x: ValueId,
    init: ValueId,
    dims: &[usize],
    element: &str,
) -> Result<ValueId, String> {
    let dtype = i.b.ty(x).dtype;
    let (kind, name) = kind_of(by, dtype).ok_or_else(|| format!("reducing by `{by}` is not supported"))?;
    let shape = i.b.shape(x);
    if dims.iter().any(|&d| shape[d] == 0) {
        let kept: Vec<u64> = (0..shape.len()).filter(|d| !dims.contains(d)).map(|d| shape[d]).collect();
        return i.broadcast(init, &kept, &[]);
    }
    let out = i.combined(kind, x, dims, element)?;
    if neutral(i, init, kind) {
        return Ok(out);
    }
    let shape = i.b.shape(out);
    let init = i.broadcast(init, &shape, &[])?;
    i.of_element(name, &[out, init], element)
}

impl Import<'_> {
    /// Reduces elements of any type that has numbers or bits.
    ///
    /// # Errors
    /// The element type cannot be reduced so.
    pub fn combined(&mut self, kind: Reduction, x: ValueId, dims: &[usize], element: &str) -> Result<ValueId, String> {
        // Truth values are reduced as integers of one bit each; unsigned ones of 64 bits in the order that they have as signed ones.
        if self.b.ty(x).dtype == DType::Bool {
            let x = self.convert(x, DType::I32)?;
            let out = self.reduce(kind, x, dims)?;
            return self.convert(out, DType::Bool);
        }
        if element == "ui64" && matches!(kind, Reduction::Max | Reduction::Min) {
            let x = self.flipped(x)?;
            let out = self.reduce(kind, x, dims)?;
            return self.flipped(out);
        }
        self.reduce(kind, x, dims)
    }
}

/// Whether a value is its own place along `dim`: an iota.
fn is_place(i: &Import<'_>, v: ValueId, dim: usize) -> bool {
    let Some(data) = i.func().def_op(v).map(|o| i.func().op(o)) else { return false };
    match &data.op {
        Ir::Iota { dim: d, .. } => *d == dim,
        Ir::Broadcast { dims, .. } => {
            dims.iter().position(|&d| d == dim).is_some_and(|d| is_place(i, data.operands[0], d))
        }
        _ => false,
    }
}

/// The greatest (or least) element along a dim, NaN where there is one, and where the first such is.
fn extreme(i: &mut Import<'_>, x: ValueId, at: ValueId, dim: usize, greatest: bool) -> Made {
    let shape = i.b.shape(x);
    let rest: Vec<usize> = (0..shape.len()).filter(|&d| d != dim).collect();
    let kind = match (i.b.ty(x).dtype, greatest) {
        (DType::Bool, true) => Reduction::Or,
        (DType::Bool, false) => Reduction::And,
        (_, true) => Reduction::Max,
        (_, false) => Reduction::Min,
    };
    let best = i.combined(kind, x, &[dim], "")?;
    let all = i.broadcast(best, &shape, &rest)?;
    let mut hit = i.elem("compare_eq", &[x, all])?;
    if i.b.ty(x).dtype.is_float() {
        // NaN wins, and equals nothing.
        let nan = i.elem("compare_ne", &[x, x])?;
        hit = i.elem("or", &[hit, nan])?;
    }
    let beyond = i.b.constant_like(at, shape[dim] as f64);
    let places = i.select(hit, at, beyond)?;
    Ok(vec![best, i.reduce(Reduction::Min, places, &[dim])?])
}

/// Whether a value changes nothing as the start of a reduction.
pub fn neutral(i: &Import<'_>, init: ValueId, kind: Reduction) -> bool {
    let Some(x) = super::state::constant(i.func(), init).map(|x| x.as_f64()) else { return false };
    let [least, most] = match i.b.ty(init).dtype {
        DType::I32 => [i32::MIN, i32::MAX].map(f64::from),
        // Its least number as `i64` is not known to be that of an `ui64`; combining with it is right for both.
        DType::I64 => [f64::NEG_INFINITY, f64::INFINITY],
        DType::I8 => [-128.0, 127.0],
        DType::U8 => [0.0, 255.0],
        DType::U32 => [0.0, f64::from(u32::MAX)],
        DType::Bool => [0.0, 1.0],
        _ => [f64::NEG_INFINITY, f64::INFINITY],
    };
    match kind {
        Reduction::Sum | Reduction::Or => x == 0.0,
        Reduction::Max => x == least,
        Reduction::Min => x == most,
        Reduction::Prod => x == 1.0,
        Reduction::And => x == if i.b.ty(init).dtype == DType::Bool { 1.0 } else { -1.0 },
    }
}

/// Pairs of neighbours until one is left, and the initial values before it. `combine` gets the first of each pair, of each operand, and
/// then the second ones.
///
/// # Errors
/// The body does not give one value for each operand.
pub fn fold<'m>(
    i: &mut Import<'m>,
    mut combine: impl FnMut(&mut Import<'m>, &[ValueId]) -> Made,
    xs: &[ValueId],
    inits: &[ValueId],
    dims: &[usize],
) -> Made {
    let mut xs = xs.to_vec();
    let mut dims = dims.to_vec();
    dims.sort_unstable();
    let whole = i.b.shape(xs[0]);
    let left: Vec<u64> = (0..whole.len()).filter(|d| !dims.contains(d)).map(|d| whole[d]).collect();
    for &d in dims.iter().rev() {
        loop {
            let shape = i.b.shape(xs[0]);
            let n = shape[d];
            if n <= 1 {
                break;
            }
            let mut sides: Vec<ValueId> = Vec::new();
            let mut last = Vec::new();
            for side in 0..2 {
                for &x in &xs {
                    let pairs = i.range(x, d, 0, n / 2 * 2)?;
                    let mut split = shape.clone();
                    split[d] = n / 2;
                    split.insert(d + 1, 2);
                    let pairs = i.emit(Ir::Reshape { shape: split.clone() }, &[pairs])?;
                    let one = i.range(pairs, d + 1, side, side + 1)?;
                    split.remove(d + 1);
                    sides.push(i.emit(Ir::Reshape { shape: split }, &[one])?);
                }
            }
            if n % 2 == 1 {
                for &x in &xs {
                    last.push(i.range(x, d, n - 1, n)?);
                }
            }
            let mut next = combine(i, &sides)?;
            if next.len() != xs.len() {
                return Err("the body does not return one value for each operand".to_string());
            }
            for (x, &l) in next.iter_mut().zip(&last) {
                *x = i.emit(Ir::Concatenate { dim: d }, &[*x, l])?;
            }
            xs = next;
        }
        let shape = i.b.shape(xs[0]);
        if shape[d] == 0 {
            return inits.iter().map(|&v| i.broadcast(v, &left, &[])).collect();
        }
        let mut less = shape;
        less.remove(d);
        for x in &mut xs {
            *x = i.emit(Ir::Reshape { shape: less.clone() }, &[*x])?;
        }
    }
    let shape = i.b.shape(xs[0]);
    let starts: Vec<ValueId> = inits.iter().map(|&v| i.broadcast(v, &shape, &[])).collect::<Result<_, _>>()?;
    combine(i, &[starts, xs].concat())
}

impl Import<'_> {
    /// Entries `from..to` of a dim.
    ///
    /// # Errors
    /// It has fewer.
    pub fn range(&mut self, x: ValueId, dim: usize, from: u64, to: u64) -> Result<ValueId, String> {
        let mut limit = self.b.shape(x);
        if from == 0 && to == limit[dim] {
            return Ok(x);
        }
        let mut start = vec![0; limit.len()];
        (start[dim], limit[dim]) = (from, to);
        self.emit(Ir::Slice { start, limit }, &[x])
    }
}
