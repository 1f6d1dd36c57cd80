//! Functions with a gradient rule of their own. The front end makes a composite of each call. Its body has the function and the
//! rule: it takes the arguments, then cotangents of the results, then what it captures, and yields the results, then the
//! gradients of those arguments that are floats. Operands for cotangents are placeholders, and results for gradients are read by
//! nobody.
//!
//! Reverse mode copies what the rule needs to where backward ops go, with the cotangents in the place of the placeholders and the
//! function's results as they are. When a program is differentiated, [`written_out`] puts the bodies in place of such composites,
//! so no later phase knows of them.

use crate::error::AutodiffError;
use crate::reverse::{Cotangents, Engine};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::graph::OpData;
use meshloom_ir::op::Attr;
use meshloom_ir::{Func, Op, OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The name of these composites.
pub const CUSTOM: &str = "custom_gradient";
/// Attributes: how many operands are arguments, and how many results are the function's.
pub const ARGUMENTS: &str = "arguments";
pub const RESULTS: &str = "results";

/// How many arguments and results the function of a composite has, if it is one of these.
fn counts(data: &OpData) -> Option<(usize, usize)> {
    let Op::Composite { name, attrs } = &data.op else { return None };
    let count = |key: &str| match attrs.get(key) {
        Some(&Attr::Int(n)) => usize::try_from(n).ok(),
        _ => None,
    };
    let (n, m) = (count(ARGUMENTS)?, count(RESULTS)?);
    (name == CUSTOM && n + m <= data.operands.len() && m <= data.results.len()).then_some((n, m))
}

/// The operands that the rule gives gradients of, each with the result that has it.
fn differentiated(func: &Func, data: &OpData, (n, m): (usize, usize)) -> Vec<(usize, usize)> {
    let floats = (0..n).filter(|&i| func.ty(data.operands[i]).dtype.is_float());
    floats.zip(m..data.results.len()).collect()
}

impl Engine {
    /// The gradient by the function's own rule; `None` where it has none.
    pub(crate) fn custom(&mut self, o: OpId, cts: &mut Cotangents) -> Option<Result<(), AutodiffError>> {
        let data = self.b.func.op(o).clone();
        let counts = counts(&data)?;
        Some(self.by_rule(&data, counts, cts))
    }

    fn by_rule(&mut self, data: &OpData, counts: (usize, usize), cts: &mut Cotangents) -> Result<(), AutodiffError> {
        let (n, m) = counts;
        let region = self.b.func.region(data.regions[0]).clone();
        let pairs: Vec<(usize, usize)> = differentiated(&self.b.func, data, counts)
            .into_iter()
            .filter(|&(i, _)| self.facts.get(data.operands[i]).active)
            .collect();
        // What the rule reads, from the gradients up; the function's results are there already.
        let own: BTreeMap<ValueId, ValueId> =
            region.yields[..m].iter().copied().zip(data.results[..m].iter().copied()).collect();
        let mut wanted: Vec<ValueId> = pairs.iter().map(|&(_, r)| region.yields[r]).collect();
        let (mut seen, mut needed) = (BTreeSet::new(), BTreeSet::new());
        while let Some(v) = wanted.pop() {
            if !seen.insert(v) || own.contains_key(&v) {
                continue;
            }
            if let Some(inner) = self.b.func.def_op(v) {
                needed.insert(inner);
                wanted.extend(self.b.func.op(inner).operands.iter().copied());
            }
        }
        let mut map = ValueMap::new();
        for (i, &a) in region.args.iter().enumerate().filter(|(_, a)| seen.contains(a)) {
            let value = match i.checked_sub(n).filter(|&k| k < m) {
                None => self.read(data.operands[i])?,
                Some(k) => {
                    let ct = cts.get(data.results[k]);
                    let ct = ct.unwrap_or_else(|| self.b.constant_like(data.results[k], 0.0));
                    self.in_type_of(ct, a)
                }
            };
            map.insert(a, value);
        }
        for (&inside, &result) in own.iter().filter(|(v, _)| seen.contains(v)) {
            let value = self.read(result)?;
            map.entry(inside).or_insert(value);
        }
        let made_from = self.b.func.ops.len();
        for inner in region.ops.iter().copied().filter(|o| needed.contains(o)) {
            copy_op(&mut self.b, inner, &mut map);
        }
        for (i, r) in pairs {
            let x = data.operands[i];
            let grad = *map.get(&region.yields[r]).unwrap_or(&region.yields[r]);
            if self.facts.get(x).weight {
                self.tag_weight_grad(grad, made_from);
            }
            let grad = self.in_type_of(grad, x);
            self.add(cts, x, grad);
        }
        Ok(())
    }

    fn in_type_of(&mut self, x: ValueId, like: ValueId) -> ValueId {
        let to = self.b.ty(like).dtype;
        if self.b.ty(x).dtype == to { x } else { self.b.convert(x, to) }
    }
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
    for (&old, _) in &replaced {
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
