//! Reductions. A body of one op is a reduction of the IR. A body that finds where the greatest or least element is becomes two of
//! them. Any other body is applied to pairs ([`super::fold`]); such a reduction may not be split, and need not commute.

use super::complex;
use super::extremum::{self, Extremum, Ties};
use super::fold::fold;
use super::regions::NamedRegion;
use super::state::{Import, ImportRule};
use crate::lexer::Token;
use crate::module::{self, TextOp};
use crate::tree::Tree;
use meshloom_ir::table::contract::identity_of;
use meshloom_ir::types::Literal;
use meshloom_ir::{DType, Op as Ir, Reduction, TensorType, ValueId};

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
    let name = match (op.strip_prefix("stablehlo.")?, dtype) {
        ("add" | "maximum", DType::Bool) => "or",
        ("multiply" | "minimum", DType::Bool) => "and",
        (name, _) => name,
    };
    let kind = Reduction::ALL.into_iter().find(|kind| kind.elementwise() == name)?;
    Some((kind, kind.elementwise()))
}

fn reduce<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    if op.attr("dimensions").is_none() {
        return Err("`dimensions` is missing".to_string());
    }
    // They have no order of their own.
    let mut dims = op.dims("dimensions")?;
    dims.sort_unstable();
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
    if let (Some(by), &[x]) = (by, &xs[..]) {
        return by_op(i, by, x, inits[0], &dims, op.elements()[0]);
    }
    if let Some(by) = by {
        return fold(i, |i, pairs| complex::combined(i, by, pairs), &xs, &inits, &dims);
    }
    let region = NamedRegion::of(op, 0)?;
    if let ([x], Some(one)) = (&xs[..], region.one_op())
        && kind_of(one.name, i.b.ty(*x).dtype).is_some()
    {
        return by_op(i, one.name, *x, inits[0], &dims, op.elements()[0]);
    }
    if let Some(made) = extreme(i, op, &region, &xs, &inits, &dims)? {
        return Ok(made);
    }
    fold(i, |i, pairs| i.apply(&region, pairs), &xs, &inits, &dims)
}

fn by_op(i: &mut Import<'_>, by: &str, x: ValueId, init: ValueId, dims: &[usize], element: &str) -> Made {
    let dtype = i.b.ty(x).dtype;
    let Some((kind, name)) = kind_of(by, dtype) else {
        let name = by.split_once('.').map_or(by, |n| n.1);
        return fold(i, |i, pair| Ok(vec![i.of_element(name, pair, element)?]), &[x], &[init], dims);
    };
    let shape = i.b.shape(x);
    if dims.iter().any(|&d| shape[d] == 0) {
        let kept: Vec<u64> = (0..shape.len()).filter(|d| !dims.contains(d)).map(|d| shape[d]).collect();
        return Ok(vec![i.broadcast(init, &kept, &[])?]);
    }
    let out = i.combined(kind, x, dims, element)?;
    if neutral(i, init, kind) {
        return Ok(vec![out]);
    }
    let shape = i.b.shape(out);
    let init = i.broadcast(init, &shape, &[])?;
    Ok(vec![i.of_element(name, &[out, init], element)?])
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

/// The greatest (or least) element along some dims, NaN where there is one, and the number beside it, where the body finds that.
fn extreme<'m>(
    i: &mut Import<'m>,
    op: &TextOp<'m>,
    region: &NamedRegion<'m>,
    xs: &[ValueId],
    inits: &[ValueId],
    dims: &[usize],
) -> Result<Option<Vec<ValueId>>, String> {
    let &[first, _] = xs else { return Ok(None) };
    let shape = i.b.shape(first);
    if dims.iter().any(|&d| shape[d] == 0) {
        return Ok(None);
    }
    let floats = xs.iter().any(|&x| i.b.ty(x).dtype.is_float());
    let Some(Extremum { value, greatest, ties }) = extremum::of(region, floats) else { return Ok(None) };
    let (x, at) = (xs[value], xs[1 - value]);
    let in_order = matches!(dims, &[d] if is_place(i, at, d));
    let lesser = match ties {
        Ties::Lesser | Ties::Left => true,
        Ties::Greater | Ties::Right => false,
    };
    // Places are in order, so that the first of equal ones has the lesser number.
    if !i.b.ty(at).dtype.is_int() || !in_order && (floats || matches!(ties, Ties::Left | Ties::Right)) {
        return Ok(None);
    }
    let elements = op.operand_elements();
    let element = |k: usize| elements.get(k).copied().unwrap_or_default();
    let mut made = i.extreme_of(x, at, dims, [greatest, lesser], [element(value), element(1 - value)])?;
    if value == 1 {
        made.reverse();
    }
    let kind = if greatest { Reduction::Max } else { Reduction::Min };
    let none = super::state::constant(i.func(), inits[1 - value]).is_some_and(|n| n.as_i64() == 0);
    if in_order && none && lesser && neutral(i, inits[value], kind) {
        return Ok(Some(made));
    }
    let shape = i.b.shape(made[0]);
    let starts: Vec<ValueId> = inits.iter().map(|&v| i.broadcast(v, &shape, &[])).collect::<Result<_, _>>()?;
    i.apply(region, &[starts, made].concat()).map(Some)
}

