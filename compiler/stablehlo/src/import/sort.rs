//! `sort` with any comparator, `top_k`, and the call that may approximate it.
//!
//! A comparator that orders by one operand after the other, up or down, is a stable sort by each of them, the least significant
//! first. Any other is applied to all pairs: an entry's place is the number of entries before it.

use super::regions::NamedRegion;
use super::state::{Import, ImportRule};
use super::written::parameters;
use crate::lexer::Token;
use crate::module::{self, TextOp};
use meshloom_ir::{DType, Op as Ir, Reduction, ValueId};
use std::collections::BTreeMap;

type Made = Result<Vec<ValueId>, String>;

pub const RULES: &[(&str, ImportRule)] = &[("stablehlo.sort", sort), ("chlo.top_k", top_k)];

/// Entries of a dim that is sorted by pairs.
const PAIRS: u64 = 1 << 12;

/// An operand that decides, and how.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Key {
    operand: usize,
    descending: bool,
    /// NaN and both zeros are told apart by their bits.
    total: bool,
}

fn sort<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let xs = i.operands(op)?;
    let region = NamedRegion::of(op, 0)?;
    let Some(&first) = xs.first() else { return Err("a sort takes operands".to_string()) };
    let shape = i.b.shape(first);
    let dim = op.int("dimension").unwrap_or(-1);
    let dim = usize::try_from(if dim < 0 { dim + shape.len() as i64 } else { dim }).unwrap_or(usize::MAX);
    // Each part of a complex operand is one to sort by, and to be moved.
    let sides = region.names.len() + region.complex.iter().filter(|&&c| c).count();
    if dim >= shape.len() || xs.iter().any(|&x| i.b.shape(x) != shape) || sides != 2 * xs.len() {
        return Err("the operands do not all have the dim that is sorted".to_string());
    }
    let element = op.elements()[0];
    let order = match keys(&region) {
        // One operand that decides alone needs not be moved to its places.
        Some(keys) if keys.len() == 1 && xs.len() == 1 && !keys[0].total => {
            let dtype = i.b.ty(first).dtype;
            let key = i.sortable(first, keys[0].total, element)?;
            let by = Ir::top_k(dim, shape[dim], keys[0].descending, false);
            let out = i.emit(by, &[key])?;
            return Ok(vec![if element == "ui64" { i.flipped(out)? } else { i.convert(out, dtype)? }]);
        }
        Some(keys) => by_keys(i, &keys, &xs, dim, &elements(op, &region))?,
        None => by_pairs(i, &region, &xs, dim)?,
    };
    xs.iter().map(|&x| i.reordered(x, order, dim)).collect()
}

/// The element types of the operands as they are written, a complex one's for each of its parts.
fn elements<'m>(op: &TextOp<'m>, region: &NamedRegion<'_>) -> Vec<&'m str> {
    let parts = region.complex.iter().step_by(2).map(|&complex| 1 + usize::from(complex));
    op.operand_elements().into_iter().zip(parts).flat_map(|(element, n)| std::iter::repeat_n(element, n)).collect()
}

/// The comparator as keys, the most significant first: comparisons of one side's argument with the other's, in which zeros and NaN may
/// have been made equal before, chained by `select(equal, next, this)` or `or(less, and(equal, next))`.
fn keys(region: &NamedRegion<'_>) -> Option<Vec<Key>> {
    #[derive(Clone, PartialEq)]
    enum Value {
        /// An argument, zeros and NaN made equal or not.
        Argument {
            at: usize,
            joined: bool,
        },
        /// A complex argument; `at` is that of its real part.
        Number {
            at: usize,
        },
        Order(Vec<Key>),
        Equal(usize),
        /// Equal, and then in this order.
        Then(usize, Vec<Key>),
        Other,
    }
    let mut known: BTreeMap<&str, Value> = BTreeMap::new();
    let mut operand = 0;
    for (n, sides) in region.names.chunks_exact(2).enumerate() {
        let complex = region.complex[2 * n];
        for (side, name) in sides.iter().enumerate() {
            let at = 2 * operand + side;
            known.insert(name, if complex { Value::Number { at } } else { Value::Argument { at, joined: false } });
        }
        operand += 1 + usize::from(complex);
    }
    for op in &region.ops {
        let operands = op.operands();
        let args: Vec<Value> = operands.iter().map(|o| known.get(o).cloned().unwrap_or(Value::Other)).collect();
        let made = match (op.name, &args[..]) {
            // The parts of a complex operand are operands, one after the other.
            ("stablehlo.real", [Value::Number { at }]) => Value::Argument { at: *at, joined: false },
            ("stablehlo.imag", [Value::Number { at }]) => Value::Argument { at: *at + 2, joined: false },
            ("stablehlo.return", [Value::Order(keys)]) => return Some(keys.clone()),
            ("stablehlo.compare", [Value::Argument { at: x, joined: a }, Value::Argument { at: y, joined: b }])
                if x / 2 == y / 2 && x != y && a == b =>
            {
                let total = super::elementwise::total(op) && !a;
                // `rhs < lhs` is `lhs > rhs`.
                match (super::elementwise::direction(op)?, x < y) {
                    ("LT", true) | ("GT", false) => {
                        Value::Order(vec![Key { operand: x / 2, descending: false, total }])
                    }
                    ("GT", true) | ("LT", false) => Value::Order(vec![Key { operand: x / 2, descending: true, total }]),
                    ("EQ", _) => Value::Equal(x / 2),
                    _ => Value::Other,
                }
            }
            // `select(x == 0, 0, x)`, `select(x != x, nan, x)`: whichever constant it is, the argument is the last operand.
            ("stablehlo.select", [Value::Other, Value::Other, Value::Argument { at, .. }]) => {
                Value::Argument { at: *at, joined: true }
            }
            ("stablehlo.select", [Value::Equal(k), Value::Order(next), Value::Order(this)])
                if this.len() == 1 && this[0].operand == *k =>
            {
                Value::Order([&this[..], next].concat())
            }
            ("stablehlo.and", [Value::Equal(k), Value::Order(next)] | [Value::Order(next), Value::Equal(k)]) => {
                Value::Then(*k, next.clone())
            }
            (
                "stablehlo.or",
                [Value::Order(this), Value::Then(k, next)] | [Value::Then(k, next), Value::Order(this)],
            ) if this.len() == 1 && this[0].operand == *k => Value::Order([&this[..], next].concat()),
            _ => Value::Other,
        };
        for name in &op.results {
            known.insert(name, made.clone());
        }
    }
    None
}

