//! Steps over every op of the table: an op of the samples of all entries ([`instances`]), in which any operands are arrays of
//! constants, and the others are values of the pool. Constants take ways of their own through fusion and layouts, and a way that
//! loses one operand of one op shows only where that operand is a constant.
//!
//! The other operands are brought into the range in which the op neither overflows nor has a steep slope. What an op decides by is exact.

use super::instances;
use super::program::Generator;
use meshloom_ir::graph::ValueId;
use meshloom_ir::layout::Reduction;
use meshloom_ir::op::Op;
use meshloom_ir::table::elem::{Drawn, Sig};
use meshloom_ir::tensor;
use meshloom_ir::types::{DType, Literal, Scalar, TensorType};

/// What the table asks of an operand of an op.
fn numbers(op: &Op, operand: usize) -> Drawn {
    let domain: &[Drawn] = if let Op::Elem(e) = op { e.def().domain } else { &[] };
    match domain.get(operand) {
        Some(numbers) => *numbers,
        None if (op.entry().decides)(op) || matches!(op, Op::Convert { .. }) => Drawn::Exact,
        None if product(op) => Drawn::Small,
        None => Drawn::Any,
    }
}

fn product(op: &Op) -> bool {
    matches!(op, Op::Reduce { kind: Reduction::Prod, .. } | Op::Cumulative { kind: Reduction::Prod, .. })
}

fn sig(op: &Op) -> Option<Sig> {
    match op {
        Op::Elem(e) => Some(e.def().sig),
        _ => None,
    }
}

