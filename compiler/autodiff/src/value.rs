//! Values that are known while compiling: splat constants, and ops whose operands are all splats.

use meshloom_ir::table::{self, EvalCx};
use meshloom_ir::{Class, Func, Literal, Mesh, Op, OpId, Reduction, Scalar, Tensor, TensorType, ValueId};

/// One number in every element.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Known(f64);

impl Known {
    pub fn splat(x: f64) -> Known {
        Known(x)
    }
}

/// The number that `v` holds everywhere, if that is known.
pub fn known(func: &Func, v: ValueId) -> Option<Known> {
    scalar(func, v).map(|s| Known(s.as_f64()))
}

fn scalar(func: &Func, v: ValueId) -> Option<Scalar> {
    match &func.op(func.def_op(v)?).op {
        Op::Constant { value: Literal::Splat(s), .. } => Some(*s),
        _ => None,
    }
}

/// The splat that `o` gives when all its operands are splats: moves keep the number, elementwise ops are evaluated
/// once in the element type, sums of few equal numbers are multiplied out where that is exact.
pub fn fold_splats(func: &Func, o: OpId) -> Option<Literal> {
    let data = func.op(o);
    let xs = data.operands.iter().map(|&x| scalar(func, x)).collect::<Option<Vec<_>>>()?;
    let x = *xs.first()?;
    match &data.op {
        op if op.class() == Class::View => Some(Literal::Splat(x)),
        op if op.is_elementwise() => {
            let elements: Vec<Tensor> = data.operands.iter().zip(&xs).map(|(&v, &s)| element(func.ty(v), s)).collect();
            let refs: Vec<&Tensor> = elements.iter().collect();
            let mesh = Mesh::default();
            let def = table::def(&data.op)?;
            let y = (def.eval)(&data.op, &refs, &EvalCx { mesh: &mesh, device: 0 });
            let float = y.ty.dtype.is_float();
            Some(Literal::Splat(if float { Scalar::float(y.f(0)) } else { Scalar::Int(y.i(0)) }))
        }
        Op::Reduce { kind: Reduction::Sum, dims } => {
            let ty = func.ty(data.operands[0]);
            let n: u64 = dims.iter().map(|&d| ty.shape[d]).product();
            // Whole numbers below 2^24 are exact in every float type of 32 bits or more.
            let sum = x.as_f64() * n as f64;
            let exact = ty.dtype.bytes() >= 4 && sum.fract() == 0.0 && sum.abs() < 16_777_216.0;
            let whole = x.as_f64().fract() == 0.0;
            (ty.dtype.is_float() && exact && whole).then(|| Literal::Splat(Scalar::float(sum)))
        }
        _ => None,
    }
}

fn element(ty: &TensorType, s: Scalar) -> Tensor {
    Tensor::literal(&TensorType::scalar(ty.dtype), &Literal::Splat(s))
}
