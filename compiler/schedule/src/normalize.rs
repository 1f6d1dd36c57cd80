//! Before fusion: reductions over several dims that include the last become a row reduction followed by the rest, and a
//! reduction of one long row is cut in pieces, so that it has more than one unit of work. The order of every sum is fixed here
//! and depends on no thread.

use meshloom_ir::{Func, Op, OpData, OpId, TensorType, Value, ValueId};

/// Rows longer than this are reduced in pieces.
const LONG_ROW: u64 = 1 << 14;

/// The normalised function, and for each of its ops the op of `func` that it comes from.
pub fn normalize(func: &Func) -> (Func, Vec<u32>) {
    let mut f = func.clone();
    let mut origin: Vec<u32> = (0..f.ops.len() as u32).collect();
    for r in 0..f.regions.len() {
        // A composite's body is its meaning, not code.
        if f.regions[r].owner.is_some_and(|o| matches!(f.op(o).op, Op::Composite { .. })) {
            continue;
        }
        let mut at = 0;
        while at < f.regions[r].ops.len() {
            let o = f.regions[r].ops[at];
            if let Some((first, rest)) = split(&f, o) {
                let inserted = insert_before(&mut f, o, first);
                f.regions[r].ops.splice(at..at, inserted.iter().copied());
                origin.resize(f.ops.len(), o.0);
                let last = *inserted.last().unwrap_or(&o);
                f.ops[o.index()].operands = f.ops[last.index()].results.clone();
                f.ops[o.index()].op = rest;
                at += inserted.len();
                // What is left may split again.
                continue;
            }
            at += 1;
        }
    }
    (f, origin)
}

/// Ops to put before a reduction, and what the reduction then is.
fn split(f: &Func, o: OpId) -> Option<(Vec<Op>, Op)> {
    let Op::Reduce { kind, dims } = &f.op(o).op else { return None };
    let shape = &f.ty(f.op(o).operands[0]).shape;
    let last = shape.len().checked_sub(1)?;
    if *dims.last()? != last {
        return None;
    }
    let row = |d: usize| Op::Reduce { kind: *kind, dims: vec![d] };
    if dims.len() > 1 {
        return Some((vec![row(last)], Op::Reduce { kind: *kind, dims: dims[..dims.len() - 1].to_vec() }));
    }
    let n = shape[last];
    let rows: u64 = shape[..last].iter().product();
    if rows >= 4 || n < LONG_ROW {
        return None;
    }
    let piece = (64..=4096).rev().find(|p| n % p == 0)?;
    let mut pieces = shape.clone();
    pieces[last] = n / piece;
    pieces.push(piece);
    Some((vec![Op::Reshape { shape: pieces }, row(last + 1)], row(last)))
}

fn insert_before(f: &mut Func, o: OpId, ops: Vec<Op>) -> Vec<OpId> {
    let mut ids = Vec::new();
    let mut x = f.op(o).operands[0];
    for op in ops {
        let ty: TensorType = meshloom_ir::table::infer(&op, &[f.ty(x)]).unwrap_or_else(|_| f.ty(x).clone());
        let id = OpId(f.ops.len() as u32);
        let v = ValueId(f.values.len() as u32);
        let OpData { parent, span, phase, .. } = *f.op(o);
        f.values.push(Value { ty, def: meshloom_ir::Def::Op(id, 0), name: None, span, layout: None });
        f.ops.push(OpData { op, operands: vec![x], results: vec![v], regions: vec![], parent, span, phase, weight_grad: false });
        ids.push(id);
        x = v;
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshloom_ir::{Builder, DType, Mesh, Reduction};

    #[test]
    fn reductions_become_row_reductions_and_the_rest() {
        let mut b = Builder::new("f", Mesh::default());
        let x = b.constant(DType::F32, &[4, 8, 65536], 1.0);
        let y = b.reduce(Reduction::Sum, x, &[0, 1, 2]);
        let f = b.finish();
        let (g, origin) = normalize(&f);
        let kinds: Vec<String> = g.body().ops.iter().map(|&o| format!("{:?}", g.op(o).op)).collect();
        assert_eq!(g.body().ops.len(), 4, "{kinds:?}");
        assert_eq!(origin.len(), g.ops.len());
        assert_eq!(g.ty(y).rank(), 0);
    }
}