/// Where each entry comes from, by stable sorts of which the last counts most.
fn by_keys(i: &mut Import<'_>, keys: &[Key], xs: &[ValueId], dim: usize, elements: &[&str]) -> Result<ValueId, String> {
    let mut order: Option<ValueId> = None;
    for key in keys.iter().rev() {
        let mut x = i.sortable(xs[key.operand], key.total, elements.get(key.operand).copied().unwrap_or_default())?;
        if let Some(order) = order {
            x = i.reordered(x, order, dim)?;
        }
        let k = i.b.shape(x)[dim];
        let next = i.emit(Ir::top_k(dim, k, key.descending, true), &[x])?;
        order = Some(match order {
            None => next,
            Some(before) => i.reordered(before, next, dim)?,
        });
    }
    order.ok_or_else(|| "the comparator compares nothing".to_string())
}

/// The same from an entry's place, which is the number of entries that come before it: those that are less, and those before it that
/// it is not less than.
fn by_pairs<'m>(i: &mut Import<'m>, region: &NamedRegion<'m>, xs: &[ValueId], dim: usize) -> Result<ValueId, String> {
    let shape = i.b.shape(xs[0]);
    let n = shape[dim];
    if n > PAIRS {
        return Err(format!(
            "this comparator does not order by its operands one after the other, and {n} entries are too many to compare in pairs (at most {PAIRS})"
        ));
    }
    // .., i, j, ..: is j before i?
    let mut wide = shape.clone();
    wide.insert(dim, n);
    let rank = shape.len();
    let own: Vec<usize> = (0..=rank).filter(|&d| d != dim + 1).collect();
    let other: Vec<usize> = (0..=rank).filter(|&d| d != dim).collect();
    let (mut args, mut swapped) = (Vec::new(), Vec::new());
    let mut parts = xs.iter();
    for complex in region.complex.iter().step_by(2) {
        let (mut mine, mut theirs) = (Vec::new(), Vec::new());
        for &x in parts.by_ref().take(1 + usize::from(*complex)) {
            mine.push(i.broadcast(x, &wide, &own)?);
            theirs.push(i.broadcast(x, &wide, &other)?);
        }
        args.extend([&theirs[..], &mine].concat());
        swapped.extend([mine, theirs].concat());
    }
    let one = |made: Vec<ValueId>| made.first().copied().ok_or_else(|| "the comparator returns nothing".to_string());
    let less = one(i.apply(region, &args)?)?;
    let more = one(i.apply(region, &swapped)?)?;
    let place = |i: &mut Import<'m>, d: usize| {
        i.emit(Ir::Iota { dtype: DType::I32, shape: wide.clone(), dim: d, shard: Vec::new() }, &[])
    };
    let (mine, theirs) = (place(i, dim)?, place(i, dim + 1)?);
    let earlier = i.elem("compare_lt", &[theirs, mine])?;
    let not_more = i.elem("not", &[more])?;
    let tied = i.elem("and", &[earlier, not_more])?;
    let before = i.elem("or", &[less, tied])?;
    let before = i.convert(before, DType::I32)?;
    let ranks = i.reduce(Reduction::Sum, before, &[dim + 1])?;
    // The entry of place r: .., r, i, ..
    let ranks = i.broadcast(ranks, &wide, &other)?;
    let hit = i.elem("compare_eq", &[ranks, mine])?;
    i.one_integer_where(hit, theirs, &[dim + 1])
}