impl Generator<'_> {
    /// One op of the table, any of its operands arrays of constants.
    pub(super) fn any_op(&mut self) -> ValueId {
        let all = instances();
        let mut names: Vec<&str> = all.iter().filter(|i| !i.operands.is_empty()).map(|i| i.op.name()).collect();
        names.dedup();
        // Of each name as often, however many samples it has.
        let name = self.rng.pick(&names);
        let of: Vec<_> = all.into_iter().filter(|i| i.op.name() == name && !i.operands.is_empty()).collect();
        let mut chosen = self.rng.pick(&of);
        self.typed(&mut chosen.op, &mut chosen.operands);
        let op = chosen.op;
        let share = self.rng.pick(&[20, 50, 50, 90]);
        let operands: Vec<ValueId> = (chosen.operands.iter().enumerate())
            .map(|(i, ty)| {
                let numbers = numbers(&op, i);
                if self.rng.chance(share) { self.constants(ty, numbers) } else { self.computed(ty, numbers) }
            })
            .collect();
        let v = self.b.op(op.clone(), &operands);
        self.moderate(&op, &operands, v)
    }

    /// Samples are of one type of float, and elementwise ones of one shape.
    fn typed(&mut self, op: &mut Op, operands: &mut [TensorType]) {
        let narrow = self.options.dtype.bytes() == 2;
        let float = match sig(op) {
            // Bits are those of f32 or f64.
            Some(Sig::ToBits) if narrow => DType::F32,
            _ => self.options.dtype,
        };
        let whole = matches!(sig(op), Some(Sig::Number | Sig::Compare | Sig::Select)) && self.rng.chance(25);
        for ty in operands.iter_mut().filter(|ty| ty.dtype.is_float()) {
            ty.dtype = if whole { DType::I32 } else { float };
        }
        if let Op::Convert { to } = op
            && to.is_float()
        {
            *to = self.rng.pick(&[DType::F64, DType::F32, DType::BF16, DType::F16]);
        }
        if matches!(op, Op::Elem(_)) && self.rng.chance(70) {
            let x = self.float();
            let shape = self.b.shape(x);
            operands.iter_mut().for_each(|ty| ty.shape.clone_from(&shape));
        }
    }

    /// An array of constants, one in ten of equal ones.
    fn constants(&mut self, ty: &TensorType, numbers: Drawn) -> ValueId {
        let dtype = ty.dtype;
        let number = |rng: &mut super::Rng| {
            let eighths = |rng: &mut super::Rng| (rng.below(65) as f64 - 32.0) / 8.0;
            let x = match numbers {
                Drawn::Any | Drawn::Small => rng.unit(),
                Drawn::Positive => 1.0 + rng.unit() / 2.0,
                Drawn::Exact => eighths(rng),
                Drawn::ExactPositive => eighths(rng).abs().max(0.5),
                Drawn::Bits => return Scalar::Int(i64::from((rng.unit() as f32).to_bits() as i32)),
            };
            match dtype {
                DType::Bool => Scalar::Int(rng.below(2) as i64),
                _ if dtype.is_float() => Scalar::float(tensor::round(dtype, x)),
                _ => Scalar::Int(rng.below(9) as i64 - 3),
            }
        };
        let first = number(&mut self.rng);
        let equal = self.rng.chance(10);
        let value = (0..ty.elements()).map(|_| if equal { first } else { number(&mut self.rng) }).collect();
        let v = self.b.op(Op::Constant { dtype, shape: ty.shape.clone(), value: Literal::Dense(value) }, &[]);
        // Something else reads it too, now and then.
        if dtype == self.options.dtype && self.rng.chance(30) {
            self.add(v);
        }
        v
    }

    /// A value of the pool, or made of such.
    fn computed(&mut self, ty: &TensorType, numbers: Drawn) -> ValueId {
        if ty.dtype == DType::Bool {
            let (x, y) = (self.int_of(&ty.shape), self.int_of(&ty.shape));
            return self.b.elem(self.rng.pick(&["compare_lt", "compare_ne"]), &[x, y]);
        }
        if numbers == Drawn::Bits {
            let float = TensorType { dtype: DType::F32, ..ty.clone() };
            let x = self.computed(&float, Drawn::Exact);
            return self.b.elem("bits_of_float", &[x]);
        }
        if !ty.dtype.is_float() {
            let whole = self.int_of(&ty.shape);
            return if ty.dtype.is_int8() { self.b.convert(whole, ty.dtype) } else { whole };
        }
        if matches!(numbers, Drawn::Exact | Drawn::ExactPositive) {
            let whole = self.int_of(&ty.shape);
            let (least, most) = (self.b.constant_like(whole, -9.0), self.b.constant_like(whole, 9.0));
            let whole = self.b.elem("clamp", &[least, whole, most]);
            let float = self.b.convert(whole, ty.dtype);
            let x = self.scaled(float, 0.125);
            if numbers == Drawn::Exact {
                return x;
            }
            let least = self.b.constant_like(x, 0.5);
            return self.b.elem("maximum", &[x, least]);
        }
        let x = self.float_of(&ty.shape);
        match numbers {
            Drawn::Small => self.b.elem("tanh", &[x]),
            Drawn::Positive => {
                let t = self.b.elem("tanh", &[x]);
                let (square, half) = (self.b.mul(t, t), self.b.constant_like(t, 0.5));
                self.b.add(square, half)
            }
            _ => x,
        }
    }

    /// What the pool may have of a result: numbers of moderate size, floats of the program's type, and no bools.
    fn moderate(&mut self, op: &Op, operands: &[ValueId], v: ValueId) -> ValueId {
        let ty = self.b.ty(v).clone();
        let sums = match op {
            Op::Reduce { kind: Reduction::Sum, .. } | Op::DotGeneral(_) => {
                let all: u64 = operands.iter().map(|&x| self.b.ty(x).elements()).max().unwrap_or(1);
                all / ty.elements().max(1)
            }
            Op::Cumulative { kind: Reduction::Sum, dim, .. } => ty.shape[*dim],
            Op::Scatter { .. } => 4,
            _ => 1,
        };
        match ty.dtype {
            DType::Bool => self.b.convert(v, DType::I32),
            d if d.is_float() => {
                let v = if d == self.options.dtype { v } else { self.b.convert(v, self.options.dtype) };
                if sums > 1 { self.scaled(v, 1.0 / sums as f64) } else { v }
            }
            _ if matches!(op, Op::Elem(_) | Op::RandomBits { .. } | Op::DotGeneral(_)) || product(op) => {
                let whole = self.b.convert(v, DType::I32);
                self.folded(whole)
            }
            _ => v,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{OPERANDS, instances, kind, program};
    use meshloom_ir::graph::Func;
    use meshloom_ir::mesh::Mesh;
    use meshloom_ir::op::Op;
    use meshloom_ir::types::Literal;
    use std::collections::BTreeSet;

    /// Seeds in which every operand of every op is an array of constants.
    const SEEDS: u64 = 400;

    fn is_array(f: &Func, v: meshloom_ir::graph::ValueId) -> bool {
        let constant = |d: &meshloom_ir::graph::OpData| {
            d.results.contains(&v) && matches!(&d.op, Op::Constant { value: Literal::Dense(_), .. })
        };
        f.ops.iter().any(constant)
    }

    /// The kinds of operands of a `repeat`, and positions of all others.
    fn place(op: &Op, operand: usize) -> (String, usize) {
        match op {
            Op::Repeat { carries, .. } if operand < *carries => ("a carry of repeat".into(), 0),
            Op::Repeat { carries, xs, .. } if operand < carries + xs => ("a stack that repeat reads".into(), 0),
            Op::Repeat { .. } => ("an invariant of repeat".into(), 0),
            // Operands of one sort, of which there may be any number.
            Op::Concatenate { .. } => (op.name().into(), operand.min(2)),
            Op::Composite { name, .. } => (name.clone(), operand),
            _ => (op.name().into(), operand),
        }
    }

    #[test]
    fn every_operand_of_every_op_is_an_array_of_constants() {
        let mut met = BTreeSet::new();
        for seed in OPERANDS..OPERANDS + SEEDS {
            let (options, _) = kind(seed, Mesh::new([("data", 2)]));
            let f = program(seed, &options);
            for d in &f.ops {
                let arrays = d.operands.iter().enumerate().filter(|(_, v)| is_array(&f, **v));
                met.extend(arrays.map(|(i, _)| place(&d.op, i)));
            }
        }
        let mut wanted: BTreeSet<(String, usize)> =
            instances().iter().flat_map(|i| (0..i.operands.len()).map(|k| place(&i.op, k))).collect();
        wanted.extend((0..3).map(|k| ("concatenate".into(), k)));
        wanted.extend(
            ["a carry of repeat", "a stack that repeat reads", "an invariant of repeat"].map(|s| (s.into(), 0)),
        );
        wanted.extend(["attention", "grouped_attention"].iter().flat_map(|n| (0..3).map(|k| (n.to_string(), k))));
        wanted.insert(("softmax".into(), 0));
        let missing: Vec<_> = wanted.difference(&met).collect();
        assert!(missing.is_empty(), "no array of constants is {missing:?}");
        assert!(wanted.len() > 100, "{}", wanted.len());
    }
}
