//! Which tensors have the layers of a list along dim 0: its parameters, what is made of them layer by layer, what loops over them
//! stack, and their gradients.
//!
//! Where a list is cut into pipeline stages, a device has all layers of its stage and no others. A tensor that is split along
//! the layers would mix those of several stages: the gradient of one stage's layers would be summed, or updated, on another
//! stage's devices. So these tensors are never split there; any other dim serves as well. Not here: the cut (`stage`).

use meshloom_ir::unstack::rows;
use meshloom_ir::{Func, Op, RegionId, ValueId};

/// By value: whether dim 0 is that of the layers of `list`. `alike` are values that are one tensor.
pub fn stacks<'a>(func: &Func, list: Option<&str>, alike: impl Iterator<Item = &'a Vec<ValueId>>) -> Vec<bool> {
    let mut found = vec![false; func.values.len()];
    let Some(list) = list else { return found };
    let of_list = |name: &str| name.strip_prefix(list).is_some_and(|rest| rest.starts_with('.'));
    let mut count = None;
    for (port, &v) in func.inputs.iter().zip(&func.body().args) {
        if port.stacked && of_list(port.of.as_deref().unwrap_or(&port.name)) {
            found[v.index()] = true;
            count = func.ty(v).shape.first().copied();
        }
    }
    if let Some(count) = count {
        let mut spread = Spread { func, count, found };
        while spread.region(Func::BODY) {}
        found = spread.found;
    }
    for all in alike {
        let any = all.iter().any(|v| found[v.index()]);
        all.iter().for_each(|v| found[v.index()] = any);
    }
    found
}

struct Spread<'f> {
    func: &'f Func,
    count: u64,
    found: Vec<bool>,
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