/// The first k along the last dim, and where they are.
fn top_k(i: &mut Import<'_>, op: &TextOp<'_>) -> Made {
    let [x] = i.exactly(op)?;
    // `top_k(%x, k = 3)`
    let inside = op.items.iter().find_map(|t| t.group(b'(')).and_then(|g| crate::read::setting(g, "k"));
    let k = inside.map(crate::read::ints).and_then(|k| k.first().copied()).or_else(|| op.int("k"));
    let k = k.and_then(|k| u64::try_from(k).ok()).ok_or("`k` is missing")?;
    let dim = i.b.ty(x).rank().checked_sub(1).ok_or("a scalar has no last dim")?;
    let dtype = i.b.ty(x).dtype;
    let element = op.elements()[0];
    // XLA orders floats totally here: NaN is larger than infinity, with the other sign less than minus infinity, and 0 is larger
    // than -0.
    let key = i.sortable(x, true, element)?;
    let values = i.emit(Ir::top_k(dim, k, true, false), &[key])?;
    let values = match element {
        "ui64" => i.flipped(values)?,
        _ if dtype.is_float() => i.floats_in_total_order(values, dtype)?,
        _ => i.convert(values, dtype)?,
    };
    Ok(vec![values, i.emit(Ir::top_k(dim, k, true, true), &[key])?])
}

/// The custom call that XLA's compiler for TPUs makes an approximation of. It may be exact, and is here: of each operand the first
/// entries by the comparator that it calls.
pub fn approx_top_k<'m>(i: &mut Import<'m>, op: &TextOp<'m>) -> Made {
    let all = i.operands(op)?;
    let (xs, _) = all.split_at(all.len() / 2);
    let Some(&first) = xs.first() else { return Err("operands and their initial values are missing".to_string()) };
    let comparator = op.attr("called_computations").and_then(|t| t.first()?.group(b'[')?.first()?.leaf(Token::Symbol));
    let Some(f) = i.module.functions.iter().find(|f| Some(f.name) == comparator.map(module::symbol)) else {
        return Err("there is no function that it compares by".to_string());
    };
    let params = parameters(f.params);
    let names = params.iter().map(|p| p.name.to_string()).collect();
    let region = NamedRegion { names, complex: vec![false; params.len()], ops: f.body.clone() };
    let order = keys(&region).unwrap_or_default();
    let &[key] = &order[..] else { return Err("the comparator does not order by one operand".to_string()) };
    let dim = op.config("reduction_dim").and_then(|t| crate::read::ints(t).first().copied()).unwrap_or(-1);
    let rank = i.b.ty(first).rank();
    let dim = usize::try_from(if dim < 0 { dim + rank as i64 } else { dim }).unwrap_or(rank);
    let to = op.result_types()?.into_iter().next().ok_or("the type of the result is missing")?;
    let k = to.shape.get(dim).copied().ok_or("`reduction_dim` is no dim of the operand")?;
    let elements = op.operand_elements();
    let element = elements.get(key.operand).copied().unwrap_or_default();
    let x = i.sortable(*xs.get(key.operand).ok_or("the comparator has other operands")?, key.total, element)?;
    let order = i.emit(Ir::top_k(dim, k, key.descending, true), &[x])?;
    xs.iter().map(|&x| i.reordered(x, order, dim)).collect()
}

impl Import<'_> {
    /// Numbers of a type that is sorted, in the order of `x`.
    fn sortable(&mut self, x: ValueId, total: bool, element: &str) -> Result<ValueId, String> {
        match self.b.ty(x).dtype {
            d if d.is_float() && total => self.total_order(x),
            DType::F32 | DType::F64 | DType::I32 => Ok(x),
            DType::I64 if element == "ui64" => self.flipped(x),
            DType::I64 => Ok(x),
            DType::U32 => self.convert(x, DType::I64),
            d if d.is_float() => self.convert(x, DType::F32),
            _ => self.convert(x, DType::I32),
        }
    }

    /// Entries of a dim, by where they come from.
    pub(super) fn reordered(&mut self, x: ValueId, from: ValueId, dim: usize) -> Result<ValueId, String> {
        let rank = self.b.ty(x).rank();
        let shape = self.b.shape(from);
        let front: Vec<usize> = (0..rank).filter(|&d| d != dim).chain([dim]).collect();
        let (rows, at) = (self.permuted(x, &front)?, self.permuted(from, &front)?);
        let out = self.take(rows, at, rank - 1)?;
        let mut back: Vec<usize> = (0..rank - 1).collect();
        back.insert(dim, rank - 1);
        let out = self.permuted(out, &back)?;
        self.reshaped(out, &shape)
    }
}
