//! Concatenation without copies: a part is written straight into its place in the result.

use meshloom_ir::{Def, Func, Op, RegionId, ValueId};
use std::collections::BTreeMap;

/// Operands of concatenations along dim 0 that ops of `region` compute. Each comes with the result that it is a part
/// of, and with the row of that result at which it begins. An operand of two concatenations is left out.
pub fn joined(func: &Func, region: RegionId) -> BTreeMap<ValueId, (ValueId, u64)> {
    let mut out: BTreeMap<ValueId, (ValueId, u64)> = BTreeMap::new();
    let mut twice = Vec::new();
    for &o in &func.region(region).ops {
        let data = func.op(o);
        if !matches!(data.op, Op::Concatenate { dim: 0 }) {
            continue;
        }
        let mut start = 0;
        for &x in &data.operands {
            let placed = match func.value(x).def {
                Def::Arg(..) => false,
                Def::Op(p, i) => match func.op(p).op {
                    Op::Repeat { carries, .. } => i as usize >= carries,
                    Op::Concatenate { .. } => false,
                    _ => true,
                },
            };
            if placed && out.insert(x, (data.results[0], start)).is_some() {
                twice.push(x);
            }
            start += func.ty(x).shape[0];
        }
    }
    out.retain(|x, _| !twice.contains(x));
    out
}
