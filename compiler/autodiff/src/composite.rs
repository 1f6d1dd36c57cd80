//! Composites: attention has a gradient composite of its own, which a kernel implements, and a function with a gradient rule has
//! that ([`crate::custom`]); any other is differentiated through its body, copied in place.

use crate::attention;
use crate::error::AutodiffError;
use crate::reverse::{Cotangents, Engine};
use meshloom_ir::copy::{ValueMap, copy_op};
use meshloom_ir::{Op, OpId};

impl Engine {
    pub(crate) fn composite(&mut self, o: OpId, cts: &mut Cotangents) -> Result<(), AutodiffError> {
        if let Some(done) = self.custom(o, cts) {
            return done;
        }
        let data = self.b.func.op(o).clone();
        if let Op::Composite { name, attrs } = &data.op
            && let [out, lse] = data.results[..]
            && let (Some(ct), None) = (cts.get(out), cts.get(lse))
        {
            let mut operands = Vec::new();
            for &x in data.operands.iter().chain(&data.results) {
                operands.push(self.read(x)?);
            }
            operands.push(ct);
            if let Some(grads) = attention::gradient(&mut self.b, name, attrs, &operands) {
                for (&x, ct) in data.operands.iter().zip(grads) {
                    self.add(cts, x, ct);
                }
                return Ok(());
            }
        }
        self.inline(o, cts)
    }

    /// Copies the body to where backward ops go, as forward ops of their own, and differentiates the copy.
    fn inline(&mut self, o: OpId, cts: &mut Cotangents) -> Result<(), AutodiffError> {
        let data = self.b.func.op(o).clone();
        let region = self.b.func.region(data.regions[0]).clone();
        let mut map = ValueMap::new();
        let mut operands = Vec::new();
        for (&x, &a) in data.operands.iter().zip(&region.args) {
            let here = self.read(x)?;
            self.facts.set(here, self.facts.get(x));
            map.insert(a, here);
            operands.push(here);
        }
        let mut copies = Vec::new();
        for &inner in &region.ops {
            let copy = copy_op(&mut self.b, inner, &mut map);
            self.facts.visit(&self.b.func, copy);
            copies.push(copy);
        }
        let mut inner = Cotangents::default();
        for (&r, y) in data.results.iter().zip(&region.yields) {
            if let (Some(ct), Some(&y)) = (cts.get(r), map.get(y)) {
                self.add(&mut inner, y, ct);
            }
        }
        self.backward(&copies, &mut inner)?;
        for (&x, here) in data.operands.iter().zip(operands) {
            // Taken, not read: one value given as two operands has one sum.
            if let Some(ct) = inner.take(here) {
                self.add(cts, x, ct);
            }
        }
        Ok(())
    }
}
