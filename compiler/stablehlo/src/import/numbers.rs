//! Integers that the IR has no type for. `ui64` becomes an i64 of the same bits. Integers of 16, 4 and 2 bits
//! become i32s, which are wrapped after each op that may leave their range.
//!
//! The type of a value stands beside every op that has it, so nothing is remembered here.

use super::state::Import;
use crate::lexer::Token;
use crate::module::TextOp;
use crate::tree::Tree;
use crate::types::{Narrow, element, narrow};
use meshloom_ir::table::elem::Elem;
use meshloom_ir::{DType, ValueId};

/// What wraps: results of other ops are in range where their operands are.
const COMPUTE: &[&str] = &[
    "add",
    "subtract",
    "multiply",
    "divide",
    "negate",
    "abs",
    "not",
    "power",
    "shift_left",
    "shift_right_logical",
    "convert",
    "reduce",
    "reduce_window",
    "all_reduce",
    "collective_reduce",
    "reduce_scatter",
    "dot_general",
    "convolution",
    "scatter",
    "map",
    "bitcast_convert",
    "iota",
];

impl<'s> TextOp<'s> {
    /// Element types of operands and results, as they are written: of the first operand, and of the first result.
    pub fn elements(&self) -> [&'s str; 2] {
        fn first<'s>(trees: &'s [Tree<'s>]) -> Option<&'s str> {
            trees.iter().find_map(|t| match t {
                Tree::Group(g) => first(&g.trees),
                leaf => leaf.leaf(Token::Tensor),
            })
        }
        let arrow = self.types.iter().position(|t| t.leaf(Token::Arrow).is_some());
        let of = |trees| element(first(trees).unwrap_or_default());
        match arrow {
            Some(at) => [of(&self.types[..at]), of(&self.types[at + 1..])],
            None => [of(self.types); 2],
        }
    }
}

impl Import<'_> {
    /// Results of an op, brought back into the range of the narrow types that are written of them.
    pub(super) fn in_range(&mut self, op: &TextOp<'_>, mut made: Vec<ValueId>) -> Result<Vec<ValueId>, String> {
        let name = op.name.split_once('.').map_or("", |n| n.1);
        if let (Some(narrow), true) = (narrow(op.elements()[1]), COMPUTE.contains(&name)) {
            for v in &mut made {
                if self.b.ty(*v).dtype == DType::I32 {
                    *v = self.wrap(*v, narrow)?;
                }
            }
        }
        Ok(made)
    }

    /// The value of the lowest bits of an i32.
    pub fn wrap(&mut self, x: ValueId, n: Narrow) -> Result<ValueId, String> {
        if !n.signed {
            let mask = self.b.constant_like(x, f64::from((1u32 << n.bits) - 1));
            return self.elem("and", &[x, mask]);
        }
        let by = self.b.constant_like(x, f64::from(32 - n.bits));
        let up = self.elem("shift_left", &[x, by])?;
        self.elem("shift_right_arithmetic", &[up, by])
    }

    /// A `ui64` as the i64 that is in the same order among i64s as it is among `ui64`s; and back.
    pub fn flipped(&mut self, x: ValueId) -> Result<ValueId, String> {
        let top = self.b.integer_like(x, i64::MIN);
        self.elem("xor", &[x, top])
    }

    /// An elementwise op of `ui64`s, where it is another one than of i64s.
    ///
    /// # Errors
    /// The operands do not fit.
    pub fn unsigned(&mut self, name: &str, xs: &[ValueId]) -> Result<ValueId, String> {
        match (name, xs) {
            ("maximum" | "minimum", &[x, y]) => {
                let (x, y) = (self.flipped(x)?, self.flipped(y)?);
                let out = self.elem(name, &[x, y])?;
                self.flipped(out)
            }
            ("compare_lt" | "compare_le" | "compare_gt" | "compare_ge", &[x, y]) => {
                let (x, y) = (self.flipped(x)?, self.flipped(y)?);
                self.elem(name, &[x, y])
            }
            ("divide", &[x, y]) => self.quotient(x, y),
            ("remainder", &[x, y]) => {
                let q = self.quotient(x, y)?;
                let whole = self.elem("multiply", &[q, y])?;
                let rest = self.elem("subtract", &[x, whole])?;
                let zero = self.b.constant_like(x, 0.0);
                let by_zero = self.elem("compare_eq", &[y, zero])?;
                self.select(by_zero, x, rest)
            }
            ("sign", &[x]) => {
                let (zero, one) = (self.b.constant_like(x, 0.0), self.b.constant_like(x, 1.0));
                let none = self.elem("compare_eq", &[x, zero])?;
                self.select(none, zero, one)
            }
            ("abs", &[x]) => Ok(x),
            _ if Elem::by_name(name).is_some_and(|e| e.def().signed) => {
                Err(format!("`{name}` of ui64 is not supported"))
            }
            _ => self.elem(name, xs),
        }
    }