impl Import<'_> {
    /// The greatest or least of `x`, and the lesser or greater of the numbers `at` of those that equal it.
    fn extreme_of(
        &mut self,
        x: ValueId,
        at: ValueId,
        dims: &[usize],
        [greatest, lesser]: [bool; 2],
        elements: [&str; 2],
    ) -> Made {
        let shape = self.b.shape(x);
        let rest: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).collect();
        let kind = match (self.b.ty(x).dtype, greatest) {
            (DType::Bool, true) => Reduction::Or,
            (DType::Bool, false) => Reduction::And,
            (_, true) => Reduction::Max,
            (_, false) => Reduction::Min,
        };
        let best = self.combined(kind, x, dims, elements[0])?;
        let all = self.broadcast(best, &shape, &rest)?;
        let mut hit = self.elem("compare_eq", &[x, all])?;
        if self.b.ty(x).dtype.is_float() {
            // NaN wins, and equals nothing.
            let nan = self.elem("compare_ne", &[x, x])?;
            hit = self.elem("or", &[hit, nan])?;
        }
        let unsigned = elements[1] == "ui64";
        let at = if unsigned { self.flipped(at)? } else { at };
        let kind = if lesser { Reduction::Min } else { Reduction::Max };
        let TensorType { dtype, shape } = self.b.ty(at).clone();
        let value = Literal::Splat(identity_of(kind, dtype));
        let beyond = self.emit(Ir::Constant { dtype, shape, value }, &[])?;
        let places = self.select(hit, at, beyond)?;
        let place = self.reduce(kind, places, dims)?;
        Ok(vec![best, if unsigned { self.flipped(place)? } else { place }])
    }
}

/// Whether a value changes nothing as the start of a reduction.
pub fn neutral(i: &Import<'_>, init: ValueId, kind: Reduction) -> bool {
    let Some(x) = super::state::constant(i.func(), init).map(|x| x.as_f64()) else { return false };
    let (least, most) = match i.b.ty(init).dtype {
        // Its least number as `i64` is not known to be that of an `ui64`; combining with it is right for both.
        DType::I64 => (f64::NEG_INFINITY, f64::INFINITY),
        dtype => dtype.range().map_or((f64::NEG_INFINITY, f64::INFINITY), |r| (*r.start() as f64, *r.end() as f64)),
    };
    match kind {
        Reduction::Sum | Reduction::Or => x == 0.0,
        Reduction::Max => x == least,
        Reduction::Min => x == most,
        Reduction::Prod => x == 1.0,
        Reduction::And => x == if i.b.ty(init).dtype == DType::Bool { 1.0 } else { -1.0 },
    }
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
