//! Functions with a gradient rule of their own. The front end makes a composite of each call. Its body has the function and the
//! rule: it takes the arguments, then cotangents of the results, then what it captures, and yields the results, then the
//! gradients of those arguments that are floats. Operands for cotangents are placeholders, and results for gradients are read by
//! nobody.
//!
//! [`crate::rule`] differentiates such a composite. When a program is differentiated, [`written_out`] puts the bodies in place of
//! them, so no later phase knows of them.

use meshloom_ir::graph::OpData;
use meshloom_ir::op::Attr;
use meshloom_ir::{Func, Op, ValueId};
use std::collections::BTreeMap;

/// The name of these composites.
pub const CUSTOM: &str = "custom_gradient";
/// Attributes: how many operands are arguments, and how many results are the function's.
pub const ARGUMENTS: &str = "arguments";
pub const RESULTS: &str = "results";

/// How many arguments and results the function of a composite has, if it is one of these.
pub(crate) fn counts(data: &OpData) -> Option<(usize, usize)> {
    let Op::Composite { name, attrs } = &data.op else { return None };
    let count = |key: &str| match attrs.get(key) {
        Some(&Attr::Int(n)) => usize::try_from(n).ok(),
        _ => None,
    };
    let (n, m) = (count(ARGUMENTS)?, count(RESULTS)?);
    (name == CUSTOM && n + m <= data.operands.len() && m <= data.results.len()).then_some((n, m))
}

/// Whether a result of such a composite depends on what is trained: the function's results do, whatever its body says, if an
/// argument does.
pub fn active(func: &Func, data: &OpData, is_active: impl Fn(ValueId) -> bool) -> Option<Vec<bool>> {
    let (n, m) = counts(data)?;
    let any = data.operands[..n].iter().any(|&x| is_active(x));
    let own = |r: usize| any && r < m && func.ty(data.results[r]).dtype.is_float();
    Some((0..data.results.len()).map(own).collect())
}

/// Puts the bodies of all such composites in their place. What only the rule needs is left to [`crate::prune()`]. Whether there were
/// any.
pub fn written_out(func: &mut Func) -> bool {
    let mut replaced: BTreeMap<ValueId, ValueId> = BTreeMap::new();
    for r in 0..func.regions.len() {
        let mut at = 0;
        while let Some(&o) = func.regions[r].ops.get(at) {
            let data = func.op(o);
            if counts(data).is_none() {
                at += 1;
                continue;
            }
            let (parent, data) = (data.parent, data.clone());
            let body = std::mem::take(&mut func.regions[data.regions[0].index()]);
            for &inner in &body.ops {
                func.ops[inner.index()].parent = parent;
            }
            func.regions[r].ops.splice(at..=at, body.ops);
            replaced.extend(body.args.iter().copied().zip(data.operands.iter().copied()));
            for (&result, &y) in data.results.iter().zip(&body.yields) {
                replaced.insert(result, y);
            }
        }
    }
    if replaced.is_empty() {
        return false;
    }
    let end = |mut v: ValueId| {
        while let Some(&next) = replaced.get(&v) {
            v = next;
        }
        v
    };
    for &old in replaced.keys() {
        let (new, name) = (end(old), func.value(old).name.clone());
        let value = &mut func.values[new.index()];
        value.name = value.name.take().or(name);
    }
    let operands = func.ops.iter_mut().flat_map(|o| &mut o.operands);
    for v in operands.chain(func.regions.iter_mut().flat_map(|r| &mut r.yields)) {
        *v = end(*v);
    }
    true
}