    /// x / y of `ui64`s: the quotient of x/2 (which has no sign), doubled, is right or one too small; a y with the top bit set is
    /// in x once or not at all; and by zero it is all ones.
    fn quotient(&mut self, x: ValueId, y: ValueId) -> Result<ValueId, String> {
        let (zero, one) = (self.b.constant_like(x, 0.0), self.b.constant_like(x, 1.0));
        let half = self.elem("shift_right_logical", &[x, one])?;
        let large = self.elem("compare_lt", &[y, zero])?;
        let safe = self.select(large, one, y)?;
        let q = self.elem("divide", &[half, safe])?;
        let q = self.elem("shift_left", &[q, one])?;
        let whole = self.elem("multiply", &[q, safe])?;
        let rest = self.elem("subtract", &[x, whole])?;
        let more = self.unsigned("compare_ge", &[rest, safe])?;
        let next = self.elem("add", &[q, one])?;
        let q = self.select(more, next, q)?;
        let once = self.unsigned("compare_ge", &[x, y])?;
        let once = self.select(once, one, zero)?;
        let q = self.select(large, once, q)?;
        let by_zero = self.elem("compare_eq", &[y, zero])?;
        let ones = self.b.constant_like(x, -1.0);
        self.select(by_zero, ones, q)
    }

    /// A `ui64` as a float: where its top bit is set, of half of it (the last bit kept for rounding), doubled.
    pub fn unsigned_to_float(&mut self, x: ValueId, to: DType) -> Result<ValueId, String> {
        let (zero, one) = (self.b.constant_like(x, 0.0), self.b.constant_like(x, 1.0));
        let half = self.elem("shift_right_logical", &[x, one])?;
        let last = self.elem("and", &[x, one])?;
        let half = self.elem("or", &[half, last])?;
        let half = self.convert(half, to)?;
        let double = self.elem("add", &[half, half])?;
        let large = self.elem("compare_lt", &[x, zero])?;
        let small = self.convert(x, to)?;
        self.select(large, double, small)
    }

    /// The nearest number of a narrow type: what a float becomes that is not one.
    pub fn clamped(&mut self, x: ValueId, n: Narrow) -> Result<ValueId, String> {
        let least = if n.signed { -(1i32 << (n.bits - 1)) } else { 0 };
        let most = if n.signed { (1i32 << (n.bits - 1)) - 1 } else { (1i32 << n.bits) - 1 };
        let (least, most) = (self.b.constant_like(x, least.into()), self.b.constant_like(x, most.into()));
        let x = self.elem("maximum", &[x, least])?;
        self.elem("minimum", &[x, most])
    }

    /// A float as a `ui64`: 0 of negative ones and NaN, and the largest of what is larger.
    pub fn float_to_unsigned(&mut self, x: ValueId) -> Result<ValueId, String> {
        // 2^63 is infinite in f16.
        let x = if self.b.ty(x).dtype == DType::F64 { x } else { self.convert(x, DType::F32)? };
        let zero = self.b.constant_like(x, 0.0);
        let negative = self.elem("compare_lt", &[x, zero])?;
        let x = self.select(negative, zero, x)?;
        let limit = self.b.constant_like(x, 2f64.powi(63));
        let large = self.elem("compare_ge", &[x, limit])?;
        let less = self.elem("subtract", &[x, limit])?;
        let held = self.select(large, less, x)?;
        let low = self.convert(held, DType::I64)?;
        let high = self.flipped(low)?;
        self.select(large, high, low)
    }
}
