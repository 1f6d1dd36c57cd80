//! Steps over integers at the ends of their ranges, of every type: where arithmetic wraps around, where a type is cut from another, and
//! around 2^53, beyond which an f64 does not hold them all.
//!
//! 64-bit and unsigned integers stay in the pool, where these steps alone read them. Signed ones of 32 bits would make floats too large
//! for the other steps, so a small number that depends on each of their bits takes their place.

use super::ends;
use super::program::{Generator, MAX_ELEMENTS};
use meshloom_ir::graph::{Port, Role, ValueId};
use meshloom_ir::layout::Reduction;
use meshloom_ir::op::Op;
use meshloom_ir::types::{DType, Literal, Scalar, TensorType};

impl Generator<'_> {
    /// An input of 64-bit integers anywhere in their range.
    pub(super) fn wide_input(&mut self) {
        let n = self.b.func.inputs.len();
        let shape = self.shape(1);
        let port = Port { range: Some((i64::MIN, i64::MAX)), ..Port::new(format!("in{n}"), Role::Input, shape.len()) };
        self.input(TensorType::new(DType::I64, shape), port);
    }

    /// One value from integers of some type.
    pub(super) fn wide_step(&mut self) -> ValueId {
        let dtype = self.rng.pick(&[DType::I64, DType::I64, DType::I64, DType::I32, DType::U32, DType::U8, DType::I8]);
        let mut v = self.wide(dtype);
        for _ in 0..1 + self.rng.below(3) {
            v = if self.rng.chance(55) { self.wide_arithmetic(v) } else { self.wide_move(v) };
        }
        if self.b.ty(v).dtype != DType::I32 && self.rng.chance(60) { v } else { self.folded(v) }
    }

    /// Integers of a type: of the pool, a list of ends, or others converted.
    fn wide(&mut self, dtype: DType) -> ValueId {
        if dtype != DType::I32
            && self.rng.chance(60)
            && let Some(v) = self.find(|t| t.dtype == dtype)
        {
            return v;
        }
        if self.rng.chance(40) {
            let shape = self.shape(1);
            return self.list_of_ends(dtype, &shape);
        }
        let from = self.find(|t| t.dtype == DType::I64);
        let from = from.filter(|_| self.rng.chance(50)).unwrap_or_else(|| self.int());
        self.b.convert(from, dtype)
    }

    fn list_of_ends(&mut self, dtype: DType, shape: &[u64]) -> ValueId {
        let n = shape.iter().product::<u64>();
        let value = Literal::Dense((0..n).map(|_| Scalar::Int(self.rng.pick(ends(dtype)))).collect());
        self.b.op(Op::Constant { dtype, shape: shape.to_vec(), value }, &[])
    }

    /// The other operand of `v`: one number for all, a list, or a value of the pool.
    fn beside(&mut self, v: ValueId) -> ValueId {
        let TensorType { dtype, shape } = self.b.ty(v).clone();
        match self.rng.below(4) {
            0 => self.list_of_ends(dtype, &shape),
            1 => self.find(|t| t.dtype == dtype && t.shape == shape).unwrap_or(v),
            _ => {
                let end = self.rng.pick(ends(dtype));
                self.b.integer_like(v, end)
            }
        }
    }

    /// Elementwise.
    fn wide_arithmetic(&mut self, v: ValueId) -> ValueId {
        const TWO: &[&str] =
            &["add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "and", "or", "xor"];
        const TESTS: &[&str] = &["compare_lt", "compare_le", "compare_gt", "compare_ge", "compare_eq", "compare_ne"];
        const ONE: &[&str] = &["negate", "abs", "not", "popcnt", "count_leading_zeros"];
        let dtype = self.b.ty(v).dtype;
        let y = self.beside(v);
        match self.rng.below(11) {
            0..=4 => self.b.elem(self.rng.pick(TWO), &[v, y]),
            5 => {
                let test = self.b.elem(self.rng.pick(TESTS), &[v, y]);
                let z = self.beside(v);
                self.b.select(test, z, v)
            }
            6 => self.b.elem(self.rng.pick(if dtype == DType::I8 { &ONE[..3] } else { ONE }), &[v]),
            7 => {
                let by = self.rng.pick(&[0, 1, 7, 8 * dtype.bytes() as i64 - 1]);
                let by = self.b.integer_like(v, by);
                let ways: &[&str] = match dtype {
                    DType::I8 => &["shift_left", "shift_right_arithmetic"],
                    DType::I32 | DType::I64 => &["shift_left", "shift_right_logical", "shift_right_arithmetic"],
                    _ => &["shift_left", "shift_right_logical"],
                };
                self.b.elem(self.rng.pick(ways), &[v, by])
            }
            8 => {
                let most = self.beside(v);
                self.b.elem("clamp", &[y, v, most])
            }
            9 => {
                let other =
                    self.rng.pick(&[DType::I64, DType::I32, DType::U32, DType::U8, DType::I8, DType::F64, DType::F32]);
                let there = self.b.convert(v, other);
                self.b.convert(there, dtype)
            }
            _ => {
                let test = self.b.elem(self.rng.pick(TESTS), &[v, y]);
                self.b.convert(test, dtype)
            }
        }
    }

    /// Along dims.
    fn wide_move(&mut self, v: ValueId) -> ValueId {
        const KINDS: &[Reduction] =
            &[Reduction::Sum, Reduction::Max, Reduction::Min, Reduction::Prod, Reduction::And, Reduction::Or];
        let TensorType { dtype, shape } = self.b.ty(v).clone();
        if shape.is_empty() {
            return self.b.broadcast(v, &[self.sizes[0]], &[]);
        }
        let dim = self.rng.below(shape.len());
        match self.rng.below(7) {
            0 | 1 => {
                let dims = self.some_dims(shape.len());
                self.b.reduce(self.rng.pick(KINDS), v, &dims)
            }
            2 => {
                let kind = self.rng.pick(&KINDS[..3]);
                let (reverse, exclusive) = (self.rng.chance(40), self.rng.chance(30));
                self.b.op(Op::Cumulative { kind, dim, reverse, exclusive }, &[v])
            }
            3 => {
                let k = 1 + self.rng.below(shape[dim] as usize) as u64;
                let (largest, indices) = (self.rng.chance(50), self.rng.chance(30));
                let at = self.b.op(Op::top_k(dim, k, largest, indices), &[v]);
                self.b.convert(at, dtype)
            }
            4 => {
                let y = self.list_of_ends(dtype, &shape);
                let mut both = [v, y];
                self.rng.shuffle(&mut both);
                self.b.op(Op::Concatenate { dim }, &both)
            }
            5 => {
                let indices = self.int();
                let fits = self.b.ty(v).elements() / shape[0].max(1) * self.b.ty(indices).elements() <= MAX_ELEMENTS;
                let small = shape.len() + self.b.ty(indices).rank() <= 5;
                if fits && small { self.b.op(Op::Gather { shard: Vec::new(), total: None }, &[v, indices]) } else { v }
            }
            _ => self.b.op(Op::Reverse { dim }, &[v]),
        }
    }

    /// A small number that depends on each bit.
    pub(super) fn folded(&mut self, mut v: ValueId) -> ValueId {
        for by in [32, 16, 8, 4] {
            if by < 8 * self.b.ty(v).dtype.bytes() as i64 {
                let to_right = if self.b.ty(v).dtype == DType::I8 { "arithmetic" } else { "logical" };
                let by = self.b.integer_like(v, by);
                let high = self.b.elem(&format!("shift_right_{to_right}"), &[v, by]);
                v = self.b.elem("xor", &[v, high]);
            }
        }
        let low = self.b.integer_like(v, 15);
        let v = self.b.elem("and", &[v, low]);
        self.b.convert(v, DType::I32)
    }
}
