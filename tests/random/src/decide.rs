//! Steps that decide by floats: comparisons, extremes, sorts and roundings to whole numbers.
//!
//! There are two kinds. Decisions by exact numbers give what the interpreter gives, whatever computes them. Decisions by other numbers
//! may not, since sums are taken in any order. But whoever computes a number decides by the same one: its largest element equals
//! itself, and one of `a < b` and `a >= b` holds. How often that is so is counted, and the counts are results ([`AGREE`]): no element
//! of them is 0.

use super::program::Generator;
use meshloom_ir::graph::{Port, Role, ValueId};
use meshloom_ir::layout::Reduction;
use meshloom_ir::op::Op;
use meshloom_ir::types::DType;

/// What the names of outputs begin with whose elements, all i32, are 1 or more whatever rounds how. Their other values say nothing.
pub const AGREE: &str = "agree";

/// Counts that one program has as outputs.
const MOST: usize = 6;

impl Generator<'_> {
    /// A number that 16 bits round, also as a result of its own, and something that is decided by it.
    pub(super) fn decision(&mut self) -> ValueId {
        let x = self.float();
        let shape = self.b.shape(x);
        let Some(last) = shape.len().checked_sub(1) else { return x };
        let y = self.float_of(&shape);
        let (scaled, half) = (self.scaled(x, 0.7), self.b.constant_like(x, 0.5));
        let name = self.rng.pick(&["add", "subtract", "maximum"]);
        let a = self.b.elem(name, &[scaled, y]);
        for v in [scaled, a] {
            if self.rng.chance(30) {
                self.add(v);
            }
        }
        match self.rng.below(6) {
            // What the gradient of an extreme does.
            0 | 1 => {
                let dims: Vec<usize> = if self.rng.chance(50) { vec![last] } else { (0..=last).collect() };
                let kind = self.rng.pick(&[Reduction::Max, Reduction::Min]);
                let top = self.b.reduce(kind, a, &dims);
                self.add(top);
                let top = self.b.unreduce(top, a, &dims);
                let same = self.b.elem("compare_eq", &[a, top]);
                self.b.select(same, half, y)
            }
            2 => {
                let less = self.b.elem(self.rng.pick(&["compare_lt", "compare_ge"]), &[a, y]);
                self.b.select(less, a, half)
            }
            3 => {
                let large = self.scaled(a, 5.0);
                let step = self.rng.pick(&["floor", "ceil", "round_nearest_even", "sign"]);
                let whole = self.b.elem(step, &[large]);
                self.scaled(whole, 0.125)
            }
            4 => {
                let large = self.scaled(a, 5.0);
                let whole = self.b.convert(large, DType::I32);
                let back = self.b.convert(whole, self.options.dtype);
                self.scaled(back, 0.125)
            }
            _ => {
                let (k, largest) = (1 + self.rng.below(shape[last] as usize) as u64, self.rng.chance(50));
                let at = self.b.op(Op::top_k(last, k, largest, true), &[a]);
                let back = self.b.convert(at, self.options.dtype);
                self.scaled(back, 0.125)
            }
        }
    }

    /// Compares a value of any rounding with itself in some way, and counts where that agrees. Nothing else reads what was decided.
    pub(super) fn agree(&mut self) {
        let x = self.float();
        let shape = self.b.shape(x);
        if shape.is_empty() {
            return;
        }
        let count = match self.rng.below(5) {
            0..=2 => {
                let mut dims = self.some_dims(shape.len());
                if dims.is_empty() {
                    dims = vec![self.rng.below(shape.len())];
                }
                let kind = self.rng.pick(&[Reduction::Max, Reduction::Min]);
                let top = self.b.reduce(kind, x, &dims);
                if self.rng.chance(30) {
                    self.add(top);
                }
                let top = self.b.unreduce(top, x, &dims);
                let same = self.b.elem("compare_eq", &[x, top]);
                let same = self.b.convert(same, DType::I32);
                self.b.reduce(Reduction::Sum, same, &dims)
            }
            3 => self.found_again(x),
            _ => {
                let y = self.float_of(&shape);
                let sides = ["compare_lt", "compare_ge"].map(|name| {
                    let side = self.b.elem(name, &[x, y]);
                    self.b.convert(side, DType::I32)
                });
                let both = self.b.add(sides[0], sides[1]);
                let one = self.b.constant_like(both, 1.0);
                let once = self.b.elem("compare_eq", &[both, one]);
                self.b.convert(once, DType::I32)
            }
        };
        self.agreed.last_mut().expect("a region is open").push(count);
    }

    /// Whether at the place of the extreme along a dim is the extreme.
    fn found_again(&mut self, x: ValueId) -> ValueId {
        let shape = self.b.shape(x);
        let dim = self.rng.below(shape.len());
        let largest = self.rng.chance(50);
        let [at, top] = [true, false].map(|indices| {
            let first = self.b.op(Op::top_k(dim, 1, largest, indices), &[x]);
            let mut without = shape.clone();
            without.remove(dim);
            self.b.reshape(first, &without)
        });
        let place = self.b.op(Op::Iota { dtype: DType::I32, shape, dim, shard: Vec::new() }, &[]);
        let at = self.b.unreduce(at, x, &[dim]);
        let here = self.b.elem("compare_eq", &[place, at]);
        let zero = self.b.constant_like(x, 0.0);
        let alone = self.b.select(here, x, zero);
        let found = self.b.reduce(Reduction::Sum, alone, &[dim]);
        let same = self.b.elem("compare_eq", &[found, top]);
        self.b.convert(same, DType::I32)
    }

    /// The counts, as outputs.
    pub(super) fn agreed_outputs(&mut self) {
        let counts = self.agreed[0].clone();
        for (i, v) in counts.into_iter().rev().take(MOST).enumerate() {
            let shape = self.b.shape(v);
            let constraint = self.constraint(&shape);
            self.b.output(v, Port { constraint, ..Port::new(format!("{AGREE}{i}"), Role::Output, shape.len()) });
        }
    }
}
