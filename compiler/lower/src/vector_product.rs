//! Products of a matrix and one vector, on CPUs. Each element of the matrix is read once, so nothing is gained by packing it: the
//! product is written as a multiplication and a sum, which are one kernel.
//!
//! A matrix is summed along its rows, or over its rows where the result lies along them. What is masked, `select(seen, x, 0)`, the
//! kernel leaves out where the mask lets nothing through, and of a result that is masked it leaves out the sum
//! (`kernels/src/windowed.rs`). So a step of a decoder takes time for the positions that it has seen, and not for those that its cache
//! has room for.
//!
//! What the kernel reads of the vector, and what others read of the result, is computed once and stored.

use crate::contracted::size_of;
use crate::inserted::{Spread, push, spread};
use meshloom_ir::{Arithmetic, DType, Func, Literal, Op, OpId, Reduction, TensorType, ValueId};
use std::collections::BTreeSet;

/// The fewest summed elements, and rows, that are worth it; and elements of a matrix that is not masked, where rows are added up.
const SUMMED: u64 = 16;
const ROWS: u64 = 16;
const ELEMENTS: u64 = 1 << 14;

/// A product that was written out.
pub struct WrittenOut {
    /// The ops that come before its sum.
    pub before: Vec<OpId>,
    vector: ValueId,
    sum: ValueId,
}

/// Writes the contraction `o` out, if it is one of a matrix and a vector. It becomes the sum.
pub fn written_out(f: &mut Func, o: OpId) -> Option<WrittenOut> {
    let Op::DotGeneral(e) = f.op(o).op.clone() else { return None };
    let operands = f.op(o).operands.clone();
    let sum = f.op(o).results[0];
    let dtype = f.ty(sum).dtype;
    let plain = matches!(dtype, DType::F32 | DType::F64) && operands.iter().all(|v| f.ty(*v).dtype == dtype);
    let summed = e.contracted();
    let size = |f: &Func, c: char| size_of(f, &operands, &e, c);
    // Of the vector's own dims, which the other operand lacks, all are of size 1.
    let own = |f: &Func, i: usize| -> u64 {
        e.operands[i].iter().filter(|c| !e.operands[1 - i].contains(c)).map(|c| size(f, *c)).product()
    };
    let i = (0..2).find(|&i| own(f, i) == 1 && own(f, 1 - i) >= ROWS)?;
    let shared = summed.iter().all(|c| e.operands.iter().all(|o| o.contains(c)));
    let length: u64 = summed.iter().map(|c| size(f, *c)).product();
    if !plain || !shared || length < SUMMED {
        return None;
    }
    let (vector, matrix) = (operands[i], operands[1 - i]);
    let last = *e.operands[1 - i].last()?;
    let by_rows = summed[..] == [last];
    let large = || length * own(f, 1 - i) >= ELEMENTS || is_masked(f, matrix);
    let by_columns = || e.result.last() == Some(&last) && large();
    if !by_rows && !by_columns() {
        return None;
    }
    let mut all = e.result.clone();
    let at = if by_rows { all.len() } else { all.len() - 1 };
    all.splice(at..at, summed.iter().copied());
    let Spread { mut before, operands: wide, shape } = spread(f, o, &all, dtype)?;
    let multiply = Op::elem("multiply")?;
    let product = push(f, o, multiply, wide, TensorType::new(dtype, shape));
    before.push(product);
    f.ops[o.index()].operands = f.op(product).results.clone();
    let dims = (at..at + summed.len()).collect();
    f.ops[o.index()].op = Op::Reduce { kind: Reduction::Sum, dims };
    Some(WrittenOut { before, vector, sum })
}

/// Whether a value is `select(mask, x, 0)`.
fn is_masked(f: &Func, v: ValueId) -> bool {
    unmasked(f, v).is_some()
}

/// The `x` of `select(mask, x, 0)`.
fn unmasked(f: &Func, v: ValueId) -> Option<ValueId> {
    let data = f.op(f.def_op(v)?);
    let [_, x, other] = data.operands[..] else { return None };
    (data.op.arithmetic() == Arithmetic::Select && is_zero(f, other)).then_some(x)
}

fn is_zero(f: &Func, v: ValueId) -> bool {
    match f.def_op(v).map(|o| f.op(o)) {
        Some(data) => match &data.op {
            Op::Constant { value: Literal::Splat(x), .. } => x.as_f64() == 0.0,
            Op::Broadcast { .. } | Op::Reshape { .. } => is_zero(f, data.operands[0]),
            _ => false,
        },
        None => false,
    }
}

/// What is computed once and stored for these products: of each the vector, and the result with all that is done with it alone.
#[derive(Default)]
pub struct Stored {
    pub vectors: BTreeSet<ValueId>,
    pub results: BTreeSet<ValueId>,
}

/// Finds that in the program that has the products written out.
pub fn stored(f: &Func, products: &[WrittenOut]) -> Stored {
    let mut readers: Vec<Vec<OpId>> = vec![Vec::new(); f.values.len()];
    let mut yielded = vec![false; f.values.len()];
    for o in f.walk(Func::BODY) {
        f.op(o).operands.iter().for_each(|v| readers[v.index()].push(o));
    }
    f.regions.iter().flat_map(|r| &r.yields).for_each(|y| yielded[y.index()] = true);
    let mut all = Stored::default();
    for p in products {
        // The mask is asked by the product's kernel itself.
        let mut vector = unmasked(f, p.vector).unwrap_or(p.vector);
        while let Some(o) = f.def_op(vector).filter(|o| f.op(*o).op.reads_in_place()) {
            vector = f.op(o).operands[0];
        }
        all.vectors.extend(f.def_op(vector).map(|_| vector));
        let mut result = p.sum;
        while let [reader] = readers[result.index()][..]
            && !yielded[result.index()]
            && matches!(f.op(reader).op, Op::Elem(_) | Op::Convert { .. })
        {
            result = f.op(reader).results[0];
        }
        all.results.insert(result);
    }
    all
}
