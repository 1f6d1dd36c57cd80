//! The gradient of a function by its own rule ([`crate::custom`]): reverse mode copies what the rule needs to where backward ops go,
//! with the cotangents in the place of the placeholders and the function's results as they are.

use crate::custom::counts;
use crate::error::AutodiffError;
use crate::reverse::{Cotangents, Engine};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::graph::OpData;
use meshloom_ir::{Func, OpId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The operands that the rule gives gradients of, each with the result that has it, for a function with `n` arguments and `m` results.
fn differentiated(func: &Func, data: &OpData, n: usize, m: usize) -> Vec<(usize, usize)> {
    let floats = (0..n).filter(|&i| func.ty(data.operands[i]).dtype.is_float());
    floats.zip(m..data.results.len()).collect()
}

impl Engine {
    /// The gradient by the function's own rule; `None` where it has none.
    pub(crate) fn custom(&mut self, o: OpId, cts: &mut Cotangents) -> Option<Result<(), AutodiffError>> {
        let data = self.b.func.op(o).clone();
        let (n, m) = counts(&data)?;
        Some(self.by_rule(&data, n, m, cts))
    }

    /// The same for a function with `n` arguments and `m` results.
    fn by_rule(&mut self, data: &OpData, n: usize, m: usize, cts: &mut Cotangents) -> Result<(), AutodiffError> {
        let region = self.b.func.region(data.regions[0]).clone();
        let pairs: Vec<(usize, usize)> = differentiated(&self.b.func, data, n, m)
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
