//! Which values have the layers of some stacks along dim 0: what is made of the stacks layer by layer, what loops over them stack,
//! and what such loops' results are added to.

use super::rows;
use crate::graph::{Func, RegionId, ValueId};
use crate::op::Op;

/// Marks all values of that kind. `found` says by value which are known to be; a stack has `count` layers.
pub fn spread(func: &Func, count: u64, found: &mut Vec<bool>) {
    let mut spread = Spread { func, count, found };
    while spread.region(Func::BODY) {}
}

struct Spread<'f> {
    func: &'f Func,
    count: u64,
    found: &'f mut Vec<bool>,
}

impl Spread<'_> {
    fn mark(&mut self, v: ValueId, when: bool) -> bool {
        let new = when && !self.found[v.index()] && self.func.ty(v).shape.first() == Some(&self.count);
        self.found[v.index()] |= new;
        new
    }

    /// One pass; whether anything is new.
    fn region(&mut self, region: RegionId) -> bool {
        let func = self.func;
        let mut new = false;
        for &o in &func.region(region).ops {
            let data = func.op(o);
            let Op::Repeat { trip, carries, xs, .. } = data.op else {
                let by = rows::operands(func, o).unwrap_or_default();
                let made = data.operands.iter().zip(by).any(|(x, rows)| rows && self.found[x.index()]);
                if let [result] = data.results[..] {
                    new |= self.mark(result, made);
                }
                continue;
            };
            let body = func.region(data.regions[0]);
            for (i, (&arg, &x)) in body.args.iter().zip(&data.operands).enumerate() {
                let carried = i < carries && self.found[body.yields[i].index()];
                let whole = i < carries || i >= carries + xs;
                new |= self.mark(arg, carried || whole && self.found[x.index()]);
            }
            new |= self.region(data.regions[0]);
            let sliced = data.operands.iter().skip(carries).take(xs).any(|x| self.found[x.index()]);
            for (i, &r) in data.results.iter().enumerate() {
                let layers = if i < carries { self.found[body.args[i].index()] } else { sliced && trip == self.count };
                new |= self.mark(r, layers);
            }
        }
        new
    }
}
